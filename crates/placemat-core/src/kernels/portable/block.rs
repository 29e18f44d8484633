//! Code shared by the kernels that read UTF-8: conversion of a block to code units, without a
//! branch per code point.
//!
//! For *every* byte of the block, even within a sequence, a vector loop computes the value of a
//! sequence that begins there, from the byte and the three after it. A bitmap marks the bytes where
//! sequences do begin, and iterating over its bits selects their values. The length of a sequence
//! never determines where the next one is looked for, so the CPU works on many at a time, and the
//! only branch that depends on the text is one per block, on its highest byte.
//!
//! The functions here require well-formed UTF-8; their callers have checked it.
//!
//! Measurements, and what was slower: `lab/portable.md`.

use super::lanes::{self, choose, mask};

/// Bytes per step: one for each bit of a bitmap.
pub(super) const BLOCK: usize = 64;
/// Bytes that a step reads: the block, and the continuation bytes of a sequence that begins at its
/// last byte.
pub(super) const WINDOW: usize = BLOCK + 3;

/// Returns the highest byte of the block at the start of `window`; see [`lanes::highest`].
#[inline(always)]
pub(super) fn highest(window: &[u8; WINDOW]) -> u8 {
    lanes::highest(&window.as_chunks::<BLOCK>().0[0])
}

/// Gathers the highest bits of eight bytes: the first byte's becomes bit 0.
///
/// The multiplication moves bit `8 i + 7` to bit `56 + i`, for every `i` at once; no two products
/// overlap, so there are no carries.
#[inline(always)]
const fn high_bits(word: u64) -> u64 {
    (word & super::ascii::HIGH).wrapping_mul(0x0002_0408_1020_4081) >> 56
}

/// Bitmap of the first bytes of sequences: bit *i* is set if byte *i* is not a continuation byte.
#[inline(always)]
pub(super) fn leads(window: &[u8; WINDOW]) -> u64 {
    let mut map = 0;
    for (i, word) in window.as_chunks::<8>().0.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // Bit 7 clear, or bit 6 set.
        map |= high_bits(!word | word << 1) << (8 * i);
    }
    map
}

/// Bitmap of the lead bytes of four-byte sequences: bit *i* is set if byte *i* is at least `F0`.
#[inline(always)]
pub(super) fn leads_of_four(window: &[u8; WINDOW]) -> u64 {
    let mut map = 0;
    for (i, word) in window.as_chunks::<8>().0.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        map |= high_bits(word & word << 1 & word << 2 & word << 3) << (8 * i);
    }
    map
}

/// Joins low and high bytes to 16-bit values.
///
/// The values are computed as bytes, because twice as many of them fit into a vector. Writing each
/// value as a pair of bytes at once looks simpler, but then LLVM uses vectors of eight bytes for
/// everything.
#[inline(always)]
fn join(low: &[u8; BLOCK], high: &[u8; BLOCK]) -> [u16; BLOCK] {
    let mut values = [0; BLOCK];
    for i in 0..BLOCK {
        values[i] = u16::from(low[i]) | u16::from(high[i]) << 8;
    }
    values
}

/// Returns the value that a sequence of one or two bytes would have at each position.
///
/// The value of `110aaaaa 10bbbbbb` is `00000aaa aabbbbbb`.
#[inline(always)]
pub(super) fn values_to_two(window: &[u8; WINDOW]) -> [u16; BLOCK] {
    let [mut low, mut high] = [[0; BLOCK]; 2];
    for i in 0..BLOCK {
        let [one, two] = [window[i], window[i + 1]];
        let alone = mask(one < 0x80);
        low[i] = choose(alone, one, one << 6 | two & 0x3F);
        high[i] = one >> 2 & 0x07 & !alone;
    }
    join(&low, &high)
}

/// Returns the value that a sequence of one to three bytes would have at each position.
///
/// The value of `1110aaaa 10bbbbbb 10cccccc` is `aaaabbbb bbcccccc`.
#[inline(always)]
pub(super) fn values_to_three(window: &[u8; WINDOW]) -> [u16; BLOCK] {
    let [mut low, mut high] = [[0; BLOCK]; 2];
    for i in 0..BLOCK {
        let [one, two, three] = [window[i], window[i + 1], window[i + 2]];
        let (alone, of_three) = (mask(one < 0x80), mask(one >= 0xE0));
        let longer = choose(of_three, two << 6 | three & 0x3F, one << 6 | two & 0x3F);
        low[i] = choose(alone, one, longer);
        high[i] = choose(of_three, one << 4 | two >> 2 & 0x0F, one >> 2 & 0x07) & !alone;
    }
    join(&low, &high)
}

/// Returns the UTF-16 code unit at each position. A four-byte sequence has its high surrogate at
/// the lead byte and its low surrogate at the first continuation byte; the values at other
/// continuation bytes are meaningless.
///
/// For `11110aaa 10bbbbbb 10ccdddd 10eeeeee`, the high surrogate is `D7C0` plus `aaabbbbbbcc`, and
/// the low surrogate is `110111dd ddeeeeee` (table 3-5 of the Unicode Standard).
#[inline(always)]
pub(super) fn units_to_four(window: &[u8; WINDOW]) -> [u16; BLOCK] {
    let [mut low, mut high] = [[0; BLOCK]; 2];
    for i in 0..BLOCK {
        let [one, two, three] = [window[i], window[i + 1], window[i + 2]];
        let (alone, of_three) = (mask(one < 0x80), mask(one >= 0xE0));
        let (of_four, continues) = (mask(one >= 0xF0), mask(one & 0xC0 == 0x80));
        // The low byte of a low surrogate is computed like that of a three-byte sequence, from the
        // two bytes that follow.
        let longer = choose(of_three | continues, two << 6 | three & 0x3F, one << 6 | two & 0x3F);
        let upper = choose(of_three, one << 4 | two >> 2 & 0x0F, one >> 2 & 0x07) & !alone;
        // D7C0 is D800 minus 0x40, which is borrowed from the high byte if the low one is too
        // small.
        let borrow = mask(two & 0x30 == 0) & 1;
        low[i] =
            choose(of_four, (two << 2 | three >> 4 & 0x03).wrapping_sub(0x40), choose(alone, one, longer));
        high[i] =
            choose(of_four, 0xD8 + (one & 0x07) - borrow, choose(continues, 0xDC | two >> 2 & 0x03, upper));
    }
    join(&low, &high)
}

