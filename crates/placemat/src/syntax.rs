//! Escapes as part of a language: `caf\u00e9` in a property file, `&eacute;` in HTML, `%C3%A9` in a URL, `=?UTF-8?Q?=C3=A9?=`
//! in a mail header.
//!
//! A [`Syntax`] knows where its language has escapes. By default ([`Scope::NonAscii`]) decoding replaces only escapes of
//! characters outside ASCII that a reader can see, and encoding writes an escape for every character outside ASCII; all
//! else stays as it is, so that a parser of the language reads the same text before and after. Escapes of ASCII stay, and
//! so do those of controls, invisible characters, private use and noncharacters. [`Scope::All`] reads the whole text as the
//! content of one literal, without quotes around it, and decodes every escape.
//!
//! | [`Syntax`] | escapes | read everywhere except in |
//! | --- | --- | --- |
//! | properties | `\u00e9` | — |
//! | json | `\u00e9`, `\ud83d\ude00` | — |
//! | java | `\u00e9`, `\uuu00e9` | — |
//! | html | `&eacute;`, `&#233;`, `&#146;` | comments, `script`, `style` and their like, unquoted attribute values |
//! | xml | `&#xE9;`, `&eacute;` | comments, CDATA, processing instructions, the document type |
//! | c | `\u00e9`, `\303\251`, `\xC3\xA9` | comments, raw strings; bytes only in narrow strings |
//! | python | `\xe9`, `\u00e9`, `\U0001f600` | comments, raw strings, bytes, `\N{...}` |
//! | js | `\xe9`, `\u00e9`, `\u{1f600}` | comments, regular expressions, tagged templates |
//! | shell | `$'\303\251'`, `$'\u00e9'` | all but `$'...'` |
//! | sql | `E'\u00e9'`, `U&'\00e9'` | all other strings, comments, `U&` before `UESCAPE` |
//! | css | `\e9 ` | comments |
//! | tex | `\'e`, `\ss{}` | math, comments, verbatim text, commands that are defined again |
//! | url | `%C3%A9` | — |
//! | mime-header | `=?UTF-8?Q?=C3=A9?=`, `name*=UTF-8''%C3%A9` | the body |
//!
//! What has no meaning stays too, and [`Decoder::first_kept`] returns it: unpaired surrogates, malformed escapes, bytes that
//! are not UTF-8. The text itself is UTF-8; ill-formed sequences stay as they are.
//!
//! ```
//! use placemat::syntax::{Scope, Syntax};
//! let decode = |syntax: Syntax, src: &str| syntax.decode(Scope::NonAscii, src.as_bytes());
//! assert_eq!(decode(Syntax::Properties, r"k=caf\u00e9\nx"), r"k=café\nx".as_bytes());
//! assert_eq!(decode(Syntax::Html, "&lt;caf&eacute;&gt;"), "&lt;café&gt;".as_bytes());
//! assert_eq!(decode(Syntax::Url, "/caf%C3%A9%2F"), "/café%2F".as_bytes());
//! assert_eq!(Syntax::Json.encode(Scope::NonAscii, "\"é\\n\"".as_bytes()), br#""\u00e9\n""#);
//! assert_eq!(Syntax::Json.decode(Scope::All, br"\u00e9\n"), "é\n".as_bytes());
//! ```

#![forbid(unsafe_code)]

mod backslash;
mod c;
mod css;
mod header;
mod input;
mod js;
mod kinds;
mod lexer;
mod markup;
mod plain;
mod python;
mod shell;
mod sql;
mod tex;
mod token;
mod visible;
mod write;

pub use self::kinds::{Scope, Syntax};

use self::header::Header;
use self::input::{Input, Kept};
use self::lexer::Lexer;
use self::token::{Stops, Token};
use self::visible::{combines, keeps_escape};
use crate::transfer::{TransferError, TransferErrorKind};
use alloc::boxed::Box;
use alloc::vec::Vec;

impl Syntax {
    /// Decodes the escapes in the whole of `src`.
    ///
    /// ```
    /// use placemat::syntax::{Scope, Syntax};
    /// assert_eq!(Syntax::C.decode(Scope::NonAscii, br#""caf\303\251\n""#), "\"café\\n\"".as_bytes());
    /// // Ill-formed text stays, and so do escapes for ill-formed text.
    /// assert_eq!(Syntax::C.decode(Scope::NonAscii, b"\"\xFF\\377\""), b"\"\xFF\\377\"");
    /// ```
    #[must_use]
    pub fn decode(self, scope: Scope, src: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(src.len());
        Decoder::new(self, scope).push(src, true, &mut out);
        out
    }

