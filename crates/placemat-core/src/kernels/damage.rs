//! Bitmaps of ill-formed UTF-8: steps of 58 bytes, for text in which errors are near each other,
//! and the test for that.
//!
//! # The bitmaps
//!
//! Three nibble lookups, of a byte and of the next byte, have one bit in common exactly if the
//! first is a lead byte and the second may follow it ([`FIRST_HIGH`]); the bit determines the
//! length of the sequence. Let `second`, `long` and `four` be the lead bytes with such a second
//! byte: of any length, of three or four, and of four bytes. Let `cont` be the continuation bytes:
//!
//! ```text
//! third     = long & cont >> 2             lead bytes that have a third byte too
//! fourth    = four & third & cont >> 3     … and a fourth
//! complete  = second & ~long | third & ~four | fourth
//! continues = second << 1 | third << 2 | fourth << 3
//! errors    = non_ascii & ~(complete | continues)
//! dropped   = (errors & second) << 1 | (errors & third) << 2
//! ```
//!
//! A sequence breaks off where the next byte cannot follow, so `second` and `third` of a lead byte
//! that is not complete are exactly the bytes of its maximal subpart (Unicode Standard, chapter 3,
//! table 3-8): the lead byte is the error, and they are dropped with it. The bitmaps determine the
//! length that a step becomes, `58 + 2 |errors| - |dropped|`, before anything is written.
//!
//! # Without a branch on errors
//!
//! With one error per hundred bytes, whether a step has one is a coin toss, and a misprediction
//! costs as much as half a step. So no step branches on it: the number of errors and the position
//! of the first are selected without branches, and the bits of a word record whether the last steps
//! were quiet. If no two non-ASCII bytes were adjacent for some steps, as in damaged ASCII, each
//! non-ASCII byte is an error, and needs no lookups ([`Damage::single`]).

use super::checker::LOOKBACK_BYTES;
use super::marks::{MARKS, STEP};
use crate::ground::chunk::chunk_at;
use crate::simd::{BLOCK, Shuffle};

/// Stop taking steps after this many without an error (one bit per step).
const QUIET_STEPS: u32 = 0b1111_1111;
/// Use [`Damage::single`] after this many steps in which no two adjacent bytes are both non-ASCII
/// (one bit per step).
const LONE_BYTE_STEPS: u32 = 0xFF;
/// Take steps if the mean distance of the last errors is less than this many bytes.
///
/// At random distances, two errors near each other mean little.
const NEAR_MEAN_BYTES: usize = 100;
/// Take steps if two errors in a row are each less than this many bytes after the previous error,
/// or after the position where counting began.
const CLOSE_BYTES: usize = 40;
/// Errors further apart than this many bytes count as this far apart.
const MAX_GAP_BYTES: usize = 512;
/// Take steps after this many errors without a code point between them.
const MAX_ADJACENT_ERRORS: u32 = 8;

/// Flags of the last steps, a bit for each, with the last step lowest.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// The step has an error.
    restless: u32,
    /// The step has two adjacent bytes that are both non-ASCII.
    paired: u32,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self { restless: u32::MAX, paired: 0 }
    }

    /// Whether errors are still near each other.
    #[inline(always)]
    pub(super) fn goes_on(self) -> bool {
        self.restless & QUIET_STEPS != 0
    }

    /// Returns the ill-formed sequences of the next step.
    #[inline(always)]
    pub(super) fn judge<S: Shuffle>(&mut self, judge: Judge<S>, window: &Window) -> Damage {
        let non_ascii = judge.non_ascii(window);
        self.paired = self.paired << 1 | u32::from(non_ascii & non_ascii << 1 != 0);
        let alone = self.paired & LONE_BYTE_STEPS == 0;
        let damage = if alone { Damage::single(non_ascii) } else { judge.damage(window, STEP) };
        self.restless = self.restless << 1 | u32::from(damage.errors != 0);
        damage
    }
}

