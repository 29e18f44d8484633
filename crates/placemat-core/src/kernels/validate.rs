//! Length of the well-formed prefix of UTF-8, and copies of that prefix.
//! [`checker`](super::checker) has the check itself.
//!
//! - **Reloads.** The bytes one, two and three before each byte are loaded again from there
//!   ([`lagging`](crate::simd::lagging)) instead of shifted between registers: the vector units are
//!   the bottleneck, and loads are free.
//! - **The highest byte decides.** A chunk (four blocks on AVX-512, two on AVX2) is ASCII, or has
//!   no byte above `DF`, or none above `EF`, or any bytes. The check for two-byte sequences needs
//!   no lookups, and the check for three-byte sequences needs one load and two operations fewer
//!   than the full one.
//! - **Incomplete sequences** are looked for only where ASCII begins, and at the end of the text.
//! - **Errors** are tested once per chunk; plain code finds the position. Testing less often would
//!   delay each error of a text with many.
//! - **A loop for each kind of chunk** keeps its constants in registers, and need not examine the
//!   bytes before a chunk.
//!
//! Measurements, and what was slower: `lab/validate.md`.

use super::Moved;
use super::checker::{Checker, LOOKBACK_BYTES, is_unfinished, truncated_leads, window_at};
use super::portable::validate as portable;
use super::sparse::sparse_prefix;
use crate::ground::chunk::chunk_at;
use crate::simd::{Apart, BLOCK, Shuffle, ShuffleOps, Simd, Slot};

/// Texts of up to this many bytes are checked as a few blocks: loading the constants that the loops
/// over chunks keep in registers costs more than it saves.
const fn max_few_blocks_bytes<S: ShuffleOps>() -> usize {
    if S::MASK_REGISTERS { 8 * BLOCK } else { 4 * BLOCK }
}
/// Without mask registers, plain code is faster up to this many bytes than assembling a partial
/// block.
const MAX_PLAIN_BYTES: usize = 3;
/// Bytes of ASCII per test.
const ASCII_CHUNK_BYTES: usize = 4 * BLOCK;

/// Returns the length of the longest well-formed prefix of `src`.
#[inline(always)]
pub(crate) fn utf8_prefix<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    if src.len() <= BLOCK {
        return short_prefix(simd, src);
    }
    if src.len() <= max_few_blocks_bytes::<S>() {
        return few_blocks_prefix(simd, src);
    }
    // Shorter texts should not pay for its stack frame.
    simd.apart::<LongText>(src, &mut [])
}

/// The check of a text longer than [`max_few_blocks_bytes`] bytes.
struct LongText;

impl Apart for LongText {
    type Moved = usize;
    type Element = u8;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], _: &mut [u8]) -> usize {
        match S::UNROLL {
            1 => long_prefix::<S, 1, { LOOKBACK_BYTES + BLOCK }>(simd, src),
            2 | 3 => long_prefix::<S, 2, { LOOKBACK_BYTES + 2 * BLOCK }>(simd, src),
            _ => long_prefix::<S, 4, { LOOKBACK_BYTES + 4 * BLOCK }>(simd, src),
        }
    }
}

/// Returns the length of the longest well-formed prefix of a text of at most one block.
#[inline(always)]
pub(super) fn short_prefix<S: ShuffleOps>(simd: S, src: &[u8]) -> usize {
    if !S::MASK_REGISTERS && src.len() <= MAX_PLAIN_BYTES {
        return portable::well_formed_prefix(src);
    }
    let block = simd.load_partial(src);
    if !simd.any_high_bit(block) {
        return src.len();
    }
    let mut checker = Checker::new(simd);
    checker.push_first(block);
    // The zeros after the text end a sequence, but a whole block has none.
    checker.fail_if(truncated_leads(simd, block));
    if checker.failed() { place(src, 0) } else { src.len() }
}

/// Returns the length of the longest well-formed prefix of a text that is longer than a block and
/// at most [`max_few_blocks_bytes`] bytes.
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

/// The OR of the blocks in the first `LEN` bytes, and the OR of those in the last `LEN`. `src` has at least as many.
#[inline(always)]
fn both_ends<S: Simd, const LEN: usize>(simd: S, src: &[u8]) -> [S::Block; 2] {
    let end =
        |blocks: Option<&[u8; LEN]>| blocks.map_or_else(|| simd.splat(0xFF), |blocks| any(simd, blocks));
    [end(src.first_chunk()), end(src.last_chunk())]
}

/// The OR of blocks.
#[inline(always)]
fn any<S: Simd, const LEN: usize>(simd: S, blocks: &[u8; LEN]) -> S::Block {
    let mut all = simd.splat(0);
    for block in blocks.as_chunks().0 {
        all = simd.or(all, simd.load(block));
    }
    all
}

