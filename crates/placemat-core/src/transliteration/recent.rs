//! Similar texts in ASCII that were found before: the search in the tables takes a hundred times as long.

use super::choice;
use core::sync::atomic::{AtomicU64, Ordering};

/// The number of code points whose texts are kept: each has its place by its lowest bits.
const PLACES: usize = 1024;
/// Longer texts are not kept.
const MAX_BYTES: usize = 4;

/// For each place, 0 or: the bytes of the text, the first as the lowest, above 32 bits the code point, above 56 bits the length,
/// and the highest bit.
static PLACED: [AtomicU64; PLACES] = [const { AtomicU64::new(0) }; PLACES];
const IS_SET: u64 = 1 << 63;

/// Writes the similar text of a code point in ASCII, by the general rules. Returns its length in bytes; `None` if there is none
/// that fits.
pub(crate) fn write_in_ascii<const N: usize>(c: char, text: &mut [u8; N]) -> Option<usize> {
    let key = u64::from(u32::from(c));
    let place = &PLACED[c as usize % PLACES];
    // A thread reads all of a number or nothing of it, so that the order of accesses does not matter.
    let placed = place.load(Ordering::Relaxed);
    if placed >> 32 & 0xFF_FFFF == key && placed & IS_SET != 0 {
        let len = usize::from((placed & !IS_SET).to_le_bytes()[7]);
        let bytes = placed.to_le_bytes();
        text.get_mut(..len)?.copy_from_slice(bytes.get(..len)?);
        return Some(len);
    }
    let similar = choice::in_ascii(c)?.as_bytes();
    text.get_mut(..similar.len())?.copy_from_slice(similar);
    if similar.len() <= MAX_BYTES {
        let bytes = similar.iter().rev().fold(0, |bytes, &byte| bytes << 8 | u64::from(byte));
        place.store(IS_SET | (similar.len() as u64) << 56 | key << 32 | bytes, Ordering::Relaxed);
    }
    Some(similar.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_the_same_when_it_is_found_again() {
        for round in 0..2 {
            // Code points that share a place, and those beside them.
            for c in ('\0'..='\u{2FFF}').chain('\u{1F000}'..='\u{1FFFF}') {
                for _ in 0..2 {
                    let mut text = [0; 16];
                    let found = write_in_ascii(c, &mut text).map(|len| &text[..len]);
                    let similar =
                        choice::in_ascii(c).map(str::as_bytes).filter(|similar| similar.len() <= 16);
                    assert_eq!(found, similar, "{c:?} {round}");
                }
            }
        }
    }
}
