//! The encodings around text: quoted-printable and base64 of mail, percent-encoding of URLs, character references of HTML
//! and XML, backslash escapes of programs.
//!
//! | [`Transfer`] | carries | specified in |
//! | --- | --- | --- |
//! | quoted-printable | bytes | RFC 2045 section 6.7 |
//! | base64 | bytes | RFC 4648 section 4, RFC 2045 section 6.8 |
//! | base64url | bytes | RFC 4648 section 5 |
//! | percent | bytes | RFC 3986 section 2.1 |
//! | form | bytes | URL Standard section 5, `application/x-www-form-urlencoded` |
//! | references | code points, in UTF-8 | HTML Standard section 13.5, XML 1.0 section 4.1 |
//! | escapes | code points, in UTF-8 | RFC 8259 section 7; Java, Python, JavaScript, Rust |
//!
//! What is malformed is an error with its place and length, or with [`Decoder::lenient`] stays as it is. The first five
//! carry bytes, and what they mean is for the encoding of the text to say: `%C0%AF` becomes C0 AF, which is no UTF-8, and
//! never `/`. The last two stand within UTF-8 text and yield scalar values only.
//!
//! ```
//! use placemat::transfer::{Transfer, TransferErrorKind};
//! assert_eq!(Transfer::QuotedPrintable.decode(b"caf=C3=A9=\r\n!")?, "café!".as_bytes());
//! assert_eq!(Transfer::References.decode(b"5 &euro; &#x2260; AT&T")?, "5 € ≠ AT&T".as_bytes());
//! assert_eq!(Transfer::Form.encode("a b/é".as_bytes()), b"a+b%2F%C3%A9");
//!
//! let e = Transfer::Escapes.decode(br"a\u00e").unwrap_err();
//! assert_eq!((e.offset(), e.len(), e.kind()), (1, 5, TransferErrorKind::Incomplete));
//! # Ok::<(), placemat::transfer::TransferError>(())
//! ```

#![forbid(unsafe_code)]

mod base64;
mod escapes;
mod percent;
mod quoted_printable;
mod references;

use alloc::vec::Vec;
use base64::{Alphabet, Group};
use core::fmt;

/// An encoding around text.
///
/// ```
/// use placemat::transfer::Transfer;
/// assert_eq!(Transfer::Base64.decode(b"Y2Fmw6k=")?, "café".as_bytes());
/// assert_eq!(Transfer::Percent.encode("é".as_bytes()), b"%C3%A9");
/// let e = Transfer::Base64.decode(b"Y2*m").unwrap_err();
/// assert_eq!(e.to_string(), "stray byte 2a at offset 2");
/// assert_eq!((Transfer::Form.name(), Transfer::Form.is_textual()), ("form", false));
/// # Ok::<(), placemat::transfer::TransferError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Transfer {
    /// `caf=C3=A9`. White space at the end of a line belongs to the line and is dropped; soft line breaks go.
    QuotedPrintable,
    /// `Y2Fmw6k=`. Line breaks and white space within are passed over.
    Base64,
    /// The same with `-` and `_`, for URLs; the padding is optional, and not written.
    Base64Url,
    /// `caf%C3%A9`. All else stays.
    Percent,
    /// The same with `+` for a space.
    Form,
    /// `caf&eacute;`, `caf&#233;`, `caf&#xE9;`. Written are only `&`, `<`, `>` and the quotes.
    References,
    /// `caf\u00e9`, and the other escapes that are the same in most languages. Written as in a string of JSON.
    Escapes,
}

impl Transfer {
    /// All of them.
    pub const ALL: &[Self] = &[
        Self::QuotedPrintable,
        Self::Base64,
        Self::Base64Url,
        Self::Percent,
        Self::Form,
        Self::References,
        Self::Escapes,
    ];

