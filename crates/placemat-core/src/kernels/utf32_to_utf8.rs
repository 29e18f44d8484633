//! Validating conversion of UTF-32 to UTF-8.
//!
//! A step converts 64 units, in four blocks of 16. ASCII is narrowed, and two blocks below U+0800
//! are narrowed to 16 bits and converted like [`utf16_to_utf8`](super::utf16_to_utf8) does.
//! Otherwise each unit becomes the four bytes `x >> 18 & 7`, `x >> 12 & 3F`, `x >> 6 & 3F`, `x &
//! 7F` with a tag that depends on its length in UTF-8, and packing drops the bytes that are zero.
//! Bits above the payload of a shorter sequence are zero anyway, so only the tag differs, with two
//! exceptions: bit 6 of a code point belongs in the fourth byte if it is ASCII and in the third
//! otherwise, and must be cleared in the other one. Bits of the tag select which: C0 instead of 80
//! in the fourth byte, and 01 in the third; both are cleared again where they are set: `bytes &
//! !(tag & 0x4001_0000)`.
//!
//! Without mask registers, half a step without code points above U+FFFF is narrowed and packed like
//! UTF-16, with a check for surrogates where necessary. Code points above U+FFFF are rare and have
//! a loop of their own, and neither loop calls the other, so each fits into sixteen registers. That
//! loop narrows ASCII blocks, because most blocks are ASCII in prose with an emoji in each line.
//!
//! With mask registers, the highest [`rank`] of all units is kept in a vector and tested after
//! [`CHECKED_BYTES`] bytes; if the test fails, [`portable`] converts these bytes again and finds
//! the position. Any unit, valid or not, becomes at most four bytes.
//!
//! Measurements, and what was slower: `lab/utf32_to_utf8.md`.

use super::utf16_to_utf8::write_to_two;
use super::utf32::{all_scalar_values, rank};
use super::{Moved, portable};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::unit::ByteOrder;
use crate::simd::{Apart, BLOCK, Shuffle, ShuffleOps, Slot};
use core::marker::PhantomData;

/// Number of code units in a block.
const BLOCK_UNITS: usize = BLOCK / 4;
/// Bytes of the source per step of the loop.
const STEP_BYTES: usize = 4 * BLOCK;
/// From this many bytes of the source on, aligned loads pay off.
const MIN_ALIGNED_BYTES: usize = 8192;
/// Bytes of the source that are converted before they are checked. If they are ill-formed, they are
/// converted again.
const CHECKED_BYTES: usize = 16 * STEP_BYTES;
/// After this many blocks without code points above U+FFFF, no more are expected.
const MAX_BMP_BLOCKS: u32 = 8;
/// Bytes of output of a step: at most 256, and those that the last stores write past any offset
/// below 256.
const ROOM_BYTES: usize = 256 + 2 * BLOCK;

/// Whether the bytes of units must be reversed to make lanes. Evaluated at compile time.
#[inline(always)]
fn swapped<O: ByteOrder<Unit32 = u8>>() -> bool {
    O::get32(&[0, 0, 0, 1]) == Some(1)
}

/// Loads units as lanes.
#[inline(always)]
fn load<S: Shuffle, O: ByteOrder<Unit32 = u8>>(simd: S, src: &[u8; BLOCK]) -> S::Block {
    let block = simd.load(src);
    if swapped::<O>() { simd.swap32(block) } else { block }
}

/// Whether any unit is at least `FIRST`, which must be a power of two.
#[inline(always)]
fn any_from<const FIRST: u32, S: Shuffle>(simd: S, units: S::Block) -> bool {
    const { assert!(FIRST.is_power_of_two()) };
    simd.any_bit(simd.and(units, simd.splat32(FIRST.wrapping_neg())))
}

/// Returns the bytes of `out` from `at` on.
#[inline(always)]
fn from<const N: usize>(out: &mut [Slot; ROOM_BYTES], at: usize) -> &mut [Slot; N] {
    const { assert!(256 + N <= ROOM_BYTES) };
    match chunk_at_mut!(out, at % 256) {
        Some(out) => out,
        None => unreachable!(),
    }
}

