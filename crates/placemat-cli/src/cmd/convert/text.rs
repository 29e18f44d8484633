//! The text stage: what is done to the text itself between source and target, `--normalize`, and `--eol` where a line end
//! is more than units of the target.
//!
//! The source becomes UTF-8, the text is changed, and UTF-8 becomes the target. The second half lasts for the whole
//! output, so that inputs are joined as text where bytes cannot be: a shift or a window of one would hold for the next.
//!
//! Offsets in messages are those of the source all the same. Nothing is recorded on the way: when the target does not hold
//! something, the piece is decoded once more, slowly, by a decoder that tells of each code point where it stood.

use super::line_ends::LineEnds;
use super::policies::{Decoding, Policies, Unmappables};
use super::sink::{Sink, Unwritten};
use core::cell::{Cell, RefCell};
use placemat::forms::Repertoire;
use placemat::normalize::{Normalization, Normalizer};
use placemat::policy::{CodePoints, Substitute};
use placemat::stream::{Status, Tally, Transcoder};
use placemat::{CodePoint, Encoding, ErrorPolicy, IllFormed, OnUnmappable, Unmappable};
use std::rc::Rc;

/// Bytes at the end of each piece of which it is always known where their code points stood.
const TAIL: usize = 64;
/// Bytes that are decoded at a time where code points are told, so that there is always room for what they become.
const FEW: usize = 32;

/// What stopped a piece: at an offset of the source.
#[derive(Clone, Copy, Debug)]
pub(super) enum Refused {
    IllFormed(IllFormed),
    Unmappable { error: Unmappable, offset: u64 },
}

impl Refused {
    pub(super) const fn offset(&self) -> u64 {
        match self {
            Self::IllFormed(e) => e.offset(),
            Self::Unmappable { offset, .. } => *offset,
        }
    }
}

/// UTF-8 that holds what may come of the source: surrogates, and what is above U+10FFFF, only if they can.
fn between(from: Encoding, policies: &Policies<'_>) -> Encoding {
    let scalar = matches!(
        from.repertoire(),
        Repertoire::Ascii | Repertoire::Latin1 | Repertoire::Table | Repertoire::Tables | Repertoire::Scalar
    );
    if scalar && !policies.make_surrogates() { Encoding::UTF_8 } else { Encoding::UTF_8_31_BIT }
}

/// Where code points stood, one for each that was written since it was switched on.
#[derive(Debug, Default)]
struct Trace {
    on: Cell<bool>,
    offsets: RefCell<Vec<u64>>,
}

/// The policy that fills a [`Trace`]. The target holds everything, so that it is asked only because it wants to be.
#[derive(Clone, Debug)]
struct Tracer(Rc<Trace>);

impl OnUnmappable for Tracer {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        self.0.offsets.borrow_mut().push(unmappable.offset());
        CodePoints::new([unmappable.code_point()]).map_or(Substitute::Stop, Substitute::CodePoints)
    }
    fn longest(&self) -> usize {
        1
    }
    fn inspects(&self) -> bool {
        self.0.on.get()
    }
    fn intercepts(&self, _: CodePoint) -> bool {
        self.0.on.get()
    }
}

/// One input, on its way to UTF-8.
#[derive(Debug)]
pub(super) struct Source<'a> {
    decoder: Transcoder<Decoding<'a>, Tracer>,
    trace: Rc<Trace>,
    /// A signature that is to be dropped may still come.
    drops: bool,
    /// Where what the normalizer holds back began.
    held_from: u64,
    /// Where a row of marks began that was too long for it.
    cut_from: Option<u64>,
    /// What the target had not held before, and what it did not hold first of this.
    unmappable_before: u64,
    first_unmappable: Option<u64>,
}

/// The output, from UTF-8 on.
#[derive(Debug)]
pub(super) struct TextStage<'a> {
    normalizer: Option<Normalizer>,
    line_ends: Option<LineEnds>,
    encoder: Transcoder<ErrorPolicy<'static>, Unmappables<'a>>,
    decoded: Vec<u8>,
    normal: String,
    text: Vec<u8>,
    ended: Vec<u8>,
    room: Box<[u8]>,
}

/// How things stood before a piece.
struct Before<'a> {
    decoder: Transcoder<Decoding<'a>, Tracer>,
    drops: bool,
    normalizer: Option<Normalizer>,
    encoder: Transcoder<ErrorPolicy<'static>, Unmappables<'a>>,
}

