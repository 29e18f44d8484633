//! `detect --names` and `check --names`: names in ZIP and tar archives, and in directories.
//!
//! Python's `zipfile` and `tarfile` write the archives.

#![cfg(target_os = "linux")]

use crate::run::{Directory, Ran, placemat};
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Command;

/// Runs a program of Python in the directory; `None` if there is no Python.
fn python(d: &Directory, program: &str) -> Option<String> {
    let ran = Command::new("python3").arg("-c").arg(program).current_dir(d.path("")).output();
    let Ok(ran) = ran else {
        let _ = writeln!(std::io::stderr(), "\nWARNING: archive_names: NOT run, because there is no python3");
        return None;
    };
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    Some(String::from_utf8(ran.stdout).unwrap())
}

/// Writes a ZIP archive: for each file its flag, the bytes of its name, and its extra fields, as Python writes them.
fn zip(d: &Directory, files: &str) -> Option<String> {
    python(
        d,
        &format!(
            "import zipfile, zlib, struct, warnings
warnings.simplefilter('ignore')
def up(crc_of, name): data = b'\\x01' + struct.pack('<I', zlib.crc32(crc_of)) + name; return struct.pack('<HH', 0x7075, len(data)) + data
class Info(zipfile.ZipInfo):
    def _encodeFilenameFlags(self): return self.raw, self.flag
z = zipfile.ZipFile('a.zip', 'w')
for flag, raw, extra in {files}:
    i = Info('x'); i.raw = raw; i.flag = flag << 11; i.extra = extra
    z.writestr(i, b'text')
z.close()"
        ),
    )
}

fn detect(d: &Directory, args: &str) -> Ran {
    placemat(&format!("detect --names {args}")).within(d).run()
}

#[test]
fn zip_names_by_their_bytes_and_flags() {
    for (files, head, lines) in [
        // Legacy names, as old programs write them.
        (
            "[(0, 'Größe und Maße.txt'.encode('cp437'), b''), (0, 'Übersicht für Müller.txt'.encode('cp437'), b''), (0, 'Änderungen.txt'.encode('cp437'), b'')]",
            "",
            &[
                "  Gr\\x94\\xe1e und Ma\\xe1e.txt  Größe und Maße.txt\n",
                "  \\x8enderungen.txt  Änderungen.txt\n",
            ][..],
        ),
        (
            "[(0, n.encode('cp866'), b'') for n in ['Договор аренды.doc', 'Фотографии/море.jpg', 'Письмо директору.txt']]",
            "a.zip: IBM866",
            &["  Договор аренды.doc\n", "Фотографии/море.jpg\n"],
        ),
        (
            "[(0, n.encode('shift_jis'), b'') for n in ['日本語の資料.txt', '会議の議事録.doc', '新しいフォルダー/写真.jpg']]",
            "a.zip: Shift_JIS",
            &["  日本語の資料.txt\n", "写真.jpg\n"],
        ),
        (
            "[(0, n.encode('gbk'), b'') for n in ['我的文档.txt', '公司会议记录.doc', '新建文件夹/照片.jpg']]",
            "a.zip: GB18030",
            &["  我的文档.txt\n"],
        ),
        (
            "[(0, n.encode('euc-kr'), b'') for n in ['새 폴더/회의록 모음.hwp', '사진과 동영상.jpg', '우리 회사 문서.txt']]",
            "a.zip: EUC-KR",
            &["  사진과 동영상.jpg\n"],
        ),
        // UTF-8, flagged and not.
        ("[(1, 'été.txt'.encode(), b''), (0, b'plain', b'')]", "a.zip: UTF-8", &["  été.txt\n  plain\n"]),
        (
            "[(0, 'été.txt'.encode(), b''), (0, 'größe'.encode(), b'')]",
            "a.zip: UTF-8",
            &[
                "  été.txt\n    is UTF-8, and its flag does not say so (bit 11): many programs read it as ├⌐t├⌐.txt\n",
            ],
        ),
        // The flag lies.
        (
            "[(1, b'caf\\x82.txt', b''), (1, 'é'.encode(), b'')]",
            "",
            &["    it is flagged as UTF-8 (bit 11), but ill-formed: continuation byte 0x82 at byte 3"],
        ),
        // The extra field has the name; another one; an old one; one that is not UTF-8.
        ("[(0, b'caf\\x82', up(b'caf\\x82', 'café'.encode()))]", "", &["  caf\\x82  café\n"]),
        (
            "[(0, b'plain', up(b'plain', 'other'.encode()))]",
            "a.zip: US-ASCII",
            &["  plain\n    its extra field 0x7075 has another name: other\n"],
        ),
        (
            "[(0, b'new', up(b'old', 'old'.encode()))]",
            "a.zip: US-ASCII",
            &["    its extra field 0x7075 is about another name, so that programs ignore it\n"],
        ),
        (
            "[(0, b'a', up(b'a', b'\\xff'))]",
            "a.zip: US-ASCII",
            &["    the name in its extra field 0x7075 is not UTF-8\n"],
        ),
        (
            "[(0, b'a\\x1b[31m', b''), (0, b'a\\x1b[31m', b'')]",
            "a.zip: US-ASCII",
            &[
                "  a\\x1b[31m\n    contains a control character, U+001B\n    is in the archive more than once\n",
            ],
        ),
    ] {
        let d = Directory::new();
        if zip(&d, files).is_none() {
            return;
        }
        let ran = detect(&d, "a.zip");
        let text = String::from_utf8(ran.stdout).unwrap();
        assert!(text.starts_with(head), "{files}: {text}");
        for line in lines {
            assert!(text.contains(line), "{files}: no {line:?} in {text}");
        }
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{text}");
    }
}

