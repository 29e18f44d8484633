//! `placemat count`: the length of a text in every unit.

mod chosen;
mod counts;
mod mail;
mod report;
mod scripts;
mod sizes;
mod text;

use crate::common::Common;
use crate::config::Encodings;
use crate::input;
use crate::names::NamesArgs;
use crate::options::{Format, FormatArg, FromArg};
use crate::outcome::Outcome;
use crate::output::Data;
use crate::progress;
use crate::shown::reason;
use crate::streams;
use chosen::Choice;
use counts::{Counter, Counts};
use scripts::Scripts;
use std::borrow::Cow;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use text::Reader;

/// Count bytes, lines, words, code points and UTF-16 units
///
/// `bytes` counts the bytes of the file, `points` the well-formed code points, and `lines` the line ends:
/// LF, CR LF, CR and NEL (U+0085), each once. Where all lines end in LF or CR LF, these are the lines of `wc -l`.
/// The last four columns give the length of the text in bytes of UTF-8, 16-bit units of UTF-16, 32-bit units of UTF-32, and
/// bytes of Latin-1, if Latin-1 can represent it. In these four, an ill-formed sequence counts as the U+FFFD that would
/// replace it.
///
/// The options for single numbers print only these numbers, in the format and order of wc: lines, words, code points,
/// grapheme clusters, bytes, columns, and the name. Words, grapheme clusters and columns are those of the text with U+FFFD
/// in place of each ill-formed sequence.
///
/// With --sizes, `mail` is what the text needs to go by mail in this encoding unchanged (RFC 2045, section 6.2): 7bit
/// (ASCII, and lines of at most 998 bytes), 8bit (all bytes but NUL; the server must know 8BITMIME, RFC 6152), or binary (a
/// NUL, a CR that ends no line, or a longer line: BINARYMIME, RFC 3030, or quoted-printable or base64). LF and CR LF end a
/// line; mail programs send CR LF for both.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat count notes.txt              how long is the text?
  placemat count -f utf-16 report.txt   read another encoding
  placemat count -w notes.txt           how many words?
  placemat count --graphemes notes.txt  how many characters does a reader see?
  placemat count --sizes notes.txt      how long is it in UTF-16, or in SCSU?
  placemat count --scripts notes.txt    how much of it is Latin, Cyrillic, Han?

A line of --format jsonl has: path, bytes, lines, code_points, ill_formed, utf8, utf16, utf32, latin1 \
(null if Latin-1 cannot represent the text). With options for single numbers, it has path and the requested ones of \
lines, words, code_points, graphemes, bytes, columns. With --sizes, the line of each encoding has path, encoding, \
transfer (quoted-printable, base64, percent or null), bytes, deflated (null without --deflated), mail (7bit, 8bit, \
binary or null), first_not_held. With --scripts, the line of each script has path, script, code, count; a line with \
script null counts ill-formed sequences. For several files, the last line has path null and the sums. If the path is not \
UTF-8, path has U+FFFD in place of its ill-formed sequences.")]
pub(crate) struct Args {
    /// Files; standard input if there are none, or for `-`
    #[arg(value_name = "FILE", value_parser = crate::options::any_path())]
    files: Vec<PathBuf>,
    #[command(flatten)]
    from: FromArg,
    #[command(flatten)]
    choice: Choice,
    /// Show the length of the text in every encoding
    ///
    /// The list includes quoted-printable, base64 and percent-encoding, and what mail needs for the text. It leaves out
    /// encodings that cannot represent the text.
    #[arg(long, conflicts_with_all = CHOICES)]
    sizes: bool,
    /// With --sizes, also show the length after DEFLATE; this is slow
    #[arg(long, requires = "sizes", help_heading = "Report")]
    deflated: bool,
    /// Show the number of code points in each script
    #[arg(long, conflicts_with = "sizes", conflicts_with_all = CHOICES)]
    scripts: bool,
    #[command(flatten)]
    format: FormatArg,
    #[command(flatten)]
    names: NamesArgs,
}

