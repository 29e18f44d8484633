//! All commands read a file as `.gitattributes` and `.editorconfig` declare it, unless `-f` or
//! `--no-config` is given.

use crate::run::{Directory, placemat, utf16be, utf16le};
use std::fs;

fn tree() -> Directory {
    let d = Directory::new();
    for directory in [".git", "sub"] {
        fs::create_dir_all(d.path(directory)).unwrap();
    }
    d.write(
        ".editorconfig",
        "root = true\n[*.l1]\ncharset = latin1\n[*.be]\ncharset = utf-16be\n[*.odd]\ncharset = klingon\n",
    );
    d.write(".gitattributes", "*.le working-tree-encoding=UTF-16LE\n");
    d.write("a.l1", b"caf\xE9\n");
    d.write("sub/b.l1", b"\xE9t\xE9\n");
    d.write("a.be", utf16be("é\n"));
    d.write("a.le", utf16le("é\n"));
    d.write("a.txt", "é\n");
    d
}

#[test]
fn count_and_inspect_read_what_is_declared() {
    let d = tree();
    for (file, points) in [("a.l1", 5), ("a.be", 2), ("a.le", 2), ("a.txt", 2)] {
        let ran = placemat("count --format jsonl").arg(file).within(&d).run();
        ran.ends(0).says("");
        let line: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!((&line["code_points"], &line["ill_formed"]), (&points.into(), &0.into()), "{file}");
        let ran = placemat("inspect --as escapes").arg(file).within(&d).run();
        let text = String::from_utf8(ran.stdout.clone()).unwrap();
        assert!(text.contains("\\u{e9}") && !text.contains("\\x"), "{file}: {text}");
    }
    for options in ["--no-config", "-f utf-8"] {
        for command in ["count --format jsonl", "inspect --format jsonl"] {
            let ran = placemat(command).args(options).arg("a.l1").within(&d).run();
            let text = String::from_utf8(ran.stdout.clone()).unwrap();
            assert!(
                text.contains("\"ill_formed\":1") || text.contains("\"bytes\":\"e9\",\"code_point\":null"),
                "{text}"
            );
        }
    }
    // Each of several inputs is read in its own encoding, and scripts and sizes are counted too.
    let ran = placemat("count --format jsonl a.l1 a.be a.txt").within(&d).run();
    let text = String::from_utf8(ran.stdout.clone()).unwrap();
    assert!(text.lines().last().unwrap().contains("\"code_points\":9,\"ill_formed\":0"), "{text}");
    for option in ["--scripts", "--sizes"] {
        let ran = placemat("count --format jsonl").args(option).arg("a.l1").within(&d).run();
        assert!(!String::from_utf8_lossy(&ran.stdout).contains("\"script\":null"), "{option}");
    }
    // No file declares standard input or strings.
    placemat("count --format jsonl").within(&d).reads(b"\xE9").run().ends(0);
    placemat("inspect --as escapes --text é").within(&d).run().writes("\\u{e9}\n");
    d.write("a.odd", "é\n");
    placemat("count a.odd")
        .within(&d)
        .run()
        .ends(0)
        .says("placemat: warning: .editorconfig, line 7: unknown encoding \"klingon\"; utf-8 is taken\n");
}

#[test]
fn convert_reads_what_is_declared() {
    let d = tree();
    for file in ["a.be", "a.le", "a.txt"] {
        placemat("convert").arg(file).within(&d).run().writes("é\n");
    }
    placemat("convert a.l1 sub/b.l1").within(&d).run().writes("café\nété\n");
    placemat("convert -t utf-16be a.l1 -o new").within(&d).run().writes("");
    assert_eq!(d.read("new"), utf16be("café\n"));
    placemat("convert --no-config a.l1").within(&d).run().ends(1);
    placemat("convert -f utf-8 a.l1").within(&d).run().ends(1);
    placemat("convert -f cp437 a.l1").within(&d).run().writes("cafΘ\n");
    let ran = placemat("convert -v a.l1 -o new").within(&d).run();
    ran.ends(0).mentions(&["a.l1: read as ISO-8859-1: charset in .editorconfig, line 3\n"]);
    // Declarations do not apply to standard input, nor to transfer-encoded input.
    placemat("convert").within(&d).reads(b"\xE9").run().ends(1);
    d.write("wrapped.be", "w6kK\n");
    placemat("convert --unwrap base64 wrapped.be").within(&d).run().writes("é\n");
    // One output text must have one encoding.
    let ran = placemat("convert a.l1 a.txt").within(&d).run();
    ran.ends(2).wrote("").says(
        "placemat: a.l1 is to be read as ISO-8859-1 and a.txt as UTF-8, as .gitattributes and .editorconfig have it: \
         convert them one at a time, or name one encoding with -f\n",
    );
}

#[test]
fn files_are_changed_from_what_is_declared() {
    let d = tree();
    let ran = placemat("convert -ri .").within(&d).run();
    ran.ends(0).wrote("").says(
        "placemat: warning: charset in .editorconfig, line 3, no longer matches the changed files\n\
         placemat: warning: charset in .editorconfig, line 5, no longer matches the changed files\n\
         placemat: warning: working-tree-encoding in .gitattributes, line 1, no longer matches the changed files\n",
    );
    for (file, text) in
        [("a.l1", "café\n"), ("sub/b.l1", "été\n"), ("a.be", "é\n"), ("a.le", "é\n"), ("a.txt", "é\n")]
    {
        assert_eq!(d.read(file), text.as_bytes(), "{file}");
    }
    // A second run converts nothing twice.
    placemat("convert -ri .").within(&d).run();
    for (file, text) in
        [("a.l1", "café\n"), ("sub/b.l1", "été\n"), ("a.be", "é\n"), ("a.le", "é\n"), ("a.txt", "é\n")]
    {
        assert_eq!(d.read(file), text.as_bytes(), "{file}");
    }
    let d = tree();
    let ran = placemat("convert -v -i a.l1").within(&d).run();
    ran.ends(0).mentions(&["a.l1: read as ISO-8859-1: charset in .editorconfig, line 3\n"]);
    assert_eq!(d.read("a.l1"), "café\n".as_bytes());
    placemat("convert --no-config -i sub/b.l1").within(&d).run().ends(1);
    assert_eq!(d.read("sub/b.l1"), b"\xE9t\xE9\n");
}
