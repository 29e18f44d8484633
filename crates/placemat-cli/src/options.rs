//! Options that several commands share.

mod encoding;
mod in_place;
mod typed;

pub(crate) use encoding::{
    ENCODING, Given, MEANING, Offering, OrAuto, meaning_names, parse_encoding, parse_meaning,
};
pub(crate) use in_place::InPlace;

use crate::ebcdic::EbcdicNewline;
use crate::refused::Refused;
use crate::shown::escaped;
use anstream::ColorChoice;
use clap::ValueEnum;
use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};
use core::num::NonZero;
use placemat::{Encoding, Isa, Span};
use std::ffi::OsString;
use std::path::PathBuf;

/// The options of every command.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Global {
    /// Print no messages, not even errors; the exit status reports the outcome
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// When to use colors
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// Use this level of vector instructions instead of the best one of this machine
    #[arg(long, global = true, value_name = "LEVEL", value_parser = ISA, help_heading = "Machine")]
    pub(crate) isa: Option<Isa>,
}

/// Returns a path; an empty one is accepted, and names no file.
pub(crate) fn any_path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// `-v`.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(skip)]
pub(crate) struct Verbose {
    /// Show more detail
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// `-f`, for commands in which configuration files can declare the encoding.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(skip)]
pub(crate) struct FromArg {
    /// The encoding of the input; `auto` detects it
    ///
    /// The default is UTF-8, unless .gitattributes or .editorconfig declares another encoding.
    #[arg(short, long, value_name = "ENCODING", value_parser = OrAuto(ENCODING), hide_possible_values = true)]
    pub(crate) from: Option<Given>,
    /// Do not read .gitattributes and .editorconfig
    #[arg(long, help_heading = "Input")]
    pub(crate) no_config: bool,
    #[command(flatten)]
    pub(crate) newline: EbcdicNewline,
}

impl FromArg {
    /// Returns the named encoding.
    pub(crate) fn named(self) -> Option<Encoding> {
        self.from.and_then(Given::named).map(|encoding| self.newline.of(encoding))
    }

    /// Returns an error if the options contradict each other.
    pub(crate) fn check(self) -> Result<(), &'static str> {
        self.newline.check([self.named()])
    }
}

/// `--threads`.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(skip)]
pub(crate) struct Threads {
    /// Use N threads; 0 means one per core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| parse_number("--threads", text), help_heading = "Machine")]
    threads: u64,
}

impl Threads {
    /// Returns the number of threads, at least one, beside `others` busy programs.
    pub(crate) fn beside(self, others: usize) -> usize {
        match usize::try_from(self.threads).unwrap_or(MAX_THREADS) {
            0 => std::thread::available_parallelism().map_or(1, NonZero::get).saturating_sub(others).max(1),
            threads => threads.min(MAX_THREADS),
        }
    }
}

/// More threads do not help.
const MAX_THREADS: usize = 256;

/// `--format`, for commands whose report is the data.
#[derive(clap::Args, Debug)]
#[group(skip)]
pub(crate) struct FormatArg {
    /// Report as text or jsonl (JSON Lines)
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, hide_default_value = true)]
    pub(crate) format: Format,
}

#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// Plain text
    #[default]
    Text,
    /// JSON Lines: one JSON object per line
    Jsonl,
}

/// The value parser of `--isa`: a level by name.
const ISA: Offering<Isa> = Offering {
    parse: parse_isa,
    names: || Isa::ALL.into_iter().map(|isa| PossibleValue::new(isa.name())).collect(),
};

/// Returns a level that this machine can run.
fn parse_isa(name: &str) -> Result<Isa, Refused> {
    let refused = |e| Refused::new(format!("--isa \"{}\": {e}", escaped(name.as_ref())));
    let isa: Isa = name.to_ascii_lowercase().parse().map_err(refused)?;
    if isa.is_available() { Ok(isa) } else { isa.select().map(|()| isa).map_err(refused) }
}

/// Returns the value parser of numbers; `option` is named in error messages.
pub(crate) fn parse_number(option: &str, text: &str) -> Result<u64, Refused> {
    text.parse().map_err(|e: core::num::ParseIntError| {
        let shown = escaped(text.as_ref());
        Refused::new(if *e.kind() == core::num::IntErrorKind::PosOverflow {
            format!("{option} takes a number up to {}, and not {shown}", u64::MAX)
        } else {
            format!("{option} takes a whole number, such as 10, and not \"{shown}\"")
        })
    })
}

/// `--span`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SpanArg {
    /// The longest prefix of a well-formed sequence, else one byte, as Unicode recommends and browsers do
    #[default]
    Maximal,
    /// One code unit, as in Go
    Byte,
    /// All bytes that the lead byte announces, of any value
    Lead,
    /// The lead byte and the continuation bytes after it, as in Perl
    Structural,
}

impl From<SpanArg> for Span {
    fn from(arg: SpanArg) -> Self {
        match arg {
            SpanArg::Maximal => Self::Maximal,
            SpanArg::Byte => Self::Unit,
            SpanArg::Lead => Self::Lead,
            SpanArg::Structural => Self::Structural,
        }
    }
}

/// `--color`.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` or `CLICOLOR_FORCE` says otherwise
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

/// Returns `true` if `-q` is among arguments that may be wrong, so that no message is printed about them.
pub(crate) fn quiet_asked_for(args: impl Iterator<Item = OsString>) -> bool {
    // The rest of a bundle may be the value of an option, so only options without a value are skipped.
    let bundled = |flags: &str| flags.trim_start_matches(['a', 'l', 'v']).starts_with('q');
    args.take_while(|arg| arg != "--").any(|arg| {
        let arg = arg.to_string_lossy();
        arg == "--quiet" || arg.strip_prefix('-').is_some_and(bundled)
    })
}

/// Returns the value of `--color` in arguments that may be wrong, for messages about them.
pub(crate) fn color_asked_for(args: impl Iterator<Item = OsString>) -> ColorChoice {
    let mut choice = Color::Auto;
    let mut next_is_it = false;
    for arg in args {
        let arg = arg.to_string_lossy();
        let word = if next_is_it { Some(&*arg) } else { arg.strip_prefix("--color=") };
        if let Some(known) = word.and_then(|word| Color::from_str(word, true).ok()) {
            choice = known;
        }
        next_is_it = arg == "--color";
    }
    choice.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_is_found_among_wrong_arguments() {
        let asked = |args: &str| quiet_asked_for(args.split(' ').map(OsString::from));
        for args in ["-q", "--quiet", "check -vq", "check -lqv x", "convert -q -f utf9"] {
            assert!(asked(args), "{args}");
        }
        for args in ["", "q", "-- -q", "-fq", "--q", "check -v q"] {
            assert!(!asked(args), "{args}");
        }
    }
}
