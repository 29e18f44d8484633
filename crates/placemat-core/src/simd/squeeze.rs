//! Tables for levels that have a shuffle of 16 bytes and no way to pack selected lanes: for each pattern of kept
//! lanes, the indices of their bytes, in order.
//!
//! Indices that mean nothing are 80, which gives zero on all of SSE, AVX2, NEON and simd128. The tables are small enough
//! to stay in the nearest cache: 2 KiB, four times 4 KiB, and three times 256 bytes.
#![cfg_attr(not(test), allow(dead_code, reason = "each level uses some"))]

/// An index that gives zero.
const NONE: u8 = 0x80;

/// Aligned, so that no row crosses a cache line.
#[repr(align(64))]
pub(super) struct Rows<const WIDTH: usize, const COUNT: usize>(pub(super) [[u8; WIDTH]; COUNT]);

/// Rows of indices of kept bytes. Bit *i* of the row's number says whether byte `bits[i]` is kept, and byte *b* is kept
/// always if no bit says so and `ALWAYS` has bit *b*.
const fn rows<const WIDTH: usize, const COUNT: usize>(
    unit_bytes: usize,
    optional: &[u8],
    always: u16,
) -> Rows<WIDTH, COUNT> {
    let mut rows = [[NONE; WIDTH]; COUNT];
    let mut row = 0;
    while row < COUNT {
        // The bitmap of kept units.
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

/// The rows of [`UNITS`].
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

/// The rows of [`QUADS`].
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

/// Of eight bytes, those kept.
pub(super) static BYTES: Rows<8, 256> = rows(1, &[0, 1, 2, 3, 4, 5, 6, 7], 0);
/// Of eight 16-bit lanes, those kept.
pub(super) static LANES16: Rows<16, 256> = rows(2, &[0, 1, 2, 3, 4, 5, 6, 7], 0);
/// Of four 32-bit lanes, those kept.
pub(super) static LANES32: Rows<16, 16> = rows(4, &[0, 1, 2, 3], 0);
/// Of eight 16-bit lanes, the first byte, and the second of those kept.
pub(super) static PAIRS: Rows<16, 256> = rows(1, &[1, 3, 5, 7, 9, 11, 13, 15], 0x5555);
/// Of four 32-bit lanes, the fourth byte, and the second and the third of those kept: two bits a lane. A second byte without
/// a third, which no sequence has, stands for all four.
pub(super) static QUADS: Rows<16, 256> = quads();
/// The number of bytes of each row of [`QUADS`].
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
/// Of four 32-bit lanes that have an ASCII character, a last byte, a lead byte of three, and a second byte or a lead byte
/// of two: the bytes of its UTF-8, by two bits a lane, whether it is 80 and above and whether 800 and above.
pub(super) static UNITS: Rows<16, 256> = units();
/// Of four 32-bit lanes, the first half, and the second of those kept.
pub(super) static HALVES: Rows<16, 16> = rows(2, &[1, 3, 5, 7], 0x55);

#[cfg(test)]
mod tests {
    use super::*;

    /// The indices of a row that mean something.
    fn kept<const WIDTH: usize>(row: [u8; WIDTH]) -> Vec<u8> {
        row.into_iter().filter(|&i| i != NONE).collect()
    }

    #[test]
    fn rows_hold_the_indices_of_what_is_kept_in_order() {
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
