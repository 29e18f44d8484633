//! Reads a line as the lines before it were read: without a search, where all of it fits.

use super::accept;
use super::as_utf8;
use super::candidates::Candidates;
use super::pages::{self, Double, Singles};
use super::peel;
use super::search::Known;
use super::suspect::{self, Looks};
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_core::checked::split_well_formed;
use placemat_core::convert::transcode_into;
use placemat_core::forms::{Utf8, Utf32};
use placemat_core::ground::once::Once;
use placemat_core::{ErrorPolicy, Native, UnmappablePolicy};

/// The code points that the table of a page has.
const KNOWN: usize = 0x2600;
/// A repaired line may have one odd place in this many sequences.
const SEQUENCES_PER_ODD_PLACE: usize = 16;

/// A code point in a page of single bytes.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The byte of the code point, or 0.
    byte: u8,
    /// The pages in which it is a lead byte or a continuation byte, and those in which it is another byte; ASCII excludes no
    /// page.
    pages: u64,
    others: u64,
}

/// A stretch that was replaced: its offsets before and after.
type Replaced = (Range<usize>, Range<usize>);

/// A line that was read.
pub(super) struct Again {
    pub(super) text: String,
    pub(super) edits: Vec<Replaced>,
    pub(super) sequences: usize,
    /// Whether the whole line may consist of quotations.
    pub(super) is_short: bool,
    /// The candidates of the new text.
    pub(super) candidates: Candidates,
}

/// Reads a line by the pages of the lines before. `None` where that is not certain: then it is searched.
pub(super) fn read(line: &str, candidates: &Candidates, last: &Known) -> Option<Again> {
    // Ideographs beside Latin letters are not odd.
    let is_double = usize::from(*last.pages.first()?) >= pages::SINGLE.len();
    let is_odd = if is_double {
        suspect::first(line, candidates, 0, Looks { mojibake: true, legacy: false }).is_some()
    } else {
        suspect::odd_places(line, candidates, 1) > 0
    };
    if !is_odd {
        return None;
    }
    let mut bytes = Vec::with_capacity(line.len());
    let mut now: Option<String> = None;
    for &page in &last.pages {
        bytes.clear();
        let old = now.as_deref().unwrap_or(line);
        let new = match usize::from(page).checked_sub(pages::SINGLE.len()) {
            None => single(old, page.into(), &mut bytes)?,
            Some(number) => double(old, number, &mut bytes)?,
        };
        now = Some(new.to_owned());
    }
    let text = now?;
    let sequences = text.bytes().filter(|&byte| byte >= 0xC0).count();
    let candidates = Candidates::of(&text);
    let odd = suspect::odd_places(&text, &candidates, usize::MAX);
    if sequences < last.least() || odd * SEQUENCES_PER_ODD_PLACE > sequences {
        return None;
    }
    let (edits, is_short) = edits(line, &text);
    if last.is_assumed() && (is_short || odd > 0 || !is_evident(line, &text, sequences, &last.pages)) {
        return None;
    }
    Some(Again { text, edits, sequences, is_short, candidates })
}

/// The sequences that are enough for any text of an alphabet.
const EVIDENT_SEQUENCES: usize = 3;

/// Returns `true` if a line in which nothing odd is left needs no line before it to show its page: it has several sequences,
/// or only the most frequent ones, and nothing that no text has is new.
fn is_evident(old: &str, new: &str, sequences: usize, pages: &[u8]) -> bool {
    // Lower-case letters of Latin-1, dashes, quotation marks and the ellipsis, which begin with `Ã` and `â€`; and `œ` in a
    // word, since no quotation ends before one of its letters.
    let is_frequent = |(at, c): (usize, char)| match c {
        ..'\u{80}' | 'à'..='ÿ' | '–'..='”' | '…' => true,
        'œ' => new.as_bytes().get(at + c.len_utf8()).is_some_and(u8::is_ascii_lowercase),
        _ => false,
    };
    if sequences < EVIDENT_SEQUENCES {
        return new.char_indices().all(is_frequent);
    }
    // Alphabets and punctuation, or the letters of East Asia.
    let is_west = |c: char| matches!(c, ..'\u{1000}' | '\u{2000}'..'\u{2C00}');
    let is_east =
        |c: char| c.is_ascii() || matches!(c, '\u{3000}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '！'..='ﾟ');
    let code_points = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
    new.chars().all(is_west)
        || new.chars().all(is_east)
        || !accept::is_never_better(&code_points(old), &code_points(new), pages)
}

/// Returns the UTF-8 that a text is in the bytes of a page of single bytes.
fn single<'a>(text: &str, page: usize, bytes: &'a mut Vec<u8>) -> Option<&'a str> {
    let table = table(page);
    let mut units = alloc::vec![0; text.len()];
    let stop = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    let p = transcode_into::<Utf8, Utf32<Native>>(text.as_bytes(), &mut units, stop.0, stop.1);
    units.truncate(p.written);
    // No branch depends on the text, whose code points are as long as chance has it.
    let (mut all, mut others, mut is_unknown, mut has_box) = (u64::MAX, 0, false, false);
    bytes.extend(units.iter().map(|&c| {
        let place = table.get(c as usize).copied().unwrap_or_default();
        is_unknown |= place.byte == 0 && c != 0;
        has_box |= peel::is_box(c);
        all &= place.pages;
        others |= place.others;
        place.byte
    }));
    if is_unknown || has_box && units.split(|&c| c < 0x80).any(may_be_frame) {
        return None;
    }
    let (new, rest) = split_well_formed(bytes);
    let mut rivals = all & others;
    while rivals != 0 {
        let rival = rivals.trailing_zeros() as usize;
        rivals &= rivals - 1;
        let singles = Singles::get();
        let beyond = text.chars().filter(|c| !c.is_ascii());
        if as_utf8::reads_as_text(beyond.map(|c| singles.member(c.into()).bytes[rival])) {
            return None;
        }
    }
    rest.is_empty().then_some(new)
}

