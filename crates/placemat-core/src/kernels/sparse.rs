//! Validation of mostly-ASCII UTF-8 with short ASCII runs: prose with typographic punctuation, log
//! lines, source code. The loop over chunks of [`validate`](super::validate) would check most of
//! the ASCII too.
//!
//! With mask registers, a batch of 64 blocks is read twice. The first pass leaves a mark of eight
//! bits per block: which eighths are not ASCII. The second pass, after the marks of the next batch
//! are made, checks the blocks that are not all ASCII or whose preceding eight bytes are not. So
//! the only branch that depends on the text is at the end of a batch.
//!
//! Without mask registers, each half of a block leaves one bit: whether it is not all ASCII. Two
//! such halves are checked together as a block. This checks half as many bytes, and collecting the
//! bits takes two instructions per half: a mask, and a step of a tree that packs words to bytes. If
//! the half after a checked one is not checked, no sequence may continue in it.
//!
//! Measurements: `lab/sparse.md`.

use super::checker::{Checker, LOOKBACK_BYTES, highest_of_complete};
use crate::ground::chunk::chunk_at;
use crate::simd::{Apart, BLOCK, Shuffle};

/// Number of blocks in a batch that is marked.
const BATCH_BLOCKS: usize = 64;
/// Number of halves of blocks in a batch that has a bitmap.
const BATCH_HALVES: usize = 64;
/// Number of bytes in half a block.
const HALF_BYTES: usize = BLOCK / 2;

/// Returns how many bytes after the first three of `src` are well-formed, in whole batches, and
/// stops when the text is no longer mostly ASCII with short runs; the last sequence may be
/// incomplete.
#[inline(always)]
pub(super) fn sparse_prefix<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    simd.apart::<Sparse>(src, &mut [])
}

struct Sparse;

impl Apart for Sparse {
    type Moved = usize;
    type Element = u8;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], _: &mut [u8]) -> usize {
        let checker = Checker::new(simd);
        if S::MASK_REGISTERS {
            return by_marks(checker, src);
        }
        by_halves(checker, src)
    }
}

/// Whether this fast path pays off for a batch of which `checked` of `all` blocks, or halves of
/// blocks, had to be checked. With few of them, or with so many that checks take most of the time,
/// the loop over chunks is faster. Finding halves costs less than leaving a chunk of ASCII once.
#[inline(always)]
fn is_worth<S: Shuffle>(checked: usize, all: usize) -> bool {
    let (min, max) = if S::MASK_REGISTERS { (all / 16 + 1, all / 16 * 10) } else { (1, all / 4 * 3) };
    (min..=max).contains(&checked)
}

/// Implements [`sparse_prefix`] with marks of blocks.
#[inline(always)]
fn by_marks<S: Shuffle>(checker: Checker<S>, src: &[u8]) -> usize {
    let simd = checker.simd();
    let Some((before, blocks)) = src.split_first_chunk::<LOOKBACK_BYTES>() else { return 0 };
    // Marks of this batch and of the next one. They are read long after they were written, because
    // a CPU cannot forward several byte stores to one load.
    let mut marks = [[0; BATCH_BLOCKS]; 2];
    if let Some(piece) = chunk_at!(blocks, 0) {
        mark(simd, piece, &mut marks[0]);
    }
    let mut open = u64::from(!before.is_ascii());
    let mut pieces = 0;
    while let Some(piece) = chunk_at!(src, pieces * BATCH_BLOCKS * BLOCK) {
        if let Some(next) = chunk_at!(blocks, (pieces + 1) * BATCH_BLOCKS * BLOCK) {
            mark(simd, next, &mut marks[(pieces + 1) % 2]);
        }
        let now = simd.load(&marks[pieces % 2]);
        let ends = simd.bits(simd.high_bit(now));
        let checked = simd.non_zero(now) | ends << 1 | open;
        open = ends >> (BATCH_BLOCKS - 1);
        if !is_well_formed(checker, piece, checked) {
            break;
        }
        pieces += 1;
        if !is_worth::<S>(checked.count_ones() as usize, BATCH_BLOCKS) {
            break;
        }
    }
    pieces * BATCH_BLOCKS * BLOCK
}

