//! Decides which entries of a directory a walk skips: hidden ones, and those that `.gitignore`, `.ignore`,
//! `.git/info/exclude` and git's `core.excludesFile` exclude. The precedence is that of ripgrep.
//!
//! The crate `ignore` would read these files itself, but it waits for the writer of a FIFO and reads a device for ever. So
//! the walk gives the crate no rules and asks [`Rules`] about each entry. The crate still parses the patterns.

use super::skipped::{Reason, Skipped};
use crate::common::Warner;
use crate::git::{self, Repository};
use crate::regular;
use crate::shown::Name;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::overrides::Override;
use ignore::{DirEntry, Match};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The maximum size of a file of patterns.
const MAX_BYTES: u64 = 1 << 20;

/// The files that were warned about.
#[derive(Clone, Debug)]
pub(super) struct Unreadable {
    warner: Warner,
    seen: Arc<Mutex<HashSet<PathBuf>>>,
}

impl Unreadable {
    pub(super) fn new(warner: Warner) -> Self {
        Self { warner, seen: Arc::default() }
    }

    fn warn(&self, file: &Path, why: &str) {
        if lock(&self.seen).insert(file.to_owned()) {
            self.warner.warn(format_args!("{}: {why}; ignored", Name::new(file)));
        }
    }
}

/// The patterns of one directory.
#[derive(Debug)]
struct Level {
    /// The patterns of `.ignore`.
    ignore: Gitignore,
    /// The patterns of `.gitignore`.
    git: Gitignore,
    /// The patterns of `.git/info/exclude`.
    exclude: Gitignore,
    /// Whether the directory is the root of a repository: rules of git from above do not apply in it.
    is_repository: bool,
}

impl Level {
    fn has_patterns(&self) -> bool {
        self.ignore.len() + self.git.len() + self.exclude.len() > 0
    }

    /// Reads the files of the directory `path`, whose canonical path is `truly`.
    fn read(path: &Path, truly: &Path, unreadable: &Unreadable) -> Self {
        let is_git = Repository::is_at(path);
        let exclude = Some(path).filter(|_| is_git).and_then(Repository::of).map(|of| of.exclude());
        let patterns = |file: &Path| patterns(file, truly, unreadable);
        Self {
            ignore: patterns(&path.join(".ignore")),
            git: patterns(&path.join(".gitignore")),
            exclude: exclude.map_or_else(Gitignore::empty, |file| patterns(&file)),
            is_repository: is_git || path.join(".jj").exists(),
        }
    }
}

