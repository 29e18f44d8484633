//! Well-formed UTF-8: how far a text is, and copies of that. The check is in [`checker`](super::checker).
//!
//! - **Reloads.** The bytes one, two and three before each byte are loaded again from there ([`lagging`](crate::simd::lagging)), not moved in
//!   registers: the work is in the vector units, and loads are free.
//! - **The highest byte decides.** A chunk (four blocks on AVX-512, two on AVX2) is ASCII, or has no byte above `DF`,
//!   or none above `EF`, or whatever. The check for two bytes has no lookups, that for three one load and two
//!   operations less.
//! - **Unfinished sequences** are looked for only on entering ASCII, and at the end of the text.
//! - **Errors** are looked at once per chunk; plain code finds the place. To look more rarely would cost a text with many
//!   errors the whole wait for each.
//!
//! - **A loop for each kind of chunk** keeps its constants in registers, and does not ask what is before a chunk.
//!
//! What was tried and is slower: `lab/validate.md`.

use super::Moved;
use super::checker::{BEHIND, Checker, cut_off, is_unfinished, window_at};
use super::portable::validate as portable;
use super::sparse::sparse_prefix;
use crate::ground::chunk::chunk_at;
use crate::simd::{Apart, BLOCK, Shuffle, Simd};

/// Texts of up to this many bytes are checked as a few blocks: loading the constants that the loops over
/// chunks keep in registers costs more than it saves.
const fn few_blocks<S: Shuffle>() -> usize {
    if S::MASK_REGISTERS { 8 * BLOCK } else { 4 * BLOCK }
}
/// Up to this length, plain code is faster than a block, where a block of so few bytes is put together from parts.
const FEW: usize = 3;
/// Bytes of ASCII in one check.
const ASCII_CHUNK: usize = 4 * BLOCK;

/// Length of the longest prefix of `src` that is well-formed UTF-8.
#[inline(always)]
pub(crate) fn utf8_prefix<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    if src.len() <= BLOCK {
        return short_prefix(simd, src);
    }
    if src.len() <= few_blocks::<S>() {
        return few_blocks_prefix(simd, src);
    }
    // Its room on the stack is not made for shorter texts.
    simd.apart::<Long>(src, &mut [])
}

/// The check of a text longer than [`few_blocks`].
struct Long;

impl Apart for Long {
    type Moved = usize;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], _: &mut [u8]) -> usize {
        match S::UNROLL {
            1 => long_prefix::<S, 1, { BEHIND + BLOCK }>(simd, src),
            2 | 3 => long_prefix::<S, 2, { BEHIND + 2 * BLOCK }>(simd, src),
            _ => long_prefix::<S, 4, { BEHIND + 4 * BLOCK }>(simd, src),
        }
    }
}

/// Length of the longest prefix that is well-formed UTF-8, of a text no longer than a block.
#[inline(always)]
fn short_prefix<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    if !S::MASK_REGISTERS && src.len() <= FEW {
        return portable::well_formed_prefix(src);
    }
    let block = simd.load_partial(src);
    if !simd.any_high_bit(block) {
        return src.len();
    }
    let mut checker = Checker::new(simd);
    checker.push_first(block);
    // The zeros after the text end a sequence, but a whole block has none.
    checker.fail_if(cut_off(simd, block));
    if checker.failed() { place(src, 0) } else { src.len() }
}

/// Length of the longest prefix that is well-formed UTF-8, of a text longer than a block and up to [`few_blocks`].
#[inline(always)]
fn few_blocks_prefix<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    if S::MASK_REGISTERS {
        return few_blocks_prefix_in_registers(simd, src);
    }
    let [first, last] = if src.len() <= 2 * BLOCK {
        both_ends::<S, BLOCK>(simd, src)
    } else {
        both_ends::<S, { 2 * BLOCK }>(simd, src)
    };
    if !simd.any_high_bit(simd.or(first, last)) {
        return src.len();
    }
    match Checker::new(simd).finish(src) {
        None => src.len(),
        Some(at) => place(src, at),
    }
}

