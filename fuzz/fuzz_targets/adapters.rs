//! `Reader` and `Writer` around any source or sink, with any capacity and any pieces, give what one call gives.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::stream::{Reader, Transcoder, Writer};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use std::io::{self, Read, Write};

/// A source and a sink that take pieces of any length, and are interrupted.
struct Pieces<'a, T> {
    inner: T,
    sizes: &'a [u8],
    turn: usize,
}

impl<T> Pieces<'_, T> {
    fn next(&mut self) -> io::Result<usize> {
        self.turn += 1;
        match self.sizes.get(self.turn % self.sizes.len().max(1)) {
            Some(0) if !self.turn.is_multiple_of(3) => Err(io::ErrorKind::Interrupted.into()),
            Some(&size) => Ok(usize::from(size).max(1)),
            None => Ok(usize::MAX),
        }
    }
}

impl Read for Pieces<'_, &[u8]> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let size = self.next()?.min(buf.len());
        self.inner.read(&mut buf[..size])
    }
}

impl Write for Pieces<'_, Vec<u8>> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let size = self.next()?.min(buf.len());
        self.inner.write(&buf[..size])
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fuzz_target!(|input: ([u16; 2], bool, u16, [u8; 4], &[u8])| {
    let ([from, to], stops, capacity, sizes, src) = input;
    let [from, to] = [from, to].map(|n| Encoding::ALL[usize::from(n) % Encoding::ALL.len()]);
    let policy = if stops { ErrorPolicy::Stop } else { ErrorPolicy::Replace };
    let transcoder = || Transcoder::new(from, to).on_error(policy).on_unmappable(UnmappablePolicy::Replace);
    let whole = transcoder().transcode(src);

    let source = Pieces { inner: src, sizes: &sizes, turn: 0 };
    let mut out = Vec::new();
    let read = Reader::with_capacity(capacity.into(), source, transcoder()).read_to_end(&mut out);
    match &whole {
        Ok(whole) => assert!(read.is_ok() && out == *whole, "{from} to {to}"),
        Err(_) => assert!(read.is_err(), "{from} to {to}"),
    }

    let sink = Pieces { inner: vec![], sizes: &sizes, turn: 0 };
    let mut writer = Writer::with_capacity(capacity.into(), sink, transcoder());
    let size = usize::from(sizes[0]).max(1);
    let written = src.chunks(size).try_for_each(|piece| writer.write_all(piece));
    match (written, &whole) {
        (Ok(()), Ok(whole)) => assert!(writer.finish().unwrap().inner == *whole, "{from} to {to}"),
        (Ok(()), Err(_)) => assert!(writer.finish().is_err(), "{from} to {to}"),
        (Err(e), Ok(_)) => panic!("{from} to {to}: {e}"),
        (Err(_), Err(_)) => drop(writer.abandon()),
    }
});
