//! The meaning of iconv: names of encodings with their suffixes, transliteration, and a converter that keeps the contract
//! of iconv(3) as glibc 2.36 does.
//!
//! The command `placemat iconv` and the C library `libplacemat_iconv` use it, so that both agree.
//!
//! ```
//! use placemat_iconv::{Converter, Dialect, Locale, Stop};
//! let mut converter = Converter::open(b"latin1//TRANSLIT", b"utf-8", Dialect::Glibc, Locale::C).unwrap();
//! let mut out = [0; 16];
//! let p = converter.convert("5 €, caf\u{e9}".as_bytes(), &mut out);
//! assert_eq!((&out[..p.written], p.irreversible, p.stop), (&b"5 EUR, caf\xE9"[..], 1, Stop::Done));
//! // An incomplete sequence stays unread.
//! let p = converter.convert(b"caf\xC3", &mut out);
//! assert_eq!((p.read, p.written, p.stop), (3, 3, Stop::Incomplete));
//! ```

#![cfg_attr(not(test), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod charset;
mod converter;
mod left;
mod libiconv;
mod locales;
mod marked;
mod names;
mod policies;

pub use charset::{Charset, Locale};
pub use converter::{Converter, Progress, Stop};
pub use libiconv::{canonical, names_by_encoding};
pub use marked::Dialect;
pub use names::all as names;
pub use policies::{Decoding, Unmappables};

/// The example of the README, compiled and run by the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
