//! LaTeX: accents and letters of the text encodings.
//!
//! Math, comments, `\verb` and verbatim environments are left alone, and so are commands that the text defines again, and
//! those that move tabs in `tabbing`. A command before a line end stays: the line end would become a space.

#![forbid(unsafe_code)]

use super::token::{Stops, Token, line, raw, run};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// Accented letters: the letter, the accent, the base.
const ACCENTED: &str = include_str!("tex.txt");

/// Letters, in the order of their names.
const LETTERS: &[(&str, char)] = &[
    ("AA", 'Å'),
    ("AE", 'Æ'),
    ("DH", 'Ð'),
    ("DJ", 'Đ'),
    ("L", 'Ł'),
    ("NG", 'Ŋ'),
    ("O", 'Ø'),
    ("OE", 'Œ'),
    ("TH", 'Þ'),
    ("aa", 'å'),
    ("ae", 'æ'),
    ("dh", 'ð'),
    ("dj", 'đ'),
    ("guillemotleft", '«'),
    ("guillemotright", '»'),
    ("i", 'ı'),
    ("j", 'ȷ'),
    ("l", 'ł'),
    ("ng", 'ŋ'),
    ("o", 'ø'),
    ("oe", 'œ'),
    ("quotedblbase", '„'),
    ("ss", 'ß'),
    ("textasciicircum", '^'),
    ("textasciitilde", '~'),
    ("textbackslash", '\\'),
    ("textdegree", '°'),
    ("textellipsis", '…'),
    ("textemdash", '—'),
    ("textendash", '–'),
    ("texteuro", '€'),
    ("textexclamdown", '¡'),
    ("textquestiondown", '¿'),
    ("textquotedblleft", '“'),
    ("textquotedblright", '”'),
    ("textquoteleft", '‘'),
    ("textquoteright", '’'),
    ("textsection", '§'),
    ("textsterling", '£'),
    ("th", 'þ'),
];

/// The bytes that end a run of text, and of the content of a literal.
static TEXT: Stops = Stops::of(b"\\$%");
static CONTENT: Stops = Stops::of(b"\\$%{");

/// Commands whose next command is a new definition.
const DEFINING: &[&str] =
    &["newcommand", "renewcommand", "providecommand", "DeclareMathOperator", "def", "edef", "gdef", "let"];

const VERBATIM: &[&str] =
    &["verbatim", "lstlisting", "minted", "comment", "Verbatim", "alltt", "filecontents"];

const MATH: &[&str] =
    &["equation", "align", "gather", "multline", "eqnarray", "displaymath", "math", "array"];

/// The longest name of a command or environment that is read.
const MAX_NAME: usize = 48;

/// Commands that a text may define again, at most.
const MAX_DEFINED: usize = 64;

#[derive(Clone, Debug)]
enum State {
    Text,
    Comment,
    /// Math up to this delimiter; an environment if it is empty.
    Math(&'static [u8]),
    Verb(u8),
    /// Text up to this end.
    Verbatim(Vec<u8>),
}

#[derive(Clone, Debug)]
pub(super) struct Tex {
    state: State,
    in_tabbing: bool,
    /// The math around a comment.
    before_comment: Option<&'static [u8]>,
    defines: bool,
    defined: BTreeSet<Vec<u8>>,
    /// The marks of the commands that are defined again.
    defined_marks: u64,
    /// A command of letters ends here: to some engines a letter outside ASCII would continue its name.
    after_word: bool,
    content: bool,
}

impl Tex {
    pub(super) const fn new(content: bool) -> Self {
        Self {
            state: State::Text,
            in_tabbing: false,
            before_comment: None,
            defines: false,
            defined: BTreeSet::new(),
            defined_marks: 0,
            after_word: false,
            content,
        }
    }

