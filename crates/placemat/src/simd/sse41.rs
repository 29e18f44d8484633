//! The level of SSE4.1: four registers of 16 bytes.
#![allow(unused_unsafe, reason = "a build that targets a machine with these features needs no proof of them")]

use super::{
    layer::{SHORT_OF_FOUR, SHORT_OF_THREE, Shuffle, Simd},
    partial,
    squeeze::{BYTES, HALVES, LANES16, LANES32, PAIRS, QUAD_LENS, QUADS, UNITS},
    x86::{Out, apart, op, shuffle_methods, simd_methods, token_methods},
};
use core::arch::x86_64::{
    __m128i, _mm_add_epi8 as add_epi8, _mm_add_epi16 as add_epi16, _mm_add_epi32 as add_epi32, _mm_add_epi64,
    _mm_alignr_epi8 as alignr_epi8, _mm_and_si128 as and_si, _mm_andnot_si128 as andnot_si,
    _mm_blend_epi16 as blend_epi16, _mm_blendv_epi8 as blendv_epi8, _mm_castpd_si128,
    _mm_castps_si128 as castps_si, _mm_cmpeq_epi8 as cmpeq_epi8, _mm_cmpeq_epi16 as cmpeq_epi16,
    _mm_cmpeq_epi32 as cmpeq_epi32, _mm_cmpgt_epi8 as cmpgt_epi8, _mm_cmpgt_epi16 as cmpgt_epi16,
    _mm_cmpgt_epi32 as cmpgt_epi32, _mm_cvtepi32_ps as cvtepi32_ps, _mm_cvtsi32_si128, _mm_cvtsi128_si32,
    _mm_maddubs_epi16 as maddubs_epi16, _mm_max_epu8 as max_epu8, _mm_max_epu16 as max_epu16,
    _mm_max_epu32 as max_epu32, _mm_min_epu8 as min_epu8, _mm_min_epu32 as min_epu32,
    _mm_movemask_epi8 as movemask_epi8, _mm_or_si128 as or_si, _mm_packs_epi16 as packs_epi16,
    _mm_packs_epi32 as packs_epi32, _mm_packus_epi16 as packus_epi16, _mm_packus_epi32 as packus_epi32,
    _mm_sad_epu8 as sad_epu8, _mm_set_epi64x, _mm_set_pd, _mm_set1_epi8 as set1_epi8,
    _mm_set1_epi16 as set1_epi16, _mm_set1_epi32 as set1_epi32, _mm_shuffle_epi8 as shuffle_epi8,
    _mm_sll_epi16 as sll_epi16, _mm_sll_epi32 as sll_epi32, _mm_slli_epi16 as slli_epi16,
    _mm_srl_epi16 as srl_epi16, _mm_srl_epi32 as srl_epi32, _mm_srli_epi16 as srli_epi16,
    _mm_srli_epi32 as srli_epi32, _mm_sub_epi8 as sub_epi8, _mm_sub_epi16 as sub_epi16,
    _mm_sub_epi32 as sub_epi32, _mm_subs_epu8 as subs_epu8, _mm_testz_si128 as testz_si,
    _mm_unpackhi_epi8 as unpackhi_epi8, _mm_unpackhi_epi16 as unpackhi_epi16, _mm_unpackhi_epi64,
    _mm_unpacklo_epi8 as unpacklo_epi8, _mm_unpacklo_epi16 as unpacklo_epi16, _mm_unpacklo_epi64,
    _mm_xor_si128 as xor_si,
};
use core::mem::transmute;

/// The proof that SSE4.1, SSSE3 and POPCNT are enabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sse41(());

type Register = __m128i;
/// Of a mask, all bits of a lane say whether it holds.
type Block = [Register; REGISTERS];
const REGISTERS: usize = 4;
/// An index that gives zero.
const NONE: u8 = 0x80;

/// An expression for each register of blocks, in order.
macro_rules! each {
    ($($a:ident),+ => $body:expr) => {
        [
            { $(let $a = $a[0];)+ $body },
            { $(let $a = $a[1];)+ $body },
            { $(let $a = $a[2];)+ $body },
            { $(let $a = $a[3];)+ $body },
        ]
    };
}

