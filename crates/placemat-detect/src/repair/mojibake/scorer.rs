//! How probable a line is as text, in nats.
//!
//! A line is in the language that fits most of its words. A word that fits another language better costs [`FOREIGN`] nats,
//! and no more.

use super::rows::{Rows, WIDTH};
use crate::detect::model::Model;
use crate::detect::model::characters::{self, script};
use alloc::vec;
use alloc::vec::Vec;

/// The cost of a word in another language than the rest of its line, in nats.
const FOREIGN: f32 = 6.0;
/// The languages of a word that are looked at by trigrams, and that count for a line.
const NEAREST: usize = 8;
/// From this many languages on, all are scored side by side.
const MIN_PARALLEL_LANGUAGES: usize = 8;
/// A word has at most this many code points. Languages without spaces have longer ones, which are
/// cut.
const LONGEST: usize = 64;
/// The words that are remembered, a power of two.
const KNOWN: usize = 1 << 13;
/// The languages of the model at most.
const LANGUAGES: usize = 256;

/// Gives nats for lines, and remembers words.
#[derive(Clone, Default)]
pub(super) struct Scorer {
    known: Vec<Word>,
    /// The sum for each language, while a line is scored, and the languages whose sum is not 0.
    sums: Vec<f32>,
    touched: Vec<u8>,
    classes: Vec<u16>,
    rows: Rows,
    /// The script of each language.
    scripts: Vec<u8>,
}

/// The model's verdict on a word.
#[derive(Clone, Copy)]
struct Word {
    hash: u64,
    /// The nats in the best language.
    best: f32,
    count: u8,
    /// Languages, and how much better they are than a foreign word.
    languages: [u8; NEAREST],
    bonus: [f32; NEAREST],
}

const UNKNOWN: Word = Word { hash: 0, best: 0.0, count: 0, languages: [0; NEAREST], bonus: [0.0; NEAREST] };

impl core::fmt::Debug for Scorer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Scorer").finish_non_exhaustive()
    }
}

/// Returns `true` if a code point separates words.
pub(super) const fn is_space(c: u32) -> bool {
    matches!(c, 0x20 | 0x09 | 0x0A | 0x0D | 0x3000)
}

/// Returns `true` if a word ends here: at a space, after some punctuation, and, in scripts without spaces, after some code
/// points. The same text ends in the same places, wherever it stands.
fn ends_word(c: &u32) -> bool {
    is_space(*c)
        || matches!(c, 0x2C | 0x2F | 0x3B | 0x3001 | 0x3002 | 0xFF0C)
        || *c >= 0xE00 && c.wrapping_mul(0x9E37_79B1) >> 29 == 0
}

impl Scorer {
    /// Returns the nats of a line.
    pub(super) fn line(&mut self, line: &[u32]) -> f32 {
        if self.known.is_empty() {
            self.known = vec![UNKNOWN; KNOWN];
            self.sums = vec![0.0; LANGUAGES];
            self.scripts = Model::get().languages.iter().map(|language| language.script).collect();
        }
        for language in self.touched.drain(..) {
            self.sums[usize::from(language)] = 0.0;
        }
        let mut sum = 0.0;
        for word in line.split_inclusive(ends_word) {
            let word = match word {
                [word @ .., c] if is_space(*c) => word,
                word => word,
            };
            if word.is_empty() {
                continue;
            }
            for word in word.chunks(LONGEST) {
                self.add(word, &mut sum);
            }
        }
        sum + self.touched.iter().map(|&language| self.sums[usize::from(language)]).fold(0.0, f32::max)
    }

    /// Returns the language of the line that was scored last.
    pub(super) fn language(&self) -> usize {
        let best = self.sums.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        best.map_or(0, |(language, _)| language)
    }

    /// Adds a word to the sums of a line.
    fn add(&mut self, word: &[u32], sum: &mut f32) {
        let known = self.word(word);
        *sum += known.best - FOREIGN;
        for (&language, bonus) in known.languages.iter().zip(known.bonus).take(known.count.into()) {
            let sum = &mut self.sums[usize::from(language)];
            if *sum == 0.0 {
                self.touched.push(language);
            }
            *sum += bonus;
        }
    }

    /// Returns the word, from memory or from the model.
    fn word(&mut self, word: &[u32]) -> Word {
        let hash = hash(word);
        let place = (hash >> 40) as usize & (KNOWN - 1);
        if self.known[place].hash != hash {
            self.known[place] = self.ask(word, hash);
        }
        self.known[place]
    }

