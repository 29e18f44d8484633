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

/// `text`, and then `rest`, which begins with what is ill-formed, with U+FFFD for each maximal subpart of such a sequence.
///
/// Nothing is appended but `str`, so the result needs no second look: a stretch without an error is checked where it
/// stands, and what the kernel makes of a stretch with errors is checked before it is appended.
#[cfg(feature = "alloc")]
pub(crate) fn replaced(text: &str, mut rest: &[u8]) -> String {
    /// Bytes that go through the kernel at once, at the most: they are copied from the nearest cache.
    const PIECE: usize = 8 * 1024;
    /// Where errors are further apart than this, the text between them goes without the kernel.
    const FAR: usize = 2 * 1024;

    let kernels = crate::dispatch::Kernels::current();
    let mut out = String::with_capacity(text.len() + rest.len() + rest.len() / 16 + 64);
    out.push_str(text);
    let mut scratch = [0; PIECE + PIECE / 2];
    while !rest.is_empty() {
        let len = crate::kernels::portable::replace::ill_formed_len(rest).unwrap_or(rest.len());
        out.push('\u{FFFD}');
        let (text, after) = split_well_formed(&rest[len..]);
        out.push_str(text);
        rest = after;
        if text.len() >= FAR {
            continue;
        }
        let mut len = FAR;
        loop {
            let piece = &rest[..rest.len().min(len)];
            let replaced = kernels.replace_utf8(piece, &mut scratch);
            let (text, ill_formed) = split_well_formed(&scratch[..replaced.written]);
            debug_assert!(ill_formed.is_empty());
            out.push_str(text);
            if replaced.read == 0 {
                break;
            }
            rest = &rest[replaced.read..];
            if replaced.errors == 0 {
                let (text, after) = split_well_formed(rest);
                out.push_str(text);
                rest = after;
                break;
            }
            len = PIECE.min(2 * len);
        }
    }
    out
}
