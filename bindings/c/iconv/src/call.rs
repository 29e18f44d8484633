//! One call of iconv(3): from its pointers to slices and back.
//!
//! The output is made on the stack and copied. The kernels of placemat store whole vectors, which
//! can extend past the result, within their slice. glibc writes the result and nothing else, and
//! programs rely on that: they fill a buffer with zeros and use the result as a C string, or pass a
//! buffer without end.

use crate::system::{E2BIG, EILSEQ, EINVAL, Errno};
use core::ffi::c_char;
use core::mem::MaybeUninit;
use placemat_iconv::{Converter, Progress, Stop};

/// The size of a piece of long input in bytes. The stack of a small thread has space for the piece
/// and its output.
const MAX_PIECE_BYTES: usize = 8192;
/// Input of up to this many bytes uses a smaller piece of the stack, which takes less time.
const MAX_SHORT_BYTES: usize = 1024;

/// At most this many bytes of input, which certainly convert, are converted directly into the
/// caller's buffer.
const MAX_STRAIGHT_BYTES: usize = 1 << 16;
/// The number of input bytes after those that are converted through the stack again. A code point
/// takes at most four of them and becomes at least one byte, so their output covers the at most 256
/// bytes that kernels stored past the result.
const COVER_BYTES: usize = 2048;

/// Returns the buffer size for the output of a piece: four bytes for each byte of input, and the
/// replacement of one character.
const fn room(piece: usize) -> usize {
    4 * piece + 1024
}

/// A buffer of a call: the addresses where the caller keeps its start and its length.
#[derive(Clone, Copy)]
struct Buffer {
    place: *mut *mut c_char,
    len_place: *mut usize,
    /// The start of the buffer; null if there is none.
    start: *mut u8,
    /// The length of the buffer, or less: no slice reaches past the last address, or over half of
    /// all addresses.
    len: usize,
}

impl Buffer {
    /// Reads the buffer from the arguments of iconv(3).
    ///
    /// # Safety
    /// `place` is null or the address of a pointer; `len` is null or the address of a length.
    #[inline]
    unsafe fn new(place: *mut *mut c_char, len_place: *mut usize) -> Self {
        let start: *mut u8 = if place.is_null() {
            core::ptr::null_mut()
        } else {
            // SAFETY: it is not null, so the caller promises that it can be read.
            unsafe { place.read() }.cast()
        };
        let len = if start.is_null() || len_place.is_null() {
            0
        } else {
            // SAFETY: it is not null, so the caller promises that it can be read.
            unsafe { len_place.read() }
        };
        Self {
            place,
            len_place,
            start,
            len: len.min(isize::MAX.cast_unsigned()).min(usize::MAX - start.addr()),
        }
    }

    /// Moves the start of the buffer past `by` bytes.
    ///
    /// # Safety
    /// `by` is at most `len`, and the arguments of `new` can be written.
    #[inline]
    unsafe fn advance(&self, by: usize) {
        // Without progress, the places may be null.
        if by == 0 {
            return;
        }
        // SAFETY: `len` is not zero, so this is not null, and the caller promises that it can be written.
        let place = unsafe { &mut *self.place };
        *place = place.wrapping_add(by);
        // SAFETY: `len` is not zero, so this is not null, and the caller promises that it can be written.
        let len = unsafe { &mut *self.len_place };
        *len -= by;
    }

    /// Returns `true` if two buffers overlap.
    fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (self.start.addr(), other.start.addr());
        a < b + other.len && b < a + self.len
    }
}

/// Runs `iconv` with a conversion of ours.
///
/// # Safety
/// The pointers are as iconv(3) has them: null, or addresses of pointers and lengths of memory that this thread alone uses. A
/// length of the output may be greater than its memory, if that has room for the result.
pub(crate) unsafe fn run(
    converter: &mut Converter,
    src: *mut *mut c_char,
    src_len: *mut usize,
    dst: *mut *mut c_char,
    dst_len: *mut usize,
) -> usize {
    let errno = Errno::now();
    // SAFETY: the caller keeps the contract of iconv(3).
    let src = unsafe { Buffer::new(src, src_len) };
    // SAFETY: the caller keeps the contract of iconv(3).
    let dst = unsafe { Buffer::new(dst, dst_len) };
    let p = if src.start.is_null() && dst.start.is_null() {
        converter.reset();
        Progress { read: 0, written: 0, irreversible: 0, stop: Stop::Done }
    } else if src.start.is_null() {
        let mut output = Output::<{ room(MAX_SHORT_BYTES) }>::new(dst);
        // SAFETY: the caller keeps the contract of iconv(3).
        unsafe { output.put(|room| converter.finish(room)) }
    } else if src.len <= MAX_SHORT_BYTES {
        // SAFETY: the caller keeps the contract of iconv(3).
        unsafe { convert::<MAX_SHORT_BYTES, { room(MAX_SHORT_BYTES) }>(converter, src, dst) }
    } else {
        // SAFETY: the caller keeps the contract of iconv(3).
        unsafe { convert_long(converter, src, dst) }
    };
    // SAFETY: these bytes were read.
    unsafe { src.advance(p.read) };
    // SAFETY: these bytes were written.
    unsafe { dst.advance(p.written) };
    let code = match p.stop {
        Stop::Done => return errno.restore(p.irreversible),
        Stop::Incomplete => EINVAL,
        Stop::IllFormed | Stop::Unmappable | Stop::Ignored => EILSEQ,
        Stop::NoRoom => E2BIG,
    };
    errno.fail(code, usize::MAX)
}

