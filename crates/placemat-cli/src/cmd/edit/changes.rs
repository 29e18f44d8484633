//! The changes that a command made to a text: changed lines, and in them the changed characters.

use crate::shown::Name;
use core::hash::Hash;
use core::ops::Range;
use imara_diff::{Algorithm, Diff, InternedInput};
use placemat::edit::{Document, EditError, StandIns};
use placemat::{Encoding, Unmappable};

/// Lines longer than this are not compared by their characters.
const LONGEST: usize = 1 << 20;

/// The changes from one text to another.
pub(super) struct Changes<'a> {
    pub(super) old: Lines<'a>,
    pub(super) new: Lines<'a>,
    /// The changed lines, in order.
    pub(super) hunks: Vec<Hunk>,
}

/// A text in lines.
pub(super) struct Lines<'a> {
    pub(super) text: &'a str,
    /// Where each line starts, and the end of the last one.
    starts: Vec<usize>,
}

/// Some lines, and others in their place.
pub(super) struct Hunk {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// A change that cannot be made.
pub(super) struct Refused {
    error: EditError,
    /// The line of the new text, from 1, and for an unmappable code point its column.
    line: usize,
    column: usize,
}

impl<'a> Lines<'a> {
    /// LF, CR LF and CR end a line.
    fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let is_end = |i: usize| match bytes[i] {
            b'\n' => true,
            b'\r' => bytes.get(i + 1) != Some(&b'\n'),
            _ => false,
        };
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(|&i| is_end(i)).map(|i| i + 1);
        let mut starts: Vec<usize> = core::iter::once(0).chain(ends).collect();
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Self { text, starts }
    }

    fn all(&self) -> impl Iterator<Item = &'a str> {
        self.starts.windows(2).map(|two| &self.text[two[0]..two[1]])
    }

    /// The bytes of some lines.
    fn range(&self, lines: &Range<usize>) -> Range<usize> {
        self.starts[lines.start]..self.starts[lines.end]
    }

    pub(super) fn get(&self, line: usize) -> &'a str {
        &self.text[self.range(&(line..line + 1))]
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

/// The ranges in which two sequences differ.
fn differences<T: Hash + Eq + Default>(
    algorithm: Algorithm,
    old: impl Iterator<Item = T>,
    new: impl Iterator<Item = T>,
) -> Vec<(Range<usize>, Range<usize>)> {
    let mut input = InternedInput::default();
    input.update_before(old);
    input.update_after(new);
    let mut diff = Diff::compute(algorithm, &input);
    diff.postprocess_no_heuristic(&input);
    let wide = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| (wide(hunk.before), wide(hunk.after))).collect()
}

impl<'a> Changes<'a> {
    pub(super) fn between(old: &'a str, new: &'a str) -> Self {
        let (old, new) = (Lines::of(old), Lines::of(new));
        let hunks = if old.text == new.text {
            Vec::new()
        } else {
            let found = differences(Algorithm::Histogram, old.all(), new.all());
            found.into_iter().map(|(old, new)| Hunk { old, new }).collect()
        };
        Self { old, new, hunks }
    }

    /// The bytes without text that were in changed lines and are nowhere now. Those of lines that were deleted do not count.
    pub(super) fn lost(&self, document: &Document) -> Option<String> {
        let stand_ins = document.stand_ins()?;
        let mut missing = [0_i64; 256];
        for hunk in &self.hunks {
            if !hunk.new.is_empty() {
                let old = &self.old.text[self.old.range(&hunk.old)];
                bytes(stand_ins, old).for_each(|byte| missing[usize::from(byte)] += 1);
            }
            let new = &self.new.text[self.new.range(&hunk.new)];
            bytes(stand_ins, new).for_each(|byte| missing[usize::from(byte)] -= 1);
        }
        let lost = (0..=255_u8).find(|&byte| missing[usize::from(byte)] > 0)?;
        let mut changed =
            self.hunks.iter().filter(|hunk| !hunk.new.is_empty()).flat_map(|hunk| hunk.old.clone());
        let line = changed.find(|&line| bytes(stand_ins, self.old.get(line)).any(|byte| byte == lost));
        let line = line.unwrap_or(0) + 1;
        Some(format!("a byte {lost:02x} that does not decode, from line {line} or after"))
    }

