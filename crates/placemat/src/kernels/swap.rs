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

#[cfg(test)]
mod tests {
    use crate::kernels::dispatch::{Isa, Kernels};
    use alloc::vec::Vec;

    #[test]
    fn every_level_swaps_every_unit() {
        for isa in Isa::available() {
            let Some(kernels) = Kernels::of(isa) else { unreachable!() };
            for len in (0..300).chain([4096]) {
                let bytes: Vec<u8> = (0..len).map(|i| (i * 7 % 251) as u8).collect();
                let swapped = |unit: usize| -> Vec<u8> {
                    bytes
                        .chunks(unit)
                        .flat_map(|unit_bytes| {
                            let mut unit_bytes = unit_bytes.to_vec();
                            // A part of a unit stays as it is.
                            if unit_bytes.len() == unit {
                                unit_bytes.reverse();
                            }
                            unit_bytes
                        })
                        .collect()
                };
                let mut units = bytes.clone();
                assert_eq!(kernels.swap16(&mut units), len, "{isa}");
                assert_eq!(units, swapped(2), "{isa} {len}");
                let mut units = bytes.clone();
                assert_eq!(kernels.swap32(&mut units), len, "{isa}");
                assert_eq!(units, swapped(4), "{isa} {len}");
            }
        }
    }
}
