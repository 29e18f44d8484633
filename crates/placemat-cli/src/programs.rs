//! The names under which the command acts as another program. Each program is a translation: its arguments become a
//! detection, a scan or a line of `placemat convert`, and its own words are put around the outcome.

mod file;
mod getopt;
mod isutf8;
mod line_ends;
mod recode;
mod uchardet;

use crate::cmd::iconv;
use crate::common::Common;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::escaped;
use crate::{cli, progress};
use anstream::ColorChoice;
use core::fmt::Display;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// A program, and its functions here.
pub(crate) struct Program {
    /// The name of the program, and of the file that starts it.
    pub(crate) name: &'static str,
    /// The text of `--help`, without the last line, which all programs share.
    usage: &'static str,
    /// Runs the program with the arguments after its name.
    run: fn(&Call, Vec<OsString>) -> ExitCode,
}

/// All programs. `iconv` is also a command of `placemat`, with a help of its own.
pub(crate) const PROGRAMS: [Program; 8] = [
    Program { name: "iconv", usage: "", run: |_, arguments| iconv::program(arguments.into_iter()) },
    Program { name: "uchardet", usage: uchardet::USAGE, run: uchardet::run },
    Program { name: "file", usage: file::USAGE, run: file::run },
    Program { name: "isutf8", usage: isutf8::USAGE, run: isutf8::run },
    Program { name: "dos2unix", usage: line_ends::USAGE, run: line_ends::DOS_TO_UNIX },
    Program { name: "unix2dos", usage: line_ends::USAGE, run: line_ends::UNIX_TO_DOS },
    Program { name: "mac2unix", usage: line_ends::USAGE, run: line_ends::MAC_TO_UNIX },
    Program { name: "recode", usage: recode::USAGE, run: recode::run },
];

/// Runs the program that the command is called as, if it is called by the name of one; `iconv` also as its first word.
pub(crate) fn run(mut all: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let path = all.next().unwrap_or_default();
    let name = Path::new(&path).file_stem().unwrap_or_default().to_ascii_lowercase();
    let mut arguments: Vec<_> = all.collect();
    let named = PROGRAMS.iter().find(|program| name == program.name);
    let program = named.or_else(|| {
        let iconv = &PROGRAMS[0];
        (arguments.first()? == iconv.name).then(|| {
            arguments.remove(0);
            iconv
        })
    })?;
    let common = Common::new(ColorChoice::Auto, false).acting_as(program.name);
    Some((program.run)(&Call { program, common }, arguments))
}

/// One run of a program.
pub(crate) struct Call {
    program: &'static Program,
    common: Common,
}

impl Call {
    /// Prints `NAME: MESSAGE` on standard error. The message contains no raw text of files.
    fn say(&self, message: impl Display) {
        self.common.error(message);
    }

    /// Writes data to standard output.
    fn print(&self, text: impl AsRef<[u8]>) -> Outcome {
        self.common.written(Data::stdout().and_then(|mut data| {
            data.write_all(text.as_ref())?;
            data.flush()?;
            Ok(Outcome::Clean)
        }))
    }

    /// Writes the help.
    fn help(&self) -> ExitCode {
        let Program { name, usage, .. } = self.program;
        let usage = usage.replace("NAME", name);
        self.print(format!("{usage}\nThis is placemat under the name {name}: placemat --help\n")).end()
    }

    /// Writes the version.
    fn version(&self) -> ExitCode {
        self.print(format!("{} (placemat) {}\n", self.program.name, env!("CARGO_PKG_VERSION"))).end()
    }

    /// Refuses an option that the program has and the command lacks, or that neither has.
    fn refuse(&self, option: impl AsRef<std::ffi::OsStr>) -> ExitCode {
        let Program { name, .. } = self.program;
        let option = escaped(option.as_ref()).to_string();
        self.say(format_args!("option {option} is not supported here; `{name} --help` lists those that are"));
        ExitCode::from(1)
    }

    /// Runs a line of `placemat convert` with the messages of this program.
    fn convert(&self, words: impl IntoIterator<Item = OsString>) -> Outcome {
        let line = ["placemat", "convert", "--no-config"].map(OsString::from).into_iter().chain(words);
        let outcome = cli::run_line(line.collect(), &self.common);
        progress::end();
        outcome
    }
}

/// Returns the exit status of a failure to open a file in programs that end with the number of the system's error.
fn number_of(e: &std::io::Error) -> u8 {
    e.raw_os_error().and_then(|number| u8::try_from(number).ok()).unwrap_or(1)
}
