//! The target of repaired text: standard output, a file that is not an input, or nothing.

use super::args::Args;
use crate::common::Common;
use crate::identity::Identity;
use crate::input;
use crate::outcome::Outcome;
use crate::replace::Output;
use crate::shown::{Name, reason};
use crate::streams;
use std::io::{self, Write};

/// The target of all inputs that are not repaired in place.
#[derive(Debug)]
pub(super) struct Target {
    name: Name,
    /// `None` with `--dry-run`.
    output: Option<Output>,
}

impl Target {
    /// Returns the output that the arguments name; `None` for `--in-place`.
    pub(super) fn joined(args: &Args) -> Result<Option<Self>, String> {
        if args.in_place.is_given() {
            return Ok(None);
        }
        let path = args.output.as_deref().filter(|path| !streams::is_stdin(path));
        let name = path.map_or_else(Name::stdout, Name::new);
        let target = match path {
            Some(path) => Identity::of_path(path),
            None => streams::stdout_file().ok().and_then(|file| Identity::of_file(&file)),
        };
        if let Some(target) = target
            && let Some(same) =
                args.files.iter().find(|path| Identity::of_input(path).as_ref() == Some(&target))
        {
            return Err(format!(
                "{}: input and output are the same file (-i changes a file in place)",
                input::name_of(same)
            ));
        }
        let output = if args.dry_run { None } else { Some(Output::open(path)) };
        let output = output.transpose().map_err(|e| format!("{name}: {}", reason(&e)))?;
        Ok(Some(Self { name, output }))
    }

    /// Everything is written: puts the file in its place.
    pub(super) fn put(self, common: &Common) -> Outcome {
        let Self { name, output } = self;
        let Some(output) = output else { return Outcome::Clean };
        match output.put(&mut |what| common.warn(format_args!("{name}: {what}"))) {
            Ok(()) => Outcome::Clean,
            Err(e) => common.cannot_write(&name, &e),
        }
    }

    pub(super) const fn name(&self) -> &Name {
        &self.name
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.output {
            Some(output) => output.write(bytes),
            None => Ok(bytes.len()),
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
