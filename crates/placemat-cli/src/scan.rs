//! Reads a stream in any encoding, once and in constant memory, and tells its well-formed text from what is ill-formed.

mod locate;
mod looks;

pub(crate) use locate::Origin;
pub(crate) use looks::Looks;

use crate::input;
use core::ops::ControlFlow;
use locate::{Locator, Way};
use placemat::policy::Spanning;
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, IllFormed, OnError as _, Span, UnmappablePolicy};
use std::io::{self, Read};

/// Bytes that are read at a time.
const PIECE: usize = 128 * 1024;
/// Bytes that stay at hand after an error, if the source has them: enough for the rest of a line that fits a screen.
const AHEAD: usize = 512;
/// Bytes that stay at hand before an error.
const BEHIND: usize = 64;
/// Where a NUL byte makes a file binary.
const BINARY: usize = 8 * 1024;
/// How much text a sink may leave for later.
pub(crate) const HELD: usize = 4 * 1024;
/// More than any policy of spans can make of a sequence that the end of a piece cuts off.
const LONGEST: usize = 16;

/// Takes what a [`Scanner`] finds, in order.
pub(crate) trait Sink {
    /// Why the sink may want no more.
    type Break;

    /// The stream begins as text that is not what it is to be read as, or as no text: whether it is read all the same.
    /// Asked only where binary files are skipped. The bytes of `start` are the signature.
    fn meets(&mut self, _looks: Looks, _start: &Around<'_>) -> ControlFlow<Self::Break, bool> {
        ControlFlow::Continue(false)
    }

    /// The signature at the start of the stream was looked at: the bytes are read as the encoding of `signature`, which
    /// says its byte order, and whose bytes are the signature, if there is one.
    fn begin(&mut self, _signature: &Around<'_>) -> ControlFlow<Self::Break> {
        ControlFlow::Continue(())
    }

    /// Well-formed text in UTF-8, never empty, cut between code points.
    fn text(&mut self, text: &[u8]);

    /// Whether the sink takes text by [`text_at`](Self::text_at) and asks there for places: only then are they followed.
    fn asks_for_places(&self) -> bool {
        false
    }

    /// How much of `text` can be told now. The rest, of at most [`HELD`] bytes, is told with what follows it, if that is
    /// well-formed.
    fn settled(&self, text: &[u8]) -> usize {
        text.len()
    }

    /// As [`text`](Self::text), with the way to the bytes of the source that it comes from.
    fn text_at(&mut self, text: &[u8], _origin: &mut Origin<'_>) -> ControlFlow<Self::Break> {
        self.text(text);
        ControlFlow::Continue(())
    }

    /// All that was read was told, and more is to be read, which may take a while.
    fn pause(&mut self) -> ControlFlow<Self::Break> {
        ControlFlow::Continue(())
    }

    /// The stream ends. All was told.
    fn end(&mut self, _end: &Around<'_>) -> ControlFlow<Self::Break> {
        ControlFlow::Continue(())
    }

    /// An ill-formed sequence. All text before it was told.
    fn ill_formed(&mut self, error: &IllFormed, around: &Around<'_>) -> ControlFlow<Self::Break>;
}

/// How a scan ended.
#[derive(Debug)]
pub(crate) enum Ended<B> {
    /// At the end of the stream, after so many bytes.
    Whole(u64),
    /// The sink wanted no more.
    Broken(B),
    /// It was not begun: there is a NUL byte at this offset.
    Binary(usize),
}

/// What is known of the source around an error, or around some text.
#[derive(Debug)]
pub(crate) struct Around<'a> {
    source: &'a [u8],
    /// Offset in the stream of the first byte of `source`.
    base: u64,
    /// Where the error starts, and where decoding goes on.
    start: usize,
    end: usize,
    /// Whether the source ends with `source`.
    last: bool,
    /// What goes on decoding; `None` for UTF-8, which has no state.
    decoder: Option<&'a Decoder>,
    /// What the bytes are read as, with its byte order.
    pub(crate) encoding: Encoding,
}

