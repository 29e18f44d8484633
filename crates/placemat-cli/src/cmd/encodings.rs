//! `placemat encodings`: the encodings, their names and their repertoires.

mod apple;
mod bytes;
mod cells;
pub(crate) mod chance;
mod explain;
mod grammar;
mod groups;
mod labels;
mod leads;
mod proposal;
mod search;
mod standards;
mod table;
mod well_formed;

use crate::common::Common;
use crate::options::{Format, FormatArg};
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::SCREEN;
use crate::shown::escaped;
use crate::shown::wrap;
use labels::Asked;
use placemat::Encoding;
use placemat::forms::{AsciiBytes, Labels};
use std::io::{self, IsTerminal as _, Write as _};

/// List the encodings, or explain one
///
/// On a terminal, the list is grouped by region and shows as many labels as fit. Elsewhere it has one line for each
/// encoding, with its region, its family, and all of its labels.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat encodings utf-16                 what is UTF-16?
  placemat encodings                        list all encodings
  placemat encodings --search turkish       which encodings are for Turkish?
  placemat encodings --search 'ebcdic euro'
  placemat encodings --search newline       which read the bytes 15 and 25 as line ends?
  placemat encodings cp1252 --table         show its code page
  placemat encodings utf-8 --grammar        UTF-8 as a regular expression
  placemat encodings utf-8 --chance 2       the chance that two bytes are UTF-8
  placemat encodings utf-8 --standards      who defined it, and what changed?
  placemat encodings fss-utf                and the proposal that it replaced
  placemat encodings --format jsonl         list them for a program

Labels match without regard to case and punctuation. latin1, iso-8859-1 and ascii name the true encodings, not \
windows-1252 as in browsers; the page of an encoding lists the labels that browsers use separately. NAME may also be a \
locale (de_DE.ISO8859-15@euro) or a Content-Type (text/html;charset=UTF-8).

A line of --format jsonl has: name, region, family, labels, iana (name and aliases of each registration), web_labels, about, \
specified_in, repertoire, signature, max_bytes, ascii_compatible, ascii_bytes, differs, used_by, on_the_web. Pages of EBCDIC also have newline, and newline_exchanged: the page with the other byte of LF. FSS-UTF and \
its proposal of 1992 also have proposal_and_adopted: the rows of both, and what a reader makes of each that starts in the \
middle. With --table, the line of each byte has encoding, byte, class, code_points, character, and for a byte that begins \
longer sequences an array sequences with length, lowest, highest and count; in UTF-8 also blocks, and for a byte in no text \
its reason. Sequences of two and three bytes are counted as they decode, sequences of four bytes as they encode.")]
pub(crate) struct Args {
    /// The encoding to explain, by its name or any of its labels
    #[arg(value_name = "NAME", value_parser = labels::ASKED, hide_possible_values = true)]
    name: Option<Asked>,
    /// List only encodings that match all of these words
    ///
    /// The words may be names, labels, regions, systems and languages.
    #[arg(short, long, value_name = "WORDS", conflicts_with = "name")]
    search: Option<String>,
    /// Show the code page: the meaning of each byte
    #[arg(long, requires = "name")]
    table: bool,
    /// With --table, use only ASCII for the output
    #[arg(long, requires = "table")]
    ascii: bool,
    /// For UTF-8: show its syntax as a regular expression
    ///
    /// Also in ABNF.
    #[arg(long, requires = "name", conflicts_with_all = ["table", "format"])]
    grammar: bool,
    /// For UTF-8: the chance that N other bytes match it
    ///
    /// The command shows how probable it is that N bytes which are not UTF-8 are well-formed.
    #[arg(long, value_name = "N", requires = "name", conflicts_with_all = ["table", "grammar"],
        value_parser = clap::value_parser!(u16).range(1..=chance::MAX_BYTES as i64))]
    chance: Option<u16>,
    /// For UTF-8: show the standards that defined it
    ///
    /// Also on which bytes they differ.
    #[arg(long, requires = "name", conflicts_with_all = ["table", "grammar", "chance", "format"])]
    standards: bool,
    #[command(flatten)]
    format: FormatArg,
}

