//! `convert --names`: new names for files, in one encoding or form for another.
//!
//! The bytes of the names were made by Python's codecs.

#![cfg(target_os = "linux")]

use crate::run::{Directory, Run, placemat};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization as _;

/// An encoding, a name in it, and its text.
const NAMES: [(&str, &[u8], &str); 21] = [
    ("cp437", b"Gr\x94\xE1e \xAB.txt", "Größe ½.txt"),
    ("cp850", b"S\xC6o Jo\xC6o.md", "São João.md"),
    ("ibm852", b"\xBD\xA2\x88\x86.doc", "Żółć.doc"),
    ("cp866", b"\x8F\xE0\xA8\xA2\xA5\xE2.txt", "Привет.txt"),
    ("koi8-r", b"\xEF\xD4\xDE\xA3\xD4 2024.xls", "Отчёт 2024.xls"),
    ("windows-1251", b"\xD1\xEC\xE5\xF2\xE0.doc", "Смета.doc"),
    ("windows-1252", b"na\xEFve \x96 \x93quoted\x94.txt", "naïve – “quoted”.txt"),
    ("iso-8859-2", b"P\xF8\xEDli\xB9 \xBElu\xBBou\xE8k\xFD.pdf", "Příliš žluťoučký.pdf"),
    ("iso-8859-7", b"\xC5\xEB\xEB\xE7\xED\xE9\xEA\xDC", "Ελληνικά"),
    ("windows-1255", b"\xF9\xEC\xE5\xED.txt", "שלום.txt"),
    ("windows-1256", b"\xE3\xD1\xCD\xC8\xC7", "مرحبا"),
    ("windows-1254", b"\xDDstanbul \xFD\xF0", "İstanbul ığ"),
    ("shift_jis", b"\x93\xFA\x96{\x8C\xEA\x83t\x83@\x83C\x83\x8B.txt", "日本語ファイル.txt"),
    ("euc-jp", b"\xBC\xCC\xBF\xBF\xBD\xB8", "写真集"),
    ("gbk", b"\xBC\xF2\xCC\xE5\xD6\xD0\xCE\xC4.txt", "简体中文.txt"),
    ("big5", b"\xC1c\xC5\xE9\xA4\xA4\xA4\xE5", "繁體中文"),
    ("euc-kr", b"\xC7\xD1\xB1\xB9\xBE\xEE \xC6\xC4\xC0\xCF.hwp", "한국어 파일.hwp"),
    ("macintosh", b"\xCFuvre \xD6 \x8Et\x8E", "œuvre ÷ été"),
    ("tis-620", b"\xE4\xB7\xC2", "ไทย"),
    ("gb18030", b"\x954\xB25\xD2\xB0\xBC\xD2.txt", "𠮷野家.txt"),
    ("ibm857", b"\x8D\x9F\x8Dk", "ışık"),
];

fn os(name: &[u8]) -> &OsStr {
    OsStr::from_bytes(name)
}

/// Returns all paths below a directory, and the texts of the files.
fn tree(root: &Path) -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            let kind = fs::symlink_metadata(&path).unwrap().file_type();
            let text = if kind.is_dir() {
                b"/".to_vec()
            } else if kind.is_symlink() {
                [b"->", fs::read_link(&path).unwrap().as_os_str().as_bytes()].concat()
            } else {
                fs::read(&path).unwrap()
            };
            if kind.is_dir() {
                open.push(path.clone());
            }
            all.insert(path.strip_prefix(root).unwrap().as_os_str().as_bytes().to_vec(), text);
        }
    }
    all
}

