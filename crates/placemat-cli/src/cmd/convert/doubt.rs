//! Whether a file is in another encoding than that of `--from`: then converting it would destroy its text.
//!
//! Most encodings accept any bytes: UTF-8 read as ISO-8859-1 becomes `dÃ©jÃ `, ASCII read as UTF-16 becomes
//! Chinese, and nothing is ill-formed. So before a file is changed in place, its bytes are examined for evidence:
//!
//! | evidence | against |
//! | --- | --- |
//! | the signature of UTF-8, UTF-16 or UTF-32 | every encoding that has another one, or none |
//! | well-formed UTF-8 with something in it that is not ASCII | every encoding that reads it as another text |
//! | ASCII, and no NUL | encodings that are not ASCII-compatible: UTF-16, UTF-32, EBCDIC |
//! | NULs as UTF-16 or UTF-32 has them | every encoding but that |
//!
//! A directory holds files of all kinds. There, units of two and four bytes also need evidence for them: the signature, or
//! such NULs; and what begins with a signature by its definition needs that.

use super::signature;
use crate::families::{UTF_32_AND_16_ORDERS, WITH_NUL_BYTES, is_wide, unit_bytes};
use crate::scan::{Units, is_format};
use core::fmt;
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, bom, utf8};
use std::io::{self, ErrorKind, Read};

/// The number of bytes that are examined for NULs, and read at a time.
const SAMPLE: usize = 64 * 1024;
/// The number of bytes that decide whether a file is text: a NUL among them, or a binary format, means that it is not.
const HEAD: usize = 8 * 1024;
/// The number of consecutive units that is not an accident.
const ENOUGH: usize = 4;

/// Why a file is not converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// A NUL occurs near its start, or it begins as a binary format.
    Binary,
    /// The file is UTF-8, and not all ASCII.
    Utf8,
    /// The file is ASCII, which the encoding reads as another text.
    Ascii(Encoding),
    /// The file begins with the signature of this encoding.
    Signed(Encoding),
    /// The file has NULs in the places typical of this encoding.
    Wide(Encoding),
    /// The file shows no evidence of the declared encoding.
    Unsigned(Encoding),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Binary => f.write_str("it is binary (-a converts it)"),
            Self::Utf8 => f.write_str("it is UTF-8 already (--force converts it)"),
            Self::Ascii(from) => write!(f, "it is ASCII, not {from} (--force converts it)"),
            Self::Signed(encoding) => {
                write!(f, "it begins with the signature of {encoding} (--force converts it)")
            }
            Self::Wide(encoding) => {
                write!(f, "it has NULs in the places typical of {encoding} (--force converts it)")
            }
            Self::Unsigned(from) if from == Encoding::UTF_8_BOM => {
                f.write_str("it does not begin with a signature")
            }
            Self::Unsigned(from) => {
                write!(f, "it has neither the signature nor the NULs of {from} (name the file to convert it)")
            }
        }
    }
}

/// The options that decide about the files of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question {
    pub(super) from: Encoding,
    pub(super) to: Encoding,
    /// `--text`: NULs do not make a file binary.
    pub(super) text: bool,
    /// `--force`: files are converted without evidence.
    pub(super) force: bool,
}

