//! The command `placemat`, also under the name `iconv`.

mod ascii_bytes;
mod auto;
mod cli;
mod cmd;
mod common;
mod config;
mod failure;
mod families;
mod git;
mod graphemes;
mod help;
mod identity;
mod input;
mod json;
mod lines;
mod names;
mod normal;
mod options;
mod outcome;
mod output;
mod pages;
mod palette;
mod progress;
mod refused;
mod regular;
mod replace;
mod scan;
mod shown;
mod spool;
mod stateless;
mod streams;
mod walk;

use std::process::ExitCode;

fn main() -> ExitCode {
    match cmd::iconv::asked_for(std::env::args_os()) {
        Some(arguments) => cmd::iconv::program(arguments),
        None => cli::run().end(),
    }
}
