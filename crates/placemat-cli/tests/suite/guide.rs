//! `docs/guide.md`, `docs/detect.md`, `docs/repair.md`, `docs/utf-8.md`: what they show is what happens.
//!
//! With `PLACEMAT_RECORD` set, what happens is written into them instead.

#![cfg(unix)]

use crate::run::{Directory, in_repository};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs a command as in a terminal; all that is seen of it.
fn seen(command: &str, d: &Directory) -> String {
    let programs = Path::new(env!("CARGO_BIN_EXE_placemat")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec 2>&1; {command}")]).env("PATH", path).current_dir(d.path(""));
    for name in ["LANG", "LC_ALL", "LC_CTYPE"] {
        shell.env(name, "C.UTF-8");
    }
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "CLICOLOR"] {
        shell.env_remove(name);
    }
    let output = shell.output().unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match output.status.code() {
        Some(0) => {}
        Some(status) => text += &format!("(exit status {status})\n"),
        None => text += "(killed)\n",
    }
    text
}

/// Runs the commands of a page, at least `least`, and compares all that is seen of them with the page.
fn every_command(page: &str, least: usize) {
    let (Some(path), Some(examples)) = (in_repository(page), in_repository("examples")) else {
        return;
    };
    let d = Directory::new();
    for file in fs::read_dir(examples).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), d.path(file.file_name())).unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    let mut found = String::new();
    let (mut inside, mut commands) = (false, 0);
    for line in text.split_inclusive('\n') {
        let fence = line.starts_with("```");
        if fence {
            inside = !inside && line.starts_with("```console");
        }
        let command = line.strip_prefix("$ ").filter(|_| inside);
        if fence || !inside || command.is_some() {
            found += line;
        }
        if let Some(command) = command {
            found += &seen(command.trim_end(), &d);
            commands += 1;
        }
    }
    assert!(commands >= least, "{page}: {commands}");
    if std::env::var_os("PLACEMAT_RECORD").is_some() {
        fs::write(path, found).unwrap();
        return;
    }
    for (line, (want, have)) in text.lines().zip(found.lines()).enumerate() {
        assert_eq!(have, want, "{page}, line {}", line + 1);
    }
    assert_eq!(found.len(), text.len(), "{page}");
}

#[test]
fn every_command_of_the_guide() {
    every_command("docs/guide.md", 41);
}

#[test]
fn every_command_about_detection() {
    every_command("docs/detect.md", 6);
}

#[test]
fn every_command_about_repair() {
    every_command("docs/repair.md", 10);
}

#[test]
fn every_command_about_utf8() {
    every_command("docs/utf-8.md", 120);
}

/// The page about UTF-8 covers the 80 facts that the literature has. A comment such as `<!-- rows 16, 17 -->` lists
/// those that an example shows; after a colon, it names a test of another part of the repository.
#[test]
fn every_row_about_utf8_has_an_example() {
    let Some(path) = in_repository("docs/utf-8.md") else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut rows = Vec::new();
    let (mut inside, mut waiting) = (false, None);
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("<!-- row") {
            assert_eq!(waiting, None, "no command before: {line}");
            let comment = comment.strip_suffix(" -->").unwrap();
            let (numbers, test) =
                comment.split_once(": ").map_or((comment, None), |(n, test)| (n, Some(test)));
            let numbers =
                numbers.trim_start_matches('s').split(',').map(|n| n.trim().parse::<u32>().unwrap());
            rows.extend(numbers);
            if let Some(test) = test.and_then(in_repository) {
                assert!(test.is_file(), "{line}");
            }
            waiting = Some(line);
        } else if line.starts_with("```") {
            inside = line == "```console" && !inside;
        } else if inside && line.starts_with("$ ") {
            waiting = None;
        } else if line.starts_with("## ") {
            assert_eq!(waiting, None, "no command before: {line}");
        }
    }
    assert_eq!(waiting, None);
    rows.sort_unstable();
    assert!(rows.iter().copied().eq(1..=80), "{rows:?}");
}
