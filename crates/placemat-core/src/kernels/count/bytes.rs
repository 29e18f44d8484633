//! Counts and lengths of UTF-8 and Latin-1.
//!
//! Each byte has a number, 0 to 2, which is added to a block of byte counters; these are summed
//! before one can overflow. Where a mask is a block of bytes, -1 for each byte in it, subtracting
//! the mask is all the work. AVX-512 has mask registers, and moving a mask to a vector costs more
//! than the comparison, so code points come from a table indexed by the high nibble there, and
//! non-ASCII bytes from their top bit; where a single comparison suffices, its bitmap is counted
//! instead, for texts that fit into a cache. UTF-16 code units, of which a byte can begin two, come
//! from the table on every level.
//!
//! The zeros that pad the last block are counted too, and subtracted again.
//!
//! Measurements, and what was slower: `lab/count.md`.

use crate::ground::chunk::chunk_at;
use crate::kernels::wide::{MIN_ALIGNED_BYTES, PAIR_BYTES, ROW_BYTES, blocks_of_row};
use crate::simd::{BLOCK, Shuffle};

/// Assigns a number to each byte.
trait PerByte {
    /// The highest number of any byte.
    const MAX_NUMBER: usize;
    /// The number of a zero byte.
    const NUMBER_OF_ZERO: usize;
    /// Up to this many bytes, bitmaps are faster than byte counters on levels with mask registers.
    const MAX_BITMAP_BYTES_WITH_MASKS: usize = 0;
    /// Up to this many bytes, bitmaps are faster than byte counters on levels without mask
    /// registers.
    const MAX_BITMAP_BYTES: usize = ROW_BYTES;
    /// Adds the numbers of a block to byte counters.
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block;
    /// Sums the numbers of the bytes of a block from position `from` on, by bitmaps.
    fn by_bitmaps<S: Shuffle>(simd: S, block: S::Block, from: usize) -> usize;
}

/// Number of lanes in a mask from position `from` on.
#[inline(always)]
fn ones<S: Shuffle>(simd: S, mask: S::Mask, from: usize) -> usize {
    (simd.bits(mask) >> from).count_ones() as usize
}

/// One for bytes that do not continue a sequence, that is, all but `80..BF`.
struct Start;

/// The bytes that do not continue a sequence.
#[inline(always)]
fn starts<S: Shuffle>(simd: S, block: S::Block) -> S::Mask {
    // With bit 7 inverted, continuation bytes are the lowest. Levels with signed comparisons skip
    // the XOR.
    simd.ge(simd.xor(block, simd.splat(0x80)), simd.splat(0x40))
}

impl PerByte for Start {
    const MAX_NUMBER: usize = 1;
    const NUMBER_OF_ZERO: usize = 1;
    // For text in memory, fewer operations per cache line let the CPU request more lines at a time.
    const MAX_BITMAP_BYTES_WITH_MASKS: usize = 1 << 20;

    #[inline(always)]
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block {
        if S::MASK_REGISTERS {
            let table = simd.high_table(&[1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1]);
            return simd.add(lanes, simd.lookup_high(table, block));
        }
        simd.add_one(lanes, starts(simd, block))
    }
    #[inline(always)]
    fn by_bitmaps<S: Shuffle>(simd: S, block: S::Block, from: usize) -> usize {
        ones(simd, starts(simd, block), from)
    }
}

/// One for bytes that are not line feeds.
struct NotLineFeed;

impl PerByte for NotLineFeed {
    const MAX_NUMBER: usize = 1;
    const NUMBER_OF_ZERO: usize = 1;
    const MAX_BITMAP_BYTES_WITH_MASKS: usize = usize::MAX;

    #[inline(always)]
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block {
        simd.add_one(lanes, simd.not(simd.eq(block, simd.splat(b'\n'))))
    }
    #[inline(always)]
    fn by_bitmaps<S: Shuffle>(simd: S, block: S::Block, from: usize) -> usize {
        ones(simd, simd.not(simd.eq(block, simd.splat(b'\n'))), from)
    }
}

/// One for bytes that do not continue a sequence, and two for lead bytes of four-byte sequences,
/// `F0` and above.
struct Utf16Unit;

impl PerByte for Utf16Unit {
    const MAX_NUMBER: usize = 2;
    const NUMBER_OF_ZERO: usize = 1;
    const MAX_BITMAP_BYTES: usize = PAIR_BYTES;

    #[inline(always)]
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block {
        // A table, because two comparisons take longer.
        let table = simd.high_table(&[1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 2]);
        simd.add(lanes, simd.lookup_high(table, block))
    }
    #[inline(always)]
    fn by_bitmaps<S: Shuffle>(simd: S, block: S::Block, from: usize) -> usize {
        ones(simd, starts(simd, block), from) + ones(simd, simd.ge(block, simd.splat(0xF0)), from)
    }
}

/// One for non-ASCII bytes.
struct NonAscii;

impl PerByte for NonAscii {
    const MAX_NUMBER: usize = 1;
    const NUMBER_OF_ZERO: usize = 0;

    #[inline(always)]
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block {
        // Moving a mask to a vector costs more than computing the number without a mask.
        if S::MASK_REGISTERS {
            return simd.add(lanes, simd.move_bits::<7, 1, 0>(block));
        }
        simd.add_one(lanes, simd.high_bit(block))
    }
    #[inline(always)]
    fn by_bitmaps<S: Shuffle>(simd: S, block: S::Block, from: usize) -> usize {
        ones(simd, simd.high_bit(block), from)
    }
}

