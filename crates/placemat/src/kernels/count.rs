//! Counts and lengths: sums over bytes or units of a number that depends on the unit and at most on the one before it.
//!
//! # Bytes
//!
//! What is counted is a class of bytes that does not hold zero, so that zeros which fill up a block count nothing, and
//! a mask says where it is. Where masks live in registers of their own, their bits are counted as numbers; elsewhere
//! the mask, which is -1 in each byte where it holds, is subtracted from a block of byte counters, which are added up
//! before one can overflow. Bytes that are no continuation bytes are all bytes less the continuation bytes, so both
//! numbers that make a length in UTF-16 come from one pass.
//!
//! The last block overlaps with the one before it, and of its bitmap only what is new counts. The first one does so
//! too, for long texts, so that all others lie on borders of cache lines.
//!
//! # Units of 16 bits
//!
//! A unit has one byte in UTF-8, one more from 80 and one more from 800, which gives a surrogate three, and a pair of
//! them six instead of four. A pair is where `(before ^ D800 | unit ^ DC00) & FC00 == 0`, with the units before from
//! a second load two bytes further back. Without mask registers pairs are looked for only in stretches that have a
//! surrogate at all.
//!
//! # Units of 32 bits
//!
//! The same with one more from 10000.

use super::wide::{part, surrogates};
use crate::simd::{BLOCK, Shuffle, Simd, bytes_of};
use crate::unit::Le;

/// How many blocks are counted at a time.
const ROW: usize = 4 * BLOCK;
/// How many rows can be counted in bytes before a counter overflows.
const ROWS: usize = 63;
/// From how many bytes on it pays to go to the border of a cache line first.
const LONG: usize = 512;

/// `N` classes of bytes, none of which holds zero.
trait Classes<const N: usize> {
    /// Where the bytes of each class are.
    fn masks<S: Simd>(simd: S, block: S::Block) -> [S::Mask; N];
}

/// Bytes that continue a sequence, `80..BF`.
struct Continuation;
/// Bytes that continue a sequence, and bytes that begin one of four, `F0` and above.
struct ContinuationAndFour;
/// Line feeds.
struct LineFeed;
/// Bytes beyond ASCII.
struct NonAscii;

impl Classes<1> for Continuation {
    #[inline(always)]
    fn masks<S: Simd>(simd: S, block: S::Block) -> [S::Mask; 1] {
        // Moved up by 40 they are the highest. Levels that compare signed numbers do it without the sum.
        [simd.ge(simd.add(block, simd.splat(0x40)), simd.splat(0xC0))]
    }
}

impl Classes<2> for ContinuationAndFour {
    #[inline(always)]
    fn masks<S: Simd>(simd: S, block: S::Block) -> [S::Mask; 2] {
        let [continuation] = Continuation::masks(simd, block);
        [continuation, simd.ge(block, simd.splat(0xF0))]
    }
}

impl Classes<1> for LineFeed {
    #[inline(always)]
    fn masks<S: Simd>(simd: S, block: S::Block) -> [S::Mask; 1] {
        [simd.eq(block, simd.splat(b'\n'))]
    }
}

impl Classes<1> for NonAscii {
    #[inline(always)]
    fn masks<S: Simd>(simd: S, block: S::Block) -> [S::Mask; 1] {
        [simd.high_bit(block)]
    }
}

/// Adds how many bytes of a block are in each class, of those that `which` has ones for.
#[inline(always)]
fn add_block<S: Simd, C: Classes<N>, const N: usize>(
    simd: S,
    block: S::Block,
    which: u64,
    counts: &mut [usize; N],
) {
    let masks = C::masks(simd, block);
    for i in 0..N {
        counts[i] += (simd.bits(masks[i]) & which).count_ones() as usize;
    }
}

