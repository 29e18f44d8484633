//! From a block of UTF-8 to code units, without a branch per code point: the parts that the kernels that read UTF-8 share.
//!
//! For *every* byte of the block, also for those where nothing begins, a vector loop works out the value that a
//! sequence would have if it began there; it needs nothing but the byte and the three after it. A bitmap says where
//! sequences do begin, and walking over its bits picks the values that count. How long a sequence is never decides
//! where the next one is looked for, so the processor works on many at a time, and no branch depends on the text but
//! one per block, on the highest byte in it.
//!
//! All of this is for well-formed UTF-8 only; the callers have checked it before.
//!
//! What was tried and is slower: `lab/portable.md`.

use super::lanes::{self, choose, mask};

/// Bytes in one step: as many as a bitmap has bits.
pub(super) const BLOCK: usize = 64;
/// Bytes that one step looks at: the block, and the continuation bytes of a sequence that begins at its last byte.
pub(super) const WINDOW: usize = BLOCK + 3;

/// The highest byte of the block at the start of `window`; see [`lanes::highest`].
#[inline(always)]
pub(super) fn highest(window: &[u8; WINDOW]) -> u8 {
    lanes::highest(&window.as_chunks::<BLOCK>().0[0])
}

/// Gathers the highest bits of eight bytes: the first byte's becomes bit 0.
///
/// The multiplication moves bit `8 i + 7` to bit `56 + i`, for every `i` at once; no two products meet, so there are
/// no carries.
#[inline(always)]
const fn high_bits(word: u64) -> u64 {
    (word & super::ascii::HIGH).wrapping_mul(0x0002_0408_1020_4081) >> 56
}

/// Where in the block sequences begin: bit *i* is set if byte *i* is not a continuation byte.
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

/// Where in the block sequences of four bytes begin: bit *i* is set if byte *i* is at least `F0`.
#[inline(always)]
pub(super) fn leads_of_four(window: &[u8; WINDOW]) -> u64 {
    let mut map = 0;
    for (i, word) in window.as_chunks::<8>().0.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        map |= high_bits(word & word << 1 & word << 2 & word << 3) << (8 * i);
    }
    map
}

/// The 16-bit values made of a low and a high byte each.
///
/// The values are worked out as bytes, because twice as many fit into a vector. To write each as a pair of bytes at
/// once looks simpler, but LLVM then takes vectors of eight bytes for everything.
#[inline(always)]
fn join(low: &[u8; BLOCK], high: &[u8; BLOCK]) -> [u16; BLOCK] {
    let mut values = [0; BLOCK];
    for i in 0..BLOCK {
        values[i] = u16::from(low[i]) | u16::from(high[i]) << 8;
    }
    values
}

/// The value that a sequence of one or two bytes would have at each place.
///
/// Of `110aaaaa 10bbbbbb`, the value is `00000aaa aabbbbbb`.
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

/// The value that a sequence of one to three bytes would have at each place.
///
/// Of `1110aaaa 10bbbbbb 10cccccc`, the value is `aaaabbbb bbcccccc`.
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

/// The code unit of UTF-16 at each place. A sequence of four bytes has its lead surrogate at the lead byte and its low
/// surrogate at the first continuation byte; the values at other continuation bytes mean nothing.
///
/// Of `11110aaa 10bbbbbb 10ccdddd 10eeeeee`, the lead surrogate is `D7C0` plus `aaabbbbbbcc`, and the trail one is
/// `110111dd ddeeeeee` (table 3-5 of the Unicode Standard).
#[inline(always)]
pub(super) fn units_to_four(window: &[u8; WINDOW]) -> [u16; BLOCK] {
    let [mut low, mut high] = [[0; BLOCK]; 2];
    for i in 0..BLOCK {
        let [one, two, three] = [window[i], window[i + 1], window[i + 2]];
        let (alone, of_three) = (mask(one < 0x80), mask(one >= 0xE0));
        let (of_four, continues) = (mask(one >= 0xF0), mask(one & 0xC0 == 0x80));
        // The low byte of a trail surrogate is made like that of a sequence of three, from the two bytes that follow.
        let longer = choose(of_three | continues, two << 6 | three & 0x3F, one << 6 | two & 0x3F);
        let upper = choose(of_three, one << 4 | two >> 2 & 0x0F, one >> 2 & 0x07) & !alone;
        // D7C0 is D800 less 40, which is borrowed from the high byte if the low one has not got it.
        let borrow = mask(two & 0x30 == 0) & 1;
        low[i] =
            choose(of_four, (two << 2 | three >> 4 & 0x03).wrapping_sub(0x40), choose(alone, one, longer));
        high[i] =
            choose(of_four, 0xD8 + (one & 0x07) - borrow, choose(continues, 0xDC | two >> 2 & 0x03, upper));
    }
    join(&low, &high)
}

