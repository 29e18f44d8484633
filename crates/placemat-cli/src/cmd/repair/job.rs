//! One input after the other: reads, repairs, writes and records.

use super::args::{Args, Errors};
use super::log::{Log, Section};
use super::report::Report;
use super::target::Target;
use crate::common::Common;
use crate::input::{self, Input};
use crate::lines::{Place, Tracker};
use crate::outcome::Outcome;
use crate::output::Data;
use crate::replace::{Became, Mtime, Successor};
use crate::scan::is_format;
use crate::shown::{Name, counted, reason};
use crate::streams;
use crate::walk::Found;
use core::fmt::Write as _;
use placemat::repair::{Change, Repairer, Step};
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write};
use std::path::Path;

/// The bytes that are read at a time.
const PIECE_BYTES: usize = 64 * 1024;
/// The first bytes that show whether a file is text.
const HEAD: usize = 8 * 1024;

/// `--in-place` leaves a file in which at least this many sequences, and more than this share of the bytes, cannot be read.
const MIN_REFUSED_SEQUENCES: u64 = 16;
const MAX_LOST_PER_CENT: u64 = 2;

/// A run over several inputs.
pub(super) struct Job<'a> {
    args: &'a Args,
    common: &'a Common,
    /// Standard output, if reports go there.
    data: Option<Data>,
}

/// The reason why an input was not repaired.
enum Failed {
    Read(io::Error),
    Write(io::Error),
    Log(io::Error),
    /// `--errors strict`: text is lost at this offset.
    Refused(u64),
    /// Too much of a file would be lost for `--in-place`.
    TooMuch(Counts),
}

/// The counts of one input.
#[derive(Default)]
struct Counts {
    steps: [u64; Step::ALL.len()],
    read: u64,
    written: u64,
    /// The bytes that could not be read, and the place of the first of them.
    lost_bytes: u64,
    first_lost: Option<FirstLost>,
}

/// The place of the first sequence that could not be read.
#[derive(Clone, Copy)]
struct FirstLost {
    place: Place,
    offset: u64,
}

impl Counts {
    fn lost(&self) -> u64 {
        self.steps[Step::Lost as usize]
    }

    fn all(&self) -> u64 {
        self.steps.iter().sum()
    }

    /// Whether so much is lost that `--in-place` leaves the file as it was.
    fn is_too_much(&self) -> bool {
        self.lost() >= MIN_REFUSED_SEQUENCES && self.lost_bytes * 100 > self.read * MAX_LOST_PER_CENT
    }

    /// The lost text in words: `3 sequences (4 bytes) cannot be read, the first at 2:7 (byte 31)`.
    fn loss(&self) -> String {
        let sequences = self.lost();
        let mut text = format!(
            "{} ({}) cannot be read",
            counted(sequences, "sequence"),
            counted(self.lost_bytes, "byte")
        );
        if let Some(FirstLost { place, offset }) = self.first_lost {
            let first = if sequences == 1 { "" } else { "the first " };
            _ = write!(text, ", {first}at {}:{} (byte {offset})", place.line, place.column);
        }
        text
    }
}

impl<'a> Job<'a> {
    pub(super) const fn new(args: &'a Args, common: &'a Common, data: Option<Data>) -> Self {
        Self { args, common, data }
    }

    pub(super) fn into_report(self) -> Option<Data> {
        self.data
    }

    fn repairer(&self) -> Repairer {
        let mut repairer =
            Repairer::new().min_confidence(self.args.min_confidence).lost(self.args.errors.into());
        if !self.args.steps.is_empty() {
            repairer = repairer.steps(self.args.steps.iter().copied().chain([Step::Lost]));
        }
        match self.args.fallback {
            Some(encoding) => repairer.fallback(encoding),
            None => repairer,
        }
    }

    /// Repairs an input into the common target.
    pub(super) fn stream(
        &mut self,
        input: Input,
        path: &Path,
        target: &mut Target,
        log: Option<&mut Log>,
    ) -> Result<Outcome, String> {
        let Input { name, mut file } = input;
        match self.repair(&mut file, &name, path, target, log) {
            Ok(counts) => Ok(self.done(&name, &counts)),
            Err(Failed::Write(e)) => Ok(self.common.cannot_write(target.name(), &e)),
            Err(failed) => self.failed(&name, failed, "not repaired"),
        }
    }

