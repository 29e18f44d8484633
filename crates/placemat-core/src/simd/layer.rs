//! The operations, named by meaning.

use crate::ground::chunk::chunk_at;

/// Bytes of a block.
pub const BLOCK: usize = 64;

/// The block that ends `K` bytes before the end of `window`: with `K` = 0 the last 64 bytes, with 3 the first.
///
/// To load a block again, one to three bytes further back, is cheaper than to shift registers: loads are free where
/// the work is in the vector units.
#[inline(always)]
pub(crate) fn behind<const K: usize>(window: &[u8; 67]) -> &[u8; 64] {
    const { assert!(K <= 3) };
    match chunk_at!(window, 3 - K) {
        Some(block) => block,
        None => unreachable!(),
    }
}

/// The operations on bytes, which every level has.
pub(crate) trait Simd: Copy {
    /// Blocks that a loop should take at a time: as many as fit into the registers with the kernel's constants.
    const UNROLL: usize;
    /// Whether masks live in registers of their own, so that to count bits is better done on bitmaps than on bytes.
    const MASK_REGISTERS: bool;

    /// 64 bytes.
    type Block: Copy;
    /// A truth value per byte.
    type Mask: Copy;

    /// The 64 bytes.
    fn load(self, src: &[u8; 64]) -> Self::Block;
    /// The bytes of `src`, of which only the first 64 count, and zeros after them. Reads nothing else.
    fn load_partial(self, src: &[u8]) -> Self::Block;
    /// The bytes of `src`, of which there are at most 64, in any places, but that neighbours in lanes of 16 bits stay together;
    /// zeros elsewhere.
    #[inline(always)]
    fn load_anywhere(self, src: &[u8]) -> Self::Block {
        self.load_partial(src)
    }
    /// The first 32 bytes, and zeros. Where a block takes several registers, the compiler sees which ones have nothing to do.
    #[inline(always)]
    fn first_half(self, a: Self::Block) -> Self::Block {
        self.keep(self.mask(u64::from(u32::MAX)), a)
    }
    /// The 64 bytes, each half from elsewhere.
    #[inline(always)]
    fn load_halves(self, halves: [&[u8; BLOCK / 2]; 2]) -> Self::Block {
        let mut block = [0; BLOCK];
        let (low, high) = block.split_at_mut(BLOCK / 2);
        low.copy_from_slice(halves[0]);
        high.copy_from_slice(halves[1]);
        self.load(&block)
    }
    /// Asks for the cache line `ahead` bytes after the start of `src`, which may lie behind its end.
    #[inline(always)]
    fn prefetch(self, src: &[u8], ahead: usize) {
        let _ = (src, ahead);
    }
    /// Writes the 64 bytes.
    fn store(self, block: Self::Block, dst: &mut [u8; 64]);
    /// Writes the 64 bytes, by one instruction where there is one.
    #[inline(always)]
    fn store_whole(self, block: Self::Block, dst: &mut [u8; 64]) {
        self.store(block, dst);
    }
    /// Writes the first bytes, as many as `dst` has, at most 64. Writes nothing else.
    fn store_partial(self, block: Self::Block, dst: &mut [u8]);

    /// A byte in each lane.
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
    /// In each byte, the `LEN` bits from bit `FROM` up, moved to bit `TO`; all other bits are zero.
    fn move_bits<const FROM: u32, const LEN: u32, const TO: u32>(self, a: Self::Block) -> Self::Block;
    /// In each byte, the `LEN` bits from bit `FROM` up, moved to bit `TO`, and all bits of `SET`; all other bits are zero.
    #[inline(always)]
    fn move_bits_and_set<const FROM: u32, const LEN: u32, const TO: u32, const SET: u8>(
        self,
        a: Self::Block,
    ) -> Self::Block {
        self.or(self.move_bits::<FROM, LEN, TO>(a), self.splat(SET))
    }
    /// Sum of all bytes.
    fn sum(self, a: Self::Block) -> u32;

