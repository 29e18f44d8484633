//! UTF-16 to UTF-8, checking.
//!
//! For each unit of a block a vector loop works out its bytes, up to three, and how many they are; a scalar loop then
//! writes four bytes each time and moves on by as many as counted, so no branch depends on the text but those per
//! block. Surrogates fit in: of the four bytes of a pair, the first two follow from the high surrogate alone, and the
//! last two from the low one and the one before it, so each surrogate counts as a unit of two bytes.

use super::Moved;
use super::step::{decode_utf16, encode_utf8};
use crate::unit::ByteOrder;

/// How many units one step takes.
const BLOCK: usize = 32;
/// What one step looks at: the unit before the block too, which may be a high surrogate.
const WINDOW: usize = BLOCK + 1;
/// Room for a step: a mask of the place keeps it in bounds, and the last write may reach three bytes beyond.
const ROOM: usize = 128 + 4;

/// Whether `unit` is a surrogate.
#[inline(always)]
const fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

/// Whether `unit` is a high surrogate, `D800..DBFF`.
#[inline(always)]
const fn is_high(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

/// Whether `unit` is a low surrogate, `DC00..DFFF`.
#[inline(always)]
const fn is_low(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}

/// Reads a block as machine integers, behind the last unit of the block before. Returns the OR of all, and whether
/// there is a surrogate.
#[inline(always)]
fn read_block<O: ByteOrder>(src: &[O::Unit16], window: &mut [u16; WINDOW]) -> (u16, bool) {
    window[0] = window[BLOCK];
    for (slot, unit) in window[1..].iter_mut().zip(src.chunks_exact(O::PER_16)) {
        *slot = O::get16(unit).unwrap_or_default();
    }
    let (mut all, mut surrogates) = (0, false);
    for &unit in &window[1..] {
        all |= unit;
        surrogates |= is_surrogate(unit);
    }
    (all, surrogates)
}

/// Whether a low surrogate stands right after each high one, and nowhere else; the last unit of the window may be a
/// high surrogate.
#[inline(always)]
fn pairs_match(window: &[u16; WINDOW]) -> bool {
    let mut bad = false;
    for i in 0..BLOCK {
        bad |= is_high(window[i]) != is_low(window[i + 1]);
    }
    !bad
}

/// Length of the longest prefix of `src` that is well-formed UTF-16, in elements.
///
/// It ends at the first surrogate that is not in a pair, at a pair or a unit that is cut off by the end, or at the end.
#[inline]
#[must_use]
pub fn utf16_prefix<O: ByteOrder>(src: &[O::Unit16]) -> usize {
    let mut window = [0; WINDOW];
    let mut read = 0;
    while let Some(block) = src.get(read..read + BLOCK * O::PER_16) {
        let before = window[BLOCK];
        let (_, surrogates) = read_block::<O>(block, &mut window);
        if (surrogates || is_high(before)) && !pairs_match(&window) {
            window[BLOCK] = before;
            break;
        }
        read += BLOCK * O::PER_16;
    }
    if is_high(window[BLOCK]) {
        read -= O::PER_16;
    }
    while let Some((_, len)) = decode_utf16::<O>(src.get(read..).unwrap_or_default()) {
        read += len;
    }
    read
}

/// Converts the longest prefix of `src` that is well-formed UTF-16 and fits into `dst`.
#[inline]
pub fn utf16_to_utf8<O: ByteOrder>(src: &[O::Unit16], dst: &mut [u8]) -> Moved {
    let mut moved = blocks::<O>(src, dst);
    // What is left is less than a block, or does not fit as a whole, or is not well-formed.
    loop {
        let rest = src.get(moved.read..).unwrap_or_default();
        let Some((value, len)) = decode_utf16::<O>(rest) else { return moved };
        let Some(bytes) = encode_utf8(dst.get_mut(moved.written..).unwrap_or_default(), value) else {
            return moved;
        };
        moved.read += len;
        moved.written += bytes;
    }
}

/// As far as whole blocks go.
fn blocks<O: ByteOrder>(src: &[O::Unit16], dst: &mut [u8]) -> Moved {
    let mut window = [0; WINDOW];
    let Moved { mut read, mut written } = Moved::default();
    while let Some(block) = src.get(read..read + BLOCK * O::PER_16) {
        let Some(out) = dst.get_mut(written..).and_then(<[u8]>::first_chunk_mut::<ROOM>) else { break };
        let before = window[BLOCK];
        let (all, surrogates) = read_block::<O>(block, &mut window);
        if surrogates || is_high(before) {
            if !pairs_match(&window) {
                window[BLOCK] = before;
                break;
            }
            written += write_pairs(&window, out);
        } else if all < 0x80 {
            for (slot, &unit) in out.iter_mut().zip(&window[1..]) {
                *slot = unit.to_le_bytes()[0];
            }
            written += BLOCK;
        } else if all < 0x800 {
            written += write_to_two(&window, out);
        } else {
            written += write_to_three(&window, out);
        }
        read += BLOCK * O::PER_16;
    }
    if is_high(window[BLOCK]) {
        // The first half of a pair that the blocks did not finish.
        read -= O::PER_16;
        written -= 2;
    }
    Moved { read, written }
}

/// Writes the first `lens[i]` bytes of each `words[i]`, lowest first, one after the other.
#[inline(always)]
fn pack(words: &[u32; BLOCK], lens: &[u8; BLOCK], out: &mut [u8; ROOM]) -> usize {
    let mut at = 0;
    for i in 0..BLOCK {
        let place = at & 0x7F;
        out[place..place + 4].copy_from_slice(&words[i].to_le_bytes());
        at += usize::from(lens[i]);
    }
    at
}

/// A block of units below U+0800.
#[inline(always)]
fn write_to_two(window: &[u16; WINDOW], out: &mut [u8; ROOM]) -> usize {
    let mut words = [0; BLOCK];
    let mut lens = [0; BLOCK];
    for i in 0..BLOCK {
        let unit = window[i + 1];
        let two = unit >> 6 | 0xC0 | (unit & 0x3F | 0x80) << 8;
        words[i] = if unit < 0x80 { unit } else { two };
        lens[i] = 1 + u8::from(unit >= 0x80);
    }
    let mut at = 0;
    for i in 0..BLOCK {
        let place = at & 0x7F;
        out[place..place + 2].copy_from_slice(&words[i].to_le_bytes());
        at += usize::from(lens[i]);
    }
    at
}

/// A block without surrogates.
#[inline(always)]
fn write_to_three(window: &[u16; WINDOW], out: &mut [u8; ROOM]) -> usize {
    let mut words = [0; BLOCK];
    let mut lens = [0; BLOCK];
    for i in 0..BLOCK {
        let unit = window[i + 1];
        // In two halves of 16 bits: the first two bytes, and the third.
        let last = unit & 0x3F | 0x80;
        let two = unit >> 6 | 0xC0 | last << 8;
        let three = unit >> 12 | 0xE0 | (unit >> 6 & 0x3F | 0x80) << 8;
        let longer = if unit < 0x800 { two } else { three };
        let first = if unit < 0x80 { unit } else { longer };
        words[i] = u32::from(first) | u32::from(last) << 16;
        lens[i] = 1 + u8::from(unit >= 0x80) + u8::from(unit >= 0x800);
    }
    pack(&words, &lens, out)
}

/// A block with surrogates, all of them in pairs.
///
/// With the code point as `000uuuuu zzzzyyyy yyxxxxxx`, the bytes are `11110uuu 10uuzzzz 10yyyyyy 10xxxxxx`; the high
/// surrogate less `D7C0` is `uuuuuzzzzyy`, and the low one ends in `yyyyxxxxxx` (tables 3-5 and 3-6 of the Unicode
/// Standard).
#[inline(always)]
fn write_pairs(window: &[u16; WINDOW], out: &mut [u8; ROOM]) -> usize {
    let mut words = [0; BLOCK];
    let mut lens = [0; BLOCK];
    for i in 0..BLOCK {
        let unit = window[i + 1];
        let last = unit & 0x3F | 0x80;
        let two = unit >> 6 | 0xC0 | last << 8;
        let three = unit >> 12 | 0xE0 | (unit >> 6 & 0x3F | 0x80) << 8;
        let longer = if unit < 0x800 { two } else { three };
        let alone = if unit < 0x80 { unit } else { longer };

        let before = window[i].wrapping_sub(0xD7C0);
        let high = unit.wrapping_sub(0xD7C0);
        let first_half = high >> 8 | 0xF0 | (high >> 2 & 0x3F | 0x80) << 8;
        let second_half = ((before & 0x03) << 4 | unit >> 6 & 0x0F | 0x80) | last << 8;
        let half = if is_low(unit) { second_half } else { first_half };

        words[i] = u32::from(if is_surrogate(unit) { half } else { alone }) | u32::from(last) << 16;
        lens[i] = 1 + u8::from(unit >= 0x80) + u8::from(unit >= 0x800) - u8::from(is_surrogate(unit));
    }
    pack(&words, &lens, out)
}

#[cfg(test)]
mod tests {
    use super::super::samples::{MIXED, Numbers};
    use super::*;
    use crate::unit::{Be, Le, Native};

    /// The longest prefix of `src` that is well-formed and has at most `room` bytes in UTF-8.
    fn expected(src: &[u16], room: usize) -> (usize, String) {
        let mut text = String::new();
        for c in char::decode_utf16(src.iter().copied()) {
            let Ok(c) = c else { break };
            if text.len() + c.len_utf8() > room {
                break;
            }
            text.push(c);
        }
        (text.encode_utf16().count(), text)
    }

    fn check(src: &[u16], room: usize) {
        let (read, text) = expected(src, room);
        let mut dst = vec![0xEE; room];
        let moved = utf16_to_utf8::<Native>(src, &mut dst);
        assert_eq!(moved, Moved { read, written: text.len() }, "room for {room}: {src:04x?}");
        assert_eq!(&dst[..moved.written], text.as_bytes(), "room for {room}: {src:04x?}");
        let le: Vec<u8> = src.iter().flat_map(|unit| unit.to_le_bytes()).chain([0]).collect();
        let be: Vec<u8> = src.iter().flat_map(|unit| unit.to_be_bytes()).chain([0]).collect();
        let bytes = Moved { read: 2 * read, written: text.len() };
        assert_eq!(utf16_to_utf8::<Le>(&le, &mut dst), bytes);
        assert_eq!(&dst[..moved.written], text.as_bytes());
        assert_eq!(utf16_to_utf8::<Be>(&be, &mut dst), bytes);
        assert_eq!(&dst[..moved.written], text.as_bytes());
        if room >= 3 * src.len() {
            assert_eq!(utf16_prefix::<Native>(src), read, "{src:04x?}");
            assert_eq!(utf16_prefix::<Le>(&le), 2 * read);
            assert_eq!(utf16_prefix::<Be>(&be), 2 * read);
        }
    }

    #[test]
    fn every_scalar_value_among_others() {
        let all: Vec<u16> = ('\0'..=char::MAX).collect::<String>().encode_utf16().collect();
        check(&all, 3 * all.len());
        for text in ["a", "é", "日", "😀", "é日😀b"] {
            let spaced: String =
                ('\0'..=char::MAX).step_by(7).flat_map(|c| [c.to_string(), text.into()]).collect();
            let spaced: Vec<u16> = spaced.encode_utf16().collect();
            check(&spaced, 3 * spaced.len());
        }
    }

    #[test]
    fn every_room_for_a_mixed_text() {
        let text = MIXED.repeat(2);
        let src: Vec<u16> = text.encode_utf16().collect();
        for room in 0..=text.len() + 2 {
            check(&src, room);
        }
    }

    #[test]
    fn every_surrogate_after_and_before_everything_of_its_kind_at_every_place_of_a_block() {
        let borders = [0x41, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        for &first in &borders {
            for &second in &borders {
                for at in 0..70 {
                    let mut src = [0xE9; 72];
                    src[at..at + 2].copy_from_slice(&[first, second]);
                    check(&src, 3 * src.len());
                    check(&src[..at + 1], 3 * src.len());
                }
            }
        }
    }

    #[test]
    fn damaged_texts_are_converted_up_to_the_damage() {
        let borders = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        let units: Vec<u16> = MIXED.repeat(2).encode_utf16().collect();
        let mut numbers = Numbers::new(99);
        for _ in 0..5000 {
            let from = numbers.below(units.len());
            let to = from + numbers.below(units.len() - from + 1);
            let mut src = units[from..to].to_vec();
            for _ in 0..numbers.below(3).min(src.len()) {
                let at = numbers.below(src.len());
                src[at] = borders[numbers.below(borders.len())];
            }
            check(&src, 3 * src.len());
        }
    }
}