impl Sse41 {
    /// The token.
    #[target_feature(enable = "sse4.1,ssse3,popcnt")]
    #[inline]
    pub(crate) fn new() -> Self {
        Self(())
    }

    token_methods!();

    /// 16 bytes, which fill a register.
    #[inline(always)]
    fn repeat(self, bytes: &[u8; 16]) -> Register {
        // SAFETY: both types have 16 bytes without padding, and any bytes are a value of the register.
        unsafe { transmute::<[u8; 16], Register>(*bytes) }
    }

    /// The bytes of all registers joined by "or".
    #[inline(always)]
    fn union(self, [a, b, c, d]: Block) -> Register {
        op!(or_si(op!(or_si(a, b)), op!(or_si(c, d))))
    }

    /// The highest bytes of all registers.
    #[inline(always)]
    fn highest(self, [a, b, c, d]: Block) -> Register {
        op!(max_epu8(op!(max_epu8(a, b)), op!(max_epu8(c, d))))
    }

    /// Two sums of 64-bit lanes.
    #[inline(always)]
    fn sum64(self, [a, b, c, d]: Block) -> __m128i {
        op!(_mm_add_epi64(op!(_mm_add_epi64(a, b)), op!(_mm_add_epi64(c, d))))
    }

    /// A bit for each lane of two registers, which is the highest bit of the lane.
    #[inline(always)]
    fn top_bits16(self, a: Register, b: Register) -> u32 {
        // Saturation keeps the sign.
        op!(movemask_epi8(op!(packs_epi16(a, b)))).cast_unsigned()
    }

    /// The bits of the second and the third byte of each four that are not zero, for all registers in order.
    #[inline(always)]
    fn middles(self, a: Block) -> u32 {
        let [b, c, d, e] =
            self.shuffle(a, &[1, 2, 5, 6, 9, 10, 13, 14, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE]);
        let (low, high) = (op!(_mm_unpacklo_epi64(b, c)), op!(_mm_unpacklo_epi64(d, e)));
        let zero = op!(set1_epi8(0));
        let low = op!(movemask_epi8(op!(cmpeq_epi8(low, zero)))).cast_unsigned();
        let high = op!(movemask_epi8(op!(cmpeq_epi8(high, zero)))).cast_unsigned();
        !(low | high << 16)
    }

    /// The bytes of a register that a row of a table keeps.
    #[inline(always)]
    fn squeeze(self, a: Register, row: &[u8; 16]) -> Register {
        op!(shuffle_epi8(a, self.repeat(row)))
    }

    /// The 16-bit lanes `low | high << 8` that the rows keep, of the first eight and of the last eight.
    #[inline(always)]
    fn squeeze16(self, low: Register, high: Register, rows: [u8; 2]) -> [Register; 2] {
        [
            self.squeeze(op!(unpacklo_epi8(low, high)), &LANES16.0[usize::from(rows[0])]),
            self.squeeze(op!(unpackhi_epi8(low, high)), &LANES16.0[usize::from(rows[1])]),
        ]
    }

    /// Eight 16-bit units without surrogates as UTF-8, the first four and the last four, and how many bytes of each count.
    #[inline(always)]
    fn groups_of_units(self, units: Register, [from_80, from_800]: [Register; 2]) -> [(Register, usize); 2] {
        let [a, b] = self.unit_lanes(units, from_800);
        // Two bits a unit.
        let first = op!(and_si(from_80, op!(set1_epi16(0x00FF))));
        let rows = op!(movemask_epi8(op!(or_si(first, from_800)))).cast_unsigned();
        let [first, second, ..] = rows.to_le_bytes();
        // Four bytes are kept always, and one more for each of the row's eight bits.
        [
            (self.squeeze(a, &UNITS.0[usize::from(first)]), 4 + first.count_ones() as usize),
            (self.squeeze(b, &UNITS.0[usize::from(second)]), 4 + second.count_ones() as usize),
        ]
    }

