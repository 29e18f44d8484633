//! Streams in which text in UTF-16 or UTF-32 stands beside text in single bytes.

use super::blocks::Blocks;
use super::certain::binary_format;
use super::judge;
use super::split::{Splitter, at_start, is_wide};
use super::stages::Stages;
use super::verdict::{Basis, Candidate, Damage, Detection, Verdict};
use alloc::boxed::Box;
use alloc::vec::Vec;
use placemat_charsets::Encoding;

/// The highest confidence in a stream of several units, and the confidence in the single bytes that it needs.
const MAX_CONFIDENCE: f32 = 0.99;
const MIN_SINGLE_BYTES_CONFIDENCE: f32 = 0.5;
/// From this many bytes on, a stream with many NULs outside of text is given up: it is binary.
const MIN_BINARY_BYTES: u64 = 8 * 1024;
/// One NUL in this number of single bytes is too many.
const SINGLE_BYTES_PER_NUL: u64 = 500;

/// The number of stretches of single bytes whose places are kept.
const MAX_PLACES: usize = 1024;

/// Looks for stretches of UTF-16 and UTF-32, from the first block with a NUL on.
#[derive(Clone, Debug, Default)]
pub(super) enum MixedUnits {
    /// No sign of mixed units has been seen.
    #[default]
    None,
    Some(Box<Split>),
    /// The stream is binary data, so the search has ended.
    GivenUp,
}

/// The stretches so far.
#[derive(Clone, Debug)]
pub(super) struct Split {
    splitter: Splitter,
    /// The stages for the single bytes alone.
    singles: Stages,
    blocks: Blocks,
    /// The bytes of each encoding of two or four bytes a unit, in the order in which they were found.
    wide: Vec<(Encoding, u64)>,
    /// The single bytes, and the NULs among them, since this search began.
    bytes: u64,
    nuls: u64,
    places: Places,
}

/// The places of the single bytes in the stream.
#[derive(Clone, Debug)]
struct Places {
    /// The offset of each stretch among the single bytes, and in the stream; the first ones.
    starts: Vec<(u64, u64)>,
    /// The numbers of single bytes and of all bytes so far.
    singles: u64,
    all: u64,
    is_single: bool,
    is_full: bool,
}

impl Places {
    /// Returns the places of a stream of which `len` bytes are before the search, all of them single.
    fn after(len: u64) -> Self {
        Self { starts: [(0, 0)].into(), singles: len, all: len, is_single: true, is_full: false }
    }

    /// Adds a stretch.
    fn add(&mut self, len: u64, is_single: bool) {
        if is_single {
            if !self.is_single && self.starts.len() < MAX_PLACES {
                self.starts.push((self.singles, self.all));
            } else if !self.is_single {
                self.is_full = true;
            }
            // The last place that is kept ends here.
            self.singles += if self.is_full { 0 } else { len };
        }
        self.all += len;
        self.is_single = is_single;
    }

    /// Returns the offset in the stream of a single byte; `None` if its place was not kept.
    fn of(&self, single: u64) -> Option<u64> {
        let (own, all) = self.starts.iter().rev().find(|&&(own, _)| own <= single)?;
        (single < self.singles).then_some(all + single - own)
    }
}

impl MixedUnits {
    /// Reads a block. `stages` has seen neither it nor `before`, the block before it.
    pub(super) fn block(&mut self, block: &[u8], stages: &Stages, before: &[u8], last: bool) {
        let mut is_new = false;
        if matches!(self, Self::None) {
            let has_nul = block.contains(&0);
            if !has_nul && block.is_ascii() {
                return;
            }
            let head = [&stages.head, before, block].into_iter().find(|head| !head.is_empty());
            let is_start = stages.len == 0 && before.is_empty();
            let start = is_start.then(|| at_start(block)).flatten();
            if start.is_none() {
                if !has_nul {
                    return;
                }
                // The search takes ten times as long as all else in a detector.
                if head.is_some_and(|head| binary_format(head, true).is_some()) {
                    *self = Self::GivenUp;
                    return;
                }
            }
            *self = Self::Some(Box::new(Split {
                splitter: Splitter::new(start),
                singles: stages.clone(),
                blocks: Blocks::default(),
                wide: Vec::new(),
                bytes: 0,
                nuls: 0,
                places: Places::after(stages.len),
            }));
            is_new = true;
        }
        let Self::Some(split) = self else { return };
        let Split { splitter, singles, blocks, wide, bytes, nuls, places } = &mut **split;
        let mut take = |encoding: Option<Encoding>, stretch: &[u8]| {
            places.add(stretch.len() as u64, encoding.is_none());
            match encoding {
                Some(encoding) => match wide.iter_mut().find(|(own, _)| *own == encoding) {
                    Some((_, len)) => *len += stretch.len() as u64,
                    None => wide.push((encoding, stretch.len() as u64)),
                },
                None => {
                    *bytes += stretch.len() as u64;
                    *nuls += stretch.iter().filter(|&&byte| byte == 0).count() as u64;
                    blocks.feed(stretch, |block| singles.block(block, false));
                }
            }
        };
        if is_new {
            splitter.push(before, false, &mut take);
        }
        splitter.push(block, last, &mut take);
        if *bytes > MIN_BINARY_BYTES && *nuls * SINGLE_BYTES_PER_NUL > *bytes {
            *self = Self::GivenUp;
        }
    }

