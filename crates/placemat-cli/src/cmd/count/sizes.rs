//! `--sizes`: the length of a text in every encoding that can hold it, and in UTF-8 as mail and URLs carry it.
//!
//! One pass, in constant memory. Most encodings have a byte for each code point: which code points occur, and the lines, give
//! their sizes at the end. In the others, and for what is carried otherwise, the text is written piece by piece and
//! its bytes are counted; in all of them if it is to be compressed as well.

use super::mail::{Lines, Mail};
use super::text::{Reader, Sink};
use crate::input::Input;
use crate::json;
use crate::palette::Palette;
use crate::shown::SCREEN;
use core::fmt::Write as _;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use placemat::stream::{Status, Transcoder};
use placemat::transfer::{self, LineEnd, Transfer};
use placemat::{CodePoint, Encoding, ErrorPolicy, UnmappablePolicy, utf8};
use serde::Serialize;
use std::io::{self, Write};

/// Text at a time that is handed to all encoders, in bytes of UTF-8.
const PIECE_BYTES: usize = 1 << 18;

/// The transfer encodings of the table, for text in UTF-8.
const CARRIED: [Transfer; 3] = [Transfer::QuotedPrintable, Transfer::Base64, Transfer::Percent];

/// A way to write a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    encoding: Encoding,
    transfer: Option<Transfer>,
}

impl Way {
    fn all() -> impl Iterator<Item = Self> {
        let plain = Encoding::ALL.iter().map(|&encoding| Self { encoding, transfer: None });
        plain.chain(CARRIED.into_iter().map(|kind| Self { encoding: Encoding::UTF_8, transfer: Some(kind) }))
    }

    fn name(self) -> String {
        match self.transfer {
            None => self.encoding.name().into(),
            Some(kind) => format!("{}, {}", self.encoding.name(), kind.name()),
        }
    }
}

/// The length of a text in one encoding.
#[derive(Debug)]
pub(super) struct Size {
    way: Way,
    held: Held,
}

/// Whether the encoding can hold the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    /// Yes: the number of bytes; the number after DEFLATE, if requested; what the bytes need in mail.
    In { bytes: u64, deflated: Option<u64>, mail: Mail },
    /// The encoding lacks some of the text: the first code point that it lacks.
    Not(CodePoint),
}

/// Counts the bytes written to it.
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

fn encoder(encoding: Encoding) -> Transcoder {
    Transcoder::new(Encoding::UTF_8, encoding)
}

/// A writer of text.
enum Writer {
    Encoding(Box<Transcoder>),
    Transfer(transfer::Encoder),
}

/// Counts the bytes of a text in one way.
struct Tally {
    bytes: u64,
    lines: Lines,
    deflate: Option<DeflateEncoder<Counting>>,
}

impl Tally {
    fn push(&mut self, written: &[u8]) -> io::Result<()> {
        self.bytes += written.len() as u64;
        self.lines.push(written, |bytes| bytes.len() as u64);
        self.deflate.as_mut().map_or(Ok(()), |deflate| deflate.write_all(written))
    }

    fn finish(self) -> io::Result<Held> {
        let deflated = self.deflate.map(DeflateEncoder::finish).transpose()?;
        let (bytes, mail) = (self.bytes, self.lines.finish());
        Ok(Held::In { bytes, deflated: deflated.map(|counting| counting.0), mail })
    }
}

/// Writes the text in one way, piece by piece.
struct Encoder {
    way: Way,
    writer: Writer,
    tally: Tally,
    refused: Option<CodePoint>,
}

impl Encoder {
    fn new(way: Way, deflated: bool) -> Self {
        let deflate = deflated.then(|| DeflateEncoder::new(Counting::default(), Compression::default()));
        Self {
            way,
            writer: match way.transfer {
                None => Writer::Encoding(Box::new(encoder(way.encoding))),
                // The line breaks of `convert --wrap`.
                Some(kind) => Writer::Transfer(transfer::Encoder::in_lines(kind, LineEnd::Lf)),
            },
            tally: Tally { bytes: 0, lines: Lines::default(), deflate },
            refused: None,
        }
    }

