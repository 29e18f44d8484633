//! The names in ZIP and tar archives, as bytes. Nothing is extracted, and memory is bounded.

mod tar;
mod zip;

use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};

/// The maximum number of bytes of all names of an archive.
const MAX_NAME_BYTES: usize = 64 << 20;
/// The first bytes of a file in gzip.
const GZIP: &[u8] = b"\x1F\x8B";

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The bytes of its name, with the names of its directories.
    pub(crate) name: Vec<u8>,
    /// The encoding of the name, as the archive states it.
    pub(crate) says: Says,
}

/// The encoding of a name, as an archive states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    /// Nothing: a name in a tar header.
    Nothing,
    /// In ZIP: whether bit 11 says UTF-8, and the name in UTF-8 that an extra field (0x7075) has.
    Zip { utf8: bool, unicode: Option<Unicode> },
    /// In a pax record: UTF-8, unless `hdrcharset` is `BINARY`.
    Pax { binary: bool },
}

/// The extra field 0x7075 of Info-ZIP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unicode {
    pub(crate) name: Vec<u8>,
    /// Whether its checksum is that of the name in the header. If not, a program that does not know the field has changed
    /// the name.
    pub(crate) is_current: bool,
}

/// The kinds of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Zip,
    Tar,
}

/// Returns the names in an archive; `None` if the file is not one.
///
/// # Errors
/// If the file cannot be read, or the archive is damaged.
pub(crate) fn names(file: &mut File) -> io::Result<Option<(Kind, Vec<Entry>)>> {
    let mut head = Vec::new();
    file.rewind()?;
    file.by_ref().take(tar::BLOCK as u64).read_to_end(&mut head)?;
    if tar::is_header(&head) {
        file.rewind()?;
        return Ok(Some((Kind::Tar, tar::names(&mut BufReader::new(file))?)));
    }
    if head.starts_with(GZIP) {
        file.rewind()?;
        let mut plain = MultiGzDecoder::new(BufReader::new(&mut *file));
        let mut first = Vec::new();
        // Data that is not gzip after all is no archive either.
        if plain.by_ref().take(tar::BLOCK as u64).read_to_end(&mut first).is_ok() && tar::is_header(&first) {
            let mut whole = io::Cursor::new(first).chain(plain);
            return Ok(Some((Kind::Tar, tar::names(&mut whole)?)));
        }
        return Ok(None);
    }
    let names = zip::names(file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(names.map(|names| (Kind::Zip, names)))
}

/// The names so far, of which there are not too many.
#[derive(Debug, Default)]
struct Names {
    entries: Vec<Entry>,
    bytes: usize,
}

impl Names {
    fn push(&mut self, entry: Entry) -> io::Result<()> {
        self.bytes = self.bytes.saturating_add(entry.name.len() + size_of::<Entry>());
        if self.bytes > MAX_NAME_BYTES {
            return Err(damaged("has more than 64 MiB of names"));
        }
        self.entries.push(entry);
        Ok(())
    }
}

/// The error for an archive that is not whole.
fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Returns the little-endian number of `bytes` at an offset, or zero.
fn number<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let digits = bytes.get(at..at + N).unwrap_or_default();
    digits.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
