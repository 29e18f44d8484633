//! Replaces files, all at once or not at all.
//!
//! The new text goes into a file beside the old one, which takes its name when it is complete and on the disk: a program that opens the
//! name finds the old text or the new, at any time. `docs/in-place.md` lists the properties of the old file that are kept.

mod attributes;
mod place;
mod signals;
mod successor;
mod temporary;

pub(crate) use attributes::Mtime;
pub(crate) use place::{Directory, Place, Stamp};
pub(crate) use signals::survive_limits;
pub(crate) use successor::{Became, Successor};
pub(crate) use temporary::{Temporary, is_temporary, lock};

use crate::identity::Identity;
use crate::shown;
use crate::streams;
use signals::Provisional;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::Path;

/// A file, as it was when it was opened, that is to be replaced.
#[derive(Debug)]
pub(crate) struct Old {
    pub(crate) place: Place,
    pub(crate) file: File,
    pub(crate) before: Metadata,
    stamp: Stamp,
}

/// The wishes for a replacement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wishes<'a> {
    /// The suffix of the name under which the old text is kept.
    pub(crate) suffix: Option<&'a OsStr>,
    pub(crate) mtime: Mtime,
    /// The old text must not have changed meanwhile, because the new text was made from it.
    pub(crate) unchanged: bool,
}

impl Old {
    pub(crate) fn new(place: Place, file: File) -> io::Result<Self> {
        let (before, stamp) = (file.metadata()?, Stamp::of(&file)?);
        Ok(Self { place, file, before, stamp })
    }

    /// Whether a stamp is of this file.
    pub(crate) fn is(&self, stamp: &Stamp) -> bool {
        self.stamp.same_file(stamp)
    }

    /// Puts a file in its place. Returns the directory, which the caller must sync.
    pub(crate) fn replace(
        &mut self,
        mut new: Temporary,
        wishes: Wishes<'_>,
        warn: &mut dyn FnMut(&str),
    ) -> io::Result<Directory> {
        match links(&self.before).saturating_sub(1) {
            0 => {}
            1 => warn("has another hard link, which keeps the old text"),
            others => warn(&format!("has {others} other hard links, which keep the old text")),
        }
        attributes::give(&new.file, &self.file, &self.before, wishes.mtime, warn)?;
        new.file.sync_all()?;
        if wishes.unchanged && self.now()? != self.stamp {
            return Err(changed());
        }
        let mut kept = match wishes.suffix.filter(|suffix| !suffix.is_empty()) {
            Some(suffix) => self.keep(suffix)?,
            None => None,
        };
        let mut commit = signals::hold();
        // A second name is a change of the file, but not of its text.
        let result = if !wishes.unchanged || self.now()?.same_text(&self.stamp) {
            new.put(&self.place, &mut commit)
        } else {
            Err(changed())
        };
        if let (Ok(()), Some(kept)) = (&result, &mut kept) {
            kept.keep(&mut commit);
        }
        drop(commit);
        result.map_err(unmovable).map(|()| self.place.directory.clone())
    }

    /// The file that has the name now.
    fn now(&self) -> io::Result<Stamp> {
        self.place.open().and_then(|file| Stamp::of(&file)).map_err(|_| changed())
    }

    /// Gives the old text a second, unused name, which is removed again if the new text cannot be put in place.
    fn keep(&mut self, suffix: &OsStr) -> io::Result<Option<Provisional>> {
        let mut name = self.place.name.clone();
        name.push(suffix);
        let backup = self.place.beside(name);
        let directory = &backup.directory;
        let linked =
            Provisional::new(&mut signals::hold(), directory, &backup.name, || self.place.link(&backup.name));
        match linked {
            Ok(((), kept)) => Ok(Some(kept)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                // A run that was killed left this backup.
                let there = backup.open().and_then(|file| Stamp::of(&file));
                if there.is_ok_and(|there| there.same_file(&self.stamp)) {
                    return Ok(None);
                }
                let shown = shown::escaped(&backup.name);
                Err(io::Error::other(format!("{shown} exists already, and a backup never overwrites a file")))
            }
            // Not all file systems have links, and not all files may be linked.
            Err(_) => {
                let made = || directory.create(&backup.name, 0o600);
                let (mut copy, kept) = Provisional::new(&mut signals::hold(), directory, &backup.name, made)?;
                io::Seek::rewind(&mut self.file)?;
                io::copy(&mut self.file, &mut copy)?;
                attributes::give(&copy, &self.file, &self.before, Mtime::Keep, &mut |_| {})?;
                copy.sync_all()?;
                Ok(Some(kept))
            }
        }
    }
}

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

fn changed() -> io::Error {
    io::Error::other("changed while it was being read")
}

/// The reason why a file cannot be replaced, in clearer words than those of the system.
fn unmovable(e: io::Error) -> io::Error {
    match e.kind() {
        io::ErrorKind::ResourceBusy => io::Error::other("is a mount point, and cannot be replaced"),
        _ => e,
    }
}

#[cfg(unix)]
fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}
#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
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
    /// The file that it replaces.
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

    /// Whether there is a file that it would replace.
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

/// Whether a path is a name for something that is open already.
fn is_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/proc"].iter().any(|directory| path.starts_with(directory))
        || ["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name))
}
