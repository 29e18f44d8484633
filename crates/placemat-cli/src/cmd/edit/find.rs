//! `--replace`: the places of a text in the file, and help where it is not there exactly once.

use super::breaks::Breaks;
use crate::shown::{escaped, grouped};
use core::ops::Range;
use memchr::memmem::Finder;
use placemat::normalize::Normalization;
use std::borrow::Cow;

/// A message lists at most this many lines.
const MAX_LISTED: usize = 6;
/// A message says "more than" this many occurrences.
const MAX_COUNTED: usize = 1000;
/// The most occurrences that are replaced: each takes memory.
const MAX_REPLACED: usize = 1_000_000;
/// Files of up to this many bytes are searched for a text that is nearly the wanted one.
const MAX_NEAR_BYTES: usize = 4 << 20;
/// Lines of more bytes than this are not compared with the wanted one, nor more than this many lines.
const MAX_LINE_BYTES: usize = 400;
const MAX_LINES: usize = 20_000;
/// A line is named as the nearest one from this similarity on.
const MIN_SIMILARITY: f64 = 0.5;
/// A message shows this many characters of the nearest line.
const MAX_SHOWN: usize = 60;

/// A text to search, with LF at the end of each line.
pub(super) struct Searched<'a> {
    lf: Cow<'a, str>,
    /// For each line end that is longer in the file: the offset of its LF here, and how many bytes are missing up to it.
    removed: Vec<(usize, usize)>,
    /// How lines end; `None` if line ends are text like any other.
    breaks: Option<Breaks>,
}

impl<'a> Searched<'a> {
    pub(super) fn new(text: &'a str, breaks: Option<Breaks>) -> Self {
        let Some(breaks) = breaks.filter(|_| text.contains('\r')) else {
            return Self { lf: text.into(), removed: Vec::new(), breaks };
        };
        let (mut lf, mut removed) = (String::with_capacity(text.len()), Vec::new());
        let mut missing = 0;
        for line in breaks.lines(text) {
            lf.push_str(line.text);
            if line.end.len() > 1 {
                missing += line.end.len() - 1;
                removed.push((lf.len(), missing));
            }
            if !line.end.is_empty() {
                lf.push('\n');
            }
        }
        Self { lf: lf.into(), removed, breaks: Some(breaks) }
    }

    /// Returns the offset in the file's text.
    fn offset(&self, at: usize) -> usize {
        let before = self.removed.partition_point(|&(offset, _)| offset < at);
        at + before.checked_sub(1).map_or(0, |last| self.removed[last].1)
    }

    /// Returns the number of the line at an offset.
    fn line(&self, at: usize) -> usize {
        memchr::memchr_iter(b'\n', &self.lf.as_bytes()[..at]).count() + 1
    }

    /// Returns the ranges of the file's text that are `old`: one, or with `all` at least one.
    ///
    /// # Errors
    /// The reason, with what to do.
    pub(super) fn find(&self, old: &str, all: bool) -> Result<Vec<Range<usize>>, String> {
        if old.is_empty() {
            return Err("the text to replace is empty".into());
        }
        let old = self.breaks.map_or(old.into(), |breaks| breaks.to_lf(old));
        let range = |at: usize| self.offset(at)..self.offset(at + old.len());
        let found = if all {
            self.lf.match_indices(&*old).map(|(at, _)| at).take(MAX_REPLACED + 1).collect()
        } else {
            self.overlapping(&old)
        };
        match found.as_slice() {
            [] => Err(format!("the text to replace does not occur{}", self.near(&old))),
            [at] => Ok(vec![range(*at)]),
            many if many.len() > MAX_REPLACED => {
                let count = grouped(MAX_REPLACED as u64);
                Err(format!("the text to replace occurs more than {count} times: use a filter such as sed"))
            }
            all_found if all => Ok(all_found.iter().map(|&at| range(at)).collect()),
            several => Err(self.ambiguous(several)),
        }
    }

    /// Returns where a text occurs; occurrences may overlap.
    fn overlapping(&self, old: &str) -> Vec<usize> {
        let finder = Finder::new(old.as_bytes());
        let bytes = self.lf.as_bytes();
        let mut next = 0;
        let found = core::iter::from_fn(|| {
            let at = next + finder.find(&bytes[next..])?;
            next = at + 1;
            Some(at)
        });
        found.take(MAX_COUNTED + 1).collect()
    }

    fn ambiguous(&self, found: &[usize]) -> String {
        let mut lines: Vec<usize> = found.iter().take(MAX_LISTED).map(|&at| self.line(at)).collect();
        lines.dedup();
        let listed: Vec<_> = lines.iter().map(usize::to_string).collect();
        let count = if found.len() > MAX_COUNTED {
            format!("more than {MAX_COUNTED}")
        } else {
            found.len().to_string()
        };
        let word = if lines.len() == 1 { "line" } else { "lines" };
        let rest = if found.len() > MAX_LISTED { ", …" } else { "" };
        format!(
            "the text to replace occurs {count} times, in {word} {}{rest}: add text around it to name one, or replace all \
             with --all",
            listed.join(", ")
        )
    }