/// Implements [`few_blocks_prefix`] for levels with mask registers.
#[inline(always)]
pub(super) fn few_blocks_prefix_in_registers<S: ShuffleOps>(simd: S, src: &[u8]) -> usize {
    if src.len() <= 3 * BLOCK {
        let checker = Checker::new(simd);
        let well_formed = if src.len() <= 2 * BLOCK {
            checker.push_blocks::<2>(src)
        } else {
            checker.push_blocks::<3>(src)
        };
        return if well_formed { src.len() } else { place(src, 0) };
    }
    let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) else { return place(src, 0) };
    let mut all = simd.or(simd.load(first), simd.load(last));
    // One block from each end per iteration, until they meet.
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

/// Returns the length of the longest well-formed prefix of a text longer than
/// [`ASCII_CHUNK_BYTES`].
#[inline(always)]
fn long_prefix<S: Shuffle, const BLOCKS: usize, const WINDOW: usize>(simd: S, src: &[u8]) -> usize {
    let mut at = ascii_chunks(simd, src, 0);
    if at + ASCII_CHUNK_BYTES > src.len() {
        return last_chunk(simd, src, at);
    }
    let mut checker = Checker::new(simd);
    // Aligns blocks to 64 bytes in memory, so that only three of four loads cross a cache line.
    let back = (src.as_ptr().addr() + at) & (BLOCK - 1);
    if at == 0 {
        let Some(first) = src.first_chunk() else { return place(src, 0) };
        checker.push_first(simd.load(first));
        if checker.failed() {
            return place(src, 0);
        }
        at = (BLOCK - back).max(LOOKBACK_BYTES);
    } else {
        at -= back;
    }
    loop {
        let (to, end) = dense::<S, BLOCKS, WINDOW>(checker, src, at);
        match end {
            Dense::IllFormed => return place(src, to),
            Dense::Short => return last_chunk(simd, src, to),
            Dense::Sparse => {
                at = to + sparse_prefix(simd, src.get(to - LOOKBACK_BYTES..).unwrap_or_default());
            }
        }
    }
}

/// Why the loop over chunks stopped.
enum Dense {
    /// No whole chunk is left.
    Short,
    /// The next chunk has an error, or the text before it has one.
    IllFormed,
    /// The text is mostly ASCII, in short runs.
    Sparse,
}

/// Checks chunks from `at` on. Returns the offset where it stopped, and why.
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
        let Some(before) = window.first_chunk::<LOOKBACK_BYTES>() else { unreachable!() };
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
            // In text with two-byte sequences only, the loop over chunks is faster.
            if BLOCKS > 1 && at - last_long == chunk && at - last_ascii < SHORT_RUN_CHUNKS * chunk {
                return (at + chunk, Dense::Sparse);
            }
            last_ascii = at;
            // With AVX2, this makes ASCII with a rare emoji faster.
            if !S::MASK_REGISTERS {
                at = ascii_chunks(simd, src, at + chunk);
                continue;
            }
        }
        at += BLOCKS * BLOCK;
    }
    (at, Dense::Short)
}

/// Prefetch distance in dense text, in bytes. Makes no difference for text in cache.
const PREFETCH_BYTES: usize = 2048;

