//! Small pieces of vector loops: operations on each lane, in a shape that LLVM keeps in vectors.

/// All ones if `condition` holds. A choice by masks, because one by `if` is left scalar as soon as there are two.
#[inline(always)]
pub(super) const fn mask(condition: bool) -> u8 {
    if condition { 0xFF } else { 0 }
}

/// `yes` where `mask` has ones, `no` elsewhere.
#[inline(always)]
pub(super) const fn choose(mask: u8, yes: u8, no: u8) -> u8 {
    yes & mask | no & !mask
}

/// The highest byte of `block`, which says how long its sequences can be: `< 80` if all is ASCII, `< E0` if no sequence
/// is longer than two bytes, `< F0` if none is longer than three.
#[inline(always)]
pub(super) fn highest<const N: usize>(block: &[u8; N]) -> u8 {
    // Lane by lane first. As one loop over all bytes it is unrolled before the vectoriser sees it, and stays scalar.
    let mut lanes = [0u8; 16];
    for row in block.as_chunks::<16>().0 {
        for i in 0..16 {
            lanes[i] = lanes[i].max(row[i]);
        }
    }
    let mut highest = 0;
    for lane in lanes {
        highest = lane.max(highest);
    }
    for &byte in block.as_chunks::<16>().1 {
        highest = byte.max(highest);
    }
    highest
}
