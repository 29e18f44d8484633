//! The costs of pairs of code points in all languages side by side, so that one pass over them makes the sums of all languages.

use crate::detect::model::Model;
use crate::detect::model::characters::{HANGUL, IDEOGRAPHS, script};
use alloc::vec;
use alloc::vec::Vec;

/// The languages of a row: the model has fewer.
pub(super) const WIDTH: usize = 128;
/// The rows that are kept, a power of two.
const ROWS: usize = 1 << 11;

/// A cost for each language.
pub(super) type Row = [u16; WIDTH];

/// Rows that were asked for.
#[derive(Clone, Default)]
pub(super) struct Rows {
    /// For each place, the pair whose row it has, and one bit more; 0 where there is none.
    pairs: Vec<u64>,
    costs: Vec<Row>,
}

impl Rows {
    /// Adds the costs of the class of `c` after the class `before` to the sums of all languages.
    #[inline]
    pub(super) fn add(&mut self, model: &Model, before: u16, class: u16, c: u32, sums: &mut Row) {
        // Except for ideographs and Hangul, the class alone determines the costs.
        let c = if matches!(script(c), IDEOGRAPHS | HANGUL) { c } else { 0 };
        let pair = 1 << 63 | u64::from(c) << 32 | u64::from(class) << 16 | u64::from(before);
        if self.pairs.is_empty() {
            self.pairs = vec![0; ROWS];
            self.costs = vec![[0; WIDTH]; ROWS];
        }
        let place = (pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize % ROWS;
        if self.pairs[place] != pair {
            self.pairs[place] = pair;
            for (cost, language) in self.costs[place].iter_mut().zip(&model.languages) {
                *cost = u16::try_from(model.after_one(language, before, class, c)).unwrap_or(u16::MAX);
            }
        }
        for (sum, cost) in sums.iter_mut().zip(&self.costs[place]) {
            *sum = sum.saturating_add(*cost);
        }
    }
}
