//! The attributes of a file: owner, group, mode, access list, extended attributes, times. Its successor gets them
//! too, in an order in which no user ever has more rights to it than to the file itself: it begins as a file that only
//! the user may read, gets owner and group, then the access list, and its rights at last.

#[cfg(unix)]
use core::fmt;
use std::fs::{File, FileTimes, Metadata};
use std::io;

/// The time of last change of the successor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Mtime {
    /// The time of the old file; `make` and similar programs see no change
    #[default]
    Keep,
    /// The current time
    Now,
}

/// Gives a file the attributes of another.
///
/// # Errors
/// If an attribute cannot be kept without which other users would gain or lose rights.
pub(super) fn give(
    file: &File,
    like: &File,
    before: &Metadata,
    mtime: Mtime,
    warn: &mut dyn FnMut(&str),
) -> io::Result<()> {
    rights(file, like, before, warn)?;
    let mut times = FileTimes::new();
    if let Ok(accessed) = before.accessed() {
        times = times.set_accessed(accessed);
    }
    if mtime == Mtime::Keep {
        times = times.set_modified(before.modified()?);
    }
    file.set_times(times)
}

/// An error: an attribute that cannot be kept, and the reason.
#[cfg(unix)]
fn lost(what: impl fmt::Display, e: &io::Error) -> io::Error {
    io::Error::other(format!("its {what} cannot be kept ({})", crate::shown::reason(e)))
}

#[cfg(not(unix))]
fn rights(file: &File, _: &File, before: &Metadata, _: &mut dyn FnMut(&str)) -> io::Result<()> {
    file.set_permissions(before.permissions())
}

#[cfg(unix)]
fn rights(file: &File, like: &File, before: &Metadata, warn: &mut dyn FnMut(&str)) -> io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let extended = Extended::of(like)?;
    // Done while the file still belongs to the user.
    extended.give(file)?;
    let has = ownership(file, before)?;
    if !has.owner {
        warn("belongs to you now: its owner cannot be kept");
    }
    let mut mode = before.mode() & 0o7777;
    if !(has.owner && has.group) && mode & 0o6000 != 0 {
        warn("its set-user-ID and set-group-ID bits are gone, as its owner or group cannot be kept");
        mode &= !0o6000;
    }
    if !has.group {
        if extended.access_list.is_some() {
            let why = io::Error::other("its group cannot be kept");
            return Err(lost("access list", &why));
        }
        // Members of the old group are not in the new one, and vice versa: both get only the rights that both had.
        let both = mode >> 3 & mode & 0o007;
        let narrowed = mode & !0o077 | both << 3 | both;
        if narrowed == mode {
            warn("its group cannot be kept");
        } else {
            warn(&format!(
                "its group cannot be kept, and its mode is {narrowed:o} now, as {mode:o} would let others in"
            ));
        }
        mode = narrowed;
    }
    extended.give_access_list(file)?;
    file.set_permissions(Permissions::from_mode(mode))?;
    if !extended.give_capabilities(file, has.owner) {
        warn("its capabilities are gone");
    }
    Ok(())
}

/// Whether a file has the owner and the group of another.
#[cfg(unix)]
struct Ownership {
    owner: bool,
    group: bool,
}

/// Gives a file the owner and the group of another, or one of them if not both are possible.
#[cfg(unix)]
fn ownership(file: &File, like: &Metadata) -> io::Result<Ownership> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let has = || {
        let now = file.metadata()?;
        io::Result::Ok(Ownership { owner: now.uid() == like.uid(), group: now.gid() == like.gid() })
    };
    let now = has()?;
    if now.owner && now.group {
        return Ok(now);
    }
    // The group first: a user who gave the file away cannot change it any more.
    if !now.group {
        let _ = fchown(file, None, Some(like.gid()));
    }
    if !now.owner {
        let _ = fchown(file, Some(like.uid()), None);
    }
    has()
}

/// Extended attributes, and the access list, which is one of them.
#[cfg(unix)]
struct Extended {
    access_list: Option<Vec<u8>>,
    capabilities: Option<Vec<u8>>,
    others: Vec<(std::ffi::OsString, Vec<u8>)>,
}

#[cfg(unix)]
const ACCESS_LIST: &str = "system.posix_acl_access";
#[cfg(unix)]
const CAPABILITIES: &str = "security.capability";
/// Checksums of the text, which the kernel computes again.
#[cfg(unix)]
const SUMS: [&str; 2] = ["security.ima", "security.evm"];

#[cfg(unix)]
impl Extended {
    fn of(file: &File) -> io::Result<Self> {
        use xattr::FileExt as _;
        let mut all = Self { access_list: None, capabilities: None, others: Vec::new() };
        let names = match file.list_xattr() {
            Ok(names) => names,
            // The file system has no extended attributes.
            Err(e) if e.kind() == io::ErrorKind::Unsupported => return Ok(all),
            Err(e) => return Err(lost("extended attributes", &e)),
        };
        for name in names {
            let shown = crate::shown::escaped(&name);
            let value = file.get_xattr(&name).map_err(|e| lost(format_args!("attribute {shown}"), &e))?;
            let Some(value) = value else { continue };
            if name == ACCESS_LIST {
                all.access_list = Some(value);
            } else if name == CAPABILITIES {
                all.capabilities = Some(value);
            } else if SUMS.iter().all(|sum| name != *sum) {
                all.others.push((name, value));
            }
        }
        Ok(all)
    }

    /// Gives a file all attributes that do not depend on its owner and its group.
    fn give(&self, file: &File) -> io::Result<()> {
        use xattr::FileExt as _;
        for (name, value) in &self.others {
            if file.get_xattr(name).is_ok_and(|now| now.as_ref() == Some(value)) {
                continue;
            }
            if let Err(e) = file.set_xattr(name, value)
                // The system sets the security labels.
                && !name.as_encoded_bytes().starts_with(b"security.")
            {
                return Err(lost(format_args!("attribute {}", crate::shown::escaped(name)), &e));
            }
        }
        Ok(())
    }

    /// Gives a file the access list, or removes the one that it has from its directory.
    fn give_access_list(&self, file: &File) -> io::Result<()> {
        use xattr::FileExt as _;
        match &self.access_list {
            Some(list) => file.set_xattr(ACCESS_LIST, list).map_err(|e| lost("access list", &e)),
            None if file.get_xattr(ACCESS_LIST).is_ok_and(|inherited| inherited.is_some()) => {
                file.remove_xattr(ACCESS_LIST).map_err(|e| lost("lack of an access list", &e))
            }
            None => Ok(()),
        }
    }

    /// Gives a file the capabilities, if it has the owner. Returns whether it has them now.
    fn give_capabilities(&self, file: &File, owner: bool) -> bool {
        use xattr::FileExt as _;
        let Some(capabilities) = &self.capabilities else { return true };
        owner && file.set_xattr(CAPABILITIES, capabilities).is_ok()
    }
}