/// Returns the patterns of a file, relative to `directory`; none if the file is missing. A file that cannot be read is left
/// out with a warning.
fn patterns(file: &Path, directory: &Path, unreadable: &Unreadable) -> Gitignore {
    let Some(bytes) = regular::read_or_warn(file, MAX_BYTES, &mut |file, why| unreadable.warn(file, why))
    else {
        return Gitignore::empty();
    };
    let mut builder = GitignoreBuilder::new(directory);
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&bytes);
    for line in bytes.split(|&byte| byte == b'\n') {
        // A pattern that is not well-formed matches nothing.
        if let Ok(line) = core::str::from_utf8(line) {
            _ = builder.add_line(None, line.strip_suffix('\r').unwrap_or(line));
        }
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// The rules for one walk.
#[derive(Debug)]
pub(super) struct Rules {
    /// Whether hidden entries are wanted.
    hidden: bool,
    overrides: Override,
    /// The patterns, unless none are wanted.
    files: Option<Files>,
    skipped: Skipped,
}

/// The files of patterns for one walk.
#[derive(Debug)]
struct Files {
    unreadable: Unreadable,
    /// The root of the walk as the user named it.
    root: PathBuf,
    /// The canonical path of the root.
    truly: PathBuf,
    global: Gitignore,
    /// The directories above the root, the nearest first.
    above: Vec<Level>,
    /// The directories from the root to the entry that was seen last, by their depths.
    below: Mutex<Vec<Level>>,
}

impl Rules {
    /// Returns the rules for a walk of `root`. If `ignoring`, they read files of patterns such as
    /// `.gitignore`.
    pub(super) fn new(
        root: &Path,
        hidden: bool,
        ignoring: bool,
        overrides: &Override,
        unreadable: &Unreadable,
        skipped: Skipped,
    ) -> Self {
        let files = ignoring.then(|| Files::new(root, unreadable));
        Self { hidden, overrides: overrides.clone(), files, skipped }
    }

    /// Returns `true` if the walk returns this entry, and enters it if it is a directory. Entries come in the order of the
    /// walk.
    pub(super) fn wants(&self, entry: &DirEntry) -> bool {
        let path = entry.path();
        let path = path.strip_prefix("./").unwrap_or(path);
        let is_directory = entry.file_type().is_some_and(|kind| kind.is_dir());
        let mut decision = self.overrides.matched(path, is_directory).map(drop);
        // The command line excludes these entries, so nobody needs to be told.
        let is_overridden = decision.is_ignore();
        let below = self.files.as_ref().map(|files| {
            let mut below = lock(&files.below);
            below.truncate(entry.depth());
            if decision.is_none() {
                decision = files.matched(entry, path, is_directory, &below);
            }
            below
        });
        let wanted = match decision {
            Match::Ignore(()) => false,
            Match::Whitelist(()) => true,
            Match::None => self.hidden || !is_hidden(entry),
        };
        if !wanted && !is_overridden && !is_store(entry) {
            let reason = if decision.is_ignore() { Reason::Ignored } else { Reason::Hidden };
            self.skipped.exclude(entry.path(), reason);
        }
        if let (Some(files), Some(mut below)) = (&self.files, below)
            && wanted
            && is_directory
        {
            below.push(Level::read(entry.path(), &files.canonical(entry), &files.unreadable));
        }
        wanted
    }
}

impl Files {
    fn new(root: &Path, unreadable: &Unreadable) -> Self {
        // If the root cannot be read, the walk says so.
        let truly = std::fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        let above = truly.ancestors().skip(1).map(|path| Level::read(path, path, unreadable)).collect();
        let here = std::env::current_dir();
        let excludes = git::excludes_file(&mut |file, why| unreadable.warn(file, why));
        let global = match (excludes, here) {
            (Some(file), Ok(here)) => patterns(&file, &here, unreadable),
            _ => Gitignore::empty(),
        };
        let below = Mutex::new(vec![Level::read(root, &truly, unreadable)]);
        Self { unreadable: unreadable.clone(), root: root.to_owned(), truly, global, above, below }
    }

    /// Returns the path of an entry below the canonical path of the root.
    fn canonical(&self, entry: &DirEntry) -> PathBuf {
        self.truly.join(entry.path().strip_prefix(&self.root).unwrap_or(entry.path()))
    }

    /// Returns the decision of the nearest pattern: of `.ignore` files first, then of those of git.
    fn matched(&self, entry: &DirEntry, path: &Path, is_directory: bool, below: &[Level]) -> Match<()> {
        let levels = || below.iter().rev().chain(&self.above);
        let in_repository = levels().any(|level| level.is_repository);
        let (mut ignore, mut git, mut exclude) = (Match::None, Match::None, Match::None);
        if levels().any(Level::has_patterns) {
            let path = self.canonical(entry);
            // Whether a repository ends here, whose rules of git are the only ones.
            let mut is_outside = !in_repository;
            for level in levels() {
                let is_first =
                    |found: &Match<()>, patterns: &Gitignore| found.is_none() && !patterns.is_empty();
                if is_first(&ignore, &level.ignore) {
                    ignore = level.ignore.matched(&path, is_directory).map(drop);
                }
                if !is_outside && is_first(&git, &level.git) {
                    git = level.git.matched(&path, is_directory).map(drop);
                }
                if !is_outside && is_first(&exclude, &level.exclude) {
                    exclude = level.exclude.matched(&path, is_directory).map(drop);
                }
                is_outside |= level.is_repository;
            }
        }
        let global = if in_repository && !self.global.is_empty() {
            self.global.matched(path, is_directory).map(drop)
        } else {
            Match::None
        };
        ignore.or(git).or(exclude).or(global)
    }
}

/// Returns `true` if a version control system keeps its own data in the entry.
fn is_store(entry: &DirEntry) -> bool {
    [".git", ".jj", ".hg", ".svn"].iter().any(|name| entry.file_name() == *name)
}

#[cfg(not(windows))]
fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}
#[cfg(windows)]
fn is_hidden(entry: &DirEntry) -> bool {
    const HIDDEN: u32 = 2;
    let attributes =
        |metadata: std::fs::Metadata| std::os::windows::fs::MetadataExt::file_attributes(&metadata);
    entry.file_name().as_encoded_bytes().starts_with(b".")
        || entry.metadata().is_ok_and(|metadata| attributes(metadata) & HIDDEN != 0)
}

