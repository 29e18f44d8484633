//! Compares each operation of each level that this machine supports with the model, on random bytes
//! and on boundary values.

use super::model::Model;
#[cfg(target_arch = "x86_64")]
use super::{Avx2, Avx512, Compress};
use super::{Shuffle, ShuffleOps, Simd, SimdOps, Slot, lagging};
use core::fmt::Debug;

/// Number of times that each operation is compared.
const ROUNDS: usize = if cfg!(miri) { 2 } else { 400 };

/// Compares all operations of a level. Each part is a function of its own that enables the features
/// of the level: one function with everything takes the compiler minutes.
macro_rules! check {
    ($simd:expr $(, $features:meta)?) => {
        check! { @parts $simd $(, $features)?; check_bytes check_moves check_masks check_lanes16 check_lanes32 check_widths check_packing }
    };
    (@parts $simd:expr, $features:meta; $($part:ident)*) => {
        #[$features]
        #[inline(never)]
        fn partial() {
            check_partial($simd);
        }
        partial();
        let mut random = Random(0x1234_5678_9ABC_DEF1);
        for _ in 0..ROUNDS {
            $({
                #[$features]
                #[inline(never)]
                fn part(random: &mut Random) {
                    $part($simd, random);
                }
                part(&mut random);
            })*
        }
    };
    // An attribute that changes nothing.
    (@parts $simd:expr; $($part:ident)*) => { check! { @parts $simd, cfg(test); $($part)* } };
}

#[cfg(target_arch = "x86_64")]
#[test]
fn avx512_agrees_with_the_model() {
    #[target_feature(
        enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni,avx2,bmi1,bmi2,lzcnt,popcnt"
    )]
    fn run() {
        check!(
            Avx512::new(),
            target_feature(
                enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,avx512bitalg,avx512vpopcntdq,gfni,avx2,bmi1,bmi2,lzcnt,popcnt"
            )
        );
        check_in_registers(Avx512::new());
    }
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vbmi2")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512bitalg")
        && is_x86_feature_detected!("avx512vpopcntdq")
        && is_x86_feature_detected!("gfni")
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: all features of `run` were detected by the condition.
        unsafe { run() }
    }
}

#[cfg(target_arch = "x86_64")]
#[test]
fn avx2_agrees_with_the_model() {
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn run() {
        check!(Avx2::new(), target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt"));
    }
    if is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
    {
        // SAFETY: all features of `run` were detected by the condition.
        unsafe { run() }
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"))]
#[test]
fn neon_agrees_with_the_model() {
    #[target_feature(enable = "neon")]
    fn run() {
        check!(super::Neon::new(), target_feature(enable = "neon"));
    }
    // SAFETY: this is compiled only where the target has NEON, the one feature of `run`.
    unsafe { run() }
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[test]
fn simd128_agrees_with_the_model() {
    check!(super::Simd128::new());
}

/// Checks the checks: the model must pass the tests of the levels.
#[test]
fn the_model_passes_its_own_tests() {
    check!(Model);
}

/// Pseudorandom numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[(self.bits() >> 33) as usize % all.len()]
    }

    /// A bitmap with arbitrary, few, many, no, or all bits set.
    fn bitmap(&mut self) -> u64 {
        let (a, b, c) = (self.bits(), self.bits(), self.bits());
        self.one_of(&[a, a & b & c, a | b | c, 0, u64::MAX, 1, 1 << 63, a & 0xFF, a << 56, a | 0xFFFF_FFFF])
    }

    /// A block of one of several kinds: arbitrary bytes, or bytes, 16-bit lanes or 32-bit lanes
    /// that are often boundary values.
    fn block(&mut self) -> [u8; 64] {
        let mut block = [0; 64];
        match self.bits() >> 60 {
            0..4 => block.fill_with(|| self.bits() as u8),
            4..8 => block.fill_with(|| {
                let any = self.bits() as u8;
                self.one_of(&[0x00, 0x00, 0x01, 0x0F, 0x7E, 0x7F, 0x80, 0x81, 0xBF, 0xC0, 0xFE, 0xFF, any])
            }),
            8..11 => {
                for lane in block.as_chunks_mut().0 {
                    let any = self.bits() as u16;
                    *lane = self
                        .one_of(&[
                            0x0000,
                            0x0001,
                            0x007F,
                            0x0080,
                            0x00FF,
                            0x0100,
                            0x07FF,
                            0x0800,
                            0x7FFF,
                            0x8000,
                            0x8001,
                            0xD7FF,
                            0xD800,
                            0xDFFF,
                            0xE000,
                            0xFF00,
                            0xFFFE,
                            0xFFFF,
                            any,
                            any,
                            any >> 8,
                            any & 0xFF00,
                        ])
                        .to_le_bytes();
                }
            }
            11..15 => {
                for lane in block.as_chunks_mut().0 {
                    let any = self.bits() as u32;
                    *lane = self
                        .one_of(&[
                            0,
                            1,
                            0x7F,
                            0x80,
                            0x7FF,
                            0x800,
                            0x7FFF,
                            0x8000,
                            0xFFFF,
                            0x1_0000,
                            0x10_FFFF,
                            0x11_0000,
                            0x7FFF_FFFF,
                            0x8000_0000,
                            0x8000_007F,
                            0xFFFF_0000,
                            0xFFFF_FFFF,
                            any,
                            any >> 8,
                            any >> 16,
                            any & 0xFF00_FF00,
                            any & 0xFFFF_0000,
                            any & 0xFFFF_FF00,
                        ])
                        .to_le_bytes();
                }
            }
            _ => block.fill(self.bits() as u8),
        }
        block
    }

    /// A block whose bits are cleared where `mask`, which repeats, has zeros.
    fn masked(&mut self, mask: &[u8]) -> [u8; 64] {
        masked(self.block(), mask)
    }
}

fn masked(mut block: [u8; 64], mask: &[u8]) -> [u8; 64] {
    block.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, mask)| *byte &= mask);
    block
}

