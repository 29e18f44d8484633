//! The command `placemat`, also under the names of other programs.

mod archive;
mod auto;
mod cli;
mod cmd;
mod common;
mod compare;
mod config;
mod declarations;
mod ebcdic;
mod failure;
mod families;
mod git;
mod help;
mod identity;
mod input;
mod json;
mod line_ends;
mod lines;
mod names;
mod naming;
mod normal;
mod options;
mod outcome;
mod output;
mod pages;
mod palette;
mod programs;
mod progress;
mod refused;
mod regular;
mod replace;
mod scan;
mod shown;
mod spool;
mod streams;
mod unseen;
mod walk;

use std::process::ExitCode;

fn main() -> ExitCode {
    programs::run(std::env::args_os()).unwrap_or_else(|| cli::run().end())
}
