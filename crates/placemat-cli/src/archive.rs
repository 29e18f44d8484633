//! The names in ZIP and tar archives, as bytes. Nothing is extracted, and memory is bounded.

mod entry;
mod tar;
mod zip;

use entry::damaged;
pub(crate) use entry::{Entry, Says};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom};

/// The first bytes of a ZIP archive with a file.
const ZIP: &[u8] = b"PK\x03\x04";
/// The first bytes of a file in gzip.
const GZIP: &[u8] = b"\x1F\x8B";

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
    if names.is_none() && head.starts_with(ZIP) {
        return Err(damaged("the archive is cut off: its list of files is missing"));
    }
    file.seek(SeekFrom::Start(0))?;
    Ok(names.map(|names| (Kind::Zip, names)))
}
