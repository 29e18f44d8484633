//! The ranking of legacy encodings by the language model.
//!
//! A text is as probable in an encoding as its decoded letters are in the languages that the encoding was made for. Only
//! words with a byte beyond ASCII count in full, since the others are alike in all pages that extend ASCII: those count for
//! the language. Three sieves, each finer and each for fewer pages: letters, pairs of letters, and threes.

mod entry;
mod grams;
mod multi;
mod pages;
mod single;
mod tables;

use self::entry::{Counted, Entry, UNDEFINED_COST};
use self::grams::Grams;
use self::pages::Kind;
use self::tables::Tables;
use super::model::{Language, Model};
use super::sample::Sample;
use super::verdict::Candidate;
use crate::forms::encoding::Encoding;
use alloc::vec::Vec;

/// What the other stages know about the bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints {
    /// Encodings that are more probable than the bytes alone make them, as declared ones are, and by how many nats.
    pub(crate) favoured: Vec<(Encoding, f32)>,
    /// Encodings that the structure of the whole stream rules out.
    pub(crate) ruled_out: Vec<Encoding>,
    /// Encodings of UTF-16 and UTF-32 that the structure of the whole stream allows; the others need no ranking.
    pub(crate) wide: Vec<Encoding>,
    /// Whether the bytes may be EBCDIC. If they may, they may still be something else.
    pub(crate) ebcdic: bool,
}

/// The encodings that a sample may be in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ranking {
    /// The best first. Empty if there is nothing to rank.
    pub(crate) candidates: Vec<Candidate>,
    /// Whether the best candidate costs no more than text does. If it does not fit, the bytes are noise, or text in a
    /// language that the model does not know.
    pub(crate) fits: bool,
}

/// A page with its score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scored {
    pub(crate) encoding: Encoding,
    pub(crate) language: Language,
    /// In nats.
    pub(crate) score: f32,
    /// Equal for two pages that make the same text of these bytes.
    pub(crate) reading: u64,
    /// Nats by which the bytes beyond ASCII are more probable as this than as noise.
    pub(crate) over_noise: f32,
}

/// Nats for a control that belongs to no text.
const CONTROL_COST: f32 = 8.0;
/// Nats for a bracket without its other half; the EBCDIC pages place little else differently.
const UNBALANCED_COST: f32 = 3.0;
/// Nats by which bytes are more probable to be text than noise, before they are read. Below 0, since the best of some
/// hundred readings is chosen.
const TEXT: f32 = -6.0;

/// Ranks all encodings that the hints allow.
pub(crate) fn rank(sample: &Sample, hints: &Hints) -> Ranking {
    let text: Vec<u8> = sample.pieces().flatten().copied().collect();
    let text = &text[..];
    let _ = hints;
    let model = Model::get();
    let tables = &Tables::get().tables;
    let mut histogram = [0u32; 256];
    for &byte in text {
        histogram[usize::from(byte)] += 1;
    }
    let sum = |range: core::ops::RangeInclusive<usize>| histogram[range].iter().sum::<u32>();
    let high = sum(0x80..=0xFF);
    let controls = sum(0x00..=0x08) + sum(0x0B..=0x0B) + sum(0x0E..=0x1A) + sum(0x1C..=0x1F);
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    // One or two bytes over and over are no language.
    if length > 3 && histogram.iter().filter(|&&count| count > 0).count() < 3 {
        return Ranking::default();
    }

    let grams = Grams::of(text);
    let ascii = single::Ascii::new(&grams, tables, model);
    let mut entries = Vec::new();
    for table in tables.iter().filter(|table| table.page.kind == Kind::Ascii) {
        let undefined = table.undefined(&histogram);
        if undefined * 50 > high.max(1) {
            continue;
        }
        let fixed = ascii.best - UNDEFINED_COST * undefined as f32 - CONTROL_COST * controls as f32;
        entries.extend(single::sieve(table, &grams, &histogram, Some(&ascii), fixed, model));
    }
    let (at, space) = (histogram[0x40], histogram[0x20]);
    let mut whole = Grams::default();
    if (high * 4 > length || at * 20 > length) && at * 2 >= space {
        whole = Grams::all(text, 0x40);
        for table in tables.iter().filter(|table| table.page.kind == Kind::Ebcdic) {
            let undefined = table.undefined(&histogram);
            if undefined * 50 > length {
                continue;
            }
            let unbalanced = UNBALANCED_COST * (table.unbalanced(&histogram) as f32).sqrt();
            let fixed = -UNDEFINED_COST * undefined as f32 - unbalanced;
            entries.extend(single::sieve(table, &whole, &histogram, None, fixed, model));
        }
    }
    for table in tables.iter().filter(|table| table.page.kind == Kind::Multi) {
        entries.extend(multi::sieve(table, text, &histogram, &ascii, &grams, model));
    }
    let rarity = (length as f32 / high.max(1) as f32).ln();
    finish(entries, &grams, &whole, &ascii, rarity, model)
}

