//! The code that NEON and simd128 share: a block is four registers of 16 bytes, a mask is four
//! registers of bytes 0x00 or 0xFF, and the tables of [`squeeze`] pack selected lanes.
//!
//! A level implements [`Lanes16`] with the instructions for one register, and for whole blocks and
//! bitmaps where it has better ones. Every implementation is a token: a value that exists only
//! where the features of the level are enabled.

use super::layer::{SHORT_OF_THREE, ShuffleOps, SimdOps};
use super::slot::Slot;
use super::{partial, squeeze};
use crate::ground::chunk::chunk_at_mut;

/// The four registers of a block.
type Four<R> = [R; 4];

/// Operations on registers of 16 bytes. A method name ends with the type of the lanes.
pub(crate) trait Lanes16: Copy {
    /// [`Simd::UNROLL`] of the level.
    const UNROLL_BLOCKS: usize;
    /// [`Shuffle::FAST_LOOKUP128`] of the level.
    const HAS_LOOKUP128: bool;
    /// A register of 16 bytes.
    type Register: Copy;
    /// A table of 64 bytes.
    type Table: Copy;

    /// Loads 16 bytes.
    fn load_register(self, src: &[u8; 16]) -> Self::Register;
    /// Stores 16 bytes.
    fn store_register(self, register: Self::Register, dst: &mut [Slot; 16]);

    fn splat_u8(self, byte: u8) -> Self::Register;
    fn splat_u16(self, unit: u16) -> Self::Register;
    fn splat_u32(self, unit: u32) -> Self::Register;

