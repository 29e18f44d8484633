//! Costs in all languages of the model side by side, so that one pass over them makes the sums of all languages.

use crate::detect::model::LanguageModel;
use alloc::vec;
use alloc::vec::Vec;
use placemat_core::kernels::dispatch::Kernels;
use placemat_core::kernels::weighted::LANES;

/// The order of the languages in rows: those of a script stand together, since a page has few scripts.
pub(super) struct Lanes(Vec<usize>);

impl Lanes {
    pub(super) fn new(languages: &[LanguageModel]) -> Self {
        let mut places: Vec<usize> = (0..languages.len()).collect();
        places.sort_by_key(|&place| languages[place].script);
        let mut lanes = vec![0; languages.len()];
        for (lane, place) in places.into_iter().enumerate() {
            lanes[place] = lane;
        }
        Self(lanes)
    }

    /// The lane of the language at a place of the model.
    #[inline]
    pub(super) fn of(&self, place: usize) -> usize {
        self.0[place]
    }
}

/// All steps.
pub(super) const ALL: u32 = u32::MAX;

/// The step that holds a lane, as a bit.
pub(super) fn step_of(lane: usize) -> u32 {
    1 << (lane / LANES)
}

/// Rows with the cost of one thing in each language, in units.
pub(super) struct Rows {
    rows: usize,
    /// The first lanes of all rows, then the next ones.
    costs: Vec<[u16; LANES]>,
}

impl Rows {
    /// `rows` rows of zeros for so many languages.
    pub(super) fn new(languages: usize, rows: usize) -> Self {
        Self { rows, costs: vec![[0; LANES]; languages.div_ceil(LANES) * rows] }
    }

    /// The costs of a lane, row by row.
    pub(super) fn lane_mut(&mut self, lane: usize) -> impl Iterator<Item = &mut u16> {
        let rows = &mut self.costs[lane / LANES * self.rows..][..self.rows];
        rows.iter_mut().map(move |row| &mut row[lane % LANES])
    }

    pub(super) fn get(&self, row: usize, lane: usize) -> u16 {
        self.costs[lane / LANES * self.rows + row][lane % LANES]
    }

    /// The number of lanes, of which the last ones may have no language.
    pub(super) fn lanes(&self) -> usize {
        self.costs.len() / self.rows.max(1) * LANES
    }

    /// Makes the cost in each lane of all `counted` rows, each with how often it counts, in those of the steps whose bits are
    /// in `steps`.
    pub(super) fn sums(&self, counted: &[(u32, f32)], steps: u32, sums: &mut [f32]) {
        let kernels = Kernels::current();
        let all = self.costs.chunks_exact(self.rows.max(1)).zip(sums.as_chunks_mut().0);
        for (_, (rows, to)) in all.enumerate().filter(|(step, _)| steps >> step & 1 != 0) {
            *to = kernels.sum_rows(rows, counted);
        }
    }
}
