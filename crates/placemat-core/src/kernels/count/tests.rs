//! Compares counts and lengths on each level with plain code.

use super::super::portable::samples::{MIXED, Numbers};
use super::*;
use crate::ground::unit::{Be, Le};
use crate::kernels::dispatch::{Isa, Kernels};
use crate::simd::bytes_of;
use crate::simd::model::Model;

/// The levels that this machine supports.
fn levels() -> impl Iterator<Item = Kernels> {
    Isa::available().filter_map(Kernels::of)
}

fn check_bytes(src: &[u8]) {
    let count = |test: fn(u8) -> bool| src.iter().filter(|byte| test(**byte)).count();
    let starts = count(|byte| byte & 0xC0 != 0x80);
    let expected = [
        starts,
        starts + count(|byte| byte >= 0xF0),
        count(|byte| byte == 0x0A),
        src.len() + count(|byte| byte > 0x7F),
    ];
    for kernels in levels() {
        let counts = [
            kernels.count_code_points(src),
            kernels.utf16_len_of_utf8(src),
            kernels.count_line_feeds(src),
            kernels.utf8_len_of_latin1(src),
        ];
        assert_eq!(counts, expected, "{:?}, {} bytes", kernels.isa(), src.len());
    }
    let counts = [
        count_code_points(Model, src),
        utf16_len_of_utf8(Model, src),
        count_line_feeds(Model, src),
        utf8_len_of_latin1(Model, src),
    ];
    assert_eq!(counts, expected, "{} bytes", src.len());
}

fn check16(src: &[u16]) {
    let decoded = || char::decode_utf16(src.iter().copied());
    let expected = [decoded().count(), decoded().map(|c| c.map_or(3, char::len_utf8)).sum()];
    // Half a code unit at the end does not count.
    let little: Vec<u8> = src.iter().flat_map(|unit| unit.to_le_bytes()).chain([0xFF]).collect();
    let big: Vec<u8> = src.iter().flat_map(|unit| unit.to_be_bytes()).chain([0xFF]).collect();
    for kernels in levels() {
        let counts = [kernels.count_code_points_of_utf16(src), kernels.utf8_len_of_utf16le(&little)];
        assert_eq!(counts, expected, "{:?}: {src:04x?}", kernels.isa());
        assert_eq!(kernels.utf8_len_of_utf16be(&big), expected[1], "{:?}: {src:04x?}", kernels.isa());
    }
    assert_eq!(utf8_len_of_utf16::<_, Le>(Model, &little), expected[1]);
    assert_eq!(utf8_len_of_utf16::<_, Be>(Model, &big), expected[1]);
    // This needs native integers, and the lanes of the vector layer are little-endian.
    if cfg!(target_endian = "little") {
        assert_eq!(count_code_points_of_utf16(Model, src), expected[0]);
    }
}

/// Long texts, which are read from a cache line boundary on and in runs, at several addresses. The
/// model is slow.
fn check16_long(src: &[u16]) {
    let decoded = || char::decode_utf16(src.iter().copied());
    let expected = [decoded().count(), decoded().map(|c| c.map_or(3, char::len_utf8)).sum()];
    for shift in [0, 1, 2, 3, 62] {
        let mut little = vec![0; shift];
        let mut big = little.clone();
        let mut units = vec![0; shift];
        little.extend(src.iter().flat_map(|unit| unit.to_le_bytes()));
        big.extend(src.iter().flat_map(|unit| unit.to_be_bytes()));
        units.extend(src);
        for kernels in levels() {
            let counts = [
                kernels.count_code_points_of_utf16(&units[shift..]),
                kernels.utf8_len_of_utf16le(&little[shift..]),
            ];
            let at = format!("{:?}: {} units {shift} on", kernels.isa(), src.len());
            assert_eq!(counts, expected, "{at}");
            assert_eq!(kernels.utf8_len_of_utf16be(&big[shift..]), expected[1], "{at}");
        }
    }
}

