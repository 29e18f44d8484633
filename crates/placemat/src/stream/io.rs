//! Adapters for `std::io`. They hold buffers and no rules.

use super::{Status, Tally, Transcoder};
use crate::ground::error::ConvertError;
use crate::policy::{OnError, OnUnmappable};
use std::io::{self, Read, Write};
use std::vec::Vec;

/// Bytes of input and of output at a time: large enough to be read at full speed, small enough that the second pass over
/// it finds it in the cache. Output grows where a policy puts more than this for one error.
const PIECE: usize = 64 * 1024;

/// Reads from `R` and yields the text in another encoding.
///
/// Errors of the text come as [`io::ErrorKind::InvalidData`] with a [`ConvertError`] inside; what precedes them is
/// yielded first. Reading on after one goes on behind the ill-formed sequence.
///
/// ```
/// use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, stream::{Transcoder, TranscodingReader}};
/// use std::io::Read;
/// let file: &[u8] = b"\xFF\xFEh\0i\0";
/// let t = Transcoder::from(Encoding::UTF_16);
/// let mut text = String::new();
/// let mut reader = TranscodingReader::new(file, t);
/// reader.read_to_string(&mut text)?;
/// assert_eq!((text.as_str(), reader.tally().replaced.count), ("hi", 0));
/// // A file that ends within a code unit.
/// let mut reader = TranscodingReader::new(&file[..3], Transcoder::from(Encoding::UTF_16));
/// assert_eq!(reader.read_to_string(&mut text).unwrap_err().kind(), std::io::ErrorKind::InvalidData);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TranscodingReader<R, D, U> {
    inner: R,
    transcoder: Transcoder<D, U>,
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
    pub fn new(inner: R, transcoder: Transcoder<D, U>) -> Self {
        let [input, output] = [PIECE; 2].map(Buffer::new);
        Self { inner, transcoder, input, output, ended: false, done: false, error: None }
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
                Status::NeedOutput if p.read == 0 && p.written == 0 => double(&mut self.output.bytes),
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
/// an encoding with shifts return to its first state. Errors of the text come as in [`TranscodingReader`]: what precedes
/// the ill-formed sequence is written first, the error is that of the next call, and writing on goes on behind it.
///
/// ```
/// use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, stream::{Transcoder, TranscodingWriter}};
/// use std::io::Write;
/// let t = Transcoder::from(Encoding::UTF_8).to(Encoding::ISO_8859_1).on_unmappable(UnmappablePolicy::XmlReference);
/// let mut w = TranscodingWriter::new(Vec::new(), t);
/// w.write_all("é €".as_bytes())?;
/// w.finish()?;
/// assert_eq!((w.get_ref().len(), w.tally().unmappable.count), (9, 1));
/// assert_eq!(w.into_inner(), b"\xE9 &#8364;");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TranscodingWriter<W, D, U> {
    inner: W,
    transcoder: Transcoder<D, U>,
    output: Vec<u8>,
    error: Option<ConvertError>,
}

impl<W: Write, D: OnError, U: OnUnmappable> TranscodingWriter<W, D, U> {
    /// A writer to `inner` of what `transcoder` makes of what it is given.
    #[must_use]
    pub fn new(inner: W, transcoder: Transcoder<D, U>) -> Self {
        Self { inner, transcoder, output: std::vec![0; PIECE], error: None }
    }

    /// What the conversion came across so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.transcoder.tally()
    }

    /// Ends the text: writes what is left of it, and flushes. To be called again after an error of the text.
    ///
    /// # Errors
    /// If the text ends within a sequence and the policy is to stop, if an error of the text is still to be told, or if
    /// writing fails.
    pub fn finish(&mut self) -> io::Result<()> {
        loop {
            if let Some(e) = self.error.take() {
                return Err(invalid_data(e));
            }
            if self.convert(&[], true)?.1 {
                return self.inner.flush();
            }
        }
    }

    /// What it writes to.
    #[must_use]
    pub fn get_ref(&self) -> &W {
        &self.inner
    }

    /// What it writes to. Text that was not [finished](Self::finish) may lack its end.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.inner
    }

    /// Converts and writes one buffer of output; how much was read, and whether the text is complete.
    fn convert(&mut self, src: &[u8], last: bool) -> io::Result<(usize, bool)> {
        let p = self.transcoder.convert(src, &mut self.output, last);
        self.inner.write_all(&self.output[..p.written])?;
        match p.status {
            Status::Done => return Ok((p.read, true)),
            Status::NeedOutput if p.read == 0 && p.written == 0 => double(&mut self.output),
            Status::NeedInput | Status::NeedOutput => {}
            Status::IllFormed(e) => self.error = Some(e.into()),
            Status::Unmappable(e) => self.error = Some(e.into()),
        }
        Ok((p.read, false))
    }
}

impl<W: Write, D: OnError, U: OnUnmappable> Write for TranscodingWriter<W, D, U> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        if let Some(e) = self.error.take() {
            return Err(invalid_data(e));
        }
        let mut read = 0;
        while read < buf.len() && self.error.is_none() {
            read += self.convert(&buf[read..], false)?.0;
        }
        // Nothing taken is no answer to give; the error is, if it is about what came before.
        match self.error.take_if(|_| read == 0) {
            Some(e) => Err(invalid_data(e)),
            None => Ok(read),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Makes room for a replacement that did not fit.
fn double(buffer: &mut Vec<u8>) {
    buffer.resize(2 * buffer.len(), 0);
}

fn invalid_data(e: ConvertError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, e)
}
