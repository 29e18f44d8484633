//! `check`: a file in another encoding is one finding, of each kind some are printed, comments and a
//! baseline suppress findings, and binary formats are skipped.

use crate::run::{Directory, placemat};
use placemat::Encoding;
use serde_json::Value;

/// Texts, and legacy encodings of them.
const TEXTS: [(&str, &str); 12] = [
    ("windows-1251", "Съешь ещё этих мягких французских булок, да выпей чаю.\n"),
    ("KOI8-R", "Широкая электрификация южных губерний даст мощный толчок подъёму.\n"),
    ("IBM866", "В чащах юга жил бы цитрус? Да, но фальшивый экземпляр!\n"),
    ("windows-1253", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, και όμως γελώ.\n"),
    ("windows-1255", "דג סקרן שט בים מאוכזב ולפתע מצא חברה נחמדה.\n"),
    ("EUC-JP", "色は匂へど散りぬるを、我が世誰ぞ常ならむ。有為の奥山今日越えて。\n"),
    ("Shift_JIS", "国境の長いトンネルを抜けると雪国であった。夜の底が白くなった。\n"),
    ("EUC-KR", "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.\n"),
    ("GB18030", "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。寒来暑往，秋收冬藏。\n"),
    ("Big5", "視野無限廣，窗外有藍天。這是一個用來測試的句子，請不要在意內容。\n"),
    ("windows-1252", "Voix ambiguë d’un cœur qui, au zéphyr, préfère les jattes de kiwis. Où ça ? À côté.\n"),
    ("windows-1254", "Pijamalı hasta yağız şoföre çabucak güvendi. Öğleden sonra da güneşli bir gün işte.\n"),
];

/// Returns the text of an encoding, long enough to be certain of it.
fn text_in(name: &str, text: &str) -> Vec<u8> {
    let encoding: Encoding = name.parse().unwrap();
    let text = format!("a first line\n{}", text.repeat(6));
    encoding.encode(&text, placemat::UnmappablePolicy::Stop).unwrap().into_owned()
}

/// Returns the number of sequences that `check --all` reports one by one, and the place of the first.
fn one_by_one(d: &Directory, file: &str) -> (usize, String) {
    let ran = placemat("check --all -f utf-8").arg(file).within(d).run();
    let text = String::from_utf8(ran.stdout).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.contains(": help: ")).collect();
    let place: Vec<&str> = lines[0].split(':').skip(1).take(2).collect();
    (lines.len(), place.join(":"))
}

#[test]
fn a_file_in_another_encoding_is_one_finding() {
    let d = Directory::new();
    for (name, text) in TEXTS {
        d.write(name, text_in(name, text));
        let (count, place) = one_by_one(&d, name);
        let ran = placemat("check").arg(name).within(&d).run();
        let report = String::from_utf8(ran.ends(1).stdout.clone()).unwrap();
        assert_eq!(report.lines().count(), 1, "{report}");
        let from = name.to_ascii_lowercase();
        let what = format!(", not UTF-8: {count} ill-formed sequences, the first at {place}; ");
        let command = format!("`placemat convert -f {from} {name}` makes it UTF-8\n");
        assert!(report.starts_with(&format!("{name}: {name} (0.9")), "{report}");
        assert!(report.ends_with(&(what + &command)), "{report}");
        // The command does what it says.
        let converted = placemat("convert -f").arg(&from).arg(name).within(&d).run();
        converted.writes(format!("a first line\n{}", text.repeat(6)));
        // The other formats have the count as a field.
        let ran = placemat("check --format jsonl").arg(name).within(&d).run();
        let line: Value = serde_json::from_slice(&ran.ends(1).stdout).unwrap();
        assert_eq!((&line["kind"], &line["count"]), (&"other-encoding".into(), &count.into()));
        let ran = placemat("check --format sarif").arg(name).within(&d).run();
        let sarif: Value = serde_json::from_slice(&ran.ends(1).stdout).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        assert_eq!((results.len(), &results[0]["occurrenceCount"]), (1, &count.into()));
        // A pipe can be read only once.
        let piped = placemat("check").reads(text_in(name, text)).run();
        let piped = String::from_utf8(piped.ends(1).stdout.clone()).unwrap();
        assert!(piped.starts_with(&format!("<stdin>: {name} (")), "{piped}");
        assert_eq!(piped.lines().count(), 1);
        placemat("check -l").arg(name).within(&d).run().ends(1).wrote(format!("{name}\n"));
        placemat("check -q").arg(name).within(&d).run().ends(1).wrote("").says("");
    }
}

