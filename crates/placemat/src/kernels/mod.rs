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
//! as numbers or masks; and an error is a bit in an accumulator that is looked at once per block. What does not
//! vectorise, moving a varying number of units per code point, is done without branches that depend on the text, because
//! a mispredicted branch costs as much as converting some tens of bytes.
//!
//! LLVM unrolls a short loop of known length before it looks for vectors, and then often finds none, or bad ones. Where
//! that happens, the loop is made longer, goes lane by lane, or stands in a function that is not inlined; a comment says
//! so. Look at the machine code, or at least at the speed, after any change here.

#![forbid(unsafe_code)]

pub(crate) mod ascii;
pub(crate) mod count;
pub(crate) mod latin1;
pub(crate) mod utf16_to_utf8;
pub(crate) mod utf32;
pub(crate) mod utf8_to_utf16;
pub(crate) mod validate;

mod block;
mod lanes;
mod step;

/// How far a kernel got, in units of its source and of its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Moved {
    /// Units of the source that were consumed.
    pub(crate) read: usize,
    /// Units of the target that were written.
    pub(crate) written: usize,
}

#[cfg(test)]
mod samples;
