//! Replaces files, all at once or not at all.
//!
//! The new text goes into a file beside the old one, which takes its name when it is complete and on the disk: a program that opens the
//! name finds the old text or the new, at any time. `docs/reference/in-place.md` lists the properties of the old file that are kept.

mod attributes;
mod old;
mod place;
mod signals;
mod successor;
mod temporary;

pub(crate) use attributes::Mtime;
pub(crate) use old::{Old, Wishes};
pub(crate) use place::{Directory, Place};
pub(crate) use signals::survive_limits;
pub(crate) use successor::{Became, Successor};
pub(crate) use temporary::{Temporary, is_temporary};

use crate::identity::Identity;
use crate::streams;
use old::unmovable;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// The number of files that may be replaced at a time: each needs several open files.
pub(crate) fn at_a_time() -> usize {
    #[cfg(unix)]
    if let Some(open) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
        const EACH: u64 = 6;
        const OTHERS: u64 = 24;
        return usize::try_from(open.saturating_sub(OTHERS) / EACH).unwrap_or(usize::MAX).max(1);
    }
    usize::MAX
}

/// The file that `--output` names.
#[derive(Debug)]
pub(crate) enum Output {
    /// A device, a pipe or standard output: output appears at once.
    Stream(File),
    /// A file: output appears when it is complete.
    File(Box<Coming>),
}

/// A file that is being written.
#[derive(Debug)]
pub(crate) struct Coming {
    place: Place,
    /// The file that the output replaces.
    old: Option<Old>,
    new: Temporary,
}

impl Output {
    /// Opens the output; without a path, standard output. A file keeps its text for now.
    pub(crate) fn open(path: Option<&Path>) -> io::Result<Self> {
        let Some(path) = path else { return Ok(Self::Stream(streams::stdout_file()?)) };
        // Compared by identity, not by name.
        let stdout = streams::stdout_file();
        if let Ok(stdout) = stdout
            && let Some(identity) = Identity::of_file(&stdout)
            && Identity::of_path(path) == Some(identity)
        {
            return Ok(Self::Stream(stdout));
        }
        let metadata = path.metadata();
        if metadata.as_ref().is_ok_and(|metadata| !metadata.is_file()) || is_descriptor(path) {
            return Ok(Self::Stream(File::create(path)?));
        }
        if path
            .as_os_str()
            .as_encoded_bytes()
            .last()
            .is_some_and(|&last| std::path::is_separator(last.into()))
        {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let place = Place::of(path)?;
        let old = match metadata {
            Ok(_) => {
                let file = place.directory.open_to_write(&place.name)?;
                Some(Old::new(place.clone(), file)?)
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(e) => return Err(e),
        };
        let mode = if old.is_some() { 0o600 } else { 0o666 };
        let new = Temporary::new(&place, mode).map_err(|e| match &old {
            Some(_) if e.kind() == io::ErrorKind::PermissionDenied => io::Error::other(
                "cannot create a temporary file in its directory (redirect standard output to write into the file itself)",
            ),
            _ => e,
        })?;
        Ok(Self::File(Box::new(Coming { place, old, new })))
    }

    /// The file that is written to.
    pub(crate) fn file(&self) -> &File {
        match self {
            Self::Stream(file) => file,
            Self::File(coming) => &coming.new.file,
        }
    }

    /// Whether output appears at once, complete or not.
    pub(crate) const fn is_stream(&self) -> bool {
        matches!(self, Self::Stream(_))
    }

    /// Whether there is a file that the output would replace.
    pub(crate) fn replaces(&self) -> bool {
        matches!(self, Self::File(coming) if coming.old.is_some())
    }

    /// The result for the name if nothing is put there.
    pub(crate) fn without_it(&self) -> &'static str {
        if self.replaces() { "left as it was" } else { "not written" }
    }

    /// Everything is written: puts the file in its place.
    pub(crate) fn put(self, warn: &mut dyn FnMut(&str)) -> io::Result<()> {
        let Self::File(coming) = self else { return Ok(()) };
        let Coming { place, old, mut new } = *coming;
        let directory = if let Some(mut old) = old {
            let wishes = Wishes { suffix: None, mtime: Mtime::Now, unchanged: false };
            old.replace(new, wishes, warn)?
        } else {
            new.file.sync_all()?;
            // The commit is over before the file goes, if it does.
            let result = new.put(&place, &mut signals::hold());
            result.map_err(unmovable)?;
            place.directory
        };
        directory.sync();
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = self.file();
        file.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Creates a file with this text, where there is none, and calls `record` before the text is in it. If that fails, there is no
/// file again.
pub(crate) fn create(place: &Place, bytes: &[u8], record: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    let mut file = place.directory.create(&place.name, 0o666)?;
    if let Err(e) = record().and_then(|()| file.write_all(bytes)).and_then(|()| file.sync_all()) {
        _ = place.directory.remove(&place.name);
        return Err(e);
    }
    place.directory.sync();
    Ok(())
}

/// Whether a path is a name for something that is open already.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/proc"].iter().any(|directory| path.starts_with(directory))
        || ["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
}
