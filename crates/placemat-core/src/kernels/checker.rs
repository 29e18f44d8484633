//! Validation of UTF-8, a block or a chunk at a time.
//!
//! Whether a byte is allowed at its position depends on itself and the three bytes before it. Three
//! nibble lookups classify each pair of bytes (Keiser and Lemire, Validating UTF-8 in less than one
//! instruction per byte, 2021): each table contains the errors that its nibble allows, and an error
//! that all three allow is present. Third and fourth bytes of a sequence remain: two adjacent
//! continuation bytes are right exactly if there is a lead byte from `E0` up two bytes before, or
//! one from `F0` up three bytes before. `x.saturating_sub(n - 0x80)` has bit 7 set exactly if `x >=
//! n`, and bit 7 of the lookups means "two continuation bytes", so one XOR compares both.

use crate::ground::chunk::chunk_at;
use crate::simd::{BLOCK, Bitmap, Shuffle, ShuffleOps, SimdOps, lagging};

/// Number of preceding bytes on which a byte can depend: one less than the longest sequence.
pub(crate) const LOOKBACK_BYTES: usize = 3;

// The errors of a pair of bytes, one bit each. Three tables, one per nibble, contain the errors
// that the nibble allows; an error that all three allow is present.
/// The error of a lead byte before a byte that is not a continuation byte.
const MISSING_CONTINUATION: u8 = 1 << 0;
/// The error of ASCII before a continuation byte.
const UNEXPECTED_CONTINUATION: u8 = 1 << 1;
/// The error of `E0` before `80..9F`: an overlong sequence of three bytes.
const OVERLONG_3: u8 = 1 << 2;
/// The error of `F4..FF` before `90..BF`: a code point above U+10FFFF, or no lead byte.
const TOO_LARGE: u8 = 1 << 3;
/// The error of `ED` before `A0..BF`: a surrogate.
const SURROGATE: u8 = 1 << 4;
/// The error of `C0` or `C1` before a continuation byte: an overlong sequence of two bytes.
const OVERLONG_2: u8 = 1 << 5;
/// The error of `F0` before `80..8F`, an overlong sequence of four bytes; also of `F5..FF` before
/// `80..8F`, which is a different error, but no bit is left for it.
const OVERLONG_4: u8 = 1 << 6;
/// Two continuation bytes. Whether that is an error depends on the bytes before them.
const TWO_CONTINUE: u8 = 1 << 7;
/// The errors that do not depend on the low nibble of the first byte.
const ANY_LOW: u8 = MISSING_CONTINUATION | UNEXPECTED_CONTINUATION | TWO_CONTINUE;

/// The errors that the high nibble of the first byte allows.
const FIRST_HIGH: [u8; 16] = {
    let mut table = [UNEXPECTED_CONTINUATION; 16];
    let mut nibble = 0x8;
    while nibble < 0x10 {
        table[nibble] = match nibble {
            0x8..=0xB => TWO_CONTINUE,
            0xC => MISSING_CONTINUATION | OVERLONG_2,
            0xD => MISSING_CONTINUATION,
            0xE => MISSING_CONTINUATION | OVERLONG_3 | SURROGATE,
            _ => MISSING_CONTINUATION | TOO_LARGE | OVERLONG_4,
        };
        nibble += 1;
    }
    table
};

/// The errors that the low nibble of the first byte allows.
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

/// The errors that the high nibble of the second byte allows.
const SECOND_HIGH: [u8; 16] = {
    let mut table = [MISSING_CONTINUATION; 16];
    table[0x8] = UNEXPECTED_CONTINUATION | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | OVERLONG_4;
    table[0x9] = UNEXPECTED_CONTINUATION | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | TOO_LARGE;
    table[0xA] = UNEXPECTED_CONTINUATION | OVERLONG_2 | TWO_CONTINUE | SURROGATE | TOO_LARGE;
    table[0xB] = table[0xA];
    table
};

