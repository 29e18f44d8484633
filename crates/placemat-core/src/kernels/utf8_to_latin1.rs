//! Validating conversion of UTF-8 to ISO-8859-1.

use super::Moved;
use super::from_utf8::{Bytes, Open, Target, convert, narrow_block};
use super::portable;
use crate::simd::{Shuffle, ShuffleOps, Slot};

/// ISO-8859-1 as a target of the UTF-8 kernels.
struct Latin1;

/// Converts the longest prefix of `src` that is well-formed UTF-8 without a code point above U+00FF
/// and that fits into `dst`.
#[inline(always)]
pub(crate) fn utf8_to_latin1<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot]) -> Moved {
    convert::<S, Latin1>(simd, src, dst)
}

impl Target for Latin1 {
    const UNIT_BYTES: usize = 1;
    const HAS_SURROGATE_PAIRS: bool = false;
    type Room = [Slot; 64];
    type Buffer = [u8; 64];
    const EMPTY: [u8; 64] = [0; 64];

    #[inline(always)]
    fn room(dst: &mut [Slot]) -> Option<&mut [Slot; 64]> {
        dst.first_chunk_mut()
    }

    #[inline(always)]
    fn room_of(buffer: &mut [u8; 64]) -> &mut [Slot; 64] {
        Slot::of_array(buffer)
    }

    #[inline(always)]
    fn ascii<S: ShuffleOps>(simd: S, block: S::Block, out: &mut [Slot; 64]) {
        simd.store(block, out);
    }

    #[inline(always)]
    fn block<S: ShuffleOps>(
        simd: S,
        bytes: &Bytes<S>,
        open: &mut Open<S::Bits>,
        emit: S::Bits,
        out: &mut [Slot; 64],
    ) -> Option<usize> {
        narrow_block(simd, bytes, open, emit, out)
    }

    fn finish(src: &[u8], dst: &mut [Slot]) -> Moved {
        portable::latin1::utf8_to_latin1(src, dst)
    }
}

#[cfg(test)]
mod tests {
    use super::super::from_utf8::tests::Subject;
    use super::*;
    use crate::simd::model::Model;

    #[test]
    fn agrees_with_plain_code() {
        Subject {
            of_level: |kernels, src, dst| kernels.utf8_to_latin1(src, dst),
            on_model: |src, dst| utf8_to_latin1(Model, src, Slot::of(dst)),
            write: |c, out| u8::try_from(u32::from(c)).map(|byte| out.push(byte)).is_ok(),
            unit: 1,
        }
        .passes();
    }
}
