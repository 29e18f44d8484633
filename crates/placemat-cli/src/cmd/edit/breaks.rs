//! How the lines of a text end, and the line ends of a new text: those of the old text.
//!
//! LF ends a line, with the CRs directly before it. In a text without LF, CR does, as classic Mac OS wrote it. These are
//! the lines that `check` counts.

use crate::compare::{Difference, differing};
use std::borrow::Cow;

/// The character that ends the lines of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breaks {
    /// LF, perhaps with CRs before it.
    Lf,
    /// CR alone.
    Cr,
}

/// A line of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a str,
    /// The line end; empty at the end of a text without one.
    pub(crate) end: &'a str,
}

impl Breaks {
    /// Returns what ends the lines of a text.
    pub(crate) fn of(text: &str) -> Self {
        if text.contains('\r') && !text.contains('\n') { Self::Cr } else { Self::Lf }
    }

    /// Returns the lines of a text. A new text for a file whose lines end in CR may have any line ends.
    pub(crate) fn lines(self, text: &str) -> Vec<Line<'_>> {
        let bytes = text.as_bytes();
        let mut start = 0;
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(|&at| match bytes[at] {
            b'\n' => true,
            _ => self == Self::Cr && bytes.get(at + 1) != Some(&b'\n'),
        });
        let mut lines: Vec<Line<'_>> = ends
            .map(|at| {
                let line = &text[start..=at];
                start = at + 1;
                let content = line.trim_end_matches('\n').len();
                let content = line[..content].trim_end_matches('\r').len();
                Line { text: &line[..content], end: &line[content..] }
            })
            .collect();
        if start < text.len() {
            lines.push(Line { text: &text[start..], end: "" });
        }
        lines
    }

    /// Returns a text with LF at the end of each line.
    pub(crate) fn to_lf(self, text: &str) -> Cow<'_, str> {
        if !text.contains('\r') {
            return text.into();
        }
        let mut lf = String::with_capacity(text.len());
        for Line { text, end } in self.lines(text) {
            lf.push_str(text);
            if !end.is_empty() {
                lf.push('\n');
            }
        }
        lf.into()
    }

    /// Returns `new` with the line ends of `old`, whose place it takes: an unchanged line keeps its own, a changed line has
    /// that of the line in whose place it is, and one more line that of the line before it. `default` is for lines before
    /// all others; if it is empty, the file has no line end, and `new` keeps its own.
    pub(super) fn adopt(self, old: &str, new: &str, default: &str) -> String {
        let (old, new) = (self.lines(old), self.lines(new));
        let capacity: usize = new.iter().map(|line| line.text.len()).sum();
        let mut adopted = Adopted { text: String::with_capacity(capacity + 2 * new.len()), last: default };
        let (old_text, new_text) =
            (|line: usize| old[line].text.as_bytes(), |line: usize| new[line].text.as_bytes());
        let hunks = differing((old.len(), old_text), (new.len(), new_text));
        let (mut old_at, mut new_at) = (0, 0);
        let end: Difference = (old.len()..old.len(), new.len()..new.len());
        for (old_lines, new_lines) in hunks.into_iter().chain([end]) {
            for (old, new) in old[old_at..].iter().zip(&new[new_at..new_lines.start]) {
                adopted.push(*new, Some(old.end));
            }
            for (number, line) in new_lines.clone().enumerate() {
                let paired = old_lines.start + number;
                adopted.push(new[line], (paired < old_lines.end).then(|| old[paired].end));
            }
            (old_at, new_at) = (old_lines.end, new_lines.end);
        }
        adopted.text
    }
}

/// A text whose line ends are chosen line by line.
struct Adopted<'a> {
    text: String,
    /// The line end of the line before.
    last: &'a str,
}

impl<'a> Adopted<'a> {
    fn push(&mut self, new: Line<'_>, old_end: Option<&'a str>) {
        self.text.push_str(new.text);
        if let Some(end) = old_end.filter(|end| !end.is_empty()) {
            self.last = end;
        }
        match new.end {
            "" => {}
            end => self.text.push_str(if self.last.is_empty() { end } else { self.last }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_their_ends() {
        let lines = |text| -> Vec<_> {
            Breaks::of(text).lines(text).into_iter().map(|line| (line.text, line.end)).collect()
        };
        assert_eq!(lines("a\r\nb\n\nc"), [("a", "\r\n"), ("b", "\n"), ("", "\n"), ("c", "")]);
        assert_eq!(lines("a\rb\r\r\nc\r"), [("a\rb", "\r\r\n"), ("c\r", "")]);
        assert_eq!(lines("a\r\rb"), [("a", "\r"), ("", "\r"), ("b", "")]);
        assert_eq!(lines(""), []);
        assert_eq!(Breaks::Cr.lines("a\r\nb\nc\rd").len(), 4);
        assert_eq!(Breaks::Lf.to_lf("a\r\r\nb\rc\r"), "a\nb\rc\r");
        assert_eq!(Breaks::Cr.to_lf("a\rb\r\nc"), "a\nb\nc");
    }

    #[test]
    fn new_lines_have_the_line_ends_of_the_old_ones() {
        for (old, new, default, want) in [
            ("a\r\nb\r\n", "a\nx\nb\n", "\n", "a\r\nx\r\nb\r\n"),
            // Unchanged lines keep theirs, wherever they are now.
            ("a\nb\r\nc\n", "x\nb\nc\n", "\n", "x\nb\r\nc\n"),
            ("a\nb\r\nc\n", "b\nc\n", "\n", "b\r\nc\n"),
            ("a\r\nb", "a\nb\nc", "\r\n", "a\r\nb\r\nc"),
            ("a\r\nb\n", "a\nb", "\n", "a\r\nb"),
            ("", "a\nb\n", "\r\n", "a\r\nb\r\n"),
            // No line end is known.
            ("a", "b\r\nc\n", "", "b\r\nc\n"),
            ("a\r\r\nb\r\n", "a\nc\n", "\n", "a\r\r\nc\r\n"),
        ] {
            assert_eq!(Breaks::of(old).adopt(old, new, default), want, "{old:?} {new:?}");
        }
        assert_eq!(Breaks::Cr.adopt("a\rb\r", "a\nc\r\nd\n", "\r"), "a\rc\rd\r");
    }
}