    fn push(&mut self, text: &[u8], last: bool, buffer: &mut Buffer) -> io::Result<()> {
        let transcoder = match &mut self.writer {
            Writer::Encoding(transcoder) => transcoder,
            Writer::Transfer(encoder) => {
                for piece in text.chunks(OUTPUT_PIECE_BYTES) {
                    buffer.carried.clear();
                    encoder.push(piece, false, &mut buffer.carried);
                    self.tally.push(&buffer.carried)?;
                }
                if last {
                    buffer.carried.clear();
                    encoder.push(&[], true, &mut buffer.carried);
                    self.tally.push(&buffer.carried)?;
                }
                return Ok(());
            }
        };
        let mut read = 0;
        while self.refused.is_none() {
            let p = transcoder.convert(&text[read..], &mut buffer.bytes, last);
            read += p.read;
            self.tally.push(&buffer.bytes[..p.written])?;
            match p.status {
                Status::NeedOutput => {}
                Status::Unmappable(e) => {
                    self.refused = Some(e.code_point());
                    self.tally.deflate = None;
                }
                Status::Done | Status::NeedInput | Status::IllFormed(_) => break,
            }
        }
        Ok(())
    }

    fn finish(self) -> io::Result<Size> {
        let held = match self.refused {
            Some(c) => Held::Not(c),
            None => self.tally.finish()?,
        };
        Ok(Size { way: self.way, held })
    }
}

/// Bytes that are written at a time.
const OUTPUT_PIECE_BYTES: usize = 64 * 1024;

/// The output buffer of the encoders of a thread.
struct Buffer {
    bytes: Box<[u8]>,
    carried: Vec<u8>,
}

/// The code points of a text, and its lines, for encodings with a byte for each code point.
struct Points {
    seen: Box<[bool]>,
    /// The code points that occur, in the order of their first occurrence.
    order: String,
    count: u64,
    lines: Lines,
}

impl Points {
    fn new() -> Self {
        Self { seen: vec![false; 0x11_0000].into(), order: String::new(), count: 0, lines: Lines::default() }
    }

    fn push(&mut self, text: &str) {
        for c in text.chars() {
            let seen = &mut self.seen[c as usize];
            if !*seen {
                *seen = true;
                self.order.push(c);
            }
        }
        let count = |bytes: &[u8]| utf8::count_code_points(bytes) as u64;
        self.count += count(text.as_bytes());
        self.lines.push(text.as_bytes(), count);
    }

    /// Returns the size in an encoding. The first code point in `order` that it does not hold is also the first in the text.
    fn size(&self, encoding: Encoding, buffer: &mut [u8]) -> Held {
        let mut transcoder = encoder(encoding);
        let mut rest = self.order.as_bytes();
        let (mut has_high, mut has_odd) = (false, false);
        loop {
            let p = transcoder.convert(rest, buffer, true);
            rest = &rest[p.read..];
            let written = &buffer[..p.written];
            has_high |= !written.is_ascii();
            has_odd |= memchr::memchr3(0, b'\r', b'\n', written).is_some();
            match p.status {
                Status::NeedOutput => {}
                Status::Unmappable(e) => return Held::Not(e.code_point()),
                _ => break,
            }
        }
        // In EBCDIC, the bytes of CR and LF are not those that end lines in mail: there is one line.
        let has_line_ends = encoding.encode("\r\n", UnmappablePolicy::Stop).is_ok_and(|end| *end == *b"\r\n");
        let lines = if has_line_ends { self.lines } else { Lines::single(self.count, has_odd) };
        Held::In { bytes: self.count, deflated: None, mail: lines.with_high(has_high).finish() }
    }
}

/// Gathers text, and hands it to all encoders.
struct Gathered {
    text: String,
    points: Option<Points>,
    /// The encoders of each thread, and its buffer.
    shares: Vec<(Vec<Encoder>, Buffer)>,
    trouble: Option<io::Error>,
}