    /// Where `a == b`.
    fn eq(self, a: Self::Block, b: Self::Block) -> Self::Mask;
    /// Where `a >= b`, unsigned.
    fn ge(self, a: Self::Block, b: Self::Block) -> Self::Mask;
    /// Where bit 7 is set.
    fn high_bit(self, a: Self::Block) -> Self::Mask;
    /// Which eighths of the block, of eight bytes each, are not all ASCII: a bit for each.
    #[inline(always)]
    fn high_eighths(self, a: Self::Block) -> u8 {
        let bytes = self.bits(self.high_bit(a)).to_le_bytes();
        bytes.iter().rev().fold(0, |bits, byte| bits << 1 | u8::from(*byte != 0))
    }
    /// Where the bitmap has ones.
    fn mask(self, bits: u64) -> Self::Mask;
    /// The bitmap of a mask.
    fn bits(self, mask: Self::Mask) -> u64;
    /// Where both hold.
    fn both(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Where either holds.
    fn either(self, a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Where it does not hold.
    fn not(self, a: Self::Mask) -> Self::Mask;
    /// Whether it holds anywhere.
    fn any(self, mask: Self::Mask) -> bool;
    /// `yes` where the mask holds, `no` elsewhere.
    fn select(self, mask: Self::Mask, yes: Self::Block, no: Self::Block) -> Self::Block;
    /// `a` where the mask holds, zero elsewhere.
    fn keep(self, mask: Self::Mask, a: Self::Block) -> Self::Block;
    /// `a` plus one where the mask holds.
    fn add_one(self, a: Self::Block, mask: Self::Mask) -> Self::Block;
    /// Whether any byte has bit 7 set, that is, is not ASCII.
    fn any_high_bit(self, a: Self::Block) -> bool;
    /// Which halves of 16 blocks are not all ASCII: a bit for each.
    #[inline(always)]
    fn high_halves(self, blocks: &[u8; 16 * BLOCK]) -> u32 {
        let mut bits = 0;
        for (i, block) in blocks.as_chunks().0.iter().enumerate() {
            let high = self.bits(self.high_bit(self.load(block)));
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
    /// Whether any byte is `FROM` or more, which is 80 or more.
    #[inline(always)]
    fn any_from<const FROM: u8>(self, a: Self::Block) -> bool {
        const { assert!(FROM >= 0x80) }
        self.any(self.ge(a, self.splat(FROM)))
    }
    /// Bit 7 of each byte says whether that of `a` is `FROM` or more, which is 80 or more; the other bits are anything.
    #[inline(always)]
    fn reaches<const FROM: u8>(self, a: Self::Block) -> Self::Block {
        const { assert!(FROM >= 0x80) }
        self.saturating_sub(a, self.splat(FROM - 0x80))
    }
    /// The bitmap of the bytes that are not zero.
    #[inline(always)]
    fn non_zero(self, a: Self::Block) -> u64 {
        !self.bits(self.eq(a, self.splat(0)))
    }
    /// Whether any bit is set.
    fn any_bit(self, a: Self::Block) -> bool;

    /// The last `K` bytes of `before`, at most three, and then `a` less its last `K` bytes: [`behind`], of bytes in registers.
    fn after<const K: usize>(self, before: Self::Block, a: Self::Block) -> Self::Block;
    /// Zeros, `K` of them, and then the block less its last `K` bytes: [`behind`] at the start of a text.
    #[inline(always)]
    fn after_zeros<const K: usize>(self, a: Self::Block) -> Self::Block {
        self.after::<K>(self.splat(0), a)
    }
}

/// A conversion that [`Shuffle::apart`] can run.
pub(crate) trait Apart {
    /// The progress.
    type Moved;
    /// Runs it, inlined.
    fn run<S: Shuffle>(simd: S, src: &[u8], dst: &mut [u8]) -> Self::Moved;
}

/// A conversion that [`Compress::apart_in_registers`] can run.
pub(crate) trait ApartInRegisters {
    /// The progress.
    type Moved;
    /// Runs it, inlined.
    fn run<S: Compress>(simd: S, src: &[u8], dst: &mut [u8]) -> Self::Moved;
}

/// [`Shuffle::short_of_three`] by how many times 80 a unit has, and zero from 10 times up.
pub(super) const SHORT_OF_THREE: [u8; 16] = [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];

/// [`Shuffle::short_of_four`] by the exponent of a unit as a floating-point number, less its bias and from 16 places on: the
/// low four bits of 70 for 1 (or zero), 71 for 2 and 3, and so on to 7F for 8000 to FFFF.
pub(super) const SHORT_OF_FOUR: [u8; 16] = [3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1];

/// The operations of levels with a byte shuffle: to look bytes up, to work on wider lanes, and to pack selected lanes.
pub(crate) trait Shuffle: Simd {
    /// Whether [`lookup128`](Shuffle::lookup128) takes an instruction or two for a register, and not fifteen.
    const LONG_TABLES: bool;
    /// Whether [`few_as_utf8`](Shuffle::few_as_utf8) is there.
    const FEW_AS_UTF8: bool = false;
    /// A table of 16 bytes, to be indexed by low nibbles.
    type LowTable: Copy;
    /// A table of 16 bytes, to be indexed by high nibbles.
    type HighTable: Copy;
    /// A table of 64 bytes.
    type Table64: Copy;
    /// A table of 128 bytes.
    type Table128: Copy;
    /// A truth value per 16-bit lane.
    type Mask16: Copy;
    /// A truth value per 32-bit lane.
    type Mask32: Copy;

    /// Runs a conversion in a function of its own, with the features of the level; where registers are many, in line. A
    /// kernel does so with long texts, so that a short text does not have to save the registers that only the long ones
    /// need.
    #[inline(always)]
    fn apart<K: Apart>(self, src: &[u8], dst: &mut [u8]) -> K::Moved {
        // In one function they take the compiler minutes, which tests have no use for.
        #[cfg_attr(debug_assertions, inline(never))]
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn apart<S: Shuffle, K: Apart>(simd: S, src: &[u8], dst: &mut [u8]) -> K::Moved {
            K::run(simd, src, dst)
        }
        apart::<Self, K>(self, src, dst)
    }

    /// A table for [`lookup_low`](Shuffle::lookup_low).
    fn low_table(self, table: &[u8; 16]) -> Self::LowTable;
    /// A table for [`lookup_high`](Shuffle::lookup_high).
    fn high_table(self, table: &[u8; 16]) -> Self::HighTable;
    /// For each byte the entry of the table at its low nibble.
    fn lookup_low(self, table: Self::LowTable, a: Self::Block) -> Self::Block;
    /// For each byte the entry of the table at its high nibble.
    fn lookup_high(self, table: Self::HighTable, a: Self::Block) -> Self::Block;
    /// A table for [`lookup64`](Shuffle::lookup64).
    fn table64(self, table: &[u8; 64]) -> Self::Table64;
    /// A table for [`lookup128`](Shuffle::lookup128).
    fn table128(self, table: &[u8; 128]) -> Self::Table128;
    /// A table of the bytes of a block, for [`lookup64`](Shuffle::lookup64).
    #[inline(always)]
    fn table64_of(self, a: Self::Block) -> Self::Table64 {
        let mut table = [0; 64];
        self.store(a, &mut table);
        self.table64(&table)
    }
    /// For each byte the entry of the table at its low six bits.
    fn lookup64(self, table: Self::Table64, a: Self::Block) -> Self::Block;
    /// For each byte the entry of the table at its low seven bits. It takes eight shuffles and a choice among them, but for
    /// levels with larger tables.
    fn lookup128(self, table: Self::Table128, a: Self::Block) -> Self::Block;

    // Lanes of 16 bits.

    /// A number in each 16-bit lane.
    fn splat16(self, unit: u16) -> Self::Block;
    /// The two bytes of each 16-bit lane swapped.
    fn swap16(self, a: Self::Block) -> Self::Block;
    /// Lane-wise sum, wrapping.
    fn add16(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Lane-wise difference, wrapping.
    fn sub16(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Lane-wise maximum, unsigned.
    fn max16(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Each 16-bit lane moved up by `N` bits.
    fn shl16<const N: u32>(self, a: Self::Block) -> Self::Block;
    /// Each 16-bit lane moved down by `N` bits.
    fn shr16<const N: u32>(self, a: Self::Block) -> Self::Block;
    /// In each 16-bit lane, the eight bits from bit `A` up as its first (low) byte, and from bit `B` up as its second.
    /// Bits from above the lane are anything.
    fn bytes16<const A: u32, const B: u32>(self, a: Self::Block) -> Self::Block;
    /// Where `a == b`.
    fn eq16(self, a: Self::Block, b: Self::Block) -> Self::Mask16;
    /// Where `a >= b`, unsigned.
    fn ge16(self, a: Self::Block, b: Self::Block) -> Self::Mask16;
    /// Where the bitmap has ones.
    fn mask16(self, bits: u32) -> Self::Mask16;
    /// The bitmap of a mask.
    fn bits16(self, mask: Self::Mask16) -> u32;
    /// `yes` where the mask holds, `no` elsewhere.
    fn select16(self, mask: Self::Mask16, yes: Self::Block, no: Self::Block) -> Self::Block;
    /// `a` where the mask holds, zero elsewhere.
    fn keep16(self, mask: Self::Mask16, a: Self::Block) -> Self::Block;
    /// For each 16-bit lane of both blocks, in any order, how many bytes less than three it has in UTF-8: 2 below 80, 1 below
    /// 800, else 0.
    fn short_of_three(self, a: Self::Block, b: Self::Block) -> Self::Block;

    // Lanes of 32 bits.

    /// A number in each 32-bit lane.
    fn splat32(self, unit: u32) -> Self::Block;
    /// The four bytes of each 32-bit lane in the opposite order.
    fn swap32(self, a: Self::Block) -> Self::Block;
    /// Lane-wise sum, wrapping.
    fn add32(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Lane-wise difference, wrapping.
    fn sub32(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Lane-wise maximum, unsigned.
    fn max32(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Lane-wise minimum, unsigned.
    fn min32(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// Each 32-bit lane moved up by `N` bits.
    fn shl32<const N: u32>(self, a: Self::Block) -> Self::Block;
    /// Each 32-bit lane moved down by `N` bits.
    fn shr32<const N: u32>(self, a: Self::Block) -> Self::Block;
    /// In each 32-bit lane, the eight bits from bit `A` up as its first (lowest) byte, and so on to `D`. Bits from above
    /// the lane are anything.
    fn bytes32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: Self::Block) -> Self::Block;
    /// Where `a == b`.
    fn eq32(self, a: Self::Block, b: Self::Block) -> Self::Mask32;
    /// Where `a >= b`, unsigned.
    fn ge32(self, a: Self::Block, b: Self::Block) -> Self::Mask32;
    /// Where the bitmap has ones; only its low 16 bits count.
    fn mask32(self, bits: u32) -> Self::Mask32;
    /// The bitmap of a mask, in the low 16 bits.
    fn bits32(self, mask: Self::Mask32) -> u32;
    /// `yes` where the mask holds, `no` elsewhere.
    fn select32(self, mask: Self::Mask32, yes: Self::Block, no: Self::Block) -> Self::Block;
    /// `a` where the mask holds, zero elsewhere.
    fn keep32(self, mask: Self::Mask32, a: Self::Block) -> Self::Block;
    /// For each 32-bit lane the first of `by_len` if it is below 80, the second if below 800, the third if below 10000,
    /// else the fourth: a number for each length that a code point can have in UTF-8. Lanes from 8000 0000 up get anything.
    fn by_utf8_len(self, a: Self::Block, by_len: [u32; 4]) -> Self::Block;

    /// For each 32-bit lane of four blocks, in any order, how many bytes less than four it has in UTF-8: 3 below 80, 2 below
    /// 800, 1 below 10000, else 0.
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

    /// Bytes alternately from `low` and `high`: 16-bit lanes `low | high << 8`, the first 32 and the last 32.
    fn zip8(self, low: Self::Block, high: Self::Block) -> [Self::Block; 2];
    /// 16-bit lanes alternately from `low` and `high`: 32-bit lanes `low | high << 16`, the first 16 and the last 16.
    fn zip16(self, low: Self::Block, high: Self::Block) -> [Self::Block; 2];
    /// The block in the order in which [`zip8_ordered`](Shuffle::zip8_ordered) and
    /// [`zip16_ordered`](Shuffle::zip16_ordered) take their planes; groups of eight bytes stay whole. Where both planes
    /// are made from one block, to order that costs half as much as to order them.
    #[inline(always)]
    fn order_for_zip(self, a: Self::Block) -> Self::Block {
        a
    }
    /// [`zip8`](Shuffle::zip8) of planes that are in that order.
    #[inline(always)]
    fn zip8_ordered(self, low: Self::Block, high: Self::Block) -> [Self::Block; 2] {
        self.zip8(low, high)
    }
    /// [`zip16`](Shuffle::zip16) of planes that are in that order.
    #[inline(always)]
    fn zip16_ordered(self, low: Self::Block, high: Self::Block) -> [Self::Block; 2] {
        self.zip16(low, high)
    }
    /// The block in the order in which [`zip4_ordered`](Shuffle::zip4_ordered) takes its planes.
    #[inline(always)]
    fn order_for_zip4(self, a: Self::Block) -> Self::Block {
        a
    }
    /// Bytes from each of four planes in turn, which are in that order: 64 lanes of 32 bits, the byte from the first plane
    /// lowest.
    #[inline(always)]
    fn zip4_ordered(self, planes: [Self::Block; 4]) -> [Self::Block; 4] {
        let low = self.zip8(planes[0], planes[1]);
        let high = self.zip8(planes[2], planes[3]);
        let [a, b] = self.zip16(low[0], high[0]);
        let [c, d] = self.zip16(low[1], high[1]);
        [a, b, c, d]
    }
    /// Bytes as 16-bit lanes: the first 32 and the last 32.
    fn widen8(self, a: Self::Block) -> [Self::Block; 2];
    /// 16-bit lanes as 32-bit lanes: the first 16 and the last 16.
    fn widen16(self, a: Self::Block) -> [Self::Block; 2];
    /// Bytes of memory as 32-bit lanes.
    #[inline(always)]
    fn load8_as_32(self, src: &[u8; BLOCK]) -> [Self::Block; 4] {
        let [first, second] = self.widen8(self.load(src));
        let [a, b] = self.widen16(first);
        let [c, d] = self.widen16(second);
        [a, b, c, d]
    }
    /// The 16-bit lanes of `a` and then of `b` as bytes; all are below 100.
    fn narrow16(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// The 32-bit lanes of `a` and then of `b` as 16-bit lanes; all are below 10000.
    fn narrow32(self, a: Self::Block, b: Self::Block) -> Self::Block;
    /// The 32-bit lanes of four blocks as bytes; all are below 100.
    #[inline(always)]
    fn narrow32_to_8(self, [a, b, c, d]: [Self::Block; 4]) -> Self::Block {
        self.narrow16(self.narrow32(a, b), self.narrow32(c, d))
    }

    // Packing: selected lanes are written one after the other. Each operation returns how many they are, and may write
    // anything to `dst` after them.

    /// Writes the bytes of `a` where `keep` has ones. Returns bytes.
    fn pack8(self, a: Self::Block, keep: u64, dst: &mut [u8; 64]) -> usize;
    /// Writes 16-bit units `low | high << 8` where `keep` has ones, for each of 64 bytes. Returns units.
    fn pack16(self, low: Self::Block, high: Self::Block, keep: u64, dst: &mut [u8; 128]) -> usize;
    /// Writes 32-bit units `low | high << 8 | top << 16` where `keep` has ones, for each of 64 bytes; their bytes in the
    /// opposite order if `SWAP`. Returns units.
    fn pack32<const SWAP: bool>(
        self,
        low: Self::Block,
        high: Self::Block,
        top: Self::Block,
        keep: u64,
        dst: &mut [u8; 256],
    ) -> usize;
    /// Writes 32-bit units `low | high << 8` where `keep` has ones, for each of 64 bytes; their bytes in the opposite order
    /// if `SWAP`. Returns units.
    fn pack16_as_32<const SWAP: bool>(
        self,
        low: Self::Block,
        high: Self::Block,
        keep: u64,
        dst: &mut [u8; 256],
    ) -> usize;
    /// Writes the 32-bit lanes of `a` where the low 16 bits of `keep` have ones. Returns lanes.
    fn pack_lanes32(self, a: Self::Block, keep: u32, dst: &mut [u8; 64]) -> usize;
    /// Writes of each 16-bit lane the first byte, and the second if it is not zero. Returns bytes.
    fn pack_pairs(self, a: Self::Block, dst: &mut [u8; 64]) -> usize;
    /// Writes of each 16-bit lane the first byte, and the second if it is not zero, which holds where `seconds` has ones.
    /// Returns bytes.
    #[inline(always)]
    fn pack_pairs_known(self, a: Self::Block, seconds: u32, dst: &mut [u8; 64]) -> usize {
        let _ = seconds;
        self.pack_pairs(a, dst)
    }
    /// Writes the sequence of UTF-8 that each 32-bit lane ends with, after zeros. Returns bytes.
    fn pack_quads(self, a: Self::Block, dst: &mut [u8; 64]) -> usize;
    /// [`pack_quads`](Shuffle::pack_quads) of sequences of at most three bytes.
    #[inline(always)]
    fn pack_trios(self, a: Self::Block, dst: &mut [u8; 64]) -> usize {
        self.pack_quads(a, dst)
    }
    /// [`pack_quads`](Shuffle::pack_quads) of sequences of three bytes.
    #[inline(always)]
    fn pack_threes(self, a: Self::Block, dst: &mut [u8; 64]) -> usize {
        self.pack_quads(a, dst)
    }
    /// Writes one to eight 16-bit units, whose bytes are in the opposite order if `SWAP` is set, as UTF-8, and anything behind them. Returns
    /// bytes; or `None` if they are more or none, or there is a surrogate, or one is cut off.
    #[inline(always)]
    fn few_as_utf8<const SWAP: bool>(self, src: &[u8], dst: &mut [u8; 32]) -> Option<usize> {
        let _ = (src, dst);
        None
    }
    /// Writes 16-bit units as UTF-8. Returns bytes; or `None` if there is a surrogate.
    ///
    /// Levels of small registers do it register by register, each in the way that it needs, for one byte, two, or three.
    /// This is for those with registers of masks, where kernels use other operations.
    #[inline(always)]
    fn pack_as_utf8(self, units: Self::Block, dst: &mut [u8; 128]) -> Option<usize> {
        let kind = self.and(units, self.splat16(0xF800));
        if self.bits16(self.eq16(kind, self.splat16(0xD800))) != 0 {
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
    /// Writes of each 32-bit lane the first half, and the second if it is not zero. Returns halves.
    fn pack_halves(self, a: Self::Block, dst: &mut [u8; 64]) -> usize;
}

/// AVX-512 of the Ice Lake generation, which packs bytes in registers: for kernels that are worth while only there.
pub(crate) trait Compress: Shuffle {
    /// [`apart`](Shuffle::apart) for what is worth while only there.
    #[inline(always)]
    fn apart_in_registers<K: ApartInRegisters>(self, src: &[u8], dst: &mut [u8]) -> K::Moved {
        K::run(self, src, dst)
    }
    /// The bytes where `keep` has ones, one after the other, and zeros after them.
    fn compress8(self, a: Self::Block, keep: u64) -> Self::Block;
    /// The bits where `keep` has ones, one after the other, and zeros above them.
    fn compress_bits(self, bits: u64, keep: u64) -> u64;
}
