//! HTML and XML: character references in text and in quoted attribute values (HTML Standard, section 13.2.5; XML 1.0,
//! section 4.1).
//!
//! Comments, CDATA, processing instructions, declarations, unquoted attribute values and the raw text of `script`, `style`
//! and their like are left alone. A named reference in XML is read as HTML's, unless the document declares entities.

#![forbid(unsafe_code)]

use super::token::{Meaning, Number, Stops, Token, number, raw, run};
use crate::transfer::{TransferErrorKind, named_reference};

/// Elements of HTML whose content has no character references. `noscript` is one of them only if scripts run.
const RAW: &[&[u8]] =
    &[b"script", b"style", b"xmp", b"iframe", b"noembed", b"noframes", b"noscript", b"plaintext"];

/// Elements of HTML whose content has character references and no tags.
const TITLES: &[&[u8]] = &[b"title", b"textarea"];

/// The bytes that end a run within a tag, and within a document type.
static TAG: Stops = Stops::of(b">\"'");
static DOCTYPE: Stops = Stops::of(b"\"'[<>]");

/// The longest name of these elements.
const MAX_ELEMENT: usize = 9;

/// The longest name of a character reference.
const MAX_NAME: usize = 31;

const MAX_DIGITS: usize = 32;

/// Characters that windows-1252 has for the numbers 128 to 159, as HTML reads them. A zero: the number stays a control.
const WINDOWS_1252: [u16; 32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
    0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
    0x0153, 0, 0x017E, 0x0178,
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Other,
    /// The content is text without references; the index of its name in [`RAW`].
    Raw(usize),
    /// The content is text without tags; the index of its name in [`TITLES`].
    Title(usize),
}

