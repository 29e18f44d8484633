//! Validating conversions between wide forms, and between them and single-byte forms.
//!
//! A piece is checked as a whole and then moved by a loop without branches, or, where a code point
//! takes more than one unit, code point by code point.

use super::Moved;
use super::step::{decode_utf16, decode_utf32, encode_utf16};
use super::utf16_to_utf8::utf16_prefix;
use crate::ground::unit::ByteOrder;
use crate::simd::Slot;

/// Number of units that are checked before they are moved: few enough to stay in the first-level
/// cache.
const PIECE_UNITS: usize = 1024;
/// Number of units per test.
const BLOCK_UNITS: usize = 64;

/// Returns the length of the longest well-formed UTF-32 prefix of `src`, in elements.
#[inline]
#[must_use]
pub(crate) fn utf32_prefix<O: ByteOrder>(src: &[O::Unit32]) -> usize {
    let mut read = 0;
    for block in src.chunks_exact(BLOCK_UNITS * O::PER_32) {
        let mut highest = 0;
        for unit in block.chunks_exact(O::PER_32) {
            // Below 10F800 exactly for scalar values: surrogates wrap to the highest numbers.
            highest = highest.max((O::get32(unit).unwrap_or_default() ^ 0xD800).wrapping_sub(0x800));
        }
        if highest >= 0x10_F800 {
            break;
        }
        read += block.len();
    }
    while decode_utf32::<O>(src.get(read..).unwrap_or_default()).is_some() {
        read += O::PER_32;
    }
    read
}

/// Copies the longest well-formed UTF-16 prefix of `src` that fits into `dst`, from one byte order
/// to another.
#[inline]
pub(crate) fn utf16_to_utf16<From: ByteOrder, To: ByteOrder>(
    src: &[From::Unit16],
    dst: &mut [To::Unit16],
) -> Moved {
    let mut units = 0;
    loop {
        let (rest, room) =
            (src.get(units * From::PER_16..).unwrap_or_default(), dst.get_mut(units * To::PER_16..));
        let room = room.unwrap_or_default();
        let fits = PIECE_UNITS.min(room.len() / To::PER_16).min(rest.len() / From::PER_16);
        let piece = rest.get(..fits * From::PER_16).unwrap_or_default();
        let good = utf16_prefix::<From>(piece);
        if good == 0 {
            break;
        }
        for (unit, slot) in piece
            .get(..good)
            .unwrap_or_default()
            .chunks_exact(From::PER_16)
            .zip(room.chunks_exact_mut(To::PER_16))
        {
            let _ = To::put16(slot, From::get16(unit).unwrap_or_default());
        }
        units += good / From::PER_16;
    }
    Moved { read: units * From::PER_16, written: units * To::PER_16 }
}

/// Copies the longest well-formed UTF-32 prefix of `src` that fits into `dst`, from one byte order
/// to another.
#[inline]
pub(crate) fn utf32_to_utf32<From: ByteOrder, To: ByteOrder>(
    src: &[From::Unit32],
    dst: &mut [To::Unit32],
) -> Moved {
    let mut units = 0;
    loop {
        let (rest, room) =
            (src.get(units * From::PER_32..).unwrap_or_default(), dst.get_mut(units * To::PER_32..));
        let room = room.unwrap_or_default();
        let fits = PIECE_UNITS.min(room.len() / To::PER_32).min(rest.len() / From::PER_32);
        let piece = rest.get(..fits * From::PER_32).unwrap_or_default();
        let good = utf32_prefix::<From>(piece);
        if good == 0 {
            break;
        }
        for (unit, slot) in piece
            .get(..good)
            .unwrap_or_default()
            .chunks_exact(From::PER_32)
            .zip(room.chunks_exact_mut(To::PER_32))
        {
            let _ = To::put32(slot, From::get32(unit).unwrap_or_default());
        }
        units += good / From::PER_32;
    }
    Moved { read: units * From::PER_32, written: units * To::PER_32 }
}

/// Converts the longest well-formed UTF-16 prefix of `src` that fits into `dst`.
#[inline]
pub(crate) fn utf16_to_utf32<From: ByteOrder, To: ByteOrder>(
    src: &[From::Unit16],
    dst: &mut [To::Unit32],
) -> Moved {
    let Moved { mut read, mut written } = Moved::default();
    loop {
        // Blocks without surrogates.
        while let (Some(units), Some(out)) = (
            src.get(read..read + BLOCK_UNITS * From::PER_16),
            dst.get_mut(written..written + BLOCK_UNITS * To::PER_32),
        ) {
            let mut surrogates = 0;
            for (unit, slot) in units.chunks_exact(From::PER_16).zip(out.chunks_exact_mut(To::PER_32)) {
                let unit = From::get16(unit).unwrap_or_default();
                surrogates |= u16::from(unit & 0xF800 == 0xD800);
                let _ = To::put32(slot, unit.into());
            }
            if surrogates != 0 {
                break;
            }
            read += units.len();
            written += out.len();
        }
        // A block with surrogates, or an end.
        for _ in 0..BLOCK_UNITS {
            let rest = src.get(read..).unwrap_or_default();
            let Some((value, len)) = decode_utf16::<From>(rest) else { return Moved { read, written } };
            if !To::put32(dst.get_mut(written..).unwrap_or_default(), value) {
                return Moved { read, written };
            }
            read += len;
            written += To::PER_32;
        }
    }
}

