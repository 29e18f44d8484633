//! The adapters for tokio, against those for `std::io`, with sources and sinks that take a few bytes at a time and make
//! every other call wait.

use crate::samples::samples;
use crate::subject::{any_machine, form, policies};
use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll};
use placemat::Encoding;
use placemat::stream::aio;
use placemat::stream::{Reader, Transcoder, Writer};
use std::io::{self, Read, Write};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

/// Reads and writes three bytes at a time, and makes every other call wait.
struct Slow<T> {
    inner: T,
    waited: bool,
}

impl<T> Slow<T> {
    fn new(inner: T) -> Self {
        Self { inner, waited: false }
    }

    fn wait(&mut self, cx: &Context<'_>) -> Poll<()> {
        self.waited = !self.waited;
        if self.waited {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}

impl AsyncRead for Slow<&[u8]> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        core::task::ready!(self.wait(cx));
        let (now, rest) = self.inner.split_at(self.inner.len().min(3).min(buf.remaining()));
        buf.put_slice(now);
        self.inner = rest;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Slow<Vec<u8>> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        core::task::ready!(self.wait(cx));
        let len = buf.len().min(3);
        self.inner.extend_from_slice(&buf[..len]);
        Poll::Ready(Ok(len))
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.wait(cx).map(Ok)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.wait(cx).map(Ok)
    }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
}

/// Pairs of encodings: to and from UTF-8, and through the hub.
const PAIRS: [(Encoding, Encoding); 3] = [
    (Encoding::UTF_16, Encoding::UTF_8),
    (Encoding::UTF_8, Encoding::UTF_7),
    (Encoding::UTF_16BE, Encoding::ISO_8859_1),
];

/// The output, and each error with the length of the output before it.
type Outcome = (Vec<u8>, Vec<(String, usize)>);

#[test]
fn reader() {
    for (from, to) in PAIRS {
        for (n, src) in samples(form(from)).iter().enumerate().step_by(5) {
            for policies in policies(form(from), form(to)).into_iter().skip(n % 7).step_by(7) {
                let mut expected = Outcome::default();
                let mut reader = Reader::new(&src[..], any_machine(from, to, policies));
                while let Err(e) = reader.read_to_end(&mut expected.0) {
                    expected.1.push((e.to_string(), expected.0.len()));
                }
                let machine = any_machine(from, to, policies);
                let mut reader = aio::Reader::with_capacity(20, Slow::new(&src[..]), machine);
                let found = run(async {
                    let mut found = Outcome::default();
                    while let Err(e) = reader.read_to_end(&mut found.0).await {
                        found.1.push((e.to_string(), found.0.len()));
                    }
                    found
                });
                assert_eq!(found, expected, "{from} to {to}, {policies:?}");
            }
        }
    }
}

#[test]
fn writer() {
    for (from, to) in PAIRS {
        for (n, src) in samples(form(from)).iter().enumerate().step_by(5) {
            for policies in policies(form(from), form(to)).into_iter().skip(n % 7).step_by(7) {
                let machine = || any_machine(from, to, policies);
                let mut expected = Outcome::default();
                let mut writer = Writer::new(Vec::new(), machine());
                let mut rest = &src[..];
                while !rest.is_empty() {
                    match writer.write(&rest[..rest.len().min(5)]) {
                        Ok(len) => rest = &rest[len..],
                        Err(e) => expected.1.push((e.to_string(), writer.get_ref().len())),
                    }
                }
                while let Err(e) = writer.try_finish() {
                    expected.1.push((e.to_string(), writer.get_ref().len()));
                }
                expected.0 = writer.abandon();

                let mut writer = aio::Writer::with_capacity(20, Slow::new(Vec::new()), machine());
                let found = run(async {
                    let mut troubles = Vec::new();
                    let mut rest = &src[..];
                    while !rest.is_empty() {
                        match writer.write(&rest[..rest.len().min(5)]).await {
                            Ok(len) => rest = &rest[len..],
                            Err(e) => troubles.push((e.to_string(), writer.get_ref().inner.len())),
                        }
                    }
                    while let Err(e) = writer.shutdown().await {
                        troubles.push((e.to_string(), writer.get_ref().inner.len()));
                    }
                    (writer.into_inner().inner, troubles)
                });
                assert_eq!(found, expected, "{from} to {to}, {policies:?}");
            }
        }
    }
}

/// Calls that are dropped while they wait lose no bytes.
#[test]
fn given_up_calls_lose_nothing() {
    let text = "a line\nand \u{E9}\u{20AC}\u{1F600}\n".repeat(50);
    let utf16 = Transcoder::new(Encoding::UTF_8, Encoding::UTF_16).transcode(text.as_bytes());
    let utf16 = utf16.expect("all is well-formed");
    run(async {
        let source = Slow::new(&utf16[..]);
        let t = Transcoder::new(Encoding::UTF_16, Encoding::UTF_8);
        let mut reader = aio::Reader::with_capacity(16, source, t);
        let mut found = Vec::new();
        loop {
            // `select!` prefers a branch that is ready over one that waits.
            tokio::select! {
                biased;
                ready = reader.fill_buf() => {
                    let len = ready.expect("all is well-formed").len();
                    if len == 0 {
                        break;
                    }
                    found.extend_from_slice(reader.fill_buf().await.expect("it is there"));
                    reader.consume(len);
                }
                () = core::future::ready(()) => {}
            }
        }
        assert_eq!(found, text.as_bytes());

        let t = Transcoder::new(Encoding::UTF_16, Encoding::UTF_8);
        let mut writer = aio::Writer::with_capacity(16, Slow::new(Vec::new()), t);
        let mut rest = &utf16[..];
        while !rest.is_empty() {
            tokio::select! {
                biased;
                len = writer.write(rest) => rest = &rest[len.expect("all is well-formed")..],
                () = core::future::ready(()) => {}
            }
        }
        writer.shutdown().await.expect("all is well-formed");
        assert_eq!(writer.into_inner().inner, text.as_bytes());
    });
}
