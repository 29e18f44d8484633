//! `repair`: its changes, its messages, its log, and how to undo them.

use crate::run::{Directory, placemat, utf16le};
use std::fs;
use std::process::Command;

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
fn the_lines_of_a_diff_are_red_and_green() {
    let d = Directory::new();
    d.write("a", "cafÃ©\n");
    let shown = "--- a\n+++ a (repaired)\n\u{1B}[36m@@ -1 +1 @@\u{1B}[0m\n\u{1B}[31m-cafÃ©\u{1B}[0m\n\u{1B}[32m+café\u{1B}[0m\n";
    placemat("repair --diff -i a --color always").within(&d).run().ends(0).wrote("").says(shown);
    assert_eq!(d.read("a"), "café\n".as_bytes());
    let ran = placemat("repair --diff --color always").reads("cafÃ©\n").run();
    ran.ends(0).wrote("café\n").mentions(&["\u{1B}[31m-cafÃ©\u{1B}[0m\n\u{1B}[32m+café\u{1B}[0m"]);
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
        "a:1:3: byte 2: mojibake: \"Ã¯\" -> \"ï\": UTF-8 read as windows-1252 (",
        "a:2:2: byte 19: bytes: 0xe9 -> \"é\": bytes of windows-1252",
        "a: would change, 34 bytes to ",
    ] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert!(said.contains("% sure)") && !said.contains("nats") && !said.contains("gain"), "{said}");
    let ran = placemat("repair --dry-run --diff a").within(&d).run();
    let said = String::from_utf8(ran.ends(0).stdout.clone()).unwrap();
    let lines = "--- a\n+++ a (repaired)\n@@ -1 +1 @@\n-naÃ¯ve cafÃ©s\n+naïve cafés\n@@ -2 +2 @@\n-d\\xe9j\\xe0 vu\n+déjà vu\n";
    assert!(said.starts_with(lines), "{said}");
    assert_eq!(d.read("a"), DAMAGED);
    // No text reaches a terminal without escapes.
    let ran = placemat("repair --explain")
        .reads(b"\x1B[31m\xE9\x1B\n\xC3\x83\xC2\xA9\x1B[0m caf\xC3\x83\xC2\xA9s")
        .run();
    assert!(!ran.stderr.contains('\x1B'), "{}", ran.stderr);
}

