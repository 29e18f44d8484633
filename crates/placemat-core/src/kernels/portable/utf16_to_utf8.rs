//! Validating conversion of UTF-16 to UTF-8.
//!
//! For each unit of a block a vector loop computes its bytes, up to three, and their number; a
//! scalar loop then writes four bytes each time and advances by that number, so the only branches
//! that depend on the text are per block. Surrogates need no special case: of the four bytes of a
//! pair, the first two follow from the high surrogate alone, and the last two from the low one and
//! the unit before it, so each surrogate is a unit of two bytes.
//!
//! Measurements, and what was slower: `lab/portable.md`.

use super::Moved;
use super::step::{decode_utf16, encode_utf8};
use crate::ground::chunk::chunk_at_mut;
use crate::ground::unit::ByteOrder;
use crate::ground::unit::{is_lead, is_trail};
use crate::simd::Slot;

/// Number of units per step.
pub(super) const BLOCK_UNITS: usize = 64;
/// Bytes of output of a step: masking an offset keeps it in bounds, and the last write may extend
/// three bytes past it.
pub(super) const ROOM_BYTES: usize = 256 + 4;

/// Whether `unit` is a surrogate.
#[inline(always)]
const fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

/// Returns all ones if `condition` is true. Masks instead of `if`, because nested `if`s are not
/// vectorized.
#[inline(always)]
const fn mask(condition: bool) -> u16 {
    if condition { 0xFFFF } else { 0 }
}

/// Returns the bits of `yes` where `mask` has ones, and the bits of `no` elsewhere.
#[inline(always)]
const fn choose(mask: u16, yes: u16, no: u16) -> u16 {
    yes & mask | no & !mask
}

/// Copies a block as native integers. Returns the OR of all units, and whether there is a
/// surrogate.
#[inline(always)]
fn read_block<O: ByteOrder>(src: &[O::Unit16], block: &mut [u16; BLOCK_UNITS]) -> (u16, bool) {
    let (mut all, mut surrogates) = (0, 0);
    for (slot, unit) in block.iter_mut().zip(src.chunks_exact(O::PER_16)) {
        let unit = O::get16(unit).unwrap_or_default();
        *slot = unit;
        all |= unit;
        surrogates |= mask(is_surrogate(unit));
    }
    (all, surrogates != 0)
}

/// Returns the block shifted by one unit, after the last unit of the previous block.
#[inline(always)]
fn moved_by_one(block: &[u16; BLOCK_UNITS], last: u16) -> [u16; BLOCK_UNITS] {
    let mut before = [last; BLOCK_UNITS];
    before[1..].copy_from_slice(&block[..BLOCK_UNITS - 1]);
    before
}

/// Whether low surrogates follow high surrogates, all of them and no other units; the last unit of
/// the block may be a high surrogate.
#[inline(always)]
fn pairs_match(before: &[u16; BLOCK_UNITS], block: &[u16; BLOCK_UNITS]) -> bool {
    let mut bad = 0;
    for i in 0..BLOCK_UNITS {
        bad += u16::from(is_lead(before[i]) != is_trail(block[i]));
    }
    bad == 0u16
}

/// Number of high surrogates.
#[inline(always)]
fn leads(block: &[u16; BLOCK_UNITS]) -> usize {
    let mut leads = 0u16;
    for &unit in block {
        leads += u16::from(is_lead(unit));
    }
    leads.into()
}

/// Returns the length of the longest well-formed UTF-16 prefix of `src`, in elements.
///
/// The prefix ends at the first unpaired surrogate, before an incomplete pair or unit at the end,
/// or at the end.
#[inline]
#[must_use]
pub(crate) fn utf16_prefix<O: ByteOrder>(src: &[O::Unit16]) -> usize {
    let (mut read, mut last) = (0, 0);
    let mut block = [0; BLOCK_UNITS];
    while let Some(units) = src.get(read..read + BLOCK_UNITS * O::PER_16) {
        let (_, surrogates) = read_block::<O>(units, &mut block);
        if (surrogates || is_lead(last)) && !pairs_match(&moved_by_one(&block, last), &block) {
            break;
        }
        last = block[BLOCK_UNITS - 1];
        read += BLOCK_UNITS * O::PER_16;
    }
    if is_lead(last) {
        read -= O::PER_16;
    }
    while let Some((_, len)) = decode_utf16::<O>(src.get(read..).unwrap_or_default()) {
        read += len;
    }
    read
}

