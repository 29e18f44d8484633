//! JSON Lines that are safe on a terminal: they contain nothing that a terminal would obey or a reader could not see.

use crate::shown::is_plain;
use core::fmt::Write as _;
use serde::Serialize;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Writes a value on a line of its own.
pub(crate) fn write_line(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *to, Plain))?;
    to.write_all(b"\n")
}

/// Returns a value as a line of text.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut line = Vec::new();
    // Writing to a vector cannot fail, and JSON is text.
    let _ = write_line(&mut line, value);
    String::from_utf8(line).unwrap_or_default()
}

/// Appends a string with its quotes (RFC 8259 section 7).
pub(crate) fn push_string(to: &mut String, text: &str) {
    to.push('"');
    push_inner(to, text);
    to.push('"');
}

fn push_inner(to: &mut String, text: &str) {
    let mut rest = text;
    // Nearly all text is plain.
    while let Some((at, c)) = first_escaped(rest) {
        to.push_str(&rest[..at]);
        rest = &rest[at + c.len_utf8()..];
        match c {
            '"' => to.push_str(r#"\""#),
            '\\' => to.push_str(r"\\"),
            '\u{8}' => to.push_str(r"\b"),
            '\u{C}' => to.push_str(r"\f"),
            '\n' => to.push_str(r"\n"),
            '\r' => to.push_str(r"\r"),
            '\t' => to.push_str(r"\t"),
            _ => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    _ = write!(to, "\\u{unit:04x}");
                }
            }
        }
    }
    to.push_str(rest);
}

/// Returns the first character that needs an escape.
fn first_escaped(text: &str) -> Option<(usize, char)> {
    let odd = |byte: u8| byte < b' ' || matches!(byte, b'"' | b'\\' | 0x7F..);
    // The text before it is ASCII.
    let start = text.bytes().position(odd)?;
    let mut rest = text[start..].char_indices().map(|(at, c)| (start + at, c));
    rest.find(|&(_, c)| matches!(c, '"' | '\\') || !is_plain(c))
}

/// JSON without spaces, with its strings as [`push_string`] writes them.
struct Plain;

impl Formatter for Plain {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, to: &mut W, fragment: &str) -> io::Result<()> {
        let mut inner = String::with_capacity(fragment.len());
        push_inner(&mut inner, fragment);
        to.write_all(inner.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_read_back_as_they_were() {
        let all: String = ('\0'..'\u{500}').chain("\u{2028}\u{FFFD}😀\"\\".chars()).collect();
        for text in ["", "a", "\"", "\\", "\n\n", "a\"b\\c\u{1F}d", &all] {
            let mut written = String::new();
            push_string(&mut written, text);
            assert_eq!(serde_json::from_str::<String>(&written).ok().as_deref(), Some(text));
            assert_eq!(line(&text), written + "\n");
        }
    }

    #[test]
    fn what_is_not_plain_is_escaped() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let text = format!("a{c}\"z");
            let mut line = Vec::new();
            write_line(&mut line, &text).expect("a vector takes all");
            let line = String::from_utf8(line).expect("JSON is text");
            assert_eq!(serde_json::from_str::<String>(&line).ok(), Some(text), "{c:?}");
            let (inner, end) = line.split_at(line.len() - 1);
            assert_eq!(end, "\n");
            assert!(inner.chars().all(|c| !c.is_control() && is_plain(c)), "{inner:?}");
        }
    }
}
