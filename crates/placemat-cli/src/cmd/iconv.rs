//! `placemat iconv`, and the program under the name `iconv`: acts as glibc's iconv, with its arguments.
//!
//! As in glibc, each input is a text of its own: with its signature, if the output has one, and its shift back at the end.
//! An input that cannot be opened does not stop the others; anything else does.

mod args;
mod conversion;
mod list;
mod policies;
mod sink;
mod subst;
mod text;

pub(crate) use args::{Args, Program, Refused, parse};

use crate::common::Common;
use crate::help;
use crate::input;
use crate::outcome::Outcome;
use crate::output::{self};
use crate::pages::Pages;
use crate::shown::{Name, escaped};
use crate::streams;
use conversion::{Conversion, Converter, Stopped, Way};
use placemat::Encoding;
use placemat::stream::Transcoder;
use placemat_diagnose::names;
use placemat_iconv::{Charset, Decoding, Locale, Unmappables};
use policies::{Options, Then};
use sink::{Sink, Unwritten};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use text::{Composer, Ending};

/// Bytes of input and of output at a time.
const PIECE_BYTES: usize = 128 * 1024;
const OUTPUT: usize = 256 * 1024;
/// Bytes at the start that can be a signature.
const HEAD: usize = 4;
/// The exit status of glibc's iconv for wrong arguments (sysexits).
const USAGE: u8 = 64;

/// Runs the program under this name.
pub(crate) fn program(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<_> = arguments.collect();
    let raw = || arguments.iter().cloned();
    match parse(raw()) {
        Ok(Program { global, args }) => {
            let common = Common::new(global.color.into(), global.quiet);
            if let Some(Err(e)) = global.isa.map(placemat::Isa::select) {
                say(&common, e);
                return ExitCode::from(USAGE);
            }
            run(&args, &common).end()
        }
        Err(refused) => {
            let common =
                Common::new(crate::options::color_asked_for(raw()), crate::options::quiet_asked_for(raw()));
            match refused {
                Refused::Help(text) => help::asked_for(&text, &common).end(),
                Refused::Wrong(why) => {
                    say(&common, escaped(why.as_ref()));
                    common.line(HINT);
                    ExitCode::from(USAGE)
                }
            }
        }
    }
}

const HINT: &str = "Try `iconv --help' or `iconv --usage' for more information.";

/// Prints `iconv: MESSAGE`.
fn say(common: &Common, message: impl core::fmt::Display) {
    common.line(format_args!("iconv: {message}"));
}

/// Runs the command.
pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    if args.version {
        return print(common, &format!("iconv (placemat) {}\n", env!("CARGO_PKG_VERSION")));
    }
    if args.usage {
        return print(common, &format!("{}\n", args::usage()));
    }
    if args.list {
        return list::run(common);
    }
    let name = locale();
    let locale = Locale { codeset: "", name: &name };
    let [from, to] = [&args.from_code, &args.to_code]
        .map(|argument| argument.as_deref().unwrap_or_default().to_string_lossy());
    let (from, to) = match (Charset::new(&from, locale), Charset::new(&to, locale)) {
        (Ok(from), Ok(to)) => (from, to),
        (from, to) => {
            unsupported(common, from.err(), to.err());
            return Outcome::Findings;
        }
    };
    let stdin = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    let sink = Sink::new(args.output.as_deref());
    if let Some(same) = sink.grows(files) {
        say(common, format_args!("{}: input and output are the same file", input::name_of(same)));
        return Outcome::Findings;
    }
    crate::replace::survive_limits();
    Job::new(args, common, locale, &from, &to, sink).run(files)
}

/// Returns the locale, from the environment; C if none is set.
pub(crate) fn locale() -> String {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|variable| std::env::var(variable).ok().filter(|value| !value.is_empty()))
        .unwrap_or_else(|| "C".into())
}

