//! Scores of encodings with several bytes a character.

use super::grams::{Gram, Grams};
use super::group::{Counted, Fit, Group, Page, Spoken, nats};
use super::single::{Ascii, NOISE, fit};
use super::tables::{Table, Tables};
use crate::detect::certain::UTF_16;
use crate::detect::model::{Class, LanguageModel, Model};
use crate::float;
use alloc::vec;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_core::ErrorPolicy;

/// Nats for a character of a text unlike those that the model was trained on.
const UNLIKE_MODEL_NATS: f32 = 1.3;

/// The cost of a truncated character at the end, in nats.
const CUT_NATS: f32 = 12.0;

/// Nats for each stretch of non-ASCII bytes whose bytes go together without an error, after the first ones: every other
/// stretch of single bytes has an odd number of them.
const RUN_NATS: f32 = 0.4;
const FREE_RUNS: usize = 4;

/// Nats for an ill-formed sequence: where there is one, the bytes go together by chance.
const ILL_FORMED_NATS: f32 = 20.0;

/// A text with an error in fewer non-ASCII bytes than this is not in the encoding.
const MIN_HIGH_BYTES_PER_ERROR: usize = 30;

/// Nats for fewer than three non-ASCII characters.
const FEW_CHARACTERS_NATS: f32 = 4.0;

/// The structure of an encoding: how much of what is possible it uses.
#[derive(Clone, Copy)]
struct Structure {
    encoding: Encoding,
    /// The number of characters of several bytes.
    characters: f32,
    /// Nats by which two non-ASCII bytes that are a character of it are less probable in noise than any two.
    proof: f32,
}

impl Structure {
    fn of(encoding: Encoding) -> Option<&'static Self> {
        STRUCTURES.iter().find(|known| known.encoding == encoding)
    }
}

const fn structure(encoding: Encoding, characters: f32, proof: f32) -> Structure {
    Structure { encoding, characters, proof }
}

/// By the assigned cells of the standards, and their share of all pairs of non-ASCII bytes.
static STRUCTURES: [Structure; 8] = [
    structure(Encoding::EUC_JP, 6_879.0, 0.87),
    structure(Encoding::EUC_KR, 8_227.0, 0.69),
    structure(Encoding::SHIFT_JIS, 6_942.0, 0.4),
    structure(Encoding::BIG5, 13_053.0, 0.6),
    structure(Encoding::BIG5_HKSCS, 18_000.0, 0.4),
    structure(Encoding::GB18030, 21_886.0, 0.0),
    structure(Encoding::EUC_TW, 48_000.0, 0.69),
    structure(Encoding::JOHAB, 17_000.0, 0.2),
];

/// Returns the nats of one of the characters of an encoding in a list of all of them, of which some part of a text may
/// consist: no character costs more.
fn listed(encoding: Encoding) -> f32 {
    const SHARE: f32 = 0.1;
    Structure::of(encoding).map_or(f32::MAX, |known| float::ln(known.characters / SHARE))
}

/// Nats of a symbol that follows itself, as in frames and pictures made of characters, of a piece of those, and of any other
/// symbol.
const REPEATED_NATS: f32 = 1.0;
const DRAWN_NATS: f32 = 5.0;
const SYMBOL_NATS: f32 = 9.0;
/// Nats of ASCII after a character of several bytes: in a table, every word is short.
const ASCII_AFTER_NATS: f32 = 3.0;

/// Returns the nats of a code point after another where the model gives `cost`, and no character costs more than `most`.
fn bounded(cost: f32, before: u32, own: u32, most: f32) -> f32 {
    match own {
        0..=0x7F if before >= 0x2E80 => cost.min(ASCII_AFTER_NATS),
        0..=0x7F => cost,
        0x2014 | 0x2026 | 0x2500..=0x25FF | 0x2605 | 0x2606 | 0x3000 if own == before => {
            cost.min(REPEATED_NATS)
        }
        0x2500..=0x25FF | 0x2605 | 0x2606 => cost.min(DRAWN_NATS),
        0x2010..=0x2BFF | 0x3001..=0x303F | 0xFF00..=0xFF0F | 0xFFE0..=0xFFEF => cost.min(SYMBOL_NATS),
        _ => cost.min(most),
    }
}

