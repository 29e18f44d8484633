//! Conversion of ISO-8859-1 and ASCII to the wide forms, and of the wide forms to ISO-8859-1.
//!
//! A byte is a code unit, so this is widening and narrowing; before narrowing, the OR of the units
//! shows whether they fit. The write position follows from the read position, so the last block
//! overlaps the one before.

use super::Moved;
use super::portable;
use super::wide::Order;
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::simd::{BLOCK, Shuffle, Slot};

/// Writes the bytes of a block as units of `WIDTH` bytes, up to the end of `out`.
#[inline(always)]
fn store_wide<S: Shuffle, O: Order, const WIDTH: usize>(simd: S, block: S::Block, out: &mut [u8]) {
    let zero = simd.splat(0);
    let units = if O::SWAP { simd.zip8(zero, block) } else { simd.widen8(block) };
    for (i, units) in units.into_iter().enumerate() {
        if WIDTH == 2 {
            store_at(simd, units, out, i * BLOCK);
        } else {
            let units = if O::SWAP { simd.zip16(zero, units) } else { simd.widen16(units) };
            store_at(simd, units[0], out, 2 * i * BLOCK);
            store_at(simd, units[1], out, (2 * i + 1) * BLOCK);
        }
    }
}

/// Writes a block at offset `at`, up to the end of `out`.
#[inline(always)]
fn store_at<S: Shuffle>(simd: S, block: S::Block, out: &mut [u8], at: usize) {
    let Some(out) = out.get_mut(at..) else { return };
    match out.first_chunk_mut() {
        Some(out) => simd.store(block, Slot::of_array(out)),
        None => simd.store_partial(block, Slot::of(out)),
    }
}

/// Converts as many bytes as fit to units of `WIDTH` bytes in `dst`; if `ASCII`, up to the first
/// byte that is not ASCII.
#[inline(always)]
fn to_wide<S: Shuffle, O: Order, const WIDTH: usize, const ASCII: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    let len = src.len().min(dst.len() / WIDTH);
    let (Some(src), Some(dst)) = (src.get(..len), dst.get_mut(..WIDTH * len)) else {
        return Moved::default();
    };
    let mut at = 0;
    while let (Some(block), Some(out)) = (chunk_at!(src, at), dst.get_mut(WIDTH * at..WIDTH * (at + BLOCK))) {
        let block = simd.load(block);
        if ASCII && simd.any_high_bit(block) {
            return finish_to_wide::<O, WIDTH, ASCII>(src, dst, at);
        }
        store_wide::<S, O, WIDTH>(simd, block, out);
        at += BLOCK;
    }
    if at < len {
        let (block, from) = match src.last_chunk() {
            Some(last) => (simd.load(last), len - BLOCK),
            None => (simd.load_partial(src), 0),
        };
        if ASCII && simd.any_high_bit(block) {
            return finish_to_wide::<O, WIDTH, ASCII>(src, dst, at);
        }
        store_wide::<S, O, WIDTH>(simd, block, dst.get_mut(WIDTH * from..).unwrap_or_default());
    }
    Moved { read: len, written: WIDTH * len }
}

/// Converts the rest in plain code from `at` on.
#[cold]
#[inline(never)]
fn finish_to_wide<O: Order, const WIDTH: usize, const ASCII: bool>(
    src: &[u8],
    dst: &mut [u8],
    at: usize,
) -> Moved {
    let src = src.get(at..).unwrap_or_default();
    let dst = dst.get_mut(WIDTH * at..).unwrap_or_default();
    let Moved { read, written } = if WIDTH == 2 {
        portable::wide::bytes_to_utf16::<O, ASCII>(src, dst)
    } else {
        portable::wide::bytes_to_utf32::<O, ASCII>(src, dst)
    };
    Moved { read: at + read, written: WIDTH * at + written }
}

/// Converts ISO-8859-1, or ASCII, to UTF-16.
#[inline(always)]
pub(crate) fn bytes_to_utf16<S: Shuffle, O: Order, const ASCII: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    to_wide::<S, O, 2, ASCII>(simd, src, dst)
}

/// Converts ISO-8859-1, or ASCII, to UTF-32.
#[inline(always)]
pub(crate) fn bytes_to_utf32<S: Shuffle, O: Order, const ASCII: bool>(
    simd: S,
    src: &[u8],
    dst: &mut [u8],
) -> Moved {
    to_wide::<S, O, 4, ASCII>(simd, src, dst)
}

/// Loads the block at `at` of `src`, with zeros past the end.
#[inline(always)]
fn load_at<S: Shuffle>(simd: S, src: &[u8], at: usize) -> S::Block {
    let rest = src.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(block) => simd.load(block),
        None => simd.load_partial(rest),
    }
}

/// Narrows a block's worth of 16-bit units to bytes, if all are below 0x100; missing units are
/// zero.
#[inline(always)]
fn narrow16<S: Shuffle, O: Order>(simd: S, src: &[u8]) -> Option<S::Block> {
    let [a, b] = [load_at(simd, src, 0), load_at(simd, src, BLOCK)];
    let is_below = !simd.any_bit(simd.and(simd.or(a, b), simd.splat16(over::<O>())));
    is_below.then(|| low_bytes::<S, O>(simd, a, b))
}

