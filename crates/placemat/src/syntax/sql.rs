//! SQL: escapes in `E'...'` of `PostgreSQL`, and in `U&'...'` and `U&"..."` of the standard.
//!
//! Other strings have no escapes; quotes in them are doubled. Comments and dollar-quoted strings are left alone. The
//! backslashes of `MySQL` are not read: it has no escape for a character outside ASCII. A `U&` string before `UESCAPE` is left alone, as is
//! one of more than 16 KiB.

#![forbid(unsafe_code)]

use super::backslash::{self, NONE, Other, Rules, Value};
use super::token::{Number, Stops, Tail, Token, line, number, raw, run};
use crate::transfer::TransferErrorKind;
use alloc::vec::Vec;

pub(super) const STRING: Rules = Rules {
    u_least: 4,
    pairs: true,
    long_least: 8,
    hex: Value::Byte,
    hex_digits: (1, 2),
    octal: Value::Byte,
    letters: &[(b'b', '\x08'), (b'f', '\x0C'), (b'n', '\n'), (b'r', '\r'), (b't', '\t')],
    other: Other::Itself,
    ..NONE
};

/// The bytes that end a run of code.
static CODE: Stops = Stops::of(b"'\"-/$");

/// The longest `U&` string that is searched for its end.
const MAX_LOOK_AHEAD: usize = 16 * 1024;

const MAX_TAG: usize = 64;

#[derive(Clone, Copy, Debug)]
enum State {
    Code,
    Line,
    Block(u32),
    /// A string or a name in quotes: whether escapes are read, and which.
    Quoted {
        quote: u8,
        escapes: Escapes,
    },
    Dollar,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escapes {
    None,
    Backslash,
    Unicode,
}

#[derive(Clone, Debug)]
pub(super) struct Sql {
    state: State,
    tail: Tail,
    tag: Vec<u8>,
    content: bool,
}

impl Sql {
    pub(super) fn new(content: bool) -> Self {
        let state =
            if content { State::Quoted { quote: b'\'', escapes: Escapes::Backslash } } else { State::Code };
        Self { state, tail: Tail::default(), tag: Vec::new(), content }
    }

    /// Returns `true` within `U&'...'`.
    pub(super) const fn is_unicode(&self) -> bool {
        matches!(self.state, State::Quoted { escapes: Escapes::Unicode, .. })
    }

    pub(super) fn next(&mut self, src: &[u8], last: bool) -> Token {
        match self.state {
            State::Code => self.code(src, last),
            State::Line => line(src, || self.state = State::Code),
            State::Block(depth) => self.block(depth, src, last),
            State::Dollar => {
                let tag = core::mem::take(&mut self.tag);
                let token = raw(&tag, src, last, || self.state = State::Code);
                self.tag = tag;
                token
            }
            State::Quoted { quote, escapes } => self.quoted(quote, escapes, src, last),
        }
    }

    fn block(&mut self, depth: u32, src: &[u8], last: bool) -> Token {
        let len = run(src, |byte| matches!(byte, b'*' | b'/'));
        if len > 0 {
            return Token::Syntax(len);
        }
        match src {
            [_] if !last => return Token::More,
            [b'*', b'/', ..] => {
                self.state = depth.checked_sub(1).map_or(State::Code, State::Block);
                return Token::Syntax(2);
            }
            [b'/', b'*', ..] => {
                self.state = State::Block(depth.saturating_add(1));
                return Token::Syntax(2);
            }
            _ => {}
        }
        Token::Syntax(1)
    }

    fn quoted(&mut self, quote: u8, escapes: Escapes, src: &[u8], last: bool) -> Token {
        if src[0] == quote {
            return match src.get(1) {
                None if !last => Token::More,
                Some(next) if *next == quote => Token::meaning(2, char::from(quote)),
                _ if self.content => Token::Text(1),
                _ => {
                    self.state = State::Code;
                    self.tail = Tail::default();
                    Token::Syntax(1)
                }
            };
        }
        if src[0] == b'\\' {
            match escapes {
                Escapes::Backslash => return backslash::read(&STRING, src, last),
                Escapes::Unicode => return unicode(src, last),
                Escapes::None => {}
            }
        }
        let len = run(src, |byte| byte == quote || byte == b'\\' && escapes != Escapes::None);
        if escapes == Escapes::None { Token::Syntax(len) } else { Token::Text(len) }
    }

