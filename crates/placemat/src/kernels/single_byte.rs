//! Single-byte encodings to and from UTF-8, by table, for every encoding the same code.
//!
//! # To UTF-8
//!
//! Three tables of 256 bytes hold, for each byte, the last byte of its UTF-8, the one before that, and the one before
//! that, zero where there is none. 64 bytes are looked up at once, and what is not zero is packed:
//!
//! ```text
//! source       41        E9            80           41 = A, E9 = й in windows-1251, 80 of CP874 = €
//! last         41        B9            AC
//! before        0        D0            82
//! first         0         0            E2
//! in order     0 0 41    0 D0 B9      E2 82 AC
//! packed       41 D0 B9 E2 82 AC
//! ```
//!
//! Blocks without a sequence of three bytes need two of the tables and half the packing. An encoding that has ASCII in
//! its lower half needs no look-up for that. Where most of the upper half has three bytes, as in Thai encodings, the
//! short way is not tried.
//!
//! AVX-512 and NEON look up in 128 bytes with an instruction or two. Elsewhere it takes eight shuffles, one for each 16
//! bytes of the table, and seven choices among them, by bits 4, 5 and 6. There
//! - blocks whose bytes are all ASCII or from C0 up, where most encodings have their letters, use the last quarter of
//!   the tables, which takes less than half: four shuffles and three choices;
//! - blocks with longer sequences are done by the byte, but for what is ASCII, as the portable kernel does;
//! - with registers of 16 bytes, encodings without ASCII, or with mostly three bytes, are left to that kernel.
//!
//! The last block may be of any length: it is filled up with zeros, and what the zeros become is taken off the end.
//!
//! Tried and slower on 2026-11-21 (GB/s): one loop for whole blocks and the end, which chooses the place to write to with
//! each block (AVX-512, windows-1251: 10 to 12 against 14); planes in natural order on AVX-512, both permuted before they
//! are zipped, in this loop (CSV in windows-1252: 27 against 30); all three planes for longer sequences on AVX2 and SSE4.1
//! (HTML in windows-1252: 4.0 against 4.3, and 2.5 against 3.2).
//!
//! # From UTF-8
//!
//! A sequence of two bytes is found by its lead byte, one of a few that occur in the encoding, and the row of 64 bytes
//! for its continuation bytes: as many look-ups for a block as there are such lead bytes in it. The four that have most
//! are done so. Blocks with others, or with longer sequences, become UTF-16 first, and each unit is looked up by itself.

#![cfg_attr(
    not(feature = "internals"),
    allow(dead_code, unreachable_pub, reason = "the encodings that use it are still to come")
)]
#![allow(
    clippy::cast_possible_truncation,
    reason = "bytes are taken out of code points, and numbers are below 256"
)]

use super::utf8_to_utf16::utf8_to_utf16;
use super::{Moved, portable};
use crate::simd::{BLOCK, Shuffle};
use crate::unit::Le;

/// In a table of code points: the byte is not defined. It is a noncharacter, which no encoding has.
pub const UNDEFINED: u16 = 0xFFFF;
/// What stands for an undefined byte as its `before` and `first`: together they never occur in UTF-8.
const UNDEFINED_BEFORE: u8 = 0x80;
const UNDEFINED_FIRST: u8 = 0xFF;
/// The length of what is undefined: more than that of any stretch of text that is looked at as a whole.
pub(crate) const UNDEFINED_LEN: usize = 0x80;

/// A single-byte encoding as the kernel to UTF-8 wants it: the UTF-8 of each byte.
#[derive(Debug)]
#[repr(align(64))]
pub struct SingleByteDecoder {
    /// Of each sequence the last byte, the one before, and the one before that; zero where there is none.
    last: [u8; 256],
    before: [u8; 256],
    first: [u8; 256],
    /// Each sequence in the low three bytes, and how long it is in the top one; [`UNDEFINED_LEN`] for what is undefined.
    words: [u32; 256],
    ascii: bool,
    /// How long byte 0 is; 0 if it is undefined.
    len_of_zero: usize,
    /// Whether all bytes from C0 up have sequences of two bytes.
    letters_of_two: bool,
    /// Whether more than half of the bytes from 80 up have sequences of three bytes.
    mostly_three: bool,
}

