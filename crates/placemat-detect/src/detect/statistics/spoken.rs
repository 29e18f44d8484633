//! The languages of the text that stands around the bytes in question.

use super::grams::Grams;
use super::multi::threes;
use crate::detect::model::Model;
use alloc::vec::Vec;

/// The weight of the text around the bytes.
const CONTEXT_WEIGHT: f32 = 0.5;
/// The text around the bytes costs a language at most this many nats.
const MAX_CONTEXT_NATS: f32 = 12.0;
/// At most this many code points of the text around are read.
const MAX_CONTEXT_CODE_POINTS: usize = 600;

/// How probable each language of the model is by a text that is known to be one: in nats, at most 0. Empty for no text.
pub(crate) fn spoken(text: &str) -> Vec<f32> {
    let units: Vec<u32> = text.chars().take(MAX_CONTEXT_CODE_POINTS).map(u32::from).collect();
    let grams = Grams::of(&units);
    if grams.beyond.is_empty() {
        return Vec::new();
    }
    let model = Model::get();
    let cost =
        |language| threes(&grams.beyond, None, language, model) + threes(&grams.ascii, None, language, model);
    let costs: Vec<f32> = model.languages.iter().map(cost).collect();
    let least = costs.iter().copied().fold(f32::MAX, f32::min);
    costs.into_iter().map(|cost| ((least - cost) * CONTEXT_WEIGHT).max(-MAX_CONTEXT_NATS)).collect()
}
