//! Validating conversion of UTF-16 to UTF-32, from either byte order to either.
//!
//! Blocks without surrogates are widened and stored. In a block with surrogates, each unit becomes
//! the lane that it would end: a low surrogate becomes the code point of its pair, with the
//! preceding unit from a second load, and any other unit becomes itself; packing drops the lanes of
//! high surrogates. So a pair across two blocks needs no special case, and the position of the next
//! block does not depend on the text.
//!
//! A block of pairs only already consists of such lanes.
//!
//! Writing the results is the bottleneck for text without surrogates, so a function of its own
//! converts stretches with surrogates: on AVX2, one loop for both has too few registers for its
//! constants.
//!
//! The halves of a pair's lane are computed in 16 bits. For the pair `h`, `l` they are `h << 10 | l
//! & 3FF`, of which the lowest 16 bits remain, and `(h - D7C0) >> 6`, since D7C0 is D800 minus
//! (10000 >> 10).
//!
//! Measurements, and what was slower: `lab/utf16_to_utf32.md`.

use super::Moved;
use super::portable;
use super::wide::{Order, any_surrogate, border, distance, is_open, part, part_mut, splat16, turn16, turn32};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::unit::Le;
use crate::simd::{Apart, BLOCK, Shuffle, Slot};
use core::marker::PhantomData;

/// Bytes per test.
const ROW_BYTES: usize = 2 * BLOCK;
/// After this many steps without surrogates, no more are expected.
const MAX_CALM_STEPS: u32 = 8;
/// Constant that makes the code point of the pair `D800 + h, DC00 + l` when added to the sum of the
/// high surrogate shifted left by 10 and the low surrogate.
const PAIR_OFFSET: u32 = 0x1_0000u32.wrapping_sub(0xD800 << 10).wrapping_sub(0xDC00);

/// Converts the longest well-formed UTF-16 prefix of `src` that fits into `dst`.
#[inline(always)]
pub(crate) fn utf16_to_utf32<S: Shuffle, From: Order, To: Order>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let src = src.get(..src.len() & !1).unwrap_or_default();
    let Moved { mut read, mut written } = Moved::default();
    while let Some((row, out)) = row(src, dst, read, written) {
        let blocks = [simd.load(part::<0, _>(row)), simd.load(part::<64, _>(row))];
        if has_surrogate::<S, From>(simd, blocks) {
            // A separate function, so that this loop keeps its registers.
            let rest = dst.get_mut(written..).unwrap_or_default();
            let moved = simd.apart::<Mixed<From, To>>(src.get(read..).unwrap_or_default(), rest);
            read += moved.read;
            written += moved.written;
            if moved.read < ROW_BYTES {
                break;
            }
        } else {
            write_wide::<S, From, To, 2>(simd, blocks, out.as_chunks_mut().0);
            read += ROW_BYTES;
            written += 2 * ROW_BYTES;
        }
    }
    // An end of less than a row is converted along with the units before it, which are written
    // again.
    if let Some(back) = (read + ROW_BYTES).checked_sub(src.len())
        && let Some(row) = src.last_chunk::<ROW_BYTES>()
        && let blocks = [simd.load(part::<0, _>(row)), simd.load(part::<64, _>(row))]
        && !has_surrogate::<S, From>(simd, blocks)
        && let Some(out) = chunk_at_mut!(dst, written.wrapping_sub(2 * back), 2 * ROW_BYTES)
    {
        write_wide::<S, From, To, 2>(simd, blocks, out.as_chunks_mut().0);
        return Moved { read: src.len(), written: written + 2 * (ROW_BYTES - back) };
    }
    loop {
        // Less than a block is left, or less room than a block may need.
        let rest = src.get(read..).unwrap_or_default();
        if rest.is_empty() {
            return Moved { read: border::<From>(src, read), written };
        }
        let block = match rest.first_chunk() {
            Some(block) => simd.load(block),
            None => simd.load_partial(rest),
        };
        let before = units_before(simd, src, read, block);
        let new = rest.len().min(BLOCK);
        let mut out = [0; 128];
        let which = u32::MAX >> (32 - new / 2);
        // The zeros at the end reveal an incomplete pair.
        let Some(pairs) = Pairs::of::<From, 1>(simd, [block], is_open::<From>(src, read).into()) else {
            return finish::<From, To>(src, dst, Moved { read, written });
        };
        let count = write_pairs::<S, From, To>(simd, [block, before], pairs[0], which, &mut out);
        let Some(room) = dst.get_mut(written..written + count) else {
            return finish::<From, To>(src, dst, Moved { read, written });
        };
        simd.store_partial(simd.load(part::<0, _>(&out)), Slot::of(room));
        if let Some(room) = room.get_mut(BLOCK..) {
            simd.store_partial(simd.load(part::<64, _>(&out)), Slot::of(room));
        }
        read += new;
        written += count;
    }
}

