//! The commands in the book `docs/` do what the pages show.
//!
//! With `PLACEMAT_RECORD` set, the test writes the output into the pages instead.

#![cfg(unix)]

use crate::run::{Directory, in_repository};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs a shell command as in a terminal, with `input` as standard input, and returns everything
/// that a user sees.
fn seen(command: &str, input: &[u8], d: &Directory) -> String {
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
    let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // A command that does not read its input may have ended by now.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
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

/// Returns the input of a live example: `bytes C3 A9`, or `text é` with escapes such as `\n` and `\u{301}`.
fn input(line: &str) -> Option<Vec<u8>> {
    if let Some(bytes) = line.strip_prefix("bytes ") {
        return Some(bytes.split_whitespace().map(|b| u8::from_str_radix(b, 16).unwrap()).collect());
    }
    let text = line.strip_prefix("text ")?.trim_end_matches('\n');
    let (mut result, mut rest) = (String::new(), text);
    while let Some((before, escape)) = rest.split_once('\\') {
        result += before;
        if let Some((digits, after)) = escape.strip_prefix("u{").and_then(|e| e.split_once('}')) {
            result.push(char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap());
            rest = after;
        } else {
            result.push(match &escape[..1] {
                "n" => '\n',
                "r" => '\r',
                "t" => '\t',
                other => panic!("unknown escape \\{other}"),
            });
            rest = &escape[1..];
        }
    }
    Some((result + rest).into_bytes())
}

/// Runs the commands of a page, and returns the page with their output, and the number of commands.
///
/// `console` blocks have commands with `$ ` before them. `live` blocks have an input and one command that reads it.
fn with_results(text: &str, d: &Directory) -> (String, usize) {
    let mut found = String::new();
    let (mut inside, mut live, mut commands) = (false, false, 0);
    let mut stdin = Vec::new();
    for line in text.split_inclusive('\n') {
        let fence = line.starts_with("```");
        if fence {
            inside = !inside && (line.starts_with("```console") || line.starts_with("```live"));
            live = inside && line.starts_with("```live");
            stdin = Vec::new();
        }
        let command = line.strip_prefix("$ ").filter(|_| inside);
        let given = if live && !fence && stdin.is_empty() { input(line) } else { None };
        if fence || !inside || command.is_some() || given.is_some() {
            found += line;
        }
        if let Some(given) = given {
            stdin = given;
        }
        if let Some(command) = command {
            found += &seen(command.trim_end(), &stdin, d);
            commands += 1;
        }
    }
    (found, commands)
}

/// Collects the pages below a folder.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// Runs all commands in the pages of one folder of the book, at least `least`. A name is that of a
/// page, or of a folder if it ends in a slash.
fn every_command(name: &str, least: usize) {
    let (Some(docs), Some(examples)) = (in_repository("docs"), in_repository("examples")) else {
        return;
    };
    let mut found = Vec::new();
    pages(&docs, &mut found);
    found.sort();
    let mut commands = 0;
    for path in found {
        let page = path.strip_prefix(&docs).unwrap().to_str().unwrap();
        // A separate program runs the guide for C, since its commands build and install libraries.
        if !page.starts_with(name) || page == "guides/c.md" {
            continue;
        }
        let d = Directory::new();
        for file in fs::read_dir(&examples).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), d.path(file.file_name())).unwrap();
        }
        let text = fs::read_to_string(&path).unwrap();
        let (result, run) = with_results(&text, &d);
        commands += run;
        if std::env::var_os("PLACEMAT_RECORD").is_some() {
            if result != text {
                fs::write(path, result).unwrap();
            }
            continue;
        }
        for (line, (want, have)) in text.lines().zip(result.lines()).enumerate() {
            assert_eq!(have, want, "docs/{page}, line {}", line + 1);
        }
        assert_eq!(result.len(), text.len(), "docs/{page}");
    }
    assert!(commands >= least, "{name}: {commands}");
}

#[test]
fn every_command_of_the_recipes() {
    every_command("how/", 60);
}

#[test]
fn every_command_of_the_guides() {
    every_command("guides/", 41);
}

#[test]
fn every_command_about_detection_and_repair() {
    every_command("explained/", 16);
}

#[test]
fn every_command_about_utf8() {
    every_command("utf-8/", 120);
}

/// The page about UTF-8 covers 80 facts from the literature. A comment such as
/// `<!-- rows 16, 17 -->` lists the facts that an example shows; after a colon, it names a test in
/// another part of the repository.
#[test]
fn every_row_about_utf8_has_an_example() {
    let Some(folder) = in_repository("docs/utf-8") else { return };
    let mut found = Vec::new();
    pages(&folder, &mut found);
    let mut rows = Vec::new();
    for page in found {
        let text = fs::read_to_string(&page).unwrap();
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
            }
        }
        assert_eq!(waiting, None, "{}", page.display());
    }
    rows.sort_unstable();
    assert!(rows.iter().copied().eq(1..=80), "{rows:?}");
}
