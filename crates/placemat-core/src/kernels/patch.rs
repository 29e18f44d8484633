//! Copies of UTF-8 with a short replacement, such as U+FFFD, for each ill-formed sequence; as fast
//! for many errors as for one.
//!
//! There are two methods, and the kernel switches between them as the text requires.
//!
//! - Where errors are far apart, [`copy`](super::copy) checks and copies the text, writes the
//!   replacement for each error and continues after it.
//! - Where errors are near each other, **steps** of 58 bytes find each error by the bitmaps of
//!   [`damage`](super::damage). A window is 64 bytes, of which the middle 58 get a verdict, because
//!   the sequence of a byte depends on up to three bytes before it, and the validity of a lead byte
//!   on up to three after it. So no window passes state to the next, and a step depends on the
//!   previous one only for its write position.
//!
//! A step copies the stretches between errors, a block at a time, and writes each replacement as
//! four bytes; the next stretch or replacement overwrites those that do not belong to it. Plain
//! code converts the last bytes, and bytes that barely fit.
//!
//! On levels that pack bytes in registers, and for steps with more than two errors, each byte
//! becomes a lane of four bytes that ends with the byte or its replacement, and packing removes the
//! zeros before it. Replacements of at most one byte need no lanes.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only AVX-512 packs bytes in registers"))]

use super::checker::{Checker, LOOKBACK_BYTES};
use super::copy::copy_blocks;
use super::damage::{Damage, Distance, Judge, Pace, Window, block, unfinished};
use super::marks::STEP;
use super::portable::patch::{self as portable, ill_formed_len, incomplete_len};
use super::{Mend, Moved, Patched, TextRoom};
use crate::ground::chunk::{chunk_at, chunk_at_mut};
use crate::ground::patch::{Patch, Short};
use crate::simd::{BLOCK, Compress, Shuffle, Slot};

/// Bytes that a step may write: a replacement for each byte, and a whole block at the last
/// position.
const ROOM_BYTES: usize = STEP * Short::MAX + BLOCK;

/// Copies UTF-8, with the replacements of `patch` for each maximal subpart of an ill-formed
/// sequence. Stops before an incomplete sequence at the end, and where the next code point or the
/// replacements of an error do not fit.
#[inline(always)]
pub(crate) fn patch_utf8<S: Shuffle>(simd: S, src: &[u8], dst: &mut [Slot], patch: Patch) -> Patched {
    patch_by(simd, Stretches, src, dst, patch)
}

/// Like [`patch_utf8`], on levels that pack bytes in registers.
#[inline(always)]
pub(crate) fn patch_utf8_in_registers<S: Compress>(
    simd: S,
    src: &[u8],
    dst: &mut [Slot],
    patch: Patch,
) -> Patched {
    patch_by(simd, Registers(simd), src, dst, patch)
}

#[inline(always)]
fn patch_by<S: Shuffle, P: Put>(simd: S, put: P, src: &[u8], dst: &mut [Slot], patch: Patch) -> Patched {
    // Without an incomplete sequence at the end, every sequence that lacks a continuation byte is
    // an error, at the end too.
    let (whole, src) = (src, src.get(..src.len() - incomplete_len(src)).unwrap_or_default());
    let (judge, checker) = (Judge::new(simd), Checker::new(simd));
    let mut all = Patched::default();
    loop {
        let mut far = Far { patch, src, distance: Distance::from(all.replaced.read), all };
        let mut done = Moved { read: all.replaced.read, written: all.replaced.written };
        let near = copy_blocks(checker, &mut far, src, dst, &mut done);
        all = far.all;
        (all.replaced.read, all.replaced.written) = (done.read, done.written);
        if !near {
            break;
        }
        if !steps(judge, put, patch, src, dst, &mut all) {
            settle(whole, patch, &mut all);
            break;
        }
    }
    finish(whole, dst, patch, &mut all);
    all
}

/// Writes the replacements for each error while errors are far apart.
struct Far<'a> {
    patch: Patch,
    src: &'a [u8],
    distance: Distance,
    /// Counts the errors and the code points of their replacements.
    all: Patched,
}

impl Mend for Far<'_> {
    #[inline(always)]
    fn mend(&mut self, at: usize, len: usize, room: &mut TextRoom<'_>) -> Option<usize> {
        if self.distance.is_near(at, len) {
            return None;
        }
        let error = self.src.get(at..at + len)?;
        room.written = portable::put(self.patch, error, room.room)?;
        self.all.count(self.patch, error, at);
        Some(len)
    }
}

