//! Cuts a stream into blocks of whole lines, in constant memory.

use super::source::Source;
use alloc::vec::Vec;

/// The bytes of a block: a line that is longer is cut.
const BLOCK: usize = 64 * 1024;

/// The bytes that are held until a line is complete.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    held: Vec<u8>,
    /// The memory of the last block, to be used again.
    spare: Vec<u8>,
}

impl Lines {
    /// Takes as much of `src` as a block needs. Returns the rest.
    pub(super) fn fill<'a>(&mut self, src: &'a [u8]) -> &'a [u8] {
        let room = (2 * BLOCK).saturating_sub(self.held.len()).max(1);
        let (now, rest) = src.split_at(src.len().min(room));
        self.held.extend_from_slice(now);
        rest
    }

    pub(super) fn held(&self) -> &[u8] {
        &self.held
    }

    pub(super) fn clear(&mut self) {
        self.held.clear();
    }

    /// The length of the next block, or 0 if more bytes are needed.
    ///
    /// The result depends on the bytes of the stream alone, and not on the pieces in which they came: lines up to the last
    /// that ends within a block, or a part of a line that does not.
    pub(super) fn complete(&self, source: Source, last: bool) -> usize {
        match complete(&self.held, source) {
            0 if last => self.held.len(),
            len => len,
        }
    }

    /// The bytes at the start of `rest`, the end of `src`, that are a block and need not be held. What is held goes back to
    /// `rest` if it is of `src`.
    pub(super) fn direct<'a>(
        &mut self,
        src: &'a [u8],
        rest: &mut &'a [u8],
        source: Source,
    ) -> Option<&'a [u8]> {
        let taken = src.len() - rest.len();
        let from = taken.checked_sub(self.held.len())?;
        let whole = &src[from..];
        let len = complete(whole, source);
        if len == 0 {
            return None;
        }
        self.held.clear();
        let (block, after) = whole.split_at(len);
        *rest = after;
        Some(block)
    }

    /// Removes the first bytes, and returns them.
    pub(super) fn take(&mut self, len: usize) -> Vec<u8> {
        let mut block = core::mem::take(&mut self.spare);
        block.clear();
        block.extend_from_slice(&self.held[..len]);
        self.held.drain(..len);
        block
    }

    /// Returns the memory of a block.
    pub(super) fn give_back(&mut self, block: Vec<u8>) {
        self.spare = block;
    }
}

/// The length of the block at the start of `held`, or 0 if it needs more bytes.
fn complete(held: &[u8], source: Source) -> usize {
    let Some(block) = held.get(..BLOCK) else { return 0 };
    if let Some(end) = last_line_end(block, source) {
        return end;
    }
    let end = match source {
        Source::Utf8 => cut(block),
        _ => source.whole(block),
    };
    if end == 0 { BLOCK } else { end }
}

/// The offset after the last line feed.
fn last_line_end(block: &[u8], source: Source) -> Option<usize> {
    let unit = source.unit();
    let line_feed = |units: &[u8]| match source {
        Source::Utf8 => units == b"\n",
        Source::Utf16Le => units == b"\n\0",
        Source::Utf16Be => units == b"\0\n",
        Source::Utf32Le => units == b"\n\0\0\0",
        Source::Utf32Be => units == b"\0\0\0\n",
    };
    block.chunks_exact(unit).rposition(line_feed).map(|at| (at + 1) * unit)
}

/// Where to cut a line that is too long: after a space, else between sequences.
fn cut(block: &[u8]) -> usize {
    const NEAR: usize = 1024;
    let near = block.len() - NEAR;
    if let Some(at) = block[near..].iter().rposition(|&byte| byte == b' ') {
        return near + at + 1;
    }
    let back = block.iter().rev().take(3).position(|byte| !(0x80..0xC0).contains(byte)).unwrap_or(0);
    let begun = block.len() - back - 1;
    if block[begun] >= 0xC0 { begun } else { block.len() }
}
