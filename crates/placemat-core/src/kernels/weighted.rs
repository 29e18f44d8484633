//! Sums of rows of numbers, each row with a weight.
//!
//! A lane is added up from the first row to the last, with no fused multiplication, so that every level rounds alike. The
//! compiler makes the vector instructions of each level.

use crate::simd::Simd;

/// The numbers of a row.
pub const LANES: usize = 16;

/// The sum of the rows that are named, each times its weight.
///
/// # Panics
/// If there is no such row.
#[inline(always)]
pub(crate) fn sum_rows<S: Simd>(_: S, rows: &[[u16; LANES]], weighted: &[(u32, f32)]) -> [f32; LANES] {
    sum_rows_plain(rows, weighted)
}

/// [`sum_rows`] with the instructions that every machine has.
#[inline(always)]
pub(crate) fn sum_rows_plain(rows: &[[u16; LANES]], weighted: &[(u32, f32)]) -> [f32; LANES] {
    let mut sums = [0.0; LANES];
    for &(row, weight) in weighted {
        let row = &rows[row as usize];
        let mut lane = 0;
        while lane < LANES {
            sums[lane] += weight * f32::from(row[lane]);
            lane += 1;
        }
    }
    sums
}
