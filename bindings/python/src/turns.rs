//! Turns: a call that uses an object with state waits until the calls before it are done.
//!
//! Calls wait without the GIL, so a call that has its turn gets the GIL when it needs it. Calls
//! have their turns in the order in which they came with the GIL, since that is the order in which
//! their pieces of text were read.
//!
//! A call runs Python code only in handlers of errors and of signals. The functions that they call
//! may need the turn that their own call has:
//! - on the same thread, the function gets an exception at once;
//! - on a thread that the handler waits for, it gets one after the handler has run for
//!   [`PATIENCE`]. A handler that waits for no thread takes less time, so no other call fails.
//!
//! After `fork`, the threads that had turns are missing in the child. Their turns end there.

use crate::raw;
use crate::running::{BEGUN, RUNNING, in_handler, lock, this_thread};
use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use core::time::Duration;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread::{self, Thread};
use std::time::Instant;

/// Calls on other threads wait this long for one run of a handler.
const PATIENCE: Duration = Duration::from_secs(3);
/// A waiting call checks this often for signals, and for reasons to wait no longer.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The bit of [`Turns::state`] for a call that has its turn.
const HELD: usize = 1;
/// Each waiting call adds this to [`Turns::state`].
const WAITS: usize = 2;

/// The number of forks between the first process and this one.
static FORKS: AtomicUsize = AtomicUsize::new(0);
/// The thread that called `fork` last, which is the only one that continued in the child.
static SURVIVOR: AtomicUsize = AtomicUsize::new(0);
/// The turns of one object.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    state: AtomicUsize,
    /// The thread of the call that has its turn; 0 if there is none.
    holder: AtomicUsize,
    /// The value of [`FORKS`] when the last turn began.
    forks: AtomicUsize,
    /// The value of [`BEGUN`] when the last turn began.
    begun: AtomicU64,
    /// The waiting calls, which are changed only with the GIL.
    queue: Mutex<VecDeque<Waiting>>,
}

/// A call that waits.
#[derive(Debug)]
struct Waiting {
    number: u64,
    thread: Thread,
}

/// How a turn began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Began {
    /// The turn began after all earlier calls.
    AfterOthers,
    /// The turn began in the middle of a call whose thread is missing.
    InTheMiddle,
}

impl Turns {
    /// Waits for the turn of a call. `what` names the object in messages.
    ///
    /// If the end of the interpreter stopped the thread that has the turn, this is an error, unless
    /// `to_the_end` is set: that thread may still convert without the GIL.
    #[inline]
    fn begin(&self, py: Python<'_>, what: impl FnOnce() -> String, to_the_end: bool) -> PyResult<Began> {
        if self.state.compare_exchange(0, HELD, Ordering::Acquire, Ordering::Relaxed).is_ok() {
            self.note();
            return Ok(Began::AfterOthers);
        }
        self.wait(py, what, to_the_end)
    }

