//! Well-formed UTF-8, and copies of it.

use super::portable::validate as portable;
use crate::simd::{BLOCK, Shuffle, behind};

/// How far back a byte can depend on others: the longest sequence less one.
pub(crate) const BEHIND: usize = 3;

// What can be wrong with two bytes in a row, a bit each. A table for each of three nibbles says what the nibble allows
// to be wrong; what all three allow is wrong.
/// A lead byte, and what follows is no continuation byte.
const TOO_SHORT: u8 = 1 << 0;
/// ASCII, and what follows is a continuation byte.
const TOO_LONG: u8 = 1 << 1;
/// `E0` and `80..9F`.
const OVERLONG_3: u8 = 1 << 2;
/// `F4` and `90..BF`, or `F5..FF` and `90..BF`.
const TOO_LARGE: u8 = 1 << 3;
/// `ED` and `A0..BF`.
const SURROGATE: u8 = 1 << 4;
/// `C0` or `C1`.
const OVERLONG_2: u8 = 1 << 5;
/// `F0` and `80..8F`; or `F5..FF` and `80..8F`, which is another thing, but no bit is left, and both are wrong.
const OVERLONG_4: u8 = 1 << 6;
/// A continuation byte after another. Whether that is wrong depends on what is before them.
const TWO_CONTINUE: u8 = 1 << 7;
/// What does not depend on the low nibble of the first byte.
const ANY_LOW: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUE;

/// By the high nibble of the first byte.
const FIRST_HIGH: [u8; 16] = {
    let mut table = [TOO_LONG; 16];
    let mut nibble = 0x8;
    while nibble < 0x10 {
        table[nibble] = match nibble {
            0x8..=0xB => TWO_CONTINUE,
            0xC => TOO_SHORT | OVERLONG_2,
            0xD => TOO_SHORT,
            0xE => TOO_SHORT | OVERLONG_3 | SURROGATE,
            _ => TOO_SHORT | TOO_LARGE | OVERLONG_4,
        };
        nibble += 1;
    }
    table
};

/// By the low nibble of the first byte.
const FIRST_LOW: [u8; 16] = {
    let mut table = [ANY_LOW | TOO_LARGE | OVERLONG_4; 16];
    table[0x0] = ANY_LOW | OVERLONG_2 | OVERLONG_3 | OVERLONG_4;
    table[0x1] = ANY_LOW | OVERLONG_2;
    table[0x2] = ANY_LOW;
    table[0x3] = ANY_LOW;
    table[0x4] = ANY_LOW | TOO_LARGE;
    table[0xD] |= SURROGATE;
    table
};

/// By the high nibble of the second byte.
const SECOND_HIGH: [u8; 16] = {
    let mut table = [TOO_SHORT; 16];
    table[0x8] = TOO_LONG | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | OVERLONG_4;
    table[0x9] = TOO_LONG | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | TOO_LARGE;
    table[0xA] = TOO_LONG | OVERLONG_2 | TWO_CONTINUE | SURROGATE | TOO_LARGE;
    table[0xB] = table[0xA];
    table
};

/// The check of UTF-8: its tables, and what was found so far.
#[derive(Clone, Copy)]
pub(crate) struct Checker<S: Shuffle> {
    simd: S,
    first_high: S::HighTable,
    first_low: S::LowTable,
    second_high: S::HighTable,
    errors: S::Block,
}

impl<S: Shuffle> Checker<S> {
    #[inline(always)]
    pub(crate) fn new(simd: S) -> Self {
        Self {
            simd,
            first_high: simd.high_table(&FIRST_HIGH),
            first_low: simd.low_table(&FIRST_LOW),
            second_high: simd.high_table(&SECOND_HIGH),
            errors: simd.splat(0),
        }
    }

    /// Looks at the last 64 bytes of `window`; a sequence that begins there and is not complete passes.
    #[inline(always)]
    pub(crate) fn push(&mut self, window: &[u8; BEHIND + BLOCK]) {
        let errors = self.errors_in(window);
        self.errors = self.simd.or(self.errors, errors);
    }

    /// The same at the start of a text, where nothing is before the block.
    #[inline(always)]
    pub(crate) fn push_first(&mut self, block: S::Block) {
        let errors = self.errors_at_start(block);
        self.errors = self.simd.or(self.errors, errors);
    }

    /// Whether anything so far was ill-formed.
    #[inline(always)]
    pub(crate) fn failed(&self) -> bool {
        self.simd.any_bit(self.errors)
    }

    /// Bytes that are not zero where a byte of the last 64 of `window` cannot stand after those before it.
    #[inline(always)]
    pub(crate) fn errors_in(&self, window: &[u8; BEHIND + BLOCK]) -> S::Block {
        let simd = self.simd;
        self.errors_of([
            simd.load(behind::<0>(window)),
            simd.load(behind::<1>(window)),
            simd.load(behind::<2>(window)),
            simd.load(behind::<3>(window)),
        ])
    }

    /// The same where nothing is before the block.
    #[inline(always)]
    pub(crate) fn errors_at_start(&self, block: S::Block) -> S::Block {
        let simd = self.simd;
        self.errors_of([
            block,
            simd.after_zeros::<1>(block),
            simd.after_zeros::<2>(block),
            simd.after_zeros::<3>(block),
        ])
    }

