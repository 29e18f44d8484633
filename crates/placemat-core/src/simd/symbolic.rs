//! A level of the vector layer whose lanes are [terms](super::terms): kernels run on it as they
//! are, and their results say what they compute for every text.
//!
//! A byte that an operation leaves unspecified is an unknown. A load finds its terms
//! by its address: bytes of the text are variables, all others are constants. Code that reads a
//! byte of the text without the layer would read `record::FILLER`.
//!
//! A [mutation](Mutation) changes one operation, one constant or one entry of a table, to see that
//! a proof notices.

mod bitmap;
mod record;
#[cfg(test)]
mod tests;

pub(crate) use self::bitmap::Map;
pub(crate) use self::record::{Mutation, Packed, mutate, packed, sites, unchanged, with_text};
use self::record::{loaded, pack, site};
use super::layer::{ShuffleOps, SimdOps};
use super::slot::Slot;
use super::terms::{Op, Term, decide, unspecified};
use core::array::from_fn;

/// The level; `MASKS` is its [`SimdOps::MASK_REGISTERS`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbolic<const MASKS: bool>;

pub(crate) type Block = [Term; 64];

fn and_not(a: Term, b: Term) -> Term {
    let ones = Term::constant(b.width(), u64::MAX);
    a.bits(Op::And, b.bits(Op::Xor, ones))
}
fn saturating_sub(a: Term, b: Term) -> Term {
    a.ge(b).choose(a.bits(Op::Sub, b), Term::constant(a.width(), 0))
}
fn max(a: Term, b: Term) -> Term {
    a.ge(b).choose(a, b)
}
fn min(a: Term, b: Term) -> Term {
    a.ge(b).choose(b, a)
}

/// The operations that a mutation exchanges for one another.
const OPERATIONS: [fn(Term, Term) -> Term; 9] = [
    |a, b| a.bits(Op::And, b),
    |a, b| a.bits(Op::Or, b),
    |a, b| a.bits(Op::Xor, b),
    and_not,
    |a, b| a.bits(Op::Add, b),
    |a, b| a.bits(Op::Sub, b),
    saturating_sub,
    max,
    min,
];

fn operate<const N: usize>(name: &'static str, which: usize, a: [Term; N], b: [Term; N]) -> [Term; N] {
    let op = OPERATIONS[(which + site(name, OPERATIONS.len() - 1)) % OPERATIONS.len()];
    from_fn(|i| op(a[i], b[i]))
}

/// A constant with at most one bit changed.
fn changed(name: &'static str, width: u32, value: u64) -> Term {
    match site(name, width as usize) {
        0 => Term::constant(width, value),
        bit => Term::constant(width, value ^ 1 << (bit - 1)),
    }
}

/// A table with at most one bit of one entry changed.
fn table<const N: usize>(table: &[u8; N]) -> [u8; N] {
    let mut table = *table;
    let change = site("table", 8 * N);
    if let Some(bit) = change.checked_sub(1) {
        table[bit / 8] ^= 1 << (bit % 8);
    }
    table
}

/// `which` of two comparisons: equal, or at least.
fn compare<const N: usize>(which: usize, a: [Term; N], b: [Term; N]) -> [Term; N] {
    let change = site("comparison", 2);
    from_fn(|i| match (which + change) % 3 {
        0 => a[i].equals(b[i]),
        1 => a[i].ge(b[i]),
        _ => a[i].equals(b[i]).not().both(if which == 0 { a[i] } else { b[i] }.ge(if which == 0 {
            b[i]
        } else {
            a[i]
        })),
    })
}

fn ask(name: &'static str, condition: Term) -> bool {
    decide(if site(name, 1) == 1 { condition.not() } else { condition })
}

