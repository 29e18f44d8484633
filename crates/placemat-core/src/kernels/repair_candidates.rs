//! Marks the code points of a text that repair may have to examine.
//!
//! A code point is *restless* unless it and its neighbors look like ordinary text of a script, such
//! as adjacent small Cyrillic letters, or a Latin-1 letter among ASCII. The marks also cover the
//! lead bytes of Latin letters, because only some languages combine certain ones, and ampersands,
//! with which character references begin.
//!
//! Each byte is compared with its neighbors. The vector version makes a bitmap for each property of
//! a byte or of a pair of bytes, and shifts the bitmaps against each other; the plain version tests
//! byte by byte, and the compiler vectorizes what it can.

use crate::ground::chunk::chunk_at;
use crate::simd::{BLOCK, Simd};

/// Bytes before a block, and after it, on which its marks depend.
const BEFORE_BYTES: usize = 4;
const AFTER_BYTES: usize = 6;
const WINDOW_BYTES: usize = BEFORE_BYTES + BLOCK + AFTER_BYTES;

/// Bytes that the vector version examines for a block: the block itself, and two bytes before it.
const EXAMINED_BYTES: usize = BLOCK + 2;

/// Marks well-formed UTF-8 from `at` on, with three bitmaps per block: the lead bytes of restless
/// code points, the lead bytes of U+00C0 to U+017F, and ampersands. Returns the number of blocks,
/// at most `marks.len()`; the last block may extend past the end of the text.
#[inline(always)]
pub(crate) fn mark_repair_candidates<S: Simd>(
    simd: S,
    src: &[u8],
    at: usize,
    marks: &mut [[u64; 3]],
) -> usize {
    // The bytes examined are always `AFTER_BYTES` ahead of the block.
    let mut before = match (at + AFTER_BYTES).checked_sub(EXAMINED_BYTES) {
        Some(from) => answers_at(simd, src, from),
        None => {
            let mut start = [0; EXAMINED_BYTES];
            for (n, byte) in start.iter_mut().enumerate() {
                let place = (at + AFTER_BYTES + n).checked_sub(EXAMINED_BYTES);
                *byte = place.and_then(|place| src.get(place)).copied().unwrap_or(0);
            }
            Answers::new(simd, &start)
        }
    };
    let mut block = at;
    for (n, marks) in marks.iter_mut().enumerate() {
        if block >= src.len() {
            return n;
        }
        let now = answers_at(simd, src, block + AFTER_BYTES - 2);
        *marks = now.marks(&before);
        before = now;
        block += BLOCK;
    }
    marks.len()
}

/// Returns the bitmaps of the block that follows the two bytes from `from` on.
#[inline(always)]
fn answers_at<S: Simd>(simd: S, src: &[u8], from: usize) -> Answers {
    if let Some(groups) = chunk_at!(src, from) {
        return Answers::new(simd, groups);
    }
    // Zeros follow the end of the text.
    let mut end = [0; EXAMINED_BYTES];
    for (to, byte) in end.iter_mut().zip(src.get(from..).unwrap_or_default()) {
        *to = *byte;
    }
    Answers::new(simd, &end)
}

/// Bitmaps of a block. A bit means that the byte, or the code point of which it is the second byte
/// or the last of three, has the property.
#[derive(Clone, Copy, Default)]
struct Answers {
    high: u64,
    letter: u64,
    ampersand: u64,
    /// Lead bytes of all code points, and of Latin letters.
    lead: u64,
    latin: u64,
    /// Latin letters of two bytes, the lowercase ones among them, and lowercase letters of three
    /// bytes.
    letter2: u64,
    small2: u64,
    small3: u64,
    cyrillic: u64,
    cyrillic_capital: u64,
    greek: u64,
    greek_small: u64,
    hebrew: u64,
    arabic: u64,
    indic: u64,
    thai: u64,
    east: u64,
}

