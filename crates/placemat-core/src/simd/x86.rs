//! The operations that take one instruction per register on every x86-64 level, whatever its width.
//!
//! A level imports its instructions under width-independent names such as `add_epi8`, defines a
//! macro `each!` that repeats an expression for each register of a block, and expands the methods
//! below.

use super::slot::Slot;
use core::marker::PhantomData;

/// Executes one instruction, named like its intrinsic, in a method of a token.
macro_rules! op {
    ($name:ident $(::<$n:tt>)? ($a:expr $(,)?)) => {
        match $a {
            // SAFETY: every function that expands this is a method of a token, which exists only
            // where the features of its level are enabled, and no operand is in memory, so the
            // instruction needs nothing else.
            a => unsafe { $name $(::<$n>)? (a) },
        }
    };
    ($name:ident $(::<$n:tt>)? ($a:expr, $b:expr $(,)?)) => {
        match ($a, $b) {
            // SAFETY: every function that expands this is a method of a token, which exists only
            // where the features of its level are enabled, and no operand is in memory, so the
            // instruction needs nothing else.
            (a, b) => unsafe { $name $(::<$n>)? (a, b) },
        }
    };
    ($name:ident $(::<$n:tt>)? ($a:expr, $b:expr, $c:expr $(,)?)) => {
        match ($a, $b, $c) {
            // SAFETY: every function that expands this is a method of a token, which exists only
            // where the features of its level are enabled, and no operand is in memory, so the
            // instruction needs nothing else.
            (a, b, c) => unsafe { $name $(::<$n>)? (a, b, c) },
        }
    };
}

/// Methods of the token itself.
macro_rules! token_methods {
    () => {
        /// Shifts the bits of 16-bit lanes so that bit `from` becomes bit `to`.
        #[inline(always)]
        fn move16(self, a: Block, from: u32, to: u32) -> Block {
            let count = op!(_mm_cvtsi32_si128(from.abs_diff(to).cast_signed()));
            if from >= to { each!(a => op!(srl_epi16(a, count))) } else { each!(a => op!(sll_epi16(a, count))) }
        }

        /// Shifts the bits of 32-bit lanes so that bit `from` becomes bit `to`.
        #[inline(always)]
        fn move32(self, a: Block, from: u32, to: u32) -> Block {
            let count = op!(_mm_cvtsi32_si128(from.abs_diff(to).cast_signed()));
            if from >= to { each!(a => op!(srl_epi32(a, count))) } else { each!(a => op!(sll_epi32(a, count))) }
        }

        /// Shuffles each 16 bytes of a block by `order`.
        #[inline(always)]
        fn shuffle(self, a: Block, order: &[u8; 16]) -> Block {
            let order = self.repeat(order);
            each!(a => op!(shuffle_epi8(a, order)))
        }

        /// Whether any 16-bit code unit is a surrogate.
        #[inline(always)]
        fn any_surrogate(self, units: Register) -> bool {
            let kind = op!(and_si(units, op!(set1_epi16(0xF800u16.cast_signed()))));
            op!(movemask_epi8(op!(cmpeq_epi16(kind, op!(set1_epi16(0xD800u16.cast_signed())))))) != 0
        }

        /// Masks of the 16-bit code units that are at least 0x80, and at least 0x800.
        #[inline(always)]
        fn at_least_80_and_800(self, units: Register) -> [Register; 2] {
            // Only signed comparisons exist.
            let moved = op!(xor_si(units, op!(set1_epi16(i16::MIN))));
            let min = [op!(set1_epi16(i16::MIN + 0x7F)), op!(set1_epi16(i16::MIN + 0x7FF))];
            [op!(cmpgt_epi16(moved, min[0])), op!(cmpgt_epi16(moved, min[1]))]
        }

        /// Converts 16-bit code units below 0x800 to lead byte and continuation byte; ASCII becomes
        /// the character and zero.
        #[inline(always)]
        fn pairs(self, units: Register, from_80: Register) -> Register {
            let bits = op!(or_si(op!(slli_epi16::<8>(units)), op!(srli_epi16::<6>(units))));
            let payload = op!(set1_epi16(0x3F1F));
            let two = op!(or_si(op!(and_si(bits, payload)), op!(set1_epi16(0x80C0u16.cast_signed()))));
            op!(blendv_epi8(units, two, from_80))
        }

        /// Converts 16-bit code units to the four-byte lanes that [`UNITS`](super::squeeze::UNITS)
        /// describes: those of the first half of each 16 bytes, and those of the last half.
        #[inline(always)]
        fn unit_lanes(self, units: Register, from_800: Register) -> [Register; 2] {
            let twice = op!(shuffle_epi8(units, self.repeat(&[0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14])));
            let last = op!(or_si(op!(and_si(twice, op!(set1_epi16(0x3FFF)))), op!(set1_epi16(i16::MIN))));
            // The sum of the first byte times 0x40 and the second, with bits that end up as 0xE0 in
            // the first.
            let top = op!(or_si(
                op!(and_si(op!(srli_epi16::<4>(units)), op!(set1_epi16(0x0FFC)))),
                op!(set1_epi16(0x2003)),
            ));
            let bits = op!(maddubs_epi16(top, op!(set1_epi16(0x0140))));
            let tag = [op!(set1_epi16(0xC000u16.cast_signed())), op!(set1_epi16(i16::MIN))];
            let first = op!(or_si(bits, op!(blendv_epi8(tag[0], tag[1], from_800))));
            [op!(unpacklo_epi16(last, first)), op!(unpackhi_epi16(last, first))]
        }

        /// Converts signed 32-bit lanes to floating point. Returns the exponent of each lane, with
        /// the sign bit above it, in the low bits.
        #[inline(always)]
        fn exponents(self, a: Register) -> Register {
            op!(srli_epi32::<23>(op!(castps_si(op!(cvtepi32_ps(a))))))
        }

        /// Looks up the byte at `low` in one of four table rows, which bit 7 of `bit4` and bit 7 of
        /// `bit5` select.
        #[inline(always)]
        fn of_rows(self, rows: [Register; 4], low: Register, bit4: Register, bit5: Register) -> Register {
            let first = op!(blendv_epi8(
                op!(shuffle_epi8(rows[0], low)),
                op!(shuffle_epi8(rows[1], low)),
                bit4
            ));
            let second = op!(blendv_epi8(
                op!(shuffle_epi8(rows[2], low)),
                op!(shuffle_epi8(rows[3], low)),
                bit4
            ));
            op!(blendv_epi8(first, second, bit5))
        }
    };
}

