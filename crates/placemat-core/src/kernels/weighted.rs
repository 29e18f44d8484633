//! Weighted sums of rows of numbers.
//!
//! Each lane is summed from the first row to the last, without fused multiply-add, so that every
//! level rounds alike. The compiler vectorizes the loop for each level.

use crate::simd::Simd;

/// Number of entries in a row.
pub const LANES: usize = 16;

/// Sums the rows that `weighted` names, each multiplied by its weight. A row that does not exist
/// is left out.
#[inline(always)]
pub(crate) fn sum_rows<S: Simd>(_: S, rows: &[[u16; LANES]], weighted: &[(u32, f32)]) -> [f32; LANES] {
    sum_rows_plain(rows, weighted)
}

/// Like [`sum_rows`], with the instructions that every CPU has.
#[inline(always)]
pub(crate) fn sum_rows_plain(rows: &[[u16; LANES]], weighted: &[(u32, f32)]) -> [f32; LANES] {
    let mut sums = [0.0; LANES];
    for &(row, weight) in weighted {
        let Some(row) = rows.get(row as usize) else { continue };
        let mut lane = 0;
        while lane < LANES {
            sums[lane] += weight * f32::from(row[lane]);
            lane += 1;
        }
    }
    sums
}
