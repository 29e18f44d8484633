//! Boundaries between code points, from any byte.
//!
//! A position is a boundary if it is 0, the end, or before a byte that is not a continuation byte. In well-formed text
//! the nearest boundary is at most three bytes away. In ill-formed text the search stops after three bytes too, so that
//! it always takes constant time.
//!
//! Only one branch depends on the text: whether to search at all. The distance to the boundary
//! comes from four bytes as one number, because a processor cannot predict the position within a
//! sequence, and a loop over bytes would mispredict.

use super::count::count_code_points;
use crate::forms::unicode::utf8::is_continuation;
use crate::kernels::dispatch::Kernels;

/// The greatest distance to a boundary in well-formed text.
const MAX_DISTANCE_BYTES: usize = 3;

/// Returns `true` if `position` is a boundary; `false` past the end.
///
/// ```
/// use placemat::utf8::is_boundary;
/// let text = "a€b".as_bytes();
/// assert_eq!([0, 1, 2, 3, 4, 5, 6].map(|at| is_boundary(text, at)), [true, true, false, false, true, true, false]);
/// // Ill-formed: a stray continuation byte is not a boundary; a lead byte always is.
/// assert_eq!([1, 2].map(|at| is_boundary(b"a\x80\xE2", at)), [false, true]);
/// ```
#[must_use]
#[inline]
pub fn is_boundary(src: &[u8], position: usize) -> bool {
    match src.get(position) {
        Some(&byte) => position == 0 || !is_continuation(byte),
        None => position == src.len(),
    }
}

/// Returns the nearest boundary at or before `position`; `src.len()` if `position` is past the end.
///
/// Goes back at most three bytes. In a longer run of continuation bytes, which is ill-formed, it
/// stops there.
///
/// ```
/// use placemat::utf8::floor_boundary;
/// assert_eq!(floor_boundary("a€b".as_bytes(), 3), 1);
/// // Ill-formed: continuation bytes only.
/// assert_eq!(floor_boundary(b"\x80\x80\x80\x80\x80\x80", 5), 2);
/// ```
#[must_use]
#[inline]
pub fn floor_boundary(src: &[u8], position: usize) -> usize {
    let Some(&byte) = src.get(position) else { return src.len() };
    if !is_continuation(byte) {
        return position;
    }
    let Some(bytes) = src[..=position].last_chunk() else {
        // For the first three bytes of `src`, search byte by byte.
        return (0..=position).rev().find(|&at| is_boundary(src, at)).unwrap_or(0);
    };
    // The mark on the first of the four bytes ends the search there.
    let word = u32::from_le_bytes(*bytes);
    let others = (!word | word << 1) & 0x8080_8000 | 0x80;
    position - others.leading_zeros() as usize / 8
}

/// Returns the nearest boundary at or after `position`; `src.len()` if `position` is past the end.
///
/// Goes forward at most three bytes; [`floor_boundary`] goes back.
///
/// ```
/// use placemat::utf8::ceil_boundary;
/// assert_eq!(ceil_boundary("a€b".as_bytes(), 2), 4);
/// // Ill-formed: continuation bytes only.
/// assert_eq!(ceil_boundary(b"\x80\x80\x80\x80\x80\x80", 1), 4);
/// ```
#[must_use]
#[inline]
pub fn ceil_boundary(src: &[u8], position: usize) -> usize {
    let Some(&byte) = src.get(position) else { return src.len() };
    if position == 0 || !is_continuation(byte) {
        return position;
    }
    let Some(bytes) = src[position..].first_chunk() else {
        let most = src.len().min(position + MAX_DISTANCE_BYTES);
        return (position..=most).find(|&at| is_boundary(src, at)).unwrap_or(most);
    };
    let word = u32::from_le_bytes(*bytes);
    let others = (!word | word << 1) & 0x0080_8080 | 0x8000_0000;
    position + others.trailing_zeros() as usize / 8
}

/// Returns the longest prefix of at most `max` bytes that ends at a boundary, so that no sequence is cut.
///
/// Combining marks are code points of their own, so a cut may separate them from their base.
///
/// ```
/// use placemat::utf8::truncate;
/// assert_eq!(truncate("5 €".as_bytes(), 4), b"5 ");
/// assert_eq!(truncate("5 €".as_bytes(), 5), "5 €".as_bytes());
/// // Ill-formed: an incomplete sequence is cut off too.
/// assert_eq!(truncate(b"ab\xE2\x82", 3), b"ab");
/// ```
#[must_use]
#[inline]
pub fn truncate(src: &[u8], max: usize) -> &[u8] {
    src.get(..floor_boundary(src, max)).unwrap_or_default()
}

