//! One text, or one line of it, that is written as long as it fits.

use super::args::Unit;
use placemat::internals::Clusters;
use placemat::stream::{Status, Transcoder};
use placemat::{CodePoint, Encoding, length, utf8};
use std::io::{self, Write};

/// Text after the last place for the ellipsis that is kept in memory: more is not a character that anyone would write.
const MAX_HELD: usize = 1 << 20;

/// The maximum number of bytes with which an encoder ends a text, or writes a code point.
const MAX_END_BYTES: usize = 256;

/// The reason why a text cannot be written.
pub(super) enum Refused {
    Writing(io::Error),
    /// The encoding does not write this code point, although it reads it.
    Unmappable(CodePoint),
    /// More than [`MAX_HELD`] bytes of one character would have to be kept.
    TooLong,
}

impl From<io::Error> for Refused {
    fn from(e: io::Error) -> Self {
        Self::Writing(e)
    }
}

/// A limit and the text that marks a cut.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    pub(super) max: u64,
    pub(super) unit: Unit,
    /// Whether each line is a field of its own.
    pub(super) by_lines: bool,
    pub(super) ellipsis: String,
}

/// Writes a text in an encoding with shifts, where the bytes of a code point depend on the text before it.
#[derive(Clone)]
struct Writer {
    encoder: Transcoder,
    /// The number of bytes of a line feed that no shift precedes; `None` if the text ends and not a line.
    line_feed: Option<u64>,
}

impl Writer {
    fn new(encoding: Encoding, by_lines: bool) -> Self {
        let mut writer = Self { encoder: Transcoder::new(Encoding::UTF_8, encoding), line_feed: None };
        let line_feed = writer.clone().write("\n").map_or(0, |bytes| bytes.len() as u64);
        writer.line_feed = by_lines.then_some(line_feed);
        writer
    }

    fn write(&mut self, text: &str) -> Result<Vec<u8>, CodePoint> {
        let (mut src, mut out, mut room) = (text.as_bytes(), Vec::new(), [0; MAX_END_BYTES]);
        loop {
            let p = self.encoder.convert(src, &mut room, false);
            src = &src[p.read..];
            out.extend_from_slice(&room[..p.written]);
            match p.status {
                Status::NeedOutput => {}
                Status::Unmappable(e) => return Err(e.code_point()),
                Status::Done | Status::NeedInput | Status::IllFormed(_) => return Ok(out),
            }
        }
    }

    fn close(&mut self) -> Vec<u8> {
        let mut room = [0; MAX_END_BYTES];
        let p = self.encoder.close(&mut room);
        room[..p.written].to_vec()
    }

    /// Returns the number of bytes that `text`, and the end of the text or of the line, would take from here on.
    fn end(&self, text: &str) -> Result<u64, CodePoint> {
        let mut writer = self.clone();
        let mut bytes = writer.write(text)?.len() as u64;
        match self.line_feed {
            Some(line_feed) => bytes += (writer.write("\n")?.len() as u64).saturating_sub(line_feed),
            None => bytes += writer.close().len() as u64,
        }
        Ok(bytes)
    }
}

/// The place of some text in relation to the limit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The ellipsis still fits after the text.
    Before,
    /// The text fits if it ends soon.
    Within,
    Beyond,
}

/// The text under way.
pub(super) struct Field {
    limit: Limit,
    /// The ellipsis in bytes of the encoding, and in units of the limit.
    ellipsis: (Vec<u8>, u64),
    /// In encodings with shifts.
    writer: Option<Writer>,
    /// The state of the writer after the last text that the ellipsis can follow.
    mark: Option<Writer>,
    clusters: Clusters,
    /// The number of units taken so far.
    used: u64,
    /// The text after the last place for the ellipsis, and whether there is any.
    held: Vec<u8>,
    holds: bool,
    is_over: bool,
}

impl Field {
    /// Returns a field in an encoding; `copies`: its text is written as the bytes that it was read from.
    ///
    /// # Errors
    /// The code point of the ellipsis that the encoding does not hold.
    pub(super) fn new(limit: &Limit, encoding: Encoding, copies: bool) -> Result<Self, CodePoint> {
        let writer = (!copies).then(|| Writer::new(encoding, limit.by_lines));
        // Without shifts, each end is like the first.
        let bytes = Writer::new(encoding, false).write(&limit.ellipsis)?;
        let cost = match (&writer, limit.unit) {
            (Some(writer), Unit::Bytes) => writer.end(&limit.ellipsis)?,
            (None, Unit::Bytes) => bytes.len() as u64,
            (_, unit) => cost(unit, &limit.ellipsis, &mut Clusters::default()),
        };
        Ok(Self {
            limit: limit.clone(),
            ellipsis: (bytes, cost),
            mark: writer.clone(),
            writer,
            clusters: Clusters::default(),
            used: 0,
            held: Vec::new(),
            holds: false,
            is_over: false,
        })
    }

    /// Returns the ellipsis in units of the limit.
    pub(super) const fn ellipsis_cost(&self) -> u64 {
        self.ellipsis.1
    }

    /// Returns `true` if the ellipsis alone is beyond the limit.
    pub(super) const fn is_narrow(&self) -> bool {
        !self.limit.ellipsis.is_empty() && self.used + self.ellipsis.1 > self.limit.max
    }

    /// Begins the next text.
    fn begin(&mut self) {
        self.clusters = Clusters::default();
        self.mark.clone_from(&self.writer);
        self.used = 0;
        self.held.clear();
        self.holds = false;
        self.is_over = false;
    }

