//! `--in-place`: a file that takes the place of another, all at once or not at all.
//!
//! The new text goes into a file beside the old one, which is renamed over it when it is whole and on the disk: whoever
//! opens the name, whenever, finds the old text or the new. As long as the new text is the old one, there is no new file;
//! and none at all if that is so to the end.
//!
//! The name of the new file follows from that of the old one, and while it is written it is locked. So what a run that was
//! killed has left is known for what it is: the next run on the same file takes it away.

use crate::cmd::Common;
use crate::output::{Name, reason};
use core::hash::{Hash as _, Hasher as _};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, FileTimes, Metadata, OpenOptions, TryLockError};
use std::hash::DefaultHasher;
use std::io::{self, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Ends the names of files that are being written.
const SUFFIX: &str = ".placemat-tmp";
/// Ends those of what is to be kept of the old text.
const OLD: &str = "-old";
/// No file system in use takes longer names, in bytes.
const LONGEST_NAME: usize = 255;

/// What is to become of a file.
#[derive(Debug)]
pub(super) struct Successor {
    /// The file itself, where the name that was given is a symbolic link.
    path: PathBuf,
    name: Name,
    /// The old text, to compare with.
    old: File,
    before: Metadata,
    state: State,
    /// Nothing is written.
    dry: bool,
}

#[derive(Debug)]
enum State {
    /// So many bytes of the new text are those of the old one.
    Same(u64),
    /// They differ.
    Differs(Option<Temporary>),
}

/// A file that is deleted unless it is kept.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    file: File,
    kept: bool,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Became {
    /// The text that it was.
    Same,
    /// Another.
    Changed,
}

/// Whether a file is one that is being written, or was left by a run that was killed.
pub(super) fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let name = name.strip_suffix(OLD.as_bytes()).unwrap_or(name);
    name.starts_with(b".") && name.ends_with(SUFFIX.as_bytes())
}

impl Successor {
    /// The successor of the file at `path`, and the file to be read; or why it cannot be.
    pub(super) fn new(path: &Path, dry: bool) -> Result<(Self, File), String> {
        let name = Name::new(path);
        let shown = name.clone();
        let said = |e: io::Error| format!("{shown}: {}", reason(&e));
        let path = fs::canonicalize(path).map_err(said)?;
        // A FIFO would wait to be opened.
        if !fs::metadata(&path).map_err(said)?.is_file() {
            return Err(format!("{name}: is no regular file, and cannot be changed in place"));
        }
        let file = File::open(&path).map_err(said)?;
        let before = file.metadata().map_err(said)?;
        if before.permissions().readonly() {
            return Err(format!("{name}: is read-only, and was left as it is"));
        }
        let old = File::open(&path).map_err(said)?;
        let successor = Self { path, name, old, before, state: State::Same(0), dry };
        if !dry {
            successor.tidy().map_err(said)?;
        }
        Ok((successor, file))
    }

    /// How long the old text is, in bytes.
    pub(super) fn len(&self) -> u64 {
        self.before.len()
    }

