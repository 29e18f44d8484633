//! The judge of `libplacemat_iconv`: runs glibc's `iconv` and the library in one process and compares every answer.
//!
//! No answer is written down here. A [table](table) of probes covers each promise of the contract
//! by name; [pairs](pairs) of encodings convert texts with random divisions of the input and random
//! sizes of the output; a [sweep](sweep) asks for each code point and each short sequence of bytes
//! by itself. The input and the output of every call end right before an inaccessible page, so an
//! access past either end ends the process.
//!
//! Known [differences](known) have a reason in `known.txt`. Any other difference fails, and so does
//! a listed one that no longer occurs. The [mutants](mutants), deliberately wrong libraries, show
//! that each comparison can fail.

pub mod answer;
pub mod charsets;
pub mod guard;
pub mod guide;
pub mod known;
pub mod library;
pub mod mutants;
pub mod names;
pub mod pairs;
pub mod random;
pub mod report;
pub mod scenario;
pub mod sweep;
pub mod table;
pub mod texts;
