//! Errors and their offsets: ill-formed input, and text that a target cannot represent.

use crate::ground::code_point::CodePoint;
use crate::ground::unit::CodeUnit;
use core::fmt;

/// One ill-formed sequence: its offset, its length and its kind.
///
/// Offsets and lengths count code units of the source: bytes for the byte encodings, `u16` or `u32` for
/// [`Native`](crate::Native) forms. The source is the whole stream, however it was divided into pieces.
///
/// ```
/// use placemat::{IllFormedKind, utf8};
/// let e = utf8::validate(b"caf\xE9!").unwrap_err();
/// assert_eq!((e.offset(), e.len(), e.kind()), (3, 1, IllFormedKind::Truncated));
/// assert_eq!(e.to_string(), "missing continuation byte after 0xe9 at offset 3");
/// let e = utf8::validate(b"caf\xE0\x80").unwrap_err();
/// assert_eq!(e.code(), "overlong-3");
/// assert_eq!(format!("{e:?}"), "IllFormed { Overlong(3), 0xe0 0x80 at 3 }");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IllFormed {
    offset: u64,
    evidence: Evidence,
    kind: IllFormedKind,
}

/// The code units that the decoder looked at, as bytes; wider code units with their most
/// significant byte first.
///
/// A text with many errors makes and copies these all the time. Each of the two fields is written as a whole, because a
/// processor waits where one load spans several recent stores.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Evidence {
    bytes: [u8; Self::MAX],
    /// The size of one code unit in bytes, the number of code units in the ill-formed sequence, and the number of bytes
    /// looked at: the sequence, and the code unit that proves it ill-formed if that belongs to the failed attempt. One
    /// byte each, from the lowest.
    sizes: u32,
}

impl Evidence {
    const MAX: usize = 16;

    const fn new(bytes: [u8; Self::MAX], width: usize, span: usize, seen: usize) -> Self {
        const fn small(n: usize) -> u8 {
            if n < 0xFF { n.to_le_bytes()[0] } else { 0xFF }
        }
        let sizes = u32::from_le_bytes([small(width), small(span), small(seen), 0]);
        Self { bytes, sizes }
    }

    const fn width(&self) -> usize {
        self.sizes.to_le_bytes()[0] as usize
    }

    const fn span(&self) -> usize {
        self.sizes.to_le_bytes()[1] as usize
    }

    fn seen(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.sizes.to_le_bytes()[2])).unwrap_or(&self.bytes)
    }
}

/// Returns the hexadecimal digit of a number below 16.
const fn digit(number: u8) -> u8 {
    b"0123456789abcdef"[number as usize]
}

/// Writes the code units that were looked at in hexadecimal, each after a space.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Programs that ask a handler write thousands of these: one call for all digits takes a fraction of the time.
        let mut text = [0; Self::MAX * " 0x00".len()];
        let mut len = 0;
        let mut put = |bytes: &[u8]| {
            if let Some(room) = text.get_mut(len..len + bytes.len()) {
                room.copy_from_slice(bytes);
                len += bytes.len();
            }
        };
        for unit in self.seen().chunks(self.width().max(1)) {
            put(b" 0x");
            for byte in unit {
                put(&[digit(byte >> 4), digit(byte & 0xF)]);
            }
        }
        f.write_str(core::str::from_utf8(text.get(..len).unwrap_or_default()).unwrap_or_default())
    }
}

