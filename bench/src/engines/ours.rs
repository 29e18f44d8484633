//! This library, through its public interface. The level is selected before each measurement.

use super::{Job, code_points, convert, read, units, units_mut};
use crate::operations::{Form, Op};
use placemat::forms::{EncodingForm, Latin1, Utf8, Utf16, Utf32};
use placemat::internals::{Kernels, SingleByteDecoder, SingleByteEncoder};
use placemat::{Be, ErrorPolicy, Le, Native, UnmappablePolicy, convert as whole, length, utf8, utf16};

pub fn job(op: Op) -> Option<Job> {
    Some(match op {
        Op::Validate => read(|s| utf8::validate(s).is_ok().into()),
        Op::ValidateUtf16 => read(|s| (utf16::well_formed_up_to(units(s)) == s.len() / 2).into()),
        Op::CountCodePoints => read(utf8::count_code_points),
        Op::CountLineFeeds => read(utf8::count_line_feeds),
        Op::Utf16FromUtf8 => read(length::utf16_from_utf8),
        Op::Utf8FromUtf16 => read(|s| length::utf8_from_utf16(units(s))),
        Op::Utf32FromUtf16 => read(|s| length::utf32_from_utf16(units(s))),
        Op::Utf8FromUtf32 => read(|s| length::utf8_from_utf32(units(s))),
        Op::Utf8FromLatin1 => read(length::utf8_from_latin1),
        Op::Lossy(_) => Job::Text(Box::new(|s| utf8::decode(s, ErrorPolicy::Replace).expect("it goes on"))),
        Op::Convert(from, to) => return conversion(from, to),
        Op::SingleByte(page) => {
            // The kernel itself, without the engine around it.
            let table: &SingleByteDecoder = Box::leak(Box::new(SingleByteDecoder::new(&code_points(page)?)));
            convert(move |s, d| Kernels::current().single_byte_to_utf8(table, s, d).written)
        }
        Op::ToSingleByte(page) => {
            let table = SingleByteEncoder::<[[u8; 64]; 64]>::new(&code_points(page)?);
            let table: &SingleByteEncoder = Box::leak(Box::new(table));
            convert(move |s, d| Kernels::current().utf8_to_single_byte(table, s, d).written)
        }
    })
}

fn conversion(from: Form, to: Form) -> Option<Job> {
    Some(match (from, to) {
        (Form::Utf8, Form::Utf16Le) => convert(run::<Utf8, Utf16<Le>>),
        (Form::Utf8, Form::Utf16Be) => convert(run::<Utf8, Utf16<Be>>),
        (Form::Utf8, Form::Utf32) => convert(|s, d| 4 * run::<Utf8, Utf32<Native>>(s, units_mut(d))),
        (Form::Utf8, Form::Latin1) => convert(run::<Utf8, Latin1>),
        (Form::Utf16Le, Form::Utf8) => convert(run::<Utf16<Le>, Utf8>),
        (Form::Utf16Be, Form::Utf8) => convert(run::<Utf16<Be>, Utf8>),
        (Form::Utf16Le, Form::Utf32) => {
            convert(|s, d| 4 * run::<Utf16<Native>, Utf32<Native>>(units(s), units_mut(d)))
        }
        (Form::Utf16Le, Form::Latin1) => convert(|s, d| run::<Utf16<Native>, Latin1>(units(s), d)),
        (Form::Utf32, Form::Utf8) => convert(|s, d| run::<Utf32<Native>, Utf8>(units(s), d)),
        (Form::Utf32, Form::Utf16Le) => {
            convert(|s, d| 2 * run::<Utf32<Native>, Utf16<Native>>(units(s), units_mut(d)))
        }
        (Form::Latin1, Form::Utf8) => convert(run::<Latin1, Utf8>),
        (Form::Latin1, Form::Utf16Le) => convert(|s, d| 2 * run::<Latin1, Utf16<Native>>(s, units_mut(d))),
        _ => return None,
    })
}

/// Converts from slice to slice, stopping at errors; returns the number of units written.
fn run<F: EncodingForm, T: EncodingForm>(src: &[F::Unit], dst: &mut [T::Unit]) -> usize {
    whole::transcode_into::<F, T>(src, dst, ErrorPolicy::Stop, UnmappablePolicy::Stop).written
}