/// Checks chunks from `at` on while the longest sequence in each is of `LONGEST` bytes, which must
/// be true of the first. Returns the offset where it stopped, and why, or `None` for a chunk of
/// another kind.
///
/// A loop for each kind keeps its constants in registers, and need not examine the bytes before a
/// chunk. Chunks of two-byte sequences do not end a loop for three, because text with both
/// alternates often.
#[inline(always)]
fn run<S: Shuffle, const LONGEST: u8, const BLOCKS: usize, const WINDOW: usize>(
    mut checker: Checker<S>,
    src: &[u8],
    mut at: usize,
) -> (usize, Option<Dense>) {
    let simd = checker.simd;
    let mut rest = src.get(at - LOOKBACK_BYTES..).unwrap_or_default();
    let Some(mut window) = rest.first_chunk::<WINDOW>() else { return (at, Some(Dense::Short)) };
    loop {
        for k in 0..BLOCKS {
            simd.prefetch(window, PREFETCH_BYTES + k * BLOCK);
        }
        // No errors so far; resetting them frees registers.
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

/// The byte-wise maximum of the blocks of `window`, without its first three bytes.
#[inline(always)]
fn highest<S: Shuffle, const WINDOW: usize>(simd: S, window: &[u8; WINDOW]) -> S::Block {
    let mut highest = simd.splat(0);
    for i in 0..WINDOW / BLOCK {
        let Some(block) = chunk_at!(window, LOOKBACK_BYTES + i * BLOCK) else { unreachable!() };
        highest = simd.max(highest, simd.load(block));
    }
    highest
}

/// If ASCII begins twice within this many chunks, its runs are short.
const SHORT_RUN_CHUNKS: usize = 16;

/// Returns the length of the longest well-formed prefix of a text that is longer than a block, is
/// well-formed or has an incomplete sequence up to `at`, and has less than 256 bytes after it.
#[inline(always)]
fn last_chunk<S: Shuffle>(simd: S, src: &[u8], at: usize) -> usize {
    let (Some(before), Some(last)) = (chunk_at!(src, at - LOOKBACK_BYTES), src.last_chunk()) else {
        return place(src, 0);
    };
    let mut all = simd.load(last);
    for i in 0..3 {
        // The remaining blocks; if they are fewer than three, the last one again.
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

/// Returns the offset where ASCII ends from `at` on, in steps of [`ASCII_CHUNK_BYTES`]: less than a
/// step is left, or the next one is not all ASCII.
#[inline(always)]
fn ascii_chunks<S: Simd>(simd: S, src: &[u8], at: usize) -> usize {
    let mut rest = src.get(at..).unwrap_or_default();
    while let Some(chunk) = rest.first_chunk::<ASCII_CHUNK_BYTES>()
        && simd.are_ascii(chunk)
    {
        rest = rest.get(ASCII_CHUNK_BYTES..).unwrap_or_default();
    }
    src.len() - rest.len()
}

/// Copies the longest well-formed prefix of `src` that fits into `dst`.
///
/// Each piece is checked, and then `memcpy` copies it from the first-level cache. One pass that
/// does both was not measured.
#[inline(always)]
pub(crate) fn copy_utf8<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    // If `dst` is shorter, the text is truncated; an incomplete sequence at its end does not count.
    let src = src.get(..dst.len()).unwrap_or(src);
    let mut len = 0;
    loop {
        let rest = src.get(len..).unwrap_or_default();
        let piece = rest.get(..PIECE_BYTES).unwrap_or(rest);
        let good = utf8_prefix(simd, piece);
        if let (Some(from), Some(to)) = (piece.get(..good), dst.get_mut(len..len + good)) {
            for (from, to) in from.chunks(COPIED).zip(to.chunks_mut(COPIED)) {
                Slot::copy(to, from);
            }
        }
        len += good;
        // A piece may end inside a sequence, with which the next piece then begins.
        if good + LOOKBACK_BYTES < piece.len() || piece.len() < PIECE_BYTES {
            return Moved { read: len, written: len };
        }
    }
}

/// Bytes that are checked and then copied, while they are still in the first-level cache.
const PIECE_BYTES: usize = 8 * 1024;
/// Bytes per `memcpy`: fewer than glibc copies with `rep movsb`, which is slow on some CPUs if
/// source and target address agree in the low 12 bits.
pub(crate) const COPIED: usize = 2 * 1024;

/// Returns the start of the first ill-formed or incomplete sequence; everything before `at` must be
/// well-formed, except that a sequence may be incomplete there.
#[cold]
#[inline(never)]
fn place(src: &[u8], at: usize) -> usize {
    let border = (at.saturating_sub(LOOKBACK_BYTES)..at)
        .rev()
        .find(|i| src.get(*i).is_none_or(|byte| byte & 0xC0 != 0x80));
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

    /// Checks every level.
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
        if (BLOCK + 1..=max_few_blocks_bytes::<Model>()).contains(&src.len()) {
            assert_eq!(few_blocks_prefix(Model, src), expected, "{src:02x?}");
        }
        if src.len() > ASCII_CHUNK_BYTES {
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
        // Each kind of chunk meets the other kinds at its boundary, before and after.
        for (front, back) in [("a", "a"), ("é", "é"), ("日", "é"), ("😀", "é"), ("é", "日"), ("日", "a")]
        {
            let mut text = front.repeat(600 / front.len());
            let middle = text.len();
            text.push_str(&back.repeat(6000 / back.len()));
            for &first in CLASSES {
                for &second in CLASSES {
                    let third = CLASSES[usize::from(first ^ second) % CLASSES.len()];
                    for skip in (0..=130).step_by(13).chain(0..4) {
                        // Up to `middle`, and beyond it.
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
        let long = MIXED.repeat(3 * PIECE_BYTES / MIXED.len());
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
            for end in [
                PIECE_BYTES - 1,
                PIECE_BYTES,
                PIECE_BYTES + 1,
                PIECE_BYTES + 2,
                PIECE_BYTES + 3,
                2 * PIECE_BYTES,
                long.len(),
            ] {
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
