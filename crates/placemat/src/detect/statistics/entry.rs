//! A page on its way through the sieves.

use super::grams::Gram;
use super::tables::Table;
use crate::detect::model::UNITS;
use alloc::vec::Vec;

/// Nats for a byte that stands for nothing.
pub(super) const UNDEFINED_COST: f32 = 10.0;

/// A page with the languages that it may be in.
pub(super) struct Entry {
    pub(super) table: &'static Table,
    /// Nats that do not depend on the language.
    pub(super) fixed: f32,
    /// Scores with the places of the languages in the model, the best first; never empty.
    pub(super) languages: Vec<(f32, usize)>,
    /// Equal for two pages that make the same text of the bytes.
    pub(super) reading: u64,
    pub(super) grams: Counted,
}

/// Where the neighbourhoods of a page are counted.
pub(super) enum Counted {
    /// With those of all pages that extend ASCII.
    Bytes,
    /// With those of all EBCDIC pages.
    Whole,
    /// For itself, in code points.
    Own(Vec<Gram<u32>>),
}

/// Units as nats.
pub(super) fn nats(units: f32) -> f32 {
    units / UNITS
}
