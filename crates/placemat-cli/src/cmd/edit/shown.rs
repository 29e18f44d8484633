//! `--diff`: the changed lines, as `diff -u` prints them, fit for a terminal.

use super::changes::{Changes, Hunk, Lines};
use crate::palette::Palette;
use crate::shown::{Name, escaped};
use anstyle::Style;
use core::fmt::Write as _;
use core::ops::Range;
use placemat::edit::StandIns;

/// The unchanged lines that are shown around changed ones.
const AROUND: usize = 3;

/// How changed lines are shown.
pub(super) struct Diff<'a> {
    /// The styles of standard output.
    pub(super) styles: Palette,
    /// The code points for bytes that do not decode.
    pub(super) stand_ins: Option<&'a StandIns>,
}

impl Diff<'_> {
    /// Returns the changed lines with some others around them.
    pub(super) fn of(&self, name: &Name, changes: &Changes<'_>) -> String {
        let Palette { place, .. } = self.styles;
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
            _ = writeln!(out, "{place}@@ -{} +{} @@{place:#}", span(&old), span(&new));
            let mut at = old.start;
            for Hunk { old, new } in near {
                self.lines(&mut out, ' ', &changes.old, at..old.start);
                self.lines(&mut out, '-', &changes.old, old.clone());
                self.lines(&mut out, '+', &changes.new, new.clone());
                at = old.end;
            }
            self.lines(&mut out, ' ', &changes.old, at..old.end);
        }
        out
    }

    fn lines(&self, out: &mut String, mark: char, all: &Lines<'_>, range: Range<usize>) {
        let style = match mark {
            '-' => self.styles.removed,
            '+' => self.styles.added,
            _ => Style::new(),
        };
        for line in range {
            let line = all.get(line);
            let shown = line.trim_end_matches(['\r', '\n']);
            _ = write!(out, "{style}{mark}");
            let byte_of = |c| self.stand_ins.and_then(|stand_ins| stand_ins.byte_of(c));
            let mut rest = shown;
            while let Some((at, byte, c)) =
                rest.char_indices().find_map(|(at, c)| byte_of(c).map(|byte| (at, byte, c)))
            {
                _ = write!(out, "{}\\x{byte:02x}", escaped(rest[..at].as_ref()));
                rest = &rest[at + c.len_utf8()..];
            }
            _ = writeln!(out, "{}{style:#}", escaped(rest.as_ref()));
            if shown.len() == line.len() {
                out.push_str("\\ No newline at end of file\n");
            }
        }
    }
}

/// Returns the first line, from 1, and the number of lines; no lines come after the line before
/// them.
fn span(lines: &Range<usize>) -> String {
    let first = lines.start + usize::from(!lines.is_empty());
    if lines.len() == 1 { first.to_string() } else { format!("{first},{}", lines.len()) }
}
