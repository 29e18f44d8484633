//! Counts and lengths of UTF-16.
//!
//! A code unit has one byte in UTF-8, one more from 0x80 up and one more from 0x800 up, which gives
//! a surrogate three bytes, and a pair six instead of four. Two blocks of units become one of
//! bytes, each the unit divided by 0x80, at most 0x7F; after adding 0x70, the highest bit means
//! that the quotient is at least sixteen, and the low four bits whether it is zero, so one shuffle
//! yields three minus the length of the unit.
//!
//! Rows whose highest unit is below D800 have no surrogates. From a row with surrogates on, for
//! eight rows, the high bytes of two blocks are combined, one block shifted by a byte. A pair is
//! where the bitmap of high surrogates, shifted by one unit, meets the bitmap of low surrogates.
//! With mask registers, the kinds of units stay bytes: a permutation yields the kinds of the units
//! before, and a minimum with one counts the units that end no pair.
//!
//! ```text
//!  first block, from its second byte on    H0 l1 H1 l2 H2 ..     second block    .. h0 .. h1 .. h2
//!  high                                    H0 h0 H1 h1 H2 ..
//! ```
//!
//! Measurements, and what was slower: `lab/count.md`.

use super::bytes::{LAST, ahead, last_bytes};
use crate::ground::chunk::chunk_at;
use crate::ground::unit::Le;
use crate::kernels::wide::{
    Order, PAIR_BYTES, ROW_BYTES, after_calm_rows, any_from_d800, any_surrogate, blocks_of_row, bytes_before,
    distance, has_surrogates, high_bytes, is_open, load_high_bytes, part, splat16, turn16, turned,
};
use crate::simd::{Apart, BLOCK, Shuffle, bytes_of};
use core::marker::PhantomData;

/// Ones in each byte, from a number that the compiler cannot see: LLVM turns a minimum with a known
/// one into a comparison, which costs twice as much with mask registers.
#[inline(always)]
fn opaque_one<S: Shuffle>(simd: S) -> S::Block {
    simd.splat(if S::MASK_REGISTERS { core::hint::black_box(1) } else { 1 })
}

/// Sums over the code units of UTF-16.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// UTF-8 bytes of the units beyond the first byte of each, if requested; a surrogate has three
    /// bytes.
    more: usize,
    /// Number of surrogate pairs.
    pairs: usize,
}

/// From this many bytes of UTF-16 on, aligning loads to cache lines pays off.
const MIN_ALIGNED_BYTES: usize = 4096;
/// Bytes of UTF-16 in a run, whose sums fit into byte counters.
const RUN_BYTES: usize = 60 * ROW_BYTES;
/// Number of rows, from the first with surrogates on, in which pairs are counted without testing
/// for surrogates.
const PAIR_ROWS: usize = 8;

/// Byte counters of three minus the UTF-8 length of each unit, where a surrogate has three bytes.
struct ShortOfThree<S: Shuffle>(S::Block);

impl<S: Shuffle> ShortOfThree<S> {
    /// Adds the units of two blocks. Returns them in little-endian order.
    #[inline(always)]
    fn add<O: Order>(&mut self, simd: S, a: S::Block, b: S::Block) -> [S::Block; 2] {
        let (a, b) = (turn16::<S, O, Le>(simd, a), turn16::<S, O, Le>(simd, b));
        self.0 = simd.add(self.0, simd.short_of_three(a, b));
        [a, b]
    }

    /// Adds the units of a row. Returns them in little-endian order.
    #[inline(always)]
    fn add_row<O: Order>(&mut self, simd: S, [a, b, c, d]: [S::Block; 4]) -> [S::Block; 4] {
        let ([a, b], [c, d]) = (self.add::<O>(simd, a, b), self.add::<O>(simd, c, d));
        [a, b, c, d]
    }

