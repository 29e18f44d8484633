//! Length of the ASCII prefix of a text, and copies of that prefix.
//!
//! A byte is ASCII if its highest bit is clear, so blocks are ASCII if the highest bits of their OR
//! are clear: one operation per block, one test per four blocks. The text ends with a block that
//! overlaps the previous one; a text shorter than a block is loaded with zeros after it. The lowest
//! one in the bitmap is where ASCII ends.

use super::Moved;
use crate::ground::chunk::chunk_at;
use crate::simd::{BLOCK, Simd};

/// Bytes per test.
const CHUNK_BYTES: usize = 4 * BLOCK;
/// Bytes that are checked and then copied, while they are still in the first-level cache.
const PIECE_BYTES: usize = 8 * 1024;

/// Returns the length of the longest ASCII prefix of `src`.
#[inline(always)]
pub(crate) fn ascii_prefix<S: Simd>(simd: S, src: &[u8]) -> usize {
    let Some(last) = src.last_chunk::<BLOCK>() else {
        return leading(simd, simd.load_partial(src)).min(src.len());
    };
    let mut at = 0;
    while let Some(chunk) = chunk_at!(src, at, CHUNK_BYTES)
        && simd.are_ascii(chunk)
    {
        at += CHUNK_BYTES;
    }
    while let Some(block) = chunk_at!(src, at) {
        let block = simd.load(block);
        if simd.any_high_bit(block) {
            return at + leading(simd, block);
        }
        at += BLOCK;
    }
    // The bytes shared with the previous block are ASCII.
    src.len() - BLOCK + leading(simd, simd.load(last))
}

/// Number of ASCII bytes at the start of a block.
#[inline(always)]
fn leading<S: Simd>(simd: S, block: S::Block) -> usize {
    simd.bits(simd.high_bit(block)).trailing_zeros() as usize
}

/// Copies the longest prefix of `src` that is ASCII and fits into `dst`.
#[inline(always)]
pub(crate) fn copy_ascii<S: Simd>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
    let src = src.get(..dst.len()).unwrap_or(src);
    let mut len = 0;
    loop {
        let rest = src.get(len..).unwrap_or_default();
        let piece = rest.get(..PIECE_BYTES).unwrap_or(rest);
        let good = ascii_prefix(simd, piece);
        if let (Some(from), Some(to)) = (piece.get(..good), dst.get_mut(len..len + good)) {
            to.copy_from_slice(from);
        }
        len += good;
        if good < PIECE_BYTES {
            return Moved { read: len, written: len };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::simd::model::Model;

    #[test]
    fn the_first_byte_that_is_not_ascii_is_found_wherever_it_is() {
        let mut text = [0x41; 600];
        for len in (0..140).chain([191, 192, 193, 255, 256, 257, 320, 511, 512, 513, 600]) {
            for at in (0..=len).filter(|at| len < 140 || at % 7 == 0 || *at == len) {
                // At the end, the bytes past the text are not ASCII, and must not be read.
                let byte = text.get_mut(at).map(|byte| *byte = [0x80, 0xFF, 0xC3][at % 3]);
                let src = &text[..len];
                assert_eq!(ascii_prefix(Model, src), at);
                for kernels in Isa::available().filter_map(Kernels::of) {
                    assert_eq!(kernels.ascii_prefix(src), at, "{} {len}", kernels.isa());
                    let mut dst = [0xEE; 602];
                    for room in [at.saturating_sub(1), at, at + 1, len] {
                        let moved = kernels.copy_ascii(src, &mut dst[..room]);
                        let copied = at.min(room);
                        assert_eq!(moved, Moved { read: copied, written: copied });
                        assert_eq!(dst[..copied], src[..copied]);
                        assert_eq!(dst[room], 0xEE);
                        dst[..room].fill(0xEE);
                    }
                }
                if byte.is_some() {
                    text[at] = 0x41;
                }
            }
        }
    }

    #[test]
    fn a_long_copy_goes_on_over_pieces() {
        for end in [PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 70] {
            let mut src = vec![0x42; 3 * PIECE_BYTES + 100];
            src[end] = 0xFF;
            for kernels in Isa::available().filter_map(Kernels::of) {
                let mut dst = vec![0; src.len()];
                assert_eq!(kernels.copy_ascii(&src, &mut dst), Moved { read: end, written: end });
                assert_eq!(dst[..end], src[..end]);
            }
        }
    }
}
