//! UTF-16 to UTF-32, checking, from either byte order to either.
//!
//! A block without surrogates is widened and stored. In one with surrogates, each unit becomes the lane that it would
//! end: a trail surrogate the code point of its pair, with the units one before from a second load, any other unit
//! itself; and the lanes of lead surrogates are left out when the lanes are packed. A pair across two blocks is nothing
//! special then, and where the next block begins does not depend on the text.
//!
//! With `before << 10 + unit` the pair `D800 + h, DC00 + l` is `h << 10 + l + (D800 << 10) + DC00`, so one more sum
//! gives its code point, `10000 + h << 10 + l`.

use super::Moved;
use super::portable;
use super::wide::{Open, Order, Surrogates, surrogates, turn16, turn32};
use crate::simd::{BLOCK, Shuffle};
use crate::unit::Le;

/// What is added to a pair.
const PAIR: u32 = 0x1_0000u32.wrapping_sub(0xD800 << 10).wrapping_sub(0xDC00);

/// Converts the longest prefix of `src` that is well-formed UTF-16 and fits into `dst`.
#[inline(always)]
pub(crate) fn utf16_to_utf32<S: Shuffle, From: Order, To: Order>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let len = src.len() & !1;
    let src = src.get(..len).unwrap_or_default();
    let Moved { mut read, mut written } = Moved::default();
    let mut open = Open::default();
    loop {
        while let (Some(block), Some(out)) = (
            src.get(read..).and_then(<[u8]>::first_chunk),
            dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<128>),
        ) {
            let block = simd.load(block);
            if simd.any(surrogates::<S, From>(simd, block)) {
                let before = open;
                if Surrogates::of::<S, From>(simd, block).unpaired(&mut open) != 0 {
                    return finish::<From, To>(src, dst, Moved { read, written }, before);
                }
                let back = units_before(simd, src, read, block);
                written += write_pairs::<S, From, To>(simd, block, back, u32::MAX, out);
            } else {
                if open.is_open() {
                    return finish::<From, To>(src, dst, Moved { read, written }, open);
                }
                let [first, second] = widen::<S, From, To>(simd, block);
                let ([to_first, to_second], []) = out.as_chunks_mut() else { unreachable!() };
                simd.store(first, to_first);
                simd.store(second, to_second);
                written += 2 * BLOCK;
            }
            read += BLOCK;
        }
        // Less than a block is left, or less room than a block can take.
        let rest = src.get(read..).unwrap_or_default();
        if rest.is_empty() {
            return Moved { read: read - open.len(), written };
        }
        let block = match rest.first_chunk() {
            Some(block) => simd.load(block),
            None => simd.load_partial(rest),
        };
        let new = rest.len().min(BLOCK);
        let before = open;
        // Zeros at the end show a pair that is cut off.
        if Surrogates::of::<S, From>(simd, block).unpaired(&mut open) != 0 {
            return finish::<From, To>(src, dst, Moved { read, written }, before);
        }
        let mut out = [0; 128];
        let back = units_before(simd, src, read, block);
        let which = u32::MAX >> (32 - new / 2);
        let count = write_pairs::<S, From, To>(simd, block, back, which, &mut out);
        let Some(room) = dst.get_mut(written..written + count) else {
            return finish::<From, To>(src, dst, Moved { read, written }, before);
        };
        let ([first, second], []) = out.as_chunks() else { unreachable!() };
        simd.store_partial(simd.load(first), room);
        if let Some(room) = room.get_mut(BLOCK..) {
            simd.store_partial(simd.load(second), room);
        }
        read += new;
        written += count;
    }
}

/// The units one before those of the block at `at`.
#[inline(always)]
fn units_before<S: Shuffle>(simd: S, src: &[u8], at: usize, block: S::Block) -> S::Block {
    match at.checked_sub(2).and_then(|at| src.get(at..)) {
        Some(back) => match back.first_chunk() {
            Some(back) => simd.load(back),
            None => simd.load_partial(back),
        },
        None => simd.after_zeros::<2>(block),
    }
}

/// The units of a block as code points.
#[inline(always)]
fn widen<S: Shuffle, From: Order, To: Order>(simd: S, block: S::Block) -> [S::Block; 2] {
    if To::SWAP {
        simd.zip16(simd.splat(0), turn16::<S, From, To>(simd, block))
    } else {
        simd.widen16(turn16::<S, From, To>(simd, block))
    }
}

/// Writes the code points that end in a block, in those of its units that `which` has ones for. Returns bytes.
#[inline(always)]
fn write_pairs<S: Shuffle, From: Order, To: Order>(
    simd: S,
    block: S::Block,
    before: S::Block,
    which: u32,
    out: &mut [u8; 128],
) -> usize {
    let units = simd.widen16(turn16::<S, From, Le>(simd, block));
    let before = simd.widen16(turn16::<S, From, Le>(simd, before));
    let mut written = 0;
    for i in 0..2 {
        let kind = simd.and(units[i], simd.splat32(0xFC00));
        let leads = simd.bits32(simd.eq32(kind, simd.splat32(0xD800)));
        let trails = simd.eq32(kind, simd.splat32(0xDC00));
        let more = simd.add32(simd.shl32::<10>(before[i]), simd.splat32(PAIR));
        let lanes = turn32::<S, Le, To>(simd, simd.add32(units[i], simd.keep32(trails, more)));
        if let Some(out) = out.get_mut(written..).and_then(<[u8]>::first_chunk_mut) {
            written += 4 * simd.pack_lanes32(lanes, !leads & (which >> (16 * i)) & 0xFFFF, out);
        }
    }
    written
}

/// The rest in plain code, where all is well so far but for a lead surrogate that may be `open`.
#[cold]
#[inline(never)]
fn finish<From: Order, To: Order>(src: &[u8], dst: &mut [u8], moved: Moved, open: Open) -> Moved {
    let read = moved.read - open.len();
    let rest = portable::wide::utf16_to_utf32::<From, To>(
        src.get(read..).unwrap_or_default(),
        dst.get_mut(moved.written..).unwrap_or_default(),
    );
    Moved { read: read + rest.read, written: moved.written + rest.written }
}
