//! Validation of UTF-16, and copies in either byte order.
//!
//! UTF-16 is well-formed if low surrogates follow high surrogates, all of them and no other units:
//! whether a unit is a low surrogate must equal whether the unit before it is a high surrogate. A
//! second load, two bytes further back, yields the units before. Most texts have few surrogates, so
//! four blocks are tested for any of them, and checked like this only if there are some.
//!
//! ```text
//!  block    ..  41 00 | 3D D8   00 DE   42 00 |          UTF-16LE
//!  before   ..        | 41 00   3D D8   00 DE | 42 00    these bytes, loaded two bytes further back
//!  trail                 no      yes     no              block  & FC00 == DC00
//!  lead                  no      yes     no              before & FC00 == D800
//! ```
//!
//! Without mask registers, one value replaces two comparisons and their masks: the minimum of 4 and
//! the high byte of `(before ^ D800) & FC00` is 0 or 4, and so is the corresponding value for low
//! surrogates; both must be equal.
//!
//! With mask registers, moving masks to vectors takes longer than everything else, so the high
//! bytes of two blocks are combined, and 16 rows are checked by bytes once a row has surrogates:
//! with `kind = high ^ D8`, the minimum of `kind` and 8 has bit 2 for a low surrogate, and 7 minus
//! `kind`, or 0, has it for a high surrogate. A permutation of this block and the previous one
//! shifts the high surrogates by one unit. Bitmaps take twice as long: `lab/utf16.md`.
//!
//! Portable code takes over a row that fails, from the last code point boundary, at most four
//! blocks back.

use super::Moved;
use super::portable;
use super::wide::{
    Order, ROW_BYTES, after_calm_rows, all_paired, blocks_of_row, border, bytes_before, first_step,
    has_surrogates, is_open, load_high_bytes, part, part_mut, turn16, turned,
};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::simd::{BLOCK, Shuffle, Slot};

/// Loads the four blocks that begin two bytes into `window`, if all their surrogates are in pairs.
/// `open` is whether a high surrogate comes right before them, and becomes whether they end in one.
#[inline(always)]
fn load_row<S: Shuffle, O: Order>(
    simd: S,
    window: &[u8; ROW_BYTES + 2],
    open: &mut bool,
) -> Option<[S::Block; 4]> {
    let blocks = blocks_of_row::<S, 2, _>(simd, window);
    if has_surrogates::<S, O>(simd, blocks) || *open {
        let before = [
            simd.load(part::<0, _>(window)),
            simd.load(part::<64, _>(window)),
            simd.load(part::<128, _>(window)),
            simd.load(part::<192, _>(window)),
        ];
        if !all_paired::<S, O, 4>(simd, blocks, before) {
            return None;
        }
        *open = is_open::<O>(window, ROW_BYTES + 2);
    }
    Some(blocks)
}

/// Loads the block that begins two bytes into `window`, if all its surrogates are in pairs.
#[inline(always)]
fn load_block<S: Shuffle, O: Order>(simd: S, window: &[u8; BLOCK + 2]) -> Option<S::Block> {
    let block = simd.load(part::<2, _>(window));
    paired::<S, O>(simd, block, simd.load(part::<0, _>(window)))
}

/// Returns the block, if all its surrogates are in pairs.
#[inline(always)]
fn paired<S: Shuffle, O: Order>(simd: S, block: S::Block, before: S::Block) -> Option<S::Block> {
    if all_paired::<S, O, 1>(simd, [block], [before]) { Some(block) } else { None }
}

/// Returns the first block of a text, if all its surrogates are in pairs.
#[inline(always)]
fn first_block<S: Shuffle, O: Order>(simd: S, block: S::Block) -> Option<S::Block> {
    paired::<S, O>(simd, block, simd.after_zeros::<2>(block))
}

/// Number of rows that are checked before the next row is tested for surrogates again.
const ROWS: usize = 16;

/// Returns the number of bytes of rows from `at` on that can be skipped: up to the last whole row,
/// or to some row before the first unpaired surrogate. For levels on which bitmaps are slow to get.
#[inline(always)]
fn paired_rows<S: Shuffle, O: Order>(simd: S, src: &[u8], at: usize) -> usize {
    let mut end = at;
    loop {
        if !is_open::<O>(src, end) {
            let rest = src.get(end..).unwrap_or_default();
            end = src.len() - after_calm_rows::<S, O>(simd, rest).len();
        }
        match run_of_rows::<S, O>(simd, src, end) {
            0 => return end - at,
            bytes => end += bytes,
        }
    }
}

/// Returns the number of bytes of whole rows from `at` on, at most [`ROWS`], or 0 if they have an
/// unpaired surrogate. The last row may end in a high surrogate.
#[inline(always)]
fn run_of_rows<S: Shuffle, O: Order>(simd: S, src: &[u8], at: usize) -> usize {
    let (lead, seven, eight) = (simd.splat(0xD8), simd.splat(7), simd.splat(8));
    let last = if is_open::<O>(src, at) { simd.splat(4) } else { simd.splat(0) };
    let (mut last, mut unpaired) = (last, simd.splat(0));
    let rows = src.get(at..).unwrap_or_default().as_chunks::<ROW_BYTES>().0;
    let rows = rows.get(..ROWS).unwrap_or(rows);
    for row in rows {
        for two in row.as_chunks().0 {
            // 0 to 3 for high surrogates, 4 to 7 for low ones, more for others; then only one of
            // the two values has bit 2.
            let kinds = simd.xor(load_high_bytes::<S, O>(simd, two), lead);
            let trails = simd.min(kinds, eight);
            let leads = turned(simd, simd.saturating_sub(seven, kinds));
            unpaired = simd.or(unpaired, simd.xor(trails, bytes_before(simd, leads, last)));
            last = leads;
        }
    }
    if simd.any_bit(simd.and(unpaired, simd.splat(4))) { 0 } else { rows.len() * ROW_BYTES }
}

