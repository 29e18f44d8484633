//! What the command line looks like as a whole, and the options that several commands share.

mod suffix;

pub(crate) use suffix::attached;

use crate::cmd::{check, completions, convert, count, encodings, iconv, inspect, man};
use crate::output::Palette;
use anstream::ColorChoice;
use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, ValueEnum};
use core::fmt;
use core::num::NonZero;
use placemat::{Encoding, Isa, Span};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// Check, convert, inspect and count text in UTF-8 and its relatives.
#[derive(Parser, Debug)]
#[command(
    name = "placemat",
    version,
    long_version = long_version(),
    propagate_version = false,
    args_override_self = true,
    max_term_width = 100,
    styles = Palette::HELP,
    after_help = "Exit status: 0 clean or done as asked; 1 something was found, or the input was refused; \
                  2 usage, files, unknown encoding.",
    after_long_help = "\
Examples:
  placemat check notes.txt                       is it well-formed UTF-8, and if not, why?
  placemat convert -f utf-16 report.txt          to UTF-8
  placemat convert -f latin1 -t utf-16le a.txt   from one encoding to another
  placemat inspect --text 'é'                    bytes, code points, names
  placemat encodings                             all encodings and what each can hold
  placemat iconv -f latin1 -t utf-8 a.txt        as iconv, also when called so

No FILE, or -, is standard input. Data goes to standard output, everything said about it to standard error.

Exit status:
  0  clean, or done as asked
  1  something was found, or the input was refused
  2  usage, files, unknown encoding, a stream that is not open
Whoever closes the pipe that is written to ends the program quietly: with 1 or 2 if there was reason for it until then, \
else by SIGPIPE, as cat and grep end (141 in a shell)."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// From the arguments of the program. Words to choose from may be written in upper case, whichever option they are for.
    pub(crate) fn from_line(line: Vec<OsString>) -> Result<Self, clap::Error> {
        let mut command = any_case(Self::command());
        let mut matches = command.try_get_matches_from_mut(line)?;
        Self::from_arg_matches_mut(&mut matches).map_err(|e| e.format(&mut command))
    }
}

/// The command and those below it, with options that take their values in upper and lower case.
fn any_case(command: clap::Command) -> clap::Command {
    let take_values = |arg: clap::Arg| {
        let takes = arg.get_action().takes_values();
        arg.ignore_case(takes)
    };
    command.mut_args(take_values).mut_subcommands(any_case)
}

/// The commands, in the order in which the help lists them.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Check(check::Args),
    Convert(convert::Args),
    Inspect(inspect::Args),
    Count(count::Args),
    Encodings(encodings::Args),
    Iconv(Box<iconv::Args>),
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
    /// Use these vector instructions instead of the best that the machine has
    #[arg(long, global = true, value_name = "LEVEL", value_parser = IsaParser, help_heading = "Machine")]
    pub(crate) isa: Option<Isa>,
}

/// A path, also an empty one, which is that of no file.
pub(crate) fn any_path() -> impl TypedValueParser<Value = PathBuf> {
    OsStringValueParser::new().map(PathBuf::from)
}

/// `-v`.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(skip)]
#[command(next_help_heading = "Messages")]
pub(crate) struct Verbose {
    /// Say more
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// `-f`, where the files around a file can say its encoding.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(skip)]
pub(crate) struct FromArg {
    /// The encoding to read [default: what .gitattributes or .editorconfig say, else utf-8]
    #[arg(short, long, value_name = "ENCODING", value_parser = EncodingParser, hide_possible_values = true)]
    pub(crate) from: Option<Encoding>,
    /// Leave .gitattributes and .editorconfig unread
    #[arg(long)]
    pub(crate) no_config: bool,
}

/// `--threads`.
#[derive(clap::Args, Clone, Copy, Debug)]
#[group(skip)]
pub(crate) struct Threads {
    /// How many threads may work; 0 for as many as there are cores
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| parse_number("--threads", text), help_heading = "Machine")]
    threads: u64,
}

impl Threads {
    /// How many, at least one, where so many other programs have work to do.
    pub(crate) fn beside(self, others: usize) -> usize {
        match usize::try_from(self.threads).unwrap_or(MAX_THREADS) {
            0 => std::thread::available_parallelism().map_or(1, NonZero::get).saturating_sub(others).max(1),
            threads => threads.min(MAX_THREADS),
        }
    }
}

/// More are of no use to anyone.
const MAX_THREADS: usize = 256;

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

/// The value parser of `--isa`: a level by name, offered to completion.
#[derive(Clone, Debug)]
pub(crate) struct IsaParser;

impl TypedValueParser for IsaParser {
    type Value = Isa;

    fn parse_ref(
        &self,
        cmd: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Isa, clap::Error> {
        parse_isa.parse_ref(cmd, arg, &OsString::from(value.to_string_lossy().as_ref()))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Isa::ALL.into_iter().map(|isa| PossibleValue::new(isa.name()))))
    }
}

