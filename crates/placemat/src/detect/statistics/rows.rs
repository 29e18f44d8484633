//! Costs in all languages of the model side by side, so that one pass over them makes the sums of all languages.

use alloc::vec;
use alloc::vec::Vec;

/// The languages of one step.
const LANES: usize = 16;

/// Rows with the cost of one thing in each language, in units.
pub(super) struct Rows<T> {
    rows: usize,
    /// The first languages of all rows, then the next ones.
    costs: Vec<[T; LANES]>,
}

impl<T: Copy + Default + Into<f32>> Rows<T> {
    /// `rows` rows of zeros for so many languages.
    pub(super) fn new(languages: usize, rows: usize) -> Self {
        Self { rows, costs: vec![[T::default(); LANES]; languages.div_ceil(LANES) * rows] }
    }

    pub(super) fn set(&mut self, row: usize, language: usize, cost: T) {
        self.costs[language / LANES * self.rows + row][language % LANES] = cost;
    }

    pub(super) fn get(&self, row: usize, language: usize) -> T {
        self.costs[language / LANES * self.rows + row][language % LANES]
    }

    /// The cost in each language of all `counted` rows, each with how often it counts. Behind the last language, the values
    /// mean nothing.
    pub(super) fn sums(&self, counted: &[(usize, f32)]) -> Vec<f32> {
        let mut sums = Vec::with_capacity(self.costs.len() / self.rows.max(1) * LANES);
        for rows in self.costs.chunks_exact(self.rows.max(1)) {
            let mut own = [0.0; LANES];
            for &(row, count) in counted {
                for (sum, &cost) in own.iter_mut().zip(&rows[row]) {
                    *sum += count * cost.into();
                }
            }
            sums.extend_from_slice(&own);
        }
        sums
    }
}
