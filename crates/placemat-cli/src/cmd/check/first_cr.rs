//! The first CR of a text, kept until its end shows whether all lines end so.

use super::picture::Line;
use crate::lines::Tracker;
use crate::scan::Around;
use placemat::Encoding;

/// The first CR of a text in which no line ends otherwise so far.
pub(super) struct FirstCr {
    /// The place in lines and columns, and the text before it on its line.
    pub(super) tracker: Tracker,
    pub(super) line: Line,
    /// The bytes from there on that a report may show, of which the first `len` are the CR.
    bytes: Vec<u8>,
    offset: u64,
    len: usize,
    encoding: Encoding,
}

impl FirstCr {
    pub(super) fn new(tracker: Tracker, line: Line, around: &Around<'_>) -> Self {
        Self {
            tracker,
            line,
            bytes: around.following().to_vec(),
            offset: around.offset(),
            len: around.bytes().len(),
            encoding: around.encoding,
        }
    }

    /// Returns the bytes of the CR and those after it.
    pub(super) fn around(&self) -> Around<'_> {
        Around::of(&self.bytes, self.offset, self.len, self.encoding)
    }
}
