//! Several files at a time: each thread takes one file after another, in order, and reports it under its number.

use super::args::Args;
use super::file::{Checker, Wish, cannot_read};
use super::lint::{BomArg, Wanted};
use super::outlet::{Outlet, Ticket};
use super::report::Report;
use crate::auto;
use crate::common::Common;
use crate::config::{Choice, Config};
use crate::input;
use crate::lines::is_wide;
use crate::options::Given;
use crate::palette::Palette;
use crate::scan::Scanner;
use crate::walk::{Found, Tracked, Trouble};
use core::time::Duration;
use placemat::Encoding;
use placemat::detect::Verdict;
use placemat_diagnose::Diagnosis;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};

/// The number of files to hand out at a time.
const AT_A_TIME: usize = 64;
/// `Queue::few` and `Queue::many` for several threads.
const FEW: usize = 256;
const MANY: usize = 1024;
/// With as many files ready, a thread that waits is woken: to wake it for fewer takes longer than to check them.
const ENOUGH: usize = 8;
/// The time after which a thread that waits looks for itself.
const PATIENCE: Duration = Duration::from_millis(5);

/// A file to check, or an error on the way to it.
struct Job {
    number: u64,
    file: Result<(Found, Choice), Trouble>,
}

/// The rest of the walk.
struct Walk<I> {
    files: I,
    next: u64,
    config: Option<Config>,
}

impl<I: Iterator<Item = Result<Found, Trouble>>> Walk<I> {
    fn next(&mut self) -> Option<Job> {
        let found = self.files.next()?;
        let number = self.next;
        self.next += 1;
        let file = found.map(|found| {
            let choice = match &mut self.config {
                Some(config) => config.choice(&found.path),
                None => Choice::default(),
            };
            (found, choice)
        });
        Some(Job { number, file })
    }
}

/// The files that no thread has taken yet.
///
/// One thread walks ahead while the others take the files that it has found. With many threads it does nothing else,
/// because they take files as fast as it finds them.
struct Queue<I> {
    state: Mutex<Ready<I>>,
    /// The files found last. Only the thread that walks puts them here, so it hardly ever waits for others.
    found: Mutex<Vec<Job>>,
    /// There are more files, or the walk is over.
    changed: Condvar,
    /// With fewer files ready, a thread begins to walk; with so many, it stops.
    few: usize,
    many: usize,
}

struct Ready<I> {
    /// In order, before all of `Queue::found`.
    jobs: VecDeque<Job>,
    /// The rest of the walk, unless a thread is at it.
    walk: Option<Walk<I>>,
    /// Whether all files have been found.
    is_over: bool,
    /// The number of threads that wait for files: without any, no notification is needed.
    waiters: usize,
}

impl<I: Iterator<Item = Result<Found, Trouble>>> Queue<I> {
    fn new(files: I, config: Option<Config>, threads: usize) -> Self {
        let walk = Walk { files, next: 0, config };
        let ready = Ready { jobs: VecDeque::new(), walk: Some(walk), is_over: false, waiters: 0 };
        // A thread alone finds more files only when there are none left.
        let (few, many) = if threads > 1 { (FEW, MANY) } else { (1, 1) };
        Self { state: Mutex::new(ready), found: Mutex::default(), changed: Condvar::new(), few, many }
    }

    /// The next file, and whether there is one for another thread, too.
    fn take(&self) -> Option<(Job, bool)> {
        let mut ready = lock(&self.state);
        loop {
            if ready.jobs.len() < self.few
                && let Some(walk) = ready.walk.take()
            {
                drop(ready);
                ready = self.walk(walk);
            }
            if ready.jobs.is_empty() {
                ready.jobs.extend(lock(&self.found).drain(..));
            }
            if let Some(job) = ready.jobs.pop_front() {
                if ready.jobs.len() >= ENOUGH && ready.waiters > 0 {
                    self.changed.notify_one();
                }
                return Some((job, !ready.jobs.is_empty()));
            }
            if ready.is_over {
                return None;
            }
            ready.waiters += 1;
            let waited = self.changed.wait_timeout(ready, PATIENCE);
            ready = waited.unwrap_or_else(PoisonError::into_inner).0;
            ready.waiters -= 1;
        }
    }

    /// Finds files until many are ready, or the first ones, so that the next thread starts.
    fn walk(&self, mut walk: Walk<I>) -> MutexGuard<'_, Ready<I>> {
        let is_first = walk.next == 0;
        loop {
            let found = core::iter::from_fn(|| walk.next()).take(AT_A_TIME);
            let count = found.map(|job| lock(&self.found).push(job)).count();
            let mut ready = lock(&self.state);
            ready.jobs.extend(lock(&self.found).drain(..));
            ready.is_over = count < AT_A_TIME;
            if ready.is_over {
                self.changed.notify_all();
                return ready;
            }
            if ready.waiters > 0 {
                self.changed.notify_one();
            }
            if is_first || ready.jobs.len() >= self.many {
                ready.walk = Some(walk);
                return ready;
            }
        }
    }
}

/// The state that all threads share.
struct Shared<'a, I> {
    args: &'a Args,
    wanted: Wanted,
    common: &'a Common,
    styles: Palette,
    outlet: &'a Outlet<'a>,
    queue: Queue<I>,
    /// The maximum number of threads.
    threads: usize,
}