/// State of the validation of UTF-8: its tables, and the errors found so far.
#[derive(Clone, Copy)]
pub(crate) struct Checker<S: ShuffleOps> {
    pub(super) simd: S,
    first_high: S::HighTable,
    first_low: S::LowTable,
    second_high: S::HighTable,
    pub(super) errors: S::Block,
}

impl<S: ShuffleOps> Checker<S> {
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

    /// Checks the last 64 bytes of `window`; an incomplete sequence at its end passes.
    #[inline(always)]
    pub(crate) fn push(&mut self, window: &[u8; LOOKBACK_BYTES + BLOCK]) {
        let errors = self.errors_in(window);
        self.errors = self.simd.or(self.errors, errors);
    }

    /// Checks the last 32 bytes of each window. Also fails if one of them is greater than its
    /// counterpart in `highest`.
    #[inline(always)]
    pub(super) fn push_halves(
        &mut self,
        windows: [&[u8; LOOKBACK_BYTES + BLOCK / 2]; 2],
        highest: [&[u8; BLOCK / 2]; 2],
    ) {
        let simd = self.simd;
        macro_rules! lagging {
            ($back:literal) => {
                match windows.map(|window| chunk_at!(window, LOOKBACK_BYTES - $back)) {
                    [Some(low), Some(high)] => simd.load_halves([low, high]),
                    _ => unreachable!(),
                }
            };
        }
        let block = lagging!(0);
        self.fail_if(self.errors_of([block, lagging!(1), lagging!(2), lagging!(3)]));
        self.fail_if(simd.saturating_sub(block, simd.load_halves(highest)));
    }

    /// Checks the last 64 bytes of `window`, which must contain no byte above `EF`; an incomplete
    /// sequence at its end passes.
    #[inline(always)]
    pub(crate) fn push_three(&mut self, window: &[u8; LOOKBACK_BYTES + BLOCK]) {
        let errors = self.errors_in_three(window);
        self.errors = self.simd.or(self.errors, errors);
    }

    /// Returns non-zero bytes where one of the last 64 bytes of `window` is not allowed after the
    /// bytes before it. No byte may be above `EF`.
    #[inline(always)]
    pub(super) fn errors_in_three(&self, window: &[u8; LOOKBACK_BYTES + BLOCK]) -> S::Block {
        let simd = self.simd;
        self.errors_of_three([
            simd.load(lagging::<0>(window)),
            simd.load(lagging::<1>(window)),
            simd.load(lagging::<2>(window)),
        ])
    }

    /// Like [`errors_of`](Self::errors_of), if no byte is above `EF`.
    #[inline(always)]
    fn errors_of_three(&self, [byte, before1, before2]: [S::Block; 3]) -> S::Block {
        let simd = self.simd;
        let must = simd.reaches::<0xE0>(before2);
        simd.xor(simd.and(must, simd.splat(0x80)), self.pair(byte, before1))
    }

    /// Like [`errors_of`](Self::errors_of), if no byte is above `DF`.
    #[inline(always)]
    fn errors_of_two(&self, [byte, before1]: [S::Block; 2]) -> S::Block {
        let simd = self.simd;
        let must = simd.reaches::<0xC0>(before1);
        // Shifted like this, continuation bytes are C0 to FF, and no other byte is above 9F.
        let continues = simd.saturating_sub(simd.xor(byte, simd.splat(0x40)), simd.splat(0x40));
        // A previous byte C0 or C1: only these are above FD after subtracting C2.
        let never = simd.saturating_sub(simd.sub(before1, simd.splat(0xC2)), simd.splat(0xFD));
        simd.or(simd.and(simd.xor(must, continues), simd.splat(0x80)), never)
    }