    /// The same for a block and what is one, two and three bytes before each of its bytes.
    #[inline(always)]
    pub(crate) fn errors_of(&self, [byte, before1, before2, before3]: [S::Block; 4]) -> S::Block {
        let simd = self.simd;
        let first =
            simd.and(simd.lookup_high(self.first_high, before1), simd.lookup_low(self.first_low, before1));
        let pair = simd.and(first, simd.lookup_high(self.second_high, byte));
        // Bit 7 is set where the byte must be the second or third continuation byte. The other bits are anything.
        let third = simd.saturating_sub(before2, simd.splat(0xE0 - 0x80));
        let fourth = simd.saturating_sub(before3, simd.splat(0xF0 - 0x80));
        let must = simd.and(simd.or(third, fourth), simd.splat(0x80));
        simd.xor(must, pair)
    }
}

/// Whether a sequence is not complete at `at`, so far as the three bytes before it tell.
#[inline(always)]
pub(crate) fn is_unfinished(before: [u8; BEHIND]) -> bool {
    (before[2] >= 0xC0) | (before[1] >= 0xE0) | (before[0] >= 0xF0)
}

/// Length of the longest prefix of `src` that is well-formed UTF-8.
#[inline(always)]
pub(crate) fn utf8_prefix<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    let Some(first) = src.first_chunk::<BLOCK>() else { return short_prefix(simd, src) };
    match S::UNROLL {
        1 => long_prefix::<S, { BEHIND + BLOCK }>(simd, src, first),
        2 | 3 => long_prefix::<S, { BEHIND + 2 * BLOCK }>(simd, src, first),
        _ => long_prefix::<S, { BEHIND + 4 * BLOCK }>(simd, src, first),
    }
}

/// The same for less than a block.
#[inline(always)]
fn short_prefix<S: Shuffle>(simd: S, src: &[u8]) -> usize {
    let block = simd.load_partial(src);
    if !simd.any_high_bit(block) {
        return src.len();
    }
    let mut checker = Checker::new(simd);
    checker.push_first(block);
    // The zeros after the text are ASCII, which ends a sequence, if there are enough of them.
    if checker.failed() || ends_unfinished(src) { place(src, 0) } else { src.len() }
}

/// The same for a block or more, of which `first` is the first.
#[inline(always)]
fn long_prefix<S: Shuffle, const WINDOW: usize>(simd: S, src: &[u8], first: &[u8; BLOCK]) -> usize {
    let mut checker = Checker::new(simd);
    checker.push_first(simd.load(first));
    // Blocks end at multiples of 64 in memory, so that of four loads only three go over the border of a cache line.
    let mut at = (BLOCK - (src.as_ptr().addr() & (BLOCK - 1))).max(BEHIND);
    let mut is_ascii = false;
    while let Some(window) = src.get(at - BEHIND..).and_then(<[u8]>::first_chunk::<WINDOW>) {
        let Some((before, blocks)) = window.split_first_chunk::<BEHIND>() else { unreachable!() };
        let blocks = blocks.as_chunks::<BLOCK>().0;
        let mut all = simd.load(&blocks[0]);
        for block in &blocks[1..] {
            all = simd.or(all, simd.load(block));
        }
        if simd.any_high_bit(all) {
            is_ascii = false;
            for i in 0..blocks.len() {
                if let Some(window) = window.get(i * BLOCK..).and_then(<[u8]>::first_chunk) {
                    checker.push(window);
                }
            }
            if checker.failed() {
                return place(src, at);
            }
        } else if !is_ascii {
            if is_unfinished(*before) {
                return place(src, at);
            }
            is_ascii = true;
        }
        at += WINDOW - BEHIND;
    }
    let checked = at;
    while let Some(window) = src.get(at - BEHIND..).and_then(<[u8]>::first_chunk) {
        checker.push(window);
        at += BLOCK;
    }
    match src.last_chunk() {
        Some(window) => checker.push(window),
        None => {
            // The end of the text are one or two bytes that no block had, or none.
            let block = simd.load(src.last_chunk().unwrap_or(first));
            let errors = checker.errors_at_start(block);
            checker.errors = simd.or(checker.errors, simd.keep(simd.mask(u64::MAX << BEHIND), errors));
        }
    }
    if checker.failed() || ends_unfinished(src) { place(src, checked) } else { src.len() }
}

/// Whether the last sequence of `src` lacks continuation bytes.
#[inline(always)]
fn ends_unfinished(src: &[u8]) -> bool {
    match src.last_chunk() {
        Some(last) => is_unfinished(*last),
        None => {
            let mut last = [0; BEHIND];
            for (to, from) in last.iter_mut().rev().zip(src.iter().rev()) {
                *to = *from;
            }
            is_unfinished(last)
        }
    }
}

/// The start of the first sequence that is ill-formed or cut off, if everything before `at` is well-formed or cut off
/// there.
#[cold]
#[inline(never)]
fn place(src: &[u8], at: usize) -> usize {
    let at = if at == 0 { 0 } else { (at - BEHIND..at).rev().find(|i| src[*i] & 0xC0 != 0x80).unwrap_or(at) };
    at + portable::well_formed_prefix(src.get(at..).unwrap_or_default())
}
