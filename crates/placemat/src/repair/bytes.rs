//! Ill-formed bytes inside UTF-8: what each run of them is.
//!
//! Well-formed sequences stay. A run of ill-formed bytes is, in this order:
//! 1. surrogate pairs in three bytes each (CESU-8), and C0 80, which is U+0000 (Modified UTF-8);
//! 2. with a multi-byte encoding, text of it, if all bytes between ASCII are well-formed in it;
//! 3. an overlong form, a lone surrogate, or a sequence that was cut off: its text is lost;
//! 4. text of a legacy encoding.
//!
//! An overlong form never becomes the ASCII that it would stand for.

use super::change::Step;
use super::edits::{Edit, Why};
use super::legacy_bytes::Reader;
use super::steps::Steps;
use crate::forms::encoding::Encoding;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// How text that is lost is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Lost {
    /// U+FFFD for each ill-formed sequence.
    #[default]
    Replace,
    /// `\xHH` for each byte.
    Escape,
}

/// A line in UTF-8, made from bytes, and the changes that made it.
pub(super) struct Mended {
    pub(super) text: String,
    pub(super) edits: Vec<Edit>,
}

/// Makes the bytes of a line well-formed.
pub(super) fn mend(line: &[u8], reader: &mut Reader, steps: Steps, lost: Lost) -> Mended {
    let mut mended = Mended { text: String::with_capacity(line.len()), edits: Vec::new() };
    let mut from = 0;
    let runs = ill_formed_runs(line);
    let leads = if let [_] = *runs { leads(line, &runs) } else { 0 };
    let parts = legacy_parts(line, &runs, leads);
    reader.begin_line(line, &parts);
    for run in runs {
        // A run may lie in a stretch that was read as a whole.
        if run.start < from {
            continue;
        }
        let stretch = stretch(line, &run, from);
        if steps.has(Step::Bytes)
            && !parts.is_empty()
            && let Some((range, text)) = reader.stretch(line, stretch.clone(), &run)
        {
            mended.keep(line, from, range.start);
            from = range.end;
            mended.put(range, &text, reader.why());
            continue;
        }
        mended.keep(line, from, run.start);
        from = run.end;
        let mut at = run.start;
        while at < run.end {
            let rest = &line[at..run.end];
            let (len, what) = what(rest, is_last(line, &run).then_some(leads));
            let range = at..at + len;
            at += len;
            match what {
                What::Text(c) if steps.has(Step::Pairs) => {
                    let encoding = if c == '\0' { Encoding::MODIFIED_UTF_8 } else { Encoding::CESU_8 };
                    let mut text = [0; 4];
                    mended.put(range, c.encode_utf8(&mut text), Why::certain(Step::Pairs, &[encoding]));
                }
                What::Legacy if steps.has(Step::Bytes) => {
                    for (range, text) in reader.bytes(line, range) {
                        match text {
                            Some(text) => mended.put(range, &text, reader.why()),
                            None => mended.lose(line, range, lost),
                        }
                    }
                }
                _ => mended.lose(line, range, lost),
            }
        }
    }
    mended.keep(line, from, line.len());
    mended
}

impl Mended {
    /// Appends bytes that stay. They are well-formed.
    fn keep(&mut self, line: &[u8], from: usize, to: usize) {
        self.text.push_str(&String::from_utf8_lossy(&line[from..to]));
    }

    /// Appends text in place of bytes; joins it to an edit before it that has the same reason.
    fn put(&mut self, before: Range<usize>, text: &str, why: Why) {
        let start = self.text.len();
        self.text.push_str(text);
        let after = start..self.text.len();
        match self.edits.last_mut() {
            Some(last) if last.before.end == before.start && last.after.end == start && last.why == why => {
                last.before.end = before.end;
                last.after.end = after.end;
            }
            _ => self.edits.push(Edit { before, after, why }),
        }
    }

    /// Appends what stands for lost text.
    fn lose(&mut self, line: &[u8], range: Range<usize>, lost: Lost) {
        let text = match lost {
            Lost::Replace => String::from_utf8_lossy(&line[range.clone()]).into_owned(),
            Lost::Escape => line[range.clone()].iter().map(|byte| alloc::format!("\\x{byte:02x}")).collect(),
        };
        let mut why = Why::certain(Step::Lost, &[]);
        why.lossy = true;
        self.put(range, &text, why);
    }
}

/// The meaning of ill-formed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Text(char),
    Lost,
    Legacy,
}

