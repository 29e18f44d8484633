//! UTF-16 to UTF-32, checking, from either byte order to either.
//!
//! Blocks without surrogates are widened and stored. In two blocks with surrogates, each unit becomes the lane that it
//! would end: a trail surrogate the code point of its pair, with the units one before from a second load, any other unit
//! itself; and the lanes of lead surrogates are left out when the lanes are packed. A pair across two blocks is nothing
//! special then, and where the next block begins does not depend on the text.
//!
//! Two blocks of nothing but pairs are lanes already.
//!
//! Text without surrogates is bound by how fast results are written, so the code for surrogates is a function of its own,
//! for stretches with some: on AVX2, with all in one loop, constants had no registers, and it was 0.92 of that bound.
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
use crate::ground::chunk::chunk_at_mut;
use crate::ground::unit::Le;
use crate::simd::{Apart, BLOCK, Shuffle};
use core::marker::PhantomData;

/// Bytes in one check.
const ROW: usize = 2 * BLOCK;
/// After how many rows without surrogates none are expected any more.
const WITHOUT: u32 = 4;
/// The number that makes the code point of the pair `D800 + h, DC00 + l` when it is added to `h << 10` and `l`.
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
    while let Some((row, out)) = row(src, dst, read, written) {
        let blocks = [simd.load(part::<0, _>(row)), simd.load(part::<64, _>(row))];
        if has_surrogate::<S, From>(simd, blocks) {
            // Elsewhere, so that it takes no registers here.
            let rest = dst.get_mut(written..).unwrap_or_default();
            let moved = simd.apart::<Mixed<From, To>>(src.get(read..).unwrap_or_default(), rest);
            read += moved.read;
            written += moved.written;
            if moved.read < ROW {
                break;
            }
        } else {
            write_row::<S, From, To>(simd, blocks, out);
            read += ROW;
            written += 2 * ROW;
        }
    }
    // An end of less than a row is done with the units before it, which are written again.
    if let Some(back) = (read + ROW).checked_sub(src.len())
        && let Some(row) = src.last_chunk::<ROW>()
        && let blocks = [simd.load(part::<0, _>(row)), simd.load(part::<64, _>(row))]
        && !has_surrogate::<S, From>(simd, blocks)
        && let Some(out) = chunk_at_mut!(dst, written.wrapping_sub(2 * back))
    {
        write_row::<S, From, To>(simd, blocks, out);
        return Moved { read: src.len(), written: written + 2 * (ROW - back) };
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

/// The row at `read`, and the room for it, if there are both.
#[inline(always)]
fn row<'a, 'b>(
    src: &'a [u8],
    dst: &'b mut [u8],
    read: usize,
    written: usize,
) -> Option<(&'a [u8; ROW], &'b mut [u8; 2 * ROW])> {
    Some((src.get(read..)?.first_chunk()?, dst.get_mut(written..)?.first_chunk_mut()?))
}

/// Whether there is a surrogate. That is hard to foresee in many texts, so it is asked of two blocks together.
#[inline(always)]
fn has_surrogate<S: Shuffle, From: Order>(simd: S, [a, b]: [S::Block; 2]) -> bool {
    any_surrogate(simd, simd.min(distance::<S, From>(simd, a), distance::<S, From>(simd, b)))
}

/// Writes two blocks without surrogates.
#[inline(always)]
fn write_row<S: Shuffle, From: Order, To: Order>(simd: S, [a, b]: [S::Block; 2], out: &mut [u8; 2 * ROW]) {
    let [a, b] = [widen::<S, From, To>(simd, a), widen::<S, From, To>(simd, b)];
    simd.store(a[0], part_mut::<0, _>(out));
    simd.store(a[1], part_mut::<64, _>(out));
    simd.store(b[0], part_mut::<128, _>(out));
    simd.store(b[1], part_mut::<192, _>(out));
}

/// A stretch with surrogates. It ends, on a code point border, where for some time there were none, or where a row is not
/// well-formed or has no room.
struct Mixed<From, To>(PhantomData<(From, To)>);

impl<From: Order, To: Order> Apart for Mixed<From, To> {
    type Moved = Moved;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
        let Moved { mut read, mut written } = Moved::default();
        // Whether the row before ended in a lead surrogate, and how many rows had no surrogate.
        let (mut open, mut without) = (false, 0);
        while without < WITHOUT
            && let Some((row, out)) = row(src, dst, read, written)
        {
            let blocks = [simd.load(part::<0, _>(row)), simd.load(part::<64, _>(row))];
            if open || has_surrogate::<S, From>(simd, blocks) {
                let before = [units_before(simd, src, read, blocks[0]), simd.load(part::<62, _>(row))];
                let opens = is_open::<From>(row, ROW);
                // Nothing but pairs, such as a run of emoji. If one is open, they are those of the units before, and the
                // last unit opens the next one.
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
                    let Some(len) = write_row_with_pairs::<S, From, To>(simd, blocks, before, out) else {
                        break;
                    };
                    written += len;
                }
                (open, without) = (opens, 0);
            } else {
                write_row::<S, From, To>(simd, blocks, out);
                written += 2 * ROW;
                without += 1;
            }
            read += ROW;
        }
        Moved { read: border::<From>(src, read), written }
    }
}

/// Writes the code points that end in two blocks. Returns bytes, or `None` if there is a surrogate that is in no pair.
#[inline(always)]
fn write_row_with_pairs<S: Shuffle, From: Order, To: Order>(
    simd: S,
    blocks: [S::Block; 2],
    before: [S::Block; 2],
    out: &mut [u8; 2 * ROW],
) -> Option<usize> {
    let mut len = 0;
    for i in 0..2 {
        let rest = chunk_at_mut!(out, len);
        let Some(rest) = rest else { unreachable!() };
        len += write_pairs::<S, From, To>(simd, blocks[i], before[i], u32::MAX, rest)?;
    }
    Some(len)
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
    let out = chunk_at_mut!(out, first)?;
    Some(first + 4 * simd.pack_lanes32(lanes[1], ends >> 16, out))
}

/// Finishes the conversion in plain code after `moved`, up to which all is well-formed but for a lead surrogate that may
/// wait.
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
