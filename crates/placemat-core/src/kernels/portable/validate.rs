//! Validation of UTF-8, a block at a time.
//!
//! Whether a byte is allowed at its position depends on itself and the three bytes before it
//! (chapter 3 of the Unicode Standard, table 3-7). The check is therefore a formula over four
//! windows of the same bytes, each one byte further on, without state from byte to byte; LLVM
//! vectorizes a loop over an array, and its speed depends only on the lengths of sequences. If a
//! block fails, scalar code examines it again and finds the exact position.
//!
//! Measurements, and what was slower: `lab/portable.md`.

use super::Moved;
use super::lanes::{highest, mask};
use super::step::decode_utf8;
use crate::ground::chunk::chunk_at;
use crate::simd::Slot;

/// Bytes per test.
const BLOCK: usize = 128;
/// Number of preceding bytes on which a byte can depend: one less than the longest sequence.
const LOOKBACK_BYTES: usize = 3;
/// Bytes that a test reads.
const WINDOW: usize = LOOKBACK_BYTES + BLOCK;
/// Texts shorter than this are checked by scalar code, because filling a window takes longer.
const MIN_BLOCK_BYTES: usize = 64;
/// Bytes that are checked and then copied, while they are still in the first-level cache.
const PIECE_BYTES: usize = 8 * 1024;

/// Whether any byte of `window` after the first [`LOOKBACK_BYTES`] is not allowed at its position.
///
/// A sequence that is incomplete at the end of the block passes; the check of the next block
/// decides.
#[inline(always)]
fn is_ill_formed<const W: usize>(window: &[u8; W]) -> bool {
    // Most texts have only one kind of block, so this branch is predictable, and half of the
    // general formula concerns bytes that most texts lack.
    match highest(window) {
        0x00..=0x7F => false,
        0x80..=0xDF => is_ill_formed_up_to::<2, W>(window),
        0xE0..=0xEF => is_ill_formed_up_to::<3, W>(window),
        0xF0..=0xFF => is_ill_formed_up_to::<4, W>(window),
    }
}

/// Whether any byte of `window` after the first [`LOOKBACK_BYTES`] is not allowed at its position,
/// if no byte of the window is above `DF` (`LONGEST` = 2), above `EF` (3), or for any bytes (4).
///
/// Bit 7 (structure) and bit 5 (range of the second byte) of two accumulators collect the
/// conditions; the other bits are unspecified:
///
/// - `x.saturating_sub(n - 0x80)` has bit 7 set exactly if `x >= n`. So a continuation byte must
///   follow a byte from `C0` up, must be two after a byte from `E0` up, three after a byte from
///   `F0` up, and nowhere else. A lead byte inside another sequence fails too, because it is not a
///   continuation byte where one must be.
/// - `C0`, `C1` and `F5..FF` never occur.
/// - Four lead bytes restrict the range of the second byte, and bit 5, or bits 5 and 4, decide
///   whether a continuation byte (`10xxxxxx`) is in it: `E0` needs `A0..BF`, `ED` needs `80..9F`,
///   `F0` needs `90..BF`, `F4` needs `80..8F`.
#[inline(always)]
fn is_ill_formed_up_to<const LONGEST: usize, const W: usize>(window: &[u8; W]) -> bool {
    let (mut structure, mut range) = (0, 0);
    for i in 0..W - LOOKBACK_BYTES {
        let byte = window[i + LOOKBACK_BYTES];
        let [before3, before2, before1] = [window[i], window[i + 1], window[i + 2]];

        let mut must_continue = before1.saturating_sub(0xC0 - 0x80);
        // Bit 6 moves to bit 7, and bit 4 to bit 5.
        let moved = byte.wrapping_add(byte);
        let continues = byte & !moved;
        let mut never = mask(byte & 0xFE == 0xC0);
        if LONGEST >= 3 {
            must_continue |= before2.saturating_sub(0xE0 - 0x80);
            range |= mask(before1 == 0xE0) & !byte | mask(before1 == 0xED) & byte;
        }
        if LONGEST >= 4 {
            must_continue |= before3.saturating_sub(0xF0 - 0x80);
            never |= byte.saturating_sub(0xF5 - 0x80);
            let bits5_4 = byte | moved;
            range |= mask(before1 == 0xF0) & !bits5_4 | mask(before1 == 0xF4) & bits5_4;
        }
        structure |= (must_continue ^ continues) | never;
    }
    (structure & 0x80) | (range & 0x20) != 0
}

