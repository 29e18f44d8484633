//! The items of a walk: files and errors.

use crate::replace::Directory;
use crate::shown::{Name, escaped, reason};
use core::error::Error;
use std::env;
use std::fmt;
use std::io;
use std::path::{Component, Path, PathBuf};

/// A file to be read.
#[derive(Debug)]
pub(crate) struct Found {
    /// `-` for standard input.
    pub(crate) path: PathBuf,
    /// Whether the path comes from the command line, not from a directory.
    pub(crate) named: bool,
    /// The number of the last parts of the path that were found in directories and must not be symbolic links.
    pub(crate) depth: usize,
    /// The open directory in which these parts start, so that nobody can put another in its place.
    pub(crate) root: Option<Directory>,
}

impl Found {
    /// Returns the path below the directory in which the walk began. For a file that is named, the path below the current
    /// directory, or the name alone if the file lies elsewhere.
    pub(crate) fn path_in_tree(&self) -> &Path {
        let mut parts = self.path.components();
        let outside = if self.depth > 0 {
            parts.clone().count().saturating_sub(self.depth)
        } else if self.path.is_absolute() {
            let current = env::current_dir().ok();
            let below = current.and_then(|current| self.path.strip_prefix(current).ok());
            return below.or_else(|| self.path.file_name().map(Path::new)).unwrap_or(&self.path);
        } else {
            let is_up = |part: &Component<'_>| matches!(part, Component::ParentDir);
            parts.clone().enumerate().filter(|(_, part)| is_up(part)).last().map_or(0, |(at, _)| at + 1)
        };
        for _ in 0..outside {
            parts.next();
        }
        parts.as_path()
    }
}

/// An error of the walk, with everything escaped.
#[derive(Debug)]
pub(crate) struct Trouble(pub(super) String);

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the error of the system in an error of the walk, whose own text repeats the path, and not escaped.
fn of_system(e: &io::Error) -> &io::Error {
    let mut inner = e;
    let mut next = e.get_ref().map(|inner| inner as &dyn Error);
    while let Some(error) = next {
        inner = error.downcast_ref().unwrap_or(inner);
        next = error.source();
    }
    inner
}

/// In the form of the other messages: `NAME: reason`.
pub(super) fn trouble(e: &ignore::Error, path: Option<&Path>) -> Trouble {
    match e {
        ignore::Error::WithPath { path, err } => trouble(err, Some(path)),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            trouble(err, path)
        }
        ignore::Error::Io(e) => {
            let why = reason(of_system(e));
            match path {
                Some(path) => Trouble(format!("{}: {}", Name::new(path), escaped(why.as_ref()))),
                None => Trouble(escaped(why.as_ref()).to_string()),
            }
        }
        e => Trouble(escaped(e.to_string().as_ref()).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_around_the_tree_are_left_out() {
        let current = env::current_dir().unwrap();
        for (path, depth, want) in [
            (Path::new("a/tests/b/c.rs").to_owned(), 1, "c.rs"),
            (Path::new("a/tests/b/c.rs").to_owned(), 2, "b/c.rs"),
            (Path::new("./b/c.rs").to_owned(), 2, "b/c.rs"),
            (Path::new("/tests/b/c.rs").to_owned(), 2, "b/c.rs"),
            (Path::new("../tests/c.rs").to_owned(), 1, "c.rs"),
            // Named files.
            (Path::new("tests/b/c.rs").to_owned(), 0, "tests/b/c.rs"),
            (Path::new("../tests/c.rs").to_owned(), 0, "tests/c.rs"),
            (Path::new("a/../../c.rs").to_owned(), 0, "c.rs"),
            (current.join("tests/c.rs"), 0, "tests/c.rs"),
            (Path::new("/no such/tests/c.rs").to_owned(), 0, "c.rs"),
            (Path::new("-").to_owned(), 0, "-"),
        ] {
            let found = Found { path, named: depth == 0, depth, root: None };
            assert_eq!(found.path_in_tree(), Path::new(want), "{found:?}");
        }
    }
}
