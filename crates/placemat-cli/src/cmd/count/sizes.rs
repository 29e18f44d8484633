//! `--sizes`: how long the same text is in every encoding that can hold it, as it is and after DEFLATE.

use crate::input::Input;
use crate::json;
use crate::output::Palette;
use crate::scan::{Around, Ended, Scanner, Sink};
use core::convert::Infallible;
use core::fmt::Write as _;
use core::ops::ControlFlow;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use placemat::stream::{AnyTranscoder, Status};
use placemat::{CodePoint, Encoding, ErrorPolicy, IllFormed, Span, UnmappablePolicy};
use serde::Serialize;
use std::io::{self, Write};

/// Text at a time that is handed to all encoders, in bytes of UTF-8.
const PIECE: usize = 1 << 20;

/// How long a text is in one encoding.
#[derive(Debug)]
pub(super) struct Size {
    pub(super) encoding: Encoding,
    pub(super) held: Held,
}

/// Whether the encoding can hold the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// In so many bytes, and in so many after DEFLATE.
    In { bytes: u64, deflated: u64 },
    /// It cannot; this is the first code point that is not held.
    Not(CodePoint),
}

/// Counts what is written to it.
#[derive(Debug, Default)]
struct Counting(u64);

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The text in one encoding, as it comes.
struct Encoder {
    encoding: Encoding,
    transcoder: AnyTranscoder,
    deflate: DeflateEncoder<Counting>,
    bytes: u64,
    refused: Option<CodePoint>,
}

impl Encoder {
    fn new(encoding: Encoding) -> Self {
        Self {
            encoding,
            transcoder: AnyTranscoder::new(
                Encoding::Utf8,
                encoding,
                ErrorPolicy::Stop,
                UnmappablePolicy::Stop,
            ),
            deflate: DeflateEncoder::new(Counting::default(), Compression::default()),
            bytes: 0,
            refused: None,
        }
    }

    fn push(&mut self, text: &[u8], last: bool, buffer: &mut [u8]) -> io::Result<()> {
        let mut read = 0;
        while self.refused.is_none() {
            let p = self.transcoder.convert(&text[read..], buffer, last);
            read += p.read;
            self.bytes += p.written as u64;
            self.deflate.write_all(&buffer[..p.written])?;
            match p.status {
                Status::NeedOutput => {}
                Status::Unmappable(e) => self.refused = Some(e.code_point()),
                Status::Done | Status::NeedInput | Status::IllFormed(_) => break,
            }
        }
        Ok(())
    }

    fn finish(self) -> io::Result<Size> {
        let held = match self.refused {
            Some(c) => Held::Not(c),
            None => Held::In { bytes: self.bytes, deflated: self.deflate.finish()?.0 },
        };
        Ok(Size { encoding: self.encoding, held })
    }
}

/// Gathers text, and hands it to all encoders.
struct Gathered {
    text: Vec<u8>,
    /// Each thread's share.
    shares: Vec<(Vec<Encoder>, Box<[u8]>)>,
    trouble: Option<io::Error>,
}

impl Gathered {
    fn new() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut shares: Vec<_> =
            (0..threads).map(|_| (Vec::new(), vec![0; 64 * 1024].into_boxed_slice())).collect();
        for (i, &encoding) in Encoding::ALL.iter().enumerate() {
            shares[i % threads].0.push(Encoder::new(encoding));
        }
        Self { text: Vec::with_capacity(PIECE), shares, trouble: None }
    }

    fn flush(&mut self, last: bool) {
        let text = &self.text;
        let troubles = std::thread::scope(|scope| {
            let work = |(encoders, buffer): &mut (Vec<Encoder>, Box<[u8]>)| {
                encoders.iter_mut().try_for_each(|encoder| encoder.push(text, last, buffer))
            };
            let threads: Vec<_> =
                self.shares.iter_mut().map(|share| scope.spawn(move || work(share))).collect();
            threads.into_iter().find_map(|thread| thread.join().ok()?.err())
        });
        self.trouble = self.trouble.take().or(troubles);
        self.text.clear();
    }
}

impl Sink for Gathered {
    type Break = Infallible;

    fn text(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        if self.text.len() >= PIECE {
            self.flush(false);
        }
    }

    fn ill_formed(&mut self, _: &IllFormed, _: &Around<'_>) -> ControlFlow<Infallible> {
        self.text.extend_from_slice("\u{FFFD}".as_bytes());
        ControlFlow::Continue(())
    }
}

