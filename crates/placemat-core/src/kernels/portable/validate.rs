//! Well-formed UTF-8, found a block at a time.
//!
//! Whether a byte is in its place can be seen from itself and the three bytes before it (chapter 3 of the Unicode
//! Standard, table 3-7). The check is therefore a formula over four windows of the same bytes, each one byte further
//! on, with no state from byte to byte; as a loop over an array it becomes vector code, and its speed depends only on
//! the lengths of sequences. A block that fails is gone over once more by scalar code, which finds the exact place.
//!
//! What was tried and is slower: `lab/portable.md`.

use super::Moved;
use super::lanes::{highest, mask};
use super::step::decode_utf8;
use crate::ground::chunk::chunk_at;

/// Bytes in one check.
const BLOCK: usize = 128;
/// The number of preceding bytes that a byte can depend on: the longest sequence less one.
const BEHIND: usize = 3;
/// Bytes that one check looks at.
const WINDOW: usize = BEHIND + BLOCK;
/// Below this length, the scalar check is faster than filling a window.
const SHORT: usize = 64;
/// Bytes that are checked and then copied, while they are still in the nearest cache.
const PIECE: usize = 8 * 1024;

/// Whether any byte of `window` after the first [`BEHIND`] cannot stand where it stands.
///
/// A sequence that begins in the block and is not complete at its end passes; the next block finds out.
#[inline(always)]
fn is_ill_formed<const W: usize>(window: &[u8; W]) -> bool {
    // Most texts have only one kind of block, so this is no branch that is hard to foresee, and half of the work of
    // the general formula is about bytes that most texts do not have.
    match highest(window) {
        0x00..=0x7F => false,
        0x80..=0xDF => is_ill_formed_up_to::<2, W>(window),
        0xE0..=0xEF => is_ill_formed_up_to::<3, W>(window),
        0xF0..=0xFF => is_ill_formed_up_to::<4, W>(window),
    }
}

/// Whether any byte of `window` after the first [`BEHIND`] cannot stand where it stands, if no byte of the window is above
/// `DF` (`LONGEST` = 2), above `EF` (3), or whatever they are (4).
///
/// The conditions are collected in bit 7 (structure) and bit 5 (range of the second byte) of an accumulator each, in
/// whatever junk the other bits hold:
///
/// - `x.saturating_sub(n - 0x80)` has bit 7 set exactly if `x >= n`. So a continuation byte must come after a byte of
///   `C0` up, two after one of `E0` up, three after one of `F0` up, and nowhere else. A lead byte inside another
///   sequence fails too, because it is not a continuation byte where one must be.
/// - `C0`, `C1` and `F5..FF` occur nowhere.
/// - Four lead bytes have a second byte of narrower range, and whether a continuation byte (`10xxxxxx`) lies in it is
///   told by bit 5 or by bits 5 and 4: `E0` wants `A0..BF`, `ED` wants `80..9F`, `F0` wants `90..BF`, `F4` wants
///   `80..8F`.
#[inline(always)]
fn is_ill_formed_up_to<const LONGEST: usize, const W: usize>(window: &[u8; W]) -> bool {
    let (mut structure, mut range) = (0, 0);
    for i in 0..W - BEHIND {
        let byte = window[i + BEHIND];
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

/// Length of the longest prefix of `src` that is well-formed UTF-8.
///
/// It ends on a code point border: at the first ill-formed sequence, or at a sequence that is cut off by the end.
#[inline]
#[must_use]
pub(crate) fn well_formed_prefix(src: &[u8]) -> usize {
    // No byte depends on more than three before it, so the blocks start where that many are behind.
    let start = if src.len() < SHORT { src.len() } else { BEHIND };
    let at = scalar_prefix(src, 0, start);
    if at < start || at >= src.len() { at } else { blocks_prefix(src, at) }
}

/// Length of the longest prefix that is well-formed, if `src` is so up to `at`, which is at least [`BEHIND`].
fn blocks_prefix(src: &[u8], mut at: usize) -> usize {
    while let Some(window) = chunk_at!(src, at - BEHIND, WINDOW) {
        if is_ill_formed(window) {
            return place_near(src, at + ill_formed_row(window));
        }
        at += BLOCK;
    }
    // The end of the text, less a sequence that is cut off, is checked in a window filled up with ASCII.
    let end = border(src, src.len());
    let mut window = [0; WINDOW];
    let rest = src.get(at - BEHIND..end).unwrap_or_default();
    if let Some(room) = window.get_mut(..rest.len()) {
        room.copy_from_slice(rest);
    }
    if end >= at && !is_ill_formed(&window) { end } else { place_near(src, at + ill_formed_row(&window)) }
}

/// Where in the block of `window`, which is ill-formed somewhere, the first row begins that is.
///
/// Without it, scalar code would go over the whole block: on text with one ill-formed byte in a hundred, replacing took
/// 95 ns an error, most of it here.
#[cold]
fn ill_formed_row(window: &[u8; WINDOW]) -> usize {
    const ROW: usize = 16;
    let ill_formed = |row: &usize| chunk_at!(window, ROW * row, BEHIND + ROW).is_some_and(is_ill_formed);
    ROW * (0..BLOCK / ROW).find(ill_formed).unwrap_or(0)
}

/// The start of the first sequence that is ill-formed or cut off; everything before `at` is well-formed or cut off there.
fn place_near(src: &[u8], at: usize) -> usize {
    let at = at.min(src.len());
    scalar_prefix(src, border(src, at), src.len())
}

/// The last code point border at or before `at`, if everything before it is well-formed or cut off at `at`: goes back
/// over a sequence that is not complete at `at`.
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

/// The first border at `stop` or after it, or the start of the first sequence that is ill-formed or cut off.
#[inline(always)]
fn scalar_prefix(src: &[u8], from: usize, stop: usize) -> usize {
    let mut at = from;
    while at < stop {
        let Some((_, len)) = src.get(at..).and_then(decode_utf8) else { break };
        at += len;
    }
    at
}

/// Copies the longest prefix of `src` that is well-formed UTF-8 and fits into `dst`.
#[inline]
pub(crate) fn copy_well_formed(src: &[u8], dst: &mut [u8]) -> Moved {
    // The bytes that do not fit are cut off, and a sequence that is cut off does not count.
    let src = src.get(..dst.len()).unwrap_or(src);
    let mut len = 0;
    loop {
        let rest = src.get(len..).unwrap_or_default();
        let piece = rest.get(..PIECE).unwrap_or(rest);
        let good = well_formed_prefix(piece);
        if let (Some(from), Some(to)) = (piece.get(..good), dst.get_mut(len..len + good)) {
            to.copy_from_slice(from);
        }
        len += good;
        if good + BEHIND < piece.len() || good == 0 {
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
        // In front, enough to get past the scalar start; behind, nothing: the sequence is the end.
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
                    // Any fourth byte: over the loops around this one, all of them meet.
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
            let moved = copy_well_formed(text.as_bytes(), &mut dst[..room]);
            let len = border(&text, room);
            assert_eq!(moved, Moved { read: len, written: len });
            assert_eq!(&dst[..len], &text.as_bytes()[..len]);
        }
        let long = MIXED.repeat(3 * PIECE / MIXED.len());
        let mut copy = vec![0; long.len() + 5];
        let moved = copy_well_formed(long.as_bytes(), &mut copy);
        assert_eq!(moved, Moved { read: long.len(), written: long.len() });
        assert_eq!(&copy[..long.len()], long.as_bytes());
        mutations(2_000, |src| {
            let moved = copy_well_formed(src, &mut dst);
            assert_eq!(moved.read, expected(src));
        });
    }
}