    /// Checks the last `BLOCKS` blocks of `window`, which must contain no byte above `DF`; the
    /// third of its bytes must be neither `C0` nor `C1`. An incomplete sequence at the end passes.
    #[inline(always)]
    pub(super) fn push_two<const BLOCKS: usize, const WINDOW: usize>(&mut self, window: &[u8; WINDOW]) {
        let simd = self.simd;
        let (mut errors, mut highest) = (simd.splat(0), simd.splat(0));
        for i in 0..BLOCKS {
            let Some(window) = chunk_at!(window, i * BLOCK) else { unreachable!() };
            let (byte, before1) = (simd.load(lagging::<0>(window)), simd.load(lagging::<1>(window)));
            let must = simd.reaches::<0xC0>(before1);
            // After subtracting C2, lead bytes are 00 to 1D, ASCII is 3E to BD, and continuation
            // bytes are BE to FD. C0 and C1 become FE and FF: they pass as continuation bytes here,
            // but exceed the maximum.
            let moved = simd.sub(byte, simd.splat(0xC2));
            let continues = simd.reaches::<0xBE>(moved);
            errors = simd.or(errors, simd.xor(must, continues));
            highest = simd.max(highest, moved);
        }
        let errors = simd.and(errors, simd.splat(0x80));
        let never = simd.saturating_sub(highest, simd.splat(0xFD));
        self.errors = simd.or(self.errors, simd.or(errors, never));
    }

    /// Fails if any bit of `any` is set.
    #[inline(always)]
    pub(super) fn fail_if(&mut self, any: S::Block) {
        self.errors = self.simd.or(self.errors, any);
    }

    /// Checks the first block of a text; an incomplete sequence at its end passes.
    #[inline(always)]
    pub(crate) fn push_first(&mut self, block: S::Block) {
        let errors = self.errors_at_start(block);
        self.errors = self.simd.or(self.errors, errors);
    }

    /// Returns non-zero bytes where one of the last 64 bytes is not allowed after the bytes before
    /// it, or where the last sequence is incomplete.
    #[inline(always)]
    fn errors_at_end(&self, src: &[u8]) -> S::Block {
        let simd = self.simd;
        let Some(last) = src.last_chunk() else { return simd.splat(0xFF) };
        let last = simd.load(last);
        let errors = match src.last_chunk() {
            Some(window) => self.errors_in(window),
            // A text of 65 or 66 bytes: the first block has checked the first three bytes of the
            // last.
            None => simd.keep(simd.mask(S::Bits::of(u64::MAX << LOOKBACK_BYTES)), self.errors_at_start(last)),
        };
        simd.or(errors, truncated_leads(simd, last))
    }

    /// Checks the blocks after the first of a text longer than a block, and loads each of them
    /// once. Returns whether the text is well-formed and its last sequence complete.
    #[inline(always)]
    pub(super) fn finish_in_registers(mut self, src: &[u8]) -> bool {
        let simd = self.simd;
        let Some(first) = src.first_chunk() else { unreachable!() };
        let (mut before, mut at) = (simd.load(first), BLOCK);
        while at + BLOCK < src.len()
            && let Some(block) = chunk_at!(src, at)
        {
            let block = simd.load(block);
            self.push_after(before, block);
            (before, at) = (block, at + BLOCK);
        }
        let last = simd.load_partial(src.get(at..).unwrap_or_default());
        self.push_after(before, last);
        self.fail_if(truncated_leads(simd, last));
        !self.failed()
    }

    /// Checks a text of `BLOCKS` blocks, of which the last may be partial. Returns whether it is
    /// well-formed.
    ///
    /// The number of loads matters, because most of them cross a cache line.
    #[inline(always)]
    pub(super) fn push_blocks<const BLOCKS: usize>(mut self, src: &[u8]) -> bool {
        let simd = self.simd;
        let (mut blocks, mut all) = ([simd.splat(0); BLOCKS], simd.splat(0));
        for (i, block) in blocks.iter_mut().enumerate() {
            let rest = src.get(i * BLOCK..).unwrap_or_default();
            *block = match rest.first_chunk() {
                Some(whole) if i + 1 < BLOCKS => simd.load(whole),
                _ => simd.load_partial(rest),
            };
            all = simd.or(all, *block);
        }
        if !simd.any_high_bit(all) {
            return true;
        }
        self.push_first(blocks[0]);
        for pair in blocks.windows(2) {
            self.push_after(pair[0], pair[1]);
        }
        self.fail_if(truncated_leads(simd, blocks[BLOCKS - 1]));
        !self.failed()
    }

