//! Errors of transfer encodings.

use super::place::Place;
use core::fmt;

/// An error of a [`Transfer`](super::Transfer) encoding, with its offset.
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
    place: Place,
    kind: TransferErrorKind,
    bytes: [u8; Self::MAX_SEEN_BYTES],
    seen: u8,
}

/// The kinds of malformed sequence.
///
/// ```
/// use placemat::transfer::TransferErrorKind;
/// assert_eq!(TransferErrorKind::StrayByte.code(), "stray-byte");
/// assert_eq!(TransferErrorKind::StrayByte.describe(), "stray byte");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransferErrorKind {
    /// A byte that cannot occur in the encoding.
    StrayByte,
    /// A character that begins an escape, without the rest of one.
    BadEscape,
    /// The input ends within a sequence.
    Incomplete,
    /// Padding in the wrong place, or missing padding (base64).
    BadPadding,
    /// A byte after the padding (base64).
    AfterPadding,
    /// Spare bits after the last byte that are not zero (base64).
    NonzeroPadding,
    /// A run of white space longer than any line of a message (quoted-printable).
    LongWhiteSpace,
    /// A name that is not in the HTML Standard (references).
    UnknownName,
    /// A reference without a semicolon at its end (references).
    MissingSemicolon,
    /// A code point that HTML or XML forbids in a reference, or on which they disagree (references).
    Forbidden,
    /// An unpaired surrogate.
    Surrogate,
    /// A value above U+10FFFF, or an octal escape above 377.
    OutOfRange,
    /// Escapes for bytes that are not UTF-8 together ([`syntax`](crate::syntax)).
    IllFormed,
    /// A character that cannot be escaped at this place ([`syntax`](crate::syntax)).
    NoEscape,
    /// An encoded word in an unknown charset, or with bytes that its charset does not have
    /// ([`syntax`](crate::syntax)).
    Charset,
    /// An encoded word that would add a control character or another encoded word to a header
    /// ([`syntax`](crate::syntax)).
    Unsafe,
    /// A header field that is too long to be read as a whole ([`syntax`](crate::syntax)).
    TooLong,
}

impl TransferErrorKind {
    /// Returns a short stable name: `bad-escape`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.words().0
    }

    /// Returns a description without an article: `unknown name`.
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
            Self::IllFormed => ("ill-formed", "escapes that are not UTF-8"),
            Self::NoEscape => ("no-escape", "character that cannot be escaped here"),
            Self::Charset => ("charset", "encoded word that its charset does not explain"),
            Self::Unsafe => ("unsafe", "encoded word with a control character"),
            Self::TooLong => ("too-long", "header field that is too long"),
        }
    }
}

impl TransferError {
    const MAX_SEEN_BYTES: usize = 16;

    pub(crate) fn new(offset: u64, len: usize, place: Place, kind: TransferErrorKind, seen: &[u8]) -> Self {
        let mut bytes = [0; Self::MAX_SEEN_BYTES];
        let mut count = 0;
        for (slot, byte) in bytes.iter_mut().zip(seen) {
            *slot = *byte;
            count += 1;
        }
        Self { offset, len, place, kind, bytes, seen: count }
    }

    /// Returns the offset of the malformed sequence, in bytes from the start of the source.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the line of the malformed sequence, from 1. Lines end with LF. In base64, a group of characters is at the
    /// place where its error shows.
    ///
    /// ```
    /// use placemat::transfer::Transfer;
    /// let e = Transfer::Percent.decode("a\né%zz".as_bytes()).unwrap_err();
    /// assert_eq!((e.offset(), e.line(), e.column()), (4, 2, 2));
    /// ```
    #[must_use]
    pub const fn line(&self) -> u64 {
        self.place.line
    }

    /// Returns the column of the malformed sequence in code points, from 1.
    ///
    /// ```
    /// use placemat::transfer::Transfer;
    /// assert_eq!(Transfer::Escapes.decode("ü\\q".as_bytes()).unwrap_err().column(), 2);
    /// ```
    #[must_use]
    pub const fn column(&self) -> u64 {
        self.place.column
    }

    /// Returns the length of the malformed sequence in bytes, at least 1.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns the kind of error.
    #[must_use]
    pub const fn kind(&self) -> TransferErrorKind {
        self.kind
    }

    /// Returns the malformed bytes, at most the first sixteen; for base64 without white space.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.seen)]
    }

    /// Returns the short stable name of the kind.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.kind.code()
    }
}

impl fmt::Display for TransferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.describe())?;
        for byte in self.bytes() {
            write!(f, " {byte:#04x}")?;
        }
        write!(f, " at offset {}", self.offset)
    }
}

impl core::error::Error for TransferError {}

#[cfg(feature = "std")]
placemat_core::into_io_error!(InvalidData: TransferError);
