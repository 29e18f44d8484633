//! Checks whether the output is one of the inputs.

use crate::streams;
use std::fs::File;
use std::path::Path;

/// The identity of a file, independent of its name. Only regular files have one: reading from and writing to one
/// terminal does no harm.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Identity(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] same_file::Handle);

impl Identity {
    pub(crate) fn of_input(path: &Path) -> Option<Self> {
        if streams::is_stdin(path) {
            Self::of_file(&streams::stdin_file().ok()?)
        } else {
            Self::of_path(path)
        }
    }

    /// Does not open the file, which would disturb a pipe.
    #[cfg(unix)]
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        Self::of_metadata(&path.metadata().ok()?)
    }

    #[cfg(unix)]
    pub(crate) fn of_file(file: &File) -> Option<Self> {
        Self::of_metadata(&file.metadata().ok()?)
    }

    #[cfg(unix)]
    fn of_metadata(metadata: &std::fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        metadata.is_file().then(|| Self((metadata.dev(), metadata.ino())))
    }

    #[cfg(not(unix))]
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        path.is_file().then(|| same_file::Handle::from_path(path).ok().map(Self))?
    }

    #[cfg(not(unix))]
    pub(crate) fn of_file(file: &File) -> Option<Self> {
        let regular = file.metadata().ok()?.is_file();
        regular.then(|| same_file::Handle::from_file(file.try_clone().ok()?).ok().map(Self))?
    }
}
