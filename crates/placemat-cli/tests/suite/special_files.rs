//! FIFOs, devices and directories in place of the files that the command looks up beside its
//! inputs.

#![cfg(unix)]

use crate::run::{Directory, placemat};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

fn fifo(d: &Directory, name: &str) {
    assert!(Command::new("mkfifo").arg(d.path(name)).status().unwrap().success());
}

/// The files that the author of a tree can put there.
const IN_A_TREE: &[&str] = &[
    ".gitattributes",
    ".editorconfig",
    ".ignore",
    ".gitignore",
    ".git/info/exclude",
    ".git/info/attributes",
    "sub/.gitignore",
    "sub/.editorconfig",
];

#[test]
fn special_files_in_a_tree_are_left_out_with_one_warning() {
    for name in IN_A_TREE {
        for kind in ["fifo", "device", "directory"] {
            let d = Directory::new();
            for directory in ["t/.git/info", "t/sub"] {
                fs::create_dir_all(d.path(directory)).unwrap();
            }
            for file in ["t/a", "t/b", "t/sub/c"] {
                d.write(file, b"caf\xE9\n");
            }
            let path = format!("t/{name}");
            match kind {
                "fifo" => fifo(&d, &path),
                "device" => symlink("/dev/zero", d.path(&path)).unwrap(),
                _ => fs::create_dir(d.path(&path)).unwrap(),
            }
            let why = if kind == "directory" { "is a directory" } else { "is not a regular file" };
            let warning = format!("placemat: warning: {path}: {why}; ignored\n");
            let ran = placemat("check -l t").within(&d).run();
            ran.ends(1).wrote("t/a\nt/b\nt/sub/c\n").says(&warning);
            placemat("check -q t").within(&d).run().ends(1).says("");
            let ran = placemat("convert -f latin1 -ri t").within(&d).run();
            assert!(ran.status == 0 && ran.stdout.is_empty(), "{ran:?}");
            assert_eq!(d.read("t/sub/c"), "café\n".as_bytes(), "{name}");
        }
    }
}

#[test]
fn special_files_around_a_repository_do_no_harm() {
    let d = Directory::new();
    fs::create_dir_all(d.path("t/elsewhere")).unwrap();
    d.write("t/a", b"caf\xE9\n");
    fifo(&d, "t/elsewhere/commondir");
    fifo(&d, "t/elsewhere/index");
    d.write("t/.git", "gitdir: elsewhere\n");
    placemat("check -l t")
        .within(&d)
        .run()
        .ends(2)
        .wrote("t/a\n")
        .mentions(&["index: is not a regular file"]);
    fs::remove_file(d.path("t/.git")).unwrap();
    fifo(&d, "t/.git");
    placemat("check -l t").within(&d).run().ends(1).wrote("t/a\n").says("");
}

#[test]
fn the_files_of_the_user_are_regular_too() {
    let d = Directory::new();
    fs::create_dir_all(d.path("t/.git")).unwrap();
    d.write("t/a", b"caf\xE9\n");
    fifo(&d, "fifo");
    let fifo = d.path("fifo");
    let fifo = fifo.to_str().unwrap();
    for name in ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"] {
        let ran = placemat("check -l t").within(&d).env(name, fifo).env("HOME", "/nowhere").run();
        ran.ends(1).wrote("t/a\n").mentions(&["fifo: is not a regular file; ignored\n"]);
        let ran = placemat("check -l t").within(&d).env(name, "/dev/null").env("HOME", "/nowhere").run();
        ran.ends(1).wrote("t/a\n").says("");
    }
    d.write("config", format!("[core]\n\texcludesFile = {fifo}\n"));
    let config = d.path("config");
    let ran = placemat("check -l t").within(&d).env("GIT_CONFIG_GLOBAL", config.to_str().unwrap()).run();
    ran.ends(1).wrote("t/a\n").mentions(&["fifo: is not a regular file; ignored\n"]);
    d.write("patterns", "a\n");
    d.write("config", format!("[core]\n\texcludesFile = {}\n", d.path("patterns").display()));
    let ran = placemat("check -l t").within(&d).env("GIT_CONFIG_GLOBAL", config.to_str().unwrap()).run();
    ran.ends(0).wrote("");
}

/// A configuration file that is too large is reported.
#[test]
fn a_configuration_file_has_a_maximum_size() {
    let d = Directory::new();
    d.write("a", b"caf\xE9\n");
    for name in [".gitattributes", ".editorconfig", ".ignore"] {
        d.write(name, "# long\n".repeat(200_000));
        let ran = placemat("check -l .").within(&d).run();
        ran.ends(1).wrote("./a\n").mentions(&[&format!("{name}: file too large; ignored\n")]);
        fs::remove_file(d.path(name)).unwrap();
    }
}

#[test]
fn a_list_of_names_may_be_a_pipe_that_ends() {
    let d = Directory::new();
    d.write("a", b"caf\xE9\n");
    fifo(&d, "list");
    let list = d.path("list");
    let feeder = std::thread::spawn(move || fs::write(list, "a\n").unwrap());
    placemat("check -l --files-from list").within(&d).run().ends(1).wrote("a\n").says("");
    feeder.join().unwrap();
    placemat("check -l --files-from /dev/stdin").within(&d).reads("a\n").run().ends(1).wrote("a\n");
    placemat("check --files-from /dev/zero").run().ends(2).says("placemat: /dev/zero: file too large\n");
    placemat("check --files-from .").run().ends(2).says("placemat: .: is a directory\n");
}

#[test]
fn a_path_that_is_too_long_is_told_once_and_escaped() {
    let d = Directory::new();
    // The whole path is too long for one call, so its halves are made separately.
    let name = format!("\u{1B}{}", "x".repeat(200));
    let half: std::path::PathBuf = [&name; 12].iter().collect();
    for root in ["t", "u"] {
        fs::create_dir_all(d.path(root).join(&half)).unwrap();
    }
    fs::rename(d.path("u"), d.path("t").join(&half).join("u")).unwrap();
    for command in ["check", "check --hidden --no-ignore", "detect", "convert -ri"] {
        let ran = placemat(command).arg("t").within(&d).run();
        ran.ends(2).wrote("").mentions(&["file name too long\n"]);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        assert!(!ran.stderr.contains('\u{1B}'), "{}", ran.stderr);
        assert_eq!(ran.stderr.matches("placemat: t/\\x1b").count(), 1, "{}", ran.stderr);
        assert!(ran.stderr.len() < 5000, "{}", ran.stderr.len());
    }
    let name = "x".repeat(5000);
    placemat("check").arg(&name).run().ends(2).says(&format!("placemat: {name}: file name too long\n"));
}
