//! The log of a repair or an edit, as JSON Lines: for each file a head, then its changes.
//!
//! The head names both texts by length and SHA-256, which are known only at the end. In a file, it has a fixed length and is
//! written again then; spaces fill it up. On standard output, it is written at the end, and the changes wait until then.

use crate::json;
use crate::output::Data;
use crate::shown::{Name, reason};
use crate::{spool, streams};
use placemat::Encoding;
use placemat::repair::{Change, Step};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::path::Path;

/// The change of an edit is divided into entries of this many bytes.
const MAX_ENTRY_BYTES: usize = 1 << 20;

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// The first line for a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Head {
    /// The version of the format.
    pub(super) repair: u32,
    pub(super) path: String,
    /// The path in hexadecimal, if it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) path_bytes: Option<String>,
    /// The directory in which a relative path starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) directory: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) directory_bytes: Option<String>,
    pub(super) encoding: String,
    pub(super) source_bytes: u64,
    pub(super) source_sha256: String,
    pub(super) repaired_bytes: u64,
    pub(super) repaired_sha256: String,
    pub(super) changes: u64,
    /// Whether the changes are those of an edit, in bytes of the file's own encoding.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) edit: bool,
    /// Whether there was no file before.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(super) created: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A change of an edit: bytes in place of others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct EditEntry {
    pub(super) offset: u64,
    before: String,
    after: String,
}

impl EditEntry {
    /// The bytes before and after, if the entry is whole.
    pub(super) fn bytes(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        Some((bytes(&self.before)?, bytes(&self.after)?))
    }
}

/// A change.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Entry {
    step: String,
    offset: u64,
    length: u64,
    before: String,
    repaired_offset: u64,
    repaired_length: u64,
    after: String,
    encodings: Vec<String>,
    lossy: bool,
    gain: f32,
    confidence: f32,
}

impl Entry {
    fn new(change: &Change) -> Self {
        Self {
            step: change.step.name().into(),
            offset: change.offset,
            length: change.before.len() as u64,
            before: hex(&change.before),
            repaired_offset: change.repaired_offset,
            repaired_length: change.after.len() as u64,
            after: change.after.clone(),
            encodings: change.encodings.iter().map(|encoding| encoding.name().into()).collect(),
            lossy: change.lossy,
            gain: change.gain,
            confidence: change.confidence,
        }
    }

    /// The change, if the entry agrees with itself.
    pub(super) fn change(&self) -> Option<Change> {
        let step: Step = self.step.parse().ok()?;
        let before = bytes(&self.before)?;
        let agrees = before.len() as u64 == self.length && self.after.len() as u64 == self.repaired_length;
        agrees.then(|| Change::new(step, (self.offset, before), (self.repaired_offset, self.after.clone())))
    }
}

/// A log that is being written.
pub(crate) struct Log {
    pub(crate) name: Name,
    to: To,
}

/// The target of a log.
enum To {
    File {
        file: BufWriter<File>,
        /// The bytes written so far.
        length: u64,
    },
    Stdout {
        data: Data,
        /// The changes of one file.
        changes: BufWriter<File>,
    },
}

impl Log {
    /// Creates the file, which must not exist: a log is the only way back. `-` is standard output.
    pub(crate) fn create(path: &Path) -> Result<Self, String> {
        if streams::is_stdin(path) {
            let name = Name::stdout();
            let opened = Data::stdout()
                .and_then(|data| Ok(To::Stdout { data, changes: BufWriter::new(spool::temporary()?) }));
            let to = opened.map_err(|e| format!("{name}: {}", reason(&e)))?;
            return Ok(Self { name, to });
        }
        let name = Name::new(path);
        let file = File::create_new(path).map_err(|e| match e.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("{name}: exists already, and a log is never overwritten: it may be the only way back")
            }
            _ => format!("{name}: {}", reason(&e)),
        })?;
        Ok(Self { name, to: To::File { file: BufWriter::new(file), length: 0 } })
    }

    /// Flushes the log to the disk, or to the reader of standard output.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::File { file, .. } => file.flush().and_then(|()| file.get_ref().sync_all()),
            To::Stdout { data, .. } => data.flush(),
        }
    }

    /// Writes a line that belongs to no section.
    pub(crate) fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let line = json::line(value);
        match &mut self.to {
            To::File { .. } => self.write(&line),
            To::Stdout { data, .. } => data.write_all(line.as_bytes()),
        }
    }

    /// Writes a line to a file; on standard output, it waits for the end of its section.
    fn write(&mut self, line: &str) -> io::Result<()> {
        match &mut self.to {
            To::File { file, length } => {
                *length += line.len() as u64;
                file.write_all(line.as_bytes())
            }
            To::Stdout { changes, .. } => changes.write_all(line.as_bytes()),
        }
    }
}

/// The part of a log that is about one file.
pub(crate) struct Section<'a> {
    log: &'a mut Log,
    /// The offset and the length of the head in a file.
    start: u64,
    length: usize,
    head: Head,
    source: Sha256,
    repaired: Sha256,
}

