//! Points in a conversion between two encodings.

use crate::encoding::Encoding;
use core::hash::{Hash, Hasher};
use placemat_core::engine::any::Place;
use placemat_core::engine::ending::Shift;

/// A point in a conversion at which it can go on later, or go on again: the states of both encodings, such as the shifts of
/// ISO-2022-JP, the windows of SCSU, or the byte order of UTF-16. See [`Transcoder::checkpoint`](super::Transcoder::checkpoint).
#[derive(Clone, Copy, Debug)]
pub struct Checkpoint {
    pub(super) encodings: (Encoding, Encoding),
    pub(super) from: Place,
    pub(super) to: Place,
    /// The shift that the text before leaves open, for the offset of an error.
    pub(super) shift: Shift,
}

impl Checkpoint {
    /// Returns what conversion depends on from here: not where an open shift is.
    const fn key(&self) -> ((Encoding, Encoding), Place, Place) {
        (self.encodings, self.from, self.to)
    }
}

impl PartialEq for Checkpoint {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Checkpoint {}

impl Hash for Checkpoint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl Checkpoint {
    /// Returns the encodings between which the conversion is: source and target.
    ///
    /// ```
    /// use placemat::{Encoding, stream::Transcoder};
    /// let checkpoint = Transcoder::new(Encoding::SCSU, Encoding::UTF_8).checkpoint().unwrap();
    /// assert_eq!(checkpoint.encodings(), (Encoding::SCSU, Encoding::UTF_8));
    /// ```
    #[must_use]
    pub const fn encodings(&self) -> (Encoding, Encoding) {
        self.encodings
    }
}
