//! `check`: what the author of a tree may try so that it passes as clean. Files that are declared
//! ignored, hidden, binary or in another encoding are checked all the same, or a message says that
//! they are not.

#![cfg(unix)]

use crate::run::{Directory, in_repository, placemat, utf16be, utf16le};
use std::fs;
use std::path::Path;
use std::process::Command;

const ILL: &[u8] = b"caf\xE9\n";
/// A bidi control that could hide the text after it.
const TROJAN: &str = "int a; /* \u{202E} } */\n";

pub(crate) fn git(d: &Path, args: &[&str]) {
    let ran = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"])
        .args(args)
        .current_dir(d)
        .output()
        .unwrap();
    assert!(ran.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// Makes a repository in which every file has an ill-formed sequence, and every second file is
/// tracked.
fn repository() -> Directory {
    let d = Directory::new();
    for directory in ["t/.github/workflows", "t/vendor/deep", "t/src"] {
        fs::create_dir_all(d.path(directory)).unwrap();
    }
    let tracked = [
        ".github/workflows/ci.yml",
        ".hidden",
        "ignored.log",
        "src/a.c",
        "src.c",
        "vendor/deep/x.c",
        "z.skip",
        "é\u{202E}.log",
    ];
    for name in tracked {
        d.write(format!("t/{name}"), ILL);
    }
    d.write("t/.gitignore", "");
    let root = d.path("t");
    git(&root, &["init", "-q"]);
    git(&root, &["add", "."]);
    d.write("t/.gitignore", "*.log\nvendor\n");
    d.write("t/.ignore", "*.skip\n");
    for name in [".github/new.yml", ".other", "other.log", "src/b.c", "vendor/deep/y.c", "y.skip"] {
        d.write(format!("t/{name}"), ILL);
    }
    d
}

#[track_caller]
fn lists(d: &Directory, args: &str, names: &[&str]) {
    let ran = placemat("check -l").args(args).within(d).run();
    let want: String = names.iter().map(|name| format!("{name}\n")).collect();
    ran.says("").wrote(want).ends(i32::from(!names.is_empty()));
}

const ALL: [&str; 9] = [
    "t/.github/workflows/ci.yml",
    "t/.hidden",
    "t/ignored.log",
    "t/src/a.c",
    "t/src/b.c",
    "t/src.c",
    "t/vendor/deep/x.c",
    "t/z.skip",
    "t/é\\u{202e}.log",
];

#[test]
fn tracked_files_are_never_passed_over() {
    let d = repository();
    lists(&d, "t", &ALL);
    lists(&d, "t -j4", &ALL);
    // The globs of the command line apply to tracked files too.
    lists(&d, "t -g *.c", &["t/src/a.c", "t/src/b.c", "t/src.c", "t/vendor/deep/x.c"]);
    lists(&d, "t -g !vendor -g !*.log -g !.*", &["t/src/a.c", "t/src/b.c", "t/src.c", "t/z.skip"]);
    // Patterns also apply to a run from within, and to a directory that is ignored as a whole. Like
    // ripgrep, `check` reads a directory that is named.
    lists(&d, "t/vendor", &["t/vendor/deep/x.c", "t/vendor/deep/y.c"]);
    lists(&d, "t/.github", &["t/.github/new.yml", "t/.github/workflows/ci.yml"]);
    let mut ran = placemat("check -l");
    ran.command.current_dir(d.path("t/vendor/deep"));
    ran.arg(".").run().wrote("./x.c\n./y.c\n");
    // A link that is named is followed.
    std::os::unix::fs::symlink("t", d.path("link")).unwrap();
    lists(&d, "link", &ALL.map(|name| format!("link{}", &name[1..])).each_ref().map(String::as_str));
    // A deleted tracked file is not an error, and the target of a link is not in the tree.
    fs::remove_file(d.path("t/ignored.log")).unwrap();
    fs::remove_dir_all(d.path("t/vendor/deep")).unwrap();
    fs::create_dir(d.path("elsewhere")).unwrap();
    d.write("elsewhere/x.c", ILL);
    std::os::unix::fs::symlink("../../elsewhere", d.path("t/vendor/deep")).unwrap();
    let rest: Vec<_> =
        ALL.into_iter().filter(|name| !name.contains("ignored") && !name.contains("vendor")).collect();
    lists(&d, "t", &rest);
}

/// Conversion is different: it changes no hidden or ignored file.
#[test]
fn conversion_takes_no_hidden_files() {
    let d = repository();
    let ran = placemat("convert -f latin1 -ri --dry-run t").within(&d).run();
    let out = String::from_utf8(ran.stdout.clone()).unwrap();
    assert!(out.contains("t/src/a.c") && !out.contains(".github") && !out.contains(".log"), "{out}");
}

#[test]
fn indexes_of_all_kinds() {
    let d = repository();
    let root = d.path("t");
    for version in ["4", "3", "2"] {
        git(&root, &["update-index", "--index-version", version]);
        lists(&d, "t", &ALL);
    }
    git(&root, &["update-index", "--split-index"]);
    git(&root, &["update-index", "--add", ".other"]);
    let mut more = ALL.to_vec();
    more.insert(2, "t/.other");
    lists(&d, "t", &more);
    // The repository has another work tree, and a repository within it.
    git(&root, &["-c", "commit.gpgsign=false", "commit", "-qm", "all"]);
    git(&root, &["worktree", "add", "-q", "../w"]);
    d.write("w/.gitignore", "*\n");
    lists(&d, "w -g *.log -g *.yml", &["w/.github/workflows/ci.yml", "w/ignored.log", "w/é\\u{202e}.log"]);
    fs::create_dir(d.path("both")).unwrap();
    fs::rename(d.path("t"), d.path("both/t")).unwrap();
    git(&d.path("both"), &["init", "-q", "--object-format=sha256"]);
    d.write("both/.top", ILL);
    git(&d.path("both"), &["add", ".top"]);
    let mut nested: Vec<String> = more.iter().map(|name| format!("both/{name}")).collect();
    nested.insert(0, "both/.top".to_owned());
    lists(&d, "both", &nested.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Adds entries to the index of a repository, each a stage and a name, without reading the files.
fn add_to_index(d: &Directory, root: &Path, entries: impl Iterator<Item = (u8, String)>) {
    let empty = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    let lines: String = entries.map(|(stage, name)| format!("100644 {empty} {stage}\t{name}\n")).collect();
    d.write("entries", lines);
    let mut command = Command::new("git");
    command.args(["update-index", "--index-info"]).current_dir(root);
    assert!(command.stdin(fs::File::open(d.path("entries")).unwrap()).status().unwrap().success());
}

/// An index can name a file several times, in a conflict, and name files of a nested repository.
#[test]
fn files_that_are_tracked_several_times_are_found_once() {
    let d = repository();
    fs::create_dir_all(d.path("both/u")).unwrap();
    fs::rename(d.path("t"), d.path("both/t")).unwrap();
    let root = d.path("both");
    git(&root, &["init", "-q"]);
    for name in [".top", "t/.outer", "u/.last"] {
        d.write(format!("both/{name}"), ILL);
    }
    let names = [(0, "t/.hidden"), (0, "t/.outer"), (0, "u/.last"), (1, ".top"), (2, ".top"), (3, ".top")];
    add_to_index(&d, &root, names.into_iter().map(|(stage, name)| (stage, name.to_owned())));

    let mut want: Vec<String> = ALL.iter().map(|name| format!("both/{name}")).collect();
    want.insert(2, "both/t/.outer".to_owned());
    want.insert(0, "both/.top".to_owned());
    want.push("both/u/.last".to_owned());
    let want: Vec<&str> = want.iter().map(String::as_str).collect();
    lists(&d, "both", &want);
    lists(&d, "both -j4", &want);
    // Many names of missing files, so that the names of the nested repository are inserted among
    // them one by one.
    add_to_index(&d, &root, (1000..1400).map(|i| (0, format!("t/v/{i}"))));
    lists(&d, "both", &want);
}

/// If the tracked files are unknown, the command must not report that all files are well-formed.
#[test]
fn an_index_that_cannot_be_read_is_trouble() {
    let d = repository();
    d.write("t/.git/index", "DIRC nonsense");
    let ran = placemat("check -l t -g *.c").within(&d).run();
    ran.ends(2).wrote("t/src/a.c\nt/src/b.c\nt/src.c\n").says(
        "placemat: t/.git/index: is not a git index of a known format; --hidden --no-ignore reads all files, tracked or not\n",
    );
}

#[test]
fn a_nul_hides_nothing_that_is_searched_for() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    d.write("t/a.c", format!("/* \0 */\n{TROJAN}"));
    d.write("t/b.c", TROJAN);
    d.write(
        "t/image",
        b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\x5C\x72\xA8\x66\xE2\x80\xAE",
    );
    let skipped = "placemat: skipped 1 binary file (1 PNG); -v names them, -a checks binary files\n";
    let ran = placemat("check -l --lint bidi t").within(&d).run();
    ran.ends(1).wrote("t/a.c\nt/b.c\n").says(skipped);
    placemat("check -lq --lint bidi t").within(&d).run().ends(1).says("");
    let ran = placemat("check --bom forbid t").within(&d).run();
    ran.ends(0).says(skipped);
    // A binary file may be ill-formed: only lints are reported.
    d.write("t/c.c", b"a long line of text, and caf\xE9 \0\n");
    placemat("check -v --lint bidi t -g c.c").within(&d).run().writes("");
    placemat("check --lint controls t -g c.c")
        .within(&d)
        .run()
        .ends(1)
        .wrote("t/c.c:1:31: control U+0000 NUL at byte 30: ends the text for many programs\n");
    // Without a lint, a file with a NUL is skipped as binary.
    lists(&d, "t", &[]);
    placemat("check -v -l t")
        .within(&d)
        .run()
        .ends(0)
        .mentions(&["t/a.c: skipped as binary: NUL at byte 3", "t/image"]);
    // `--skip-binary` applies to named files too.
    let ran = placemat("check -l --lint bidi --skip-binary t/a.c t/b.c t/image").within(&d).run();
    ran.ends(1).wrote("t/a.c\nt/b.c\n").says(skipped);
    placemat("check -l --lint bidi t/image").within(&d).run().ends(1).wrote("t/image\n");
}

#[test]
fn a_declaration_hides_nothing_that_is_searched_for() {
    let d = Directory::new();
    fs::create_dir(d.path(".git")).unwrap();
    for (i, label) in
        ["latin1", "utf-16le", "utf-16be", "windows-1252", "shift_jis", "gbk", "utf-16", "utf-7"]
            .iter()
            .enumerate()
    {
        d.write(format!("{i}.c"), TROJAN);
        d.write(format!("clean{i}.c"), "int a;\n");
        let before = fs::read_to_string(d.path(".editorconfig")).unwrap_or_else(|_| "root = true\n".into());
        d.write(".editorconfig", format!("{before}[*{i}.c]\ncharset = {label}\n"));
        let ran = placemat("check --lint bidi").arg(format!("{i}.c")).within(&d).run();
        let out = String::from_utf8(ran.stdout.clone()).unwrap();
        assert!(
            out.contains(&format!("{i}.c:1:11: bidi control U+202E RIGHT-TO-LEFT OVERRIDE at byte 10")),
            "{label}: {out}"
        );
        ran.ends(1);
        let clean = placemat("check --lint bidi").arg(format!("clean{i}.c")).within(&d).run();
        if !label.starts_with("utf-16") {
            clean.writes("");
        }
    }
    // A finding of both passes is reported once.
    d.write(".gitattributes", "*.c working-tree-encoding=cesu-8\n");
    let ran = placemat("check --lint bidi,controls 0.c").within(&d).run();
    assert_eq!(String::from_utf8(ran.stdout.clone()).unwrap().lines().count(), 2, "{ran:?}");
    // With its signature, UTF-16 is UTF-16.
    d.write(".gitattributes", "*.c working-tree-encoding=utf-16\n");
    d.write("true.c", [&b"\xFF\xFE"[..], &utf16le("\u{80E2}\u{AE}\n")].concat());
    placemat("check --lint bidi true.c").within(&d).run().writes("");
    // Without a lint, the declared encoding is used.
    fs::remove_file(d.path(".gitattributes")).unwrap();
    placemat("check 3.c").within(&d).run().writes("");
}

#[test]
fn text_in_utf_16_is_not_utf_8() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    let text = "Some text\nof two lines\n";
    d.write("t/be", [&b"\xFE\xFF"[..], &utf16be(text)].concat());
    d.write("t/cjk", [&b"\xFF\xFE"[..], &utf16le("漢字漢字漢字")].concat());
    d.write("t/le", [&b"\xFF\xFE"[..], &utf16le(text)].concat());
    d.write("t/plain", utf16le(text));
    let four: Vec<u8> = "\u{FEFF}Some text".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    d.write("t/four", four);
    let ran = placemat("check t").within(&d).run();
    ran.ends(1).says("").wrote(
        "t/be:1:1: text in UTF-16BE with signature at byte 0: not UTF-8\n\
         t/cjk:1:1: text in UTF-16LE with signature at byte 0: not UTF-8\n\
         t/four:1:1: text in UTF-32LE with signature at byte 0: not UTF-8\n\
         t/le:1:1: text in UTF-16LE with signature at byte 0: not UTF-8\n\
         t/plain:1:1: text in UTF-16LE without signature at byte 0: not UTF-8\n\
         5 files checked, 5 findings in 5 of them\n",
    );
    // The help text is right: each of the three suggestions works.
    let ran = placemat("check -v t/ -g plain -g le").within(&d).run();
    let out = String::from_utf8(ran.stdout.clone()).unwrap();
    let words: Vec<_> = out.split_whitespace().collect();
    let out = words.join(" ");
    for part in [
        "`-f utf-16` checks",
        "working-tree-encoding=UTF-16LE-BOM in .gitattributes",
        "`placemat convert -f utf-16 -t utf-8 -i`",
        "`-f utf-16le` checks",
    ] {
        assert!(out.contains(part), "{part}: {out}");
    }
    placemat("check -f utf-16 t -g le -g be -g cjk").within(&d).run().writes("");
    d.write("t/.gitattributes", "le working-tree-encoding=UTF-16LE-BOM\nplain working-tree-encoding=UTF-16LE\nfour working-tree-encoding=UTF-32\n");
    lists(&d, "t", &["t/be", "t/cjk"]);
    placemat("convert -f utf-16 -t utf-8 -i t/be t/cjk").within(&d).run().ends(0);
    lists(&d, "t", &[]);
    // Programs can switch the configuration off.
    lists(&d, "t --no-config", &["t/four", "t/le", "t/plain"]);
    let ran = placemat("check --format jsonl --no-config t -g le").within(&d).run();
    let line: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(
        (&line["kind"], &line["bytes"], &line["byte_offset"]),
        (&"other-encoding".into(), &"fffe".into(), &0.into())
    );
    placemat("check --format sarif --no-config t").within(&d).run().ends(1);
}

/// The hooks, as pre-commit runs them: with the names of all files, even hidden ones.
#[test]
fn hooks_are_not_switched_off() {
    let Some(hooks) = in_repository(".pre-commit-hooks.yaml") else { return };
    let hooks = fs::read_to_string(hooks).unwrap();
    let attack = |d: &Directory, text: &str| {
        d.write(".editorconfig", "[*]\ncharset = utf-16le\n");
        d.write(".gitattributes", "* working-tree-encoding=latin1\n");
        d.write(".gitignore", "*\n");
        d.write("nul.c", format!("/* \0 */\n{text}"));
        d.write(".hidden.c", text);
        d.write("a.c", text);
        d.write(
            "image.png",
            b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\x5C\x72\xA8\x66\x20",
        );
    };
    let mut seen = 0;
    let mut id = "";
    for line in hooks.lines() {
        if let Some(name) = line.trim().strip_prefix("- id: ") {
            id = name;
        }
        assert!(!line.contains("types:") || line.ends_with("types: [file]"), "one NUL, and it is no [text]");
        let Some(entry) = line.trim().strip_prefix("entry: placemat ") else { continue };
        assert_eq!(entry.contains("--no-config"), id != "placemat-check-declared", "{id}");
        let text = match id {
            "placemat-check" | "placemat-check-declared" => continue,
            "placemat-check-bidi" | "placemat-check-lints" => TROJAN,
            "placemat-check-security" => "p\u{430}ypal\n",
            "placemat-check-nfc" => "e\u{301}\n",
            "placemat-check-eol" => "a\nb\r\n",
            "placemat-check-no-bom" => "\u{FEFF}a\n",
            other => panic!("what is {other} to find?"),
        };
        seen += 1;
        let d = Directory::new();
        attack(&d, text);
        let ran = placemat(entry)
            .args("-l .editorconfig .gitattributes .gitignore .hidden.c a.c image.png nul.c")
            .within(&d)
            .run();
        let nul: &[u8] = if id == "placemat-check-no-bom" { b"" } else { b"nul.c\n" };
        ran.ends(1).wrote([&b".hidden.c\na.c\n"[..], nul].concat());
        ran.mentions(&["skipped 1 binary file (1 PNG)"]);
        attack(&d, "fine\n");
        let ran = placemat(entry).args("-l .hidden.c a.c image.png").within(&d).run();
        ran.ends(0).wrote("");
    }
    assert_eq!(seen, 6);
}
