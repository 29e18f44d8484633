//! One stream under way: the parts that were read, decoded and passed to the sink.

use super::around::{AHEAD, Around, BEHIND, Decoder};
use super::locate::{Locator, Origin, Way};
use super::sink::Sink;
use crate::pages::PAGE;
use core::ops::ControlFlow;
use placemat::stream::Status;
use placemat::{Encoding, IllFormedKind};
use placemat_diagnose::shifts::{convert_up_to_shift, ends_with_shift};

/// Bytes that are read at a time.
pub(super) const PIECE_BYTES: usize = 128 * 1024;
/// Longer than any error at a sequence that the end of a piece truncates, for any span.
pub(super) const LONGEST: usize = 16;

/// UTF-8 is checked in place; anything else is decoded, so that lines and columns are counted in UTF-8 alone.
pub(super) enum How {
    Check(Decoder),
    Decode(Decoder),
}

/// One stream under way.
pub(super) struct Run<'a> {
    pub(super) source: &'a mut [u8],
    pub(super) text: &'a mut [u8],
    /// Offset in the stream of the first byte of `source`.
    pub(super) base: u64,
    /// The lengths of the parts of `source` that were read, decoded, and passed to the sink.
    pub(super) filled: usize,
    pub(super) fed: usize,
    pub(super) told: usize,
    pub(super) how: How,
    /// Bytes of `text` that are held back until more text follows.
    pub(super) held: usize,
    /// The locator of the next text, if the sink asks for places and the text is decoded.
    pub(super) locator: Option<Locator>,
    pub(super) encoding: Encoding,
    /// Whether the stream ends with the text that is passed on next.
    pub(super) is_end: bool,
}

impl Run<'_> {
    /// Decodes the available bytes, except those that are kept ahead.
    pub(super) fn feed<S: Sink>(&mut self, last: bool, sink: &mut S) -> ControlFlow<S::Break> {
        let limit = if last { self.filled } else { self.filled.saturating_sub(AHEAD) };
        if limit <= self.fed && !last {
            return ControlFlow::Continue(());
        }
        loop {
            let src = &self.source[self.fed..limit];
            let (progress, in_place) = match &mut self.how {
                How::Check(checker) => (checker.convert(src, &mut [], last), true),
                How::Decode(decoder) => {
                    let room = &mut self.text[self.held..];
                    (convert_up_to_shift(decoder, src, self.base + self.fed as u64, room, last), false)
                }
            };
            self.fed += progress.read;
            self.held += progress.written;
            self.is_end = last
                && match progress.status {
                    Status::Done | Status::NeedInput => true,
                    Status::IllFormed(e) => e.kind() == IllFormedKind::UnclosedShift,
                    _ => false,
                };
            if let How::Decode(decoder) = &self.how
                && progress.read > 0
                && ends_with_shift(decoder, self.base + self.fed as u64)
            {
                let len = decoder.open_shift().map_or(0, |shift| shift.len());
                let start = self.fed.saturating_sub(len);
                let source = &self.source[..self.filled];
                let Self { base, fed: end, encoding, .. } = *self;
                let decoder = Some(decoder);
                let around = Around { source, base, start, end, last, decoder, encoding };
                sink.shifts(&self.text[..self.held], &around);
            }
            match progress.status {
                Status::IllFormed(e) if e.kind() == IllFormedKind::UnclosedShift => {
                    self.tell_decoded(true, last, sink)?;
                    sink.ill_formed(&e, &self.end())?;
                }
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
                // The decoder stopped after a shift, before the end of what it was given.
                Status::NeedInput if self.fed < limit => {}
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

    /// Passes decoded text to the sink: all of it, or the settled part.
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
                is_end: self.is_end,
                encoding: self.encoding,
                way: Way::Decoded { locator: &mut *locator, limit: self.fed },
            };
            sink.text_at(text, &mut origin)?;
        }
        locator.pass(&self.source[..self.fed], last, settled);
        self.text.copy_within(settled..self.held, 0);
        self.held -= settled;
        // Long runs of shifts without text are dropped.
        if let How::Decode(decoder) = &self.how
            && self.fed - locator.at() > PIECE_BYTES / 2
        {
            if self.held > 0 {
                return self.tell_decoded(true, last, sink);
            }
            locator.reset(decoder, self.fed, self.fed);
        }
        ControlFlow::Continue(())
    }

    /// Returns the place after the last byte.
    pub(super) fn end(&self) -> Around<'_> {
        let source = &self.source[..self.filled];
        let Self { base, filled: end, encoding, .. } = *self;
        Around { source, base, start: end, end, last: true, decoder: None, encoding }
    }

    /// Passes the text up to `end` to the sink.
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
                is_end: self.is_end,
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

    /// Returns the end of what was decoded without a sequence that may still turn out to be ill-formed: before the first
    /// of the last few bytes that could start one.
    fn surely_text(&self) -> usize {
        let tail = self.told.max(self.fed.saturating_sub(LONGEST));
        let open = self.source[tail..self.fed].iter().position(|&byte| byte >= 0xC0);
        open.map_or(self.fed, |at| tail + at)
    }

    /// Moves the bytes still needed to the front once there is little room after them, with as many before them as let the
    /// next ones begin at a page.
    pub(super) fn make_room(&mut self) {
        if self.source.len() - self.filled > PIECE_BYTES / 2 {
            return;
        }
        let done = match (&self.how, &self.locator) {
            (How::Check(_), _) => self.told,
            (How::Decode(_), Some(locator)) => locator.at(),
            (How::Decode(_), None) => self.fed,
        };
        let keep = done.saturating_sub(BEHIND);
        let keep = keep.saturating_sub((PAGE - (self.filled - keep) % PAGE) % PAGE);
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