    /// Repairs a file in place.
    pub(super) fn in_place(&mut self, found: &Found, mut log: Option<&mut Log>) -> Result<Outcome, String> {
        let name = Name::new(&found.path);
        let (mut successor, mut file) = Successor::new(found, self.args.dry_run)?;
        if !self.args.walk.text && is_binary(&mut file).map_err(|e| format!("{name}: {}", reason(&e)))? {
            if found.named {
                // Nothing but --log leads back.
                self.common.error(format_args!("{name}: is binary; left as it was (-a repairs it anyway)"));
                return Ok(Outcome::Findings);
            }
            return Ok(Outcome::Clean);
        }
        let counts = match self.repair(&mut file, &name, &found.path, &mut successor, log.as_deref_mut()) {
            Ok(counts) => counts,
            Err(failed) => return self.failed(&name, failed, "left as it was"),
        };
        // The record is on the disk before the file changes.
        if let Some(log) = log
            && let Err(e) = log.sync()
        {
            return self.failed(&name, Failed::Log(e), "left as it was");
        }
        match successor.put(self.args.in_place.wishes(Mtime::Keep), self.common) {
            Ok(became) => {
                if let Became::Changed(Some(directory)) = became {
                    directory.sync();
                }
                if counts.lost() > 0 && !self.args.dry_run {
                    self.warn_of_loss(&name, &counts);
                }
                Ok(self.done(&name, &counts))
            }
            Err(e) => Err(format!("{name}: {}; left as it was", reason(&e))),
        }
    }

    /// Warns which text a file that was repaired in place has lost, and which option would keep it.
    fn warn_of_loss(&self, name: &Name, counts: &Counts) {
        let (what, advice) = match self.args.errors {
            Errors::BackslashReplace => ("\\xHH stands there", ""),
            Errors::Replace | Errors::Strict => {
                ("U+FFFD stands there", ", or keep their bytes as \\xHH with --errors backslashreplace")
            }
        };
        self.common.warn(format_args!(
            "{name}: {}: {what} now (name the encoding of such bytes with --fallback{advice})",
            counts.loss()
        ));
    }

    /// Reports a failure.
    fn failed(&self, name: &Name, failed: Failed, result: &str) -> Result<Outcome, String> {
        match failed {
            Failed::Read(e) | Failed::Write(e) => Err(format!("{name}: {}; {result}", reason(&e))),
            Failed::Log(e) => Ok(self.common.cannot_write(&log_name(self.args), &e)),
            Failed::Refused(offset) => {
                self.common.error(format_args!(
                    "{name}: {result}: the text of ill-formed bytes is lost at byte {offset} (--errors replace puts U+FFFD there)"
                ));
                Ok(Outcome::Findings)
            }
            Failed::TooMuch(counts) => {
                let result = if self.args.dry_run { "would be left as it was" } else { result };
                self.common.error(format_args!(
                    "{name}: {result}: {}, more than {MAX_LOST_PER_CENT} % of its bytes \
                     (name their encoding with --fallback; --force repairs the file anyway)",
                    counts.loss()
                ));
                Ok(Outcome::Findings)
            }
        }
    }

