//! Scores of pages of single bytes.

use super::grams::{Gram, Grams, add_up};
use super::group::{Costs, Counted, Fit, Group, Page, Spoken, nats};
use super::pages::{Kind, PAGES};
use super::rows::{ALL, Row, sums};
use super::tables::{Held, Table, Tables};
use crate::detect::model::characters::LATIN;
use crate::detect::model::{LanguageModel, Model};
use crate::float;
use alloc::vec;
use alloc::vec::Vec;

/// The weight of words in ASCII.
const ASCII_WEIGHT: f32 = 0.8;
/// Words in ASCII cost a language at most this many nats, plus [`ASCII_NATS_PER_BYTE`]: a text may
/// have a word of another language.
const MAX_ASCII_NATS: f32 = 10.0;
/// Added to [`MAX_ASCII_NATS`] for each non-ASCII byte: a long text is not all in a language
/// that it is not in.
const ASCII_NATS_PER_BYTE: f32 = 1.0;
/// Words in ASCII cost a language of another script at most this many nats: beside it English is
/// usual, but no third language.
const MAX_FOREIGN_NATS: f32 = 40.0;
/// Added to [`MAX_FOREIGN_NATS`] for each non-ASCII byte.
const FOREIGN_NATS_PER_BYTE: f32 = 3.0;

/// Nats against a language of another script, for each letter of a word in ASCII beside it, and the most of them.
const BESIDE_NATS_PER_LETTER: f32 = 0.25;
const MAX_BESIDE_NATS: f32 = 12.0;

/// Nats of a byte of noise: one of 128.
pub(super) const NOISE: f32 = 4.85;
/// Nats for a non-ASCII byte where the rest is text, in a language that the model may not know.
const UNKNOWN_LANGUAGE_NATS: f32 = 8.0;
/// Bonus per ASCII letter, in nats: text in an unknown language still looks more like a known one
/// than noise does.
const LIKE_TEXT_NATS_PER_LETTER: f32 = 0.25;
const MIN_LETTERS: f32 = 60.0;
/// The letters of ASCII for each byte beyond it in prose of a Latin script.
const PROSE_RATIO: f32 = 4.0;
/// Nats by which a single non-ASCII byte in a long text is more probable to be text than noise, of which half is beyond
/// ASCII.
const FEW_BYTES_NATS: f32 = 12.0;
/// Letters of ASCII add at most this many nats for text and against noise.
const MAX_LETTERS_FOR_NATS: f32 = 15.0;
/// Letters of ASCII take at most this many nats from text: identifiers and invented names are like
/// no language.
const MAX_LETTERS_AGAINST_NATS: f32 = 40.0;
/// The share of non-ASCII bytes from which on letters of ASCII that are not a language count against text in full, inverted.
const DENSE_INVERSE_SHARE: f32 = 4.0;
/// Bonus in nats for a text with at most [`MAX_SINGLE_BYTES`] non-ASCII bytes: noise has more of
/// them.
const SINGLE_BYTES_NATS: f32 = 8.0;
const MAX_SINGLE_BYTES: f32 = 3.0;
/// Nats of a letter of ASCII in noise.
const ASCII_NOISE_NATS: f32 = 3.6;
/// Nats of a byte of noise where all 256 have the same right.
const EBCDIC_NOISE_NATS: f32 = 5.55;

/// The evidence of the words in ASCII for each language.
pub(super) struct Ascii {
    /// Nats for each language of the model: at most 0.
    languages: Vec<f32>,
    /// Nats of the words in ASCII in the best language.
    pub(super) best: f32,
    /// Nats by which the words in ASCII are more probable than any letters.
    over_noise: f32,
    /// The number of neighborhoods in words of ASCII.
    count: f32,
}

