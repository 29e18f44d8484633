//! UTF-8 with U+FFFD for ill-formed sequences, at one speed for one error and for many.
//!
//! There are two ways through a text, and the kernel changes between them as often as it has to.
//!
//! - Where errors are far apart, [`copy`](super::copy) checks and copies the text, writes U+FFFD for each and goes on
//!   behind it.
//! - Where they are near each other, **steps** of 58 bytes find each error by bitmaps. A window is 64 bytes; the middle 58
//!   of them are judged, because the sequence that a byte is in depends on up to three before it, and whether a lead byte is
//!   right on up to three after it. So nothing is carried from window to window, and no step waits for the one before it,
//!   except for where to write.
//!
//! # The bitmaps
//!
//! Three lookups of nibbles, of a byte and of the next, have one bit in common exactly if the first is a lead byte and the
//! second may follow it ([`FIRST_HIGH`]); the bit says how long the sequence is to be. With
//! `second`, `long` and `four` for the lead bytes of any length, of three or four, and of four bytes that are followed
//! so, and `cont` for continuation bytes:
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
//! A sequence breaks off where the next byte cannot follow, so `second` and `third` of a lead byte that is not complete are
//! just the bytes of its maximal subpart (Unicode Standard, chapter 3, table 3-8): the lead byte is the error, and
//! they are dropped with it. How much a step becomes is known from the bitmaps, `58 + 2 |errors| - |dropped|`, before
//! anything is written.
//!
//! # Writing
//!
//! Where bytes can be packed in registers, the dropped bytes are packed away, and so are their bits of `errors`. Up to
//! three errors fit into one block: if `b0`, `b1` and `b2` are the single bits of `errors`, the places of their EF are
//! `b0 | b1 << 2 | b2 << 4`, and to spread the bytes over all places but the two after each makes room for BF and BD.
//! For more than three, bytes are widened to lanes of 32 bits, errors are lanes of three bytes, and the bytes that are not
//! zero are packed. Neither way depends on the text by a branch that is hard to foresee.
//!
//! Elsewhere the stretches between errors are copied, a block each time.
//!
//! # Without a branch on errors
//!
//! At one error in a hundred bytes, whether a step has one is a coin tossed, and to guess wrong costs as much as half a
//! step. So nothing in a step depends on it: how many there were and where the first was are chosen, not branched to, and
//! whether the last steps were quiet is in the bits of a word. Where no two bytes that are not ASCII stood side by side for
//! some steps, that is in damaged ASCII, bytes that are not ASCII are errors, one each, and need no lookups
//! ([`Damage::single`]).
//!
//! # Measured
//!
//! 2026-11-21, Zen 4, GB/s of input on 80 KB in L2, one byte of a hundred damaged, mean of nine scripts:
//!
//! - AVX-512 6.9, AVX2 5.4, SSE4.1 3.3, `encoding_rs` 1.9; one of ten: AVX-512 5, `encoding_rs` 0.2;
//! - in ASCII with one damaged byte of a hundred 12.1, and 6.9 without going by [`Damage::single`]; packing the dropped
//!   away only where there are some: 6.6 for 6.2 on Arabic;
//! - all steps by lanes of 32 bits: 4.8, since each of four packings takes six cycles;
//! - a maximal subpart of two or three bytes as that many lanes (EF, BF BD), instead of packing the dropped away: 4.7,
//!   and 3.2 where one byte of ten is damaged, for the branch.

#![cfg_attr(
    all(not(test), not(target_arch = "x86_64")),
    allow(dead_code, reason = "AVX-512 alone packs and spreads bytes in registers")
)]

use super::copy::copy_blocks;
use super::marks::{MARKS, STEP};
use super::portable::replace::{self as portable, cut_off};
use super::validate::{BEHIND, Checker};
use super::{Mend, Moved, Replaced};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::simd::{BLOCK, Compress, Shuffle};

