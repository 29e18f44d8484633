//! Opens inputs: files by name, and standard input.

use crate::progress;
use crate::shown::{Name, reason};
use crate::spool;
use crate::streams::{is_stdin, stdin_file};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// An open input.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: Name,
    pub(crate) file: File,
}

/// Returns the name of an input `path` in messages.
pub(crate) fn name_of(path: &Path) -> Name {
    if is_stdin(path) { Name::stdin() } else { Name::new(path) }
}

/// `PATH: REASON`
pub(crate) fn trouble(path: &Path, e: &io::Error) -> String {
    format!("{}: {}", name_of(path), reason(e))
}

/// Reads some bytes, and retries when a signal interrupts.
pub(crate) fn read(stream: &mut impl Read, to: &mut [u8]) -> io::Result<usize> {
    loop {
        match stream.read(to) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            result => {
                progress::read(*result.as_ref().unwrap_or(&0));
                return result;
            }
        }
    }
}

/// Reads some bytes from a place in a file; where it is read next does not change.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, to: &mut [u8], place: u64) -> io::Result<usize> {
    use std::os::unix::fs::FileExt as _;
    loop {
        match file.read_at(to, place) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Reads some bytes from a place in a file.
#[cfg(not(unix))]
pub(crate) fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Opens a file, or standard input for `-`, or the copy of it that was kept. A directory is refused here and not at the first read.
pub(crate) fn open(path: &Path) -> io::Result<Input> {
    if let Some(file) = spool::take(path) {
        return Ok(Input { name: name_of(path), file });
    }
    let file = if is_stdin(path) { stdin_file()? } else { File::open(path)? };
    if file.metadata()?.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(Input { name: name_of(path), file })
}

/// Reads a whole file, or standard input for `-`, of at most `max_bytes`: a device may never end.
pub(crate) fn read_whole(path: &Path, max_bytes: u64) -> io::Result<(Name, Vec<u8>)> {
    let Input { name, file } = open(path)?;
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::other(format!("has more than {max_bytes} bytes")));
    }
    Ok((name, bytes))
}

/// Opens a file that is known not to be a directory.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    if is_stdin(path) { stdin_file() } else { File::open(path) }
}

/// Returns `true` if another program is at the other end.
#[cfg(unix)]
pub(crate) fn is_pipe(file: &File) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    file.metadata().is_ok_and(|metadata| metadata.file_type().is_fifo() || metadata.file_type().is_socket())
}

/// Returns `true` if another program is at the other end.
#[cfg(not(unix))]
pub(crate) fn is_pipe(_: &File) -> bool {
    false
}