/// For each high nibble of a lead byte, the bits of a code point that the sequence has, and how far
/// to shift them right if the sequence was read as one of four bytes: `0xxx`, `110x`, `1110`,
/// `1111`. A nibble of `10xx` begins no sequence.
const SHAPES: [(u32, u8); 16] = {
    let mut shapes = [(0, 0); 16];
    let mut half = 0;
    while half < 16 {
        shapes[half] = match half {
            0x0..=0x7 => (0x7F, 18),
            0x8..=0xD => (0x7FF, 12),
            0xE => (0xFFFF, 6),
            _ => (0x1F_FFFF, 0),
        };
        half += 1;
    }
    shapes
};

/// Returns the code point of the sequence at `at`, whatever its length.
#[inline(always)]
pub(super) fn value_at(window: &[u8; WINDOW], at: usize) -> u32 {
    let at = at % BLOCK;
    let bytes = [window[at], window[at + 1], window[at + 2], window[at + 3]].map(u32::from);
    let (bits, shift) = SHAPES[(bytes[0] >> 4) as usize];
    ((bytes[0] << 18 | (bytes[1] & 0x3F) << 12 | (bytes[2] & 0x3F) << 6 | bytes[3] & 0x3F) >> shift) & bits
}

/// Number of positions that a [`Walk`] returns from each half before it checks for more.
pub(super) const GROUP: usize = 4;

/// Iterates over the bits of a block's bitmap, in two halves at once.
///
/// Removing a bit takes two dependent operations, which would limit the speed of a single
/// iteration. The first half does not stop at the middle: past it, it returns positions that the
/// second half has returned.
pub(super) struct Walk {
    first: u64,
    second: u64,
    /// Number of positions in the first half, which is where the second half begins in the target.
    pub(super) middle: usize,
    /// Number of positions.
    pub(super) len: usize,
}

impl Walk {
    #[inline(always)]
    pub(super) const fn new(map: u64) -> Self {
        let second = map >> 32 << 32;
        // As 32-bit numbers, so that the compiler knows that they are at most 32.
        let [in_first, in_second] = [(map << 32).count_ones() as usize, second.count_ones() as usize];
        Self { first: map, second, middle: in_first, len: in_first + in_second }
    }

    /// Number of groups of [`GROUP`] positions to take from each half.
    #[inline(always)]
    pub(super) fn groups(&self) -> usize {
        self.middle.max(self.len - self.middle).div_ceil(GROUP)
    }

    /// Returns the next position of each half, or any position for a half that has none left.
    #[inline(always)]
    pub(super) fn step(&mut self) -> [usize; 2] {
        [take_first(&mut self.first), take_first(&mut self.second)]
    }
}

/// Whether sequences begin at every `len`th byte of the block, and nowhere else: then all have that
/// length, except for the last one, which may continue past the block.
#[inline(always)]
pub(super) const fn is_regular(map: u64, len: u32) -> bool {
    let start = map & ((1 << len) - 1);
    (map ^ map >> len) << len == 0 && start.is_power_of_two()
}

/// Writes the marked values. Evaluates to their number.
///
/// `$put` runs with an index in the target and a value. The index is below [`BLOCK`], but may
/// exceed the number of values; a value written there is meaningless.
macro_rules! gather {
    ($map:expr, |$place:ident| $value:expr, |$index:ident, $unit:ident| $put:expr) => {{
        let mut walk = $crate::kernels::portable::block::Walk::new($map);
        for group in 0..walk.groups() {
            for i in 0..$crate::kernels::portable::block::GROUP {
                let [first, second] = walk.step();
                let $index = (group * $crate::kernels::portable::block::GROUP + i)
                    % $crate::kernels::portable::block::BLOCK;
                let $place = first;
                let $unit = $value;
                $put;
                let $index = ($index + walk.middle) % $crate::kernels::portable::block::BLOCK;
                let $place = second;
                let $unit = $value;
                $put;
            }
        }
        walk.len
    }};
}
pub(super) use gather;

/// Writes the marked values of a block of three-byte sequences, which are usual in text without
/// spaces, such as Chinese. Evaluates to their number. `$put` runs as in [`gather`].
macro_rules! gather_thirds {
    ($map:expr, |$place:ident| $value:expr, |$index:ident, $unit:ident| $put:expr) => {{
        let map: u64 = $map;
        // At most two continuation bytes come first. Without any, one more sequence begins in the
        // block.
        let phase = map.trailing_zeros() as usize;
        for $index in 0..22 {
            let $place = (phase + 3 * $index) % $crate::kernels::portable::block::BLOCK;
            let $unit = $value;
            $put;
        }
        if phase == 0 { 22 } else { 21 }
    }};
}
pub(super) use gather_thirds;

/// Removes the lowest bit of `map` and returns its position; returns any position if there is none
/// left.
#[inline(always)]
const fn take_first(map: &mut u64) -> usize {
    // With the top bit set there always is a lowest bit, which saves a test; the last position is
    // right when its bit is the only one left.
    let first = (*map | 1 << 63).trailing_zeros() as usize;
    *map &= map.wrapping_sub(1);
    first
}
