//! The features of a change, and the changes that are never made.
//!
//! A change needs a greater gain if there is little evidence: only one sequence, a sequence of symbols, or a sequence that yields
//! a code point of no known alphabet.

use super::bom;
use super::classes::{Classes, class};
use super::features::{Feature, Features};
use super::line::Line;
use super::pages::Singles;
use super::peel::is_box;
use super::scorer::is_unknown;
use super::{pages, suspect, symbols};
use crate::detect::model::Model;
use crate::detect::model::characters::{self, HANGUL, IDEOGRAPHS, LATIN, OTHER, PRIVATE, SYMBOLS};
use crate::float;
use alloc::vec::Vec;
use core::ops::Range;

/// The nats of pages as which text is not often misread, and rarely.
const UNUSUAL_PAGE_NATS: f32 = -0.5;
const RARE_PAGE_NATS: f32 = -1.5;

/// A change that is judged.
pub(super) struct Evidence<'a> {
    pub(super) old: &'a [u32],
    pub(super) new: &'a [u32],
    pub(super) sequences: usize,
    /// The page of the outermost layer.
    pub(super) page: usize,
}

/// Code points that no text has: those that are not assigned, for private use, or noncharacters.
const fn is_no_text(c: u32) -> bool {
    matches!(c, 0xE000..=0xF8FF | 0xFDD0..=0xFDEF | 0xFFF0..=0xFFF8 | 0xFFFE | 0xFFFF | 0x2FE0..=0x2FEF)
        || c >= 0x1_0000
            && (c & 0xFFFE == 0xFFFE
                || !symbols::is_emoji(c)
                    && !matches!(c, 0x1_0000..=0x1_24FF | 0x1_3000..=0x1_345F | 0x1_6800..=0x1_6FFF
                        | 0x1_7000..=0x1_8CFF | 0x1_B000..=0x1_B2FF | 0x1_D000..=0x1_D7FF | 0x1_E000..=0x1_E95F
                        | 0x1_EE00..=0x1_EEFF | 0x2_0000..=0x3_23AF | 0xE_0020..=0xE_007F | 0xE_0100..=0xE_01EF))
}

/// Returns `true` if a line has no right to become another, whatever the language model says: the new one has code points that no
/// text has, ideographs beside accented letters that were left over, frames that were left over, or something else than a
/// signature.
pub(super) fn is_never_better(old: &[u32], new: &[u32], pages: &[u8]) -> bool {
    let count = |text: &[u32], is: fn(u32) -> bool| text.iter().filter(|&&c| is(c)).count();
    let rises = |is: fn(u32) -> bool| count(new, is) > count(old, is);
    if rises(is_no_text) || bom::is_misread(old, new) {
        return true;
    }
    let is_single = pages.iter().all(|&page| usize::from(page) < pages::SINGLE.len());
    let is_accented = |c: u32| c >= 0xC0 && characters::script(c) == LATIN;
    // An ideograph of plane 2 or 3 is too rare to be alone.
    let rare = |c: u32| (0x2_0000..0x3_3000).contains(&c);
    let east = |c: u32| matches!(characters::script(c), IDEOGRAPHS | HANGUL);
    let is_left_over = |c: u32| is_accented(c) || (0x80..0xC0).contains(&c) || (0x2010..0x2100).contains(&c);
    if is_single
        && rises(east)
        && (count(new, rare) > 0
            || new
                .windows(2)
                .any(|pair| east(pair[0]) && is_left_over(pair[1]) || is_left_over(pair[0]) && east(pair[1])))
    {
        return true;
    }
    let is_frame = |c: u32| (0x2500..=0x257F).contains(&c);
    let (before, after) = (count(old, is_frame), count(new, is_frame));
    is_single && after > 0 && after < before && before - after < 4 * after
}

