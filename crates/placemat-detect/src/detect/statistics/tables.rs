//! The class and the letter of the model that each byte stands for in each page.

use super::histogram::Histogram;
use super::pages::{Kind, PAGES, Page};
use super::rows::{ALL, Lanes, Rows, step_of};
use super::usage::{Marks, Usage};
use crate::detect::model::characters::{C1, LATIN, NO_LETTER, PRIVATE, SCRIPTS};
use crate::detect::model::{Class, LanguageModel, Model, UNITS};
use alloc::vec;
use alloc::vec::Vec;
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
    /// The row of each byte in [`Tables::alone`].
    pub(super) rows: [u16; 256],
    /// The bytes that stand for nothing, as bits.
    undefined: [u128; 2],
    /// The cost of each byte in the language where it costs least, or less.
    pub(super) least: [u16; 256],
    /// The symbols and foreign letters among the bytes from 80 on.
    pub(super) marks: Marks,
    /// The languages that the page can hold.
    pub(super) spoken: Vec<Held>,
    /// The steps of [`Tables::alone`] that hold them.
    pub(super) steps: u32,
}

/// A language in a page.
#[derive(Clone, Copy)]
pub(super) struct Held {
    /// The place of the language in the model.
    pub(super) place: usize,
    /// Its lane in [`Tables::alone`].
    pub(super) lane: usize,
    /// In nats, at most 0: for the letters of the language that the page cannot write, and for a page of another region.
    pub(super) cover: f32,
}

/// All pages.
pub(super) struct Tables {
    /// The pages of each kind stand together.
    pub(super) tables: Vec<Table>,
    pub(super) lanes: Lanes,
    /// How usual code points are where they stand.
    pub(super) usage: Usage,
    /// The cost of letters by themselves.
    pub(super) alone: Rows,
    /// The letters of ASCII, by their folded classes.
    pub(super) ascii: Ascii,
}

/// The pairs of letters in ASCII, which most pages extend.
pub(super) struct Ascii {
    /// The number of each ASCII character among the folded ones.
    numbers: [u8; 128],
    count: usize,
    pairs: Rows,
}

impl Ascii {
    fn new(classes: &[Class; 256], lanes: &Lanes, model: &Model) -> Self {
        let mut folded: Vec<Class> = Vec::new();
        let mut numbers = [0; 128];
        for (number, class) in numbers.iter_mut().zip(classes) {
            let place = folded.iter().position(|known| known == class).unwrap_or(folded.len());
            if place == folded.len() {
                folded.push(*class);
            }
            *number = u8::try_from(place).unwrap_or(0);
        }
        let count = folded.len();
        let mut pairs = Rows::new(model.languages.len(), count * count);
        for (place, language) in model.languages.iter().enumerate() {
            let costs = model.ascii_pairs(language);
            let early: Vec<usize> = language.early().collect();
            // Where each folded character stands among those.
            let letters: Vec<(usize, u8)> = folded
                .iter()
                .map(|&class| {
                    let (letter, within) = model.letter(language, class);
                    let at = early.iter().position(|&early| early == usize::from(letter));
                    (at.unwrap_or(0), within)
                })
                .collect();
            let mut to = pairs.lane_mut(lanes.of(place));
            for &(y, _) in &letters {
                let row = &costs[y * early.len()..][..early.len()];
                for (&(z, within), to) in letters.iter().zip(&mut to) {
                    *to = u16::from(row[z]) + u16::from(within);
                }
            }
        }
        Self { numbers, count, pairs }
    }

    /// The cost of pairs in each lane.
    pub(super) fn sums(&self, pairs: &[(u8, u8, f32)]) -> Vec<f32> {
        let number = |byte: u8| u32::from(self.numbers.get(usize::from(byte)).copied().unwrap_or(0));
        let folded = u32::try_from(self.count).unwrap_or(0);
        let rows: Vec<(u32, f32)> =
            pairs.iter().map(|&(b, c, count)| (number(b) * folded + number(c), count)).collect();
        let mut sums = vec![0.0; self.pairs.lanes()];
        self.pairs.sums(&rows, ALL, &mut sums);
        sums
    }
}

/// The least share of a language's letters beyond ASCII that a page must hold.
const LEAST_COVER: f32 = 0.9;
/// A language with fewer letters beyond ASCII is at home in every Latin page.
const HARDLY_ANY: f32 = 0.002;

/// The languages of a page up to which their costs are compared to find the least.
const FEW: usize = 16;

impl Tables {
    /// The pages of a kind.
    pub(super) fn of(&self, kind: Kind) -> &[Table] {
        let start = self.tables.partition_point(|table| (table.page.kind as u8) < kind as u8);
        let end = self.tables.partition_point(|table| table.page.kind as u8 <= kind as u8);
        &self.tables[start..end]
    }

