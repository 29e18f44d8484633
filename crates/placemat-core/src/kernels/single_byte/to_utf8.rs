//! Conversion of single-byte encodings to UTF-8.
//!
//! Three tables of 256 bytes contain the last byte of each byte's UTF-8, the one before it, and the
//! one before that, zero if there is none. 64 bytes are looked up at a time, and the bytes that are
//! not zero are packed:
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
//! Blocks without a three-byte sequence need two of the tables and half the packing. If the lower
//! half of an encoding is ASCII, it needs no lookup. If most of the upper half has three-byte
//! sequences, as in Thai encodings, this fast path is not tried.
//!
//! AVX-512 and NEON look up in 128 bytes with one or two instructions. Elsewhere it takes eight
//! shuffles, one for each 16 bytes of the table, and seven selections among them, by bits 4, 5 and
//! 6. There
//! - blocks with up to eight non-ASCII bytes are copied, and copied again from after each of these;
//!   with AVX-512 this would be slower for French;
//! - blocks whose bytes are all ASCII or from C0 up, where most encodings have their letters, use
//!   the last quarter of the tables, which takes less than half: four shuffles and three
//!   selections;
//! - blocks with longer sequences are converted byte by byte, except for ASCII, like in the
//!   portable kernel;
//! - on levels with 16-byte registers, the portable kernel converts encodings without ASCII, or
//!   with mostly three-byte sequences.
//!
//! An encoding that equals Latin-1 except for 80 to 9F, such as windows-1252, needs no lookup for
//! blocks without those bytes, which are converted like in [`latin1_to_utf8`].
//!
//! The last block may have any length: it is padded with zeros, and the output of the zeros is
//! dropped.
//!
//! Measurements, and what was slower: `lab/single_byte.md`.

use super::plane::{Plane, are_letters, has_controls};
use super::tables::{SingleByteDecoder, UNDEFINED_FIRST, UNDEFINED_LEN};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::kernels::{Moved, latin1_to_utf8, portable};
use crate::simd::{BLOCK, Shuffle, Slot};

/// Bytes of output of a block: at most 192, and those that the last of four steps, at offset 144 at
/// most, writes past them.
const ROOM_BYTES: usize = 144 + portable::single_byte::ROOM_BYTES;

/// Texts shorter than this are converted byte by byte: loading the vector tables takes longer.
const MIN_VECTOR_BYTES: usize = 12;

/// Returns the 64 bytes of `out` from `at` on, which is at most 144.
#[inline(always)]
fn from(out: &mut [Slot; ROOM_BYTES], at: usize) -> &mut [Slot; BLOCK] {
    // Without the limit, the compiler would keep a panic.
    match chunk_at_mut!(out, at.min(ROOM_BYTES - BLOCK)) {
        Some(out) => out,
        None => unreachable!(),
    }
}

/// Writes a block byte by byte, except for ASCII, like the portable kernel.
#[inline(always)]
fn write_steps(
    table: &SingleByteDecoder,
    block: &[u8; BLOCK],
    out: &mut [Slot; ROOM_BYTES],
) -> Option<usize> {
    let mut at = 0;
    for step in block.as_chunks().0 {
        let out = chunk_at_mut!(out, at)?;
        at += portable::single_byte::write(table, step, out)?;
    }
    Some(at)
}

/// Maximum number of bytes of a block that are tested one by one for a third byte of UTF-8.
const MAX_TESTED_BYTES: u32 = 8;
/// Maximum number of non-ASCII bytes in a block for which it is copied again from after each of
/// them.
const MAX_SPARSE_BYTES: u32 = 8;

/// Copies a block that was written as pairs, without the first bytes of three-byte sequences, and
/// inserts those: after each, the rest is copied again, a byte further on. `natural` has the
/// non-ASCII bytes, and `others` those of them that may have three bytes.
#[inline(always)]
fn insert_firsts(
    table: &SingleByteDecoder,
    block: &[u8; BLOCK],
    natural: u64,
    mut others: u64,
    pairs: &[u8; 4 * BLOCK],
    out: &mut [Slot; ROOM_BYTES],
) -> Option<usize> {
    Slot::write(out.first_chunk_mut()?, *pairs.first_chunk::<{ 2 * BLOCK }>()?);
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
        out.get_mut(at + inserted)?.set(first);
        inserted += 1;
        if at < BLOCK {
            Slot::write(chunk_at_mut!(out, at + inserted)?, *chunk_at!(pairs, at, 2 * BLOCK)?);
        } else {
            Slot::write(chunk_at_mut!(out, at + inserted)?, *chunk_at!(pairs, at, BLOCK)?);
        }
    }
    Some(BLOCK + natural.count_ones() as usize + inserted)
}

