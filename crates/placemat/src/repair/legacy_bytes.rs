//! Reads bytes of legacy encodings that stand inside UTF-8.
//!
//! All ill-formed runs of a text together say which encoding they are in. A line with many of them may say otherwise.

use super::change::Step;
use super::edits::Why;
use crate::detect::{Hints, Sample, rank};
use crate::forms::encoding::Encoding;
use crate::policy::ErrorPolicy;
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// An encoding, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Choice {
    encoding: Encoding,
    confidence: f32,
}

/// The encoding of bytes about which nothing else is known: most of the web's stray bytes are in it.
const USUAL: Choice = Choice { encoding: Encoding::WINDOWS_1252, confidence: 0.5 };
/// The bytes of evidence that are kept.
const EVIDENCE: usize = 32 * 1024;
/// The ill-formed bytes of a line that may speak against the rest of the text.
const MANY: usize = 10;
/// The ill-formed bytes that are too few to speak for an encoding other than the usual one, unless it is sure.
const FEW: usize = 6;
/// The ill-formed bytes that never speak for another encoding.
const VERY_FEW: usize = 3;
/// The probability at which a line speaks against the rest of the text.
const SURE: f32 = 0.95;

/// Chooses the encoding of ill-formed runs.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    /// The choice of the caller.
    given: Option<Encoding>,
    /// The words with ill-formed runs, so far.
    evidence: Vec<u8>,
    /// The length of the evidence that was judged, and the verdict.
    judged: usize,
    text: Choice,
    /// The choice for the line.
    line: Choice,
    /// Most of the bytes beyond ASCII of the line are ill-formed.
    line_is_legacy: bool,
    /// The whole text was looked at before the first line is repaired.
    is_learned: bool,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            given: None,
            evidence: Vec::new(),
            judged: 0,
            text: USUAL,
            line: USUAL,
            line_is_legacy: false,
            is_learned: false,
        }
    }
}

impl Reader {
    pub(super) fn given(encoding: Encoding) -> Self {
        Self { given: Some(encoding), ..Self::default() }
    }

    /// Forgets the text.
    pub(super) fn forget(&mut self) {
        *self = Self { given: self.given, ..Self::default() };
    }

    /// Looks at a line before any is repaired.
    pub(super) fn learn(&mut self, line: &[u8], runs: &[Range<usize>]) {
        self.is_learned = true;
        if self.given.is_none() && self.evidence.len() < EVIDENCE {
            words(line, runs, &mut self.evidence);
        }
    }

    /// Chooses for a line with these ill-formed runs.
    pub(super) fn begin_line(&mut self, line: &[u8], runs: &[Range<usize>]) {
        let own: usize = runs.iter().map(Range::len).sum();
        self.line_is_legacy = own * 2 > line.iter().filter(|byte| !byte.is_ascii()).count();
        if let Some(encoding) = self.given {
            self.line = Choice { encoding, confidence: 1.0 };
            return;
        }
        if !self.is_learned && self.evidence.len() < EVIDENCE {
            words(line, runs, &mut self.evidence);
        }
        // The verdict on the text is as good as its evidence: more of it, another verdict.
        if self.evidence.len() > self.judged + self.judged / 2 {
            self.judged = self.evidence.len();
            self.text = choose(&self.evidence, None);
        }
        self.line = self.text;
        if own >= MANY && self.evidence.len() > line.len() {
            let mut own = Vec::new();
            words(line, runs, &mut own);
            self.line = choose(&own, Some(self.text));
        }
    }

    /// The reason for an edit.
    pub(super) fn why(&self) -> Why {
        let Choice { encoding, confidence } = self.line;
        Why { confidence, ..Why::certain(Step::Bytes, &[encoding]) }
    }

    /// Reads a whole stretch of bytes above 7F, together with a trail byte in ASCII after it, if the encoding is multi-byte
    /// and all of it is text.
    pub(super) fn stretch(
        &self,
        line: &[u8],
        stretch: Range<usize>,
        run: &Range<usize>,
    ) -> Option<(Range<usize>, String)> {
        let encoding = self.line.encoding;
        if encoding.max_bytes() == 1 {
            return self.mostly(line, stretch);
        }
        // A sequence can end with a byte of ASCII, and then the text goes on.
        let mut end = stretch.end;
        loop {
            let bytes = &line[stretch.start..end];
            match encoding.decode(bytes, ErrorPolicy::Stop) {
                Ok(text) => {
                    let whole = run.end <= end && !text.contains(is_no_text);
                    return whole.then(|| (stretch.start..end, text.into_owned()));
                }
                Err(_) if end < line.len() && line[end].is_ascii_graphic() => {
                    let next = line[end + 1..].iter().position(u8::is_ascii);
                    end = next.map_or(line.len(), |at| end + 1 + at);
                }
                Err(_) => return None,
            }
        }
    }

