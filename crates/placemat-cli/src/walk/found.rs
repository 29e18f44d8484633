//! What a walk meets: a file, or trouble.

use crate::shown::{Name, escaped, reason};
use std::fmt;
use std::path::{Path, PathBuf};

/// A file to be read.
#[derive(Debug)]
pub(crate) struct Found {
    /// `-` for standard input.
    pub(crate) path: PathBuf,
    /// Whether the path stands on the command line, and was not found in a directory.
    pub(crate) named: bool,
    /// How many of the last parts of the path were found in directories, and must be no symbolic links.
    pub(crate) depth: usize,
}

/// What went wrong on the way, with everything escaped.
#[derive(Debug)]
pub(crate) struct Trouble(pub(super) String);

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// In the words and the shape of the other messages: `NAME: reason`.
pub(super) fn trouble(e: &ignore::Error, path: Option<&Path>) -> Trouble {
    match e {
        ignore::Error::WithPath { path, err } => trouble(err, Some(path)),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            trouble(err, path)
        }
        ignore::Error::Io(e) => match path {
            Some(path) => Trouble(format!("{}: {}", Name::new(path), reason(e))),
            None => Trouble(escaped(reason(e).as_ref()).to_string()),
        },
        e => Trouble(escaped(e.to_string().as_ref()).to_string()),
    }
}