#[test]
fn a_declared_charset_is_named() {
    let d = Directory::new();
    let text = TEXTS[0].1.repeat(5);
    for (head, declares) in [
        ("\"Content-Type: text/plain; charset=CP1251\\n\"\n", "it declares \"CP1251\"; "),
        ("<meta charset=\"windows-1251\">\n", "it declares \"windows-1251\"; "),
        ("# -*- coding: cp1251 -*-\n", "it declares \"cp1251\"; "),
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "it declares \"UTF-8\", which is wrong; "),
    ] {
        let encoded = Encoding::WINDOWS_1251.encode(&text, placemat::UnmappablePolicy::Stop).unwrap();
        d.write("f", [head.as_bytes(), &encoded].concat());
        let ran = placemat("check f").within(&d).run();
        ran.ends(1);
        assert!(String::from_utf8_lossy(&ran.stdout).contains(declares), "{ran:?}");
    }
}

#[test]
fn lints_read_a_file_in_its_own_encoding() {
    let d = Directory::new();
    for (name, text) in TEXTS {
        // Read as UTF-8, some of these would be words of several scripts.
        d.write(name, text_in(name, text));
        let ran = placemat("check --lint security").arg(name).within(&d).run();
        assert_eq!(String::from_utf8_lossy(&ran.stdout).lines().count(), 1, "{ran:?}");
        // A control in the text is found at its place.
        d.write(name, [text_in(name, text), b"x\x01y\n".to_vec()].concat());
        let ran = placemat("check --lint security --format jsonl").arg(name).within(&d).run();
        let lines: Vec<Value> =
            ran.stdout.split_inclusive(|&b| b == b'\n').map(|l| serde_json::from_slice(l).unwrap()).collect();
        assert_eq!(lines.len(), 2, "{ran:?}");
        assert_eq!((&lines[1]["kind"], &lines[1]["line"]), (&"control".into(), &8.into()));
        assert_eq!(lines[1]["byte_offset"], text_in(name, text).len() + 1);
        // A pipe is not read again.
        let ran = placemat("check --lint security").reads(text_in(name, text)).run();
        assert_eq!(String::from_utf8_lossy(&ran.stdout).lines().count(), 1, "{ran:?}");
    }
}

#[test]
fn of_each_kind_some_are_printed() {
    let d = Directory::new();
    for (name, bytes, lint, kinds) in [
        ("1", b"caf\xC3\xA9 \xC0\xAF\n".repeat(50), "", &[("overlong-2", 50)][..]),
        ("2", "ναι \u{1}\n".repeat(21).into_bytes(), "--lint controls", &[("control", 21)]),
        ("3", "a\u{200B}b\n".repeat(20).into_bytes(), "--lint invisible", &[("invisible", 20)]),
        (
            "4",
            "a\u{202E}b\n".repeat(30).into_bytes(),
            "--lint bidi",
            &[("bidi-control", 30), ("bidi-unterminated", 30)],
        ),
        (
            "5",
            "\u{FFFD}\u{E000}".repeat(99).into_bytes(),
            "--lint replacement,private-use",
            &[("replacement", 99), ("private-use", 99)],
        ),
        ("6", "e\u{301} ".repeat(1000).into_bytes(), "--lint not-nfc", &[("not-nfc", 1000)]),
        ("7", "p\u{430}ypal\n".repeat(40).into_bytes(), "--lint confusables", &[("confusable", 40)]),
        ("8", "\u{2028}".repeat(22).into_bytes(), "--lint separators", &[("separator", 22)]),
        ("9", "\u{FFFE}".repeat(25).into_bytes(), "--lint noncharacters", &[("noncharacter", 25)]),
        ("10", "Яndex \n".repeat(70).into_bytes(), "--lint mixed-script", &[("mixed-script", 70)]),
    ] {
        d.write(name, bytes);
        let count = |args: &str, kind: &str| -> (usize, u64) {
            let ran = placemat("check --format jsonl").args(lint).args(args).arg(name).within(&d).run();
            let lines = ran.stdout.split_inclusive(|&b| b == b'\n');
            let lines = lines.map(|line| serde_json::from_slice::<Value>(line).unwrap());
            let (several, alone): (Vec<_>, Vec<_>) =
                lines.filter(|line| line["kind"] == kind).partition(|line| line["count"].is_u64());
            assert!(several.len() < 2);
            (alone.len(), several.first().map_or(0, |line| line["count"].as_u64().unwrap()))
        };
        for &(kind, all) in kinds {
            assert_eq!(count("--all", kind), (all, 0), "{name}");
            assert_eq!(count("", kind), (all.min(20), all.saturating_sub(20) as u64), "{name}");
            assert_eq!(count("--max 1000000", kind), (all, 0), "{name}");
        }
    }
    let ran = placemat("check 1 2 3 --lint controls").within(&d).run();
    let text = String::from_utf8(ran.ends(1).stdout.clone()).unwrap();
    assert!(
        text.contains("\n1: and 30 more findings of overlong-2, the first at 21:6; --all prints them\n"),
        "{text}"
    );
    assert!(
        text.contains("\n2: and 1 more finding of control, the first at 21:5; --all prints them\n"),
        "{text}"
    );
    assert!(text.ends_with("\n3 files checked, 71 findings in 2 of them\n"), "{text}");
}

