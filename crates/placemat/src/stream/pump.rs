//! The conversion between two buffers, which the adapters share. It does no input or output itself and has no rules.

use super::{Status, Tally, Transcoder};
use crate::ground::error::ConvertError;
use crate::policy::{OnError, OnUnmappable};
use std::vec::Vec;

/// The size of the buffers for input and output in bytes: large enough for full reading speed, small enough to stay in
/// the cache until the second pass.
pub(super) const CAPACITY: usize = 64 * 1024;

/// The smallest output buffer, greater than zero so that doubling it helps.
const LEAST: usize = 16;

/// A buffer whose bytes `start..end` are not consumed yet.
#[derive(Debug)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
    pub(super) fn new(size: usize) -> Self {
        Self { bytes: std::vec![0; size], start: 0, end: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    pub(super) fn ready(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Consumes the next bytes, at most as many as there are.
    pub(super) fn consume(&mut self, len: usize) {
        self.start = (self.start + len).min(self.end);
    }

    /// Copies as many bytes as fit, and consumes them.
    pub(super) fn copy_to(&mut self, dst: &mut [u8]) -> usize {
        let len = self.ready().len().min(dst.len());
        dst[..len].copy_from_slice(&self.ready()[..len]);
        self.consume(len);
        len
    }

    fn refill(&mut self, len: usize) {
        (self.start, self.end) = (0, len.min(self.bytes.len()));
    }
}

/// A transcoder, its unconsumed output, and the error to report after that output.
#[derive(Debug)]
pub(super) struct Pump<D, U> {
    transcoder: Transcoder<D, U>,
    pub(super) output: Buffer,
    /// The size of the output buffer, which is made when it is needed.
    capacity: usize,
    error: Option<ConvertError>,
    done: bool,
}

impl<D: OnError, U: OnUnmappable> Pump<D, U> {
    pub(super) fn new(transcoder: Transcoder<D, U>, capacity: usize) -> Self {
        Self { transcoder, output: Buffer::new(0), capacity: capacity.max(LEAST), error: None, done: false }
    }

    pub(super) fn tally(&self) -> Tally {
        self.transcoder.tally()
    }

    /// Whether there is no output, no error and no end of the text, so that the next piece can be converted.
    pub(super) fn is_idle(&self) -> bool {
        self.output.is_empty() && self.error.is_none() && !self.done
    }

    /// Whether the text is complete. There may be output left.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    pub(super) fn has_error(&self) -> bool {
        self.error.is_some()
    }

    pub(super) fn take_error(&mut self) -> Option<ConvertError> {
        self.error.take()
    }

    /// Converts one buffer of output while [idle](Self::is_idle); returns the number of bytes read from `src`. `last`
    /// says that the text ends with `src`.
    pub(super) fn push(&mut self, src: &[u8], last: bool) -> usize {
        loop {
            let mut bytes = core::mem::take(&mut self.output.bytes);
            if bytes.is_empty() {
                bytes.resize(self.capacity, 0);
            }
            let moved = self.push_to(src, last, &mut bytes);
            if moved.is_none() {
                // One step needs more than the whole buffer, such as a long replacement.
                bytes.resize(2 * bytes.len(), 0);
            }
            self.output.bytes = bytes;
            if let Some((read, written)) = moved {
                self.output.refill(written);
                return read;
            }
        }
    }

    /// Converts into `dst` while [idle](Self::is_idle); returns the numbers of bytes read and written, or `None` if one
    /// step needs a larger `dst`.
    fn push_to(&mut self, src: &[u8], last: bool, dst: &mut [u8]) -> Option<(usize, usize)> {
        let p = self.transcoder.convert(src, dst, last);
        match p.status {
            Status::NeedOutput if p.read == 0 && p.written == 0 => return None,
            Status::Done => self.done = true,
            Status::NeedInput | Status::NeedOutput => {}
            Status::IllFormed(e) => self.error = Some(e.into()),
            Status::Unmappable(e) => self.error = Some(e.into()),
        }
        Some((p.read, p.written))
    }
}

/// A pump with its unconverted input: a whole reader except for the reading.
#[derive(Debug)]
pub(super) struct Inflow<D, U> {
    pub(super) pump: Pump<D, U>,
    input: Buffer,
    /// Whether the source has ended.
    ended: bool,
}

impl<D: OnError, U: OnUnmappable> Inflow<D, U> {
    pub(super) fn new(transcoder: Transcoder<D, U>, capacity: usize) -> Self {
        Self { pump: Pump::new(transcoder, capacity), input: Buffer::new(capacity.max(1)), ended: false }
    }

    /// The buffer to read into, if nothing can be converted before more input.
    pub(super) fn room(&mut self) -> Option<&mut [u8]> {
        (self.input.is_empty() && !self.ended).then_some(&mut *self.input.bytes)
    }

    /// Notes that `len` bytes were read into the [room](Self::room); zero is the end of the text.
    pub(super) fn received(&mut self, len: usize) {
        self.input.refill(len);
        self.ended = len == 0;
    }

    /// Converts some of the input.
    pub(super) fn convert(&mut self) {
        let read = self.pump.push(self.input.ready(), self.ended);
        self.input.consume(read);
    }

    /// Converts some of the input into `dst`; returns the number of bytes written, or `None` if one step needs a larger
    /// `dst`.
    pub(super) fn convert_to(&mut self, dst: &mut [u8]) -> Option<usize> {
        let (read, written) = self.pump.push_to(self.input.ready(), self.ended, dst)?;
        self.input.consume(read);
        Some(written)
    }
}