impl Question {
    /// Why this file is not to be converted. `named` is true if the user named the file, false if a
    /// walk found it.
    ///
    /// A long file is read only as far as it is well-formed UTF-8, and only at its start if the
    /// rest cannot matter.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(super) fn ask(self, file: &mut impl Read, named: bool) -> io::Result<Option<Doubt>> {
        let wide = is_wide(self.from);
        let takes_binary = named || self.text || wide;
        if self.force && takes_binary {
            return Ok(None);
        }
        let mut sample = Vec::new();
        file.by_ref().take(SAMPLE as u64).read_to_end(&mut sample)?;
        let head = &sample[..sample.len().min(HEAD)];
        let binary = !takes_binary && (head.contains(&0) || is_format(head));
        if self.force {
            return Ok(binary.then_some(Doubt::Binary));
        }
        if let Some(signed) = other_signature(self.from, &sample) {
            return Ok(Some(Doubt::Signed(signed)));
        }
        if binary {
            return Ok(Some(Doubt::Binary));
        }
        if signature::begins_signed(self.from, &sample) {
            return Ok(None);
        }
        let empty = sample.is_empty();
        match nul_pattern(&sample, sample.len() < SAMPLE) {
            Some((found, _)) if signature::reads_unsigned(self.from, found) => return Ok(None),
            Some((found, units)) if units >= ENOUGH && !WITH_NUL_BYTES.contains(&self.from) => {
                return Ok(Some(Doubt::Wide(found)));
            }
            _ => {}
        }
        let reading = Reading::of(self.from);
        if reading != Reading::Utf8 && self.from != self.to {
            match all_utf8(sample, file)? {
                Some(Text { ascii: false, nul }) if !(wide && nul) => return Ok(Some(Doubt::Utf8)),
                Some(Text { ascii: true, nul: false }) if reading == Reading::Other => {
                    return Ok(Some(Doubt::Ascii(self.from)));
                }
                _ => {}
            }
        }
        let signed = wide || self.from == Encoding::UTF_8_BOM;
        Ok((!named && signed && !empty).then_some(Doubt::Unsigned(self.from)))
    }
}

/// The result of reading UTF-8 as `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// The text itself, or nearly.
    Utf8,
    /// Only the ASCII part stays as it is.
    Ascii,
    /// Nothing stays as it is.
    Other,
}

impl Reading {
    fn of(from: Encoding) -> Self {
        let reads = |text: &str| {
            let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
            Transcoder::new(from, Encoding::UTF_8)
                .on_error(d)
                .on_unmappable(u)
                .transcode(text.as_bytes())
                .is_ok_and(|read| read == text.as_bytes())
        };
        // Java-UTF also checks the bytes around the text.
        if from == Encoding::JAVA_UTF || reads("é€") {
            Self::Utf8
        } else if reads("Az 09\n") {
            Self::Ascii
        } else {
            Self::Other
        }
    }
}

/// Returns the encoding of the signature at the start, unless `from` reads that signature.
fn other_signature(from: Encoding, head: &[u8]) -> Option<Encoding> {
    let found = bom::sniff(head)?.encoding?;
    let known = found == Encoding::UTF_8 || UTF_32_AND_16_ORDERS.contains(&found);
    // Only UTF-16 and UTF-32 can be taken for each other: FF FE 00 00.
    (known && !signature::begins_signed(from, head)
        || known && is_wide(from) && !signature::reads_signed(from, found))
    .then_some(found)
}

/// The content of a UTF-8 file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Text {
    ascii: bool,
    nul: bool,
}