/// Converts units to four bytes each; bytes that are not part of the sequence are zero, and the
/// last byte is always part of it.
#[inline(always)]
pub(super) fn quads<S: ShuffleOps>(simd: S, units: S::Block) -> S::Block {
    let tags = simd.by_utf8_len(
        units,
        [
            u32::from_le_bytes([0, 0, 0x01, 0]),
            u32::from_le_bytes([0, 0, 0xC0, 0xC0]),
            u32::from_le_bytes([0, 0xE0, 0x80, 0xC0]),
            u32::from_le_bytes([0xF0, 0x80, 0x80, 0xC0]),
        ],
    );
    let bits = simd.bytes32::<18, 12, 6, 0>(units);
    let payload = simd.splat32(u32::from_le_bytes([0x07, 0x3F, 0x3F, 0x7F]));
    let bytes = simd.or(simd.and(bits, payload), tags);
    let clear = simd.splat32(u32::from_le_bytes([0, 0, 0x01, 0x40]));
    simd.and_not(bytes, simd.and(tags, clear))
}

/// Converts whole steps from `moved` on. Returns whether they were well-formed; if not, it stopped
/// somewhere before the first error.
#[inline(always)]
fn convert_narrow<S: Shuffle, O: ByteOrder<Unit32 = u8>>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
    moved: &mut Moved,
) -> bool {
    let mut supplementary = false;
    loop {
        let (rest, room) = (src.get(moved.read..), dst.get_mut(moved.written..));
        let (rest, room) = (rest.unwrap_or_default(), room.unwrap_or_default());
        let now = if supplementary {
            simd.apart::<Supplementary<O>>(rest, room)
        } else {
            simd.apart::<Narrow<O>>(rest, room)
        };
        moved.read += now.read;
        moved.written += now.written;
        if supplementary && now.read == 0 {
            return false;
        }
        if src.len() - moved.read < STEP_BYTES || dst.len() - moved.written < ROOM_BYTES {
            return true;
        }
        supplementary = !supplementary;
    }
}

/// Converts whole steps up to half a step with surrogates or code points above U+FFFF.
struct Narrow<O>(PhantomData<O>);

impl<O: ByteOrder<Unit32 = u8>> Apart for Narrow<O> {
    type Moved = Moved;
    type Element = Slot;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
        let Moved { mut read, mut written } = Moved::default();
        while let Some(step) = chunk_at!(src, read, STEP_BYTES)
            && let Some(out) = chunk_at_mut!(dst, written, ROOM_BYTES)
            && let ([a, b, c, d], []) = step.as_chunks()
        {
            let [a, b] = [load::<S, O>(simd, a), load::<S, O>(simd, b)];
            let [c, d] = [load::<S, O>(simd, c), load::<S, O>(simd, d)];
            let (first, second) = (simd.or(a, b), simd.or(c, d));
            if any_from::<0x80, S>(simd, simd.or(first, second)) {
                if any_from::<0x1_0000, S>(simd, first) {
                    break;
                }
                let Some(len) = simd.pack_as_utf8(simd.narrow32(a, b), from(out, 0)) else { break };
                written += len;
                read += STEP_BYTES / 2;
                if any_from::<0x1_0000, S>(simd, second) {
                    break;
                }
                let Some(len) = simd.pack_as_utf8(simd.narrow32(c, d), from(out, len)) else { break };
                written += len;
                read += STEP_BYTES / 2;
            } else {
                simd.store_whole(simd.narrow32_to_8([a, b, c, d]), from(out, 0));
                written += BLOCK;
                read += STEP_BYTES;
            }
        }
        Moved { read, written }
    }
}

/// Converts a text that begins with half a step with code points above U+FFFF, until several blocks
/// have none. Converts nothing if the first block is ill-formed or does not fit.
struct Supplementary<O>(PhantomData<O>);

