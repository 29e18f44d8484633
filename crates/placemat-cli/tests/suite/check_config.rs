//! `check` with `.gitattributes` and `.editorconfig` around the files.

use crate::run::{Directory, placemat, utf16be, utf16le};
use std::fs;

fn tree() -> Directory {
    let d = Directory::new();
    for directory in [".git", "sub/deep", "other"] {
        fs::create_dir_all(d.path(directory)).unwrap();
    }
    d.write(
        ".editorconfig",
        "root = true\n\n[*.l1]\ncharset = latin1\n[*.be]\ncharset = utf-16be\n[*.bom]\ncharset = utf-8-bom\n\
         [*.plain]\ncharset = utf-8\n",
    );
    d.write(
        ".gitattributes",
        "*.le text working-tree-encoding=UTF-16LE\n*.both working-tree-encoding=UTF-16LE\n",
    );
    d
}

#[track_caller]
fn checks(d: &Directory, args: &str, status: i32, stdout: &str) {
    let ran = placemat("check -l").args(args).within(d).run();
    ran.says("").wrote(stdout).ends(status);
}

#[test]
fn files_are_read_as_the_files_around_them_say() {
    let d = tree();
    d.write("a.l1", b"caf\xE9");
    d.write("a.be", utf16be("é€"));
    d.write("a.le", utf16le("é€"));
    d.write("sub/deep/b.le", utf16le("é€"));
    d.write("a.txt", b"caf\xE9");
    d.write("ill.be", [&utf16be("é")[..], b"\xDC\x00"].concat());
    // NUL bytes do not make a file binary that is declared as UTF-16.
    checks(&d, ".", 1, "./a.txt\n./ill.be\n");
    checks(&d, "a.l1 a.be a.le sub/deep/b.le", 0, "");
    checks(&d, "a.txt", 1, "a.txt\n");
    // The command line takes precedence.
    checks(&d, "-f utf-8 a.l1", 1, "a.l1\n");
    checks(&d, "--no-config a.l1", 1, "a.l1\n");
    checks(&d, "--no-config a.be", 1, "a.be\n");
    // Standard input has no path, so no file declares it.
    placemat("check -l").within(&d).reads(*b"\xE9").run().ends(1).wrote("<stdin>\n");
}

#[test]
fn the_nearest_file_counts_and_git_comes_before_the_editor() {
    let d = tree();
    d.write("sub/.editorconfig", "[*.l1]\ncharset = utf-8\n");
    d.write("sub/a.l1", b"\xE9");
    d.write("sub/deep/a.l1", b"\xE9");
    d.write("other/a.l1", b"\xE9");
    checks(&d, "sub other", 1, "sub/a.l1\nsub/deep/a.l1\n");
    d.write("other/.gitattributes", "*.l1 working-tree-encoding=UTF-8\n");
    checks(&d, "other", 1, "other/a.l1\n");
    d.write("other/.gitattributes", "*.l1 -working-tree-encoding\n");
    checks(&d, "other", 0, "");
    // No configuration above the root of a repository applies.
    fs::create_dir_all(d.path("sub/repository/.git")).unwrap();
    d.write("sub/repository/a.le", b"abc");
    d.write("sub/repository/b.be", utf16be("é"));
    checks(&d, "sub/repository/a.le sub/repository/b.be", 0, "");
    // A run from within the repository reads the same declarations.
    let ran = placemat("check -l .").within(&d).run();
    ran.ends(1);
    let mut inner = placemat("check -l -v deep");
    inner.command.current_dir(d.path("sub"));
    inner.run().ends(1).wrote("deep/a.l1\n");
}

#[test]
fn a_signature_can_be_asked_for_by_file() {
    let d = tree();
    d.write("with.bom", "\u{FEFF}abc");
    d.write("without.bom", "abc");
    d.write("a.plain", "\u{FEFF}abc");
    d.write(".gitattributes", "*.leb working-tree-encoding=UTF-16LE-BOM\n");
    d.write("without.leb", utf16le("abc"));
    d.write("with.leb", utf16le("\u{FEFF}abc"));
    let ran = placemat("check .").within(&d).run();
    ran.ends(1).says("").wrote(
        "./without.bom:1:1: no signature at byte 0: the text must begin with 0xef 0xbb 0xbf\n\
         ./without.leb:1:1: no signature at byte 0: the text must begin with 0xff 0xfe\n\
         5 files checked, 2 findings in 2 of them; skipped 2 hidden entries\n",
    );
    checks(&d, "--bom forbid .", 1, "./a.plain\n./with.bom\n./with.leb\n");
}

