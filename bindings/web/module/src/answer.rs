//! The answer of the last call, at a fixed address that the package reads.

use core::cell::{Cell, UnsafeCell};
use placemat::stream::{Progress, Status};
use placemat::{ConvertError, IllFormed, Unmappable};

/// The answer of a call. `src/module.js` reads it by the offsets of its fields.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Answer {
    /// 0 done, 1 more input needed, 2 larger output needed, 3 ill-formed input, 4 unmappable text,
    /// 5 no such encoding or policy, 6 no room for more notes, 7 no such range of the text, 8 a text that would read as another.
    status: u32,
    read: u32,
    written: u32,
    /// The length of the ill-formed sequence, in code units. Without an error, the number of notes.
    length: u32,
    /// The offset of the error from the start of the text, in code units.
    offset: f64,
    /// The code point that the target cannot represent.
    code_point: u32,
    /// The number of bytes in a code unit.
    width: u32,
    /// The bytes of the ill-formed sequence, and of the code unit after it that proves it, at most
    /// 16 together.
    bytes: [u8; 16],
    seen: u32,
    code: *const u8,
    code_length: u32,
    /// The kind of the error in words: `overlong sequence`.
    words: *const u8,
    words_length: u32,
}

impl Answer {
    pub(crate) const NONE: Self = Self {
        status: 0,
        read: 0,
        written: 0,
        length: 0,
        offset: 0.0,
        code_point: 0,
        width: 1,
        bytes: [0; 16],
        seen: 0,
        code: core::ptr::null(),
        code_length: 0,
        words: core::ptr::null(),
        words_length: 0,
    };
    /// The answer for a range that does not select whole code points of a text.
    #[cfg(feature = "detect")]
    pub(crate) const NO_RANGE: Self = Self { status: 7, ..Self::NONE };
    /// The answer for an edit that would make a byte without text a part of a sequence.
    #[cfg(feature = "detect")]
    pub(crate) const READS_OTHERWISE: Self = Self { status: 8, ..Self::NONE };
    /// The answer for a number that is out of range.
    pub(crate) const UNKNOWN: Self = Self { status: 5, ..Self::NONE };
}

struct Place(UnsafeCell<Answer>);

// SAFETY: a module has one thread.
unsafe impl Sync for Place {}

static LAST: Place = Place(UnsafeCell::new(Answer::NONE));

/// Returns the address of the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    LAST.0.get().cast_const().cast()
}

/// Stores the answer, and returns its status.
pub(crate) fn put(answer: Answer) -> u32 {
    // SAFETY: a module has one thread, and no reference to the answer is ever made.
    unsafe { LAST.0.get().write(answer) };
    answer.status
}

#[expect(clippy::cast_possible_truncation, reason = "a module has an address space of 32 bits")]
const fn small(n: usize) -> u32 {
    n as u32
}

impl Answer {
    #[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2^53 bytes")]
    fn ill_formed(error: &IllFormed) -> Self {
        let (seen, length) = (error.seen(), error.len());
        let (code, words) = (error.code(), error.kind().describe());
        let mut bytes = [0; 16];
        bytes[..seen.len()].copy_from_slice(seen);
        Self {
            status: 3,
            length: small(length),
            offset: error.offset() as f64,
            width: small(error.bytes().len() / length.max(1)).max(1),
            bytes,
            seen: small(seen.len()),
            code: code.as_ptr(),
            code_length: small(code.len()),
            words: words.as_ptr(),
            words_length: small(words.len()),
            ..Self::NONE
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "texts are shorter than 2^53 bytes")]
    pub(crate) fn unmappable(error: &Unmappable) -> Self {
        let code = error.code();
        Self {
            status: 4,
            offset: error.offset() as f64,
            code_point: error.code_point().value(),
            code: code.as_ptr(),
            code_length: small(code.len()),
            ..Self::NONE
        }
    }

    /// The answer when the room for notes is used up.
    pub(crate) const FULL: Self = Self { status: 6, ..Self::NONE };

    /// Returns whether a conversion stopped at an error, after which it can go on.
    pub(crate) const fn is_error(&self) -> bool {
        matches!(self.status, 3 | 4)
    }

    /// Returns the answer with other counts: of bytes read, bytes written, and notes.
    pub(crate) const fn with_counts(self, read: usize, written: usize, notes: usize) -> Self {
        let length = if self.is_error() { self.length } else { small(notes) };
        Self { read: small(read), written: small(written), length, ..self }
    }

    pub(crate) fn of(progress: Progress) -> Self {
        let (read, written) = (small(progress.read), small(progress.written));
        let answer = match progress.status {
            Status::Done => Self::NONE,
            Status::NeedInput => Self { status: 1, ..Self::NONE },
            Status::NeedOutput => Self { status: 2, ..Self::NONE },
            Status::IllFormed(e) => Self::ill_formed(&e),
            Status::Unmappable(e) => Self::unmappable(&e),
        };
        Self { read, written, ..answer }
    }
}

/// The room for the notes of one call: where the next note goes, and how many there can be.
struct Room(Cell<(*mut Answer, usize)>);

// SAFETY: a module has one thread.
unsafe impl Sync for Room {}

static NOTE_BLOCK: Room = Room(Cell::new((core::ptr::null_mut(), 0)));

/// Notes made by a policy, while this lives.
pub(crate) struct Notes(usize);

impl Notes {
    /// Begins to make notes in a block, at most `most` of them.
    ///
    /// # Safety
    /// The block has room for `most` notes, and nothing else uses it while this lives.
    pub(crate) unsafe fn begin(start: *mut Answer, most: usize) -> Self {
        NOTE_BLOCK.0.set((start, most));
        Self(most)
    }

    /// Returns the number of notes so far.
    pub(crate) fn count(&self) -> usize {
        self.0 - NOTE_BLOCK.0.get().1
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        NOTE_BLOCK.0.set((core::ptr::null_mut(), 0));
    }
}

/// Notes an error. Returns whether there was room.
pub(crate) fn note(error: &IllFormed) -> bool {
    let (at, left) = NOTE_BLOCK.0.get();
    if left == 0 {
        return false;
    }
    // SAFETY: who began the notes promised that there is room, and a block is aligned for them.
    unsafe { at.write(Answer::ill_formed(error)) };
    NOTE_BLOCK.0.set((at.wrapping_add(1), left - 1));
    true
}

impl From<ConvertError> for Answer {
    fn from(error: ConvertError) -> Self {
        match error {
            ConvertError::IllFormed(e) => Self::ill_formed(&e),
            ConvertError::Unmappable(e) => Self::unmappable(&e),
            _ => Self::UNKNOWN,
        }
    }
}