/// Room that one step may write to: three times its bytes, and a whole block at the last place.
const ROOM: usize = 256;
/// Stop taking steps after this many without an error (one bit per step).
const QUIET: u32 = 0b11_1111;
/// Use [`Damage::single`] after this many steps in which no two adjacent bytes are both non-ASCII (one bit per step).
const ALONE: u32 = 0xFF;
/// Take steps if errors are nearer to each other than this, in bytes and in the mean of the last ones.
const NEAR: usize = 160;
/// Errors further apart than this count as this far apart.
const FAR: usize = 512;
/// Take steps after this many errors without a byte between them.
const ROW: u32 = 8;

/// Copies UTF-8 and writes U+FFFD for each maximal subpart of an ill-formed sequence. Stops before a sequence that is
/// cut off, and where the next code point does not fit.
#[inline(always)]
pub(crate) fn replace_utf8<S: Shuffle>(simd: S, src: &[u8], dst: &mut [u8]) -> Replaced {
    replace(simd, Stretches, src, dst)
}

/// Copies UTF-8 and writes U+FFFD for each maximal subpart of an ill-formed sequence, where bytes can be packed and spread
/// in registers. Stops before a sequence that is cut off, and where the next code point does not fit.
#[inline(always)]
pub(crate) fn replace_utf8_in_registers<S: Compress>(simd: S, src: &[u8], dst: &mut [u8]) -> Replaced {
    replace(simd, Registers(simd), src, dst)
}

#[inline(always)]
fn replace<S: Shuffle, P: Put>(simd: S, put: P, src: &[u8], dst: &mut [u8]) -> Replaced {
    // Without the sequence that is cut off, whatever lacks a continuation byte is an error, at the end too.
    let src = src.get(..src.len() - cut_off(src)).unwrap_or_default();
    let judge = Judge::new(simd);
    let checker = Checker::new(simd);
    let mut all = Replaced::default();
    loop {
        let mut far = Far { distance: Distance::from(all.read), all };
        let mut done = Moved { read: all.read, written: all.written };
        let near = copy_blocks(checker, &mut far, src, dst, &mut done);
        all = Replaced { read: done.read, written: done.written, ..far.all };
        if !near || !steps(judge, put, src, dst, &mut all) {
            break;
        }
    }
    while edge(judge, put, src, dst, &mut all) {}
    if all.errors == 0 {
        all.first = 0;
    }
    all
}

/// Takes steps while errors are near each other. Whether it stopped at a border between sequences, and not because a
/// window or the room does not fit.
#[inline(always)]
fn steps<S: Shuffle, P: Put>(
    judge: Judge<S>,
    put: P,
    src: &[u8],
    dst: &mut [u8],
    all: &mut Replaced,
) -> bool {
    let mut pace = Pace::new();
    while pace.goes_on() {
        let window = all.read.checked_sub(BEHIND).and_then(|from| chunk_at!(src, from));
        let room = chunk_at_mut!(dst, all.written);
        let (Some(window), Some(room)) = (window, room) else { return false };
        let damage = pace.judge(judge, window);
        put.put(damage, window, room);
        all.add(STEP, damage);
    }
    // Back over a sequence that is not complete, of which the first bytes are already there.
    let back = unfinished(src, all.read);
    all.read -= back;
    all.written -= back;
    true
}

/// The last steps, a bit for each, the last one lowest.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// There is an error in it.
    restless: u32,
    /// Two adjacent bytes are both non-ASCII.
    paired: u32,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self { restless: u32::MAX, paired: 0 }
    }

    /// Whether errors are near each other.
    #[inline(always)]
    pub(super) fn goes_on(self) -> bool {
        self.restless & QUIET != 0
    }

    /// The ill-formed sequences of the next step.
    #[inline(always)]
    pub(super) fn judge<S: Shuffle>(&mut self, judge: Judge<S>, window: &Window) -> Damage {
        let non_ascii = judge.non_ascii(window);
        self.paired = self.paired << 1 | u32::from(non_ascii & non_ascii << 1 != 0);
        let alone = self.paired & ALONE == 0;
        let damage = if alone { Damage::single(non_ascii) } else { judge.damage(window, STEP) };
        self.restless = self.restless << 1 | u32::from(damage.errors != 0);
        damage
    }
}