/// The ways in which a sequence can be ill-formed. The [`code`](Self::code) is the name of the variant in lower case:
/// `truncated` for [`Truncated`](Self::Truncated).
///
/// ```
/// use placemat::{IllFormedKind, utf8};
/// assert_eq!(IllFormedKind::TooLarge.code(), "too-large");
/// let e = utf8::validate(b"\xF4\x90\x80\x80").unwrap_err();
/// assert_eq!(e.kind(), IllFormedKind::TooLarge);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IllFormedKind {
    /// A continuation byte in place of the start of a sequence.
    UnexpectedContinuation,
    /// A byte that never starts a sequence and never occurs: in UTF-8 F5..FF.
    InvalidLead,
    /// A sequence that a byte other than a continuation byte interrupts.
    Truncated,
    /// A sequence longer than the code point needs (non-shortest form): in UTF-8 C0, C1, E0 80..9F,
    /// F0 80..8F. The number is the length that the lead byte announces.
    Overlong(u8),
    /// A surrogate code point where only scalar values are allowed: in UTF-8 ED A0..BF.
    Surrogate,
    /// A value above the form's last code point: in UTF-8 F4 90..BF.
    TooLarge,
    /// A byte that never occurs in the form, for forms other than UTF-8: F8..FF in FSS-UTF of 1992.
    NeverByte,
    /// The lead byte of a sequence of four bytes, in a form that has surrogate pairs instead
    /// (CESU-8, Modified UTF-8).
    FourByteLead,
    /// A byte 00 in Modified UTF-8, which writes U+0000 as C0 80.
    NulByte,
    /// An unpaired surrogate, in a form that has pairs (CESU-8, UTF-7, SCSU).
    UnpairedSurrogate,
    /// A surrogate pair, in a form that writes its code point as one sequence (WTF-8).
    SurrogatePair,
    /// A leading surrogate in UTF-16 without a trailing surrogate after it.
    UnpairedLead,
    /// A trailing surrogate in UTF-16 without a leading surrogate before it.
    UnpairedTrail,
    /// A byte that the encoding leaves unassigned, in US-ASCII 80..FF; or a complete sequence of
    /// bytes to which it assigns no character.
    Undefined,
    /// A byte above 7F in a seven-bit form (UTF-7).
    EightBitByte,
    /// A byte that must be encoded: controls, `\` and `~` in UTF-7, `&` alone in mailbox names.
    IllegalDirect,
    /// A shift into base64 without base64 after it (UTF-7).
    BadShift,
    /// Base64 that ends within a code unit (UTF-7).
    PartialUnit,
    /// Base64 that ends with padding bits that are not zero (UTF-7).
    NonzeroPadding,
    /// Base64 without a `-` at its end (mailbox names).
    Unterminated,
    /// A byte within base64 that is not a base64 character (mailbox names).
    BadBase64,
    /// Base64 for a character that must be literal (mailbox names).
    EncodedAscii,
    /// Two runs of base64 with nothing between them (mailbox names).
    NullShift,
    /// A byte that the form reserves (SCSU).
    ReservedByte,
    /// A window offset that the form reserves (SCSU).
    ReservedOffset,
    /// A byte that cannot continue a sequence: a control in place of a continuation byte (BOCU-1), or a byte outside
    /// the range of second bytes of a multi-byte encoding.
    BadTrail,
    /// A difference to a value that is not a code point (BOCU-1).
    OutOfRange,
    /// An escape sequence that the encoding does not have.
    UnknownEscape,
    /// The input ends within a sequence that more input could make well-formed.
    Incomplete,
    /// A shift or an escape sequence after which the text never returns to the state in which it has
    /// to end (ISO-2022, HZ, EBCDIC with two-byte codes). No text is lost there, unless the end is.
    UnclosedShift,
}

impl IllFormed {
    /// Creates the error for an ill-formed sequence of `span` code units at the start of `units`;
    /// `seen` of them prove it ill-formed.
    pub(crate) fn new<U: CodeUnit>(
        offset: u64,
        kind: IllFormedKind,
        units: &[U],
        span: usize,
        seen: usize,
    ) -> Self {
        let width = U::BYTES;
        let seen = seen.max(span).min(units.len()).min(Evidence::MAX / width);
        let mut word = 0_u128;
        for &unit in &units[..seen] {
            let unit: u32 = unit.into();
            word = word << (8 * width) | u128::from(unit);
        }
        let unused = 8 * (Evidence::MAX - seen * width);
        let bytes = (word << (unused / 2) << (unused - unused / 2)).to_be_bytes();
        Self { offset, kind, evidence: Evidence::new(bytes, width, span, seen * width) }
    }

    /// Returns the same error at another offset.
    pub(crate) const fn at(self, offset: u64) -> Self {
        Self { offset, ..self }
    }