    pub(super) fn next(&mut self, src: &[u8], last: bool) -> Token {
        let after_word = self.after_word;
        let token = self.read(src, last);
        self.after_word = match token {
            Token::More => after_word,
            Token::Syntax(len) => {
                let name = src.get(1..len).unwrap_or_default();
                src[0] == b'\\' && !name.is_empty() && name.iter().all(u8::is_ascii_alphabetic)
            }
            _ => false,
        };
        match token {
            Token::Escape { len, .. } if after_word && !self.content => Token::Syntax(len),
            token => token,
        }
    }

    fn read(&mut self, src: &[u8], last: bool) -> Token {
        match &mut self.state {
            State::Comment => {
                let before = self.before_comment;
                line(src, || self.state = before.map_or(State::Text, State::Math))
            }
            State::Verb(delimiter) => {
                let delimiter = *delimiter;
                let len = run(src, |byte| byte == delimiter || byte == b'\n');
                if len < src.len() {
                    self.state = State::Text;
                }
                Token::Syntax(src.len().min(len + 1))
            }
            State::Verbatim(end) => {
                let mut ended = false;
                let token = raw(end, src, last, || ended = true);
                if ended {
                    self.state = State::Text;
                }
                token
            }
            State::Math(end) => {
                let end = *end;
                self.math(end, src, last)
            }
            State::Text => self.text(src, last),
        }
    }

    fn math(&mut self, end: &'static [u8], src: &[u8], last: bool) -> Token {
        let len = TEXT.run(src);
        if len > 0 {
            return Token::Syntax(len);
        }
        if src.len() < 2 && !last {
            return Token::More;
        }
        if src[0] == b'%' {
            self.before_comment = Some(end);
            self.state = State::Comment;
        } else if end.is_empty() {
            return self.command(src, last, true);
        } else if src.starts_with(end) {
            self.state = State::Text;
            return Token::Syntax(end.len());
        } else if src[0] == b'\\' {
            return Token::Syntax(src.len().min(2));
        }
        Token::Syntax(1)
    }

    fn text(&mut self, src: &[u8], last: bool) -> Token {
        let mut len = if self.content { CONTENT.run(src) } else { TEXT.run(src) };
        // A brace that begins no command is text.
        while let [b'{', next, ..] = src[len..]
            && self.content
            && next != b'\\'
        {
            len += 1 + CONTENT.run(&src[len + 1..]);
        }
        if len > 0 {
            return Token::Text(len);
        }
        match src {
            [b'{', b'\\', ..] => match self.command(&src[1..], last, false) {
                Token::More => Token::More,
                Token::Escape { len, meaning } => match src.get(1 + len) {
                    None if !last => Token::More,
                    Some(b'}') => Token::Escape { len: len + 2, meaning },
                    _ => Token::Text(1),
                },
                _ => Token::Text(1),
            },
            [b'{'] if !last => Token::More,
            [b'\\', ..] => self.command(src, last, false),
            _ if self.content => Token::Text(1),
            [b'%', ..] => {
                self.before_comment = None;
                self.state = State::Comment;
                Token::Syntax(1)
            }
            [b'$'] if !last => Token::More,
            [b'$', b'$', ..] => {
                self.state = State::Math(b"$$");
                Token::Syntax(2)
            }
            _ => {
                self.state = State::Math(b"$");
                Token::Syntax(1)
            }
        }
    }

