//! The kernels as plain loops, for any CPU.
//!
//! # How they are built
//!
//! The kernels are plain loops over blocks of a fixed size, which LLVM vectorizes on every target
//! that has vectors at all (the baseline of x86-64 is SSE2, the baseline of aarch64 is NEON). Three
//! habits make that work: a block is a reference to an array, so there are no bounds checks inside;
//! the loop body has no branch, only comparisons whose results are numbers or masks; and errors are
//! bits in an accumulator that is tested once per block. One part does not vectorize, moving a
//! variable number of units per code point; it has no branches that depend on the text, because a
//! mispredicted branch costs as much as converting some tens of bytes.
//!
//! LLVM unrolls a short loop of known length before it vectorizes, and then often fails to
//! vectorize it, or does so badly. Where that happens, the loop is longer, goes lane by lane, or is
//! in a function that is not inlined; a comment says so. After any change here, look at the machine
//! code, or at least at the speed.

pub(crate) mod ascii;
pub(crate) mod count;
pub(crate) mod latin1;
pub(crate) mod patch;
pub mod single_byte;
pub(crate) mod utf16_to_utf8;
pub(crate) mod utf32;
pub(crate) mod utf8_to_utf16;
pub(crate) mod validate;
pub(crate) mod wide;

pub(crate) use super::Moved;

mod block;
mod lanes;
pub mod step;

#[cfg(any(test, feature = "samples"))]
pub mod samples;