impl<O: ByteOrder<Unit32 = u8>> Apart for Supplementary<O> {
    type Moved = Moved;
    type Element = Slot;

    #[inline(always)]
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
        let Moved { mut read, mut written } = Moved::default();
        let mut without = 0;
        while without < MAX_BMP_BLOCKS
            && let Some(block) = chunk_at!(src, read, BLOCK)
            && let Some(out) = chunk_at_mut!(dst, written, BLOCK)
        {
            let units = load::<S, O>(simd, block);
            if any_from::<0x80, S>(simd, units) {
                if !all_scalar_values(simd, rank(simd, units)) {
                    break;
                }
                written += simd.pack_quads(quads(simd, units), out);
                without = if any_from::<0x1_0000, S>(simd, units) { 0 } else { without + 1 };
            } else {
                simd.store_whole(simd.narrow32_to_8([units; 4]), out);
                written += BLOCK_UNITS;
                without += 1;
            }
            read += BLOCK;
        }
        Moved { read, written }
    }
}

/// Writes two blocks at offset `at` of `out`. Returns the offset after them.
#[inline(always)]
fn write_two<S: Shuffle>(
    simd: S,
    highest: &mut S::Block,
    [a, b]: [S::Block; 2],
    out: &mut [Slot; ROOM_BYTES],
    at: usize,
) -> usize {
    let all = simd.or(a, b);
    if !any_from::<0x800, S>(simd, all) {
        return at + write_to_two(simd, simd.narrow32(a, b), from(out, at));
    }
    *highest = simd.max32(*highest, simd.max32(rank(simd, a), rank(simd, b)));
    let at = at + simd.pack_quads(quads(simd, a), from(out, at));
    at + simd.pack_quads(quads(simd, b), from(out, at))
}

/// Converts whole steps from `moved` on. Returns whether they were well-formed; if not, it stopped
/// somewhere before the first error.
#[inline(always)]
fn convert_checking<S: Shuffle, O: ByteOrder<Unit32 = u8>>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
    moved: &mut Moved,
) -> bool {
    let Moved { mut read, mut written } = *moved;
    let mut highest = simd.splat(0);
    while let Some(step) = chunk_at!(src, read, STEP_BYTES)
        && let Some(out) = chunk_at_mut!(dst, written, ROOM_BYTES)
        && let ([a, b, c, d], []) = step.as_chunks()
    {
        let [a, b] = [load::<S, O>(simd, a), load::<S, O>(simd, b)];
        let [c, d] = [load::<S, O>(simd, c), load::<S, O>(simd, d)];
        if any_from::<0x80, S>(simd, simd.or(simd.or(a, b), simd.or(c, d))) {
            let middle = write_two(simd, &mut highest, [a, b], out, 0);
            written += write_two(simd, &mut highest, [c, d], out, middle);
        } else {
            simd.store_whole(simd.narrow32_to_8([a, b, c, d]), from(out, 0));
            written += BLOCK;
        }
        read += STEP_BYTES;
        if read - moved.read >= CHECKED_BYTES {
            if !all_scalar_values(simd, highest) {
                return false;
            }
            *moved = Moved { read, written };
        }
    }
    if !all_scalar_values(simd, highest) {
        return false;
    }
    *moved = Moved { read, written };
    true
}

/// Writes at most a block of units. Returns the number of bytes, or `None` if they do not fit or
/// are ill-formed.
#[inline(always)]
fn write_partial<S: Shuffle, O: ByteOrder<Unit32 = u8>>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
) -> Option<usize> {
    let units = simd.load_partial(src);
    let units = if swapped::<O>() { simd.swap32(units) } else { units };
    if !all_scalar_values(simd, rank(simd, units)) {
        return None;
    }
    let bytes = quads(simd, units);
    // The padding is written as zeros.
    let absent = BLOCK_UNITS - src.len() / 4;
    if let Some(out) = dst.first_chunk_mut() {
        return Some(simd.pack_quads(bytes, out) - absent);
    }
    let mut buffer = [0; BLOCK];
    let len = simd.pack_quads(bytes, Slot::of_array(&mut buffer)) - absent;
    simd.store_partial(simd.load(&buffer), dst.get_mut(..len)?);
    Some(len)
}

