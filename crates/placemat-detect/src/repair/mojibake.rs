//! UTF-8 that was read as another encoding, once or several times.

mod accept;
mod again;
mod as_utf8;
mod bom;
mod candidates;
mod classes;
mod entities;
mod features;
mod gaps;
mod legacy;
mod letters;
mod line;
mod pages;
mod peel;
mod quoted;
mod rows;
mod scorer;
mod search;
mod suspect;
mod symbols;
mod weights;

use self::accept::confidence;
use self::again::Again;
use self::candidates::Candidates;
use self::line::Line;
use self::scorer::{Scorer, is_space};
use self::search::Known;
use self::suspect::Looks;
use super::change::Step;
use super::controls;
use super::edits::{Edit, Why, join};
use super::steps::Steps;
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use placemat_charsets::Encoding;

/// The signature.
const BOM: char = '\u{FEFF}';
/// The code points of a line that are searched together.
const SEGMENT: usize = 400;
/// The code points of a segment at most, where there is no place to cut.
const LONGEST: usize = 8192;
/// How much better a line must be as text of a legacy encoding than as mojibake, in nats.
const RIVAL: f32 = 4.0;
/// The maximum number of rounds: each takes layers off runs of one kind.
const ROUNDS: usize = 3;
/// Nats above what is asked for, in later rounds: what the first round left may be damaged sequences of its pages.
const LATER: f32 = 6.0;

/// Finds and undoes mojibake, line by line.
#[derive(Clone, Debug, Default)]
pub(super) struct Mojibake {
    scorer: Scorer,
    /// The pages of the last line that was repaired.
    last: Known,
    /// How the last lines were misread that are of a legacy encoding.
    last_legacy: legacy::Last,
    /// The first line is read as the most common mojibake, where that is evident.
    assumes: bool,
}

