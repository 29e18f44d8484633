//! The AVX-512 level (Ice Lake generation): one register is a block, masks have registers of their
//! own, and one instruction permutes bytes across the register or packs them.
//!
//! GFNI moves bits within bytes: one multiplication by a bit matrix replaces a shift of wider lanes
//! and an AND.

use super::layer::{BLOCK, Compress, SHORT_OF_THREE, ShuffleOps, SimdOps};
use super::slot::Slot;
use super::x86::apart;
use core::arch::x86_64::*;

/// Proves that the features of the level are enabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

/// Executes instructions without memory operands.
macro_rules! op {
    ($call:expr) => {{
        // SAFETY: every function that expands this is a method of `Avx512` or takes one, which
        // exists only where the features of the level are enabled, and no operand is in memory, so
        // the instruction needs nothing else.
        unsafe { $call }
    }};
}

impl Avx512 {
    /// Creates the token.
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni,avx2,bmi1,bmi2,lzcnt,popcnt"
    )]
    #[inline]
    pub(crate) fn new() -> Self {
        Self(())
    }

    /// A bitmap of the first `len` bits, at most 64.
    #[inline(always)]
    fn first_bits(self, len: usize) -> u64 {
        // The instruction reads only the low eight bits of the length.
        op!(_bzhi_u64(u64::MAX, len.min(64) as u32))
    }

    /// Loads 32 bytes.
    #[inline(always)]
    fn half(self, bytes: &[u8; 32]) -> __m256i {
        // SAFETY: the array has the 32 bytes that are read, which need no alignment; the token
        // proves that AVX is enabled.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }

    /// Loads 16 bytes.
    #[inline(always)]
    fn quarter(self, bytes: &[u8; 16]) -> __m128i {
        // SAFETY: the array has the 16 bytes that are read, which need no alignment; the token
        // proves that AVX-512 is enabled.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }
}

/// The matrix that moves `len` bits of each byte from bit `from` up to bit `to` up. Row 7 - *i*
/// selects the source bits that make up bit *i*.
#[inline(always)]
const fn matrix(from: u32, len: u32, to: u32) -> i64 {
    let mut rows = [0u8; 8];
    let mut i = 0;
    while i < len {
        rows[(7 - (to + i)) as usize] = 1 << (from + i);
        i += 1;
    }
    i64::from_le_bytes(rows)
}

/// The bit offsets of a multishift: for each byte of a lane of `lane` bits, the bit offset in `at`.
#[inline(always)]
const fn offsets(lane: u8, at: &[u8]) -> i64 {
    let mut all = [0; 8];
    let mut i = 0;
    while i < 8 {
        all[i] = i as u8 * 8 / lane * lane + at[i % at.len()];
        i += 1;
    }
    i64::from_le_bytes(all)
}

/// The numbers 0 to 63.
const INDICES: [u8; 64] = {
    let mut all = [0; 64];
    let mut i = 0;
    while i < 64 {
        all[i] = i as u8;
        i += 1;
    }
    all
};

/// The byte permutation that reverses each group of `n` bytes.
#[inline(always)]
const fn reversed(n: usize) -> [u8; 64] {
    let mut all = INDICES;
    let mut i = 0;
    while i < 64 {
        all[i] = (i / n * n + n - 1 - i % n) as u8;
        i += 1;
    }
    all
}

impl SimdOps for Avx512 {
    type Bits = u64;
    const UNROLL: usize = 4;
    const MASK_REGISTERS: bool = true;
    type Block = __m512i;
    type Mask = u64;

    #[inline(always)]
    fn prefetch(self, src: &[u8], ahead: usize) {
        // SAFETY: a prefetch never faults and changes nothing but timing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(src.as_ptr().wrapping_add(ahead).cast()) };
    }

    #[inline(always)]
    fn load(self, src: &[u8; 64]) -> __m512i {
        // SAFETY: the array has the 64 bytes that are read, which need no alignment; the token
        // proves that AVX-512 is enabled.
        unsafe { _mm512_loadu_si512(src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn load_partial(self, src: &[u8]) -> __m512i {
        // SAFETY: the mask has ones for bytes of `src` only, and other bytes are not read; the
        // token proves that AVX-512 is enabled.
        unsafe { _mm512_maskz_loadu_epi8(self.first_bits(src.len()), src.as_ptr().cast()) }
    }
    /// Stores two halves: on some processors, copying, widening and narrowing a text is slower with
    /// one 64-byte store.
    #[inline(always)]
    fn store(self, block: __m512i, dst: &mut [Slot; 64]) {
        let (first, second) = dst.split_at_mut(32);
        let halves = [op!(_mm512_castsi512_si256(block)), op!(_mm512_extracti64x4_epi64::<1>(block))];
        // SAFETY: the first of two halves of 64 bytes has the 32 bytes that are written, which need
        // no alignment; the token proves that AVX is enabled.
        unsafe { _mm256_storeu_si256(first.as_mut_ptr().cast(), halves[0]) };
        // SAFETY: the second of two halves of 64 bytes has the 32 bytes that are written, which
        // need no alignment; the token proves that AVX is enabled.
        unsafe { _mm256_storeu_si256(second.as_mut_ptr().cast(), halves[1]) };
    }
    /// Stores 64 bytes by one instruction, for packed bytes, whose stores overlap, and for narrowed
    /// ones: if halves are stored, LLVM splits the permutation that narrows into three per half.
    #[inline(always)]
    fn store_whole(self, block: __m512i, dst: &mut [Slot; 64]) {
        // SAFETY: the array has the 64 bytes that are written, which need no alignment; the token
        // proves that AVX-512 is enabled.
        unsafe { _mm512_storeu_si512(dst.as_mut_ptr().cast(), block) };
    }
    #[inline(always)]
    fn store_partial(self, block: __m512i, dst: &mut [Slot]) {
        // SAFETY: the mask has ones for bytes of `dst` only, and other bytes are not written; the
        // token proves that AVX-512 is enabled.
        unsafe { _mm512_mask_storeu_epi8(dst.as_mut_ptr().cast(), self.first_bits(dst.len()), block) }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> __m512i {
        op!(_mm512_set1_epi8(byte.cast_signed()))
    }
    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_and_si512(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_or_si512(a, b))
    }
    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_xor_si512(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_andnot_si512(b, a))
    }
    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_add_epi8(a, b))
    }
    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_sub_epi8(a, b))
    }
    #[inline(always)]
    fn saturating_sub(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_subs_epu8(a, b))
    }
    #[inline(always)]
    fn max(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_max_epu8(a, b))
    }
    #[inline(always)]
    fn min(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_min_epu8(a, b))
    }
    #[inline(always)]
    fn move_bits<const FROM: u32, const LEN: u32, const TO: u32>(self, a: __m512i) -> __m512i {
        let matrix = op!(_mm512_set1_epi64(const { matrix(FROM, LEN, TO) }));
        op!(_mm512_gf2p8affine_epi64_epi8::<0>(a, matrix))
    }
    #[inline(always)]
    fn move_bits_and_set<const FROM: u32, const LEN: u32, const TO: u32, const SET: u8>(
        self,
        a: __m512i,
    ) -> __m512i {
        // The instruction XORs a constant into the bits, which are zero here.
        const {
            assert!((((1 << LEN) - 1) << TO) as u8 & SET == 0);
        }
        let matrix = op!(_mm512_set1_epi64(const { matrix(FROM, LEN, TO) }));
        match SET {
            0xC0 => op!(_mm512_gf2p8affine_epi64_epi8::<0xC0>(a, matrix)),
            _ => self.or(op!(_mm512_gf2p8affine_epi64_epi8::<0>(a, matrix)), self.splat(SET)),
        }
    }
    #[inline(always)]
    fn sum(self, a: __m512i) -> u32 {
        let sums = op!(_mm512_sad_epu8(a, _mm512_setzero_si512()));
        // Eight sums of eight bytes each.
        op!(_mm512_reduce_add_epi64(sums)) as u32
    }

    #[inline(always)]
    fn eq(self, a: __m512i, b: __m512i) -> u64 {
        op!(_mm512_cmpeq_epi8_mask(a, b))
    }
    #[inline(always)]
    fn ge(self, a: __m512i, b: __m512i) -> u64 {
        op!(_mm512_cmpge_epu8_mask(a, b))
    }
    #[inline(always)]
    fn high_bit(self, a: __m512i) -> u64 {
        op!(_mm512_movepi8_mask(a))
    }
    #[inline(always)]
    fn mask(self, bits: u64) -> u64 {
        bits
    }
    #[inline(always)]
    fn high_eighths(self, a: __m512i) -> u8 {
        op!(_mm512_test_epi64_mask(a, _mm512_set1_epi8(0x80_u8.cast_signed())))
    }
    #[inline(always)]
    fn bits(self, mask: u64) -> u64 {
        mask
    }
    #[inline(always)]
    fn both(self, a: u64, b: u64) -> u64 {
        a & b
    }
    #[inline(always)]
    fn either(self, a: u64, b: u64) -> u64 {
        a | b
    }
    #[inline(always)]
    fn not(self, a: u64) -> u64 {
        !a
    }
    #[inline(always)]
    fn any(self, mask: u64) -> bool {
        mask != 0
    }
    #[inline(always)]
    fn select(self, mask: u64, yes: __m512i, no: __m512i) -> __m512i {
        op!(_mm512_mask_mov_epi8(no, mask, yes))
    }
    #[inline(always)]
    fn keep(self, mask: u64, a: __m512i) -> __m512i {
        op!(_mm512_maskz_mov_epi8(mask, a))
    }
    #[inline(always)]
    fn add_one(self, a: __m512i, mask: u64) -> __m512i {
        op!(_mm512_mask_sub_epi8(a, mask, a, _mm512_set1_epi8(-1)))
    }
    #[inline(always)]
    fn any_high_bit(self, a: __m512i) -> bool {
        op!(_mm512_movepi8_mask(a)) != 0
    }
    /// Loads 32 bytes at a time: as fast as 64 from cache, and faster from memory.
    #[inline(always)]
    fn are_ascii(self, blocks: &[u8; 4 * BLOCK]) -> bool {
        let mut all = op!(_mm256_setzero_si256());
        for half in blocks.as_chunks().0 {
            all = op!(_mm256_or_si256(all, self.half(half)));
        }
        op!(_mm256_movemask_epi8(all)) == 0
    }
    #[inline(always)]
    fn any_bit(self, a: __m512i) -> bool {
        op!(_mm512_test_epi8_mask(a, a)) != 0
    }
    #[inline(always)]
    fn after<const K: usize>(self, before: __m512i, a: __m512i) -> __m512i {
        const { assert!(K <= 3) };
        // The bytes 16 bytes before those of `a`.
        let earlier = op!(_mm512_alignr_epi64::<6>(a, before));
        match K {
            0 => a,
            1 => op!(_mm512_alignr_epi8::<15>(a, earlier)),
            2 => op!(_mm512_alignr_epi8::<14>(a, earlier)),
            _ => op!(_mm512_alignr_epi8::<13>(a, earlier)),
        }
    }
}

