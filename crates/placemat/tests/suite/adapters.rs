//! The adapters for `std::io`, against the oracle. A reader reads from sources that yield a few bytes at a time, into
//! buffers of any size, and continues after each error. A writer takes pieces of any size.

use crate::oracle::{Conversion, Converted, Trouble};
use crate::samples::samples;
use crate::subject::{any_machine, fault, form, in_parallel, policies};
use placemat::stream::{Reader, Tally, Transcoder, Writer};
use placemat::{ConvertError, Encoding, ErrorPolicy, Replacement, UnmappablePolicy};
use std::io::{self, BufRead, Read, Write};

/// Yields 1, 2, … `most` bytes at a time, over and over, with occasional interrupts.
struct Slow<'a> {
    rest: &'a [u8],
    most: usize,
    calls: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(5) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let len = (self.calls % self.most + 1).min(self.rest.len()).min(buf.len());
        let (now, rest) = self.rest.split_at(len);
        buf[..len].copy_from_slice(now);
        self.rest = rest;
        Ok(len)
    }
}

/// Returns the error of a text inside an `io::Error`.
fn inside(e: &io::Error) -> ConvertError {
    assert_eq!(e.kind(), io::ErrorKind::InvalidData);
    *e.get_ref().and_then(|e| e.downcast_ref()).expect("it says what was wrong")
}

fn trouble(e: &ConvertError) -> Trouble {
    match e {
        ConvertError::IllFormed(e) => Trouble::IllFormed(fault(e, 1)),
        ConvertError::Unmappable(e) => Trouble::Unmappable {
            offset: usize::try_from(e.offset()).expect("a short text"),
            code_point: e.code_point().value(),
            kind: e.code(),
        },
        other => panic!("{other:?}"),
    }
}

fn same_counts(tally: Tally, expected: &Converted) {
    assert_eq!(tally.replaced.count, expected.counts.replaced.count);
    assert_eq!(tally.ignored.count, expected.counts.ignored.count);
    assert_eq!(tally.unmappable.count, expected.counts.unmappable.count);
}

/// Pairs of encodings: to and from UTF-8, through the hub, and with signatures.
const PAIRS: [(Encoding, Encoding); 7] = [
    (Encoding::UTF_8, Encoding::UTF_8),
    (Encoding::UTF_8, Encoding::UTF_16),
    (Encoding::UTF_16, Encoding::UTF_8),
    (Encoding::UTF_16BE, Encoding::ISO_8859_1),
    (Encoding::UTF_32LE, Encoding::UTF_8_BOM),
    (Encoding::UTF_8_BOM, Encoding::US_ASCII),
    (Encoding::US_ASCII, Encoding::UCS_4BE),
];

#[test]
fn reader() {
    in_parallel(PAIRS.len(), |i| {
        let (from, to) = PAIRS[i];
        for (n, src) in samples(form(from)).iter().enumerate() {
            for (round, policies) in
                policies(form(from), form(to)).into_iter().enumerate().skip(n % 3).step_by(3)
            {
                let (policy, span, unmappable) = policies;
                let expected =
                    Conversion { from: form(from), span, policy, to: form(to), unmappable }.run(src);
                let slow = Slow { rest: src, most: round % 7 + 1, calls: n };
                let capacity = [1, 30, 64 * 1024][n % 3];
                let machine = any_machine(from, to, policies);
                let mut reader = Reader::with_capacity(capacity, slow, machine);
                let mut buffer = [0; 9];
                let size = (round + n) % buffer.len() + 1;
                let (mut out, mut troubles) = (Vec::new(), Vec::new());
                loop {
                    match reader.read(&mut buffer[..size]) {
                        Ok(0) => break,
                        Ok(len) => out.extend_from_slice(&buffer[..len]),
                        Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                        Err(e) => troubles.push((trouble(&inside(&e)), out.len())),
                    }
                }
                assert_eq!(out, expected.bytes, "{from} to {to}, {policies:?}");
                assert_eq!(troubles, expected.troubles, "{from} to {to}, {policies:?}");
                same_counts(reader.tally(), &expected);
                assert_eq!(reader.read(&mut buffer).expect("the end"), 0, "and it stays there");
            }
        }
    });
}