/// Returns the length in bytes of the longest well-formed UTF-16 prefix of `src`.
///
/// The prefix ends at the first unpaired surrogate, before an incomplete pair or unit at the end,
/// or at the end.
#[inline(always)]
pub(crate) fn utf16_prefix<S: Shuffle, O: Order>(simd: S, src: &[u8]) -> usize {
    let src = src.get(..src.len() & !1).unwrap_or_default();
    let Some(first) = src.first_chunk() else {
        // The zeros at the end reveal an incomplete pair.
        let all = first_block::<S, O>(simd, simd.load_partial(src)).is_some();
        return if all { src.len() } else { finish_prefix::<O>(src, 0) };
    };
    if first_block::<S, O>(simd, simd.load(first)).is_none() {
        return finish_prefix::<O>(src, 0);
    }
    let mut at = first_step(src);
    if S::MASK_REGISTERS {
        at += paired_rows::<S, O>(simd, src, at);
    }
    let mut open = is_open::<O>(src, at);
    while let Some(window) = chunk_at!(src, at - 2) {
        if load_row::<S, O>(simd, window, &mut open).is_none() {
            return finish_prefix::<O>(src, at);
        }
        at += ROW_BYTES;
    }
    while let Some(window) = chunk_at!(src, at - 2) {
        if load_block::<S, O>(simd, window).is_none() {
            return finish_prefix::<O>(src, at);
        }
        at += BLOCK;
    }
    // The last block overlaps the one before.
    if at < src.len()
        && let Some(window) = src.last_chunk()
        && load_block::<S, O>(simd, window).is_none()
    {
        return finish_prefix::<O>(src, at);
    }
    border::<O>(src, src.len())
}

/// Returns the length of the prefix; everything before `at` is well-formed, except that a high
/// surrogate may come right before it.
#[cold]
#[inline(never)]
fn finish_prefix<O: Order>(src: &[u8], at: usize) -> usize {
    let at = border::<O>(src, at);
    at + portable::utf16_to_utf8::utf16_prefix::<O>(src.get(at..).unwrap_or_default())
}

/// Copies the longest well-formed UTF-16 prefix of `src` that fits into `dst`, from one byte order
/// to another.
#[inline(always)]
pub(crate) fn utf16_to_utf16<S: Shuffle, From: Order, To: Order>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    // The bytes that fit, except for a pair that the end of `dst` splits.
    let len = src.len().min(dst.len()) & !1;
    let (Some(src), Some(dst)) = (src.get(..len), dst.get_mut(..len)) else { return Moved::default() };
    let (Some(first), Some(out)) = (src.first_chunk(), dst.first_chunk_mut()) else {
        let Some(block) = first_block::<S, From>(simd, simd.load_partial(src)) else {
            return finish_copy::<From, To>(src, dst, 0);
        };
        simd.store_partial(turn16::<S, From, To>(simd, block), Slot::of(dst));
        return Moved { read: len, written: len };
    };
    let Some(block) = first_block::<S, From>(simd, simd.load(first)) else {
        return finish_copy::<From, To>(src, dst, 0);
    };
    simd.store(turn16::<S, From, To>(simd, block), Slot::of_array(out));
    let mut at = first_step(src);
    let mut open = is_open::<From>(src, at);
    while let (Some(window), Some(out)) = (chunk_at!(src, at - 2), chunk_at_mut!(dst, at, ROW_BYTES)) {
        let Some(blocks) = load_row::<S, From>(simd, window, &mut open) else {
            return finish_copy::<From, To>(src, dst, at);
        };
        let out = Slot::of_array(out);
        simd.store(turn16::<S, From, To>(simd, blocks[0]), part_mut::<0, _>(out));
        simd.store(turn16::<S, From, To>(simd, blocks[1]), part_mut::<64, _>(out));
        simd.store(turn16::<S, From, To>(simd, blocks[2]), part_mut::<128, _>(out));
        simd.store(turn16::<S, From, To>(simd, blocks[3]), part_mut::<192, _>(out));
        at += ROW_BYTES;
    }
    while at < len {
        // The last block overlaps the one before.
        let from = at.min(len - BLOCK);
        let (Some(window), Some(out)) = (chunk_at!(src, from - 2), chunk_at_mut!(dst, from)) else {
            break;
        };
        let Some(block) = load_block::<S, From>(simd, window) else {
            return finish_copy::<From, To>(src, dst, at);
        };
        simd.store(turn16::<S, From, To>(simd, block), Slot::of_array(out));
        at += BLOCK;
    }
    let len = border::<From>(src, len);
    Moved { read: len, written: len }
}

/// Copies in plain code from `at` on; everything before is well-formed, except that a high
/// surrogate may come right before it.
#[cold]
#[inline(never)]
fn finish_copy<From: Order, To: Order>(src: &[u8], dst: &mut [u8], at: usize) -> Moved {
    let at = border::<From>(src, at);
    let src = src.get(at..).unwrap_or_default();
    let Moved { read, written } =
        portable::wide::utf16_to_utf16::<From, To>(src, dst.get_mut(at..).unwrap_or_default());
    Moved { read: at + read, written: at + written }
}
