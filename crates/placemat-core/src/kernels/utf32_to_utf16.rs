//! Validating conversion of UTF-32 to UTF-16, from either byte order to either.
//!
//! Two blocks without code points above U+FFFF are narrowed to one, which is tested for surrogates.
//! In other blocks a code point above U+FFFF becomes a lane of two units, `high | low << 16`, and
//! packing drops second halves that are zero. The units are `c >> 10` plus `D7C0`, which includes
//! the subtraction of 10000, and `c & 3FF` plus `DC00`.

use super::Moved;
use super::portable;
use super::utf32::{all_scalar_values, rank};
use super::wide::{Order, any_surrogate, distance, part, turn16, turn32};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::unit::Le;
use crate::simd::{BLOCK, Shuffle, Slot};

/// Converts the longest well-formed UTF-32 prefix of `src` that fits into `dst`.
#[inline(always)]
pub(crate) fn utf32_to_utf16<S: Shuffle, From: Order, To: Order>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let src = src.get(..src.len() & !3).unwrap_or_default();
    let Moved { mut read, mut written } = Moved::default();
    while let (Some(blocks), Some(out)) = (chunk_at!(src, read, 128), chunk_at_mut!(dst, written)) {
        let first = turn32::<S, From, Le>(simd, simd.load(part::<0, _>(blocks)));
        let second = turn32::<S, From, Le>(simd, simd.load(part::<64, _>(blocks)));
        if has_pair(simd, simd.or(first, second)) {
            let Some(out) = chunk_at_mut!(dst, written, 128) else { break };
            if !all_scalar_values(simd, simd.max32(rank(simd, first), rank(simd, second))) {
                return finish::<From, To>(src, dst, Moved { read, written });
            }
            let mut count = 0;
            for lanes in [first, second] {
                let Some(out) = chunk_at_mut!(out, count) else {
                    return finish::<From, To>(src, dst, Moved { read, written });
                };
                // Without mask registers, packing costs more than a misprediction; with them it
                // does not: `lab/utf32_to_utf16.md`.
                if !S::MASK_REGISTERS && !has_pair(simd, lanes) {
                    let units = simd.narrow32(lanes, lanes);
                    simd.store_whole(turn16::<S, Le, To>(simd, units), Slot::of_array(out));
                    count += BLOCK / 2;
                } else {
                    count += 2 * simd.pack_halves(halves::<S, To>(simd, lanes), Slot::of_array(out));
                }
            }
            written += count;
        } else {
            let units = simd.narrow32(first, second);
            if any_surrogate(simd, distance::<S, Le>(simd, units)) {
                return finish::<From, To>(src, dst, Moved { read, written });
            }
            simd.store_whole(turn16::<S, Le, To>(simd, units), Slot::of_array(out));
            written += BLOCK;
        }
        read += 128;
    }
    // Less than two blocks are left, or less room than they may need.
    while read < src.len() {
        let rest = src.get(read..).unwrap_or_default();
        let block = match rest.first_chunk() {
            Some(block) => simd.load(block),
            None => simd.load_partial(rest),
        };
        let lanes = turn32::<S, From, Le>(simd, block);
        if !all_scalar_values(simd, rank(simd, lanes)) {
            return finish::<From, To>(src, dst, Moved { read, written });
        }
        // Each lane of padding has produced one unit.
        let filler = BLOCK.saturating_sub(rest.len()) / 4;
        let mut out = [0; BLOCK];
        let count = 2 * (simd.pack_halves(halves::<S, To>(simd, lanes), Slot::of_array(&mut out)) - filler);
        let Some(room) = dst.get_mut(written..written + count) else {
            return finish::<From, To>(src, dst, Moved { read, written });
        };
        simd.store_partial(simd.load(&out), Slot::of(room));
        read += BLOCK - 4 * filler;
        written += count;
    }
    Moved { read, written }
}

/// Whether a lane needs more than one unit.
#[inline(always)]
fn has_pair<S: Shuffle>(simd: S, lanes: S::Block) -> bool {
    simd.any_bit(simd.and(lanes, simd.splat32(0xFFFF_0000)))
}

/// Converts lanes to one or two units each, in byte order `To`; if two, neither is zero.
#[inline(always)]
fn halves<S: Shuffle, To: Order>(simd: S, lanes: S::Block) -> S::Block {
    let lead = simd.shr32::<10>(lanes);
    let trail = simd.shl32::<16>(simd.and(lanes, simd.splat32(0x3FF)));
    let pair = simd.add32(simd.or(lead, trail), simd.splat32(0xDC00_D7C0));
    let longer = simd.ge32(lanes, simd.splat32(0x1_0000));
    turn16::<S, Le, To>(simd, simd.select32(longer, pair, lanes))
}

/// Converts the rest in plain code; everything before `moved` is well-formed.
#[cold]
#[inline(never)]
fn finish<From: Order, To: Order>(src: &[u8], dst: &mut [u8], moved: Moved) -> Moved {
    let rest = portable::wide::utf32_to_utf16::<From, To>(
        src.get(moved.read..).unwrap_or_default(),
        dst.get_mut(moved.written..).unwrap_or_default(),
    );
    Moved { read: moved.read + rest.read, written: moved.written + rest.written }
}
