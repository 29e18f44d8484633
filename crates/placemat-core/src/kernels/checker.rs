//! The check of UTF-8, a block or a chunk at a time.
//!
//! Whether a byte is in its place can be seen from itself and the three before it. Two bytes in a row are judged by
//! three lookups of nibbles (Keiser and Lemire, Validating UTF-8 in less than one instruction per byte, 2021): each
//! table says which errors its nibble allows, and an error that all three allow is there. That leaves the third and fourth
//! bytes of a sequence: two continuation bytes in a row are right exactly if there is a lead byte from `E0` two bytes
//! before or one from `F0` three bytes before. `x.saturating_sub(n - 0x80)` has bit 7 set exactly if `x >= n`, and bit
//! 7 of the lookups says "two continuation bytes", so one exclusive or compares both.

use crate::ground::chunk::chunk_at;
use crate::simd::{BLOCK, Shuffle, Simd, lagging};

/// The number of preceding bytes that a byte can depend on: the longest sequence less one.
pub(crate) const BEHIND: usize = 3;

// The errors that two bytes in a row can have, a bit each. A table for each of three nibbles says which errors the nibble
// allows; an error that all three allow is there.
/// A lead byte before a byte that is not a continuation byte.
const TOO_SHORT: u8 = 1 << 0;
/// ASCII before a continuation byte.
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
/// A continuation byte after another. Whether that is wrong depends on the bytes before them.
const TWO_CONTINUE: u8 = 1 << 7;
/// The errors that do not depend on the low nibble of the first byte.
const ANY_LOW: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUE;

/// The errors that the high nibble of the first byte allows.
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
    let mut table = [TOO_SHORT; 16];
    table[0x8] = TOO_LONG | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | OVERLONG_4;
    table[0x9] = TOO_LONG | OVERLONG_2 | TWO_CONTINUE | OVERLONG_3 | TOO_LARGE;
    table[0xA] = TOO_LONG | OVERLONG_2 | TWO_CONTINUE | SURROGATE | TOO_LARGE;
    table[0xB] = table[0xA];
    table
};

/// The check of UTF-8: its tables, and the errors found so far.
#[derive(Clone, Copy)]
pub(crate) struct Checker<S: Shuffle> {
    pub(super) simd: S,
    first_high: S::HighTable,
    first_low: S::LowTable,
    second_high: S::HighTable,
    pub(super) errors: S::Block,
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

    /// Looks at the last 32 bytes of each window. Fails too where one of them is above that in `highest`.
    #[inline(always)]
    pub(super) fn push_halves(
        &mut self,
        windows: [&[u8; BEHIND + BLOCK / 2]; 2],
        highest: [&[u8; BLOCK / 2]; 2],
    ) {
        let simd = self.simd;
        macro_rules! lagging {
            ($lagging:literal) => {
                match windows.map(|window| chunk_at!(window, BEHIND - $lagging)) {
                    [Some(low), Some(high)] => simd.load_halves([low, high]),
                    _ => unreachable!(),
                }
            };
        }
        let block = lagging!(0);
        self.fail_if(self.errors_of([block, lagging!(1), lagging!(2), lagging!(3)]));
        self.fail_if(simd.saturating_sub(block, simd.load_halves(highest)));
    }

    /// Looks at the last 64 bytes of `window`, of which no byte is above `EF`; a sequence that begins there and is not
    /// complete passes.
    #[inline(always)]
    pub(crate) fn push_three(&mut self, window: &[u8; BEHIND + BLOCK]) {
        let errors = self.errors_in_three(window);
        self.errors = self.simd.or(self.errors, errors);
    }

    /// Bytes that are not zero where a byte of the last 64 of `window` cannot stand after those before it, if none is
    /// above `EF`.
    #[inline(always)]
    pub(super) fn errors_in_three(&self, window: &[u8; BEHIND + BLOCK]) -> S::Block {
        let simd = self.simd;
        self.errors_of_three([
            simd.load(lagging::<0>(window)),
            simd.load(lagging::<1>(window)),
            simd.load(lagging::<2>(window)),
        ])
    }

    /// [`errors_of`](Self::errors_of) if no byte is above `EF`.
    #[inline(always)]
    fn errors_of_three(&self, [byte, before1, before2]: [S::Block; 3]) -> S::Block {
        let simd = self.simd;
        let must = simd.reaches::<0xE0>(before2);
        simd.xor(simd.and(must, simd.splat(0x80)), self.pair(byte, before1))
    }

    /// [`errors_of`](Self::errors_of) if no byte is above `DF`.
    #[inline(always)]
    fn errors_of_two(&self, [byte, before1]: [S::Block; 2]) -> S::Block {
        let simd = self.simd;
        let must = simd.reaches::<0xC0>(before1);
        // Moved by this, continuation bytes are C0..FF, and no other byte is above 9F.
        let continues = simd.saturating_sub(simd.xor(byte, simd.splat(0x40)), simd.splat(0x40));
        // C0 or C1 before: less C2, they alone are above FD.
        let never = simd.saturating_sub(simd.sub(before1, simd.splat(0xC2)), simd.splat(0xFD));
        simd.or(simd.and(simd.xor(must, continues), simd.splat(0x80)), never)
    }