    /// Takes away what a run that was killed has left.
    fn tidy(&self) -> io::Result<()> {
        for path in [self.temporary(), self.link()] {
            match File::open(&path) {
                Ok(left) => {
                    lock(&left)?;
                    fs::remove_file(&path)?;
                }
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    /// What the old text is called before it gets the name that it is kept under.
    fn link(&self) -> PathBuf {
        let mut link = self.temporary().into_os_string();
        link.push(OLD);
        link.into()
    }

    /// What the file is called while it is written.
    fn temporary(&self) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default();
        let mut temporary = OsString::from(".");
        if name.len() + SUFFIX.len() + OLD.len() < LONGEST_NAME {
            temporary.push(name);
        } else {
            let mut hasher = DefaultHasher::new();
            name.hash(&mut hasher);
            temporary.push(format!("{:016x}", hasher.finish()));
        }
        temporary.push(SUFFIX);
        self.path.with_file_name(temporary)
    }

    /// Bytes of the old text at `at` that are those of `bytes`.
    fn same(&mut self, at: u64, bytes: &[u8]) -> io::Result<bool> {
        let mut old = vec![0; bytes.len()];
        self.old.seek(SeekFrom::Start(at))?;
        match self.old.read_exact(&mut old) {
            Ok(()) => Ok(old == bytes),
            Err(e) if e.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(e) => Err(e),
        }
    }

    /// From here on the texts differ, after so many bytes that are the same.
    fn differ(&mut self, same: u64) -> io::Result<()> {
        let mut temporary = None;
        if !self.dry {
            let mut new = Temporary::new(self.temporary())?;
            self.old.rewind()?;
            let copied = io::copy(&mut Read::by_ref(&mut self.old).take(same), &mut new.file)?;
            if copied != same {
                return Err(changed());
            }
            temporary = Some(new);
        }
        self.state = State::Differs(temporary);
        Ok(())
    }

    /// Puts the new text in the place of the old one, which is kept under its name with `suffix`, if there is one.
    pub(super) fn put(mut self, suffix: Option<&OsStr>, common: &Common) -> io::Result<Became> {
        if let State::Same(len) = self.state
            && len != self.before.len()
        {
            self.differ(len)?;
        }
        let State::Differs(temporary) = &mut self.state else { return Ok(Became::Same) };
        let Some(mut temporary) = temporary.take() else { return Ok(Became::Changed) };
        match links(&self.before).saturating_sub(1) {
            0 => {}
            1 => common.warn(format_args!("{}: has another hard link, which keeps the old text", self.name)),
            others => {
                common.warn(format_args!(
                    "{}: has {others} other hard links, which keep the old text",
                    self.name
                ));
            }
        }
        if !keep_owner(&temporary.file, &self.before) {
            common.warn(format_args!("{}: belongs to you now: its owner cannot be kept", self.name));
        }
        temporary.file.set_permissions(self.before.permissions())?;
        let times = FileTimes::new().set_modified(self.before.modified()?);
        temporary.file.set_times(match self.before.accessed() {
            Ok(accessed) => times.set_accessed(accessed),
            Err(_) => times,
        })?;
        temporary.file.sync_all()?;
        if let Some(suffix) = suffix.filter(|suffix| !suffix.is_empty()) {
            self.keep_old(suffix)?;
        }
        // Whoever wrote to it meanwhile would lose that.
        let now = fs::metadata(&self.path)?;
        if now.len() != self.before.len()
            || now.modified()? != self.before.modified()?
            || !same_file(&now, &self.before)
        {
            return Err(changed());
        }
        fs::rename(&temporary.path, &self.path)?;
        temporary.kept = true;
        Ok(Became::Changed)
    }

    /// The old text under another name too, without a moment in which it has none.
    fn keep_old(&self, suffix: &OsStr) -> io::Result<()> {
        let mut backup = self.path.clone().into_os_string();
        backup.push(suffix);
        let link = self.link();
        // Not all file systems have links.
        if fs::hard_link(&self.path, &link).is_err() {
            fs::copy(&self.path, &link)?;
            File::open(&link)?.sync_all()?;
        }
        fs::rename(&link, backup)
    }
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

impl Temporary {
    /// A new file that only its owner can read, until it is whole.
    fn new(path: PathBuf) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => busy(),
            _ => e,
        })?;
        lock(&file)?;
        Ok(Self { path, file, kept: false })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.kept {
            // The original is as it was; nobody is left to tell of a failure.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Locks a file for as long as it is open, where the file system can.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(busy()),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

fn busy() -> io::Error {
    io::Error::other("another run is changing it")
}

fn changed() -> io::Error {
    io::Error::other("was changed while it was read")
}

#[cfg(unix)]
fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}
#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
}

#[cfg(unix)]
fn same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}
#[cfg(not(unix))]
fn same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Gives a file the owner of another. Whether it has it.
#[cfg(unix)]
fn keep_owner(file: &File, like: &Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let Ok(mine) = file.metadata() else { return false };
    (mine.uid(), mine.gid()) == (like.uid(), like.gid())
        || fchown(file, Some(like.uid()), Some(like.gid())).is_ok()
}
#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) -> bool {
    true
}
