//! [`placemat`] with the face of `encoding_rs`: the same items, with the same results.
//!
//! A program that depends on `encoding_rs`, itself or through other crates, takes this crate instead by two lines in its
//! `Cargo.toml`:
//!
//! ```toml
//! [patch.crates-io]
//! encoding_rs = { path = "placemat/bindings/encoding-rs" }
//! ```
//!
//! New programs are better off with [`placemat`] itself, whose errors have a place and a reason.
//!
//! ```
//! use encoding_rs::{Encoding, UTF_8, WINDOWS_1251};
//! let encoding = Encoding::for_label(b"cp1251").unwrap_or(UTF_8);
//! assert_eq!(encoding, WINDOWS_1251);
//! let (text, used, had_errors) = encoding.decode(b"\xCF\xF0\xE8\xE2\xE5\xF2");
//! assert_eq!((&*text, used.name(), had_errors), ("Привет", "windows-1251", false));
//! // Ill-formed: one U+FFFD for each maximal subpart.
//! assert_eq!(UTF_8.decode(b"caf\xE9").0, "caf\u{FFFD}");
//! ```
//!
//! Both have in common the encodings and their labels, the number and the places of U+FFFD, and every promise about buffers. What may
//! differ: how much of a buffer is used before [`CoderResult::OutputFull`]; the lengths that the `max_…` methods return, which are as
//! safe and not always as small; and whether the unit after half a pair of surrogates counts as read, which in `encoding_rs` depends
//! on where the text was cut. The place of the error, which is the bytes read less both numbers of [`DecoderResult::Malformed`], is
//! the same.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

mod bom;
mod decoder;
mod encoder;
mod encoding;
mod list;
pub mod mem;
mod results;
#[cfg(feature = "serde")]
mod serialize;
mod text;

pub use decoder::Decoder;
pub use encoder::Encoder;
pub use encoding::Encoding;
pub use list::*;
pub use results::{CoderResult, DecoderResult, EncoderResult};
