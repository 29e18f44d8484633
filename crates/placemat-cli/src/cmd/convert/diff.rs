//! `--diff`: what would change in a file, as a unified diff with everything escaped that a terminal would obey.

use crate::compare::{Difference, differing};
use crate::shown::{Name, escaped_bytes};
use core::fmt::Write as _;
use core::ops::Range;
use placemat::{Encoding, ErrorPolicy};
use std::borrow::Cow;

/// The number of unchanged lines around a change.
const CONTEXT_LINES: usize = 3;
/// The maximum length of a text that is compared.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// A text and its encoding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version<'a> {
    pub(super) encoding: Encoding,
    pub(super) bytes: &'a [u8],
}

/// Returns the changes from one version of a file to the other.
///
/// If both encodings contain ASCII as it is, the bytes of the lines are compared, so that a diff shows what is converted. Else
/// only their texts can be: then a changed encoding is a single line of words.
pub(super) fn diff(name: &Name, old: Version<'_>, new: Version<'_>) -> String {
    let are_bytes = [old, new].iter().all(|version| version.encoding.facts().is_ascii_compatible());
    let text = |version: Version<'_>| match version.encoding.decode(version.bytes, ErrorPolicy::Replace) {
        Ok(text) => text.into_owned().into_bytes(),
        Err(_) => version.bytes.to_vec(),
    };
    let [old_text, new_text]: [Cow<'_, [u8]>; 2] =
        if are_bytes { [old.bytes.into(), new.bytes.into()] } else { [text(old).into(), text(new).into()] };
    let (from, to) = (old.encoding, new.encoding);
    let mut to_show = String::new();
    if old_text == new_text {
        if from != to || old.bytes != new.bytes {
            _ = writeln!(
                to_show,
                "{name}: the text stays as it is, and its bytes change from {from} to {to}"
            );
        }
        return to_show;
    }
    let (old_lines, new_lines) = (Lines::of(&old_text), Lines::of(&new_text));
    let found = differing(
        (old_lines.len(), |line| old_lines.get(line)),
        (new_lines.len(), |line| new_lines.get(line)),
    );
    _ = writeln!(to_show, "--- {name}\t{from}\n+++ {name}\t{to}");
    for hunk in hunks(&found) {
        write_hunk(&mut to_show, hunk, &old_lines, &new_lines);
    }
    to_show
}

/// A text in lines.
struct Lines<'a> {
    text: &'a [u8],
    /// The offset at which each line starts, and the end of the last line.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Splits a text after each LF, CR LF and CR.
    fn of(text: &'a [u8]) -> Self {
        let is_end = |at: &usize| text[*at] == b'\n' || text.get(at + 1) != Some(&b'\n');
        let ends = memchr::memchr2_iter(b'\n', b'\r', text).filter(is_end).map(|at| at + 1);
        let mut starts: Vec<usize> = core::iter::once(0).chain(ends).collect();
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Self { text, starts }
    }

    fn get(&self, line: usize) -> &'a [u8] {
        &self.text[self.starts[line]..self.starts[line + 1]]
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

/// Returns the differences in groups: those whose context would overlap are in one hunk.
fn hunks(found: &[Difference]) -> impl Iterator<Item = &[Difference]> {
    found.chunk_by(|(before, _), (after, _)| after.start - before.end <= 2 * CONTEXT_LINES)
}

/// Writes one hunk, with the unchanged lines around it.
fn write_hunk(to: &mut String, hunk: &[Difference], old: &Lines<'_>, new: &Lines<'_>) {
    let (Some((first_old, first_new)), Some((last_old, last_new))) = (hunk.first(), hunk.last()) else {
        return;
    };
    let before = CONTEXT_LINES.min(first_old.start);
    let after = CONTEXT_LINES.min(old.len() - last_old.end);
    let old_range = first_old.start - before..last_old.end + after;
    let new_range = first_new.start - before..last_new.end + after;
    _ = writeln!(to, "@@ -{} +{} @@", place(&old_range), place(&new_range));
    let mut at = old_range.start;
    for (gone, come) in hunk {
        (at..gone.start).for_each(|line| write_line(to, ' ', old.get(line)));
        gone.clone().for_each(|line| write_line(to, '-', old.get(line)));
        come.clone().for_each(|line| write_line(to, '+', new.get(line)));
        at = gone.end;
    }
    (at..old_range.end).for_each(|line| write_line(to, ' ', old.get(line)));
}

/// Returns the first line and the number of lines. A range without lines names the line before it.
fn place(lines: &Range<usize>) -> String {
    let first = if lines.is_empty() { lines.start } else { lines.start + 1 };
    if lines.len() == 1 { first.to_string() } else { format!("{first},{}", lines.len()) }
}

/// Writes a line. A TAB stays, everything else that is invisible is escaped.
fn write_line(to: &mut String, mark: char, line: &[u8]) {
    to.push(mark);
    let content = line.strip_suffix(b"\n").unwrap_or(line);
    for (i, part) in content.split(|&byte| byte == b'\t').enumerate() {
        if i > 0 {
            to.push('\t');
        }
        _ = write!(to, "{}", escaped_bytes(part));
    }
    to.push('\n');
    if line.ends_with(b"\r") {
        to.push_str("\\ A CR alone ends this line\n");
    } else if content.len() == line.len() {
        to.push_str("\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(old: &str, new: &str) -> String {
        let of = |bytes| Version { encoding: Encoding::UTF_8, bytes };
        diff(&Name::new("a"), of(old.as_bytes()), of(new.as_bytes()))
    }

    #[test]
    fn hunks_have_context_and_join_where_it_would_overlap() {
        let numbers = |range: Range<usize>| range.map(|i| format!("{i}\n")).collect::<String>();
        let old = numbers(1..31);
        let new = old.replace("\n5\n", "\nfive\n").replace("\n12\n", "\n").replace("\n29\n", "\n29\nmore\n");
        let want = "--- a\tUTF-8\n+++ a\tUTF-8\n\
                    @@ -2,14 +2,13 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n 10\n 11\n-12\n 13\n 14\n 15\n\
                    @@ -27,4 +26,5 @@\n 27\n 28\n 29\n+more\n 30\n";
        assert_eq!(changes(&old, &new), want);
    }

    #[test]
    fn empty_texts_and_missing_line_ends() {
        assert_eq!(changes("", ""), "");
        assert_eq!(changes("", "a\n"), "--- a\tUTF-8\n+++ a\tUTF-8\n@@ -0,0 +1 @@\n+a\n");
        assert_eq!(
            changes("a", "a\n"),
            "--- a\tUTF-8\n+++ a\tUTF-8\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"
        );
        assert_eq!(
            changes("a\r\tb\r\n", "a\n\tb\n"),
            "--- a\tUTF-8\n+++ a\tUTF-8\n@@ -1,2 +1,2 @@\n-a\\x0d\n\\ A CR alone ends this line\n-\tb\\x0d\n+a\n+\tb\n"
        );
    }
}