    /// Writes eight 16-bit units as UTF-8. Returns bytes; or `None` if there is a surrogate.
    #[inline(always)]
    pub(super) fn eight_as_utf8<const SWAP: bool>(
        self,
        units: Register,
        dst: &mut [u8; 32],
    ) -> Option<usize> {
        let swapped = self.repeat(&[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]);
        let units = if SWAP { op!(shuffle_epi8(units, swapped)) } else { units };
        let mut out = Out::new(dst);
        if op!(testz_si(units, op!(set1_epi16(!0x7F)))) != 0 {
            // SAFETY: a group of 16 bytes fits into the 32 of `dst`, and it keeps 8.
            unsafe { out.put(op!(packus_epi16(units, units)), 8) };
            return Some(out.len());
        }
        if self.any_surrogate(units) {
            return None;
        }
        for (group, len) in self.groups_of_units(units, self.at_least_80_and_800(units)) {
            // SAFETY: there are two groups of 16 bytes, which is the 32 bytes of `dst`, and none keeps more than its 16, the most for
            // four units.
            unsafe { out.put(group, len) };
        }
        Some(out.len())
    }
}

impl Simd for Sse41 {
    const UNROLL: usize = 1;

    simd_methods!();

    #[inline(always)]
    fn load_partial(self, src: &[u8]) -> Block {
        let mut bytes = [0; 64];
        partial::copy(src, &mut bytes);
        self.load(&bytes)
    }

    #[inline(always)]
    fn mask(self, bits: u64) -> Block {
        let quarters = [bits, bits >> 16, bits >> 32, bits >> 48];
        // Each byte of a quarter eight times, and of each a bit of its own.
        let spread = self.shuffle(
            each!(quarters => op!(set1_epi16(quarters as i16))),
            &[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1],
        );
        let one = self.repeat(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
        each!(spread => op!(cmpeq_epi8(op!(and_si(spread, one)), one)))
    }
    #[inline(always)]
    fn bits(self, mask: Block) -> u64 {
        let [a, b, c, d] = each!(mask => u64::from(op!(movemask_epi8(mask)).cast_unsigned()));
        (a | b << 16) | (c << 32 | d << 48)
    }

    #[inline(always)]
    fn after<const K: usize>(self, before: Block, a: Block) -> Block {
        const { assert!(K <= 3) };
        let behind = [before[3], a[0], a[1], a[2]];
        match K {
            0 => a,
            1 => each!(a, behind => op!(alignr_epi8::<15>(a, behind))),
            2 => each!(a, behind => op!(alignr_epi8::<14>(a, behind))),
            _ => each!(a, behind => op!(alignr_epi8::<13>(a, behind))),
        }
    }
}

impl Shuffle for Sse41 {
    shuffle_methods!();
    const COMPACT: bool = true;

    apart!(Sse41, "sse4.1,ssse3,popcnt");

    #[inline(always)]
    fn mask16(self, bits: u32) -> Block {
        let quarters = [bits, bits >> 8, bits >> 16, bits >> 24];
        let one = self.repeat(&[1, 0, 2, 0, 4, 0, 8, 0, 16, 0, 32, 0, 64, 0, 128, 0]);
        each!(quarters => op!(cmpeq_epi16(op!(and_si(op!(set1_epi16(quarters as i16)), one)), one)))
    }
    #[inline(always)]
    fn bits16(self, [a, b, c, d]: Block) -> u32 {
        self.top_bits16(a, b) | self.top_bits16(c, d) << 16
    }
    #[inline(always)]
    fn mask32(self, bits: u32) -> Block {
        let quarters = [bits, bits >> 4, bits >> 8, bits >> 12];
        let one = self.repeat(&[1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0]);
        each!(quarters => op!(cmpeq_epi32(op!(and_si(op!(set1_epi32(quarters.cast_signed())), one)), one)))
    }
    #[inline(always)]
    fn bits32(self, [a, b, c, d]: Block) -> u32 {
        self.top_bits16(op!(packs_epi32(a, b)), op!(packs_epi32(c, d)))
    }

    #[inline(always)]
    fn by_utf8_len(self, a: Block, by_len: [u32; 4]) -> Block {
        let max = [op!(set1_epi32(0x7F)), op!(set1_epi32(0x7FF)), op!(set1_epi32(0xFFFF))];
        let one = op!(set1_epi32(by_len[0].cast_signed()));
        let steps = [
            op!(set1_epi32((by_len[0] ^ by_len[1]).cast_signed())),
            op!(set1_epi32((by_len[1] ^ by_len[2]).cast_signed())),
            op!(set1_epi32((by_len[2] ^ by_len[3]).cast_signed())),
        ];
        each!(a => {
            let step = [
                op!(and_si(op!(cmpgt_epi32(a, max[0])), steps[0])),
                op!(and_si(op!(cmpgt_epi32(a, max[1])), steps[1])),
                op!(and_si(op!(cmpgt_epi32(a, max[2])), steps[2])),
            ];
            op!(xor_si(op!(xor_si(one, step[0])), op!(xor_si(step[1], step[2]))))
        })
    }

