//! Counts and lengths, defined for any input by a formula over its code units.
//!
//! Each result is a sum over code units of a number that depends on the unit and at most on its
//! neighbor, so the loop vectorizes; the sum is kept in small lanes, as wide as the units, and
//! carried into a `usize` before a lane can overflow. For well-formed text the formulas yield what
//! the function names say; the function docs describe ill-formed text.

use crate::ground::unit::{ByteOrder, is_lead, is_trail};

/// Number of lanes of the small sums: two to four vectors.
const LANES: usize = 64;
/// Number of rounds before an 8-bit lane can overflow, if a round adds at most 1.
const ROUNDS: usize = 255;

/// Sums a formula over the bytes of `src`; the formula must yield 0 or 1.
macro_rules! sum_bytes {
    ($src:expr, |$byte:ident| $formula:expr) => {{
        let src: &[u8] = $src;
        let mut sum = 0;
        let (rows, rest) = src.as_chunks::<LANES>();
        for rows in rows.chunks(ROUNDS) {
            let mut lanes = [0u8; LANES];
            for row in rows {
                for i in 0..LANES {
                    let $byte = row[i];
                    lanes[i] += u8::from($formula);
                }
            }
            // A sum of 64 lanes of up to 255 takes 14 bits.
            let mut total = 0u16;
            for lane in lanes {
                total += u16::from(lane);
            }
            sum += usize::from(total);
        }
        // At most 63, which fits into 8 bits.
        let mut last = 0u8;
        for &$byte in rest {
            last += u8::from($formula);
        }
        sum + usize::from(last)
    }};
}

/// Counts the code points of UTF-8: the bytes that are not continuation bytes (`80..BF`).
#[inline]
#[must_use]
pub(crate) fn count_code_points(src: &[u8]) -> usize {
    // As signed numbers, continuation bytes are the 64 lowest.
    sum_bytes!(src, |byte| byte.cast_signed() >= -0x40)
}

/// Returns the number of UTF-16 code units of UTF-8: one for each byte that is not a continuation
/// byte, and one more for each byte from `F0` up.
#[inline]
#[must_use]
pub(crate) fn utf16_len_of_utf8(src: &[u8]) -> usize {
    count_code_points(src) + sum_bytes!(src, |byte| byte >= 0xF0)
}

/// Counts the bytes `0A`.
#[inline]
#[must_use]
pub(crate) fn count_line_feeds(src: &[u8]) -> usize {
    sum_bytes!(src, |byte| byte == b'\n')
}

/// Returns the number of UTF-8 bytes of Latin-1: one for each byte, and one more for each byte from
/// `80` up.
#[inline]
#[must_use]
pub(crate) fn utf8_len_of_latin1(src: &[u8]) -> usize {
    src.len() + sum_bytes!(src, |byte| byte >= 0x80)
}

/// Number of UTF-16 or UTF-32 code units per sum, before it is carried over.
const BLOCK_UNITS: usize = 4096;

/// Counts surrogate pairs: high surrogates that a low surrogate follows.
#[inline]
fn count_pairs(src: &[u16]) -> usize {
    let mut pairs = 0;
    let after = src.get(1..).unwrap_or_default();
    for (first, second) in src.chunks(BLOCK_UNITS).zip(after.chunks(BLOCK_UNITS)) {
        let mut sum = 0u16;
        for (first, second) in first.iter().zip(second) {
            sum += u16::from(first & 0xFC00 == 0xD800) & u16::from(second & 0xFC00 == 0xDC00);
        }
        pairs += usize::from(sum);
    }
    pairs
}

/// Counts the code points of UTF-16: a surrogate pair counts once, and so does a lone surrogate.
#[inline]
#[must_use]
pub(crate) fn count_code_points_of_utf16(src: &[u16]) -> usize {
    src.len() - count_pairs(src)
}

/// Returns the number of UTF-8 bytes of UTF-16. A lone surrogate counts three, its length in WTF-8
/// and the length of U+FFFD.
#[inline]
#[must_use]
pub(crate) fn utf8_len_of_utf16<O: ByteOrder<Unit16 = u8>>(src: &[u8]) -> usize {
    let unit = |bytes: &[u8; 2]| O::get16(bytes).unwrap_or_default();
    let units = src.as_chunks().0;
    let after = units.get(1..).unwrap_or_default();
    let (mut more, mut pairs) = (0, 0);
    for block in units.chunks(BLOCK_UNITS) {
        let mut sum = 0u16;
        for bytes in block {
            sum += u16::from(unit(bytes) >= 0x80) + u16::from(unit(bytes) >= 0x800);
        }
        more += usize::from(sum);
    }
    for (first, second) in units.chunks(BLOCK_UNITS).zip(after.chunks(BLOCK_UNITS)) {
        let mut sum = 0u16;
        for (first, second) in first.iter().zip(second) {
            sum += u16::from(is_lead(unit(first))) & u16::from(is_trail(unit(second)));
        }
        pairs += usize::from(sum);
    }
    // Three bytes per surrogate would be six for a pair, which has four.
    units.len() + more - 2 * pairs
}

