//! The conversion between two buffers, which the adapters share. It does no input or output itself and has no rules.

use super::{Status, Tally, Transcoder};
use placemat_core::ground::error::ConvertError;
use placemat_core::policy::{OnError, OnUnmappable};
use std::io;
use std::vec::Vec;

/// The size of the buffers for input and output in bytes: large enough for full reading speed, small enough to stay in
/// the cache until the second pass.
pub(super) const CAPACITY: usize = 64 * 1024;

/// The smallest output buffer, greater than zero so that doubling it helps.
const MIN_OUTPUT_BYTES: usize = 16;

/// The size of a buffer for a short text. Larger ones are cleared only after such a one was filled: to clear 64 KiB takes
/// longer than to convert a few lines.
const SHORT_BUFFER_BYTES: usize = 4 * 1024;

/// One part in this many of the room is reserved in a piece with ill-formed sequences, for
/// replacements that are longer: otherwise a few bytes would remain, and take a call of their own.
const RESERVED_PART: usize = 16;

/// A buffer whose bytes `start..end` are not consumed yet.
#[derive(Debug)]
pub(super) struct Buffer {
    /// The memory of the buffer, allocated at first use.
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// The length of `bytes` for a long text.
    size: usize,
}

impl Buffer {
    pub(super) const fn new(size: usize) -> Self {
        Self { bytes: Vec::new(), start: 0, end: 0, size }
    }

    /// Returns the buffer to fill, which is [empty](Self::is_empty). [`refill`](Self::refill) follows.
    fn room(&mut self) -> &mut Vec<u8> {
        if self.bytes.is_empty() {
            self.bytes.resize(self.size.min(SHORT_BUFFER_BYTES), 0);
        } else if self.end > self.bytes.len() / 2 && self.bytes.len() < self.size {
            self.bytes.resize(self.size, 0);
        }
        &mut self.bytes
    }

    /// Returns the free room, of at least `len` bytes.
    fn room_for(&mut self, len: usize) -> &mut [u8] {
        if self.bytes.len() < len {
            self.bytes.resize(len, 0);
        }
        &mut self.bytes[..len]
    }

    /// Fills the buffer with these bytes.
    fn hold(&mut self, bytes: &[u8]) {
        if self.bytes.len() < bytes.len() {
            self.bytes.clear();
            self.bytes.extend_from_slice(bytes);
        } else {
            self.bytes[..bytes.len()].copy_from_slice(bytes);
        }
        self.refill(bytes.len());
    }

    /// Notes that there are `len` bytes in the buffer now.
    fn refill(&mut self, len: usize) {
        (self.start, self.end) = (0, len.min(self.bytes.len()));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.start == self.end
    }

    pub(super) fn ready(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Consumes up to `len` of the next bytes.
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
}

/// A transcoder, its unconsumed output, and the error to report after that output.
#[derive(Debug)]
pub(super) struct Pump<D, U> {
    transcoder: Transcoder<D, U>,
    pub(super) output: Buffer,
    error: Option<ConvertError>,
    done: bool,
}

impl<D: OnError, U: OnUnmappable> Pump<D, U> {
    pub(super) fn new(transcoder: Transcoder<D, U>, capacity: usize) -> Self {
        Self { transcoder, output: Buffer::new(capacity.max(MIN_OUTPUT_BYTES)), error: None, done: false }
    }

    pub(super) fn tally(&self) -> Tally {
        self.transcoder.tally()
    }

    /// Returns `true` if there is no output, no error and no end of the text, so that the next piece can be converted.
    pub(super) fn is_idle(&self) -> bool {
        self.output.is_empty() && self.error.is_none() && !self.done
    }

    /// Returns `true` if the text is complete. There may be output left.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    pub(super) fn has_error(&self) -> bool {
        self.error.is_some()
    }

    /// Returns the error that was met, once.
    pub(super) fn report(&mut self) -> io::Result<()> {
        self.error.take().map_or(Ok(()), |e| Err(e.into()))
    }

    /// Returns the output, or the error after it once there is none.
    pub(super) fn ready(&mut self) -> io::Result<&[u8]> {
        if self.output.is_empty() {
            self.report()?;
        }
        Ok(self.output.ready())
    }

