//! Conversion of single-byte encodings to UTF-16.
//!
//! Two tables of 256 bytes contain the low and the high byte of each code unit. 64 bytes are looked
//! up at a time, and zipped. The byte order is the order of the planes, so the code serves both. As
//! in [`to_utf8`](super::to_utf8), ASCII and Latin-1 need no lookups, and on levels with slow
//! lookups, letters from C0 up need less than half of them. Most alphabets need none there: their
//! letters ascend like the code points, or share a high byte, and the few other bytes of a block
//! are looked up alone. On such levels, the portable kernel converts encodings without ASCII.

use super::maps::{Letters, SingleByteUnits};
use super::plane::{Plane, are_letters, has_controls};
use super::tables::UNDEFINED;
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::kernels::wide::part_mut;
use crate::kernels::{Moved, portable};
use crate::simd::{BLOCK, Shuffle, Slot};

/// A block with more bytes than this that are neither ASCII nor letters is looked up as a whole.
const MAX_OTHERS: u32 = 8;

/// Writes a block of ASCII, letters and a few other bytes. Returns whether all its bytes are defined; `None` if too many are
/// others.
#[inline(always)]
fn write_letters<S: Shuffle>(
    simd: S,
    (table, letters): (&SingleByteUnits, &Letters),
    low: &Plane<S>,
    big: bool,
    src: &[u8; BLOCK],
    out: &mut [u8; 2 * BLOCK],
) -> Option<bool> {
    let bytes = simd.load(src);
    let (first, last) = letters.bytes;
    let within = simd.both(simd.ge(bytes, simd.splat(first)), simd.ge(simd.splat(last), bytes));
    let mut others = simd.bits(simd.both(simd.high_bit(bytes), simd.not(within)));
    if others.count_ones() > MAX_OTHERS {
        return None;
    }
    let bytes = simd.order_for_zip(bytes);
    let upper = simd.high_bit(bytes);
    let low = match letters.shift {
        Some(shift) => simd.add(bytes, simd.keep(upper, simd.splat(shift))),
        None => simd.select(upper, simd.lookup64(low.quarter, bytes), bytes),
    };
    put(simd, low, simd.keep(upper, simd.splat(letters.high)), big, out);
    while others != 0 {
        let at = others.trailing_zeros() as usize % BLOCK;
        let unit = table.unit_of(src[at]);
        if unit == UNDEFINED {
            return Some(false);
        }
        if let Some(slot) = chunk_at_mut!(out, 2 * at) {
            *slot = if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        }
        others &= others - 1;
    }
    Some(true)
}

/// Writes the units of a block, whose bytes are in the order for this.
#[inline(always)]
fn put<S: Shuffle>(simd: S, low: S::Block, high: S::Block, big: bool, out: &mut [u8; 2 * BLOCK]) {
    let (first, second) = if big { (high, low) } else { (low, high) };
    let [first, second] = simd.zip8_ordered(first, second);
    let out = Slot::of_array(out);
    simd.store(first, part_mut::<0, { 2 * BLOCK }>(out));
    simd.store(second, part_mut::<BLOCK, { 2 * BLOCK }>(out));
}

/// Writes a block. Returns whether all its bytes are defined.
#[inline(always)]
fn write<S: Shuffle>(
    simd: S,
    table: &SingleByteUnits,
    [low, high]: &[Plane<S>; 2],
    big: bool,
    src: &[u8; BLOCK],
    out: &mut [u8; 2 * BLOCK],
) -> bool {
    if let Some(letters) = &table.letters
        && !S::FAST_LOOKUP128
        && let Some(is_defined) = write_letters(simd, (table, letters), low, big, src, out)
    {
        return is_defined;
    }
    let zero = simd.splat(0);
    let bytes = simd.order_for_zip(simd.load(src));
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
    put(simd, low, high, big, out);
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
            if !write(simd, table, &planes, big, block, out) {
                break;
            }
            at = from + BLOCK;
        }
    }
    let (rest, room) = (src.get(at..len).unwrap_or_default(), dst.get_mut(2 * at..).unwrap_or_default());
    let rest = portable::single_byte::single_byte_to_utf16(table, big, rest, room);
    Moved { read: at + rest.read, written: 2 * at + rest.written }
}