/// Returns the number of UTF-8 bytes of UTF-32. A number that is not a scalar value counts by its
/// magnitude: a surrogate three, a number above U+10FFFF four.
#[inline]
#[must_use]
pub(crate) fn utf8_len_of_utf32<O: ByteOrder<Unit32 = u8>>(src: &[u8]) -> usize {
    let (units, mut more) = (src.as_chunks::<4>().0, 0);
    for block in units.chunks(BLOCK_UNITS) {
        let mut sum = 0u32;
        for bytes in block {
            let unit = O::get32(bytes).unwrap_or_default();
            sum += u32::from(unit >= 0x80) + u32::from(unit >= 0x800) + u32::from(unit >= 0x1_0000);
        }
        more += sum as usize;
    }
    units.len() + more
}

/// Returns the number of UTF-16 code units of UTF-32: two above U+FFFF, else one.
#[inline]
#[must_use]
pub(crate) fn utf16_len_of_utf32(src: &[u32]) -> usize {
    let mut more = 0;
    for block in src.chunks(BLOCK_UNITS) {
        let mut sum = 0u32;
        for &unit in block {
            sum += u32::from(unit >= 0x1_0000);
        }
        more += sum as usize;
    }
    src.len() + more
}

#[cfg(test)]
mod tests {
    use super::super::samples::{MIXED, Numbers};
    use super::*;
    use crate::ground::unit::{Be, Le};

    fn little(units: &[u16]) -> Vec<u8> {
        units.iter().flat_map(|unit| unit.to_le_bytes()).collect()
    }

    #[test]
    fn every_part_of_a_mixed_text_has_the_lengths_of_the_standard_library() {
        let text = MIXED.repeat(3);
        let borders: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        for from in borders.iter().copied().step_by(7) {
            for to in borders.iter().copied().filter(|to| *to >= from).step_by(5) {
                let part = &text[from..to];
                let utf16: Vec<u16> = part.encode_utf16().collect();
                let utf32: Vec<u32> = part.chars().map(u32::from).collect();
                assert_eq!(count_code_points(part.as_bytes()), utf32.len());
                assert_eq!(utf16_len_of_utf8(part.as_bytes()), utf16.len());
                assert_eq!(count_code_points_of_utf16(&utf16), utf32.len());
                assert_eq!(utf8_len_of_utf16::<Le>(&little(&utf16)), part.len());
                let [little, big] = [u32::to_le_bytes, u32::to_be_bytes]
                    .map(|bytes| utf32.iter().copied().flat_map(bytes).collect::<Vec<u8>>());
                assert_eq!(utf8_len_of_utf32::<Le>(&little), part.len());
                assert_eq!(utf8_len_of_utf32::<Be>(&big), part.len());
            }
        }
    }

    #[test]
    fn any_bytes_are_counted_by_the_formula() {
        let mut numbers = Numbers::new(17);
        let random: Vec<u8> = (0..100_000).map(|_| u8::try_from(numbers.below(256)).unwrap_or(0)).collect();
        // More of one kind than a lane could count without carrying.
        let full = [vec![0xFF; 100_000], vec![b'\n'; 100_000]];
        for bytes in full.iter().chain([&random]) {
            for len in (0..200).chain([16_319, 16_320, 16_321, 70_000, 100_000]) {
                let src = &bytes[..len];
                let count = |test: fn(u8) -> bool| src.iter().filter(|byte| test(**byte)).count();
                let starts = count(|byte| byte & 0xC0 != 0x80);
                assert_eq!(count_code_points(src), starts);
                assert_eq!(utf16_len_of_utf8(src), starts + count(|byte| byte >= 0xF0));
                assert_eq!(count_line_feeds(src), count(|byte| byte == 0x0A));
                assert_eq!(utf8_len_of_latin1(src), len + count(|byte| byte >= 0x80));
            }
        }
    }

    #[test]
    fn any_units_are_counted_by_the_formula() {
        let mut numbers = Numbers::new(4);
        let borders = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        let units: Vec<u16> = (0..50_000).map(|_| borders[numbers.below(borders.len())]).collect();
        let full = vec![0xFFFF; 50_000];
        for units in [units, full] {
            for len in (0..100).chain([4095, 4096, 4097, 8192, 8193, 50_000]) {
                let src = &units[..len];
                let decoded = || char::decode_utf16(src.iter().copied());
                assert_eq!(count_code_points_of_utf16(src), decoded().count());
                let bytes: usize = decoded().map(|c| c.map_or(3, char::len_utf8)).sum();
                assert_eq!(utf8_len_of_utf16::<Le>(&little(src)), bytes);
                let big: Vec<u8> = src.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                assert_eq!(utf8_len_of_utf16::<Be>(&big), bytes);
            }
        }
        let odd = [0xD800, 0x11_0000, u32::MAX].map(u32::to_le_bytes);
        assert_eq!(utf8_len_of_utf32::<Le>(odd.as_flattened()), 3 + 4 + 4);
    }
}