/// How many bytes of `src` are in each class.
#[inline(always)]
fn count<S: Simd, C: Classes<N>, const N: usize>(simd: S, src: &[u8]) -> [usize; N] {
    let mut counts = [0; N];
    let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) else {
        add_block::<S, C, N>(simd, simd.load_partial(src), u64::MAX, &mut counts);
        return counts;
    };
    let mut rest = src;
    if src.len() >= LONG {
        let ahead = (src.as_ptr() as usize).wrapping_neg() % BLOCK;
        add_block::<S, C, N>(simd, simd.load(first), !(u64::MAX << ahead), &mut counts);
        rest = src.get(ahead..).unwrap_or_default();
    }
    let (rows, rest) = rest.as_chunks::<ROW>();
    if S::MASK_REGISTERS {
        for row in rows {
            for block in row.as_chunks::<BLOCK>().0 {
                add_block::<S, C, N>(simd, simd.load(block), u64::MAX, &mut counts);
            }
        }
    } else {
        for rows in rows.chunks(ROWS) {
            let mut lanes = [simd.splat(0); N];
            for row in rows {
                for block in row.as_chunks::<BLOCK>().0 {
                    let masks = C::masks(simd, simd.load(block));
                    for i in 0..N {
                        lanes[i] = simd.add_one(lanes[i], masks[i]);
                    }
                }
            }
            for i in 0..N {
                counts[i] += simd.sum(lanes[i]) as usize;
            }
        }
    }
    let (blocks, rest) = rest.as_chunks::<BLOCK>();
    for block in blocks {
        add_block::<S, C, N>(simd, simd.load(block), u64::MAX, &mut counts);
    }
    if !rest.is_empty() {
        add_block::<S, C, N>(simd, simd.load(last), u64::MAX << (BLOCK - rest.len()), &mut counts);
    }
    counts
}

/// Number of code points in UTF-8: of bytes that are not continuation bytes (`80..BF`).
#[inline(always)]
pub(crate) fn count_code_points<S: Simd>(simd: S, src: &[u8]) -> usize {
    let [continuation] = count::<S, Continuation, 1>(simd, src);
    src.len() - continuation
}

/// Number of 16-bit code units that UTF-8 becomes: bytes that are not continuation bytes, and once more those of `F0`
/// and above.
#[inline(always)]
pub(crate) fn utf16_len_of_utf8<S: Simd>(simd: S, src: &[u8]) -> usize {
    let [continuation, four] = count::<S, ContinuationAndFour, 2>(simd, src);
    src.len() - continuation + four
}

/// Number of bytes `0A`.
#[inline(always)]
pub(crate) fn count_line_feeds<S: Simd>(simd: S, src: &[u8]) -> usize {
    let [line_feeds] = count::<S, LineFeed, 1>(simd, src);
    line_feeds
}

/// Number of bytes that Latin-1 becomes in UTF-8: one for each byte, and one more for each of `80` and above.
#[inline(always)]
pub(crate) fn utf8_len_of_latin1<S: Simd>(simd: S, src: &[u8]) -> usize {
    let [beyond] = count::<S, NonAscii, 1>(simd, src);
    src.len() + beyond
}

/// Where a trail surrogate comes after a lead surrogate.
#[inline(always)]
fn pairs<S: Shuffle>(simd: S, block: S::Block, before: S::Block) -> S::Mask16 {
    let lead = simd.xor(before, simd.splat16(0xD800));
    let trail = simd.xor(block, simd.splat16(0xDC00));
    simd.eq16(simd.and(simd.or(lead, trail), simd.splat16(0xFC00)), simd.splat(0))
}

/// Adds one to each 16-bit lane where the mask holds.
#[inline(always)]
fn add_one16<S: Shuffle>(simd: S, lanes: S::Block, mask: S::Mask16) -> S::Block {
    // Where masks are bytes, this subtracts the mask.
    simd.sub16(lanes, simd.keep16(mask, simd.splat(0xFF)))
}

/// Adds one to each 32-bit lane where the mask holds.
#[inline(always)]
fn add_one32<S: Shuffle>(simd: S, lanes: S::Block, mask: S::Mask32) -> S::Block {
    simd.sub32(lanes, simd.keep32(mask, simd.splat(0xFF)))
}

/// Sum of all 16-bit lanes.
#[inline(always)]
fn sum16<S: Shuffle>(simd: S, lanes: S::Block) -> usize {
    let low = simd.sum(simd.and(lanes, simd.splat16(0x00FF)));
    let high = simd.sum(simd.shr16::<8>(lanes));
    low as usize + ((high as usize) << 8)
}

/// What is summed over the units of UTF-16.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Units from 80 and units from 800, if they are asked for.
    more: usize,
    /// Pairs of surrogates.
    pairs: usize,
}

impl Sums {
    /// Adds a block, with the units one before it, and of both only the first bytes of which `which` has ones.
    #[inline(always)]
    fn add<S: Shuffle, const MORE: bool>(&mut self, simd: S, block: S::Block, before: S::Block, which: u32) {
        if MORE {
            let two = simd.bits16(simd.ge16(block, simd.splat16(0x80))) & which;
            let three = simd.bits16(simd.ge16(block, simd.splat16(0x800))) & which;
            self.more += (two.count_ones() + three.count_ones()) as usize;
        }
        self.pairs += (simd.bits16(pairs(simd, block, before)) & which).count_ones() as usize;
    }
}