impl Answers {
    #[inline(always)]
    fn new<S: Simd>(simd: S, groups: &[u8; EXAMINED_BYTES]) -> Self {
        let (Some(a), Some(b)) = (chunk_at!(groups, 1), groups.last_chunk()) else { return Self::default() };
        let (a, b) = (simd.load(a), simd.load(b));
        let letter = lies_within(simd, simd.or(b, simd.splat(0x20)), b'a', b'z');
        let mut all = Self {
            high: simd.bits(simd.high_bit(b)),
            letter: simd.bits(letter),
            ampersand: simd.bits(equals(simd, b, b'&')),
            ..Self::default()
        };
        if all.high == 0 {
            return all;
        }
        all.lead = simd.bits(is_from(simd, b, 0xC0));
        all.latin = simd.bits(lies_within(simd, b, 0xC3, 0xC5));
        // Only a continuation byte follows a lead byte.
        if all.latin != 0 || simd.any(lies_within(simd, a, 0xC3, 0xC6)) {
            let is_odd = simd.eq(simd.and(b, simd.splat(1)), simd.splat(1));
            let (first, second, third) =
                (equals(simd, a, 0xC3), equals(simd, a, 0xC4), equals(simd, a, 0xC5));
            // U+00D7 and U+00F7 (× and ÷) are not letters.
            let sign = simd.either(equals(simd, b, 0x97), equals(simd, b, 0xB7));
            let letters = simd.either(simd.both(first, simd.not(sign)), simd.either(second, third));
            all.letter2 = simd.bits(letters);
            // Lowercase from U+00DF on; after Latin-1, lowercase and uppercase letters alternate.
            let latin1 = simd.both(simd.both(first, is_from(simd, b, 0x9F)), simd.not(sign));
            let second =
                simd.both(second, by_parity(simd, is_odd, is_to(simd, b, 0xB7), is_from(simd, b, 0xB8)));
            let even = simd.either(is_to(simd, b, 0x88), is_from(simd, b, 0xBA));
            let third = simd.both(third, by_parity(simd, is_odd, lies_within(simd, b, 0x8A, 0xB7), even));
            let horn =
                simd.both(equals(simd, a, 0xC6), simd.either(equals(simd, b, 0xA1), equals(simd, b, 0xB0)));
            all.small2 = simd.bits(simd.either(simd.either(latin1, second), simd.either(third, horn)));
        }
        if simd.any(lies_within(simd, a, 0xCE, 0xDF)) {
            // U+0402 to U+045E. A misdecoded emoji begins with U+0401 or U+045F.
            let (first, second) = (equals(simd, a, 0xD0), equals(simd, a, 0xD1));
            let first = simd.both(first, is_from(simd, b, 0x82));
            all.cyrillic = simd.bits(simd.either(first, simd.both(second, is_to(simd, b, 0x9E))));
            all.cyrillic_capital = simd.bits(simd.both(first, is_to(simd, b, 0xAF)));
            // Greek letters, U+0388 to U+03CE.
            let (first, second) =
                (equals(simd, a, 0xCE), simd.both(equals(simd, a, 0xCF), is_to(simd, b, 0x8E)));
            all.greek = simd.bits(simd.either(simd.both(first, is_from(simd, b, 0x88)), second));
            all.greek_small = simd.bits(simd.either(simd.both(first, is_from(simd, b, 0xAC)), second));
            all.hebrew = simd.bits(equals(simd, a, 0xD7));
            all.arabic = simd.bits(lies_within(simd, a, 0xD8, 0xDB));
        }
        let before = groups.first_chunk().map_or_else(|| simd.splat(0), |before| simd.load(before));
        let vietnamese = equals(simd, before, 0xE1);
        if simd.any(vietnamese) {
            // U+1EA0 to U+1EFF, where uppercase and lowercase letters alternate.
            let is_odd = simd.eq(simd.and(b, simd.splat(1)), simd.splat(1));
            let known =
                simd.either(simd.both(equals(simd, a, 0xBA), is_from(simd, b, 0xA0)), equals(simd, a, 0xBB));
            all.small3 = simd.bits(simd.both(simd.both(vietnamese, known), is_odd));
        }
        if simd.any(is_from(simd, a, 0xE0)) {
            // The scripts of India, U+0900 to U+0DFF, and Thai.
            let lead = equals(simd, a, 0xE0);
            all.indic = simd.bits(simd.both(lead, lies_within(simd, b, 0xA4, 0xB7)));
            all.thai = simd.bits(simd.both(lead, lies_within(simd, b, 0xB8, 0xB9)));
            // U+3000 to U+30FF, U+4000 to U+9FFF, U+AC00 to U+D77F.
            let kana = simd.both(equals(simd, a, 0xE3), is_to(simd, b, 0x83));
            let whole = simd.either(lies_within(simd, a, 0xE4, 0xE9), lies_within(simd, a, 0xEB, 0xEC));
            let first = simd.both(equals(simd, a, 0xEA), is_from(simd, b, 0xB0));
            let last = simd.both(equals(simd, a, 0xED), is_to(simd, b, 0x9D));
            all.east = simd.bits(simd.either(simd.either(kana, whole), simd.either(first, last)));
        }
        all
    }

