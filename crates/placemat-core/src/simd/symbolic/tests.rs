//! Compares symbolic vectors with the model.

use super::super::layer::Bitmap;
use super::super::model::Model;
use super::*;

/// The results of the operations on bytes and lanes; masks are shown by what they select.
fn results<S: ShuffleOps>(simd: S, a: &[u8; 64], b: &[u8; 64]) -> Vec<S::Block> {
    let (a, b) = (simd.load(a), simd.load(b));
    let low = simd.low_table(&from_fn(|i| 7 * i as u8));
    let high = simd.high_table(&from_fn(|i| 255 - 3 * i as u8));
    let table = simd.table64(&from_fn(|i| 5u8.wrapping_mul(i as u8)));
    let table128 = simd.table128(&from_fn(|i| 9u8.wrapping_mul(i as u8)));
    let masks =
        [simd.eq(a, b), simd.ge(a, b), simd.high_bit(a), simd.mask(S::Bits::of(0x1234_5678_9ABC_DEF0))];
    let bits =
        simd.bits(masks[1]) & !simd.bits(masks[2]) << 3 | simd.bits(masks[3]) >> 5 ^ simd.bits(masks[0]);
    let masks16 = [simd.eq16(a, b), simd.ge16(a, b), simd.mask16(S::Bits16::of(0x1357_9BDF))];
    let mut all = vec![
        simd.splat(0x5A),
        simd.and(a, b),
        simd.or(a, b),
        simd.xor(a, b),
        simd.and_not(a, b),
        simd.add(a, b),
        simd.sub(a, b),
        simd.saturating_sub(a, b),
        simd.max(a, b),
        simd.min(a, b),
        simd.move_bits::<2, 4, 0>(a),
        simd.move_bits::<0, 3, 5>(a),
        simd.after::<1>(a, b),
        simd.after::<3>(a, b),
        simd.lookup_low(low, a),
        simd.lookup_high(high, a),
        simd.lookup64(table, a),
        simd.lookup128(table128, a),
        simd.splat16(0x1234),
        simd.swap16(a),
        simd.add16(a, b),
        simd.sub16(a, b),
        simd.max16(a, b),
        simd.shl16::<5>(a),
        simd.shr16::<3>(a),
        simd.bytes16::<6, 0>(a),
        simd.splat32(0x1234_5678),
        simd.swap32(a),
        simd.add32(a, b),
        simd.sub32(a, b),
        simd.max32(a, b),
        simd.min32(a, b),
        simd.shl32::<7>(a),
        simd.shr32::<9>(a),
        simd.bytes32::<18, 12, 6, 0>(a),
        simd.select32(simd.eq32(a, b), a, b),
        simd.select32(simd.ge32(a, b), b, a),
        simd.add_one(a, masks[1]),
        simd.keep(simd.mask(bits), a),
        simd.keep(simd.either(masks[0], simd.not(simd.both(masks[1], masks[2]))), b),
        simd.keep16(simd.mask16(simd.bits16(masks16[1]) << 1), a),
        simd.narrow16(simd.shr16::<8>(a), simd.shr16::<8>(b)),
        simd.narrow32(simd.shr32::<16>(a), simd.shr32::<16>(b)),
        simd.by_utf8_len(simd.shr32::<9>(a), [1, 2, 3, 4]),
    ];
    all.extend(masks.map(|mask| simd.select(mask, a, b)));
    all.extend(masks16.map(|mask| simd.select16(mask, a, b)));
    all.extend(simd.zip8(a, b));
    all.extend(simd.zip16(a, b));
    all.extend(simd.widen8(a));
    all.extend(simd.widen16(a));
    let ordered = [simd.order_for_zip(a), simd.order_for_zip(b)];
    all.extend(simd.zip8_ordered(ordered[0], ordered[1]));
    all.extend(simd.zip16_ordered(ordered[0], ordered[1]));
    all.extend(simd.zip4_ordered([a, b, a, b].map(|plane| simd.order_for_zip4(plane))));
    all
}

fn random(state: &mut u64) -> [u8; 64] {
    from_fn(|_| {
        *state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (*state >> 56) as u8
    })
}

#[test]
fn symbolic_vectors_agree_with_the_model() {
    let mut state = 1;
    for round in 0..50 {
        let (a, mut b) = (random(&mut state), random(&mut state));
        if round % 2 == 0 {
            // Some lanes of any width are equal.
            b[16..32].copy_from_slice(&a[16..32]);
        }
        let text = a.iter().chain(&b).enumerate().map(|(i, _)| Term::byte(i as i32)).collect();
        let symbolic = with_text(text, |src| {
            let (a, b) = src.split_at(64);
            let [a, b] = [a, b].map(|half| half.first_chunk().expect("64 bytes"));
            results(Symbolic::<true>, a, b)
        });
        // Unspecified bits are ones in the model.
        let byte = |i: i32| match usize::try_from(i) {
            Ok(i) => {
                if i < 64 {
                    a[i]
                } else {
                    b[i - 64]
                }
            }
            Err(_) => 0xFF,
        };
        for (at, (block, meant)) in symbolic.iter().zip(results(Model, &a, &b)).enumerate() {
            let found: [u8; 64] = from_fn(|i| block[i].value(&byte) as u8);
            assert_eq!(found, meant, "result {at} of {a:02x?} and {b:02x?}");
        }
    }
}

#[test]
fn every_path_is_explored_once() {
    let texts = with_text((0..64).map(Term::byte).collect(), |src| {
        let block = Symbolic::<true>.load(src.first_chunk().expect("64 bytes"));
        super::super::terms::explore(|| {
            let simd = Symbolic::<true>;
            (simd.any_high_bit(block), simd.any_bit(block), simd.any_high_bit(block))
        })
    });
    let results: Vec<_> = texts.iter().map(|path| path.result).collect();
    assert_eq!(
        results,
        [(false, false, false), (false, true, false), (true, false, true), (true, true, true)]
    );
    for (byte, path) in [(0, 0), (0x7F, 1), (0x80, 3)] {
        for (i, other) in texts.iter().enumerate() {
            assert_eq!(other.condition.value(&|_| byte), u64::from(i == path), "{byte:02x} on path {i}");
        }
    }
}
