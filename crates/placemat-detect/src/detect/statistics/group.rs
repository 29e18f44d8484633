//! Pages on their way through the sieves.

use super::grams::Gram;
use super::tables::Table;
use crate::detect::model::UNITS;
use alloc::vec::Vec;

/// The cost of an undefined byte, in nats.
pub(super) const UNDEFINED_COST: f32 = 10.0;

/// Pages that make the same text of the bytes: a language costs the same in all of them.
pub(super) struct Group {
    /// Equal for two groups only if their texts are.
    pub(super) reading: u64,
    pub(super) grams: Counted,
    /// The pages of the group; never empty.
    pub(super) pages: Vec<Page>,
    /// The structure of the encoding alone proves that the bytes are text in it.
    pub(super) is_proved: bool,
}

/// A page of a group.
pub(super) struct Page {
    pub(super) table: &'static Table,
    /// Nats that do not depend on the language.
    pub(super) fixed: f32,
    /// The languages that it may be in, the best by pairs of letters first; never empty.
    pub(super) languages: Vec<Spoken>,
}

/// A language of a page.
pub(super) struct Spoken {
    /// The index of the language in the model.
    pub(super) place: usize,
    /// Nats for the language in this page and beside these words in ASCII, at most 0.
    pub(super) fixed: f32,
    /// Nats by pairs of letters, with `fixed`.
    pub(super) score: f32,
}

/// The place where the neighborhoods of a group are counted.
pub(super) enum Counted {
    /// The group's neighborhoods are counted with those of all pages that extend ASCII.
    Bytes,
    /// The group's neighborhoods are counted with those of all EBCDIC pages.
    Whole,
    /// For itself, in code points.
    Own(Vec<Gram<u32>>),
}

impl Group {
    /// Returns the best score of its pages by pairs of letters.
    pub(super) fn top(&self) -> f32 {
        self.pages.iter().map(|page| page.fixed + page.languages[0].score).fold(f32::MIN, f32::max)
    }
}

/// How a text in an encoding fits a language, in nats.
#[derive(Clone, Copy)]
pub(super) struct Fit {
    /// By how much the text is more probable than noise.
    pub(super) over_noise: f32,
    /// By how much each non-ASCII byte is more probable, in the mean.
    pub(super) mean: f32,
    /// The nats that each of them may lack because the words in ASCII are text: text has foreign names and words.
    pub(super) slack: f32,
}

/// The costs of languages that were asked for once.
#[derive(Default)]
pub(super) struct Costs(Vec<(usize, f32)>);

impl Costs {
    pub(super) fn of(&mut self, place: usize, cost: impl FnOnce(usize) -> f32) -> f32 {
        if let Some(&(_, known)) = self.0.iter().find(|known| known.0 == place) {
            return known;
        }
        let cost = cost(place);
        self.0.push((place, cost));
        cost
    }
}

/// Converts units of the model to nats.
pub(super) fn nats(units: f32) -> f32 {
    units / UNITS
}
