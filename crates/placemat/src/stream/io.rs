//! Adapters for `std::io`. They hold buffers and no rules.

use super::{AnyTranscoder, Status, Tally};
use crate::error::ConvertError;
use crate::policy::{OnError, OnUnmappable};
use std::io::{self, Read, Write};
use std::vec::Vec;

/// Bytes of input at a time, and of output at the least: large enough to be read at full speed, small enough that the
/// second pass over it finds it in the cache.
const PIECE: usize = 64 * 1024;

/// Reads from `R` and yields the text in another encoding.
///
/// Errors of the text come as [`io::ErrorKind::InvalidData`] with a [`ConvertError`] inside; what precedes them is
/// yielded first. Reading on after one goes on behind the ill-formed sequence.
///
/// ```
/// use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, stream::{AnyTranscoder, TranscodingReader}};
/// use std::io::Read;
/// let file: &[u8] = b"\xFF\xFEh\0i\0";
/// let t = AnyTranscoder::new(Encoding::Utf16, Encoding::Utf8, ErrorPolicy::Stop, UnmappablePolicy::Stop);
/// let mut text = String::new();
/// TranscodingReader::new(file, t).read_to_string(&mut text)?;
/// assert_eq!(text, "hi");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TranscodingReader<R, D, U> {
    inner: R,
    transcoder: AnyTranscoder<D, U>,
    input: Buffer,
    output: Buffer,
    /// The source has ended; the transcoder has yielded everything.
    ended: bool,
    done: bool,
    error: Option<ConvertError>,
}

/// Bytes of which `start..end` are still to be taken.
#[derive(Debug)]
struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
    fn new(size: usize) -> Self {
        Self { bytes: std::vec![0; size], start: 0, end: 0 }
    }

    fn is_empty(&self) -> bool {
        self.start == self.end
    }
}

impl<R: Read, D: OnError, U: OnUnmappable> TranscodingReader<R, D, U> {
    /// A reader of what `transcoder` makes of `inner`.
    #[must_use]
    pub fn new(inner: R, transcoder: AnyTranscoder<D, U>) -> Self {
        let output = Buffer::new(PIECE.max(transcoder.min_output()));
        Self { inner, transcoder, input: Buffer::new(PIECE), output, ended: false, done: false, error: None }
    }

    /// What the conversion came across so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.transcoder.tally()
    }

    /// Converts the next piece; there is output, an error or the end afterwards.
    fn fill(&mut self) -> io::Result<()> {
        while self.output.is_empty() && self.error.is_none() && !self.done {
            if self.input.is_empty() && !self.ended {
                let len = self.inner.read(&mut self.input.bytes)?;
                (self.input.start, self.input.end) = (0, len);
                self.ended = len == 0;
            }
            let src = &self.input.bytes[self.input.start..self.input.end];
            let p = self.transcoder.convert(src, &mut self.output.bytes, self.ended);
            self.input.start += p.read;
            (self.output.start, self.output.end) = (0, p.written);
            match p.status {
                Status::Done => self.done = true,
                Status::NeedInput | Status::NeedOutput => {}
                Status::IllFormed(e) => self.error = Some(e.into()),
                Status::Unmappable(e) => self.error = Some(e.into()),
            }
        }
        Ok(())
    }
}

impl<R: Read, D: OnError, U: OnUnmappable> Read for TranscodingReader<R, D, U> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.fill()?;
        if self.output.is_empty() {
            return self.error.take().map_or(Ok(0), |e| Err(invalid_data(e)));
        }
        let ready = &self.output.bytes[self.output.start..self.output.end];
        let len = ready.len().min(buf.len());
        buf[..len].copy_from_slice(&ready[..len]);
        self.output.start += len;
        Ok(len)
    }
}

/// Takes text in one encoding and writes it to `W` in another.
///
/// [`finish`](Self::finish) must be called at the end: only then is a sequence known to be cut off, and only then does
/// an encoding with shifts return to its first state. Errors of the text come as in [`TranscodingReader`]; what precedes
/// the ill-formed sequence was written. A writer that has failed has taken part of its input and cannot say how much; use
/// [`AnyTranscoder`] to go on after errors.
///
/// ```
/// use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, stream::{AnyTranscoder, TranscodingWriter}};
/// use std::io::Write;
/// let t = AnyTranscoder::new(Encoding::Utf8, Encoding::Latin1, ErrorPolicy::Stop, UnmappablePolicy::XmlReference);
/// let mut w = TranscodingWriter::new(Vec::new(), t);
/// w.write_all("é €".as_bytes())?;
/// assert_eq!(w.finish()?, b"\xE9 &#8364;");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TranscodingWriter<W, D, U> {
    inner: W,
    transcoder: AnyTranscoder<D, U>,
    output: Vec<u8>,
}

impl<W: Write, D: OnError, U: OnUnmappable> TranscodingWriter<W, D, U> {
    /// A writer to `inner` of what `transcoder` makes of what it is given.
    #[must_use]
    pub fn new(inner: W, transcoder: AnyTranscoder<D, U>) -> Self {
        let output = std::vec![0; PIECE.max(transcoder.min_output())];
        Self { inner, transcoder, output }
    }

    /// What the conversion came across so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.transcoder.tally()
    }

    /// Ends the text, and gives back what it was written to.
    ///
    /// # Errors
    /// If the text ends within a sequence and the policy is to stop, or if writing fails.
    pub fn finish(mut self) -> io::Result<W> {
        loop {
            let (_, done) = self.convert(&[], true)?;
            if done {
                self.inner.flush()?;
                return Ok(self.inner);
            }
        }
    }

    /// Converts and writes one buffer of output; how much was read, and whether the text is complete.
    fn convert(&mut self, src: &[u8], last: bool) -> io::Result<(usize, bool)> {
        let p = self.transcoder.convert(src, &mut self.output, last);
        self.inner.write_all(&self.output[..p.written])?;
        match p.status {
            Status::Done => Ok((p.read, true)),
            Status::NeedInput | Status::NeedOutput => Ok((p.read, false)),
            Status::IllFormed(e) => Err(invalid_data(e.into())),
            Status::Unmappable(e) => Err(invalid_data(e.into())),
        }
    }
}

impl<W: Write, D: OnError, U: OnUnmappable> Write for TranscodingWriter<W, D, U> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let mut read = 0;
        while read < buf.len() {
            read += self.convert(&buf[read..], false)?.0;
        }
        Ok(read)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn invalid_data(e: ConvertError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, e)
}