impl SingleByteDecoder {
    /// The tables for an encoding, from the code points of its bytes, [`UNDEFINED`] for those that have none.
    #[must_use]
    pub const fn new(code_points: &[u16; 256]) -> Self {
        let mut table = Self {
            last: [0; 256],
            before: [0; 256],
            first: [0; 256],
            words: [0; 256],
            ascii: true,
            len_of_zero: 0,
            letters_of_two: true,
            mostly_three: false,
        };
        let (mut byte, mut of_three) = (0, 0);
        while byte < 256 {
            let c = code_points[byte];
            let [last, third] = [c as u8 & 0x3F | 0x80, (c >> 6) as u8 & 0x3F | 0x80];
            let (first, before, last, len) = match c {
                UNDEFINED => (UNDEFINED_FIRST, UNDEFINED_BEFORE, 0, 0),
                0..0x80 => (0, 0, c as u8, 1),
                0x80..0x800 => (0, (c >> 6) as u8 | 0xC0, last, 2),
                0x800.. => ((c >> 12) as u8 | 0xE0, third, last, 3),
            };
            table.last[byte] = last;
            table.before[byte] = before;
            table.first[byte] = first;
            table.words[byte] = match len {
                0 => (UNDEFINED_LEN as u32) << 24,
                1 => u32::from_le_bytes([last, 0, 0, 1]),
                2 => u32::from_le_bytes([before, last, 0, 2]),
                _ => u32::from_le_bytes([first, before, last, 3]),
            };
            table.ascii &= byte >= 0x80 || c as usize == byte;
            table.letters_of_two &= byte < 0xC0 || len == 2;
            of_three += (byte >= 0x80 && len == 3) as usize;
            if byte == 0 {
                table.len_of_zero = len;
            }
            byte += 1;
        }
        table.mostly_three = of_three > 64;
        table
    }

    /// Whether bytes below 80 are ASCII.
    pub(crate) const fn is_ascii_superset(&self) -> bool {
        self.ascii
    }

    /// The UTF-8 of a byte in the low bytes of a word, and its length; [`UNDEFINED_LEN`] if it is undefined.
    #[inline(always)]
    pub(crate) const fn utf8_of(&self, byte: u8) -> (u32, usize) {
        let word = self.words[byte as usize];
        (word, (word >> 24) as usize)
    }
}

/// How many lead bytes are looked up in vectors.
const LEADS: usize = 4;

/// A single-byte encoding as the kernel from UTF-8 wants it: the byte of each code point. `R` is an array of rows where
/// it is made, and a slice where it is used.
#[derive(Debug)]
pub struct SingleByteEncoder<R: ?Sized = [[u8; 64]]> {
    /// The bytes of ASCII.
    ascii: [u8; 128],
    identity: bool,
    /// The code point that byte 0 is for. Everywhere else, 0 says that there is none.
    zero: u16,
    /// Lead bytes of two-byte sequences that occur most, and their rows.
    leads: [u8; LEADS],
    lead_rows: [[u8; 64]; LEADS],
    /// The number of the row of each 64 code points.
    pages: [u8; 1024],
    rows: R,
}

impl SingleByteEncoder {
    /// How many rows the table of an encoding has.
    #[must_use]
    pub const fn rows(code_points: &[u16; 256]) -> usize {
        let (mut rows, mut seen, mut byte) = (1, [false; 1024], 0);
        while byte < 256 {
            let page = code_points[byte] as usize >> 6;
            if code_points[byte] != UNDEFINED && !seen[page] {
                seen[page] = true;
                rows += 1;
            }
            byte += 1;
        }
        rows
    }

    /// The byte of a code point.
    #[inline(always)]
    pub(crate) const fn byte_of(&self, code_point: u32) -> Option<u8> {
        if code_point > 0xFFFF {
            return None;
        }
        let byte = self.rows[self.pages[code_point as usize >> 6] as usize][code_point as usize & 63];
        if byte != 0 || code_point == self.zero as u32 { Some(byte) } else { None }
    }

