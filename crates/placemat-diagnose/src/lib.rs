//! Explains in plain words why a sequence of bytes is ill-formed, and suggests a remedy.
//!
//! The library [`placemat`] reports the place and the kind of an error. The reader wants to know the intended text: the
//! half of a UTF-16 pair, a letter of windows-1252, a file that was cut. All of that is guessed here from the bytes
//! around the error, and nothing but messages depends on it. The command `placemat` and the Python package use it, so that
//! both say the same.
//!
//! ```
//! use placemat::{Encoding, utf8};
//! use placemat_diagnose::{Case, Diagnosis};
//!
//! let text = b"GET /..\xC0\xAFetc";
//! let error = utf8::validate(text).unwrap_err();
//! let (before, following) = text.split_at(error.valid_up_to());
//! let mut diagnosis = Diagnosis::default();
//! diagnosis.make(&Case { before, following, ..Case::new(&error, Encoding::UTF_8) });
//! assert_eq!(diagnosis.subject, "overlong sequence 0xc0 0xaf");
//! assert_eq!(diagnosis.reason, "two bytes where one would do, would be U+002F '/'");
//! assert!(diagnosis.suggestion.starts_with("refuse it, or put U+FFFD in its place"));
//! ```

#![forbid(unsafe_code)]

mod case;
pub mod lines;
#[cfg(feature = "properties")]
pub mod names;
mod others;
#[cfg(feature = "properties")]
pub mod properties;
pub mod shifts;
mod utf8;
mod wide;
pub mod words;

pub use case::{COMMAND, Case, Diagnosis, Part, Sense, windows_1252};

use placemat::{Encoding, IllFormed};

/// The example of the README, compiled and run by the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

impl Diagnosis {
    /// Diagnoses `case`, in place of an earlier diagnosis.
    pub fn make(&mut self, case: &Case<'_>) {
        self.subject.clear();
        self.reason.clear();
        self.suggestion.clear();
        self.extent = case.error.len();
        self.noun = "sequence";
        self.windows_1252 = Sense::None;
        let case = &case.with_enough();
        if [Encoding::UTF_8, Encoding::UTF_8_BOM].contains(&case.encoding) {
            utf8::explain(self, case);
        } else if case.encoding == Encoding::US_ASCII {
            utf8::explain_ascii(self, case);
        } else if let Some(layout) = wide::Layout::of(case) {
            wide::explain(self, case, layout);
        } else {
            others::explain(self, case);
        }
        // They are written for the command, which most readers use.
        if case.option != COMMAND && self.suggestion.contains(COMMAND) {
            self.suggestion = self.suggestion.replace(&format!("`{COMMAND}"), &format!("`{}", case.option));
        }
    }
}

/// The message about an error without its position in lines: `overlong sequence 0xc0 0xaf at byte
/// 57: two bytes where one would do, would be U+002F '/'`. `before` and `following` are the available
/// bytes of the source right before the error and from it on; they may be empty.
///
/// ```
/// use placemat::{Encoding, utf8};
/// use placemat_diagnose::describe;
/// let error = utf8::validate(b"na\xEFve").unwrap_err();
/// let words = describe(&error, Encoding::UTF_8, b"na", b"\xEFve");
/// let expected = "lead byte 0xef at byte 2: needs 2 more continuation bytes, found 0x76 'v'; looks like Latin-1 or windows-1252 'ï'";
/// assert_eq!(words, expected);
/// // Well-formed text has nothing to describe.
/// assert!(utf8::validate("naïve".as_bytes()).is_ok());
/// ```
#[must_use]
pub fn describe(error: &IllFormed, from: Encoding, before: &[u8], following: &[u8]) -> String {
    let mut diagnosis = Diagnosis::default();
    diagnosis.make(&Case { before, following, ..Case::new(error, from) });
    let mut message = String::new();
    diagnosis.write_message(error.offset(), &mut message);
    message
}

#[cfg(test)]
mod tests;
