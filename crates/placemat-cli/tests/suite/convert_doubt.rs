//! `convert --in-place` changes no file that is in another encoding than `--from`.

use crate::run::{Directory, placemat, utf16be, utf16le};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Returns one file of each kind that a directory of sources may have.
fn zoo() -> Vec<(&'static str, Vec<u8>)> {
    let png = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1F\xF3\xFFa".to_vec();
    let elf = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0\x40\x10\0\0\0\0\0\0".to_vec();
    let zip = b"PK\x03\x04\x14\0\0\0\x08\0\x21\x58\x56\x58\0\0\0\0\0\0\0\0\x05\0\0\0a.txt\0".to_vec();
    let utf32 = "utf-32\n".chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    vec![
        ("a.c", b"int main(void) { return 0; }\n\n".to_vec()),
        ("odd.c", b"int x;\n".to_vec()),
        ("elf", elf),
        ("empty", Vec::new()),
        ("french.txt", "déjà vu\n".into()),
        ("latin1.txt", b"d\xE9j\xE0 vu \xF7\n".to_vec()),
        ("le.txt", utf16le("plain déjà 日本\r\n")),
        ("be.txt", utf16be("plain déjà 日本\r\n")),
        ("le-bom.txt", utf16le("\u{FEFF}日本")),
        ("be-bom.txt", utf16be("\u{FEFF}日本")),
        ("picture.png", png),
        ("utf-32.txt", utf32),
        ("utf-8-bom.txt", "\u{FEFF}déjà vu\n".into()),
        ("z.zip", zip),
    ]
}

fn tree(d: &Directory) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(d.path("t")).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries.map(|path| (name(&path), fs::read(&path).unwrap())).collect()
}

fn fresh(d: &Directory) -> BTreeMap<String, Vec<u8>> {
    let _ = fs::remove_dir_all(d.path("t"));
    fs::create_dir(d.path("t")).unwrap();
    for (name, bytes) in zoo() {
        d.write(format!("t/{name}"), bytes);
    }
    tree(d)
}

/// Returns the file names in the lines of a message or of data.
fn told(text: &str, what: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains(what));
    lines.map(|line| line.split(':').next().unwrap().trim_start_matches("t/").to_owned()).collect()
}

#[test]
fn a_directory_is_not_turned_into_chinese() {
    let d = Directory::new();
    let cases = [
        ("utf-16", &["be-bom.txt", "le-bom.txt", "le.txt"][..]),
        ("ucs-2", &["be-bom.txt", "le-bom.txt", "le.txt"]),
        ("utf-16le", &["le-bom.txt", "le.txt"]),
        ("utf-16be", &["be-bom.txt", "be.txt"]),
        ("utf-32", &["utf-32.txt"]),
        ("utf-32le", &["utf-32.txt"]),
        ("utf-32be", &[]),
        ("ucs-4", &[]),
        ("utf-8-bom", &["utf-8-bom.txt"]),
    ];
    for (from, taken) in cases {
        let before = fresh(&d);
        let args = format!("convert -f {from} -t utf-8 -ri t");
        let dry = placemat(&args).args("--dry-run").within(&d).run();
        assert_eq!(tree(&d), before, "{from}");
        let ran = placemat(&args).within(&d).run();
        // Skipping is not a failure in a directory.
        ran.ends(0).wrote("");
        let after = tree(&d);
        let changed: Vec<_> = before.keys().filter(|name| before[*name] != after[*name]).collect();
        assert_eq!(changed, taken, "{from}");
        for name in taken {
            let text = String::from_utf8(after[*name].clone()).unwrap();
            let text = text.trim_start_matches('\u{FEFF}');
            assert!(
                text.starts_with("plain déjà") || matches!(text, "日本" | "utf-32\n" | "déjà vu\n"),
                "{from} {name}"
            );
        }
        // A message names all other files, except one that no conversion could harm, and binary
        // files.
        let binary = |name: &str| {
            from == "utf-8-bom"
                && before[name].contains(&0)
                && !before[name].starts_with(b"\xFF\xFE")
                && !before[name].starts_with(b"\xFE\xFF")
        };
        let others: Vec<_> = before
            .keys()
            .filter(|name| *name != "empty" && !taken.contains(&name.as_str()) && !binary(name))
            .collect();
        assert_eq!(told(&ran.stderr, ": skipped: "), others.iter().map(|n| n.as_str()).collect::<Vec<_>>());
        ran.mentions(&[&format!(": {} in another encoding", others.len())]);
        let data = String::from_utf8(dry.ends(0).stdout.clone()).unwrap();
        assert_eq!(told(&data, ": would change, "), taken, "{from}");
        assert_eq!(told(&data, ": skipped: ").len(), others.len(), "{from}");
    }
}

