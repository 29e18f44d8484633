//! `--clean`: removes or replaces what the lints of these names find, before the text is normalized.

use crate::unseen::invisible::{needed_of, shows_nothing};
use crate::unseen::{is_bidi_control, is_control, lookalikes};
use clap::ValueEnum;

/// A run of invisible code points of this length is settled before the following text is known.
const MAX_RUN: usize = 512;

/// `--clean`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CleanArg {
    /// Remove code points that show nothing, where no emoji or script needs them; a signature stays, see --bom
    Invisible,
    /// Write spaces and punctuation that look like ASCII as ASCII: U+00A0 as a space, “ as "
    Lookalikes,
    /// Remove control codes other than TAB, LF, FF and CR; U+0085, a line end, becomes LF
    Controls,
    /// Remove the controls that change the display order of text
    Bidi,
}

/// The filter for text in UTF-8.
#[derive(Clone, Debug)]
pub(super) struct Cleaner {
    invisible: bool,
    lookalikes: bool,
    controls: bool,
    bidi: bool,
    /// Invisible code points at the end of the text so far, and their number.
    run: String,
    count: usize,
    /// The last code point that was written.
    before: Option<char>,
    /// Whether any text precedes: a U+FEFF before everything is a signature.
    begun: bool,
}

impl Cleaner {
    /// Returns the filter for these kinds; `None` without any.
    pub(super) fn new(kinds: &[CleanArg]) -> Option<Self> {
        (!kinds.is_empty()).then(|| Self {
            invisible: kinds.contains(&CleanArg::Invisible),
            lookalikes: kinds.contains(&CleanArg::Lookalikes),
            controls: kinds.contains(&CleanArg::Controls),
            bidi: kinds.contains(&CleanArg::Bidi),
            run: String::new(),
            count: 0,
            before: None,
            begun: false,
        })
    }

    /// Returns `true` if some of the text is held back.
    pub(super) const fn is_holding(&self) -> bool {
        !self.run.is_empty()
    }

    /// Records that a signature precedes the text.
    pub(super) const fn begin(&mut self) {
        self.begun = true;
    }

    /// Drops the text that is held back.
    pub(super) fn drop_held(&mut self) {
        self.run.clear();
        self.count = 0;
    }

    /// Appends the clean text to `dst`. The source consists of whole code points, and may contain surrogates and the like.
    /// `ends`: nothing is held back.
    pub(super) fn push(&mut self, src: &[u8], ends: bool, dst: &mut Vec<u8>) {
        for chunk in src.utf8_chunks() {
            let mut rest = chunk.valid();
            while let Some(c) = rest.chars().next() {
                let plain = rest.bytes().take_while(|byte| is_plain(*byte)).count();
                let len = if plain > 0 { plain } else { c.len_utf8() };
                if plain > 0 {
                    // No kind has anything to do here.
                    self.settle(Some(c), dst);
                    dst.extend_from_slice(&rest.as_bytes()[..plain]);
                    self.before = rest[..plain].chars().next_back();
                } else {
                    self.one(c, dst);
                }
                self.begun = true;
                rest = &rest[len..];
            }
            if !chunk.invalid().is_empty() {
                self.settle(None, dst);
                dst.extend_from_slice(chunk.invalid());
                (self.before, self.begun) = (None, true);
            }
        }
        if ends {
            self.settle(None, dst);
        }
    }

    fn one(&mut self, c: char, dst: &mut Vec<u8>) {
        if self.controls && is_control(c) {
            if c == '\u{85}' {
                self.shown('\n', dst);
            }
        } else if self.bidi && is_bidi_control(c) {
        } else if self.lookalikes
            && let Some(ascii) = lookalikes::ascii(c)
        {
            for c in ascii.chars() {
                self.shown(c, dst);
            }
        } else if self.invisible && shows_nothing(c) && (c != '\u{FEFF}' || self.begun) {
            self.run.push(c);
            self.count += 1;
            if self.count >= MAX_RUN {
                self.settle(None, dst);
            }
        } else {
            self.shown(c, dst);
        }
    }

    /// Writes a code point that stays.
    fn shown(&mut self, c: char, dst: &mut Vec<u8>) {
        self.settle(Some(c), dst);
        push(c, dst);
        self.before = Some(c);
    }

    /// Writes what `after` and the text before need of the run.
    fn settle(&mut self, after: Option<char>, dst: &mut Vec<u8>) {
        if self.run.is_empty() {
            return;
        }
        let needed = needed_of(self.before, &self.run, after);
        self.drop_held();
        dst.extend_from_slice(needed.as_bytes());
        self.before = needed.chars().next_back().or(self.before);
    }
}

/// Returns `true` for the ASCII that no lint is about.
const fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r' | 0x0C)
}

fn push(c: char, dst: &mut Vec<u8>) {
    dst.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(kinds: &[CleanArg], text: &str, cuts: &[usize]) -> String {
        let mut cleaner = Cleaner::new(kinds).expect("there are kinds");
        let mut dst = Vec::new();
        let mut from = 0;
        for &cut in cuts {
            cleaner.push(&text.as_bytes()[from..cut], false, &mut dst);
            from = cut;
        }
        cleaner.push(&text.as_bytes()[from..], true, &mut dst);
        String::from_utf8(dst).expect("the text stays well-formed")
    }

    /// A removed selector was the neighbor that the joiner after it needed.
    #[test]
    fn a_removed_neighbor_is_no_neighbor() {
        let kinds = [CleanArg::Invisible];
        assert_eq!(clean(&kinds, "x\u{FE0F}\u{200D}👩", &[]), "x👩");
        assert_eq!(clean(&kinds, "\u{115F}\u{1160}x", &[]), "x");
        assert_eq!(clean(&kinds, "👩\u{FE0F}\u{200D}🚀", &[]), "👩\u{FE0F}\u{200D}🚀");
    }

    #[test]
    fn any_cut_gives_the_same_text() {
        let all = [CleanArg::Invisible, CleanArg::Lookalikes, CleanArg::Controls, CleanArg::Bidi];
        let text = "\u{FEFF}a\u{200B}\u{FEFF}b\u{A0}“c”\u{1B}[0m\u{202E}d\u{2069}👩\u{200D}🚀\u{85}❤\u{FE0F}\u{FE0F}…\0\u{200D}\u{AD}";
        let want = "\u{FEFF}ab \"c\"[0md👩\u{200D}🚀\n❤\u{FE0F}...";
        assert_eq!(clean(&all, text, &[]), want);
        let cuts: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
        assert_eq!(clean(&all, text, &cuts), want);
        for &cut in &cuts {
            assert_eq!(clean(&all, text, &[cut]), want, "at {cut}");
        }
    }

    #[test]
    fn a_long_run_takes_constant_memory() {
        let mut cleaner = Cleaner::new(&[CleanArg::Invisible]).expect("there are kinds");
        let mut dst = Vec::new();
        for _ in 0..10_000 {
            cleaner.push("\u{E0101}".as_bytes(), false, &mut dst);
            assert!(cleaner.run.len() <= 4 * MAX_RUN);
        }
        cleaner.push("葛".as_bytes(), true, &mut dst);
        assert_eq!(dst, "葛".as_bytes());
    }

    #[test]
    fn a_signature_is_the_first_code_point_of_the_input() {
        let all = [CleanArg::Invisible, CleanArg::Controls];
        assert_eq!(clean(&all, "\u{FEFF}\u{FEFF}a", &[]), "\u{FEFF}a");
        assert_eq!(clean(&all, "\0\u{FEFF}a", &[]), "a");
    }
}