/// A level that this machine can run.
fn parse_isa(name: &str) -> Result<Isa, Refused> {
    let refused = |e| Refused(format!("--isa \"{}\": {e}", crate::output::escaped(name.as_ref())));
    let isa: Isa = name.to_ascii_lowercase().parse().map_err(refused)?;
    if isa.is_available() { Ok(isa) } else { isa.select().map(|()| isa).map_err(refused) }
}

/// What `--version` says after the version: what the program makes of this machine.
pub(crate) fn long_version() -> String {
    let levels: Vec<_> = Isa::available().map(Isa::name).collect();
    format!("{}\nlevels: {} (the last is used)", env!("CARGO_PKG_VERSION"), levels.join(" "))
}

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

/// The value parser of numbers; `option` is named in what is said of others.
pub(crate) fn parse_number(option: &str, text: &str) -> Result<u64, Refused> {
    text.parse().map_err(|e: core::num::ParseIntError| {
        let shown = crate::output::escaped(text.as_ref());
        Refused(if *e.kind() == core::num::IntErrorKind::PosOverflow {
            format!("{option} takes a number up to {}, and not {shown}", u64::MAX)
        } else {
            format!("{option} takes a whole number, such as 10, and not \"{shown}\"")
        })
    })
}

/// The encoding of a label, or a suggestion.
pub(crate) fn parse_encoding(label: &str) -> Result<Encoding, Refused> {
    Encoding::for_label(label).ok_or_else(|| {
        let shown = crate::output::escaped(label.as_ref());
        if is_mac(label) {
            return Refused(format!(
                "encoding \"{shown}\" is UTF-8 in a normal form: use utf-8 here (`placemat convert --normalize` changes \
                 the form)"
            ));
        }
        // Whoever asks for one of these means it: another one would be no help.
        if is_known_elsewhere(label) {
            return Refused(format!("encoding \"{shown}\" is not supported"));
        }
        Refused(match similar(label) {
            Some(near) => format!("unknown encoding \"{shown}\" (did you mean {near}?)"),
            None => format!("unknown encoding \"{shown}\" (`placemat encodings` lists them)"),
        })
    })
}

/// An encoding by a name that may ask for a normal form as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NamedForm {
    pub(crate) encoding: Encoding,
    /// It was called the UTF-8 of Apple's file systems.
    pub(crate) is_mac: bool,
}

/// Whether a label is that of UTF-8 as Apple's file systems write names: no encoding, but a form of the text in it.
fn is_mac(label: &str) -> bool {
    matches!(folded(label).as_str(), "utf8mac" | "utf8hfs")
}

fn parse_form(label: &str) -> Result<NamedForm, Refused> {
    if is_mac(label) {
        return Ok(NamedForm { encoding: Encoding::UTF_8, is_mac: true });
    }
    parse_encoding(label).map(|encoding| NamedForm { encoding, is_mac: false })
}

/// As [`EncodingParser`], where a normal form can be asked for too.
#[derive(Clone, Debug)]
pub(crate) struct FormParser;

impl TypedValueParser for FormParser {
    type Value = NamedForm;

