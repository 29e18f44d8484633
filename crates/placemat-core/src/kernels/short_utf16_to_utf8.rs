//! Conversion of UTF-16 to UTF-8 on levels that pack bytes in registers: texts of at most eight
//! blocks.
//!
//! Most texts are this short. The general kernel tests each block for the length of its units in
//! UTF-8, and its loops have many constants to load. Here one test decides for the whole text,
//! since a misprediction costs as much as all the rest, and masks bound the stores, so no text
//! needs a buffer.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only AVX-512 packs bytes in registers"))]

use super::Moved;
use super::utf16_to_utf8::{
    Anything, BLOCK_UNITS, Halves, any_from, any_surrogate, as_halves, as_pairs, as_trios, before, load,
    load_partial, utf16_to_utf8,
};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::unit::ByteOrder;
use crate::simd::{ApartInRegisters, BLOCK, Compress, Slot};
use core::marker::PhantomData;

/// Converts the longest well-formed UTF-16 prefix of `src` that fits into `dst`.
#[inline(always)]
pub(crate) fn utf16_to_utf8_in_registers<S: Compress, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
) -> Moved {
    let src = src.get(..src.len() & !1).unwrap_or_default();
    let len = src.len();
    // A chain of comparisons, shortest texts first, because a jump table is predicted worse.
    let written = if len <= BLOCK {
        one_block::<S, O>(simd, src, dst)
    } else if len <= 2 * BLOCK {
        blocks::<S, O, 2, 4>(simd, src, dst)
    } else if len <= 3 * BLOCK {
        blocks::<S, O, 3, 6>(simd, src, dst)
    } else if len <= 4 * BLOCK {
        blocks::<S, O, 4, 8>(simd, src, dst)
    } else if len <= 8 * BLOCK {
        // This needs more registers than there are; shorter texts should not wait until some are
        // saved on the stack.
        return simd.apart_in_registers::<ManyBlocks<O>>(src, dst);
    } else {
        return utf16_to_utf8::<S, O>(simd, src, dst);
    };
    all_or_anything::<S, O>(simd, written, src, dst)
}

/// Converts a text of five to eight blocks.
struct ManyBlocks<O>(PhantomData<O>);

impl<O: ByteOrder<Unit16 = u8>> ApartInRegisters for ManyBlocks<O> {
    type Moved = Moved;

    #[inline(always)]
    fn run<S: Compress>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
        let written = match src.len().div_ceil(BLOCK) {
            5 | 6 => blocks::<S, O, 6, 12>(simd, src, dst),
            _ => blocks::<S, O, 8, 16>(simd, src, dst),
        };
        all_or_anything::<S, O>(simd, written, src, dst)
    }
}

/// Returns the progress if the whole text was `written`; otherwise the general kernel converts it,
/// up to an error or the end of `dst`.
#[inline(always)]
fn all_or_anything<S: Compress, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    written: Option<usize>,
    src: &[u8],
    dst: &mut [Slot],
) -> Moved {
    match written {
        Some(written) => Moved { read: src.len(), written },
        None => simd.apart::<Anything<O>>(src, dst),
    }
}

/// Converts a text of at most one block. Returns the number of bytes, or `None` if it is ill-formed
/// or does not fit.
#[inline(always)]
fn one_block<S: Compress, O: ByteOrder<Unit16 = u8>>(simd: S, src: &[u8], dst: &mut [Slot]) -> Option<usize> {
    let units = load_partial::<S, O>(simd, src);
    if !any_from::<0x80, S>(simd, units) {
        simd.store_partial(simd.narrow16(units, units), dst.get_mut(..src.len() / 2)?);
        return Some(src.len() / 2);
    }
    // For up to half a block, the sequence lengths need no branch, which would be unpredictable for
    // many short strings.
    if src.len() <= BLOCK / 2 && !any_surrogate(simd, units) {
        let [trios, _] = as_trios(simd, units);
        return put(simd, [trios], [kept_trios(simd, trios)], (BLOCK / 2 - src.len()) / 2, dst);
    }
    // The padding becomes zeros, one byte each.
    let missing = BLOCK_UNITS - src.len() / 2;
    let halves = if !any_from::<0x800, S>(simd, units) {
        Halves::Pairs(as_pairs(simd, units))
    } else if !any_surrogate(simd, units) {
        Halves::Trios(as_trios(simd, units))
    } else if u64::from(high_surrogates(simd, units)) << 1 == low_surrogates(simd, units).into() {
        as_halves::<true, S>(simd, simd.after_zeros::<2>(units), units)
    } else {
        return None;
    };
    match halves {
        Halves::Pairs(pairs) => put(simd, [pairs], [kept_pairs(simd, pairs)], missing, dst),
        Halves::Trios(trios) => {
            put(simd, trios, [kept_trios(simd, trios[0]), kept_trios(simd, trios[1])], missing, dst)
        }
    }
}