    #[inline(always)]
    fn zip8(self, low: Block, high: Block) -> [Block; 2] {
        let first = each!(low, high => op!(unpacklo_epi8(low, high)));
        let second = each!(low, high => op!(unpackhi_epi8(low, high)));
        [[first[0], second[0], first[1], second[1]], [first[2], second[2], first[3], second[3]]]
    }
    #[inline(always)]
    fn zip16(self, low: Block, high: Block) -> [Block; 2] {
        let first = each!(low, high => op!(unpacklo_epi16(low, high)));
        let second = each!(low, high => op!(unpackhi_epi16(low, high)));
        [[first[0], second[0], first[1], second[1]], [first[2], second[2], first[3], second[3]]]
    }
    #[inline(always)]
    fn widen8(self, a: Block) -> [Block; 2] {
        self.zip8(a, self.splat(0))
    }
    #[inline(always)]
    fn widen16(self, a: Block) -> [Block; 2] {
        self.zip16(a, self.splat(0))
    }
    #[inline(always)]
    fn narrow16(self, a: Block, b: Block) -> Block {
        let (first, second) = ([a[0], a[2], b[0], b[2]], [a[1], a[3], b[1], b[3]]);
        each!(first, second => op!(packus_epi16(first, second)))
    }
    #[inline(always)]
    fn narrow32(self, a: Block, b: Block) -> Block {
        let (first, second) = ([a[0], a[2], b[0], b[2]], [a[1], a[3], b[1], b[3]]);
        each!(first, second => op!(packus_epi32(first, second)))
    }

