//! Validating conversion of UTF-8 to UTF-16.
//!
//! A piece of a few KiB is checked, and then converted while it is in the first-level cache: both
//! loops are simple, and the check is a small part of the whole. The conversion is that of `block`,
//! except that a four-byte sequence has two values, one at its lead byte and one at the byte after
//! it. ASCII blocks are widened, and a loop of its own converts blocks of four-byte sequences only.
//!
//! A branch per sequence would be faster for small texts, which the branch predictor learns, and up
//! to four times slower for others: `lab/portable.md`.

use super::Moved;
use super::block::{self, BLOCK, WINDOW};
use super::step::{decode_utf8, encode_utf16, is_continuation, put16};
use super::validate::well_formed_prefix;
use crate::ground::chunk::chunk_at;
use crate::ground::unit::ByteOrder;
use crate::simd::Slot;

/// Bytes that are checked before they are converted.
const PIECE_BYTES: usize = 4 * 1024;
/// Converts the longest prefix of `src` that is well-formed UTF-8 and fits into `dst`.
#[inline]
pub(crate) fn utf8_to_utf16<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [Slot]) -> Moved {
    let mut moved = if src.len() < WINDOW { Moved::default() } else { blocks::<O>(src, dst) };
    // The end of the text is less than a block, or does not fit as a whole, or is ill-formed.
    loop {
        let rest = src.get(moved.read..).unwrap_or_default();
        let Some((value, len)) = decode_utf8(rest) else { return moved };
        let Some(units) = encode_utf16::<O>(dst.get_mut(moved.written..).unwrap_or_default(), value) else {
            return moved;
        };
        moved.read += len;
        moved.written += units;
    }
}

/// Converts whole blocks while they are well-formed and fit.
#[inline(never)]
fn blocks<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [Slot]) -> Moved {
    let mut read = 0;
    let mut written = 0;
    let mut checked = 0;
    // 1 if the previous block ended with the lead byte of a four-byte sequence, whose low surrogate
    // is still to come; else 0.
    let mut pending = 0;
    loop {
        // Checking much more than can be written is wasted.
        let room = dst.len().saturating_sub(written) / O::PER_16;
        if room <= BLOCK {
            // Otherwise a text that does not fit would be checked to its end, again at every call.
            break;
        }
        let end = src.len().min(checked + PIECE_BYTES.min(3 * room));
        let good = src.get(checked..end).map_or(0, well_formed_prefix);
        checked += good;
        if good == 0 {
            break;
        }
        while let Some(window) = src.get(read..checked).and_then(<[u8]>::first_chunk::<WINDOW>) {
            // One more than a block can fill, for the surrogate that may be pending at the end.
            let Some(out) = dst.get_mut(written..written + (BLOCK + 1) * O::PER_16) else { break };
            let units = block::<O>(window, &mut pending, out);
            written += O::PER_16 * units;
            read += BLOCK;
            // The number of units in a block of three-byte sequences: more of them may follow.
            if units == BLOCK / 3 || units == BLOCK / 3 + 1 {
                let rest = src.get(read..checked).unwrap_or_default();
                let run = threes::<O>(rest, dst.get_mut(written..).unwrap_or_default());
                read += run.read;
                written += run.written;
            }
        }
    }
    if pending != 0 {
        // There is room for it: a block writes at least one unit less than `out` has room for.
        let [two, three] = [1, 2].map(|i| u16::from(src.get(read + i).copied().unwrap_or_default()));
        let low = 0xDC00 | (two & 0x0F) << 6 | three & 0x3F;
        if put16::<O>(dst.get_mut(written..).unwrap_or_default(), low) {
            written += O::PER_16;
        }
    }
    // To the end of the sequence whose beginning was converted.
    while read < checked && src.get(read).is_some_and(|byte| is_continuation(*byte)) {
        read += 1;
    }
    Moved { read, written }
}