/// Implements [`apart`](super::layer::ShuffleOps::apart), or a method like it, for a level with these
/// features.
macro_rules! apart {
    ($token:ident, $features:literal) => {
        apart! { $token, $features, apart, super::layer::Apart, K::Element }
    };
    ($token:ident, $features:literal, $name:ident, $kind:path, $element:ty) => {
        #[inline(always)]
        fn $name<K: $kind>(self, src: &[u8], dst: &mut [$element]) -> K::Moved {
            #[target_feature(enable = $features)]
            #[inline(never)]
            fn apart<K: $kind>(src: &[u8], dst: &mut [$element]) -> K::Moved {
                K::run($token::new(), src, dst)
            }
            // SAFETY: the token on which this is called exists only where the features of its level
            // are enabled, which are those of `apart`.
            unsafe { apart::<K>(src, dst) }
        }
    };
}

/// Implements [`Simd`](super::layer::Simd).
macro_rules! simd_methods {
    () => {
        const MASK_REGISTERS: bool = false;
        type Block = Block;
        type Mask = Block;

        #[inline(always)]
        fn load(self, src: &[u8; 64]) -> Block {
            // SAFETY: both types have 64 bytes without padding, and any bytes are a value of a
            // register.
            unsafe { transmute::<[u8; 64], Block>(*src) }
        }
        #[inline(always)]
        fn store(self, block: Block, dst: &mut [Slot; 64]) {
            // SAFETY: both types have 64 bytes without padding, and any bytes are a `u8` each.
            Slot::write(dst, unsafe { transmute::<Block, [u8; 64]>(block) });
        }
        #[inline(always)]
        fn store_partial(self, block: Block, dst: &mut [Slot]) {
            let mut bytes = [0; 64];
            self.store(block, Slot::of_array(&mut bytes));
            partial::copy(&bytes, dst);
        }

        #[inline(always)]
        fn first_half(self, mut a: Block) -> Block {
            let (_, last) = a.split_at_mut(REGISTERS / 2);
            last.fill(op!(set1_epi8(0)));
            a
        }
        #[inline(always)]
        fn splat(self, byte: u8) -> Block {
            [op!(set1_epi8(byte.cast_signed())); REGISTERS]
        }
        #[inline(always)]
        fn and(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(and_si(a, b)))
        }
        #[inline(always)]
        fn or(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(or_si(a, b)))
        }
        #[inline(always)]
        fn xor(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(xor_si(a, b)))
        }
        #[inline(always)]
        fn and_not(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(andnot_si(b, a)))
        }
        #[inline(always)]
        fn add(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(add_epi8(a, b)))
        }
        #[inline(always)]
        fn sub(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(sub_epi8(a, b)))
        }
        #[inline(always)]
        fn saturating_sub(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(subs_epu8(a, b)))
        }
        #[inline(always)]
        fn max(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(max_epu8(a, b)))
        }
        #[inline(always)]
        fn min(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(min_epu8(a, b)))
        }
        #[inline(always)]
        fn move_bits<const FROM: u32, const LEN: u32, const TO: u32>(self, a: Block) -> Block {
            const { assert!(FROM + LEN <= 8 && TO + LEN <= 8) };
            // The mask clears the bits that the bytes of a lane shift into each other.
            self.and(self.move16(a, FROM, TO), self.splat((((1u16 << LEN) - 1) << TO) as u8))
        }
        #[inline(always)]
        fn sum(self, a: Block) -> u32 {
            let zero = op!(set1_epi8(0));
            let sum = self.sum64(each!(a => op!(sad_epu8(a, zero))));
            let sum = op!(_mm_add_epi64(sum, op!(_mm_unpackhi_epi64(sum, sum))));
            op!(_mm_cvtsi128_si32(sum)).cast_unsigned()
        }

        #[inline(always)]
        fn eq(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(cmpeq_epi8(a, b)))
        }
        #[inline(always)]
        fn ge(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(cmpeq_epi8(op!(max_epu8(a, b)), a)))
        }
        #[inline(always)]
        fn high_bit(self, a: Block) -> Block {
            let zero = op!(set1_epi8(0));
            each!(a => op!(cmpgt_epi8(zero, a)))
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
            self.xor(a, self.splat(0xFF))
        }
        #[inline(always)]
        fn any(self, mask: Block) -> bool {
            self.any_high_bit(mask)
        }
        #[inline(always)]
        fn select(self, mask: Block, yes: Block, no: Block) -> Block {
            each!(mask, yes, no => op!(blendv_epi8(no, yes, mask)))
        }
        #[inline(always)]
        fn keep(self, mask: Block, a: Block) -> Block {
            self.and(mask, a)
        }
        #[inline(always)]
        fn add_one(self, a: Block, mask: Block) -> Block {
            // A mask is minus one.
            self.sub(a, mask)
        }
        #[inline(always)]
        fn any_high_bit(self, a: Block) -> bool {
            op!(movemask_epi8(self.union(a))) != 0
        }
        #[inline(always)]
        fn any_from<const FROM: u8>(self, a: Block) -> bool {
            const { assert!(FROM >= 0x80) }
            // The highest bytes fit into one register to compare, and bit 7 is the result.
            let below = op!(set1_epi8((FROM - 0x80).cast_signed()));
            op!(movemask_epi8(op!(subs_epu8(self.highest(a), below)))) != 0
        }
        #[inline(always)]
        fn any_bit(self, a: Block) -> bool {
            let all = self.union(a);
            op!(testz_si(all, all)) == 0
        }
    };
}

