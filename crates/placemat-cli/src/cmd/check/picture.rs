//! The line of text around an error, with the ill-formed bytes marked.

use crate::scan::{Around, Sink};
use crate::shown::SCREEN;
use crate::shown::is_plain;
use crate::shown::is_printable;
use core::fmt::Write as _;
use core::ops::ControlFlow;
use placemat::{IllFormed, utf8};
use std::collections::VecDeque;
use unicode_width::UnicodeWidthChar as _;

/// The number of glyphs of a line that are remembered: more than fit on a screen, because some have no width.
const MEMORY: usize = 256;
/// The maximum number of code points that a picture marks.
const MARKED: usize = 8;
/// The mark for the omitted part of a line.
const ELLIPSIS: &str = "…";

/// An element of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glyph {
    Char(char),
    /// A byte of an ill-formed sequence.
    Byte(u8),
    /// A marked code point that is shown by its number.
    Named(char),
}

impl Glyph {
    /// Writes the glyph without anything that a terminal would obey. A tab is always four columns wide.
    fn write(self, to: &mut String) {
        _ = match self {
            Self::Byte(byte) => write!(to, "<{byte:02X}>"),
            Self::Named('\r') => write!(to, "<CR>"),
            Self::Named('\n') => write!(to, "<LF>"),
            Self::Named(c) => write!(to, "<U+{:04X}>", u32::from(c)),
            Self::Char('\t') => write!(to, "    "),
            Self::Char(c @ ('\0'..='\x1F' | '\x7F'..='\u{9F}')) => write!(to, "\\x{:02x}", u32::from(c)),
            Self::Char(c) if is_plain(c) => write!(to, "{c}"),
            Self::Char(c) => write!(to, "\\u{{{:04x}}}", u32::from(c)),
        };
    }

    /// The width in columns.
    fn width(self) -> usize {
        match self {
            Self::Byte(_) | Self::Char('\t') => 4,
            Self::Char(' '..='~') => 1,
            Self::Char(c) if is_plain(c) => c.width().unwrap_or(0),
            Self::Char(_) | Self::Named(_) => {
                let mut shown = String::new();
                self.write(&mut shown);
                shown.len()
            }
        }
    }
}

/// The marked glyphs of an ill-formed sequence.
pub(super) fn bytes(bytes: &[u8]) -> Vec<Glyph> {
    bytes.iter().copied().map(Glyph::Byte).collect()
}

/// The marked glyphs of well-formed text: visible code points as they are, others by number.
pub(super) fn code_points(text: &str) -> Vec<Glyph> {
    // A combining mark is visible on its base.
    let shows = text.chars().next().is_some_and(is_printable);
    let seen = |c| if shows { is_plain(c) } else { is_printable(c) };
    let glyphs = text.chars().map(|c| if seen(c) { Glyph::Char(c) } else { Glyph::Named(c) });
    glyphs.take(MARKED).collect()
}

/// The current line, up to the place of the scanner.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    glyphs: VecDeque<Glyph>,
    /// Whether the beginning of the line was dropped.
    cut: bool,
}

impl Line {
    pub(super) fn clear(&mut self) {
        self.glyphs.clear();
        self.cut = false;
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        // Only the end of a long piece can matter.
        let start = utf8::floor_boundary(text, text.len().saturating_sub(4 * MEMORY));
        let tail = &text[start..];
        let (here, fresh) = match tail.iter().rposition(|&byte| byte == b'\n') {
            Some(at) => (&tail[at + 1..], Some(false)),
            None => (tail, (start > 0).then_some(true)),
        };
        if let Some(cut) = fresh {
            self.glyphs.clear();
            self.cut = cut;
        }
        self.glyphs.extend(here.utf8_chunks().flat_map(|chunk| chunk.valid().chars()).map(Glyph::Char));
        self.forget();
    }