fn print(common: &Common, text: &str) -> Outcome {
    common.written(output::Data::stdout().and_then(|mut data| {
        data.write_all(text.as_bytes())?;
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

/// Reports unknown names, with suggestions.
fn unsupported(common: &Common, from: Option<&str>, to: Option<&str>) {
    let shown = |name: Option<&str>| name.map(|name| escaped(name.as_ref()).to_string());
    match (shown(from), shown(to)) {
        (Some(from), Some(to)) => {
            say(common, format_args!("conversions from `{from}' and to `{to}' are not supported"));
        }
        (Some(from), None) => say(common, format_args!("conversion from `{from}' is not supported")),
        (None, Some(to)) => say(common, format_args!("conversion to `{to}' is not supported")),
        (None, None) => return,
    }
    for why in [from, to].into_iter().flatten().filter_map(|name| crate::options::parse_encoding(name).err())
    {
        // A program called `iconv` may not be known as `placemat`.
        say(common, why.to_string().replace("placemat encodings", "iconv -l"));
    }
    common.line(HINT);
}

/// One run of the command.
struct Job<'a> {
    args: &'a Args,
    common: &'a Common,
    locale: Locale<'a>,
    from: &'a Charset,
    to: &'a Charset,
    sink: Sink,
    /// The number of bytes written.
    written: u64,
    input: Pages,
    output: Pages,
    /// Text in UTF-8, on its way to be composed.
    middle: Pages,
}

impl<'a> Job<'a> {
    fn new(
        args: &'a Args,
        common: &'a Common,
        locale: Locale<'a>,
        from: &'a Charset,
        to: &'a Charset,
        sink: Sink,
    ) -> Self {
        let mut job = Self {
            args,
            common,
            locale,
            from,
            to,
            sink,
            written: 0,
            input: Pages::new(PIECE_BYTES),
            output: Pages::new(0),
            middle: Pages::new(if from.apple { OUTPUT } else { 0 }),
        };
        let least = job.transcoder(from.encoding, to.encoding).min_output();
        job.output = Pages::new(OUTPUT.max(least));
        job
    }

    /// Returns the conversion of an input that starts with `head`.
    fn conversion(&self, head: &[u8]) -> Conversion<'a> {
        // glibc's UNICODE is UCS-2 in the byte order of the machine.
        let (from, to) = (self.from.encoding, self.to.encoding);
        let from = if from == Encoding::UCS_2 { self.from.read_as(head) } else { from };
        let (to, mark) = if to == Encoding::UCS_2 { self.to.written_as() } else { (to, &b""[..]) };
        let composed =
            self.from.apple.then(|| (self.transcoder(Encoding::UTF_8, Encoding::UTF_8), Composer::new()));
        Conversion { composed, converter: self.transcoder(from, to), ending: Ending::new(self.to, mark) }
    }

    /// Returns a transcoder between two encodings, with the policies of the options.
    fn transcoder(&self, from: Encoding, to: Encoding) -> Converter<'a> {
        let args = self.args;
        let omits = args.omit || self.to.ignore;
        let then = |format: &'a Option<subst::Format>| match format {
            Some(format) => Then::Write(format),
            None if omits => Then::Omit,
            None => Then::Stop,
        };
        // The program of glibc says nothing about a text that ends in a shifted state.
        Transcoder::new(from, to)
            .ending_shifted()
            .on_error(Decoding::new(self.from, Options::new(then(&args.byte_subst))))
            .on_unmappable(Unmappables::new(self.to, self.locale, Options::new(then(&args.unicode_subst))))
    }

    /// Converts all inputs. Omissions on request do not keep an old output file. A new output file holds the text
    /// before an error, as in glibc.
    fn run(mut self, paths: &[PathBuf]) -> Outcome {
        let mut failed = false;
        let outcome = self.files(paths, &mut failed);
        if failed && self.sink.replaces() {
            if let Some(path) = self.args.output.as_deref() {
                self.help(path, "left as it was");
            }
            return outcome;
        }
        let Self { sink, common, args, .. } = self;
        let name = args.output.as_deref().map_or_else(Name::stdout, Name::new);
        match sink.put(&mut |what| say(common, format_args!("{name}: {what}"))) {
            Ok(()) => outcome,
            Err(Unwritten::NotOpened(e) | Unwritten::NotWritten(e)) => {
                say(common, format_args!("unable to write output: {}", words(&e)));
                Outcome::Findings
            }
        }
    }

    /// Converts the files. `failed` reports an error.
    fn files(&mut self, paths: &[PathBuf], failed: &mut bool) -> Outcome {
        let mut worst = Outcome::Clean;
        for path in paths {
            if self.args.verbose && !self.args.files.is_empty() {
                self.common.line(format_args!("{}:", escaped(path.as_os_str())));
            }
            let opened = if streams::is_stdin(path) { streams::stdin_file() } else { File::open(path) };
            let file = match opened {
                Ok(file) => file,
                Err(e) => {
                    let name = escaped(path.as_os_str());
                    say(self.common, format_args!("cannot open input file `{name}': {}", words(&e)));
                    worst = Outcome::Findings;
                    *failed = true;
                    continue;
                }
            };
            let before = self.written;
            match self.file(file) {
                Ok(omitted) => {
                    let Some(first) = omitted else { continue };
                    if !self.args.omit {
                        say(self.common, format_args!("illegal input sequence at position {first}"));
                        self.help(path, "dropped, as //IGNORE asks; -c drops it with status 0");
                        worst = Outcome::Findings;
                    } else if self.written == before {
                        // Nothing is left to do or to report.
                        worst = Outcome::Findings;
                    }
                }
                Err(stopped) => {
                    *failed = true;
                    return worst.max(self.stopped(path, &stopped));
                }
            }
        }
        worst
    }

    /// Converts one input. Returns the offset of the first omission, if any.
    fn file(&mut self, mut file: File) -> Result<Option<u64>, Stopped> {
        // The first bytes together tell the byte order.
        let mut len = 0;
        while len < HEAD {
            match read(&mut file, &mut self.input[len..]).map_err(Stopped::Unreadable)? {
                0 => break,
                more => len += more,
            }
        }
        let mut conversion = self.conversion(&self.input[..len]);
        // An empty input yields no output, not even a signature.
        while len > 0 {
            self.piece(&mut conversion, len, false)?;
            len = read(&mut file, &mut self.input).map_err(Stopped::Unreadable)?;
            if len == 0 {
                self.piece(&mut conversion, 0, true)?;
            }
        }
        Ok(conversion.omitted())
    }

    /// Converts the first `len` bytes of the buffer, or up to where they are refused.
    fn piece(&mut self, conversion: &mut Conversion<'_>, len: usize, last: bool) -> Result<(), Stopped> {
        let way = Way { output: &mut self.output, sink: &mut self.sink, written: &mut self.written };
        conversion.piece(&self.input[..len], last, &mut self.middle, way)
    }

    /// Reports the reason to stop.
    fn stopped(&self, path: &Path, stopped: &Stopped) -> Outcome {
        match stopped {
            Stopped::IllFormed(e) if e.is_incomplete() => {
                say(self.common, "incomplete character or shift sequence at end of buffer");
                self.help(path, e);
            }
            Stopped::IllFormed(e) => {
                say(self.common, format_args!("illegal input sequence at position {}", e.offset()));
                self.help(path, e);
            }
            Stopped::Unmappable(e, offset) => {
                say(self.common, format_args!("illegal input sequence at position {offset}"));
                let name = e.code_point().to_char().and_then(names::name);
                let name = name.map(|name| format!(" {name}")).unwrap_or_default();
                let to = self.to.encoding;
                self.help(
                    path,
                    format_args!("{to} cannot represent {}{name}; see //TRANSLIT and -c", e.code_point()),
                );
            }
            Stopped::Unreadable(e) => {
                say(self.common, format_args!("error while reading the input: {}", words(e)));
            }
            Stopped::Unwritten(Unwritten::NotOpened(e)) => {
                say(self.common, format_args!("cannot open output file: {}", words(e)));
            }
            Stopped::Unwritten(Unwritten::NotWritten(e)) if e.kind() == ErrorKind::BrokenPipe => {
                return Outcome::Cut;
            }
            Stopped::Unwritten(Unwritten::NotWritten(e)) => {
                say(self.common, format_args!("unable to write output: {}", words(e)));
            }
        }
        Outcome::Findings
    }

    /// Prints a second line: where and why.
    fn help(&self, path: &Path, why: impl core::fmt::Display) {
        if !self.args.silent {
            let name: Name = input::name_of(path);
            say(self.common, format_args!("{name}: {why}"));
        }
    }
}

/// Returns the system's message for a failed operation.
pub(crate) fn words(e: &io::Error) -> String {
    let words = e.to_string();
    match words.find(" (os error ") {
        Some(end) => words[..end].to_owned(),
        None => words,
    }
}

fn read(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