/// Converts the longest well-formed UTF-32 prefix of `src` that fits into `dst`.
#[inline(always)]
pub(crate) fn utf32_to_utf8<S: Shuffle, O: ByteOrder<Unit32 = u8>>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
) -> Moved {
    let src = src.get(..src.len() & !3).unwrap_or_default();
    let Moved { mut read, mut written } = Moved::default();
    // Not a loop, so that constants are loaded only where they are used.
    if src.len() <= 2 * BLOCK {
        let (first, rest) = src.split_at_checked(BLOCK).unwrap_or((&[], src));
        if !first.is_empty() {
            let Some(len) = write_partial::<S, O>(simd, first, dst) else {
                return finish::<O>(src, dst, Moved { read, written });
            };
            (read, written) = (first.len(), len);
        }
        return match write_partial::<S, O>(simd, rest, dst.get_mut(written..).unwrap_or_default()) {
            Some(len) => Moved { read: src.len(), written: written + len },
            None => finish::<O>(src, dst, Moved { read, written }),
        };
    }
    // Up to a 64-byte boundary in memory, so that loads do not cross cache lines. The end is
    // converted likewise.
    let mut now = if src.len() < MIN_ALIGNED_BYTES { 0 } else { head(src) };
    loop {
        if now > 0 {
            let units = src.get(read..read + now).unwrap_or_default();
            let rest = dst.get_mut(written..).unwrap_or_default();
            let Some(len) = write_partial::<S, O>(simd, units, rest) else { break };
            written += len;
            read += now;
        }
        let mut moved = Moved { read, written };
        let well_formed = if S::MASK_REGISTERS {
            convert_checking::<S, O>(simd, src, dst, &mut moved)
        } else {
            convert_narrow::<S, O>(simd, src, dst, &mut moved)
        };
        if !well_formed {
            return finish::<O>(src, dst, moved);
        }
        (read, written) = (moved.read, moved.written);
        now = (src.len() - read).min(BLOCK);
        if now == 0 {
            return Moved { read, written };
        }
    }
    finish::<O>(src, dst, Moved { read, written })
}

/// Number of bytes before the first 64-byte boundary in memory; zero if units cross it.
#[inline(always)]
fn head(src: &[u8]) -> usize {
    let bytes = src.as_ptr().align_offset(BLOCK);
    if bytes.is_multiple_of(4) { bytes } else { 0 }
}

/// Converts the rest after `moved` in plain code, where the text does not fit or is ill-formed.
#[cold]
#[inline(never)]
fn finish<O: ByteOrder<Unit32 = u8>>(src: &[u8], dst: &mut [Slot], moved: Moved) -> Moved {
    let Moved { read, written } = moved;
    let rest = portable::utf32::utf32_to_utf8::<O>(
        src.get(read..).unwrap_or_default(),
        dst.get_mut(written..).unwrap_or_default(),
    );
    Moved { read: read + rest.read, written: written + rest.written }
}

#[cfg(test)]
mod tests {
    use super::portable::samples::{MIXED, Numbers};
    use super::*;
    use crate::ground::unit::{Be, Le};
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::simd::model::Model;