    pub(super) fn ill_formed(&mut self, bytes: &[u8]) {
        // Bytes that `--span lead` swallowed may have ended the line.
        let here = bytes.rsplit(|&byte| byte == b'\n').next().unwrap_or(bytes);
        if here.len() < bytes.len() {
            self.clear();
        }
        self.glyphs.extend(here.iter().copied().map(Glyph::Byte));
        self.forget();
    }

    fn forget(&mut self) {
        let surplus = self.glyphs.len().saturating_sub(MEMORY);
        if surplus > 0 {
            self.glyphs.drain(..surplus);
            self.cut = true;
        }
    }
}

/// The rest of a line, up to the width of a screen.
#[derive(Debug, Default)]
struct Rest {
    glyphs: Vec<Glyph>,
    /// The width in columns.
    width: usize,
    /// Whether the end of the line was seen.
    ended: bool,
}

impl Rest {
    fn push(&mut self, glyph: Glyph) -> ControlFlow<()> {
        self.ended |= glyph == Glyph::Char('\n');
        if self.is_enough() {
            return ControlFlow::Break(());
        }
        self.width += glyph.width();
        self.glyphs.push(glyph);
        ControlFlow::Continue(())
    }

    fn is_enough(&self) -> bool {
        self.ended || self.width > SCREEN || self.glyphs.len() >= MEMORY
    }
}

impl Sink for Rest {
    type Break = ();

    fn text(&mut self, text: &[u8]) {
        if !self.is_enough() {
            let mut chars = text.utf8_chunks().flat_map(|chunk| chunk.valid().chars());
            _ = chars.try_for_each(|c| self.push(Glyph::Char(c)));
        }
    }

    fn ill_formed(&mut self, error: &IllFormed, _: &Around<'_>) -> ControlFlow<()> {
        if self.is_enough() {
            return ControlFlow::Break(());
        }
        error.bytes().iter().try_for_each(|&byte| self.push(Glyph::Byte(byte)))
    }
}

/// A line, ready to be drawn.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Picture {
    /// The part of the line that fits on the screen.
    pub(super) excerpt: String,
    /// Columns before the marks.
    pub(super) indent: usize,
    /// The widths of the error and of the rest of its sequence.
    pub(super) error: usize,
    pub(super) rest: usize,
}

impl Picture {
    /// Draws a line: `before`, the marked glyphs, and the text after them. `extent` is the length in bytes of the
    /// sequence that the error begins.
    pub(super) fn draw(
        before: &Line,
        marked: &[Glyph],
        extent: usize,
        around: &Around<'_>,
        columns: usize,
    ) -> Self {
        let mut rest = Rest::default();
        // No text follows a line end.
        if !matches!(marked.last(), Some(Glyph::Named('\r' | '\n'))) {
            around.look_ahead(&mut rest);
        }
        let after = rest.glyphs;
        let after = after.strip_suffix(&[Glyph::Char('\r')]).filter(|_| rest.ended).unwrap_or(&after);
        Self::compose(before.glyphs.iter().copied(), before.cut, marked, extent, after, columns)
    }

