//! The known differences, each with its reason.
//!
//! A line of `known.txt` is `KIND NAME ITEMS : REASON`:
//!
//! | kind | items | covers |
//! | --- | --- | --- |
//! | `read` | sequences in hex, `A1A1-A1FE` | inputs in NAME that hold one of the sequences |
//! | `write` | code points, `U+20A9-U+20AB` | outputs in NAME of one of the code points |
//! | `translit` | code points | the same, with `//TRANSLIT` alone |
//! | `early` | – | inputs in NAME where, without `//IGNORE`, one says EINVAL and the other EILSEQ, and all else is equal |
//! | `omit` | – | inputs in NAME with `//IGNORE`, if both stop alike without it at the ill-formed sequence |
//! | `cut` | sequences and code points | from NAME with the sequences, or to NAME with the code points: where the output ends when there is no room; the output as a whole is equal |
//! | `mark` | sequences | inputs in NAME with one of the signatures, not in the first call |
//! | `pair` | – | everything between the two encodings of NAME, `FROM>TO` |
//! | `overrun` | – | inputs in NAME are not tried with `//IGNORE`: glibc reads beyond their end |
//! | `name` | – | NAME is unknown to one of the two |
//! | `probe` | – | the probe of this name, with spaces as `_` |
//!
//! NAME may end in `*`. A `read` or `write` without items covers all texts.

use crate::answer::{Answer, Handle, LONGEST, Memory, Null};
use crate::library::Glibc;
use crate::scenario::{Both, Difference, Names};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// The kind of calls that a rule covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Sequences in the input.
    Read,
    /// Code points to the output.
    Write,
    /// Code points to the output with `//TRANSLIT`.
    Translit,
    /// EINVAL for EILSEQ, or the other way round.
    Early,
    /// The text that `//IGNORE` leaves out.
    Omit,
    /// The offset at which output ends for lack of room.
    Cut,
    /// A signature after a reset.
    Mark,
    /// A conversion between two given encodings.
    Pair,
    /// A call that is not safe to make with glibc.
    Overrun,
    /// A name.
    Name,
    /// A probe of the table.
    Probe,
}

/// A line of the list.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The kind of calls that the rule covers.
    pub kind: Kind,
    name: String,
    /// Sequences as numbers, big-endian, with their length; or code points with the length 0.
    items: Vec<(usize, RangeInclusive<u64>)>,
    /// Why the difference is right.
    pub reason: String,
    /// The line, for messages.
    pub line: String,
}

fn number(text: &str) -> Option<(usize, u64)> {
    match text.strip_prefix("U+") {
        Some(digits) => Some((0, u64::from_str_radix(digits, 16).ok()?)),
        None => Some((text.len() / 2, u64::from_str_radix(text, 16).ok()?)),
    }
}

impl Rule {
    fn parse(line: &str) -> Option<Self> {
        let (what, reason) = line.split_once(" : ")?;
        let mut words = what.split_whitespace();
        let kind = match words.next()? {
            "read" => Kind::Read,
            "write" => Kind::Write,
            "translit" => Kind::Translit,
            "early" => Kind::Early,
            "omit" => Kind::Omit,
            "cut" => Kind::Cut,
            "mark" => Kind::Mark,
            "pair" => Kind::Pair,
            "overrun" => Kind::Overrun,
            "name" => Kind::Name,
            "probe" => Kind::Probe,
            _ => return None,
        };
        let name = words.next()?.to_owned();
        let mut items = Vec::new();
        for word in words {
            let (first, last) = word.split_once('-').unwrap_or((word, word));
            let (len, first) = number(first)?;
            let (_, last) = number(last)?;
            items.push((len, first..=last));
        }
        let reason = reason.trim().to_owned();
        (!reason.is_empty()).then(|| Self { kind, name, items, reason, line: line.to_owned() })
    }

    /// Returns the name, which may end in `*`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns `true` if the rule covers the name.
    #[must_use]
    pub fn is_about(&self, name: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == self.name,
        }
    }

    /// Returns the number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns `true` if the rule has no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the items that occur in the text.
    pub fn items_in<'a>(&'a self, text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        let value = |part: &[u8]| part.iter().fold(0_u64, |value, byte| value << 8 | u64::from(*byte));
        self.items.iter().enumerate().filter_map(move |(i, (len, range))| {
            (*len > 0 && text.windows(*len).any(|part| range.contains(&value(part)))).then_some(i)
        })
    }

    /// Returns `true` if the rule covers this code point.
    #[must_use]
    pub fn covers_code_point(&self, c: u32) -> bool {
        self.items.iter().any(|(len, range)| *len == 0 && range.contains(&u64::from(c)))
    }

    /// Returns `true` if the rule covers some part of the text; a rule without items covers any
    /// text.
    fn covers_part(&self, text: &[u8]) -> bool {
        self.items.is_empty() || self.items_in(text).next().is_some()
    }
}

/// Returns the list of rules.
///
/// # Panics
/// If a line is malformed.
pub fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| {
        let text = include_str!("../known.txt");
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines
            .map(|line| Rule::parse(line).unwrap_or_else(|| panic!("known.txt: cannot read: {line}")))
            .collect()
    })
}

