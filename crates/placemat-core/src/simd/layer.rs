//! The operations of the vector layer, named by meaning.

use super::slot::Slot;
use crate::ground::chunk::chunk_at;
use core::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Number of bytes in a block.
pub const BLOCK: usize = 64;

/// Returns the block that ends `K` bytes before the end of `window`: the last 64 bytes for `K` = 0,
/// the first 64 for `K` = 3.
///
/// Loading a block again, one to three bytes further back, is cheaper than shifting bytes between
/// registers: loads are free where the vector units are the bottleneck.
#[inline(always)]
pub(crate) fn lagging<const K: usize>(window: &[u8; 67]) -> &[u8; 64] {
    const { assert!(K <= 3) };
    match chunk_at!(window, 3 - K) {
        Some(block) => block,
        None => unreachable!(),
    }
}

/// A bitmap: an integer on every level, and terms in proofs, so that code for both can use no
/// other operations than these.
pub(crate) trait Bitmap:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
    + PartialEq
{
    /// Returns the bitmap with the low bits of an integer.
    fn of(word: u64) -> Self;
    /// Returns the bits as an integer.
    fn word(self) -> u64;
    /// Returns the number of ones.
    fn ones(self) -> usize;
}

impl Bitmap for u64 {
    #[inline(always)]
    fn of(word: u64) -> Self {
        word
    }
    #[inline(always)]
    fn word(self) -> u64 {
        self
    }
    #[inline(always)]
    fn ones(self) -> usize {
        self.count_ones() as usize
    }
}

impl Bitmap for u32 {
    #[inline(always)]
    fn of(word: u64) -> Self {
        word as Self
    }
    #[inline(always)]
    fn word(self) -> u64 {
        self.into()
    }
    #[inline(always)]
    fn ones(self) -> usize {
        self.count_ones() as usize
    }
}

/// [`SimdOps`] of a level: bitmaps are integers.
pub(crate) trait Simd: SimdOps<Bits = u64> {}
impl<S: SimdOps<Bits = u64>> Simd for S {}

/// [`ShuffleOps`] of a level: bitmaps are integers.
pub(crate) trait Shuffle: Simd + ShuffleOps<Bits16 = u32> {}
impl<S: Simd + ShuffleOps<Bits16 = u32>> Shuffle for S {}

/// The operations on bytes, which every level supports.
pub(crate) trait SimdOps: Copy {
    /// Number of blocks that a loop should process per iteration, limited by the registers that the
    /// kernel's constants leave free.
    const UNROLL: usize;
    /// Whether masks live in mask registers, so that it is cheaper to count bits in bitmaps than
    /// bytes in blocks.
    const MASK_REGISTERS: bool;

    /// A block of 64 bytes.
    type Block: Copy;
    /// A mask: one truth value per byte.
    type Mask: Copy;
    /// A bitmap of the bytes of a block.
    type Bits: Bitmap;

    /// Loads 64 bytes.
    fn load(self, src: &[u8; 64]) -> Self::Block;
    /// Loads up to 64 bytes of `src`, followed by zeros. Reads nothing outside `src`.
    fn load_partial(self, src: &[u8]) -> Self::Block;
    /// Loads the bytes of `src`, at most 64, at unspecified positions, with zeros elsewhere. The
    /// two bytes of each 16-bit lane stay together.
    #[inline(always)]
    fn load_anywhere(self, src: &[u8]) -> Self::Block {
        self.load_partial(src)
    }
    /// Returns the first 32 bytes, followed by zeros. Where a block takes several registers, the
    /// compiler sees which of them are empty.
    #[inline(always)]
    fn first_half(self, a: Self::Block) -> Self::Block {
        self.keep(self.mask(Self::Bits::of(u32::MAX.into())), a)
    }
    /// Loads a block from two halves at different addresses.
    #[inline(always)]
    fn load_halves(self, halves: [&[u8; BLOCK / 2]; 2]) -> Self::Block {
        let mut block = [0; BLOCK];
        let (low, high) = block.split_at_mut(BLOCK / 2);
        low.copy_from_slice(halves[0]);
        high.copy_from_slice(halves[1]);
        self.load(&block)
    }
    /// Prefetches the cache line `ahead` bytes after the start of `src`, which may be past its end.
    #[inline(always)]
    fn prefetch(self, src: &[u8], ahead: usize) {
        let _ = (src, ahead);
    }
    /// Stores 64 bytes.
    fn store(self, block: Self::Block, dst: &mut [Slot; 64]);
    /// Stores 64 bytes, by one instruction on levels that have one.
    #[inline(always)]
    fn store_whole(self, block: Self::Block, dst: &mut [Slot; 64]) {
        self.store(block, dst);
    }
    /// Stores the first `dst.len()` bytes, at most 64. Writes nothing outside `dst`.
    fn store_partial(self, block: Self::Block, dst: &mut [Slot]);