impl ShuffleOps for Avx512 {
    type Bits16 = u32;
    const FAST_LOOKUP128: bool = true;
    type LowTable = __m512i;
    type HighTable = __m512i;
    type Table64 = __m512i;
    type Table128 = [__m512i; 2];
    type Mask16 = u32;
    type Mask32 = u16;

    apart!(
        Avx512,
        "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni,avx2,bmi1,bmi2,lzcnt,popcnt"
    );

    #[inline(always)]
    fn low_table(self, table: &[u8; 16]) -> __m512i {
        // The permutation also reads bits 4 and 5 of an index, so the table is repeated for each of
        // their values.
        op!(_mm512_broadcast_i32x4(self.quarter(table)))
    }
    #[inline(always)]
    fn high_table(self, table: &[u8; 16]) -> __m512i {
        // Each entry four times, for an index that is the byte shifted right by two bits, whose
        // bits 0 and 1 do not matter. For a constant table the compiler evaluates these
        // instructions, but not a loop over the bytes.
        let lanes = op!(_mm512_cvtepu8_epi32(self.quarter(table)));
        op!(_mm512_shuffle_epi8(lanes, _mm512_set4_epi32(0x0C0C_0C0C, 0x0808_0808, 0x0404_0404, 0)))
    }
    #[inline(always)]
    fn lookup_low(self, table: __m512i, a: __m512i) -> __m512i {
        op!(_mm512_permutexvar_epi8(a, table))
    }
    #[inline(always)]
    fn lookup_high(self, table: __m512i, a: __m512i) -> __m512i {
        // The permutation reads only the low six bits of an index, so the bits that the shift of
        // 16-bit lanes brings from the neighboring byte do not matter.
        op!(_mm512_permutexvar_epi8(_mm512_srli_epi16::<2>(a), table))
    }
    #[inline(always)]
    fn table64(self, table: &[u8; 64]) -> __m512i {
        self.load(table)
    }
    #[inline(always)]
    fn table128(self, table: &[u8; 128]) -> [__m512i; 2] {
        match table.as_chunks() {
            ([a, b], []) => [self.load(a), self.load(b)],
            _ => unreachable!(),
        }
    }
    #[inline(always)]
    fn table64_of(self, a: __m512i) -> __m512i {
        a
    }
    #[inline(always)]
    fn lookup64(self, table: __m512i, a: __m512i) -> __m512i {
        op!(_mm512_permutexvar_epi8(a, table))
    }
    #[inline(always)]
    fn lookup128(self, table: [__m512i; 2], a: __m512i) -> __m512i {
        op!(_mm512_permutex2var_epi8(table[0], a, table[1]))
    }

