//! Building blocks of the loops that convert between UTF-8 and forms without kernels.

use crate::ground::code_point::CodePoint;
use crate::ground::work;
use crate::kernels::dispatch::Kernels;
use crate::simd::{bytes_of, bytes_of_mut};

/// Size of a block in bytes: the loops handle a block at once where all its bytes are of one kind.
pub const BLOCK_BYTES: usize = 32;

/// Copies whole blocks, each byte through `map`, as long as `fits` accepts all bytes of a block.
/// Returns the number of bytes.
#[inline(always)]
pub fn blocks(src: &[u8], dst: &mut [u8], fits: impl Fn(u8) -> bool, map: impl Fn(u8) -> u8) -> usize {
    let mut done = 0;
    for (from, to) in src.as_chunks::<BLOCK_BYTES>().0.iter().zip(dst.as_chunks_mut::<BLOCK_BYTES>().0) {
        if !from.iter().fold(true, |all, &byte| all & fits(byte)) {
            break;
        }
        for (to, &from) in to.iter_mut().zip(from) {
            *to = map(from);
        }
        done += BLOCK_BYTES;
    }
    done
}

/// Size of a piece in UTF-16 code units.
const PIECE_UNITS: usize = 1024;
/// Below this number of code units or bytes, single steps are as fast as a piece.
const MIN_PIECE_LEN: usize = 32;
/// Bytes that a writer may use past the end of a piece, for stores of a fixed size.
pub(crate) const SLACK_BYTES: usize = 32;

/// A piece of text in UTF-16, between UTF-8 and a form.
///
/// The length of a code point in UTF-8 is unpredictable in most texts, so the kernels handle it,
/// and the form sees code units of one size, several at a time.
struct Piece {
    units: [u16; PIECE_UNITS],
}

impl Piece {
    const fn new() -> Self {
        Self { units: [0; PIECE_UNITS] }
    }

    /// Converts a piece to UTF-8. `read` reads bytes of the form, and returns how many bytes it
    /// read and how many UTF-16 code units it made of them. The code units must be well-formed.
    #[inline(always)]
    fn read(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        read: impl FnOnce(&[u8], &mut [u16]) -> (usize, usize),
    ) -> (usize, usize) {
        // A code unit becomes at most three bytes.
        let room = PIECE_UNITS.min(dst.len() / 3);
        if room < MIN_PIECE_LEN || src.len() < MIN_PIECE_LEN {
            return (0, 0);
        }
        let (len, count) = read(src, &mut self.units[..room]);
        work::add(work::CALL + len);
        (len, to_utf8(&self.units[..count], dst))
    }

    /// Converts a piece from UTF-8. `write` takes UTF-16 code units, of a surrogate pair both or
    /// none, and returns how many it took and how many bytes of the form it wrote: at most `widest`
    /// for each code unit.
    #[inline(always)]
    fn write(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        widest: usize,
        write: impl FnOnce(&[u16], &mut [u8]) -> (usize, usize),
    ) -> (usize, usize) {
        let len = src.len().min(PIECE_UNITS).min(dst.len().saturating_sub(SLACK_BYTES) / widest);
        if len < MIN_PIECE_LEN {
            return (0, 0);
        }
        let (kernels, units) = (Kernels::current(), bytes_of_mut(&mut self.units));
        let moved = if cfg!(target_endian = "big") {
            kernels.utf8_to_utf16be(&src[..len], units)
        } else {
            kernels.utf8_to_utf16le(&src[..len], units)
        };
        work::add(work::CALL + moved.read);
        if moved.read == 0 {
            return (0, 0);
        }
        let units = &self.units[..moved.written / 2];
        let (taken, written) = write(units, dst);
        if taken == units.len() {
            return (moved.read, written);
        }
        let bytes = |unit: &u16| match unit {
            0..0x80 => 1,
            // Half of the four bytes of a surrogate pair.
            0x80..0x800 | 0xD800..=0xDFFF => 2,
            _ => 3,
        };
        (units[..taken].iter().map(bytes).sum(), written)
    }
}

/// Converts a prefix of a form to UTF-8. `plain` copies the leading bytes that are the same in
/// UTF-8 and returns their number; `read` converts the others, as in [`Piece::read`].
#[inline(always)]
pub fn to_utf8_by_pieces<S>(
    state: &mut S,
    src: &[u8],
    dst: &mut [u8],
    plain: impl Fn(&mut S, &[u8], &mut [u8]) -> usize,
    read: impl Fn(&mut S, &[u8], &mut [u16]) -> (usize, usize),
) -> (usize, usize) {
    by_pieces(src, dst, |piece, src, dst| {
        let some = plain(state, src, dst);
        let (len, bytes) = piece.read(&src[some..], &mut dst[some..], |src, units| read(state, src, units));
        (some, len, bytes)
    })
}

/// Converts a prefix of UTF-8 to a form. `plain` copies the leading bytes that are the same in the
/// form and returns their number; `write` converts the others, as in [`Piece::write`].
#[inline(always)]
pub fn from_utf8_by_pieces<S>(
    state: &mut S,
    src: &[u8],
    dst: &mut [u8],
    widest: usize,
    plain: impl Fn(&mut S, &[u8], &mut [u8]) -> usize,
    write: impl Fn(&mut S, &[u16], &mut [u8]) -> (usize, usize),
) -> (usize, usize) {
    by_pieces(src, dst, |piece, src, dst| {
        let some = plain(state, src, dst);
        let (len, bytes) =
            piece.write(&src[some..], &mut dst[some..], widest, |units, dst| write(state, units, dst));
        (some, len, bytes)
    })
}

