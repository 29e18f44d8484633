//! Where the output of `iconv` goes. A file is made, and one of that name is lost, only when there is something to write.

use crate::identity::Identity;
use crate::input;
use crate::output;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The output.
#[derive(Debug)]
pub(super) struct Sink {
    /// `None` for standard output.
    path: Option<PathBuf>,
    file: Option<File>,
}

/// What could not be done with it.
#[derive(Debug)]
pub(super) enum Unwritten {
    NotOpened(io::Error),
    NotWritten(io::Error),
}

impl Sink {
    pub(super) fn new(path: Option<&Path>) -> Self {
        Self { path: path.filter(|path| !input::is_stdin(path)).map(Path::to_owned), file: None }
    }

    /// The input that is the output, too, if there is one: it would be lost before it is read.
    pub(super) fn among<'a>(&self, inputs: &'a [PathBuf]) -> Option<&'a Path> {
        let target = match &self.path {
            Some(path) => Identity::of_path(path),
            None => output::stdout_file().ok().and_then(|file| Identity::of_file(&file)),
        }?;
        inputs.iter().map(PathBuf::as_path).find(|path| Identity::of_input(path).as_ref() == Some(&target))
    }

    /// Writes, if there is something to write.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), Unwritten> {
        if bytes.is_empty() {
            return Ok(());
        }
        let file = match &mut self.file {
            Some(file) => file,
            closed => {
                let file = match &self.path {
                    Some(path) => File::create(path),
                    None => output::stdout_file(),
                };
                closed.insert(file.map_err(Unwritten::NotOpened)?)
            }
        };
        file.write_all(bytes).map_err(Unwritten::NotWritten)
    }
}
