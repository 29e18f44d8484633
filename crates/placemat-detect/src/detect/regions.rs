//! Files in several encodings: which line is in which.

mod assign;
mod kept;
mod learner;
mod mixed;
mod mixture;
pub(crate) mod runs;
mod score;

pub(crate) use self::assign::Choice;
pub(crate) use self::learner::Learner;
pub(super) use self::mixed::{has_utf8, mixed};
#[cfg(feature = "repair")]
pub(crate) use self::mixture::{Part, USUAL};

use self::runs::{ill_formed_runs, leads, legacy_parts};
use super::certain::is_little;
use super::lines::{Lines, end_of_lines};
use super::split::{Units, is_wide};
use alloc::vec::Vec;
use placemat_charsets::Encoding;

/// Returns the regions of a whole text, in order: together they are all of its bytes.
///
/// ```
/// use placemat::{Encoding, detect::regions};
/// let utf8 = "Это первая строка, в UTF-8.\nИ вторая строка.\n".as_bytes();
/// // Ill-formed UTF-8: "Эта строка в другой кодировке, к сожалению." in windows-1251.
/// let other = b"\xDD\xF2\xE0 \xF1\xF2\xF0\xEE\xEA\xE0 \xE2 \xE4\xF0\xF3\xE3\xEE\xE9 \xEA\xEE\xE4\xE8\xF0\xEE\xE2\xEA\xE5\n";
/// let found = regions(&[utf8, other, utf8].concat());
/// let shown: Vec<_> = found.iter().map(|region| (region.encoding.name(), region.line, region.lines)).collect();
/// assert_eq!(shown, [("UTF-8", 1, 2), ("windows-1251", 3, 1), ("UTF-8", 4, 2)]);
/// ```
#[must_use]
pub fn regions(src: &[u8]) -> Vec<Region> {
    let mut found = Vec::new();
    let mut regions = Regions::new();
    regions.learn(src);
    regions.feed(src, |region| found.push(region));
    regions.finish(|region| found.push(region));
    found
}

/// A stretch of a text that is in one encoding: whole lines, or a run inside a line of UTF-8.
///
/// ```
/// use placemat::{Encoding, detect::{Region, regions}};
/// // A letter of windows-1252 in a line of UTF-8 is ill-formed.
/// let found: Vec<Region> = regions(b"na\xC3\xAFve caf\xE9s, d\xC3\xA9j\xC3\xA0 vus\n");
/// assert_eq!(found[1].encoding, Encoding::WINDOWS_1252);
/// assert_eq!((found[1].offset, found[1].len, found[1].line), (10, 1, 1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Region {
    /// The offset of its first byte.
    pub offset: u64,
    /// The length of the region in bytes.
    pub len: u64,
    /// The number of the line in which it begins, from 1. LF ends a line.
    pub line: u64,
    /// The number of lines of which the region has at least a part.
    pub lines: u64,
    /// The encoding of the region. Lines of ASCII belong to the encoding of the lines around them.
    pub encoding: Encoding,
    /// The probability that `encoding` is right, or another encoding that gives the same text: from 0 to 1, the mean of
    /// its lines.
    pub confidence: f32,
}

/// Finds the encoding of each line of a text, in two passes and constant memory.
///
/// All lines together say which few encodings the text has, so they are learned first. Then each line is in the encoding in
/// which it is most probable, by its own letters, by the shares of the encodings, and by its neighbors. A line of UTF-8 may
/// have runs that are in another encoding. Stretches of UTF-16 and UTF-32 are regions of their own. Other encodings without
/// the line ends of ASCII, as EBCDIC, are out of reach: ask [`detect`](crate::detect()) for these first.
///
/// ```
/// use placemat::{Encoding, detect::{Region, Regions}};
/// // KOI8-R and windows-1251; both are ill-formed UTF-8.
/// let text = b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1?\n\xCF\xF0\xE8\xE2\xE5\xF2, \xF5\xEE\xF0\xEE\xF8\xEE.\n";
/// let mut regions = Regions::new();
/// text.chunks(3).for_each(|piece| regions.learn(piece));
/// let mut found: Vec<Region> = Vec::new();
/// text.chunks(5).for_each(|piece| regions.feed(piece, |region| found.push(region)));
/// regions.finish(|region| found.push(region));
/// let encodings: Vec<Encoding> = found.iter().map(|region| region.encoding).collect();
/// assert_eq!(encodings, [Encoding::KOI8_R, Encoding::WINDOWS_1251]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Regions {
    learner: Learner,
    is_learned: bool,
    /// The first pass has not ended.
    is_learning: bool,
    /// The end of the text that was learned.
    learning: Lines,
    lines: Lines,
    tiles: Tiles,
    /// The finders of stretches of UTF-16 and UTF-32, one for each pass.
    learned_units: Units,
    units: Units,
}

