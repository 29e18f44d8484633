//! Counts and lengths: sums over bytes or units of a number that depends on the unit and at most on the one before it.
//!
//! # Bytes
//!
//! Each byte has a number, 0 to 2, which is added to a block of byte counters; these are added up before one can
//! overflow. Where a mask is a block of bytes, -1 where it holds, to subtract it is all there is to do. On AVX-512 masks
//! have registers of their own, and to come back from one costs more than the comparison, so there the number comes from
//! a table by the high nibble, or as the minimum of a difference and one; but where one comparison says it all, by its
//! bitmap.
//!
//! The zeros that fill up the last block are counted as zeros, and taken off again.
//!
//! # Units of 16 bits
//!
//! A unit has one byte in UTF-8, one more from 80 and one more from 800, which gives a surrogate three, and a pair of
//! them six instead of four. A pair is where a bitmap of lead surrogates, moved on by a unit, meets one of trail
//! surrogates. Rows without surrogates need no bitmaps; once a row has surrogates, the next rows are not tested. Where
//! masks have registers of their own and nothing but pairs is asked for, the kinds of units stay bytes: those of the
//! units before come by a permutation of this block and the last, and a minimum with one counts the units that are in
//! no pair.
//!
//! All of this works on bytes, two blocks at a time: loaded one byte further on, the high bytes of the second block come
//! to lie between those of the first, so that one blend gathers the high bytes of both, and another the low bytes:
//!
//! ```text
//!  first block at A      l0 H0 l1 H1 l2 H2 ..     second block at B + 1   h0 .. h1 .. h2 ..
//!  high                  h0 H0 h1 H1 h2 H2 ..     from 800: minimum with 8, of which bit 3
//!  low (A - 1, B)        m0 L0 m1 L1 m2 L2 ..     from 80: minimum of high | low & 80 with 1
//! ```
//!
//! # Units of 32 bits
//!
//! A unit is judged by the number of its leading zeros where there are an instruction for that and a table of 32 entries,
//! else by comparisons, after a minimum with 7FFF FFFF, so that signed comparisons will do.
//!
//! # Tried and slower
//!
//! 2026-11-21, AMD EPYC of family 25 (Zen 4), 7 KB of Arabic in the nearest cache, AVX-512, nanoseconds. Code points:
//! by bitmaps and population counts in scalar registers 56, by masked sums, which LLVM takes apart into a mask made a
//! block again and a difference, 65, by the table 53. Length in UTF-16: two bitmaps 111, the table 53. Length of UTF-16
//! in UTF-8: three bitmaps for each block 165, two blocks by their bytes 119; and in emoji, gigabytes per second, pairs
//! from a second load of the units before 43, by bitmaps in rows that have them 50, and in the rows after those too 58;
//! pairs alone, in L2, by bitmaps 74, by bytes 101, and that for all rows at once 98, where text without surrogates has
//! 115. Minima with a 1 that LLVM knows become comparisons: 64 instead of 50.
//!
//! 2026-11-24, Intel Xeon, AVX-512, 80 KB in L2: code points by the table 127 GB/s, by bitmaps 171; line feeds by a minimum of a
//! difference and one 132, by bitmaps 153; bytes beyond ASCII by bitmaps 152, as bits moved to the bottom 157.

use super::wide::{
    LONG, Order, ROW, Window, any_surrogate, first_step, high_bytes, interleave, is_open, part, turn16,
    units_before,
};
use crate::ground::chunk::chunk_at;
use crate::ground::unit::Le;
use crate::simd::{BLOCK, Shuffle, bytes_of};

/// One in each byte, as a number that the compiler does not know: a minimum with one that it knows it turns into a
/// comparison, which costs twice as much where masks have registers of their own.
#[inline(always)]
fn opaque_one<S: Shuffle>(simd: S) -> S::Block {
    simd.splat(if S::MASK_REGISTERS { core::hint::black_box(1) } else { 1 })
}