/// Writes, for each block, which eighths of it are not all ASCII.
#[inline(always)]
fn mark<S: Shuffle>(simd: S, piece: &[u8; BATCH_BLOCKS * BLOCK], marks: &mut [u8; BATCH_BLOCKS]) {
    for (block, mark) in piece.as_chunks().0.iter().zip(marks) {
        *mark = simd.high_eighths(simd.load(block));
    }
}

/// Whether the selected blocks of a batch, which starts after the first three bytes of `piece`, are
/// well-formed; the last sequence may be incomplete.
#[inline(always)]
fn is_well_formed<S: Shuffle>(
    mut checker: Checker<S>,
    piece: &[u8; LOOKBACK_BYTES + BATCH_BLOCKS * BLOCK],
    mut blocks: u64,
) -> bool {
    while blocks != 0 {
        let Some(window) = chunk_at!(piece, blocks.trailing_zeros() as usize % BATCH_BLOCKS * BLOCK) else {
            unreachable!()
        };
        checker.push(window);
        blocks &= blocks - 1;
    }
    !checker.failed()
}

/// Implements [`sparse_prefix`] with a bitmap of halves of blocks.
#[inline(always)]
fn by_halves<S: Shuffle>(checker: Checker<S>, src: &[u8]) -> usize {
    let simd = checker.simd();
    let Some((before, blocks)) = src.split_first_chunk::<LOOKBACK_BYTES>() else { return 0 };
    let mut open = u64::from(!before.is_ascii());
    // The bitmap of the next batch: computed early, it does not stall the end of this one.
    let mut next = high_halves(simd, blocks, 0);
    let mut at = 0;
    while let Some(piece) = chunk_at!(src, at) {
        let high = next;
        next = high_halves(simd, blocks, at + BATCH_HALVES * HALF_BYTES);
        let checked = high | open;
        open = high >> (BATCH_HALVES - 1);
        if !are_well_formed(checker, piece, checked, open) {
            break;
        }
        at += BATCH_HALVES * HALF_BYTES;
        if !is_worth::<S>(checked.count_ones() as usize, BATCH_HALVES) {
            break;
        }
    }
    at
}

/// Bitmap of the halves of blocks that are not all ASCII in the batch at `at`; zero if `blocks` has
/// no whole batch there.
#[inline(always)]
fn high_halves<S: Shuffle>(simd: S, blocks: &[u8], at: usize) -> u64 {
    let Some(piece) = chunk_at!(blocks, at, BATCH_HALVES * HALF_BYTES) else { return 0 };
    match piece.as_chunks().0 {
        [low, high] => u64::from(simd.high_halves(low)) | u64::from(simd.high_halves(high)) << 32,
        _ => unreachable!(),
    }
}

/// Whether the selected halves of blocks of a batch, which starts after the first three bytes of
/// `piece`, are well-formed, and no sequence continues in a half that is not checked. The last
/// sequence may be incomplete if `open` is 1.
#[inline(always)]
fn are_well_formed<S: Shuffle>(
    mut checker: Checker<S>,
    piece: &[u8; LOOKBACK_BYTES + BATCH_HALVES * HALF_BYTES],
    halves: u64,
    open: u64,
) -> bool {
    // A bit for each half: whether the next one is checked too.
    let next = halves >> 1 | open << (BATCH_HALVES - 1);
    let mut left = halves;
    while left != 0 {
        let first = left.trailing_zeros();
        left &= left - 1;
        // If their number is odd, the last half is checked twice.
        let second = if left == 0 { first } else { left.trailing_zeros() };
        left &= left.wrapping_sub(1);
        let windows =
            [first, second].map(|i| match chunk_at!(piece, i as usize % BATCH_HALVES * HALF_BYTES) {
                Some(window) => window,
                None => unreachable!(),
            });
        // Table lookups, because the text decides, and branches would be mispredicted.
        let highest = [first, second].map(|i| &HIGHEST[(next >> i & 1) as usize]);
        checker.push_halves(windows, highest);
    }
    !checker.failed()
}

