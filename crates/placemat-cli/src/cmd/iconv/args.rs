//! The options of `iconv` for the help, and the errors in arguments in the words of getopt.

use super::subst::Format;
use crate::help::{WIDTH, arranged};
use crate::options::{Global, any_path};
use crate::palette::Palette;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Args as _, CommandFactory as _, FromArgMatches as _, Parser};
use std::ffi::OsString;
use std::path::PathBuf;

/// Act as iconv, with its options, its output and its exit status
///
/// The command is a drop-in replacement for the `iconv` of glibc. The program also acts as iconv if it is called `iconv`, for
/// example by a link. Names of encodings mean what they mean in glibc, and may end in `//TRANSLIT` and `//IGNORE`. UTF-8-MAC
/// composes input and decomposes output, as in GNU libiconv on macOS. docs/guides/iconv.md lists the differences and their reasons.
#[derive(clap::Args, Debug)]
#[command(
    disable_help_flag = true,
    infer_long_args = true,
    args_override_self = true,
    override_usage = "iconv [OPTION]... [FILE]...",
    after_long_help = "\
Examples:
  iconv -f latin1 -t utf-8 old.txt > new.txt   convert ISO-8859-1 to UTF-8
  iconv -f utf-16 -o new.txt old.txt           to the encoding of the locale
  iconv -f utf-8 -t ascii//TRANSLIT a.txt      write similar text in ASCII
  iconv -c -f utf-8 -t utf-8 damaged.txt       drop ill-formed sequences
  ln -s placemat iconv                         make a program called iconv

Exit status:
  0   done
  1   an error in the input, a file that cannot be read or written, or an
      unknown encoding
  64  wrong arguments"
)]
pub(crate) struct Args {
    /// Files; standard input if there are none, or for `-`
    #[arg(value_name = "FILE", value_parser = any_path())]
    pub(super) files: Vec<PathBuf>,

    /// The encoding of the input [default: the locale's]
    #[arg(short, long, value_name = "NAME", allow_hyphen_values = true)]
    pub(super) from_code: Option<OsString>,
    /// The encoding of the output [default: the locale's]
    ///
    /// `//TRANSLIT` and `//IGNORE` may follow the name.
    #[arg(short, long, value_name = "NAME", allow_hyphen_values = true)]
    pub(super) to_code: Option<OsString>,
    /// List the names of all encodings
    #[arg(short, long)]
    pub(super) list: bool,

    /// Drop ill-formed and unmappable text
    #[arg(short = 'c')]
    pub(super) omit: bool,
    /// Write to this file; it may be an input
    #[arg(
        short,
        long,
        value_name = "FILE",
        value_parser = any_path(),
        allow_hyphen_values = true
    )]
    pub(super) output: Option<PathBuf>,
    /// Write this for each unmappable code point
    ///
    /// %x, %04X or %d becomes the code point.
    #[arg(long, value_name = "FORMAT", allow_hyphen_values = true)]
    pub(super) unicode_subst: Option<Format>,
    /// Write this for each byte of ill-formed text
    ///
    /// %x, %02X or %d becomes the byte.
    #[arg(long, value_name = "FORMAT", allow_hyphen_values = true)]
    pub(super) byte_subst: Option<Format>,
    /// Accepted for compatibility; has no effect, because the program uses no wide characters
    #[arg(long, value_name = "FORMAT", allow_hyphen_values = true, help_heading = "Output")]
    pub(super) widechar_subst: Option<Format>,

    /// Print only the messages that iconv prints
    #[arg(short, long)]
    pub(super) silent: bool,
    /// Print the name of each file that is read
    #[arg(long, help_heading = "Messages")]
    pub(super) verbose: bool,
    /// Print help (the short form: -h)
    #[arg(short = '?', long, action = ArgAction::HelpLong)]
    help: Option<bool>,
    /// Print the short help
    #[arg(short = 'h', action = ArgAction::HelpShort, hide = true)]
    short_help: Option<bool>,
    /// Print the usage line
    #[arg(long, help_heading = "Messages")]
    pub(super) usage: bool,
    /// Print the version
    #[arg(short = 'V', long)]
    pub(super) version: bool,
}