#[test]
fn a_baseline_leaves_out_what_is_known() {
    let d = Directory::new();
    d.write("legacy", text_in("KOI8-R", TEXTS[1].1));
    d.write("controls", "a\u{1}b\n".repeat(50));
    d.write("ill", b"caf\xC3\xA9 \xC0\xAF\n".repeat(30));
    let args = "check --lint security legacy controls ill";
    placemat(args)
        .args("--write-baseline known")
        .within(&d)
        .run()
        .ends(0)
        .wrote("")
        .says("known: 81 findings written\n");
    let run = |args: &str| placemat(args).args("--baseline known").within(&d).run();
    run(args).writes("");
    run("check -q --lint security legacy controls ill").writes("");
    run("check -l --lint security legacy controls ill").writes("");
    // Lines before them come and go.
    d.write("controls", format!("new\n{}", "a\u{1}b\n".repeat(50)));
    run(args).writes("");
    // A new finding is reported.
    d.write("controls", format!("{}x\u{2}\n", "a\u{1}b\n".repeat(50)));
    let ran = run("check --lint security --summary controls");
    ran.ends(1).wrote(
        "controls:51:2: control U+0002 STX at byte 201: not shown, and no part of plain text\n\
         1 file checked, 1 finding in 1 of them, 50 suppressed\n",
    );
    // A file that is no baseline is refused.
    d.write("other", "not a baseline\n");
    placemat("check --baseline other ill")
        .within(&d)
        .run()
        .ends(2)
        .mentions(&["other:1: not a line of a baseline"]);
    placemat("check --baseline missing ill").within(&d).run().ends(2).mentions(&["missing: no such file"]);
}

#[test]
fn comments_suppress_findings_of_lints() {
    let d = Directory::new();
    for (text, count) in [
        ("x = 'a\u{200B}b'  # placemat:ignore\n", 0),
        ("x = 'a\u{200B}b'  # placemat:ignore invisible\n", 0),
        ("x = 'a\u{200B}b'  # placemat:ignore controls\n", 1),
        ("# placemat:ignore-next-line\nx = 'a\u{200B}b'\n", 0),
        ("# placemat:ignore-next-line\nx = 1\ny = 'a\u{200B}b'\n", 1),
        ("/* placemat:ignore-file invisible */\n\n\nx = 'a\u{200B}b'\n\u{1}\n", 1),
        ("/* placemat:ignore-file */\n\n\nx = 'a\u{200B}b'\n\u{1}\n", 0),
        ("x = 'a\u{200B}b' // placemat:ignore\ny = 'a\u{200B}b'\n", 1),
        ("<!-- placemat:ignore-next-line bidi -->\n\u{2067}a\u{2069}\n", 0),
        ("-- placemat:ignore confusables: a test\np\u{430}ypal -- placemat:ignore confusables: a test\n", 0),
    ] {
        d.write("f", text);
        let ran = placemat("check --lint security --format jsonl f").within(&d).run();
        assert_eq!(ran.stdout.iter().filter(|&&byte| byte == b'\n').count(), count, "{text:?}");
        let piped = placemat("check --lint security --format jsonl").reads(text).run();
        assert_eq!(piped.stdout.iter().filter(|&&byte| byte == b'\n').count(), count, "{text:?}");
    }
    // Ill-formed sequences cannot be suppressed in this way.
    placemat("check").reads(*b"\xFF placemat:ignore\n").run().ends(1);
}

