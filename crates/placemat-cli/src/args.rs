//! What the command line looks like as a whole, and the options that several commands share.

use crate::cmd::{check, completions, convert, count, encodings, inspect, man};
use anstream::ColorChoice;
use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Parser, Subcommand, ValueEnum};
use core::fmt;
use placemat::{Encoding, Span};
use std::ffi::{OsStr, OsString};

/// Check, convert, inspect and count text in UTF-8 and its relatives.
#[derive(Parser, Debug)]
#[command(
    name = "placemat",
    version,
    propagate_version = false,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_help = "Exit status: 0 clean or done as asked; 1 something was found, or the input was refused; \
                  2 usage, files, unknown encoding.",
    after_long_help = "\
Examples:
  placemat check notes.txt                       is it well-formed UTF-8, and if not, why?
  placemat convert -f utf-16 report.txt          to UTF-8
  placemat convert -f latin1 -t utf-16le a.txt   from one encoding to another
  placemat inspect --text 'é'                    bytes, code points, names
  placemat encodings                             all encodings and what each can hold

No FILE, or -, is standard input. Data goes to standard output, everything said about it to standard error.

Exit status:
  0  clean, or done as asked
  1  something was found, or the input was refused
  2  usage, files, unknown encoding"
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands, in the order in which the help lists them.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Check(check::Args),
    Convert(convert::Args),
    Inspect(inspect::Args),
    Count(count::Args),
    Encodings(encodings::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// What every command takes.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Global {
    /// Say nothing on standard error; the exit status tells
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

/// `-v`.
#[derive(clap::Args, Debug)]
#[group(skip)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Verbose {
    /// Say more
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// `--format`, for commands whose report is the data.
#[derive(clap::Args, Debug)]
#[group(skip)]
pub(crate) struct FormatArg {
    /// The form of the report
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Report")]
    pub(crate) format: Format,
}

#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: one JSON object a line
    Jsonl,
}

/// A value that was refused, and why, in words that need nothing around them.
#[derive(Debug)]
pub(crate) struct Refused(String);

impl Refused {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Refused {}

/// The value parser of encodings: `#[arg(value_parser = EncodingParser)] from: Encoding`. Any label is taken; the names
/// are offered to completion.
#[derive(Clone, Debug)]
pub(crate) struct EncodingParser;

impl TypedValueParser for EncodingParser {
    type Value = Encoding;

    fn parse_ref(
        &self,
        cmd: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Encoding, clap::Error> {
        parse_encoding.parse_ref(cmd, arg, &OsString::from(value.to_string_lossy().as_ref()))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(
            Encoding::ALL.iter().map(|encoding| PossibleValue::new(encoding.name().to_ascii_lowercase())),
        ))
    }
}

/// The encoding of a label, or a suggestion.
fn parse_encoding(label: &str) -> Result<Encoding, Refused> {
    Encoding::for_label(label).ok_or_else(|| {
        let shown = crate::output::escaped(label.as_ref());
        Refused(match similar(label) {
            Some(near) => format!("unknown encoding \"{shown}\" (did you mean {near}?)"),
            None => format!("unknown encoding \"{shown}\" (`placemat encodings` lists them)"),
        })
    })
}

/// The name or label most like `label`, lower case, if there is one that could have been meant.
fn similar(label: &str) -> Option<String> {
    let label = label.trim().to_ascii_lowercase();
    if label.len() > 64 {
        return None;
    }
    let mut best: Option<(f64, String)> = None;
    for encoding in Encoding::ALL {
        let names = encoding.names();
        let name = names.name.to_ascii_lowercase();
        for known in core::iter::once(name.as_str()).chain(names.labels.iter().copied()) {
            let score = strsim::jaro_winkler(known, &label);
            if score >= 0.8 && best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, name.clone()));
            }
        }
    }
    best.map(|(_, name)| name)
}

/// `--span`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SpanArg {
    /// The longest prefix of a well-formed sequence, or one byte: what Unicode recommends and browsers do
    #[default]
    Maximal,
    /// One unit, as in Go
    Byte,
    /// As many bytes as the lead byte announces, whatever they are
    Lead,
    /// The lead byte and the continuation bytes that follow it, as in Perl
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
    /// On terminals; `NO_COLOR` and `CLICOLOR_FORCE` are heeded
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

/// The value of `--color` in arguments that need not be right, for messages about them.
pub(crate) fn color_asked_for(args: impl Iterator<Item = OsString>) -> ColorChoice {
    let mut choice = Color::Auto;
    let mut next_is_it = false;
    for arg in args {
        let arg = arg.to_string_lossy();
        let word = if next_is_it { Some(&*arg) } else { arg.strip_prefix("--color=") };
        if let Some(known) = word.and_then(|word| Color::from_str(word, false).ok()) {
            choice = known;
        }
        next_is_it = arg == "--color";
    }
    choice.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn definitions_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn suggestions() {
        for (label, near) in
            [("utf9", "utf-8"), ("uft-16", "utf-16"), ("iso8859-11", "iso-8859-1"), ("lattin1", "iso-8859-1")]
        {
            assert_eq!(similar(label).as_deref(), Some(near), "{label}");
        }
        assert_eq!(similar("zzzz"), None);
        assert_eq!(similar(""), None);
    }
}