/// The best pages by threes of letters.
fn finish(
    mut entries: Vec<Entry>,
    grams: &Grams<u8>,
    whole: &Grams<u8>,
    ascii: &single::Ascii,
    rarity: f32,
    model: &Model,
) -> Ranking {
    let top = |entry: &Entry| entry.fixed + entry.table.page.prior + entry.languages[0].0;
    entries.sort_by(|a, b| top(b).total_cmp(&top(a)));
    let places = grams.places.max(1) as f32;
    let mut candidates = Vec::new();
    let mut readings = 0;
    let mut last = 0;
    let first = entries.first().map_or(0.0, top);
    for (place, entry) in entries.iter().enumerate() {
        if entry.reading != last {
            readings += 1;
            last = entry.reading;
        }
        if readings > 14 || place > 3 && first - top(entry) > 60.0 + places * 0.5 {
            break;
        }
        let scores: Vec<(f32, usize)> = entry
            .languages
            .iter()
            .take(4)
            .map(|&(_, place)| {
                let language = &model.languages[place];
                let reading = entry.table.readings.iter().find(|reading| reading.language == place);
                let cover = reading.map_or(0.0, |reading| reading.cover);
                let score = match &entry.grams {
                    Counted::Bytes => {
                        ascii.language(place) - single::threes(entry.table, &grams.beyond, language, model)
                    }
                    Counted::Whole => -single::threes(entry.table, &whole.beyond, language, model),
                    Counted::Own(own) => ascii.language(place) - multi::threes(own, language, model),
                };
                (score + cover, place)
            })
            .collect();
        let (best, language) =
            scores.iter().fold((f32::MIN, 0), |best, &own| if own.0 > best.0 { own } else { best });
        let sum: f32 = scores.iter().map(|(score, _)| (score - best).exp()).sum();
        let spoken = &model.languages[language];
        let over_noise = match &entry.grams {
            Counted::Bytes => single::over_noise(entry.table, &grams.beyond, ascii, rarity, spoken, model),
            Counted::Whole => single::over_noise(entry.table, &whole.beyond, ascii, rarity, spoken, model),
            Counted::Own(own) => multi::over_noise(own, rarity, spoken, model),
        };
        candidates.push(Scored {
            over_noise,
            encoding: entry.table.page.encoding,
            language: model.languages[language].language,
            score: best + sum.ln() + entry.fixed + entry.table.page.prior,
            reading: entry.reading,
        });
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    let Some(first) = candidates.first() else { return Ranking::default() };
    let other = candidates.iter().find(|candidate| candidate.reading != first.reading);
    let margin = other.map_or(50.0, |other| first.score - other.score);
    let over_noise = TEXT + first.over_noise;
    let text = 1.0 / (1.0 + (-over_noise).exp());
    let scale = places.max(4.0).powf(-0.35);
    let confidence = 1.0 / (1.0 + (-margin * scale).exp());
    let shown = candidates.iter().map(|candidate| Candidate {
        encoding: candidate.encoding,
        language: Some(candidate.language),
        confidence: text
            * if candidate.reading == first.reading {
                confidence
            } else {
                (1.0 - confidence).min(1.0 / (1.0 + ((first.score - candidate.score) * scale).exp()))
            },
    });
    Ranking { candidates: shown.collect(), fits: over_noise > 0.0 }
}