/// The options of [`Choice`].
const CHOICES: [&str; 6] = ["lines", "words", "chars", "graphemes", "bytes", "columns"];

pub(crate) fn run(args: Args, common: &Common) -> Outcome {
    if common.ok(args.from.check()).is_none() {
        return Outcome::Trouble;
    }
    let Some(files) = common.ok(args.names.all(&args.files, false)) else { return Outcome::Trouble };
    progress::start(common.quiet, &files);
    let mut outcome = Outcome::Clean;
    let report = Data::stdout().and_then(|mut data| {
        count_all(&args, &files, common, &mut data, &mut outcome)?;
        data.flush()?;
        Ok(Outcome::Clean)
    });
    outcome.max(common.written(report))
}

/// The counts of a file, by kind of count.
enum Found {
    Counts(Counts),
    Scripts(Box<Scripts>),
    Sizes(Vec<sizes::Size>),
}

fn count_all(
    args: &Args,
    files: &[PathBuf],
    common: &Common,
    data: &mut Data,
    outcome: &mut Outcome,
) -> io::Result<()> {
    let unnamed = args.files.is_empty() && !args.names.is_list();
    let mut reader = Reader::new();
    let mut counter = Counter::new(args.choice);
    let mut total = Counts::default();
    let mut rows = Vec::new();
    let mut encodings = Encodings::new(args.from);
    for path in files {
        let name = input::name_of(path);
        let Some(from) = encodings.of(path, common) else {
            *outcome = (*outcome).max(Outcome::Findings);
            continue;
        };
        let found = input::open(path).and_then(|mut input| {
            if args.sizes {
                sizes::measure(&mut reader, &mut input, from, args.deflated).map(Found::Sizes)
            } else if args.scripts {
                Scripts::of(&mut reader, &mut input, from).map(Box::new).map(Found::Scripts)
            } else {
                counter.count(&mut reader, &mut input.file, from).map(Found::Counts)
            }
        });
        match (found, args.format.format) {
            (Ok(Found::Sizes(sizes)), Format::Text) => {
                let table = sizes::table(&name.to_string(), &sizes, common.data_styles());
                data.write_all(table.as_bytes())?;
            }
            (Ok(Found::Sizes(sizes)), Format::Jsonl) => sizes::write_json(data, &json_path(path), &sizes)?,
            (Ok(Found::Scripts(scripts)), Format::Text) => {
                let table = scripts::table(&name.to_string(), &scripts, common.data_styles());
                data.write_all(table.as_bytes())?;
            }
            (Ok(Found::Scripts(scripts)), Format::Jsonl) => {
                scripts::write_json(data, &json_path(path), &scripts)?;
            }
            (Ok(Found::Counts(counts)), format) => {
                total.add(&counts);
                let is_unnamed = args.choice.is_made() && unnamed;
                match format {
                    Format::Text if is_unnamed => rows.push((String::new(), counts)),
                    Format::Text => rows.push((name.to_string(), counts)),
                    Format::Jsonl => report::write_json(data, Some(&json_path(path)), &counts, args.choice)?,
                }
            }
            (Err(e), _) => {
                common.error(format_args!("{name}: {}", reason(&e)));
                *outcome = Outcome::Trouble;
            }
        }
    }
    let several = files.len() > 1;
    if args.sizes || args.scripts {
        return Ok(());
    }
    match args.format.format {
        Format::Jsonl if several => report::write_json(data, None, &total, args.choice),
        Format::Jsonl => Ok(()),
        Format::Text => {
            if several {
                rows.push(("total".into(), total));
            }
            let table = report::table(&rows, args.choice, common.data_styles());
            data.write_all(table.as_bytes())
        }
    }
}

/// Returns the path of a file for JSON.
fn json_path(path: &Path) -> Cow<'_, str> {
    if streams::is_stdin(path) { Cow::Borrowed("<stdin>") } else { path.to_string_lossy() }
}
