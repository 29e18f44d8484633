//! A place of a text that is kept until its end shows what to report there.

use super::picture::Line;
use crate::lines::Tracker;
use crate::scan::{Around, Decoder};
use placemat::Encoding;

/// A place, and what a report of it needs: the first CR of a text, or its first ill-formed sequence.
#[derive(Debug)]
pub(super) struct Kept {
    /// The place in lines and columns, and the text before it on its line.
    pub(super) tracker: Tracker,
    pub(super) line: Line,
    /// The bytes from there on that a report may show, of which the first `len` are meant.
    bytes: Vec<u8>,
    offset: u64,
    len: usize,
    encoding: Encoding,
    /// The decoder that reads on after the bytes that are meant.
    decoder: Option<Box<Decoder>>,
    /// Whether the stream ends with these bytes.
    is_last: bool,
}

impl Kept {
    /// Keeps the first `len` bytes from the place of `around` on.
    pub(super) fn new(tracker: Tracker, line: Line, around: &Around<'_>, len: usize) -> Self {
        let bytes = around.following().to_vec();
        let len = len.min(bytes.len());
        let (in_memory, is_last) = around.in_memory();
        let is_last = is_last && in_memory.ends_with(&bytes);
        let decoder = around.decoder().cloned().map(Box::new);
        Self {
            tracker,
            line,
            bytes,
            offset: around.offset(),
            len,
            encoding: around.encoding,
            decoder,
            is_last,
        }
    }

    /// Returns the bytes that are meant and those after them.
    pub(super) fn around(&self) -> Around<'_> {
        Around::of(&self.bytes, self.offset, self.len, self.encoding)
            .ending(self.is_last)
            .read_by(self.decoder.as_deref())
    }
}