impl Regions {
    /// Returns a finder of regions that has read nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the next bytes of the text, in a first pass. Without it, lines are judged by those before them, and by those of
    /// the same 64 KiB.
    pub fn learn(&mut self, src: &[u8]) {
        (self.is_learned, self.is_learning) = (true, true);
        self.learn_units(src, false);
    }

    fn learn_units(&mut self, src: &[u8], last: bool) {
        let mut units = core::mem::take(&mut self.learned_units);
        units.push(src, last, &mut |encoding, bytes| {
            if encoding.is_some() {
                return self.learn_blocks(true);
            }
            let mut rest = bytes;
            while !rest.is_empty() {
                rest = self.learning.fill(rest);
                self.learn_blocks(false);
            }
        });
        self.learned_units = units;
        if last {
            self.learn_blocks(true);
        }
    }

    fn learn_blocks(&mut self, last: bool) {
        loop {
            let len = self.learning.complete(last, end_of_lines);
            if len == 0 {
                return;
            }
            let block = self.learning.take(len);
            self.learner.look(&block);
            self.learning.give_back(block);
        }
    }

    /// Reads the next bytes of the text, and calls `each` with each region that is complete. A line longer than 64 KiB is
    /// taken in several parts.
    pub fn feed(&mut self, src: &[u8], mut each: impl FnMut(Region)) {
        self.end_learning();
        self.feed_units(src, false, &mut each);
    }

    fn end_learning(&mut self) {
        if core::mem::take(&mut self.is_learning) {
            self.learn_units(&[], true);
        }
    }

    fn feed_units(&mut self, src: &[u8], last: bool, each: &mut dyn FnMut(Region)) {
        let mut units = core::mem::take(&mut self.units);
        units.push(src, last, &mut |encoding, bytes| match encoding {
            Some(encoding) => {
                self.blocks(true, each);
                self.tiles.wide(bytes, encoding, each);
            }
            None => {
                self.tiles.end_wide(each);
                let mut rest = bytes;
                while !rest.is_empty() {
                    rest = self.lines.fill(rest);
                    self.blocks(false, each);
                }
            }
        });
        self.units = units;
        if last {
            self.blocks(true, each);
        }
    }

    /// Calls `each` with the regions that are left. Nothing must be fed afterwards.
    pub fn finish(mut self, mut each: impl FnMut(Region)) {
        self.end_learning();
        self.feed_units(&[], true, &mut each);
        if let Some(region) = self.tiles.region() {
            each(region);
        }
    }

    fn blocks(&mut self, last: bool, each: &mut dyn FnMut(Region)) {
        loop {
            let len = self.lines.complete(last, end_of_lines);
            if len == 0 {
                return;
            }
            let block = self.lines.take(len);
            if !self.is_learned {
                self.learner.look(&block);
            }
            self.block(&block, each);
            self.lines.give_back(block);
        }
    }

    /// Takes whole lines.
    fn block(&mut self, block: &[u8], each: &mut dyn FnMut(Region)) {
        if block.is_ascii() {
            self.tiles.ascii(block);
            return;
        }
        let mut choices = self.learner.assign(block).into_iter();
        let utf8_is_rare = self.learner.utf8_is_rare();
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            let (text, rest) = placemat_core::checked::split_well_formed(line);
            if !rest.is_empty() {
                self.ill_formed(line, choices.next().unwrap_or_default(), each);
            } else if text.is_ascii() {
                self.tiles.ascii(line);
            } else if let Some(part) = utf8_is_rare.then(|| self.learner.by_chance(line)).flatten() {
                self.tiles.push(line, part.encoding, part.confidence, each);
            } else {
                self.tiles.push(line, Encoding::UTF_8, 1.0, each);
            }
        }
    }

    /// Takes a line that is ill-formed UTF-8.
    fn ill_formed(&mut self, line: &[u8], choice: Choice, each: &mut dyn FnMut(Region)) {
        let Choice { part, is_whole } = choice;
        if is_whole {
            self.tiles.push(line, part.encoding, part.confidence, each);
            return;
        }
        let runs = ill_formed_runs(line);
        let mut from = 0;
        for run in legacy_parts(line, &runs, leads(line, &runs)) {
            self.tiles.push(&line[from..run.start], Encoding::UTF_8, 1.0, each);
            from = run.end;
            self.tiles.push(&line[run], part.encoding, part.confidence, each);
        }
        self.tiles.push(&line[from..], Encoding::UTF_8, 1.0, each);
    }
}

