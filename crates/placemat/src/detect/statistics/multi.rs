//! Scores of encodings with several bytes a character.

use super::grams::{Gram, Grams};
use super::group::{Counted, Group, Page, Spoken, UNDEFINED_COST, nats};
use super::single::{Ascii, NOISE};
use super::tables::{Table, Tables};
use crate::ErrorPolicy;
use crate::detect::model::{Class, LanguageModel, Model};
use crate::forms::encoding::Encoding;
use alloc::vec;
use alloc::vec::Vec;

/// Nats for a character of a text unlike those that the model was trained on.
const SLACK: f32 = 1.3;

/// Nats for a character cut off at the end.
const CUT: f32 = 12.0;

/// Nats for fewer than three characters beyond ASCII.
const FEW: f32 = 4.0;

/// The cost of a decoded text, in nats.
fn costs(grams: &[Gram<u32>], cost: impl Fn([Class; 3], u32) -> u32, model: &Model) -> f32 {
    let all: f32 = grams
        .iter()
        .map(|gram| gram.count * cost(gram.units.map(|c| model.class(c)), gram.units[2]) as f32)
        .sum();
    nats(all)
}

/// The cost of pairs, in nats.
fn twos(grams: &[Gram<u32>], language: &LanguageModel, model: &Model) -> f32 {
    costs(grams, |[_, b, c], own| model.after_one(language, b, c, own), model)
}

/// The cost of threes, in nats.
pub(super) fn threes(grams: &[Gram<u32>], language: &LanguageModel, model: &Model) -> f32 {
    let threes = model.threes(language);
    costs(grams, |[a, b, c], own| threes.of(a, b, c, own), model)
}

/// The text, the number of its errors, and whether its last character is cut off.
fn decode(encoding: Encoding, bytes: &[u8]) -> Option<(Vec<u32>, usize, bool)> {
    let read = |bytes: &[u8]| -> Option<(Vec<u32>, usize)> {
        let text = encoding.decode(bytes, ErrorPolicy::Replace).ok()?;
        let text: Vec<u32> = text.chars().map(u32::from).collect();
        let errors = text.iter().filter(|&&c| c == 0xFFFD).count();
        Some((text, errors))
    };
    let (text, errors) = read(bytes)?;
    if errors > 0 && text.last() == Some(&0xFFFD) {
        for back in 1..=3.min(bytes.len()) {
            let (shorter, fewer) = read(&bytes[..bytes.len() - back])?;
            if fewer < errors && shorter.last() != Some(&0xFFFD) {
                return Some((shorter, fewer, true));
            }
        }
    }
    Some((text, errors, false))
}

/// An encoding with its languages by pairs of letters; `None` if the bytes are not in it. `broken` errors of structure are
/// known before it is decoded.
pub(super) fn group(
    table: &'static Table,
    text: &[u8],
    broken: usize,
    favour: f32,
    ascii: &Ascii,
    bytes: &Grams<u8>,
    model: &Model,
) -> Option<Group> {
    let high = text.iter().filter(|byte| !byte.is_ascii()).count();
    if broken * 15 > high {
        return None;
    }
    let (decoded, errors, cut) = decode(table.page.encoding, text)?;
    if errors * 30 > high {
        return None;
    }
    let grams = Grams::of(&decoded);
    let mut fixed = favour + table.page.prior - UNDEFINED_COST * errors as f32 - if cut { CUT } else { 0.0 };
    // A single character proves little.
    if decoded.iter().filter(|&&c| c >= 0x80).take(3).count() < 3 {
        fixed -= FEW;
    }
    // Words in ASCII that this encoding reads otherwise than ASCII does count by themselves.
    if grams.ascii_places == bytes.ascii_places {
        fixed += ascii.best;
    } else {
        let own: Vec<Gram<u8>> = grams
            .ascii
            .iter()
            .map(|gram| Gram {
                units: gram.units.map(|c| u8::try_from(c).unwrap_or(b' ')),
                count: gram.count,
            })
            .collect();
        fixed += Ascii::new(&own, 0.0, Tables::get(), model).best;
    }
    let mut reading = 0xCBF2_9CE4_8422_2325u64;
    for &c in &decoded {
        reading = (reading ^ u64::from(c)).wrapping_mul(0x0100_0000_01B3);
    }
    let factors: f32 = grams
        .beyond
        .iter()
        .map(|gram| {
            let [a, b, c] = gram.units.map(|c| usize::from(model.case_of(c)));
            let mark = model.mark(model.class(gram.units[0]), gram.units[1], model.class(gram.units[2]));
            gram.count * f32::from(u16::from(model.case[a * 16 + b * 4 + c]) + u16::from(mark))
        })
        .sum();
    let mut languages: Vec<Spoken> = table
        .spoken
        .iter()
        .map(|held| {
            let fixed = ascii.language(held.place);
            let cost = twos(&grams.beyond, &model.languages[held.place], model);
            Spoken { place: held.place, fixed, score: fixed - cost }
        })
        .collect();
    languages.sort_by(|a, b| b.score.total_cmp(&a.score));
    if languages.is_empty() {
        return None;
    }
    let page = Page { table, fixed: fixed - nats(factors), languages };
    Some(Group { reading, grams: Counted::Own(grams.beyond), pages: vec![page] })
}

/// Nats by which the characters beyond ASCII are more probable than two bytes of noise each.
/// `rarity` is the nats for finding such a byte in the text.
pub(super) fn over_noise(grams: &[Gram<u32>], rarity: f32, language: &LanguageModel, model: &Model) -> f32 {
    let noise = 2.0 * NOISE + rarity + SLACK;
    grams
        .iter()
        .filter(|gram| gram.units[2] >= 0x80)
        .map(|gram| {
            let [a, b, c] = gram.units.map(|c| model.class(c));
            // Half-width kana are single bytes.
            let noise = if matches!(gram.units[2], 0xFF61..=0xFF9F) { NOISE } else { noise };
            gram.count * (noise - nats(model.after_two(language, a, b, c, gram.units[2]) as f32))
        })
        .sum()
}
