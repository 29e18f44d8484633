//! The kinds of header fields, and what stayed as it was in one.

#![forbid(unsafe_code)]

use crate::transfer::TransferErrorKind;

/// The rules of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text.
    Text,
    /// Addresses: phrases, quoted strings, comments.
    Addresses,
    /// A value with parameters.
    Parameters,
}

/// Counts what stayed as it was in a field, with the place, the length and the reason of the first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stayed {
    pub(super) count: u64,
    pub(super) first: Option<(usize, usize, TransferErrorKind)>,
}

impl Stayed {
    pub(super) fn add(&mut self, at: usize, len: usize, kind: TransferErrorKind) {
        self.count += 1;
        self.first.get_or_insert((at, len, kind));
    }
}
