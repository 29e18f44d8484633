//! How probable a short text is in the languages of a file.
//!
//! Encodings are compared by the words that have a non-ASCII character, as in the ranking of all encodings. Here only a
//! few encodings and languages are left, so every text is scored by threes of letters at once.

use crate::detect::model::{Class, Language, Model, UNITS};
use crate::float;
use alloc::vec::Vec;

/// Nats for an ill-formed sequence.
const ILL_FORMED: f32 = 10.0;

/// The languages that a file may be in.
#[derive(Clone, Debug, Default)]
pub(super) struct Languages {
    /// The indices of the languages in the model.
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

    /// Returns the logarithm of the probability of a text in these languages, in nats.
    pub(super) fn score(&self, text: &str) -> f32 {
        let model = Model::get();
        let mut fixed = 0;
        let mut places = Vec::new();
        let mut ill_formed = 0;
        words(text, |word| {
            let known: Vec<Class> = word.iter().map(|&c| model.class(c)).collect();
            for (units, classes) in word.windows(3).zip(known.windows(3)) {
                let (&[a, b, c], &[before, class, after]) = (units, classes) else { continue };
                let [x, y, z] = [a, b, c].map(|c| usize::from(model.case_of(c)));
                fixed += u32::from(model.case[x * 16 + y * 4 + z]) + u32::from(model.mark(before, b, after));
                ill_formed += u32::from(c == 0xFFFD);
                places.push(([before, class, after], c));
            }
        });
        let each = self.places.iter().map(|&place| {
            let language = &model.languages[place];
            let costs = places.iter().map(|&([a, b, c], own)| model.after_two(language, a, b, c, own));
            let cost: u32 = costs.sum();
            -(cost as f32) / UNITS
        });
        let sum = sum(each) - float::ln(self.places.len().max(1) as f32);
        sum - fixed as f32 / UNITS - ILL_FORMED * ill_formed as f32
    }
}

/// Returns the logarithm of a sum of probabilities that are given by their logarithms. A least one for none.
pub(super) fn sum(each: impl Iterator<Item = f32> + Clone) -> f32 {
    let best = each.clone().fold(f32::MIN, f32::max);
    if best == f32::MIN {
        0.0
    } else {
        best + float::ln(each.map(|nats| float::exp(nats - best)).sum::<f32>())
    }
}

/// Calls `each` with each word that has a non-ASCII character: with the two characters before it
/// and the one after it.
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
