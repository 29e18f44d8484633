//! Tables of the encodings whose codes are one or two bytes, EUC-JP's of three apart.

use super::bytes;
use super::codes::Read;
use super::encodings::MultiByte;
use crate::grid::Cell;
use crate::two_bytes::{Codes, NONE, Tables, text};
use alloc::vec::Vec;
use placemat_core::forms::form::CharsetFunctions;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::once::Once;
use placemat_core::kernels::Moved;

/// The number of encodings, of which not all have tables.
const COUNT: usize = MultiByte::ALL.len();

/// The functions of the family, which the engine calls.
pub(super) const FUNCTIONS: CharsetFunctions = CharsetFunctions {
    family: "multi-byte",
    is_stateless: true,
    prefix: |_, _| 0,
    to_utf8: |member, src, dst| to_utf8(MultiByte::of(member), src, dst),
    from_utf8: |member, src, dst| from_utf8(MultiByte::of(member), src, dst),
    to_units: |member, src, units| to_units(MultiByte::of(member), src, units),
    from_units: |member, units, dst| from_units(MultiByte::of(member), units, dst),
    single: None,
};

/// Decodes the well-formed prefix to UTF-8. Converts nothing if the text is too short to make the tables for.
fn to_utf8(encoding: MultiByte, src: &[u8], dst: &mut [u8]) -> Moved {
    Tables::for_text(encoding, src.len()).map_or(Moved::default(), |tables| tables.to_utf8(src, dst))
}

/// Encodes the prefix of UTF-8 that the encoding can represent. Converts nothing if the text is too short to make the tables
/// for.
fn from_utf8(encoding: MultiByte, src: &[u8], dst: &mut [u8]) -> Moved {
    Tables::for_text(encoding, src.len()).map_or(Moved::default(), |tables| tables.encode_utf8(src, dst))
}

/// Decodes to UTF-16LE, up to the first code that is not in the tables. Returns the number of bytes read, and of code units
/// written.
fn to_units(encoding: MultiByte, src: &[u8], units: &mut [[u8; 2]]) -> (usize, usize) {
    Tables::for_text(encoding, src.len()).map_or((0, 0), |tables| tables.to_units(src, units))
}

/// Encodes UTF-16LE, up to the first character that the encoding cannot represent or that does not fit. Returns the number of
/// code units read, and of bytes written.
fn from_units(encoding: MultiByte, units: &[[u8; 2]], dst: &mut [u8]) -> (usize, usize) {
    Tables::for_text(encoding, units.len()).map_or((0, 0), |tables| tables.encode_units(units, dst))
}

impl MultiByte {
    /// Returns the scalar value of `bytes`, if they are exactly one code.
    fn scalar(self, bytes: &[u8]) -> Option<u32> {
        match bytes::read(self, bytes) {
            Read::Cell { cell: Cell::One(c), len } if len == bytes.len() => c.to_char().map(u32::from),
            _ => None,
        }
    }
}

impl Codes for MultiByte {
    #[inline(always)]
    fn place(self) -> &'static Once<Tables<Self>> {
        static ALL: [Once<Tables<MultiByte>>; COUNT] = [const { Once::new() }; COUNT];
        &ALL[self as usize]
    }

    fn make(self) -> Tables<Self> {
        let text_of = |bytes: &[u8]| self.scalar(bytes).map_or(0, text);
        Tables::reading(self, |byte| text_of(&[byte]), |two| text_of(&two))
    }

    fn written(self, tables: &Tables<Self>) -> Vec<(u32, u16)> {
        let code = |c: u32| match *bytes::of(self, CodePoint::within_31_bits(c))?.as_slice() {
            [byte] => Some((c, u16::from(byte))),
            [lead, trail] => Some((c, u16::from_be_bytes([lead, trail]))),
            _ => None,
        };
        // The encoder writes nothing that the decoder does not read. What stands below 80 need not be ASCII.
        let low = (0..0x80).map(|byte| code(byte).unwrap_or((byte, NONE)));
        let low_bytes = (0..0x80_u8).filter_map(|byte| code(self.scalar(&[byte])?));
        let others = tables.singles().chain(tables.pairs(|_| true)).filter_map(|(c, _)| code(c));
        low.chain(low_bytes).chain(others).collect()
    }

    /// EUC-JP has JIS X 0212 in three bytes.
    #[inline(always)]
    fn is_longer(self, [lead, _]: [u8; 2]) -> bool {
        self == Self::EucJpStrict && lead == 0x8F
    }

    fn read_longer(self, [a, b, c, _]: [u8; 4]) -> Option<(u32, usize)> {
        Some((self.scalar(&[a, b, c])?, 3))
    }

    fn write_other(self, c: u32) -> Option<([u8; 4], usize)> {
        if self != Self::EucJpStrict {
            return None;
        }
        let bytes = bytes::of(self, CodePoint::within_31_bits(c))?;
        let bytes = bytes.as_slice();
        let mut all = [0; 4];
        all[..bytes.len()].copy_from_slice(bytes);
        Some((all, bytes.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables agree with the steps on all single bytes, pairs of bytes and code points, and on three bytes of EUC-JP.
    #[test]
    fn tables_say_what_the_steps_say() {
        for &encoding in MultiByte::ALL.iter().filter(|encoding| encoding.has_tables()) {
            let tables = Tables::of(encoding);
            let mut held = 0;
            let singles = (0..=0xFF_u8).map(|byte| Vec::from([byte]));
            let pairs = (0x8000..=u16::MAX).map(|two| Vec::from(two.to_be_bytes()));
            let threes = (0..=u16::MAX).map(|two| [&[0x8F][..], &two.to_be_bytes()].concat());
            for bytes in singles.chain(pairs).chain(threes) {
                let expected = encoding.scalar(&bytes);
                let found = tables.first_scalar(&bytes).filter(|&(_, len)| len == bytes.len());
                assert_eq!(found.map(|(c, _)| c), expected, "{encoding:?} {bytes:X?}");
                held += usize::from(expected.is_some());
            }
            assert!(held > 6000, "{encoding:?}");
            for c in 0..=0x10_FFFF_u32 {
                let expected = bytes::of(encoding, CodePoint::within_31_bits(c));
                let found = tables.write_any(c).map(|(bytes, len)| bytes[..len].to_vec());
                assert_eq!(found, expected.map(|bytes| bytes.as_slice().to_vec()), "{encoding:?} {c:X}");
            }
        }
    }
}