    /// `quoted-printable`, `base64`, `base64url`, `percent`, `form`, `references`, `escapes`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::QuotedPrintable => "quoted-printable",
            Self::Base64 => "base64",
            Self::Base64Url => "base64url",
            Self::Percent => "percent",
            Self::Form => "form",
            Self::References => "references",
            Self::Escapes => "escapes",
        }
    }

    /// Whether it stands for code points within UTF-8 text, and not for bytes.
    #[must_use]
    pub const fn is_textual(self) -> bool {
        matches!(self, Self::References | Self::Escapes)
    }

    /// What `src` carries.
    ///
    /// # Errors
    /// The first thing that is malformed.
    pub fn decode(self, src: &[u8]) -> Result<Vec<u8>, TransferError> {
        let mut out = Vec::with_capacity(src.len());
        Decoder::new(self).push(src, true, &mut out)?;
        Ok(out)
    }

    /// Text that carries `src`: base64 in one line, quoted-printable in lines that end in CR LF.
    ///
    /// Escapes are written for UTF-8; other bytes stay.
    ///
    /// ```
    /// use placemat::transfer::Transfer;
    /// assert_eq!(Transfer::Escapes.encode("é".as_bytes()), b"\\u00e9");
    /// // Ill-formed UTF-8 stays as it is.
    /// assert_eq!(Transfer::Escapes.encode(b"\xFF"), b"\xFF");
    /// ```
    #[must_use]
    pub fn encode(self, src: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(src.len());
        Encoder::new(self).push(src, true, &mut out);
        out
    }

    fn alphabet(self) -> Option<&'static Alphabet> {
        match self {
            Self::Base64 => Some(&base64::STANDARD),
            Self::Base64Url => Some(&base64::URL),
            _ => None,
        }
    }
}

impl fmt::Display for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads a [`Transfer`] encoding piece by piece, however it is cut. It holds back what has begun and not ended: at most a
/// kilobyte.
///
/// ```
/// use placemat::transfer::{Decoder, Transfer};
/// let mut out = Vec::new();
/// let mut decoder = Decoder::new(Transfer::Percent).lenient();
/// decoder.push(b"100%%C", false, &mut out)?;
/// decoder.push(b"3%A9", true, &mut out)?;
/// assert_eq!(out, "100%é".as_bytes());
/// # Ok::<(), placemat::transfer::TransferError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Decoder {
    transfer: Transfer,
    lenient: bool,
    /// Where in the source `held` starts.
    offset: u64,
    held: Vec<u8>,
    /// Of base64 only.
    group: Group,
    failed: Option<TransferError>,
}

impl Decoder {
    /// Stops at what is malformed.
    #[must_use]
    pub fn new(transfer: Transfer) -> Self {
        Self { transfer, lenient: false, offset: 0, held: Vec::new(), group: Group::default(), failed: None }
    }

    /// Leaves what is malformed as it is, and goes on after it. Of base64, white space within it goes.
    #[must_use]
    pub fn lenient(self) -> Self {
        Self { lenient: true, ..self }
    }

    /// Reads the next piece and appends to `out` what it carries. After the `last` one the decoder is as new.
    ///
    /// # Errors
    /// The first thing that is malformed; all before it is in `out`. From then on it gives the same error.
    ///
    /// ```
    /// use placemat::transfer::{Decoder, Transfer};
    /// let mut out = Vec::new();
    /// let e = Decoder::new(Transfer::Base64).push(b"Y2Fm*", true, &mut out).unwrap_err();
    /// assert_eq!((out.as_slice(), e.offset()), (&b"caf"[..], 4));
    /// ```
    pub fn push(&mut self, piece: &[u8], last: bool, out: &mut Vec<u8>) -> Result<(), TransferError> {
        if let Some(e) = self.failed {
            return Err(e);
        }
        let result = if self.held.is_empty() {
            self.run(piece, last, out).map(|read| self.held.extend_from_slice(&piece[read..]))
        } else {
            let mut src = core::mem::take(&mut self.held);
            src.extend_from_slice(piece);
            self.run(&src, last, out).map(|read| {
                src.drain(..read);
                self.held = src;
            })
        };
        self.failed = result.err();
        if last && result.is_ok() {
            self.offset = 0;
            self.group = Group::default();
        }
        result
    }

