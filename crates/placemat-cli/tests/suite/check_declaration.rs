//! `check --lint declaration`: a declaration is a finding exactly where a program that obeys it reads another text.

use crate::run::{Directory, placemat};
use core::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The kinds of files, each with its extension and a text around a label and some words.
pub(crate) const KINDS: [(&str, &str, &str); 13] = [
    ("xml", "xml", "<?xml version=\"1.0\" encoding=\"LABEL\"?>\n<a b=\"c\">\n((WORDS))</a>\n"),
    (
        "xml",
        "svg",
        "<?xml version = '1.0'   encoding = 'LABEL' standalone='yes' ?><svg><text>((WORDS))</text></svg>",
    ),
    ("python", "py", "#!/usr/bin/env python3\n# -*- coding: LABEL -*-\nx = '((WORDS))'\n"),
    ("python", "py", "# vim: set ts=4 :\n#\tfileencoding=LABEL\nx = \"\"\"((WORDS))\"\"\"\n"),
    (
        "mail",
        "eml",
        "From: a@example.org\nMIME-Version: 1.0\nContent-Type: text/plain; charset=\"LABEL\"\n\
        Content-Transfer-Encoding: 8bit\n\n((WORDS))\n",
    ),
    ("html", "html", "<!doctype html>\n<html><head><meta charset=\"LABEL\"><title>x</title>\n<p>((WORDS))\n"),
    (
        "html",
        "htm",
        "<html>\n<!-- x --><META HTTP-EQUIV='content-type' CONTENT='text/html; charset=LABEL'>\n<p>((WORDS))\n",
    ),
    ("css", "css", "@charset \"LABEL\";\na::before { content: '((WORDS))' }\n"),
    (
        "po",
        "po",
        "# x\nmsgid \"\"\nmsgstr \"\"\n\"Project-Id-Version: x\\n\"\n\
        \"Content-Type: text/plain; charset=LABEL\\n\"\n\nmsgid \"x\"\nmsgstr \"((WORDS))\"\n",
    ),
    (
        "tex",
        "tex",
        "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[LABEL]{inputenc}\n((WORDS))\n",
    ),
    ("cookie", "txt", "x -*- mode: text; coding: LABEL-unix -*-\n((WORDS))\n"),
    ("cookie", "rb", "# coding: LABEL\nputs '((WORDS))'\n"),
    ("vim", "txt", "((WORDS))\n# vim: set ts=8 fenc=LABEL et:\n"),
];

/// Words that detection knows in the encodings beside them, by names that Python has too.
pub(crate) const TEXTS: [(&str, &[&str]); 8] = [
    (
        "Le café est fermé à midi, mais la bibliothèque reste ouverte toute la journée où mon élève préfère étudier.",
        &["utf-8", "iso-8859-1"],
    ),
    (
        "Zażółć gęślą jaźń, a potem wróć do domu, bo już późno i wszyscy śpią w swoich łóżkach od dawna.",
        &["utf-8", "iso-8859-2", "windows-1250"],
    ),
    (
        "Съешь же ещё этих мягких французских булок, да выпей чаю, пока он не остыл совсем на столе.",
        &["utf-8", "koi8-r", "windows-1251", "cp866"],
    ),
    (
        "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία και γράφω ένα μεγάλο κείμενο για όλους τους ανθρώπους.",
        &["utf-8", "iso-8859-7"],
    ),
    ("これは日本語の文章です。今日は天気がいいので、散歩に行きましょう。", &["utf-8", "shift_jis", "euc-jp"]),
    ("今天天气很好，我们一起去公园散步吧。中文的编码有很多种。", &["utf-8", "gbk"]),
    ("오늘은 날씨가 아주 좋아서 우리는 공원으로 산책을 갔습니다.", &["utf-8", "euc-kr"]),
    ("plain words in ASCII, which read alike in every one of these encodings", &["utf-8"]),
];

/// Returns a label for inputenc.
fn of_latex(label: &str) -> Option<&str> {
    match label {
        "utf-8" => Some("utf8"),
        "iso-8859-1" => Some("latin1"),
        "iso-8859-2" => Some("latin2"),
        "windows-1250" => Some("cp1250"),
        "windows-1251" => Some("cp1251"),
        "koi8-r" | "cp866" => Some(label),
        _ => None,
    }
}

/// Writes a text of a kind in an encoding, with a label.
pub(crate) fn made(pattern: &str, words: &str, label: &str, encoding: &str) -> Option<Vec<u8>> {
    let label = if pattern.contains("inputenc") { of_latex(label)? } else { label };
    let text = pattern.replace("LABEL", label).replace("WORDS", words);
    let ran = placemat("convert --declaration keep -t").arg(encoding).reads(text).run();
    ran.ends(0);
    Some(ran.stdout)
}

