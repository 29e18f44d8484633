//! `--in-place`: the new text of a file, which takes the place of the old one.
//!
//! As long as the new text equals the old one, no new file is created. The old file is
//! locked for the whole time, so that of several runs on one file only one goes on.

use super::old::{Old, Wishes};
use super::place::{Directory, Place, Stamp};
use super::temporary::{Temporary, lock, tidy};
use crate::common::Common;
use crate::shown::{Name, reason};
use crate::walk::Found;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write};

/// The number of tries if other programs replace the file.
const TRIES: usize = 100;

/// The new text of a file, so far.
#[derive(Debug)]
pub(crate) struct Successor {
    name: Name,
    /// The old text, to compare with.
    old: Old,
    state: State,
    /// Whether this is a dry run: nothing is written.
    dry: bool,
}

#[derive(Debug)]
enum State {
    /// The new text so far, of this length, equals the old one.
    Same(u64),
    /// The texts differ; the new one is written here.
    Differs(Option<Temporary>),
}

/// The result for a file.
#[derive(Debug)]
pub(crate) enum Became {
    /// The text of the file did not change.
    Same,
    /// The text of the file changed, in this directory; with `--dry-run`, it would have changed.
    Changed(Option<Directory>),
}

impl Successor {
    /// The successor of a file and the file to read, or the reason of a refusal.
    pub(crate) fn new(found: &Found, dry: bool) -> Result<(Self, File), String> {
        Self::unless_refused(found, dry, false)
    }

    /// Returns the same for a file whose new text is shown and never written: it may be read-only.
    pub(crate) fn to_show(found: &Found) -> Result<(Self, File), String> {
        Self::unless_refused(found, true, true)
    }

    fn unless_refused(found: &Found, dry: bool, may_be_read_only: bool) -> Result<(Self, File), String> {
        let name = Name::new(&found.path);
        let refused = |why: &str| Err(format!("{name}: {why}"));
        for _ in 0..TRIES {
            let (place, file) = match open(found) {
                Ok(opened) => opened,
                Err(e) if found.depth > 0 && is_link(&e) => {
                    return refused("is now reached through a symbolic link; left as it was");
                }
                Err(e) => return refused(&reason(&e)),
            };
            match Self::of(&name, place, file, dry, may_be_read_only) {
                // Another program has put a new file there.
                Ok(None) => {}
                Ok(Some(successor)) => return Ok(successor),
                Err(why) => return refused(&why),
            }
        }
        refused("other programs keep replacing it; left as it was")
    }

    fn of(
        name: &Name,
        place: Place,
        file: File,
        dry: bool,
        may_be_read_only: bool,
    ) -> Result<Option<(Self, File)>, String> {
        let said = |e: io::Error| reason(&e);
        let metadata = file.metadata().map_err(said)?;
        if !metadata.is_file() {
            return Err("is not a regular file and cannot be changed in place".into());
        }
        if metadata.permissions().readonly() && !may_be_read_only {
            return Err("is read-only; left as it was".into());
        }
        if !dry {
            // Also where no text will change: the run that left a file may have left only that.
            tidy(&place.directory);
        }
        // A second handle: the text is read and compared at different offsets.
        let Ok(second) = place.open() else { return Ok(None) };
        if !dry && lock(&second).is_err() {
            return Err("is locked by another program; left as it was".into());
        }
        // The lock helps only if the locked file still has the name.
        let named = place.open().and_then(|file| Stamp::of(&file));
        let old = Old::new(place, second).map_err(said)?;
        let first = Stamp::of(&file).map_err(said)?;
        if !old.is(&first) || !named.is_ok_and(|named| old.is(&named)) {
            return Ok(None);
        }
        let successor = Self { name: name.clone(), old, state: State::Same(0), dry };
        Ok(Some((successor, file)))
    }

    /// The length of the old text in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.old.before.len()
    }

    /// Whether the old text has these bytes at `at`.
    fn same(&mut self, at: u64, bytes: &[u8]) -> io::Result<bool> {
        let mut old = vec![0; bytes.len()];
        self.old.file.seek(SeekFrom::Start(at))?;
        match self.old.file.read_exact(&mut old) {
            Ok(()) => Ok(old == bytes),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// Begins a new file, because the texts differ after `same` bytes.
    fn differ(&mut self, same: u64) -> io::Result<()> {
        let mut temporary = None;
        if !self.dry {
            // Until it is complete, only the user can read it.
            let mut new = Temporary::new(&self.old.place, 0o600)?;
            self.old.file.rewind()?;
            let copied = io::copy(&mut Read::by_ref(&mut self.old.file).take(same), &mut new.file)?;
            if copied != same {
                return Err(io::Error::other("changed while it was being read"));
            }
            temporary = Some(new);
        }
        self.state = State::Differs(temporary);
        Ok(())
    }

    /// Puts the new text in the place of the old one.
    pub(crate) fn put(mut self, wishes: Wishes<'_>, common: &Common) -> io::Result<Became> {
        if let State::Same(len) = self.state
            && len != self.old.before.len()
        {
            self.differ(len)?;
        }
        let State::Differs(temporary) = &mut self.state else { return Ok(Became::Same) };
        let Some(temporary) = temporary.take() else { return Ok(Became::Changed(None)) };
        let mut warn = |what: &str| common.warn(format_args!("{}: {what}", self.name));
        let directory = self.old.replace(temporary, wishes, &mut warn)?;
        Ok(Became::Changed(Some(directory)))
    }
}

impl Successor {
    /// Removes the file, of which nothing was written, unless it has changed meanwhile.
    pub(crate) fn remove(mut self, wishes: Wishes<'_>) -> io::Result<Became> {
        if self.dry {
            return Ok(Became::Changed(None));
        }
        self.old.remove(wishes).map(|directory| Became::Changed(Some(directory)))
    }
}

/// Opens a file as it was found: through links that the user named, and no others.
fn open(found: &Found) -> io::Result<(Place, File)> {
    let place = Place::found(&found.path, found.depth, found.root.as_ref())?;
    let file = place.open()?;
    Ok((place, file))
}

/// Whether a symbolic link is the reason that a file cannot be opened.
#[cfg(unix)]
fn is_link(e: &io::Error) -> bool {
    use rustix::io::Errno;
    [Errno::LOOP, Errno::NOTDIR, Errno::MLINK].contains(&Errno::from_io_error(e).unwrap_or(Errno::IO))
}
#[cfg(not(unix))]
fn is_link(e: &io::Error) -> bool {
    e.kind() == io::ErrorKind::NotADirectory
}

/// The new text.
impl Write for Successor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let State::Same(len) = self.state {
            if self.same(len, bytes)? {
                self.state = State::Same(len + bytes.len() as u64);
                return Ok(bytes.len());
            }
            self.differ(len)?;
        }
        match &mut self.state {
            State::Differs(Some(temporary)) => temporary.file.write(bytes),
            _ => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
