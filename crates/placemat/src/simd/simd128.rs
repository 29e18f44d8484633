//! simd128 of WebAssembly: a block is four registers of 16 bytes, a mask four registers of bytes 00 or FF.
//!
//! Its instructions are safe to call for the compiler, since a module that has them does not run where they are not
//! there; only loads and stores are not.

use super::{Shuffle, Simd, partial, squeeze};
use core::arch::wasm32::*;

/// Proof that the features of the level are enabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simd128(());

impl Simd128 {
    /// The proof, which can be had only where the features are enabled.
    #[target_feature(enable = "simd128")]
    #[inline]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

/// The same instruction for each register of the blocks named: `each!(a, b => f(a, b))`.
macro_rules! each {
    ($($block:ident),+ => $call:expr) => {
        [
            each!(@ 0, $($block),+ => $call),
            each!(@ 1, $($block),+ => $call),
            each!(@ 2, $($block),+ => $call),
            each!(@ 3, $($block),+ => $call),
        ]
    };
    (@ $register:literal, $($block:ident),+ => $call:expr) => {{
        $(let $block = $block[$register];)+
        $call
    }};
}

/// The same statements for each number: a loop that needs no optimiser to be none.
macro_rules! unroll {
    ($i:ident in $($n:literal)+ $body:block) => {
        $({
            const $i: usize = $n;
            $body
        })+
    };
}

type Block = [v128; 4];

/// For each byte of a mask its bit, if it is one of eight.
const BIT_OF_8: v128 = u8x16(1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128);

#[inline(always)]
fn load16(src: &[u8; 16]) -> v128 {
    // SAFETY: the array has the 16 bytes that are read, which need no alignment.
    unsafe { v128_load(src.as_ptr().cast()) }
}
#[inline(always)]
fn store16(register: v128, dst: &mut [u8; 16]) {
    // SAFETY: the array has the 16 bytes that are written, which need no alignment.
    unsafe { v128_store(dst.as_mut_ptr().cast(), register) }
}

/// Stores a register `at` bytes into `dst`, where there is room for it.
#[inline(always)]
fn put16(register: v128, dst: &mut [u8], at: usize) {
    if let Some(to) = dst.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        store16(register, to);
    }
}

/// The bytes of a register that a row of a table names, in its order.
#[inline(always)]
fn squeezed(register: v128, row: &[u8; 16]) -> v128 {
    u8x16_swizzle(register, load16(row))
}

/// What a table of four rows has at each index, zero for indices that it does not have, also those below zero.
#[inline(always)]
fn of_rows(rows: [v128; 4], index: v128) -> v128 {
    // Each row gives zero for the indices of the others.
    let [a, b, c, d] = [
        u8x16_swizzle(rows[0], index),
        u8x16_swizzle(rows[1], u8x16_sub(index, u8x16_splat(16))),
        u8x16_swizzle(rows[2], u8x16_sub(index, u8x16_splat(32))),
        u8x16_swizzle(rows[3], u8x16_sub(index, u8x16_splat(48))),
    ];
    v128_or(v128_or(a, b), v128_or(c, d))
}

/// How many ones there are in each byte.
#[inline(always)]
fn ones(bits: u64) -> u64 {
    u64x2_extract_lane::<0>(u8x16_popcnt(u64x2_splat(bits)))
}

/// Running sums of eight bytes: in each byte the sum of those up to and with it, which is below 256.
#[inline(always)]
fn running(counts: u64) -> u64 {
    counts.wrapping_mul(0x0101_0101_0101_0101)
}