fn check32(src: &[u32]) {
    let utf8 = src.iter().map(|&c| match c {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0x800..=0xFFFF => 3,
        _ => 4,
    });
    let expected = [utf8.sum(), src.iter().map(|&c| 1 + usize::from(c > 0xFFFF)).sum()];
    // Three quarters of a code unit at the end do not count.
    let little: Vec<u8> = src.iter().flat_map(|unit| unit.to_le_bytes()).chain([0xFF; 3]).collect();
    let big: Vec<u8> = src.iter().flat_map(|unit| unit.to_be_bytes()).chain([0xFF; 3]).collect();
    for kernels in levels() {
        let counts = [kernels.utf8_len_of_utf32le(&little), kernels.utf16_len_of_utf32(src)];
        assert_eq!(counts, expected, "{:?}: {src:04x?}", kernels.isa());
        assert_eq!(kernels.utf8_len_of_utf32be(&big), expected[0], "{:?}: {src:04x?}", kernels.isa());
    }
    assert_eq!(utf8_len_of_utf32::<_, Le>(Model, &little), expected[0]);
    assert_eq!(utf8_len_of_utf32::<_, Be>(Model, &big), expected[0]);
    // This needs native integers, and the lanes of the vector layer are little-endian.
    if cfg!(target_endian = "little") {
        assert_eq!(utf16_len_of_utf32(Model, src), expected[1]);
    }
}

/// Lengths without a block, with a few, and around the limit of the byte counters.
fn lengths(max: usize) -> impl Iterator<Item = usize> {
    (0..=300)
        .chain((301..2000).step_by(37))
        .chain([16_127, 16_128, 16_129, 33_000])
        .filter(move |len| *len <= max)
}

#[test]
fn bytes_of_any_kind_and_number_at_any_address() {
    let mut numbers = Numbers::new(17);
    let random: Vec<u8> = (0..33_000).map(|_| numbers.below(256).to_le_bytes()[0]).collect();
    let mixed = MIXED.repeat(50).into_bytes();
    for bytes in [vec![0xFF; 33_000], vec![0x80; 33_000], vec![b'\n'; 33_000], vec![0; 700], random, mixed] {
        for len in lengths(bytes.len()) {
            check_bytes(&bytes[..len]);
            check_bytes(&bytes[len % 64..len.max(len % 64)]);
        }
    }
}

#[test]
fn units_of_any_kind_and_number_at_any_address() {
    let mut numbers = Numbers::new(4);
    let borders = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF];
    let random: Vec<u16> = (0..17_000).map(|_| borders[numbers.below(borders.len())]).collect();
    let mixed: Vec<u16> = MIXED.repeat(150).encode_utf16().collect();
    let pairs: Vec<u16> = [0xD800, 0xDC00].repeat(8_500);
    assert!(mixed.len() > 15_550, "{}", mixed.len());
    for units in [&random, &mixed, &pairs] {
        for from in 0..2 {
            for len in
                [2_047, 2_048, 2_049, 2_079, 2_080, 2_081, 2_100, 7_679, 7_680, 7_681, 7_713, 15_360, 15_500]
            {
                check16_long(&units[from..from + len]);
            }
        }
    }
    let [random, mixed, pairs] = [random, mixed, pairs].map(|units| units[..2_100].to_vec());
    for units in [random, mixed, pairs, vec![0xFFFF; 600], vec![0xD800; 600], vec![0xDC00; 600]] {
        for len in lengths(units.len()) {
            check16(&units[..len]);
            check16(&units[len % 33..len.max(len % 33)]);
        }
    }
    let borders = [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD800, 0xFFFF, 0x1_0000, 0x10_FFFF, 0x11_0000, u32::MAX];
    let random: Vec<u32> = (0..2100).map(|_| borders[numbers.below(borders.len())]).collect();
    for units in [random, vec![u32::MAX; 600]] {
        for len in lengths(units.len()) {
            check32(&units[..len]);
        }
    }
}

#[test]
fn no_counter_overflows() {
    // The model is slow, and has the same counters.
    let (bytes, units16, units32) =
        (vec![0xFF; 2_000_000], vec![0xFFFF_u16; 2_000_000], vec![u32::MAX; 1_500_000]);
    for kernels in levels() {
        assert_eq!(kernels.utf16_len_of_utf8(&bytes), 4_000_000);
        assert_eq!(kernels.utf8_len_of_utf16le(bytes_of(&units16)), 6_000_000);
        assert_eq!(kernels.utf8_len_of_utf32le(bytes_of(&units32)), 6_000_000);
    }
    let pairs = [0xD800, 0xDC00].repeat(1_000_000);
    let pairs_big = [0xD8, 0x00, 0xDC, 0x00].repeat(1_000_000);
    for kernels in levels() {
        assert_eq!(kernels.count_code_points_of_utf16(&pairs), 1_000_000);
        assert_eq!(kernels.utf8_len_of_utf16be(&pairs_big), 4_000_000);
    }
}
