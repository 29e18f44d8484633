//! The class and the letter of the model for each byte in each page.

use super::histogram::Histogram;
use super::pages::{Kind, PAGES, Page};
use super::rows::{ALL, Lanes, Row, Rows, step_of, sums};
use super::usage::{Marks, Usage};
use crate::detect::model::characters::{C1, LATIN, NO_LETTER, PRIVATE, SCRIPTS};
use crate::detect::model::{Class, LanguageModel, Model, UNITS};
use crate::float;
use alloc::vec;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU16, Ordering};
use placemat_charsets::Encoding;
use placemat_core::ground::once::Once;
pub(super) use placemat_core::kernels::single_byte::UNDEFINED;

/// A page by the model.
pub(super) struct Table {
    pub(super) page: &'static Page,
    /// The code point of each byte of a single-byte page; [`UNDEFINED`] where there is none.
    pub(super) code_points: [u16; 256],
    pub(super) classes: [Class; 256],
    pub(super) cases: [u8; 256],
    /// The undefined bytes, as bits.
    undefined: [u128; 2],
    /// For [`Tables::least`]; the maximum where it is not known yet.
    least: [AtomicU16; 256],
    /// The symbols and foreign letters among the bytes from 80 on.
    pub(super) marks: Marks,
    /// For [`Tables::spoken`].
    spoken: Once<Spoken>,
}

/// The languages that a page can hold.
pub(super) struct Spoken {
    pub(super) languages: Vec<Held>,
    /// The steps of lanes that contain the languages.
    pub(super) steps: u32,
}

/// A language in a page.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// The place of the language in the model.
    pub(super) place: usize,
    /// The lane of the language in rows.
    pub(super) lane: usize,
    /// In nats, at most 0: for the letters of the language that the page cannot write, and for a page of another region.
    pub(super) cover: f32,
}

/// All pages. Most of what is known about them is computed when a text first needs it.
pub(super) struct Tables {
    model: &'static Model,
    /// The pages of each kind.
    pages: [Once<Vec<Table>>; 3],
    pub(super) lanes: Lanes,
    /// How usual code points are where they stand.
    pub(super) usage: Usage,
    shares: Vec<Shares>,
    /// The cost of each class by itself.
    alone: Rows,
    ascii: Ascii,
}

/// The pairs of letters in ASCII, which most pages extend.
struct Ascii {
    /// The class of each ASCII character, once for those that fold alike.
    folded: Vec<Class>,
    /// The index of each ASCII character among the folded classes.
    indices: [u8; 128],
    /// The cost of each pair of folded classes.
    pairs: Rows,
}

impl Ascii {
    fn new(model: &Model) -> Self {
        let mut folded: Vec<Class> = Vec::new();
        let mut indices = [0; 128];
        for (c, index) in (0..).zip(&mut indices) {
            let class = model.class(c);
            let place = folded.iter().position(|&known| known == class).unwrap_or(folded.len());
            if place == folded.len() {
                folded.push(class);
            }
            *index = u8::try_from(place).unwrap_or(0);
        }
        let pairs = Rows::new(folded.len() * folded.len());
        Self { folded, indices, pairs }
    }
}

/// A page must contain at least this share of a language's non-ASCII letters.
const LEAST_COVER: f32 = 0.9;
/// A language with fewer non-ASCII letters is at home in every Latin page.
const HARDLY_ANY: f32 = 0.002;

/// The costs of up to this many languages of a page are compared one by one to find the least.
const MAX_COMPARED_LANGUAGES: usize = 16;

