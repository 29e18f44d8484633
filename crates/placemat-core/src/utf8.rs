//! Everyday UTF-8: validate, decode, encode, and inspect bytes that may be ill-formed.
//!
//! This module does for bytes what [`core::str`] does for text that is known to be well-formed, and reports each error
//! exactly. Offsets and lengths are in bytes unless a name says otherwise. RFC 3629; the Unicode Standard, chapter 3.
//!
//! ```
//! use placemat::{utf8, ErrorPolicy};
//! assert_eq!(utf8::validate("naïve".as_bytes()), Ok("naïve"));
//! let e = utf8::validate(b"na\xEFve").unwrap_err();
//! assert_eq!(e.to_string(), "missing continuation byte after 0xef at offset 2");
//! assert_eq!(utf8::decode(b"na\xEFve", ErrorPolicy::Replace)?, "na\u{FFFD}ve");
//! assert_eq!(utf8::decode(b"na\xEFve", ErrorPolicy::Windows1252)?, "naïve");
//! # Ok::<(), placemat::ConvertError>(())
//! ```

mod boundary;
mod class;
mod count;
mod explain;
mod order;
mod units;
mod validator;

pub use boundary::{
    ceil_boundary, floor_boundary, is_boundary, nth_code_point, truncate, truncate_code_points, truncate_str,
    truncate_utf16,
};
pub use class::{ByteClass, announced_len, class};
pub use count::{count_code_points, count_line_feeds};
pub use order::{compare_code_points, compare_utf16_order};
pub use units::{Chunk, Chunks, chunks, decode_first, decode_last, encode};
pub use validator::Validator;

use self::explain::explain;
use crate::checked;
use crate::ground::error::IllFormed;
#[cfg(feature = "alloc")]
use {
    crate::ground::error::ConvertError, crate::ground::hints::Engine, crate::ground::policy::OnError,
    alloc::borrow::Cow,
};

/// `src` as text, if it is well-formed.
///
/// # Errors
/// The first ill-formed sequence. The bytes before it are well-formed: `src[..e.valid_up_to()]`.
///
/// ```
/// use placemat::utf8;
/// assert_eq!(utf8::validate(b"placemat"), Ok("placemat"));
/// let e = utf8::validate(b"diner \xED\xA0\x80").unwrap_err();
/// assert_eq!((e.offset(), e.code()), (6, "surrogate"));
/// assert!(utf8::validate(b"\xF0\x9F\x8D").unwrap_err().is_incomplete());
/// ```
#[inline]
pub fn validate(src: &[u8]) -> Result<&str, IllFormed> {
    let (text, rest) = checked::split_well_formed(src);
    if rest.is_empty() { Ok(text) } else { Err(explain(text.len(), rest)) }
}

/// Decodes `src`, with the policy's replacements for ill-formed sequences. Borrows if there are
/// none.
///
/// # Errors
/// If the policy stops, or yields code points that are not scalar values, which a `str` cannot
/// contain.
///
/// ```
/// use placemat::{utf8, ErrorPolicy, Replacement};
/// use std::borrow::Cow;
/// assert!(matches!(utf8::decode(b"clean", ErrorPolicy::Replace), Ok(Cow::Borrowed("clean"))));
/// let dots = ErrorPolicy::ReplaceWith(Replacement::new("…").unwrap());
/// assert_eq!(utf8::decode(b"a\xFFb", dots)?, "a…b");
/// assert_eq!(utf8::decode(b"a\xFFb", ErrorPolicy::HexEscape)?, r"a\xffb");
/// assert!(utf8::decode(b"a\xFFb", ErrorPolicy::Stop).is_err());
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[cfg(feature = "alloc")]
pub fn decode(src: &[u8], on_error: impl OnError) -> Result<Cow<'_, str>, ConvertError> {
    // A policy that inspects is asked about every code point, unless its hints let all of them
    // pass.
    let hints = on_error.hints(Engine);
    let sees_all = hints.inspects() && hints.patch(src).is_none();
    let (text, rest) = if sees_all { ("", src) } else { checked::split_well_formed(src) };
    if rest.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    crate::convert::decode_on(text, rest, on_error).map(Cow::Owned)
}