/// Runs the command.
pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    let found;
    let chosen = match (&args.search, &args.name) {
        (Some(words), _) => {
            found = search::search(words);
            if found.is_empty() {
                let shown = escaped(words.as_ref());
                common.error(format_args!(
                    "no encoding matches \"{shown}\" (`placemat encodings` lists all encodings)"
                ));
                return Outcome::Findings;
            }
            &found
        }
        (None, Some(asked)) => core::slice::from_ref(&asked.meaning.encoding),
        (None, None) => Encoding::ALL,
    };
    if let Some(asked) = args.name.as_ref().filter(|_| args.table) {
        return show_table(asked.meaning.encoding, args, common);
    }
    if args.grammar || args.standards || args.chance.is_some() {
        return show_facts(args, common);
    }
    common.written(Data::stdout().and_then(|mut data| {
        match (args.format.format, &args.name) {
            (Format::Jsonl, Some(asked)) if asked.meaning.apple => {
                crate::json::write_line(&mut data, &apple::json())?;
            }
            (Format::Jsonl, _) => chosen.iter().try_for_each(|encoding| json(&mut data, *encoding))?,
            (Format::Text, None) if io::stdout().is_terminal() => grouped(&mut data, chosen, common)?,
            (Format::Text, None) => listed(&mut data, chosen, common)?,
            (Format::Text, Some(asked)) => told(&mut data, asked, common)?,
        }
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

/// `--table`.
fn show_table(encoding: Encoding, args: &Args, common: &Common) -> Outcome {
    let table = match table::Table::of(encoding) {
        Ok(table) => table,
        Err(why) => {
            common.error(format_args!("{encoding} has no table of bytes: {why}"));
            return Outcome::Trouble;
        }
    };
    common.written(Data::stdout().and_then(|mut data| {
        match args.format.format {
            Format::Text => data.write_all(table.text(common.data_styles(), args.ascii).as_bytes())?,
            Format::Jsonl => table.write_json(&mut data)?,
        }
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

/// `--grammar`, `--chance` and `--standards`.
fn show_facts(args: &Args, common: &Common) -> Outcome {
    let encoding = args.name.as_ref().map(|asked| asked.meaning.encoding);
    if let Some(encoding) = encoding.filter(|&encoding| encoding != Encoding::UTF_8) {
        common
            .error(format_args!("--grammar, --chance and --standards are about UTF-8, not about {encoding}"));
        return Outcome::Trouble;
    }
    common.written(Data::stdout().and_then(|mut data| {
        match args.chance.map(usize::from) {
            Some(n) if args.format.format == Format::Jsonl => {
                for chance in chance::chances(n) {
                    let line = serde_json::json!({
                        "bytes": n, "of": chance.of, "rfc3629": chance.now, "rfc2279": chance.then,
                    });
                    crate::json::write_line(&mut data, &line)?;
                }
            }
            Some(n) => data.write_all(chance::text(n).as_bytes())?,
            None if args.grammar => data.write_all(grammar::text().as_bytes())?,
            None => data.write_all(standards::text().as_bytes())?,
        }
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

/// Returns the encodings of each region below its name, with as many labels as fit.
fn grouped(data: &mut Data, chosen: &[Encoding], common: &Common) -> io::Result<()> {
    let styles = common.data_styles();
    let (heading, dim) = (styles.name, styles.dim);
    let width = chosen.iter().map(|encoding| encoding.name().len()).max().unwrap_or(0);
    let family = chosen.iter().map(|&encoding| groups::family(encoding).len()).max().unwrap_or(0);
    let room = SCREEN.saturating_sub(2 + width + 2 + family + 2);
    let mut gap = "";
    for region in groups::regions() {
        let mut of_region = chosen.iter().filter(|&&encoding| groups::region(encoding) == region).peekable();
        if of_region.peek().is_none() {
            continue;
        }
        writeln!(data, "{gap}{heading}{region}{heading:#}")?;
        gap = "\n";
        for &encoding in of_region {
            let labels = fitting(encoding.names().labels, room);
            let line = format!("  {:width$}  {:family$}  ", encoding.name(), groups::family(encoding));
            if labels.is_empty() {
                writeln!(data, "{}", line.trim_end())?;
            } else {
                writeln!(data, "{line}{dim}{labels}{dim:#}")?;
            }
        }
    }
    Ok(())
}

/// Returns the first labels that fit into `room` columns, and an ellipsis if there are more.
fn fitting(labels: Labels, room: usize) -> String {
    let all = labels.to_string();
    if all.len() <= room {
        return all;
    }
    const MORE: &str = " ...";
    let mut shown = String::new();
    for label in labels {
        let gap = usize::from(!shown.is_empty());
        if shown.len() + gap + label.len() + MORE.len() > room {
            break;
        }
        shown.extend(core::iter::repeat_n(' ', gap).chain(label.chars()));
    }
    shown + MORE
}

/// One line for each encoding, with all names that a search may need.
fn listed(data: &mut Data, chosen: &[Encoding], common: &Common) -> io::Result<()> {
    let style = common.data_styles().name;
    let most = |cell: &dyn Fn(Encoding) -> usize| chosen.iter().map(|&encoding| cell(encoding)).max();
    let width = most(&|encoding| encoding.name().len()).unwrap_or(0);
    let region = most(&|encoding| groups::region(encoding).len()).unwrap_or(0).max(6);
    let family = most(&|encoding| groups::family(encoding).len()).unwrap_or(0).max(6);
    writeln!(
        data,
        "{style}{:width$}  {:region$}  {:family$}  ALSO KNOWN AS{style:#}",
        "NAME", "REGION", "FAMILY"
    )?;
    for &encoding in chosen {
        let line = format!(
            "{:width$}  {:region$}  {:family$}  {}",
            encoding.name(),
            groups::region(encoding),
            groups::family(encoding),
            encoding.names().labels
        );
        writeln!(data, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The width of the headings of the explanation, in columns.
const LEFT: usize = 18;

/// Explains one encoding.
fn told(data: &mut Data, asked: &Asked, common: &Common) -> io::Result<()> {
    let style = common.data_styles().name;
    let encoding = asked.meaning.encoding;
    let names = encoding.names();
    let (name, about) =
        if asked.meaning.apple { (apple::NAME, apple::ABOUT) } else { (names.name, names.about) };
    writeln!(data, "{style}{name}{style:#}")?;
    for line in wrap(about, 0, SCREEN) {
        writeln!(data, "{line}")?;
    }
    writeln!(data)?;
    let mut row = |what: &str, value: &str| -> io::Result<()> {
        if value.is_empty() {
            return Ok(());
        }
        let mut what = what;
        for line in wrap(value, 0, SCREEN - LEFT - 1) {
            writeln!(data, "{style}{what:LEFT$}{style:#} {line}")?;
            what = "";
        }
        Ok(())
    };
    if asked.meaning.apple {
        row("labels", &apple::labels().join(" "))?;
        return apple::ROWS.iter().try_for_each(|(what, value)| row(what, value));
    }
    if !asked.label.eq_ignore_ascii_case(names.name) || asked.meaning.no_signature {
        row("this label", &asked.standing())?;
    }
    let registered = labels::describe(&labels::registered(encoding));
    row("labels of IANA", if registered.is_empty() { "none" } else { &registered })?;
    row("labels on the web", if names.web_labels.is_empty() { "none" } else { "" })?;
    row("labels on the web", &names.web_labels.to_string())?;
    row("other labels", &labels::understood(encoding).join(" "))?;
    row("holds", encoding.repertoire().describe())?;
    row("region", groups::region(encoding))?;
    row("family", groups::family(encoding))?;
    row("signature", if encoding.signature().is_empty() { "none" } else { "" })?;
    row("signature", &hex(encoding.signature()))?;
    let longest = encoding.max_bytes();
    let s = if longest == 1 { "" } else { "s" };
    row("longest", &format!("{longest} byte{s} for a code point"))?;
    row("differs from UTF-8", explain::differs(encoding))?;
    row("used by", explain::used_by(encoding))?;
    row("on the web", explain::OnTheWeb::of(encoding).describe())?;
    row("ASCII", ascii_bytes(encoding))?;
    row("newline", explain::newline(encoding).as_deref().unwrap_or_default())?;
    if let Some((byte, page)) = explain::exchanged(encoding) {
        row(&format!("LF at {byte:02x}"), page)?;
    }
    row("specified in", names.specified_in)?;
    if proposal::is_about(encoding) {
        write!(data, "\n{}", proposal::text())?;
    }
    Ok(())
}

/// Returns the meaning of bytes below 80 in words, and whether they can be mistaken for markup.
fn ascii_bytes(encoding: Encoding) -> &'static str {
    match encoding.facts().ascii {
        AsciiBytes::Always => "bytes below 80 are ASCII, always and only",
        AsciiBytes::NotOnly => "bytes below 80 are ASCII, and so are some others: unsafe for markup",
        AsciiBytes::InSequences => "bytes below 80 are ASCII or later bytes of a sequence: unsafe for markup",
        AsciiBytes::Shifted => "bytes below 80 are ASCII or other text, as shifts say: unsafe for markup",
        AsciiBytes::Never => "bytes below 80 are not ASCII: unsafe for markup",
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// One object per line. Names and labels are plain ASCII; the sentences may contain any text.
fn json(data: &mut Data, encoding: Encoding) -> io::Result<()> {
    let names = encoding.names();
    let mut object = serde_json::json!({
        "name": names.name,
        "region": groups::region(encoding),
        "family": groups::family(encoding),
        "labels": names.labels.iter().collect::<Vec<_>>(),
        "iana": labels::registered(encoding).iter().map(|registered| serde_json::json!({
            "name": registered.name, "aliases": registered.aliases,
        })).collect::<Vec<_>>(),
        "web_labels": names.web_labels.iter().collect::<Vec<_>>(),
        "about": names.about,
        "specified_in": names.specified_in,
        "repertoire": encoding.repertoire().describe(),
        "signature": hex(encoding.signature()),
        "max_bytes": encoding.max_bytes(),
        "ascii_compatible": encoding.is_ascii_compatible(),
        "ascii_bytes": ascii_bytes(encoding),
        "differs": explain::differs(encoding),
        "used_by": explain::used_by(encoding),
        "on_the_web": explain::OnTheWeb::of(encoding).describe(),
    });
    if let Some(newline) = explain::newline(encoding) {
        object["newline"] = newline.into();
    }
    if let Some((_, page)) = explain::exchanged(encoding) {
        object["newline_exchanged"] = page.into();
    }
    if proposal::is_about(encoding) {
        object["proposal_and_adopted"] = proposal::json();
    }
    crate::json::write_line(data, &object)
}
