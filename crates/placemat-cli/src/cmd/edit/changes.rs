//! The changes that a command made to a text: changed lines, and in them the changed characters.
//!
//! Which bytes a change covers may be inexact, so that comparing takes linear time; the text that results is exact. A
//! character in a changed line can only lose its bytes, and get those that the encoder writes for it, where
//! [`parts`] does not find it.

use super::parts::{are_alike, parts};
use crate::compare::{Difference, differing};
use crate::shown::Name;
use core::ops::Range;
use placemat::edit::{Document, EditError, StandIns};
use placemat::{Encoding, Unmappable};
use placemat_diagnose::names;

/// Changed lines are passed on in blocks of about this many bytes, if each line has become one line.
const BLOCK_BYTES: usize = 32 << 10;

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
    /// The offset at which each line starts, and the end of the last line.
    starts: Vec<usize>,
}

/// Some lines, and others in their place.
pub(super) struct Hunk {
    pub(super) old: Range<usize>,
    pub(super) new: Range<usize>,
}

/// A change that cannot be made.
pub(super) struct Refused {
    pub(super) error: EditError,
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

impl<'a> Changes<'a> {
    pub(super) fn between(old: &'a str, new: &'a str) -> Self {
        let (old, new) = (Lines::of(old), Lines::of(new));
        let found = if old.text == new.text {
            Vec::new()
        } else {
            differing(
                (old.len(), |line| old.get(line).as_bytes()),
                (new.len(), |line| new.get(line).as_bytes()),
            )
        };
        let hunks = found.into_iter().map(|(old, new)| Hunk { old, new }).collect();
        Self { old, new, hunks }
    }

    /// The bytes without text that were in changed lines and are gone now. Bytes of deleted lines
    /// do not count.
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
        Some(format!("a byte 0x{lost:02x} that does not decode, from line {line} or after"))
    }

    /// Makes the changes.
    pub(super) fn apply(&self, document: &mut Document) -> Result<(), Refused> {
        let blocks: Vec<_> = self.hunks.iter().flat_map(|hunk| self.blocks(hunk)).collect();
        let changes: Vec<_> =
            blocks.iter().map(|(old, new)| (old.clone(), &self.new.text[new.clone()])).collect();
        document
            .replace_all(&changes, parts)
            .map_err(|(index, error)| self.refused(error, blocks[index].1.start))
    }

    /// The bytes of a hunk, or of blocks of its lines.
    fn blocks(&self, hunk: &Hunk) -> Vec<Difference> {
        let (old, new) = (self.old.range(&hunk.old), self.new.range(&hunk.new));
        let pairs = || hunk.old.clone().zip(hunk.new.clone());
        let is_short = old.len().max(new.len()) <= BLOCK_BYTES;
        if is_short
            || hunk.old.len() != hunk.new.len()
            || !are_alike(pairs().map(|(old, new)| (self.old.get(old), self.new.get(new))))
        {
            return vec![(old, new)];
        }
        let mut blocks = Vec::new();
        let (mut old_start, mut new_start) = (old.start, new.start);
        for (old, new) in pairs() {
            let (old, new) = (self.old.starts[old + 1], self.new.starts[new + 1]);
            if (old - old_start).max(new - new_start) >= BLOCK_BYTES || old == self.old.starts[hunk.old.end] {
                blocks.push((old_start..old, new_start..new));
                (old_start, new_start) = (old, new);
            }
        }
        blocks
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
    let named = e.code_point().to_char().and_then(names::name);
    named.map(|name| format!(" {name}")).unwrap_or_default()
}

/// The bytes that the stand-ins in a text represent.
fn bytes<'a>(stand_ins: &'a StandIns, text: &'a str) -> impl Iterator<Item = u8> + 'a {
    text.chars().filter_map(|c| stand_ins.byte_of(c))
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
        assert_eq!(parts("colour", "color"), [(4..5, 4..4)]);
        let lines = Lines::of("a\rb\r\nc");
        assert_eq!((0..lines.len()).map(|line| lines.get(line)).collect::<Vec<_>>(), ["a\r", "b\r\n", "c"]);
    }

    #[test]
    fn lost_bytes_are_found() {
        let document = Document::open(b"a\xFF\nb\xFE\nc\n", Encoding::UTF_8).unwrap();
        let text = document.text();
        let lost = |new: &str| Changes::between(&text, new).lost(&document).is_some();
        assert!(!lost(&text));
        // The bytes were deleted with their lines, moved, or copied.
        assert!(!lost("c\n") && !lost("b\u{10FEFE}\nc\na\u{10FEFF}\n") && !lost(&text.repeat(2)));
        // The bytes were removed from a line that stays.
        assert!(lost("a\nb\u{10FEFE}\nc\n") && lost("a?\nb?\nc\n"));
    }
}
