//! `encoding_rs`, the encodings of Firefox: its `mem` module for slices, its decoders for bytes, and `encoding_rs_io`.

use crate::job::{Job, convert, owned, read, read_pieces, units, units_mut};
use crate::operations::{Form, Op, Unmapped};
use crate::pages::Page;
use encoding_rs::{
    BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, KOI8_R, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_874,
    WINDOWS_1251, WINDOWS_1252, mem,
};
use encoding_rs_io::DecodeReaderBytesBuilder;
use std::io::Read as _;

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
        Op::Owned(Utf16Le, Utf8) => {
            owned!(move |s| UTF_16LE.decode_without_bom_handling_and_without_replacement(s).expect("text"))
        }
        Op::Owned(Latin1, Utf8) => owned!(move |s| mem::decode_latin1(s)),
        Op::Owned(Utf8, Latin1) => {
            owned!(move |s| mem::encode_latin1_lossy(str::from_utf8(s).expect("well-formed text")))
        }
        Op::Owned(Utf8, Utf16Le) => owned!(move |s| {
            let mut out = vec![0_u16; s.len()];
            let len = mem::convert_utf8_to_utf16_without_replacement(s, &mut out).expect("well-formed text");
            out.truncate(len);
            out
        }),
        Op::OwnedStr(Utf16Le) => owned!(move |s| {
            let mut out = vec![0_u16; s.len()];
            // SAFETY: the texts of this operation are well-formed: the reference answers were made from them as `str`.
            let text = unsafe { str::from_utf8_unchecked(s) };
            let len = mem::convert_str_to_utf16(text, &mut out);
            out.truncate(len);
            out
        }),
        Op::Lossy(_) | Op::Damaged(..) => owned!(move |s| UTF_8.decode_without_bom_handling(s).0),
        Op::DecodeBytes(page) => {
            let encoding = encoding(page)?;
            owned!(move |s| encoding.decode_without_bom_handling_and_without_replacement(s).expect("text"))
        }
        Op::EncodeBytes(page) => {
            let encoding = encoding(page).filter(|&encoding| encoding != UTF_16LE)?;
            // SAFETY: the texts of this operation are well-formed: they were made from `str`.
            owned!(move |s| encoding.encode(unsafe { str::from_utf8_unchecked(s) }).0)
        }
        // encoding_rs cannot encode to ASCII, but windows-1252 lacks the letters of these texts
        // too.
        // SAFETY: the texts of this operation are well-formed: they were made from `str`.
        Op::ToAscii(Unmapped::Reference) => {
            owned!(move |s| WINDOWS_1252.encode(unsafe { str::from_utf8_unchecked(s) }).0)
        }
        Op::Read(form, piece, _) => {
            let encoding = match form {
                Utf8 => UTF_8,
                Utf16Le => UTF_16LE,
                Latin1 => WINDOWS_1252,
                _ => return None,
            };
            convert(move |s, d| {
                let mut reader = DecodeReaderBytesBuilder::new()
                    .encoding(Some(encoding))
                    .bom_override(false)
                    .build_with_buffer(s, vec![0; 8 * 1024])
                    .expect("a buffer that is long enough");
                read_pieces(d, piece, |piece| reader.read(piece).expect("a slice can be read"))
            })
        }
        Op::Write(form, piece) => {
            let encoding = if form == Utf16Le { UTF_16LE } else { WINDOWS_1252 };
            convert(move |s, d| {
                let mut decoder = encoding.new_decoder_without_bom_handling();
                let (mut at, mut pieces) = (0, s.chunks(piece).peekable());
                while let Some(piece) = pieces.next() {
                    let (_, _, written, _) =
                        decoder.decode_to_utf8(piece, &mut d[at..], pieces.peek().is_none());
                    at += written;
                }
                at
            })
        }
        Op::FromPage(page) => decoder(encoding(page)?),
        Op::ToPage(page) => encoder(encoding(page)?),
        Op::Between(from, to) => {
            let (from, to) = (encoding(from)?, encoding(to)?);
            convert(move |s, d| {
                let text = from.decode_without_bom_handling_and_without_replacement(s).expect("text");
                to.new_encoder().encode_from_utf8_without_replacement(&text, d, true).2
            })
        }
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

/// Returns `true` if the bytes are the character for this library too, in both directions.
pub fn agrees(c: &str, bytes: &[u8], page: Page) -> bool {
    let Some(encoding) = encoding(page).filter(|&encoding| encoding != UTF_16LE) else { return true };
    encoding.decode_without_bom_handling(bytes).0 == c && *encoding.encode(c).0 == *bytes
}

fn encoding(page: Page) -> Option<&'static Encoding> {
    Some(match page {
        Page::Windows1251 => WINDOWS_1251,
        Page::Windows1252 => WINDOWS_1252,
        Page::Koi8R => KOI8_R,
        // The two encodings agree on Thai letters, and the text uses no others.
        Page::Cp874 => WINDOWS_874,
        Page::ShiftJis => SHIFT_JIS,
        Page::EucJp => EUC_JP,
        Page::Gbk => GBK,
        Page::Gb18030 => GB18030,
        Page::Big5 => BIG5,
        Page::EucKr => EUC_KR,
        Page::Utf16Le | Page::Utf16 => UTF_16LE,
        Page::Ibm037 => return None,
    })
}
