//! Finds text that may be mojibake, and passes over all other text at speed.

use super::classes::{Classes, class};
use super::pages::{self, Double, Singles};

/// The code points near odd neighbours that are looked at.
const NEAR: usize = 64;
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

/// The offset of the first place in `text` that may be mojibake.
pub(super) fn suspect(text: &str) -> Option<usize> {
    let classes = Classes::get();
    let src = text.as_bytes();
    let mut at = 0;
    loop {
        at = next_beyond_ascii(src, at)?;
        let start = at;
        let ascii = if at > 0 { classes.class(src[at - 1].into()) } else { class::BLANK };
        let mut before = ascii;
        let mut row = classes.odd_after(before);
        let mut odd_at = None;
        let mut latin = 0;
        while let Some((this, len)) = classes.beyond_ascii(src, at) {
            if row >> this & 1 != 0 && odd_at.is_none() {
                odd_at = Some(at);
            }
            if is_double(this) && !is_double(before) && is_double_mojibake(text, at, ascii) {
                return Some(start);
            }
            latin += u32::from(matches!(this, class::LATIN_LOWER | class::LATIN_UPPER));
            before = this;
            row = classes.odd_after(this);
            at += len;
        }
        let after = src.get(at).copied().unwrap_or(b'\n');
        let run = text.get(start..at).unwrap_or_default();
        if row >> classes.class(after.into()) & 1 != 0 {
            odd_at = odd_at.or(Some(at));
        }
        // Words of this kind begin with two capitals, or with U+00C3 and U+00A0 that became a space.
        if latin > 0 && odd_at.is_none() && is_start(run, ascii, after) {
            odd_at = Some(start);
        }
        if odd_at.is_some_and(|odd| fits(text, start, odd, ascii)) {
            return Some(start);
        }
    }
}

/// Whether a run without odd neighbours may be mojibake nevertheless: a lead byte and a continuation byte as Latin capitals at
/// the start of a word, or punctuation inside a word.
fn is_start(run: &str, before: u8, after: u8) -> bool {
    let mut chars = run.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some(a), Some(b), None) if a.is_uppercase() && b.is_uppercase() => after.is_ascii_lowercase(),
        (Some('\u{C2}' | '\u{C3}'), None, None) => after == b' ' && before == class::BLANK,
        (Some('…' | '•'), Some(_), _) => matches!(before, class::ASCII_LOWER | class::ASCII_UPPER),
        (Some(_), Some(_), Some(_)) => has_mark_inside(run),
        _ => false,
    }
}

/// Whether a run has punctuation between a Latin letter and another code point.
fn has_mark_inside(run: &str) -> bool {
    let classes = Classes::get();
    let is_letter = |class| matches!(class, class::LATIN_LOWER | class::LATIN_UPPER);
    let is_mark = |class| matches!(class, class::CLOSING_QUOTE..=class::DOTS | class::OPENING_QUOTE..=class::LOW_SINGLE_QUOTE);
    let mut chars = run.chars().map(|c| classes.class(c.into()));
    let (mut a, mut b) = (class::BLANK, chars.next().unwrap_or(class::BLANK));
    chars.any(|c| {
        let found = is_letter(a) && is_mark(b);
        (a, b) = (b, c);
        found
    })
}

/// Whether some page explains most of a run, as far as it is near its odd neighbours.
#[cold]
fn fits(text: &str, start: usize, odd: usize, before: u8) -> bool {
    const BACK: usize = 32;
    let from = if odd > start + BACK {
        let near = odd - BACK;
        (near..odd).find(|&at| text.is_char_boundary(at)).unwrap_or(start)
    } else {
        start
    };
    let mut run = [0; NEAR];
    let mut len = 0;
    let mut after = 0x0A;
    for c in text.get(from..).unwrap_or_default().chars() {
        if c.is_ascii() {
            after = c.into();
            break;
        }
        if len == NEAR {
            break;
        }
        run[len] = c.into();
        len += 1;
    }
    let run = &run[..len];
    let classes = Classes::get();
    if run.iter().any(|&c| classes.class(c) == class::CONTROL) {
        return true;
    }
    if (0..pages::DOUBLE.len())
        .any(|number| reads_as_utf8(text.get(from..).unwrap_or_default(), before, number))
    {
        return true;
    }
    let singles = Singles::get();
    let next = |at: usize| run.get(at).copied().unwrap_or(after);
    let mut mask = 0;
    for (at, &c) in run.iter().enumerate() {
        let lead = singles.member(c).lead;
        mask |= match next(at + 1) {
            0x20 => lead & singles.no_break_space,
            0xFFFD => lead & singles.holes,
            c => lead & singles.member(c).continuation,
        };
    }
    while mask != 0 {
        let page = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        if is_mostly_sequences(run, after, page) {
            return true;
        }
    }
    false
}

/// Whether most of a run is sequences of UTF-8 in the bytes of a page.
fn is_mostly_sequences(run: &[u32], after: u32, page: usize) -> bool {
    let singles = Singles::get();
    let byte = |at: usize| match run.get(at) {
        Some(0xFFFD) => 0xBF,
        Some(&c) => singles.member(c).bytes[page],
        None => 0,
    };
    let (mut used, mut at) = (0, 0);
    while at < run.len() {
        let len = match byte(at) {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        let found = 1 + (1..len).take_while(|&n| matches!(byte(at + n), 0x80..=0xBF)).count();
        // A space may stand for the byte A0 after the run; the last byte of a quotation mark may be gone.
        let ends = at + found == run.len();
        if len > 1 && (found == len || ends && (after == 0x20 || len == 3 && found == 2)) {
            used += found;
            at += found;
        } else {
            at += 1;
        }
    }
    used > 0 && run.len() <= 2 * used
}

/// Classes of the double-byte pages.
const fn is_double(class: u8) -> bool {
    matches!(class, class::IDEOGRAPH..=class::WIDE)
}

/// Whether the run that begins here with `c` is UTF-8 that was read as a double-byte page.
fn is_double_mojibake(text: &str, at: usize, before: u8) -> bool {
    let first = text.get(at..).and_then(|text| text.chars().next()).map_or(0, |c| c as usize);
    let starts = pages::double_starts().get(first).copied().unwrap_or(0);
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
