//! The place that an undo has reached, in the text and in the source.

use super::super::change::Change;
use super::super::source::Source;
use alloc::vec::Vec;
use core::fmt;
use placemat_charsets::Encoding;

/// The reason why a repair cannot be undone: the text or the record is not the one that the repair made.
///
/// ```
/// use placemat::{Encoding, repair::{Change, Step, UndoError, undo}};
/// let change = Change::new(Step::Bytes, (3, b"\xE9".to_vec()), (3, "é".into()));
/// let e: UndoError = undo(b"cafe", Encoding::UTF_8, &[change]).unwrap_err();
/// assert_eq!((e.offset(), &*e.to_string()), (3, "the text at offset 3 is not what the record says"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoError {
    offset: u64,
}

impl UndoError {
    /// Returns the offset in the repaired text where it differs from the record.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

impl fmt::Display for UndoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text at offset {} is not what the record says", self.offset)
    }
}

impl core::error::Error for UndoError {}

#[cfg(feature = "std")]
placemat_core::into_io_error!(InvalidData: UndoError);

/// How far a repair is undone.
#[derive(Debug)]
pub(super) struct Position {
    encoding: Source,
    /// The bytes of the repaired text that were read.
    pub(super) offset: u64,
    /// The bytes of the source that were written.
    pub(super) written: u64,
    /// The start of a sequence that the last piece truncated.
    held: Vec<u8>,
}

impl Position {
    pub(super) fn new(encoding: Encoding) -> Self {
        Self { encoding: Source::of(encoding), offset: 0, written: 0, held: Vec::new() }
    }

    /// Returns the number of bytes before a change that stay as they are.
    pub(super) fn gap(&self, change: &Change) -> Result<u64, UndoError> {
        change.repaired_offset.checked_sub(self.offset).ok_or_else(|| self.differs())
    }

    /// Appends the source of a piece of text that the repair left as it was.
    pub(super) fn keep(&mut self, piece: &[u8], source: &mut Vec<u8>) -> Result<(), UndoError> {
        let before = source.len();
        if self.encoding == Source::Utf8 {
            source.extend_from_slice(piece);
        } else {
            self.held.extend_from_slice(piece);
            let (text, rest) = placemat_core::checked::split_well_formed(&self.held);
            if rest.len() > 3 {
                return Err(self.differs());
            }
            self.encoding.encode(text, source);
            let text = text.len();
            self.held.drain(..text);
        }
        self.written += (source.len() - before) as u64;
        self.offset += piece.len() as u64;
        Ok(())
    }

    /// Checks that the next change is here.
    pub(super) fn arrive(&self, change: &Change) -> Result<(), UndoError> {
        let is_here = (self.offset, self.written) == (change.repaired_offset, change.offset);
        if is_here && self.held.is_empty() { Ok(()) } else { Err(self.differs()) }
    }

    /// Checks that the text ends after a whole sequence.
    pub(super) fn end(&self) -> Result<(), UndoError> {
        if self.held.is_empty() { Ok(()) } else { Err(self.differs()) }
    }

    pub(super) const fn differs(&self) -> UndoError {
        UndoError { offset: self.offset }
    }
}
