//! Reads bytes of legacy encodings that stand inside UTF-8, in the encodings that [`regions`](mod@crate::detect::regions) finds.

use super::change::Step;
use super::edits::Why;
use crate::detect::regions::{Choice, Learner, Part, USUAL};
use alloc::borrow::ToOwned as _;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_charsets::Encoding;
use placemat_core::policy::ErrorPolicy;

/// Chooses the encoding of ill-formed runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Reader {
    /// The choice of the caller.
    given: Option<Encoding>,
    learner: Learner,
    /// The whole text was looked at before the first line is repaired.
    is_learned: bool,
    /// The choices for the ill-formed lines of the block that are still to come.
    choices: VecDeque<Choice>,
    /// The choice for the line.
    line: Choice,
}

impl Reader {
    pub(super) fn given(encoding: Encoding) -> Self {
        Self { given: Some(encoding), ..Self::default() }
    }

    /// Forgets the text.
    pub(super) fn forget(&mut self) {
        *self = Self { given: self.given, ..Self::default() };
    }

    /// Looks at whole lines before any is repaired.
    pub(super) fn learn(&mut self, block: &[u8]) {
        self.is_learned = true;
        if self.given.is_none() {
            self.learner.look(block);
        }
    }

    /// Chooses for all lines of a block that is ill-formed.
    pub(super) fn begin_block(&mut self, block: &[u8]) {
        if self.given.is_none() {
            if !self.is_learned {
                self.learner.look(block);
            }
            self.choices = self.learner.assign(block).into();
        }
    }

    /// Goes on to the next ill-formed line, with these parts that may be legacy text.
    pub(super) fn begin_line(&mut self, line: &[u8], parts: &[Range<usize>]) {
        self.line = match self.given {
            Some(encoding) => {
                let own: usize = parts.iter().map(Range::len).sum();
                let is_whole = own * 2 > line.iter().filter(|byte| !byte.is_ascii()).count();
                Choice { part: Part { encoding, confidence: 1.0, is_shown: true }, is_whole }
            }
            None => self.choices.pop_front().unwrap_or_default(),
        };
    }

    /// Reads all stretches of bytes above 7F of a line that is as a whole in one encoding, well-formed UTF-8 among them.
    pub(super) fn whole_line(&self, line: &[u8]) -> Option<Vec<(Range<usize>, String)>> {
        if !self.line.is_whole {
            return None;
        }
        let mut stretches = Vec::new();
        let mut at = 0;
        while let Some(start) = line[at..].iter().position(|byte| !byte.is_ascii()).map(|next| at + next) {
            let end = line[start..].iter().position(u8::is_ascii).map_or(line.len(), |len| start + len);
            let read = self.stretch(line, start..end)?;
            at = read.0.end;
            stretches.push(read);
        }
        Some(stretches)
    }

    /// Returns the reason for an edit.
    pub(super) fn why(&self) -> Why {
        let Part { encoding, confidence, .. } = self.line.part;
        Why { confidence, ..Why::certain(Step::Bytes, &[encoding]) }
    }

    /// Reads a whole stretch of bytes above 7F, together with a trail byte in ASCII after it, if the encoding is multi-byte
    /// and all of it is text.
    pub(super) fn stretch(&self, line: &[u8], stretch: Range<usize>) -> Option<(Range<usize>, String)> {
        let encoding = self.line.part.encoding;
        if encoding.max_bytes() == 1 {
            return self.mostly(line, stretch);
        }
        // A sequence can end with a byte of ASCII, and then the text goes on.
        let mut text = String::new();
        let mut at = stretch.start;
        while line.get(at).is_some_and(|byte| !byte.is_ascii()) {
            let longest = encoding.max_bytes().min(line.len() - at);
            let (len, read) = (1..=longest).find_map(|len| {
                let read = encoding.decode(&line[at..at + len], ErrorPolicy::Stop).ok()?;
                Some((len, read))
            })?;
            text.push_str(&read);
            at += len;
        }
        (!text.contains(is_no_text)).then_some((stretch.start..at, text))
    }

    /// Reads a stretch in a single-byte encoding, if most of the line is ill-formed: the rest is UTF-8 by chance.
    fn mostly(&self, line: &[u8], stretch: Range<usize>) -> Option<(Range<usize>, String)> {
        if !self.line.is_whole {
            return None;
        }
        let text = self.line.part.encoding.decode(&line[stretch.clone()], ErrorPolicy::Stop).ok()?;
        (!text.contains(is_no_text)).then(|| (stretch, text.into_owned()))
    }

    /// Reads bytes that look like a truncated or overlong sequence of UTF-8, if the caller or the
    /// file names an encoding that has text for all of them.
    pub(super) fn broken_sequence(&self, bytes: &[u8]) -> Option<String> {
        let Part { encoding, is_shown, .. } = self.line.part;
        let text = encoding.decode(bytes, ErrorPolicy::Stop).ok().filter(|_| is_shown)?;
        // An overlong form of ASCII becomes no ASCII in any encoding.
        (!text.contains(|c: char| is_no_text(c) || c.is_ascii())).then(|| text.into_owned())
    }

    /// Reads bytes one by one; a byte that is not text gives `None`.
    pub(super) fn bytes(&self, line: &[u8], range: Range<usize>) -> Vec<(Range<usize>, Option<String>)> {
        let Part { encoding, .. } = self.line.part;
        // An order is kept: a byte that it does not read is lost.
        let is_alone = encoding.max_bytes() == 1 || self.given.is_some();
        let encoding = if is_alone { encoding } else { USUAL.encoding };
        let read = |at: usize| {
            let text = encoding.decode(&line[at..=at], ErrorPolicy::Stop).ok()?;
            (!text.contains(is_no_text)).then(|| text.as_ref().to_owned())
        };
        range.map(|at| (at..at + 1, read(at))).collect()
    }
}

/// Returns `true` if a code point cannot be the meaning of a legacy byte: controls are not text.
fn is_no_text(c: char) -> bool {
    c.is_control()
}
