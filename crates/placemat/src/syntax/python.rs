//! Python 3: escapes in string literals (Language Reference, section 2.5).
//!
//! Raw strings, bytes literals and comments are left alone, and so is `\N{...}`. Python does not join surrogates. The text
//! in the braces of an f-string is read as part of the string.

#![forbid(unsafe_code)]

use super::backslash::{self, NONE, Other, Rules, Value};
use super::token::{Stops, Tail, Token, line, run};

pub(super) const STRING: Rules = Rules {
    u_least: 4,
    long_least: 8,
    hex: Value::CodePoint,
    octal: Value::CodePoint,
    letters: &[
        (b'"', '"'),
        (b'\'', '\''),
        (b'\\', '\\'),
        (b'a', '\x07'),
        (b'b', '\x08'),
        (b'f', '\x0C'),
        (b'n', '\n'),
        (b'r', '\r'),
        (b't', '\t'),
        (b'v', '\x0B'),
    ],
    continues: true,
    other: Other::Kept,
    ..NONE
};

/// The bytes that end a run of code.
static CODE: Stops = Stops::of(b"\"'#");

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Raw,
    Bytes,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Code,
    Comment,
    String { quote: u8, triple: bool, kind: Kind },
}

#[derive(Clone, Debug)]
pub(super) struct Python {
    state: State,
    tail: Tail,
    content: bool,
}

impl Python {
    pub(super) fn new(content: bool) -> Self {
        let string = State::String { quote: 0, triple: true, kind: Kind::Text };
        Self { state: if content { string } else { State::Code }, tail: Tail::default(), content }
    }

    pub(super) fn next(&mut self, src: &[u8], last: bool) -> Token {
        match self.state {
            State::Comment => line(src, || self.state = State::Code),
            State::Code => self.code(src, last),
            State::String { quote, triple, kind } => self.string(quote, triple, kind, src, last),
        }
    }

    fn code(&mut self, src: &[u8], last: bool) -> Token {
        let len = CODE.run(src);
        if len > 0 {
            self.tail.push(&src[..len]);
            return Token::Syntax(len);
        }
        if src[0] == b'#' {
            self.tail.push(b" ");
            self.state = State::Comment;
            return Token::Syntax(1);
        }
        if src.len() < 3 && !last && src.iter().all(|byte| *byte == src[0]) {
            return Token::More;
        }
        let quote = src[0];
        let triple = src.starts_with(&[quote; 3]);
        let prefix = self.tail.word();
        let known = prefix.len() <= 2 && prefix.iter().all(|byte| b"rRbBuUfFtT".contains(byte));
        let has = |letter: u8| known && prefix.iter().any(|byte| byte.to_ascii_lowercase() == letter);
        let kind = match (has(b'b'), has(b'r')) {
            (true, _) => Kind::Bytes,
            (_, true) => Kind::Raw,
            _ => Kind::Text,
        };
        self.tail = Tail::default();
        self.state = State::String { quote, triple, kind };
        Token::Syntax(if triple { 3 } else { 1 })
    }

    fn string(&mut self, quote: u8, triple: bool, kind: Kind, src: &[u8], last: bool) -> Token {
        if src[0] == b'\\' {
            if kind == Kind::Text {
                return backslash::read(&STRING, src, last);
            }
            // A backslash keeps a quote from ending the string, raw or not.
            return if src.len() < 2 && !last { Token::More } else { Token::Syntax(src.len().min(2)) };
        }
        if self.content {
            return Token::Text(run(src, |byte| byte == b'\\'));
        }
        if src[0] == quote {
            if !triple {
                self.state = State::Code;
                return Token::Syntax(1);
            }
            let end = [quote; 3];
            if src.starts_with(&end) {
                self.state = State::Code;
                return Token::Syntax(3);
            }
            return if end.starts_with(src) && !last { Token::More } else { Token::Syntax(1) };
        }
        if src[0] == b'\n' && !triple {
            self.state = State::Code;
            return Token::Syntax(1);
        }
        let len = if triple {
            run(src, |byte| byte == quote || byte == b'\\')
        } else {
            Stops::of_string(quote).run(src)
        };
        if kind == Kind::Text { Token::Text(len) } else { Token::Syntax(len) }
    }
}
