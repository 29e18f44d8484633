//! The directories of the server, and the paths in them.
//!
//! A path is first judged by its text, then resolved, and must then still lead into one of the directories. What is opened in
//! the end is found from the open directory down, part by part and through no symbolic link: if anybody changes the tree
//! meanwhile, opening fails.

use crate::replace::{Directory, Place};
use crate::shown::{Name, escaped, reason};
use crate::walk::Found;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

/// The largest file that the server reads.
pub(super) const MAX_FILE_BYTES: u64 = 16 << 20;

/// The directories that the server may use.
#[derive(Debug)]
pub(super) struct Roots(Vec<Root>);

#[derive(Debug)]
struct Root {
    /// The absolute path as it was given, and the path without symbolic links.
    given: PathBuf,
    path: PathBuf,
    directory: Directory,
}

impl Roots {
    /// Opens the directories.
    ///
    /// # Errors
    /// A message, if one is no directory.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Self, String> {
        let root = |path: &PathBuf| {
            let name = Name::new(path);
            let said = |e: io::Error| format!("{name}: {}", reason(&e));
            let given = std::path::absolute(path).map_err(said)?;
            let path = fs::canonicalize(path).map_err(said)?;
            if !path.is_dir() {
                return Err(format!("{name}: is not a directory"));
            }
            let directory = Directory::open(&path).map_err(said)?;
            Ok(Root { given, path, directory })
        };
        paths.iter().map(root).collect::<Result<_, _>>().map(Self)
    }

    /// Returns the directories as text.
    pub(super) fn listed(&self) -> String {
        let names: Vec<_> = self.0.iter().map(|root| Name::new(&root.path).to_string()).collect();
        names.join(", ")
    }

    /// Returns the file that a path leads to, which need not exist yet.
    ///
    /// # Errors
    /// Why it is refused, and what to do.
    pub(super) fn find(&self, path: &str) -> Result<Found, String> {
        let shown = escaped(path.as_ref());
        let outside =
            || format!("{shown}: is outside of the directories that this server may use ({})", self.listed());
        let said = |e: io::Error| format!("{shown}: {}", reason(&e));
        if path.is_empty() || path.contains('\0') {
            return Err("the path is empty or has a NUL: give the path of a file".into());
        }
        let path = Path::new(path);
        if path.components().any(|part| part == Component::ParentDir) {
            return Err(format!(
                "{shown}: has a part `..`, which this server refuses: name the file without it"
            ));
        }
        let absolute = match self.0.first() {
            Some(first) if path.is_relative() => first.path.join(path),
            _ => path.to_path_buf(),
        };
        // Nothing outside is looked at.
        let is_inside = |root: &Root| absolute.starts_with(&root.path) || absolute.starts_with(&root.given);
        if !self.0.iter().any(is_inside) {
            return Err(outside());
        }
        let truly = match fs::canonicalize(&absolute) {
            Ok(truly) => truly,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                let (Some(parent), Some(name)) = (absolute.parent(), absolute.file_name()) else {
                    return Err(said(e));
                };
                if fs::symlink_metadata(&absolute).is_ok() {
                    return Err(format!("{shown}: is a symbolic link to nothing"));
                }
                fs::canonicalize(parent).map_err(said)?.join(name)
            }
            Err(e) => return Err(said(e)),
        };
        // The innermost directory, if one contains another.
        let roots = self.0.iter().filter(|root| truly.starts_with(&root.path));
        let Some(root) = roots.max_by_key(|root| root.path.as_os_str().len()) else {
            return Err(outside());
        };
        let depth = truly.strip_prefix(&root.path).map_or(0, |below| below.components().count());
        if depth == 0 {
            return Err(format!("{shown}: is a directory: give the path of a file in it"));
        }
        Ok(Found { path: truly, named: true, depth, root: Some(root.directory.clone()) })
    }
}

/// Opens a file for reading: a regular file, which is not too long.
///
/// # Errors
/// Why it is refused, and what to do.
pub(super) fn open(found: &Found) -> Result<File, String> {
    let name = Name::new(&found.path);
    let said = |e: io::Error| format!("{name}: {}", reason(&e));
    let file = place(found).and_then(|place| place.open()).map_err(said)?;
    let metadata = file.metadata().map_err(said)?;
    if metadata.is_dir() {
        return Err(format!("{name}: is a directory: give the path of a file in it"));
    }
    if !metadata.is_file() {
        return Err(format!("{name}: is not a regular file"));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(format!(
            "{name}: has {} bytes, more than the {MAX_FILE_BYTES} that this server reads",
            metadata.len()
        ));
    }
    Ok(file)
}

/// Returns the place of a file, from the open directory down.
pub(super) fn place(found: &Found) -> io::Result<Place> {
    Place::found(&found.path, found.depth, found.root.as_ref())
}

/// Returns `true` if there is no file of that name.
pub(super) fn is_missing(found: &Found) -> bool {
    let opened = place(found).and_then(|place| place.open());
    opened.is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
}
