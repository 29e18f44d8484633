//! Reads bytes of legacy encodings that stand inside UTF-8.

use super::change::Step;
use super::edits::Why;
use crate::forms::encoding::Encoding;
use crate::policy::ErrorPolicy;
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// The legacy encoding of the bytes, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reader {
    pub(super) encoding: Encoding,
    pub(super) confidence: f32,
}

/// The encoding of bytes about which nothing else is known: most of the web's stray bytes are in it.
const USUAL: Encoding = Encoding::WINDOWS_1252;

impl Default for Reader {
    fn default() -> Self {
        Self { encoding: USUAL, confidence: 0.5 }
    }
}

impl Reader {
    /// The reason for an edit.
    pub(super) fn why(&self) -> Why {
        Why { confidence: self.confidence, ..Why::certain(Step::Bytes, &[self.encoding]) }
    }

    /// Reads a whole stretch of bytes above 7F, together with a trail byte in ASCII after it: if the encoding is multi-byte
    /// and all of it is text, or if most of the stretch is ill-formed as UTF-8.
    pub(super) fn stretch(
        &self,
        line: &[u8],
        stretch: Range<usize>,
        run: &Range<usize>,
    ) -> Option<(Range<usize>, String)> {
        let multi_byte = self.encoding.max_bytes() > 1;
        if !multi_byte {
            return None;
        }
        // A sequence can end with a byte of ASCII, and then the text goes on.
        let mut end = stretch.end;
        loop {
            let bytes = &line[stretch.start..end];
            match self.encoding.decode(bytes, ErrorPolicy::Stop) {
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

    /// Reads bytes one by one. `None` stands for what is no text.
    pub(super) fn bytes(&self, line: &[u8], range: Range<usize>) -> Vec<(Range<usize>, Option<String>)> {
        let encoding = if self.encoding.max_bytes() > 1 { USUAL } else { self.encoding };
        let read = |at: usize| {
            let text = encoding.decode(&line[at..=at], ErrorPolicy::Stop).ok()?;
            (!text.contains(is_no_text)).then(|| text.as_ref().to_owned())
        };
        range.map(|at| (at..at + 1, read(at))).collect()
    }
}

/// Whether a code point cannot be a legacy byte's meaning: controls are not text.
fn is_no_text(c: char) -> bool {
    c.is_control()
}