/// Converts three-byte sequences, four at a time while there is nothing else, after the
/// continuation bytes of a sequence that may come first. Texts without spaces, such as Chinese and
/// Japanese, have long runs of them.
///
/// Two sequences are computed in the two halves of a word: the value of `1110aaaa 10bbbbbb
/// 10cccccc`, with the first byte lowest, is `aaaabbbb bbcccccc`.
#[inline(never)]
#[expect(clippy::cast_possible_truncation, reason = "the casts select halves of a word")]
fn threes<O: ByteOrder<Unit16 = u8>>(src: &[u8], dst: &mut [Slot]) -> Moved {
    /// The bits of the high nibbles of the first bytes of two sequences in a word.
    const HALVES: u64 = 0x0000_0000_F000_00F0;
    /// The high nibbles of the first bytes of two three-byte sequences.
    const LEADS: u64 = 0x0000_0000_E000_00E0;
    let two = |word: u64| {
        let halves = word & 0x00FF_FFFF | word << 8 & 0x00FF_FFFF_0000_0000;
        (halves & 0x0000_000F_0000_000F) << 12
            | halves >> 2 & 0x0000_0FC0_0000_0FC0
            | halves >> 16 & 0x0000_003F_0000_003F
    };
    let start = src.iter().take(2).take_while(|byte| is_continuation(**byte)).count();
    let (mut read, mut written) = (start, 0);
    while let Some(window) = chunk_at!(src, read, 14)
        && let Some(out) = dst.get_mut(written..written + 4 * O::PER_16)
    {
        let (Some(first), Some(second)) = (window.first_chunk(), window.last_chunk()) else { break };
        let [first, second] = [first, second].map(|bytes| u64::from_le_bytes(*bytes));
        if (first & HALVES ^ LEADS) | (second & HALVES ^ LEADS) != 0 {
            break;
        }
        let (first, second) = (two(first), two(second));
        for (slot, unit) in out
            .chunks_exact_mut(O::PER_16)
            .zip([first, first >> 32, second, second >> 32].map(|half| half as u16))
        {
            let _ = put16::<O>(slot, unit);
        }
        read += 12;
        written += 4 * O::PER_16;
    }
    if written == 0 { Moved::default() } else { Moved { read, written } }
}

/// Converts a block. Returns its number of code units.
#[inline(always)]
fn block<O: ByteOrder<Unit16 = u8>>(window: &[u8; WINDOW], pending: &mut u64, out: &mut [Slot]) -> usize {
    let highest = block::highest(window);
    if highest < 0x80 {
        for (slot, byte) in out.chunks_exact_mut(O::PER_16).zip(&window[..BLOCK]) {
            let _ = put16::<O>(slot, u16::from(*byte));
        }
        return BLOCK;
    }
    let map = block::leads(window);
    // A pending low surrogate makes this a block with four-byte sequences, whatever else it
    // contains.
    if highest >= 0xF0 || *pending != 0 {
        return block_to_four::<O>(window, map, pending, out);
    }
    let units = if highest >= 0xE0 {
        let units = block::values_to_three(window);
        if block::is_regular(map, 3) {
            return block::gather_thirds!(map, |place| units[place], |index, unit| {
                let _ = put16::<O>(&mut out[index * O::PER_16..], unit);
            });
        }
        units
    } else {
        block::values_to_two(window)
    };
    block::gather!(map, |place| units[place], |index, unit| {
        let _ = put16::<O>(&mut out[index * O::PER_16..], unit);
    })
}

/// Converts a block with four-byte sequences, or with the continuation bytes of one.
#[inline(always)]
fn block_to_four<O: ByteOrder<Unit16 = u8>>(
    window: &[u8; WINDOW],
    mut map: u64,
    pending: &mut u64,
    out: &mut [Slot],
) -> usize {
    let phase = (map.trailing_zeros() % 4) as usize;
    if *pending == 0 && block::is_regular(map, 4) && window[BLOCK - 4 + phase] >= 0xF0 {
        write_pairs::<O>(&window[phase..phase + BLOCK], out);
        return BLOCK / 2;
    }
    let fours = block::leads_of_four(window);
    map |= *pending | fours << 1;
    *pending = fours >> 63;
    let units = block::units_to_four(window);
    block::gather!(map, |place| units[place], |index, unit| {
        let _ = put16::<O>(&mut out[index * O::PER_16..], unit);
    })
}

