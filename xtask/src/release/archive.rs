//! Archives whose bytes depend only on their files, not on the machine, the user or the time.

use std::path::Path;
use std::process::Command;

use super::place::{Place, run};

/// Packs the content of a folder, with the named entry on top, into a `.tar.gz`.
pub(super) fn pack(place: &Place, folder: &Path, entry: &str, to: &Path) -> Result<(), String> {
    let tar = to.with_extension("");
    run(Command::new("tar")
        .args(["--create", "--format=gnu", "--sort=name", "--owner=0", "--group=0", "--numeric-owner"])
        .arg("--mode=go=rX,u+rw,a-s")
        .arg(format!("--mtime=@{}", place.epoch))
        .arg("--file")
        .arg(&tar)
        .arg("--directory")
        .arg(folder)
        .arg(entry))?;
    run(Command::new("gzip").args(["-9", "--no-name", "--force"]).arg(&tar))?;
    // `gzip` appends `.gz`.
    let packed = tar.with_extension(format!("{}.gz", tar.extension().unwrap_or_default().to_string_lossy()));
    if packed != to {
        std::fs::rename(&packed, to).map_err(|e| format!("{}: {e}", to.display()))?;
    }
    Ok(())
}

/// Unpacks an archive into a folder.
pub(super) fn unpack(archive: &Path, folder: &Path) -> Result<(), String> {
    run(Command::new("tar").arg("--extract").arg("--file").arg(archive).arg("--directory").arg(folder))
}
