//! Transfer encodings around text: quoted-printable and base64 of mail, percent-encoding of URLs, character references
//! of HTML and XML, backslash escapes of programming languages.
//!
//! | [`Transfer`] | carries | specified in |
//! | --- | --- | --- |
//! | quoted-printable | bytes | RFC 2045 section 6.7 |
//! | base64 | bytes | RFC 4648 section 4, RFC 2045 section 6.8 |
//! | base64url | bytes | RFC 4648 section 5 |
//! | percent | bytes | RFC 3986 section 2.1 |
//! | form | bytes | URL Standard section 5, `application/x-www-form-urlencoded` |
//! | references | code points, in UTF-8 | HTML Standard section 13.5, XML 1.0 section 4.1 |
//! | escapes | bytes, and code points in UTF-8 | logs, paths in git, RFC 8259 section 7; C, Java, JavaScript, Rust |
//!
//! A malformed sequence is an error with its offset and length; with [`Decoder::lenient`] it passes through unchanged.
//! The first five carry bytes, whose meaning depends on the encoding of the text: `%C0%AF` becomes C0 AF, which is
//! ill-formed UTF-8, and never `/`. The last two are part of UTF-8 text; of them, only `\xHH` and `\ooo` yield bytes.
//!
//! Each decodes everything: a file of a programming language does not stay one. [`syntax`](crate::syntax) decodes only
//! what may be decoded in a file of a language.
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
mod error;
mod escapes;
mod line_end;
mod percent;
mod place;
mod quoted_printable;
mod references;
mod step;

pub use self::error::{TransferError, TransferErrorKind};
pub use self::line_end::LineEnd;
pub(crate) use self::place::Place;
pub(crate) use self::references::named_reference;

use self::base64::{Alphabet, Group};
use self::step::Step;
use alloc::vec::Vec;
use core::fmt;

/// A transfer encoding around text.
///
/// ```
/// use placemat::transfer::Transfer;
/// assert_eq!(Transfer::Base64.decode(b"Y2Fmw6k=")?, "café".as_bytes());
/// assert_eq!(Transfer::Percent.encode("é".as_bytes()), b"%C3%A9");
/// let e = Transfer::Base64.decode(b"Y2*m").unwrap_err();
/// assert_eq!(e.to_string(), "stray byte 0x2a at offset 2");
/// assert_eq!((Transfer::Form.name(), Transfer::Form.is_textual()), ("form", false));
/// # Ok::<(), placemat::transfer::TransferError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Transfer {
    /// `caf=C3=A9`. Decoding drops white space at the end of a line, and soft line breaks.
    QuotedPrintable,
    /// `Y2Fmw6k=`. Decoding skips line breaks and white space.
    Base64,
    /// Base64 with `-` and `_`, for URLs; padding is optional, and encoding writes none.
    Base64Url,
    /// `caf%C3%A9`. Decoding leaves everything else unchanged.
    Percent,
    /// Percent-encoding with `+` for a space.
    Form,
    /// `caf&eacute;`, `caf&#233;`, `caf&#xE9;`. Encoding writes references only for `&`, `<`, `>` and the quotes.
    References,
    /// `caf\u00e9`, `caf\xC3\xA9`, `caf\303\251`, and the other escapes that most languages share. Encoding writes a string
    /// of JSON, and `\xHH` for a byte that is not UTF-8.
    Escapes,
}

impl Transfer {
    /// All transfer encodings.
    pub const ALL: &[Self] = &[
        Self::QuotedPrintable,
        Self::Base64,
        Self::Base64Url,
        Self::Percent,
        Self::Form,
        Self::References,
        Self::Escapes,
    ];

    /// Returns the name: `quoted-printable`, `base64`, `base64url`, `percent`, `form`, `references`, `escapes`.
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

    /// Returns `true` if it represents code points within UTF-8 text, rather than bytes.
    #[must_use]
    pub const fn is_textual(self) -> bool {
        matches!(self, Self::References | Self::Escapes)
    }

    /// Decodes the whole of `src`.
    ///
    /// # Errors
    /// The first malformed sequence.
    pub fn decode(self, src: &[u8]) -> Result<Vec<u8>, TransferError> {
        let mut out = Vec::with_capacity(src.len());
        Decoder::new(self).push(src, true, &mut out)?;
        Ok(out)
    }