impl<'a> Source<'a> {
    /// The start of an input; `drops` says that U+FEFF there is dropped.
    pub(super) fn new(policies: &Policies<'a>, from: Encoding, drops: bool, stage: &TextStage<'_>) -> Self {
        let trace = Rc::new(Trace::default());
        Self {
            decoder: policies.decoder(from, between(from, policies), Tracer(trace.clone())),
            trace,
            drops,
            held_from: 0,
            cut_from: None,
            unmappable_before: stage.encoder.tally().unmappable.count,
            first_unmappable: None,
        }
    }

    /// The same, with code points counted.
    pub(super) fn counting(mut self) -> Self {
        self.decoder = self.decoder.counting();
        self
    }

    /// What this input had.
    pub(super) fn tally(&self, stage: &TextStage<'_>) -> Tally {
        let mut tally = self.decoder.tally();
        tally.unmappable.count = stage.encoder.tally().unmappable.count - self.unmappable_before;
        tally.unmappable.first = self.first_unmappable;
        tally
    }

    /// Where what is held back of it began; `None` if nothing is.
    pub(super) fn held_from(&self, stage: &TextStage<'_>) -> Option<u64> {
        stage.normalizer.as_ref().filter(|normalizer| !normalizer.held().is_empty()).map(|_| self.held_from)
    }

    /// Where the first row of marks began that was too long to be brought into the normal form as a whole.
    pub(super) const fn cut_from(&self) -> Option<u64> {
        self.cut_from
    }

    /// Decodes `src`, in which errors may stop it; appends to `dst`.
    fn decode(&mut self, src: &[u8], last: bool, dst: &mut Vec<u8>) -> Option<IllFormed> {
        let least = self.decoder.min_output();
        let mut read = 0;
        loop {
            let start = dst.len();
            dst.resize(start + least + 2 * (src.len() - read), 0);
            let p = self.decoder.convert(&src[read..], &mut dst[start..], last);
            read += p.read;
            dst.truncate(start + p.written);
            match p.status {
                Status::Done | Status::NeedInput => return None,
                Status::NeedOutput | Status::Unmappable(_) => {}
                Status::IllFormed(e) => return Some(e),
            }
        }
    }

    /// The same, and [`Trace::offsets`] tells where each of the code points stood that were appended.
    fn decode_traced(&mut self, src: &[u8], last: bool, dst: &mut Vec<u8>) -> Option<IllFormed> {
        self.trace.offsets.borrow_mut().clear();
        self.trace.on.set(true);
        let least = self.decoder.min_output();
        let mut pieces = src.chunks(FEW).peekable();
        let mut stopped = None;
        loop {
            let piece = pieces.next().unwrap_or_default();
            let last = last && pieces.peek().is_none();
            let mut read = 0;
            while stopped.is_none() {
                let start = dst.len();
                // Every byte can be an error with a replacement of its own.
                dst.resize(start + (FEW + 1) * least, 0);
                let p = self.decoder.convert(&piece[read..], &mut dst[start..], last);
                read += p.read;
                dst.truncate(start + p.written);
                match p.status {
                    Status::Done | Status::NeedInput => break,
                    Status::NeedOutput | Status::Unmappable(_) => {}
                    Status::IllFormed(e) => stopped = Some(e),
                }
            }
            if stopped.is_some() || pieces.peek().is_none() {
                break;
            }
        }
        self.trace.on.set(false);
        stopped
    }
}

impl<'a> TextStage<'a> {
    pub(super) fn new(
        policies: &Policies<'a>,
        normalization: Option<Normalization>,
        line_ends: Option<LineEnds>,
        (from, to): (Encoding, Encoding),
    ) -> Self {
        let encoder = policies.encoder(between(from, policies), to);
        Self {
            normalizer: normalization.map(Normalizer::new),
            line_ends,
            room: vec![0; super::OUTPUT.max(encoder.min_output())].into(),
            encoder,
            decoded: Vec::new(),
            normal: String::new(),
            text: Vec::new(),
            ended: Vec::new(),
        }
    }

    /// Writes the signature of the target, as the text that it is.
    pub(super) fn sign(&mut self, sink: &mut Sink) -> Result<(), Unwritten> {
        self.encode("\u{FEFF}".as_bytes(), sink).map(|_| ())
    }

