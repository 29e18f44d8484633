//! One file, converted in place or into another file: the decision to convert it, and the messages about it.

use super::args::Args;
use super::diff::{MAX_BYTES, Version, diff};
use super::doubt::{Doubt, Question};
use super::job::{Buffers, Job};
use super::mirror::Outputs;
use super::policies::Policies;
use super::sink::Sink;
use super::target::Target;
use super::totals::Totals;
use super::transfer::{self, Unwrapped};
use crate::auto;
use crate::common::Common;
use crate::config::Choice;
use crate::input::{self, Input};
use crate::options::Given;
use crate::outcome::Outcome;
use crate::replace::{Became, Directory, Mtime, Successor};
use crate::shown::{Name, counted, escaped, reason};
use crate::walk::{Found, Trouble};
use core::fmt;
use placemat::detect::Verdict;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};

/// A file and its declared encoding, or an error on the way to it.
pub(super) type Taken = Result<(Found, Choice), Trouble>;

/// The outcome of a file, and the messages about it.
#[derive(Default)]
pub(super) struct Done {
    /// For standard error and standard output.
    pub(super) messages: String,
    pub(super) data: String,
    pub(super) totals: Totals,
    pub(super) skipped: Skipped,
    pub(super) outcome: Outcome,
    /// The directory in which a file was replaced.
    pub(super) changed: Option<Directory>,
    /// The declaration of its old encoding, which no longer matches.
    pub(super) outdated: Option<String>,
}

/// The numbers of files that were skipped in directories.
#[derive(Clone, Copy, Default)]
pub(super) struct Skipped {
    doubted: u64,
    binary: u64,
    backups: u64,
}

impl Skipped {
    pub(super) fn join(&mut self, other: Self) {
        self.doubted += other.doubted;
        self.binary += other.binary;
        self.backups += other.backups;
    }

    /// Prints the numbers if there are several files, or with `-v`.
    pub(super) fn conclude(self, args: &Args, common: &Common) {
        let Self { doubted, binary, backups } = self;
        let all = doubted + binary + backups;
        if doubted > 1 || args.verbose.verbose && all > 0 {
            let kinds = [(doubted, "in another encoding"), (binary, "binary"), (backups, "backups")];
            let kinds = kinds.iter().filter(|(count, _)| *count > 0);
            let kinds: Vec<_> = kinds.map(|(count, kind)| format!("{count} {kind}")).collect();
            let plural = if all == 1 { "" } else { "s" };
            common.line(format_args!("placemat: skipped {all} file{plural}: {}", kinds.join(", ")));
        }
    }
}

/// Returns the reason not to convert an input in the encoding that a configuration file declares, if `is_by_config`.
pub(super) fn doubt_of_config(
    args: &Args,
    input: &mut Input,
    is_by_config: bool,
) -> io::Result<Option<Doubt>> {
    if !is_by_config || !input.file.metadata()?.is_file() {
        return Ok(None);
    }
    One::doubt(args, &mut input.file, true)
}

/// Returns the changes from the text of a file to a new one.
fn diff_of(args: &Args, name: &Name, mut file: File, new: &[u8]) -> Result<String, String> {
    let mut old = Vec::new();
    let read = file.rewind().and_then(|()| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut old));
    read.map_err(|e| format!("{name}: {}", reason(&e)))?;
    if old.len() > MAX_BYTES {
        let (before, after) = (counted(old.len() as u64, "byte"), counted(new.len() as u64, "byte"));
        return Ok(format!("{name}: would change, more than {before} to {after}\n"));
    }
    let old = Version { encoding: args.from.encoding, bytes: &old };
    Ok(diff(name, old, Version { encoding: args.to.encoding, bytes: new }))
}

/// The data that all files share.
pub(super) struct One<'a> {
    pub(super) args: &'a Args,
    pub(super) common: &'a Common,
    pub(super) policies: &'a Policies<'a>,
    /// The output of each file, if it is not converted in place.
    pub(super) outputs: Option<Outputs>,
}