/// Returns `true` if the best change of a line is chance: symbols of mathematics or of frames that become one or two letters
/// which stand by themselves (`√π`), or letters of a script that become Latin letters and marks among words of that script
/// (`Γ΄ τάξη`).
pub(super) fn is_chance(old: &[u32], new: &Line) -> bool {
    let source =
        |at: usize| new.origin.get(at).and_then(|&origin| old.get(origin as usize)).copied().unwrap_or(0);
    let changed: Vec<usize> = (0..new.text.len()).filter(|&at| source(at) != new.text[at]).collect();
    let Some(&at) = changed.first() else { return false };
    let is_letter = |c: u32| Model::get().case_of(c) > 0;
    let beside = |at: Option<usize>| at.and_then(|at| new.text.get(at)).is_some_and(|&c| is_letter(c));
    let is_symbol = |c: u32| matches!(c, 0x2200..=0x22FF | 0x2500..=0x259F | 0x2320 | 0x2321);
    let is_alone = |&at: &usize| !beside(at.checked_sub(1)) && !beside(Some(at + 1));
    let first = source(at);
    if is_symbol(first) && changed.len() <= 2 && changed.iter().all(is_alone) && is_letter(new.text[at]) {
        return true;
    }
    let script = characters::script(first);
    if !is_letter(first) || first < 0x80 || matches!(script, LATIN | SYMBOLS | IDEOGRAPHS | HANGUL | OTHER) {
        return false;
    }
    let stays = |&at: &usize| {
        is_letter(new.text[at]) && characters::script(new.text[at]) == script && source(at) == new.text[at]
    };
    changed.len() <= MAX_CHANGED_LETTERS
        && changed.iter().all(|&at| new.text[at] < 0x250)
        && (0..new.text.len()).filter(stays).count() >= MIN_LETTERS
}

/// A line with at least this many letters of a script is text in it.
const MIN_LETTERS: usize = 5;
/// At most this many letters of another script may change.
const MAX_CHANGED_LETTERS: usize = 4;

/// Returns the features of a whole change.
pub(super) fn features(change: &Evidence<'_>) -> Features {
    let Evidence { old, new, sequences, page } = *change;
    let model = Model::get();
    let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same;
    let same_end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (range, new_range) = (same..old.len() - same_end, same..new.len() - same_end);
    let (before, after) = (&old[range.clone()], &new[new_range.clone()]);
    let script = |c: u32| characters::script(c);
    let is_letter = |c: u32| model.case_of(c) > 0;
    let beyond = || after.iter().copied().filter(|&c| c >= 0x80);
    let mut features = Features::only(Feature::Change);
    // Two runs that become an opening mark and the closing one that goes with it do not do so by chance.
    if quotation(after) {
        return features;
    }
    let is_single = page < pages::SINGLE.len();
    let prior = pages::page(page).1;
    let is_symbol = |c: u32| symbols::is_symbol(c) || symbols::goes_with_emoji(c);
    let is_proof = |c: u32| if is_single { is_symbol(c) } else { symbols::is_emoji(c) };
    if beyond().next().is_some() && beyond().all(is_proof) {
        // The structure of symbols has been counted as a feature already.
        features.add(Feature::OnlySymbols, 1.0);
        features.add_if(Feature::OnlySymbolsOfRarePage, prior < RARE_PAGE_NATS);
        return features;
    }
    features.add_if(Feature::TwoSequences, sequences == 2);
    features.add_if(Feature::ManySequences, sequences > 2);
    let unknown = beyond().filter(|&c| is_unknown(c)).count();
    features.add_if(Feature::UnknownLetters, unknown * 10 > beyond().count() * 3);
    let (odd_before, odd_after) = (odd_around(old, &range), odd_around(new, &new_range));
    // Symbols and letters of another script in or as a word, which become letters of the words around.
    let is_word = after
        .iter()
        .all(|&c| c < 0x80 || is_letter(c) && script(c) == LATIN || (0x2010..0x2020).contains(&c));
    let inside = is_word && (odd_before > 0 || odd_inside(old, &range));
    let is_few = sequences <= 2 && !inside;
    features.add_if(Feature::FewOfRarePage, is_few && prior < RARE_PAGE_NATS);
    features
        .add_if(Feature::FewOfUnusualPage, is_few && (RARE_PAGE_NATS..UNUSUAL_PAGE_NATS).contains(&prior));
    // A text is no better if it had nothing odd, or has the same number of odd places as before.
    // Ideographs for Latin letters are not odd.
    let latin = !is_single && beyond().all(|c| script(c) == LATIN);
    features.add_if(Feature::StaysOdd, odd_after >= odd_before.max(1) || odd_before == 0 && !latin);
    let is_no_text = |c| script(c) == PRIVATE || (0x4_0000..0xE_0000).contains(&c);
    features.add_if(Feature::NoText, beyond().any(is_no_text));
    let is_foreign = |&c: &u32| is_letter(c) && !matches!(script(c), LATIN | SYMBOLS);
    features.add_if(Feature::ForeignLetter, sequences == 1 && !inside && before.iter().any(is_foreign));
    if sequences <= 2 && before.len() <= 2 * sequences {
        add_short(change, &range, after, &mut features);
    }
    add_chance(change, &range, after, &mut features);
    // C1 controls are not text, so their replacement cannot be worse.
    let is_control = |&c: &u32| Classes::get().class(c) == class::CONTROL;
    let least = Features::only(Feature::Change);
    if before.iter().any(is_control) && features.nats() < least.nats() { least } else { features }
}

