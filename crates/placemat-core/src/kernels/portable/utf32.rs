//! Validating conversion of UTF-8 to UTF-32 and back.
//!
//! Both directions work like UTF-16: from UTF-8 by the values and the bitmap of `block`, to UTF-8
//! by words and lengths that are computed for a block at a time. A block of UTF-32 without code
//! points above U+FFFF is converted as a block of UTF-16, because twice as many of its units fit
//! into a vector.

use super::Moved;
use super::block::{self, BLOCK, WINDOW};
use super::step::{decode_utf8, decode_utf32, encode_utf8, is_continuation, put32};
use super::utf16_to_utf8::{BLOCK_UNITS, ROOM_BYTES, write_to_three, write_to_two};
use super::validate::well_formed_prefix;
use crate::ground::chunk::chunk_at_mut;
use crate::ground::unit::ByteOrder;
use crate::simd::Slot;

/// Bytes that are checked before they are converted.
const PIECE_BYTES: usize = 4 * 1024;

/// Converts the longest prefix of `src` that is well-formed UTF-8 and fits into `dst`.
#[inline]
pub(crate) fn utf8_to_utf32<O: ByteOrder<Unit32 = u8>>(src: &[u8], dst: &mut [Slot]) -> Moved {
    let mut moved = if src.len() < WINDOW { Moved::default() } else { from_blocks::<O>(src, dst) };
    // The end of the text is less than a block, or does not fit as a whole, or is ill-formed.
    loop {
        let rest = src.get(moved.read..).unwrap_or_default();
        let Some((value, len)) = decode_utf8(rest) else { return moved };
        if !put32::<O>(dst.get_mut(moved.written..).unwrap_or_default(), value) {
            return moved;
        }
        moved.read += len;
        moved.written += O::PER_32;
    }
}

/// Converts whole blocks of UTF-8 while they are well-formed and fit.
fn from_blocks<O: ByteOrder<Unit32 = u8>>(src: &[u8], dst: &mut [Slot]) -> Moved {
    let Moved { mut read, mut written } = Moved::default();
    let mut checked = 0;
    loop {
        // Checking much more than can be written is wasted.
        let room = dst.len().saturating_sub(written) / O::PER_32;
        if room < BLOCK {
            // Otherwise a text that does not fit would be checked to its end, again at every call.
            break;
        }
        let end = src.len().min(checked + PIECE_BYTES.min(4 * room));
        let good = src.get(checked..end).map_or(0, well_formed_prefix);
        checked += good;
        if good == 0 {
            break;
        }
        while let Some(window) = src.get(read..checked).and_then(<[u8]>::first_chunk::<WINDOW>) {
            let Some(out) = dst.get_mut(written..written + BLOCK * O::PER_32) else { break };
            written += O::PER_32 * block::<O>(window, out);
            read += BLOCK;
        }
    }
    // To the end of the sequence whose beginning was converted.
    while read < checked && src.get(read).is_some_and(|byte| is_continuation(*byte)) {
        read += 1;
    }
    Moved { read, written }
}

/// Writes each byte as a code point to `out`, which must have room for them.
///
/// Never inlined: LLVM unrolls the loop if its length is known, before it vectorizes, and then
/// leaves it scalar.
#[inline(never)]
fn widen<O: ByteOrder<Unit32 = u8>>(src: &[u8], out: &mut [Slot]) {
    for (slot, byte) in out.chunks_exact_mut(O::PER_32).zip(src) {
        let _ = put32::<O>(slot, u32::from(*byte));
    }
}

/// Converts a block of UTF-8. Returns the number of code points that begin in it.
#[inline(always)]
fn block<O: ByteOrder<Unit32 = u8>>(window: &[u8; WINDOW], out: &mut [Slot]) -> usize {
    let highest = block::highest(window);
    if highest < 0x80 {
        widen::<O>(&window[..BLOCK], out);
        return BLOCK;
    }
    let map = block::leads(window);
    if highest < 0xF0 {
        let values =
            if highest < 0xE0 { block::values_to_two(window) } else { block::values_to_three(window) };
        block::gather!(map, |place| u32::from(values[place]), |index, unit| {
            let _ = put32::<O>(&mut out[index * O::PER_32..], unit);
        })
    } else {
        let phase = (map.trailing_zeros() % 4) as usize;
        if block::is_regular(map, 4) && window[BLOCK - 4 + phase] >= 0xF0 {
            read_fours::<O>(&window[phase..phase + BLOCK], out);
            return BLOCK / 4;
        }
        block::gather!(map, |place| block::value_at(window, place), |index, unit| {
            let _ = put32::<O>(&mut out[index * O::PER_32..], unit);
        })
    }
}