    /// Reads a stretch in a single-byte encoding, if most of the line is ill-formed: the rest is UTF-8 by chance.
    fn mostly(&self, line: &[u8], stretch: Range<usize>) -> Option<(Range<usize>, String)> {
        if !self.line_is_legacy {
            return None;
        }
        let text = self.line.encoding.decode(&line[stretch.clone()], ErrorPolicy::Stop).ok()?;
        (!text.contains(is_no_text)).then(|| (stretch, text.into_owned()))
    }

    /// Reads bytes one by one. `None` stands for what is no text.
    pub(super) fn bytes(&self, line: &[u8], range: Range<usize>) -> Vec<(Range<usize>, Option<String>)> {
        let Choice { encoding, .. } = self.line;
        let encoding = if encoding.max_bytes() > 1 { USUAL.encoding } else { encoding };
        let read = |at: usize| {
            let text = encoding.decode(&line[at..=at], ErrorPolicy::Stop).ok()?;
            (!text.contains(is_no_text)).then(|| text.as_ref().to_owned())
        };
        range.map(|at| (at..at + 1, read(at))).collect()
    }
}

/// Whether a code point cannot be the meaning of a legacy byte: controls are not text.
fn is_no_text(c: char) -> bool {
    c.is_control()
}

/// The most probable encoding of some words. `text` is the choice for the text around, which stays if it may be right.
fn choose(words: &[u8], text: Option<Choice>) -> Choice {
    let ranking = rank(&Sample::of(words), &Hints::default());
    let can_be = |encoding: Encoding| {
        encoding != Encoding::UTF_8
            && (encoding.is_ascii_compatible() || encoding.takes_escapes())
            && encoding.decode(words, ErrorPolicy::Stop).is_ok()
    };
    let known = |encoding: Encoding| {
        ranking
            .candidates
            .iter()
            .find(|candidate| candidate.encoding == encoding)
            .map(|found| found.confidence)
    };
    let best = ranking.candidates.iter().find(|candidate| can_be(candidate.encoding));
    let Some(best) = best else { return text.unwrap_or(USUAL) };
    let best = Choice { encoding: best.encoding, confidence: best.confidence };
    if let Some(text) = text {
        let speaks_against = best.confidence >= SURE || !can_be(text.encoding);
        return if speaks_against { best } else { text };
    }
    let count = words.iter().filter(|byte| !byte.is_ascii()).count();
    let is_doubtful = !ranking.fits || (count < FEW && best.confidence < SURE) || count < VERY_FEW;
    if is_doubtful && can_be(USUAL.encoding) {
        let confidence = known(USUAL.encoding).unwrap_or(0.0).max(USUAL.confidence);
        return Choice { confidence, ..USUAL };
    }
    best
}

/// Appends the words of a line that have ill-formed runs, without well-formed sequences if the line has many of them.
fn words(line: &[u8], runs: &[Range<usize>], to: &mut Vec<u8>) {
    let is_space = |byte: &u8| *byte <= b' ';
    let beyond = line.iter().filter(|byte| !byte.is_ascii()).count();
    // In multi-byte encodings, up to half of the pairs are UTF-8 by chance.
    let is_legacy = runs.iter().map(Range::len).sum::<usize>() * 3 >= beyond;
    let mut done = 0;
    for run in runs {
        if run.start < done {
            continue;
        }
        let start = line[done..run.start].iter().rposition(is_space).map_or(done, |at| done + at + 1);
        let end = line[run.end..].iter().position(is_space).map_or(line.len(), |at| run.end + at);
        done = end;
        let within = runs.iter().filter(|other| start <= other.start && other.end <= end);
        if is_legacy {
            to.extend_from_slice(&line[start..end]);
        } else {
            let is_ill_formed = |at: usize| within.clone().any(|run| run.contains(&at));
            let kept = (start..end).filter(|&at| line[at].is_ascii() || is_ill_formed(at));
            to.extend(kept.map(|at| line[at]));
        }
        to.push(b' ');
    }
}