#[test]
fn what_is_utf8_already_is_not_converted_twice() {
    let d = Directory::new();
    for from in
        ["latin1", "cp1252", "shift_jis", "iso-2022-jp", "koi8-r", "gb18030", "utf-7", "scsu", "ibm037"]
    {
        for to in ["utf-8", "utf-16"] {
            fresh(&d);
            for (name, _) in zoo().iter().filter(|(name, _)| !matches!(*name, "french.txt" | "utf-8-bom.txt"))
            {
                fs::remove_file(d.path(format!("t/{name}"))).unwrap();
            }
            let before = tree(&d);
            let args = format!("convert -f {from} -t {to}");
            placemat(&args).args("-ri t").within(&d).run().ends(0).wrote("").says(
                "t/french.txt: skipped: it is UTF-8 already (--force converts it)\n\
                 t/utf-8-bom.txt: skipped: it begins with the signature of UTF-8 (--force converts it)\n\
                 placemat: skipped 2 files: 2 in another encoding\n",
            );
            placemat(&args).args("-ri --dry-run t").within(&d).run().ends(0).wrote(
                "t/french.txt: skipped: it is UTF-8 already (--force converts it)\n\
                 t/utf-8-bom.txt: skipped: it begins with the signature of UTF-8 (--force converts it)\n",
            );
            // For a named file, a message says that it was not changed.
            placemat(&args)
                .args("-i t/french.txt")
                .within(&d)
                .run()
                .ends(1)
                .wrote("")
                .says("placemat: t/french.txt: left as it was: it is UTF-8 already (--force converts it)\n");
            placemat(&args)
                .args("-i --dry-run t/french.txt")
                .within(&d)
                .run()
                .ends(1)
                .says("")
                .wrote("t/french.txt: would be refused: it is UTF-8 already (--force converts it)\n");
            assert_eq!(tree(&d), before, "{from}");
        }
    }
    // Output to a stream harms no file, so there is no check.
    placemat("convert -f latin1 t/french.txt").within(&d).run().writes("dÃ©jÃ\u{A0} vu\n");
    placemat("convert -f latin1 -i --force t/french.txt").within(&d).run().writes("");
    assert_eq!(d.read("t/french.txt"), "dÃ©jÃ\u{A0} vu\n".as_bytes());
    placemat("convert -f latin1 --force t/french.txt").within(&d).run().ends(0);
    // The bytes stay, with other line ends.
    d.write("t/french.txt", "déjà\n");
    placemat("convert -f latin1 -t latin1 --eol crlf -i t/french.txt").within(&d).run().writes("");
    assert_eq!(d.read("t/french.txt"), "déjà\r\n".as_bytes());
}

/// In every encoding, a second run changes nothing.
#[test]
fn twice_is_once() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    let text = "déjà vu ÷ 1\n";
    let latin1: Vec<u8> = text.chars().map(|c| u8::try_from(c).unwrap()).collect();
    for to in ["utf-8", "utf-8-bom", "utf-16", "utf-16le", "utf-16be", "utf-32", "utf-32le", "ucs-2be"] {
        for (from, old) in [("latin1", latin1.as_slice()), ("utf-8", text.as_bytes())] {
            if from == to {
                continue;
            }
            for args in ["-ri t", "-i t/a", "-ai t/a"] {
                d.write("t/a", old);
                let args = format!("convert -f {from} -t {to} {args}");
                placemat(&args).within(&d).run().writes("");
                let once = d.read("t/a");
                let again = placemat(&args).within(&d).run();
                assert_eq!(d.read("t/a"), once, "{args}");
                if (from, to) != ("utf-8", "utf-8-bom") {
                    assert!(again.status == i32::from(!args.contains("-ri")), "{args}: {again:?}");
                    // In a directory, files with NULs are skipped as binary without a message.
                    let binary =
                        args.contains("-ri") && !matches!(to, "utf-8" | "utf-8-bom" | "utf-16" | "utf-32");
                    assert_eq!(again.stderr.contains("t/a: "), !binary, "{args}: {again:?}");
                }
            }
        }
    }
}

