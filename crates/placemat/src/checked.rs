//! The one place where checked bytes become `str`.
#![allow(unsafe_code, reason = "a second check would cost what the first one saved")]

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// The longest well-formed prefix of `src`, and what is left.
#[inline]
pub(crate) fn split_well_formed(src: &[u8]) -> (&str, &[u8]) {
    let (head, rest) = src.split_at(crate::kernels::validate::well_formed_prefix(src));
    // SAFETY: `well_formed_prefix` returns the length of a well-formed prefix; the suite compares it with `core::str`
    // for every string of up to three bytes and for every border of Table 3-7.
    (unsafe { core::str::from_utf8_unchecked(head) }, rest)
}

/// What the driver wrote as UTF-8, as a string.
///
/// The driver writes to `Utf8` nothing but the patterns of scalar values, unless a policy puts escaped bytes or
/// surrogates; so this looks once more, in debug and release alike, and drops nothing: bytes that are not well-formed
/// become U+FFFD.
#[cfg(feature = "alloc")]
pub(crate) fn string(bytes: Vec<u8>) -> String {
    if split_well_formed(&bytes).1.is_empty() {
        // SAFETY: the whole of `bytes` is the well-formed prefix of `bytes`, by the comparison above.
        unsafe { String::from_utf8_unchecked(bytes) }
    } else {
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
