//! The options of `placemat check`.

use super::lint::{BomArg, LintArg};
use crate::names::NamesArgs;
use crate::options::{EncodingParser, SpanArg, Threads, Verbose, any_path, parse_number};
use crate::walk::WalkArgs;
use clap::ValueEnum;
use placemat::Encoding;
use std::path::PathBuf;

/// Find every ill-formed sequence, and say why
///
/// Reads files, directories recursively, or standard input, and reports each ill-formed sequence with its place, its
/// bytes and the reason; and what --lint and --bom ask for. Nothing is printed where all is well.
///
/// Lines end with U+000A; columns count code points from 1, an ill-formed sequence as one. With -v, each finding comes
/// with a picture and what to do about it; with -q, nothing is written and reading stops at the first finding of a file.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat check notes.txt            is it well-formed UTF-8, and if not, why?
  placemat check -v notes.txt         with a picture of each finding
  placemat check -l src -g '*.c'      names of the C files under src that are not UTF-8
  placemat check -l0 src | xargs -0 …   to another program, whatever the names hold
  git diff --name-only -z | placemat check -0 --files-from -
  placemat check -f utf-16 a.txt      any encoding can be checked
  placemat check --lint security src  what makes code look like other code
  placemat check --format sarif .     for viewers and code scanning; also github, gitlab

A line of --format jsonl has: path, byte_offset, length, bytes (hex), kind, line, column, utf16_column, \
message, suggestion (or null). Where the path is not UTF-8, path has U+FFFD for what is ill-formed \
in it, and path_bytes has all of it in hex. With --summary, the last line has the key summary only.

GitHub shows ten findings of a level for each step; the log has all. In a report for GitLab there is no room \
for --summary, which goes to standard error.

A file's encoding is what -f says; without it, what working-tree-encoding in .git/info/attributes or \
.gitattributes says, then charset in .editorconfig (utf-8-bom means UTF-8 with --bom require); else \
UTF-8. --no-config leaves these files unread. --lint searches such a file in UTF-8 too, so that a \
wrong declaration hides nothing.

In a directory, hidden files, those that .gitignore names, and binary ones are passed over, but no \
file that git tracks is hidden or ignored; text in UTF-16 or UTF-32 is a finding (other-encoding); \
and with --lint or --bom, a NUL makes no text binary, and it is said how many files are.

Exit status: 0 all well-formed; 1 something is not; 2 something could not be read, or usage.")]
pub(crate) struct Args {
    /// Files and directories; standard input if there are none, or for `-`
    #[arg(value_name = "PATH", value_parser = any_path())]
    pub(super) paths: Vec<PathBuf>,
    /// The encoding to check for [default: what .gitattributes or .editorconfig say, else utf-8]
    #[arg(short, long, value_name = "ENCODING", value_parser = EncodingParser, hide_possible_values = true)]
    pub(super) from: Option<Encoding>,
    /// How many bytes are one finding [default: a broken character, however many errors a decoder finds in it]
    #[arg(long, value_name = "SPAN", value_enum)]
    pub(super) span: Option<SpanArg>,
    /// Leave .gitattributes and .editorconfig unread
    #[arg(long)]
    pub(super) no_config: bool,
    /// Skip binary files even if they are named
    ///
    /// For programs that name all files of a tree, as pre-commit does. Where something is searched for with --lint or
    /// --bom, files are read that are text but for some NULs.
    #[arg(long, conflicts_with = "text", help_heading = "Directories")]
    pub(super) skip_binary: bool,
    #[command(flatten)]
    pub(super) threads: Threads,
    /// Report this in well-formed text too
    #[arg(long = "lint", value_name = "LINT", value_enum, value_delimiter = ',', help_heading = "Lints")]
    pub(super) lints: Vec<LintArg>,
    /// What to say of a signature at the start
    #[arg(long, value_name = "RULE", value_enum, help_heading = "Lints")]
    pub(super) bom: Option<BomArg>,
    #[command(flatten)]
    pub(super) names: NamesArgs,
    #[command(flatten)]
    pub(super) walk: WalkArgs,
    /// The form of the report
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, help_heading = "Report")]
    pub(super) format: CheckFormat,
    /// Only the names of files with findings
    #[arg(short = 'l', long, help_heading = "Report")]
    pub(super) files_with_findings: bool,
    /// Stop reading a file after N findings; 0 for all of them
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = |text: &str| parse_number("--max", text), help_heading = "Report")]
    pub(super) max: u64,
    /// End with counts of files and findings
    #[arg(long, help_heading = "Report")]
    pub(super) summary: bool,
    #[command(flatten)]
    pub(super) verbose: Verbose,
}

/// `--format`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CheckFormat {
    /// For people
    #[default]
    Text,
    /// For programs: one JSON object a line
    Jsonl,
    /// For viewers and services: SARIF 2.1.0; with -l, as in the two below, the first finding of each file
    Sarif,
    /// For GitHub Actions: commands that show findings beside the lines of a change
    Github,
    /// For GitLab: a report of Code Quality
    Gitlab,
}

impl CheckFormat {
    /// Whether it can name a file without a finding.
    pub(super) const fn has_names(self) -> bool {
        matches!(self, Self::Text | Self::Jsonl)
    }

    /// Whether what precedes a finding must know whether it is the first one.
    pub(super) const fn is_list(self) -> bool {
        matches!(self, Self::Sarif | Self::Gitlab)
    }

    /// Whether findings are to be told apart from one run to the next.
    pub(super) const fn has_fingerprints(self) -> bool {
        matches!(self, Self::Sarif | Self::Gitlab)
    }
}