    /// Adds the rest of `src` after whole rows. Returns the highest units.
    #[inline(always)]
    fn add_rest<O: Order>(&mut self, simd: S, src: &[u8], rest: &[u8]) -> S::Block {
        let mut highest_units = simd.splat(0);
        let (twos, rest) = rest.as_chunks::<PAIR_BYTES>();
        for two in twos {
            let (a, b) = (simd.load(part::<0, _>(two)), simd.load(part::<BLOCK, _>(two)));
            let [a, b] = self.add::<O>(simd, a, b);
            highest_units = simd.max16(highest_units, simd.max16(a, b));
        }
        if rest.is_empty() {
            return highest_units;
        }
        let (a, b) = match rest.split_first_chunk() {
            Some((first, [])) => (simd.load(first), simd.splat(0)),
            Some((first, rest)) => (simd.load(first), last_bytes(simd, src, rest)),
            None => (last_bytes(simd, src, rest), simd.splat(0)),
        };
        let [a, b] = self.add::<O>(simd, a, b);
        simd.max16(highest_units, simd.max16(a, b))
    }
}

/// The lane-wise maximum of the units of a row.
#[inline(always)]
fn highest<S: Shuffle>(simd: S, [a, b, c, d]: [S::Block; 4]) -> S::Block {
    simd.max16(simd.max16(a, b), simd.max16(c, d))
}

/// Whether the rest of `src` after whole rows has surrogates.
#[inline(always)]
fn rest_has_surrogates<S: Shuffle, O: Order>(simd: S, src: &[u8], rest: &[u8]) -> bool {
    let mut min = simd.splat(0xFF);
    let (blocks, end) = rest.as_chunks();
    for block in blocks {
        min = simd.min(min, distance::<S, O>(simd, simd.load(block)));
    }
    if !end.is_empty() {
        min = simd.min(min, distance::<S, O>(simd, last_bytes(simd, src, end)));
    }
    any_surrogate(simd, min)
}

/// Counts surrogate pairs, given the high bytes of two blocks at a time.
struct Pairs<S: Shuffle> {
    /// With mask registers: the [`kinds`] of the last two blocks, [`turned`].
    last: S::Block,
    /// With mask registers: counters of the units that end no pair, and the number of all units.
    others: S::Block,
    units: usize,
    one: S::Block,
    /// Without mask registers: whether a high surrogate comes right before, and the number of
    /// pairs.
    open: bool,
    pairs: usize,
}

/// Returns zero for the high bytes of low surrogates, four for those of high surrogates, more for
/// others.
#[inline(always)]
fn kinds<S: Shuffle>(simd: S, high: S::Block) -> S::Block {
    simd.and(simd.xor(high, simd.splat(0xDC)), simd.splat(0xFC))
}

impl<S: Shuffle> Pairs<S> {
    #[inline(always)]
    fn new(simd: S) -> Self {
        let zero = simd.splat(0);
        Self { last: zero, others: zero, units: 0, one: opaque_one(simd), open: false, pairs: 0 }
    }

    /// Sets whether a high surrogate comes right before the next unit.
    #[inline(always)]
    fn set_open(&mut self, simd: S, open: bool) {
        self.open = open;
        self.last = simd.splat(if open { 4 } else { 8 });
    }

    /// Counts the pairs that end in a row.
    #[inline(always)]
    fn add_row<O: Order>(&mut self, simd: S, row: &[u8; ROW_BYTES]) {
        for two in row.as_chunks().0 {
            self.add(simd, load_high_bytes::<S, O>(simd, two));
        }
    }

    /// Counts the pairs that end in the rest after whole rows.
    #[inline(always)]
    fn add_rest<O: Order>(&mut self, simd: S, rest: &[u8]) {
        let (twos, rest) = rest.as_chunks::<PAIR_BYTES>();
        for two in twos {
            self.add(simd, load_high_bytes::<S, O>(simd, two));
        }
        // Returns early, because a masked load with an empty mask from an unmapped address takes a
        // long time.
        let (a, b) = match rest.split_first_chunk() {
            Some((first, [])) => (simd.load(first), simd.splat(0)),
            Some((first, second)) => (simd.load(first), simd.load_partial(second)),
            None if rest.is_empty() => return,
            None => (simd.load_partial(rest), simd.splat(0)),
        };
        self.add(simd, high_bytes::<S, O>(simd, a, b));
    }

