//! Files in several encodings: which line is in which.

mod assign;
mod kept;
mod mixture;
pub(crate) mod runs;
mod score;

pub(crate) use self::assign::{Before, Choice, assign};
pub(crate) use self::mixture::{Mixture, Part, USUAL};

use self::kept::Kept;
use alloc::vec::Vec;

/// Learns the encodings of a file from its lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learner {
    kept: Kept,
    /// The size of what was learned, and the result.
    learned: u64,
    mixture: Mixture,
    before: Before,
}

impl Learner {
    /// Looks at whole lines.
    pub(crate) fn look(&mut self, block: &[u8]) {
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            let (text, rest) = crate::checked::split_well_formed(line);
            if !rest.is_empty() {
                self.kept.ill_formed(line);
            } else if !text.is_ascii() {
                self.kept.well_formed(line);
            }
        }
    }

    /// The encoding of each line of a block that is ill-formed UTF-8, in order.
    pub(crate) fn assign(&mut self, block: &[u8]) -> Vec<Choice> {
        // The verdict on the text is as good as its evidence: more of it, another verdict.
        let size = self.kept.size();
        if size > self.learned + self.learned / 2 || self.mixture.parts.is_empty() {
            self.learned = size;
            self.mixture = Mixture::learn(&self.kept);
            self.before.clear();
        }
        assign(block, &self.mixture, self.kept.ill_formed_lines > 0, &mut self.before)
    }
}
