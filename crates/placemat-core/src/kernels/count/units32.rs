//! Lengths of UTF-32 in other forms.
//!
//! The length of a code unit follows from its number of leading zeros on levels that have an
//! instruction for that and a table of 32 entries. Elsewhere, rows of four blocks become one block
//! of bytes (the exponent of a unit as a floating-point number determines its length).

use crate::ground::unit::Le;
use crate::kernels::wide::{Order, ROW_BYTES, blocks_of_row, turn32};
use crate::simd::{BLOCK, Shuffle, bytes_of};

/// Assigns a number to each 32-bit unit: less than 4, and 0 for zero.
trait PerUnit {
    fn of<S: Shuffle>(simd: S, block: S::Block) -> S::Block;

    /// Sums the numbers over rows.
    #[inline(always)]
    fn of_rows<S: Shuffle, O: Order>(simd: S, rows: &[[u8; ROW_BYTES]]) -> usize
    where
        Self: Sized,
    {
        by_units::<S, O, Self>(simd, rows)
    }
}

/// Loads the units of a row as native 32-bit lanes.
#[inline(always)]
fn units_of_row<S: Shuffle, O: Order>(simd: S, row: &[u8; ROW_BYTES]) -> [S::Block; 4] {
    let [a, b, c, d] = blocks_of_row::<S, 0, _>(simd, row);
    let [a, b] = [turn32::<S, O, Le>(simd, a), turn32::<S, O, Le>(simd, b)];
    [a, b, turn32::<S, O, Le>(simd, c), turn32::<S, O, Le>(simd, d)]
}

/// Sums the numbers over rows, block by block.
#[inline(always)]
fn by_units<S: Shuffle, O: Order, P: PerUnit>(simd: S, rows: &[[u8; ROW_BYTES]]) -> usize {
    let mut total = 0;
    // As many rows as fit before a 16-bit counter can overflow.
    for rows in rows.chunks(0xFFFF / 4 / 3) {
        let mut lanes = [simd.splat(0); 2];
        for row in rows {
            let [a, b, c, d] = units_of_row::<S, O>(simd, row);
            lanes = [simd.add32(lanes[0], P::of(simd, a)), simd.add32(lanes[1], P::of(simd, b))];
            lanes = [simd.add32(lanes[0], P::of(simd, c)), simd.add32(lanes[1], P::of(simd, d))];
        }
        total += sum16(simd, simd.add32(lanes[0], lanes[1]));
    }
    total
}

/// Number of bytes in UTF-8, minus one.
struct MoreUtf8;
/// Number of code units in UTF-16, minus one.
struct MoreUtf16;

impl PerUnit for MoreUtf8 {
    #[inline(always)]
    fn of<S: Shuffle>(simd: S, block: S::Block) -> S::Block {
        // Signed comparisons and tables cannot represent numbers from 0x8000_0000 up.
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

    #[inline(always)]
    fn of_rows<S: Shuffle, O: Order>(simd: S, rows: &[[u8; ROW_BYTES]]) -> usize {
        if S::MASK_REGISTERS {
            return by_units::<S, O, Self>(simd, rows);
        }
        let mut short = 0;
        for rows in rows.chunks(255 / 3) {
            let mut lanes = simd.splat(0);
            for row in rows {
                lanes = simd.add(lanes, simd.short_of_four(units_of_row::<S, O>(simd, row)));
            }
            short += simd.sum(lanes) as usize;
        }
        3 * BLOCK * rows.len() - short
    }
}

impl PerUnit for MoreUtf16 {
    #[inline(always)]
    fn of<S: Shuffle>(simd: S, block: S::Block) -> S::Block {
        simd.min32(simd.shr32::<16>(block), simd.splat32(1))
    }
}

/// Sums the numbers of all units.
#[inline(always)]
fn count32<S: Shuffle, O: Order, P: PerUnit>(simd: S, src: &[u8]) -> usize {
    let (rows, rest) = src.as_chunks::<ROW_BYTES>();
    let total = if rows.is_empty() { 0 } else { P::of_rows::<S, O>(simd, rows) };
    let (blocks, rest) = rest.as_chunks::<BLOCK>();
    let mut lanes = P::of(simd, turn32::<S, O, Le>(simd, simd.load_partial(rest)));
    for block in blocks {
        lanes = simd.add32(lanes, P::of(simd, turn32::<S, O, Le>(simd, simd.load(block))));
    }
    total + simd.sum(lanes) as usize
}

/// Returns the number of UTF-8 bytes of UTF-32. A number that is not a scalar value counts by its
/// magnitude: a surrogate three, a number above U+10FFFF four.
#[inline(always)]
pub(crate) fn utf8_len_of_utf32<S: Shuffle, O: Order>(simd: S, src: &[u8]) -> usize {
    let src = src.get(..src.len() & !3).unwrap_or_default();
    src.len() / 4 + count32::<S, O, MoreUtf8>(simd, src)
}

/// Returns the number of UTF-16 code units of UTF-32: two above U+FFFF, else one.
#[inline(always)]
pub(crate) fn utf16_len_of_utf32<S: Shuffle>(simd: S, src: &[u32]) -> usize {
    src.len() + count32::<S, Le, MoreUtf16>(simd, bytes_of(src))
}

/// Adds one to each 32-bit lane in the mask.
#[inline(always)]
fn add_one32<S: Shuffle>(simd: S, lanes: S::Block, mask: S::Mask32) -> S::Block {
    // Where masks are bytes, this subtracts the mask.
    simd.sub32(lanes, simd.keep32(mask, simd.splat(0xFF)))
}

/// The sum of all 16-bit lanes.
#[inline(always)]
fn sum16<S: Shuffle>(simd: S, lanes: S::Block) -> usize {
    let low = simd.sum(simd.and(lanes, simd.splat16(0x00FF)));
    let high = simd.sum(simd.shr16::<8>(lanes));
    low as usize + ((high as usize) << 8)
}