    /// Writes the byte of each UTF-16 unit, in little-endian order, to a place of the same number. Whether all have one;
    /// what was written is of no use otherwise.
    #[inline(never)]
    fn look_up_all(&self, units: &[[u8; 2]], out: &mut [u8]) -> bool {
        let mut zeros = false;
        for (&unit, slot) in units.iter().zip(out.iter_mut()) {
            let unit = u16::from_le_bytes(unit);
            *slot = self.rows[usize::from(self.pages[usize::from(unit >> 6)])][usize::from(unit & 63)];
            zeros |= *slot == 0;
        }
        let right = |(&unit, &byte): (&[u8; 2], &u8)| byte != 0 || u16::from_le_bytes(unit) == self.zero;
        !zeros || units.iter().zip(&*out).all(right)
    }
}

impl<const ROWS: usize> SingleByteEncoder<[[u8; 64]; ROWS]> {
    /// The tables for an encoding, from the code points of its bytes; `ROWS` is
    /// [`rows`](SingleByteEncoder::rows)`(code_points)`. Of several bytes for a code point, the lowest is used.
    #[must_use]
    pub const fn new(code_points: &[u16; 256]) -> Self {
        let mut table = Self {
            ascii: [0; 128],
            identity: true,
            zero: code_points[0],
            leads: [0; LEADS],
            lead_rows: [[0; 64]; LEADS],
            pages: [0; 1024],
            rows: [[0; 64]; ROWS],
        };
        let (mut used, mut byte) = (1, 256);
        while byte > 0 {
            byte -= 1;
            let c = code_points[byte] as usize;
            if c == UNDEFINED as usize {
                continue;
            }
            if table.pages[c >> 6] == 0 {
                table.pages[c >> 6] = used;
                used += 1;
            }
            table.rows[table.pages[c >> 6] as usize][c & 63] = byte as u8;
            if c < 0x80 {
                table.ascii[c] = byte as u8;
            }
        }
        let mut c = 0;
        while c < 128 {
            table.identity &= table.ascii[c] as usize == c;
            c += 1;
        }
        // The lead bytes by how many code points they have, most first.
        let (mut place, mut done) = (0, [false; 32]);
        while place < LEADS {
            let (mut best, mut most, mut lead) = (0, 0, 2);
            while lead < 32 {
                let row = table.rows[table.pages[lead] as usize];
                let (mut count, mut i) = (0, 0);
                while i < 64 {
                    count += (row[i] != 0) as usize;
                    i += 1;
                }
                if count > most && !done[lead] {
                    (best, most) = (lead, count);
                }
                lead += 1;
            }
            if most > 0 {
                done[best] = true;
                table.leads[place] = 0xC0 | best as u8;
                table.lead_rows[place] = table.rows[table.pages[best] as usize];
            }
            place += 1;
        }
        table
    }
}

/// Room for what a block becomes: at most 192 bytes, and what the last of four steps writes beyond, at 144 at most.
const ROOM: usize = 144 + portable::single_byte::ROOM;

/// The 64 bytes of `out` from `at` on.
#[inline(always)]
fn from(out: &mut [u8; ROOM], at: usize) -> &mut [u8; BLOCK] {
    match out.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        Some(out) => out,
        None => unreachable!(),
    }
}

/// The last quarter, which is for bytes from C0 up.
#[inline(always)]
fn last_quarter(table: &[u8; 256]) -> &[u8; 64] {
    match table.last_chunk() {
        Some(quarter) => quarter,
        None => unreachable!(),
    }
}

/// The tables of a plane as a level has them: for bytes below 80, for those above, and for those from C0 up.
struct Plane<S: Shuffle> {
    lower: S::Table128,
    upper: S::Table128,
    quarter: S::Table64,
}

impl<S: Shuffle> Plane<S> {
    #[inline(always)]
    fn new(simd: S, table: &[u8; 256]) -> Self {
        match table.as_chunks() {
            ([lower, upper], []) => Self {
                lower: simd.table128(lower),
                upper: simd.table128(upper),
                quarter: simd.table64(last_quarter(table)),
            },
            _ => unreachable!(),
        }
    }

    /// For each byte, what the table has there; with `ASCII`, `below` for those that are not in `high`.
    #[inline(always)]
    fn look_up<const ASCII: bool>(
        &self,
        simd: S,
        bytes: S::Block,
        high: S::Mask,
        below: S::Block,
    ) -> S::Block {
        let below = if ASCII { below } else { simd.lookup128(self.lower, bytes) };
        simd.select(high, simd.lookup128(self.upper, bytes), below)
    }
}

