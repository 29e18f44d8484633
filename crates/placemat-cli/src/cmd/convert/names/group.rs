//! The files to rename, by directory: what is in a directory before the directory itself.

use crate::names::os_string;
use crate::replace::Directory;
use crate::shown::{Name, reason};
use core::cmp::Ordering;
use core::fmt::Display;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A file, a directory or a link.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) path: PathBuf,
    /// The number of the last parts of the path that were found in directories.
    pub(super) depth: usize,
    /// The bytes of its name.
    pub(super) name: Vec<u8>,
}

impl Entry {
    /// Returns an entry, unless its path ends in no name, as `..` does.
    pub(super) fn new(path: PathBuf, depth: usize) -> Option<Self> {
        let name = path.file_name()?.as_encoded_bytes().to_vec();
        Some(Self { path, depth, name })
    }
}

/// The entries of one directory.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The canonical path of the directory.
    pub(super) truly: PathBuf,
    pub(super) entries: Vec<Entry>,
}

impl Group {
    /// Returns the directory as the user named it.
    pub(super) fn shown(&self) -> &Path {
        let path = self.entries.first().and_then(|entry| entry.path.parent()).unwrap_or(Path::new(""));
        if path.as_os_str().is_empty() { Path::new(".") } else { path }
    }

    /// Returns the path of a file in it, as the user named it.
    pub(super) fn path_of(&self, name: &[u8]) -> PathBuf {
        let parent = self.entries.first().and_then(|entry| entry.path.parent()).unwrap_or(Path::new(""));
        parent.join(os_string(name).unwrap_or_default())
    }

    /// Opens the directory. Links that were not on the command line are not followed, not even one that was put there since.
    pub(super) fn open(&self) -> io::Result<Directory> {
        let Some(entry) = self.entries.first() else { return Err(io::ErrorKind::NotFound.into()) };
        let root = entry.path.ancestors().nth(entry.depth.max(1)).unwrap_or(Path::new(""));
        let mut directory = Directory::open(root)?;
        let parent = entry.path.parent().unwrap_or(Path::new(""));
        for part in parent.strip_prefix(root).unwrap_or(Path::new("")).components() {
            directory = directory.within(part.as_os_str())?;
        }
        Ok(directory)
    }
}

/// Returns the entries by directory, in the order in which they are renamed; each entry once.
pub(super) fn groups(entries: Vec<Entry>, fail: &mut dyn FnMut(&dyn Display)) -> Vec<Group> {
    let mut canonical: HashMap<PathBuf, Option<PathBuf>> = HashMap::new();
    let mut all: BTreeMap<PathBuf, BTreeMap<Vec<u8>, Entry>> = BTreeMap::new();
    for entry in entries {
        let parent = entry.path.parent().unwrap_or(Path::new(""));
        let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        if !canonical.contains_key(parent) {
            let truly = fs::canonicalize(parent);
            if let Err(e) = &truly {
                fail(&format_args!("{}: {}", Name::new(parent), reason(e)));
            }
            canonical.insert(parent.to_owned(), truly.ok());
        }
        if let Some(Some(truly)) = canonical.get(parent) {
            all.entry(truly.clone()).or_default().entry(entry.name.clone()).or_insert(entry);
        }
    }
    let mut groups: Vec<_> = all
        .into_iter()
        .map(|(truly, entries)| Group { truly, entries: entries.into_values().collect() })
        .collect();
    groups.sort_by(|a, b| inner_first(&a.truly, &b.truly));
    groups
}

/// Compares paths so that what is in a directory comes before the directory.
fn inner_first(a: &Path, b: &Path) -> Ordering {
    let (mut a, mut b) = (a.components(), b.components());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (None, Some(_)) => return Ordering::Greater,
            (Some(_), None) => return Ordering::Less,
            (Some(a), Some(b)) => match a.cmp(&b) {
                Ordering::Equal => {}
                order => return order,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_come_after_what_is_in_them() {
        let mut paths = ["/", "/b", "/a/c", "/a", "/b/x/y", "/a b", "/b/x", "/a/c/d"].map(Path::new);
        paths.sort_by(|a, b| inner_first(a, b));
        for (i, path) in paths.iter().enumerate() {
            assert!(paths[i + 1..].iter().all(|later| !later.starts_with(path)), "{paths:?}");
        }
    }
}