/// Returns the content of the file, if it is well-formed UTF-8 and not empty.
fn all_utf8(mut buffer: Vec<u8>, file: &mut impl Read) -> io::Result<Option<Text>> {
    let mut text = Text { ascii: true, nul: false };
    let mut filled = buffer.len();
    if filled == 0 {
        return Ok(None);
    }
    buffer.resize(SAMPLE, 0);
    loop {
        let settled = match utf8::validate(&buffer[..filled]) {
            Ok(_) => filled,
            Err(e) if e.is_incomplete() => e.valid_up_to(),
            Err(_) => return Ok(None),
        };
        text.ascii &= buffer[..settled].is_ascii();
        text.nul |= buffer[..settled].contains(&0);
        buffer.copy_within(settled..filled, 0);
        filled -= settled;
        match file.read(&mut buffer[filled..]) {
            Ok(0) => return Ok((filled == 0).then_some(text)),
            Ok(len) => filled += len,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Returns the encoding of a sample in units of two or four bytes, by the places of its NULs, and the number of units.
/// `whole`: the sample is the whole file.
fn nul_pattern(sample: &[u8], whole: bool) -> Option<(Encoding, usize)> {
    // A narrow unit has a NUL.
    memchr::memchr(0, sample)?;
    let is_cut = |size: usize| whole && !sample.len().is_multiple_of(size);
    let seen = |encoding| {
        let units = Units::of(encoding, sample, |c| !is_text(c));
        let is_text = units.odd == 0 && !(whole && units.open) && !is_cut(unit_bytes(encoding));
        (is_text && units.narrow > 0 && 2 * units.swapped <= units.narrow).then_some((encoding, units.count))
    };
    UTF_32_AND_16_ORDERS.into_iter().find_map(seen)
}

/// Returns `true` if a code point may occur in text: it is not a noncharacter, and not a control other than those that end
/// lines, fields and pages.
fn is_text(c: char) -> bool {
    match c {
        '\t' | '\n' | '\x0B' | '\x0C' | '\r' | '\x1B' | '\u{85}' => true,
        '\u{FDD0}'..='\u{FDEF}' => false,
        c => !c.is_control() && u32::from(c) & 0xFFFE != 0xFFFE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(from: Encoding, bytes: &[u8], named: bool) -> Option<Doubt> {
        let question = Question { from, to: Encoding::UTF_8, text: false, force: false };
        question.ask(&mut &*bytes, named).unwrap()
    }
    fn le(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }
    fn be(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_be_bytes).collect()
    }
    fn le32(text: &str) -> Vec<u8> {
        text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()
    }
    fn be32(text: &str) -> Vec<u8> {
        text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect()
    }

    const TEXTS: [&str; 6] = [
        "a",
        "plain text\r\n",
        "déjà vu — Œuvre\n",
        "Привет, мир. 2024\n",
        "一日の計は朝にあり。\r\n2024年 5月\u{3000}10 円, あいうえお\n",
        "emoji 😀 and 𝒜\n",
    ];

    #[test]
    fn nuls_tell_the_units() {
        for text in TEXTS {
            for (encoding, bytes) in [
                (Encoding::UTF_16LE, le(text)),
                (Encoding::UTF_16BE, be(text)),
                (Encoding::UTF_32LE, le32(text)),
                (Encoding::UTF_32BE, be32(text)),
            ] {
                let found = nul_pattern(&bytes, true).map(|(found, _)| found);
                assert_eq!(found, Some(encoding), "{text:?}");
                assert_eq!(asked(encoding, &bytes, false), None, "{text:?}");
                // A sample that ends within a unit does not match.
                assert_eq!(nul_pattern(&bytes[..bytes.len() - 1], true), None, "{encoding} {text:?}");
                let long = bytes.repeat(SAMPLE / bytes.len() + 1);
                assert_eq!(asked(encoding, &long, false), None, "{encoding} {text:?}");
            }
            assert_eq!(nul_pattern(text.as_bytes(), true), None, "{text:?}");
        }
    }

    #[test]
    fn binaries_are_no_text() {
        let png = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1F\xF3\xFFa";
        let elf = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0\x40\x10\0\0\0\0\0\0";
        let zip = b"PK\x03\x04\x14\0\0\0\x08\0\x21\x58\x56\x58\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0a.txt\0";
        let numbers: Vec<u8> = (0..300_u16).flat_map(u16::to_le_bytes).collect();
        for bytes in [&png[..], elf, zip, &numbers, &[0; 64], b"a\0b\0\0\0", b"\x01\0\x02\0"] {
            for from in [Encoding::UTF_16, Encoding::UTF_16LE, Encoding::UTF_16BE, Encoding::UTF_32] {
                assert_eq!(asked(from, bytes, false), Some(Doubt::Unsigned(from)), "{from}");
            }
            assert_eq!(asked(Encoding::ISO_8859_1, bytes, false), Some(Doubt::Binary));
            assert_eq!(asked(Encoding::ISO_8859_1, bytes, true), None);
        }
    }

    #[test]
    fn byte_orders_are_told_apart() {
        let text = "plain text\n";
        assert_eq!(asked(Encoding::UTF_16, &le(text), false), None);
        // Without a signature it would be read as the other one.
        assert_eq!(asked(Encoding::UTF_16, &be(text), false), Some(Doubt::Wide(Encoding::UTF_16BE)));
        assert_eq!(asked(Encoding::UTF_16LE, &be(text), true), Some(Doubt::Wide(Encoding::UTF_16BE)));
        assert_eq!(asked(Encoding::UTF_16, &be("\u{FEFF}日本"), false), None);
        assert_eq!(asked(Encoding::UCS_2, &le("\u{FEFF}日本"), false), None);
        assert_eq!(asked(Encoding::UTF_16LE, &le("\u{FEFF}日本"), false), None);
        assert_eq!(
            asked(Encoding::UTF_16LE, &be("\u{FEFF}日本"), true),
            Some(Doubt::Signed(Encoding::UTF_16BE))
        );
        assert_eq!(
            asked(Encoding::UTF_16, &le32("\u{FEFF}a"), true),
            Some(Doubt::Signed(Encoding::UTF_32LE))
        );
        assert_eq!(asked(Encoding::UTF_32, &le("\u{FEFF}ab"), true), Some(Doubt::Signed(Encoding::UTF_16LE)));
        // In a directory, a file needs evidence for the encoding.
        assert_eq!(asked(Encoding::UTF_16LE, &le("日本"), false), Some(Doubt::Unsigned(Encoding::UTF_16LE)));
        assert_eq!(asked(Encoding::UTF_16LE, &le("日本"), true), None);
    }

    #[test]
    fn utf8_is_read_by_its_relatives_only() {
        let text = "déjà vu €".as_bytes();
        for &from in Encoding::ALL {
            let doubt = asked(from, text, true);
            let relative = Reading::of(from) == Reading::Utf8;
            assert_eq!(doubt, (!relative).then_some(Doubt::Utf8), "{from}");
            if from.facts().utf8_markers {
                assert!(relative, "{from}");
            }
            // An empty file cannot be converted twice.
            assert_eq!(asked(from, b"", true), None);
            let ascii = asked(from, b"plain text\n", true);
            let other = matches!(Reading::of(from), Reading::Other).then_some(Doubt::Ascii(from));
            assert_eq!(ascii, other, "{from}");
        }
        for from in [Encoding::ISO_8859_1, Encoding::SHIFT_JIS, Encoding::SCSU] {
            assert_eq!(asked(from, text, true), Some(Doubt::Utf8), "{from}");
            assert_eq!(asked(from, b"plain", true), None, "{from}");
        }
        // Bytes far from the start decide too.
        let mut long = "é".repeat(SAMPLE).into_bytes();
        assert_eq!(asked(Encoding::ISO_8859_1, &long, true), Some(Doubt::Utf8));
        long.push(0xC3);
        assert_eq!(asked(Encoding::ISO_8859_1, &long, true), None);
        long.insert(0, b' ');
        assert_eq!(asked(Encoding::ISO_8859_1, &long, true), None);
        long.push(0xA9);
        assert_eq!(asked(Encoding::ISO_8859_1, &long, true), Some(Doubt::Utf8));
        let same =
            Question { from: Encoding::ISO_8859_1, to: Encoding::ISO_8859_1, text: false, force: false };
        assert_eq!(same.ask(&mut &*text, true).unwrap(), None);
    }

    #[test]
    fn signatures_of_others() {
        for from in [Encoding::UTF_8, Encoding::ISO_8859_1, Encoding::US_ASCII, Encoding::SCSU] {
            assert_eq!(asked(from, &le("\u{FEFF}hi"), false), Some(Doubt::Signed(Encoding::UTF_16LE)));
            assert_eq!(asked(from, &be32("\u{FEFF}hi"), true), Some(Doubt::Signed(Encoding::UTF_32BE)));
        }
        let signed = "\u{FEFF}hi".as_bytes();
        for from in [Encoding::ISO_8859_1, Encoding::UTF_16, Encoding::US_ASCII] {
            assert_eq!(asked(from, signed, true), Some(Doubt::Signed(Encoding::UTF_8)));
        }
        for from in [Encoding::UTF_8, Encoding::CESU_8, Encoding::WTF_8, Encoding::UTF_8_BOM] {
            assert_eq!(asked(from, signed, false), None);
        }
        assert_eq!(asked(Encoding::UTF_8_BOM, b"hi", false), Some(Doubt::Unsigned(Encoding::UTF_8_BOM)));
        assert_eq!(asked(Encoding::UTF_8_BOM, b"hi", true), None);
        let forced = Question { from: Encoding::ISO_8859_1, to: Encoding::UTF_8, text: false, force: true };
        assert_eq!(forced.ask(&mut &*signed, false).unwrap(), None);
        assert_eq!(forced.ask(&mut &b"\0a\0b"[..], false).unwrap(), Some(Doubt::Binary));
    }
}