/// Makes 32-bit lanes that end with a UTF-8 sequence after zeros; the lane of `lengths` chooses its
/// length.
fn sequences(bits: [u8; 64], lengths: &[u8; 64]) -> [u8; 64] {
    core::array::from_fn(|i| {
        let len = 1 + lengths[i & !3..][..3].iter().filter(|&&byte| byte != 0).count();
        match (i % 4 + len, len) {
            (..4, _) => 0,
            (4, 1) => bits[i] & 0x7F,
            (4, 2) => 0xC0 | bits[i] & 0x1F,
            (4, 3) => 0xE0 | bits[i] & 0x0F,
            (4, _) => 0xF0 | bits[i] & 0x07,
            _ => 0x80 | bits[i] & 0x3F,
        }
    })
}

/// Asserts that the result of a level equals the result of the model.
#[track_caller]
fn same<T: PartialEq + Debug>(name: &str, made: &T, meant: &T, inputs: &dyn Debug) {
    assert!(made == meant, "{name}\n  made {made:02X?}\n meant {meant:02X?}\n of {inputs:02X?}");
}

/// Copies a slice to an allocation of exactly its size, so that memory checkers see reads past its
/// end.
fn boxed<T: Clone>(all: &[T]) -> Box<[T]> {
    all.to_vec().into_boxed_slice()
}

/// The bytes of a block.
#[inline(always)]
fn stored<S: Simd>(simd: S, block: S::Block) -> [u8; 64] {
    let mut bytes = Box::new([0xA5; 64]);
    simd.store(block, Slot::of_array(&mut bytes));
    *bytes
}

