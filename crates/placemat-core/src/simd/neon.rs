//! The NEON level, which every aarch64 CPU supports.
//!
//! Unlike x86-64, NEON can shift and sum bytes directly. No instruction turns a mask into a bitmap:
//! each byte gets its bit, and neighbors are added three times, so kernels should rarely ask for
//! bitmaps.

use super::lanes16::{Lanes16, each};
use super::slot::Slot;
use core::arch::aarch64::*;

/// Proves that NEON is enabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    /// Creates the token.
    #[target_feature(enable = "neon")]
    #[inline]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

/// Executes instructions without memory operands in a method of the token.
macro_rules! op {
    ($call:expr) => {{
        // SAFETY: every function that expands this is a method of `Neon`, and a `Neon` is made only
        // where NEON is enabled, which is all that an instruction without operands in memory needs.
        unsafe { $call }
    }};
}

/// Executes instructions on registers whose lanes have the type named first: `lanes!(u16: a, b =>
/// f(a, b))`.
macro_rules! lanes {
    (u8: $($a:ident),+ => $call:expr) => {
        op!($call)
    };
    (u16: $($a:ident),+ => $call:expr) => {{
        $(let $a = op!(vreinterpretq_u16_u8($a));)+
        op!(vreinterpretq_u8_u16($call))
    }};
    (u32: $($a:ident),+ => $call:expr) => {{
        $(let $a = op!(vreinterpretq_u32_u8($a));)+
        op!(vreinterpretq_u8_u32($call))
    }};
}

/// Defines methods from registers to a register, each with its lane type.
macro_rules! methods {
    ($($name:ident($($a:ident),+): $lanes:ident => $call:expr;)*) => {$(
        #[inline(always)]
        fn $name(self, $($a: Register),+) -> Register {
            lanes!($lanes: $($a),+ => $call)
        }
    )*};
}

type Register = uint8x16_t;

/// The bit of each byte of a mask in the bitmap of eight bytes.
const BIT_OF_8: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
/// The bit of each 16-bit lane of a mask in the bitmap of eight lanes.
const BIT_OF_8_LANES: [u8; 16] = [1, 0, 2, 0, 4, 0, 8, 0, 16, 0, 32, 0, 64, 0, 128, 0];

impl Neon {
    /// Sums of four neighboring bytes: four sums, which the register repeats four times.
    #[inline(always)]
    fn sums_of_4(self, a: Register) -> u32 {
        let a = op!(vpaddq_u8(a, a));
        let a = op!(vpaddq_u8(a, a));
        op!(vgetq_lane_u32::<0>(vreinterpretq_u32_u8(a)))
    }

    /// The first byte of each 32-bit lane.
    #[inline(always)]
    fn first_of_4(self, a: [Register; 4]) -> Register {
        op!(vuzp1q_u8(vuzp1q_u8(a[0], a[1]), vuzp1q_u8(a[2], a[3])))
    }
}

impl Lanes16 for Neon {
    const UNROLL_BLOCKS: usize = 2;
    const HAS_LOOKUP128: bool = true;
    type Register = Register;
    type Table = uint8x16x4_t;

    #[inline(always)]
    fn load_register(self, src: &[u8; 16]) -> Register {
        // SAFETY: the array has the 16 bytes that are read, which need no alignment; the token
        // proves that NEON is enabled.
        unsafe { vld1q_u8(src.as_ptr()) }
    }
    #[inline(always)]
    fn store_register(self, register: Register, dst: &mut [Slot; 16]) {
        // SAFETY: the array has the 16 bytes that are written, which need no alignment; the token
        // proves that NEON is enabled.
        unsafe { vst1q_u8(dst.as_mut_ptr().cast(), register) }
    }

    #[inline(always)]
    fn splat_u8(self, byte: u8) -> Register {
        op!(vdupq_n_u8(byte))
    }
    #[inline(always)]
    fn splat_u16(self, unit: u16) -> Register {
        op!(vreinterpretq_u8_u16(vdupq_n_u16(unit)))
    }
    #[inline(always)]
    fn splat_u32(self, unit: u32) -> Register {
        op!(vreinterpretq_u8_u32(vdupq_n_u32(unit)))
    }