    /// Returns the offset of the sequence, in code units from the start of the source.
    ///
    /// ```
    /// use placemat::utf8;
    /// let e = utf8::validate(b"ab\xE0\x80").unwrap_err();
    /// assert_eq!((e.offset(), e.valid_up_to(), e.len()), (2, 2, 1));
    /// // E0 is the ill-formed sequence, and 80 proves it ill-formed.
    /// assert_eq!((e.bytes(), e.seen()), (&b"\xE0"[..], &b"\xE0\x80"[..]));
    /// assert!(!e.is_incomplete());
    /// assert!(utf8::validate(b"ab\xE2\x82").unwrap_err().is_incomplete());
    /// ```
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the error in words, without its offset: for programs that show the offset in another unit.
    ///
    /// ```
    /// use placemat::utf8;
    /// let e = utf8::validate(b"/etc\xC0\xAFpasswd").unwrap_err();
    /// assert_eq!(e.to_string(), "overlong sequence 0xc0 at offset 4");
    /// assert_eq!(e.reason().to_string(), "overlong sequence 0xc0");
    /// ```
    #[must_use]
    pub fn reason(&self) -> impl fmt::Display + use<> {
        Reason(*self)
    }

    /// Returns the length of the sequence in code units, at least 1. Decoding continues right after it.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub const fn len(&self) -> usize {
        self.evidence.span()
    }

    /// Returns the kind of error.
    #[must_use]
    pub const fn kind(&self) -> IllFormedKind {
        self.kind
    }

    /// Returns the number of well-formed code units before the sequence: its offset, as an index into a slice.
    ///
    /// Saturates if the offset in a stream is greater than `usize::MAX`, which needs a target with fewer than 64 bits.
    #[must_use]
    pub fn valid_up_to(&self) -> usize {
        usize::try_from(self.offset).unwrap_or(usize::MAX)
    }

    /// Returns `true` if the input only ends too early: more input could make the sequence well-formed, or close the shift.
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        matches!(self.kind, IllFormedKind::Incomplete | IllFormedKind::UnclosedShift)
    }

    /// Returns the ill-formed sequence as bytes; wider code units have their most significant byte first.
    ///
    /// At most sixteen bytes, the length of the longest sequence.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        let end = (self.len() * self.evidence.width()).min(self.seen().len());
        self.seen().get(..end).unwrap_or_default()
    }

    /// Returns the bytes that prove the sequence ill-formed: [`bytes`](Self::bytes), and the next code unit
    /// if it belongs to the failed attempt. For E0 80, the sequence is E0 and the proof is E0 80.
    #[must_use]
    pub fn seen(&self) -> &[u8] {
        self.evidence.seen()
    }

    /// Returns a short stable name, finer than [`kind`](Self::kind): `overlong-3`, `lead-5-byte`, `unpaired-trail` …
    ///
    /// [`IllFormedKind::code`] has the list. For an invalid lead byte of UTF-8 the name depends on the byte:
    /// `lead-f5-f7`, `lead-5-byte`, `lead-6-byte`, `never-byte`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self.kind {
            IllFormedKind::InvalidLead => match self.evidence.bytes[0] {
                ..0xF8 => "lead-f5-f7",
                0xF8..0xFC => "lead-5-byte",
                0xFC..0xFE => "lead-6-byte",
                0xFE.. => "never-byte",
            },
            kind => kind.code(),
        }
    }
}

