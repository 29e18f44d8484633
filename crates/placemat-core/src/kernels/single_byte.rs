//! Single-byte encodings to and from UTF-8 and UTF-16, and to each other: table-driven code that
//! all of them share.
//!
//! The tables are in [`tables`] and [`maps`]; the kernels are in files named after the other form.

#![allow(
    clippy::cast_possible_truncation,
    reason = "bytes are extracted from code points, and row numbers are below 256"
)]

mod from_utf16;
mod from_utf8;
mod maps;
mod plane;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
mod to_bytes;
mod to_utf16;
mod to_utf8;

pub(crate) use from_utf8::utf8_to_single_byte;
pub(crate) use from_utf16::utf16_to_single_byte;
pub use maps::IDENTITY;
pub use maps::{ByteMap, SingleByteUnits};
pub use tables::{ROWS, Rows};
pub use tables::{SingleByteDecoder, SingleByteEncoder, UNDEFINED};
pub(crate) use to_bytes::map_bytes;
pub(crate) use to_utf8::single_byte_to_utf8;
pub(crate) use to_utf16::single_byte_to_utf16;
