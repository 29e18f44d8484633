//! Counts of code points and of lines.

use crate::ground::bits::{CONTINUATION, LINE_FEED, count_short};
use crate::kernels::dispatch::Kernels;

/// Returns the number of code points in `src`: its bytes that are not continuation bytes.
///
/// Exact if `src` is well-formed. In ill-formed input, each lead byte and each byte that never occurs counts as one,
/// and stray continuation bytes do not count.
///
/// ```
/// assert_eq!(placemat::utf8::count_code_points("5 € 😀".as_bytes()), 5);
/// // Ill-formed: each lead byte and each FF counts as one, 80 does not count.
/// assert_eq!(placemat::utf8::count_code_points(b"\x80a\xFF\xE2\x82"), 3);
/// ```
#[must_use]
#[inline]
pub fn count_code_points(src: &[u8]) -> usize {
    match count_short(src, [CONTINUATION]) {
        Some([count]) => src.len() - count,
        None => Kernels::current().count_code_points(src),
    }
}

/// Returns the number of line feeds, U+000A, in `src`. In UTF-8 the byte 0A never has another meaning.
///
/// ```
/// assert_eq!(placemat::utf8::count_line_feeds(b"a\nb\r\n"), 2);
/// // Ill-formed: the bytes between line feeds do not matter.
/// assert_eq!(placemat::utf8::count_line_feeds(b"\xE2\n\xFF\n"), 2);
/// ```
#[must_use]
#[inline]
pub fn count_line_feeds(src: &[u8]) -> usize {
    match count_short(src, [LINE_FEED]) {
        Some([count]) => count,
        None => Kernels::current().count_line_feeds(src),
    }
}
