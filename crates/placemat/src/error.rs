//! What was wrong, and where: ill-formed input, and text that a target cannot hold.

use crate::code_point::CodePoint;
use crate::unit::CodeUnit;
use core::fmt;

/// One ill-formed sequence: where it starts, how long it is, and what is wrong with it.
///
/// Offsets and lengths count code units of the source: bytes for the byte encodings, `u16` or `u32` for
/// [`Native`](crate::Native) forms. The source is the whole stream, however it was cut into pieces.
///
/// ```
/// use placemat::{IllFormedKind, utf8};
/// let e = utf8::validate(b"caf\xE9!").unwrap_err();
/// assert_eq!((e.offset(), e.len(), e.kind()), (3, 1, IllFormedKind::MissingContinuation));
/// assert_eq!(e.to_string(), "missing continuation byte after e9 at offset 3");
/// assert_eq!(utf8::validate(b"caf\xC0\x80").unwrap_err().code(), "overlong-2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IllFormed {
    offset: u64,
    evidence: Evidence,
    kind: IllFormedKind,
}

/// The units that were looked at, as bytes; wider units with their most significant byte first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Evidence {
    bytes: [u8; Self::MAX],
    /// How many bytes one unit takes.
    width: u8,
    /// Units that belong to the ill-formed sequence.
    span: u8,
    /// Bytes that were looked at: the sequence, and the unit that proves it wrong if that belongs to the same attempt.
    seen: u8,
}

impl Evidence {
    const MAX: usize = 8;
}

/// In which way a sequence is ill-formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IllFormedKind {
    /// A continuation byte where a sequence should start.
    UnexpectedContinuation,
    /// A byte that never starts a sequence and never occurs: in UTF-8 F5..FF.
    InvalidLead,
    /// A sequence that is broken off by something that is not a continuation byte.
    MissingContinuation,
    /// A longer sequence than the code point needs (non-shortest form): in UTF-8 C0, C1, E0 80..9F, F0 80..8F.
    Overlong,
    /// A surrogate code point where only scalar values may stand: in UTF-8 ED A0..BF.
    Surrogate,
    /// A value above the form's last code point: in UTF-8 F4 90..BF.
    OutOfRange,
    /// A lead surrogate in UTF-16 that no trail surrogate follows.
    UnpairedLead,
    /// A trail surrogate in UTF-16 that no lead surrogate precedes.
    UnpairedTrail,
    /// A byte to which the encoding assigns nothing: in US-ASCII 80..FF.
    Undefined,
    /// The input ends within a sequence that could still have become well-formed.
    Incomplete,
}

impl IllFormed {
    /// An ill-formed sequence of `span` units that begins with `units`; `seen` of them show that it is one.
    pub(crate) fn new<U: CodeUnit>(
        offset: u64,
        kind: IllFormedKind,
        units: &[U],
        span: usize,
        seen: usize,
    ) -> Self {
        let mut bytes = [0; Evidence::MAX];
        let width = U::BYTES;
        let seen = seen.max(span).min(units.len()).min(Evidence::MAX / width);
        for (slot, &unit) in bytes.chunks_exact_mut(width).zip(&units[..seen]) {
            let unit: u32 = unit.into();
            slot.copy_from_slice(&unit.to_be_bytes()[4 - width..]);
        }
        let small = |n: usize| u8::try_from(n).unwrap_or(u8::MAX);
        Self {
            offset,
            kind,
            evidence: Evidence { bytes, width: small(width), span: small(span), seen: small(seen * width) },
        }
    }

    /// Where the sequence starts, in code units from the start of the source.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// How many code units it spans, at least 1. Decoding goes on right after them.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub const fn len(&self) -> usize {
        self.evidence.span as usize
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> IllFormedKind {
        self.kind
    }

    /// How many code units before it are well-formed: its offset, as an index into a slice.
    ///
    /// Saturates where a stream is longer than an index can say, that is on targets with fewer than 64 bits.
    #[must_use]
    pub fn valid_up_to(&self) -> usize {
        usize::try_from(self.offset).unwrap_or(usize::MAX)
    }

    /// Whether the input only ends too early: with more of it, this could have become well-formed.
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        matches!(self.kind, IllFormedKind::Incomplete)
    }

    /// The ill-formed sequence as bytes; of wider units each with its most significant byte first.
    ///
    /// At most eight bytes: no sequence of the present forms is longer.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        let end = (self.len() * usize::from(self.evidence.width)).min(self.seen().len());
        &self.seen()[..end]
    }

    /// The bytes that show the sequence to be ill-formed: [`bytes`](Self::bytes), and where the next unit belongs to
    /// the same failed attempt, that too. For E0 80 the sequence is E0 and this is E0 80.
    #[must_use]
    pub fn seen(&self) -> &[u8] {
        &self.evidence.bytes[..usize::from(self.evidence.seen)]
    }

    /// A short stable name, finer than [`kind`](Self::kind): `overlong-3`, `lead-5-byte`, `unpaired-trail` …
    ///
    /// `unexpected-continuation`, `overlong-2`, `overlong-3`, `overlong-4`, `surrogate`, `too-large`, `lead-f5-f7`,
    /// `lead-5-byte`, `lead-6-byte`, `never-byte`, `truncated`, `incomplete`, `unpaired-lead`, `unpaired-trail`,
    /// `undefined`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        let first = self.evidence.bytes[0];
        match self.kind {
            IllFormedKind::UnexpectedContinuation => "unexpected-continuation",
            IllFormedKind::InvalidLead => match first {
                ..0xF8 => "lead-f5-f7",
                0xF8..0xFC => "lead-5-byte",
                0xFC..0xFE => "lead-6-byte",
                0xFE.. => "never-byte",
            },
            IllFormedKind::MissingContinuation => "truncated",
            IllFormedKind::Overlong => match first {
                ..0xE0 => "overlong-2",
                0xE0..0xF0 => "overlong-3",
                0xF0.. => "overlong-4",
            },
            IllFormedKind::Surrogate => "surrogate",
            IllFormedKind::OutOfRange => "too-large",
            IllFormedKind::UnpairedLead => "unpaired-lead",
            IllFormedKind::UnpairedTrail => "unpaired-trail",
            IllFormedKind::Undefined => "undefined",
            IllFormedKind::Incomplete => "incomplete",
        }
    }
}

