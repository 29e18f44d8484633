//! Sets of kinds of ill-formed sequences, and their names.

use super::names::{NameError, Problem, nearest};
use crate::ground::error::{IllFormed, IllFormedKind as Kind};
use core::fmt;
use core::ops::BitOr;
use core::str::FromStr;

/// The names of all kinds, as [`IllFormed::code`] returns them.
const CODES: [&str; NAME_COUNT] = [
    "unexpected-continuation",
    "lead-f5-f7",
    "lead-5-byte",
    "lead-6-byte",
    "never-byte",
    "truncated",
    "overlong-2",
    "overlong-3",
    "overlong-4",
    "overlong-5",
    "overlong-6",
    "overlong-7",
    "overlong-13",
    "surrogate",
    "too-large",
    "four-byte-lead",
    "nul-byte",
    "unpaired-surrogate",
    "surrogate-pair",
    "unpaired-lead",
    "unpaired-trail",
    "undefined",
    "eight-bit-byte",
    "illegal-direct",
    "bad-shift",
    "partial-unit",
    "nonzero-padding",
    "unterminated",
    "bad-base64",
    "encoded-ascii",
    "null-shift",
    "reserved-byte",
    "reserved-offset",
    "bad-trail",
    "out-of-range",
    "unknown-escape",
    "incomplete",
    "unclosed-shift",
];

/// The number of names in [`CODES`].
pub(super) const NAME_COUNT: usize = 38;

/// Returns the index of a kind in [`CODES`]; for an invalid lead byte, the first of its four names.
pub(super) const fn index(kind: Kind) -> usize {
    match kind {
        Kind::UnexpectedContinuation => 0,
        Kind::InvalidLead => 1,
        Kind::NeverByte => 4,
        Kind::Truncated => 5,
        Kind::Overlong(2) => 6,
        Kind::Overlong(3) => 7,
        Kind::Overlong(4) => 8,
        Kind::Overlong(5) => 9,
        Kind::Overlong(6) => 10,
        Kind::Overlong(7) => 11,
        Kind::Overlong(_) => 12,
        Kind::Surrogate => 13,
        Kind::TooLarge => 14,
        Kind::FourByteLead => 15,
        Kind::NulByte => 16,
        Kind::UnpairedSurrogate => 17,
        Kind::SurrogatePair => 18,
        Kind::UnpairedLead => 19,
        Kind::UnpairedTrail => 20,
        Kind::Undefined => 21,
        Kind::EightBitByte => 22,
        Kind::IllegalDirect => 23,
        Kind::BadShift => 24,
        Kind::PartialUnit => 25,
        Kind::NonzeroPadding => 26,
        Kind::Unterminated => 27,
        Kind::BadBase64 => 28,
        Kind::EncodedAscii => 29,
        Kind::NullShift => 30,
        Kind::ReservedByte => 31,
        Kind::ReservedOffset => 32,
        Kind::BadTrail => 33,
        Kind::OutOfRange => 34,
        Kind::UnknownEscape => 35,
        Kind::Incomplete => 36,
        Kind::UnclosedShift => 37,
    }
}

/// Returns the index of an error's name in [`CODES`].
pub(super) fn index_of(error: &IllFormed) -> usize {
    match (error.kind(), error.bytes()) {
        (Kind::InvalidLead, [0xF8..=0xFB, ..]) => 2,
        (Kind::InvalidLead, [0xFC..=0xFD, ..]) => 3,
        (Kind::InvalidLead, [0xFE..=0xFF, ..]) => 4,
        (kind, _) => index(kind),
    }
}

/// A set of kinds of ill-formed sequences.
///
/// Its names are those of [`IllFormed::code`], such as `too-large` or `overlong-2`, and words for
/// several kinds or for longer names: `overlong` for all lengths, `lead` for all bytes that start
/// no sequence, `stray` for `unexpected-continuation`, `end` for `incomplete`, a sequence that the
/// end of the text truncates. `surrogate` names all kinds of surrogates; an encoding has one or two
/// of them.
///
/// ```
/// use placemat::{IllFormedKind, policy::Kinds, utf8};
/// let overlong: Kinds = "overlong".parse()?;
/// assert_eq!(overlong, Kinds::OVERLONG);
/// assert!(overlong.contains(&utf8::validate(b"\xC0\xAF").unwrap_err()));
/// let cut = Kinds::from(IllFormedKind::Truncated) | IllFormedKind::Incomplete.into();
/// assert_eq!(format!("{cut:?}"), "{\"truncated\", \"incomplete\"}");
/// let e = "overlog".parse::<Kinds>().unwrap_err();
/// assert_eq!(e.to_string(), "unknown kind \"overlog\" (did you mean overlong?)");
/// # Ok::<(), placemat::policy::NameError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kinds(u64);