/// A number for each byte.
trait PerByte {
    /// The highest.
    const MOST: usize;
    /// That of zero.
    const OF_ZERO: usize;
    /// Adds the numbers of a block to counters of bytes.
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block;
}

/// Marks of bytes, by one comparison; zeros are marked.
trait Mark {
    /// Where they are.
    fn at<S: Shuffle>(simd: S, block: S::Block) -> S::Mask;
}

/// One for each marked byte.
impl<M: Mark> PerByte for M {
    const MOST: usize = 1;
    const OF_ZERO: usize = 1;

    #[inline(always)]
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block {
        simd.add_one(lanes, M::at(simd, block))
    }
}

/// Bytes that do not continue a sequence, that is, are not `80..BF`.
struct Start;

impl Mark for Start {
    #[inline(always)]
    fn at<S: Shuffle>(simd: S, block: S::Block) -> S::Mask {
        // With bit 7 inverted, continuation bytes are the lowest. Levels that compare signed numbers do it without.
        simd.ge(simd.xor(block, simd.splat(0x80)), simd.splat(0x40))
    }
}

/// Bytes that are no line feeds.
struct NotLineFeed;

impl Mark for NotLineFeed {
    #[inline(always)]
    fn at<S: Shuffle>(simd: S, block: S::Block) -> S::Mask {
        simd.not(simd.eq(block, simd.splat(b'\n')))
    }
}

// Where masks have registers of their own, to come from one to a block costs more than to make a number without it, so the next
// have two ways.

/// One for bytes that do not continue a sequence, and one more for those that begin a sequence of four, `F0` and above.
struct Utf16Unit;

impl PerByte for Utf16Unit {
    const MOST: usize = 2;
    const OF_ZERO: usize = 1;

    #[inline(always)]
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block {
        if S::MASK_REGISTERS {
            let table = simd.high_table(&[1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 2]);
            return simd.add(lanes, simd.lookup_high(table, block));
        }
        simd.add_one(Start::add(simd, lanes, block), simd.ge(block, simd.splat(0xF0)))
    }
}

/// One for bytes beyond ASCII.
struct NonAscii;

impl PerByte for NonAscii {
    const MOST: usize = 1;
    const OF_ZERO: usize = 0;

    #[inline(always)]
    fn add<S: Shuffle>(simd: S, lanes: S::Block, block: S::Block) -> S::Block {
        if S::MASK_REGISTERS {
            return simd.add(lanes, simd.move_bits::<7, 1, 0>(block));
        }
        simd.add_one(lanes, simd.high_bit(block))
    }
}

/// Zeros, and from each place on, so many ones at the end of a block.
static LAST: [u8; 2 * BLOCK] = {
    let mut bytes = [0; 2 * BLOCK];
    let mut i = BLOCK;
    while i < bytes.len() {
        bytes[i] = 0xFF;
        i += 1;
    }
    bytes
};

/// The bytes before the first border of a cache line, none in a text that is not long, and the others.
#[inline(always)]
fn split_at_border(src: &[u8]) -> (&[u8], &[u8]) {
    let ahead = if src.len() >= LONG { (src.as_ptr() as usize).wrapping_neg() % BLOCK } else { 0 };
    src.split_at_checked(ahead).unwrap_or((&[], src))
}

