//! A part of a text divided into tokens: each code point and each ill-formed sequence, with its
//! bytes and its position.

use crate::encodings::holds_more_than_utf8;
use crate::json::Json;
use crate::scan::{BYTES_AFTER, BYTES_BEFORE, Scan};
use placemat::stream::{Status, Transcoder};
use placemat::{CodePoint, Encoding, IllFormed};
use placemat_diagnose::lines::{Place, Tracker};
use placemat_diagnose::{Case, Diagnosis, Part};

/// The position of a part of a text: the offset at which its bytes begin, and the requested range.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The offset of a mark.
    pub mark: u64,
    /// The start of the range: tokens that have bytes from here on are wanted.
    pub from: u64,
    /// The end of the range: tokens that begin before here are wanted.
    pub to: u64,
    /// The number of available bytes before the mark.
    pub before: usize,
    /// Whether the text ends with the bytes.
    pub last: bool,
}

/// Distance before the range, in bytes, from which on bytes are taken one by one.
const BYTEWISE_DISTANCE_BYTES: usize = 256;

impl Scan {
    /// Returns the tokens of a part of the text. `bytes` extend from before the mark to some
    /// hundred bytes after the range.
    #[must_use]
    pub fn window(&self, extent: &Extent, bytes: &[u8]) -> String {
        let mark = self.mark(extent.mark);
        let offset = mark.offset;
        let mut decoder = self.decoder_at(offset);
        let wide = holds_more_than_utf8(self.resolved());
        if let Some(checkpoint) = mark.checkpoint.filter(|_| !wide) {
            decoder.resume(&checkpoint, offset);
        }
        let signature = Some(self.resolved().signature())
            .filter(|signature| offset == 0 && bytes[extent.before.min(bytes.len())..].starts_with(signature))
            .map_or(0, <[u8]>::len);
        let mut steps = Steps {
            encoding: self.resolved(),
            bytes,
            base: offset - extent.before as u64,
            fed: extent.before.min(bytes.len()),
            decoder,
            wide,
            start: Some(extent.before.min(bytes.len())),
            shift: 0,
            signature,
            tracker: mark.tracker,
            diagnosis: Diagnosis::default(),
            part: mark.part,
            from: extent.from,
            tokens: Json::array(),
        };
        let far = usize::try_from(extent.from.saturating_sub(steps.base)).unwrap_or(usize::MAX);
        if far > steps.fed + 2 * BYTEWISE_DISTANCE_BYTES {
            steps.pass((far - BYTEWISE_DISTANCE_BYTES).min(bytes.len()));
        }
        steps.go(extent.to, extent.last);
        steps.tokens.end_array()
    }

    fn decoder_at(&self, offset: u64) -> Transcoder {
        let from = if offset == 0 { self.given() } else { self.middle() };
        let to = if holds_more_than_utf8(self.resolved()) { Encoding::UCS_4BE } else { Encoding::UTF_8 };
        Transcoder::new(from, to).ending_shifted().starting_at(offset)
    }

    /// Returns the encoding for decoding from the middle. If the decoder has a state, a checkpoint
    /// restores it.
    fn middle(&self) -> Encoding {
        if holds_more_than_utf8(self.resolved()) { self.resolved() } else { self.given() }
    }
}

#[derive(Clone, Copy, Debug)]
enum What<'a> {
    Text(&'a [u32]),
    IllFormed(IllFormed),
    Signature,
    Shift,
}

struct Steps<'a> {
    encoding: Encoding,
    bytes: &'a [u8],
    /// Offset in the text of the first byte of `bytes`.
    base: u64,
    fed: usize,
    decoder: Transcoder,
    wide: bool,
    /// The start of the next token; unknown after bytes were skipped.
    start: Option<usize>,
    /// The start of bytes that only shift.
    shift: usize,
    signature: usize,
    tracker: Tracker,
    diagnosis: Diagnosis,
    part: Option<Part>,
    from: u64,
    tokens: Json,
}

