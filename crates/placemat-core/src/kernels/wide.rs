//! Code shared by the kernels between wide forms: code units in both byte orders, surrogates, and
//! parts of windows.
//!
//! # Surrogates
//!
//! The high byte of a 16-bit code unit determines its kind, so byte operations suffice: all levels
//! have more and faster ones, and a text in the other byte order only needs other constants.

use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::unit::{Be, ByteOrder, Le};
use crate::simd::{BLOCK, Shuffle, Slot};

/// A byte order that kernels support. Lanes are little-endian.
pub(crate) trait Order: ByteOrder<Unit16 = u8, Unit32 = u8> {
    /// Whether the bytes of a code unit must be swapped to make a lane.
    const SWAP: bool;
}

impl Order for Le {
    const SWAP: bool = false;
}

impl Order for Be {
    const SWAP: bool = true;
}

/// Returns the 64 bytes of `window` from `AT` on.
#[inline(always)]
pub(super) fn part<const AT: usize, const N: usize>(window: &[u8; N]) -> &[u8; 64] {
    const { assert!(AT + 64 <= N) };
    match chunk_at!(window, AT) {
        Some(block) => block,
        None => unreachable!(),
    }
}

/// Returns the 64 bytes of `window` from `AT` on, for writing.
#[inline(always)]
pub(super) fn part_mut<const AT: usize, const N: usize>(window: &mut [Slot; N]) -> &mut [Slot; 64] {
    const { assert!(AT + 64 <= N) };
    match chunk_at_mut!(window, AT) {
        Some(block) => block,
        None => unreachable!(),
    }
}

/// Returns `unit` in each 16-bit lane, in byte order `O`.
#[inline(always)]
pub(super) fn splat16<S: Shuffle, O: Order>(simd: S, unit: u16) -> S::Block {
    simd.splat16(if O::SWAP { unit.swap_bytes() } else { unit })
}

/// Converts 16-bit code units from one byte order to another.
#[inline(always)]
pub(super) fn turn16<S: Shuffle, From: Order, To: Order>(simd: S, block: S::Block) -> S::Block {
    if From::SWAP == To::SWAP { block } else { simd.swap16(block) }
}

/// Converts 32-bit code units from one byte order to another.
#[inline(always)]
pub(super) fn turn32<S: Shuffle, From: Order, To: Order>(simd: S, block: S::Block) -> S::Block {
    if From::SWAP == To::SWAP { block } else { simd.swap32(block) }
}

/// Sets high bytes to 7 where the code unit is a surrogate, else to more, so that the minimum over
/// several blocks shows whether any of them has a surrogate; sets low bytes to 0xFF.
#[inline(always)]
pub(super) fn distance<S: Shuffle, O: Order>(simd: S, block: S::Block) -> S::Block {
    let distance = simd.xor(block, splat16::<S, O>(simd, 0xD800));
    simd.or(distance, splat16::<S, O>(simd, 0x07FF))
}

/// Whether the minimum of distances belongs to a surrogate.
#[inline(always)]
pub(super) fn any_surrogate<S: Shuffle>(simd: S, least: S::Block) -> bool {
    simd.any(simd.eq(least, simd.splat(7)))
}

/// Whether low surrogates follow high surrogates, all of them and no other units, in these blocks;
/// `before` has the code units one before those of `blocks`.
#[inline(always)]
pub(super) fn all_paired<S: Shuffle, O: Order, const N: usize>(
    simd: S,
    blocks: [S::Block; N],
    before: [S::Block; N],
) -> bool {
    let kind = splat16::<S, O>(simd, 0xFC00);
    let (lead, trail) = (splat16::<S, O>(simd, 0xD800), splat16::<S, O>(simd, 0xDC00));
    if S::MASK_REGISTERS {
        let mut unpaired = 0;
        for i in 0..N {
            let leads = simd.bits16(simd.eq16(simd.and(before[i], kind), lead));
            let trails = simd.bits16(simd.eq16(simd.and(blocks[i], kind), trail));
            unpaired |= leads ^ trails;
        }
        return unpaired == 0;
    }
    let four = simd.splat(4);
    let mut unpaired = simd.splat(0);
    for i in 0..N {
        // Each is zero for its kind of surrogate, and otherwise at least four.
        let lead = simd.and(simd.xor(before[i], lead), kind);
        let trail = simd.and(simd.xor(blocks[i], trail), kind);
        unpaired = simd.or(unpaired, simd.xor(simd.min(lead, four), simd.min(trail, four)));
    }
    !simd.any_bit(unpaired)
}

/// Bytes of code units per test.
pub(super) const ROW_BYTES: usize = 4 * BLOCK;

/// Whether the blocks of a row contain surrogates.
#[inline(always)]
pub(super) fn has_surrogates<S: Shuffle, O: Order>(simd: S, [a, b, c, d]: [S::Block; 4]) -> bool {
    let first = simd.min(distance::<S, O>(simd, a), distance::<S, O>(simd, b));
    let second = simd.min(distance::<S, O>(simd, c), distance::<S, O>(simd, d));
    any_surrogate(simd, simd.min(first, second))
}

