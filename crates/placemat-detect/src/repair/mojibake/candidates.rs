//! The places in a text that may have to be looked at, found in one pass.

use alloc::vec;
use alloc::vec::Vec;
use placemat_core::kernels::dispatch::Kernels;
use placemat_core::simd::BLOCK;

/// The lead bytes of code points whose neighbors are unusual.
pub(super) const RESTLESS: usize = 0;
/// The lead bytes of U+00C0 to U+017F.
pub(super) const LATIN: usize = 1;
/// The kind of ampersands, which begin character references.
pub(super) const AMPERSAND: usize = 2;

/// Bitmaps of a text, one of each kind: see `placemat_core::kernels::repair_candidates`.
#[derive(Debug)]
pub(super) struct Candidates {
    blocks: Vec<[u64; 3]>,
}

impl Candidates {
    pub(super) fn of(text: &str) -> Self {
        let mut blocks = vec![[0; 3]; text.len().div_ceil(BLOCK)];
        let _ = Kernels::current().mark_repair_candidates(text.as_bytes(), 0, &mut blocks);
        Self { blocks }
    }

    /// Returns the offset of the next candidate of a kind, at `from` or after it.
    #[inline(always)]
    pub(super) fn next<const KIND: usize>(&self, from: usize) -> Option<usize> {
        let mut block = from / BLOCK;
        let mut left = self.blocks.get(block)?[KIND] & u64::MAX << (from % BLOCK);
        while left == 0 {
            block += 1;
            left = self.blocks.get(block)?[KIND];
        }
        Some(block * BLOCK + left.trailing_zeros() as usize)
    }

    /// Returns the bitmap of each block from the one of `from` on, without what is before `from`,
    /// with the offset of the block.
    pub(super) fn blocks<const KIND: usize>(&self, from: usize) -> impl Iterator<Item = (usize, u64)> {
        let first = from / BLOCK;
        let blocks = self.blocks.iter().enumerate().skip(first);
        blocks.map(move |(block, candidates)| {
            let before = if block == first { u64::MAX << (from % BLOCK) } else { u64::MAX };
            (block * BLOCK, candidates[KIND] & before)
        })
    }

    /// Returns the offsets of all candidates of a kind.
    pub(super) fn all<const KIND: usize>(&self) -> impl Iterator<Item = usize> {
        let mut from = 0;
        core::iter::from_fn(move || self.next::<KIND>(from).inspect(|at| from = at + 1))
    }
}