    /// Returns the nearest text, for a text that does not occur.
    fn near(&self, old: &str) -> String {
        if self.lf.len() > MAX_NEAR_BYTES {
            return String::new();
        }
        for (fold, words) in FOLDS {
            let wanted = fold(old);
            if wanted.trim().is_empty() {
                continue;
            }
            let text = fold(&self.lf);
            if let Some(at) = text.find(&wanted) {
                let line = text[..at].matches('\n').count() + 1;
                return format!("; line {line} has it {words}");
            }
        }
        let Some(first) = old.lines().map(str::trim).find(|line| !line.is_empty()) else {
            return String::new();
        };
        if first.len() > MAX_LINE_BYTES {
            return String::new();
        }
        let mut nearest = (MIN_SIMILARITY, None);
        for (number, line) in self.lf.lines().enumerate().take(MAX_LINES) {
            let line = line.trim();
            let similarity = if line == first { 2.0 } else { similarity(line, first) };
            if similarity > nearest.0 {
                nearest = (similarity, Some((number + 1, line)));
            }
        }
        match nearest {
            (_, None) => String::new(),
            (similarity, Some((number, _))) if similarity > 1.0 => {
                format!("; line {number} is its first line, and the lines after it differ")
            }
            (_, Some((number, line))) => {
                let shown: String = line.chars().take(MAX_SHOWN).collect();
                let rest = if shown.len() < line.len() { "…" } else { "" };
                format!("; the nearest is line {number}: \"{}{rest}\"", escaped(shown.as_ref()))
            }
        }
    }
}

/// Returns how similar two lines are, from 0 to 1.
fn similarity(a: &str, b: &str) -> f64 {
    let (shorter, longer) = (a.len().min(b.len()), a.len().max(b.len()));
    if shorter * 3 < longer || longer > MAX_LINE_BYTES { 0.0 } else { strsim::sorensen_dice(a, b) }
}

/// A function that makes texts equal that differ in something. It keeps the number of line ends.
type Fold = fn(&str) -> String;

/// The differences that two texts may have, and the words for them.
const FOLDS: [(Fold, &str); 5] = [
    (without_spaces, "but for white space"),
    (plain, "but for the form of quotation marks, dashes or spaces"),
    (lower, "but for upper and lower case"),
    (composed, "but for the normal form of its characters"),
    (
        |text| without_spaces(&lower(&plain(&composed(text)))),
        "but for white space, case, quotation marks or normal form",
    ),
];

/// Returns a text without white space at both ends of its lines, and with one space for a run of them.
fn without_spaces(text: &str) -> String {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.split('\n').map(words).collect::<Vec<_>>().join("\n")
}

/// Returns a text with ASCII quotation marks, hyphens and spaces for their typographic relatives.
fn plain(text: &str) -> String {
    let plain = |c| match c {
        '‘' | '’' | '‚' | '‛' | '′' | '`' | '´' => '\'',
        '“' | '”' | '„' | '‟' | '″' | '«' | '»' => '"',
        '\u{2010}'..='\u{2015}' | '−' => '-',
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{3000}' | '\t' => ' ',
        c => c,
    };
    text.chars().map(plain).collect()
}

fn lower(text: &str) -> String {
    text.to_lowercase()
}

fn composed(text: &str) -> String {
    Normalization::Nfc.apply(text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str, old: &str, all: bool) -> Result<Vec<Range<usize>>, String> {
        Searched::new(text, Some(Breaks::of(text))).find(old, all)
    }

    /// The parts of a text that are replaced.
    fn parts<'a>(text: &'a str, old: &str) -> Vec<&'a str> {
        find(text, old, true).unwrap_or_default().into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn line_ends_match_line_ends_of_any_kind() {
        assert_eq!(parts("a\r\nb\nc", "a\nb"), ["a\r\nb"]);
        assert_eq!(parts("a\nb", "a\r\nb"), ["a\nb"]);
        assert_eq!(parts("a\r\nb\r\nc", "\n"), ["\r\n", "\r\n"]);
        assert_eq!(find("a\r\nb\r\nc", "\n", true), Ok(vec![1..3, 4..6]));
        assert_eq!(parts("a\r\nb\r\nc", "b"), ["b"]);
        assert_eq!(parts("x\r\r\ny\r\nz", "y\nz"), ["y\r\nz"]);
        assert_eq!(parts("a\rb\rc", "b\nc"), ["b\rc"]);
        assert!(Searched::new("a\r\nb", None).find("a\nb", false).is_err());
        assert!(Searched::new("a\r\nb", None).find("\r", false).is_ok());
    }

    #[test]
    fn the_message_leads_to_the_place() {
        let said = |text, old| find(text, old, false).expect_err(old);
        assert_eq!(
            said("aaa\nb", "aa"),
            "the text to replace occurs 2 times, in line 1: add text around it to name one, or replace all with --all"
        );
        for (text, old, help) in [
            ("\n  if  a {\n", "if a {", "; line 2 has it but for white space"),
            ("it’s", "it's", "; line 1 has it but for the form of quotation marks, dashes or spaces"),
            ("Colour", "colour", "; line 1 has it but for upper and lower case"),
            ("cafe\u{301}", "caf\u{E9}", "; line 1 has it but for the normal form of its characters"),
            (
                "a\nfn main() {\nx",
                "fn main() {\ny",
                "; line 2 is its first line, and the lines after it differ",
            ),
            ("let total = 5;\n", "let totals = 6;", "; the nearest is line 1: \"let total = 5;\""),
            ("\u{1B}[2Jtext of it\n", "texts of it", "; the nearest is line 1: \"\\x1b[2Jtext of it\""),
            ("abc", "xyz", ""),
        ] {
            assert_eq!(said(text, old), format!("the text to replace does not occur{help}"));
        }
    }
}
