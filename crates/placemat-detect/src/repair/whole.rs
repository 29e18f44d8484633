//! Text that is in one legacy encoding as a whole: it becomes what a conversion from that encoding gives.
//!
//! A file without evidence of UTF-8 is not taken apart into runs, since pairs of its bytes are well-formed UTF-8 by chance.

use super::bytes::{Lost, Mended};
use super::change::Step;
use super::edits::Why;
use super::source::Source;
use crate::detect::regions::runs::{evidence, ill_formed_runs};
use crate::detect::{Detection, Verdict};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use placemat_charsets::Encoding;
use placemat_charsets::stream::{Status, Transcoder};

/// The confidence in a detected encoding from which on a text is read in it as a whole.
const MIN_CONFIDENCE: f32 = 0.5;
/// The bytes that one edit covers at most, where an encoding has no lines of ASCII.
const MAX_EDIT_BYTES: usize = 64 * 1024;

/// Returns the encoding of the whole text, and how sure that is; `None` if it has UTF-8, as far as `found` and `shows_utf8` say, or
/// no encoding is likely. `given` is the order of the caller.
pub(super) fn encoding(
    found: &Detection,
    given: Option<Encoding>,
    shows_utf8: bool,
) -> Option<(Encoding, f32)> {
    let is_utf8 = |encoding: &Encoding| *encoding == Encoding::UTF_8;
    if let Some(encoding) = beside_wide(found) {
        let has_utf8 = shows_utf8 || is_utf8(&encoding) || given.as_ref().is_some_and(is_utf8);
        return Some((given.unwrap_or(encoding), found.confidence)).filter(|_| !has_utf8);
    }
    let has_utf8 = shows_utf8 || found.encoding.iter().chain(&found.mixed).any(is_utf8);
    if has_utf8 || given == Some(Encoding::UTF_8) {
        return None;
    }
    let detected = found.encoding.filter(|_| found.verdict == Verdict::Text);
    let is_ascii = detected == Some(Encoding::US_ASCII) || found.verdict == Verdict::Empty;
    match given {
        Some(_) if is_ascii => None,
        Some(given) => Some((given, 1.0)),
        None => detected
            .filter(|&encoding| {
                found.confidence >= MIN_CONFIDENCE
                    && found.mixed.is_empty()
                    && !is_relative(encoding)
                    && !is_ascii
            })
            .map(|encoding| (encoding, found.confidence)),
    }
}

/// The ill-formed bytes of the first lines of a text: those that may be text of a legacy encoding, and those of surrogate pairs and of
/// sequences that are truncated or overlong, which speak for UTF-8.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IllFormed {
    legacy: usize,
    damaged: usize,
}

/// The ill-formed bytes after which the shares are known.
const MAX_COUNTED_BYTES: usize = 4096;

impl IllFormed {
    /// Counts the ill-formed sequences of whole lines.
    pub(super) fn count(&mut self, block: &[u8]) {
        if self.legacy + self.damaged > MAX_COUNTED_BYTES
            || placemat_core::checked::split_well_formed(block).1.is_empty()
        {
            return;
        }
        for line in block.split(|&byte| byte == b'\n') {
            let all: usize = ill_formed_runs(line).iter().map(Range::len).sum();
            let legacy: usize = evidence(line).iter().map(Range::len).sum();
            self.legacy += legacy;
            self.damaged += all - legacy.min(all);
        }
    }

    /// Returns `true` if most ill-formed sequences are not damaged UTF-8.
    pub(super) fn are_legacy(self) -> bool {
        self.legacy > self.damaged
    }
}

/// Returns the only encoding of single bytes beside UTF-16 and UTF-32.
fn beside_wide(found: &Detection) -> Option<Encoding> {
    let is_wide = |encoding: &Encoding| Source::of_wide(*encoding).is_some();
    let mut singles = found.mixed.iter().copied().filter(|encoding| !is_wide(encoding));
    let single = singles.next().filter(|_| found.mixed.iter().any(is_wide))?;
    singles.next().is_none().then_some(single)
}

/// Returns `true` if an encoding differs from UTF-8 only in sequences that other steps read, or is one of code units.
fn is_relative(encoding: Encoding) -> bool {
    encoding.facts().utf8_markers || Source::of_wide(encoding).is_some()
}

