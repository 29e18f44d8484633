//! Scores of pages of single bytes.

use super::entry::{Counted, Entry, nats};
use super::grams::{Gram, Grams};
use super::pages::Kind;
use super::tables::{Reading, Table};
use crate::detect::model::{LanguageModel, Model};
use alloc::vec;
use alloc::vec::Vec;

/// The weight of words in ASCII.
const ASCII_WEIGHT: f32 = 0.5;
/// The most nats that words in ASCII say.
const ASCII_MOST: f32 = 15.0;

/// Nats of a byte of noise: one of 128.
pub(super) const NOISE: f32 = 4.85;
/// Nats for a byte beyond ASCII where the rest is text, in a language that the model may not know.
const SLACK: f32 = 7.0;
/// Nats of a letter of ASCII in noise.
const ASCII_NOISE: f32 = 3.6;
/// Nats of a byte of noise where all 256 have the same right.
const EBCDIC_NOISE: f32 = 5.55;

/// What the words in ASCII say about the language.
pub(super) struct Ascii {
    /// Nats for each language of the model: at most 0.
    languages: Vec<f32>,
    /// Nats of the words in ASCII in the best language.
    pub(super) best: f32,
    /// Nats by which the words in ASCII are more probable than any letters.
    over_noise: f32,
    /// The neighbourhoods of these words.
    count: f32,
}

impl Ascii {
    pub(super) fn new(grams: &Grams<u8>, tables: &[Table], model: &Model) -> Self {
        Self::of(&grams.ascii, &tables[0], model)
    }

    /// From neighbourhoods in ASCII, which all pages that extend it read as `table` does.
    pub(super) fn of(grams: &[Gram<u8>], table: &Table, model: &Model) -> Self {
        if grams.is_empty() {
            return Self {
                languages: vec![0.0; model.languages.len()],
                best: 0.0,
                over_noise: 0.0,
                count: 0.0,
            };
        }
        let mut scores: Vec<f32> = model
            .languages
            .iter()
            .map(|language| {
                let cost: f32 = grams
                    .iter()
                    .map(|gram| {
                        let [_, b, c] = gram.units.map(|byte| table.classes[usize::from(byte)]);
                        gram.count * model.after_one(language, b, c, 0) as f32
                    })
                    .sum();
                -nats(cost)
            })
            .collect();
        let best = scores.iter().copied().fold(f32::MIN, f32::max);
        for score in &mut scores {
            *score = ((*score - best) * ASCII_WEIGHT).max(-ASCII_MOST);
        }
        let count: f32 = grams.iter().map(|gram| gram.count).sum();
        Self {
            languages: scores,
            best: best - factors(grams, table, model),
            over_noise: count * ASCII_NOISE + best,
            count,
        }
    }

    pub(super) fn language(&self, place: usize) -> f32 {
        self.languages[place]
    }
}

/// The cost of case and of ASCII punctuation, which no language changes, in nats.
pub(super) fn factors(grams: &[Gram<u8>], table: &Table, model: &Model) -> f32 {
    let cost: f32 = grams
        .iter()
        .map(|gram| {
            let [a, b, c] = gram.units.map(|byte| usize::from(table.cases[usize::from(byte)]));
            let own = table.code_points[usize::from(gram.units[2])];
            let mark = model.punctuation.get(usize::from(own)).copied().unwrap_or(0);
            gram.count * f32::from(u16::from(model.case[a * 16 + b * 4 + c]) + u16::from(mark))
        })
        .sum();
    nats(cost)
}

/// A page with its languages by pairs of letters, the best first; `None` if it holds no language.
pub(super) fn sieve(
    table: &'static Table,
    grams: &Grams<u8>,
    _histogram: &[u32; 256],
    ascii: Option<&Ascii>,
    fixed: f32,
    model: &Model,
) -> Option<Entry> {
    let mut languages: Vec<(f32, usize)> = table
        .readings
        .iter()
        .map(|reading| {
            let language = &model.languages[reading.language];
            let ascii = ascii.map_or(0.0, |ascii| ascii.language(reading.language));
            (ascii + reading.cover - twos(reading, &grams.beyond, language), reading.language)
        })
        .collect();
    languages.sort_by(|a, b| b.0.total_cmp(&a.0));
    if languages.is_empty() {
        return None;
    }
    let mut reading = 0u64;
    for gram in &grams.beyond {
        let [a, b, c] = gram.units;
        let own =
            u64::from(table.code_points[usize::from(c)]) << 24 | u64::from(u32::from_le_bytes([a, b, c, 0]));
        reading = reading
            .wrapping_add(own.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(own | 1));
    }
    Some(Entry {
        table,
        fixed: fixed - factors(&grams.beyond, table, model),
        languages,
        reading,
        grams: if ascii.is_some() { Counted::Bytes } else { Counted::Whole },
    })
}

/// The cost of pairs, in nats.
fn twos(reading: &Reading, grams: &[Gram<u8>], language: &LanguageModel) -> f32 {
    let cost: f32 = grams
        .iter()
        .map(|gram| {
            let [_, b, c] = gram.units.map(usize::from);
            let (y, z) = (usize::from(reading.letters[b]), usize::from(reading.letters[c]));
            gram.count
                * f32::from(u16::from(language.bigram[y * language.n + z]) + u16::from(reading.within[c]))
        })
        .sum();
    nats(cost)
}

/// The cost of threes, in nats.
pub(super) fn threes(table: &Table, grams: &[Gram<u8>], language: &LanguageModel, model: &Model) -> f32 {
    let cost: f32 = grams
        .iter()
        .map(|gram| {
            let [a, b, c] = gram.units.map(|byte| table.classes[usize::from(byte)]);
            gram.count * model.after_two(language, a, b, c, 0) as f32
        })
        .sum();
    nats(cost)
}

/// Nats by which the bytes beyond ASCII, or all of an EBCDIC page, are more probable than any byte there.
/// `rarity` is the nats for finding such a byte in the text.
pub(super) fn over_noise(
    table: &Table,
    grams: &[Gram<u8>],
    ascii: &Ascii,
    rarity: f32,
    language: &LanguageModel,
    model: &Model,
) -> f32 {
    let whole = table.page.kind == Kind::Ebcdic;
    let noise = if whole { EBCDIC_NOISE } else { NOISE + rarity };
    let (mut beyond, mut beyond_count) = (0.0, 0.0);
    let (mut within, mut within_count) = (ascii.over_noise, ascii.count);
    for gram in grams {
        let [a, b, c] = gram.units.map(|byte| table.classes[usize::from(byte)]);
        let case = gram.units.map(|byte| usize::from(table.cases[usize::from(byte)]));
        let case = model.case[case[0] * 16 + case[1] * 4 + case[2]];
        let cost = nats((model.after_two(language, a, b, c, 0) + u32::from(case)) as f32);
        if whole || gram.units[2] >= 0x80 {
            beyond += gram.count * (noise - cost);
            beyond_count += gram.count;
        } else {
            within += gram.count * (ASCII_NOISE - cost);
            within_count += gram.count;
        }
    }
    let slack = if whole { 0.0 } else { SLACK * (within / within_count.max(10.0)).clamp(0.0, 1.0) };
    beyond + slack * beyond_count + within.min(ASCII_MOST)
}
