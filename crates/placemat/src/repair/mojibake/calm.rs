//! Passes over text at speed: code points whose neighbours are usual in the scripts of the world.

use crate::kernels::dispatch::Kernels;
use crate::simd::BLOCK;

/// The blocks that are marked at once at most. The first call marks two: most often it is a line that is looked at.
const MARKS: usize = 8;

/// Finds the code points that are not calm: see [`crate::kernels::restless`].
pub(super) struct Restless<'a> {
    src: &'a [u8],
    /// The offset of the first block that is marked, the marks, and the number of blocks.
    start: usize,
    marks: [u64; MARKS],
    blocks: usize,
    room: usize,
    /// The block that is looked at, and what is left of its marks.
    block: usize,
    left: u64,
}

impl<'a> Restless<'a> {
    pub(super) fn new(src: &'a [u8]) -> Self {
        Self { src, start: 0, marks: [0; MARKS], blocks: 0, room: 1, block: 0, left: 0 }
    }

    /// The offset of the next code point that is not calm, at `from` or after it. `from` never goes back.
    #[inline(always)]
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        loop {
            while self.left != 0 {
                let at = self.start + self.block * BLOCK + self.left.trailing_zeros() as usize;
                self.left &= self.left - 1;
                if at >= from {
                    return Some(at);
                }
            }
            self.block += 1;
            if self.block >= self.blocks {
                self.start = (self.start + self.blocks * BLOCK).max(from & !(BLOCK - 1));
                self.room = (2 * self.room).min(MARKS);
                let marks = &mut self.marks[..self.room];
                self.blocks = Kernels::current().mark_restless(self.src, self.start, marks);
                self.block = 0;
                if self.blocks == 0 {
                    return None;
                }
            }
            self.left = self.marks[self.block];
        }
    }
}