impl IllFormedKind {
    /// Returns a short stable name: `overlong-2`.
    ///
    /// ```
    /// use placemat::utf8;
    /// let kind = utf8::validate(b"\xC0\x80").unwrap_err().kind();
    /// assert_eq!((kind.code(), kind.describe()), ("overlong-2", "overlong sequence"));
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.words().0
    }

    /// Returns a description without an article: `overlong sequence`.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        self.words().1
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::UnexpectedContinuation => ("unexpected-continuation", "unexpected continuation byte"),
            Self::InvalidLead => ("invalid-lead", "invalid lead byte"),
            Self::Truncated => ("truncated", "missing continuation byte after"),
            Self::Overlong(2) => ("overlong-2", "overlong sequence"),
            Self::Overlong(3) => ("overlong-3", "overlong sequence"),
            Self::Overlong(4) => ("overlong-4", "overlong sequence"),
            Self::Overlong(5) => ("overlong-5", "overlong sequence"),
            Self::Overlong(6) => ("overlong-6", "overlong sequence"),
            Self::Overlong(7) => ("overlong-7", "overlong sequence"),
            Self::Overlong(_) => ("overlong-13", "overlong sequence"),
            Self::Surrogate => ("surrogate", "surrogate"),
            Self::TooLarge => ("too-large", "value out of range"),
            Self::NeverByte => ("never-byte", "byte that never occurs"),
            Self::FourByteLead => ("four-byte-lead", "lead of a four-byte sequence"),
            Self::NulByte => ("nul-byte", "zero byte"),
            Self::UnpairedSurrogate => ("unpaired-surrogate", "unpaired surrogate"),
            Self::SurrogatePair => ("surrogate-pair", "pair of surrogates"),
            Self::UnpairedLead => ("unpaired-lead", "unpaired leading surrogate"),
            Self::UnpairedTrail => ("unpaired-trail", "unpaired trailing surrogate"),
            Self::Undefined => ("undefined", "undefined byte"),
            Self::EightBitByte => ("eight-bit-byte", "byte with the eighth bit set"),
            Self::IllegalDirect => ("illegal-direct", "byte that must be encoded"),
            Self::BadShift => ("bad-shift", "shift without base64"),
            Self::PartialUnit => ("partial-unit", "base64 run ends within a code unit at"),
            Self::NonzeroPadding => ("nonzero-padding", "base64 run ends with non-zero padding in"),
            Self::Unterminated => ("unterminated", "base64 run without an end"),
            Self::BadBase64 => ("bad-base64", "byte that is not base64"),
            Self::EncodedAscii => ("encoded-ascii", "base64 for ASCII"),
            Self::NullShift => ("null-shift", "base64 run right after another"),
            Self::ReservedByte => ("reserved-byte", "reserved byte"),
            Self::ReservedOffset => ("reserved-offset", "reserved window offset"),
            Self::BadTrail => ("bad-trail", "invalid continuation byte in"),
            Self::OutOfRange => ("out-of-range", "difference that leads out of the code points"),
            Self::UnknownEscape => ("unknown-escape", "unknown escape sequence"),
            Self::Incomplete => ("incomplete", "incomplete sequence"),
            Self::UnclosedShift => ("unclosed-shift", "unclosed shift"),
        }
    }
}

impl fmt::Display for IllFormed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at offset {}", self.reason(), self.offset)
    }
}

/// An error in words, without its offset.
struct Reason<E>(E);

impl fmt::Display for Reason<IllFormed> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.kind.describe())?;
        fmt::Display::fmt(&self.0.evidence, f)
    }
}

impl fmt::Display for Reason<Unmappable> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let c = self.0.code_point;
        match self.0.kind {
            UnmappableKind::Surrogate => write!(f, "the target encoding cannot represent the surrogate {c}"),
            UnmappableKind::OutOfRange => {
                write!(f, "the target encoding cannot represent {c}, which is above its last code point")
            }
            UnmappableKind::NotInRepertoire => write!(f, "the target encoding cannot represent {c}"),
            UnmappableKind::Switch => {
                write!(f, "the target encoding would read {c} as a switch between its character sets")
            }
            UnmappableKind::ForgedSequence => write!(
                f,
                "{c} is an escaped byte that would complete a well-formed sequence with those before it"
            ),
        }
    }
}

/// Writes one line: `IllFormed { Overlong(3), 0xe0 0x80 at 17 }`.
impl fmt::Debug for IllFormed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IllFormed {{ {:?},{} at {} }}", self.kind, self.evidence, self.offset)
    }
}

impl core::error::Error for IllFormed {}

/// A code point that the target cannot represent, and its offset in the source.
///
/// ```
/// use placemat::{convert, forms::Latin1, UnmappablePolicy};
/// let e = convert::encode::<Latin1>("5 €", UnmappablePolicy::Stop).unwrap_err();
/// assert_eq!((e.offset(), e.code_point().value()), (2, 0x20AC));
/// assert_eq!((e.kind(), e.code()), (placemat::UnmappableKind::NotInRepertoire, "not-held"));
/// assert_eq!(e.to_string(), "the target encoding cannot represent U+20AC, at offset 2");
/// assert_eq!(format!("{e:?}"), "Unmappable { NotInRepertoire, U+20AC at 2 }");
/// assert_eq!(convert::encode::<Latin1>("5 £", UnmappablePolicy::Stop)?, b"5 \xA3");
/// # Ok::<(), placemat::Unmappable>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unmappable {
    offset: u64,
    code_point: CodePoint,
    kind: UnmappableKind,
}

