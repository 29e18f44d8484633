//! The totals of a conversion over all inputs: for `--report`, `--fail-on-loss`, and the warning about `ignore`.

use super::args::Args;
use super::policies::{Kept, Policies};
use crate::common::Common;
use crate::outcome::Outcome;
use crate::shown::Name;
use core::fmt;
use placemat::stream::{Count, Tally};

/// The sums.
#[derive(Debug, Default)]
pub(super) struct Totals {
    /// With several inputs, an offset needs the name.
    several: bool,
    /// Only counted for a report.
    decoded: Option<u64>,
    replaced: Total,
    ignored: Total,
    unclosed: Total,
    unmappable: Total,
}

#[derive(Debug, Default)]
struct Total {
    count: u64,
    first: Option<(Name, u64)>,
}

impl Totals {
    pub(super) fn new(several: bool) -> Self {
        Self { several, ..Self::default() }
    }

    /// Adds the counts of one input.
    pub(super) fn add(&mut self, tally: &Tally, name: &Name) {
        if let Some(decoded) = tally.decoded {
            *self.decoded.get_or_insert(0) += decoded;
        }
        self.replaced.add(tally.replaced, name);
        self.ignored.add(tally.ignored, name);
        self.unclosed.add(tally.unclosed, name);
        self.unmappable.add(tally.unmappable, name);
    }

    /// Returns `true` if anything was lost that the policies do not keep.
    pub(super) const fn lost(&self, kept: Kept) -> bool {
        (!kept.ill_formed && self.replaced.count > 0)
            || self.ignored.count > 0
            || (!kept.unmappable && self.unmappable.count > 0)
    }

    /// Adds the counts of other inputs.
    pub(super) fn join(&mut self, other: Self) {
        if let Some(decoded) = other.decoded {
            *self.decoded.get_or_insert(0) += decoded;
        }
        self.replaced.join(other.replaced);
        self.ignored.join(other.ignored);
        self.unclosed.join(other.unclosed);
        self.unmappable.join(other.unmappable);
    }

    /// Prints the report at the end. Returns whether the loss counts as a finding.
    pub(super) fn conclude(&self, args: &Args, policies: &Policies<'_>, common: &Common) -> Outcome {
        let lost = args.fail_on_loss && self.lost(policies.kept());
        // The line of the report is the last one, and has the counts.
        if lost && args.report {
            common.error("the conversion lost text");
        } else if lost {
            common.error(format_args!("the conversion lost text: {self}"));
        }
        if args.report {
            common.line(self);
        }
        if lost { Outcome::Findings } else { Outcome::Clean }
    }

    /// Warns of dropped sequences, and of texts that may have been cut.
    pub(super) fn warn(&self, common: &Common) {
        if self.ignored.count > 0 {
            common.warn(format_args!(
                "ignored {}: the text on both sides is now joined, which can be dangerous",
                self.show(&self.ignored)
            ));
        }
        if self.unclosed.count > 0 {
            common.warn(format_args!(
                "unclosed shift: {}: a text ends in a shifted state, so it may have been cut",
                self.show(&self.unclosed)
            ));
        }
    }

    const fn show<'a>(&'a self, total: &'a Total) -> Show<'a> {
        Show { total, several: self.several }
    }
}

impl Total {
    fn join(&mut self, other: Self) {
        self.count += other.count;
        self.first = self.first.take().or(other.first);
    }

    fn add(&mut self, count: Count, name: &Name) {
        self.count += count.count;
        if let (None, Some(first)) = (&self.first, count.first) {
            self.first = Some((name.clone(), first));
        }
    }
}

/// `decoded 12, replaced 2 (first at byte 3), ignored 0, unmappable 0`
impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(decoded) = self.decoded {
            write!(f, "decoded {decoded}, ")?;
        }
        write!(
            f,
            "replaced {}, ignored {}, unmappable {}",
            self.show(&self.replaced),
            self.show(&self.ignored),
            self.show(&self.unmappable)
        )
    }
}

struct Show<'a> {
    total: &'a Total,
    several: bool,
}

impl fmt::Display for Show<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Total { count, first } = self.total;
        match first {
            None => write!(f, "{count}"),
            Some((name, offset)) if self.several => write!(f, "{count} (first in {name} at byte {offset})"),
            Some((_, offset)) => write!(f, "{count} (first at byte {offset})"),
        }
    }
}
