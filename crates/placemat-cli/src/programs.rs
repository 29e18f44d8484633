//! The names under which the command acts as another program. Each program is a translation: its arguments become a
//! detection, a scan or a line of `placemat convert`, and its own words are put around the outcome.

mod call;
mod convmv;
mod file;
mod getopt;
mod isutf8;
mod line_ends;
mod native2ascii;
mod recode;
mod uchardet;

use crate::cmd::iconv;
use crate::common::Common;
use anstream::ColorChoice;
use call::Call;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// A program, and its functions here.
struct Program {
    /// The name of the program, and of the file that starts it.
    name: &'static str,
    /// The text of `--help`, without the last line, which all programs share.
    usage: &'static str,
    /// Runs the program with the arguments after its name.
    run: fn(&Call, Vec<OsString>) -> ExitCode,
}

/// All programs. `iconv` is also a command of `placemat`, with a help of its own.
const PROGRAMS: [Program; 10] = [
    Program { name: "iconv", usage: "", run: |_, arguments| iconv::program(arguments.into_iter()) },
    Program { name: "uchardet", usage: uchardet::USAGE, run: uchardet::run },
    Program { name: "file", usage: file::USAGE, run: file::run },
    Program { name: "isutf8", usage: isutf8::USAGE, run: isutf8::run },
    Program { name: "dos2unix", usage: line_ends::USAGE, run: line_ends::DOS_TO_UNIX },
    Program { name: "unix2dos", usage: line_ends::USAGE, run: line_ends::UNIX_TO_DOS },
    Program { name: "mac2unix", usage: line_ends::USAGE, run: line_ends::MAC_TO_UNIX },
    Program { name: "native2ascii", usage: native2ascii::USAGE, run: native2ascii::run },
    Program { name: "recode", usage: recode::USAGE, run: recode::run },
    Program { name: "convmv", usage: convmv::USAGE, run: convmv::run },
];

/// Runs the program that the command is called as, if it is called by the name of one; `iconv` also as its first word.
pub(crate) fn run(mut all: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let path = all.next().unwrap_or_default();
    let name = Path::new(&path).file_stem().unwrap_or_default().to_ascii_lowercase();
    let mut arguments: Vec<_> = all.collect();
    let named = PROGRAMS.iter().find(|program| name == program.name);
    let program = named.or_else(|| {
        let iconv = &PROGRAMS[0];
        (arguments.first()? == iconv.name).then(|| {
            arguments.remove(0);
            iconv
        })
    })?;
    let Program { name, usage, run } = *program;
    let common = Common::new(ColorChoice::Auto, false).acting_as(name);
    Some(run(&Call { name, usage, common }, arguments))
}
