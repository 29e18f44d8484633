//! The result of checking all files.

use super::skipped::Skips;
use crate::outcome::Outcome;
use serde::Serialize;

/// The counts of `--summary`.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Summary {
    /// Files that were read to the end, or until there were enough findings.
    pub(super) files: u64,
    pub(super) files_with_findings: u64,
    pub(super) findings: u64,
    /// Findings that the baseline has, or that a comment suppresses.
    pub(super) suppressed: u64,
    /// The counts of skipped files and entries, by reason.
    pub(super) skipped: Skips,
    /// Files and directories that could not be read, and files that `-f auto` refused.
    pub(super) unreadable: u64,
    /// Bytes of the files that were read to the end.
    pub(super) bytes: u64,
}

impl Summary {
    pub(super) fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.files_with_findings += other.files_with_findings;
        self.findings += other.findings;
        self.suppressed += other.suppressed;
        self.skipped.add(&other.skipped);
        self.unreadable += other.unreadable;
        self.bytes += other.bytes;
    }
}

/// A message on standard error.
#[derive(Debug)]
pub(super) struct Message {
    /// `error`, `warning` or `note`.
    pub(super) level: &'static str,
    pub(super) text: String,
}

/// The totals and the messages.
#[derive(Debug, Default)]
pub(super) struct Total {
    pub(super) summary: Summary,
    pub(super) outcome: Outcome,
    /// The messages that are kept, and the number of those that are not.
    pub(super) messages: Vec<Message>,
    pub(super) left_out: u64,
}