/// Returns the row at `read` and the room for its result, if there are both.
#[inline(always)]
fn row<'a, 'b>(
    src: &'a [u8],
    dst: &'b mut [u8],
    read: usize,
    written: usize,
) -> Option<(&'a [u8; ROW_BYTES], &'b mut [u8; 2 * ROW_BYTES])> {
    Some((src.get(read..)?.first_chunk()?, dst.get_mut(written..)?.first_chunk_mut()?))
}

/// Whether there is a surrogate. Two blocks are tested together, because the result is hard to
/// predict in many texts.
#[inline(always)]
fn has_surrogate<S: Shuffle, From: Order>(simd: S, [a, b]: [S::Block; 2]) -> bool {
    any_surrogate(simd, simd.min(distance::<S, From>(simd, a), distance::<S, From>(simd, b)))
}

/// Writes blocks without surrogates.
#[inline(always)]
fn write_wide<S: Shuffle, From: Order, To: Order, const BLOCKS: usize>(
    simd: S,
    blocks: [S::Block; BLOCKS],
    out: &mut [[u8; 2 * BLOCK]],
) {
    for (block, out) in blocks.into_iter().zip(out) {
        let [a, b] = widen::<S, From, To>(simd, block);
        let out = Slot::of_array(out);
        simd.store(a, part_mut::<0, _>(out));
        simd.store(b, part_mut::<64, _>(out));
    }
}

/// Converts a stretch with surrogates. Stops, on a code point boundary, after some steps without
/// surrogates, and where a step is ill-formed or has no room.
struct Mixed<From, To>(PhantomData<(From, To)>);

impl<From: Order, To: Order> Apart for Mixed<From, To> {
    type Moved = Moved;
    type Element = u8;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
        // Where one instruction packs, a misprediction costs more than packing another block.
        if S::MASK_REGISTERS {
            mixed::<S, From, To, 2>(simd, src, dst)
        } else {
            mixed::<S, From, To, 1>(simd, src, dst)
        }
    }
}

/// Converts a stretch with surrogates, `BLOCKS` blocks per step by the same method.
#[inline(always)]
fn mixed<S: Shuffle, From: Order, To: Order, const BLOCKS: usize>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let Moved { mut read, mut written } = Moved::default();
    // A bit that is set if the previous block ended in a high surrogate, and the number of steps
    // without surrogates.
    let (mut open, mut without) = (0, 0);
    while without < MAX_CALM_STEPS
        && let Some(step) = src.get(read..).and_then(|rest| rest.as_chunks().0.first_chunk::<BLOCKS>())
        && let Some(out) =
            dst.get_mut(written..).and_then(|rest| rest.as_chunks_mut().0.first_chunk_mut::<BLOCKS>())
        && let blocks = step.each_ref().map(|block| simd.load(block))
        && let Some(pairs) = Pairs::of::<From, BLOCKS>(simd, blocks, open)
    {
        without += 1;
        if pairs.iter().all(|pairs| pairs.leads | pairs.open == 0) {
            write_wide::<S, From, To, BLOCKS>(simd, blocks, out);
            written += 2 * BLOCK * BLOCKS;
        } else {
            without = 0;
            let mut before = blocks;
            for (i, before) in before.iter_mut().enumerate() {
                *before = match chunk_at!(src, (read + i * BLOCK).wrapping_sub(2)) {
                    Some(back) => simd.load(back),
                    None => simd.after_zeros::<2>(*before),
                };
            }
            let only_pairs = pairs.iter().all(|pairs| pairs.leads == 0x5555_5555 << pairs.open);
            let out = out.as_flattened_mut();
            let mut len = 0;
            for i in 0..BLOCKS {
                let Some(out) = chunk_at_mut!(out, len) else { unreachable!() };
                if only_pairs {
                    // Pairs only, such as a run of emoji. If a pair is open, the pairs consist of
                    // the units before, and the last unit opens the next one.
                    let lanes = turn16::<S, From, Le>(simd, if open == 0 { blocks[i] } else { before[i] });
                    let out = part_mut::<0, _>(Slot::of_array(out));
                    simd.store(turn32::<S, Le, To>(simd, pairs_of(simd, lanes)), out);
                    len += BLOCK;
                } else {
                    len += write_pairs::<S, From, To>(simd, [blocks[i], before[i]], pairs[i], u32::MAX, out);
                }
            }
            written += len;
        }
        open = pairs[BLOCKS - 1].leads >> 31;
        read += BLOCK * BLOCKS;
    }
    Moved { read: border::<From>(src, read), written }
}