/// Compares operations on blocks. In `name(a: from) -> To`, each argument is loaded by the rule
/// `from`, and the result is made comparable by the rule `To`.
macro_rules! compare {
    ($simd:ident, $($name:ident $(::<$($n:literal),+>)? ($($a:ident: $from:ident),*) -> $to:ident;)+) => {$(
        let made = $simd.$name $(::<$($n),+>)? ($(compare!(@$from $simd, $a)),*);
        let meant = Model.$name $(::<$($n),+>)? ($(compare!(@$from Model, $a)),*);
        let call = concat!(stringify!($name $(::<$($n),+>)?), stringify!(($($a),*)));
        same(call, &compare!(@$to $simd, made), &compare!(@$to Model, meant), &($($a,)*));
    )+};
    // How an argument is loaded for a level.
    (@block $simd:ident, $a:ident) => { $simd.load(&$a) };
    (@mask $simd:ident, $a:ident) => { $simd.mask($a) };
    (@mask16 $simd:ident, $a:ident) => { $simd.mask16($a) };
    (@mask32 $simd:ident, $a:ident) => { $simd.mask32($a) };
    (@plain $simd:ident, $a:ident) => { $a };
    (@low $simd:ident, $a:ident) => { $simd.low_table(&$a) };
    (@high $simd:ident, $a:ident) => { $simd.high_table(&$a) };
    (@table64 $simd:ident, $a:ident) => { $simd.table64(&$a) };
    (@table128 $simd:ident, $a:ident) => { $simd.table128(&$a) };
    (@block64 $simd:ident, $a:ident) => { $simd.table64_of($simd.load(&$a)) };
    // How a result is made comparable.
    (@Block $simd:ident, $a:ident) => { stored($simd, $a) };
    (@Blocks $simd:ident, $a:ident) => { [stored($simd, $a[0]), stored($simd, $a[1])] };
    (@Mask $simd:ident, $a:ident) => { $simd.bits($a) };
    (@Mask16 $simd:ident, $a:ident) => { $simd.bits16($a) };
    (@Mask32 $simd:ident, $a:ident) => { $simd.bits32($a) };
    (@Plain $simd:ident, $a:ident) => { $a };
}

/// Compares operations that pack lanes. `unit` is the number of bytes per returned count.
macro_rules! compare_packing {
    ($simd:ident, $($name:ident $(::<$n:literal>)? ($($a:ident: $from:ident),*), $size:literal, $unit:literal;)+) => {$(
        let (mut made, mut meant) = (Box::new([0x5A; $size]), Box::new([0xC3; $size]));
        let made_len = $simd.$name $(::<$n>)? ($(compare!(@$from $simd, $a),)* Slot::of_array(&mut *made));
        let meant_len = Model.$name $(::<$n>)? ($(compare!(@$from Model, $a),)* Slot::of_array(&mut *meant));
        let call = concat!(stringify!($name $(::<$n>)?), stringify!(($($a),*)));
        same(call, &made_len, &meant_len, &($($a,)*));
        same(call, &&made[..made_len * $unit], &&meant[..made_len * $unit], &($($a,)*));
    )+};
}

#[inline(always)]
fn check_partial<S: Simd>(simd: S) {
    let mut random = Random(0xFEDC_BA98_7654_3211);
    for len in 0..=80 {
        let mut src = boxed(&[0; 80][..len]);
        src.fill_with(|| random.bits() as u8);
        let made = simd.load_partial(&src);
        same("load_partial", &stored(simd, made), &Model.load_partial(&src), &src);
        if len <= 64 {
            let sorted = |block: [u8; 64]| {
                let mut pairs = block.as_chunks::<2>().0.to_vec();
                pairs.sort_unstable();
                pairs
            };
            // An odd last byte would be paired with an unspecified zero.
            let even = &src[..len & !1];
            let made = simd.load_anywhere(even);
            same("load_anywhere", &sorted(stored(simd, made)), &sorted(Model.load_partial(even)), &src);
            let made =
                stored(simd, simd.load_anywhere(&src)).iter().map(|&byte| u32::from(byte)).sum::<u32>();
            same("load_anywhere", &made, &src.iter().map(|&byte| u32::from(byte)).sum(), &src);
        }

        let block = random.block();
        let (mut made, mut meant) = (boxed(&[0xA5; 80][..len]), boxed(&[0xA5; 80][..len]));
        simd.store_partial(simd.load(&block), Slot::of(&mut made));
        Model.store_partial(block, Slot::of(&mut meant));
        same("store_partial", &made, &meant, &(block, len));
    }
}