    /// Writes escapes for characters in the whole of `src`.
    ///
    /// ```
    /// use placemat::syntax::{Scope, Syntax};
    /// assert_eq!(Syntax::Xml.encode(Scope::NonAscii, "<a>é</a>".as_bytes()), b"<a>&#233;</a>");
    /// // Ill-formed text stays.
    /// assert_eq!(Syntax::Xml.encode(Scope::NonAscii, b"<a>\xE9</a>"), b"<a>\xE9</a>");
    /// ```
    #[must_use]
    pub fn encode(self, scope: Scope, src: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(src.len());
        Encoder::new(self, scope).push(src, true, &mut out);
        out
    }
}

/// Decodes the escapes of a [`Syntax`] piece by piece, however the input is divided. It holds back at most one escape, or one
/// header field.
///
/// ```
/// use placemat::syntax::{Decoder, Scope, Syntax};
/// let mut out = Vec::new();
/// let mut decoder = Decoder::new(Syntax::Json, Scope::NonAscii);
/// decoder.push(br#"["\ud83d"#, false, &mut out);
/// decoder.push(br#"\ude00", "\ud83d"]"#, true, &mut out);
/// assert_eq!(out, "[\"😀\", \"\\ud83d\"]".as_bytes());
/// let kept = decoder.first_kept().unwrap();
/// assert_eq!((decoder.kept(), kept.offset(), kept.code()), (1, 18, "surrogate"));
/// ```
#[derive(Clone, Debug)]
pub struct Decoder {
    scope: Scope,
    input: Input,
    kept: Kept,
    reader: Reader,
}

#[derive(Clone, Debug)]
enum Reader {
    /// A lexer, and the last byte of the output, or 0 at the start.
    Lexer(Lexer, u8),
    Header(Header),
}

impl Decoder {
    /// Returns a decoder at the start of a text.
    #[must_use]
    pub fn new(syntax: Syntax, scope: Scope) -> Self {
        let reader = match syntax {
            Syntax::MimeHeader => Reader::Header(Header::new(scope)),
            _ => Reader::Lexer(Lexer::new(syntax, scope == Scope::All), 0),
        };
        Self { scope, input: Input::new(), kept: Kept::default(), reader }
    }

    /// Decodes the next piece and appends the result to `out`; `last`: no piece follows.
    ///
    /// ```
    /// use placemat::syntax::{Decoder, Scope, Syntax};
    /// let (mut decoder, mut out) = (Decoder::new(Syntax::Html, Scope::NonAscii), Vec::new());
    /// decoder.push(b"&eac", false, &mut out);
    /// // Ill-formed text stays.
    /// decoder.push(b"ute;\xFF", true, &mut out);
    /// assert_eq!(out, b"\xC3\xA9\xFF");
    /// ```
    pub fn push(&mut self, piece: &[u8], last: bool, out: &mut Vec<u8>) {
        let Self { scope, input, kept, reader } = self;
        input.feed(piece, |input, src| match reader {
            Reader::Header(header) => header.decode(input, src, last, kept, out),
            Reader::Lexer(lexer, before) => {
                let (mut at, mut copied) = (0, 0);
                while at < src.len() {
                    let rest = &src[at..];
                    at += match lexer.next(rest, last) {
                        Token::More if !last => break,
                        Token::More => rest.len(),
                        Token::Syntax(len) | Token::Text(len) => len,
                        Token::Escape { len, meaning } => {
                            if copied < at {
                                *before = src[at - 1];
                            }
                            let bytes = meaning.as_bytes();
                            let joins =
                                |c| combines(c) && before.is_ascii() && !before.is_ascii_alphanumeric();
                            let replaces = *scope == Scope::All
                                || !bytes.is_empty()
                                    && meaning.chars().all(|c| !keeps_escape(c))
                                    && !meaning.chars().next().is_some_and(joins);
                            if replaces {
                                out.extend_from_slice(&src[copied..at]);
                                out.extend_from_slice(bytes);
                                *before = bytes.last().copied().unwrap_or(*before);
                                copied = at + len;
                            }
                            len
                        }
                        Token::Odd { len, kind } => {
                            kept.add(1, || input.error(src, at, len, kind));
                            len
                        }
                    };
                }
                if copied < at {
                    out.extend_from_slice(&src[copied..at]);
                    *before = src[at - 1];
                }
                at
            }
        });
    }