/// The blocks of the first `LEN` bytes, and those of the last, each put together by "or".
#[inline(always)]
fn both_ends<S: Simd, const LEN: usize>(simd: S, src: &[u8]) -> [S::Block; 2] {
    let (Some(first), Some(last)) = (src.first_chunk::<LEN>(), src.last_chunk::<LEN>()) else {
        unreachable!()
    };
    [any(simd, first), any(simd, last)]
}

/// Blocks, put together by "or".
#[inline(always)]
fn any<S: Simd, const LEN: usize>(simd: S, blocks: &[u8; LEN]) -> S::Block {
    let mut all = simd.splat(0);
    for block in blocks.as_chunks().0 {
        all = simd.or(all, simd.load(block));
    }
    all
}

/// [`few_blocks_prefix`] with mask registers.
#[inline(always)]
fn few_blocks_prefix_in_registers<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    if src.len() <= 3 * BLOCK {
        let checker = Checker::new(simd);
        let well_formed = if src.len() <= 2 * BLOCK {
            checker.push_blocks::<2>(src)
        } else {
            checker.push_blocks::<3>(src)
        };
        return if well_formed { src.len() } else { place(src, 0) };
    }
    let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) else { unreachable!() };
    let mut all = simd.or(simd.load(first), simd.load(last));
    // As many from both ends, until they meet.
    let mut at = BLOCK;
    while 2 * at < src.len()
        && let Some(block) = chunk_at!(src, at)
        && let Some(back) = src.get(..src.len() - at).and_then(<[u8]>::last_chunk)
    {
        all = simd.or(all, simd.or(simd.load(block), simd.load(back)));
        at += BLOCK;
    }
    if !simd.any_high_bit(all) {
        return src.len();
    }
    let mut checker = Checker::new(simd);
    checker.push_first(simd.load(first));
    if checker.finish_in_registers(src) { src.len() } else { place(src, 0) }
}

/// Length of the longest prefix that is well-formed UTF-8, of a text longer than [`ASCII_CHUNK`].
#[inline(always)]
fn long_prefix<S: Shuffle, const BLOCKS: usize, const WINDOW: usize>(simd: S, src: &[u8]) -> usize {
    let mut at = ascii_chunks(simd, src, 0);
    if at + ASCII_CHUNK > src.len() {
        return last_chunk(simd, src, at);
    }
    let mut checker = Checker::new(simd);
    // Blocks end at multiples of 64 in memory, so that of four loads only three go over the border of a cache line.
    let back = (src.as_ptr().addr() + at) & (BLOCK - 1);
    if at == 0 {
        let Some(first) = src.first_chunk() else { unreachable!() };
        checker.push_first(simd.load(first));
        if checker.failed() {
            return place(src, 0);
        }
        at = (BLOCK - back).max(BEHIND);
    } else {
        at -= back;
    }
    loop {
        let (to, end) = dense::<S, BLOCKS, WINDOW>(checker, src, at);
        match end {
            Dense::IllFormed => return place(src, to),
            Dense::Short => return last_chunk(simd, src, to),
            Dense::Sparse => at = to + sparse_prefix(simd, src.get(to - BEHIND..).unwrap_or_default()),
        }
    }
}

/// Why a stretch of chunks ends.
enum Dense {
    /// No chunk is left.
    Short,
    /// The next chunk has an error, or the text before it.
    IllFormed,
    /// Much of the text is ASCII, and little of it at a stretch.
    Sparse,
}