/// The sum over all bytes.
#[inline(always)]
fn count<S: Shuffle, P: PerByte>(simd: S, src: &[u8]) -> usize {
    let zero = simd.splat(0);
    let mut total = 0;
    let (first, rest) = split_at_border(src);
    if !first.is_empty() {
        total += simd.sum(P::add(simd, zero, simd.load_partial(first))) as usize;
        total -= P::OF_ZERO * (BLOCK - first.len());
    }
    let (rows, rest) = rest.as_chunks::<ROW>();
    for rows in rows.chunks(const { 255 / 4 / P::MOST }) {
        let mut lanes = zero;
        for row in rows {
            for block in row.as_chunks::<BLOCK>().0 {
                lanes = P::add(simd, lanes, simd.load(block));
            }
        }
        total += simd.sum(lanes) as usize;
    }
    let (blocks, rest) = rest.as_chunks::<BLOCK>();
    let mut lanes = zero;
    for block in blocks {
        lanes = P::add(simd, lanes, simd.load(block));
    }
    // Where loads have no masks, the last block reaches back, and the bytes that were counted already are taken off: of 65
    // bytes in 4.6 ns for 5.4 on AVX2.
    if !S::MASK_REGISTERS
        && !rest.is_empty()
        && let (Some(last), Some(new)) = (src.last_chunk(), chunk_at!(LAST, rest.len()))
    {
        let numbers = P::add(simd, zero, simd.load(last));
        total += simd.sum(simd.add(lanes, simd.and(numbers, simd.load(new)))) as usize;
    } else if !rest.is_empty() {
        lanes = P::add(simd, lanes, simd.load_partial(rest));
        total += simd.sum(lanes) as usize - P::OF_ZERO * (BLOCK - rest.len());
    } else if !blocks.is_empty() {
        total += simd.sum(lanes) as usize;
    }
    total
}

/// The number of marked bytes, by bitmaps where masks have registers of their own.
#[inline(always)]
fn count_marks<S: Shuffle, M: Mark>(simd: S, src: &[u8]) -> usize {
    if !S::MASK_REGISTERS {
        return count::<S, M>(simd, src);
    }
    let of = |block| simd.bits(M::at(simd, block)).count_ones() as usize;
    let of_partial = |src: &[u8]| of(simd.load_partial(src)) - (BLOCK - src.len());
    let (first, rest) = split_at_border(src);
    let mut total = if first.is_empty() { 0 } else { of_partial(first) };
    let (rows, rest) = rest.as_chunks::<ROW>();
    for row in rows {
        for block in row.as_chunks::<BLOCK>().0 {
            total += of(simd.load(block));
        }
    }
    let (blocks, rest) = rest.as_chunks::<BLOCK>();
    for block in blocks {
        total += of(simd.load(block));
    }
    if !rest.is_empty() {
        total += of_partial(rest);
    }
    total
}

/// Number of code points in UTF-8: of bytes that are not continuation bytes (`80..BF`).
#[inline(always)]
pub(crate) fn count_code_points<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    count_marks::<S, Start>(simd, src)
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
    src.len() - count_marks::<S, NotLineFeed>(simd, src)
}

/// Number of bytes that Latin-1 becomes in UTF-8: one for each byte, and one more for each of `80` and above.
#[inline(always)]
pub(crate) fn utf8_len_of_latin1<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    src.len() + count::<S, NonAscii>(simd, src)
}

/// Adds one to each 32-bit lane where the mask holds.
#[inline(always)]
fn add_one32<S: Shuffle>(simd: S, lanes: S::Block, mask: S::Mask32) -> S::Block {
    // Where masks are bytes, this subtracts the mask.
    simd.sub32(lanes, simd.keep32(mask, simd.splat(0xFF)))
}

/// Sum of all 16-bit lanes.
#[inline(always)]
fn sum16<S: Shuffle>(simd: S, lanes: S::Block) -> usize {
    let low = simd.sum(simd.and(lanes, simd.splat16(0x00FF)));
    let high = simd.sum(simd.shr16::<8>(lanes));
    low as usize + ((high as usize) << 8)
}

/// The sums over the units of UTF-16.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Units from 80 and units from 800, if they are asked for.
    more: usize,
    /// Pairs of surrogates.
    pairs: usize,
}

