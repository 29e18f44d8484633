//! How probable a line is as text, in nats.
//!
//! A line is in the language that fits most of its words. A word that fits another language better costs [`FOREIGN`] nats,
//! and no more.

use crate::detect::model::Model;
use crate::detect::model::characters::{self, script};
use alloc::vec;
use alloc::vec::Vec;

/// The cost of a word in another language than the rest of its line, in nats.
const FOREIGN: f32 = 6.0;
/// The languages of a word that are looked at by trigrams, and that count for a line.
const NEAREST: usize = 8;
/// The code points of a word at most. Languages without spaces have longer ones, which are cut.
const LONGEST: usize = 64;
/// The words that are remembered, a power of two.
const KNOWN: usize = 1 << 13;
/// The languages of the model at most.
const LANGUAGES: usize = 256;

/// Gives nats for lines, and remembers words.
#[derive(Clone, Default)]
pub(super) struct Scorer {
    known: Vec<Word>,
    /// The sum for each language, while a line is scored.
    sums: Vec<f32>,
    classes: Vec<u16>,
    costs: Vec<(u32, u8)>,
}

/// What the model says of a word.
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

/// Whether a code point separates words.
pub(super) const fn is_space(c: u32) -> bool {
    matches!(c, 0x20 | 0x09 | 0x0A | 0x0D | 0x3000)
}

/// Whether a word ends here: at a space, after some punctuation, and, in scripts without spaces, after some code points. The
/// same text ends in the same places, wherever it stands.
fn ends_word(c: &u32) -> bool {
    is_space(*c)
        || matches!(c, 0x2C | 0x2F | 0x3B | 0x3001 | 0x3002 | 0xFF0C)
        || *c >= 0xE00 && c.wrapping_mul(0x9E37_79B1) >> 29 == 0
}

impl Scorer {
    /// The nats of a line.
    pub(super) fn line(&mut self, line: &[u32]) -> f32 {
        if self.known.is_empty() {
            self.known = vec![UNKNOWN; KNOWN];
            self.sums = vec![0.0; LANGUAGES];
        }
        self.sums.fill(0.0);
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
        sum + self.sums.iter().copied().fold(0.0, f32::max)
    }

    /// The language of the line that was scored last.
    pub(super) fn language(&self) -> usize {
        let best = self.sums.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        best.map_or(0, |(language, _)| language)
    }

    /// Adds a word to the sums of a line.
    fn add(&mut self, word: &[u32], sum: &mut f32) {
        let known = self.word(word);
        *sum += known.best - FOREIGN;
        for (&language, bonus) in known.languages.iter().zip(known.bonus).take(known.count.into()) {
            self.sums[usize::from(language)] += bonus;
        }
    }

    /// The word, from memory or from the model.
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
        self.costs.clear();
        let scripts = word.iter().map(|&c| 1_u32 << script(c)).fold(0, |all, script| all | script);
        let scripts = scripts & model.languages.iter().fold(0, |all, language| all | 1 << language.script);
        for (number, language) in (0..=u8::MAX).zip(&model.languages) {
            // The languages of other scripts are all worse.
            if scripts != 0 && scripts >> language.script & 1 == 0 {
                continue;
            }
            let mut cost = 0;
            let mut before = space;
            for (&class, &c) in self.classes.iter().zip(word) {
                cost += model.after_one(language, before, class, c);
                before = class;
            }
            cost += model.after_one(language, before, space, 0x20);
            self.costs.push((cost, number));
        }
        if self.costs.len() > NEAREST {
            self.costs.select_nth_unstable(NEAREST);
            self.costs.truncate(NEAREST);
        }
        for (cost, number) in &mut self.costs {
            let language = &model.languages[usize::from(*number)];
            *cost = fixed;
            let (mut first, mut second) = (space, space);
            for (&class, &c) in self.classes.iter().zip(word) {
                *cost += model.after_two(language, first, second, class, c);
                (first, second) = (second, class);
            }
            *cost += model.after_two(language, first, second, space, 0x20);
        }
        let nats = |cost: u32| -(cost as f32) / crate::detect::model::UNITS;
        let best = self.costs.iter().map(|&(cost, _)| cost).min().map_or(0.0, nats);
        let mut found = Word { hash, best, ..UNKNOWN };
        for &(cost, language) in &self.costs {
            let bonus = nats(cost) - best + FOREIGN;
            if bonus > 0.0 {
                found.languages[usize::from(found.count)] = language;
                found.bonus[usize::from(found.count)] = bonus;
                found.count += 1;
            }
        }
        found
    }
}

/// A hash of a word. It is never 0.
pub(super) fn hash(word: &[u32]) -> u64 {
    let mut hash = 0x9E37_79B9_7F4A_7C15_u64;
    for &c in word {
        hash = (hash.rotate_left(5) ^ u64::from(c)).wrapping_mul(0x517C_C1B7_2722_0A95);
    }
    (hash ^ hash >> 29) | 1
}

/// Whether a code point belongs to no alphabet that the model knows, and is no ideograph, syllable or emoji.
pub(super) fn is_unknown(c: u32) -> bool {
    usize::from(Model::get().class(c)) < characters::SCRIPTS
        && c < 0x1_F000
        && !matches!(script(c), characters::IDEOGRAPHS | characters::HANGUL | characters::OTHER)
}