/// The distances between the last errors.
#[derive(Clone, Copy)]
pub(super) struct Distance {
    /// The end of the last error.
    end: usize,
    /// The mean distance of the last errors, the latest weighing half.
    gap: usize,
    /// The number of errors with hardly anything between them.
    row: u32,
}

impl Distance {
    /// No error is near `start`.
    #[inline(always)]
    pub(super) fn from(start: usize) -> Self {
        Self { end: start, gap: FAR, row: 0 }
    }

    /// Whether errors are near each other, if one of `len` bytes is at `at`.
    #[inline(always)]
    pub(super) fn is_near(&mut self, at: usize, len: usize) -> bool {
        let gap = at - self.end;
        // One damaged sequence may be several errors.
        if gap < BEHIND {
            self.row += 1;
        } else {
            self.row = 0;
            self.gap = (self.gap + gap.min(FAR)) / 2;
        }
        self.end = at + len;
        self.gap < NEAR || self.row > ROW
    }
}

/// U+FFFD for each error, as long as they are far apart.
struct Far {
    distance: Distance,
    /// Counts the errors.
    all: Replaced,
}

impl Mend for Far {
    #[inline(always)]
    fn mend(&mut self, at: usize, len: usize, room: &mut [u8]) -> Option<Moved> {
        if self.distance.is_near(at, len) {
            return None;
        }
        *room.first_chunk_mut()? = *b"\xEF\xBF\xBD";
        self.all.count(1, at);
        Some(Moved { read: len, written: 3 })
    }
}

impl Replaced {
    /// Counts a step of `read` bytes of the source and `written` of the target, without a branch on whether there is an
    /// error in it, which nobody could foresee; so `first` means nothing as long as there was none.
    #[inline(always)]
    fn add(&mut self, len: usize, damage: Damage) {
        let first = self.read + damage.errors.trailing_zeros() as usize;
        self.first = if self.errors == 0 { first } else { self.first };
        self.errors += damage.errors.count_ones() as usize;
        self.read += len;
        self.written += damage.written(len);
    }
}

/// The ill-formed sequences of a step. Bit *i* is byte *i* of it.
#[derive(Clone, Copy)]
pub(super) struct Damage {
    /// The first byte of each maximal subpart.
    pub(super) errors: u64,
    /// The second and third bytes of maximal subparts.
    pub(super) dropped: u64,
}

impl Damage {
    /// The ill-formed sequences of a step where no two bytes that are not ASCII stand side by side in the window: all such
    /// bytes, which are counted from its first byte.
    #[inline(always)]
    fn single(non_ascii: u64) -> Self {
        Self { errors: non_ascii >> BEHIND & (u64::MAX >> (BLOCK - STEP)), dropped: 0 }
    }

    /// The number of bytes that a step of `len` becomes.
    #[inline(always)]
    fn written(self, len: usize) -> usize {
        len + 2 * self.errors.count_ones() as usize - self.dropped.count_ones() as usize
    }
}

/// A step and the bytes around it.
pub(super) type Window = [u8; BEHIND + 2 * BLOCK];

/// How a step is written.
trait Put: Copy {
    /// Writes the bytes from the fourth of the window on, with U+FFFD for errors and without the dropped bytes. The
    /// caller decides how much of it counts.
    fn put(self, damage: Damage, window: &Window, room: &mut [u8; ROOM]);
}

/// The block of the window that begins `BEFORE` bytes before the step.
#[inline(always)]
pub(super) fn block<const BEFORE: usize>(window: &Window) -> &[u8; BLOCK] {
    const { assert!(BEFORE <= BEHIND) };
    match chunk_at!(window, BEHIND - BEFORE) {
        Some(block) => block,
        None => unreachable!(),
    }
}

/// Finds and replaces ill-formed sequences, a window at a time.
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

    /// Which bytes from the first of the window on are not ASCII.
    #[inline(always)]
    fn non_ascii(&self, window: &Window) -> u64 {
        let simd = self.simd;
        simd.bits(simd.high_bit(simd.load(block::<3>(window))))
    }

    /// Judges the first `len` bytes after the first three of the window.
    #[inline(always)]
    fn damage(&self, window: &Window, len: usize) -> Damage {
        self.damage_of(block::<3>(window), block::<2>(window), len)
    }

    /// The ill-formed sequences of a step, given the 64 bytes from the first of the window on, and those from the
    /// second on.
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
        Damage { errors: errors >> BEHIND & judged, dropped: dropped >> BEHIND & judged }
    }
}