impl Kinds {
    /// Longer sequences than their code points need, of any length.
    pub const OVERLONG: Self = Self::range(6, 12);
    /// Surrogates where only scalar values are allowed, halves of pairs, and pairs in place of one
    /// sequence.
    pub const SURROGATE: Self = Self(1 << 13 | Self::range(17, 20).0);
    /// Bytes that start no sequence and continue none.
    pub const LEAD: Self = Self::range(1, 4);

    const WORDS: [(&str, Self); 5] = [
        ("overlong", Self::OVERLONG),
        ("surrogate", Self::SURROGATE),
        ("lead", Self::LEAD),
        ("stray", Self::range(0, 0)),
        ("end", Self::range(36, 36)),
    ];

    /// Returns the kinds from one index of [`CODES`] to another, both included.
    const fn range(first: usize, last: usize) -> Self {
        Self((1 << (last + 1)) - (1 << first))
    }

    /// Returns the kinds with a name, or `None` if no kinds have it. Parsing a `Kinds` does the
    /// same, with a more detailed error.
    ///
    /// ```
    /// use placemat::{IllFormedKind, policy::Kinds};
    /// assert_eq!(Kinds::for_name("end"), Some(IllFormedKind::Incomplete.into()));
    /// assert_eq!(Kinds::for_name("ends"), None);
    /// ```
    #[must_use]
    pub fn for_name(name: &str) -> Option<Self> {
        let of_code = || CODES.iter().position(|&code| code == name).map(|index| Self::range(index, index));
        Self::WORDS.into_iter().find(|&(word, _)| word == name).map(|(_, kinds)| kinds).or_else(of_code)
    }

    /// Returns `true` if the set contains the kind of an error.
    #[must_use]
    pub fn contains(self, error: &IllFormed) -> bool {
        self.has(index_of(error))
    }

    /// Returns `true` if the set contains the kind at an index of [`CODES`].
    pub(super) const fn has(self, index: usize) -> bool {
        self.0 >> index & 1 != 0
    }

    /// Returns `true` if the set contains only kinds of surrogates.
    pub(super) const fn are_surrogates(self) -> bool {
        self.0 & !Self::SURROGATE.0 == 0
    }

    /// Returns the names of sets and of all kinds.
    fn names() -> impl Iterator<Item = &'static str> {
        Self::WORDS.into_iter().map(|(word, _)| word).chain(CODES)
    }
}

impl From<Kind> for Kinds {
    fn from(kind: Kind) -> Self {
        if matches!(kind, Kind::InvalidLead) { Self::LEAD } else { Self::range(index(kind), index(kind)) }
    }
}

impl BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl FromStr for Kinds {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        Self::for_name(name).ok_or_else(|| NameError::new(Problem::Kind(nearest(name, Self::names())), name))
    }
}

/// Writes the names of the kinds.
impl fmt::Debug for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries((0..NAME_COUNT).filter(|&index| self.has(index)).map(|index| CODES[index]))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_shows_each_of_its_kinds() {
        let all = std::format!("{:?}", Kinds::range(0, NAME_COUNT - 1));
        assert!(CODES.iter().all(|code| all.contains(&std::format!("{code:?}"))), "{all}");
        assert_eq!(std::format!("{:?}", Kinds(0)), "{}");
    }

    #[test]
    fn every_kind_has_the_place_of_its_name() {
        let kinds = [
            Kind::UnexpectedContinuation,
            Kind::NeverByte,
            Kind::Truncated,
            Kind::Surrogate,
            Kind::TooLarge,
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
        ];
        let mut all = Kinds::LEAD;
        for kind in kinds.into_iter().chain([2, 3, 4, 5, 6, 7, 13].map(Kind::Overlong)) {
            assert_eq!(CODES[index(kind)], kind.code(), "{kind:?}");
            assert_eq!(CODES[index_of(&IllFormed::new(0, kind, &[0xC0_u8], 1, 1))], kind.code());
            all = all | kind.into();
        }
        assert_eq!(all, Kinds::range(0, NAME_COUNT - 1));
        for byte in 0xF5..=0xFF_u8 {
            let error = IllFormed::new(0, Kind::InvalidLead, &[byte], 1, 1);
            assert_eq!(CODES[index_of(&error)], error.code(), "{byte:02x}");
            assert!(Kinds::from(Kind::InvalidLead).contains(&error));
        }
        for name in Kinds::names() {
            assert!(name.parse::<Kinds>().is_ok(), "{name}");
        }
    }
}