    /// Repairs one input.
    fn repair(
        &mut self,
        file: &mut File,
        name: &Name,
        path: &Path,
        to: &mut impl Write,
        log: Option<&mut Log>,
    ) -> Result<Counts, Failed> {
        let mut repairer = self.repairer();
        let mut section = log.map(|log| Section::begin(log, path)).transpose().map_err(Failed::Log)?;
        let styles =
            if self.data.is_some() { self.common.data_styles() } else { self.common.message_styles() };
        let mut report = Report::new(name, self.args.explain, self.args.diff, styles);
        let mut counts = Counts::default();
        // The place in the repaired text, as far as the first loss.
        let mut tracker = self.args.in_place.is_given().then(Tracker::default);
        let mut piece = vec![0; PIECE_BYTES];
        // A file is read twice: all of its ill-formed bytes decide about each.
        if file.metadata().is_ok_and(|metadata| metadata.is_file()) && self.args.fallback.is_none() {
            let start = file.stream_position().map_err(Failed::Read)?;
            loop {
                match input::read(file, &mut piece).map_err(Failed::Read)? {
                    0 => break,
                    read => repairer.learn(&piece[..read]),
                }
            }
            file.seek(SeekFrom::Start(start)).map_err(Failed::Read)?;
        }
        let (mut text, mut changes) = (String::new(), Vec::<Change>::new());
        loop {
            let read = input::read(file, &mut piece).map_err(Failed::Read)?;
            let bytes = &piece[..read];
            counts.read += read as u64;
            report.source(bytes);
            if let Some(section) = &mut section {
                section.source(bytes);
            }
            if read > 0 {
                repairer.push(bytes, &mut text, |change| changes.push(change));
            } else {
                if let Some(section) = &mut section {
                    section.encoding(repairer.encoding());
                }
                repairer.finish(&mut text, |change| changes.push(change));
            }
            for change in &changes {
                counts.steps[change.step as usize] += 1;
                if change.step == Step::Lost {
                    counts.lost_bytes += change.before.len() as u64;
                    if let Some(mut tracker) = tracker.take() {
                        let before = usize::try_from(change.repaired_offset - counts.written).unwrap_or(0);
                        tracker.text(&text.as_bytes()[..before.min(text.len())]);
                        counts.first_lost = Some(FirstLost { place: tracker.place(), offset: change.offset });
                    }
                }
                if change.step == Step::Lost && self.args.errors == Errors::Strict {
                    return Err(Failed::Refused(change.offset));
                }
            }
            if let Some(tracker) = &mut tracker {
                tracker.text(text.as_bytes());
            }
            self.tell(report.changes(&changes, &text));
            if let Some(section) = &mut section {
                section.changes(&changes, text.as_bytes()).map_err(Failed::Log)?;
            }
            to.write_all(text.as_bytes()).map_err(Failed::Write)?;
            counts.written += text.len() as u64;
            text.clear();
            changes.clear();
            if read == 0 {
                break;
            }
        }
        // Before the record is complete: a file that is left has none.
        if self.args.in_place.is_given() && !self.args.force && counts.is_too_much() {
            return Err(Failed::TooMuch(counts));
        }
        if let Some(section) = section {
            section.end().map_err(Failed::Log)?;
        }
        Ok(counts)
    }

    /// Prints a report: to standard output if the text does not go there, else to standard error.
    fn tell(&mut self, lines: String) {
        if lines.is_empty() {
            return;
        }
        match &mut self.data {
            // The failure shows again at the end.
            Some(data) => drop(data.write_all(lines.as_bytes())),
            None => self.common.line(lines.trim_end_matches('\n')),
        }
    }

    /// The outcome of one input, after its summary.
    fn done(&mut self, name: &Name, counts: &Counts) -> Outcome {
        let kinds = Step::ALL.iter().map(|&step| (step, counts.steps[step as usize]));
        let kinds: Vec<_> =
            kinds.filter(|(_, count)| *count > 0).map(|(step, count)| format!("{count} {step}")).collect();
        let kinds = kinds.join(", ");
        if self.args.dry_run && counts.all() > 0 {
            let Counts { read, written, .. } = counts;
            self.tell(format!("{name}: would change, {} to {written}: {kinds}\n", counted(*read, "byte")));
        } else if self.args.verbose.verbose {
            let kinds = if kinds.is_empty() { "nothing to repair" } else { &kinds };
            self.common.line(format_args!("{name}: {kinds}"));
        }
        if counts.lost() > 0 { Outcome::Findings } else { Outcome::Clean }
    }
}

/// The name of the log in messages.
pub(super) fn log_name(args: &Args) -> Name {
    match args.log.as_deref() {
        Some(path) if !streams::is_stdin(path) => Name::new(path),
        _ => Name::stdout(),
    }
}

/// Whether a file begins as a binary format, or has a NUL in its first bytes and is not UTF-16 or UTF-32.
fn is_binary(file: &mut File) -> io::Result<bool> {
    let mut head = vec![0; HEAD];
    let mut len = 0;
    while len < HEAD {
        match input::read(file, &mut head[len..])? {
            0 => break,
            read => len += read,
        }
    }
    file.rewind()?;
    let head = &head[..len];
    if is_format(head) {
        return Ok(true);
    }
    if !head.contains(&0) {
        return Ok(false);
    }
    let mut repairer = Repairer::new().steps([Step::Wide]);
    repairer.push(head, &mut String::new(), |_| {});
    Ok(repairer.encoding() == placemat::Encoding::UTF_8)
}