fn of16(a: Block) -> [Term; 32] {
    from_fn(|i| a[2 * i + 1].above(a[2 * i]))
}
fn from16(a: [Term; 32]) -> Block {
    from_fn(|i| a[i / 2].extract(8 * (i as u32 % 2), 8))
}
fn of32(a: Block) -> [Term; 16] {
    from_fn(|i| a[4 * i + 3].above(a[4 * i + 2]).above(a[4 * i + 1].above(a[4 * i])))
}
fn from32(a: [Term; 16]) -> Block {
    from_fn(|i| a[i / 4].extract(8 * (i as u32 % 4), 8))
}
/// Moves a term left, by appending zeros.
fn shl(a: Term, n: u32) -> Term {
    if n == 0 { a } else { a.extract(0, a.width() - n).above(Term::constant(n, 0)) }
}
fn shr(a: Term, n: u32) -> Term {
    a.extract(n, a.width() - n).widened(a.width())
}
/// The eight bits from `from` up; those above the term are unspecified.
fn byte_at(a: Term, from: u32) -> Term {
    let rest = a.width().saturating_sub(from);
    match rest {
        0 => unspecified(),
        8.. => a.extract(from, 8),
        _ => unspecified().extract(0, 8 - rest).above(a.extract(from, rest)),
    }
}
fn swapped(a: Term) -> Term {
    let bytes = a.width() / 8;
    (1..bytes).fold(a.extract(0, 8), |all, i| all.above(a.extract(8 * i, 8)))
}
fn moved(n: u32, name: &'static str) -> u32 {
    [n, n + 1, n.saturating_sub(1)][site(name, 2)]
}
fn choose<const N: usize>(condition: &[Term], each: usize, yes: [Term; N], no: [Term; N]) -> [Term; N] {
    let (yes, no) = if site("selection", 1) == 1 { (no, yes) } else { (yes, no) };
    from_fn(|i| condition[i / each].choose(yes[i], no[i]))
}

impl<const MASKS: bool> SimdOps for Symbolic<MASKS> {
    const UNROLL: usize = if MASKS { 4 } else { 2 };
    const MASK_REGISTERS: bool = MASKS;
    type Block = Block;
    type Mask = [Term; 64];
    type Bits = Map<64>;

    fn load(self, src: &[u8; 64]) -> Block {
        from_fn(|i| loaded(src, i))
    }
    fn load_partial(self, src: &[u8]) -> Block {
        from_fn(|i| if i < src.len() { loaded(src, i) } else { Term::u8(0) })
    }
    fn load_halves(self, [low, high]: [&[u8; 32]; 2]) -> Block {
        from_fn(|i| if i < 32 { loaded(low, i) } else { loaded(high, i - 32) })
    }
    fn store(self, block: Block, _: &mut [Slot; 64]) {
        pack(block.iter().map(|byte| vec![*byte]).collect(), vec![Term::truth(true); 64]);
    }
    fn store_partial(self, block: Block, dst: &mut [Slot]) {
        let keep = (0..64).map(|i| Term::truth(i < dst.len())).collect();
        pack(block.iter().map(|byte| vec![*byte]).collect(), keep);
    }

    fn splat(self, byte: u8) -> Block {
        [changed("constant", 8, byte.into()); 64]
    }
    fn and(self, a: Block, b: Block) -> Block {
        operate("and", 0, a, b)
    }
    fn or(self, a: Block, b: Block) -> Block {
        operate("or", 1, a, b)
    }
    fn xor(self, a: Block, b: Block) -> Block {
        operate("xor", 2, a, b)
    }
    fn and_not(self, a: Block, b: Block) -> Block {
        operate("and_not", 3, a, b)
    }
    fn add(self, a: Block, b: Block) -> Block {
        operate("add", 4, a, b)
    }
    fn sub(self, a: Block, b: Block) -> Block {
        operate("sub", 5, a, b)
    }
    fn saturating_sub(self, a: Block, b: Block) -> Block {
        operate("saturating_sub", 6, a, b)
    }
    fn max(self, a: Block, b: Block) -> Block {
        operate("max", 7, a, b)
    }
    fn min(self, a: Block, b: Block) -> Block {
        operate("min", 8, a, b)
    }
    fn move_bits<const FROM: u32, const LEN: u32, const TO: u32>(self, a: Block) -> Block {
        let (from, to) = match site("move_bits", 4) {
            1 => (FROM + 1, TO),
            2 => (FROM.saturating_sub(1), TO),
            3 => (FROM, TO + 1),
            4 => (FROM, TO.saturating_sub(1)),
            _ => (FROM, TO),
        };
        let len = LEN.min(8 - from).min(8 - to);
        a.map(|byte| {
            let bits = byte.extract(from, len);
            let bits = if to == 0 { bits } else { bits.above(Term::constant(to, 0)) };
            bits.widened(8)
        })
    }
    fn sum(self, _: Block) -> u32 {
        unimplemented!("no proof is about sums")
    }

