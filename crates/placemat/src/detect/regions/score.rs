//! How probable a short text is in the languages of a file.
//!
//! Encodings are compared by the words that have a character beyond ASCII, as in the ranking of all encodings. Here only a
//! few encodings and languages are left, so every text is scored by threes of letters at once.

use crate::detect::model::{Language, Model, UNITS};
use alloc::vec::Vec;

/// Nats for an ill-formed sequence.
const ILL_FORMED: f32 = 10.0;

/// The languages that a file may be in.
#[derive(Clone, Debug, Default)]
pub(super) struct Languages {
    /// Their places in the model.
    places: Vec<usize>,
}

impl Languages {
    /// Adds a language, unless it is known already.
    pub(super) fn add(&mut self, language: Language) {
        let place = Model::get().languages.iter().position(|model| model.language == language);
        if let Some(place) = place.filter(|place| !self.places.contains(place)) {
            self.places.push(place);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The logarithm of the probability of a text in these languages, in nats.
    pub(super) fn score(&self, text: &str) -> f32 {
        let model = Model::get();
        let mut fixed = 0;
        let mut classes = Vec::new();
        let mut ill_formed = 0;
        words(text, |word| {
            for units in word.windows(3) {
                let cases = [units[0], units[1], units[2]].map(|c| usize::from(model.case_of(c)));
                fixed += u32::from(model.case[cases[0] * 16 + cases[1] * 4 + cases[2]]);
                fixed += u32::from(model.punctuation.get(units[2] as usize).copied().unwrap_or(0));
                ill_formed += u32::from(units[2] == 0xFFFD);
                classes.push((units.first_chunk::<3>().map(|units| units.map(|c| model.class(c))), units[2]));
            }
        });
        let each = self.places.iter().map(|&place| {
            let language = &model.languages[place];
            let cost: u32 = classes
                .iter()
                .filter_map(|&(units, own)| units.map(|[a, b, c]| model.after_two(language, a, b, c, own)))
                .sum();
            -(cost as f32) / UNITS
        });
        let sum = sum(each) - (self.places.len().max(1) as f32).ln();
        sum - fixed as f32 / UNITS - ILL_FORMED * ill_formed as f32
    }
}

/// The logarithm of a sum of probabilities that are given by their logarithms. A least one for none.
pub(super) fn sum(each: impl Iterator<Item = f32> + Clone) -> f32 {
    let best = each.clone().fold(f32::MIN, f32::max);
    if best == f32::MIN { 0.0 } else { best + each.map(|nats| (nats - best).exp()).sum::<f32>().ln() }
}

/// Calls `each` with each word that has a character beyond ASCII: with the two characters before it and the one behind it.
fn words(text: &str, mut each: impl FnMut(&[u32])) {
    let is_letter = |c: char| !c.is_ascii() || c.is_ascii_alphabetic();
    let mut word: Vec<u32> = Vec::new();
    let mut before = [u32::from(' '); 2];
    let mut beyond = false;
    for c in text.chars().chain([' ']) {
        if is_letter(c) {
            if word.is_empty() {
                word.extend(before);
            }
            beyond |= !c.is_ascii();
            word.push(c.into());
        } else if !word.is_empty() {
            word.push(c.into());
            if beyond {
                each(&word);
            }
            word.clear();
            beyond = false;
        }
        before = [before[1], c.into()];
    }
}