impl Sums {
    /// Adds a block, with the units one before it, and of both only the units that `which` has ones for.
    #[inline(always)]
    fn add<S: Shuffle, const MORE: bool>(&mut self, simd: S, block: S::Block, before: S::Block, which: u32) {
        if MORE {
            let two = simd.bits16(simd.ge16(block, simd.splat16(0x80))) & which;
            let three = simd.bits16(simd.ge16(block, simd.splat16(0x800))) & which;
            self.more += (two.count_ones() + three.count_ones()) as usize;
            // Most texts have none, and not to look for pairs is a third of the work.
            let surrogate = simd.eq16(simd.and(block, simd.splat16(0xF800)), simd.splat16(0xD800));
            if simd.bits16(surrogate) == 0 {
                return;
            }
        }
        let lead = simd.xor(before, simd.splat16(0xD800));
        let trail = simd.xor(block, simd.splat16(0xDC00));
        let other = simd.and(simd.or(lead, trail), simd.splat16(0xFC00));
        let pairs = simd.bits16(simd.eq16(other, simd.splat(0))) & which;
        self.pairs += pairs.count_ones() as usize;
    }
}

/// Rows of 16-bit units in one sum: a row adds up to 2 * 8 to a byte, which can count no more rows.
const ROWS16: usize = 15;
/// The low bytes of the units in a row, each in the place of its high byte.
#[inline(always)]
fn low_bytes<S: Shuffle, O: Order>(simd: S, window: &Window) -> [S::Block; 2] {
    if O::SWAP {
        return [
            interleave(simd, simd.load(part::<66, _>(window)), simd.load(part::<3, _>(window))),
            interleave(simd, simd.load(part::<194, _>(window)), simd.load(part::<131, _>(window))),
        ];
    }
    [
        interleave(simd, simd.load(part::<1, _>(window)), simd.load(part::<66, _>(window))),
        interleave(simd, simd.load(part::<129, _>(window)), simd.load(part::<194, _>(window))),
    ]
}

/// Zero for the high bytes of trail surrogates, four for those of lead surrogates, more for others.
#[inline(always)]
fn kinds<S: Shuffle>(simd: S, high: S::Block) -> S::Block {
    simd.and(simd.xor(high, simd.splat(0xDC)), simd.splat(0xFC))
}

/// Whether there are surrogates in a row of which these are the high bytes.
#[inline(always)]
fn has_surrogates<S: Shuffle>(simd: S, high: [S::Block; 2]) -> bool {
    let first = simd.or(simd.xor(high[0], simd.splat(0xD8)), simd.splat(7));
    let second = simd.or(simd.xor(high[1], simd.splat(0xD8)), simd.splat(7));
    any_surrogate(simd, simd.min(first, second))
}

/// Number of pairs that end in a row of which these are the high bytes. `open` is whether a lead surrogate is before it,
/// and then, whether it ends in one.
#[inline(always)]
fn pairs<S: Shuffle, O: Order>(simd: S, high: [S::Block; 2], open: &mut bool) -> usize {
    let mut pairs = 0;
    for high in high {
        let kind = simd.and(high, simd.splat(0xFC));
        let leads = simd.bits(simd.eq(kind, simd.splat(0xD8)));
        let trails = simd.bits(simd.eq(kind, simd.splat(0xDC)));
        // The first block has the odd bits, or the even ones in the other order, and after its last one comes the first of
        // the second block.
        let (first, second) = if O::SWAP { (0, 1) } else { (1, 0) };
        let after_leads = leads << 2 | (leads >> (62 + first) & 1) << second | u64::from(*open) << first;
        *open = leads >> (62 + second) & 1 != 0;
        pairs += (after_leads & trails).count_ones() as usize;
    }
    pairs
}

/// Whether there is a lead surrogate right before the row.
#[inline(always)]
fn is_open_before<O: Order>(window: &Window) -> bool {
    is_open::<O>(window, 2)
}

