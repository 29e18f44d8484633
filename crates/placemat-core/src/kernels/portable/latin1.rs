//! Conversion of Latin-1 (ISO/IEC 8859-1, where a byte is the code point of the same number) to
//! UTF-8 and back.
//!
//! Latin-1 has only two lead bytes in UTF-8, `C2` and `C3`, and every sequence has one or two
//! bytes; so the check is short enough to be part of the conversion.

use super::Moved;
use super::ascii::is_ascii;
use super::block::{self, BLOCK, WINDOW};
use super::lanes::mask;
use super::step::decode_utf8;
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::simd::Slot;

/// Bytes of Latin-1 per step.
const STEP_BYTES: usize = 64;
/// Bytes of output of a step: masking an offset keeps it in bounds, and the last write may extend
/// one byte past it.
const ROOM_BYTES: usize = 128 + 2;

/// Converts as many bytes of `src` as fit into `dst`. Every byte is valid Latin-1.
#[inline]
pub(crate) fn latin1_to_utf8(src: &[u8], dst: &mut [Slot]) -> Moved {
    let Moved { mut read, mut written } = Moved::default();
    while let Some(from) = chunk_at!(src, read, STEP_BYTES) {
        let Some(out) = chunk_at_mut!(dst, written, ROOM_BYTES) else { break };
        if is_ascii(from) {
            Slot::copy(&mut out[..STEP_BYTES], from);
            written += STEP_BYTES;
        } else {
            written += widen(from, out);
        }
        read += STEP_BYTES;
    }
    for &byte in src.get(read..).unwrap_or_default() {
        let rest = dst.get_mut(written..).unwrap_or_default();
        match rest {
            [one, ..] if byte < 0x80 => one.set(byte),
            [one, two, ..] => {
                one.set(0xC0 | byte >> 6);
                two.set(0x80 | byte & 0x3F);
                written += 1;
            }
            _ => break,
        }
        read += 1;
        written += 1;
    }
    Moved { read, written }
}

/// Converts a block of Latin-1. Returns its number of bytes in UTF-8.
#[inline(always)]
fn widen(from: &[u8; STEP_BYTES], out: &mut [Slot; ROOM_BYTES]) -> usize {
    let mut words = [0; STEP_BYTES];
    for i in 0..STEP_BYTES {
        let byte = u16::from(from[i]);
        words[i] = if byte < 0x80 { byte } else { 0x80C0 | byte >> 6 | (byte & 0x3F) << 8 };
    }
    let mut at = 0;
    for i in 0..STEP_BYTES {
        let place = at & 0x7F;
        Slot::copy(&mut out[place..place + 2], &words[i].to_le_bytes());
        at += 1 + usize::from(from[i] >> 7);
    }
    at
}

/// Converts the longest prefix of `src` that is well-formed UTF-8 without a code point above U+00FF
/// and that fits into `dst`.
#[inline]
pub(crate) fn utf8_to_latin1(src: &[u8], dst: &mut [Slot]) -> Moved {
    let Moved { mut read, mut written } = blocks(src, dst);
    loop {
        let rest = src.get(read..).unwrap_or_default();
        let Some((Ok(value), len)) = decode_utf8(rest).map(|(value, len)| (u8::try_from(value), len)) else {
            break;
        };
        let Some(slot) = dst.get_mut(written) else { break };
        slot.set(value);
        read += len;
        written += 1;
    }
    Moved { read, written }
}