/// Implements [`Shuffle`](super::layer::Shuffle).
macro_rules! shuffle_methods {
    () => {
        const FAST_LOOKUP128: bool = false;
        type LowTable = Register;
        type HighTable = Register;
        type Table64 = [Register; 4];
        type Table128 = [[Register; 4]; 2];
        type Mask16 = Block;
        type Mask32 = Block;

        #[inline(always)]
        fn low_table(self, table: &[u8; 16]) -> Register {
            self.repeat(table)
        }
        #[inline(always)]
        fn high_table(self, table: &[u8; 16]) -> Register {
            self.repeat(table)
        }
        #[inline(always)]
        fn lookup_low(self, table: Register, a: Block) -> Block {
            let low = self.and(a, self.splat(0x0F));
            each!(low => op!(shuffle_epi8(table, low)))
        }
        #[inline(always)]
        fn lookup_high(self, table: Register, a: Block) -> Block {
            let high = self.move_bits::<4, 4, 0>(a);
            each!(high => op!(shuffle_epi8(table, high)))
        }
        #[inline(always)]
        fn table64(self, table: &[u8; 64]) -> [Register; 4] {
            match table.as_chunks() {
                ([a, b, c, d], []) => [self.repeat(a), self.repeat(b), self.repeat(c), self.repeat(d)],
                _ => unreachable!(),
            }
        }
        #[inline(always)]
        fn table128(self, table: &[u8; 128]) -> [[Register; 4]; 2] {
            match table.as_chunks() {
                ([a, b], []) => [self.table64(a), self.table64(b)],
                _ => unreachable!(),
            }
        }
        #[inline(always)]
        fn lookup64(self, table: [Register; 4], a: Block) -> Block {
            let low = self.and(a, self.splat(0x0F));
            // A blend tests only the highest bit of each byte, so the other bits of the shift do
            // not matter.
            let (bit4, bit5) = (self.move16(a, 4, 7), self.move16(a, 5, 7));
            each!(low, bit4, bit5 => self.of_rows(table, low, bit4, bit5))
        }
        #[inline(always)]
        fn lookup128(self, table: [[Register; 4]; 2], a: Block) -> Block {
            let low = self.and(a, self.splat(0x0F));
            let (bit4, bit5, bit6) = (self.move16(a, 4, 7), self.move16(a, 5, 7), self.move16(a, 6, 7));
            each!(low, bit4, bit5, bit6 => {
                let lower = self.of_rows(table[0], low, bit4, bit5);
                let upper = self.of_rows(table[1], low, bit4, bit5);
                op!(blendv_epi8(lower, upper, bit6))
            })
        }

        #[inline(always)]
        fn splat16(self, unit: u16) -> Block {
            [op!(set1_epi16(unit.cast_signed())); REGISTERS]
        }
        #[inline(always)]
        fn swap16(self, a: Block) -> Block {
            self.shuffle(a, &[1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14])
        }
        #[inline(always)]
        fn add16(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(add_epi16(a, b)))
        }
        #[inline(always)]
        fn sub16(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(sub_epi16(a, b)))
        }
        #[inline(always)]
        fn max16(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(max_epu16(a, b)))
        }
        #[inline(always)]
        fn shl16<const N: u32>(self, a: Block) -> Block {
            self.move16(a, 0, N)
        }
        #[inline(always)]
        fn shr16<const N: u32>(self, a: Block) -> Block {
            self.move16(a, N, 0)
        }
        #[inline(always)]
        fn bytes16<const A: u32, const B: u32>(self, a: Block) -> Block {
            let (first, second) = (self.move16(a, A, 0), self.move16(a, B, 8));
            match (A >= 8, B == 0) {
                // The shift itself leaves zeros for the other byte.
                (true, true) => self.or(first, second),
                (true, false) => self.or(first, self.and(second, self.splat16(0xFF00))),
                (false, true) => self.or(self.and(first, self.splat16(0x00FF)), second),
                (false, false) => self.select(self.splat16(0xFF00), second, first),
            }
        }
        #[inline(always)]
        fn eq16(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(cmpeq_epi16(a, b)))
        }
        #[inline(always)]
        fn ge16(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(cmpeq_epi16(op!(max_epu16(a, b)), a)))
        }
        #[inline(always)]
        fn select16(self, mask: Block, yes: Block, no: Block) -> Block {
            self.select(mask, yes, no)
        }
        #[inline(always)]
        fn keep16(self, mask: Block, a: Block) -> Block {
            self.keep(mask, a)
        }

        #[inline(always)]
        fn short_of_three(self, a: Block, b: Block) -> Block {
            let table = self.repeat(&SHORT_OF_THREE);
            each!(a, b => {
                // At most 0x7F, so the sum sets bit 7, for which the shuffle yields zero, from
                // index 0x10 up only.
                let eighties = op!(packs_epi16(op!(srli_epi16::<7>(a)), op!(srli_epi16::<7>(b))));
                op!(shuffle_epi8(table, op!(add_epi8(eighties, op!(set1_epi8(0x70))))))
            })
        }

        #[inline(always)]
        fn short_of_four(self, [a, b, c, d]: [Block; 4]) -> Block {
            let table = self.repeat(&SHORT_OF_FOUR);
            each!(a, b, c, d => {
                // The exponent of a number is 0x7F plus the position of its highest one. All
                // numbers above 0xFFFF, which may be rounded, and numbers from 0x8000_0000 up,
                // which count as negative and have one more bit, give at least 0x8F; minus 0x0F,
                // that has bit 7 set, for which the shuffle yields zero.
                let exponents = op!(packus_epi16(
                    op!(packus_epi32(self.exponents(a), self.exponents(b))),
                    op!(packus_epi32(self.exponents(c), self.exponents(d))),
                ));
                op!(shuffle_epi8(table, op!(subs_epu8(exponents, op!(set1_epi8(0x0F))))))
            })
        }

        #[inline(always)]
        fn splat32(self, unit: u32) -> Block {
            [op!(set1_epi32(unit.cast_signed())); REGISTERS]
        }
        #[inline(always)]
        fn swap32(self, a: Block) -> Block {
            self.shuffle(a, &[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12])
        }
        #[inline(always)]
        fn add32(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(add_epi32(a, b)))
        }
        #[inline(always)]
        fn sub32(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(sub_epi32(a, b)))
        }
        #[inline(always)]
        fn max32(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(max_epu32(a, b)))
        }
        #[inline(always)]
        fn min32(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(min_epu32(a, b)))
        }
        #[inline(always)]
        fn shl32<const N: u32>(self, a: Block) -> Block {
            self.move32(a, 0, N)
        }
        #[inline(always)]
        fn shr32<const N: u32>(self, a: Block) -> Block {
            self.move32(a, N, 0)
        }
        #[inline(always)]
        fn bytes32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: Block) -> Block {
            let (first, second) = (self.move32(a, A, 0), self.move32(a, B, 8));
            let (third, fourth) = (self.move32(a, C, 16), self.move32(a, D, 24));
            // Blending 16-bit halves by a constant is cheaper than blending bytes.
            let even = each!(first, third => op!(blend_epi16::<0b1010_1010>(first, third)));
            let odd = each!(second, fourth => op!(blend_epi16::<0b1010_1010>(second, fourth)));
            self.select(self.splat16(0xFF00), odd, even)
        }
        #[inline(always)]
        fn eq32(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(cmpeq_epi32(a, b)))
        }
        #[inline(always)]
        fn ge32(self, a: Block, b: Block) -> Block {
            each!(a, b => op!(cmpeq_epi32(op!(max_epu32(a, b)), a)))
        }
        #[inline(always)]
        fn select32(self, mask: Block, yes: Block, no: Block) -> Block {
            self.select(mask, yes, no)
        }
        #[inline(always)]
        fn keep32(self, mask: Block, a: Block) -> Block {
            self.keep(mask, a)
        }
    };
}