impl Tables {
    pub(super) fn get() -> &'static Self {
        static TABLES: Once<Tables> = Once::new();
        TABLES.get_or_make(|| {
            let model = Model::get();
            Self {
                model,
                pages: [const { Once::new() }; 3],
                lanes: Lanes::new(&model.languages),
                usage: Usage::new(),
                shares: model.languages.iter().map(|language| Shares::of(language, model)).collect(),
                alone: Rows::new(model.share.len()),
                ascii: Ascii::new(model),
            }
        })
    }

    /// Returns the pages of a kind.
    pub(super) fn of(&self, kind: Kind) -> &[Table] {
        self.pages[kind as usize].get_or_make(|| {
            let pages = PAGES.iter().filter(|page| page.kind == kind);
            pages.map(|page| Table::new(page, &self.usage, self.model)).collect()
        })
    }

    /// Returns a page that extends ASCII.
    pub(super) fn ascii_page(&self) -> &Table {
        &self.of(Kind::Ascii)[0]
    }

    /// Returns the cost of a class by itself, in each language.
    pub(super) fn alone(&self, class: Class) -> &Row {
        let cost = |place: usize| self.model.alone(&self.model.languages[place], class);
        self.alone.get(class.into(), || self.lanes.row(cost))
    }

    /// Returns the cost of pairs of ASCII characters in each lane.
    pub(super) fn ascii_sums(&self, pairs: &[(u8, u8, f32)]) -> Vec<f32> {
        let Ascii { folded, indices, pairs: rows } = &self.ascii;
        let index = |byte: u8| usize::from(indices.get(usize::from(byte)).copied().unwrap_or(0));
        let row = |b: usize, c: usize| {
            let cost = |place: usize| {
                self.model.after_one_in_ascii(&self.model.languages[place], folded[b], folded[c])
            };
            rows.get(b * folded.len() + c, || self.lanes.row(cost))
        };
        let counted: Vec<(&Row, f32)> =
            pairs.iter().map(|&(b, c, count)| (row(index(b), index(c)), count)).collect();
        let mut all = vec![0.0; self.lanes.len()];
        sums(&counted, ALL, &mut all);
        all
    }

    /// Returns the languages that a page can hold.
    pub(super) fn spoken<'a>(&self, table: &'a Table) -> &'a Spoken {
        table.spoken.get_or_make(|| Spoken::of(table, self))
    }

    /// Returns the cost of a byte of a single-byte page in the language where it costs least, or less.
    #[inline]
    pub(super) fn least(&self, table: &Table, byte: u8) -> u16 {
        match table.least[usize::from(byte)].load(Ordering::Relaxed) {
            u16::MAX => self.find_least(table, byte),
            known => known,
        }
    }

    #[cold]
    fn find_least(&self, table: &Table, byte: u8) -> u16 {
        let row = self.alone(table.classes[usize::from(byte)]);
        let spoken = &self.spoken(table).languages;
        let least = if spoken.len() <= MAX_COMPARED_LANGUAGES {
            spoken.iter().map(|held| row.get(held.lane)).min()
        } else {
            row.costs()[..self.model.languages.len()].iter().copied().min()
        };
        let least = least.unwrap_or(u16::MAX);
        table.least[usize::from(byte)].store(least, Ordering::Relaxed);
        least
    }
}

impl Table {
    fn new(page: &'static Page, usage: &Usage, model: &Model) -> Self {
        let mut table = Self {
            page,
            code_points: [UNDEFINED; 256],
            classes: [PRIVATE.into(); 256],
            cases: [NO_LETTER; 256],
            undefined: [0; 2],
            least: [const { AtomicU16::new(u16::MAX) }; 256],
            marks: Marks::NONE,
            spoken: Once::new(),
        };
        if page.kind != Kind::Multi {
            table.code_points = code_points(page.encoding);
            for (byte, &c) in table.code_points.iter().enumerate() {
                if c == UNDEFINED {
                    table.undefined[byte / 128] |= 1 << (byte % 128);
                } else {
                    // In EBCDIC, U+0085 ends lines.
                    let is_next_line = c == 0x85 && page.kind == Kind::Ebcdic;
                    let is_c1 = matches!(c, 0x80..0xA0) && !is_next_line;
                    table.classes[byte] = if is_c1 { C1.into() } else { model.class(c.into()) };
                    table.cases[byte] = model.case_of(c.into());
                }
            }
        }
        if page.kind == Kind::Ascii {
            table.marks = Marks::of(table.code_points[0x80..].iter().map(|&c| c.into()), usage, model);
            for (class, shape) in table.classes[0x80..].iter_mut().zip(&table.marks.shapes) {
                if shape.is_some() {
                    *class = model.class('/'.into());
                }
            }
        }
        table
    }