impl Steps<'_> {
    /// Decodes up to `end` without inspecting each code point.
    fn pass(&mut self, end: usize) {
        let mut text = vec![0; 64 * 1024];
        while self.fed < end {
            let p = self.decoder.convert(&self.bytes[self.fed..end], &mut text, false);
            self.fed += p.read;
            self.track(&text[..p.written]);
            if let Status::IllFormed(e) = p.status {
                let start = self.at(e.offset());
                self.see(&e, start);
                self.tracker.ill_formed(&self.bytes[start..start + e.len()], self.encoding);
            }
        }
        self.start = None;
    }

    fn at(&self, offset: u64) -> usize {
        usize::try_from(offset - self.base).unwrap_or(usize::MAX)
    }

    fn track(&mut self, text: &[u8]) {
        if self.wide {
            let mut utf8 = String::new();
            for value in values(text, true) {
                utf8.push(char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.tracker.text(utf8.as_bytes());
        } else {
            self.tracker.text(text);
        }
    }

    /// Takes byte after byte; a code point that is then written covers the bytes since the previous
    /// one.
    fn go(&mut self, to: u64, last: bool) {
        let mut text = [0; 1024];
        loop {
            let next = self.base + self.start.unwrap_or(self.fed) as u64;
            if next >= to && self.start.is_some() {
                return;
            }
            let byte = &self.bytes[self.fed..self.bytes.len().min(self.fed + 1)];
            if byte.is_empty() && !last {
                return;
            }
            let p = self.decoder.convert(byte, &mut text, byte.is_empty());
            self.fed += p.read;
            let done = p.status == Status::Done;
            let written = &text[..p.written];
            let end = match p.status {
                Status::IllFormed(e) => self.at(e.offset()),
                _ => self.fed,
            };
            if !written.is_empty() {
                let values = values(written, self.wide);
                self.token(end, What::Text(&values));
                self.track(written);
            }
            if let Status::IllFormed(e) = p.status {
                if written.is_empty() && self.start.is_some_and(|start| start < end) {
                    self.token(end, What::Shift);
                }
                self.start = Some(end);
                self.token(end + e.len(), What::IllFormed(e));
                self.tracker.ill_formed(&self.bytes[end..end + e.len()], self.encoding);
            } else if written.is_empty() {
                let start = self.start.unwrap_or(usize::MAX);
                if self.signature > 0 && self.base + self.fed as u64 == self.signature as u64 {
                    self.token(end, What::Signature);
                } else if done && start < end {
                    self.token(end, What::Shift);
                } else if start < self.fed && self.shifts(start) {
                    self.shift = self.fed - start;
                }
            }
            if done {
                return;
            }
        }
    }

    /// Returns `true` if the bytes since `start` have changed the state of the decoder and are no
    /// text.
    fn shifts(&self, start: usize) -> bool {
        let bytes = &self.bytes[start..self.fed];
        // UTF-7's base64 is read bit by bit.
        if [Encoding::UTF_7, Encoding::UTF_7_IMAP].contains(&self.encoding) {
            return bytes.iter().all(|byte| b"+&-".contains(byte));
        }
        // A mark of MARC-8 waits for its letter.
        if self.encoding == Encoding::MARC_8 && bytes[0] != 0x1B {
            return false;
        }
        self.decoder.checkpoint().is_some()
    }

    /// Diagnoses an error.
    fn see(&mut self, error: &IllFormed, start: usize) {
        let part_of = self.part.filter(|part| error.offset() < part.end);
        let before = &self.bytes[start.saturating_sub(BYTES_BEFORE)..start];
        let end = self.bytes.len().min(start + error.len() + BYTES_AFTER);
        let following = &self.bytes[start..end];
        self.diagnosis.make(&Case { before, following, part_of, ..Case::new(error, self.encoding) });
        self.part = part_of.or_else(|| self.diagnosis.part(error));
    }

    /// Records the token that ends at `end`, if its start is known.
    fn token(&mut self, end: usize, what: What<'_>) {
        let start = self.start.replace(end);
        let shift = core::mem::take(&mut self.shift);
        if let What::IllFormed(e) = &what {
            self.see(e, end - e.len());
        }
        let Some(start) = start else { return };
        if self.base + (end as u64) <= self.from && end > start {
            return;
        }
        let Place { line, column, .. } = self.tracker.place();
        let mut token = Json::object();
        token.raw("o", self.base + start as u64).raw("n", end - start).raw("l", line).raw("c", column);
        match what {
            What::Text(values) => {
                let mut all = Json::array();
                for value in values {
                    all.element(value);
                }
                token.string("k", "text").raw("v", all.end_array());
                if shift > 0 {
                    token.raw("s", shift);
                }
            }
            What::IllFormed(e) => {
                let mut message = String::new();
                self.diagnosis.write_message(e.offset(), &mut message);
                token
                    .string("k", "ill")
                    .string("e", e.code())
                    .string("r", &self.diagnosis.reason)
                    .string("m", &message)
                    .string("h", &self.diagnosis.suggestion)
                    .raw("p", self.part.map_or(e.offset(), |part| part.offset));
            }
            What::Signature => _ = token.string("k", "signature"),
            What::Shift => _ = token.string("k", "shift"),
        }
        self.tokens.element(token.end_object());
    }
}

/// Returns the values of code points, from UCS-4 or from UTF-8.
fn values(text: &[u8], wide: bool) -> Vec<u32> {
    if wide {
        let (values, _) = text.as_chunks();
        values
            .iter()
            .map(|&value| CodePoint::new(u32::from_be_bytes(value)).map_or(0, |c| c.value()))
            .collect()
    } else {
        str::from_utf8(text).unwrap_or_default().chars().map(u32::from).collect()
    }
}