    /// Checks a block that follows the block `before`; an incomplete sequence at its end passes.
    #[inline(always)]
    pub(super) fn push_after(&mut self, before: S::Block, block: S::Block) {
        self.fail_if(self.errors_after(before, block));
    }

    /// The token of the level.
    #[inline(always)]
    pub(crate) fn simd(&self) -> S {
        self.simd
    }

    /// Returns the length of the longest sequence that can end in a chunk that is not all ASCII:
    /// two, three or four. `before` are the three bytes before the chunk, and `highest` has its
    /// byte-wise maximum. Returns two only if [`push_two`](Self::push_two) can check the chunk.
    #[inline(always)]
    pub(super) fn longest(&self, before: [u8; LOOKBACK_BYTES], highest: S::Block) -> u8 {
        let simd = self.simd;
        let [first, second, third] = before;
        let highest_before = first.max(second).max(third);
        if !simd.any_from::<0xE0>(highest) && highest_before < 0xE0 && third & 0xFE != 0xC0 {
            2
        } else if highest_before < 0xF0 && !simd.any_from::<0xF0>(highest) {
            3
        } else {
            4
        }
    }

    /// Checks the blocks of `window`, which contain no sequence longer than `LONGEST` bytes. An
    /// incomplete sequence at the end passes.
    #[inline(always)]
    pub(super) fn push_longest<const LONGEST: u8, const BLOCKS: usize, const WINDOW: usize>(
        &mut self,
        window: &[u8; WINDOW],
    ) {
        if LONGEST == 2 {
            self.push_two::<BLOCKS, WINDOW>(window);
            return;
        }
        for i in 0..BLOCKS {
            let Some(window) = chunk_at!(window, i * BLOCK) else { unreachable!() };
            if LONGEST == 3 {
                self.push_three(window);
            } else {
                self.push(window);
            }
        }
    }

    /// Checks the blocks of `window`, which contain no sequence longer than `longest` bytes. An
    /// incomplete sequence at the end passes.
    #[inline(always)]
    pub(super) fn push_chunk<const BLOCKS: usize, const WINDOW: usize>(
        &mut self,
        window: &[u8; WINDOW],
        longest: u8,
    ) {
        match longest {
            2 => self.push_longest::<2, BLOCKS, WINDOW>(window),
            3 => self.push_longest::<3, BLOCKS, WINDOW>(window),
            _ => self.push_longest::<4, BLOCKS, WINDOW>(window),
        }
    }

    /// Whether any error was found so far.
    #[inline(always)]
    pub(crate) fn failed(&self) -> bool {
        self.simd.any_bit(self.errors)
    }

    /// Returns non-zero bytes where one of the last 64 bytes of `window` is not allowed after the
    /// bytes before it.
    #[inline(always)]
    pub(crate) fn errors_in(&self, window: &[u8; LOOKBACK_BYTES + BLOCK]) -> S::Block {
        let simd = self.simd;
        self.errors_of([
            simd.load(lagging::<0>(window)),
            simd.load(lagging::<1>(window)),
            simd.load(lagging::<2>(window)),
            simd.load(lagging::<3>(window)),
        ])
    }

    /// Returns non-zero bytes where a byte of the first block of a text is not allowed after the
    /// bytes before it.
    #[inline(always)]
    pub(crate) fn errors_at_start(&self, block: S::Block) -> S::Block {
        self.errors_after(self.simd.splat(0), block)
    }