/// Writes by packing and spreading bytes in registers.
#[derive(Clone, Copy)]
struct Registers<S>(S);

impl<S: Compress> Put for Registers<S> {
    #[inline(always)]
    fn put(self, damage: Damage, window: &Window, room: &mut [u8; ROOM]) {
        let Self(simd) = self;
        let mut bytes = simd.load(block::<0>(window));
        let mut errors = damage.errors;
        if damage.dropped != 0 {
            bytes = simd.compress8(bytes, !damage.dropped);
            errors = simd.compress_bits(errors, !damage.dropped);
        }
        if errors.count_ones() <= 3 {
            let (rest, first) = (errors & errors.wrapping_sub(1), errors & errors.wrapping_neg());
            let (third, second) = (rest & rest.wrapping_sub(1), rest & rest.wrapping_neg());
            let at = first | second << 2 | third << 4;
            let bytes = simd.expand8(bytes, !(at << 1 | at << 2));
            let bytes = simd.select(simd.mask(at), simd.splat(0xEF), bytes);
            let bytes = simd.select(simd.mask(at << 1), simd.splat(0xBF), bytes);
            let bytes = simd.select(simd.mask(at << 2), simd.splat(0xBD), bytes);
            if let Some(to) = room.first_chunk_mut() {
                simd.store(bytes, to);
            }
            return;
        }
        let zero = simd.splat(0);
        let quads = simd.zip4_ordered([zero, zero, zero, simd.order_for_zip4(bytes)]);
        let whole = simd.splat32(0xBDBF_EF00);
        let mut at = 0;
        for (q, lanes) in quads.into_iter().enumerate() {
            let errors = (errors >> (16 * q) & 0xFFFF) as u32;
            let lanes = simd.select32(simd.mask32(errors), whole, lanes);
            if let Some(to) = chunk_at_mut!(room, at) {
                simd.pack_quads(lanes, to);
            }
            at += 16 + 2 * errors.count_ones() as usize;
        }
    }
}

/// Writes by copying the stretches between errors.
#[derive(Clone, Copy)]
struct Stretches;

impl Put for Stretches {
    #[inline(always)]
    fn put(self, damage: Damage, window: &Window, room: &mut [u8; ROOM]) {
        let Damage { mut errors, dropped } = damage;
        let mut from = dropped.trailing_ones() as usize;
        let mut to = 0;
        copy(window, from, room, to);
        while errors != 0 {
            let at = errors.trailing_zeros() as usize;
            to += at - from;
            if let Some(to) = chunk_at_mut!(room, to) {
                *to = *b"\xEF\xBF\xBD";
            }
            to += 3;
            from = at + 1 + (dropped >> at >> 1).trailing_ones() as usize;
            copy(window, from, room, to);
            errors &= errors - 1;
        }
    }
}

/// Copies a block from `from` of the step to `to`.
#[inline(always)]
pub(super) fn copy<const ROOM: usize>(window: &Window, from: usize, room: &mut [u8; ROOM], to: usize) {
    let from = chunk_at!(window, BEHIND + from, BLOCK);
    let to = chunk_at_mut!(room, to, BLOCK);
    if let (Some(from), Some(to)) = (from, to) {
        *to = *from;
    }
}

/// One step through buffers, where a window or the room does not fit. Whether there was one.
#[inline(always)]
fn edge<S: Shuffle, P: Put>(judge: Judge<S>, put: P, src: &[u8], dst: &mut [u8], all: &mut Replaced) -> bool {
    let rest = src.get(all.read..).unwrap_or_default();
    if rest.is_empty() {
        return false;
    }
    let mut window = [0; BEHIND + 2 * BLOCK];
    let back = all.read.min(BEHIND);
    let there = src.get(all.read - back..).unwrap_or_default();
    let there = there.get(..BLOCK + back).unwrap_or(there);
    if let Some(to) = window.get_mut(BEHIND - back..).and_then(|to| to.get_mut(..there.len())) {
        to.copy_from_slice(there);
    }
    let len = rest.len().min(STEP);
    let damage = judge.damage(&window, len);
    let mut buffer = [0; ROOM];
    put.put(damage, &window, &mut buffer);
    let written = damage.written(len);
    let from = buffer.get(..written);
    let to = dst.get_mut(all.written..).and_then(|to| to.get_mut(..written));
    if let (Some(from), Some(to)) = (from, to) {
        to.copy_from_slice(from);
        all.add(len, damage);
        return true;
    }
    fill(src, dst, all);
    false
}

