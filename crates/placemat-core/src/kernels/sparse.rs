//! Well-formed UTF-8 in text of which much is ASCII and little of it at a stretch: prose with typographic punctuation, log
//! lines, source code. The loop over chunks of [`validate`](super::validate) would check most of the ASCII too.
//!
//! With registers of masks, a piece of 64 blocks is looked at twice. The first time, each block leaves a mark of eight bits, which
//! say where it is not ASCII. The second time, after the marks of the next piece are made, the blocks are checked in which
//! something is not ASCII, or in the eight bytes before them. So the only branch that the text decides is at the end of a piece.
//!
//! Elsewhere each half of a block leaves one bit, which says whether it is all ASCII, and two halves that are not are checked together
//! as a block. Half as much is checked, and to collect the bits takes two instructions for each half: a mask, and a
//! step of a tree that packs words to bytes. After a half whose next one is not checked, no sequence may be cut off.
//!
//! See `lab/sparse.md`.

use super::checker::{BEHIND, Checker, highest_of_complete};
use crate::ground::chunk::chunk_at;
use crate::simd::{Apart, BLOCK, Shuffle};

/// Blocks of a piece with marks.
const MARKED: usize = 64;
/// Halves of blocks of a piece with a bitmap.
const HALVES: usize = 64;
/// Bytes of half a block.
const HALF: usize = BLOCK / 2;

/// A number of bytes after the first three of `src` that are well-formed, in whole pieces, as long as they are such text; the last
/// sequence may be cut off.
#[inline(always)]
pub(super) fn sparse_prefix<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    simd.apart::<Sparse>(src, &mut [])
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
        by_halves(checker, src)
    }
}

/// Whether a piece of so many blocks, or halves of blocks, of which so many had to be checked, is such text. If they are few, or so many that
/// checks take most of the time, the loop over chunks is faster. To find halves costs less than to leave a chunk of ASCII once.
#[inline(always)]
fn is_worth<S: Shuffle>(checked: usize, all: usize) -> bool {
    let (least, most) = if S::MASK_REGISTERS { (all / 16 + 1, all / 16 * 10) } else { (1, all / 4 * 3) };
    (least..=most).contains(&checked)
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

/// [`sparse_prefix`], each piece by a bitmap of its halves of blocks.
#[inline(always)]
fn by_halves<S: Shuffle>(checker: Checker<S>, src: &[u8]) -> usize {
    let simd = checker.simd();
    let Some((before, blocks)) = src.split_first_chunk::<BEHIND>() else { return 0 };
    let mut open = u64::from(!before.is_ascii());
    // Of the next piece: known early, it does not keep the processor waiting at the end of this one.
    let mut next = high_halves(simd, blocks, 0);
    let mut at = 0;
    while let Some(piece) = chunk_at!(src, at) {
        let high = next;
        next = high_halves(simd, blocks, at + HALVES * HALF);
        let checked = high | open;
        open = high >> (HALVES - 1);
        if !are_well_formed(checker, piece, checked, open) {
            break;
        }
        at += HALVES * HALF;
        if !is_worth::<S>(checked.count_ones() as usize, HALVES) {
            break;
        }
    }
    at
}

/// Which halves of blocks are not all ASCII in the piece at `at`; none if `blocks` has no such piece.
#[inline(always)]
fn high_halves<S: Shuffle>(simd: S, blocks: &[u8], at: usize) -> u64 {
    let Some(piece) = chunk_at!(blocks, at, HALVES * HALF) else { return 0 };
    match piece.as_chunks().0 {
        [low, high] => u64::from(simd.high_halves(low)) | u64::from(simd.high_halves(high)) << 32,
        _ => unreachable!(),
    }
}

/// Whether those halves of blocks of a piece, which is what follows the first three bytes, are well-formed, and no sequence goes on
/// in others; the last sequence may be cut off if the piece is `open`.
#[inline(always)]
fn are_well_formed<S: Shuffle>(
    mut checker: Checker<S>,
    piece: &[u8; BEHIND + HALVES * HALF],
    halves: u64,
    open: u64,
) -> bool {
    // Bit by bit, whether the next one is checked too.
    let next = halves >> 1 | open << (HALVES - 1);
    let mut left = halves;
    while left != 0 {
        let first = left.trailing_zeros();
        left &= left - 1;
        // At the end of an odd number, the first again.
        let second = if left == 0 { first } else { left.trailing_zeros() };
        left &= left.wrapping_sub(1);
        let windows = [first, second].map(|i| match chunk_at!(piece, i as usize % HALVES * HALF) {
            Some(window) => window,
            None => unreachable!(),
        });
        // By loads, since the text decides, and branches would be foreseen badly.
        let highest = [first, second].map(|i| &HIGHEST[(next >> i & 1) as usize]);
        checker.push_halves(windows, highest);
    }
    !checker.failed()
}

/// The highest bytes that half a block can have if the next one is not checked, and if it is.
static HIGHEST: [[u8; HALF]; 2] = [highest_of_complete(), [0xFF; HALF]];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::kernels::portable::samples::{CLASSES, Numbers, is_taken};
    use crate::simd::model::Model;

    /// The lengths up to the first piece that is ill-formed, both ways.
    fn both_ways(src: &[u8]) -> [usize; 2] {
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

    /// The lengths up to there, by the standard library: of pieces that are well-formed or cut off at their end.
    fn expected(src: &[u8]) -> [usize; 2] {
        let rest = &src[BEHIND..];
        [MARKED * BLOCK, HALVES * HALF].map(|piece| {
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
            for _ in (0..200).filter(|i| is_taken(*i, 1)) {
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
            assert_eq!(by_halves(checker, &src) > 0, is_good, "{first:02x?} {rest:02x?}");
        }
    }
}