impl Around<'_> {
    /// Bytes right before the error.
    pub(crate) fn before(&self) -> &[u8] {
        &self.source[self.start.saturating_sub(BEHIND)..self.start]
    }

    /// Where in the stream it starts.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// The bytes of the text that it is about.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.source[self.start..self.end]
    }

    /// Bytes from the error on.
    pub(crate) fn following(&self) -> &[u8] {
        let end = self.source.len().min(self.end + AHEAD);
        &self.source[self.start..end]
    }

    /// Hands what follows the error to `sink`, as far as it is at hand.
    pub(crate) fn look_ahead(&self, sink: &mut impl Sink) {
        let end = self.source.len().min(self.end + AHEAD);
        let last = self.last && end == self.source.len();
        let mut rest = &self.source[self.end..end];
        let mut decoder = match self.decoder {
            Some(decoder) => decoder.clone(),
            None => decoder(Encoding::UTF_8, Span::Maximal),
        };
        let mut text = [0; 2 * AHEAD];
        loop {
            let p = decoder.convert(rest, &mut text, last);
            rest = &rest[p.read..];
            if p.written > 0 {
                sink.text(&text[..p.written]);
            }
            match p.status {
                Status::IllFormed(e) => {
                    let nothing = Around { source: &[], base: 0, start: 0, end: 0, last: true, ..*self };
                    if sink.ill_formed(&e, &nothing).is_break() {
                        return;
                    }
                }
                Status::NeedOutput => {}
                Status::Done | Status::NeedInput | Status::Unmappable(_) => return,
            }
        }
    }
}

type Decoder = Transcoder<Spanning<ErrorPolicy<'static>>>;

/// From any encoding to UTF-8. What UTF-8 does not hold is well-formed all the same, and one code point.
fn decoder(from: Encoding, span: Span) -> Decoder {
    Transcoder::from(from).on_error(ErrorPolicy::Stop.spanning(span)).on_unmappable(UnmappablePolicy::Replace)
}

/// The buffers, to be used for one stream after the other.
#[derive(Debug)]
pub(crate) struct Scanner {
    source: Box<[u8]>,
    text: Box<[u8]>,
}

impl Scanner {
    pub(crate) fn new() -> Self {
        let buffer = |len| vec![0; len].into_boxed_slice();
        Self { source: buffer(BEHIND + PIECE + AHEAD), text: buffer(PIECE) }
    }

    /// Reads all of `stream`; if `skip_binary`, not if a NUL byte is among the first 8 KiB.
    ///
    /// # Errors
    /// If the stream cannot be read. What was read before was told.
    pub(crate) fn scan<S: Sink>(
        &mut self,
        stream: &mut impl Read,
        encoding: Encoding,
        span: Span,
        skip_binary: bool,
        sink: &mut S,
    ) -> io::Result<Ended<S::Break>> {
        let mut filled = 0;
        let mut last = false;
        let enough = if skip_binary { BINARY } else { LONGEST };
        while filled < enough && !last {
            let read = input::read(stream, &mut self.source[filled..])?;
            filled += read;
            last = read == 0;
        }
        let head = &self.source[..filled];
        if skip_binary {
            let looks = Looks::of(&head[..filled.min(BINARY)]);
            let (at, read_as) = match looks {
                Looks::Text => (None, encoding),
                Looks::Wide { encoding, .. } => (Some(0), encoding),
                Looks::WithNul(at) | Looks::Binary(at) => (Some(at), encoding),
            };
            if let Some(at) = at {
                let end = looks.signature().len();
                let mut decoder = decoder(read_as, Span::Maximal);
                _ = decoder.convert(&head[..end], &mut [0; 64], false);
                let decoder = Some(&decoder);
                match sink.meets(
                    looks,
                    &Around { source: head, base: 0, start: 0, end, last, decoder, encoding: read_as },
                ) {
                    ControlFlow::Break(broken) => return Ok(Ended::Broken(broken)),
                    ControlFlow::Continue(true) => {}
                    ControlFlow::Continue(false) => return Ok(Ended::Binary(at)),
                }
            }
        }
        let resolved = resolve(encoding, head);
        if let ControlFlow::Break(broken) = begin(encoding, resolved, head, last, sink) {
            return Ok(Ended::Broken(broken));
        }
        let how = if encoding == Encoding::UTF_8 {
            How::Check(Transcoder::checker(encoding).on_error(ErrorPolicy::Stop.spanning(span)))
        } else {
            How::Decode(decoder(encoding, span))
        };
        let locator = match &how {
            How::Decode(decoder) if sink.asks_for_places() => Some(Locator::new(decoder.clone())),
            _ => None,
        };
        let mut run = Run {
            source: &mut self.source,
            text: &mut self.text,
            base: 0,
            filled,
            fed: 0,
            told: 0,
            how,
            held: 0,
            locator,
            encoding: resolved,
        };
        loop {
            let flow = run.feed(last, sink);
            let flow = if last && flow.is_continue() { sink.end(&run.end()) } else { flow };
            match flow {
                ControlFlow::Break(broken) => return Ok(Ended::Broken(broken)),
                ControlFlow::Continue(()) if last => return Ok(Ended::Whole(run.base + run.fed as u64)),
                ControlFlow::Continue(()) => {}
            }
            if let ControlFlow::Break(broken) = sink.pause() {
                return Ok(Ended::Broken(broken));
            }
            run.make_room();
            let read = input::read(stream, &mut run.source[run.filled..])?;
            run.filled += read;
            last = read == 0;
        }
    }
}

