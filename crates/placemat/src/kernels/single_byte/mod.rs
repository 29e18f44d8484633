//! Single-byte encodings to and from UTF-8, by table, with one code for all of them.
//!
//! The [`tables`] are made when an encoding is compiled; the ways through a text are in [`to_utf8`] and
//! [`from_utf8`].

#![cfg_attr(
    not(feature = "internals"),
    allow(
        dead_code,
        unused_imports,
        unreachable_pub,
        reason = "the charsets that use it come with features"
    )
)]
#![allow(
    clippy::cast_possible_truncation,
    reason = "bytes are taken out of code points, and numbers are below 256"
)]

mod from_utf8;
pub(crate) mod tables;
#[cfg(test)]
mod tests;
mod to_utf8;

pub(crate) use from_utf8::utf8_to_single_byte;
pub use tables::{SingleByteDecoder, SingleByteEncoder, UNDEFINED};
pub(crate) use to_utf8::single_byte_to_utf8;