/// The words about a change of each kind.
#[test]
fn each_kind_of_change_is_explained() {
    for (source, line) in [
        (utf16le("\u{FEFF}cafe\n"), "byte 0: wide: 0xff 0xfe -> \"\": the text is in UTF-16LE (certain)"),
        (
            b"\xED\xA0\xBD\xED\xB8\x80".to_vec(),
            "byte 0: pairs: 0xed 0xa0 0xbd 0xed 0xb8 0x80 -> \"😀\": CESU-8 (certain)",
        ),
        (b"d\xE9j\xE0 vu \xC3\xA9".to_vec(), "byte 1: bytes: 0xe9 -> \"é\": bytes of windows-1252 ("),
        (
            b"a\xC0\xAFb".to_vec(),
            "byte 1: lost: 0xc0 0xaf -> \"\u{FFFD}\u{FFFD}\": overlong, cut off, or in no encoding: the text is lost\n",
        ),
        (
            "It\u{92}s".into(),
            "byte 2: controls: \"\\x92\" -> \"’\": controls that are text in windows-1252 (",
        ),
        (
            "Ïðèâåò, êàê äåëà?".into(),
            "byte 0: legacy: \"Ïðèâåò\" -> \"Привет\": read as windows-1252, in place of windows-1251 (",
        ),
        ("cafÃ©s".into(), "byte 3: mojibake: \"Ã©\" -> \"é\": UTF-8 read as windows-1252 ("),
        ("Il a mangÃ© Ã  la cafÃ©tÃ©ria.".into(), ": UTF-8 read as windows-1252, with something lost ("),
    ] {
        let ran = placemat("repair --explain").reads(source).run();
        assert!(ran.stderr.contains(line), "{line}\n{}", ran.stderr);
    }
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
        // Another text is refused, and so is a log that exists already.
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

/// Returns a tree of three files and its log, repaired from within the directory.
fn repaired_tree() -> (Directory, [(&'static str, &'static [u8]); 3]) {
    let d = Directory::new();
    fs::create_dir_all(d.path("tree/sub")).unwrap();
    let sources = [("tree/a", DAMAGED), ("tree/sub/b", b"\xE9t\xE9"), ("tree/c", b"plain")];
    for (name, source) in sources {
        d.write(name, source);
    }
    placemat("repair -ri --log log tree").within(&d).run().writes("");
    assert_eq!(d.read("tree/sub/b"), "été".as_bytes());
    (d, sources)
}

#[test]
fn a_log_alone_restores_all_that_it_names() {
    let (d, sources) = repaired_tree();
    let ran = placemat("repair -i --undo log --dry-run").within(&d).run();
    ran.writes("tree/a: would be restored, 32 bytes to 34\ntree/sub/b: would be restored, 5 bytes to 3\n");
    assert_eq!(d.read("tree/a"), REPAIRED.as_bytes());
    placemat("repair -v -i --undo log")
        .within(&d)
        .run()
        .ends(0)
        .says("tree/a: restored\ntree/sub/b: restored\n");
    for (name, source) in sources {
        assert_eq!(d.read(name), source, "{name}");
    }
    // The second time, the files have their original texts already.
    let ran = placemat("repair -i --undo log").within(&d).run();
    ran.ends(0).wrote("").says("placemat: log: 2 files have their original text already\n");
    let ran = placemat("repair -i --undo log tree/a").within(&d).run();
    ran.ends(0).wrote("").says("placemat: tree/a: has its original text already\n");
    let ran = placemat("repair --undo log tree/a").within(&d).run();
    ran.ends(2).wrote("").says("placemat: tree/a: has its original text already; nothing was written\n");
}

#[test]
fn files_and_directories_choose_among_the_files_of_a_log() {
    let (d, sources) = repaired_tree();
    // The file is not in the log, but has the text of a repaired file by chance.
    d.write("tree/sub/other", "été");
    d.write("tree/sub/new", "new");
    placemat("repair -ri --undo log tree/sub").within(&d).run().writes("");
    assert_eq!((d.read("tree/sub/b"), d.read("tree/a")), (sources[1].1.to_vec(), REPAIRED.into()));
    assert_eq!((d.read("tree/sub/other"), d.read("tree/sub/new")), ("été".into(), b"new".to_vec()));
    placemat("repair -i --undo log tree/a").within(&d).run().writes("");
    assert_eq!(d.read("tree/a"), DAMAGED);
    fs::create_dir(d.path("empty")).unwrap();
    let said = "placemat: empty: log names no file in it\n";
    placemat("repair -ri --undo log empty").within(&d).run().ends(2).says(said);
    let said = "placemat: tree: is a directory (-ri restores the files in it that the log names)\n";
    placemat("repair -i --undo log tree").within(&d).run().ends(2).says(said);
    placemat("repair --undo log tree").within(&d).run().ends(2).says(said);
    let ran = placemat("repair -i --undo log --files-from -").within(&d).reads("").run();
    ran.writes("");
}

#[test]
fn files_that_have_changed_since_are_left_and_others_restored() {
    let (d, sources) = repaired_tree();
    d.write("tree/a", "another text\n");
    let said = "placemat: tree/a: has changed since it was repaired (its length or SHA-256 differs); left as it was\n";
    placemat("repair -i --undo log").within(&d).run().ends(2).wrote("").says(said);
    assert_eq!((d.read("tree/a"), d.read("tree/sub/b")), (b"another text\n".to_vec(), sources[1].1.to_vec()));
    placemat("repair -i --undo log tree/a").within(&d).run().ends(2).says(said);
    let (d, sources) = repaired_tree();
    fs::remove_file(d.path("tree/a")).unwrap();
    let ran = placemat("repair -i --undo log").within(&d).run();
    ran.ends(2).mentions(&["tree/a: no such file or directory"]);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    assert_eq!(d.read("tree/sub/b"), sources[1].1);
}

#[test]
fn a_repair_of_standard_input_is_undone_in_the_file_that_is_named() {
    let d = Directory::new();
    let source = "caf\u{c3}\u{a9} cr\u{c3}\u{a8}me br\u{c3}\u{bb}l\u{c3}\u{a9}e\n";
    let ran = placemat("repair --log log").within(&d).reads(source).run();
    assert_eq!(ran.stdout, "caf\u{e9} cr\u{e8}me br\u{fb}l\u{e9}e\n".as_bytes());
    d.write("repaired", &ran.stdout);
    let ran = placemat("repair -i --undo log").within(&d).run();
    ran.ends(2).mentions(&["standard input was repaired: name the file that has the repaired text"]);
    assert_eq!(d.read("repaired"), "caf\u{e9} cr\u{e8}me br\u{fb}l\u{e9}e\n".as_bytes());
    placemat("repair -i --undo log repaired").within(&d).run().ends(0);
    assert_eq!(d.read("repaired"), source.as_bytes());
}

#[test]
fn a_log_works_from_another_directory_and_after_a_move() {
    let (d, sources) = repaired_tree();
    fs::create_dir(d.path("elsewhere")).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_placemat"))
        .args(["repair", "-i", "--undo", "../log"])
        .current_dir(d.path("elsewhere"))
        .output()
        .unwrap();
    assert!(ran.status.success() && ran.stderr.is_empty(), "{ran:?}");
    assert_eq!(d.read("tree/a"), sources[0].1);
    // The tree was moved together with its log.
    let (d, sources) = repaired_tree();
    let new = Directory::new();
    for name in ["tree", "log"] {
        fs::rename(d.path(name), new.path(name)).unwrap();
    }
    placemat("repair -i --undo log").within(&new).run().writes("");
    assert_eq!(new.read("tree/sub/b"), sources[1].1);
    // A copy was not repaired: the tree itself is restored.
    let (d, sources) = repaired_tree();
    let copy = Directory::new();
    fs::create_dir(copy.path("tree")).unwrap();
    for name in ["tree/a", "log"] {
        fs::copy(d.path(name), copy.path(name)).unwrap();
    }
    placemat("repair -i --undo log").within(&copy).run().writes("");
    assert_eq!((copy.read("tree/a"), d.read("tree/a")), (REPAIRED.into(), sources[0].1.to_vec()));
}

/// Whatever a log names, only a file with the repaired text is written.
#[cfg(unix)]
#[test]
fn a_hostile_log_changes_no_other_text() {
    let (d, _) = repaired_tree();
    let log = String::from_utf8(d.read("log")).unwrap();
    d.write("precious", "precious\n");
    fs::create_dir(d.path("victim")).unwrap();
    d.write("victim/a", "precious\n");
    let precious = d.path("precious");
    for (from, to) in [
        ("\"tree/a\"", format!("\"{}\"", precious.display())),
        ("\"tree/a\"", "\"tree/../precious\"".into()),
        ("\"tree/a\"", "\"/dev/zero\"".into()),
        ("\"tree/a\"", "\"tree\"".into()),
    ] {
        d.write("hostile", log.replace(from, &to));
        placemat("repair -i --undo hostile tree/c").within(&d).run().writes("");
        placemat("repair -i --undo hostile").within(&d).run().ends(2).mentions(&["placemat: "]);
        assert_eq!(d.read("precious"), b"precious\n");
    }
    fs::rename(d.path("tree"), d.path("old")).unwrap();
    std::os::unix::fs::symlink("victim", d.path("tree")).unwrap();
    placemat("repair -i --undo log").within(&d).run().ends(2).mentions(&["tree/a: has changed since"]);
    assert_eq!(d.read("victim/a"), b"precious\n");
}

#[test]
fn sections_that_were_never_completed_are_passed_over() {
    let d = Directory::new();
    d.write("a", b"caf\xC3\x83\xC2\xA9s\n\xC0\xAF");
    d.write("b", DAMAGED);
    // The first file is refused after a change.
    placemat("repair -i -e strict --log log a b").within(&d).run().ends(1);
    assert_eq!(d.read("b"), REPAIRED.as_bytes());
    placemat("repair -i --undo log").within(&d).run().writes("");
    assert_eq!(d.read("b"), DAMAGED);
    d.write("empty", "");
    let said = "placemat: warning: empty: names no file; nothing was restored\n";
    placemat("repair -i --undo empty").within(&d).run().ends(0).says(said);
}

#[cfg(unix)]
#[test]
fn names_in_a_log_may_hold_anything() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let d = Directory::new();
    let names =
        [&b"a\nb"[..], b"\x1B[31m", b"\xFF", b"back\\slash", "\u{202E}".as_bytes(), "naïve".as_bytes()];
    let mut run = placemat("repair -i --log log");
    for name in names {
        d.write(OsStr::from_bytes(name), DAMAGED);
        run = run.arg(OsStr::from_bytes(name));
    }
    run.within(&d).run().writes("");
    let log = String::from_utf8(d.read("log")).unwrap();
    assert!(log.contains("\"path_bytes\":\"ff\"") && !log.contains(['\u{1B}', '\u{202E}']), "{log}");
    placemat("repair -i --undo log").within(&d).run().writes("");
    for name in names {
        assert_eq!(d.read(OsStr::from_bytes(name)), DAMAGED);
    }
}