impl Sums {
    /// Adds the rows from `at` on. Returns where they end.
    #[inline(always)]
    fn add_rows<S: Shuffle, O: Order>(&mut self, simd: S, src: &[u8], mut at: usize) -> usize {
        let (one, eight) = (opaque_one(simd), simd.splat(8));
        loop {
            let start = at;
            // Ones for units from 80, eights for units from 800.
            let (mut two, mut three) = (simd.splat(0), simd.splat(0));
            // Where a row has surrogates, so may the next ones: then this is not asked again for a while.
            let mut surrogates = false;
            for _ in 0..ROWS16 {
                let Some(window) = chunk_at!(src, at - 2) else { break };
                let (high, low) = (high_bytes::<S, O>(simd, window), low_bytes::<S, O>(simd, window));
                for i in 0..2 {
                    let from_80 = simd.or(high[i], simd.and(low[i], simd.splat(0x80)));
                    two = simd.add(two, simd.min(from_80, one));
                    three = simd.add(three, simd.and(simd.min(high[i], eight), eight));
                }
                surrogates = surrogates || has_surrogates(simd, high);
                if surrogates {
                    self.pairs += pairs::<S, O>(simd, high, &mut is_open_before::<O>(window));
                }
                at += ROW;
            }
            if at == start {
                return at;
            }
            self.more += (simd.sum(two) + simd.sum(three) / 8) as usize;
        }
    }

    /// Adds the pairs of the rows from `at` on, where nothing but pairs is asked for. Returns where the rows end.
    #[inline(always)]
    fn add_pairs_of_rows<S: Shuffle, O: Order>(&mut self, simd: S, src: &[u8], mut at: usize) -> usize {
        loop {
            while let Some(window) = chunk_at!(src, at - 2) {
                if has_surrogates(simd, high_bytes::<S, O>(simd, window)) {
                    break;
                }
                at += ROW;
            }
            let end = if S::MASK_REGISTERS {
                self.add_pairs_by_bytes::<S, O>(simd, src, at)
            } else {
                self.add_pairs_by_bitmaps::<S, O>(simd, src, at)
            };
            if at == end {
                return at;
            }
            at = end;
        }
    }

    /// Adds the pairs of some rows from `at` on by bitmaps. Returns where they end.
    #[inline(always)]
    fn add_pairs_by_bitmaps<S: Shuffle, O: Order>(&mut self, simd: S, src: &[u8], mut at: usize) -> usize {
        for _ in 0..ROWS16 {
            let Some(window) = chunk_at!(src, at - 2) else { break };
            let high = high_bytes::<S, O>(simd, window);
            self.pairs += pairs::<S, O>(simd, high, &mut is_open_before::<O>(window));
            at += ROW;
        }
        at
    }

    /// Adds the pairs of some rows from `at` on, for levels on which it takes long to get bitmaps. Returns where they end.
    #[inline(always)]
    fn add_pairs_by_bytes<S: Shuffle, O: Order>(&mut self, simd: S, src: &[u8], mut at: usize) -> usize {
        let start = at;
        let (one, four) = (opaque_one(simd), simd.splat(4));
        let before = simd.load(const { &units_before::<O>() });
        // Zero for trail surrogates, four for lead surrogates.
        let high_byte = if O::SWAP { at - 2 } else { at - 1 };
        let mut last = kinds(simd, simd.splat(src.get(high_byte).copied().unwrap_or_default()));
        let mut others = simd.splat(0);
        // As many rows as can be counted in bytes.
        for _ in 0..127 {
            let Some(window) = chunk_at!(src, at - 2) else { break };
            for high in high_bytes::<S, O>(simd, window) {
                let kinds = kinds(simd, high);
                let kinds_before = simd.lookup128(simd.table128_of(kinds, last), before);
                let other = simd.or(simd.xor(kinds_before, four), kinds);
                others = simd.add(others, simd.min(other, one));
                last = kinds;
            }
            at += ROW;
        }
        self.pairs += (at - start) / 2 - simd.sum(others) as usize;
        at
    }
}

