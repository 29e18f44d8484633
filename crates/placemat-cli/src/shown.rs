//! Names, text, bytes and numbers as messages show them, with nothing in them that a terminal would obey.

pub(crate) use placemat_diagnose::words::{is_plain, is_printable, push_bytes, push_hex, push_number};

use core::fmt::{self, Write as _};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use unicode_width::UnicodeWidthStr as _;

/// Columns of a terminal that reports keep to.
pub(crate) const SCREEN: usize = 80;

/// The name of an input or output as messages show it: escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name(OsString);

impl Name {
    pub(crate) fn new(name: impl Into<OsString>) -> Self {
        Self(name.into())
    }
    pub(crate) fn stdin() -> Self {
        Self("<stdin>".into())
    }
    pub(crate) fn stdout() -> Self {
        Self("<stdout>".into())
    }

    /// Returns the path of a file; `None` for standard input.
    pub(crate) fn path(&self) -> Option<&Path> {
        (*self != Self::stdin()).then(|| Path::new(&self.0))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An empty name would be invisible.
        if self.0.is_empty() { f.write_str("\"\"") } else { escaped(&self.0).fmt(f) }
    }
}

/// Text of unknown origin, fit for a terminal: see [`Escaped`].
pub(crate) fn escaped(text: &OsStr) -> Escaped<'_> {
    Escaped(text.as_encoded_bytes())
}

/// Bytes of unknown origin, fit for a terminal: see [`Escaped`].
pub(crate) const fn escaped_bytes(bytes: &[u8]) -> Escaped<'_> {
    Escaped(bytes)
}

/// Shows bytes as text, with everything escaped that a terminal would obey or a reader could not see: controls as
/// `\x1b`, bidi controls, line separators and invisible format characters as `\u{202e}`, ill-formed bytes as `\xff`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Escaped<'a>(&'a [u8]);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '\0'..='\x1F' | '\x7F'..='\u{9F}' => write!(f, "\\x{:02x}", u32::from(c))?,
                    _ if is_plain(c) => f.write_char(c)?,
                    _ => write!(f, "\\u{{{:04x}}}", u32::from(c))?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

/// The system's message for a failed operation on a file, without the error number.
pub(crate) fn reason(e: &io::Error) -> String {
    let words = match e.kind() {
        io::ErrorKind::NotFound => "no such file or directory".into(),
        io::ErrorKind::IsADirectory => "is a directory".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::StorageFull => "no space left on device".into(),
        io::ErrorKind::FileTooLarge => "file too large".into(),
        io::ErrorKind::InvalidFilename => "file name too long".into(),
        _ if is_not_open(e) => "is not open".into(),
        _ => e.to_string(),
    };
    match words.find(" (os error ") {
        Some(end) => words[..end].to_owned(),
        None => words,
    }
}

/// Whether a standard stream is closed, or open for something else.
#[cfg(unix)]
fn is_not_open(e: &io::Error) -> bool {
    e.raw_os_error() == Some(rustix::io::Errno::BADF.raw_os_error())
}
#[cfg(not(unix))]
fn is_not_open(_: &io::Error) -> bool {
    false
}

/// Words in lines of at most `columns`, the first of which may begin at `first`.
pub(crate) fn wrap(text: &str, first: usize, columns: usize) -> Vec<&str> {
    let mut lines = Vec::new();
    let (mut start, mut end) = (0, 0);
    let mut room = columns.saturating_sub(first);
    for word in text.split_inclusive(' ') {
        let next = end + word.len();
        if text[start..next].trim_end().width() > room && end > start {
            lines.push(text[start..end].trim_end());
            start = end;
            room = columns;
        }
        end = next;
    }
    lines.push(text[start..].trim_end());
    lines
}

/// Returns a number and the name of what it counts: `1 byte`, `2 bytes`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// A number with its digits in groups: `1,048,576`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut to = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            to.push(',');
        }
        to.push(digit);
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped() {
        assert_eq!(wrap("one two three", 0, 80), ["one two three"]);
        assert_eq!(wrap("one two three", 0, 7), ["one two", "three"]);
        assert_eq!(wrap("one two three", 4, 7), ["one", "two", "three"]);
        assert_eq!(wrap("overlong", 0, 3), ["overlong"]);
    }

    #[test]
    fn numbers_are_written_in_full() {
        for number in [0, 1, 9, 10, 99, 100, u64::MAX] {
            let mut text = String::new();
            push_number(&mut text, number);
            assert_eq!(text, number.to_string());
        }
    }
}
