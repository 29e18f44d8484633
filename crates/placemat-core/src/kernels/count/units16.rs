//! Counts and lengths of UTF-16.
//!
//! A unit has one byte in UTF-8, one more from 80 and one more from 800, which gives a surrogate three, and a pair of
//! them six instead of four. Two blocks of units become one of bytes, each the eighties in a unit (its bits from 7 up), at most
//! 7F; with 70 added, the highest bit says that there are sixteen or more, and the low four whether there are none, so one shuffle
//! tells how many bytes less than three the unit has.
//!
//! Rows whose highest unit is below D800 have no surrogates. From one that has some on, for eight rows, the high bytes of two blocks
//! are put together, one further on than the other. A pair is where a bitmap of lead surrogates, moved on by a unit, meets one of trail
//! surrogates. Where masks have registers of their own the kinds of units stay bytes: those of the units before come by a
//! permutation, and a minimum with one counts the units that end no pair.
//!
//! ```text
//!  first block, from its second byte on    H0 l1 H1 l2 H2 ..     second block    .. h0 .. h1 .. h2
//!  high                                    H0 h0 H1 h1 H2 ..
//! ```
//!
//! What was tried and is slower: `lab/count.md`.

use super::bytes::{LAST, ahead, last_bytes};
use crate::ground::chunk::chunk_at;
use crate::ground::unit::Le;
use crate::kernels::wide::{
    Order, ROW, TWO, after_calm_rows, any_from_d800, any_surrogate, blocks_of_row, bytes_before, distance,
    has_surrogates, high_bytes, is_open, load_high_bytes, part, splat16, turn16, turned,
};
use crate::simd::{Apart, BLOCK, Shuffle, bytes_of};
use core::marker::PhantomData;

/// One in each byte, as a number that the compiler does not know: a minimum with one that it knows it turns into a
/// comparison, which costs twice as much where masks have registers of their own.
#[inline(always)]
fn opaque_one<S: Shuffle>(simd: S) -> S::Block {
    simd.splat(if S::MASK_REGISTERS { core::hint::black_box(1) } else { 1 })
}

/// The sums over the units of UTF-16.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// The bytes of the units in UTF-8 beyond the first, if they are asked for; a surrogate has three.
    more: usize,
    /// Pairs of surrogates.
    pairs: usize,
}

/// From how many bytes of UTF-16 on it pays to go to the border of a cache line first. For shorter texts, the way
/// there takes longer than what it saves.
const LONG16: usize = 4096;
/// Bytes of UTF-16 in a run, whose sums fit into counters of bytes.
const RUN: usize = 60 * ROW;
/// Rows, from the first that has surrogates on, in which pairs are counted without a look for more.
const NEXT: usize = 8;

/// Counters of bytes for how many bytes less than three each unit has in UTF-8, where a surrogate has three.
struct ShortOfThree<S: Shuffle>(S::Block);

impl<S: Shuffle> ShortOfThree<S> {
    /// Adds the units of two blocks, which it returns as little-endian.
    #[inline(always)]
    fn add<O: Order>(&mut self, simd: S, a: S::Block, b: S::Block) -> [S::Block; 2] {
        let (a, b) = (turn16::<S, O, Le>(simd, a), turn16::<S, O, Le>(simd, b));
        self.0 = simd.add(self.0, simd.short_of_three(a, b));
        [a, b]
    }

    /// Adds the units of a row, which it returns as little-endian.
    #[inline(always)]
    fn add_row<O: Order>(&mut self, simd: S, [a, b, c, d]: [S::Block; 4]) -> [S::Block; 4] {
        let ([a, b], [c, d]) = (self.add::<O>(simd, a, b), self.add::<O>(simd, c, d));
        [a, b, c, d]
    }