/// Nats against a half-width kana: the model knows only full-width ones, which are far more usual.
const HALF_WIDTH_NATS: f32 = 2.0;
/// Nats for each pair of Big5 against it, if no pair ends with a byte of ASCII: two of five characters do.
const NO_ASCII_TRAIL_NATS: f32 = 0.5;

/// Nats against a text that is a list or a picture.
const LIST_NATS: f32 = 30.0;

/// Returns the classes of neighborhoods.
fn classes<'a>(grams: &'a [Gram<u32>], model: &'a Model) -> impl Iterator<Item = [Class; 3]> {
    grams.iter().map(|gram| gram.units.map(|c| model.class(c)))
}

/// The cost of a decoded text, in nats: as text in a language, or as a list in which no character costs more than `most`.
fn costs(
    grams: &[Gram<u32>],
    classes: impl Iterator<Item = [Class; 3]>,
    most: f32,
    cost: impl Fn([Class; 3], u32) -> u32,
) -> f32 {
    let (mut text, mut list) = (0.0, LIST_NATS);
    for (gram, classes) in grams.iter().zip(classes) {
        let [_, before, own] = gram.units;
        let cost = nats(cost(classes, own) as f32);
        let cost = if matches!(own, 0xFF61..=0xFF9F) { cost + HALF_WIDTH_NATS } else { cost };
        text += gram.count * cost;
        list += gram.count * bounded(cost, before, own, most);
    }
    text.min(list)
}

/// Returns the cost of pairs, in nats.
fn twos(
    grams: &[Gram<u32>],
    classes: &[[Class; 3]],
    most: f32,
    language: &LanguageModel,
    model: &Model,
) -> f32 {
    costs(grams, classes.iter().copied(), most, |[_, b, c], own| model.after_one(language, b, c, own))
}

/// Returns the cost of threes, in nats.
pub(super) fn threes(
    grams: &[Gram<u32>],
    encoding: Option<Encoding>,
    language: &LanguageModel,
    model: &Model,
) -> f32 {
    let threes = model.threes(language);
    let most = encoding.map_or(f32::MAX, listed);
    costs(grams, classes(grams, model), most, |[a, b, c], own| threes.of(a, b, c, own))
}

/// At least this many bytes are decoded at a time, so that errors in the first ones spare the others.
const PIECE_BYTES: usize = 2048;