    /// Looks at the last `BLOCKS` blocks of `window`, of which no byte is above `DF`, and of whose first three bytes
    /// the last is neither `C0` nor `C1`; a sequence that begins there and is not complete passes.
    #[inline(always)]
    pub(super) fn push_two<const BLOCKS: usize, const WINDOW: usize>(&mut self, window: &[u8; WINDOW]) {
        let simd = self.simd;
        let (mut errors, mut highest) = (simd.splat(0), simd.splat(0));
        for i in 0..BLOCKS {
            let Some(window) = chunk_at!(window, i * BLOCK) else { unreachable!() };
            let (byte, before1) = (simd.load(lagging::<0>(window)), simd.load(lagging::<1>(window)));
            let must = simd.reaches::<0xC0>(before1);
            // Less C2, lead bytes are 00..1D, ASCII is 3E..BD, and continuation bytes are BE..FD. C0 and C1 are FE and FF:
            // they pass for continuation bytes here, but are above them.
            let moved = simd.sub(byte, simd.splat(0xC2));
            let continues = simd.reaches::<0xBE>(moved);
            errors = simd.or(errors, simd.xor(must, continues));
            highest = simd.max(highest, moved);
        }
        let errors = simd.and(errors, simd.splat(0x80));
        let never = simd.saturating_sub(highest, simd.splat(0xFD));
        self.errors = simd.or(self.errors, simd.or(errors, never));
    }

    /// Fails if any bit is set.
    #[inline(always)]
    pub(super) fn fail_if(&mut self, any: S::Block) {
        self.errors = self.simd.or(self.errors, any);
    }

    /// Looks at the first block of a text; a sequence that begins there and is not complete passes.
    #[inline(always)]
    pub(crate) fn push_first(&mut self, block: S::Block) {
        let errors = self.errors_at_start(block);
        self.errors = self.simd.or(self.errors, errors);
    }

    /// Checks a text longer than a block. Returns `None` if all of it is well-formed and its last sequence is
    /// complete; otherwise an offset up to which the text is well-formed or truncated.
    #[inline(always)]
    pub(super) fn finish(self, src: &[u8]) -> Option<usize> {
        let simd = self.simd;
        let Some(first) = src.first_chunk() else { unreachable!() };
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

    /// Bytes that are not zero where one of the last 64 cannot stand after those before it, or the last sequence is not complete.
    #[inline(always)]
    fn errors_at_end(&self, src: &[u8]) -> S::Block {
        let simd = self.simd;
        let Some(last) = src.last_chunk() else { unreachable!() };
        let last = simd.load(last);
        let errors = match src.last_chunk() {
            Some(window) => self.errors_in(window),
            // Of 65 or 66 bytes; the first three of the last block were looked at in the first.
            None => simd.keep(simd.mask(u64::MAX << BEHIND), self.errors_at_start(last)),
        };
        simd.or(errors, cut_off(simd, last))
    }

    /// [`finish`](Self::finish) for the bytes from `at` on, at least [`BEHIND`], to the end, which may be less than a block away. Passes over
    /// ASCII.
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

    /// Looks at the blocks after the first of a text longer than a block, each of which is loaded once. Whether all is well-formed,
    /// and the last sequence complete.
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
        self.fail_if(cut_off(simd, last));
        !self.failed()
    }