    /// Returns the number of escapes without a meaning, which stayed as they were.
    #[must_use]
    pub const fn kept(&self) -> u64 {
        self.kept.count
    }

    /// Returns the first escape without a meaning.
    #[must_use]
    pub const fn first_kept(&self) -> Option<TransferError> {
        self.kept.first
    }
}

/// Writes escapes of a [`Syntax`] piece by piece, however the input is divided.
///
/// ```
/// use placemat::syntax::{Encoder, Scope, Syntax};
/// let mut out = Vec::new();
/// let mut encoder = Encoder::new(Syntax::Python, Scope::NonAscii);
/// encoder.push("s = 'é' # é".as_bytes(), true, &mut out);
/// assert_eq!(out, r"s = '\u00e9' # é".as_bytes());
/// // A comment has no escapes.
/// assert_eq!((encoder.kept(), encoder.first_kept().unwrap().code()), (1, "no-escape"));
/// ```
#[derive(Clone, Debug)]
pub struct Encoder {
    syntax: Syntax,
    input: Input,
    kept: Kept,
    writer: Writer,
}

#[derive(Clone, Debug)]
enum Writer {
    /// A lexer of the text.
    Lexer(Lexer),
    /// Every character is the content of a literal: whether one was written, and the bytes that may need an escape.
    Content {
        begun: bool,
        escaped: Box<Stops>,
    },
    Header(Header),
}

impl Encoder {
    /// Returns an encoder at the start of a text.
    #[must_use]
    pub fn new(syntax: Syntax, scope: Scope) -> Self {
        let writer = match (syntax, scope) {
            (Syntax::MimeHeader, _) => Writer::Header(Header::new(scope)),
            (_, Scope::All) => Writer::Content { begun: false, escaped: Box::new(write::escaped(syntax)) },
            (_, Scope::NonAscii) => Writer::Lexer(Lexer::new(syntax, false)),
        };
        Self { syntax, input: Input::new(), kept: Kept::default(), writer }
    }

    /// Encodes the next piece and appends the result to `out`; `last`: no piece follows.
    ///
    /// ```
    /// use placemat::syntax::{Encoder, Scope, Syntax};
    /// let (mut encoder, mut out) = (Encoder::new(Syntax::Html, Scope::NonAscii), Vec::new());
    /// encoder.push(b"<p>\xC3", false, &mut out);
    /// // Ill-formed text stays.
    /// encoder.push(b"\xA9\xFF", true, &mut out);
    /// assert_eq!(out, b"<p>&#233;\xFF");
    /// ```
    pub fn push(&mut self, piece: &[u8], last: bool, out: &mut Vec<u8>) {
        let Self { syntax, input, kept, writer } = self;
        input.feed(piece, |input, src| match writer {
            Writer::Header(header) => header.encode(input, src, last, kept, out),
            Writer::Content { begun, escaped } => {
                let len = complete(src, last);
                encode_content(*syntax, &src[..len], begun, escaped, out);
                len
            }
            Writer::Lexer(lexer) => encode_text(lexer, input, src, last, kept, out),
        });
    }

    /// Returns the number of characters outside ASCII that stayed as they were.
    #[must_use]
    pub const fn kept(&self) -> u64 {
        self.kept.count
    }

    /// Returns the first character outside ASCII that stayed as it was.
    #[must_use]
    pub const fn first_kept(&self) -> Option<TransferError> {
        self.kept.first
    }
}

/// Returns the length of `text` without a character that it cuts at its end.
fn complete(text: &[u8], last: bool) -> usize {
    if last {
        return text.len();
    }
    let start = text.len().saturating_sub(3);
    for at in start..text.len() {
        let cut =
            core::str::from_utf8(&text[at..]).is_err_and(|e| e.valid_up_to() == 0 && e.error_len().is_none());
        if cut {
            return at;
        }
    }
    text.len()
}

