//! A stream in any encoding as its text in UTF-8, each ill-formed sequence as the U+FFFD that replaces it.

use crate::input;
use crate::pages::{PAGE, Pages};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, utf8};
use std::io::{self, Read};

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 128 * 1024;

/// The buffers, to be used for one stream after the other.
#[derive(Debug)]
pub(super) struct Reader {
    source: Pages,
    text: Box<[u8]>,
}

/// Takes text in UTF-8, cut between code points.
pub(super) trait Sink {
    /// The next piece, which is never empty.
    fn text(&mut self, text: &str);

    /// The number of U+FFFD in the text that replace ill-formed sequences.
    fn ill_formed(&mut self, count: u64);
}

impl Reader {
    pub(super) fn new() -> Self {
        Self { source: Pages::new(PAGE + PIECE_BYTES), text: vec![0; PIECE_BYTES].into() }
    }

    /// Reads all of `stream`. Returns its length in bytes.
    pub(super) fn read(
        &mut self,
        stream: &mut impl Read,
        from: Encoding,
        sink: &mut impl Sink,
    ) -> io::Result<u64> {
        if from == Encoding::UTF_8 { self.in_place(stream, sink) } else { self.decoded(stream, from, sink) }
    }

    /// UTF-8 is passed on in place, and rewritten only from the first error of a piece on: errors are often near each
    /// other, and the library replaces many as fast as it copies text.
    fn in_place(&mut self, stream: &mut impl Read, sink: &mut impl Sink) -> io::Result<u64> {
        let (mut held, mut bytes) = (0, 0);
        loop {
            // The few bytes that are held stand before a page.
            let read = input::read(stream, &mut self.source[PAGE..])?;
            bytes += read as u64;
            let last = read == 0;
            let piece = &self.source[PAGE - held..PAGE + read];
            let end = if last { piece.len() } else { settled(piece) };
            let (now, later) = piece.split_at(end);
            let rest = match utf8::validate(now) {
                Ok(text) => {
                    tell(text, sink);
                    &[][..]
                }
                Err(e) => {
                    let (text, rest) = now.split_at_checked(e.valid_up_to()).unwrap_or_default();
                    tell(utf8::validate(text).unwrap_or_default(), sink);
                    rest
                }
            };
            if !rest.is_empty() {
                replace(&mut replacer(Encoding::UTF_8), rest, true, &mut self.text, sink);
            }
            let from = PAGE - held + end;
            held = later.len();
            self.source.copy_within(from..from + held, PAGE - held);
            if last {
                return Ok(bytes);
            }
        }
    }

    fn decoded(&mut self, stream: &mut impl Read, from: Encoding, sink: &mut impl Sink) -> io::Result<u64> {
        let mut decoder = replacer(from);
        let mut bytes = 0;
        loop {
            let read = input::read(stream, &mut self.source)?;
            bytes += read as u64;
            let last = read == 0;
            replace(&mut decoder, &self.source[..read], last, &mut self.text, sink);
            if last {
                return Ok(bytes);
            }
        }
    }
}

fn tell(text: &str, sink: &mut impl Sink) {
    if !text.is_empty() {
        sink.text(text);
    }
}

/// Returns the start of a UTF-8 sequence that more bytes may complete; the end, if there is none. Bytes after a lead
/// byte do not change the text before it.
fn settled(piece: &[u8]) -> usize {
    let tail = piece.len().saturating_sub(3);
    piece[tail..].iter().rposition(|&byte| byte >= 0xC0).map_or(piece.len(), |at| tail + at)
}

fn replacer(from: Encoding) -> Transcoder {
    Transcoder::new(from, Encoding::UTF_8)
        .on_error(ErrorPolicy::Replace)
        .on_unmappable(UnmappablePolicy::Replace)
}

fn replace(decoder: &mut Transcoder, mut src: &[u8], last: bool, text: &mut [u8], sink: &mut impl Sink) {
    let before = decoder.tally().replaced.count;
    loop {
        let p = decoder.convert(src, text, last);
        src = &src[p.read..];
        tell(utf8::validate(&text[..p.written]).unwrap_or_default(), sink);
        if !matches!(p.status, Status::NeedOutput) {
            break;
        }
    }
    sink.ill_formed(decoder.tally().replaced.count - before);
}
