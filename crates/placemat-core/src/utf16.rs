//! UTF-16 in `u16` units: validation and comparison.
//!
//! To convert, use [`convert`](crate::convert) with [`Utf16<Native>`](crate::forms::Utf16).

use crate::forms::Utf16;
use crate::forms::form::{Form, Step};
use crate::ground::error::{IllFormed, IllFormedKind};
use crate::ground::unit::Native;
use crate::kernels::dispatch::Kernels;
use crate::simd::bytes_of;
use core::cmp::Ordering;

/// The number of units before the first lone surrogate; all of `src` if it is well-formed.
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
/// assert_eq!(e.to_string(), "unpaired leading surrogate d83d at offset 1");
/// // A leading surrogate at the end may still get its partner.
/// assert!(utf16::validate(&[0x41, 0xD83D]).unwrap_err().is_incomplete());
/// ```
pub fn validate(src: &[u16]) -> Result<(), IllFormed> {
    let valid = well_formed_up_to(src);
    let rest = &src[valid..];
    if rest.is_empty() {
        return Ok(());
    }
    let (len, seen, kind) = match Utf16::<Native>::decode_step(&mut (), rest) {
        Step::IllFormed { len, seen, kind } => (len, seen, kind),
        // Only a leading surrogate at the end is neither well-formed nor ill-formed.
        _ => (rest.len(), rest.len(), IllFormedKind::Incomplete),
    };
    Err(IllFormed::new(valid as u64, kind, rest, len, seen))
}

/// Compares two UTF-16 texts by code points, without decoding them.
///
/// Works for any units; lone surrogates come after everything else, as the supplementary code points do.
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
