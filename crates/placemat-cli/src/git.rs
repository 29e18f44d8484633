//! Reads git's files: the place where a repository keeps them, and the files that it tracks (gitformat-index(5)).
//!
//! All of this input is untrusted. Only names are used, and of these only names that lead downwards.

use crate::regular;
use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The maximum size of an index: some million files.
const LONGEST_INDEX: u64 = 256 << 20;
/// The maximum length of its names, which can be compressed in the index.
const LONGEST_NAMES: usize = 512 << 20;
/// The maximum size of a configuration file.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
/// The maximum size of a file that holds only a path.
const LONGEST_LINK: u64 = 4096;
/// No file system in use takes longer paths, in bytes.
const LONGEST_PATH: usize = 4096;
/// The length of a hash, in SHA-1 and in SHA-256.
const HASHES: [usize; 2] = [20, 32];
/// The length of the data before the hash in an entry, and the offset of the file mode in it.
const STAT: usize = 40;
const MODE: usize = 24;

/// The directories in which a repository keeps its files.
#[derive(Debug)]
pub(crate) struct Repository {
    /// The directory of one work tree.
    directory: PathBuf,
    /// The directory that all work trees share.
    common: PathBuf,
}

impl Repository {
    /// Returns `true` if a directory is the root of a work tree.
    pub(crate) fn is_at(work_tree: &Path) -> bool {
        fs::symlink_metadata(work_tree.join(".git")).is_ok()
    }

    /// Returns the repository of a work tree.
    pub(crate) fn of(work_tree: &Path) -> Option<Self> {
        let link = work_tree.join(".git");
        let directory = if fs::metadata(&link).ok()?.is_dir() {
            link
        } else {
            work_tree.join(path_in(&link, "gitdir:")?)
        };
        let common = path_in(&directory.join("commondir"), "")
            .map_or_else(|| directory.clone(), |path| directory.join(path));
        Some(Self { directory, common })
    }

    /// Returns the attributes that are not under version control.
    pub(crate) fn attributes(&self) -> PathBuf {
        self.common.join("info/attributes")
    }

    /// Returns the patterns of ignored files that are not under version control.
    pub(crate) fn exclude(&self) -> PathBuf {
        self.common.join("info/exclude")
    }

    /// Hands each tracked regular file to `take`, as a path below the work tree.
    ///
    /// # Errors
    /// If the index is there and cannot be read, with its path.
    pub(crate) fn tracked(&self, take: &mut dyn FnMut(&[u8])) -> Result<(), (PathBuf, io::Error)> {
        let index = self.directory.join("index");
        let shared = self.read(&index, take)?;
        // A split index leaves most of its entries in another file.
        if let Some(shared) = shared {
            self.read(&self.directory.join(shared), take)?;
        }
        Ok(())
    }

    fn read(
        &self,
        index: &Path,
        take: &mut dyn FnMut(&[u8]),
    ) -> Result<Option<String>, (PathBuf, io::Error)> {
        let read = regular(index, LONGEST_INDEX).and_then(|bytes| {
            let Some(bytes) = bytes else { return Ok(None) };
            let parsed = HASHES.iter().find_map(|&hash| {
                // The first pass only measures the names: with a wrong hash length, the rest does not parse.
                let mut len = 0;
                parse(&bytes, hash, &mut |name| len += name.len())?;
                if len > LONGEST_NAMES {
                    return Some(Err(io::ErrorKind::FileTooLarge.into()));
                }
                parse(&bytes, hash, take).map(Ok)
            });
            parsed.unwrap_or_else(|| Err(io::Error::other("is not a git index of a known format")))
        });
        read.map_err(|e| (index.to_owned(), e))
    }
}

/// Returns the path of the file with the user's own ignore patterns: `core.excludesFile`, else `git/ignore` among the
/// configuration files. It may be missing. Calls `warn` for each configuration file that cannot be read.
pub(crate) fn excludes_file(warn: &mut dyn FnMut(&Path, &str)) -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = std::env::home_dir();
    let config = variable("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
    let files = [
        variable("GIT_CONFIG_GLOBAL"),
        home.as_ref().map(|home| home.join(".gitconfig")),
        config.as_ref().map(|config| config.join("git/config")),
        Some(variable("GIT_CONFIG_SYSTEM").unwrap_or_else(|| "/etc/gitconfig".into())),
    ];
    let named = files.into_iter().flatten().find_map(|file| {
        let bytes = regular::read_or_warn(&file, MAX_CONFIG_BYTES, warn)?;
        excludes_file_in(&bytes, home.as_deref())
    });
    named.or_else(|| Some(config?.join("git/ignore")))
}

