//! `placemat edit`: runs a UTF-8 filter over a file in any encoding. Bytes outside of its changes stay as they are.

mod changes;
mod compare;
mod filter;
mod line_ends;
mod parts;
mod shown;

use crate::common::Common;
use crate::config::Encodings;
use crate::input;
use crate::options::{FromArg, InPlace};
use crate::outcome::Outcome;
use crate::output::Data;
use crate::palette::Palette;
use crate::replace::{Became, Mtime, Successor};
use crate::shown::{Name, reason};
use crate::streams;
use crate::walk::Found;
use changes::Changes;
use line_ends::{Ends, Eol};
use placemat::Encoding;
use placemat::edit::Document;
use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;

/// Change a file in any encoding by a UTF-8 filter such as sed
///
/// The command decodes the file, passes its text to COMMAND in UTF-8, and writes the changes that COMMAND made back into the
/// file, in the file's own encoding. Everything else stays byte for byte: the signature, line ends, and bytes that do not
/// decode. It replaces the file as a whole or not at all. The file stays unchanged if COMMAND fails or writes nothing, or
/// if the encoding cannot represent its output.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat edit -f windows-1252 notes.txt -- sed 's/colour/color/'
  placemat edit -f shift_jis --dry-run --diff list.txt -- sort
  placemat edit -i.orig -f auto notes.txt -- tr A-Z a-z
  placemat edit -f utf-16 - -- tr a-z A-Z < in.txt > out.txt

A byte that does not decode is one private-use code point in the text, U+10FE00 plus the byte, and becomes the byte again. \
COMMAND may move it, copy it, and delete it with its line. The command changes the file itself without --in-place \
too; that option is for its SUFFIX.

Exit status:
  0  done, or COMMAND changed nothing
  1  the output of COMMAND is unmappable in the encoding, is not UTF-8, is
     empty, or lacks bytes that do not decode
  2  a usage or I/O error, or COMMAND failed")]
pub(crate) struct Args {
    /// The file to edit; `-` passes standard input to standard output
    #[arg(value_name = "FILE", value_parser = crate::options::any_path())]
    file: PathBuf,
    /// The program that reads and writes the text, with its arguments
    #[arg(value_name = "COMMAND", last = true, required = true, num_args = 1..)]
    command: Vec<OsString>,
    #[command(flatten)]
    from: FromArg,
    #[command(flatten)]
    in_place: InPlace,
    /// Say whether the file would change; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Print the changed lines, before and after
    #[arg(long)]
    diff: bool,
    /// Line ends for COMMAND: `lf` or `keep`
    #[arg(long, value_name = "FORM", value_enum, default_value_t)]
    eol: Eol,
    /// Let COMMAND change bytes that do not decode
    ///
    /// COMMAND may also delete them.
    #[arg(long)]
    lossy: bool,
    /// Let COMMAND empty the file
    #[arg(long)]
    allow_empty: bool,
}

/// A command may write this many bytes for any file, and for a long file this many for each of its bytes.
const MOST_OUTPUT_BYTES: u64 = 1 << 30;
const MOST_OUTPUT_PER_BYTE: u64 = 64;
/// The memory that an edit takes for each byte of the file and of the output. Texts of very short lines take more.
const MEMORY_PER_BYTE: usize = 8;

/// Why a file stays as it was.
enum Refusal {
    /// The outcome, and a complete message.
    Because(Outcome, String),
    /// Standard output does not take the data.
    Unwritten(std::io::Error),
}

