//! From a repaired text and its record back to the bytes of the source.

#[cfg(feature = "std")]
mod streams;

use super::change::Change;
use super::source::Source;
use alloc::vec::Vec;
use core::fmt;
use placemat_charsets::Encoding;

#[cfg(feature = "std")]
pub use self::streams::Undo;

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

/// Returns the bytes of the source from which a repair made `repaired`.
///
/// `encoding` is that of the source (see [`Repaired::encoding`](super::Repaired::encoding)).
///
/// ```
/// use placemat::{Encoding, repair::{Repairer, undo}};
/// let source = b"a well-formed \xC3\xA9, a lone \xE9";
/// let repaired = Repairer::new().repair(source);
/// assert_eq!(repaired.text, "a well-formed é, a lone é");
/// assert_eq!(undo(repaired.text.as_bytes(), repaired.encoding, &repaired.changes)?, source);
/// // Any other text is refused.
/// assert!(undo(b"a text", repaired.encoding, &repaired.changes).is_err());
/// # Ok::<(), placemat::repair::UndoError>(())
/// ```
///
/// # Errors
/// If the text differs from the record.
pub fn undo(repaired: &[u8], encoding: Encoding, changes: &[Change]) -> Result<Vec<u8>, UndoError> {
    let (mut at, mut source, mut rest) = (Position::new(encoding), Vec::new(), repaired);
    for change in changes {
        let gap = usize::try_from(at.gap(change)?).unwrap_or(usize::MAX);
        let (same, later) = rest.split_at(gap.min(rest.len()));
        at.keep(same, &mut source)?;
        at.arrive(change)?;
        rest = later.strip_prefix(change.after.as_bytes()).ok_or_else(|| at.differs())?;
        at.offset += change.after.len() as u64;
        at.written += change.before.len() as u64;
        source.extend_from_slice(&change.before);
    }
    at.keep(rest, &mut source)?;
    at.end()?;
    Ok(source)
}

/// How far a repair is undone.
#[derive(Debug)]
struct Position {
    encoding: Source,
    /// The bytes of the repaired text that were read.
    offset: u64,
    /// The bytes of the source that were written.
    written: u64,
    /// The start of a sequence that the last piece truncated.
    held: Vec<u8>,
}

impl Position {
    fn new(encoding: Encoding) -> Self {
        Self { encoding: Source::of(encoding), offset: 0, written: 0, held: Vec::new() }
    }

    /// Returns the number of bytes before a change that stay as they are.
    fn gap(&self, change: &Change) -> Result<u64, UndoError> {
        change.repaired_offset.checked_sub(self.offset).ok_or_else(|| self.differs())
    }

    /// Appends the source of a piece of text that the repair left as it was.
    fn keep(&mut self, piece: &[u8], source: &mut Vec<u8>) -> Result<(), UndoError> {
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
    fn arrive(&self, change: &Change) -> Result<(), UndoError> {
        let is_here = (self.offset, self.written) == (change.repaired_offset, change.offset);
        if is_here && self.held.is_empty() { Ok(()) } else { Err(self.differs()) }
    }

    /// Checks that the text ends after a whole sequence.
    fn end(&self) -> Result<(), UndoError> {
        if self.held.is_empty() { Ok(()) } else { Err(self.differs()) }
    }

    const fn differs(&self) -> UndoError {
        UndoError { offset: self.offset }
    }
}