impl One<'_> {
    /// Converts one file.
    pub(super) fn done(&self, found: Taken, buffers: &mut Buffers) -> Done {
        // The messages wait for the turn of the file.
        let common = self.common.keeping();
        let mut done = Done::default();
        let result = found.map_err(|trouble| trouble.to_string()).and_then(|(found, choice)| {
            let name = Name::new(&found.path);
            let declared = if self.args.given == Some(Given::Auto) {
                match self.detected(&found, &name, &common, &mut done)? {
                    Some(args) => Some(args),
                    None => return Ok(()),
                }
            } else {
                self.declared(&name, &choice, &common)
            };
            let args = declared.as_ref().unwrap_or(self.args);
            if !found.named && self.args.in_place.is_backup(&found.path) {
                done.skipped.backups += 1;
                let suffix = escaped(self.args.in_place.suffix().unwrap_or_default().as_ref());
                self.pass_over(
                    &name,
                    format_args!("skipped as a backup: its name ends in {suffix}"),
                    false,
                    &common,
                    &mut done,
                );
                return Ok(());
            }
            if let Some(outputs) = &self.outputs {
                return self.write_aside(args, &found, outputs, buffers, &common, &mut done);
            }
            let (successor, mut file) = if self.args.diff {
                Successor::to_show(&found)?
            } else {
                Successor::new(&found, self.args.dry_run)?
            };
            let doubt =
                Self::doubt(args, &mut file, found.named).map_err(|e| format!("{name}: {}", reason(&e)))?;
            if let Some(doubt) = doubt {
                self.leave(&name, doubt, found.named, &common, &mut done);
                return Ok(());
            }
            let before = successor.len();
            let target = Target::of(name.clone(), successor).keeping(self.args.diff);
            let old_text = file.try_clone().map_err(|e| format!("{name}: {}", reason(&e)))?;
            let Some(mut target) = self.convert(args, &name, (target, file), buffers, &common, &mut done) else {
                return Ok(());
            };
            let written = target.written();
            let new = target.take_kept();
            let wishes = args.in_place.wishes(Mtime::Keep);
            match target.into_successor().map(|successor| successor.put(wishes, &common)) {
                Some(Ok(Became::Changed(Some(directory)))) => done.changed = Some(directory),
                Some(Ok(Became::Changed(None))) => match self.backup_of(&found.path) {
                    Some(backup) => {
                        done.data = format!(
                            "{name}: would be left as it was: {} exists already, and a backup never overwrites a file\n",
                            Name::new(backup)
                        );
                        done.outcome = Outcome::Trouble;
                    }
                    None => {
                        done.data = match new {
                            Some(new) => diff_of(args, &name, old_text, &new)?,
                            None => format!("{name}: would change, {} to {written}\n", counted(before, "byte")),
                        }
                    }
                },
                Some(Err(e)) => return Err(format!("{name}: {}; left as it was", reason(&e))),
                _ => {}
            }
            let is_outdated = |declared| args.newline.of(declared) != args.to.encoding;
            if done.changed.is_some() && choice.encoding.is_some_and(is_outdated) {
                done.outdated = Some(choice.why);
            }
            Ok(())
        });
        if let Err(message) = result {
            common.error(message);
            done.outcome = Outcome::Trouble;
        }
        done.messages = common.kept();
        done
    }

    /// Returns the arguments for the encoding that configuration files declare for a file, if they do.
    fn declared(&self, name: &Name, choice: &Choice, common: &Common) -> Option<Args> {
        for warning in &choice.warnings {
            common.warn(warning);
        }
        let encoding = self.args.newline.of(choice.encoding?);
        if self.args.verbose.verbose {
            common.line(format_args!("{name}: read as {encoding}: {}", choice.why));
        }
        Some(self.args.reading_declared(encoding))
    }

    /// Returns the arguments for the encoding that a file seems to be in. If that is not certain, reports that the file is
    /// left as it was.
    fn detected(
        &self,
        found: &Found,
        name: &Name,
        common: &Common,
        done: &mut Done,
    ) -> Result<Option<Args>, String> {
        let detection = auto::of_path(&found.path).map_err(|e| format!("{name}: {}", reason(&e)))?;
        match auto::encoding(name, &detection) {
            Ok(encoding) => {
                let encoding = self.args.newline.of(encoding);
                if self.args.verbose.verbose {
                    common.line(format_args!("{name}: read as {}", auto::said(encoding, &detection)));
                }
                return Ok(Some(self.args.reading_declared(encoding)));
            }
            Err(refused) if found.named => {
                done.outcome = Outcome::Findings;
                common.error(refused);
            }
            Err(_) if detection.verdict == Verdict::Binary => {
                self.leave(name, Doubt::Binary, false, common, done);
            }
            Err(refused) => {
                done.skipped.doubted += 1;
                common.line(refused);
            }
        }
        Ok(None)
    }

    /// Returns the reason not to convert a file that seems to be in another encoding.
    fn doubt(args: &Args, file: &mut File, named: bool) -> io::Result<Option<Doubt>> {
        let Args { from, to, force, ref walk, .. } = *args;
        let question = Question { from: from.encoding, to: to.encoding, text: walk.text, force };
        let input = Input { name: Name::stdin(), file: file.try_clone()? };
        let doubt = question.ask(&mut Unwrapped::new(input, args), named);
        file.rewind()?;
        match doubt {
            // The conversion reports malformed transfer encoding.
            Err(e) if transfer::refused(&e).is_some() => Ok(None),
            doubt => doubt,
        }
    }

    /// Returns the existing file at the place of the backup.
    fn backup_of(&self, path: &Path) -> Option<PathBuf> {
        let suffix = self.args.in_place.suffix()?;
        let mut backup = fs::canonicalize(path).ok()?.into_os_string();
        backup.push(suffix);
        let there = fs::symlink_metadata(&backup).is_ok();
        let mut shown = path.as_os_str().to_owned();
        shown.push(suffix);
        there.then(|| shown.into())
    }

    /// Returns `true` if standard output lists what would become of each file.
    const fn lists(&self) -> bool {
        self.args.dry_run && !self.args.diff
    }

    /// Reports that a file is left as it was, and why.
    fn leave(&self, name: &Name, doubt: Doubt, named: bool, common: &Common, done: &mut Done) {
        if named {
            done.outcome = Outcome::Findings;
            if self.lists() {
                done.data = format!("{name}: would be refused: {doubt}\n");
            } else {
                common.error(format_args!("{name}: left as it was: {doubt}"));
            }
            return;
        }
        let binary = doubt == Doubt::Binary;
        *(if binary { &mut done.skipped.binary } else { &mut done.skipped.doubted }) += 1;
        self.pass_over(name, format_args!("skipped: {doubt}"), !binary, common, done);
    }

    /// Reports that a file is skipped: always, or only with `-v`.
    fn pass_over(
        &self,
        name: &Name,
        why: fmt::Arguments<'_>,
        always: bool,
        common: &Common,
        done: &mut Done,
    ) {
        if !always && !self.args.verbose.verbose {
            return;
        }
        if self.lists() {
            done.data = format!("{name}: {why}\n");
        } else {
            common.line(format_args!("{name}: {why}"));
        }
    }

    /// Converts one file into another.
    fn write_aside(
        &self,
        args: &Args,
        found: &Found,
        outputs: &Outputs,
        buffers: &mut Buffers,
        common: &Common,
        done: &mut Done,
    ) -> Result<(), String> {
        let name = &Name::new(&found.path);
        let said = |e: io::Error| format!("{name}: {}", reason(&e));
        let mut file = input::open(&found.path).map_err(said)?.file;
        // A named file is converted, as the input stays, unless only a configuration file names its encoding.
        let is_asked = !found.named || self.args.given.is_none() && args.from != self.args.from;
        if is_asked && let Some(doubt) = Self::doubt(args, &mut file, found.named).map_err(said)? {
            self.leave(name, doubt, found.named, common, done);
            return Ok(());
        }
        let target = Target::file(outputs.prepare(&found.path, args.dry_run)?, args.dry_run);
        if let Some(target) = self.convert(args, name, (target, file), buffers, common, done) {
            if args.dry_run {
                done.data =
                    format!("{}: would be written, {}\n", target.name(), counted(target.written(), "byte"));
            }
            done.outcome = target.put(common);
        }
        Ok(())
    }

    /// Converts one file. Returns the target, ready to be put in its place, or reports why there is none.
    fn convert(
        &self,
        args: &Args,
        name: &Name,
        (target, file): (Target, File),
        buffers: &mut Buffers,
        common: &Common,
        done: &mut Done,
    ) -> Option<Target> {
        let Self { policies, .. } = *self;
        let sink = match Sink::new(args, false, target) {
            Ok(sink) => sink,
            Err(message) => {
                common.error(message);
                done.outcome = Outcome::Trouble;
                return None;
            }
        };
        let mut job = Job::new(args, common, policies, sink, buffers, Totals::new(true));
        let converted = job.file(Unwrapped::new(Input { name: name.clone(), file }, args));
        let outcome = match converted.and_then(|outcome| job.finish().map(|()| outcome)) {
            Ok(Outcome::Clean) if args.fail_on_loss && job.totals.lost(policies.kept()) => Outcome::Findings,
            Ok(outcome) => outcome,
            Err(unwritten) => {
                done.outcome = job.sink.failed(&unwritten, common).max(Outcome::Trouble);
                return None;
            }
        };
        let Job { sink, totals, .. } = job;
        done.totals = totals;
        if outcome != Outcome::Clean {
            sink.target().partial(common);
            done.outcome = outcome;
            return None;
        }
        Some(sink.into_target())
    }
}
