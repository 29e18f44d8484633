//! Trains the language model of detection and repair: `cargo train TASK`.

mod corpus;
mod model;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo train TASK

tasks:
  corpus fetch DIR           downloads the packages that hold the texts for training and tests
  corpus build DIR OUT       makes those texts, a file for each language
  corpus print DIR           prints those for training, each paragraph after its language
  model FOLDER               trains the language model of detection from the text in FOLDER";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments {
        ["corpus", ref arguments @ ..] => corpus::run(arguments),
        ["model", folder, ref options @ ..] if options.len() % 2 == 0 => model::run(folder, options),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