/// The sizes of a text in all encodings, smallest first; those that cannot hold it at the end.
pub(super) fn measure(scanner: &mut Scanner, input: &mut Input, from: Encoding) -> io::Result<Vec<Size>> {
    let mut gathered = Gathered::new();
    let Ended::Whole(_) = scanner.scan(&mut input.file, from, Span::Maximal, false, &mut gathered)? else {
        return Ok(Vec::new());
    };
    gathered.flush(true);
    if let Some(e) = gathered.trouble {
        return Err(e);
    }
    let encoders = gathered.shares.into_iter().flat_map(|(encoders, _)| encoders);
    let mut sizes = encoders.map(Encoder::finish).collect::<io::Result<Vec<_>>>()?;
    let rank = |size: &Size| Encoding::ALL.iter().position(|encoding| *encoding == size.encoding);
    sizes.sort_by_key(|size| match size.held {
        Held::In { bytes, .. } => (bytes, rank(size)),
        Held::Not(_) => (u64::MAX, rank(size)),
    });
    Ok(sizes)
}

/// A line of `--format jsonl`.
#[derive(Debug, Serialize)]
struct JsonSize<'a> {
    path: &'a str,
    encoding: &'a str,
    bytes: Option<u64>,
    deflated: Option<u64>,
    first_not_held: Option<String>,
}

pub(super) fn write_json(data: &mut impl Write, path: &str, sizes: &[Size]) -> io::Result<()> {
    for size in sizes {
        let (bytes, deflated, not) = match size.held {
            Held::In { bytes, deflated } => (Some(bytes), Some(deflated), None),
            Held::Not(c) => (None, None, Some(c.to_string())),
        };
        let encoding = size.encoding.name();
        let line = JsonSize { path, encoding, bytes, deflated, first_not_held: not };
        json::write_line(data, &line)?;
    }
    Ok(())
}

/// Columns that a bar takes at the most.
const BAR: usize = 32;
/// Names of a line.
const NAMES: usize = 3;

/// The sizes as a table with bars. Encodings of one byte a code point are all the same length and share a line.
pub(super) fn table(name: &str, sizes: &[Size], styles: Palette) -> String {
    let Palette { dim, name: heading, .. } = styles;
    struct Row {
        names: Vec<&'static str>,
        bytes: u64,
        deflated: u64,
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut of_one_byte: Option<usize> = None;
    let mut not_held = Vec::new();
    for size in sizes {
        let Held::In { bytes, deflated } = size.held else {
            not_held.push(size);
            continue;
        };
        let name = size.encoding.name();
        if size.encoding.max_bytes() == 1 {
            if let Some(row) = of_one_byte {
                rows[row].names.push(name);
                rows[row].deflated = rows[row].deflated.min(deflated);
                continue;
            }
            of_one_byte = Some(rows.len());
        }
        rows.push(Row { names: vec![name], bytes, deflated });
    }
    let listed = |names: &[&str]| match names.len().saturating_sub(NAMES) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..NAMES].join(", ")),
    };
    let most = rows.iter().map(|row| row.bytes).max().unwrap_or(0).max(1);
    let number = |n: u64| n.to_string().len();
    let width = rows.iter().map(|row| listed(&row.names).len()).max().unwrap_or(0).max(8);
    let bytes = rows.iter().map(|row| number(row.bytes)).max().unwrap_or(0).max(5);
    let deflated = rows.iter().map(|row| number(row.deflated)).max().unwrap_or(0).max(8);
    let mut to = String::new();
    _ = writeln!(to, "{heading}{name}{heading:#}");
    _ = writeln!(to, "{dim}{:width$}  {:>bytes$}  {:>deflated$}{dim:#}", "encoding", "bytes", "deflated");
    for row in &rows {
        let cells = |n: u64| usize::try_from(n.saturating_mul(BAR as u64).div_ceil(most)).unwrap_or(BAR);
        let (all, packed) = (cells(row.bytes), cells(row.deflated.min(row.bytes)));
        let bar = ["█".repeat(packed), "░".repeat(all - packed)].concat();
        let line = format!(
            "{:width$}  {:>bytes$}  {:>deflated$}  {bar}",
            listed(&row.names),
            row.bytes,
            row.deflated
        );
        _ = writeln!(to, "{}", line.trim_end());
    }
    if let [Size { held: Held::Not(c), .. }, ..] = not_held[..] {
        let names: Vec<_> = not_held.iter().map(|size| size.encoding.name()).collect();
        _ = writeln!(to, "{dim}{} cannot hold it; {} has no {c}{dim:#}", listed(&names), names[0]);
    }
    to
}
