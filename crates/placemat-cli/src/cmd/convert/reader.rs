//! Takes pieces from one long input, for the threads that convert them.
//!
//! The bytes of a file are at their places: only the end of a piece is decided in turn, and each thread reads its own piece
//! while the others read theirs. All other inputs are read in turn.

use super::pieces::{CONTEXT, PIECE_BYTES};
use super::plan::{Plan, Stopped};
use super::transfer::Unwrapped;
use crate::input;
use crate::pages::{PAGE, Pages};
use crate::progress;
use core::ops::Range;
use std::fs::File;
use std::io;

/// The bytes in which the end of a piece is looked for before the piece is read.
const LAST: usize = 1024;

/// Takes pieces from the input.
pub(super) struct Reader<'a> {
    input: &'a mut Unwrapped,
    /// The bytes read after the last piece, and the last bytes of that piece.
    pub(super) rest: Vec<u8>,
    pub(super) before: Vec<u8>,
    /// The start of the next piece, and its number.
    start: u64,
    index: u64,
    /// The place of the next piece in the file, if pieces are read by their places.
    place: Option<u64>,
    pub(super) stopped: Option<Stopped>,
}

/// A piece of the input.
pub(super) struct Piece {
    pub(super) index: u64,
    pub(super) start: u64,
    /// The length of the piece; the bytes after it are for messages.
    pub(super) len: usize,
    buffer: Pages,
    /// The place of the piece and of the bytes after it in the buffer.
    text: Range<usize>,
    before: Vec<u8>,
    /// The place in the file that belongs at the start of the buffer, until it is read.
    place: Option<u64>,
}

impl<'a> Reader<'a> {
    /// Returns the pieces of the `rest` that is read and of the input after it, which is at `place` if pieces are read by
    /// their places. The rest starts at `start`.
    pub(super) fn new(
        input: &'a mut Unwrapped,
        place: Option<u64>,
        rest: Vec<u8>,
        before: Vec<u8>,
        start: u64,
    ) -> Self {
        let place = place.and_then(|place| place.checked_sub(rest.len() as u64));
        // It is read again, as a part of its piece.
        let rest = if place.is_some() { Vec::new() } else { rest };
        Self { input, rest, before, start, index: 0, place, stopped: None }
    }

    /// Takes the next piece, which may be left to [`Piece::read`]. Returns whether there is one.
    pub(super) fn next(&mut self, plan: &Plan<'_>, piece: &mut Piece) -> bool {
        self.stopped.is_none()
            && (self.claim(plan, piece) || self.stopped.is_none() && self.read(plan, piece))
    }

    /// Decides where the next piece ends, by the last bytes that fit in the buffer. Returns `false` if pieces are read in
    /// turn from here on: near the end of the file, and where there is no place for a cut.
    fn claim(&mut self, plan: &Plan<'_>, piece: &mut Piece) -> bool {
        let Some(place) = self.place else { return false };
        // The buffer begins at a page, as in the file.
        let begin = place & !(PAGE as u64 - 1);
        let skipped = usize::try_from(place - begin).unwrap_or(PAGE);
        let end = piece.buffer.len() - LAST;
        let mut last = [0; LAST];
        let read = self.input.read_at(&mut last, begin + end as u64);
        let cut = if read.is_ok_and(|read| read == LAST) { plan.cut(&last) } else { None };
        let Some(cut) = cut else {
            self.place = None;
            self.stopped = self.input.go_to(place).err().map(Stopped::Unread);
            return false;
        };
        piece.text = skipped..piece.buffer.len();
        piece.place = Some(begin);
        self.place = Some(begin + (end + cut) as u64);
        self.give(piece, end + cut - skipped);
        self.remember(&last[..cut]);
        true
    }

    /// Reads the next piece.
    fn read(&mut self, plan: &Plan<'_>, piece: &mut Piece) -> bool {
        // The bytes after the rest begin at a page, as in the file.
        let start = PAGE.saturating_sub(self.rest.len());
        piece.text = start..start + self.rest.len();
        piece.buffer[piece.text.clone()].copy_from_slice(&self.rest);
        self.rest.clear();
        let len = loop {
            let got = input::read(self.input, &mut piece.buffer[piece.text.end..]);
            let full = piece.text.end == piece.buffer.len();
            piece.text.end += *got.as_ref().unwrap_or(&0);
            let text = &piece.buffer[piece.text.clone()];
            match got {
                Ok(0) if !full => {
                    self.stopped = Some(Stopped::Ended);
                    break text.len();
                }
                Ok(_) => match plan.cut(text) {
                    Some(len) => break len,
                    None if piece.text.end < piece.buffer.len() => {}
                    None => {
                        self.stopped = Some(Stopped::Uncut);
                        self.rest.extend_from_slice(text);
                        return false;
                    }
                },
                Err(e) => {
                    // The complete sequences that were read are still converted.
                    self.stopped = Some(Stopped::Unread(e));
                    break plan.cut(text).unwrap_or(0);
                }
            }
        };
        self.give(piece, len);
        let (text, rest) = piece.buffer[piece.text.clone()].split_at(len);
        self.rest.extend_from_slice(rest);
        self.remember(text);
        true
    }

    /// Numbers a piece of `len` bytes.
    fn give(&mut self, piece: &mut Piece, len: usize) {
        (piece.index, piece.start, piece.len) = (self.index, self.start, len);
        piece.before.clone_from(&self.before);
        self.index += 1;
        self.start += len as u64;
    }

    /// Keeps the last bytes before the next piece.
    fn remember(&mut self, text: &[u8]) {
        self.before.extend_from_slice(&text[text.len().saturating_sub(CONTEXT)..]);
        self.before.drain(..self.before.len().saturating_sub(CONTEXT));
    }
}

impl Piece {
    pub(super) fn new() -> Self {
        // The whole piece fits where one thread goes on.
        let buffer = Pages::new(PIECE_BYTES);
        Self { index: 0, start: 0, len: 0, buffer, text: 0..0, before: Vec::new(), place: None }
    }

    /// Returns the bytes of the piece.
    pub(super) fn text(&self) -> &[u8] {
        &self.buffer[self.text.clone()][..self.len]
    }

    /// Reads the piece from its place in `file`, unless it is read. If that fails, the piece is as long as the complete
    /// sequences that were read; if another program has cut the file meanwhile, as long as what is there.
    pub(super) fn read(&mut self, plan: &Plan<'_>, file: Option<&File>) -> io::Result<()> {
        let (Some(place), Some(file)) = (self.place.take(), file) else { return Ok(()) };
        let mut filled = 0;
        let read = loop {
            match input::read_at(file, &mut self.buffer[filled..], place + filled as u64) {
                Ok(0) => break Ok(()),
                Ok(more) => filled += more,
                Err(e) => break Err(e),
            }
        };
        progress::read(filled);
        self.text.end = filled.max(self.text.start);
        let text = &self.buffer[self.text.clone()];
        self.len = match &read {
            Ok(()) => self.len.min(text.len()),
            Err(_) => plan.cut(text).unwrap_or(0).min(self.len),
        };
        read
    }

    /// Bytes before a place and from there on.
    pub(super) fn around(&self, offset: u64) -> (Vec<u8>, Vec<u8>) {
        let text = &self.buffer[self.text.clone()];
        let at = usize::try_from(offset.saturating_sub(self.start)).unwrap_or(usize::MAX);
        let (passed, rest) = text.split_at(at.min(text.len()));
        let before = [&self.before, &passed[passed.len().saturating_sub(CONTEXT)..]].concat();
        (before, rest[..rest.len().min(CONTEXT)].to_vec())
    }
}