#[inline(always)]
fn check_bytes<S: Simd>(simd: S, random: &mut Random) {
    let (a, b) = (random.block(), random.block());
    let byte = random.bits() as u8;
    same("load, store", &stored(simd, simd.load(&a)), &a, &a);
    compare! { simd,
        splat(byte: plain) -> Block;
        and(a: block, b: block) -> Block;
        or(a: block, b: block) -> Block;
        xor(a: block, b: block) -> Block;
        and_not(a: block, b: block) -> Block;
        add(a: block, b: block) -> Block;
        sub(a: block, b: block) -> Block;
        saturating_sub(a: block, b: block) -> Block;
        max(a: block, b: block) -> Block;
        min(a: block, b: block) -> Block;
        first_half(a: block) -> Block;
        sum(a: block) -> Plain;
        any_high_bit(a: block) -> Plain;
        any_bit(a: block) -> Plain;
        any_from::<0xE0>(a: block) -> Plain;
        after_zeros::<0>(a: block) -> Block;
        after_zeros::<1>(a: block) -> Block;
        after_zeros::<2>(a: block) -> Block;
        after_zeros::<3>(a: block) -> Block;
    }
    // A single bit is easily overlooked.
    let mut a = [0; 64];
    compare! { simd, any_bit(a: block) -> Plain; any_high_bit(a: block) -> Plain; sum(a: block) -> Plain; }
    a[(random.bits() >> 58) as usize] = 1 << (random.bits() >> 61);
    compare! { simd, any_bit(a: block) -> Plain; any_high_bit(a: block) -> Plain; sum(a: block) -> Plain; }
    let mut a = [0x7F; 64];
    a[(random.bits() >> 58) as usize] = (random.bits() >> 56) as u8;
    compare! { simd, any_from::<0x80>(a: block) -> Plain; any_from::<0xE0>(a: block) -> Plain; }
    let mut four = [0x7F; 256];
    assert!(simd.are_ascii(&four));
    for at in 0..256 {
        four[at] = 0x80;
        assert!(!simd.are_ascii(&four), "byte {at}");
        four[at] = byte & 0x7F;
    }
    assert!(simd.are_ascii(&four));
    if let (&[low, _], &[_, high]) = (a.as_chunks().0, b.as_chunks().0) {
        let block: [u8; 64] = core::array::from_fn(|i| if i < 32 { a[i] } else { b[i] });
        same("load_halves", &stored(simd, simd.load_halves([&low, &high])), &block, &(a, b));
    }
    let (mut blocks, mut halves) = ([0x7F; 1024], 0);
    assert_eq!(simd.high_halves(&blocks), 0);
    for _ in 0..10 {
        let at = (random.bits() >> 54) as usize;
        blocks[at] = byte | 0x80;
        halves |= 1 << (at / 32);
        same("high_halves", &simd.high_halves(&blocks), &halves, &at);
    }
    let mut window = Box::new([0; 67]);
    window[3..].copy_from_slice(&b);
    same("lagging", lagging::<0>(&window), &b, &window);
    same("lagging", lagging::<3>(&window), &Model.after_zeros::<3>(b), &window);
}

#[inline(always)]
fn check_moves<S: Shuffle>(simd: S, random: &mut Random) {
    let a = random.block();
    compare! { simd,
        move_bits::<0, 8, 0>(a: block) -> Block;
        move_bits::<0, 6, 0>(a: block) -> Block;
        move_bits::<0, 2, 6>(a: block) -> Block;
        move_bits::<0, 1, 7>(a: block) -> Block;
        move_bits::<7, 1, 0>(a: block) -> Block;
        move_bits::<4, 4, 0>(a: block) -> Block;
        move_bits::<0, 4, 4>(a: block) -> Block;
        move_bits::<2, 4, 0>(a: block) -> Block;
        move_bits::<2, 3, 4>(a: block) -> Block;
        move_bits::<4, 2, 1>(a: block) -> Block;
        move_bits::<3, 5, 3>(a: block) -> Block;
        move_bits_and_set::<6, 2, 0, 0xC0>(a: block) -> Block;
        move_bits_and_set::<0, 6, 0, 0x80>(a: block) -> Block;
    }
    let low: [u8; 16] = *random.block().first_chunk().expect("it has 64");
    let high = low;
    compare! { simd,
        lookup_low(low: low, a: block) -> Block;
        lookup_high(high: high, a: block) -> Block;
    }
    let table64 = random.block();
    let mut table128 = [0; 128];
    table128.fill_with(|| random.bits() as u8);
    compare! { simd,
        lookup64(table64: table64, a: block) -> Block;
        lookup128(table128: table128, a: block) -> Block;
        lookup64(table64: block64, a: block) -> Block;
    }
}