/// Writes a block a byte at a time, but for what is ASCII.
#[inline(always)]
fn write_steps(table: &SingleByteDecoder, block: &[u8; BLOCK], out: &mut [u8; ROOM]) -> Option<usize> {
    let mut at = 0;
    for step in block.as_chunks().0 {
        let out = out.get_mut(at..).and_then(<[u8]>::first_chunk_mut)?;
        at += portable::single_byte::write(table, step, out)?;
    }
    Some(at)
}

/// Writes a block, at most three bytes for each. Returns how many, or `None` if a byte is not defined.
#[inline(always)]
fn write<S: Shuffle, const ASCII: bool>(
    simd: S,
    table: &SingleByteDecoder,
    [last, before, first]: &[Plane<S>; 3],
    bytes: S::Block,
    out: &mut [u8; ROOM],
) -> Option<usize> {
    let zero = simd.splat(0);
    let ordered = simd.order_for_zip(bytes);
    // In which order does not matter here; with mask registers, one mask is all that is needed below.
    let high = simd.high_bit(if S::MASK_REGISTERS { ordered } else { bytes });
    if ASCII && !simd.any(high) {
        simd.store(bytes, from(out, 0));
        return Some(BLOCK);
    }
    if !table.mostly_three {
        let mask = if S::MASK_REGISTERS { high } else { simd.high_bit(ordered) };
        // Bit 6 in the place of bit 7, and what the bits below are does not matter.
        let from_c0 = simd.shl16::<1>(ordered);
        let (last, before) = if ASCII
            && !S::LONG_TABLES
            && table.letters_of_two
            && !simd.any_high_bit(simd.and_not(ordered, from_c0))
        {
            (simd.lookup64(last.quarter, ordered), simd.lookup64(before.quarter, ordered))
        } else {
            (
                last.look_up::<ASCII>(simd, ordered, mask, ordered),
                before.look_up::<ASCII>(simd, ordered, mask, zero),
            )
        };
        let two = simd.ge(before, simd.splat(0xC0));
        // Sequences of three bytes, and what is undefined, have a continuation byte before the last.
        let there = if ASCII { mask } else { simd.high_bit(before) };
        if !simd.any(simd.both(there, simd.not(two))) {
            return Some(if S::MASK_REGISTERS {
                // To pack by any mask costs the same. As bytes, 0 and 1 are the least that a pair's first and second are.
                let [pairs0, pairs1] = simd.zip8_ordered(before, last);
                let least = simd.splat16(0x0001);
                let len = simd.pack8(pairs0, simd.bits(simd.ge(pairs0, least)), from(out, 0));
                len + simd.pack8(pairs1, simd.bits(simd.ge(pairs1, least)), from(out, len))
            } else {
                let two = if ASCII { mask } else { two };
                let lead =
                    if ASCII { simd.select(two, before, ordered) } else { simd.select(two, before, last) };
                let [pairs0, pairs1] = simd.zip8_ordered(lead, simd.keep(two, last));
                if ASCII {
                    let seconds = simd.bits(high);
                    let len = simd.pack_pairs_known(pairs0, seconds as u32, from(out, 0));
                    len + simd.pack_pairs_known(pairs1, (seconds >> 32) as u32, from(out, len))
                } else {
                    let len = simd.pack_pairs(pairs0, from(out, 0));
                    len + simd.pack_pairs(pairs1, from(out, len))
                }
            });
        }
        if !S::LONG_TABLES {
            let mut block = [0; BLOCK];
            simd.store(bytes, &mut block);
            return write_steps(table, &block, out);
        }
    }
    let bytes = simd.order_for_zip4(bytes);
    let high = simd.high_bit(bytes);
    let first = first.look_up::<ASCII>(simd, bytes, high, zero);
    if simd.any(simd.eq(first, simd.splat(UNDEFINED_FIRST))) {
        return None;
    }
    let before = before.look_up::<ASCII>(simd, bytes, high, zero);
    let last = last.look_up::<ASCII>(simd, bytes, high, bytes);
    let [quads0, quads1, quads2, quads3] = simd.zip4_ordered([zero, first, before, last]);
    let mut at = simd.pack_trios(quads0, from(out, 0));
    at += simd.pack_trios(quads1, from(out, at));
    at += simd.pack_trios(quads2, from(out, at));
    at += simd.pack_trios(quads3, from(out, at));
    Some(at)
}