/// Looks at chunks from `at` on. Returns where it stops, and why.
#[inline(always)]
fn dense<S: Shuffle, const BLOCKS: usize, const WINDOW: usize>(
    checker: Checker<S>,
    src: &[u8],
    mut at: usize,
) -> (usize, Dense) {
    let simd = checker.simd;
    let mut is_ascii = false;
    // Where ASCII last began, and the last chunk with sequences of three or four bytes.
    let (mut last_ascii, mut last_long) = (at, 0);
    while let Some(window) = window_at::<WINDOW>(src, at) {
        let Some(before) = window.first_chunk::<BEHIND>() else { unreachable!() };
        let highest = highest::<S, WINDOW>(simd, window);
        if simd.any_high_bit(highest) {
            is_ascii = false;
            let longest = checker.longest(*before, highest);
            let (to, end) = match longest {
                2 => run::<S, 2, BLOCKS, WINDOW>(checker, src, at),
                3 => run::<S, 3, BLOCKS, WINDOW>(checker, src, at),
                _ => run::<S, 4, BLOCKS, WINDOW>(checker, src, at),
            };
            if let Some(end) = end {
                return (to, end);
            }
            at = to;
            if longest > 2 {
                last_long = at - BLOCKS * BLOCK;
            }
            continue;
        }
        if !is_ascii {
            if is_unfinished(*before) {
                return (at, Dense::IllFormed);
            }
            is_ascii = true;
            let chunk = BLOCKS * BLOCK;
            // In text with sequences of two bytes alone, the check of chunks is faster.
            if BLOCKS > 1 && at - last_long == chunk && at - last_ascii < OFTEN * chunk {
                return (at + chunk, Dense::Sparse);
            }
            last_ascii = at;
            // ASCII with one emoji gains a tenth by it with AVX2.
            if !S::MASK_REGISTERS {
                at = ascii_chunks(simd, src, at + chunk);
                continue;
            }
        }
        at += BLOCKS * BLOCK;
    }
    (at, Dense::Short)
}

/// How far ahead lines are asked for in dense text. Within the caches it makes no difference.
const AHEAD: usize = 2048;

/// Looks at chunks from `at` on, as long as the longest sequence that a chunk has is of `LONGEST` bytes; the first one has none
/// longer. Returns where it stops, and why if not for a chunk of another kind.
///
/// A loop for each kind keeps its constants in registers, and does not have to ask what is before a chunk. Chunks of
/// two bytes stay among those of three, since text that has both changes between them often.
#[inline(always)]
fn run<S: Shuffle, const LONGEST: u8, const BLOCKS: usize, const WINDOW: usize>(
    mut checker: Checker<S>,
    src: &[u8],
    mut at: usize,
) -> (usize, Option<Dense>) {
    let simd = checker.simd;
    let mut rest = src.get(at - BEHIND..).unwrap_or_default();
    let Some(mut window) = rest.first_chunk::<WINDOW>() else { return (at, Some(Dense::Short)) };
    loop {
        for k in 0..BLOCKS {
            simd.prefetch(window, AHEAD + k * BLOCK);
        }
        // There were none so far, and to say so frees registers.
        checker.errors = simd.splat(0);
        checker.push_longest::<LONGEST, BLOCKS, WINDOW>(window);
        if checker.failed() {
            return (at + checker.first_error(window), Some(Dense::IllFormed));
        }
        at += BLOCKS * BLOCK;
        rest = rest.get(BLOCKS * BLOCK..).unwrap_or_default();
        let Some(next) = rest.first_chunk::<WINDOW>() else { return (at, Some(Dense::Short)) };
        let highest = highest::<S, WINDOW>(simd, next);
        let same = match LONGEST {
            2 => simd.any_high_bit(highest) && !simd.any_from::<0xE0>(highest),
            3 => simd.any_high_bit(highest) && !simd.any_from::<0xF0>(highest),
            _ => simd.any_from::<0xF0>(highest),
        };
        if !same {
            return (at, None);
        }
        window = next;
    }
}

/// The highest bytes of the blocks of `window`, whose first three bytes are before them.
#[inline(always)]
fn highest<S: Shuffle, const WINDOW: usize>(simd: S, window: &[u8; WINDOW]) -> S::Block {
    let mut highest = simd.splat(0);
    for i in 0..WINDOW / BLOCK {
        let Some(block) = chunk_at!(window, BEHIND + i * BLOCK) else { unreachable!() };
        highest = simd.max(highest, simd.load(block));
    }
    highest
}

/// If ASCII begins twice within so many chunks, there is little of it at a stretch.
const OFTEN: usize = 16;

/// Length of the longest prefix that is well-formed UTF-8, of a text longer than a block that is well-formed up to `at`,
/// or cut off there, and has less than 256 bytes after it.
#[inline(always)]
fn last_chunk<S: Shuffle>(simd: S, src: &[u8], at: usize) -> usize {
    let (Some(before), Some(last)) = (chunk_at!(src, at - BEHIND), src.last_chunk()) else { unreachable!() };
    let mut all = simd.load(last);
    for i in 0..3 {
        // The blocks that are left; where there are fewer, the last one again.
        let from = (at + i * BLOCK).min(src.len() - BLOCK);
        if let Some(block) = chunk_at!(src, from) {
            all = simd.or(all, simd.load(block));
        }
    }
    let error = if simd.any_high_bit(all) {
        Checker::new(simd).finish_sparse(src, at)
    } else {
        is_unfinished(*before).then_some(at)
    };
    match error {
        None => src.len(),
        Some(at) => place(src, at),
    }
}

