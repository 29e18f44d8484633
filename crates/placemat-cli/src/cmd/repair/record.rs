//! The log of a repair, read back: which files it names, and the changes of each.

use super::log::{EditEntry, Entry, Head, VERSION, bytes};
use crate::input;
use crate::shown::{Name, reason};
use crate::spool;
use placemat::Encoding;
use placemat::repair::Change;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// The maximum length of a line. A change is at most as long as a part of a line of text.
const MAX_LINE_BYTES: u64 = 16 << 20;

/// A log that is open for reading.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) name: Name,
    lines: BufReader<File>,
}

/// The part of a log that is about one file.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) head: Head,
    /// The file offset of the first change in the log.
    start: u64,
    /// The number of changes in the log; if it is not that of the head, the log is damaged.
    entries: u64,
}

/// The length and the digest of a text.
pub(super) type Digest = (u64, String);

impl Section {
    /// Whether the repaired text has this digest.
    pub(super) fn is_repaired(&self, digest: &Digest) -> bool {
        (self.head.repaired_bytes, &self.head.repaired_sha256) == (digest.0, &digest.1)
    }

    /// Whether the original has this digest.
    pub(super) fn is_source(&self, digest: &Digest) -> bool {
        (self.head.source_bytes, &self.head.source_sha256) == (digest.0, &digest.1)
    }

    /// Whether the repair changed the text.
    pub(super) fn is_change(&self) -> bool {
        self.head.source_sha256 != self.head.repaired_sha256
    }

    /// The path of the file. A relative path starts in the directory in which the repair ran or, if there is no such file any
    /// more, in the current directory. `None` for standard input.
    pub(super) fn path(&self) -> Option<PathBuf> {
        let Head { path, path_bytes, directory, directory_bytes, .. } = &self.head;
        if path == "-" {
            return None;
        }
        let path = path_of(path, path_bytes.as_deref());
        let Some(directory) = directory.as_deref().map(|text| path_of(text, directory_bytes.as_deref()))
        else {
            return Some(path);
        };
        let is_here = || {
            let here = std::env::current_dir().and_then(fs::canonicalize).ok();
            here.is_some() && here == fs::canonicalize(&directory).ok()
        };
        let there = directory.join(&path);
        let is_moved = || fs::symlink_metadata(&there).is_err() && fs::symlink_metadata(&path).is_ok();
        Some(if is_here() || is_moved() { path } else { there })
    }
}

/// The path that a log writes as text, and as bytes if it is not UTF-8.
fn path_of(text: &str, hex: Option<&str>) -> PathBuf {
    let bytes = hex.and_then(bytes);
    #[cfg(unix)]
    if let Some(bytes) = bytes {
        return PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes));
    }
    #[cfg(not(unix))]
    drop(bytes);
    text.into()
}

impl Record {
    /// Opens a log and returns its sections. A log that is not a regular file, such as a pipe, is copied.
    ///
    /// # Errors
    /// A message, if the log cannot be read or does not begin like one.
    pub(super) fn open(log: &Path) -> Result<(Self, Vec<Section>), String> {
        let name = input::name_of(log);
        let said = |e: io::Error| format!("{name}: {}", reason(&e));
        let file = input::open(log).map_err(said)?.file;
        let is_regular = file.metadata().map_err(said)?.is_file();
        let mut copy =
            if is_regular { None } else { Some(BufWriter::new(spool::temporary().map_err(said)?)) };
        let mut lines = BufReader::new(file);
        let mut offset = lines.stream_position().unwrap_or(0);
        if copy.is_some() {
            offset = 0;
        }
        let mut sections: Vec<Section> = Vec::new();
        let mut line = Vec::new();
        while read_line(&mut lines, &mut line).map_err(said)? {
            if let Some(copy) = &mut copy {
                copy.write_all(&line).map_err(said)?;
            }
            offset += line.len() as u64;
            if line.starts_with(b"{\"repair\":") {
                let head: Head = serde_json::from_slice(&line).map_err(|_| damaged(&name))?;
                if head.repair != VERSION {
                    return Err(format!("{name}: is a log of a later version of `repair`"));
                }
                sections.push(Section { head, start: offset, entries: 0 });
            } else if line.starts_with(b"{\"rename\":") {
                return Err(format!(
                    "{name}: is a log of names: `placemat convert --names -i --undo LOG` takes them back"
                ));
            } else {
                sections.last_mut().ok_or_else(|| damaged(&name))?.entries += 1;
            }
        }
        // A file whose section was never completed was left as it was.
        sections.retain(|section| section.head.changes != u64::MAX);
        if let Some(copy) = copy {
            lines = BufReader::new(copy.into_inner().map_err(|e| said(e.into_error()))?);
        }
        Ok((Self { name, lines }, sections))
    }

    /// Calls `put` with each change of an edit: its offset in the edited file, and the bytes before and after.
    pub(super) fn edits(
        &mut self,
        section: &Section,
        mut put: impl FnMut(u64, &[u8], &[u8]) -> Result<(), String>,
    ) -> Result<(), String> {
        self.go_to(section)?;
        let mut line = Vec::new();
        for _ in 0..section.entries {
            read_line(&mut self.lines, &mut line).map_err(|e| format!("{}: {}", self.name, reason(&e)))?;
            let entry: Option<EditEntry> = serde_json::from_slice(&line).ok();
            let entry = entry.as_ref().and_then(|entry| Some((entry.offset, entry.bytes()?)));
            let (offset, (before, after)) = entry.ok_or_else(|| damaged(&self.name))?;
            put(offset, &before, &after)?;
        }
        Ok(())
    }

    /// Goes to the first change of a section.
    fn go_to(&mut self, section: &Section) -> Result<(), String> {
        if section.entries != section.head.changes {
            return Err(damaged(&self.name));
        }
        let moved = self.lines.seek(SeekFrom::Start(section.start));
        moved.map(drop).map_err(|e| format!("{}: {}", self.name, reason(&e)))
    }

    /// The encoding of the original, and an iterator over the changes of a section.
    pub(super) fn changes(
        &mut self,
        section: &Section,
    ) -> Result<(Encoding, impl Iterator<Item = Result<Change, String>>), String> {
        self.go_to(section)?;
        let Self { name, lines } = self;
        let encoding = section.head.encoding.parse().map_err(|_| damaged(name))?;
        let mut line = Vec::new();
        let changes = (0..section.entries).map(move |_| {
            read_line(lines, &mut line).map_err(|e| format!("{name}: {}", reason(&e)))?;
            let entry = serde_json::from_slice(&line).ok();
            entry.and_then(|entry: Entry| entry.change()).ok_or_else(|| damaged(name))
        });
        Ok((encoding, changes))
    }
}

/// The message about a log that cannot be one.
pub(super) fn damaged(name: &Name) -> String {
    format!("{name}: is not a log of `repair` or `edit`, or is damaged")
}

/// Reads a line with its end; returns whether there was one. Of a line that is too long, reads only a part.
fn read_line(lines: &mut BufReader<File>, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    lines.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', line)?;
    Ok(!line.is_empty())
}