#[test]
fn writer() {
    in_parallel(PAIRS.len(), |i| {
        let (from, to) = PAIRS[i];
        for (n, src) in samples(form(from)).iter().enumerate() {
            for (round, policies) in
                policies(form(from), form(to)).into_iter().enumerate().skip(n % 3).step_by(3)
            {
                let (policy, span, unmappable) = policies;
                let expected =
                    Conversion { from: form(from), span, policy, to: form(to), unmappable }.run(src);
                let capacity = [1, 30, 64 * 1024][n % 3];
                let machine = any_machine(from, to, policies);
                let mut writer = Writer::with_capacity(capacity, Vec::new(), machine);
                let mut troubles = Vec::new();
                for mut piece in src.chunks(round % 7 + 1) {
                    while !piece.is_empty() {
                        match writer.write(piece) {
                            Ok(len) => {
                                assert!(len > 0, "{from} to {to}, {policies:?}");
                                piece = &piece[len..];
                            }
                            Err(e) => troubles.push((trouble(&inside(&e)), writer.get_ref().len())),
                        }
                    }
                }
                while let Err(e) = writer.try_finish() {
                    troubles.push((trouble(&inside(&e)), writer.get_ref().len()));
                }
                assert_eq!(writer.tally().replaced.count, expected.counts.replaced.count);
                assert_eq!(troubles, expected.troubles, "{from} to {to}, {policies:?}");
                assert_eq!(writer.abandon(), expected.bytes, "{from} to {to}, {policies:?}");
            }
        }
    });
}

/// Texts longer than the buffers of the adapters.
#[test]
fn long_texts() {
    let text: String = "The quick brown fox \u{E9}\u{20AC}\u{1F600}. ".repeat(9_000);
    let stop = || (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    let (d, u) = stop();
    let mut utf16 = Vec::new();
    let there = Transcoder::new(Encoding::UTF_8, Encoding::UTF_16).on_error(d).on_unmappable(u);
    let read = Reader::new(text.as_bytes(), there.clone()).read_to_end(&mut utf16);
    assert_eq!(read.expect("all is well-formed"), utf16.len());
    assert_eq!(utf16.len(), 2 + 2 * text.encode_utf16().count());
    let mut writer = Writer::new(Vec::new(), there);
    for piece in text.as_bytes().chunks(70_001) {
        writer.write_all(piece).expect("all is well-formed");
    }
    assert!(writer.finish().expect("all is well-formed") == utf16);
    let back = Transcoder::new(Encoding::UTF_16, Encoding::UTF_8).on_error(d).on_unmappable(u);
    let slow = Slow { rest: &utf16, most: 40_000, calls: 0 };
    let mut again = String::new();
    let mut reader = Reader::new(slow, back);
    reader.read_to_string(&mut again).expect("all is well-formed");
    assert!(again == text);
}

/// Yields the pieces one after the other, each after an interrupt.
struct Pieces<'a>(Vec<&'a [u8]>, bool);

impl Read for Pieces<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let Some(piece) = self.0.first_mut() else { return Ok(0) };
        let len = piece.read(buf)?;
        if piece.is_empty() {
            self.0.remove(0);
        }
        Ok(len)
    }
}

/// Returns everything that a reader of UTF-8 yields into buffers of `size` bytes, and the offsets
/// of its errors in the source.
fn read_all(source: impl Read, capacity: usize, size: usize, policy: ErrorPolicy<'_>) -> (Vec<u8>, Vec<u64>) {
    let t = Transcoder::new(Encoding::UTF_8, Encoding::UTF_8).on_error(policy);
    let mut reader = Reader::with_capacity(capacity, source, t);
    let (mut out, mut errors, mut buffer) = (Vec::new(), Vec::new(), vec![b'?'; size]);
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => break,
            Ok(len) => out.extend_from_slice(&buffer[..len]),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => errors.push(inside(&e).offset()),
        }
    }
    assert_eq!(reader.read(&mut buffer).expect("the end"), 0, "and it stays there");
    (out, errors)
}