    /// Asks the model about a word.
    fn ask(&mut self, word: &[u32], hash: u64) -> Word {
        let model = Model::get();
        let space = model.class(0x20);
        // The factors that no language changes: the case of letters, and which punctuation it is.
        let mut fixed = 0;
        let (mut a, mut b) = (0, 0);
        self.classes.clear();
        for &c in word {
            let case = usize::from(model.case_of(c) & 3);
            fixed += u32::from(model.case[a * 16 + b * 4 + case]);
            (a, b) = (b, case);
            self.classes.push(model.class(c));
        }
        for (at, &c) in word.iter().enumerate() {
            let class = |at: Option<usize>| at.and_then(|at| self.classes.get(at)).copied().unwrap_or(space);
            fixed += u32::from(model.mark(class(at.checked_sub(1)), c, class(at.checked_add(1))));
        }
        let nats = |cost: u32| -(cost as f32) / crate::detect::model::UNITS;
        let mut found = Word { hash, ..UNKNOWN };
        let nearest = self.nearest(word, model);
        // The costs in the nearest languages, and the least of them.
        let mut costs = [(0, 0); NEAREST];
        let (mut count, mut least) = (0, u32::MAX);
        for language in nearest.into_iter().map_while(|near| near.map(|(_, language)| language)) {
            let threes = model.threes(&model.languages[usize::from(language)]);
            let mut cost = fixed;
            let (mut first, mut second) = (space, space);
            for (&class, &c) in self.classes.iter().zip(word) {
                cost += threes.of(first, second, class, c);
                (first, second) = (second, class);
                // It can only become worse, and counts no more.
                if nats(cost) - nats(least) + FOREIGN <= 0.0 {
                    break;
                }
            }
            cost += threes.of(first, second, space, 0x20);
            least = least.min(cost);
            costs[count] = (cost, language);
            count += 1;
        }
        let best = if count > 0 { nats(least) } else { 0.0 };
        found.best = best;
        for &(cost, language) in &costs[..count] {
            let bonus = nats(cost) - best + FOREIGN;
            if bonus > 0.0 {
                found.languages[usize::from(found.count)] = language;
                found.bonus[usize::from(found.count)] = bonus;
                found.count += 1;
            }
        }
        found
    }

    /// Returns the languages that fit the pairs of a word best, the best first, with the cost of the pairs.
    fn nearest(&mut self, word: &[u32], model: &Model) -> [Option<(u32, u8)>; NEAREST] {
        let space = model.class(0x20);
        let own = &self.scripts;
        let scripts = word.iter().map(|&c| 1_u32 << script(c)).fold(0, |all, script| all | script);
        let scripts = scripts & own.iter().fold(0, |all, script| all | 1 << script);
        // The languages of other scripts are all worse.
        let is_meant = |own: u8| scripts == 0 || scripts >> own & 1 != 0;
        let mut nearest = [None; NEAREST];
        let mut keep = |found: (u32, u8)| {
            let is_worse = |near: &Option<(u32, u8)>| near.is_none_or(|near| near > found);
            if !is_worse(&nearest[NEAREST - 1]) {
                return;
            }
            if let Some(place) = nearest.iter().position(is_worse) {
                nearest[place..].rotate_right(1);
                nearest[place] = Some(found);
            }
        };
        let meant = own.iter().filter(|&&script| is_meant(script)).count();
        if (MIN_PARALLEL_LANGUAGES..=WIDTH).contains(&meant) && model.languages.len() <= WIDTH {
            let mut sums = [0; WIDTH];
            let mut before = space;
            for (&class, &c) in self.classes.iter().zip(word) {
                self.rows.add(model, before, class, c, &mut sums);
                before = class;
            }
            self.rows.add(model, before, space, 0x20, &mut sums);
            for ((number, &script), &sum) in (0..=u8::MAX).zip(own).zip(&sums) {
                if is_meant(script) {
                    keep((sum.into(), number));
                }
            }
            return nearest;
        }
        for ((number, language), &script) in (0..=u8::MAX).zip(&model.languages).zip(own) {
            if !is_meant(script) {
                continue;
            }
            let mut cost = 0;
            let mut before = space;
            for (&class, &c) in self.classes.iter().zip(word) {
                cost += model.after_one(language, before, class, c);
                before = class;
            }
            cost += model.after_one(language, before, space, 0x20);
            keep((cost, number));
        }
        nearest
    }
}

/// Returns a hash of a word. It is never 0.
pub(super) fn hash(word: &[u32]) -> u64 {
    let mut hash = 0x9E37_79B9_7F4A_7C15_u64;
    for &c in word {
        hash = (hash.rotate_left(5) ^ u64::from(c)).wrapping_mul(0x517C_C1B7_2722_0A95);
    }
    (hash ^ hash >> 29) | 1
}

/// Returns `true` if a code point belongs to no alphabet that the model knows, and is not an ideograph, syllable or emoji.
pub(super) fn is_unknown(c: u32) -> bool {
    usize::from(Model::get().class(c)) < characters::SCRIPTS
        && c < 0x1_F000
        && !matches!(script(c), characters::IDEOGRAPHS | characters::HANGUL | characters::OTHER)
}
