//! `--files-from`, `-0` and `-L`: which files are taken.

use crate::run::{Directory, placemat};
use std::fs;

/// Makes files, some of which are ill-formed, and a list of some of them.
fn files() -> Directory {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    for name in ["a", "b", "-", "-x", "--help", "two words", "t/c"] {
        d.write(name, b"caf\xE9\n");
    }
    d.write("good", "café\n");
    d
}

#[test]
fn names_from_a_list() {
    let d = files();
    d.write("list", "a\n-\n--help\ntwo words\ngood\n-x");
    let ran = placemat("check -l --files-from list").within(&d).run();
    ran.ends(1).says("").wrote("a\n./-\n--help\ntwo words\n-x\n");
    // Names from standard input come after those of the command line; directories are read with all
    // their files.
    let ran = placemat("check -l b --files-from -").reads("t\n./a\n").within(&d).run();
    ran.ends(1).says("").wrote("b\nt/c\n./a\n");
    placemat("convert -f latin1 --files-from list b")
        .within(&d)
        .run()
        .writes("café\n".repeat(5) + "cafÃ©\n" + "café\n");
    let counted = placemat("count -0 --files-from -").within(&d).reads("a\0two words\0").run();
    counted.ends(0).says("");
    let lines = String::from_utf8(counted.stdout).unwrap();
    assert!(lines.lines().any(|line| line.ends_with("  two words")) && lines.lines().count() == 4, "{lines}");
    // A named file is read, even if it is ignored or binary.
    d.write("t/.hidden", b"\0\xFF");
    placemat("check -l --files-from -").within(&d).reads("t/.hidden\n").run().ends(1).wrote("t/.hidden\n");
    // The list works in place too.
    placemat("convert -f latin1 -i --files-from list")
        .within(&d)
        .run()
        .ends(1)
        .mentions(&["good: left as it was"]);
    for name in ["a", "-", "-x", "--help", "two words"] {
        assert_eq!(d.read(name), "café\n".as_bytes(), "{name}");
    }
    assert_eq!(d.read("b"), b"caf\xE9\n");
}

/// An empty list, as `git diff --name-only` prints where nothing has changed, does not make
/// standard input the text.
#[test]
fn an_empty_list_is_no_file() {
    let d = Directory::new();
    d.write("empty", "");
    for args in
        ["check", "convert", "count", "convert -i", "convert -ri", "check -0", "count -0", "check --summary"]
    {
        for list in ["empty", "-"] {
            let ran = placemat(args).args("--files-from").arg(list).within(&d);
            let ran = if list == "-" { ran } else { ran.reads(*b"\xFF") }.run();
            // The warning says that no file was checked.
            let warned = ran.stderr.starts_with("placemat: warning: no file was checked");
            assert!(
                ran.status == 0 && (ran.stderr.is_empty() || warned && args.contains("check")),
                "{ran:?}"
            );
            if !args.contains("count") && !args.contains("summary") {
                ran.wrote("");
            }
        }
    }
}

#[test]
fn lists_that_are_none() {
    let d = files();
    for (list, args, why) in [
        ("a\n\nb\n", "", "list: line 2: the name is empty"),
        ("\n", "", "list: line 1: the name is empty"),
        ("a\0\0b\0", "-0", "list: name 2: the name is empty"),
        ("\0", "-0", "list: name 1: the name is empty"),
        ("a\0b\0", "", "list: line 1: the name contains a NUL (-0 reads a list whose names end with a NUL)"),
    ] {
        d.write("list", list);
        for command in ["check", "convert", "count", "convert -f latin1 -i"] {
            let ran = placemat(command).args(args).args("--files-from list").within(&d).run();
            ran.ends(2).wrote("").says(&format!("placemat: {why}\n"));
        }
    }
    assert_eq!(d.read("a"), b"caf\xE9\n");
    placemat("check --files-from missing")
        .within(&d)
        .run()
        .ends(2)
        .says("placemat: missing: no such file or directory\n");
    placemat("check --files-from - -")
        .within(&d)
        .run()
        .ends(2)
        .mentions(&["standard input holds the list of names"]);
    for command in ["check", "convert", "count"] {
        placemat(command).args("-0 a").within(&d).run().ends(2).mentions(&["--files-from"]);
    }
}

