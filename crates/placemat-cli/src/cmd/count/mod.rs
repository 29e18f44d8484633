//! `placemat count`: how long a text is, in every unit.

mod chosen;
mod graphemes;
mod scripts;
mod sizes;
mod text;

use crate::common::Common;
use crate::config::Encodings;
use crate::input;
use crate::json;
use crate::names::NamesArgs;
use crate::options::{Format, FormatArg, FromArg};
use crate::outcome::Outcome;
use crate::output::Data;
use crate::palette::Palette;
use crate::progress;
use crate::shown::reason;
use crate::streams;
use chosen::{Choice, Chosen, Extras};
use core::fmt::Write as _;
use placemat::{Encoding, length, utf8};
use scripts::Scripts;
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};
use text::{Reader, Sink};

/// Count bytes, lines, code points, and units in UTF-8, UTF-16, UTF-32 and Latin-1
///
/// `bytes` are those of the file. `points` are well-formed code points. `lines` are line feeds, as `wc -l` counts them.
/// The last four say how long the text is in bytes of UTF-8, 16-bit units of UTF-16, 32-bit units of UTF-32, and bytes
/// of Latin-1, if that can hold it; there, an ill-formed sequence counts as the U+FFFD that would replace it.
///
/// With one of the options for single numbers, only these are printed, as wc prints them: lines, words, code points,
/// grapheme clusters, bytes, columns, and the name. Words, grapheme clusters and columns are those of the text with U+FFFD
/// for what is ill-formed.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat count notes.txt              how long is it?
  placemat count -f utf-16 report.txt   any encoding can be read
  placemat count -w notes.txt           how many words?
  placemat count --graphemes notes.txt  how many characters, as a reader counts?
  placemat count --sizes notes.txt      how long would it be in UTF-16, or in SCSU?
  placemat count --scripts notes.txt    how much of it is Latin, Cyrillic, Han?

A line of --format jsonl has: path, bytes, lines, code_points, ill_formed, utf8, utf16, utf32, latin1 \
(null where Latin-1 cannot hold the text); with options for single numbers: path, and those of lines, words, \
code_points, graphemes, bytes, columns that are asked for; with --sizes a line for each encoding: path, encoding, \
transfer (null but for quoted-printable, base64, percent), bytes, deflated (null without --deflated), first_not_held; with --scripts a line for each script: path, script, code, count, and one with the script null for what \
is ill-formed. Of several files, the last line has the path null and \
their sums. Where the path is not UTF-8, path has U+FFFD for what is ill-formed in it.")]
pub(crate) struct Args {
    /// Files; standard input if there are none, or for `-`
    #[arg(value_name = "FILE", value_parser = crate::options::any_path())]
    files: Vec<PathBuf>,
    #[command(flatten)]
    names: NamesArgs,
    #[command(flatten)]
    from: FromArg,
    /// Show how long the same text is in every encoding that can hold it, and in quoted-printable, base64 and
    /// percent-encoding
    #[arg(long, help_heading = "Report", conflicts_with_all = CHOICES)]
    sizes: bool,
    /// With --sizes, also after DEFLATE, which takes long
    #[arg(long, requires = "sizes", help_heading = "Report")]
    deflated: bool,
    /// Show how many code points are in which script
    #[arg(long, conflicts_with = "sizes", conflicts_with_all = CHOICES, help_heading = "Report")]
    scripts: bool,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    format: FormatArg,
}

/// The options of [`Choice`].
const CHOICES: [&str; 6] = ["lines", "words", "chars", "graphemes", "bytes", "columns"];

/// What is counted of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    bytes: u64,
    lines: u64,
    code_points: u64,
    ill_formed: u64,
    utf8: u64,
    utf16: u64,
    utf32: u64,
    /// Whether something does not fit in Latin-1.
    beyond_latin1: bool,
    chosen: Chosen,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.code_points += other.code_points;
        self.ill_formed += other.ill_formed;
        self.utf8 += other.utf8;
        self.utf16 += other.utf16;
        self.utf32 += other.utf32;
        self.beyond_latin1 |= other.beyond_latin1;
        self.chosen.add(&other.chosen);
    }

    fn latin1(&self) -> Option<u64> {
        (!self.beyond_latin1).then_some(self.code_points)
    }
}

/// Counts the text that it is given.
#[derive(Debug)]
struct Counter {
    counts: Counts,
    extras: Extras,
}