#[test]
fn ascii_is_not_read_as_what_it_is_not() {
    let d = Directory::new();
    for from in ["utf-16", "utf-16be", "utf-32le", "ucs-2", "ibm037", "ibm1047"] {
        d.write("a.c", "int main();\n\n\n");
        let ran = placemat(&format!("convert -f {from} -i a.c")).within(&d).run();
        ran.ends(1)
            .mentions(&["placemat: a.c: left as it was: it is ASCII, not ", " (--force converts it)\n"]);
        assert_eq!(d.read("a.c"), b"int main();\n\n\n");
    }
    // A named file is converted without evidence against it.
    d.write("cjk", utf16le("日本語"));
    placemat("convert -f utf-16 -i cjk").within(&d).run().writes("");
    assert_eq!(d.read("cjk"), "日本語".as_bytes());
    d.write("a.c", "int main();\n");
    placemat("convert -f utf-16 --force -i a.c").within(&d).run().writes("");
    assert_eq!(d.read("a.c"), "湩⁴慭湩⤨਻".as_bytes());
}

/// The check examines the decoded text, not the transfer encoding around it.
#[test]
fn the_text_is_asked_and_not_what_is_around_it() {
    let d = Directory::new();
    d.write("a", "caf=C3=A9\n");
    placemat("convert --unwrap quoted-printable -f latin1 -i a")
        .within(&d)
        .run()
        .ends(1)
        .says("placemat: a: left as it was: it is UTF-8 already (--force converts it)\n");
    d.write("a", "caf=E9\n");
    placemat("convert --unwrap quoted-printable -f latin1 -i a").within(&d).run().writes("");
    assert_eq!(d.read("a"), "café\n".as_bytes());
    d.write("a", "caf=Z\n");
    placemat("convert --unwrap quoted-printable -f latin1 -i a").within(&d).run().ends(1);
    assert_eq!(d.read("a"), b"caf=Z\n");
}

/// The check reads a long file to its end.
#[test]
fn long_files() {
    let d = Directory::new();
    let long = "x".repeat(3_000_000);
    d.write("a", format!("{long}é"));
    placemat("convert -f latin1 -i a").within(&d).run().ends(1).mentions(&["is UTF-8 already"]);
    d.write("a", [format!("é{long}").as_bytes(), b"\xE9"].concat());
    placemat("convert -f latin1 -i a").within(&d).run().writes("");
    assert_eq!(d.read("a"), format!("Ã©{long}é").as_bytes());
}

#[test]
fn backups_are_no_input() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    let files = 320;
    let name = |i: usize| format!("t/{i:03}.txt");
    let old =
        |i: usize| format!("caf\u{E9} {i}\n").chars().map(|c| u8::try_from(c).unwrap()).collect::<Vec<u8>>();
    for i in 0..files {
        d.write(name(i), old(i));
    }
    placemat("convert -f latin1 -r -i=.orig t").within(&d).run().writes("");
    let check = || {
        for i in 0..files {
            assert_eq!(d.read(format!("{}.orig", name(i))), old(i), "{i}");
            assert_eq!(d.read(name(i)), format!("café {i}\n").as_bytes(), "{i}");
        }
        assert_eq!(fs::read_dir(d.path("t")).unwrap().count(), 2 * files);
    };
    check();
    // All files are UTF-8 now; no message mentions the backups.
    let again = placemat("convert -f latin1 -r -i=.orig t").within(&d).run();
    check();
    assert_eq!(again.ends(0).stderr.lines().count(), files + 1);
    again.mentions(&["placemat: skipped 640 files: 320 in another encoding, 320 backups\n"]);
    let told = placemat("convert -f latin1 -r -i=.orig -v -g *.orig t").within(&d).run();
    told.ends(0).mentions(&[
        "t/000.txt.orig: skipped as a backup: its name ends in .orig\n",
        "placemat: skipped 320 files: 320 backups\n",
    ]);
    check();
    // The files have changed since: their backups are worth more than the new text.
    for i in 0..files {
        d.write(name(i), b"new \xE9\n");
    }
    let dry = placemat("convert -f latin1 -r -i=.orig --dry-run t").within(&d).run();
    let left = String::from_utf8(dry.ends(2).says("").stdout.clone()).unwrap();
    assert_eq!(left.matches(": would be left as it was: t/").count(), files, "{left}");
    let ran = placemat("convert -f latin1 -r -i=.orig t").within(&d).run();
    ran.ends(2)
        .wrote("")
        .mentions(&["t/000.txt: 000.txt.orig exists already, and a backup never overwrites a file"]);
    assert_eq!(ran.stderr.lines().count(), files);
    for i in 0..files {
        assert_eq!(d.read(format!("{}.orig", name(i))), old(i), "{i}");
        assert_eq!(d.read(name(i)), b"new \xE9\n", "{i}");
    }
}