/// Where ASCII ends from `at` on, in steps of [`ASCII_CHUNK`]: less than one is left, or the next is not all ASCII.
#[inline(always)]
fn ascii_chunks<S: Simd>(simd: S, src: &[u8], at: usize) -> usize {
    let mut rest = src.get(at..).unwrap_or_default();
    while let Some(chunk) = rest.first_chunk::<ASCII_CHUNK>()
        && simd.are_ascii(chunk)
    {
        rest = rest.get(ASCII_CHUNK..).unwrap_or_default();
    }
    src.len() - rest.len()
}

/// Copies the longest prefix of `src` that is well-formed UTF-8 and fits into `dst`.
///
/// A piece is checked and then copied from the nearest cache by `memcpy`. Not compared with one pass that does both.
#[inline(always)]
pub(crate) fn copy_utf8<S: Shuffle>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
    // The bytes that do not fit are cut off, and a sequence that is cut off does not count.
    let src = src.get(..dst.len()).unwrap_or(src);
    let mut len = 0;
    loop {
        let rest = src.get(len..).unwrap_or_default();
        let piece = rest.get(..PIECE).unwrap_or(rest);
        let good = utf8_prefix(simd, piece);
        if let (Some(from), Some(to)) = (piece.get(..good), dst.get_mut(len..len + good)) {
            for (from, to) in from.chunks(COPIED).zip(to.chunks_mut(COPIED)) {
                to.copy_from_slice(from);
            }
        }
        len += good;
        // A piece may end inside a sequence, which the next one begins with.
        if good + BEHIND < piece.len() || piece.len() < PIECE {
            return Moved { read: len, written: len };
        }
    }
}

/// Bytes that are checked and then copied, while they are still in the nearest cache.
const PIECE: usize = 8 * 1024;
/// Bytes in one copy: fewer than the `memcpy` of glibc copies by `rep movsb`, which on Zen 4 takes four
/// times as long where the addresses of source and target have the same low 12 bits.
pub(crate) const COPIED: usize = 2 * 1024;

