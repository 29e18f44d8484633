//! The names of files on the command line and in a list.

use crate::input;
use crate::refused::Refused;
use crate::streams;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

/// The maximum size of a list of names.
const MAX_LIST_BYTES: u64 = 256 << 20;

/// The options for a list of names.
#[derive(clap::Args, Clone, Debug)]
#[group(skip)]
pub(crate) struct NamesArgs {
    /// Also read the files that FILE names, one per line; `-` reads the list from standard input
    ///
    /// With --null, a NUL ends each name, so that a name may contain any other byte. `-x` and `-` in the list are names of
    /// files. If the list is empty, the command reads nothing.
    #[arg(long, value_name = "FILE", help_heading = "Names")]
    files_from: Option<PathBuf>,
    /// End names with a NUL: in the list of --files-from, and in the output of `check -l`
    #[arg(short = '0', long, help_heading = "Names")]
    pub(crate) null: bool,
}

impl NamesArgs {
    /// Returns all names, those on the command line first; standard input if there are no names and no list.
    /// `writes`: the command also writes names.
    ///
    /// # Errors
    /// If the list cannot be read, or contains something that is not a name.
    pub(crate) fn all(&self, named: &[PathBuf], writes: bool) -> Result<Vec<PathBuf>, Refused> {
        let Some(list) = &self.files_from else {
            if self.null && !writes {
                return Err(Refused::new("-0 needs --files-from or -l: without them there are no names"));
            }
            return Ok(if named.is_empty() { vec!["-".into()] } else { named.to_vec() });
        };
        if streams::is_stdin(list) && named.iter().any(|path| streams::is_stdin(path)) {
            return Err(Refused::new(
                "standard input holds the list of names, so it cannot be one of the files",
            ));
        }
        let bytes = read(list).map_err(|e| Refused::new(input::trouble(list, &e)))?;
        let mut all = named.to_vec();
        for (i, name) in self.split(&bytes).enumerate() {
            let why = match path(name) {
                Some(path) => {
                    all.push(path);
                    continue;
                }
                None if name.is_empty() => "is empty",
                None if name.contains(&0) => "contains a NUL (-0 reads a list whose names end with a NUL)",
                None => "is not UTF-8",
            };
            let unit = if self.null { "name" } else { "line" };
            return Err(Refused::new(format!("{}: {unit} {}: the name {why}", input::name_of(list), i + 1)));
        }
        Ok(all)
    }

    /// Returns `true` if there is a list.
    pub(crate) const fn is_list(&self) -> bool {
        self.files_from.is_some()
    }

    /// Returns the names in a list.
    fn split<'a>(&self, list: &'a [u8]) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let end = if self.null { 0 } else { b'\n' };
        // The terminator of the last name does not begin another name.
        let list = list.strip_suffix(&[end]).map_or((!list.is_empty()).then_some(list), Some);
        let is_line = !self.null;
        let names = list.into_iter().flat_map(move |list| list.split(move |&byte| byte == end));
        names.map(move |name| match name.strip_suffix(b"\r") {
            Some(name) if is_line && cfg!(windows) => name,
            _ => name,
        })
    }
}

/// Reads a list. The user named it, so it may be a pipe, whose writer is waited for; a device that never ends is refused.
fn read(list: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input::open(list)?.file.take(MAX_LIST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_LIST_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok(bytes)
}

/// Returns the path of a name in a list.
fn path(name: &[u8]) -> Option<PathBuf> {
    if name.is_empty() || name.contains(&0) {
        return None;
    }
    // It is a file, and not standard input.
    if name == b"-" {
        return Some("./-".into());
    }
    os_string(name).map(Into::into)
}

/// Returns a name or a path of these bytes, if the system has such names.
#[cfg(unix)]
pub(crate) fn os_string(name: &[u8]) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(name.to_vec()))
}
#[cfg(not(unix))]
pub(crate) fn os_string(name: &[u8]) -> Option<OsString> {
    str::from_utf8(name).ok().map(Into::into)
}

/// Returns a name for a list, with a NUL at its end; escaped if it goes to a terminal.
pub(crate) fn with_nul(path: &Path) -> Vec<u8> {
    let escaped = streams::is_stdin(path) || io::stdout().is_terminal();
    let name = if escaped { input::name_of(path).to_string().into() } else { path.as_os_str().to_owned() };
    let mut bytes = name.into_encoded_bytes();
    bytes.push(0);
    bytes
}
