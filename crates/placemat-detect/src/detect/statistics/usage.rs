//! How usual symbols and single letters are where they stand.
//!
//! The language model knows how often a language writes a symbol, but hardly what stands beside it, and a text in English
//! with one © has no letters to go by. The world does: a copyright sign stands before a year, a degree sign after a number,
//! a trademark after a name. So each symbol beside ASCII gains or loses some nats in a page by its neighbors, in whatever
//! language the text is.

use super::drawn::{self, Shapes};
use super::grams::{Gram, add_up};
use crate::detect::model::Model;
use crate::detect::model::characters::{self, LATIN, NO_LETTER, SYMBOLS};
use alloc::vec::Vec;

/// The kind of neighbor of a symbol.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Blank,
    Letter,
    Digit,
    Mark,
    /// A non-ASCII byte.
    High,
    /// The same byte.
    Same,
}

impl Beside {
    const COUNT: usize = 6;
    const CONTEXTS: usize = Self::COUNT * Self::COUNT;

    const fn of(byte: u8) -> Self {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => Self::Letter,
            b'0'..=b'9' => Self::Digit,
            0..=b' ' => Self::Blank,
            0x80.. => Self::High,
            _ => Self::Mark,
        }
    }
}

/// The neighbors that a rule is about.
const B: u8 = 1 << Beside::Blank as u8;
const L: u8 = 1 << Beside::Letter as u8;
const D: u8 = 1 << Beside::Digit as u8;
const M: u8 = 1 << Beside::Mark as u8;
const ANY: u8 = B | L | D | M;

/// A symbol between neighbors, and the nats that it gains there.
struct Rule {
    symbols: &'static str,
    before: u8,
    after: u8,
    nats: f32,
}

const fn rule(symbols: &'static str, before: u8, after: u8, nats: f32) -> Rule {
    Rule { symbols, before, after, nats }
}

/// The first rule that fits counts.
static RULES: [Rule; 44] = [
    rule("©", B | M, B | D | L, 8.0),
    rule("©", ANY, ANY, 4.0),
    rule("®™", L | D, B | M, 8.0),
    rule("®™", M | B, ANY, 4.0),
    rule("®™", ANY, ANY, 2.0),
    rule("°", D, ANY, 8.0),
    rule("°", B, L | B, 5.0),
    rule("°", ANY, ANY, 1.0),
    rule("§", B | M, B | D, 8.0),
    rule("§", ANY, ANY, 1.0),
    rule("½¼¾", B | D | M, B | M, 7.0),
    rule("×", D, D | B | L, 8.0),
    rule("×", B, B, 7.0),
    rule("×", B | L, D | L, 3.0),
    rule("µ", B | D | M, L, 8.0),
    rule("µ", ANY, ANY, 2.0),
    rule("±", B | D | M, D | B | L, 6.0),
    rule("€£¥", B | M, D | B | M, 7.0),
    rule("€£¥", D | B | M, ANY, 7.0),
    rule("¢", D, B | M, 5.0),
    rule("–—", B, B, 8.0),
    rule("–", D, D, 8.0),
    rule("–—", L, L, 6.0),
    rule("–—", ANY, ANY, 5.0),
    rule("’", L, L, 8.0),
    rule("’", L | M | D, B | M, 5.0),
    rule("’", B | M, D | L, 4.0),
    rule("“‘", B | M, L | D | M, 6.0),
    rule("”", L | M | D, B | M, 6.0),
    rule("„‚", B | M, L | D, 5.0),
    rule("…", L | M | D, B | M, 7.0),
    rule("…", B | M, B | L | M, 5.0),
    rule("•", B, B | L, 7.0),
    rule("•", M, B | L, 4.0),
    rule("«", B | M, L | B | D, 5.0),
    rule("»", L | M | B | D, B | M, 5.0),
    rule("¿¡", B | M, L, 4.0),
    rule("·", B, B, 4.0),
    rule("\u{A0}", ANY, ANY, 4.0),
    rule("■►◄√▪", B | M, B | M, 6.0),
    rule("´", L, L, 5.0),
    rule("ºª", L | D, B | M, 3.0),
    rule("\u{200C}\u{200D}\u{200E}\u{200F}", ANY, ANY, -6.0),
    // What a page has to offer where another has a letter.
    rule("¤¦¨¸¯´¬ˆ˜‡†ƒ¶¹³²÷", ANY, ANY, -2.0),
];

/// Nats against a letter of another script than Latin that is glued to a letter of ASCII, and against one by itself.
const GLUED_NATS: f32 = -6.0;
const ALONE_NATS: f32 = -3.0;

/// Letters of another script in places where words have none cost a page at most this many nats.
const MAX_AGAINST_NATS: f32 = 15.0;

/// The nats of a code point in each context: `COUNT` × before + after.
type Nats = [f32; Beside::CONTEXTS];

/// The nats of all code points that have any, once for those that have the same.
#[derive(Default)]
pub(super) struct Usage {
    nats: Vec<Nats>,
    /// The symbols that rules are about, in order, and where their nats are.
    known: Vec<(char, u8)>,
}

/// The number of a code point that is as good anywhere.
const ANYWHERE: u8 = u8::MAX;

