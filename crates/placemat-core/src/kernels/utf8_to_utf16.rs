//! Validating conversion of UTF-8 to UTF-16.

use super::Moved;
use super::from_utf8::{Bytes, Four, Open, Target, Wide, convert, wide_block};
use super::portable;
use crate::ground::unit::{Be, ByteOrder, Le};
use crate::simd::{Shuffle, ShuffleOps, Slot};
use core::marker::PhantomData;

/// UTF-16 in byte order `O`, as a target of the UTF-8 kernels.
pub(super) struct Utf16<O>(PhantomData<O>);

/// Byte order of a text that is a slice of bytes.
pub(crate) trait Order: ByteOrder<Unit16 = u8, Unit32 = u8> {
    const BIG: bool;
}
impl Order for Le {
    const BIG: bool = false;
}
impl Order for Be {
    const BIG: bool = true;
}

/// Converts the longest prefix of `src` that is well-formed UTF-8 and fits into `dst`.
#[inline(always)]
pub(crate) fn utf8_to_utf16<O: Order, S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    convert::<S, Utf16<O>>(simd, src, dst)
}

#[inline(always)]
pub(crate) fn utf8_to_utf16le<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    utf8_to_utf16::<Le, S>(simd, src, dst)
}
#[inline(always)]
pub(crate) fn utf8_to_utf16be<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    utf8_to_utf16::<Be, S>(simd, src, dst)
}

impl<O: Order> Target for Utf16<O> {
    const UNIT_BYTES: usize = 2;
    const HAS_HALF_BLOCK: bool = true;
    const HAS_SURROGATE_PAIRS: bool = true;
    type Room = [Slot; 128];
    type Buffer = [u8; 128];
    const EMPTY: [u8; 128] = [0; 128];

    #[inline(always)]
    fn room(dst: &mut [Slot]) -> Option<&mut [Slot; 128]> {
        dst.first_chunk_mut()
    }

    #[inline(always)]
    fn room_of(buffer: &mut [u8; 128]) -> &mut [Slot; 128] {
        Slot::of_array(buffer)
    }

    #[inline(always)]
    fn ascii<S: ShuffleOps>(simd: S, block: S::Block, out: &mut [Slot; 128]) {
        let [first, second] = if O::BIG { simd.zip8(simd.splat(0), block) } else { simd.widen8(block) };
        if let ([to_first, to_second], []) = out.as_chunks_mut() {
            simd.store(first, to_first);
            simd.store(second, to_second);
        }
    }

    #[inline(always)]
    fn block<S: ShuffleOps>(
        simd: S,
        bytes: &Bytes<S>,
        open: &mut Open<S::Bits>,
        emit: S::Bits,
        out: &mut [Slot; 128],
    ) -> Option<usize> {
        wide_block::<S, Self>(simd, bytes, open, emit, out)
    }

    fn finish(src: &[u8], dst: &mut [Slot]) -> Moved {
        portable::utf8_to_utf16::utf8_to_utf16::<O>(src, dst)
    }
}

impl<O: Order> Wide for Utf16<O> {
    #[inline(always)]
    fn pack<S: ShuffleOps>(
        simd: S,
        low: S::Block,
        high: S::Block,
        keep: S::Bits,
        out: &mut [Slot; 128],
    ) -> usize {
        if O::BIG { simd.pack16(high, low, keep, out) } else { simd.pack16(low, high, keep, out) }
    }

    #[inline(always)]
    fn pack_four<S: ShuffleOps>(
        simd: S,
        bytes: &Bytes<S>,
        [low, high]: [S::Block; 2],
        four: Four<S>,
        keep: S::Bits,
        out: &mut [Slot; 128],
    ) -> Option<usize> {
        let &Bytes { w, w1, w2, .. } = bytes;
        let lead_low =
            simd.add(simd.add(simd.move_bits::<0, 6, 2>(w1), simd.splat(0xC0)), simd.move_bits::<4, 2, 0>(w));
        // 0xD8 to 0xDB, except for values below 0x1_0000 and above 0x10_FFFF.
        let lead_high =
            simd.add_one(simd.add(w2, simd.splat(0xD7u8.wrapping_sub(0xF0))), simd.ge(w1, simd.splat(0x90)));
        let range = simd.ge(simd.sub(lead_high, simd.splat(0xD8)), simd.splat(0x04));
        if simd.any(simd.both(four.third, range)) {
            return None;
        }
        let trail_high = simd.or(simd.and(high, simd.splat(0x03)), simd.splat(0xDC));
        let low = simd.select(four.third, lead_low, low);
        let high = simd.select(four.third, lead_high, simd.select(four.fourth, trail_high, high));
        Some(Self::pack(simd, low, high, keep, out))
    }
}

#[cfg(test)]
mod tests {
    use super::super::from_utf8::tests::Subject;
    use super::*;
    use crate::simd::model::Model;

    #[test]
    fn little_endian() {
        Subject {
            of_level: |kernels, src, dst| kernels.utf8_to_utf16le(src, dst),
            on_model: |src, dst| utf8_to_utf16le(Model, src, Slot::of(dst)),
            write: |c, out| {
                out.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_le_bytes()));
                true
            },
            unit: 2,
        }
        .passes();
    }

    #[test]
    fn big_endian() {
        Subject {
            of_level: |kernels, src, dst| kernels.utf8_to_utf16be(src, dst),
            on_model: |src, dst| utf8_to_utf16be(Model, src, Slot::of(dst)),
            write: |c, out| {
                out.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_be_bytes()));
                true
            },
            unit: 2,
        }
        .passes();
    }
}