    /// Looks at a text of `BLOCKS` blocks, of which the last may be partial. Whether it is well-formed.
    ///
    /// Each load counts, for most go over the border of a cache line.
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
        self.fail_if(cut_off(simd, blocks[BLOCKS - 1]));
        !self.failed()
    }

    /// Looks at a block, of which the bytes before it are the last of the block `before`; a sequence that begins there and is not
    /// complete passes.
    #[inline(always)]
    fn push_after(&mut self, before: S::Block, block: S::Block) {
        self.fail_if(self.errors_after(before, block));
    }

    /// The level's operations.
    #[inline(always)]
    pub(crate) fn simd(&self) -> S {
        self.simd
    }

    /// The length of the longest sequence that a chunk, which is not all ASCII, can end: two, three or four. The three bytes
    /// before it are `before`, and its highest ones in `highest`. Two only if [`push_two`](Self::push_two) can tell.
    #[inline(always)]
    pub(super) fn longest(&self, before: [u8; BEHIND], highest: S::Block) -> u8 {
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

    /// Looks at the blocks of `window`, in which no sequence is longer than `LONGEST`. A sequence that begins there and is not
    /// complete passes.
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

    /// Looks at the blocks of `window`, in which no sequence is longer than `longest`. A sequence that begins there and is not
    /// complete passes.
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

    /// Which bytes of a chunk cannot stand after those before them, a bitmap for each block, if there are any.
    /// `blocks` are those of the chunk, and `highest` their highest bytes.
    ///
    /// The caller stores while this reads: a load waits for a store just before it if their addresses have the low twelve bits in
    /// common, and loads across lines bound the rest. So where it takes one or two instructions, the bytes before are moved out of
    /// registers.
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
            // Sixteen registers cannot keep the errors of each block apart, and to find them once more is seldom.
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
            ($check:ident, $($lagging:literal),*) => {
                let Some(window) = window.first_chunk() else { unreachable!() };
                errors[0] = self.$check([blocks[0] $(, simd.load(lagging::<$lagging>(window)))*]);
                for i in 1..BLOCKS {
                    errors[i] = self.$check([blocks[i] $(, simd.after::<$lagging>(blocks[i - 1], blocks[i]))*]);
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

    /// Whether anything so far was ill-formed.
    #[inline(always)]
    pub(crate) fn failed(&self) -> bool {
        self.simd.any_bit(self.errors)
    }

    /// The number of bytes after the first three of `window` that can follow the bytes before them.
    #[inline(always)]
    pub(super) fn first_error<const WINDOW: usize>(&self, window: &[u8; WINDOW]) -> usize {
        let simd = self.simd;
        let mut first = WINDOW - BEHIND;
        // From the end, so that no branch depends on which block it is.
        for i in (0..WINDOW / BLOCK).rev() {
            let Some(window) = chunk_at!(window, i * BLOCK) else { unreachable!() };
            let errors = simd.non_zero(self.errors_in(window));
            first = if errors == 0 { first } else { i * BLOCK + errors.trailing_zeros() as usize };
        }
        first
    }

    /// Bytes that are not zero where a byte of the last 64 of `window` cannot stand after those before it.
    #[inline(always)]
    pub(crate) fn errors_in(&self, window: &[u8; BEHIND + BLOCK]) -> S::Block {
        let simd = self.simd;
        self.errors_of([
            simd.load(lagging::<0>(window)),
            simd.load(lagging::<1>(window)),
            simd.load(lagging::<2>(window)),
            simd.load(lagging::<3>(window)),
        ])
    }

    /// Bytes that are not zero where a byte of the first block of a text cannot stand after those before it.
    #[inline(always)]
    pub(crate) fn errors_at_start(&self, block: S::Block) -> S::Block {
        self.errors_after(self.simd.splat(0), block)
    }

    /// Bytes that are not zero where a byte of a block cannot stand after those before it, of which the block before has the last.
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

    /// Bytes that are not zero where a byte of a block cannot stand after those one, two and three before it, which are
    /// the other three blocks.
    #[inline(always)]
    pub(crate) fn errors_of(&self, [byte, before1, before2, before3]: [S::Block; 4]) -> S::Block {
        let simd = self.simd;
        let pair = self.pair(byte, before1);
        // Bit 7 is set where the byte must be the second or third continuation byte. The other bits are anything.
        let third = simd.reaches::<0xE0>(before2);
        let fourth = simd.reaches::<0xF0>(before3);
        let must = simd.and(simd.or(third, fourth), simd.splat(0x80));
        simd.xor(must, pair)
    }

    /// The errors of each byte and the one before it, and in bit 7 whether both are continuation bytes.
    #[inline(always)]
    pub(super) fn pair(&self, byte: S::Block, before1: S::Block) -> S::Block {
        let simd = self.simd;
        let first =
            simd.and(simd.lookup_high(self.first_high, before1), simd.lookup_low(self.first_low, before1));
        simd.and(first, simd.lookup_high(self.second_high, byte))
    }
}

/// Bytes that are not zero where a sequence begins that the end of the block cuts off.
#[inline(always)]
pub(super) fn cut_off<S: Simd>(simd: S, block: S::Block) -> S::Block {
    simd.saturating_sub(block, simd.load(&const { highest_of_complete() }))
}

/// The highest byte that each place can have if no sequence is cut off at the end.
pub(super) const fn highest_of_complete<const LEN: usize>() -> [u8; LEN] {
    let mut highest = [0xFF; LEN];
    (highest[LEN - 3], highest[LEN - 2], highest[LEN - 1]) = (0xEF, 0xDF, 0xBF);
    highest
}

/// Whether a sequence is not complete at `at`, so far as the three bytes before it tell.
#[inline(always)]
pub(crate) fn is_unfinished(before: [u8; BEHIND]) -> bool {
    (before[2] >= 0xC0) | (before[1] >= 0xE0) | (before[0] >= 0xF0)
}

/// The three bytes before `at` and those from there on, `WINDOW` in all, if the text has that many.
#[inline(always)]
pub(super) fn window_at<const WINDOW: usize>(src: &[u8], at: usize) -> Option<&[u8; WINDOW]> {
    src.get(at.checked_sub(BEHIND)?..)?.first_chunk()
}
