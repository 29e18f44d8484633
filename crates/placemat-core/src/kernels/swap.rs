//! Byte order swaps of code units.

use crate::simd::{BLOCK, Shuffle, Slot};

/// Swaps the bytes of 16-bit code units. Returns the number of bytes.
#[inline(always)]
pub(crate) fn swap16<S: Shuffle>(simd: S, units: &mut [u8]) -> usize {
    let (blocks, rest) = units.as_chunks_mut::<BLOCK>();
    for block in &mut *blocks {
        simd.store(simd.swap16(simd.load(block)), Slot::of_array(block));
    }
    blocks.len() * BLOCK + swap_plain::<2>(rest)
}

/// Reverses the bytes of 32-bit code units. Returns the number of bytes.
#[inline(always)]
pub(crate) fn swap32<S: Shuffle>(simd: S, units: &mut [u8]) -> usize {
    let (blocks, rest) = units.as_chunks_mut::<BLOCK>();
    for block in &mut *blocks {
        simd.store(simd.swap32(simd.load(block)), Slot::of_array(block));
    }
    blocks.len() * BLOCK + swap_plain::<4>(rest)
}

/// Reverses the bytes of each code unit of `N` bytes. Returns the number of bytes.
pub(crate) fn swap_plain<const N: usize>(units: &mut [u8]) -> usize {
    for unit in units.as_chunks_mut::<N>().0 {
        unit.reverse();
    }
    units.len()
}
