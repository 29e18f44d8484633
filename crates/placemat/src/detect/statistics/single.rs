//! Scores of pages of single bytes.

use super::grams::{Gram, Grams};
use super::group::{Costs, Counted, Group, Page, Spoken, nats};
use super::pages::Kind;
use super::tables::{Reading, Table, Tables};
use crate::detect::model::characters::LATIN;
use crate::detect::model::{LanguageModel, Model};
use alloc::vec;
use alloc::vec::Vec;

/// The weight of words in ASCII.
const ASCII_WEIGHT: f32 = 0.7;
/// The most nats that words in ASCII say.
const ASCII_MOST: f32 = 15.0;
/// The most nats that they say against a language of another script, beside which English is usual but no third language.
const FOREIGN_MOST: f32 = 40.0;

/// Nats against a language of another script, for each letter of a word in ASCII beside it, and the most of them.
const BESIDE: f32 = 0.25;
const BESIDE_MOST: f32 = 12.0;

/// Nats of a byte of noise: one of 128.
pub(super) const NOISE: f32 = 4.85;
/// Nats for a byte beyond ASCII where the rest is text, in a language that the model may not know.
const SLACK: f32 = 8.0;
/// Nats by which a single byte beyond ASCII in a long text is more probable to be text than noise, of which half is beyond
/// ASCII.
const FEW: f32 = 12.0;
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
    /// From neighbourhoods in ASCII, which all pages that extend it read alike.
    pub(super) fn new(grams: &[Gram<u8>], tables: &Tables, model: &Model) -> Self {
        if grams.is_empty() {
            return Self {
                languages: vec![0.0; model.languages.len()],
                best: 0.0,
                over_noise: 0.0,
                count: 0.0,
            };
        }
        let pairs = Pairs::of(grams);
        let mut scores: Vec<f32> = tables
            .ascii
            .iter()
            .zip(&model.languages)
            .map(|(reading, language)| -pairs.cost(reading, language))
            .collect();
        let best = scores.iter().copied().fold(f32::MIN, f32::max);
        let english = model.languages.iter().position(|language| language.language.code() == "en");
        let english = english.map_or(best, |place| scores[place]);
        let count: f32 = grams.iter().map(|gram| gram.count).sum();
        let beside = (BESIDE * count).min(BESIDE_MOST);
        let foreign = ((english - best) * ASCII_WEIGHT).clamp(-FOREIGN_MOST, -ASCII_MOST);
        for (score, language) in scores.iter_mut().zip(&model.languages) {
            let (least, beside) =
                if language.script == LATIN { (-ASCII_MOST, 0.0) } else { (foreign, beside) };
            *score = ((*score - best) * ASCII_WEIGHT).max(least) - beside;
        }
        Self {
            languages: scores,
            best: best - factors(grams, &tables.tables[0], model),
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
            let own = table.code_points[usize::from(gram.units[1])];
            let [before, _, after] = gram.units.map(|byte| table.classes[usize::from(byte)]);
            let mark = model.mark(before, own.into(), after);
            gram.count * f32::from(u16::from(model.case[a * 16 + b * 4 + c]) + u16::from(mark))
        })
        .sum();
    nats(cost)
}

/// The bytes that neighbourhoods end with, and how often: those that all pages read alike, and the others.
struct Units {
    shared: Vec<(u8, f32)>,
    own: Vec<(u8, f32)>,
}

impl Units {
    fn of(grams: &[Gram<u8>], is_shared: impl Fn(u8) -> bool) -> Self {
        let mut counts = [0f32; 256];
        for gram in grams {
            counts[usize::from(gram.units[2])] += gram.count;
        }
        let present = (0..=0xFF).zip(counts).filter(|&(_, count)| count > 0.0);
        let (shared, own) = present.partition(|&(byte, _)| is_shared(byte));
        Self { shared, own }
    }
}

/// The cost of bytes by themselves, in nats.
fn alone(bytes: &[(u8, f32)], costs: &[i16; 256]) -> f32 {
    nats(bytes.iter().map(|&(byte, count)| count * f32::from(costs[usize::from(byte)])).sum())
}

/// A page after the first sieve.
struct Sieved {
    table: &'static Table,
    fixed: f32,
    /// Places in the readings of the table, with the nats of each.
    readings: Vec<(usize, f32)>,
    reading: u64,
}

/// Nats behind the best page by letters, and for each byte beyond ASCII, after which a page is out.
const REACH: f32 = 15.0;
const REACH_PER_BYTE: f32 = 3.0;
/// The languages of a page that are scored by pairs of letters.
const LANGUAGES: usize = 8;

