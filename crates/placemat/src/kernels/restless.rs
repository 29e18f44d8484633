//! Marks code points whose neighbours are not the usual ones of their script.
//!
//! A code point that is not marked is calm: it and its neighbours are text as the scripts of the world write it, such as
//! small letters of Cyrillic after one another, or a letter of Latin-1 among ASCII. Repair looks at all others more closely.
//!
//! Each byte is compared with its neighbours by plain arithmetic, of which the compiler makes the vector instructions of
//! each level.

use crate::simd::{BLOCK, Simd};

/// The bytes before a block, and after it, that its judgement needs.
const BEFORE: usize = 3;
const AFTER: usize = 3;
const WINDOW: usize = BEFORE + BLOCK + AFTER;

/// Marks the lead bytes of well-formed UTF-8 from `at` on whose code points are not calm: a word for each block, as many as
/// there is room for. Returns the number of blocks, of which the last may go beyond the end.
#[inline(always)]
pub(crate) fn mark_restless<S: Simd>(_: S, src: &[u8], at: usize, marks: &mut [u64]) -> usize {
    mark_restless_plain(src, at, marks)
}

/// [`mark_restless`] with the instructions that every machine has.
#[inline(always)]
pub(crate) fn mark_restless_plain(src: &[u8], at: usize, marks: &mut [u64]) -> usize {
    let mut block = at;
    for (n, mark) in marks.iter_mut().enumerate() {
        if block >= src.len() {
            return n;
        }
        *mark = judge_at(src, block);
        block += BLOCK;
    }
    marks.len()
}

/// Judges the block at an offset.
#[inline(always)]
fn judge_at(src: &[u8], at: usize) -> u64 {
    let whole = at.checked_sub(BEFORE).and_then(|from| src.get(from..)).and_then(|rest| rest.first_chunk());
    let ends;
    let window: &[u8; WINDOW] = match whole {
        Some(window) => window,
        None => {
            ends = padded(src, at);
            &ends
        }
    };
    // Most texts have few kinds of lead bytes.
    let highest = window[BEFORE..BEFORE + BLOCK].iter().fold(0, |highest, &byte| byte.max(highest));
    match highest {
        0x00..=0x7F => 0,
        0x80..=0xCD => judge::<false, false>(window),
        0xCE..=0xDF => judge::<true, false>(window),
        0xE0.. if window.iter().any(|&byte| within(byte, 0xCE, 0xDF) != 0) => judge::<true, true>(window),
        0xE0.. => judge::<false, true>(window),
    }
}

/// The window around a block at an end of the text. Beyond the text are line feeds.
#[inline(always)]
fn padded(src: &[u8], at: usize) -> [u8; WINDOW] {
    let mut window = [b'\n'; WINDOW];
    let from = at.saturating_sub(BEFORE);
    let known = src.get(from..).unwrap_or_default();
    let skip = from + BEFORE - at;
    for (to, byte) in window.iter_mut().skip(skip).zip(known) {
        *to = *byte;
    }
    window
}

/// The lead bytes of a block whose code points are not calm, a bit for each. `TWO` is whether there may be calm ones of two
/// bytes beyond Latin, and `THREE` of three bytes.
#[inline(always)]
fn judge<const TWO: bool, const THREE: bool>(window: &[u8; WINDOW]) -> u64 {
    let mut restless = [0; BLOCK];
    let mut n = 0;
    while n < BLOCK {
        let before = [window[n + 2], window[n + 1], window[n]];
        let here = [window[n + 3], window[n + 4], window[n + 5], window[n + 6]];
        restless[n] = u8::from(here[0] >= 0xC0) & !is_calm::<TWO, THREE>(before, here);
        n += 1;
    }
    let mut bits = 0;
    for (n, eight) in restless.as_chunks::<8>().0.iter().enumerate() {
        // The lowest bit of each byte, gathered in the highest byte.
        let gathered = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= gathered << (8 * n);
    }
    bits
}

/// 1 if the code point that begins here is calm, by the bytes before it, the nearest first, and those from it on.
#[inline(always)]
fn is_calm<const TWO: bool, const THREE: bool>([p1, p2, p3]: [u8; 3], [c, n1, n2, n3]: [u8; 4]) -> u8 {
    // Latin letters of the lower case, alone among ASCII.
    let mut calm = eq(c, 0xC3) & within(n1, 0xA0, 0xBF) & no(eq(n1, 0xB7)) & ascii(p1) & ascii(n2);
    // At the start of a run, after a byte of ASCII that is no letter.
    let starts = ascii(p1) & no(letter(p1));
    if TWO {
        // Cyrillic: no capital after a small letter.
        let after = is_cyrillic(p2, p1) & (no(is_capital(c, n1)) | is_capital(p2, p1));
        let cyrillic = is_cyrillic(c, n1) & (starts | after);
        // Greek: small letters after a letter, and all letters at the start.
        let greek = is_greek(c, n1) & starts | is_small(c, n1) & is_greek(p2, p1);
        let hebrew = eq(c, 0xD7) & (starts | eq(p2, 0xD7));
        let arabic = within(c, 0xD8, 0xDB) & (starts | within(p2, 0xD8, 0xDB));
        calm |= (cyrillic | greek | hebrew | arabic) & no(letter(n2));
    }
    if THREE {
        calm |= is_indic(c, n1) & (ascii(p1) | is_indic(p3, p2));
        calm |= is_thai(c, n1) & (starts | is_thai(p3, p2)) & no(letter(n3));
        // Where these begin, repair looks for text that a double-byte page gave.
        calm |= is_east(c, n1) & is_east(p3, p2);
    }
    calm
}

