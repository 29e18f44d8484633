//! Repairs the text of the page piece by piece: read twice, once to learn what it is, and once to repair it.

use crate::json::Json;
use placemat::detect::{Region, Regions};
use placemat::repair::{Change, Repairer};

/// The number of changes that are listed; more are counted.
const LISTED: usize = 500;
/// The number of bytes of a change that are shown.
const SHOWN: usize = 200;

/// A repair in progress.
#[derive(Debug, Default)]
pub struct Fix {
    repairer: Repairer,
    regions: Regions,
    found: Vec<Region>,
    list: Vec<Change>,
    changes: usize,
    lossy: bool,
    encoding: String,
}

impl Fix {
    /// Reads the next bytes for the first time.
    pub fn learn(&mut self, src: &[u8]) {
        self.repairer.learn(src);
        self.regions.learn(src);
    }

    /// Repairs the next bytes. Returns the text, in UTF-8.
    #[must_use]
    pub fn push(&mut self, src: &[u8], last: bool) -> Vec<u8> {
        let Self { repairer, regions, found, list, changes, lossy, encoding } = self;
        let mut text = String::new();
        let mut note = |change: Change| {
            *changes += 1;
            *lossy |= change.lossy;
            if list.len() < LISTED {
                list.push(change);
            }
        };
        if !src.is_empty() {
            repairer.push(src, &mut text, &mut note);
            regions.feed(src, |region| found.push(region));
        }
        if last {
            // The repairer forgets it at the end.
            *encoding = repairer.encoding().name().to_owned();
            repairer.finish(&mut text, &mut note);
            core::mem::take(regions).finish(|region| found.push(region));
        }
        text.into_bytes()
    }

    /// Reports the changes, and the regions if the text is in several encodings.
    #[must_use]
    pub fn report(&self) -> String {
        let mut list = Json::array();
        for change in &self.list {
            let mut by = Json::array();
            for encoding in &change.encodings {
                by.string_element(encoding.name());
            }
            let mut one = Json::object();
            one.string("step", change.step.name())
                .raw("offset", change.offset)
                .raw("length", change.before.len())
                .raw("at", change.repaired_offset)
                .raw("written", change.after.len())
                .hex("before", &change.before[..change.before.len().min(SHOWN)])
                .string("after", &change.after.chars().take(SHOWN).collect::<String>())
                .raw("by", by.end_array())
                .raw("lossy", change.lossy);
            list.element(one.end_object());
        }
        let mut regions = Json::array();
        if self.found.iter().any(|region| region.encoding != self.found[0].encoding) {
            for region in self.found.iter().take(LISTED) {
                let mut one = Json::object();
                one.string("encoding", region.encoding.name())
                    .raw("offset", region.offset)
                    .raw("length", region.len)
                    .raw("line", region.line)
                    .raw("lines", region.lines);
                regions.element(one.end_object());
            }
        }
        let mut answer = Json::object();
        answer
            .raw("changes", self.changes)
            .raw("lossy", self.lossy)
            .string("encoding", &self.encoding)
            .raw("list", list.end_array())
            .raw("regions", regions.end_array());
        answer.end_object()
    }
}
