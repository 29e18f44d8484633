//! Running handlers: Python code in the middle of a conversion.

use crate::meanwhile;
use core::sync::atomic::{AtomicU64, Ordering};
use pyo3::ffi;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The number of handlers that have begun so far.
pub(crate) static BEGUN: AtomicU64 = AtomicU64::new(0);
/// The running handlers: the thread of each, and its number.
pub(crate) static RUNNING: Mutex<Vec<(usize, u64)>> = Mutex::new(Vec::new());

/// Returns a number that identifies this thread as long as it runs, and is not 0.
#[inline]
pub(crate) fn this_thread() -> usize {
    // SAFETY: the thread is attached to the interpreter, as everywhere but in `Released::run`.
    unsafe { ffi::PyThreadState_Get() as usize }
}

/// Locks a value that is changed only with the GIL and for a few instructions, so that no other
/// thread has it locked when the process forks.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a handler: Python code, in the middle of a call that has its turn.
pub(crate) fn in_handler<R>(run: impl FnOnce() -> R) -> R {
    struct Handler(u64);
    impl Drop for Handler {
        fn drop(&mut self) {
            lock(&RUNNING).retain(|&(_, number)| number != self.0);
        }
    }
    let number = 1 + BEGUN.fetch_add(1, Ordering::Relaxed);
    lock(&RUNNING).push((this_thread(), number));
    let handler = Handler(number);
    // Functions that the handler calls keep or release the GIL as usual.
    let result = meanwhile::as_usual(run);
    drop(handler);
    result
}