    /// Reads as much of `src` as can be decided; how much that was.
    fn run(&mut self, src: &[u8], last: bool, out: &mut Vec<u8>) -> Result<usize, TransferError> {
        let mut at = 0;
        while at < src.len() {
            let rest = &src[at..];
            let here = self.offset + at as u64;
            let step = match self.step(rest, here, last, out) {
                Step::More if last => Step::Wrong { len: rest.len(), kind: TransferErrorKind::Incomplete },
                step => step,
            };
            let (start, len, kind) = match step {
                Step::Took(len) => {
                    at += len;
                    continue;
                }
                Step::More => break,
                Step::Wrong { len, kind } => (here, len, kind),
                Step::WrongSince { start, kind } => (start, 1, kind),
            };
            if self.lenient {
                self.give_up(out);
                out.extend_from_slice(&rest[..len]);
                at += len;
            } else if start < here {
                return Err(self.wrong_group(start, here + 1, &rest[..1], kind));
            } else {
                return Err(TransferError::new(start, len, kind, &rest[..len]));
            }
        }
        self.offset += at as u64;
        if last && let Some(alphabet) = self.transfer.alphabet() {
            match self.group.finish(alphabet, out) {
                Err(_) if self.lenient => self.give_up(out),
                Err((start, kind)) => return Err(self.wrong_group(start, self.offset, &[], kind)),
                Ok(()) => {}
            }
        }
        Ok(at)
    }

    /// Reads what `src` starts with; it is not empty.
    fn step(&mut self, src: &[u8], offset: u64, last: bool, out: &mut Vec<u8>) -> Step {
        match self.transfer {
            Transfer::QuotedPrintable => quoted_printable::decode(src, last, out),
            Transfer::Base64 => self.group.decode(&base64::STANDARD, src, offset, out),
            Transfer::Base64Url => self.group.decode(&base64::URL, src, offset, out),
            Transfer::Percent => percent::decode(false, src, out),
            Transfer::Form => percent::decode(true, src, out),
            Transfer::References => references::decode(src, last, out),
            Transfer::Escapes => escapes::decode(src, out),
        }
    }

    /// Passes on what was read of a group of base64.
    fn give_up(&mut self, out: &mut Vec<u8>) {
        let (characters, len) = self.group.give_up();
        out.extend_from_slice(&characters[..len]);
    }

    /// A group of base64 is malformed as a whole; `rest` was not yet part of it.
    fn wrong_group(&mut self, start: u64, end: u64, rest: &[u8], kind: TransferErrorKind) -> TransferError {
        let (characters, len) = self.group.give_up();
        let mut seen = characters[..len].to_vec();
        seen.extend_from_slice(rest);
        TransferError::new(start, usize::try_from(end - start).unwrap_or(usize::MAX), kind, &seen)
    }
}

/// What became of the start of the input.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// So many bytes were read.
    Took(usize),
    /// It takes more to know. At the end of the input, all that remains is incomplete.
    More,
    /// So many bytes are malformed.
    Wrong { len: usize, kind: TransferErrorKind },
    /// All since that offset is malformed, up to the next byte.
    WrongSince { start: u64, kind: TransferErrorKind },
}

/// Writes a [`Transfer`] encoding piece by piece.
///
/// ```
/// use placemat::transfer::{Encoder, LineEnd, Transfer};
/// let mut out = Vec::new();
/// let mut encoder = Encoder::in_lines(Transfer::Base64, LineEnd::CrLf);
/// encoder.push(b"caf\xC3", false, &mut out);
/// encoder.push(b"\xA9", true, &mut out);
/// assert_eq!(out, b"Y2Fmw6k=\r\n");
/// ```
#[derive(Clone, Debug)]
pub struct Encoder {
    transfer: Transfer,
    lines: Option<LineEnd>,
    held: Vec<u8>,
    column: usize,
}

