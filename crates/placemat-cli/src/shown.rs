//! Names, text, bytes and numbers as messages show them, with nothing in them that a terminal would obey.

use core::fmt::{self, Write as _};
use std::ffi::{OsStr, OsString};
use std::io;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

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

/// Whether a terminal shows the character without another effect.
pub(crate) fn is_plain(c: char) -> bool {
    let is_noncharacter = matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    !(is_noncharacter
        || c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'))
}

/// Whether a terminal shows the character by itself, without an effect on its neighbours.
pub(crate) fn is_printable(c: char) -> bool {
    let private = matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..) || !is_plain(c);
    // Controls have no width; marks, joiners, bidi controls and other invisible ones have a width of 0.
    !private && c.width().is_some_and(|width| width > 0) && !matches!(c, '\u{AD}' | '\u{2028}' | '\u{2029}')
}

/// The system's message for a failed operation on a file, without the error number.
pub(crate) fn reason(e: &io::Error) -> String {
    let words = match e.kind() {
        io::ErrorKind::NotFound => "no such file or directory".into(),
        io::ErrorKind::IsADirectory => "is a directory".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::StorageFull => "no space left on device".into(),
        io::ErrorKind::FileTooLarge => "file too large".into(),
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

/// Appends a number in decimal. Some files have millions of findings, and numbers are the slowest part of `write!`.
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

/// `U+002F '/'`; just `U+202E` where showing it could do harm.
pub(crate) fn push_code_point(to: &mut String, value: u32) {
    _ = write!(to, "U+{value:04X}");
    if let Some(c) = char::from_u32(value).filter(|&c| is_printable(c)) {
        _ = write!(to, " '{c}'");
    }
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
