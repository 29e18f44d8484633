//! Tasks of this repository that are too long for its tests: `cargo xtask TASK`.

mod book;
mod conformance;
mod costs;
#[cfg(test)]
mod documents;
mod imports;
mod install_c;
mod multi_byte;
mod panics;
mod prove;
mod release;
mod shots;
mod symbols;
mod tables;
mod tokens;
mod unsafe_code;
mod words;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask TASK

tasks:
  api [--check]              lists the public items of the library in crates/placemat/api.txt, or says how they differ from it
  book [--open] [--live]     builds the book from docs/ into target/book, and checks every link
       [--check]             checks the links and blocks of the sources alone
  conformance                a table of all vectors and cases of others, by the library and by the command
  costs [--all]              builds small programs and compares the size that the library adds to each with the record
        [--update]           writes the record
  exhaustive [--threads N]   reads all 2^32 strings of four bytes as UTF-8, on every level of instructions, and compares
                             every answer
  examples [--check]         lists the public items of the library that lack an example, of ill-formed text too
  imports [--check]          lists the files of a crate that import one another in a circle, or fails where none may be
  install-c --prefix DIR     builds the C libraries and installs them with their headers and what pkg-config and CMake need
                             [--libdir DIR] [--destdir DIR]
  instructions [--update]    counts the instructions of a set of cases by valgrind and compares them with the record
  multi-byte [--check]       makes the tables of the multi-byte encodings, or says whether they are as they would be made
  panics                     looks for panics in the machine code of the kernels and the engine
  prove [TEXT]               proves the theorems about the kernels whose names contain TEXT, or all, by the solver Z3
        [--mutants]          changes one operation of a kernel after another, and counts the changes that the proofs refute
  release [--dry-run]        makes every artefact of a release in target/release-artefacts/ and tries each in a clean place
          [--only PART]... [--allow-missing PART]...
  shots [--check] [COMMAND]  draws the pictures of the README in docs/img by running the command, target/debug/placemat unless
                             COMMAND is another, or says which would change
  symbols [--update]         compares the functions of the kernels that are not inlined with the list
  tables [--check]           makes the tables of the single-byte charsets from crates/placemat-charsets/tables, or says whether they are made
  unsafe [--update]          counts the `unsafe` of each file, with the reason for it, and compares with the record
  words [--check]            lists words and names that have better ones, or compares their counts with the record
        [--update]           writes the record";

/// Runs a program of the tasks, which is built separately, as it needs crates that the other tasks
/// do not.
fn program(build: &[&str], arguments: &[&str]) -> ExitCode {
    let ran = std::process::Command::new("cargo")
        .args(["run", "--quiet", "--locked"])
        .args(build)
        .arg("--")
        .args(arguments)
        .status();
    if ran.is_ok_and(|status| status.success()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The arguments for `xtask/api`, a separate workspace, whose dependencies are not in the library's
/// lock file.
const API: &[&str] = &["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/api/Cargo.toml")];
/// The arguments for `xtask/kernels`, built like the library of users, but with the symbols that
/// valgrind needs.
const KERNELS: &[&str] = &["--profile", "counted", "--package", "xtask-kernels"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments {
        ["api" | "examples"] | ["api" | "examples", "--check"] => return program(API, &arguments),
        ["exhaustive" | "instructions", ..] => return program(KERNELS, &arguments),
        ["book", ref arguments @ ..] => book::run(arguments),
        ["conformance"] => conformance::run(),
        ["costs"] => costs::run(false, false),
        ["costs", "--all"] => costs::run(false, true),
        ["costs", "--update"] => costs::run(true, false),
        ["imports"] => imports::run(false),
        ["imports", "--check"] => imports::run(true),
        ["install-c", ref arguments @ ..] => install_c::run(arguments),
        ["multi-byte"] => multi_byte::run(false),
        ["multi-byte", "--check"] => multi_byte::run(true),
        ["panics"] => panics::run(),
        ["prove"] => prove::run(false, ""),
        ["prove", "--mutants"] => prove::run(true, ""),
        ["prove", "--mutants", only] => prove::run(true, only),
        ["prove", only] if !only.starts_with('-') => prove::run(false, only),
        ["release", ref arguments @ ..] => release::run(arguments),
        ["shots"] => shots::run(false, None),
        ["shots", "--check"] => shots::run(true, None),
        ["shots", "--check", command] => shots::run(true, Some(command)),
        ["shots", command] => shots::run(false, Some(command)),
        ["symbols"] => symbols::run(false),
        ["symbols", "--update"] => symbols::run(true),
        ["tables"] => tables::run(false),
        ["tables", "--check"] => tables::run(true),
        ["unsafe"] => unsafe_code::run(false),
        ["unsafe", "--update"] => unsafe_code::run(true),
        ["words"] => words::run(false, false),
        ["words", "--check"] => words::run(true, false),
        ["words", "--update"] => words::run(false, true),
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
