//! Counts and lengths of UTF-8 and Latin-1.
//!
//! Each byte has a number, 0 to 2, which is added to a block of byte counters; these are added up before one can
//! overflow. Where a mask is a block of bytes, -1 where it holds, to subtract it is all there is to do. On AVX-512 masks
//! have registers of their own, and to come back from one costs more than the comparison, so there code points come from a
//! table by the high nibble, and bytes beyond ASCII from their top bit; but where one comparison says it all, they come by its
//! bitmap, if the text may be in a cache. Units of UTF-16, of which a byte can begin two, come from the table at every level.
//!
//! The zeros that fill up the last block are counted as zeros, and taken off again.
//!
//! What was tried and is slower: `lab/count.md`.

use crate::ground::chunk::chunk_at;
use crate::kernels::wide::{LONG, ROW, TWO, blocks_of_row};
use crate::simd::{BLOCK, Shuffle};

/// A number for each byte.
trait PerByte {
    /// The highest.
    const MOST: usize;
    /// That of zero.
    const OF_ZERO: usize;
    /// Texts of up to how many bytes bitmaps count faster than counters of bytes where masks have registers of their own.
    const BY_BITMAPS: usize = 0;
    /// Texts of up to how many bytes bitmaps count faster where masks have no registers of their own.
    const FEW: usize = ROW;
    /// Adds the numbers of a block to counters of bytes.
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block;
    /// The sum of the numbers of the bytes of a block from a place on, by bitmaps.
    fn by_bitmaps<S: Shuffle>(simd: S, block: S::Block, from: usize) -> usize;
}

/// The number of lanes from a place on for which a mask holds.
#[inline(always)]
fn ones<S: Shuffle>(simd: S, mask: S::Mask, from: usize) -> usize {
    (simd.bits(mask) >> from).count_ones() as usize
}

/// One for bytes that do not continue a sequence, that is, are not `80..BF`.
struct Start;

/// Where they are.
#[inline(always)]
fn starts<S: Shuffle>(simd: S, block: S::Block) -> S::Mask {
    // With bit 7 inverted, continuation bytes are the lowest. Levels that compare signed numbers do it without.
    simd.ge(simd.xor(block, simd.splat(0x80)), simd.splat(0x40))
}

impl PerByte for Start {
    const MOST: usize = 1;
    const OF_ZERO: usize = 1;
    // From memory, the fewer operations a line takes, the more lines the processor asks for at a time.
    const BY_BITMAPS: usize = 1 << 20;

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

/// One for bytes that are no line feeds.
struct NotLineFeed;

impl PerByte for NotLineFeed {
    const MOST: usize = 1;
    const OF_ZERO: usize = 1;
    const BY_BITMAPS: usize = usize::MAX;

    #[inline(always)]
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block {
        simd.add_one(lanes, simd.not(simd.eq(block, simd.splat(b'\n'))))
    }
    #[inline(always)]
    fn by_bitmaps<S: Shuffle>(simd: S, block: S::Block, from: usize) -> usize {
        ones(simd, simd.not(simd.eq(block, simd.splat(b'\n'))), from)
    }
}

/// One for bytes that do not continue a sequence, and one more for those that begin a sequence of four, `F0` and above.
struct Utf16Unit;

impl PerByte for Utf16Unit {
    const MOST: usize = 2;
    const OF_ZERO: usize = 1;
    const FEW: usize = TWO;

    #[inline(always)]
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block {
        // Two comparisons take longer.
        let table = simd.high_table(&[1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 2]);
        simd.add(lanes, simd.lookup_high(table, block))
    }
    #[inline(always)]
    fn by_bitmaps<S: Shuffle>(simd: S, block: S::Block, from: usize) -> usize {
        ones(simd, starts(simd, block), from) + ones(simd, simd.ge(block, simd.splat(0xF0)), from)
    }
}

/// One for bytes beyond ASCII.
struct NonAscii;

impl PerByte for NonAscii {
    const MOST: usize = 1;
    const OF_ZERO: usize = 0;

    #[inline(always)]
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block {
        // To come from a mask register to a block costs more than to make a number without it.
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

/// Zeros, and from each place on, so many ones at the end of a block.
pub(super) static LAST: [u8; 2 * BLOCK] = {
    let mut bytes = [0; 2 * BLOCK];
    let mut i = BLOCK;
    while i < bytes.len() {
        bytes[i] = 0xFF;
        i += 1;
    }
    bytes
};

/// The last bytes of `src`, which are less than a block, in some places of a block of zeros.
#[inline(always)]
pub(super) fn last_bytes<S: Shuffle>(simd: S, src: &[u8], last: &[u8]) -> S::Block {
    // Where loads have no masks, to clear the bytes before them is faster: code points of 65 bytes in 4.6 ns for 5.4 on AVX2.
    if !S::MASK_REGISTERS
        && let (Some(whole), Some(new)) = (src.last_chunk(), chunk_at!(LAST, last.len()))
    {
        return simd.and(simd.load(whole), simd.load(new));
    }
    simd.load_anywhere(last)
}

/// The number of bytes before the first border of a cache line, none in a text shorter than `long`.
#[inline(always)]
pub(super) fn ahead(src: &[u8], long: usize) -> usize {
    if src.len() >= long { (src.as_ptr() as usize).wrapping_neg() % BLOCK } else { 0 }
}

/// The sum over a few blocks, by bitmaps.
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
        total += P::by_bitmaps(simd, simd.load_anywhere(rest), 0) - P::OF_ZERO * (BLOCK - rest.len());
    }
    total
}

/// The sum over all bytes.
#[inline(always)]
fn count<S: Shuffle, P: PerByte>(simd: S, src: &[u8]) -> usize {
    // To add up counters takes longer than a few bitmaps.
    if src.len() <= if S::MASK_REGISTERS { ROW } else { P::FEW } {
        return count_few::<S, P>(simd, src);
    }
    let (first, rest) = src.split_at_checked(ahead(src, LONG)).unwrap_or((&[], src));
    let (rows, rest) = rest.as_chunks::<ROW>();
    let mut total = 0;
    if S::MASK_REGISTERS && src.len() <= P::BY_BITMAPS {
        for row in rows {
            for block in row.as_chunks::<BLOCK>().0 {
                total += P::by_bitmaps(simd, simd.load(block), 0);
            }
        }
    } else {
        for rows in rows.chunks(const { 255 / 4 / P::MOST }) {
            // Additions to one block would wait for each other.
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
        total += simd.sum(lanes) as usize - P::OF_ZERO * zeros;
    }
    total
}

/// Number of code points in UTF-8: of bytes that are not continuation bytes (`80..BF`).
#[inline(always)]
pub(crate) fn count_code_points<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    count::<S, Start>(simd, src)
}

/// Number of 16-bit code units that UTF-8 becomes: bytes that are not continuation bytes, and once more those of `F0`
/// and above.
#[inline(always)]
pub(crate) fn utf16_len_of_utf8<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    count::<S, Utf16Unit>(simd, src)
}

/// Number of bytes `0A`.
#[inline(always)]
pub(crate) fn count_line_feeds<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    src.len() - count::<S, NotLineFeed>(simd, src)
}

/// Number of bytes that Latin-1 becomes in UTF-8: one for each byte, and one more for each of `80` and above.
#[inline(always)]
pub(crate) fn utf8_len_of_latin1<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    src.len() + count::<S, NonAscii>(simd, src)
}