/// The sums over a text of UTF-16 of whole units.
#[inline(always)]
fn count16<S: Shuffle, O: Order, const MORE: bool>(simd: S, src: &[u8]) -> Sums {
    let mut sums = Sums::default();
    let Some(first) = src.first_chunk() else {
        let block = turn16::<S, O, Le>(simd, simd.load_partial(src));
        sums.add::<S, MORE>(simd, block, simd.after_zeros::<2>(block), u32::MAX);
        return sums;
    };
    let first = turn16::<S, O, Le>(simd, simd.load(first));
    // From here on every unit has one before it.
    let mut at = first_step(src);
    let ahead = u32::MAX >> ((BLOCK - at) / 2);
    sums.add::<S, MORE>(simd, first, simd.after_zeros::<2>(first), ahead);

    // The constants of the rows take longer to load than short texts to go through.
    if src.len() - at >= ROW {
        at = if MORE {
            sums.add_rows::<S, O>(simd, src, at)
        } else {
            sums.add_pairs_of_rows::<S, O>(simd, src, at)
        };
    }
    while let Some(window) = chunk_at!(src, at - 2, BLOCK + 2) {
        let before = turn16::<S, O, Le>(simd, simd.load(part::<0, _>(window)));
        let block = turn16::<S, O, Le>(simd, simd.load(part::<2, _>(window)));
        sums.add::<S, MORE>(simd, block, before, u32::MAX);
        at += BLOCK;
    }
    if at < src.len() {
        // The last block and the units before it, of which only those not counted yet are counted.
        let new = (src.len() - at) / 2;
        if let Some(window) = src.last_chunk::<{ BLOCK + 2 }>() {
            let before = turn16::<S, O, Le>(simd, simd.load(part::<0, _>(window)));
            let block = turn16::<S, O, Le>(simd, simd.load(part::<2, _>(window)));
            sums.add::<S, MORE>(simd, block, before, !(u32::MAX >> new));
        }
    }
    sums
}

/// Number of code points in UTF-16: a surrogate pair counts once, and so does a surrogate that is not in a pair.
#[inline(always)]
pub(crate) fn count_code_points_of_utf16<S: Shuffle>(simd: S, src: &[u16]) -> usize {
    src.len() - count16::<S, Le, false>(simd, bytes_of(src)).pairs
}

/// Number of bytes that UTF-16 becomes in UTF-8. A lone surrogate counts three, its bytes in WTF-8 and
/// those of U+FFFD.
#[inline(always)]
pub(crate) fn utf8_len_of_utf16<S: Shuffle, O: Order>(simd: S, src: &[u8]) -> usize {
    let src = src.get(..src.len() & !1).unwrap_or_default();
    let sums = count16::<S, O, true>(simd, src);
    src.len() / 2 + sums.more - 2 * sums.pairs
}

/// A number for each unit of 32 bits, less than 4, which is 0 for zero.
trait PerUnit {
    fn of<S: Shuffle>(simd: S, block: S::Block) -> S::Block;
}

/// Bytes in UTF-8, but one.
struct MoreUtf8;
/// Units in UTF-16, but one.
struct MoreUtf16;

impl PerUnit for MoreUtf8 {
    #[inline(always)]
    fn of<S: Shuffle>(simd: S, block: S::Block) -> S::Block {
        // Signed comparisons and tables do not know numbers from 8000 0000 up.
        let block = simd.min32(block, simd.splat32(0x7FFF_FFFF));
        if S::MASK_REGISTERS {
            return simd.by_utf8_len(block, [0, 1, 2, 3]);
        }
        let mut number = simd.splat(0);
        for border in [0x80, 0x800, 0x1_0000] {
            number = add_one32(simd, number, simd.ge32(block, simd.splat32(border)));
        }
        number
    }
}

impl PerUnit for MoreUtf16 {
    #[inline(always)]
    fn of<S: Shuffle>(simd: S, block: S::Block) -> S::Block {
        simd.min32(simd.shr32::<16>(block), simd.splat32(1))
    }
}

