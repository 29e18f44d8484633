//! The simd128 level of WebAssembly.
//!
//! The compiler considers its instructions safe to call, since a module that uses them does not run
//! where they are missing; only loads and stores, which take pointers, are unsafe.

use super::lanes16::{Lanes16, each};
use super::slot::Slot;
use core::arch::wasm32::*;

/// Proves that simd128 is enabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128(());

impl Simd128 {
    /// Creates the token.
    #[target_feature(enable = "simd128")]
    #[inline]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

/// Defines methods from registers to a register.
macro_rules! methods {
    ($($name:ident($($a:ident),+) => $call:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($a: v128),+) -> v128 {
            $call
        }
    )*};
}

/// The bit of each byte of a mask in the bitmap of eight bytes.
const BIT_OF_8: v128 = u8x16(1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128);

impl Lanes16 for Simd128 {
    // Most CPUs that run WebAssembly have 16 vector registers.
    const UNROLL_BLOCKS: usize = 1;
    const HAS_LOOKUP128: bool = false;
    type Register = v128;
    type Table = [v128; 4];

    #[inline(always)]
    fn load_register(self, src: &[u8; 16]) -> v128 {
        // SAFETY: the array has the 16 bytes that are read, which need no alignment.
        unsafe { v128_load(src.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store_register(self, register: v128, dst: &mut [Slot; 16]) {
        // SAFETY: the array has the 16 bytes that are written, which need no alignment.
        unsafe { v128_store(dst.as_mut_ptr().cast(), register) }
    }

    #[inline(always)]
    fn splat_u8(self, byte: u8) -> v128 {
        u8x16_splat(byte)
    }
    #[inline(always)]
    fn splat_u16(self, unit: u16) -> v128 {
        u16x8_splat(unit)
    }
    #[inline(always)]
    fn splat_u32(self, unit: u32) -> v128 {
        u32x4_splat(unit)
    }

    methods! {
        and_bits(a, b) => v128_and(a, b);
        or_bits(a, b) => v128_or(a, b);
        xor_bits(a, b) => v128_xor(a, b);
        clear_bits(a, b) => v128_andnot(a, b);
        not_bits(a) => v128_not(a);
        select_bits(mask, yes, no) => v128_bitselect(yes, no, mask);

        add_u8(a, b) => u8x16_add(a, b);
        sub_u8(a, b) => u8x16_sub(a, b);
        saturating_sub_u8(a, b) => u8x16_sub_sat(a, b);
        max_u8(a, b) => u8x16_max(a, b);
        min_u8(a, b) => u8x16_min(a, b);
        eq_u8(a, b) => u8x16_eq(a, b);
        ge_u8(a, b) => u8x16_ge(a, b);
        nonzero_u8(a) => u8x16_ne(a, u8x16_splat(0));
        high_bit_u8(a) => i8x16_lt(a, u8x16_splat(0));
        swap_halves(a) => u64x2_shuffle::<1, 0>(a, a);
        narrow_u16(a, b) => u8x16_narrow_i16x8(a, b);
        narrow_most_u16(a, b) => u8x16_narrow_i16x8(a, b);
        lookup_16(table, index) => u8x16_swizzle(table, index);

        add_u16(a, b) => u16x8_add(a, b);
        sub_u16(a, b) => u16x8_sub(a, b);
        eq_u16(a, b) => u16x8_eq(a, b);
        ge_u16(a, b) => u16x8_ge(a, b);
        max_u16(a, b) => u16x8_max(a, b);
        swap_u16(a) => u8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(a, a);
        narrow_u32(a, b) => u16x8_narrow_i32x4(a, b);

        add_u32(a, b) => u32x4_add(a, b);
        sub_u32(a, b) => u32x4_sub(a, b);
        max_u32(a, b) => u32x4_max(a, b);
        min_u32(a, b) => u32x4_min(a, b);
        eq_u32(a, b) => u32x4_eq(a, b);
        ge_u32(a, b) => u32x4_ge(a, b);
        swap_u32(a) => u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(a, a);
    }

    #[inline(always)]
    fn any_bit_of(self, a: v128) -> bool {
        v128_any_true(a)
    }
    #[inline(always)]
    fn any_high_bit_u8(self, a: v128) -> bool {
        u8x16_bitmask(a) != 0
    }
    #[inline(always)]
    fn any_from_u16<const MIN: u16>(self, a: v128) -> bool {
        v128_any_true(v128_and(a, u16x8_splat(!(MIN - 1))))
    }
    #[inline(always)]
    fn move_bits_u8<const FROM: u32, const LEN: u32, const TO: u32>(self, a: v128) -> v128 {
        // Shifts 16-bit lanes, because many CPUs cannot shift bytes; the mask also clears the bits
        // that come from the neighboring byte.
        let moved = if TO >= FROM {
            u16x8_shl(a, const { TO.saturating_sub(FROM) })
        } else {
            u16x8_shr(a, const { FROM.saturating_sub(TO) })
        };
        v128_and(moved, u8x16_splat(const { (((1 << LEN) - 1) << TO) as u8 }))
    }
    #[inline(always)]
    fn after_u8<const K: usize>(self, before: v128, a: v128) -> v128 {
        match K {
            1 => u8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(before, a),
            2 => u8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(before, a),
            _ => u8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(before, a),
        }
    }
    #[inline(always)]
    fn sum_u8(self, a: [v128; 4]) -> u32 {
        let pairs = each!(a => u16x8_extadd_pairwise_u8x16(a));
        let sums = u16x8_add(u16x8_add(pairs[0], pairs[1]), u16x8_add(pairs[2], pairs[3]));
        let sums = u32x4_extadd_pairwise_u16x8(sums);
        let sums = u32x4_add(sums, u32x4_shuffle::<2, 3, 0, 1>(sums, sums));
        u32x4_extract_lane::<0>(sums) + u32x4_extract_lane::<1>(sums)
    }

    #[inline(always)]
    fn shl_u16<const N: u32>(self, a: v128) -> v128 {
        u16x8_shl(a, N)
    }
    #[inline(always)]
    fn shr_u16<const N: u32>(self, a: v128) -> v128 {
        u16x8_shr(a, N)
    }
    #[inline(always)]
    fn bytes_u16<const A: u32, const B: u32>(self, a: v128) -> v128 {
        let (first, second) = (u16x8_shr(a, A), u16x8_shr(a, B));
        u8x16_shuffle::<0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30>(first, second)
    }
    #[inline(always)]
    fn shl_u32<const N: u32>(self, a: v128) -> v128 {
        u32x4_shl(a, N)
    }
    #[inline(always)]
    fn shr_u32<const N: u32>(self, a: v128) -> v128 {
        u32x4_shr(a, N)
    }
    #[inline(always)]
    fn bytes_u32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: v128) -> v128 {
        let (first, second) = (u32x4_shr(a, A), u32x4_shr(a, B));
        let (third, fourth) = (u32x4_shr(a, C), u32x4_shr(a, D));
        let low = u8x16_shuffle::<0, 16, 0, 0, 4, 20, 0, 0, 8, 24, 0, 0, 12, 28, 0, 0>(first, second);
        let high = u8x16_shuffle::<0, 0, 0, 16, 0, 0, 4, 20, 0, 0, 8, 24, 0, 0, 12, 28>(third, fourth);
        u16x8_shuffle::<0, 9, 2, 11, 4, 13, 6, 15>(low, high)
    }

    #[inline(always)]
    fn mask_u8(self, bits: u64) -> [v128; 4] {
        let a = u64x2_splat(bits);
        let bytes = [
            u8x16_shuffle::<0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1>(a, a),
            u8x16_shuffle::<2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3>(a, a),
            u8x16_shuffle::<4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5>(a, a),
            u8x16_shuffle::<6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7>(a, a),
        ];
        each!(bytes => u8x16_eq(v128_and(bytes, BIT_OF_8), BIT_OF_8))
    }
    #[inline(always)]
    fn mask_u16(self, bits: u32) -> [v128; 4] {
        // The register's eight bits in the lower byte of each lane.
        let a = u32x4_splat(bits);
        let bytes = [
            u8x16_shuffle::<0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>(a, a),
            u8x16_shuffle::<1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>(a, a),
            u8x16_shuffle::<2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2>(a, a),
            u8x16_shuffle::<3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3>(a, a),
        ];
        let bit = u16x8(1, 2, 4, 8, 16, 32, 64, 128);
        each!(bytes => u16x8_eq(v128_and(bytes, bit), bit))
    }
    #[inline(always)]
    fn mask_u32(self, bits: u32) -> [v128; 4] {
        let quarters =
            [u32x4_splat(bits), u32x4_splat(bits >> 4), u32x4_splat(bits >> 8), u32x4_splat(bits >> 12)];
        let bit = u32x4(1, 2, 4, 8);
        each!(quarters => u32x4_eq(v128_and(quarters, bit), bit))
    }
    #[inline(always)]
    fn bits_u8(self, mask: [v128; 4]) -> u64 {
        let [a, b, c, d] = each!(mask => u64::from(u8x16_bitmask(mask)));
        a | b << 16 | c << 32 | d << 48
    }
    #[inline(always)]
    fn bits_u16(self, mask: [v128; 4]) -> u32 {
        let low = u32::from(u8x16_bitmask(i8x16_narrow_i16x8(mask[0], mask[1])));
        low | u32::from(u8x16_bitmask(i8x16_narrow_i16x8(mask[2], mask[3]))) << 16
    }
    #[inline(always)]
    fn bits_u32(self, mask: [v128; 4]) -> u32 {
        let low = i16x8_narrow_i32x4(mask[0], mask[1]);
        let high = i16x8_narrow_i32x4(mask[2], mask[3]);
        u8x16_bitmask(i8x16_narrow_i16x8(low, high)).into()
    }

    #[inline(always)]
    fn zip_u8(self, low: v128, high: v128) -> [v128; 2] {
        [
            u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(low, high),
            u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(low, high),
        ]
    }
    #[inline(always)]
    fn zip_u16(self, low: v128, high: v128) -> [v128; 2] {
        [
            u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(low, high),
            u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(low, high),
        ]
    }
    #[inline(always)]
    fn widen_u8(self, a: v128) -> [v128; 2] {
        [u16x8_extend_low_u8x16(a), u16x8_extend_high_u8x16(a)]
    }
    #[inline(always)]
    fn widen_u16(self, a: v128) -> [v128; 2] {
        [u32x4_extend_low_u16x8(a), u32x4_extend_high_u16x8(a)]
    }

    #[inline(always)]
    fn table_64(self, rows: [v128; 4]) -> [v128; 4] {
        rows
    }
    #[inline(always)]
    fn lookup_64(self, rows: [v128; 4], index: v128) -> v128 {
        // Each row yields zero for the indices of the other rows.
        let [a, b, c, d] = [
            u8x16_swizzle(rows[0], index),
            u8x16_swizzle(rows[1], u8x16_sub(index, u8x16_splat(16))),
            u8x16_swizzle(rows[2], u8x16_sub(index, u8x16_splat(32))),
            u8x16_swizzle(rows[3], u8x16_sub(index, u8x16_splat(48))),
        ];
        v128_or(v128_or(a, b), v128_or(c, d))
    }

    #[inline(always)]
    fn ones_in_bytes(self, bits: u64) -> u64 {
        u64x2_extract_lane::<0>(u8x16_popcnt(u64x2_splat(bits)))
    }
    #[inline(always)]
    fn put_eight(self, a: v128, row: &[u8; 8], to: &mut [Slot; 8]) {
        // SAFETY: the row has the eight bytes that are read, which need no alignment.
        let row = unsafe { v128_load64_zero(row.as_ptr().cast()) };
        let packed = u8x16_swizzle(a, row);
        // SAFETY: the array has the eight bytes that are written, which need no alignment.
        unsafe { v128_store64_lane::<0>(packed, to.as_mut_ptr().cast()) }
    }
    #[inline(always)]
    fn row_u16(self, mask: v128) -> u8 {
        i16x8_bitmask(mask)
    }
    #[inline(always)]
    fn rows_u8(self, mask: v128) -> [u8; 2] {
        u8x16_bitmask(mask).to_le_bytes()
    }
    #[inline(always)]
    fn rows_of_pairs(self, a: [v128; 4]) -> [u8; 4] {
        self.bits_u16(each!(a => u16x8_ge(a, u16x8_splat(0x0100)))).to_le_bytes()
    }
    #[inline(always)]
    fn rows_of_quads(self, mask: [v128; 4]) -> [u8; 4] {
        // Moves the middle two bytes of each four to the first eight bytes.
        let [a, b, c, d] =
            each!(mask => u8x16_shuffle::<1, 2, 5, 6, 9, 10, 13, 14, 1, 2, 5, 6, 9, 10, 13, 14>(mask, mask));
        let low = u8x16_bitmask(u64x2_shuffle::<0, 2>(a, b)).to_le_bytes();
        let high = u8x16_bitmask(u64x2_shuffle::<0, 2>(c, d)).to_le_bytes();
        [low[0], low[1], high[0], high[1]]
    }
    #[inline(always)]
    fn rows_of_halves(self, a: [v128; 4]) -> [u8; 4] {
        let there = self.bits_u32(each!(a => u32x4_ge(a, u32x4_splat(0x0001_0000)))).to_le_bytes();
        [there[0] & 15, there[0] >> 4, there[1] & 15, there[1] >> 4]
    }
    #[inline(always)]
    fn pairs(self, units: v128, from_80: v128) -> v128 {
        let bits = v128_or(u16x8_shl(units, 8), u16x8_shr(units, 6));
        let two = v128_or(v128_and(bits, u16x8_splat(0x3F1F)), u16x8_splat(0x80C0));
        v128_bitselect(two, units, from_80)
    }
    #[inline(always)]
    fn unit_lanes(self, units: v128, from_800: v128) -> [v128; 2] {
        // The lead byte of a three-byte sequence; then its second byte, or 0x40 more, the lead byte
        // of a two-byte sequence.
        let tag = v128_bitselect(u16x8_splat(0x80E0), u16x8_splat(0xC0E0), from_800);
        let second = v128_and(u16x8_shl(units, 2), u16x8_splat(0x3F00));
        let first = v128_or(v128_or(u16x8_shr(units, 12), second), tag);
        // The code point as ASCII, then the last continuation byte.
        let last = v128_or(v128_and(u16x8_shl(units, 8), u16x8_splat(0x3F00)), u16x8_splat(0x8000));
        let last = v128_bitselect(units, last, u16x8_splat(0x00FF));
        self.zip_u16(last, first)
    }
}
