//! Several files at a time: each thread takes one file after another, in order, and reports it under its number.

use super::args::Args;
use super::baseline::Baseline;
use super::file::{Checker, Wish, cannot_read, skip};
use super::lint::{BomArg, Wanted};
use super::outlet::{Outlet, Ticket};
use super::queue::{Job, Queue};
use super::report::Report;
use crate::auto;
use crate::common::Common;
use crate::config::{Choice, Config};
use crate::families::{WITH_NUL_BYTES, is_wide};
use crate::input;
use crate::options::Given;
use crate::palette::Palette;
use crate::scan::{Binary, Scanner};
use crate::walk::{Found, Skipped, Tracked, Trouble};
use core::sync::atomic::{AtomicUsize, Ordering};
use placemat::Encoding;
use placemat::detect::Verdict;
use placemat_diagnose::Diagnosis;
use std::thread::{self, Scope};

/// The number of bytes in which a binary file shows what it is.
const HEAD: usize = 8 * 1024;

/// The state that all threads share.
struct Shared<'a, I> {
    args: &'a Args,
    wanted: Wanted,
    common: &'a Common,
    styles: Palette,
    outlet: &'a Outlet<'a>,
    baseline: Option<&'a Baseline>,
    queue: Queue<I>,
    /// The maximum number of threads, and the number of those started.
    threads: usize,
    started: AtomicUsize,
}

/// Checks all files and reports them in order.
pub(super) fn check_all(
    args: &Args,
    wanted: Wanted,
    common: &Common,
    styles: Palette,
    outlet: &Outlet<'_>,
    baseline: Option<&Baseline>,
    entries: &Skipped,
) {
    let files = match args.walk.files_noting(&args.paths, Tracked::Always, common, entries) {
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
    let shared = Shared {
        args,
        wanted,
        common,
        styles,
        outlet,
        baseline,
        queue,
        threads,
        started: AtomicUsize::new(1),
    };
    thread::scope(|scope| shared.work(scope));
}

impl<I: Iterator<Item = Result<Found, Trouble>> + Send> Shared<'_, I> {
    /// Takes files until there are no more. Where there are more than one, the thread starts another, as long as there may
    /// be one more.
    fn work<'scope, 'env>(&'env self, scope: &'scope Scope<'scope, 'env>) {
        let mut checker = None;
        while !self.outlet.is_stopped() {
            let Some((job, more)) = self.queue.take() else { return };
            if more && self.may_start() {
                // If the thread cannot be started, the others do its work.
                drop(thread::Builder::new().spawn_scoped(scope, move || self.work(scope)));
            }
            let checker = checker.get_or_insert_with(|| self.checker());
            self.outlet.wait_for_room(job.number);
            self.one(job, checker);
        }
        self.give_up();
    }

    /// Returns `true` if there may be one more thread, which is counted then.
    fn may_start(&self) -> bool {
        let one_more = |started| (started < self.threads).then_some(started + 1);
        self.started.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more).is_ok()
    }

    fn checker(&self) -> Checker<'_> {
        Checker {
            args: self.args,
            wanted: self.wanted,
            quiet: self.common.quiet,
            outlet: self.outlet,
            baseline: self.baseline,
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
        let Args { from, bom, skip_binary, newline, ref walk, ref verbose, .. } = *self.args;
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
        for warning in &choice.warnings {
            ticket.warn(warning.clone());
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
                let mut head = [0; HEAD];
                let mut len = 0;
                while let Ok(read @ 1..) = input::read(&mut file, &mut head[len..]) {
                    len += read;
                }
                return skip(&name, Binary::of(&head[..len]), verbose, ticket);
            }
            match auto::encoding(&name, &detection) {
                Ok(encoding) => {
                    let encoding = newline.of(encoding);
                    if verbose {
                        ticket.note(format!("{name}: read as {}", auto::said(encoding, &detection)));
                    }
                    encoding
                }
                Err(refused) => return ticket.refuse(refused),
            }
        } else {
            let encoding = newline.of(named.or(choice.encoding).unwrap_or(Encoding::UTF_8));
            if verbose && (encoding, bom) != (named.unwrap_or(Encoding::UTF_8), self.args.bom) {
                ticket.note(format!("{name}: read as {encoding}: {}", choice.why));
            }
            encoding
        };
        let skip_binary = (!found.named || skip_binary) && !walk.text && !has_nul(encoding);
        let declared = from.is_none() && choice.encoding.is_some();
        if self.wanted.declaration && !file.metadata().is_ok_and(|metadata| metadata.is_file()) {
            // The text is read twice.
            file = match auto::of_file(file) {
                Ok((again, _)) => again,
                Err(e) => return cannot_read(&name, &e, ticket),
            };
        }
        let path_in_tree = found.path_in_tree().to_owned();
        let wish = Wish { encoding, bom, skip_binary, declared, named: from.is_some(), choice, path_in_tree };
        checker.check(&found.path, &name, &mut file, wish, ticket);
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

/// Returns `true` if text in this encoding has NUL bytes, so that they do not make a file binary.
fn has_nul(encoding: Encoding) -> bool {
    is_wide(encoding) || WITH_NUL_BYTES.contains(&encoding)
}
