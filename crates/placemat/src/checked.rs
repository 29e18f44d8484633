//! The one place where checked bytes become `str`.
#![allow(unsafe_code, reason = "a second check would cost what the first one saved")]

#[cfg(feature = "alloc")]
use crate::kernels::validate::COPIED;
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

/// `text`, and then `rest`, which begins with what is ill-formed, with U+FFFD for each maximal subpart of such a sequence.
///
/// Nothing is appended but `str`, so the result needs no second look: a stretch without an error is checked where it
/// stands, and what the kernel makes of a stretch with errors is checked before it is appended.
#[cfg(feature = "alloc")]
pub(crate) fn replaced(text: &str, mut rest: &[u8]) -> String {
    use crate::forms::form::Step;
    use crate::forms::unicode::utf8::decode_step;

    let mut out = String::with_capacity(text.len() + rest.len() + rest.len() / 16 + 64);
    push(&mut out, text);
    let mut scratch = Vec::new();
    while !rest.is_empty() {
        // One damaged byte makes up to four errors of the sequence that it is in.
        for _ in 0..4 {
            let len = match rest {
                [] => break,
                _ => match decode_step(rest) {
                    Step::IllFormed { len, .. } => len,
                    Step::Incomplete { .. } => rest.len(),
                    _ => break,
                },
            };
            out.push('\u{FFFD}');
            rest = &rest[len..];
        }
        let good = push_well_formed(&mut out, &mut rest);
        if good < NEAR {
            push_damaged(&mut out, &mut rest, &mut scratch);
            push_well_formed(&mut out, &mut rest);
        }
    }
    out
}

/// Where errors are further apart than this, the text between them goes without the kernel.
#[cfg(feature = "alloc")]
const NEAR: usize = 768;

/// Where they are further apart than this, the kernel is left.
#[cfg(feature = "alloc")]
const FAR: usize = 2048;

/// Bytes that go through the kernel at once, at the most: they are copied from the nearest cache.
#[cfg(feature = "alloc")]
const PIECE: usize = 8 * 1024;

/// Takes the longest well-formed prefix; how long it is.
#[cfg(feature = "alloc")]
fn push_well_formed(out: &mut String, rest: &mut &[u8]) -> usize {
    /// So much is checked, and then copied from the nearest cache.
    const CHECKED: usize = 16 * 1024;

    let all = rest.len();
    loop {
        let piece = &rest[..rest.len().min(CHECKED)];
        let (text, ill_formed) = split_well_formed(piece);
        push(out, text);
        *rest = &rest[text.len()..];
        // A piece may end inside a sequence, which the next one begins with.
        if ill_formed.len() > 3 || piece.len() < CHECKED {
            return all - rest.len();
        }
    }
}

/// Appends `text` by pieces of at most [`COPIED`] bytes, which says why.
#[cfg(feature = "alloc")]
fn push(out: &mut String, mut text: &str) {
    while text.len() > COPIED {
        let (mut piece, mut rest) = ("", text);
        for len in (COPIED - 3..=COPIED).rev() {
            if let Some(halves) = text.split_at_checked(len) {
                (piece, rest) = halves;
                break;
            }
        }
        out.push_str(piece);
        text = rest;
    }
    out.push_str(text);
}

/// Takes a stretch by way of the kernel, as long as errors are near each other.
#[cfg(feature = "alloc")]
#[inline(never)]
fn push_damaged(out: &mut String, rest: &mut &[u8], scratch: &mut Vec<u8>) {
    let kernels = crate::kernels::dispatch::Kernels::current();
    scratch.resize(PIECE + PIECE / 2, 0);
    let mut len = NEAR;
    loop {
        let piece = &rest[..rest.len().min(len)];
        let replaced = kernels.replace_utf8(piece, scratch);
        let (text, ill_formed) = split_well_formed(&scratch[..replaced.written]);
        push(out, text);
        if !ill_formed.is_empty() {
            debug_assert!(false, "a kernel wrote ill-formed UTF-8");
            out.push_str(&String::from_utf8_lossy(ill_formed));
        }
        *rest = &rest[replaced.read..];
        if replaced.errors <= piece.len() / FAR {
            return;
        }
        len = PIECE.min(2 * len);
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::kernels::portable::samples::{CLASSES, MIXED, Numbers};

    #[test]
    fn replaced_as_the_standard_library_does() {
        let mut numbers = Numbers::new(13);
        for text in [MIXED.repeat(40), "a".repeat(20_000), "日".repeat(9_000)] {
            for _ in 0..300 {
                let from = numbers.below(100);
                let mut src = text.as_bytes()[from..text.len() - numbers.below(text.len() / 2)].to_vec();
                let mut at = 0;
                // Near each other for a while, then far.
                while at < src.len() {
                    let few = [1, 4, 100, 1000, 5000][numbers.below(5)];
                    for _ in 0..numbers.below(8) {
                        at += numbers.below(2 * few);
                        if let Some(byte) = src.get_mut(at) {
                            *byte = CLASSES[numbers.below(CLASSES.len())];
                        }
                    }
                    at += numbers.below(9000);
                }
                let (text, rest) = split_well_formed(&src);
                assert!(replaced(text, rest) == String::from_utf8_lossy(&src), "{src:02x?}");
            }
        }
    }
}
