//! Encoding forms, as types: `convert::decode::<Utf16<Be>>(…)`.
//!
//! The types are never values; each names a form that is known at compile time, also one of 16- or 32-bit code units.
//! [`Encoding`](crate::Encoding) is for encodings chosen at run time. It has many more encodings, because character sets
//! that are tables have no type.
//!
//! ```
//! use placemat::{Be, UnmappablePolicy, convert::encode, forms::*};
//! fn bytes<F: EncodingForm>(text: &str) -> Vec<F::Unit> {
//!     encode::<F>(text, UnmappablePolicy::Replace).unwrap()
//! }
//! // The forms of the Unicode Standard, and the schemes whose signature gives the byte order.
//! assert_eq!(bytes::<Utf8>("é😀"), b"\xC3\xA9\xF0\x9F\x98\x80");
//! assert_eq!(bytes::<Utf8Bom>("é"), b"\xEF\xBB\xBF\xC3\xA9");
//! assert_eq!(bytes::<Utf16ByBom>("é😀"), b"\xFF\xFE\xE9\x00\x3D\xD8\x00\xDE");
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
//! // Compact forms, and forms of seven bits.
//! assert_eq!(bytes::<Scsu>("é"), b"\xE9");
//! assert_eq!(bytes::<Bocu1>("é"), b"\xD0\x76");
//! assert_eq!(bytes::<Utf7>("é"), b"+AOk-");
//! assert_eq!(bytes::<Utf7Strict>("!"), b"+ACE-");
//! assert_eq!(bytes::<Imap>("é"), b"&AOk-");
//! // Historic forms.
//! assert_eq!(bytes::<Utf1>("é"), b"\xA0\xE9");
//! assert_eq!(bytes::<FssUtf1992>("é"), b"\x80\xE9");
//! assert_eq!(bytes::<I8>("é"), b"\xC7\xA9");
//! assert_eq!(bytes::<UtfEbcdic>("é"), b"\x8B\x4A");
//! // A substitute replaces a code point that the form cannot hold.
//! assert_eq!(bytes::<Ascii>("é"), b"?");
//! ```

pub use crate::compact::bocu1::Bocu1;
pub use crate::compact::scsu::Scsu;
pub use crate::compact::utf7::{Imap, Utf7, Utf7Strict};
pub use crate::historic::fss_utf::FssUtf1992;
pub use crate::historic::utf_ebcdic::{I8, UtfEbcdic};
pub use crate::historic::utf1::Utf1;
#[doc(hidden)]
pub use placemat_core::forms::facts::{AsciiBytes, UnitOrder};
#[doc(inline)]
pub use placemat_core::forms::{
    Ascii, ByBom, Cesu8, Cesu8Mixed, EncodingForm, JavaUtf, Labels, Latin1, ModifiedUtf8, Names, PerlUtf8,
    Repertoire, TclUtf8, Ucs2, Ucs2ByBom, Ucs4, Ucs4ByBom, Utf8, Utf8Bits31, Utf8Bom, Utf8Mb3, Utf16,
    Utf16ByBom, Utf32, Utf32ByBom, Wtf8, decode_perl, encode_perl,
};
