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
//! # How they are built
//!
//! Plain loops over blocks of a fixed size, such as LLVM turns into vector code on every target that has vectors at
//! all (the baseline of x86-64 is SSE2, that of aarch64 is NEON). Three habits make that work: the block is a
//! reference to an array, so no bounds are checked inside; the loop body has no branch, only comparisons that are used
//! as numbers; and an error is a bit in an accumulator that is looked at once per block. What does not vectorise,
//! moving a varying number of units per code point, is done without branches that depend on the text, because a
//! mispredicted branch costs as much as converting ten bytes.

#![forbid(unsafe_code)]

pub mod ascii;
pub mod count;
pub mod latin1;
pub mod utf16_to_utf8;
pub mod utf32;
pub mod utf8_to_utf16;
pub mod validate;

mod block;
mod step;

/// How far a kernel got, in units of its source and of its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Units of the source that were consumed.
    pub read: usize,
    /// Units of the target that were written.
    pub written: usize,
}

#[cfg(test)]
mod samples;
