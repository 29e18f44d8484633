//! `docs/guide.md`: what it shows is what happens.
//!
//! With `PLACEMAT_RECORD` set, what happens is written into it instead.

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

#[test]
fn every_command_of_the_guide() {
    let (Some(guide), Some(examples)) = (in_repository("docs/guide.md"), in_repository("examples")) else {
        return;
    };
    let d = Directory::new();
    for file in fs::read_dir(examples).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), d.path(file.file_name())).unwrap();
    }
    let text = fs::read_to_string(&guide).unwrap();
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
    assert!(commands > 40, "{commands}");
    if std::env::var_os("PLACEMAT_RECORD").is_some() {
        fs::write(guide, found).unwrap();
        return;
    }
    for (line, (want, have)) in text.lines().zip(found.lines()).enumerate() {
        assert_eq!(have, want, "docs/guide.md, line {}", line + 1);
    }
    assert_eq!(found.len(), text.len());
}