#[inline(always)]
fn check_masks<S: Simd>(simd: S, random: &mut Random) {
    let (a, b) = (random.block(), random.block());
    let (m, n) = (random.bitmap(), random.bitmap());
    same("mask, bits", &simd.bits(simd.mask(m)), &m, &m);
    compare! { simd,
        eq(a: block, b: block) -> Mask;
        eq(a: block, a: block) -> Mask;
        ge(a: block, b: block) -> Mask;
        ge(a: block, a: block) -> Mask;
        high_bit(a: block) -> Mask;
        both(m: mask, n: mask) -> Mask;
        either(m: mask, n: mask) -> Mask;
        not(m: mask) -> Mask;
        any(m: mask) -> Plain;
        select(m: mask, a: block, b: block) -> Block;
        keep(m: mask, a: block) -> Block;
        add_one(a: block, m: mask) -> Block;
    }
    let one = 1u64 << (random.bits() >> 58);
    compare! { simd, any(one: mask) -> Plain; }
    let few = simd.keep(simd.mask(one.rotate_left(9) | one), simd.load(&a));
    same("high_eighths", &simd.high_eighths(few), &Model.high_eighths(Model.load(&stored(simd, few))), &a);
    compare! { simd, high_eighths(a: block) -> Plain; }
    // Masks from comparisons, not only from bitmaps.
    let (high, ge, eq) = (
        simd.high_bit(simd.load(&a)),
        simd.ge(simd.load(&a), simd.load(&b)),
        simd.eq(simd.load(&a), simd.load(&b)),
    );
    let made = simd.select(
        simd.either(high, simd.not(ge)),
        simd.load(&b),
        simd.keep(simd.not(simd.both(high, ge)), simd.load(&a)),
    );
    let made = simd.add_one(simd.add_one(simd.add_one(made, eq), high), ge);
    let (high, ge, eq) = (Model.high_bit(a), Model.ge(a, b), Model.eq(a, b));
    let meant =
        Model.select(Model.either(high, Model.not(ge)), b, Model.keep(Model.not(Model.both(high, ge)), a));
    let meant = Model.add_one(Model.add_one(Model.add_one(meant, eq), high), ge);
    same("select, keep and add_one by comparisons", &stored(simd, made), &meant, &(a, b));
}

#[inline(always)]
fn check_lanes16<S: Shuffle>(simd: S, random: &mut Random) {
    let (a, b) = (random.block(), random.block());
    let (unit, m) = (random.bits() as u16, random.bitmap() as u32);
    same("mask16, bits16", &simd.bits16(simd.mask16(m)), &m, &m);
    compare! { simd,
        splat16(unit: plain) -> Block;
        swap16(a: block) -> Block;
        add16(a: block, b: block) -> Block;
        sub16(a: block, b: block) -> Block;
        shl16::<0>(a: block) -> Block;
        shl16::<1>(a: block) -> Block;
        shl16::<8>(a: block) -> Block;
        shl16::<15>(a: block) -> Block;
        shr16::<0>(a: block) -> Block;
        shr16::<6>(a: block) -> Block;
        shr16::<11>(a: block) -> Block;
        shr16::<15>(a: block) -> Block;
        eq16(a: block, b: block) -> Mask16;
        eq16(a: block, a: block) -> Mask16;
        ge16(a: block, b: block) -> Mask16;
        ge16(a: block, a: block) -> Mask16;
        max16(a: block, b: block) -> Block;
        select16(m: mask16, a: block, b: block) -> Block;
        keep16(m: mask16, a: block) -> Block;
    }
    macro_rules! bytes16 {
        ($($first:literal, $second:literal;)+) => {$(
            let defined: [u8; 2] = [$first, $second].map(|from: u32| 0xFFFF_u32.checked_shr(from).unwrap_or(0) as u8);
            let made = simd.bytes16::<$first, $second>(simd.load(&a));
            let meant = Model.bytes16::<$first, $second>(a);
            let name = concat!("bytes16::<", $first, ", ", $second, ">");
            same(name, &masked(stored(simd, made), &defined), &masked(meant, &defined), &a);
        )+};
    }
    bytes16! { 0, 8; 8, 0; 0, 0; 6, 0; 0, 6; 12, 6; 12, 0; 8, 8; 10, 4; 15, 15; 3, 9; }
}

