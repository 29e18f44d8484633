//! UTF-8 that was read as another encoding: text that `placemat repair` would change.

use super::kind::{Hit, Kind};
use memchr::memrchr;
use placemat::repair::{Repairer, Step};

#[derive(Debug)]
pub(super) struct Mojibake {
    repairer: Repairer,
}

impl Mojibake {
    pub(super) fn new() -> Self {
        Self { repairer: Repairer::new().steps([Step::Mojibake]) }
    }

    /// Finds the stretches that a repair would change. The text is whole lines.
    pub(super) fn find(&mut self, text: &str, hits: &mut Vec<Hit>) {
        for change in self.repairer.repair(text.as_bytes()).changes {
            let start = usize::try_from(change.offset).unwrap_or(usize::MAX);
            if let Some(&page) = change.encodings.first() {
                hits.push(Hit { kind: Kind::Mojibake(page), at: start..start + change.before.len() });
            }
        }
    }
}

/// How much of a text can be examined: its whole lines.
pub(super) fn settled(text: &[u8]) -> usize {
    memrchr(b'\n', text).map_or(0, |at| at + 1)
}
