//! The command `placemat`, also under the name `iconv`.

mod args;
mod cmd;
mod config;
mod diagnose;
mod git;
mod identity;
mod input;
mod json;
mod lines;
mod names;
mod output;
mod progress;
mod replace;
mod scan;
mod stateless;
mod streams;
mod walk;

use clap::error::ErrorKind;
use cmd::{Common, Outcome};
use core::error::Error as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(arguments) = cmd::iconv::asked_for(std::env::args_os()) {
        return cmd::iconv::program(arguments);
    }
    let cli = match parse() {
        Ok(cli) => cli,
        Err(outcome) => return outcome.end(),
    };
    let common = Common::new(cli.global.color.into(), cli.global.quiet);
    if let Some(Err(e)) = cli.global.isa.map(placemat::Isa::select) {
        common.error(e);
        return Outcome::Trouble.end();
    }
    let outcome = cmd::run(cli.command, &common);
    progress::end();
    outcome.end()
}

/// The arguments, or the outcome if they ask for nothing but help, or are wrong.
fn parse() -> Result<args::Cli, Outcome> {
    let raw = || std::env::args_os().skip(1);
    let common = || Common::new(args::color_asked_for(raw()), args::quiet_asked_for(raw()));
    let all = args::attached(std::env::args_os().collect()).map_err(|refused| {
        common().error(refused);
        Outcome::Trouble
    })?;
    args::Cli::from_line(all).map_err(|e| {
        let common = common();
        if matches!(e.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
            return output::help(&e, &common);
        }
        // A value that one of this program's own parsers refused: its words say all.
        if let Some(refused) = e.source().and_then(|source| source.downcast_ref::<args::Refused>()) {
            common.error(refused);
        } else {
            output::usage_error(&e, &common);
        }
        Outcome::Trouble
    })
}