    /// Counts the pairs that end in two blocks with these [`high_bytes`]; may be called at most 255
    /// times.
    #[inline(always)]
    fn add(&mut self, simd: S, high: S::Block) {
        if S::MASK_REGISTERS {
            let kinds = kinds(simd, high);
            let turned = turned(simd, kinds);
            let other = simd.or(simd.xor(bytes_before(simd, turned, self.last), simd.splat(4)), kinds);
            self.others = simd.add(self.others, simd.min(other, self.one));
            self.last = turned;
            self.units += BLOCK;
            return;
        }
        let kind = simd.and(high, simd.splat(0xFC));
        let leads = simd.bits(simd.eq(kind, simd.splat(0xD8)));
        let trails = simd.bits(simd.eq(kind, simd.splat(0xDC)));
        // The unit before the first of the second block is the last of the first block.
        let after_leads = leads << 2 | (leads >> 62 & 1) << 1 | u64::from(self.open);
        self.open = leads >> 63 != 0;
        self.pairs += (after_leads & trails).count_ones() as usize;
    }

    #[inline(always)]
    fn count(self, simd: S) -> usize {
        if S::MASK_REGISTERS { self.units - simd.sum(self.others) as usize } else { self.pairs }
    }
}

/// Counts the surrogate pairs of a text that does not continue a pair and has at most a run and one
/// unit; a function of its own, since most texts have no surrogates.
struct PairsOfFew<O>(PhantomData<O>);

impl<O: Order> Apart for PairsOfFew<O> {
    type Element = u8;
    type Moved = usize;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], _: &mut [u8]) -> usize {
        let mut pairs = Pairs::new(simd);
        pairs.set_open(simd, false);
        pairs.add_rest::<O>(simd, src);
        pairs.count(simd)
    }
}

/// Sums over a few blocks.
#[inline(always)]
fn count16_few<S: Shuffle, O: Order, const MORE: bool>(simd: S, src: &[u8]) -> Sums {
    let FewUnits { more, min } = if !MORE || S::MASK_REGISTERS || src.len() <= BLOCK {
        by_bitmaps16::<S, O, MORE>(simd, src)
    } else if src.len() <= PAIR_BYTES {
        by_counters16::<S, O, 1>(simd, src)
    } else {
        by_counters16::<S, O, 2>(simd, src)
    };
    let pairs = if !any_surrogate(simd, min) {
        0
    } else if S::MASK_REGISTERS {
        // Inlined, because a call takes a tenth of the time of a short text.
        PairsOfFew::<O>::run(simd, src, &mut [])
    } else {
        simd.apart::<PairsOfFew<O>>(src, &mut [])
    };
    Sums { more, pairs }
}

/// Results for a few blocks of units.
struct FewUnits<S: Shuffle> {
    /// UTF-8 bytes beyond the first of each unit, as in [`Sums::more`].
    more: usize,
    /// The minimum [`distance`].
    min: S::Block,
}

impl<S: Shuffle> FewUnits<S> {
    #[inline(always)]
    fn none(simd: S) -> Self {
        Self { more: 0, min: simd.splat(0xFF) }
    }

    /// Adds the units of a block from position `from` on.
    #[inline(always)]
    fn add<O: Order, const MORE: bool>(&mut self, simd: S, block: S::Block, from: usize) {
        let block = turn16::<S, O, Le>(simd, block);
        if MORE {
            let two = simd.bits16(simd.ge16(block, simd.splat16(0x80))) >> from;
            let three = simd.bits16(simd.ge16(block, simd.splat16(0x800))) >> from;
            self.more += (two.count_ones() + three.count_ones()) as usize;
        }
        self.min = simd.min(self.min, distance::<S, Le>(simd, block));
    }
}

