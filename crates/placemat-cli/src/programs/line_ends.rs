//! The program under the names `dos2unix`, `unix2dos` and `mac2unix`: line ends, and signatures.
//!
//! Bytes that are no line end stay, in whatever encoding a file is; only UTF-16 is read as such, and becomes UTF-8.

use super::call::{Call, number_of};
use super::getopt::option;
use crate::cmd::iconv::words;
use crate::outcome::Outcome;
use crate::shown::{Name, escaped};
use crate::{input, spool};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileTimes};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub(super) const USAGE: &str = "\
Usage: NAME [OPTION]... [FILE]... [-n INFILE OUTFILE]...
Convert line ends: dos2unix writes CR LF as LF, unix2dos LF as CR LF, mac2unix a
CR without LF as LF. Without FILE: from standard input to standard output.

  -k, --keepdate        keep the time of the file
  -q, --quiet           print no messages
  -n, --newfile         write the FILE that follows into a new file
  -o, --oldfile         write into the file itself (default)
  -f, --force           convert binary files too
  -s, --safe            leave binary files as they are (default)
  -F, --follow-symlink  convert the files that symbolic links name
  -S, --skip-symlink    leave symbolic links alone (default)
  -b, --keep-bom        keep a byte order mark (default of unix2dos)
  -r, --remove-bom      remove a byte order mark (default of the others)
  -m, --add-bom         write a byte order mark
  -u, --keep-utf16      UTF-16 stays UTF-16; without -u it becomes UTF-8
  -ul, -ub              read files without a mark as UTF-16LE or UTF-16BE
  -c, --convmode MODE   ascii or mac
  -ascii                the same as -c ascii
  -h, --help            print this help
  -V, --version         print the version

`placemat convert` changes encodings, and `placemat check --lint crlf,mixed-eol`
finds line ends.
";

pub(super) const DOS_TO_UNIX: fn(&Call, Vec<OsString>) -> ExitCode = |call, arguments| {
    run(call, arguments, Ends { format: "Unix", eol: "crlf-to-lf", mac: "cr-to-lf" }, Mark::Strip)
};
pub(super) const UNIX_TO_DOS: fn(&Call, Vec<OsString>) -> ExitCode =
    |call, arguments| run(call, arguments, Ends { format: "DOS", eol: "lf-to-crlf", mac: "" }, Mark::Keep);
pub(super) const MAC_TO_UNIX: fn(&Call, Vec<OsString>) -> ExitCode = |call, arguments| {
    run(call, arguments, Ends { format: "Unix", eol: "cr-to-lf", mac: "cr-to-lf" }, Mark::Strip)
};

/// The line ends that a program writes.
#[derive(Clone, Copy)]
struct Ends {
    /// The name of these line ends in messages.
    format: &'static str,
    /// The value of `--eol`.
    eol: &'static str,
    /// The value of `--eol` in the mode `mac`; empty if the mode is not supported.
    mac: &'static str,
}

/// The treatment of a byte order mark.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Strip,
    Keep,
    Add,
}

/// The options that hold for the files after them.
#[derive(Clone, Copy)]
struct Options {
    ends: Ends,
    mark: Mark,
    keep_date: bool,
    quiet: bool,
    force: bool,
    follow: bool,
    keep_utf16: bool,
    assumed: Option<Form>,
}

/// The form of a text, as far as line ends need it.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Bytes,
    Utf8WithMark,
    Utf16Le,
    Utf16Be,
}

impl Form {
    const fn name(self) -> &'static str {
        match self {
            // Every byte is a character, and stays as it is.
            Self::Bytes => "ISO-8859-1",
            Self::Utf8WithMark => "UTF-8",
            Self::Utf16Le => "UTF-16LE",
            Self::Utf16Be => "UTF-16BE",
        }
    }

    const fn is_utf16(self) -> bool {
        matches!(self, Self::Utf16Le | Self::Utf16Be)
    }
}

