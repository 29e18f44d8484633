//! The edits that need no other program: a text in place of another, of some lines, or of the whole text.

use super::breaks::Breaks;
use super::changes::Changes;
use super::find::Searched;
use super::line_ends::Eol;
use super::parts::parts;
use super::refusal::enough_memory;
use super::shown::Diff;
use crate::palette::Palette;
use crate::shown::{Name, grouped};
use core::fmt::Write as _;
use core::ops::Range;
use placemat::edit::{Document, EditError, StandIns};
use placemat::{Encoding, UnmappablePolicy};
use placemat_diagnose::names;
use std::collections::HashSet;

/// A message names at most this many characters.
const MAX_NAMED: usize = 6;

/// An edit.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    /// `new` in place of `old`.
    Replace { old: String, new: String, all: bool },
    /// A text in place of some lines.
    Lines(Lines, String),
    /// A text in place of the whole one.
    Write(String),
}

/// A range of lines, from 1; the last one is included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lines {
    pub(crate) first: usize,
    /// `None` for all lines to the end.
    pub(crate) last: Option<usize>,
}

/// The permissions of an edit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) eol: Eol,
    pub(crate) lossy: bool,
    pub(crate) allow_empty: bool,
    /// The most bytes that the text may have after the edit; `None` for the most that the command takes.
    pub(crate) max_bytes: Option<usize>,
}

/// The most bytes of a text, before an edit and after it.
pub(crate) const MAX_TEXT_BYTES: usize = 1 << 30;

impl Rules {
    /// Refuses a text that would be too long.
    fn bounded(self, bytes: usize) -> Result<(), String> {
        let most = self.max_bytes.unwrap_or(MAX_TEXT_BYTES);
        if bytes > most {
            return Err(format!("the text would have more than {} bytes", grouped(most as u64)));
        }
        enough_memory(bytes)
    }
}

/// An edited file.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) bytes: Vec<u8>,
    /// The changed lines, as `diff -u` prints them.
    pub(crate) diff: String,
}

impl Lines {
    /// Returns the range that `10`, `10-20` or `10-` names.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse::<usize>().ok().filter(|&number| number > 0);
        let (first, last) = match text.split_once('-') {
            None => (number(text)?, Some(number(text)?)),
            Some((first, "")) => (number(first)?, None),
            Some((first, last)) => (number(first)?, Some(number(last)?)),
        };
        last.is_none_or(|last| last >= first).then_some(Self { first, last })
    }

    /// Returns the indexes of the lines in a text of `count` lines.
    ///
    /// # Errors
    /// A message, if the text has fewer lines.
    pub(crate) fn within(self, count: usize) -> Result<Range<usize>, String> {
        let last = self.last.unwrap_or(count.max(self.first));
        if last > count {
            let plural = if count == 1 { "" } else { "s" };
            return Err(format!("there is no line {last}: the text has {count} line{plural}"));
        }
        Ok(self.first - 1..last)
    }
}

/// Returns a file after an edit. The diff is empty unless `diff` names its styles.
///
/// # Errors
/// The reason, which names the characters that the encoding cannot represent.
pub(crate) fn edited(
    bytes: &[u8],
    encoding: Encoding,
    edit: &Edit,
    rules: Rules,
    name: &Name,
    diff: Option<Palette>,
) -> Result<Edited, String> {
    let mut document = Document::open(bytes, encoding).map_err(|e| e.to_string())?;
    let old = document.text();
    let breaks = Breaks::of(&old);
    let new = match edit {
        Edit::Write(text) => write(&mut document, &old, text, rules)?,
        Edit::Replace { old: wanted, new, all } => {
            let matched = Some(breaks).filter(|_| rules.eol == Eol::Lf);
            let ranges = Searched::new(&old, matched).find(wanted, *all)?;
            let removed: usize = ranges.iter().map(ExactSizeIterator::len).sum();
            rules.bounded(ranges.len().saturating_mul(new.len()).saturating_add(old.len() - removed))?;
            let changes =
                ranges.into_iter().map(|range| placed((&old, breaks), range, new, rules)).collect::<Vec<_>>();
            splice(&mut document, &old, &changes, new, rules)?
        }
        Edit::Lines(lines, text) => {
            let all = breaks.lines(&old);
            let lines = lines.within(all.len())?;
            rules.bounded(old.len().saturating_add(text.len()))?;
            let offset = |line: usize| -> usize {
                all[..line].iter().map(|line| line.text.len() + line.end.len()).sum()
            };
            let (range, mut new) =
                placed((&old, breaks), offset(lines.start)..offset(lines.end), text, rules);
            // The text ends as the lines do.
            if !new.is_empty() && !new.ends_with(['\n', '\r']) {
                new.push_str(all[lines.end - 1].end);
            }
            let changes = [(range, new)];
            if !rules.lossy
                && let Some(lost) = lost(&document, &old, &changes)
            {
                return Err(format!("the new lines lack {lost} (--lossy accepts that)"));
            }
            splice(&mut document, &old, &changes, text, rules)?
        }
    };
    let shown = |styles| {
        let changes = Changes::between(&old, &new);
        Diff { styles, stand_ins: document.stand_ins() }.of(name, &changes)
    };
    let diff = diff.map(shown).unwrap_or_default();
    Ok(Edited { bytes: document.to_bytes(), diff })
}