/// The sums over a text of UTF-16 in the order of the machine.
#[inline(always)]
fn count16<S: Shuffle, const MORE: bool>(simd: S, src: &[u8]) -> Sums {
    let mut sums = Sums::default();
    let Some(first) = src.first_chunk() else {
        let block = simd.load_partial(src);
        sums.add::<S, MORE>(simd, block, simd.after_zeros::<2>(block), u32::MAX);
        return sums;
    };
    let first = simd.load(first);
    // Up to a border of a cache line, from which on every unit has one before it.
    let mut at = if src.len() >= LONG && src.as_ptr() as usize % 2 == 0 {
        BLOCK - src.as_ptr() as usize % BLOCK
    } else {
        BLOCK
    };
    let ahead = u32::MAX >> ((BLOCK - at) / 2);
    sums.add::<S, MORE>(simd, first, simd.after_zeros::<2>(first), ahead);

    // Rounds before a counter of 16 bits can overflow, with two a unit and four units a round.
    let mut lanes = [simd.splat(0); 2];
    let mut rounds = 0;
    while let Some(window) = src.get(at - 2..).and_then(<[u8]>::first_chunk::<{ ROW + 2 }>) {
        let blocks: [S::Block; 4] = [
            simd.load(part::<2, _>(window)),
            simd.load(part::<66, _>(window)),
            simd.load(part::<130, _>(window)),
            simd.load(part::<194, _>(window)),
        ];
        if S::MASK_REGISTERS && MORE {
            sums.add::<S, MORE>(simd, blocks[0], simd.load(part::<0, _>(window)), u32::MAX);
            sums.add::<S, MORE>(simd, blocks[1], simd.load(part::<64, _>(window)), u32::MAX);
            sums.add::<S, MORE>(simd, blocks[2], simd.load(part::<128, _>(window)), u32::MAX);
            sums.add::<S, MORE>(simd, blocks[3], simd.load(part::<192, _>(window)), u32::MAX);
            at += ROW;
            continue;
        }
        if MORE {
            for block in blocks {
                lanes[0] = add_one16(simd, lanes[0], simd.ge16(block, simd.splat16(0x80)));
                lanes[0] = add_one16(simd, lanes[0], simd.ge16(block, simd.splat16(0x800)));
            }
        }
        let some = simd.either(
            simd.either(surrogates::<S, Le>(simd, blocks[0]), surrogates::<S, Le>(simd, blocks[1])),
            simd.either(surrogates::<S, Le>(simd, blocks[2]), surrogates::<S, Le>(simd, blocks[3])),
        );
        if simd.any(some) {
            let found = [
                pairs(simd, blocks[0], simd.load(part::<0, _>(window))),
                pairs(simd, blocks[1], simd.load(part::<64, _>(window))),
                pairs(simd, blocks[2], simd.load(part::<128, _>(window))),
                pairs(simd, blocks[3], simd.load(part::<192, _>(window))),
            ];
            for found in found {
                if S::MASK_REGISTERS {
                    sums.pairs += simd.bits16(found).count_ones() as usize;
                } else {
                    lanes[1] = add_one16(simd, lanes[1], found);
                }
            }
        }
        at += ROW;
        rounds += 1;
        if !S::MASK_REGISTERS && rounds == 8000 {
            sums.more += sum16(simd, lanes[0]);
            sums.pairs += sum16(simd, lanes[1]);
            lanes = [simd.splat(0); 2];
            rounds = 0;
        }
    }
    if !S::MASK_REGISTERS {
        sums.more += sum16(simd, lanes[0]);
        sums.pairs += sum16(simd, lanes[1]);
    }
    while let Some(window) = src.get(at - 2..).and_then(<[u8]>::first_chunk::<{ BLOCK + 2 }>) {
        let before = simd.load(part::<0, _>(window));
        sums.add::<S, MORE>(simd, simd.load(part::<2, _>(window)), before, u32::MAX);
        at += BLOCK;
    }
    if at < src.len() {
        // The last block and the units before it, of which only what is new counts.
        let new = (src.len() - at) / 2;
        if let Some(window) = src.last_chunk::<{ BLOCK + 2 }>() {
            let before = simd.load(part::<0, _>(window));
            sums.add::<S, MORE>(simd, simd.load(part::<2, _>(window)), before, !(u32::MAX >> new));
        }
    }
    sums
}