impl Patched {
    /// Counts an error at `at`, and the code points of its replacements.
    #[inline(always)]
    pub(super) fn count(&mut self, patch: Patch, error: &[u8], at: usize) {
        self.replaced.count(1, at);
        let texts = error.iter().enumerate().map(|(i, &byte)| patch.text(byte, i == 0));
        self.put += texts.map(Short::code_points).sum::<usize>();
    }
}

/// Takes steps while errors are near each other. Returns whether it stopped at a boundary between
/// sequences, rather than because a window or the room does not fit.
#[inline(always)]
fn steps<S: Shuffle, P: Put>(
    judge: Judge<S>,
    put: P,
    patch: Patch,
    src: &[u8],
    dst: &mut [Slot],
    all: &mut Patched,
) -> bool {
    let mut pace = Pace::new();
    let replaced = &mut all.replaced;
    while pace.goes_on() {
        let window = replaced.read.checked_sub(LOOKBACK_BYTES).and_then(|from| chunk_at!(src, from));
        let room = chunk_at_mut!(dst, replaced.written);
        let (Some(window), Some(room)) = (window, room) else { return false };
        let damage = pace.judge(judge, window);
        let (written, code_points) = put.put(damage, patch, window, room);
        if replaced.errors == 0 {
            replaced.first = replaced.read + damage.errors.trailing_zeros() as usize;
        }
        replaced.errors += damage.errors.count_ones() as usize;
        replaced.read += STEP;
        replaced.written += written;
        all.put += code_points;
    }
    // Back before an incomplete sequence whose first bytes were copied.
    let back = unfinished(src, replaced.read);
    replaced.read -= back;
    replaced.written -= back;
    true
}

/// How a step is written.
trait Put: Copy {
    /// Writes a step with replacements for its errors. Returns the number of bytes, and the number
    /// of code points of the replacements.
    fn put(
        self,
        damage: Damage,
        patch: Patch,
        window: &Window,
        room: &mut [Slot; ROOM_BYTES],
    ) -> (usize, usize);
}

/// Writes a step by copying the stretches between its errors.
#[derive(Clone, Copy)]
struct Stretches;

impl Put for Stretches {
    #[inline(always)]
    fn put(
        self,
        damage: Damage,
        patch: Patch,
        window: &Window,
        room: &mut [Slot; ROOM_BYTES],
    ) -> (usize, usize) {
        let Damage { errors, dropped } = damage;
        let (mut to, mut put) = (0, 0);
        let mut from = match patch {
            // The first bytes may belong to an error of the previous step.
            Patch::Once(_) => dropped.trailing_ones() as usize,
            Patch::Each(_) => 0,
        };
        let mut marks = match patch {
            Patch::Once(_) => errors,
            Patch::Each(_) => errors | dropped,
        };
        copy(window, from, room, to);
        while marks != 0 {
            let at = marks.trailing_zeros() as usize;
            let text = patch.text(window.get(LOOKBACK_BYTES + at).copied().unwrap_or_default(), true);
            to += at - from;
            if let Some(to) = chunk_at_mut!(room, to) {
                Slot::write(to, text.bytes());
            }
            to += text.len();
            put += text.code_points();
            from = at + 1;
            if let Patch::Once(_) = patch {
                from += (dropped >> at >> 1).trailing_ones() as usize;
            }
            copy(window, from, room, to);
            marks &= marks - 1;
        }
        match patch {
            // Known before the stretches are copied, so that the next step need not wait for the
            // copies.
            Patch::Once(text) => once(damage, text),
            Patch::Each(_) => (to + STEP - from, put),
        }
    }
}

/// The number of bytes that a step becomes with one replacement for each error, and the number of
/// code points of the replacements.
#[inline(always)]
fn once(damage: Damage, text: Short) -> (usize, usize) {
    let Damage { errors, dropped } = damage;
    let count = errors.count_ones() as usize;
    (STEP - dropped.count_ones() as usize - count + count * text.len(), count * text.code_points())
}

/// Copies a block from offset `from` of the step to `to`.
#[inline(always)]
fn copy<const ROOM_BYTES: usize>(window: &Window, from: usize, room: &mut [Slot; ROOM_BYTES], to: usize) {
    let from = chunk_at!(window, LOOKBACK_BYTES + from, BLOCK);
    let to = chunk_at_mut!(room, to, BLOCK);
    if let (Some(from), Some(to)) = (from, to) {
        Slot::write(to, *from);
    }
}

/// Writes a step by packing bytes in registers.
#[derive(Clone, Copy)]
struct Registers<S>(S);

/// Maximum number of errors in a step for which it is faster to copy the stretches between them.
const MAX_COPIED_ERRORS: u32 = 2;

