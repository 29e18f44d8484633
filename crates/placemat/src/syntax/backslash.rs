//! Backslash escapes, by the rules of each language.

#![forbid(unsafe_code)]

use super::token::{Meaning, Number, Token, first_char, number};
use crate::transfer::TransferErrorKind;

/// Escapes that give the value of a byte or of a code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// The language has no such escape.
    None,
    /// The value is a code point.
    CodePoint,
    /// The value is a byte of UTF-8 text.
    Byte,
    /// The value is a byte or a code unit of text that is not UTF-8: the escape stays.
    Unit,
}

/// A backslash before a character that begins no escape of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Other {
    /// The backslash is dropped.
    Itself,
    /// Both characters stay.
    Kept,
    /// The text is malformed.
    Malformed,
}

/// The backslash escapes of a language.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// The least number of digits of `\u`; the greatest is four. Zero: the language has no `\u`.
    pub(super) u_least: usize,
    /// `\uuuu00e9` is the same as `\u00e9`.
    pub(super) u_repeats: bool,
    /// The language has `\u{e9}`.
    pub(super) u_braced: bool,
    /// Two surrogates are one character.
    pub(super) pairs: bool,
    /// The least number of digits of `\U`; the greatest is eight. Zero: the language has no `\U`.
    pub(super) long_least: usize,
    pub(super) hex: Value,
    /// The least and the greatest number of digits of `\x`.
    pub(super) hex_digits: (usize, usize),
    pub(super) octal: Value,
    /// Escapes of one letter, and their meanings.
    pub(super) letters: &'static [(u8, char)],
    /// A backslash before a line end joins two lines.
    pub(super) continues: bool,
    pub(super) other: Other,
}

/// Rules without any escape, to begin from.
pub(super) const NONE: Rules = Rules {
    u_least: 0,
    u_repeats: false,
    u_braced: false,
    pairs: false,
    long_least: 0,
    hex: Value::None,
    hex_digits: (2, 2),
    octal: Value::None,
    letters: &[],
    continues: false,
    other: Other::Malformed,
};

/// The most `u` in a row that are read.
const MAX_REPEATS: usize = 64;

/// Reads the escape at the start of `src`, which begins with a backslash.
pub(super) fn read(rules: &Rules, src: &[u8], last: bool) -> Token {
    let Some(&next) = src.get(1) else { return incomplete(1, last) };
    match next {
        b'u' if rules.u_least > 0 => unit(rules, src, last),
        b'U' if rules.long_least > 0 => match number(src, 2, 16, rules.long_least, 8, last) {
            Number::Is(value, digits) => Token::of(value, 2 + digits),
            Number::More => Token::More,
            Number::Bad(len) => malformed(len),
        },
        b'x' if rules.hex != Value::None => value(rules, rules.hex, src, last),
        b'0'..=b'7' if rules.octal != Value::None => value(rules, rules.octal, src, last),
        b'\n' if rules.continues => Token::Escape { len: 2, meaning: Meaning::default() },
        b'\r' if rules.continues => match src.get(2) {
            None if !last => Token::More,
            Some(b'\n') => Token::Escape { len: 3, meaning: Meaning::default() },
            _ => Token::Escape { len: 2, meaning: Meaning::default() },
        },
        _ => {
            if let Some((_, c)) = rules.letters.iter().find(|(letter, _)| *letter == next) {
                return Token::meaning(2, *c);
            }
            other(rules, src, last)
        }
    }
}

fn other(rules: &Rules, src: &[u8], last: bool) -> Token {
    let c = match first_char(&src[1..], last) {
        None => return Token::More,
        Some(Ok(c)) => c,
        Some(Err(_)) => return malformed(1),
    };
    let len = 1 + c.len_utf8();
    match rules.other {
        Other::Itself => Token::meaning(len, c),
        Other::Kept => Token::Syntax(len),
        Other::Malformed => malformed(len),
    }
}

