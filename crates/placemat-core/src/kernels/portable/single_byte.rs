//! Conversion of single-byte encodings by table, a byte at a time. The conversion to UTF-8 takes
//! one load, one store of four bytes and one addition per byte, without a branch that depends on
//! the byte.
//!
//! Measurements, and what was slower: `lab/single_byte.md`.

use super::Moved;
use super::step::decode_utf8;
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::kernels::single_byte::tables::UNDEFINED_LEN;
use crate::kernels::single_byte::{
    ByteMap, SingleByteDecoder, SingleByteEncoder, SingleByteUnits, UNDEFINED,
};
use crate::simd::Slot;

/// Bytes per step.
pub(crate) const STEP_BYTES: usize = 16;
/// Bytes of output of a step: three per byte, and one surplus byte of the last store; a power of
/// two and a little more, so that masking an offset keeps it in bounds.
pub(crate) const ROOM_BYTES: usize = 64 + 4;

/// Writes the bytes of a step. Returns the number of bytes written, or `None` if a byte is
/// undefined.
#[inline(always)]
pub(crate) fn write(
    table: &SingleByteDecoder,
    bytes: &[u8; STEP_BYTES],
    out: &mut [Slot; ROOM_BYTES],
) -> Option<usize> {
    if table.is_ascii_superset() && bytes.is_ascii() {
        Slot::copy(&mut out[..STEP_BYTES], bytes);
        return Some(STEP_BYTES);
    }
    write_few(table, bytes, out)
}

/// Writes at most [`STEP_BYTES`] bytes of the source. Returns the number of bytes written, or
/// `None` if a byte is undefined.
#[inline(always)]
fn write_few(table: &SingleByteDecoder, bytes: &[u8], out: &mut [Slot; ROOM_BYTES]) -> Option<usize> {
    let mut at = 0;
    for &byte in bytes {
        let (word, len) = table.utf8_of(byte);
        if let Some(slot) = chunk_at_mut!(out, at & 63) {
            Slot::write(slot, word.to_le_bytes());
        }
        at += len;
    }
    (at < UNDEFINED_LEN).then_some(at)
}

/// Writes the lowest `len` bytes of a word, if they fit, or all four, if there is room for them: a
/// copy of variable length is a call, which takes longer than the rest. Returns whether they fit.
#[inline(always)]
pub fn put(dst: &mut [Slot], at: usize, word: u32, len: usize) -> bool {
    let bytes = word.to_le_bytes();
    if let Some(slot) = chunk_at_mut!(dst, at) {
        Slot::write(slot, bytes);
        return true;
    }
    match (dst.get_mut(at..at + len), bytes.get(..len)) {
        (Some(slot), Some(bytes)) => {
            Slot::copy(slot, bytes);
            true
        }
        _ => false,
    }
}

/// Converts the longest prefix that is defined and fits.
pub(crate) fn single_byte_to_utf8(table: &SingleByteDecoder, src: &[u8], dst: &mut [Slot]) -> Moved {
    let mut moved = Moved::default();
    while let (Some(bytes), Some(out)) =
        (chunk_at!(src, moved.read, STEP_BYTES), chunk_at_mut!(dst, moved.written, ROOM_BYTES))
    {
        let Some(len) = write(table, bytes, out) else { break };
        moved.written += len;
        moved.read += STEP_BYTES;
    }
    let (Some(rest), Some(room)) = (src.get(moved.read..), dst.get_mut(moved.written..)) else {
        return moved;
    };
    let rest = each_to_utf8(table, rest, room);
    Moved { read: moved.read + rest.read, written: moved.written + rest.written }
}

/// Converts the longest prefix of at most [`STEP_BYTES`] bytes that is defined and fits. With room
/// for the longest possible result, no branch depends on the bytes.
#[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
#[inline(always)]
pub fn few_to_utf8(table: &SingleByteDecoder, src: &[u8], dst: &mut [u8]) -> Moved {
    let dst = Slot::of(dst);
    let written =
        dst.first_chunk_mut().and_then(|out| write_few(table, &src[..src.len().min(STEP_BYTES)], out));
    match written {
        Some(written) => Moved { read: src.len().min(STEP_BYTES), written },
        None => each_to_utf8(table, src, dst),
    }
}

/// Converts the longest prefix that is defined and fits, byte by byte except for ASCII.
#[inline(never)]
fn each_to_utf8(table: &SingleByteDecoder, src: &[u8], dst: &mut [Slot]) -> Moved {
    let mut moved = Moved::default();
    for part in src.chunks(8) {
        if table.is_ascii_superset()
            && let (Some(bytes), Some(out)) = (part.first_chunk::<8>(), chunk_at_mut!(dst, moved.written))
            && bytes.is_ascii()
        {
            Slot::write(out, *bytes);
            moved = Moved { read: moved.read + 8, written: moved.written + 8 };
            continue;
        }
        for &byte in part {
            let (word, len) = table.utf8_of(byte);
            if len >= UNDEFINED_LEN || !put(dst, moved.written, word, len) {
                return moved;
            }
            moved = Moved { read: moved.read + 1, written: moved.written + len };
        }
    }
    moved
}

/// Converts the longest prefix that is well-formed, that the encoding can represent, and that fits.
pub fn utf8_to_single_byte(table: &SingleByteEncoder, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut moved = Moved::default();
    for slot in dst {
        let Some(rest) = src.get(moved.read..) else { break };
        let (byte, len) = match rest {
            &[byte @ 0x00..=0x7F, ..] if table.identity => (byte, 1),
            _ => {
                let Some((value, len)) = decode_utf8(rest) else { break };
                let Some(byte) = table.byte_of(value) else { break };
                (byte, len)
            }
        };
        *slot = byte;
        moved.read += len;
        moved.written += 1;
    }
    moved
}

/// Converts the longest prefix that is defined and fits to UTF-16, big-endian if `big`.
pub(crate) fn single_byte_to_utf16(table: &SingleByteUnits, big: bool, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut count = 0;
    for (&byte, slot) in src.iter().zip(dst.as_chunks_mut().0) {
        let unit = table.unit_of(byte);
        if unit == UNDEFINED {
            break;
        }
        *slot = if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        count += 1;
    }
    Moved { read: count, written: 2 * count }
}

/// Converts the longest prefix of UTF-16 that the encoding can represent and that fits; units are
/// big-endian if `big`.
pub(crate) fn utf16_to_single_byte(
    table: &SingleByteEncoder,
    big: bool,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let mut count = 0;
    for (&unit, slot) in src.as_chunks().0.iter().zip(dst) {
        let unit = if big { u16::from_be_bytes(unit) } else { u16::from_le_bytes(unit) };
        let Some(byte) = table.byte_of(unit.into()) else { break };
        *slot = byte;
        count += 1;
    }
    Moved { read: 2 * count, written: count }
}

/// Converts the longest prefix that the map has and that fits.
pub(crate) fn map_bytes(map: &ByteMap, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut count = 0;
    for (&byte, slot) in src.iter().zip(dst) {
        let Some(to) = map.byte_of(byte) else { break };
        *slot = to;
        count += 1;
    }
    Moved { read: count, written: count }
}
