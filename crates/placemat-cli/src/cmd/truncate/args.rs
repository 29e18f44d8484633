//! The options of `placemat truncate`.

use crate::names::NamesArgs;
use crate::options::{FromArg, parse_number};
use clap::ValueEnum;
use placemat::ErrorPolicy;
use std::path::PathBuf;

/// Cut text to a length, between characters
///
/// The command writes the longest beginning of each text that has at most N bytes, code points, grapheme clusters or UTF-16
/// units, in the encoding of the input. It never cuts a code point in two, so the output is always well-formed; with
/// --graphemes, it never cuts a grapheme cluster either. It stops reading where it cuts the text, and needs little memory
/// for any input.
///
/// Ill-formed input before the cut stops the command with an exact message, unless --errors says otherwise. The command does
/// not check the text after the cut.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("limit").required(true).args(["bytes", "chars", "graphemes", "utf16"]))]
#[command(override_usage = "placemat truncate <-c|-m|--graphemes|--utf16> <N> [OPTIONS] [FILE]...")]
#[command(after_long_help = "\
Examples:
  placemat truncate -c 255 title.txt                  a file name of 255 bytes
  placemat truncate -m 20 --ellipsis … title.txt      20 code points, and a mark
  placemat truncate --graphemes 10 names.txt          10 visible characters
  placemat truncate -l -c 64 names.txt                each line to 64 bytes
  placemat truncate -f utf-16 --utf16 100 report.txt  100 UTF-16 units

Bytes are those of the output. A signature (BOM) that belongs to the encoding, as in utf-16, counts as bytes; any other \
does not. In encodings with shifts, such as ISO-2022-JP, the bytes that end the last shift count too.")]
pub(crate) struct Args {
    /// Files, each cut by itself; standard input if none, or for `-`
    #[arg(value_name = "FILE", value_parser = crate::options::any_path())]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) limit: LimitArgs,
    /// Cut each line by itself, and keep all line ends
    ///
    /// Line ends are LF and CR LF.
    #[arg(short, long)]
    pub(super) lines: bool,
    /// Write TEXT after a cut; it counts toward the limit
    #[arg(long, value_name = "TEXT")]
    pub(super) ellipsis: Option<String>,
    #[command(flatten)]
    pub(super) from: FromArg,
    /// For ill-formed input: `strict`, `replace`, …
    ///
    /// The default is strict.
    #[arg(short, long, value_name = "POLICY", value_enum, default_value_t, hide_default_value = true)]
    pub(super) errors: Errors,
    #[command(flatten)]
    pub(super) names: NamesArgs,
}

/// The limit, in one of the units.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(skip)]
pub(super) struct LimitArgs {
    /// Keep at most N bytes
    #[arg(short = 'c', long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| parse_number("--bytes", text))]
    bytes: Option<u64>,
    /// Keep at most N code points
    #[arg(short = 'm', long, visible_alias = "code-points", value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| parse_number("--chars", text))]
    chars: Option<u64>,
    /// Keep at most N characters that a reader sees
    ///
    /// These are grapheme clusters (UAX #29).
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| parse_number("--graphemes", text))]
    graphemes: Option<u64>,
    /// Keep at most N UTF-16 units, as JavaScript counts
    ///
    /// Java and C# count in the same unit.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| parse_number("--utf16", text))]
    utf16: Option<u64>,
}

/// The unit of a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Bytes,
    CodePoints,
    Graphemes,
    Utf16,
}

impl Unit {
    /// Returns the unit in messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::CodePoints => "code points",
            Self::Graphemes => "grapheme clusters",
            Self::Utf16 => "UTF-16 units",
        }
    }
}

impl LimitArgs {
    /// Returns the number and its unit. The parser sees to it that there is one.
    pub(super) fn chosen(self) -> (u64, Unit) {
        let Self { bytes, chars, graphemes, utf16 } = self;
        let all = [
            (bytes, Unit::Bytes),
            (chars, Unit::CodePoints),
            (graphemes, Unit::Graphemes),
            (utf16, Unit::Utf16),
        ];
        let given = all.into_iter().find_map(|(limit, unit)| Some((limit?, unit)));
        given.unwrap_or((u64::MAX, Unit::Bytes))
    }
}

/// `--errors`: the words of `convert` whose replacement is text.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[value(rename_all = "lower")]
pub(super) enum Errors {
    /// Stop with a message that says where and why
    #[default]
    Strict,
    /// Insert U+FFFD, or ? if the encoding cannot represent that
    Replace,
    /// Insert ?
    Question,
    /// Drop it; dangerous, because it joins the text on both sides
    Ignore,
    /// Read the bytes as ISO-8859-1
    Latin1,
    /// Read the bytes as windows-1252
    Cp1252,
    /// Write \xHH for each byte
    BackslashReplace,
}

impl From<Errors> for ErrorPolicy<'static> {
    fn from(word: Errors) -> Self {
        match word {
            Errors::Strict => Self::Stop,
            Errors::Replace => Self::Replace,
            Errors::Question => Self::ReplaceWith(placemat::Replacement::QUESTION),
            Errors::Ignore => Self::Skip,
            Errors::Latin1 => Self::Latin1,
            Errors::Cp1252 => Self::Windows1252,
            Errors::BackslashReplace => Self::HexEscape,
        }
    }
}
