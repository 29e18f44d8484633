//! `convert --in-place`: files that are replaced by their conversion, one by one and by
//! directories.

use crate::run::{Directory, placemat};
use std::ffi::OsStr;
use std::fs;

/// The names in a directory, sorted.
fn names(d: &Directory) -> Vec<String> {
    let entries = fs::read_dir(d.path("")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_file_becomes_its_own_output() {
    let d = Directory::new();
    d.write("a", b"caf\xE9\n");
    d.write("b", "plain\n");
    placemat("convert -f latin1 -i a b").within(&d).run().writes("");
    assert_eq!((d.read("a"), d.read("b")), ("café\n".into(), "plain\n".into()));
    placemat("convert -iv -t utf-16 a")
        .within(&d)
        .run()
        .ends(0)
        .says("a: UTF-8 to UTF-16, 6 bytes read, 12 written\n");
    assert_eq!(d.read("a"), b"\xFF\xFEc\0a\0f\0\xE9\0\n\0");
    placemat("convert -i -f utf-16 --eol crlf --bom add a").within(&d).run().writes("");
    assert_eq!(d.read("a"), "\u{FEFF}café\r\n".as_bytes());
    assert_eq!(names(&d), ["a", "b"]);
}

/// The new text equals the old one for a while, is a prefix of it, or continues it.
#[test]
fn wherever_the_texts_part() {
    let d = Directory::new();
    for length in [0, 1, 100, 128 * 1024 - 1, 128 * 1024, 128 * 1024 + 1, 700_000] {
        let start = "x".repeat(length);
        for (old, new) in
            [("é", "é"), ("\r\n", "\n"), ("é\r\né", "é\né"), ("", ""), ("\r\n\u{1F600}", "\n\u{1F600}")]
        {
            d.write("a", format!("{start}{old}"));
            placemat("convert -i --eol lf a").within(&d).run().writes("");
            assert!(d.read("a") == format!("{start}{new}").as_bytes(), "{length} {old:?}");
        }
        d.write("a", &start);
        placemat("convert -i --eol lf -t utf-8-bom a").within(&d).run().writes("");
        assert!(d.read("a") == format!("\u{FEFF}{start}").as_bytes() || length == 0, "{length}");
    }
    assert_eq!(names(&d), ["a"]);
}

#[test]
fn what_is_refused_is_left_as_it_was() {
    let d = Directory::new();
    d.write("good", "a\r\n");
    // The run fails late, after most of the text was written.
    let bad = [&b"a\r\n".repeat(200_000)[..], b"\xFF\n"].concat();
    d.write("bad", &bad);
    d.write("good2", "b\r\n");
    placemat("convert -i --eol lf good bad good2").within(&d).run().ends(1).wrote("").says(
        "bad:200001:1: byte 0xff at byte 600000: never occurs in UTF-8\nplacemat: bad: left as it was\n",
    );
    assert!(d.read("bad") == bad);
    assert_eq!((d.read("good"), d.read("good2")), (b"a\n".into(), b"b\n".into()));
    // A run that would lose text fails too, if loss is forbidden.
    d.write("loss", "€");
    let lossy = placemat("convert -i -t latin1 --unmappable replace --fail-on-loss loss").within(&d).run();
    lossy.ends(1).mentions(&[
        "loss: left as it was",
        "the conversion lost text: ",
        "unmappable 1 (first in loss at byte 0)",
    ]);
    assert_eq!(d.read("loss"), "€".as_bytes());
    assert_eq!(names(&d), ["bad", "good", "good2", "loss"]);
}

#[test]
fn what_cannot_be_is_said() {
    let d = Directory::new();
    d.write("a", "a");
    fs::create_dir(d.path("dir")).unwrap();
    placemat("convert -i")
        .within(&d)
        .run()
        .ends(2)
        .says("placemat: --in-place needs files, not standard input\n");
    placemat("convert -i a -").within(&d).run().ends(2).mentions(&["not standard input"]);
    placemat("convert -i dir")
        .within(&d)
        .run()
        .ends(2)
        .says("placemat: dir: is a directory (-r converts all files in it)\n");
    placemat("convert -i missing")
        .within(&d)
        .run()
        .ends(2)
        .says("placemat: missing: no such file or directory\n");
    placemat("convert -i -o b a").within(&d).run().ends(2).mentions(&["cannot be used with"]);
    placemat("convert -r a").within(&d).run().ends(2).mentions(&["--in-place"]);
    placemat("convert -i=/etc/x a").within(&d).run().ends(2).mentions(&["must not contain a path separator"]);
    placemat("convert -i -g [ a").within(&d).run().ends(2);
    // One message is printed, and no file was changed.
    placemat("convert -i -t latin1 --bom add a a").within(&d).run().ends(2).mentions(&["no signature"]);
    assert_eq!(d.read("a"), b"a");
}

#[test]
fn the_old_text_is_kept_under_another_name() {
    let d = Directory::new();
    d.write("a", b"\xE9");
    d.write("same", "same");
    placemat("convert -f latin1 -i=.old a same").within(&d).run().writes("");
    assert_eq!((d.read("a"), d.read("a.old")), ("é".into(), b"\xE9".into()));
    assert_eq!(names(&d), ["a", "a.old", "same"]);
    placemat("convert --in-place=~ -t utf-16le a").within(&d).run().writes("");
    assert_eq!((d.read("a"), d.read("a~")), (b"\xE9\0".into(), "é".into()));
    // An existing entry of any kind is never overwritten.
    d.write("b", b"\xE9");
    for there in ["file", "directory", "link"] {
        let backup = d.path("b.old");
        match there {
            "file" => drop(d.write("b.old", "older still")),
            "directory" => fs::create_dir(&backup).unwrap(),
            #[cfg(unix)]
            _ => std::os::unix::fs::symlink("nowhere", &backup).unwrap(),
            #[cfg(not(unix))]
            _ => continue,
        }
        placemat("convert -f latin1 -i=.old b").within(&d).run().ends(2).says(
            "placemat: b: b.old exists already, and a backup never overwrites a file; left as it was\n",
        );
        assert_eq!(d.read("b"), b"\xE9");
        if there == "directory" { fs::remove_dir(&backup) } else { fs::remove_file(&backup) }.unwrap();
    }
    // An entry may exist if it is the old text itself, which a run leaves that was killed at that
    // moment.
    fs::hard_link(d.path("b"), d.path("b.old")).unwrap();
    placemat("convert -f latin1 -i=.old b")
        .within(&d)
        .run()
        .ends(0)
        .says("placemat: warning: b: has another hard link, which keeps the old text\n");
    assert_eq!((d.read("b"), d.read("b.old")), ("é".into(), b"\xE9".into()));
    assert_eq!(names(&d), ["a", "a.old", "a~", "b", "b.old", "same"]);
}

/// `sed` and `perl` take a suffix like this too.
#[test]
fn a_suffix_right_after_the_option() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    for (args, backup) in [("-i.bak", "t/a.bak"), ("-ri~", "t/a~"), ("-vri.orig", "t/a.orig")] {
        d.write("t/a", b"\xE9");
        let path = if args.contains('r') { "t" } else { "t/a" };
        placemat("convert -f latin1").args(args).args(path).within(&d).run().ends(0);
        assert_eq!((d.read("t/a"), d.read(backup)), ("é".into(), b"\xE9".into()), "{args}");
    }
    d.write("t/a", b"\xE9");
    placemat("convert -f latin1 -ibak t/a").within(&d).run().ends(2).says(
        "placemat: -ibak: -i=bak keeps the old text as FILEbak; an option that is meant is to stand by itself\n",
    );
    placemat("convert -f latin1 -i../x t/a")
        .within(&d)
        .run()
        .ends(2)
        .mentions(&["must not contain a path separator"]);
    assert_eq!(d.read("t/a"), b"\xE9");
    placemat("convert -f latin1 -irv t/a").within(&d).run().ends(0);
    assert_eq!(d.read("t/a"), "é".as_bytes());
}

#[test]
fn directories() {
    let d = Directory::new();
    for sub in ["t", "t/u", "t/.git", "t/.hidden"] {
        fs::create_dir(d.path(sub)).unwrap();
    }
    d.write("t/.gitignore", "ignored\n");
    let all = ["t/a.c", "t/u/b.c", "t/u/notes", "t/ignored", "t/.hidden/x", "t/binary"];
    let fresh = || {
        for name in all {
            d.write(name, if name == "t/binary" { &b"\0\xE9"[..] } else { b"\xE9" });
        }
    };
    let changed =
        || -> Vec<_> { all.into_iter().filter(|name| d.read(name).ends_with("é".as_bytes())).collect() };
    for (args, want) in [
        ("t", &["t/a.c", "t/u/b.c", "t/u/notes"][..]),
        ("-g *.c t", &["t/a.c", "t/u/b.c"]),
        ("--no-ignore -g !*.c t", &["t/u/notes", "t/ignored"]),
        ("--hidden t t/u t/a.c", &["t/a.c", "t/u/b.c", "t/u/notes", "t/.hidden/x"]),
        ("-a t/u t/binary t/a.c", &["t/a.c", "t/u/b.c", "t/u/notes", "t/binary"]),
        ("t/binary t/ignored", &["t/ignored", "t/binary"]),
    ] {
        fresh();
        let dry = placemat("convert -f latin1 -r -i --dry-run").args(args).within(&d).run();
        assert_eq!(changed(), [""; 0]);
        let said: Vec<_> =
            core::str::from_utf8(&dry.ends(0).stdout).unwrap().lines().map(str::to_owned).collect();
        placemat("convert -f latin1 -r -i").args(args).within(&d).run().writes("");
        assert_eq!(changed(), want, "{args}");
        // The forecast of `--dry-run` was right.
        assert_eq!(said.len(), want.len(), "{args}");
        for name in want {
            let length = if *name == "t/binary" { "2 bytes to 3" } else { "1 byte to 2" };
            assert!(said.contains(&format!("{name}: would change, {length}")), "{said:?}");
        }
        // No text is converted twice, under any name; nor in a second run, because it is no longer
        // Latin-1.
        assert!(all.iter().all(|name| d.read(name).len() <= 3), "{args}");
    }
}

#[test]
fn a_dry_run_writes_nothing() {
    let d = Directory::new();
    d.write("a", b"\xE9\n");
    placemat("convert -f latin1 --dry-run -o b a")
        .within(&d)
        .run()
        .ends(0)
        .wrote("")
        .says("b: would be written, 3 bytes\n");
    placemat("convert -f latin1 --dry-run a")
        .within(&d)
        .run()
        .ends(0)
        .wrote("")
        .says("<stdout>: would be written, 3 bytes\n");
    placemat("convert --dry-run -i a").within(&d).run().ends(1).wrote("").mentions(&["a:1:1: "]);
    assert_eq!(names(&d), ["a"]);
    assert_eq!(d.read("a"), b"\xE9\n");
}

/// Messages appear in the order of the files, independent of the threads.
#[test]
fn many_files_at_a_time() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    let count = 600;
    let name = |i: usize| format!("t/{i:04}");
    let fresh = || {
        for i in 0..count {
            d.write(name(i), if i % 3 == 0 { &b"\xFF\n"[..] } else { "é\n".as_bytes() });
        }
    };
    let broken = (0..count).filter(|i| i % 3 == 0);
    let expected: String = broken
        .map(|i| {
            format!(
                "{0}:1:1: byte 0xff at byte 0: never occurs in UTF-8\nplacemat: {0}: left as it was\n",
                name(i)
            )
        })
        .collect();
    for threads in [1, 2, 7] {
        fresh();
        let args = format!("convert -ri -t utf-16be --report -j {threads} t");
        let said = format!("{expected}decoded 800, replaced 0, ignored 0, unmappable 0\n");
        placemat(&args).within(&d).run().ends(1).wrote("").says(&said);
        for i in 0..count {
            let want = if i % 3 == 0 { &b"\xFF\n"[..] } else { b"\0\xE9\0\n" };
            assert_eq!(d.read(name(i)), want, "{i} -j {threads}");
        }
        let changes = placemat(&format!("convert -ri -f latin1 --dry-run -j {threads} t")).within(&d).run();
        let lines: String = (0..count)
            .map(|i| match i % 3 {
                0 => format!("{}: would change, 2 bytes to 3\n", name(i)),
                _ => format!("{}: would change, 4 bytes to 5\n", name(i)),
            })
            .collect();
        // NULs make text of two bytes a code point binary.
        let lines: String = lines.split_inclusive('\n').filter(|line| line.contains(", 2 bytes")).collect();
        changes.ends(0).wrote(lines);
    }
}

