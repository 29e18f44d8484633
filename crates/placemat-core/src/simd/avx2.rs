//! The AVX2 level: two registers of 32 bytes. Most instructions work on 16-byte halves and move
//! nothing between them.
#![allow(unused_unsafe, reason = "a build that targets a machine with these features needs no proof of them")]

use super::{
    layer::{BLOCK, SHORT_OF_FOUR, SHORT_OF_THREE, ShuffleOps, SimdOps},
    partial,
    slot::Slot,
    squeeze::{BYTES, HALVES, LANES16, LANES32, PAIRS, QUAD_LENS, QUADS, UNITS},
    x86::{Out, apart, op, shuffle_methods, simd_methods, token_methods},
};
use crate::ground::chunk::chunk_at;
use core::arch::x86_64::{
    __m128i, __m256i, _MM_HINT_T0, _mm_add_epi64, _mm_and_si128, _mm_castpd_si128, _mm_cmpeq_epi32,
    _mm_cmpgt_epi32, _mm_cvtsi32_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si32, _mm_maskload_epi32,
    _mm_or_si128, _mm_packus_epi16, _mm_prefetch, _mm_set_epi64x, _mm_set_pd, _mm_set1_epi32,
    _mm_shuffle_epi8, _mm_unpackhi_epi16, _mm_unpackhi_epi64, _mm_unpacklo_epi16,
    _mm256_add_epi8 as add_epi8, _mm256_add_epi16 as add_epi16, _mm256_add_epi32 as add_epi32,
    _mm256_add_epi64, _mm256_alignr_epi8 as alignr_epi8, _mm256_and_si256 as and_si,
    _mm256_andnot_si256 as andnot_si, _mm256_blend_epi16 as blend_epi16, _mm256_blend_epi32,
    _mm256_blendv_epi8 as blendv_epi8, _mm256_broadcastsi128_si256, _mm256_castps_si256 as castps_si,
    _mm256_castsi128_si256, _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cmpeq_epi8 as cmpeq_epi8,
    _mm256_cmpeq_epi16 as cmpeq_epi16, _mm256_cmpeq_epi32 as cmpeq_epi32, _mm256_cmpgt_epi8 as cmpgt_epi8,
    _mm256_cmpgt_epi16 as cmpgt_epi16, _mm256_cmpgt_epi32 as cmpgt_epi32, _mm256_cvtepi32_ps as cvtepi32_ps,
    _mm256_cvtepu8_epi16, _mm256_cvtepu8_epi32, _mm256_cvtepu16_epi32, _mm256_extracti128_si256,
    _mm256_inserti128_si256, _mm256_maddubs_epi16 as maddubs_epi16, _mm256_maskload_epi32,
    _mm256_max_epu8 as max_epu8, _mm256_max_epu16 as max_epu16, _mm256_max_epu32 as max_epu32,
    _mm256_min_epu8 as min_epu8, _mm256_min_epu32 as min_epu32, _mm256_movemask_epi8 as movemask_epi8,
    _mm256_movemask_ps, _mm256_or_si256 as or_si, _mm256_packs_epi16 as packs_epi16,
    _mm256_packus_epi16 as packus_epi16, _mm256_packus_epi32 as packus_epi32, _mm256_permute2x128_si256,
    _mm256_permute4x64_epi64, _mm256_permutevar_ps, _mm256_permutevar8x32_epi32, _mm256_sad_epu8 as sad_epu8,
    _mm256_set1_epi8 as set1_epi8, _mm256_set1_epi16 as set1_epi16, _mm256_set1_epi32 as set1_epi32,
    _mm256_shuffle_epi8 as shuffle_epi8, _mm256_sll_epi16 as sll_epi16, _mm256_sll_epi32 as sll_epi32,
    _mm256_slli_epi16 as slli_epi16, _mm256_slli_epi32, _mm256_srl_epi16 as srl_epi16,
    _mm256_srl_epi32 as srl_epi32, _mm256_srli_epi16 as srli_epi16, _mm256_srli_epi32 as srli_epi32,
    _mm256_sub_epi8 as sub_epi8, _mm256_sub_epi16 as sub_epi16, _mm256_sub_epi32 as sub_epi32,
    _mm256_subs_epu8 as subs_epu8, _mm256_testz_si256 as testz_si, _mm256_unpackhi_epi8 as unpackhi_epi8,
    _mm256_unpackhi_epi16 as unpackhi_epi16, _mm256_unpacklo_epi8 as unpacklo_epi8,
    _mm256_unpacklo_epi16 as unpacklo_epi16, _mm256_xor_si256 as xor_si, _mm256_zextsi128_si256,
};
use core::mem::transmute;

/// Proves that AVX2, BMI1, BMI2, LZCNT and POPCNT are enabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

type Register = __m256i;
/// A block; as a mask, all bits of a lane are equal.
type Block = [Register; REGISTERS];
const REGISTERS: usize = 2;
/// Puts the 8-byte groups of a register in order after an instruction that worked on 16-byte
/// halves. Applied twice, it changes nothing.
const INNER_SWAPPED: i32 = 0b11_01_10_00;