    pub(super) fn get() -> &'static Self {
        static TABLES: Once<Tables> = Once::new();
        TABLES.get_or_make(|| {
            let model = Model::get();
            let shares: Vec<Shares> =
                model.languages.iter().map(|language| Shares::of(language, model)).collect();
            let lanes = Lanes::new(&model.languages);
            let usage = Usage::new();
            let mut tables: Vec<Table> =
                PAGES.iter().map(|page| Table::new(page, &shares, &lanes, &usage, model)).collect();
            tables.sort_by_key(|table| table.page.kind as u8);
            let ascii = Ascii::new(&tables[0].classes, &lanes, model);
            // A row for each class that some page has.
            let mut rows = vec![None; model.share.len()];
            let mut count = 0;
            for table in tables.iter_mut().filter(|table| table.page.kind != Kind::Multi) {
                for (row, &class) in table.rows.iter_mut().zip(&table.classes) {
                    *row = *rows[usize::from(class)].get_or_insert_with(|| {
                        count += 1;
                        count - 1
                    });
                }
            }
            let mut alone = Rows::new(model.languages.len(), count.into());
            let mut least = vec![u16::MAX; count.into()];
            let mut classes: Vec<Class> = vec![0; count.into()];
            for (class, row) in (0..).zip(&rows) {
                if let Some(row) = row {
                    classes[usize::from(*row)] = class;
                }
            }
            for (place, language) in model.languages.iter().enumerate() {
                let all = alone.lane_mut(lanes.of(place)).zip(&mut least);
                for ((to, least), &class) in all.zip(&classes) {
                    let cost = model.alone(language, class);
                    *least = cost.min(*least);
                    *to = cost;
                }
            }
            for table in tables.iter_mut().filter(|table| table.page.kind != Kind::Multi) {
                // ASCII is the same in all pages that extend it.
                let first = if table.page.kind == Kind::Ascii { 0x80 } else { 0 };
                for (byte, cost) in table.least.iter_mut().enumerate().skip(first) {
                    let row = usize::from(table.rows[byte]);
                    *cost = least[row];
                    if table.spoken.len() <= FEW {
                        let own = table.spoken.iter().map(|held| alone.get(row, held.lane));
                        *cost = own.min().unwrap_or(u16::MAX);
                    }
                }
            }
            Self { tables, lanes, usage, alone, ascii }
        })
    }
}

impl Table {
    fn new(page: &'static Page, shares: &[Shares], lanes: &Lanes, usage: &Usage, model: &Model) -> Self {
        let mut table = Self {
            page,
            code_points: [UNDEFINED; 256],
            classes: [PRIVATE.into(); 256],
            cases: [NO_LETTER; 256],
            rows: [0; 256],
            undefined: [0; 2],
            least: [0; 256],
            marks: Marks::NONE,
            spoken: Vec::new(),
            steps: 0,
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
            table.marks = Marks::of(table.code_points[0x80..].iter().map(|&c| c.into()), usage);
            for (class, shape) in table.classes[0x80..].iter_mut().zip(&table.marks.shapes) {
                if shape.is_some() {
                    *class = model.class('/'.into());
                }
            }
        }
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
        for (place, ((language, shares), &home)) in model.languages.iter().zip(shares).zip(&homes).enumerate()
        {
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
                let lane = lanes.of(place);
                table.spoken.push(Held { place, lane, cover: 3.0 * cover.ln() + far });
                table.steps |= step_of(lane);
            }
        }
        table
    }

    /// How many bytes of `histogram` stand for nothing.
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

/// The code point of each byte of a single-byte encoding.
fn code_points(encoding: Encoding) -> [u16; 256] {
    encoding.code_points().unwrap_or([UNDEFINED; 256])
}

/// The share of each letter beyond ASCII in the text of a language.
struct Shares(Vec<(Class, f32)>);

impl Shares {
    fn of(language: &LanguageModel, model: &Model) -> Self {
        let letters = language.alphabet.iter().zip(&language.unigram[SCRIPTS..]);
        let beyond = letters.filter(|&(&class, _)| model.is_letter_beyond_ascii(class));
        Self(beyond.map(|(&class, &cost)| (class, (-f32::from(cost) / UNITS).exp())).collect())
    }

    /// The share of those that are `held`.
    fn cover(&self, held: &[bool]) -> f32 {
        let (mut all, mut covered) = (0.0, 0.0);
        for &(class, share) in &self.0 {
            all += share;
            if held[usize::from(class)] {
                covered += share;
            }
        }
        if all > 0.0 { covered / all } else { 1.0 }
    }
}