#[inline(always)]
fn check_lanes32<S: Shuffle>(simd: S, random: &mut Random) {
    let (a, b) = (random.block(), random.block());
    let (unit, m) = (random.bits() as u32, random.bitmap() as u32);
    same("mask32, bits32", &simd.bits32(simd.mask32(m)), &(m & 0xFFFF), &m);
    let by_len = [random.bits() as u32, random.bits() as u32, random.bits() as u32, random.bits() as u32];
    compare! { simd,
        splat32(unit: plain) -> Block;
        swap32(a: block) -> Block;
        add32(a: block, b: block) -> Block;
        sub32(a: block, b: block) -> Block;
        max32(a: block, b: block) -> Block;
        min32(a: block, b: block) -> Block;
        shl32::<0>(a: block) -> Block;
        shl32::<1>(a: block) -> Block;
        shl32::<16>(a: block) -> Block;
        shl32::<31>(a: block) -> Block;
        shr32::<0>(a: block) -> Block;
        shr32::<6>(a: block) -> Block;
        shr32::<18>(a: block) -> Block;
        shr32::<31>(a: block) -> Block;
        eq32(a: block, b: block) -> Mask32;
        eq32(a: block, a: block) -> Mask32;
        ge32(a: block, b: block) -> Mask32;
        ge32(a: block, a: block) -> Mask32;
        select32(m: mask32, a: block, b: block) -> Block;
        keep32(m: mask32, a: block) -> Block;
    }
    let code_points = masked(a, &[0xFF, 0xFF, 0xFF, 0x7F]);
    compare! { simd, by_utf8_len(code_points: block, by_len: plain) -> Block; }
    // Numbers of every bit length, and the neighbors of each power of two.
    let mut blocks = [[0; 64]; 4];
    for lane in blocks.as_flattened_mut().as_chunks_mut().0 {
        let power = 1_u64 << (random.bits() % 33);
        let unit = match random.bits() % 3 {
            0 => power - 1,
            1 => power,
            _ => random.bits() & (power - 1),
        };
        *lane = (unit as u32).to_le_bytes();
    }
    let sorted = |block: [u8; 64]| {
        let mut bytes = block;
        bytes.sort_unstable();
        bytes
    };
    let made = simd.short_of_four(blocks.map(|block| simd.load(&block)));
    same("short_of_four", &sorted(stored(simd, made)), &sorted(Model.short_of_four(blocks)), &blocks);
    macro_rules! bytes32 {
        ($($first:literal, $second:literal, $third:literal, $fourth:literal;)+) => {$(
            let defined: [u8; 4] = [$first, $second, $third, $fourth].map(|from: u32| (u32::MAX >> from) as u8);
            let made = simd.bytes32::<$first, $second, $third, $fourth>(simd.load(&a));
            let meant = Model.bytes32::<$first, $second, $third, $fourth>(a);
            let name = concat!("bytes32::<", $first, ", ", $second, ", ", $third, ", ", $fourth, ">");
            same(name, &masked(stored(simd, made), &defined), &masked(meant, &defined), &a);
        )+};
    }
    bytes32! {
        0, 8, 16, 24; 24, 16, 8, 0; 18, 12, 6, 0; 0, 6, 12, 18; 0, 0, 0, 0; 31, 31, 31, 31; 12, 6, 0, 26; 8, 0, 24, 16;
    }
}

#[inline(always)]
fn check_widths<S: Shuffle>(simd: S, random: &mut Random) {
    let (a, b) = (random.block(), random.block());
    compare! { simd,
        zip8(a: block, b: block) -> Blocks;
        zip16(a: block, b: block) -> Blocks;
        widen8(a: block) -> Blocks;
        widen16(a: block) -> Blocks;
    }
    for (i, made) in simd.load8_as_32(&a).into_iter().enumerate() {
        let meant: [u8; 64] = core::array::from_fn(|j| if j % 4 == 0 { a[16 * i + j / 4] } else { 0 });
        same("load8_as_32", &stored(simd, made), &meant, &a);
    }
    let (low, high) = (simd.order_for_zip(simd.load(&a)), simd.order_for_zip(simd.load(&b)));
    let made = simd.zip8_ordered(low, high);
    same("zip8_ordered", &compare!(@Blocks simd, made), &Model.zip8(a, b), &(a, b));
    let planes = [a, b, random.block(), random.block()];
    let mut ordered = [low; 4];
    for (to, from) in ordered.iter_mut().zip(&planes) {
        *to = simd.order_for_zip4(simd.load(from));
    }
    for (i, made) in simd.zip4_ordered(ordered).into_iter().enumerate() {
        let meant: [u8; 64] = core::array::from_fn(|j| planes[j % 4][16 * i + j / 4]);
        same("zip4_ordered", &stored(simd, made), &meant, &planes);
    }
    let made = simd.zip16_ordered(low, high);
    same("zip16_ordered", &compare!(@Blocks simd, made), &Model.zip16(a, b), &(a, b));
    let (a, b) = (random.masked(&[0xFF, 0]), random.masked(&[0xFF, 0]));
    compare! { simd, narrow16(a: block, b: block) -> Block; }
    let (a, b) = (random.masked(&[0xFF, 0xFF, 0, 0]), random.masked(&[0xFF, 0xFF, 0, 0]));
    compare! { simd, narrow32(a: block, b: block) -> Block; }
    let blocks: [[u8; 64]; 4] = core::array::from_fn(|_| random.masked(&[0xFF, 0, 0, 0]));
    let made = simd.narrow32_to_8(blocks.map(|block| simd.load(&block)));
    same("narrow32_to_8", &stored(simd, made), &Model.narrow32_to_8(blocks), &blocks);
}

