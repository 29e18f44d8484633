//! `placemat check DIRECTORY` ends with a line of what it skipped, and why.

use crate::check_hidden::git;
use crate::run::{Directory, placemat};
use serde_json::{Value, json};
use std::fs;

/// Formats, each with the start of a file in it.
const FORMATS: [(&str, &[u8]); 12] = [
    ("PNG", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
    ("GIF", b"GIF89a\x01\0\x01\0"),
    ("JPEG", b"\xFF\xD8\xFF\xE0\0\x10JFIF\0"),
    ("ZIP", b"PK\x03\x04\x14\0\0\0"),
    ("gzip", b"\x1F\x8B\x08\x08\x12\x34\x56\x78"),
    ("xz", b"\xFD7zXZ\0\0\x04"),
    ("ELF", b"\x7FELF\x02\x01\x01\0"),
    ("PDF", b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n\x02"),
    ("gettext MO", b"\xDE\x12\x04\x95\0\0\0\0"),
    ("WOFF2", b"wOF2\0\x01\0\0"),
    ("Python bytecode", b"\xA7\r\r\n\0\0\0\0"),
    ("SQLite", b"SQLite format 3\0"),
];

fn tree() -> Directory {
    let d = Directory::new();
    for folder in ["t/sub/.hidden", "t/target/deep", "t/.git"] {
        fs::create_dir_all(d.path(folder)).unwrap();
    }
    for (i, (_, head)) in FORMATS.iter().enumerate() {
        // One more of each than of the one before.
        for j in 0..=i {
            d.write(format!("t/{i}-{j}"), [head, &b"some words. ".repeat(40)[..]].concat());
        }
    }
    let noise: Vec<u8> = (0..8192_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    d.write("t/text", "fine\n");
    d.write("t/nul", "fine \0 fine\n");
    d.write("t/sub/noise", noise);
    d.write("t/sub/.hidden/a", "a\n");
    d.write("t/.env", "a\n");
    d.write("t/.gitignore", "target/\n*.log\n");
    d.write("t/a.log", "a\n");
    d.write("t/target/a", "a\n");
    d.write("t/target/deep/b", "a\n");
    d
}

/// The line that counts what is in [`tree`].
fn words() -> String {
    let formats = FORMATS.iter().enumerate().rev().map(|(i, (name, _))| format!("{} {name}", i + 1));
    let formats: Vec<_> = formats.collect();
    let total = 12 * 13 / 2 + 2;
    format!(
        "skipped {total} binary files ({}, 2 with a NUL in the first 8 KiB), 3 hidden entries, 2 ignored entries",
        formats.join(", ")
    )
}

#[test]
fn a_directory_ends_with_what_was_skipped_and_why() {
    let d = tree();
    let advice = "; -v names them, -a checks binary files, --hidden and --no-ignore check the rest\n";
    let said = format!("placemat: {}{advice}", words());
    for args in ["check t", "check t -j1", "check t -j4", "check t/ --format jsonl"] {
        placemat(args).within(&d).run().ends(0).wrote("").says(&said);
    }
    // Standard output has it where it sums up, and then nothing repeats it.
    let sum = format!("1 file checked, no findings; {}\n", words());
    placemat("check --summary t").within(&d).run().writes(&sum);
    d.write("t/text", b"\xFF");
    d.write("t/text2", b"\xFF");
    let ran = placemat("check t").within(&d).run();
    let out = String::from_utf8(ran.stdout.clone()).unwrap();
    let sum = format!("\n2 files checked, 2 findings in 2 of them; {}\n", words());
    assert!(out.ends_with(&sum), "{out}");
    ran.ends(1).says("");
    // Nobody asks for it with -q, nor with names alone.
    placemat("check -q t").within(&d).run().ends(1).wrote("").says("");
    placemat("check -l t").within(&d).run().ends(1).wrote("t/text\nt/text2\n").says("");
    // Options that read the rest leave nothing to say, and a glob is the user's own choice.
    let ran = placemat("check --hidden --no-ignore -a t -g *.log -g .env -g text").within(&d).run();
    ran.ends(1).says("");
    let ran = placemat("check t -g text").within(&d).run();
    ran.ends(1).says(
        "placemat: skipped 1 hidden entry, 1 ignored entry; -v names them, --hidden and --no-ignore check them\n",
    );
}

#[test]
fn programs_get_the_same_facts() {
    let d = tree();
    let mut want: Vec<Value> = FORMATS
        .iter()
        .enumerate()
        .map(|(i, (name, _))| json!({"reason": "binary", "format": name, "count": i + 1}))
        .collect();
    for (reason, count) in [("nul", 2), ("hidden", 3), ("ignored", 2)] {
        want.push(json!({"reason": reason, "count": count}));
    }
    let sorted = |mut all: Vec<Value>| {
        all.sort_by_key(ToString::to_string);
        all
    };
    let want = sorted(want);
    let facts = |value: &Value| sorted(value.as_array().unwrap().clone());
    let lines = placemat("check --format jsonl --summary t").within(&d).run();
    let line: Value = serde_json::from_slice(&lines.stdout).unwrap();
    assert_eq!(facts(&line["summary"]["skipped"]), want);
    let sarif = placemat("check --format sarif t").within(&d).run();
    let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
    assert_eq!(facts(&sarif["runs"][0]["properties"]["skipped"]), want);
    let notes = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
    assert_eq!(notes[0]["level"], "note");
    assert!(notes[0]["message"]["text"].as_str().unwrap().starts_with(&words()), "{notes}");
    let sarif = placemat("check --format sarif --summary t").within(&d).run();
    let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
    assert_eq!(facts(&sarif["runs"][0]["properties"]["summary"]["skipped"]), want);
}

#[test]
fn verbose_names_each_with_its_reason() {
    let d = tree();
    d.write("t/es\x1Bcape.log", "a\n");
    placemat("check -v t").within(&d).run().ends(0).mentions(&[
        "t/0-0: skipped as binary: it begins as PNG does (-a checks it)\n",
        "t/8-3: skipped as binary: it begins as gettext MO does (-a checks it)\n",
        "t/nul: skipped as binary: NUL at byte 5 (-a checks it)\n",
        "t/sub/noise: skipped as binary: NUL at byte ",
        "t/.env: skipped: hidden (--hidden checks it)\n",
        "t/sub/.hidden: skipped: hidden (--hidden checks it)\n",
        "t/a.log: skipped: ignored by .gitignore or the like (--no-ignore checks it)\n",
        "t/target: skipped: ignored by .gitignore or the like (--no-ignore checks it)\n",
        "t/es\\x1bcape.log: skipped: ignored",
    ]);
    placemat("check -v -f auto t/ -g 0-0").within(&d).run().ends(0).mentions(&[
        "t/0-0: skipped as binary: it begins as PNG does (-a checks it)\n",
        "placemat: skipped 1 binary file (1 PNG), ",
    ]);
}

/// A lint that is asked for by name reads a file with a NUL that is text otherwise.
#[test]
fn lints_read_text_with_a_nul() {
    let d = tree();
    for lint in ["controls", "security", "all"] {
        let ran = placemat("check -l t --lint").arg(lint).within(&d).run();
        ran.ends(1).wrote("t/nul\n").mentions(&["1 with a NUL in the first 8 KiB"]);
    }
}

/// Git tracks files that are hidden or ignored: these are read, and so the entries were not skipped.
#[test]
fn what_git_tracks_is_not_skipped() {
    let d = tree();
    fs::remove_dir(d.path("t/.git")).unwrap();
    git(&d.path("t"), &["init", "-q"]);
    git(&d.path("t"), &["add", "-f", ".env", "a.log", "sub/.hidden/a", "target/deep/b", "text"]);
    d.write("t/b.log", "a\n");
    let ran = placemat("check t").within(&d).run();
    ran.ends(0).mentions(&["in the first 8 KiB), 1 hidden entry, 1 ignored entry; -v"]);
    placemat("check t -v").within(&d).run().ends(0).mentions(&[
        "t/.gitignore: skipped: hidden (--hidden checks it)\n",
        "t/b.log: skipped: ignored by .gitignore or the like (--no-ignore checks it)\n",
    ]);
}

#[cfg(unix)]
#[test]
fn links_and_special_files_are_counted() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    d.write("t/a", "a\n");
    for name in ["b", "c"] {
        std::os::unix::fs::symlink("a", d.path(format!("t/{name}"))).unwrap();
    }
    let made = std::process::Command::new("mkfifo").arg(d.path("t/fifo")).status().unwrap();
    assert!(made.success());
    let ran = placemat("check t").within(&d).run();
    ran.ends(0).wrote("").says("placemat: skipped 2 links, 1 special file; -v names them, -L checks them\n");
    let ran = placemat("check -L t").within(&d).run();
    ran.ends(0).wrote("").says("placemat: skipped 1 special file; -v names them\n");
    placemat("check -v t").within(&d).run().ends(0).mentions(&[
        "t/b: skipped: a symbolic link (-L checks it)\n",
        "t/fifo: skipped: neither a file nor a directory\n",
    ]);
}
