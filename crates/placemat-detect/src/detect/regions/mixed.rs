//! Whether a file is clearly in several encodings, by the sample of its lines.

use super::kept::{Kept, Line};
use super::mixture::Mixture;
use super::score::Languages;
use crate::detect::model::{Language, Model};
use crate::detect::sample::Sample;
use crate::detect::statistics::spoken;
use crate::detect::verdict::{Candidate, Damage};
use crate::float;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_core::policy::ErrorPolicy;

/// The minimum number of lines that are clearly in an encoding, and the confidence in it.
const MIN_LINES: usize = 2;
const MIN_CONFIDENCE: f32 = 0.8;

/// Nats by which sequences of UTF-8 are text rather than bytes of another encoding that are well-formed by chance, where there
/// are as many of them as of other bytes.
const MIN_UTF8_NATS: f32 = 5.0;
/// More nats for each factor of e by which ill-formed sequences outnumber them five times.
const OUTNUMBERED_NATS: f32 = 3.0;
const OUTNUMBERED_TIMES: f32 = 5.0;
/// Sequences of UTF-8 are scored in at most this many languages by themselves, and in as many by the other reading.
const MAX_LANGUAGES: usize = 3;
/// More nats than these languages together take from the score in one more language, which is ln 7.
const SHARE_NATS: f32 = 3.0;

/// Returns `true` if a word has a letter or a mark of another script than Latin beside a letter of ASCII, as pairs have that are
/// well-formed by chance.
fn is_glued(word: &str) -> bool {
    let is_foreign = |c: char| c >= '\u{250}' && !('\u{1E00}'..'\u{1F00}').contains(&c) && c.is_alphabetic();
    let is_mark = |c: char| ('\u{300}'..'\u{370}').contains(&c) || ('\u{591}'..'\u{5C8}').contains(&c);
    let mut before = ' ';
    word.chars().any(|c| {
        let glued = (is_foreign(c) || is_mark(c)) && before.is_ascii_alphabetic()
            || c.is_ascii_alphabetic() && (is_foreign(before) || is_mark(before));
        before = c;
        glued
    })
}

/// Returns a text without frames, which the model does not know. Letters stand in none: `ni├▒o` is a word.
fn without_frames(text: &str) -> String {
    let is_drawn =
        |c: char| c.is_ascii() && !c.is_ascii_alphabetic() || ('\u{2500}'..='\u{259F}').contains(&c);
    let words = text.split_inclusive(' ').map(|word| {
        if word.chars().all(is_drawn) { word.replace(|c: char| !c.is_ascii(), "/") } else { word.into() }
    });
    words.collect()
}

/// Whether the words of a sample that are well-formed UTF-8 are more probable as such than in the encoding of the rest, in
/// which it is in `language`, by more than the nats `against`.
pub(in crate::detect) fn has_utf8(
    sample: &Sample,
    damage: Damage,
    encoding: Encoding,
    language: Option<Language>,
    against: f32,
) -> bool {
    let mut text = String::new();
    sample
        .well_formed
        .split_inclusive(' ')
        .filter(|word| !is_glued(word))
        .for_each(|word| text.push_str(word));
    if text.is_ascii() {
        return false;
    }
    let Ok(other) = encoding.decode(text.as_bytes(), ErrorPolicy::Replace) else { return true };
    let plain = without_frames(&other);
    let (ill_formed, well_formed) = (damage.ill_formed as f32, damage.well_formed.max(1) as f32);
    let chance =
        MIN_UTF8_NATS + OUTNUMBERED_NATS * float::ln(1.0 + ill_formed / (OUTNUMBERED_TIMES * well_formed));
    let mut languages = Languages::default();
    language.into_iter().for_each(|language| languages.add(language));
    // No text scores more than 0, and no further language takes more from a score than its share: mostly this spares the search
    // for languages, which unpacks all of the model.
    if languages.len() > 0 && -languages.score(&plain) + SHARE_NATS <= chance + against {
        return false;
    }
    for spoken in [spoken(&text), spoken(&other)] {
        let mut places: Vec<usize> = (0..spoken.len()).collect();
        places.sort_by(|&a, &b| spoken[b].total_cmp(&spoken[a]));
        for &place in places.iter().take(MAX_LANGUAGES) {
            languages.add(Model::get().languages[place].language);
        }
    }
    languages.score(&text) - languages.score(&plain) > chance + against
}

/// The encodings of the lines of a file, the first that of the file; empty unless there are clearly
/// several. Pass `has_utf8` if some lines or words are UTF-8.
pub(in crate::detect) fn mixed(
    sample: &Sample,
    encoding: Encoding,
    candidates: &[Candidate],
    has_utf8: bool,
) -> Vec<Encoding> {
    let mut kept = Kept::default();
    let lines = sample.pieces().flat_map(|piece| piece.split_inclusive(|&byte| byte == b'\n'));
    lines.for_each(|line| kept.ill_formed(line));
    let lines: Vec<&Line> = kept.lines().collect();
    let is_utf8 = encoding == Encoding::UTF_8;
    let mut all = vec![encoding];
    if !lines.is_empty() && (is_utf8 || Mixture::is_suspected(&lines, candidates)) {
        let mixture = Mixture::learn(&kept);
        let fewest = if is_utf8 { 1 } else { MIN_LINES };
        let found = mixture.parts.iter().zip(&mixture.lines);
        let clear: Vec<Encoding> = found
            .filter(|(part, lines)| part.confidence >= MIN_CONFIDENCE && **lines >= fewest)
            .map(|(part, _)| part.encoding)
            .collect();
        if is_utf8 {
            all.extend(clear);
        } else if clear.len() > 1 {
            all = clear;
            // The file's own first.
            all.sort_by_key(|&own| own != encoding);
        }
    }
    if has_utf8 && !is_utf8 {
        all.push(Encoding::UTF_8);
    }
    if all.len() > 1 { all } else { Vec::new() }
}