    /// Adds what is left of `src` after rows. Returns the highest units.
    #[inline(always)]
    fn add_rest<O: Order>(&mut self, simd: S, src: &[u8], rest: &[u8]) -> S::Block {
        let mut most = simd.splat(0);
        let (twos, rest) = rest.as_chunks::<TWO>();
        for two in twos {
            let (a, b) = (simd.load(part::<0, _>(two)), simd.load(part::<BLOCK, _>(two)));
            let [a, b] = self.add::<O>(simd, a, b);
            most = simd.max16(most, simd.max16(a, b));
        }
        if rest.is_empty() {
            return most;
        }
        let (a, b) = match rest.split_first_chunk() {
            Some((first, [])) => (simd.load(first), simd.splat(0)),
            Some((first, rest)) => (simd.load(first), last_bytes(simd, src, rest)),
            None => (last_bytes(simd, src, rest), simd.splat(0)),
        };
        let [a, b] = self.add::<O>(simd, a, b);
        simd.max16(most, simd.max16(a, b))
    }
}

/// The highest units of a row.
#[inline(always)]
fn highest<S: Shuffle>(simd: S, [a, b, c, d]: [S::Block; 4]) -> S::Block {
    simd.max16(simd.max16(a, b), simd.max16(c, d))
}

/// Whether there are surrogates in what is left of `src` after rows.
#[inline(always)]
fn rest_has_surrogates<S: Shuffle, O: Order>(simd: S, src: &[u8], rest: &[u8]) -> bool {
    let mut least = simd.splat(0xFF);
    let (blocks, end) = rest.as_chunks();
    for block in blocks {
        least = simd.min(least, distance::<S, O>(simd, simd.load(block)));
    }
    if !end.is_empty() {
        least = simd.min(least, distance::<S, O>(simd, last_bytes(simd, src, end)));
    }
    any_surrogate(simd, least)
}

/// A count of surrogate pairs, from the high bytes of two blocks after the other.
struct Pairs<S: Shuffle> {
    /// Where it takes long to get bitmaps: the [`kinds`] of the last two blocks, [`turned`].
    last: S::Block,
    /// There, counters of the units that end no pair, and the number of all units.
    others: S::Block,
    units: usize,
    one: S::Block,
    /// Elsewhere: whether a lead surrogate is right before, and the number of pairs.
    open: bool,
    pairs: usize,
}

/// Zero for the high bytes of trail surrogates, four for those of lead surrogates, more for others.
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

    /// Whether a lead surrogate is right before the next unit.
    #[inline(always)]
    fn set_open(&mut self, simd: S, open: bool) {
        self.open = open;
        self.last = simd.splat(if open { 4 } else { 8 });
    }

    /// Adds the pairs that end in a row.
    #[inline(always)]
    fn add_row<O: Order>(&mut self, simd: S, row: &[u8; ROW]) {
        for two in row.as_chunks().0 {
            self.add(simd, load_high_bytes::<S, O>(simd, two));
        }
    }

    /// Adds the pairs that end in what is left after rows.
    #[inline(always)]
    fn add_rest<O: Order>(&mut self, simd: S, rest: &[u8]) {
        let (twos, rest) = rest.as_chunks::<TWO>();
        for two in twos {
            self.add(simd, load_high_bytes::<S, O>(simd, two));
        }
        // A load under an empty mask, from where there is no memory, takes 50 ns.
        let (a, b) = match rest.split_first_chunk() {
            Some((first, [])) => (simd.load(first), simd.splat(0)),
            Some((first, second)) => (simd.load(first), simd.load_partial(second)),
            None if rest.is_empty() => return,
            None => (simd.load_partial(rest), simd.splat(0)),
        };
        self.add(simd, high_bytes::<S, O>(simd, a, b));
    }

    /// Adds the pairs that end in two blocks of which these are the [`high_bytes`]; at most 255 times.
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
        // The unit before the first of the second block is the last of the first one.
        let after_leads = leads << 2 | (leads >> 62 & 1) << 1 | u64::from(self.open);
        self.open = leads >> 63 != 0;
        self.pairs += (after_leads & trails).count_ones() as usize;
    }

    #[inline(always)]
    fn count(self, simd: S) -> usize {
        if S::MASK_REGISTERS { self.units - simd.sum(self.others) as usize } else { self.pairs }
    }
}

