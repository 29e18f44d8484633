//! The case to diagnose, and the diagnosis.

use crate::words::{push_bytes, push_number};
use placemat::{Encoding, IllFormed};

/// How the command is told an encoding: suggestions say `-f utf-8`.
pub const COMMAND: &str = "-f ";

/// An error and the bytes around it.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The error.
    pub error: &'a IllFormed,
    /// The encoding in which the bytes are read.
    pub encoding: Encoding,
    /// The available bytes of the source right before the error.
    pub before: &'a [u8],
    /// The available bytes of the source from the error on.
    pub following: &'a [u8],
    /// The sequence that was found to be ill-formed earlier and whose bytes these still are.
    pub part_of: Option<Part>,
    /// The text before the name of an encoding in suggestions: [`COMMAND`], or nothing.
    pub option: &'a str,
}

/// An ill-formed sequence as a reader sees it: longer than the error, which ends where decoding goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The offset of the first byte of the earlier sequence.
    pub offset: u64,
    /// The offset after the last byte of the earlier sequence.
    pub end: u64,
    /// The noun for the sequence: `overlong sequence`.
    pub noun: &'static str,
}

/// The diagnosis of an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// The subject: `overlong sequence 0xc0 0xaf`.
    pub subject: String,
    /// The reason: `two bytes where one would do, would be U+002F '/'`.
    pub reason: String,
    /// The suggestion; may be empty.
    pub suggestion: String,
    /// The length in bytes of the whole sequence, at least the length of the error.
    pub extent: usize,
    /// A noun such as `overlong sequence`; empty unless the whole sequence is longer than the error.
    pub noun: &'static str,
    /// Whether the character of the byte in windows-1252 makes sense among its neighbours.
    pub windows_1252: Sense,
}

/// Whether a byte makes sense in an encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sense {
    /// The bytes do not look like text of the encoding.
    #[default]
    None,
    /// A letter that stands alone among ASCII: it can be a word, as the French à is.
    Some,
    /// A letter beside others, or a symbol among ASCII.
    Much,
}

impl Diagnosis {
    pub(crate) fn set_subject(&mut self, noun: &str, bytes: &[u8]) {
        self.subject.push_str(noun);
        self.subject.push(' ');
        push_bytes(&mut self.subject, bytes);
    }

    /// Appends the text after the position in a finding: `overlong sequence 0xc0 0xaf at byte 57: two bytes …`.
    pub fn write_message(&self, offset: u64, to: &mut String) {
        to.push_str(&self.subject);
        to.push_str(" at byte ");
        push_number(to, offset);
        to.push_str(": ");
        to.push_str(&self.reason);
    }

    /// The sequence that later errors may still belong to, for an error at `offset`.
    #[must_use]
    pub fn part(&self, error: &IllFormed) -> Option<Part> {
        let offset = error.offset();
        (self.extent > error.len()).then(|| Part {
            offset,
            end: offset + self.extent as u64,
            noun: self.noun,
        })
    }
}

impl<'a> Case<'a> {
    /// The case of an error of which the bytes around it are not at hand.
    #[must_use]
    pub const fn new(error: &'a IllFormed, encoding: Encoding) -> Self {
        Self { error, encoding, before: &[], following: &[], part_of: None, option: COMMAND }
    }

    /// This case, with at least the bytes that the error itself holds.
    pub(crate) fn with_enough(&self) -> Self {
        let seen = self.error.seen();
        let following = if self.following.len() < seen.len() { seen } else { self.following };
        Self { following, ..*self }
    }
}

/// The character of a byte in windows-1252, which is that of Latin-1 from A0 on; `None` for controls.
#[must_use]
pub fn windows_1252(byte: u8) -> Option<char> {
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
pub(crate) fn number_word(n: usize) -> &'static str {
    ["no", "one", "two", "three", "four", "five", "six"].get(n).copied().unwrap_or("many")
}
