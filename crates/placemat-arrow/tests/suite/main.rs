//! The tests of this crate, in one program.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]
#![expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "numbers of small tests")]
#![expect(unsafe_code, reason = "the tests build unchecked arrays, as another program may export them")]

mod buffers;
mod columns;
mod shapes;
