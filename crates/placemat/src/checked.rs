//! The one place where checked bytes become `str`.
#![allow(unsafe_code, reason = "a second check would cost what the first one saved")]

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// The longest well-formed prefix of `src`, and what is left.
#[inline]
pub(crate) fn split_well_formed(src: &[u8]) -> (&str, &[u8]) {
    // Most strings are short and ASCII, and need no call.
    let len = if crate::engine::short::is_ascii(src) {
        src.len()
    } else {
        crate::kernels::dispatch::Kernels::current().utf8_prefix(src)
    };
    let (head, rest) = src.split_at(len);
    // SAFETY: `head` is ASCII, which is well-formed UTF-8, or has the length that `utf8_prefix` returns, which is that
    // of a well-formed prefix; the suite compares both with `core::str` for every string of up to three bytes and for
    // every border of Table 3-7.
    (unsafe { core::str::from_utf8_unchecked(head) }, rest)
}

/// What the driver, or the kernel that replaces, wrote as UTF-8, as a string.
///
/// Callers have it from the driver with a policy that puts nothing but scalar values, so it is well-formed. That is a
/// promise of a few hundred lines, so it is looked at once more before it is relied on; should it ever be broken, the
/// text gets U+FFFD where it is.
#[cfg(feature = "alloc")]
pub(crate) fn string(bytes: Vec<u8>) -> String {
    if split_well_formed(&bytes).1.is_empty() {
        // SAFETY: `split_well_formed` found that nothing is left of `bytes` after its longest well-formed prefix, so
        // all of `bytes` is well-formed UTF-8.
        unsafe { String::from_utf8_unchecked(bytes) }
    } else {
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
