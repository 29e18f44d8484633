//! Single code points: comparisons that the compiler vectorizes find the blocks that may contain one, and only these
//! are decoded.

use super::kind::{Hit, Kind};
use super::wanted::Wanted;
use crate::line_ends::SEPARATORS;
use crate::unseen::lookalikes::is_lookalike;
use crate::unseen::{is_bidi_control, is_control};

/// Bytes that are examined together.
pub(super) const BLOCK: usize = 64;
/// A block and the two bytes after it.
pub(super) const WINDOW: usize = BLOCK + 2;

/// Finds the code points that are wanted.
pub(super) fn code_points(text: &str, wanted: Wanted, hits: &mut Vec<Hit>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(window) = bytes[at..].first_chunk::<WINDOW>() {
        if may_have(window, wanted) {
            decode(text, at, at + BLOCK, wanted, hits);
        }
        at += BLOCK;
    }
    if at < bytes.len() {
        decode(text, at, bytes.len(), wanted, hits);
    }
}

/// Examines the code points that start in `start..end`.
fn decode(text: &str, start: usize, end: usize, wanted: Wanted, hits: &mut Vec<Hit>) {
    let start = (start..end).find(|&at| text.is_char_boundary(at)).unwrap_or(end);
    for (i, c) in text[start..].char_indices() {
        let at = start + i;
        if at >= end {
            return;
        }
        let kind = if wanted.controls && is_control(c) {
            Kind::Control
        } else if wanted.bidi && is_bidi_control(c) {
            Kind::BidiControl
        } else if wanted.noncharacters && is_noncharacter(c) {
            Kind::Noncharacter
        } else if wanted.private_use && is_private_use(c) {
            Kind::PrivateUse
        } else if wanted.replacement && c == '\u{FFFD}' {
            Kind::Replacement
        } else if wanted.separators && is_separator(c) {
            Kind::Separator
        } else if wanted.lookalikes.is_wanted() && is_lookalike(c) {
            Kind::Lookalike
        } else {
            continue;
        };
        hits.push(Hit { kind, at: at..at + c.len_utf8() });
    }
}

/// Whether a wanted code point may start in the block. A few other code points also match.
fn may_have(window: &[u8; WINDOW], wanted: Wanted) -> bool {
    let first: &[u8; BLOCK] = window.first_chunk().unwrap_or(&[0; BLOCK]);
    let ascii = first.iter().fold(0, |all, &byte| all | byte) < 0x80;
    wanted.controls && any(window, ascii_control)
        || !ascii
            && (wanted.controls && any(window, |a, b, _| (a == 0xC2) & (b < 0xA0))
                || wanted.bidi && any(window, bidi)
                || wanted.noncharacters && any(window, noncharacter)
                || wanted.private_use && any(window, private_use)
                || wanted.replacement && any(window, |a, b, c| (a == 0xEF) & (b == 0xBF) & (c == 0xBD))
                || wanted.separators && any(window, |a, b, c| (a == 0xE2) & (b == 0x80) & (c & 0xFE == 0xA8))
                || wanted.lookalikes.is_wanted() && any(window, lookalike))
}

/// Whether any three consecutive bytes that start in the block satisfy `like`. Without branches, so that the compiler
/// vectorizes the loop.
#[inline(always)]
pub(super) fn any(window: &[u8; WINDOW], like: impl Fn(u8, u8, u8) -> bool) -> bool {
    let mut found = false;
    for i in 0..BLOCK {
        found |= like(window[i], window[i + 1], window[i + 2]);
    }
    found
}

/// 00..08, 0B, 0E..1F, 7F.
#[inline(always)]
fn ascii_control(a: u8, _: u8, _: u8) -> bool {
    (a < 0x20) & (a != b'\t') & (a != b'\n') & (a != 0x0C) & (a != b'\r') | (a == 0x7F)
}

/// E2 80 AA..AE, E2 81 A6..A9.
#[inline(always)]
fn bidi(a: u8, b: u8, c: u8) -> bool {
    (a == 0xE2) & ((b == 0x80) & (c.wrapping_sub(0xAA) < 5) | (b == 0x81) & (c.wrapping_sub(0xA6) < 4))
}

