//! Detection and repair of the library [placemat](https://docs.rs/placemat).
//!
//! Depend on `placemat`: it has what is for users under one name.

#![cfg_attr(not(test), no_std)]
// On docs.rs, each item shows the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(clippy::unwrap_used, unsafe_code)]
#![warn(clippy::print_stdout)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod detect;
mod float;
#[cfg(feature = "repair")]
pub mod repair;

use self::detect::{Detection, Detector};
#[cfg(feature = "repair")]
use self::repair::{Repaired, Repairer};

/// Detects the encoding of a whole text. For a stream, or the start of a long text, use a [`Detector`].
///
/// ```
/// use placemat::{Encoding, detect, detect::{Basis, Verdict}};
/// let found = detect("naïve".as_bytes());
/// assert_eq!((found.encoding, found.basis), (Some(Encoding::UTF_8), Basis::WellFormed));
/// // Ill-formed UTF-8 is something else.
/// assert_ne!(detect(b"na\xEFve").encoding, Some(Encoding::UTF_8));
/// ```
#[must_use]
pub fn detect(src: &[u8]) -> Detection {
    let mut detector = Detector::new();
    detector.feed(src);
    detector.finish()
}

/// Repairs a whole damaged text, by all steps. For other settings, or a stream, use a [`Repairer`].
///
/// ```
/// use placemat::repair;
/// let repaired = repair("cafÃ©");
/// assert_eq!((repaired.text.as_str(), repaired.changes.len()), ("café", 1));
/// // UTF-8 and windows-1252 in one text.
/// assert_eq!(repair(b"caf\xC3\xA9s, d\xE9j\xE0 vu").text, "cafés, déjà vu");
/// // Nothing to repair.
/// assert!(repair("naïve cafés").changes.is_empty());
/// ```
#[cfg(feature = "repair")]
#[must_use]
pub fn repair(src: impl AsRef<[u8]>) -> Repaired {
    Repairer::new().repair(src.as_ref())
}
