//! The encodings of the library [placemat](https://docs.rs/placemat) by name: charsets, compact and historic forms, labels, and
//! conversion between any two of them.
//!
//! Depend on `placemat`: it has what is for users under one name.

#![cfg_attr(not(test), no_std)]
// On docs.rs, each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(clippy::unwrap_used, unsafe_code)]
#![warn(clippy::print_stdout)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod bom;
mod compact;
pub mod convert;
#[cfg(feature = "alloc")]
mod decoded;
#[cfg(all(feature = "single-byte", feature = "cjk-extra"))]
mod dvb;
mod ebcdic;
mod encoding;
pub mod forms;
#[cfg(any(feature = "cjk-extra", feature = "marc8", feature = "cjk"))]
mod grid;
#[cfg(feature = "cjk-extra")]
mod gsm_03_38;
mod historic;
#[cfg(all(
    feature = "alloc",
    target_has_atomic = "ptr",
    any(feature = "cjk-extra", feature = "marc8", feature = "cjk")
))]
mod index;
#[cfg(feature = "cjk-extra")]
mod iscii;
#[cfg(feature = "cjk")]
mod iso_2022_jp;
#[cfg(feature = "cjk-extra")]
mod iso_6937;
pub mod label;
#[cfg(feature = "cjk")]
mod legacy;
mod list;
#[cfg(feature = "marc8")]
mod marc8;
#[cfg(feature = "cjk-extra")]
mod multi_byte;
#[cfg(any(feature = "single-byte", feature = "cjk-extra"))]
mod names_file;
#[cfg(feature = "cjk-extra")]
mod sequences;
#[cfg(feature = "single-byte")]
mod single_byte;
pub mod stream;
#[cfg(feature = "cjk-extra")]
mod tscii;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr", any(feature = "cjk-extra", feature = "cjk")))]
mod two_bytes;
pub mod web;
#[cfg(any(feature = "cjk-extra", all(feature = "cjk", feature = "alloc", target_has_atomic = "ptr")))]
mod window;

#[cfg(feature = "alloc")]
#[doc(inline)]
pub use decoded::Decoded;
pub use encoding::Encoding;
#[doc(inline)]
pub use label::UnknownEncoding;
