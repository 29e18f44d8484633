//! From decoded text back to the bytes of the source that it comes from.
//!
//! In UTF-8 both are the same. From any other encoding the text is decoded a second time, fast up
//! to shortly before the place that is asked for, and then byte by byte: a code point that a byte
//! completes belongs to the bytes since the last one. So this works for every encoding there is.
//! Shifts are with what follows them; of several code points in the same bytes, each has them.

use super::around::{Around, Decoder};
use core::ops::Range;
use placemat::Encoding;

/// The distance before a place at which fast decoding ends: more than the text of one byte.
const BYTEWISE_DISTANCE_BYTES: usize = 64;

/// The origin of the text of a piece.
pub(crate) struct Origin<'a> {
    pub(super) source: &'a [u8],
    /// Offset in the stream of the first byte of `source`.
    pub(super) base: u64,
    /// Whether the stream ends with `source`.
    pub(super) last: bool,
    /// Whether the stream ends with the text of the piece.
    pub(crate) is_end: bool,
    pub(super) encoding: Encoding,
    pub(super) way: Way<'a>,
}

/// The way to the source.
pub(super) enum Way<'a> {
    /// The text stands in the source, from here on.
    InPlace(usize),
    /// The text was decoded from the bytes before `limit`.
    Decoded { locator: &'a mut Locator, limit: usize },
}

impl Origin<'_> {
    /// Returns the bytes of a range of the text and their surroundings. Ranges must be in order.
    pub(crate) fn find(&mut self, range: Range<usize>) -> Around<'_> {
        let Self { source, base, last, encoding, .. } = *self;
        match &mut self.way {
            Way::InPlace(at) => {
                let (start, end) = (*at + range.start, *at + range.end);
                Around { source, base, start, end, last, decoder: None, encoding }
            }
            Way::Decoded { locator, limit } => {
                let (start, end) = locator.find(&source[..*limit], last, range);
                let decoder = Some(&locator.decoder);
                Around { source, base, start, end, last, decoder, encoding }
            }
        }
    }
}

/// Decodes a second time, as far as needed.
#[derive(Debug)]
pub(super) struct Locator {
    decoder: Decoder,
    /// The number of bytes of the source that were decoded.
    fed: usize,
    /// Pairs of ends in the text and in the source, from the last request on. Never empty.
    known: Vec<(usize, usize)>,
}

impl Locator {
    pub(super) fn new(decoder: Decoder) -> Self {
        Self { decoder, fed: 0, known: vec![(0, 0)] }
    }

    /// Goes on from here: `fed` of the source was decoded by `decoder`, and the next text comes from `at` on.
    pub(super) fn reset(&mut self, decoder: &Decoder, fed: usize, at: usize) {
        *self = Self { decoder: decoder.clone(), fed, known: vec![(0, at)] };
    }

    /// Returns the start of the source of the next text.
    pub(super) fn at(&self) -> usize {
        self.known.first().map_or(self.fed, |&(_, at)| at)
    }

    /// The piece is over after `len` bytes of text; the next one starts there.
    pub(super) fn pass(&mut self, source: &[u8], last: bool, len: usize) {
        let start = self.start(source, last, len);
        self.known.retain(|&(text, _)| text > len);
        self.known.insert(0, (len, start));
        for (text, _) in &mut self.known {
            *text -= len;
        }
    }

    /// The source lost `by` bytes at its front.
    pub(super) fn moved(&mut self, by: usize) {
        self.fed = self.fed.saturating_sub(by);
        for (_, at) in &mut self.known {
            *at = at.saturating_sub(by);
        }
    }

    fn find(&mut self, source: &[u8], last: bool, range: Range<usize>) -> (usize, usize) {
        let start = self.start(source, last, range.start);
        self.go_to(source, last, range.end);
        let end = self.known.iter().find(|&&(text, _)| text >= range.end).or(self.known.last());
        (start, end.map_or(start, |&(_, at)| at.max(start)))
    }

    /// Returns the start of the source of the text from `to` on. Earlier pairs are dropped.
    fn start(&mut self, source: &[u8], last: bool, to: usize) -> usize {
        self.go_to(source, last, to);
        let before = self.known.iter().rposition(|&(text, _)| text <= to).unwrap_or(0);
        self.known.drain(..before);
        self.at()
    }

    fn go_to(&mut self, source: &[u8], last: bool, to: usize) {
        while let far @ 1.. = to.saturating_sub(self.known.last().map_or(0, |&(text, _)| text)) {
            if far > 2 * BYTEWISE_DISTANCE_BYTES && self.leap(source, far - BYTEWISE_DISTANCE_BYTES) {
                continue;
            }
            if !self.step(source, last) {
                return;
            }
        }
    }

    /// Decodes at most `len` bytes of text. Returns whether it yielded text.
    fn leap(&mut self, source: &[u8], len: usize) -> bool {
        let mut text = [0; 8 * 1024];
        let room = len.min(text.len());
        let p = self.decoder.convert(&source[self.fed..], &mut text[..room], false);
        self.note(p.read, p.written);
        p.written > 0
    }

    /// Decodes one byte, or the end of the stream. Returns whether there was any.
    fn step(&mut self, source: &[u8], last: bool) -> bool {
        let mut text = [0; 256];
        let byte = &source[self.fed..source.len().min(self.fed + 1)];
        let p = self.decoder.convert(byte, &mut text, last && byte.is_empty());
        self.note(p.read, p.written);
        p.read > 0 || p.written > 0
    }

    fn note(&mut self, read: usize, written: usize) {
        self.fed += read;
        if written > 0 {
            let passed = self.known.last().map_or(0, |&(text, _)| text);
            self.known.push((passed + written, self.fed));
        }
    }
}
