//! UTF-8 and its relatives: validate, decode, encode, transcode.
//!
//! Functions take bytes and return well-formed text, or an error that says where the ill-formed sequence is, how long
//! it is and why it is ill-formed.
//!
//! # Three examples
//!
//! Is this UTF-8, and if not, why?
//! ```
//! let e = placemat::utf8::validate(b"/etc\xC0\xAFpasswd").unwrap_err();
//! assert_eq!((e.offset(), e.code()), (4, "overlong-2"));
//! ```
//! Decode text from another encoding, and encode text into one:
//! ```
//! use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
//! assert_eq!(Encoding::WINDOWS_1252.decode(b"caf\xE9", ErrorPolicy::Stop)?, "café");
//! // UTF-16 with a signature; U+FFFD replaces the lone surrogate.
//! let text = Encoding::UTF_16.decode(b"\xFE\xFF\x00h\xD8\x00\x00i", ErrorPolicy::Replace)?;
//! assert_eq!(text, "h\u{FFFD}i");
//! // Latin-1 has no euro sign.
//! assert!(Encoding::ISO_8859_1.encode("5 €", UnmappablePolicy::Stop).is_err());
//! # Ok::<(), placemat::ConvertError>(())
//! ```
//! Convert between two encodings that are known only at run time:
//! ```
//! use placemat::{Encoding, stream::Transcoder};
//! let (from, to): (Encoding, Encoding) = ("latin1".parse()?, "utf-16be".parse()?);
//! assert_eq!(Transcoder::new(from, to).transcode(b"caf\xE9")?, b"\0c\0a\0f\0\xE9");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which function
//!
//! | you have | you want | use |
//! | --- | --- | --- |
//! | bytes that should be UTF-8 | a `str`, or the first error | [`utf8::validate`] |
//! | bytes that may be damaged | text, with replacements for the errors | [`utf8::decode`] |
//! | | each ill-formed sequence | [`utf8::chunks`] |
//! | text in another encoding | a `str`, or the first error | [`Encoding::decode`] |
//! | | a `str` in any case, and the number of errors | [`Encoding::decode_lossy`] |
//! | what comes from the web | a `str`, as in a browser | [`web::decode`], [`web::reader`] |
//! | a `str` | the bytes of an encoding | [`Encoding::encode`] |
//! | bytes in one encoding | bytes in another | [`Transcoder::transcode`](stream::Transcoder::transcode) |
//! | `u16` or `u32`, or a form known at compile time | a `String`, and back | [`convert`] |
//! | a text in pieces | a conversion in constant memory | [`stream`] |
//! | a file to edit | a file whose other bytes are the same | `edit`, with `alloc` |
//! | a size to allocate | | [`length`] |
//! | the start of a file | the encoding that its signature gives | [`bom::sniff`] |
//! | bytes of unknown origin | their encoding | `detect`, a feature |
//! | damaged text, such as `cafÃ©` | the text | `repair`, a feature |
//! | a label from a header | the encoding | [`Encoding::for_label`], [`web::for_label`] |
//! | quoted-printable, base64, `%C3%A9`, `&eacute;`, `\u00e9` | its content | `transfer`, a feature |
//! | a header, a document, a locale | the label in it | [`label`] |
//!
//! # What happens to ill-formed input
//!
//! The policy decides: an [`ErrorPolicy`] for ill-formed input, an [`UnmappablePolicy`] for text that the target cannot
//! represent. Both stop by default. Policies are parameters; [`policy`] has the stock ones and the traits.
//! Overlong sequences and other foreign forms never become ASCII.
//!
//! # Features and platforms
//!
//! The charsets of the web are there by default. `std` (default) adds the `std::io` adapters, `alloc` adds whole texts as
//! `Vec` and `String`. Without either, everything that works on slices is there, and nothing allocates. Only features add dependencies. The crate runs
//! wherever `core` does, and chooses the best instructions of the machine at run time, with `std` or without.
//!
//! With `alloc`, and on machines with compare-and-swap, charsets make tables at their first use, which stay on the
//! heap: 5 KB for a single-byte charset, 70 to 350 KB for a multi-byte one, 715 KB for gb18030.
//!
//! | feature | adds | needs |
//! | --- | --- | --- |
//! | `single-byte` (default) | 302 single-byte charsets | nothing; kernels convert them with `alloc` |
//! | `cjk` (default) | the multi-byte encodings of the web; some 170 KB | nothing |
//! | `cjk-extra` | multi-byte encodings that the web does not use; some 420 KB | nothing |
//! | `marc8` | MARC-8; some 90 KB | nothing |
//! | `normalization` | NFC and its like, UTF-8-MAC, Net-Unicode | `icu_normalizer`, `icu_properties` |
//! | `transliteration` | substitutes for text that the target cannot represent, by language, and twins; 75 KB | `any_ascii` |
//! | `transfer` | quoted-printable, base64, percent-encoding, character references, escapes, and those of languages | nothing |
//! | `detect` | the encoding and the language of bytes of unknown origin | `single-byte`, `cjk`, `cjk-extra`, the crate `libm` |
//! | `repair` | damaged text into what it was | `detect` |
//! | `tokio` | the adapters for `AsyncRead` and `AsyncWrite` | `tokio`, its traits only |
//! | `full` | all of these but `tokio` | |
//! | `precompiled` | all kernels compiled with the library: for debug builds of a program that want the library optimized | |

