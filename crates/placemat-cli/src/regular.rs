//! Reads the files that the command looks up beside its inputs, such as `.gitattributes`.
//!
//! Nobody named these files on the command line, and the author of a tree chooses what they are. A FIFO would make the
//! command wait, a device such as `/dev/zero` would never end. So only regular files are read, and only up to a limit.

use crate::shown::reason;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

/// Returns the bytes of a regular file of at most `max_bytes`; symbolic links are followed. `/dev/null` is an empty file.
///
/// # Errors
/// If the file cannot be read, is not a regular file, or is longer.
pub(crate) fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let file = match open(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound && is_null(path) => return Ok(Vec::new()),
        opened => opened?,
    };
    let len = file.metadata()?.len();
    if len > max_bytes {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or(0) + 1);
    // The file may have grown, or report no length, as those in /proc.
    file.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Opens a regular file for reading, without waiting for anything.
fn open(path: &Path) -> io::Result<File> {
    // Opening a device may already have an effect, so the path is examined first.
    check(&fs::metadata(path)?)?;
    let file = open_at_once(path)?;
    // The path may lead to another file by now.
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(metadata: &Metadata) -> io::Result<()> {
    match metadata {
        metadata if metadata.is_file() => Ok(()),
        metadata if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other("is not a regular file")),
    }
}

/// Returns `true` if a path leads to the null device, which users put in place of files that they do not want.
#[cfg(unix)]
fn is_null(path: &Path) -> bool {
    use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
    let device = |path: &Path| {
        let metadata = fs::metadata(path).ok()?;
        metadata.file_type().is_char_device().then(|| metadata.rdev())
    };
    device(path).is_some_and(|found| device(Path::new("/dev/null")) == Some(found))
}
#[cfg(not(unix))]
fn is_null(_: &Path) -> bool {
    false
}

#[cfg(unix)]
fn open_at_once(path: &Path) -> io::Result<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(openat(CWD, path, flags, Mode::empty())?.into())
}
#[cfg(not(unix))]
fn open_at_once(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Returns the bytes of a file that may be missing. If the file is there and cannot be read, tells `warn` why and returns
/// `None`.
pub(crate) fn read_or_warn(
    path: &Path,
    max_bytes: u64,
    warn: &mut dyn FnMut(&Path, &str),
) -> Option<Vec<u8>> {
    match read(path, max_bytes) {
        Ok(bytes) => Some(bytes),
        Err(e) => {
            if !is_missing(path, &e) {
                warn(path, &reason(&e));
            }
            None
        }
    }
}

/// Returns `true` if an error means that there is no such file, that there cannot be one, or that nobody can tell: the home
/// directory is often closed to a command that another user started.
fn is_missing(path: &Path, e: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, NotADirectory, NotFound, PermissionDenied};
    match e.kind() {
        NotFound | NotADirectory | InvalidFilename => true,
        PermissionDenied => fs::symlink_metadata(path).is_err(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_up_to_the_limit_are_read() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let len = fs::metadata(&file).unwrap().len();
        assert_eq!(read(&file, len).unwrap().len() as u64, len);
        assert_eq!(read(&file, len - 1).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        let directory = read(Path::new(env!("CARGO_MANIFEST_DIR")), len).unwrap_err();
        assert_eq!(directory.kind(), io::ErrorKind::IsADirectory);
        assert_eq!(read_or_warn(&file.join("x"), len, &mut |_, _| panic!("a warning")), None);
        #[cfg(unix)]
        assert_eq!(read(Path::new("/dev/zero"), len).unwrap_err().to_string(), "is not a regular file");
        #[cfg(unix)]
        assert_eq!(read(Path::new("/dev/null"), len).unwrap(), b"");
        // A file of this kind reports no length.
        #[cfg(target_os = "linux")]
        assert!(!read(Path::new("/proc/self/status"), 1 << 20).unwrap().is_empty());
        #[cfg(target_os = "linux")]
        assert_eq!(read(Path::new("/proc/self/status"), 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
