//! The text stage: the steps on the text itself between source and target: `--clean`, `--normalize`, and `--eol` where a line end
//! is more than units of the target.
//!
//! The source becomes UTF-8, the text is changed, and UTF-8 becomes the target. The second half runs for the whole
//! output, so that inputs are joined as text where bytes cannot be: a shift or a window of one would hold for the next.
//!
//! Offsets in messages are still those of the source. Nothing is recorded on the way: when the target does not hold
//! something, the piece is decoded once more, slowly, by a decoder that tells of each code point where it stood.

use super::clean::Cleaner;
use super::line_ends::LineEnds;
use super::locate::{Before, locate, locate_cut, locate_held};
use super::padding::Padding;
use super::pieces::OUTPUT;
use super::policies::{Policies, Unmappables};
use super::sink::{Sink, Unwritten};
use super::source::{Source, between, drop_signature};
use crate::normal::normalize;
use placemat::normalize::{Normalization, Normalizer};
use placemat::stream::{Status, Tally, Transcoder};
use placemat::{Encoding, ErrorPolicy, IllFormed, Unmappable};

/// Bytes at the end of each piece for which the places of the code points are always known.
const TAIL: usize = 64;

/// The reason to stop in a piece, with an offset of the source.
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

/// The reason to stop while text is written.
enum Stop {
    Unmappable(Unmappable),
    Unwritten(Unwritten),
}

/// The output, from UTF-8 on.
#[derive(Debug)]
pub(super) struct TextStage<'a> {
    cleaner: Option<Cleaner>,
    normalizer: Option<Normalizer>,
    padding: Option<Padding>,
    line_ends: Option<LineEnds>,
    encoder: Transcoder<ErrorPolicy<'static>, Unmappables<'a>>,
    decoded: Vec<u8>,
    clean: Vec<u8>,
    normal: String,
    text: Vec<u8>,
    ended: Vec<u8>,
    room: Box<[u8]>,
}

impl<'a> TextStage<'a> {
    pub(super) fn new(
        policies: &Policies<'a>,
        cleaner: Option<Cleaner>,
        normalization: Option<Normalization>,
        padding: Option<Padding>,
        line_ends: Option<LineEnds>,
        (from, to): (Encoding, Encoding),
    ) -> Self {
        let encoder = policies.encoder(between(from, policies), to);
        Self {
            cleaner,
            normalizer: normalization.map(Normalizer::new),
            padding,
            line_ends,
            room: vec![0; OUTPUT.max(encoder.min_output())].into(),
            encoder,
            decoded: Vec::new(),
            clean: Vec::new(),
            normal: String::new(),
            text: Vec::new(),
            ended: Vec::new(),
        }
    }

    /// Returns the start of an input; `drops`: U+FEFF there is dropped.
    pub(super) fn source(&self, policies: &Policies<'a>, from: Encoding, drops: bool) -> Source<'a> {
        Source::new(policies, from, drops, self.encoder.tally().unmappable.count)
    }

    /// Returns the counts of an input.
    pub(super) fn tally(&self, source: &Source<'_>) -> Tally {
        let mut tally = source.decoder.tally();
        tally.unmappable.count = self.encoder.tally().unmappable.count - source.unmappable_before;
        tally.unmappable.first = source.first_unmappable;
        tally
    }

    /// Returns the start of the text of an input that is held back; `None` if there is none.
    pub(super) fn held_back_from(&self, source: &Source<'_>) -> Option<u64> {
        let holds = self.normalizer.as_ref().is_some_and(|normalizer| !normalizer.held().is_empty())
            || self.cleaner.as_ref().is_some_and(Cleaner::is_holding);
        holds.then_some(source.held_from)
    }

    /// Writes the signature of the target as text.
    pub(super) fn sign(&mut self, sink: &mut Sink) -> Result<(), Unwritten> {
        if let Some(cleaner) = &mut self.cleaner {
            cleaner.begin();
        }
        self.encode("\u{FEFF}".as_bytes(), sink).map(|_| ())
    }

    /// Takes a piece of the input; `last`: the input ends with it. `instead` is the text to write for it, if it is not its own.
    pub(super) fn piece(
        &mut self,
        source: &mut Source<'a>,
        piece: &[u8],
        last: bool,
        instead: Option<&str>,
        sink: &mut Sink,
    ) -> Result<Option<Refused>, Unwritten> {
        let before = Before {
            decoder: source.decoder.clone(),
            drops: source.drops,
            cleaner: self.cleaner.clone(),
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
        if let Some(text) = instead {
            decoded.clear();
            decoded.extend_from_slice(text.as_bytes());
        }
        let unmappable = self.encoder.tally().unmappable.count;
        let ends = last || stopped.is_some();
        let refused = self.push(&decoded, ends, sink)?;
        let cuts = |normalizer: &Option<Normalizer>| normalizer.as_ref().map_or(0, Normalizer::cuts);
        if source.cut_from.is_none() && cuts(&self.normalizer) > cuts(&before.normalizer) {
            source.cut_from = Some(locate_cut(source, &before, held_before, piece, last));
        }
        if self.cleaner.is_some() {
            if self.held_back_from(source).is_some() {
                source.held_from = locate_held(source, &before, held_before, piece, last);
            }
        } else if let Some(normalizer) = &self.normalizer
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
        // The text after this place was decoded in vain.
        source.decoder = decoder;
        if let Some(cleaner) = &mut self.cleaner {
            cleaner.drop_held();
        }
        if let Some(normalizer) = &mut self.normalizer {
            normalizer.finish(&mut String::new());
        }
        if let Some(line_ends) = &mut self.line_ends {
            line_ends.finish(&mut Vec::new());
        }
        Ok(Some(Refused::Unmappable { error, offset }))
    }

    /// Returns the place in the source of the text that the normalizer holds back after a piece.
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
            // None of it was passed on.
            return source.held_from;
        }
        let mut again = source.again(before);
        again.decode_traced(piece, last, &mut Vec::new());
        from_end(&source.trace.offsets.borrow()).unwrap_or(source.held_from)
    }