    /// Encodes the whole of `src`: base64 in one line, quoted-printable in lines that end in CR LF.
    ///
    /// [`Escapes`](Self::Escapes) writes characters of UTF-8 as code points, and other bytes as bytes.
    ///
    /// ```
    /// use placemat::transfer::Transfer;
    /// assert_eq!(Transfer::Escapes.encode("é".as_bytes()), b"\\u00e9");
    /// // Ill-formed UTF-8 becomes bytes.
    /// assert_eq!(Transfer::Escapes.encode(b"\xFF"), br"\xff");
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

/// Decodes a [`Transfer`] encoding piece by piece, however the input is divided. It holds back an unfinished sequence,
/// of at most a kilobyte.
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
    /// The offset of `held` in the source, and its place.
    offset: u64,
    place: Place,
    held: Vec<u8>,
    /// The unfinished group of base64.
    group: Group,
    failed: Option<TransferError>,
}

impl Decoder {
    /// Returns a decoder that stops at malformed sequences.
    #[must_use]
    pub fn new(transfer: Transfer) -> Self {
        Self {
            transfer,
            lenient: false,
            offset: 0,
            place: Place::START,
            held: Vec::new(),
            group: Group::default(),
            failed: None,
        }
    }

    /// Passes malformed sequences through unchanged and continues after them. In base64, the white space in them is
    /// lost.
    #[must_use]
    pub fn lenient(self) -> Self {
        Self { lenient: true, ..self }
    }

    /// Decodes the next piece and appends the result to `out`. After the `last` piece the decoder starts again.
    ///
    /// # Errors
    /// The first malformed sequence; everything before it is in `out`. Every later call returns the same error.
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
            self.place = Place::START;
            self.group = Group::default();
        }
        result
    }

    /// Reads as much of `src` as can be decided, and returns its length.
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
            } else {
                self.place = self.place.after(&src[..at]);
                return Err(if start < here {
                    self.wrong_group(start, here + 1, &rest[..1], kind)
                } else {
                    TransferError::new(start, len, self.place, kind, &rest[..len])
                });
            }
        }
        self.offset += at as u64;
        self.place = self.place.after(&src[..at]);
        if last && let Some(alphabet) = self.transfer.alphabet() {
            match self.group.finish(alphabet, out) {
                Err(_) if self.lenient => self.give_up(out),
                Err((start, kind)) => return Err(self.wrong_group(start, self.offset, &[], kind)),
                Ok(()) => {}
            }
        }
        Ok(at)
    }

    /// Reads one sequence from `src`, which is not empty.
    fn step(&mut self, src: &[u8], offset: u64, last: bool, out: &mut Vec<u8>) -> Step {
        match self.transfer {
            Transfer::QuotedPrintable => quoted_printable::decode(src, last, out),
            Transfer::Base64 => self.group.decode(&base64::STANDARD, src, offset, out),
            Transfer::Base64Url => self.group.decode(&base64::URL, src, offset, out),
            Transfer::Percent => percent::decode(false, src, out),
            Transfer::Form => percent::decode(true, src, out),
            Transfer::References => references::decode(src, last, out),
            Transfer::Escapes => escapes::decode(src, last, out),
        }
    }

    /// Passes the characters of an unfinished group of base64 through.
    fn give_up(&mut self, out: &mut Vec<u8>) {
        let (characters, len) = self.group.give_up();
        out.extend_from_slice(&characters[..len]);
    }

    /// Reports a malformed group of base64, which is malformed as a whole; `rest` comes after it.
    fn wrong_group(&mut self, start: u64, end: u64, rest: &[u8], kind: TransferErrorKind) -> TransferError {
        let (characters, len) = self.group.give_up();
        let mut seen = characters[..len].to_vec();
        seen.extend_from_slice(rest);
        TransferError::new(start, usize::try_from(end - start).unwrap_or(usize::MAX), self.place, kind, &seen)
    }
}

/// Encodes to a [`Transfer`] encoding piece by piece.
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

impl Encoder {
    /// Returns an encoder that writes base64 in one line, and soft line breaks of quoted-printable with CR LF.
    #[must_use]
    pub const fn new(transfer: Transfer) -> Self {
        Self { transfer, lines: None, held: Vec::new(), column: 0 }
    }

    /// Returns an encoder that writes base64 and quoted-printable in lines of at most 76 characters, as MIME does; each
    /// line of base64 has a line end, including the last. Other encodings have no lines.
    #[must_use]
    pub const fn in_lines(transfer: Transfer, line_end: LineEnd) -> Self {
        Self { transfer, lines: Some(line_end), held: Vec::new(), column: 0 }
    }

    /// Encodes the next piece and appends the result to `out`. After the `last` piece the encoder starts again.
    ///
    /// ```
    /// use placemat::transfer::{Encoder, Transfer};
    /// let mut out = Vec::new();
    /// // Ill-formed text is encoded like any other bytes.
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