/// The program under the name `iconv`.
#[derive(Parser, Debug)]
#[command(name = "iconv", max_term_width = WIDTH, styles = Palette::HELP)]
pub(crate) struct Program {
    #[command(flatten)]
    pub(crate) args: Args,
    #[command(flatten)]
    pub(crate) global: Global,
}

/// Returns the definition, with the descriptions of [`Args`].
fn command() -> clap::Command {
    let args = Args::augment_args(clap::Command::new("iconv"));
    let about = |text: Option<&StyledStr>| text.cloned().unwrap_or_default();
    let program = Program::command().about(about(args.get_about())).long_about(about(args.get_long_about()));
    arranged(program)
}

/// The reason why arguments were refused.
pub(crate) enum Refused {
    /// The arguments ask for help.
    Help(clap::Error),
    /// The arguments are wrong: the message of getopt.
    Wrong(String),
}

/// Parses the arguments after the name of the program.
pub(crate) fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Program, Refused> {
    let arguments = core::iter::once(OsString::from("iconv")).chain(arguments);
    command()
        .try_get_matches_from(arguments)
        .and_then(|mut matches| Program::from_arg_matches_mut(&mut matches))
        .map_err(|e| match e.kind() {
            ErrorKind::DisplayHelp => Refused::Help(e),
            _ => Refused::Wrong(wrong(&e)),
        })
}

/// Returns the usage line.
pub(super) fn usage() -> String {
    command().render_usage().to_string()
}

/// Returns the message of getopt for an error.
fn wrong(e: &clap::Error) -> String {
    let context = |kind| match e.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    // "--from-code <NAME>", or "-c" where there is no long name.
    let option = context(ContextKind::InvalidArg).unwrap_or_default();
    let name = option.split([' ', '=']).next().unwrap_or_default();
    match e.kind() {
        ErrorKind::UnknownArgument if option.starts_with("--") => format!("unrecognized option '{option}'"),
        ErrorKind::UnknownArgument => format!("invalid option -- '{}'", option.trim_start_matches('-')),
        ErrorKind::InvalidValue if context(ContextKind::InvalidValue).is_none_or(str::is_empty) => {
            format!("option '{name}' requires an argument")
        }
        ErrorKind::TooManyValues => format!("option '{name}' doesn't allow an argument"),
        // The message of clap, without its decoration.
        _ => {
            let text = e.render().to_string();
            let line = text.lines().next().unwrap_or_default();
            line.strip_prefix("error: ").unwrap_or(line).to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_holds_together() {
        command().debug_assert();
    }

    #[test]
    fn getopt() {
        let parsed = |args: &str| parse(args.split(' ').map(OsString::from)).ok();
        let codes = |args: &str| {
            let Program { args, .. } = parsed(args)?;
            Some((args.from_code?, args.to_code?, args.omit, args.files.len()))
        };
        let plain = Some(("a".into(), "b".into(), false, 0));
        for args in ["-f a -t b", "-fa -tb", "--from=a --to=b", "--f a --t=b", "-f x -t b -f a"] {
            assert_eq!(codes(args), plain, "{args}");
        }
        let omitting = Some(("a".into(), "b".into(), true, 2));
        for args in ["-cf a -tb x y", "x -t b -c y -f a", "-ct b -f a -- -x -y", "- -cfa -tb -"] {
            assert_eq!(codes(args), omitting, "{args}");
        }
        assert_eq!(codes("-f -t -t b").map(|codes| codes.0), Some("-t".into()));
        assert_eq!(codes("-f  -t b").map(|codes| codes.0), Some("".into()));
    }

    #[test]
    fn what_getopt_says() {
        for (args, want) in [
            ("--foo", "unrecognized option '--foo'"),
            ("-z", "invalid option -- 'z'"),
            ("-cz", "invalid option -- 'z'"),
            ("-t", "option '--to-code' requires an argument"),
            ("--list=x", "option '--list' doesn't allow an argument"),
        ] {
            match parse(args.split(' ').map(OsString::from)) {
                Err(Refused::Wrong(said)) => assert_eq!(said, want, "{args}"),
                _ => panic!("{args}"),
            }
        }
    }
}