/// The encoding with its byte order, where it is for the signature to say that.
pub(crate) fn resolve(encoding: Encoding, head: &[u8]) -> Encoding {
    let (little, big) = match encoding {
        Encoding::UTF_16 => (Encoding::UTF_16LE, Encoding::UTF_16BE),
        Encoding::UTF_32 => (Encoding::UTF_32LE, Encoding::UTF_32BE),
        Encoding::UCS_2 => (Encoding::UCS_2LE, Encoding::UCS_2BE),
        Encoding::UCS_4 => (Encoding::UCS_4LE, Encoding::UCS_4BE),
        _ => return encoding,
    };
    if head.starts_with(big.signature()) { big } else { little }
}

/// Tells the sink how the stream begins.
fn begin<S: Sink>(
    encoding: Encoding,
    resolved: Encoding,
    head: &[u8],
    last: bool,
    sink: &mut S,
) -> ControlFlow<S::Break> {
    let signature = resolved.signature();
    let end = if head.starts_with(signature) { signature.len() } else { 0 };
    let mut decoder = decoder(encoding, Span::Maximal);
    _ = decoder.convert(&head[..end], &mut [0; 64], false);
    sink.begin(&Around {
        source: head,
        base: 0,
        start: 0,
        end,
        last,
        decoder: Some(&decoder),
        encoding: resolved,
    })
}

/// UTF-8 is checked in place; anything else is decoded, so that lines and columns are counted in UTF-8 alone.
enum How {
    Check(Decoder),
    Decode(Decoder),
}

/// One stream under way.
struct Run<'a> {
    source: &'a mut [u8],
    text: &'a mut [u8],
    /// Offset in the stream of the first byte of `source`.
    base: u64,
    /// How much of `source` was read from the stream, decoded, and told as text or as ill-formed.
    filled: usize,
    fed: usize,
    told: usize,
    how: How,
    /// Bytes of `text` that are still to be told, with what follows them.
    held: usize,
    /// Where the text that is told next comes from, if the sink asks for it and that is not where it stands.
    locator: Option<Locator>,
    encoding: Encoding,
}