    /// Returns `byte` in each lane.
    fn splat(self, byte: u8) -> Self::Block;
    /// `a & b`.
    fn and(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// `a | b`.
    fn or(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// `a ^ b`.
    fn xor(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// `a & !b`.
    fn and_not(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Byte-wise sum, wrapping.
    fn add(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Byte-wise difference, wrapping.
    fn sub(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Byte-wise difference, zero where it would be negative.
    fn saturating_sub(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Byte-wise maximum, unsigned.
    fn max(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Byte-wise minimum, unsigned.
    fn min(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Moves `LEN` bits of each byte, from bit `FROM` up, to bit `TO` up; all other bits become
    /// zero.
    fn move_bits<const FROM: u32, const LEN: u32, const TO: u32>(self, a: Self::Block) -> Self::Block;
    /// Moves `LEN` bits of each byte, from bit `FROM` up, to bit `TO` up, and sets the bits of
    /// `SET`; all other bits become zero.
    #[inline(always)]
    fn move_bits_and_set<const FROM: u32, const LEN: u32, const TO: u32, const SET: u8>(
        self,
        a: Self::Block,
    ) -> Self::Block {
        self.or(self.move_bits::<FROM, LEN, TO>(a), self.splat(SET))
    }
    /// The sum of all bytes.
    fn sum(self, a: Self::Block) -> u32;

    /// The bytes where `a == b`.
    fn eq(self, a: Self::Block, b: Self::Block) -> Self::Mask;
    /// The bytes where `a >= b`, unsigned.
    fn ge(self, a: Self::Block, b: Self::Block) -> Self::Mask;
    /// The bytes that have bit 7 set.
    fn high_bit(self, a: Self::Block) -> Self::Mask;
    /// Returns one bit per eighth of the block (eight bytes): whether it contains a byte that is
    /// not ASCII.
    #[inline(always)]
    fn high_eighths(self, a: Self::Block) -> u8 {
        let bytes = self.bits(self.high_bit(a)).word().to_le_bytes();
        bytes.iter().rev().fold(0, |bits, byte| bits << 1 | u8::from(*byte != 0))
    }
    /// Makes a mask from a bitmap.
    fn mask(self, bits: Self::Bits) -> Self::Mask;
    /// Makes a bitmap from a mask.
    fn bits(self, mask: Self::Mask) -> Self::Bits;
    /// The bytes that are in both masks.
    fn both(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// The bytes that are in either mask.
    fn either(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// The bytes that are not in the mask.
    fn not(self, a: Self::Mask) -> Self::Mask;
    /// Whether the mask contains any byte.
    fn any(self, mask: Self::Mask) -> bool;
    /// `yes` for bytes in the mask, `no` for the others.
    fn select(self, mask: Self::Mask, yes: Self::Block, no: Self::Block) -> Self::Block;
    /// `a` for bytes in the mask, zero for the others.
    fn keep(self, mask: Self::Mask, a: Self::Block) -> Self::Block;
    /// `a` plus one for bytes in the mask, `a` for the others.
    fn add_one(self, a: Self::Block, mask: Self::Mask) -> Self::Block;
    /// Whether any byte has bit 7 set, that is, is not ASCII.
    fn any_high_bit(self, a: Self::Block) -> bool;
    /// Returns one bit per half of 16 blocks (32 bytes each): whether it contains a byte that is
    /// not ASCII.
    #[inline(always)]
    fn high_halves(self, blocks: &[u8; 16 * BLOCK]) -> u32 {
        let mut bits = 0;
        for (i, block) in blocks.as_chunks().0.iter().enumerate() {
            let high = self.bits(self.high_bit(self.load(block))).word();
            bits |= (u32::from(high as u32 != 0) | u32::from(high >> 32 != 0) << 1) << (2 * i);
        }
        bits
    }
    /// Whether all bytes of four blocks are ASCII.
    #[inline(always)]
    fn are_ascii(self, blocks: &[u8; 4 * BLOCK]) -> bool {
        let mut all = self.splat(0);
        for block in blocks.as_chunks().0 {
            all = self.or(all, self.load(block));
        }
        !self.any_high_bit(all)
    }
    /// Whether any byte is at least `FROM`, which must be at least 0x80.
    #[inline(always)]
    fn any_from<const FROM: u8>(self, a: Self::Block) -> bool {
        const { assert!(FROM >= 0x80) }
        self.any(self.ge(a, self.splat(FROM)))
    }
    /// Sets bit 7 of each byte if that byte of `a` is at least `FROM`, which must be at least 0x80,
    /// and clears it otherwise; the other bits are unspecified.
    #[inline(always)]
    fn reaches<const FROM: u8>(self, a: Self::Block) -> Self::Block {
        const { assert!(FROM >= 0x80) }
        self.saturating_sub(a, self.splat(FROM - 0x80))
    }
    /// The bitmap of the bytes that are not zero.
    #[inline(always)]
    fn non_zero(self, a: Self::Block) -> Self::Bits {
        !self.bits(self.eq(a, self.splat(0)))
    }
    /// Whether any bit of the block is set.
    fn any_bit(self, a: Self::Block) -> bool;

    /// Returns the last `K` bytes of `before`, at most three, followed by `a` without its last `K`
    /// bytes: like [`lagging`], for bytes that are in registers.
    fn after<const K: usize>(self, before: Self::Block, a: Self::Block) -> Self::Block;
    /// Returns `K` zeros followed by the block without its last `K` bytes: like [`lagging`], for
    /// the start of a text.
    #[inline(always)]
    fn after_zeros<const K: usize>(self, a: Self::Block) -> Self::Block {
        self.after::<K>(self.splat(0), a)
    }
}

/// A conversion that [`ShuffleOps::apart`] can run.
pub(crate) trait Apart {
    /// The progress that the conversion returns.
    type Moved;
    /// An element of the target.
    type Element;
    /// Runs the conversion, inlined.
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Self::Element]) -> Self::Moved;
}

/// A conversion that [`Compress::apart_in_registers`] can run.
pub(crate) trait ApartInRegisters {
    /// The progress that the conversion returns.
    type Moved;
    /// Runs the conversion, inlined.
    fn run<S: Compress>(simd: S, src: &[u8], dst: &mut [Slot]) -> Self::Moved;
}

/// [`ShuffleOps::short_of_three`], indexed by the code unit divided by 0x80. From index 0x10 up the
/// result is zero.
pub(super) const SHORT_OF_THREE: [u8; 16] = [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];

/// [`ShuffleOps::short_of_four`], indexed by the exponent of the code unit as a floating-point number:
/// the low four bits of its biased exponent less 15, which is 0x70 for 1 (zero has the same entry),
/// 0x71 for 2 and 3, and so on up to 0x7F for 0x8000 to 0xFFFF.
pub(super) const SHORT_OF_FOUR: [u8; 16] = [3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1];

/// The operations of levels with a byte shuffle: table lookups, work on wider lanes, and packing of
/// selected lanes.
pub(crate) trait ShuffleOps: SimdOps {
    /// Whether [`lookup128`](ShuffleOps::lookup128) takes one or two instructions per register instead
    /// of about fifteen.
    const FAST_LOOKUP128: bool;
    /// Whether the level implements [`few_as_utf8`](ShuffleOps::few_as_utf8).
    const FEW_AS_UTF8: bool = false;
    /// A table of 16 bytes, indexed by low nibbles.
    type LowTable: Copy;
    /// A table of 16 bytes, indexed by high nibbles.
    type HighTable: Copy;
    /// A table of 64 bytes.
    type Table64: Copy;
    /// A table of 128 bytes.
    type Table128: Copy;
    /// A mask: one truth value per 16-bit lane.
    type Mask16: Copy;
    /// A mask: one truth value per 32-bit lane.
    type Mask32: Copy;
    /// A bitmap of 16-bit lanes.
    type Bits16: Bitmap;

    /// Runs a conversion in a function of its own that enables the features of the level; inline on
    /// levels with many registers. Kernels run long texts through this method, so that short texts
    /// need not save the registers that only long ones use.
    #[inline(always)]
    fn apart<K: Apart>(self, src: &[u8], dst: &mut [K::Element]) -> K::Moved
    where
        Self: Shuffle,
    {
        // Inlined into one function, the kernels take the compiler minutes, which tests do not
        // need.
        #[cfg_attr(debug_assertions, inline(never))]
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn apart<S: Shuffle, K: Apart>(simd: S, src: &[u8], dst: &mut [K::Element]) -> K::Moved {
            K::run(simd, src, dst)
        }
        apart::<Self, K>(self, src, dst)
    }

    /// Builds a table for [`lookup_low`](ShuffleOps::lookup_low).
    fn low_table(self, table: &[u8; 16]) -> Self::LowTable;
    /// Builds a table for [`lookup_high`](ShuffleOps::lookup_high).
    fn high_table(self, table: &[u8; 16]) -> Self::HighTable;
    /// Replaces each byte by the table entry at its low nibble.
    fn lookup_low(self, table: Self::LowTable, a: Self::Block) -> Self::Block;
    /// Replaces each byte by the table entry at its high nibble.
    fn lookup_high(self, table: Self::HighTable, a: Self::Block) -> Self::Block;
    /// Builds a table for [`lookup64`](ShuffleOps::lookup64).
    fn table64(self, table: &[u8; 64]) -> Self::Table64;
    /// Builds a table for [`lookup128`](ShuffleOps::lookup128).
    fn table128(self, table: &[u8; 128]) -> Self::Table128;
    /// Builds a table for [`lookup64`](ShuffleOps::lookup64) from the bytes of a block.
    #[inline(always)]
    fn table64_of(self, a: Self::Block) -> Self::Table64 {
        let mut table = [0; 64];
        self.store(a, Slot::of_array(&mut table));
        self.table64(&table)
    }
    /// Replaces each byte by the table entry at its low six bits.
    fn lookup64(self, table: Self::Table64, a: Self::Block) -> Self::Block;
    /// Replaces each byte by the table entry at its low seven bits. Takes eight shuffles and a
    /// selection among them unless [`FAST_LOOKUP128`](ShuffleOps::FAST_LOOKUP128).
    fn lookup128(self, table: Self::Table128, a: Self::Block) -> Self::Block;

    // Lanes of 16 bits.

    /// Returns `unit` in each 16-bit lane.
    fn splat16(self, unit: u16) -> Self::Block;
    /// Swaps the two bytes of each 16-bit lane.
    fn swap16(self, a: Self::Block) -> Self::Block;
    /// Sum per 16-bit lane, wrapping.
    fn add16(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Difference per 16-bit lane, wrapping.
    fn sub16(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Maximum per 16-bit lane, unsigned.
    fn max16(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Shifts each 16-bit lane left by `N` bits.
    fn shl16<const N: u32>(self, a: Self::Block) -> Self::Block;
    /// Shifts each 16-bit lane right by `N` bits.
    fn shr16<const N: u32>(self, a: Self::Block) -> Self::Block;
    /// Returns the eight bits of each 16-bit lane from bit `A` up as its first (low) byte, and the
    /// eight bits from bit `B` up as its second. Bits from above the lane are unspecified.
    fn bytes16<const A: u32, const B: u32>(self, a: Self::Block) -> Self::Block;
    /// The 16-bit lanes where `a == b`.
    fn eq16(self, a: Self::Block, b: Self::Block) -> Self::Mask16;
    /// The 16-bit lanes where `a >= b`, unsigned.
    fn ge16(self, a: Self::Block, b: Self::Block) -> Self::Mask16;
    /// Makes a mask of 16-bit lanes from a bitmap.
    fn mask16(self, bits: Self::Bits16) -> Self::Mask16;
    /// Makes a bitmap from a mask of 16-bit lanes.
    fn bits16(self, mask: Self::Mask16) -> Self::Bits16;
    /// `yes` for 16-bit lanes in the mask, `no` for the others.
    fn select16(self, mask: Self::Mask16, yes: Self::Block, no: Self::Block) -> Self::Block;
    /// `a` for 16-bit lanes in the mask, zero for the others.
    fn keep16(self, mask: Self::Mask16, a: Self::Block) -> Self::Block;
    /// Computes, for each 16-bit lane of both blocks, three minus its length in UTF-8: 2 below
    /// 0x80, 1 below 0x800, else 0. The results are bytes in unspecified order.
    fn short_of_three(self, a: Self::Block, b: Self::Block) -> Self::Block;

    // Lanes of 32 bits.

    /// Returns `unit` in each 32-bit lane.
    fn splat32(self, unit: u32) -> Self::Block;
    /// Reverses the four bytes of each 32-bit lane.
    fn swap32(self, a: Self::Block) -> Self::Block;
    /// Sum per 32-bit lane, wrapping.
    fn add32(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Difference per 32-bit lane, wrapping.
    fn sub32(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Maximum per 32-bit lane, unsigned.
    fn max32(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Minimum per 32-bit lane, unsigned.
    fn min32(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Shifts each 32-bit lane left by `N` bits.
    fn shl32<const N: u32>(self, a: Self::Block) -> Self::Block;
    /// Shifts each 32-bit lane right by `N` bits.
    fn shr32<const N: u32>(self, a: Self::Block) -> Self::Block;
    /// Returns the eight bits of each 32-bit lane from bit `A` up as its first (lowest) byte, and
    /// so on up to bit `D` for its fourth. Bits from above the lane are unspecified.
    fn bytes32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: Self::Block) -> Self::Block;
    /// The 32-bit lanes where `a == b`.
    fn eq32(self, a: Self::Block, b: Self::Block) -> Self::Mask32;
    /// The 32-bit lanes where `a >= b`, unsigned.
    fn ge32(self, a: Self::Block, b: Self::Block) -> Self::Mask32;
    /// Makes a mask of 32-bit lanes from the low 16 bits of a bitmap.
    fn mask32(self, bits: u32) -> Self::Mask32;
    /// Makes a bitmap from a mask of 32-bit lanes, in the low 16 bits.
    fn bits32(self, mask: Self::Mask32) -> u32;
    /// `yes` for 32-bit lanes in the mask, `no` for the others.
    fn select32(self, mask: Self::Mask32, yes: Self::Block, no: Self::Block) -> Self::Block;
    /// `a` for 32-bit lanes in the mask, zero for the others.
    fn keep32(self, mask: Self::Mask32, a: Self::Block) -> Self::Block;
    /// Returns, for each 32-bit lane, the entry of `by_len` for its length in UTF-8: the first
    /// below 0x80, the second below 0x800, the third below `0x1_0000`, else the fourth. For lanes
    /// from `0x8000_0000` up the result is unspecified.
    fn by_utf8_len(self, a: Self::Block, by_len: [u32; 4]) -> Self::Block;

    /// Computes, for each 32-bit lane of four blocks, four minus its length in UTF-8: 3 below 0x80,
    /// 2 below 0x800, 1 below `0x1_0000`, else 0. The results are bytes in unspecified order.
    #[inline(always)]
    fn short_of_four(self, blocks: [Self::Block; 4]) -> Self::Block {
        let most = self.splat32(0x7FFF_FFFF);
        let [a, b, c, d] = blocks;
        let by_len = [3, 2, 1, 0];
        self.narrow32_to_8([
            self.by_utf8_len(self.min32(a, most), by_len),
            self.by_utf8_len(self.min32(b, most), by_len),
            self.by_utf8_len(self.min32(c, most), by_len),
            self.by_utf8_len(self.min32(d, most), by_len),
        ])
    }

    // From one width to another, in order.

    /// Interleaves the bytes of `low` and `high`: 16-bit lanes `low | high << 8`, the first 32 and
    /// the last 32.
    fn zip8(self, low: Self::Block, high: Self::Block) -> [Self::Block; 2];
    /// Interleaves the 16-bit lanes of `low` and `high`: 32-bit lanes `low | high << 16`, the first
    /// 16 and the last 16.
    fn zip16(self, low: Self::Block, high: Self::Block) -> [Self::Block; 2];
    /// Reorders a block as [`zip8_ordered`](ShuffleOps::zip8_ordered) and
    /// [`zip16_ordered`](ShuffleOps::zip16_ordered) expect their planes; groups of eight bytes stay
    /// whole. Where both planes are made from one block, ordering that block costs half as much as
    /// ordering both planes.
    #[inline(always)]
    fn order_for_zip(self, a: Self::Block) -> Self::Block {
        a
    }
    /// Like [`zip8`](ShuffleOps::zip8), for planes in the order of
    /// [`order_for_zip`](ShuffleOps::order_for_zip).
    #[inline(always)]
    fn zip8_ordered(self, low: Self::Block, high: Self::Block) -> [Self::Block; 2] {
        self.zip8(low, high)
    }
    /// Like [`zip16`](ShuffleOps::zip16), for planes in the order of
    /// [`order_for_zip`](ShuffleOps::order_for_zip).
    #[inline(always)]
    fn zip16_ordered(self, low: Self::Block, high: Self::Block) -> [Self::Block; 2] {
        self.zip16(low, high)
    }
    /// Reorders a block as [`zip4_ordered`](ShuffleOps::zip4_ordered) expects its planes.
    #[inline(always)]
    fn order_for_zip4(self, a: Self::Block) -> Self::Block {
        a
    }
    /// Interleaves the bytes of four planes in the order of
    /// [`order_for_zip4`](ShuffleOps::order_for_zip4): 64 lanes of 32 bits, with the byte of the first
    /// plane lowest.
    #[inline(always)]
    fn zip4_ordered(self, planes: [Self::Block; 4]) -> [Self::Block; 4] {
        let low = self.zip8(planes[0], planes[1]);
        let high = self.zip8(planes[2], planes[3]);
        let [a, b] = self.zip16(low[0], high[0]);
        let [c, d] = self.zip16(low[1], high[1]);
        [a, b, c, d]
    }
    /// Widens bytes to 16-bit lanes: the first 32 and the last 32.
    fn widen8(self, a: Self::Block) -> [Self::Block; 2];
    /// Widens 16-bit lanes to 32-bit lanes: the first 16 and the last 16.
    fn widen16(self, a: Self::Block) -> [Self::Block; 2];
    /// Loads 64 bytes as 32-bit lanes.
    #[inline(always)]
    fn load8_as_32(self, src: &[u8; BLOCK]) -> [Self::Block; 4] {
        let [first, second] = self.widen8(self.load(src));
        let [a, b] = self.widen16(first);
        let [c, d] = self.widen16(second);
        [a, b, c, d]
    }
    /// Narrows the 16-bit lanes of `a` and then of `b` to bytes; all must be below 0x100.
    fn narrow16(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Narrows the 32-bit lanes of `a` and then of `b` to 16-bit lanes; all must be below
    /// `0x1_0000`.
    fn narrow32(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Narrows the 32-bit lanes of four blocks to bytes; all must be below 0x100.
    #[inline(always)]
    fn narrow32_to_8(self, [a, b, c, d]: [Self::Block; 4]) -> Self::Block {
        self.narrow16(self.narrow32(a, b), self.narrow32(c, d))
    }

    // Packing: selected lanes are written one after another. Each operation returns how many it
    // wrote, and leaves the rest of `dst` unspecified.

    /// Writes the bytes of `a` that `keep` selects. Returns the number of bytes.
    fn pack8(self, a: Self::Block, keep: Self::Bits, dst: &mut [Slot; 64]) -> usize;
    /// Writes 16-bit units `low | high << 8` for those of 64 bytes that `keep` selects. Returns the
    /// number of units.
    fn pack16(self, low: Self::Block, high: Self::Block, keep: Self::Bits, dst: &mut [Slot; 128]) -> usize;
    /// Writes 32-bit units `low | high << 8 | top << 16` for those of 64 bytes that `keep` selects,
    /// with their bytes reversed if `SWAP`. Returns the number of units.
    fn pack32<const SWAP: bool>(
        self,
        low: Self::Block,
        high: Self::Block,
        top: Self::Block,
        keep: Self::Bits,
        dst: &mut [Slot; 256],
    ) -> usize;
    /// Writes 32-bit units `low | high << 8` for those of 64 bytes that `keep` selects, with their
    /// bytes reversed if `SWAP`. Returns the number of units.
    fn pack16_as_32<const SWAP: bool>(
        self,
        low: Self::Block,
        high: Self::Block,
        keep: Self::Bits,
        dst: &mut [Slot; 256],
    ) -> usize;
    /// Writes the 32-bit lanes of `a` that the low 16 bits of `keep` select. Returns the number of
    /// lanes.
    fn pack_lanes32(self, a: Self::Block, keep: u32, dst: &mut [Slot; 64]) -> usize;
    /// Writes the first byte of each 16-bit lane, and the second if it is not zero. Returns the
    /// number of bytes.
    fn pack_pairs(self, a: Self::Block, dst: &mut [Slot; 64]) -> usize;
    /// Like [`pack_pairs`](ShuffleOps::pack_pairs), but `seconds` has the bitmap of the lanes whose
    /// second byte is not zero. Returns the number of bytes.
    #[inline(always)]
    fn pack_pairs_known(self, a: Self::Block, seconds: Self::Bits16, dst: &mut [Slot; 64]) -> usize {
        let _ = seconds;
        self.pack_pairs(a, dst)
    }
    /// Writes the UTF-8 sequence at the end of each 32-bit lane, without the zeros before it.
    /// Returns the number of bytes.
    fn pack_quads(self, a: Self::Block, dst: &mut [Slot; 64]) -> usize;
    /// Like [`pack_quads`](ShuffleOps::pack_quads), for sequences of at most three bytes.
    #[inline(always)]
    fn pack_trios(self, a: Self::Block, dst: &mut [Slot; 64]) -> usize {
        self.pack_quads(a, dst)
    }
    /// Like [`pack_quads`](ShuffleOps::pack_quads), for sequences of exactly three bytes.
    #[inline(always)]
    fn pack_threes(self, a: Self::Block, dst: &mut [Slot; 64]) -> usize {
        self.pack_quads(a, dst)
    }
    /// Converts one to eight 16-bit code units to UTF-8; their bytes are swapped first if `SWAP`.
    /// Returns the number of bytes, and leaves the rest of `dst` unspecified. Returns `None` for no
    /// or more than eight code units, for a surrogate, and for an odd number of bytes.
    #[inline(always)]
    fn few_as_utf8<const SWAP: bool>(self, src: &[u8], dst: &mut [Slot; 32]) -> Option<usize> {
        let _ = (src, dst);
        None
    }
    /// Converts 16-bit code units to UTF-8. Returns the number of bytes, or `None` if there is a
    /// surrogate.
    ///
    /// Levels with small registers override this: they convert register by register, by the longest
    /// sequence that the register needs. Levels with mask registers keep this version; their
    /// kernels use other operations.
    #[inline(always)]
    fn pack_as_utf8(self, units: Self::Block, dst: &mut [Slot; 128]) -> Option<usize> {
        let kind = self.and(units, self.splat16(0xF800));
        if self.bits16(self.eq16(kind, self.splat16(0xD800))) != Self::Bits16::of(0) {
            return None;
        }
        let (from_80, from_800) =
            (self.ge16(units, self.splat16(0x80)), self.ge16(units, self.splat16(0x800)));
        let lead = self.or(self.and(self.shr16::<4>(units), self.splat16(0x0F00)), self.splat16(0xE000));
        let rest = self.or(self.and(self.bytes16::<6, 0>(units), self.splat16(0x3F3F)), self.splat16(0x8080));
        let rest = self.select16(from_800, rest, self.add16(rest, self.splat16(0x0040)));
        let rest = self.select16(from_80, rest, self.shl16::<8>(units));
        let [first, second] = self.zip16(self.keep16(from_800, lead), rest);
        let len = self.pack_trios(first, dst.first_chunk_mut()?);
        Some(len + self.pack_trios(second, dst.get_mut(len..)?.first_chunk_mut()?))
    }
    /// Writes the first half of each 32-bit lane, and the second if it is not zero. Returns the
    /// number of halves.
    fn pack_halves(self, a: Self::Block, dst: &mut [Slot; 64]) -> usize;
}

/// The operations of AVX-512 of the Ice Lake generation, which packs bytes in registers: for
/// kernels that pay off only there.
pub(crate) trait Compress: Shuffle {
    /// Like [`apart`](ShuffleOps::apart), for conversions that need [`Compress`].
    #[inline(always)]
    fn apart_in_registers<K: ApartInRegisters>(self, src: &[u8], dst: &mut [Slot]) -> K::Moved {
        K::run(self, src, dst)
    }
    /// The bytes that `keep` selects, one after another, followed by zeros.
    fn compress8(self, a: Self::Block, keep: u64) -> Self::Block;
    /// The bits that `keep` selects, one after another from bit 0 up; the bits above them are zero.
    fn compress_bits(self, bits: u64, keep: u64) -> u64;
}
