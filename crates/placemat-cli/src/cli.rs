//! The command line as a whole: its definition, and the choice of the command to run.

mod suffix;

use crate::cmd::{
    check, completions, convert, count, detect, edit, encodings, iconv, inspect, man, repair, truncate,
};
use crate::common::Common;
use crate::options::{Global, color_asked_for, quiet_asked_for};
use crate::outcome::Outcome;
use crate::palette::Palette;
use crate::refused::Refused;
use crate::{help, progress};
use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use core::error::Error as _;
use placemat::Isa;
use std::ffi::OsString;

/// Runs the program.
pub(crate) fn run() -> Outcome {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(outcome) => return outcome,
    };
    let common = Common::new(cli.global.color.into(), cli.global.quiet);
    if let Some(Err(e)) = cli.global.isa.map(Isa::select) {
        common.error(e);
        return Outcome::Trouble;
    }
    let outcome = cli.command.run(&common);
    progress::end();
    outcome
}

/// The parsed arguments; or the outcome, if the arguments ask for help or are wrong.
fn parse() -> Result<Cli, Outcome> {
    let raw = || std::env::args_os().skip(1);
    let common = || Common::new(color_asked_for(raw()), quiet_asked_for(raw()));
    let all = suffix::attached(&Cli::command(), std::env::args_os().collect()).map_err(|refused| {
        common().error(refused);
        Outcome::Trouble
    })?;
    Cli::from_line(all).map_err(|e| {
        let common = common();
        if matches!(e.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            return help::asked_for(&e, &common);
        }
        // One of this program's own parsers refused a value: its message is complete.
        if let Some(refused) = e.source().and_then(|source| source.downcast_ref::<Refused>()) {
            common.error(refused);
        } else {
            help::usage_error(&e, &common);
        }
        Outcome::Trouble
    })
}

/// Check, convert, detect, inspect and count text in UTF-8 and its relatives.
#[derive(Parser, Debug)]
#[command(
    name = "placemat",
    version,
    long_version = long_version(),
    propagate_version = false,
    args_override_self = true,
    max_term_width = 100,
    styles = Palette::HELP,
    after_help = "Exit status: 0 clean or done as asked; 1 findings, or the input was refused; \
                  2 a usage or I/O error, or an unknown encoding.",
    after_long_help = "\
Examples:
  placemat check notes.txt                       is the file well-formed UTF-8, and if not, why?
  placemat convert -f utf-16 report.txt          convert UTF-16 to UTF-8
  placemat convert -f latin1 -t utf-16le a.txt   convert from one encoding to another
  placemat detect old.txt                        which encoding is it, and how sure is that?
  placemat inspect --text 'é'                    show bytes, code points and names
  placemat truncate -c 255 title.txt             cut text to 255 bytes, between characters
  placemat encodings                             list all encodings and their repertoires
  placemat iconv -f latin1 -t utf-8 a.txt        act as iconv

With no FILE, or when FILE is -, the program reads standard input. It writes data to standard output and messages to \
standard error.

Exit status:
  0  clean, or done as asked
  1  findings, or the input was refused
  2  a usage or I/O error, an unknown encoding, or a standard stream that is not open
If the reader of the output closes the pipe, the program stops without a message: with status 1 or 2 if it had found \
a reason for one, else by SIGPIPE, as cat and grep do (status 141 in a shell)."
)]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

impl Cli {
    /// Parses the arguments of the program. The possible values of all options match in any case.
    fn from_line(line: Vec<OsString>) -> Result<Self, clap::Error> {
        let mut command = any_case(Self::command());
        let mut matches = command.try_get_matches_from_mut(line)?;
        Self::from_arg_matches_mut(&mut matches).map_err(|e| e.format(&mut command))
    }
}

/// The command and its subcommands, with options that match their values in any case.
fn any_case(command: clap::Command) -> clap::Command {
    let take_values = |arg: clap::Arg| {
        let takes = arg.get_action().takes_values();
        arg.ignore_case(takes)
    };
    command.mut_args(take_values).mut_subcommands(any_case)
}

/// The commands, in the order in which the help lists them.
#[derive(Subcommand, Debug)]
enum Command {
    Check(check::Args),
    Convert(convert::Args),
    Detect(detect::Args),
    Repair(Box<repair::Args>),
    Edit(edit::Args),
    Inspect(inspect::Args),
    Count(count::Args),
    Truncate(truncate::Args),
    Encodings(encodings::Args),
    Iconv(Box<iconv::Args>),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    fn run(self, common: &Common) -> Outcome {
        match self {
            Self::Check(args) => check::run(args, common),
            Self::Convert(args) => convert::run(args, common),
            Self::Detect(args) => detect::run(&args, common),
            Self::Repair(args) => repair::run(*args, common),
            Self::Edit(args) => edit::run(&args, common),
            Self::Inspect(args) => inspect::run(&args, common),
            Self::Count(args) => count::run(args, common),
            Self::Truncate(args) => truncate::run(&args, common),
            Self::Encodings(args) => encodings::run(&args, common),
            Self::Iconv(args) => iconv::run(&args, common),
            Self::Completions(args) => completions::run(&args, Cli::command(), common),
            Self::Man(args) => man::run(&args, Cli::command(), common),
        }
    }
}

/// The text of `--version`: the version, and the levels that this machine can run.
fn long_version() -> String {
    let levels: Vec<_> = Isa::available().map(Isa::name).collect();
    format!("{}\nlevels: {} (the last is used)", env!("CARGO_PKG_VERSION"), levels.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_hold_together() {
        Cli::command().debug_assert();
    }
}
