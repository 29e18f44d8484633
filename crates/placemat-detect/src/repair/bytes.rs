//! Ill-formed bytes inside UTF-8: what each run of them is.
//!
//! Well-formed sequences stay. A run of ill-formed bytes is, in this order:
//! 1. surrogate pairs in three bytes each (CESU-8), and C0 80, which is U+0000 (Modified UTF-8);
//! 2. with a multi-byte encoding, text of it, if all bytes between ASCII are well-formed in it;
//! 3. an overlong form, a lone surrogate, or a truncated sequence: its text is lost, unless the caller or the file
//!    names an encoding that reads the bytes;
//! 4. text of a legacy encoding.
//!
//! An overlong form never becomes the ASCII that it encodes.

use super::change::Step;
use super::edits::{self, Edit, Why};
use super::legacy_bytes::Reader;
use super::steps::Steps;
use crate::detect::regions::runs::{What, ill_formed_runs, is_last, leads, legacy_parts, parts_of};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;
use core::ops::Range;
use placemat_charsets::Encoding;

/// The text in place of bytes that cannot be recovered.
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

/// How often a stretch of bytes above 7F is tried as a whole, from one of its runs on. In one without an end, more would take
/// time by the square of its length.
const TRIES: usize = 8;

/// Makes the bytes of a line well-formed.
pub(super) fn mend(line: &[u8], reader: &mut Reader, steps: Steps, lost: Lost) -> Mended {
    let mut mended = Mended { text: String::with_capacity(line.len()), edits: Vec::new() };
    let mut from = 0;
    let runs = ill_formed_runs(line);
    let leads = leads(line, &runs);
    let parts = legacy_parts(line, &runs, leads);
    reader.begin_line(line, &parts);
    if steps.has(Step::Bytes)
        && let Some(stretches) = reader.whole_line(line)
    {
        for (range, text) in stretches {
            mended.keep(line, from, range.start);
            from = range.end;
            mended.put(range, &text, &reader.why());
        }
        mended.keep(line, from, line.len());
        return mended;
    }
    // The end of the bytes above 7F around the run, and how often they were tried as a whole.
    let (mut stretch_end, mut tries) = (0, 0);
    for run in runs {
        // A run may lie in a stretch that was read as a whole.
        if run.start < from {
            continue;
        }
        if run.end > stretch_end {
            stretch_end = line[run.end..].iter().position(u8::is_ascii).map_or(line.len(), |at| run.end + at);
            tries = 0;
        }
        tries += 1;
        if steps.has(Step::Bytes)
            && !parts.is_empty()
            && tries <= TRIES
            && let Some((range, text)) = reader.stretch(line, stretch_start(line, &run, from)..stretch_end)
        {
            mended.keep(line, from, range.start);
            from = range.end;
            mended.put(range, &text, &reader.why());
            continue;
        }
        mended.keep(line, from, run.start);
        from = run.end;
        let mut at = run.start;
        for (len, what) in parts_of(&line[run.clone()], is_last(line, &run).then_some(leads)) {
            let range = at..at + len;
            at += len;
            match what {
                What::Text(c) if steps.has(Step::Pairs) => {
                    let encoding = if c == '\0' { Encoding::MODIFIED_UTF_8 } else { Encoding::CESU_8 };
                    let mut text = [0; 4];
                    mended.put(range, c.encode_utf8(&mut text), &Why::certain(Step::Pairs, &[encoding]));
                }
                What::Legacy if steps.has(Step::Bytes) => {
                    for (range, text) in reader.bytes(line, range) {
                        match text {
                            Some(text) => mended.put(range, &text, &reader.why()),
                            None => mended.lose(line, range, lost),
                        }
                    }
                }
                _ => match reader.broken_sequence(&line[range.clone()]).filter(|_| steps.has(Step::Bytes)) {
                    Some(text) => mended.put(range, &text, &reader.why()),
                    None => mended.lose(line, range, lost),
                },
            }
        }
    }
    mended.keep(line, from, line.len());
    mended
}

impl Mended {
    /// Appends bytes that stay. They are well-formed.
    pub(super) fn keep(&mut self, line: &[u8], from: usize, to: usize) {
        self.text.push_str(&String::from_utf8_lossy(&line[from..to]));
    }

    /// Appends text in place of bytes; joins it to an edit before it that has the same reason.
    pub(super) fn put(&mut self, before: Range<usize>, text: &str, why: &Why) {
        let start = self.text.len();
        self.text.push_str(text);
        edits::add(&mut self.edits, before, start..self.text.len(), why);
    }

    /// Appends the replacement of one ill-formed sequence of an encoding other than UTF-8.
    pub(super) fn lose_one(&mut self, line: &[u8], range: Range<usize>, lost: Lost) {
        match lost {
            Lost::Replace => self.put(range, "\u{FFFD}", &Why::lost()),
            Lost::Escape => self.lose(line, range, lost),
        }
    }

    /// Appends the replacement of lost text.
    pub(super) fn lose(&mut self, line: &[u8], range: Range<usize>, lost: Lost) {
        let text = match lost {
            Lost::Replace => String::from_utf8_lossy(&line[range.clone()]).into_owned(),
            Lost::Escape => line[range.clone()].iter().fold(String::new(), |mut text, byte| {
                _ = write!(text, "\\x{byte:02x}");
                text
            }),
        };
        self.put(range, &text, &Why::lost());
    }
}

/// Returns the start of the bytes above 7F before a run, from `from` on.
fn stretch_start(line: &[u8], run: &Range<usize>, from: usize) -> usize {
    line[from..run.start].iter().rposition(u8::is_ascii).map_or(from, |at| from + at + 1)
}
