//! `placemat inspect`: bytes, bits, code points and names, side by side.

mod bits;
mod framing;
mod spelled;
mod steps;
mod strings;
mod views;

use crate::common::Common;
use crate::config::Encodings;
use crate::failure::Failure;
use crate::input;
use crate::options::{Format, FormatArg, FromArg, parse_number};
use crate::outcome::Outcome;
use crate::output::Data;
use crate::palette::Palette;
use crate::refused::Refused;
use crate::shown::{Name, reason};
use bits::Base;
use clap::ValueEnum;
use core::ops::Range;
use placemat::stream::Transcoder;
use placemat::{ConvertError, Encoding, ErrorPolicy, UnmappablePolicy};
use placemat_diagnose::{Case, Diagnosis, Part as Whole, describe};
use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use steps::{Item, Source, Steps, What};
use strings::{Begun, FramingArg};
use views::{BitLines, Escapes, HexLines, JsonLines, Part, Table, View};

/// Show bytes, bits, code points and names, side by side
///
/// The table has two lines for each code point: its bytes above their bits, and beside them the code point, the character,
/// the general category, the script, the width on a terminal, and the name. A dot separates the marker bits of a byte from
/// the bits of the code point. Colors: lead bytes yellow, continuation bytes blue, ill-formed sequences red.
///
/// For a Java class file, the command shows the strings of the constant pool, one per line; --framing reads other files of
/// strings in Modified UTF-8. It doubles a backslash in the text, and escapes what a terminal would obey.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat inspect --text 'é€😀'              what is this in UTF-8?
  placemat inspect --text 'é' -f utf-16       and in UTF-16?
  placemat inspect notes.txt --range 57..70   what is at byte 57?
  placemat inspect --as escapes notes.txt     write \\u{20ac} and the like
  placemat inspect --text '€' --base 8        octal: 342 202 254 is 20254
  placemat inspect Main.class                 the strings of a class file

A line of --format jsonl has: byte_offset, length, bytes (hex), code_point, character, name, block, category, \
script, width. For an ill-formed sequence, it has kind and reason, and the fields from code_point on are null. \
A line for a string of a class file or of --framing has: index, byte_offset, length, bytes (hex), text (with U+FFFD for \
ill-formed sequences and lone surrogates), kind and reason of the first ill-formed sequence.")]
pub(crate) struct Args {
    /// The file to show; standard input if there is none, or for `-`
    #[arg(value_name = "FILE", value_parser = crate::options::any_path())]
    file: Option<PathBuf>,
    /// Show STRING, encoded in ENCODING
    #[arg(long, value_name = "STRING", conflicts_with = "file")]
    text: Option<OsString>,
    #[command(flatten)]
    from: FromArg,
    /// Show only the bytes from offset A to B: `57..70`
    ///
    /// B itself is not included. Also `57..`, `..70` and `0x39..0x46`. Sequences that are partly in the range are shown whole.
    #[arg(long, value_name = "A..B", value_parser = parse_range, default_value = "..", hide_default_value = true)]
    range: Range<u64>,
    /// Show a table, hex, bits or escapes
    #[arg(long = "as", value_name = "VIEW", value_enum)]
    view: Option<ViewArg>,
    /// The base of numbers: 16, 8 or 2
    ///
    /// For bytes and code points in table and bits. With 8 or 2, the table has a third line: the code point as one binary
    /// number whose digits have the color of the byte that carries them.
    #[arg(
        long,
        value_name = "BASE",
        value_enum,
        default_value = "16",
        hide_default_value = true,
        hide_possible_values = true
    )]
    base: BaseArg,
    /// Show at most LIMIT code points; 0 means all
    ///
    /// The default is 256 in table and bits, and all otherwise.
    #[arg(short = 'n', long, value_name = "LIMIT", allow_negative_numbers = true, value_parser = |text: &str| parse_number("--limit", text))]
    limit: Option<u64>,
    /// Show the strings of a file of Modified UTF-8
    ///
    /// The default is class for a file that begins like a class file.
    #[arg(long, value_name = "KIND", value_enum, conflicts_with_all = ["text", "from", "range", "view", "base"])]
    framing: Option<FramingArg>,
    #[command(flatten)]
    format: FormatArg,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum BaseArg {
    #[value(name = "16")]
    Sixteen,
    #[value(name = "8")]
    Eight,
    #[value(name = "2")]
    Two,
}