impl Ascii {
    /// From neighborhoods in ASCII, which all pages that extend it read alike, beside `high` bytes beyond it.
    pub(super) fn new(grams: &[Gram<u8>], high: f32, tables: &Tables, model: &Model) -> Self {
        if grams.is_empty() {
            return Self {
                languages: vec![0.0; model.languages.len()],
                best: 0.0,
                over_noise: 0.0,
                count: 0.0,
            };
        }
        let sums = tables.ascii_sums(&pairs(grams, |_| true));
        let scores = (0..model.languages.len()).map(|place| -nats(sums[tables.lanes.of(place)]));
        let mut scores: Vec<f32> = scores.collect();
        let best = scores.iter().copied().fold(f32::MIN, f32::max);
        let english = model.languages.iter().position(|language| language.language.code() == "en");
        let english = english.map_or(best, |place| scores[place]);
        let count: f32 = grams.iter().map(|gram| gram.count).sum();
        let beside = (BESIDE_NATS_PER_LETTER * count).min(MAX_BESIDE_NATS);
        let most = MAX_ASCII_NATS + ASCII_NATS_PER_BYTE * high;
        let foreign_most = MAX_FOREIGN_NATS + FOREIGN_NATS_PER_BYTE * high;
        let foreign = ((english - best) * ASCII_WEIGHT).clamp(-foreign_most, -most);
        for (score, language) in scores.iter_mut().zip(&model.languages) {
            let (least, beside) = if language.script == LATIN { (-most, 0.0) } else { (foreign, beside) };
            *score = ((*score - best) * ASCII_WEIGHT).max(least) - beside;
        }
        Self {
            languages: scores,
            best: best - factors(grams, tables.ascii_page(), model),
            over_noise: count * ASCII_NOISE_NATS + best,
            count,
        }
    }

    /// Returns the score of ASCII words beside text whose languages are known, each with its nats.
    pub(super) fn beside(mut self, spoken: &[f32]) -> Self {
        self.languages.iter_mut().zip(spoken).for_each(|(own, nats)| *own += nats);
        self
    }

    pub(super) fn language(&self, place: usize) -> f32 {
        self.languages[place]
    }
}

/// Returns the cost of case and of ASCII punctuation, which no language changes, in nats.
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

/// The bytes that neighborhoods end with, and how often: those that all pages read alike, and the others.
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

/// The costs of sets of letters that pages make of the same bytes. Many pages make the same letters of them.
#[derive(Default)]
struct Alone<'a> {
    /// A number of each set, and the steps that are made.
    known: Vec<(u64, u32)>,
    /// The costs of all sets.
    sums: Vec<f32>,
    rows: Vec<(&'a Row, f32)>,
}

impl<'a> Alone<'a> {
    /// Returns the cost of `bytes` by themselves in each lane of some steps, in units.
    fn of(&mut self, bytes: &[(u8, f32)], table: &Table, tables: &'a Tables, steps: u32) -> &[f32] {
        let mut hash = 0;
        for &(byte, _) in bytes {
            hash = mix(hash, table.classes[usize::from(byte)].into());
        }
        let lanes = tables.lanes.len();
        let at = self.known.iter().position(|known| known.0 == hash).unwrap_or_else(|| {
            self.known.push((hash, 0));
            self.sums.resize(self.sums.len() + lanes, 0.0);
            self.known.len() - 1
        });
        let own = &mut self.sums[at * lanes..][..lanes];
        let missing = steps & !self.known[at].1;
        if missing != 0 {
            self.known[at].1 |= steps;
            self.rows.clear();
            self.rows.extend(
                bytes.iter().map(|&(byte, count)| (tables.alone(table.classes[usize::from(byte)]), count)),
            );
            sums(&self.rows, missing, own);
        }
        own
    }
}

/// Returns a hash of a sequence, value by value.
fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// A page after the first sieve.
struct Sieved {
    table: &'static Table,
    fixed: f32,
    /// The best languages, in order.
    languages: [(f32, Held); MAX_LANGUAGES],
    reading: u64,
}

/// Pages this many nats below the best one by letters, plus those for each non-ASCII byte, are
/// dropped.
const PAGE_REACH_NATS: f32 = 15.0;
const PAGE_REACH_NATS_PER_BYTE: f32 = 4.0;
/// Languages this many nats below the best of a page by letters, plus those for each byte beyond
/// ASCII, are dropped.
const LANGUAGE_REACH_NATS: f32 = 15.0;
const LANGUAGE_REACH_NATS_PER_BYTE: f32 = 2.0;
/// The languages of a page that are scored by pairs of letters.
const MAX_LANGUAGES: usize = 8;