/// Evaluates an expression for each register of blocks, in order.
macro_rules! each {
    ($($a:ident),+ => $body:expr) => {
        [{ $(let $a = $a[0];)+ $body }, { $(let $a = $a[1];)+ $body }]
    };
}

/// Zeros, then ones: the 32 bytes from offset *n* on are a mask of the last *n* bytes of a
/// register, and the 16 bytes from offset 16 + *n* on are a mask of the last *n* bytes of a half.
static LAST: [u8; 64] = {
    let mut bytes = [0; 64];
    let mut i = 32;
    while i < bytes.len() {
        bytes[i] = 0xFF;
        i += 1;
    }
    bytes
};

impl Avx2 {
    /// Creates the token.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    #[inline]
    pub(crate) fn new() -> Self {
        Self(())
    }

    token_methods!();

    /// Moves 16 bytes to a register.
    #[inline(always)]
    fn half(self, bytes: &[u8; 16]) -> __m128i {
        // SAFETY: both types have 16 bytes without padding, and any bytes are a value of the
        // register.
        unsafe { transmute::<[u8; 16], __m128i>(*bytes) }
    }

    /// Moves 32 bytes to a register.
    #[inline(always)]
    fn whole(self, bytes: &[u8; 32]) -> Register {
        // SAFETY: both types have 32 bytes without padding, and any bytes are a value of the
        // register.
        unsafe { transmute::<[u8; 32], Register>(*bytes) }
    }

    /// Moves 16 bytes to both halves of a register.
    #[inline(always)]
    fn repeat(self, bytes: &[u8; 16]) -> Register {
        op!(_mm256_broadcastsi128_si256(self.half(bytes)))
    }

    /// Joins two halves of 16 bytes.
    #[inline(always)]
    fn halves(self, low: __m128i, high: __m128i) -> Register {
        op!(_mm256_inserti128_si256::<1>(op!(_mm256_castsi128_si256(low)), high))
    }

    /// The first 16 bytes of a register.
    #[inline(always)]
    fn low(self, a: Register) -> __m128i {
        op!(_mm256_castsi256_si128(a))
    }

    /// The last 16 bytes of a register.
    #[inline(always)]
    fn high(self, a: Register) -> __m128i {
        op!(_mm256_extracti128_si256::<1>(a))
    }

    /// Writes eight 16-bit code units as UTF-8. Returns the number of bytes, or `None` if there is
    /// a surrogate.
    #[inline(always)]
    fn eight_as_utf8<const SWAP: bool>(self, units: __m128i, dst: &mut [Slot; 32]) -> Option<usize> {
        // The second half is zero, which is no surrogate.
        let units = op!(_mm256_zextsi128_si256(units));
        let swapped = self.repeat(&[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14]);
        let units = if SWAP { op!(shuffle_epi8(units, swapped)) } else { units };
        let mut out = Out::new(dst);
        if op!(testz_si(units, op!(set1_epi16(!0x7F)))) != 0 {
            let units = self.low(units);
            // SAFETY: a group of 16 bytes fits into the 32 of `dst`, and it keeps 8.
            unsafe { out.put(op!(_mm_packus_epi16(units, units)), 8) };
            return Some(out.len());
        }
        if self.any_surrogate(units) {
            return None;
        }
        let [from_80, from_800] = self.at_least_80_and_800(units);
        let [a, b] = self.unit_lanes(units, from_800);
        // Two bits per code unit: at least 0x80, and at least 0x800.
        let first = op!(and_si(from_80, op!(set1_epi16(0x00FF))));
        let rows = op!(movemask_epi8(op!(or_si(first, from_800)))).cast_unsigned().to_le_bytes();
        for (group, row) in [self.low(a), self.low(b)].into_iter().zip(rows) {
            let kept = op!(_mm_shuffle_epi8(group, self.half(&UNITS.0[usize::from(row)])));
            // SAFETY: there are two groups of 16 bytes, which is the 32 bytes of `dst`, and neither
            // keeps more than its 16: 4 bytes are always kept, and one more for each of the row's
            // eight bits.
            unsafe { out.put(kept, 4 + row.count_ones() as usize) };
        }
        Some(out.len())
    }

