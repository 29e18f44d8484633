//! Guesses from the first bytes of a file: text, text in UTF-16 or UTF-32, or binary.

use super::units::Units;
use crate::families::UTF_32_AND_16_ORDERS;
use placemat::Encoding;
use placemat::detect::binary_format;

/// The likely kind of a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Looks {
    /// The first bytes have no NUL: the file is text.
    Text,
    /// Text in UTF-16 or UTF-32, by its signature or by the places of its NULs.
    Wide { encoding: Encoding, signed: bool },
    /// Text except for NULs; the offset of the first one.
    WithNul(usize),
    /// Binary data.
    Binary(Binary),
}

/// The reason why a file is binary, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Binary {
    /// The name of the known format.
    pub(crate) format: Option<&'static str>,
    /// The offset of the first NUL, which a known format need not have.
    pub(crate) nul: Option<usize>,
}

impl Binary {
    /// Returns the reason that the first bytes of a binary file show.
    pub(crate) fn of(head: &[u8]) -> Self {
        Self { format: format(head), nul: memchr::memchr(0, head) }
    }

    /// Returns the reason for a file in no known format, at the offset of its first NUL.
    pub(super) const fn with_nul(at: usize) -> Self {
        Self { format: None, nul: Some(at) }
    }
}

/// One in this number of code points may be unusual in text.
const RARE: usize = 20;
/// Fewer code units than that prove nothing.
const FEWEST: usize = 8;

impl Looks {
    /// Guesses from the first bytes of a file, which may be cut anywhere.
    pub(crate) fn of(head: &[u8]) -> Self {
        if is_format(head) {
            return Self::Binary(Binary::of(head));
        }
        for encoding in UTF_32_AND_16_ORDERS {
            if let Some(text) = head.strip_prefix(encoding.signature())
                && is_text(&Units::of(encoding, text, is_odd))
            {
                return Self::Wide { encoding, signed: true };
            }
        }
        let Some(nul) = memchr::memchr(0, head) else { return Self::Text };
        for encoding in UTF_32_AND_16_ORDERS {
            let units = Units::of(encoding, head, is_odd);
            if nuls_are_in_place(&units) && is_text(&units) {
                return Self::Wide { encoding, signed: false };
            }
        }
        if is_text_but_for_nuls(head) { Self::WithNul(nul) } else { Self::Binary(Binary::with_nul(nul)) }
    }

    /// Returns the signature, if there is one.
    pub(super) fn signature(self) -> &'static [u8] {
        match self {
            Self::Wide { encoding, signed: true } => encoding.signature(),
            _ => &[],
        }
    }
}

/// Returns `true` if the bytes are the start of a known binary format.
pub(crate) fn is_format(head: &[u8]) -> bool {
    format(head).is_some()
}

/// Returns the name of the binary format that begins with these bytes. Some formats begin with plain letters, with which a
/// program can begin, too: then the first bytes must show that they are no text.
fn format(head: &[u8]) -> Option<&'static str> {
    const LETTERS: usize = 4;
    const HEADER: usize = 512;
    // No program begins so.
    let is_document = head.starts_with(b"%PDF-");
    let is_letters =
        || head.iter().take(LETTERS).all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n'));
    let is_no_text = || {
        let header = &head[..head.len().min(HEADER)];
        header.contains(&0) || core::str::from_utf8(header).is_err_and(|e| e.error_len().is_some())
    };
    binary_format(head).filter(|_| is_document || !is_letters() || is_no_text())
}

/// Returns `true` if the code point is rare in plain text.
fn is_odd(c: char) -> bool {
    let is_noncharacter = matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    is_noncharacter
        || matches!(c, '\0'..='\x06' | '\x0E'..='\x1A' | '\x1C'..='\x1F' | '\x7F'..='\u{9F}' | '\u{E000}'..='\u{F8FF}')
}

/// Returns `true` if nearly all units are usual in text, and none is NUL.
fn is_text(units: &Units) -> bool {
    !units.has_nul && units.odd * RARE <= units.count
}

/// Returns `true` if the NULs stand where text of this encoding, most of it ASCII or Latin-1, has them, and hardly ever
/// elsewhere: a code unit such as U+0100 or DE00 has one in its other half.
fn nuls_are_in_place(units: &Units) -> bool {
    units.count >= FEWEST && units.swapped * RARE <= units.count && units.narrow * 10 >= units.count * 9
}