    /// Checks all levels and the model, in both byte orders, at an address `shift` bytes after an
    /// aligned one, and with three extra bytes at the end.
    fn check(src: &[u32], room: usize, shift: usize, model: bool) {
        let mut text = String::new();
        for c in src.iter().map_while(|&unit| char::from_u32(unit)) {
            if text.len() + c.len_utf8() > room {
                break;
            }
            text.push(c);
        }
        let moved = Moved { read: 4 * text.chars().count(), written: text.len() };
        let mut memory = vec![0xEE; room + 64];
        let dst = &mut memory[..room];
        let mut input = vec![0; 4 * src.len() + 200];
        let start = input.as_ptr().align_offset(BLOCK) + shift;
        let input = &mut input[start..start + 4 * src.len() + 3];
        let look = |name: &str, actual: Moved, dst: &[u8]| {
            assert_eq!(actual, moved, "{name}, room for {room}: {src:04x?}");
            assert_eq!(&dst[..moved.written], text.as_bytes(), "{name}, room for {room}: {src:04x?}");
        };
        for big in [false, true] {
            for (slot, unit) in input.as_chunks_mut().0.iter_mut().zip(src) {
                *slot = if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            }
            for kernels in Isa::available().filter_map(Kernels::of) {
                let kernel = if big { Kernels::utf32be_to_utf8 } else { Kernels::utf32le_to_utf8 };
                look(kernels.isa().name(), kernel(kernels, input, dst), dst);
            }
            if model {
                let actual = if big {
                    utf32_to_utf8::<_, Be>(Model, input, Slot::of(dst))
                } else {
                    utf32_to_utf8::<_, Le>(Model, input, Slot::of(dst))
                };
                look("model", actual, dst);
            }
        }
        assert!(memory[room..].iter().all(|&byte| byte == 0xEE), "written after the end");
    }

    fn units(text: &str) -> Vec<u32> {
        text.chars().map(u32::from).collect()
    }

    #[test]
    fn every_scalar_value_among_others() {
        let all = units(&('\0'..=char::MAX).collect::<String>());
        check(&all, 4 * all.len(), 0, false);
        for text in ["a", "é", "日", "😀", "é日😀b"] {
            let spaced: String =
                ('\0'..=char::MAX).step_by(7).flat_map(|c| [c.to_string(), text.into()]).collect();
            let spaced = units(&spaced);
            check(&spaced, 4 * spaced.len(), 0, false);
        }
    }

    #[test]
    fn every_room_for_a_mixed_text() {
        let text = MIXED.repeat(2);
        let src = units(&text);
        for room in 0..=text.len() + 2 {
            check(&src, room, 0, room % 64 == 0);
        }
    }

    #[test]
    fn every_start_end_and_place_in_memory() {
        let src = units(&MIXED.repeat(2));
        for from in 0..src.len() {
            for cut in [&src[from..], &src[..from], &src[from / 2..from]] {
                check(cut, 4 * cut.len() + from % 3 * 100, from % 64, from % 32 == 0);
            }
        }
    }

    #[test]
    fn borders_at_every_place_of_a_step() {
        let borders = [
            0x00,
            0x7F,
            0x80,
            0x7FF,
            0x800,
            0xD7FF,
            0xD800,
            0xDBFF,
            0xDC00,
            0xDFFF,
            0xE000,
            0xFFFF,
            0x1_0000,
            0x10_FFFF,
            0x11_0000,
            0x0010_D800,
            0x8000_0041,
            0xFFFF_FFFF,
            0xFFFF_D800,
        ];
        for padding in ["a", "é", "日", "😀"] {
            for (at, border) in (0..=130).flat_map(|at| borders.map(|border| (at, border))) {
                let before = padding.repeat(at);
                for after in ["", padding, &padding.repeat(100)] {
                    let src = [&units(&before), [border].as_slice(), &units(after)].concat();
                    check(&src, 4 * src.len() + 130, 0, false);
                }
            }
        }
    }

    #[test]
    fn damaged_texts_are_converted_up_to_the_damage() {
        let text = units(&MIXED.repeat(10));
        let mut numbers = Numbers::new(32);
        for round in 0..3000 {
            let from = numbers.below(text.len());
            let to = from + numbers.below(text.len() - from + 1);
            let mut src = text[from..to].to_vec();
            for _ in 0..numbers.below(3).min(src.len()) {
                let at = numbers.below(src.len());
                src[at] = [0xD800, 0xDFFF, 0x11_0000, 0xFFFF_FFFF, 0x41, 0x1_0000][numbers.below(6)];
            }
            let room = numbers.below(4 * src.len() + 200);
            check(&src, room, numbers.below(64), round % 64 == 0);
        }
    }
}