/// The sum over all units.
#[inline(always)]
fn count32<S: Shuffle, P: PerUnit>(simd: S, src: &[u8]) -> usize {
    let mut total = 0;
    let (rows, rest) = src.as_chunks::<ROW>();
    // Rounds before a counter of 16 bits can overflow.
    for rows in rows.chunks(0xFFFF / 4 / 3) {
        let mut lanes = simd.splat(0);
        for row in rows {
            for block in row.as_chunks::<BLOCK>().0 {
                lanes = simd.add32(lanes, P::of(simd, simd.load(block)));
            }
        }
        total += sum16(simd, lanes);
    }
    let (blocks, rest) = rest.as_chunks::<BLOCK>();
    let mut lanes = P::of(simd, simd.load_partial(rest));
    for block in blocks {
        lanes = simd.add32(lanes, P::of(simd, simd.load(block)));
    }
    total + simd.sum(lanes) as usize
}

/// Number of bytes that UTF-32 becomes in UTF-8. A number that is not a scalar value counts by its magnitude: a
/// surrogate three, one beyond U+10FFFF four.
#[inline(always)]
pub(crate) fn utf8_len_of_utf32<S: Shuffle>(simd: S, src: &[u32]) -> usize {
    src.len() + count32::<S, MoreUtf8>(simd, bytes_of(src))
}

/// Number of units that UTF-32 becomes in UTF-16: two above U+FFFF, else one.
#[inline(always)]
pub(crate) fn utf16_len_of_utf32<S: Shuffle>(simd: S, src: &[u32]) -> usize {
    src.len() + count32::<S, MoreUtf16>(simd, bytes_of(src))
}

#[cfg(test)]
mod tests {
    use super::super::portable::samples::{MIXED, Numbers};
    use super::*;
    use crate::ground::unit::Be;
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::simd::model::Model;

    /// The levels that this machine has.
    fn levels() -> impl Iterator<Item = Kernels> {
        Isa::available().filter_map(Kernels::of)
    }

    fn check_bytes(src: &[u8]) {
        let count = |test: fn(u8) -> bool| src.iter().filter(|byte| test(**byte)).count();
        let starts = count(|byte| byte & 0xC0 != 0x80);
        let expected = [
            starts,
            starts + count(|byte| byte >= 0xF0),
            count(|byte| byte == 0x0A),
            src.len() + count(|byte| byte > 0x7F),
        ];
        for kernels in levels() {
            let counts = [
                kernels.count_code_points(src),
                kernels.utf16_len_of_utf8(src),
                kernels.count_line_feeds(src),
                kernels.utf8_len_of_latin1(src),
            ];
            assert_eq!(counts, expected, "{:?}, {} bytes", kernels.isa(), src.len());
        }
        let counts = [
            count_code_points(Model, src),
            utf16_len_of_utf8(Model, src),
            count_line_feeds(Model, src),
            utf8_len_of_latin1(Model, src),
        ];
        assert_eq!(counts, expected, "{} bytes", src.len());
    }

    fn check16(src: &[u16]) {
        let decoded = || char::decode_utf16(src.iter().copied());
        let expected = [decoded().count(), decoded().map(|c| c.map_or(3, char::len_utf8)).sum()];
        // Half a unit at the end does not count.
        let little: Vec<u8> = src.iter().flat_map(|unit| unit.to_le_bytes()).chain([0xFF]).collect();
        let big: Vec<u8> = src.iter().flat_map(|unit| unit.to_be_bytes()).chain([0xFF]).collect();
        for kernels in levels() {
            let counts = [kernels.count_code_points_of_utf16(src), kernels.utf8_len_of_utf16le(&little)];
            assert_eq!(counts, expected, "{:?}: {src:04x?}", kernels.isa());
            assert_eq!(kernels.utf8_len_of_utf16be(&big), expected[1], "{:?}: {src:04x?}", kernels.isa());
        }
        assert_eq!(utf8_len_of_utf16::<_, Le>(Model, &little), expected[1]);
        assert_eq!(utf8_len_of_utf16::<_, Be>(Model, &big), expected[1]);
        // This takes machine integers, and the lanes of the vector layer are little-endian.
        if cfg!(target_endian = "little") {
            assert_eq!(count_code_points_of_utf16(Model, src), expected[0]);
        }
    }

