//! `placemat completions`: the completion script for a shell, generated from the definitions of the help.

use crate::common::Common;
use crate::outcome::Outcome;
use crate::output::Data;
use clap_complete::Shell;
use std::io::Write as _;

/// Write the completion script for a shell
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat completions zsh > ~/.zfunc/_placemat
  placemat completions bash >~/.local/share/bash-completion/completions/placemat
  placemat completions fish > ~/.config/fish/completions/placemat.fish")]
pub(crate) struct Args {
    /// The shell that reads the script
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Runs the command; `command` is the whole program.
pub(crate) fn run(args: &Args, mut command: clap::Command, common: &Common) -> Outcome {
    // Generated into memory first, because the generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "placemat", &mut script);
    common.written(Data::stdout().and_then(|mut data| {
        data.write_all(&script)?;
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}
