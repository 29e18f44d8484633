//! The tables of the multi-byte encodings. `multi_byte.py` makes them and names their sources.

use std::path::Path;
use std::process::Command;

const TABLES: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/placemat-charsets/src/multi_byte/tables");
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/multi_byte.py");

/// Makes the tables; with `check`, makes them in a temporary folder and compares.
pub(crate) fn run(check: bool) -> Result<(), String> {
    let elsewhere = std::env::temp_dir().join(format!("placemat-tables-{}", std::process::id()));
    let folder = if check { &elsewhere } else { Path::new(TABLES) };
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let made = Command::new("python3").arg(SCRIPT).arg(folder).status();
    let compared = match made {
        Ok(status) if !status.success() => Err(format!("{SCRIPT}: {status}")),
        Err(e) => Err(format!("python3: {e}")),
        Ok(_) if check => compare(folder),
        Ok(_) => Ok(()),
    };
    if check {
        let _ = std::fs::remove_dir_all(&elsewhere);
    }
    compared
}

fn compare(made: &Path) -> Result<(), String> {
    let read = |path: &Path| std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
    for entry in std::fs::read_dir(made).map_err(|e| e.to_string())? {
        let entry = entry.map_err(|e| e.to_string())?;
        let known = Path::new(TABLES).join(entry.file_name());
        if read(&entry.path())? != read(&known)? {
            return Err(format!("{} is out of date", known.display()));
        }
    }
    Ok(())
}
