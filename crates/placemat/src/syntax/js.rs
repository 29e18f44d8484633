//! JavaScript and TypeScript: escapes in strings, templates and identifiers (ECMA-262, section 12).
//!
//! Comments, regular expressions and tagged templates are left alone: their source is visible to the program. Whether a
//! `/` begins a regular expression is judged by what is before it. JSX is read as code; a string ends with its line.

#![forbid(unsafe_code)]

use super::backslash::{self, NONE, Other, Rules, Value};
use super::token::{Stops, Tail, Token, line, run};

pub(super) const STRING: Rules = Rules {
    u_least: 4,
    u_braced: true,
    pairs: true,
    hex: Value::CodePoint,
    octal: Value::CodePoint,
    letters: &[(b'b', '\x08'), (b'f', '\x0C'), (b'n', '\n'), (b'r', '\r'), (b't', '\t'), (b'v', '\x0B')],
    continues: true,
    other: Other::Itself,
    ..NONE
};

const NAME: Rules = Rules { u_least: 4, u_braced: true, other: Other::Kept, ..NONE };

/// The bytes that end a run of code, of code in a template, of a template, and of a regular expression.
static CODE: Stops = Stops::of(b"\"'`/\\");
static IN_TEMPLATE: Stops = Stops::of(b"\"'`/\\{}");
static TEMPLATE: Stops = Stops::of(b"\\`$");
static REGEX: Stops = Stops::of(b"\\[]/\n");

/// Templates within templates, at most.
const MAX_DEPTH: usize = 64;

/// Words before a `/` that begins a regular expression.
const BEFORE_EXPRESSION: &[&[u8]] = &[
    b"return",
    b"typeof",
    b"case",
    b"in",
    b"of",
    b"delete",
    b"void",
    b"throw",
    b"new",
    b"instanceof",
    b"do",
    b"else",
    b"yield",
    b"await",
    b"default",
];

#[derive(Clone, Copy, Debug)]
enum State {
    Code,
    Line,
    Block,
    String(u8),
    Template { tagged: bool },
    Regex { class: bool },
}

#[derive(Clone, Debug)]
pub(super) struct Js {
    state: State,
    tail: Tail,
    /// The open templates around the code: open braces in each substitution, and whether it is tagged.
    templates: [(u32, bool); MAX_DEPTH],
    depth: usize,
    content: bool,
}

impl Js {
    pub(super) fn new(content: bool) -> Self {
        Self {
            state: if content { State::String(0) } else { State::Code },
            tail: Tail::default(),
            templates: [(0, false); MAX_DEPTH],
            depth: 0,
            content,
        }
    }

    pub(super) fn in_code(&self) -> bool {
        matches!(self.state, State::Code)
    }

    pub(super) fn next(&mut self, src: &[u8], last: bool) -> Token {
        match self.state {
            State::Code => self.code(src, last),
            State::Line => line(src, || self.state = State::Code),
            State::Block => {
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
                b'\\' => backslash::read(&STRING, src, last),
                _ if self.content => Token::Text(run(src, |byte| byte == b'\\')),
                byte if byte == quote || byte == b'\n' => {
                    self.end(b")");
                    Token::Syntax(1)
                }
                _ => Token::Text(Stops::of_string(quote).run(src)),
            },
            State::Template { tagged } => self.template(tagged, src, last),
            State::Regex { class } => self.regex(class, src, last),
        }
    }

    /// Returns to code after a value, which the bytes `like` represent in the tail.
    fn end(&mut self, like: &[u8]) {
        self.state = State::Code;
        self.tail.push(like);
    }

    fn code(&mut self, src: &[u8], last: bool) -> Token {
        // Braces matter only in the substitutions of templates.
        let len = if self.depth > 0 { IN_TEMPLATE.run(src) } else { CODE.run(src) };
        if len > 0 {
            self.tail.push(&src[..len]);
            return Token::Text(len);
        }
        match src {
            [b'\\', ..] => {
                return match backslash::read(&NAME, src, last) {
                    Token::Odd { .. } => Token::Syntax(1),
                    Token::More => Token::More,
                    token => {
                        self.tail.push(b"x");
                        token
                    }
                };
            }
            [b'/'] if !last => return Token::More,
            [b'/', b'/', ..] => {
                self.tail.push(b" ");
                self.state = State::Line;
                return Token::Syntax(2);
            }
            [b'/', b'*', ..] => {
                self.tail.push(b" ");
                self.state = State::Block;
                return Token::Syntax(2);
            }
            [b'/', ..] if self.expects_expression() => self.state = State::Regex { class: false },
            [quote @ (b'"' | b'\''), ..] => self.state = State::String(*quote),
            [b'`', ..] => {
                let tagged = !self.expects_expression();
                self.state = State::Template { tagged };
            }
            [b'{', ..] => {
                if let Some((braces, _)) = self.open_template() {
                    *braces += 1;
                }
                self.tail.push(b"{");
            }
            [b'}', ..] => {
                self.tail.push(b"}");
                if let Some((braces, tagged)) = self.open_template() {
                    match braces.checked_sub(1) {
                        Some(fewer) => *braces = fewer,
                        None => {
                            self.state = State::Template { tagged: *tagged };
                            self.depth -= 1;
                        }
                    }
                }
            }
            _ => self.tail.push(&src[..1]),
        }
        Token::Syntax(1)
    }

    /// Returns `true` if a value may begin here, rather than an operator.
    fn expects_expression(&self) -> bool {
        let word = self.tail.word_before_space();
        if !word.is_empty() {
            return BEFORE_EXPRESSION.contains(&word);
        }
        !matches!(self.tail.significant(), b')' | b']' | b'"' | b'\'' | b'`')
    }

    fn open_template(&mut self) -> Option<&mut (u32, bool)> {
        self.depth.checked_sub(1).and_then(|at| self.templates.get_mut(at))
    }

    fn template(&mut self, tagged: bool, src: &[u8], last: bool) -> Token {
        match src {
            [b'\\', ..] if tagged => {
                return if src.len() < 2 && !last { Token::More } else { Token::Syntax(src.len().min(2)) };
            }
            [b'\\', ..] => return backslash::read(&STRING, src, last),
            [b'`', ..] => {
                self.end(b")");
                return Token::Syntax(1);
            }
            [b'$'] if !last => return Token::More,
            [b'$', b'{', ..] => {
                if let Some(template) = self.templates.get_mut(self.depth) {
                    *template = (0, tagged);
                    self.depth += 1;
                    self.state = State::Code;
                    self.tail.push(b"{");
                }
                return Token::Syntax(2);
            }
            [b'$', ..] => return Token::Syntax(1),
            _ => {}
        }
        let len = TEMPLATE.run(src);
        if tagged { Token::Syntax(len) } else { Token::Text(len) }
    }

    fn regex(&mut self, class: bool, src: &[u8], last: bool) -> Token {
        match src[0] {
            b'\\' if src.len() < 2 && !last => return Token::More,
            b'\\' if src.get(1) != Some(&b'\n') => return Token::Syntax(src.len().min(2)),
            b'[' => self.state = State::Regex { class: true },
            b']' => self.state = State::Regex { class: false },
            b'/' if !class => self.end(b")"),
            b'\n' => self.end(b"\n"),
            _ => {
                return Token::Syntax(REGEX.run(src).max(1));
            }
        }
        Token::Syntax(1)
    }
}
