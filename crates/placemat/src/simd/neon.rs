//! NEON, which every aarch64 machine has: a block is four registers of 16 bytes, a mask four registers of bytes 00 or FF.
//!
//! Bytes are shifted and summed by instructions of their own here. What is missing is a bitmap of a mask: it is made by
//! giving each byte its bit and summing neighbours, three times, so kernels do best to ask for bitmaps seldom.

use super::{Shuffle, Simd, partial, squeeze};
use core::arch::aarch64::*;

/// Proof that the features of the level are enabled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    /// The proof, which can be had only where the features are enabled.
    #[target_feature(enable = "neon")]
    #[inline]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

/// One instruction, and what it takes to see its operands as lanes of another width, which is none.
macro_rules! op {
    ($call:expr) => {{
        // SAFETY: the instruction is there, which the token proves that every method here has, and it touches no memory.
        unsafe { $call }
    }};
}

/// The same for each register of the blocks named, whose lanes are of the width given: `each!(u16: a, b => f(a, b))`.
macro_rules! each {
    ($lanes:ident: $($block:ident),+ => $call:expr) => {
        [
            each!(@ 0, $lanes: $($block),+ => $call),
            each!(@ 1, $lanes: $($block),+ => $call),
            each!(@ 2, $lanes: $($block),+ => $call),
            each!(@ 3, $lanes: $($block),+ => $call),
        ]
    };
    (@ $register:literal, u8: $($block:ident),+ => $call:expr) => {{
        $(let $block = $block[$register];)+
        op!($call)
    }};
    (@ $register:literal, u16: $($block:ident),+ => $call:expr) => {{
        $(let $block = op!(vreinterpretq_u16_u8($block[$register]));)+
        op!(vreinterpretq_u8_u16($call))
    }};
    (@ $register:literal, u32: $($block:ident),+ => $call:expr) => {{
        $(let $block = op!(vreinterpretq_u32_u8($block[$register]));)+
        op!(vreinterpretq_u8_u32($call))
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

type Register = uint8x16_t;
type Block = [Register; 4];

/// For each byte of a mask its bit, if it is one of eight.
const BIT_OF_8: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

#[inline(always)]
fn load16(src: &[u8; 16]) -> Register {
    // SAFETY: the array has the 16 bytes that are read; NEON is there, which each caller's token proves.
    unsafe { vld1q_u8(src.as_ptr()) }
}
#[inline(always)]
fn store16(register: Register, dst: &mut [u8; 16]) {
    // SAFETY: the array has the 16 bytes that are written; NEON is there, which each caller's token proves.
    unsafe { vst1q_u8(dst.as_mut_ptr(), register) }
}

/// Stores a register `at` bytes into `dst`, where there is room for it.
#[inline(always)]
fn put16(register: Register, dst: &mut [u8], at: usize) {
    if let Some(to) = dst.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        store16(register, to);
    }
}

/// The bytes of a register that a row of a table names, in its order.
#[inline(always)]
fn squeezed(register: Register, row: &[u8; 16]) -> Register {
    op!(vqtbl1q_u8(register, load16(row)))
}

/// How many ones there are in each byte.
#[inline(always)]
fn ones(bits: u64) -> u64 {
    op!(vget_lane_u64::<0>(vreinterpret_u64_u8(vcnt_u8(vcreate_u8(bits)))))
}

/// Running sums of eight bytes: in each byte the sum of those up to and with it, which is below 256.
#[inline(always)]
fn running(counts: u64) -> u64 {
    counts.wrapping_mul(0x0101_0101_0101_0101)
}

/// Sums four times four neighbours of a register: four bytes.
#[inline(always)]
fn sums_of_4(a: Register) -> u32 {
    let a = op!(vpaddq_u8(a, a));
    let a = op!(vpaddq_u8(a, a));
    op!(vgetq_lane_u32::<0>(vreinterpretq_u32_u8(a)))
}

/// Writes eight 16-bit units as UTF-8 at `at`. Returns where they end; or `None` if there is a surrogate.
#[inline(always)]
fn put_units(units: Register, dst: &mut [u8; 128], at: usize) -> Option<usize> {
    let wide = op!(vreinterpretq_u16_u8(units));
    let highest = op!(vmaxvq_u16(wide));
    if highest < 0x80 {
        put16(op!(vuzp1q_u8(units, units)), dst, at);
        return Some(at + 8);
    }
    let from_80 = op!(vreinterpretq_u8_u16(vcgeq_u16(wide, vdupq_n_u16(0x80))));
    if highest < 0x800 {
        let bits = op!(vreinterpretq_u8_u16(vsliq_n_u16::<8>(vshrq_n_u16::<6>(wide), wide)));
        let two = op!(vorrq_u8(
            vandq_u8(bits, vreinterpretq_u8_u16(vdupq_n_u16(0x3F1F))),
            vreinterpretq_u8_u16(vdupq_n_u16(0x80C0))
        ));
        let bit = load16(&[1, 0, 2, 0, 4, 0, 8, 0, 16, 0, 32, 0, 64, 0, 128, 0]);
        let row = op!(vaddvq_u8(vandq_u8(from_80, bit)));
        let pairs = op!(vbslq_u8(from_80, two, units));
        put16(squeezed(pairs, &squeeze::PAIRS.0[usize::from(row)]), dst, at);
        return Some(at + 8 + row.count_ones() as usize);
    }
    let kind = op!(vandq_u16(wide, vdupq_n_u16(0xF800)));
    if op!(vmaxvq_u16(vceqq_u16(kind, vdupq_n_u16(0xD800)))) != 0 {
        return None;
    }
    let from_800 = op!(vreinterpretq_u8_u16(vcgeq_u16(wide, vdupq_n_u16(0x800))));
    // The lead byte of three, and the second byte or the lead byte of two, which is 40 more.
    let second = op!(vsriq_n_u8::<2>(
        vbslq_u8(from_800, vdupq_n_u8(0x80), vdupq_n_u8(0xC0)),
        vreinterpretq_u8_u16(vshrq_n_u16::<4>(wide))
    ));
    let lead = op!(vorrq_u16(vshrq_n_u16::<12>(wide), vdupq_n_u16(0x00E0)));
    let first = op!(vsliq_n_u16::<8>(lead, vreinterpretq_u16_u8(second)));
    let last = op!(vorrq_u8(vandq_u8(units, vdupq_n_u8(0x3F)), vdupq_n_u8(0x80)));
    let last = op!(vsliq_n_u16::<8>(wide, vreinterpretq_u16_u8(last)));
    // Two bits a unit.
    let there = op!(vbslq_u8(vreinterpretq_u8_u16(vdupq_n_u16(0x00FF)), from_80, from_800));
    let there = op!(vandq_u8(there, load16(&BIT_OF_8)));
    let [low, high, ..] = sums_of_4(op!(vpaddq_u8(there, there))).to_le_bytes();
    let lanes = op!(vreinterpretq_u8_u16(vzip1q_u16(last, first)));
    put16(squeezed(lanes, &squeeze::UNITS.0[usize::from(low)]), dst, at);
    let middle = at + 4 + low.count_ones() as usize;
    let lanes = op!(vreinterpretq_u8_u16(vzip2q_u16(last, first)));
    put16(squeezed(lanes, &squeeze::UNITS.0[usize::from(high)]), dst, middle);
    Some(middle + 4 + high.count_ones() as usize)
}

/// Packs each register by the row of a table, whose number is the register's byte of `rows`, of which `always` units are
/// there in each row and one more for each bit of its number. Returns units.
#[inline(always)]
fn pack_rows<const COUNT: usize, const UNIT: usize>(
    a: Block,
    rows: u32,
    always: u64,
    table: &'static squeeze::Rows<16, COUNT>,
    dst: &mut [u8; 64],
) -> usize {
    let ends = running(ones(rows.into()) + always * 0x0101_0101).to_le_bytes();
    let rows = rows.to_le_bytes();
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

impl Simd for Neon {
    const UNROLL: usize = 2;
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
        [op!(vdupq_n_u8(byte)); 4]
    }
    #[inline(always)]
    fn and(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => vandq_u8(a, b))
    }
    #[inline(always)]
    fn or(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => vorrq_u8(a, b))
    }
    #[inline(always)]
    fn xor(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => veorq_u8(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => vbicq_u8(a, b))
    }
    #[inline(always)]
    fn add(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => vaddq_u8(a, b))
    }
    #[inline(always)]
    fn sub(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => vsubq_u8(a, b))
    }
    #[inline(always)]
    fn saturating_sub(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => vqsubq_u8(a, b))
    }
    #[inline(always)]
    fn max(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => vmaxq_u8(a, b))
    }
    #[inline(always)]
    fn min(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => vminq_u8(a, b))
    }
    #[inline(always)]
    fn move_bits<const FROM: u32, const LEN: u32, const TO: u32>(self, a: Block) -> Block {
        // A shift by a register of numbers, which the compiler turns into a shift by one number.
        let up = op!(vdupq_n_s8(const { TO as i8 - FROM as i8 }));
        let moved = each!(u8: a => vshlq_u8(a, up));
        if const { FROM == 0 && TO + LEN >= 8 || TO == 0 && FROM + LEN >= 8 } {
            // The others are shifted out.
            moved
        } else {
            self.and(moved, self.splat(const { (((1 << LEN) - 1) << TO) as u8 }))
        }
    }
    #[inline(always)]
    fn sum(self, a: Block) -> u32 {
        let sums = op!(vpaddlq_u8(a[0]));
        let sums = op!(vpadalq_u8(sums, a[1]));
        let sums = op!(vpadalq_u8(sums, a[2]));
        let sums = op!(vpadalq_u8(sums, a[3]));
        // 64 bytes are less than 1_0000 in sum.
        op!(vaddvq_u16(sums)).into()
    }

    #[inline(always)]
    fn eq(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => vceqq_u8(a, b))
    }
    #[inline(always)]
    fn ge(self, a: Block, b: Block) -> Block {
        each!(u8: a, b => vcgeq_u8(a, b))
    }
    #[inline(always)]
    fn high_bit(self, a: Block) -> Block {
        each!(u8: a => vcltzq_s8(vreinterpretq_s8_u8(a)))
    }
    #[inline(always)]
    fn mask(self, bits: u64) -> Block {
        let bits = op!(vreinterpretq_u8_u64(vdupq_n_u64(bits)));
        let bit = load16(&BIT_OF_8);
        [
            op!(vtstq_u8(vqtbl1q_u8(bits, load16(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1])), bit)),
            op!(vtstq_u8(vqtbl1q_u8(bits, load16(&[2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3])), bit)),
            op!(vtstq_u8(vqtbl1q_u8(bits, load16(&[4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5])), bit)),
            op!(vtstq_u8(vqtbl1q_u8(bits, load16(&[6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7])), bit)),
        ]
    }
    #[inline(always)]
    fn bits(self, mask: Block) -> u64 {
        let bit = load16(&BIT_OF_8);
        let bits = each!(u8: mask => vandq_u8(mask, bit));
        let pairs = [op!(vpaddq_u8(bits[0], bits[1])), op!(vpaddq_u8(bits[2], bits[3]))];
        let quads = op!(vpaddq_u8(pairs[0], pairs[1]));
        op!(vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(quads, quads))))
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
        each!(u8: a => vmvnq_u8(a))
    }
    #[inline(always)]
    fn any(self, mask: Block) -> bool {
        self.any_bit(mask)
    }
    #[inline(always)]
    fn select(self, mask: Block, yes: Block, no: Block) -> Block {
        each!(u8: mask, yes, no => vbslq_u8(mask, yes, no))
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
        let all = op!(vorrq_u8(vorrq_u8(a[0], a[1]), vorrq_u8(a[2], a[3])));
        op!(vmaxvq_u8(all)) >= 0x80
    }
    #[inline(always)]
    fn any_bit(self, a: Block) -> bool {
        let all = op!(vorrq_u8(vorrq_u8(a[0], a[1]), vorrq_u8(a[2], a[3])));
        op!(vmaxvq_u32(vreinterpretq_u32_u8(all))) != 0
    }
    #[inline(always)]
    fn after_zeros<const K: usize>(self, a: Block) -> Block {
        const { assert!(K <= 3) };
        let zeros = op!(vdupq_n_u8(0));
        let before = [zeros, a[0], a[1], a[2]];
        match K {
            0 => a,
            1 => each!(u8: before, a => vextq_u8::<15>(before, a)),
            2 => each!(u8: before, a => vextq_u8::<14>(before, a)),
            _ => each!(u8: before, a => vextq_u8::<13>(before, a)),
        }
    }
}