/// Which bits of a code point a sequence has, and how far it must be moved right when it was read as one of four bytes,
/// by the high half of the lead byte: `0xxx`, `110x`, `1110`, `1111`. A half of `10xx` leads nothing.
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

/// The code point of the sequence at `at`, whatever its length.
#[inline(always)]
pub(super) fn value_at(window: &[u8; WINDOW], at: usize) -> u32 {
    let at = at % BLOCK;
    let bytes = [window[at], window[at + 1], window[at + 2], window[at + 3]].map(u32::from);
    let (bits, shift) = SHAPES[(bytes[0] >> 4) as usize];
    ((bytes[0] << 18 | (bytes[1] & 0x3F) << 12 | (bytes[2] & 0x3F) << 6 | bytes[3] & 0x3F) >> shift) & bits
}

/// Places that a [`Walk`] gives from each half before it checks for more.
pub(super) const GROUP: usize = 4;

/// A walk over the marked places of a block, in two halves at once.
///
/// To take a bit out takes two operations that wait for those before, so a single walk would be bound by that. The
/// first half does not stop at the middle: where it gets too far, it gives places that the second half has given.
pub(super) struct Walk {
    first: u64,
    second: u64,
    /// The number of places in the first half, which is where the second half begins in the target.
    pub(super) middle: usize,
    /// The number of places.
    pub(super) len: usize,
}

impl Walk {
    #[inline(always)]
    pub(super) const fn new(map: u64) -> Self {
        let second = map >> 32 << 32;
        // As 32-bit numbers, so that it is known that they are at most 32.
        let [in_first, in_second] = [(map << 32).count_ones() as usize, second.count_ones() as usize];
        Self { first: map, second, middle: in_first, len: in_first + in_second }
    }

    /// The number of groups of [`GROUP`] places to take from each half.
    #[inline(always)]
    pub(super) fn groups(&self) -> usize {
        self.middle.max(self.len - self.middle).div_ceil(GROUP)
    }

    /// The next place of each half. One that has none left gives any place.
    #[inline(always)]
    pub(super) fn step(&mut self) -> [usize; 2] {
        [take_first(&mut self.first), take_first(&mut self.second)]
    }
}

/// Whether sequences begin at every `len`th place of the block, and nowhere else: then all have that length, but for the
/// last one, which may go on beyond the block or not.
#[inline(always)]
pub(super) const fn is_regular(map: u64, len: u32) -> bool {
    let start = map & ((1 << len) - 1);
    (map ^ map >> len) << len == 0 && start.is_power_of_two()
}

/// Writes the marked values, and returns how many there are.
///
/// `$put` is called as `put(index in the target, value)`. The index is below [`BLOCK`], but may be above the number of
/// values; a value written there means nothing.
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

/// Writes the marked values of a block where all sequences have three bytes, which is usual in a text without spaces, as in
/// Chinese, and returns how many there are. `$put` is called as [`gather`] calls it.
macro_rules! gather_thirds {
    ($map:expr, |$place:ident| $value:expr, |$index:ident, $unit:ident| $put:expr) => {{
        let map: u64 = $map;
        // At most two continuation bytes come first. With none, one more sequence begins in the block.
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

/// The place of the lowest bit in `map`, which is taken out; any place if there is none left.
#[inline(always)]
const fn take_first(map: &mut u64) -> usize {
    // With the top bit set there always is a first bit, which saves a test; the last place is right when it is the
    // only one left.
    let first = (*map | 1 << 63).trailing_zeros() as usize;
    *map &= map.wrapping_sub(1);
    first
}