impl From<BaseArg> for Base {
    fn from(base: BaseArg) -> Self {
        match base {
            BaseArg::Sixteen => Self::Sixteen,
            BaseArg::Eight => Self::Eight,
            BaseArg::Two => Self::Two,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum ViewArg {
    /// Two lines for each code point, with all properties; the default
    Table,
    /// Sixteen bytes per line, with their text
    Hex,
    /// One line for each code point
    Bits,
    /// ASCII as it is, other code points as \u{20ac}, ill-formed bytes as \xff
    Escapes,
}

/// Code points that are shown in the long views.
const LIMIT: u64 = 256;

fn parse_range(text: &str) -> Result<Range<u64>, Refused> {
    let number = |text: &str, default: u64| match text.strip_prefix("0x") {
        _ if text.is_empty() => Some(default),
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    let parsed = text.split_once("..").and_then(|(start, end)| {
        let range = number(start, 0)?..number(end, u64::MAX)?;
        (range.start <= range.end).then_some(range)
    });
    parsed.ok_or_else(|| {
        let shown = crate::shown::escaped(text.as_ref());
        Refused::new(format!("--range takes A..B with A at most B, such as 57..70, and not \"{shown}\""))
    })
}

pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    if common.ok(args.from.check()).is_none() {
        return Outcome::Trouble;
    }
    if args.view.is_some() && args.format.format == Format::Jsonl {
        common.error("--as applies to the text format, and cannot be combined with --format jsonl");
        return Outcome::Trouble;
    }
    let has_base = args.format.format == Format::Text
        && matches!(args.view, None | Some(ViewArg::Table | ViewArg::Bits));
    if args.base != BaseArg::Sixteen && !has_base {
        common.error("--base applies to the views table and bits");
        return Outcome::Trouble;
    }
    match &args.text {
        Some(text) => {
            let text = text.as_encoded_bytes();
            let from = args.from.named().unwrap_or(Encoding::UTF_8);
            if from == Encoding::UTF_8 {
                return inspect(args, common, from, text, &Name::new("--text"));
            }
            let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
            match Transcoder::new(Encoding::UTF_8, from).on_error(d).on_unmappable(u).transcode(text) {
                Ok(bytes) => inspect(args, common, from, &*bytes, &Name::new("--text")),
                Err(ConvertError::IllFormed(e)) => {
                    let (before, following) = text.split_at_checked(e.valid_up_to()).unwrap_or_default();
                    common
                        .error(format_args!("--text: {}", describe(&e, Encoding::UTF_8, before, following)));
                    Outcome::Findings
                }
                Err(ConvertError::Unmappable(e)) => {
                    let text = e.code_point().to_char().map(String::from).unwrap_or_default();
                    let shown = crate::shown::escaped(text.as_ref());
                    common.error(format_args!("--text: {from} cannot represent \"{shown}\""));
                    Outcome::Findings
                }
                Err(e) => {
                    common.error(format_args!("--text: {e}"));
                    Outcome::Findings
                }
            }
        }
        None => {
            let path = args.file.clone().unwrap_or_else(|| "-".into());
            let Some(from) = Encodings::new(args.from).of(&path, common) else { return Outcome::Findings };
            let begun = input::open(&path).and_then(|input| Ok((Begun::new(input.file)?, input.name)));
            match begun {
                Ok((file, name)) => match args.framing.unwrap_or(FramingArg::None) {
                    FramingArg::None if !(args.is_plain() && file.is_class()) => {
                        inspect(args, common, from, file, &name)
                    }
                    framing => strings::show((args.format.format, args.limit), common, framing, file, &name),
                },
                Err(e) => {
                    common.error(format_args!("{}: {}", input::name_of(&path), reason(&e)));
                    Outcome::Trouble
                }
            }
        }
    }
}

impl Args {
    /// Returns `true` if a class file is shown by its strings: nothing else is asked for.
    fn is_plain(&self) -> bool {
        let Self { framing, range, view, base, from, .. } = self;
        framing.is_none()
            && *range == (0..u64::MAX)
            && view.is_none()
            && *base == BaseArg::Sixteen
            && from.from.is_none()
    }
}

fn inspect(args: &Args, common: &Common, from: Encoding, stream: impl Source, name: &Name) -> Outcome {
    let mut data = match Data::stdout() {
        Ok(data) => data,
        Err(e) => return common.cannot_write(&Name::stdout(), &e),
    };
    let shown = show(args, common, from, stream, &mut data);
    // The part that could be read is shown before the error is reported.
    let flushed = data.flush().map_err(Failure::Writing);
    match shown.and_then(|cut| flushed.map(|()| cut)) {
        Ok(None) => Outcome::Clean,
        Ok(Some(offset)) => {
            common.line(format_args!("{name}: output stopped at byte {offset}; -n 0 shows all of it"));
            Outcome::Clean
        }
        Err(Failure::Reading(e)) => {
            common.error(format_args!("{name}: {}", reason(&e)));
            Outcome::Trouble
        }
        Err(Failure::Writing(e)) => common.cannot_write(&Name::stdout(), &e),
    }
}

/// Shows the stream. Returns the offset at which the output stopped, if it did.
fn show(
    args: &Args,
    common: &Common,
    from: Encoding,
    stream: impl Source,
    data: &mut Data,
) -> Result<Option<u64>, Failure> {
    let kind = args.view.unwrap_or(ViewArg::Table);
    let mut view = view(kind, args.format.format, args.base.into(), common.data_styles());
    let long = args.format.format == Format::Text && matches!(kind, ViewArg::Table | ViewArg::Bits);
    let limit = match args.limit {
        None if long => LIMIT,
        None | Some(0) => u64::MAX,
        Some(limit) => limit,
    };
    let mut steps = Steps::new(stream, from).map_err(Failure::Reading)?;
    steps.skip_to(args.range.start).map_err(Failure::Reading)?;
    let mut text = String::new();
    let write = |text: &mut String, data: &mut Data| {
        let written = data.write_all(text.as_bytes()).map_err(Failure::Writing);
        text.clear();
        written
    };
    let mut reasons = Reasons::default();
    let mut shown = 0;
    let ended = loop {
        let item = match steps.next() {
            Ok(Some(item)) if item.offset < args.range.end => item,
            Ok(_) => break Ok(None),
            Err(e) => break Err(Failure::Reading(e)),
        };
        let reason = reasons.of(&item, &steps);
        if item.end() <= args.range.start {
            continue;
        }
        if shown == limit {
            break Ok(Some(item.offset));
        }
        shown += 1;
        let (bytes, encoding) = (steps.bytes(&item), steps.encoding());
        view.part(&Part { offset: item.offset, bytes, encoding, what: item.what, reason }, &mut text);
        write(&mut text, data)?;
    };
    view.finish(&mut text);
    write(&mut text, data)?;
    ended
}

fn view(kind: ViewArg, format: Format, base: Base, styles: Palette) -> Box<dyn View> {
    match (format, kind) {
        (Format::Jsonl, _) => Box::new(JsonLines),
        (Format::Text, ViewArg::Table) => Box::new(Table::new(styles, base)),
        (Format::Text, ViewArg::Hex) => Box::new(HexLines::new(styles)),
        (Format::Text, ViewArg::Bits) => Box::new(BitLines { styles, base }),
        (Format::Text, ViewArg::Escapes) => Box::new(Escapes::default()),
    }
}

/// The diagnoses of ill-formed sequences.
#[derive(Default)]
struct Reasons {
    diagnosis: Diagnosis,
    part: Option<Whole>,
}

impl Reasons {
    fn of<R: Source>(&mut self, item: &Item, steps: &Steps<R>) -> &str {
        let What::IllFormed(error) = &item.what else { return "" };
        let part_of = self.part.filter(|part| item.offset < part.end);
        let (before, following) = steps.around(item);
        self.diagnosis.make(&Case { before, following, part_of, ..Case::new(error, steps.encoding()) });
        self.part = part_of.or_else(|| self.diagnosis.part(error));
        &self.diagnosis.reason
    }
}