/// Converts the longest prefix that is defined and fits.
#[inline(always)]
pub(crate) fn single_byte_to_utf8<S: Shuffle>(
    simd: S,
    table: &SingleByteDecoder,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    if !S::LONG_TABLES && S::UNROLL == 1 && (table.mostly_three || !table.ascii) {
        // Four look-ups for a byte, or longer sequences: with registers of 16 bytes they take longer than a word does.
        portable::single_byte::single_byte_to_utf8(table, src, dst)
    } else if table.ascii {
        to_utf8::<S, true>(simd, table, src, dst)
    } else {
        to_utf8::<S, false>(simd, table, src, dst)
    }
}

#[inline(always)]
fn to_utf8<S: Shuffle, const ASCII: bool>(
    simd: S,
    table: &SingleByteDecoder,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let planes =
        [Plane::new(simd, &table.last), Plane::new(simd, &table.before), Plane::new(simd, &table.first)];
    let mut moved = Moved::default();
    let defined = loop {
        let (Some(block), Some(out)) = (
            src.get(moved.read..).and_then(<[u8]>::first_chunk),
            dst.get_mut(moved.written..).and_then(<[u8]>::first_chunk_mut),
        ) else {
            break true;
        };
        let Some(len) = write::<S, ASCII>(simd, table, &planes, simd.load(block), out) else { break false };
        moved.read += BLOCK;
        moved.written += len;
    };
    // What is left is less than a block, or there is too little room for the most that a block can become.
    while let Some(rest) = src.get(moved.read..).filter(|rest| defined && !rest.is_empty()) {
        let taken = rest.len().min(BLOCK);
        // Zeros come after it.
        let bytes = simd.load_partial(rest);
        let room = dst.get_mut(moved.written..).unwrap_or_default();
        let (mut aside, fits) = ([0; ROOM], room.len() >= ROOM);
        let Some(len) =
            write::<S, ASCII>(simd, table, &planes, bytes, room.first_chunk_mut().unwrap_or(&mut aside))
        else {
            break;
        };
        let len = len - (BLOCK - taken) * table.len_of_zero;
        if !fits {
            let (Some(room), Some(aside)) = (room.get_mut(..len), aside.get(..len)) else { break };
            room.copy_from_slice(aside);
        }
        moved.read += taken;
        moved.written += len;
    }
    if moved.read == src.len() { moved } else { finish_to_utf8(table, src, dst, moved) }
}

/// The rest, which does not fit, or has an undefined byte.
#[cold]
#[inline(never)]
fn finish_to_utf8(table: &SingleByteDecoder, src: &[u8], dst: &mut [u8], moved: Moved) -> Moved {
    let (Some(src), Some(dst)) = (src.get(moved.read..), dst.get_mut(moved.written..)) else { return moved };
    let rest = portable::single_byte::single_byte_to_utf8(table, src, dst);
    Moved { read: moved.read + rest.read, written: moved.written + rest.written }
}

