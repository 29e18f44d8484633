//! How long a text is in one form, from its units in another, without converting it.
//!
//! All of them read the source once, never fail and never look beyond it. They are exact where the source is
//! well-formed, which makes them the sizes to allocate; each says what it counts elsewhere.
//!
//! ```
//! use placemat::length;
//! let text = "5 €, 😀";
//! assert_eq!(length::utf16_from_utf8(text.as_bytes()), 7);
//! assert_eq!(length::utf32_from_utf8(text.as_bytes()), 6);
//! assert_eq!(length::latin1_from_utf8("café".as_bytes()), 4);
//! // Ill-formed: a stray continuation byte counts nothing.
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

use crate::kernels::dispatch::Kernels;

/// UTF-16 units of a UTF-8 text: one for each byte that is no continuation byte, one more for each from F0.
#[must_use]
pub fn utf16_from_utf8(src: &[u8]) -> usize {
    Kernels::current().utf16_len_of_utf8(src)
}

/// UTF-32 units, that is code points, of a UTF-8 text: its bytes that are no continuation bytes.
#[must_use]
pub fn utf32_from_utf8(src: &[u8]) -> usize {
    Kernels::current().count_code_points(src)
}

/// ISO-8859-1 bytes of a UTF-8 text that it can hold: as many as code points.
#[must_use]
pub fn latin1_from_utf8(src: &[u8]) -> usize {
    Kernels::current().count_code_points(src)
}

/// UTF-8 bytes of a UTF-16 text. A lone surrogate counts three, as U+FFFD in its place would take.
#[must_use]
pub fn utf8_from_utf16(src: &[u16]) -> usize {
    Kernels::current().utf8_len_of_utf16(src)
}

/// UTF-32 units, that is code points, of a UTF-16 text: a pair of surrogates counts once, a lone surrogate too.
#[must_use]
pub fn utf32_from_utf16(src: &[u16]) -> usize {
    Kernels::current().count_code_points_of_utf16(src)
}

/// ISO-8859-1 bytes of a UTF-16 text that it can hold: as many as units.
#[must_use]
pub fn latin1_from_utf16(src: &[u16]) -> usize {
    src.len()
}

/// UTF-8 bytes of a UTF-32 text. What is no scalar value counts as its pattern would be long, four above U+FFFF.
#[must_use]
pub fn utf8_from_utf32(src: &[u32]) -> usize {
    Kernels::current().utf8_len_of_utf32(src)
}

/// UTF-16 units of a UTF-32 text: two for each code point above U+FFFF, else one.
#[must_use]
pub fn utf16_from_utf32(src: &[u32]) -> usize {
    Kernels::current().utf16_len_of_utf32(src)
}

/// ISO-8859-1 bytes of a UTF-32 text that it can hold: as many as units.
#[must_use]
pub fn latin1_from_utf32(src: &[u32]) -> usize {
    src.len()
}

/// UTF-8 bytes of an ISO-8859-1 text: one more for each byte from 80.
#[must_use]
pub fn utf8_from_latin1(src: &[u8]) -> usize {
    Kernels::current().utf8_len_of_latin1(src)
}

/// UTF-16 units of an ISO-8859-1 text: as many as bytes.
#[must_use]
pub fn utf16_from_latin1(src: &[u8]) -> usize {
    src.len()
}

/// UTF-32 units of an ISO-8859-1 text: as many as bytes.
#[must_use]
pub fn utf32_from_latin1(src: &[u8]) -> usize {
    src.len()
}
