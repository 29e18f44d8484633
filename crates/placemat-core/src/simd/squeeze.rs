//! Shuffle tables for levels that can shuffle 16 bytes but cannot pack selected lanes: for each
//! pattern of kept lanes, the indices of their bytes, in order.
//!
//! Unused entries are 0x80, an index that yields zero on SSE, AVX2, NEON and simd128 alike. The
//! tables are small enough to stay in the first-level cache: one of 2 KiB, four of 4 KiB, and three
//! of 256 bytes.
#![cfg_attr(not(test), allow(dead_code, reason = "each level uses some of the tables"))]

/// An index for which a shuffle yields zero.
const NONE: u8 = 0x80;

/// A table of shuffles, aligned so that no row crosses a cache line.
#[repr(align(64))]
pub(super) struct Rows<const WIDTH: usize, const COUNT: usize>(pub(super) [[u8; WIDTH]; COUNT]);

/// Builds rows with the indices of kept bytes (or units of `unit_bytes` bytes). Bit *i* of the row
/// number means that unit `optional[i]` is kept; the units in `always` are kept in every row.
const fn rows<const WIDTH: usize, const COUNT: usize>(
    unit_bytes: usize,
    optional: &[u8],
    always: u16,
) -> Rows<WIDTH, COUNT> {
    let mut rows = [[NONE; WIDTH]; COUNT];
    let mut row = 0;
    while row < COUNT {
        // The bitmap of the units that this row keeps.
        let mut kept = always;
        let mut bit = 0;
        while bit < optional.len() {
            if row >> bit & 1 == 1 {
                kept |= 1 << optional[bit];
            }
            bit += 1;
        }
        let (mut unit, mut to) = (0, 0);
        while unit * unit_bytes < 16 {
            let mut byte = 0;
            while kept >> unit & 1 == 1 && byte < unit_bytes {
                rows[row][to] = (unit * unit_bytes + byte) as u8;
                to += 1;
                byte += 1;
            }
            unit += 1;
        }
        row += 1;
    }
    Rows(rows)
}

/// Builds the rows of [`UNITS`].
const fn units() -> Rows<16, 256> {
    let mut rows = [[NONE; 16]; 256];
    let mut row = 0;
    while row < 256 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            let sequence: &[u8] = match row >> (2 * lane) & 3 {
                0 => &[0],
                1 => &[3, 1],
                _ => &[2, 3, 1],
            };
            let mut byte = 0;
            while byte < sequence.len() {
                rows[row][to] = 4 * lane + sequence[byte];
                to += 1;
                byte += 1;
            }
            lane += 1;
        }
        row += 1;
    }
    Rows(rows)
}

/// Builds the rows of [`QUADS`].
const fn quads() -> Rows<16, 256> {
    let mut rows = [[NONE; 16]; 256];
    let mut row = 0;
    while row < 256 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            let mut byte = match row >> (2 * lane) & 3 {
                0 => 3,
                1 => 0,
                2 => 2,
                _ => 1,
            };
            while byte < 4 {
                rows[row][to] = 4 * lane + byte;
                to += 1;
                byte += 1;
            }
            lane += 1;
        }
        row += 1;
    }
    Rows(rows)
}

/// Keeps the bytes of a group of eight whose bits are set in the row number.
pub(super) static BYTES: Rows<8, 256> = rows(1, &[0, 1, 2, 3, 4, 5, 6, 7], 0);
/// Keeps the 16-bit lanes of a group of eight whose bits are set in the row number.
pub(super) static LANES16: Rows<16, 256> = rows(2, &[0, 1, 2, 3, 4, 5, 6, 7], 0);
/// Keeps the 32-bit lanes of a group of four whose bits are set in the row number.
pub(super) static LANES32: Rows<16, 16> = rows(4, &[0, 1, 2, 3], 0);
/// Keeps the first byte of each of eight 16-bit lanes, and the second byte where the row number has
/// its bit.
pub(super) static PAIRS: Rows<16, 256> = rows(1, &[1, 3, 5, 7, 9, 11, 13, 15], 0x5555);
/// Keeps the fourth byte of each of four 32-bit lanes, and its second and third byte where the row
/// number, two bits per lane, has their bits. A second byte without a third occurs in no UTF-8
/// sequence; that pattern means that all four bytes are kept.
pub(super) static QUADS: Rows<16, 256> = quads();
/// The number of bytes that each row of [`QUADS`] keeps.
pub(super) static QUAD_LENS: [u8; 256] = {
    let mut lens = [16; 256];
    let mut row = 0;
    while row < 256 {
        while lens[row] > 0 && QUADS.0[row][lens[row] as usize - 1] == NONE {
            lens[row] -= 1;
        }
        row += 1;
    }
    lens
};
/// Builds the UTF-8 of four code points from 32-bit lanes. The bytes of a lane are: the code point
/// as ASCII; the last continuation byte; the lead byte of a three-byte sequence; the second byte of
/// a three-byte sequence or the lead byte of a two-byte sequence. The row number has two bits per
/// lane: whether the code point is at least 0x80, and whether it is at least 0x800.
pub(super) static UNITS: Rows<16, 256> = units();
/// Keeps the first half of each of four 32-bit lanes, and the second half where the row number has
/// its bit.
pub(super) static HALVES: Rows<16, 16> = rows(2, &[1, 3, 5, 7], 0x55);

#[cfg(test)]
mod tests {
    use super::*;

    /// The indices of a row, without the unused entries.
    fn kept<const WIDTH: usize>(row: [u8; WIDTH]) -> Vec<u8> {
        row.into_iter().filter(|&i| i != NONE).collect()
    }

    #[test]
    fn rows_contain_the_kept_indices_in_order() {
        for row in 0..256usize {
            let bits = |n: usize| row >> n & 1 == 1;
            let bytes: Vec<u8> = (0..8).filter(|&i| bits(i)).map(|i| i as u8).collect();
            assert_eq!(kept(BYTES.0[row]), bytes);
            let lanes: Vec<u8> = (0..16).filter(|&i| bits(i / 2)).map(|i| i as u8).collect();
            assert_eq!(kept(LANES16.0[row]), lanes);
            let pairs: Vec<u8> = (0..16).filter(|&i| i % 2 == 0 || bits(i / 2)).map(|i| i as u8).collect();
            assert_eq!(kept(PAIRS.0[row]), pairs);
            let quads: Vec<u8> =
                (0..16u8).filter(|i| i % 4 >= [3, 0, 2, 1][row >> (i / 4 * 2) & 3]).collect();
            assert_eq!(kept(QUADS.0[row]), quads);
            let sequences: [&[u8]; 4] = [&[0], &[3, 1], &[2, 3, 1], &[2, 3, 1]];
            let units: Vec<u8> = (0..4)
                .flat_map(|unit| sequences[row >> (2 * unit) & 3].iter().map(move |byte| 4 * unit + byte))
                .collect();
            assert_eq!(kept(UNITS.0[row]), units);
        }
        for row in 0..16usize {
            let bits = |n: usize| row >> n & 1 == 1;
            let lanes: Vec<u8> = (0..16).filter(|&i| bits(i / 4)).map(|i| i as u8).collect();
            assert_eq!(kept(LANES32.0[row]), lanes);
            let halves: Vec<u8> = (0..16).filter(|&i| i % 4 < 2 || bits(i / 4)).map(|i| i as u8).collect();
            assert_eq!(kept(HALVES.0[row]), halves);
        }
    }
}
