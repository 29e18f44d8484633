//! The words about renames: those of the command, or those of `convmv`.

use super::name::shown;
use crate::common::Common;
use crate::names::os_string;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::{Name, counted, reason};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::Path;
use std::time::Instant;

/// The program that speaks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Speaker {
    /// `placemat convert --names`.
    Own,
    /// The program `convmv`, which was started at this time.
    Convmv(Instant),
}

/// The output of a run.
pub(super) struct Voice<'a> {
    speaker: Speaker,
    common: &'a Common,
    /// Nothing is renamed.
    dry: bool,
    /// Whether files that were renamed are named, too.
    verbose: bool,
    data: Data,
    is_terminal: bool,
}

/// Why a file keeps its name.
pub(super) enum Why<'a> {
    /// Another file has the new name.
    Exists(&'a [u8]),
    /// The name, which was found in a directory, is UTF-8 already.
    Utf8,
    /// Anything else, in words.
    Words(&'a str),
}

impl<'a> Voice<'a> {
    pub(super) fn new(
        speaker: Speaker,
        common: &'a Common,
        dry: bool,
        verbose: bool,
    ) -> Result<Self, String> {
        let data = Data::stdout().map_err(|e| reason(&e))?;
        Ok(Self { speaker, common, dry, verbose, data, is_terminal: io::stdout().is_terminal() })
    }

    /// Reports a trouble.
    pub(super) fn error(&self, message: impl core::fmt::Display) {
        self.common.error(message);
    }

    /// Returns the outcome of a failure to write to standard output.
    pub(super) fn cannot_write(&self, e: &io::Error) -> Outcome {
        self.common.cannot_write(&Name::stdout(), e)
    }

    /// Returns `true` if a name of the command line that is UTF-8 already is refused, and not just skipped.
    pub(super) const fn refuses_utf8(&self) -> bool {
        matches!(self.speaker, Speaker::Own)
    }

    /// Begins the report.
    pub(super) fn begin(&self) {
        if self.dry && matches!(self.speaker, Speaker::Convmv(_)) {
            self.common.line("Starting a dry run without changes...");
        }
    }

    /// Reports the new name of a file; `form` is its normal form if the names differ only in that.
    pub(super) fn renames(&mut self, path: &Path, to: &[u8], form: Option<&str>) -> io::Result<()> {
        let form = form.map_or(String::new(), |form| format!(" ({form})"));
        match self.speaker {
            Speaker::Own if self.dry => {
                writeln!(self.data, "{}: would become {}{form}", Name::new(path), shown(to))
            }
            Speaker::Own => {
                if self.verbose {
                    self.common.line(format_args!("{}: is {}{form} now", Name::new(path), shown(to)));
                }
                Ok(())
            }
            Speaker::Convmv(_) => {
                let new = path.with_file_name(os_string(to).unwrap_or_default());
                let names = [path, &new].map(|path| match self.is_terminal {
                    true => Name::new(path).to_string().into_bytes(),
                    false => path.as_os_str().as_encoded_bytes().to_vec(),
                });
                let [old, new] = names;
                let line = [b"mv \"", &*old, b"\"\t\"", &*new, b"\"\n"].concat();
                self.data.write_all(&line)
            }
        }
    }

    /// Reports a file that keeps its name.
    pub(super) fn leaves(&self, path: &Path, why: &Why<'_>) {
        let name = Name::new(path);
        match (self.speaker, why) {
            (Speaker::Own, Why::Exists(to)) => {
                self.error(format_args!("{name}: left as it was: {} exists already", shown(to)));
            }
            (_, Why::Words(why)) => self.error(format_args!("{name}: left as it was: {why}")),
            (Speaker::Own, Why::Utf8) => {
                if self.verbose {
                    self.common.line(format_args!(
                        "{name}: skipped: its name is UTF-8 already (--force converts it)"
                    ));
                }
            }
            (Speaker::Convmv(_), Why::Exists(to)) => self
                .common
                .line(format_args!("{} exists and differs or --replace option missing - skipped", shown(to))),
            (Speaker::Convmv(_), Why::Utf8) => {
                self.common.line(format_args!("Skipping, already UTF-8: {name}"));
            }
        }
    }

    /// Ends the report: this many files were renamed or would be, and this many names were UTF-8 already.
    pub(super) fn end(&mut self, renamed: u64, already_utf8: u64, was_asked: bool) -> io::Result<()> {
        self.data.flush()?;
        match self.speaker {
            Speaker::Own => {
                if already_utf8 > 0 {
                    let names = counted(already_utf8, "name");
                    let them = if already_utf8 == 1 { "it" } else { "them" };
                    self.common.line(format_args!(
                        "placemat: skipped {names}: UTF-8 already (--force converts {them})"
                    ));
                }
                if self.dry && !was_asked && renamed > 0 {
                    let names = counted(renamed, "name");
                    let them = if renamed == 1 { "it" } else { "them" };
                    self.common.line(format_args!("placemat: {names} would change; -i changes {them}"));
                }
            }
            Speaker::Convmv(start) => {
                let seconds = start.elapsed().as_secs();
                self.common.line(if self.dry {
                    format!(
                        "No changes to your files done. Would have converted {renamed} files in {seconds} \
                         seconds.\nUse --notest to finally rename the files."
                    )
                } else {
                    format!("Ready! I converted {renamed} files in {seconds} seconds.")
                });
            }
        }
        Ok(())
    }
}