#[inline(always)]
fn check_packing<S: Shuffle>(simd: S, random: &mut Random) {
    let (low, high, top, keep) = (random.block(), random.block(), random.block(), random.bitmap());
    // Bytes that packing may drop should often be zero.
    let mask = random.block();
    let mask = mask.map(|byte| if byte & 1 == 0 { 0 } else { 0xFF });
    let a = masked(low, &mask);
    let c = random.block();
    let quads = sequences(low, &mask);
    let trios = masked(quads, &[0, 0xFF, 0xFF, 0xFF]);
    let few = keep as u32;
    let threes = masked(low.map(|byte| byte | 1), &[0, 0xFF, 0xFF, 0xFF]);
    let seconds = (0..32).map(|i| u32::from(a[2 * i + 1] != 0) << i).sum::<u32>();
    compare_packing! { simd,
        pack8(low: block, keep: plain), 64, 1;
        pack16(low: block, high: block, keep: plain), 128, 2;
        pack32::<false>(low: block, high: block, top: block, keep: plain), 256, 4;
        pack32::<true>(low: block, high: block, top: block, keep: plain), 256, 4;
        pack16_as_32::<false>(low: block, high: block, keep: plain), 256, 4;
        pack16_as_32::<true>(low: block, high: block, keep: plain), 256, 4;
        pack_lanes32(low: block, few: plain), 64, 4;
        pack_pairs(a: block), 64, 1;
        pack_pairs(c: block), 64, 1;
        pack_pairs_known(a: block, seconds: plain), 64, 1;
        pack_trios(trios: block), 64, 1;
        pack_threes(threes: block), 64, 1;
        pack_quads(quads: block), 64, 1;
        pack_quads(trios: block), 64, 1;
        pack_halves(a: block), 64, 2;
        pack_halves(c: block), 64, 2;
    }
    // Code units of every length in UTF-8, and often of only one length.
    let units = masked(low, &[0xFF, random.one_of(&[0, 7, 0x7F, 0xFF])]);
    let units: [u8; 64] =
        core::array::from_fn(
            |i| if keep >> (i / 8) & 1 == 0 { units[i] & [0x7F, 0][i % 2] } else { units[i] },
        );
    let (mut made, mut meant) = ([0x5A; 128], [0xC3; 128]);
    let made_len = simd.pack_as_utf8(simd.load(&units), Slot::of_array(&mut made));
    let meant_len = Model.pack_as_utf8(units, Slot::of_array(&mut meant));
    same("pack_as_utf8", &made_len, &meant_len, &units);
    let len = meant_len.unwrap_or_default();
    same("pack_as_utf8", &&made[..len], &&meant[..len], &units);
}

/// Compares the operations of [`Compress`], which only one level has.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn check_in_registers<S: Compress>(simd: S) {
    let mut random = Random(0x0123_4567_89AB_CDEF);
    for _ in 0..ROUNDS {
        let (a, b, keep, bits) = (random.block(), random.block(), random.bitmap(), random.bitmap());
        compare! { simd,
            after::<1>(a: block, b: block) -> Block;
            after::<2>(a: block, b: block) -> Block;
            after::<3>(a: block, b: block) -> Block;
            compress8(a: block, keep: plain) -> Block;
            compress_bits(bits: plain, keep: plain) -> Plain;
        }
    }
}
