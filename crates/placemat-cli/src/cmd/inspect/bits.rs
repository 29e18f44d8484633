//! The marker bits of a byte, and the bits that carry the code point.

use crate::ebcdic::is_same_page;
use crate::families::UTF_16_ORDERS;
use crate::palette::Palette;
use anstyle::Style;
use core::fmt::Write as _;
use placemat::{CodePoint, Encoding};

/// The role of a byte in its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The only byte, or part of the only unit.
    Single,
    /// The first of several; in UTF-16 a leading surrogate.
    Lead,
    /// One that follows; in UTF-16 a trailing surrogate.
    Continuation,
}

/// Returns the number of marker bits from the top, and the role that they mark.
pub(super) fn marker(encoding: Encoding, byte: u8, index: usize) -> (u32, Role) {
    let surrogate = |high: bool| match byte {
        0xD8..=0xDB if high => (6, Role::Lead),
        0xDC..=0xDF if high => (6, Role::Continuation),
        _ => (0, Role::Single),
    };
    let of_lead = (byte.leading_ones() + 1, Role::Lead);
    if encoding.facts().utf8_markers {
        return match byte {
            0x00..=0x7F => (1, Role::Single),
            0x80..=0xBF => (2, Role::Continuation),
            0xC0..=0xFD => of_lead,
            0xFE..=0xFF => (8, Role::Lead),
        };
    }
    match encoding {
        // Only its place tells a byte that follows from one that leads.
        _ if encoding == Encoding::FSS_UTF_1992 => match byte {
            0x00..=0x7F => (1, Role::Single),
            _ if index > 0 => (1, Role::Continuation),
            0x80..=0xF7 => of_lead,
            0xF8..=0xFF => (8, Role::Lead),
        },
        _ if encoding == Encoding::I8 => match byte {
            0x00..=0x7F => (1, Role::Single),
            0x80..=0x9F => (3, Role::Single),
            0xA0..=0xBF => (3, Role::Continuation),
            0xC0..=0xFD => of_lead,
            0xFE..=0xFF => (8, Role::Lead),
        },
        // Their bytes are numbers of other bases, and places in a table.
        _ if encoding == Encoding::UTF_1 && byte >= 0xA0 && index == 0 => (0, Role::Lead),
        _ if index > 0 && (encoding == Encoding::UTF_1 || is_same_page(encoding, Encoding::UTF_EBCDIC)) => {
            (0, Role::Continuation)
        }
        _ if encoding == Encoding::UTF_16LE => surrogate(!index.is_multiple_of(2)),
        _ if encoding == Encoding::UTF_16BE => surrogate(index.is_multiple_of(2)),
        _ if encoding == Encoding::US_ASCII => (1, Role::Single),
        _ => (0, Role::Single),
    }
}

/// Returns the width of a byte in bits, with the dot after its marker if the encoding has markers.
pub(super) fn cell_width(encoding: Encoding) -> usize {
    let marked = [0x00, 0xD8].iter().any(|&byte| (0..2).any(|index| marker(encoding, byte, index).0 > 0));
    if marked { 9 } else { 8 }
}

/// Returns the style of a role, or the style of errors.
fn style(palette: &Palette, role: Role, ill_formed: bool) -> Style {
    match role {
        _ if ill_formed => palette.error,
        Role::Single => Style::new(),
        Role::Lead => palette.warning,
        Role::Continuation => palette.place,
    }
}

/// Whether a unit of these bytes is a surrogate, so that its low byte has a role too.
fn role_of_unit(encoding: Encoding, bytes: &[u8], index: usize) -> Role {
    let (_, role) = marker(encoding, bytes[index], index);
    if !UTF_16_ORDERS.contains(&encoding) {
        return role;
    }
    let other = index ^ 1;
    let high = if encoding == Encoding::UTF_16LE { index | 1 } else { index & !1 };
    let at = if high == other { other } else { index };
    bytes.get(at).map_or(role, |&byte| marker(encoding, byte, at).1)
}

/// The bytes of one code point, or of one ill-formed sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) encoding: Encoding,
    pub(super) ill_formed: bool,
}

/// The base in which bytes and code points are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    Two,
    Eight,
    Sixteen,
}

impl Base {
    /// Formats a byte in this base.
    fn byte(self, byte: u8) -> String {
        match self {
            Self::Eight => format!("{byte:03o}"),
            Self::Two | Self::Sixteen => format!("{byte:02x}"),
        }
    }

    /// Formats a code point in this base.
    pub(super) fn code_point(self, c: CodePoint) -> String {
        match self {
            Self::Eight => format!("0o{:o}", c.value()),
            Self::Two | Self::Sixteen => c.to_string(),
        }
    }
}

/// Appends bytes as numbers, each but the last in a cell of this width. Returns the width.
pub(super) fn push_numbers(
    to: &mut String,
    these: Bytes<'_>,
    cell: usize,
    base: Base,
    palette: &Palette,
) -> usize {
    let Bytes { bytes, encoding, ill_formed } = these;
    let mut columns = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        let style = style(palette, role_of_unit(encoding, bytes, index), ill_formed);
        let number = base.byte(byte);
        let padding = if index > 0 { cell + 1 - number.len() } else { 0 };
        _ = write!(to, "{:padding$}{style}{number}{style:#}", "");
        columns += padding + number.len();
    }
    columns
}

/// Appends a code point as one binary number whose digits stand in groups, each in the color of the byte that carries it. Appends
/// nothing where the bytes carry something else than its digits. Returns the width.
pub(super) fn push_value(to: &mut String, these: Bytes<'_>, c: CodePoint, palette: &Palette) -> usize {
    let digits: String = payload(these).map(|(digits, _)| digits).collect();
    if cell_width(these.encoding) == 8 || u32::from_str_radix(&digits, 2) != Ok(c.value()) {
        return 0;
    }
    push_payload(to, these, palette)
}

