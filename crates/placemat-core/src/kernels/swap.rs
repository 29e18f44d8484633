//! The bytes of units in the other order.

use crate::simd::{BLOCK, Shuffle};

/// Swaps the bytes of 16-bit units. Returns how many bytes there are.
#[inline(always)]
pub(crate) fn swap16<S: Shuffle>(simd: S, units: &mut [u8]) -> usize {
    let (blocks, rest) = units.as_chunks_mut::<BLOCK>();
    for block in &mut *blocks {
        simd.store(simd.swap16(simd.load(block)), block);
    }
    blocks.len() * BLOCK + swap_plain::<2>(rest)
}

/// Swaps the bytes of 32-bit units. Returns how many bytes there are.
#[inline(always)]
pub(crate) fn swap32<S: Shuffle>(simd: S, units: &mut [u8]) -> usize {
    let (blocks, rest) = units.as_chunks_mut::<BLOCK>();
    for block in &mut *blocks {
        simd.store(simd.swap32(simd.load(block)), block);
    }
    blocks.len() * BLOCK + swap_plain::<4>(rest)
}

/// Swaps the bytes of each unit of `N` bytes. Returns how many bytes there are.
pub(crate) fn swap_plain<const N: usize>(units: &mut [u8]) -> usize {
    for unit in units.as_chunks_mut::<N>().0 {
        unit.reverse();
    }
    units.len()
}
