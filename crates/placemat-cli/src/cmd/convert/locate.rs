//! Finds the place of a code point in the source by decoding a piece once more, slowly.

use super::clean::Cleaner;
use super::policies::{Decoding, Unmappables};
use super::source::{Source, Tracer, drop_signature};
use crate::normal::normalize;
use placemat::ErrorPolicy;
use placemat::normalize::Normalizer;
use placemat::stream::{Status, Transcoder};

/// The state before a piece.
pub(super) struct Before<'a> {
    pub(super) decoder: Transcoder<Decoding<'a>, Tracer>,
    pub(super) drops: bool,
    pub(super) cleaner: Option<Cleaner>,
    pub(super) normalizer: Option<Normalizer>,
    pub(super) encoder: Transcoder<ErrorPolicy<'static>, Unmappables<'a>>,
}

/// Returns the place in the source of the first code point of a piece that the target does not hold, or of the code
/// points that it was made from: of those that were `refused`, or also of those that were substituted. Also returns a
/// decoder that has read up to there.
pub(super) fn locate<'a>(
    source: &Source<'a>,
    before: &Before<'a>,
    mut from: u64,
    piece: &[u8],
    last: bool,
    refused: bool,
) -> (u64, Transcoder<Decoding<'a>, Tracer>) {
    let mut again = source.again(before);
    let mut decoded = Vec::new();
    let stopped = again.decode_traced(piece, last, &mut decoded);
    let dropped = usize::from(drop_signature(&mut again.drops, &mut decoded));
    let offsets = source.trace.offsets.borrow().clone();
    let mut encoder = before.encoder.clone();
    let mut room = vec![0; encoder.min_output()];
    let known = encoder.tally().unmappable.count;
    let mut holds = |text: &[u8]| {
        let mut read = 0;
        loop {
            let p = encoder.convert(&text[read..], &mut room, false);
            read += p.read;
            match p.status {
                Status::Unmappable(_) => return false,
                Status::NeedOutput => {}
                _ => return refused || encoder.tally().unmappable.count == known,
            }
        }
    };
    let mut steps = Steps::new(before);
    let mut text = Vec::new();
    let mut at = 0;
    let mut passed = dropped;
    while at < decoded.len() {
        let len = decoded[at + 1..].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count() + 1;
        let c = &decoded[at..at + len];
        let offset = offsets.get(passed).copied().unwrap_or(from);
        (at, passed) = (at + len, passed + 1);
        steps.one(c, offset, &mut from, &mut text);
        if !holds(&text) {
            return (from, source.up_to(before, piece, last, passed));
        }
        if !text.is_empty() {
            from = offset;
        }
    }
    if last || stopped.is_some() {
        text.clear();
        steps.push(&[], true, &mut text);
        holds(&text);
    }
    (from, source.up_to(before, piece, last, passed))
}

/// Returns the place in the source at which the row of marks begins that the normalizer cuts in a piece.
pub(super) fn locate_cut(
    source: &Source<'_>,
    before: &Before<'_>,
    from: u64,
    piece: &[u8],
    last: bool,
) -> u64 {
    let cuts = Steps::new(before).cuts();
    trace(source, before, from, piece, last, |steps| steps.cuts() > cuts)
}

/// Returns the place in the source of the text that is held back after a piece.
pub(super) fn locate_held(
    source: &Source<'_>,
    before: &Before<'_>,
    from: u64,
    piece: &[u8],
    last: bool,
) -> u64 {
    trace(source, before, from, piece, last, |_| false)
}

