//! Who is told what a scan finds.

use super::around::{AHEAD, Around, decoder};
use super::locate::Origin;
use super::looks::Looks;
use core::ops::ControlFlow;
use placemat::stream::Status;
use placemat::{Encoding, IllFormed, Span};

/// How much text a sink may leave for later.
pub(crate) const HELD: usize = 4 * 1024;

/// Takes what a [`Scanner`](super::Scanner) finds, in order.
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

impl Around<'_> {
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