/// The surrogate pairs in a text that no lead surrogate comes before, and that is no longer than a run and a unit; apart, since most
/// texts have none.
struct PairsOfFew<O>(PhantomData<O>);

impl<O: Order> Apart for PairsOfFew<O> {
    type Moved = usize;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], _: &mut [u8]) -> usize {
        let mut pairs = Pairs::new(simd);
        pairs.set_open(simd, false);
        pairs.add_rest::<O>(simd, src);
        pairs.count(simd)
    }
}

/// The sums over a few blocks.
#[inline(always)]
fn count16_few<S: Shuffle, O: Order, const MORE: bool>(simd: S, src: &[u8]) -> Sums {
    let FewUnits { more, least } = if !MORE || S::MASK_REGISTERS || src.len() <= BLOCK {
        by_bitmaps16::<S, O, MORE>(simd, src)
    } else if src.len() <= TWO {
        by_counters16::<S, O, 1>(simd, src)
    } else {
        by_counters16::<S, O, 2>(simd, src)
    };
    let pairs = if !any_surrogate(simd, least) {
        0
    } else if S::MASK_REGISTERS {
        // Inlined: a call takes a tenth of the time of a short text.
        PairsOfFew::<O>::run(simd, src, &mut [])
    } else {
        simd.apart::<PairsOfFew<O>>(src, &mut [])
    };
    Sums { more, pairs }
}

/// What is found in a few blocks of units.
struct FewUnits<S: Shuffle> {
    /// [`Sums::more`].
    more: usize,
    /// The least [`distance`].
    least: S::Block,
}

impl<S: Shuffle> FewUnits<S> {
    #[inline(always)]
    fn none(simd: S) -> Self {
        Self { more: 0, least: simd.splat(0xFF) }
    }

    /// Adds the units of a block from a place on.
    #[inline(always)]
    fn add<O: Order, const MORE: bool>(&mut self, simd: S, block: S::Block, from: usize) {
        let block = turn16::<S, O, Le>(simd, block);
        if MORE {
            let two = simd.bits16(simd.ge16(block, simd.splat16(0x80))) >> from;
            let three = simd.bits16(simd.ge16(block, simd.splat16(0x800))) >> from;
            self.more += (two.count_ones() + three.count_ones()) as usize;
        }
        self.least = simd.min(self.least, distance::<S, Le>(simd, block));
    }
}

/// A few blocks, by bitmaps.
#[inline(always)]
fn by_bitmaps16<S: Shuffle, O: Order, const MORE: bool>(simd: S, src: &[u8]) -> FewUnits<S> {
    let mut found = FewUnits::none(simd);
    let mut rest = src;
    while let Some((block, after)) = rest.split_first_chunk() {
        found.add::<O, MORE>(simd, simd.load(block), 0);
        rest = after;
    }
    if !rest.is_empty() {
        // Where loads have no masks, a block that overlaps the one before is faster; the new units come last there.
        let (block, from) = match src.last_chunk() {
            Some(last) if !S::MASK_REGISTERS => (simd.load(last), (BLOCK - rest.len()) / 2),
            _ => (simd.load_anywhere(rest), 0),
        };
        found.add::<O, MORE>(simd, block, from);
    }
    found
}

