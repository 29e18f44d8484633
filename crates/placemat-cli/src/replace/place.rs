//! A name in a directory. The directory is held open, so that all operations on the name happen in it, even if paths
//! are renamed or replaced meanwhile.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

#[cfg(not(unix))]
pub(crate) use elsewhere::Directory;
#[cfg(unix)]
pub(crate) use unix::Directory;

/// The number of symbolic links in a row that are followed to a file that does not exist yet.
const LINKS: usize = 40;

/// A name in a directory.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(super) directory: Directory,
    pub(super) name: OsString,
}

impl Place {
    /// The place that `path` leads to: symbolic links are followed, even if there is no file at their end yet.
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let mut path = path.to_path_buf();
        for _ in 0..LINKS {
            match fs::canonicalize(&path) {
                Ok(whole) => return Self::in_parent(&whole),
                Err(e) if e.kind() == io::ErrorKind::NotFound => match fs::read_link(&path) {
                    Ok(to) => path = path.parent().unwrap_or(Path::new("")).join(to),
                    Err(_) => return Self::in_parent(&path),
                },
                Err(e) => return Err(e),
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    /// A file that was found in a directory: none of the last `depth` parts of its path is a symbolic link, not even one
    /// that was put there since. The parts start in the directory `open`, if there is one.
    pub(crate) fn found(path: &Path, depth: usize, open: Option<&Directory>) -> io::Result<Self> {
        let mut root = path;
        let mut below = Vec::new();
        for _ in 0..depth {
            let (Some(parent), Some(name)) = (root.parent(), root.file_name()) else { break };
            below.push(name);
            root = parent;
        }
        let Some((name, directories)) = below.split_first() else { return Self::of(path) };
        let mut directory = open.cloned().map_or_else(|| Directory::open(root), Ok)?;
        for name in directories.iter().rev() {
            directory = directory.within(name)?;
        }
        Ok(Self { directory, name: (*name).to_owned() })
    }

    fn in_parent(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?.to_owned();
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = Directory::open(parent.unwrap_or(Path::new(".")))?;
        Ok(Self { directory, name })
    }

    /// Opens the file for reading, without following a symbolic link and without waiting.
    pub(crate) fn open(&self) -> io::Result<File> {
        self.directory.open_file(&self.name)
    }

    /// Gives the file a second, unused name.
    pub(super) fn link(&self, name: &OsStr) -> io::Result<()> {
        self.directory.link(&self.name, name)
    }

    /// Another name in this directory.
    pub(super) fn beside(&self, name: OsString) -> Self {
        Self { directory: self.directory.clone(), name }
    }
}

/// Shows whether a file is still unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    file: (u64, u64),
    len: u64,
    modified: Option<std::time::SystemTime>,
    /// The time of the last change of its owner, its rights or its links.
    changed: (i64, i64),
}

impl Stamp {
    #[cfg(unix)]
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = file.metadata()?;
        Ok(Self {
            file: (metadata.dev(), metadata.ino()),
            len: metadata.len(),
            modified: metadata.modified().ok(),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    #[cfg(not(unix))]
    pub(crate) fn of(file: &File) -> io::Result<Self> {
        let metadata = file.metadata()?;
        Ok(Self { file: (0, 0), len: metadata.len(), modified: metadata.modified().ok(), changed: (0, 0) })
    }

    /// Whether both are of one file.
    pub(crate) fn same_file(&self, other: &Self) -> bool {
        self.file == other.file
    }

    /// Whether both are of one file with one text; its names and rights may have changed.
    pub(super) fn same_text(&self, other: &Self) -> bool {
        (self.file, self.len, self.modified) == (other.file, other.len, other.modified)
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use rustix::fs::{self as sys, AtFlags, CWD, Mode, OFlags};
    use std::os::fd::{AsFd as _, OwnedFd};
    use std::sync::Arc;

    /// An open directory.
    #[derive(Clone, Debug)]
    pub(crate) struct Directory(Arc<OwnedFd>);

    /// On Linux, a directory can be opened for entering without being readable.
    #[cfg(target_os = "linux")]
    const ENTER: OFlags = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    const ENTER: OFlags = OFlags::RDONLY;

    /// Waits neither for the other end of a FIFO nor for a device.
    const READ: OFlags = OFlags::RDONLY
        .union(OFlags::NOFOLLOW)
        .union(OFlags::NONBLOCK)
        .union(OFlags::CLOEXEC)
        .union(OFlags::NOCTTY);

    impl Directory {
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            let flags = ENTER | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok(Self(Arc::new(sys::openat(CWD, path, flags, Mode::empty())?)))
        }

        /// A subdirectory that is not a symbolic link.
        pub(crate) fn within(&self, name: &OsStr) -> io::Result<Self> {
            let flags = ENTER | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
            Ok(Self(Arc::new(sys::openat(&*self.0, name, flags, Mode::empty())?)))
        }

        pub(in crate::replace) fn open_file(&self, name: &OsStr) -> io::Result<File> {
            Ok(sys::openat(&*self.0, name, READ, Mode::empty())?.into())
        }

        /// Opens a file for writing, to check that writing is allowed; changes nothing.
        pub(in crate::replace) fn open_to_write(&self, name: &OsStr) -> io::Result<File> {
            let flags = READ.difference(OFlags::RDONLY) | OFlags::WRONLY;
            Ok(sys::openat(&*self.0, name, flags, Mode::empty())?.into())
        }

        /// A new file of that name.
        pub(in crate::replace) fn create(&self, name: &OsStr, mode: u32) -> io::Result<File> {
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            Ok(sys::openat(&*self.0, name, flags, Mode::from_raw_mode(mode as sys::RawMode))?.into())
        }

        /// A new file without a name, if the file system supports it and can name it later.
        #[cfg(target_os = "linux")]
        pub(in crate::replace) fn create_nameless(&self, mode: u32) -> Option<File> {
            use std::os::unix::fs::MetadataExt as _;
            let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
            let file = File::from(sys::openat(&*self.0, ".", flags, Mode::from_raw_mode(mode)).ok()?);
            let (seen, known) = (fs::metadata(path_of(&file)).ok()?, file.metadata().ok()?);
            (seen.dev() == known.dev() && seen.ino() == known.ino()).then_some(file)
        }
        #[cfg(not(target_os = "linux"))]
        pub(in crate::replace) fn create_nameless(&self, _: u32) -> Option<File> {
            None
        }

        /// Gives a file without a name an unused name.
        pub(in crate::replace) fn name_it(&self, file: &File, name: &OsStr) -> io::Result<()> {
            Ok(sys::linkat(CWD, path_of(file), &*self.0, name, AtFlags::SYMLINK_FOLLOW)?)
        }

        pub(super) fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            Ok(sys::linkat(&*self.0, from, &*self.0, to, AtFlags::empty())?)
        }

        pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            Ok(sys::renameat(&*self.0, from, &*self.0, to)?)
        }

        /// Gives an entry another name, unless an entry has that name: then the error is `AlreadyExists`.
        pub(crate) fn rename_to_free(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            use rustix::io::Errno;
            #[cfg(any(target_os = "linux", target_vendor = "apple"))]
            match sys::renameat_with(&*self.0, from, &*self.0, to, sys::RenameFlags::NOREPLACE) {
                // This file system cannot do it.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                done => return Ok(done?),
            }
            // A link never replaces anything. Directories have none, nor have some file systems.
            match sys::linkat(&*self.0, from, &*self.0, to, AtFlags::empty()) {
                Ok(()) => return self.remove(from),
                Err(Errno::EXIST) => return Err(io::ErrorKind::AlreadyExists.into()),
                Err(_) => {}
            }
            match self.entry(to) {
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(e) if e.kind() == io::ErrorKind::NotFound => self.rename(from, to),
                Err(e) => Err(e),
            }
        }

        /// Returns the identity of an entry, without following a symbolic link.
        pub(crate) fn entry(&self, name: &OsStr) -> io::Result<(u64, u64)> {
            let stat = sys::statat(&*self.0, name, AtFlags::SYMLINK_NOFOLLOW)?;
            Ok((stat.st_dev as u64, stat.st_ino as u64))
        }

        /// Returns the maximum length of a name in bytes, if the file system says so.
        pub(crate) fn max_name_bytes(&self) -> Option<u64> {
            // A directory that is open only for entering has no statistics on some systems.
            Some(sys::fstatvfs(&*self.0).ok()?.f_namemax).filter(|&max| max > 0)
        }

        pub(in crate::replace) fn remove(&self, name: &OsStr) -> io::Result<()> {
            Ok(sys::unlinkat(&*self.0, name, AtFlags::empty())?)
        }

        /// Waits until the names in it are on the disk, as far as the file system can.
        pub(crate) fn sync(&self) {
            // Not every file system can, and a directory that cannot be read cannot be synced.
            if let Ok(directory) = self.readable() {
                let _ = sys::fsync(directory);
            }
        }

        /// The names of the files in the directory.
        pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
            use std::os::unix::ffi::OsStrExt as _;
            let mut names = Vec::new();
            for entry in sys::Dir::new(self.readable()?)? {
                names.push(OsStr::from_bytes(entry?.file_name().to_bytes()).to_owned());
            }
            Ok(names)
        }

