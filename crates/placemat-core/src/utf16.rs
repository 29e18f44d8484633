//! UTF-16 in `u16` units: validation, comparison, boundaries, and columns of a `str` in such units.
//!
//! To convert, use [`convert`](crate::convert) with [`Utf16<Native>`](crate::forms::Utf16).

use crate::forms::Utf16;
use crate::forms::form::{Form, Step};
use crate::ground::error::{IllFormed, IllFormedKind};
use crate::ground::unit::{Native, is_lead, is_trail};
use crate::kernels::dispatch::Kernels;
use crate::length::utf16_from_utf8;
use crate::simd::bytes_of;
use crate::utf8::{truncate_str, truncate_utf16};
use core::cmp::Ordering;

/// Returns the number of units before the first lone surrogate; all of `src` if it is well-formed.
///
/// ```
/// use placemat::utf16::well_formed_up_to;
/// assert_eq!(well_formed_up_to(&[0x41, 0xD83D, 0xDE00]), 3);
/// // Ill-formed: a leading surrogate without its partner.
/// assert_eq!(well_formed_up_to(&[0x41, 0xD83D, 0x41]), 1);
/// ```
#[must_use]
pub fn well_formed_up_to(src: &[u16]) -> usize {
    let (kernels, bytes) = (Kernels::current(), bytes_of(src));
    let len = if cfg!(target_endian = "big") {
        kernels.utf16be_prefix(bytes)
    } else {
        kernels.utf16le_prefix(bytes)
    };
    len / 2
}

/// Checks that `src` is well-formed, that is, has no lone surrogate.
///
/// # Errors
/// The first ill-formed sequence. The units before it are well-formed: `src[..e.valid_up_to()]`.
///
/// ```
/// use placemat::utf16;
/// assert_eq!(utf16::validate(&[0x41, 0xD83D, 0xDE00]), Ok(()));
/// let e = utf16::validate(&[0x41, 0xD83D, 0x41]).unwrap_err();
/// assert_eq!(e.to_string(), "unpaired leading surrogate 0xd83d at offset 1");
/// // A leading surrogate at the end may still get its partner.
/// assert!(utf16::validate(&[0x41, 0xD83D]).unwrap_err().is_incomplete());
/// ```
pub fn validate(src: &[u16]) -> Result<(), IllFormed> {
    let valid = well_formed_up_to(src);
    let rest = src.get(valid..).unwrap_or_default();
    if rest.is_empty() {
        return Ok(());
    }
    let (len, seen, kind) = match Utf16::<Native>::decode_step(&mut (), rest) {
        Step::IllFormed { len, seen, kind } => (len, seen, kind),
        // A leading surrogate at the end is the only other case: neither well-formed nor
        // ill-formed.
        _ => (rest.len(), rest.len(), IllFormedKind::Incomplete),
    };
    Err(IllFormed::new(valid as u64, kind, rest, len, seen))
}

/// Returns the longest prefix of at most `max` units that does not end within a surrogate pair.
///
/// ```
/// use placemat::utf16::truncate;
/// let text: Vec<u16> = "a😀b".encode_utf16().collect();
/// assert_eq!(truncate(&text, 2), &text[..1]);
/// assert_eq!(truncate(&text, 3), &text[..3]);
/// // Ill-formed: a lone leading surrogate is not a pair.
/// assert_eq!(truncate(&[0x61, 0xD800, 0x62], 2), [0x61, 0xD800]);
/// ```
#[must_use]
#[inline]
pub fn truncate(src: &[u16], max: usize) -> &[u16] {
    let Some((&next, _)) = src.get(max..).and_then(<[u16]>::split_first) else { return src };
    let splits = is_trail(next)
        && max.checked_sub(1).and_then(|last| src.get(last)).is_some_and(|&last| is_lead(last));
    src.get(..max - usize::from(splits)).unwrap_or(src)
}

/// Returns the column of the byte `offset` of a line, in UTF-16 units, as editors and the Language Server Protocol count.
///
/// An offset within a character has the column of that character; one past the end, the column of the end.
///
/// ```
/// use placemat::utf16::byte_to_column;
/// let line = "a😀é!";
/// assert_eq!([0, 1, 5, 7, 8].map(|byte| byte_to_column(line, byte)), [0, 1, 3, 4, 5]);
/// // Within the face, and past the end.
/// assert_eq!([3, 99].map(|byte| byte_to_column(line, byte)), [1, 5]);
/// ```
#[must_use]
pub fn byte_to_column(line: &str, offset: usize) -> usize {
    utf16_from_utf8(truncate_str(line, offset).as_bytes())
}

/// Returns the byte offset of a column of a line, which counts UTF-16 units, as editors and the Language Server Protocol do.
///
/// A column within a surrogate pair has the offset of their character; one past the end, the offset
/// of the end. The result is always a boundary between characters of `line`.
///
/// ```
/// use placemat::utf16::column_to_byte;
/// let line = "a😀é!";
/// assert_eq!([0, 1, 3, 4, 5].map(|column| column_to_byte(line, column)), [0, 1, 5, 7, 8]);
/// // Between the surrogates of the face, and past the end.
/// assert_eq!([2, 99].map(|column| column_to_byte(line, column)), [1, 8]);
/// ```
#[must_use]
pub fn column_to_byte(line: &str, column: usize) -> usize {
    truncate_utf16(line.as_bytes(), column).len()
}

/// Compares two UTF-16 texts by code points, without decoding them.
///
/// Works for any units; lone surrogates sort after everything else, where the supplementary code
/// points are.
///
/// ```
/// use placemat::utf16::compare_code_points;
/// let [replacement, face]: [&[u16]; 2] = [&[0xFFFD], &[0xD83D, 0xDE00]];
/// assert!(compare_code_points(replacement, face).is_lt());
/// assert!(replacement > face);
/// ```
#[must_use]
pub fn compare_code_points(a: &[u16], b: &[u16]) -> Ordering {
    // Surrogates move above FFFF, and E000..FFFF move down into their place.
    let weight = |unit: u16| match unit {
        0xE000.. => unit - 0x800,
        0xD800.. => unit + 0x2000,
        _ => unit,
    };
    match a.iter().zip(b).find(|(x, y)| x != y) {
        Some((&x, &y)) => weight(x).cmp(&weight(y)),
        None => a.len().cmp(&b.len()),
    }
}
