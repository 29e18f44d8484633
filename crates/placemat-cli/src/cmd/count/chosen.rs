//! `-l -w -m -c`, `--graphemes` and `--columns`: single numbers, as wc prints them.

use crate::line_ends::ends_line;
use placemat::internals::Clusters;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The requested numbers.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
#[group(skip)]
pub(crate) struct Choice {
    /// Print only the number of line ends
    ///
    /// A line ends in LF, CR LF, CR or NEL (U+0085).
    #[arg(short, long)]
    pub(super) lines: bool,
    /// Print only the number of words, as wc separates them
    #[arg(short, long)]
    pub(super) words: bool,
    /// Print only the number of well-formed code points
    #[arg(short = 'm', long, visible_alias = "code-points")]
    pub(super) chars: bool,
    /// Print only the number of characters that a reader sees
    ///
    /// These are grapheme clusters (UAX #29).
    #[arg(long)]
    pub(super) graphemes: bool,
    /// Print only the number of bytes
    #[arg(short = 'c', long)]
    pub(super) bytes: bool,
    /// Print only the width of the widest line
    ///
    /// The unit is a column of a terminal; a tab goes to the next multiple of 8.
    #[arg(long, visible_alias = "max-line-length")]
    pub(super) columns: bool,
}

impl Choice {
    /// Returns `true` if any single number is requested.
    pub(super) const fn is_made(self) -> bool {
        let Self { lines, words, chars, graphemes, bytes, columns } = self;
        lines || words || chars || graphemes || bytes || columns
    }
}

/// The numbers that are counted only on request.
#[derive(Debug)]
pub(super) struct Extras {
    choice: Choice,
    clusters: Clusters,
    in_word: bool,
    line: Line,
    counts: Chosen,
}

/// The counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    pub(super) words: u64,
    pub(super) graphemes: u64,
    pub(super) columns: u64,
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
            clusters: Clusters::default(),
            in_word: false,
            line: Line::default(),
            counts: Chosen::default(),
        }
    }

    /// A new text begins.
    pub(super) fn restart(&mut self) {
        (self.clusters, self.in_word, self.line, self.counts) = Default::default();
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

    /// Returns the numbers of the text.
    pub(super) fn finish(&mut self) -> Chosen {
        self.line.end();
        self.counts.columns = self.line.widest;
        self.counts
    }
}

/// Returns `true` if wc separates words at the code point: the breaking white space of Unicode, and four no-break
/// spaces.
fn is_white(c: char) -> bool {
    match c {
        '\0'..='\x7F' => matches!(c, ' ' | '\t'..='\r'),
        '\u{85}' => false,
        '\u{2060}' => true,
        _ => c.is_whitespace(),
    }
}

/// The maximum number of code points of a cluster that are measured together, as for an emoji. No emoji has as many.
const LONGEST: usize = 32;

/// The line under way.
#[derive(Debug, Default)]
struct Line {
    widest: u64,
    pub(super) columns: u64,
    /// The start of the cluster under way.
    cluster: String,
    /// The number of code points of that start.
    len: usize,
}

impl Line {
    fn push(&mut self, c: char, begins: bool) {
        if begins {
            self.end_cluster();
        }
        match c {
            // A page begins at column 0 as well.
            _ if ends_line(c) || c == '\x0C' => {
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
