//! `repair`: what it changes, says and records, and the way back.

use crate::run::{Directory, placemat, utf16le};
use std::fs;

const DAMAGED: &[u8] = b"na\xC3\x83\xC2\xAFve caf\xC3\x83\xC2\xA9s\nd\xE9j\xE0 vu\nfine \xC3\xA9\n";
const REPAIRED: &str = "naïve cafés\ndéjà vu\nfine é\n";

#[test]
fn damaged_text_becomes_well_formed() {
    placemat("repair").reads(DAMAGED).run().ends(0).writes(REPAIRED);
    placemat("repair").reads(REPAIRED).run().ends(0).writes(REPAIRED);
    placemat("repair").reads("").run().ends(0).writes("");
    placemat("repair --fallback koi8-r").reads(b"\xE4\xC1").run().ends(0).writes("Да");
    let (text, signed) = ("cafés\n", utf16le("\u{FEFF}cafÃ©s\n"));
    placemat("repair").reads(signed).run().ends(0).writes(text);
}

#[test]
fn lost_text_ends_with_status_1() {
    placemat("repair").reads(b"a\xC0\xAFb").run().ends(1).wrote("a\u{FFFD}\u{FFFD}b");
    placemat("repair -e backslashreplace").reads(b"a\xC0\xAFb").run().ends(1).wrote(r"a\xc0\xafb");
    placemat("repair -e strict").reads(b"a\xC0\xAFb").run().ends(1).mentions(&["lost at byte 1"]);
}

#[test]
fn steps_and_confidence_limit_the_changes() {
    placemat("repair --steps bytes").reads(DAMAGED).run().ends(0).wrote("naÃ¯ve cafÃ©s\ndéjà vu\nfine é\n");
    placemat("repair --steps mojibake").reads(DAMAGED).run().ends(1);
    placemat("repair --steps magic")
        .reads("")
        .run()
        .ends(2)
        .mentions(&["unknown step \"magic\"", "mojibake"]);
    placemat("repair --min-confidence 2").reads("").run().ends(2).mentions(&["from 0 to 1"]);
    placemat("repair --min-confidence 1").reads("cafÃ©s").run().ends(0).writes("cafÃ©s");
}

