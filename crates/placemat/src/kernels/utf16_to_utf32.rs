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
use super::wide::{
    Order, all_paired, any_surrogate, border, distance, is_open, part, part_mut, turn16, turn32,
};
use crate::simd::{BLOCK, Shuffle};
use crate::unit::Le;

/// How many bytes are looked at together.
const ROW: usize = 4 * BLOCK;
/// What is added to a pair.
const PAIR: u32 = 0x1_0000u32.wrapping_sub(0xD800 << 10).wrapping_sub(0xDC00);

/// Converts the longest prefix of `src` that is well-formed UTF-16 and fits into `dst`.
#[inline(always)]
pub(crate) fn utf16_to_utf32<S: Shuffle, From: Order, To: Order>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let src = src.get(..src.len() & !1).unwrap_or_default();
    let Moved { mut read, mut written } = Moved::default();
    // Whether the block before ended in a lead surrogate.
    let mut open = false;
    'rows: loop {
        // Four blocks at a time, as long as there are no surrogates.
        while let (Some(blocks), Some(out)) = (
            src.get(read..).and_then(<[u8]>::first_chunk::<ROW>),
            dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<{ 2 * ROW }>),
        ) {
            let a = simd.load(part::<0, _>(blocks));
            let b = simd.load(part::<64, _>(blocks));
            let c = simd.load(part::<128, _>(blocks));
            let d = simd.load(part::<192, _>(blocks));
            let first = simd.min(distance::<S, From>(simd, a), distance::<S, From>(simd, b));
            let second = simd.min(distance::<S, From>(simd, c), distance::<S, From>(simd, d));
            if open || any_surrogate(simd, simd.min(first, second)) {
                break;
            }
            let [a, b, c, d] = [
                widen::<S, From, To>(simd, a),
                widen::<S, From, To>(simd, b),
                widen::<S, From, To>(simd, c),
                widen::<S, From, To>(simd, d),
            ];
            simd.store(a[0], part_mut::<0, _>(out));
            simd.store(a[1], part_mut::<64, _>(out));
            simd.store(b[0], part_mut::<128, _>(out));
            simd.store(b[1], part_mut::<192, _>(out));
            simd.store(c[0], part_mut::<256, _>(out));
            simd.store(c[1], part_mut::<320, _>(out));
            simd.store(d[0], part_mut::<384, _>(out));
            simd.store(d[1], part_mut::<448, _>(out));
            read += ROW;
            written += 2 * ROW;
        }
        // The same four one at a time.
        let mut left = 4;
        while let (Some(block), Some(out)) = (
            src.get(read..).and_then(<[u8]>::first_chunk),
            dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<128>),
        ) {
            let block = simd.load(block);
            if any_surrogate(simd, distance::<S, From>(simd, block)) {
                let before = units_before(simd, src, read, block);
                let opens = is_open::<From>(src, read + BLOCK);
                // Nothing but pairs, such as a run of emoji. If one is open, they are those of the units before, and the
                // last unit opens the next one.
                let pairs = only_pairs::<S, From>(simd, if open { before } else { block });
                if let (Some(code_points), true) = (pairs, open == opens) {
                    simd.store(turn32::<S, Le, To>(simd, code_points), part_mut::<0, _>(out));
                    written += BLOCK;
                } else if !all_paired::<S, From, 1>(simd, [block], [before]) {
                    return finish::<From, To>(src, dst, Moved { read, written });
                } else {
                    written += write_pairs::<S, From, To>(simd, block, before, u32::MAX, out);
                }
                open = opens;
            } else {
                if open {
                    return finish::<From, To>(src, dst, Moved { read, written });
                }
                let [first, second] = widen::<S, From, To>(simd, block);
                simd.store(first, part_mut::<0, _>(out));
                simd.store(second, part_mut::<64, _>(out));
                written += 2 * BLOCK;
            }
            read += BLOCK;
            left -= 1;
            if left == 0 {
                continue 'rows;
            }
        }
        // Less than a block is left, or less room than a block can take.
        let rest = src.get(read..).unwrap_or_default();
        if rest.is_empty() {
            return Moved { read: border::<From>(src, read), written };
        }
        let block = match rest.first_chunk() {
            Some(block) => simd.load(block),
            None => simd.load_partial(rest),
        };
        let before = units_before(simd, src, read, block);
        // Zeros at the end show a pair that is cut off.
        if !all_paired::<S, From, 1>(simd, [block], [before]) {
            return finish::<From, To>(src, dst, Moved { read, written });
        }
        let new = rest.len().min(BLOCK);
        let mut out = [0; 128];
        let which = u32::MAX >> (32 - new / 2);
        let count = write_pairs::<S, From, To>(simd, block, before, which, &mut out);
        let Some(room) = dst.get_mut(written..written + count) else {
            return finish::<From, To>(src, dst, Moved { read, written });
        };
        simd.store_partial(simd.load(part::<0, _>(&out)), room);
        if let Some(room) = room.get_mut(BLOCK..) {
            simd.store_partial(simd.load(part::<64, _>(&out)), room);
        }
        open = is_open::<From>(src, read + new);
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

/// The code points of a block if it is nothing but pairs.
#[inline(always)]
fn only_pairs<S: Shuffle, From: Order>(simd: S, block: S::Block) -> Option<S::Block> {
    let lanes = turn16::<S, From, Le>(simd, block);
    let other = simd.and(simd.xor(lanes, simd.splat32(0xDC00_D800)), simd.splat32(0xFC00_FC00));
    if simd.any_bit(other) {
        return None;
    }
    let leads = simd.shr32::<6>(simd.shl32::<16>(lanes));
    let sum = simd.add32(leads, simd.shr32::<16>(lanes));
    Some(simd.add32(sum, simd.splat32(PAIR)))
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

/// The rest in plain code, where all is well so far but for a lead surrogate that may wait.
#[cold]
#[inline(never)]
fn finish<From: Order, To: Order>(src: &[u8], dst: &mut [u8], moved: Moved) -> Moved {
    let read = border::<From>(src, moved.read);
    let rest = portable::wide::utf16_to_utf32::<From, To>(
        src.get(read..).unwrap_or_default(),
        dst.get_mut(moved.written..).unwrap_or_default(),
    );
    Moved { read: read + rest.read, written: moved.written + rest.written }
}