    methods! {
        and_bits(a, b): u8 => vandq_u8(a, b);
        or_bits(a, b): u8 => vorrq_u8(a, b);
        xor_bits(a, b): u8 => veorq_u8(a, b);
        clear_bits(a, b): u8 => vbicq_u8(a, b);
        not_bits(a): u8 => vmvnq_u8(a);
        select_bits(mask, yes, no): u8 => vbslq_u8(mask, yes, no);

        add_u8(a, b): u8 => vaddq_u8(a, b);
        sub_u8(a, b): u8 => vsubq_u8(a, b);
        saturating_sub_u8(a, b): u8 => vqsubq_u8(a, b);
        max_u8(a, b): u8 => vmaxq_u8(a, b);
        min_u8(a, b): u8 => vminq_u8(a, b);
        eq_u8(a, b): u8 => vceqq_u8(a, b);
        ge_u8(a, b): u8 => vcgeq_u8(a, b);
        nonzero_u8(a): u8 => vtstq_u8(a, a);
        high_bit_u8(a): u8 => vcltzq_s8(vreinterpretq_s8_u8(a));
        swap_halves(a): u8 => vextq_u8::<8>(a, a);
        narrow_u16(a, b): u8 => vuzp1q_u8(a, b);
        lookup_16(table, index): u8 => vqtbl1q_u8(table, index);

        add_u16(a, b): u16 => vaddq_u16(a, b);
        sub_u16(a, b): u16 => vsubq_u16(a, b);
        eq_u16(a, b): u16 => vceqq_u16(a, b);
        ge_u16(a, b): u16 => vcgeq_u16(a, b);
        max_u16(a, b): u16 => vmaxq_u16(a, b);
        swap_u16(a): u8 => vrev16q_u8(a);
        narrow_u32(a, b): u16 => vuzp1q_u16(a, b);

        add_u32(a, b): u32 => vaddq_u32(a, b);
        sub_u32(a, b): u32 => vsubq_u32(a, b);
        max_u32(a, b): u32 => vmaxq_u32(a, b);
        min_u32(a, b): u32 => vminq_u32(a, b);
        eq_u32(a, b): u32 => vceqq_u32(a, b);
        ge_u32(a, b): u32 => vcgeq_u32(a, b);
        swap_u32(a): u8 => vrev32q_u8(a);
    }
    #[inline(always)]
    fn narrow_most_u16(self, a: Register, b: Register) -> Register {
        let (a, b) = (op!(vreinterpretq_u16_u8(a)), op!(vreinterpretq_u16_u8(b)));
        op!(vqmovn_high_u16(vqmovn_u16(a), b))
    }

    #[inline(always)]
    fn any_bit_of(self, a: Register) -> bool {
        op!(vmaxvq_u32(vreinterpretq_u32_u8(a))) != 0
    }
    #[inline(always)]
    fn any_high_bit_u8(self, a: Register) -> bool {
        op!(vmaxvq_u8(a)) >= 0x80
    }
    #[inline(always)]
    fn any_from_u16<const MIN: u16>(self, a: Register) -> bool {
        op!(vmaxvq_u16(vreinterpretq_u16_u8(a))) >= MIN
    }
    #[inline(always)]
    fn move_bits_u8<const FROM: u32, const LEN: u32, const TO: u32>(self, a: Register) -> Register {
        // A shift by a register of counts, which the compiler turns into a shift by a constant.
        let up = op!(vdupq_n_s8(const { TO as i8 - FROM as i8 }));
        let moved = op!(vshlq_u8(a, up));
        if const { FROM == 0 && TO + LEN >= 8 || TO == 0 && FROM + LEN >= 8 } {
            // The shift itself drops the other bits.
            moved
        } else {
            self.and_bits(moved, self.splat_u8(const { (((1 << LEN) - 1) << TO) as u8 }))
        }
    }
    #[inline(always)]
    fn after_u8<const K: usize>(self, before: Register, a: Register) -> Register {
        match K {
            1 => op!(vextq_u8::<15>(before, a)),
            2 => op!(vextq_u8::<14>(before, a)),
            _ => op!(vextq_u8::<13>(before, a)),
        }
    }
    #[inline(always)]
    fn sum_u8(self, a: [Register; 4]) -> u32 {
        let sums = op!(vpaddlq_u8(a[0]));
        let sums = op!(vpadalq_u8(sums, a[1]));
        let sums = op!(vpadalq_u8(sums, a[2]));
        let sums = op!(vpadalq_u8(sums, a[3]));
        // The sum of 64 bytes is below 0x1_0000.
        op!(vaddvq_u16(sums)).into()
    }