/// Converts four-byte sequences only.
///
/// Never inlined: LLVM unrolls the loop if its length is known, before it vectorizes, and then
/// leaves it scalar.
#[inline(never)]
#[expect(clippy::cast_possible_truncation, reason = "surrogates have 16 bits")]
fn write_pairs<O: ByteOrder<Unit16 = u8>>(src: &[u8], out: &mut [Slot]) {
    for (bytes, slots) in src.as_chunks::<4>().0.iter().zip(out.chunks_exact_mut(2 * O::PER_16)) {
        let word = u32::from_le_bytes(*bytes);
        let (one, two) = (word & 0x07, word >> 8 & 0x3F);
        let (three, four) = (word >> 16 & 0x3F, word >> 24 & 0x3F);
        let high = 0xD7C0 + (one << 8 | two << 2 | three >> 4);
        let low = 0xDC00 | (three & 0x0F) << 6 | four;
        let (first, second) = slots.split_at_mut(O::PER_16);
        let _ = put16::<O>(first, high as u16) && put16::<O>(second, low as u16);
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{MIXED, mutations};
    use super::*;
    use crate::ground::unit::{Be, Le};

    /// Returns the longest prefix of `src` that converts to at most `room` units, and these units.
    fn expected(src: &[u8], room: usize) -> (usize, Vec<u16>) {
        let good = src.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        let (mut read, mut units) = (0, Vec::new());
        for c in good.chars().take_while(|c| {
            let fits = read + c.len_utf16() <= room;
            read += c.len_utf16();
            fits
        }) {
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
        }
        (String::from_utf16(&units).expect("it was a text").len(), units)
    }

    fn check(src: &[u8], room: usize) {
        let (read, units) = expected(src, room);
        for odd in 0..2 {
            let mut dst = vec![0xEE; 2 * room + odd];
            let moved = utf8_to_utf16::<Le>(src, Slot::of(&mut dst));
            assert_eq!(moved, Moved { read, written: 2 * units.len() }, "room for {room}: {src:02x?}");
            assert!(dst.iter().zip(units.iter().flat_map(|unit| unit.to_le_bytes())).all(|(a, b)| *a == b));
            let moved = utf8_to_utf16::<Be>(src, Slot::of(&mut dst));
            assert_eq!(moved, Moved { read, written: 2 * units.len() }, "room for {room}: {src:02x?}");
            assert!(dst.iter().zip(units.iter().flat_map(|unit| unit.to_be_bytes())).all(|(a, b)| *a == b));
        }
    }

    #[test]
    fn every_scalar_value_among_others() {
        let all: String = ('\0'..=char::MAX).collect();
        check(all.as_bytes(), all.len());
        for text in ["a", "é", "日", "😀", "é日😀b"] {
            let spaced: String =
                ('\0'..=char::MAX).step_by(7).flat_map(|c| [c.to_string(), text.into()]).collect();
            check(spaced.as_bytes(), spaced.len());
        }
    }

    #[test]
    fn every_room_for_a_mixed_text() {
        let text = MIXED.repeat(2);
        for room in 0..=text.encode_utf16().count() + 2 {
            check(text.as_bytes(), room);
        }
    }

    #[test]
    fn every_start_and_end_in_a_text_of_one_length_of_sequence() {
        for unit in ["a", "é", "日", "😀"] {
            let text = unit.repeat(80);
            for (pad, other) in (0..70).flat_map(|pad| ["b", "é", "本", "😁"].map(|other| (pad, other))) {
                let src = ["b".repeat(pad).as_str(), &text, other, &text].concat();
                for cut in 0..5 {
                    check(&src.as_bytes()[..src.len() - cut], 400);
                }
            }
        }
    }

    #[test]
    fn damaged_texts_are_converted_up_to_the_damage() {
        mutations(10_000, |src| check(src, src.len() + 1));
    }
}
