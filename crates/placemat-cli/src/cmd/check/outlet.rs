//! Prints the reports of all threads in the order of the files.
//!
//! Every file has a number. The report of the file whose turn it is is written at once; reports of later files wait
//! in memory, up to a bound, beyond which their threads wait too. A thread is always reading the file whose turn it is,
//! so that the work never stops.

use super::total::{Message, Summary, Total};
use crate::common::Common;
use crate::names;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::shown::Name;
use crate::walk::{Reason, Skipped};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::time::Duration;
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Bytes that one file may keep in memory until its turn comes.
const MOST_OF_ONE: usize = 512 * 1024;
/// The maximum number of bytes that the reports of all files together may keep in memory.
const MAX_WAITING_BYTES: usize = 8 * 1024 * 1024;
/// Threads may check up to this many files after the one whose turn it is.
const MAX_FILES_AHEAD: u64 = 4096;
/// The time that a finding may wait for more output.
const PATIENCE: Duration = Duration::from_millis(100);
/// The number of messages kept for the end of a SARIF report.
const MESSAGES: usize = 1000;

/// The output for a file, in order.
#[derive(Debug)]
enum Said {
    Data(String),
    /// The name of a file, not escaped.
    Name(Vec<u8>),
    /// For standard error: an error, a refusal, a warning, a note.
    Trouble(String),
    Refusal(String),
    Warning(String),
    Note(String),
}

impl Said {
    fn len(&self) -> usize {
        let len = match self {
            Self::Data(text)
            | Self::Trouble(text)
            | Self::Refusal(text)
            | Self::Warning(text)
            | Self::Note(text) => text.len(),
            Self::Name(name) => name.len(),
        };
        len + size_of::<Self>()
    }
}

/// The report of one file under way.
#[derive(Debug)]
pub(super) struct Ticket {
    number: u64,
    said: Vec<Said>,
    len: usize,
    pub(super) summary: Summary,
}

impl Ticket {
    pub(super) fn new(number: u64) -> Self {
        Self { number, said: Vec::new(), len: 0, summary: Summary::default() }
    }

    /// Moves a part of the report out of `text`.
    pub(super) fn data(&mut self, text: &mut String) {
        if !text.is_empty() {
            self.say(Said::Data(core::mem::take(text)));
        }
    }

    /// A name that ends with a NUL.
    pub(super) fn name(&mut self, path: &Path) {
        self.say(Said::Name(names::with_nul(path)));
    }

    pub(super) fn trouble(&mut self, message: String) {
        self.summary.unreadable += 1;
        self.say(Said::Trouble(message));
    }

    /// The file is not checked, because its encoding is not certain.
    pub(super) fn refuse(&mut self, message: String) {
        self.summary.unreadable += 1;
        self.say(Said::Refusal(message));
    }

    pub(super) fn warn(&mut self, message: String) {
        self.say(Said::Warning(message));
    }

    pub(super) fn note(&mut self, message: String) {
        self.say(Said::Note(message));
    }

    fn say(&mut self, said: Said) {
        self.len += said.len();
        self.said.push(said);
    }
}

/// The outlet of all threads.
#[derive(Debug)]
pub(super) struct Outlet<'a> {
    common: &'a Common,
    /// The number of the file whose turn it is.
    turn: AtomicU64,
    stopped: AtomicBool,
    /// Whether there was a finding, reported or not.
    found: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    data: Data,
    /// Complete reports that wait for their turn, and their total length.
    waiting: BTreeMap<u64, Ticket>,
    held: usize,
    /// The number of waiting threads: without any, no notification is needed.
    waiters: usize,
    /// The next part is the first: its leading comma is removed.
    first: bool,
    flushed: Instant,
    total: Total,
    failed: Option<io::Error>,
}

impl<'a> Outlet<'a> {
    /// `separated`: each part of the data begins with a separator byte.
    pub(super) fn new(data: Data, common: &'a Common, separated: bool) -> Self {
        Self {
            common,
            turn: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            found: AtomicBool::new(false),
            state: Mutex::new(State {
                data,
                waiting: BTreeMap::new(),
                held: 0,
                waiters: 0,
                first: separated,
                flushed: Instant::now(),
                total: Total::default(),
                failed: None,
            }),
            changed: Condvar::new(),
        }
    }

    /// Returns `true` if nothing more can be written.
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Writes the output of the ticket if it is its turn; else keeps the output, and waits if there is too much of it.
    pub(super) fn pass(&self, ticket: &mut Ticket) {
        if ticket.said.is_empty() {
            return;
        }
        let mine = || self.turn.load(Ordering::Acquire) == ticket.number;
        if !mine() && ticket.len < MOST_OF_ONE {
            return;
        }
        let mut state = self.wait(ticket.number, |_| false);
        self.write(&mut state, ticket);
        self.flush_now_and_then(&mut state);
    }

    /// Flushes the written output unless the last flush was just before. Returns whether all output is flushed.
    pub(super) fn flush(&self, ticket: &Ticket) -> bool {
        if !ticket.said.is_empty() {
            return false;
        }
        let mut state = self.lock();
        let due = state.flushed.elapsed() > PATIENCE;
        self.flush_now_and_then(&mut state);
        due
    }

    /// Ends the report of a file.
    pub(super) fn finish(&self, mut ticket: Ticket) {
        let len = ticket.len;
        let mut state = self.wait(ticket.number, |state| state.held + len <= MAX_WAITING_BYTES);
        if self.turn.load(Ordering::Acquire) != ticket.number {
            state.held += len;
            state.waiting.insert(ticket.number, ticket);
            return;
        }
        let mut turn = ticket.number;
        loop {
            self.write(&mut state, &mut ticket);
            state.count(&ticket);
            turn += 1;
            let Some(next) = state.waiting.remove(&turn) else { break };
            ticket = next;
            state.held = state.held.saturating_sub(ticket.len);
        }
        self.flush_now_and_then(&mut state);
        self.turn.store(turn, Ordering::Release);
        let somebody_waits = state.waiters > 0;
        drop(state);
        if somebody_waits {
            self.changed.notify_all();
        }
    }

