//! Kernels for encodings of one byte without UTF-8 at the other end: from one to another, and to and from UTF-16 and UTF-32.
//!
//! The tables of an encoding are made once. Those of a conversion are made for a text that is long enough: a map from one
//! encoding to another, or tables without the code points that policies want to see. Kernels stop there as where a table has
//! nothing.

#[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
use crate::forms::charsets::single_byte::{SingleByte, kernel_tables::Rows};
use crate::forms::form::Bulk;
use crate::kernels::Moved;
use crate::kernels::dispatch::Kernels;
use crate::kernels::single_byte::{ByteMap, IDENTITY, UNDEFINED};
#[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
use crate::kernels::single_byte::{SingleByteEncoder, SingleByteUnits};

/// The length of a text, in bytes, from which on tables are made for it.
pub(super) const WORTHWHILE: usize = 2048;

/// The tables of a conversion.
#[allow(clippy::large_enum_variant, reason = "they are for the time of a call, and must not allocate")]
pub(super) enum Tables {
    Bytes(ByteMap),
    #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
    ToWide(SingleByteUnits, Bulk),
    #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
    FromWide(Bulk, SingleByteEncoder<Rows>),
}

impl Tables {
    /// Whether [`new`](Self::new) may make tables for the pair; `all` says that every code point may pass.
    pub(super) fn serve(from: Bulk, to: Bulk, all: bool) -> bool {
        is_of_bytes(from) && is_of_bytes(to)
            || !all && (is_charset(from) && is_wide(to) || is_wide(from) && is_charset(to))
    }

    /// The tables of the code points of each byte in the source, or in the target if that is of bytes and the source is not:
    /// those of [`code_points`], or [`UNDEFINED`] for some of them.
    pub(super) fn new(from: Bulk, to: Bulk, code_points: &[u16; 256]) -> Option<Self> {
        match (from, to) {
            #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
            (Bulk::SingleByte(charset), _) if is_wide(to) => {
                Some(Self::ToWide(charset.units_of(code_points), to))
            }
            #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
            (_, Bulk::SingleByte(charset)) if is_wide(from) => {
                Some(Self::FromWide(from, charset.encoder_of(code_points)))
            }
            _ => {
                let (encoder, end) = match to {
                    #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
                    Bulk::SingleByte(charset) => (Some(charset.encoder()), 0),
                    Bulk::Ascii => (None, 0x80),
                    _ => (None, 0x100),
                };
                ByteMap::new(code_points, encoder, end).map(Self::Bytes)
            }
        }
    }

    /// Converts as far as the tables go, and there is room.
    pub(super) fn convert(&self, src: &[u8], dst: &mut [u8]) -> Moved {
        match self {
            Self::Bytes(map) => Kernels::current().map_bytes(map, src, dst),
            #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
            Self::ToWide(table, to) => to_wide(table, *to, src, dst),
            #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
            Self::FromWide(from, table) => from_wide(*from, table, src, dst),
        }
    }
}

/// Whether it is UTF-16 or UTF-32.
pub(super) const fn is_wide(bulk: Bulk) -> bool {
    matches!(bulk, Bulk::Utf16Le | Bulk::Utf16Be | Bulk::Utf32Le | Bulk::Utf32Be)
}

/// Whether it is a single-byte charset.
pub(super) const fn is_charset(bulk: Bulk) -> bool {
    match bulk {
        #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::SingleByte(_) => true,
        _ => false,
    }
}

/// Whether it is a single-byte charset, ASCII, or Latin-1.
pub(super) const fn is_of_bytes(bulk: Bulk) -> bool {
    is_charset(bulk) || matches!(bulk, Bulk::Ascii | Bulk::Latin1)
}

/// The code point of each byte of an encoding of bytes, or [`UNDEFINED`].
#[inline(always)]
pub(super) fn code_points(of: Bulk) -> [u16; 256] {
    let mut code_points = IDENTITY;
    match of {
        #[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
        Bulk::SingleByte(charset) => charset.put_code_points(&mut code_points),
        Bulk::Ascii => code_points[0x80..].fill(UNDEFINED),
        _ => {}
    }
    code_points
}

/// From a charset to UTF-16 or UTF-32, up to a byte that is not defined.
#[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
#[inline(never)]
pub(super) fn charset_to_wide(charset: SingleByte, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    to_wide(charset.units(), to, src, dst)
}

/// From UTF-16 or UTF-32 to a charset, up to a code point that it lacks.
#[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
#[inline(never)]
pub(super) fn wide_to_charset(from: Bulk, charset: SingleByte, src: &[u8], dst: &mut [u8]) -> Moved {
    from_wide(from, charset.encoder(), src, dst)
}

/// Units of UTF-16 that are made at a time on the way to or from UTF-32.
#[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
const PIECE: usize = 512;

/// To UTF-16 or UTF-32, up to a byte that is not defined.
#[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
fn to_wide(table: &SingleByteUnits, to: Bulk, src: &[u8], dst: &mut [u8]) -> Moved {
    let kernels = Kernels::current();
    if !matches!(to, Bulk::Utf32Le | Bulk::Utf32Be) {
        return kernels.single_byte_to_utf16(table, to == Bulk::Utf16Be, src, dst);
    }
    let mut units = [0; 2 * PIECE];
    let mut count = 0;
    loop {
        let rest = &src[count..src.len().min(dst.len() / 4)];
        let piece = &rest[..rest.len().min(PIECE)];
        let read = kernels.single_byte_to_utf16(table, false, piece, &mut units).read;
        let (units, room) = (&units[..2 * read], &mut dst[4 * count..]);
        let _ = match to {
            Bulk::Utf32Be => kernels.utf16le_to_utf32be(units, room),
            _ => kernels.utf16le_to_utf32le(units, room),
        };
        count += read;
        if read < PIECE {
            return Moved { read: count, written: 4 * count };
        }
    }
}

/// From UTF-16 or UTF-32, up to a code point that the charset lacks.
#[cfg(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr"))]
fn from_wide(from: Bulk, table: &SingleByteEncoder, src: &[u8], dst: &mut [u8]) -> Moved {
    let kernels = Kernels::current();
    if !matches!(from, Bulk::Utf32Le | Bulk::Utf32Be) {
        return kernels.utf16_to_single_byte(table, from == Bulk::Utf16Be, src, dst);
    }
    let mut units = [0; 2 * PIECE];
    let mut count = 0;
    loop {
        let (rest, room) = (&src[4 * count..], &mut dst[count..]);
        let piece = &rest[..rest.len().min(4 * PIECE)];
        let made = match from {
            Bulk::Utf32Be => kernels.utf32be_to_utf16le(piece, &mut units),
            _ => kernels.utf32le_to_utf16le(piece, &mut units),
        };
        // A charset has nothing of what takes two units.
        let written = kernels.utf16_to_single_byte(table, false, &units[..made.written], room).written;
        count += written;
        if written < PIECE {
            return Moved { read: 4 * count, written: count };
        }
    }
}
