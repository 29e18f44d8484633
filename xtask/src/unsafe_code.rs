//! Counts the `unsafe` of each file, and says why the file may have it.
//!
//! `xtask/unsafe.txt` is the record. A file that is not in it may have none, and a count may not rise unnoticed.

use crate::tokens::tokens;
use std::fs;
use std::path::Path;
use std::process::Command;

const RECORD: &str = "xtask/unsafe.txt";

/// The reason where the compiler's lint against `unsafe` has none: in an attribute of a macro, and in folders whose code is a
/// foreign interface.
const EXPLAINED: &[(&str, &str)] = &[
    ("crates/placemat-cli/src/streams.rs", "a function that runs before `main`"),
    ("bindings/c/", "the interface of C"),
    ("bindings/python/", "the interface of CPython"),
    ("bindings/web/", "the memory that JavaScript shares"),
    ("bench/", "calls of peers written in C, and of kernels"),
];

/// Compares the counts with the record, or writes it.
pub(crate) fn run(update: bool) -> Result<(), String> {
    let found = record()?;
    if update {
        return fs::write(RECORD, found).map_err(|e| format!("{RECORD}: {e}"));
    }
    print!("{found}");
    let recorded = fs::read_to_string(RECORD).map_err(|e| format!("{RECORD}: {e}"))?;
    let differences = differences(&recorded, &found);
    if differences.is_empty() {
        return Ok(());
    }
    Err(format!("{differences}`cargo xtask unsafe --update` writes {RECORD}, for a change that was meant"))
}

/// Returns a line for each file that has `unsafe`: its name, the number, and the reason; and the sum.
fn record() -> Result<String, String> {
    let output =
        Command::new("git").args(["ls-files", "-z", "*.rs"]).output().map_err(|e| format!("git: {e}"))?;
    let files = String::from_utf8(output.stdout).map_err(|e| format!("git ls-files: {e}"))?;
    let (mut lines, mut sum) = (String::new(), 0);
    for file in files.split_terminator('\0').filter(|file| Path::new(file).is_file()) {
        let source = fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let count = count(&source);
        if count > 0 {
            let reason = reason(file).ok_or_else(|| format!("{file} has `unsafe`, and no reason for it"))?;
            lines += &format!("{file} {count}: {reason}\n");
            sum += count;
        }
    }
    Ok(format!("{lines}all {sum}\n"))
}

/// Counts blocks, functions, implementations and attributes that are unsafe, not the names of lints.
fn count(source: &str) -> usize {
    tokens(source).iter().filter(|token| *token == "unsafe").count()
}

/// Returns the reason that the file gives to the compiler, or the nearest module around it.
fn reason(file: &str) -> Option<String> {
    let mut path = Path::new(file).to_owned();
    loop {
        if let Ok(source) = fs::read_to_string(&path)
            && let Some(at) = source.find("unsafe_code, reason = \"")
        {
            let text = source[at..].split('"').nth(1)?;
            return Some(text.to_owned());
        }
        // The module around `a/b.rs` is in `a.rs`, or in the root of the crate.
        let folder = path.parent()?;
        if folder.ends_with("src") || folder.ends_with("tests") || folder.as_os_str().is_empty() {
            let (_, reason) = EXPLAINED.iter().find(|(start, _)| file.starts_with(start))?;
            return Some((*reason).to_owned());
        }
        path = match folder.join("main.rs") {
            main if main.is_file() && main != path => main,
            _ => folder.with_extension("rs"),
        };
    }
}

/// Describes the lines that only one of the two has.
fn differences(recorded: &str, found: &str) -> String {
    let lines = |text: &str, other: &str, mark: char| -> String {
        let only = text.lines().filter(|line| !other.lines().any(|same| same == *line));
        only.map(|line| format!("{mark} {line}\n")).collect()
    };
    lines(recorded, found, '-') + &lines(found, recorded, '+')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_counted() {
        let source = "// unsafe\n#![deny(unsafe_code)] unsafe fn f() { g(\"unsafe\"); unsafe { h() } }";
        assert_eq!(count(source), 2);
    }

    #[test]
    fn a_line_that_changes_is_told() {
        assert_eq!(differences("a 1: x\nb 2: y\n", "a 1: x\nb 3: y\n"), "- b 2: y\n+ b 3: y\n");
        assert_eq!(differences("a 1: x\n", "a 1: x\n"), "");
    }
}