/// Writes each character of the content of a literal so that it can be read again.
fn encode_content(syntax: Syntax, src: &[u8], begun: &mut bool, escaped: &Stops, out: &mut Vec<u8>) {
    let mut at = 0;
    while at < src.len() {
        let rest = &src[at..];
        // Some syntaxes escape a character only at the start of the text.
        let len = if *begun { escaped.run(rest) } else { 0 };
        out.extend_from_slice(&rest[..len]);
        at += len;
        let width = rest.get(len).map_or(0, |byte| {
            if byte.is_ascii() { 1 } else { token::run(&rest[len..], |byte| byte.is_ascii()) }
        });
        for chunk in rest[len..len + width].utf8_chunks() {
            for c in chunk.valid().chars() {
                write::any(syntax, c, !*begun, out);
                *begun = true;
            }
            out.extend_from_slice(chunk.invalid());
        }
        at += width;
    }
}

/// Writes escapes for the characters outside ASCII in a text, up to a token that more input must decide. Returns the number
/// of bytes read.
fn encode_text(
    lexer: &mut Lexer,
    input: &Input,
    src: &[u8],
    last: bool,
    kept: &mut Kept,
    out: &mut Vec<u8>,
) -> usize {
    let (mut at, mut copied) = (0, 0);
    // The end of the ASCII from `at` on: its tokens are read, and copied together.
    let mut ascii_end = 0;
    while at < src.len() {
        let rest = &src[at..];
        let token = lexer.next(rest, last);
        let len = match token {
            Token::More if !last => break,
            Token::More => rest.len(),
            Token::Syntax(len) | Token::Text(len) | Token::Escape { len, .. } | Token::Odd { len, .. } => len,
        };
        if at >= ascii_end {
            ascii_end = at + token::run(rest, |byte| byte >= 0x80);
        }
        if at + len <= ascii_end {
            at += len;
            continue;
        }
        out.extend_from_slice(&src[copied..at]);
        match token {
            Token::Text(len) => {
                let text = &rest[..len];
                let len = if at + len == src.len() { complete(text, last) } else { len };
                if len == 0 {
                    return at;
                }
                escape_text(lexer, input, (src, at, len), kept, out);
                at += len;
            }
            Token::Escape { len, meaning } => {
                meaning.chars().for_each(|c| {
                    if !lexer.write(c, out) {
                        out.extend_from_slice(&rest[..len]);
                    }
                });
                at += len;
            }
            _ => {
                leave(input, (src, at, len), kept, out);
                at += len;
            }
        }
        copied = at;
    }
    out.extend_from_slice(&src[copied..at]);
    at
}

type Part<'a> = (&'a [u8], usize, usize);

/// Writes escapes for the characters in `len` bytes of `src` from `at` on.
fn escape_text(lexer: &Lexer, input: &Input, (src, at, len): Part<'_>, kept: &mut Kept, out: &mut Vec<u8>) {
    let mut start = at;
    for chunk in src[at..at + len].utf8_chunks() {
        let mut rest = chunk.valid();
        while !rest.is_empty() {
            let (ascii, others) = rest.split_at(token::run(rest.as_bytes(), |byte| byte >= 0x80));
            out.extend_from_slice(ascii.as_bytes());
            start += ascii.len();
            let others = others.chars().take_while(|c| !c.is_ascii());
            let mut width = 0;
            for c in others {
                if !lexer.write(c, out) {
                    leave(input, (src, start, c.len_utf8()), kept, out);
                }
                start += c.len_utf8();
                width += c.len_utf8();
            }
            rest = &rest[ascii.len() + width..];
        }
        leave(input, (src, start, chunk.invalid().len()), kept, out);
        start += chunk.invalid().len();
    }
}

/// Copies `len` bytes of `src` from `at` on, and counts the characters outside ASCII in them.
fn leave(input: &Input, (src, at, len): Part<'_>, kept: &mut Kept, out: &mut Vec<u8>) {
    let bytes = &src[at..at + len];
    out.extend_from_slice(bytes);
    if bytes.is_ascii() {
        return;
    }
    let count = bytes.iter().filter(|byte| **byte >= 0xC0).count() as u64;
    let first = at + token::run(bytes, |byte| byte >= 0x80);
    let width = src[first..].iter().skip(1).take(3).take_while(|byte| **byte & 0xC0 == 0x80).count() + 1;
    kept.add(count, || input.error(src, first, width, TransferErrorKind::NoEscape));
}