    fn check32(src: &[u32]) {
        let utf8 = src.iter().map(|&c| match c {
            0..=0x7F => 1,
            0x80..=0x7FF => 2,
            0x800..=0xFFFF => 3,
            _ => 4,
        });
        let expected = [utf8.sum(), src.iter().map(|&c| 1 + usize::from(c > 0xFFFF)).sum()];
        for kernels in levels() {
            let counts = [kernels.utf8_len_of_utf32(src), kernels.utf16_len_of_utf32(src)];
            assert_eq!(counts, expected, "{:?}: {src:04x?}", kernels.isa());
        }
        if cfg!(target_endian = "little") {
            assert_eq!([utf8_len_of_utf32(Model, src), utf16_len_of_utf32(Model, src)], expected);
        }
    }

    /// Lengths of no block, of some, and around where the counters of bytes are full.
    fn lengths(max: usize) -> impl Iterator<Item = usize> {
        (0..=300)
            .chain((301..2000).step_by(37))
            .chain([16_127, 16_128, 16_129, 33_000])
            .filter(move |len| *len <= max)
    }

    #[test]
    fn bytes_of_any_kind_and_number_at_any_address() {
        let mut numbers = Numbers::new(17);
        let random: Vec<u8> = (0..33_000).map(|_| numbers.below(256).to_le_bytes()[0]).collect();
        let mixed = MIXED.repeat(50).into_bytes();
        for bytes in
            [vec![0xFF; 33_000], vec![0x80; 33_000], vec![b'\n'; 33_000], vec![0; 700], random, mixed]
        {
            for len in lengths(bytes.len()) {
                check_bytes(&bytes[..len]);
                check_bytes(&bytes[len % 64..len.max(len % 64)]);
            }
        }
    }

    #[test]
    fn units_of_any_kind_and_number_at_any_address() {
        let mut numbers = Numbers::new(4);
        let borders = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
        let random: Vec<u16> = (0..2100).map(|_| borders[numbers.below(borders.len())]).collect();
        let mixed: Vec<u16> = MIXED.repeat(4).encode_utf16().collect();
        let pairs = [0xD800, 0xDC00].repeat(300);
        for units in [random, mixed, pairs, vec![0xFFFF; 600], vec![0xD800; 600], vec![0xDC00; 600]] {
            for len in lengths(units.len()) {
                check16(&units[..len]);
                check16(&units[len % 33..len.max(len % 33)]);
            }
        }
        let borders = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD800, 0xFFFF, 0x1_0000, 0x10_FFFF, 0x11_0000, u32::MAX];
        let random: Vec<u32> = (0..2100).map(|_| borders[numbers.below(borders.len())]).collect();
        for units in [random, vec![u32::MAX; 600]] {
            for len in lengths(units.len()) {
                check32(&units[..len]);
            }
        }
    }

    #[test]
    fn no_counter_overflows() {
        // The model is slow, and has the same counters.
        let (bytes, units16, units32) =
            (vec![0xFF; 2_000_000], vec![0xFFFF_u16; 2_000_000], vec![u32::MAX; 1_500_000]);
        for kernels in levels() {
            assert_eq!(kernels.utf16_len_of_utf8(&bytes), 4_000_000);
            assert_eq!(kernels.utf8_len_of_utf16le(bytes_of(&units16)), 6_000_000);
            assert_eq!(kernels.utf8_len_of_utf32(&units32), 6_000_000);
        }
        let pairs = [0xD800, 0xDC00].repeat(1_000_000);
        let pairs_big = [0xD8, 0x00, 0xDC, 0x00].repeat(1_000_000);
        for kernels in levels() {
            assert_eq!(kernels.count_code_points_of_utf16(&pairs), 1_000_000);
            assert_eq!(kernels.utf8_len_of_utf16be(&pairs_big), 4_000_000);
        }
    }
}
