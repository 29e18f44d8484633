//! What each page makes of each byte, in the classes and letters of the model.

use super::histogram::Histogram;
use super::pages::{Kind, PAGES, Page};
use crate::detect::model::characters::{C1, LATIN, NO_LETTER, PRIVATE, SCRIPTS};
use crate::detect::model::{Class, LanguageModel, Model, UNITS};
use crate::forms::encoding::{self, Encoding};
pub(super) use crate::kernels::single_byte::UNDEFINED;
use alloc::vec;
use alloc::vec::Vec;
use std::sync::OnceLock;

/// A page by the model.
pub(super) struct Table {
    pub(super) page: &'static Page,
    /// The code point of each byte of a single-byte page; [`UNDEFINED`] where there is none.
    pub(super) code_points: [u16; 256],
    pub(super) classes: [Class; 256],
    pub(super) cases: [u8; 256],
    /// The languages that the page can hold.
    pub(super) readings: Vec<Reading>,
    /// The cost of each byte in the language where it costs least.
    pub(super) least: [i16; 256],
}

/// A language in a page.
pub(super) struct Reading {
    /// The place of the language in the model.
    pub(super) language: usize,
    /// In nats, at most 0: for the letters of the language that the page cannot write, and for a page of another region.
    pub(super) cover: f32,
    /// The letter of each byte.
    pub(super) letters: [u8; 256],
    /// The cost of each byte within its letter.
    pub(super) within: [u8; 256],
    /// The cost of each byte by itself.
    pub(super) alone: [i16; 256],
}

/// All pages.
pub(super) struct Tables {
    pub(super) tables: Vec<Table>,
    /// All languages of the model in ASCII, which most pages extend.
    pub(super) ascii: Vec<Reading>,
}

/// The least share of a language's letters beyond ASCII that a page must hold.
const LEAST_COVER: f32 = 0.9;
/// A language with fewer letters beyond ASCII is at home in every Latin page.
const HARDLY_ANY: f32 = 0.002;

impl Tables {
    pub(super) fn get() -> &'static Self {
        static TABLES: OnceLock<Tables> = OnceLock::new();
        TABLES.get_or_init(|| {
            let model = Model::get();
            let tables: Vec<Table> = PAGES.iter().map(|page| Table::new(page, model)).collect();
            let classes = core::array::from_fn(|byte| if byte < 0x80 { tables[0].classes[byte] } else { 0 });
            let ascii = (0..)
                .zip(&model.languages)
                .map(|(place, language)| Reading::new(place, language, 0.0, &classes, model))
                .collect();
            Self { tables, ascii }
        })
    }
}

impl Table {
    fn new(page: &'static Page, model: &Model) -> Self {
        let mut table = Self {
            page,
            code_points: [UNDEFINED; 256],
            classes: [PRIVATE.into(); 256],
            cases: [NO_LETTER; 256],
            readings: Vec::new(),
            least: [i16::MAX; 256],
        };
        if page.kind != Kind::Multi {
            table.code_points = code_points(page.encoding);
            for (byte, &c) in table.code_points.iter().enumerate() {
                if c != UNDEFINED {
                    // In EBCDIC, U+0085 ends lines.
                    let is_next_line = c == 0x85 && page.kind == Kind::Ebcdic;
                    let is_c1 = matches!(c, 0x80..0xA0) && !is_next_line;
                    table.classes[byte] = if is_c1 { C1.into() } else { model.class(c.into()) };
                    table.cases[byte] = model.case_of(c.into());
                }
            }
        }
        let mut held = vec![false; model.share.len()];
        for &class in &table.classes {
            held[usize::from(class)] = true;
        }
        let latin = page.kind == Kind::Multi || table.code_points.contains(&0xE9);
        for (place, language) in model.languages.iter().enumerate() {
            let home = page.languages.contains(&language.language.code());
            let far = if home || page.languages.is_empty() { 0.0 } else { page.abroad };
            if far == f32::NEG_INFINITY {
                continue;
            }
            let cover = match page.kind {
                Kind::Multi => 1.0,
                _ if language.script == LATIN && language.beyond_ascii < HARDLY_ANY => {
                    f32::from(u8::from(latin))
                }
                _ => cover(language, model, &held).max(if home { LEAST_COVER } else { 0.0 }),
            };
            if cover >= LEAST_COVER {
                table.readings.push(Reading::new(
                    place,
                    language,
                    3.0 * cover.ln() + far,
                    &table.classes,
                    model,
                ));
            }
        }
        for reading in &table.readings {
            for (least, &own) in table.least.iter_mut().zip(&reading.alone) {
                *least = own.min(*least);
            }
        }
        table
    }

    /// How many bytes of `histogram` stand for nothing.
    pub(super) fn undefined(&self, histogram: &Histogram) -> u32 {
        histogram
            .each()
            .filter(|&(byte, _)| self.code_points[byte] == UNDEFINED)
            .map(|(_, count)| count)
            .sum()
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
    match encoding.kind() {
        encoding::Kind::SingleByte(charset) => charset.code_points(),
        encoding::Kind::Latin1 => core::array::from_fn(|byte| u16::try_from(byte).unwrap_or(UNDEFINED)),
        _ => [UNDEFINED; 256],
    }
}

/// The share of a language's letters beyond ASCII that are `held`.
fn cover(language: &LanguageModel, model: &Model, held: &[bool]) -> f32 {
    let (mut all, mut covered) = (0.0, 0.0);
    for (&class, &cost) in language.alphabet.iter().zip(&language.unigram[SCRIPTS..]) {
        if !model.is_letter_beyond_ascii(class) {
            continue;
        }
        let share = (-f32::from(cost) / UNITS).exp();
        all += share;
        if held[usize::from(class)] {
            covered += share;
        }
    }
    if all > 0.0 { covered / all } else { 1.0 }
}

impl Reading {
    fn new(
        place: usize,
        language: &LanguageModel,
        cover: f32,
        classes: &[Class; 256],
        model: &Model,
    ) -> Self {
        let letters = classes.map(|class| language.local[usize::from(class)]);
        let mut within = [0; 256];
        let mut alone = [0; 256];
        for byte in 0..256 {
            let letter = usize::from(letters[byte]);
            if letter < SCRIPTS {
                within[byte] = model.share[usize::from(classes[byte])];
            }
            alone[byte] = i16::from(language.unigram[letter]) + i16::from(within[byte]);
        }
        Self { language: place, cover, letters, within, alone }
    }
}