/// How lines end that an [`Encoder`] breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnd {
    /// U+000A.
    Lf,
    /// U+000D U+000A.
    CrLf,
}

impl LineEnd {
    const fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
        }
    }
}

impl Encoder {
    /// Base64 in one line, soft line breaks of quoted-printable with CR LF.
    #[must_use]
    pub const fn new(transfer: Transfer) -> Self {
        Self { transfer, lines: None, held: Vec::new(), column: 0 }
    }

    /// Base64 and quoted-printable in lines of at most 76 characters, as MIME has them; of base64 each ends so, the last
    /// one too. Other encodings have no lines.
    #[must_use]
    pub const fn in_lines(transfer: Transfer, line_end: LineEnd) -> Self {
        Self { transfer, lines: Some(line_end), held: Vec::new(), column: 0 }
    }

    /// Appends to `out` what carries the next piece. After the `last` one the encoder is as new.
    ///
    /// ```
    /// use placemat::transfer::{Encoder, Transfer};
    /// let mut out = Vec::new();
    /// // Ill-formed text is bytes as any other.
    /// Encoder::new(Transfer::Base64).push(b"caf\xE9", true, &mut out);
    /// assert_eq!(out, b"Y2Fm6Q==");
    /// ```
    pub fn push(&mut self, piece: &[u8], last: bool, out: &mut Vec<u8>) {
        if self.held.is_empty() {
            let read = self.run(piece, last, out);
            self.held.extend_from_slice(&piece[read..]);
        } else {
            let mut src = core::mem::take(&mut self.held);
            src.extend_from_slice(piece);
            let read = self.run(&src, last, out);
            src.drain(..read);
            self.held = src;
        }
        if last {
            self.column = 0;
        }
    }

    fn run(&mut self, src: &[u8], last: bool, out: &mut Vec<u8>) -> usize {
        match self.transfer {
            Transfer::QuotedPrintable => {
                let line_end = self.lines.unwrap_or(LineEnd::CrLf);
                let mut at = 0;
                while let Some(len) =
                    quoted_printable::encode(&src[at..], last, &mut self.column, line_end, out)
                {
                    at += len;
                }
                at
            }
            Transfer::Base64 => {
                base64::encode(&base64::STANDARD, src, last, &mut self.column, self.lines, out)
            }
            Transfer::Base64Url => base64::encode(&base64::URL, src, last, &mut self.column, None, out),
            Transfer::Percent => {
                percent::encode(false, src, out);
                src.len()
            }
            Transfer::Form => {
                percent::encode(true, src, out);
                src.len()
            }
            Transfer::References => {
                references::encode(src, out);
                src.len()
            }
            Transfer::Escapes => escapes::encode(src, last, out),
        }
    }
}

/// What is malformed in a [`Transfer`] encoding, and where.
///
/// ```
/// use placemat::transfer::{Transfer, TransferErrorKind};
/// let e = Transfer::Percent.decode(b"100%zz").unwrap_err();
/// assert_eq!((e.offset(), e.len(), e.bytes()), (3, 1, &b"%"[..]));
/// assert_eq!((e.kind(), e.code()), (TransferErrorKind::BadEscape, "bad-escape"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TransferError {
    offset: u64,
    len: usize,
    kind: TransferErrorKind,
    bytes: [u8; Self::MOST],
    seen: u8,
}

