//! Status, progress, errors.

use core::ffi::c_char;
use core::fmt::{self, Write as _};
use placemat::stream::{Progress, Status};
use placemat::{IllFormed, Unmappable};

/// Why a call ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum placemat_status {
    /// Everything was read and written.
    PLACEMAT_DONE = 0,
    /// Everything was read; the text goes on with the next call.
    PLACEMAT_NEED_INPUT = 1,
    /// There is no room for the next character. Call again with the rest of the input and another buffer.
    PLACEMAT_NEED_OUTPUT = 2,
    /// The input is ill-formed, and the policy says to stop. `placemat_error` has the offset and the kind.
    PLACEMAT_ILL_FORMED = 3,
    /// The target encoding cannot represent a code point, and the policy says to stop.
    PLACEMAT_UNMAPPABLE = 4,
    /// The encoding is 0 or not one of this library.
    PLACEMAT_UNKNOWN_ENCODING = 5,
    /// A value of a policy is out of range, its replacement is longer than 1024 bytes or not UTF-8, a range does not
    /// select whole code points, or a handle is null.
    PLACEMAT_BAD_ARGUMENT = 6,
    /// The new text of an edit and the bytes around it would read as another text.
    PLACEMAT_READS_OTHERWISE = 7,
}

/// An error in a text. All values are zero if there is none.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct placemat_error {
    /// The offset of the sequence, in code units from the start of the text.
    pub offset: u64,
    /// The length of the sequence in code units; 0 for a code point that the target cannot represent.
    pub length: usize,
    /// The code point that the target cannot represent; 0 for an ill-formed sequence.
    pub code_point: u32,
    /// 1 if the sequence is well-formed as far as it goes and the text ends within it, or in the state to which it shifts.
    pub is_incomplete: u32,
    /// The number of `bytes`.
    pub byte_count: u32,
    /// The first bytes of the sequence, in the order of the text.
    pub bytes: [u8; 16],
    /// The kind in one word, such as `overlong-2`, ended by a zero byte.
    pub code: [c_char; 28],
    /// The error in words, such as `overlong sequence 0xc0 at offset 17`, ended by a zero byte.
    pub message: [c_char; 128],
}

/// The progress of a call. Both counts are exact whatever the status.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct placemat_progress {
    /// Why the call ended.
    pub status: placemat_status,
    /// Code units of the input that were read.
    pub read: usize,
    /// Code units of the output that were written.
    pub written: usize,
}

impl placemat_error {
    pub(crate) const NONE: Self = Self {
        offset: 0,
        length: 0,
        code_point: 0,
        is_incomplete: 0,
        byte_count: 0,
        bytes: [0; 16],
        code: [0; 28],
        message: [0; 128],
    };

    pub(crate) fn ill_formed(e: &IllFormed) -> Self {
        let mut this = Self {
            offset: e.offset(),
            length: e.len(),
            is_incomplete: u32::from(e.is_incomplete()),
            ..Self::NONE
        };
        for (slot, &byte) in this.bytes.iter_mut().zip(e.bytes()) {
            *slot = byte;
            this.byte_count += 1;
        }
        this.words(e.code(), e);
        this
    }

    pub(crate) fn unmappable(e: &Unmappable) -> Self {
        let mut this = Self { offset: e.offset(), code_point: e.code_point().value(), ..Self::NONE };
        this.words("unmappable", e);
        this
    }

    /// Returns an error that has no place in a text.
    pub(crate) fn in_words(code: &str, message: &dyn fmt::Display) -> Self {
        let mut this = Self::NONE;
        this.words(code, message);
        this
    }

    fn words(&mut self, code: &str, message: &dyn fmt::Display) {
        c_string(&mut self.code, code);
        c_string(&mut self.message, message);
    }
}

/// Writes a text ended by a zero byte. What does not fit is left out.
pub(crate) fn c_string(array: &mut [c_char], text: impl fmt::Display) {
    let _ = write!(CString(array), "{text}");
}

/// Fills an array from its start, as far as it has room. Returns the number of its elements that are filled.
pub(crate) fn filled<T, U>(array: &mut [U], from: &[T], make: impl Fn(&T) -> U) -> u32 {
    let mut count = 0;
    for (slot, one) in array.iter_mut().zip(from) {
        *slot = make(one);
        count += 1;
    }
    count
}

/// A writer into an array, which keeps a zero byte at its end.
struct CString<'a>(&'a mut [c_char]);

impl fmt::Write for CString<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            let [slot, rest @ ..] = core::mem::take(&mut self.0) else { return Err(fmt::Error) };
            if rest.is_empty() {
                return Err(fmt::Error);
            }
            *slot = byte.cast_signed();
            self.0 = rest;
        }
        Ok(())
    }
}

impl placemat_progress {
    /// Returns the result of a call without any progress.
    pub(crate) const fn none(status: placemat_status) -> Self {
        Self { status, read: 0, written: 0 }
    }

    /// Returns the progress, and the error if there is one.
    pub(crate) fn of(p: Progress) -> (Self, placemat_error) {
        let (status, error) = match p.status {
            Status::Done => (placemat_status::PLACEMAT_DONE, placemat_error::NONE),
            Status::NeedInput => (placemat_status::PLACEMAT_NEED_INPUT, placemat_error::NONE),
            Status::NeedOutput => (placemat_status::PLACEMAT_NEED_OUTPUT, placemat_error::NONE),
            Status::IllFormed(e) => (placemat_status::PLACEMAT_ILL_FORMED, placemat_error::ill_formed(&e)),
            Status::Unmappable(e) => (placemat_status::PLACEMAT_UNMAPPABLE, placemat_error::unmappable(&e)),
        };
        (Self { status, read: p.read, written: p.written }, error)
    }
}
