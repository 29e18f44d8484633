//! The files of the book.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the files below a folder, in the order of their paths.
pub(super) fn below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(below(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
