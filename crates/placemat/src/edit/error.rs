//! The errors of editing.

use core::fmt;
use placemat_core::ground::error::Unmappable;

/// Why a [`Document`](super::Document) cannot be opened or edited. It is then unchanged.
///
/// ```
/// use placemat::{Encoding, edit::{Document, EditError}};
/// let mut price = Document::open(b"5 \xA3", Encoding::ISO_8859_1)?;
/// let EditError::Unmappable(e) = price.replace(2..4, "£, 6 €").unwrap_err() else { panic!() };
/// assert_eq!((e.offset(), e.code_point().value()), (6, 0x20AC));
/// assert!(matches!(price.replace(3..4, ""), Err(EditError::Range)));
/// assert_eq!(price.to_bytes(), b"5 \xA3");
/// # Ok::<(), EditError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The range ends before it starts, reaches beyond the text, or divides a code point.
    Range,
    /// The encoding cannot represent a code point. The offset counts bytes of the new text.
    Unmappable(Unmappable),
    /// The bytes of the new text and those around it would read as another text: a byte without text would become a part of
    /// a sequence.
    ReadsOtherwise,
    /// The file has bytes without text, and its text has all code points but a few, so that none is
    /// free to represent the bytes.
    NoStandIn,
}

impl fmt::Display for EditError {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range => f.write_str("the range does not select whole code points of the text"),
            Self::Unmappable(e) => e.fmt(f),
            Self::ReadsOtherwise => {
                f.write_str("the new text and the bytes around it would read as another text")
            }
            Self::NoStandIn => f.write_str("the text has too many code points for any to represent bytes"),
        }
    }
}

/// Without a source: the message contains that of the [`Unmappable`] already.
impl core::error::Error for EditError {}

#[cfg(feature = "std")]
placemat_core::into_io_error!(InvalidInput: EditError);