/// Converts four-byte sequences only. Never inlined, for the same reason as [`widen`].
#[inline(never)]
fn read_fours<O: ByteOrder<Unit32 = u8>>(src: &[u8], out: &mut [Slot]) {
    for (bytes, slot) in src.as_chunks::<4>().0.iter().zip(out.chunks_exact_mut(O::PER_32)) {
        let word = u32::from_le_bytes(*bytes);
        let value =
            (word & 0x07) << 18 | (word >> 8 & 0x3F) << 12 | (word >> 16 & 0x3F) << 6 | word >> 24 & 0x3F;
        let _ = put32::<O>(slot, value);
    }
}

/// Converts the longest prefix of `src` that is well-formed UTF-32 and fits into `dst`.
#[inline]
pub(crate) fn utf32_to_utf8<O: ByteOrder>(src: &[O::Unit32], dst: &mut [Slot]) -> Moved {
    let mut moved = to_blocks::<O>(src, dst);
    loop {
        let rest = src.get(moved.read..).unwrap_or_default();
        let Some(value) = decode_utf32::<O>(rest) else { return moved };
        let Some(bytes) = encode_utf8(dst.get_mut(moved.written..).unwrap_or_default(), value) else {
            return moved;
        };
        moved.read += O::PER_32;
        moved.written += bytes;
    }
}

/// Returns all ones if `condition` is true. Masks instead of `if`, because nested `if`s are not
/// vectorized.
#[inline(always)]
const fn mask(condition: bool) -> u32 {
    if condition { 0xFFFF_FFFF } else { 0 }
}

/// Converts whole blocks of UTF-32 while they are well-formed and fit.
fn to_blocks<O: ByteOrder>(src: &[O::Unit32], dst: &mut [Slot]) -> Moved {
    let Moved { mut read, mut written } = Moved::default();
    while let Some(from) = src.get(read..read + BLOCK_UNITS * O::PER_32) {
        let Some(out) = chunk_at_mut!(dst, written, ROOM_BYTES) else { break };
        let mut values = [0; BLOCK_UNITS];
        for (slot, unit) in values.iter_mut().zip(from.chunks_exact(O::PER_32)) {
            *slot = O::get32(unit).unwrap_or_default();
        }
        let (mut all, mut bad) = (0, 0);
        for value in values {
            all |= value;
            // Sets the top bit if the value is above 10FFFF; values from 8000_0000 up have it set
            // in `all`.
            bad |= 0x10_FFFFu32.wrapping_sub(value) & 0x8000_0000 | mask(value & 0xFFFF_F800 == 0xD800);
        }
        if (all | bad) & 0x8000_0000 != 0 {
            break;
        }
        if all < 0x80 {
            for (slot, value) in out.iter_mut().zip(values) {
                slot.set(value.to_le_bytes()[0]);
            }
            written += BLOCK_UNITS;
        } else if all < 0x1_0000 {
            let mut units = [0; BLOCK_UNITS];
            for i in 0..BLOCK_UNITS {
                let [low, high, ..] = values[i].to_le_bytes();
                units[i] = u16::from_le_bytes([low, high]);
            }
            written += if all < 0x800 { write_to_two(&units, out) } else { write_to_three(&units, out) };
        } else {
            written += write_block(&values, out);
        }
        read += BLOCK_UNITS * O::PER_32;
    }
    Moved { read, written }
}

