//! `placemat encodings`: what exists, under which names, and what each can hold.

use super::{Common, Outcome};
use crate::args::{EncodingParser, Format, FormatArg};
use crate::output::Data;
use placemat::Encoding;
use std::io::{self, Write as _};

/// List the encodings: names, labels, what each can hold
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Labels are compared without regard to case and punctuation. latin1, iso-8859-1 and ascii are the true ones; \
what a browser takes a label for is listed apart.

Examples:
  placemat encodings                  all of them
  placemat encodings utf-16           one, explained
  placemat encodings --format jsonl   for programs")]
pub(crate) struct Args {
    /// Explain this one; any label will do
    #[arg(value_name = "NAME", value_parser = EncodingParser, hide_possible_values = true)]
    name: Option<Encoding>,
    #[command(flatten)]
    format: FormatArg,
}

/// Runs the command.
pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    let chosen = args.name.as_ref().map_or(Encoding::ALL, core::slice::from_ref);
    common.written(Data::stdout().and_then(|mut data| {
        match (args.format.format, args.name) {
            (Format::Jsonl, _) => chosen.iter().try_for_each(|encoding| json(&mut data, *encoding))?,
            (Format::Text, None) => table(&mut data, common)?,
            (Format::Text, Some(encoding)) => explain(&mut data, encoding, common)?,
        }
        data.flush()?;
        Ok(Outcome::Clean)
    }))
}

/// One line each.
fn table(data: &mut Data, common: &Common) -> io::Result<()> {
    let style = common.data_styles().name;
    let width = Encoding::ALL.iter().map(|encoding| encoding.name().len()).max().unwrap_or(0);
    let column = Encoding::ALL.iter().map(|encoding| holds(*encoding).len()).max().unwrap_or(0);
    writeln!(data, "{style}{:width$}  {:column$}  ALSO KNOWN AS{style:#}", "NAME", "HOLDS")?;
    for encoding in Encoding::ALL {
        let line = format!(
            "{:width$}  {:column$}  {}",
            encoding.name(),
            holds(*encoding),
            encoding.names().labels.join(" ")
        );
        writeln!(data, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The short form of what it holds, for the table.
fn holds(encoding: Encoding) -> &'static str {
    let words = encoding.repertoire().describe();
    let words = words.strip_prefix("scalar values: ").unwrap_or(words);
    words.split(", ").next().unwrap_or(words)
}

/// Everything about one.
fn explain(data: &mut Data, encoding: Encoding, common: &Common) -> io::Result<()> {
    let style = common.data_styles().name;
    let names = encoding.names();
    writeln!(data, "{style}{}{style:#}", names.name)?;
    writeln!(data, "{}", names.about)?;
    writeln!(data)?;
    let mut row = |what: &str, value: &str| {
        if value.is_empty() { Ok(()) } else { writeln!(data, "{style}{what:18}{style:#} {value}") }
    };
    row("labels", &names.labels.join(" "))?;
    row("labels on the web", if names.web_labels.is_empty() { "none" } else { "" })?;
    row("labels on the web", &names.web_labels.join(" "))?;
    row("holds", encoding.repertoire().describe())?;
    row("signature", if encoding.signature().is_empty() { "none" } else { "" })?;
    row("signature", &hex(encoding.signature()))?;
    let longest = encoding.max_bytes();
    let s = if longest == 1 { "" } else { "s" };
    row("longest", &format!("{longest} byte{s} for a code point"))?;
    row("differs from UTF-8", encoding.differs())?;
    row("used by", encoding.used_by())?;
    row("on the web", encoding.on_the_web().describe())?;
    row("ASCII", encoding.ascii_bytes().describe())?;
    row("specified in", names.specified_in)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// One object a line. Names and labels are plain ASCII; the sentences may hold anything.
fn json(data: &mut Data, encoding: Encoding) -> io::Result<()> {
    let names = encoding.names();
    let object = serde_json::json!({
        "name": names.name,
        "labels": names.labels,
        "web_labels": names.web_labels,
        "about": names.about,
        "specified_in": names.specified_in,
        "repertoire": encoding.repertoire().describe(),
        "signature": hex(encoding.signature()),
        "max_bytes": encoding.max_bytes(),
        "ascii_compatible": encoding.is_ascii_compatible(),
        "ascii_bytes": encoding.ascii_bytes().describe(),
        "differs": encoding.differs(),
        "used_by": encoding.used_by(),
        "on_the_web": encoding.on_the_web().describe(),
    });
    crate::json::write_line(data, &object)
}