    #[inline(always)]
    fn splat16(self, unit: u16) -> __m512i {
        op!(_mm512_set1_epi16(unit.cast_signed()))
    }
    #[inline(always)]
    fn swap16(self, a: __m512i) -> __m512i {
        op!(_mm512_shuffle_epi8(a, self.load(const { &reversed(2) })))
    }
    #[inline(always)]
    fn add16(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_add_epi16(a, b))
    }
    #[inline(always)]
    fn sub16(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_sub_epi16(a, b))
    }
    #[inline(always)]
    fn max16(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_max_epu16(a, b))
    }
    #[inline(always)]
    fn shl16<const N: u32>(self, a: __m512i) -> __m512i {
        op!(_mm512_slli_epi16::<N>(a))
    }
    #[inline(always)]
    fn shr16<const N: u32>(self, a: __m512i) -> __m512i {
        op!(_mm512_srli_epi16::<N>(a))
    }
    #[inline(always)]
    fn bytes16<const A: u32, const B: u32>(self, a: __m512i) -> __m512i {
        let offsets = op!(_mm512_set1_epi64(const { offsets(16, &[A as u8, B as u8]) }));
        op!(_mm512_multishift_epi64_epi8(offsets, a))
    }
    #[inline(always)]
    fn eq16(self, a: __m512i, b: __m512i) -> u32 {
        op!(_mm512_cmpeq_epi16_mask(a, b))
    }
    #[inline(always)]
    fn ge16(self, a: __m512i, b: __m512i) -> u32 {
        op!(_mm512_cmpge_epu16_mask(a, b))
    }
    #[inline(always)]
    fn mask16(self, bits: u32) -> u32 {
        bits
    }
    #[inline(always)]
    fn bits16(self, mask: u32) -> u32 {
        mask
    }
    #[inline(always)]
    fn select16(self, mask: u32, yes: __m512i, no: __m512i) -> __m512i {
        op!(_mm512_mask_mov_epi16(no, mask, yes))
    }
    #[inline(always)]
    fn keep16(self, mask: u32, a: __m512i) -> __m512i {
        op!(_mm512_maskz_mov_epi16(mask, a))
    }

    #[inline(always)]
    fn short_of_three(self, a: __m512i, b: __m512i) -> __m512i {
        let table = op!(_mm512_broadcast_i32x4(self.quarter(&SHORT_OF_THREE)));
        let eighties = op!(_mm512_packs_epi16(_mm512_srli_epi16::<7>(a), _mm512_srli_epi16::<7>(b)));
        op!(_mm512_shuffle_epi8(table, _mm512_add_epi8(eighties, _mm512_set1_epi8(0x70))))
    }

    #[inline(always)]
    fn splat32(self, unit: u32) -> __m512i {
        op!(_mm512_set1_epi32(unit.cast_signed()))
    }
    #[inline(always)]
    fn swap32(self, a: __m512i) -> __m512i {
        op!(_mm512_shuffle_epi8(a, self.load(const { &reversed(4) })))
    }
    #[inline(always)]
    fn add32(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_add_epi32(a, b))
    }
    #[inline(always)]
    fn sub32(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_sub_epi32(a, b))
    }
    #[inline(always)]
    fn max32(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_max_epu32(a, b))
    }
    #[inline(always)]
    fn min32(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_min_epu32(a, b))
    }
    #[inline(always)]
    fn shl32<const N: u32>(self, a: __m512i) -> __m512i {
        op!(_mm512_slli_epi32::<N>(a))
    }
    #[inline(always)]
    fn shr32<const N: u32>(self, a: __m512i) -> __m512i {
        op!(_mm512_srli_epi32::<N>(a))
    }
    #[inline(always)]
    fn bytes32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: __m512i) -> __m512i {
        let at = const { offsets(32, &[A as u8, B as u8, C as u8, D as u8]) };
        op!(_mm512_multishift_epi64_epi8(_mm512_set1_epi64(at), a))
    }
    #[inline(always)]
    fn eq32(self, a: __m512i, b: __m512i) -> u16 {
        op!(_mm512_cmpeq_epi32_mask(a, b))
    }
    #[inline(always)]
    fn ge32(self, a: __m512i, b: __m512i) -> u16 {
        op!(_mm512_cmpge_epu32_mask(a, b))
    }
    #[inline(always)]
    fn mask32(self, bits: u32) -> u16 {
        bits as u16
    }
    #[inline(always)]
    fn bits32(self, mask: u16) -> u32 {
        mask.into()
    }
    #[inline(always)]
    fn select32(self, mask: u16, yes: __m512i, no: __m512i) -> __m512i {
        op!(_mm512_mask_mov_epi32(no, mask, yes))
    }
    #[inline(always)]
    fn keep32(self, mask: u16, a: __m512i) -> __m512i {
        op!(_mm512_maskz_mov_epi32(mask, a))
    }
    #[inline(always)]
    fn by_utf8_len(self, a: __m512i, by_len: [u32; 4]) -> __m512i {
        // Indexed by the number of leading zeros, of which the permutation reads the low five bits:
        // 32 becomes 0. Written out, because the compiler does not always evaluate a loop that
        // fills the table.
        let [one, two, three, four] = by_len;
        let mut low = [four; 16];
        low[0] = one;
        let high = [three, three, three, three, three, two, two, two, two, one, one, one, one, one, one, one];
        // SAFETY: both types have 64 bytes without padding, and any bytes are a value of the
        // register.
        let low: __m512i = unsafe { core::mem::transmute(low) };
        // SAFETY: both types have 64 bytes without padding, and any bytes are a value of the
        // register.
        let high: __m512i = unsafe { core::mem::transmute(high) };
        op!(_mm512_permutex2var_epi32(low, _mm512_lzcnt_epi32(a), high))
    }

    #[inline(always)]
    fn zip8(self, low: __m512i, high: __m512i) -> [__m512i; 2] {
        self.zip8_ordered(self.order_for_zip(low), self.order_for_zip(high))
    }
    #[inline(always)]
    fn zip16(self, low: __m512i, high: __m512i) -> [__m512i; 2] {
        self.zip16_ordered(self.order_for_zip(low), self.order_for_zip(high))
    }
    #[inline(always)]
    fn order_for_zip(self, a: __m512i) -> __m512i {
        // Unpacking works on 16 bytes, so each group moves to where unpacking expects it.
        op!(_mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), a))
    }
    #[inline(always)]
    fn zip8_ordered(self, low: __m512i, high: __m512i) -> [__m512i; 2] {
        [op!(_mm512_unpacklo_epi8(low, high)), op!(_mm512_unpackhi_epi8(low, high))]
    }
    #[inline(always)]
    fn zip16_ordered(self, low: __m512i, high: __m512i) -> [__m512i; 2] {
        [op!(_mm512_unpacklo_epi16(low, high)), op!(_mm512_unpackhi_epi16(low, high))]
    }
    #[inline(always)]
    fn order_for_zip4(self, a: __m512i) -> __m512i {
        // Unpacking twice takes four bytes of each quarter at a time.
        let order = op!(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
        op!(_mm512_permutexvar_epi32(order, a))
    }
    #[inline(always)]
    fn zip4_ordered(self, planes: [__m512i; 4]) -> [__m512i; 4] {
        let low = self.zip8_ordered(planes[0], planes[1]);
        let high = self.zip8_ordered(planes[2], planes[3]);
        let [a, b] = self.zip16_ordered(low[0], high[0]);
        let [c, d] = self.zip16_ordered(low[1], high[1]);
        [a, b, c, d]
    }
    #[inline(always)]
    fn widen8(self, a: __m512i) -> [__m512i; 2] {
        let halves = [op!(_mm512_castsi512_si256(a)), op!(_mm512_extracti64x4_epi64::<1>(a))];
        [op!(_mm512_cvtepu8_epi16(halves[0])), op!(_mm512_cvtepu8_epi16(halves[1]))]
    }
    #[inline(always)]
    fn widen16(self, a: __m512i) -> [__m512i; 2] {
        let halves = [op!(_mm512_castsi512_si256(a)), op!(_mm512_extracti64x4_epi64::<1>(a))];
        [op!(_mm512_cvtepu16_epi32(halves[0])), op!(_mm512_cvtepu16_epi32(halves[1]))]
    }
    #[inline(always)]
    fn narrow16(self, a: __m512i, b: __m512i) -> __m512i {
        let order = op!(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7));
        op!(_mm512_permutexvar_epi64(order, _mm512_packus_epi16(a, b)))
    }
    #[inline(always)]
    fn narrow32(self, a: __m512i, b: __m512i) -> __m512i {
        let order = op!(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7));
        op!(_mm512_permutexvar_epi64(order, _mm512_packus_epi32(a, b)))
    }
    #[inline(always)]
    fn narrow32_to_8(self, [a, b, c, d]: [__m512i; 4]) -> __m512i {
        // Each quarter then has four lanes of each block, which one permutation puts in order.
        let (first, second) = (op!(_mm512_packus_epi32(a, b)), op!(_mm512_packus_epi32(c, d)));
        self.order_for_zip4(op!(_mm512_packus_epi16(first, second)))
    }

    // Packing goes through a register: packing instructions that write to memory are many times
    // slower on some processors.

    #[inline(always)]
    fn pack8(self, a: __m512i, keep: u64, dst: &mut [Slot; 64]) -> usize {
        self.store_whole(op!(_mm512_maskz_compress_epi8(keep, a)), dst);
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn pack16(self, low: __m512i, high: __m512i, keep: u64, dst: &mut [Slot; 128]) -> usize {
        let low = op!(_mm512_maskz_compress_epi8(keep, low));
        let high = op!(_mm512_maskz_compress_epi8(keep, high));
        let [first, second] = self.zip8(low, high);
        if let ([to_first, to_second], []) = dst.as_chunks_mut() {
            self.store_whole(first, to_first);
            self.store_whole(second, to_second);
        }
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn pack32<const SWAP: bool>(
        self,
        low: __m512i,
        high: __m512i,
        top: __m512i,
        keep: u64,
        dst: &mut [Slot; 256],
    ) -> usize {
        let low = op!(_mm512_maskz_compress_epi8(keep, low));
        let high = op!(_mm512_maskz_compress_epi8(keep, high));
        let top = op!(_mm512_maskz_compress_epi8(keep, top));
        let [low0, low1] = self.zip8(low, high);
        let [top0, top1] = self.widen8(top);
        store_lanes::<SWAP>(self, self.zip16(low0, top0), self.zip16(low1, top1), keep, dst)
    }
    #[inline(always)]
    fn pack16_as_32<const SWAP: bool>(
        self,
        low: __m512i,
        high: __m512i,
        keep: u64,
        dst: &mut [Slot; 256],
    ) -> usize {
        let low = op!(_mm512_maskz_compress_epi8(keep, low));
        let high = op!(_mm512_maskz_compress_epi8(keep, high));
        let [first, second] = self.zip8(low, high);
        store_lanes::<SWAP>(self, self.widen16(first), self.widen16(second), keep, dst)
    }
    #[inline(always)]
    fn pack_lanes32(self, a: __m512i, keep: u32, dst: &mut [Slot; 64]) -> usize {
        let keep = keep as u16;
        self.store_whole(op!(_mm512_maskz_compress_epi32(keep, a)), dst);
        keep.count_ones() as usize
    }
    #[inline(always)]
    fn pack_pairs(self, a: __m512i, dst: &mut [Slot; 64]) -> usize {
        self.pack8(a, self.ge(a, self.splat16(0x0100)), dst)
    }
    #[inline(always)]
    fn pack_quads(self, a: __m512i, dst: &mut [Slot; 64]) -> usize {
        self.pack8(a, self.ge(a, self.splat32(0x0001_0101)), dst)
    }
    #[inline(always)]
    fn pack_threes(self, a: __m512i, dst: &mut [Slot; 64]) -> usize {
        const LAST_THREE: [u8; 64] = {
            let mut all = [0; 64];
            let mut i = 0;
            while i < 48 {
                all[i] = (i / 3 * 4 + i % 3 + 1) as u8;
                i += 1;
            }
            all
        };
        self.store_whole(op!(_mm512_permutexvar_epi8(self.load(&LAST_THREE), a)), dst);
        48
    }
    #[inline(always)]
    fn pack_halves(self, a: __m512i, dst: &mut [Slot; 64]) -> usize {
        let keep = self.ge16(a, self.splat32(0x0001_0000));
        self.store_whole(op!(_mm512_maskz_compress_epi16(keep, a)), dst);
        keep.count_ones() as usize
    }
}

/// Stores four registers of 32-bit lanes, the last two only if more than 32 lanes are kept. Returns
/// the number of lanes kept.
#[inline(always)]
fn store_lanes<const SWAP: bool>(
    simd: Avx512,
    first: [__m512i; 2],
    second: [__m512i; 2],
    keep: u64,
    dst: &mut [Slot; 256],
) -> usize {
    let count = keep.count_ones() as usize;
    if let ([to0, to1, to2, to3], []) = dst.as_chunks_mut() {
        simd.store_whole(if SWAP { simd.swap32(first[0]) } else { first[0] }, to0);
        simd.store_whole(if SWAP { simd.swap32(first[1]) } else { first[1] }, to1);
        if count > 32 {
            simd.store_whole(if SWAP { simd.swap32(second[0]) } else { second[0] }, to2);
            simd.store_whole(if SWAP { simd.swap32(second[1]) } else { second[1] }, to3);
        }
    }
    count
}

impl Compress for Avx512 {
    apart!(
        Avx512,
        "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni,avx2,bmi1,bmi2,lzcnt,popcnt",
        apart_in_registers,
        super::layer::ApartInRegisters,
        Slot
    );

    #[inline(always)]
    fn compress8(self, a: __m512i, keep: u64) -> __m512i {
        op!(_mm512_maskz_compress_epi8(keep, a))
    }
    #[inline(always)]
    fn compress_bits(self, bits: u64, keep: u64) -> u64 {
        op!(_pext_u64(bits, keep))
    }
}