#[cfg(unix)]
#[test]
fn a_log_may_be_read_from_a_pipe_that_ends() {
    let (d, sources) = repaired_tree();
    let log = d.read("log");
    placemat("repair -i --undo -").within(&d).reads(log.clone()).run().writes("");
    assert_eq!(d.read("tree/a"), sources[0].1);
    let (d, sources) = repaired_tree();
    assert!(Command::new("mkfifo").arg(d.path("fifo")).status().unwrap().success());
    let (fifo, log) = (d.path("fifo"), d.read("log"));
    let feeder = std::thread::spawn(move || fs::write(fifo, log).unwrap());
    // A FIFO as a log works for several files.
    placemat("repair -i --undo fifo tree/a tree/sub/b").within(&d).run().writes("");
    feeder.join().unwrap();
    assert_eq!((d.read("tree/a"), d.read("tree/sub/b")), (sources[0].1.to_vec(), sources[1].1.to_vec()));
    for (log, why) in [("/dev/zero", "is not a log of `repair`"), ("tree", "is a directory")] {
        placemat("repair -i --undo").arg(log).within(&d).run().ends(2).mentions(&[log, why]);
    }
    let ran = placemat("repair --undo - -").within(&d).reads("").run();
    ran.ends(2).says("placemat: standard input holds the log, so it cannot be one of the files\n");
}

