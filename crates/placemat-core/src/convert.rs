//! Conversion of whole texts between two forms known at compile time.
//!
//! ```
//! use placemat::{convert, ErrorPolicy, UnmappablePolicy, Be, forms::{Latin1, Utf16}};
//! // From UTF-16 to a string: a lone surrogate is an error.
//! assert_eq!(convert::decode::<Utf16<Be>>(b"\0h\0i", ErrorPolicy::Stop)?, "hi");
//! let e = convert::decode::<Utf16<Be>>(b"\0h\xD8\0\0i", ErrorPolicy::Stop).unwrap_err();
//! assert_eq!(e.to_string(), "unpaired leading surrogate 0xd8 0x00 at offset 2");
//! // From a string to Latin-1.
//! assert_eq!(convert::encode::<Latin1>("é", UnmappablePolicy::Stop).unwrap(), b"\xE9");
//! # Ok::<(), placemat::ConvertError>(())
//! ```

use crate::engine::{Core, Progress};
use crate::forms::EncodingForm;
use crate::policy::{OnError, OnUnmappable};

#[cfg(feature = "alloc")]
mod owned;

#[cfg(feature = "alloc")]
pub(crate) use owned::decode_on;
#[cfg(feature = "alloc")]
pub use owned::{decode, encode, transcode};
#[cfg(feature = "alloc")]
#[doc(hidden)]
pub use owned::{into_str, only_unmappable};

/// Converts a whole text from the form `F` to the form `T`, into a buffer of the caller.
///
/// If `dst` has room for the whole result, the status is `Status::Done`, or the error at which a
/// policy stops. If `dst` becomes full first, the output up to there is correct; to convert a text
/// in parts, use [`stream`](crate::stream).
///
/// ```
/// use placemat::{convert, ErrorPolicy, UnmappablePolicy, Native, forms::{Utf8, Utf16}, stream::Status};
/// let stop = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
/// let mut units = [0; 8];
/// let p = convert::transcode_into::<Utf8, Utf16<Native>>("5 €".as_bytes(), &mut units, stop.0, stop.1);
/// assert_eq!((p.status, &units[..p.written]), (Status::Done, &[0x35, 0x20, 0x20AC][..]));
/// let p = convert::transcode_into::<Utf8, Utf16<Native>>(b"5 \xFF", &mut units, stop.0, stop.1);
/// // The error knows its offset.
/// assert!(matches!(p.status, Status::IllFormed(e) if e.offset() == 2));
/// ```
#[inline]
pub fn transcode_into<F: EncodingForm, T: EncodingForm>(
    src: &[F::Unit],
    dst: &mut [T::Unit],
    on_error: impl OnError,
    on_unmappable: impl OnUnmappable,
) -> Progress {
    Core::<F, T>::convert_whole(src, dst, on_error, on_unmappable)
}
