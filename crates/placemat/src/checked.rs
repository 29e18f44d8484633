//! The one place where checked bytes become `str`.
#![allow(unsafe_code, reason = "a second check would cost what the first one saved")]

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// The longest well-formed prefix of `src`, and what is left.
#[inline]
pub(crate) fn split_well_formed(src: &[u8]) -> (&str, &[u8]) {
    // Most strings are short and ASCII, and need no call.
    let len = if crate::kernels::short::is_ascii(src) {
        src.len()
    } else {
        crate::dispatch::Kernels::current().utf8_prefix(src)
    };
    let (head, rest) = src.split_at(len);
    // SAFETY: ASCII is well-formed, and `utf8_prefix` returns the length of a well-formed prefix; the suite compares
    // both with `core::str` for every string of up to three bytes and for every border of Table 3-7.
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
        // SAFETY: the whole of `bytes` is the well-formed prefix of `bytes`, by the comparison above.
        unsafe { String::from_utf8_unchecked(bytes) }
    } else {
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// `text`, and then `rest` with U+FFFD for each maximal subpart of an ill-formed sequence.
///
/// To look at the result once more, as [`string`] does, takes 30 % of the time at one error in 10 000 bytes; the kernel is
/// too young to be relied on without.
#[cfg(feature = "alloc")]
pub(crate) fn replaced(text: &str, rest: &[u8]) -> String {
    /// Bytes at a time: what was filled with zeros is still in the nearest cache when the text is written there.
    const PIECE: usize = 16 * 1024;
    /// Room for what errors add.
    const SLACK: usize = 2 * 1024;

    let kernels = crate::dispatch::Kernels::current();
    let mut out = String::with_capacity(text.len() + rest.len() + rest.len() / 16 + SLACK).into_bytes();
    out.extend_from_slice(text.as_bytes());
    let mut read = 0;
    while read < rest.len() {
        let piece = &rest[read..rest.len().min(read + PIECE)];
        let start = out.len();
        out.resize(start + piece.len() + SLACK, 0);
        let replaced = kernels.replace_utf8(piece, &mut out[start..]);
        out.truncate(start + replaced.written);
        read += replaced.read;
        if replaced.read == 0 {
            // A sequence that the text cuts off, or there would have been progress.
            out.extend_from_slice("\u{FFFD}".as_bytes());
            break;
        }
    }
    string(out)
}