impl Run<'_> {
    /// Decodes what there is, but for the bytes that are kept ahead.
    fn feed<S: Sink>(&mut self, last: bool, sink: &mut S) -> ControlFlow<S::Break> {
        let limit = if last { self.filled } else { self.filled.saturating_sub(AHEAD) };
        if limit <= self.fed && !last {
            return ControlFlow::Continue(());
        }
        loop {
            let src = &self.source[self.fed..limit];
            let (progress, in_place) = match &mut self.how {
                How::Check(checker) => (checker.convert(src, &mut [], last), true),
                How::Decode(decoder) => (decoder.convert(src, &mut self.text[self.held..], last), false),
            };
            self.fed += progress.read;
            self.held += progress.written;
            match progress.status {
                Status::IllFormed(e) => {
                    let start = usize::try_from(e.offset() - self.base).unwrap_or(usize::MAX);
                    if in_place {
                        self.tell(start, last, sink)?;
                    } else {
                        self.tell_decoded(true, last, sink)?;
                    }
                    self.told = start + e.len();
                    let decoder = match &self.how {
                        How::Check(_) => None,
                        How::Decode(decoder) => Some(decoder),
                    };
                    if let (Some(locator), Some(decoder)) = (&mut self.locator, decoder) {
                        locator.reset(decoder, self.fed, self.told);
                    }
                    let source = &self.source[..self.filled];
                    let Self { base, fed: end, encoding, .. } = *self;
                    sink.ill_formed(&e, &Around { source, base, start, end, last, decoder, encoding })?;
                }
                Status::NeedOutput => self.tell_decoded(false, last, sink)?,
                Status::Done | Status::NeedInput | Status::Unmappable(_) => {
                    return if !in_place {
                        self.tell_decoded(last, last, sink)
                    } else if last {
                        self.tell(self.fed, last, sink)
                    } else {
                        let end = self.surely_text().max(self.told);
                        let settled = sink.settled(&self.source[self.told..end]);
                        self.tell(self.told + settled, last, sink)
                    };
                }
            }
        }
    }

    /// Tells the text that was decoded; all of it, or what is settled.
    fn tell_decoded<S: Sink>(&mut self, all: bool, last: bool, sink: &mut S) -> ControlFlow<S::Break> {
        let text = &self.text[..self.held];
        let Some(locator) = &mut self.locator else {
            self.held = 0;
            if !text.is_empty() {
                sink.text(text);
            }
            return ControlFlow::Continue(());
        };
        let settled = if all { self.held } else { sink.settled(text) };
        let text = &text[..settled];
        if !text.is_empty() {
            let mut origin = Origin {
                source: &self.source[..self.filled],
                base: self.base,
                last,
                encoding: self.encoding,
                way: Way::Decoded { locator: &mut *locator, limit: self.fed },
            };
            sink.text_at(text, &mut origin)?;
        }
        locator.pass(&self.source[..self.fed], last, settled);
        self.text.copy_within(settled..self.held, 0);
        self.held -= settled;
        // Shifts without text can go on for long: they are forgotten then.
        if let How::Decode(decoder) = &self.how
            && self.fed - locator.at() > PIECE / 2
        {
            if self.held > 0 {
                return self.tell_decoded(true, last, sink);
            }
            locator.reset(decoder, self.fed, self.fed);
        }
        ControlFlow::Continue(())
    }

    /// What is behind the last byte.
    fn end(&self) -> Around<'_> {
        let source = &self.source[..self.filled];
        let Self { base, filled: end, encoding, .. } = *self;
        Around { source, base, start: end, end, last: true, decoder: None, encoding }
    }

    /// Tells the text up to `end`.
    fn tell<S: Sink>(&mut self, end: usize, last: bool, sink: &mut S) -> ControlFlow<S::Break> {
        if end <= self.told {
            return ControlFlow::Continue(());
        }
        let text = &self.source[self.told..end];
        if sink.asks_for_places() {
            let mut origin = Origin {
                source: &self.source[..self.filled],
                base: self.base,
                last,
                encoding: self.encoding,
                way: Way::InPlace(self.told),
            };
            sink.text_at(text, &mut origin)?;
        } else {
            sink.text(text);
        }
        self.told = end;
        ControlFlow::Continue(())
    }

    /// The end of what was decoded without a sequence that may still turn out to be ill-formed: before the first of the
    /// last few bytes that could start one.
    fn surely_text(&self) -> usize {
        let tail = self.told.max(self.fed.saturating_sub(LONGEST));
        let open = self.source[tail..self.fed].iter().position(|&byte| byte >= 0xC0);
        open.map_or(self.fed, |at| tail + at)
    }

    /// Moves what is still needed to the front once there is little room behind it.
    fn make_room(&mut self) {
        if self.source.len() - self.filled > PIECE / 2 {
            return;
        }
        let done = match (&self.how, &self.locator) {
            (How::Check(_), _) => self.told,
            (How::Decode(_), Some(locator)) => locator.at(),
            (How::Decode(_), None) => self.fed,
        };
        let keep = done.saturating_sub(BEHIND);
        self.source.copy_within(keep..self.filled, 0);
        self.base += keep as u64;
        self.filled -= keep;
        self.fed -= keep;
        self.told = self.told.saturating_sub(keep);
        if let Some(locator) = &mut self.locator {
            locator.moved(keep);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that yields so many bytes at a time.
    struct Dribble<'a>(&'a [u8], usize);

    impl Read for Dribble<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let len = self.1.min(to.len()).min(self.0.len());
            let (now, later) = self.0.split_at(len);
            to[..len].copy_from_slice(now);
            self.0 = later;
            Ok(len)
        }
    }

    /// The text with each ill-formed sequence replaced by its offset and bytes in brackets.
    #[derive(Default)]
    struct Transcript(String);

    impl Sink for Transcript {
        type Break = ();

        fn text(&mut self, text: &[u8]) {
            assert!(!text.is_empty());
            self.0.push_str(core::str::from_utf8(text).expect("text is well-formed"));
        }

        fn ill_formed(&mut self, error: &IllFormed, around: &Around<'_>) -> ControlFlow<()> {
            assert_eq!(&around.following()[..error.len()], error.bytes());
            self.0.push_str(&format!("[{} {:02x?}]", error.offset(), error.bytes()));
            ControlFlow::Continue(())
        }
    }

    fn transcript(bytes: &[u8], piece: usize, encoding: Encoding) -> String {
        let mut transcript = Transcript::default();
        let ended =
            Scanner::new().scan(&mut Dribble(bytes, piece), encoding, Span::Maximal, false, &mut transcript);
        assert!(matches!(ended, Ok(Ended::Whole(len)) if len == bytes.len() as u64));
        transcript.0
    }

    #[test]
    fn any_pieces_tell_the_same() {
        let some =
            b"a\xE2\x82\xAC\xC0\xAF\xE2\x82\xF0\x9F\x98\x80\xF0\x9F\x98\xC3\xA9\n\xED\xA0\x80\x80\xF4\x90z";
        let small = some.repeat(60);
        let naive = |bytes: &[u8]| {
            let mut offset = 0;
            let mut text = String::new();
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                offset += chunk.valid().len();
                if !chunk.invalid().is_empty() {
                    text.push_str(&format!("[{offset} {:02x?}]", chunk.invalid()));
                }
                offset += chunk.invalid().len();
            }
            text
        };
        for piece in (1..40).chain([511, 512, 513, 1000]) {
            assert_eq!(transcript(&small, piece, Encoding::UTF_8), naive(&small), "{piece}");
        }
        let large = some.repeat(20_000);
        for piece in [997, 65_536, 131_071, 262_144, usize::MAX] {
            assert_eq!(transcript(&large, piece, Encoding::UTF_8), naive(&large), "{piece}");
        }
    }

    #[test]
    fn any_pieces_tell_the_same_in_wide_encodings() {
        let some = b"a\0\x00\xDC\x3D\xD8\x00\xDEb\0\x3D\xD8\n\0\xAC\x20";
        for (repeat, pieces) in [(50, &[1, 2, 3, 7, 513][..]), (40_000, &[997, 65_537, usize::MAX])] {
            let bytes = [&some.repeat(repeat)[..], b"!"].concat();
            for encoding in [Encoding::UTF_16, Encoding::UTF_16LE, Encoding::UTF_32LE, Encoding::US_ASCII] {
                let whole = transcript(&bytes, usize::MAX, encoding);
                for &piece in pieces {
                    assert_eq!(transcript(&bytes, piece, encoding), whole, "{encoding} {piece}");
                }
            }
        }
    }

    #[test]
    fn any_pieces_tell_the_same_of_noise_in_every_encoding() {
        let mut state = 3_u32;
        let mut bytes: Vec<u8> = core::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .take(1200)
        .collect();
        bytes.extend(
            b"\x1B$)C\x0E0!\x0F\n\x1B$B0!\x1B(B+AAA-&AGE-~{0!~}+!\x1B$(Q\xF0\x9F\x98\x80\xED\xA0\x80\x0C\xF2",
        );
        for &encoding in Encoding::ALL {
            let whole = transcript(&bytes, usize::MAX, encoding);
            for piece in [1, 7, 513] {
                assert_eq!(transcript(&bytes, piece, encoding), whole, "{encoding} {piece}");
            }
        }
    }

    #[test]
    fn a_nul_among_the_first_bytes_is_binary() {
        for (at, want) in [(0, true), (8191, true), (8192, false)] {
            let mut bytes = vec![b'a'; 10_000];
            bytes[at] = 0;
            for piece in [1, 8192, usize::MAX] {
                let mut sink = Transcript::default();
                let ended = Scanner::new().scan(
                    &mut Dribble(&bytes, piece),
                    Encoding::UTF_8,
                    Span::Maximal,
                    true,
                    &mut sink,
                );
                assert_eq!(matches!(ended, Ok(Ended::Binary(found)) if found == at), want);
                assert_eq!(sink.0.is_empty(), want);
            }
        }
    }
}
