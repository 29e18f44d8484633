//! A buffer of a stream: the bytes that are not used yet, and a few before them for messages.

use crate::input;
use std::io::{self, Read};

/// The greatest number of bytes that are read at a time.
const PIECE_BYTES: usize = 64 * 1024;
/// The number of bytes around an error that a message uses. `check` and `convert` have the same limit, so
/// their messages agree.
const CONTEXT_BYTES: usize = 16;

/// The buffered part of a stream.
pub(super) struct Window<'a, R> {
    stream: &'a mut R,
    buffer: Vec<u8>,
    /// The end of the bytes that were used.
    used: usize,
    /// The offset in the stream of the first unused byte.
    offset: u64,
    ended: bool,
}

impl<'a, R: Read> Window<'a, R> {
    pub(super) fn new(stream: &'a mut R) -> Self {
        Self {
            stream,
            buffer: Vec::with_capacity(CONTEXT_BYTES + 2 * PIECE_BYTES),
            used: 0,
            offset: 0,
            ended: false,
        }
    }

    /// Returns the unused bytes.
    pub(super) fn rest(&self) -> &[u8] {
        &self.buffer[self.used..]
    }

    /// Returns `true` if the stream has no bytes after [`rest`](Self::rest).
    pub(super) const fn ended(&self) -> bool {
        self.ended
    }

    /// Returns the offset in the stream of the first unused byte.
    pub(super) const fn offset(&self) -> u64 {
        self.offset
    }

    /// Marks the first `len` unused bytes as used.
    pub(super) fn pass(&mut self, len: usize) {
        self.used += len;
        self.offset += len as u64;
    }

    /// Reads the available bytes of the stream, or notes its end.
    pub(super) fn read(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.used.saturating_sub(CONTEXT_BYTES));
        self.used = self.used.min(CONTEXT_BYTES);
        let filled = self.buffer.len();
        self.buffer.resize(filled + PIECE_BYTES, 0);
        let read = input::read(self.stream, &mut self.buffer[filled..]);
        self.buffer.truncate(filled + *read.as_ref().unwrap_or(&0));
        self.ended = read? == 0;
        Ok(())
    }

    /// Reads until `len` bytes are unused, or the stream ends.
    pub(super) fn reach(&mut self, len: usize) -> io::Result<()> {
        while self.rest().len() < len && !self.ended {
            self.read()?;
        }
        Ok(())
    }

    /// Returns a few bytes before the first unused byte, and a few from there on.
    pub(super) fn around(&mut self) -> io::Result<(&[u8], &[u8])> {
        self.reach(CONTEXT_BYTES)?;
        let (before, following) = self.buffer.split_at(self.used);
        Ok((
            &before[before.len().saturating_sub(CONTEXT_BYTES)..],
            &following[..following.len().min(CONTEXT_BYTES)],
        ))
    }
}