    /// Passes text to the target; `ends`: none of it is held back.
    fn push(&mut self, decoded: &[u8], ends: bool, sink: &mut Sink) -> Result<Option<Unmappable>, Unwritten> {
        let decoded = match &mut self.cleaner {
            Some(cleaner) => {
                self.clean.clear();
                cleaner.push(decoded, ends, &mut self.clean);
                &self.clean
            }
            None => decoded,
        };
        let mut text = core::mem::take(&mut self.text);
        text.clear();
        match &mut self.normalizer {
            Some(normalizer) => normalize(normalizer, decoded, ends, &mut self.normal, &mut text),
            None => text.extend_from_slice(decoded),
        }
        let refused = match self.padding.take() {
            Some(mut padding) => {
                let refused = self.through(&mut padding, |padding, write| padding.push(&text, write), sink);
                self.padding = Some(padding);
                refused
            }
            None => self.end_lines(&text, sink),
        };
        self.text = text;
        refused
    }

    /// An input ends: drops the padding at its end, or writes it if the conversion stopped at an error after it.
    pub(super) fn end_input(&mut self, drops: bool, sink: &mut Sink) -> Result<(), Unwritten> {
        let Some(mut padding) = self.padding.take() else { return Ok(()) };
        if drops {
            padding.drop_run();
        }
        let refused = self.through(&mut padding, |padding, write| padding.put(write), sink);
        self.padding = Some(padding);
        refused.map(|_| ())
    }

    /// Writes the filtered text, up to an unmappable code point.
    fn through(
        &mut self,
        padding: &mut Padding,
        pass: impl FnOnce(&mut Padding, &mut dyn FnMut(&[u8]) -> Result<(), Stop>) -> Result<(), Stop>,
        sink: &mut Sink,
    ) -> Result<Option<Unmappable>, Unwritten> {
        let mut write = |part: &[u8]| match self.end_lines(part, sink) {
            Ok(None) => Ok(()),
            Ok(Some(error)) => Err(Stop::Unmappable(error)),
            Err(unwritten) => Err(Stop::Unwritten(unwritten)),
        };
        match pass(padding, &mut write) {
            Ok(()) => Ok(None),
            Err(Stop::Unmappable(error)) => Ok(Some(error)),
            Err(Stop::Unwritten(unwritten)) => Err(unwritten),
        }
    }

    /// Converts the line ends of text, and passes it to the target.
    fn end_lines(&mut self, text: &[u8], sink: &mut Sink) -> Result<Option<Unmappable>, Unwritten> {
        let Some(line_ends) = &mut self.line_ends else { return self.encode(text, sink) };
        let mut ended = core::mem::take(&mut self.ended);
        ended.clear();
        line_ends.convert(text, &mut ended);
        let refused = self.encode(&ended, sink);
        self.ended = ended;
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

    /// Writes the text that was held back, and closes the text.
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