/// Number of code points in UTF-16: a surrogate pair counts once, and so does a surrogate that is not in a pair.
#[inline(always)]
pub(crate) fn count_code_points_of_utf16<S: Shuffle>(simd: S, src: &[u16]) -> usize {
    src.len() - count16::<S, false>(simd, bytes_of(src)).pairs
}

/// Number of bytes that UTF-16 becomes in UTF-8. A lone surrogate counts three, which is what it has in WTF-8, and what
/// U+FFFD has in its place.
#[inline(always)]
pub(crate) fn utf8_len_of_utf16<S: Shuffle>(simd: S, src: &[u16]) -> usize {
    let sums = count16::<S, true>(simd, bytes_of(src));
    src.len() + sums.more - 2 * sums.pairs
}

/// Adds to each 32-bit lane how many of the borders its unit has reached.
#[inline(always)]
fn add_reached<S: Shuffle, const N: usize>(
    simd: S,
    lanes: S::Block,
    block: S::Block,
    borders: [u32; N],
) -> S::Block {
    let mut lanes = lanes;
    for border in borders {
        lanes = add_one32(simd, lanes, simd.ge32(block, simd.splat32(border)));
    }
    lanes
}

/// Sums over all units how many of the borders they have reached.
#[inline(always)]
fn count32<S: Shuffle, const N: usize>(simd: S, src: &[u8], borders: [u32; N]) -> usize {
    let mut total = 0;
    let (rows, rest) = src.as_chunks::<ROW>();
    // Rounds before a counter of 16 bits can overflow.
    for rows in rows.chunks(0xFFFF / 4 / N) {
        let mut lanes = simd.splat(0);
        for row in rows {
            for block in row.as_chunks::<BLOCK>().0 {
                lanes = add_reached(simd, lanes, simd.load(block), borders);
            }
        }
        total += sum16(simd, lanes);
    }
    let (blocks, rest) = rest.as_chunks::<BLOCK>();
    let mut lanes = simd.splat(0);
    for block in blocks {
        lanes = add_reached(simd, lanes, simd.load(block), borders);
    }
    // Zeros reach no border.
    lanes = add_reached(simd, lanes, simd.load_partial(rest), borders);
    total + simd.sum(lanes) as usize
}

/// Number of bytes that UTF-32 becomes in UTF-8. What is not a scalar value counts by its magnitude: a surrogate three,
/// what is beyond U+10FFFF four.
#[inline(always)]
pub(crate) fn utf8_len_of_utf32<S: Shuffle>(simd: S, src: &[u32]) -> usize {
    src.len() + count32(simd, bytes_of(src), [0x80, 0x800, 0x1_0000])
}

/// Number of units that UTF-32 becomes in UTF-16: two above U+FFFF, else one.
#[inline(always)]
pub(crate) fn utf16_len_of_utf32<S: Shuffle>(simd: S, src: &[u32]) -> usize {
    src.len() + count32(simd, bytes_of(src), [0x1_0000])
}

#[cfg(test)]
mod tests {
    use super::super::portable::samples::{MIXED, Numbers};
    use super::*;
    use crate::dispatch::{Isa, Kernels};
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
        for kernels in levels() {
            let counts = [kernels.count_code_points_of_utf16(src), kernels.utf8_len_of_utf16(src)];
            assert_eq!(counts, expected, "{:?}: {src:04x?}", kernels.isa());
        }
        assert_eq!([count_code_points_of_utf16(Model, src), utf8_len_of_utf16(Model, src)], expected);
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
        assert_eq!([utf8_len_of_utf32(Model, src), utf16_len_of_utf32(Model, src)], expected);
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
        let random: Vec<u8> = (0..33_000).map(|_| numbers.below(256) as u8).collect();
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
        // Slow on the model, and the counters are the same there.
        let (bytes, units16, units32) =
            (vec![0xFF; 2_000_000], vec![0xFFFF; 2_000_000], vec![u32::MAX; 1_500_000]);
        for kernels in levels() {
            assert_eq!(kernels.utf16_len_of_utf8(&bytes), 4_000_000);
            assert_eq!(kernels.utf8_len_of_utf16(&units16), 6_000_000);
            assert_eq!(kernels.utf8_len_of_utf32(&units32), 6_000_000);
        }
        let pairs = [0xD800, 0xDC00].repeat(1_000_000);
        for kernels in levels() {
            assert_eq!(kernels.count_code_points_of_utf16(&pairs), 1_000_000);
            assert_eq!(kernels.utf8_len_of_utf16(&pairs), 4_000_000);
        }
    }
}
