//! `placemat edit`: changes the text of a file in any encoding, by a UTF-8 filter or by a new text. Bytes outside of the
//! changes stay as they are.

pub(crate) mod breaks;
mod changes;
mod filter;
mod find;
#[cfg(test)]
mod foreign;
pub(crate) mod job;
pub(crate) mod line_ends;
mod parts;
pub(crate) mod refusal;
mod shown;
pub(crate) mod text;

use crate::cmd::repair::log::Log;
use crate::cmd::repair::undo::{self, Files, Wanted};
use crate::common::Common;
use crate::config::Encodings;
use crate::input;
use crate::options::{FromArg, InPlace, Verbose};
use crate::outcome::Outcome;
use crate::output::Data;
use crate::palette::Palette;
use crate::refused::Refused;
use crate::replace::{Became, Mtime, Successor};
use crate::shown::{Name, counted, escaped, reason};
use crate::streams;
use crate::walk::Found;
use changes::Changes;
use clap::ArgAction;
use job::{Done, Job};
use line_ends::{Ends, Eol};
use placemat::Encoding;
use placemat::edit::Document;
use refusal::{Refusal, enough_memory};
use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use text::{Edit, Lines, MAX_TEXT_BYTES, Rules};

/// Change text in a file of any encoding, and no other byte
///
/// --replace, --lines and --write put a new text, in UTF-8, into the file. With a COMMAND, the command passes the text of
/// the file to it in UTF-8, and takes its output for the new text. Either is written in the file's own encoding, and
/// everything else stays byte for byte: the signature, line ends, and bytes that do not decode. The command replaces the file
/// as a whole or not at all. The file stays unchanged if the encoding cannot represent the new text, or if COMMAND fails or
/// writes nothing.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "\
Examples:
  placemat edit notes.txt --replace colour color   the encoding stays
  placemat edit notes.txt --lines 10-12 --with 'one new line'
  placemat edit notes.txt --write new.txt          change only what differs
  placemat edit notes.txt --undo edit.log          take back what --log recorded
  placemat edit -f windows-1252 notes.txt -- sed 's/colour/color/'
  placemat edit -f shift_jis --dry-run --diff list.txt -- sort
  placemat edit -i.orig -f auto notes.txt -- tr A-Z a-z
  placemat edit -f utf-16 - -- tr a-z A-Z < in.txt > out.txt

A byte that does not decode is one private-use code point in the text, U+10FE00 plus the byte, and becomes the byte again. \
COMMAND may move it, copy it, and delete it with its line, as a new text may. The command changes the file itself without \
--in-place too; that option is for its SUFFIX.

Without -f, and where no configuration file declares the encoding, --replace, --lines and --write detect it. If it is not \
certain, the command changes nothing and names the likely ones. With a COMMAND, it is UTF-8.

Exit status:
  0  done, or nothing was to change
  1  the new text, or the output of COMMAND, is unmappable in the encoding, is
     not UTF-8, is empty, or lacks bytes that do not decode; the encoding is not
     certain; OLD does not occur, or more than once; there are no such lines
  2  a usage or I/O error, COMMAND failed, or --undo cannot restore the file")]
pub(crate) struct Args {
    /// The file to edit; `-` passes standard input to standard output
    #[arg(value_name = "FILE", value_parser = crate::options::any_path())]
    file: PathBuf,
    /// The program that reads and writes the text, with its arguments
    #[arg(value_name = "COMMAND", last = true, required_unless_present = "edit", conflicts_with = "edit", num_args = 1..)]
    command: Vec<OsString>,
    /// Put NEW in place of OLD, which must occur once
    ///
    /// Both are taken literally. A line end in OLD matches any line end.
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], action = ArgAction::Set, allow_hyphen_values = true, group = "edit")]
    replace: Option<Vec<String>>,
    /// With --replace: put NEW in place of each OLD
    #[arg(long, requires = "replace")]
    all: bool,
    /// Put the TEXT of --with in place of lines A to B
    ///
    /// 10-20 is a range, 10 one line, and 10- all lines from there on.
    #[arg(long, value_name = "A-B", value_parser = parse_lines, requires = "with", group = "edit")]
    lines: Option<Lines>,
    /// The new text for --lines; empty to delete them
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, requires = "lines")]
    with: Option<String>,
    /// Put this text, in UTF-8, in place of the whole text
    ///
    /// `-` is standard input. Only the bytes of what differs change, and unchanged lines keep their line ends.
    #[arg(long, value_name = "NEW", value_parser = crate::options::any_path(), group = "edit")]
    write: Option<PathBuf>,
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
    /// Record the change in this new file, for --undo
    ///
    /// The format is that of `placemat repair --log`. Not with COMMAND.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "command"], help_heading = "Output")]
    log: Option<PathBuf>,
    /// Restore the file from this log, byte for byte
    ///
    /// The file stays unchanged unless it has the length and the SHA-256 of the edited text. `placemat repair -i --undo LOG`
    /// restores all files of a log.
    #[arg(long, value_name = "LOG", conflicts_with_all = ["diff", "from", "log"], group = "edit", help_heading = "Output")]
    undo: Option<PathBuf>,
    /// Line ends for COMMAND, or of the new text: `lf` or `keep`
    #[arg(long, help_heading = "Output", value_name = "FORM", value_enum, default_value_t)]
    eol: Eol,
    /// Let the new text lack bytes that do not decode
    #[arg(long, help_heading = "Output")]
    lossy: bool,
    /// Let the new text be empty
    #[arg(long, help_heading = "Output")]
    allow_empty: bool,
    #[command(flatten)]
    verbose: Verbose,
}