impl Mojibake {
    /// Returns the places in `text` that a step may have to look at.
    pub(super) fn suspects(text: &str, steps: Steps) -> Suspects<'_> {
        let mojibake = steps.has(Step::Mojibake) || steps.has(Step::Controls);
        let looks = Looks { mojibake, legacy: steps.has(Step::Legacy) };
        let searched = if looks.mojibake || looks.legacy { text } else { "" };
        Suspects { text, candidates: Candidates::of(searched), looks, found: [None; 3] }
    }

    /// Reads the first line as the most common mojibake, where that is evident.
    pub(super) fn assume(&mut self) {
        self.assumes = true;
        self.forget();
    }

    /// Forgets the text before.
    pub(super) fn forget(&mut self) {
        self.last.reset(self.assumes);
        self.last_legacy = legacy::Last::default();
    }

    /// Repairs a line. `before` is the line before it, if it is at hand.
    pub(super) fn line(&mut self, line: &str, before: &str, steps: Steps, least: f32) -> (String, Vec<Edit>) {
        self.suspected_line(Self::suspects(line, steps), before, steps, least)
    }

    /// Repairs the line that `suspects` is of.
    pub(super) fn suspected_line(
        &mut self,
        suspects: Suspects<'_>,
        before: &str,
        steps: Steps,
        least: f32,
    ) -> (String, Vec<Edit>) {
        let line = suspects.text;
        let (repaired, edits) = self.repair(suspects, steps, least);
        if quoted::is_example(line, before, &edits) {
            return (line.to_owned(), Vec::new());
        }
        (repaired, edits)
    }

    /// Repairs a line that is read as the lines before, or as the most common mojibake: then nothing else needs to be
    /// searched. Returns `None` for other lines, and where an odd neighbor alone makes no line suspect.
    pub(super) fn evident(
        &mut self,
        suspects: &Suspects<'_>,
        steps: Steps,
        least: f32,
    ) -> Option<(String, Vec<Edit>)> {
        let line = suspects.text;
        if !steps.has(Step::Mojibake) || !steps.has(Step::Legacy) || bom::start(line).is_some() {
            return None;
        }
        let again = again::read(line, &suspects.candidates, &self.last)?;
        let (repaired, edits) = self.again(line, again, least);
        Some(if quoted::is_example(line, "", &edits) {
            (line.to_owned(), Vec::new())
        } else {
            (repaired, edits)
        })
    }

    /// Repairs a line, examples too.
    fn repair(&mut self, suspects: Suspects<'_>, steps: Steps, least: f32) -> (String, Vec<Edit>) {
        let line = suspects.text;
        if steps.has(Step::Mojibake)
            && let Some(restored) = bom::read(line)
        {
            let now = then((line.to_owned(), Vec::new()), |_| Some(restored), least);
            return then(now, |line| self.after_bom(line, steps, least), least);
        }
        self.without_bom(suspects, steps, least)
    }

    /// Repairs a line that does not begin with a signature.
    fn without_bom(&mut self, mut suspects: Suspects<'_>, steps: Steps, least: f32) -> (String, Vec<Edit>) {
        let line = suspects.text;
        if steps.has(Step::Mojibake)
            && let Some(again) = again::read(line, &suspects.candidates, &self.last)
        {
            return self.again(line, again, least);
        }
        if suspects.next(0).is_none() {
            return (line.to_owned(), Vec::new());
        }
        let mut now = (line.to_owned(), Vec::new());
        if steps.has(Step::Mojibake) {
            if suspects.has_references() {
                now = then(now, entities::read, least);
            }
            now = then(now, |line| Some(self.search(line, least)), least);
        }
        if steps.has(Step::Legacy) {
            // Runs of it can be UTF-8 by chance.
            let may_be = if now.1.is_empty() {
                suspects.may_be_legacy()
            } else {
                suspect::may_be_legacy(&now.0, &Candidates::of(&now.0))
            };
            if may_be {
                now = self.legacy(line, now, least);
            }
        }
        if steps.has(Step::Controls) {
            now = then(now, controls::read, least);
        }
        now
    }

    /// Repairs what follows a signature at the start of a line.
    fn after_bom(&mut self, line: &str, steps: Steps, least: f32) -> Option<(String, Vec<Edit>)> {
        let suspects = Self::suspects(line.strip_prefix(BOM)?, steps);
        let (text, edits) = self.without_bom(suspects, steps, least);
        let edits = edits.into_iter().map(|edit| edit.moved(BOM.len_utf8(), BOM.len_utf8()));
        Some((String::from(BOM) + &text, edits.collect()))
    }

    /// Reads a line as text of a legacy encoding, unless it is better as the mojibake that it may be.
    fn legacy(&mut self, line: &str, now: (String, Vec<Edit>), least: f32) -> (String, Vec<Edit>) {
        if suspect::is_list(line) {
            return now;
        }
        let Some((text, edits, score)) = legacy::read(line, &mut self.last_legacy, &mut self.scorer) else {
            return now;
        };
        let is_sure = edits.iter().all(|edit| edit.why.confidence >= least);
        let is_best = now.1.is_empty() || {
            let text: Vec<u32> = now.0.chars().map(u32::from).collect();
            score > self.scorer.line(&text) + RIVAL
        };
        if is_sure && is_best { (text, edits) } else { now }
    }

    /// Repairs a line as the lines before, if that is sure enough.
    fn again(&mut self, line: &str, again: Again, least: f32) -> (String, Vec<Edit>) {
        let Again { text, edits, sequences, is_short, candidates } = again;
        let gain = search::gain(sequences);
        let confidence = confidence(gain);
        // Nothing asks for them where the first line's page is assumed.
        let shown = if self.assumes { &[] } else { &*self.last.pages };
        let encodings: Vec<Encoding> = shown.iter().map(|&page| pages::page(page.into()).0).collect();
        let edits: Vec<Edit> = edits
            .into_iter()
            .map(|(before, after)| {
                let why = Why { gain, confidence, ..Why::certain(Step::Mojibake, &encodings) };
                Edit { before, after, why }
            })
            .collect();
        if confidence < least || is_short && is_quoted(line, &text, &edits) {
            return (line.to_owned(), Vec::new());
        }
        self.last.lines = self.last.lines.saturating_add(1);
        let now = (text, edits);
        if suspect::suspect_of(&now.0, &candidates).is_none() {
            return now;
        }
        then(now, |line| Some(self.search(line, least)), least)
    }

    /// Repairs a line without references.
    fn search(&mut self, line: &str, least: f32) -> (String, Vec<Edit>) {
        let mut repaired = String::with_capacity(line.len());
        let mut all = Vec::new();
        // Offsets in the line.
        let mut offset = 0;
        for segment in segments(line) {
            let start = repaired.len();
            let found = match suspect::suspect(segment) {
                Some(_) => self.segment(segment.chars().map(u32::from).collect(), least),
                None => None,
            };
            match found {
                None => repaired.push_str(segment),
                Some((new, edits)) => {
                    repaired.extend(new.iter().filter_map(|&c| char::from_u32(c)));
                    let old = Offsets::new(segment.chars().map(u32::from), offset);
                    let new = Offsets::new(new.iter().copied(), start);
                    all.extend(edits.into_iter().map(|edit| Edit {
                        before: old.bytes(edit.before),
                        after: new.bytes(edit.after),
                        why: edit.why,
                    }));
                }
            }
            offset += segment.len();
        }
        (repaired, all)
    }

    /// Repairs a segment, if there is something to repair. The edits are in code points.
    fn segment(&mut self, text: Vec<u32>, least: f32) -> Option<(Vec<u32>, Vec<Edit>)> {
        let mut text = text;
        let mut all: Vec<Edit> = Vec::new();
        for round in 0..ROUNDS {
            let line = Line::new(text);
            let found = search::search(&line, &self.last, &mut self.scorer);
            let is_sure = |margin: f32| confidence(margin) >= least && (round == 0 || margin >= LATER);
            let Some(found) = found.filter(|found| is_sure(found.margin)) else {
                text = line.text;
                break;
            };
            let why = Why {
                step: Step::Mojibake,
                encodings: found.pages.iter().map(|&page| pages::page(page.into()).0).collect(),
                lossy: found.lossy,
                gain: found.gain,
                confidence: confidence(found.margin),
            };
            let edits = changed(&line, &found.line, &why);
            if quoted::is_quoted(&line.text, &found.line.text, &edits) {
                text = line.text;
                break;
            }
            all = join(all, edits, |range| range.len());
            if self.last.pages == found.pages {
                self.last.lines = self.last.lines.saturating_add(1);
            } else {
                self.last = Known { pages: found.pages, lines: 1 };
            }
            text = found.line.text;
            if suspect::count_odd(&text) == 0 {
                break;
            }
        }
        if all.is_empty() { None } else { Some((text, all)) }
    }
}