#[test]
fn changes_are_explained_and_shown() {
    let d = Directory::new();
    d.write("a", DAMAGED);
    let ran = placemat("repair --dry-run --explain a").within(&d).run();
    let said = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    for part in [
        "a:1:3: byte 2: mojibake: \"Ã¯\" -> \"ï\": UTF-8 read as windows-1252 (gain ",
        "a:2:2: byte 19: bytes: e9 -> \"é\": bytes of windows-1252",
        "a: would change, 34 bytes to ",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    let ran = placemat("repair --dry-run --diff a").within(&d).run();
    let said = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    let lines = "--- a\n+++ a (repaired)\n@@ -1 +1 @@\n-naÃ¯ve cafÃ©s\n+naïve cafés\n@@ -2 +2 @@\n-d\\xe9j\\xe0 vu\n+déjà vu\n";
    assert!(said.starts_with(lines), "{said}");
    assert_eq!(d.read("a"), DAMAGED);
    // Nothing of the text reaches a terminal raw.
    let ran = placemat("repair --explain")
        .reads(b"\x1B[31m\xE9\x1B\n\xC3\x83\xC2\xA9\x1B[0m caf\xC3\x83\xC2\xA9s")
        .run();
    assert!(!ran.stderr.contains('\x1B'), "{}", ran.stderr);
}

#[test]
fn a_log_is_the_way_back() {
    let d = Directory::new();
    for (name, source) in [
        ("utf8", DAMAGED.to_vec()),
        ("utf16", [utf16le("\u{FEFF}cafÃ©s\n"), vec![0, 0xD8]].concat()),
        ("long", [&b"x".repeat(200_000)[..], DAMAGED, &b"y ".repeat(100_000), b"\xFF"].concat()),
        ("good", REPAIRED.into()),
        ("empty", Vec::new()),
    ] {
        d.write(name, &source);
        let log = format!("{name}.log");
        let ran = placemat(&format!("repair -i --log {log} {name}")).within(&d).run();
        assert!(ran.status < 2, "{}", ran.stderr);
        let repaired = d.read(name);
        assert!(core::str::from_utf8(&repaired).is_ok());
        assert_eq!(repaired == source, name == "good" || name == "empty");
        placemat(&format!("repair --undo {log} {name}")).within(&d).run().ends(0).writes(&source);
        placemat(&format!("repair -i --undo {log} {name}")).within(&d).run().ends(0).writes("");
        assert!(d.read(name) == source, "{name}");
        // Another text is refused, and so is a log that is there already.
        d.write("other", "other\n");
        placemat(&format!("repair -i --undo {log} other"))
            .within(&d)
            .run()
            .ends(2)
            .mentions(&["not a file that"]);
        assert_eq!(d.read("other"), b"other\n");
        let again = placemat(&format!("repair -i --log {log} {name}")).within(&d).run();
        again.ends(2).mentions(&["never overwritten"]);
        assert!(d.read(name) == source);
    }
}

#[test]
fn one_log_serves_several_files() {
    let d = Directory::new();
    fs::create_dir(d.path("tree")).unwrap();
    let sources =
        [("tree/a", DAMAGED.to_vec()), ("tree/b", b"\xE9t\xE9".to_vec()), ("tree/c", b"plain".to_vec())];
    for (name, source) in &sources {
        d.write(name, source);
    }
    placemat("repair -ri --log log tree").within(&d).run().ends(0).writes("");
    assert_eq!(d.read("tree/b"), "été".as_bytes());
    placemat("repair -i --undo log tree/c tree/b tree/a").within(&d).run().ends(0).writes("");
    for (name, source) in &sources {
        assert!(d.read(name) == *source, "{name}");
    }
}

#[test]
fn a_damaged_log_restores_nothing() {
    let d = Directory::new();
    d.write("a", DAMAGED);
    placemat("repair -i --log log a").within(&d).run().ends(0);
    let (repaired, log) = (d.read("a"), String::from_utf8(d.read("log")).unwrap());
    let cut = log.rfind("{\"step\"").unwrap();
    for bad in [
        log.replace("c383c2a9", "c383c2a8"),
        log[..cut].to_owned(),
        log.replace("\"after\":\"é\"", "\"after\":\"è\""),
    ] {
        assert_ne!(bad, log);
        d.write("bad", &bad);
        placemat("repair -i --undo bad a").within(&d).run().ends(2).mentions(&["damaged"]);
        assert_eq!(d.read("a"), repaired);
    }
    placemat("repair -i --undo log a").within(&d).run().ends(0);
    assert_eq!(d.read("a"), DAMAGED);
}

#[test]
fn files_are_changed_only_as_asked() {
    let d = Directory::new();
    d.write("a", DAMAGED);
    placemat("repair -i.bak a").within(&d).run().writes("");
    assert_eq!((d.read("a"), d.read("a.bak")), (REPAIRED.into(), DAMAGED.to_vec()));
    d.write("b", DAMAGED);
    placemat("repair -o c b").within(&d).run().writes("");
    assert_eq!((d.read("b"), d.read("c")), (DAMAGED.to_vec(), REPAIRED.into()));
    placemat("repair -o b b").within(&d).run().ends(2).mentions(&["same file"]);
    placemat("repair -i").reads("").run().ends(2).mentions(&["not standard input"]);
    // In a directory, backups are no texts to repair, so a second run changes nothing.
    fs::create_dir(d.path("tree")).unwrap();
    d.write("tree/a", DAMAGED);
    for _ in 0..2 {
        placemat("repair -ri.bak tree").within(&d).run().writes("");
        let names: Vec<_> =
            fs::read_dir(d.path("tree")).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert_eq!((d.read("tree/a"), d.read("tree/a.bak")), (REPAIRED.into(), DAMAGED.to_vec()));
    }
    // A program is no text, and its bytes would be lost. UTF-16 has NULs too.
    let program = b"\x7FELF\x02\x01\x01\0\0\0\xE9\xFF\0\0";
    d.write("program", program);
    let said = "placemat: program: is binary; left as it was (-a repairs it anyway)\n";
    placemat("repair -i program").within(&d).run().ends(1).says(said);
    assert_eq!(d.read("program"), program);
    placemat("repair -a -i program").within(&d).run();
    assert_ne!(d.read("program"), program);
    d.write("wide", utf16le("\u{FEFF}cafÃ©s\n"));
    placemat("repair -i wide").within(&d).run().writes("");
    assert_eq!(d.read("wide"), "cafés\n".as_bytes());
    // Lost text with --errors strict: the file stays.
    d.write("lost", b"\xC0\xAF");
    placemat("repair -i -e strict lost").within(&d).run().ends(1);
    assert_eq!(d.read("lost"), b"\xC0\xAF");
    placemat("repair -i .").within(&d).run().ends(2).mentions(&["is a directory"]);
}

#[test]
fn check_reports_mojibake() {
    let ran = placemat("check --lint mojibake").reads("fine é\ncafÃ©s and “Ã©”, naÃ¯ve\n").run();
    let said = String::from_utf8(ran.ends(1).stdout.clone()).unwrap();
    let part = "<stdin>:2:4: mojibake \"Ã©\" at byte 11: UTF-8 that was read as windows-1252";
    assert!(said.contains(part), "{said}");
    placemat("check --lint mojibake").reads("fine é, “Ã©”\n").run().ends(0).writes("");
}
