//! Conversion of one code point at a time, which kernels use where a block does not fit or fails
//! its check.
//!
//! The functions here are plain scalar code straight from the standard, and authoritative: a block
//! loop that meets something suspicious leaves the exact position to them.

use crate::ground::unit::ByteOrder;
use crate::simd::Slot;

/// Whether `byte` is a continuation byte, `80..BF`.
#[inline(always)]
pub(super) const fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// Returns the low six bits of `byte` if it is in `low..=high`, which must be a range of
/// continuation bytes.
#[inline(always)]
fn payload(byte: u8, low: u8, high: u8) -> Option<u32> {
    if low <= byte && byte <= high { Some(u32::from(byte & 0x3F)) } else { None }
}

/// Decodes the code point at the start of `src`. Returns it and the length of its sequence, or
/// `None` if the sequence is ill-formed or incomplete, or `src` is empty. The ranges are those of
/// table 3-7 in chapter 3 of the Unicode Standard.
#[inline(always)]
#[must_use]
pub fn decode_utf8(src: &[u8]) -> Option<(u32, usize)> {
    let (&lead, rest) = src.split_first()?;
    let high = u32::from(lead);
    if lead < 0x80 {
        return Some((high, 1));
    }
    if lead < 0xE0 {
        if lead < 0xC2 {
            return None;
        }
        let last = payload(*rest.first()?, 0x80, 0xBF)?;
        return Some(((high & 0x1F) << 6 | last, 2));
    }
    let (&second, rest) = rest.split_first()?;
    if lead < 0xF0 {
        let (from, to) = match lead {
            0xE0 => (0xA0, 0xBF),
            0xED => (0x80, 0x9F),
            _ => (0x80, 0xBF),
        };
        let middle = payload(second, from, to)?;
        let last = payload(*rest.first()?, 0x80, 0xBF)?;
        return Some(((high & 0x0F) << 12 | middle << 6 | last, 3));
    }
    let (from, to) = match lead {
        0xF0 => (0x90, 0xBF),
        0xF1..=0xF3 => (0x80, 0xBF),
        0xF4 => (0x80, 0x8F),
        _ => return None,
    };
    let middle = payload(second, from, to)?;
    let (&third, rest) = rest.split_first()?;
    let third = payload(third, 0x80, 0xBF)?;
    let last = payload(*rest.first()?, 0x80, 0xBF)?;
    Some(((high & 0x07) << 18 | middle << 12 | third << 6 | last, 4))
}

/// Decodes the code point at the start of `src`. Returns it and its length in elements, or `None`
/// at a lone surrogate, at an incomplete pair or unit, and at the end.
#[inline(always)]
pub(super) fn decode_utf16<O: ByteOrder>(src: &[O::Unit16]) -> Option<(u32, usize)> {
    let high = u32::from(O::get16(src)?);
    if high & 0xF800 != 0xD800 {
        return Some((high, O::PER_16));
    }
    if high >= 0xDC00 {
        return None;
    }
    let low = u32::from(O::get16(src.get(O::PER_16..)?)?);
    if low & 0xFC00 != 0xDC00 {
        return None;
    }
    Some((0x1_0000 + ((high & 0x3FF) << 10) + (low & 0x3FF), 2 * O::PER_16))
}

/// Decodes the scalar value at the start of `src`. Returns `None` at a surrogate, for a value above
/// U+10FFFF, at an incomplete unit, and at the end. A sequence is always one unit of `O::PER_32`
/// elements.
#[inline(always)]
pub(super) fn decode_utf32<O: ByteOrder>(src: &[O::Unit32]) -> Option<u32> {
    O::get32(src).filter(|&value| char::from_u32(value).is_some())
}

/// Writes `value`, which must be a scalar value, as UTF-8 to the start of `dst`. Returns the number
/// of bytes, or `None`, without writing, if there is no room.
#[inline(always)]
pub(super) fn encode_utf8(dst: &mut [Slot], value: u32) -> Option<usize> {
    let (word, len) = utf8_word(value);
    let bytes = word.to_le_bytes();
    Slot::copy(dst.get_mut(..len)?, bytes.get(..len)?);
    Some(len)
}

/// Returns the UTF-8 sequence of `value` as a little-endian word, first byte lowest, and its length
/// in bytes.
#[inline(always)]
pub(super) const fn utf8_word(value: u32) -> (u32, usize) {
    let last = value & 0x3F | 0x80;
    let third = value >> 6 & 0x3F | 0x80;
    let second = value >> 12 & 0x3F | 0x80;
    if value < 0x80 {
        (value, 1)
    } else if value < 0x800 {
        (value >> 6 | 0xC0 | last << 8, 2)
    } else if value < 0x1_0000 {
        (value >> 12 | 0xE0 | third << 8 | last << 16, 3)
    } else {
        (value >> 18 | 0xF0 | second << 8 | third << 16 | last << 24, 4)
    }
}

