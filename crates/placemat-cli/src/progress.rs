//! The progress line on standard error, if that is a terminal and the work lasts longer than a second.
//!
//! ```text
//! 1.2 GB of 5.0 GB, 2.3 GB/s, 2 s left
//! ```
//!
//! All other output to a terminal goes through [`aside`], which removes the line first.

use crate::streams;
use core::fmt::{self, Write as _};
use core::sync::atomic::{AtomicU64, Ordering};
use core::time::Duration;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Shorter work shows no line.
const PATIENCE: Duration = Duration::from_secs(1);
/// The interval between updates of the line.
const TICK: Duration = Duration::from_millis(200);

/// Bytes read so far, of all inputs.
static READ: AtomicU64 = AtomicU64::new(0);
static LINE: Mutex<Line> = Mutex::new(Line { shown: false, over: false });

struct Line {
    shown: bool,
    over: bool,
}

impl Line {
    fn hide(&mut self) {
        if self.shown {
            self.shown = false;
            // Returns to the start of the line and clears it. A failure cannot be reported anywhere.
            let _ = io::stderr().write_all(b"\r\x1B[K");
        }
    }
}

/// Counts bytes that were read.
pub(crate) fn read(bytes: usize) {
    READ.fetch_add(bytes as u64, Ordering::Relaxed);
}

/// Starts the progress line for these inputs, if there is a terminal.
pub(crate) fn start(quiet: bool, paths: &[PathBuf]) {
    if quiet || !io::stderr().is_terminal() {
        return;
    }
    // The size of directories, pipes and the like is unknown.
    let lengths = paths.iter().map(|path| {
        let metadata =
            if streams::is_stdin(path) { streams::stdin_file()?.metadata() } else { path.metadata() };
        metadata.map(|metadata| metadata.is_file().then_some(metadata.len()))
    });
    let total: Option<u64> = lengths.map(|length| length.ok().flatten()).sum();
    let total = total.filter(|_| !paths.is_empty());
    // Without the thread, there is no progress line.
    drop(std::thread::Builder::new().spawn(move || tell(total)));
}

fn tell(total: Option<u64>) {
    let start = Instant::now();
    std::thread::sleep(PATIENCE);
    loop {
        let line = far(READ.load(Ordering::Relaxed), total, start.elapsed());
        {
            let mut state = lock();
            if state.over {
                return;
            }
            state.shown = true;
            let _ = io::stderr().write_all(format!("\r\x1B[K{line}").as_bytes());
        }
        std::thread::sleep(TICK);
    }
}

/// Runs `write` with the progress line removed.
pub(crate) fn aside<T>(write: impl FnOnce() -> T) -> T {
    let mut state = lock();
    state.hide();
    write()
}

/// Ends the progress line.
pub(crate) fn end() {
    let mut state = lock();
    state.over = true;
    state.hide();
}

fn lock() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the text of the line.
fn far(read: u64, total: Option<u64>, elapsed: Duration) -> String {
    let mut line = Size(read).to_string();
    if let Some(total) = total {
        _ = write!(line, " of {}", Size(total.max(read)));
    }
    let milliseconds = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX).max(1);
    let rate = u64::try_from(u128::from(read) * 1000 / u128::from(milliseconds)).unwrap_or(u64::MAX);
    _ = write!(line, ", {}/s", Size(rate));
    if let Some(rest) = total.and_then(|total| total.checked_sub(read))
        && rate > 0
    {
        let seconds = rest.div_ceil(rate);
        match seconds {
            ..100 => _ = write!(line, ", {seconds} s left"),
            _ => _ = write!(line, ", {} min left", seconds.div_ceil(60)),
        }
    }
    line
}

/// A number of bytes in few digits.
struct Size(u64);

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut unit = 1;
        for name in ["bytes", "KB", "MB", "GB", "TB"] {
            if self.0 / unit < 1000 || name == "TB" {
                let (whole, tenths) = (self.0 / unit, self.0 / (unit / 10).max(1) % 10);
                return if unit == 1 || whole >= 100 {
                    write!(f, "{whole} {name}")
                } else {
                    write!(f, "{whole}.{tenths} {name}")
                };
            }
            unit *= 1000;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        for (size, shown) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1000, "1.0 KB"),
            (99_960, "99.9 KB"),
            (999_999, "999 KB"),
            (1_250_000, "1.2 MB"),
            (5_000_000_000, "5.0 GB"),
            (u64::MAX, "18446744 TB"),
        ] {
            assert_eq!(Size(size).to_string(), shown);
        }
    }

    #[test]
    fn lines() {
        let second = Duration::from_secs(1);
        assert_eq!(far(0, None, second), "0 bytes, 0 bytes/s");
        assert_eq!(far(2_300_000_000, Some(5_000_000_000), second), "2.3 GB of 5.0 GB, 2.3 GB/s, 2 s left");
        assert_eq!(far(1_000_000, Some(1_000_000_000), second), "1.0 MB of 1.0 GB, 1.0 MB/s, 17 min left");
        // A file that has grown.
        assert_eq!(far(2000, Some(1000), 2 * second), "2.0 KB of 2.0 KB, 1.0 KB/s");
        assert!(far(u64::MAX, Some(u64::MAX), Duration::ZERO).starts_with("18446744 TB of "));
    }
}