    /// Waits until the file `number` is near enough to its turn to be begun.
    pub(super) fn wait_for_room(&self, number: u64) {
        if number >= self.turn.load(Ordering::Acquire) + MAX_FILES_AHEAD {
            drop(self.wait(number.saturating_sub(MAX_FILES_AHEAD / 2), |_| false));
        }
    }

    /// Counts the entries of directories that were skipped. Warns if no file was checked and, if it `matters`, of what was
    /// skipped.
    pub(super) fn say_skipped(&self, entries: &Skipped, matters: impl FnOnce(&Total) -> bool) {
        let mut state = self.lock();
        for reason in Reason::ALL {
            state.total.summary.skipped.add_entries(reason, entries.count(reason));
        }
        if self.is_stopped() {
            return;
        }
        let flushed = state.data.flush();
        self.check(&mut state, flushed);
        for (path, reason) in entries.take_names() {
            let (why, option) = reason.words();
            let advice = option.map(|option| format!(" ({option} checks it)")).unwrap_or_default();
            self.common.line(format_args!("{}: skipped: {why}{advice}", Name::new(&path)));
        }
        let Summary { files, skipped, unreadable, .. } = &state.total.summary;
        if files + skipped.binary() + unreadable == 0 {
            let why = if skipped.is_empty() {
                "there are no files, or -g excludes all of them".into()
            } else {
                format!("skipped {}{}", skipped.words(), skipped.advice())
            };
            let message = format!("no file was checked: {why}");
            self.common.warn(&message);
            state.keep("warning", message);
        } else if !skipped.is_empty() && matters(&state.total) {
            let message = format!("skipped {}{}", skipped.words(), skipped.advice());
            self.common.note(&message);
            state.keep("note", message);
        }
    }

    /// Returns the end of the report.
    pub(super) fn close(self, foot: impl FnOnce(&Total) -> String) -> Outcome {
        let met = self.met();
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let State { mut data, total, failed, .. } = state;
        let written = match failed {
            Some(e) => Err(e),
            None => data.write_all(foot(&total).as_bytes()).and_then(|()| data.flush()),
        };
        met.max(total.outcome).max(self.common.written(written.map(|()| Outcome::Clean)))
    }

    /// Records that there is a finding, even if it is not reported.
    pub(super) fn found(&self) {
        self.found.store(true, Ordering::Relaxed);
    }

    fn met(&self) -> Outcome {
        if self.found.load(Ordering::Relaxed) { Outcome::Findings } else { Outcome::Clean }
    }

    /// Writes the start of the report.
    pub(super) fn open(&self, head: &str) {
        let mut state = self.lock();
        let written = state.data.write_all(head.as_bytes());
        self.check(&mut state, written);
    }

    /// Returns the outcome, if nothing more can be written.
    pub(super) fn failure(&self) -> Option<Outcome> {
        let mut state = self.lock();
        let e = state.failed.take()?;
        Some(self.met().max(state.total.outcome).max(self.common.written(Err(e))))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is the turn of `number` or a later one, or `enough`.
    fn wait(&self, number: u64, enough: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        while self.turn.load(Ordering::Acquire) < number && !enough(&state) && !self.is_stopped() {
            state.waiters += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiters -= 1;
        }
        state
    }

    fn write(&self, state: &mut State, ticket: &mut Ticket) {
        ticket.len = 0;
        for said in ticket.said.drain(..) {
            if self.is_stopped() {
                return;
            }
            let written = match said {
                Said::Data(text) => {
                    let skipped = usize::from(core::mem::take(&mut state.first));
                    state.data.write_all(&text.as_bytes()[skipped..])
                }
                Said::Name(name) => state.data.write_all(&name),
                Said::Trouble(message) => state.error(message, Outcome::Trouble, self.common),
                Said::Refusal(message) => state.error(message, Outcome::Findings, self.common),
                Said::Warning(message) => state.data.flush().map(|()| {
                    self.common.warn(&message);
                    state.keep("warning", message);
                }),
                Said::Note(message) => state.data.flush().map(|()| self.common.line(message)),
            };
            self.check(state, written);
        }
    }

    fn flush_now_and_then(&self, state: &mut State) {
        if state.flushed.elapsed() > PATIENCE {
            let flushed = state.data.flush();
            self.check(state, flushed);
            state.flushed = Instant::now();
        }
    }

    fn check(&self, state: &mut State, written: io::Result<()>) {
        if let Err(e) = written {
            state.failed.get_or_insert(e);
            self.stopped.store(true, Ordering::Relaxed);
            self.changed.notify_all();
        }
    }
}

impl State {
    fn count(&mut self, ticket: &Ticket) {
        self.total.summary.add(&ticket.summary);
        if ticket.summary.findings > 0 {
            self.total.outcome = self.total.outcome.max(Outcome::Findings);
        }
    }

    /// Prints an error. Earlier findings appear before it.
    fn error(&mut self, message: String, outcome: Outcome, common: &Common) -> io::Result<()> {
        self.data.flush()?;
        common.error(&message);
        self.total.outcome = self.total.outcome.max(outcome);
        self.keep("error", message);
        Ok(())
    }

    fn keep(&mut self, level: &'static str, text: String) {
        if self.total.messages.len() < MESSAGES {
            self.total.messages.push(Message { level, text });
        } else {
            self.total.left_out += 1;
        }
    }
}
