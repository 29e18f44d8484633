//! ASCII: how far a text is, and copies of that.
//!
//! A byte is ASCII when its highest bit is clear, so blocks are ASCII when the OR of them has no highest bit: one operation
//! a block, one look for four blocks. The end of the text is a block that overlaps the one before; a text of less than a
//! block is loaded with zeros after it. Where the bitmap has its first one, ASCII ends.

use super::Moved;
use crate::ground::chunk::chunk_at;
use crate::simd::{BLOCK, Simd};

/// Bytes in one check.
const CHUNK: usize = 4 * BLOCK;
/// Bytes that are checked and then copied, while they are still in the nearest cache.
const PIECE: usize = 8 * 1024;

/// Length of the longest prefix of `src` that is ASCII.
#[inline(always)]
pub(crate) fn ascii_prefix<S: Simd>(simd: S, src: &[u8]) -> usize {
    let Some(last) = src.last_chunk::<BLOCK>() else {
        return leading(simd, simd.load_partial(src)).min(src.len());
    };
    let mut at = 0;
    while let Some(chunk) = chunk_at!(src, at, CHUNK)
        && simd.are_ascii(chunk)
    {
        at += CHUNK;
    }
    while let Some(block) = chunk_at!(src, at) {
        let block = simd.load(block);
        if simd.any_high_bit(block) {
            return at + leading(simd, block);
        }
        at += BLOCK;
    }
    // The bytes that it shares with the block before are ASCII.
    src.len() - BLOCK + leading(simd, simd.load(last))
}

/// The number of bytes in the block before the first that is not ASCII.
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
        let piece = rest.get(..PIECE).unwrap_or(rest);
        let good = ascii_prefix(simd, piece);
        if let (Some(from), Some(to)) = (piece.get(..good), dst.get_mut(len..len + good)) {
            to.copy_from_slice(from);
        }
        len += good;
        if good < PIECE {
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
                // At the end, the bytes after the text are not ASCII, and must not be looked at.
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
        for end in [PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 70] {
            let mut src = vec![0x42; 3 * PIECE + 100];
            src[end] = 0xFF;
            for kernels in Isa::available().filter_map(Kernels::of) {
                let mut dst = vec![0; src.len()];
                assert_eq!(kernels.copy_ascii(&src, &mut dst), Moved { read: end, written: end });
                assert_eq!(dst[..end], src[..end]);
            }
        }
    }
}