/// Puts a text in place of the whole one. Returns the text with its line ends.
fn write(document: &mut Document, old: &str, text: &str, rules: Rules) -> Result<String, String> {
    // A signature at the start belongs to the file that the text comes from.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    rules.bounded(text.len())?;
    if text.is_empty() && !old.is_empty() && !rules.allow_empty {
        return Err("the new text is empty (--allow-empty accepts that)".into());
    }
    let new = match rules.eol {
        Eol::Lf => Breaks::of(old).adopt(old, text, line_end_at(old, Breaks::of(old), 0)),
        Eol::Keep => text.to_owned(),
    };
    let changes = Changes::between(old, &new);
    if !rules.lossy
        && let Some(lost) = changes.lost(document)
    {
        return Err(format!("the new text lacks {lost} (--lossy accepts that)"));
    }
    if let Err(refused) = changes.apply(document) {
        let lines = changes.hunks.iter().flat_map(|hunk| hunk.new.clone());
        let lines = lines.map(|line| (line + 1, changes.new.get(line)));
        return Err(reason(refused.error, document, lines));
    }
    Ok(new)
}

/// Returns a range of a text, and a new text for it with its line ends.
fn placed(
    (old, breaks): (&str, Breaks),
    range: Range<usize>,
    new: &str,
    rules: Rules,
) -> (Range<usize>, String) {
    let text = match rules.eol {
        Eol::Lf if new.contains(['\n', '\r']) => {
            breaks.adopt(&old[range.clone()], new, line_end_at(old, breaks, range.end))
        }
        Eol::Lf | Eol::Keep => new.to_owned(),
    };
    (range, text)
}

/// Makes changes, in which `text` is the new text as it was given. Returns the whole text after them.
fn splice(
    document: &mut Document,
    old: &str,
    changes: &[(Range<usize>, String)],
    text: &str,
    rules: Rules,
) -> Result<String, String> {
    let mut whole = String::with_capacity(old.len() + text.len());
    let mut at = 0;
    for (range, new) in changes {
        whole.push_str(&old[at..range.start]);
        whole.push_str(new);
        at = range.end;
    }
    whole.push_str(&old[at..]);
    if whole.is_empty() && !old.is_empty() && !rules.allow_empty {
        return Err("nothing would be left of the text (--allow-empty accepts that)".into());
    }
    let borrowed: Vec<_> = changes.iter().map(|(range, new)| (range.clone(), new.as_str())).collect();
    if let Err((_, error)) = document.replace_all(&borrowed, parts) {
        let lines = Breaks::of(old).lines(text).into_iter().enumerate();
        return Err(reason(error, document, lines.map(|(line, text)| (line + 1, text.text))));
    }
    Ok(whole)
}

/// Returns the line end at an offset of a text or after it; that before it, if there is none after it.
fn line_end_at(text: &str, breaks: Breaks, offset: usize) -> &str {
    // From the start of the line: an offset may be within a line end.
    let is_end = |c: char| c == if breaks == Breaks::Lf { '\n' } else { '\r' };
    let start = text[..offset].rfind(is_end).map_or(0, |at| at + 1);
    let end = text[offset..].find(is_end).map_or(text.len(), |at| offset + at + 1);
    let end_of = |part: &'_ str| breaks.lines(part).last().map_or(0, |line| line.end.len());
    match end_of(&text[start..end]) {
        0 => {
            let before = &text[..start];
            let start = before[..before.len().saturating_sub(1)].rfind(is_end).map_or(0, |at| at + 1);
            &before[before.len() - end_of(&before[start..])..]
        }
        len => &text[end - len..end],
    }
}

/// Returns the byte without text that lines have and the new ones lack. Bytes of deleted lines do not count.
fn lost(document: &Document, old: &str, changes: &[(Range<usize>, String)]) -> Option<String> {
    let stand_ins = document.stand_ins()?;
    let mut missing = [0_i64; 256];
    let bytes = |text: &str| -> Vec<u8> { text.chars().filter_map(|c| stand_ins.byte_of(c)).collect() };
    for (range, new) in changes.iter().filter(|(_, new)| !new.is_empty()) {
        bytes(&old[range.clone()]).into_iter().for_each(|byte| missing[usize::from(byte)] += 1);
        bytes(new).into_iter().for_each(|byte| missing[usize::from(byte)] -= 1);
    }
    let lost = (0..=255_u8).find(|&byte| missing[usize::from(byte)] > 0)?;
    Some(format!("a byte 0x{lost:02x} that does not decode"))
}