/// The output of a call.
struct Output<const ROOM_BYTES: usize> {
    dst: Buffer,
    /// Bytes that are in the caller's buffer.
    written: usize,
    /// The memory in which the next bytes are made.
    room: [MaybeUninit<u8>; ROOM_BYTES],
    /// The length of the initialized start of `room`. Most calls need little of it.
    cleared: usize,
}

impl<const ROOM_BYTES: usize> Output<ROOM_BYTES> {
    #[inline]
    const fn new(dst: Buffer) -> Self {
        Self { dst, written: 0, room: [MaybeUninit::uninit(); ROOM_BYTES], cleared: 0 }
    }

    /// Whether the caller's buffer has more room than a piece.
    const fn has_more_than_a_piece(&self) -> bool {
        self.dst.len - self.written > ROOM_BYTES
    }

    /// Copies the bytes that `make` writes into the caller's buffer, after those written before.
    ///
    /// # Safety
    /// The caller's buffer has room for it.
    #[inline]
    unsafe fn put(&mut self, make: impl FnOnce(&mut [u8]) -> Progress) -> Progress {
        let room = &mut self.room[..ROOM_BYTES.min(self.dst.len - self.written)];
        if let Some(rest) = room.get_mut(self.cleared..) {
            rest.fill(MaybeUninit::new(0));
            self.cleared = room.len();
        }
        // SAFETY: all bytes before `cleared` are initialized, and no later ones are part of `room`.
        let room = unsafe { core::slice::from_raw_parts_mut(room.as_mut_ptr().cast::<u8>(), room.len()) };
        let p = make(room);
        if p.written > 0 {
            let place = self.dst.start.wrapping_add(self.written);
            // SAFETY: the caller promises the room, and the stack is elsewhere.
            unsafe { place.copy_from_nonoverlapping(room[..p.written].as_ptr(), p.written) };
            self.written += p.written;
        }
        p
    }
}

impl<const ROOM_BYTES: usize> Output<ROOM_BYTES> {
    /// Lets `make` write directly into the caller's buffer, after the bytes written before.
    ///
    /// # Safety
    /// The caller's buffer has room for `most` bytes, which nothing else uses.
    #[inline]
    unsafe fn put_straight(&mut self, most: usize, make: impl FnOnce(&mut [u8]) -> Progress) -> Progress {
        let place = self.dst.start.wrapping_add(self.written);
        // SAFETY: the caller promises the room.
        let p = make(unsafe { core::slice::from_raw_parts_mut(place, most) });
        self.written += p.written;
        p
    }
}

/// Converts longer input, in a separate stack frame: a large frame costs time in each call.
///
/// # Safety
/// The requirements of `run`.
#[inline(never)]
unsafe fn convert_long(converter: &mut Converter, src: Buffer, dst: Buffer) -> Progress {
    // SAFETY: the caller keeps the contract of iconv(3).
    unsafe { convert::<MAX_PIECE_BYTES, { room(MAX_PIECE_BYTES) }>(converter, src, dst) }
}