#[test]
fn a_log_goes_to_standard_output_alone() {
    let (d, sources) = repaired_tree();
    let file = d.read("log");
    placemat("repair -i --undo log").within(&d).run().writes("");
    let ran = placemat("repair -ri --log - tree").within(&d).run();
    ran.ends(0).says("");
    let log = String::from_utf8(ran.stdout).unwrap();
    // The lines are the same, except for the spaces that pad the heads in a file.
    let lines: Vec<_> = core::str::from_utf8(&file).unwrap().lines().map(str::trim_end).collect();
    assert_eq!(log.lines().collect::<Vec<_>>(), lines);
    placemat("repair -i --undo -").within(&d).reads(log.as_str()).run().writes("");
    assert_eq!(d.read("tree/a"), sources[0].1);
    let ran = placemat("repair --log - -o out tree/a").within(&d).run();
    assert!(ran.ends(0).stdout.starts_with(b"{\"repair\":1,\"path\":\"tree/a\""));
    assert_eq!(d.read("out"), REPAIRED.as_bytes());
    // A refused file leaves nothing in the log.
    d.write("lost", b"caf\xC3\x83\xC2\xA9s\n\xC0\xAF");
    let ran = placemat("repair -i -e strict --log - lost").within(&d).run();
    ran.ends(1).wrote("");
    let said = "placemat: --log - needs --in-place or --output: the repaired text goes to standard output\n";
    let mut outputs = vec!["", "-o -"];
    if cfg!(target_os = "linux") {
        outputs.push("-o /dev/stdout");
    }
    for output in outputs {
        placemat("repair --log -").args(output).reads(DAMAGED).run().ends(2).wrote("").says(said);
    }
    let ran = placemat("repair --log log2 -o log2 tree/a").within(&d).run();
    ran.ends(2).says("placemat: log2: is both the log and the output\n");
    assert!(!d.path("log2").exists());
}

