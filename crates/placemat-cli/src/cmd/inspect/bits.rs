//! The marker bits of a byte, and the bits that carry the code point.

use crate::palette::Palette;
use anstyle::Style;
use core::fmt::Write as _;
use placemat::Encoding;

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

/// The number of marker bits from the top, and the role that they mark.
pub(super) fn marker(encoding: Encoding, byte: u8, index: usize) -> (u32, Role) {
    let surrogate = |high: bool| match byte {
        0xD8..=0xDB if high => (6, Role::Lead),
        0xDC..=0xDF if high => (6, Role::Continuation),
        _ => (0, Role::Single),
    };
    match encoding {
        Encoding::UTF_8 | Encoding::UTF_8_BOM => match byte {
            0x00..=0x7F => (1, Role::Single),
            0x80..=0xBF => (2, Role::Continuation),
            0xC0..=0xFD => (byte.leading_ones() + 1, Role::Lead),
            0xFE..=0xFF => (8, Role::Lead),
        },
        Encoding::UTF_16LE => surrogate(!index.is_multiple_of(2)),
        Encoding::UTF_16BE => surrogate(index.is_multiple_of(2)),
        Encoding::US_ASCII => (1, Role::Single),
        _ => (0, Role::Single),
    }
}

/// The width of a byte in bits, with the dot after its marker if the encoding has markers.
pub(super) fn cell_width(encoding: Encoding) -> usize {
    let marked = [0x00, 0xD8].iter().any(|&byte| (0..2).any(|index| marker(encoding, byte, index).0 > 0));
    if marked { 9 } else { 8 }
}

/// The styles of the three roles, or that of errors.
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
    match encoding {
        Encoding::UTF_16LE | Encoding::UTF_16BE => {
            let other = index ^ 1;
            let high = if encoding == Encoding::UTF_16LE { index | 1 } else { index & !1 };
            let at = if high == other { other } else { index };
            bytes.get(at).map_or(role, |&byte| marker(encoding, byte, at).1)
        }
        _ => role,
    }
}

/// The bytes of one code point, or of one ill-formed sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) encoding: Encoding,
    pub(super) ill_formed: bool,
}

/// Appends bytes in hex, each but the last in a cell of this width. Returns the width.
pub(super) fn push_hex(to: &mut String, these: Bytes<'_>, cell: usize, palette: &Palette) -> usize {
    let Bytes { bytes, encoding, ill_formed } = these;
    for (index, byte) in bytes.iter().enumerate() {
        let style = style(palette, role_of_unit(encoding, bytes, index), ill_formed);
        let padding = if index > 0 { cell - 1 } else { 0 };
        _ = write!(to, "{:padding$}{style}{byte:02x}{style:#}", "");
    }
    bytes.len().saturating_sub(1) * (cell + 1) + 2
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
    }
}