/// Writes eight 16-bit units as UTF-8 at `at`. Returns where they end; or `None` if there is a surrogate.
#[inline(always)]
fn put_units(units: v128, dst: &mut [u8; 128], at: usize) -> Option<usize> {
    if !v128_any_true(v128_and(units, u16x8_splat(!0x7F))) {
        put16(u8x16_narrow_i16x8(units, units), dst, at);
        return Some(at + 8);
    }
    let (from_80, from_800) = (u16x8_ge(units, u16x8_splat(0x80)), u16x8_ge(units, u16x8_splat(0x800)));
    if !v128_any_true(from_800) {
        let bits = v128_or(u16x8_shl(units, 8), u16x8_shr(units, 6));
        let two = v128_or(v128_and(bits, u16x8_splat(0x3F1F)), u16x8_splat(0x80C0));
        let row = i16x8_bitmask(from_80);
        put16(squeezed(v128_bitselect(two, units, from_80), &squeeze::PAIRS.0[usize::from(row)]), dst, at);
        return Some(at + 8 + row.count_ones() as usize);
    }
    if v128_any_true(u16x8_eq(v128_and(units, u16x8_splat(0xF800)), u16x8_splat(0xD800))) {
        return None;
    }
    // The lead byte of three, and the second byte or the lead byte of two, which is 40 more.
    let tag = v128_bitselect(u16x8_splat(0x80E0), u16x8_splat(0xC0E0), from_800);
    let second = v128_and(u16x8_shl(units, 2), u16x8_splat(0x3F00));
    let first = v128_or(v128_or(u16x8_shr(units, 12), second), tag);
    // The ASCII character and the last byte.
    let last = v128_or(v128_and(u16x8_shl(units, 8), u16x8_splat(0x3F00)), u16x8_splat(0x8000));
    let last = v128_bitselect(units, last, u16x8_splat(0x00FF));
    // Two bits a unit.
    let there = v128_bitselect(from_80, from_800, u16x8_splat(0x00FF));
    let [low, high] = u8x16_bitmask(there).to_le_bytes();
    let lanes = u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(last, first);
    put16(squeezed(lanes, &squeeze::UNITS.0[usize::from(low)]), dst, at);
    let middle = at + 4 + low.count_ones() as usize;
    let lanes = u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(last, first);
    put16(squeezed(lanes, &squeeze::UNITS.0[usize::from(high)]), dst, middle);
    Some(middle + 4 + high.count_ones() as usize)
}

/// Packs each register by the row of a table, whose number is the register's byte of `rows`, of which `always` units are
/// there in each row and one more for each bit of its number. Returns units.
#[inline(always)]
fn pack_rows<const COUNT: usize, const UNIT: usize>(
    a: Block,
    rows: [u8; 4],
    always: u64,
    table: &'static squeeze::Rows<16, COUNT>,
    dst: &mut [u8; 64],
) -> usize {
    let counts = ones(u32::from_le_bytes(rows).into());
    let ends = running(counts + always * 0x0101_0101).to_le_bytes();
    put16(squeezed(a[0], &table.0[usize::from(rows[0])]), dst, 0);
    unroll!(I in 1 2 3 {
        put16(squeezed(a[I], &table.0[usize::from(rows[I])]), dst, UNIT * usize::from(ends[I - 1]));
    });
    ends[3].into()
}

/// Packs 64 units of 32 bits, four in each register. Returns units.
#[inline(always)]
fn pack_fours(a: [Block; 4], keep: u64, dst: &mut [u8; 256]) -> usize {
    let ends = running(ones(keep));
    let starts = ends << 8;
    // Where the upper half of each eight begins: after the lower.
    let middles = (starts + ones(keep & 0x0F0F_0F0F_0F0F_0F0F)).to_le_bytes();
    let starts = starts.to_le_bytes();
    let rows = keep.to_le_bytes();
    unroll!(I in 0 1 2 3 4 5 6 7 {
        let row = usize::from(rows[I]);
        let low = squeezed(a[I / 2][I % 2 * 2], &squeeze::LANES32.0[row & 15]);
        put16(low, dst, 4 * usize::from(starts[I]));
        let high = squeezed(a[I / 2][I % 2 * 2 + 1], &squeeze::LANES32.0[row >> 4]);
        put16(high, dst, 4 * usize::from(middles[I]));
    });
    ends.to_le_bytes()[7].into()
}

impl Simd for Simd128 {
    // Most machines that run WebAssembly have 16 registers.
    const UNROLL: usize = 1;
    const MASK_REGISTERS: bool = false;
    type Block = Block;
    type Mask = Block;

