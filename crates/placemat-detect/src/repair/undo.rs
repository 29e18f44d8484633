//! From a repaired text and its record back to the bytes of the source.

mod position;
#[cfg(feature = "std")]
mod streams;

use self::position::Position;
use super::change::Change;
use alloc::vec::Vec;
use placemat_charsets::Encoding;

pub use self::position::UndoError;
#[cfg(feature = "std")]
pub use self::streams::Undo;

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