/// Joins stretches to regions.
#[derive(Clone, Debug, Default)]
struct Tiles {
    /// The region that may still grow, and the weight of its confidence.
    open: Option<(Region, f32)>,
    /// The offset and the line at which the open region begins, and the bytes and line ends in it.
    offset: u64,
    line: u64,
    len: u64,
    line_ends: u64,
    /// The last byte ended a line.
    is_at_start: bool,
    /// The last bytes of a region of UTF-16 or UTF-32, which are not a unit yet.
    unit: Vec<u8>,
    /// Some region is UTF-16 or UTF-32; ASCII alone beside it counts as UTF-8.
    has_wide: bool,
}

/// The confidence in a region of UTF-16 or UTF-32.
const WIDE_CONFIDENCE: f32 = 0.99;

impl Tiles {
    /// Takes bytes that every encoding reads alike.
    fn ascii(&mut self, bytes: &[u8]) {
        self.len += bytes.len() as u64;
        self.line_ends += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.is_at_start = bytes.last().map_or(self.is_at_start, |&byte| byte == b'\n');
    }

    fn push(&mut self, bytes: &[u8], encoding: Encoding, confidence: f32, each: &mut dyn FnMut(Region)) {
        if bytes.is_empty() {
            return;
        }
        match &mut self.open {
            Some((region, count)) if region.encoding == encoding => {
                region.confidence += (confidence - region.confidence) / (*count + 1.0);
                *count += 1.0;
            }
            _ => {
                if self.open.is_some()
                    && let Some(region) = self.region()
                {
                    each(region);
                }
                let region = Region { offset: 0, len: 0, line: 0, lines: 0, encoding, confidence };
                self.open = Some((region, 1.0));
            }
        }
        self.ascii(bytes);
    }

    /// Takes bytes of UTF-16 or UTF-32.
    fn wide(&mut self, bytes: &[u8], encoding: Encoding, each: &mut dyn FnMut(Region)) {
        if self.open.is_none_or(|(region, _)| region.encoding != encoding) {
            self.has_wide = true;
            if let Some(before) = self.region() {
                each(before);
            }
            let region =
                Region { offset: 0, len: 0, line: 0, lines: 0, encoding, confidence: WIDE_CONFIDENCE };
            self.open = Some((region, 1.0));
            self.unit.clear();
        }
        self.len += bytes.len() as u64;
        let width = encoding.facts().units_per_error;
        let line_end = if is_little(encoding) { &b"\n\0\0\0"[..width] } else { &b"\0\0\0\n"[4 - width..] };
        for &byte in bytes {
            self.unit.push(byte);
            if self.unit.len() == line_end.len() {
                self.is_at_start = self.unit == line_end;
                self.line_ends += u64::from(self.is_at_start);
                self.unit.clear();
            }
        }
    }

    /// Closes a region of UTF-16 or UTF-32, after which single bytes come.
    fn end_wide(&mut self, each: &mut dyn FnMut(Region)) {
        if self.open.is_some_and(|(region, _)| is_wide(region.encoding))
            && let Some(region) = self.region()
        {
            each(region);
        }
    }

    /// Closes the open region.
    fn region(&mut self) -> Option<Region> {
        if self.len == 0 {
            return None;
        }
        let encoding = if self.has_wide { Encoding::UTF_8 } else { Encoding::US_ASCII };
        let ascii = Region { offset: 0, len: 0, line: 0, lines: 0, encoding, confidence: 1.0 };
        let (mut region, _) = self.open.take().unwrap_or((ascii, 0.0));
        region.offset = self.offset;
        region.len = self.len;
        region.line = self.line + 1;
        region.lines = self.line_ends + u64::from(!self.is_at_start);
        self.offset += self.len;
        self.line += self.line_ends;
        (self.len, self.line_ends) = (0, 0);
        Some(region)
    }
}