impl Gathered {
    fn new(deflated: bool) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let buffer = || Buffer { bytes: vec![0; OUTPUT_PIECE_BYTES].into(), carried: Vec::new() };
        let mut shares: Vec<_> = (0..threads).map(|_| (Vec::new(), buffer())).collect();
        let written = Way::all().filter(|&way| deflated || !is_counted(way));
        for (i, way) in written.enumerate() {
            shares[i % threads].0.push(Encoder::new(way, deflated));
        }
        let points = (!deflated).then(Points::new);
        Self { text: String::with_capacity(2 * PIECE_BYTES), points, shares, trouble: None }
    }

    fn flush(&mut self, last: bool) {
        let text = &self.text;
        let points = &mut self.points;
        let troubles = std::thread::scope(|scope| {
            let work = |(encoders, buffer): &mut (Vec<Encoder>, Buffer)| {
                encoders.iter_mut().try_for_each(|encoder| encoder.push(text.as_bytes(), last, buffer))
            };
            let threads: Vec<_> =
                self.shares.iter_mut().map(|share| scope.spawn(move || work(share))).collect();
            if let Some(points) = points {
                points.push(text);
            }
            threads.into_iter().find_map(|thread| thread.join().ok()?.err())
        });
        self.trouble = self.trouble.take().or(troubles);
        self.text.clear();
    }

    fn finish(mut self) -> io::Result<Vec<Size>> {
        self.flush(true);
        if let Some(e) = self.trouble {
            return Err(e);
        }
        let encoders = self.shares.into_iter().flat_map(|(encoders, _)| encoders);
        let mut sizes = encoders.map(Encoder::finish).collect::<io::Result<Vec<_>>>()?;
        if let Some(points) = self.points {
            let mut buffer = [0; 1024];
            sizes.extend(
                Way::all()
                    .filter(|&way| is_counted(way))
                    .map(|way| Size { way, held: points.size(way.encoding, &mut buffer) }),
            );
        }
        Ok(sizes)
    }
}

/// Returns `true` if the code points and the lines of a text give its size: each code point has one byte, and only controls have
/// the bytes that end lines in mail. In ATASCII, letters have them.
fn is_counted(way: Way) -> bool {
    let is_control = |byte: u8| {
        let text = way.encoding.decode(core::slice::from_ref(&byte), ErrorPolicy::Stop);
        text.is_ok_and(|text| text.chars().all(char::is_control))
    };
    way.transfer.is_none() && way.encoding.max_bytes() == 1 && is_control(b'\n') && is_control(b'\r')
}

impl Sink for Gathered {
    fn text(&mut self, text: &str) {
        self.text.push_str(text);
        if self.text.len() >= PIECE_BYTES {
            self.flush(false);
        }
    }

    fn ill_formed(&mut self, _: u64) {}
}