    #[inline(always)]
    fn pack8(self, a: Block, keep: u64, dst: &mut [u8; 64]) -> usize {
        let rows = rows_of_quarters(keep);
        // In the second half of a register, the indices are higher.
        let halves = op!(_mm_set_epi64x(0x0808_0808_0808_0808, 0));
        let mut out = Out::new(dst);
        each!(a, rows => {
            // Halves of registers are loaded and stored by the instructions for `f64`, which take one step less.
            let first = f64::from_le_bytes(BYTES.0[usize::from(rows[0])]);
            let second = f64::from_le_bytes(BYTES.0[usize::from(rows[1])]);
            let order = op!(or_si(op!(_mm_castpd_si128(op!(_mm_set_pd(second, first)))), halves));
            let kept = op!(shuffle_epi8(a, order));
            // SAFETY: both types have 16 bytes without padding, and any bits are an `f64`.
            let [first, second] = unsafe { transmute::<Register, [f64; 2]>(kept) };
            // SAFETY: there are eight groups of 8 bytes, which is the 64 bytes of `dst`, and none keeps more than its
            // 8: a row has eight bits, one for each byte.
            unsafe { out.put(first, rows[0].count_ones() as usize) };
            // SAFETY: there are eight groups of 8 bytes, which is the 64 bytes of `dst`, and none keeps more than its
            // 8: a row has eight bits, one for each byte.
            unsafe { out.put(second, rows[1].count_ones() as usize) };
        });
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn pack16(self, low: Block, high: Block, keep: u64, dst: &mut [u8; 128]) -> usize {
        let rows = rows_of_quarters(keep);
        let mut out = Out::new(dst);
        each!(low, high, rows => {
            let units = self.squeeze16(low, high, rows);
            // SAFETY: there are eight groups of 16 bytes, which is the 128 bytes of `dst`, and none keeps more than its
            // 16: a row has eight bits, one for each two bytes.
            unsafe { out.put(units[0], 2 * rows[0].count_ones() as usize) };
            // SAFETY: there are eight groups of 16 bytes, which is the 128 bytes of `dst`, and none keeps more than its
            // 16: a row has eight bits, one for each two bytes.
            unsafe { out.put(units[1], 2 * rows[1].count_ones() as usize) };
        });
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn pack32<const SWAP: bool>(
        self,
        low: Block,
        high: Block,
        top: Block,
        keep: u64,
        dst: &mut [u8; 256],
    ) -> usize {
        let rows = rows_of_quarters(keep);
        let zero = op!(set1_epi8(0));
        let mut out = Out::new(dst);
        each!(low, high, top, rows => {
            let (lower, upper) = if SWAP {
                (self.squeeze16(zero, top, rows), self.squeeze16(high, low, rows))
            } else {
                (self.squeeze16(low, high, rows), self.squeeze16(top, zero, rows))
            };
            let units = [op!(unpacklo_epi16(lower[0], upper[0])), op!(unpackhi_epi16(lower[0], upper[0]))];
            // SAFETY: there are eight groups of 32 bytes, which is the 256 bytes of `dst`, and none keeps more than its
            // 32: a row has eight bits, one for each four bytes.
            unsafe { out.put(units, 4 * rows[0].count_ones() as usize) };
            let units = [op!(unpacklo_epi16(lower[1], upper[1])), op!(unpackhi_epi16(lower[1], upper[1]))];
            // SAFETY: there are eight groups of 32 bytes, which is the 256 bytes of `dst`, and none keeps more than its
            // 32: a row has eight bits, one for each four bytes.
            unsafe { out.put(units, 4 * rows[1].count_ones() as usize) };
        });
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn pack16_as_32<const SWAP: bool>(
        self,
        low: Block,
        high: Block,
        keep: u64,
        dst: &mut [u8; 256],
    ) -> usize {
        let rows = rows_of_quarters(keep);
        let zero = [op!(set1_epi8(0)); 2];
        let mut out = Out::new(dst);
        each!(low, high, rows => {
            let (lower, upper) = if SWAP {
                (zero, self.squeeze16(high, low, rows))
            } else {
                (self.squeeze16(low, high, rows), zero)
            };
            let units = [op!(unpacklo_epi16(lower[0], upper[0])), op!(unpackhi_epi16(lower[0], upper[0]))];
            // SAFETY: there are eight groups of 32 bytes, which is the 256 bytes of `dst`, and none keeps more than its
            // 32: a row has eight bits, one for each four bytes.
            unsafe { out.put(units, 4 * rows[0].count_ones() as usize) };
            let units = [op!(unpacklo_epi16(lower[1], upper[1])), op!(unpackhi_epi16(lower[1], upper[1]))];
            // SAFETY: there are eight groups of 32 bytes, which is the 256 bytes of `dst`, and none keeps more than its
            // 32: a row has eight bits, one for each four bytes.
            unsafe { out.put(units, 4 * rows[1].count_ones() as usize) };
        });
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn pack_lanes32(self, a: Block, keep: u32, dst: &mut [u8; 64]) -> usize {
        let rows = [keep & 15, keep >> 4 & 15, keep >> 8 & 15, keep >> 12 & 15];
        let mut out = Out::new(dst);
        each!(a, rows => {
            let kept = self.squeeze(a, &LANES32.0[rows as usize]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none keeps more than its
            // 16: a row is below 16, so it has four bits, one for each four bytes.
            unsafe { out.put(kept, 4 * rows.count_ones() as usize) }
        });
        (keep & 0xFFFF).count_ones() as usize
    }
    #[inline(always)]
    fn pack_pairs(self, a: Block, dst: &mut [u8; 64]) -> usize {
        // Of a lane with the bytes of a mask, the highest bit is that of its second byte.
        let second = !self.bits16(self.eq(a, self.splat(0)));
        self.pack_pairs_known(a, second, dst)
    }
    #[inline(always)]
    fn pack_pairs_known(self, a: Block, seconds: u32, dst: &mut [u8; 64]) -> usize {
        let rows = seconds.to_le_bytes();
        let mut out = Out::new(dst);
        each!(a, rows => {
            let kept = self.squeeze(a, &PAIRS.0[usize::from(rows)]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none keeps more than its
            // 16: 8 bytes are kept always, and one more for each of the row's eight bits.
            unsafe { out.put(kept, 8 + rows.count_ones() as usize) }
        });
        32 + seconds.count_ones() as usize
    }
    #[inline(always)]
    fn pack_quads(self, a: Block, dst: &mut [u8; 64]) -> usize {
        // A third byte is less than a lead byte of four.
        let rows = self.middles(self.saturating_sub(a, self.shl32::<16>(a))).to_le_bytes();
        let mut out = Out::new(dst);
        each!(a, rows => {
            let kept = self.squeeze(a, &QUADS.0[usize::from(rows)]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none keeps more than its
            // 16, the most in the table.
            unsafe { out.put(kept, QUAD_LENS[usize::from(rows)].into()) }
        });
        out.len()
    }
    #[inline(always)]
    fn pack_trios(self, a: Block, dst: &mut [u8; 64]) -> usize {
        let middles = self.middles(a);
        let rows = middles.to_le_bytes();
        let mut out = Out::new(dst);
        each!(a, rows => {
            let kept = self.squeeze(a, &QUADS.0[usize::from(rows)]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none keeps more than its
            // 16: 4 bytes are kept always, and one more for each of the row's eight bits.
            unsafe { out.put(kept, 4 + rows.count_ones() as usize) }
        });
        16 + middles.count_ones() as usize
    }
    #[inline(always)]
    fn pack_threes(self, a: Block, dst: &mut [u8; 64]) -> usize {
        let threes = self.shuffle(a, &[1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, NONE, NONE, NONE, NONE]);
        let mut out = Out::new(dst);
        each!(threes => {
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none keeps more than its
            // 16: 12 bytes are kept.
            unsafe { out.put(threes, 12) }
        });
        48
    }
    #[inline(always)]
    fn pack_as_utf8(self, units: Block, dst: &mut [u8; 128]) -> Option<usize> {
        let mut out = Out::new(dst);
        for units in units {
            if op!(testz_si(units, op!(set1_epi16(!0x7F)))) != 0 {
                // SAFETY: each of four registers makes at most two groups of 16 bytes, which is at most the 128 bytes
                // of `dst`, and none keeps more than its 16: 8 bytes are kept.
                unsafe { out.put(op!(packus_epi16(units, units)), 8) };
                continue;
            }
            let [from_80, from_800] = self.at_least_80_and_800(units);
            let kinds = op!(movemask_epi8(op!(packs_epi16(from_80, from_800)))).cast_unsigned();
            if kinds & 0xFF00 == 0 {
                let row = kinds as u8;
                let kept = self.squeeze(self.pairs(units, from_80), &PAIRS.0[usize::from(row)]);
                // SAFETY: each of four registers makes at most two groups of 16 bytes, which is at most the 128 bytes
                // of `dst`, and none keeps more than its 16: 8 bytes are kept always, and one more for each of the
                // row's eight bits.
                unsafe { out.put(kept, 8 + row.count_ones() as usize) };
                continue;
            }
            if self.any_surrogate(units) {
                return None;
            }
            for (group, len) in self.groups_of_units(units, [from_80, from_800]) {
                // SAFETY: each of four registers makes at most two groups of 16 bytes, which is at most the 128 bytes of `dst`, and
                // none keeps more than its 16, the most for four units.
                unsafe { out.put(group, len) };
            }
        }
        Some(out.len())
    }
    #[inline(always)]
    fn pack_halves(self, a: Block, dst: &mut [u8; 64]) -> usize {
        // Of a lane with the halves of a mask, the highest bit is that of its second half.
        let second = !self.bits32(self.eq16(a, self.splat(0)));
        let rows = [second & 15, second >> 4 & 15, second >> 8 & 15, second >> 12 & 15];
        let mut out = Out::new(dst);
        each!(a, rows => {
            let kept = self.squeeze(a, &HALVES.0[rows as usize]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none keeps more than its
            // 16: 8 bytes are kept always, and two more for each of the row's four bits.
            unsafe { out.put(kept, 8 + 2 * rows.count_ones() as usize) }
        });
        16 + (second & 0xFFFF).count_ones() as usize
    }
}

/// For each 16 bytes, the rows of their halves in a table of shuffles.
#[inline(always)]
fn rows_of_quarters(keep: u64) -> [[u8; 2]; 4] {
    let [a, b, c, d, e, f, g, h] = keep.to_le_bytes();
    [[a, b], [c, d], [e, f], [g, h]]
}
