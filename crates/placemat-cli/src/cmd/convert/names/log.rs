//! The log of renames, as JSON Lines: a line for each, written before the file is renamed. `--undo` reads it from its end.

use super::super::args::Args;
use super::group::Group;
use super::name::shown;
use super::order::Wish;
use super::put;
use crate::cmd::repair::log::{Log, bytes, path_bytes};
use crate::common::Common;
use crate::input;
use crate::names::os_string;
use crate::outcome::Outcome;
use crate::output::Data;
use crate::replace::Directory;
use crate::shown::{Name, counted, reason};
use crate::streams;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

/// The version of the format.
const VERSION: u32 = 1;
/// The maximum size of a log.
const MAX_LOG_BYTES: u64 = 1 << 30;

/// A rename.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    /// The version of the format.
    rename: u32,
    /// The canonical path of the directory.
    directory: String,
    /// A name in hexadecimal, if it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    directory_bytes: Option<String>,
    from: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from_bytes: Option<String>,
    to: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to_bytes: Option<String>,
}

impl Line {
    fn new(directory: &Path, wish: &Wish) -> Self {
        let text = |path: &Path| (path.to_string_lossy().into_owned(), path_bytes(path));
        let name = |name: &[u8]| text(Path::new(&os_string(name).unwrap_or_default()));
        let (directory, directory_bytes) = text(directory);
        let ((from, from_bytes), (to, to_bytes)) = (name(&wish.from), name(&wish.to));
        Self { rename: VERSION, directory, directory_bytes, from, from_bytes, to, to_bytes }
    }

    /// Returns the directory and the rename, if the line agrees with itself.
    fn read(&self) -> Option<(PathBuf, Wish)> {
        let name = |text: &str, hex: Option<&str>| match hex {
            Some(hex) => bytes(hex),
            None => Some(text.as_bytes().to_vec()),
        };
        let directory = os_string(&name(&self.directory, self.directory_bytes.as_deref())?)?;
        let directory = PathBuf::from(directory);
        let from = name(&self.from, self.from_bytes.as_deref())?;
        let to = name(&self.to, self.to_bytes.as_deref())?;
        let is_name = |name: &[u8]| {
            let path = os_string(name).map(PathBuf::from);
            path.is_some_and(|path| {
                let mut parts = path.components();
                matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part.as_encoded_bytes() == name)
            })
        };
        let is_whole = self.rename == VERSION && directory.is_absolute() && is_name(&from) && is_name(&to);
        is_whole.then_some((directory, Wish { from, to }))
    }
}

/// The log that is being written.
pub(super) struct Renames {
    log: Log,
    count: u64,
}

impl Renames {
    /// Creates the log, which must not exist.
    pub(super) fn create(path: &Path) -> Result<Self, String> {
        Ok(Self { log: Log::create(path)?, count: 0 })
    }

    /// Records the renames of one directory. They are on the disk before the first file is renamed.
    pub(super) fn record(&mut self, group: &Group, wishes: &[Wish]) -> Result<(), String> {
        self.count += wishes.len() as u64;
        let mut written = wishes.iter().try_for_each(|wish| self.log.line(&Line::new(&group.truly, wish)));
        written = written.and_then(|()| self.log.sync());
        written.map_err(|e| {
            format!("{}: {}; {} left as it was", self.log.name, reason(&e), Name::new(group.shown()))
        })
    }

    /// Ends the log. One that records nothing is removed.
    pub(super) fn end(self, path: &Path) {
        let is_empty = self.count == 0;
        drop(self);
        if is_empty && !streams::is_stdin(path) {
            _ = fs::remove_file(path);
        }
    }
}

