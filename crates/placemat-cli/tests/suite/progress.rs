//! The progress line appears on terminals, after a second, and disappears at the end.

#![cfg(target_os = "linux")]

use crate::run::Directory;
use core::time::Duration;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::Command;

/// Returns the terminal output of a command that reads a FIFO for `time`.
fn on_a_terminal(d: &Directory, command: &str, time: Duration) -> Option<String> {
    let fifo = d.path("fifo");
    if !fifo.exists() {
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    }
    let command = command.replace("placemat", env!("CARGO_BIN_EXE_placemat"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).current_dir(d.path("")).env_remove("NO_COLOR");
    let Ok(child) = script.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped()).spawn()
    else {
        println!("skipped: no `script` here, which makes a terminal");
        return None;
    };
    let mut writer = OpenOptions::new().write(true).open(fifo).unwrap();
    writer.write_all(b"text\xFF\n").unwrap();
    std::thread::sleep(time);
    drop(writer);
    Some(String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap())
}

#[test]
fn it_is_told_when_it_takes_long() {
    let d = Directory::new();
    let long = Duration::from_millis(2500);
    for command in ["placemat count fifo", "placemat check fifo", "placemat convert -e replace fifo -o out"] {
        let Some(sent) = on_a_terminal(&d, command, long) else { return };
        let lines: Vec<_> = sent.split("\r\x1B[K").collect();
        assert!(lines.len() > 2, "{sent:?}");
        assert!(lines[1].starts_with("6 bytes, "), "{sent:?}");
        assert!(lines[1].ends_with(" bytes/s"), "{sent:?}");
        // Only the final message follows the last progress line.
        assert!(!lines[lines.len() - 1].contains("bytes/s"), "{sent:?}");
    }
    // No progress line appears for a quick command, with `-q`, or if the text goes to the terminal.
    for (command, time) in [
        ("placemat count fifo", Duration::from_millis(100)),
        ("placemat convert -q -e replace fifo -o out", long),
        ("placemat convert -e replace fifo", long),
    ] {
        let Some(sent) = on_a_terminal(&d, command, time) else { return };
        assert!(!sent.contains("\x1B[K") && !sent.contains("/s"), "{sent:?}");
    }
}
