//! Conversion of single-byte encodings to UTF-16.
//!
//! Two tables of 256 bytes contain the low and the high byte of each code unit. 64 bytes are looked
//! up at a time, and zipped. The byte order is the order of the planes, so the code serves both. As
//! in [`to_utf8`](super::to_utf8), ASCII and Latin-1 need no lookups, and on levels with slow
//! lookups, letters from C0 up need less than half of them. There, the portable kernel converts
//! encodings without ASCII; on levels with 16-byte registers it converts all of them, because the
//! gain is small and the code long.

use super::maps::SingleByteUnits;
use super::plane::{Plane, are_letters, has_controls};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::kernels::wide::part_mut;
use crate::kernels::{Moved, portable};
use crate::simd::{BLOCK, Shuffle, Slot};

/// Writes a block. Returns whether all its bytes are defined.
#[inline(always)]
fn write<S: Shuffle>(
    simd: S,
    table: &SingleByteUnits,
    [low, high]: &[Plane<S>; 2],
    big: bool,
    bytes: S::Block,
    out: &mut [u8; 2 * BLOCK],
) -> bool {
    let zero = simd.splat(0);
    let bytes = simd.order_for_zip(bytes);
    let upper = simd.high_bit(bytes);
    let is_latin1 = table.ascii && !simd.any(upper)
        || !S::FAST_LOOKUP128 && table.mostly_latin1 && !has_controls(simd, bytes);
    let (low, high) = if is_latin1 {
        (bytes, zero)
    } else {
        let (low, high) = if S::FAST_LOOKUP128 {
            (low.look_up::<false>(simd, bytes, upper, bytes), high.look_up::<false>(simd, bytes, upper, zero))
        } else {
            let letters = are_letters(simd, bytes);
            let low = low.look_up_letters::<true>(simd, bytes, upper, bytes, letters);
            (low, high.look_up_letters::<true>(simd, bytes, upper, zero, letters))
        };
        if simd.any(simd.eq(simd.and(low, high), simd.splat(0xFF))) {
            return false;
        }
        (low, high)
    };
    let (first, second) = if big { (high, low) } else { (low, high) };
    let [first, second] = simd.zip8_ordered(first, second);
    let out = Slot::of_array(out);
    simd.store(first, part_mut::<0, { 2 * BLOCK }>(out));
    simd.store(second, part_mut::<BLOCK, { 2 * BLOCK }>(out));
    true
}

/// Converts the longest prefix that is defined and fits, to big-endian units if `big`.
#[inline(always)]
pub(crate) fn single_byte_to_utf16<S: Shuffle>(
    simd: S,
    table: &SingleByteUnits,
    big: bool,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let len = src.len().min(dst.len() / 2);
    let mut at = 0;
    if len >= BLOCK && (S::FAST_LOOKUP128 || table.ascii) {
        let planes = [Plane::new(simd, &table.low), Plane::new(simd, &table.high)];
        while at < len {
            // The last block overlaps the one before.
            let from = at.min(len - BLOCK);
            let (Some(block), Some(out)) = (chunk_at!(src, from), chunk_at_mut!(dst, 2 * from)) else {
                break;
            };
            if !write(simd, table, &planes, big, simd.load(block), out) {
                break;
            }
            at = from + BLOCK;
        }
    }
    let (Some(rest), Some(room)) = (src.get(at..len), dst.get_mut(2 * at..)) else { unreachable!() };
    let rest = portable::single_byte::single_byte_to_utf16(table, big, rest, room);
    Moved { read: at + rest.read, written: 2 * at + rest.written }
}
