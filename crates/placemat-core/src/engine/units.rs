//! Conversion between two encodings through UTF-16, a few characters at a time: one loop reads them
//! all, and another writes them.
//!
//! The hub between two encodings is UTF-8, with an engine on each side. For a few characters, the
//! engines take nearly all the time. This fast path never reports errors: it stops before anything
//! suspicious, and the engines take over. It asks the policies only whether they let a code point
//! pass.

use crate::forms::form::Bulk;
use crate::ground::code_point::CodePoint;
use crate::ground::hints::Engine;
use crate::ground::policy::{OnError, OnUnmappable};
use crate::ground::unit::{is_lead, is_trail};
use crate::ground::utf16::{Unit, first, utf8_len};
use crate::ground::work;
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;

/// The number of UTF-16 code units that are read before they are written. If the target lacks a
/// code point, those after it were read in vain.
const BATCH_UNITS: usize = 64;
/// For texts up to this length, in bytes, steps are faster than the engines where an end has no
/// kernels.
pub const BRIEF_TEXT_BYTES: usize = 128;

/// The end of a conversion that is read.
pub trait Source: Copy {
    /// Reads whole characters into `units`, up to an ill-formed sequence. Returns the number of
    /// bytes and of UTF-16 code units.
    fn read(&mut self, src: &[u8], units: &mut [Unit]) -> (usize, usize);

    /// Reads the first characters of `src` again, which became `units`. Returns the number of their
    /// bytes.
    fn read_again(&mut self, src: &[u8], units: &mut [Unit]) -> usize {
        self.read(src, units).0
    }
}

/// The end of a conversion that is written.
pub trait Target {
    /// Writes whole characters, as long as the target represents them and they fit. Returns the
    /// number of UTF-16 code units and of bytes.
    fn write(&mut self, units: &[Unit], dst: &mut [u8]) -> (usize, usize);
}

/// Returns the length in bytes below which [`convert`] is faster than the hub; 0 if it does not
/// serve the pair.
pub(crate) fn worthwhile(from: Bulk, to: Bulk) -> usize {
    let is_table = |bulk: Bulk| bulk.is_multi_byte() || bulk.is_single_byte();
    let is_wide = Bulk::is_wide;
    let is_ucs2 = |bulk: Bulk| matches!(bulk, Bulk::Ucs2Le | Bulk::Ucs2Be);
    if is_ucs2(from) || is_ucs2(to) {
        let serves = |bulk| bulk == Bulk::Utf8 || is_ucs2(bulk) || is_wide(bulk) || is_table(bulk);
        // UCS-2 has no kernels, so steps are faster for texts of any length.
        return if serves(from) && serves(to) { usize::MAX } else { 0 };
    }
    if !(is_table(from) && (is_table(to) || is_wide(to)) || is_wide(from) && is_table(to)) {
        return 0;
    }
    if is_wide(from) && to.is_multi_byte() {
        // The tables of such an encoding are for UTF-16 code units, so texts of any length go
        // without the hub.
        return usize::MAX;
    }
    if from.is_multi_byte() || to.is_multi_byte() { 512 } else { 192 }
}

/// Converts as long as the source is well-formed, the target represents it, and it fits.
#[inline]
pub(crate) fn convert(mut from: Bulk, mut to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    convert_admitted(&mut from, &mut to, <[Unit]>::len, src, dst)
}

/// Converts as [`convert`] does, up to the first character that the policies may want to see.
/// `admitted` returns the number of UTF-16 code units before it.
#[inline(always)]
pub fn convert_admitted(
    from: &mut impl Source,
    to: &mut impl Target,
    admitted: impl Fn(&[Unit]) -> usize,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let mut units = [[0; 2]; BATCH_UNITS];
    let mut moved = Moved::default();
    while moved.read < src.len() {
        let (rest, room) = (&src[moved.read..], &mut dst[moved.written..]);
        let before = *from;
        let (len, count) = from.read(rest, &mut units);
        let units = &mut units[..count];
        let (taken, written) = to.write(&units[..admitted(units)], room);
        work::add(len);
        moved.written += written;
        if taken < count {
            // Read again only the characters that were written, to learn how many bytes they have.
            *from = before;
            moved.read += from.read_again(rest, &mut units[..taken]);
            break;
        }
        moved.read += len;
        if len == 0 {
            break;
        }
    }
    moved
}

/// Returns the number of UTF-16 code units before the first character that one of the policies may
/// want to see.
#[inline(always)]
pub fn admitted(on_error: &impl OnError, on_unmappable: &impl OnUnmappable, units: &[Unit]) -> usize {
    let (errors, unmappables) = (on_error.hints(Engine), on_unmappable.hints(Engine));
    if !errors.inspects() && !unmappables.inspects() {
        return units.len();
    }
    let may_pass = |c| {
        let c = CodePoint::within_31_bits(c);
        !errors.watches(c) && !unmappables.watches(c)
    };
    let mut at = 0;
    while let Some(&unit) = units.get(at) {
        let unit = u16::from_le_bytes(unit);
        // Most code points are one unit, so the next unit is not needed.
        let (c, len) = if is_lead(unit) {
            let Some(both) = first(&units[at..]) else { break };
            both
        } else {
            (unit.into(), 1)
        };
        if !may_pass(c) {
            break;
        }
        at += len;
    }
    at
}

