//! Costs in all languages of the model side by side, so that one pass over them makes the sums of all languages.

use crate::detect::model::LanguageModel;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use placemat_core::ground::once::Once;
use placemat_core::kernels::dispatch::Kernels;
use placemat_core::kernels::weighted::LANES;

/// The order of the languages in rows: those of a script stand together, since a page has few scripts.
pub(super) struct Lanes {
    /// The lane of the language at each place of the model.
    lanes: Vec<usize>,
    /// The place of the language in each lane.
    places: Vec<usize>,
}

impl Lanes {
    pub(super) fn new(languages: &[LanguageModel]) -> Self {
        let mut places: Vec<usize> = (0..languages.len()).collect();
        places.sort_by_key(|&place| languages[place].script);
        let mut lanes = vec![0; languages.len()];
        for (lane, &place) in places.iter().enumerate() {
            lanes[place] = lane;
        }
        Self { lanes, places }
    }

    /// Returns the lane of the language at a place of the model.
    #[inline]
    pub(super) fn of(&self, place: usize) -> usize {
        self.lanes[place]
    }

    /// Returns a row with the cost of the language at each place.
    pub(super) fn row(&self, cost: impl Fn(usize) -> u16) -> Row {
        let mut costs = vec![[0; LANES]; self.len() / LANES];
        for (to, &place) in costs.as_flattened_mut().iter_mut().zip(&self.places) {
            *to = cost(place);
        }
        Row(costs.into())
    }

    /// Returns the number of lanes, of which the last ones may have no language.
    pub(super) fn len(&self) -> usize {
        self.places.len().next_multiple_of(LANES)
    }
}

/// The set of all steps.
pub(super) const ALL: u32 = u32::MAX;

/// Returns the step that holds a lane, as a bit.
pub(super) fn step_of(lane: usize) -> u32 {
    1 << (lane / LANES)
}

/// The cost of one thing in each language, in units.
pub(super) struct Row(Box<[[u16; LANES]]>);

impl Row {
    #[inline]
    pub(super) fn get(&self, lane: usize) -> u16 {
        self.0[lane / LANES][lane % LANES]
    }

    /// Returns the costs of all lanes; those without a language cost nothing.
    pub(super) fn costs(&self) -> &[u16] {
        self.0.as_flattened()
    }
}

/// Rows, each made at its first use: a text has few of the letters of all languages.
pub(super) struct Rows(Vec<Once<Row>>);

impl Rows {
    pub(super) fn new(count: usize) -> Self {
        Self((0..count).map(|_| Once::new()).collect())
    }

    #[inline]
    pub(super) fn get(&self, row: usize, make: impl FnOnce() -> Row) -> &Row {
        self.0[row].get_or_make(make)
    }
}

/// Makes the cost in each lane of all `counted` rows, each with how often it counts, in those of the steps whose bits are in
/// `steps`.
pub(super) fn sums(counted: &[(&Row, f32)], steps: u32, sums: &mut [f32]) {
    let kernels = Kernels::current();
    let numbered: Vec<(u32, f32)> = (0..).zip(counted).map(|(row, &(_, count))| (row, count)).collect();
    let mut rows = Vec::with_capacity(counted.len());
    for (step, to) in sums.as_chunks_mut().0.iter_mut().enumerate() {
        if steps >> step & 1 != 0 {
            rows.clear();
            rows.extend(counted.iter().map(|(row, _)| row.0[step]));
            *to = kernels.sum_rows(&rows, &numbered);
        }
    }
}
