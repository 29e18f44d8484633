//! What a conversion came across.

/// How often something happened, and where first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often.
    pub count: u64,
    /// Where first: offset in code units of the source.
    pub first: Option<u64>,
}

impl Count {
    pub(super) fn add(&mut self, offset: u64) {
        self.join(Self { count: 1, first: Some(offset) });
    }

    /// Adds a count from further on in the text.
    pub(super) fn join(&mut self, later: Self) {
        self.count += later.count;
        self.first = self.first.or(later.first);
    }
}

/// How much was read, and how often a policy had something to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Well-formed code points that were read; only counted if asked for, as it costs a pass over the text.
    pub decoded: Option<u64>,
    /// Ill-formed sequences for which something else was put.
    pub replaced: Count,
    /// Ill-formed sequences that were dropped.
    pub ignored: Count,
    /// Code points that the target could not hold and for which the policy found a substitute.
    pub unmappable: Count,
}

impl Tally {
    /// Errors for which the policy put something, or nothing.
    pub(super) fn errors(&self) -> u64 {
        self.replaced.count + self.ignored.count
    }

    /// Counts code points, if they are to be counted; `count` costs a pass.
    #[inline(always)]
    pub(super) fn decoded(&mut self, count: impl FnOnce() -> u64) {
        if let Some(decoded) = &mut self.decoded {
            *decoded += count();
        }
    }
}