/// Makes a directory, whose names may be any bytes.
fn folder(d: &Directory, path: &[&[u8]]) -> PathBuf {
    let path = path.iter().fold(d.path(""), |path, part| path.join(os(part)));
    fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn names_in_many_encodings_and_back() {
    for (encoding, bytes, text) in NAMES {
        let d = Directory::new();
        // The directory has such a name, too, and so has the one in it.
        let inner = folder(&d, &[b"top", bytes, bytes]);
        fs::write(inner.join(os(bytes)), encoding).unwrap();
        fs::write(inner.join("plain"), "ascii").unwrap();
        symlink("nowhere", inner.join("link")).unwrap();
        symlink(os(bytes), d.path("top").join(os(&[bytes, b"l"].concat()))).unwrap();
        let before = tree(&d.path("top"));
        let names = |args: &str| placemat(&format!("convert --names {args}")).within(&d).run();
        // Without -i, nothing changes.
        let dry = names(&format!("-f {encoding} -r top"));
        dry.ends(0).says("placemat: 4 names would change; -i changes them\n");
        assert_eq!(String::from_utf8_lossy(&dry.stdout).matches(text).count(), 4, "{encoding}");
        assert_eq!(tree(&d.path("top")), before);
        assert_eq!(names(&format!("-f {encoding} -ri --dry-run top")).stdout, dry.stdout);
        names(&format!("-f {encoding} -ri --log log top")).writes("");
        let after = tree(&d.path("top"));
        let path = format!("{text}/{text}/{text}");
        assert_eq!(after[path.as_bytes()], encoding.as_bytes());
        assert_eq!(after[format!("{text}l").as_bytes()], [b"->", bytes].concat(), "{encoding}");
        assert_eq!(after.len(), before.len());
        // A second run finds nothing to do: the names are UTF-8 already.
        names(&format!("-f {encoding} -ri top"))
            .ends(0)
            .wrote("")
            .says("placemat: skipped 4 names: UTF-8 already (--force converts them)\n");
        assert_eq!(tree(&d.path("top")), after);
        // The other direction gives the old names; so does the log.
        names(&format!("-f utf-8 -t {encoding} -ri top")).writes("");
        assert_eq!(tree(&d.path("top")), before, "{encoding}");
        names(&format!("-f {encoding} -ri top")).writes("");
        let dry = names("--undo log");
        dry.ends(0).says("placemat: 4 names would change; -i changes them\n");
        assert_eq!(tree(&d.path("top")), after);
        names("-i --undo log").writes("");
        assert_eq!(tree(&d.path("top")), before, "{encoding}");
        names("-i --undo log").ends(0).says("placemat: 4 files have their original name already\n");
    }
}

#[test]
fn the_encoding_is_detected_over_all_names() {
    for (encoding, words) in [
        ("koi8-r", "Отчёт за год|Фотографии|Письмо директору|Список сотрудников|Новая папка"),
        ("windows-1251", "Смета на ремонт|Договор аренды|Приказ о приёме|Важные документы"),
        ("ibm866", "Документы отдела кадров|Протокол собрания|Заявление на отпуск"),
        ("shift_jis", "日本語の資料|写真とビデオ|会議の議事録|新しいフォルダー"),
        ("gbk", "我的文档|公司会议记录|新建文件夹|照片和视频文件"),
        ("euc-kr", "새 폴더|회의록 모음|사진과 동영상|우리 회사 문서"),
        ("windows-1253", "Έγγραφα εταιρείας|Νέος φάκελος|Φωτογραφίες από τις διακοπές"),
        ("windows-1255", "מסמכים חשובים|תיקייה חדשה|תמונות מהחופשה"),
        ("big5", "我的文件|會議紀錄與資料|新增資料夾|照片與影片檔案"),
        ("windows-1256", "مستندات الشركة|مجلد جديد|صور من العطلة"),
    ] {
        let d = Directory::new();
        let encoding = placemat::Encoding::for_label(encoding).unwrap();
        for name in words.split('|') {
            let bytes = encoding.encode(name, placemat::UnmappablePolicy::Stop).unwrap();
            d.write(os(&bytes), "");
        }
        d.write("ascii.txt", "");
        d.write("café", "");
        placemat("convert --names -f auto -ri .").within(&d).run().ends(0).wrote("");
        let mut want: Vec<Vec<u8>> = words.split('|').chain(["ascii.txt", "café"]).map(Into::into).collect();
        want.sort();
        let got: Vec<Vec<u8>> = tree(&d.path("")).into_keys().collect();
        assert_eq!(got, want, "{encoding}");
    }
    // One short name is not enough, and then nothing changes.
    let d = Directory::new();
    for name in [&b"caf\x82"[..], b"\x81a", b"x\x8D"] {
        d.write(os(name), "");
    }
    placemat("convert --names -f auto -ri .").within(&d).run().ends(2).mentions(&["name it with -f"]);
}

#[test]
fn normal_forms() {
    for name in [
        "é",
        "Ångström",
        "한글 파일",
        "ệ.txt",
        "が.doc",
        "ﬁ.txt",
        "ñandú",
        "Ω",
        "x\u{327}\u{301}",
        "ό",
        "\u{1E69}",
    ] {
        let nfc: String = name.nfc().collect();
        let nfd: String = name.nfd().collect();
        let d = Directory::new();
        fs::create_dir(d.path("t")).unwrap();
        fs::create_dir(d.path("t").join(&nfc)).unwrap();
        fs::write(d.path("t").join(&nfc).join(&nfc), "x").unwrap();
        for (form, want) in [("nfd", &nfd), ("nfc", &nfc), ("nfc", &nfc)] {
            placemat(&format!("convert --names --normalize {form} -ri t")).within(&d).run().writes("");
            let want: Vec<Vec<u8>> = vec![want.clone().into(), format!("{want}/{want}").into()];
            assert_eq!(tree(&d.path("t")).into_keys().collect::<Vec<_>>(), want, "{name} {form}");
        }
    }
}

/// No file is lost and none is replaced, whatever the names.
#[test]
fn names_that_are_taken_or_impossible() {
    for (args, files, want, part) in [
        // The new name exists.
        (
            "-f cp437",
            &[&b"\x82"[..], "é".as_bytes()][..],
            &[&b"\x82"[..], "é".as_bytes()][..],
            "left as it was: é exists",
        ),
        // Two would get one name: by a policy, and by a form.
        (
            "-t ascii -e ignore",
            &["é1".as_bytes(), "è1".as_bytes()],
            &["é1".as_bytes(), "è1".as_bytes()],
            "would get the same name, 1",
        ),
        (
            "-t ascii -e translit",
            &["ä".as_bytes(), "à".as_bytes(), b"b"],
            &["ä".as_bytes(), "à".as_bytes(), b"b"],
            "would get the same name, a",
        ),
        (
            "--normalize nfc",
            &["é".as_bytes(), "e\u{301}".as_bytes()],
            &["é".as_bytes(), "e\u{301}".as_bytes()],
            "é exists already",
        ),
        ("--normalize nfkc", &["ﬁ".as_bytes(), b"fi"], &["ﬁ".as_bytes(), b"fi"], "fi exists already"),
        ("-t ascii -e ignore", &["é".as_bytes()], &["é".as_bytes()], "is empty"),
        ("-t ascii -e ignore", &["é.".as_bytes()], &["é.".as_bytes()], "means a directory"),
        ("-t ascii -e translit", &["a⁄b".as_bytes()], &["a⁄b".as_bytes()], "contains a slash"),
        ("--normalize nfkc", &["℅".as_bytes()], &["℅".as_bytes()], "contains a slash"),
        ("-t utf-16le", &[b"ab"], &[b"ab"], "the byte 00"),
        ("-f iso-8859-1", &[b"\x9B31m\xE9"], &[b"\x9B31m\xE9"], "U+009B"),
        ("-f cp437", &[b"a\n\x82"], &[b"a\n\x82"], "U+000A"),
        ("-f utf-8", &[b"\xE9"], &[b"\xE9"], "is not UTF-8"),
        ("-f shift_jis", &[b"\x93\xFA\x96"], &[b"\x93\xFA\x96"], "is not Shift_JIS"),
        ("-t iso-8859-1", &["€".as_bytes()], &["€".as_bytes()], "cannot represent U+20AC"),
        ("-f ibm037", &[b"ab"], &[b"ab"], "it is ASCII"),
    ] {
        let d = Directory::new();
        let t = folder(&d, &[b"t"]);
        for (i, name) in files.iter().enumerate() {
            fs::write(t.join(os(name)), i.to_string()).unwrap();
        }
        let before = tree(&t);
        for more in ["", "i"] {
            let ran = placemat(&format!("convert --names {args} -r{more} t")).within(&d).run();
            ran.ends(1).wrote("").mentions(&[part]);
            assert!(!ran.stderr.trim_end().contains(|c: char| c.is_control() && c != '\n'), "{}", ran.stderr);
            assert_eq!(tree(&t), before, "{args}");
        }
        let mut names: Vec<_> = want.iter().map(|name| name.to_vec()).collect();
        names.sort();
        assert_eq!(tree(&t).into_keys().collect::<Vec<_>>(), names);
    }
    // A name that its file gives up is free for the next one: é → ├⌐ and so on.
    let d = Directory::new();
    for (name, text) in [(&b"\x82"[..], "1"), ("é".as_bytes(), "2")] {
        d.write(os(name), text);
    }
    placemat("convert --names -f cp437 --force -ri .").within(&d).run().writes("");
    assert_eq!((d.read("é"), d.read("├⌐")), (b"1".to_vec(), b"2".to_vec()));
}

#[test]
fn long_names_are_refused() {
    let d = Directory::new();
    let t = folder(&d, &[b"t"]);
    fs::write(t.join(os(&[0x82; 128])), "").unwrap();
    fs::write(t.join(os(&[0x82; 127])), "").unwrap();
    for more in ["", "i"] {
        let ran = placemat(&format!("convert --names -f cp437 -r{more} t")).within(&d).run();
        ran.ends(1).mentions(&["is longer than 255 bytes"]);
    }
    let names: Vec<_> = tree(&t).into_keys().collect();
    assert_eq!(names, [vec![0x82; 128], "é".repeat(127).into_bytes()]);
}

/// Links are renamed, and never followed: nothing outside of the tree changes.
#[test]
fn links_do_not_lead_out() {
    let d = Directory::new();
    let (t, outside) = (folder(&d, &[b"t"]), folder(&d, &[b"outside"]));
    fs::write(outside.join(os(b"\x82")), "").unwrap();
    symlink("../outside", t.join(os(b"link\x82"))).unwrap();
    symlink("..", t.join("up")).unwrap();
    placemat("convert --names -f cp437 -ri t").within(&d).run().writes("");
    assert_eq!(tree(&t).into_keys().collect::<Vec<_>>(), ["linké".as_bytes(), b"up"]);
    assert_eq!(tree(&outside).into_keys().collect::<Vec<_>>(), [b"\x82"]);
    // Hidden and ignored files stay, unless they are asked for.
    let d = Directory::new();
    folder(&d, &[b".git"]);
    folder(&d, &[b".h"]);
    d.write(".gitignore", b"*.o\n");
    for name in [&b".h/\x82"[..], b"\x82.o", b"\x82.c"] {
        d.write(os(name), "");
    }
    placemat("convert --names -f cp437 -ri .").within(&d).run().writes("");
    assert!(d.path(os(b"\x82.o")).exists() && d.path("é.c").exists() && d.path(os(b".h/\x82")).exists());
    placemat("convert --names -f cp437 -ri --hidden --no-ignore .").within(&d).run().ends(0);
    assert!(d.path("é.o").exists() && d.path(".h/é").exists());
}

#[test]
fn paths_on_the_command_line() {
    let d = Directory::new();
    let sub = folder(&d, &[b"a\x82", b"b\x82"]);
    fs::write(sub.join(os(b"c\x82")), "").unwrap();
    let names = |args: &[&[u8]]| {
        let run = placemat("convert --names -f cp437 -i");
        args.iter().fold(run, |run, arg| run.arg(os(arg))).within(&d).run()
    };
    // A directory without -r keeps what is in it. The same path twice is one.
    names(&[b"a\x82/b\x82", b"./a\x82/b\x82/"]).writes("");
    assert_eq!(tree(&d.path("")).len(), 3);
    assert!(d.path(os(b"a\x82/b\xC3\xA9/c\x82")).exists());
    // A directory, and a file in it, in any order.
    names(&[b"a\x82", b"a\x82/b\xC3\xA9/c\x82"]).writes("");
    assert!(d.path("aé/bé/cé").exists());
    names(&["aé".as_bytes()]).ends(1).mentions(&["its name is UTF-8 already"]);
    names(&[b"nope"]).ends(2).mentions(&["nope: no such file or directory"]);
    names(&[b"."]).writes("");
    names(&[b"-"]).ends(2).mentions(&["not standard input"]);
    names(&[]).ends(2).mentions(&["not standard input"]);
}

#[test]
fn a_log_is_not_trusted() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    d.write(os(b"t/\x82"), "1");
    let run = |args: &str| placemat(&format!("convert --names {args}")).within(&d).run();
    run("-f cp437 -ri --log log t").writes("");
    run("-f cp437 -ri --log log t").ends(2).mentions(&["exists already"]);
    // The old name is taken by now.
    d.write(os(b"t/\x82"), "2");
    run("-i --undo log").ends(2).mentions(&["left as it was: \\x82 exists already"]);
    assert_eq!((d.read("t/é"), d.read(os(b"t/\x82"))), (b"1".to_vec(), b"2".to_vec()));
    fs::remove_file(d.path(os(b"t/\x82"))).unwrap();
    fs::remove_file(d.path("t/é")).unwrap();
    run("-i --undo log").ends(2).mentions(&["no such file"]);
    let here = d.path("t");
    let here = here.display();
    for line in [
        "{}".to_owned(),
        "x".to_owned(),
        format!("{{\"rename\":1,\"directory\":\"{here}\",\"from\":\"../x\",\"to\":\"y\"}}"),
        format!("{{\"rename\":1,\"directory\":\"{here}\",\"from\":\"x\",\"to\":\"..\"}}"),
        format!("{{\"rename\":1,\"directory\":\"{here}\",\"from\":\"x\",\"to\":\"\"}}"),
        format!("{{\"rename\":2,\"directory\":\"{here}\",\"from\":\"x\",\"to\":\"y\"}}"),
        "{\"rename\":1,\"directory\":\"t\",\"from\":\"x\",\"to\":\"y\"}".to_owned(),
        format!("{{\"rename\":1,\"directory\":\"{here}\",\"from\":\"x\",\"to\":\"y\",\"to_bytes\":\"zz\"}}"),
    ] {
        d.write("bad", format!("{line}\n"));
        run("-i --undo bad").ends(2).mentions(&["bad: line 1 is not a rename"]);
    }
    // A link in place of the directory is not followed.
    folder(&d, &[b"other"]);
    d.write("other/é", "3");
    fs::remove_dir_all(d.path("t")).unwrap();
    symlink("other", d.path("t")).unwrap();
    run("-i --undo log").ends(2);
    assert_eq!(d.read("other/é"), b"3");
    // The log of a run that was killed may end within a line.
    let log = d.read("log");
    d.write("cut", [&log[..], &log[..20]].concat());
    fs::remove_file(d.path("t")).unwrap();
    fs::rename(d.path("other"), d.path("t")).unwrap();
    run("-i --undo cut").writes("");
    assert_eq!(d.read(os(b"t/\x82")), b"3");
    placemat("repair -i --undo log")
        .within(&d)
        .run()
        .ends(2)
        .mentions(&["`placemat convert --names -i --undo LOG`"]);
    // Nothing was renamed, so there is no log.
    run("-f cp437 -ri --log empty t/nope").ends(2);
    assert!(!d.path("empty").exists());
}