#[derive(Clone, Copy, Debug)]
enum State {
    Text,
    Tag {
        quote: u8,
        after_equals: bool,
        slash: bool,
        element: Element,
    },
    /// Text up to this end.
    Until(&'static [u8]),
    /// A document type: quotes and brackets that are open.
    Doctype {
        quote: u8,
        depth: u32,
    },
    Raw {
        name: &'static [u8],
        comment: bool,
        nested: bool,
    },
    Title(&'static [u8]),
}

#[derive(Clone, Debug)]
pub(super) struct Markup {
    html: bool,
    state: State,
    /// The document declares entities of its own.
    declares: bool,
    content: bool,
}

impl Markup {
    pub(super) const fn new(html: bool, content: bool) -> Self {
        Self { html, state: State::Text, declares: false, content }
    }

    pub(super) fn next(&mut self, src: &[u8], last: bool) -> Token {
        match self.state {
            State::Text => match src[0] {
                b'<' if !self.content => self.open(src, last),
                b'&' => self.reference(src, last),
                b'<' => Token::Text(1),
                _ => Token::Text(run(src, |byte| matches!(byte, b'<' | b'&'))),
            },
            State::Tag { quote, after_equals, slash, element } => {
                self.tag((quote, after_equals, slash), element, src, last)
            }
            State::Until(end) => raw(end, src, last, || self.state = State::Text),
            State::Doctype { quote, depth } => self.doctype(quote, depth, src, last),
            State::Raw { name, comment, nested } => self.raw_text(name, comment, nested, src, last),
            State::Title(name) => match src[0] {
                b'&' => self.reference(src, last),
                b'<' => match closes(name, src, last) {
                    None => Token::More,
                    Some(true) => {
                        self.state = State::Text;
                        self.open(src, last)
                    }
                    Some(false) => Token::Text(1),
                },
                _ => Token::Text(run(src, |byte| matches!(byte, b'<' | b'&'))),
            },
        }
    }

    /// Reads what a `<` begins.
    fn open(&mut self, src: &[u8], last: bool) -> Token {
        if src.len() < MAX_ELEMENT + 3 && !last {
            return Token::More;
        }
        let until = |state: &mut State, end, len| {
            *state = State::Until(end);
            Token::Syntax(len)
        };
        match src {
            // Two empty comments of HTML.
            [b'<', b'!', b'-', b'-', b'>', ..] if self.html => Token::Syntax(5),
            [b'<', b'!', b'-', b'-', b'-', b'>', ..] if self.html => Token::Syntax(6),
            // HTML also ends a comment at `--!>`, after which text that stays as it is does no harm.
            [b'<', b'!', b'-', b'-', ..] => until(&mut self.state, b"-->", 4),
            [b'<', b'!', b'[', ..] if src.starts_with(b"<![CDATA[") => until(&mut self.state, b"]]>", 9),
            [b'<', b'?', ..] if !self.html => until(&mut self.state, b"?>", 2),
            [b'<', b'!' | b'?', ..] if self.html => until(&mut self.state, b">", 2),
            [b'<', b'!', ..] => {
                self.state = State::Doctype { quote: 0, depth: 0 };
                Token::Syntax(2)
            }
            [b'<', b'/', first, ..] if self.begins_name(*first) => {
                Token::Syntax(self.unquoted(src, 3, (false, false), Element::Other))
            }
            [b'<', b'/', ..] if self.html && src.len() > 2 => until(&mut self.state, b">", 2),
            [b'<', first, ..] if self.begins_name(*first) => {
                let name = &src[1..];
                let len = name.iter().take(MAX_ELEMENT + 1).take_while(|byte| is_name(**byte)).count();
                let name = &name[..len];
                let is = |known: &&[u8]| known.eq_ignore_ascii_case(name);
                // The first letters of these names.
                let begins = matches!(first | 0x20, b's' | b'x' | b'i' | b'n' | b'p' | b't');
                let raw = || RAW.iter().position(is).map(Element::Raw);
                let title = || TITLES.iter().position(is).map(Element::Title);
                let known = if self.html && begins { raw().or_else(title) } else { None };
                let element = known.unwrap_or(Element::Other);
                Token::Syntax(self.unquoted(src, 1 + len, (false, false), element))
            }
            _ => Token::Text(1),
        }
    }

    const fn begins_name(&self, byte: u8) -> bool {
        byte.is_ascii_alphabetic() || !self.html && matches!(byte, b'_' | b':' | 0x80..)
    }

    fn tag(
        &mut self,
        (quote, after_equals, slash): (u8, bool, bool),
        element: Element,
        src: &[u8],
        last: bool,
    ) -> Token {
        match src[0] {
            _ if quote == 0 => Token::Syntax(self.unquoted(src, 0, (after_equals, slash), element)),
            b'&' => self.reference(src, last),
            byte if byte == quote => Token::Syntax(self.unquoted(src, 1, (false, false), element)),
            _ => Token::Text(run(src, |byte| (byte == quote) | (byte == b'&'))),
        }
    }

    /// Passes a tag from `at` on up to its end, or to the start of a quoted value. Returns the place after that.
    fn unquoted(
        &mut self,
        src: &[u8],
        mut at: usize,
        (mut after_equals, mut slash): (bool, bool),
        element: Element,
    ) -> usize {
        loop {
            let text = &src[at..at + TAG.run(&src[at..])];
            let last = text.iter().rfind(|byte| !byte.is_ascii_whitespace()).copied();
            after_equals = last.map_or(after_equals, |last| last == b'=');
            slash = text.last().map_or(slash, |last| *last == b'/');
            at += text.len();
            match src.get(at) {
                None => {
                    self.state = State::Tag { quote: 0, after_equals, slash, element };
                    return at;
                }
                Some(b'>') => {
                    self.state = match element {
                        Element::Other => State::Text,
                        // In SVG such an element can be empty; then nothing more is read as a reference.
                        Element::Title(index) if slash => {
                            State::Raw { name: TITLES[index], comment: false, nested: false }
                        }
                        Element::Title(index) => State::Title(TITLES[index]),
                        Element::Raw(index) => State::Raw { name: RAW[index], comment: false, nested: false },
                    };
                    return at + 1;
                }
                Some(&quote) if after_equals || !self.html => {
                    self.state = State::Tag { quote, after_equals: false, slash: false, element };
                    return at + 1;
                }
                Some(_) => {
                    (after_equals, slash) = (false, false);
                    at += 1;
                }
            }
        }
    }

    fn doctype(&mut self, quote: u8, depth: u32, src: &[u8], last: bool) -> Token {
        if quote != 0 {
            let len = run(src, |byte| byte == quote);
            if len < src.len() {
                self.state = State::Doctype { quote: 0, depth };
            }
            return Token::Syntax(src.len().min(len + 1));
        }
        let len = DOCTYPE.run(src);
        if len > 0 {
            return Token::Syntax(len);
        }
        match src[0] {
            quote @ (b'"' | b'\'') => self.state = State::Doctype { quote, depth },
            b'<' => {
                if src.len() < 8 && !last {
                    return Token::More;
                }
                self.declares |= src.starts_with(b"<!ENTITY");
                self.state = State::Doctype { quote: 0, depth: depth.saturating_add(1) };
            }
            // Parameter entities can declare others.
            b'[' => self.state = State::Doctype { quote: 0, depth: depth.saturating_add(1) },
            _ => {
                self.state = match depth.checked_sub(1) {
                    Some(depth) => State::Doctype { quote: 0, depth },
                    None => State::Text,
                };
            }
        }
        Token::Syntax(1)
    }

    /// Passes raw text. A script within a comment within a script does not end the outer script.
    fn raw_text(
        &mut self,
        name: &'static [u8],
        comment: bool,
        nested: bool,
        src: &[u8],
        last: bool,
    ) -> Token {
        let is_script = name == b"script";
        let len = run(src, |byte| byte == b'<' || comment && byte == b'-');
        if len > 0 {
            return Token::Syntax(len);
        }
        if src.len() < MAX_ELEMENT + 3 && !last {
            return Token::More;
        }
        let mut state = (comment, nested);
        let mut len = 1;
        if is_script && src.starts_with(b"<!--") {
            state = (true, nested);
            // Its hyphens may end it: `<!-->`.
            len = 2;
        } else if comment && src.starts_with(b"-->") {
            state = (false, false);
        } else if closes(name, src, true) == Some(true) {
            if nested {
                state.1 = false;
            } else if name != b"plaintext" {
                self.state = State::Text;
                return self.open(src, true);
            }
        } else if comment && src.get(1..7).is_some_and(|word| word.eq_ignore_ascii_case(b"script")) {
            state.1 |= src.get(7).is_some_and(|byte| !is_name(*byte));
        }
        self.state = State::Raw { name, comment: state.0, nested: state.1 };
        Token::Syntax(len)
    }

    fn reference(&self, src: &[u8], last: bool) -> Token {
        match src {
            [_] => {
                if last {
                    Token::Syntax(1)
                } else {
                    Token::More
                }
            }
            [_, b'#'] if !last => Token::More,
            [_, b'#', b'x' | b'X', ..] => self.numbered(src, 16, 3, last),
            [_, b'#', ..] => self.numbered(src, 10, 2, last),
            _ => self.named(src, last),
        }
    }

    fn numbered(&self, src: &[u8], radix: u32, start: usize, last: bool) -> Token {
        let (value, end) = match number(src, start, radix, 1, MAX_DIGITS, last) {
            Number::More => return Token::More,
            Number::Bad(end) => return Token::Odd { len: end, kind: TransferErrorKind::BadEscape },
            Number::Is(value, digits) => (value, start + digits),
        };
        let len = match src.get(end) {
            None if !last => return Token::More,
            Some(b';') => end + 1,
            // In HTML the semicolon can be missing; a letter after it only looks like more of the number.
            next if self.html && !next.is_some_and(u8::is_ascii_alphanumeric) => end,
            _ => return Token::Odd { len: end, kind: TransferErrorKind::MissingSemicolon },
        };
        let control = value.checked_sub(0x80).and_then(|index| WINDOWS_1252.get(index as usize));
        match control {
            Some(0) if self.html => Token::of(value, len),
            Some(c) if self.html => Token::of(u32::from(*c), len),
            _ if value == 0 || !self.html && matches!(value, 0xFFFE | 0xFFFF) => {
                Token::Odd { len, kind: TransferErrorKind::Forbidden }
            }
            _ => Token::of(value, len),
        }
    }

    fn named(&self, src: &[u8], last: bool) -> Token {
        let name = &src[1..];
        let len = name.iter().take(MAX_NAME + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        if len == name.len() && len <= MAX_NAME && !last {
            return Token::More;
        }
        let (name, rest) = name.split_at(len);
        if self.declares {
            return Token::Syntax(1 + len);
        }
        let Some((code_points, historical)) = named_reference(name) else { return Token::Syntax(1 + len) };
        let mut meaning = Meaning::default();
        code_points.filter_map(char::from_u32).for_each(|c| meaning.push(c));
        match rest.first() {
            // XHTML and the HTML Standard disagree on these two names.
            Some(b';') if !self.html && matches!(name, b"lang" | b"rang") => Token::Syntax(len + 2),
            Some(b';') => Token::Escape { len: len + 2, meaning },
            // In an attribute value, it is no reference before a `=`.
            next if historical && self.html && next != Some(&b'=') => Token::Escape { len: len + 1, meaning },
            _ => Token::Syntax(1 + len),
        }
    }
}

fn is_name(byte: u8) -> bool {
    !(byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'))
}

/// Returns `true` if `src` begins with the end tag of an element; `None` if more input must decide.
fn closes(name: &[u8], src: &[u8], last: bool) -> Option<bool> {
    if src.len() < name.len() + 3 && !last {
        return None;
    }
    Some(
        src.starts_with(b"</")
            && src.get(2..2 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name))
            && src.get(2 + name.len()).is_some_and(|byte| !is_name(*byte)),
    )
}
