//! `--in-place` and `--output-dir`: each file by itself, and directories with all that is in them.

use super::args::Args;
use super::doubt::{Doubt, Question};
use super::in_place::{Became, Successor};
use super::job::{Buffers, Job};
use super::mirror::{Mirror, Outputs};
use super::policies::Policies;
use super::sink::Sink;
use super::target::Target;
use super::totals::Totals;
use super::transfer::{self, Unwrapped};
use crate::common::Common;
use crate::config::{Choice, Config};
use crate::input::{self, Input};
use crate::outcome::Outcome;
use crate::output::Data;
use crate::replace::{Directory, Wishes, is_temporary};
use crate::shown::{Name, escaped, reason};
use crate::streams;
use crate::walk::{Found, Tracked, Trouble};
use core::fmt;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};

/// How many files may be done before the one whose turn it is to be told of.
const AHEAD: u64 = 1024;

/// Converts each file; or why that cannot be.
pub(super) fn run(args: &Args, common: &Common, policies: &Policies<'_>) -> Result<Outcome, String> {
    if args.files.iter().any(|path| streams::is_stdin(path)) {
        let option = if args.in_place.is_some() { "--in-place" } else { "--output-dir" };
        return Err(format!("{option} needs files, and not standard input"));
    }
    // What cannot be, is said once.
    Sink::new(args, false, Target::nowhere())?;
    let mut told = Told {
        turn: 0,
        waiting: BTreeMap::new(),
        totals: Totals::new(true),
        skipped: Skipped::default(),
        data: args.dry_run.then(Data::stdout).transpose().map_err(|e| reason(&e))?,
        outdated: BTreeSet::new(),
        unwritten: None,
        worst: Outcome::Clean,
    };
    let (directories, files): (Vec<_>, Vec<_>) = args.files.iter().cloned().partition(|path| path.is_dir());
    for path in directories.iter().filter(|_| !args.recursive) {
        common.error(format_args!("{}: is a directory (-r takes all files in it)", Name::new(path)));
        told.worst = Outcome::Trouble;
    }
    let paths = if args.recursive { args.files.clone() } else { files };
    if !paths.is_empty() {
        let (files, outputs): (Box<dyn Iterator<Item = _> + Send>, _) = match &args.output_dir {
            Some(directory) => {
                let Mirror { files, outputs } = Mirror::new(args, directory, &paths)?;
                (Box::new(files.into_iter()), Some(outputs))
            }
            None => {
                let files = args.walk.files(&paths, Tracked::AsOthers);
                (Box::new(files.map_err(|trouble| trouble.to_string())?), None)
            }
        };
        let met = (args.files.len() > 1).then(HashSet::new);
        let queue = Mutex::new(Queue { files, next: 0, met, config: args.config() });
        let all =
            Each { args, common, policies, outputs, queue, told: Mutex::new(told), moved: Condvar::new() };
        let threads = if args.recursive || paths.len() > 1 { args.threads.beside(0) } else { 1 };
        let threads = threads.min(crate::replace::at_a_time());
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // Without it, there is just one fewer.
                drop(std::thread::Builder::new().spawn_scoped(scope, || all.work()));
            }
            all.work();
        });
        told = all.told.into_inner().unwrap_or_else(PoisonError::into_inner);
    }
    let flushed = told.data.as_mut().map_or(Ok(()), io::Write::flush);
    if let Err(e) = told.unwritten.map_or(flushed, Err) {
        return Ok(told.worst.max(common.cannot_write(&Name::stdout(), &e)));
    }
    for why in &told.outdated {
        common.warn(format_args!("{why}, holds no longer for what was changed"));
    }
    told.skipped.conclude(args, common);
    told.totals.warn(common);
    Ok(told.worst.max(told.totals.conclude(args, policies, common)))
}

/// One run over many files, by several threads.
struct Each<'a, I> {
    args: &'a Args,
    common: &'a Common,
    policies: &'a Policies<'a>,
    /// Where each file goes, if that is not its own place.
    outputs: Option<Outputs>,
    queue: Mutex<Queue<I>>,
    told: Mutex<Told>,
    /// The turn has gone on.
    moved: Condvar,
}

/// A file, with what is declared of it; or what went wrong on the way to it.
type Taken = Result<(Found, Choice), Trouble>;

/// The files that nobody has taken yet.
struct Queue<I> {
    files: I,
    next: u64,
    /// Files that were met, if one could be met again: a text must not be converted twice.
    met: Option<HashSet<PathBuf>>,
    /// What says which encodings they have.
    config: Option<Config>,
}