/// Narrows a block's worth of 32-bit units to bytes, if all are below 0x100; missing units are
/// zero.
#[inline(always)]
fn narrow32<S: Shuffle, O: Order>(simd: S, src: &[u8]) -> Option<S::Block> {
    let [a, b] = [load_at(simd, src, 0), load_at(simd, src, BLOCK)];
    let [c, d] = [load_at(simd, src, 2 * BLOCK), load_at(simd, src, 3 * BLOCK)];
    let over = simd.splat32(if O::SWAP { 0x00FF_FFFF } else { 0xFFFF_FF00 });
    if simd.any_bit(simd.and(simd.or(simd.or(a, b), simd.or(c, d)), over)) {
        return None;
    }
    let units = [narrow_two::<S, O>(simd, a, b), narrow_two::<S, O>(simd, c, d)];
    Some(simd.narrow16(units[0], units[1]))
}

/// Narrows 32-bit units, whose values are below 0x100, to 16-bit lanes.
#[inline(always)]
fn narrow_two<S: Shuffle, O: Order>(simd: S, a: S::Block, b: S::Block) -> S::Block {
    if O::SWAP { simd.narrow32(simd.shr32::<24>(a), simd.shr32::<24>(b)) } else { simd.narrow32(a, b) }
}

/// Converts the longest prefix of units of `WIDTH` bytes that are below 0x100 and fit into `dst`.
#[inline(always)]
fn from_wide<S: Shuffle, O: Order, const WIDTH: usize>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
    let len = dst.len().min(src.len() / WIDTH);
    let (Some(src), Some(dst)) = (src.get(..WIDTH * len), dst.get_mut(..len)) else {
        return Moved::default();
    };
    let mut at = if WIDTH == 2 { narrow_steps::<S, O>(simd, src, dst) } else { 0 };
    while let (Some(units), Some(out)) = (src.get(WIDTH * at..WIDTH * (at + BLOCK)), chunk_at_mut!(dst, at)) {
        let Some(bytes) = narrow::<S, O, WIDTH>(simd, units) else {
            return finish_from_wide::<O, WIDTH>(src, dst, at);
        };
        simd.store_whole(bytes, Slot::of_array(out));
        at += BLOCK;
    }
    if at < len {
        let from = len.saturating_sub(BLOCK);
        let Some(bytes) = narrow::<S, O, WIDTH>(simd, src.get(WIDTH * from..).unwrap_or_default()) else {
            return finish_from_wide::<O, WIDTH>(src, dst, at);
        };
        store_at(simd, bytes, dst, from);
    }
    Moved { read: WIDTH * len, written: len }
}

/// Converts two blocks of bytes at a time while all their 16-bit units are below 0x100, which is
/// faster than one at a time. Returns the number of bytes.
#[inline(always)]
fn narrow_steps<S: Shuffle, O: Order>(simd: S, src: &[u8], dst: &mut [u8]) -> usize {
    let mut at = 0;
    let steps =
        src.as_chunks::<{ 4 * BLOCK }>().0.iter().zip(Slot::of(dst).as_chunks_mut::<{ 2 * BLOCK }>().0);
    for (units, out) in steps {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| load_at(simd, units, i * BLOCK));
        let all = simd.or(simd.or(a, b), simd.or(c, d));
        if simd.any_bit(simd.and(all, simd.splat16(over::<O>()))) {
            break;
        }
        if let ([first, second], []) = out.as_chunks_mut() {
            simd.store_whole(low_bytes::<S, O>(simd, a, b), first);
            simd.store_whole(low_bytes::<S, O>(simd, c, d), second);
        }
        at += 2 * BLOCK;
    }
    at
}

/// The bits of a 16-bit unit that are zero below 0x100. In the other byte order, the byte that must
/// be zero comes first.
#[inline(always)]
const fn over<O: Order>() -> u16 {
    if O::SWAP { 0x00FF } else { 0xFF00 }
}

/// The low bytes of 16-bit units below 0x100.
#[inline(always)]
fn low_bytes<S: Shuffle, O: Order>(simd: S, a: S::Block, b: S::Block) -> S::Block {
    if O::SWAP { simd.narrow16(simd.shr16::<8>(a), simd.shr16::<8>(b)) } else { simd.narrow16(a, b) }
}

/// Narrows a block's worth of units of `WIDTH` bytes to bytes, if all are below 0x100.
#[inline(always)]
fn narrow<S: Shuffle, O: Order, const WIDTH: usize>(simd: S, units: &[u8]) -> Option<S::Block> {
    if WIDTH == 2 { narrow16::<S, O>(simd, units) } else { narrow32::<S, O>(simd, units) }
}

/// Converts the rest in plain code from `at` on.
#[cold]
#[inline(never)]
fn finish_from_wide<O: Order, const WIDTH: usize>(src: &[u8], dst: &mut [u8], at: usize) -> Moved {
    let src = src.get(WIDTH * at..).unwrap_or_default();
    let dst = dst.get_mut(at..).unwrap_or_default();
    let Moved { read, written } = if WIDTH == 2 {
        portable::wide::utf16_to_latin1::<O>(src, dst)
    } else {
        portable::wide::utf32_to_latin1::<O>(src, dst)
    };
    Moved { read: WIDTH * at + read, written: at + written }
}

/// Converts UTF-16 to ISO-8859-1.
#[inline(always)]
pub(crate) fn utf16_to_latin1<S: Shuffle, O: Order>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
    from_wide::<S, O, 2>(simd, src, dst)
}

/// Converts UTF-32 to ISO-8859-1.
#[inline(always)]
pub(crate) fn utf32_to_latin1<S: Shuffle, O: Order>(simd: S, src: &[u8], dst: &mut [u8]) -> Moved {
    from_wide::<S, O, 4>(simd, src, dst)
}
