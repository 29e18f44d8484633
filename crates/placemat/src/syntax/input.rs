//! Input that waits for its end, and what stayed as it was.

#![forbid(unsafe_code)]

use crate::transfer::{Place, TransferError, TransferErrorKind};
use alloc::vec::Vec;

/// Counts what stayed as it was, although it looks like an escape or needs one.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kept {
    pub(super) count: u64,
    pub(super) first: Option<TransferError>,
}

impl Kept {
    pub(super) fn add(&mut self, count: u64, e: impl FnOnce() -> TransferError) {
        self.count += count;
        if self.first.is_none() {
            self.first = Some(e());
        }
    }
}

/// Input that a lexer has not read yet, and its place.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) held: Vec<u8>,
    pub(super) offset: u64,
    pub(super) place: Place,
}

impl Input {
    pub(super) const fn new() -> Self {
        Self { held: Vec::new(), offset: 0, place: Place::START }
    }

    /// Returns an error at `at` in `src`, which begins at this place.
    pub(super) fn error(&self, src: &[u8], at: usize, len: usize, kind: TransferErrorKind) -> TransferError {
        let seen = &src[at..src.len().min(at + len)];
        TransferError::new(self.offset + at as u64, len, self.place.after(&src[..at]), kind, seen)
    }

    /// Advances past the part of `src` that was read.
    pub(super) fn advance(&mut self, read: &[u8]) {
        self.offset += read.len() as u64;
        self.place = self.place.after(read);
    }

    /// Calls `run` with the text that is held and the next piece, and holds what it does not read.
    pub(super) fn feed(&mut self, piece: &[u8], run: impl FnOnce(&mut Self, &[u8]) -> usize) {
        if self.held.is_empty() {
            let read = run(self, piece);
            self.advance(&piece[..read]);
            self.held.extend_from_slice(&piece[read..]);
        } else {
            let mut src = core::mem::take(&mut self.held);
            src.extend_from_slice(piece);
            let read = run(self, &src);
            self.advance(&src[..read]);
            src.drain(..read);
            self.held = src;
        }
    }
}