    fn eq(self, a: Block, b: Block) -> [Term; 64] {
        compare(0, a, b)
    }
    fn ge(self, a: Block, b: Block) -> [Term; 64] {
        compare(1, a, b)
    }
    fn high_bit(self, a: Block) -> [Term; 64] {
        let bit = [7, 6][site("high_bit", 1)];
        a.map(|byte| byte.extract(bit, 1).is(1))
    }
    fn mask(self, bits: Map<64>) -> [Term; 64] {
        bits.0
    }
    fn bits(self, mask: [Term; 64]) -> Map<64> {
        Map(mask)
    }
    fn both(self, a: [Term; 64], b: [Term; 64]) -> [Term; 64] {
        (Map(a) & Map(b)).0
    }
    fn either(self, a: [Term; 64], b: [Term; 64]) -> [Term; 64] {
        (Map(a) | Map(b)).0
    }
    fn not(self, a: [Term; 64]) -> [Term; 64] {
        (!Map(a)).0
    }
    fn any(self, mask: [Term; 64]) -> bool {
        ask("any", Term::any(mask))
    }
    fn select(self, mask: [Term; 64], yes: Block, no: Block) -> Block {
        choose(&mask, 1, yes, no)
    }
    fn keep(self, mask: [Term; 64], a: Block) -> Block {
        choose(&mask, 1, a, [Term::u8(0); 64])
    }
    fn add_one(self, a: Block, mask: [Term; 64]) -> Block {
        let one = changed("constant", 8, 1);
        from_fn(|i| mask[i].choose(a[i].bits(Op::Add, one), a[i]))
    }
    fn any_high_bit(self, a: Block) -> bool {
        ask("any_high_bit", Term::any(a.map(|byte| byte.extract(7, 1).is(1))))
    }
    fn any_bit(self, a: Block) -> bool {
        ask("any_bit", Term::any(a.map(|byte| byte.is(0).not())))
    }
    fn reaches<const FROM: u8>(self, a: Block) -> Block {
        let from = changed("constant", 8, FROM.into());
        a.map(|byte| {
            byte.ge(from)
                .choose(Term::constant(1, 1), Term::constant(1, 0))
                .above(unspecified().extract(0, 7))
        })
    }
    fn after<const K: usize>(self, before: Block, a: Block) -> Block {
        let k = [K, K + 1, K.saturating_sub(1)][site("after", 2)];
        from_fn(|i| if i < k { before[64 + i - k] } else { a[i - k] })
    }
}

impl<const MASKS: bool> ShuffleOps for Symbolic<MASKS> {
    const FAST_LOOKUP128: bool = true;
    type LowTable = [u8; 16];
    type HighTable = [u8; 16];
    type Table64 = Block;
    type Table128 = [Block; 2];
    type Mask16 = [Term; 32];
    type Mask32 = [Term; 16];
    type Bits16 = Map<32>;

    fn low_table(self, entries: &[u8; 16]) -> [u8; 16] {
        table(entries)
    }
    fn high_table(self, entries: &[u8; 16]) -> [u8; 16] {
        table(entries)
    }
    fn lookup_low(self, table: [u8; 16], a: Block) -> Block {
        let from = [0, 4][site("lookup_low", 1)];
        a.map(|byte| byte.extract(from, 4).entry(&table))
    }
    fn lookup_high(self, table: [u8; 16], a: Block) -> Block {
        let from = [4, 0][site("lookup_high", 1)];
        a.map(|byte| byte.extract(from, 4).entry(&table))
    }
    fn table64(self, table: &[u8; 64]) -> Block {
        self.load(table)
    }
    fn table64_of(self, a: Block) -> Block {
        a
    }
    fn table128(self, table: &[u8; 128]) -> [Block; 2] {
        from_fn(|half| from_fn(|i| loaded(table, 64 * half + i)))
    }
    fn lookup64(self, table: Block, a: Block) -> Block {
        a.map(|byte| {
            (1..64).fold(table[0], |found, i| byte.extract(0, 6).is(i).choose(table[i as usize], found))
        })
    }
    fn lookup128(self, table: [Block; 2], a: Block) -> Block {
        let halves = table.map(|half| self.lookup64(half, a));
        from_fn(|i| a[i].extract(6, 1).is(1).choose(halves[1][i], halves[0][i]))
    }

