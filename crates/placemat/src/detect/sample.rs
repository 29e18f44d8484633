//! The neighbourhoods of high bytes of a whole stream, in constant memory.

use alloc::vec::Vec;

/// The most bytes that are kept.
const LIMIT: usize = 256 * 1024;

/// Pieces of a stream around its ill-formed UTF-8, spread over its whole length, and the count of each byte value.
///
/// A stream that is not UTF-8 has such neighbourhoods everywhere; they stand for the text that a ranking scores.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    bytes: Vec<u8>,
    /// The ends of the pieces.
    ends: Vec<usize>,
    /// The first bytes of the stream, also where they are ASCII: for encodings that are not ASCII-compatible.
    pub(crate) head: Vec<u8>,
    /// How often each byte value occurs in all neighbourhoods of the stream, also in those that are not kept.
    pub(crate) histogram: [u64; 256],
    /// The length of the whole stream in bytes.
    pub(crate) len: u64,
}

impl Default for Sample {
    fn default() -> Self {
        Self { bytes: Vec::new(), ends: Vec::new(), head: Vec::new(), histogram: [0; 256], len: 0 }
    }
}

impl Sample {
    /// The sample of a text that is one neighbourhood, such as an ill-formed run.
    pub(crate) fn of(src: &[u8]) -> Self {
        let mut sample = Self { head: src.to_vec(), len: src.len() as u64, ..Self::default() };
        sample.count(src);
        sample.push(src);
        sample
    }

    /// The pieces in the order of the stream. Each begins at the start of the stream, or after a space or a control of
    /// ASCII, where every encoding begins a character.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        let starts = core::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).filter_map(|(start, &end)| self.bytes.get(start..end))
    }

    /// Takes a block with ill-formed UTF-8 in it.
    pub(super) fn take(&mut self, block: &[u8]) {
        self.count(block);
        if self.bytes.len() + block.len() <= LIMIT {
            self.push(block);
        }
    }

    /// Adds a piece.
    fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
        self.ends.push(self.bytes.len());
    }

    /// Counts the bytes of a neighbourhood.
    fn count(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.histogram[usize::from(byte)] += 1;
        }
    }
}