#[cfg(unix)]
#[test]
fn names_that_hold_anything() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    let names = [&b"t/\x1B[31m"[..], b"t/a\nb", b"t/\xFF\xFE", b"t/plain"];
    for name in names {
        d.write(OsStr::from_bytes(name), b"\xE9\n");
    }
    let mut sorted = names.to_vec();
    sorted.sort_unstable();
    let listed = placemat("check -l -0 t").within(&d).run();
    let list = sorted.iter().flat_map(|name| [name, &b"\0"[..]].concat()).collect::<Vec<_>>();
    listed.ends(1).says("").wrote(&list);
    // The list converts exactly those files back.
    placemat("convert -f latin1 -i -0 --files-from -").within(&d).reads(listed.stdout).run().writes("");
    for name in names {
        assert_eq!(d.read(OsStr::from_bytes(name)), "é\n".as_bytes());
    }
    placemat("check -l0 t").within(&d).run().writes("");
    // A line may contain any bytes except a line end.
    placemat("check -l --files-from -").within(&d).reads(*b"t/\xFF\xFE\nt/plain\n").run().writes("");
    placemat("check -l0").reads(*b"\xFF").run().ends(1).wrote("<stdin>\0");
}

#[cfg(unix)]
#[test]
fn links_in_directories() {
    use std::os::unix::fs::symlink;
    let d = Directory::new();
    for sub in ["t", "t/sub", "out"] {
        fs::create_dir(d.path(sub)).unwrap();
    }
    let fresh = || {
        for name in ["t/a", "t/sub/b", "out/c", "out/d", "out/e"] {
            d.write(name, b"caf\xE9\n");
        }
    };
    fresh();
    fs::hard_link(d.path("t/a"), d.path("t/second")).unwrap();
    symlink("a", d.path("t/0-link-to-a")).unwrap();
    symlink("..", d.path("t/sub/up")).unwrap();
    symlink("../out", d.path("t/0-out")).unwrap();
    symlink("../out", d.path("t/z-out")).unwrap();
    symlink("../out/c", d.path("t/z-c")).unwrap();
    let plain = placemat("check -l t").within(&d).run();
    plain.ends(1).says("").wrote("t/a\nt/second\nt/sub/b\n");
    // Each file is listed once, by the first of its names; other hard links are separate files.
    let want = "t/0-link-to-a\nt/0-out/c\nt/0-out/d\nt/0-out/e\nt/second\nt/sub/b\n";
    for args in ["-L", "--follow", "-j1 -L"] {
        placemat("check -l").args(args).args("t").within(&d).run().ends(1).says("").wrote(want);
    }
    placemat("check -lL out t t/a")
        .within(&d)
        .run()
        .ends(1)
        .says("")
        .wrote("out/c\nout/d\nout/e\nt/0-link-to-a\nt/second\nt/sub/b\n");
    // In place, the targets of links are changed, once, and the links stay.
    fs::remove_file(d.path("t/second")).unwrap();
    placemat("convert -f latin1 -ri t").within(&d).run().writes("");
    assert_eq!(d.read("out/c"), b"caf\xE9\n");
    fresh();
    placemat("convert -f latin1 -riL t").within(&d).run().writes("");
    for name in ["t/a", "t/sub/b", "out/c", "out/d", "out/e"] {
        assert_eq!(d.read(name), "café\n".as_bytes(), "{name}");
    }
    assert!(fs::symlink_metadata(d.path("t/0-link-to-a")).unwrap().is_symlink());
    // A dangling link is reported.
    symlink("nowhere", d.path("t/broken")).unwrap();
    placemat("check -L t").within(&d).run().ends(2).mentions(&["t/broken: no such file or directory"]);
    placemat("check t")
        .within(&d)
        .run()
        .ends(0)
        .wrote("")
        .says("placemat: skipped 6 links; -v names them, -L checks them\n");
}
