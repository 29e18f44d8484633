//! ASCII with single bytes between that are not: text of an old charset that is read as UTF-8.
//!
//! Where no byte that leads a sequence stands before one that continues it, there is no sequence of several bytes at all. Then each
//! byte is ASCII or an error by itself, and the place of each code point is known beforehand.

use crate::raw::{self, alone};
use crate::text::{NewStr, No, PIECE};
use placemat::ErrorPolicy;

/// Whether a byte that leads a sequence stands before one that continues it.
fn has_sequences(src: &[u8]) -> bool {
    let of_pair = |first: u8, second: u8| (first >= 0xC2) & (second & 0xC0 == 0x80);
    // All of a piece, so that the compiler uses vectors.
    let within = |start: usize| {
        let firsts = &src[start..src.len().min(start + 1024)];
        let seconds = &src[src.len().min(start + 1)..];
        firsts.iter().zip(seconds).fold(false, |any, (&first, &second)| any | of_pair(first, second))
    };
    (0..src.len()).step_by(1024).any(within)
}

/// A `str` from a whole text; `None` if it has sequences of several bytes, or nothing but ASCII, or the policy is another.
pub(crate) fn decode(src: &[u8], policy: ErrorPolicy<'_>) -> Result<Option<NewStr>, No> {
    // What is kept of a byte that is not ASCII, and what is added.
    let (kept, added) = match policy {
        ErrorPolicy::SurrogateEscape => (0xFF, 0xDC00),
        ErrorPolicy::Replace => (0, 0xFFFD),
        _ => return Ok(None),
    };
    if src.len() > PIECE || alone(src.len(), || src.is_ascii() || has_sequences(src)) {
        return Ok(None);
    }
    let mut text = NewStr::new(src.len(), 0xFFFF)?;
    // SAFETY: up to U+FFFF, units have two bytes.
    let units: &mut [u16] = unsafe { text.units() };
    alone(src.len(), || {
        for (unit, &byte) in units.iter_mut().zip(src) {
            let byte = u16::from(byte);
            // All ones for a byte that is not ASCII. No branch, so that the compiler uses vectors.
            let stray = 0_u16.wrapping_sub(byte >> 7);
            *unit = (byte & (!stray | kept)) + (stray & added);
        }
    });
    raw::check_signals()?;
    Ok(Some(text))
}
