//! The one table of line ends, for `check`, `convert`, `count` and `inspect`.
//!
//! The Unicode Standard (section 5.8) lists the newline functions: CR, LF, CR LF and NEL, which differ by system and mean
//! the same. They end a line here. U+2028 and U+2029 say what the author meant, end a line for some programs only, and occur
//! within strings of JSON: the lint `separators` finds them, and only `--eol-separators` converts them. VT and FF move on
//! within a text and end no line.

use placemat::utf8;

/// A line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnd {
    Lf,
    CrLf,
    Cr,
    Nel,
}

/// The control U+0085 (NEXT LINE), with which EBCDIC systems end lines.
pub(crate) const NEL: &str = "\u{85}";

/// The code points that end a line, or a paragraph, only for some programs.
pub(crate) const SEPARATORS: [char; 2] = ['\u{2028}', '\u{2029}'];

impl LineEnd {
    /// All line ends.
    pub(crate) const ALL: [Self; 4] = [Self::Lf, Self::CrLf, Self::Cr, Self::Nel];

    /// Returns the text of the line end.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::Cr => "\r",
            Self::Nel => NEL,
        }
    }

    /// Returns the name of the line end in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lf => "LF",
            Self::CrLf => "CR LF",
            Self::Cr => "CR",
            Self::Nel => "NEL",
        }
    }

    /// Returns the line end with this text.
    pub(crate) fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|end| end.text() == text)
    }
}

/// Returns `true` if the code point ends a line, alone or as the second half of CR LF.
pub(crate) const fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}')
}

/// Counts the line ends of a text that comes in pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    after_cr: bool,
}

impl Count {
    /// Returns the number of line ends in the next piece. A CR LF counts where its CR is.
    pub(crate) fn push(&mut self, text: &str) -> u64 {
        let bytes = text.as_bytes();
        let Some(last) = bytes.last() else { return 0 };
        let mut ends = utf8::count_line_feeds(bytes) as u64;
        ends -= u64::from(self.after_cr && bytes.starts_with(b"\n"));
        let is_lone = |at: &usize| bytes.get(at + 1) != Some(&b'\n');
        ends += memchr::memchr_iter(b'\r', bytes).filter(is_lone).count() as u64;
        if !bytes.is_ascii() {
            ends += memchr::memmem::find_iter(bytes, NEL).count() as u64;
        }
        self.after_cr = *last == b'\r';
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts by replacement of one line end after another.
    fn expected(text: &str) -> u64 {
        let plain = text.replace("\r\n", "\n").replace(['\r', '\u{85}'], "\n");
        plain.matches('\n').count() as u64
    }

    #[test]
    fn any_cut_gives_the_same_count() {
        let parts = ["a", "\n", "\r", "\u{85}", "é", "\u{2028}", "\x0B\x0C", "…"];
        for number in 0..parts.len().pow(4) {
            let text: String = (0..4).map(|i| parts[number / parts.len().pow(i) % parts.len()]).collect();
            for cut in (0..=text.len()).filter(|&cut| text.is_char_boundary(cut)) {
                let mut count = Count::default();
                let ends = count.push(&text[..cut]) + count.push("") + count.push(&text[cut..]);
                assert_eq!(ends, expected(&text), "{text:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn a_line_end_is_found_by_its_text() {
        for end in LineEnd::ALL {
            assert_eq!(LineEnd::of(end.text()), Some(end));
            assert!(end.text().chars().all(ends_line));
        }
        for text in ["", "\n\r", "\x0B", "\x0C", "\u{2028}", "\u{2029}", "a"] {
            assert_eq!(LineEnd::of(text), None, "{text:?}");
            assert!(text == "\n\r" || !text.chars().any(ends_line), "{text:?}");
        }
    }
}