/// The reasons why a target cannot represent a code point.
///
/// ```
/// use placemat::{UnmappableKind, UnmappablePolicy, convert, forms::Latin1};
/// let e = convert::encode::<Latin1>("5 €", UnmappablePolicy::Stop).unwrap_err();
/// assert_eq!((e.kind(), e.code()), (UnmappableKind::NotInRepertoire, "not-held"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnmappableKind {
    /// A surrogate code point; the target represents scalar values only.
    Surrogate,
    /// A value above the target's last code point.
    OutOfRange,
    /// A code point below the target's last one that is not in its repertoire.
    NotInRepertoire,
    /// A control with which the target switches between its sets: U+000E, U+000F and U+001B in ISO-2022-JP.
    Switch,
    /// An escaped byte that would form a well-formed sequence with other bytes (UTR #36 section
    /// 3.7).
    ForgedSequence,
}

impl Unmappable {
    #[doc(hidden)]
    #[must_use]
    pub const fn new(offset: u64, code_point: CodePoint, kind: UnmappableKind) -> Self {
        Self { offset, code_point, kind }
    }

    /// Returns the same error at another offset.
    #[doc(hidden)]
    #[must_use]
    pub const fn at(self, offset: u64) -> Self {
        Self { offset, ..self }
    }

    /// Returns the offset of the code point's sequence in the source, in code units.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the error in words, without its offset: for programs that show the offset in another unit.
    ///
    /// ```
    /// use placemat::{UnmappablePolicy, convert, forms::Latin1};
    /// let e = convert::encode::<Latin1>("5 €", UnmappablePolicy::Stop).unwrap_err();
    /// assert_eq!(e.to_string(), "the target encoding cannot represent U+20AC, at offset 2");
    /// assert_eq!(e.reason().to_string(), "the target encoding cannot represent U+20AC");
    /// ```
    #[must_use]
    pub fn reason(&self) -> impl fmt::Display + use<> {
        Reason(*self)
    }

    /// Returns the code point.
    #[must_use]
    pub const fn code_point(&self) -> CodePoint {
        self.code_point
    }

    /// Returns the reason why the target cannot represent the code point.
    #[must_use]
    pub const fn kind(&self) -> UnmappableKind {
        self.kind
    }

    /// Returns a short stable name: `surrogate`, `out-of-range`, `not-held`, `switch` or `forged-sequence`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self.kind {
            UnmappableKind::Surrogate => "surrogate",
            UnmappableKind::OutOfRange => "out-of-range",
            UnmappableKind::NotInRepertoire => "not-held",
            UnmappableKind::Switch => "switch",
            UnmappableKind::ForgedSequence => "forged-sequence",
        }
    }
}

impl fmt::Display for Unmappable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at offset {}", self.reason(), self.offset)
    }
}

/// Writes one line: `Unmappable { NotInRepertoire, U+20AC at 2 }`.
impl fmt::Debug for Unmappable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Unmappable {{ {:?}, {} at {} }}", self.kind, self.code_point, self.offset)
    }
}

impl core::error::Error for Unmappable {}

/// The error that stopped a conversion. Its message is the message of the [`IllFormed`] or
/// [`Unmappable`] in it, which is therefore not its [`source`](core::error::Error::source): a chain
/// of causes then reports each error once.
///
/// With `std` it converts to an [`io::Error`](std::io::Error) of the kind `InvalidData`, so that
/// `?` works in functions that do input and output; so do all other errors of this crate.
///
/// ```
/// use placemat::{ConvertError, ErrorPolicy, utf8};
/// assert_eq!(utf8::decode(b"caf\xC3\xA9", ErrorPolicy::Stop)?, "café");
/// let e = utf8::decode(b"caf\xE9!", ErrorPolicy::Stop).unwrap_err();
/// assert!(matches!(e, ConvertError::IllFormed(_)));
/// assert_eq!((e.offset(), e.code()), (3, "truncated"));
/// # Ok::<(), ConvertError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConvertError {
    /// The source is ill-formed, and the policy stops.
    IllFormed(IllFormed),
    /// The target cannot represent a code point, and the policy stops.
    Unmappable(Unmappable),
}

impl ConvertError {
    /// Returns the offset in the source, in code units.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        match self {
            Self::IllFormed(e) => e.offset(),
            Self::Unmappable(e) => e.offset(),
        }
    }

    /// Returns a short stable name of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::IllFormed(e) => e.code(),
            Self::Unmappable(e) => e.code(),
        }
    }
}