    /// Returns the marks of the block that ends [`AFTER_BYTES`] bytes before the block of these
    /// bitmaps. `before` has the bitmaps of the previous block.
    #[inline(always)]
    fn marks(&self, before: &Self) -> [u64; 3] {
        // The bitmap shifted by `by` positions: the bytes that many positions before the one
        // [`AFTER_BYTES`] after a lead byte.
        let back = |now: u64, before: u64, by: usize| {
            if by == 0 { now } else { now << by | before >> (BLOCK - by) }
        };
        macro_rules! at {
            ($field:ident, $offset:literal) => {
                back(self.$field, before.$field, (AFTER_BYTES as isize - $offset) as usize)
            };
        }
        let ampersand = at!(ampersand, 0);
        if self.high | before.high == 0 {
            return [0, 0, ampersand];
        }
        let ascii_before = !at!(high, -1);
        let mut calm = 0;
        if self.small2 | before.small2 | self.letter2 | before.letter2 | self.small3 | before.small3 != 0 {
            // Lowercase Latin letters, one or two among ASCII.
            let (two, three) = (at!(small2, 1), at!(small3, 2));
            let last = two & !at!(high, 2) | three & !at!(high, 3);
            let after_two = at!(small2, 3) & !at!(high, 4) | at!(small3, 4) & !at!(high, 5);
            let after_three = at!(small2, 4) & !at!(high, 5) | at!(small3, 5) & !at!(high, 6);
            let after_one = at!(small2, -1) & !at!(high, -3) | at!(small3, -1) & !at!(high, -4);
            calm = ascii_before & (last | two & after_two | three & after_three) | after_one & last;
            // All Latin letters at the start of a word.
            calm |= at!(letter2, 1) & ascii_before & !at!(letter, -1) & at!(letter, 2);
        }
        // The start of a run: after an ASCII byte that is not a letter.
        let starts = ascii_before & !at!(letter, -1);
        // Cyrillic: no uppercase letter after a lowercase letter. Greek: lowercase letters after a
        // letter, and all letters at the start.
        let cyrillic = at!(cyrillic, 1)
            & (starts | at!(cyrillic, -1) & (!at!(cyrillic_capital, 1) | at!(cyrillic_capital, -1)));
        let greek = at!(greek, 1) & starts | at!(greek_small, 1) & at!(greek, -1);
        let hebrew = at!(hebrew, 1) & (starts | at!(hebrew, -1));
        let arabic = at!(arabic, 1) & (starts | at!(arabic, -1));
        calm |= (cyrillic | greek | hebrew | arabic) & !at!(letter, 2);
        calm |= at!(indic, 1) & (ascii_before | at!(indic, -2));
        calm |= at!(thai, 1) & (starts | at!(thai, -2)) & !at!(letter, 3);
        // Before such letters, repair looks for text that a double-byte code page produced.
        calm |= at!(east, 1) & at!(east, -2);
        [at!(lead, 0) & !calm, at!(latin, 0), ampersand]
    }
}