#[test]
fn binary_formats_are_skipped_in_directories() {
    let d = Directory::new();
    std::fs::create_dir(d.path("t")).unwrap();
    let words = b"Project-Id-Version: x\nSome words of a catalog, with a \x01 and a \x04.\n".repeat(30);
    for (name, head) in [
        ("de.mo", &b"\xDE\x12\x04\x95\0\0\0\0\x02\0\0\0\x1C\0\0\0"[..]),
        ("be.mo", b"\x95\x04\x12\xDE\0\0\0\0\0\0\0\x02\0\0\0\x1C"),
        ("m.pyc", b"\xA7\r\r\n\0\0\0\0\x10\x20\x30\x40"),
        ("old.pyc", b"\x03\xF3\r\n\x10\x20\x30\x40c\0\0\0\0"),
        ("f.woff2", b"wOF2\0\x01\0\0"),
        ("f.ttf", b"\0\x01\0\0\0\x0C"),
        ("i.png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
        ("i.gif", b"GIF89a\x01\0\x01\0"),
        ("a.zip", b"PK\x03\x04\x14\0\0\0"),
        ("a.gz", b"\x1F\x8B\x08\x08\x12\x34\x56\x78"),
        ("o.o", b"\x7FELF\x02\x01\x01\0"),
        ("s.sqlite", b"SQLite format 3\0"),
        ("d.pdf", b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n"),
        ("e.elc", b";ELC\x1B\0\0\0"),
    ] {
        d.write(format!("t/{name}"), [head, &words].concat());
        let ran = placemat("detect --format jsonl").arg(format!("t/{name}")).within(&d).run();
        let line: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(line["verdict"], "binary", "{name}");
    }
    d.write("t/text", "fine\n");
    for args in ["check --lint security t", "check t", "check --lint all t"] {
        let ran = placemat(args).args("--summary").within(&d).run();
        ran.ends(0).wrote(
            "1 file checked, no findings; skipped 14 binary files (2 Python bytecode, 2 gettext MO, 1 ELF, \
             1 Emacs bytecode, 1 GIF, 1 PDF, 1 PNG, 1 SQLite, 1 TrueType, 1 WOFF2, 1 ZIP, 1 gzip)\n",
        );
    }
    placemat("convert -r -i -f latin1 t").within(&d).run().ends(0);
    placemat("repair -r -i t").within(&d).run().ends(0);
    assert_eq!(d.read("t/d.pdf"), [&b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n"[..], &words].concat());
    assert_eq!(d.read("t/i.gif"), [&b"GIF89a\x01\0\x01\0"[..], &words].concat());
    // A text that begins like a format is read.
    d.write("t/text", "RIFF = 1  # \u{1}\u{202E}\n");
    placemat("check --lint security t -l").within(&d).run().ends(1).wrote("t/text\n");
}

#[test]
fn characters_that_are_mentioned_are_no_names() {
    for (text, count) in [
        // Tables of characters.
        ("    225: 41,  # '\u{410}'\n", 0),
        ("    (0x1FBE, 'M', '\u{3B9}'),\n", 0),
        ("  ('\u{560}', '\u{560}'), ('\u{A6EF}', '\u{A6EF}')\n", 0),
        ("case \"\u{430}\": return \"a\";\n", 0),
        ("`\u{441}` and `\u{440}`\n", 0),
        ("<< \u{AB}\u{435}\u{BB} >>\n", 0),
        // Letters that look like several.
        ("* the letter \u{42E} is no longer cut\n", 0),
        ("\u{420}\u{415}\u{417}\u{42E}\u{41C}\u{415}\n", 0),
        ("\u{560} is Armenian\n", 0),
        ("(\u{44E})\n", 0),
        // Names, and words that hide a letter.
        ("int \u{430} = 1;\n", 1),
        ("p\u{430}ypal\n", 1),
        ("'p\u{430}ypal'\n", 1),
        ("'\u{441}\u{43E}\u{440}\u{443}'\n", 1),
        ("a\u{42E}b\n", 1),
        ("\u{430}'s\n", 1),
    ] {
        let ran = placemat("check --lint confusables --format jsonl").reads(text).run();
        assert_eq!(ran.stdout.iter().filter(|&&byte| byte == b'\n').count(), count, "{text:?}");
    }
}