impl From<IllFormed> for ConvertError {
    fn from(e: IllFormed) -> Self {
        Self::IllFormed(e)
    }
}

impl From<Unmappable> for ConvertError {
    fn from(e: Unmappable) -> Self {
        Self::Unmappable(e)
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllFormed(e) => e.fmt(f),
            Self::Unmappable(e) => e.fmt(f),
        }
    }
}

/// Writes the error in it, whose output begins with its own name.
impl fmt::Debug for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IllFormed(e) => fmt::Debug::fmt(e, f),
            Self::Unmappable(e) => fmt::Debug::fmt(e, f),
        }
    }
}

impl core::error::Error for ConvertError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::IllFormed(e) => e.source(),
            Self::Unmappable(e) => e.source(),
        }
    }
}

/// An unknown name for a message: its first bytes, stored in place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Quoted {
    text: [u8; Self::MAX_BYTES],
    len: usize,
    is_cut: bool,
}

impl Quoted {
    /// The number of bytes that are kept; every known name is shorter.
    const MAX_BYTES: usize = 64;

    #[must_use]
    pub fn new(name: &str) -> Self {
        let most = Self::MAX_BYTES.min(name.len());
        let kept = (0..=most).rev().find_map(|len| name.get(..len)).unwrap_or_default();
        let mut text = [0; Self::MAX_BYTES];
        for (slot, &byte) in text.iter_mut().zip(kept.as_bytes()) {
            *slot = byte;
        }
        Self { text, len: kept.len(), is_cut: kept.len() < name.len() }
    }

    /// Returns the bytes that are kept.
    #[must_use]
    pub fn text(&self) -> &str {
        core::str::from_utf8(self.text.get(..self.len).unwrap_or_default()).unwrap_or_default()
    }

    /// Returns `true` if the name has more bytes than are kept.
    pub(crate) const fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// Writes the name in quotation marks, with escapes for controls.
impl fmt::Display for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.text(), if self.is_cut { "…" } else { "" })
    }
}

impl fmt::Debug for Quoted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(feature = "std")]
crate::ground::io_error::into_io_error!(InvalidData: ConvertError, IllFormed, Unmappable);

#[cfg(test)]
mod tests {
    use super::*;

    /// Converts `too-large` to `TooLarge`.
    fn camel_case(code: &str) -> String {
        let words = code.split('-').map(|word| word[..1].to_ascii_uppercase() + &word[1..]);
        words.collect()
    }

    #[test]
    fn kinds_are_named_as_their_codes() {
        use IllFormedKind as Kind;
        for kind in [
            Kind::UnexpectedContinuation,
            Kind::InvalidLead,
            Kind::Truncated,
            Kind::Surrogate,
            Kind::TooLarge,
            Kind::NeverByte,
            Kind::FourByteLead,
            Kind::NulByte,
            Kind::UnpairedSurrogate,
            Kind::SurrogatePair,
            Kind::UnpairedLead,
            Kind::UnpairedTrail,
            Kind::Undefined,
            Kind::EightBitByte,
            Kind::IllegalDirect,
            Kind::BadShift,
            Kind::PartialUnit,
            Kind::NonzeroPadding,
            Kind::Unterminated,
            Kind::BadBase64,
            Kind::EncodedAscii,
            Kind::NullShift,
            Kind::ReservedByte,
            Kind::ReservedOffset,
            Kind::BadTrail,
            Kind::OutOfRange,
            Kind::UnknownEscape,
            Kind::Incomplete,
            Kind::UnclosedShift,
        ] {
            assert_eq!(format!("{kind:?}"), camel_case(kind.code()));
        }
        for len in [2, 3, 4, 5, 6, 7, 13] {
            assert_eq!(Kind::Overlong(len).code(), format!("overlong-{len}"));
        }
        let code = |kind| Unmappable::new(0, CodePoint::default(), kind).code();
        for kind in [UnmappableKind::Surrogate, UnmappableKind::OutOfRange, UnmappableKind::ForgedSequence] {
            assert_eq!(format!("{kind:?}"), camel_case(code(kind)));
        }
        // Programs read this code in reports; it is older than the name.
        assert_eq!(code(UnmappableKind::NotInRepertoire), "not-held");
    }
}
