//! Code points that show nothing, where nothing needs them. A run of them is one finding.
//!
//! | code points | not reported |
//! | --- | --- |
//! | U+200C, U+200D | beside letters of scripts whose letters join or form clusters; U+200D between emoji |
//! | U+FE0E, U+FE0F | after a code point that is an emoji or can be one |
//! | U+FE00..U+FE0D | after bases with such variants in the standard: ideographs, operators, punctuation, hieroglyphs |
//! | U+E0100..U+E01EF | one after an ideograph (UTS #37) |
//! | U+E0020..U+E007F | the flags of England, Scotland and Wales |
//! | U+180B..U+180F | after Mongolian |
//! | U+200B | beside scripts that have no spaces between words |
//! | U+115F, U+1160, U+034F, U+17B4, U+17B5, controls of musical notes and shorthand | in text of their scripts |
//!
//! U+FEFF at the start is a signature. U+200E, U+200F and U+061C are not invisible in this sense: right-to-left text needs them. Bidi controls are another lint.

use super::kind::{Hit, Kind};
use super::search::{BLOCK, WINDOW, any};
use crate::unseen::invisible::{flag_of, is_needed, shows_nothing};

/// Code points of a run that a finding holds.
const LONGEST: usize = 256;
/// A run of this length is examined before the following text is known.
const ENOUGH: usize = LONGEST + 44;

/// The state before the next piece.
#[derive(Debug, Default)]
pub(super) struct Invisible {
    previous: Option<char>,
    /// Code points of the run under way.
    run: usize,
    /// Whether something precedes the piece: a U+FEFF before everything is a signature.
    begun: bool,
}

impl Invisible {
    pub(super) fn interrupted(&mut self) {
        *self = Self { begun: true, ..Self::default() };
    }

    /// Finds the runs.
    pub(super) fn find(&mut self, text: &str, hits: &mut Vec<Hit>) {
        let bytes = text.as_bytes();
        // The end of the run, if its last code point was a finding.
        let mut end = 0;
        let mut flag = 0;
        let mut at = 0;
        while at < bytes.len() {
            let stop = (at + BLOCK).min(bytes.len());
            if bytes[at..].first_chunk::<WINDOW>().is_none_or(may_have) {
                self.block(text, at, stop, &mut end, &mut flag, hits);
            }
            at = stop;
        }
        if end < text.len() {
            self.run = 0;
        }
        self.previous = text.chars().next_back().or(self.previous);
        self.begun |= !text.is_empty();
    }

    fn block(
        &mut self,
        text: &str,
        start: usize,
        stop: usize,
        end: &mut usize,
        flag: &mut usize,
        hits: &mut Vec<Hit>,
    ) {
        let start = (start..stop).find(|&at| text.is_char_boundary(at)).unwrap_or(stop);
        for (i, c) in text[start..].char_indices() {
            let at = start + i;
            if at >= stop {
                return;
            }
            if at < *flag || !shows_nothing(c) {
                continue;
            }
            if c == '\u{FEFF}' && at == 0 && !self.begun {
                continue;
            }
            let before = text[..at].chars().next_back().or(self.previous);
            if before == Some('\u{1F3F4}')
                && let Some(len) = flag_of(&text[at..])
            {
                *flag = at + len;
                continue;
            }
            let after = text[at + c.len_utf8()..].chars().next();
            if is_needed(c, before, after) {
                continue;
            }
            let next = at + c.len_utf8();
            if *end == at && self.run > 0 {
                // A run that began in an earlier piece was reported there.
                if self.run < LONGEST
                    && let Some(hit) =
                        hits.last_mut().filter(|hit| hit.kind == Kind::Invisible && hit.at.end == at)
                {
                    hit.at.end = next;
                }
                self.run += 1;
            } else {
                hits.push(Hit { kind: Kind::Invisible, at: at..next });
                self.run = 1;
            }
            *end = next;
        }
    }
}

/// How much of a text can be examined: the text that follows may need the code points at its end.
pub(super) fn settled(text: &str) -> usize {
    let run = text.chars().rev().take(ENOUGH).take_while(|&c| shows_nothing(c));
    let (count, len) = run.fold((0, 0), |(count, len), c| (count + 1, len + c.len_utf8()));
    let held = if count < ENOUGH { len } else { text.chars().next_back().map_or(0, char::len_utf8) };
    text.len() - held
}

/// Whether an invisible code point may start in the block of the window. A few other code points also match.
fn may_have(window: &[u8; WINDOW]) -> bool {
    let first = window.first_chunk::<BLOCK>().unwrap_or(&[0; BLOCK]);
    first.iter().fold(0, |all, &byte| all | byte) >= 0x80
        && (any(window, |a, b, _| {
            (a == 0xC2) & (b == 0xAD)
                | (a == 0xCD) & (b == 0x8F)
                | (a == 0xF3) & (b & 0xFC == 0xA0)
                | (a == 0xEF) & ((b == 0xB8) | (b == 0xBB) | (b == 0xBE) | (b == 0xBF))
                | (a == 0xE2) & ((b == 0x80) | (b == 0x81))
                | (a == 0xE3) & (b == 0x85)
        }) || any(window, |a, b, c| {
            (a == 0xE1) & ((b == 0x85) & (c >= 0x9F) | (b == 0x9E) & (c >= 0xB4) | (b == 0xA0) & (c < 0x90))
                | (a == 0xF0) & ((b == 0x9B) & (c == 0xB2) | (b == 0x9D) & (c == 0x85))
        }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_block_is_passed_over() {
        let mut window = [b'a'; WINDOW + 4];
        for c in ('\0'..=char::MAX).filter(|&c| shows_nothing(c)) {
            for at in [0, 1, 31, 62, 63] {
                window.fill(b'a');
                c.encode_utf8(&mut window[at..]);
                let seen: &[u8; WINDOW] = window.first_chunk().expect("it is longer");
                assert!(may_have(seen), "{c:?} at {at}");
            }
        }
        assert!(!may_have(&[b'a'; WINDOW]));
    }

    #[test]
    fn any_pieces_find_the_same() {
        let long = "\u{E0101}".repeat(700);
        let text = format!(
            "a\u{200B}b👩\u{200D}💻 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} x{long}y葛\u{E0100}\u{E0101} ❤\u{FE0F}\u{FE0F}"
        );
        let whole = found(&text, text.len());
        assert_eq!(whole.len(), 4, "{whole:?}");
        assert_eq!(whole[1].1, 256 * 4);
        for piece in 1..=text.len().min(1300) {
            assert_eq!(found(&text, piece), whole, "{piece}");
        }
    }

    /// Returns the places and lengths of the findings, with `piece` bytes read at a time.
    fn found(text: &str, piece: usize) -> Vec<(usize, usize)> {
        let mut state = Invisible::default();
        let (mut from, mut to) = (0, 0);
        let mut all = Vec::new();
        while from < text.len() {
            to = (to + piece).min(text.len());
            to = (to..).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
            let len = if to == text.len() { to - from } else { settled(&text[from..to]) };
            let mut hits = Vec::new();
            state.find(&text[from..from + len], &mut hits);
            all.extend(hits.into_iter().map(|hit| (from + hit.at.start, hit.at.len())));
            from += len;
        }
        all
    }
}
