//! One call of iconv(3): from its pointers to slices and back.
//!
//! The output is made on the stack and copied. The kernels of placemat store whole vectors, which can reach beyond the result, within
//! the slice that they are given. glibc writes the result and nothing else, and programs rely on it: they fill a buffer with zeros and
//! use the result as a C string, or say that the buffer has no end.

use crate::system::{E2BIG, EILSEQ, EINVAL, Errno};
use core::ffi::c_char;
use core::mem::MaybeUninit;
use placemat_iconv::{Converter, Progress, Stop};

/// The bytes of a piece of input, in a call with much of it. The stack of a small thread has room for it and its output.
const PIECE: usize = 8192;
/// The bytes of a whole input that takes little of the stack, and so less time.
const SHORT: usize = 1024;

/// The bytes of an input that goes straight to the output, as it surely converts.
const STRAIGHT: usize = 1 << 16;
/// The bytes of input after it that go by way of the stack again. A code point takes at most four of them, and becomes a byte or more:
/// so their output covers what the kernels stored behind the result, which is at most 256 bytes.
const COVER: usize = 2048;

/// The room for the output of a piece: four bytes for each of the input, and a text that stands for one character.
const fn room(piece: usize) -> usize {
    4 * piece + 1024
}

/// A buffer of a call: where the caller keeps its address and its length.
#[derive(Clone, Copy)]
struct Buffer {
    place: *mut *mut c_char,
    len_place: *mut usize,
    /// Its start; null if there is none.
    start: *mut u8,
    /// Its length, or less: no slice reaches beyond the last address, or over half of all addresses.
    len: usize,
}

impl Buffer {
    /// The buffer that the arguments of iconv(3) mean.
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

    /// Moves its start.
    ///
    /// # Safety
    /// `by` is at most `len`, and the arguments of `new` can be written.
    #[inline]
    unsafe fn advance(&self, by: usize) {
        // Then the places may be null.
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

    /// Whether they have bytes in common.
    fn overlaps(&self, other: &Self) -> bool {
        let (a, b) = (self.start.addr(), other.start.addr());
        a < b + other.len && b < a + self.len
    }
}

/// Does what `iconv` does with a conversion of ours.
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
        let mut output = Output::<{ room(SHORT) }>::new(dst);
        // SAFETY: the caller keeps the contract of iconv(3).
        unsafe { output.put(|room| converter.finish(room)) }
    } else if src.len <= SHORT {
        // SAFETY: the caller keeps the contract of iconv(3).
        unsafe { convert::<SHORT, { room(SHORT) }>(converter, src, dst) }
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
struct Output<const ROOM: usize> {
    dst: Buffer,
    /// Bytes that are in the caller's buffer.
    written: usize,
    /// Where the next ones are made.
    room: [MaybeUninit<u8>; ROOM],
}

impl<const ROOM: usize> Output<ROOM> {
    #[inline]
    const fn new(dst: Buffer) -> Self {
        Self { dst, written: 0, room: [MaybeUninit::uninit(); ROOM] }
    }

    /// Whether the caller's buffer has more room than a piece.
    const fn has_more_than_a_piece(&self) -> bool {
        self.dst.len - self.written > ROOM
    }

    /// Puts what `make` writes behind what was written.
    ///
    /// # Safety
    /// The caller's buffer has room for it.
    #[inline]
    unsafe fn put(&mut self, make: impl FnOnce(&mut [u8]) -> Progress) -> Progress {
        let room = &mut self.room[..ROOM.min(self.dst.len - self.written)];
        // SAFETY: converters write to the room, and read nothing there but what they wrote.
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

impl<const ROOM: usize> Output<ROOM> {
    /// Lets `make` write straight to the caller's buffer, behind what was written.
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

/// Converts more than a short input, in a frame of its own: one as large costs time in each call.
///
/// # Safety
/// As for `run`.
#[inline(never)]
unsafe fn convert_long(converter: &mut Converter, src: Buffer, dst: Buffer) -> Progress {
    // SAFETY: the caller keeps the contract of iconv(3).
    unsafe { convert::<PIECE, { room(PIECE) }>(converter, src, dst) }
}

/// Converts piece by piece.
///
/// # Safety
/// As for `run`.
#[inline]
unsafe fn convert<const PIECE: usize, const ROOM: usize>(
    converter: &mut Converter,
    src: Buffer,
    dst: Buffer,
) -> Progress {
    let overlaps = src.overlaps(&dst);
    let mut output = Output::<ROOM>::new(dst);
    // A byte of input becomes one of output at most, where code points do: a piece may be as long as the room.
    let mut longest = if converter.longest() == 1 && !overlaps { 4 * PIECE } else { PIECE };
    let (mut read, mut irreversible, mut ignored) = (0, 0_usize, false);
    let mut covers = false;
    loop {
        let mut piece = (src.len - read).min(longest);
        let start = src.start.wrapping_add(read).cast_const();
        let had_more = output.has_more_than_a_piece();
        let mut p = if covers {
            covers = false;
            piece = piece.min(COVER);
            // SAFETY: the caller says that there are `piece` bytes, which nothing writes.
            let piece = unsafe { core::slice::from_raw_parts(start, piece) };
            // SAFETY: the caller says that there is room.
            unsafe { output.put(|room| converter.convert(piece, room)) }
        } else if let Some(len) = straight::<PIECE, ROOM>(converter, src, read, &output) {
            (covers, piece) = (true, len);
            // SAFETY: the caller says that there are `len` bytes, which nothing writes.
            let piece = unsafe { core::slice::from_raw_parts(start, len) };
            // SAFETY: the caller says that there is room for the output of `len` and `COVER` more bytes.
            unsafe { output.put_straight(4 * len, |room| converter.convert(piece, room)) }
        } else if overlaps {
            // SAFETY: the caller keeps the contract of iconv(3).
            unsafe { convert_copy::<PIECE, ROOM>(converter, start, piece, &mut output) }
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

/// The bytes that can be converted straight to the caller's buffer: they and `COVER` more surely convert, and there is room for both.
#[inline]
fn straight<const PIECE: usize, const ROOM: usize>(
    converter: &Converter,
    src: Buffer,
    read: usize,
    output: &Output<ROOM>,
) -> Option<usize> {
    let rest = src.len - read;
    if PIECE == SHORT || rest < 2 * PIECE || src.overlaps(&output.dst) {
        return None;
    }
    let start = src.start.wrapping_add(read).cast_const();
    // SAFETY: the caller of `run` says that there are these bytes, which nothing writes.
    let ahead = unsafe { core::slice::from_raw_parts(start, rest.min(STRAIGHT)) };
    let sure = converter.surely_converts(ahead);
    let room = output.dst.len - output.written;
    (sure >= 2 * PIECE && room >= 4 * sure).then_some(sure - COVER)
}

/// Converts a piece that the output may overwrite: it is read before that, and kept on the stack.
///
/// # Safety
/// `len` bytes can be read from `start` on, not more than `PIECE`.
#[cold]
#[inline(never)]
unsafe fn convert_copy<const PIECE: usize, const ROOM: usize>(
    converter: &mut Converter,
    start: *const u8,
    len: usize,
    output: &mut Output<ROOM>,
) -> Progress {
    let mut copy = [0; PIECE];
    // SAFETY: the caller promises `len` bytes, and the stack is elsewhere.
    unsafe { start.copy_to_nonoverlapping(copy.as_mut_ptr(), len) };
    // SAFETY: the caller keeps the contract of iconv(3).
    unsafe { output.put(|room| converter.convert(&copy[..len], room)) }
}
