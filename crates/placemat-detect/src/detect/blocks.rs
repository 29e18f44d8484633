//! Cuts a stream into blocks, in places that depend on its bytes alone.
//!
//! Each stage of the detector sees whole blocks, so that its results cannot depend on the pieces in which the stream
//! came. No block ends inside a sequence of UTF-8, unless the stream does.

use alloc::vec::Vec;
use placemat_core::forms::unicode::utf8::nominal_len;

/// The maximum number of bytes in a block: they stay in the nearest cache while all stages look at
/// them.
pub(super) const BLOCK: usize = 16 * 1024;

/// The bytes that do not make a block yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    held: Vec<u8>,
}

impl Blocks {
    /// Calls `each` for every block that is complete with `src`.
    pub(super) fn feed(&mut self, mut src: &[u8], mut each: impl FnMut(&[u8])) {
        while self.held.len() + src.len() >= BLOCK {
            if self.held.is_empty() {
                let Some(block) = src.get(..BLOCK) else { return };
                let end = end(block);
                each(&block[..end]);
                src = &src[end..];
                continue;
            }
            let old = self.held.len();
            let (now, _) = src.split_at(BLOCK - old);
            self.held.extend_from_slice(now);
            let end = end(&self.held);
            each(&self.held[..end]);
            // The bytes of `src` that were held are read from there again; only those of earlier pieces stay.
            src = &src[end.saturating_sub(old)..];
            self.held.truncate(old);
            self.held.drain(..end.min(old));
        }
        self.held.extend_from_slice(src);
    }

    /// Drops what the end of a prefix cuts: the bytes after its last line, or of a text without lines the sequence of UTF-8 at its
    /// end. Returns the number of the dropped bytes.
    pub(super) fn cut(&mut self) -> usize {
        let end = match self.held.iter().rposition(|&byte| byte == b'\n') {
            // Zeros after it belong to a line feed of UTF-16LE or UTF-32LE.
            Some(at) => {
                let after = &self.held[at + 1..];
                at + 1 + after.iter().take(3).take_while(|&&byte| byte == 0).count()
            }
            None => end(&self.held),
        };
        let dropped = self.held.len().saturating_sub(end);
        self.held.truncate(end);
        dropped
    }

    /// Returns the bytes after the last block.
    pub(super) fn rest(&self) -> &[u8] {
        &self.held
    }
}

/// Returns the end of the usable part of a block: before a sequence of UTF-8 that the block truncates.
fn end(block: &[u8]) -> usize {
    let len = block.len();
    for back in 1..=3_usize {
        let Some(&byte) = len.checked_sub(back).and_then(|at| block.get(at)) else { break };
        let announced = match byte {
            0x80..=0xBF => continue,
            // C0 begins U+0000 in Modified UTF-8.
            0xC0..=0xF4 => nominal_len(byte),
            _ => break,
        };
        return if announced > back { len - back } else { len };
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(src: &[u8], piece: usize) -> Vec<Vec<u8>> {
        let mut blocks = Blocks::default();
        let mut all = Vec::new();
        for piece in src.chunks(piece) {
            blocks.feed(piece, |block| all.push(block.to_vec()));
        }
        all.push(blocks.rest().to_vec());
        all
    }

    #[test]
    fn blocks_are_the_same_for_all_pieces_and_end_between_sequences() {
        for (skip, text) in
            [(0, "aé日😀"), (1, "aé日😀"), (2, "é"), (1, "é"), (0, "日"), (1, "日"), (2, "😀"), (0, "a")]
        {
            let src = &text.repeat(4 * BLOCK / text.len()).into_bytes()[skip..];
            let whole = cut(src, src.len());
            assert_eq!(whole.concat(), src);
            for block in &whole[1..] {
                assert!(block.len() <= BLOCK);
                assert!(core::str::from_utf8(block).is_ok());
            }
            for piece in [1, 2, 3, 5, BLOCK - 1, BLOCK, BLOCK + 1, BLOCK + 2, 2 * BLOCK - 1] {
                assert!(cut(src, piece) == whole, "{text} from {skip} by {piece}");
            }
        }
    }

    #[test]
    fn bytes_that_begin_nothing_do_not_move_the_end() {
        for byte in [0x80, 0xBF, 0xF5, 0xFF] {
            assert_eq!(cut(&[byte; BLOCK + 5], 7)[0].len(), BLOCK, "{byte:02x}");
        }
    }
}