    /// Takes a piece of the input; `last` says that the input ends with it.
    pub(super) fn piece(
        &mut self,
        source: &mut Source<'a>,
        piece: &[u8],
        last: bool,
        sink: &mut Sink,
    ) -> Result<Option<Refused>, Unwritten> {
        let before = Before {
            decoder: source.decoder.clone(),
            drops: source.drops,
            normalizer: self.normalizer.clone(),
            encoder: self.encoder.clone(),
        };
        let held_before = source.held_from;
        let mut decoded = core::mem::take(&mut self.decoded);
        decoded.clear();
        let mut stopped;
        if self.normalizer.is_some() {
            let (most, tail) = piece.split_at(piece.len().saturating_sub(TAIL));
            stopped = if most.is_empty() { None } else { source.decode(most, false, &mut decoded) };
            if stopped.is_none() {
                stopped = source.decode_traced(tail, last, &mut decoded);
            }
        } else {
            stopped = source.decode(piece, last, &mut decoded);
        }
        drop_signature(&mut source.drops, &mut decoded);
        let unmappable = self.encoder.tally().unmappable.count;
        let ends = last || stopped.is_some();
        let refused = self.push(&decoded, ends, sink)?;
        let cuts = |normalizer: &Option<Normalizer>| normalizer.as_ref().map_or(0, Normalizer::cuts);
        if source.cut_from.is_none() && cuts(&self.normalizer) > cuts(&before.normalizer) {
            source.cut_from = Some(locate_cut(source, &before, held_before, piece, last));
        }
        if let Some(normalizer) = &self.normalizer
            && !normalizer.held().is_empty()
        {
            source.held_from = self.held_from(source, &before, piece, last, decoded.len());
        }
        self.decoded = decoded;
        let met = self.encoder.tally().unmappable.count > unmappable;
        if met && source.first_unmappable.is_none() {
            source.first_unmappable = Some(locate(source, &before, held_before, piece, last, false).0);
        }
        let Some(error) = refused else { return Ok(stopped.map(Refused::IllFormed)) };
        let (offset, decoder) = locate(source, &before, held_before, piece, last, true);
        // What stands behind was decoded for nothing.
        source.decoder = decoder;
        if let Some(normalizer) = &mut self.normalizer {
            normalizer.finish(&mut String::new());
        }
        if let Some(line_ends) = &mut self.line_ends {
            line_ends.finish(&mut Vec::new());
        }
        Ok(Some(Refused::Unmappable { error, offset }))
    }

    /// Where in the source began what the normalizer holds back after a piece.
    fn held_from(
        &self,
        source: &Source<'a>,
        before: &Before<'a>,
        piece: &[u8],
        last: bool,
        decoded: usize,
    ) -> u64 {
        let held = self.normalizer.as_ref().map_or("", Normalizer::held);
        let known = before.normalizer.as_ref().map_or("", Normalizer::held);
        let count = held.chars().count();
        let from_end = |offsets: &[u64]| offsets.len().checked_sub(count).map(|at| offsets[at]);
        if let Some(offset) = from_end(&source.trace.offsets.borrow()) {
            return offset;
        }
        if !known.is_empty() && held.len() == known.len() + decoded {
            // Nothing of it went on.
            return source.held_from;
        }
        let mut again = source.again(before);
        again.decode_traced(piece, last, &mut Vec::new());
        from_end(&source.trace.offsets.borrow()).unwrap_or(source.held_from)
    }

    /// Text on its way to the target; `ends` says that nothing of it is to be held back.
    fn push(&mut self, decoded: &[u8], ends: bool, sink: &mut Sink) -> Result<Option<Unmappable>, Unwritten> {
        let mut text = core::mem::take(&mut self.text);
        text.clear();
        match &mut self.normalizer {
            Some(normalizer) => normalize(normalizer, decoded, ends, &mut self.normal, &mut text),
            None => text.extend_from_slice(decoded),
        }
        if let Some(line_ends) = &mut self.line_ends {
            self.ended.clear();
            line_ends.convert(&text, &mut self.ended);
            core::mem::swap(&mut text, &mut self.ended);
        }
        let refused = self.encode(&text, sink);
        self.text = text;
        refused
    }

    fn encode(&mut self, text: &[u8], sink: &mut Sink) -> Result<Option<Unmappable>, Unwritten> {
        let mut read = 0;
        loop {
            let p = self.encoder.convert(&text[read..], &mut self.room, false);
            read += p.read;
            sink.push(&self.room[..p.written])?;
            match p.status {
                Status::Done | Status::NeedInput => return Ok(None),
                // Nothing here is ill-formed.
                Status::NeedOutput | Status::IllFormed(_) => {}
                Status::Unmappable(e) => return Ok(Some(e)),
            }
        }
    }

