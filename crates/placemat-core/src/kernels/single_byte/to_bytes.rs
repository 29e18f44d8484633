//! Conversion of one single-byte encoding to another: 64 lookups at a time in a table of 256 bytes,
//! except on levels with 16-byte registers, where this gains little and the code is long.

use super::maps::ByteMap;
use super::plane::{Plane, are_letters};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::kernels::{Moved, portable};
use crate::simd::{BLOCK, Shuffle, Slot};

/// Writes a block. Returns whether the map has all its bytes.
#[inline(always)]
fn write<S: Shuffle>(
    simd: S,
    map: &ByteMap,
    plane: &Plane<S>,
    bytes: S::Block,
    out: &mut [u8; BLOCK],
) -> bool {
    let upper = simd.high_bit(bytes);
    if map.ascii && !simd.any(upper) {
        simd.store(bytes, Slot::of_array(out));
        return true;
    }
    let to = if map.ascii && !S::FAST_LOOKUP128 {
        plane.look_up_letters::<true>(simd, bytes, upper, bytes, are_letters(simd, bytes))
    } else {
        plane.look_up::<false>(simd, bytes, upper, bytes)
    };
    let zero = simd.eq(bytes, simd.splat(map.zero));
    if simd.any(simd.both(simd.eq(to, simd.splat(0)), simd.not(zero))) {
        return false;
    }
    simd.store(to, Slot::of_array(out));
    true
}

/// Converts the longest prefix that the map has and that fits.
#[inline(always)]
pub(crate) fn map_bytes<S: Shuffle>(simd: S, map: &ByteMap, src: &[u8], dst: &mut [u8]) -> Moved {
    let len = src.len().min(dst.len());
    let mut at = 0;
    if len >= BLOCK {
        let plane = Plane::new(simd, &map.bytes);
        while at < len {
            // The last block overlaps the one before.
            let from = at.min(len - BLOCK);
            let (Some(block), Some(out)) = (chunk_at!(src, from), chunk_at_mut!(dst, from)) else { break };
            if !write(simd, map, &plane, simd.load(block), out) {
                break;
            }
            at = from + BLOCK;
        }
    }
    let (rest, room) = (src.get(at..len).unwrap_or_default(), dst.get_mut(at..).unwrap_or_default());
    let rest = portable::single_byte::map_bytes(map, rest, room);
    Moved { read: at + rest.read, written: at + rest.written }
}