/// Examines a few blocks by bitmaps.
#[inline(always)]
fn by_bitmaps16<S: Shuffle, O: Order, const MORE: bool>(simd: S, src: &[u8]) -> FewUnits<S> {
    let mut found = FewUnits::none(simd);
    let mut rest = src;
    while let Some((block, after)) = rest.split_first_chunk() {
        found.add::<O, MORE>(simd, simd.load(block), 0);
        rest = after;
    }
    if !rest.is_empty() {
        // Without masked loads, a block that overlaps the previous one is faster; its last units
        // are new.
        let (block, from) = match src.last_chunk() {
            Some(last) if !S::MASK_REGISTERS => (simd.load(last), (BLOCK - rest.len()) / 2),
            _ => (simd.load_anywhere(rest), 0),
        };
        found.add::<O, MORE>(simd, block, from);
    }
    found
}

/// Like [`by_bitmaps16`], by byte counters, for a text of more than `N` blocks and up to `2 * N`:
/// the first `N` blocks and the last `N`. Bytes that the first blocks share with the last ones are
/// cleared in the latter.
///
/// Without mask registers, counters take less time than bitmaps, and testing for ASCII first takes
/// even less.
#[inline(always)]
fn by_counters16<S: Shuffle, O: Order, const N: usize>(simd: S, src: &[u8]) -> FewUnits<S> {
    let (mut first_blocks, mut last_blocks) = ([simd.splat(0); N], [simd.splat(0); N]);
    // Number of bytes that are not in the first blocks.
    let more = src.len() - N * BLOCK;
    let (Some(first), Some(last)) = (src.get(..N * BLOCK), src.get(more..)) else { unreachable!() };
    let mut all = simd.splat(0);
    for i in 0..N {
        // Number of those bytes in this block, at its end.
        let here = (more + i * BLOCK).saturating_sub((N - 1) * BLOCK).min(BLOCK);
        let (first, last) = (chunk_at!(first, i * BLOCK), chunk_at!(last, i * BLOCK));
        let (Some(first), Some(last), Some(mask)) = (first, last, chunk_at!(LAST, here)) else {
            unreachable!()
        };
        first_blocks[i] = turn16::<S, O, Le>(simd, simd.load(first));
        last_blocks[i] = turn16::<S, O, Le>(simd, simd.and(simd.load(last), simd.load(mask)));
        all = simd.or(all, simd.or(first_blocks[i], last_blocks[i]));
    }
    if !simd.any_bit(simd.and(all, simd.splat16(0xFF80))) {
        return FewUnits::none(simd);
    }
    let (mut short, mut min) = (simd.splat(0), simd.splat(0xFF));
    for i in 0..N {
        let (a, b) = (first_blocks[i], last_blocks[i]);
        short = simd.add(short, simd.short_of_three(a, b));
        min = simd.min(min, simd.min(distance::<S, Le>(simd, a), distance::<S, Le>(simd, b)));
    }
    // Cleared bytes count two per unit, like ASCII.
    FewUnits { more: 2 * N * BLOCK - simd.sum(short) as usize, min }
}

/// Whether the units of a row are ASCII.
#[inline(always)]
fn is_ascii16<S: Shuffle, O: Order>(simd: S, row: &[u8; ROW_BYTES]) -> bool {
    let [a, b, c, d] = blocks_of_row::<S, 0, _>(simd, row);
    let all = simd.or(simd.or(a, b), simd.or(c, d));
    !simd.any_bit(simd.and(all, splat16::<S, O>(simd, 0xFF80)))
}

