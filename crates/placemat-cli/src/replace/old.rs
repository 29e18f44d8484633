//! A file that is to be replaced.

use super::place::{Directory, Place, Stamp};
use super::signals::{self, Provisional};
use super::temporary::Temporary;
use super::{attributes, attributes::Mtime};
use crate::shown;
use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;

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

    /// Returns `true` if a stamp is of this file.
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

    /// Removes the file, unless it has changed. Returns the directory, which the caller must sync.
    pub(super) fn remove(&mut self, wishes: Wishes<'_>) -> io::Result<Directory> {
        let mut kept = match wishes.suffix.filter(|suffix| !suffix.is_empty()) {
            Some(suffix) => self.keep(suffix)?,
            None => None,
        };
        let mut commit = signals::hold();
        // A second name is a change of the file, but not of its text.
        if !self.now()?.same_text(&self.stamp) {
            return Err(changed());
        }
        self.place.directory.remove(&self.place.name)?;
        if let Some(kept) = &mut kept {
            kept.keep(&mut commit);
        }
        Ok(self.place.directory.clone())
    }

    /// Returns the file that has the name now.
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

fn changed() -> io::Error {
    io::Error::other("changed while it was being read")
}

/// Returns the reason why a file cannot be replaced, in clearer words than those of the system.
pub(super) fn unmovable(e: io::Error) -> io::Error {
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