        /// Whether both are one open handle.
        pub(in crate::replace) fn is(&self, other: &Self) -> bool {
            Arc::ptr_eq(&self.0, &other.0)
        }

        /// Whether both are one directory, through any handles.
        pub(crate) fn same(&self, other: &Self) -> bool {
            self.is(other) || self.identity().is_some_and(|identity| other.identity() == Some(identity))
        }

        /// The identity of the directory.
        pub(in crate::replace) fn identity(&self) -> Option<(u64, u64)> {
            use std::os::unix::fs::MetadataExt as _;
            let metadata = File::from(self.0.try_clone().ok()?).metadata().ok()?;
            Some((metadata.dev(), metadata.ino()))
        }

        fn readable(&self) -> io::Result<OwnedFd> {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            Ok(sys::openat(self.0.as_fd(), ".", flags, Mode::empty())?)
        }
    }

    /// A path that leads to an open file, independent of its names.
    fn path_of(file: &File) -> PathBuf {
        use std::os::fd::AsRawFd as _;
        format!("/proc/self/fd/{}", file.as_raw_fd()).into()
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use super::*;
    use std::fs::OpenOptions;

    /// A directory by its path.
    #[derive(Clone, Debug)]
    pub(crate) struct Directory(PathBuf);

    impl Directory {
        pub(crate) fn open(path: &Path) -> io::Result<Self> {
            Ok(Self(path.to_owned()))
        }
        pub(crate) fn within(&self, name: &OsStr) -> io::Result<Self> {
            let path = self.0.join(name);
            if fs::symlink_metadata(&path)?.is_dir() {
                Ok(Self(path))
            } else {
                Err(io::ErrorKind::NotADirectory.into())
            }
        }
        pub(in crate::replace) fn open_file(&self, name: &OsStr) -> io::Result<File> {
            File::open(self.0.join(name))
        }
        pub(in crate::replace) fn open_to_write(&self, name: &OsStr) -> io::Result<File> {
            OpenOptions::new().write(true).open(self.0.join(name))
        }
        pub(in crate::replace) fn create(&self, name: &OsStr, _: u32) -> io::Result<File> {
            OpenOptions::new().read(true).write(true).create_new(true).open(self.0.join(name))
        }
        pub(in crate::replace) fn create_nameless(&self, _: u32) -> Option<File> {
            None
        }
        pub(in crate::replace) fn name_it(&self, _: &File, _: &OsStr) -> io::Result<()> {
            Err(io::ErrorKind::Unsupported.into())
        }
        pub(super) fn link(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            fs::hard_link(self.0.join(from), self.0.join(to))
        }
        pub(crate) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            fs::rename(self.0.join(from), self.0.join(to))
        }
        /// Gives an entry another name, unless an entry has that name: then the error is `AlreadyExists`.
        pub(crate) fn rename_to_free(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
            match fs::symlink_metadata(self.0.join(to)) {
                Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
                Err(e) if e.kind() == io::ErrorKind::NotFound => self.rename(from, to),
                Err(e) => Err(e),
            }
        }
        /// Returns a number for the entry that has a name in any spelling.
        pub(crate) fn entry(&self, name: &OsStr) -> io::Result<(u64, u64)> {
            use core::hash::{Hash as _, Hasher as _};
            let path = fs::canonicalize(self.0.join(name))?;
            let mut hasher = std::hash::DefaultHasher::new();
            path.hash(&mut hasher);
            Ok((0, hasher.finish()))
        }
        /// Returns the maximum length of a name in bytes, if the file system says so.
        pub(crate) fn max_name_bytes(&self) -> Option<u64> {
            None
        }
        pub(in crate::replace) fn remove(&self, name: &OsStr) -> io::Result<()> {
            fs::remove_file(self.0.join(name))
        }
        pub(crate) fn sync(&self) {}
        pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
            fs::read_dir(&self.0)?.map(|entry| Ok(entry?.file_name())).collect()
        }
        pub(in crate::replace) fn is(&self, other: &Self) -> bool {
            self.0 == other.0
        }
        pub(crate) fn same(&self, other: &Self) -> bool {
            self.is(other)
        }
        pub(in crate::replace) fn identity(&self) -> Option<(u64, u64)> {
            None
        }
    }
}