/// Returns the pieces of a text that are decoded by themselves: each but the last ends with a space or a line end, where every
/// encoding but UTF-16 ends a character.
fn pieces(encoding: Encoding, mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let least = if UTF_16.contains(&encoding) { usize::MAX } else { PIECE_BYTES };
    core::iter::from_fn(move || {
        let far = bytes.get(least..).and_then(|far| far.iter().position(|byte| b" \n".contains(byte)));
        let end = far.map_or(bytes.len(), |at| least + at + 1);
        let piece = bytes.split_off(..end)?;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Returns the text, the number of its errors, and whether its last character is truncated; `None` for more than `most` errors.
fn decode(encoding: Encoding, bytes: &[u8], most: usize) -> Option<(Vec<u32>, usize, bool)> {
    let read = |bytes: &[u8], text: &mut Vec<u32>| -> Option<usize> {
        let start = text.len();
        text.extend(encoding.decode(bytes, ErrorPolicy::Replace).ok()?.chars().map(u32::from));
        Some(text[start..].iter().filter(|&&c| c == 0xFFFD).count())
    };
    let mut text = Vec::with_capacity(bytes.len());
    let (mut errors, mut last) = (0, (&[][..], 0, 0));
    for piece in pieces(encoding, bytes) {
        if errors > most {
            return None;
        }
        last = (piece, text.len(), errors);
        errors += read(piece, &mut text)?;
    }
    let (piece, start, before) = last;
    if errors > before && text.last() == Some(&0xFFFD) {
        for back in 1..=3.min(piece.len()) {
            let mut shorter = Vec::new();
            let fewer = before + read(&piece[..piece.len() - back], &mut shorter)?;
            if fewer < errors && shorter.last().or(text[..start].last()) != Some(&0xFFFD) {
                text.truncate(start);
                text.extend(shorter);
                return Some((text, fewer, true));
            }
        }
    }
    Some((text, errors, false))
}

/// Returns an encoding with its languages by pairs of letters; `None` if the bytes are not in it. `broken` errors of
/// structure are known before it is decoded.
pub(super) fn group(
    table: &'static Table,
    text: &[u8],
    broken: usize,
    favour: f32,
    ascii: &Ascii,
    bytes: &Grams<u8>,
    model: &Model,
) -> Option<Found> {
    let high = text.iter().filter(|byte| !byte.is_ascii()).count();
    if broken * 15 > high {
        return None;
    }
    let encoding = table.page.encoding;
    let most_errors = high / MIN_HIGH_BYTES_PER_ERROR;
    let (decoded, errors, cut) = decode(encoding, text, most_errors)?;
    if errors > most_errors {
        return None;
    }
    let is_broken = errors > 0 || broken > 0;
    let characters = decoded.iter().filter(|&&c| c >= 0x80).count();
    let grams = Grams::of(&decoded);
    let mut fixed =
        favour + table.page.prior - ILL_FORMED_NATS * errors as f32 - if cut { CUT_NATS } else { 0.0 };
    // A single character proves little.
    if characters < 3 {
        fixed -= FEW_CHARACTERS_NATS;
    }
    if !is_broken && !cut {
        let runs = text.windows(2).filter(|pair| pair[0].is_ascii() && !pair[1].is_ascii()).count();
        fixed += RUN_NATS * runs.saturating_sub(FREE_RUNS) as f32;
    }
    if [Encoding::BIG5, Encoding::BIG5_HKSCS].contains(&encoding) && high == 2 * characters {
        fixed -= NO_ASCII_TRAIL_NATS * (high / 2) as f32;
    }
    // Words in ASCII that this encoding reads otherwise than ASCII does count by themselves.
    fixed +=
        if grams.ascii_places == bytes.ascii_places { ascii.best } else { own_ascii(&grams, model).best };
    let most = listed(encoding);
    let known: Vec<[Class; 3]> = classes(&grams.beyond, model).collect();
    let mut languages: Vec<Spoken> = Tables::get()
        .spoken(table)
        .languages
        .iter()
        .map(|held| {
            let fixed = ascii.language(held.place);
            let cost = twos(&grams.beyond, &known, most, &model.languages[held.place], model);
            Spoken { place: held.place, fixed, score: fixed - cost }
        })
        .collect();
    languages.sort_by(|a, b| b.score.total_cmp(&a.score));
    if languages.is_empty() {
        return None;
    }
    let page = Page { table, fixed: fixed - nats(factors(&grams.beyond, model)), languages };
    let is_strict = Structure::of(encoding).is_some_and(|known| known.proof >= MIN_PROOF_STRICTNESS);
    let is_proved = is_strict && characters >= MIN_PROOF_PAIRS && !is_broken;
    let reading = reading(&decoded);
    let grams = Counted::Own(grams.beyond);
    Some(Found { is_broken, group: Group { reading, grams, pages: vec![page], is_proved } })
}

/// Returns the words in ASCII of a decoded text.
fn own_ascii(grams: &Grams<u32>, model: &Model) -> Ascii {
    let byte = |c: u32| u8::try_from(c).unwrap_or(b' ');
    let grams = grams.ascii.iter().map(|gram| Gram { units: gram.units.map(byte), count: gram.count });
    Ascii::new(&grams.collect::<Vec<_>>(), 0.0, Tables::get(), model)
}

/// Returns a number that two encodings share if they make the same text of the bytes.
fn reading(text: &[u32]) -> u64 {
    text.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &c| (hash ^ u64::from(c)).wrapping_mul(0x0100_0000_01B3))
}

/// Returns the cost of case and of ASCII punctuation, which no language changes, in units.
fn factors(grams: &[Gram<u32>], model: &Model) -> f32 {
    grams
        .iter()
        .map(|gram| {
            let [a, b, c] = gram.units.map(|c| usize::from(model.case_of(c)));
            let mark = model.mark(model.class(gram.units[0]), gram.units[1], model.class(gram.units[2]));
            gram.count * f32::from(u16::from(model.case[a * 16 + b * 4 + c]) + u16::from(mark))
        })
        .sum()
}

/// A reading by an encoding of several bytes.
pub(super) struct Found {
    group: Group,
    is_broken: bool,
}

/// The pairs that prove a strict structure if none has an error, and how strict it must be.
const MIN_PROOF_PAIRS: usize = 100;
const MIN_PROOF_STRICTNESS: f32 = 0.6;

/// Returns the readings that are left: where one has the structure of its encoding throughout, another with errors has it by
/// chance.
pub(super) fn proved(found: Vec<Found>) -> impl Iterator<Item = Group> {
    let is_proved = found.iter().any(|found| found.group.is_proved);
    found.into_iter().filter(move |found| !(is_proved && found.is_broken)).map(|found| found.group)
}

/// Nats by which the non-ASCII characters are more probable than two bytes of noise each.
/// `rarity` is the nats for finding such a byte in the text.
pub(super) fn fit_of(
    grams: &[Gram<u32>],
    encoding: Encoding,
    rarity: f32,
    language: &LanguageModel,
    model: &Model,
) -> Fit {
    let proof = Structure::of(encoding).map_or(0.0, |known| known.proof);
    let noise = 2.0 * NOISE + rarity + UNLIKE_MODEL_NATS + proof;
    let (mut sum, mut count) = (0.0, 0.0);
    for gram in grams.iter().filter(|gram| gram.units[2] >= 0x80) {
        let [a, b, c] = gram.units.map(|c| model.class(c));
        // Half-width kana are single bytes.
        let noise = if matches!(gram.units[2], 0xFF61..=0xFF9F) { NOISE } else { noise };
        let cost = nats(model.after_two(language, a, b, c, gram.units[2]) as f32);
        sum += gram.count * (noise - bounded(cost, gram.units[1], gram.units[2], f32::MAX));
        count += gram.count;
    }
    Fit { over_noise: fit(sum, count, 0.0), mean: sum / f32::max(count, 1.0), slack: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text as a whole, the number of its errors, and whether its last character is truncated.
    fn decode_whole(encoding: Encoding, bytes: &[u8]) -> (Vec<u32>, usize, bool) {
        let read = |bytes: &[u8]| -> (Vec<u32>, usize) {
            let text = encoding.decode(bytes, ErrorPolicy::Replace).expect("nothing stops it");
            let text: Vec<u32> = text.chars().map(u32::from).collect();
            let errors = text.iter().filter(|&&c| c == 0xFFFD).count();
            (text, errors)
        };
        let (text, errors) = read(bytes);
        for back in 1..=3.min(bytes.len()) {
            let (shorter, fewer) = read(&bytes[..bytes.len() - back]);
            if text.last() == Some(&0xFFFD) && fewer < errors && shorter.last() != Some(&0xFFFD) {
                return (shorter, fewer, true);
            }
        }
        (text, errors, false)
    }

    #[test]
    fn a_text_in_pieces_is_the_text_as_a_whole() {
        let mut state = 1_u64;
        let mut random = |most: usize| {
            state = state.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31) ^ 0xA5;
            (state >> 33) as usize % most
        };
        for table in Tables::get().of(super::super::pages::Kind::Multi) {
            let encoding = table.page.encoding;
            for round in 0..200 {
                let len = random(3 * PIECE_BYTES);
                let usual = [0x80, 0x100][round % 2];
                let bytes: Vec<u8> = (0..len)
                    .map(|_| {
                        if random(12) == 0 {
                            b" \n0a"[random(4)]
                        } else {
                            u8::try_from(0xFF - random(usual)).unwrap_or(0)
                        }
                    })
                    .collect();
                let whole = decode_whole(encoding, &bytes);
                let errors = whole.1;
                assert_eq!(decode(encoding, &bytes, usize::MAX), Some(whole), "{encoding} {round}");
                if let Some((_, found, _)) = decode(encoding, &bytes, errors / 2) {
                    assert_eq!(found, errors);
                }
                assert!(decode(encoding, &bytes, errors).is_some(), "{encoding} {round}");
            }
        }
    }
}
