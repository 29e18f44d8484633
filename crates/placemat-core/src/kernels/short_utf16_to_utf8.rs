//! UTF-16 to UTF-8 where bytes are packed in registers: texts of at most eight blocks.
//!
//! Most texts are this short. The general way asks each block how long its units become, and its loops have many constants
//! to load. Here one question decides for the whole text, since a wrong guess costs as much as all the rest, and
//! stores are bounded by a mask, so no text needs a buffer.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "AVX-512 alone packs bytes in registers"))]

use super::Moved;
use super::utf16_to_utf8::{
    Anything, Halves, UNITS, any_from, any_surrogate, as_halves, as_pairs, as_trios, before, load,
    load_partial, utf16_to_utf8,
};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::unit::ByteOrder;
use crate::simd::{ApartInRegisters, BLOCK, Compress};
use core::marker::PhantomData;

/// Converts the longest prefix of `src` that is well-formed UTF-16 and fits into `dst`.
#[inline(always)]
pub(crate) fn utf16_to_utf8_in_registers<S: Compress, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let src = src.get(..src.len() & !1).unwrap_or_default();
    let len = src.len();
    // Comparisons one after the other, the shortest texts first: a jump by a table is foreseen worse.
    let written = if len <= BLOCK {
        one_block::<S, O>(simd, src, dst)
    } else if len <= 2 * BLOCK {
        blocks::<S, O, 2, 4>(simd, src, dst)
    } else if len <= 3 * BLOCK {
        blocks::<S, O, 3, 6>(simd, src, dst)
    } else if len <= 4 * BLOCK {
        blocks::<S, O, 4, 8>(simd, src, dst)
    } else if len <= 8 * BLOCK {
        // So many registers that some are saved on the stack, which shorter texts need not wait for.
        return simd.apart_in_registers::<ManyBlocks<O>>(src, dst);
    } else {
        return utf16_to_utf8::<S, O>(simd, src, dst);
    };
    all_or_anything::<S, O>(simd, written, src, dst)
}

/// The conversion of a text of five to eight blocks.
struct ManyBlocks<O>(PhantomData<O>);

impl<O: ByteOrder<Unit16 = u8>> ApartInRegisters for ManyBlocks<O> {
    type Moved = Moved;

    #[inline(always)]
    fn run<S: Compress>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
        let written = match src.len().div_ceil(BLOCK) {
            5 | 6 => blocks::<S, O, 6, 12>(simd, src, dst),
            _ => blocks::<S, O, 8, 16>(simd, src, dst),
        };
        all_or_anything::<S, O>(simd, written, src, dst)
    }
}

/// The progress if all was `written`; else the text is converted in the way that knows errors and missing room.
#[inline(always)]
fn all_or_anything<S: Compress, O: ByteOrder<Unit16 = u8>>(
    simd: S,
    written: Option<usize>,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    match written {
        Some(written) => Moved { read: src.len(), written },
        None => simd.apart::<Anything<O>>(src, dst),
    }
}

/// Converts a text of at most one block. Returns the number of bytes, or `None` if it is ill-formed or does not fit.
#[inline(always)]
fn one_block<S: Compress, O: ByteOrder<Unit16 = u8>>(simd: S, src: &[u8], dst: &mut [u8]) -> Option<usize> {
    let units = load_partial::<S, O>(simd, src);
    if !any_from::<0x80, S>(simd, units) {
        simd.store_partial(simd.narrow16(units, units), dst.get_mut(..src.len() / 2)?);
        return Some(src.len() / 2);
    }
    // Up to half a block, the lengths of sequences need no branch, and a processor cannot learn that of many strings.
    if src.len() <= BLOCK / 2 && !any_surrogate(simd, units) {
        let [trios, _] = as_trios(simd, units);
        return put(simd, [trios], [kept_trios(simd, trios)], (BLOCK / 2 - src.len()) / 2, dst);
    }
    // Units that are not there become zeros, one byte each.
    let missing = UNITS - src.len() / 2;
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

/// Converts a text of more than `N - 2` blocks and at most `N`, of which the last ones may begin within the one before; if `N` is
/// more than four, only without sequences of three bytes. `M` is twice `N`.
#[inline(always)]
fn blocks<S: Compress, O: ByteOrder<Unit16 = u8>, const N: usize, const M: usize>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Option<usize> {
    let (mut blocks, mut any) = ([simd.splat(0); N], simd.splat(0));
    for (i, block) in blocks.iter_mut().enumerate() {
        *block = load::<S, O>(simd, chunk_at!(src, start(i, src.len()))?);
        any = simd.or(any, *block);
    }
    let units = src.len() / 2;
    if !any_from::<0x80, S>(simd, any) {
        for (i, block) in blocks.into_iter().enumerate() {
            let out = chunk_at_mut!(dst, start(i, src.len()) / 2, UNITS)?;
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
        // Each block asked for itself is faster.
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
    if surrogates && high_surrogates(simd, blocks[N - 1]) >> (UNITS - 1) != 0 {
        return None;
    }
    let seen = seen(N - 1, src.len());
    keep[M - 2] &= if seen < UNITS / 2 { u64::MAX << (4 * seen) } else { 0 };
    keep[M - 1] &= u64::MAX << (4 * seen.saturating_sub(UNITS / 2));
    put(simd, lanes, keep, 0, dst)
}

/// Where block `i` of a text of `len` bytes begins.
#[inline(always)]
fn start(i: usize, len: usize) -> usize {
    (i * BLOCK).min(len - BLOCK)
}

/// The first of `N` blocks that may begin within the one before: for up to four blocks there is a conversion of each number.
const fn first_seen<const N: usize>() -> usize {
    if N <= 4 { N - 1 } else { N - 2 }
}

/// The units of block `i`, which is not the first, of a text of `len` bytes that the block before has too.
#[inline(always)]
fn seen(i: usize, len: usize) -> usize {
    (start(i - 1, len) + BLOCK - start(i, len)) / 2
}

/// The block of units at `at` as lanes of four bytes, of which the first is zero; a surrogate becomes two bytes. `None` if a
/// surrogate is in no pair; but the last unit may begin one.
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

/// The bitmap of the high surrogates.
#[inline(always)]
fn high_surrogates<S: Compress>(simd: S, units: S::Block) -> u32 {
    simd.bits16(simd.eq16(simd.and(units, simd.splat16(0xFC00)), simd.splat16(0xD800)))
}

/// The bitmap of the low surrogates.
#[inline(always)]
fn low_surrogates<S: Compress>(simd: S, units: S::Block) -> u32 {
    simd.bits16(simd.eq16(simd.and(units, simd.splat16(0xFC00)), simd.splat16(0xDC00)))
}

/// Of each 16-bit lane the first byte, and the second if it is not zero.
#[inline(always)]
fn kept_pairs<S: Compress>(simd: S, lanes: S::Block) -> u64 {
    simd.bits(simd.ge(lanes, simd.splat16(0x0100)))
}

/// Of each 32-bit lane, whose first byte is zero, the fourth byte, and the second and the third if they are not zero.
#[inline(always)]
fn kept_trios<S: Compress>(simd: S, lanes: S::Block) -> u64 {
    simd.bits(simd.ge(lanes, simd.splat32(0x0001_0101)))
}

/// Writes the bytes of each block where its bitmap has ones, but for the last `missing` of them. Returns bytes, or `None` if
/// they do not fit.
#[inline(always)]
fn put<S: Compress, const N: usize>(
    simd: S,
    blocks: [S::Block; N],
    keep: [u64; N],
    missing: usize,
    dst: &mut [u8],
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
