//! UTF-16: validating, and copying in either byte order.
//!
//! Well-formed means that a trail surrogate comes after each lead surrogate and nowhere else: as bitmaps of a block,
//! `lead << 1 | open == trail`, where `open` is whether the block before ended in a lead surrogate. Most texts have
//! few surrogates, so four blocks are looked at together for any, and taken one by one only if there are some.
//!
//! What fails is left to portable code from the last border of a code point, at most four blocks back.

use super::Moved;
use super::portable;
use super::wide::{Open, Order, Surrogates, part, part_mut, surrogates, turn16};
use crate::simd::{BLOCK, Shuffle};

/// How many bytes are looked at together.
const ROW: usize = 4 * BLOCK;

/// Where surrogates are in any of four blocks.
#[inline(always)]
fn any_surrogate<S: Shuffle, O: Order>(simd: S, blocks: [S::Block; 4]) -> bool {
    let [a, b, c, d] = blocks;
    let first = simd.either(surrogates::<S, O>(simd, a), surrogates::<S, O>(simd, b));
    let second = simd.either(surrogates::<S, O>(simd, c), surrogates::<S, O>(simd, d));
    simd.any(simd.either(first, second))
}

/// Ones where surrogates of four blocks are not paired.
#[inline(always)]
fn unpaired<S: Shuffle, O: Order>(simd: S, blocks: [S::Block; 4], open: &mut Open) -> u64 {
    let [a, b, c, d] = blocks;
    let first =
        Surrogates::of::<S, O>(simd, a).unpaired(open) | Surrogates::of::<S, O>(simd, b).unpaired(open);
    let second =
        Surrogates::of::<S, O>(simd, c).unpaired(open) | Surrogates::of::<S, O>(simd, d).unpaired(open);
    first | second
}

/// The four blocks of a row.
#[inline(always)]
fn load_row<S: Shuffle>(simd: S, row: &[u8; ROW]) -> [S::Block; 4] {
    [
        simd.load(part::<0, _>(row)),
        simd.load(part::<64, _>(row)),
        simd.load(part::<128, _>(row)),
        simd.load(part::<192, _>(row)),
    ]
}

/// Length in bytes of the longest prefix of `src` that is well-formed UTF-16.
///
/// It ends at the first surrogate that is not in a pair, at a pair or a unit that is cut off by the end, or at the end.
#[inline(always)]
pub(crate) fn utf16_prefix<S: Shuffle, O: Order>(simd: S, src: &[u8]) -> usize {
    let src = src.get(..src.len() & !1).unwrap_or_default();
    let mut open = Open::default();
    let mut at = 0;
    while let Some(row) = src.get(at..).and_then(<[u8]>::first_chunk::<ROW>) {
        let blocks = load_row(simd, row);
        if any_surrogate::<S, O>(simd, blocks) {
            if unpaired::<S, O>(simd, blocks, &mut open) != 0 {
                return finish_prefix::<O>(src, at);
            }
        } else if open.is_open() {
            return finish_prefix::<O>(src, at);
        }
        at += ROW;
    }
    while let Some(block) = src.get(at..).and_then(<[u8]>::first_chunk::<BLOCK>) {
        if Surrogates::of::<S, O>(simd, simd.load(block)).unpaired(&mut open) != 0 {
            return finish_prefix::<O>(src, at);
        }
        at += BLOCK;
    }
    let rest = src.get(at..).unwrap_or_default();
    if !rest.is_empty() {
        // Zeros at the end show a pair that is cut off.
        let block = match src.last_chunk::<BLOCK>() {
            Some(last) => {
                at = src.len() - BLOCK;
                open = Open::before::<O>(src, at);
                simd.load(last)
            }
            None => simd.load_partial(rest),
        };
        if Surrogates::of::<S, O>(simd, block).unpaired(&mut open) != 0 {
            return finish_prefix::<O>(src, at);
        }
    }
    src.len() - open.len()
}

/// The prefix, where all is well before `at` but for a lead surrogate that may be right before it.
#[cold]
#[inline(never)]
fn finish_prefix<O: Order>(src: &[u8], at: usize) -> usize {
    let border = at - Open::before::<O>(src, at).len();
    border + portable::utf16_to_utf8::utf16_prefix::<O>(src.get(border..).unwrap_or_default())
}

/// Copies the longest prefix of `src` that is well-formed UTF-16 and fits into `dst`, from one byte order to another.
#[inline(always)]
pub(crate) fn utf16_to_utf16<S: Shuffle, From: Order, To: Order>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    // As much as fits, but for a pair that is cut in two.
    let len = src.len().min(dst.len()) & !1;
    let (Some(src), Some(dst)) = (src.get(..len), dst.get_mut(..len)) else { unreachable!() };
    let mut open = Open::default();
    let mut at = 0;
    while let (Some(row), Some(out)) = (
        src.get(at..).and_then(<[u8]>::first_chunk::<ROW>),
        dst.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<ROW>),
    ) {
        let blocks = load_row(simd, row);
        if any_surrogate::<S, From>(simd, blocks) {
            if unpaired::<S, From>(simd, blocks, &mut open) != 0 {
                return finish_copy::<From, To>(src, dst, at);
            }
        } else if open.is_open() {
            return finish_copy::<From, To>(src, dst, at);
        }
        simd.store(turn16::<S, From, To>(simd, blocks[0]), part_mut::<0, _>(out));
        simd.store(turn16::<S, From, To>(simd, blocks[1]), part_mut::<64, _>(out));
        simd.store(turn16::<S, From, To>(simd, blocks[2]), part_mut::<128, _>(out));
        simd.store(turn16::<S, From, To>(simd, blocks[3]), part_mut::<192, _>(out));
        at += ROW;
    }
    while let (Some(block), Some(out)) =
        (src.get(at..).and_then(<[u8]>::first_chunk), dst.get_mut(at..).and_then(<[u8]>::first_chunk_mut))
    {
        let block = simd.load(block);
        if Surrogates::of::<S, From>(simd, block).unpaired(&mut open) != 0 {
            return finish_copy::<From, To>(src, dst, at);
        }
        simd.store(turn16::<S, From, To>(simd, block), out);
        at += BLOCK;
    }
    if at < len {
        if let (Some(last), Some(out)) = (src.last_chunk(), dst.last_chunk_mut()) {
            at = len - BLOCK;
            open = Open::before::<From>(src, at);
            let block = simd.load(last);
            if Surrogates::of::<S, From>(simd, block).unpaired(&mut open) != 0 {
                return finish_copy::<From, To>(src, dst, at);
            }
            simd.store(turn16::<S, From, To>(simd, block), out);
        } else {
            let block = simd.load_partial(src);
            if Surrogates::of::<S, From>(simd, block).unpaired(&mut open) != 0 {
                return finish_copy::<From, To>(src, dst, at);
            }
            simd.store_partial(turn16::<S, From, To>(simd, block), dst);
        }
    }
    let len = len - open.len();
    Moved { read: len, written: len }
}

/// The rest of a copy, where all is well before `at` but for a lead surrogate that may be right before it.
#[cold]
#[inline(never)]
fn finish_copy<From: Order, To: Order>(src: &[u8], dst: &mut [u8], at: usize) -> Moved {
    let border = at - Open::before::<From>(src, at).len();
    let src = src.get(border..).unwrap_or_default();
    let Moved { read, written } =
        portable::wide::utf16_to_utf16::<From, To>(src, dst.get_mut(border..).unwrap_or_default());
    Moved { read: border + read, written: border + written }
}
