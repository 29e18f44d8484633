//! What goes out: data to standard output, fast and quiet about closed pipes; words to standard error, with nothing in
//! them that a terminal would obey.

use crate::cmd::{Common, Outcome};
use crate::progress;
use crate::streams::{self, Stream};
use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::builder::Styles;
use core::fmt::{self, Write as _};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, IsTerminal as _, Write};

/// How much [`Data`] gathers before it writes.
const BUFFER: usize = 64 * 1024;

/// Standard output for data: buffered in large pieces, whatever is at the other end.
///
/// `std::io::Stdout` writes line by line, which costs a system call a line.
#[derive(Debug)]
pub(crate) struct Data(io::BufWriter<Out>);

/// Standard output, where there may be a line about progress in the way.
#[derive(Debug)]
struct Out {
    /// `None` if it is closed, which matters only where there is something to write.
    file: Option<File>,
    terminal: bool,
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(file) = &mut self.file else { return streams::check(Stream::Output).map(|()| bytes.len()) };
        if self.terminal { progress::aside(|| file.write(bytes)) } else { file.write(bytes) }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Data {
    /// Standard output.
    pub(crate) fn stdout() -> io::Result<Self> {
        let is_closed = streams::check(Stream::Output).is_err();
        let file = if is_closed { None } else { Some(stdout_file()?) };
        let terminal = file.as_ref().is_some_and(File::is_terminal);
        Ok(Self(io::BufWriter::with_capacity(BUFFER, Out { file, terminal })))
    }
}

impl Write for Data {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard output as an unbuffered file.
#[cfg(not(windows))]
pub(crate) fn stdout_file() -> io::Result<File> {
    use std::os::fd::AsFd;
    streams::check(Stream::Output)?;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// Standard output as an unbuffered file.
#[cfg(windows)]
pub(crate) fn stdout_file() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

/// The name of an input or output as messages show it: escaped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name(OsString);

impl Name {
    pub(crate) fn new(name: impl Into<OsString>) -> Self {
        Self(name.into())
    }
    pub(crate) fn stdin() -> Self {
        Self("<stdin>".into())
    }
    pub(crate) fn stdout() -> Self {
        Self("<stdout>".into())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nothing would be shown of nothing.
        if self.0.is_empty() { f.write_str("\"\"") } else { escaped(&self.0).fmt(f) }
    }
}

/// Text of unknown origin, fit for a terminal: see [`Escaped`].
pub(crate) fn escaped(text: &OsStr) -> Escaped<'_> {
    Escaped(text.as_encoded_bytes())
}

/// Shows bytes as text, with everything escaped that a terminal would obey or a reader could not see: controls as
/// `\x1b`, bidi controls, line separators and invisible format characters as `\u{202e}`, ill-formed bytes as `\xff`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Escaped<'a>(&'a [u8]);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                match c {
                    '\0'..='\x1F' | '\x7F'..='\u{9F}' => write!(f, "\\x{:02x}", u32::from(c))?,
                    _ if is_plain(c) => f.write_char(c)?,
                    _ => write!(f, "\\u{{{:04x}}}", u32::from(c))?,
                }
            }
            for byte in chunk.invalid() {
                write!(f, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

/// Whether a terminal shows a character and nothing else happens.
pub(crate) fn is_plain(c: char) -> bool {
    let is_noncharacter = matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    !(is_noncharacter
        || c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'))
}

/// Why an operation on a file failed, in the words of the system without its error number.
pub(crate) fn reason(e: &io::Error) -> String {
    let words = match e.kind() {
        io::ErrorKind::NotFound => "no such file or directory".into(),
        io::ErrorKind::IsADirectory => "is a directory".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::StorageFull => "no space left on device".into(),
        io::ErrorKind::FileTooLarge => "file too large".into(),
        _ if is_not_open(e) => "is not open".into(),
        _ => e.to_string(),
    };
    match words.find(" (os error ") {
        Some(end) => words[..end].to_owned(),
        None => words,
    }
}

/// Whether a standard stream is closed, or open for something else.
#[cfg(unix)]
fn is_not_open(e: &io::Error) -> bool {
    e.raw_os_error() == Some(rustix::io::Errno::BADF.raw_os_error())
}
#[cfg(not(unix))]
fn is_not_open(_: &io::Error) -> bool {
    false
}

/// The styles of messages and reports; all plain where the stream takes none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Palette {
    /// What went wrong.
    pub(crate) error: Style,
    /// What may be wrong.
    pub(crate) warning: Style,
    /// Where: file, line, column.
    pub(crate) place: Style,
    /// What a thing is called; a heading.
    pub(crate) name: Style,
    /// What is beside the point.
    pub(crate) dim: Style,
}

impl Palette {
    /// The same for what clap writes: the help, and what is wrong with arguments.
    pub(crate) const HELP: Styles = Styles::plain()
        .header(Self::COLORED.name)
        .usage(Self::COLORED.name)
        .literal(Self::COLORED.place)
        .placeholder(Self::COLORED.place)
        .error(Self::COLORED.error)
        .valid(Self::COLORED.place)
        .invalid(Self::COLORED.warning);

    /// The styles for a stream, by `--color`, `NO_COLOR`, `CLICOLOR_FORCE` and whether it is a terminal.
    pub(crate) fn for_stream(choice: ColorChoice, stream: &impl RawStream) -> Self {
        if takes_colors(choice, stream) { Self::COLORED } else { Self::default() }
    }

    const COLORED: Self = Self {
        error: AnsiColor::Red.on_default().bold(),
        warning: AnsiColor::Yellow.on_default().bold(),
        place: AnsiColor::Cyan.on_default(),
        name: Style::new().bold(),
        dim: Style::new().dimmed(),
    };
}

/// Whether a stream takes colours, by `--color`, `NO_COLOR`, `CLICOLOR_FORCE` and whether it is a terminal.
fn takes_colors(choice: ColorChoice, stream: &impl RawStream) -> bool {
    match choice {
        // Which forces nothing, but counts as set there.
        ColorChoice::Auto if std::env::var_os("CLICOLOR_FORCE").is_some_and(|value| value == "0") => {
            stream.is_terminal()
                && !anstyle_query::no_color()
                && anstyle_query::clicolor().unwrap_or_else(anstyle_query::term_supports_color)
        }
        ColorChoice::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        ColorChoice::Always | ColorChoice::AlwaysAnsi => true,
        ColorChoice::Never => false,
    }
}

/// Writes the help that was asked for.
pub(crate) fn help(e: &clap::Error, common: &Common) -> Outcome {
    let text = e.render();
    let colored = takes_colors(common.color, &io::stdout());
    let text = if colored { headed(&text.ansi().to_string()) } else { text.to_string() };
    common.written(Data::stdout().and_then(|mut data| {
        data.write_all(text.as_bytes())?;
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

/// Gives the headings within the text behind the options the style of those before it.
fn headed(help: &str) -> String {
    let style = Palette::COLORED.name;
    let line = |line: &str| {
        let is_heading = line.starts_with(|c: char| c.is_ascii_uppercase()) && line.trim_end().ends_with(':');
        if is_heading { format!("{style}{}{style:#}\n", line.trim_end()) } else { line.to_owned() }
    };
    help.split_inclusive('\n').map(line).collect()
}

/// Says what is wrong with the arguments. They are repeated in it, so an escape among them costs the colours.
pub(crate) fn usage_error(e: &clap::Error, common: &Common) {
    // Messages start with the name of the program, as all others do.
    let named = |text: String| text.replacen("error:", "placemat:", 1);
    let text = e.render();
    let harmless =
        std::env::args_os().all(|arg| escaped(&arg).to_string().as_bytes() == arg.as_encoded_bytes());
    if harmless && takes_colors(common.color, &io::stderr()) {
        common.line(named(text.ansi().to_string()).trim_end());
    } else {
        let lines: Vec<_> = named(text.to_string())
            .trim_end()
            .lines()
            .map(|line| escaped(line.as_ref()).to_string())
            .collect();
        common.line(lines.join("\n"));
    }
}