    /// Writes the bytes of a 16-byte group that the rows keep: `rows[0]` for the first eight bytes,
    /// `rows[1]` for the last eight.
    ///
    /// # Safety
    ///
    /// `out` must have room for two more groups of 8 bytes, by the rules of [`Out::put`].
    #[inline(always)]
    unsafe fn put_bytes<const N: usize>(self, a: __m128i, rows: [u8; 2], out: &mut Out<'_, N>) {
        // The `f64` instructions load and store half a register in one step less.
        let first = f64::from_le_bytes(BYTES.0[usize::from(rows[0])]);
        let second = f64::from_le_bytes(BYTES.0[usize::from(rows[1])]);
        // The bytes of the second half have indices from 8 up.
        let halves = op!(_mm_set_epi64x(0x0808_0808_0808_0808, 0));
        let order = op!(_mm_or_si128(op!(_mm_castpd_si128(op!(_mm_set_pd(second, first)))), halves));
        let kept = op!(_mm_shuffle_epi8(a, order));
        // SAFETY: both types have 16 bytes without padding, and any bits are an `f64`.
        let [first, second] = unsafe { transmute::<__m128i, [f64; 2]>(kept) };
        // SAFETY: the caller ensures that there is room, and the group keeps at most its 8 bytes: a
        // row has eight bits, one for each byte.
        unsafe { out.put(first, rows[0].count_ones() as usize) };
        // SAFETY: the caller ensures that there is room, and the group keeps at most its 8 bytes: a
        // row has eight bits, one for each byte.
        unsafe { out.put(second, rows[1].count_ones() as usize) };
    }

    /// The bitwise OR of both registers.
    #[inline(always)]
    fn union(self, [a, b]: Block) -> Register {
        op!(or_si(a, b))
    }

    /// The byte-wise maximum of both registers.
    #[inline(always)]
    fn highest(self, [a, b]: Block) -> Register {
        op!(max_epu8(a, b))
    }

    /// Adds the 64-bit lanes of both registers, down to two sums.
    #[inline(always)]
    fn sum64(self, [a, b]: Block) -> __m128i {
        let sum = op!(_mm256_add_epi64(a, b));
        op!(_mm_add_epi64(self.low(sum), self.high(sum)))
    }

    /// A bitmap of the highest bits of a register's 32-bit lanes.
    #[inline(always)]
    fn top_bits32(self, a: Register) -> u32 {
        op!(_mm256_movemask_ps(op!(_mm256_castsi256_ps(a)))).cast_unsigned()
    }

    /// Widens eight bytes to 32-bit lanes.
    #[inline(always)]
    fn eight_as_32(self, bytes: &[u8; 8]) -> Register {
        op!(_mm256_cvtepu8_epi32(op!(_mm_cvtsi64_si128(i64::from_le_bytes(*bytes)))))
    }