/// Converts whole blocks of UTF-8 while they pass the check and fit.
#[inline(never)]
fn blocks(src: &[u8], dst: &mut [Slot]) -> Moved {
    let Moved { mut read, mut written } = Moved::default();
    if src.first().is_none_or(|byte| !matches!(byte, 0x00..=0x7F | 0xC2 | 0xC3)) {
        return Moved::default();
    }
    while let Some(window) = chunk_at!(src, read, WINDOW) {
        let Some(out) = chunk_at_mut!(dst, written, BLOCK) else { break };
        // Checks each byte of the block together with the byte after it. The first byte was checked
        // with the previous block. Conditions are collected in bit 7, as in `validate`: a lead byte
        // has bits 7 and 6 set, a continuation byte only bit 7. Adding a byte to itself moves bit 6
        // to bit 7.
        let mut bad = 0;
        for i in 0..BLOCK {
            let [byte, next] = [window[i], window[i + 1]];
            let leads = byte & byte.wrapping_add(byte);
            let continues = next & !next.wrapping_add(next);
            bad |= (continues ^ leads) | next.saturating_sub(0xC4 - 0x80) | mask(next & 0xFE == 0xC0);
        }
        if bad & 0x80 != 0 {
            break;
        }
        let mut values = [0; BLOCK];
        for i in 0..BLOCK {
            let [byte, next] = [window[i], window[i + 1]];
            let alone = mask(byte < 0x80);
            values[i] = byte & alone | (byte << 6 | next & 0x3F) & !alone;
        }
        let map = block::leads(window);
        let len = if map == u64::MAX {
            Slot::write(out, values);
            BLOCK
        } else {
            narrow(map, &values, out)
        };
        read += BLOCK;
        written += len;
    }
    // Within a sequence whose value has been written.
    if src.get(read).is_some_and(|byte| byte & 0xC0 == 0x80) {
        read += 1;
    }
    Moved { read, written }
}

/// Writes the marked values. Returns their number.
#[inline(always)]
fn narrow(map: u64, values: &[u8; BLOCK], out: &mut [Slot; BLOCK]) -> usize {
    block::gather!(map, |place| values[place], |index, unit| out[index].set(unit))
}

#[cfg(test)]
mod tests {
    use super::super::samples::{MIXED, Numbers, border, mutations};
    use super::*;

    fn sample() -> (Vec<u8>, String) {
        let mut numbers = Numbers::new(3);
        let mut latin1: Vec<u8> = (0..=0xFF).collect();
        for run in 0..40 {
            let odds = [0, 10, 50, 90, 100][run % 5];
            latin1.extend((0..numbers.below(150)).map(|_| {
                let high = if numbers.below(100) < odds { 0x80 } else { 0x00 };
                high | u8::try_from(numbers.below(128)).unwrap_or(0)
            }));
        }
        let text = latin1.iter().copied().map(char::from).collect();
        (latin1, text)
    }

    fn check_from_utf8(src: &[u8], room: usize) {
        let good = src.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let latin1: Vec<u8> = good.chars().map_while(|c| u8::try_from(c).ok()).take(room).collect();
        let read = latin1.iter().map(|byte| 1 + usize::from(byte >> 7)).sum();
        let mut dst = vec![0xEE; room];
        assert_eq!(
            utf8_to_latin1(src, Slot::of(&mut dst)),
            Moved { read, written: latin1.len() },
            "{room}: {src:02x?}"
        );
        assert_eq!(&dst[..latin1.len()], latin1);
    }

    #[test]
    fn every_room_in_both_directions() {
        let (latin1, text) = sample();
        for room in 0..=text.len() + 2 {
            check_from_utf8(text.as_bytes(), room.min(latin1.len() + 2));
            let mut dst = vec![0xEE; room];
            let moved = latin1_to_utf8(&latin1, Slot::of(&mut dst));
            let written = border(&text, room);
            let read = text[..written].chars().count();
            assert_eq!(moved, Moved { read, written });
            assert_eq!(&dst[..written], &text.as_bytes()[..written]);
        }
    }

    #[test]
    fn the_first_code_point_above_latin1_stops_at_every_place_of_a_block() {
        for bad in ["Ā", "日", "😀"] {
            for good in ["a", "é", "ÿa"] {
                for at in 0..140 {
                    let src = [good.repeat(at).as_str(), bad, "abc"].concat().repeat(2);
                    check_from_utf8(src.as_bytes(), src.len());
                }
            }
        }
    }

    #[test]
    fn damaged_texts_are_converted_up_to_the_damage() {
        mutations(5000, |src| check_from_utf8(src, src.len()));
        let (_, text) = sample();
        let mut numbers = Numbers::new(8);
        for _ in 0..10_000 {
            let from = numbers.below(text.len());
            let mut src = text.as_bytes()[from..].to_vec();
            let at = numbers.below(src.len());
            src[at] = u8::try_from(numbers.below(256)).unwrap_or(0);
            check_from_utf8(&src, src.len());
        }
        check_from_utf8(MIXED.as_bytes(), 10);
    }
}