/// Skips the rows at the beginning that have no surrogates.
#[inline(always)]
pub(super) fn after_calm_rows<S: Shuffle, O: Order>(simd: S, src: &[u8]) -> &[u8] {
    let mut calm = 0;
    for row in src.as_chunks::<ROW_BYTES>().0 {
        if has_surrogates::<S, O>(simd, blocks_of_row::<S, 0, _>(simd, row)) {
            break;
        }
        calm += ROW_BYTES;
    }
    src.get(calm..).unwrap_or_default()
}

/// Whether any code unit is at least `D800`, the lowest surrogate.
#[inline(always)]
pub(super) fn any_from_d800<S: Shuffle>(simd: S, block: S::Block) -> bool {
    simd.bits16(simd.ge16(block, simd.splat16(0xD800))) != 0
}

/// Loads the blocks of the row at offset `AT`.
#[inline(always)]
pub(super) fn blocks_of_row<S: Shuffle, const AT: usize, const N: usize>(
    simd: S,
    window: &[u8; N],
) -> [S::Block; 4] {
    const { assert!(AT + ROW_BYTES <= N) };
    let Some(row) = chunk_at!(window, AT, ROW_BYTES) else { unreachable!() };
    [
        simd.load(part::<0, _>(row)),
        simd.load(part::<64, _>(row)),
        simd.load(part::<128, _>(row)),
        simd.load(part::<192, _>(row)),
    ]
}

/// Bytes of two blocks, which become one block when each code unit becomes a byte.
pub(super) const PAIR_BYTES: usize = 2 * BLOCK;

/// The high bytes of the code units of two blocks, alternately: of the first unit of `a`, of the
/// first of `b`, of the second of `a`, and so on.
#[inline(always)]
pub(super) fn high_bytes<S: Shuffle, O: Order>(simd: S, a: S::Block, b: S::Block) -> S::Block {
    let (even, odd) = if O::SWAP { (a, simd.shl16::<8>(b)) } else { (simd.shr16::<8>(a), b) };
    interleave(simd, even, odd)
}

/// The [`high_bytes`] of two blocks in memory. One block is loaded one byte further on or back, so
/// that its high bytes fall between those of the other.
#[inline(always)]
pub(super) fn load_high_bytes<S: Shuffle, O: Order>(simd: S, two: &[u8; PAIR_BYTES]) -> S::Block {
    if O::SWAP {
        interleave(simd, simd.load(part::<0, _>(two)), simd.load(part::<{ BLOCK - 1 }, _>(two)))
    } else {
        interleave(simd, simd.load(part::<1, _>(two)), simd.load(part::<BLOCK, _>(two)))
    }
}

/// The bytes at even positions from `even`, the others from `odd`.
#[inline(always)]
fn interleave<S: Shuffle>(simd: S, even: S::Block, odd: S::Block) -> S::Block {
    let mask = simd.splat16(0xFF00);
    simd.or(simd.and(odd, mask), simd.and_not(even, mask))
}

/// Moves each of the [`high_bytes`] to the position of the next code unit. The first gets the byte
/// of the last unit.
#[inline(always)]
pub(super) fn turned<S: Shuffle>(simd: S, bytes: S::Block) -> S::Block {
    const PLACES: [u8; BLOCK] = {
        // The unit before the first of `b` is the last of `a`.
        let mut places = [63; BLOCK];
        places[1] = 62;
        let mut i: u8 = 2;
        while i < 64 {
            places[i as usize] = i - 2;
            i += 1;
        }
        places
    };
    simd.lookup64(simd.table64_of(bytes), simd.load(&PLACES))
}

/// The high bytes of the units before those of two blocks; `turned` and `last` are results of
/// [`turned`] for these two blocks and for the two before.
#[inline(always)]
pub(super) fn bytes_before<S: Shuffle>(simd: S, turned: S::Block, last: S::Block) -> S::Block {
    simd.select(simd.mask(1), last, turned)
}

/// Whether a high surrogate ends at `at`, so that its low surrogate must follow.
#[inline(always)]
pub(super) fn is_open<O: Order>(src: &[u8], at: usize) -> bool {
    let unit = at.checked_sub(2).and_then(|at| src.get(at..)).and_then(O::get16);
    unit.is_some_and(|unit| unit & 0xFC00 == 0xD800)
}

/// Returns the offset at which to resume in a text that is well-formed up to `at`: before a high
/// surrogate that ends there.
#[inline(always)]
pub(super) fn border<O: Order>(src: &[u8], at: usize) -> usize {
    if is_open::<O>(src, at) { at - 2 } else { at }
}

/// Number of bytes of a long text to take first so that the following loads are aligned to cache
/// lines: at most a block, and whole 16-bit code units.
#[inline(always)]
pub(super) fn first_step(src: &[u8]) -> usize {
    let address = src.as_ptr() as usize;
    if src.len() >= MIN_ALIGNED_BYTES && address.is_multiple_of(2) { BLOCK - address % BLOCK } else { BLOCK }
}

/// From this many bytes on, aligning loads to cache lines pays off.
pub(super) const MIN_ALIGNED_BYTES: usize = 512;

#[cfg(test)]
mod tests;