/// Converts piece by piece.
///
/// # Safety
/// The requirements of `run`.
#[inline]
unsafe fn convert<const PIECE_BYTES: usize, const ROOM_BYTES: usize>(
    converter: &mut Converter,
    src: Buffer,
    dst: Buffer,
) -> Progress {
    let overlaps = src.overlaps(&dst);
    let mut output = Output::<ROOM_BYTES>::new(dst);
    // If the encoding has one byte for each code point, a byte of input becomes at most one byte of
    // output, so a piece may be as long as its output buffer.
    let mut longest = if converter.longest() == 1 && !overlaps { 4 * PIECE_BYTES } else { PIECE_BYTES };
    let (mut read, mut irreversible, mut ignored) = (0, 0_usize, false);
    let mut covers = false;
    loop {
        let mut piece = (src.len - read).min(longest);
        let start = src.start.wrapping_add(read).cast_const();
        let had_more = output.has_more_than_a_piece();
        let mut p = if covers {
            covers = false;
            piece = piece.min(COVER_BYTES);
            // SAFETY: the caller says that there are `piece` bytes, which nothing writes.
            let piece = unsafe { core::slice::from_raw_parts(start, piece) };
            // SAFETY: the caller says that there is room.
            unsafe { output.put(|room| converter.convert(piece, room)) }
        } else if let Some(len) = straight::<PIECE_BYTES, ROOM_BYTES>(converter, src, read, &output) {
            (covers, piece) = (true, len);
            // SAFETY: the caller says that there are `len` bytes, which nothing writes.
            let piece = unsafe { core::slice::from_raw_parts(start, len) };
            // SAFETY: the caller says that there is room for the output of `len` and `COVER_BYTES`
            // more bytes.
            unsafe { output.put_straight(4 * len, |room| converter.convert(piece, room)) }
        } else if overlaps {
            // SAFETY: the caller keeps the contract of iconv(3).
            unsafe { convert_copy::<PIECE_BYTES, ROOM_BYTES>(converter, start, piece, &mut output) }
        } else {
            // SAFETY: the caller says that there are `piece` bytes, which nothing writes.
            let piece = unsafe { core::slice::from_raw_parts(start, piece) };
            // SAFETY: the caller says that there is room.
            unsafe { output.put(|room| converter.convert(piece, room)) }
        };
        let is_last = read + piece == src.len;
        read += p.read;
        irreversible = irreversible.saturating_add(p.irreversible);
        ignored |= p.stop == Stop::Ignored;
        let goes_on = match p.stop {
            Stop::Done | Stop::Ignored => p.read > 0 && !is_last,
            // A piece can end within a sequence, or be a sequence of shifts that is longer than a piece.
            Stop::Incomplete if p.read == 0 && !is_last && !overlaps => {
                longest = longest.saturating_mul(2);
                true
            }
            Stop::Incomplete => p.read > 0 && !is_last,
            Stop::NoRoom => had_more && (p.read > 0 || p.written > 0),
            Stop::IllFormed | Stop::Unmappable => false,
        };
        if !goes_on {
            if p.stop == Stop::Done && ignored {
                p.stop = Stop::Ignored;
            }
            return Progress { read, written: output.written, irreversible, ..p };
        }
    }
}

/// Returns the bytes that can be converted directly into the caller's buffer: they and
/// `COVER_BYTES` more certainly convert, and both fit.
#[inline]
fn straight<const PIECE_BYTES: usize, const ROOM_BYTES: usize>(
    converter: &Converter,
    src: Buffer,
    read: usize,
    output: &Output<ROOM_BYTES>,
) -> Option<usize> {
    let rest = src.len - read;
    if PIECE_BYTES == MAX_SHORT_BYTES || rest < 2 * PIECE_BYTES || src.overlaps(&output.dst) {
        return None;
    }
    let start = src.start.wrapping_add(read).cast_const();
    // SAFETY: the caller of `run` promises that these bytes exist and stay unchanged.
    let ahead = unsafe { core::slice::from_raw_parts(start, rest.min(MAX_STRAIGHT_BYTES)) };
    let sure = converter.surely_converts(ahead);
    let room = output.dst.len - output.written;
    (sure >= 2 * PIECE_BYTES && room >= 4 * sure).then_some(sure - COVER_BYTES)
}

/// Converts a piece that the output may overwrite: it is first copied to the stack.
///
/// # Safety
/// `len` bytes can be read from `start` on, not more than `PIECE_BYTES`.
#[cold]
#[inline(never)]
unsafe fn convert_copy<const PIECE_BYTES: usize, const ROOM_BYTES: usize>(
    converter: &mut Converter,
    start: *const u8,
    len: usize,
    output: &mut Output<ROOM_BYTES>,
) -> Progress {
    let mut copy = [0; PIECE_BYTES];
    // SAFETY: the caller promises `len` bytes, and the stack is elsewhere.
    unsafe { start.copy_to_nonoverlapping(copy.as_mut_ptr(), len) };
    // SAFETY: the caller keeps the contract of iconv(3).
    unsafe { output.put(|room| converter.convert(&copy[..len], room)) }
}