/// Converts a block of scalar values of any length. Returns its number of bytes in UTF-8.
#[inline(always)]
fn write_block(values: &[u32; BLOCK_UNITS], out: &mut [Slot; ROOM_BYTES]) -> usize {
    let mut words = [0; BLOCK_UNITS];
    let mut lens = [0; BLOCK_UNITS];
    for i in 0..BLOCK_UNITS {
        let value = values[i];
        let last = value & 0x3F | 0x80;
        let third = value >> 6 & 0x3F | 0x80;
        let second = value >> 12 & 0x3F | 0x80;
        let of_two = value >> 6 | 0xC0 | last << 8;
        let of_three = value >> 12 | 0xE0 | third << 8 | last << 16;
        let of_four = value >> 18 | 0xF0 | second << 8 | third << 16 | last << 24;
        // As signed numbers: none is negative, and every vector unit can compare them.
        let signed = value.cast_signed();
        let [two, three, four] = [mask(signed >= 0x80), mask(signed >= 0x800), mask(signed >= 0x1_0000)];
        words[i] = value & !two | of_two & two & !three | of_three & three & !four | of_four & four;
        lens[i] = 1 + (two & 1) + (three & 1) + (four & 1);
    }
    let mut at = 0;
    for i in 0..BLOCK_UNITS {
        let place = at & 0xFF;
        Slot::copy(&mut out[place..place + 4], &words[i].to_le_bytes());
        at += lens[i] as usize;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::super::samples::{MIXED, Numbers, is_taken, mutations};
    use super::*;
    use crate::ground::unit::{Be, Le, Native};

    fn check_from_utf8(src: &[u8], room: usize) {
        let good = src.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let values: Vec<u32> = good.chars().take(room).map(u32::from).collect();
        let read = good.chars().take(room).map(char::len_utf8).sum();
        let mut dst = vec![0xEE; 4 * room + room % 4];
        let bytes = Moved { read, written: 4 * values.len() };
        assert_eq!(utf8_to_utf32::<Le>(src, Slot::of(&mut dst)), bytes, "room for {room}: {src:02x?}");
        assert!(dst.iter().zip(values.iter().flat_map(|value| value.to_le_bytes())).all(|(a, b)| *a == b));
        assert_eq!(utf8_to_utf32::<Be>(src, Slot::of(&mut dst)), bytes);
        assert!(dst.iter().zip(values.iter().flat_map(|value| value.to_be_bytes())).all(|(a, b)| *a == b));
    }

    fn check_to_utf8(src: &[u32], room: usize) {
        let mut text = String::new();
        for c in src.iter().map_while(|value| char::from_u32(*value)) {
            if text.len() + c.len_utf8() > room {
                break;
            }
            text.push(c);
        }
        let read = text.chars().count();
        let mut dst = vec![0xEE; room];
        let moved = utf32_to_utf8::<Native>(src, Slot::of(&mut dst));
        assert_eq!(moved, Moved { read, written: text.len() }, "room for {room}: {src:x?}");
        assert_eq!(&dst[..moved.written], text.as_bytes(), "room for {room}: {src:x?}");
        let le: Vec<u8> = src.iter().flat_map(|value| value.to_le_bytes()).chain([0, 0]).collect();
        let be: Vec<u8> = src.iter().flat_map(|value| value.to_be_bytes()).chain([0, 0, 0]).collect();
        let bytes = Moved { read: 4 * read, written: text.len() };
        assert_eq!(utf32_to_utf8::<Le>(&le, Slot::of(&mut dst)), bytes);
        assert_eq!(&dst[..moved.written], text.as_bytes());
        assert_eq!(utf32_to_utf8::<Be>(&be, Slot::of(&mut dst)), bytes);
        assert_eq!(&dst[..moved.written], text.as_bytes());
    }

    #[test]
    fn every_scalar_value_among_others() {
        for (i, text) in ["", "a", "é", "日", "😀", "é日😀b"].into_iter().enumerate() {
            if !is_taken(i, 1) {
                continue;
            }
            let spaced: String =
                ('\0'..=char::MAX).step_by(5).flat_map(|c| [c.to_string(), text.into()]).collect();
            check_from_utf8(spaced.as_bytes(), spaced.len());
            let values: Vec<u32> = spaced.chars().map(u32::from).collect();
            check_to_utf8(&values, spaced.len());
        }
    }

    #[test]
    fn every_room_for_a_mixed_text() {
        let text = MIXED.repeat(2);
        let values: Vec<u32> = text.chars().map(u32::from).collect();
        for room in 0..=text.len() + 2 {
            check_to_utf8(&values, room);
            check_from_utf8(text.as_bytes(), room.min(values.len() + 2));
        }
    }

    #[test]
    fn every_start_and_end_in_a_text_of_one_length_of_sequence() {
        for unit in ["a", "é", "日", "😀"] {
            let text = unit.repeat(80);
            for (pad, other) in (0..70).flat_map(|pad| ["b", "é", "本", "😁"].map(|other| (pad, other))) {
                let src = ["b".repeat(pad).as_str(), &text, other, &text].concat();
                for cut in 0..5 {
                    check_from_utf8(&src.as_bytes()[..src.len() - cut], 400);
                }
                let values: Vec<u32> = src.chars().map(u32::from).collect();
                check_to_utf8(&values, src.len());
            }
        }
    }

    #[test]
    fn what_is_no_scalar_value_stops_at_every_place_of_a_block() {
        for bad in [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x11_0000, 0x7FFF_FFFF, 0x8000_0041, u32::MAX] {
            for good in [0x41, 0xE9, 0xD7FF, 0xE000, 0x1_0000, 0x10_FFFF] {
                for at in 0..50 {
                    let mut src = [good; 50];
                    src[at] = bad;
                    check_to_utf8(&src, 300);
                }
            }
        }
    }

    #[test]
    fn damaged_texts_are_converted_up_to_the_damage() {
        mutations(10_000, |src| check_from_utf8(src, src.len()));
        let mut numbers = Numbers::new(5);
        let values: Vec<u32> = MIXED.chars().map(u32::from).collect();
        for _ in 0..5000 {
            let mut src = values[numbers.below(values.len())..].to_vec();
            let at = numbers.below(src.len());
            src[at] = u32::try_from(numbers.below(0x12_0000)).unwrap_or(0);
            check_to_utf8(&src, 4 * src.len());
        }
    }
}
