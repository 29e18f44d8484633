//! Cuts a stream into blocks of whole lines, in constant memory.

use alloc::vec::Vec;
use placemat_core::forms::unicode::utf8::is_continuation;

/// The bytes of a block: a line that is longer is cut.
const BLOCK: usize = 64 * 1024;

/// The bytes that are held until a line is complete.
///
/// Each block is asked for with `end_of`: the end of the whole lines of that many bytes, or where to cut a line that is
/// longer; [`end_of_lines`] for text that has the line ends of ASCII. The blocks depend on the bytes of the stream alone, and
/// not on the pieces in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines {
    held: Vec<u8>,
    /// The memory of the last block, to be used again.
    spare: Vec<u8>,
}

impl Lines {
    /// Takes as much of `src` as a block needs. Returns the rest.
    pub(crate) fn fill<'a>(&mut self, src: &'a [u8]) -> &'a [u8] {
        let room = (2 * BLOCK).saturating_sub(self.held.len()).max(1);
        let (now, rest) = src.split_at(src.len().min(room));
        self.held.extend_from_slice(now);
        rest
    }

    #[cfg(feature = "repair")]
    pub(crate) fn held(&self) -> &[u8] {
        &self.held
    }

    #[cfg(feature = "repair")]
    pub(crate) fn clear(&mut self) {
        self.held.clear();
    }

    /// Returns the length of the next block, or 0 if more bytes are needed.
    pub(crate) fn complete(&self, last: bool, end_of: impl Fn(&[u8]) -> usize) -> usize {
        match complete(&self.held, end_of) {
            0 if last => self.held.len(),
            len => len,
        }
    }

    /// Returns the bytes at the start of `rest`, the end of `src`, that are a block and need not be held. What is held goes
    /// back to `rest` if it is of `src`.
    #[cfg(feature = "repair")]
    pub(crate) fn direct<'a>(
        &mut self,
        src: &'a [u8],
        rest: &mut &'a [u8],
        end_of: impl Fn(&[u8]) -> usize,
    ) -> Option<&'a [u8]> {
        let taken = src.len() - rest.len();
        let from = taken.checked_sub(self.held.len())?;
        let whole = &src[from..];
        let len = complete(whole, end_of);
        if len == 0 {
            return None;
        }
        self.held.clear();
        let (block, after) = whole.split_at(len);
        *rest = after;
        Some(block)
    }

    /// Removes the first bytes, and returns them.
    pub(crate) fn take(&mut self, len: usize) -> Vec<u8> {
        let mut block = core::mem::take(&mut self.spare);
        block.clear();
        block.extend_from_slice(&self.held[..len]);
        self.held.drain(..len);
        block
    }

    /// Returns the memory of a block.
    pub(crate) fn give_back(&mut self, block: Vec<u8>) {
        self.spare = block;
    }
}

/// Returns the length of the block at the start of `held`, or 0 if it needs more bytes.
fn complete(held: &[u8], end_of: impl Fn(&[u8]) -> usize) -> usize {
    let Some(block) = held.get(..BLOCK) else { return 0 };
    match end_of(block) {
        0 => BLOCK,
        end => end,
    }
}

/// Returns the end of the whole lines of a block of UTF-8, or of another text with the line ends of ASCII.
pub(crate) fn end_of_lines(block: &[u8]) -> usize {
    block.iter().rposition(|&byte| byte == b'\n').map_or_else(|| cut(block), |at| at + 1)
}

/// Returns the offset at which to cut a line that is too long: after a space, else between
/// sequences.
fn cut(block: &[u8]) -> usize {
    const SEARCH_BYTES: usize = 1024;
    let near = block.len() - SEARCH_BYTES;
    if let Some(at) = block[near..].iter().rposition(|&byte| byte == b' ') {
        return near + at + 1;
    }
    let back = block.iter().rev().take(3).position(|&byte| !is_continuation(byte)).unwrap_or(0);
    let begun = block.len() - back - 1;
    if block[begun] >= 0xC0 { begun } else { block.len() }
}