    fn splat16(self, unit: u16) -> Block {
        from16([changed("constant", 16, unit.into()); 32])
    }
    fn swap16(self, a: Block) -> Block {
        from16(of16(a).map(swapped))
    }
    fn add16(self, a: Block, b: Block) -> Block {
        from16(operate("add16", 4, of16(a), of16(b)))
    }
    fn sub16(self, a: Block, b: Block) -> Block {
        from16(operate("sub16", 5, of16(a), of16(b)))
    }
    fn max16(self, a: Block, b: Block) -> Block {
        from16(operate("max16", 7, of16(a), of16(b)))
    }
    fn shl16<const N: u32>(self, a: Block) -> Block {
        let n = moved(N, "shl16");
        from16(of16(a).map(|unit| shl(unit, n)))
    }
    fn shr16<const N: u32>(self, a: Block) -> Block {
        let n = moved(N, "shr16");
        from16(of16(a).map(|unit| shr(unit, n)))
    }
    fn bytes16<const A: u32, const B: u32>(self, a: Block) -> Block {
        let (low, high) = (moved(A, "bytes16"), moved(B, "bytes16"));
        from16(of16(a).map(|unit| byte_at(unit, high).above(byte_at(unit, low))))
    }
    fn eq16(self, a: Block, b: Block) -> [Term; 32] {
        compare(0, of16(a), of16(b))
    }
    fn ge16(self, a: Block, b: Block) -> [Term; 32] {
        compare(1, of16(a), of16(b))
    }
    fn mask16(self, bits: Map<32>) -> [Term; 32] {
        bits.0
    }
    fn bits16(self, mask: [Term; 32]) -> Map<32> {
        Map(mask)
    }
    fn select16(self, mask: [Term; 32], yes: Block, no: Block) -> Block {
        choose(&mask, 2, yes, no)
    }
    fn keep16(self, mask: [Term; 32], a: Block) -> Block {
        choose(&mask, 2, a, [Term::u8(0); 64])
    }
    fn short_of_three(self, _: Block, _: Block) -> Block {
        unimplemented!("no proof is about lengths")
    }

    fn splat32(self, unit: u32) -> Block {
        from32([changed("constant", 32, unit.into()); 16])
    }
    fn swap32(self, a: Block) -> Block {
        from32(of32(a).map(swapped))
    }
    fn add32(self, a: Block, b: Block) -> Block {
        from32(operate("add32", 4, of32(a), of32(b)))
    }
    fn sub32(self, a: Block, b: Block) -> Block {
        from32(operate("sub32", 5, of32(a), of32(b)))
    }
    fn max32(self, a: Block, b: Block) -> Block {
        from32(operate("max32", 7, of32(a), of32(b)))
    }
    fn min32(self, a: Block, b: Block) -> Block {
        from32(operate("min32", 8, of32(a), of32(b)))
    }
    fn shl32<const N: u32>(self, a: Block) -> Block {
        let n = moved(N, "shl32");
        from32(of32(a).map(|unit| shl(unit, n)))
    }
    fn shr32<const N: u32>(self, a: Block) -> Block {
        let n = moved(N, "shr32");
        from32(of32(a).map(|unit| shr(unit, n)))
    }
    fn bytes32<const A: u32, const B: u32, const C: u32, const D: u32>(self, a: Block) -> Block {
        let from = [A, B, C, D].map(|from| moved(from, "bytes32"));
        let units = of32(a);
        from_fn(|i| byte_at(units[i / 4], from[i % 4]))
    }
    fn eq32(self, a: Block, b: Block) -> [Term; 16] {
        compare(0, of32(a), of32(b))
    }
    fn ge32(self, a: Block, b: Block) -> [Term; 16] {
        compare(1, of32(a), of32(b))
    }
    fn mask32(self, bits: u32) -> [Term; 16] {
        from_fn(|i| Term::truth(bits >> i & 1 == 1))
    }
    fn bits32(self, _: [Term; 16]) -> u32 {
        unimplemented!("no proof is about bitmaps of 32-bit lanes")
    }
    fn select32(self, mask: [Term; 16], yes: Block, no: Block) -> Block {
        choose(&mask, 4, yes, no)
    }
    fn keep32(self, mask: [Term; 16], a: Block) -> Block {
        choose(&mask, 4, a, [Term::u8(0); 64])
    }
    fn by_utf8_len(self, a: Block, by_len: [u32; 4]) -> Block {
        let entries = by_len.map(|entry| changed("constant", 32, entry.into()));
        from32(of32(a).map(|unit| {
            let upper = unit.at_least(0x1_0000).choose(entries[3], entries[2]);
            let lower = unit.at_least(0x80).choose(entries[1], entries[0]);
            let known = unit.at_least(0x800).choose(upper, lower);
            let unknown = (0..3).fold(unspecified(), |all, _| all.above(unspecified()));
            unit.extract(31, 1).is(1).choose(unknown, known)
        }))
    }

