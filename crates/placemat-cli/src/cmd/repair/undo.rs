//! `--undo`: restores the originals of repaired files from the log, byte for byte.
//!
//! A log is not trusted to say the truth about a file: a file is replaced only if it has the length and the digest of the
//! repaired text, and only by a text with those of the original.

use super::args::Args;
use super::log::digest;
use super::record::{Digest, Record, Section, damaged};
use super::target::Target;
use crate::common::Common;
use crate::input;
use crate::options::InPlace;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::replace::{Became, Mtime, Successor};
use crate::shown::{Name, counted, reason};
use crate::streams;
use crate::walk::Found;
use placemat::repair::{Undo, UndoError};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

/// The files to restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All files that the log names.
    All,
    /// The files and directories of the arguments.
    Named,
}

/// Restores the files, or says why that is impossible.
pub(super) fn run(args: &Args, log: &Path, wanted: Wanted, common: &Common) -> Result<Outcome, String> {
    if streams::is_stdin(log)
        && wanted == Wanted::Named
        && args.files.iter().any(|path| streams::is_stdin(path))
    {
        return Err("standard input holds the log, so it cannot be one of the files".into());
    }
    if args.in_place.is_given() {
        let files = Files { paths: &args.files, recursive: args.recursive, verbose: args.verbose.verbose };
        return restore_files(&files, log, &args.in_place, args.dry_run, wanted, common);
    }
    let [file] = args.files.as_slice() else {
        return Err("--undo restores several files only with --in-place".into());
    };
    if !streams::is_stdin(file) && file.is_dir() {
        return Err(format!(
            "{}: is a directory (-ri restores the files in it that the log names)",
            Name::new(file)
        ));
    }
    let Some(mut target) = Target::joined(args)? else { return Ok(Outcome::Clean) };
    let (mut record, sections) = Record::open(log)?;
    let name = input::name_of(file);
    let mut opened = input::open(file).map_err(|e| input::trouble(file, &e))?.file;
    let found = digest_of(&mut opened, &name)?;
    match choose(&sections, &places(&sections), file, &found) {
        Choice::Restore(section) => {
            restore(&mut opened, &mut target, &name, &mut record, section)?;
            Ok(target.put(common))
        }
        Choice::Original => Err(format!("{name}: {ORIGINAL}; nothing was written")),
        Choice::Changed => Err(format!("{name}: {CHANGED}; nothing was written")),
        Choice::Unknown => Err(unknown(&name, &record.name)),
    }
}

/// The files of the arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Files<'a> {
    pub(crate) paths: &'a [PathBuf],
    pub(crate) recursive: bool,
    pub(crate) verbose: bool,
}

/// Restores files in place.
pub(crate) fn in_place(
    files: &Files<'_>,
    log: &Path,
    in_place: &InPlace,
    dry_run: bool,
    wanted: Wanted,
    common: &Common,
) -> Outcome {
    restore_files(files, log, in_place, dry_run, wanted, common).unwrap_or_else(|message| {
        common.error(message);
        Outcome::Trouble
    })
}

/// Restores files in place, or says why that is impossible.
fn restore_files(
    files: &Files<'_>,
    log: &Path,
    in_place: &InPlace,
    dry_run: bool,
    wanted: Wanted,
    common: &Common,
) -> Result<Outcome, String> {
    let (record, sections) = Record::open(log)?;
    let report = dry_run.then(Data::stdout).transpose().map_err(|e| reason(&e))?;
    let mut all = All {
        files: *files,
        in_place,
        common,
        record,
        sections: &sections,
        report,
        originals: Vec::new(),
        worst: Outcome::Clean,
    };
    Ok(all.restore(wanted))
}

/// The remark on a file that was restored before.
const ORIGINAL: &str = "has its original text already";
/// The remark on a file that has neither its original text nor the repaired one.
const CHANGED: &str = "has changed since it was repaired (its length or SHA-256 differs)";

fn unknown(name: &Name, log: &Name) -> String {
    format!("{name}: is not a file that {log} is about: its text is not the repaired one")
}

/// The decision about one file.
enum Choice<'a> {
    /// The file has the repaired text of this section.
    Restore(&'a Section),
    /// The file has the text of an original.
    Original,
    /// The log names the file, and it has another text.
    Changed,
    /// The log is about other files.
    Unknown,
}

/// The numbers of the sections about each file, by its canonical path.
type Places = HashMap<PathBuf, Vec<usize>>;

fn places(sections: &[Section]) -> Places {
    let mut places = Places::new();
    for (at, section) in sections.iter().enumerate() {
        if let Some(truly) = section.path().and_then(|path| fs::canonicalize(path).ok()) {
            places.entry(truly).or_default().push(at);
        }
    }
    places
}