/// The units one before those of the block at `at`.
#[inline(always)]
fn units_before<S: Shuffle>(simd: S, src: &[u8], at: usize, block: S::Block) -> S::Block {
    match at.checked_sub(2).and_then(|at| src.get(at..)) {
        Some(back) => match back.first_chunk() {
            Some(back) => simd.load(back),
            None => simd.load_partial(back),
        },
        None => simd.after_zeros::<2>(block),
    }
}

/// Converts surrogate pairs to code points, by adding `h << 10`, `l` and a constant.
#[inline(always)]
fn pairs_of<S: Shuffle>(simd: S, lanes: S::Block) -> S::Block {
    let leads = simd.shr32::<6>(simd.shl32::<16>(lanes));
    let sum = simd.add32(leads, simd.shr32::<16>(lanes));
    simd.add32(sum, simd.splat32(PAIR_OFFSET))
}

/// Converts the units of a block to code points.
#[inline(always)]
fn widen<S: Shuffle, From: Order, To: Order>(simd: S, block: S::Block) -> [S::Block; 2] {
    if To::SWAP {
        simd.zip16(simd.splat(0), turn16::<S, From, To>(simd, block))
    } else {
        simd.widen16(turn16::<S, From, To>(simd, block))
    }
}

/// The surrogates of a block.
#[derive(Clone, Copy)]
struct Pairs<S: Shuffle> {
    /// 1 if the unit before the block is a high surrogate, else 0.
    open: u32,
    /// Bitmap of the high surrogates.
    leads: u32,
    /// Mask of the low surrogates.
    trails: S::Mask16,
}

impl<S: Shuffle> Pairs<S> {
    /// Finds the surrogates of some blocks. Returns `None` if one is unpaired; `open` is 1 if the
    /// unit before the blocks is a high surrogate, else 0.
    #[inline(always)]
    fn of<From: Order, const BLOCKS: usize>(
        simd: S,
        blocks: [S::Block; BLOCKS],
        mut open: u32,
    ) -> Option<[Self; BLOCKS]> {
        let none = Self { open, leads: 0, trails: simd.mask16(0) };
        let (mut found, mut unpaired) = ([none; BLOCKS], 0);
        for (found, block) in found.iter_mut().zip(blocks) {
            let kind = simd.and(block, splat16::<S, From>(simd, 0xFC00));
            let leads = simd.bits16(simd.eq16(kind, splat16::<S, From>(simd, 0xD800)));
            let trails = simd.eq16(kind, splat16::<S, From>(simd, 0xDC00));
            *found = Self { open, leads, trails };
            unpaired |= simd.bits16(trails) ^ (leads << 1 | open);
            open = leads >> 31;
        }
        (unpaired == 0).then_some(found)
    }
}

/// Writes the code points that end in those units of a block that `which` selects; `before` has the
/// units one before them. Returns the number of bytes.
#[inline(always)]
fn write_pairs<S: Shuffle, From: Order, To: Order>(
    simd: S,
    [block, before]: [S::Block; 2],
    Pairs { leads, trails, .. }: Pairs<S>,
    which: u32,
    out: &mut [u8; 128],
) -> usize {
    let (units, before) = (turn16::<S, From, Le>(simd, block), turn16::<S, From, Le>(simd, before));
    let pair = simd.or(simd.shl16::<10>(before), simd.and(units, simd.splat16(0x03FF)));
    let low = simd.select16(trails, pair, units);
    let high = simd.keep16(trails, simd.shr16::<6>(simd.sub16(before, simd.splat16(0xD7C0))));
    let lanes =
        if To::SWAP { simd.zip16(simd.swap16(high), simd.swap16(low)) } else { simd.zip16(low, high) };
    let ends = !leads & which;
    let out = Slot::of_array(out);
    let first = 4 * simd.pack_lanes32(lanes[0], ends & 0xFFFF, part_mut::<0, _>(out));
    let Some(out) = chunk_at_mut!(out, first) else { unreachable!() };
    first + 4 * simd.pack_lanes32(lanes[1], ends >> 16, out)
}

/// Converts the rest in plain code; everything before `moved` is well-formed, except that a high
/// surrogate may come last.
#[cold]
#[inline(never)]
fn finish<From: Order, To: Order>(src: &[u8], dst: &mut [u8], moved: Moved) -> Moved {
    let read = border::<From>(src, moved.read);
    let rest = portable::wide::utf16_to_utf32::<From, To>(
        src.get(read..).unwrap_or_default(),
        dst.get_mut(moved.written..).unwrap_or_default(),
    );
    Moved { read: read + rest.read, written: moved.written + rest.written }
}
