//! The receiver of the results of a scan.

use super::around::{AHEAD, Around, decoder};
use super::locate::Origin;
use super::looks::{Binary, Looks};
use core::ops::ControlFlow;
use placemat::stream::Status;
use placemat::{Encoding, IllFormed, IllFormedKind, Span};

/// The maximum length of text that a sink may leave for later.
pub(crate) const HELD: usize = 4 * 1024;

/// Receives the results of a [`Scanner`](super::Scanner), in order.
pub(crate) trait Sink {
    /// The reason why the sink stops the scan.
    type Break;

    /// The stream begins like text in another encoding, or like binary data. Returns whether it is read all the same.
    /// Called only if binary files are skipped. The bytes of `start` are the signature.
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

    /// Returns `true` if the sink takes text by [`text_at`](Self::text_at) and asks there for places: only then are they
    /// followed.
    fn asks_for_places(&self) -> bool {
        false
    }

    /// Returns the length of `text` that the sink takes now. The rest, at most [`HELD`] bytes, comes again with the
    /// following text, if that is well-formed.
    fn settled(&self, text: &[u8]) -> usize {
        text.len()
    }

    /// Like [`text`](Self::text), with the way to the bytes of the source that the text comes from.
    fn text_at(&mut self, text: &[u8], _origin: &mut Origin<'_>) -> ControlFlow<Self::Break> {
        self.text(text);
        ControlFlow::Continue(())
    }

    /// The sink has received all that was read. The next read may take a while.
    fn pause(&mut self) -> ControlFlow<Self::Break> {
        ControlFlow::Continue(())
    }

    /// The stream ends. The sink has received everything.
    fn end(&mut self, _end: &Around<'_>) -> ControlFlow<Self::Break> {
        ControlFlow::Continue(())
    }

    /// A shift that leads to a state in which the stream may not end. `text` is the text before it that the sink has not
    /// received yet. If the stream ends so, [`ill_formed`](Self::ill_formed) gets the error, whose offset is that of the
    /// last one of these.
    fn shifts(&mut self, _text: &[u8], _shift: &Around<'_>) {}

    /// An ill-formed sequence. The sink has received all text before it, or all of the text if the error is an unclosed shift:
    /// `around` is then the end of the stream.
    fn ill_formed(&mut self, error: &IllFormed, around: &Around<'_>) -> ControlFlow<Self::Break>;
}

/// The end of a scan.
#[derive(Debug)]
pub(crate) enum Ended<B> {
    /// At the end of the stream; its length in bytes.
    Whole(u64),
    /// The sink stopped the scan.
    Broken(B),
    /// Not begun, because the stream is binary.
    Binary(Binary),
}

impl Around<'_> {
    /// Passes the available bytes after the error to `sink`.
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
                // The shift is before this place.
                Status::IllFormed(e) if e.kind() == IllFormedKind::UnclosedShift => return,
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