/// Converts a text of more than `N - 2` blocks and at most `N`; the last blocks may overlap the
/// previous ones. If `N` is more than four, converts only text without three-byte sequences. `M`
/// must be twice `N`.
#[inline(always)]
fn blocks<S: Compress, O: ByteOrder<Unit16 = u8>, const N: usize, const M: usize>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
) -> Option<usize> {
    let (mut blocks, mut any) = ([simd.splat(0); N], simd.splat(0));
    for (i, block) in blocks.iter_mut().enumerate() {
        *block = load::<S, O>(simd, chunk_at!(src, start(i, src.len()))?);
        any = simd.or(any, *block);
    }
    let units = src.len() / 2;
    if !any_from::<0x80, S>(simd, any) {
        for (i, block) in blocks.into_iter().enumerate() {
            let out = chunk_at_mut!(dst, start(i, src.len()) / 2, BLOCK_UNITS)?;
            simd.store_partial(simd.narrow16(block, block), out);
        }
        return Some(units);
    }
    if !any_from::<0x800, S>(simd, any) {
        let mut keep = [0; N];
        for (block, keep) in blocks.iter_mut().zip(&mut keep) {
            *block = as_pairs(simd, *block);
            *keep = kept_pairs(simd, *block);
        }
        for (i, keep) in keep.iter_mut().enumerate().skip(first_seen::<N>()) {
            let seen = seen(i, src.len());
            *keep &= u64::MAX << seen << seen;
        }
        return put(simd, blocks, keep, 0, dst);
    }
    if N > 4 {
        // Testing each block separately is faster.
        return None;
    }
    let mut surrogates = false;
    for block in blocks {
        surrogates |= any_surrogate(simd, block);
    }
    let (mut lanes, mut keep) = ([simd.splat(0); M], [0; M]);
    for (i, (lanes, keep)) in lanes.as_chunks_mut().0.iter_mut().zip(keep.as_chunks_mut().0).enumerate() {
        *lanes = if surrogates {
            fours::<S, O>(simd, src, start(i, src.len()), blocks[i])?
        } else {
            as_trios(simd, blocks[i])
        };
        *keep = [kept_trios(simd, lanes[0]), kept_trios(simd, lanes[1])];
    }
    if surrogates && high_surrogates(simd, blocks[N - 1]) >> (BLOCK_UNITS - 1) != 0 {
        return None;
    }
    let seen = seen(N - 1, src.len());
    keep[M - 2] &= if seen < BLOCK_UNITS / 2 { u64::MAX << (4 * seen) } else { 0 };
    keep[M - 1] &= u64::MAX << (4 * seen.saturating_sub(BLOCK_UNITS / 2));
    put(simd, lanes, keep, 0, dst)
}

/// Returns the offset of block `i` of a text of `len` bytes.
#[inline(always)]
fn start(i: usize, len: usize) -> usize {
    (i * BLOCK).min(len - BLOCK)
}

/// The first of `N` blocks that may overlap the one before: up to four blocks, each number of
/// blocks has a conversion of its own.
const fn first_seen<const N: usize>() -> usize {
    if N <= 4 { N - 1 } else { N - 2 }
}

/// Number of units that block `i`, which is not the first, shares with the block before, in a text
/// of `len` bytes.
#[inline(always)]
fn seen(i: usize, len: usize) -> usize {
    (start(i - 1, len) + BLOCK - start(i, len)) / 2
}

/// Converts the block of units at `at` to lanes of four bytes, of which the first is zero; a
/// surrogate becomes two bytes. Returns `None` if a surrogate is unpaired, except that the last
/// unit may begin a pair.
#[inline(always)]
fn fours<S: Compress, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    src: &[u8],
    at: usize,
    units: S::Block,
) -> Option<[S::Block; 2]> {
    let before = before::<S, O>(simd, src, at, units);
    if high_surrogates(simd, before) != low_surrogates(simd, units) {
        return None;
    }
    match as_halves::<false, S>(simd, before, units) {
        Halves::Trios(lanes) => Some(lanes),
        Halves::Pairs(_) => None,
    }
}

/// Bitmap of the high surrogates.
#[inline(always)]
fn high_surrogates<S: Compress>(simd: S, units: S::Block) -> u32 {
    simd.bits16(simd.eq16(simd.and(units, simd.splat16(0xFC00)), simd.splat16(0xD800)))
}

/// Bitmap of the low surrogates.
#[inline(always)]
fn low_surrogates<S: Compress>(simd: S, units: S::Block) -> u32 {
    simd.bits16(simd.eq16(simd.and(units, simd.splat16(0xFC00)), simd.splat16(0xDC00)))
}

/// Bitmap of the first byte of each 16-bit lane, and of the second if it is not zero.
#[inline(always)]
fn kept_pairs<S: Compress>(simd: S, lanes: S::Block) -> u64 {
    simd.bits(simd.ge(lanes, simd.splat16(0x0100)))
}

/// Bitmap of the fourth byte of each 32-bit lane, and of the second and the third if they are not
/// zero; the first byte must be zero.
#[inline(always)]
fn kept_trios<S: Compress>(simd: S, lanes: S::Block) -> u64 {
    simd.bits(simd.ge(lanes, simd.splat32(0x0001_0101)))
}

/// Writes the bytes of each block that its bitmap selects, except for the last `missing` ones.
/// Returns the number of bytes, or `None` if they do not fit.
#[inline(always)]
fn put<S: Compress, const N: usize>(
    simd: S,
    blocks: [S::Block; N],
    keep: [u64; N],
    missing: usize,
    dst: &mut [Slot],
) -> Option<usize> {
    let mut written = 0;
    for keep in keep {
        written += keep.count_ones() as usize;
    }
    written -= missing;
    let mut room = dst.get_mut(..written)?;
    for (keep, block) in keep.into_iter().zip(blocks) {
        let (out, rest) = room.split_at_mut(room.len().min(keep.count_ones() as usize));
        simd.store_partial(simd.compress8(block, keep), out);
        room = rest;
    }
    Some(written)
}
