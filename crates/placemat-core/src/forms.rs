//! Encoding forms, as types, and the rules of the Unicode forms.
//!
//! ```
//! use placemat::{Be, UnmappablePolicy, convert::encode, forms::*};
//! fn bytes<F: EncodingForm>(text: &str) -> Vec<F::Unit> {
//!     encode::<F>(text, UnmappablePolicy::Replace).unwrap()
//! }
//! // The forms of the Unicode Standard, and the schemes whose signature gives the byte order.
//! assert_eq!(bytes::<Utf8>("é"), b"\xC3\xA9");
//! assert_eq!(bytes::<Utf8Bom>("é"), b"\xEF\xBB\xBF\xC3\xA9");
//! assert_eq!(bytes::<Utf16ByBom>("é"), b"\xFF\xFE\xE9\x00");
//! assert_eq!(bytes::<Utf32<Be>>("😀"), b"\x00\x01\xF6\x00");
//! assert_eq!(bytes::<Utf32ByBom>("é"), b"\xFF\xFE\x00\x00\xE9\x00\x00\x00");
//! // Units of fixed width, older than surrogates.
//! assert_eq!(bytes::<Ucs2<Be>>("é😀"), b"\x00\xE9\xFF\xFD");
//! assert_eq!(bytes::<Ucs2ByBom>("é"), b"\xFF\xFE\xE9\x00");
//! assert_eq!(bytes::<Ucs4<Be>>("😀"), b"\x00\x01\xF6\x00");
//! assert_eq!(bytes::<Ucs4ByBom>("é"), b"\x00\x00\xFE\xFF\x00\x00\x00\xE9");
//! // Variants of UTF-8: of up to 31 bits, with surrogates, with surrogate pairs.
//! assert_eq!(bytes::<Utf8Bits31>("é"), bytes::<PerlUtf8>("é"));
//! assert_eq!(bytes::<Wtf8>("😀"), b"\xF0\x9F\x98\x80");
//! assert_eq!(bytes::<ModifiedUtf8>("😀"), b"\xED\xA0\xBD\xED\xB8\x80");
//! assert_eq!(bytes::<JavaUtf>("\0"), bytes::<TclUtf8>("\0"));
//! // A substitute replaces a code point that the form cannot hold.
//! assert_eq!(bytes::<Ascii>("é"), b"?");
//! ```

#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod ascii;
#[doc(hidden)]
pub mod descriptor;
#[doc(hidden)]
pub mod facts;
#[doc(hidden)]
pub mod form;
#[doc(hidden)]
pub mod latin1;
#[doc(hidden)]
pub mod names;
#[doc(hidden)]
pub mod pieces;
#[doc(hidden)]
pub mod unicode;

pub use ascii::Ascii;
pub use form::EncodingForm;
pub use latin1::Latin1;
pub use names::{Labels, Names, Repertoire};
pub use unicode::by_bom::ByBom;
pub use unicode::cesu8::{Cesu8, Cesu8Mixed};
pub use unicode::mutf8::{JavaUtf, ModifiedUtf8, TclUtf8};
pub use unicode::ucs::{Ucs2, Ucs2ByBom, Ucs4, Ucs4ByBom};
pub use unicode::utf8::{Utf8, Utf8Bom};
pub use unicode::utf8_31::{PerlUtf8, Utf8Bits31, decode_perl, encode_perl};
pub use unicode::utf8mb3::Utf8Mb3;
pub use unicode::utf16::{Utf16, Utf16ByBom};
pub use unicode::utf32::{Utf32, Utf32ByBom};
pub use unicode::wtf8::Wtf8;