/// Well-formed UTF-8 is read directly into the caller's buffer, or into the output buffer: tries
/// every two cuts of the source, and every buffer size on either side of that choice.
#[test]
fn text_that_stays_as_it_is() {
    for src in [
        &b"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z"[..],
        b"\xF0\x9F\x98a\xE2\x82\xE2\x82\xAC\xFF\xC3\xA9\xF0\x9F",
        b"\xED\xA0\xBD\xED\xB8\x80\xC0\x80\x80\xE2\x82",
        b"a\xFFb",
        b"\xC3",
        b"",
    ] {
        let (mut kept, mut places, mut at) = (Vec::new(), Vec::new(), 0);
        for chunk in src.utf8_chunks() {
            kept.extend_from_slice(chunk.valid().as_bytes());
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                places.push(at as u64);
            }
            at += chunk.invalid().len();
        }
        let replaced = String::from_utf8_lossy(src).into_owned().into_bytes();
        // Longer than the smallest buffers.
        let long = "[this is not text, so read it with care]";
        let replaced_long: Vec<u8> = src
            .utf8_chunks()
            .flat_map(|chunk| [chunk.valid(), if chunk.invalid().is_empty() { "" } else { long }])
            .flat_map(str::bytes)
            .collect();
        let long = ErrorPolicy::ReplaceWith(Replacement::new(long).unwrap());
        for second in 0..=src.len() {
            for first in 0..=second {
                let cut = || {
                    let pieces = [&src[..first], &src[first..second], &src[second..]];
                    Pieces(pieces.into_iter().filter(|piece| !piece.is_empty()).collect(), false)
                };
                for (capacity, size) in [(1, 8192), (2, 1), (3, 4096), (5, 9), (16, 8192), (65_536, 4096)] {
                    let read = read_all(cut(), capacity, size, ErrorPolicy::Replace);
                    assert_eq!(read, (replaced.clone(), vec![]), "{src:02x?}, {first}, {second}");
                    let read = read_all(cut(), capacity, size, long);
                    assert_eq!(read, (replaced_long.clone(), vec![]), "{src:02x?}, {first}, {second}");
                    let read = read_all(cut(), capacity, size, ErrorPolicy::Stop);
                    assert_eq!(read, (kept.clone(), places.clone()), "{src:02x?}, {first}, {second}");
                }
            }
        }
    }
}

#[test]
fn text_before_an_error_is_read_before_the_error_however_short_it_is() {
    for text in [&b"a\xFFb"[..], b"ab\xFF", "\u{e9}\u{1f600}\u{e9}".as_bytes().split_last().unwrap().1] {
        let transcoder = Transcoder::new(Encoding::UTF_8, Encoding::UTF_8).on_error(ErrorPolicy::Stop);
        let mut reader = Reader::new(text, transcoder);
        let well_formed = text.utf8_chunks().next().unwrap().valid().as_bytes();
        let mut buffer = [0; 64];
        let mut read = Vec::new();
        let error = loop {
            match reader.read(&mut buffer) {
                Ok(0) => panic!("the error is not reported: {text:x?}"),
                Ok(len) => read.extend_from_slice(&buffer[..len]),
                Err(e) => break e,
            }
        };
        assert_eq!((&*read, inside(&error).offset()), (well_formed, well_formed.len() as u64), "{text:x?}");
    }
}

/// A transcoder that only validates writes nothing, in a reader too, although its text stays as it is.
#[test]
fn a_reader_that_only_checks_yields_nothing() {
    for (capacity, size) in [(1, 1), (16, 3), (65_536, 8192)] {
        let checker = Transcoder::checker(Encoding::UTF_8);
        let mut reader = Reader::with_capacity(capacity, &b"ab\xC3\xA9\xFFc"[..], checker);
        let mut buffer = vec![0; size];
        let error = reader.read(&mut buffer).expect_err("it is ill-formed");
        assert_eq!(inside(&error).offset(), 4);
        assert_eq!(reader.read(&mut buffer).expect("the end"), 0);
    }
}

