//! The entries of directories that a walk does not return, with the reasons.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum number of entries that are remembered by name.
const MAX_NAMES: usize = 10_000;

/// The reason why a walk skips an entry of a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    /// The name begins with a dot.
    Hidden,
    /// A pattern of `.gitignore` or the like excludes it.
    Ignored,
    /// The entry is a symbolic link.
    Link,
    /// The entry is a device, a pipe or a socket.
    Special,
}

impl Reason {
    pub(crate) const ALL: [Self; 4] = [Self::Hidden, Self::Ignored, Self::Link, Self::Special];

    /// Returns the code in reports for programs.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Hidden => "hidden",
            Self::Ignored => "ignored",
            Self::Link => "link",
            Self::Special => "special",
        }
    }

    /// Returns the reason in words, and the option that reads such entries.
    pub(crate) const fn words(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Hidden => ("hidden", Some("--hidden")),
            Self::Ignored => ("ignored by .gitignore or the like", Some("--no-ignore")),
            Self::Link => ("a symbolic link", Some("-L")),
            Self::Special => ("neither a file nor a directory", None),
        }
    }
}

/// The entries that a walk has skipped. A directory counts as one entry. Clones share their contents; by default nothing is
/// noted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skipped(Option<Arc<Mutex<Entries>>>);

#[derive(Debug, Default)]
struct Entries {
    counts: [u64; Reason::ALL.len()],
    /// Entries that the rules exclude, until it is known whether git tracks files in them.
    pending: Vec<(PathBuf, Reason)>,
    /// Whether names are remembered.
    keeps_names: bool,
    names: Vec<(PathBuf, Reason)>,
}

impl Skipped {
    /// Returns an empty list, which remembers the names of the entries if `keeps_names`.
    pub(crate) fn new(keeps_names: bool) -> Self {
        Self(Some(Arc::new(Mutex::new(Entries { keeps_names, ..Entries::default() }))))
    }

    /// Notes an entry that the rules exclude.
    pub(super) fn exclude(&self, path: &Path, reason: Reason) {
        if let Some(mut entries) = self.lock() {
            entries.pending.push((path.to_owned(), reason));
        }
    }

    /// Counts the entries that the rules excluded, unless `is_read`: git may track files in them.
    pub(super) fn settle(&self, is_read: impl Fn(&Path) -> bool) {
        let Some(mut entries) = self.lock() else { return };
        for (path, reason) in core::mem::take(&mut entries.pending) {
            if !is_read(&path) {
                entries.add(&path, reason);
            }
        }
    }

    /// Counts an entry.
    pub(super) fn add(&self, path: &Path, reason: Reason) {
        if let Some(mut entries) = self.lock() {
            entries.add(path, reason);
        }
    }

    /// Returns the number of entries that were skipped for a reason.
    pub(crate) fn count(&self, reason: Reason) -> u64 {
        self.lock().map_or(0, |entries| entries.counts[reason as usize])
    }

    /// Returns the remembered names.
    pub(crate) fn take_names(&self) -> Vec<(PathBuf, Reason)> {
        self.lock().map(|mut entries| core::mem::take(&mut entries.names)).unwrap_or_default()
    }

    /// Locks the entries. No thread panics while it holds the lock.
    fn lock(&self) -> Option<MutexGuard<'_, Entries>> {
        self.0.as_ref().map(|entries| entries.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Entries {
    fn add(&mut self, path: &Path, reason: Reason) {
        self.counts[reason as usize] += 1;
        if self.keeps_names && self.names.len() < MAX_NAMES {
            self.names.push((path.to_owned(), reason));
        }
    }
}