    fn code(&mut self, src: &[u8], last: bool) -> Token {
        let len = CODE.run(src);
        if len > 0 {
            self.tail.push(&src[..len]);
            return Token::Syntax(len);
        }
        match src {
            [b'-' | b'/'] if !last => return Token::More,
            [b'-', b'-', ..] => {
                self.tail.push(b" ");
                self.state = State::Line;
                return Token::Syntax(2);
            }
            [b'/', b'*', ..] => {
                self.tail.push(b" ");
                self.state = State::Block(0);
                return Token::Syntax(2);
            }
            [b'$', ..] if self.tail.word().is_empty() => return self.dollar(src, last),
            [quote @ (b'\'' | b'"'), ..] => {
                let escapes = match self.tail.word() {
                    b"E" | b"e" if *quote == b'\'' => Escapes::Backslash,
                    b"" if self.tail.byte() == b'&' => match self.ends_plainly(*quote, src, last) {
                        None => return Token::More,
                        Some(true) => Escapes::Unicode,
                        Some(false) => Escapes::None,
                    },
                    _ => Escapes::None,
                };
                self.state = State::Quoted { quote: *quote, escapes };
                return Token::Syntax(1);
            }
            _ => {}
        }
        self.tail.push(&src[..1]);
        Token::Syntax(1)
    }

    /// Returns `true` if the quote follows `U&`, and no `UESCAPE` follows the string; `None` if more input must decide.
    fn ends_plainly(&self, quote: u8, src: &[u8], last: bool) -> Option<bool> {
        let mut before = self.tail;
        // The word before the `&`.
        before.drop_last();
        if !matches!(before.word(), b"U" | b"u") {
            return Some(false);
        }
        let mut at = 1;
        let is_cut = |at: usize| !last && at <= MAX_LOOK_AHEAD;
        loop {
            at += run(&src[at..], |byte| byte == quote);
            if at > MAX_LOOK_AHEAD || at >= src.len() {
                return if is_cut(at) { None } else { Some(false) };
            }
            match src.get(at + 1) {
                None if is_cut(at) => return None,
                Some(next) if *next == quote => at += 2,
                _ => break,
            }
        }
        let rest = &src[at + 1..];
        let rest = &rest[run(rest, |byte| !byte.is_ascii_whitespace())..];
        let word = b"UESCAPE";
        if rest.len() < word.len() && is_cut(src.len()) {
            return None;
        }
        Some(!rest.get(..word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word)))
    }

    /// Reads `$tag$`.
    fn dollar(&mut self, src: &[u8], last: bool) -> Token {
        let len = run(&src[1..], |byte| !(byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80));
        match src.get(1 + len) {
            None if !last && len <= MAX_TAG => Token::More,
            Some(b'$') if len <= MAX_TAG && !src[1].is_ascii_digit() => {
                self.tag = src[..len + 2].to_vec();
                self.state = State::Dollar;
                Token::Syntax(len + 2)
            }
            _ => {
                self.tail.push(b"$");
                Token::Syntax(1)
            }
        }
    }
}

/// Reads `\00e9`, `\+01f600` or `\\`.
fn unicode(src: &[u8], last: bool) -> Token {
    let bad = |len: usize| Token::Odd { len: len.max(1), kind: TransferErrorKind::BadEscape };
    let (start, digits) = match src.get(1) {
        None => return if last { bad(1) } else { Token::More },
        Some(b'\\') => return Token::meaning(2, '\\'),
        Some(b'+') => (2, 6),
        Some(_) => (1, 4),
    };
    let (value, len) = match number(src, start, 16, digits, digits, last) {
        Number::More => return Token::More,
        Number::Bad(len) => return bad(len),
        Number::Is(value, digits) => (value, start + digits),
    };
    if !(0xD800..0xDC00).contains(&value) {
        return Token::of(value, len);
    }
    match (src.get(len), number(src, len + 1, 16, 4, 4, last)) {
        (None, _) | (Some(b'\\'), Number::More) if !last => Token::More,
        (Some(b'\\'), Number::Is(trail @ 0xDC00..0xE000, _)) => {
            Token::of(0x1_0000 + ((value - 0xD800) << 10) + (trail - 0xDC00), len + 5)
        }
        _ => Token::of(value, len),
    }
}