fn run(call: &Call, arguments: Vec<OsString>, ends: Ends, mark: Mark) -> ExitCode {
    let mut options = Options {
        ends,
        mark,
        keep_date: false,
        quiet: false,
        force: false,
        follow: false,
        keep_utf16: false,
        assumed: None,
    };
    let mut arguments = arguments.into_iter();
    let (mut is_new, mut is_begun, mut only_files) = (false, false, false);
    let mut status = 0;
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        if only_files || !text.starts_with('-') || text == "-" {
            is_begun = true;
            let from = PathBuf::from(&argument);
            let to = if is_new { arguments.next() } else { None };
            if is_new && to.is_none() {
                call.say(format_args!("target of file {} not specified in new-file mode", Name::new(from)));
                return ExitCode::from(1);
            }
            let done = Task { call, options, from: &from, to: to.as_deref().map(Path::new) }.convert();
            status = if done == 0 { status } else { done };
            continue;
        }
        match text.as_ref() {
            "--" => only_files = true,
            "-h" | "--help" => return call.help(),
            "-V" | "--version" => return call.version(),
            "-k" | "--keepdate" => options.keep_date = true,
            "-q" | "--quiet" => options.quiet = true,
            "-v" | "--verbose" | "--no-allow-chown" => {}
            "-n" | "--newfile" => is_new = true,
            "-o" | "--oldfile" => is_new = false,
            "-f" | "--force" => options.force = true,
            "-s" | "--safe" => options.force = false,
            "-F" | "--follow-symlink" => options.follow = true,
            "-S" | "--skip-symlink" => options.follow = false,
            "-b" | "--keep-bom" => options.mark = Mark::Keep,
            "-r" | "--remove-bom" => options.mark = Mark::Strip,
            "-m" | "--add-bom" => options.mark = Mark::Add,
            "-u" | "--keep-utf16" => options.keep_utf16 = true,
            "-ul" | "--assume-utf16le" => options.assumed = Some(Form::Utf16Le),
            "-ub" | "--assume-utf16be" => options.assumed = Some(Form::Utf16Be),
            "-ascii" => options.ends = ends,
            "-c" | "--convmode" => {
                let mode = arguments.next();
                match mode.as_ref().and_then(|mode| mode.to_str()) {
                    Some("ascii" | "ASCII") => options.ends = ends,
                    Some("mac" | "Mac") if !ends.mac.is_empty() => options.ends.eol = ends.mac,
                    Some(mode) => {
                        let mode = escaped(mode.as_ref()).to_string();
                        call.say(format_args!("conversion mode {mode} is not supported here"));
                        return ExitCode::from(1);
                    }
                    None => {
                        call.say(format_args!("option '{text}' requires an argument"));
                        return ExitCode::from(1);
                    }
                }
            }
            _ => return call.refuse(&argument),
        }
    }
    if !is_begun {
        status = Task { call, options, from: Path::new("-"), to: None }.convert();
    }
    ExitCode::from(status)
}

/// One file to convert.
struct Task<'a> {
    call: &'a Call,
    options: Options,
    from: &'a Path,
    /// The new file, in new-file mode.
    to: Option<&'a Path>,
}

impl Task<'_> {
    /// Prints a message, unless the options ask for silence.
    fn say(&self, message: impl core::fmt::Display) {
        if !self.options.quiet {
            self.call.say(message);
        }
    }

    /// Converts the file. Returns the exit status.
    fn convert(&self) -> u8 {
        let is_stdin = input::name_of(self.from) == Name::stdin();
        let name = if is_stdin { Name::new("stdin") } else { Name::new(self.from) };
        if !is_stdin {
            let metadata = match self.from.symlink_metadata() {
                Ok(metadata) => metadata,
                Err(e) => {
                    self.say(format_args!("{name}: {}", words(&e)));
                    self.say(format_args!("Skipping {name}, not a regular file."));
                    return number_of(&e);
                }
            };
            let is_link = metadata.is_symlink();
            if is_link && !self.options.follow && self.to.is_none() {
                self.say(format_args!("Skipping symbolic link {name}."));
                return 0;
            }
            if !self.from.is_file() {
                self.say(format_args!("Skipping {name}, not a regular file."));
                return 0;
            }
        }
        let look = match Look::at(self.from, self.options.assumed) {
            Ok(look) => look,
            Err(e) => {
                self.say(format_args!("{name}: {}", words(&e)));
                return number_of(&e);
            }
        };
        if let Some((unit, line)) = look.binary.filter(|_| !self.options.force) {
            self.say(format_args!("Binary symbol 0x{unit:02X} found at line {line}"));
            self.say(format_args!("Skipping binary file {name}"));
            return u8::from(is_stdin);
        }
        let Options { ends, keep_utf16, .. } = self.options;
        let keeps_form = keep_utf16 || !look.form.is_utf16();
        if !is_stdin {
            let (kind, then) = match (look.form.is_utf16(), keeps_form) {
                (false, _) => (String::new(), ""),
                (true, true) => (format!("{} ", look.form.name()), "UTF-16 "),
                (true, false) => (format!("{} ", look.form.name()), "UTF-8 "),
            };
            let then = if then == "UTF-16 " { kind.as_str() } else { then };
            let format = ends.format;
            match self.to {
                None => self.say(format_args!("converting {kind}file {name} to {then}{format} format...")),
                Some(to) => {
                    let to = Name::new(to);
                    self.say(format_args!(
                        "converting {kind}file {name} to file {to} in {then}{format} format..."
                    ));
                }
            }
        }
        let times = self.to.filter(|_| self.options.keep_date).and_then(|_| times_of(self.from).ok());
        let call = self.call.quieted(self.options.quiet);
        let outcome = call.convert(self.line(look.form, is_stdin));
        if let (Outcome::Clean, Some(to), Some(times)) = (outcome, self.to, times)
            && let Err(e) = File::options().write(true).open(to).and_then(|file| file.set_times(times))
        {
            self.say(format_args!("{}: {}", Name::new(to), words(&e)));
            return number_of(&e);
        }
        outcome.min(Outcome::Findings).code()
    }

    /// Returns the words after `placemat convert`.
    fn line(&self, form: Form, is_stdin: bool) -> Vec<OsString> {
        let Options { ends, mark, keep_date, keep_utf16, .. } = self.options;
        let mut line = Vec::new();
        let mut add = |name: &str, value: &OsStr| line.extend(option(name, value));
        // A mark is text of UTF-8, not of bytes; the bytes that are not UTF-8 come out again as they are.
        let reads_mark = form == Form::Utf8WithMark && mark == Mark::Strip || mark == Mark::Add;
        let form = if form == Form::Bytes && reads_mark { Form::Utf8WithMark } else { form };
        let to = if form.is_utf16() && !keep_utf16 { Form::Utf8WithMark } else { form };
        add("--from", form.name().as_ref());
        add("--to", to.name().as_ref());
        if form == Form::Utf8WithMark {
            add("--errors", "surrogateescape".as_ref());
        }
        if form != Form::Bytes {
            let bom = match mark {
                Mark::Strip => "strip",
                Mark::Keep => "keep",
                Mark::Add => "add",
            };
            add("--bom", bom.as_ref());
        }
        add("--eol", ends.eol.as_ref());
        match self.to {
            None if is_stdin => {}
            Some(to) if !is_same(self.from, to) => add("--output", to.as_os_str()),
            _ => {
                add("--mtime", if keep_date { "keep" } else { "now" }.as_ref());
                line.extend(["--in-place", "--force"].map(OsString::from));
            }
        }
        line.extend(["--".into(), self.from.into()]);
        line
    }
}

