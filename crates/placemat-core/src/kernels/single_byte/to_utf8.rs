//! Single-byte encodings to UTF-8.
//!
//! Three tables of 256 bytes hold, for each byte, the last byte of its UTF-8, the one before that, and the one before
//! that, zero where there is none. 64 bytes are looked up at once, and the bytes that are not zero are packed:
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
//! - blocks with up to eight bytes beyond ASCII are copied, and from behind each of these once more; with AVX-512
//!   French would take longer so;
//! - blocks whose bytes are all ASCII or from C0 up, where most encodings have their letters, use the last quarter of
//!   the tables, which takes less than half: four shuffles and three choices;
//! - blocks with longer sequences are done by the byte, but for ASCII, as the portable kernel does;
//! - with registers of 16 bytes, encodings without ASCII, or with mostly three bytes, are left to that kernel.
//!
//! An encoding that is Latin-1 but for 80 to 9F, as windows-1252 is, needs no look-up where none of these occur, and goes
//! the way of [`latin1_to_utf8`].
//!
//! The last block may be of any length: it is filled up with zeros, and the output of the zeros is taken off the end.
//!
//! What was tried and is slower: `lab/single_byte.md`.

use super::plane::{Plane, are_letters, has_controls};
use super::tables::{SingleByteDecoder, UNDEFINED_FIRST, UNDEFINED_LEN};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::kernels::{Moved, latin1_to_utf8, portable};
use crate::simd::{BLOCK, Shuffle};

/// Room for the output of a block: at most 192 bytes, and those that the last of four steps writes beyond, at 144 at most.
const ROOM: usize = 144 + portable::single_byte::ROOM_BYTES;

/// Texts shorter than this are done byte by byte: the tables of vectors take longer to load.
const SHORT: usize = 12;

/// The 64 bytes of `out` from `at` on.
#[inline(always)]
fn from(out: &mut [u8; ROOM], at: usize) -> &mut [u8; BLOCK] {
    match chunk_at_mut!(out, at) {
        Some(out) => out,
        None => unreachable!(),
    }
}

/// Writes a block a byte at a time, but for ASCII.
#[inline(always)]
fn write_steps(table: &SingleByteDecoder, block: &[u8; BLOCK], out: &mut [u8; ROOM]) -> Option<usize> {
    let mut at = 0;
    for step in block.as_chunks().0 {
        let out = chunk_at_mut!(out, at)?;
        at += portable::single_byte::write(table, step, out)?;
    }
    Some(at)
}

/// The most bytes of a block that are looked at one by one for a third byte of UTF-8.
const FEW: u32 = 8;
/// The most bytes beyond ASCII in a block for which it is copied again from behind each of them.
const SPARSE: u32 = 8;

/// Copies a block that is written as pairs, each without the first of three bytes, and inserts those: from each on, the
/// rest is copied once more, a byte further on. `natural` are the bytes that are not ASCII, and `others` those of them that
/// may have three.
#[inline(always)]
fn insert_firsts(
    table: &SingleByteDecoder,
    block: &[u8; BLOCK],
    natural: u64,
    mut others: u64,
    pairs: &[u8; 4 * BLOCK],
    out: &mut [u8; ROOM],
) -> Option<usize> {
    *out.first_chunk_mut()? = *pairs.first_chunk::<{ 2 * BLOCK }>()?;
    let mut inserted = 0;
    while others != 0 {
        let i = others.trailing_zeros() as usize;
        others &= others - 1;
        let first = table.first[usize::from(*block.get(i)?)];
        if first == 0 {
            continue;
        }
        if first == UNDEFINED_FIRST {
            return None;
        }
        let at = i + (natural & ((1 << i) - 1)).count_ones() as usize;
        *out.get_mut(at + inserted)? = first;
        inserted += 1;
        if at < BLOCK {
            *chunk_at_mut!(out, at + inserted, 2 * BLOCK)? = *chunk_at!(pairs, at, 2 * BLOCK)?;
        } else {
            *chunk_at_mut!(out, at + inserted, BLOCK)? = *chunk_at!(pairs, at, BLOCK)?;
        }
    }
    Some(BLOCK + natural.count_ones() as usize + inserted)
}

/// Writes a block of ASCII and few other bytes, those of `others`: each of these, and from behind it the rest of the block once more. What
/// follows the block does not matter. Returns how many bytes, or `None` if a byte is not defined.
#[inline(always)]
fn write_sparse(
    table: &SingleByteDecoder,
    block: &[u8; 2 * BLOCK],
    mut others: u64,
    out: &mut [u8; ROOM],
) -> Option<usize> {
    *out.first_chunk_mut()? = *block.first_chunk::<BLOCK>()?;
    // How many bytes more than those of the block are written.
    let mut more = 0;
    while others != 0 {
        let i = others.trailing_zeros() as usize;
        others &= others - 1;
        let (word, len) = table.utf8_of(*block.get(i)?);
        *chunk_at_mut!(out, i + more)? = word.to_le_bytes();
        more += len - 1;
        *chunk_at_mut!(out, i + 1 + more, BLOCK)? = *chunk_at!(block, i + 1, BLOCK)?;
    }
    // Where a byte is not defined, its length is beyond that of all others.
    (more < UNDEFINED_LEN - 1).then_some(BLOCK + more)
}