/// Distances between the last errors.
#[derive(Clone, Copy)]
pub(super) struct Distance {
    /// Offset of the end of the last error.
    end: usize,
    /// Mean distance of the last errors in bytes; the latest has a weight of a quarter.
    gap: usize,
    /// Number of errors in a row with fewer than three bytes between them.
    row: u32,
    /// Number of errors in a row that are close to the previous one, ignoring those with fewer than
    /// three bytes between them.
    close: u32,
}

impl Distance {
    /// Starts as if an error had ended at `start`.
    #[inline(always)]
    pub(super) fn from(start: usize) -> Self {
        Self { end: start, gap: MAX_GAP_BYTES, row: 0, close: 0 }
    }

    /// Records an error of `len` bytes at `at`. Returns whether errors are near each other.
    #[inline(always)]
    pub(super) fn is_near(&mut self, at: usize, len: usize) -> bool {
        let gap = at - self.end;
        // One damaged sequence may be several errors.
        if gap < LOOKBACK_BYTES {
            self.row += 1;
        } else {
            self.row = 0;
            self.close = if gap < CLOSE_BYTES { self.close + 1 } else { 0 };
            self.gap = (3 * self.gap + gap.min(MAX_GAP_BYTES)) / 4;
        }
        self.end = at + len;
        self.gap < NEAR_MEAN_BYTES || self.close > 1 || self.row > MAX_ADJACENT_ERRORS
    }
}

/// The ill-formed sequences of a step. Bit *i* of each bitmap is byte *i* of the step.
#[derive(Clone, Copy)]
pub(super) struct Damage {
    /// First bytes of maximal subparts.
    pub(super) errors: u64,
    /// Second and third bytes of maximal subparts.
    pub(super) dropped: u64,
}

impl Damage {
    /// The ill-formed sequences of a step whose window has no two adjacent non-ASCII bytes: all of
    /// its non-ASCII bytes. Bit 0 of `non_ascii` is the first byte of the window.
    #[inline(always)]
    fn single(non_ascii: u64) -> Self {
        Self { errors: non_ascii >> LOOKBACK_BYTES & (u64::MAX >> (BLOCK - STEP)), dropped: 0 }
    }
}

/// The bytes of a step, and those around it.
pub(super) type Window = [u8; LOOKBACK_BYTES + 2 * BLOCK];

/// The block of the window that begins `BEFORE` bytes before the step.
#[inline(always)]
pub(super) fn block<const BEFORE: usize>(window: &Window) -> &[u8; BLOCK] {
    const { assert!(BEFORE <= LOOKBACK_BYTES) };
    match chunk_at!(window, LOOKBACK_BYTES - BEFORE) {
        Some(block) => block,
        None => unreachable!(),
    }
}

/// Finds ill-formed sequences, a window at a time.
#[derive(Clone, Copy)]
pub(super) struct Judge<S: Shuffle> {
    simd: S,
    first_high: S::HighTable,
    first_low: S::LowTable,
    second_high: S::HighTable,
}

impl<S: Shuffle> Judge<S> {
    #[inline(always)]
    pub(super) fn new(simd: S) -> Self {
        Self {
            simd,
            first_high: simd.high_table(&FIRST_HIGH),
            first_low: simd.low_table(&FIRST_LOW),
            second_high: simd.high_table(&SECOND_HIGH),
        }
    }

    /// Bitmap of the non-ASCII bytes in the first 64 bytes of the window.
    #[inline(always)]
    fn non_ascii(&self, window: &Window) -> u64 {
        let simd = self.simd;
        simd.bits(simd.high_bit(simd.load(block::<3>(window))))
    }

    /// Finds the ill-formed sequences in `len` bytes after the first three of the window.
    #[inline(always)]
    pub(super) fn damage(&self, window: &Window, len: usize) -> Damage {
        self.damage_of(block::<3>(window), block::<2>(window), len)
    }