/// Returns the features by which readings are judged, each with its weight in nats.
#[cfg(feature = "internals")]
#[must_use]
pub fn weights() -> Vec<(String, f32)> {
    weights::WEIGHTS.iter().map(|&(feature, nats)| (feature.to_owned(), nats)).collect()
}

/// Calls `show` with each reading of a line that is judged: its text, the nats that the model gains, and how often each
/// feature applies. Lines that are longer than one segment have none.
#[cfg(feature = "internals")]
pub fn readings(line: &str, mut show: impl FnMut(&str, f32, &[f32])) {
    if line.chars().nth(SEGMENT).is_some() || suspect::suspect(line).is_none() {
        return;
    }
    let line = Line::new(line.chars().map(u32::from).collect());
    let _ = search::search_and_show(&line, &Known::default(), &mut Scorer::default(), &mut |reading| {
        let text: String = reading.text.iter().filter_map(|&c| char::from_u32(c)).collect();
        show(&text, reading.gain, &reading.features.counts());
    });
}

/// Finds the places in a text that a step may have to look at, each only once.
#[derive(Debug)]
pub(super) struct Suspects<'a> {
    text: &'a str,
    candidates: Candidates,
    looks: Looks,
    /// The place that each search found last: `usize::MAX` if there is none.
    found: [Option<usize>; 3],
}

impl Suspects<'_> {
    /// Returns the offset of the first place from `from` on, where a line begins.
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        let Self { text, candidates, looks, found } = self;
        let place = |number: usize| match number {
            0 => suspect::first(text, candidates, from, *looks),
            1 if looks.mojibake => entities::suspect(text, candidates, from),
            2 if looks.legacy => letters::strange(text.as_bytes(), candidates, from),
            _ => None,
        };
        let places = found.iter_mut().enumerate().map(|(number, known)| match *known {
            Some(at) if at >= from => at,
            _ => *known.insert(place(number).unwrap_or(usize::MAX)),
        });
        places.min().filter(|&at| at < usize::MAX)
    }

    /// Returns `true` if a character reference may be a piece of a sequence.
    fn has_references(&self) -> bool {
        entities::suspect(self.text, &self.candidates, 0).is_some()
    }

    /// Returns `true` if the text may be of a legacy encoding that was read as another.
    fn may_be_legacy(&self) -> bool {
        suspect::may_be_legacy(self.text, &self.candidates)
    }
}

/// Returns a line and its edits after one more step, if the step changes it and is sure enough.
fn then(
    now: (String, Vec<Edit>),
    step: impl FnOnce(&str) -> Option<(String, Vec<Edit>)>,
    least: f32,
) -> (String, Vec<Edit>) {
    match step(&now.0) {
        Some((text, edits)) if edits.iter().all(|edit| edit.why.confidence >= least) => {
            (text, join(now.1, edits, |range| range.len()))
        }
        _ => now,
    }
}