    /// Returns the number of undefined bytes in `histogram`.
    pub(super) fn undefined(&self, histogram: &Histogram) -> u32 {
        histogram.count(self.undefined)
    }

    /// How many brackets in `histogram` lack their other half.
    pub(super) fn unbalanced(&self, histogram: &Histogram) -> u32 {
        let count = |bracket: char| -> u32 {
            let own = |byte: usize| u32::from(self.code_points[byte]) == u32::from(bracket);
            histogram.each().filter(|&(byte, _)| own(byte)).map(|(_, count)| count).sum()
        };
        [('[', ']'), ('{', '}')].into_iter().map(|(open, close)| count(open).abs_diff(count(close))).sum()
    }
}

impl Spoken {
    fn of(table: &Table, tables: &Tables) -> Self {
        let (page, model) = (table.page, tables.model);
        let mut held = vec![false; model.share.len()];
        for &class in &table.classes {
            held[usize::from(class)] = true;
        }
        let latin = page.kind == Kind::Multi || table.code_points.contains(&0xE9);
        let mut homes = vec![page.languages.is_empty(); model.languages.len()];
        for code in page.languages {
            // The languages are in the order of their tags.
            if let Ok(place) = model.languages.binary_search_by(|language| language.language.code().cmp(code))
            {
                homes[place] = true;
            }
        }
        let mut spoken = Self { languages: Vec::new(), steps: 0 };
        let languages = model.languages.iter().zip(&tables.shares).zip(&homes);
        for (place, ((language, shares), &home)) in languages.enumerate() {
            let far = if home { 0.0 } else { page.abroad };
            if far == f32::NEG_INFINITY {
                continue;
            }
            let cover = match page.kind {
                Kind::Multi => 1.0,
                _ if language.script == LATIN && language.beyond_ascii < HARDLY_ANY => {
                    f32::from(u8::from(latin))
                }
                _ => shares.cover(&held).max(if home && !page.languages.is_empty() {
                    LEAST_COVER
                } else {
                    0.0
                }),
            };
            if cover >= LEAST_COVER {
                let lane = tables.lanes.of(place);
                spoken.languages.push(Held { place, lane, cover: 3.0 * float::ln(cover) + far });
                spoken.steps |= step_of(lane);
            }
        }
        spoken
    }
}

/// Returns the code point of each byte of a single-byte encoding.
fn code_points(encoding: Encoding) -> [u16; 256] {
    encoding.code_points().unwrap_or([UNDEFINED; 256])
}

/// The share of each non-ASCII letter in the text of a language, and the sum of them.
struct Shares {
    letters: Vec<(Class, f32)>,
    all: f32,
}

impl Shares {
    /// A language that misses more than this share of its letters is surely below [`LEAST_COVER`].
    const MAX_MISSING_SHARE: f32 = 1.01 - LEAST_COVER;

    fn of(language: &LanguageModel, model: &Model) -> Self {
        let letters = language.alphabet.iter().zip(&language.unigram[SCRIPTS..]);
        let beyond = letters.filter(|&(&class, _)| model.is_letter_beyond_ascii(class));
        let letters: Vec<(Class, f32)> =
            beyond.map(|(&class, &cost)| (class, float::exp(-f32::from(cost) / UNITS))).collect();
        let all = letters.iter().fold(0.0, |all, &(_, share)| all + share);
        Self { letters, all }
    }

    /// Returns the share of those that are `held`, or 0 where it is too small to count.
    fn cover(&self, held: &[bool]) -> f32 {
        let (mut covered, mut missing) = (0.0, 0.0);
        for &(class, share) in &self.letters {
            if held[usize::from(class)] {
                covered += share;
            } else {
                missing += share;
                if missing > self.all * Self::MAX_MISSING_SHARE {
                    return 0.0;
                }
            }
        }
        if self.all > 0.0 { covered / self.all } else { 1.0 }
    }
}
