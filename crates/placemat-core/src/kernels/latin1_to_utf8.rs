//! Conversion of Latin-1 (ISO/IEC 8859-1) to UTF-8.
//!
//! A byte from 80 up becomes `C0 + (b >> 6)`, which is C2 or C3, and `b & BF`. So a block becomes a
//! plane of first bytes and a plane of second bytes, which are zero for ASCII; zipped they are
//! pairs, and packing drops the zeros. A block of ASCII is stored unchanged. There is nothing to
//! check.
//!
//! Without mask registers, packing takes a shuffle for every eight bytes, so a block with few
//! non-ASCII bytes is copied instead, and then copied again from each of these on, one position
//! further.
//!
//! Measurements, and what was no faster: `lab/latin1_to_utf8.md`.

use super::{Moved, portable};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::simd::{BLOCK, Shuffle, Slot};

/// Bytes of output of a block: at most 128, and those that the second store writes past any offset
/// below 128.
pub(super) const ROOM_BYTES: usize = 3 * BLOCK;

/// From this many bytes of the source on, aligned loads pay off.
const MIN_ALIGNED_BYTES: usize = 4096;

/// Up to this many non-ASCII bytes of a block are inserted one by one, instead of packing the whole
/// block.
const MAX_INSERTED_BYTES: u32 = 5;

/// Returns the 64 bytes of `out` from `at` on.
#[inline(always)]
fn from(out: &mut [Slot; ROOM_BYTES], at: usize) -> &mut [Slot; BLOCK] {
    match chunk_at_mut!(out, at % 128) {
        Some(out) => out,
        None => unreachable!(),
    }
}

/// Writes a block whose non-ASCII bytes are those in `high`. Returns the number of bytes.
#[inline(always)]
pub(super) fn write<S: Shuffle>(simd: S, block: S::Block, high: u64, out: &mut [Slot; ROOM_BYTES]) -> usize {
    let block = simd.order_for_zip(block);
    let mask = simd.high_bit(block);
    let lead = simd.select(mask, simd.move_bits_and_set::<6, 2, 0, 0xC0>(block), block);
    let last = simd.keep(mask, simd.and(block, simd.splat(0xBF)));
    let [first, second] = simd.zip8_ordered(lead, last);
    let (low, top) = ((high & 0xFFFF_FFFF) as u32, (high >> 32) as u32);
    // Packing returns this number too, but later.
    let middle = BLOCK / 2 + low.count_ones() as usize;
    simd.pack_pairs_known(first, low, from(out, 0));
    simd.pack_pairs_known(second, top, from(out, middle));
    BLOCK + high.count_ones() as usize
}

/// Writes the first block of `window`, which has few non-ASCII bytes: copies each half, and then,
/// for each such byte, writes its two bytes and copies the bytes after it again. Each copy
/// overwrites the surplus of the previous one. Returns the number of bytes.
#[inline(always)]
fn insert(high: u64, window: &[u8; ROOM_BYTES], out: &mut [Slot; ROOM_BYTES]) -> usize {
    let mut more = 0;
    for half in [0, 32] {
        let src = chunk_at!(window, half, 32);
        let dst = chunk_at_mut!(out, (half + more) % 128);
        let (Some(src), Some(dst)) = (src, dst) else { unreachable!() };
        Slot::write(dst, *src);
        let mut left = (high >> half & 0xFFFF_FFFF) as u32;
        while left != 0 {
            let at = half + left.trailing_zeros() as usize;
            let src = window.get(at % 128..).and_then(<[u8]>::split_first_chunk);
            let dst = out.get_mut((at + more) % 128..).and_then(<[_]>::split_first_chunk_mut);
            let (Some(([byte], src)), Some((two, dst))) = (src, dst) else { unreachable!() };
            let (Some(src), Some(dst)) = (src.first_chunk::<32>(), dst.first_chunk_mut()) else {
                unreachable!()
            };
            let byte = u16::from(*byte);
            Slot::write(two, ((byte << 8 | byte >> 6) & 0xBF03 | 0x00C0).to_le_bytes());
            Slot::write(dst, *src);
            more += 1;
            left &= left - 1;
        }
    }
    BLOCK + more
}

/// Writes at most a block. Returns the number of bytes, or `None` if they do not fit.
#[inline(always)]
fn write_partial<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Option<usize> {
    let block = simd.load_partial(src);
    let high = simd.bits(simd.high_bit(block));
    if high == 0 {
        simd.store_partial(block, dst.get_mut(..src.len())?);
        return Some(src.len());
    }
    let (mut buffer, fits) = ([0; ROOM_BYTES], dst.len() >= ROOM_BYTES);
    let out = dst.first_chunk_mut().unwrap_or(Slot::of_array(&mut buffer));
    // The padding was written as zeros.
    let len = write(simd, block, high, out) - (BLOCK - src.len());
    if !fits {
        Slot::copy(dst.get_mut(..len)?, buffer.get(..len)?);
    }
    Some(len)
}

