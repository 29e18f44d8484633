//! UTF-8 that was read as another encoding, once or several times.

mod accept;
mod classes;
mod entities;
mod pages;
mod peel;
mod quoted;
mod scorer;
mod search;
mod suspect;

use self::peel::Line;
use self::scorer::{Scorer, is_space};
use self::search::Known;
use super::change::Step;
use super::controls;
use super::edits::{Edit, Why, join};
use super::steps::Steps;
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

/// The code points of a line that are searched together.
const SEGMENT: usize = 400;
/// The code points of a segment at most, where there is no place to cut.
const LONGEST: usize = 8192;
/// The most rounds: each takes layers off runs of one kind.
const ROUNDS: usize = 3;

/// Finds and undoes mojibake, line by line.
#[derive(Clone, Debug, Default)]
pub(super) struct Mojibake {
    scorer: Scorer,
    /// The pages of the last line that was repaired.
    last: Known,
}

impl Mojibake {
    /// The offset of the first place in `text` that a step may have to look at.
    pub(super) fn suspect(&self, text: &str, steps: Steps) -> Option<usize> {
        if steps.has(Step::Mojibake) || steps.has(Step::Controls) {
            let found = suspect::suspect(text);
            let end = found.unwrap_or(text.len());
            entities::suspect(text.get(..end).unwrap_or(text)).or(found)
        } else {
            None
        }
    }

    /// Forgets the text before.
    pub(super) fn forget(&mut self) {
        self.last = Known::default();
    }

    /// Repairs a line.
    pub(super) fn line(&mut self, line: &str, steps: Steps, least: f32) -> (String, Vec<Edit>) {
        if self.suspect(line, steps).is_none() {
            return (line.to_owned(), Vec::new());
        }
        let mut now = (line.to_owned(), Vec::new());
        if steps.has(Step::Mojibake) {
            now = then(now, entities::read, least);
            now = then(now, |line| Some(self.search(line, least)), least);
        }
        if steps.has(Step::Controls) {
            now = then(now, controls::read, least);
        }
        now
    }

    /// Repairs a line without references.
    fn search(&mut self, line: &str, least: f32) -> (String, Vec<Edit>) {
        let text: Vec<u32> = line.chars().map(u32::from).collect();
        let mut repaired = String::with_capacity(line.len());
        let mut all = Vec::new();
        // Offsets in the line.
        let mut offset = 0;
        for segment in segments(&text) {
            let (new, edits) = self.segment(segment.to_vec(), least);
            let start = repaired.len();
            repaired.extend(new.iter().filter_map(|&c| char::from_u32(c)));
            let old = Offsets::new(segment, offset);
            let new = Offsets::new(&new, start);
            all.extend(edits.into_iter().map(|edit| Edit {
                before: old.bytes(edit.before),
                after: new.bytes(edit.after),
                why: edit.why,
            }));
            offset = old.end();
        }
        (repaired, all)
    }

    /// Repairs a segment. The edits are in code points.
    fn segment(&mut self, text: Vec<u32>, least: f32) -> (Vec<u32>, Vec<Edit>) {
        let mut text = text;
        let mut all: Vec<Edit> = Vec::new();
        for _ in 0..ROUNDS {
            let line = Line::new(text);
            let found = search::search(&line, &self.last, &mut self.scorer);
            let Some(found) = found.filter(|found| confidence(found.margin) >= least) else {
                return (line.text, all);
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
                return (line.text, all);
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
        (text, all)
    }
}

/// A line and its edits after one more step, if the step changes it and is sure enough.
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

/// How sure a change is whose gain is this much above what was asked for.
fn confidence(margin: f32) -> f32 {
    1.0 / (1.0 + (-(2.0 + margin / 4.0)).exp())
}

/// The stretches in which a repaired line differs.
fn changed(old: &Line, new: &Line, why: &Why) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let len = old.text.len();
    for (at, &c) in new.text.iter().enumerate() {
        let start = new.origin[at] as usize;
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

/// Cuts a line into segments: after a space, else after ASCII, and where there is none for long, anywhere.
fn segments(text: &[u32]) -> impl Iterator<Item = &[u32]> {
    let mut rest = text;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len();
        if end > SEGMENT {
            let near = &rest[..SEGMENT];
            // A space after a lead byte may stand for a continuation byte.
            let is_safe = |at: usize| at.checked_sub(1).is_none_or(|at| !may_lead(rest[at]));
            let space = (0..SEGMENT).rfind(|&at| is_space(near[at]) && is_safe(at));
            let is_cut = |at: usize| rest[at] < 0x80 && rest[at] != 0x3F && is_safe(at);
            let later = || (0..rest.len().min(LONGEST)).find(|&at| is_cut(at));
            let cut = space.or_else(later).map(|at| at + 1);
            end = cut.unwrap_or_else(|| rest.len().min(LONGEST));
        }
        let (now, later) = rest.split_at(end);
        rest = later;
        Some(now)
    })
}

/// Whether a code point may be a byte of windows-1252 that a continuation byte follows.
const fn may_lead(c: u32) -> bool {
    matches!(c, 0xC2..=0xF4 | 0x20AC)
}

/// The offsets in bytes of the code points of a text.
struct Offsets(Vec<usize>);

impl Offsets {
    fn new(text: &[u32], start: usize) -> Self {
        let mut at = start;
        let mut offsets = Vec::with_capacity(text.len() + 1);
        offsets.push(at);
        offsets.extend(text.iter().map(|&c| {
            at += char::from_u32(c).map_or(0, char::len_utf8);
            at
        }));
        Self(offsets)
    }

    fn bytes(&self, range: core::ops::Range<usize>) -> core::ops::Range<usize> {
        self.0[range.start]..self.0[range.end]
    }

    fn end(&self) -> usize {
        self.0.last().copied().unwrap_or(0)
    }
}
