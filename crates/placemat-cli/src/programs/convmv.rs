//! The program under the name `convmv`: the names of files from one encoding to another.

use super::call::Call;
use super::getopt::option;
use crate::cmd::convert::{Speaker, as_convmv};
use crate::outcome::Outcome;
use crate::shown::{Name, escaped};
use placemat::Encoding;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

pub(super) const USAGE: &str = "\
Usage: convmv [OPTION]... -f ENCODING -t ENCODING FILE...
Convert the name of each FILE from one encoding to another.

  -f ENCODING     the encoding of the names
  -t ENCODING     the encoding of the new names
  -r              convert the names of all files in directories, too
      --notest    rename the files; without it, only print the new names
      --nfc       write the new names in NFC
      --nfd       write the new names in NFD
      --nosmart   also convert names that are UTF-8 already
      --list      list the encodings
      --lowmem, --no-preserve-mtimes
                  accepted; they have no effect
      --help      print this help

  convmv -f cp437 -t utf-8 -r photos             which names would change?
  convmv -f cp437 -t utf-8 -r --notest photos    change them
";

/// The exit status of convmv for names or encodings that it refuses.
const REFUSED: u8 = 255;

/// The options of one run.
#[derive(Debug, Default)]
struct Options {
    from: Option<OsString>,
    to: Option<OsString>,
    recursive: bool,
    rename: bool,
    form: Option<&'static str>,
    force: bool,
    files: Vec<PathBuf>,
}

pub(super) fn run(call: &Call, arguments: Vec<OsString>) -> ExitCode {
    let start = Instant::now();
    let mut options = Options::default();
    let mut arguments = arguments.into_iter();
    let mut only_files = false;
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        if only_files || !text.starts_with('-') || text == "-" {
            options.files.push(argument.into());
            continue;
        }
        let Some(long) = text.strip_prefix("--") else {
            if let Err(letter) = options.letters(&text[1..], &mut arguments) {
                return call.refuse(format!("-{letter}"));
            }
            continue;
        };
        match long {
            "" => only_files = true,
            "help" => return call.help(),
            "list" => return list(call),
            "notest" => options.rename = true,
            "nfc" => options.form = Some("nfc"),
            "nfd" => options.form = Some("nfd"),
            "nosmart" => options.force = true,
            "lowmem" | "no-preserve-mtimes" => {}
            _ => return call.refuse(&argument),
        }
    }
    if options.files.is_empty() {
        _ = call.help();
        return ExitCode::from(1);
    }
    for (side, name) in [("from", &options.from), ("to", &options.to)] {
        if let Err(why) = encoding(name.as_deref()) {
            call.common.line(format_args!("wrong/unknown \"{side}\" encoding!{why}"));
            return ExitCode::from(REFUSED);
        }
    }
    if let Some(missing) = options.files.iter().find(|path| path.symlink_metadata().is_err()) {
        call.common.line(format_args!("file or directory not found: {}", Name::new(missing)));
        return ExitCode::from(2);
    }
    match as_convmv(options.line(), Speaker::Convmv(start), &call.common) {
        Ok(Outcome::Findings) => ExitCode::from(REFUSED),
        Ok(outcome) => outcome.end(),
        Err(message) => {
            call.say(message);
            ExitCode::from(REFUSED)
        }
    }
}

/// Checks the name of an encoding. The error says more than convmv does, if there is more to say.
fn encoding(name: Option<&OsStr>) -> Result<(), String> {
    let Some(name) = name else { return Err(String::new()) };
    match crate::options::parse_encoding(&name.to_string_lossy()) {
        Ok(_) => Ok(()),
        Err(why) => Err(format!(" ({})", escaped(why.to_string().as_ref()))),
    }
}

/// Writes the names of all encodings.
fn list(call: &Call) -> ExitCode {
    let mut names: Vec<_> = Encoding::ALL.iter().map(|encoding| encoding.name()).collect();
    names.sort_unstable_by_key(|name| name.to_ascii_lowercase());
    call.print(names.join("\n") + "\n").end()
}

impl Options {
    /// Takes options of one letter, which may be bundled. The value of the last one may be the next argument.
    fn letters(&mut self, letters: &str, more: &mut impl Iterator<Item = OsString>) -> Result<(), char> {
        let mut rest = letters.chars();
        while let Some(letter) = rest.next() {
            let mut value = || {
                Some(rest.as_str()).filter(|rest| !rest.is_empty()).map(Into::into).or_else(|| more.next())
            };
            match letter {
                'r' => self.recursive = true,
                'f' => {
                    self.from = value();
                    return Ok(());
                }
                't' => {
                    self.to = value();
                    return Ok(());
                }
                _ => return Err(letter),
            }
        }
        Ok(())
    }

    /// Returns a line of `placemat convert`.
    fn line(self) -> Vec<OsString> {
        let mut line: Vec<OsString> =
            ["convert", "--names", "--hidden", "--no-ignore"].map(Into::into).into();
        line.extend(self.from.into_iter().flat_map(|name| option("--from", name)));
        line.extend(self.to.into_iter().flat_map(|name| option("--to", name)));
        line.extend(self.form.into_iter().flat_map(|form| option("--normalize", form)));
        let flags = [(self.recursive, "--recursive"), (self.rename, "--in-place"), (self.force, "--force")];
        line.extend(flags.iter().filter(|(is_given, _)| *is_given).map(|(_, flag)| OsString::from(flag)));
        line.push("--".into());
        // `-` is a file here.
        let file = |path: PathBuf| if path == Path::new("-") { "./-".into() } else { path.into_os_string() };
        line.extend(self.files.into_iter().map(file));
        line
    }
}