    /// Writes what was held back, and what closes the text.
    pub(super) fn finish(&mut self, sink: &mut Sink) -> Result<(), Unwritten> {
        if let Some(line_ends) = &mut self.line_ends {
            let mut rest = Vec::new();
            line_ends.finish(&mut rest);
            self.encode(&rest, sink)?;
        }
        loop {
            let p = self.encoder.convert(&[], &mut self.room, true);
            sink.push(&self.room[..p.written])?;
            if p.status != Status::NeedOutput {
                return Ok(());
            }
        }
    }
}

impl<'a> Source<'a> {
    /// A source that decodes a piece once more.
    fn again(&self, before: &Before<'a>) -> Self {
        Self { decoder: before.decoder.clone(), trace: self.trace.clone(), drops: before.drops, ..*self }
    }
}

/// Takes U+FEFF off the start of a text, if it is to be dropped.
fn drop_signature(drops: &mut bool, decoded: &mut Vec<u8>) -> bool {
    if !*drops || decoded.is_empty() {
        return false;
    }
    *drops = false;
    let signed = decoded.starts_with("\u{FEFF}".as_bytes());
    if signed {
        decoded.drain(..3);
    }
    signed
}

/// Normalizes text that may hold surrogates and the like: they stand between texts.
fn normalize(normalizer: &mut Normalizer, src: &[u8], ends: bool, normal: &mut String, dst: &mut Vec<u8>) {
    for chunk in src.utf8_chunks() {
        normal.clear();
        normalizer.push(chunk.valid(), normal);
        if !chunk.invalid().is_empty() {
            normalizer.finish(normal);
        }
        dst.extend_from_slice(normal.as_bytes());
        dst.extend_from_slice(chunk.invalid());
    }
    if ends {
        normal.clear();
        normalizer.finish(normal);
        dst.extend_from_slice(normal.as_bytes());
    }
}

/// Where in the source the first code point of a piece stands that the target does not hold, or those that it was made from;
/// of those that were `refused`, or also of those for which something was put. And a decoder that has read so far.
fn locate<'a>(
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
    let mut normalizer = before.normalizer.clone();
    let (mut normal, mut text) = (String::new(), Vec::new());
    let mut at = 0;
    let mut passed = dropped;
    while at < decoded.len() {
        let len = decoded[at + 1..].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count() + 1;
        let c = &decoded[at..at + len];
        let offset = offsets.get(passed).copied().unwrap_or(from);
        (at, passed) = (at + len, passed + 1);
        text.clear();
        match &mut normalizer {
            Some(normalizer) => {
                if normalizer.held().is_empty() {
                    from = offset;
                }
                normalize(normalizer, c, false, &mut normal, &mut text);
            }
            None => {
                from = offset;
                text.extend_from_slice(c);
            }
        }
        if !holds(&text) {
            return (from, source.up_to(before, piece, last, passed));
        }
        if !text.is_empty() {
            from = offset;
        }
    }
    if let Some(normalizer) = &mut normalizer
        && (last || stopped.is_some())
    {
        text.clear();
        normalize(normalizer, &[], true, &mut normal, &mut text);
        holds(&text);
    }
    (from, source.up_to(before, piece, last, passed))
}

/// Where in the source the row of marks began that the normalizer cuts in a piece.
fn locate_cut(source: &Source<'_>, before: &Before<'_>, mut from: u64, piece: &[u8], last: bool) -> u64 {
    let Some(mut normalizer) = before.normalizer.clone() else { return from };
    let mut again = source.again(before);
    let mut decoded = Vec::new();
    again.decode_traced(piece, last, &mut decoded);
    let dropped = usize::from(drop_signature(&mut again.drops, &mut decoded));
    let offsets = source.trace.offsets.borrow();
    let cuts = normalizer.cuts();
    let (mut normal, mut text) = (String::new(), Vec::new());
    let mut at = 0;
    for &offset in &offsets[dropped.min(offsets.len())..] {
        if normalizer.held().is_empty() {
            from = offset;
        }
        let Some(rest) = decoded.get(at + 1..) else { break };
        let len = rest.iter().take_while(|&&byte| byte & 0xC0 == 0x80).count() + 1;
        text.clear();
        normalize(&mut normalizer, &decoded[at..at + len], false, &mut normal, &mut text);
        at += len;
        if normalizer.cuts() > cuts {
            break;
        }
        if !text.is_empty() {
            from = offset;
        }
    }
    from
}

impl<'a> Source<'a> {
    /// The decoder as it was when it had told so many code points of a piece.
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
                // What was put for an error is refused: then nothing was put for it.
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