/// The highest allowed bytes of half a block, if the next half is not checked, and if it is.
static HIGHEST: [[u8; HALF_BYTES]; 2] = [highest_of_complete(), [0xFF; HALF_BYTES]];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::kernels::portable::samples::{CLASSES, Numbers, is_taken};
    use crate::simd::model::Model;

    /// The lengths up to the first ill-formed batch, by both implementations.
    fn both_methods(src: &[u8]) -> [usize; 2] {
        let checker = Checker::new(Model);
        let (mut by_blocks, mut by_half) = (0, 0);
        while let len @ 1.. = by_marks(checker, &src[by_blocks..]) {
            by_blocks += len;
        }
        while let len @ 1.. = by_halves(checker, &src[by_half..]) {
            by_half += len;
        }
        [by_blocks, by_half]
    }

    /// Returns the expected lengths, by the standard library: batches that are well-formed or
    /// incomplete at their end.
    fn expected(src: &[u8]) -> [usize; 2] {
        let rest = &src[LOOKBACK_BYTES..];
        [BATCH_BLOCKS * BLOCK, BATCH_HALVES * HALF_BYTES].map(|piece| {
            let good = (0..=rest.len() / piece).take_while(|n| {
                core::str::from_utf8(&rest[..n * piece])
                    .map_or_else(|error| error.error_len().is_none(), |_| true)
            });
            piece * (good.count() - 1)
        })
    }

    /// Words, with non-ASCII characters about `distance` bytes apart.
    fn prose(numbers: &mut Numbers, len: usize, distance: usize) -> Vec<u8> {
        let mut text = String::new();
        while text.len() < len {
            text.extend(core::iter::repeat_n('a', 1 + numbers.below(2 * distance)));
            text.push(['é', '’', '–', '日', '😀'][numbers.below(5)]);
        }
        text.into_bytes()
    }

    fn check(src: &[u8]) {
        let well_formed = core::str::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len);
        for kernels in Isa::available().filter_map(Kernels::of) {
            assert_eq!(kernels.utf8_prefix(src), well_formed, "{}", kernels.isa());
        }
    }

    #[test]
    fn damage_is_found_in_the_piece_where_it_is() {
        let mut numbers = Numbers::new(31);
        for distance in [3, 30, 60, 120, 300, 2000] {
            let mut src = b"aaa".to_vec();
            src.extend(prose(&mut numbers, 30_000, distance));
            check(&src);
            assert_eq!(both_methods(&src), expected(&src));
            for _ in (0..200).filter(|i| is_taken(*i, 1)) {
                let at = LOOKBACK_BYTES + numbers.below(src.len() - LOOKBACK_BYTES);
                let before = core::mem::replace(&mut src[at], CLASSES[numbers.below(CLASSES.len())]);
                check(&src);
                assert_eq!(both_methods(&src), expected(&src), "{at} of {distance}");
                src[at] = before;
            }
        }
    }

    #[test]
    fn a_sequence_may_be_incomplete_at_each_block_boundary() {
        let cut: [&[u8]; 6] = [b"\xC3", b"\xE2\x80", b"\xE2", b"\xF0\x9F\x98", b"\xF0\x9F", b"\xF0"];
        let mut src = vec![b'a'; LOOKBACK_BYTES + 2 * BATCH_BLOCKS * BLOCK];
        for border in 1..=2 * BATCH_BLOCKS {
            let end = LOOKBACK_BYTES + border * BLOCK;
            for cut in cut {
                src[end - cut.len()..end].copy_from_slice(cut);
                check(&src);
                assert_eq!(both_methods(&src), expected(&src), "{border} {cut:02x?}");
                src[end - cut.len()..end].fill(b'a');
            }
        }
    }

    #[test]
    fn a_sequence_before_the_first_piece_goes_on_in_it() {
        let checker = Checker::new(Model);
        for (first, rest, is_good) in [
            (b"aa\xC3", &b"\xA9"[..], true),
            (b"aa\xC3", b"a", false),
            (b"\xF0\x9F\x98", b"\x80", true),
            (b"\xF0\x9F\x98", b"a", false),
            (b"\x9F\x98\x80", b"a", true),
            (b"aaa", b"\x80", false),
        ] {
            let mut src = [b'a'; LOOKBACK_BYTES + BATCH_BLOCKS * BLOCK];
            src[..LOOKBACK_BYTES].copy_from_slice(first);
            src[LOOKBACK_BYTES..LOOKBACK_BYTES + rest.len()].copy_from_slice(rest);
            assert_eq!(by_marks(checker, &src) > 0, is_good, "{first:02x?} {rest:02x?}");
            assert_eq!(by_halves(checker, &src) > 0, is_good, "{first:02x?} {rest:02x?}");
        }
    }
}