/// Pages in groups, with their languages by pairs of letters.
pub(super) fn sieve(
    pages: impl Iterator<Item = (&'static Table, f32)>,
    grams: &Grams<u8>,
    ascii: Option<&Ascii>,
    model: &Model,
    groups: &mut Vec<Group>,
) {
    let units = Units::of(&grams.beyond, |byte| ascii.is_some() && byte.is_ascii());
    // The words in ASCII, and the ASCII in other words.
    let spoken: Vec<f32> = Tables::get()
        .ascii
        .iter()
        .map(|reading| {
            ascii.map_or(0.0, |ascii| ascii.language(reading.language)) - alone(&units.shared, &reading.alone)
        })
        .collect();
    let first = spoken.iter().copied().fold(f32::MIN, f32::max);
    let mut pages: Vec<(f32, &'static Table, f32)> = pages
        .map(|(table, fixed)| {
            let fixed = fixed + table.page.prior;
            (fixed + first - alone(&units.own, &table.least), table, fixed)
        })
        .collect();
    pages.sort_by(|a, b| b.0.total_cmp(&a.0));
    let reach = REACH + REACH_PER_BYTE * grams.high();
    let mut best = f32::MIN;
    let mut kept: Vec<Sieved> = Vec::new();
    for (bound, table, fixed) in pages {
        if bound < best - reach {
            break;
        }
        // The best languages, in order.
        let mut readings: Vec<(usize, f32)> = Vec::with_capacity(LANGUAGES + 1);
        for (place, reading) in table.readings.iter().enumerate() {
            let bound = spoken[reading.language] + reading.cover;
            if readings.get(LANGUAGES - 1).is_some_and(|last| bound < last.1) {
                continue;
            }
            let score = bound - alone(&units.own, &reading.alone);
            let at = readings.partition_point(|other| other.1 >= score);
            readings.insert(at, (place, score));
            readings.truncate(LANGUAGES);
        }
        let Some(first) = readings.first() else { continue };
        best = best.max(fixed + first.1);
        kept.push(Sieved { table, fixed, readings, reading: reading(table, &grams.beyond) });
    }
    kept.sort_by_key(|page| page.reading);
    let pairs = Pairs::of(&grams.beyond);
    for same in kept.chunk_by(|a, b| a.reading == b.reading) {
        let factors = factors(&grams.beyond, same[0].table, model);
        let mut costs = Costs::default();
        let pages = same.iter().map(|page| {
            let mut languages: Vec<Spoken> = page
                .readings
                .iter()
                .map(|&(place, _)| {
                    let reading = &page.table.readings[place];
                    let ascii = ascii.map_or(0.0, |ascii| ascii.language(reading.language));
                    let fixed = ascii + reading.cover;
                    let cost =
                        costs.of(reading.language, |place| pairs.cost(reading, &model.languages[place]));
                    Spoken { place: reading.language, fixed, score: fixed - cost }
                })
                .collect();
            languages.sort_by(|a, b| b.score.total_cmp(&a.score));
            Page { table: page.table, fixed: page.fixed - factors, languages }
        });
        groups.push(Group {
            reading: same[0].reading,
            pages: pages.collect(),
            grams: if ascii.is_some() { Counted::Bytes } else { Counted::Whole },
        });
    }
}

/// A number that two pages share if they make the same text of the bytes.
fn reading(table: &Table, grams: &[Gram<u8>]) -> u64 {
    let mut sum = 0u64;
    for gram in grams {
        let [a, b, c] = gram.units;
        let own =
            u64::from(table.code_points[usize::from(c)]) << 24 | u64::from(u32::from_le_bytes([a, b, c, 0]));
        sum = sum.wrapping_add(own.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(own | 1));
    }
    sum
}

/// Neighbours and how often they occur.
struct Pairs(Vec<(u8, u8, f32)>);

impl Pairs {
    fn of(grams: &[Gram<u8>]) -> Self {
        let mut pairs: Vec<(u8, u8, f32)> =
            grams.iter().map(|gram| (gram.units[1], gram.units[2], gram.count)).collect();
        pairs.sort_unstable_by_key(|pair| (pair.0, pair.1));
        pairs.dedup_by(|next, before| {
            let same = (next.0, next.1) == (before.0, before.1);
            if same {
                before.2 += next.2;
            }
            same
        });
        Self(pairs)
    }

    /// The cost in nats.
    fn cost(&self, reading: &Reading, language: &LanguageModel) -> f32 {
        let mut cost = 0.0;
        for &(b, c, count) in &self.0 {
            let (y, z) = (reading.letters[usize::from(b)], reading.letters[usize::from(c)]);
            let pair = language.bigram[usize::from(y) * language.n + usize::from(z)];
            cost += count * f32::from(u16::from(pair) + u16::from(reading.within[usize::from(c)]));
        }
        nats(cost)
    }
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
    let few = FEW * (1.0 - 2.0 * (-rarity).exp()).max(0.0);
    beyond + slack * beyond_count + within.min(ASCII_MOST) + if whole { 0.0 } else { few }
}