#[inline(always)]
fn eq(a: u8, b: u8) -> u8 {
    u8::from(a == b)
}

#[inline(always)]
fn within(c: u8, first: u8, last: u8) -> u8 {
    u8::from(c.wrapping_sub(first) <= last - first)
}

#[inline(always)]
fn ascii(c: u8) -> u8 {
    u8::from(c < 0x80)
}

/// A letter of ASCII.
#[inline(always)]
fn letter(c: u8) -> u8 {
    within(c | 0x20, b'a', b'z')
}

#[inline(always)]
fn no(a: u8) -> u8 {
    a ^ 1
}

/// U+0400 to U+045F.
#[inline(always)]
fn is_cyrillic(a: u8, b: u8) -> u8 {
    eq(a, 0xD0) | eq(a, 0xD1) & u8::from(b <= 0x9F)
}

/// A capital of them.
#[inline(always)]
fn is_capital(a: u8, b: u8) -> u8 {
    eq(a, 0xD0) & u8::from(b <= 0xAF)
}

/// Letters of Greek, U+0388 to U+03CE.
#[inline(always)]
fn is_greek(a: u8, b: u8) -> u8 {
    eq(a, 0xCE) & u8::from(b >= 0x88) | eq(a, 0xCF) & u8::from(b <= 0x8E)
}

/// The small ones of them.
#[inline(always)]
fn is_small(a: u8, b: u8) -> u8 {
    eq(a, 0xCE) & u8::from(b >= 0xAC) | eq(a, 0xCF) & u8::from(b <= 0x8E)
}

/// Thai.
#[inline(always)]
fn is_thai(a: u8, b: u8) -> u8 {
    eq(a, 0xE0) & within(b, 0xB8, 0xB9)
}

/// The scripts of India, U+0900 to U+0DFF.
#[inline(always)]
fn is_indic(a: u8, b: u8) -> u8 {
    eq(a, 0xE0) & within(b, 0xA4, 0xB7)
}

/// Kana, ideographs and syllables: U+3000 to U+30FF, U+4000 to U+9FFF, U+AC00 to U+D77F.
#[inline(always)]
fn is_east(a: u8, b: u8) -> u8 {
    eq(a, 0xE3) & u8::from(b <= 0x83)
        | within(a, 0xE4, 0xE9)
        | eq(a, 0xEA) & u8::from(b >= 0xB0)
        | within(a, 0xEB, 0xEC)
        | eq(a, 0xED) & u8::from(b <= 0x9D)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::dispatch::{Isa, Kernels};
    use crate::kernels::marks::MARKS;
    use alloc::string::String;

    /// All levels mark the same code points, wherever a text begins.
    #[test]
    fn levels_agree() {
        let scripts = [
            "naïve É",
            "Да ЁжЖ",
            "Ωα αΩ",
            "שלום",
            "مرحبا",
            "हिन्दी",
            "ไทยa",
            "日本語テ한",
            "“x” — 😀",
            "Ã© ",
            "abc",
        ];
        let mut seed = 5_u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for _ in 0..2_000 {
            let mut text = String::new();
            for _ in 0..random(40) {
                let script = scripts[random(scripts.len())];
                text.extend(script.chars().skip(random(4)).take(random(9)));
            }
            let mut plain = [0; MARKS];
            let blocks = mark_restless_plain(text.as_bytes(), 0, &mut plain);
            assert_eq!(blocks, text.len().div_ceil(BLOCK).min(MARKS));
            for isa in Isa::available() {
                let mut marks = [0; MARKS];
                let kernels = Kernels::of(isa).expect("the level is there");
                assert_eq!(kernels.mark_restless(text.as_bytes(), 0, &mut marks), blocks);
                assert_eq!(marks[..blocks], plain[..blocks], "{isa}: {text}");
            }
            // What stands far before does not matter.
            let moved = alloc::format!("{}{text}", "\n".repeat(BLOCK));
            let mut marks = [0; MARKS];
            assert_eq!(mark_restless_plain(moved.as_bytes(), BLOCK, &mut marks), blocks);
            assert_eq!(marks[..blocks], plain[..blocks], "{text}");
        }
    }
}