/// A command may write this many bytes for any file, and for a long file this many for each of its bytes.
const MOST_OUTPUT_BYTES: u64 = 1 << 30;
const MOST_OUTPUT_PER_BYTE: u64 = 64;

/// Runs the command.
pub(crate) fn run(args: &Args, common: &Common) -> Outcome {
    if common.ok(args.from.check()).is_none() {
        return Outcome::Trouble;
    }
    crate::replace::survive_limits();
    let is_stream = streams::is_stdin(&args.file);
    if is_stream && (args.diff || args.dry_run || args.in_place.is_given()) {
        common.error("--diff, --dry-run and --in-place need a file, not standard input");
        return Outcome::Trouble;
    }
    if is_stream && (args.log.is_some() || args.undo.is_some()) {
        common.error("--log and --undo need a file, not standard input");
        return Outcome::Trouble;
    }
    if let Some(log) = &args.undo {
        let files = Files {
            paths: core::slice::from_ref(&args.file),
            recursive: false,
            verbose: args.verbose.verbose,
        };
        return undo::in_place(&files, log, &args.in_place, args.dry_run, Wanted::Named, common);
    }
    let result = match new_text(args) {
        Ok(None) => filtered(args, is_stream, common),
        Ok(Some(edit)) if is_stream => text_stream(args, &edit, common),
        Ok(Some(edit)) => text_file(args, &edit, common),
        Err(refusal) => Err(refusal),
    };
    match result {
        Ok(outcome) => outcome,
        Err(Refusal::Because(outcome, message)) => {
            common.error(message);
            outcome
        }
        Err(Refusal::Unwritten(e)) => common.cannot_write(&Name::stdout(), &e),
    }
}

/// Returns the edit that the options name; `None` for one by a command.
fn new_text(args: &Args) -> Result<Option<Edit>, Refusal> {
    if let Some([old, new]) = args.replace.as_deref() {
        return Ok(Some(Edit::Replace { old: old.clone(), new: new.clone(), all: args.all }));
    }
    if let (Some(lines), Some(text)) = (args.lines, &args.with) {
        return Ok(Some(Edit::Lines(lines, text.clone())));
    }
    let Some(path) = &args.write else { return Ok(None) };
    if streams::is_stdin(path) && streams::is_stdin(&args.file) {
        return Err(Refusal::trouble("standard input cannot be both the file and the new text"));
    }
    let said = |e| Refusal::trouble(input::trouble(path, &e));
    let (_, bytes) = input::read_whole(path, MAX_TEXT_BYTES as u64).map_err(said)?;
    match placemat::utf8::validate(&bytes) {
        Ok(text) => Ok(Some(Edit::Write(text.into()))),
        Err(e) => {
            let (name, new) = (Name::new(&args.file), input::name_of(path));
            let why = format!("{new}: the new text is not UTF-8: {e}; {name} left as it was");
            Err(Refusal::Because(Outcome::Findings, why))
        }
    }
}

impl Args {
    fn rules(&self) -> Rules {
        Rules { eol: self.eol, lossy: self.lossy, allow_empty: self.allow_empty, max_bytes: None }
    }

    /// Prints what was done, with `--verbose`.
    fn say(&self, name: &Name, done: &Done, common: &Common) {
        if self.verbose.verbose {
            common.line(format_args!("{name}: {}", done.said(self.dry_run)));
        }
    }
}

/// Puts a new text into standard input on its way to standard output.
fn text_stream(args: &Args, edit: &Edit, common: &Common) -> Result<Outcome, Refusal> {
    let (name, bytes) = read_stream(&args.file)?;
    let refused = |why| Refusal::Because(Outcome::Findings, why);
    let encoding = job::encoding_of(&bytes, &args.file, &name, args.from, common).map_err(refused)?;
    let edited = text::edited(&bytes, encoding, edit, args.rules(), &name, None);
    let edited = edited.map_err(|why| refused(format!("{name}: {why}")))?;
    let (before, after) = (bytes.len(), edited.bytes.len());
    let is_changed = bytes != edited.bytes;
    args.say(&name, &Done { encoding, before, after, diff: String::new(), is_changed }, common);
    write_data(&edited.bytes)
}

