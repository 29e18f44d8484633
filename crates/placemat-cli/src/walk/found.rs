//! The items of a walk: files and errors.

use crate::replace::Directory;
use crate::shown::{Name, escaped, reason};
use core::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

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
