//! Sets of steps.

use super::change::Step;

/// A set of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Steps(u16);

/// The set of all steps.
impl Default for Steps {
    fn default() -> Self {
        Self(u16::MAX)
    }
}

impl Steps {
    const fn bit(step: Step) -> u16 {
        1 << step as u16
    }

    pub(super) const fn has(self, step: Step) -> bool {
        self.0 & Self::bit(step) != 0
    }
}

impl FromIterator<Step> for Steps {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Self {
        Self(steps.into_iter().map(Self::bit).fold(0, |all, step| all | step))
    }
}
