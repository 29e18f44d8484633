//! The files to check, between the thread that finds them and those that take them.

use crate::config::{Choice, Config};
use crate::walk::{Found, Trouble};
use core::time::Duration;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The number of files to hand out at a time.
const AT_A_TIME: usize = 64;
/// With several threads, the walk goes on when fewer files than this are ready.
const MIN_READY_FILES: usize = 256;
/// With several threads, the walk stops when this many files are ready.
const MAX_READY_FILES: usize = 1024;
/// Wake a waiting thread only once this many files are ready; waking it for fewer costs more than
/// checking them.
const WAKE_FILES: usize = 8;
/// The time after which a waiting thread looks for files itself.
const PATIENCE: Duration = Duration::from_millis(5);

/// A file to check, or an error on the way to it.
pub(super) struct Job {
    pub(super) number: u64,
    pub(super) file: Result<(Found, Choice), Trouble>,
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
pub(super) struct Queue<I> {
    state: Mutex<Ready<I>>,
    /// The files found last. Only the thread that walks puts them here, so it hardly ever waits for others.
    found: Mutex<Vec<Job>>,
    /// There are more files, or the walk is over.
    changed: Condvar,
    /// A thread begins to walk when fewer files than this are ready.
    few: usize,
    /// The walk stops when this many files are ready.
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
    pub(super) fn new(files: I, config: Option<Config>, threads: usize) -> Self {
        let walk = Walk { files, next: 0, config };
        let ready = Ready { jobs: VecDeque::new(), walk: Some(walk), is_over: false, waiters: 0 };
        // A thread alone finds more files only when there are none left.
        let (few, many) = if threads > 1 { (MIN_READY_FILES, MAX_READY_FILES) } else { (1, 1) };
        Self { state: Mutex::new(ready), found: Mutex::default(), changed: Condvar::new(), few, many }
    }

    /// Returns the next file, and whether there is one for another thread, too.
    pub(super) fn take(&self) -> Option<(Job, bool)> {
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
                if ready.jobs.len() >= WAKE_FILES && ready.waiters > 0 {
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
            let mut count = 0;
            while count < AT_A_TIME
                && let Some(job) = walk.next()
            {
                lock(&self.found).push(job);
                count += 1;
            }
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

/// No thread panics while it holds a lock.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;

    fn found(i: usize) -> Result<Found, Trouble> {
        Ok(Found { path: i.to_string().into(), named: false, depth: 1, root: None })
    }

    #[test]
    fn each_file_is_taken_once_and_by_each_thread_in_order() {
        for threads in [1, 2, 5] {
            for count in [
                0,
                1,
                AT_A_TIME - 1,
                AT_A_TIME,
                AT_A_TIME + 1,
                MIN_READY_FILES,
                MAX_READY_FILES,
                5 * MAX_READY_FILES + 7,
            ] {
                let queue = Queue::new((0..count).map(found), None, threads);
                let take = || -> Vec<u64> {
                    core::iter::from_fn(|| queue.take())
                        .map(|(job, _)| {
                            assert!(job.file.is_ok_and(|(found, _)| found.path == *job.number.to_string()));
                            job.number
                        })
                        .collect()
                };
                let mut all = Vec::new();
                thread::scope(|scope| {
                    let running: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
                    for thread in running {
                        let taken = thread.join().unwrap();
                        assert!(taken.is_sorted());
                        all.extend(taken);
                    }
                });
                all.sort_unstable();
                assert!(all.iter().copied().eq(0..count as u64), "{threads} threads, {count} files");
            }
        }
    }

    #[test]
    fn found_files_do_not_wait_for_others() {
        let (taken, wait) = mpsc::channel();
        // The walk finds a few files more than it hands out at first, and the next only when all of them were taken.
        let begun = AT_A_TIME + 3;
        let files = (0..=begun).map(move |i| {
            if i == begun {
                let numbers: Vec<u64> = wait.iter().take(begun).collect();
                assert_eq!(numbers.len(), begun);
            }
            found(i)
        });
        let queue = Queue::new(files, None, 2);
        thread::scope(|scope| {
            for taken in [taken.clone(), taken] {
                scope.spawn(|| {
                    let taken = taken;
                    while let Some((job, _)) = queue.take() {
                        // Nobody counts the last one.
                        let _ = taken.send(job.number);
                    }
                });
            }
        });
    }

    #[test]
    fn a_thread_alone_keeps_few_files() {
        let queue = Queue::new((0..10 * MAX_READY_FILES).map(found), None, 1);
        while queue.take().is_some() {
            assert!(lock(&queue.state).jobs.len() < AT_A_TIME);
        }
    }
}
