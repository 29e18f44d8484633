//! The code units of a `str`.

use crate::raw;
use core::ops::Range;

/// The code units of a `str`, as wide as the interpreter made them. They never change.
#[derive(Clone, Copy, Debug)]
pub(crate) enum View<'a> {
    /// Code points below U+0080, one byte each.
    Ascii(&'a [u8]),
    Latin1(&'a [u8]),
    /// Two bytes each. Each code unit is a code point: two adjacent surrogates are two code points,
    /// and never a pair.
    Bmp(&'a [u16]),
    Full(&'a [u32]),
}

impl View<'_> {
    /// Returns the number of code points.
    pub(crate) fn len(self) -> usize {
        match self {
            Self::Ascii(units) | Self::Latin1(units) => units.len(),
            Self::Bmp(units) => units.len(),
            Self::Full(units) => units.len(),
        }
    }

    /// Returns a code point.
    ///
    /// # Panics
    /// If the text has no code point at this index.
    pub(crate) fn code_point(self, index: usize) -> u32 {
        match self {
            Self::Ascii(units) | Self::Latin1(units) => units[index].into(),
            Self::Bmp(units) => units[index].into(),
            Self::Full(units) => units[index],
        }
    }

    /// Returns `true` if there is a surrogate.
    pub(crate) fn has_surrogate(self) -> bool {
        match self {
            Self::Ascii(_) | Self::Latin1(_) => false,
            Self::Bmp(units) => has_surrogate(units),
            Self::Full(units) => units
                .chunks(4 << 10)
                .any(|piece| piece.iter().fold(false, |any, &unit| any | (unit & 0xFFFF_F800 == 0xD800))),
        }
    }

    /// Replaces the contents of `to` by the code points of a range.
    pub(crate) fn code_points_into(self, range: Range<usize>, to: &mut Vec<u32>) {
        to.clear();
        match self {
            Self::Ascii(units) | Self::Latin1(units) => {
                to.extend(units[range].iter().map(|&unit| u32::from(unit)));
            }
            Self::Bmp(units) => to.extend(units[range].iter().map(|&unit| u32::from(unit))),
            Self::Full(units) => to.extend_from_slice(&units[range]),
        }
    }
}

/// Returns `true` if there is a surrogate.
#[inline]
fn has_surrogate(units: &[u16]) -> bool {
    raw::by_wide_vectors(|| {
        // A surrogate differs from U+D800 only in the low bits. Search without an early exit, so
        // that the compiler uses vectors.
        let least = |piece: &[u16]| piece.iter().fold(u16::MAX, |least, &unit| least.min(unit ^ 0xD800));
        units.chunks(4 << 10).any(|piece| least(piece) < 0x800)
    })
}