    /// Marks the result for the whole stream if the stream is mixed.
    pub(super) fn finish(self, found: Detection) -> Detection {
        let Self::Some(split) = self else { return found };
        let Split { mut singles, blocks, wide, places, .. } = *split;
        singles.block(blocks.rest(), true);
        let single_len = singles.len;
        let wide_len: u64 = wide.iter().map(|(_, len)| len).sum();
        // A single byte is half of a truncated unit, or a stray one.
        if single_len < 2 && wide.len() < 2 || wide_len == 0 || found.verdict == Verdict::Empty {
            return found;
        }
        let mut parts = wide;
        let mut confidence = MAX_CONFIDENCE;
        let mut language = None;
        let mut damage = None;
        if single_len > 0 {
            let single = judge::judge(&mut singles);
            let Some(encoding) = single.encoding.filter(|&encoding| {
                single.verdict == Verdict::Text
                    && single.confidence >= MIN_SINGLE_BYTES_CONFIDENCE
                    && !is_wide(encoding)
            }) else {
                return found;
            };
            // ASCII is in the encoding that is declared nowhere.
            let encoding = if encoding == Encoding::US_ASCII { Encoding::UTF_8 } else { encoding };
            confidence = confidence.min(single.confidence);
            language = single.language;
            damage =
                single.damage.and_then(|damage| Some(Damage { first: places.of(damage.first)?, ..damage }));
            let others: Vec<Encoding> = single.mixed.into_iter().filter(|&other| other != encoding).collect();
            parts.push((encoding, single_len));
            parts.extend(others.into_iter().map(|other| (other, 0)));
        }
        parts.sort_by_key(|&(_, len)| core::cmp::Reverse(len));
        let mut found = found;
        found.text(parts[0].0, confidence, Basis::Structure);
        found.candidates = parts
            .iter()
            .map(|&(encoding, _)| Candidate { encoding, language: None, confidence, same_text: false })
            .collect();
        found.language = language;
        found.damage = damage;
        found.mixed = parts.into_iter().map(|(encoding, _)| encoding).collect();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_bytes_have_their_places_in_the_stream() {
        let mut places = Places::after(10);
        for (len, is_single) in [(5, true), (8, false), (4, true), (2, true), (6, false), (1, true)] {
            places.add(len, is_single);
        }
        for (single, all) in [(0, 0), (9, 9), (14, 14), (15, 23), (20, 28), (21, 35)] {
            assert_eq!(places.of(single), Some(all), "{single}");
        }
        assert_eq!(places.of(22), None);
        // Those beyond the last place that is kept are unknown.
        for _ in 0..MAX_PLACES {
            places.add(2, false);
            places.add(1, true);
        }
        assert!(places.starts.len() == MAX_PLACES && places.of(places.singles).is_none());
        assert_eq!(places.of(places.singles - 1), Some(35 + 3 * (places.singles - 22)));
    }

    #[test]
    fn damage_beside_utf_16_is_told_where_it_is() {
        let wide: Vec<u8> =
            "\u{FEFF}Grüße, this is a line\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut src = wide.clone();
        src.extend("Ελληνικά και άλλα γράμματα, ".repeat(9).bytes());
        let at = src.len() as u64;
        src.extend(b"\xFF ");
        src.extend("και άλλα\n".bytes());
        let found = crate::detect(&src);
        assert_eq!(found.mixed, [Encoding::UTF_8, Encoding::UTF_16LE]);
        assert_eq!(found.damage.map(|damage| (damage.ill_formed, damage.first)), Some((1, at)));
    }
}