/// What became of a file, and what is to be said of it.
#[derive(Default)]
struct Done {
    /// For standard error and standard output.
    messages: String,
    data: String,
    totals: Totals,
    skipped: Skipped,
    outcome: Outcome,
    /// The directory in which a file was replaced.
    changed: Option<Directory>,
    /// What says of it that it is in the encoding that it was in.
    outdated: Option<String>,
}

/// How many files of directories were skipped.
#[derive(Clone, Copy, Default)]
struct Skipped {
    doubted: u64,
    binary: u64,
    backups: u64,
}

/// What was said, file after file.
struct Told {
    turn: u64,
    waiting: BTreeMap<u64, Done>,
    totals: Totals,
    skipped: Skipped,
    /// Where it is said what would change.
    data: Option<Data>,
    /// What says of files that they are in an encoding that they were in.
    outdated: BTreeSet<String>,
    unwritten: Option<io::Error>,
    worst: Outcome,
}

impl<I: Iterator<Item = Result<Found, Trouble>>> Queue<I> {
    /// The next file that was not met before, and its number.
    fn take(&mut self) -> Option<(u64, Taken)> {
        loop {
            let found = self.files.next()?;
            if found.as_ref().is_ok_and(|found| !found.named && is_temporary(&found.path)) {
                continue;
            }
            if let (Some(met), Ok(found)) = (&mut self.met, &found)
                && let Ok(path) = fs::canonicalize(&found.path)
                && !met.insert(path)
            {
                continue;
            }
            self.next += 1;
            let config = &mut self.config;
            let found = found.map(|found| {
                let choice = config.as_mut().map(|config| config.choice(&found.path)).unwrap_or_default();
                (found, choice)
            });
            return Some((self.next - 1, found));
        }
    }
}

impl Told {
    fn tell(&mut self, done: Done, common: &Common) {
        if !done.messages.is_empty() {
            common.line(done.messages.trim_end());
        }
        if let Some(data) = &mut self.data
            && let Err(e) = data.write_all(done.data.as_bytes())
        {
            self.unwritten.get_or_insert(e);
        }
        self.outdated.extend(done.outdated);
        self.totals.join(done.totals);
        self.skipped.join(done.skipped);
        self.worst = self.worst.max(done.outcome);
    }
}

