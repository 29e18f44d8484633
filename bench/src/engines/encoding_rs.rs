//! encoding_rs, the encodings of Firefox: its `mem` module for slices, its decoders for bytes.

use super::{Job, convert, read, units, units_mut};
use crate::operations::{Form, Op, Page};
use encoding_rs::{Encoding, KOI8_R, UTF_8, UTF_16BE, WINDOWS_874, WINDOWS_1251, WINDOWS_1252, mem};

pub fn job(op: Op) -> Option<Job> {
    use Form::{Latin1, Utf8, Utf16Be, Utf16Le};
    Some(match op {
        Op::Validate => read(|s| (Encoding::utf8_valid_up_to(s) == s.len()).into()),
        Op::ValidateUtf16 => read(|s| (mem::utf16_valid_up_to(units(s)) == s.len() / 2).into()),
        Op::Convert(Utf8, Utf16Le) => convert(|s, d| {
            2 * mem::convert_utf8_to_utf16_without_replacement(s, units_mut(d)).expect("well-formed text")
        }),
        Op::Convert(Utf16Le, Utf8) => convert(|s, d| mem::convert_utf16_to_utf8(units(s), d)),
        Op::Convert(Utf16Be, Utf8) => decoder(UTF_16BE),
        Op::Convert(Utf8, Latin1) => convert(|s, d| {
            assert!(mem::is_utf8_latin1(s), "Latin-1");
            mem::convert_utf8_to_latin1_lossy(s, d)
        }),
        Op::Convert(Utf16Le, Latin1) => convert(|s, d| {
            assert!(mem::is_utf16_latin1(units(s)), "Latin-1");
            mem::convert_utf16_to_latin1_lossy(units(s), d);
            s.len() / 2
        }),
        Op::Convert(Latin1, Utf8) => convert(mem::convert_latin1_to_utf8),
        Op::Convert(Latin1, Utf16Le) => convert(|s, d| {
            mem::convert_latin1_to_utf16(s, units_mut(d));
            2 * s.len()
        }),
        Op::Lossy(_) => Job::Text(Box::new(|s| UTF_8.decode_without_bom_handling(s).0)),
        Op::SingleByte(page) => decoder(encoding(page)?),
        Op::ToSingleByte(page) => encoder(encoding(page)?),
        _ => return None,
    })
}

fn decoder(encoding: &'static Encoding) -> Job {
    convert(move |s, d| {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        decoder.decode_to_utf8_without_replacement(s, d, true).2
    })
}

fn encoder(encoding: &'static Encoding) -> Job {
    convert(move |s, d| {
        let text = str::from_utf8(s).expect("well-formed text");
        encoding.new_encoder().encode_from_utf8_without_replacement(text, d, true).2
    })
}

fn encoding(page: Page) -> Option<&'static Encoding> {
    Some(match page {
        Page::Windows1251 => WINDOWS_1251,
        Page::Windows1252 => WINDOWS_1252,
        Page::Koi8R => KOI8_R,
        // The two encodings agree on Thai letters, which are all that the text uses.
        Page::Cp874 => WINDOWS_874,
        Page::Ibm037 => return None,
    })
}
