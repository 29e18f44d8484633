//! One run of a program: its words on both streams, and its conversions.

use crate::common::Common;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::escaped;
use crate::{cli, progress};
use core::fmt::Display;
use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

/// One run of a program.
pub(super) struct Call {
    /// The name of the program.
    pub(super) name: &'static str,
    /// The text of `--help`, without the last line, which all programs share.
    pub(super) usage: &'static str,
    pub(super) common: Common,
}

impl Call {
    /// Prints `NAME: MESSAGE` on standard error. The message contains no raw text of files.
    pub(super) fn say(&self, message: impl Display) {
        self.common.error(message);
    }

    /// Writes data to standard output.
    pub(super) fn print(&self, text: impl AsRef<[u8]>) -> Outcome {
        self.common.written(Data::stdout().and_then(|mut data| {
            data.write_all(text.as_ref())?;
            data.flush()?;
            Ok(Outcome::Clean)
        }))
    }

    /// Writes the help.
    pub(super) fn help(&self) -> ExitCode {
        let Self { name, usage, .. } = self;
        let usage = usage.replace("NAME", name);
        self.print(format!("{usage}\nThis is placemat under the name {name}: placemat --help\n")).end()
    }

    /// Writes the version.
    pub(super) fn version(&self) -> ExitCode {
        self.print(format!("{} (placemat) {}\n", self.name, env!("CARGO_PKG_VERSION"))).end()
    }

    /// Refuses an option that the program has and the command lacks, or that neither has.
    pub(super) fn refuse(&self, option: impl AsRef<std::ffi::OsStr>) -> ExitCode {
        let name = self.name;
        let option = escaped(option.as_ref()).to_string();
        self.say(format_args!("option {option} is not supported here; `{name} --help` lists those that are"));
        ExitCode::from(1)
    }

    /// Returns the same call, without messages if `quiet`.
    pub(super) fn quieted(&self, quiet: bool) -> Self {
        Self { common: self.common.quieted(quiet), ..*self }
    }

    /// Runs a line of `placemat convert` with the messages of this program.
    pub(super) fn convert(&self, words: impl IntoIterator<Item = OsString>) -> Outcome {
        let line = ["placemat", "convert", "--no-config"].map(OsString::from).into_iter().chain(words);
        let outcome = cli::run_line(line.collect(), &self.common);
        progress::end();
        outcome
    }
}

/// Returns the exit status of a failure to open a file in programs that end with the number of the system's error.
pub(super) fn number_of(e: &std::io::Error) -> u8 {
    e.raw_os_error().and_then(|number| u8::try_from(number).ok()).unwrap_or(1)
}
