//! Bulk algorithms over long well-formed stretches, in safe code.
//!
//! The contract is the same for all of them: consume a prefix of `src`, say how much was read and written, stop at or
//! before the first ill-formed or incomplete sequence, on a code point border. Never write outside `dst`; stop when it
//! is full. To make no progress is always allowed: the driver then takes one scalar step by the rules of the form.
//! A kernel knows no policy and reports no error.
//!
//! The kernels here use that allowance only where they must. On well-formed input with enough room, `read` is
//! `src.len()`; when `dst` is short, it is filled up to the last code point that fits as a whole.
//!
//! There are two of each. Those of this module are generic over the traits of [`simd`](crate::simd) and are compiled
//! once for each level by [`dispatch`]. Those of [`portable`] are plain loops for any
//! machine, and finish texts that are too short for a block.
//!
//! Only `dispatch`, which calls functions of the level that it has detected, holds `unsafe` code.
//!
//! `docs/speed/kernels.md` draws one block's way through each.

pub(crate) mod ascii;
mod big_endian;
pub(crate) mod cesu8;
mod checker;
mod copy;
pub(crate) mod count;
pub(crate) mod damage;
pub mod dispatch;
mod from_utf8;
pub(crate) mod latin1_to_utf8;
pub(crate) mod latin1_wide;
pub mod marks;
pub(crate) mod one_unit;
pub(crate) mod patch;
pub mod portable;
pub(crate) mod repair_candidates;
pub(crate) mod short_utf16_to_utf8;
pub(crate) mod short_utf8_to_utf16;
pub mod single_byte;
mod sparse;
pub(crate) mod swap;
pub(crate) mod utf16;
pub(crate) mod utf16_to_utf32;
pub(crate) mod utf16_to_utf8;
pub(crate) mod utf32;
pub(crate) mod utf32_to_utf16;
pub(crate) mod utf32_to_utf8;
pub(crate) mod utf8_to_latin1;
pub(crate) mod utf8_to_utf16;
pub(crate) mod utf8_to_utf32;
pub(crate) mod validate;
pub mod weighted;
mod wide;

/// The progress of a kernel that replaces ill-formed sequences, and the number of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replaced {
    /// Bytes of the source that were consumed.
    pub read: usize,
    /// Bytes of the target that were written.
    pub written: usize,
    /// The number of errors, each of which became one U+FFFD.
    pub errors: usize,
    /// Where the first of them began, if there were any.
    pub first: usize,
}

impl Replaced {
    /// Counts errors, of which the first began at `first`.
    #[inline(always)]
    pub(crate) fn count(&mut self, errors: usize, first: usize) {
        if self.errors == 0 {
            self.first = first;
        }
        self.errors += errors;
    }
}

/// The progress of a kernel that puts texts for ill-formed sequences, which count as replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Patched {
    /// What was read and written, and the errors.
    pub replaced: Replaced,
    /// The number of code points that were put for them.
    pub put: usize,
}

/// The progress of a kernel, in units of its source and of its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Units of the source that were consumed.
    pub read: usize,
    /// Units of the target that were written.
    pub written: usize,
}

/// What stands for ill-formed sequences of UTF-8.
pub trait Mend {
    /// Writes what stands for the ill-formed sequence at `at` of the source to the start of `room`, and returns the length
    /// of the sequence, and that of the text; `None` if the copy stops before the sequence, as where there is no room.
    /// `len` is the length of the maximal subpart.
    fn mend(&mut self, at: usize, len: usize, room: &mut [u8]) -> Option<Moved>;
}