/// Reads `\u00e9`, `\u{e9}` or two surrogates.
fn unit(rules: &Rules, src: &[u8], last: bool) -> Token {
    if rules.u_braced && src.get(2) == Some(&b'{') {
        return match number(src, 3, 16, 1, 8, last) {
            Number::Is(value, digits) => match src.get(3 + digits) {
                Some(b'}') => Token::of(value, 4 + digits),
                None => incomplete(src.len(), last),
                Some(_) => malformed(3 + digits),
            },
            Number::More => Token::More,
            Number::Bad(len) => malformed(len),
        };
    }
    let (value, len) = match one_unit(rules, src, 0, last) {
        Ok(Some(unit)) => unit,
        Ok(None) => return malformed(2),
        Err(token) => return token,
    };
    if !(0xD800..0xDC00).contains(&value) || !rules.pairs {
        return Token::of(value, len);
    }
    let alone = Token::Odd { len, kind: TransferErrorKind::Surrogate };
    match one_unit(rules, src, len, last) {
        Ok(Some((trail @ 0xDC00..0xE000, more))) => {
            Token::of(0x1_0000 + ((value - 0xD800) << 10) + (trail - 0xDC00), len + more)
        }
        Err(Token::More) => Token::More,
        _ => alone,
    }
}

/// Reads a `\u` escape at `at`, without a pair. `None`: there is none.
fn one_unit(rules: &Rules, src: &[u8], at: usize, last: bool) -> Result<Option<(u32, usize)>, Token> {
    for (place, wanted) in [b'\\', b'u'].iter().enumerate() {
        match src.get(at + place) {
            None if last => return Ok(None),
            None => return Err(Token::More),
            Some(byte) if byte == wanted => {}
            Some(_) => return Ok(None),
        }
    }
    let mut start = at + 2;
    if rules.u_repeats {
        start += src[start..].iter().take(MAX_REPEATS).take_while(|byte| **byte == b'u').count();
    }
    match number(src, start, 16, rules.u_least, 4, last) {
        Number::Is(value, digits) => Ok(Some((value, start + digits - at))),
        Number::More => Err(Token::More),
        Number::Bad(place) => Err(malformed(place - at)),
    }
}

/// Reads `\xHH` or `\ooo`; several of them if their values are the bytes of one character.
fn value(rules: &Rules, kind: Value, src: &[u8], last: bool) -> Token {
    let (value, len) = match one_value(rules, src, 0, last) {
        Number::Is(value, len) => (value, len),
        Number::More => return Token::More,
        Number::Bad(len) => return malformed(len),
    };
    match kind {
        Value::CodePoint => return Token::of(value, len),
        Value::Unit | Value::None => return Token::Syntax(len),
        Value::Byte => {}
    }
    let Ok(byte) = u8::try_from(value) else {
        return Token::Odd { len, kind: TransferErrorKind::OutOfRange };
    };
    let width = match byte {
        0x00..=0x7F => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => 0,
    };
    let mut bytes = [byte, 0, 0, 0];
    let mut end = len;
    for slot in bytes.iter_mut().take(width).skip(1) {
        match one_value(rules, src, end, last) {
            Number::Is(value @ 0x80..0xC0, more) => {
                *slot = u8::try_from(value).unwrap_or(0);
                end += more;
            }
            Number::More => return Token::More,
            _ => break,
        }
    }
    match core::str::from_utf8(&bytes[..width]).ok().and_then(|text| text.chars().next()) {
        Some(c) => Token::meaning(end, c),
        None => Token::Odd { len, kind: TransferErrorKind::IllFormed },
    }
}

/// Reads one `\xHH` or `\ooo` at `at`, of which the length includes the backslash.
fn one_value(rules: &Rules, src: &[u8], at: usize, last: bool) -> Number {
    let missing = |at| if last { Number::Bad(at) } else { Number::More };
    match src.get(at) {
        None => return missing(at),
        Some(b'\\') => {}
        Some(_) => return Number::Bad(at),
    }
    match src.get(at + 1) {
        None => missing(at),
        Some(b'x') if rules.hex != Value::None => {
            let (least, most) = rules.hex_digits;
            match number(src, at + 2, 16, least, most, last) {
                Number::Is(value, digits) => Number::Is(value, 2 + digits),
                other => other,
            }
        }
        Some(b'0'..=b'7') if rules.octal != Value::None => match number(src, at + 1, 8, 1, 3, last) {
            Number::Is(value, digits) => Number::Is(value, 1 + digits),
            other => other,
        },
        Some(_) => Number::Bad(at),
    }
}

fn malformed(len: usize) -> Token {
    Token::Odd { len: len.max(1), kind: TransferErrorKind::BadEscape }
}

fn incomplete(len: usize, last: bool) -> Token {
    if last { Token::Odd { len, kind: TransferErrorKind::Incomplete } } else { Token::More }
}
