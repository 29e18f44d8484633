//! Files that git tracks are read even if .gitignore or a leading dot excludes them: the author of a tree could hide
//! them so, although they are part of it.

use super::found::{Found, Trouble, trouble};
use crate::git::{self, Repository};
use crate::shown::{Name, reason};
use core::iter::Peekable;
use ignore::DirEntry;
use ignore::overrides::Override;
use std::fs;
use std::path::{Path, PathBuf};

/// A walk, with the tracked files that it would skip, in sorted order.
pub(super) struct WithTracked<W: Iterator> {
    walk: Peekable<W>,
    root: PathBuf,
    overrides: Override,
    /// Tracked files that are still ahead, the nearest last.
    tracked: Vec<PathBuf>,
    trouble: Option<Trouble>,
}

impl<W: Iterator<Item = Result<DirEntry, ignore::Error>>> WithTracked<W> {
    pub(super) fn new(walk: W, root: &Path, overrides: &Override) -> Self {
        Self {
            walk: walk.peekable(),
            root: root.to_owned(),
            overrides: overrides.clone(),
            tracked: Vec::new(),
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
        // Those in front of the directory have been returned, so the ones in it are the nearest. They have no order among
        // themselves if another repository, around this one, tracks files in it too.
        let outside = self.tracked.partition_point(|path| !path.starts_with(directory));
        let mut inside = self.tracked.split_off(outside);
        let read = repository.tracked(&mut |name| {
            let name = git::path_of(name);
            if let Ok(name) = name.strip_prefix(&below)
                && !name.as_os_str().is_empty()
            {
                inside.push(directory.join(name));
            }
        });
        inside.sort_by(|a, b| b.cmp(a));
        inside.dedup();
        self.tracked.append(&mut inside);
        if let Err((index, e)) = read {
            let shown = Name::new(index);
            self.trouble = Some(Trouble(format!(
                "{shown}: {}; --hidden --no-ignore reads all files, tracked or not",
                reason(&e)
            )));
        }
    }

    /// The next tracked file, if it is in front of the next entry of the walk.
    fn next_tracked(&mut self) -> Option<PathBuf> {
        let next = self.tracked.last()?;
        let is_in_front = match self.walk.peek() {
            // Mostly they are the same, which the bytes tell sooner than the parts of the paths.
            Some(Ok(entry)) => next.as_os_str() != entry.path().as_os_str() && **next < *entry.path(),
            Some(Err(_)) => false,
            None => true,
        };
        if is_in_front { self.tracked.pop() } else { None }
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
        loop {
            if let Some(trouble) = self.trouble.take() {
                return Some(Err(trouble));
            }
            if let Some(path) = self.next_tracked() {
                if self.is_wanted(&path) {
                    let depth = path.components().count() - self.root.components().count();
                    return Some(Ok(Found { path, named: false, depth }));
                }
                continue;
            }
            let entry = match self.walk.next()? {
                Ok(entry) => entry,
                Err(e) => return Some(Err(trouble(&e, None))),
            };
            let (kind, depth) = (entry.file_type(), entry.depth());
            if kind.is_some_and(|kind| kind.is_file()) {
                self.tracked.pop_if(|path| path.as_os_str() == entry.path().as_os_str());
                return Some(Ok(Found { path: entry.into_path(), named: false, depth }));
            }
            if kind.is_some_and(|kind| kind.is_dir()) {
                self.enter(entry.path(), depth == 0);
            }
        }
    }
}
