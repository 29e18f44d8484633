//! Syntaxes whose escapes mean the same everywhere in the text: Java's property files and source, JSON, URLs.

#![forbid(unsafe_code)]

use super::backslash::{self, NONE, Other, Rules, Value};
use super::token::{Meaning, Token, run};
use crate::transfer::TransferErrorKind;

/// `java.util.Properties.load`. A line end after a backslash joins two lines.
pub(super) const PROPERTIES: Rules = Rules {
    u_least: 4,
    pairs: true,
    letters: &[(b't', '\t'), (b'n', '\n'), (b'r', '\r'), (b'f', '\x0C')],
    continues: true,
    other: Other::Itself,
    ..NONE
};

/// RFC 8259 section 7.
pub(super) const JSON: Rules = Rules {
    u_least: 4,
    pairs: true,
    letters: &[
        (b'"', '"'),
        (b'\\', '\\'),
        (b'/', '/'),
        (b'b', '\x08'),
        (b'f', '\x0C'),
        (b'n', '\n'),
        (b'r', '\r'),
        (b't', '\t'),
    ],
    ..NONE
};

/// The Java Language Specification, sections 3.3 and 3.10.7.
pub(super) const JAVA: Rules = Rules {
    u_least: 4,
    u_repeats: true,
    pairs: true,
    octal: Value::CodePoint,
    letters: &[
        (b'"', '"'),
        (b'\'', '\''),
        (b'\\', '\\'),
        (b'b', '\x08'),
        (b'f', '\x0C'),
        (b'n', '\n'),
        (b'r', '\r'),
        (b's', ' '),
        (b't', '\t'),
    ],
    continues: true,
    other: Other::Kept,
    ..NONE
};

/// A syntax with the same rules everywhere.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    rules: &'static Rules,
    /// White space at the start of a line belongs to the escape before it.
    drops_indent: bool,
    in_indent: bool,
}

impl Plain {
    pub(super) const fn new(rules: &'static Rules, drops_indent: bool) -> Self {
        Self { rules, drops_indent, in_indent: false }
    }

    pub(super) fn next(&mut self, src: &[u8], last: bool) -> Token {
        if core::mem::take(&mut self.in_indent) {
            let len = run(src, |byte| !matches!(byte, b' ' | b'\t' | b'\x0C'));
            self.in_indent = len == src.len();
            if len > 0 {
                return Token::Escape { len, meaning: Meaning::default() };
            }
        }
        if src[0] != b'\\' {
            return Token::Text(run(src, |byte| byte == b'\\'));
        }
        let token = backslash::read(self.rules, src, last);
        if let Token::Escape { len: 2.., meaning } = token
            && meaning.as_bytes().is_empty()
        {
            self.in_indent = self.drops_indent;
        }
        token
    }
}

/// Reads a percent-encoded character, or text up to the next one.
pub(super) fn url(src: &[u8], last: bool) -> Token {
    if src[0] != b'%' {
        return Token::Text(run(src, |byte| byte == b'%'));
    }
    let byte_at = |at: usize| -> Result<Option<u8>, ()> {
        let Some(escape) = src.get(at..at + 3) else {
            let begins = src.get(at..).is_some_and(|rest| {
                rest.iter().enumerate().all(|(place, byte)| match place {
                    0 => *byte == b'%',
                    _ => byte.is_ascii_hexdigit(),
                })
            });
            return if begins && !last { Err(()) } else { Ok(None) };
        };
        let digit = |at: usize| char::from(escape[at]).to_digit(16);
        let (b'%', Some(high), Some(low)) = (escape[0], digit(1), digit(2)) else { return Ok(None) };
        Ok(u8::try_from(high << 4 | low).ok())
    };
    let first = match byte_at(0) {
        Err(()) => return Token::More,
        Ok(None) => return Token::Odd { len: 1, kind: TransferErrorKind::BadEscape },
        Ok(Some(byte)) => byte,
    };
    let width = match first {
        0x00..=0x7F => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 0,
    };
    let mut bytes = [first, 0, 0, 0];
    for (place, slot) in bytes.iter_mut().enumerate().take(width).skip(1) {
        match byte_at(3 * place) {
            Err(()) => return Token::More,
            Ok(Some(byte @ 0x80..0xC0)) => *slot = byte,
            Ok(_) => break,
        }
    }
    match core::str::from_utf8(&bytes[..width]).ok().and_then(|text| text.chars().next()) {
        Some(c) => Token::meaning(3 * width, c),
        None => Token::Odd { len: 3, kind: TransferErrorKind::IllFormed },
    }
}