/// No thread panics while it holds a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::super::{Selection, directory};
    use super::*;
    use ignore::WalkBuilder;
    use ignore::overrides::OverrideBuilder;
    use std::fs;

    /// Numbers by a linear congruence.
    struct Random(u32);

    impl Random {
        fn below(&mut self, n: u32) -> u32 {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) % n
        }
        fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
            all[self.below(u32::try_from(all.len()).unwrap()) as usize]
        }
    }

    /// Fills a directory with files, directories and rules.
    fn fill(path: &Path, depth: u32, random: &mut Random) {
        const NAMES: &[&str] = &["a", "b", "c.txt", "d.c", ".h", ".git", ".jj", "e"];
        const LINES: &[&str] = &[
            "a", "/b", "*.txt", "!*.txt", "e/", "!.h", "b/a", "**/d.c", "/a/", "!/a", "# a", "*", "!e", "[",
            "a\r", "c.* ", "t/a",
        ];
        fs::create_dir_all(path).unwrap();
        for file in [".ignore", ".gitignore", ".git/info/exclude"] {
            if random.below(3) == 0 {
                let count = 1 + random.below(4);
                let lines: Vec<_> = (0..count).map(|_| random.of(LINES)).collect();
                let file = path.join(file);
                let made = fs::create_dir_all(file.parent().unwrap());
                if file.ends_with(".git/info/exclude") && random.below(2) == 0 || made.is_err() {
                    continue;
                }
                _ = fs::write(file, lines.join("\n"));
            }
        }
        for _ in 0..2 + random.below(4) {
            let entry = path.join(random.of(NAMES));
            if depth > 0 && random.below(2) == 0 {
                if !entry.is_file() {
                    fill(&entry, depth - 1, random);
                }
            } else {
                _ = fs::write(entry, "");
            }
        }
    }

    /// The walk finds what ripgrep's own walk finds.
    #[test]
    fn the_rules_are_those_of_ripgrep() {
        let base = std::env::temp_dir().join(format!("placemat-rules-{}", std::process::id()));
        let mut random = Random(7);
        let mut seen = 0;
        for round in 0..60 {
            let tree = base.join("t");
            _ = fs::remove_dir_all(&base);
            fill(&base, 0, &mut random);
            fill(&tree, 3, &mut random);
            let roots = [tree.clone(), tree.join("a"), tree.join("./e/")];
            for root in roots.iter().filter(|root| root.is_dir()) {
                let (hidden, no_ignore) = (random.below(4) == 0, random.below(6) == 0);
                let mut overrides = OverrideBuilder::new(".");
                for glob in [&[][..], &[], &[], &["*.txt"], &["!a"], &["!e", "e/*"]][random.below(6) as usize]
                {
                    overrides.add(glob).unwrap();
                }
                let overrides = overrides.build().unwrap();
                let theirs = WalkBuilder::new(root)
                    .hidden(!hidden)
                    .parents(!no_ignore)
                    .ignore(!no_ignore)
                    .git_ignore(!no_ignore)
                    .git_global(!no_ignore)
                    .git_exclude(!no_ignore)
                    .overrides(overrides.clone())
                    .sort_by_file_name(Ord::cmp)
                    .build();
                let selection = Selection { hidden, no_ignore, follow: false };
                let unreadable = Unreadable::new(Warner::default());
                let ours = directory(root, selection, &overrides, &unreadable, &Skipped::default());
                let paths =
                    |walk: &mut dyn Iterator<Item = Result<DirEntry, ignore::Error>>| -> Vec<PathBuf> {
                        walk.map(|entry| entry.unwrap().into_path()).collect()
                    };
                let (ours, theirs) = (paths(&mut { ours }), paths(&mut { theirs }));
                seen += ours.len();
                assert_eq!(ours, theirs, "round {round}, {}, {hidden} {no_ignore}", root.display());
            }
        }
        fs::remove_dir_all(&base).unwrap();
        assert!(seen > 300, "{seen}");
    }
}
