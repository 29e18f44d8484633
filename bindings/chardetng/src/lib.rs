//! The detection of [`placemat`] with the face of `chardetng` 0.1: it names the encoding of the web in which a text of unknown origin
//! is most probably written.
//!
//! A program that depends on `chardetng`, itself or through other crates, takes this crate instead by two lines in its `Cargo.toml`:
//!
//! ```toml
//! [patch.crates-io]
//! chardetng = { path = "placemat/bindings/chardetng" }
//! ```
//!
//! [`placemat::detect()`] returns more: its confidence, the language, damage, and which lines are in another encoding.
//!
//! ```
//! use chardetng::EncodingDetector;
//! let mut detector = EncodingDetector::new();
//! detector.feed(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?", true);
//! assert_eq!(detector.guess(None, true).name(), "windows-1251");
//! // Not UTF-8: a lead byte without its continuation.
//! let mut detector = EncodingDetector::new();
//! detector.feed(b"caf\xE9 au lait", true);
//! assert_eq!(detector.guess(None, true).name(), "windows-1252");
//! ```

#![no_std]

mod domain;

use encoding_rs::{Encoding, ISO_2022_JP, KOI8_R, KOI8_U, UTF_8};
use placemat::detect::{Detection, Detector};

/// Detects the encoding of a text that comes in pieces.
#[derive(Clone, Debug, Default)]
pub struct EncodingDetector {
    detector: Detector,
    has_non_ascii: bool,
    is_over: bool,
}

impl EncodingDetector {
    /// Returns a detector that has read nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next piece; `last` if the text ends with it. Returns `true` if a byte so far is not ASCII.
    ///
    /// # Panics
    /// If the text ended before.
    pub fn feed(&mut self, buffer: &[u8], last: bool) -> bool {
        assert!(!self.is_over, "a detector cannot be fed after the end of the text");
        self.is_over = last;
        self.detector.feed(buffer);
        self.has_non_ascii |= !buffer.is_ascii();
        self.has_non_ascii
    }

    /// Returns the most probable encoding of what was read, which is UTF-8 only if `allow_utf8` is set. The last label of the host, as
    /// `Some(b"jp")`, decides where the text does not; it is in lower case.
    ///
    /// # Panics
    /// If `tld` has a byte that is not ASCII, a period or an upper-case letter.
    pub fn guess(&self, tld: Option<&[u8]>, allow_utf8: bool) -> &'static Encoding {
        self.guess_assess(tld, allow_utf8).0
    }

    /// Returns what [`guess`](Self::guess) returns, and whether the text supports it.
    ///
    /// # Panics
    /// If `tld` has a byte that is not ASCII, a period or an upper-case letter.
    pub fn guess_assess(&self, tld: Option<&[u8]>, allow_utf8: bool) -> (&'static Encoding, bool) {
        let usual = domain::encoding(tld);
        let detector = self.detector.clone();
        let found = if self.is_over { detector.finish() } else { detector.finish_prefix() };
        if !self.has_non_ascii {
            let is_japanese = web(&found).next() == Some(ISO_2022_JP);
            return if is_japanese {
                (ISO_2022_JP, true)
            } else if allow_utf8 {
                (UTF_8, true)
            } else {
                (usual.unwrap_or(encoding_rs::WINDOWS_1252), true)
            };
        }
        match web(&found).find(|&encoding| allow_utf8 || encoding != UTF_8) {
            Some(encoding) => (encoding, true),
            None => (usual.unwrap_or(encoding_rs::WINDOWS_1252), false),
        }
    }
}

/// Returns the encodings of the web among those that were found, the most probable first, but UTF-16, which has a byte order mark.
fn web(found: &Detection) -> impl Iterator<Item = &'static Encoding> {
    let candidates = found.candidates.iter().map(|candidate| candidate.encoding);
    let names = found.encoding.into_iter().chain(candidates).map(|encoding| encoding.names());
    let labels = names.filter_map(|names| names.web_labels.into_iter().next().or(Some(names.name)));
    let encodings = labels.filter_map(|label| Encoding::for_label_no_replacement(label.as_bytes()));
    // KOI8-U has the letters of Ukrainian where KOI8-R has lines, and is otherwise the same.
    let encodings = encodings.map(|encoding| if encoding == KOI8_R { KOI8_U } else { encoding });
    encodings.filter(|encoding| encoding.is_ascii_compatible() || *encoding == ISO_2022_JP)
}
