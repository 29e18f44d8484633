//! The parts of changed lines that differ: words, and in them characters.

use crate::compare::{Difference, Numbers, compare, compare_repetitive};
use core::ops::Range;

/// Two texts of up to this many bytes together are compared by characters at once.
const MAX_CHARACTER_DIFF_BYTES: usize = 512;
/// Changed words of more bytes than this count as changed as a whole, except for equal starts and
/// ends.
const MAX_WORD_DIFF_BYTES: usize = 8 << 10;
/// From this many characters on, a word may end at any character that a hash of the last ones chooses.
const MIN_WORD: usize = 8;

/// Returns the parts of changed lines that differ, in bytes.
pub(super) fn parts(old: &str, new: &str) -> Vec<Difference> {
    let mut found = Vec::new();
    let lines = |text: &str| text.split_inclusive(['\n', '\r']).count();
    let pairs = || old.split_inclusive(['\n', '\r']).zip(new.split_inclusive(['\n', '\r']));
    if lines(old) == lines(new) && are_alike(pairs()) {
        let (mut old_at, mut new_at) = (0, 0);
        for (old, new) in pairs() {
            Comparison { old, new, at: (old_at, new_at) }.words(&mut found);
            (old_at, new_at) = (old_at + old.len(), new_at + new.len());
        }
    } else {
        Comparison { old, new, at: (0, 0) }.words(&mut found);
    }
    found
}

/// Returns `true` if pairs of lines have half of their bytes in common at their ends, so that each line has become the
/// other.
pub(super) fn are_alike<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> bool {
    let (mut same, mut all) = (0, 0);
    for (old, new) in pairs {
        let (before, after) = common(old, new);
        same += before + after;
        all += old.len().max(new.len());
    }
    2 * same >= all
}

/// Returns the lengths of what two texts have in common at both ends, in bytes of whole characters.
fn common(old: &str, new: &str) -> (usize, usize) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let mut before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    while !old.is_char_boundary(before) || !new.is_char_boundary(before) {
        before -= 1;
    }
    let rest = a[before..].iter().rev().zip(b[before..].iter().rev());
    let mut after = rest.take_while(|(a, b)| a == b).count();
    while !old.is_char_boundary(old.len() - after) || !new.is_char_boundary(new.len() - after) {
        after -= 1;
    }
    (before, after)
}

/// Two texts that may differ.
struct Comparison<'a> {
    old: &'a str,
    new: &'a str,
    /// The offsets of `old` and `new` in their texts.
    at: (usize, usize),
}

impl Comparison<'_> {
    fn part(&self, old: Range<usize>, new: Range<usize>) -> Comparison<'_> {
        let at = (self.at.0 + old.start, self.at.1 + new.start);
        Comparison { old: &self.old[old], new: &self.new[new], at }
    }

    /// Without what is equal at both ends.
    fn trimmed(&self) -> Comparison<'_> {
        let (before, after) = common(self.old, self.new);
        self.part(before..self.old.len() - after, before..self.new.len() - after)
    }

    fn len(&self) -> usize {
        self.old.len() + self.new.len()
    }

    /// Adds the parts that differ, unless they are empty.
    fn add_whole(&self, found: &mut Vec<Difference>) {
        let (old, new) = self.at;
        if self.len() > 0 {
            found.push((old..old + self.old.len(), new..new + self.new.len()));
        }
    }

    fn words(&self, found: &mut Vec<Difference>) {
        let this = self.trimmed();
        if this.len() <= MAX_CHARACTER_DIFF_BYTES {
            return this.chars(found);
        }
        let (Some(old), Some(new)) = (Words::of(this.old), Words::of(this.new)) else {
            return this.add_whole(found);
        };
        let mut numbers = Numbers::new(old.len() + new.len());
        let [old_numbers, new_numbers] = [&old, &new]
            .map(|words| -> Vec<u32> { words.all().map(|word| numbers.of(word.as_bytes())).collect() });
        let (differences, _) = compare(&old_numbers, &new_numbers, numbers.len());
        for (old_words, new_words) in differences {
            let (old, new) = (old.bytes(old_words), new.bytes(new_words));
            let part = this.part(old, new);
            let part = part.trimmed();
            if part.len() <= MAX_WORD_DIFF_BYTES { part.chars(found) } else { part.add_whole(found) }
        }
    }

    fn chars(&self, found: &mut Vec<Difference>) {
        if self.old.is_empty() || self.new.is_empty() {
            return self.add_whole(found);
        }
        let numbers = |text: &str| -> Vec<u32> { text.chars().map(u32::from).collect() };
        let (differences, _) = compare_repetitive(&numbers(self.old), &numbers(self.new));
        let mut old = Bytes::of(self.old, self.at.0);
        let mut new = Bytes::of(self.new, self.at.1);
        for (old_chars, new_chars) in differences {
            found.push((old.next(old_chars), new.next(new_chars)));
        }
    }
}