/// [`by_bitmaps16`] by counters of bytes, for a text of more than `N` blocks and up to `2 * N`: the first `N` blocks and the last `N`. The
/// bytes of the last blocks that the first ones have too are cleared.
///
/// Where masks have no registers of their own, counters take less time than bitmaps, and a look for ASCII first less
/// still.
#[inline(always)]
fn by_counters16<S: Shuffle, O: Order, const N: usize>(simd: S, src: &[u8]) -> FewUnits<S> {
    let (mut first_blocks, mut last_blocks) = ([simd.splat(0); N], [simd.splat(0); N]);
    // The number of bytes that the first blocks do not have.
    let more = src.len() - N * BLOCK;
    let (Some(first), Some(last)) = (src.get(..N * BLOCK), src.get(more..)) else { unreachable!() };
    let mut all = simd.splat(0);
    for i in 0..N {
        // Those of them that are in this block, at its end.
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
    let (mut short, mut least) = (simd.splat(0), simd.splat(0xFF));
    for i in 0..N {
        let (a, b) = (first_blocks[i], last_blocks[i]);
        short = simd.add(short, simd.short_of_three(a, b));
        least = simd.min(least, simd.min(distance::<S, Le>(simd, a), distance::<S, Le>(simd, b)));
    }
    // Cleared bytes are two short a unit, as ASCII is.
    FewUnits { more: 2 * N * BLOCK - simd.sum(short) as usize, least }
}

/// Whether the units of a row are ASCII.
#[inline(always)]
fn is_ascii16<S: Shuffle, O: Order>(simd: S, row: &[u8; ROW]) -> bool {
    let [a, b, c, d] = blocks_of_row::<S, 0, _>(simd, row);
    let all = simd.or(simd.or(a, b), simd.or(c, d));
    !simd.any_bit(simd.and(all, splat16::<S, O>(simd, 0xFF80)))
}

/// The sums over a text of UTF-16 of whole units.
#[inline(always)]
fn count16<S: Shuffle, O: Order, const MORE: bool>(simd: S, src: &[u8]) -> Sums {
    // Where masks have registers of their own, to add up counters takes longer than a few bitmaps.
    if src.len() <= if S::MASK_REGISTERS { 4 * ROW } else { ROW } {
        return count16_few::<S, O, MORE>(simd, src);
    }
    let mut sums = Sums::default();
    // Up to two rows, ASCII is looked for first.
    if MORE
        && src.len() <= 2 * ROW
        && src.first_chunk().is_some_and(|row| is_ascii16::<S, O>(simd, row))
        && src.last_chunk().is_some_and(|row| is_ascii16::<S, O>(simd, row))
    {
        return sums;
    }
    // To the border of a cache line first, unless it is within a unit.
    let (mut at, ahead) = (0, ahead(src, LONG16));
    let mut end = if ahead > 0 && ahead.is_multiple_of(2) { ahead } else { RUN };
    while let Some(run) = src.get(at..end.min(src.len()))
        && !run.is_empty()
    {
        let mut pairs = Pairs::new(simd);
        pairs.set_open(simd, is_open::<O>(src, at));
        if MORE {
            let mut short = ShortOfThree(simd.splat(0));
            let (rows, rest) = run.as_chunks::<ROW>();
            // How many more rows are counted without a look for surrogates.
            let mut next: usize = 0;
            for row in rows {
                let blocks = blocks_of_row::<S, 0, _>(simd, row);
                let turned = short.add_row::<O>(simd, blocks);
                if next == 0 {
                    // In many texts the highest units are signs and not surrogates.
                    if !any_from_d800(simd, highest(simd, turned)) || !has_surrogates::<S, Le>(simd, turned) {
                        pairs.set_open(simd, false);
                        continue;
                    }
                    next = NEXT;
                }
                next -= 1;
                pairs.add_row::<O>(simd, row);
            }
            if !rest.is_empty()
                && any_from_d800(simd, short.add_rest::<O>(simd, run, rest))
                && (S::MASK_REGISTERS || rest_has_surrogates::<S, O>(simd, run, rest))
            {
                // From the unit before on, which may be the lead surrogate of a pair.
                let from = (at + run.len() - rest.len()).saturating_sub(2);
                let few = src.get(from..at + run.len()).unwrap_or_default();
                sums.pairs += simd.apart::<PairsOfFew<O>>(few, &mut []);
            }
            // The zeros that fill up the last two blocks have two each.
            let zeros = run.len().next_multiple_of(TWO) - run.len();
            sums.more += run.len() + zeros - simd.sum(short.0) as usize;
        } else {
            let rest = if pairs.open { run } else { after_calm_rows::<S, O>(simd, run) };
            let (rows, rest) = rest.as_chunks::<ROW>();
            for row in rows {
                pairs.add_row::<O>(simd, row);
            }
            if !rest.is_empty() {
                pairs.add_rest::<O>(simd, rest);
            }
        }
        sums.pairs += pairs.count(simd);
        (at, end) = (end, end + RUN);
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
