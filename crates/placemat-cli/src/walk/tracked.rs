//! Files that git tracks are read even if .gitignore or a leading dot excludes them: the author of a tree could hide
//! them so, although they are part of it.

use super::found::{Found, Trouble, trouble};
use super::skipped::{Reason, Skipped};
use crate::git::{self, Repository};
use crate::shown::{Name, reason};
use core::iter::Peekable;
use ignore::DirEntry;
use ignore::overrides::Override;
use std::fs;
use std::path::{Path, PathBuf};

/// New names are put in one by one where there are more than this many times as many.
const FEWER: usize = 32;

/// A walk, with the tracked files that it would skip, in sorted order.
pub(super) struct WithTracked<W: Iterator> {
    walk: Peekable<W>,
    root: PathBuf,
    overrides: Override,
    /// Tracked files that are still ahead, the nearest last.
    tracked: Vec<PathBuf>,
    trouble: Option<Trouble>,
    skipped: Skipped,
}

impl<W: Iterator<Item = Result<DirEntry, ignore::Error>>> WithTracked<W> {
    pub(super) fn new(walk: W, root: &Path, overrides: &Override, skipped: Skipped) -> Self {
        Self {
            walk: walk.peekable(),
            root: root.to_owned(),
            overrides: overrides.clone(),
            tracked: Vec::new(),
            trouble: None,
            skipped,
        }
    }

    /// Looks for the repository of a directory before its entries are visited.
    fn enter(&mut self, directory: &Path, is_root: bool) {
        let mut found = None;
        if Repository::is_at(directory) {
            found = Some((directory.to_owned(), PathBuf::new()));
        } else if is_root && let Ok(truly) = fs::canonicalize(directory) {
            found = truly
                .ancestors()
                .skip(1)
                .find(|above| Repository::is_at(above))
                .and_then(|above| Some((above.to_owned(), truly.strip_prefix(above).ok()?.to_owned())));
        }
        let Some((work_tree, below)) = found else { return };
        let Some(repository) = Repository::of(&work_tree) else { return };
        let mut inside: Vec<PathBuf> = Vec::new();
        let read = repository.tracked(&mut |name| {
            let name = git::path_of(name);
            if let Ok(name) = name.strip_prefix(&below)
                && !name.as_os_str().is_empty()
            {
                let path = directory.join(name);
                // A conflict names a file several times.
                if inside.last().is_none_or(|last| last.as_os_str() != path.as_os_str()) {
                    inside.push(path);
                }
            }
        });
        self.add(directory, inside);
        if let Err((index, e)) = read {
            let shown = Name::new(index);
            self.trouble = Some(Trouble(format!(
                "{shown}: {}; --hidden --no-ignore reads all files, tracked or not",
                reason(&e)
            )));
        }
    }

    /// Adds the files that a repository tracks.
    fn add(&mut self, directory: &Path, mut inside: Vec<PathBuf>) {
        // Git sorts paths by their bytes, the walk by their parts, and nobody promises that an index is sorted.
        inside.sort_by(|a, b| b.cmp(a));
        // Comparing bytes is faster than comparing paths, and both names were made in the same way.
        inside.dedup_by(|a, b| a.as_os_str() == b.as_os_str());
        // All in front of the directory have been returned, so the ones in it that a repository around it tracks are the last.
        let others = self.tracked.partition_point(|path| !path.starts_with(directory));
        if others == self.tracked.len() {
            self.tracked.append(&mut inside);
        } else if self.tracked.len() - others <= FEWER * inside.len() {
            inside.extend(self.tracked.drain(others..));
            inside.sort_by(|a, b| b.cmp(a));
            inside.dedup();
            self.tracked.append(&mut inside);
        } else {
            // A tree of a thousand repositories, each in the other, must not compare all names a thousand times.
            for path in inside {
                if let Err(at) = self.tracked.binary_search_by(|other| path.cmp(other)) {
                    self.tracked.insert(at, path);
                }
            }
        }
    }

    /// Counts the entries before the next one that the rules excluded, except those with tracked files in them.
    fn settle(&self) {
        self.skipped.settle(|path| {
            let inside = |tracked: &PathBuf| tracked.starts_with(path);
            let first = self.tracked.partition_point(|tracked| **tracked > *path && !inside(tracked));
            self.tracked.get(first).is_some_and(inside)
        });
    }

    /// Returns the next tracked file, if it is in front of the next entry of the walk.
    fn next_tracked(&mut self) -> Option<PathBuf> {
        self.walk.peek();
        self.settle();
        let next = self.tracked.last()?;
        let is_in_front = match self.walk.peek() {
            // Mostly they are the same, which the bytes tell sooner than the parts of the paths.
            Some(Ok(entry)) => next.as_os_str() != entry.path().as_os_str() && **next < *entry.path(),
            Some(Err(_)) => false,
            None => true,
        };
        if is_in_front { self.tracked.pop() } else { None }
    }

    /// Returns `true` if the path is a file, reached without links and not excluded by a glob of the command line.
    fn is_wanted(&self, path: &Path) -> bool {
        let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
        let mut above = path.ancestors().skip(1).take_while(|above| *above != self.root);
        is_file
            && !self.overrides.matched(path, false).is_ignore()
            && above.all(|above| {
                !self.overrides.matched(above, true).is_ignore()
                    && fs::symlink_metadata(above).is_ok_and(|metadata| metadata.is_dir())
            })
    }
}

impl<W: Iterator<Item = Result<DirEntry, ignore::Error>>> Iterator for WithTracked<W> {
    type Item = Result<Found, Trouble>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(trouble) = self.trouble.take() {
                return Some(Err(trouble));
            }
            if let Some(path) = self.next_tracked() {
                if self.is_wanted(&path) {
                    let depth = path.components().count() - self.root.components().count();
                    return Some(Ok(Found { path, named: false, depth, root: None }));
                }
                continue;
            }
            let entry = match self.walk.next()? {
                Ok(entry) => entry,
                Err(e) => return Some(Err(trouble(&e, None))),
            };
            let (kind, depth) = (entry.file_type(), entry.depth());
            if kind.is_some_and(|kind| kind.is_file()) {
                self.tracked.pop_if(|path| path == entry.path());
                return Some(Ok(Found { path: entry.into_path(), named: false, depth, root: None }));
            }
            // The walk may begin at a symbolic link, which it follows.
            if depth == 0 || kind.is_some_and(|kind| kind.is_dir()) {
                self.enter(entry.path(), depth == 0);
            } else {
                let is_link = kind.is_some_and(|kind| kind.is_symlink());
                self.skipped.add(entry.path(), if is_link { Reason::Link } else { Reason::Special });
            }
        }
    }
}