/// Returns `true` if the bytes between the NULs are nearly all UTF-8 text.
fn is_text_but_for_nuls(head: &[u8]) -> bool {
    let (mut bytes, mut odd) = (0, 0);
    for chunk in head.utf8_chunks() {
        let text = chunk.valid();
        bytes += text.bytes().filter(|&byte| byte != 0).count() + chunk.invalid().len();
        odd += text.chars().filter(|&c| c != '\0' && is_odd(c)).count() + chunk.invalid().len();
    }
    bytes * 8 >= head.len() && odd * RARE <= bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Some text,\r\nwith an é and a 漢字 or two and a 😀 in it.\n";

    fn utf16le(text: &str) -> Vec<u8> {
        text.encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn texts() {
        let be: Vec<u8> = TEXT.encode_utf16().flat_map(u16::to_be_bytes).collect();
        let wide = |encoding, signed| Looks::Wide { encoding, signed };
        let fours: Vec<u8> = TEXT.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        for (bytes, want) in [
            (TEXT.as_bytes().to_vec(), Looks::Text),
            (Vec::new(), Looks::Text),
            ([b"\xFF\xFE", &*utf16le(TEXT)].concat(), wide(Encoding::UTF_16LE, true)),
            (utf16le(TEXT), wide(Encoding::UTF_16LE, false)),
            (be.clone(), wide(Encoding::UTF_16BE, false)),
            ([b"\xFE\xFF", &*be].concat(), wide(Encoding::UTF_16BE, true)),
            (fours.clone(), wide(Encoding::UTF_32LE, false)),
            ([b"\xFF\xFE\0\0", &*fours].concat(), wide(Encoding::UTF_32LE, true)),
            (utf16le("\u{FEFF}漢字漢字"), wide(Encoding::UTF_16LE, true)),
            (b"\xFF\xFE".to_vec(), wide(Encoding::UTF_16LE, true)),
            (b"/* a comment \0 */ int main() {}\n".to_vec(), Looks::WithNul(13)),
            ("/* é\0\0\0\0\0\0 */".into(), Looks::WithNul(5)),
        ] {
            // For every cut.
            for cut in 0..bytes.len().min(4) {
                let head = &bytes[..bytes.len() - cut];
                if head.len() > 2 || cut == 0 {
                    assert_eq!(Looks::of(head), want, "{}", head.escape_ascii());
                }
            }
        }
    }

    #[test]
    fn formats_and_texts_that_begin_like_them() {
        let mo = [
            &b"\xDE\x12\x04\x95\0\0\0\0\x01\0\0\0\x1C\0\0\0"[..],
            &b"Project-Id-Version: x\nText\n".repeat(9),
        ]
        .concat();
        let words = "many words, as a catalog has them. ".repeat(200);
        for format in [
            &mo[..],
            &[b"\xA7\r\r\n\0\0\0\0\x10\x20\x30\x40", words.as_bytes()].concat(),
            &[b"\x33\x0D\r\n\x10\x20\x30\x40\x01\x02\0\0", words.as_bytes()].concat(),
            &[b"\x03\xF3\r\n\x10\x20\x30\x40c\0\0\0\0", words.as_bytes()].concat(),
            b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<<\n/Type /Catalog >>\nstream\n\x02\x9C\x01\n",
            b"\xFF\xD8\xFF\xE1 JPEG \x01\x02",
            b"GIF89a\x01\x01\x80\x90\xFF",
            b"\x1F\x8B\x08\x08\x12\x34\x56\x78",
            b"RIFF\x24\x08\0\0WAVEfmt ",
            b"wOF2\0\x01\0\0",
            b"!<arch>\ndebian-binary   1342943816  0     0     100644  4         `\n2.0\n\xFF\x01",
            &[b"dir/file.txt", &[0; 245][..], b"ustar\x0000root", &[0; 243], words.as_bytes()].concat(),
        ] {
            assert!(matches!(Looks::of(format), Looks::Binary(_)), "{}", format.escape_ascii());
        }
        for text in [
            "RIFF = 1  # \u{1}\n",
            "FORM=0\u{2}\u{202E}\n",
            "PAR1 and PAR2\n",
            "LZIP\u{7}\n",
            "070701 is a number\u{3}\n",
            "GIF89a\u{1}; a comment\n",
            "BZh91AY\u{4} the bytes of bzip2\n",
            "MZ are the initials of Mark Zbikowski\n",
            "%PDF- is how they begin\n",
            "!<arch>\nis how archives begin\n",
        ] {
            assert_eq!(Looks::of(text.as_bytes()), Looks::Text, "{text:?}");
        }
    }

    #[test]
    fn no_texts() {
        let numbers: Vec<u8> = (0..2000_u16).flat_map(u16::to_le_bytes).collect();
        let samples: Vec<u8> = (0..2000_i16).flat_map(|i| (i.wrapping_mul(77) % 90).to_le_bytes()).collect();
        let noise: Vec<u8> = (0..8192_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for bytes in [
            &b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0"[..],
            b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\x5C\x72\xA8\x66",
            b"\0",
            &[0; 8192],
            &numbers,
            &samples,
            &noise,
            &[b"\xFF\xFE", &*numbers].concat(),
            &[b"\xFF\xFE", &*noise].concat(),
            b"a\0b\0",
        ] {
            let looks = Looks::of(bytes);
            assert!(
                matches!(looks, Looks::Binary(_) | Looks::WithNul(_))
                    && (bytes == b"a\0b\0" || matches!(looks, Looks::Binary(_))),
                "{looks:?} {}",
                bytes[..bytes.len().min(40)].escape_ascii()
            );
        }
    }
}