    fn zip8(self, low: Block, high: Block) -> [Block; 2] {
        let at = |i: usize| if i.is_multiple_of(2) { low[i / 2] } else { high[i / 2] };
        [from_fn(at), from_fn(|i| at(64 + i))]
    }
    fn zip16(self, low: Block, high: Block) -> [Block; 2] {
        let at = |i: usize| if i % 4 < 2 { low } else { high }[i / 4 * 2 + i % 2];
        [from_fn(at), from_fn(|i| at(64 + i))]
    }
    fn order_for_zip(self, a: Block) -> Block {
        // Any order would do; this one reverses the groups of eight bytes.
        from_fn(|i| a[(7 - i / 8) * 8 + i % 8])
    }
    fn zip8_ordered(self, low: Block, high: Block) -> [Block; 2] {
        // Applied twice, the order is the original one.
        self.zip8(self.order_for_zip(low), self.order_for_zip(high))
    }
    fn zip16_ordered(self, low: Block, high: Block) -> [Block; 2] {
        self.zip16(self.order_for_zip(low), self.order_for_zip(high))
    }
    fn order_for_zip4(self, a: Block) -> Block {
        self.order_for_zip(a)
    }
    fn zip4_ordered(self, planes: [Block; 4]) -> [Block; 4] {
        let planes = planes.map(|plane| self.order_for_zip(plane));
        from_fn(|i| from_fn(|j| planes[j % 4][16 * i + j / 4]))
    }
    fn widen8(self, a: Block) -> [Block; 2] {
        self.zip8(a, [Term::u8(0); 64])
    }
    fn widen16(self, a: Block) -> [Block; 2] {
        self.zip16(a, [Term::u8(0); 64])
    }
    fn narrow16(self, a: Block, b: Block) -> Block {
        // Lanes of more than a byte are against the contract: nothing is known of their results.
        let (a, b) = (of16(a), of16(b));
        from_fn(|i| {
            let unit = if i < 32 { a[i] } else { b[i - 32] };
            unit.extract(8, 8).is(0).choose(unit.extract(0, 8), unspecified())
        })
    }
    fn narrow32(self, a: Block, b: Block) -> Block {
        let (a, b) = (of32(a), of32(b));
        from16(from_fn(|i| {
            let unit = if i < 16 { a[i] } else { b[i - 16] };
            let unknown = unspecified().above(unspecified());
            unit.extract(16, 16).is(0).choose(unit.extract(0, 16), unknown)
        }))
    }

    fn pack8(self, a: Block, keep: Map<64>, _: &mut [Slot; 64]) -> usize {
        pack(a.iter().map(|byte| vec![*byte]).collect(), keep.0.to_vec())
    }
    fn pack16(self, low: Block, high: Block, keep: Map<64>, _: &mut [Slot; 128]) -> usize {
        pack((0..64).map(|i| vec![low[i], high[i]]).collect(), keep.0.to_vec())
    }
    fn pack32<const SWAP: bool>(
        self,
        low: Block,
        high: Block,
        top: Block,
        keep: Map<64>,
        _: &mut [Slot; 256],
    ) -> usize {
        let unit = |i: usize| {
            let mut unit = vec![low[i], high[i], top[i], Term::u8(0)];
            if SWAP {
                unit.reverse();
            }
            unit
        };
        pack((0..64).map(unit).collect(), keep.0.to_vec())
    }
    fn pack16_as_32<const SWAP: bool>(
        self,
        low: Block,
        high: Block,
        keep: Map<64>,
        dst: &mut [Slot; 256],
    ) -> usize {
        self.pack32::<SWAP>(low, high, [Term::u8(0); 64], keep, dst)
    }
    fn pack_lanes32(self, _: Block, _: u32, _: &mut [Slot; 64]) -> usize {
        unimplemented!("no proof is about bitmaps of 32-bit lanes")
    }
    fn pack_pairs(self, a: Block, _: &mut [Slot; 64]) -> usize {
        let keep = (0..64).map(|i| if i % 2 == 0 { Term::truth(true) } else { a[i].is(0).not() });
        pack(a.iter().map(|byte| vec![*byte]).collect(), keep.collect())
    }
    fn pack_quads(self, a: Block, _: &mut [Slot; 64]) -> usize {
        let keep = (0..64).map(|i| if i % 4 == 3 { Term::truth(true) } else { a[i].is(0).not() });
        pack(a.iter().map(|byte| vec![*byte]).collect(), keep.collect())
    }
    fn pack_halves(self, a: Block, _: &mut [Slot; 64]) -> usize {
        let units = of16(a);
        let keep = (0..32).map(|i| if i % 2 == 0 { Term::truth(true) } else { units[i].is(0).not() });
        pack((0..32).map(|i| vec![a[2 * i], a[2 * i + 1]]).collect(), keep.collect())
    }
}