    #[inline(always)]
    fn shl_u16<const N: u32>(self, a: Register) -> Register {
        let up = op!(vdupq_n_s16(const { N as i16 }));
        lanes!(u16: a => vshlq_u16(a, up))
    }
    #[inline(always)]
    fn shr_u16<const N: u32>(self, a: Register) -> Register {
        let up = op!(vdupq_n_s16(const { -(N as i16) }));
        lanes!(u16: a => vshlq_u16(a, up))
    }
    #[inline(always)]
    fn bytes_u16<const A: u32, const B: u32>(self, a: Register) -> Register {
        let (first, second) = (self.shr_u16::<A>(a), self.shr_u16::<B>(a));
        lanes!(u16: first, second => vsliq_n_u16::<8>(first, second))
    }
    #[inline(always)]
    fn shl_u32<const N: u32>(self, a: Register) -> Register {
        let up = op!(vdupq_n_s32(const { N as i32 }));
        lanes!(u32: a => vshlq_u32(a, up))
    }
    #[inline(always)]
    fn shr_u32<const N: u32>(self, a: Register) -> Register {
        let up = op!(vdupq_n_s32(const { -(N as i32) }));
        lanes!(u32: a => vshlq_u32(a, up))
    }
    #[inline(always)]
    fn bytes_u32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: Register) -> Register {
        // Each insertion overwrites the bits that the previous one left above its byte.
        let (first, second) = (self.shr_u32::<A>(a), self.shr_u32::<B>(a));
        let (third, fourth) = (self.shr_u32::<C>(a), self.shr_u32::<D>(a));
        let two = lanes!(u32: first, second => vsliq_n_u32::<8>(first, second));
        let three = lanes!(u32: two, third => vsliq_n_u32::<16>(two, third));
        lanes!(u32: three, fourth => vsliq_n_u32::<24>(three, fourth))
    }

    #[inline(always)]
    fn mask_u8(self, bits: u64) -> [Register; 4] {
        let bytes: [[u8; 16]; 4] = [
            [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1],
            [2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3],
            [4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5],
            [6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7],
        ];
        let bits = op!(vreinterpretq_u8_u64(vdupq_n_u64(bits)));
        let bit = self.load_register(&BIT_OF_8);
        each!(bytes => op!(vtstq_u8(vqtbl1q_u8(bits, self.load_register(&bytes)), bit)))
    }
    #[inline(always)]
    fn mask_u16(self, bits: u32) -> [Register; 4] {
        // Both bytes of each lane get the register's eight bits; the byte with the lane's bit is
        // tested.
        let bytes = bits.to_le_bytes();
        let bit = self.load_register(&BIT_OF_8_LANES);
        each!(bytes => {
            let bits = self.splat_u8(bytes);
            lanes!(u16: bits, bit => vtstq_u16(bits, bit))
        })
    }
    #[inline(always)]
    fn mask_u32(self, bits: u32) -> [Register; 4] {
        let quarters = [bits, bits >> 4, bits >> 8, bits >> 12];
        let bit = self.load_register(&[1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0]);
        each!(quarters => {
            let bits = self.splat_u32(quarters);
            lanes!(u32: bits, bit => vtstq_u32(bits, bit))
        })
    }
    #[inline(always)]
    fn bits_u8(self, mask: [Register; 4]) -> u64 {
        let bit = self.load_register(&BIT_OF_8);
        let low = op!(vpaddq_u8(vandq_u8(mask[0], bit), vandq_u8(mask[1], bit)));
        let high = op!(vpaddq_u8(vandq_u8(mask[2], bit), vandq_u8(mask[3], bit)));
        let quads = op!(vpaddq_u8(low, high));
        op!(vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(quads, quads))))
    }
    #[inline(always)]
    fn bits_u16(self, mask: [Register; 4]) -> u32 {
        let bit = self.load_register(&BIT_OF_8);
        let low = op!(vandq_u8(vuzp1q_u8(mask[0], mask[1]), bit));
        let high = op!(vandq_u8(vuzp1q_u8(mask[2], mask[3]), bit));
        self.sums_of_4(op!(vpaddq_u8(low, high)))
    }
    #[inline(always)]
    fn bits_u32(self, mask: [Register; 4]) -> u32 {
        let bits = self.and_bits(self.first_of_4(mask), self.load_register(&BIT_OF_8));
        // The last two of the four bytes repeat the first two.
        self.sums_of_4(op!(vpaddq_u8(bits, bits))) & 0xFFFF
    }

    #[inline(always)]
    fn zip_u8(self, low: Register, high: Register) -> [Register; 2] {
        [op!(vzip1q_u8(low, high)), op!(vzip2q_u8(low, high))]
    }
    #[inline(always)]
    fn zip_u16(self, low: Register, high: Register) -> [Register; 2] {
        [lanes!(u16: low, high => vzip1q_u16(low, high)), lanes!(u16: low, high => vzip2q_u16(low, high))]
    }

    #[inline(always)]
    fn table_64(self, [a, b, c, d]: [Register; 4]) -> uint8x16x4_t {
        uint8x16x4_t(a, b, c, d)
    }
    #[inline(always)]
    fn lookup_64(self, table: uint8x16x4_t, index: Register) -> Register {
        op!(vqtbl4q_u8(table, index))
    }
    #[inline(always)]
    fn lookup_128(self, tables: [uint8x16x4_t; 2], index: Register) -> Register {
        // If the index, which may wrap, is not in the second table, the byte from the first stays.
        let found = op!(vqtbl4q_u8(tables[0], index));
        op!(vqtbx4q_u8(found, tables[1], vsubq_u8(index, vdupq_n_u8(64))))
    }

    #[inline(always)]
    fn ones_in_bytes(self, bits: u64) -> u64 {
        op!(vget_lane_u64::<0>(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(bits)))))
    }
    #[inline(always)]
    fn put_eight(self, a: Register, row: &[u8; 8], to: &mut [Slot; 8]) {
        // SAFETY: the row has the eight bytes that are read, which need no alignment; the token
        // proves that NEON is enabled.
        let row = unsafe { vld1_u8(row.as_ptr()) };
        let packed = op!(vqtbl1_u8(a, row));
        // SAFETY: the array has the eight bytes that are written, which need no alignment; the
        // token proves that NEON is enabled.
        unsafe { vst1_u8(to.as_mut_ptr().cast(), packed) }
    }
    #[inline(always)]
    fn row_u16(self, mask: Register) -> u8 {
        op!(vaddvq_u8(vandq_u8(mask, self.load_register(&BIT_OF_8_LANES))))
    }
    #[inline(always)]
    fn rows_u8(self, mask: Register) -> [u8; 2] {
        let bits = self.and_bits(mask, self.load_register(&BIT_OF_8));
        let [first, second, ..] = self.sums_of_4(op!(vpaddq_u8(bits, bits))).to_le_bytes();
        [first, second]
    }
    #[inline(always)]
    fn rows_of_pairs(self, a: [Register; 4]) -> [u8; 4] {
        let bit = self.load_register(&BIT_OF_8);
        let low = op!(vuzp2q_u8(a[0], a[1]));
        let high = op!(vuzp2q_u8(a[2], a[3]));
        let low = op!(vandq_u8(vtstq_u8(low, low), bit));
        let high = op!(vandq_u8(vtstq_u8(high, high), bit));
        self.sums_of_4(op!(vpaddq_u8(low, high))).to_le_bytes()
    }
    #[inline(always)]
    fn rows_of_quads(self, mask: [Register; 4]) -> [u8; 4] {
        let bit = self.load_register(&[0, 1, 2, 0, 0, 4, 8, 0, 0, 16, 32, 0, 0, 64, 128, 0]);
        let low = op!(vpaddq_u8(vandq_u8(mask[0], bit), vandq_u8(mask[1], bit)));
        let high = op!(vpaddq_u8(vandq_u8(mask[2], bit), vandq_u8(mask[3], bit)));
        self.sums_of_4(op!(vpaddq_u8(low, high))).to_le_bytes()
    }
    #[inline(always)]
    fn rows_of_halves(self, a: [Register; 4]) -> [u8; 4] {
        // Narrowed twice, a mask has one byte per 32-bit lane.
        let there = each!(a => self.not_bits(self.eq_u32(self.shr_u32::<16>(a), self.splat_u8(0))));
        let bit = self.load_register(&[1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8]);
        self.sums_of_4(self.and_bits(self.first_of_4(there), bit)).to_le_bytes()
    }
    #[inline(always)]
    fn pairs(self, units: Register, from_80: Register) -> Register {
        let bits = lanes!(u16: units => vsliq_n_u16::<8>(vshrq_n_u16::<6>(units), units));
        let two = self.or_bits(self.and_bits(bits, self.splat_u16(0x3F1F)), self.splat_u16(0x80C0));
        self.select_bits(from_80, two, units)
    }
    #[inline(always)]
    fn unit_lanes(self, units: Register, from_800: Register) -> [Register; 2] {
        // The lead byte of a three-byte sequence; then its second byte, or 0x40 more, the lead byte
        // of a two-byte sequence.
        let tag = self.select_bits(from_800, self.splat_u8(0x80), self.splat_u8(0xC0));
        let second = op!(vsriq_n_u8::<2>(tag, self.shr_u16::<4>(units)));
        let lead = self.or_bits(self.shr_u16::<12>(units), self.splat_u16(0x00E0));
        let first = lanes!(u16: lead, second => vsliq_n_u16::<8>(lead, second));
        // The code point as ASCII, then the last continuation byte.
        let last = self.or_bits(self.and_bits(units, self.splat_u8(0x3F)), self.splat_u8(0x80));
        let last = lanes!(u16: units, last => vsliq_n_u16::<8>(units, last));
        self.zip_u16(last, first)
    }
}