impl fmt::Display for IllFormed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            IllFormedKind::UnexpectedContinuation => "unexpected continuation byte",
            IllFormedKind::InvalidLead => "invalid lead byte",
            IllFormedKind::MissingContinuation => "missing continuation byte after",
            IllFormedKind::Overlong => "overlong sequence",
            IllFormedKind::Surrogate => "surrogate",
            IllFormedKind::OutOfRange => "value out of range",
            IllFormedKind::UnpairedLead => "unpaired lead surrogate",
            IllFormedKind::UnpairedTrail => "unpaired trail surrogate",
            IllFormedKind::Undefined => "undefined byte",
            IllFormedKind::Incomplete => "incomplete sequence",
        })?;
        for unit in self.seen().chunks(usize::from(self.evidence.width)) {
            f.write_str(" ")?;
            for byte in unit {
                write!(f, "{byte:02x}")?;
            }
        }
        write!(f, " at offset {}", self.offset)
    }
}

impl core::error::Error for IllFormed {}

/// A code point that the target cannot hold, and where in the source it comes from.
///
/// ```
/// use placemat::{convert, forms::Latin1, UnmappablePolicy};
/// let e = convert::encode::<Latin1>("5 €", UnmappablePolicy::Stop).unwrap_err();
/// assert_eq!((e.offset(), e.code_point().value()), (2, 0x20AC));
/// assert_eq!(e.to_string(), "U+20AC is outside what the target encoding holds, at offset 2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unmappable {
    offset: u64,
    code_point: CodePoint,
    kind: UnmappableKind,
}

/// Why a target cannot hold a code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnmappableKind {
    /// A surrogate code point, where the target holds scalar values only.
    Surrogate,
    /// A value above the target's last code point.
    OutOfRange,
    /// Within the target's range of numbers, but not among what it holds.
    NotHeld,
    /// Escaped bytes that would come together as a well-formed sequence (UTR #36 section 3.7).
    ForgedSequence,
}

impl Unmappable {
    pub(crate) const fn new(offset: u64, code_point: CodePoint, kind: UnmappableKind) -> Self {
        Self { offset, code_point, kind }
    }

    /// The same, for a source in which it stands elsewhere.
    #[must_use]
    pub(crate) const fn at(self, offset: u64) -> Self {
        Self { offset, ..self }
    }

    /// Where in the source the sequence starts that stands for it, in code units.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The code point.
    #[must_use]
    pub const fn code_point(&self) -> CodePoint {
        self.code_point
    }

    /// Why the target cannot hold it.
    #[must_use]
    pub const fn kind(&self) -> UnmappableKind {
        self.kind
    }

    /// A short stable name: `surrogate`, `out-of-range`, `not-held` or `forged-sequence`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self.kind {
            UnmappableKind::Surrogate => "surrogate",
            UnmappableKind::OutOfRange => "out-of-range",
            UnmappableKind::NotHeld => "not-held",
            UnmappableKind::ForgedSequence => "forged-sequence",
        }
    }
}

impl fmt::Display for Unmappable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.code_point)?;
        f.write_str(match self.kind {
            UnmappableKind::Surrogate => "is a surrogate, which the target encoding does not hold",
            UnmappableKind::OutOfRange => "is above the last code point of the target encoding",
            UnmappableKind::NotHeld => "is outside what the target encoding holds",
            UnmappableKind::ForgedSequence => {
                "stands for a byte that would complete a well-formed sequence with the escaped bytes before it"
            }
        })?;
        write!(f, ", at offset {}", self.offset)
    }
}

impl core::error::Error for Unmappable {}

/// Why a conversion stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConvertError {
    /// The source is ill-formed, and the policy was to stop.
    IllFormed(IllFormed),
    /// The target cannot hold a code point, and the policy was to stop.
    Unmappable(Unmappable),
}

impl ConvertError {
    /// Where in the source, in code units.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        match self {
            Self::IllFormed(e) => e.offset(),
            Self::Unmappable(e) => e.offset(),
        }
    }

    /// A short stable name of what went wrong.
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

impl core::error::Error for ConvertError {}