    /// Finds the ill-formed sequences of a step, given 64 bytes from the first of the window on,
    /// and 64 bytes from the second on.
    #[inline(always)]
    fn damage_of(&self, bytes: &[u8; BLOCK], next: &[u8; BLOCK], len: usize) -> Damage {
        let simd = self.simd;
        let (bytes, next) = (simd.load(bytes), simd.load(next));
        let fit = simd.and(
            simd.and(simd.lookup_high(self.first_high, bytes), simd.lookup_low(self.first_low, bytes)),
            simd.lookup_high(self.second_high, next),
        );
        let non_ascii = simd.bits(simd.high_bit(bytes));
        let lead = simd.bits(simd.ge(bytes, simd.splat(0xC0)));
        let second = simd.bits(simd.ge(fit, simd.splat(1)));
        let long = simd.bits(simd.ge(fit, simd.splat(THREE)));
        let four = simd.bits(simd.ge(fit, simd.splat(FOUR)));

        let cont = non_ascii & !lead;
        let third = long & cont >> 2;
        let fourth = four & third & cont >> 3;
        let complete = second & !long | third & !four | fourth;
        let continues = second << 1 | third << 2 | fourth << 3;
        let errors = non_ascii & !(complete | continues);
        let dropped = (errors & second) << 1 | (errors & third) << 2;
        let judged = u64::MAX >> (BLOCK - len);
        Damage { errors: errors >> LOOKBACK_BYTES & judged, dropped: dropped >> LOOKBACK_BYTES & judged }
    }
}

/// Marks the first bytes of the maximal subparts of ill-formed sequences: bit *i* of word *k* is
/// the byte `at + STEP * k + i`. An incomplete sequence at the end counts as ill-formed. Returns
/// the number of bytes examined: all up to the end, or all that `marks` covers.
#[inline(always)]
pub(crate) fn mark_errors<S: Shuffle>(simd: S, src: &[u8], at: usize, marks: &mut [u64; MARKS]) -> usize {
    let judge = Judge::new(simd);
    let mut looked_at = 0;
    for mark in marks {
        let from = at + looked_at;
        let Some(rest) = src.get(from..).filter(|rest| !rest.is_empty()) else { break };
        let window =
            from.checked_sub(LOOKBACK_BYTES).and_then(|from| src.get(from..)).and_then(<[u8]>::first_chunk);
        let len = rest.len().min(STEP);
        let damage = match window {
            Some(window) => judge_narrow(judge, window, len),
            None => judge_narrow(judge, &narrow(src, from), len),
        };
        *mark = damage.errors;
        looked_at += len;
    }
    looked_at
}

/// Finds the ill-formed sequences in `len` bytes after the first three of a window that has no more
/// bytes than necessary.
#[inline(always)]
fn judge_narrow<S: Shuffle>(judge: Judge<S>, window: &[u8; BLOCK + 1], len: usize) -> Damage {
    let ([bytes @ .., _], [_, next @ ..]) = (window, window);
    judge.damage_of(bytes, next, len)
}

/// Returns the window of the step at `from`, with zeros outside the text.
#[inline(never)]
fn narrow(src: &[u8], from: usize) -> [u8; BLOCK + 1] {
    let mut window = [0; BLOCK + 1];
    let back = from.min(LOOKBACK_BYTES);
    let there = src.get(from - back..).unwrap_or_default();
    let room = window.get_mut(LOOKBACK_BYTES - back..).unwrap_or_default();
    let len = there.len().min(room.len());
    if let (Some(to), Some(there)) = (room.get_mut(..len), there.get(..len)) {
        to.copy_from_slice(there);
    }
    window
}

/// Returns the length of the sequence before `at` that is incomplete there, or 0. Otherwise the
/// text must be well-formed up to `at`.
#[inline(always)]
pub(super) fn unfinished(src: &[u8], at: usize) -> usize {
    for (back, lead) in [(1, 0xC0), (2, 0xE0), (3, 0xF0)] {
        if src.get(at - back).is_some_and(|&byte| byte >= lead) {
            return back;
        }
    }
    0
}