    /// Reads a command, which begins with a backslash.
    fn command(&mut self, src: &[u8], last: bool, in_math: bool) -> Token {
        let name = &src[1..];
        let len = name.iter().take(MAX_NAME).take_while(|byte| byte.is_ascii_alphabetic()).count();
        if len == name.len() && len < MAX_NAME && !last {
            return Token::More;
        }
        if len == 0 {
            return self.symbol(src, last, in_math);
        }
        let end = 1 + len;
        let name = &name[..len];
        let is_one_of = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
        if core::mem::take(&mut self.defines) {
            if self.defined.len() < MAX_DEFINED {
                self.defined_marks |= mark(name);
                self.defined.insert(name.to_vec());
            }
            return Token::Syntax(end);
        }
        let begins_definition = matches!(name[0], b'D' | b'd' | b'e' | b'g' | b'l' | b'n' | b'p' | b'r');
        if begins_definition && is_one_of(DEFINING) {
            self.defines = true;
            return Token::Syntax(end);
        }
        if name == b"begin" || name == b"end" {
            return self.environment(name == b"begin", end, src, last);
        }
        if in_math || self.defined_marks & mark(name) != 0 && self.defined.contains(name) {
            return Token::Syntax(end);
        }
        if name == b"verb" || name == b"lstinline" {
            let at = end + usize::from(src.get(end) == Some(&b'*'));
            return match src.get(at) {
                None if !last => Token::More,
                None => Token::Syntax(src.len()),
                Some(delimiter) => {
                    self.state = State::Verb(*delimiter);
                    Token::Syntax(at + 1)
                }
            };
        }
        if let [accent @ (b'u' | b'v' | b'H' | b'c' | b'k' | b'r' | b'd' | b'b')] = name {
            return accented(*accent, end, src, last);
        }
        match letter(name) {
            Some(c) => match after_word(end, src, last) {
                None => Token::More,
                Some(None) => Token::Syntax(end),
                Some(Some(end)) => Token::meaning(end, c),
            },
            None => Token::Syntax(end),
        }
    }

    fn symbol(&mut self, src: &[u8], last: bool, in_math: bool) -> Token {
        let Some(&symbol) = src.get(1) else { return if last { Token::Syntax(1) } else { Token::More } };
        if core::mem::take(&mut self.defines) {
            return Token::Syntax(1);
        }
        match symbol {
            b'(' if !in_math && !self.content => self.state = State::Math(b"\\)"),
            b'[' if !in_math && !self.content => self.state = State::Math(b"\\]"),
            b'\'' | b'`' | b'=' if self.in_tabbing => {}
            b'\'' | b'`' | b'^' | b'~' | b'"' | b'=' | b'.' if !in_math => {
                return accented(symbol, 2, src, last);
            }
            b'%' | b'&' | b'$' | b'#' | b'_' | b'{' | b'}' if self.content => {
                return Token::meaning(2, char::from(symbol));
            }
            // The first byte of a character; the rest of it follows as text.
            0x80.. => return Token::Syntax(1),
            _ => {}
        }
        Token::Syntax(2)
    }

