//! `check`: which files it reads, what it reports about them, and its exit status.

use crate::run::{Directory, placemat, utf16le};
use serde_json::Value;
use std::fs::{self, File};
use std::process::Stdio;

const ILL: &[u8] = b"caf\xE9\n";

fn text(stdout: &[u8]) -> &str {
    core::str::from_utf8(stdout).unwrap()
}

/// Makes a tree in which every file has one ill-formed sequence.
fn tree() -> Directory {
    let d = Directory::new();
    for directory in ["tree/b", "tree/.hidden", "tree/.git"] {
        fs::create_dir_all(d.path(directory)).unwrap();
    }
    for name in ["a.txt", "b/x.c", "b/y.txt", "b.txt", ".hidden/h.txt", ".dot", "ignored.log", "c.skip"] {
        d.write(format!("tree/{name}"), ILL);
    }
    d.write("tree/.gitignore", "*.log\n");
    d.write("tree/.ignore", "*.skip\n");
    d
}

#[track_caller]
fn lists(d: &Directory, args: &str, names: &[&str]) {
    let ran = placemat("check -l").within(d);
    let ran = args.split_whitespace().fold(ran, crate::run::Run::arg).run();
    let want: String = names.iter().map(|name| format!("{name}\n")).collect();
    assert_eq!((text(&ran.stdout), ran.stderr.as_str()), (&*want, ""));
    ran.ends(i32::from(!names.is_empty()));
}

#[test]
fn directories_are_walked_by_the_rules_of_ripgrep() {
    let d = tree();
    lists(&d, "tree", &["tree/a.txt", "tree/b/x.c", "tree/b/y.txt", "tree/b.txt"]);
    lists(
        &d,
        "--hidden tree",
        &["tree/.dot", "tree/.hidden/h.txt", "tree/a.txt", "tree/b/x.c", "tree/b/y.txt", "tree/b.txt"],
    );
    lists(
        &d,
        "--no-ignore tree",
        &["tree/a.txt", "tree/b/x.c", "tree/b/y.txt", "tree/b.txt", "tree/c.skip", "tree/ignored.log"],
    );
    lists(&d, "-g *.c tree", &["tree/b/x.c"]);
    lists(&d, "-g !*.txt tree", &["tree/b/x.c"]);
    lists(&d, "-g *.txt -g !b* tree", &["tree/a.txt"]);
    let ran = placemat("check tree -g *.none").within(&d).run();
    ran.ends(0).wrote("").says(
        "placemat: warning: no file was checked: skipped 1 hidden entry; -v names them, --hidden checks them\n",
    );
}

#[test]
fn what_is_named_is_read_whatever_the_rules() {
    let d = tree();
    lists(&d, "tree/ignored.log tree/.dot", &["tree/ignored.log", "tree/.dot"]);
    lists(&d, "-g *.c tree/a.txt", &["tree/a.txt"]);
    d.write("binary", b"\0\xFF");
    lists(&d, "binary", &["binary"]);
    placemat("check -l").reads(b"\0\xFF").run().ends(1).wrote("<stdin>\n");
}

#[test]
fn binary_files_in_directories_are_skipped() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    let mut late = vec![b'a'; 8192];
    late.extend_from_slice(b"\0\xFF");
    d.write("t/early", [&late[..8191], b"\0\xFF"].concat());
    d.write("t/late", &late);
    d.write("t/wide", [&utf16le("ab"), &b"\x00\xDC"[..]].concat());
    lists(&d, "t", &["t/late"]);
    lists(&d, "-a t", &["t/early", "t/late", "t/wide"]);
    // UTF-16 text contains NULs.
    lists(&d, "-f utf-16le t/wide", &["t/wide"]);
    let ran = placemat("check -l -f utf-16le t").within(&d).run();
    assert!(text(&ran.stdout).contains("t/wide"), "{ran:?}");
    placemat("check -v -l t")
        .within(&d)
        .run()
        .mentions(&["t/early: skipped as binary: NUL at byte 8191 (-a checks it)"]);
}

