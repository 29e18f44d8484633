//! The requested help, and errors in arguments, both from clap; and the hint of a command line without a command.

mod layout;

pub(crate) use layout::{WIDTH, arranged, arranged_program};

use crate::common::Common;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::palette::{Palette, takes_colors};
use crate::shown::escaped;
use anstyle::Style;
use std::io::{self, Write as _};

/// Writes the requested help.
pub(crate) fn asked_for(e: &clap::Error, common: &Common) -> Outcome {
    let text = e.render();
    let colored = takes_colors(common.color, &io::stdout());
    let text = if colored { headed(&text.ansi().to_string()) } else { text.to_string() };
    common.written(Data::stdout().and_then(|mut data| {
        data.write_all(text.as_bytes())?;
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

/// The jobs that most people want, in the order of the commands.
const JOBS: [[&str; 2]; 10] = [
    ["check -v notes.txt", "is it well-formed UTF-8? if not, why?"],
    ["detect old.txt", "which encoding is it?"],
    ["convert -f cp1252 old.txt", "convert text to UTF-8"],
    ["repair damaged.txt", "restore text such as cafÃ©"],
    ["edit -f cp1252 old.txt -- sort", "run a filter; keep the encoding"],
    ["inspect --text 'é'", "show bytes, bits and names"],
    ["count --graphemes notes.txt", "how many characters do readers see?"],
    ["truncate -c 255 title.txt", "cut text between characters"],
    ["encodings --search turkish", "find encodings"],
    ["iconv -f latin1 -t utf-8 a.txt", "do what iconv does"],
];

/// The lines of the jobs, with this style for the commands.
fn jobs(style: Style) -> String {
    let line = |[command, job]: [&str; 2]| format!("  placemat {style}{command:<31}{style:#} {job}\n");
    JOBS.map(line).concat()
}

/// The notes of the program: the jobs as examples, and the rules of all commands.
pub(crate) fn notes() -> String {
    format!("Examples:\n{}\n{RULES}", jobs(Style::new()))
}

/// The rules of all commands.
const RULES: &str = "\
Without a FILE, or if FILE is -, the program reads standard input. It writes data to standard output and messages to \
standard error.

Exit status:
  0  clean, or done as asked
  1  findings, or the input was refused
  2  a usage or I/O error, an unknown encoding, or a standard stream that is not
     open
Called by the name of iconv, uchardet, file (-i), isutf8, dos2unix, unix2dos, mac2unix, native2ascii, recode or convmv, for example by a link, \
the program acts as that program; --help then lists the options.

If the reader of the output closes the pipe, the program stops without a message: with status 1 or 2 if it had a reason \
for one, else by SIGPIPE, as cat and grep do (status 141 in a shell).";

/// Prints what to ask for. A script whose command is missing did nothing, so this is an error, as in git, and goes to
/// standard error; in cargo it is none.
pub(crate) fn hint(common: &Common) {
    let jobs = jobs(common.message_styles().place);
    common.line(format_args!(
        "Usage: placemat <COMMAND> [OPTIONS] [FILE]...\n\n{jobs}\n\
         placemat --help lists all commands; -h after a command lists its options."
    ));
}

/// Gives the headings in the text after the options the style of the other headings.
fn headed(help: &str) -> String {
    let style = Palette::COLORED.name;
    let line = |line: &str| {
        let is_heading = line.starts_with(|c: char| c.is_ascii_uppercase()) && line.trim_end().ends_with(':');
        if is_heading { format!("{style}{}{style:#}\n", line.trim_end()) } else { line.to_owned() }
    };
    help.split_inclusive('\n').map(line).collect()
}

/// Returns the message of an error in the arguments, escaped, without the usage after it.
pub(crate) fn first_line(e: &clap::Error) -> String {
    let text = e.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    escaped(line.strip_prefix("error: ").unwrap_or(line).as_ref()).to_string()
}

/// Reports an error in the arguments. The message repeats the arguments, so it has no colors if they contain an
/// escape.
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
