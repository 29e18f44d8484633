//! Adapters for the traits of `tokio`: [`stream::Reader`](super::Reader) and
//! [`stream::Writer`](super::Writer) that wait without blocking.
//!
//! A call that is dropped while it waits loses nothing: the bytes that it read or converted are in the buffers, and the
//! next call continues with them.

use super::pump::{CAPACITY, Inflow, Pump};
use super::{Tally, Transcoder};
use ::tokio::io::{AsyncBufRead, AsyncRead, AsyncWrite, ReadBuf};
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use placemat_core::policy::{ErrorPolicy, OnError, OnUnmappable, UnmappablePolicy};
use std::io;

/// Reads from `R` and yields the text in another encoding, as [`stream::Reader`](super::Reader) does.
///
/// ```
/// use placemat::{Encoding, stream::{Transcoder, aio::Reader}};
/// use tokio::io::AsyncReadExt;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let mut text = String::new();
/// let t = Transcoder::new(Encoding::UTF_16LE, Encoding::UTF_8);
/// Reader::new(&b"h\0\xE9\0"[..], t.clone()).read_to_string(&mut text).await?;
/// assert_eq!(text, "hé");
///
/// let e = Reader::new(&b"h\0\xE9"[..], t).read_to_string(&mut text).await.unwrap_err();
/// assert_eq!(e.to_string(), "incomplete sequence 0xe9 at offset 2");
///
/// // The source is accessible during the conversion, and comes back at the end.
/// let t = Transcoder::new(Encoding::ISO_8859_1, Encoding::UTF_8);
/// let mut reader = Reader::with_capacity(2, &b"caf\xE9"[..], t.counting());
/// reader.read_u8().await?;
/// assert_eq!(*reader.get_ref(), b"f\xE9");
/// reader.get_mut().read_u8().await?;
/// assert_eq!((reader.tally().decoded, reader.into_inner()), (Some(2), &b"\xE9"[..]));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Reader<R, D = ErrorPolicy<'static>, U = UnmappablePolicy<'static>> {
    inner: R,
    inflow: Inflow<D, U>,
}

/// A pin of the reader does not pin its policies.
impl<R: Unpin, D, U> Unpin for Reader<R, D, U> {}

impl<R: AsyncRead + Unpin, D: OnError, U: OnUnmappable> Reader<R, D, U> {
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

    /// Converts the next piece. Afterwards there is output, an error or the end.
    fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.inflow.pump.is_idle() {
            let converted = self.inflow.convert(|room| {
                let mut room = ReadBuf::new(room);
                match Pin::new(&mut self.inner).poll_read(cx, &mut room) {
                    Poll::Ready(Ok(())) => Ok(room.filled().len()),
                    Poll::Ready(Err(e)) => Err(Poll::Ready(e)),
                    Poll::Pending => Err(Poll::Pending),
                }
            });
            if let Err(stopped) = converted {
                return stopped.map(Err);
            }
        }
        Poll::Ready(Ok(()))
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

impl<R: AsyncRead + Unpin, D: OnError, U: OnUnmappable> AsyncRead for Reader<R, D, U> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let ready = ready!(self.as_mut().poll_fill_buf(cx))?;
        let len = ready.len().min(buf.remaining());
        buf.put_slice(&ready[..len]);
        self.consume(len);
        Poll::Ready(Ok(()))
    }
}