impl<S: Compress> Put for Registers<S> {
    #[inline(always)]
    fn put(
        self,
        damage: Damage,
        patch: Patch,
        window: &Window,
        room: &mut [Slot; ROOM_BYTES],
    ) -> (usize, usize) {
        let Self(simd) = self;
        let Damage { errors, dropped } = damage;
        match patch {
            Patch::Once(text) if text.len() <= 1 || errors.count_ones() > MAX_COPIED_ERRORS => {
                let len = text.len();
                let (written, code_points) = once(damage, text);
                let bytes = simd.load(block::<0>(window));
                if len <= 1 {
                    let bytes = simd.select(simd.mask(errors), simd.splat(text.bytes()[0]), bytes);
                    let gone = if len == 0 { errors | dropped } else { dropped };
                    if let Some(to) = room.first_chunk_mut() {
                        simd.store(simd.compress8(bytes, !gone), to);
                    }
                    return (written, code_points);
                }
                if let Some(lane) = text.at_end() {
                    let bytes = simd.compress8(bytes, !dropped);
                    let errors = simd.compress_bits(errors, !dropped);
                    let zero = simd.splat(0);
                    let mut lanes = simd.zip4_ordered([zero, zero, zero, simd.order_for_zip4(bytes)]);
                    for (q, lanes) in lanes.iter_mut().enumerate() {
                        let errors = (errors >> (16 * q) & 0xFFFF) as u32;
                        *lanes = simd.select32(simd.mask32(errors), simd.splat32(lane), *lanes);
                    }
                    pack(simd, lanes, room);
                    return (written, code_points);
                }
            }
            Patch::Each(texts) if (errors | dropped).count_ones() > MAX_COPIED_ERRORS => {
                let marks = errors | dropped;
                let (mask, bytes) = (simd.mask(marks), simd.load(block::<0>(window)));
                let mut planes = texts
                    .planes
                    .each_ref()
                    .map(|plane| simd.keep(mask, simd.lookup128(simd.table128(plane), bytes)));
                planes[3] = simd.select(mask, planes[3], bytes);
                let packed = if texts.longest <= 2 {
                    let mut packed = 0;
                    for lanes in simd.zip8(planes[2], planes[3]) {
                        if let Some(to) = chunk_at_mut!(room, packed) {
                            packed += simd.pack8(lanes, simd.bits(simd.ge(lanes, simd.splat16(0x0001))), to);
                        }
                    }
                    packed
                } else {
                    pack(simd, simd.zip4_ordered(planes.map(|plane| simd.order_for_zip4(plane))), room)
                };
                // The bytes after the step are unchanged.
                return (packed - (BLOCK - STEP), marks.count_ones() as usize * texts.code_points);
            }
            _ => {}
        }
        Stretches.put(damage, patch, window, room)
    }
}

/// Writes the last byte of each lane, and its other bytes if they are not zero. Returns the number
/// of bytes.
#[inline(always)]
fn pack<S: Compress>(simd: S, lanes: [S::Block; 4], room: &mut [Slot; ROOM_BYTES]) -> usize {
    let mut packed = 0;
    for lanes in lanes {
        if let Some(to) = chunk_at_mut!(room, packed) {
            packed += simd.pack_quads(lanes, to);
        }
    }
    packed
}

/// Goes back to the start of a sequence that began before the position where steps stopped and may
/// continue after it.
#[cold]
#[inline(never)]
fn settle(src: &[u8], patch: Patch, all: &mut Patched) {
    let replaced = &mut all.replaced;
    let begun = incomplete_len(src.get(..replaced.read).unwrap_or_default());
    let start = replaced.read - begun;
    let (Some(bytes), Some(rest)) = (src.get(start..replaced.read), src.get(start..)) else { return };
    if begun > 0 && ill_formed_len(rest).is_some() {
        // The sequence is an error, and replacements were written for its bytes.
        for (i, &byte) in bytes.iter().enumerate() {
            let text = patch.text(byte, i == 0);
            replaced.written -= text.len();
            all.put -= text.code_points();
        }
        replaced.errors -= 1;
    } else {
        replaced.written -= begun;
    }
    replaced.read = start;
}