/// In which way it is malformed.
///
/// ```
/// use placemat::transfer::TransferErrorKind;
/// assert_eq!(TransferErrorKind::StrayByte.code(), "stray-byte");
/// assert_eq!(TransferErrorKind::StrayByte.describe(), "stray byte");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransferErrorKind {
    /// A byte that the encoding has no place for.
    StrayByte,
    /// What begins an escape, and none follows.
    BadEscape,
    /// The input ends within something.
    Incomplete,
    /// Padding where none is due, or none where it is (base64).
    BadPadding,
    /// Something after the padding (base64).
    AfterPadding,
    /// Bits after the last byte that are not zero (base64).
    NonzeroPadding,
    /// White space that is longer than any line of a message (quoted-printable).
    LongWhiteSpace,
    /// A name that the HTML Standard does not have (references).
    UnknownName,
    /// A reference that no semicolon ends (references).
    MissingSemicolon,
    /// A code point that neither HTML nor XML lets a reference stand for, or that they do not agree on (references).
    Forbidden,
    /// A surrogate without its other half.
    Surrogate,
    /// A value above U+10FFFF.
    OutOfRange,
}

impl TransferErrorKind {
    /// A short stable name.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.words().0
    }

    /// In words, without an article: `unknown name`.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        self.words().1
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::StrayByte => ("stray-byte", "stray byte"),
            Self::BadEscape => ("bad-escape", "malformed escape"),
            Self::Incomplete => ("incomplete", "incomplete sequence"),
            Self::BadPadding => ("bad-padding", "misplaced padding or none at"),
            Self::AfterPadding => ("after-padding", "byte after the padding"),
            Self::NonzeroPadding => ("nonzero-padding", "non-zero padding bits in"),
            Self::LongWhiteSpace => ("long-white-space", "too much white space"),
            Self::UnknownName => ("unknown-name", "reference with an unknown name"),
            Self::MissingSemicolon => ("missing-semicolon", "reference without a semicolon"),
            Self::Forbidden => ("forbidden", "reference to a forbidden code point"),
            Self::Surrogate => ("surrogate", "unpaired surrogate"),
            Self::OutOfRange => ("too-large", "value out of range"),
        }
    }
}

impl TransferError {
    const MOST: usize = 16;

    fn new(offset: u64, len: usize, kind: TransferErrorKind, seen: &[u8]) -> Self {
        let mut bytes = [0; Self::MOST];
        let mut count = 0;
        for (slot, byte) in bytes.iter_mut().zip(seen) {
            *slot = *byte;
            count += 1;
        }
        Self { offset, len, kind, bytes, seen: count }
    }

    /// Where it starts, in bytes from the start of the source.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// How many bytes are malformed, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> TransferErrorKind {
        self.kind
    }

    /// The malformed bytes, at most the first sixteen; of base64 without white space.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.seen)]
    }

    /// The short stable name of its kind.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }
}

impl fmt::Display for TransferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.describe())?;
        for byte in self.bytes() {
            write!(f, " {byte:02x}")?;
        }
        write!(f, " at offset {}", self.offset)
    }
}

impl core::error::Error for TransferError {}

/// Reads two hexadecimal digits after the byte that `src` starts with.
fn hex_byte(src: &[u8], out: &mut Vec<u8>) -> Step {
    let digit = |at: usize| src.get(at).map(|byte| char::from(*byte).to_digit(16));
    match (digit(1), digit(2)) {
        (Some(Some(high)), Some(Some(low))) => {
            out.push(u8::try_from(high << 4 | low).unwrap_or_default());
            Step::Took(3)
        }
        (Some(None), _) => Step::Wrong { len: 1, kind: TransferErrorKind::BadEscape },
        (Some(_), Some(None)) => Step::Wrong { len: 2, kind: TransferErrorKind::BadEscape },
        _ => Step::More,
    }
}

/// A byte in hexadecimal, with capital letters.
fn hex_digits(byte: u8) -> [u8; 2] {
    let digit = |value: u8| b"0123456789ABCDEF"[usize::from(value & 15)];
    [digit(byte >> 4), digit(byte)]
}

/// Appends a code point in UTF-8; surrogates and what is too large were refused before.
fn put_code_point(value: u32, out: &mut Vec<u8>) {
    if let Some(c) = char::from_u32(value) {
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
}