/// A run that is killed leaves each file under its old name or its new one, and another run goes on.
#[test]
fn a_killed_run_goes_on() {
    let d = Directory::new();
    let t = folder(&d, &[b"t"]);
    for i in 0..3000 {
        let dir = folder(&d, &[b"t", format!("d{}", i / 300).as_bytes()]);
        fs::write(dir.join(i.to_string()), "").unwrap();
        fs::rename(dir.join(i.to_string()), dir.join(os(&[i.to_string().as_bytes(), b"\x82"].concat())))
            .unwrap();
    }
    let mut log = 0;
    for wait in [0, 1, 2, 4, 8, 16, 3000] {
        log += 1;
        let mut run: Run = placemat(&format!("convert --names -f cp437 -ri --log log{log} t")).within(&d);
        let mut child = run
            .command
            .stdin(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        if wait < 3000 {
            std::thread::sleep(core::time::Duration::from_millis(wait));
            let _ = child.kill();
        }
        child.wait().unwrap();
        assert_eq!(tree(&t).len(), 3010);
    }
    let names = tree(&t).into_keys().filter(|name| name.ends_with("é".as_bytes())).count();
    assert_eq!(names, 3000);
    for log in (1..=log).rev().filter(|log| d.path(format!("log{log}")).exists()) {
        placemat(&format!("convert --names -qi --undo log{log}")).within(&d).run().ends(0);
    }
    assert_eq!(tree(&t).into_keys().filter(|name| name.ends_with(b"\x82")).count(), 3000);
}

#[test]
fn options_that_do_not_go_together() {
    let d = Directory::new();
    d.write("a", "");
    for args in [
        "--names -i.bak a",
        "--names -o b a",
        "--names --output-dir b a",
        "--names --eol lf a",
        "--names --unwrap base64 a",
        "--names --clean bidi a",
        "--names -L a",
        "--names --normalize net a",
        "--names --log l a",
        "--names --undo l a",
        "--undo l",
        "--log l -i a",
        "-r a",
    ] {
        placemat(&format!("convert {args}")).within(&d).run().ends(2).wrote("");
        assert_eq!(tree(&d.path("")).len(), 1, "{args}");
    }
}