/// Appends the bits that are not markers, in groups of a byte each. Returns the width.
pub(super) fn push_payload(to: &mut String, these: Bytes<'_>, palette: &Palette) -> usize {
    let mut columns = 0;
    for (digits, role) in payload(these).filter(|(digits, _)| !digits.is_empty()) {
        let (gap, style) = (if columns > 0 { " " } else { "" }, style(palette, role, false));
        _ = write!(to, "{gap}{style}{digits}{style:#}");
        columns += gap.len() + digits.len();
    }
    columns
}

/// Returns the bits of each byte that are not markers.
fn payload(these: Bytes<'_>) -> impl Iterator<Item = (String, Role)> {
    these.bytes.iter().enumerate().map(move |(index, &byte)| {
        let (marked, role) = marker(these.encoding, byte, index);
        (format!("{byte:08b}")[marked as usize..].to_owned(), role)
    })
}

/// Appends bytes in bits, with a dot after each marker. Returns the width.
pub(super) fn push_bits(to: &mut String, these: Bytes<'_>, palette: &Palette) -> usize {
    let Bytes { bytes, encoding, ill_formed } = these;
    let cell = cell_width(encoding);
    let mut columns = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        let (marked, role) = marker(encoding, byte, index);
        let marked = marked as usize;
        let style = style(palette, role, ill_formed);
        let digits = format!("{byte:08b}");
        let payload = if ill_formed { palette.error } else { Style::new() };
        let dot = if marked > 0 && marked < 8 { "." } else { "" };
        _ = write!(to, "{style}{}{style:#}", &digits[..marked]);
        _ = write!(to, "{payload}{dot}{}{payload:#}", &digits[marked..]);
        let gap = if index + 1 < bytes.len() { 1 + cell - 8 - dot.len() } else { 0 };
        _ = write!(to, "{:gap$}", "");
        columns += 8 + dot.len() + gap;
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(encoding: Encoding, bytes: &[u8]) -> String {
        let mut to = String::new();
        push_bits(&mut to, Bytes { bytes, encoding, ill_formed: false }, &Palette::default());
        to
    }

    #[test]
    fn markers_are_set_off() {
        assert_eq!(bits(Encoding::UTF_8, b"A"), "0.1000001");
        assert_eq!(bits(Encoding::UTF_8, "é".as_bytes()), "110.00011 10.101001");
        assert_eq!(bits(Encoding::UTF_8, b"\xFF\xFE"), "11111111  11111110");
        assert_eq!(bits(Encoding::UTF_16LE, b"\x3D\xD8\x00\xDE"), "00111101  110110.00 00000000  110111.10");
        assert_eq!(bits(Encoding::UTF_16BE, b"\0A"), "00000000  01000001");
        assert_eq!(bits(Encoding::ISO_8859_1, b"\xE9"), "11101001");
        // The rows of the tables in which these forms are defined.
        assert_eq!(bits(Encoding::CESU_8, b"\xED\xA0\x81"), "1110.1101 10.100000 10.000001");
        assert_eq!(
            bits(Encoding::UTF_8_31_BIT, b"\xFC\x84\x80\x80\x80\x80"),
            "1111110.0 10.000100 10.000000 10.000000 10.000000 10.000000"
        );
        assert_eq!(bits(Encoding::FSS_UTF_1992, b"\xC0\x80\xFF"), "110.00000 1.0000000 1.1111111");
        assert_eq!(bits(Encoding::I8, b"\x85"), "100.00101");
        assert_eq!(bits(Encoding::I8, b"\xE1\xA0\xBF"), "1110.0001 101.00000 101.11111");
        assert_eq!(bits(Encoding::UTF_1, b"\xA0\xE9"), "10100000 11101001");
    }

    /// The digits of a code point are those that its bytes carry, in every form that has markers.
    #[test]
    fn bytes_carry_the_digits_of_a_code_point() {
        let value = |encoding: Encoding, c: char| {
            let text = String::from(c);
            let bytes = encoding.encode(&text, placemat::UnmappablePolicy::Stop).expect("a scalar value");
            let mut to = String::new();
            let these = Bytes { bytes: &bytes, encoding, ill_formed: false };
            let width = push_value(&mut to, these, CodePoint::from(c), &Palette::default());
            assert_eq!(width, to.len());
            to
        };
        assert_eq!(value(Encoding::UTF_8, '€'), "0010 000010 101100");
        assert_eq!(value(Encoding::WTF_8, '𐍈'), "000 010000 001101 001000");
        assert_eq!(value(Encoding::I8, '€'), "1000 00101 01100");
        for encoding in [Encoding::UTF_8, Encoding::UTF_8_31_BIT, Encoding::WTF_8, Encoding::I8] {
            for c in ['\0', 'z', '\u{80}', '\u{7FF}', '\u{800}', '\u{FFFD}', '\u{10000}', '\u{10FFFF}'] {
                let digits = value(encoding, c).replace(' ', "");
                if encoding == Encoding::I8 && c == '\u{80}' {
                    // The marker of a C1 control is a part of its number.
                    assert_eq!(digits, "");
                    continue;
                }
                assert_eq!(u32::from_str_radix(&digits, 2), Ok(c.into()), "{encoding} {c:?}");
            }
        }
        // A bias is added, two surrogates are joined, and no bits are marked.
        assert_eq!(value(Encoding::FSS_UTF_1992, '€'), "");
        assert_eq!(value(Encoding::CESU_8, '𐍈'), "");
        assert_eq!(value(Encoding::UTF_1, '€'), "");
    }
}
