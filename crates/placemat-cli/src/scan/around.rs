//! A part of a stream and the bytes around it.

use placemat::policy::Spanning;
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, OnError as _, Span, UnmappablePolicy};

/// The number of bytes that are kept after an error, if the source has them: enough for the rest of a line that fits a screen.
pub(super) const AHEAD: usize = 512;

/// The number of bytes that are kept before an error.
pub(super) const BEHIND: usize = 64;

/// The source around an error, or around some text.
#[derive(Debug)]
pub(crate) struct Around<'a> {
    pub(super) source: &'a [u8],
    /// Offset in the stream of the first byte of `source`.
    pub(super) base: u64,
    /// The start of the error, and the place where decoding goes on.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether the source ends with `source`.
    pub(super) last: bool,
    /// The decoder after the error; `None` for UTF-8, which has no state.
    pub(super) decoder: Option<&'a Decoder>,
    /// The encoding in which the bytes are read, with its byte order.
    pub(crate) encoding: Encoding,
}

impl<'a> Around<'a> {
    /// Bytes from `offset` of a stream on, of which the first `len` are meant.
    pub(crate) fn of(source: &'a [u8], offset: u64, len: usize, encoding: Encoding) -> Self {
        Self { source, base: offset, start: 0, end: len, last: false, decoder: None, encoding }
    }

    /// Returns these bytes with the knowledge whether the stream ends after them.
    pub(crate) const fn ending(self, last: bool) -> Self {
        Self { last, ..self }
    }

    /// Returns these bytes with the decoder that reads on after them.
    pub(crate) const fn read_by(self, decoder: Option<&'a Decoder>) -> Self {
        Self { decoder, ..self }
    }

    /// Returns the decoder after the error; `None` for UTF-8.
    pub(crate) const fn decoder(&self) -> Option<&'a Decoder> {
        self.decoder
    }

    /// Bytes right before the error.
    pub(crate) fn before(&self) -> &[u8] {
        &self.source[self.start.saturating_sub(BEHIND)..self.start]
    }

    /// Returns the offset of the error in the stream.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.start as u64
    }

    /// Returns the bytes of the part, without those around it.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.source[self.start..self.end]
    }

    /// Returns all bytes that are in memory, from the start of a piece or of the stream on, and whether the stream ends with them.
    pub(crate) const fn in_memory(&self) -> (&[u8], bool) {
        (self.source, self.last)
    }

    /// Bytes from the error on.
    pub(crate) fn following(&self) -> &[u8] {
        let end = self.source.len().min(self.end + AHEAD);
        &self.source[self.start..end]
    }
}

pub(crate) type Decoder = Transcoder<Spanning<ErrorPolicy<'static>>>;

/// Returns a decoder from any encoding to UTF-8. A value that UTF-8 does not hold counts as one well-formed code point.
pub(super) fn decoder(from: Encoding, span: Span) -> Decoder {
    Transcoder::new(from, Encoding::UTF_8)
        .on_error(ErrorPolicy::Stop.spanning(span))
        .on_unmappable(UnmappablePolicy::Replace)
}