/// Writes a block of ASCII and few other bytes, `others`: each of these, and the rest of the block
/// again after it. The bytes after the block do not matter. Returns the number of bytes, or `None`
/// if a byte is undefined.
#[inline(always)]
fn write_sparse(
    table: &SingleByteDecoder,
    block: &[u8; 2 * BLOCK],
    mut others: u64,
    out: &mut [Slot; ROOM_BYTES],
) -> Option<usize> {
    Slot::write(out.first_chunk_mut()?, *block.first_chunk::<BLOCK>()?);
    // Number of bytes written beyond one per byte of the block.
    let mut more = 0;
    while others != 0 {
        let i = others.trailing_zeros() as usize;
        others &= others - 1;
        let (word, len) = table.utf8_of(*block.get(i)?);
        Slot::write(chunk_at_mut!(out, i + more)?, word.to_le_bytes());
        more += len - 1;
        Slot::write(chunk_at_mut!(out, i + 1 + more)?, *chunk_at!(block, i + 1, BLOCK)?);
    }
    // The length of an undefined byte exceeds any sum of other lengths.
    (more < UNDEFINED_LEN - 1).then_some(BLOCK + more)
}

/// Writes a block, at most three bytes for each of its bytes. Returns the number of bytes, or
/// `None` if a byte is undefined. `rest` is the text from the block on.
#[inline(always)]
fn write<S: Shuffle, const ASCII: bool>(
    simd: S,
    table: &SingleByteDecoder,
    [last, before, first]: &[Plane<S>; 3],
    bytes: S::Block,
    rest: &[u8],
    out: &mut [Slot; ROOM_BYTES],
) -> Option<usize> {
    let zero = simd.splat(0);
    let ordered = simd.order_for_zip(bytes);
    // The order does not matter here; with mask registers, the code below then needs only this
    // mask.
    let high = simd.high_bit(if S::MASK_REGISTERS { ordered } else { bytes });
    if ASCII && !simd.any(high) {
        simd.store(bytes, from(out, 0));
        return Some(BLOCK);
    }
    let natural = simd.bits(simd.high_bit(bytes));
    if ASCII && table.mostly_latin1 && !has_controls(simd, bytes) {
        return Some(latin1_to_utf8::write(simd, bytes, natural, out.first_chunk_mut()?));
    }
    // Not at the end of a text: loading a block again right after it was assembled from parts is
    // slow.
    if ASCII
        && !S::FAST_LOOKUP128
        && natural.count_ones() <= MAX_SPARSE_BYTES
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
        // Three-byte sequences and undefined bytes have a continuation byte before the last byte.
        let there = if ASCII { mask } else { simd.high_bit(before) };
        if !simd.any(simd.both(there, simd.not(two))) {
            return Some(if S::MASK_REGISTERS {
                // Any mask costs the same here: keep the first byte of each pair if it is not zero,
                // and always the second.
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
            simd.store(bytes, Slot::of_array(&mut block));
            // If bytes from C0 up have two bytes, the others may have three.
            let others = natural & !simd.bits(simd.ge(bytes, simd.splat(0xC0)));
            if ASCII && table.letters_of_two && others.count_ones() <= MAX_TESTED_BYTES {
                let lead = simd.select(mask, before, ordered);
                let [pairs0, pairs1] = simd.zip8_ordered(lead, simd.keep(mask, last));
                let mut aside = [0; 4 * BLOCK];
                let slots = Slot::of(&mut aside);
                let len = simd.pack_pairs_known(pairs0, natural as u32, slots.first_chunk_mut()?);
                simd.pack_pairs_known(pairs1, (natural >> 32) as u32, chunk_at_mut!(slots, len)?);
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
    dst: &mut [Slot],
) -> Moved {
    if src.len() < MIN_VECTOR_BYTES
        || !S::FAST_LOOKUP128 && S::UNROLL == 1 && (table.mostly_three || !table.ascii)
    {
        // On levels with 16-byte registers, four lookups per byte, or longer sequences, take longer
        // than a word per byte.
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
    dst: &mut [Slot],
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
    // Less than a block is left, or less room than a block may need.
    while let Some(rest) = src.get(moved.read..).filter(|rest| defined && !rest.is_empty()) {
        let taken = rest.len().min(BLOCK);
        // Zeros follow the text.
        let bytes = simd.load_partial(rest);
        let room = dst.get_mut(moved.written..).unwrap_or_default();
        let (mut aside, fits) = ([0; ROOM_BYTES], room.len() >= ROOM_BYTES);
        let Some(len) = write::<S, ASCII>(
            simd,
            table,
            &planes,
            bytes,
            rest,
            room.first_chunk_mut().unwrap_or(Slot::of_array(&mut aside)),
        ) else {
            break;
        };
        let len = len - (BLOCK - taken) * table.len_of_zero;
        if !fits {
            let (Some(room), Some(aside)) = (room.get_mut(..len), aside.get(..len)) else { break };
            Slot::copy(room, aside);
        }
        moved.read += taken;
        moved.written += len;
    }
    if moved.read == src.len() { moved } else { finish_to_utf8(table, src, dst, moved) }
}

/// Converts the rest in plain code, where the text does not fit or has an undefined byte.
#[cold]
#[inline(never)]
fn finish_to_utf8(table: &SingleByteDecoder, src: &[u8], dst: &mut [Slot], moved: Moved) -> Moved {
    let (Some(src), Some(dst)) = (src.get(moved.read..), dst.get_mut(moved.written..)) else { return moved };
    let rest = portable::single_byte::single_byte_to_utf8(table, src, dst);
    Moved { read: moved.read + rest.read, written: moved.written + rest.written }
}