/// Checks all files and reports them in order.
pub(super) fn check_all(args: &Args, wanted: Wanted, common: &Common, styles: Palette, outlet: &Outlet<'_>) {
    let files = match args.walk.files(&args.paths, Tracked::Always) {
        Ok(files) => files,
        Err(trouble) => {
            let mut ticket = Ticket::new(0);
            ticket.trouble(trouble.to_string());
            outlet.finish(ticket);
            return;
        }
    };
    let config = (args.from.is_none() && !args.no_config).then(Config::new);
    // A single file needs only one thread.
    let alone = args.paths.len() <= 1 && !args.paths.iter().any(|path| path.is_dir());
    let threads = if alone { 1 } else { args.threads.beside(0) };
    let queue = Queue::new(files, config, threads);
    let shared = Shared { args, wanted, common, styles, outlet, queue, threads };
    thread::scope(|scope| shared.work(scope, 1));
}

impl<I: Iterator<Item = Result<Found, Trouble>> + Send> Shared<'_, I> {
    /// Takes files until there are no more. As soon as some are left over, the thread starts the next thread, if there
    /// may be one more.
    fn work<'scope, 'env>(&'env self, scope: &'scope Scope<'scope, 'env>, thread: usize) {
        let mut checker = None;
        let mut may_start = thread < self.threads;
        while !self.outlet.is_stopped() {
            let Some((job, more)) = self.queue.take() else { return };
            if more && may_start {
                may_start = false;
                // If the thread cannot be started, the others do its work.
                let next = move || self.work(scope, thread + 1);
                drop(thread::Builder::new().spawn_scoped(scope, next));
            }
            let checker = checker.get_or_insert_with(|| self.checker());
            self.outlet.wait_for_room(job.number);
            self.one(job, checker);
        }
        self.give_up();
    }

    fn checker(&self) -> Checker<'_> {
        Checker {
            args: self.args,
            wanted: self.wanted,
            quiet: self.common.quiet,
            outlet: self.outlet,
            report: Report::new(self.args.format, self.styles),
            scanner: Scanner::new(),
            diagnosis: Diagnosis::default(),
            hits: Vec::new(),
        }
    }

    fn one(&self, job: Job, checker: &mut Checker<'_>) {
        let mut ticket = Ticket::new(job.number);
        match job.file {
            Ok((found, choice)) => self.file(&found, choice, checker, &mut ticket),
            Err(trouble) => ticket.trouble(trouble.to_string()),
        }
        self.outlet.finish(ticket);
    }

    fn file(&self, found: &Found, choice: Choice, checker: &mut Checker<'_>, ticket: &mut Ticket) {
        let Args { from, bom, skip_binary, ref walk, ref verbose, .. } = *self.args;
        let name = input::name_of(&found.path);
        // A walk returns no directories.
        let opened = if found.named {
            input::open(&found.path).map(|input| input.file)
        } else {
            input::open_file(&found.path)
        };
        let mut file = match opened {
            Ok(file) => file,
            Err(e) => return cannot_read(&name, &e, ticket),
        };
        if let Some(warning) = choice.warning {
            ticket.warn(warning);
        }
        let named = from.and_then(Given::named);
        let bom = bom.or(choice.signature.then_some(BomArg::Require));
        let verbose = verbose.verbose && !self.common.quiet;
        let encoding = if from == Some(Given::Auto) {
            let (again, detection) = match auto::of_file(file) {
                Ok(read) => read,
                Err(e) => return cannot_read(&name, &e, ticket),
            };
            file = again;
            if detection.verdict == Verdict::Binary && (!found.named || skip_binary) && !walk.text {
                ticket.summary.skipped_binary = 1;
                return;
            }
            match auto::encoding(&name, &detection) {
                Ok(encoding) => {
                    if verbose {
                        ticket.note(format!("{name}: read as {}", auto::said(encoding, &detection)));
                    }
                    encoding
                }
                Err(refused) => return ticket.trouble(refused),
            }
        } else {
            let encoding = named.or(choice.encoding).unwrap_or(Encoding::UTF_8);
            if verbose && (encoding, bom) != (named.unwrap_or(Encoding::UTF_8), self.args.bom) {
                ticket.note(format!("{name}: read as {encoding}: {}", choice.why));
            }
            encoding
        };
        let skip_binary = (!found.named || skip_binary) && !walk.text && !has_nul(encoding);
        let declared = from.is_none() && choice.encoding.is_some();
        checker.check(&found.path, &name, &mut file, Wish { encoding, bom, skip_binary, declared }, ticket);
    }

    /// Nothing can be written any longer. Other threads may wait for input that never comes, so the program ends here.
    fn give_up(&self) {
        if self.threads > 1
            && let Some(outcome) = self.outlet.failure()
        {
            outcome.exit();
        }
    }
}

/// No thread panics while it holds a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether text in this encoding has NUL bytes, so that they do not make a file binary.
fn has_nul(encoding: Encoding) -> bool {
    // SCSU can contain UTF-16, and JavaUtf a length of two bytes.
    is_wide(encoding) || matches!(encoding, Encoding::SCSU | Encoding::JAVA_UTF)
}
