//! This library, through its public interface. The level is selected before each measurement.

use crate::job::{Job, convert, owned, read, read_pieces, units, units_mut};
use crate::operations::{Form, Op, Policy, Unmapped};
use crate::pages::Page;
use placemat::forms::{EncodingForm, Latin1, Utf8, Utf16, Utf32};
use placemat::stream::{Reader, Transcoder, Writer};
use placemat::{
    Be, Encoding, ErrorPolicy, Le, Native, Replacement, UnmappablePolicy, convert as whole, length, utf8,
    utf16,
};
use std::hint::black_box;
use std::io::{Read as _, Write as _};

pub fn job(op: Op) -> Option<Job> {
    const STOP: ErrorPolicy<'static> = ErrorPolicy::Stop;
    const STAY: UnmappablePolicy<'static> = UnmappablePolicy::Stop;
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
        Op::Boundary => read(|s| utf8::floor_boundary(s, s.len() / 2)),
        Op::Convert(from, to) => return conversion(from, to),
        Op::Owned(Form::Utf8, Form::Utf16Le) => {
            owned!(move |s| whole::transcode::<Utf8, Utf16<Native>>(s, STOP, STAY).expect("text"))
        }
        Op::Owned(Form::Utf8, Form::Utf32) => {
            owned!(move |s| whole::transcode::<Utf8, Utf32<Native>>(s, STOP, STAY).expect("text"))
        }
        Op::Owned(Form::Utf8, Form::Latin1) => {
            owned!(move |s| whole::transcode::<Utf8, Latin1>(s, STOP, STAY).expect("text"))
        }
        Op::Owned(Form::Utf16Le, Form::Utf8) => {
            owned!(move |s| whole::decode::<Utf16<Native>>(units(s), STOP).expect("text"))
        }
        Op::Owned(Form::Utf32, Form::Utf8) => {
            owned!(move |s| whole::decode::<Utf32<Native>>(units(s), STOP).expect("text"))
        }
        Op::Owned(Form::Latin1, Form::Utf8) => {
            owned!(move |s| whole::decode::<Latin1>(s, STOP).expect("text"))
        }
        Op::OwnedStr(Form::Utf16Le) => {
            owned!(move |s| {
                // SAFETY: the texts of this operation are well-formed: the answers were made from them as `str`.
                let text = unsafe { str::from_utf8_unchecked(s) };
                whole::encode::<Utf16<Native>>(text, STAY).expect("text")
            })
        }
        Op::DecodeBytes(page) => {
            let encoding = encoding(page);
            owned!(move |s| encoding.decode(s, STOP).expect("text"))
        }
        Op::EncodeBytes(page) => {
            let encoding = encoding(page);
            owned!(move |s| {
                // SAFETY: the texts of this operation are well-formed: they were made from `str`.
                let text = unsafe { str::from_utf8_unchecked(s) };
                encoding.encode(text, STAY).expect("text")
            })
        }
        Op::Lossy(_) | Op::Damaged(..) => {
            owned!(move |s| utf8::decode(s, ErrorPolicy::Replace).expect("it goes on"))
        }
        Op::Policy(policy, _) => {
            let policy = match policy {
                Policy::Skip => ErrorPolicy::Skip,
                Policy::Question => ErrorPolicy::ReplaceWith(Replacement::QUESTION),
                Policy::Hex => ErrorPolicy::HexEscape,
                Policy::Latin1 => ErrorPolicy::Latin1,
                Policy::Cp1252 => ErrorPolicy::Windows1252,
            };
            owned!(move |s| utf8::decode(s, policy).expect("it goes on"))
        }
        Op::Read(form, piece, _) => {
            let encoding = scheme(form)?;
            convert(move |s, d| {
                let transcoder = Transcoder::new(encoding, Encoding::UTF_8).on_error(ErrorPolicy::Replace);
                let mut reader = Reader::new(s, transcoder);
                read_pieces(d, piece, |piece| reader.read(piece).expect("a slice can be read"))
            })
        }
        Op::Write(form, piece) => {
            let encoding = scheme(form)?;
            convert(move |s, d| {
                let room = d.len();
                let transcoder = Transcoder::new(encoding, Encoding::UTF_8).on_error(ErrorPolicy::Replace);
                let mut writer = Writer::new(d, transcoder);
                s.chunks(piece).for_each(|piece| writer.write_all(piece).expect("room"));
                room - writer.finish().expect("room").len()
            })
        }
        Op::FromPage(page) => route(encoding(page), Encoding::UTF_8),
        Op::ToPage(page) => route(Encoding::UTF_8, encoding(page)),
        Op::Between(from, to) => route(encoding(from), encoding(to)),
        Op::ToAscii(unmapped) => {
            let policy = match unmapped {
                Unmapped::Question => UnmappablePolicy::Replace,
                Unmapped::Skip => UnmappablePolicy::Skip,
                Unmapped::Reference => UnmappablePolicy::XmlReference,
            };
            owned!(move |s| {
                // SAFETY: the texts of this operation are well-formed: they were made from `str`.
                let text = unsafe { str::from_utf8_unchecked(s) };
                Encoding::US_ASCII.encode(text, policy).expect("it goes on")
            })
        }
        Op::Open(page) => {
            let encoding = encoding(page);
            read(move |_| {
                black_box(Transcoder::new(black_box(Encoding::UTF_8), black_box(encoding)));
                1
            })
        }
        Op::Owned(..) | Op::OwnedStr(_) => return None,
    })
}

/// Converts between encodings chosen at run time, from slice to slice.
fn route(from: Encoding, to: Encoding) -> Job {
    convert(move |s, d| Transcoder::new(from, to).convert(s, d, true).written)
}

fn encoding(page: Page) -> Encoding {
    Encoding::for_label(page.label()).expect("an encoding of ours")
}

/// Returns the encoding of the bytes of a form.
fn scheme(form: Form) -> Option<Encoding> {
    Some(match form {
        Form::Utf8 => Encoding::UTF_8,
        Form::Utf16Le => Encoding::UTF_16LE,
        Form::Latin1 => Encoding::WINDOWS_1252,
        Form::Utf16Be | Form::Utf32 => return None,
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

/// Converts from slice to slice and stops at errors; returns the number of code units written.
fn run<F: EncodingForm, T: EncodingForm>(src: &[F::Unit], dst: &mut [T::Unit]) -> usize {
    whole::transcode_into::<F, T>(src, dst, ErrorPolicy::Stop, UnmappablePolicy::Stop).written
}