/// Converts the longest prefix that is well-formed, that the encoding holds, and that fits.
#[inline(always)]
pub(crate) fn utf8_to_single_byte<S: Shuffle>(
    simd: S,
    table: &SingleByteEncoder,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let ascii = simd.table128(&table.ascii);
    let mut rows = [simd.table64(&table.lead_rows[0]); LEADS];
    for (to, row) in rows.iter_mut().zip(&table.lead_rows) {
        *to = simd.table64(row);
    }
    let zero = simd.splat(0);
    let mut moved = Moved::default();
    loop {
        // Whole sequences begin and end a block; where one is cut in two, the block ends before it.
        let (Some(bytes), Some(out)) = (
            src.get(moved.read..).and_then(<[u8]>::first_chunk::<64>),
            dst.get_mut(moved.written..).and_then(<[u8]>::first_chunk_mut::<64>),
        ) else {
            return by_units(simd, table, src, dst, moved, usize::MAX).0;
        };
        let block = simd.load(bytes);
        let high = simd.high_bit(block);
        if table.identity && !simd.any(high) {
            simd.store(block, out);
            moved.read += 64;
            moved.written += 64;
            continue;
        }
        // C0 and C1 are among these, but no row is theirs.
        let leads = simd.ge(block, simd.splat(0xC0));
        let lead = simd.bits(leads);
        let mut good = simd.bits(high) & !lead == lead << 1;
        if good {
            let before = simd.after_zeros::<1>(block);
            let mut to = if table.identity { block } else { simd.lookup128(ascii, block) };
            let mut open = simd.both(high, simd.not(leads));
            for (row, lead) in rows.into_iter().zip(table.leads) {
                // A lead byte 0, where there are fewer than four, finds what comes after NUL; that is no continuation byte.
                let here = simd.both(simd.eq(before, simd.splat(lead)), open);
                to = simd.select(here, simd.lookup64(row, block), to);
                open = simd.both(open, simd.not(here));
                if !simd.any(open) {
                    break;
                }
            }
            // 0 is for U+0000 alone; where it is for something else, the other way sees to it.
            let right = simd.either(simd.eq(block, zero), leads);
            let wrong = simd.either(open, simd.both(simd.eq(to, zero), simd.not(right)));
            good = !simd.any(wrong) && table.zero == 0;
            if good {
                moved.written += simd.pack8(to, !lead, out);
                moved.read += 64 - usize::from(lead >> 63 == 1);
            }
        }
        if !good {
            // Where one block does not serve, those after it seldom do.
            let (next, went_on) = by_units(simd, table, src, dst, moved, PIECE);
            moved = next;
            if !went_on {
                return moved;
            }
        }
    }
}

/// How much becomes UTF-16 at a time, in bytes.
const PIECE: usize = 512;