/// Encodings with kernels read through UTF-16; all others read nothing.
impl Source for Bulk {
    #[inline(always)]
    fn read(&mut self, src: &[u8], units: &mut [Unit]) -> (usize, usize) {
        read(*self, src, units)
    }

    /// Computes the length where that is possible, because kernels may stop before `units` is full.
    #[inline]
    fn read_again(&mut self, src: &[u8], units: &mut [Unit]) -> usize {
        match self {
            Self::Utf8 => utf8_len(units),
            Self::Utf32Le | Self::Utf32Be => {
                let trails = units.iter().filter(|&&unit| is_trail(u16::from_le_bytes(unit))).count();
                4 * (units.len() - trails)
            }
            _ => read(*self, src, units).0,
        }
    }
}

impl Target for Bulk {
    #[inline(always)]
    fn write(&mut self, units: &[Unit], dst: &mut [u8]) -> (usize, usize) {
        write(*self, units, dst)
    }
}

/// Reads whole characters into `units`. Returns the number of bytes and of UTF-16 code units.
#[inline(always)]
fn read(from: Bulk, src: &[u8], units: &mut [Unit]) -> (usize, usize) {
    let by_kernel = |kernel: fn(Kernels, &[u8], &mut [u8]) -> Moved, src, units: &mut [Unit]| {
        let moved = kernel(Kernels::current(), src, units.as_flattened_mut());
        (moved.read, moved.written / 2)
    };
    match from {
        // Never more than fits into `units`.
        Bulk::Utf8 => by_kernel(Kernels::utf8_to_utf16le, &src[..src.len().min(units.len())], units),
        Bulk::Utf32Le => {
            by_kernel(Kernels::utf32le_to_utf16le, &src[..src.len().min(2 * units.len())], units)
        }
        Bulk::Utf32Be => {
            by_kernel(Kernels::utf32be_to_utf16le, &src[..src.len().min(2 * units.len())], units)
        }
        Bulk::Ascii => from_bytes(src, units, 0x7F),
        Bulk::Latin1 => from_bytes(src, units, 0xFF),
        Bulk::Utf16Le => read_units(src, units, |unit| unit),
        Bulk::Utf16Be => read_units(src, units, |[high, low]| [low, high]),
        Bulk::Ucs2Le => whole_plane(read_units(src, units, |unit| unit), units),
        Bulk::Ucs2Be => whole_plane(read_units(src, units, |[high, low]| [low, high]), units),
        Bulk::Charset(charset) => (charset.functions.to_units)(charset.member, src, units),
        _ => (0, 0),
    }
}

/// Writes whole characters. Returns the number of UTF-16 code units and of bytes.
#[inline(always)]
fn write(to: Bulk, units: &[Unit], dst: &mut [u8]) -> (usize, usize) {
    let by_kernel = |kernel: fn(Kernels, &[u8], &mut [u8]) -> Moved, dst| {
        let moved = kernel(Kernels::current(), units.as_flattened(), dst);
        (moved.read / 2, moved.written)
    };
    match to {
        Bulk::Utf8 => by_kernel(Kernels::utf16le_to_utf8, dst),
        Bulk::Utf32Le => by_kernel(Kernels::utf16le_to_utf32le, dst),
        Bulk::Utf32Be => by_kernel(Kernels::utf16le_to_utf32be, dst),
        Bulk::Ascii => to_bytes(units, dst, |unit| u8::try_from(unit).ok().filter(u8::is_ascii)),
        Bulk::Latin1 => to_bytes(units, dst, |unit| u8::try_from(unit).ok()),
        Bulk::Utf16Le => write_units(units, dst, |unit| unit),
        Bulk::Utf16Be => write_units(units, dst, |[low, high]| [high, low]),
        Bulk::Ucs2Le => write_units(plane(units), dst, |unit| unit),
        Bulk::Ucs2Be => write_units(plane(units), dst, |[low, high]| [high, low]),
        Bulk::Charset(charset) => (charset.functions.from_units)(charset.member, units, dst),
        _ => (0, 0),
    }
}

/// Returns the units before the first surrogate pair.
fn plane(units: &[Unit]) -> &[Unit] {
    let is_surrogate = |unit: &Unit| unit[1] & 0xF8 == 0xD8;
    units.iter().position(is_surrogate).and_then(|end| units.get(..end)).unwrap_or(units)
}

/// Returns the number of bytes and units that were read before the first surrogate pair, which
/// UCS-2 lacks.
fn whole_plane((_, count): (usize, usize), units: &[Unit]) -> (usize, usize) {
    let count = plane(units.get(..count).unwrap_or_default()).len();
    (2 * count, count)
}

/// Reads bytes as UTF-16 code units of the same value, up to a byte above `most`.
#[inline(always)]
fn from_bytes(src: &[u8], units: &mut [Unit], most: u8) -> (usize, usize) {
    let mut count = 0;
    for (&byte, slot) in src.iter().zip(units).take_while(|&(&byte, _)| byte <= most) {
        *slot = [byte, 0];
        count += 1;
    }
    (count, count)
}

/// Writes each unit as one byte, up to a unit for which `byte` returns `None`.
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

/// Writes UTF-16: whole characters, up to the end of `dst`.
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
