//! A file that is being written and takes a name when it is complete.
//!
//! Where the file system has files without a name (`O_TMPFILE`: ext4, XFS, Btrfs, tmpfs, newer overlayfs), it has none
//! until it is whole, so that nothing is left of it unless the run is killed between that name and the final one. Elsewhere (NFS, FAT, other systems than Linux) it
//! has a name of its own from the start: `.`, eight random digits, eight that follow from them, `.placemat-tmp`. It is
//! removed when the run fails or a signal ends it. What a run that was killed has left is known by its name, in which the
//! digits must fit, by its owner and by its lock, which nobody holds any more: the next run that opens a file to change it,
//! or writes one, in the directory removes it.

use super::place::{Directory, Place};
use super::signals::{self, Commit, Provisional};
use core::hash::{BuildHasher as _, Hasher as _};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::File;
#[cfg(unix)]
use std::fs::TryLockError;
use std::hash::RandomState;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The end of the names of files that are being written.
const SUFFIX: &str = ".placemat-tmp";
/// The number of names to try.
const TRIES: usize = 100;

/// A file that is deleted unless it takes a name.
#[derive(Debug)]
pub(crate) struct Temporary {
    directory: Directory,
    pub(crate) file: File,
    /// The provisional name of the file, if it has one.
    name: Option<Provisional>,
}

/// Whether a name is one of those that files have while they are written.
pub(crate) fn is_temporary(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(OsStr::to_str) else { return false };
    let Some(digits) = name.strip_prefix('.').and_then(|name| name.strip_suffix(SUFFIX)) else {
        return false;
    };
    let well_formed = digits.len() == 16 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    well_formed && u32::from_str_radix(&digits[..8], 16).is_ok_and(|random| name_of(random) == name)
}

/// The name that follows from a random number. By accident, one in four thousand million names fits.
fn name_of(random: u32) -> String {
    // A permutation: multiplication by an odd number, and shifts of the upper half into the lower one.
    let mut check = random ^ 0x706C_6D74;
    for _ in 0..2 {
        check = (check ^ (check >> 16)).wrapping_mul(0x9E37_79B1);
    }
    format!(".{random:08x}{:08x}{SUFFIX}", check ^ (check >> 15))
}

/// An unpredictable name.
fn random_name() -> OsString {
    // Each state has keys of its own, from the system's random numbers.
    let bits = RandomState::new().build_hasher().finish();
    #[expect(clippy::cast_possible_truncation, reason = "half of the bits will do")]
    name_of((bits >> 32) as u32 ^ bits as u32).into()
}

impl Temporary {
    /// A new file in a directory, with at most the rights of `mode`.
    pub(crate) fn new(place: &Place, mode: u32) -> io::Result<Self> {
        let directory = place.directory.clone();
        tidy(&directory);
        signals::watch();
        let new = if let Some(file) = directory.create_nameless(mode) {
            Self { directory, file, name: None }
        } else {
            let (file, name) = unused(&mut signals::hold(), &directory, |name| directory.create(name, mode))?;
            Self { directory, file, name: Some(name) }
        };
        // The file is new, so no one else has locked it; not every file system has locks. A nameless
        // file also gets a temporary name, just before it takes the name of the old file.
        let _ = new.file.try_lock();
        Ok(new)
    }

    /// Takes the name of `place`, in place of the file that has it.
    pub(super) fn put(&mut self, place: &Place, commit: &mut Commit) -> io::Result<()> {
        let name = match &mut self.name {
            Some(name) => name,
            nameless => {
                let named = unused(commit, &self.directory, |name| self.directory.name_it(&self.file, name))?;
                nameless.insert(named.1)
            }
        };
        self.directory.rename(&name.name, &place.name)?;
        name.keep(commit);
        Ok(())
    }
}

/// Creates something with an unused name.
fn unused<T>(
    commit: &mut Commit,
    directory: &Directory,
    mut make: impl FnMut(&OsStr) -> io::Result<T>,
) -> io::Result<(T, Provisional)> {
    for _ in 0..TRIES {
        let name = random_name();
        match Provisional::new(commit, directory, &name, || make(&name)) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made,
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Removes from a directory, once per run, the files that killed runs left there.
pub(super) fn tidy(directory: &Directory) {
    static TIDIED: Mutex<Option<HashSet<(u64, u64)>>> = Mutex::new(None);
    let Some(identity) = directory.identity() else { return };
    if !TIDIED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default().insert(identity) {
        return;
    }
    // A directory that cannot be read may keep stray files, which do no harm.
    for name in directory.names().unwrap_or_default() {
        if is_temporary(name.as_ref())
            && let Ok(file) = directory.open_file(&name)
            && is_abandoned(&file)
        {
            let _ = directory.remove(&name);
        }
    }
}

/// Whether a file is abandoned: it is a regular file of this user, and no process has locked it.
fn is_abandoned(file: &File) -> bool {
    let Ok(metadata) = file.metadata() else { return false };
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::uid(&metadata) != rustix::process::geteuid().as_raw() {
        return false;
    }
    metadata.is_file() && matches!(lock(file), Ok(true))
}

/// Locks a file for as long as it is open. Whether it is locked now: not every file system has locks.
///
/// # Errors
/// If someone else has locked it.
#[cfg(unix)]
pub(crate) fn lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::WouldBlock.into()),
        Err(TryLockError::Error(_)) => Ok(false),
    }
}

/// Elsewhere, a lock would keep the run itself from reading by another handle.
#[cfg(not(unix))]
pub(crate) fn lock(_: &File) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_those_of_others() {
        for _ in 0..1000 {
            let name = random_name();
            assert!(is_temporary(name.as_ref()), "{}", name.display());
            // One digit is another.
            let other = name.to_str().unwrap().replacen(|c: char| c.is_ascii_hexdigit(), "z", 1);
            assert!(!is_temporary(other.as_ref()));
        }
        for name in
            [".a.placemat-tmp", ".placemat-tmp", ".0123456789abcdef.placemat-tmp", ".\u{e9}.placemat-tmp"]
        {
            assert!(!is_temporary(name.as_ref()), "{name}");
        }
        assert_ne!(random_name(), random_name());
    }

    /// Each version removes what a killed run of another one left. The digits were computed by a script.
    #[test]
    fn names_of_all_versions_are_known() {
        for name in [".00000000967d3ec8", ".01234567d5abe7a5", ".ffffffff1d4f4149"] {
            assert!(is_temporary(format!("{name}{SUFFIX}").as_ref()), "{name}");
        }
    }
}
