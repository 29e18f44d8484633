//! Learns the encodings of a text from its lines, and says which line is in which.

use super::assign::{Before, Choice, assign};
use super::kept::Kept;
use super::mixture::{Mixture, Part};
use alloc::vec;
use alloc::vec::Vec;
use placemat_core::kernels::dispatch::Kernels;

/// Among this many ill-formed lines, one that is well-formed UTF-8 may be so by chance.
const LINES_BY_CHANCE: u64 = 10;

/// Learns the encodings of a text.
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
        let (text, rest) = placemat_core::checked::split_well_formed(block);
        if rest.is_empty() {
            if !text.is_ascii() {
                self.kept.well_formed(text);
                // Lines of ASCII among them count too: this is quick.
                self.kept.well_formed_lines += 1 + Kernels::current().count_line_feeds(block) as u64;
            }
            return;
        }
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            let (text, rest) = placemat_core::checked::split_well_formed(line);
            if !rest.is_empty() {
                self.kept.ill_formed(line);
            } else if !text.is_ascii() {
                self.kept.well_formed(text);
                self.kept.well_formed_lines += 1;
            }
        }
    }

    /// Returns the encoding of each line of a block that is ill-formed UTF-8, in order.
    pub(crate) fn assign(&mut self, block: &[u8]) -> Vec<Choice> {
        // The verdict on the text is as good as its evidence: more of it, another verdict.
        let size = self.kept.ill_formed_lines;
        if size > self.learned + self.learned / 2 || self.mixture.parts.is_empty() {
            self.learned = size;
            self.mixture = Mixture::learn(&self.kept);
            self.before = vec![0.0; self.mixture.parts.len() + 1];
        }
        assign(block, &self.mixture, self.kept.ill_formed_lines > 0, &mut self.before)
    }

    /// Returns `true` if lines of UTF-8 are so few that they may be such by chance.
    pub(super) fn utf8_is_rare(&self) -> bool {
        self.kept.well_formed_lines * LINES_BY_CHANCE < self.kept.ill_formed_lines
    }

    /// Returns the encoding of a line that is well-formed UTF-8 by chance.
    pub(super) fn by_chance(&self, line: &[u8]) -> Option<Part> {
        self.mixture.by_chance(line)
    }
}
