//! What the kernels of the wide forms have in common: units in both byte orders, surrogates, and parts of windows.
//!
//! Surrogates are found by bytes, not by lanes of 16 bits: the high byte says it all, a bitmap of bytes takes less than
//! one of lanes on most levels, and a text in the other byte order needs another constant only. The bitmaps have
//! nothing in the place of low bytes, so `lead << 2` is where trail surrogates must be, in either byte order.

use crate::simd::Shuffle;
use crate::unit::{Be, ByteOrder, Le};

/// The byte orders that kernels know. Lanes are little-endian.
pub(crate) trait Order: ByteOrder<Unit16 = u8, Unit32 = u8> {
    /// Whether the bytes of a unit must be swapped to make a lane.
    const SWAP: bool;
}

impl Order for Le {
    const SWAP: bool = false;
}

impl Order for Be {
    const SWAP: bool = true;
}

/// The 64 bytes of `window` from `AT` on.
#[inline(always)]
pub(super) fn part<const AT: usize, const N: usize>(window: &[u8; N]) -> &[u8; 64] {
    const { assert!(AT + 64 <= N) };
    match window.get(AT..).and_then(<[u8]>::first_chunk) {
        Some(block) => block,
        None => unreachable!(),
    }
}

/// The 64 bytes of `window` from `AT` on, to be written.
#[inline(always)]
pub(super) fn part_mut<const AT: usize, const N: usize>(window: &mut [u8; N]) -> &mut [u8; 64] {
    const { assert!(AT + 64 <= N) };
    match window.get_mut(AT..).and_then(<[u8]>::first_chunk_mut) {
        Some(block) => block,
        None => unreachable!(),
    }
}

/// The same unit in each 16-bit lane, in a byte order.
#[inline(always)]
pub(super) fn splat16<S: Shuffle, O: Order>(simd: S, unit: u16) -> S::Block {
    simd.splat16(if O::SWAP { unit.swap_bytes() } else { unit })
}

/// Units of 16 bits from one byte order to another.
#[inline(always)]
pub(super) fn turn16<S: Shuffle, From: Order, To: Order>(simd: S, block: S::Block) -> S::Block {
    if From::SWAP == To::SWAP { block } else { simd.swap16(block) }
}

/// Units of 32 bits from one byte order to another.
#[inline(always)]
pub(super) fn turn32<S: Shuffle, From: Order, To: Order>(simd: S, block: S::Block) -> S::Block {
    if From::SWAP == To::SWAP { block } else { simd.swap32(block) }
}

/// Where the high bytes of surrogates are.
#[inline(always)]
pub(super) fn surrogates<S: Shuffle, O: Order>(simd: S, block: S::Block) -> S::Mask {
    // In low bytes, zero is compared with FF.
    let kind = simd.and(block, splat16::<S, O>(simd, 0xF800));
    simd.eq(kind, splat16::<S, O>(simd, 0xD8FF))
}

/// Lead and trail surrogates of a block, as bitmaps of their high bytes.
#[derive(Clone, Copy)]
pub(super) struct Surrogates {
    pub(super) leads: u64,
    pub(super) trails: u64,
}

impl Surrogates {
    #[inline(always)]
    pub(super) fn of<S: Shuffle, O: Order>(simd: S, block: S::Block) -> Self {
        let kind = simd.and(block, splat16::<S, O>(simd, 0xFC00));
        Self {
            leads: simd.bits(simd.eq(kind, splat16::<S, O>(simd, 0xD8FF))),
            trails: simd.bits(simd.eq(kind, splat16::<S, O>(simd, 0xDCFF))),
        }
    }

    /// Ones where there is a trail surrogate and no lead surrogate before it, or the other way round. `open` says whether
    /// a lead surrogate is right before the block, and after the call whether the block ends in one.
    #[inline(always)]
    pub(super) fn unpaired(self, open: &mut Open) -> u64 {
        let unpaired = (self.leads << 2 | open.0) ^ self.trails;
        // The bit of the last unit, where it would be one unit on.
        open.0 = self.leads >> 62;
        unpaired
    }
}

/// Whether a lead surrogate waits for its trail surrogate.
#[derive(Clone, Copy, Default)]
pub(super) struct Open(u64);

impl Open {
    /// Whether the unit before `at` is a lead surrogate.
    #[inline(always)]
    pub(super) fn before<O: Order>(src: &[u8], at: usize) -> Self {
        let unit = at.checked_sub(2).and_then(|at| src.get(at..)).and_then(O::get16).unwrap_or(0);
        let high_byte = if O::SWAP { 0b01 } else { 0b10 };
        Self(if unit & 0xFC00 == 0xD800 { high_byte } else { 0 })
    }

    #[inline(always)]
    pub(super) fn is_open(self) -> bool {
        self.0 != 0
    }

    /// Bytes of the lead surrogate that waits.
    #[inline(always)]
    pub(super) fn len(self) -> usize {
        if self.is_open() { 2 } else { 0 }
    }
}

#[cfg(test)]
mod tests;
