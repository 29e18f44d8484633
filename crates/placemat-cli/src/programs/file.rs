//! The program under the name `file`: the media type and the encoding of each file, the one part of `file` that concerns
//! text.

use super::call::Call;
use super::getopt::{self, Word};
use crate::auto;
use crate::cmd::detect::report::{charset, media_type};
use crate::cmd::iconv::words;
use crate::outcome::Outcome;
use crate::shown::escaped;
use crate::streams::is_stdin;
use std::ffi::OsString;
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use unicode_width::UnicodeWidthStr as _;

pub(super) const USAGE: &str = "\
Usage: file -i [OPTION]... FILE...
Print the media type and the encoding of each FILE.

  -i, --mime             print both: text/plain; charset=utf-8
      --mime-encoding    print the encoding alone
  -b, --brief            do not print the names of files
  -L, --dereference      follow symbolic links
  -h, --no-dereference   do not follow symbolic links (default)
  -N, --no-pad           do not align the answers
  -v, --version          print the version
      --help             print this help

What kind of data a file contains that is no text, only the real file(1) says.
";

/// The options of one run.
#[derive(Default)]
struct Options {
    kind: bool,
    encoding: bool,
    brief: bool,
    follow: bool,
    no_pad: bool,
}

pub(super) fn run(call: &Call, arguments: Vec<OsString>) -> ExitCode {
    let mut options = Options::default();
    let mut files = Vec::new();
    for word in getopt::words(arguments) {
        match word {
            Word::Operand(file) => files.push(PathBuf::from(file)),
            Word::Option(option) => match option.as_str() {
                "--help" => return call.help(),
                "-v" | "--version" => return call.version(),
                "-i" | "--mime" => (options.kind, options.encoding) = (true, true),
                "--mime-encoding" => options.encoding = true,
                "-b" | "--brief" => options.brief = true,
                "-L" | "--dereference" => options.follow = true,
                "-h" | "--no-dereference" => options.follow = false,
                "-N" | "--no-pad" => options.no_pad = true,
                _ => return call.refuse(option),
            },
        }
    }
    if !options.encoding {
        call.say(
            "only -i and --mime-encoding are supported here; the real file(1) tells other kinds of data",
        );
        return ExitCode::from(1);
    }
    if files.is_empty() {
        call.say("no FILE is named; - is standard input");
        return ExitCode::from(1);
    }
    let names: Vec<_> = files.iter().map(|file| shown(file)).collect();
    let longest = names.iter().map(|name| name.width()).max().unwrap_or_default();
    let mut outcome = Outcome::Clean;
    for (file, name) in files.iter().zip(&names) {
        let said = said(file, &options)
            .unwrap_or_else(|e| format!("cannot open `{}' ({})", escaped(file.as_os_str()), words(&e)));
        let padding = if options.no_pad { 0 } else { longest - name.width() };
        let name = if options.brief { String::new() } else { format!("{name}: {:padding$}", "") };
        outcome = outcome.max(call.print(format!("{name}{said}\n")));
    }
    outcome.end()
}

/// Returns the name of a file in the answer.
fn shown(file: &Path) -> String {
    if is_stdin(file) { "/dev/stdin".into() } else { escaped(file.as_os_str()).to_string() }
}

/// Returns the answer for a file.
fn said(file: &Path, options: &Options) -> io::Result<String> {
    let (kind, encoding) = if let Some(kind) = special(file, options.follow)? {
        (kind, "binary".into())
    } else {
        let found = auto::of_path(file)?;
        (media_type(&found), charset(&found))
    };
    Ok(if options.kind { format!("{kind}; charset={encoding}") } else { encoding })
}

/// Returns the kind of a file that is not read, because it is no regular one.
fn special(file: &Path, follow: bool) -> io::Result<Option<&'static str>> {
    if is_stdin(file) {
        return Ok(None);
    }
    let kind = if follow { file.metadata()? } else { file.symlink_metadata()? }.file_type();
    Ok(if kind.is_file() { None } else { Some(name_of(kind)) })
}

fn name_of(kind: FileType) -> &'static str {
    if kind.is_dir() {
        return "inode/directory";
    }
    if kind.is_symlink() {
        return "inode/symlink";
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return "inode/fifo";
        }
        if kind.is_socket() {
            return "inode/socket";
        }
        if kind.is_char_device() {
            return "inode/chardevice";
        }
        if kind.is_block_device() {
            return "inode/blockdevice";
        }
    }
    "application/octet-stream"
}