/// Returns the longest prefix of a string that has at most `max` bytes and ends at a boundary: [`truncate`] for text
/// that is known to be well-formed.
///
/// ```
/// use placemat::utf8::truncate_str;
/// assert_eq!(truncate_str("5 €", 4), "5 ");
/// assert_eq!(truncate_str("5 €", 5), "5 €");
/// ```
#[must_use]
#[inline]
pub fn truncate_str(text: &str, max: usize) -> &str {
    text.get(..floor_boundary(text.as_bytes(), max)).unwrap_or_default()
}

/// Returns the longest prefix of at most `max` code points, which [`count_code_points`] counts: bytes that are not
/// continuation bytes, each with the continuation bytes after it.
///
/// ```
/// use placemat::utf8::truncate_code_points;
/// assert_eq!(truncate_code_points("5 €!".as_bytes(), 3), "5 €".as_bytes());
/// let text = "5 €!";
/// assert_eq!(&text[..truncate_code_points(text.as_bytes(), 3).len()], "5 €");
/// // Ill-formed: an incomplete sequence counts as one code point.
/// assert_eq!(truncate_code_points(b"\xE2\x82\xFFab", 2), b"\xE2\x82\xFF");
/// ```
#[must_use]
pub fn truncate_code_points(src: &[u8], max: usize) -> &[u8] {
    nth_code_point(src, max).and_then(|end| src.get(..end)).unwrap_or(src)
}

/// Returns the longest prefix of at most `max` UTF-16 code units, which
/// [`length::utf16_from_utf8`](crate::length::utf16_from_utf8) counts: one for each code point up
/// to U+FFFF, two for each above. A surrogate pair is never split.
///
/// ```
/// use placemat::utf8::truncate_utf16;
/// assert_eq!(truncate_utf16("a😀b".as_bytes(), 2), b"a");
/// assert_eq!(truncate_utf16("a😀b".as_bytes(), 3), "a😀".as_bytes());
/// // Ill-formed: a stray continuation byte counts zero.
/// assert_eq!(truncate_utf16(b"a\x80b", 1), b"a\x80");
/// ```
#[must_use]
pub fn truncate_utf16(src: &[u8], max: usize) -> &[u8] {
    let weight = |byte: u8| usize::from(!is_continuation(byte)) + usize::from(byte >= 0xF0);
    first_beyond(src, max, |block| Kernels::current().utf16_len_of_utf8(block), weight)
        .and_then(|end| src.get(..end))
        .unwrap_or(src)
}

/// Returns the offset of the `n`-th code point, counting from 0; `None` if there are fewer.
///
/// Counts like [`count_code_points`]: bytes that are not continuation bytes.
///
/// ```
/// use placemat::utf8::nth_code_point;
/// assert_eq!(nth_code_point("5 €!".as_bytes(), 3), Some(5));
/// assert_eq!(nth_code_point("5 €!".as_bytes(), 4), None);
/// ```
#[must_use]
pub fn nth_code_point(src: &[u8], n: usize) -> Option<usize> {
    first_beyond(src, n, count_code_points, |byte| usize::from(!is_continuation(byte)))
}

/// Returns the offset of the first byte whose weight brings the sum above `max`. `sum` adds the
/// weights of many bytes fast.
#[inline(always)]
fn first_beyond(
    src: &[u8],
    max: usize,
    sum: impl Fn(&[u8]) -> usize,
    weight: impl Fn(u8) -> usize,
) -> Option<usize> {
    /// The number of bytes to sum up at a time.
    const BLOCK_BYTES: usize = 256;
    let mut left = max;
    let mut start = 0;
    for block in src.chunks(BLOCK_BYTES) {
        let here = sum(block);
        if left < here {
            break;
        }
        left -= here;
        start += block.len();
    }
    for (at, &byte) in src.iter().enumerate().skip(start) {
        left = match left.checked_sub(weight(byte)) {
            Some(left) => left,
            None => return Some(at),
        };
    }
    None
}
