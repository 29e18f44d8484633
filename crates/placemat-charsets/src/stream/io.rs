//! Adapters for `std::io`. They contain a [pump](super::pump) and no rules.

use super::pump::{CAPACITY, Inflow, Pump};
use super::{Tally, Transcoder};
use placemat_core::ground::error::ConvertError;
use placemat_core::policy::{ErrorPolicy, OnError, OnUnmappable, UnmappablePolicy};
use std::io::{self, BufRead, Read, Write};

/// Reads from `R` and yields the text in another encoding.
///
/// An error of the text becomes an [`io::Error`] of the kind [`InvalidData`](io::ErrorKind::InvalidData) with a
/// [`ConvertError`] inside; the reader yields the text before it first. Reading again
/// continues after the ill-formed sequence. The reader has a buffer of its own, so it is a [`BufRead`], and `R` need not
/// be one.
///
/// ```
/// use placemat::{ConvertError, Encoding, stream::{Transcoder, Reader}};
/// use std::io::{BufRead, Read};
/// let file: &[u8] = b"\xFF\xFEh\0i\0\n\0!\0";
/// let mut lines = Reader::new(file, Transcoder::new(Encoding::UTF_16, Encoding::UTF_8)).lines();
/// assert_eq!(lines.next().unwrap()?, "hi");
///
/// // An ill-formed byte is an error, once, and reading continues after it.
/// let mut reader = Reader::new(&b"caf\xE9!"[..], Transcoder::new(Encoding::UTF_8, Encoding::UTF_8));
/// let mut text = Vec::new();
/// let e = reader.read_to_end(&mut text).unwrap_err();
/// assert_eq!(e.downcast::<ConvertError>().unwrap().offset(), 3);
/// reader.read_to_end(&mut text)?;
/// assert_eq!(text, b"caf!");
///
/// // The source is accessible during the conversion, and comes back at the end.
/// let t = Transcoder::new(Encoding::ISO_8859_1, Encoding::UTF_8);
/// let mut reader = Reader::with_capacity(2, &b"caf\xE9"[..], t.counting());
/// reader.read_exact(&mut [0])?;
/// assert_eq!(*reader.get_ref(), b"f\xE9");
/// reader.get_mut().consume(1);
/// assert_eq!((reader.tally().decoded, reader.into_inner()), (Some(2), &b"\xE9"[..]));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R, D = ErrorPolicy<'static>, U = UnmappablePolicy<'static>> {
    inner: R,
    inflow: Inflow<D, U>,
}

impl<R: Read, D: OnError, U: OnUnmappable> Reader<R, D, U> {
    /// Returns a reader of `inner` in the encoding and with the policies of `transcoder`.
    #[must_use]
    pub fn new(inner: R, transcoder: Transcoder<D, U>) -> Self {
        Self::with_capacity(CAPACITY, inner, transcoder)
    }

    /// Returns a reader with buffers of `capacity` bytes, one for its input and one for its output. The output buffer
    /// grows if a policy puts more than that for one error.
    #[must_use]
    pub fn with_capacity(capacity: usize, inner: R, transcoder: Transcoder<D, U>) -> Self {
        Self { inner, inflow: Inflow::new(transcoder, capacity) }
    }

    /// Returns the tally so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.inflow.pump.tally()
    }

    /// Begins a text in another encoding, before anything was read.
    pub(crate) fn begin_again(&mut self, transcoder: Transcoder<D, U>) {
        self.inflow = Inflow::new(transcoder, CAPACITY);
    }

    /// Converts the next piece. Afterwards there is output, an error or the end.
    fn fill(&mut self) -> io::Result<()> {
        while self.inflow.pump.is_idle() {
            self.inflow.convert(|room| self.inner.read(room))?;
        }
        Ok(())
    }
}

impl<R, D, U> Reader<R, D, U> {
    /// Returns a reference to the source.
    #[must_use]
    pub const fn get_ref(&self) -> &R {
        &self.inner
    }

