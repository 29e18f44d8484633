//! The program under the name `isutf8` of moreutils: which files are well-formed UTF-8.

use super::call::Call;
use super::getopt::{Word, words};
use crate::cmd::iconv;
use crate::input;
use crate::outcome::Outcome;
use crate::scan::{Around, Ended, Scanner, Sink};
use crate::streams::is_stdin;
use core::ops::ControlFlow;
use memchr::memrchr;
use placemat::{Encoding, IllFormed, Span};
use placemat_diagnose::describe;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(super) const USAGE: &str = "\
Usage: isutf8 [OPTION]... [FILE]...
Check whether each FILE, or standard input, is well-formed UTF-8.

  -q, --quiet    print nothing; the exit status is the answer
  -l, --list     print only the names of files that are not
  -i, --invert   print the names of files that are
  -v, --verbose  the same as without (`placemat check -v` shows the bytes)
  -h, --help     print this help

Exit status: 0 if all are well-formed, else 1.
";

/// The output about each file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Error,
    Nothing,
    IllFormed,
    WellFormed,
}

pub(super) fn run(call: &Call, arguments: Vec<OsString>) -> ExitCode {
    let mut output = Output::Error;
    let mut files = Vec::new();
    for word in words(arguments) {
        match word {
            Word::Operand(file) => files.push(PathBuf::from(file)),
            Word::Option(option) => match option.as_str() {
                "-h" | "--help" => return call.help(),
                "-q" | "--quiet" => output = Output::Nothing,
                "-l" | "--list" => output = Output::IllFormed,
                "-i" | "--invert" => output = Output::WellFormed,
                "-v" | "--verbose" => {}
                _ => return call.refuse(option),
            },
        }
    }
    if files.is_empty() {
        files.push("-".into());
    }
    let mut outcome = Outcome::Clean;
    let mut scanner = Scanner::new();
    for file in files {
        let error = match first_error(&file, &mut scanner) {
            Ok(error) => error,
            Err(e) => {
                call.say(format_args!("{}: {}", input::name_of(&file), iconv::words(&e)));
                outcome = outcome.max(Outcome::Findings);
                continue;
            }
        };
        let name =
            if is_stdin(&file) { "(standard input)".into() } else { input::name_of(&file).to_string() };
        let line = match (output, &error) {
            (Output::Error, Some(error)) => format!("{name}: {error}\n"),
            (Output::IllFormed, Some(_)) | (Output::WellFormed, None) => format!("{name}\n"),
            _ => String::new(),
        };
        if error.is_some() {
            outcome = outcome.max(Outcome::Findings);
        }
        outcome = outcome.max(call.print(line));
    }
    outcome.min(Outcome::Findings).end()
}

/// Returns the first error of a file, with its place, in words.
fn first_error(file: &Path, scanner: &mut Scanner) -> io::Result<Option<String>> {
    let mut input = input::open(file)?.file;
    let mut place = Place { line: 1, character: 1 };
    let ended = scanner.scan(&mut input, Encoding::UTF_8, Span::Maximal, false, &mut place)?;
    Ok(match ended {
        Ended::Broken(error) => Some(error),
        Ended::Whole(_) | Ended::Binary(_) => None,
    })
}

/// The line and the character that come next, both from 1.
struct Place {
    line: u64,
    character: u64,
}

impl Sink for Place {
    type Break = String;

    fn text(&mut self, text: &[u8]) {
        let last_line = match memrchr(b'\n', text) {
            Some(end) => {
                self.line += memchr::memchr_iter(b'\n', text).count() as u64;
                self.character = 1;
                &text[end + 1..]
            }
            None => text,
        };
        // Continuation bytes start no character.
        self.character += last_line.iter().filter(|byte| **byte & 0xC0 != 0x80).count() as u64;
    }

    fn ill_formed(&mut self, error: &IllFormed, around: &Around<'_>) -> ControlFlow<String> {
        let Self { line, character } = self;
        let what = describe(error, Encoding::UTF_8, around.before(), around.following());
        ControlFlow::Break(format!("line {line}, char {character}, byte {}: {what}", error.offset()))
    }
}
