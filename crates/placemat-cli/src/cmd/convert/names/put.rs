//! Renames in the file system.

use super::order::{Folding, Wish};
use crate::names::os_string;
use crate::replace::Directory;
use placemat::normalize::Normalization;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;

/// Returns the names in a directory.
pub(super) fn names(directory: &Directory) -> io::Result<BTreeSet<Vec<u8>>> {
    Ok(directory.names()?.into_iter().map(|name| name.as_encoded_bytes().to_vec()).collect())
}

/// Returns whether the file system takes other spellings of a name for it. It is asked for a file that is there under
/// another spelling of its name; nothing is written.
pub(super) fn folding(directory: &Directory, existing: &BTreeSet<Vec<u8>>) -> Folding {
    let is_alike = |name: &str, other: &str| {
        !existing.contains(other.as_bytes())
            && directory
                .entry(OsStr::new(name))
                .is_ok_and(|file| directory.entry(OsStr::new(other)).is_ok_and(|other| other == file))
    };
    let texts = || existing.iter().filter_map(|name| core::str::from_utf8(name).ok());
    let case = texts().find_map(|name| {
        let other: String = name
            .chars()
            .map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
            .collect();
        (other != name).then(|| is_alike(name, &other))
    });
    let form = texts().filter(|name| !name.is_ascii()).find_map(|name| {
        let (composed, decomposed) = (Normalization::Nfc.apply(name), Normalization::Nfd.apply(name));
        let other = if composed == name { decomposed } else { composed };
        (other != name).then(|| is_alike(name, &other))
    });
    Folding { case: case.unwrap_or(false), form: form.unwrap_or(false) }
}

/// Gives a file its new name, and replaces nothing.
///
/// # Errors
/// `AlreadyExists` if another file has the name.
pub(super) fn rename(directory: &Directory, wish: &Wish) -> io::Result<()> {
    let (Some(from), Some(to)) = (os_string(&wish.from), os_string(&wish.to)) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "cannot be a name on this system"));
    };
    match directory.rename_to_free(&from, &to) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
        done => return done,
    }
    // In a file system that takes both names for one, the file is in its own way.
    let is_itself = directory.entry(&from)? == directory.entry(&to)?;
    if !is_itself || names(directory)?.contains(&wish.to) {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    directory.rename(&from, &to)?;
    if !names(directory)?.contains(&wish.to) {
        return Err(io::Error::other("the file system keeps its own form of the name"));
    }
    Ok(())
}