    /// Returns a mutable reference to the source. Bytes read through it are missing from the text.
    #[must_use]
    pub const fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the source. Bytes that the reader read ahead are lost.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read, D: OnError, U: OnUnmappable> Read for Reader<R, D, U> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        /// For smaller buffers, to convert costs more by the call than to copy costs by the byte.
        const DIRECT: usize = 4 * 1024;

        while buf.len() >= DIRECT && self.inflow.pump.is_idle() {
            match self.inflow.convert_to(buf, |room| self.inner.read(room))? {
                Some(0) => {}
                Some(len) => return Ok(len),
                None => break,
            }
        }
        self.fill_buf()?;
        Ok(self.inflow.pump.output.copy_to(buf))
    }
}

impl<R: Read, D: OnError, U: OnUnmappable> BufRead for Reader<R, D, U> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.fill()?;
        self.inflow.pump.ready()
    }

    fn consume(&mut self, len: usize) {
        self.inflow.pump.output.consume(len);
    }
}

/// Accepts text in one encoding and writes it to `W` in another.
///
/// Call [`finish`](Self::finish) at the end, which reports the errors of the end: an incomplete sequence, or a failure of
/// `W`. A writer that is dropped ends the text too, so that an encoding with shifts returns to its first state and an
/// incomplete sequence goes to the policy, but nobody sees its errors. [`abandon`](Self::abandon) ends nothing.
///
/// Errors of the text are reported as in [`Reader`]: the writer writes the text before the ill-formed sequence
/// first, the next call returns the error, and writing continues after the sequence. An error of `W` loses nothing: the
/// next call first writes the bytes that `W` did not accept.
///
/// ```
/// use placemat::{Encoding, UnmappablePolicy, stream::{Transcoder, Writer}};
/// use std::io::Write;
/// let latin1 = || Transcoder::new(Encoding::UTF_8, Encoding::ISO_8859_1);
/// let mut w = Writer::new(Vec::new(), latin1().on_unmappable(UnmappablePolicy::XmlReference));
/// w.write_all("é €".as_bytes())?;
/// assert_eq!(w.finish()?, b"\xE9 &#8364;");
///
/// // The text ends within a sequence.
/// let mut w = Writer::new(Vec::new(), latin1());
/// w.write_all(b"caf\xC3")?;
/// assert_eq!(w.finish().unwrap_err().to_string(), "incomplete sequence 0xc3 at offset 3");
///
/// // The sink is accessible during the conversion.
/// let mut w = Writer::with_capacity(1024, Vec::new(), latin1().counting());
/// w.write_all("é".as_bytes())?;
/// assert_eq!((w.get_ref().len(), w.tally().decoded), (1, Some(1)));
/// w.get_mut().push(b'!');
/// assert_eq!(w.abandon(), b"\xE9!");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write, D: OnError = ErrorPolicy<'static>, U: OnUnmappable = UnmappablePolicy<'static>> {
    /// The sink; `None` once it was returned.
    inner: Option<W>,
    pump: Pump<D, U>,
    /// Whether a call of the sink is running. It then stays `true` if the sink panics.
    is_writing: bool,
}

/// Why [`Writer::inner`] is there: only functions that consume the writer take it.
const THERE: &str = "the writer has its sink until it is consumed";

impl<W: Write, D: OnError, U: OnUnmappable> Writer<W, D, U> {
    /// Returns a writer to `inner` with the encodings and the policies of `transcoder`.
    #[must_use]
    pub fn new(inner: W, transcoder: Transcoder<D, U>) -> Self {
        Self::with_capacity(CAPACITY, inner, transcoder)
    }

    /// Returns a writer that writes at most `capacity` bytes at a time, or more if a policy puts more than that for one
    /// error.
    #[must_use]
    pub fn with_capacity(capacity: usize, inner: W, transcoder: Transcoder<D, U>) -> Self {
        Self { inner: Some(inner), pump: Pump::new(transcoder, capacity), is_writing: false }
    }