/// Returns the length of the longest well-formed UTF-8 prefix of `src`.
///
/// The prefix ends on a code point boundary: at the first ill-formed sequence, or before an
/// incomplete sequence at the end.
#[inline]
#[must_use]
pub(crate) fn well_formed_prefix(src: &[u8]) -> usize {
    // No byte depends on more than three before it, so blocks start after that many bytes.
    let start = if src.len() < MIN_BLOCK_BYTES { src.len() } else { LOOKBACK_BYTES };
    let at = scalar_prefix(src, 0, start);
    if at < start || at >= src.len() { at } else { blocks_prefix(src, at) }
}

/// Returns the length of the longest well-formed prefix, if `src` is well-formed up to `at`, which
/// must be at least [`LOOKBACK_BYTES`].
fn blocks_prefix(src: &[u8], mut at: usize) -> usize {
    while let Some(window) = chunk_at!(src, at - LOOKBACK_BYTES, WINDOW) {
        if is_ill_formed(window) {
            return place_near(src, at + ill_formed_row(window));
        }
        at += BLOCK;
    }
    // The end of the text, without an incomplete sequence, is checked in a window padded with
    // ASCII.
    let end = border(src, src.len());
    let mut window = [0; WINDOW];
    let rest = src.get(at - LOOKBACK_BYTES..end).unwrap_or_default();
    if let Some(room) = window.get_mut(..rest.len()) {
        room.copy_from_slice(rest);
    }
    if end >= at && !is_ill_formed(&window) { end } else { place_near(src, at + ill_formed_row(&window)) }
}

/// Returns the offset of the first ill-formed row in the block of `window`, which must be
/// ill-formed somewhere.
///
/// Without this search, scalar code would examine the whole block, which takes most of the time of
/// replacing an error.
#[cold]
fn ill_formed_row(window: &[u8; WINDOW]) -> usize {
    const ROW_BYTES: usize = 16;
    let ill_formed = |row: &usize| {
        chunk_at!(window, ROW_BYTES * row, LOOKBACK_BYTES + ROW_BYTES).is_some_and(is_ill_formed)
    };
    ROW_BYTES * (0..BLOCK / ROW_BYTES).find(ill_formed).unwrap_or(0)
}

/// Returns the start of the first ill-formed or incomplete sequence; everything before `at` must be
/// well-formed, except that a sequence may be incomplete there.
fn place_near(src: &[u8], at: usize) -> usize {
    let at = at.min(src.len());
    scalar_prefix(src, border(src, at), src.len())
}

/// Returns the last code point boundary at or before `at`: goes back before a sequence that is
/// incomplete at `at`. Everything before `at` must otherwise be well-formed.
#[inline(always)]
fn border(src: &[u8], at: usize) -> usize {
    let before = src.get(..at).unwrap_or_default();
    for (back, lead) in [(1, 0xC0), (2, 0xE0), (3, 0xF0)] {
        if at >= back && before[at - back] >= lead {
            return at - back;
        }
    }
    at
}

/// Returns the first boundary at or after `stop`, or the start of the first ill-formed or
/// incomplete sequence.
#[inline(always)]
fn scalar_prefix(src: &[u8], from: usize, stop: usize) -> usize {
    let mut at = from;
    while at < stop {
        let Some((_, len)) = src.get(at..).and_then(decode_utf8) else { break };
        at += len;
    }
    at
}