#[test]
fn unknown_encodings_are_warned_of_once() {
    let d = tree();
    d.write(".editorconfig", "[*]\n\ncharset = klingon\x1B\n");
    d.write(".gitattributes", "# all\n*.x working-tree-encoding=romulan\n");
    for name in ["a", "b", "c.x", "d.x"] {
        d.write(name, "é");
    }
    for threads in ["1", "4"] {
        let ran = placemat("check . -j").arg(threads).within(&d).run();
        ran.ends(0).wrote("").says(
            "placemat: warning: .editorconfig, line 3: unknown encoding \"klingon\\x1b\"; utf-8 is taken\n\
             placemat: warning: .gitattributes, line 2: unknown encoding \"romulan\"; utf-8 is taken\n\
             placemat: skipped 2 hidden entries; -v names them, --hidden checks them\n",
        );
    }
}

#[test]
fn verbose_says_why() {
    let d = tree();
    d.write("a.l1", b"\xE9");
    d.write("a.le", utf16le("é"));
    let ran = placemat("check -v a.l1 a.le").within(&d).run();
    ran.ends(0)
        .says(
            "a.l1: read as ISO-8859-1: charset in .editorconfig, line 4\n\
             a.le: read as UTF-16LE: working-tree-encoding in .gitattributes, line 1\n",
        )
        .wrote(
            "a.l1: well-formed ISO-8859-1 (1 byte, 1 code point)\n\
             a.le: well-formed UTF-16LE (2 bytes, 1 code point)\n",
        );
}

#[test]
fn files_that_make_no_sense_do_no_harm() {
    let d = tree();
    let mut noise: Vec<u8> = (0..=255).cycle().take(5000).collect();
    noise.extend_from_slice(
        b"\n[*\n[{{{,}\ncharset=\n[]\ncharset = latin1\n\"\\777 working-tree-encoding=x\n[attr]\n! x\n",
    );
    d.write(".editorconfig", &noise);
    d.write(".gitattributes", &noise);
    fs::create_dir(d.path("other/.editorconfig")).unwrap();
    d.write("other/a", "é");
    assert!(placemat("check other/a").within(&d).run().status < 2);
}

#[test]
fn attributes_outside_of_version_control_come_first() {
    let d = tree();
    fs::create_dir_all(d.path(".git/info")).unwrap();
    d.write("a.le", b"caf\xE9");
    d.write("sub/a.le", b"caf\xE9");
    checks(&d, "a.le sub/a.le", 0, "");
    d.write(".git/info/attributes", "/sub/*.le working-tree-encoding=utf-8\n");
    checks(&d, "a.le sub/a.le", 1, "sub/a.le\n");
    let ran = placemat("check -v sub/a.le").within(&d).run();
    ran.says("");
    d.write(".git/info/attributes", "*.le working-tree-encoding=latin1\n");
    let ran = placemat("check -v sub/a.le").within(&d).run();
    ran.ends(0).says("sub/a.le: read as ISO-8859-1: working-tree-encoding in .git/info/attributes, line 1\n");
    // A work tree can lie beside its repository.
    fs::create_dir_all(d.path("w")).unwrap();
    fs::create_dir_all(d.path(".git/worktrees/w")).unwrap();
    d.write("w/.git", "gitdir: ../.git/worktrees/w\n");
    d.write(".git/worktrees/w/commondir", "../..\n");
    d.write("w/a.le", b"caf\xE9");
    checks(&d, "w/a.le", 0, "");
    checks(&d, "--no-config w/a.le", 1, "w/a.le\n");
}

/// Tests globs with the meaning that editorconfig-core gives them; the unit tests compare many more
/// with it.
#[test]
fn globs_of_the_editor() {
    let d = Directory::new();
    for directory in ["sub/deep", "7"] {
        fs::create_dir_all(d.path(directory)).unwrap();
    }
    let names = ["a.txt", "b.txt", "sub/a.txt", "sub/b.txt", "sub/deep/a.txt", "7/a.txt", "log3", "log12"];
    for name in names {
        d.write(name, b"caf\xE9");
    }
    for (glob, matching) in [
        ("[!b].txt", &["a.txt", "sub/a.txt", "sub/deep/a.txt", "7/a.txt"][..]),
        ("*/a.txt", &["sub/a.txt", "7/a.txt"]),
        ("sub/", &[]),
        ("sub/**", &["sub/a.txt", "sub/b.txt", "sub/deep/a.txt"]),
        ("sub/**/a.txt", &["sub/a.txt", "sub/deep/a.txt"]),
        ("/a.txt", &["a.txt"]),
        ("log{1..9}", &["log3"]),
        ("{b.*,log?}", &["b.txt", "sub/b.txt", "log3"]),
        ("{7,sub}/?.txt", &["sub/a.txt", "sub/b.txt", "7/a.txt"]),
    ] {
        d.write(".editorconfig", format!("root = true\n[{glob}]\ncharset = latin1\n"));
        let mut args = String::new();
        let mut rest = String::new();
        for name in names {
            args += &format!(" {name}");
            if !matching.contains(&name) {
                rest += &format!("{name}\n");
            }
        }
        checks(&d, &args, 1, &rest);
    }
}