/// Turns ranges of characters into ranges of bytes, from the first to the last.
struct Bytes<'a> {
    chars: core::str::Chars<'a>,
    passed: usize,
    at: usize,
}

impl<'a> Bytes<'a> {
    fn of(text: &'a str, at: usize) -> Self {
        Self { chars: text.chars(), passed: 0, at }
    }

    fn next(&mut self, range: Range<usize>) -> Range<usize> {
        let mut to = |count: usize| {
            let chars = self.chars.by_ref().take(count - self.passed);
            self.at += chars.map(char::len_utf8).sum::<usize>();
            self.passed = count;
            self.at
        };
        to(range.start)..to(range.end)
    }
}

/// A text in words.
struct Words<'a> {
    text: &'a str,
    /// The start of each word, and the end of the last one. They have 32 bits, because many words have one byte.
    starts: Vec<u32>,
}

impl<'a> Words<'a> {
    /// Returns `None` for a text of 4 GiB or more.
    fn of(text: &'a str) -> Option<Self> {
        let end = u32::try_from(text.len()).ok()?;
        let starts = words(text).map_while(|word| u32::try_from(word.start).ok()).chain([end]);
        Some(Self { text, starts: starts.collect() })
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn bytes(&self, words: Range<usize>) -> Range<usize> {
        self.starts[words.start] as usize..self.starts[words.end] as usize
    }

    fn all(&self) -> impl Iterator<Item = &'a str> {
        (0..self.len()).map(|word| &self.text[self.bytes(word..word + 1)])
    }
}

/// Returns the words of a text, and what is between them. A long word is divided where the characters say so, so that
/// equal parts of two long words are divided alike.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let class = |c: char| match c {
        _ if c.is_alphanumeric() => 0,
        ' ' | '\t' => 1,
        _ => 2,
    };
    let mut chars = text.char_indices().peekable();
    core::iter::from_fn(move || {
        let (start, first) = chars.next()?;
        let kind = class(first);
        let (mut len, mut hash) = (1, 0_u32);
        let divides = |hash: u32| hash >> 16 & 63 == 0;
        let mut add = |c: char| {
            len += 1;
            hash = (hash << 1).wrapping_add(u32::from(c).wrapping_mul(0x9E37_79B1) >> 8);
            len > MIN_WORD && divides(hash)
        };
        let mut ended = kind == 2;
        let mut end = start + first.len_utf8();
        while !ended && let Some((at, c)) = chars.next_if(|&(_, c)| class(c) == kind) {
            end = at + c.len_utf8();
            ended = add(c);
        }
        Some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(old: &str, new: &str) -> Vec<Difference> {
        let found = parts(old, new);
        let (mut old_at, mut new_at) = (0, 0);
        for (from, to) in &found {
            assert_eq!(old[old_at..from.start], new[new_at..to.start], "{old:?} {new:?}");
            (old_at, new_at) = (from.end, to.end);
        }
        assert_eq!(old[old_at..], new[new_at..], "{old:?} {new:?}");
        found
    }

    #[test]
    fn changed_characters_are_found_in_lines_and_long_words() {
        assert_eq!(checked("日本語\n", "日語\n"), [(3..6, 3..3)]);
        assert_eq!(checked("éa", "èa"), [(0..2, 0..2)]);
        assert_eq!(checked("a,b\nc,d\n", "a;b\nc;d\n"), [(1..2, 1..2), (5..6, 5..6)]);
        assert_eq!(checked("", "x"), [(0..0, 0..1)]);
        // A line more, and each line changed.
        let old: String = (0..900).map(|i| format!("{i},abc,{i}\n")).collect();
        let new = format!("first\n{}", old.replace(',', ";"));
        let changed: usize = checked(&old, &new).iter().map(|(from, _)| from.len()).sum();
        assert!(changed <= 2 * 900 + 20, "{changed}");
        // One line without borders of words.
        let old: String = (0..40_000_u32).filter_map(|i| char::from_u32(0x4E00 + i * i % 7919)).collect();
        let mut new = old.clone();
        (0..200).rev().for_each(|i| new.insert(i * 300, 'x'));
        let found = checked(&old, &new);
        let changed: usize = found.iter().map(|(from, _)| from.len()).sum();
        assert!(found.len() >= 190 && changed < 3000, "{} {changed}", found.len());
        let all = checked(&old, &old.replace(|_| true, "ab"));
        assert!(all.len() < 100, "{}", all.len());
    }
}
