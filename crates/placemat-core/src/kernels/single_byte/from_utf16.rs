//! Conversion of UTF-16 to single-byte encodings.
//!
//! The upper ten bits of a unit are the number of a page of 64 code points. ASCII is two pages,
//! which are unchanged or looked up in 128 bytes. Each other page in a block takes one lookup in a
//! row of 64, by the low six bits, among the rows that the table has for UTF-8: the four with most
//! code points below U+0800, and the four with most from there up. Blocks with other pages, or with
//! units from U+4000 up, are converted unit by unit, and so is all text on levels with 16-byte
//! registers.
//!
//! ```text
//! unit        0041    0439    0020    2019        A, й, a space, ’ to windows-1251
//! page          01      10      00      80
//! low bits      01      39      20      19
//! ASCII         41       .      20       .
//! row 10         .      E9       .       .
//! row 80         .       .       .      92
//! ```

use super::tables::{HEADS, LEADS, SingleByteEncoder};
use crate::kernels::wide::part;
use crate::kernels::{Moved, portable};
use crate::simd::{BLOCK, Shuffle, Slot};

/// The rows of a table for pages up to FF, with their page numbers.
struct Rows<'a> {
    all: [(u8, &'a [u8; 64]); LEADS + HEADS],
    len: usize,
}

impl<'a> Rows<'a> {
    #[inline(always)]
    fn new(table: &'a SingleByteEncoder) -> Self {
        let mut rows = Self { all: [(0, &table.lead_rows[0]); LEADS + HEADS], len: 0 };
        let leads = table.leads.iter().map(|&lead| if lead == 0 { 0 } else { lead & 0x3F });
        let heads = table.heads.iter().map(|&[lead, second]| match lead {
            0xE0..=0xE3 => lead << 6 | second & 0x3F,
            _ => 0,
        });
        for (page, row) in leads.chain(heads).zip(table.lead_rows.iter().chain(&table.head_rows)) {
            if page != 0
                && let Some(slot) = rows.all.get_mut(rows.len)
            {
                *slot = (page, row);
                rows.len += 1;
            }
        }
        rows
    }
}

/// Returns the low and the high bytes of a block of units.
#[inline(always)]
fn planes<S: Shuffle>(simd: S, big: bool, units: &[u8; 2 * BLOCK]) -> (S::Block, S::Block) {
    let a = simd.load(part::<0, { 2 * BLOCK }>(units));
    let b = simd.load(part::<BLOCK, { 2 * BLOCK }>(units));
    let low = simd.splat16(0x00FF);
    let first = simd.narrow16(simd.and(a, low), simd.and(b, low));
    let second = simd.narrow16(simd.shr16::<8>(a), simd.shr16::<8>(b));
    if big { (second, first) } else { (first, second) }
}

/// Writes a block. Returns whether the rows have all its units.
#[inline(always)]
fn write<S: Shuffle>(
    simd: S,
    table: &SingleByteEncoder,
    rows: &Rows<'_>,
    (low, high): (S::Block, S::Block),
    out: &mut [u8; BLOCK],
) -> bool {
    let zero = simd.splat(0);
    if table.identity && !simd.any_bit(simd.or(high, simd.and(low, simd.splat(0x80)))) {
        simd.store(low, Slot::of_array(out));
        return true;
    }
    let far = simd.ge(high, simd.splat(0x40));
    let page = simd.or(simd.move_bits::<0, 6, 2>(high), simd.move_bits::<6, 2, 0>(low));
    let mut to = if table.identity { low } else { simd.lookup128(simd.table128(&table.ascii), low) };
    let mut open = simd.ge(page, simd.splat(2));
    for &(number, row) in rows.all.get(..rows.len).unwrap_or_default() {
        if !simd.any(open) {
            break;
        }
        let here = simd.both(simd.eq(page, simd.splat(number)), open);
        if S::MASK_REGISTERS || simd.any(here) {
            to = simd.select(here, simd.lookup64(simd.table64(row), low), to);
            open = simd.both(open, simd.not(here));
        }
    }
    // 0 means U+0000 only; where it means another code point, units are converted one by one.
    let lacking = simd.both(simd.eq(to, zero), simd.not(simd.eq(simd.or(low, high), zero)));
    if simd.any(simd.either(simd.either(far, open), lacking)) || table.zero != 0 {
        return false;
    }
    simd.store(to, Slot::of_array(out));
    true
}

/// Converts the longest prefix that the encoding can represent and that fits, from big-endian units
/// if `big`.
#[inline(always)]
pub(crate) fn utf16_to_single_byte<S: Shuffle>(
    simd: S,
    table: &SingleByteEncoder,
    big: bool,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let units = src.as_chunks::<2>().0;
    let len = units.len().min(dst.len());
    let (Some(units), Some(dst)) = (units.get(..len), dst.get_mut(..len)) else { return Moved::default() };
    let rows = Rows::new(table);
    let mut at = 0;
    while at < len {
        // The last block overlaps the one before.
        let from = at.min(len.saturating_sub(BLOCK));
        let block = units.get(from..).and_then(|units| units.as_flattened().first_chunk());
        let out = dst.get_mut(from..).and_then(<[u8]>::first_chunk_mut);
        if let (Some(block), Some(out)) = (block, out)
            && write(simd, table, &rows, planes(simd, big, block), out)
        {
            at = from + BLOCK;
            continue;
        }
        let end = len.min(at + BLOCK);
        let (Some(rest), Some(room)) = (units.get(at..end), dst.get_mut(at..end)) else { break };
        let rest = portable::single_byte::utf16_to_single_byte(table, big, rest.as_flattened(), room);
        at += rest.written;
        if at < end {
            break;
        }
    }
    Moved { read: 2 * at, written: at }
}
