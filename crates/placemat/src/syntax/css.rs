//! CSS: escapes in strings and in names (CSS Syntax Level 3, section 4.3.7).
//!
//! Comments are left alone. In a name, only characters that every edition of the standard permits there lose their escapes.

#![forbid(unsafe_code)]

use super::token::{Meaning, Number, Stops, Token, first_char, number, run};
use crate::transfer::TransferErrorKind;

/// The bytes that end a run of code.
static CODE: Stops = Stops::of(b"/\"'\\");

#[derive(Clone, Copy, Debug)]
enum State {
    Code,
    Comment,
    String(u8),
}

#[derive(Clone, Debug)]
pub(super) struct Css {
    state: State,
    content: bool,
}

impl Css {
    pub(super) const fn new(content: bool) -> Self {
        Self { state: if content { State::String(0) } else { State::Code }, content }
    }

    pub(super) fn next(&mut self, src: &[u8], last: bool) -> Token {
        match self.state {
            State::Code => match src {
                [b'/'] if !last => Token::More,
                [b'/', b'*', ..] => {
                    self.state = State::Comment;
                    Token::Syntax(2)
                }
                [quote @ (b'"' | b'\''), ..] => {
                    self.state = State::String(*quote);
                    Token::Syntax(1)
                }
                [b'\\', ..] => match escape(src, last) {
                    Token::Escape { len, meaning } if meaning.chars().any(|c| !is_name(c)) => {
                        Token::Syntax(len)
                    }
                    token => token,
                },
                [b'/', ..] => Token::Syntax(1),
                _ => Token::Text(CODE.run(src)),
            },
            State::Comment => {
                let len = run(src, |byte| byte == b'*');
                match src.get(1) {
                    _ if len > 0 => Token::Syntax(len),
                    None if !last => Token::More,
                    Some(b'/') => {
                        self.state = State::Code;
                        Token::Syntax(2)
                    }
                    _ => Token::Syntax(1),
                }
            }
            State::String(quote) => match src[0] {
                b'\\' => escape(src, last),
                _ if self.content => Token::Text(run(src, |byte| byte == b'\\')),
                byte if byte == quote || byte == b'\n' => {
                    self.state = State::Code;
                    Token::Syntax(1)
                }
                _ => Token::Text(Stops::of_string(quote).run(src)),
            },
        }
    }
}

fn escape(src: &[u8], last: bool) -> Token {
    let Some(&next) = src.get(1) else {
        return if last { Token::Odd { len: 1, kind: TransferErrorKind::Incomplete } } else { Token::More };
    };
    let white_space = |at: usize| match src.get(at) {
        None if !last => None,
        Some(b'\r') => match src.get(at + 1) {
            None if !last => None,
            Some(b'\n') => Some(2),
            _ => Some(1),
        },
        Some(b' ' | b'\t' | b'\n' | b'\x0C') => Some(1),
        _ => Some(0),
    };
    match next {
        b'\n' | b'\x0C' | b'\r' => match white_space(1) {
            None => Token::More,
            Some(len) => Token::Escape { len: 1 + len, meaning: Meaning::default() },
        },
        byte if byte.is_ascii_hexdigit() => match number(src, 1, 16, 1, 6, last) {
            Number::Is(value, digits) => match white_space(1 + digits) {
                None => Token::More,
                Some(_) if value == 0 => Token::Odd { len: 1 + digits, kind: TransferErrorKind::Forbidden },
                Some(len) => Token::of(value, 1 + digits + len),
            },
            _ => Token::More,
        },
        _ => match first_char(&src[1..], last) {
            None => Token::More,
            Some(Ok(c)) => Token::meaning(1 + c.len_utf8(), c),
            Some(Err(_)) => Token::Odd { len: 1, kind: TransferErrorKind::BadEscape },
        },
    }
}

/// Returns `true` for a character that may be in a name, by the definition of "non-ASCII ident code point" of 2023.
const fn is_name(c: char) -> bool {
    matches!(c,
        '\u{B7}'
        | '\u{C0}'..='\u{D6}'
        | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{37D}'
        | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}'
        | '\u{203F}'..='\u{2040}'
        | '\u{2070}'..='\u{218F}'
        | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FDCF}'
        | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..
    )
}