/// Finds the section for a file: among those that name its path or, if there is none for its text, among all.
fn choose<'a>(sections: &'a [Section], places: &Places, path: &Path, found: &Digest) -> Choice<'a> {
    let named = fs::canonicalize(path).ok().and_then(|truly| places.get(&truly));
    let named: Vec<&Section> = named.into_iter().flatten().map(|&at| &sections[at]).collect();
    let all: Vec<&Section> = sections.iter().collect();
    match among(&named, found) {
        Choice::Changed => {}
        choice => return choice,
    }
    match among(&all, found) {
        Choice::Changed if named.is_empty() => Choice::Unknown,
        choice => choice,
    }
}

/// Finds the section for a file among those that may be about it.
fn among<'a>(sections: &[&'a Section], found: &Digest) -> Choice<'a> {
    let repaired = || sections.iter().filter(|section| section.is_repaired(found));
    // If a file was repaired twice, its second section may say that nothing was left to do.
    if let Some(section) = repaired().find(|section| section.is_change()).or_else(|| repaired().next()) {
        return Choice::Restore(section);
    }
    // Before a file was created, there was no empty one.
    let is_source = |section: &&Section| !section.head.created && section.is_source(found);
    if sections.iter().any(is_source) { Choice::Original } else { Choice::Changed }
}

/// A run over files that are restored in place.
struct All<'a> {
    files: Files<'a>,
    in_place: &'a InPlace,
    common: &'a Common,
    record: Record,
    sections: &'a [Section],
    /// Standard output, with `--dry-run`.
    report: Option<Data>,
    /// The files that have their original text already.
    originals: Vec<Name>,
    worst: Outcome,
}

impl All<'_> {
    fn restore(&mut self, wanted: Wanted) -> Outcome {
        match wanted {
            Wanted::All => {
                if self.sections.is_empty() {
                    self.common
                        .warn(format_args!("{}: names no file; nothing was restored", self.record.name));
                }
                self.logged(None);
            }
            Wanted::Named => {
                let places = places(self.sections);
                for path in self.files.paths {
                    self.named(path, &places);
                }
            }
        }
        match self.originals.as_slice() {
            [] => {}
            [name] => self.common.line(format_args!("placemat: {name}: {ORIGINAL}")),
            names => {
                let (log, count) = (&self.record.name, names.len());
                self.common
                    .line(format_args!("placemat: {log}: {count} files have their original text already"));
            }
        }
        if let Some(report) = &mut self.report
            && let Err(e) = report.flush()
        {
            self.worst = self.worst.max(self.common.cannot_write(&Name::stdout(), &e));
        }
        self.worst
    }

    /// Restores a file or a directory of the arguments.
    fn named(&mut self, path: &Path, places: &Places) {
        if streams::is_stdin(path) {
            return self.fail("--in-place needs files, not standard input");
        }
        if !path.is_dir() {
            let sections = self.sections;
            return self.one(path, &|found| choose(sections, places, path, found));
        }
        let name = Name::new(path);
        if !self.files.recursive {
            return self.fail(format_args!(
                "{name}: is a directory (-ri restores the files in it that the log names)"
            ));
        }
        match fs::canonicalize(path) {
            Ok(truly) => {
                if self.logged(Some(&truly)) == 0 {
                    let log = self.record.name.clone();
                    self.fail(format_args!("{name}: {log} names no file in it"));
                }
            }
            Err(e) => self.fail(format_args!("{name}: {}", reason(&e))),
        }
    }

    /// Restores the files that the log names, if a directory is given only those in it. Returns their number.
    fn logged(&mut self, directory: Option<&Path>) -> usize {
        let mut files: Vec<(PathBuf, Vec<&Section>)> = Vec::new();
        let mut known: HashMap<PathBuf, usize> = HashMap::new();
        for section in self.sections {
            let Some(path) = section.path() else {
                if directory.is_none() {
                    self.common.error(
                        "standard input was repaired: name the file that has the repaired text to restore it",
                    );
                    self.worst = Outcome::Trouble;
                }
                continue;
            };
            if directory.is_some_and(|directory| !is_in(&path, directory)) {
                continue;
            }
            // One file may have several names.
            let truly = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            let at = *known.entry(truly).or_insert(files.len());
            if at == files.len() {
                files.push((path, Vec::new()));
            }
            files[at].1.push(section);
        }
        for (path, sections) in &files {
            let was_created = sections.iter().any(|section| section.head.created);
            let is_missing =
                || fs::symlink_metadata(path).is_err_and(|e| e.kind() == io::ErrorKind::NotFound);
            if was_created && is_missing() {
                self.originals.push(Name::new(path));
                continue;
            }
            self.one(path, &|found| among(sections, found));
        }
        files.len()
    }

    /// Restores one file, if `choose` finds the section for it.
    fn one<'s>(&mut self, path: &Path, choose: &dyn Fn(&Digest) -> Choice<'s>) {
        match self.in_place(path, choose) {
            Ok(()) => {}
            Err(message) => self.fail(message),
        }
    }

    fn fail(&mut self, message: impl core::fmt::Display) {
        self.common.error(message);
        self.worst = Outcome::Trouble;
    }

    fn in_place<'s>(&mut self, path: &Path, choose: &dyn Fn(&Digest) -> Choice<'s>) -> Result<(), String> {
        let Self { in_place, common, record, report, .. } = self;
        let name = Name::new(path);
        let found = Found { path: path.to_owned(), named: true, depth: 0, root: None };
        let (mut successor, mut file) = Successor::new(&found, report.is_some())?;
        let found = digest_of(&mut file, &name)?;
        let section = match choose(&found) {
            Choice::Restore(section) => section,
            Choice::Original => {
                self.originals.push(name);
                return Ok(());
            }
            Choice::Changed => return Err(format!("{name}: {CHANGED}; left as it was")),
            Choice::Unknown => return Err(unknown(&name, &record.name)),
        };
        let wishes = in_place.wishes(Mtime::Keep);
        let put = if section.head.created {
            successor.remove(wishes)
        } else {
            restore(&mut file, &mut successor, &name, record, section)?;
            successor.put(wishes, common)
        };
        match put.map_err(|e| format!("{name}: {}; left as it was", reason(&e)))? {
            Became::Same => return Ok(()),
            Became::Changed(Some(directory)) => directory.sync(),
            Became::Changed(None) => {}
        }
        let from = counted(found.0, "byte");
        // A failure to write the report shows again at the end.
        match (&mut self.report, section.head.created) {
            (Some(report), true) => _ = writeln!(report, "{name}: would be removed, {from}"),
            (Some(report), false) => {
                _ = writeln!(report, "{name}: would be restored, {from} to {}", section.head.source_bytes);
            }
            (None, was_created) if self.files.verbose => {
                let done = if was_created { "removed" } else { "restored" };
                self.common.line(format_args!("{name}: {done}"));
            }
            _ => {}
        }
        Ok(())
    }
}