impl Counter {
    fn new(choice: Choice) -> Self {
        Self { counts: Counts::default(), extras: Extras::new(choice) }
    }

    /// The numbers of all of a stream.
    fn count(&mut self, reader: &mut Reader, stream: &mut impl Read, from: Encoding) -> io::Result<Counts> {
        self.counts = Counts::default();
        self.extras.restart();
        let bytes = reader.read(stream, from, self)?;
        Ok(Counts { bytes, chosen: self.extras.finish(), ..self.counts })
    }
}

impl Sink for Counter {
    fn text(&mut self, text: &str) {
        self.extras.push(text);
        let text = text.as_bytes();
        let counts = &mut self.counts;
        let code_points = utf8::count_code_points(text);
        counts.utf32 += code_points as u64;
        counts.code_points += code_points as u64;
        counts.utf8 += text.len() as u64;
        counts.lines += utf8::count_line_feeds(text) as u64;
        if code_points == text.len() {
            counts.utf16 += code_points as u64;
        } else {
            counts.utf16 += length::utf16_from_utf8(text) as u64;
            // C4 is the lead byte of U+0100.
            counts.beyond_latin1 |= text.iter().fold(0, |most, &byte| most.max(byte)) >= 0xC4;
        }
    }

    fn ill_formed(&mut self, count: u64) {
        self.counts.ill_formed += count;
        self.counts.code_points -= count;
    }
}

/// A line of `--format jsonl`.
#[derive(Debug, Serialize)]
struct JsonCounts<'a> {
    path: Option<&'a str>,
    bytes: u64,
    lines: u64,
    code_points: u64,
    ill_formed: u64,
    utf8: u64,
    utf16: u64,
    utf32: u64,
    latin1: Option<u64>,
}

pub(crate) fn run(args: Args, common: &Common) -> Outcome {
    let files = match args.names.all(&args.files, false) {
        Ok(files) => files,
        Err(refused) => {
            common.error(refused);
            return Outcome::Trouble;
        }
    };
    progress::start(common.quiet, &files);
    let mut outcome = Outcome::Clean;
    let report = Data::stdout().and_then(|mut data| {
        count_all(&args, &files, common, &mut data, &mut outcome)?;
        data.flush()?;
        Ok(Outcome::Clean)
    });
    outcome.max(common.written(report))
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
        let from = encodings.of(path, common);
        if args.sizes {
            let sizes = input::open(path)
                .and_then(|mut input| sizes::measure(&mut reader, &mut input, from, args.deflated));
            match (sizes, args.format.format) {
                (Ok(sizes), Format::Text) => {
                    let table = sizes::table(&name.to_string(), &sizes, common.data_styles());
                    data.write_all(table.as_bytes())?;
                }
                (Ok(sizes), Format::Jsonl) => sizes::write_json(data, &json_path(path), &sizes)?,
                (Err(e), _) => {
                    common.error(format_args!("{name}: {}", reason(&e)));
                    *outcome = Outcome::Trouble;
                }
            }
            continue;
        }
        if args.scripts {
            let scripts = input::open(path).and_then(|mut input| Scripts::of(&mut reader, &mut input, from));
            match (scripts, args.format.format) {
                (Ok(scripts), Format::Text) => {
                    let table = scripts::table(&name.to_string(), &scripts, common.data_styles());
                    data.write_all(table.as_bytes())?;
                }
                (Ok(scripts), Format::Jsonl) => scripts::write_json(data, &json_path(path), &scripts)?,
                (Err(e), _) => {
                    common.error(format_args!("{name}: {}", reason(&e)));
                    *outcome = Outcome::Trouble;
                }
            }
            continue;
        }
        let counted =
            input::open(path).and_then(|mut input| counter.count(&mut reader, &mut input.file, from));
        let counts = match counted {
            Ok(counts) => counts,
            Err(e) => {
                common.error(format_args!("{name}: {}", reason(&e)));
                *outcome = Outcome::Trouble;
                continue;
            }
        };
        total.add(&counts);
        match args.format.format {
            Format::Text if args.choice.is_made() && unnamed => {
                rows.push((String::new(), counts));
            }
            Format::Text => rows.push((name.to_string(), counts)),
            Format::Jsonl => write_json(data, Some(&json_path(path)), &counts, args.choice)?,
        }
    }
    let several = files.len() > 1;
    if args.sizes || args.scripts {
        return Ok(());
    }
    match args.format.format {
        Format::Jsonl if several => write_json(data, None, &total, args.choice),
        Format::Jsonl => Ok(()),
        Format::Text => {
            if several {
                rows.push(("total".into(), total));
            }
            let table = if args.choice.is_made() {
                chosen::table(&rows, args.choice)
            } else {
                table(&rows, common.data_styles())
            };
            data.write_all(table.as_bytes())
        }
    }
}