impl<'a> Section<'a> {
    pub(crate) fn begin(log: &'a mut Log, path: &Path) -> io::Result<Self> {
        let directory = if path.is_relative() && !streams::is_stdin(path) {
            Some(std::env::current_dir()?)
        } else {
            None
        };
        let head = Head {
            repair: VERSION,
            path: path.to_string_lossy().into_owned(),
            path_bytes: path_bytes(path),
            directory: directory.as_ref().map(|path| path.to_string_lossy().into_owned()),
            directory_bytes: directory.as_deref().and_then(path_bytes),
            encoding: "UTF-16LE".into(),
            source_bytes: u64::MAX,
            source_sha256: hex(&[0; 32]),
            repaired_bytes: u64::MAX,
            repaired_sha256: hex(&[0; 32]),
            changes: u64::MAX,
            edit: false,
            created: false,
        };
        // The longest form, so that the complete head fits.
        let line = json::line(&Head { edit: true, created: true, ..head.clone() });
        let mut start = 0;
        match &mut log.to {
            To::File { length, .. } => {
                start = *length;
                // Until it is complete, the head says so: it cannot match any file.
                log.write(&line)?;
            }
            To::Stdout { changes, .. } => {
                // A failure may have left something of the file before.
                changes.rewind()?;
                changes.get_ref().set_len(0)?;
            }
        }
        let head = Head { encoding: "UTF-8".into(), source_bytes: 0, repaired_bytes: 0, changes: 0, ..head };
        let length = line.len();
        Ok(Self { log, start, length, head, source: Sha256::new(), repaired: Sha256::new() })
    }

    /// Takes bytes of the source.
    pub(super) fn source(&mut self, bytes: &[u8]) {
        self.head.source_bytes += bytes.len() as u64;
        self.source.update(bytes);
    }

    /// The encoding of the source.
    pub(super) fn encoding(&mut self, encoding: Encoding) {
        self.head.encoding = encoding.name().into();
    }

    /// Records changes, and takes the bytes of the repaired text.
    pub(super) fn changes(&mut self, changes: &[Change], repaired: &[u8]) -> io::Result<()> {
        self.head.repaired_bytes += repaired.len() as u64;
        self.repaired.update(repaired);
        for change in changes {
            self.head.changes += 1;
            self.log.write(&json::line(&Entry::new(change)))?;
        }
        Ok(())
    }

    /// Records that a file was created.
    pub(crate) fn created(mut self, encoding: Encoding, new: &[u8]) -> io::Result<()> {
        self.head.created = true;
        self.edit(encoding, &[], new)
    }

    /// Records an edit as a whole: the bytes that differ.
    pub(crate) fn edit(mut self, encoding: Encoding, old: &[u8], new: &[u8]) -> io::Result<()> {
        self.head.edit = true;
        self.encoding(encoding);
        self.source(old);
        self.head.repaired_bytes = new.len() as u64;
        self.repaired.update(new);
        let same = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let (old, new) = (&old[same..], &new[same..]);
        let same_end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
        let (mut old, mut new) = (&old[..old.len() - same_end], &new[..new.len() - same_end]);
        let mut offset = same as u64;
        while !old.is_empty() || !new.is_empty() {
            let (before, old_rest) = old.split_at(old.len().min(MAX_ENTRY_BYTES));
            let (after, new_rest) = new.split_at(new.len().min(MAX_ENTRY_BYTES));
            self.head.changes += 1;
            let entry = EditEntry { offset, before: hex(before), after: hex(after) };
            self.log.write(&json::line(&entry))?;
            offset += after.len() as u64;
            (old, new) = (old_rest, new_rest);
        }
        self.end()
    }

    /// Writes the complete head.
    pub(super) fn end(self) -> io::Result<()> {
        let Self { log, start, length, mut head, source, repaired } = self;
        head.source_sha256 = hex(&source.finalize());
        head.repaired_sha256 = hex(&repaired.finalize());
        let mut line = json::line(&head);
        match &mut log.to {
            To::File { file, length: end } => {
                // Counted in bytes: a path may have other characters than ASCII.
                line.truncate(line.trim_end().len());
                let spaces = (length - 1).saturating_sub(line.len());
                line.extend(core::iter::repeat_n(' ', spaces));
                line.push('\n');
                file.seek(SeekFrom::Start(start))?;
                file.write_all(line.as_bytes())?;
                file.seek(SeekFrom::Start(*end)).map(drop)
            }
            To::Stdout { data, changes } => {
                data.write_all(line.as_bytes())?;
                changes.rewind()?;
                io::copy(changes.get_mut(), data).map(drop)
            }
        }
    }
}

/// The bytes of a path that is not UTF-8.
pub(crate) fn path_bytes(path: &Path) -> Option<String> {
    let bytes = path.as_os_str().as_encoded_bytes();
    core::str::from_utf8(bytes).is_err().then(|| hex(bytes))
}

/// The length and the digest of a file.
pub(super) fn digest(file: &mut File) -> io::Result<(u64, String)> {
    let mut hash = Sha256::new();
    let mut piece = vec![0; 64 * 1024];
    let mut length = 0;
    file.rewind()?;
    loop {
        match crate::input::read(file, &mut piece)? {
            0 => break,
            read => {
                length += read as u64;
                hash.update(&piece[..read]);
            }
        }
    }
    file.rewind()?;
    Ok((length, hex(&hash.finalize())))
}

/// Bytes as `c0af`.
fn hex(bytes: &[u8]) -> String {
    use core::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut all, byte| {
        _ = write!(all, "{byte:02x}");
        all
    })
}

/// The bytes that [`hex`] writes.
pub(crate) fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        hex.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let digits = digits?;
    digits
        .len()
        .is_multiple_of(2)
        .then(|| digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