impl<R: AsyncRead + Unpin, D: OnError, U: OnUnmappable> AsyncBufRead for Reader<R, D, U> {
    fn poll_fill_buf(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<&[u8]>> {
        let this = self.get_mut();
        ready!(this.poll_fill(cx))?;
        Poll::Ready(this.inflow.pump.ready())
    }

    fn consume(self: Pin<&mut Self>, len: usize) {
        self.get_mut().inflow.pump.output.consume(len);
    }
}

/// Accepts text in one encoding and writes it to `W` in another, as [`stream::Writer`](super::Writer)
/// does.
///
/// A shutdown ends the text and then shuts `W` down. After an error of the text, it can be repeated.
///
/// ```
/// use placemat::{Encoding, stream::{Transcoder, aio::Writer}};
/// use tokio::io::AsyncWriteExt;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> std::io::Result<()> {
/// let mut w = Writer::new(Vec::new(), Transcoder::new(Encoding::ISO_8859_1, Encoding::UTF_8));
/// w.write_all(b"caf\xE9").await?;
/// w.shutdown().await?;
/// assert_eq!(w.into_inner(), "café".as_bytes());
///
/// // The text ends within a sequence.
/// let mut w = Writer::new(Vec::new(), Transcoder::new(Encoding::UTF_8, Encoding::UTF_8));
/// w.write_all(b"caf\xC3").await?;
/// assert_eq!(w.shutdown().await.unwrap_err().to_string(), "incomplete sequence 0xc3 at offset 3");
///
/// // The sink is accessible during the conversion.
/// let t = Transcoder::new(Encoding::ISO_8859_1, Encoding::UTF_8).counting();
/// let mut w = Writer::with_capacity(1024, Vec::new(), t);
/// w.write_all(b"\xE9").await?;
/// assert_eq!((w.get_ref().len(), w.tally().decoded), (2, Some(1)));
/// w.get_mut().push(b'!');
/// assert_eq!(w.into_inner(), "é!".as_bytes());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Writer<W, D = ErrorPolicy<'static>, U = UnmappablePolicy<'static>> {
    inner: W,
    pump: Pump<D, U>,
}

/// A pin of the writer does not pin its policies.
impl<W: Unpin, D, U> Unpin for Writer<W, D, U> {}

impl<W: AsyncWrite + Unpin, D: OnError, U: OnUnmappable> Writer<W, D, U> {
    /// Returns a writer to `inner` with the encodings and the policies of `transcoder`.
    #[must_use]
    pub fn new(inner: W, transcoder: Transcoder<D, U>) -> Self {
        Self::with_capacity(CAPACITY, inner, transcoder)
    }

    /// Returns a writer that writes at most `capacity` bytes at a time, or more if a policy puts more than that for one
    /// error.
    #[must_use]
    pub fn with_capacity(capacity: usize, inner: W, transcoder: Transcoder<D, U>) -> Self {
        Self { inner, pump: Pump::new(transcoder, capacity) }
    }

    /// Returns the tally so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.pump.tally()
    }

    /// Writes the output in the buffer.
    fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.pump.output.is_empty() {
            match ready!(Pin::new(&mut self.inner).poll_write(cx, self.pump.output.ready()))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                len => self.pump.output.consume(len),
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<W, D, U> Writer<W, D, U> {
    /// Returns a reference to the sink.
    #[must_use]
    pub const fn get_ref(&self) -> &W {
        &self.inner
    }

    /// Returns a mutable reference to the sink. Bytes written through it come between those of the text.
    #[must_use]
    pub const fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    /// Returns the sink. Text that was not shut down may lack its end.
    #[must_use]
    pub fn into_inner(self) -> W {
        self.inner
    }
}

/// Accepts nothing after the shutdown.
impl<W: AsyncWrite + Unpin, D: OnError, U: OnUnmappable> AsyncWrite for Writer<W, D, U> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let mut read = 0;
        loop {
            match this.poll_drain(cx) {
                Poll::Ready(Ok(())) => {}
                // The next call tries again, because this one has accepted bytes.
                Poll::Pending | Poll::Ready(Err(_)) if read > 0 => return Poll::Ready(Ok(read)),
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Err(e)) => return Poll::Ready(Err(e)),
            }
            if this.pump.has_error() && read > 0 || this.pump.is_done() || read == buf.len() {
                return Poll::Ready(Ok(read));
            }
            this.pump.report()?;
            read += this.pump.push(&buf[read..], false);
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_drain(cx))?;
        Pin::new(&mut this.inner).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        loop {
            ready!(this.poll_drain(cx))?;
            this.pump.report()?;
            if this.pump.is_done() {
                return Pin::new(&mut this.inner).poll_shutdown(cx);
            }
            this.pump.push(&[], true);
        }
    }
}