/// The bytes that are at least `min`.
#[inline(always)]
fn is_from<S: Simd>(simd: S, block: S::Block, min: u8) -> S::Mask {
    simd.ge(block, simd.splat(min))
}

/// The bytes that are at most `last`, which must be below 0xFF.
#[inline(always)]
fn is_to<S: Simd>(simd: S, block: S::Block, last: u8) -> S::Mask {
    simd.not(is_from(simd, block, last + 1))
}

#[inline(always)]
fn lies_within<S: Simd>(simd: S, block: S::Block, first: u8, last: u8) -> S::Mask {
    is_to(simd, simd.sub(block, simd.splat(first)), last - first)
}

#[inline(always)]
fn equals<S: Simd>(simd: S, block: S::Block, byte: u8) -> S::Mask {
    simd.eq(block, simd.splat(byte))
}

/// `odd` for odd bytes, and `even` for even ones.
#[inline(always)]
fn by_parity<S: Simd>(simd: S, is_odd: S::Mask, odd: S::Mask, even: S::Mask) -> S::Mask {
    simd.either(simd.both(is_odd, odd), simd.both(simd.not(is_odd), even))
}

/// Like [`mark_repair_candidates`], with the instructions that every CPU has.
#[inline(always)]
pub(crate) fn mark_repair_candidates_plain(src: &[u8], at: usize, marks: &mut [[u64; 3]]) -> usize {
    let mut block = at;
    for (n, marks) in marks.iter_mut().enumerate() {
        if block >= src.len() {
            return n;
        }
        let bytes = src.get(block..).unwrap_or_default();
        let bytes = bytes.get(..BLOCK).unwrap_or(bytes);
        let places = |is: fn(u8) -> u8| {
            bytes.iter().enumerate().fold(0, |all, (at, &byte)| all | u64::from(is(byte)) << at)
        };
        let latin = places(|byte| within(byte, 0xC3, 0xC5));
        *marks = [judge_at(src, block), latin, places(|byte| eq(byte, b'&'))];
        block += BLOCK;
    }
    marks.len()
}

/// Returns the bitmap of restless code points of the block at `at`.
#[inline(always)]
fn judge_at(src: &[u8], at: usize) -> u64 {
    let whole =
        at.checked_sub(BEFORE_BYTES).and_then(|from| src.get(from..)).and_then(|rest| rest.first_chunk());
    let ends;
    let window: &[u8; WINDOW_BYTES] = match whole {
        Some(window) => window,
        None => {
            ends = padded(src, at);
            &ends
        }
    };
    // Most texts have few kinds of lead bytes.
    let highest =
        window[BEFORE_BYTES..BEFORE_BYTES + BLOCK].iter().fold(0, |highest, &byte| byte.max(highest));
    match highest {
        0x00..=0x7F => 0,
        0x80..=0xCD => judge::<false, false>(window),
        0xCE..=0xDF => judge::<true, false>(window),
        0xE0.. if window.iter().any(|&byte| within(byte, 0xCE, 0xDF) != 0) => judge::<true, true>(window),
        0xE0.. => judge::<false, true>(window),
    }
}

/// Returns the window around a block at an end of the text, with line feeds outside the text.
#[inline(always)]
fn padded(src: &[u8], at: usize) -> [u8; WINDOW_BYTES] {
    let mut window = [b'\n'; WINDOW_BYTES];
    let from = at.saturating_sub(BEFORE_BYTES);
    let known = src.get(from..).unwrap_or_default();
    let skip = from + BEFORE_BYTES - at;
    for (to, byte) in window.iter_mut().skip(skip).zip(known) {
        *to = *byte;
    }
    window
}