/// Copies the longest well-formed UTF-8 prefix of `src` that fits into `dst`.
#[inline]
pub(crate) fn copy_well_formed(src: &[u8], dst: &mut [Slot]) -> Moved {
    // If `dst` is shorter, the text is truncated; an incomplete sequence at its end does not count.
    let src = src.get(..dst.len()).unwrap_or(src);
    let mut len = 0;
    loop {
        let rest = src.get(len..).unwrap_or_default();
        let piece = rest.get(..PIECE_BYTES).unwrap_or(rest);
        let good = well_formed_prefix(piece);
        if let (Some(from), Some(to)) = (piece.get(..good), dst.get_mut(len..len + good)) {
            Slot::copy(to, from);
        }
        len += good;
        if good + LOOKBACK_BYTES < piece.len() || good == 0 {
            return Moved { read: len, written: len };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{CLASSES, MIXED, border, is_taken, mutations};
    use super::*;

    fn expected(src: &[u8]) -> usize {
        core::str::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len)
    }

    #[test]
    fn every_sequence_of_three_bytes_gets_the_answer_of_the_standard_library() {
        // Enough bytes before the sequence to get past the scalar start; none after it.
        let mut src = [b'a'; 32];
        for bytes in (0..0x100_0000u32).filter(|i| is_taken(*i as usize, 5)).map(u32::to_le_bytes) {
            src[29..].copy_from_slice(&bytes[..3]);
            assert_eq!(well_formed_prefix(&src), expected(&src), "{bytes:02x?}");
        }
    }

    #[test]
    fn four_bytes_by_class_at_every_place_of_a_block() {
        let mut src = [b'a'; 300];
        for &first in CLASSES {
            for &second in CLASSES {
                for (i, &third) in CLASSES.iter().enumerate() {
                    // One fourth byte per case: over the loops around this one, all of them occur.
                    for at in
                        [0, 1, 2, 3, 20, 125, 126, 127, 128, 129, 130, 131, 255, 256, 257, 294, 295, 296]
                    {
                        let fourth = CLASSES[(i + at) % CLASSES.len()];
                        let bytes = [first, second, third, fourth];
                        src[at..at + 4].copy_from_slice(&bytes);
                        assert_eq!(well_formed_prefix(&src), expected(&src), "{bytes:02x?} at {at}");
                        src[at..at + 4].fill(b'a');
                    }
                }
            }
        }
    }

    #[test]
    fn every_cut_of_a_mixed_text() {
        let text = MIXED.repeat(4);
        for from in 0..MIXED.len() {
            for to in (from..text.len()).filter(|to| is_taken(from + to, 1)) {
                let src = &text.as_bytes()[from..to];
                assert_eq!(well_formed_prefix(src), expected(src), "{from}..{to}");
            }
        }
    }

    #[test]
    fn random_damage_is_found_where_the_standard_library_finds_it() {
        mutations(20_000, |src| {
            assert_eq!(well_formed_prefix(src), expected(src), "{src:02x?}");
        });
    }

    #[test]
    fn a_copy_goes_to_the_last_code_point_that_fits() {
        let text = MIXED.repeat(2);
        let mut dst = [0; 2048];
        for room in 0..=text.len() + 1 {
            let moved = copy_well_formed(text.as_bytes(), Slot::of(&mut dst[..room]));
            let len = border(&text, room);
            assert_eq!(moved, Moved { read: len, written: len });
            assert_eq!(&dst[..len], &text.as_bytes()[..len]);
        }
        let long = MIXED.repeat(3 * PIECE_BYTES / MIXED.len());
        let mut copy = vec![0; long.len() + 5];
        let moved = copy_well_formed(long.as_bytes(), Slot::of(&mut copy));
        assert_eq!(moved, Moved { read: long.len(), written: long.len() });
        assert_eq!(&copy[..long.len()], long.as_bytes());
        mutations(2_000, |src| {
            let moved = copy_well_formed(src, Slot::of(&mut dst));
            assert_eq!(moved.read, expected(src));
        });
    }
}