/// Passes a piece through the steps, code point by code point, until `ends`. Returns the place in the source of the text that
/// is held back then; `from` is its place before the piece.
fn trace(
    source: &Source<'_>,
    before: &Before<'_>,
    mut from: u64,
    piece: &[u8],
    last: bool,
    ends: impl Fn(&Steps) -> bool,
) -> u64 {
    let mut steps = Steps::new(before);
    let mut again = source.again(before);
    let mut decoded = Vec::new();
    again.decode_traced(piece, last, &mut decoded);
    let dropped = usize::from(drop_signature(&mut again.drops, &mut decoded));
    let offsets = source.trace.offsets.borrow();
    let mut text = Vec::new();
    let mut at = 0;
    for &offset in &offsets[dropped.min(offsets.len())..] {
        let Some(rest) = decoded.get(at + 1..) else { break };
        let len = rest.iter().take_while(|&&byte| byte & 0xC0 == 0x80).count() + 1;
        steps.one(&decoded[at..at + len], offset, &mut from, &mut text);
        at += len;
        if ends(&steps) {
            break;
        }
        if !text.is_empty() {
            from = offset;
        }
    }
    from
}

/// The steps between decoder and encoder that may hold text back.
struct Steps {
    cleaner: Option<Cleaner>,
    normalizer: Option<Normalizer>,
    clean: Vec<u8>,
    normal: String,
}

impl Steps {
    fn new(before: &Before<'_>) -> Self {
        let Before { cleaner, normalizer, .. } = before;
        Self {
            cleaner: cleaner.clone(),
            normalizer: normalizer.clone(),
            clean: Vec::new(),
            normal: String::new(),
        }
    }

    /// Passes a code point that stands at `offset`, and puts into `dst` the text that comes of it. `from` is the place of the
    /// text that was held back so far, and becomes the place where that in `dst` begins.
    fn one(&mut self, c: &[u8], offset: u64, from: &mut u64, dst: &mut Vec<u8>) {
        let is_run = self.cleaner.as_ref().is_some_and(Cleaner::is_holding);
        let is_held = self.normalizer.as_ref().is_some_and(|normalizer| !normalizer.held().is_empty());
        if !is_run && !is_held {
            *from = offset;
        }
        dst.clear();
        self.push(c, false, dst);
        // The run before it was removed as a whole.
        if is_run && !is_held && self.clean == c {
            *from = offset;
        }
    }

    fn cuts(&self) -> u64 {
        self.normalizer.as_ref().map_or(0, Normalizer::cuts)
    }

    fn push(&mut self, src: &[u8], ends: bool, dst: &mut Vec<u8>) {
        let src = match &mut self.cleaner {
            Some(cleaner) => {
                self.clean.clear();
                cleaner.push(src, ends, &mut self.clean);
                &self.clean
            }
            None => src,
        };
        match &mut self.normalizer {
            Some(normalizer) => normalize(normalizer, src, ends, &mut self.normal, dst),
            None => dst.extend_from_slice(src),
        }
    }
}

impl<'a> Source<'a> {
    /// Returns a source that decodes a piece once more.
    pub(super) fn again(&self, before: &Before<'a>) -> Self {
        Self { decoder: before.decoder.clone(), trace: self.trace.clone(), drops: before.drops, ..*self }
    }

    /// Returns the decoder in its state after this number of code points of a piece.
    fn up_to(
        &self,
        before: &Before<'a>,
        piece: &[u8],
        last: bool,
        code_points: usize,
    ) -> Transcoder<Decoding<'a>, Tracer> {
        let mut again = self.again(before);
        let mut text = vec![0; again.decoder.min_output()];
        let mut told = 0;
        let mut read = 0;
        while told < code_points {
            let rest = &piece[read..piece.len().min(read + 1)];
            let before = again.decoder.clone();
            let replaced = before.tally().replaced.count;
            let p = again.decoder.convert(rest, &mut text, last && rest.is_empty());
            read += p.read;
            if told + 1 == code_points && p.written > 0 && again.decoder.tally().replaced.count > replaced {
                // The replacement of an error is refused: then nothing was written for the error.
                return before;
            }
            told += text[..p.written].iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
            if rest.is_empty() && p.status != Status::NeedOutput {
                break;
            }
        }
        again.decoder
    }
}