/// Takes back the renames of a log, the last one first.
pub(super) fn undo(log: &Path, dry: bool, args: &Args, common: &Common) -> Result<Outcome, String> {
    let (name, text) = input::read_whole(log, MAX_LOG_BYTES).map_err(|e| input::trouble(log, &e))?;
    let mut lines = Vec::new();
    for (at, line) in text.split(|&byte| byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let read = serde_json::from_slice::<Line>(line).ok().and_then(|line| line.read());
        // A run that was killed may have left a part of the last line; it had renamed nothing that is on it.
        let is_last = !text.ends_with(b"\n") && text.ends_with(line);
        match read {
            Some(read) => lines.push(read),
            None if is_last && at > 0 => {}
            None => {
                return Err(format!(
                    "{name}: line {} is not a rename: is it a log of `convert --names`?",
                    at + 1
                ));
            }
        }
    }
    let mut back = Back { dry, open: None, taken: HashMap::new() };
    let mut data = Data::stdout().map_err(|e| reason(&e))?;
    let (mut worst, mut done, mut before) = (Outcome::Clean, 0, 0);
    for (directory, wish) in lines.into_iter().rev() {
        let path = Name::new(directory.join(os_string(&wish.to).unwrap_or_default()));
        let wish = Wish { from: wish.to, to: wish.from };
        match back.take(&directory, &wish) {
            Ok(true) if dry => {
                let line = format!("{path}: would become {}\n", shown(&wish.to));
                if let Err(e) = data.write_all(line.as_bytes()) {
                    return Ok(common.cannot_write(&Name::stdout(), &e));
                }
                done += 1;
            }
            Ok(true) => {
                if args.verbose.verbose {
                    common.line(format_args!("{path}: is {} again", shown(&wish.to)));
                }
            }
            Ok(false) => before += 1,
            Err(e) => {
                let why = match e.kind() {
                    io::ErrorKind::AlreadyExists => format!("{} exists already", shown(&wish.to)),
                    _ => reason(&e),
                };
                common.error(format_args!("{path}: left as it was: {why}"));
                worst = Outcome::Trouble;
            }
        }
    }
    if let Err(e) = data.flush() {
        return Ok(common.cannot_write(&Name::stdout(), &e));
    }
    if before > 0 {
        let (have, its) = if before == 1 { ("has", "its") } else { ("have", "their") };
        common.line(format_args!("placemat: {} {have} {its} original name already", counted(before, "file")));
    }
    if dry && !args.dry_run && done > 0 {
        let them = if done == 1 { "it" } else { "them" };
        common.line(format_args!("placemat: {} would change; -i changes {them}", counted(done, "name")));
    }
    Ok(worst)
}

/// Takes renames back.
struct Back {
    dry: bool,
    /// The directory in which the last file was renamed. It is synced to disk once, after its last file.
    open: Option<(PathBuf, Directory)>,
    /// In a dry run, the paths that directories would have again, and those that they have.
    taken: HashMap<PathBuf, PathBuf>,
}

impl Back {
    /// Takes back one rename. Returns `false` if the file has its original name already.
    fn take(&mut self, path: &Path, wish: &Wish) -> io::Result<bool> {
        let (Some(from), Some(to)) = (os_string(&wish.from), os_string(&wish.to)) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let now = self.now(path);
        let directory = self.directory(&now)?;
        match (there(directory.entry(&from))?, there(directory.entry(&to))?) {
            (None, Some(_)) => return Ok(false),
            (None, None) => return Err(io::ErrorKind::NotFound.into()),
            // The file system may take both names for one.
            (Some(file), Some(other)) if file != other => return Err(io::ErrorKind::AlreadyExists.into()),
            (Some(_), _) if self.dry => {
                self.taken.insert(path.join(to), now.join(from));
            }
            (Some(_), _) => put::rename(&directory, wish)?,
        }
        Ok(true)
    }

    /// Returns the path that a directory has now.
    fn now(&self, path: &Path) -> PathBuf {
        let mut now = PathBuf::new();
        let mut then = PathBuf::new();
        for part in path.components() {
            then.push(part);
            match self.taken.get(&then) {
                Some(taken) => now.clone_from(taken),
                None => now.push(part),
            }
        }
        now
    }

    /// Opens a directory, unless it is open.
    fn directory(&mut self, path: &Path) -> io::Result<Directory> {
        if let Some((known, directory)) = &self.open
            && known == path
        {
            return Ok(directory.clone());
        }
        self.sync();
        let directory = open(path)?;
        self.open = Some((path.to_owned(), directory.clone()));
        Ok(directory)
    }

    fn sync(&mut self) {
        if let Some((_, directory)) = self.open.take().filter(|_| !self.dry) {
            directory.sync();
        }
    }
}

impl Drop for Back {
    fn drop(&mut self) {
        self.sync();
    }
}

/// Returns an entry, if there is one.
fn there<T>(entry: io::Result<T>) -> io::Result<Option<T>> {
    match entry {
        Ok(entry) => Ok(Some(entry)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

/// Opens a directory by its canonical path: a link that was put into it since is not followed.
fn open(path: &Path) -> io::Result<Directory> {
    let mut directory = None;
    let mut root = PathBuf::new();
    for part in path.components() {
        match (part, directory.take()) {
            (Component::Normal(name), Some(open)) => directory = Some(Directory::within(&open, name)?),
            (Component::Normal(name), None) => directory = Some(Directory::open(&root)?.within(name)?),
            (part, _) => root.push(part),
        }
    }
    directory.map_or_else(|| Directory::open(&root), Ok)
}