/// Returns why a new text was refused; the lines are those of it that changed, with their numbers.
fn reason<'a>(
    error: EditError,
    document: &Document,
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> String {
    let EditError::Unmappable(first) = error else { return error.to_string() };
    let encoding = document.encoding();
    let found = unmappable(encoding, document.stand_ins(), lines);
    if found.is_empty() {
        return first.to_string();
    }
    let mut message = format!("{encoding} cannot represent ");
    for (number, (c, line, column)) in found.iter().take(MAX_NAMED).enumerate() {
        let comma = if number == 0 { "" } else { ", " };
        let name = names::name(*c).map(|name| format!(" {name}")).unwrap_or_default();
        _ = write!(message, "{comma}U+{:04X}{name} at {line}:{column}", u32::from(*c));
    }
    if found.len() > MAX_NAMED {
        _ = write!(message, " and {} more", found.len() - MAX_NAMED);
    }
    message.push_str(" of the new text");
    message
}

/// Returns the characters that an encoding cannot represent, each where it is first, by line and column.
fn unmappable<'a>(
    encoding: Encoding,
    stand_ins: Option<&StandIns>,
    lines: impl Iterator<Item = (usize, &'a str)>,
) -> Vec<(char, usize, usize)> {
    let mut known = HashSet::new();
    let mut found = Vec::new();
    for (number, line) in lines {
        for (column, c) in line.chars().enumerate() {
            let is_byte = || stand_ins.is_some_and(|stand_ins| stand_ins.byte_of(c).is_some());
            if known.insert(c)
                && !is_byte()
                && encoding.encode(c.encode_utf8(&mut [0; 4]), UnmappablePolicy::Stop).is_err()
            {
                found.push((c, number, column + 1));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each kind of edit is refused before it makes a text that would be too long.
    #[test]
    fn a_text_that_would_be_too_long_is_refused() {
        let edit = |edit: &Edit, max_bytes| {
            let rules = Rules { max_bytes: Some(max_bytes), ..Rules::default() };
            let name = Name::new(std::path::Path::new("a"));
            edited(b"one\ntwo\n", Encoding::UTF_8, edit, rules, &name, None).map(|edited| edited.bytes)
        };
        let replace = Edit::Replace { old: "o".into(), new: "0000".into(), all: true };
        let lines = Edit::Lines(Lines { first: 2, last: Some(2) }, "three and four\n".into());
        for (one, len) in [(replace, 14), (Edit::Write("three and four\n".into()), 15), (lines, 19)] {
            assert_eq!(edit(&one, 30).map(|bytes| bytes.len()), Ok(len));
            let said = edit(&one, 13).unwrap_err();
            assert_eq!(said, "the text would have more than 13 bytes", "{one:?}");
        }
    }

    #[test]
    fn ranges_of_lines() {
        let lines = |first, last| Some(Lines { first, last });
        assert_eq!(Lines::parse("10"), lines(10, Some(10)));
        assert_eq!(Lines::parse("1-20"), lines(1, Some(20)));
        assert_eq!(Lines::parse("3-"), lines(3, None));
        for text in ["", "-", "0", "0-3", "5-4", "-5", "a", "1-b", "1--2", "99999999999999999999999"] {
            assert_eq!(Lines::parse(text), None, "{text}");
        }
        let within = |text, count| Lines::parse(text).and_then(|lines| lines.within(count).ok());
        assert_eq!(within("2-3", 3), Some(1..3));
        assert_eq!(within("2-", 3), Some(1..3));
        assert_eq!((within("2-4", 3), within("1", 0), within("4-", 3)), (None, None, None));
    }

    #[test]
    fn the_line_end_of_a_place() {
        for (text, offset, want) in [
            ("a\r\nb\nc", 0, "\r\n"),
            ("a\r\nb\nc", 1, "\r\n"),
            ("a\r\nb\nc", 2, "\r\n"),
            ("a\r\nb\nc", 3, "\n"),
            ("a\r\nb\nc", 6, "\n"),
            ("a\nb\r\nc", 6, "\r\n"),
            ("a\rb", 2, "\r"),
            ("a", 1, ""),
            ("", 0, ""),
        ] {
            assert_eq!(line_end_at(text, Breaks::of(text), offset), want, "{text:?} {offset}");
        }
    }
}