/// Returns the bitmap of the lead bytes of a block whose code points are restless. `HAS_TWO` and
/// `HAS_THREE` enable the tests for calm non-Latin code points of two and of three bytes.
#[inline(always)]
fn judge<const HAS_TWO: bool, const HAS_THREE: bool>(window: &[u8; WINDOW_BYTES]) -> u64 {
    let mut restless = [0; BLOCK];
    for (n, restless) in restless.iter_mut().enumerate() {
        let near = |offset: usize| window[n + offset];
        let before = [near(3), near(2), near(1), near(0)];
        let here = [near(4), near(5), near(6), near(7), near(8), near(9), near(10)];
        *restless = u8::from(here[0] >= 0xC0) & !is_calm::<HAS_TWO, HAS_THREE>(before, here);
    }
    let mut bits = 0;
    for (n, eight) in restless.as_chunks::<8>().0.iter().enumerate() {
        // Gathers the lowest bit of each byte in the highest byte.
        let gathered = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits |= gathered << (8 * n);
    }
    bits
}

/// Returns 1 if the code point that begins here is calm, given the bytes before it, the nearest
/// first, and the bytes from it on.
#[inline(always)]
fn is_calm<const HAS_TWO: bool, const HAS_THREE: bool>(before: [u8; 4], here: [u8; 7]) -> u8 {
    let ([p1, p2, p3, p4], [c, n1, n2, n3, n4, n5, n6]) = (before, here);
    // Lowercase Latin letters, one or two among ASCII.
    let (two, three) = (is_small2(c, n1), is_small3(c, n1, n2));
    let last = two & ascii(n2) | three & ascii(n3);
    let after_two = is_small2(n2, n3) & ascii(n4) | is_small3(n2, n3, n4) & ascii(n5);
    let after_three = is_small2(n3, n4) & ascii(n5) | is_small3(n3, n4, n5) & ascii(n6);
    let after_one = is_small2(p2, p1) & ascii(p3) | is_small3(p3, p2, p1) & ascii(p4);
    let mut calm = ascii(p1) & (last | two & after_two | three & after_three) | after_one & last;
    // All Latin letters at the start of a word.
    calm |= is_letter2(c, n1) & ascii(p1) & no(letter(p1)) & letter(n2);
    // The start of a run: after an ASCII byte that is not a letter.
    let starts = ascii(p1) & no(letter(p1));
    if HAS_TWO {
        // Cyrillic: no uppercase letter after a lowercase letter.
        let after = is_cyrillic(p2, p1) & (no(is_capital(c, n1)) | is_capital(p2, p1));
        let cyrillic = is_cyrillic(c, n1) & (starts | after);
        // Greek: lowercase letters after a letter, and all letters at the start.
        let greek = is_greek(c, n1) & starts | is_small(c, n1) & is_greek(p2, p1);
        let hebrew = eq(c, 0xD7) & (starts | eq(p2, 0xD7));
        let arabic = within(c, 0xD8, 0xDB) & (starts | within(p2, 0xD8, 0xDB));
        calm |= (cyrillic | greek | hebrew | arabic) & no(letter(n2));
    }
    if HAS_THREE {
        calm |= is_indic(c, n1) & (ascii(p1) | is_indic(p3, p2));
        calm |= is_thai(c, n1) & (starts | is_thai(p3, p2)) & no(letter(n3));
        // Before such letters, repair looks for text that a double-byte code page produced.
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

/// Whether a byte is an ASCII letter.
#[inline(always)]
fn letter(c: u8) -> u8 {
    within(c | 0x20, b'a', b'z')
}

#[inline(always)]
fn no(a: u8) -> u8 {
    a ^ 1
}

/// Whether two bytes are a Latin letter.
#[inline(always)]
fn is_letter2(a: u8, b: u8) -> u8 {
    within(a, 0xC3, 0xC5) & no(eq(a, 0xC3) & (eq(b, 0x97) | eq(b, 0xB7)))
}

/// Whether two bytes are a lowercase Latin letter, including those with a horn.
#[inline(always)]
fn is_small2(a: u8, b: u8) -> u8 {
    let odd = b & 1;
    let latin1 = eq(a, 0xC3) & u8::from(b >= 0x9F) & no(eq(b, 0xB7));
    let second = eq(a, 0xC4) & (odd & u8::from(b <= 0xB7) | no(odd) & u8::from(b >= 0xB8));
    let even = no(odd) & (u8::from(b <= 0x88) | u8::from(b >= 0xBA));
    let third = eq(a, 0xC5) & (odd & within(b, 0x8A, 0xB7) | even);
    latin1 | second | third | eq(a, 0xC6) & (eq(b, 0xA1) | eq(b, 0xB0))
}

/// Whether three bytes are a lowercase letter of Vietnamese, from U+1EA0 to U+1EFF.
#[inline(always)]
fn is_small3(a: u8, b: u8, c: u8) -> u8 {
    eq(a, 0xE1) & (eq(b, 0xBA) & u8::from(c >= 0xA0) | eq(b, 0xBB)) & c & 1
}

/// Whether two bytes are a Cyrillic letter, from U+0402 to U+045E.
#[inline(always)]
fn is_cyrillic(a: u8, b: u8) -> u8 {
    eq(a, 0xD0) & u8::from(b >= 0x82) | eq(a, 0xD1) & u8::from(b <= 0x9E)
}

/// Whether two bytes are an uppercase Cyrillic letter.
#[inline(always)]
fn is_capital(a: u8, b: u8) -> u8 {
    eq(a, 0xD0) & u8::from(b <= 0xAF)
}

/// Whether two bytes are a Greek letter, from U+0388 to U+03CE.
#[inline(always)]
fn is_greek(a: u8, b: u8) -> u8 {
    eq(a, 0xCE) & u8::from(b >= 0x88) | eq(a, 0xCF) & u8::from(b <= 0x8E)
}

/// Whether two bytes are a lowercase Greek letter.
#[inline(always)]
fn is_small(a: u8, b: u8) -> u8 {
    eq(a, 0xCE) & u8::from(b >= 0xAC) | eq(a, 0xCF) & u8::from(b <= 0x8E)
}

/// Whether two bytes begin a Thai letter.
#[inline(always)]
fn is_thai(a: u8, b: u8) -> u8 {
    eq(a, 0xE0) & within(b, 0xB8, 0xB9)
}

/// Whether two bytes begin a letter of the scripts of India, U+0900 to U+0DFF.
#[inline(always)]
fn is_indic(a: u8, b: u8) -> u8 {
    eq(a, 0xE0) & within(b, 0xA4, 0xB7)
}

/// Whether two bytes begin kana, an ideograph or a syllable: U+3000 to U+30FF, U+4000 to U+9FFF,
/// U+AC00 to U+D77F.
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

    /// Asserts that all levels mark the same code points, wherever a text begins.
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
            "žů &amp;",
            "Škoda stylů růžový ßçã",
            "người Việt đượcỜ",
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
            let mut plain = [[0; 3]; MARKS];
            let blocks = mark_repair_candidates_plain(text.as_bytes(), 0, &mut plain);
            assert_eq!(blocks, text.len().div_ceil(BLOCK).min(MARKS));
            for isa in Isa::available() {
                let mut marks = [[0; 3]; MARKS];
                let kernels = Kernels::of(isa).expect("the level is there");
                assert_eq!(kernels.mark_repair_candidates(text.as_bytes(), 0, &mut marks), blocks);
                assert_eq!(marks[..blocks], plain[..blocks], "{isa}: {text}");
            }
            // Text far before a block does not matter.
            let moved = alloc::format!("{}{text}", "\n".repeat(BLOCK));
            for isa in Isa::available() {
                let mut marks = [[0; 3]; MARKS];
                let kernels = Kernels::of(isa).expect("the level is there");
                assert_eq!(kernels.mark_repair_candidates(moved.as_bytes(), BLOCK, &mut marks), blocks);
                assert_eq!(marks[..blocks], plain[..blocks], "{isa}: {text}");
            }
        }
    }
}
