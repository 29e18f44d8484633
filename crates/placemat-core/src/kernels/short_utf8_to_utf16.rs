//! Conversion of UTF-8 to UTF-16 on levels that pack bytes in registers: texts of two to four
//! blocks.
//!
//! The general kernel tests each block for the length of its sequences. Here one test decides for
//! the whole text, since a misprediction costs as much as a block; masks bound the stores, so no
//! block needs a buffer; and the bytes before a block are in a register. Texts of one block gain
//! nothing.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only AVX-512 packs bytes in registers"))]

use super::Moved;
use super::from_utf8::{Anything, convert_block};
use super::utf8_to_utf16::{Order, Utf16, utf8_to_utf16};
use crate::simd::{ApartInRegisters, BLOCK, Compress, Slot};
use core::marker::PhantomData;

/// Converts the longest well-formed UTF-8 prefix of `src` that fits into `dst`.
#[inline(always)]
pub(crate) fn utf8_to_utf16_in_registers<S: Compress, O: Order>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
) -> Moved {
    if src.len() <= BLOCK {
        return convert_block::<S, Utf16<O>>(simd, src, dst);
    }
    if src.len() <= 2 * BLOCK {
        return match blocks::<S, O, 2>(simd, src, dst) {
            Some(written) => Moved { read: src.len(), written },
            None => simd.apart::<Anything<Utf16<O>>>(src, dst),
        };
    }
    if src.len() > 4 * BLOCK {
        return utf8_to_utf16::<O, S>(simd, src, dst);
    }
    simd.apart_in_registers::<FewBlocks<O>>(src, dst)
}

/// Converts a text of two to four blocks.
struct FewBlocks<O>(PhantomData<O>);

impl<O: Order> ApartInRegisters for FewBlocks<O> {
    type Moved = Moved;

    #[inline(always)]
    fn run<S: Compress>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
        let written = match src.len().div_ceil(BLOCK) {
            3 => blocks::<S, O, 3>(simd, src, dst),
            _ => blocks::<S, O, 4>(simd, src, dst),
        };
        match written {
            Some(written) => Moved { read: src.len(), written },
            None => simd.apart::<Anything<Utf16<O>>>(src, dst),
        }
    }
}

/// Converts a text of more than `N - 1` blocks and at most `N`. Returns the number of bytes, or
/// `None` if the text is ill-formed, has sequences of four bytes, or does not fit.
#[inline(always)]
fn blocks<S: Compress, O: Order, const N: usize>(simd: S, src: &[u8], dst: &mut [Slot]) -> Option<usize> {
    let (whole, rest) = src.split_at_checked((N - 1) * BLOCK)?;
    // The zeros after the text do not continue a sequence, so an incomplete one is found, unless
    // the last block is full.
    let mut blocks = [simd.load_partial(rest); N];
    let mut highest = blocks[0];
    for (block, src) in blocks.iter_mut().zip(whole.as_chunks().0) {
        *block = simd.load(src);
        highest = simd.max(highest, *block);
    }
    let ends = u64::MAX >> (BLOCK - rest.len().min(BLOCK));
    if !simd.any_high_bit(highest) {
        let dst = dst.get_mut(..2 * src.len())?;
        for (block, out) in blocks.into_iter().zip(dst.as_chunks_mut().0) {
            widen::<S, O>(simd, block, out);
        }
        // Some units of the previous block are written again.
        widen::<S, O>(simd, simd.load(src.last_chunk()?), dst.last_chunk_mut()?);
        Some(2 * src.len())
    } else if !simd.any(simd.ge(highest, simd.splat(0xE0))) {
        sequences::<S, O, N, false>(simd, blocks, ends, dst)
    } else if !simd.any(simd.ge(highest, simd.splat(0xF0))) {
        sequences::<S, O, N, true>(simd, blocks, ends, dst)
    } else {
        None
    }
}

/// Writes a block of ASCII.
#[inline(always)]
fn widen<S: Compress, O: Order>(simd: S, block: S::Block, out: &mut [Slot; 2 * BLOCK]) {
    let [first, second] = units::<S, O>(simd, block, simd.splat(0));
    if let ([to_first, to_second], []) = out.as_chunks_mut() {
        simd.store_whole(first, to_first);
        simd.store_whole(second, to_second);
    }
}

/// Converts blocks whose sequences have at most three bytes (`THREES`), or at most two. `ends`
/// selects the bytes of the last block that belong to the text. Returns the number of bytes, or
/// `None` if the text is ill-formed or does not fit.
///
/// [`from_utf8`](super::from_utf8) explains the check and the planes of units.
#[inline(always)]
fn sequences<S: Compress, O: Order, const N: usize, const THREES: bool>(
    simd: S,
    blocks: [S::Block; N],
    ends: u64,
    dst: &mut [Slot],
) -> Option<usize> {
    let mut written = 0;
    // The previous block, its lead bytes, and its lead bytes of three-byte sequences.
    let (mut before, mut two_before, mut three_before) = (simd.splat(0), 0, 0);
    // A bitmap of errors in the positions of continuation bytes, and bytes that are below 2 where a
    // value is out of range.
    let (mut misplaced, mut values) = (0, simd.splat(0xFF));
    for (i, w) in blocks.into_iter().enumerate() {
        let (w1, high) = (simd.after::<1>(before, w), simd.high_bit(w));
        let two = simd.bits(simd.ge(w, simd.splat(0xC0)));
        let mut meant = two << 1 | two_before >> 63;
        let mut keep = !two;
        let low = simd.or(simd.and(w, simd.splat(0x7F)), simd.keep(high, simd.move_bits::<0, 2, 6>(w1)));
        let mut top = simd.keep(high, simd.move_bits::<2, 4, 0>(w1));
        // C0 and C1 become 0 and 1.
        let mut value = simd.xor(w, simd.splat(0xC0));
        if THREES {
            let three = simd.bits(simd.ge(w, simd.splat(0xE0)));
            let third = three << 2 | three_before >> 62;
            let is_third = simd.mask(third);
            top = simd.add(top, simd.keep(is_third, simd.move_bits::<0, 4, 4>(simd.after::<2>(before, w))));
            // Values below 0x0800 become 0 or 1 below, and so do surrogates.
            let range = simd.min(top, simd.xor(top, simd.splat(0xD8)));
            value = simd.select(is_third, simd.saturating_sub(range, simd.splat(0x06)), value);
            meant |= third;
            keep &= !(three << 1 | three_before >> 63);
            three_before = three;
        }
        misplaced |= simd.bits(high) & !two ^ meant;
        values = simd.min(values, value);
        (before, two_before) = (w, two);
        if i == N - 1 {
            keep &= ends;
        }
        let out = dst.get_mut(written..)?.get_mut(..2 * keep.count_ones() as usize)?;
        let [first, second] = units::<S, O>(simd, simd.compress8(low, keep), simd.compress8(top, keep));
        written += out.len();
        let (to_first, to_second) = out.split_at_mut(out.len().min(BLOCK));
        simd.store_partial(first, to_first);
        simd.store_partial(second, to_second);
    }
    // A sequence may be incomplete at the end of a full last block.
    let cut = two_before >> 63 | three_before >> 62;
    (misplaced | cut == 0 && !simd.any(simd.ge(simd.splat(1), values))).then_some(written)
}

/// Zips low and high bytes to units: the first 32 and the last 32.
#[inline(always)]
fn units<S: Compress, O: Order>(simd: S, low: S::Block, high: S::Block) -> [S::Block; 2] {
    if O::BIG { simd.zip8(high, low) } else { simd.zip8(low, high) }
}