/// Converts piece after piece, until one reads nothing. `one` returns the number of bytes copied,
/// and of bytes that it read and wrote besides. Returns the number of bytes read and written.
#[inline(always)]
fn by_pieces(
    src: &[u8],
    dst: &mut [u8],
    mut one: impl FnMut(&mut Piece, &[u8], &mut [u8]) -> (usize, usize, usize),
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut piece = Piece::new();
    loop {
        let (some, len, bytes) = one(&mut piece, &src[read..], &mut dst[written..]);
        (read, written) = (read + some + len, written + some + bytes);
        if len == 0 {
            return (read, written);
        }
    }
}

/// Converts well-formed code units, for which `dst` has room. Returns the number of bytes.
#[inline(always)]
fn to_utf8(units: &[u16], dst: &mut [u8]) -> usize {
    let kernels = Kernels::current();
    let moved = if cfg!(target_endian = "big") {
        kernels.utf16be_to_utf8(bytes_of(units), dst)
    } else {
        kernels.utf16le_to_utf8(bytes_of(units), dst)
    };
    let mut written = moved.written;
    for c in char::decode_utf16(units[moved.read / 2..].iter().copied()).map_while(Result::ok) {
        written += c.encode_utf8(&mut dst[written..]).len();
    }
    written
}

/// Returns the code point at the start of well-formed code units, and its length in code units.
#[inline(always)]
#[must_use]
pub fn code_point(units: &[u16]) -> (u32, usize) {
    match *units {
        [lead @ 0xD800..=0xDBFF, trail, ..] => (CodePoint::from_pair(lead, trail).value(), 2),
        [unit, ..] => (unit.into(), 1),
        [] => (0, 0),
    }
}

/// Writes a scalar value as one code unit or two, and returns their number. It has no branch,
/// because planes change often in text with emoji.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a pair have 16 bits")]
pub fn put(c: u32, to: &mut [u16; 2]) -> usize {
    // Adds D800 and subtracts 10000 (whose bits from 10 on go to the lead surrogate) in one step.
    let lead = (c >> 10).wrapping_add(0xD800 - 0x40);
    let pair = u32::from(c >= 0x1_0000).wrapping_neg();
    *to = [(lead & pair | c & !pair) as u16, 0xDC00 | (c & 0x3FF) as u16];
    1 + (pair & 1) as usize
}

/// Eight bytes or four UTF-16 code units as lanes of an integer, because compilers do not vectorize
/// loops that stop early. A test sets the highest bit of each lane that passes. The first lane has
/// the lowest bits.
pub mod lanes {
    /// The value 1 in each of eight bytes, or of four code units.
    const BYTES: u64 = 0x0101_0101_0101_0101;
    const UNITS: u64 = 0x0001_0001_0001_0001;
    pub const HIGH8: u64 = 0x80 * BYTES;
    pub const HIGH16: u64 = 0x8000 * UNITS;

    #[inline(always)]
    #[must_use]
    pub const fn all8(byte: u8) -> u64 {
        byte as u64 * BYTES
    }
    #[inline(always)]
    #[must_use]
    pub const fn all16(unit: u16) -> u64 {
        unit as u64 * UNITS
    }

    /// Marks the bytes of `low`, all below 80, that are at least `least`, which is at most 80.
    #[inline(always)]
    #[must_use]
    pub const fn from8(low: u64, least: u8) -> u64 {
        low + all8(0x80 - least)
    }
    /// Marks the bytes of `low`, all below 80, that differ from `byte`.
    #[inline(always)]
    #[must_use]
    pub const fn is_not8(low: u64, byte: u8) -> u64 {
        (low ^ all8(byte)) + all8(0x7F)
    }
    /// Marks the code units of `low`, all below 8000, that are at least `least`, which is at most
    /// 8000.
    #[inline(always)]
    #[must_use]
    pub const fn from16(low: u64, least: u16) -> u64 {
        low + all16(0x8000 - least)
    }
    /// Marks the code units that are not zero.
    #[inline(always)]
    #[must_use]
    pub const fn any16(units: u64) -> u64 {
        ((units & !HIGH16) + all16(0x7FFF)) | units
    }

    /// Subtracts lane by lane, without a borrow between lanes.
    #[inline(always)]
    #[must_use]
    pub const fn sub8(a: u64, b: u64) -> u64 {
        ((a | HIGH8) - (b & !HIGH8)) ^ ((a ^ !b) & HIGH8)
    }
    #[inline(always)]
    #[must_use]
    pub const fn sub16(a: u64, b: u64) -> u64 {
        ((a | HIGH16) - (b & !HIGH16)) ^ ((a ^ !b) & HIGH16)
    }

    /// Returns the number of bytes before the first that `stops` marks.
    #[inline(always)]
    #[must_use]
    pub const fn before8(stops: u64) -> usize {
        (stops & HIGH8).trailing_zeros() as usize / 8
    }
    /// Returns the number of code units, of eight, before the first that `stops` marks.
    #[inline(always)]
    #[must_use]
    pub fn before16(stops: [u64; 2]) -> usize {
        let [first, second] = stops.map(|stops| (stops & HIGH16).trailing_zeros() as usize / 16);
        if first == 4 { 4 + second } else { first }
    }

    /// Returns eight code units as two integers of four lanes.
    #[inline(always)]
    #[must_use]
    pub fn of_units(units: &[u16; 8]) -> [u64; 2] {
        let join = |four: [u16; 4]| four.iter().rev().fold(0, |all, &unit| all << 16 | u64::from(unit));
        let [a, b, c, d, e, f, g, h] = *units;
        [join([a, b, c, d]), join([e, f, g, h])]
    }
}