/// Returns `true` if the changes of a line would change quotations.
fn is_quoted(old: &str, new: &str, edits: &[Edit]) -> bool {
    let code_points = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
    let count = |text: &str, range: core::ops::Range<usize>| {
        let start = text[..range.start].chars().count();
        start..start + text[range].chars().count()
    };
    let edits: Vec<Edit> = edits
        .iter()
        .map(|edit| Edit {
            before: count(old, edit.before.clone()),
            after: count(new, edit.after.clone()),
            why: edit.why.clone(),
        })
        .collect();
    quoted::is_quoted(&code_points(old), &code_points(new), &edits)
}

/// Returns the stretches in which a repaired line differs.
fn changed(old: &Line, new: &Line, why: &Why) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let len = old.text.len();
    for (at, &c) in new.text.iter().enumerate() {
        // The first edit covers the letters that the new text drops before its first letter.
        let start = if at == 0 { 0 } else { new.origin[at] as usize };
        let end = new.origin.get(at + 1).map_or(len, |&next| next as usize);
        if end == start + 1 && old.text[start] == c {
            continue;
        }
        match edits.last_mut() {
            // A space between two words joins them.
            Some(last)
                if last.after.end == at
                    || last.after.end + 1 == at
                        && new.text[at - 1] == 0x20
                        && last.before.end + 1 == start =>
            {
                last.before.end = last.before.end.max(end);
                last.after.end = at + 1;
            }
            _ => edits.push(Edit { before: start..end, after: at..at + 1, why: why.clone() }),
        }
    }
    edits
}

/// Cuts a line into segments: after a space, else after ASCII, and where there is none for long, anywhere. The cells of a row
/// of a drawn table are segments of their own.
fn segments(line: &str) -> impl Iterator<Item = &str> {
    let bar = row_bar(line);
    let mut rest = line;
    core::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let mut end = if rest.len() > SEGMENT { cut(rest).unwrap_or(rest.len()) } else { rest.len() };
        if let Some(bar) = bar {
            end = if first == bar { bar.len_utf8() } else { rest[..end].find(bar).unwrap_or(end) };
        }
        let (now, later) = rest.split_at(end);
        rest = later;
        Some(now)
    })
}

/// Returns the bar between the cells, if a line is a row of a drawn table: one begins the line and one ends it. No lead byte
/// of UTF-8 is a bar in a page, so no mojibake begins with one.
fn row_bar(line: &str) -> Option<char> {
    let row = line.trim();
    let bar = row.chars().next().filter(|bar| matches!(bar, '│' | '┃' | '║'))?;
    row.ends_with(bar).then_some(bar)
}

/// Returns `true` if a code point may be a byte of windows-1252 that a continuation byte follows.
const fn may_lead(c: char) -> bool {
    matches!(c, '\u{C2}'..='\u{F4}' | '\u{20AC}')
}

/// Returns the end of the first segment of a text, if the text is longer than one.
fn cut(text: &str) -> Option<usize> {
    let (limit, _) = text.char_indices().nth(SEGMENT)?;
    let after = |(at, c): (usize, char)| at + c.len_utf8();
    // A space after a lead byte may replace a continuation byte.
    let is_safe = |at: usize| !text[..at].chars().next_back().is_some_and(may_lead);
    let space = text[..limit].char_indices().rfind(|&(at, c)| is_space(c.into()) && is_safe(at));
    let is_cut = |at: usize, c: char| c.is_ascii() && c != '?' && is_safe(at);
    let later = || text.char_indices().take(LONGEST).find(|&(at, c)| is_cut(at, c));
    let end = space.or_else(later).map(after);
    end.or_else(|| text.char_indices().nth(LONGEST).map(|(at, _)| at))
}

/// The offsets in bytes of the code points of a text.
struct Offsets(Vec<usize>);

impl Offsets {
    fn new(text: impl Iterator<Item = u32>, start: usize) -> Self {
        let mut at = start;
        let mut offsets = Vec::from([at]);
        offsets.extend(text.map(|c| {
            at += char::from_u32(c).map_or(0, char::len_utf8);
            at
        }));
        Self(offsets)
    }

    fn bytes(&self, range: core::ops::Range<usize>) -> core::ops::Range<usize> {
        self.0[range.start]..self.0[range.end]
    }
}