/// Returns the name without suffixes.
#[must_use]
pub fn bare(name: &str) -> &str {
    name.split("//").next().unwrap_or(name)
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::new(Memory::new());
}

/// Returns the code points of a text, as far as glibc reads it, byte by byte after each error.
fn code_points(from: &str, mut text: &[u8]) -> BTreeSet<u32> {
    let mut all = BTreeSet::new();
    let Ok(mut handle) = Handle::open(&Glibc, b"UTF-32LE", from.as_bytes()) else { return all };
    let mut note =
        |bytes: &[u8]| all.extend(bytes.as_chunks::<4>().0.iter().map(|unit| u32::from_le_bytes(*unit)));
    MEMORY.with_borrow_mut(|memory| {
        while !text.is_empty() {
            let answer = handle.convert(memory, &text[..text.len().min(1 << 12)], LONGEST);
            note(&answer.bytes);
            let read = usize::try_from(answer.read).unwrap_or(0);
            text = &text
                [(read + usize::from(read == 0 || answer.errno == Some(libc::EILSEQ))).min(text.len())..];
        }
        note(&handle.reset_into(memory, 64, Null::Outer).bytes);
    });
    all
}

/// Returns `true` if two answers differ only because one is EINVAL and the other EILSEQ.
#[must_use]
pub fn is_early(glibc: &Answer, ours: &Answer) -> bool {
    let said = [glibc.errno, ours.errno];
    let both = [Some(libc::EINVAL), Some(libc::EILSEQ)];
    (said == both || said == [both[1], both[0]]) && *ours == Answer { errno: ours.errno, ..glibc.clone() }
}

/// Returns the rule by which the output of this text ends elsewhere if the buffer is full.
#[must_use]
pub fn cut(names: Names<'_>, text: &[u8]) -> Option<&'static Rule> {
    let (to, from) = (bare(names.to), bare(names.from));
    let mut decoded = None;
    rules().iter().filter(|rule| rule.kind == Kind::Cut).find(|rule| {
        rule.is_about(from) && rule.items_in(text).next().is_some()
            || rule.is_about(to)
                && decoded
                    .get_or_insert_with(|| code_points(from, text))
                    .iter()
                    .any(|c| rule.covers_code_point(*c))
    })
}

/// Returns the answers of both to a text, without a suffix on the name of the target.
fn plain(both: Both<'_>, names: Names<'_>, text: &[u8]) -> Option<[Answer; 2]> {
    let ask = |library| {
        let mut handle = Handle::open(library, bare(names.to).as_bytes(), names.from.as_bytes()).ok()?;
        Some(MEMORY.with_borrow_mut(|memory| handle.convert(memory, text, LONGEST)))
    };
    Some([ask(both.glibc)?, ask(both.ours)?])
}

/// Returns the rule that explains a difference in a short text.
#[must_use]
pub fn explanation(
    both: Both<'_>,
    names: Names<'_>,
    text: &[u8],
    difference: &Difference,
) -> Option<&'static Rule> {
    let (to, from) = (bare(names.to), bare(names.from));
    let translit = names.to.to_ascii_uppercase().contains("TRANSLIT");
    let ignore = names.to.to_ascii_uppercase().contains("IGNORE");
    let mut decoded = None;
    rules().iter().find(|rule| match rule.kind {
        Kind::Read => rule.is_about(from) && rule.covers_part(text),
        Kind::Write | Kind::Translit => {
            rule.is_about(to)
                && (rule.kind == Kind::Write || translit)
                && (rule.is_empty()
                    || decoded
                        .get_or_insert_with(|| code_points(from, text))
                        .iter()
                        .any(|c| rule.covers_code_point(*c)))
        }
        Kind::Early => {
            rule.is_about(from)
                && (is_early(&difference.glibc, &difference.ours)
                    || ignore
                        && plain(both, names, text).is_some_and(|[glibc, ours]| is_early(&glibc, &ours)))
        }
        Kind::Omit => {
            rule.is_about(from)
                && ignore
                && plain(both, names, text).is_some_and(|[glibc, ours]| {
                    glibc.bytes == ours.bytes && [glibc.errno, ours.errno] == [Some(libc::EILSEQ); 2]
                })
        }
        Kind::Mark => {
            rule.is_about(from)
                && difference.call > 0
                && rule.items_in(&text[difference.at.min(text.len())..]).next().is_some()
        }
        Kind::Cut => {
            cut(names, text).is_some_and(|cut| cut.line == rule.line)
                && difference.glibc.errno == difference.ours.errno
                && difference.glibc.bytes.starts_with(&difference.ours.bytes)
        }
        Kind::Pair => rule.is_about(&format!("{from}>{to}")),
        Kind::Name | Kind::Probe | Kind::Overrun => false,
    })
}

/// Returns the rule for a name that one of the two does not know, or for a probe.
#[must_use]
pub fn rule_for(kind: Kind, name: &str) -> Option<&'static Rule> {
    let name = name.replace(' ', "_");
    rules().iter().find(|rule| rule.kind == kind && rule.is_about(&name))
}
