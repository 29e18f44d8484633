//! The tally of a conversion.

use core::ops::{Add, AddAssign};

/// A number of events, and the offset of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of events.
    pub count: u64,
    /// The offset of the first, in code units of the source.
    pub first: Option<u64>,
}

impl Count {
    /// Notes an event at `offset`.
    pub(super) fn note(&mut self, offset: u64) {
        *self += Self { count: 1, first: Some(offset) };
    }
}

/// The number of code points read, and of errors and code points that a policy handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Well-formed code points that were read. Counted only on request, because that takes a pass over the text.
    pub decoded: Option<u64>,
    /// Ill-formed sequences that the policy replaced.
    pub replaced: Count,
    /// Ill-formed sequences that the policy dropped.
    pub ignored: Count,
    /// A shift that the end of the text leaves open and that the policy lets pass. Whatever text a policy has for it,
    /// nothing is written: no character is missing in what was read.
    pub unclosed: Count,
    /// Code points that the target could not represent and for which the policy found a substitute.
    pub unmappable: Count,
}

impl Tally {
    /// Returns the number of errors that the policy replaced or dropped.
    pub(super) fn errors(&self) -> u64 {
        self.replaced.count + self.ignored.count
    }

    /// Adds the result of `count` if code points are counted at all: `count` takes a pass over the
    /// text.
    #[inline(always)]
    pub(super) fn decoded(&mut self, count: impl FnOnce() -> u64) {
        if let Some(decoded) = &mut self.decoded {
            *decoded += count();
        }
    }
}

/// Adds the tally of the rest of a text to the tally of its start. The offsets of the first events
/// are kept.
///
/// ```
/// use placemat::{ErrorPolicy, forms::Utf8, stream::{Decoder, Tally}};
/// let tally = |src: &[u8]| -> Tally {
///     let mut t = Decoder::<Utf8>::new().on_error(ErrorPolicy::Replace).counting();
///     let _ = t.convert(src, &mut [0; 64], true);
///     t.tally()
/// };
/// let sum = tally(b"\xFF\xFE!") + tally(b"good");
/// assert_eq!(sum.decoded, Some(5));
/// assert_eq!((sum.replaced.count, sum.replaced.first), (2, Some(0)));
/// ```
impl Add for Tally {
    type Output = Self;

    fn add(self, later: Self) -> Self {
        Self {
            // If one part was not counted, the sum is unknown.
            decoded: self.decoded.zip(later.decoded).map(|(a, b)| a + b),
            replaced: self.replaced + later.replaced,
            ignored: self.ignored + later.ignored,
            unclosed: self.unclosed + later.unclosed,
            unmappable: self.unmappable + later.unmappable,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, later: Self) {
        *self = *self + later;
    }
}

/// Adds the count of a later part of a text.
///
/// ```
/// use placemat::stream::Count;
/// let (none, mut some) = (Count::default(), Count::default());
/// (some.count, some.first) = (2, Some(17));
/// assert_eq!(none + some, some);
/// assert_eq!((some + some).count, 4);
/// ```
impl Add for Count {
    type Output = Self;

    fn add(self, later: Self) -> Self {
        Self { count: self.count + later.count, first: self.first.or(later.first) }
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, later: Self) {
        *self = *self + later;
    }
}
