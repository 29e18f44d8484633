//! JSON lines that a terminal may see: nothing in them that it would obey, or that a reader could not see.

use crate::output::is_plain;
use core::fmt::Write as _;
use serde::Serialize;
use serde_json::ser::{CharEscape, Formatter};
use std::io::{self, Write};

/// Writes a value on a line of its own.
pub(crate) fn write_line(to: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *to, Plain))?;
    to.write_all(b"\n")
}

/// The same as text.
pub(crate) fn line(value: &impl Serialize) -> String {
    let mut line = Vec::new();
    // A vector takes all, and JSON is text.
    let _ = write_line(&mut line, value);
    String::from_utf8(line).unwrap_or_default()
}

/// JSON without spaces, with `\u202e` for what is not plain.
struct Plain;

impl Formatter for Plain {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, to: &mut W, mut fragment: &str) -> io::Result<()> {
        // Nearly all there is.
        if fragment.is_ascii() && !fragment.contains('\x7F') {
            return to.write_all(fragment.as_bytes());
        }
        while let Some((at, c)) = fragment.char_indices().find(|&(_, c)| !is_plain(c)) {
            to.write_all(&fragment.as_bytes()[..at])?;
            let mut escape = String::new();
            for unit in c.encode_utf16(&mut [0; 2]) {
                _ = write!(escape, "\\u{unit:04x}");
            }
            to.write_all(escape.as_bytes())?;
            fragment = &fragment[at + c.len_utf8()..];
        }
        to.write_all(fragment.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, to: &mut W, escape: CharEscape) -> io::Result<()> {
        serde_json::ser::CompactFormatter.write_char_escape(to, escape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
