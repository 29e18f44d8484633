//! The options of `placemat check`.

use super::lint::{BomArg, LintArg};
use crate::ebcdic::EbcdicNewline;
use crate::names::NamesArgs;
use crate::options::{ENCODING, Given, OrAuto, SpanArg, Threads, Verbose, any_path, parse_number};
use crate::walk::WalkArgs;
use clap::ValueEnum;
use std::path::PathBuf;

/// Find every ill-formed sequence in text, and say why
///
/// The command reads files, directories (recursively) or standard input. It reports each ill-formed sequence with its place,
/// its bytes and the reason, and the findings of --lint and --bom. Without findings, it prints nothing.
///
/// U+000A ends a line. Columns count code points from 1; an ill-formed sequence counts as one. With -v, each finding has a
/// picture and advice. With -q, the command prints nothing and stops reading a file at its first finding.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat check -v notes.txt         is it well-formed UTF-8? if not, why?
  placemat check -l src -g '*.c'      name the C files that are not UTF-8
  placemat check --lint security src  text that reads otherwise than it looks
  placemat check -f utf-16 a.txt      check text in another encoding
  placemat check --format sarif .     for code scanning; also github, gitlab
  placemat check -l0 src | xargs -0 …   pass any name safely to another program
  git diff --name-only -z | placemat check -0 --files-from -

The encoding of a file is, in this order: the one that -f names; working-tree-encoding in .git/info/attributes or \
.gitattributes; charset in .editorconfig (utf-8-bom means UTF-8 with --bom require); UTF-8. With --no-config, \
the command does not read these files. --lint also searches a file as UTF-8 if it is declared to be in another \
encoding, so that a wrong declaration hides nothing.

In a directory, the command skips hidden files, files that .gitignore excludes, and binary files. It never skips \
a hidden or ignored file that git tracks. Text in UTF-16 or UTF-32 is a finding (other-encoding; mixed-units beside \
other text). With --lint or --bom, a NUL alone does not make a file binary, and a message gives the number of binary \
files skipped.

A line of --format jsonl has: path, byte_offset, length, bytes (hex), kind, line, column, utf16_column, \
message, suggestion (or null), and count where it represents several findings. If the path is not UTF-8, path has U+FFFD in place of its ill-formed \
sequences, and path_bytes has the whole path in hex. With --summary, the last line has only the key summary.

GitHub shows at most ten findings of each level for a step; the log has all of them. The GitLab format cannot contain \
the summary, so --summary prints it to standard error.