impl<I: Iterator<Item = Result<Found, Trouble>>> Each<'_, I> {
    /// Takes files until there are no more, or nobody wants to know.
    fn work(&self) {
        let mut buffers = Buffers::new(self.args, self.policies);
        let mut unsynced = Unsynced::default();
        loop {
            let taken = self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some((number, found)) = taken else { return };
            let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            let far = |told: &mut Told| number > told.turn + AHEAD && told.unwritten.is_none();
            drop(self.moved.wait_while(told, far).unwrap_or_else(PoisonError::into_inner));
            let mut done = self.one(found, &mut buffers);
            unsynced.sync_later(done.changed.take());
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            told.waiting.insert(number, done);
            while let turn = told.turn
                && let Some(done) = told.waiting.remove(&turn)
            {
                told.tell(done, self.common);
                told.turn += 1;
                self.moved.notify_all();
            }
            if told.unwritten.is_some() {
                return;
            }
        }
    }

    /// Converts one file.
    fn one(&self, found: Taken, buffers: &mut Buffers) -> Done {
        // What is said waits for its turn.
        let common = self.common.keeping();
        let mut done = Done::default();
        let result = found.map_err(|trouble| trouble.to_string()).and_then(|(found, choice)| {
            let name = Name::new(&found.path);
            let declared = self.declared(&name, &choice, &common);
            let args = declared.as_ref().unwrap_or(self.args);
            if !found.named && self.is_backup(&found.path) {
                done.skipped.backups += 1;
                let suffix = escaped(self.args.in_place.as_deref().unwrap_or_default().as_ref());
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
            let (successor, mut file) = Successor::new(&found, self.args.dry_run)?;
            let doubt =
                Self::doubt(args, &mut file, found.named).map_err(|e| format!("{name}: {}", reason(&e)))?;
            if let Some(doubt) = doubt {
                self.leave(&name, doubt, found.named, &common, &mut done);
                return Ok(());
            }
            let before = successor.len();
            let target = Target::of(name.clone(), successor);
            let Some(target) = self.convert(args, &name, (target, file), buffers, &common, &mut done) else {
                return Ok(());
            };
            let written = target.written();
            let suffix = args.in_place.as_deref().map(str::as_ref);
            let wishes = Wishes { suffix, mtime: args.mtime, unchanged: true };
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
                    None => done.data = format!("{name}: would change, {before} bytes to {written}\n"),
                },
                Some(Err(e)) => return Err(format!("{name}: {}; left as it was", reason(&e))),
                _ => {}
            }
            if done.changed.is_some() && choice.encoding.is_some_and(|declared| declared != args.to.encoding)
            {
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

    /// The arguments for the encoding that files around a file say it has, if they do.
    fn declared(&self, name: &Name, choice: &Choice, common: &Common) -> Option<Args> {
        if let Some(warning) = &choice.warning {
            common.warn(warning);
        }
        let encoding = choice.encoding?;
        if self.args.verbose.verbose {
            common.line(format_args!("{name}: read as {encoding}: {}", choice.why));
        }
        Some(self.args.reading_declared(encoding))
    }

    /// Why a file is not to be converted: it seems to be in another encoding.
    fn doubt(args: &Args, file: &mut File, named: bool) -> io::Result<Option<Doubt>> {
        let Args { from, to, force, ref walk, .. } = *args;
        let question = Question { from: from.encoding, to: to.encoding, text: walk.text, force };
        let input = Input { name: Name::stdin(), file: file.try_clone()? };
        let doubt = question.ask(&mut Unwrapped::new(input, args), named);
        file.rewind()?;
        match doubt {
            // Of what is malformed around the text, the conversion tells.
            Err(e) if transfer::refused(&e).is_some() => Ok(None),
            doubt => doubt,
        }
    }

    /// Whether this is what a run with a suffix has kept.
    fn is_backup(&self, path: &Path) -> bool {
        let suffix = self.args.in_place.as_deref().unwrap_or_default();
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        !suffix.is_empty() && name.ends_with(suffix.as_bytes())
    }

    /// What stands where the backup of a file would.
    fn backup_of(&self, path: &Path) -> Option<PathBuf> {
        let suffix = self.args.in_place.as_deref().filter(|suffix| !suffix.is_empty())?;
        let mut backup = fs::canonicalize(path).ok()?.into_os_string();
        backup.push(suffix);
        let there = fs::symlink_metadata(&backup).is_ok();
        let mut shown = path.as_os_str().to_owned();
        shown.push(suffix);
        there.then(|| shown.into())
    }

    /// Says that a file is left as it is, and why.
    fn leave(&self, name: &Name, doubt: Doubt, named: bool, common: &Common, done: &mut Done) {
        if named {
            done.outcome = Outcome::Findings;
            if self.args.dry_run {
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

    /// Says that a file is skipped: always, or only with `-v`.
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
        if self.args.dry_run {
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
        // Of what is named no harm is done: the file is still there.
        if !found.named
            && let Some(doubt) = Self::doubt(args, &mut file, found.named).map_err(said)?
        {
            self.leave(name, doubt, found.named, common, done);
            return Ok(());
        }
        let target = Target::file(outputs.prepare(&found.path, args.dry_run)?, args.dry_run);
        if let Some(target) = self.convert(args, name, (target, file), buffers, common, done) {
            if args.dry_run {
                done.data = format!("{}: would be written, {} bytes\n", target.name(), target.written());
            }
            done.outcome = target.put(common);
        }
        Ok(())
    }

    /// Converts one file, and says so if there is no new text of it; else where it is, ready to be put in its place.
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

impl Skipped {
    fn join(&mut self, other: Self) {
        self.doubted += other.doubted;
        self.binary += other.binary;
        self.backups += other.backups;
    }

    /// Says how many they were, if there were many or it is asked for.
    fn conclude(self, args: &Args, common: &Common) {
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

/// A directory in which files were replaced: their new names reach the disk when all of them are there. Those of one
/// directory come one after the other.
#[derive(Default)]
struct Unsynced(Option<Directory>);

impl Unsynced {
    fn sync_later(&mut self, changed: Option<Directory>) {
        let Some(changed) = changed else { return };
        if let Some(before) = self.0.replace(changed)
            && self.0.as_ref().is_some_and(|now| !now.same(&before))
        {
            before.sync();
        }
    }
}

impl Drop for Unsynced {
    fn drop(&mut self) {
        if let Some(directory) = self.0.take() {
            directory.sync();
        }
    }
}