/// Goes on for `len` bytes of the source, or a little less, by way of UTF-16 units, each of which is looked up by itself.
/// Also whether it got so far.
#[inline(always)]
fn by_units<S: Shuffle>(
    simd: S,
    table: &SingleByteEncoder,
    src: &[u8],
    dst: &mut [u8],
    mut moved: Moved,
    len: usize,
) -> (Moved, bool) {
    let end = src.len().min(moved.read.saturating_add(len));
    let mut units = [0; 2 * PIECE];
    loop {
        let piece = src.get(moved.read..end).unwrap_or_default();
        let piece = piece.get(..PIECE).unwrap_or(piece);
        let part = utf8_to_utf16::<Le, S>(simd, piece, &mut units);
        let units = units.get(..part.written).unwrap_or_default().as_chunks().0;
        let out = dst.get_mut(moved.written..moved.written + units.len());
        if !out.is_some_and(|out| table.look_up_all(units, out)) {
            // Something has no byte, or no room.
            let dst = dst.get_mut(moved.written..).unwrap_or_default();
            let part = portable::single_byte::utf8_to_single_byte(table, piece, dst);
            return (Moved { read: moved.read + part.read, written: moved.written + part.written }, false);
        }
        moved.read += part.read;
        moved.written += units.len();
        // A sequence that the end of the piece cuts off has three bytes at most.
        if part.read + 3 < piece.len() || part.read == 0 {
            return (moved, false);
        }
        if moved.read + 3 >= end && end < src.len() {
            return (moved, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::{Isa, Kernels};
    use crate::kernels::portable::samples::Numbers;

    /// Encodings of every kind: with ASCII and without, with sequences of one to three bytes, with holes, and one whose
    /// byte 0 is not U+0000.
    fn encodings() -> Vec<[u16; 256]> {
        let upper = |first: u16, step: u16| {
            core::array::from_fn(
                |byte| if byte < 128 { byte as u16 } else { first + (byte as u16 - 128) * step },
            )
        };
        let mut thai: [u16; 256] = upper(0xE00, 1);
        thai[0x80] = 0x20AC;
        thai[0x81..0x85].fill(UNDEFINED);
        thai[0xFC..].fill(UNDEFINED);
        let mut western: [u16; 256] = upper(0x80, 1);
        western[0x80..0x84].copy_from_slice(&[0x20AC, UNDEFINED, 0x201A, 0x192]);
        let ebcdic = core::array::from_fn(|byte| (byte as u16).wrapping_mul(167) & 0xFF);
        let strange = core::array::from_fn(|byte| (byte as u16).wrapping_mul(167) & 0xFF ^ 0x5A);
        vec![upper(0x400, 1), upper(0x80, 1), thai, western, ebcdic, upper(0x100, 0x19F), strange]
    }

    fn decoded(code_points: &[u16; 256], src: &[u8], room: usize) -> (usize, String) {
        let (mut read, mut text) = (0, String::new());
        for &byte in src {
            let c = code_points[usize::from(byte)];
            let Some(c) = char::from_u32(c.into()).filter(|_| c != UNDEFINED) else { break };
            if text.len() + c.len_utf8() > room {
                break;
            }
            text.push(c);
            read += 1;
        }
        (read, text)
    }

    fn encoded(code_points: &[u16; 256], src: &[u8], room: usize) -> (usize, Vec<u8>) {
        let good = match core::str::from_utf8(src) {
            Ok(text) => text,
            Err(e) => core::str::from_utf8(&src[..e.valid_up_to()]).expect("it is valid up to there"),
        };
        let (mut read, mut bytes) = (0, Vec::new());
        for c in good.chars().take(room) {
            let same = |&of: &u16| u32::from(of) == u32::from(c) && of != UNDEFINED;
            let Some(byte) = code_points.iter().position(same) else { break };
            bytes.push(byte as u8);
            read += c.len_utf8();
        }
        (read, bytes)
    }

    #[test]
    fn both_ways_agree_with_the_table_on_every_level() {
        let mut numbers = Numbers::new(77);
        for code_points in encodings() {
            let decoder = SingleByteDecoder::new(&code_points);
            let encoder: Box<SingleByteEncoder> =
                Box::new(SingleByteEncoder::<[[u8; 64]; 140]>::new(&code_points));
            assert!(SingleByteEncoder::rows(&code_points) <= 140);
            for round in 0..1500 {
                let len = numbers.below(if round % 4 == 0 { 700 } else { 150 });
                let style = numbers.below(5);
                let mut src: Vec<u8> = (0..len)
                    .map(|_| {
                        let byte = numbers.below(256) as u8;
                        match style {
                            0 => byte,
                            1 => byte | 0x80,
                            2 => byte & 0x7F,
                            3 if numbers.below(20) != 0 => byte & 0x7F,
                            _ => byte,
                        }
                    })
                    .collect();
                // Else most texts would end at once.
                let defined = (65..=255u8).find(|&b| code_points[usize::from(b)] != UNDEFINED);
                let defined = defined.expect("an encoding has letters");
                if round % 3 != 0 {
                    let hole = |b: &&mut u8| code_points[usize::from(**b)] == UNDEFINED;
                    src.iter_mut().filter(hole).for_each(|b| *b = defined);
                }
                let room = if round % 5 == 0 { numbers.below(3 * len + 1) } else { 3 * len };
                let (read, text) = decoded(&code_points, &src, room);
                for kernels in Isa::available().filter_map(Kernels::of) {
                    let mut dst = vec![0xA5; room + 1];
                    let moved = kernels.single_byte_to_utf8(&decoder, &src, &mut dst[..room]);
                    let isa = kernels.isa();
                    assert_eq!(moved, Moved { read, written: text.len() }, "{isa} {src:02x?}");
                    assert_eq!(&dst[..text.len()], text.as_bytes(), "{isa} {src:02x?}");
                    assert_eq!(dst[room], 0xA5);
                }

                let mut utf8 = text.into_bytes();
                if round % 3 == 1 && !utf8.is_empty() {
                    let at = numbers.below(utf8.len());
                    utf8[at] = numbers.below(256) as u8;
                }
                if round % 7 == 1 {
                    utf8.extend_from_slice("日本語 and what no table has: 𝄞".as_bytes());
                }
                let room = if round % 5 == 1 { numbers.below(utf8.len() + 1) } else { utf8.len() };
                let (read, bytes) = encoded(&code_points, &utf8, room);
                for kernels in Isa::available().filter_map(Kernels::of) {
                    let mut dst = vec![0xA5; room + 1];
                    let moved = kernels.utf8_to_single_byte(&encoder, &utf8, &mut dst[..room]);
                    let isa = kernels.isa();
                    assert_eq!(moved, Moved { read, written: bytes.len() }, "{isa} {utf8:02x?}");
                    assert_eq!(&dst[..bytes.len()], &bytes[..], "{isa} {utf8:02x?}");
                    assert_eq!(dst[room], 0xA5);
                }
            }
        }
    }
}