/// Converts the rest in plain code.
#[inline(never)]
fn finish(src: &[u8], dst: &mut [Slot], patch: Patch, all: &mut Patched) {
    let Patched { replaced, put } = all;
    if let (Some(src), Some(dst)) = (src.get(replaced.read..), dst.get_mut(replaced.written..)) {
        let last = portable::patch_utf8(src, dst, patch);
        if last.replaced.errors > 0 {
            replaced.count(last.replaced.errors, replaced.read + last.replaced.first);
        }
        replaced.read += last.replaced.read;
        replaced.written += last.replaced.written;
        *put += last.put;
    }
    if replaced.errors == 0 {
        replaced.first = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorPolicy;
    use crate::Replacement;
    use crate::ground::hints::Engine;
    use crate::ground::policy::OnError;
    use crate::kernels::Replaced;
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::kernels::portable::samples::{CLASSES, MIXED, Numbers, damaged, is_taken};
    use crate::simd::model::Model;

    /// Makes the replacement of an error independently of the kernel.
    type Text = fn(&[u8]) -> String;
    type Case = (Patch, Text);

    fn patch(policy: impl OnError, src: &str) -> Option<Patch> {
        policy.hints(Engine).patch(src.as_bytes())
    }

    fn cases() -> Vec<Case> {
        let once = |text| ErrorPolicy::ReplaceWith(Replacement::new(text).expect("short"));
        let cases: [(ErrorPolicy<'static>, Text); 7] = [
            (ErrorPolicy::Skip, |_| String::new()),
            (once("?"), |_| "?".to_owned()),
            (once("<é>"), |_| "<é>".to_owned()),
            (ErrorPolicy::Latin1, |error| error.iter().map(|&byte| char::from(byte)).collect()),
            (ErrorPolicy::HexEscape, |error| error.iter().map(|byte| format!("\\x{byte:02x}")).collect()),
            (ErrorPolicy::Optu, |error| error.iter().map(|&byte| escape(byte)).collect()),
            (ErrorPolicy::Windows1252, |error| error.iter().map(|&byte| windows_1252(byte)).collect()),
        ];
        let replacement: Case = (Patch::Once(Short::REPLACEMENT), |_| "\u{FFFD}".to_owned());
        let cases = cases.map(|(policy, text)| (patch(policy, "").expect("short texts"), text));
        [replacement].into_iter().chain(cases).collect()
    }

    /// The private-use character that represents a byte from 80 up.
    fn escape(byte: u8) -> char {
        char::from_u32(0xEF00 + u32::from(byte)).expect("a scalar value")
    }

    /// A byte from 80 up as browsers decode it.
    fn windows_1252(byte: u8) -> char {
        const FIRST: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ";
        FIRST.chars().nth(usize::from(byte - 0x80)).unwrap_or(char::from(byte))
    }

    #[test]
    fn long_texts_and_other_spans_are_no_patch() {
        let long = Replacement::new("12345").expect("a text");
        for policy in [ErrorPolicy::ReplaceWith(long), ErrorPolicy::Stop, ErrorPolicy::SurrogateEscape] {
            assert!(patch(policy, "").is_none(), "{policy:?}");
        }
        // U+EF7F passes, U+EF80 is an escape.
        assert!(patch(ErrorPolicy::Optu, "a\u{EF7F}").is_some());
        assert!(patch(ErrorPolicy::Optu, "a\u{EF80}").is_none());
        assert!(patch(ErrorPolicy::Skip.spanning(crate::Span::Unit), "").is_none());
        assert!(patch(ErrorPolicy::Skip.spanning(crate::Span::Maximal), "").is_some());
    }

    /// Does the work of the kernel with the standard library.
    fn expected(src: &[u8], room: usize, text: Text) -> (Patched, Vec<u8>) {
        let (mut all, mut out) = (Patched::default(), Vec::new());
        for chunk in src.utf8_chunks() {
            for c in chunk.valid().chars() {
                if out.len() + c.len_utf8() > room {
                    all.replaced.written = out.len();
                    return (all, out);
                }
                out.extend(c.encode_utf8(&mut [0; 4]).bytes());
                all.replaced.read += c.len_utf8();
            }
            let error = chunk.invalid();
            let at = all.replaced.read;
            let is_cut_off = at + error.len() == src.len()
                && core::str::from_utf8(error).is_err_and(|e| e.error_len().is_none());
            let text = text(error);
            if error.is_empty() || is_cut_off || out.len() + text.len() > room {
                break;
            }
            out.extend(text.bytes());
            all.replaced.count(1, at);
            all.replaced.read += error.len();
            all.put += text.chars().count();
        }
        all.replaced.written = out.len();
        (all, out)
    }

    fn check(name: &str, got: Patched, (all, out): &(Patched, Vec<u8>), src: &[u8], dst: &[u8]) {
        let Replaced { written, .. } = got.replaced;
        assert!(dst[..written.min(dst.len())] == out[..], "{name}: {src:02x?}");
        assert_eq!(got, *all, "{name}, room for {}: {src:02x?}", dst.len());
    }

    /// Checks every kernel, with `dst.len()` bytes of room.
    fn check_all(src: &[u8], dst: &mut [u8], (patch, text): Case, with_model: bool) {
        let expected = expected(src, dst.len(), text);
        let name = |level: &dyn core::fmt::Display| format!("{level}, {patch:?}");
        for isa in Isa::available() {
            let got = Kernels::of(isa).expect("available").patch_utf8(src, dst, patch);
            check(&name(&isa), got, &expected, src, dst);
        }
        if with_model {
            check(&name(&"model"), patch_utf8(Model, src, Slot::of(dst), patch), &expected, src, dst);
        }
    }

    #[test]
    fn random_damage() {
        let text = MIXED.repeat(8);
        let mut dst = vec![0; 4 * text.len()];
        let mut numbers = Numbers::new(17);
        for i in (0..1500).filter(|i| is_taken(*i, 5)) {
            let len = numbers.below(if i % 4 == 0 { 3000 } else { 300 });
            let per = [2, 5, 10, 30, 100, 1000][numbers.below(6)];
            let src = damaged(&mut numbers, &text, len, per);
            for case in cases() {
                check_all(&src, &mut dst, case, i % 40 == 0);
                let room = numbers.below(3 * len + 2);
                check_all(&src, &mut dst[..room], case, i % 40 == 0);
            }
        }
    }

    #[test]
    fn every_room() {
        let text = MIXED.repeat(2);
        let mut dst = vec![0; 2000];
        let mut numbers = Numbers::new(19);
        for per in [3, 20, 1000] {
            let src = damaged(&mut numbers, &text, 600, per);
            for case in cases() {
                // Also three times the longest block beyond the end.
                let whole = expected(&src, dst.len(), case.1).1.len();
                for room in (0..dst.len().min(whole + 200)).filter(|room| is_taken(*room, 5)) {
                    check_all(&src, &mut dst[..room], case, false);
                }
            }
        }
    }

    #[test]
    fn four_bytes_by_class_at_every_place() {
        let mut dst = [0; 1400];
        for (i, padding) in ["a", "é", "日", "😀"].into_iter().enumerate() {
            let text = padding.repeat(300 / padding.len());
            for at in (0..=130).chain([290, 293, 294, 295, 296]) {
                let mut src = text.as_bytes().to_vec();
                src.truncate(if at < 200 { 200 + at % 64 } else { 299 });
                for (j, &first) in CLASSES.iter().enumerate() {
                    for (k, &second) in CLASSES.iter().enumerate() {
                        if (i + j + k + at) % 16 > 0 || !is_taken((i + j + k + at) / 16 + j, 5) {
                            continue;
                        }
                        let third = CLASSES[(i + k + at) % CLASSES.len()];
                        let fourth = CLASSES[(i + j + at / 3) % CLASSES.len()];
                        let there = src.len().min(at + 4) - at;
                        let before = src[at..at + there].to_vec();
                        src[at..at + there].copy_from_slice(&[first, second, third, fourth][..there]);
                        let case = cases()[(j + k) % 8];
                        check_all(&src, &mut dst, case, false);
                        src[at..at + there].copy_from_slice(&before);
                    }
                }
            }
        }
    }

    /// Errors far from others, each with one more sequence after it, on both sides of every
    /// boundary of blocks and chunks.
    #[test]
    fn two_in_ascii_at_every_distance() {
        const LEN: usize = 900;
        const FIRST: [&[u8]; 7] = [b"\xFF", b"\xC3", b"\x80", b"\xE2", b"\xE2\x80", b"\xF0", b"\xF0\x9F\x98"];
        const SECOND: [&str; 3] = ["é", "“", "😀"];
        let mut dst = [0; 3 * LEN];
        let case = cases()[0];
        for (i, at) in (330..600).enumerate() {
            let distances = (1..8).chain(60..70).chain(124..134).chain([200, 255, 256, 257]);
            for (j, distance) in distances.enumerate() {
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
                    check_all(&src, &mut dst, case, (i + j) % 61 == 0);
                }
            }
        }
    }

    #[test]
    fn three_bytes_at_the_end_and_between() {
        let mut dst = [0; 512];
        let case = cases()[0];
        // At the end of a window, and at the end of the text.
        for (len, at) in [(200, 57), (120, 117)] {
            let mut src = vec![b'a'; len];
            for &first in CLASSES {
                for second in 0x7F..=0xFFu8 {
                    for (i, &third) in CLASSES.iter().enumerate() {
                        if is_taken(i + usize::from(second), 1) {
                            src[at..at + 3].copy_from_slice(&[first, second, third]);
                            check_all(&src, &mut dst, case, false);
                        }
                    }
                }
            }
        }
    }
}