/// What stands for a file in JSON.
fn json_path(path: &Path) -> Cow<'_, str> {
    if streams::is_stdin(path) { Cow::Borrowed("<stdin>") } else { path.to_string_lossy() }
}

fn write_json(data: &mut Data, path: Option<&str>, counts: &Counts, choice: Choice) -> io::Result<()> {
    if choice.is_made() {
        return chosen::write_json(data, path, counts, choice);
    }
    let &Counts { bytes, lines, code_points, ill_formed, utf8, utf16, utf32, .. } = counts;
    let latin1 = counts.latin1();
    let line = JsonCounts { path, bytes, lines, code_points, ill_formed, utf8, utf16, utf32, latin1 };
    json::write_line(data, &line)
}

/// The counts in columns under their headings, the names of the files last.
fn table(rows: &[(String, Counts)], styles: Palette) -> String {
    const HEADINGS: [&str; 8] =
        ["bytes", "lines", "points", "ill-formed", "utf-8", "utf-16", "utf-32", "latin1"];
    let Palette { dim, error, .. } = styles;
    let cells: Vec<[String; 8]> = rows
        .iter()
        .map(|(_, counts)| {
            let latin1 = counts.latin1().map_or_else(|| "-".into(), |len| len.to_string());
            let Counts { bytes, lines, code_points, ill_formed, utf8, utf16, utf32, .. } = counts;
            let [a, b, c, d, e, f, g] =
                [bytes, lines, code_points, ill_formed, utf8, utf16, utf32].map(ToString::to_string);
            [a, b, c, d, e, f, g, latin1]
        })
        .collect();
    let mut to = String::new();
    if cells.is_empty() {
        return to;
    }
    let widths: [usize; 8] = core::array::from_fn(|i| {
        cells.iter().map(|row| row[i].len()).chain([HEADINGS[i].len()]).max().unwrap_or(0)
    });
    for (heading, width) in HEADINGS.iter().zip(widths) {
        _ = write!(to, "{dim}{heading:>width$}{dim:#}  ");
    }
    to.truncate(to.trim_end().len());
    to.push('\n');
    for ((name, counts), row) in rows.iter().zip(&cells) {
        for (i, (cell, width)) in row.iter().zip(widths).enumerate() {
            let style = if i == 3 && counts.ill_formed > 0 { error } else { anstyle::Style::new() };
            _ = write!(to, "{style}{cell:>width$}{style:#}  ");
        }
        _ = writeln!(to, "{name}");
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(bytes: &[u8], encoding: Encoding) -> Counts {
        let counted = Counter::new(Choice::default()).count(&mut Reader::new(), &mut { bytes }, encoding);
        counted.expect("slices can be read")
    }

    #[test]
    fn every_unit_of_a_text() {
        let text = "aé€😀\n";
        let wanted = Counts {
            bytes: 11,
            lines: 1,
            code_points: 5,
            ill_formed: 0,
            utf8: 11,
            utf16: 6,
            utf32: 5,
            beyond_latin1: true,
            chosen: Chosen::default(),
        };
        assert_eq!(count(text.as_bytes(), Encoding::UTF_8), wanted);
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(count(&utf16, Encoding::UTF_16BE), Counts { bytes: 12, ..wanted });
        assert_eq!(count(b"\xE9\xFF", Encoding::ISO_8859_1).latin1(), Some(2));
        assert_eq!(count("ÿ".as_bytes(), Encoding::UTF_8).latin1(), Some(1));
        assert_eq!(count("Ā".as_bytes(), Encoding::UTF_8).latin1(), None);
    }

    #[test]
    fn what_is_ill_formed_counts_as_its_replacement() {
        let counts = count(b"a\xE2\x82\xFFb", Encoding::UTF_8);
        assert_eq!((counts.code_points, counts.ill_formed), (2, 2));
        assert_eq!((counts.utf8, counts.utf16, counts.utf32, counts.latin1()), (8, 4, 4, None));
    }
}
