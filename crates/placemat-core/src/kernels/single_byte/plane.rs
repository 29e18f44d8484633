//! Planes: tables of 256 bytes in the vectors of a level.

use crate::simd::Shuffle;

/// The last quarter of a table, for bytes from C0 up.
#[inline(always)]
fn last_quarter(table: &[u8; 256]) -> &[u8; 64] {
    match table.last_chunk() {
        Some(quarter) => quarter,
        None => unreachable!(),
    }
}

/// The tables of a plane on a level: for bytes below 80, for those from 80 up, and for those from
/// C0 up.
pub(super) struct Plane<S: Shuffle> {
    lower: S::Table128,
    upper: S::Table128,
    pub(super) quarter: S::Table64,
}

impl<S: Shuffle> Plane<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, table: &[u8; 256]) -> Self {
        match table.as_chunks() {
            ([lower, upper], []) => Self {
                lower: simd.table128(lower),
                upper: simd.table128(upper),
                quarter: simd.table64(last_quarter(table)),
            },
            _ => unreachable!(),
        }
    }

    /// Returns the table entry of each byte; with `ASCII`, `below` for bytes that are not in
    /// `high`.
    #[inline(always)]
    pub(super) fn look_up<const ASCII: bool>(
        &self,
        simd: S,
        bytes: S::Block,
        high: S::Mask,
        below: S::Block,
    ) -> S::Block {
        let below = if ASCII { below } else { simd.lookup128(self.lower, bytes) };
        simd.select(high, simd.lookup128(self.upper, bytes), below)
    }

    /// Like [`look_up`](Self::look_up), but if `letters`, all bytes must be below 80 or from C0 up:
    /// on levels with slow lookups, this takes less than half of them.
    #[inline(always)]
    pub(super) fn look_up_letters<const ASCII: bool>(
        &self,
        simd: S,
        bytes: S::Block,
        high: S::Mask,
        below: S::Block,
        letters: bool,
    ) -> S::Block {
        if ASCII && !S::FAST_LOOKUP128 && letters {
            simd.select(high, simd.lookup64(self.quarter, bytes), below)
        } else {
            self.look_up::<ASCII>(simd, bytes, high, below)
        }
    }
}

/// Whether all bytes are below 80 or from C0 up, where most encodings have their letters.
#[inline(always)]
pub(super) fn are_letters<S: Shuffle>(simd: S, bytes: S::Block) -> bool {
    // Bit 6 shifted to bit 7; the bits below do not matter.
    !simd.any_high_bit(simd.and_not(bytes, simd.shl16::<1>(bytes)))
}

/// Whether any byte is in 80 to 9F.
#[inline(always)]
pub(super) fn has_controls<S: Shuffle>(simd: S, bytes: S::Block) -> bool {
    simd.any(simd.eq(simd.and(bytes, simd.splat(0xE0)), simd.splat(0x80)))
}