/// Puts a new text into a file.
fn text_file(args: &Args, edit: &Edit, common: &Common) -> Result<Outcome, Refusal> {
    let name = Name::new(&args.file);
    let found = Found { path: args.file.clone(), named: true, depth: 0, root: None };
    let mut log = args.log.as_deref().map(Log::create).transpose().map_err(Refusal::trouble)?;
    let job = Job {
        edit,
        rules: args.rules(),
        from: args.from,
        wishes: args.in_place.wishes(Mtime::Now),
        dry_run: args.dry_run,
        diff: args.diff.then(|| common.data_styles()),
        max_bytes: u64::MAX,
        common,
    };
    let done = job.in_place(&found, log.as_mut());
    if let (Err(_), Some(path)) = (&done, args.log.as_deref().filter(|path| !streams::is_stdin(path))) {
        // Nothing changed, so nothing is on record.
        drop(log);
        _ = std::fs::remove_file(path);
    }
    let done = done?;
    args.say(&name, &done, common);
    let mut report = done.diff;
    if args.dry_run && done.is_changed {
        report +=
            &format!("{name}: would change, {} to {}\n", counted(done.before as u64, "byte"), done.after);
    }
    write_data(report.as_bytes())
}

/// Edits the input by a command.
fn filtered(args: &Args, is_stream: bool, common: &Common) -> Result<Outcome, Refusal> {
    let Some(encoding) = Encodings::new(args.from).of(&args.file, common) else {
        return Ok(Outcome::Findings);
    };
    if is_stream { stream(args, encoding, common) } else { file(args, encoding, common) }
}

/// Reads standard input, or the copy of it.
fn read_stream(path: &Path) -> Result<(Name, Vec<u8>), Refusal> {
    input::read_whole(path, u64::MAX).map_err(|e| Refusal::trouble(input::trouble(path, &e)))
}

/// Writes to standard output, if there is something to write.
fn write_data(bytes: &[u8]) -> Result<Outcome, Refusal> {
    if !bytes.is_empty() {
        let mut data = Data::stdout().map_err(Refusal::Unwritten)?;
        data.write_all(bytes).and_then(|()| data.flush()).map_err(Refusal::Unwritten)?;
    }
    Ok(Outcome::Clean)
}

/// Returns a range of lines.
pub(crate) fn parse_lines(text: &str) -> Result<Lines, Refused> {
    Lines::parse(text).ok_or_else(|| {
        let shown = escaped(text.as_ref());
        Refused::new(format!("--lines takes lines, such as 10, 10-20 or 10-, and not \"{shown}\""))
    })
}

/// Edits standard input on its way to standard output.
fn stream(args: &Args, encoding: Encoding, common: &Common) -> Result<Outcome, Refusal> {
    let (name, bytes) = read_stream(&args.file)?;
    let (edited, _) = edit(args, encoding, &name, &bytes, Palette::default())?;
    let is_changed = bytes != edited;
    let (before, after) = (bytes.len(), edited.len());
    args.say(&name, &Done { encoding, before, after, diff: String::new(), is_changed }, common);
    write_data(&edited)
}

/// Edits a file in its place.
fn file(args: &Args, encoding: Encoding, common: &Common) -> Result<Outcome, Refusal> {
    let name = Name::new(&args.file);
    let said = |e| Refusal::trouble(format!("{name}: {}; left as it was", reason(&e)));
    let found = Found { path: args.file.clone(), named: true, depth: 0, root: None };
    // From here on, the file is locked.
    let (mut successor, mut file) = Successor::new(&found, args.dry_run).map_err(Refusal::trouble)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(said)?;
    let (edited, report) = edit(args, encoding, &name, &bytes, common.data_styles())?;
    successor.write_all(&edited).map_err(said)?;
    let became = successor.put(args.in_place.wishes(Mtime::Now), common).map_err(said)?;
    let is_changed = !matches!(became, Became::Same);
    let (before, after) = (bytes.len(), edited.len());
    args.say(&name, &Done { encoding, before, after, diff: String::new(), is_changed }, common);
    let mut out = report;
    match became {
        Became::Changed(Some(directory)) => directory.sync(),
        Became::Changed(None) => {
            out += &format!(
                "{name}: would change, {} to {}\n",
                counted(bytes.len() as u64, "byte"),
                edited.len()
            );
        }
        Became::Same => {}
    }
    write_data(out.as_bytes())
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
