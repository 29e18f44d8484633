//! Lines and columns of text in pieces.

#![forbid(unsafe_code)]

use crate::utf8;

/// A place in a text: the line, and the column in code points, both from 1. Lines end with LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) line: u64,
    pub(crate) column: u64,
}

impl Place {
    pub(crate) const START: Self = Self { line: 1, column: 1 };

    /// Returns the place after `text`.
    pub(crate) fn after(self, text: &[u8]) -> Self {
        let lines = utf8::count_line_feeds(text);
        let Self { line, column } = self;
        let characters = |text: &[u8]| text.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
        match text.iter().rposition(|byte| *byte == b'\n') {
            Some(at) if lines > 0 => {
                Self { line: line + lines as u64, column: 1 + characters(&text[at + 1..]) }
            }
            _ => Self { line, column: column + characters(text) },
        }
    }
}
