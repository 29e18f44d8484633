//! The tally of a conversion.

/// A number of events, and the place of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// The number of events.
    pub count: u64,
    /// The offset of the first, in code units of the source.
    pub first: Option<u64>,
}

impl Count {
    pub(super) fn add(&mut self, offset: u64) {
        self.join(Self { count: 1, first: Some(offset) });
    }

    /// Adds a count from a later part of the text.
    pub(super) fn join(&mut self, later: Self) {
        self.count += later.count;
        self.first = self.first.or(later.first);
    }
}

/// The number of code points read, and of errors and code points that a policy handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Well-formed code points that were read. Counted only on request, because that takes a pass over the text.
    pub decoded: Option<u64>,
    /// Ill-formed sequences that the policy replaced.
    pub replaced: Count,
    /// Ill-formed sequences that the policy dropped.
    pub ignored: Count,
    /// Code points that the target could not represent and for which the policy found a substitute.
    pub unmappable: Count,
}

impl Tally {
    /// The number of errors that the policy replaced or dropped.
    pub(super) fn errors(&self) -> u64 {
        self.replaced.count + self.ignored.count
    }

    /// Adds the result of `count`, which takes a pass over the text, if code points are to be counted.
    #[inline(always)]
    pub(super) fn decoded(&mut self, count: impl FnOnce() -> u64) {
        if let Some(decoded) = &mut self.decoded {
            *decoded += count();
        }
    }
}