/// Converts the longest well-formed UTF-16 prefix of `src` that fits into `dst`.
#[inline]
pub(crate) fn utf16_to_utf8<O: ByteOrder>(src: &[O::Unit16], dst: &mut [Slot]) -> Moved {
    let mut moved =
        if src.len() < BLOCK_UNITS * O::PER_16 { Moved::default() } else { blocks::<O>(src, dst) };
    // The end of the text is less than a block, or does not fit as a whole, or is ill-formed.
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

/// Converts whole blocks while they are well-formed and fit.
#[inline(never)]
fn blocks<O: ByteOrder>(src: &[O::Unit16], dst: &mut [Slot]) -> Moved {
    let Moved { mut read, mut written } = Moved::default();
    let mut last = 0;
    let mut block = [0; BLOCK_UNITS];
    while let Some(units) = src.get(read..read + BLOCK_UNITS * O::PER_16) {
        let Some(out) = chunk_at_mut!(dst, written, ROOM_BYTES) else { break };
        let (all, surrogates) = read_block::<O>(units, &mut block);
        if surrogates || is_lead(last) {
            let before = moved_by_one(&block, last);
            if !pairs_match(&before, &block) {
                break;
            }
            // Half of the units are high surrogates, so the others are the low surrogates after
            // them.
            let only_pairs = !is_lead(block[BLOCK_UNITS - 1]) && leads(&block) == BLOCK_UNITS / 2;
            written += if only_pairs {
                write_only_pairs(&block, out);
                2 * BLOCK_UNITS
            } else {
                write_pairs(&before, &block, out)
            };
        } else if all < 0x80 {
            for (slot, &unit) in out.iter_mut().zip(&block) {
                slot.set(unit.to_le_bytes()[0]);
            }
            written += BLOCK_UNITS;
        } else if all < 0x800 {
            written += write_to_two(&block, out);
        } else {
            written += write_to_three(&block, out);
        }
        last = block[BLOCK_UNITS - 1];
        read += BLOCK_UNITS * O::PER_16;
    }
    if is_lead(last) {
        // The first half of a pair that the blocks did not complete.
        read -= O::PER_16;
        written -= 2;
    }
    Moved { read, written }
}

/// Writes the first `lens[i]` bytes of each `words[i]`, lowest first, one after another. Returns
/// their number.
#[inline(always)]
fn pack(words: &[u32; BLOCK_UNITS], lens: &[u16; BLOCK_UNITS], out: &mut [Slot; ROOM_BYTES]) -> usize {
    let mut at = 0;
    for i in 0..BLOCK_UNITS {
        let place = at & 0xFF;
        Slot::copy(&mut out[place..place + 4], &words[i].to_le_bytes());
        at += usize::from(lens[i]);
    }
    at
}

/// Writes a block of units below U+0800. Returns the number of bytes.
#[inline(always)]
pub(super) fn write_to_two(block: &[u16; BLOCK_UNITS], out: &mut [Slot; ROOM_BYTES]) -> usize {
    let mut words = [0; BLOCK_UNITS];
    let mut lens = [0; BLOCK_UNITS];
    for i in 0..BLOCK_UNITS {
        let unit = block[i];
        let two = unit >> 6 | 0xC0 | (unit & 0x3F | 0x80) << 8;
        let longer = mask(unit >= 0x80);
        words[i] = choose(longer, two, unit);
        lens[i] = 1 + (longer & 1);
    }
    let mut at = 0;
    for i in 0..BLOCK_UNITS {
        let place = at & 0xFF;
        Slot::copy(&mut out[place..place + 2], &words[i].to_le_bytes());
        at += usize::from(lens[i]);
    }
    at
}

/// Writes a block without surrogates. Returns the number of bytes.
#[inline(always)]
pub(super) fn write_to_three(block: &[u16; BLOCK_UNITS], out: &mut [Slot; ROOM_BYTES]) -> usize {
    let mut words = [0; BLOCK_UNITS];
    let mut lens = [0; BLOCK_UNITS];
    for i in 0..BLOCK_UNITS {
        let unit = block[i];
        // Two halves of 16 bits: the first two bytes, and the third.
        let last = unit & 0x3F | 0x80;
        let two = unit >> 6 | 0xC0 | last << 8;
        let three = unit >> 12 | 0xE0 | (unit >> 6 & 0x3F | 0x80) << 8;
        let (to_two, to_three) = (mask(unit >= 0x80), mask(unit >= 0x800));
        let first = choose(to_two, choose(to_three, three, two), unit);
        words[i] = u32::from(first) | u32::from(last) << 16;
        lens[i] = 1 + (to_two & 1) + (to_three & 1);
    }
    pack(&words, &lens, out)
}

/// Writes a block whose surrogates are all in pairs. Returns the number of bytes.
///
/// With the code point as `000uuuuu zzzzyyyy yyxxxxxx`, the bytes are `11110uuu 10uuzzzz 10yyyyyy
/// 10xxxxxx`; the high surrogate minus `D7C0` is `uuuuuzzzzyy`, and the low one ends in
/// `yyyyxxxxxx` (tables 3-5 and 3-6 of the Unicode Standard).
#[inline(always)]
fn write_pairs(
    before: &[u16; BLOCK_UNITS],
    block: &[u16; BLOCK_UNITS],
    out: &mut [Slot; ROOM_BYTES],
) -> usize {
    let mut words = [0; BLOCK_UNITS];
    let mut lens = [0; BLOCK_UNITS];
    for i in 0..BLOCK_UNITS {
        let unit = block[i];
        let last = unit & 0x3F | 0x80;
        let two = unit >> 6 | 0xC0 | last << 8;
        let three = unit >> 12 | 0xE0 | (unit >> 6 & 0x3F | 0x80) << 8;
        let (to_two, to_three) = (mask(unit >= 0x80), mask(unit >= 0x800));
        let alone = choose(to_two, choose(to_three, three, two), unit);

        let high_before = before[i].wrapping_sub(0xD7C0);
        let high = unit.wrapping_sub(0xD7C0);
        let first_half = high >> 8 | 0xF0 | (high >> 2 & 0x3F | 0x80) << 8;
        let second_half = (high_before & 0x03) << 4 | unit >> 6 & 0x0F | 0x80 | last << 8;
        let half = choose(mask(is_trail(unit)), second_half, first_half);

        let surrogate = mask(is_surrogate(unit));
        words[i] = u32::from(choose(surrogate, half, alone)) | u32::from(last) << 16;
        lens[i] = 1 + (to_two & 1) + (to_three & !surrogate & 1);
    }
    pack(&words, &lens, out)
}

/// Writes surrogate pairs only.
///
/// Never inlined: LLVM unrolls the loop if its length is known, before it vectorizes, and then
/// leaves it scalar.
#[inline(never)]
fn write_only_pairs(units: &[u16], out: &mut [Slot]) {
    for ([high, low], slot) in units.as_chunks::<2>().0.iter().zip(out.as_chunks_mut::<4>().0) {
        let (high, low) = (u32::from(*high) - 0xD7C0, u32::from(*low));
        let first_half = high >> 8 | (high >> 2 & 0x3F) << 8;
        let second_half = (high & 0x03) << 4 | low >> 6 & 0x0F | (low & 0x3F) << 8;
        Slot::write(slot, (0x8080_80F0 | first_half | second_half << 16).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{MIXED, Numbers};
    use super::*;
    use crate::ground::unit::{Be, Le, Native};

    /// Returns the longest well-formed prefix of `src` that has at most `room` bytes in UTF-8.
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
        let moved = utf16_to_utf8::<Native>(src, Slot::of(&mut dst));
        assert_eq!(moved, Moved { read, written: text.len() }, "room for {room}: {src:04x?}");
        assert_eq!(&dst[..moved.written], text.as_bytes(), "room for {room}: {src:04x?}");
        let le: Vec<u8> = src.iter().flat_map(|unit| unit.to_le_bytes()).chain([0]).collect();
        let be: Vec<u8> = src.iter().flat_map(|unit| unit.to_be_bytes()).chain([0]).collect();
        let bytes = Moved { read: 2 * read, written: text.len() };
        assert_eq!(utf16_to_utf8::<Le>(&le, Slot::of(&mut dst)), bytes);
        assert_eq!(&dst[..moved.written], text.as_bytes());
        assert_eq!(utf16_to_utf8::<Be>(&be, Slot::of(&mut dst)), bytes);
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
    fn every_start_and_end_in_a_text_of_one_length_of_sequence() {
        for unit in ["a", "é", "日", "😀"] {
            let text = unit.repeat(80);
            for (pad, other) in (0..70).flat_map(|pad| ["b", "é", "本", "😁"].map(|other| (pad, other))) {
                let src = ["b".repeat(pad).as_str(), &text, other, &text].concat();
                let units: Vec<u16> = src.encode_utf16().collect();
                for cut in 0..3 {
                    check(&units[..units.len() - cut], 3 * units.len());
                }
            }
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