/// Sums over whole code units of UTF-16.
#[inline(always)]
fn count16<S: Shuffle, O: Order, const MORE: bool>(simd: S, src: &[u8]) -> Sums {
    // With mask registers, summing counters takes longer than a few bitmaps.
    if src.len() <= if S::MASK_REGISTERS { 4 * ROW_BYTES } else { ROW_BYTES } {
        return count16_few::<S, O, MORE>(simd, src);
    }
    let mut sums = Sums::default();
    // Texts of up to two rows are tested for ASCII first.
    if MORE
        && src.len() <= 2 * ROW_BYTES
        && src.first_chunk().is_some_and(|row| is_ascii16::<S, O>(simd, row))
        && src.last_chunk().is_some_and(|row| is_ascii16::<S, O>(simd, row))
    {
        return sums;
    }
    // Starts at a cache line boundary, unless it is within a unit.
    let (mut at, ahead) = (0, ahead(src, MIN_ALIGNED_BYTES));
    let mut end = if ahead > 0 && ahead.is_multiple_of(2) { ahead } else { RUN_BYTES };
    while let Some(run) = src.get(at..end.min(src.len()))
        && !run.is_empty()
    {
        let mut pairs = Pairs::new(simd);
        pairs.set_open(simd, is_open::<O>(src, at));
        if MORE {
            let mut short = ShortOfThree(simd.splat(0));
            let (rows, rest) = run.as_chunks::<ROW_BYTES>();
            // Number of further rows that are counted without testing for surrogates.
            let mut next: usize = 0;
            for row in rows {
                let blocks = blocks_of_row::<S, 0, _>(simd, row);
                let turned = short.add_row::<O>(simd, blocks);
                if next == 0 {
                    // In many texts the highest units are symbols rather than surrogates.
                    if !any_from_d800(simd, highest(simd, turned)) || !has_surrogates::<S, Le>(simd, turned) {
                        pairs.set_open(simd, false);
                        continue;
                    }
                    next = PAIR_ROWS;
                }
                next -= 1;
                pairs.add_row::<O>(simd, row);
            }
            if !rest.is_empty()
                && any_from_d800(simd, short.add_rest::<O>(simd, run, rest))
                && (S::MASK_REGISTERS || rest_has_surrogates::<S, O>(simd, run, rest))
            {
                // Starts at the unit before, which may be the high surrogate of a pair.
                let from = (at + run.len() - rest.len()).saturating_sub(2);
                let few = src.get(from..at + run.len()).unwrap_or_default();
                sums.pairs += simd.apart::<PairsOfFew<O>>(few, &mut []);
            }
            // The zeros that pad the last two blocks count two per unit.
            let zeros = run.len().next_multiple_of(PAIR_BYTES) - run.len();
            sums.more += run.len() + zeros - simd.sum(short.0) as usize;
        } else {
            let rest = if pairs.open { run } else { after_calm_rows::<S, O>(simd, run) };
            let (rows, rest) = rest.as_chunks::<ROW_BYTES>();
            for row in rows {
                pairs.add_row::<O>(simd, row);
            }
            if !rest.is_empty() {
                pairs.add_rest::<O>(simd, rest);
            }
        }
        sums.pairs += pairs.count(simd);
        (at, end) = (end, end + RUN_BYTES);
    }
    sums
}

/// Counts the code points of UTF-16: a surrogate pair counts once, and so does a lone surrogate.
#[inline(always)]
pub(crate) fn count_code_points_of_utf16<S: Shuffle>(simd: S, src: &[u16]) -> usize {
    src.len() - count16::<S, Le, false>(simd, bytes_of(src)).pairs
}

/// Returns the number of UTF-8 bytes of UTF-16. A lone surrogate counts three, its length in WTF-8
/// and the length of U+FFFD.
#[inline(always)]
pub(crate) fn utf8_len_of_utf16<S: Shuffle, O: Order>(simd: S, src: &[u8]) -> usize {
    let src = src.get(..src.len() & !1).unwrap_or_default();
    let sums = count16::<S, O, true>(simd, src);
    src.len() / 2 + sums.more - 2 * sums.pairs
}