/// The meaning of the first bytes of a run, and their number. At the end of a line, `leads` are the lead bytes of its
/// well-formed sequences.
fn what(run: &[u8], leads: Option<u64>) -> (usize, What) {
    if let Some((c, len)) = pair(run) {
        return (len, What::Text(c));
    }
    if run.starts_with(b"\xC0\x80") {
        return (2, What::Text('\0'));
    }
    let len = legacy_prefix(run);
    if len > 0 && len < run.len() {
        return (len, What::Legacy);
    }
    match run {
        [0xC0 | 0xC1, 0x80..=0xBF, ..] => (2, What::Lost),
        [0xE0, 0x80..=0x9F, 0x80..=0xBF, ..] => (3, What::Lost),
        [0xF0, 0x80..=0x8F, 0x80..=0xBF, 0x80..=0xBF, ..] => (4, What::Lost),
        [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => (3, What::Lost),
        // All but the last byte, or all but the last two, of a sequence.
        [0xE1..=0xEF, 0x80..=0xBF]
        | [0xE0, 0xA0..=0xBF]
        | [0xF1..=0xF3, 0x80..=0xBF]
        | [0xF0, 0x90..=0xBF]
        | [0xF4, 0x80..=0x8F]
        | [0xF1..=0xF3, 0x80..=0xBF, 0x80..=0xBF]
        | [0xF0, 0x90..=0xBF, 0x80..=0xBF]
        | [0xF4, 0x80..=0x8F, 0x80..=0xBF] => (run.len(), What::Lost),
        // A lead byte alone may be a letter of a legacy encoding. It was cut off if it is the only one that lacks its rest,
        // and begins other sequences of the line.
        [lead @ 0xC2..=0xF4] if leads.is_some_and(|leads| has(leads, *lead)) => (1, What::Lost),
        _ => (run.len(), What::Legacy),
    }
}

/// Whether a run ends its line.
fn is_last(line: &[u8], run: &Range<usize>) -> bool {
    matches!(line.get(run.end), None | Some(b'\n' | b'\r'))
}

/// The parts of the ill-formed runs of a line that may be text of a legacy encoding.
fn legacy_parts(line: &[u8], runs: &[Range<usize>], leads: u64) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    for run in runs {
        let leads = is_last(line, run).then_some(leads);
        let mut at = run.start;
        while at < run.end {
            let (len, what) = what(&line[at..run.end], leads);
            if what == What::Legacy {
                parts.push(at..at + len);
            }
            at += len;
        }
    }
    parts
}

/// The parts of a line that may be text of a legacy encoding.
pub(super) fn evidence(line: &[u8]) -> Vec<Range<usize>> {
    let runs = ill_formed_runs(line);
    let leads = if let [_] = *runs { leads(line, &runs) } else { 0 };
    legacy_parts(line, &runs, leads)
}

/// The bytes at the start of a run that belong neither to a pair nor to C0 80.
fn legacy_prefix(run: &[u8]) -> usize {
    (0..run.len())
        .find(|&at| run[at..].starts_with(b"\xC0\x80") || pair(&run[at..]).is_some())
        .unwrap_or(run.len())
}

/// The code point of a surrogate pair in six bytes at the start of `bytes`.
fn pair(bytes: &[u8]) -> Option<(char, usize)> {
    let &[0xED, a @ 0xA0..=0xAF, b @ 0x80..=0xBF, 0xED, c @ 0xB0..=0xBF, d @ 0x80..=0xBF, ..] = bytes else {
        return None;
    };
    let half = |high: u8, low: u8| u32::from(high & 0xF) << 6 | u32::from(low & 0x3F);
    char::from_u32(0x1_0000 + (half(a, b) << 10) + half(c, d)).map(|c| (c, 6))
}

/// The runs of ill-formed bytes of a line.
fn ill_formed_runs(line: &[u8]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for chunk in crate::utf8::chunks(line) {
        at += chunk.text().len();
        let Some(e) = chunk.ill_formed() else { break };
        match runs.last_mut() {
            Some(last) if last.end == at => last.end += e.len(),
            _ => runs.push(at..at + e.len()),
        }
        at += e.len();
    }
    runs
}

/// The lead bytes of the well-formed sequences of a line: bit 0 stands for C0.
fn leads(line: &[u8], runs: &[Range<usize>]) -> u64 {
    let mut leads = 0;
    for (at, &byte) in line.iter().enumerate() {
        if byte >= 0xC0 && !runs.iter().any(|run| run.contains(&at)) {
            leads |= 1 << (byte - 0xC0);
        }
    }
    leads
}

fn has(leads: u64, lead: u8) -> bool {
    leads >> (lead & 0x3F) & 1 != 0
}

/// The bytes above 7F around a run, from `from` on.
fn stretch(line: &[u8], run: &Range<usize>, from: usize) -> Range<usize> {
    let start = line[from..run.start].iter().rposition(u8::is_ascii).map_or(from, |at| from + at + 1);
    let end = line[run.end..].iter().position(u8::is_ascii).map_or(line.len(), |at| run.end + at);
    start..end
}
