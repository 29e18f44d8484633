//! `-l -w -m -c`, `--graphemes` and `--columns`: single numbers, as wc prints them.

use super::graphemes::Clusters;
use crate::json;
use serde::Serialize;
use std::io::{self, Write};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// What is asked for.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(crate) struct Choice {
    /// Only the number of line feeds
    #[arg(short, long, help_heading = "Numbers")]
    lines: bool,
    /// Only the number of words: what stands between white space, as in wc
    #[arg(short, long, help_heading = "Numbers")]
    words: bool,
    /// Only the number of code points that are well-formed
    #[arg(short = 'm', long, visible_alias = "code-points", help_heading = "Numbers")]
    chars: bool,
    /// Only the number of grapheme clusters (UAX #29): what a reader takes for one character
    #[arg(long, help_heading = "Numbers")]
    graphemes: bool,
    /// Only the number of bytes
    #[arg(short = 'c', long, help_heading = "Numbers")]
    bytes: bool,
    /// Only the columns that the widest line takes on a terminal; a tab goes to the next multiple of 8
    #[arg(long, visible_alias = "max-line-length", help_heading = "Numbers")]
    columns: bool,
}

impl Choice {
    /// Whether single numbers are asked for at all.
    pub(super) const fn is_made(self) -> bool {
        let Self { lines, words, chars, graphemes, bytes, columns } = self;
        lines || words || chars || graphemes || bytes || columns
    }
}

/// The numbers that are only counted if they are asked for.
#[derive(Debug)]
pub(super) struct Extras {
    choice: Choice,
    clusters: Clusters,
    in_word: bool,
    line: Line,
    counts: Chosen,
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    words: u64,
    graphemes: u64,
    columns: u64,
}

impl Chosen {
    pub(super) fn add(&mut self, other: &Self) {
        self.words += other.words;
        self.graphemes += other.graphemes;
        self.columns = self.columns.max(other.columns);
    }
}

impl Extras {
    pub(super) fn new(choice: Choice) -> Self {
        Self {
            choice,
            clusters: Clusters::new(),
            in_word: false,
            line: Line::default(),
            counts: Chosen::default(),
        }
    }

    /// A new text begins.
    pub(super) fn restart(&mut self) {
        self.clusters.restart();
        (self.in_word, self.line, self.counts) = Default::default();
    }

    pub(super) fn push(&mut self, text: &str) {
        if self.choice.words {
            self.push_words(text);
        }
        if self.choice.columns {
            for c in text.chars() {
                let begins = self.clusters.begins(c);
                self.counts.graphemes += u64::from(begins);
                self.line.push(c, begins);
            }
        } else if self.choice.graphemes {
            self.counts.graphemes += text.chars().map(|c| u64::from(self.clusters.begins(c))).sum::<u64>();
        }
    }

    fn push_words(&mut self, text: &str) {
        let (mut in_word, mut words) = (self.in_word, 0);
        for c in text.chars() {
            let now = !is_white(c);
            words += u64::from(now && !in_word);
            in_word = now;
        }
        self.in_word = in_word;
        self.counts.words += words;
    }

    /// The numbers of the text.
    pub(super) fn finish(&mut self) -> Chosen {
        self.line.end();
        self.counts.columns = self.line.widest;
        self.counts
    }
}

/// Whether it stands between words for wc: the white space of Unicode that breaks lines, and four spaces that do not.
fn is_white(c: char) -> bool {
    match c {
        '\0'..='\x7F' => matches!(c, ' ' | '\t'..='\r'),
        '\u{85}' => false,
        '\u{2060}' => true,
        _ => c.is_whitespace(),
    }
}

/// Code points of a cluster of which the width is that of all of them together, as an emoji is. No emoji has as many.
const LONGEST: usize = 32;

/// The line under way.
#[derive(Debug, Default)]
struct Line {
    widest: u64,
    columns: u64,
    /// The start of the cluster under way.
    cluster: String,
    /// How many code points that is.
    len: usize,
}

impl Line {
    fn push(&mut self, c: char, begins: bool) {
        if begins {
            self.end_cluster();
        }
        match c {
            '\n' | '\r' | '\x0C' => {
                self.widest = self.widest.max(self.columns);
                self.columns = 0;
            }
            '\t' => self.columns += 8 - self.columns % 8,
            ' '..='~' if begins => {
                self.len = 1;
                self.cluster.push(c);
            }
            _ if c.is_control() => {}
            _ if self.len < LONGEST => {
                self.len += 1;
                self.cluster.push(c);
            }
            _ => self.columns += c.width().unwrap_or(0) as u64,
        }
    }

    fn end_cluster(&mut self) {
        if self.len > 0 {
            self.columns += match self.cluster.as_bytes() {
                [_] => 1,
                _ => self.cluster.width() as u64,
            };
            self.cluster.clear();
            self.len = 0;
        }
    }

    fn end(&mut self) {
        self.end_cluster();
        self.widest = self.widest.max(self.columns);
    }
}

/// A line of `--format jsonl`: what was not asked for is not there.
#[derive(Debug, Serialize)]
struct JsonChosen<'a> {
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code_points: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    graphemes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<u64>,
}

pub(super) fn write_json(
    to: &mut impl Write,
    path: Option<&str>,
    counts: &super::Counts,
    choice: Choice,
) -> io::Result<()> {
    let [lines, words, code_points, graphemes, bytes, columns] = numbers(counts, choice);
    json::write_line(to, &JsonChosen { path, lines, words, code_points, graphemes, bytes, columns })
}

/// What is asked for, in the order of wc.
fn numbers(counts: &super::Counts, choice: Choice) -> [Option<u64>; 6] {
    [
        choice.lines.then_some(counts.lines),
        choice.words.then_some(counts.chosen.words),
        choice.chars.then_some(counts.code_points),
        choice.graphemes.then_some(counts.chosen.graphemes),
        choice.bytes.then_some(counts.bytes),
        choice.columns.then_some(counts.chosen.columns),
    ]
}

/// Numbers and names, as wc prints them: standard input has no name unless it was asked for by `-`.
pub(super) fn table(rows: &[(String, super::Counts)], choice: Choice) -> String {
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|(_, counts)| numbers(counts, choice).iter().flatten().map(ToString::to_string).collect())
        .collect();
    let width = cells.iter().flatten().map(String::len).max().unwrap_or(0);
    let mut to = String::new();
    for ((name, _), cells) in rows.iter().zip(&cells) {
        let cells: Vec<_> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
        to += &cells.join(" ");
        if !name.is_empty() {
            to.push(' ');
            to += name;
        }
        to.push('\n');
    }
    to
}
