//! The length of a text in one form, from its code units in another, without converting it.
//!
//! Each function reads the source once, never fails and never looks beyond it. The result is exact
//! if the source is well-formed, so it is the size to allocate; each function's documentation
//! defines how it counts ill-formed input.
//!
//! ```
//! use placemat::length;
//! let text = "5 €, 😀";
//! assert_eq!(length::utf16_from_utf8(text.as_bytes()), 7);
//! assert_eq!(length::utf32_from_utf8(text.as_bytes()), 6);
//! assert_eq!(length::latin1_from_utf8("café".as_bytes()), 4);
//! // Ill-formed: a stray continuation byte counts zero.
//! assert_eq!(length::utf16_from_utf8(b"\x80"), 0);
//!
//! let units = [0x20AC, 0xD83D, 0xDE00];
//! assert_eq!(length::utf8_from_utf16(&units), 7);
//! assert_eq!(length::utf32_from_utf16(&units), 2);
//! assert_eq!(length::latin1_from_utf16(&[0x63, 0xE9]), 2);
//! // Ill-formed: a lone surrogate counts as U+FFFD does.
//! assert_eq!(length::utf8_from_utf16(&[0xD83D]), 3);
//!
//! let code_points = [0x20AC, 0x1F600];
//! assert_eq!(length::utf8_from_utf32(&code_points), 7);
//! assert_eq!(length::utf16_from_utf32(&code_points), 3);
//! assert_eq!(length::latin1_from_utf32(&[0x63, 0xE9]), 2);
//!
//! // Every byte is well-formed in ISO-8859-1.
//! assert_eq!(length::utf8_from_latin1(b"caf\xE9"), 5);
//! assert_eq!(length::utf16_from_latin1(b"caf\xE9"), 4);
//! assert_eq!(length::utf32_from_latin1(b"caf\xE9"), 4);
//! ```

use crate::ground::bits::{CONTINUATION, LEAD_OF_FOUR, NON_ASCII, count_short};
use crate::ground::unit::{is_lead, is_trail};
use crate::kernels::dispatch::Kernels;
use crate::simd::bytes_of;

/// Returns the number of UTF-16 units of a UTF-8 text: one for each byte that is not a continuation byte, and one more
/// for each byte from F0 up.
#[must_use]
#[inline]
pub fn utf16_from_utf8(src: &[u8]) -> usize {
    match count_short(src, [CONTINUATION, LEAD_OF_FOUR]) {
        Some([continuations, fours]) => src.len() - continuations + fours,
        None => Kernels::current().utf16_len_of_utf8(src),
    }
}

/// Returns the number of UTF-32 units, that is code points, of a UTF-8 text: its bytes that are not continuation bytes.
#[must_use]
#[inline]
pub fn utf32_from_utf8(src: &[u8]) -> usize {
    crate::utf8::count_code_points(src)
}

/// Returns the number of ISO-8859-1 bytes of a UTF-8 text that ISO-8859-1 can represent: one for each code point.
#[must_use]
#[inline]
pub fn latin1_from_utf8(src: &[u8]) -> usize {
    crate::utf8::count_code_points(src)
}

/// Returns the number of UTF-8 bytes of a UTF-16 text. A lone surrogate counts as three, the length of U+FFFD.
#[must_use]
#[inline]
pub fn utf8_from_utf16(src: &[u16]) -> usize {
    if src.len() <= MAX_SHORT_UNITS {
        return utf8_from_few(src);
    }
    let (kernels, bytes) = (Kernels::current(), bytes_of(src));
    if cfg!(target_endian = "big") {
        kernels.utf8_len_of_utf16be(bytes)
    } else {
        kernels.utf8_len_of_utf16le(bytes)
    }
}

/// Up to this many code units are counted one by one.
const MAX_SHORT_UNITS: usize = 4;

/// Computes [`utf8_from_utf16`] unit by unit.
#[inline(always)]
fn utf8_from_few(src: &[u16]) -> usize {
    if let [unit] = *src {
        return 1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800);
    }
    let (mut len, mut before) = (src.len(), 0);
    for &unit in src {
        len += usize::from(unit >= 0x80) + usize::from(unit >= 0x800);
        // A pair becomes four bytes, and its halves were counted with three each.
        len -= 2 * usize::from(is_lead(before) && is_trail(unit));
        before = unit;
    }
    len
}

/// Returns the number of UTF-32 units, that is code points, of a UTF-16 text: a surrogate pair and a lone surrogate
/// each count as one.
#[must_use]
#[inline]
pub fn utf32_from_utf16(src: &[u16]) -> usize {
    Kernels::current().count_code_points_of_utf16(src)
}

/// Returns the number of ISO-8859-1 bytes of a UTF-16 text that ISO-8859-1 can represent: one for each unit.
#[must_use]
#[inline]
pub fn latin1_from_utf16(src: &[u16]) -> usize {
    src.len()
}

/// Returns the number of UTF-8 bytes of a UTF-32 text. A unit that is not a scalar value counts as three, or as four
/// above U+FFFF.
#[must_use]
#[inline]
pub fn utf8_from_utf32(src: &[u32]) -> usize {
    let (kernels, bytes) = (Kernels::current(), bytes_of(src));
    if cfg!(target_endian = "big") {
        kernels.utf8_len_of_utf32be(bytes)
    } else {
        kernels.utf8_len_of_utf32le(bytes)
    }
}

/// Returns the number of UTF-16 units of a UTF-32 text: two for each code point above U+FFFF, one for each other.
#[must_use]
#[inline]
pub fn utf16_from_utf32(src: &[u32]) -> usize {
    Kernels::current().utf16_len_of_utf32(src)
}

/// Returns the number of ISO-8859-1 bytes of a UTF-32 text that ISO-8859-1 can represent: one for each unit.
#[must_use]
#[inline]
pub fn latin1_from_utf32(src: &[u32]) -> usize {
    src.len()
}

/// Returns the number of UTF-8 bytes of an ISO-8859-1 text: two for each byte from 80 up, one for each other.
#[must_use]
#[inline]
pub fn utf8_from_latin1(src: &[u8]) -> usize {
    match count_short(src, [NON_ASCII]) {
        Some([count]) => src.len() + count,
        None => Kernels::current().utf8_len_of_latin1(src),
    }
}

/// Returns the number of UTF-16 units of an ISO-8859-1 text: one for each byte.
#[must_use]
#[inline]
pub fn utf16_from_latin1(src: &[u8]) -> usize {
    src.len()
}

/// Returns the number of UTF-32 units of an ISO-8859-1 text: one for each byte.
#[must_use]
#[inline]
pub fn utf32_from_latin1(src: &[u8]) -> usize {
    src.len()
}
