//! The command line as a whole: its definition, and the choice of the command to run.

mod suffix;

use crate::cmd::{
    check, completions, convert, count, detect, edit, encodings, iconv, inspect, man, mcp, repair, show,
    truncate,
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

/// Runs a line of this program for a program that it acts as.
pub(crate) fn run_line(line: Vec<OsString>, common: &Common) -> Outcome {
    match Cli::from_line(line) {
        Ok(cli) => cli.command.run(common),
        Err(e) => {
            common.error(help::first_line(&e));
            Outcome::Trouble
        }
    }
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
        match e.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => return help::asked_for(&e, &common),
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
                help::hint(&common);
                return Outcome::Trouble;
            }
            _ => {}
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

/// Check, detect, convert, repair and edit text in 452 encodings
#[derive(Parser, Debug)]
#[command(
    name = "placemat",
    version,
    long_version = long_version(),
    propagate_version = false,
    args_override_self = true,
    max_term_width = help::WIDTH,
    styles = Palette::HELP,
    after_long_help = help::notes(),
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
        let mut command = any_case(help::arranged_program(Self::command()));
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

/// The commands, in the order of the help: first what most people want.
#[derive(Subcommand, Debug)]
enum Command {
    Check(check::Args),
    Detect(detect::Args),
    Convert(convert::Args),
    Repair(Box<repair::Args>),
    Edit(Box<edit::Args>),
    Inspect(inspect::Args),
    Count(count::Args),
    Truncate(truncate::Args),
    Encodings(encodings::Args),
    Iconv(Box<iconv::Args>),
    Show(show::Args),
    Mcp(mcp::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    fn run(self, common: &Common) -> Outcome {
        match self {
            Self::Check(args) => check::run(args, common),
            Self::Detect(args) => detect::run(&args, common),
            Self::Convert(args) => convert::run(args, common),
            Self::Repair(args) => repair::run(*args, common),
            Self::Edit(args) => edit::run(&args, common),
            Self::Inspect(args) => inspect::run(&args, common),
            Self::Count(args) => count::run(args, common),
            Self::Truncate(args) => truncate::run(&args, common),
            Self::Encodings(args) => encodings::run(&args, common),
            Self::Iconv(args) => iconv::run(&args, common),
            Self::Show(args) => show::run(&args, common),
            Self::Mcp(args) => mcp::run(&args, common),
            Self::Completions(args) => completions::run(&args, Cli::command(), common),
            Self::Man(args) => man::run(&args, Cli::command(), common),
        }
    }
}

/// The text of `--version`: the version, that of Unicode, and the levels that this machine can run.
fn long_version() -> String {
    let levels: Vec<_> = Isa::available().map(Isa::name).collect();
    let (major, minor, update) = placemat::UNICODE_VERSION;
    format!(
        "{}\nUnicode {major}.{minor}.{update}\nlevels: {} (the last is used)",
        env!("CARGO_PKG_VERSION"),
        levels.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_hold_together() {
        Cli::command().debug_assert();
    }
}
