//! Kernels for single-byte encodings without UTF-8 at the other end: from one to another, and to
//! and from UTF-16 and UTF-32.
//!
//! The tables of an encoding are made once. A long enough text gets tables of its own: a map from
//! one encoding to another, or tables without the code points that policies want to see. Kernels
//! stop at those as they stop at code points that a table lacks.

use crate::forms::form::{Bulk, Charset, SingleByteTables};
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;
use crate::kernels::single_byte::{ByteMap, IDENTITY, Rows, SingleByteEncoder, SingleByteUnits, UNDEFINED};

/// From this length on, in bytes, a text gets tables of its own.
pub(super) const MIN_TEXT_BYTES: usize = 2048;

/// The tables made for one conversion.
#[allow(clippy::large_enum_variant, reason = "a value lives for one call and must not allocate")]
pub(super) enum Tables {
    Bytes(ByteMap),
    ToWide(SingleByteUnits, Bulk),
    FromWide(Bulk, SingleByteEncoder<Rows>),
}

impl Tables {
    /// Returns `true` if [`new`](Self::new) may make tables for the pair; `all` means that every
    /// code point may pass.
    pub(super) fn serve(from: Bulk, to: Bulk, all: bool) -> bool {
        from.is_single_byte() && to.is_single_byte()
            || !all && (from.is_table() && to.is_wide() || from.is_wide() && to.is_table())
    }

    /// Makes tables from `code_points`: the code point of each byte of the source, or of the target
    /// if only the target is a single-byte encoding. They are those that [`code_points`] returns,
    /// with [`UNDEFINED`] in place of those that policies want to see.
    pub(super) fn new(from: Bulk, to: Bulk, code_points: &[u16; 256]) -> Option<Self> {
        match (from.single(), to.single()) {
            (Some((charset, single)), _) if to.is_wide() => {
                let mut units = (single.units)(charset.member).clone();
                for (byte, &kept) in (0..=u8::MAX).zip(code_points) {
                    if units.unit_of(byte) != kept {
                        units.remove(byte);
                    }
                }
                Some(Self::ToWide(units, to))
            }
            (_, Some((charset, single))) if from.is_wide() => {
                let units = (single.units)(charset.member);
                let mut encoder = (single.encoder)(charset.member).clone();
                for (byte, &kept) in (0..=u8::MAX).zip(code_points) {
                    let c = units.unit_of(byte);
                    if c != kept {
                        encoder.remove(c);
                    }
                }
                Some(Self::FromWide(from, encoder))
            }
            (_, single) => {
                let encoder: Option<&SingleByteEncoder> = match single {
                    Some((charset, single)) => Some((single.encoder)(charset.member)),
                    None => None,
                };
                let end = match to {
                    Bulk::Ascii => 0x80,
                    Bulk::Latin1 => 0x100,
                    _ => 0,
                };
                ByteMap::new(code_points, encoder, end).map(Self::Bytes)
            }
        }
    }

    /// Converts as far as the tables go and the output fits.
    pub(super) fn convert(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        match self {
            Self::Bytes(map) => Kernels::current().map_bytes(map, src, dst),
            Self::ToWide(table, to) => to_wide(table, *to, src, dst),
            Self::FromWide(from, table) => from_wide(*from, table, src, dst),
        }
    }
}

impl Bulk {
    /// Returns the charset and its tables if it is a single-byte charset.
    #[inline(always)]
    pub(super) fn single(self) -> Option<(Charset, &'static SingleByteTables)> {
        let Self::Charset(charset) = self else { return None };
        Some((charset, charset.single()?))
    }
}

/// Returns the code point of each byte of a single-byte encoding, or [`UNDEFINED`].
#[inline(always)]
#[must_use]
pub fn code_points(of: Bulk) -> [u16; 256] {
    let mut code_points = IDENTITY;
    match of.single() {
        Some((charset, single)) => (single.code_points)(charset.member, &mut code_points),
        None if of == Bulk::Ascii => code_points[0x80..].fill(UNDEFINED),
        None => {}
    }
    code_points
}

/// Converts from a charset to UTF-16 or UTF-32, up to an undefined byte.
#[inline(never)]
pub(super) fn charset_to_wide(charset: Charset, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    let Some(single) = charset.single() else { return Moved::default() };
    to_wide((single.units)(charset.member), to, src, dst)
}

/// Converts from UTF-16 or UTF-32 to a charset, up to a code point that the charset lacks.
#[inline(never)]
pub(super) fn wide_to_charset(from: Bulk, charset: Charset, src: &[u8], dst: &mut [u8]) -> Moved {
    let Some(single) = charset.single() else { return Moved::default() };
    from_wide(from, (single.encoder)(charset.member), src, dst)
}

/// The number of UTF-16 code units in a piece between a charset and UTF-32.
const PIECE_UNITS: usize = 512;

/// Converts to UTF-16 or UTF-32, up to an undefined byte.
fn to_wide(table: &SingleByteUnits, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    let kernels = Kernels::current();
    if !matches!(to, Bulk::Utf32Le | Bulk::Utf32Be) {
        return kernels.single_byte_to_utf16(table, to == Bulk::Utf16Be, src, dst);
    }
    let mut units = [0; 2 * PIECE_UNITS];
    let mut count = 0;
    loop {
        let rest = src.get(count..src.len().min(dst.len() / 4)).unwrap_or_default();
        let piece = rest.get(..PIECE_UNITS).unwrap_or(rest);
        let read = kernels.single_byte_to_utf16(table, false, piece, &mut units).read;
        let units = units.get(..2 * read).unwrap_or_default();
        let room = dst.get_mut(4 * count..).unwrap_or_default();
        let _ = match to {
            Bulk::Utf32Be => kernels.utf16le_to_utf32be(units, room),
            _ => kernels.utf16le_to_utf32le(units, room),
        };
        count += read;
        if read < PIECE_UNITS {
            return Moved { read: count, written: 4 * count };
        }
    }
}

/// Converts from UTF-16 or UTF-32, up to a code point that the charset lacks.
fn from_wide(from: Bulk, table: &SingleByteEncoder, src: &[u8], dst: &mut [u8]) -> Moved {
    let kernels = Kernels::current();
    if !matches!(from, Bulk::Utf32Le | Bulk::Utf32Be) {
        return kernels.utf16_to_single_byte(table, from == Bulk::Utf16Be, src, dst);
    }
    let mut units = [0; 2 * PIECE_UNITS];
    let mut count = 0;
    loop {
        let rest = src.get(4 * count..).unwrap_or_default();
        let room = dst.get_mut(count..).unwrap_or_default();
        let piece = rest.get(..4 * PIECE_UNITS).unwrap_or(rest);
        let made = match from {
            Bulk::Utf32Be => kernels.utf32be_to_utf16le(piece, &mut units),
            _ => kernels.utf32le_to_utf16le(piece, &mut units),
        };
        // Single-byte charsets have no supplementary code points, so each unit is one code point.
        let units = units.get(..made.written).unwrap_or_default();
        let written = kernels.utf16_to_single_byte(table, false, units, room).written;
        count += written;
        if written < PIECE_UNITS {
            return Moved { read: 4 * count, written: count };
        }
    }
}
