//! The standard streams, and whether the program was started with each of them.
//!
//! A closed stream is not an empty one: text that should come from it, or go to it, is lost. But before `main`, the
//! standard library opens `/dev/null` in place of each closed stream, so that no file gets its number; and a stream that
//! another program opened on `/dev/null`, for reading and writing as Python does, looks no different. So the streams are
//! checked before the standard library starts.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

/// The standard streams, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Input = 0,
    Output = 1,
}

/// Fails if the program was started without the stream.
pub(crate) fn check(stream: Stream) -> io::Result<()> {
    if is_closed(stream) { Err(closed()) } else { Ok(()) }
}

/// Returns `true` if `path` means standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == OsStr::new("-")
}

/// Returns `true` if an output `path` means standard output: `-`, or another path to the same file, pipe or terminal.
pub(crate) fn is_stdout(path: &Path) -> bool {
    if path.as_os_str() == OsStr::new("-") {
        return true;
    }
    #[cfg(unix)]
    if let (Ok(path), Ok(stdout)) = (path.metadata(), stdout_file().and_then(|file| file.metadata())) {
        use std::os::unix::fs::MetadataExt as _;
        return (path.dev(), path.ino()) == (stdout.dev(), stdout.ino());
    }
    false
}

/// Standard input as an unbuffered file.
#[cfg(not(windows))]
pub(crate) fn stdin_file() -> io::Result<File> {
    use std::os::fd::AsFd;
    check(Stream::Input)?;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Standard input as an unbuffered file.
#[cfg(windows)]
pub(crate) fn stdin_file() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

/// Standard output as an unbuffered file.
#[cfg(not(windows))]
pub(crate) fn stdout_file() -> io::Result<File> {
    use std::os::fd::AsFd;
    check(Stream::Output)?;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

/// Standard output as an unbuffered file.
#[cfg(windows)]
pub(crate) fn stdout_file() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

#[cfg(unix)]
fn closed() -> io::Error {
    rustix::io::Errno::BADF.into()
}
#[cfg(not(unix))]
fn closed() -> io::Error {
    io::Error::other("is not open")
}

#[cfg(unix)]
fn is_closed(stream: Stream) -> bool {
    start::CLOSED[stream as usize].load(core::sync::atomic::Ordering::Relaxed)
}
#[cfg(not(unix))]
fn is_closed(_: Stream) -> bool {
    false
}

#[cfg(unix)]
mod start {
    use core::sync::atomic::{AtomicBool, Ordering};
    use rustix::stdio::{stdin, stdout};

    pub(super) static CLOSED: [AtomicBool; 2] = [const { AtomicBool::new(false) }; 2];

    ctor::declarative::ctor! {
        // SAFETY: what runs before `main` must not need what the standard library sets up for it. This makes two system
        // calls, by rustix without the standard library, and stores to atomics; it neither allocates nor panics.
        #[ctor(unsafe)]
        fn look() {
            CLOSED[0].store(rustix::io::fcntl_getfd(stdin()).is_err(), Ordering::Relaxed);
            CLOSED[1].store(rustix::io::fcntl_getfd(stdout()).is_err(), Ordering::Relaxed);
        }
    }
}
