//! Compares a list with the functions of the kernels and the vector layer that a release build does
//! not inline, with all kernels, which the library compiles with the feature `precompiled`.
//!
//! The compiler must inline everything between a kernel's shim and an instruction. Otherwise it
//! compiles the function without the features of its level, many times slower, and no other check
//! finds that. So the list has the shims and the cold parts, and a person adds each new one.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const LIST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/symbols.txt");

/// Builds the library in release mode with these features and with that much information about lines, and returns its path.
pub(crate) fn library(features: &str, debug: &str) -> Result<PathBuf, String> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let target = root.join("target/symbols");
    let status = Command::new("cargo")
        .args(["rustc", "--quiet", "--release", "--package", "placemat-core", "--lib"])
        .args(["--features", features])
        .args(["--config", &format!("profile.release.debug={debug:?}")])
        // With LTO, a library has no machine code.
        .args(["--config", "profile.release.lto=false", "--config", "profile.release.strip=false"])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(&root)
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if status.success() {
        Ok(target.join("release/libplacemat_core.rlib"))
    } else {
        Err("the build failed".into())
    }
}

/// Returns the functions of the vector layer and of the kernels in a program or a library, except
/// the portable ones.
fn symbols(program: &Path) -> Result<BTreeSet<String>, String> {
    let output = Command::new("nm")
        .args(["--demangle", "--defined-only", "--format=posix"])
        .arg(program)
        .output()
        .map_err(|e| format!("nm: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let ours = |name: &str| {
        let inside = ["placemat_core::simd::", "placemat_core::kernels::"];
        let plain = [
            "::portable::",
            "::dispatch::plain::",
            "::dispatch::first::",
            "::dispatch::onto::",
            "::dispatch::Kernels::",
        ];
        inside.iter().any(|path| name.contains(path)) && !plain.iter().any(|path| name.contains(path))
    };
    let mut found = BTreeSet::new();
    for line in text.lines() {
        // The columns are NAME TYPE VALUE SIZE, and a name may contain spaces. Only functions
        // count.
        let mut parts = line.rsplitn(4, ' ');
        let (Some(_), Some(_), Some(kind), Some(name)) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        if matches!(kind, "t" | "T") && ours(name) {
            // Drop the hash at the end.
            let name =
                name.rsplit_once("::h").filter(|(_, hash)| hash.len() == 16).map_or(name, |(name, _)| name);
            found.insert(name.to_owned());
        }
    }
    Ok(found)
}

/// Compares, or writes the list.
pub(crate) fn run(update: bool) -> Result<(), String> {
    let found = symbols(&library("single-byte,transliteration,internals,precompiled", "none")?)?;
    if found.is_empty() {
        return Err("no symbols: the program was stripped".into());
    }
    if update {
        let text: String = found.iter().map(|name| format!("{name}\n")).collect();
        return std::fs::write(LIST, text).map_err(|e| format!("{LIST}: {e}"));
    }
    let list = std::fs::read_to_string(LIST).map_err(|e| format!("{LIST}: {e}"))?;
    let listed: BTreeSet<String> = list.lines().map(str::to_owned).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    println!("{} functions, {} new, {} gone", found.len(), new.len(), gone.len());
    new.iter().for_each(|name| println!("new: {name}"));
    gone.iter().for_each(|name| println!("gone: {name}"));
    if new.is_empty() && gone.is_empty() {
        Ok(())
    } else {
        Err("should the new functions not be inlined? if so, `cargo xtask symbols --update` writes the list"
            .into())
    }
}
