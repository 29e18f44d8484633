//! The output of `iconv`. A file is created, or an existing one replaced, only if there is something to write,
//! and only when all of it is written: so it may be an input too.

use crate::identity::Identity;
use crate::replace::Output;
use crate::streams;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The output.
#[derive(Debug)]
pub(super) struct Sink {
    /// `None` for standard output.
    path: Option<PathBuf>,
    output: Option<Output>,
}

/// An error of the output.
#[derive(Debug)]
pub(super) enum Unwritten {
    NotOpened(io::Error),
    NotWritten(io::Error),
}

impl Sink {
    pub(super) fn new(path: Option<&Path>) -> Self {
        Self { path: path.filter(|path| !streams::is_stdin(path)).map(Path::to_owned), output: None }
    }

    /// Returns the input to which standard output appends, if there is one: it would grow while it is read.
    pub(super) fn grows<'a>(&self, inputs: &'a [PathBuf]) -> Option<&'a Path> {
        let stdout = streams::stdout_file().ok().and_then(|file| Identity::of_file(&file))?;
        // Compared by identity, not by name.
        if self.path.as_deref().is_some_and(|path| Identity::of_path(path).as_ref() != Some(&stdout)) {
            return None;
        }
        inputs.iter().map(PathBuf::as_path).find(|path| Identity::of_input(path).as_ref() == Some(&stdout))
    }

    /// Writes, if there is something to write.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), Unwritten> {
        if bytes.is_empty() {
            return Ok(());
        }
        let output = match &mut self.output {
            Some(output) => output,
            closed => closed.insert(Output::open(self.path.as_deref()).map_err(Unwritten::NotOpened)?),
        };
        output.write_all(bytes).map_err(Unwritten::NotWritten)
    }

    /// Returns `true` if there is a file that would be replaced.
    pub(super) fn replaces(&self) -> bool {
        self.output.as_ref().is_some_and(Output::replaces)
    }

    /// The written file takes its name.
    pub(super) fn put(self, warn: &mut dyn FnMut(&str)) -> Result<(), Unwritten> {
        self.output.map_or(Ok(()), |output| output.put(warn)).map_err(Unwritten::NotWritten)
    }
}