#![cfg_attr(not(test), no_std)]
// On docs.rs, each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(clippy::unwrap_used)]
#![warn(clippy::print_stdout)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "alloc")]
pub mod edit;
#[cfg(all(feature = "normalization", feature = "internals"))]
mod graphemes;
#[cfg(feature = "transliteration")]
mod held;
#[cfg(feature = "normalization")]
pub mod normalize;
#[cfg(feature = "transfer")]
pub mod syntax;
#[cfg(feature = "transfer")]
pub mod transfer;
#[cfg(feature = "transliteration")]
pub mod transliteration;
#[cfg(feature = "transliteration")]
pub mod twins;

#[cfg(feature = "alloc")]
#[doc(inline)]
pub use placemat_charsets::Decoded;
#[doc(inline)]
pub use placemat_charsets::{Encoding, UnknownEncoding, bom, convert, forms, label, stream, web};
#[cfg(feature = "alloc")]
#[doc(inline)]
pub use placemat_core::wtf8;
#[doc(inline)]
pub use placemat_core::{
    Be, ByteOrder, CodePoint, CodePointError, CodeUnit, ConvertError, EncodingForm, ErrorPolicy, IllFormed,
    IllFormedKind, Isa, IsaError, Le, Native, OnError, OnUnmappable, Replacement, Span, Unmappable,
    UnmappableKind, UnmappablePolicy, length, mutf8, policy, utf8, utf16,
};
// Both a module and a function each.
#[cfg(feature = "detect")]
#[doc(inline)]
pub use placemat_detect::detect;
#[cfg(feature = "repair")]
#[doc(inline)]
pub use placemat_detect::repair;

/// The version of the Unicode Character Database that all data of the library and the command is of: major, minor, update.
///
/// ```
/// // U+20C3 UAE DIRHAM SIGN is one of the characters that version 18.0.0 added.
/// assert!(placemat::UNICODE_VERSION >= (18, 0, 0));
/// ```
pub const UNICODE_VERSION: (u8, u8, u8) = (18, 0, 0);

/// The kernels of each level, for tests and benchmarks, and the hints of policies, for the programs of this repository.
/// This module is outside the stability promise.
#[cfg(feature = "internals")]
pub mod internals {
    #[cfg(feature = "normalization")]
    pub use crate::graphemes::Clusters;
    pub use placemat_core::forms::form::{EncodeStep, Step};
    pub use placemat_core::ground::hints::{Engine, Hints, Substitutes, Watch};
    pub use placemat_core::ground::patch::Patch;
    #[cfg(all(feature = "std", debug_assertions))]
    pub use placemat_core::ground::work::done as work_done;
    pub use placemat_core::kernels::dispatch::Kernels;
    pub use placemat_core::kernels::single_byte::{
        ByteMap, SingleByteDecoder, SingleByteEncoder, SingleByteUnits, UNDEFINED,
    };
    pub use placemat_core::kernels::{Mend, Moved, Patched, Replaced, TextRoom};
    #[cfg(feature = "detect")]
    pub use placemat_detect::detect::declared;
    #[cfg(feature = "repair")]
    pub use placemat_detect::repair::{readings, weights};
}

/// The examples of the README, compiled and run by the tests.
#[cfg(all(doctest, feature = "std"))]
#[doc = include_str!("../README.md")]
mod readme {}
