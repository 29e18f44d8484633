//! Conversion of whole texts from any form to any other.
//!
//! [`decode`] and [`encode`] convert to and from Rust's `str`, and [`transcode`] converts between two forms known at
//! compile time. They need the feature `alloc`; [`transcode_into`] does not. For texts that come in pieces, use
//! [`stream`](crate::stream); to decode as a browser does, [`web`](crate::web).
//!
//! ```
//! use placemat::{convert, ErrorPolicy, UnmappablePolicy, Be, forms::{Latin1, Utf16}};
//! // From UTF-16 to a string: a lone surrogate is an error.
//! assert_eq!(convert::decode::<Utf16<Be>>(b"\0h\0i", ErrorPolicy::Stop)?, "hi");
//! let e = convert::decode::<Utf16<Be>>(b"\0h\xD8\0\0i", ErrorPolicy::Stop).unwrap_err();
//! assert_eq!(e.to_string(), "unpaired leading surrogate 0xd8 0x00 at offset 2");
//! assert_eq!(convert::decode::<Utf16<Be>>(b"\0h\xD8\0\0i", ErrorPolicy::Replace)?, "h\u{FFFD}i");
//! // From a string to Latin-1, which has no euro sign.
//! assert_eq!(convert::encode::<Latin1>("é", UnmappablePolicy::Stop).unwrap(), b"\xE9");
//! assert_eq!(convert::encode::<Latin1>("€", UnmappablePolicy::XmlReference).unwrap(), b"&#8364;");
//! # Ok::<(), placemat::ConvertError>(())
//! ```

pub use placemat_core::convert::transcode_into;
#[cfg(feature = "alloc")]
pub use placemat_core::convert::{decode, encode, transcode};