    /// Notes which thread has the turn.
    #[inline]
    fn note(&self) {
        self.holder.store(this_thread(), Ordering::Relaxed);
        self.forks.store(FORKS.load(Ordering::Relaxed), Ordering::Relaxed);
        self.begun.store(BEGUN.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Ends the turn. The thread keeps the GIL until its caller has the result, so results come in the order of the turns.
    #[inline]
    pub(crate) fn end(&self) {
        self.holder.store(0, Ordering::Relaxed);
        if self.state.fetch_sub(HELD, Ordering::Release) != HELD {
            self.wake();
        }
    }

    /// Returns `true` if this thread has the turn.
    #[inline]
    pub(crate) fn is_mine(&self) -> bool {
        self.holder.load(Ordering::Relaxed) == this_thread() && !self.is_orphaned()
    }

    /// Returns `true` if the call that had the turn was on a thread that is missing since the
    /// process forked.
    #[inline]
    fn is_orphaned(&self) -> bool {
        self.forks.load(Ordering::Relaxed) != FORKS.load(Ordering::Relaxed)
            && self.holder.load(Ordering::Relaxed) != SURVIVOR.load(Ordering::Relaxed)
    }

    /// Wakes the call that has waited longest.
    #[cold]
    fn wake(&self) {
        if let Some(first) = lock(&self.queue).front() {
            first.thread.unpark();
        }
    }

    /// Begins the turn of a call although another turn has not ended.
    fn take_over(&self, queue: &mut VecDeque<Waiting>) -> Began {
        let before = self.state.load(Ordering::Relaxed);
        queue.clear();
        self.state.store(HELD, Ordering::Relaxed);
        self.note();
        if before & HELD == 0 { Began::AfterOthers } else { Began::InTheMiddle }
    }

    #[cold]
    fn wait(&self, py: Python<'_>, what: impl FnOnce() -> String, to_the_end: bool) -> PyResult<Began> {
        if self.is_mine() {
            return Err(PyRuntimeError::new_err(format!(
                "reentrant call: {} is in use by the call in which this handler of errors or signals runs",
                what()
            )));
        }
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let thread = thread::current();
        let began = Instant::now();
        let mut handler = None;
        let result = loop {
            {
                let mut queue = lock(&self.queue);
                if self.is_orphaned() {
                    return Ok(self.take_over(&mut queue));
                }
                if !queue.iter().any(|waiting| waiting.number == number) {
                    // A signal handler runs before the call that it interrupts.
                    let own = queue.iter().position(|waiting| waiting.thread.id() == thread.id());
                    let at = own.unwrap_or(queue.len());
                    queue.insert(at, Waiting { number, thread: thread.clone() });
                    self.state.fetch_add(WAITS, Ordering::Relaxed);
                }
                if queue.front().is_some_and(|first| first.number == number) && self.try_next() {
                    queue.pop_front();
                    return Ok(Began::AfterOthers);
                }
            }
            if let Err(error) = in_handler(|| raw::signals(py)) {
                break error;
            }
            let now = self.handler();
            match handler {
                Some((since, before)) if now == Some(before) => {
                    if Instant::now() >= since + PATIENCE {
                        break PyRuntimeError::new_err(format!(
                            "{} is in use by a call on another thread, whose handler of errors or signals has run for {} seconds: \
                             a handler must not wait for a thread that uses the same object",
                            what(),
                            PATIENCE.as_secs()
                        ));
                    }
                }
                _ => handler = now.map(|now| (Instant::now(), now)),
            }
            if began.elapsed() >= POLL_INTERVAL && is_finalizing(py) {
                if to_the_end {
                    return Ok(self.take_over(&mut lock(&self.queue)));
                }
                break PyRuntimeError::new_err(format!(
                    "{} is in use by a call on a thread that the end of the interpreter stopped",
                    what()
                ));
            }
            py.detach(|| thread::park_timeout(POLL_INTERVAL));
        };
        let mut queue = lock(&self.queue);
        if let Some(at) = queue.iter().position(|waiting| waiting.number == number) {
            queue.remove(at);
            self.state.fetch_sub(WAITS, Ordering::Relaxed);
        }
        if let Some(first) = queue.front() {
            first.thread.unpark();
        }
        drop(queue);
        Err(result)
    }

    /// Begins the turn of the call that has waited longest, unless another call has its turn.
    fn try_next(&self) -> bool {
        let next = |state: usize| (state & HELD == 0).then(|| state - WAITS + HELD);
        let begins = self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, next).is_ok();
        if begins {
            self.note();
        }
        begins
    }

    /// Returns the number of the handler that runs in the call that has its turn.
    fn handler(&self) -> Option<u64> {
        let (holder, begun) = (self.holder.load(Ordering::Relaxed), self.begun.load(Ordering::Relaxed));
        let running = lock(&RUNNING);
        running
            .iter()
            .rfind(|&&(thread, number)| thread == holder && number > begun)
            .map(|&(_, number)| number)
    }
}

/// Returns `true` if the interpreter ends, so that no other thread continues in it.
fn is_finalizing(py: Python<'_>) -> bool {
    let asked = py.import("sys").and_then(|sys| sys.call_method0("is_finalizing"));
    asked.and_then(|answer| answer.is_truthy()).unwrap_or(true)
}

/// A value that calls use in turn.
#[derive(Debug)]
pub(crate) struct InTurn<T> {
    turns: Turns,
    value: UnsafeCell<T>,
}

// SAFETY: a reference to the value exists only while a `Turn` does, and there is one at a time.
unsafe impl<T: Send> Sync for InTurn<T> {}

/// The turn of a call, which ends when this value is dropped.
pub(crate) struct Turn<'a, T>(&'a InTurn<T>);

impl<T> InTurn<T> {
    pub(crate) fn new(value: T) -> Self {
        Self { turns: Turns::default(), value: UnsafeCell::new(value) }
    }

    /// Waits for the turn of a call, and returns how it began.
    #[inline]
    pub(crate) fn begin(
        &self,
        py: Python<'_>,
        what: impl FnOnce() -> String,
    ) -> PyResult<(Turn<'_, T>, Began)> {
        let began = self.turns.begin(py, what, false)?;
        Ok((Turn(self), began))
    }
}

impl<T> Deref for Turn<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: there is one turn at a time, and this value is it.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Turn<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as above.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for Turn<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.0.turns.end();
    }
}

/// A lock for objects that are written in Python, which one thread may take several times. Threads
/// get it in the order in which they came. Unlike `threading.RLock`, it does not wait for an error
/// handler that waits for this thread, nor for a thread that a `fork` or the end of the interpreter
/// stopped.
#[pyclass(frozen, module = "placemat._placemat")]
#[derive(Default)]
pub(crate) struct Lock {
    turns: Turns,
    /// The number of times that the owning thread has taken the lock.
    depth: AtomicUsize,
}

#[pymethods]
impl Lock {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Waits for the turn of this thread, unless it has it.
    fn acquire(&self, py: Python<'_>) -> PyResult<()> {
        if self.turns.is_mine() {
            self.depth.fetch_add(1, Ordering::Relaxed);
        } else {
            self.turns.begin(py, || "the file".to_owned(), true)?;
            self.depth.store(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Ends one `acquire` of this thread, if there is one. So `acquire` may be inside the `try`
    /// whose `finally` calls this: between the two, a signal could raise an exception.
    fn release(&self) {
        if self.turns.is_mine() && self.depth.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.turns.end();
        }
    }

    fn __enter__(&self, py: Python<'_>) -> PyResult<()> {
        self.acquire(py)
    }

    fn __exit__(&self, _kind: &Bound<'_, PyAny>, _error: &Bound<'_, PyAny>, _traceback: &Bound<'_, PyAny>) {
        self.release();
    }
}

/// Ends the turns of the calls on other threads, in the child of a `fork`.
#[pyfunction]
fn after_fork() {
    let this = this_thread();
    SURVIVOR.store(this, Ordering::Relaxed);
    FORKS.fetch_add(1, Ordering::Relaxed);
    lock(&RUNNING).retain(|&(thread, _)| thread == this);
}

/// Adds the lock to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Lock>()?;
    let py = module.py();
    // There is no `fork` on Windows.
    if let Ok(register) = py.import("os")?.getattr("register_at_fork") {
        let keywords = pyo3::types::PyDict::new(py);
        keywords.set_item("after_in_child", wrap_pyfunction!(after_fork, module)?)?;
        register.call((), Some(&keywords))?;
    }
    Ok(())
}
