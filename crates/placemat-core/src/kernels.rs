//! Bulk algorithms for long well-formed text, in safe code.
//!
//! All kernels have the same contract: consume a prefix of `src`, return how much was read and
//! written, and stop on a code point boundary at or before the first ill-formed or incomplete
//! sequence. A kernel never writes outside `dst`; it stops when `dst` is full. Making no progress
//! is always allowed: the driver then takes one scalar step by the rules of the form. A kernel
//! knows no policy and reports no error.
//!
//! The kernels here stop early only where they must. For well-formed input with enough room, `read`
//! is `src.len()`; if `dst` is too short, it is filled up to the last code point that fits as a
//! whole.
//!
//! Most kernels exist twice. The kernels of this module are generic over the traits of
//! [`simd`](crate::simd), and [`dispatch`] compiles them once for each level. The kernels of
//! [`portable`] are plain loops for any CPU, and also finish texts that are too short for a block.
//!
//! Only `dispatch` contains `unsafe` code: it calls functions of the level that it has detected.
//!
//! `docs/speed/kernels.md` shows how a block passes through each kernel.
#![cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "wasm32")),
    allow(dead_code, reason = "a portable build uses no level")
)]

pub(crate) mod ascii;
pub(crate) mod big_endian;
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
#[cfg(test)]
mod proof;
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

use crate::simd::Slot;

/// Progress of a kernel that replaces ill-formed sequences, and the number of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replaced {
    /// Bytes of the source that were consumed.
    pub read: usize,
    /// Bytes of the target that were written.
    pub written: usize,
    /// The number of errors, each of which was replaced with one U+FFFD.
    pub errors: usize,
    /// Offset of the first error in the source, if there was any.
    pub first: usize,
}

impl Replaced {
    /// Adds `errors` errors; the first of them began at `first`.
    #[inline(always)]
    pub(crate) fn count(&mut self, errors: usize, first: usize) {
        if self.errors == 0 {
            self.first = first;
        }
        self.errors += errors;
    }
}

/// Progress of a kernel that replaces ill-formed sequences with texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Patched {
    /// Bytes read and written, and the errors.
    pub replaced: Replaced,
    /// The number of code points written as replacements.
    pub put: usize,
}

/// Progress of a kernel, in code units of its source and of its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Code units of the source that were consumed.
    pub read: usize,
    /// Code units of the target that were written.
    pub written: usize,
}

/// Room for a replacement, which accepts nothing but text.
#[derive(Debug)]
pub struct TextRoom<'a> {
    room: &'a mut [Slot],
    /// The number of bytes written, which are the first ones of `room`.
    written: usize,
}

impl<'a> TextRoom<'a> {
    #[inline(always)]
    const fn new(room: &'a mut [Slot]) -> Self {
        Self { room, written: 0 }
    }

    /// Appends a text. Returns `false` if there is no room for it.
    #[inline]
    #[must_use]
    pub fn push(&mut self, text: &str) -> bool {
        let end = self.written + text.len();
        let Some(room) = self.room.get_mut(self.written..end) else { return false };
        Slot::copy(room, text.as_bytes());
        self.written = end;
        true
    }
}

/// Writes the replacements of ill-formed UTF-8.
pub trait Mend {
    /// Writes the replacement of the ill-formed sequence at offset `at` of the source to `room`.
    /// Returns the length of the sequence, or `None` to stop the copy before the sequence, for
    /// example for lack of room. `len` is the length of the maximal subpart.
    fn mend(&mut self, at: usize, len: usize, room: &mut TextRoom<'_>) -> Option<usize>;
}
