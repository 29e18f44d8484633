//! Lines and columns in text that comes in pieces, in any encoding.
//!
//! Lines end with LF (CR LF is one line end by that); columns are code points, one for each ill-formed sequence; both
//! count from 1. Decision: line feeds are counted in every piece while it is in the cache, and code points only after
//! the last line feed of each piece. That is a small part of the cost of a conversion, it needs no second reading, and so
//! standard input is as well served as a file. Where a line feed is not a unit of its own, the text is decoded for it.
//!
//! `crate::lines` does this for text that is UTF-8 already, as in `check`; here the text is still in its
//! encoding, and to decode all of it for the sake of a place that is hardly ever asked for would double the work.

use crate::lines::{Tracker, has_plain_line_feeds};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, utf8};

/// A place in a text, moved on piece by piece.
#[derive(Clone, Debug)]
pub(super) struct Position {
    encoding: Encoding,
    /// LF in the encoding.
    line_feed: Vec<u8>,
    /// Bytes passed so far.
    offset: u64,
    line: u64,
    /// Counts the code points of the current line, except those of earlier pieces.
    columns: Transcoder<ErrorPolicy<'static>>,
    earlier: u64,
    /// Bytes before the start of the text.
    skip: usize,
    /// Counts instead, if line feeds cannot be recognized in the bytes.
    decoded: Option<Decoded>,
}

/// Counts lines and columns in text that is decoded only for that purpose.
#[derive(Clone, Debug)]
struct Decoded {
    decoder: Transcoder,
    /// U+FEFF at the start does not count.
    drops: bool,
    tracker: Tracker,
}

impl Decoded {
    fn advance(&mut self, mut piece: &[u8]) {
        let mut room = [0; 4096];
        loop {
            let p = self.decoder.convert(piece, &mut room, false);
            piece = &piece[p.read..];
            let mut text = &room[..p.written];
            if self.drops && !text.is_empty() {
                self.drops = false;
                text = text.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(text);
            }
            self.tracker.text(text);
            if p.status != Status::NeedOutput {
                return;
            }
        }
    }
}

impl Position {
    /// Returns the start of a text. `encoding` has its byte order decided; the first `skip` bytes are a signature, or
    /// U+FEFF at the start is one, if it `drops`.
    pub(super) fn new(encoding: Encoding, skip: usize, drops: bool) -> Self {
        let line_feed = Transcoder::new(Encoding::UTF_8, encoding).transcode(b"\n");
        let decoded = (!has_plain_line_feeds(encoding)).then(|| Decoded {
            decoder: Transcoder::new(encoding, Encoding::UTF_8)
                .on_error(ErrorPolicy::Replace)
                .on_unmappable(UnmappablePolicy::Replace),
            drops,
            tracker: Tracker::default(),
        });
        let line_feed = if decoded.is_some() { Vec::new() } else { line_feed.unwrap_or_default() };
        Self {
            decoded,
            encoding,
            line_feed,
            offset: 0,
            line: 1,
            columns: columns(encoding),
            earlier: 0,
            skip,
        }
    }

    /// Bytes passed so far.
    pub(super) const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the line, from 1.
    pub(super) fn line(&self) -> u64 {
        self.decoded.as_ref().map_or(self.line, |decoded| decoded.tracker.place().line)
    }

    /// Returns the column in code points, from 1.
    pub(super) fn column(&self) -> u64 {
        if let Some(decoded) = &self.decoded {
            return decoded.tracker.place().column;
        }
        let tally = self.columns.tally();
        self.earlier + tally.decoded.unwrap_or(0) + tally.replaced.count + 1
    }

    /// Returns the bytes of a code unit: all pieces but the last are multiples of it.
    pub(super) const fn unit(&self) -> usize {
        match self.line_feed.len() {
            0 => 1,
            len => len,
        }
    }

    /// Advances past a piece.
    pub(super) fn advance(&mut self, piece: &[u8]) {
        self.offset += piece.len() as u64;
        if let Some(decoded) = &mut self.decoded {
            decoded.advance(piece);
            return;
        }
        let skipped = self.skip.min(piece.len());
        self.skip -= skipped;
        let piece = &piece[skipped..];
        let (line_feeds, after) = match *self.line_feed {
            [_] => after_last(utf8::count_line_feeds(piece), piece, |byte| *byte == b'\n'),
            [a, b] => units(piece, [a, b]),
            [a, b, c, d] => units(piece, [a, b, c, d]),
            _ => (0, None),
        };
        self.line += line_feeds as u64;
        let tail = match after {
            Some(after) => {
                self.columns = columns(self.encoding);
                self.earlier = 0;
                &piece[after..]
            }
            None => piece,
        };
        let _ = self.columns.convert(tail, &mut [], false);
    }

    /// Advances past a part of the text that was counted separately and begins with a code point.
    pub(super) fn append(&mut self, part: Self) {
        self.offset += part.offset;
        self.line += part.line - 1;
        let before = if part.line > 1 { 0 } else { self.column() - 1 };
        self.columns = part.columns;
        self.earlier = part.earlier + before;
    }

    /// Moves on to `offset` of the text, in `piece` that follows. A place before the piece, where a sequence started
    /// that the piece goes on with, is where this is already: half a sequence is not counted.
    pub(super) fn advance_to(&mut self, offset: u64, piece: &[u8]) {
        let len = offset.saturating_sub(self.offset);
        let len = usize::try_from(len).unwrap_or(usize::MAX).min(piece.len());
        self.advance(&piece[..len]);
    }
}

/// The number of units that are line feeds, and the end of the last one.
fn units<const WIDTH: usize>(piece: &[u8], line_feed: [u8; WIDTH]) -> (usize, Option<usize>) {
    let units = piece.as_chunks::<WIDTH>().0;
    let count = units.iter().filter(|unit| **unit == line_feed).count();
    let (count, after) = after_last(count, units, |unit| *unit == line_feed);
    (count, after.map(|after| after * WIDTH))
}

/// Returns the number of line feeds, and the end of the last one. Without any, there is no search: unit by unit, that
/// takes longer than converting the piece.
fn after_last<T>(count: usize, units: &[T], is_line_feed: impl Fn(&T) -> bool) -> (usize, Option<usize>) {
    let last = if count == 0 { None } else { units.iter().rposition(is_line_feed) };
    (count, last.map(|at| at + 1))
}

fn columns(encoding: Encoding) -> Transcoder<ErrorPolicy<'static>> {
    Transcoder::checker(encoding).on_error(ErrorPolicy::Replace).counting()
}
