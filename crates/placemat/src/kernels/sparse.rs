//! Well-formed UTF-8 in text of which much is ASCII and little of it at a stretch: prose with typographic punctuation, log
//! lines, source code. The loop over chunks of [`validate`](super::validate) would check most of the ASCII too.
//!
//! With registers of masks, a piece of 64 blocks is looked at twice. The first time, each block leaves a mark of eight bits, which
//! say where it is not ASCII. The second time, after the marks of the next piece are made, the blocks are checked in which
//! something is not ASCII, or in the eight bytes before them. So the only branch that the text decides is at the end of a piece.
//!
//! Elsewhere each block is checked or not, by a branch.
//!
//! # Measured
//!
//! 2026-11-24, Intel Xeon, GB/s on 80 KB, before and after, and the best peer: typographic prose with AVX-512 39 to 42 and 50, 48;
//! with AVX2 33 and 45, 43. Source code with AVX2 53 and 55, 54; log lines in many languages with AVX2 23 and 27, 24.
//!
//! 2026-11-25, AMD Zen 5, AVX-512, ns for 80 KB: typographic prose 853 and source code 706, where marks of 64 bits, each piece's checked
//! at once, take 1100 and 935.
//!
//! With AVX2, bits for halves of blocks, and of these two at a time checked as a block, make 36 in the prose: to move so many masks
//! takes 64 of 200 cycles for 2 KB, and the end of a piece, which is not foreseen, 20.

use super::checker::{BEHIND, Checker, is_unfinished};
use crate::ground::chunk::chunk_at;
use crate::simd::{Apart, BLOCK, Shuffle, behind};

/// Blocks of a piece, with a bitmap and without.
const MARKED: usize = 64;
const UNMARKED: usize = 32;
/// How far ahead lines are asked for: where a branch waits for each, the processor looks less far ahead by itself. In 80 KB
/// of typographic prose, 40.8 GB/s without, 42.5 with 256, and 45.5 with 768.
const AHEAD: usize = 768;

/// A number of bytes after the first three of `src` that are well-formed, in whole pieces, as long as they are such text; the last
/// sequence may be cut off.
#[inline(always)]
pub(super) fn sparse_prefix<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    // Where small code counts, chunks are all there is.
    if S::COMPACT { 0 } else { simd.apart::<Sparse>(src, &mut []) }
}

struct Sparse;

impl Apart for Sparse {
    type Moved = usize;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], _: &mut [u8]) -> usize {
        let checker = Checker::new(simd);
        if S::MASK_REGISTERS {
            return by_marks(checker, src);
        }
        let mut at = 0;
        while let Some(piece) = chunk_at!(src, at)
            && let Some(checked) = by_branches(checker, piece)
        {
            at += UNMARKED * BLOCK;
            if !is_worth::<S>(checked, UNMARKED) {
                break;
            }
        }
        at
    }
}

/// Whether a piece of so many blocks, of which so many had to be checked, is such text. If they are few, or so many that checks
/// take most of the time, the loop over chunks is faster.
#[inline(always)]
fn is_worth<S: Shuffle>(checked: usize, blocks: usize) -> bool {
    let most = if S::MASK_REGISTERS { 10 } else { 13 };
    (blocks / 16 + 1..=blocks / 16 * most).contains(&checked)
}

/// [`sparse_prefix`], each piece by marks of its blocks.
#[inline(always)]
fn by_marks<S: Shuffle>(checker: Checker<S>, src: &[u8]) -> usize {
    let simd = checker.simd();
    let Some((before, blocks)) = src.split_first_chunk::<BEHIND>() else { return 0 };
    // Those of a piece and of the next one. They are not read soon after they were written, since the processor cannot forward bytes
    // from stores to a load of many.
    let mut marks = [[0; MARKED]; 2];
    if let Some(piece) = chunk_at!(blocks, 0) {
        mark(simd, piece, &mut marks[0]);
    }
    let mut open = u64::from(!before.is_ascii());
    let mut pieces = 0;
    while let Some(piece) = chunk_at!(src, pieces * MARKED * BLOCK) {
        if let Some(next) = chunk_at!(blocks, (pieces + 1) * MARKED * BLOCK) {
            mark(simd, next, &mut marks[(pieces + 1) % 2]);
        }
        let now = simd.load(&marks[pieces % 2]);
        let ends = simd.bits(simd.high_bit(now));
        let checked = simd.non_zero(now) | ends << 1 | open;
        open = ends >> (MARKED - 1);
        if !is_well_formed(checker, piece, checked) {
            break;
        }
        pieces += 1;
        if !is_worth::<S>(checked.count_ones() as usize, MARKED) {
            break;
        }
    }
    pieces * MARKED * BLOCK
}