    fn and_bits(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn or_bits(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn xor_bits(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// `a & !b`.
    fn clear_bits(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn not_bits(self, a: Self::Register) -> Self::Register;
    /// The bits of `yes` where the mask has ones, and the bits of `no` elsewhere.
    fn select_bits(self, mask: Self::Register, yes: Self::Register, no: Self::Register) -> Self::Register;
    /// Whether any bit is set.
    fn any_bit_of(self, a: Self::Register) -> bool;

    fn add_u8(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn sub_u8(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn saturating_sub_u8(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn max_u8(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn min_u8(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn eq_u8(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn ge_u8(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn nonzero_u8(self, a: Self::Register) -> Self::Register;
    fn high_bit_u8(self, a: Self::Register) -> Self::Register;
    fn any_high_bit_u8(self, a: Self::Register) -> bool;
    /// [`Simd::move_bits`] for one register.
    fn move_bits_u8<const FROM: u32, const LEN: u32, const TO: u32>(
        self,
        a: Self::Register,
    ) -> Self::Register;
    /// Returns the last `K` bytes of `before`, 1 to 3, followed by `a` without its last `K` bytes.
    fn after_u8<const K: usize>(self, before: Self::Register, a: Self::Register) -> Self::Register;
    /// [`Simd::sum`] of a block.
    fn sum_u8(self, a: Four<Self::Register>) -> u32;

    fn add_u16(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn sub_u16(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn eq_u16(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn ge_u16(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Whether any 16-bit lane is at least `MIN`, which must be a power of two.
    fn any_from_u16<const MIN: u16>(self, a: Self::Register) -> bool;
    fn max_u16(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn shl_u16<const N: u32>(self, a: Self::Register) -> Self::Register;
    fn shr_u16<const N: u32>(self, a: Self::Register) -> Self::Register;
    /// Swaps the two bytes of each 16-bit lane.
    fn swap_u16(self, a: Self::Register) -> Self::Register;
    /// [`Shuffle::bytes16`] for one register.
    fn bytes_u16<const A: u32, const B: u32>(self, a: Self::Register) -> Self::Register;

    fn add_u32(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn sub_u32(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn max_u32(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn min_u32(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn eq_u32(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn ge_u32(self, a: Self::Register, b: Self::Register) -> Self::Register;
    fn shl_u32<const N: u32>(self, a: Self::Register) -> Self::Register;
    fn shr_u32<const N: u32>(self, a: Self::Register) -> Self::Register;
    /// Reverses the four bytes of each 32-bit lane.
    fn swap_u32(self, a: Self::Register) -> Self::Register;
    /// [`Shuffle::bytes32`] for one register.
    fn bytes_u32<const A: u32, const B: u32, const C: u32, const D: u32>(
        self,
        a: Self::Register,
    ) -> Self::Register;

    // Masks and bitmaps of whole blocks.

    fn mask_u8(self, bits: u64) -> Four<Self::Register>;
    fn mask_u16(self, bits: u32) -> Four<Self::Register>;
    fn mask_u32(self, bits: u32) -> Four<Self::Register>;
    fn bits_u8(self, mask: Four<Self::Register>) -> u64;
    fn bits_u16(self, mask: Four<Self::Register>) -> u32;
    fn bits_u32(self, mask: Four<Self::Register>) -> u32;

    // From one width to another.

    /// Interleaves the bytes of `low` and `high`: the first 16 and the last 16.
    fn zip_u8(self, low: Self::Register, high: Self::Register) -> [Self::Register; 2];
    /// Interleaves the 16-bit lanes of `low` and `high`: the first eight and the last eight.
    fn zip_u16(self, low: Self::Register, high: Self::Register) -> [Self::Register; 2];
    #[inline(always)]
    fn widen_u8(self, a: Self::Register) -> [Self::Register; 2] {
        self.zip_u8(a, self.splat_u8(0))
    }
    #[inline(always)]
    fn widen_u16(self, a: Self::Register) -> [Self::Register; 2] {
        self.zip_u16(a, self.splat_u8(0))
    }
    /// Narrows the 16-bit lanes of `a` and then of `b` to bytes; all must be below 0x100.
    fn narrow_u16(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Narrows the 16-bit lanes of `a` and then of `b` to bytes, 0xFF for lanes from 0x100 up; all
    /// must be below 0x8000.
    fn narrow_most_u16(self, a: Self::Register, b: Self::Register) -> Self::Register;
    /// Narrows the 32-bit lanes of `a` and then of `b` to 16-bit lanes; all must be below 0x1_0000.
    fn narrow_u32(self, a: Self::Register, b: Self::Register) -> Self::Register;

    // Tables.

    /// Looks up each index in a table of 16 bytes; zero for indices from 16 up.
    fn lookup_16(self, table: Self::Register, index: Self::Register) -> Self::Register;
    fn table_64(self, rows: Four<Self::Register>) -> Self::Table;
    /// Looks up each index in a table of 64 bytes; zero for indices from 64 up.
    fn lookup_64(self, table: Self::Table, index: Self::Register) -> Self::Register;
    /// Looks up each index, which must be below 128, in two tables of 64 bytes.
    #[inline(always)]
    fn lookup_128(self, tables: [Self::Table; 2], index: Self::Register) -> Self::Register {
        // An index below 64 wraps to one past the end of the second table.
        let upper = self.sub_u8(index, self.splat_u8(64));
        self.or_bits(self.lookup_64(tables[0], index), self.lookup_64(tables[1], upper))
    }

    // Packing.

    /// Number of ones in each byte of a bitmap.
    fn ones_in_bytes(self, bits: u64) -> u64;
    fn swap_halves(self, a: Self::Register) -> Self::Register;
    /// Writes those of the first eight bytes of `a` that a row of [`squeeze::BYTES`] keeps.
    fn put_eight(self, a: Self::Register, row: &[u8; 8], to: &mut [Slot; 8]);
    /// The bitmap of a mask of eight 16-bit lanes.
    fn row_u16(self, mask: Self::Register) -> u8;
    /// The bitmap of a mask of 16 bytes.
    fn rows_u8(self, mask: Self::Register) -> [u8; 2];
    /// For each register, the bitmap of the 16-bit lanes whose second byte is not zero.
    fn rows_of_pairs(self, a: Four<Self::Register>) -> [u8; 4];
    /// For each register of a mask, the bits of the second and the third byte of each 32-bit lane.
    fn rows_of_quads(self, mask: Four<Self::Register>) -> [u8; 4];
    /// For each register, the bitmap of the 32-bit lanes whose second half is not zero.
    fn rows_of_halves(self, a: Four<Self::Register>) -> [u8; 4];
    /// Converts 16-bit code units below 0x800 to lead byte and continuation byte; ASCII becomes the
    /// character and zero.
    fn pairs(self, units: Self::Register, from_80: Self::Register) -> Self::Register;
    /// Converts 16-bit code units to the four-byte lanes that [`squeeze::UNITS`] describes: the
    /// first four and the last four.
    fn unit_lanes(self, units: Self::Register, from_800: Self::Register) -> [Self::Register; 2];
}

/// Evaluates an expression for each register of blocks, in order: `each!(a, b => f(a, b))`.
macro_rules! each {
    ($($block:ident),+ => $body:expr) => {
        [
            { $(let $block = $block[0];)+ $body },
            { $(let $block = $block[1];)+ $body },
            { $(let $block = $block[2];)+ $body },
            { $(let $block = $block[3];)+ $body },
        ]
    };
}

pub(super) use each;

/// Defines methods from blocks to a block by methods from registers to a register.
macro_rules! by_register {
    ($($name:ident($($a:ident),+) => $by:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, $($a: Four<L::Register>),+) -> Four<L::Register> {
            each!($($a),+ => self.$by($($a),+))
        }
    )*};
}

/// Repeats statements for each number: a loop that is unrolled even without the optimizer.
macro_rules! unroll {
    ($i:ident in $($n:literal)+ $body:block) => {
        $({
            const $i: usize = $n;
            $body
        })+
    };
}

/// Joins the pairs of registers that each register of a block became to two blocks.
#[inline(always)]
fn in_order<R: Copy>([a, b, c, d]: Four<[R; 2]>) -> [Four<R>; 2] {
    [[a[0], a[1], b[0], b[1]], [c[0], c[1], d[0], d[1]]]
}

/// Stores a register at offset `at` of `dst` if it fits.
#[inline(always)]
fn put<L: Lanes16>(simd: L, register: L::Register, dst: &mut [Slot], at: usize) {
    if let Some(to) = chunk_at_mut!(dst, at) {
        simd.store_register(register, to);
    }
}

/// Shuffles a register by the row of a table.
#[inline(always)]
fn squeezed<L: Lanes16>(simd: L, register: L::Register, row: &[u8; 16]) -> L::Register {
    simd.lookup_16(register, simd.load_register(row))
}

/// Running sums of eight bytes: each byte becomes the sum of itself and all lower bytes, which must
/// be below 256.
#[inline(always)]
fn running(counts: u64) -> u64 {
    counts.wrapping_mul(0x0101_0101_0101_0101)
}

/// Packs each register by a row of the table, whose number is the register's byte of `rows`. A row
/// keeps `always` units, and one more for each bit of its number. Returns the number of units.
#[inline(always)]
fn pack_rows<L: Lanes16, const COUNT: usize, const UNIT: usize>(
    simd: L,
    a: Four<L::Register>,
    rows: [u8; 4],
    always: u64,
    table: &'static squeeze::Rows<16, COUNT>,
    dst: &mut [Slot; 64],
) -> usize {
    let counts = simd.ones_in_bytes(u32::from_le_bytes(rows).into());
    let ends = running(counts + always * 0x0101_0101).to_le_bytes();
    put(simd, squeezed(simd, a[0], &table.0[usize::from(rows[0])]), dst, 0);
    unroll!(I in 1 2 3 {
        let packed = squeezed(simd, a[I], &table.0[usize::from(rows[I])]);
        put(simd, packed, dst, UNIT * usize::from(ends[I - 1]));
    });
    ends[3].into()
}

/// Packs 64 units of 32 bits, four per register. Returns the number of units.
#[inline(always)]
fn pack_fours<L: Lanes16>(simd: L, a: [Four<L::Register>; 4], keep: u64, dst: &mut [Slot; 256]) -> usize {
    let ends = running(simd.ones_in_bytes(keep));
    let starts = ends << 8;
    // The offset of the upper four of each eight units, which follow the lower four.
    let middles = (starts + simd.ones_in_bytes(keep & 0x0F0F_0F0F_0F0F_0F0F)).to_le_bytes();
    let starts = starts.to_le_bytes();
    let rows = keep.to_le_bytes();
    unroll!(I in 0 1 2 3 4 5 6 7 {
        let row = usize::from(rows[I]);
        let low = squeezed(simd, a[I / 2][I % 2 * 2], &squeeze::LANES32.0[row & 15]);
        put(simd, low, dst, 4 * usize::from(starts[I]));
        let high = squeezed(simd, a[I / 2][I % 2 * 2 + 1], &squeeze::LANES32.0[row >> 4]);
        put(simd, high, dst, 4 * usize::from(middles[I]));
    });
    ends.to_le_bytes()[7].into()
}

/// Writes eight 16-bit code units as UTF-8 at offset `at`. Returns the offset after them, or `None`
/// if there is a surrogate.
#[inline(always)]
fn put_units<L: Lanes16>(simd: L, units: L::Register, dst: &mut [Slot; 128], at: usize) -> Option<usize> {
    if !simd.any_from_u16::<0x80>(units) {
        put(simd, simd.narrow_u16(units, units), dst, at);
        return Some(at + 8);
    }
    let from_80 = simd.ge_u16(units, simd.splat_u16(0x80));
    if !simd.any_from_u16::<0x800>(units) {
        let row = simd.row_u16(from_80);
        let packed = squeezed(simd, simd.pairs(units, from_80), &squeeze::PAIRS.0[usize::from(row)]);
        put(simd, packed, dst, at);
        return Some(at + 8 + row.count_ones() as usize);
    }
    let kind = simd.and_bits(units, simd.splat_u16(0xF800));
    if simd.any_bit_of(simd.eq_u16(kind, simd.splat_u16(0xD800))) {
        return None;
    }
    let from_800 = simd.ge_u16(units, simd.splat_u16(0x800));
    let [first, second] = simd.unit_lanes(units, from_800);
    // Two bits per code unit: at least 0x80, and at least 0x800.
    let [low, high] = simd.rows_u8(simd.select_bits(simd.splat_u16(0x00FF), from_80, from_800));
    put(simd, squeezed(simd, first, &squeeze::UNITS.0[usize::from(low)]), dst, at);
    let middle = at + 4 + low.count_ones() as usize;
    put(simd, squeezed(simd, second, &squeeze::UNITS.0[usize::from(high)]), dst, middle);
    Some(middle + 4 + high.count_ones() as usize)
}

impl<L: Lanes16> SimdOps for L {
    type Bits = u64;
    const UNROLL: usize = L::UNROLL_BLOCKS;
    const MASK_REGISTERS: bool = false;
    type Block = Four<L::Register>;
    type Mask = Four<L::Register>;

    #[inline(always)]
    fn load(self, src: &[u8; 64]) -> Self::Block {
        match src.as_chunks() {
            ([a, b, c, d], []) => {
                [self.load_register(a), self.load_register(b), self.load_register(c), self.load_register(d)]
            }
            _ => unreachable!(),
        }
    }
    #[inline(always)]
    fn load_partial(self, src: &[u8]) -> Self::Block {
        let mut whole = [0; 64];
        partial::copy(src, Slot::of_array(&mut whole));
        self.load(&whole)
    }
    #[inline(always)]
    fn store(self, block: Self::Block, dst: &mut [Slot; 64]) {
        if let ([a, b, c, d], []) = dst.as_chunks_mut() {
            self.store_register(block[0], a);
            self.store_register(block[1], b);
            self.store_register(block[2], c);
            self.store_register(block[3], d);
        }
    }
    #[inline(always)]
    fn store_partial(self, block: Self::Block, dst: &mut [Slot]) {
        let mut whole = [0; 64];
        self.store(block, Slot::of_array(&mut whole));
        partial::copy(&whole, dst);
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> Self::Block {
        [self.splat_u8(byte); 4]
    }
    by_register! {
        and(a, b) => and_bits;
        or(a, b) => or_bits;
        xor(a, b) => xor_bits;
        and_not(a, b) => clear_bits;
        add(a, b) => add_u8;
        sub(a, b) => sub_u8;
        saturating_sub(a, b) => saturating_sub_u8;
        max(a, b) => max_u8;
        min(a, b) => min_u8;
    }
    #[inline(always)]
    fn move_bits<const FROM: u32, const LEN: u32, const TO: u32>(self, a: Self::Block) -> Self::Block {
        each!(a => self.move_bits_u8::<FROM, LEN, TO>(a))
    }
    #[inline(always)]
    fn sum(self, a: Self::Block) -> u32 {
        self.sum_u8(a)
    }

    by_register! {
        eq(a, b) => eq_u8;
        ge(a, b) => ge_u8;
        high_bit(a) => high_bit_u8;
    }
    #[inline(always)]
    fn mask(self, bits: u64) -> Self::Mask {
        self.mask_u8(bits)
    }
    #[inline(always)]
    fn bits(self, mask: Self::Mask) -> u64 {
        self.bits_u8(mask)
    }
    #[inline(always)]
    fn both(self, a: Self::Mask, b: Self::Mask) -> Self::Mask {
        self.and(a, b)
    }
    #[inline(always)]
    fn either(self, a: Self::Mask, b: Self::Mask) -> Self::Mask {
        self.or(a, b)
    }
    by_register! {
        not(a) => not_bits;
    }
    #[inline(always)]
    fn any(self, mask: Self::Mask) -> bool {
        self.any_bit(mask)
    }
    by_register! {
        select(mask, yes, no) => select_bits;
    }
    #[inline(always)]
    fn keep(self, mask: Self::Mask, a: Self::Block) -> Self::Block {
        self.and(mask, a)
    }
    #[inline(always)]
    fn add_one(self, a: Self::Block, mask: Self::Mask) -> Self::Block {
        // 0xFF is minus one.
        self.sub(a, mask)
    }
    #[inline(always)]
    fn any_high_bit(self, a: Self::Block) -> bool {
        self.any_high_bit_u8(self.or_bits(self.or_bits(a[0], a[1]), self.or_bits(a[2], a[3])))
    }
    #[inline(always)]
    fn any_bit(self, a: Self::Block) -> bool {
        self.any_bit_of(self.or_bits(self.or_bits(a[0], a[1]), self.or_bits(a[2], a[3])))
    }
    #[inline(always)]
    fn after<const K: usize>(self, before: Self::Block, a: Self::Block) -> Self::Block {
        const { assert!(K <= 3) };
        let before = [before[3], a[0], a[1], a[2]];
        if K == 0 { a } else { each!(before, a => self.after_u8::<K>(before, a)) }
    }
}

impl<L: Lanes16> ShuffleOps for L {
    type Bits16 = u32;
    const FAST_LOOKUP128: bool = L::HAS_LOOKUP128;
    type LowTable = L::Register;
    type HighTable = L::Register;
    type Table64 = L::Table;
    type Table128 = [L::Table; 2];
    // Both bytes of a 16-bit lane, or all four of a 32-bit lane, have its truth value.
    type Mask16 = Four<L::Register>;
    type Mask32 = Four<L::Register>;

    #[inline(always)]
    fn low_table(self, table: &[u8; 16]) -> L::Register {
        self.load_register(table)
    }
    #[inline(always)]
    fn high_table(self, table: &[u8; 16]) -> L::Register {
        self.load_register(table)
    }
    #[inline(always)]
    fn lookup_low(self, table: L::Register, a: Self::Block) -> Self::Block {
        let low = self.splat_u8(0x0F);
        each!(a => self.lookup_16(table, self.and_bits(a, low)))
    }
    #[inline(always)]
    fn lookup_high(self, table: L::Register, a: Self::Block) -> Self::Block {
        let high = self.move_bits::<4, 4, 0>(a);
        each!(high => self.lookup_16(table, high))
    }
    #[inline(always)]
    fn table64(self, table: &[u8; 64]) -> L::Table {
        self.table_64(self.load(table))
    }
    #[inline(always)]
    fn table128(self, table: &[u8; 128]) -> [L::Table; 2] {
        match table.as_chunks() {
            ([a, b], []) => [self.table64(a), self.table64(b)],
            _ => unreachable!(),
        }
    }
    #[inline(always)]
    fn lookup64(self, table: L::Table, a: Self::Block) -> Self::Block {
        let index = self.and(a, self.splat(0x3F));
        each!(index => self.lookup_64(table, index))
    }
    #[inline(always)]
    fn lookup128(self, tables: [L::Table; 2], a: Self::Block) -> Self::Block {
        let index = self.and(a, self.splat(0x7F));
        each!(index => self.lookup_128(tables, index))
    }

    #[inline(always)]
    fn splat16(self, unit: u16) -> Self::Block {
        [self.splat_u16(unit); 4]
    }
    by_register! {
        swap16(a) => swap_u16;
        add16(a, b) => add_u16;
        sub16(a, b) => sub_u16;
        max16(a, b) => max_u16;
    }
    #[inline(always)]
    fn shl16<const N: u32>(self, a: Self::Block) -> Self::Block {
        each!(a => self.shl_u16::<N>(a))
    }
    #[inline(always)]
    fn shr16<const N: u32>(self, a: Self::Block) -> Self::Block {
        each!(a => self.shr_u16::<N>(a))
    }
    #[inline(always)]
    fn bytes16<const A: u32, const B: u32>(self, a: Self::Block) -> Self::Block {
        each!(a => self.bytes_u16::<A, B>(a))
    }
    by_register! {
        eq16(a, b) => eq_u16;
        ge16(a, b) => ge_u16;
    }
    #[inline(always)]
    fn mask16(self, bits: u32) -> Self::Mask16 {
        self.mask_u16(bits)
    }
    #[inline(always)]
    fn bits16(self, mask: Self::Mask16) -> u32 {
        self.bits_u16(mask)
    }
    #[inline(always)]
    fn select16(self, mask: Self::Mask16, yes: Self::Block, no: Self::Block) -> Self::Block {
        self.select(mask, yes, no)
    }
    #[inline(always)]
    fn keep16(self, mask: Self::Mask16, a: Self::Block) -> Self::Block {
        self.and(mask, a)
    }

    #[inline(always)]
    fn short_of_three(self, a: Self::Block, b: Self::Block) -> Self::Block {
        let table = self.load_register(&SHORT_OF_THREE);
        each!(a, b => {
            self.lookup_16(table, self.narrow_most_u16(self.shr_u16::<7>(a), self.shr_u16::<7>(b)))
        })
    }

    #[inline(always)]
    fn splat32(self, unit: u32) -> Self::Block {
        [self.splat_u32(unit); 4]
    }
    by_register! {
        swap32(a) => swap_u32;
        add32(a, b) => add_u32;
        sub32(a, b) => sub_u32;
        max32(a, b) => max_u32;
        min32(a, b) => min_u32;
    }
    #[inline(always)]
    fn shl32<const N: u32>(self, a: Self::Block) -> Self::Block {
        each!(a => self.shl_u32::<N>(a))
    }
    #[inline(always)]
    fn shr32<const N: u32>(self, a: Self::Block) -> Self::Block {
        each!(a => self.shr_u32::<N>(a))
    }
    #[inline(always)]
    fn bytes32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: Self::Block) -> Self::Block {
        each!(a => self.bytes_u32::<A, B, C, D>(a))
    }
    by_register! {
        eq32(a, b) => eq_u32;
        ge32(a, b) => ge_u32;
    }
    #[inline(always)]
    fn mask32(self, bits: u32) -> Self::Mask32 {
        self.mask_u32(bits)
    }
    #[inline(always)]
    fn bits32(self, mask: Self::Mask32) -> u32 {
        self.bits_u32(mask)
    }
    #[inline(always)]
    fn select32(self, mask: Self::Mask32, yes: Self::Block, no: Self::Block) -> Self::Block {
        self.select(mask, yes, no)
    }
    #[inline(always)]
    fn keep32(self, mask: Self::Mask32, a: Self::Block) -> Self::Block {
        self.and(mask, a)
    }
    #[inline(always)]
    fn by_utf8_len(self, a: Self::Block, by_len: [u32; 4]) -> Self::Block {
        let up_to_2 =
            self.select(self.ge32(a, self.splat32(0x80)), self.splat32(by_len[1]), self.splat32(by_len[0]));
        let up_to_3 = self.select(self.ge32(a, self.splat32(0x800)), self.splat32(by_len[2]), up_to_2);
        self.select(self.ge32(a, self.splat32(0x1_0000)), self.splat32(by_len[3]), up_to_3)
    }

    #[inline(always)]
    fn zip8(self, low: Self::Block, high: Self::Block) -> [Self::Block; 2] {
        in_order(each!(low, high => self.zip_u8(low, high)))
    }
    #[inline(always)]
    fn zip16(self, low: Self::Block, high: Self::Block) -> [Self::Block; 2] {
        in_order(each!(low, high => self.zip_u16(low, high)))
    }
    #[inline(always)]
    fn widen8(self, a: Self::Block) -> [Self::Block; 2] {
        in_order(each!(a => self.widen_u8(a)))
    }
    #[inline(always)]
    fn widen16(self, a: Self::Block) -> [Self::Block; 2] {
        in_order(each!(a => self.widen_u16(a)))
    }
    #[inline(always)]
    fn narrow16(self, a: Self::Block, b: Self::Block) -> Self::Block {
        let (first, second) = ([a[0], a[2], b[0], b[2]], [a[1], a[3], b[1], b[3]]);
        each!(first, second => self.narrow_u16(first, second))
    }
    #[inline(always)]
    fn narrow32(self, a: Self::Block, b: Self::Block) -> Self::Block {
        let (first, second) = ([a[0], a[2], b[0], b[2]], [a[1], a[3], b[1], b[3]]);
        each!(first, second => self.narrow_u32(first, second))
    }

    #[inline(always)]
    fn pack8(self, a: Self::Block, keep: u64, dst: &mut [Slot; 64]) -> usize {
        let ends = running(self.ones_in_bytes(keep));
        let starts = (ends << 8).to_le_bytes();
        let rows = keep.to_le_bytes();
        unroll!(I in 0 1 2 3 4 5 6 7 {
            // The table has indices for the first eight bytes, so the last eight are moved there.
            let eight = if I.is_multiple_of(2) { a[I / 2] } else { self.swap_halves(a[I / 2]) };
            if let Some(to) = chunk_at_mut!(dst, starts[I].into()) {
                self.put_eight(eight, &squeeze::BYTES.0[usize::from(rows[I])], to);
            }
        });
        ends.to_le_bytes()[7].into()
    }
    #[inline(always)]
    fn pack16(self, low: Self::Block, high: Self::Block, keep: u64, dst: &mut [Slot; 128]) -> usize {
        let units = self.zip8(low, high);
        let ends = running(self.ones_in_bytes(keep));
        let starts = (ends << 8).to_le_bytes();
        let rows = keep.to_le_bytes();
        unroll!(I in 0 1 2 3 4 5 6 7 {
            let packed = squeezed(self, units[I / 4][I % 4], &squeeze::LANES16.0[usize::from(rows[I])]);
            put(self, packed, dst, 2 * usize::from(starts[I]));
        });
        ends.to_le_bytes()[7].into()
    }
    #[inline(always)]
    fn pack32<const SWAP: bool>(
        self,
        low: Self::Block,
        high: Self::Block,
        top: Self::Block,
        keep: u64,
        dst: &mut [Slot; 256],
    ) -> usize {
        let zeros = self.splat(0);
        let (first, second) = if SWAP {
            (self.zip8(zeros, top), self.zip8(high, low))
        } else {
            (self.zip8(low, high), self.zip8(top, zeros))
        };
        let [a, b] = self.zip16(first[0], second[0]);
        let [c, d] = self.zip16(first[1], second[1]);
        pack_fours(self, [a, b, c, d], keep, dst)
    }
    #[inline(always)]
    fn pack16_as_32<const SWAP: bool>(
        self,
        low: Self::Block,
        high: Self::Block,
        keep: u64,
        dst: &mut [Slot; 256],
    ) -> usize {
        // The compiler removes the work on zeros.
        self.pack32::<SWAP>(low, high, self.splat(0), keep, dst)
    }
    #[inline(always)]
    fn pack_lanes32(self, a: Self::Block, keep: u32, dst: &mut [Slot; 64]) -> usize {
        // The four bits of each register in a byte of their own.
        let rows = (keep & 0xF) | (keep & 0xF0) << 4 | (keep & 0xF00) << 8 | (keep & 0xF000) << 12;
        pack_rows::<_, 16, 4>(self, a, rows.to_le_bytes(), 0, &squeeze::LANES32, dst)
    }
    #[inline(always)]
    fn pack_pairs(self, a: Self::Block, dst: &mut [Slot; 64]) -> usize {
        pack_rows::<_, 256, 1>(self, a, self.rows_of_pairs(a), 8, &squeeze::PAIRS, dst)
    }
    #[inline(always)]
    fn pack_quads(self, a: Self::Block, dst: &mut [Slot; 64]) -> usize {
        let there = each!(a => self.nonzero_u8(a));
        if self.any_bit(self.and(a, self.splat32(0xFF))) {
            // Some lane has all four bytes, so the number of ones in a row number is not the number
            // of bytes.
            return self.pack8(a, self.bits(self.or(there, self.splat32(0xFF00_0000))), dst);
        }
        pack_rows::<_, 256, 1>(self, a, self.rows_of_quads(there), 4, &squeeze::QUADS, dst)
    }
    #[inline(always)]
    fn pack_as_utf8(self, units: Self::Block, dst: &mut [Slot; 128]) -> Option<usize> {
        let mut end = 0;
        unroll!(I in 0 1 2 3 {
            end = put_units(self, units[I], dst, end)?;
        });
        Some(end)
    }
    #[inline(always)]
    fn pack_halves(self, a: Self::Block, dst: &mut [Slot; 64]) -> usize {
        pack_rows::<_, 16, 2>(self, a, self.rows_of_halves(a), 4, &squeeze::HALVES, dst)
    }
}