/// Returns `true` if an encoding has the lines of ASCII, each of which can be read by itself.
fn has_ascii(encoding: Encoding) -> bool {
    encoding.is_ascii_compatible() || encoding.takes_escapes() && encoding.max_bytes() <= 4
}

/// A reader of text in one encoding.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    encoding: Encoding,
    confidence: f32,
    transcoder: Transcoder,
    /// The number of bytes that the detector has read.
    read: u64,
    /// The last block ended inside a line, so that the next may begin inside a character.
    is_open: bool,
}

impl Whole {
    pub(super) fn new((encoding, confidence): (Encoding, f32)) -> Self {
        Self {
            encoding,
            confidence,
            transcoder: Transcoder::new(encoding, Encoding::UTF_8).ending_shifted(),
            read: 0,
            is_open: false,
        }
    }

    pub(super) const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns a reader of the next stretch.
    pub(super) fn begin_again(self) -> Self {
        Self::new((self.encoding, self.confidence))
    }

    /// Reads whole lines, or the next bytes if the encoding does not have the lines of ASCII; `is_last` ends the text.
    pub(super) fn block(&mut self, block: &[u8], is_last: bool, lost: Lost) -> Mended {
        let mut mended = Mended { text: String::with_capacity(block.len() * 2), edits: Vec::new() };
        if !has_ascii(self.encoding) {
            self.stretch(block, 0..block.len(), is_last, lost, &mut mended);
            return mended;
        }
        let mut at = 0;
        loop {
            let is_open = core::mem::take(&mut self.is_open);
            let start = if is_open { Some(0) } else { block[at..].iter().position(|byte| !byte.is_ascii()) };
            let Some(start) = start.map(|next| at + next) else { break };
            let line =
                block[start..].iter().position(|&byte| byte == b'\n').map_or(block.len(), |len| start + len);
            let mut end = if self.encoding.max_bytes() == 1 {
                block[start..line].iter().position(u8::is_ascii).map_or(line, |len| start + len)
            } else {
                // The rest of the line, as far as a character can end with bytes of ASCII.
                let last = block[start..line].iter().rposition(|byte| !byte.is_ascii()).unwrap_or(0);
                line.min(start + last + self.encoding.max_bytes())
            };
            if is_open && end == start {
                end = block.len().min(self.encoding.max_bytes());
            }
            mended.keep(block, at, start);
            self.is_open = end == block.len() && !is_last;
            self.stretch(block, start..end, !self.is_open, lost, &mut mended);
            at = end;
            if self.is_open {
                break;
            }
            self.transcoder.reset();
            self.read = 0;
        }
        mended.keep(block, at, block.len());
        mended
    }

    /// Reads a part of a block.
    fn stretch(&mut self, block: &[u8], part: Range<usize>, is_last: bool, lost: Lost, to: &mut Mended) {
        let most = (part.len() * 3).min(MAX_EDIT_BYTES).max(self.transcoder.min_output());
        let mut room = vec![0; most];
        let why = Why { confidence: self.confidence, ..Why::certain(Step::Bytes, &[self.encoding]) };
        // Up to `done`, the bytes are in an edit; an ill-formed sequence may have been read before it is reported.
        let (mut at, mut done) = (part.start, part.start);
        let before = self.read;
        self.read += part.len() as u64;
        loop {
            let p = self.transcoder.convert(&block[at..part.end], &mut room, is_last);
            at += p.read;
            let ill_formed = match p.status {
                Status::IllFormed(e) => {
                    let start = part.start + usize::try_from(e.offset().saturating_sub(before)).unwrap_or(0);
                    let start = start.clamp(done, at);
                    Some(start..(start + e.len()).min(at))
                }
                _ => None,
            };
            let good = ill_formed.as_ref().map_or(at, |range| range.start);
            if good > done || p.written > 0 {
                to.put(done..good, &String::from_utf8_lossy(&room[..p.written]), &why);
                done = good;
            }
            if let Some(range) = ill_formed {
                done = range.end;
                to.lose_one(block, range, lost);
            }
            if matches!(p.status, Status::Done | Status::NeedInput) {
                return;
            }
        }
    }
}