/// Returns the value of `excludesFile` in a configuration file. Includes and sections are not looked at.
fn excludes_file_in(config: &[u8], home: Option<&Path>) -> Option<PathBuf> {
    const KEY: &[u8] = b"excludesfile";
    let path = config.split(|&byte| byte == b'\n').find_map(|line| {
        let (key, value) = line.trim_ascii().split_at_checked(KEY.len())?;
        let value = value.trim_ascii_start().strip_prefix(b"=")?.trim_ascii();
        let value = value.strip_prefix(b"\"").unwrap_or(value);
        let value = value.strip_suffix(b"\"").unwrap_or(value).trim_ascii();
        let value = core::str::from_utf8(value).ok()?;
        (key.eq_ignore_ascii_case(KEY) && !value.is_empty()).then_some(value)
    })?;
    match (path.strip_prefix("~/"), home) {
        (Some(path), Some(home)) => Some(home.join(path)),
        _ => Some(path.into()),
    }
}

/// Returns the bytes of a regular file, or `None` if it is missing.
fn regular(path: &Path, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    match regular::read(path, max_bytes) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

/// Returns the path in a file, after a word.
fn path_in(file: &Path, word: &str) -> Option<String> {
    let bytes = regular(file, LONGEST_LINK).ok()??;
    let text = String::from_utf8(bytes).ok()?;
    Some(text.strip_prefix(word)?.trim().to_owned())
}

/// Bytes that are taken from the front.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    }

    /// Takes the bytes up to a NUL, and the NUL.
    fn string(&mut self) -> Option<&'a [u8]> {
        let len = memchr::memchr(0, self.0)?;
        let string = self.take(len)?;
        self.take(1)?;
        Some(string)
    }

    /// A number with seven bits per byte, where each byte but the last adds one (as in pack files).
    fn offset(&mut self) -> Option<usize> {
        let mut value = 0_usize;
        loop {
            let &[byte] = self.take(1)? else { return None };
            value = value.checked_mul(128)?.checked_add(usize::from(byte & 0x7F))?;
            if byte < 0x80 {
                return Some(value);
            }
            value = value.checked_add(1)?;
        }
    }
}

/// Parses an index with hashes of this length, and hands its regular files to `take`. Returns `Some` if it is an index,
/// with the name of the file that it shares entries with, if any.
fn parse(bytes: &[u8], hash: usize, take: &mut dyn FnMut(&[u8])) -> Option<Option<String>> {
    let content = bytes.len().checked_sub(hash)?;
    let mut rest = Rest(&bytes[..content]);
    (rest.take(4)? == b"DIRC").then_some(())?;
    let version = rest.number()?;
    (2..=4).contains(&version).then_some(())?;
    let count = rest.number()?;
    let mut path: Vec<u8> = Vec::new();
    for _ in 0..count {
        let before = rest.0.len();
        let stat = rest.take(STAT)?;
        rest.take(hash)?;
        let &[high, _] = rest.take(2)? else { return None };
        // It has more flags.
        if version > 2 && high & 0x40 != 0 {
            rest.take(2)?;
        }
        if version == 4 {
            let kept = path.len().checked_sub(rest.offset()?)?;
            path.truncate(kept);
        } else {
            path.clear();
        }
        path.extend_from_slice(rest.string()?);
        (path.len() <= LONGEST_PATH).then_some(())?;
        if version < 4 {
            let len = before - rest.0.len();
            rest.take(len.next_multiple_of(8) - len)?;
        }
        // Neither links nor submodules.
        if stat[MODE + 2] & 0xF0 == 0x80 && leads_down(&path) {
            take(&path);
        }
    }
    let mut shared = None;
    while !rest.0.is_empty() {
        let name = rest.take(4)?;
        let len = rest.number()?;
        let extension = rest.take(len)?;
        if name == b"link"
            && let Some(base) = extension.get(..hash)
            && base.iter().any(|&byte| byte != 0)
        {
            let digits: String = base.iter().map(|byte| format!("{byte:02x}")).collect();
            shared = Some(format!("sharedindex.{digits}"));
        }
    }
    Some(shared)
}