/// EF B7 90..AF, EF BF BE..BF, and four-byte sequences whose second byte ends in ones and whose third has only ones.
#[inline(always)]
fn noncharacter(a: u8, b: u8, c: u8) -> bool {
    (a == 0xEF) & ((b == 0xB7) & (c.wrapping_sub(0x90) < 0x20) | (b == 0xBF) & (c >= 0xBE))
        | (a >= 0xF0) & (b & 0x0F == 0x0F) & (c == 0xBF)
}

/// The blocks of spaces and punctuation that look like ASCII, and a few other characters.
#[inline(always)]
fn lookalike(a: u8, b: u8, c: u8) -> bool {
    (a == 0xC2) & ((b == 0xA0) | (b == 0xB4))
        | (a == 0xC7) & (b == 0x83)
        | (a == 0xCD) & (b == 0xBE)
        | (a == 0xE1) & ((b == 0x9A) & (c == 0x80) | (b == 0xBF))
        | (a == 0xE2) & ((b == 0x80) | (b == 0x81) | (b == 0x88))
        | (a == 0xE3) & (b == 0x80) & (c == 0x80)
        | (a == 0xEA) & (b == 0x9E)
        | (a == 0xEF) & ((b == 0xB9) | (b == 0xBC) | (b == 0xBD) & ((c == 0x80) | (c >= 0x9B)))
}

/// EE, EF 80..A3, F3 B0..BF, F4.
#[inline(always)]
fn private_use(a: u8, b: u8, _: u8) -> bool {
    (a == 0xEE) | (a == 0xEF) & (b < 0xA4) | (a == 0xF3) & (b >= 0xB0) | (a == 0xF4)
}

/// U+FDD0..U+FDEF and the last two code points of each plane.
const fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{FDD0}'..='\u{FDEF}') || c as u32 & 0xFFFE == 0xFFFE
}

/// Excludes the noncharacters at the ends of the planes.
const fn is_private_use(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}')
}

/// Ends a line or a paragraph only in some programs.
fn is_separator(c: char) -> bool {
    SEPARATORS.contains(&c)
}

#[cfg(test)]
mod tests {
    use super::super::code::Lookalikes;
    use super::*;

    /// Every wanted code point is found at every place in a block.
    #[test]
    fn no_block_is_passed_over() {
        let all = Wanted {
            noncharacters: true,
            controls: true,
            bidi: true,
            private_use: true,
            replacement: true,
            separators: true,
            lookalikes: Lookalikes::Everywhere,
            ..Wanted::default()
        };
        let mut window = [b'a'; WINDOW + 4];
        for c in '\0'..=char::MAX {
            let looked_for = is_control(c)
                || is_bidi_control(c)
                || is_noncharacter(c)
                || is_private_use(c)
                || is_separator(c)
                || is_lookalike(c)
                || c == '\u{FFFD}';
            if !looked_for {
                continue;
            }
            for at in [0, 1, 31, 62, 63] {
                window.fill(b'a');
                c.encode_utf8(&mut window[at..]);
                let seen: &[u8; WINDOW] = window.first_chunk().expect("it is longer");
                assert!(may_have(seen, all), "{c:?} at {at}");
            }
        }
        assert!(!may_have(&[b'a'; WINDOW], all));
    }

    #[test]
    fn all_code_points_in_a_row() {
        let text: String = ('\0'..=char::MAX).collect();
        type Is = fn(char) -> bool;
        let none = Wanted::default();
        for (wanted, is) in [
            (Wanted { controls: true, ..none }, is_control as Is),
            (Wanted { bidi: true, ..none }, is_bidi_control),
            (Wanted { noncharacters: true, ..none }, is_noncharacter),
            (Wanted { private_use: true, ..none }, is_private_use),
            (Wanted { replacement: true, ..none }, |c| c == '\u{FFFD}'),
            (Wanted { separators: true, ..none }, is_separator),
            (Wanted { lookalikes: Lookalikes::Everywhere, ..none }, is_lookalike),
        ] {
            let mut hits = Vec::new();
            code_points(&text, wanted, &mut hits);
            let found = hits.iter().map(|hit| hit.at.start);
            assert!(found.eq(text.char_indices().filter(|&(_, c)| is(c)).map(|(at, _)| at)));
        }
    }
}
