//! The kernels in plain loops, for any machine.
//!
//! # How they are built
//!
//! Plain loops over blocks of a fixed size, such as LLVM turns into vector code on every target that has vectors at
//! all (the baseline of x86-64 is SSE2, that of aarch64 is NEON). Three habits make that work: the block is a
//! reference to an array, so no bounds are checked inside; the loop body has no branch, only comparisons that are used
//! as numbers or masks; and an error is a bit in an accumulator that is looked at once per block. One part does not
//! vectorise, moving a varying number of units per code point; it is done without branches that depend on the text, because
//! a mispredicted branch costs as much as converting some tens of bytes.
//!
//! LLVM unrolls a short loop of known length before it looks for vectors, and then often finds none, or bad ones. Where
//! that happens, the loop is made longer, goes lane by lane, or stands in a function that is not inlined; a comment says
//! so. Look at the machine code, or at least at the speed, after any change here.

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