/// Writes a block, at most three bytes for each. Returns how many, or `None` if a byte is not defined. `rest` is the text from the block
/// on.
#[inline(always)]
fn write<S: Shuffle, const ASCII: bool>(
    simd: S,
    table: &SingleByteDecoder,
    [last, before, first]: &[Plane<S>; 3],
    bytes: S::Block,
    rest: &[u8],
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
    let natural = simd.bits(simd.high_bit(bytes));
    if ASCII && table.mostly_latin1 && !has_controls(simd, bytes) {
        return Some(latin1_to_utf8::write(simd, bytes, natural, out.first_chunk_mut()?));
    }
    // Not at the end of a text: to load it again soon after it was put together from parts takes long.
    if ASCII
        && !S::FAST_LOOKUP128
        && natural.count_ones() <= SPARSE
        && let Some(block) = rest.first_chunk()
    {
        return write_sparse(table, block, natural, out);
    }
    if !table.mostly_three {
        let mask = if S::MASK_REGISTERS { high } else { simd.high_bit(ordered) };
        let (last, before) =
            if ASCII && !S::FAST_LOOKUP128 && table.letters_of_two && are_letters(simd, ordered) {
                (simd.lookup64(last.quarter, ordered), simd.lookup64(before.quarter, ordered))
            } else {
                (
                    last.look_up::<ASCII>(simd, ordered, mask, ordered),
                    before.look_up::<ASCII>(simd, ordered, mask, zero),
                )
            };
        let two = simd.ge(before, simd.splat(0xC0));
        // Sequences of three bytes, and undefined bytes, have a continuation byte before the last.
        let there = if ASCII { mask } else { simd.high_bit(before) };
        if !simd.any(simd.both(there, simd.not(two))) {
            return Some(if S::MASK_REGISTERS {
                // The mask makes no difference to the cost of packing. As bytes, 0 and 1 are the least that a pair's
                // first and second are.
                let [pairs0, pairs1] = simd.zip8_ordered(before, last);
                let least = simd.splat16(0x0001);
                let len = simd.pack8(pairs0, simd.bits(simd.ge(pairs0, least)), from(out, 0));
                if ASCII {
                    // The length that packing returns, known earlier.
                    let middle = BLOCK / 2 + (natural as u32).count_ones() as usize;
                    simd.pack8(pairs1, simd.bits(simd.ge(pairs1, least)), from(out, middle));
                    BLOCK + natural.count_ones() as usize
                } else {
                    len + simd.pack8(pairs1, simd.bits(simd.ge(pairs1, least)), from(out, len))
                }
            } else {
                let two = if ASCII { mask } else { two };
                let lead =
                    if ASCII { simd.select(two, before, ordered) } else { simd.select(two, before, last) };
                let [pairs0, pairs1] = simd.zip8_ordered(lead, simd.keep(two, last));
                if ASCII {
                    let len = simd.pack_pairs_known(pairs0, natural as u32, from(out, 0));
                    len + simd.pack_pairs_known(pairs1, (natural >> 32) as u32, from(out, len))
                } else {
                    let len = simd.pack_pairs(pairs0, from(out, 0));
                    len + simd.pack_pairs(pairs1, from(out, len))
                }
            });
        }
        if !S::FAST_LOOKUP128 {
            let mut block = [0; BLOCK];
            simd.store(bytes, &mut block);
            // Where bytes from C0 up have two, the others may have three.
            let others = natural & !simd.bits(simd.ge(bytes, simd.splat(0xC0)));
            if ASCII && table.letters_of_two && others.count_ones() <= FEW {
                let lead = simd.select(mask, before, ordered);
                let [pairs0, pairs1] = simd.zip8_ordered(lead, simd.keep(mask, last));
                let mut aside = [0; 4 * BLOCK];
                let len = simd.pack_pairs_known(pairs0, natural as u32, aside.first_chunk_mut()?);
                simd.pack_pairs_known(pairs1, (natural >> 32) as u32, chunk_at_mut!(aside, len)?);
                return insert_firsts(table, &block, natural, others, &aside, out);
            }
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
    if src.len() < SHORT || !S::FAST_LOOKUP128 && S::UNROLL == 1 && (table.mostly_three || !table.ascii) {
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
        let (Some(block), Some(out)) = (chunk_at!(src, moved.read), chunk_at_mut!(dst, moved.written)) else {
            break true;
        };
        let rest = src.get(moved.read..).unwrap_or_default();
        let Some(len) = write::<S, ASCII>(simd, table, &planes, simd.load(block), rest, out) else {
            break false;
        };
        moved.read += BLOCK;
        moved.written += len;
    };
    // Less than a block is left, or there is too little room for the most that a block can become.
    while let Some(rest) = src.get(moved.read..).filter(|rest| defined && !rest.is_empty()) {
        let taken = rest.len().min(BLOCK);
        // Zeros come after it.
        let bytes = simd.load_partial(rest);
        let room = dst.get_mut(moved.written..).unwrap_or_default();
        let (mut aside, fits) = ([0; ROOM], room.len() >= ROOM);
        let Some(len) = write::<S, ASCII>(
            simd,
            table,
            &planes,
            bytes,
            rest,
            room.first_chunk_mut().unwrap_or(&mut aside),
        ) else {
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

/// Finishes the conversion in plain code, where the text does not fit, or has an undefined byte.
#[cold]
#[inline(never)]
fn finish_to_utf8(table: &SingleByteDecoder, src: &[u8], dst: &mut [u8], moved: Moved) -> Moved {
    let (Some(src), Some(dst)) = (src.get(moved.read..), dst.get_mut(moved.written..)) else { return moved };
    let rest = portable::single_byte::single_byte_to_utf8(table, src, dst);
    Moved { read: moved.read + rest.read, written: moved.written + rest.written }
}