/// Zeros, then ones: the block from offset *n* on is a mask of the last *n* bytes of a block.
pub(super) static LAST: [u8; 2 * BLOCK] = {
    let mut bytes = [0; 2 * BLOCK];
    let mut i = BLOCK;
    while i < bytes.len() {
        bytes[i] = 0xFF;
        i += 1;
    }
    bytes
};

/// Loads the last bytes of `src`, less than a block, at unspecified positions of a block of zeros.
#[inline(always)]
pub(super) fn last_bytes<S: Shuffle>(simd: S, src: &[u8], last: &[u8]) -> S::Block {
    // Without masked loads, clearing the preceding bytes is faster.
    if !S::MASK_REGISTERS
        && let (Some(whole), Some(new)) = (src.last_chunk(), chunk_at!(LAST, last.len()))
    {
        return simd.and(simd.load(whole), simd.load(new));
    }
    simd.load_anywhere(last)
}

/// Number of bytes before the first cache line boundary; zero in a text shorter than `long` bytes.
#[inline(always)]
pub(super) fn ahead(src: &[u8], long: usize) -> usize {
    if src.len() >= long { (src.as_ptr() as usize).wrapping_neg() % BLOCK } else { 0 }
}

/// Sums the numbers of a few blocks, by bitmaps.
#[inline(always)]
fn count_few<S: Shuffle, P: PerByte>(simd: S, src: &[u8]) -> usize {
    let (mut total, mut rest) = (0, src);
    while let Some((block, after)) = rest.split_first_chunk() {
        total += P::by_bitmaps(simd, simd.load(block), 0);
        rest = after;
    }
    if let Some(last) = src.last_chunk().filter(|_| !rest.is_empty()) {
        total += P::by_bitmaps(simd, simd.load(last), BLOCK - rest.len());
    } else if !rest.is_empty() {
        total += P::by_bitmaps(simd, simd.load_anywhere(rest), 0) - P::NUMBER_OF_ZERO * (BLOCK - rest.len());
    }
    total
}

/// Sums the numbers of all bytes.
#[inline(always)]
fn count<S: Shuffle, P: PerByte>(simd: S, src: &[u8]) -> usize {
    // For short texts, summing counters takes longer than a few bitmaps.
    if src.len() <= if S::MASK_REGISTERS { ROW_BYTES } else { P::MAX_BITMAP_BYTES } {
        return count_few::<S, P>(simd, src);
    }
    let (first, rest) = src.split_at_checked(ahead(src, MIN_ALIGNED_BYTES)).unwrap_or((&[], src));
    let (rows, rest) = rest.as_chunks::<ROW_BYTES>();
    let mut total = 0;
    if S::MASK_REGISTERS && src.len() <= P::MAX_BITMAP_BYTES_WITH_MASKS {
        for row in rows {
            for block in row.as_chunks::<BLOCK>().0 {
                total += P::by_bitmaps(simd, simd.load(block), 0);
            }
        }
    } else {
        for rows in rows.chunks(const { 255 / 4 / P::MAX_NUMBER }) {
            // Two accumulators, because additions to one would wait for each other.
            let mut lanes = [simd.splat(0); 2];
            for row in rows {
                let [a, b, c, d] = blocks_of_row::<S, 0, _>(simd, row);
                lanes = [P::add(simd, lanes[0], a), P::add(simd, lanes[1], b)];
                lanes = [P::add(simd, lanes[0], c), P::add(simd, lanes[1], d)];
            }
            total += simd.sum(simd.add(lanes[0], lanes[1])) as usize;
        }
    }
    if S::MASK_REGISTERS {
        return total + count_few::<S, P>(simd, first) + count_few::<S, P>(simd, rest);
    }
    let (mut lanes, mut zeros) = (simd.splat(0), 0);
    if !first.is_empty() {
        lanes = P::add(simd, lanes, simd.load_partial(first));
        zeros += BLOCK - first.len();
    }
    let (blocks, rest) = rest.as_chunks::<BLOCK>();
    for block in blocks {
        lanes = P::add(simd, lanes, simd.load(block));
    }
    if !rest.is_empty() {
        lanes = P::add(simd, lanes, last_bytes(simd, src, rest));
        zeros += BLOCK - rest.len();
    }
    if zeros > 0 || !blocks.is_empty() {
        total += simd.sum(lanes) as usize - P::NUMBER_OF_ZERO * zeros;
    }
    total
}

/// Counts the code points of UTF-8: the bytes that are not continuation bytes (`80..BF`).
#[inline(always)]
pub(crate) fn count_code_points<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    count::<S, Start>(simd, src)
}

/// Returns the number of UTF-16 code units of UTF-8: one for each byte that is not a continuation
/// byte, and one more for each byte from `F0` up.
#[inline(always)]
pub(crate) fn utf16_len_of_utf8<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    count::<S, Utf16Unit>(simd, src)
}

/// Counts the bytes `0A`.
#[inline(always)]
pub(crate) fn count_line_feeds<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    src.len() - count::<S, NotLineFeed>(simd, src)
}

/// Returns the number of UTF-8 bytes of Latin-1: one for each byte, and one more for each byte from
/// `80` up.
#[inline(always)]
pub(crate) fn utf8_len_of_latin1<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    src.len() + count::<S, NonAscii>(simd, src)
}
