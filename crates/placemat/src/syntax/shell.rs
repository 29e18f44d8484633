//! Bash and its relatives: escapes in `$'...'` (Bash manual, section 3.1.2.4; POSIX.1-2024, section 2.2.4).
//!
//! Other quotes, comments and here-documents are left alone, and so are the arguments of `printf` and `echo -e`. `\xHH`
//! and `\ooo` are bytes.

#![forbid(unsafe_code)]

use super::backslash::{self, NONE, Other, Rules, Value};
use super::token::{Stops, Tail, Token, run};
use alloc::vec::Vec;

pub(super) const STRING: Rules = Rules {
    u_least: 1,
    long_least: 1,
    hex: Value::Byte,
    hex_digits: (1, 2),
    octal: Value::Byte,
    letters: &[
        (b'"', '"'),
        (b'\'', '\''),
        (b'\\', '\\'),
        (b'?', '?'),
        (b'a', '\x07'),
        (b'b', '\x08'),
        (b'e', '\x1B'),
        (b'E', '\x1B'),
        (b'f', '\x0C'),
        (b'n', '\n'),
        (b'r', '\r'),
        (b't', '\t'),
        (b'v', '\x0B'),
    ],
    other: Other::Kept,
    ..NONE
};

/// The bytes that end a run of code, of text between double quotes, and of code on the line before a here-document.
static CODE: Stops = Stops::of(b"\\\"'$#<()");
static DOUBLE: Stops = Stops::of(b"\\\"$");
static BEFORE_DOCUMENT: Stops = Stops::of(b"\\\"'$#<()\n");

/// The longest word that may end a here-document.
const MAX_WORD: usize = 256;

/// Quotes and substitutions within each other, at most.
const MAX_DEPTH: usize = 64;

#[derive(Clone, Copy, Debug)]
enum State {
    Code,
    Single,
    Double,
    Ansi,
    Comment,
    /// Text up to the line that is the word; whether a line begins here.
    Document(bool),
}

#[derive(Clone, Debug)]
pub(super) struct Shell {
    state: State,
    tail: Tail,
    /// The open `"`, `(` and `$(` around the present place.
    around: Vec<u8>,
    /// The word that ends the here-document after this line.
    word: Option<Vec<u8>>,
    content: bool,
}

impl Shell {
    pub(super) fn new(content: bool) -> Self {
        let state = if content { State::Ansi } else { State::Code };
        Self { state, tail: Tail::default(), around: Vec::new(), word: None, content }
    }

    pub(super) fn next(&mut self, src: &[u8], last: bool) -> Token {
        match self.state {
            State::Code => self.code(src, last),
            State::Single => self.quoted(b'\'', src),
            State::Ansi => match src[0] {
                b'\\' => backslash::read(&STRING, src, last),
                _ if self.content => Token::Text(run(src, |byte| byte == b'\\')),
                b'\'' => self.quoted(b'\'', src),
                _ => Token::Text(run(src, |byte| matches!(byte, b'\\' | b'\''))),
            },
            State::Double => self.double(src, last),
            State::Comment => {
                let len = run(src, |byte| byte == b'\n');
                if len < src.len() {
                    self.state = State::Code;
                }
                // The line end is code: a here-document can begin after it.
                if len == 0 { self.code(src, last) } else { Token::Syntax(len) }
            }
            State::Document(line_start) => self.document(line_start, src, last),
        }
    }

    fn quoted(&mut self, quote: u8, src: &[u8]) -> Token {
        if src[0] == quote {
            self.tail.push(b"'");
            self.state = State::Code;
            return Token::Syntax(1);
        }
        Token::Syntax(run(src, |byte| byte == quote))
    }

    fn double(&mut self, src: &[u8], last: bool) -> Token {
        match src {
            [b'\\' | b'$'] if !last => Token::More,
            [b'\\', ..] => Token::Syntax(src.len().min(2)),
            [b'"', ..] => {
                self.around.pop();
                self.tail.push(b"\"");
                self.state = State::Code;
                Token::Syntax(1)
            }
            [b'$', b'(', ..] if self.around.len() < MAX_DEPTH => {
                self.around.push(b'(');
                self.tail = Tail::default();
                self.state = State::Code;
                Token::Syntax(2)
            }
            [b'$', ..] => Token::Syntax(1),
            _ => Token::Syntax(DOUBLE.run(src)),
        }
    }

    fn code(&mut self, src: &[u8], last: bool) -> Token {
        // A line end matters only before a here-document.
        let len = if self.word.is_some() { BEFORE_DOCUMENT.run(src) } else { CODE.run(src) };
        if len > 0 {
            self.tail.push(&src[..len]);
            return Token::Syntax(len);
        }
        let mut len = 1;
        match src {
            [b'\\' | b'$'] if !last => return Token::More,
            [b'\\', ..] => len = src.len().min(2),
            [b'"', ..] => {
                if self.around.len() < MAX_DEPTH {
                    self.around.push(b'"');
                }
                self.state = State::Double;
            }
            [b'\'', ..] => self.state = State::Single,
            [b'$', b'\'', ..] => {
                self.state = State::Ansi;
                len = 2;
            }
            [b'(', ..] if self.around.len() < MAX_DEPTH => self.around.push(b'('),
            [b')', ..] if self.around.last() == Some(&b'(') => {
                self.around.pop();
                if self.around.last() == Some(&b'"') {
                    self.state = State::Double;
                }
            }
            [b'#', ..] if matches!(self.tail.byte(), 0 | b' ' | b';' | b'&' | b'|' | b'(' | b')') => {
                self.state = State::Comment;
            }
            [b'<', ..] => return self.redirection(src, last),
            [b'\n', ..] if self.word.is_some() => self.state = State::Document(true),
            _ => {}
        }
        self.tail.push(&src[..len]);
        Token::Syntax(len)
    }

    /// Reads `<`, `<<<` or `<<WORD`.
    fn redirection(&mut self, src: &[u8], last: bool) -> Token {
        let count = src.iter().take(3).take_while(|byte| **byte == b'<').count();
        if count == src.len() && count < 3 && !last {
            return Token::More;
        }
        if count != 2 {
            self.tail.push(b"<");
            return Token::Syntax(count);
        }
        let mut at = 2 + usize::from(src.get(2) == Some(&b'-'));
        at += run(&src[at..], |byte| !matches!(byte, b' ' | b'\t'));
        let start = at;
        at += run(&src[at..], |byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b'&' | b'|' | b')'));
        if at == src.len() && !last && at < MAX_WORD {
            return Token::More;
        }
        let word: Vec<u8> =
            src[start..at].iter().copied().filter(|byte| !matches!(byte, b'\'' | b'"' | b'\\')).collect();
        // `1<<2` in arithmetic is no here-document: its end would be awaited forever.
        let is_word = word.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        if is_word && word.len() < MAX_WORD && self.word.is_none() {
            self.word = Some(word);
        }
        self.tail.push(b"<");
        Token::Syntax(at)
    }

    fn document(&mut self, line_start: bool, src: &[u8], last: bool) -> Token {
        let len = run(src, |byte| byte == b'\n');
        if line_start {
            let word = self.word.as_deref().unwrap_or_default();
            if len == src.len() && len <= MAX_WORD + 8 && !last {
                return Token::More;
            }
            if src[..len].trim_ascii() == word {
                self.word = None;
                self.state = State::Code;
                self.tail = Tail::default();
                return Token::Syntax(len.max(1));
            }
        }
        self.state = State::Document(len < src.len());
        Token::Syntax(src.len().min(len + 1))
    }
}
