//! A decoded text, with what a caller wants to know of it.

use crate::encoding::Encoding;
use alloc::borrow::Cow;
use core::fmt;

/// A text that was decoded without fail, by [`Encoding::decode_lossy`] or [`web::decode`](crate::web::decode).
///
/// ```
/// use placemat::{Decoded, Encoding};
/// let good: Decoded<'_> = Encoding::UTF_8.decode_lossy("café".as_bytes());
/// assert_eq!((good.text.as_ref(), good.encoding, good.errors), ("café", Encoding::UTF_8, 0));
/// let damaged = Encoding::UTF_8.decode_lossy(b"caf\xC3");
/// assert_eq!((damaged.to_string(), damaged.errors), ("caf\u{FFFD}".into(), 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decoded<'a> {
    /// The text, without a signature. Borrowed if the bytes of the source are the text.
    pub text: Cow<'a, str>,
    /// The encoding of the text: that of a signature, if there was one.
    pub encoding: Encoding,
    /// The number of errors, each of which is a U+FFFD in the text. Genuine U+FFFD do not count.
    pub errors: u64,
}

/// Writes the text.
impl fmt::Display for Decoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}
