//! UTF-16 to UTF-32, checking, from either byte order to either.
//!
//! Blocks without surrogates are widened and stored. In two blocks with surrogates, each unit becomes the lane that it
//! would end: a trail surrogate the code point of its pair, with the units one before from a second load, any other unit
//! itself; and the lanes of lead surrogates are left out when the lanes are packed. A pair across two blocks is nothing
//! special then, and where the next block begins does not depend on the text.
//!
//! Two blocks of nothing but pairs are lanes already.
//!
//! The halves of such a lane are made while units have 16 bits. With the pair `h`, `l` they are
//! `h << 10 | l & 3FF`, of which the lowest 16 bits remain, and `(h - D7C0) >> 6`, since D7C0 is D800 less 10000 >> 10.
//!
//! Tried and slower (2026-11-21, Zen 4, AVX-512, gigabytes of UTF-16 per second on JSON with some emoji, now 20.6): sums in
//! lanes of 32 bits, 13.7; four blocks at a time, all in the same way, 18.5, and each for itself, 22.4, but 11.2 on emoji
//! where there are few other characters, for 13.8, which runs of pairs raise to 34.

use super::Moved;
use super::portable;
use super::wide::{Order, any_surrogate, border, distance, is_open, part, part_mut, turn16, turn32};
use crate::simd::{BLOCK, Shuffle};
use crate::unit::Le;

/// How many bytes are looked at together.
const ROW: usize = 2 * BLOCK;
/// What is added to the pair `D800 + h, DC00 + l` as `h << 10` and `l` to make its code point.
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
    // Whether there are surrogates is hard to foresee in many texts, so it is asked of two blocks together.
    while let (Some(row), Some(out)) = (
        src.get(read..).and_then(<[u8]>::first_chunk::<ROW>),
        dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<{ 2 * ROW }>),
    ) {
        let blocks = [simd.load(part::<0, _>(row)), simd.load(part::<64, _>(row))];
        let [a, b] = blocks;
        let distance = simd.min(distance::<S, From>(simd, a), distance::<S, From>(simd, b));
        if open || any_surrogate(simd, distance) {
            let before = [units_before(simd, src, read, a), simd.load(part::<62, _>(row))];
            let (opens, mut len) = (is_open::<From>(row, ROW), 0);
            // Nothing but pairs, such as a run of emoji. If one is open, they are those of the units before, and the last
            // unit opens the next one.
            let pairs = if open == opens && (open || is_open::<From>(row, 2)) {
                only_pairs::<S, From>(simd, if open { before } else { blocks })
            } else {
                None
            };
            if let Some(code_points) = pairs {
                simd.store(turn32::<S, Le, To>(simd, code_points[0]), part_mut::<0, _>(out));
                simd.store(turn32::<S, Le, To>(simd, code_points[1]), part_mut::<64, _>(out));
                written += ROW;
            } else {
                for i in 0..2 {
                    let rest = out.get_mut(len..).and_then(<[u8]>::first_chunk_mut);
                    let Some(rest) = rest else { unreachable!() };
                    let Some(more) = write_pairs::<S, From, To>(simd, blocks[i], before[i], u32::MAX, rest)
                    else {
                        return finish::<From, To>(src, dst, Moved { read, written });
                    };
                    len += more;
                }
                written += len;
            }
            open = opens;
        } else {
            let [a, b] = [widen::<S, From, To>(simd, a), widen::<S, From, To>(simd, b)];
            simd.store(a[0], part_mut::<0, _>(out));
            simd.store(a[1], part_mut::<64, _>(out));
            simd.store(b[0], part_mut::<128, _>(out));
            simd.store(b[1], part_mut::<192, _>(out));
            written += 2 * ROW;
        }
        read += ROW;
    }
    loop {
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
        let new = rest.len().min(BLOCK);
        let mut out = [0; 128];
        let which = u32::MAX >> (32 - new / 2);
        // Zeros at the end show a pair that is cut off.
        let Some(count) = write_pairs::<S, From, To>(simd, block, before, which, &mut out) else {
            return finish::<From, To>(src, dst, Moved { read, written });
        };
        let Some(room) = dst.get_mut(written..written + count) else {
            return finish::<From, To>(src, dst, Moved { read, written });
        };
        simd.store_partial(simd.load(part::<0, _>(&out)), room);
        if let Some(room) = room.get_mut(BLOCK..) {
            simd.store_partial(simd.load(part::<64, _>(&out)), room);
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

/// The code points of two blocks if they are nothing but pairs.
#[inline(always)]
fn only_pairs<S: Shuffle, From: Order>(simd: S, blocks: [S::Block; 2]) -> Option<[S::Block; 2]> {
    let [a, b] = [turn16::<S, From, Le>(simd, blocks[0]), turn16::<S, From, Le>(simd, blocks[1])];
    let kind = simd.splat32(0xDC00_D800);
    let other = simd.or(simd.xor(a, kind), simd.xor(b, kind));
    if simd.any_bit(simd.and(other, simd.splat32(0xFC00_FC00))) {
        return None;
    }
    Some([pairs_of(simd, a), pairs_of(simd, b)])
}

/// The code points of pairs, `h << 10` and `l` and a constant.
#[inline(always)]
fn pairs_of<S: Shuffle>(simd: S, lanes: S::Block) -> S::Block {
    let leads = simd.shr32::<6>(simd.shl32::<16>(lanes));
    let sum = simd.add32(leads, simd.shr32::<16>(lanes));
    simd.add32(sum, simd.splat32(PAIR))
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

/// Writes the code points that end in a block, in those of its units that `which` has ones for. Returns bytes, or `None`
/// if there is a surrogate that is in no pair.
#[inline(always)]
fn write_pairs<S: Shuffle, From: Order, To: Order>(
    simd: S,
    block: S::Block,
    before: S::Block,
    which: u32,
    out: &mut [u8; 128],
) -> Option<usize> {
    let (units, before) = (turn16::<S, From, Le>(simd, block), turn16::<S, From, Le>(simd, before));
    let kind = simd.splat16(0xFC00);
    let before_kind = simd.and(before, kind);
    let unit_kind = simd.and(units, kind);
    let trails = simd.eq16(unit_kind, simd.splat16(0xDC00));
    if simd.bits16(trails) != simd.bits16(simd.eq16(before_kind, simd.splat16(0xD800))) {
        return None;
    }
    let ends = !simd.bits16(simd.eq16(unit_kind, simd.splat16(0xD800)));
    let pair = simd.or(simd.shl16::<10>(before), simd.and(units, simd.splat16(0x03FF)));
    let low = simd.select16(trails, pair, units);
    let high = simd.keep16(trails, simd.shr16::<6>(simd.sub16(before, simd.splat16(0xD7C0))));
    let lanes =
        if To::SWAP { simd.zip16(simd.swap16(high), simd.swap16(low)) } else { simd.zip16(low, high) };
    let ends = ends & which;
    let first = 4 * simd.pack_lanes32(lanes[0], ends & 0xFFFF, part_mut::<0, _>(out));
    let out = out.get_mut(first..).and_then(<[u8]>::first_chunk_mut)?;
    Some(first + 4 * simd.pack_lanes32(lanes[1], ends >> 16, out))
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