#[test]
fn tar_names_of_all_formats() {
    let make = |format: &str, names: &str, more: &str| {
        format!(
            "import tarfile, io
t = tarfile.open('a.tar{more}', 'w:{}', format=tarfile.{format}, encoding='utf-8', errors='surrogateescape')
for n in {names}:
    i = tarfile.TarInfo(n.decode('utf-8', 'surrogateescape')); i.size = 3; t.addfile(i, io.BytesIO(b'abc'))
t.close()",
            more.trim_start_matches('.')
        )
    };
    let russian =
        "[n.encode('koi8-r') for n in ['Отчёт за год.txt', 'Фотографии/море.jpg', 'Письмо директору.txt']]";
    for (format, names, more, head, line) in [
        ("USTAR_FORMAT", russian, "", "a.tar: KOI8-R", "Фотографии/море.jpg\n"),
        ("GNU_FORMAT", russian, ".gz", "a.tar.gz: KOI8-R", "Письмо директору.txt\n"),
        ("PAX_FORMAT", russian, "", "a.tar: KOI8-R", "Отчёт за год.txt\n"),
        ("GNU_FORMAT", "['é'.encode() * 90, b'plain']", "", "a.tar: UTF-8", "éééé\n  plain\n"),
        ("PAX_FORMAT", "['é'.encode() * 90, b'x' * 150]", "", "a.tar: UTF-8", "xxxx\n"),
        ("USTAR_FORMAT", "[b'd' * 90 + b'/' + 'ü'.encode()]", ".gz", "a.tar.gz: UTF-8", "ddd/ü\n"),
        ("GNU_FORMAT", "[b'a', b'b/c']", "", "a.tar: US-ASCII", "  a\n  b/c\n"),
        ("PAX_FORMAT", "[]", "", "a.tar: ", ""),
    ] {
        let d = Directory::new();
        if python(&d, &make(format, names, more)).is_none() {
            return;
        }
        let ran = detect(&d, &format!("a.tar{more}"));
        let text = String::from_utf8(ran.stdout).unwrap();
        if names != "[]" {
            assert!(text.starts_with(head) && text.contains(line), "{format} {names}: {text}{}", ran.stderr);
        }
    }
    // A pax record that is not UTF-8, without hdrcharset.
    let d = Directory::new();
    let program = "import tarfile, io
t = tarfile.open('a.tar', 'w', format=tarfile.PAX_FORMAT)
i = tarfile.TarInfo('x'); i.pax_headers = {'path': 'QQQ', 'comment': 'é'}; t.addfile(i)
t.close()
b = open('a.tar', 'rb').read(); assert b.count(b'path=QQQ') == 1
open('a.tar', 'wb').write(b.replace(b'path=QQQ', b'path=Q\\x82Q'))";
    if python(&d, program).is_some() {
        placemat("check --names a.tar").within(&d).run().ends(1).wrote(
            "a.tar: Q\\x82Q: name: a name in pax is UTF-8 unless hdrcharset=BINARY says otherwise: continuation byte 0x82 at \
             byte 1: no lead byte before it; looks like windows-1252 '‚'\n",
        );
    }
}

#[test]
fn names_of_directories() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    let encoding = placemat::Encoding::KOI8_R;
    for name in ["Отчёт за год", "Фотографии", "Письмо директору", "Список сотрудников"]
    {
        let bytes = encoding.encode(name, placemat::UnmappablePolicy::Stop).unwrap();
        fs::write(d.path("t").join(OsStr::from_bytes(&bytes)), "").unwrap();
    }
    fs::write(d.path("t").join("café"), "").unwrap();
    let ran = detect(&d, "t");
    let text = String::from_utf8(ran.stdout.clone()).unwrap();
    assert!(
        text.starts_with("t: KOI8-R") && text.lines().count() == 5 && text.contains("Фотографии\n"),
        "{text}"
    );
    assert_eq!(ran.stderr, "t: `placemat convert --names -f koi8-r -r` shows the names in UTF-8\n");
    let ran = placemat("check --names t").within(&d).run();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert_eq!((ran.status, text.lines().count()), (1, 4), "{text}");
    assert!(text.lines().all(|line| line.starts_with("t/\\x") && line.contains(": name: ")), "{text}");
    placemat("check --names -f koi8-r t").within(&d).run().ends(0);
    placemat("check --names -q t").within(&d).run().ends(1).wrote("").says("");
    let json = placemat("check --names --format jsonl t").within(&d).run();
    for line in String::from_utf8(json.stdout).unwrap().lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(value["name_bytes"].is_string() && value["kind"].is_string(), "{line}");
    }
    for args in
        ["check --names nope", "detect --names nope", "detect --names", "check --names --format sarif t"]
    {
        placemat(args).within(&d).run().ends(2).wrote("");
    }
    // A file that is no archive, and one that is damaged.
    d.write("notes.txt", "text");
    detect(&d, "notes.txt").ends(0);
    d.write("bad.zip", b"PK\x05\x06\0\0\0\0\x01\0\x01\0\x60\0\0\0\xFF\0\0\0\0\0");
    detect(&d, "bad.zip").ends(2).says("placemat: bad.zip: the end of the archive is damaged\n");
    d.write("cut.zip", b"PK\x03\x04\x14\0\0\0\0\0\0\0\x21\0");
    let lost = "placemat: cut.zip: the archive is cut off: its list of files is missing\n";
    detect(&d, "cut.zip").ends(2).says(lost);
}