/// Returns the texts that a program reads from files, each given with its kind.
pub(crate) fn read_by_programs(d: &Directory, files: &[(&str, String)]) -> Vec<Option<String>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suite/declared.py");
    let mut child = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is installed");
    let mut list = String::new();
    for (kind, name) in files {
        writeln!(list, "{kind}\t{}", d.path(name).display()).unwrap();
    }
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(list.as_bytes()));
    let ran = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(ran.status.success());
    String::from_utf8(ran.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the findings about declarations, as file, line, column and bytes.
pub(crate) fn findings(d: &Directory, args: &str) -> Vec<(String, u64, u64, u64)> {
    let ran = placemat("check --lint declaration --format jsonl").args(args).within(d).run();
    assert!(ran.status < 2, "{}", ran.stderr);
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    String::from_utf8(ran.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .filter(|line| line["kind"] == "declaration")
        .map(|line| {
            let path = line["path"].as_str().unwrap().trim_start_matches("./").to_owned();
            (path, number(&line["line"]), number(&line["column"]), number(&line["byte_offset"]))
        })
        .collect()
}

#[test]
fn a_declaration_is_wrong_where_programs_read_another_text() {
    let d = Directory::new();
    let mut files = Vec::new();
    let mut meant = Vec::new();
    for (i, (kind, extension, pattern)) in KINDS.into_iter().enumerate() {
        for (j, (words, encodings)) in TEXTS.into_iter().enumerate() {
            for label in encodings {
                for encoding in encodings {
                    let Some(bytes) = made(pattern, words, label, encoding) else { continue };
                    let name = format!("{i}-{j}-{label}-{encoding}.{extension}");
                    d.write(&name, bytes);
                    files.push((kind, name));
                    meant.push(words);
                }
            }
        }
    }
    let found = findings(&d, ".");
    for ((read, (kind, name)), words) in read_by_programs(&d, &files).into_iter().zip(&files).zip(meant) {
        let is_wrong = read.as_deref() != Some(words);
        let is_found = found.iter().any(|(path, ..)| path == name);
        assert_eq!(is_found, is_wrong, "{kind} {name} is read as {read:?}");
    }
    assert!(files.len() > 300 && found.len() > 150, "{} of {}", found.len(), files.len());
}

#[test]
fn findings_have_the_place_of_the_label() {
    let d = Directory::new();
    d.write("a.xml", "\u{FEFF}<?xml version='1.0' encoding='ISO-8859-1'?><a>Größe und Übermut</a>");
    d.write("b.txt", "é\r\nÄ vim: set fenc=latin1 :\r\nö ü ä ß é à è\r\n");
    d.write(
        "c.html",
        "<!-- é --><meta charset=utf-8><meta http-equiv=Content-Type content='x;charset=koi8-r'>Größe",
    );
    d.write("d.el", "x é\n; Local Variables:\n; mode: x\n; coding: latin-1-dos\n; End:\n");
    assert_eq!(
        findings(&d, "."),
        [
            ("a.xml".into(), 1, 32, 33),
            ("b.txt".into(), 2, 17, 21),
            ("c.html".into(), 1, 80, 80),
            ("d.el".into(), 4, 11, 44)
        ]
    );
}

#[test]
fn what_only_looks_like_a_declaration_is_none() {
    let d = Directory::new();
    for (name, text) in [
        ("a.py", "x = '<meta charset=latin1>'\ny = 'Größe'\n"),
        ("b.py", "x = 1\n# coding: latin-1\ny = 'Größe'\n"),
        ("c.py", "x = 1  # coding: latin-1\ny = 'Größe'\n"),
        ("d.php", "<?php $charset = 'iso-8859-1'; // Größe\n"),
        ("e.html", "<p title='<meta charset=koi8-r>'>Größe"),
        ("f.html", "<!-- <meta charset=koi8-r> --><meta charset=utf-8>Größe"),
        ("g.txt", "Content-Type: text/plain; charset=iso-8859-1\n\nGröße\n"),
        ("h.txt", "\\usepackage[latin1]{inputenc} ist veraltet: Größe\n"),
        ("i.md", "# coding: latin-1\nGröße\n"),
        ("j.rs", "// use utf8;\n// charset: latin1 Größe\n"),
        ("k.pot", "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n# Größe\n"),
        (
            "l.eml",
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=latin1\n\
            Content-Transfer-Encoding: quoted-printable\n\nGr=F6=DFe\n",
        ),
        (
            "m.eml",
            "MIME-Version: 1.0\nContent-Type: multipart/x; boundary=b\n\n--b\nContent-Type: text/x;charset=utf-16\n\
            Content-Transfer-Encoding: base64\n\nAGEA\n--b\nContent-Type: text/x; charset=utf-8\n\nGröße\n",
        ),
        ("n.css", " @charset \"latin1\";\n/* Größe */\n"),
        ("o.xml", "<!-- <?xml version='1.0' encoding='latin1'?> --><a>Größe</a>"),
        ("p.py", "# coding: latin-1\n# placemat:ignore-file declaration\nx = 'Größe'\n"),
        ("q.py", "# coding: latin-1 placemat:ignore\nx = 'Größe'\n"),
    ] {
        d.write(name, text);
    }
    assert_eq!(findings(&d, "."), []);
    placemat("check --lint all -q a.py").within(&d).run().ends(0);
}

#[test]
fn standard_input_and_a_named_encoding_count() {
    let page = "<!doctype html><meta charset=koi8-r><p>Größe und Übermut";
    let ran = placemat("check --lint declaration").reads(page).run();
    ran.ends(1).wrote("<stdin>:1:30: declaration \"koi8-r\" at byte 29: HTML meta, but the text is UTF-8\n");
    let d = Directory::new();
    d.write("a.xml", b"<?xml version='1.0' encoding='utf-8'?><a>\xE4</a>");
    assert_eq!(findings(&d, "-f windows-1251 a.xml").len(), 1);
    assert_eq!(findings(&d, "-f utf-8 a.xml").len(), 0, "then the byte is the error");
    let ran = placemat("check --lint declaration -v -f windows-1251 a.xml").within(&d).run();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(text.contains("write \"windows-1251\", or convert the text"), "{text}");
}

/// Runs git, and returns what it says.
fn git(d: &Directory, args: &[&str]) -> String {
    let ran = Command::new("git").current_dir(d.path("")).args(args).output().expect("git is installed");
    String::from_utf8_lossy(&ran.stderr).into_owned()
}

#[test]
fn git_refuses_the_files_that_are_found() {
    let bodies: [(&str, &[u8]); 9] = [
        ("none16le", b"h\0i\0\n\0"),
        ("none16be", b"\0h\0i\0\n"),
        ("le16", b"\xFF\xFEh\0i\0\n\0"),
        ("be16", b"\xFE\xFF\0h\0i\0\n"),
        ("none32le", b"h\0\0\0\n\0\0\0"),
        ("le32", b"\xFF\xFE\0\0h\0\0\0"),
        ("be32", b"\0\0\xFE\xFF\0\0\0h"),
        ("utf8", "hé\n".as_bytes()),
        ("empty", b""),
    ];
    let attributes = [
        "working-tree-encoding=UTF-16",
        "working-tree-encoding=utf16",
        "working-tree-encoding=UTF-16LE",
        "working-tree-encoding=utf-16be",
        "working-tree-encoding=UTF16BE",
        "working-tree-encoding=UTF-16LE-BOM",
        "working-tree-encoding=UTF-32",
        "working-tree-encoding=UTF-32LE",
        "working-tree-encoding=utf32be",
        "working-tree-encoding=UTF-8",
        "working-tree-encoding",
        "-working-tree-encoding",
        "!working-tree-encoding",
    ];
    for attribute in attributes {
        let d = Directory::new();
        assert_eq!(git(&d, &["init", "-q"]), "");
        d.write(".gitattributes", format!("*.txt text {attribute}\n"));
        for (name, bytes) in bodies {
            let file = format!("{name}.txt");
            d.write(&file, bytes);
            // Git also refuses ill-formed bytes.
            let says = git(&d, &["add", &file]);
            let is_refused =
                ["byte order mark", "no valid working-tree"].iter().any(|why| says.contains(why));
            let ran = placemat("check --lint declaration").arg(&file).within(&d).run();
            let found = String::from_utf8(ran.stdout).unwrap();
            assert_eq!(found.contains("git refuses"), is_refused, "{attribute}, {file}: {found}{says}");
        }
    }
}

#[test]
fn configuration_files_can_be_wrong() {
    let d = Directory::new();
    d.write(".editorconfig", "root = true\n[*.l1]\ncharset = latin1\n[*.u8]\ncharset = utf-8\n");
    d.write("a.l1", "Tomáš a Jiří\n");
    d.write("b.l1", b"d\xE9j\xE0 vu, caf\xE9 cr\xE8me et th\xE9 glac\xE9\n");
    d.write("c.l1", "plain\n");
    d.write("d.u8", "Tomáš\n");
    let ran = placemat("check --lint declaration a.l1 b.l1 c.l1 d.u8").within(&d).run();
    ran.ends(1).wrote(
        "a.l1:1:1: declared encoding at byte 0: charset in .editorconfig, line 3, but the text is UTF-8\n\
         4 files checked, 1 finding in 1 of them\n",
    );
    placemat("check --lint declaration --no-config a.l1").within(&d).run().ends(0);
}
