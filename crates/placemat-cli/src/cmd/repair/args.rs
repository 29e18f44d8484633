//! The options of `placemat repair`.

use crate::names::NamesArgs;
use crate::options::{ENCODING, InPlace, Verbose};
use crate::refused::Refused;
use crate::shown::escaped;
use crate::walk::WalkArgs;
use clap::ValueEnum;
use placemat::Encoding;
use placemat::repair::{Lost, Step};
use std::path::PathBuf;

/// Repair damaged text, such as cafÃ© for café
///
/// The output is well-formed UTF-8. The command undoes what a wrong encoding did to text (mojibake, once or several times),
/// reads legacy bytes inside UTF-8, and finds UTF-16 and UTF-32 without a label. Well-formed text without such damage
/// comes out unchanged. --log records every change, and --undo takes all of them back.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Examples:
  placemat repair damaged.txt > good.txt         repair into another file
  placemat repair --dry-run --explain notes.txt  show what would change, and why
  placemat repair -i --log repair.log notes.txt  repair it, and keep a record
  placemat repair -i --undo repair.log           take the repair back
  placemat repair -ri --dry-run --diff src       show the lines of a tree
  placemat repair --fallback koi8-r mixed.txt    read stray bytes as KOI8-R
  placemat repair --steps mojibake notes.txt     undo mojibake and nothing else

Exit status:
  0  nothing is left to repair
  1  text was lost: a sequence was truncated, overlong, or in no encoding; or
     --errors strict refused the input; or --in-place refused a binary file, or
     one of which too much would be lost
  2  a usage or I/O error, or a file that --undo cannot restore")]
pub(crate) struct Args {
    /// Files; standard input if there are none, or for `-`
    #[arg(value_name = "FILE", value_parser = crate::options::any_path())]
    pub(super) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) in_place: InPlace,
    /// Write to this file
    ///
    /// The file is replaced as a whole or not at all. It must not be one of the inputs.
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    pub(super) output: Option<PathBuf>,
    /// With -i, repair all files in directories
    ///
    /// The command skips files whose names end in SUFFIX.
    #[arg(short, long, requires = "in_place")]
    pub(super) recursive: bool,
    /// Write nothing; name the files that would change
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print each changed line, before and after
    #[arg(long)]
    pub(super) diff: bool,
    /// Print each change with its place and its reason
    #[arg(long)]
    pub(super) explain: bool,
    /// Record every change in this new file, for --undo
    ///
    /// The format is JSON Lines. `-` means standard output; it needs --in-place or --output, because the repaired text goes
    /// to standard output otherwise.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["undo", "dry_run"])]
    pub(super) log: Option<PathBuf>,
    /// Restore the files of this log, byte for byte
    ///
    /// `-` reads the log from standard input. With --in-place, the command restores all files that the log names, or only each
    /// FILE; -r takes those in directories. A relative path in the log starts in the directory in which the repair ran or, if
    /// there is no such file any more, in the current one. The command leaves a file unchanged, with a message and status 2,
    /// unless it has the length and the SHA-256 of the repaired text. Use only logs that you trust: a log chooses the files,
    /// and the texts that they get.
    #[arg(long, value_name = "LOG", conflicts_with_all = ["steps", "fallback", "errors", "explain", "diff", "globs"])]
    pub(super) undo: Option<PathBuf>,
    /// Do only these: mojibake, bytes, pairs, …
    ///
    /// wide: UTF-16 and UTF-32, with or without a signature. pairs: surrogate pairs of CESU-8, and U+0000 as C0 80. bytes:
    /// bytes of a legacy encoding inside UTF-8. mojibake: UTF-8 that was read as another encoding. legacy: text of one legacy
    /// encoding that was read as another. controls: C1 controls that were meant as windows-1252. The default is all of them.
    /// Ill-formed text becomes well-formed in any case; see --errors.
    #[arg(long, value_name = "STEP", value_delimiter = ',', value_parser = parse_step)]
    pub(super) steps: Vec<Step>,
    /// The encoding of stray bytes [default: detected]
    #[arg(long, value_name = "ENCODING", value_parser = ENCODING, hide_possible_values = true)]
    pub(super) fallback: Option<Encoding>,
    #[command(flatten)]
    pub(super) verbose: Verbose,
    /// Make only changes that are at least this sure, from 0 to 1
    #[arg(long, value_name = "P", default_value = "0", value_parser = parse_confidence, help_heading = "Repair")]
    pub(super) min_confidence: f32,
    /// What to write for bytes that cannot be recovered
    #[arg(short, long, value_name = "POLICY", value_enum, default_value_t, help_heading = "Repair")]
    pub(super) errors: Errors,

    /// With --in-place, also repair a file of which much cannot be read
    ///
    /// Without --force, a file stays unchanged if at least 16 sequences, and more than 2 % of its bytes, are in no encoding
    /// that the command finds. The status is then 1; the command still repairs the other files.
    #[arg(long, requires = "in_place", conflicts_with = "undo", help_heading = "Output")]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) names: NamesArgs,
    #[command(flatten)]
    pub(super) walk: WalkArgs,
}

/// `--errors`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[value(rename_all = "lower")]
pub(crate) enum Errors {
    /// Insert U+FFFD
    #[default]
    Replace,
    /// Write \xHH for each byte
    BackslashReplace,
    /// Nothing: refuse the input
    Strict,
}

impl From<Errors> for Lost {
    fn from(errors: Errors) -> Self {
        match errors {
            Errors::BackslashReplace => Self::Escape,
            Errors::Replace | Errors::Strict => Self::Replace,
        }
    }
}

fn parse_step(name: &str) -> Result<Step, Refused> {
    let known = Step::ALL.into_iter().filter(|step| *step != Step::Lost);
    let names: Vec<_> = known.clone().map(Step::name).collect();
    known.into_iter().find(|step| step.name() == name.to_ascii_lowercase()).ok_or_else(|| {
        let shown = escaped(name.as_ref());
        Refused::new(format!("--steps: unknown step \"{shown}\" (known: {})", names.join(", ")))
    })
}

fn parse_confidence(text: &str) -> Result<f32, Refused> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => {
            let shown = escaped(text.as_ref());
            Err(Refused::new(format!(
                "--min-confidence takes a number from 0 to 1, such as 0.9, and not \"{shown}\""
            )))
        }
    }
}