/// Converts as many bytes of `src` as fit into `dst`. Every byte is valid Latin-1.
#[inline(always)]
pub(crate) fn latin1_to_utf8<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    let Moved { mut read, mut written } = Moved::default();
    // Not a loop, so that constants are loaded only where they are used.
    if src.len() <= 2 * BLOCK {
        let (first, rest) = src.split_at_checked(BLOCK).unwrap_or((&[], src));
        if !first.is_empty() {
            let Some(len) = write_partial(simd, first, dst) else {
                return finish(src, dst, Moved { read, written });
            };
            (read, written) = (first.len(), len);
        }
        return match write_partial(simd, rest, dst.get_mut(written..).unwrap_or_default()) {
            Some(len) => Moved { read: src.len(), written: written + len },
            None => finish(src, dst, Moved { read, written }),
        };
    }
    // Up to a 64-byte boundary in memory, so that loads do not cross cache lines. The end is
    // converted likewise.
    let mut now = if src.len() < MIN_ALIGNED_BYTES { 0 } else { src.as_ptr().align_offset(BLOCK) };
    loop {
        if now > 0 {
            let bytes = src.get(read..read + now).unwrap_or_default();
            let rest = dst.get_mut(written..).unwrap_or_default();
            let Some(len) = write_partial(simd, bytes, rest) else { break };
            written += len;
            read += now;
        }
        while let Some(block) = chunk_at!(src, read) {
            let Some(out) = chunk_at_mut!(dst, written, ROOM_BYTES) else { break };
            let block = simd.load(block);
            let high = simd.bits(simd.high_bit(block));
            if high != 0 {
                written += match chunk_at!(src, read) {
                    Some(window) if !S::MASK_REGISTERS && high.count_ones() <= MAX_INSERTED_BYTES => {
                        insert(high, window, out)
                    }
                    _ => write(simd, block, high, out),
                };
            } else {
                simd.store(block, from(out, 0));
                written += BLOCK;
            }
            read += BLOCK;
        }
        now = (src.len() - read).min(BLOCK);
        if now == 0 {
            return Moved { read, written };
        }
    }
    finish(src, dst, Moved { read, written })
}

/// Converts the rest after `moved` in plain code, where it does not fit.
#[cold]
#[inline(never)]
fn finish(src: &[u8], dst: &mut [Slot], moved: Moved) -> Moved {
    let Moved { read, written } = moved;
    let rest = portable::latin1::latin1_to_utf8(
        src.get(read..).unwrap_or_default(),
        dst.get_mut(written..).unwrap_or_default(),
    );
    Moved { read: read + rest.read, written: written + rest.written }
}

#[cfg(test)]
mod tests {
    use super::portable::samples::{Numbers, border};
    use super::*;
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::simd::model::Model;

    /// Checks all levels and the model, at an address `shift` bytes after an aligned one.
    fn check(src: &[u8], room: usize, shift: usize, model: bool) {
        let text: String = src.iter().copied().map(char::from).collect();
        let written = border(&text, room);
        let text = &text.as_bytes()[..written];
        let read = text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        let mut memory = vec![0xEE; room + 64];
        let dst = &mut memory[..room];
        let mut input = vec![0; src.len() + 200];
        let start = input.as_ptr().align_offset(BLOCK) + shift;
        let input = &mut input[start..start + src.len()];
        input.copy_from_slice(src);
        let look = |name: &str, actual: Moved, dst: &[u8]| {
            assert_eq!(actual, Moved { read, written }, "{name}, room for {room}: {src:02x?}");
            assert_eq!(&dst[..written], text, "{name}, room for {room}: {src:02x?}");
        };
        for kernels in Isa::available().filter_map(Kernels::of) {
            look(kernels.isa().name(), kernels.latin1_to_utf8(input, dst), dst);
        }
        if model {
            look("model", latin1_to_utf8(Model, input, Slot::of(dst)), dst);
        }
        assert!(memory[room..].iter().all(|&byte| byte == 0xEE), "written after the end");
    }

    fn sample() -> Vec<u8> {
        let mut numbers = Numbers::new(1);
        let mut latin1: Vec<u8> = (0..=0xFF).collect();
        for run in 0..30 {
            let odds = [0, 3, 50, 90, 100][run % 5];
            latin1.extend((0..numbers.below(200)).map(|_| {
                let high = if numbers.below(100) < odds { 0x80 } else { 0x00 };
                high | u8::try_from(numbers.below(128)).unwrap_or(0)
            }));
        }
        latin1
    }

    #[test]
    fn every_room() {
        let src = sample();
        for room in 0..=2 * src.len() {
            check(&src, room, 0, room % 64 == 0);
        }
    }

    #[test]
    fn every_start_end_and_place_in_memory() {
        let src = sample();
        for from in 0..src.len() {
            for cut in [&src[from..], &src[..from], &src[from / 2..from]] {
                check(cut, 2 * cut.len() + from % 3 * 100, from % 64, from % 32 == 0);
            }
        }
    }

    #[test]
    fn every_byte_at_every_place_of_a_block() {
        for padding in [b"a", b"\xE9"] {
            for (at, byte) in (0..=130).flat_map(|at| (0..=0xFF).map(move |byte| (at, byte))) {
                let src = [&padding.repeat(at), [byte].as_slice(), &padding.repeat(at % 7 * 11)].concat();
                check(&src, 2 * src.len() + at, 0, false);
            }
        }
    }
}
