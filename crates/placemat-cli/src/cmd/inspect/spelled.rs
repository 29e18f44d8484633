//! How bytes lead to a code point in the encodings whose bytes do not contain its bits in a row: sums, digits of base 190, surrogates, and
//! places in a table.

use super::bits::{Bytes, push_bits, push_payload};
use crate::ebcdic::is_same_page;
use crate::palette::Palette;
use core::fmt::Write as _;
use placemat::{CodePoint, Encoding, UnmappablePolicy};

/// Appends how bytes become a code point, where the bits under the bytes do not show it. Returns
/// the width of the text.
pub(super) fn push_spelled(to: &mut String, these: Bytes<'_>, c: CodePoint, palette: &Palette) -> usize {
    let Bytes { bytes, encoding, .. } = these;
    if is_same_page(encoding, Encoding::UTF_EBCDIC) {
        return push_i8(to, c, palette);
    }
    match bytes.len() {
        2.. if encoding == Encoding::FSS_UTF_1992 => {
            let start = format!("{} + ", first_of_length(bytes.len()));
            to.push_str(&start);
            start.len() + push_payload(to, these, palette)
        }
        2.. if encoding == Encoding::UTF_1 && bytes[0] != 0xA0 => push_text(to, &sum_of_digits(bytes)),
        6 if encoding.facts().utf8_markers && c.to_char().is_some() => {
            let mut units = [0; 2];
            let pair = c.to_char().map(|c| c.encode_utf16(&mut units));
            let Some([high, low]) = pair.as_deref() else { return 0 };
            push_text(to, &format!("surrogates {high:04X} {low:04X}"))
        }
        _ => 0,
    }
}

fn push_text(to: &mut String, text: &str) -> usize {
    to.push_str(text);
    // A superscript takes one column, like any other character here.
    text.chars().count()
}

/// UTF-EBCDIC permutes the bytes of I8, whose bits have markers.
fn push_i8(to: &mut String, c: CodePoint, palette: &Palette) -> usize {
    let Some(text) = c.to_char().map(String::from) else { return 0 };
    let Ok(bytes) = Encoding::I8.encode(&text, UnmappablePolicy::Stop) else { return 0 };
    to.push_str("I8 ");
    3 + push_bits(to, Bytes { bytes: &bytes, encoding: Encoding::I8, ill_formed: false }, palette)
}

/// Returns the first code point of a length in the proposal of 1992, whose lengths leave no gap: each begins where the one before
/// it ends.
fn first_of_length(len: usize) -> CodePoint {
    let shorter = (1..len).map(|len| if len == 1 { 0x80 } else { 1_u32 << (6 * len + 1) });
    CodePoint::new(shorter.sum()).unwrap_or_default()
}

/// Returns the digits after the lead byte, of base 190.
fn sum_of_digits(bytes: &[u8]) -> String {
    let (base, first) = match bytes {
        [_, _] => (0x100, 0xA1),
        [_, _, _] => (0x4016, 0xF6),
        _ => (0x3_8E2E, 0xFC),
    };
    let mut text = CodePoint::new(base).unwrap_or_default().to_string();
    for (place, &byte) in bytes.iter().enumerate() {
        let digit = match byte {
            _ if place == 0 => byte - first,
            0x21..=0x7E => byte - 0x21,
            _ => byte - 0x42,
        };
        let power = ["", "×190", "×190²", "×190³", "×190⁴"][bytes.len() - 1 - place];
        _ = write!(text, " + {digit}{power}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(encoding: Encoding, c: char) -> String {
        let text = String::from(c);
        let bytes = encoding.encode(&text, UnmappablePolicy::Stop).expect("a scalar value");
        let mut to = String::new();
        let these = Bytes { bytes: &bytes, encoding, ill_formed: false };
        let width = push_spelled(&mut to, these, CodePoint::from(c), &Palette::default());
        assert_eq!(width, to.chars().count());
        to
    }

    /// The sums come to the code point, for the ends of every row of the tables in which the forms are defined.
    #[test]
    fn sums_come_to_the_code_point() {
        for c in [
            '\u{100}',
            '\u{207F}',
            '\u{2080}',
            '\u{4015}',
            '\u{4016}',
            '\u{38E2D}',
            '\u{38E2E}',
            '\u{10FFFF}',
        ] {
            let text = spelled(Encoding::UTF_1, c);
            let value: u32 = text
                .split(" + ")
                .map(|part| match part.split_once("×190") {
                    None if part.starts_with("U+") => u32::from_str_radix(&part[2..], 16).expect("hex"),
                    None => part.parse().expect("a digit"),
                    Some((digit, power)) => {
                        let power =
                            ["", "²", "³", "⁴"].iter().position(|p| *p == power).expect("a power") + 1;
                        digit.parse::<u32>().expect("a digit")
                            * 190_u32.pow(u32::try_from(power).expect("small"))
                    }
                })
                .sum();
            assert_eq!(value, u32::from(c), "{text}");
        }
        for c in ['\u{80}', '\u{207F}', '\u{2080}', '\u{8207F}', '\u{82080}', '\u{10FFFF}'] {
            let text = spelled(Encoding::FSS_UTF_1992, c);
            let (first, bits) = text.split_once(" + ").expect("a sum");
            let first = u32::from_str_radix(&first[2..], 16).expect("hex");
            let bits = u32::from_str_radix(&bits.replace(' ', ""), 2).expect("bits");
            assert_eq!(first + bits, u32::from(c), "{text}");
        }
    }

    #[test]
    fn forms_are_spelled_as_their_standards_draw_them() {
        assert_eq!(spelled(Encoding::UTF_1, '€'), "U+0100 + 42×190 + 128");
        assert_eq!(spelled(Encoding::UTF_1, 'é'), "");
        assert_eq!(spelled(Encoding::UTF_EBCDIC, 'é'), "I8 110.00111 101.01001");
        assert_eq!(spelled(Encoding::FSS_UTF_1992, '€'), "U+2080 + 00000 0000000 0101100");
        assert_eq!(spelled(Encoding::CESU_8, '𐍈'), "surrogates D800 DF48");
        assert_eq!(spelled(Encoding::UTF_8, '€'), "");
    }
}
