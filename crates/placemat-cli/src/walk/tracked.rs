//! Files that git tracks are read even if .gitignore or a leading dot excludes them: the author of a tree could hide
//! them so, although they are part of it.

use super::found::{Found, Trouble, trouble};
use crate::git::{self, Repository};
use crate::shown::{Name, reason};
use core::iter::Peekable;
use ignore::DirEntry;
use ignore::overrides::Override;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A walk, with the tracked files that it would skip, in sorted order.
pub(super) struct WithTracked<W: Iterator> {
    walk: Peekable<W>,
    root: PathBuf,
    overrides: Override,
    /// Tracked files that are still ahead.
    tracked: BTreeSet<PathBuf>,
    trouble: Option<Trouble>,
}

impl<W: Iterator<Item = Result<DirEntry, ignore::Error>>> WithTracked<W> {
    pub(super) fn new(walk: W, root: &Path, overrides: &Override) -> Self {
        Self {
            walk: walk.peekable(),
            root: root.to_owned(),
            overrides: overrides.clone(),
            tracked: BTreeSet::new(),
            trouble: None,
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
        let read = repository.tracked(&mut |name| {
            let name = git::path_of(name);
            if let Ok(name) = name.strip_prefix(&below)
                && !name.as_os_str().is_empty()
            {
                self.tracked.insert(directory.join(name));
            }
        });
        if let Err((index, e)) = read {
            let shown = Name::new(index);
            self.trouble = Some(Trouble(format!(
                "{shown}: {}; --hidden --no-ignore reads all files, tracked or not",
                reason(&e)
            )));
        }
    }

    /// The next tracked file that is there, before `limit`.
    fn tracked_before(&mut self, limit: Option<&Path>) -> Option<PathBuf> {
        while self.tracked.first().is_some_and(|first| limit.is_none_or(|limit| **first < *limit)) {
            let path = self.tracked.pop_first()?;
            if self.is_wanted(&path) {
                return Some(path);
            }
        }
        None
    }

    /// Whether the path is a file, reached without links and not excluded by a glob of the command line.
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
        let root = self.root.components().count();
        let found = |path: PathBuf| {
            let depth = path.components().count() - root;
            Some(Ok(Found { path, named: false, depth }))
        };
        loop {
            if let Some(trouble) = self.trouble.take() {
                return Some(Err(trouble));
            }
            let (path, kind, depth) = match self.walk.peek() {
                None => return self.tracked_before(None).and_then(found),
                Some(Ok(entry)) => (entry.path().to_owned(), entry.file_type(), entry.depth()),
                Some(Err(_)) => {
                    let error = self.walk.next()?.err()?;
                    return Some(Err(trouble(&error, None)));
                }
            };
            let is_file = kind.is_some_and(|kind| kind.is_file());
            if is_file && let Some(tracked) = self.tracked_before(Some(&path)) {
                return found(tracked);
            }
            self.walk.next();
            if is_file {
                self.tracked.remove(&path);
                return found(path);
            }
            if kind.is_some_and(|kind| kind.is_dir()) {
                self.enter(&path, depth == 0);
            }
        }
    }
}