/// Writes for each block which eighths of it are not all ASCII.
#[inline(always)]
fn mark<S: Shuffle>(simd: S, piece: &[u8; MARKED * BLOCK], marks: &mut [u8; MARKED]) {
    for (block, mark) in piece.as_chunks().0.iter().zip(marks) {
        *mark = simd.high_eighths(simd.load(block));
    }
}

/// Whether those blocks of a piece, which is what follows the first three bytes, are well-formed; the last sequence may be cut off.
#[inline(always)]
fn is_well_formed<S: Shuffle>(
    mut checker: Checker<S>,
    piece: &[u8; BEHIND + MARKED * BLOCK],
    mut blocks: u64,
) -> bool {
    while blocks != 0 {
        let Some(window) = chunk_at!(piece, blocks.trailing_zeros() as usize % MARKED * BLOCK) else {
            unreachable!()
        };
        checker.push(window);
        blocks &= blocks - 1;
    }
    !checker.failed()
}

/// The number of blocks of a piece that are not all ASCII, if the piece is well-formed.
#[inline(always)]
fn by_branches<S: Shuffle>(
    mut checker: Checker<S>,
    piece: &[u8; BEHIND + UNMARKED * BLOCK],
) -> Option<usize> {
    let simd = checker.simd();
    let ends = simd.load(&ENDS);
    let mut count = 0;
    let mut unfinished =
        simd.splat(u8::from(piece.first_chunk().is_some_and(|before| is_unfinished(*before))));
    for i in 0..UNMARKED {
        let Some(window) = chunk_at!(piece, i * BLOCK) else { unreachable!() };
        simd.prefetch(window, AHEAD);
        let block = simd.load(behind::<0>(window));
        if simd.any_high_bit(block) {
            count += 1;
            checker.push(window);
            unfinished = simd.saturating_sub(block, ends);
        } else {
            checker.fail_if(unfinished);
        }
    }
    (!checker.failed()).then_some(count)
}

/// The highest bytes with which a block ends if its last sequence is complete.
const ENDS: [u8; BLOCK] = {
    let mut ends = [0xFF; BLOCK];
    ends[BLOCK - 3] = 0xEF;
    ends[BLOCK - 2] = 0xDF;
    ends[BLOCK - 1] = 0xBF;
    ends
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::kernels::portable::samples::{CLASSES, Numbers};
    use crate::simd::model::Model;

    /// The lengths up to the first piece that is ill-formed, both ways.
    fn both_ways(src: &[u8]) -> [usize; 2] {
        let checker = Checker::new(Model);
        let (mut marked, mut unmarked) = (0, 0);
        while let len @ 1.. = by_marks(checker, &src[marked..]) {
            marked += len;
        }
        while chunk_at!(src, unmarked).and_then(|piece| by_branches(checker, piece)).is_some() {
            unmarked += UNMARKED * BLOCK;
        }
        [marked, unmarked]
    }

    /// The lengths up to there, by the standard library: of pieces that are well-formed or cut off at their end.
    fn expected(src: &[u8]) -> [usize; 2] {
        let rest = &src[BEHIND..];
        [MARKED * BLOCK, UNMARKED * BLOCK].map(|piece| {
            let good = (0..=rest.len() / piece).take_while(|n| {
                core::str::from_utf8(&rest[..n * piece])
                    .map_or_else(|error| error.error_len().is_none(), |_| true)
            });
            piece * (good.count() - 1)
        })
    }

    /// Words, and sequences so far apart.
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
            assert_eq!(both_ways(&src), expected(&src));
            for _ in 0..200 {
                let at = BEHIND + numbers.below(src.len() - BEHIND);
                let before = core::mem::replace(&mut src[at], CLASSES[numbers.below(CLASSES.len())]);
                check(&src);
                assert_eq!(both_ways(&src), expected(&src), "{at} of {distance}");
                src[at] = before;
            }
        }
    }

    #[test]
    fn a_sequence_is_cut_off_at_each_border_of_a_block() {
        let cut: [&[u8]; 6] = [b"\xC3", b"\xE2\x80", b"\xE2", b"\xF0\x9F\x98", b"\xF0\x9F", b"\xF0"];
        let mut src = vec![b'a'; BEHIND + 2 * MARKED * BLOCK];
        for border in 1..=2 * MARKED {
            let end = BEHIND + border * BLOCK;
            for cut in cut {
                src[end - cut.len()..end].copy_from_slice(cut);
                check(&src);
                assert_eq!(both_ways(&src), expected(&src), "{border} {cut:02x?}");
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
            let mut src = [b'a'; BEHIND + MARKED * BLOCK];
            src[..BEHIND].copy_from_slice(first);
            src[BEHIND..BEHIND + rest.len()].copy_from_slice(rest);
            assert_eq!(by_marks(checker, &src) > 0, is_good, "{first:02x?} {rest:02x?}");
            let unmarked = src.first_chunk().and_then(|piece| by_branches(checker, piece));
            assert_eq!(unmarked.is_some(), is_good, "{first:02x?} {rest:02x?}");
        }
    }
}
