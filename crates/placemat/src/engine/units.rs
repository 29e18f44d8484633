//! Between two encodings that are tables, or 16-bit units, by way of UTF-16: a look-up to read a character and one to
//! write it.
//!
//! The hub between two encodings is UTF-8, with an engine on each side. Of a few characters, the engines take nearly all
//! the time: 130 ns for one, and 3 this way (2026-11-23). It knows no errors and no policies: it stops where there may be
//! one, and the engines go on.

#[cfg(all(feature = "multi-byte", feature = "alloc", target_has_atomic = "ptr"))]
use crate::forms::charsets::multi_byte::tables as multi_byte;
use crate::forms::form::Bulk;
use crate::ground::unit::{is_lead, is_trail};
use crate::ground::work;
use crate::kernels::Moved;

/// The number of units that are read before they are written. Where the target lacks much of a text, the rest of them are
/// read in vain.
const UNITS: usize = 64;
/// A unit of UTF-16, in little-endian order.
type Unit = [u8; 2];

/// The length below which a text is converted faster by [`convert`] than through the hub, in bytes: 0 if it does not serve
/// the pair. The hub costs 250 ns a text, and its kernels less for a byte (2026-11-23).
pub(crate) fn worthwhile(from: Bulk, to: Bulk) -> usize {
    let is_table = |bulk| match bulk {
        Bulk::Ascii | Bulk::Latin1 => true,
        #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::SingleByte(_) => true,
        #[cfg(all(feature = "legacy", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::Legacy(_) => true,
        #[cfg(all(feature = "multi-byte", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::MultiByte(_) => true,
        _ => false,
    };
    let is_wide = |bulk| matches!(bulk, Bulk::Utf16Le | Bulk::Utf16Be);
    if !(is_table(from) && (is_table(to) || is_wide(to)) || is_wide(from) && is_table(to)) {
        return 0;
    }
    let is_multi_byte = |bulk| match bulk {
        #[cfg(feature = "legacy")]
        Bulk::Legacy(_) => true,
        #[cfg(all(feature = "multi-byte", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::MultiByte(_) => true,
        _ => false,
    };
    if is_multi_byte(from) || is_multi_byte(to) { 512 } else { 192 }
}

/// Converts as far as the source is well-formed, the target holds it, and there is room.
pub(crate) fn convert(from: Bulk, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    let mut units = [[0; 2]; UNITS];
    let mut moved = Moved::default();
    loop {
        let (rest, room) = (&src[moved.read..], &mut dst[moved.written..]);
        let (len, count) = read(from, rest, &mut units);
        let (taken, written) = write(to, &units[..count], room);
        work::add(len);
        moved.written += written;
        if taken < count {
            // Read again as much as was written, to see how far that is.
            moved.read += read(from, rest, &mut units[..taken]).0;
            return moved;
        }
        moved.read += len;
        // The second half of a pair may have found no place.
        if count < UNITS - 1 {
            return moved;
        }
    }
}

/// Reads whole characters into `units`. Returns the number of bytes, and of units.
#[inline(always)]
fn read(from: Bulk, src: &[u8], units: &mut [Unit]) -> (usize, usize) {
    match from {
        Bulk::Ascii => from_bytes(src, units, 0x7F),
        Bulk::Latin1 => from_bytes(src, units, 0xFF),
        Bulk::Utf16Le => read_units(src, units, |unit| unit),
        Bulk::Utf16Be => read_units(src, units, |[high, low]| [low, high]),
        #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::SingleByte(charset) => charset.to_units(src, units),
        #[cfg(all(feature = "legacy", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::Legacy(encoding) => crate::forms::charsets::legacy::bulk::to_units(encoding, src, units),
        #[cfg(all(feature = "multi-byte", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::MultiByte(encoding) => multi_byte::to_units(encoding, src, units),
        _ => (0, 0),
    }
}

/// Writes whole characters. Returns the number of units, and of bytes.
#[inline(always)]
fn write(to: Bulk, units: &[Unit], dst: &mut [u8]) -> (usize, usize) {
    match to {
        Bulk::Ascii => to_bytes(units, dst, |unit| u8::try_from(unit).ok().filter(u8::is_ascii)),
        Bulk::Latin1 => to_bytes(units, dst, |unit| u8::try_from(unit).ok()),
        Bulk::Utf16Le => write_units(units, dst, |unit| unit),
        Bulk::Utf16Be => write_units(units, dst, |[low, high]| [high, low]),
        #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::SingleByte(charset) => {
            let encoder = charset.encoder();
            to_bytes(units, dst, |unit| encoder.byte_of(unit.into()))
        }
        #[cfg(all(feature = "legacy", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::Legacy(encoding) => crate::forms::charsets::legacy::bulk::from_units(encoding, units, dst),
        #[cfg(all(feature = "multi-byte", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::MultiByte(encoding) => multi_byte::from_units(encoding, units, dst),
        _ => (0, 0),
    }
}

/// Reads bytes that are the units, up to one that is more than `most`.
#[inline(always)]
fn from_bytes(src: &[u8], units: &mut [Unit], most: u8) -> (usize, usize) {
    let mut count = 0;
    for (&byte, slot) in src.iter().zip(units).take_while(|&(&byte, _)| byte <= most) {
        *slot = [byte, 0];
        count += 1;
    }
    (count, count)
}

/// Writes units that are a byte each, up to one that is none.
#[inline(always)]
fn to_bytes(units: &[Unit], dst: &mut [u8], byte: impl Fn(u16) -> Option<u8>) -> (usize, usize) {
    let mut count = 0;
    for (&unit, slot) in units.iter().zip(dst) {
        let Some(byte) = byte(u16::from_le_bytes(unit)) else { break };
        *slot = byte;
        count += 1;
    }
    (count, count)
}

/// Reads well-formed UTF-16.
#[inline(always)]
fn read_units(src: &[u8], units: &mut [Unit], order: impl Fn(Unit) -> Unit) -> (usize, usize) {
    let src = src.as_chunks().0;
    let mut count = 0;
    while let (Some(&unit), Some(slot)) = (src.get(count), units.get_mut(count)) {
        let unit = order(unit);
        *slot = unit;
        let value = u16::from_le_bytes(unit);
        if is_lead(value) {
            let (Some(&trail), Some(slot)) = (src.get(count + 1), units.get_mut(count + 1)) else { break };
            *slot = order(trail);
            if !is_trail(u16::from_le_bytes(*slot)) {
                break;
            }
            count += 1;
        } else if is_trail(value) {
            break;
        }
        count += 1;
    }
    (2 * count, count)
}

/// Writes UTF-16, as many whole characters as fit.
#[inline(always)]
fn write_units(units: &[Unit], dst: &mut [u8], order: impl Fn(Unit) -> Unit) -> (usize, usize) {
    let fits = units.len().min(dst.len() / 2);
    let cut = units[..fits].last().is_some_and(|&unit| is_lead(u16::from_le_bytes(unit)));
    let count = fits - usize::from(cut);
    for (&unit, slot) in units[..count].iter().zip(dst.as_chunks_mut().0) {
        *slot = order(unit);
    }
    (count, 2 * count)
}
