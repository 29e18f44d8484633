//! The formats of counts: columns, the lines of wc, JSON.

use super::chosen::Choice;
use super::counts::Counts;
use crate::json;
use crate::palette::Palette;
use core::fmt::Write as _;
use serde::Serialize;
use std::io::{self, Write};

/// A line of `--format jsonl`.
#[derive(Debug, Serialize)]
struct JsonCounts<'a> {
    path: Option<&'a str>,
    bytes: u64,
    lines: u64,
    code_points: u64,
    ill_formed: u64,
    utf8: u64,
    utf16: u64,
    utf32: u64,
    latin1: Option<u64>,
}

/// Returns a line of `--format jsonl`; that of all files together has no path.
pub(super) fn write_json(
    data: &mut impl Write,
    path: Option<&str>,
    counts: &Counts,
    choice: Choice,
) -> io::Result<()> {
    if choice.is_made() {
        return write_chosen(data, path, counts, choice);
    }
    let &Counts { bytes, lines, code_points, ill_formed, utf8, utf16, utf32, .. } = counts;
    let latin1 = counts.latin1();
    let line = JsonCounts { path, bytes, lines, code_points, ill_formed, utf8, utf16, utf32, latin1 };
    json::write_line(data, &line)
}

/// Returns the table of all files and their sums.
pub(super) fn table(rows: &[(String, Counts)], choice: Choice, styles: Palette) -> String {
    if choice.is_made() { chosen_table(rows, choice) } else { full_table(rows, styles) }
}

/// Returns the counts in columns under their headings, the names of the files last.
fn full_table(rows: &[(String, Counts)], styles: Palette) -> String {
    const HEADINGS: [&str; 8] =
        ["bytes", "lines", "points", "ill-formed", "utf-8", "utf-16", "utf-32", "latin1"];
    let Palette { dim, error, .. } = styles;
    let cells: Vec<[String; 8]> = rows
        .iter()
        .map(|(_, counts)| {
            let latin1 = counts.latin1().map_or_else(|| "-".into(), |len| len.to_string());
            let Counts { bytes, lines, code_points, ill_formed, utf8, utf16, utf32, .. } = counts;
            let [a, b, c, d, e, f, g] =
                [bytes, lines, code_points, ill_formed, utf8, utf16, utf32].map(ToString::to_string);
            [a, b, c, d, e, f, g, latin1]
        })
        .collect();
    let mut to = String::new();
    if cells.is_empty() {
        return to;
    }
    let widths: [usize; 8] = core::array::from_fn(|i| {
        cells.iter().map(|row| row[i].len()).chain([HEADINGS[i].len()]).max().unwrap_or(0)
    });
    for (heading, width) in HEADINGS.iter().zip(widths) {
        _ = write!(to, "{dim}{heading:>width$}{dim:#}  ");
    }
    to.truncate(to.trim_end().len());
    to.push('\n');
    for ((name, counts), row) in rows.iter().zip(&cells) {
        for (i, (cell, width)) in row.iter().zip(widths).enumerate() {
            let style = if i == 3 && counts.ill_formed > 0 { error } else { anstyle::Style::new() };
            _ = write!(to, "{style}{cell:>width$}{style:#}  ");
        }
        _ = writeln!(to, "{name}");
    }
    to
}

/// A line of `--format jsonl`, with the requested numbers only.
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

fn write_chosen(to: &mut impl Write, path: Option<&str>, counts: &Counts, choice: Choice) -> io::Result<()> {
    let [lines, words, code_points, graphemes, bytes, columns] = numbers(counts, choice);
    json::write_line(to, &JsonChosen { path, lines, words, code_points, graphemes, bytes, columns })
}

/// Returns the requested numbers, in the order of wc.
fn numbers(counts: &Counts, choice: Choice) -> [Option<u64>; 6] {
    [
        choice.lines.then_some(counts.lines),
        choice.words.then_some(counts.chosen.words),
        choice.chars.then_some(counts.code_points),
        choice.graphemes.then_some(counts.chosen.graphemes),
        choice.bytes.then_some(counts.bytes),
        choice.columns.then_some(counts.chosen.columns),
    ]
}

/// Numbers and names, as wc prints them: standard input has no name unless `-` named it.
fn chosen_table(rows: &[(String, Counts)], choice: Choice) -> String {
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