pub(super) use {apart, op, shuffle_methods, simd_methods, token_methods};

/// Output position for packed lanes, which are written group by group. Each group is written whole,
/// and the next one overwrites the bytes of it that are not kept.
///
/// A pointer, because the optimizer generates worse code for a sum of counts that it knows to be
/// small.
pub(super) struct Out<'a, const N: usize> {
    start: *mut u8,
    to: *mut u8,
    dst: PhantomData<&'a mut [Slot; N]>,
}

impl<'a, const N: usize> Out<'a, N> {
    #[inline(always)]
    pub(super) fn new(dst: &'a mut [Slot; N]) -> Self {
        let start = dst.as_mut_ptr().cast();
        Self { start, to: start, dst: PhantomData }
    }

    /// Writes a group, of which only the first `kept` bytes count.
    ///
    /// # Safety
    ///
    /// The group must fit after the bytes kept so far. It does if all groups of this `Out` have the
    /// same size, there are at most as many of them as fill `N` bytes, and none keeps more than its
    /// size.
    #[inline(always)]
    pub(super) unsafe fn put<G>(&mut self, group: G, kept: usize) {
        debug_assert!(self.to.addr() + size_of::<G>() <= self.start.addr() + N, "a group past the end");
        debug_assert!(kept <= size_of::<G>(), "{kept} of a group of {}", size_of::<G>());
        // SAFETY: the caller ensures that the group fits after the bytes kept so far, which is
        // inside the `N` bytes that `self` borrows; an unaligned write needs nothing else.
        unsafe { self.to.cast::<G>().write_unaligned(group) };
        self.to = self.to.wrapping_add(kept);
    }

    /// Number of bytes kept so far.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.to.addr() - self.start.addr()
    }
}
