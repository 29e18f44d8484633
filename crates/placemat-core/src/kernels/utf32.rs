//! Validation of UTF-32, and copies in either byte order.
//!
//! A code unit is a scalar value iff `(unit ^ D800) - 800 < 10F800`: the XOR permutes the values up
//! to U+10FFFF and maps surrogates to `0..800`, which the subtraction wraps to the highest numbers.
//! The maximum of four blocks therefore decides.

use super::Moved;
use super::portable;
use super::wide::{Order, part, part_mut, turn32};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::unit::Le;
use crate::simd::{BLOCK, Shuffle, ShuffleOps, Slot};

/// Bytes per test.
const ROW_BYTES: usize = 4 * BLOCK;

/// Returns for each lane a number that is below `10F800` iff the lane is a scalar value.
#[inline(always)]
pub(super) fn rank<S: ShuffleOps>(simd: S, lanes: S::Block) -> S::Block {
    simd.sub32(simd.xor(lanes, simd.splat32(0xD800)), simd.splat32(0x800))
}

/// Whether all ranks are ranks of scalar values.
#[inline(always)]
pub(super) fn all_scalar_values<S: Shuffle>(simd: S, ranks: S::Block) -> bool {
    simd.bits32(simd.ge32(ranks, simd.splat32(0x10_F800))) == 0
}

/// Loads the four blocks of a row as native 32-bit lanes.
#[inline(always)]
fn load_row<S: Shuffle, O: Order>(simd: S, row: &[u8; ROW_BYTES]) -> [S::Block; 4] {
    [
        turn32::<S, O, Le>(simd, simd.load(part::<0, _>(row))),
        turn32::<S, O, Le>(simd, simd.load(part::<64, _>(row))),
        turn32::<S, O, Le>(simd, simd.load(part::<128, _>(row))),
        turn32::<S, O, Le>(simd, simd.load(part::<192, _>(row))),
    ]
}

/// Whether all code units of a row are scalar values.
#[inline(always)]
fn is_well_formed<S: Shuffle>(simd: S, blocks: [S::Block; 4]) -> bool {
    let [a, b, c, d] = blocks;
    let first = simd.max32(rank(simd, a), rank(simd, b));
    let second = simd.max32(rank(simd, c), rank(simd, d));
    all_scalar_values(simd, simd.max32(first, second))
}

/// Returns the length in bytes of the longest well-formed UTF-32 prefix of `src`.
#[inline(always)]
pub(crate) fn utf32_prefix<S: Shuffle, O: Order>(simd: S, src: &[u8]) -> usize {
    let src = src.get(..src.len() & !3).unwrap_or_default();
    let mut at = 0;
    while let Some(row) = chunk_at!(src, at) {
        if !is_well_formed(simd, load_row::<S, O>(simd, row)) {
            return finish_prefix::<O>(src, at);
        }
        at += ROW_BYTES;
    }
    while at < src.len() {
        // The zeros at the end are scalar values too.
        let rest = src.get(at..).unwrap_or_default();
        let block = match rest.first_chunk() {
            Some(block) => simd.load(block),
            None => simd.load_partial(rest),
        };
        if !all_scalar_values(simd, rank(simd, turn32::<S, O, Le>(simd, block))) {
            return finish_prefix::<O>(src, at);
        }
        at += BLOCK;
    }
    src.len()
}

/// Searches in plain code from `at` on; everything before is well-formed.
#[cold]
#[inline(never)]
fn finish_prefix<O: Order>(src: &[u8], at: usize) -> usize {
    at + portable::wide::utf32_prefix::<O>(src.get(at..).unwrap_or_default())
}

/// Copies the longest well-formed UTF-32 prefix of `src` that fits into `dst`, from one byte order
/// to another.
#[inline(always)]
pub(crate) fn utf32_to_utf32<S: Shuffle, From: Order, To: Order>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let len = src.len().min(dst.len()) & !3;
    let (Some(src), Some(dst)) = (src.get(..len), dst.get_mut(..len)) else { return Moved::default() };
    let mut at = 0;
    while let (Some(row), Some(out)) = (chunk_at!(src, at), chunk_at_mut!(dst, at, ROW_BYTES)) {
        let blocks = load_row::<S, From>(simd, row);
        if !is_well_formed(simd, blocks) {
            return finish_copy::<From, To>(src, dst, at);
        }
        let out = Slot::of_array(out);
        simd.store(turn32::<S, Le, To>(simd, blocks[0]), part_mut::<0, _>(out));
        simd.store(turn32::<S, Le, To>(simd, blocks[1]), part_mut::<64, _>(out));
        simd.store(turn32::<S, Le, To>(simd, blocks[2]), part_mut::<128, _>(out));
        simd.store(turn32::<S, Le, To>(simd, blocks[3]), part_mut::<192, _>(out));
        at += ROW_BYTES;
    }
    while at < len {
        let (Some(rest), Some(out)) = (src.get(at..), dst.get_mut(at..)) else { break };
        let block = match rest.first_chunk() {
            Some(block) => simd.load(block),
            None => simd.load_partial(rest),
        };
        let lanes = turn32::<S, From, Le>(simd, block);
        if !all_scalar_values(simd, rank(simd, lanes)) {
            return finish_copy::<From, To>(src, dst, at);
        }
        let block = turn32::<S, Le, To>(simd, lanes);
        match out.first_chunk_mut() {
            Some(out) => simd.store(block, Slot::of_array(out)),
            None => simd.store_partial(block, Slot::of(out)),
        }
        at += BLOCK;
    }
    let len = len.min(at);
    Moved { read: len, written: len }
}

/// Copies in plain code from `at` on; everything before is well-formed.
#[cold]
#[inline(never)]
fn finish_copy<From: Order, To: Order>(src: &[u8], dst: &mut [u8], at: usize) -> Moved {
    let src = src.get(at..).unwrap_or_default();
    let Moved { read, written } =
        portable::wide::utf32_to_utf32::<From, To>(src, dst.get_mut(at..).unwrap_or_default());
    Moved { read: at + read, written: at + written }
}