/// Adds the features of a stretch that consists of one or two sequences only.
fn add_short(change: &Evidence<'_>, range: &Range<usize>, after: &[u32], features: &mut Features) {
    let (before, model) = (&change.old[range.clone()], Model::get());
    let is_letter = |c: u32| model.case_of(c) > 0;
    let is_usual = |c: u32| {
        is_letter(c)
            || (0x2010..0x2040).contains(&c)
            || matches!(c, 0xA0..=0xA3 | 0xA5 | 0xA7 | 0xA9..=0xAC | 0xAE | 0xB0..=0xB3 | 0xB5..=0xB7 | 0xB9..=0xBF)
            || matches!(c, 0xD7 | 0xF7 | 0x20AC | 0x2122)
    };
    let mut beyond = after.iter().copied().filter(|&c| c >= 0x80);
    features.add_if(Feature::UnusualSymbol, beyond.clone().any(|c| !is_usual(c)));
    let is_lead = is_lead_of_latin1(before, change.page);
    features.add_if(Feature::NoLetter, !is_lead && !before.iter().any(|&c| is_letter(c)));
    let is_letter_at = |at: usize| change.old.get(at).is_some_and(|&c| is_letter(c));
    let alone = !is_letter_at(range.start.wrapping_sub(1)) && !is_letter_at(range.end);
    features.add_if(Feature::Alone, alone && change.sequences == 1 && !is_lead);
    // Words of one letter have a letter of Latin-1.
    let is_rare_letter = |c| is_letter(c) && characters::script(c) == LATIN && c >= 0x100;
    features.add_if(Feature::RareLetterAlone, alone && beyond.any(is_rare_letter));
}

/// Returns the number of odd neighbors in a stretch of a line and beside it.
fn odd_around(line: &[u32], range: &Range<usize>) -> usize {
    suspect::count_odd(&line[range.start.saturating_sub(1)..line.len().min(range.end + 1)])
}

/// Returns `true` if a stretch begins with the lead byte of U+0080 to U+00FF, read as a Latin capital that is not a word, or as a
/// part of a frame, and goes on with what stands in neither: `Â£`, `┬®`.
fn is_lead_of_latin1(text: &[u32], page: usize) -> bool {
    let (Some(&lead), Some(&next)) = (text.first(), text.get(1)) else { return false };
    let is_lead =
        page < pages::SINGLE.len() && matches!(Singles::get().member(lead).bytes[page], 0xC2 | 0xC3);
    is_lead && (matches!(lead, 0xC2 | 0xC3 | 0x102) || is_box(lead) && !is_box(next))
}

