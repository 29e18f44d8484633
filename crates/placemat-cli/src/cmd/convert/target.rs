//! The target of bytes: standard output, a file that is not an input, the place of an input, or nothing.

use super::args::Args;
use super::diff::MAX_BYTES;
use crate::common::Common;
use crate::identity::Identity;
use crate::input;
use crate::outcome::Outcome;
use crate::replace::{Output, Successor};
use crate::shown::{Name, reason};
use crate::streams;
use std::io::{self, ErrorKind, Write};
use std::path::PathBuf;

/// The target of the output. It is opened only after an input is open; an existing file is replaced at the end.
#[derive(Debug)]
pub(super) struct Target {
    name: Name,
    place: Place,
    written: u64,
    /// The bytes written so far, if they are kept, up to the length that a diff can have.
    kept: Option<Vec<u8>>,
}

#[derive(Debug)]
enum Place {
    /// A named file, or standard output.
    Output { path: Option<PathBuf>, output: Option<Output> },
    /// The place of an input.
    Successor(Box<Successor>),
    /// Nothing is written; only the length is counted.
    Nowhere,
}

impl Target {
    /// Returns the output that the arguments name, or the reason of a refusal.
    pub(super) fn new(args: &Args, inputs: &[PathBuf]) -> Result<Self, String> {
        let path = args.output.clone().filter(|path| !streams::is_stdin(path));
        let name = path.as_ref().map_or_else(Name::stdout, Name::new);
        let target = match &path {
            Some(path) => Identity::of_path(path),
            None => streams::stdout_file().ok().and_then(|file| Identity::of_file(&file)),
        };
        if let Some(target) = target
            && let Some(same) = inputs.iter().find(|path| Identity::of_input(path).as_ref() == Some(&target))
        {
            return Err(format!(
                "{}: input and output are the same file (-i changes a file in place)",
                input::name_of(same)
            ));
        }
        let place = if args.dry_run { Place::Nowhere } else { Place::Output { path, output: None } };
        Ok(Self { name, place, written: 0, kept: None })
    }

    /// Returns a file of this name, which is not an input.
    pub(super) fn file(path: PathBuf, dry: bool) -> Self {
        let name = Name::new(&path);
        let place = if dry { Place::Nowhere } else { Place::Output { path: Some(path), output: None } };
        Self { name, place, written: 0, kept: None }
    }

    /// Returns a target that only counts bytes.
    pub(super) fn nowhere() -> Self {
        Self { name: Name::stdout(), place: Place::Nowhere, written: 0, kept: None }
    }

    /// Returns the place of an input.
    pub(super) fn of(name: Name, successor: Successor) -> Self {
        Self { name, place: Place::Successor(Box::new(successor)), written: 0, kept: None }
    }

    /// Returns this target, which then keeps what is written if `keeps`.
    pub(super) fn keeping(self, keeps: bool) -> Self {
        Self { kept: keeps.then(Vec::new), ..self }
    }

    /// Returns the bytes that were written, if they were kept and are not too many.
    pub(super) fn take_kept(&mut self) -> Option<Vec<u8>> {
        self.kept.take().filter(|kept| kept.len() as u64 == self.written)
    }

    /// Returns the name of the target.
    pub(super) const fn name(&self) -> &Name {
        &self.name
    }

    /// Returns the number of bytes written so far.
    pub(super) const fn written(&self) -> u64 {
        self.written
    }

    /// Returns `true` if the output is a pipe, at whose other end a program works.
    pub(super) fn is_pipe(&self) -> bool {
        matches!(&self.place, Place::Output { output: Some(output), .. } if input::is_pipe(output.file()))
    }

    /// Returns the file that replaces an input.
    pub(super) fn into_successor(self) -> Option<Successor> {
        match self.place {
            Place::Successor(successor) => Some(*successor),
            Place::Output { .. } | Place::Nowhere => None,
        }
    }

    /// Opens the output file. A successor of a file is open already.
    pub(super) fn open(&mut self) -> io::Result<()> {
        if let Place::Output { path, output } = &mut self.place {
            *output = Some(Output::open(path.as_deref())?);
        }
        Ok(())
    }

    /// Like `write_all`, but counts the written bytes even if it fails.
    pub(super) fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let result = match &mut self.place {
                Place::Output { output: Some(output), .. } => output.write(bytes),
                Place::Successor(successor) => successor.write(bytes),
                Place::Output { output: None, .. } | Place::Nowhere => Ok(bytes.len()),
            };
            match result {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(len) => {
                    self.written += len as u64;
                    if let Some(kept) = &mut self.kept
                        && kept.len() + len <= MAX_BYTES
                    {
                        kept.extend_from_slice(&bytes[..len]);
                    }
                    bytes = &bytes[len..];
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// Reports that writing failed, and what was written.
    pub(super) fn failed(&self, e: &io::Error, common: &Common) -> Outcome {
        let outcome = common.cannot_write(&self.name, e);
        if outcome == Outcome::Trouble {
            self.partial(common);
        }
        outcome
    }

    /// Reports that the output is incomplete, unchanged or not written.
    pub(super) fn partial(&self, common: &Common) {
        match &self.place {
            Place::Output { path: Some(_), output: Some(output) } if output.is_stream() => {
                common.error(format_args!("{}: incomplete, {} bytes were written", self.name, self.written));
            }
            Place::Output { path: Some(_), output: Some(output) } => {
                common.error(format_args!("{}: {}", self.name, output.without_it()));
            }
            Place::Successor(_) => common.error(format_args!("{}: left as it was", self.name)),
            Place::Output { .. } | Place::Nowhere => {}
        }
    }

    /// Renames the complete file to its name.
    pub(super) fn put(self, common: &Common) -> Outcome {
        let Place::Output { output: Some(output), .. } = self.place else { return Outcome::Clean };
        let otherwise = output.without_it();
        let name = &self.name;
        match output.put(&mut |what| common.warn(format_args!("{name}: {what}"))) {
            Ok(()) => Outcome::Clean,
            Err(e) => {
                common.error(format_args!("{name}: {}; {otherwise}", reason(&e)));
                Outcome::Trouble
            }
        }
    }
}
