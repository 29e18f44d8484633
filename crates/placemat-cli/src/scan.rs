//! Reads a stream in any encoding, once and in constant memory, and separates well-formed text from ill-formed sequences.

mod around;
mod locate;
mod looks;
mod run;
mod sink;
mod units;

pub(crate) use around::{Around, Decoder};
pub(crate) use locate::Origin;
pub(crate) use looks::{Binary, Looks, is_format};
pub(crate) use sink::{Ended, HELD, Sink};
pub(crate) use units::Units;

use crate::families::orders;
use crate::input;
use crate::pages::{PAGE, Pages};
use around::{AHEAD, BEHIND, decoder};
use core::ops::ControlFlow;
use locate::Locator;
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, OnError as _, Span};
use run::{How, LONGEST, PIECE_BYTES, Run};
use std::io::{self, Read};

/// The number of bytes in which a NUL makes a file binary.
const BINARY: usize = 8 * 1024;

/// The buffers, to be used for one stream after the other.
#[derive(Debug)]
pub(crate) struct Scanner {
    source: Pages,
    text: Box<[u8]>,
}

impl Scanner {
    pub(crate) fn new() -> Self {
        const { assert!(BEHIND + AHEAD < PAGE) };
        Self { source: Pages::new(PAGE + PIECE_BYTES), text: vec![0; PIECE_BYTES].into() }
    }

    /// Reads all of `stream`; if `skip_binary`, not if the first 8 KiB have a NUL or begin a
    /// binary format.
    ///
    /// # Errors
    /// If the stream cannot be read. The sink has received all text before the error.
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
            let (why, read_as) = match looks {
                Looks::Wide { encoding, .. } => (Binary::with_nul(0), encoding),
                Looks::WithNul(at) => (Binary::with_nul(at), encoding),
                Looks::Binary(why) => (why, encoding),
                Looks::Text => (Binary::of(&[]), encoding),
            };
            if looks != Looks::Text {
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
                    ControlFlow::Continue(false) => return Ok(Ended::Binary(why)),
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
            is_end: false,
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

/// Returns the encoding with its byte order, which the signature may decide.
pub(crate) fn resolve(encoding: Encoding, head: &[u8]) -> Encoding {
    let Some([usual, other]) = orders(encoding) else { return encoding };
    if head.starts_with(other.signature()) { other } else { usual }
}

/// Reports the start of the stream to the sink.
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

#[cfg(test)]
mod tests {
    use super::*;
    use placemat::{IllFormed, IllFormedKind};

    /// A source that yields this number of bytes at a time.
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
            if error.kind() != IllFormedKind::UnclosedShift {
                assert_eq!(&around.following()[..error.len()], error.bytes());
            }
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
                assert_eq!(matches!(ended, Ok(Ended::Binary(found)) if found.nul == Some(at)), want);
                assert_eq!(sink.0.is_empty(), want);
            }
        }
    }
}
