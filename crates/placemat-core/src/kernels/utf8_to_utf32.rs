//! Validating conversion of UTF-8 to UTF-32.

use super::Moved;
use super::from_utf8::{Bytes, Four, Open, Target, Wide, convert, wide_block};
use super::portable;
use super::utf8_to_utf16::Order;
use super::wide::part_mut;
use crate::ground::unit::Le;
use crate::simd::{BLOCK, Shuffle, ShuffleOps, Slot};
use core::marker::PhantomData;

/// UTF-32 in byte order `O`, as a target of the UTF-8 kernels.
pub(super) struct Utf32<O>(PhantomData<O>);

/// Converts the longest prefix of `src` that is well-formed UTF-8 and fits into `dst`, to UTF-32LE.
#[inline(always)]
pub(crate) fn utf8_to_utf32le<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    convert::<S, Utf32<Le>>(simd, src, dst)
}

/// Stores the code units of a block.
#[inline(always)]
fn store<S: ShuffleOps>(simd: S, [a, b, c, d]: [S::Block; 4], out: &mut [Slot; 256]) {
    simd.store(a, part_mut::<0, _>(out));
    simd.store(b, part_mut::<64, _>(out));
    simd.store(c, part_mut::<128, _>(out));
    simd.store(d, part_mut::<192, _>(out));
}

impl<O: Order> Target for Utf32<O> {
    const UNIT_BYTES: usize = 4;
    const HAS_SURROGATE_PAIRS: bool = false;
    type Room = [Slot; 256];
    type Buffer = [u8; 256];
    const EMPTY: [u8; 256] = [0; 256];

    #[inline(always)]
    fn room(dst: &mut [Slot]) -> Option<&mut [Slot; 256]> {
        dst.first_chunk_mut()
    }

    #[inline(always)]
    fn room_of(buffer: &mut [u8; 256]) -> &mut [Slot; 256] {
        Slot::of_array(buffer)
    }

    #[inline(always)]
    fn ascii<S: ShuffleOps>(simd: S, block: S::Block, out: &mut [Slot; 256]) {
        let zero = simd.splat(0);
        let [first, second] = if O::BIG { simd.zip8(zero, block) } else { simd.widen8(block) };
        let [a, b] = if O::BIG { simd.zip16(zero, first) } else { simd.widen16(first) };
        let [c, d] = if O::BIG { simd.zip16(zero, second) } else { simd.widen16(second) };
        store(simd, [a, b, c, d], out);
    }

    #[inline(always)]
    fn ascii_from<S: ShuffleOps>(simd: S, src: &[u8; BLOCK], out: &mut [Slot; 256]) {
        if O::BIG {
            Self::ascii(simd, simd.load(src), out);
        } else {
            store(simd, simd.load8_as_32(src), out);
        }
    }

    #[inline(always)]
    fn block<S: ShuffleOps>(
        simd: S,
        bytes: &Bytes<S>,
        open: &mut Open<S::Bits>,
        emit: S::Bits,
        out: &mut [Slot; 256],
    ) -> Option<usize> {
        wide_block::<S, Self>(simd, bytes, open, emit, out)
    }

    fn finish(src: &[u8], dst: &mut [Slot]) -> Moved {
        portable::utf32::utf8_to_utf32::<O>(src, dst)
    }
}

impl<O: Order> Wide for Utf32<O> {
    #[inline(always)]
    fn pack<S: ShuffleOps>(
        simd: S,
        low: S::Block,
        high: S::Block,
        keep: S::Bits,
        out: &mut [Slot; 256],
    ) -> usize {
        if O::BIG {
            simd.pack16_as_32::<true>(low, high, keep, out)
        } else {
            simd.pack16_as_32::<false>(low, high, keep, out)
        }
    }

    #[inline(always)]
    fn pack_four<S: ShuffleOps>(
        simd: S,
        bytes: &Bytes<S>,
        [low, high]: [S::Block; 2],
        four: Four<S>,
        keep: S::Bits,
        out: &mut [Slot; 256],
    ) -> Option<usize> {
        let &Bytes { w2, w3, .. } = bytes;
        // The high byte of a fourth byte's unit has four bits of the second byte, as that of a
        // third byte has of the first.
        let high = simd.add(high, simd.keep(four.fourth, simd.move_bits::<0, 4, 4>(w2)));
        let top = simd.or(simd.move_bits::<4, 2, 0>(w2), simd.move_bits::<0, 4, 2>(w3));
        let top = simd.keep(four.fourth, top);
        // 0x01 to 0x10; a byte from F8 up, with which no sequence begins, sets bit 5.
        let range = simd.ge(simd.sub(top, simd.splat(0x01)), simd.splat(0x10));
        if simd.any(simd.both(four.fourth, range)) {
            return None;
        }
        Some(if O::BIG {
            simd.pack32::<true>(low, high, top, keep, out)
        } else {
            simd.pack32::<false>(low, high, top, keep, out)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::from_utf8::tests::Subject;
    use super::*;
    use crate::ground::unit::Be;
    use crate::simd::model::Model;

    #[test]
    fn little_endian() {
        Subject {
            of_level: |kernels, src, dst| kernels.utf8_to_utf32le(src, dst),
            on_model: |src, dst| utf8_to_utf32le(Model, src, Slot::of(dst)),
            write: |c, out| {
                out.extend(u32::from(c).to_le_bytes());
                true
            },
            unit: 4,
        }
        .passes();
    }

    #[test]
    fn big_endian() {
        Subject {
            of_level: |kernels, src, dst| kernels.utf8_to_utf32be(src, dst),
            on_model: |src, dst| convert::<_, Utf32<Be>>(Model, src, Slot::of(dst)),
            write: |c, out| {
                out.extend(u32::from(c).to_be_bytes());
                true
            },
            unit: 4,
        }
        .passes();
    }
}