#[cfg(unix)]
#[test]
fn loops_and_special_files_in_directories_do_no_harm() {
    use std::os::unix::fs::symlink;
    let d = tree();
    symlink("..", d.path("tree/b/up")).unwrap();
    symlink("nowhere", d.path("tree/dangling")).unwrap();
    symlink("itself", d.path("tree/itself")).unwrap();
    symlink("tree", d.path("link")).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(d.path("tree/fifo")).status().unwrap();
    assert!(fifo.success());
    lists(&d, "tree", &["tree/a.txt", "tree/b/x.c", "tree/b/y.txt", "tree/b.txt"]);
    // A link on the command line is followed.
    lists(&d, "link -g *.c", &["link/b/x.c"]);
    placemat("check tree/itself").within(&d).run().ends(2).mentions(&["placemat: tree/itself: "]);
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read() {
    let d = Directory::new();
    let fifo = d.path("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let feeder = std::thread::spawn(move || fs::write(fifo, ILL).unwrap());
    placemat("check -l fifo").within(&d).run().ends(1).wrote("fifo\n");
    feeder.join().unwrap();
}

#[test]
fn trouble_with_one_file_does_not_stop_the_others() {
    let d = Directory::new();
    d.write("good", "fine\n");
    d.write("ill", ILL);
    let ran = placemat("check -l missing good ill --summary").within(&d).run();
    ran.ends(2)
        .wrote("ill\n2 files checked, 1 finding in 1 of them, 1 unreadable\n")
        .says("placemat: missing: no such file or directory\n");
    placemat("check good").within(&d).run().writes("");
    placemat("check ill").within(&d).run().ends(1);
    placemat("check -g [ .").within(&d).run().ends(2).wrote("").mentions(&["placemat: "]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_read_is_trouble() {
    // Reading this file fails for every user.
    placemat("check /proc/self/mem").run().ends(2).wrote("").mentions(&["placemat: /proc/self/mem: "]);
}

#[test]
fn quiet_verbose_and_summary() {
    let d = Directory::new();
    d.write("good", "é\n");
    d.write("ill", ILL);
    placemat("check -q good ill missing").within(&d).run().ends(2).wrote("").says("");
    placemat("check -v good").within(&d).run().writes("good: well-formed UTF-8 (3 bytes, 2 code points)\n");
    placemat("check -v -f utf-16")
        .reads("\0a")
        .run()
        .writes("<stdin>: well-formed UTF-16LE (2 bytes, 1 code point)\n");
    placemat("check --summary good").within(&d).run().writes("1 file checked, no findings\n");
    let ran = placemat("check --summary --format jsonl good ill").within(&d).run();
    let last: Value = serde_json::from_str(text(&ran.stdout).lines().last().unwrap()).unwrap();
    let want = serde_json::json!({"summary": {
        "files": 2, "files_with_findings": 1, "findings": 1, "suppressed": 0, "skipped": [], "unreadable": 0, "bytes": 8,
    }});
    assert_eq!(last, want);
}

#[test]
fn findings_can_be_limited() {
    let ills = b"\xFF".repeat(10);
    for (max, want) in [("0", 10), ("1", 1), ("3", 3), ("99", 10)] {
        let ran = placemat("check --max").arg(max).reads(&*ills).run();
        assert_eq!(text(&ran.stdout).lines().count(), want);
        ran.ends(1);
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_are_escaped() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let d = Directory::new();
    let name = OsStr::from_bytes(b"a\nb\x1B[31m\xE2\x80\xAE\xFF");
    d.write(name, ILL);
    let ran = placemat("check").arg(name).within(&d).run();
    assert!(text(&ran.stdout).starts_with(r"a\x0ab\x1b[31m\u{202e}\xff:1:4: lead byte 0xe9"), "{ran:?}");
    let ran = placemat("check --format jsonl").arg(name).within(&d).run();
    let finding: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(finding["path"], "a\nb\x1B[31m\u{202E}\u{FFFD}");
    assert_eq!(finding["path_bytes"], "610a621b5b33316de280aeff");
    let ran = placemat("check --format jsonl -l").arg(name).within(&d).run();
    let line: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(line["path_bytes"], "610a621b5b33316de280aeff");
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_taken_quietly() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ran = placemat("check").reads(b"\xFF".repeat(100_000)).run_to(Stdio::from(writer));
    ran.says("");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let ran = placemat("check").reads(ILL).run_to(Stdio::from(full));
    ran.ends(2).says("placemat: <stdout>: no space left on device\n");
}
