//! `--diff`: the changed lines, as `diff -u` prints them, fit for a terminal.

use super::changes::{Changes, Hunk, Lines};
use crate::shown::{Name, escaped};
use core::fmt::Write as _;
use core::ops::Range;
use placemat::edit::StandIns;

/// The unchanged lines that are shown around changed ones.
const AROUND: usize = 3;

/// The changed lines with some others around them.
pub(super) fn diff(name: &Name, changes: &Changes<'_>, stand_ins: Option<&StandIns>) -> String {
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
            lines(&mut out, ' ', &changes.old, at..old.start, stand_ins);
            lines(&mut out, '-', &changes.old, old.clone(), stand_ins);
            lines(&mut out, '+', &changes.new, new.clone(), stand_ins);
            at = old.end;
        }
        lines(&mut out, ' ', &changes.old, at..old.end, stand_ins);
    }
    out
}

/// The first line, from 1, and the number of lines; no lines come after the line before them.
fn span(lines: &Range<usize>) -> String {
    let first = lines.start + usize::from(!lines.is_empty());
    if lines.len() == 1 { first.to_string() } else { format!("{first},{}", lines.len()) }
}

fn lines(out: &mut String, mark: char, all: &Lines<'_>, range: Range<usize>, stand_ins: Option<&StandIns>) {
    for line in range {
        let line = all.get(line);
        let shown = line.trim_end_matches(['\r', '\n']);
        out.push(mark);
        let byte_of = |c| stand_ins.and_then(|stand_ins| stand_ins.byte_of(c));
        let mut rest = shown;
        while let Some((at, byte, c)) =
            rest.char_indices().find_map(|(at, c)| byte_of(c).map(|byte| (at, byte, c)))
        {
            _ = write!(out, "{}\\x{byte:02x}", escaped(rest[..at].as_ref()));
            rest = &rest[at + c.len_utf8()..];
        }
        _ = writeln!(out, "{}", escaped(rest.as_ref()));
        if shown.len() == line.len() {
            out.push_str("\\ No newline at end of file\n");
        }
    }
}
