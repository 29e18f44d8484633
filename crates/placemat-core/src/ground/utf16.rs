//! Well-formed UTF-16 in little-endian order, as an intermediate form between two encodings.

use super::unit::{is_lead, is_trail};

/// A UTF-16 code unit in little-endian order.
pub type Unit = [u8; 2];

/// Returns the scalar value at the start of well-formed UTF-16, and its length in code units.
#[inline(always)]
#[must_use]
pub fn first(units: &[Unit]) -> Option<(u32, usize)> {
    let unit = u16::from_le_bytes(*units.first()?);
    if !is_lead(unit) {
        return Some((unit.into(), 1));
    }
    let trail = u16::from_le_bytes(*units.get(1)?);
    Some((0x1_0000 + (u32::from(unit & 0x3FF) << 10) + u32::from(trail & 0x3FF), 2))
}

/// Writes a scalar value if it fits. Returns the number of code units.
#[inline(always)]
pub fn put(units: &mut [Unit], c: char) -> Option<usize> {
    let mut both = [0; 2];
    let len = c.encode_utf16(&mut both).len();
    let slots = units.get_mut(..len)?;
    slots.iter_mut().zip(both).for_each(|(slot, unit)| *slot = unit.to_le_bytes());
    Some(len)
}

/// Returns the length of well-formed UTF-16 in bytes of UTF-8.
#[must_use]
#[inline]
pub fn utf8_len(units: &[Unit]) -> usize {
    let len = |unit: &Unit| match u16::from_le_bytes(*unit) {
        0..0x80 => 1,
        0x80..0x800 => 2,
        // A surrogate is half of a pair, which has four bytes.
        unit if is_lead(unit) || is_trail(unit) => 2,
        _ => 3,
    };
    units.iter().map(len).sum()
}