    /// Loads one to eight 16-bit code units, followed by zeros. Returns `None` for no bytes, more
    /// than 16, or an odd number.
    #[inline(always)]
    fn load_few_units(self, src: &[u8]) -> Option<__m128i> {
        if src.len() > 16 || !src.len().is_multiple_of(2) {
            return None;
        }
        // A masked load reads pairs of code units; an odd last one is added after them.
        let odd = if src.len().is_multiple_of(4) { 0 } else { !0 };
        let last = i32::from(u16::from_le_bytes(*src.last_chunk()?)) & odd;
        let pairs = op!(_mm_set1_epi32((src.len() / 4) as i32));
        let number = self.half(&[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
        // SAFETY: the token proves that AVX2 is enabled. The mask has ones only for groups of four
        // bytes whose number is below `len / 4`, which are inside `src`, and other groups are not
        // read.
        let whole = unsafe { _mm_maskload_epi32(src.as_ptr().cast(), op!(_mm_cmpgt_epi32(pairs, number))) };
        let last = op!(_mm_and_si128(op!(_mm_cmpeq_epi32(pairs, number)), op!(_mm_set1_epi32(last))));
        Some(op!(_mm_or_si128(whole, last)))
    }

    /// A bitmap of the non-zero bytes among the second and third byte of each 32-bit lane, for the
    /// low half of both registers and then for the high half of both.
    #[inline(always)]
    fn middles(self, a: Block) -> u32 {
        let [low, high] = self.shuffle(a, &[1, 2, 5, 6, 9, 10, 13, 14, 1, 2, 5, 6, 9, 10, 13, 14]);
        let middles = op!(_mm256_blend_epi32::<0b1100_1100>(low, high));
        !op!(movemask_epi8(op!(cmpeq_epi8(middles, op!(set1_epi8(0)))))).cast_unsigned()
    }

    /// The bytes of each half of a register that its row keeps.
    #[inline(always)]
    fn squeeze(self, a: Register, low: &[u8; 16], high: &[u8; 16]) -> Register {
        op!(shuffle_epi8(a, self.halves(self.half(low), self.half(high))))
    }

    /// The 16-bit lanes `low | high << 8` that the rows keep, in groups of eight.
    #[inline(always)]
    fn squeeze16(self, low: Register, high: Register, rows: [u8; 4]) -> [__m128i; 4] {
        // Each row is an operand of a 16-byte shuffle: joining two rows in a 32-byte register would
        // cost an instruction.
        let (a, b) = (op!(unpacklo_epi8(low, high)), op!(unpackhi_epi8(low, high)));
        [
            op!(_mm_shuffle_epi8(self.low(a), self.half(&LANES16.0[usize::from(rows[0])]))),
            op!(_mm_shuffle_epi8(self.low(b), self.half(&LANES16.0[usize::from(rows[1])]))),
            op!(_mm_shuffle_epi8(self.high(a), self.half(&LANES16.0[usize::from(rows[2])]))),
            op!(_mm_shuffle_epi8(self.high(b), self.half(&LANES16.0[usize::from(rows[3])]))),
        ]
    }
}

impl SimdOps for Avx2 {
    type Bits = u64;
    const UNROLL: usize = 2;

    simd_methods!();

    #[inline(always)]
    fn prefetch(self, src: &[u8], ahead: usize) {
        // SAFETY: a prefetch never faults and changes nothing but timing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(src.as_ptr().wrapping_add(ahead).cast()) };
    }

    #[inline(always)]
    fn load_halves(self, [low, high]: [&[u8; BLOCK / 2]; 2]) -> Block {
        [self.whole(low), self.whole(high)]
    }
    #[inline(always)]
    fn high_halves(self, blocks: &[u8; 16 * BLOCK]) -> u32 {
        // Packing with signed saturation turns words into bytes until each half has one byte for
        // its first 16 bytes and one for its last 16. What is not zero stays so.
        let high = op!(set1_epi8(-0x80));
        let mut marks = [high; 32];
        for (half, mark) in blocks.as_chunks().0.iter().zip(&mut marks) {
            *mark = op!(and_si(self.whole(half), high));
        }
        let mut len = marks.len();
        while len > 2 {
            len /= 2;
            for i in 0..len {
                marks[i] = op!(packs_epi16(marks[2 * i], marks[2 * i + 1]));
            }
        }
        // Each register has sixteen halves: its low 16 bytes are for their first 16 bytes, its high
        // 16 bytes for their last 16.
        let low = op!(_mm256_permute2x128_si256::<0x20>(marks[0], marks[1]));
        let high = op!(_mm256_permute2x128_si256::<0x31>(marks[0], marks[1]));
        let ascii = op!(cmpeq_epi8(op!(or_si(low, high)), op!(set1_epi8(0))));
        !op!(movemask_epi8(ascii)).cast_unsigned()
    }

    #[inline(always)]
    fn load_partial(self, src: &[u8]) -> Block {
        if let Some(src) = src.first_chunk() {
            return self.load(src);
        }
        let len = src.len();
        // Whole groups of four bytes are read by a masked load; the last bytes are added after
        // them.
        let rest = match src.last_chunk() {
            Some(last) => (u64::from(u32::from_le_bytes(*last)) >> (32 - len % 4 * 8)) as u32,
            None if len == 0 => 0,
            None => {
                let (middle, last) = (len / 2, len - 1);
                u32::from(src[0])
                    | u32::from(src[middle]) << (8 * middle)
                    | u32::from(src[last]) << (8 * last)
            }
        };
        let groups = op!(set1_epi32((len / 4) as i32));
        let rest = op!(set1_epi32(rest.cast_signed()));
        // SAFETY: both types have 64 bytes without padding, and any bytes are a value of the
        // register.
        let number =
            unsafe { transmute::<[i32; 16], Block>([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]) };
        let from = [src.as_ptr().cast::<i32>(), src.as_ptr().wrapping_add(32).cast()];
        each!(number, from => {
            let mask = op!(cmpgt_epi32(groups, number));
            // SAFETY: the token proves that AVX2 is enabled. The mask has ones only for groups of
            // four bytes whose number is below `len / 4`, which are inside `src`, and other groups
            // are not read.
            let whole = unsafe { _mm256_maskload_epi32(from, mask) };
            op!(or_si(whole, op!(and_si(op!(cmpeq_epi32(groups, number)), rest))))
        })
    }

    /// Overlapping loads are faster here than a masked load whose last bytes are added separately.
    #[inline(always)]
    fn load_anywhere(self, src: &[u8]) -> Block {
        if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk())
            && let Some(new) = chunk_at!(LAST, src.len() - 32, 32)
        {
            return [self.whole(first), op!(and_si(self.whole(last), self.whole(new)))];
        }
        if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk())
            && let Some(new) = chunk_at!(LAST, src.len(), 16)
        {
            let last = op!(_mm_and_si128(self.half(last), self.half(new)));
            return [self.halves(self.half(first), last), op!(set1_epi8(0))];
        }
        self.load_partial(src)
    }

