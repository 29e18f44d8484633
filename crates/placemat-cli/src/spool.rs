//! Inputs that can be read only once, kept in temporary files so that they can be read again.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;

/// The copies that wait to be opened, by the paths of their inputs.
static WAITING: Mutex<Vec<(PathBuf, File)>> = Mutex::new(Vec::new());

/// Keeps a copy of the input `path` for the next one who opens it.
pub(crate) fn keep(path: &Path, copy: File) {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner).push((path.to_owned(), copy));
}

/// Returns the copy of the input `path`, if there is one.
pub(crate) fn take(path: &Path) -> Option<File> {
    let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
    let at = waiting.iter().position(|(known, _)| known == path)?;
    Some(waiting.swap_remove(at).1)
}

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// Shows all of an open input to `look`. Returns a file at the start of the same bytes, and whether it is a copy.
pub(crate) fn first_pass(mut file: File, mut look: impl FnMut(&[u8])) -> io::Result<(File, bool)> {
    let is_regular = file.metadata()?.is_file();
    // Standard input may have been read in part by another program.
    let start = if is_regular { file.stream_position()? } else { 0 };
    let mut copy = if is_regular { None } else { Some(temporary()?) };
    let mut buffer = vec![0; PIECE_BYTES];
    loop {
        let len = match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(len) => len,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        look(&buffer[..len]);
        if let Some(copy) = &mut copy {
            copy.write_all(&buffer[..len])?;
        }
    }
    let is_copy = copy.is_some();
    let mut file = copy.unwrap_or(file);
    file.seek(SeekFrom::Start(start))?;
    Ok((file, is_copy))
}

/// Returns a file without a name, which is gone when it is closed.
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
