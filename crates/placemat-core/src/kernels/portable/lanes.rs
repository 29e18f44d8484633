//! Operations on lanes in a form that LLVM keeps in vectors.

/// Returns all ones if `condition` is true. Masks instead of `if`, because two nested `if`s are not
/// vectorized.
#[inline(always)]
pub(super) const fn mask(condition: bool) -> u8 {
    if condition { 0xFF } else { 0 }
}

/// Returns the bits of `yes` where `mask` has ones, and the bits of `no` elsewhere.
#[inline(always)]
pub(super) const fn choose(mask: u8, yes: u8, no: u8) -> u8 {
    yes & mask | no & !mask
}

/// Returns the highest byte of `block`, which determines its longest sequence: `< 80` if all is
/// ASCII, `< E0` if no sequence is longer than two bytes, `< F0` if none is longer than three.
#[inline(always)]
pub(super) fn highest<const N: usize>(block: &[u8; N]) -> u8 {
    // Lane by lane first: LLVM unrolls a single loop over all bytes before it vectorizes, and then
    // leaves it scalar.
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
