//! The files and entries that were not checked, by reason.

use crate::scan::Binary;
use crate::shown::{counted, grouped};
use crate::walk::Reason;
use core::fmt::Write as _;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The counts of what was skipped.
#[derive(Clone, Debug, Default)]
pub(super) struct Skips {
    /// Binary files in known formats, by the name of the format.
    formats: BTreeMap<&'static str, u64>,
    /// Binary files in unknown formats, with a NUL among their first bytes.
    with_nul: u64,
    /// Binary files by other bytes.
    others: u64,
    /// Entries of directories, in the order of [`Reason::ALL`].
    entries: [u64; Reason::ALL.len()],
}

/// A reason, as reports for programs show it.
#[derive(Debug, Serialize)]
struct Reported {
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    count: u64,
}

impl Skips {
    /// Counts a binary file.
    pub(super) fn add_binary(&mut self, why: Binary) {
        match why {
            Binary { format: Some(format), .. } => *self.formats.entry(format).or_default() += 1,
            Binary { nul: Some(_), .. } => self.with_nul += 1,
            Binary { .. } => self.others += 1,
        }
    }

    /// Counts entries of directories.
    pub(super) fn add_entries(&mut self, reason: Reason, count: u64) {
        self.entries[reason as usize] += count;
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (format, count) in &other.formats {
            *self.formats.entry(format).or_default() += count;
        }
        self.with_nul += other.with_nul;
        self.others += other.others;
        for (count, more) in self.entries.iter_mut().zip(other.entries) {
            *count += more;
        }
    }

    /// Returns the number of binary files.
    pub(super) fn binary(&self) -> u64 {
        self.formats.values().sum::<u64>() + self.with_nul + self.others
    }

    /// Returns `true` if nothing was skipped.
    pub(super) fn is_empty(&self) -> bool {
        self.binary() == 0 && self.entries.iter().all(|&count| count == 0)
    }

    /// Returns the number of entries of directories for each reason that occurs.
    fn reasons(&self) -> impl Iterator<Item = (Reason, u64)> {
        Reason::ALL.into_iter().zip(self.entries).filter(|&(_, count)| count > 0)
    }

    /// Returns the counts in words: `3 binary files (2 PNG, 1 with a NUL), 1 hidden entry`.
    pub(super) fn words(&self) -> String {
        let mut parts = Vec::new();
        let binary = self.binary();
        if binary > 0 {
            let mut formats: Vec<_> = self.formats.iter().collect();
            // The most frequent ones first.
            formats.sort_by_key(|&(name, count)| (core::cmp::Reverse(count), name));
            let mut kinds: Vec<_> = formats.iter().map(|(name, count)| format!("{count} {name}")).collect();
            let others = [(self.with_nul, "with a NUL in the first 8 KiB"), (self.others, "of other bytes")];
            kinds.extend(
                others.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")),
            );
            parts.push(format!("{} ({})", counted(binary, "binary file"), kinds.join(", ")));
        }
        for (reason, count) in self.reasons() {
            let (one, many) = match reason {
                Reason::Hidden => ("hidden entry", "hidden entries"),
                Reason::Ignored => ("ignored entry", "ignored entries"),
                Reason::Link => ("link", "links"),
                Reason::Special => ("special file", "special files"),
            };
            parts.push(format!("{} {}", grouped(count), if count == 1 { one } else { many }));
        }
        parts.join(", ")
    }

    /// Returns the options that read what was skipped, in words.
    pub(super) fn advice(&self) -> String {
        let mut advice = String::from("; -v names them");
        if self.binary() > 0 {
            advice.push_str(", -a checks binary files");
        }
        let options: Vec<_> = self.reasons().filter_map(|(reason, _)| reason.words().1).collect();
        if let Some((last, rest)) = options.split_last() {
            let (and, s) = if rest.is_empty() { ("", "s") } else { (" and ", "") };
            let what = if self.binary() > 0 { "the rest" } else { "them" };
            _ = write!(advice, ", {}{and}{last} check{s} {what}", rest.join(", "));
        }
        advice
    }
}

impl Serialize for Skips {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let format = |(name, count): (&&'static str, &u64)| Reported {
            reason: "binary",
            format: Some(name),
            count: *count,
        };
        let plain = |(reason, count)| Reported { reason, format: None, count };
        let others = [("nul", self.with_nul), ("binary", self.others)];
        let all = self
            .formats
            .iter()
            .map(format)
            .chain(others.into_iter().filter(|&(_, count)| count > 0).map(plain))
            .chain(self.reasons().map(|(reason, count)| plain((reason.code(), count))));
        to.collect_seq(all)
    }
}