/// Pages in groups, with their languages by pairs of letters.
pub(super) fn sieve(
    pages: impl Iterator<Item = (&'static Table, f32)>,
    grams: &Grams<u8>,
    ascii: Option<&Ascii>,
    model: &Model,
    groups: &mut Vec<Group>,
) {
    let tables = Tables::get();
    let is_shared = |byte: u8| ascii.is_some() && byte.is_ascii();
    let high = grams.high();
    let kept = by_letters(pages, &Units::of(&grams.beyond, is_shared), high, ascii, model);
    // The bytes that all pages that extend ASCII read alike, and the rest.
    let (shared, own) = grams.beyond.split_at(if ascii.is_some() { grams.shared } else { 0 });
    let shared_factors = factors(shared, tables.ascii_page(), model);
    let shared_pairs = tables.ascii_sums(&pairs(&grams.beyond, |pair| pair.into_iter().all(is_shared)));
    let mut pairs = Pairs::of(pairs(&grams.beyond, |pair| !pair.into_iter().all(is_shared)));
    for same in kept.chunk_by(|a, b| a.reading == b.reading) {
        let table = same[0].table;
        let factors = shared_factors + factors(own, table, model);
        let mut costs = Costs::default();
        let mut cost = |place| {
            costs.of(place, |place| {
                let own = pairs.cost(table, &model.languages[place], model);
                nats(shared_pairs[tables.lanes.of(place)]) + own
            })
        };
        let pages = same.iter().map(|page| Page {
            table: page.table,
            fixed: page.fixed - factors,
            languages: page.by_pairs(high, ascii, &mut cost),
        });
        groups.push(Group {
            reading: same[0].reading,
            pages: pages.collect(),
            grams: if ascii.is_some() { Counted::Bytes } else { Counted::Whole },
            is_proved: false,
        });
    }
}

impl Sieved {
    /// Returns the languages of the page that are near its best one, by pairs of letters.
    fn by_pairs(&self, high: f32, ascii: Option<&Ascii>, mut cost: impl FnMut(usize) -> f32) -> Vec<Spoken> {
        let near = self.languages[0].0 - LANGUAGE_REACH_NATS - LANGUAGE_REACH_NATS_PER_BYTE * high;
        let mut languages: Vec<Spoken> = Vec::with_capacity(MAX_LANGUAGES);
        languages.extend(self.languages.iter().take_while(|(score, _)| *score >= near).map(|(_, held)| {
            let fixed = ascii.map_or(0.0, |ascii| ascii.language(held.place)) + held.cover;
            Spoken { place: held.place, fixed, score: fixed - cost(held.place) }
        }));
        languages.sort_by(|a, b| b.score.total_cmp(&a.score));
        languages
    }
}

/// Returns the pages that are near the best one by letters. Those that make the same text of the bytes follow one
/// another.
fn by_letters(
    pages: impl Iterator<Item = (&'static Table, f32)>,
    units: &Units,
    high: f32,
    ascii: Option<&Ascii>,
    model: &Model,
) -> Vec<Sieved> {
    let tables = Tables::get();
    let mut alone = Alone::default();
    let spoken = spoken(&mut alone, units, ascii, model);
    let first = spoken.iter().copied().fold(f32::MIN, f32::max);
    let mut bounded: Vec<(f32, &'static Table, f32)> = Vec::with_capacity(PAGES.len());
    bounded.extend(pages.map(|(table, fixed)| {
        let fixed = fixed + table.page.prior;
        let least = |&(byte, count): &(u8, f32)| count * f32::from(tables.least(table, byte));
        (fixed + first - nats(sum_of(&units.own, least)), table, fixed)
    }));
    bounded.sort_by(|a, b| b.0.total_cmp(&a.0));
    let reach = PAGE_REACH_NATS + PAGE_REACH_NATS_PER_BYTE * high;
    let mut best = f32::MIN;
    let mut kept: Vec<Sieved> = Vec::with_capacity(bounded.len());
    for (bound, table, fixed) in bounded {
        if bound < best - reach {
            break;
        }
        let held = tables.spoken(table);
        let languages =
            best_languages(&held.languages, &spoken, alone.of(&units.own, table, tables, held.steps));
        let own = fixed + languages[0].0;
        best = best.max(own);
        if own >= best - reach {
            kept.push(Sieved { table, fixed, languages, reading: reading(table, &units.own) });
        }
    }
    kept.retain(|page| page.fixed + page.languages[0].0 >= best - reach);
    kept.sort_by_key(|page| page.reading);
    kept
}

/// Nats for each language by the words in ASCII, and by the ASCII in other words.
fn spoken(alone: &mut Alone<'_>, units: &Units, ascii: Option<&Ascii>, model: &Model) -> Vec<f32> {
    let tables = Tables::get();
    let mut spoken: Vec<f32> = match ascii {
        Some(ascii) => ascii.languages.clone(),
        None => vec![0.0; model.languages.len()],
    };
    if !units.shared.is_empty() {
        let shared = alone.of(&units.shared, tables.ascii_page(), tables, ALL);
        for (place, spoken) in spoken.iter_mut().enumerate() {
            *spoken -= nats(shared[tables.lanes.of(place)]);
        }
    }
    spoken
}

/// Returns the best languages of a page, in order, by the costs of its letters in each lane.
fn best_languages(held: &[Held], spoken: &[f32], costs: &[f32]) -> [(f32, Held); MAX_LANGUAGES] {
    let mut languages = [(f32::NEG_INFINITY, Held { place: 0, lane: 0, cover: 0.0 }); MAX_LANGUAGES];
    for &held in held {
        let score = spoken[held.place] + held.cover - nats(costs[held.lane]);
        if score <= languages[MAX_LANGUAGES - 1].0 {
            continue;
        }
        let mut at = MAX_LANGUAGES - 1;
        while at > 0 && languages[at - 1].0 < score {
            languages[at] = languages[at - 1];
            at -= 1;
        }
        languages[at] = (score, held);
    }
    languages
}

/// Returns a sum, added up in four parts that do not wait for one another.
#[inline]
fn sum_of<T>(all: &[T], each: impl Fn(&T) -> f32) -> f32 {
    let (fours, rest) = all.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for four in fours {
        for (sum, one) in sums.iter_mut().zip(four) {
            *sum += each(one);
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest.iter().map(each).sum::<f32>()
}

/// Returns a number that two pages share if they make the same text of the bytes.
fn reading(table: &Table, bytes: &[(u8, f32)]) -> u64 {
    bytes.iter().fold(table.page.kind as u64 + 1, |hash, &(byte, _)| {
        mix(hash, table.code_points[usize::from(byte)].into())
    })
}

/// Neighbors and how often they occur, those of which `wanted` is true.
fn pairs(grams: &[Gram<u8>], wanted: impl Fn([u8; 2]) -> bool) -> Vec<(u8, u8, f32)> {
    let mut pairs: Vec<(u8, u8, f32)> = Vec::with_capacity(grams.len());
    let all = grams.iter().map(|gram| (gram.units[1], gram.units[2], gram.count));
    pairs.extend(all.filter(|&(b, c, _)| wanted([b, c])));
    add_up(&mut pairs);
    pairs
}

/// Neighbors, with the letters of the page and the language that are asked for.
struct Pairs {
    pairs: Vec<(u8, u8, f32)>,
    /// The bytes that occur in the pairs.
    bytes: Vec<u8>,
    letters: [u8; 256],
    within: [u8; 256],
}

impl Pairs {
    fn of(pairs: Vec<(u8, u8, f32)>) -> Self {
        let mut present = [false; 256];
        for &(b, c, _) in &pairs {
            present[usize::from(b)] = true;
            present[usize::from(c)] = true;
        }
        let bytes = (0..=0xFF).filter(|&byte| present[usize::from(byte)]).collect();
        Self { pairs, bytes, letters: [0; 256], within: [0; 256] }
    }

    /// Returns the cost in nats.
    fn cost(&mut self, table: &Table, language: &LanguageModel, model: &Model) -> f32 {
        for &byte in &self.bytes {
            let byte = usize::from(byte);
            (self.letters[byte], self.within[byte]) = model.letter(language, table.classes[byte]);
        }
        let rows = model.pairs(language);
        let cost = |&(b, c, count): &(u8, u8, f32)| {
            let (y, z) = (self.letters[usize::from(b)], self.letters[usize::from(c)]);
            let pair = rows[usize::from(y) * language.n + usize::from(z)];
            count * f32::from(u16::from(pair) + u16::from(self.within[usize::from(c)]))
        };
        nats(sum_of(&self.pairs, cost))
    }
}

/// Returns the cost of threes, in units.
pub(super) fn threes(table: &Table, grams: &[Gram<u8>], language: &LanguageModel, model: &Model) -> f32 {
    let threes = model.threes(language);
    grams
        .iter()
        .map(|gram| {
            let [a, b, c] = gram.units.map(|byte| table.classes[usize::from(byte)]);
            gram.count * threes.cost(a, b, c) as f32
        })
        .sum()
}

/// Tables and names may score this many nats per byte below text: noise scores at least 2 nats per
/// byte below.
const UNUSUAL_NATS_PER_BYTE: f32 = 1.5;
/// The bytes after which the mean of a text is known well enough for that.
const MIN_MEAN_BYTES: f32 = 15.0;
/// The bytes that count at most: what a list has in each of its lines proves no more than some lines of it.
const MAX_COUNTED_BYTES: f32 = 60.0;

/// Nats by which `count` bytes are more probable than noise, by the sum of their differences and what each may lack.
pub(super) fn fit(sum: f32, count: f32, slack: f32) -> f32 {
    let unusual = UNUSUAL_NATS_PER_BYTE * (1.0 - float::exp(-count / MIN_MEAN_BYTES));
    (sum / count.max(1.0) + slack.max(unusual)) * count.min(MAX_COUNTED_BYTES)
}

/// How well the non-ASCII bytes, or all of an EBCDIC page, fit a language.
/// `rarity` is the nats for finding such a byte in the text.
pub(super) fn fit_of(
    table: &Table,
    grams: &[Gram<u8>],
    ascii: &Ascii,
    rarity: f32,
    language: &LanguageModel,
    model: &Model,
) -> Fit {
    let whole = table.page.kind == Kind::Ebcdic;
    let noise = if whole { EBCDIC_NOISE_NATS } else { NOISE + rarity };
    let (mut beyond, mut beyond_count) = (0.0, 0.0);
    let (mut within, mut within_count) = (ascii.over_noise, ascii.count);
    for gram in grams {
        let [a, b, c] = gram.units.map(|byte| table.classes[usize::from(byte)]);
        let case = gram.units.map(|byte| usize::from(table.cases[usize::from(byte)]));
        let case = model.case[case[0] * 16 + case[1] * 4 + case[2]];
        let cost = nats((model.after_two(language, a, b, c, 0) + u32::from(case)) as f32);
        let count = gram.count;
        if whole || gram.units[2] >= 0x80 {
            beyond += count * (noise - cost);
            beyond_count += count;
        } else {
            within += count * (ASCII_NOISE_NATS - cost);
            within_count += count;
        }
    }
    if whole {
        let over_noise = beyond + within.clamp(-MAX_LETTERS_AGAINST_NATS, MAX_LETTERS_FOR_NATS);
        return Fit { over_noise, mean: f32::INFINITY, slack: 0.0 };
    }
    let slack = UNKNOWN_LANGUAGE_NATS
        * (within / within_count.max(MIN_LETTERS) / LIKE_TEXT_NATS_PER_LETTER).clamp(0.0, 1.0);
    let few = FEW_BYTES_NATS * (1.0 - 2.0 * float::exp(-rarity)).max(0.0);
    // If few bytes are non-ASCII, the rest is not noise, even if it is in no language: code, a table, moves of a game.
    let dense = (DENSE_INVERSE_SHARE * float::exp(-rarity)).min(1.0);
    let few = few + if beyond_count <= MAX_SINGLE_BYTES { SINGLE_BYTES_NATS } else { 0.0 };
    let over_noise = fit(beyond, beyond_count, slack)
        + within.clamp(-MAX_LETTERS_AGAINST_NATS * dense, MAX_LETTERS_FOR_NATS)
        + few;
    // Some words in ASCII say nothing about a text with many others.
    let slack = slack * (within_count / (PROSE_RATIO * beyond_count.max(1.0))).min(1.0);
    Fit { over_noise, mean: beyond / beyond_count.max(1.0), slack }
}