/// Whether a file is in a directory, whose path is canonical. The file itself may be a symbolic link.
fn is_in(path: &Path, directory: &Path) -> bool {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::canonicalize(parent).is_ok_and(|parent| parent.starts_with(directory))
}

/// The length and the digest of a file.
fn digest_of(file: &mut File, name: &Name) -> Result<Digest, String> {
    digest(file).map_err(|e| match e.kind() {
        io::ErrorKind::NotSeekable => format!("{name}: --undo needs a file, because it reads it twice"),
        _ => format!("{name}: {}", reason(&e)),
    })
}

/// Writes the original of a file.
fn restore(
    file: &mut File,
    to: &mut impl Write,
    name: &Name,
    record: &mut Record,
    section: &Section,
) -> Result<(), String> {
    let damaged = damaged(&record.name);
    if section.head.edit {
        let mut hashed = Hashed::new(to);
        restore_edit(file, &mut hashed, name, record, section)?;
        return if section.is_source(&(hashed.written, hashed.digest())) { Ok(()) } else { Err(damaged) };
    }
    let (encoding, changes) = record.changes(section)?;
    let mut undo = Undo::new(file, Hashed::new(to), encoding);
    let failed = |e: io::Error| match differs(&e) {
        Some(_) => damaged.clone(),
        None => format!("{name}: {}", reason(&e)),
    };
    for change in changes {
        undo.change(&change?).map_err(failed)?;
    }
    undo.finish().map_err(failed)?;
    let hashed = undo.into_source();
    if section.is_source(&(hashed.written, hashed.digest())) { Ok(()) } else { Err(damaged) }
}

/// Writes the file before an edit. The digest of the result shows whether the record is right.
fn restore_edit(
    file: &mut File,
    to: &mut impl Write,
    name: &Name,
    record: &mut Record,
    section: &Section,
) -> Result<(), String> {
    let said = |e: io::Error| format!("{name}: {}", reason(&e));
    let differs = damaged(&record.name);
    let mut at = 0;
    record.edits(section, |offset, before, after| {
        let gap = offset.checked_sub(at).ok_or_else(|| differs.clone())?;
        let copied = io::copy(&mut io::Read::by_ref(file).take(gap), to).map_err(said)?;
        let skipped =
            io::copy(&mut io::Read::by_ref(file).take(after.len() as u64), &mut io::sink()).map_err(said)?;
        at = offset + skipped;
        if copied != gap || skipped != after.len() as u64 {
            return Err(differs.clone());
        }
        to.write_all(before).map_err(said)
    })?;
    io::copy(file, to).map(drop).map_err(said)
}

/// The error for a text that differs from the record.
fn differs(e: &io::Error) -> Option<UndoError> {
    e.get_ref().and_then(|e| e.downcast_ref::<UndoError>()).copied()
}

/// Counts and hashes the bytes that it passes on.
struct Hashed<W> {
    to: W,
    hash: Sha256,
    written: u64,
}

impl<W> Hashed<W> {
    fn new(to: W) -> Self {
        Self { to, hash: Sha256::new(), written: 0 }
    }

    fn digest(&self) -> String {
        self.hash.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.written += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