/// Returns `true` if two paths name one file.
fn is_same(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

fn times_of(path: &Path) -> io::Result<FileTimes> {
    let metadata = path.metadata()?;
    Ok(FileTimes::new().set_accessed(metadata.accessed()?).set_modified(metadata.modified()?))
}

/// The facts about a text that decide how it is converted.
struct Look {
    form: Form,
    /// The first control code that no text has, and its line.
    binary: Option<(u16, u64)>,
}

impl Look {
    /// Reads a file through. What can be read only once is kept for the conversion.
    fn at(path: &Path, assumed: Option<Form>) -> io::Result<Self> {
        let mut units = Units { head: Vec::new(), form: None, assumed, odd: None, line: 1, binary: None };
        let (file, is_copy) = spool::first_pass(input::open(path)?.file, |piece| units.feed(piece))?;
        if is_copy {
            spool::keep(path, file);
        }
        units.decide();
        Ok(Self { form: units.form.unwrap_or(Form::Bytes), binary: units.binary })
    }
}

/// Looks at the code units of a text that comes in pieces.
struct Units {
    /// The first bytes, until the form is known.
    head: Vec<u8>,
    form: Option<Form>,
    assumed: Option<Form>,
    /// The first byte of a unit that the end of a piece split.
    odd: Option<u8>,
    line: u64,
    binary: Option<(u16, u64)>,
}

/// Bytes of the longest mark.
const MARK_BYTES: usize = 3;

impl Units {
    fn feed(&mut self, piece: &[u8]) {
        if self.form.is_some() {
            self.look(piece);
            return;
        }
        self.head.extend_from_slice(piece);
        if self.head.len() >= MARK_BYTES {
            self.decide();
        }
    }

    /// Decides on the form by the first bytes, and looks at them.
    fn decide(&mut self) {
        if self.form.is_some() {
            return;
        }
        self.form = Some(match self.head.as_slice() {
            [0xFF, 0xFE, ..] => Form::Utf16Le,
            [0xFE, 0xFF, ..] => Form::Utf16Be,
            [0xEF, 0xBB, 0xBF, ..] => Form::Utf8WithMark,
            _ => self.assumed.unwrap_or(Form::Bytes),
        });
        let head = core::mem::take(&mut self.head);
        self.look(&head);
    }

    fn look(&mut self, bytes: &[u8]) {
        if self.binary.is_some() {
            return;
        }
        for &byte in bytes {
            let unit = match (self.form, self.odd.take()) {
                (Some(Form::Utf16Le), Some(first)) => u16::from_le_bytes([first, byte]),
                (Some(Form::Utf16Be), Some(first)) => u16::from_be_bytes([first, byte]),
                (Some(Form::Utf16Le | Form::Utf16Be), None) => {
                    self.odd = Some(byte);
                    continue;
                }
                _ => byte.into(),
            };
            match unit {
                0x0A => self.line += 1,
                0x09 | 0x0C | 0x0D | 0x20.. => {}
                _ => {
                    self.binary = Some((unit, self.line));
                    return;
                }
            }
        }
    }
}