    /// Makes the changes, from the last to the first, so that offsets before them stay true.
    pub(super) fn apply(&self, document: &mut Document) -> Result<(), Refused> {
        for hunk in self.hunks.iter().rev() {
            let (old, new) = (self.old.range(&hunk.old), self.new.range(&hunk.new));
            let (old_text, new_text) = (&self.old.text[old.clone()], &self.new.text[new.clone()]);
            let mut len = old.len();
            let all_made = within(old_text, new_text).into_iter().rev().all(|(from, to)| {
                let range = old.start + from.start..old.start + from.end;
                let made = document.replace(range, &new_text[to.clone()]).is_ok();
                if made {
                    len = len - from.len() + to.len();
                }
                made
            });
            // A change can be possible although one of its parts is not.
            if !all_made {
                let range = old.start..old.start + len;
                document.replace(range, new_text).map_err(|error| self.refused(error, new.start))?;
            }
        }
        Ok(())
    }

    /// A refusal of the new text from an offset on.
    fn refused(&self, error: EditError, offset: usize) -> Refused {
        let at = match error {
            EditError::Unmappable(e) => offset + usize::try_from(e.offset()).unwrap_or(0),
            _ => offset,
        };
        let line = self.new.starts.partition_point(|&start| start <= at).clamp(1, self.new.len().max(1));
        let start = self.new.starts[line - 1];
        let column = self.new.text.get(start..at).map_or(0, |before| before.chars().count()) + 1;
        Refused { error, line, column }
    }
}

impl Refused {
    /// The message.
    pub(super) fn reason(&self, program: &Name, encoding: Encoding) -> String {
        let Self { error, line, column } = self;
        match error {
            EditError::Unmappable(e) => {
                let (c, name) = (e.code_point(), name_of(e));
                format!(
                    "{encoding} cannot represent {c}{name}, in line {line}, column {column} of the output of {program}"
                )
            }
            error => format!("line {line} of the output of {program}: {error}"),
        }
    }
}

/// The name of a code point, after a space.
fn name_of(e: &Unmappable) -> String {
    let named = e.code_point().to_char().and_then(unicode_names2::name);
    named.map(|name| format!(" {name}")).unwrap_or_default()
}

/// The bytes that stand-ins of a text stand for.
fn bytes<'a>(stand_ins: &'a StandIns, text: &'a str) -> impl Iterator<Item = u8> + 'a {
    text.chars().filter_map(|c| stand_ins.byte_of(c))
}

/// The bytes that differ in changed lines.
fn within(old: &str, new: &str) -> Vec<(Range<usize>, Range<usize>)> {
    if old.is_empty() || new.is_empty() || old.len().max(new.len()) > LONGEST {
        return vec![(0..old.len(), 0..new.len())];
    }
    let offsets =
        |text: &str| -> Vec<usize> { text.char_indices().map(|(at, _)| at).chain([text.len()]).collect() };
    let (old_at, new_at) = (offsets(old), offsets(new));
    let found = differences(Algorithm::Myers, old.chars(), new.chars());
    let in_bytes = |at: &[usize], range: Range<usize>| at[range.start]..at[range.end];
    found.into_iter().map(|(from, to)| (in_bytes(&old_at, from), in_bytes(&new_at, to))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The changes make one text of the other, and leave bytes alone that the texts have in common.
    #[test]
    fn changes_lead_from_one_text_to_the_other() {
        let long = "x\r\n".repeat(300);
        let texts = [
            "",
            "a",
            "a\n",
            "a\nb\n",
            "b\na\n",
            "a\rb\r\nc",
            "colour\ncolour",
            "color\ncolour\n",
            "日本\n語",
            &long,
        ];
        for old in texts {
            for new in texts {
                let mut document = Document::open(old.as_bytes(), Encoding::UTF_8).unwrap();
                let changes = Changes::between(old, new);
                assert!(changes.lost(&document).is_none());
                assert!(changes.apply(&mut document).is_ok(), "{old:?} {new:?}");
                assert_eq!(document.text(), new, "{old:?}");
            }
        }
        assert_eq!(within("colour", "color"), [(4..5, 4..4)]);
        assert_eq!(Lines::of("a\rb\r\nc").all().collect::<Vec<_>>(), ["a\r", "b\r\n", "c"]);
    }

    #[test]
    fn lost_bytes_are_found() {
        let document = Document::open(b"a\xFF\nb\xFE\nc\n", Encoding::UTF_8).unwrap();
        let text = document.text();
        let lost = |new: &str| Changes::between(&text, new).lost(&document).is_some();
        assert!(!lost(&text));
        // Deleted with their lines, moved, copied.
        assert!(!lost("c\n") && !lost("b\u{10FEFE}\nc\na\u{10FEFF}\n") && !lost(&text.repeat(2)));
        // Out of a line that stays.
        assert!(lost("a\nb\u{10FEFE}\nc\n") && lost("a?\nb?\nc\n"));
    }
}
