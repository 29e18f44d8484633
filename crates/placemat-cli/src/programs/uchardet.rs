//! The program under the name `uchardet`: the encoding of each file.

use super::call::Call;
use super::getopt::{Word, words};
use crate::auto;
use crate::cmd::iconv;
use crate::input::name_of;
use crate::outcome::Outcome;
use placemat::Encoding;
use placemat::detect::Detection;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

pub(super) const USAGE: &str = "\
Usage: uchardet [FILE]...
Print the encoding of each FILE, or of standard input.

  -v, --version  print the version
  -h, --help     print this help
";

pub(super) fn run(call: &Call, arguments: Vec<OsString>) -> ExitCode {
    let mut files = Vec::new();
    for word in words(arguments) {
        match word {
            Word::Operand(file) => files.push(PathBuf::from(file)),
            Word::Option(option) => match option.as_str() {
                "-h" | "--help" => return call.help(),
                "-v" | "--version" => return call.version(),
                _ => return call.refuse(option),
            },
        }
    }
    let is_named = files.len() > 1;
    if files.is_empty() {
        files.push("-".into());
    }
    let mut outcome = Outcome::Clean;
    for file in files {
        match auto::of_path(&file) {
            Ok(found) => {
                let name = if is_named { format!("{}: ", name_of(&file)) } else { String::new() };
                outcome = outcome.max(call.print(format!("{name}{}\n", label(&found))));
            }
            Err(e) => {
                call.common.line(format_args!("{}: {}", name_of(&file), iconv::words(&e)));
                outcome = outcome.max(Outcome::Findings);
            }
        }
    }
    // The original knows one status of failure.
    outcome.min(Outcome::Findings).end()
}

/// Returns the label of an encoding in the letters of uchardet.
fn label(found: &Detection) -> String {
    let Some(encoding) = found.encoding else { return "unknown".into() };
    let is = |some: &[Encoding]| some.contains(&encoding);
    if is(&[Encoding::US_ASCII]) {
        "ASCII".into()
    } else if found.signature.is_some() && is(&[Encoding::UTF_16LE, Encoding::UTF_16BE]) {
        "UTF-16".into()
    } else if found.signature.is_some() && is(&[Encoding::UTF_32LE, Encoding::UTF_32BE]) {
        "UTF-32".into()
    } else {
        encoding.name().to_ascii_uppercase()
    }
}
