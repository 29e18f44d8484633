//! Encoding forms, as types: `convert::decode::<Utf16<Be>>(…)`.
//!
//! The types are never values; they name a form that is known at compile time, also one of 16- or 32-bit code units.
//! [`Encoding`](crate::Encoding) is for encodings chosen at run time. It has many more of them: character sets that are tables
//! have no type.

#![forbid(unsafe_code)]

pub(crate) mod charsets;
mod compact;
mod constants;
pub(crate) mod encoding;
pub(crate) mod form;
mod historic;
pub(crate) mod list;
pub(crate) mod pieces;
pub(crate) mod unicode;

pub use charsets::ascii::Ascii;
pub use charsets::latin1::Latin1;
pub use compact::bocu1::Bocu1;
pub use compact::scsu::Scsu;
pub use compact::utf7::{Imap, Utf7, Utf7Strict};
pub use form::{EncodingForm, Names, Repertoire};
pub use historic::fss_utf::FssUtf1992;
pub use historic::utf_ebcdic::{I8, UtfEbcdic};
pub use historic::utf1::Utf1;
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
