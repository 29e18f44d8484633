//! UTF-8 with U+FFFD for ill-formed sequences, at one speed for one error and for many.
//!
//! There are two ways through a text, and the kernel changes between them as often as it has to.
//!
//! - Where errors are far apart, [`copy`](super::copy) checks and copies the text, writes U+FFFD for each and goes on
//!   behind it.
//! - Where they are near each other, **steps** of 58 bytes find each error by the bitmaps of [`damage`](super::damage). A window is 64 bytes; the middle 58
//!   of them are judged, because the sequence that a byte is in depends on up to three before it, and whether a lead byte is
//!   right on up to three after it. So nothing is carried from window to window, and no step waits for the one before it,
//!   except for where to write.
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
//! # Measured
//!
//! 2026-11-21, Zen 4, GB/s of input on 80 KB in L2, one byte of a hundred damaged, mean of nine scripts:
//!
//! - AVX-512 6.9, AVX2 5.4, SSE4.1 3.3, `encoding_rs` 1.9; one of ten: AVX-512 5, `encoding_rs` 0.2;
//! - in ASCII with one damaged byte of a hundred 12.1, and 6.9 without taking bytes that are alone for errors; packing the dropped
//!   away only where there are some: 6.6 for 6.2 on Arabic;
//! - all steps by lanes of 32 bits: 4.8, since each of four packings takes six cycles;
//! - a maximal subpart of two or three bytes as that many lanes (EF, BF BD), instead of packing the dropped away: 4.7,
//!   and 3.2 where one byte of ten is damaged, for the branch.

#![cfg_attr(
    all(not(test), not(target_arch = "x86_64")),
    allow(dead_code, reason = "AVX-512 alone packs and spreads bytes in registers")
)]

use super::checker::{BEHIND, Checker};
use super::copy::copy_blocks;
use super::damage::{Damage, Distance, Judge, Pace, Window, block, unfinished};
use super::marks::STEP;
use super::portable::replace::{self as portable, cut_off};
use super::{Mend, Moved, Replaced};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::simd::{BLOCK, Compress, Shuffle};

/// Room that one step may write to: three times its bytes, and a whole block at the last place.
const ROOM: usize = 256;

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

/// How a step is written.
trait Put: Copy {
    /// Writes the bytes from the fourth of the window on, with U+FFFD for errors and without the dropped bytes. The
    /// caller decides how much of it counts.
    fn put(self, damage: Damage, window: &Window, room: &mut [u8; ROOM]);
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

#[cfg(test)]
mod tests {
    use super::*;

    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::kernels::portable::samples::{CLASSES, MIXED, Numbers, damaged, is_taken};
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
                    if !is_taken(i + j, 5) {
                        continue;
                    }
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
                        for (i, &third) in CLASSES.iter().enumerate() {
                            if !is_taken(i + usize::from(second), 1) {
                                continue;
                            }
                            src[at..at + 3].copy_from_slice(&[first, second, third]);
                            check(&name, &*kernel, &src, &mut dst);
                        }
                    }
                }
            }
        }
    }
}