/// Returns `true` if the non-ASCII code points of a stretch are quotations: opening and closing marks in turn, of one kind.
fn quotation(text: &[u32]) -> bool {
    let marks = || text.iter().copied().filter(|&c| c >= 0x80 && c != 0xA0);
    let (Some(open), Some(close)) = (marks().next(), marks().nth(1)) else { return false };
    let goes =
        matches!((open, close), (0xAB, 0xBB) | (0xBB, 0xAB) | (0x201C | 0x201E, 0x201D) | (0x201E, 0x201C));
    goes && marks().count() % 2 == 0 && marks().zip([open, close].into_iter().cycle()).all(|(a, b)| a == b)
}

/// Adds the features of few sequences that are such by chance: random letters, tables, programs. `range` is the stretch of the
/// line that changes, and `after` what becomes of it.
fn add_chance(change: &Evidence<'_>, range: &Range<usize>, after: &[u32], features: &mut Features) {
    let Evidence { old, new, sequences, page } = *change;
    let model = Model::get();
    let is_letter = |c: u32| model.case_of(c) > 0;
    let script = |c: u32| match characters::script(c) {
        HANGUL => IDEOGRAPHS,
        script => script,
    };
    let foreign = |c: u32| c >= 0x80 && is_letter(c) && !matches!(script(c), LATIN | SYMBOLS);
    let scripts = after.iter().filter(|&&c| foreign(c)).fold(0_u64, |all, &c| all | 1 << script(c));
    features.add_if(Feature::ManyScripts, scripts.count_ones() >= 3 && sequences < 40);
    let beyond = || after.iter().copied().filter(|&c| c >= 0x80);
    let is_other = |c: u32| is_unknown(c) || script(c) == OTHER;
    let strange = |&c: &u32| is_other(c) && c >= 0x250 && !matches!(c, 0x2000..=0x2BFF | 0xFFFD | 0x1_F000..);
    let is_strange = beyond().filter(strange).count() * 2 >= beyond().count().max(1);
    features.add_if(Feature::StrangeLetters, sequences <= 3 && is_strange);
    if sequences <= 4 {
        let (odd, left) = (suspect::count_odd(old), suspect::count_odd(new));
        features.add_if(Feature::MuchLeftOdd, left >= 3 && left >= 2 * odd.saturating_sub(left));
        let mut beside = [range.start.checked_sub(1), Some(range.end)].into_iter().flatten();
        let latin = |at: usize| old.get(at).is_some_and(|&c| c >= 0x80 && is_letter(c) && script(c) == LATIN);
        let is_beside_latin =
            page < pages::SINGLE.len() && scripts >> IDEOGRAPHS & 1 != 0 && beside.any(latin);
        features.add_if(Feature::IdeographBesideLatin, is_beside_latin);
    }
    let known = |c: &u32| is_letter(*c) && scripts >> script(*c) & 1 != 0;
    let is_new = scripts != 0 && !old.iter().any(known);
    let is_unusual = pages::page(page).1 < UNUSUAL_PAGE_NATS;
    features.add_if(Feature::OneLetterOfNewScript, sequences == 1 && is_unusual && is_new);
}

/// Whether a stretch of a line stands beside a letter of ASCII that it does not go with.
fn odd_inside(line: &[u32], &Range { start, end }: &Range<usize>) -> bool {
    let classes = Classes::get();
    let class = |at: usize| line.get(at).map_or(class::BLANK, |&c| classes.class(c));
    let is_letter = |class| matches!(class, class::ASCII_LOWER | class::ASCII_UPPER);
    // Ideographs and syllables go with ASCII, but not inside one of its words.
    let east = |class| matches!(class, class::IDEOGRAPH | class::HANGUL | class::KANA);
    if line[start..end].iter().all(|&c| east(classes.class(c))) {
        return start > 0 && class(start - 1) == class::ASCII_LOWER || class(end) == class::ASCII_LOWER;
    }
    let before = start > 0 && is_letter(class(start - 1)) && classes.is_odd(class(start - 1), class(start));
    let after = is_letter(class(end)) && end > 0 && classes.is_odd(class(end - 1), class(end));
    before || after
}

/// Returns the confidence in a change by how far its gain exceeds the required gain.
pub(super) fn confidence(margin: f32) -> f32 {
    1.0 / (1.0 + float::exp(-(2.0 + margin / 4.0)))
}