    /// Returns non-zero bytes where a byte of a block is not allowed after the bytes before it; the
    /// first three depend on the block `before`.
    #[inline(always)]
    fn errors_after(&self, before: S::Block, block: S::Block) -> S::Block {
        let simd = self.simd;
        self.errors_of([
            block,
            simd.after::<1>(before, block),
            simd.after::<2>(before, block),
            simd.after::<3>(before, block),
        ])
    }

    /// Returns non-zero bytes where a byte is not allowed after the bytes one, two and three
    /// positions before it, which the other three blocks contain.
    #[inline(always)]
    pub(crate) fn errors_of(&self, [byte, before1, before2, before3]: [S::Block; 4]) -> S::Block {
        let simd = self.simd;
        let pair = self.pair(byte, before1);
        // Bit 7 is set where the byte must be a third or fourth byte of a sequence. The other bits
        // are unspecified.
        let third = simd.reaches::<0xE0>(before2);
        let fourth = simd.reaches::<0xF0>(before3);
        let must = simd.and(simd.or(third, fourth), simd.splat(0x80));
        simd.xor(must, pair)
    }

    /// The errors of each byte and the byte before it; bit 7 means that both are continuation
    /// bytes.
    #[inline(always)]
    pub(super) fn pair(&self, byte: S::Block, before1: S::Block) -> S::Block {
        let simd = self.simd;
        let first =
            simd.and(simd.lookup_high(self.first_high, before1), simd.lookup_low(self.first_low, before1));
        simd.and(first, simd.lookup_high(self.second_high, byte))
    }
}

/// The checks that find the place of an error in a bitmap.
impl<S: Shuffle> Checker<S> {
    /// Checks a text longer than a block. Returns `None` if it is well-formed as a whole; otherwise
    /// an offset up to which it is well-formed or ends with an incomplete sequence.
    #[inline(always)]
    pub(super) fn finish(self, src: &[u8]) -> Option<usize> {
        let simd = self.simd;
        let Some(first) = src.first_chunk() else { return Some(0) };
        if simd.any_bit(self.errors_at_start(simd.load(first))) {
            return Some(0);
        }
        let mut at = BLOCK;
        while at + BLOCK < src.len()
            && let Some(window) = window_at(src, at)
        {
            if simd.any_bit(self.errors_in(window)) {
                return Some(at + self.first_error(window));
            }
            at += BLOCK;
        }
        simd.any_bit(self.errors_at_end(src)).then_some(at)
    }

    /// Like [`finish`](Self::finish), for the bytes from `at` (at least [`LOOKBACK_BYTES`]) to the
    /// end, which may be less than a block away. Skips ASCII.
    #[inline(always)]
    pub(super) fn finish_sparse(self, src: &[u8], mut at: usize) -> Option<usize> {
        let simd = self.simd;
        while at + BLOCK < src.len()
            && let Some(window) = window_at(src, at)
        {
            let all = simd.or(simd.load(lagging::<0>(window)), simd.load(lagging::<3>(window)));
            if simd.any_high_bit(all) && simd.any_bit(self.errors_in(window)) {
                return Some(at + self.first_error(window));
            }
            at += BLOCK;
        }
        simd.any_bit(self.errors_at_end(src)).then_some(at)
    }

