//! Detection: the encoding and the language of bytes of unknown origin.
//!
//! [`placemat::detect`](crate::detect()) takes a whole text. A [`Detector`] reads a whole stream once, in constant memory, and answers with a [`Detection`]. Nothing is guessed
//! before the stream has ended, and the answer does not depend on the pieces in which it came.
//!
//! ```
//! use placemat::{Encoding, detect::{Detector, Verdict}};
//! let mut detector = Detector::new();
//! detector.feed(b"na\xC3");
//! detector.feed(b"\xAFve");
//! let found = detector.finish();
//! assert_eq!((found.verdict, found.encoding), (Verdict::Text, Some(Encoding::UTF_8)));
//! ```

mod blocks;
mod certain;
mod controls;
#[doc(hidden)]
pub mod declared;
mod judge;
pub(crate) mod lines;
mod mixed_units;
pub(crate) mod model;
pub(crate) mod regions;
mod sample;
pub(crate) mod split;
mod stages;
mod statistics;
mod structure;
mod utf8;
mod verdict;

#[cfg(feature = "repair")]
pub(crate) use self::sample::Sample;
#[cfg(feature = "repair")]
pub(crate) use self::statistics::{Hints, rank};

pub use self::model::Language;
pub use self::regions::{Region, Regions, regions};
pub use self::verdict::{Basis, Candidate, Damage, Declared, Detection, RuledOut, Verdict};

use self::blocks::Blocks;
use self::controls::Controls;
use self::mixed_units::MixedUnits;
use self::stages::Stages;
use alloc::vec::Vec;
use placemat_charsets::Encoding;
use placemat_charsets::bom;

/// Returns `true` if a stream that begins with `head` is in a known binary format: an image, a font, an archive, a program, a
/// catalog of gettext. A [`Detector`] answers [`Verdict::Binary`] for such a stream.
///
/// ```
/// use placemat::detect::is_binary_format;
/// assert!(is_binary_format(b"\xDE\x12\x04\x95\0\0\0\0\x02\0\0\0\x1C\0\0\0"));
/// // Text can begin with the letters of a format, and need not be well-formed.
/// assert!(!is_binary_format(b"BZh begins a file of bzip2"));
/// assert!(!is_binary_format(b"caf\xE9"));
/// ```
#[must_use]
pub fn is_binary_format(head: &[u8]) -> bool {
    binary_format(head).is_some()
}

/// Returns the name of the binary format in which a stream begins; `None` unless
/// [`is_binary_format`].
///
/// ```
/// use placemat::detect::binary_format;
/// assert_eq!(binary_format(b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"), Some("PNG"));
/// assert_eq!(binary_format(b"\xDE\x12\x04\x95\0\0\0\0"), Some("gettext MO"));
/// // Text, though not well-formed.
/// assert_eq!(binary_format(b"caf\xE9"), None);
/// ```
#[must_use]
pub fn binary_format(head: &[u8]) -> Option<&'static str> {
    let may_be = certain::binary_format(head, true).is_some() && bom::sniff(head).is_none();
    if !may_be {
        return None;
    }
    let mut controls = Controls::default();
    _ = controls.block(head);
    let is_utf8 = core::str::from_utf8(head).map_or_else(|e| e.error_len().is_none(), |_| true);
    let has_odd_controls = controls.odd() > 0;
    if is_utf8 && !has_odd_controls {
        return None;
    }
    certain::binary_format(head, has_odd_controls)
}

/// Detects the encoding of a stream that comes in pieces.
///
/// ```
/// use placemat::{Encoding, detect::Detector};
/// let mut detector = Detector::new();
/// for piece in [&b"\xEF\xBB"[..], b"\xBFtext"] {
///     detector.feed(piece);
/// }
/// assert_eq!(detector.finish().signature.map(|signature| signature.name), Some("UTF-8"));
/// // Ill-formed: a lead byte alone is not UTF-8.
/// detector = Detector::default();
/// detector.feed(b"caf\xC3");
/// assert_ne!(detector.finish().encoding, Some(Encoding::UTF_8));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Detector {
    blocks: Blocks,
    stages: Stages,
    units: MixedUnits,
    /// The last block, which `stages` sees when the next one shows no stretch of UTF-16 that begins in it.
    before: Vec<u8>,
}

impl Detector {
    /// Returns a detector that has read nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next bytes of the stream.
    pub fn feed(&mut self, src: &[u8]) {
        let Self { blocks, stages, units, before } = self;
        blocks.feed(src, |block| {
            units.block(block, stages, before, false);
            if !before.is_empty() {
                stages.block(before, false);
            }
            before.clear();
            before.extend_from_slice(block);
        });
    }

    /// Returns the answer for all bytes that were read.
    #[must_use]
    pub fn finish(self) -> Detection {
        self.end().0
    }

    /// Returns the answer for the start of a stream that goes on after the bytes that were read, and says so
    /// ([`Detection::is_prefix`]).
    ///
    /// The cut is not evidence: what it divides does not count. A start that is all ASCII is called UTF-8, because what follows
    /// may be more than ASCII, and a decoder of US-ASCII would lose it.
    ///
    /// ```
    /// use placemat::{Encoding, detect::{Basis, Detector}};
    /// let start_of = |src: &[u8]| {
    ///     let mut detector = Detector::new();
    ///     detector.feed(src);
    ///     detector.finish_prefix()
    /// };
    /// let found = start_of(b"id;name\n1;Ren");
    /// assert_eq!((found.encoding, found.basis, found.is_prefix), (Some(Encoding::UTF_8), Basis::Ascii, true));
    /// assert_eq!(found.len, 13);
    /// // The prefix ends within a character.
    /// let found = start_of(b"na\xC3\xAFve \xE2\x82");
    /// assert_eq!((found.encoding, found.damage), (Some(Encoding::UTF_8), None));
    /// ```
    #[must_use]
    pub fn finish_prefix(mut self) -> Detection {
        let cut = self.blocks.cut();
        let mut found = self.end().0;
        found.len += cut as u64;
        found.is_prefix = true;
        if found.basis == Basis::Ascii && found.encoding == Some(Encoding::US_ASCII) {
            let ascii = found.candidates.iter().copied().find(|one| one.encoding == Encoding::US_ASCII);
            let utf8 = ascii.map(|ascii| Candidate { encoding: Encoding::UTF_8, ..ascii });
            found.encoding = Some(Encoding::UTF_8);
            found.candidates.retain(|one| one.encoding != Encoding::UTF_8);
            if let Some(utf8) = utf8 {
                found.candidates.insert(0, utf8);
            }
        }
        found
    }

    /// Returns the answer, and whether some of the bytes are UTF-8 if the others are in the encoding `given`.
    #[cfg(feature = "repair")]
    pub(crate) fn finish_beside(self, given: Option<Encoding>) -> (Detection, bool) {
        let (found, stages) = self.end();
        let shows_utf8 = given.is_some_and(|given| judge::shows_utf8(&stages, given));
        (found, shows_utf8)
    }

    /// Returns the answer, and the stages after it.
    fn end(mut self) -> (Detection, Stages) {
        self.units.block(self.blocks.rest(), &self.stages, &self.before, true);
        if !self.before.is_empty() {
            self.stages.block(&self.before, false);
        }
        self.stages.block(self.blocks.rest(), true);
        let is_format = certain::binary_format(&self.stages.head, true).is_some();
        let mut found = judge::judge(&mut self.stages);
        if !is_format || found.verdict != Verdict::Binary {
            found = self.units.finish(found);
        }
        (found, self.stages)
    }
}