    #[inline(always)]
    fn load(self, src: &[u8; 64]) -> Block {
        match src.as_chunks() {
            ([a, b, c, d], []) => [load16(a), load16(b), load16(c), load16(d)],
            _ => unreachable!(),
        }
    }
    #[inline(always)]
    fn load_partial(self, src: &[u8]) -> Block {
        let mut whole = [0; 64];
        partial::copy(src, &mut whole);
        self.load(&whole)
    }
    #[inline(always)]
    fn store(self, block: Block, dst: &mut [u8; 64]) {
        if let ([a, b, c, d], []) = dst.as_chunks_mut() {
            store16(block[0], a);
            store16(block[1], b);
            store16(block[2], c);
            store16(block[3], d);
        }
    }
    #[inline(always)]
    fn store_partial(self, block: Block, dst: &mut [u8]) {
        let mut whole = [0; 64];
        self.store(block, &mut whole);
        partial::copy(&whole, dst);
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> Block {
        [u8x16_splat(byte); 4]
    }
    #[inline(always)]
    fn and(self, a: Block, b: Block) -> Block {
        each!(a, b => v128_and(a, b))
    }
    #[inline(always)]
    fn or(self, a: Block, b: Block) -> Block {
        each!(a, b => v128_or(a, b))
    }
    #[inline(always)]
    fn xor(self, a: Block, b: Block) -> Block {
        each!(a, b => v128_xor(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: Block, b: Block) -> Block {
        each!(a, b => v128_andnot(a, b))
    }
    #[inline(always)]
    fn add(self, a: Block, b: Block) -> Block {
        each!(a, b => u8x16_add(a, b))
    }
    #[inline(always)]
    fn sub(self, a: Block, b: Block) -> Block {
        each!(a, b => u8x16_sub(a, b))
    }
    #[inline(always)]
    fn saturating_sub(self, a: Block, b: Block) -> Block {
        each!(a, b => u8x16_sub_sat(a, b))
    }
    #[inline(always)]
    fn max(self, a: Block, b: Block) -> Block {
        each!(a, b => u8x16_max(a, b))
    }
    #[inline(always)]
    fn min(self, a: Block, b: Block) -> Block {
        each!(a, b => u8x16_min(a, b))
    }
    #[inline(always)]
    fn move_bits<const FROM: u32, const LEN: u32, const TO: u32>(self, a: Block) -> Block {
        // Lanes of 16 bits, which machines can shift where they cannot shift bytes; the mask clears what comes from the
        // neighbour, too.
        let moved = if TO >= FROM {
            each!(a => u16x8_shl(a, const { TO.saturating_sub(FROM) }))
        } else {
            each!(a => u16x8_shr(a, const { FROM.saturating_sub(TO) }))
        };
        self.and(moved, self.splat(const { (((1 << LEN) - 1) << TO) as u8 }))
    }
    #[inline(always)]
    fn sum(self, a: Block) -> u32 {
        let pairs = each!(a => u16x8_extadd_pairwise_u8x16(a));
        let sums = u16x8_add(u16x8_add(pairs[0], pairs[1]), u16x8_add(pairs[2], pairs[3]));
        let sums = u32x4_extadd_pairwise_u16x8(sums);
        let sums = u32x4_add(sums, u32x4_shuffle::<2, 3, 0, 1>(sums, sums));
        u32x4_extract_lane::<0>(sums) + u32x4_extract_lane::<1>(sums)
    }

    #[inline(always)]
    fn eq(self, a: Block, b: Block) -> Block {
        each!(a, b => u8x16_eq(a, b))
    }
    #[inline(always)]
    fn ge(self, a: Block, b: Block) -> Block {
        each!(a, b => u8x16_ge(a, b))
    }
    #[inline(always)]
    fn high_bit(self, a: Block) -> Block {
        let zero = u8x16_splat(0);
        each!(a => i8x16_lt(a, zero))
    }
    #[inline(always)]
    fn mask(self, bits: u64) -> Block {
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
    fn bits(self, mask: Block) -> u64 {
        let bits = each!(mask => u64::from(u8x16_bitmask(mask)));
        bits[0] | bits[1] << 16 | bits[2] << 32 | bits[3] << 48
    }
    #[inline(always)]
    fn both(self, a: Block, b: Block) -> Block {
        self.and(a, b)
    }
    #[inline(always)]
    fn either(self, a: Block, b: Block) -> Block {
        self.or(a, b)
    }
    #[inline(always)]
    fn not(self, a: Block) -> Block {
        each!(a => v128_not(a))
    }
    #[inline(always)]
    fn any(self, mask: Block) -> bool {
        self.any_bit(mask)
    }
    #[inline(always)]
    fn select(self, mask: Block, yes: Block, no: Block) -> Block {
        each!(mask, yes, no => v128_bitselect(yes, no, mask))
    }
    #[inline(always)]
    fn keep(self, mask: Block, a: Block) -> Block {
        self.and(mask, a)
    }
    #[inline(always)]
    fn add_one(self, a: Block, mask: Block) -> Block {
        // FF is minus one.
        self.sub(a, mask)
    }
    #[inline(always)]
    fn any_high_bit(self, a: Block) -> bool {
        u8x16_bitmask(v128_or(v128_or(a[0], a[1]), v128_or(a[2], a[3]))) != 0
    }
    #[inline(always)]
    fn any_bit(self, a: Block) -> bool {
        v128_any_true(v128_or(v128_or(a[0], a[1]), v128_or(a[2], a[3])))
    }
    #[inline(always)]
    fn after_zeros<const K: usize>(self, a: Block) -> Block {
        const { assert!(K <= 3) };
        let before = [u8x16_splat(0), a[0], a[1], a[2]];
        match K {
            0 => a,
            1 => {
                each!(before, a => u8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(before, a))
            }
            2 => {
                each!(before, a => u8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(before, a))
            }
            _ => {
                each!(before, a => u8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(before, a))
            }
        }
    }
}

impl Shuffle for Simd128 {
    const LONG_TABLES: bool = false;
    type LowTable = v128;
    type HighTable = v128;
    type Table64 = [v128; 4];
    type Table128 = [[v128; 4]; 2];
    // Each byte of a lane has its truth value.
    type Mask16 = Block;
    type Mask32 = Block;

    #[inline(always)]
    fn low_table(self, table: &[u8; 16]) -> v128 {
        load16(table)
    }
    #[inline(always)]
    fn high_table(self, table: &[u8; 16]) -> v128 {
        load16(table)
    }
    #[inline(always)]
    fn lookup_low(self, table: v128, a: Block) -> Block {
        let low = u8x16_splat(0x0F);
        each!(a => u8x16_swizzle(table, v128_and(a, low)))
    }
    #[inline(always)]
    fn lookup_high(self, table: v128, a: Block) -> Block {
        let high = self.move_bits::<4, 4, 0>(a);
        each!(high => u8x16_swizzle(table, high))
    }
    #[inline(always)]
    fn table64(self, table: &[u8; 64]) -> [v128; 4] {
        self.load(table)
    }
    #[inline(always)]
    fn table128(self, table: &[u8; 128]) -> [[v128; 4]; 2] {
        match table.as_chunks() {
            ([a, b], []) => [self.load(a), self.load(b)],
            _ => unreachable!(),
        }
    }
    #[inline(always)]
    fn lookup64(self, table: [v128; 4], a: Block) -> Block {
        let index = self.and(a, self.splat(0x3F));
        each!(index => of_rows(table, index))
    }
    #[inline(always)]
    fn lookup128(self, table: [[v128; 4]; 2], a: Block) -> Block {
        let low = self.and(a, self.splat(0x7F));
        let high = self.sub(low, self.splat(64));
        each!(low, high => v128_or(of_rows(table[0], low), of_rows(table[1], high)))
    }

    #[inline(always)]
    fn splat16(self, unit: u16) -> Block {
        [u16x8_splat(unit); 4]
    }
    #[inline(always)]
    fn swap16(self, a: Block) -> Block {
        each!(a => u8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(a, a))
    }
    #[inline(always)]
    fn add16(self, a: Block, b: Block) -> Block {
        each!(a, b => u16x8_add(a, b))
    }
    #[inline(always)]
    fn sub16(self, a: Block, b: Block) -> Block {
        each!(a, b => u16x8_sub(a, b))
    }
    #[inline(always)]
    fn shl16<const N: u32>(self, a: Block) -> Block {
        each!(a => u16x8_shl(a, N))
    }
    #[inline(always)]
    fn shr16<const N: u32>(self, a: Block) -> Block {
        each!(a => u16x8_shr(a, N))
    }
    #[inline(always)]
    fn bytes16<const A: u32, const B: u32>(self, a: Block) -> Block {
        let (first, second) = (self.shr16::<A>(a), self.shr16::<B>(a));
        each!(first, second => u8x16_shuffle::<0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30>(first, second))
    }
    #[inline(always)]
    fn eq16(self, a: Block, b: Block) -> Block {
        each!(a, b => u16x8_eq(a, b))
    }
    #[inline(always)]
    fn ge16(self, a: Block, b: Block) -> Block {
        each!(a, b => u16x8_ge(a, b))
    }
    #[inline(always)]
    fn mask16(self, bits: u32) -> Block {
        // The register's eight bits in the lower byte of each lane.
        let a = u32x4_splat(bits);
        let bit = u16x8(1, 2, 4, 8, 16, 32, 64, 128);
        let bytes = [
            u8x16_shuffle::<0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>(a, a),
            u8x16_shuffle::<1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1>(a, a),
            u8x16_shuffle::<2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2>(a, a),
            u8x16_shuffle::<3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3>(a, a),
        ];
        each!(bytes => u16x8_eq(v128_and(bytes, bit), bit))
    }
    #[inline(always)]
    fn bits16(self, mask: Block) -> u32 {
        let low = u32::from(u8x16_bitmask(i8x16_narrow_i16x8(mask[0], mask[1])));
        low | u32::from(u8x16_bitmask(i8x16_narrow_i16x8(mask[2], mask[3]))) << 16
    }
    #[inline(always)]
    fn select16(self, mask: Block, yes: Block, no: Block) -> Block {
        self.select(mask, yes, no)
    }
    #[inline(always)]
    fn keep16(self, mask: Block, a: Block) -> Block {
        self.and(mask, a)
    }

    #[inline(always)]
    fn splat32(self, unit: u32) -> Block {
        [u32x4_splat(unit); 4]
    }
    #[inline(always)]
    fn swap32(self, a: Block) -> Block {
        each!(a => u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(a, a))
    }
    #[inline(always)]
    fn add32(self, a: Block, b: Block) -> Block {
        each!(a, b => u32x4_add(a, b))
    }
    #[inline(always)]
    fn sub32(self, a: Block, b: Block) -> Block {
        each!(a, b => u32x4_sub(a, b))
    }
    #[inline(always)]
    fn max32(self, a: Block, b: Block) -> Block {
        each!(a, b => u32x4_max(a, b))
    }
    #[inline(always)]
    fn min32(self, a: Block, b: Block) -> Block {
        each!(a, b => u32x4_min(a, b))
    }
    #[inline(always)]
    fn shl32<const N: u32>(self, a: Block) -> Block {
        each!(a => u32x4_shl(a, N))
    }
    #[inline(always)]
    fn shr32<const N: u32>(self, a: Block) -> Block {
        each!(a => u32x4_shr(a, N))
    }
    #[inline(always)]
    fn bytes32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: Block) -> Block {
        let (first, second) = (self.shr32::<A>(a), self.shr32::<B>(a));
        let (third, fourth) = (self.shr32::<C>(a), self.shr32::<D>(a));
        let low = each!(first, second => u8x16_shuffle::<0, 16, 0, 0, 4, 20, 0, 0, 8, 24, 0, 0, 12, 28, 0, 0>(first, second));
        let high = each!(third, fourth => u8x16_shuffle::<0, 0, 0, 16, 0, 0, 4, 20, 0, 0, 8, 24, 0, 0, 12, 28>(third, fourth));
        each!(low, high => u16x8_shuffle::<0, 9, 2, 11, 4, 13, 6, 15>(low, high))
    }
    #[inline(always)]
    fn eq32(self, a: Block, b: Block) -> Block {
        each!(a, b => u32x4_eq(a, b))
    }
    #[inline(always)]
    fn ge32(self, a: Block, b: Block) -> Block {
        each!(a, b => u32x4_ge(a, b))
    }
    #[inline(always)]
    fn mask32(self, bits: u32) -> Block {
        let a = u32x4_splat(bits);
        let bit = u32x4(1, 2, 4, 8);
        let bits = [a, u32x4_splat(bits >> 4), u32x4_splat(bits >> 8), u32x4_splat(bits >> 12)];
        each!(bits => u32x4_eq(v128_and(bits, bit), bit))
    }
    #[inline(always)]
    fn bits32(self, mask: Block) -> u32 {
        let low = i16x8_narrow_i32x4(mask[0], mask[1]);
        let high = i16x8_narrow_i32x4(mask[2], mask[3]);
        u8x16_bitmask(i8x16_narrow_i16x8(low, high)).into()
    }
    #[inline(always)]
    fn select32(self, mask: Block, yes: Block, no: Block) -> Block {
        self.select(mask, yes, no)
    }
    #[inline(always)]
    fn keep32(self, mask: Block, a: Block) -> Block {
        self.and(mask, a)
    }
    #[inline(always)]
    fn by_utf8_len(self, a: Block, by_len: [u32; 4]) -> Block {
        let up_to_2 =
            self.select(self.ge32(a, self.splat32(0x80)), self.splat32(by_len[1]), self.splat32(by_len[0]));
        let up_to_3 = self.select(self.ge32(a, self.splat32(0x800)), self.splat32(by_len[2]), up_to_2);
        self.select(self.ge32(a, self.splat32(0x1_0000)), self.splat32(by_len[3]), up_to_3)
    }

    #[inline(always)]
    fn zip8(self, low: Block, high: Block) -> [Block; 2] {
        let first = each!(low, high => u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(low, high));
        let second = each!(low, high => u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(low, high));
        [[first[0], second[0], first[1], second[1]], [first[2], second[2], first[3], second[3]]]
    }
    #[inline(always)]
    fn zip16(self, low: Block, high: Block) -> [Block; 2] {
        let first = each!(low, high => u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(low, high));
        let second = each!(low, high => u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(low, high));
        [[first[0], second[0], first[1], second[1]], [first[2], second[2], first[3], second[3]]]
    }
    #[inline(always)]
    fn widen8(self, a: Block) -> [Block; 2] {
        let first = each!(a => u16x8_extend_low_u8x16(a));
        let second = each!(a => u16x8_extend_high_u8x16(a));
        [[first[0], second[0], first[1], second[1]], [first[2], second[2], first[3], second[3]]]
    }
    #[inline(always)]
    fn widen16(self, a: Block) -> [Block; 2] {
        let first = each!(a => u32x4_extend_low_u16x8(a));
        let second = each!(a => u32x4_extend_high_u16x8(a));
        [[first[0], second[0], first[1], second[1]], [first[2], second[2], first[3], second[3]]]
    }
    #[inline(always)]
    fn narrow16(self, a: Block, b: Block) -> Block {
        let first = [a[0], a[2], b[0], b[2]];
        let second = [a[1], a[3], b[1], b[3]];
        each!(first, second => u8x16_narrow_i16x8(first, second))
    }
    #[inline(always)]
    fn narrow32(self, a: Block, b: Block) -> Block {
        let first = [a[0], a[2], b[0], b[2]];
        let second = [a[1], a[3], b[1], b[3]];
        each!(first, second => u16x8_narrow_i32x4(first, second))
    }

    #[inline(always)]
    fn pack8(self, a: Block, keep: u64, dst: &mut [u8; 64]) -> usize {
        let ends = running(ones(keep));
        let starts = (ends << 8).to_le_bytes();
        let rows = keep.to_le_bytes();
        unroll!(I in 0 1 2 3 4 5 6 7 {
            // The eight bytes in front, where the table's indices find them.
            let eight = if I.is_multiple_of(2) { a[I / 2] } else { u64x2_shuffle::<1, 0>(a[I / 2], a[I / 2]) };
            let row = &squeeze::BYTES.0[usize::from(rows[I])];
            // SAFETY: the row has the eight bytes that are read, which need no alignment.
            let row = unsafe { v128_load64_zero(row.as_ptr().cast()) };
            let packed = u8x16_swizzle(eight, row);
            let to: Option<&mut [u8; 8]> =
                dst.get_mut(starts[I].into()..).and_then(<[u8]>::first_chunk_mut);
            if let Some(to) = to {
                // SAFETY: the array has the eight bytes that are written, which need no alignment.
                unsafe { v128_store64_lane::<0>(packed, to.as_mut_ptr().cast()) };
            }
        });
        ends.to_le_bytes()[7].into()
    }
    #[inline(always)]
    fn pack16(self, low: Block, high: Block, keep: u64, dst: &mut [u8; 128]) -> usize {
        let units = self.zip8(low, high);
        let ends = running(ones(keep));
        let starts = (ends << 8).to_le_bytes();
        let rows = keep.to_le_bytes();
        unroll!(I in 0 1 2 3 4 5 6 7 {
            let packed = squeezed(units[I / 4][I % 4], &squeeze::LANES16.0[usize::from(rows[I])]);
            put16(packed, dst, 2 * usize::from(starts[I]));
        });
        ends.to_le_bytes()[7].into()
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
        let zeros = self.splat(0);
        let (first, second) = if SWAP {
            (self.zip8(zeros, top), self.zip8(high, low))
        } else {
            (self.zip8(low, high), self.zip8(top, zeros))
        };
        let [a, b] = self.zip16(first[0], second[0]);
        let [c, d] = self.zip16(first[1], second[1]);
        pack_fours([a, b, c, d], keep, dst)
    }
    #[inline(always)]
    fn pack16_as_32<const SWAP: bool>(
        self,
        low: Block,
        high: Block,
        keep: u64,
        dst: &mut [u8; 256],
    ) -> usize {
        // The compiler sees the zeros.
        self.pack32::<SWAP>(low, high, self.splat(0), keep, dst)
    }
    #[inline(always)]
    fn pack_lanes32(self, a: Block, keep: u32, dst: &mut [u8; 64]) -> usize {
        let bytes = keep.to_le_bytes();
        let rows = [bytes[0] & 15, bytes[0] >> 4, bytes[1] & 15, bytes[1] >> 4];
        pack_rows::<16, 4>(a, rows, 0, &squeeze::LANES32, dst)
    }
    #[inline(always)]
    fn pack_pairs(self, a: Block, dst: &mut [u8; 64]) -> usize {
        let rows = self.bits16(self.ge16(a, self.splat16(0x0100)));
        pack_rows::<256, 1>(a, rows.to_le_bytes(), 8, &squeeze::PAIRS, dst)
    }
    #[inline(always)]
    fn pack_quads(self, a: Block, dst: &mut [u8; 64]) -> usize {
        let zero = u8x16_splat(0);
        let there = each!(a => u8x16_ne(a, zero));
        if self.any_bit(self.and(a, self.splat32(0xFF))) {
            // Some lane has all four, for which the table has no bit.
            return self.pack8(a, self.bits(self.or(there, self.splat32(0xFF00_0000))), dst);
        }
        // The middle two of each four, as eight bytes in front.
        let halves = each!(there => u8x16_shuffle::<1, 2, 5, 6, 9, 10, 13, 14, 1, 2, 5, 6, 9, 10, 13, 14>(there, there));
        let low = u8x16_bitmask(u64x2_shuffle::<0, 2>(halves[0], halves[1])).to_le_bytes();
        let high = u8x16_bitmask(u64x2_shuffle::<0, 2>(halves[2], halves[3])).to_le_bytes();
        pack_rows::<256, 1>(a, [low[0], low[1], high[0], high[1]], 4, &squeeze::QUADS, dst)
    }
    #[inline(always)]
    fn pack_as_utf8(self, units: Block, dst: &mut [u8; 128]) -> Option<usize> {
        let mut end = 0;
        unroll!(I in 0 1 2 3 {
            end = put_units(units[I], dst, end)?;
        });
        Some(end)
    }
    #[inline(always)]
    fn pack_halves(self, a: Block, dst: &mut [u8; 64]) -> usize {
        let there = self.bits32(self.ge32(a, self.splat32(0x0001_0000))).to_le_bytes();
        let rows = [there[0] & 15, there[0] >> 4, there[1] & 15, there[1] >> 4];
        pack_rows::<16, 2>(a, rows, 4, &squeeze::HALVES, dst)
    }
}