Exit status: 0 all input is well-formed; 1 findings, or input whose encoding -f auto cannot decide; 2 a usage error, \
or input that cannot be read.")]
pub(crate) struct Args {
    /// Files and directories; standard input if there are none, or for `-`
    #[arg(value_name = "PATH", value_parser = any_path())]
    pub(super) paths: Vec<PathBuf>,
    /// The encoding to check for; `auto` detects it
    ///
    /// The default is UTF-8, unless .gitattributes or .editorconfig declares another encoding.
    #[arg(short, long, value_name = "ENCODING", value_parser = OrAuto(ENCODING), hide_possible_values = true)]
    pub(super) from: Option<Given>,
    /// Search well-formed text too: `security`, `all`, …
    ///
    /// Separate several lints with commas.
    #[arg(long = "lint", value_name = "LINT", value_enum, value_delimiter = ',')]
    pub(super) lints: Vec<LintArg>,
    /// `forbid` or `require` a signature (BOM)
    ///
    /// The signature is U+FEFF at the start.
    #[arg(long, value_name = "RULE", value_enum)]
    pub(super) bom: Option<BomArg>,
    /// Print only the names of files with findings
    #[arg(short = 'l', long)]
    pub(super) files_with_findings: bool,
    /// Stop reading a file after N findings
    ///
    /// 0 means no limit. With this option, the command prints them one by one, as with --all.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = |text: &str| parse_number("--max", text))]
    pub(super) max: Option<u64>,
    /// Print all findings, not 20 of a kind for each file
    ///
    /// It also prints each ill-formed sequence of a file that is in another encoding as a whole.
    #[arg(long)]
    pub(super) all: bool,
    /// Leave out the findings that FILE has
    ///
    /// Only new ones are reported, and only they count for the exit status.
    #[arg(long, value_name = "FILE")]
    pub(super) baseline: Option<PathBuf>,
    /// Write the findings to FILE, for --baseline
    ///
    /// None is reported, and the exit status is 0.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "summary", "files_with_findings", "max", "baseline"])]
    pub(super) write_baseline: Option<PathBuf>,
    /// Print the counts of files and findings at the end
    #[arg(long)]
    pub(super) summary: bool,
    /// Report as text, jsonl, sarif, github or gitlab
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, hide_default_value = true)]
    pub(super) format: CheckFormat,
    #[command(flatten)]
    pub(super) verbose: Verbose,
    /// How many bytes make one finding [default: a whole broken sequence, even if a decoder finds several errors in it]
    #[arg(long, value_name = "SPAN", value_enum, help_heading = "Input")]
    pub(super) span: Option<SpanArg>,
    /// Do not read .gitattributes and .editorconfig
    #[arg(long, help_heading = "Input")]
    pub(super) no_config: bool,
    #[command(flatten)]
    pub(super) newline: EbcdicNewline,
    /// Check the names of files, and not the text in them: in directories, ZIP and tar archives
    ///
    /// A finding is a name that is ill-formed, contains a control character, or contradicts what the archive says about it: bit
    /// 11 and the extra field 0x7075 of ZIP, pax records of tar. A tar archive may be compressed with gzip. A line of --format
    /// jsonl has: path, name, `name_bytes` (hex), kind, message.
    #[arg(
        long = "names",
        conflicts_with_all = [
            "lints", "bom", "ebcdic_newline", "files_with_findings", "max", "all", "baseline", "write_baseline", "span",
            "skip_binary", "threads", "follow", "text",
        ],
        help_heading = "Input"
    )]
    pub(super) file_names: bool,
    /// Skip binary files even if they are named on the command line
    ///
    /// For programs that name all files of a tree, as pre-commit does. With --lint or --bom, the command still reads
    /// text that only has some NULs.
    #[arg(long, conflicts_with = "text", help_heading = "Directories")]
    pub(super) skip_binary: bool,
    #[command(flatten)]
    pub(super) threads: Threads,
    #[command(flatten)]
    pub(super) names: NamesArgs,
    #[command(flatten)]
    pub(super) walk: WalkArgs,
}

impl Args {
    /// Returns `true` if each finding is printed, however many there are.
    pub(super) const fn is_one_by_one(&self) -> bool {
        self.all || self.max.is_some()
    }

    /// Applies `--ebcdic-newline` to the named encoding.
    pub(super) fn choose_newline(&mut self) -> Result<(), &'static str> {
        self.newline.check([self.from.and_then(Given::named)])?;
        if let Some(Given::Named(encoding)) = &mut self.from {
            *encoding = self.newline.of(*encoding);
        }
        Ok(())
    }
}

/// `--format`.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CheckFormat {
    /// Plain text
    #[default]
    Text,
    /// JSON Lines: one JSON object per line
    Jsonl,
    /// SARIF 2.1.0, for code scanning. With -l, this and the next two formats report the first finding of each file
    Sarif,
    /// GitHub Actions: workflow commands that show findings beside the lines of a change
    Github,
    /// GitLab: a Code Quality report
    Gitlab,
    /// The file of `--write-baseline`
    #[value(skip)]
    Baseline,
}

impl CheckFormat {
    /// Returns `true` if the format can name a file without a finding.
    pub(super) const fn has_names(self) -> bool {
        matches!(self, Self::Text | Self::Jsonl)
    }

    /// Returns `true` if the separator before a finding depends on whether the finding is the first one.
    pub(super) const fn is_list(self) -> bool {
        matches!(self, Self::Sarif | Self::Gitlab)
    }

    /// Returns `true` if findings carry fingerprints, which identify them across runs.
    pub(super) const fn has_fingerprints(self) -> bool {
        matches!(self, Self::Sarif | Self::Gitlab | Self::Baseline)
    }
}