impl Shuffle for Neon {
    const LONG_TABLES: bool = true;
    type LowTable = Register;
    type HighTable = Register;
    type Table64 = uint8x16x4_t;
    type Table128 = [uint8x16x4_t; 2];
    // Each byte of a lane has its truth value.
    type Mask16 = Block;
    type Mask32 = Block;

    #[inline(always)]
    fn low_table(self, table: &[u8; 16]) -> Register {
        load16(table)
    }
    #[inline(always)]
    fn high_table(self, table: &[u8; 16]) -> Register {
        load16(table)
    }
    #[inline(always)]
    fn lookup_low(self, table: Register, a: Block) -> Block {
        let low = op!(vdupq_n_u8(0x0F));
        each!(u8: a => vqtbl1q_u8(table, vandq_u8(a, low)))
    }
    #[inline(always)]
    fn lookup_high(self, table: Register, a: Block) -> Block {
        each!(u8: a => vqtbl1q_u8(table, vshrq_n_u8::<4>(a)))
    }
    #[inline(always)]
    fn table64(self, table: &[u8; 64]) -> uint8x16x4_t {
        let [a, b, c, d] = self.load(table);
        uint8x16x4_t(a, b, c, d)
    }
    #[inline(always)]
    fn table128(self, table: &[u8; 128]) -> [uint8x16x4_t; 2] {
        match table.as_chunks() {
            ([a, b], []) => [self.table64(a), self.table64(b)],
            _ => unreachable!(),
        }
    }
    #[inline(always)]
    fn lookup64(self, table: uint8x16x4_t, a: Block) -> Block {
        let index = op!(vdupq_n_u8(0x3F));
        each!(u8: a => vqtbl4q_u8(table, vandq_u8(a, index)))
    }
    #[inline(always)]
    fn lookup128(self, table: [uint8x16x4_t; 2], a: Block) -> Block {
        // An index that the table does not have, also one below zero, leaves the byte that is there.
        let (low, half) = (self.and(a, self.splat(0x7F)), op!(vdupq_n_u8(64)));
        let found = each!(u8: low => vqtbl4q_u8(table[0], low));
        each!(u8: found, low => vqtbx4q_u8(found, table[1], vsubq_u8(low, half)))
    }

