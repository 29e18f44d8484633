//! Compares the globs with the C core through its command `editorconfig`, if it is installed.

use super::Glob;
use core::fmt::Write as _;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The parts of globs.
const PARTS: [&str; 14] = ["a", "b", "/", "*", "**", "?", "[", "]", "!", "-", "{", "}", ",", "\\"];
/// The parts of numbers.
const NUMBERS: [&str; 9] = ["{1..3}", "{-2..12}", "{3..1}", "{+1..9}", "{1..a}", "{", "}", "a", ","];

/// Returns all strings of `len` parts.
fn strings(parts: &[&str], len: usize) -> Vec<String> {
    (0..len).fold(vec![String::new()], |all, _| {
        all.iter().flat_map(|text| parts.iter().map(move |part| format!("{text}{part}"))).collect()
    })
}

/// Returns `true` if a glob has nothing that the two are known to read differently: what is special elsewhere, within
/// brackets; and a backslash before a letter or a bracket, which the C core hands on to PCRE.
fn is_common(glob: &str) -> bool {
    let mut within = false;
    let mut chars = glob.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if within => return false,
            '\\' => match chars.next() {
                Some('[' | ']') | None => return false,
                Some(next) if next.is_ascii_alphanumeric() => return false,
                Some(_) => {}
            },
            '[' if within => return false,
            '[' => {
                within = true;
                // A closing bracket that comes first does not end the set.
                chars.next_if_eq(&'!');
                if chars.next_if_eq(&']').is_some() {
                    return false;
                }
            }
            ']' => within = false,
            '*' | '?' | '{' | '}' | ',' | '/' | '!' if within => return false,
            _ => {}
        }
    }
    !within
}

/// Which of the globs match which of the paths, as the command says.
fn peer(directory: &Path, globs: &[String], paths: &[String]) -> Option<BTreeSet<(usize, usize)>> {
    let mut text = String::from("root = true\n");
    for (i, glob) in globs.iter().enumerate() {
        _ = write!(text, "[{glob}]\nk{i} = 1\n");
    }
    std::fs::write(directory.join(".editorconfig"), text).ok()?;
    let files: Vec<PathBuf> = paths.iter().map(|path| directory.join(path)).collect();
    let ran = Command::new("editorconfig").args(&files).output().ok()?;
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut matching = BTreeSet::new();
    let mut path = 0;
    let text = String::from_utf8_lossy(&ran.stdout);
    let mut headings = files.iter().enumerate().peekable();
    for line in text.lines() {
        if let Some((i, _)) = headings.next_if(|(_, file)| line == format!("[{}]", file.display())) {
            path = i;
        } else if let Some(i) = line.strip_prefix('k').and_then(|line| line.strip_suffix("=1")) {
            matching.insert((i.parse().ok()?, path));
        }
    }
    assert_eq!(headings.next(), None);
    Some(matching)
}

#[test]
fn globs_as_the_c_core_has_them() {
    if Command::new("editorconfig").arg("--version").output().is_err() {
        println!("skipped: the command `editorconfig` is not installed");
        return;
    }
    let longest = if std::env::var_os("PLACEMAT_LONG").is_some() { 4 } else { 2 };
    let mut globs: Vec<String> = (1..=longest)
        .flat_map(|len| strings(&PARTS, len))
        .chain((1..longest).flat_map(|len| strings(&NUMBERS, len)))
        .filter(|glob| is_common(glob))
        .collect();
    globs.extend(
        [
            "x/**/a",
            "**/a/**",
            "a/**/b/**",
            "{a,{b,{a,b}/}}*",
            "[!ab]/*",
            "*.{a,b}",
            "{a,b}/{1..3}",
            "{{a},b}",
            "/**",
            "**/",
            "a/b/",
        ]
        .map(String::from),
    );
    let mut paths: Vec<String> = (1..=3)
        .flat_map(|len| strings(&["a", "b", "/", "{", "}", ",", "]", "-", "1", "*"], len))
        .filter(|path| path.split('/').all(|name| !name.is_empty()) && !path.starts_with('-'))
        .collect();
    paths.extend(
        ["3", "12", "a12", "-2", "-1", "+1", "01", "a/b/a", "a/b/a/b", "x/y/a", "a/1", "!", "a!", "x.a"]
            .map(String::from),
    );
    paths.sort();
    paths.dedup();
    let directory = std::env::temp_dir().join(format!("placemat-globs-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for the test");
    let (mut count, mut wrong) = (0, Vec::new());
    for globs in globs.chunks(2000) {
        let expected = peer(&directory, globs, &paths).expect("the command runs");
        for (i, glob) in globs.iter().enumerate() {
            let ours = Glob::new(glob);
            for (j, path) in paths.iter().enumerate() {
                count += 1;
                let matches = ours.as_ref().is_some_and(|glob| glob.matches(Path::new(path)));
                if matches != expected.contains(&(i, j)) {
                    wrong.push(format!("[{glob}] {path}: {matches}"));
                }
            }
        }
    }
    std::fs::remove_dir_all(&directory).expect("the directory is there");
    println!("{} globs, {count} pairs", globs.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}