impl Usage {
    pub(super) fn new() -> Self {
        let mut usage = Self { nats: Vec::from([foreign()]), known: Vec::new() };
        // The first rule that fits counts.
        let mut symbols: Vec<(char, &Rule)> =
            RULES.iter().flat_map(|rule| rule.symbols.chars().map(move |symbol| (symbol, rule))).collect();
        symbols.sort_by_key(|&(symbol, _)| symbol);
        for rules in symbols.chunk_by(|a, b| a.0 == b.0) {
            usage.known.push((rules[0].0, u8::try_from(usage.nats.len()).unwrap_or(ANYWHERE)));
            usage.nats.push(of_symbol(rules));
        }
        usage
    }

    /// Returns the number under which the nats of a code point are, or [`ANYWHERE`].
    fn number(&self, c: u32, model: &Model) -> u8 {
        // Below U+0300, letters are Latin.
        if c >= 0x300 && model.case_of(c) != NO_LETTER && !matches!(characters::script(c), LATIN | SYMBOLS) {
            return 0;
        }
        let known = self.known.binary_search_by_key(&c, |known| known.0.into());
        known.map_or(ANYWHERE, |place| self.known[place].1)
    }
}

/// Returns each pair of neighbors, by their numbers.
fn contexts() -> impl Iterator<Item = (usize, usize)> {
    (0..Beside::COUNT).flat_map(|before| (0..Beside::COUNT).map(move |after| (before, after)))
}

/// Returns the nats of a letter of another script than Latin.
fn foreign() -> Nats {
    let mut all = [0.0; Beside::CONTEXTS];
    for ((before, after), nats) in contexts().zip(&mut all) {
        let is_letter = |side| side == Beside::Letter as usize;
        let is_high = |side| side == Beside::High as usize || side == Beside::Same as usize;
        *nats = match (is_letter(before) || is_letter(after), is_high(before) || is_high(after)) {
            (true, _) => GLUED_NATS,
            (false, false) => ALONE_NATS,
            (false, true) => 0.0,
        };
    }
    all
}

/// Returns the nats of a symbol that some rules are about.
fn of_symbol(rules: &[(char, &Rule)]) -> Nats {
    let mut all = [0.0; Beside::CONTEXTS];
    for ((before, after), nats) in contexts().zip(&mut all) {
        let fits = |rule: &&Rule| rule.before >> before & 1 != 0 && rule.after >> after & 1 != 0;
        *nats = rules.iter().map(|&(_, rule)| rule).find(fits).map_or(0.0, |rule| rule.nats);
    }
    all
}

/// The contexts of the non-ASCII bytes of a text, and how often they occur.
pub(super) struct Contexts<'a> {
    counts: Vec<(u8, u8, f32)>,
    /// The bytes from 80 on that occur, as bits.
    bytes: u128,
    grams: &'a [Gram<u8>],
}

impl<'a> Contexts<'a> {
    pub(super) fn of(grams: &'a [Gram<u8>]) -> Self {
        let mut counts: Vec<(u8, u8, f32)> = Vec::with_capacity(grams.len());
        for gram in grams.iter().filter(|gram| gram.units[1] >= 0x80) {
            let [before, byte, after] = gram.units;
            let beside = |other| if other == byte { Beside::Same } else { Beside::of(other) } as usize;
            let context = beside(before) * Beside::COUNT + beside(after);
            counts.push((byte, u8::try_from(context).unwrap_or(0), gram.count));
        }
        add_up(&mut counts);
        let bytes = counts.iter().fold(0, |bytes, &(byte, ..)| bytes | 1 << (byte & 0x7F));
        Self { counts, bytes, grams }
    }

    /// Returns the nats of a page for all of them, by the numbers and the shapes of its bytes from 80 on.
    pub(super) fn nats(&self, page: &Marks, usage: &Usage) -> f32 {
        let (mut gain, mut against) = (0.0, 0.0);
        if self.bytes & page.used != 0 {
            for &(byte, context, count) in &self.counts {
                let number = page.numbers[usize::from(byte & 0x7F)];
                let own = usage
                    .nats
                    .get(usize::from(number))
                    .map_or(0.0, |nats| nats[usize::from(context)] * count);
                if own < 0.0 { against -= own } else { gain += own }
            }
        }
        let drawn = if self.bytes & page.drawn == 0 { 0.0 } else { drawn::nats(&page.shapes, self.grams) };
        gain - against.min(MAX_AGAINST_NATS) + drawn
    }
}

/// The bytes of a page from 80 on that are symbols, or letters of other scripts than Latin.
pub(super) struct Marks {
    /// The numbers of the symbols among the code points that rules are about.
    numbers: [u8; 128],
    /// The shapes of the characters that drawings consist of.
    pub(super) shapes: Shapes,
    /// The bytes that have a number, and those that have a shape, as bits.
    used: u128,
    drawn: u128,
}

impl Marks {
    /// The marks of a page that has none.
    pub(super) const NONE: Self = Self { numbers: [ANYWHERE; 128], shapes: [None; 128], used: 0, drawn: 0 };

    /// Returns the marks among the code points of a page.
    pub(super) fn of(code_points: impl Iterator<Item = u32>, usage: &Usage, model: &Model) -> Self {
        let mut marks = Self::NONE;
        for (byte, c) in code_points.enumerate().take(128) {
            marks.numbers[byte] = usage.number(c, model);
            marks.shapes[byte] = drawn::shape_of(c);
            marks.used |= u128::from(marks.numbers[byte] != ANYWHERE) << byte;
            marks.drawn |= u128::from(marks.shapes[byte].is_some()) << byte;
        }
        marks
    }
}
