//! The languages of the text that stands around the bytes in question.

use super::grams::Grams;
use super::multi::threes;
use crate::detect::model::Model;
use alloc::vec::Vec;

/// The weight of the text around the bytes, and the most nats that it says against a language.
const WEIGHT: f32 = 0.5;
const MOST: f32 = 12.0;
/// The code points that are read.
const LENGTH: usize = 600;

/// How probable each language of the model is by a text that is known to be one: in nats, at most 0. Empty for no text.
pub(crate) fn spoken(text: &str) -> Vec<f32> {
    let units: Vec<u32> = text.chars().take(LENGTH).map(u32::from).collect();
    let grams = Grams::of(&units);
    if grams.beyond.is_empty() {
        return Vec::new();
    }
    let model = Model::get();
    let cost =
        |language| threes(&grams.beyond, None, language, model) + threes(&grams.ascii, None, language, model);
    let costs: Vec<f32> = model.languages.iter().map(cost).collect();
    let least = costs.iter().copied().fold(f32::MAX, f32::min);
    costs.into_iter().map(|cost| ((least - cost) * WEIGHT).max(-MOST)).collect()
}
