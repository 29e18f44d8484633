//! `--diff`: the changed lines, as `diff -u` prints them, fit for a terminal.

use super::changes::{Changes, Hunk, Lines};
use crate::shown::{Name, escaped};
use core::fmt::Write as _;
use core::ops::Range;

/// The unchanged lines that are shown around changed ones.
const AROUND: usize = 3;

/// The changed lines with some others around them.
pub(super) fn diff(name: &Name, changes: &Changes<'_>) -> String {
    let mut out = String::new();
    if !changes.hunks.is_empty() {
        _ = writeln!(out, "--- {name}\n+++ {name} (edited)");
    }
    // Changes whose surroundings meet are shown together.
    for near in changes.hunks.chunk_by(|a, b| b.old.start - a.old.end <= 2 * AROUND) {
        let (Some(first), Some(last)) = (near.first(), near.last()) else { continue };
        let before = first.old.start.min(AROUND);
        let after = (changes.old.len() - last.old.end).min(AROUND);
        let old = first.old.start - before..last.old.end + after;
        let new = first.new.start - before..last.new.end + after;
        _ = writeln!(out, "@@ -{} +{} @@", span(&old), span(&new));
        let mut at = old.start;
        for Hunk { old, new } in near {
            lines(&mut out, ' ', &changes.old, at..old.start);
            lines(&mut out, '-', &changes.old, old.clone());
            lines(&mut out, '+', &changes.new, new.clone());
            at = old.end;
        }
        lines(&mut out, ' ', &changes.old, at..old.end);
    }
    out
}

/// The first line, from 1, and the number of lines; no lines come after the line before them.
fn span(lines: &Range<usize>) -> String {
    let first = lines.start + usize::from(!lines.is_empty());
    if lines.len() == 1 { first.to_string() } else { format!("{first},{}", lines.len()) }
}

fn lines(out: &mut String, mark: char, all: &Lines<'_>, range: Range<usize>) {
    for line in range {
        let line = all.get(line);
        let shown = line.trim_end_matches(['\r', '\n']);
        _ = writeln!(out, "{mark}{}", escaped(shown.as_ref()));
        if shown.len() == line.len() {
            out.push_str("\\ No newline at end of file\n");
        }
    }
}
