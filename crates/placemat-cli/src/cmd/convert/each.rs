//! `--in-place` and `--output-dir`: several threads convert files; messages appear in the order of the files.

use super::args::Args;
use super::job::Buffers;
use super::mirror::Mirror;
use super::one::{Done, One, Skipped, Taken};
use super::policies::Policies;
use super::sink::Sink;
use super::target::Target;
use super::totals::Totals;
use crate::common::Common;
use crate::config::Config;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::replace::{Directory, is_temporary};
use crate::shown::{Name, reason};
use crate::streams;
use crate::walk::{Found, Tracked, Trouble};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, PoisonError};

/// The number of files that may be converted ahead of the one whose turn it is.
const AHEAD: u64 = 1024;

/// Converts each file, or says why that is impossible.
pub(super) fn run(args: &Args, common: &Common, policies: &Policies<'_>) -> Result<Outcome, String> {
    if args.files.iter().any(|path| streams::is_stdin(path)) {
        let option = if args.in_place.is_given() { "--in-place" } else { "--output-dir" };
        return Err(format!("{option} needs files, not standard input"));
    }
    // Impossible options are reported once, not for each file.
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
        common.error(format_args!("{}: is a directory (-r converts all files in it)", Name::new(path)));
        told.worst = Outcome::Trouble;
    }
    let paths = if args.recursive { args.files.clone() } else { files };
    if !paths.is_empty() {
        let (files, outputs): (Box<dyn Iterator<Item = _> + Send>, _) = match &args.output_dir {
            Some(directory) => {
                let Mirror { files, outputs } = Mirror::new(args, directory, &paths, common)?;
                (Box::new(files.into_iter()), Some(outputs))
            }
            None => {
                let files = args.walk.files(&paths, Tracked::AsOthers, common);
                (Box::new(files.map_err(|trouble| trouble.to_string())?), None)
            }
        };
        let met = (args.files.len() > 1).then(HashSet::new);
        let queue = Mutex::new(Queue { files, next: 0, met, config: args.config() });
        let one = One { args, common, policies, outputs };
        let all = Each { one, queue, told: Mutex::new(told), moved: Condvar::new() };
        let threads = if args.recursive || paths.len() > 1 { args.threads.beside(0) } else { 1 };
        let threads = threads.min(crate::replace::at_a_time());
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // If the thread cannot be started, the others do its work.
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
        common.warn(format_args!("{why}, no longer matches the changed files"));
    }
    told.skipped.conclude(args, common);
    told.totals.warn(common);
    Ok(told.worst.max(told.totals.conclude(args, policies, common)))
}

/// One run over many files, by several threads.
struct Each<'a, I> {
    one: One<'a>,
    queue: Mutex<Queue<I>>,
    told: Mutex<Told>,
    /// Signals that the turn has moved on.
    moved: Condvar,
}

/// The files that no thread has taken yet.
struct Queue<I> {
    files: I,
    next: u64,
    /// The files met so far, if a file could be met again: a text must not be converted twice.
    met: Option<HashSet<PathBuf>>,
    /// The configuration that declares their encodings.
    config: Option<Config>,
}

/// The messages, file by file.
struct Told {
    turn: u64,
    waiting: BTreeMap<u64, Done>,
    totals: Totals,
    skipped: Skipped,
    /// The output of `--dry-run`.
    data: Option<Data>,
    /// Declarations that no longer match the converted files.
    outdated: BTreeSet<String>,
    unwritten: Option<io::Error>,
    worst: Outcome,
}

impl<I: Iterator<Item = Result<Found, Trouble>>> Queue<I> {
    /// Returns the next file that was not met yet, and its number.
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
    /// Takes files until there are no more, or the output is closed.
    fn work(&self) {
        let mut buffers = Buffers::new(self.one.args, self.one.policies);
        let mut unsynced = Unsynced::default();
        loop {
            let taken = self.queue.lock().unwrap_or_else(PoisonError::into_inner).take();
            let Some((number, found)) = taken else { return };
            let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            let far = |told: &mut Told| number > told.turn + AHEAD && told.unwritten.is_none();
            drop(self.moved.wait_while(told, far).unwrap_or_else(PoisonError::into_inner));
            let mut done = self.one.done(found, &mut buffers);
            unsynced.sync_later(done.changed.take());
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            told.waiting.insert(number, done);
            while let turn = told.turn
                && let Some(done) = told.waiting.remove(&turn)
            {
                told.tell(done, self.one.common);
                told.turn += 1;
                self.moved.notify_all();
            }
            if told.unwritten.is_some() {
                return;
            }
        }
    }
}

/// A directory in which files were replaced. It is synced to disk once, after its last file: the
/// files of a directory come one after the other.
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