    /// Returns the tally so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.pump.tally()
    }

    /// Ends the text: writes the rest of it, flushes the sink and returns it.
    ///
    /// # Errors
    /// If the text ends within a sequence and the policy says to stop, if an error of the text has not been reported yet,
    /// or if writing fails. The writer is then dropped. To continue after an error, use [`try_finish`](Self::try_finish).
    pub fn finish(mut self) -> io::Result<W> {
        self.try_finish()?;
        Ok(self.take_sink())
    }

    /// Ends the text as [`finish`](Self::finish) does, and may be called again after an error.
    ///
    /// ```
    /// use placemat::{Encoding, stream::{Transcoder, Writer}};
    /// use std::io::Write;
    /// let mut w = Writer::new(Vec::new(), Transcoder::new(Encoding::UTF_8, Encoding::UTF_8));
    /// w.write_all(b"caf\xC3")?;
    /// assert!(w.try_finish().is_err());
    /// // The error was reported; the text ends without the sequence.
    /// w.try_finish()?;
    /// assert_eq!(w.finish()?, b"caf");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`finish`](Self::finish) lists the errors; these are the same.
    pub fn try_finish(&mut self) -> io::Result<()> {
        loop {
            self.drain()?;
            self.pump.report()?;
            if self.pump.is_done() {
                return self.sink().flush();
            }
            self.pump.push(&[], true);
        }
    }

    const fn sink_ref(&self) -> &W {
        self.inner.as_ref().expect(THERE)
    }

    const fn sink(&mut self) -> &mut W {
        self.inner.as_mut().expect(THERE)
    }

    const fn take_sink(&mut self) -> W {
        self.inner.take().expect(THERE)
    }

    /// Writes the output in the buffer.
    fn drain(&mut self) -> io::Result<()> {
        let Self { inner, pump, is_writing } = self;
        let inner = inner.as_mut().expect(THERE);
        while !pump.output.is_empty() {
            *is_writing = true;
            let written = inner.write(pump.output.ready());
            *is_writing = false;
            match written {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(len) => pump.output.consume(len),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

impl<W: Write, D: OnError, U: OnUnmappable> Writer<W, D, U> {
    /// Returns a reference to the sink.
    #[must_use]
    pub const fn get_ref(&self) -> &W {
        self.sink_ref()
    }

    /// Returns a mutable reference to the sink. Bytes written through it come between those of the text.
    #[must_use]
    pub const fn get_mut(&mut self) -> &mut W {
        self.sink()
    }

    /// Returns the sink as it is: without the rest of the text, and without what closes it.
    ///
    /// ```
    /// use placemat::{Encoding, stream::{Transcoder, Writer}};
    /// use std::io::Write;
    /// let writer = || Writer::new(Vec::new(), Transcoder::new(Encoding::UTF_8, Encoding::UTF_7));
    /// let mut w = writer();
    /// w.write_all("é".as_bytes())?;
    /// assert_eq!(w.finish()?, b"+AOk-");
    /// // The last bits of the base64 are missing, and its end.
    /// let mut w = writer();
    /// w.write_all("é".as_bytes())?;
    /// assert_eq!(w.abandon(), b"+AO");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn abandon(mut self) -> W {
        self.take_sink()
    }
}

/// Ends the text as [`finish`](Writer::finish) does, and ignores errors.
impl<W: Write, D: OnError, U: OnUnmappable> Drop for Writer<W, D, U> {
    fn drop(&mut self) {
        // After a panic of the sink, what it accepted is unknown.
        if self.inner.is_none() || self.is_writing {
            return;
        }
        while let Err(e) = self.try_finish() {
            // The text goes on after an error of its own.
            let is_of_text = e.get_ref().is_some_and(|e| e.is::<ConvertError>());
            if !is_of_text {
                return;
            }
        }
    }
}

/// Accepts nothing once the text is [finished](Writer::try_finish).
impl<W: Write, D: OnError, U: OnUnmappable> Write for Writer<W, D, U> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let mut read = 0;
        loop {
            match self.drain() {
                Ok(()) => {}
                // The next call tries again, because this one has accepted bytes.
                Err(_) if read > 0 => return Ok(read),
                Err(e) => return Err(e),
            }
            if self.pump.has_error() && read > 0 || self.pump.is_done() || read == buf.len() {
                return Ok(read);
            }
            self.pump.report()?;
            read += self.pump.push(&buf[read..], false);
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.drain()?;
        self.inner.as_mut().expect(THERE).flush()
    }
}
