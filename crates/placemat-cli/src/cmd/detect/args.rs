//! The arguments of `detect`.

use crate::ebcdic::EbcdicNewline;
use crate::names::NamesArgs;
use crate::options::{FormatArg, Threads, Verbose, any_path, parse_number};
use crate::walk::WalkArgs;
use std::path::PathBuf;

/// Detect the encoding of text, its language, and how sure that is
///
/// The command reads files, directories (recursively) or standard input to their ends, and prints a line for each: the
/// encoding, the probability that it is right, and the language. What needs no guess comes first: signatures, UTF-8, UTF-16,
/// escapes. A language model decides between the other encodings.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat detect old.txt             which encoding is it? how sure is that?
  placemat detect --top 3 old.txt     show the next candidates too
  placemat detect --explain old.txt   show the reasons, in words
  placemat detect --brief old.txt     print only the name, in lower case
  placemat detect --mixed log.txt     which lines are in which encoding?
  placemat detect --names old.zip     in which encoding are the file names?
  placemat convert -f auto old.txt    detect the encoding, then convert

Encodings that read a file alike are one candidate: --top and --explain name them on one line. The report names a language \
only where there is enough text to be sure of it; --format jsonl always has the most probable one.

A line of --format jsonl has: path, verdict (text, binary, unknown or empty), encoding, confidence, language, \
language_name, bom, declared (convention, label, encoding, offset, contradicted), damage (ill_formed, well_formed, \
first), mixed (encodings, if lines are in several), candidates (encoding, confidence, language), evidence (basis, bytes, \
first_non_ascii, ruled_out with encoding, offset and bytes in hex). Fields without a value are null. With --mixed, there \
is a line for each region: path, offset, length, line, lines, encoding, confidence.

In a directory, the command skips hidden files, files that .gitignore excludes, and binary files. It never skips a \
hidden or ignored file that git tracks.

Exit status: 0 the encoding of each file is more probable than not; 1 that of some file is not; 2 a usage error, or \
input that cannot be read.")]
pub(crate) struct Args {
    /// Files and directories; standard input if there are none, or for `-`
    #[arg(value_name = "PATH", value_parser = any_path())]
    pub(super) paths: Vec<PathBuf>,
    /// Show the N most probable encodings
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = |text: &str| parse_number("--top", text))]
    pub(super) top: u64,
    /// Print only the name of the encoding, in lower case
    #[arg(long, conflicts_with_all = ["top", "format"])]
    pub(super) brief: bool,
    /// Print a media type and charset, like `file --mime`
    #[arg(long, conflicts_with_all = ["top", "format"])]
    pub(super) mime: bool,
    /// Show which lines and bytes are in which encoding
    #[arg(long, conflicts_with_all = ["top", "mime", "sample"])]
    pub(super) mixed: bool,
    /// Show the reasons, as --verbose does
    #[arg(long, conflicts_with_all = ["brief", "mime", "mixed", "format"])]
    pub(super) explain: bool,
    /// Detect the encoding of names, in folders, ZIP and tar
    ///
    /// All names in a directory or an archive are judged together. The report lists each name in an archive, its text in that
    /// encoding, and what the archive says wrongly about it; of a directory, only the names that are not UTF-8. A tar archive
    /// may be compressed with gzip. Nothing is extracted.
    #[arg(long = "names", conflicts_with_all = ["mixed", "mime", "sample", "threads", "follow", "text", "ebcdic_newline"])]
    pub(super) file_names: bool,
    /// Read at most this many bytes of each file
    #[arg(long, value_name = "BYTES", value_parser = |text: &str| parse_number("--sample", text))]
    pub(super) sample: Option<u64>,
    #[command(flatten)]
    pub(super) newline: EbcdicNewline,
    #[command(flatten)]
    pub(super) format: FormatArg,
    #[command(flatten)]
    pub(super) verbose: Verbose,
    #[command(flatten)]
    pub(super) threads: Threads,
    #[command(flatten)]
    pub(super) names: NamesArgs,
    #[command(flatten)]
    pub(super) walk: WalkArgs,
}

/// Below this confidence, nothing is certain.
pub(super) const EVEN: f32 = 0.5;