#[cfg(unix)]
#[test]
fn without_a_reader_of_the_log_nothing_changes() {
    let d = Directory::new();
    d.write("a", DAMAGED);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    placemat("repair -i --log - a").within(&d).run_to(writer.into()).ends(141).says("");
    assert_eq!(d.read("a"), DAMAGED);
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
    // In a directory, backups are not repaired, so a second run changes nothing.
    fs::create_dir(d.path("tree")).unwrap();
    d.write("tree/a", DAMAGED);
    for _ in 0..2 {
        placemat("repair -ri.bak tree").within(&d).run().writes("");
        let names: Vec<_> =
            fs::read_dir(d.path("tree")).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert_eq!((d.read("tree/a"), d.read("tree/a.bak")), (REPAIRED.into(), DAMAGED.to_vec()));
    }
    // A program is not text, and repair would lose its bytes. UTF-16 contains NULs too.
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
    // With `--errors strict`, a file with unrecoverable bytes stays as it is.
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

/// Returns 40 lines of UTF-8, each of which ends with an overlong slash: 40 sequences of 80 bytes
/// that cannot be read.
fn lossy(words: &str) -> Vec<u8> {
    [words.as_bytes(), "naïve Wörter, ναι και όχι ".as_bytes(), b"\xC0\xAF\n"].concat().repeat(40)
}

#[test]
fn in_place_says_what_it_could_not_read() {
    let d = Directory::new();
    d.write("one", b"plain\nna\xC3\xAFve \xC0\xAF\n");
    let said = "placemat: warning: one: 1 sequence (2 bytes) cannot be read, at 2:7 (byte 13): U+FFFD stands there now \
                (name the encoding of such bytes with --fallback, or keep their bytes as \\xHH with --errors backslashreplace)\n";
    placemat("repair -i one").within(&d).run().ends(1).wrote("").says(said);
    assert_eq!(d.read("one"), "plain\nnaïve \u{FFFD}\u{FFFD}\n".as_bytes());
    // Nothing is lossy now, and `-q` prints nothing.
    placemat("repair -i one").within(&d).run().writes("");
    d.write("one", b"na\xC3\xAFve \xC0\xAF\n");
    placemat("repair -qi one").within(&d).run().ends(1).wrote("").says("");
    d.write("one", b"na\xC3\xAFve \xC0\xAF\n");
    let ran = placemat("repair -i -e backslashreplace one").within(&d).run();
    ran.ends(1)
        .mentions(&["one: 1 sequence (2 bytes) cannot be read, at 1:7 (byte 7): \\xHH stands there now"]);
}

#[test]
fn in_place_leaves_a_file_of_which_too_much_would_be_lost() {
    let d = Directory::new();
    let (short, long) = (lossy(""), lossy(&"many words ".repeat(20)));
    fs::create_dir(d.path("tree")).unwrap();
    d.write("tree/long", &long);
    d.write("tree/short", &short);
    d.write("tree/text", DAMAGED);
    let ran = placemat("repair -ri --log log tree").within(&d).run();
    ran.ends(1).wrote("").mentions(&[
        "tree/long: 40 sequences (80 bytes) cannot be read, the first at 1:247 (byte 257): U+FFFD",
        "tree/short: left as it was: 40 sequences (80 bytes) cannot be read, the first at 1:27 (byte 37), more than 2 %",
        "--fallback; --force repairs",
    ]);
    assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
    assert!(d.read("tree/short") == short);
    assert_eq!(d.read("tree/text"), REPAIRED.as_bytes());
    assert_eq!(fs::read_dir(d.path("tree")).unwrap().count(), 3);
    // The log has no entry for the file that was left alone.
    placemat("repair -i --undo log").within(&d).run().writes("");
    assert!(d.read("tree/long") == long && d.read("tree/short") == short);
    let ran = placemat("repair -i --dry-run tree/short").within(&d).run();
    ran.ends(1).mentions(&["tree/short: would be left as it was: 40 sequences"]);
    let ran = placemat("repair -i --force tree/short").within(&d).run();
    ran.ends(1).mentions(&["tree/short: 40 sequences (80 bytes) cannot be read"]);
    assert!(core::str::from_utf8(&d.read("tree/short")).is_ok());
    // A few sequences are not a reason to refuse, however short the file; and output to another file
    // is never refused.
    d.write("few", b"\xC3\xAF \xC0\xAF\n");
    placemat("repair -i few").within(&d).run().ends(1).mentions(&["few: 1 sequence "]);
    placemat("repair").reads(&short[..]).run().ends(1).says("");
    placemat("repair --force").reads("").run().ends(2);
}
