//! Cleans up when a signal ends the run: removes the files that are being written.

use super::place::Directory;
use std::ffi::{OsStr, OsString};
use std::io;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The names of files to remove.
static REGISTERED: Mutex<Vec<(Directory, OsString)>> = Mutex::new(Vec::new());

/// While it is held, no signal ends the run: the operations in between happen as a whole.
#[derive(Debug)]
pub(super) struct Commit(MutexGuard<'static, Vec<(Directory, OsString)>>);

/// Waits until no signal is at work. Once one is, this never returns: the run is over.
pub(super) fn hold() -> Commit {
    Commit(REGISTERED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A name that is removed unless it is kept, even if a signal ends the run.
#[derive(Debug)]
pub(super) struct Provisional {
    directory: Directory,
    pub(super) name: OsString,
    kept: bool,
}

impl Provisional {
    /// Returns a name that `make` gives to a file.
    pub(super) fn new<T>(
        commit: &mut Commit,
        directory: &Directory,
        name: &OsStr,
        make: impl FnOnce() -> io::Result<T>,
    ) -> io::Result<(T, Self)> {
        let made = make()?;
        commit.0.push((directory.clone(), name.to_owned()));
        Ok((made, Self { directory: directory.clone(), name: name.to_owned(), kept: false }))
    }

    /// The name stays, or is already gone.
    pub(super) fn keep(&mut self, commit: &mut Commit) {
        let index =
            commit.0.iter().position(|(directory, name)| directory.is(&self.directory) && *name == self.name);
        index.map(|index| commit.0.swap_remove(index));
        self.kept = true;
    }
}

/// Dropping waits for the holder of the commit, so the holder must not drop it.
impl Drop for Provisional {
    fn drop(&mut self) {
        if !self.kept {
            let mut commit = hold();
            // The original is unchanged; a failure cannot be reported anywhere.
            let _ = self.directory.remove(&self.name);
            self.keep(&mut commit);
        }
    }
}

/// From here on, a signal that ends the run first removes the registered files.
pub(super) fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(start);
}

#[cfg(unix)]
fn start() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;
    // A program started with a signal ignored, as by `nohup`, must go on.
    let ignored = ignored();
    let taken =
        [SIGINT, SIGTERM, SIGHUP, SIGQUIT].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    // Without it, a signal ends the run at once, and the next run removes the files that remain.
    let Ok(mut signals) = Signals::new(taken) else { return };
    let wait = move || {
        let Some(signal) = signals.forever().next() else { return };
        let registered = hold();
        for (directory, name) in &*registered.0 {
            let _ = directory.remove(name);
        }
        // Acts as if there were no handler. No thread goes on, because the lock is still held.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
        std::process::exit(128 + signal);
    };
    drop(std::thread::Builder::new().name("signals".into()).spawn(wait));
}

/// Returns the signals that are ignored, as bits.
#[cfg(target_os = "linux")]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// If that is unknown, a hang-up has its default effect.
#[cfg(all(unix, not(target_os = "linux")))]
fn ignored() -> u64 {
    1 << (signal_hook::consts::SIGHUP - 1)
}

#[cfg(not(unix))]
fn start() {}

/// A file that grows past the limit is an error of writing, and does not end the run.
#[cfg(unix)]
pub(crate) fn survive_limits() {
    use core::sync::atomic::AtomicBool;
    use std::sync::Arc;
    // The flag is never read: the handler alone suffices.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

#[cfg(not(unix))]
pub(crate) fn survive_limits() {}