/// Returns the sizes of a text in all encodings, smallest first; encodings that cannot represent it come
/// last.
pub(super) fn measure(
    reader: &mut Reader,
    input: &mut Input,
    from: Encoding,
    deflated: bool,
) -> io::Result<Vec<Size>> {
    let mut gathered = Gathered::new(deflated);
    reader.read(&mut input.file, from, &mut gathered)?;
    let mut sizes = gathered.finish()?;
    let rank = |size: &Size| Way::all().position(|way| way == size.way);
    sizes.sort_by_cached_key(|size| match size.held {
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
    transfer: Option<&'static str>,
    bytes: Option<u64>,
    deflated: Option<u64>,
    mail: Option<&'static str>,
    first_not_held: Option<String>,
}

pub(super) fn write_json(data: &mut impl Write, path: &str, sizes: &[Size]) -> io::Result<()> {
    for size in sizes {
        let (bytes, deflated, mail, first_not_held) = match size.held {
            Held::In { bytes, deflated, mail } => (Some(bytes), deflated, Some(mail.name()), None),
            Held::Not(c) => (None, None, None, Some(c.to_string())),
        };
        let (encoding, transfer) = (size.way.encoding.name(), size.way.transfer.map(Transfer::name));
        json::write_line(
            data,
            &JsonSize { path, encoding, transfer, bytes, deflated, mail, first_not_held },
        )?;
    }
    Ok(())
}

/// Columns that a bar takes at the most and at the least.
const BARS: (usize, usize) = (32, 8);
/// Names of a line.
const NAMES: usize = 3;

/// Encodings of one line of the table.
struct Row {
    names: Vec<String>,
    bytes: u64,
    deflated: Option<u64>,
    mail: Mail,
}

/// Returns the sizes as a table with bars. Encodings of one byte a code point are of one length and share a line, if they need the
/// same in mail.
pub(super) fn table(name: &str, sizes: &[Size], styles: Palette) -> String {
    let Palette { dim, name: heading, .. } = styles;
    let mut rows: Vec<Row> = Vec::new();
    let mut of_one_byte: Vec<usize> = Vec::new();
    let mut not_held = Vec::new();
    for size in sizes {
        let (bytes, deflated, mail) = match size.held {
            Held::In { bytes, deflated, mail } => (bytes, deflated, mail),
            Held::Not(c) => {
                not_held.push((size.way.name(), c));
                continue;
            }
        };
        let name = size.way.name();
        if size.way.encoding.max_bytes() == 1 {
            if let Some(&row) = of_one_byte.iter().find(|&&row| rows[row].mail == mail) {
                rows[row].names.push(name);
                rows[row].deflated = rows[row].deflated.min(deflated);
                continue;
            }
            of_one_byte.push(rows.len());
        }
        rows.push(Row { names: vec![name], bytes, deflated, mail });
    }
    let listed = |names: &[String]| match names.len().saturating_sub(NAMES) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..NAMES].join(", ")),
    };
    let most = rows.iter().map(|row| row.bytes).max().unwrap_or(0).max(1);
    let number = |n: u64| n.to_string().len();
    let width = rows.iter().map(|row| listed(&row.names).len()).max().unwrap_or(0).max(8);
    let bytes = rows.iter().map(|row| number(row.bytes)).max().unwrap_or(0).max(5);
    let deflated = rows.iter().filter_map(|row| Some(number(row.deflated?).max(8))).max();
    let mail = Mail::Binary.name().len();
    let taken = width + 2 + bytes + 2 + mail + 2 + deflated.map_or(0, |width| width + 2);
    let bar = SCREEN.saturating_sub(taken).clamp(BARS.1, BARS.0);
    let mut to = String::new();
    _ = writeln!(to, "{heading}{name}{heading:#}");
    _ = write!(to, "{dim}{:width$}  {:>bytes$}", "encoding", "bytes");
    if let Some(deflated) = deflated {
        _ = write!(to, "  {:>deflated$}", "deflated");
    }
    _ = writeln!(to, "  mail{dim:#}");
    for row in &rows {
        let cells = |n: u64| usize::try_from(n.saturating_mul(bar as u64).div_ceil(most)).unwrap_or(bar);
        let all = cells(row.bytes);
        let packed = row.deflated.map_or(all, |deflated| cells(deflated.min(row.bytes)));
        let mut line = format!("{:width$}  {:>bytes$}", listed(&row.names), row.bytes);
        if let (Some(width), Some(deflated)) = (deflated, row.deflated) {
            _ = write!(line, "  {deflated:>width$}");
        }
        _ = write!(line, "  {:mail$}", row.mail.name());
        _ = write!(line, "  {}{}", "█".repeat(packed), "░".repeat(all - packed));
        _ = writeln!(to, "{}", line.trim_end());
    }
    if let [(first, c), ..] = &not_held[..] {
        let names: Vec<_> = not_held.iter().map(|(name, _)| name.clone()).collect();
        _ = writeln!(to, "{dim}{} cannot hold it; {first} has no {c}{dim:#}", listed(&names));
    }
    to
}