    /// Returns a bitmap per block of the bytes of a chunk that are not allowed after the bytes
    /// before them, or `None` if all are. `blocks` are the blocks of the chunk, and `highest` has
    /// their byte-wise maximum.
    ///
    /// The caller stores while this function loads: a load waits for a recent store if their
    /// addresses agree in the low twelve bits, and loads that cross cache lines bound the rest. So
    /// where one or two instructions suffice, the preceding bytes come from registers.
    #[inline(always)]
    pub(crate) fn errors_in_chunk<const BLOCKS: usize, const WINDOW: usize>(
        mut self,
        window: &[u8; WINDOW],
        blocks: &[S::Block; BLOCKS],
        highest: S::Block,
    ) -> Option<[u64; BLOCKS]> {
        let simd = self.simd;
        let mut bits = [0; BLOCKS];
        if !S::MASK_REGISTERS {
            // Sixteen registers cannot keep the errors of each block; locating them again is rare.
            self.errors = simd.splat(0);
            let Some(before) = window.first_chunk() else { unreachable!() };
            self.push_chunk::<BLOCKS, WINDOW>(window, self.longest(*before, highest));
            if !self.failed() {
                return None;
            }
            for (i, bits) in bits.iter_mut().enumerate() {
                let Some(window) = chunk_at!(window, i * BLOCK) else { unreachable!() };
                *bits = simd.non_zero(self.errors_in(window));
            }
            return Some(bits);
        }
        let Some(&[first, second, third]) = window.first_chunk() else { unreachable!() };
        let highest_before = first.max(second).max(third);
        let mut errors = [simd.splat(0); BLOCKS];
        macro_rules! check {
            ($check:ident, $($back:literal),*) => {
                let Some(window) = window.first_chunk() else { unreachable!() };
                errors[0] = self.$check([blocks[0] $(, simd.load(lagging::<$back>(window)))*]);
                for i in 1..BLOCKS {
                    errors[i] = self.$check([blocks[i] $(, simd.after::<$back>(blocks[i - 1], blocks[i]))*]);
                }
            };
        }
        if !simd.any_from::<0xE0>(highest) && highest_before < 0xE0 {
            check!(errors_of_two, 1);
        } else if highest_before < 0xF0 && !simd.any_from::<0xF0>(highest) {
            check!(errors_of_three, 1, 2);
        } else {
            check!(errors_of, 1, 2, 3);
        }
        let mut any = simd.splat(0);
        for errors in &errors {
            any = simd.or(any, *errors);
        }
        if !simd.any_bit(any) {
            return None;
        }
        for (bits, errors) in bits.iter_mut().zip(&errors) {
            *bits = simd.non_zero(*errors);
        }
        Some(bits)
    }

    /// Number of bytes after the first three of `window` that precede the first error.
    #[inline(always)]
    pub(super) fn first_error<const WINDOW: usize>(&self, window: &[u8; WINDOW]) -> usize {
        let simd = self.simd;
        let mut first = WINDOW - LOOKBACK_BYTES;
        // From the end, so that no branch depends on which block has the error.
        for i in (0..WINDOW / BLOCK).rev() {
            let Some(window) = chunk_at!(window, i * BLOCK) else { unreachable!() };
            let errors = simd.non_zero(self.errors_in(window));
            first = if errors == 0 { first } else { i * BLOCK + errors.trailing_zeros() as usize };
        }
        first
    }
}

/// Returns non-zero bytes at the lead byte of a sequence that the end of the block truncates.
#[inline(always)]
pub(super) fn truncated_leads<S: SimdOps>(simd: S, block: S::Block) -> S::Block {
    simd.saturating_sub(block, simd.load(&const { highest_of_complete() }))
}

/// The highest byte allowed at each position if no sequence is incomplete at the end.
pub(super) const fn highest_of_complete<const LEN: usize>() -> [u8; LEN] {
    let mut highest = [0xFF; LEN];
    (highest[LEN - 3], highest[LEN - 2], highest[LEN - 1]) = (0xEF, 0xDF, 0xBF);
    highest
}

/// Whether a sequence is incomplete after these three bytes.
#[inline(always)]
pub(crate) fn is_unfinished(before: [u8; LOOKBACK_BYTES]) -> bool {
    (before[2] >= 0xC0) | (before[1] >= 0xE0) | (before[0] >= 0xF0)
}

/// Returns `WINDOW` bytes: three before `at`, and the following bytes, if the text has that many.
#[inline(always)]
pub(super) fn window_at<const WINDOW: usize>(src: &[u8], at: usize) -> Option<&[u8; WINDOW]> {
    src.get(at.checked_sub(LOOKBACK_BYTES)?..)?.first_chunk()
}
