//! Sums of tallies.

use super::{Count, Tally};
use core::ops::{Add, AddAssign};

/// Adds the tally of a text to that of a text before it, of which it is the rest: where something was first is the first
/// place that either knows.
///
/// ```
/// use placemat::{Encoding, ErrorPolicy, stream::{Tally, Transcoder}};
/// let tally = |src: &[u8], offset| -> Tally {
///     let t = Transcoder::from(Encoding::UTF_8).on_error(ErrorPolicy::Replace).starting_at(offset);
///     let mut t = t.counting();
///     let _ = t.convert(src, &mut [0; 64], true);
///     t.tally()
/// };
/// let sum = tally(b"good", 0) + tally(b"\xFF\xFE!", 4);
/// assert_eq!(sum.decoded, Some(5));
/// assert_eq!((sum.replaced.count, sum.replaced.first), (2, Some(4)));
/// ```
impl Add for Tally {
    type Output = Self;

    fn add(self, later: Self) -> Self {
        Self {
            // Not counted is unknown.
            decoded: self.decoded.zip(later.decoded).map(|(a, b)| a + b),
            replaced: self.replaced + later.replaced,
            ignored: self.ignored + later.ignored,
            unmappable: self.unmappable + later.unmappable,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, later: Self) {
        *self = *self + later;
    }
}

/// Adds what happened later.
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
        let first = match (self.first, later.first) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { count: self.count + later.count, first }
    }
}

impl AddAssign for Count {
    fn add_assign(&mut self, later: Self) {
        *self = *self + later;
    }
}
