//! Conversion of whole texts from any form to any other.
//!
//! [`decode`] and [`encode`] convert to and from Rust's `str`, [`transcode`] converts between two forms known at
//! compile time, and [`decode_web`] decodes as a browser does. They need the feature `alloc`; [`transcode_into`] does
//! not. For texts that come in pieces, use [`stream`](crate::stream).
//!
//! ```
//! use placemat::{convert, ErrorPolicy, UnmappablePolicy, Be, forms::{Latin1, Utf16}};
//! // From UTF-16 to a string: a lone surrogate is an error.
//! assert_eq!(convert::decode::<Utf16<Be>>(b"\0h\0i", ErrorPolicy::Stop)?, "hi");
//! let e = convert::decode::<Utf16<Be>>(b"\0h\xD8\0\0i", ErrorPolicy::Stop).unwrap_err();
//! assert_eq!(e.to_string(), "unpaired leading surrogate d8 00 at offset 2");
//! assert_eq!(convert::decode::<Utf16<Be>>(b"\0h\xD8\0\0i", ErrorPolicy::Replace)?, "h\u{FFFD}i");
//! // From a string to Latin-1, which has no euro sign.
//! assert_eq!(convert::encode::<Latin1>("é", UnmappablePolicy::Stop).unwrap(), b"\xE9");
//! assert_eq!(convert::encode::<Latin1>("€", UnmappablePolicy::XmlReference).unwrap(), b"&#8364;");
//! # Ok::<(), placemat::ConvertError>(())
//! ```

#[cfg(feature = "alloc")]
use crate::Encoding;
#[cfg(feature = "alloc")]
use crate::stream::Transcoder;
#[cfg(feature = "alloc")]
use alloc::string::String;

pub use placemat_core::convert::transcode_into;
#[cfg(feature = "alloc")]
pub use placemat_core::convert::{decode, encode, transcode};

/// Decodes as a browser does (WHATWG Encoding Standard, "decode"): a signature of UTF-8 or UTF-16 overrides `fallback`
/// and is dropped, and ill-formed sequences become U+FFFD. Also returns the encoding that was used.
///
/// ```
/// use placemat::{convert, Encoding};
/// assert_eq!(convert::decode_web(b"\xFF\xFEh\0i\0", Encoding::UTF_8), ("hi".into(), Encoding::UTF_16LE));
/// assert_eq!(convert::decode_web(b"caf\xE9", Encoding::UTF_8).0, "caf\u{FFFD}");
/// ```
#[cfg(feature = "alloc")]
#[must_use]
#[inline]
pub fn decode_web(src: &[u8], fallback: Encoding) -> (String, Encoding) {
    let (encoding, start) = match crate::bom::sniff_web(src) {
        Some((encoding, len)) => (encoding, len),
        None => (fallback, 0),
    };
    let bytes = Transcoder::from(encoding)
        .on_error(placemat_core::ErrorPolicy::Replace)
        .on_unmappable(placemat_core::UnmappablePolicy::Replace)
        .transcode(&src[start..]);
    // Neither policy ever stops.
    (bytes.map(placemat_core::checked::string).unwrap_or_default(), encoding)
}