    fn parse_ref(
        &self,
        cmd: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<NamedForm, clap::Error> {
        parse_form.parse_ref(cmd, arg, &OsString::from(value.to_string_lossy().as_ref()))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        // Of this the names are copied: the parser itself is no longer there when they are read.
        let names: Vec<_> = EncodingParser.possible_values()?.collect();
        Some(Box::new(names.into_iter().chain([PossibleValue::new("utf-8-mac")])))
    }
}

/// Letters and digits of a label, lower case.
fn folded(label: &str) -> String {
    label.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Encodings that others have, folded. Those with numbers are in [`NUMBERED`].
const KNOWN_ELSEWHERE: &[&str] = &[
    "big5eten", "ebcdic", "gsm0338", "iscii", "koi8e", "koi8f", "mulelao1", "nextstep", "oem", "optu16",
    "optu8", "tds565", "tscii", "wtf16",
];

/// What stands before a number in names of encodings.
const NUMBERED: &[&str] =
    &["ccsid", "codepage", "cp", "csibm", "dos", "ebcdiccp", "ibm", "isoir", "ms", "win", "windows"];

/// Whether a label is that of an encoding that is not among those here.
fn is_known_elsewhere(label: &str) -> bool {
    let label = folded(label);
    let plain = label.strip_prefix("cs").unwrap_or(&label);
    let plain = plain.strip_prefix('x').unwrap_or(plain);
    let numbered = |label: &str| {
        NUMBERED.iter().any(|prefix| {
            let Some(number) = label.strip_prefix(prefix) else { return false };
            // windows-31j
            let word = number.trim_start_matches(|c: char| c.is_ascii_digit());
            number.len() - word.len() >= 2 && word.len() <= 2
        }) || label.starts_with("iso2022")
    };
    [label.as_str(), plain].into_iter().any(|label| KNOWN_ELSEWHERE.contains(&label) || numbered(label))
}

/// The name of the encoding that `label` is a slip away from, lower case, if there is one.
fn similar(label: &str) -> Option<String> {
    let label = folded(label);
    // How many letters may be wrong, missing, added or swapped.
    let slips = match label.len() {
        3..=6 => 1,
        7..=64 => 2,
        _ => return None,
    };
    let mut best: Option<(usize, String)> = None;
    for encoding in Encoding::ALL {
        let names = encoding.names();
        for known in core::iter::once(&names.name).chain(names.labels) {
            let distance = strsim::osa_distance(&folded(known), &label);
            if distance <= slips && best.as_ref().is_none_or(|(least, _)| distance < *least) {
                best = Some((distance, names.name.to_ascii_lowercase()));
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

/// Whether `-q` is among arguments that need not be right, so that nothing is said about them.
pub(crate) fn quiet_asked_for(args: impl Iterator<Item = OsString>) -> bool {
    // What follows in a bundle may be the value of an option, so that only options without one are passed over.
    let bundled = |flags: &str| flags.trim_start_matches(['a', 'l', 'v']).starts_with('q');
    args.take_while(|arg| arg != "--").any(|arg| {
        let arg = arg.to_string_lossy();
        arg == "--quiet" || arg.strip_prefix('-').is_some_and(bundled)
    })
}

/// The value of `--color` in arguments that need not be right, for messages about them.
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
    fn definitions_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn suggestions() {
        for (label, near) in [
            ("utf9", "utf-8"),
            ("uft-16", "utf-16"),
            ("iso-8858-1", "iso-8859-1"),
            ("lattin1", "iso-8859-1"),
            ("user-defined", "x-user-defined"),
        ] {
            assert_eq!(similar(label).as_deref(), Some(near), "{label}");
            assert!(!is_known_elsewhere(label), "{label}");
        }
        for label in ["zzzz", "", "u", "utf-64", "klingon", "iso", "auto", "text", "€"] {
            assert_eq!(similar(label), None, "{label}");
            assert!(!is_known_elsewhere(label), "{label}");
        }
    }

    #[test]
    fn encodings_of_others_are_known() {
        let labels = "big5-eten EBCDIC GSM-03.38 ISCII koi8-e x-ISO-2022-CN-GB ISO2022-JP-9 NeXTSTEP wtf-16 cp9999 ibm-99 \
                      windows-99 x-cp20 ccsid12345";
        for label in labels.split_whitespace() {
            assert!(is_known_elsewhere(label), "{label}");
            let refused = parse_encoding(label).map_err(|e| e.to_string());
            assert_eq!(refused, Err(format!("encoding \"{label}\" is not supported")));
        }
        for label in ["iso-8859-12", "iso-8859-17", "utf9", "utf-18", "cp", "windows"] {
            assert!(!is_known_elsewhere(label), "{label}");
        }
    }

    #[test]
    fn encodings_that_were_to_come_are_here() {
        let labels = "windows-1252 cp1252 CP-1250 win1251 x-cp1251 iso-8859-2 ISO_8859-15:1998 iso8859-16 iso-8859-8-i \
                      csISOLatin2 latin2 latin10 koi8-r KOI8-U shift_jis sjis windows-31j euc-jp euc-kr gbk gb18030 \
                      gb2312 big5 big5-hkscs utf-7 utf-1 utf-ebcdic wtf-8 cesu-8 mutf-8 scsu bocu-1 ibm037 ibm-850 \
                      macintosh mac-cyrillic x-mac-cyrillic cp437 iso-2022-jp hz-gb-2312 marc-8 \
                      iso-2022-jp-1 iso2022_jp_2 ISO2022JP3 iso2022_jp_2004 iso2022_jp_ext csISO2022JP2 ISO-2022-CN-EXT ISO2022CNEXT \
                      ibm943 cp1364 IBM-1371 x-IBM1388 csIBM1390 ibm-1399";
        for label in labels.split_whitespace() {
            assert!(parse_encoding(label).is_ok(), "{label}");
        }
    }

    #[test]
    fn utf_8_of_apple_is_for_convert() {
        for label in ["utf-8-mac", "UTF8-MAC", "utf-8-hfs"] {
            assert_eq!(parse_form(label).ok(), Some(NamedForm { encoding: Encoding::UTF_8, is_mac: true }));
            let refused = parse_encoding(label).map_err(|e| e.to_string());
            assert!(refused.is_err_and(|e| e.contains("convert --normalize")), "{label}");
        }
        let plain = NamedForm { encoding: Encoding::UTF_8, is_mac: false };
        assert_eq!(parse_form("utf8").ok(), Some(plain));
    }

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
