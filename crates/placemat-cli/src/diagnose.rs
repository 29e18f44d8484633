//! Explains in plain words why a sequence is ill-formed, and suggests a remedy.
//!
//! The library reports the place and the kind of an error. The reader wants to know the intended text: the
//! half of a UTF-16 pair, a letter of windows-1252, a file that was cut. All of that is guessed here from the bytes
//! around the error, and nothing but messages depends on it.

mod case;
mod others;
mod utf8;
mod wide;

pub(crate) use case::{Case, Diagnosis, Part, Sense, windows_1252};

use placemat::{Encoding, IllFormed};

impl Diagnosis {
    /// Diagnoses `case`, in place of an earlier diagnosis.
    pub(crate) fn make(&mut self, case: &Case<'_>) {
        self.subject.clear();
        self.reason.clear();
        self.suggestion.clear();
        self.extent = case.error.len();
        self.noun = "sequence";
        self.windows_1252 = Sense::None;
        let case = &case.with_enough();
        match case.encoding {
            Encoding::UTF_8 | Encoding::UTF_8_BOM => utf8::explain(self, case),
            Encoding::US_ASCII => utf8::explain_ascii(self, case),
            _ => match wide::Layout::of(case) {
                Some(layout) => wide::explain(self, case, layout),
                None => others::explain(self, case),
            },
        }
    }
}

/// The message about an error without its position in lines: `overlong sequence c0 af at byte 57: two bytes where one
/// would do, would be U+002F '/'`. `before` and `following` hold the bytes of the source right before the error and from it
/// on, as many as are at hand; they may be empty.
pub(crate) fn describe(error: &IllFormed, from: Encoding, before: &[u8], following: &[u8]) -> String {
    let mut diagnosis = Diagnosis::default();
    diagnosis.make(&Case { error, encoding: from, before, following, part_of: None });
    let mut message = String::new();
    diagnosis.write_message(error.offset(), &mut message);
    message
}

#[cfg(test)]
mod tests;