/// The last bytes that fit.
#[cold]
#[inline(never)]
fn fill(src: &[u8], dst: &mut [u8], all: &mut Replaced) {
    let begun = cut_off(src.get(..all.read).unwrap_or_default());
    let start = all.read - begun;
    match src.get(start..).and_then(portable::ill_formed_len) {
        _ if begun == 0 => {}
        Some(len) if len > begun => all.read = start + len,
        Some(_) => {}
        None => {
            all.written -= begun;
            all.read = start;
        }
    }
    let (Some(src), Some(dst)) = (src.get(all.read..), dst.get_mut(all.written..)) else { return };
    let last = portable::replace_utf8(src, dst);
    if last.errors > 0 {
        all.count(last.errors, all.read + last.first);
    }
    all.read += last.read;
    all.written += last.written;
}

/// Marks where maximal subparts of ill-formed sequences begin: bit *i* of word *k* is for the byte `at + STEP * k + i`. A
/// sequence that is cut off counts as ill-formed. Returns how many bytes were looked at, which is all that there is room
/// for.
#[inline(always)]
pub(crate) fn mark_errors<S: Shuffle>(simd: S, src: &[u8], at: usize, marks: &mut [u64; MARKS]) -> usize {
    let judge = Judge::new(simd);
    let mut looked_at = 0;
    for mark in marks {
        let from = at + looked_at;
        let Some(rest) = src.get(from..).filter(|rest| !rest.is_empty()) else { break };
        let window = from.checked_sub(BEHIND).and_then(|from| src.get(from..)).and_then(<[u8]>::first_chunk);
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

/// Judges the first `len` bytes after the first three of a window that holds no more than is looked at.
#[inline(always)]
fn judge_narrow<S: Shuffle>(judge: Judge<S>, window: &[u8; BLOCK + 1], len: usize) -> Damage {
    match (window.first_chunk(), window.last_chunk()) {
        (Some(bytes), Some(next)) => judge.damage_of(bytes, next, len),
        _ => unreachable!(),
    }
}

/// The window of the step at `from`, with zeros where there is nothing.
#[inline(never)]
fn narrow(src: &[u8], from: usize) -> [u8; BLOCK + 1] {
    let mut window = [0; BLOCK + 1];
    let back = from.min(BEHIND);
    let there = src.get(from - back..).unwrap_or_default();
    let room = window.get_mut(BEHIND - back..).unwrap_or_default();
    let len = there.len().min(room.len());
    if let (Some(to), Some(there)) = (room.get_mut(..len), there.get(..len)) {
        to.copy_from_slice(there);
    }
    window
}

/// The length of the sequence before `at` that is not complete there. Otherwise, the text is well-formed up to `at`.
#[inline(always)]
pub(super) fn unfinished(src: &[u8], at: usize) -> usize {
    for (back, lead) in [(1, 0xC0), (2, 0xE0), (3, 0xF0)] {
        if src.get(at - back).is_some_and(|&byte| byte >= lead) {
            return back;
        }
    }
    0
}

// A lead byte and a byte that may follow it, a bit for each kind (table 3-7 of the standard). A table for each of three
// nibbles says which kinds it suits; two bytes have one kind at the most, because the nibbles of the first tell them
// apart. In order of length, so that a comparison tells how long the sequence is.
/// `C2..CF`, and any continuation byte.
const TWO_C: u8 = 1 << 0;
/// `D0..DF`.
const TWO_D: u8 = 1 << 1;
/// `E0`, and `A0..BF`.
const THREE_LOW: u8 = 1 << 2;
/// `E1..EC`, `EE` and `EF`, and any.
const THREE_ANY: u8 = 1 << 3;
/// `ED`, and `80..9F`.
const THREE_ED: u8 = 1 << 4;
/// `F0`, and `90..BF`.
const FOUR_LOW: u8 = 1 << 5;
/// `F1..F3`, and any.
const FOUR_ANY: u8 = 1 << 6;
/// `F4`, and `80..8F`.
const FOUR_HIGH: u8 = 1 << 7;
/// From here on, sequences are of three bytes or four.
const THREE: u8 = THREE_LOW;
/// From here on, of four.
const FOUR: u8 = FOUR_LOW;

/// The sequences that the high nibble of the first byte allows.
const FIRST_HIGH: [u8; 16] = {
    let mut table = [0; 16];
    table[0xC] = TWO_C;
    table[0xD] = TWO_D;
    table[0xE] = THREE_LOW | THREE_ANY | THREE_ED;
    table[0xF] = FOUR_LOW | FOUR_ANY | FOUR_HIGH;
    table
};

/// The sequences that the low nibble of the first byte allows.
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

/// The sequences that the high nibble of the second byte allows.
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
    use crate::kernels::portable::samples::{CLASSES, MIXED, Numbers, damaged};
    use crate::simd::model::Model;

    type Kernel = fn(&[u8], &mut [u8]) -> Replaced;

    type Boxed = Box<dyn Fn(&[u8], &mut [u8]) -> Replaced>;

    fn kernels() -> Vec<(String, Boxed)> {
        let model: Kernel = |src, dst| replace_utf8(Model, src, dst);
        let mut all: Vec<(String, Boxed)> = vec![
            ("model".to_owned(), Box::new(model)),
            (
                "model, in registers".to_owned(),
                Box::new(|src, dst| replace_utf8_in_registers(Model, src, dst)),
            ),
        ];
        for isa in Isa::available() {
            let kernels = Kernels::of(isa).expect("available");
            all.push((isa.to_string(), Box::new(move |src, dst| kernels.replace_utf8(src, dst))));
        }
        all
    }

    /// The bytes that each code point or error reads and writes, without a sequence that is cut off at the end.
    fn expected(src: &[u8], room: usize) -> (Replaced, Vec<u8>) {
        let mut all = Replaced::default();
        let mut out = Vec::new();
        let mut offset = 0;
        for chunk in src.utf8_chunks() {
            let bad = chunk.invalid().len();
            let cut = offset + chunk.valid().len() + bad == src.len()
                && bad > 0
                && core::str::from_utf8(chunk.invalid()).is_err_and(|e| e.error_len().is_none());
            for c in chunk.valid().chars() {
                if out.len() + c.len_utf8() > room {
                    all.written = out.len();
                    return (all, out);
                }
                out.extend(c.encode_utf8(&mut [0; 4]).bytes());
                all.read += c.len_utf8();
            }
            if bad > 0 && !cut {
                if out.len() + 3 > room {
                    break;
                }
                out.extend(b"\xEF\xBF\xBD");
                all.count(1, all.read);
                all.read += bad;
            }
            offset += chunk.valid().len() + bad;
        }
        all.written = out.len();
        (all, out)
    }

    fn check(name: &str, kernel: &dyn Fn(&[u8], &mut [u8]) -> Replaced, src: &[u8], dst: &mut [u8]) {
        let (all, out) = expected(src, dst.len());
        let got = kernel(src, dst);
        assert!(dst[..got.written.min(dst.len())] == out[..], "{name}: {src:02x?}");
        assert_eq!(got, all, "{name}: {} {src:02x?}", dst.len());
    }

    #[test]
    fn random_damage() {
        let text = MIXED.repeat(8);
        let mut dst = vec![0; 3 * text.len()];
        for (name, kernel) in kernels() {
            let mut numbers = Numbers::new(7);
            let count = if name.starts_with("model") { 300 } else { 6000 };
            for i in 0..count {
                let len = numbers.below(if i % 4 == 0 { 3000 } else { 300 });
                let per = [2, 5, 10, 30, 100, 1000][numbers.below(6)];
                let src = damaged(&mut numbers, &text, len, per);
                check(&name, &*kernel, &src, &mut dst);
                let room = numbers.below(2 * len + 2);
                check(&name, &*kernel, &src, &mut dst[..room]);
            }
        }
    }

    #[test]
    fn every_room() {
        let text = MIXED.repeat(2);
        let mut dst = vec![0; 3000];
        for (name, kernel) in kernels() {
            if name.starts_with("model") {
                continue;
            }
            let mut numbers = Numbers::new(9);
            for per in [3, 20, 1000] {
                let src = damaged(&mut numbers, &text, 700, per);
                for room in 0..1500 {
                    check(&name, &*kernel, &src, &mut dst[..room]);
                }
            }
        }
    }

    #[test]
    fn four_bytes_by_class_at_every_place() {
        let mut dst = [0; 1024];
        for (name, kernel) in kernels() {
            let model = name.starts_with("model");
            for (i, padding) in ["a", "é", "日", "😀"].into_iter().enumerate() {
                let text = padding.repeat(300 / padding.len());
                for at in (0..=130).chain([290, 293, 294, 295, 296]) {
                    let mut src = text.as_bytes().to_vec();
                    src.truncate(if at < 200 { 200 + at % 64 } else { 299 });
                    for (j, &first) in CLASSES.iter().enumerate() {
                        for (k, &second) in CLASSES.iter().enumerate() {
                            if (i + j + k + at) % (if model { 331 } else { 4 }) > 0 {
                                continue;
                            }
                            // The other two: over the places, each meets each.
                            let third = CLASSES[(i + k + at) % CLASSES.len()];
                            let fourth = CLASSES[(i + j + at / 3) % CLASSES.len()];
                            let there = src.len().min(at + 4) - at;
                            let before = src[at..at + there].to_vec();
                            src[at..at + there].copy_from_slice(&[first, second, third, fourth][..there]);
                            check(&name, &*kernel, &src, &mut dst);
                            src[at..at + there].copy_from_slice(&before);
                        }
                    }
                }
            }
        }
    }

    /// Errors far from others, each with one more sequence behind it, on both sides of every border of blocks and chunks.
    #[test]
    fn two_in_ascii_at_every_distance() {
        const LEN: usize = 900;
        const FIRST: [&[u8]; 7] = [b"\xFF", b"\xC3", b"\x80", b"\xE2", b"\xE2\x80", b"\xF0", b"\xF0\x9F\x98"];
        const SECOND: [&str; 3] = ["é", "“", "😀"];
        let mut dst = [0; 3 * LEN];
        for (name, kernel) in kernels() {
            let steps = if name.starts_with("model") { 61 } else { 1 };
            for (i, at) in (330..600).enumerate() {
                let distances = (1..8).chain(60..70).chain(124..134).chain([200, 255, 256, 257]);
                for (j, distance) in distances.enumerate().skip(i % steps).step_by(steps) {
                    let mut src = [b'a'; LEN];
                    let first = FIRST[(i + j) % FIRST.len()];
                    src[at..at + first.len()].copy_from_slice(first);
                    let after = at + first.len() + distance - 1;
                    for second in SECOND.iter().map(|text| text.as_bytes()).chain(FIRST) {
                        src[after..after + 4].fill(b'a');
                        src[after..after + second.len()].copy_from_slice(second);
                        check(&name, &*kernel, &src, &mut dst);
                    }
                }
            }
        }
    }

    #[test]
    fn three_bytes_at_the_end_and_between() {
        let mut dst = [0; 512];
        for (name, kernel) in kernels() {
            if name.starts_with("model") {
                continue;
            }
            // Where a window ends, and where the text does.
            for (len, at) in [(200, 57), (120, 117)] {
                let mut src = vec![b'a'; len];
                for &first in CLASSES {
                    for second in 0x7F..=0xFFu8 {
                        for &third in CLASSES {
                            src[at..at + 3].copy_from_slice(&[first, second, third]);
                            check(&name, &*kernel, &src, &mut dst);
                        }
                    }
                }
            }
        }
    }

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