    fn compose(
        before: impl DoubleEndedIterator<Item = Glyph> + Clone,
        cut: bool,
        error: &[Glyph],
        extent: usize,
        after: &[Glyph],
        columns: usize,
    ) -> Self {
        let width = |glyphs: &mut dyn Iterator<Item = Glyph>| glyphs.map(Glyph::width).sum::<usize>();
        let marked = width(&mut error.iter().copied());
        let tail = after.iter().take(extent.saturating_sub(error.len()));
        let rest = width(&mut tail.copied().take_while(|glyph| matches!(glyph, Glyph::Byte(_))));

        // The text after the marks gets a third of the room, or all that the rest leaves.
        let room = columns.saturating_sub(marked);
        let wanted_after = width(&mut after.iter().copied()).min(room.max(3) / 3).max(rest.min(room));
        let left = room - wanted_after.min(room);
        let whole_before = width(&mut before.clone());
        let mut excerpt = String::new();
        let mut indent = 0;
        let shown_before = if !cut && whole_before <= left {
            before.clone().count()
        } else {
            excerpt.push_str(ELLIPSIS);
            indent = 1;
            let mut used = 1;
            before
                .clone()
                .rev()
                .take_while(|glyph| {
                    used += glyph.width();
                    used <= left
                })
                .count()
        };
        let skipped = before.clone().count() - shown_before;
        for glyph in before.skip(skipped) {
            glyph.write(&mut excerpt);
            indent += glyph.width();
        }
        for &glyph in error {
            glyph.write(&mut excerpt);
        }
        let mut used = indent + marked;
        let whole_after = width(&mut after.iter().copied());
        let fits = used + whole_after <= columns;
        for glyph in after {
            used += glyph.width();
            if !fits && used + 1 > columns {
                excerpt.push_str(ELLIPSIS);
                break;
            }
            glyph.write(&mut excerpt);
        }
        Self { excerpt, indent, error: marked, rest }
    }
}

/// The columns of the screen beside a margin of this width.
pub(super) const fn columns_beside(margin: usize) -> usize {
    SCREEN.saturating_sub(margin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_width::UnicodeWidthStr as _;

    fn compose(before: &str, error: &[u8], extent: usize, after: &[Glyph], columns: usize) -> Picture {
        let before: Vec<_> = before.chars().map(Glyph::Char).collect();
        let error: Vec<_> = error.iter().copied().map(Glyph::Byte).collect();
        Picture::compose(before.iter().copied(), false, &error, extent, after, columns)
    }

    fn chars(text: &str) -> Vec<Glyph> {
        text.chars().map(Glyph::Char).collect()
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        let mut after = vec![Glyph::Byte(0xAF)];
        after.extend(chars("etc"));
        let picture = compose("日本: ", b"\xC0", 2, &after, 60);
        assert_eq!(picture, Picture { excerpt: "日本: <C0><AF>etc".into(), indent: 6, error: 4, rest: 4 });
    }

    #[test]
    fn nothing_of_the_file_reaches_a_terminal_raw() {
        let picture = compose("\x1B[31m\u{202E}\t\0\u{85}", b"\xFF", 1, &chars("\u{200B}\x7F"), 60);
        assert_eq!(picture.excerpt, r"\x1b[31m\u{202e}    \x00\x85<FF>\u{200b}\x7f");
        assert_eq!(picture.indent, picture.excerpt.find('<').unwrap_or(0));
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides_and_fits() {
        for (before, after) in [(500, 500), (500, 0), (0, 500), (500, 5), (5, 500), (40, 40)] {
            for letter in ["x", "漢", "\x1B"] {
                for columns in [20, 40, 75] {
                    let picture = compose(
                        &letter.repeat(before),
                        b"\xE2\x82",
                        2,
                        &chars(&letter.repeat(after)),
                        columns,
                    );
                    let width = picture.excerpt.width();
                    assert!(width <= columns, "{picture:?}");
                    assert!(width + 12 >= columns || before + after < 100 && letter == "x", "{picture:?}");
                    let at = picture.excerpt.find("<E2><82>").unwrap_or_else(|| panic!("{picture:?}"));
                    assert_eq!(picture.excerpt[..at].width(), picture.indent, "{picture:?}");
                }
            }
        }
    }

    #[test]
    fn a_line_remembers_its_end_only() {
        let mut line = Line::default();
        line.text(b"first\nsecond");
        assert_eq!(line.glyphs, chars("second"));
        line.ill_formed(b"\xFF");
        line.text("é".repeat(1000).as_bytes());
        assert!(line.cut);
        assert_eq!(line.glyphs.len(), MEMORY);
        assert!(line.glyphs.iter().all(|&glyph| glyph == Glyph::Char('é')));
        line.text(b"\n");
        assert!(!line.cut && line.glyphs.is_empty());
    }
}