// A lead byte and a byte that may follow it, a bit for each kind (table 3-7 of the standard). Three
// tables, one per nibble, contain the kinds that the nibble allows; two bytes are of at most one
// kind, because the nibbles of the first differ between kinds. The kinds are in order of length, so
// that a comparison finds the length of the sequence.
/// The kind `C2..CF`, and any continuation byte.
const TWO_C: u8 = 1 << 0;
/// The kind `D0..DF`, and any continuation byte.
const TWO_D: u8 = 1 << 1;
/// The kind `E0`, and `A0..BF`.
const THREE_LOW: u8 = 1 << 2;
/// The kind `E1..EC`, `EE` and `EF`, and any continuation byte.
const THREE_ANY: u8 = 1 << 3;
/// The kind `ED`, and `80..9F`.
const THREE_ED: u8 = 1 << 4;
/// The kind `F0`, and `90..BF`.
const FOUR_LOW: u8 = 1 << 5;
/// The kind `F1..F3`, and any continuation byte.
const FOUR_ANY: u8 = 1 << 6;
/// The kind `F4`, and `80..8F`.
const FOUR_HIGH: u8 = 1 << 7;
/// Kinds from this one on have sequences of three bytes or four.
const THREE: u8 = THREE_LOW;
/// Kinds from this one on have sequences of four bytes.
const FOUR: u8 = FOUR_LOW;

/// The kinds that the high nibble of the first byte allows.
const FIRST_HIGH: [u8; 16] = {
    let mut table = [0; 16];
    table[0xC] = TWO_C;
    table[0xD] = TWO_D;
    table[0xE] = THREE_LOW | THREE_ANY | THREE_ED;
    table[0xF] = FOUR_LOW | FOUR_ANY | FOUR_HIGH;
    table
};

/// The kinds that the low nibble of the first byte allows.
const FIRST_LOW: [u8; 16] = {
    let mut table = [TWO_C | TWO_D | THREE_ANY; 16];
    table[0x0] = TWO_D | THREE_LOW | FOUR_LOW;
    table[0x1] = TWO_D | THREE_ANY | FOUR_ANY;
    table[0x2] |= FOUR_ANY;
    table[0x3] |= FOUR_ANY;
    table[0x4] |= FOUR_HIGH;
    table[0xD] = TWO_C | TWO_D | THREE_ED;
    table
};

/// The kinds that the high nibble of the second byte allows.
const SECOND_HIGH: [u8; 16] = {
    const ANY: u8 = TWO_C | TWO_D | THREE_ANY | FOUR_ANY;
    let mut table = [0; 16];
    table[0x8] = ANY | THREE_ED | FOUR_HIGH;
    table[0x9] = ANY | THREE_ED | FOUR_LOW;
    table[0xA] = ANY | THREE_LOW | FOUR_LOW;
    table[0xB] = table[0xA];
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::kernels::portable::patch as portable;
    use crate::kernels::portable::samples::{MIXED, Numbers, damaged};
    use crate::simd::model::Model;

    #[test]
    fn marks_are_where_the_portable_kernel_has_them() {
        let text = MIXED.repeat(8);
        let mut numbers = Numbers::new(11);
        for i in 0..3000 {
            let len = numbers.below(700);
            let per = [2, 5, 10, 30, 100, 1000][numbers.below(6)];
            let src = damaged(&mut numbers, &text, len, per);
            let at = numbers.below(len + 1);
            let mut expected = [0; MARKS];
            let looked_at = portable::mark_errors(&src, at, &mut expected);
            assert_eq!(looked_at, (len - at).min(MARKS * STEP));
            let words = looked_at.div_ceil(STEP);
            let mut marks = [0; MARKS];
            if i % 20 == 0 {
                assert_eq!(mark_errors(Model, &src, at, &mut marks), looked_at);
                assert_eq!(marks[..words], expected[..words], "model, {at}: {src:02x?}");
            }
            for isa in Isa::available() {
                let kernels = Kernels::of(isa).expect("available");
                assert_eq!(kernels.mark_errors(&src, at, &mut marks), looked_at);
                assert_eq!(marks[..words], expected[..words], "{isa}, {at}: {src:02x?}");
            }
        }
    }
}