/// The start of the first sequence that is ill-formed or cut off, if everything before `at` is well-formed or cut off
/// there.
#[cold]
#[inline(never)]
fn place(src: &[u8], at: usize) -> usize {
    let border = (at.saturating_sub(BEHIND)..at).rev().find(|i| src[*i] & 0xC0 != 0x80);
    let at = border.unwrap_or(at);
    at + portable::well_formed_prefix(src.get(at..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::portable::samples::{CLASSES, MIXED, Numbers, is_taken, mutations};
    use super::*;
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::simd::model::Model;

    fn expected(src: &[u8]) -> usize {
        core::str::from_utf8(src).map_or_else(|error| error.valid_up_to(), str::len)
    }

    /// Each level, and the model in whole chunks of each size.
    fn check(src: &[u8]) {
        let expected = expected(src);
        for isa in Isa::available() {
            let found = Kernels::of(isa).map(|kernels| kernels.utf8_prefix(src));
            assert_eq!(found, Some(expected), "{isa}: {src:02x?}");
        }
    }

    fn check_model(src: &[u8]) {
        let expected = expected(src);
        assert_eq!(utf8_prefix(Model, src), expected, "{src:02x?}");
        if (BLOCK + 1..=few_blocks::<Model>()).contains(&src.len()) {
            assert_eq!(few_blocks_prefix(Model, src), expected, "{src:02x?}");
        }
        if src.len() > ASCII_CHUNK {
            assert_eq!(long_prefix::<_, 1, 67>(Model, src), expected, "{src:02x?}");
            assert_eq!(long_prefix::<_, 2, 131>(Model, src), expected, "{src:02x?}");
            assert_eq!(long_prefix::<_, 4, 259>(Model, src), expected, "{src:02x?}");
        }
    }

    #[test]
    fn every_cut_of_a_mixed_text() {
        let text = MIXED.repeat(3);
        for from in (0..MIXED.len()).step_by(3) {
            for to in (from..text.len()).step_by(1 + from % 7).filter(|to| is_taken(from / 3 + to, 1)) {
                check(&text.as_bytes()[from..to]);
            }
        }
        let long = MIXED.repeat(5000 / MIXED.len());
        for from in (0..MIXED.len()).step_by(11) {
            for to in (4000..long.len()).step_by(97 + from % 7) {
                check(&long.as_bytes()[from..to]);
            }
        }
        for from in (0..MIXED.len()).step_by(61) {
            for to in (from..text.len()).step_by(5) {
                check_model(&text.as_bytes()[from..to]);
            }
        }
    }

    #[test]
    fn damage_at_random_is_found_where_the_standard_library_finds_it() {
        mutations(20_000, check);
        mutations(1_000, check_model);
    }

    #[test]
    fn long_texts_of_one_kind_damaged_at_one_place() {
        let mut numbers = Numbers::new(7);
        for kind in
            ["a", "é", "aé", "日", "日a", "é日", "😀", "a😀é日", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaé"]
        {
            let text = kind.repeat(6000 / kind.len());
            for _ in 0..1500 {
                let mut src = text.as_bytes()[numbers.below(200)..text.len() - numbers.below(5500)].to_vec();
                check(&src);
                let at = numbers.below(src.len());
                src[at] = CLASSES[numbers.below(CLASSES.len())];
                check(&src);
            }
        }
    }

    #[test]
    fn each_border_at_each_place_of_a_chunk() {
        // In front and behind, so that each kind of chunk meets the other kinds at its border.
        for (front, back) in [("a", "a"), ("é", "é"), ("日", "é"), ("😀", "é"), ("é", "日"), ("日", "a")]
        {
            let mut text = front.repeat(600 / front.len());
            let middle = text.len();
            text.push_str(&back.repeat(6000 / back.len()));
            for &first in CLASSES {
                for &second in CLASSES {
                    let third = CLASSES[usize::from(first ^ second) % CLASSES.len()];
                    for skip in (0..=130).step_by(13).chain(0..4) {
                        // Up to `middle`, and beyond.
                        let len = if skip % 2 == 0 { 1200 } else { 5000 };
                        let mut src = text.as_bytes()[skip..][..len].to_vec();
                        src[middle - skip..][..3].copy_from_slice(&[first, second, third]);
                        check(&src);
                    }
                }
            }
        }
    }

    #[test]
    fn a_copy_goes_to_the_last_code_point_that_fits() {
        let text = MIXED.repeat(2);
        let long = MIXED.repeat(3 * PIECE / MIXED.len());
        for kernels in Isa::available().filter_map(Kernels::of) {
            let mut dst = vec![0xEE; long.len() + 5];
            for room in 0..=text.len() + 1 {
                let moved = kernels.copy_utf8(text.as_bytes(), &mut dst[..room]);
                let len = expected(&text.as_bytes()[..room.min(text.len())]);
                assert_eq!(moved, Moved { read: len, written: len });
                assert_eq!(&dst[..len], &text.as_bytes()[..len]);
                assert_eq!(dst[room], 0xEE);
                dst.fill(0xEE);
            }
            for end in [PIECE - 1, PIECE, PIECE + 1, PIECE + 2, PIECE + 3, 2 * PIECE, long.len()] {
                let moved = kernels.copy_utf8(&long.as_bytes()[..end], &mut dst);
                let len = expected(&long.as_bytes()[..end]);
                assert_eq!(moved, Moved { read: len, written: len });
                assert_eq!(&dst[..len], &long.as_bytes()[..len]);
            }
            mutations(1_000, |src| assert_eq!(kernels.copy_utf8(src, &mut dst).read, expected(src)));
        }
    }

    #[test]
    fn two_bytes_by_class_at_each_place_of_a_short_text() {
        for len in 2..=70 {
            for &first in CLASSES {
                for &second in CLASSES {
                    let mut src = [b'a'; 70];
                    src[len - 2..len].copy_from_slice(&[first, second]);
                    check(&src[..len]);
                    src[..2].copy_from_slice(&[first, second]);
                    check(&src[..len]);
                }
            }
        }
    }
}
