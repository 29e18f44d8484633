//! `surrogateescape` in East Asian encodings: the bytes come back, whatever they are.
//!
//! These encodings have several sequences for some characters, of which an encoder writes one. So each
//! piece of text is encoded again, and a sequence that would come back as other bytes is escaped as if
//! it were ill-formed.

use crate::builder::Builder;
use crate::raw::{self, UTF_32, alone};
use placemat::policy::ByKind;
use placemat::stream::{Checkpoint, Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use pyo3::prelude::*;

/// Returns `true` if the encoding takes escaped bytes, and reads longer sequences that it does not write. In relatives
/// of UTF-8 only U+0000 has two sequences, and stays readable.
fn has_unwritten_sequences(encoding: Encoding) -> bool {
    let facts = encoding.facts();
    facts.takes_escapes && !facts.one_to_one && !facts.utf8_markers && encoding.max_bytes() > 1
}

/// The bytes that are decoded, and encoded again, in one step.
const STEP_BYTES: usize = 8192;
/// The longest sequence, in bytes, and the most code points of one.
const LONGEST: usize = 8;

/// Decodes with `surrogateescape`.
pub(crate) struct Escaping<'a> {
    transcoder: &'a mut Transcoder<ByKind<'static>>,
    /// The state between any two sequences.
    start: Checkpoint,
    back: Box<Transcoder>,
    units: Vec<u32>,
    /// The code points as bytes again.
    again: Vec<u8>,
}

impl<'a> Escaping<'a> {
    /// Returns a decoder for an encoding that needs it, and this policy.
    pub(crate) fn of(
        encoding: Encoding,
        policy: ErrorPolicy<'_>,
        transcoder: &'a mut Transcoder<ByKind<'static>>,
    ) -> Option<Self> {
        if policy != ErrorPolicy::SurrogateEscape || !has_unwritten_sequences(encoding) {
            return None;
        }
        let back = Transcoder::new(UTF_32, encoding)
            .on_error(ErrorPolicy::SurrogatePass)
            .on_unmappable(UnmappablePolicy::SurrogateEscapeUnchecked);
        let start = raw::checkpoint(transcoder);
        let units = vec![0; STEP_BYTES + LONGEST];
        Some(Self { transcoder, start, back: Box::new(back), units, again: vec![0; STEP_BYTES + 64] })
    }

    /// Decodes a piece, and returns how many bytes were read. An incomplete sequence at the end is not
    /// read, except in the `last` piece.
    pub(crate) fn feed(
        &mut self,
        py: Python<'_>,
        src: &[u8],
        last: bool,
        out: &mut Builder,
    ) -> PyResult<usize> {
        let mut at = 0;
        while at < src.len() {
            let to = src.len().min(at + STEP_BYTES);
            let step = &src[at..to];
            let is_last = last && to == src.len();
            let (read, whole) = alone(step.len(), || {
                let (read, written) = self.convert(step, is_last);
                (read, self.comes_back(written, &step[..read]).then_some(written))
            });
            match whole {
                Some(written) => out.push_code_points(&self.units[..written]),
                None => self.one_by_one(&step[..read], is_last, out),
            }
            at += read;
            // The rest of the last sequence is not there.
            if read == 0 {
                break;
            }
            raw::signals(py)?;
        }
        Ok(at)
    }

    /// Returns how many bytes were read, and how many code points were written.
    fn convert(&mut self, src: &[u8], last: bool) -> (usize, usize) {
        self.transcoder.resume(&self.start, 0);
        let p = self.transcoder.convert(src, raw::bytes_of_mut(&mut self.units), last);
        (p.read, p.written / 4)
    }

    /// Returns `true` if the code points are encoded as these bytes.
    fn comes_back(&mut self, written: usize, src: &[u8]) -> bool {
        self.back.reset();
        let p = self.back.convert(raw::bytes_of(&self.units[..written]), &mut self.again, true);
        p.status == Status::Done && self.again[..p.written] == *src
    }

    /// Decodes sequences that are all there, and escapes those that do not come back.
    fn one_by_one(&mut self, src: &[u8], last: bool, out: &mut Builder) {
        let mut at = 0;
        while at < src.len() {
            let most = LONGEST.min(src.len() - at);
            let (mut read, mut written) = (0, 0);
            for len in 1..=most {
                (read, written) = self.convert(&src[at..at + len], last && at + len == src.len());
                if written > 0 {
                    break;
                }
            }
            let bytes = &src[at..at + read.max(1)];
            if written > 0 && self.comes_back(written, bytes) {
                out.push_code_points(&self.units[..written]);
            } else {
                let escaped = |&byte: &u8| u32::from(byte) + if byte.is_ascii() { 0 } else { 0xDC00 };
                out.push_code_points(&bytes.iter().map(escaped).collect::<Vec<_>>());
            }
            at += bytes.len();
        }
    }
}