    /// Reads the name of an environment after `\begin` or `\end`.
    fn environment(&mut self, begins: bool, at: usize, src: &[u8], last: bool) -> Token {
        let rest = &src[at..];
        let end = run(rest, |byte| byte == b'}');
        if end == rest.len() {
            return if last || end > MAX_NAME { Token::Syntax(at) } else { Token::More };
        }
        let Some(name) = rest[..end].strip_prefix(b"{") else { return Token::Syntax(at) };
        let bare = name.strip_suffix(b"*").unwrap_or(name);
        let is_one_of = |names: &[&str]| names.iter().any(|known| known.as_bytes() == bare);
        if bare == b"tabbing" {
            self.in_tabbing = begins;
        } else if is_one_of(VERBATIM) && begins {
            self.state = State::Verbatim([b"\\end{", name, b"}"].concat());
        } else if is_one_of(MATH) {
            self.state = if begins { State::Math(b"") } else { State::Text };
        }
        Token::Syntax(at + end + 1)
    }
}

/// Returns one of 64 marks for a name, so that most names are known to be no others without a comparison.
fn mark(name: &[u8]) -> u64 {
    let first = name.first().copied().unwrap_or_default();
    1 << ((usize::from(first) + 7 * name.len()) % 64)
}

/// Returns the letter that a command is.
fn letter(name: &[u8]) -> Option<char> {
    // Most commands are others, by their length or their first letter.
    if !matches!(name, [_] | [_, _] | [b't' | b'q' | b'g', ..]) {
        return None;
    }
    let at = LETTERS.binary_search_by(|(known, _)| known.as_bytes().cmp(name)).ok()?;
    LETTERS.get(at).map(|(_, c)| *c)
}

/// Returns the end of the white space or of the `{}` that belongs to a command that ends at `end`. `None`: more input is
/// needed; `Some(None)`: a line end follows.
fn after_word(end: usize, src: &[u8], last: bool) -> Option<Option<usize>> {
    let spaces = run(&src[end..], |byte| !matches!(byte, b' ' | b'\t'));
    match src.get(end + spaces) {
        None if !last => None,
        None => Some(Some(end)),
        Some(b'\n' | b'\r') => Some(None),
        Some(b'{') if spaces == 0 => match src.get(end + 1) {
            None if !last => None,
            Some(b'}') => Some(Some(end + 2)),
            _ => Some(Some(end)),
        },
        Some(_) => Some(Some(end + spaces)),
    }
}

/// Reads the letter under an accent: `e`, `{e}`, `\i` or `{\i}`.
fn accented(accent: u8, at: usize, src: &[u8], last: bool) -> Token {
    let kept = Token::Syntax(at);
    let mut start = at;
    let more = if last { kept } else { Token::More };
    // A command of letters needs a space or a brace before its letter.
    if accent.is_ascii_alphabetic() {
        start += run(&src[start..], |byte| byte != b' ');
    }
    let braced = src.get(start) == Some(&b'{');
    start += usize::from(braced);
    let (base, mut end) = match src.get(start) {
        None => return more,
        Some(byte) if byte.is_ascii_alphabetic() => (*byte, start + 1),
        Some(b'\\') => match (src.get(start + 1), src.get(start + 2)) {
            (None, _) | (_, None) if !last => return Token::More,
            (Some(base @ (b'i' | b'j')), next) if !next.is_some_and(u8::is_ascii_alphabetic) => {
                (*base, start + 2)
            }
            _ => return kept,
        },
        Some(_) => return kept,
    };
    if braced {
        match src.get(end) {
            None => return more,
            Some(b'}') => end += 1,
            Some(_) => return kept,
        }
    } else if src[end - 2] == b'\\' && end - 2 == start {
        match after_word(end, src, last) {
            None => return Token::More,
            Some(None) => return kept,
            Some(Some(after)) => end = after,
        }
    }
    let wanted = [accent, b' ', base];
    let found = ACCENTED.lines().find_map(|line| {
        let (c, rest) = line.split_once(' ')?;
        if rest.as_bytes() == wanted { c.chars().next() } else { None }
    });
    found.map_or(kept, |c| Token::meaning(end, c))
}

/// Returns the command for a character, in braces.
pub(super) fn write(c: char, out: &mut Vec<u8>) -> bool {
    let accented = if c.is_ascii() { None } else { ACCENTED.lines().find(|line| line.starts_with(c)) };
    let command = accented.and_then(|line| match line.as_bytes() {
        [.., accent, b' ', base] => Some((*accent, *base)),
        _ => None,
    });
    if let Some((accent, base)) = command {
        out.extend_from_slice(&[b'{', b'\\', accent]);
        if accent.is_ascii_alphabetic() && !matches!(base, b'i' | b'j') {
            out.push(b' ');
        }
        let is_above = !matches!(accent, b'c' | b'k' | b'd' | b'b');
        if matches!(base, b'i' | b'j') && is_above {
            out.push(b'\\');
        } else if accent.is_ascii_alphabetic() && matches!(base, b'i' | b'j') {
            out.push(b' ');
        }
        out.extend_from_slice(&[base, b'}']);
        return true;
    }
    match LETTERS.iter().find(|(_, letter)| *letter == c) {
        Some((name, _)) => {
            out.extend_from_slice(b"{\\");
            out.extend_from_slice(name.as_bytes());
            out.push(b'}');
            true
        }
        None => false,
    }
}