#[cfg(unix)]
mod unix {
    use super::*;
    use core::time::Duration;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::time::SystemTime;

    #[test]
    fn mode_and_times_are_kept() {
        let d = Directory::new();
        for mode in [0o600, 0o640, 0o755, 0o4755, 0o666] {
            let path = d.write("a", b"\xE9");
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let then = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 123_456_789);
            fs::File::options().write(true).open(&path).unwrap().set_modified(then).unwrap();
            placemat("convert -f latin1 -i a").within(&d).run().writes("");
            let after = fs::metadata(&path).unwrap();
            assert_eq!(d.read("a"), "é".as_bytes());
            assert_eq!((after.mode() & 0o7777, after.modified().unwrap()), (mode, then), "{mode:o}");
            fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn links() {
        let d = Directory::new();
        fs::create_dir(d.path("sub")).unwrap();
        d.write("a", b"\xE9");
        symlink("../a", d.path("sub/link")).unwrap();
        symlink("loop2", d.path("loop1")).unwrap();
        symlink("loop1", d.path("loop2")).unwrap();
        symlink("..", d.path("sub/up")).unwrap();
        placemat("convert -f latin1 -i sub/link a").within(&d).run().writes("");
        assert_eq!(d.read("a"), "é".as_bytes());
        assert!(fs::symlink_metadata(d.path("sub/link")).unwrap().is_symlink());
        placemat("convert -i loop1").within(&d).run().ends(2).mentions(&["loop1: "]);
        // Links within directories are not followed.
        placemat("convert -t utf-16be -ri sub").within(&d).run().writes("");
        assert_eq!(d.read("a"), "é".as_bytes());
        // A hard link keeps the old text, and a message says so.
        fs::hard_link(d.path("a"), d.path("b")).unwrap();
        placemat("convert -i a").within(&d).run().writes("");
        placemat("convert -t latin1 -i a")
            .within(&d)
            .run()
            .ends(0)
            .says("placemat: warning: a: has another hard link, which keeps the old text\n");
        assert_eq!((d.read("a"), d.read("b")), (b"\xE9".into(), "é".into()));
    }

    #[test]
    fn what_is_no_regular_file() {
        let d = Directory::new();
        assert!(std::process::Command::new("mkfifo").arg(d.path("fifo")).status().unwrap().success());
        placemat("convert -i fifo /dev/null").within(&d).run().ends(2).says(
            "placemat: fifo: is not a regular file and cannot be changed in place\n\
             placemat: /dev/null: is not a regular file and cannot be changed in place\n",
        );
    }

    #[test]
    fn read_only_files_are_left() {
        let d = Directory::new();
        let path = d.write("a", b"\xE9");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        placemat("convert -f latin1 -i a")
            .within(&d)
            .run()
            .ends(2)
            .says("placemat: a: is read-only; left as it was\n");
        // A dry run tells the same; a diff is never written.
        placemat("convert -f latin1 -i --dry-run a")
            .within(&d)
            .run()
            .ends(2)
            .says("placemat: a: is read-only; left as it was\n");
        for option in ["--diff", "--diff --dry-run"] {
            let ran = placemat("convert -f latin1 -i").args(option).arg("a").within(&d).run();
            ran.ends(0).says("");
            let diff = String::from_utf8(ran.stdout.clone()).unwrap();
            assert!(diff.starts_with("--- a") && diff.contains("\n+é"), "{diff}");
        }
        assert_eq!(d.read("a"), b"\xE9");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o444);
    }

    #[test]
    fn names_that_are_no_text() {
        let d = Directory::new();
        for name in [&b"\xFF\xFE"[..], b"two\nlines", b"\x1B[31mred", "\u{202E}txt".as_bytes()] {
            let name = OsStr::from_bytes(name);
            d.write(name, b"\xE9");
            placemat("convert -f latin1 -i").arg(name).within(&d).run().writes("");
            assert_eq!(d.read(name), "é".as_bytes());
            let dry = placemat("convert -t latin1 -i --dry-run").arg(name).within(&d).run();
            dry.ends(0);
            let shown = String::from_utf8(dry.stdout).unwrap();
            assert!(shown.lines().count() == 1 && !shown.contains(['\x1B', '\u{202E}']), "{shown:?}");
            placemat("convert -t utf-16 -i").arg(name).within(&d).run().writes("");
            let refused = placemat("convert -i").arg(name).within(&d).run();
            assert!(!refused.ends(1).stderr.contains(['\x1B', '\u{202E}']), "{:?}", refused.stderr);
            assert_eq!(refused.stderr.lines().count(), 1);
        }
    }
}
