//! Why a sequence is ill-formed, in plain words, and what can be done about it.
//!
//! The library says where an error is and of which kind. A person wants to know what the bytes were meant to be: the
//! half of a UTF-16 pair, a letter of windows-1252, a file that was cut. All of that is guessed here from the bytes
//! around the error, and nothing but messages depends on it.

mod others;
mod utf8;
mod wide;

use core::fmt::Write as _;
use placemat::{Encoding, IllFormed};
use unicode_width::UnicodeWidthChar as _;

/// An error and what stands around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case<'a> {
    pub(crate) error: &'a IllFormed,
    /// What the bytes are read as.
    pub(crate) encoding: Encoding,
    /// Bytes of the source right before the error, as many as are at hand.
    pub(crate) before: &'a [u8],
    /// Bytes of the source from the error on, as many as are at hand.
    pub(crate) following: &'a [u8],
    /// The sequence that was found to be ill-formed earlier and whose bytes these still are.
    pub(crate) part_of: Option<Part>,
}

/// An ill-formed sequence as a reader sees it: longer than the error, which ends where decoding goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Where it starts.
    pub(crate) offset: u64,
    /// What follows it.
    pub(crate) end: u64,
    /// What to call it: `overlong sequence`.
    pub(crate) noun: &'static str,
}

/// What can be said about an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Diagnosis {
    /// What it is: `overlong sequence c0 af`.
    pub(crate) subject: String,
    /// Why it is ill-formed: `two bytes where one would do, would be U+002F '/'`.
    pub(crate) reason: String,
    /// What to do; may be empty.
    pub(crate) suggestion: String,
    /// How many bytes the sequence has that the reader sees, at least as many as the error.
    pub(crate) extent: usize,
    /// What to call that sequence, where it is longer than the error.
    pub(crate) noun: &'static str,
    /// Whether what windows-1252 has for the byte makes sense among its neighbours.
    pub(crate) windows_1252: Sense,
}

/// Whether a byte makes sense in an encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sense {
    #[default]
    None,
    /// A letter that stands alone among ASCII: it can be a word, as the French à is.
    Some,
    /// A letter beside others, or a sign among ASCII.
    Much,
}

impl Diagnosis {
    /// Finds out about `case`; what was here before is forgotten.
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

    fn set_subject(&mut self, noun: &str, bytes: &[u8]) {
        self.subject.push_str(noun);
        self.subject.push(' ');
        push_hex(&mut self.subject, bytes);
    }

    /// Appends what follows the position in a finding: `overlong sequence c0 af at byte 57: two bytes …`.
    pub(crate) fn write_message(&self, offset: u64, to: &mut String) {
        to.push_str(&self.subject);
        to.push_str(" at byte ");
        push_number(to, offset);
        to.push_str(": ");
        to.push_str(&self.reason);
    }

    /// The sequence that later errors may still belong to, for an error at `offset`.
    pub(crate) fn part(&self, error: &IllFormed) -> Option<Part> {
        let offset = error.offset();
        (self.extent > error.len()).then(|| Part {
            offset,
            end: offset + self.extent as u64,
            noun: self.noun,
        })
    }
}

impl<'a> Case<'a> {
    /// The same with at least the bytes that the error itself knows.
    fn with_enough(&self) -> Self {
        let seen = self.error.seen();
        let following = if self.following.len() < seen.len() { seen } else { self.following };
        Self { following, ..*self }
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

/// Bytes as `c0 af`.
pub(crate) fn push_hex(to: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (i, &byte) in bytes.iter().enumerate() {
        if i > 0 {
            to.push(' ');
        }
        to.push(char::from(DIGITS[usize::from(byte >> 4)]));
        to.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
}

/// A number in decimal. Findings come by the million in some files, and this is what `write!` is slowest at.
pub(crate) fn push_number(to: &mut String, mut number: u64) {
    let mut digits = [0; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    to.extend(digits[start..].iter().map(|&digit| char::from(digit)));
}

/// Whether a terminal shows this as something of its own that disturbs nothing around it.
pub(crate) fn is_printable(c: char) -> bool {
    let private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..) || !crate::output::is_plain(c);
    // Controls have no width; marks, joiners, bidi controls and other invisible ones have a width of 0.
    !private && c.width().is_some_and(|width| width > 0) && !matches!(c, '\u{AD}' | '\u{2028}' | '\u{2029}')
}

/// `U+002F '/'`; just `U+202E` where showing it could do harm.
fn push_code_point(to: &mut String, value: u32) {
    _ = write!(to, "U+{value:04X}");
    if let Some(c) = char::from_u32(value).filter(|&c| is_printable(c)) {
        _ = write!(to, " '{c}'");
    }
}

/// What windows-1252 makes of a byte, and Latin-1 of A0 and above; `None` for controls.
pub(crate) fn windows_1252(byte: u8) -> Option<char> {
    const HIGH: [char; 32] = [
        '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘', '’',
        '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9F => Some(HIGH[usize::from(byte - 0x80)]).filter(|&c| c != '\0'),
        0xA0.. => Some(char::from(byte)),
        _ => None,
    }
}

/// `one`, `two` … `six`.
fn number_word(n: usize) -> &'static str {
    ["no", "one", "two", "three", "four", "five", "six"].get(n).copied().unwrap_or("many")
}

#[cfg(test)]
mod tests;