impl Refusal {
    fn trouble(message: impl Into<String>) -> Self {
        Self::Because(Outcome::Trouble, message.into())
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    crate::replace::survive_limits();
    let is_stream = streams::is_stdin(&args.file);
    if is_stream && (args.diff || args.dry_run || args.in_place.is_given()) {
        common.error("--diff, --dry-run and --in-place need a file, not standard input");
        return Outcome::Trouble;
    }
    let Some(encoding) = Encodings::new(args.from).of(&args.file, common) else { return Outcome::Findings };
    let result = if is_stream { stream(args, encoding) } else { file(args, encoding, common) };
    match result {
        Ok(()) => Outcome::Clean,
        Err(Refusal::Because(outcome, message)) => {
            common.error(message);
            outcome
        }
        Err(Refusal::Unwritten(e)) => common.cannot_write(&Name::stdout(), &e),
    }
}

/// Edits standard input on its way to standard output.
fn stream(args: &Args, encoding: Encoding) -> Result<(), Refusal> {
    let said = |e| Refusal::trouble(input::trouble(&args.file, &e));
    let mut input = input::open(&args.file).map_err(said)?;
    let mut bytes = Vec::new();
    input.file.read_to_end(&mut bytes).map_err(said)?;
    let (edited, _) = edit(args, encoding, &input.name, &bytes, Palette::default())?;
    let mut out = Data::stdout().map_err(Refusal::Unwritten)?;
    out.write_all(&edited).and_then(|()| out.flush()).map_err(Refusal::Unwritten)
}

/// Edits a file in its place.
fn file(args: &Args, encoding: Encoding, common: &Common) -> Result<(), Refusal> {
    let name = Name::new(&args.file);
    let said = |e| Refusal::trouble(format!("{name}: {}; left as it was", reason(&e)));
    let found = Found { path: args.file.clone(), named: true, depth: 0 };
    // From here on, the file is locked.
    let (mut successor, mut file) = Successor::new(&found, args.dry_run).map_err(Refusal::trouble)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(said)?;
    let (edited, report) = edit(args, encoding, &name, &bytes, common.data_styles())?;
    successor.write_all(&edited).map_err(said)?;
    let became = successor.put(args.in_place.wishes(Mtime::Now), common).map_err(said)?;
    let mut out = report;
    match became {
        Became::Changed(Some(directory)) => directory.sync(),
        Became::Changed(None) => {
            out += &format!("{name}: would change, {} bytes to {}\n", bytes.len(), edited.len());
        }
        Became::Same => {}
    }
    if out.is_empty() {
        return Ok(());
    }
    let mut data = Data::stdout().map_err(Refusal::Unwritten)?;
    data.write_all(out.as_bytes()).and_then(|()| data.flush()).map_err(Refusal::Unwritten)
}

/// Whether there is memory to edit a text; the message, if not. A program that runs out of memory later ends without one.
fn enough_memory(bytes: usize) -> Result<(), String> {
    let wanted = bytes.saturating_mul(MEMORY_PER_BYTE);
    let reserved = Vec::<u8>::new().try_reserve_exact(wanted);
    reserved.map_err(|_| format!("there is not enough memory: an edit takes about {wanted} bytes"))
}

/// Passes the text of a file through the command. Returns the edited file, and the changed lines if they are wanted.
fn edit(
    args: &Args,
    encoding: Encoding,
    name: &Name,
    bytes: &[u8],
    styles: Palette,
) -> Result<(Vec<u8>, String), Refusal> {
    let because = |outcome, why: String| Refusal::Because(outcome, format!("{name}: {why}; left as it was"));
    enough_memory(bytes.len()).map_err(|why| because(Outcome::Trouble, why))?;
    let mut document =
        Document::open(bytes, encoding).map_err(|e| because(Outcome::Findings, e.to_string()))?;
    let old = document.text();
    let ends = Ends::of(&old, args.eol);
    let program = Name::new(&args.command[0]);
    let most = MOST_OUTPUT_BYTES.max(MOST_OUTPUT_PER_BYTE.saturating_mul(bytes.len() as u64));
    let output = filter::run(&args.command, &ends.shown(&old), most)
        .map_err(|why| because(Outcome::Trouble, format!("{program} {why}")))?;
    if output.is_empty() && !old.is_empty() && !args.allow_empty {
        let why = format!("the output of {program} is empty (--allow-empty accepts that)");
        return Err(because(Outcome::Findings, why));
    }
    enough_memory(bytes.len() + output.len()).map_err(|why| because(Outcome::Trouble, why))?;
    let output = match placemat::utf8::validate(&output) {
        Ok(text) => text,
        Err(e) => {
            return Err(because(Outcome::Findings, format!("the output of {program} is not UTF-8: {e}")));
        }
    };
    let new = ends.restored(output);
    let changes = Changes::between(&old, &new);
    if !args.lossy
        && let Some(lost) = changes.lost(&document)
    {
        let why = format!("the output of {program} lacks {lost} (--lossy accepts that)");
        return Err(because(Outcome::Findings, why));
    }
    changes
        .apply(&mut document)
        .map_err(|refused| because(Outcome::Findings, refused.reason(&program, encoding)))?;
    let diff = || shown::Diff { styles, stand_ins: document.stand_ins() }.of(name, &changes);
    let report = if args.diff { diff() } else { String::new() };
    Ok((document.to_bytes(), report))
}