    #[inline(always)]
    fn mask(self, bits: u64) -> Block {
        let halves = [bits, bits >> 32];
        // Spreads each byte of the bitmap to eight bytes, each of which tests its own bit. SAFETY:
        // both types have 32 bytes without padding, and any bytes are a value of the register.
        let order = unsafe { transmute::<[[u8; 8]; 4], Register>([[0; 8], [1; 8], [2; 8], [3; 8]]) };
        let one = self.repeat(&[1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
        each!(halves => {
            let spread = op!(shuffle_epi8(op!(set1_epi32(halves as i32)), order));
            op!(cmpeq_epi8(op!(and_si(spread, one)), one))
        })
    }
    #[inline(always)]
    fn bits(self, mask: Block) -> u64 {
        let [a, b] = each!(mask => u64::from(op!(movemask_epi8(mask)).cast_unsigned()));
        a | b << 32
    }

    #[inline(always)]
    fn after<const K: usize>(self, before: Block, a: Block) -> Block {
        const { assert!(K <= 3) };
        // The bytes 16 bytes before each register's.
        let earlier = [
            op!(_mm256_permute2x128_si256::<0x21>(before[1], a[0])),
            op!(_mm256_permute2x128_si256::<0x21>(a[0], a[1])),
        ];
        match K {
            0 => a,
            1 => each!(a, earlier => op!(alignr_epi8::<15>(a, earlier))),
            2 => each!(a, earlier => op!(alignr_epi8::<14>(a, earlier))),
            _ => each!(a, earlier => op!(alignr_epi8::<13>(a, earlier))),
        }
    }
}

impl ShuffleOps for Avx2 {
    type Bits16 = u32;
    const FEW_AS_UTF8: bool = true;

    shuffle_methods!();
    apart!(Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt");

    #[inline(always)]
    fn mask16(self, bits: u32) -> Block {
        let halves = [bits, bits >> 16];
        // SAFETY: both types have 32 bytes without padding, and any bytes are a value of the
        // register.
        let one = unsafe {
            transmute::<[u16; 16], Register>([
                0x1, 0x2, 0x4, 0x8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200, 0x400, 0x800, 0x1000, 0x2000,
                0x4000, 0x8000,
            ])
        };
        each!(halves => op!(cmpeq_epi16(op!(and_si(op!(set1_epi16(halves as i16)), one)), one)))
    }
    #[inline(always)]
    fn bits16(self, [a, b]: Block) -> u32 {
        let bytes = op!(_mm256_permute4x64_epi64::<INNER_SWAPPED>(op!(packs_epi16(a, b))));
        op!(movemask_epi8(bytes)).cast_unsigned()
    }
    #[inline(always)]
    fn mask32(self, bits: u32) -> Block {
        let halves = [bits, bits >> 8];
        // SAFETY: both types have 32 bytes without padding, and any bytes are a value of the
        // register.
        let one = unsafe { transmute::<[u32; 8], Register>([1, 2, 4, 8, 16, 32, 64, 128]) };
        each!(halves => op!(cmpeq_epi32(op!(and_si(op!(set1_epi32(halves.cast_signed())), one)), one)))
    }
    #[inline(always)]
    fn bits32(self, [a, b]: Block) -> u32 {
        self.top_bits32(a) | self.top_bits32(b) << 8
    }

    #[inline(always)]
    fn by_utf8_len(self, a: Block, by_len: [u32; 4]) -> Block {
        let max = [op!(set1_epi32(0x7F)), op!(set1_epi32(0x7FF)), op!(set1_epi32(0xFFFF))];
        // The sum of the comparisons, 0 to -3, is an index modulo 4.
        let [one, two, three, four] = by_len;
        // SAFETY: both types have 32 bytes without padding, and any bytes are a value of the
        // register.
        let table =
            unsafe { transmute::<[u32; 8], Register>([one, four, three, two, one, four, three, two]) };
        each!(a => {
            let index = op!(add_epi32(
                op!(add_epi32(op!(cmpgt_epi32(a, max[0])), op!(cmpgt_epi32(a, max[1])))),
                op!(cmpgt_epi32(a, max[2])),
            ));
            op!(castps_si(op!(_mm256_permutevar_ps(op!(_mm256_castsi256_ps(table)), index))))
        })
    }

    #[inline(always)]
    fn zip8(self, low: Block, high: Block) -> [Block; 2] {
        self.zip8_ordered(self.order_for_zip(low), self.order_for_zip(high))
    }
    #[inline(always)]
    fn zip16(self, low: Block, high: Block) -> [Block; 2] {
        self.zip16_ordered(self.order_for_zip(low), self.order_for_zip(high))
    }
    #[inline(always)]
    fn order_for_zip(self, a: Block) -> Block {
        each!(a => op!(_mm256_permute4x64_epi64::<INNER_SWAPPED>(a)))
    }
    #[inline(always)]
    fn zip8_ordered(self, low: Block, high: Block) -> [Block; 2] {
        each!(low, high => [op!(unpacklo_epi8(low, high)), op!(unpackhi_epi8(low, high))])
    }
    #[inline(always)]
    fn zip16_ordered(self, low: Block, high: Block) -> [Block; 2] {
        each!(low, high => [op!(unpacklo_epi16(low, high)), op!(unpackhi_epi16(low, high))])
    }
    #[inline(always)]
    fn order_for_zip4(self, a: Block) -> Block {
        // Unpacking twice takes four bytes of each half at a time. SAFETY: both types have 32 bytes
        // without padding, and any bytes are a value of the register.
        let order = unsafe { transmute::<[u32; 8], Register>([0, 2, 4, 6, 1, 3, 5, 7]) };
        each!(a => op!(_mm256_permutevar8x32_epi32(a, order)))
    }
    #[inline(always)]
    fn zip4_ordered(self, planes: [Block; 4]) -> [Block; 4] {
        let low = self.zip8_ordered(planes[0], planes[1]);
        let high = self.zip8_ordered(planes[2], planes[3]);
        let [a, b] = self.zip16_ordered(low[0], high[0]);
        let [c, d] = self.zip16_ordered(low[1], high[1]);
        [a, b, c, d]
    }
    #[inline(always)]
    fn widen8(self, a: Block) -> [Block; 2] {
        each!(a => [op!(_mm256_cvtepu8_epi16(self.low(a))), op!(_mm256_cvtepu8_epi16(self.high(a)))])
    }
    #[inline(always)]
    fn widen16(self, a: Block) -> [Block; 2] {
        each!(a => [op!(_mm256_cvtepu16_epi32(self.low(a))), op!(_mm256_cvtepu16_epi32(self.high(a)))])
    }
    #[inline(always)]
    fn load8_as_32(self, src: &[u8; BLOCK]) -> [Block; 4] {
        // Widening costs one shuffle per register from memory, two and a half from registers.
        let [a, b, c, d, e, f, g, h] = src.as_chunks().0 else { unreachable!() };
        [
            [self.eight_as_32(a), self.eight_as_32(b)],
            [self.eight_as_32(c), self.eight_as_32(d)],
            [self.eight_as_32(e), self.eight_as_32(f)],
            [self.eight_as_32(g), self.eight_as_32(h)],
        ]
    }
    #[inline(always)]
    fn narrow16(self, a: Block, b: Block) -> Block {
        let pairs = [a, b];
        each!(pairs => op!(_mm256_permute4x64_epi64::<INNER_SWAPPED>(op!(packus_epi16(pairs[0], pairs[1])))))
    }
    #[inline(always)]
    fn narrow32(self, a: Block, b: Block) -> Block {
        let pairs = [a, b];
        each!(pairs => op!(_mm256_permute4x64_epi64::<INNER_SWAPPED>(op!(packus_epi32(pairs[0], pairs[1])))))
    }

    #[inline(always)]
    fn pack8(self, a: Block, keep: u64, dst: &mut [Slot; 64]) -> usize {
        let rows = rows_of_halves(keep);
        let mut out = Out::new(dst);
        each!(a, rows => {
            // SAFETY: there are eight groups of 8 bytes, which is the 64 bytes of `dst`.
            unsafe { self.put_bytes(self.low(a), [rows[0], rows[1]], &mut out) };
            // SAFETY: there are eight groups of 8 bytes, which is the 64 bytes of `dst`.
            unsafe { self.put_bytes(self.high(a), [rows[2], rows[3]], &mut out) };
        });
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn pack16(self, low: Block, high: Block, keep: u64, dst: &mut [Slot; 128]) -> usize {
        let rows = rows_of_halves(keep);
        let mut out = Out::new(dst);
        each!(low, high, rows => {
            for (units, row) in self.squeeze16(low, high, rows).into_iter().zip(rows) {
                // SAFETY: there are eight groups of 16 bytes, which is the 128 bytes of `dst`, and
                // none keeps more than its 16: a row has eight bits, one for each two bytes.
                unsafe { out.put(units, 2 * row.count_ones() as usize) };
            }
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
        dst: &mut [Slot; 256],
    ) -> usize {
        let rows = rows_of_halves(keep);
        let zero = op!(set1_epi8(0));
        let mut out = Out::new(dst);
        each!(low, high, top, rows => {
            let (lower, upper) = if SWAP {
                (self.squeeze16(zero, top, rows), self.squeeze16(high, low, rows))
            } else {
                (self.squeeze16(low, high, rows), self.squeeze16(top, zero, rows))
            };
            for ((lower, upper), row) in lower.into_iter().zip(upper).zip(rows) {
                let units = [op!(_mm_unpacklo_epi16(lower, upper)), op!(_mm_unpackhi_epi16(lower, upper))];
                // SAFETY: there are eight groups of 32 bytes, which is the 256 bytes of `dst`, and
                // none keeps more than its 32: a row has eight bits, one for each four bytes.
                unsafe { out.put(units, 4 * row.count_ones() as usize) };
            }
        });
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn pack16_as_32<const SWAP: bool>(
        self,
        low: Block,
        high: Block,
        keep: u64,
        dst: &mut [Slot; 256],
    ) -> usize {
        let rows = rows_of_halves(keep);
        let (low, high) = if SWAP { (high, low) } else { (low, high) };
        let mut out = Out::new(dst);
        each!(low, high, rows => {
            for (units, row) in self.squeeze16(low, high, rows).into_iter().zip(rows) {
                let units = op!(_mm256_cvtepu16_epi32(units));
                let units = if SWAP { op!(_mm256_slli_epi32::<16>(units)) } else { units };
                // SAFETY: there are eight groups of 32 bytes, which is the 256 bytes of `dst`, and
                // none keeps more than its 32: a row has eight bits, one for each four bytes.
                unsafe { out.put(units, 4 * row.count_ones() as usize) };
            }
        });
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn pack_lanes32(self, a: Block, keep: u32, dst: &mut [Slot; 64]) -> usize {
        let rows = [[keep & 15, keep >> 4 & 15], [keep >> 8 & 15, keep >> 12 & 15]];
        let mut out = Out::new(dst);
        each!(a, rows => {
            let kept = self.squeeze(a, &LANES32.0[rows[0] as usize], &LANES32.0[rows[1] as usize]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: a row is below 16, so it has four bits, one for each four
            // bytes.
            unsafe { out.put(self.low(kept), 4 * rows[0].count_ones() as usize) };
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: a row is below 16, so it has four bits, one for each four
            // bytes.
            unsafe { out.put(self.high(kept), 4 * rows[1].count_ones() as usize) };
        });
        (keep & 0xFFFF).count_ones() as usize
    }
    #[inline(always)]
    fn pack_pairs(self, a: Block, dst: &mut [Slot; 64]) -> usize {
        let zeros = self.eq(a, self.splat(0));
        // The top bit of a 16-bit lane is in the mask of its second byte, and saturation keeps it.
        let second = !op!(movemask_epi8(op!(packs_epi16(zeros[0], zeros[1])))).cast_unsigned();
        let rows = rows_of_packed(second);
        let mut out = Out::new(dst);
        each!(a, rows => {
            let kept = self.squeeze(a, &PAIRS.0[usize::from(rows[0])], &PAIRS.0[usize::from(rows[1])]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: 8 bytes are kept always, and one more for each of the row's
            // eight bits.
            unsafe { out.put(self.low(kept), 8 + rows[0].count_ones() as usize) };
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: 8 bytes are kept always, and one more for each of the row's
            // eight bits.
            unsafe { out.put(self.high(kept), 8 + rows[1].count_ones() as usize) };
        });
        32 + second.count_ones() as usize
    }
    #[inline(always)]
    fn pack_pairs_known(self, a: Block, seconds: u32, dst: &mut [Slot; 64]) -> usize {
        let rows = {
            let [a, b, c, d] = seconds.to_le_bytes();
            [[a, b], [c, d]]
        };
        let mut out = Out::new(dst);
        each!(a, rows => {
            let kept = self.squeeze(a, &PAIRS.0[usize::from(rows[0])], &PAIRS.0[usize::from(rows[1])]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: 8 bytes are kept always, and one more for each of the row's
            // eight bits.
            unsafe { out.put(self.low(kept), 8 + rows[0].count_ones() as usize) };
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: 8 bytes are kept always, and one more for each of the row's
            // eight bits.
            unsafe { out.put(self.high(kept), 8 + rows[1].count_ones() as usize) };
        });
        32 + seconds.count_ones() as usize
    }
    #[inline(always)]
    fn pack_quads(self, a: Block, dst: &mut [Slot; 64]) -> usize {
        // The third byte of a sequence is smaller than the lead byte of a four-byte sequence.
        let rows = rows_of_packed(self.middles(self.saturating_sub(a, self.shl32::<16>(a))));
        let mut out = Out::new(dst);
        each!(a, rows => {
            let [low, high] = rows.map(usize::from);
            let kept = self.squeeze(a, &QUADS.0[low], &QUADS.0[high]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16, the most in the table.
            unsafe { out.put(self.low(kept), QUAD_LENS[low].into()) };
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16, the most in the table.
            unsafe { out.put(self.high(kept), QUAD_LENS[high].into()) };
        });
        out.len()
    }
    #[inline(always)]
    fn pack_trios(self, a: Block, dst: &mut [Slot; 64]) -> usize {
        let middles = self.middles(a);
        let rows = rows_of_packed(middles);
        let mut out = Out::new(dst);
        each!(a, rows => {
            let kept = self.squeeze(a, &QUADS.0[usize::from(rows[0])], &QUADS.0[usize::from(rows[1])]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: 4 bytes are kept always, and one more for each of the row's
            // eight bits.
            unsafe { out.put(self.low(kept), 4 + rows[0].count_ones() as usize) };
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: 4 bytes are kept always, and one more for each of the row's
            // eight bits.
            unsafe { out.put(self.high(kept), 4 + rows[1].count_ones() as usize) };
        });
        16 + middles.count_ones() as usize
    }
    #[inline(always)]
    fn pack_threes(self, a: Block, dst: &mut [Slot; 64]) -> usize {
        let threes = self.shuffle(a, &[1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15, 0x80, 0x80, 0x80, 0x80]);
        let mut out = Out::new(dst);
        each!(threes => {
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: 12 bytes are kept.
            unsafe { out.put(self.low(threes), 12) };
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: 12 bytes are kept.
            unsafe { out.put(self.high(threes), 12) };
        });
        48
    }
    #[inline(always)]
    fn few_as_utf8<const SWAP: bool>(self, src: &[u8], dst: &mut [Slot; 32]) -> Option<usize> {
        let units = self.load_few_units(src)?;
        self.eight_as_utf8::<SWAP>(units, dst).map(|len| len - (8 - src.len() / 2))
    }
    #[inline(always)]
    fn pack_as_utf8(self, units: Block, dst: &mut [Slot; 128]) -> Option<usize> {
        let mut out = Out::new(dst);
        each!(units => {
            if op!(testz_si(units, op!(set1_epi16(!0x7F)))) != 0 {
                // SAFETY: each of two registers makes at most four groups of 16 bytes, which is at
                // most the 128 bytes of `dst`, and none keeps more than its 16: 16 bytes are kept.
                unsafe { out.put(op!(_mm_packus_epi16(self.low(units), self.high(units))), 16) };
            } else {
                let [from_80, from_800] = self.at_least_80_and_800(units);
                // One byte per 16-byte half for each of the two masks.
                let kinds = op!(movemask_epi8(op!(packs_epi16(from_80, from_800)))).cast_unsigned();
                if kinds & 0xFF00_FF00 == 0 {
                    let [first, _, second, _] = kinds.to_le_bytes();
                    let pairs = self.pairs(units, from_80);
                    let kept = op!(_mm_shuffle_epi8(self.low(pairs), self.half(&PAIRS.0[usize::from(first)])));
                    // SAFETY: each of two registers makes at most four groups of 16 bytes, which is
                    // at most the 128 bytes of `dst`, and none keeps more than its 16: 8 bytes are
                    // kept always, and one more for each of the row's eight bits.
                    unsafe { out.put(kept, 8 + first.count_ones() as usize) };
                    let kept = op!(_mm_shuffle_epi8(self.high(pairs), self.half(&PAIRS.0[usize::from(second)])));
                    // SAFETY: each of two registers makes at most four groups of 16 bytes, which is
                    // at most the 128 bytes of `dst`, and none keeps more than its 16: 8 bytes are
                    // kept always, and one more for each of the row's eight bits.
                    unsafe { out.put(kept, 8 + second.count_ones() as usize) };
                } else {
                    if self.any_surrogate(units) {
                        return None;
                    }
                    // Two bits per code unit: at least 0x80, and at least 0x800.
                    let first = op!(and_si(from_80, op!(set1_epi16(0x00FF))));
                    let rows = op!(movemask_epi8(op!(or_si(first, from_800)))).cast_unsigned();
                    let [a, b] = self.unit_lanes(units, from_800);
                    let groups = [self.low(a), self.low(b), self.high(a), self.high(b)];
                    let rows = rows.to_le_bytes();
                    for (group, row) in groups.into_iter().zip(rows) {
                        let kept = op!(_mm_shuffle_epi8(group, self.half(&UNITS.0[usize::from(row)])));
                        // SAFETY: each of two registers makes at most four groups of 16 bytes,
                        // which is at most the 128 bytes of `dst`, and none keeps more than its 16:
                        // 4 bytes are kept always, and one more for each of the row's eight bits.
                        unsafe { out.put(kept, 4 + row.count_ones() as usize) };
                    }
                }
            }
        });
        Some(out.len())
    }
    #[inline(always)]
    fn pack_halves(self, a: Block, dst: &mut [Slot; 64]) -> usize {
        // The highest bit of a 32-bit lane belongs to the mask of its second half.
        let zeros = self.eq16(a, self.splat(0));
        let mut kept_halves = 16;
        let mut out = Out::new(dst);
        each!(a, zeros => {
            let second = self.top_bits32(zeros) ^ 0xFF;
            let rows = [second & 15, second >> 4];
            let kept = self.squeeze(a, &HALVES.0[rows[0] as usize], &HALVES.0[rows[1] as usize & 15]);
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: 8 bytes are kept always, and two more for each of the row's
            // four bits.
            unsafe { out.put(self.low(kept), 8 + 2 * rows[0].count_ones() as usize) };
            // SAFETY: there are four groups of 16 bytes, which is the 64 bytes of `dst`, and none
            // keeps more than its 16: 8 bytes are kept always, and two more for each of the row's
            // four bits.
            unsafe { out.put(self.high(kept), 8 + 2 * rows[1].count_ones() as usize) };
            kept_halves += second.count_ones() as usize;
        });
        kept_halves
    }
}

/// For each 32 bytes, the table rows of its four groups of eight bytes.
#[inline(always)]
fn rows_of_halves(keep: u64) -> [[u8; 4]; 2] {
    let [a, b, c, d, e, f, g, h] = keep.to_le_bytes();
    [[a, b, c, d], [e, f, g, h]]
}

/// For each register, the table rows of its two halves, from the bitmap of two registers that were
/// packed into one half by half.
#[inline(always)]
fn rows_of_packed(keep: u32) -> [[u8; 2]; 2] {
    let [a, c, b, d] = keep.to_le_bytes();
    [[a, b], [c, d]]
}