    /// Converts one buffer of output while [idle](Self::is_idle); returns the number of bytes read
    /// from `src`. Pass `last` if the text ends with `src`.
    pub(super) fn push(&mut self, src: &[u8], last: bool) -> usize {
        loop {
            let mut bytes = core::mem::take(self.output.room());
            let moved = self.push_to(src, last, &mut bytes);
            self.put_back(bytes, moved.map(|(_, written)| written));
            if let Some((read, _)) = moved {
                return read;
            }
        }
    }

    /// Gives back the output buffer with `written` bytes in it. `None` makes it larger, for a step
    /// that needs more than the whole buffer, such as a long replacement.
    fn put_back(&mut self, mut bytes: Vec<u8>, written: Option<usize>) {
        if written.is_none() {
            bytes.resize(2 * bytes.len(), 0);
        }
        self.output.bytes = bytes;
        self.output.refill(written.unwrap_or(0));
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
///
/// Most text is UTF-8 and is to be UTF-8. It is read straight to the place of the output, where a kernel checks it. The
/// buffer for the input is in use only from an ill-formed sequence on, and as long as each piece has one: to check such a
/// piece at its place and to copy the rest of it back takes as long as to convert it.
#[derive(Debug)]
pub(super) struct Inflow<D, U> {
    pub(super) pump: Pump<D, U>,
    input: Buffer,
    /// Whether the source has ended.
    ended: bool,
    /// Whether the text that was read last had ill-formed sequences, as far as the lengths tell.
    damaged: bool,
}

impl<D: OnError, U: OnUnmappable> Inflow<D, U> {
    pub(super) fn new(transcoder: Transcoder<D, U>, capacity: usize) -> Self {
        Self {
            pump: Pump::new(transcoder, capacity),
            input: Buffer::new(capacity.max(1)),
            ended: false,
            damaged: false,
        }
    }

    /// Reads by `read` if nothing can be converted before, and converts the next piece into `dst`. Returns the number of
    /// bytes written, or `None` if one step needs a larger `dst`.
    pub(super) fn convert_to<E>(
        &mut self,
        dst: &mut [u8],
        read: impl FnOnce(&mut [u8]) -> Result<usize, E>,
    ) -> Result<Option<usize>, E> {
        let transcoder = &mut self.pump.transcoder;
        let mut kept = 0;
        if self.input.is_empty() && !self.ended {
            let most = dst.len().min(self.input.size);
            let carried = transcoder.copy_carried(&mut dst[..most]);
            let damaged = core::mem::take(&mut self.damaged);
            if let Some(carried) = carried.filter(|_| !damaged) {
                let len = read(&mut dst[carried..most])?;
                self.ended = len == 0;
                if len > 0 {
                    let text = &dst[..most.min(carried + len)];
                    let rest;
                    (kept, rest) = transcoder.keep(text);
                    if rest.is_empty() {
                        return Ok(Some(kept));
                    }
                    self.input.hold(rest);
                }
            } else {
                let room = match carried {
                    Some(_) => self.input.room_for((most - most / RESERVED_PART).max(1)),
                    None => self.input.room(),
                };
                let len = read(room)?;
                self.input.refill(len);
                self.ended = len == 0;
            }
        }
        let moved = self.pump.push_to(self.input.ready(), self.ended, &mut dst[kept..]);
        if let Some((read, written)) = moved {
            self.input.consume(read);
            self.damaged |= read != written;
        }
        let written = moved.map(|(_, written)| kept + written);
        Ok(if kept > 0 { written.or(Some(kept)) } else { written })
    }

    /// Converts the next piece into the buffer of the output.
    pub(super) fn convert<E>(&mut self, read: impl FnOnce(&mut [u8]) -> Result<usize, E>) -> Result<(), E> {
        let mut bytes = core::mem::take(self.pump.output.room());
        let converted = self.convert_to(&mut bytes, read);
        self.pump.put_back(bytes, *converted.as_ref().unwrap_or(&Some(0)));
        converted.map(drop)
    }
}