/// Long texts with errors near each other and far apart.
#[test]
fn long_text_that_stays_as_it_is() {
    let clean = "naïve, Ελληνικά, 日本語, 😀, and a good deal of plain ASCII behind it. ".repeat(3000);
    for distance in [7, 100, 4000, 9001, 70_000, 1_000_000] {
        let mut src = clean.clone().into_bytes();
        src.iter_mut().skip(distance - 1).step_by(distance).for_each(|byte| *byte ^= 0x80);
        let replaced = String::from_utf8_lossy(&src).into_owned().into_bytes();
        for most in [3000, 8192, 100_000] {
            for (capacity, size) in
                [(10, 8192), (5000, 4096), (65_536, 8191), (65_536, 200_000), (65_536, 100)]
            {
                let source = Slow { rest: &src, most, calls: distance % 5 };
                let read = read_all(source, capacity, size, ErrorPolicy::Replace);
                assert!(read == (replaced.clone(), vec![]), "{distance}, {most}, {capacity}, {size}");
            }
        }
    }
}

/// Errors of the source and of the sink pass through, and the conversion continues after them.
#[test]
fn errors_of_the_system_pass_through() {
    struct Failing<'a>(&'a [u8], bool);
    impl Read for Failing<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            if core::mem::take(&mut self.1) { Err(io::ErrorKind::TimedOut.into()) } else { self.0.read(buf) }
        }
    }
    let t = Transcoder::new(Encoding::ISO_8859_1, Encoding::UTF_8);
    let mut reader = Reader::new(Failing(b"caf\xE9", true), t);
    let mut text = String::new();
    let e = reader.read_to_string(&mut text).expect_err("it fails once");
    assert_eq!((e.kind(), text.as_str()), (io::ErrorKind::TimedOut, ""));
    reader.read_to_string(&mut text).expect("and not again");
    assert_eq!(text, "caf\u{E9}");

    /// A sink that takes one byte at a time, and fails before that.
    #[derive(Debug, Default)]
    struct Full(Vec<u8>, bool);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.push(bytes[0]);
            Ok(1)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = Writer::new(Full::default(), Transcoder::new(Encoding::ISO_8859_1, Encoding::UTF_8));
    writer.write_all(b"caf\xE9").expect("it is taken");
    let mut errors = 0;
    while let Err(e) = writer.flush() {
        assert_eq!(e.kind(), io::ErrorKind::StorageFull);
        errors += 1;
    }
    assert_eq!(errors, 4, "one of five is not told, as something was taken");
    assert_eq!(writer.finish().expect("all is written").0, "caf\u{E9}".as_bytes(), "nothing is lost");
}

/// Reads lines, and accesses the source and the sink while they are in use.
#[test]
fn buffered_and_open() {
    let utf16 = Transcoder::new(Encoding::UTF_8, Encoding::UTF_16).transcode("a\n\u{E9}\nb".as_bytes());
    let utf16 = utf16.expect("all is well-formed");
    let mut reader = Reader::new(&utf16[..], Transcoder::new(Encoding::UTF_16, Encoding::UTF_8));
    assert_eq!(reader.get_ref().len(), 12);
    let mut line = String::new();
    reader.read_line(&mut line).expect("all is well-formed");
    assert_eq!(line, "a\n");
    assert!(reader.get_mut().is_empty(), "it reads ahead");
    let rest: Vec<_> = reader.by_ref().lines().collect::<io::Result<_>>().expect("all is well-formed");
    assert_eq!(rest, ["\u{E9}", "b"]);
    assert!(reader.into_inner().is_empty());

    let mut writer = Writer::new(Vec::new(), Transcoder::new(Encoding::UTF_16, Encoding::UTF_8));
    writer.get_mut().push(b'>');
    writer.write_all(&utf16).expect("all is well-formed");
    assert_eq!(writer.finish().expect("all is well-formed"), ">a\n\u{E9}\nb".as_bytes());
    let mut writer = Writer::new(Vec::new(), Transcoder::new(Encoding::UTF_8, Encoding::UTF_8));
    writer.try_finish().expect("nothing is well-formed");
    assert_eq!(writer.write(b"a").expect("no error"), 0, "a finished text takes nothing");
}
