//! The names of an archive.

use std::io;

/// The maximum number of bytes of all names of an archive.
const MAX_NAME_BYTES: usize = 64 << 20;

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

/// The names so far, of which there are not too many.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) entries: Vec<Entry>,
    bytes: usize,
}

impl Names {
    pub(super) fn push(&mut self, entry: Entry) -> io::Result<()> {
        self.bytes = self.bytes.saturating_add(entry.name.len() + size_of::<Entry>());
        if self.bytes > MAX_NAME_BYTES {
            return Err(damaged("has more than 64 MiB of names"));
        }
        self.entries.push(entry);
        Ok(())
    }
}

/// The error for an archive that is not whole.
pub(super) fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Returns the little-endian number of `bytes` at an offset, or zero.
pub(super) fn number<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let digits = bytes.get(at..at + N).unwrap_or_default();
    digits.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