/// Converts the longest well-formed UTF-32 prefix of `src` that fits into `dst`.
#[inline]
pub(crate) fn utf32_to_utf16<From: ByteOrder, To: ByteOrder<Unit16 = u8>>(
    src: &[From::Unit32],
    dst: &mut [u8],
) -> Moved {
    let Moved { mut read, mut written } = Moved::default();
    loop {
        // Blocks of code points that take one unit each.
        while let (Some(units), Some(out)) = (
            src.get(read..read + BLOCK_UNITS * From::PER_32),
            dst.get_mut(written..written + BLOCK_UNITS * To::PER_16),
        ) {
            let mut highest = 0;
            for (unit, slot) in units.chunks_exact(From::PER_32).zip(out.chunks_exact_mut(To::PER_16)) {
                let unit = From::get32(unit).unwrap_or_default();
                highest = highest.max((unit ^ 0xD800).wrapping_sub(0x800));
                let _ = To::put16(slot, low_half(unit));
            }
            if highest >= 0xF800 {
                break;
            }
            read += units.len();
            written += out.len();
        }
        // A block with other code points, or an end.
        for _ in 0..BLOCK_UNITS {
            let rest = src.get(read..).unwrap_or_default();
            let Some(value) = decode_utf32::<From>(rest) else { return Moved { read, written } };
            let Some(len) = encode_utf16::<To>(Slot::of(dst.get_mut(written..).unwrap_or_default()), value)
            else {
                return Moved { read, written };
            };
            read += From::PER_32;
            written += len;
        }
    }
}

/// The low 16 bits of a unit.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the callers test the high half")]
const fn low_half(unit: u32) -> u16 {
    unit as u16
}

/// Returns the bytes to convert: the first `room` of them, or if `ASCII`, those before the first
/// that is not ASCII.
#[inline(always)]
fn convertible<const ASCII: bool>(src: &[u8], room: usize) -> &[u8] {
    let src = src.get(..room).unwrap_or(src);
    let len = if ASCII { super::ascii::ascii_prefix(src) } else { src.len() };
    src.get(..len).unwrap_or_default()
}

/// Converts as many bytes of ISO-8859-1 as fit into `dst`; if `ASCII`, up to the first byte that is
/// not ASCII.
#[inline]
pub(crate) fn bytes_to_utf16<O: ByteOrder, const ASCII: bool>(src: &[u8], dst: &mut [O::Unit16]) -> Moved {
    let src = convertible::<ASCII>(src, dst.len() / O::PER_16);
    for (&byte, slot) in src.iter().zip(dst.chunks_exact_mut(O::PER_16)) {
        let _ = O::put16(slot, byte.into());
    }
    Moved { read: src.len(), written: src.len() * O::PER_16 }
}

/// Converts as many bytes of ISO-8859-1 as fit into `dst`; if `ASCII`, up to the first byte that is
/// not ASCII.
#[inline]
pub(crate) fn bytes_to_utf32<O: ByteOrder, const ASCII: bool>(src: &[u8], dst: &mut [O::Unit32]) -> Moved {
    let src = convertible::<ASCII>(src, dst.len() / O::PER_32);
    for (&byte, slot) in src.iter().zip(dst.chunks_exact_mut(O::PER_32)) {
        let _ = O::put32(slot, byte.into());
    }
    Moved { read: src.len(), written: src.len() * O::PER_32 }
}

/// Converts the longest prefix of units below 0x100 that fits into `dst`.
#[inline]
pub(crate) fn utf16_to_latin1<O: ByteOrder>(src: &[O::Unit16], dst: &mut [u8]) -> Moved {
    let mut len = 0;
    for (units, out) in src.chunks_exact(BLOCK_UNITS * O::PER_16).zip(dst.chunks_exact_mut(BLOCK_UNITS)) {
        let mut all = 0;
        for (unit, slot) in units.chunks_exact(O::PER_16).zip(&mut *out) {
            let unit = O::get16(unit).unwrap_or_default();
            all |= unit;
            [*slot, _] = unit.to_le_bytes();
        }
        if all > 0xFF {
            break;
        }
        len += BLOCK_UNITS;
    }
    let rest = src.get(len * O::PER_16..).unwrap_or_default();
    for (unit, slot) in rest.chunks_exact(O::PER_16).zip(dst.get_mut(len..).unwrap_or_default()) {
        let Some(Ok(byte)) = O::get16(unit).map(u8::try_from) else { break };
        *slot = byte;
        len += 1;
    }
    Moved { read: len * O::PER_16, written: len }
}

/// Converts the longest prefix of units below 0x100 that fits into `dst`.
#[inline]
pub(crate) fn utf32_to_latin1<O: ByteOrder>(src: &[O::Unit32], dst: &mut [u8]) -> Moved {
    let mut len = 0;
    for (units, out) in src.chunks_exact(BLOCK_UNITS * O::PER_32).zip(dst.chunks_exact_mut(BLOCK_UNITS)) {
        let mut all = 0;
        for (unit, slot) in units.chunks_exact(O::PER_32).zip(&mut *out) {
            let unit = O::get32(unit).unwrap_or_default();
            all |= unit;
            [*slot, ..] = unit.to_le_bytes();
        }
        if all > 0xFF {
            break;
        }
        len += BLOCK_UNITS;
    }
    let rest = src.get(len * O::PER_32..).unwrap_or_default();
    for (unit, slot) in rest.chunks_exact(O::PER_32).zip(dst.get_mut(len..).unwrap_or_default()) {
        let Some(Ok(byte)) = O::get32(unit).map(u8::try_from) else { break };
        *slot = byte;
        len += 1;
    }
    Moved { read: len * O::PER_32, written: len }
}
