//! A line on its way through the layers.

use alloc::vec::Vec;

/// A line of code points, and where each came from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    pub(super) text: Vec<u32>,
    /// For each code point, the index of the first code point of the original that it comes from.
    pub(super) origin: Vec<u32>,
}

impl Line {
    pub(super) fn new(text: Vec<u32>) -> Self {
        let origin = (0..u32::try_from(text.len()).unwrap_or(u32::MAX)).collect();
        Self { text, origin }
    }

    pub(super) fn with_capacity(len: usize) -> Self {
        Self { text: Vec::with_capacity(len), origin: Vec::with_capacity(len) }
    }

    pub(super) fn push(&mut self, c: u32, origin: u32) {
        self.text.push(c);
        self.origin.push(origin);
    }

    pub(super) fn copy(&mut self, from: &Self, range: core::ops::Range<usize>) {
        self.text.extend_from_slice(&from.text[range.clone()]);
        self.origin.extend_from_slice(&from.origin[range]);
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.text.truncate(len);
        self.origin.truncate(len);
    }
}