    #[inline(always)]
    fn splat16(self, unit: u16) -> Block {
        [op!(vreinterpretq_u8_u16(vdupq_n_u16(unit))); 4]
    }
    #[inline(always)]
    fn swap16(self, a: Block) -> Block {
        each!(u8: a => vrev16q_u8(a))
    }
    #[inline(always)]
    fn add16(self, a: Block, b: Block) -> Block {
        each!(u16: a, b => vaddq_u16(a, b))
    }
    #[inline(always)]
    fn sub16(self, a: Block, b: Block) -> Block {
        each!(u16: a, b => vsubq_u16(a, b))
    }
    #[inline(always)]
    fn shl16<const N: u32>(self, a: Block) -> Block {
        let up = op!(vdupq_n_s16(const { N as i16 }));
        each!(u16: a => vshlq_u16(a, up))
    }
    #[inline(always)]
    fn shr16<const N: u32>(self, a: Block) -> Block {
        let up = op!(vdupq_n_s16(const { -(N as i16) }));
        each!(u16: a => vshlq_u16(a, up))
    }
    #[inline(always)]
    fn bytes16<const A: u32, const B: u32>(self, a: Block) -> Block {
        let (first, second) = (self.shr16::<A>(a), self.shr16::<B>(a));
        each!(u16: first, second => vsliq_n_u16::<8>(first, second))
    }
    #[inline(always)]
    fn eq16(self, a: Block, b: Block) -> Block {
        each!(u16: a, b => vceqq_u16(a, b))
    }
    #[inline(always)]
    fn ge16(self, a: Block, b: Block) -> Block {
        each!(u16: a, b => vcgeq_u16(a, b))
    }
    #[inline(always)]
    fn mask16(self, bits: u32) -> Block {
        // The register's eight bits in both bytes of each lane, of which the byte with the lane's bit is looked at.
        let bits = bits.to_le_bytes();
        let bits = [
            op!(vdupq_n_u8(bits[0])),
            op!(vdupq_n_u8(bits[1])),
            op!(vdupq_n_u8(bits[2])),
            op!(vdupq_n_u8(bits[3])),
        ];
        let bit = load16(&[1, 0, 2, 0, 4, 0, 8, 0, 16, 0, 32, 0, 64, 0, 128, 0]);
        each!(u16: bits => vtstq_u16(bits, vreinterpretq_u16_u8(bit)))
    }
    #[inline(always)]
    fn bits16(self, mask: Block) -> u32 {
        let bit = load16(&BIT_OF_8);
        let low = op!(vandq_u8(vuzp1q_u8(mask[0], mask[1]), bit));
        let high = op!(vandq_u8(vuzp1q_u8(mask[2], mask[3]), bit));
        sums_of_4(op!(vpaddq_u8(low, high)))
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
        [op!(vreinterpretq_u8_u32(vdupq_n_u32(unit))); 4]
    }
    #[inline(always)]
    fn swap32(self, a: Block) -> Block {
        each!(u8: a => vrev32q_u8(a))
    }
    #[inline(always)]
    fn add32(self, a: Block, b: Block) -> Block {
        each!(u32: a, b => vaddq_u32(a, b))
    }
    #[inline(always)]
    fn sub32(self, a: Block, b: Block) -> Block {
        each!(u32: a, b => vsubq_u32(a, b))
    }
    #[inline(always)]
    fn max32(self, a: Block, b: Block) -> Block {
        each!(u32: a, b => vmaxq_u32(a, b))
    }
    #[inline(always)]
    fn min32(self, a: Block, b: Block) -> Block {
        each!(u32: a, b => vminq_u32(a, b))
    }
    #[inline(always)]
    fn shl32<const N: u32>(self, a: Block) -> Block {
        let up = op!(vdupq_n_s32(const { N as i32 }));
        each!(u32: a => vshlq_u32(a, up))
    }
    #[inline(always)]
    fn shr32<const N: u32>(self, a: Block) -> Block {
        let up = op!(vdupq_n_s32(const { -(N as i32) }));
        each!(u32: a => vshlq_u32(a, up))
    }
    #[inline(always)]
    fn bytes32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: Block) -> Block {
        // Each overwrites what the one before left above its byte.
        let (first, second) = (self.shr32::<A>(a), self.shr32::<B>(a));
        let (third, fourth) = (self.shr32::<C>(a), self.shr32::<D>(a));
        let two = each!(u32: first, second => vsliq_n_u32::<8>(first, second));
        let three = each!(u32: two, third => vsliq_n_u32::<16>(two, third));
        each!(u32: three, fourth => vsliq_n_u32::<24>(three, fourth))
    }
    #[inline(always)]
    fn eq32(self, a: Block, b: Block) -> Block {
        each!(u32: a, b => vceqq_u32(a, b))
    }
    #[inline(always)]
    fn ge32(self, a: Block, b: Block) -> Block {
        each!(u32: a, b => vcgeq_u32(a, b))
    }
    #[inline(always)]
    fn mask32(self, bits: u32) -> Block {
        let bits = [
            op!(vreinterpretq_u8_u32(vdupq_n_u32(bits))),
            op!(vreinterpretq_u8_u32(vdupq_n_u32(bits >> 4))),
            op!(vreinterpretq_u8_u32(vdupq_n_u32(bits >> 8))),
            op!(vreinterpretq_u8_u32(vdupq_n_u32(bits >> 12))),
        ];
        let bit = load16(&[1, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0]);
        each!(u32: bits => vtstq_u32(bits, vreinterpretq_u32_u8(bit)))
    }
    #[inline(always)]
    fn bits32(self, mask: Block) -> u32 {
        let halves = [op!(vuzp1q_u8(mask[0], mask[1])), op!(vuzp1q_u8(mask[2], mask[3]))];
        let bits = op!(vandq_u8(vuzp1q_u8(halves[0], halves[1]), load16(&BIT_OF_8)));
        // Two of the four bytes, and those once more.
        sums_of_4(op!(vpaddq_u8(bits, bits))) & 0xFFFF
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
        let first = each!(u8: low, high => vzip1q_u8(low, high));
        let second = each!(u8: low, high => vzip2q_u8(low, high));
        [[first[0], second[0], first[1], second[1]], [first[2], second[2], first[3], second[3]]]
    }
    #[inline(always)]
    fn zip16(self, low: Block, high: Block) -> [Block; 2] {
        let first = each!(u16: low, high => vzip1q_u16(low, high));
        let second = each!(u16: low, high => vzip2q_u16(low, high));
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
        [
            op!(vuzp1q_u8(a[0], a[1])),
            op!(vuzp1q_u8(a[2], a[3])),
            op!(vuzp1q_u8(b[0], b[1])),
            op!(vuzp1q_u8(b[2], b[3])),
        ]
    }
    #[inline(always)]
    fn narrow32(self, a: Block, b: Block) -> Block {
        let first = [a[0], a[2], b[0], b[2]];
        let second = [a[1], a[3], b[1], b[3]];
        each!(u16: first, second => vuzp1q_u16(first, second))
    }

    #[inline(always)]
    fn pack8(self, a: Block, keep: u64, dst: &mut [u8; 64]) -> usize {
        let ends = running(ones(keep));
        let starts = (ends << 8).to_le_bytes();
        let rows = keep.to_le_bytes();
        unroll!(I in 0 1 2 3 4 5 6 7 {
            // The eight bytes in front, where the table's indices find them.
            let eight = if I.is_multiple_of(2) { a[I / 2] } else { op!(vextq_u8::<8>(a[I / 2], a[I / 2])) };
            let row = &squeeze::BYTES.0[usize::from(rows[I])];
            // SAFETY: the row has the eight bytes that are read; the token proves the instruction.
            let row = unsafe { vld1_u8(row.as_ptr()) };
            let packed = op!(vqtbl1_u8(eight, row));
            let to: Option<&mut [u8; 8]> =
                dst.get_mut(starts[I].into()..).and_then(<[u8]>::first_chunk_mut);
            if let Some(to) = to {
                // SAFETY: the array has the eight bytes that are written; the token proves the instruction.
                unsafe { vst1_u8(to.as_mut_ptr(), packed) };
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
        // A register's four bits in a byte each.
        let rows = (keep & 0xF) | (keep & 0xF0) << 4 | (keep & 0xF00) << 8 | (keep & 0xF000) << 12;
        pack_rows::<16, 4>(a, rows, 0, &squeeze::LANES32, dst)
    }
    #[inline(always)]
    fn pack_pairs(self, a: Block, dst: &mut [u8; 64]) -> usize {
        let bit = load16(&BIT_OF_8);
        let low = op!(vuzp2q_u8(a[0], a[1]));
        let high = op!(vuzp2q_u8(a[2], a[3]));
        let low = op!(vandq_u8(vtstq_u8(low, low), bit));
        let high = op!(vandq_u8(vtstq_u8(high, high), bit));
        pack_rows::<256, 1>(a, sums_of_4(op!(vpaddq_u8(low, high))), 8, &squeeze::PAIRS, dst)
    }
    #[inline(always)]
    fn pack_quads(self, a: Block, dst: &mut [u8; 64]) -> usize {
        let there = each!(u8: a => vtstq_u8(a, a));
        if self.any_bit(self.and(a, self.splat32(0xFF))) {
            // Some lane has all four, for which the table has no bit.
            return self.pack8(a, self.bits(self.or(there, self.splat32(0xFF00_0000))), dst);
        }
        let bit = load16(&[0, 1, 2, 0, 0, 4, 8, 0, 0, 16, 32, 0, 0, 64, 128, 0]);
        let bits = each!(u8: there => vandq_u8(there, bit));
        let pairs = [op!(vpaddq_u8(bits[0], bits[1])), op!(vpaddq_u8(bits[2], bits[3]))];
        let rows = sums_of_4(op!(vpaddq_u8(pairs[0], pairs[1])));
        pack_rows::<256, 1>(a, rows, 4, &squeeze::QUADS, dst)
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
        let seconds = self.shr32::<16>(a);
        let there = self.not(self.eq32(seconds, self.splat(0)));
        let halves = [op!(vuzp1q_u8(there[0], there[1])), op!(vuzp1q_u8(there[2], there[3]))];
        let bit = load16(&[1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8]);
        let bits = op!(vandq_u8(vuzp1q_u8(halves[0], halves[1]), bit));
        pack_rows::<16, 2>(a, sums_of_4(bits), 4, &squeeze::HALVES, dst)
    }
}
