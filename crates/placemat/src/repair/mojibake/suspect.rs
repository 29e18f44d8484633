//! Finds text that may be mojibake, and passes over all other text at speed.

use super::classes::{Classes, class};
use super::pages::{self, Double};

/// A run of this many letters of Latin-1 is suspicious: it may be legacy text of another script.
const LATIN_RUN: u32 = 4;
/// The code points of a run that are read as UTF-8 by a double-byte page.
const DOUBLE_RUN: usize = 24;

/// The number of odd neighbours in a text.
pub(super) fn count_odd(text: &[u32]) -> usize {
    let classes = Classes::get();
    let mut before = class::BLANK;
    let odd = text.iter().filter(|&&c| {
        let this = classes.class(c);
        let odd = classes.is_odd(before, this);
        before = this;
        odd
    });
    odd.count()
}

/// The offset of the first place in `text` that may be mojibake. `legacy` asks for long runs of Latin letters too.
pub(super) fn suspect(text: &str, legacy: bool) -> Option<usize> {
    let classes = Classes::get();
    let src = text.as_bytes();
    let mut at = 0;
    loop {
        at = next_beyond_ascii(src, at)?;
        let start = at;
        let mut before = if at > 0 { classes.class(src[at - 1].into()) } else { class::BLANK };
        let ascii = before;
        let mut latin = 0;
        let mut double = is_double(before);
        let mut count = 0_u32;
        let mut first = 0;
        while let Some((c, len)) = beyond_ascii(src, at) {
            let this = classes.class(c);
            if classes.is_odd(before, this) {
                return Some(start);
            }
            if legacy {
                latin = if (0xC0..0x250).contains(&c) && !is_turkish(c) { latin + 1 } else { 0 };
                if latin >= LATIN_RUN {
                    return Some(start);
                }
            }
            if is_double(this) {
                if !double && is_double_mojibake(text, at, ascii, c) {
                    return Some(start);
                }
                double = true;
            } else {
                double = false;
            }
            if count == 0 {
                first = c;
            }
            count += 1;
            before = this;
            at += len;
        }
        let after = src.get(at).copied().unwrap_or(b'\n');
        if classes.is_odd(before, classes.class(after.into())) {
            return Some(start);
        }
        // A word of this kind begins with two capitals.
        if (count, before, classes.class(first)) == (2, class::LATIN_UPPER, class::LATIN_UPPER)
            && after.is_ascii_lowercase()
        {
            return Some(start);
        }
        // U+00A0 that became a space, as the continuation byte of a word of one letter.
        if count == 1 && matches!(first, 0xC3 | 0xC2) && after == b' ' && ascii == class::BLANK {
            return Some(start);
        }
    }
}

/// The letters beyond Latin-1 that Turkish and its relatives write beside other such letters.
const fn is_turkish(c: u32) -> bool {
    matches!(c, 0xE7 | 0xF6 | 0xFC | 0x11F | 0x131 | 0x15F | 0x259)
}

/// Classes of the double-byte pages.
const fn is_double(class: u8) -> bool {
    matches!(class, class::IDEOGRAPH..=class::WIDE)
}

/// Whether the run that begins here with `c` is UTF-8 that was read as a double-byte page.
fn is_double_mojibake(text: &str, at: usize, before: u8, c: u32) -> bool {
    let starts = pages::double_starts().get(c as usize).copied().unwrap_or(0);
    starts != 0
        && (0..pages::DOUBLE.len()).any(|number| {
            starts >> number & 1 != 0 && reads_as_utf8(text.get(at..).unwrap_or_default(), before, number)
        })
}

/// Whether a run beyond ASCII is well-formed UTF-8 in the bytes of a double-byte page, and more than chance.
fn reads_as_utf8(text: &str, before: u8, number: usize) -> bool {
    let page = Double::get(number);
    let mut bytes = [0; 2 * DOUBLE_RUN];
    let mut len = 0;
    let mut whole = true;
    let mut after = '\n';
    for (count, c) in text.chars().enumerate() {
        if c.is_ascii() {
            after = c;
            break;
        }
        if count == DOUBLE_RUN {
            whole = false;
            break;
        }
        match page.bytes(c.into()).to_be_bytes() {
            [0, 0] => {
                // What was not UTF-8 in this page, such as a mark of ASCII that became full-width, ends the run.
                whole = false;
                break;
            }
            [0, byte] => {
                bytes[len] = byte;
                len += 1;
            }
            [lead, trail] => {
                bytes[len] = lead;
                bytes[len + 1] = trail;
                len += 2;
            }
        }
    }
    let bytes = &bytes[..len];
    let sequences = bytes.iter().filter(|&&byte| byte >= 0xC0).count();
    let good = match core::str::from_utf8(bytes) {
        Ok(_) => true,
        // A trail byte may have swallowed ASCII, or the cut may lie in a sequence.
        Err(e) => e.valid_up_to() + 3 >= len && e.valid_up_to() > 0 && (!whole || e.error_len().is_none()),
    };
    let least = if whole { 2 } else { 3 };
    let beside = matches!(before, class::ASCII_LOWER | class::ASCII_UPPER) || after.is_ascii_lowercase();
    good && (sequences >= least || beside)
}

/// The offset of the first byte above 7F.
#[inline(always)]
fn next_beyond_ascii(src: &[u8], mut at: usize) -> Option<usize> {
    while let Some(word) = src.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let high = u64::from_le_bytes(*word) & 0x8080_8080_8080_8080;
        if high != 0 {
            return Some(at + high.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let rest = src.get(at..)?;
    rest.iter().position(|byte| !byte.is_ascii()).map(|found| at + found)
}

/// The code point beyond ASCII at an offset of well-formed text, and its length.
#[inline(always)]
fn beyond_ascii(src: &[u8], at: usize) -> Option<(u32, usize)> {
    let rest = src.get(at..)?;
    let bits = |byte: u8| u32::from(byte & 0x3F);
    match *rest {
        [a @ 0xC0..=0xDF, b, ..] => Some((u32::from(a & 0x1F) << 6 | bits(b), 2)),
        [a @ 0xE0..=0xEF, b, c, ..] => Some((u32::from(a & 0xF) << 12 | bits(b) << 6 | bits(c), 3)),
        [a @ 0xF0..=0xFF, b, c, d, ..] => {
            Some((u32::from(a & 7) << 18 | bits(b) << 12 | bits(c) << 6 | bits(d), 4))
        }
        _ => None,
    }
}
