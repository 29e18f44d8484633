//! The tests, one program.

#![expect(clippy::unwrap_used, reason = "a test fails by a panic")]
#![expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "numbers of small tests")]
#![expect(unsafe_code, reason = "arrays as another program can export them are made without checks")]

mod buffers;
mod columns;
mod shapes;