    /// Counts a signature of `len` bytes, if the limit is in bytes. Returns `true` if the signature fits.
    pub(super) fn signature(&mut self, len: usize) -> bool {
        if self.limit.unit == Unit::Bytes {
            self.used += len as u64;
        }
        self.is_over = self.used > self.limit.max;
        !self.is_over
    }

    /// Returns `true` if text was dropped: what follows up to the end of the line changes nothing.
    pub(super) const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns `true` if no further text can be written.
    pub(super) const fn is_full(&self) -> bool {
        let more_joins = matches!(self.limit.unit, Unit::Graphemes) && self.used > 0;
        self.is_over || self.used == self.limit.max && self.limit.ellipsis.is_empty() && !more_joins
    }

    /// Writes a stretch of text in one go, if the ellipsis still fits after it. Returns whether it did.
    pub(super) fn stretch(&mut self, text: &str, src: &[u8], to: &mut impl Write) -> io::Result<bool> {
        if self.is_over || self.holds || self.writer.is_some() || self.limit.unit == Unit::Graphemes {
            return Ok(false);
        }
        let used = self.used + stretch_cost(self.limit.unit, text, src);
        if used + self.ellipsis.1 > self.limit.max {
            return Ok(false);
        }
        self.used = used;
        to.write_all(src).map(|()| true)
    }

    /// Takes text that was read from UTF-8.
    pub(super) fn utf8(&mut self, text: &str, to: &mut impl Write) -> Result<(), Refused> {
        let left = self.limit.max.saturating_sub(self.used + self.ellipsis.1);
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let len = match self.limit.unit {
            Unit::Bytes => utf8::truncate_str(text, left).len(),
            Unit::CodePoints => utf8::truncate_code_points(text.as_bytes(), left).len(),
            Unit::Utf16 => utf8::truncate_utf16(text.as_bytes(), left).len(),
            Unit::Graphemes => 0,
        };
        let (start, rest) = text.split_at(len);
        let rest = if self.stretch(start, start.as_bytes(), to)? { rest } else { text };
        for c in rest.chars() {
            if self.is_over {
                break;
            }
            let mut bytes = [0; 4];
            let c = &*c.encode_utf8(&mut bytes);
            self.step(c, c.as_bytes(), to)?;
        }
        Ok(())
    }

    /// Takes text that is kept or dropped as a whole, and the bytes that it was read from.
    pub(super) fn step(&mut self, text: &str, src: &[u8], to: &mut impl Write) -> Result<(), Refused> {
        if self.is_over {
            return Ok(());
        }
        let before = self.writer.clone();
        let written = match &mut self.writer {
            Some(writer) => Some(writer.write(text).map_err(Refused::Unmappable)?),
            None => None,
        };
        let src = written.as_deref().unwrap_or(src);
        self.used += match self.limit.unit {
            Unit::Bytes => src.len() as u64,
            unit => cost(unit, text, &mut self.clusters),
        };
        match self.place()? {
            Place::Before => to.write_all(src)?,
            Place::Within => {
                if !self.holds {
                    self.holds = true;
                    self.mark = before;
                }
                if self.held.len() + src.len() > MAX_HELD {
                    return Err(Refused::TooLong);
                }
                self.held.extend_from_slice(src);
            }
            Place::Beyond => {
                if !self.holds {
                    self.mark = before;
                }
                self.is_over = true;
                let ellipsis = match &mut self.mark {
                    Some(mark) => mark.write(&self.limit.ellipsis).map_err(Refused::Unmappable)?,
                    None => self.ellipsis.0.clone(),
                };
                to.write_all(&ellipsis)?;
                self.writer.clone_from(&self.mark);
            }
        }
        Ok(())
    }

    fn place(&self) -> Result<Place, Refused> {
        let (end, with_ellipsis) = match (&self.writer, self.limit.unit) {
            (Some(writer), Unit::Bytes) => {
                let end = |text| writer.end(text).map_err(Refused::Unmappable);
                (end("")?, end(&self.limit.ellipsis)?)
            }
            _ => (0, self.ellipsis.1),
        };
        Ok(match self.limit.max {
            max if self.used + end > max => Place::Beyond,
            max if self.holds || self.used + with_ellipsis > max => Place::Within,
            _ => Place::Before,
        })
    }

    /// The line ends with `text`, which is not part of it; the next line begins.
    pub(super) fn end_line(&mut self, text: &str, src: &[u8], to: &mut impl Write) -> Result<(), Refused> {
        self.flush(to)?;
        match &mut self.writer {
            Some(writer) => to.write_all(&writer.write(text).map_err(Refused::Unmappable)?)?,
            None => to.write_all(src)?,
        }
        self.begin();
        Ok(())
    }

    /// The text ends, or is left as it is.
    pub(super) fn finish(&mut self, to: &mut impl Write) -> io::Result<()> {
        self.flush(to)?;
        match &mut self.writer {
            Some(writer) => to.write_all(&writer.close()),
            None => Ok(()),
        }
    }

    fn flush(&mut self, to: &mut impl Write) -> io::Result<()> {
        if self.is_over { Ok(()) } else { to.write_all(&self.held) }
    }
}

/// Returns the units of text that are not bytes.
fn cost(unit: Unit, text: &str, clusters: &mut Clusters) -> u64 {
    match unit {
        Unit::Graphemes => text.chars().map(|c| u64::from(clusters.begins(c))).sum(),
        unit => stretch_cost(unit, text, text.as_bytes()),
    }
}

fn stretch_cost(unit: Unit, text: &str, src: &[u8]) -> u64 {
    let len = match unit {
        Unit::Bytes => src.len(),
        Unit::CodePoints | Unit::Graphemes => utf8::count_code_points(text.as_bytes()),
        Unit::Utf16 => length::utf16_from_utf8(text.as_bytes()),
    };
    len as u64
}