/// Returns `true` if a non-ASCII run may be a frame, which stays: it is box drawing alone, and many of it are lines.
fn may_be_frame(run: &[u32]) -> bool {
    let frames = run.iter().filter(|&&c| peel::is_frame(c)).count();
    run.iter().all(|&c| peel::is_box(c)) && frames * 5 > run.len() * 2
}

/// Returns the UTF-8 that a text is in the bytes of a page of one and two bytes.
fn double<'a>(text: &str, number: usize, bytes: &'a mut Vec<u8>) -> Option<&'a str> {
    let page = Double::get(number);
    for c in text.chars() {
        match page.bytes(c.into()).to_be_bytes() {
            _ if c.is_ascii() => bytes.push(u8::try_from(c).ok()?),
            [0, byte @ 0x80..=0xFF] => bytes.push(byte),
            [lead @ 0x80..=0xFF, trail @ 0x80..=0xFF] => bytes.extend_from_slice(&[lead, trail]),
            _ => return None,
        }
    }
    let (new, rest) = split_well_formed(bytes);
    rest.is_empty().then_some(new)
}

/// Returns the table of a page, made at its first use.
fn table(page: usize) -> &'static [Place] {
    static TABLES: [Once<Vec<Place>>; pages::SINGLE.len()] = [const { Once::new() }; pages::SINGLE.len()];
    TABLES[page].get_or_make(|| {
        let singles = Singles::get();
        let place = |c: u32| {
            if let Ok(byte @ 0..=0x7F) = u8::try_from(c) {
                return Place { byte, pages: u64::MAX, others: 0 };
            }
            let member = singles.member(c);
            let byte = member.bytes[page];
            // A control in place of a byte with another meaning is left to the search.
            if (0x80..0xA0).contains(&c) && singles.defines_c1[page] >> (c & 0x1F) & 1 != 0 {
                return Place::default();
            }
            let differs = |&other: &usize| member.bytes[other] != byte;
            let others = (0..pages::SINGLE.len()).filter(differs).fold(0, |all, other| all | 1 << other);
            Place { byte, pages: (member.lead | member.continuation) & !(1 << page), others }
        };
        (0..KNOWN).map(|c| u32::try_from(c).map_or(Place::default(), place)).collect()
    })
}

/// Returns the non-ASCII runs, before and after; a space between two words joins them. Also whether each of them is
/// short and stands alone.
fn edits(old: &str, new: &str) -> (Vec<Replaced>, bool) {
    let mut edits: Vec<Replaced> = Vec::new();
    let mut is_short = true;
    let (mut before, mut after) = (0, 0);
    let ascii =
        |text: &str, at: usize| text.as_bytes()[at..].iter().take_while(|byte| byte.is_ascii()).count();
    let run =
        |text: &str, at: usize| text.as_bytes()[at..].iter().take_while(|byte| !byte.is_ascii()).count();
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    loop {
        let same = ascii(old, before);
        let joins = same == 1 && old.as_bytes()[before] == b' ';
        before += same;
        after += same;
        if before == old.len() {
            return (edits, is_short);
        }
        let (start, end) = (before, before + run(old, before));
        let (new_start, new_end) = (after, after + run(new, after));
        is_short = is_short
            && !is_letter(old.as_bytes().get(end))
            && !is_letter(start.checked_sub(1).and_then(|at| old.as_bytes().get(at)))
            && new[new_start..new_end].chars().count() <= 3;
        match edits.last_mut() {
            Some((old, new)) if joins => {
                old.end = end;
                new.end = new_end;
            }
            _ => edits.push((start..end, new_start..new_end)),
        }
        (before, after) = (end, new_end);
    }
}
