//! The first and the last scalar value of a text, and its well-formed stretches.

use super::explain::explain;
use crate::checked;
use crate::ground::error::IllFormed;
use crate::kernels::portable::step::decode_utf8;
use core::fmt;

/// Returns the scalar value at the start of `src` and its length in bytes; `None` if `src` is empty.
///
/// # Errors
/// If `src` begins with an ill-formed sequence: its maximal subpart, at offset 0. To continue, skip
/// [`len`](IllFormed::len) bytes.
///
/// ```
/// use placemat::utf8::decode_first;
/// assert_eq!(decode_first("€!".as_bytes()), Some(Ok(('€', 3))));
/// assert_eq!(decode_first(b"\xE2\x82!").unwrap().unwrap_err().len(), 2);
/// assert_eq!(decode_first(b""), None);
/// ```
#[must_use]
#[inline(always)]
pub fn decode_first(src: &[u8]) -> Option<Result<(char, usize), IllFormed>> {
    if src.is_empty() {
        return None;
    }
    let first = decode_utf8(src).and_then(|(value, len)| Some((char::from_u32(value)?, len)));
    Some(first.ok_or_else(|| explain(0, src)))
}

/// Returns the scalar value at the end of `src` and its length in bytes; `None` if `src` is empty.
///
/// # Errors
/// If `src` ends with an ill-formed sequence: the last one that forward decoding from any boundary finds, with its
/// offset in `src`. To continue backwards, take `src[..e.valid_up_to()]`.
///
/// ```
/// use placemat::utf8::decode_last;
/// assert_eq!(decode_last("5€".as_bytes()), Some(Ok(('€', 3))));
/// let e = decode_last(b"5\xE2\x82").unwrap().unwrap_err();
/// assert_eq!((e.offset(), e.len()), (1, 2));
/// ```
#[must_use]
pub fn decode_last(src: &[u8]) -> Option<Result<(char, usize), IllFormed>> {
    let end = src.len();
    let last = end.checked_sub(1)?;
    // A sequence that ends here, or the maximal subpart of one, starts at most three bytes back.
    for start in (end.saturating_sub(4)..end).rev() {
        let rest = src.get(start..)?;
        match decode_first(rest) {
            Some(Ok((c, len))) if start + len == end => return Some(Ok((c, len))),
            Some(Err(e)) if e.len() == rest.len() && rest.len() > 1 => {
                return Some(Err(explain(start, rest)));
            }
            _ => {}
        }
    }
    Some(Err(explain(last, src.get(last..)?)))
}

/// Writes a scalar value at the start of `dst` and returns the bytes written as text. If there is no room, writes
/// nothing and returns `None`.
///
/// ```
/// use placemat::utf8::encode;
/// assert_eq!(encode('€', &mut [0; 4]).unwrap().as_bytes(), b"\xE2\x82\xAC");
/// assert_eq!(encode('€', &mut [0; 2]), None);
/// ```
#[inline]
#[must_use]
pub fn encode(c: char, dst: &mut [u8]) -> Option<&mut str> {
    if dst.len() < c.len_utf8() { None } else { Some(c.encode_utf8(dst)) }
}

/// Divides `src` into chunks: each is a well-formed text and the ill-formed sequence after it. Only
/// the last chunk may have no ill-formed sequence; an empty `src` has no chunks.
///
/// ```
/// use placemat::utf8::chunks;
/// let found: Vec<_> = chunks(b"a\xFFbc\xE2\x82").map(|c| (c.text(), c.ill_formed().map(|e| e.len()))).collect();
/// assert_eq!(found, [("a", Some(1)), ("bc", Some(2))]);
/// ```
#[must_use]
pub fn chunks(src: &[u8]) -> Chunks<'_> {
    Chunks { src, start: 0 }
}

/// A well-formed text and the ill-formed sequence after it.
///
/// ```
/// use placemat::utf8::{Chunk, Chunks, chunks};
/// let mut all: Chunks<'_> = chunks(b"a\xFFb");
/// let first: Chunk<'_> = all.next().unwrap();
/// assert_eq!((first.text(), first.ill_formed().unwrap().offset()), ("a", 1));
/// assert_eq!(all.next().unwrap().ill_formed(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    text: &'a str,
    ill_formed: Option<IllFormed>,
}

impl<'a> Chunk<'a> {
    /// Returns the well-formed text; may be empty.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Returns the ill-formed sequence after the text, with its offset in the whole input; `None` in the
    /// last chunk if the input ends with well-formed text.
    #[must_use]
    pub fn ill_formed(&self) -> Option<IllFormed> {
        self.ill_formed
    }
}

/// The iterator of [`chunks`].
#[derive(Clone)]
pub struct Chunks<'a> {
    src: &'a [u8],
    start: usize,
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Chunk<'a>;

    fn next(&mut self) -> Option<Chunk<'a>> {
        let rest = self.src.get(self.start..).filter(|rest| !rest.is_empty())?;
        let (text, rest) = checked::split_well_formed(rest);
        self.start += text.len();
        let ill_formed = (!rest.is_empty()).then(|| explain(self.start, rest));
        self.start += ill_formed.map_or(0, |e| e.len());
        Some(Chunk { text, ill_formed })
    }
}

impl core::iter::FusedIterator for Chunks<'_> {}

impl fmt::Debug for Chunks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