/// Returns `true` if a path leads to something below where it starts, that git could track.
fn leads_down(path: &[u8]) -> bool {
    path.split(|&byte| byte == b'/')
        .all(|name| !matches!(name, b"" | b"." | b"..") && !name.eq_ignore_ascii_case(b".git"))
}

/// Converts a path of git to a path of the system.
#[cfg(unix)]
pub(crate) fn path_of(bytes: &[u8]) -> Cow<'_, Path> {
    use std::os::unix::ffi::OsStrExt as _;
    Path::new(std::ffi::OsStr::from_bytes(bytes)).into()
}
#[cfg(not(unix))]
pub(crate) fn path_of(bytes: &[u8]) -> Cow<'_, Path> {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(bytes: &[u8]) -> Option<Vec<String>> {
        let mut names = Vec::new();
        parse(bytes, 20, &mut |name| names.push(String::from_utf8_lossy(name).into_owned()))?;
        Some(names)
    }

    /// An index with one entry after the other: version, mode, name.
    fn index(version: u32, entries: &[(u32, &[u8])]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(entries.len()).unwrap_or(0).to_be_bytes());
        for (mode, name) in entries {
            let start = bytes.len();
            bytes.extend([1; 24]);
            bytes.extend(mode.to_be_bytes());
            bytes.extend([1; 12 + 20 + 2]);
            bytes.extend(*name);
            bytes.push(0);
            while version < 4 && !(bytes.len() - start).is_multiple_of(8) {
                bytes.push(0);
            }
        }
        bytes.extend([7; 20]);
        bytes
    }

    #[test]
    fn entries_of_all_versions() {
        let entries: &[(u32, &[u8])] =
            &[(0o100_644, b"a"), (0o100_755, b"b/c"), (0o120_000, b"link"), (0o160_000, b"module")];
        let want = Some(vec!["a".to_owned(), "b/c".to_owned()]);
        assert_eq!(names(&index(2, entries)), want);
        assert_eq!(names(&index(3, entries)), want);
        // `\x01` bytes of the previous name go.
        assert_eq!(
            names(&index(4, &[(0o100_644, b"\0ab/c"), (0o100_644, b"\x01d")])),
            Some(vec!["ab/c".to_owned(), "ab/d".to_owned()])
        );
        assert_eq!(names(&index(5, entries)), None);
    }

    #[test]
    fn the_users_own_patterns() {
        let home = Some(Path::new("/home/me"));
        for (config, path) in [
            ("[core]\n\texcludesFile = ~/.ignored\n", Some("/home/me/.ignored")),
            ("[core]\nEXCLUDESFILE=\"/a b\"\r\n", Some("/a b")),
            ("excludesfile = \" ~/a \"", Some("/home/me/a")),
            ("excludesfile\nexcludesfile =\nexcludesfile = a~b", Some("a~b")),
            ("[core]\nexcludeFile = /a", None),
            ("", None),
        ] {
            assert_eq!(excludes_file_in(config.as_bytes(), home), path.map(Into::into), "{config}");
        }
    }

    #[test]
    fn names_that_lead_elsewhere_are_left_out() {
        for name in [&b"../a"[..], b"/a", b"a/../../b", b"a//b", b"./a", b".git/config", b"a/.GIT/x", b""] {
            assert_eq!(names(&index(2, &[(0o100_644, name)])), Some(Vec::new()), "{}", name.escape_ascii());
        }
    }

    #[test]
    fn no_index_does_harm() {
        let whole = index(3, &[(0o100_644, b"abc"), (0o100_644, b"def/ghi")]);
        for len in 0..whole.len() {
            names(&whole[..len]);
        }
        let mut state = 9_u32;
        for _ in 0..20_000 {
            let mut bytes = index(2 + state % 3, &[(0o100_644, b"\0abc"), (0o100_644, b"\x02ef/ghi")]);
            for _ in 0..3 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (state >> 8) as usize % bytes.len();
                bytes[at] = state.to_be_bytes()[1];
            }
            names(&bytes);
        }
        // A large count of missing entries takes no memory.
        assert_eq!(names(&[&b"DIRC\0\0\0\x02\xFF\xFF\xFF\xFF"[..], &[0; 60]].concat()), None);
    }
}
