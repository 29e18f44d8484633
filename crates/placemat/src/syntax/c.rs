//! C and C++: escapes in literals, universal character names also in identifiers (C23 6.4.3, 6.4.4.4; C++ [lex.ccon]).
//!
//! Comments and raw strings have no escapes. `\xHH` and `\ooo` are bytes in a string without a prefix or with `u8`, which
//! is UTF-8 if the compiler's execution character set is; they stay in other literals. Adjacent literals are not joined.

#![forbid(unsafe_code)]

use super::backslash::{self, NONE, Rules, Value};
use super::kinds::Syntax;
use super::token::{Stops, Tail, Token, raw, run};
use super::write;
use alloc::vec::Vec;

pub(super) const STRING: Rules = Rules {
    u_least: 4,
    long_least: 8,
    hex: Value::Byte,
    hex_digits: (1, 16),
    octal: Value::Byte,
    letters: &[
        (b'"', '"'),
        (b'\'', '\''),
        (b'\\', '\\'),
        (b'?', '?'),
        (b'a', '\x07'),
        (b'b', '\x08'),
        (b'e', '\x1B'),
        (b'f', '\x0C'),
        (b'n', '\n'),
        (b'r', '\r'),
        (b't', '\t'),
        (b'v', '\x0B'),
    ],
    continues: true,
    ..NONE
};

/// Literals of wide characters, and character constants.
const WIDE: Rules = Rules { hex: Value::Unit, octal: Value::Unit, ..STRING };

/// Identifiers.
const NAME: Rules = Rules { u_least: 4, long_least: 8, other: backslash::Other::Kept, ..NONE };

/// The bytes that end a run of code.
static CODE: Stops = Stops::of(b"\"'/\\");

/// The longest delimiter of a raw string.
const MAX_DELIMITER: usize = 16;

#[derive(Clone, Copy, Debug)]
enum State {
    Code,
    Line,
    Block,
    Literal { quote: u8, wide: bool },
    Raw { end: [u8; MAX_DELIMITER + 2], len: usize },
}

#[derive(Clone, Debug)]
pub(super) struct C {
    state: State,
    tail: Tail,
    /// The text is the content of one string.
    content: bool,
}

impl C {
    pub(super) fn new(content: bool) -> Self {
        let state = if content { State::Literal { quote: 0, wide: false } } else { State::Code };
        Self { state, tail: Tail::default(), content }
    }

    pub(super) fn next(&mut self, src: &[u8], last: bool) -> Token {
        match self.state {
            State::Code => self.code(src, last),
            State::Line => {
                let len = run(src, |byte| matches!(byte, b'\n' | b'\\'));
                match src.get(len) {
                    Some(b'\n') => {
                        self.state = State::Code;
                        return Token::Syntax(len + 1);
                    }
                    Some(_) if len + 2 > src.len() && !last && len == 0 => return Token::More,
                    Some(b'\\') if len == 0 => {
                        return Token::Syntax(if src.get(1) == Some(&b'\r') {
                            if src.len() < 3 && !last {
                                return Token::More;
                            }
                            src.len().min(3)
                        } else {
                            src.len().min(2)
                        });
                    }
                    _ => {}
                }
                Token::Syntax(len.max(1))
            }
            State::Block => {
                let len = run(src, |byte| byte == b'*');
                match src.get(len + 1) {
                    _ if len > 0 => Token::Syntax(len),
                    None if !last => Token::More,
                    Some(b'/') => {
                        self.state = State::Code;
                        Token::Syntax(2)
                    }
                    _ => Token::Syntax(1),
                }
            }
            State::Literal { quote, wide } => match src[0] {
                b'\\' => backslash::read(if wide { &WIDE } else { &STRING }, src, last),
                b'\n' if !self.content => {
                    self.end_literal();
                    Token::Syntax(1)
                }
                byte if byte == quote && !self.content => {
                    self.end_literal();
                    Token::Syntax(1)
                }
                _ if self.content => Token::Text(run(src, |byte| byte == b'\\')),
                _ => Token::Text(Stops::of_string(quote).run(src)),
            },
            State::Raw { end, len } => raw(&end[..len], src, last, || {
                self.state = State::Code;
                self.tail = Tail::default();
            }),
        }
    }

    /// Writes the escape of a character at this place. Universal character names begin at U+00A0.
    pub(super) fn write(&self, c: char, out: &mut Vec<u8>) -> bool {
        match self.state {
            State::Literal { wide: false, .. } if c < '\u{A0}' => write::octal_bytes(c, out),
            State::Literal { .. } | State::Code => return write::outside_ascii(Syntax::C, c, out),
            _ => return false,
        }
        true
    }

    fn end_literal(&mut self) {
        self.state = State::Code;
        self.tail = Tail::default();
    }

    fn code(&mut self, src: &[u8], last: bool) -> Token {
        let len = CODE.run(src);
        if len > 0 {
            self.tail.push(&src[..len]);
            return Token::Text(len);
        }
        match src {
            [b'\\', ..] => match backslash::read(&NAME, src, last) {
                Token::Odd { .. } => Token::Syntax(1),
                token => token,
            },
            [b'/'] if !last => Token::More,
            [b'/', b'/', ..] => {
                self.tail.push(b" ");
                self.state = State::Line;
                Token::Syntax(2)
            }
            [b'/', b'*', ..] => {
                self.tail.push(b" ");
                self.state = State::Block;
                Token::Syntax(2)
            }
            [b'"', ..] if matches!(self.tail.word(), b"R" | b"u8R" | b"uR" | b"UR" | b"LR") => {
                self.begin_raw(src, last)
            }
            [quote @ (b'"' | b'\''), ..] => {
                let word = self.tail.word();
                let prefix = matches!(word, b"L" | b"u" | b"U" | b"u8");
                if *quote == b'\'' && !word.is_empty() && !prefix {
                    // The digit separator of C++14 and C23.
                    return Token::Syntax(1);
                }
                let wide = *quote == b'\'' || prefix && word != b"u8";
                self.state = State::Literal { quote: *quote, wide };
                Token::Syntax(1)
            }
            _ => {
                self.tail.push(&src[..1]);
                Token::Syntax(1)
            }
        }
    }

    fn begin_raw(&mut self, src: &[u8], last: bool) -> Token {
        let len = run(&src[1..], |byte| matches!(byte, b'(' | b')' | b'\\' | b' ' | b'"' | b'\n'));
        if len > MAX_DELIMITER || src.get(1 + len).is_some_and(|byte| *byte != b'(') {
            self.state = State::Literal { quote: b'"', wide: false };
            return Token::Syntax(1);
        }
        if src.len() == 1 + len {
            return if last { Token::Syntax(src.len()) } else { Token::More };
        }
        let mut end = [0; MAX_DELIMITER + 2];
        end[0] = b')';
        end[1..=len].copy_from_slice(&src[1..=len]);
        end[len + 1] = b'"';
        self.state = State::Raw { end, len: len + 2 };
        Token::Syntax(len + 2)
    }
}