/// Writes `value`, which must be a scalar value, as UTF-16 to the start of `dst`. Returns the
/// number of elements, or `None`, without writing, if there is no room.
#[inline(always)]
pub(super) fn encode_utf16<O: ByteOrder<Unit16 = u8>>(dst: &mut [Slot], value: u32) -> Option<usize> {
    if let Ok(unit) = u16::try_from(value) {
        return put16::<O>(dst, unit).then_some(O::PER_16);
    }
    let (first, second) = dst.split_at_mut_checked(O::PER_16)?;
    let [high, low] = surrogates(value);
    // The low surrogate first: if it fits, so does the high surrogate.
    (put16::<O>(second, low) && put16::<O>(first, high)).then_some(2 * O::PER_16)
}

/// Writes a 16-bit code unit at the start of `dst`. Writes nothing and returns `false` if there is
/// no room.
#[inline(always)]
pub(crate) fn put16<O: ByteOrder<Unit16 = u8>>(dst: &mut [Slot], unit: u16) -> bool {
    let bytes = O::ORDER.pick(unit.to_le_bytes(), unit.to_be_bytes(), unit.to_ne_bytes());
    dst.first_chunk_mut().map(|slots| Slot::write(slots, bytes)).is_some()
}

/// Writes a 32-bit code unit at the start of `dst`. Writes nothing and returns `false` if there is
/// no room.
#[inline(always)]
pub(super) fn put32<O: ByteOrder<Unit32 = u8>>(dst: &mut [Slot], unit: u32) -> bool {
    let bytes = O::ORDER.pick(unit.to_le_bytes(), unit.to_be_bytes(), unit.to_ne_bytes());
    dst.first_chunk_mut().map(|slots| Slot::write(slots, bytes)).is_some()
}

/// Returns the surrogate pair of a code point above U+FFFF.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "both are below E000 for code points up to U+10FFFF")]
const fn surrogates(value: u32) -> [u16; 2] {
    [(0xD7C0 + (value >> 10)) as u16, (0xDC00 | value & 0x3FF) as u16]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::unit::{Be, Le, Native};

    #[test]
    fn every_scalar_value_makes_the_round_trip() {
        for c in '\0'..=char::MAX {
            let (value, mut utf8, mut utf16) = (u32::from(c), [0; 4], [0; 2]);
            let expected = c.encode_utf8(&mut utf8).as_bytes();
            let mut bytes = [0; 4];
            assert_eq!(encode_utf8(Slot::of(&mut bytes), value), Some(expected.len()), "{value:04X}");
            assert_eq!(&bytes[..expected.len()], expected, "{value:04X}");
            assert_eq!(decode_utf8(expected), Some((value, expected.len())), "{value:04X}");
            assert_eq!(encode_utf8(Slot::of(&mut bytes[..expected.len() - 1]), value), None);

            let expected = c.encode_utf16(&mut utf16);
            let len = 2 * expected.len();
            assert_eq!(decode_utf16::<Native>(expected), Some((value, expected.len())), "{value:04X}");
            assert_eq!(encode_utf16::<Le>(Slot::of(&mut bytes), value), Some(len), "{value:04X}");
            assert_eq!(decode_utf16::<Le>(&bytes[..len]), Some((value, len)), "{value:04X}");
            assert_eq!(encode_utf16::<Be>(Slot::of(&mut bytes), value), Some(len), "{value:04X}");
            assert_eq!(decode_utf16::<Be>(&bytes[..len]), Some((value, len)), "{value:04X}");
            assert_eq!(encode_utf16::<Be>(Slot::of(&mut bytes[..len - 1]), value), None);
            assert_eq!(decode_utf32::<Le>(&value.to_le_bytes()), Some(value));
        }
    }

    #[test]
    fn whatever_is_ill_formed_is_refused() {
        for surrogate in 0xD800..=0xDFFFu16 {
            assert_eq!(decode_utf16::<Native>(&[surrogate, 0x41]), None);
            assert_eq!(decode_utf32::<Native>(&[surrogate.into()]), None);
        }
        assert_eq!(decode_utf16::<Le>(&[0x41]), None);
        assert_eq!(decode_utf16::<Le>(&[0x00, 0xD8, 0x00]), None);
        assert_eq!(decode_utf32::<Native>(&[0x11_0000]), None);
        // All values of the first three bytes; for a fourth, the neighbors of each boundary.
        for first in 0..=0xFF {
            let fourths: &[u8] = if first < 0xF0 { &[0x80] } else { &[0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF] };
            for (second, third) in (0..=0xFF).flat_map(|second| (0..=0xFF).map(move |third| (second, third)))
            {
                for &fourth in fourths {
                    let bytes = [first, second, third, fourth];
                    let good = (1..=4).find(|&len| core::str::from_utf8(&bytes[..len]).is_ok());
                    assert_eq!(decode_utf8(&bytes).map(|(_, len)| len), good, "{bytes:02x?}");
                }
            }
        }
    }
}
