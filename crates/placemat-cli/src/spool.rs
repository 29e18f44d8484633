//! Inputs that can be read only once, kept in temporary files so that they can be read again.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;

/// The copies that wait to be opened, by the paths of their inputs.
static WAITING: Mutex<Vec<(PathBuf, File)>> = Mutex::new(Vec::new());

/// Keeps a copy of the input `path` for the next one who opens it.
pub(crate) fn keep(path: &Path, copy: File) {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner).push((path.to_owned(), copy));
}

/// The copy of the input `path`, if there is one.
pub(crate) fn take(path: &Path) -> Option<File> {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let at = waiting.iter().position(|(known, _)| known == path)?;
    Some(waiting.swap_remove(at).1)
}

/// A file without a name, which is gone when it is closed.
pub(crate) fn temporary() -> io::Result<File> {
    let directory = std::env::temp_dir();
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // FILE_FLAG_DELETE_ON_CLOSE
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, 0x0400_0000);
    let mut last = io::ErrorKind::AlreadyExists.into();
    for number in 0..1000_u32 {
        let path = directory.join(format!(".placemat-{}-{number}", std::process::id()));
        match options.open(&path) {
            Ok(file) => {
                #[cfg(unix)]
                std::fs::remove_file(&path)?;
                return Ok(file);
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => last = e,
            Err(e) => return Err(e),
        }
    }
    Err(last)
}
