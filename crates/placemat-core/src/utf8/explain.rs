//! The kind and extent of an error in UTF-8.

use crate::forms::form::Step;
use crate::forms::unicode::utf8::decode_step;
use crate::ground::error::{IllFormed, IllFormedKind};

/// Returns the error at the start of `rest`, which is not empty and begins at `offset` of the whole
/// text.
#[cold]
pub(super) fn explain(offset: usize, rest: &[u8]) -> IllFormed {
    let (len, seen, kind) = match decode_step(rest) {
        Step::IllFormed { len, seen, kind } => (len, seen, kind),
        // The caller found that `rest` does not begin with a well-formed sequence.
        _ => (rest.len(), rest.len(), IllFormedKind::Incomplete),
    };
    IllFormed::new(offset as u64, kind, rest, len, seen)
}
