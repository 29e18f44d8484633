//! `placemat edit --replace`, `--lines` and `--write`, and `placemat show`: a new text in a file of any encoding.

#![cfg(unix)]

use crate::run::{Directory, Ran, placemat, utf16le};
use std::fs;
use std::os::unix::fs::symlink;

/// A Russian text in windows-1251, long enough for detection.
const RUSSIAN: &[u8] =
    b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xD1\xEA\xEE\xF0\xEE \xE2\xE5\xF1\xED\xE0.\r\n\
    \xCC\xFB \xE6\xE8\xE2\xB8\xEC \xE2 \xE1\xEE\xEB\xFC\xF8\xEE\xEC \xE3\xEE\xF0\xEE\xE4\xE5.\r\n\
    \xD1\xEF\xE0\xF1\xE8\xE1\xEE \xE7\xE0 \xE2\xED\xE8\xEC\xE0\xED\xE8\xE5.\r\n";

fn edit(d: &Directory, args: &[&str]) -> Ran {
    args.iter().fold(placemat("edit"), |run, arg| run.arg(arg)).within(d).run()
}

/// Replaces a part of the bytes, once.
fn spliced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = bytes.windows(old.len()).position(|window| window == old).unwrap();
    [&bytes[..at], new, &bytes[at + old.len()..]].concat()
}

#[test]
fn replace_changes_the_bytes_of_the_text_alone() {
    let d = Directory::new();
    d.write("a", RUSSIAN);
    edit(&d, &["a", "--replace", "весна", "зима"]).writes("");
    assert_eq!(d.read("a"), spliced(RUSSIAN, b"\xE2\xE5\xF1\xED\xE0", b"\xE7\xE8\xEC\xE0"));
    // Both line ends of the new text become those of the file.
    d.write("a", RUSSIAN);
    edit(&d, &["a", "--replace", "весна.\nМы", "зима.\nВот\nмы"]).writes("");
    let want = spliced(
        RUSSIAN,
        b"\xE2\xE5\xF1\xED\xE0.\r\n\xCC\xFB",
        b"\xE7\xE8\xEC\xE0.\r\n\xC2\xEE\xF2\r\n\xEC\xFB",
    );
    assert_eq!(d.read("a"), want);
    // A stray byte, and a symbol with two forms, around the change.
    let old = b"\x81\xE6 \xFF\r\nthe colour\x87\x9A\n\x93\xFA\xA0\r";
    d.write("b", old);
    edit(&d, &["-f", "shift_jis", "b", "--replace", "colour", "color"]).writes("");
    assert_eq!(d.read("b"), spliced(old, b"colour", b"color"));
    // All occurrences; a text with hyphens.
    d.write("c", "-a -a\r\n-a");
    edit(&d, &["c", "--all", "--replace", "-a", "--b"]).writes("");
    assert_eq!(d.read("c"), b"--b --b\r\n--b");
    // UTF-16 with a signature, detected.
    let text = |word: &str| [b"\xFF\xFE", &utf16le(&format!("some words\r\nare {word}\r\n"))[..]].concat();
    d.write("d", text("red"));
    edit(&d, &["d", "--replace", "red", "grün €"]).writes("");
    assert_eq!(d.read("d"), text("grün €"));
    // Nothing changes.
    d.write("e", "a\n");
    edit(&d, &["e", "--replace", "a", "a", "--diff"]).writes("");
    // Standard input.
    placemat("edit - --replace a b").reads("xa\r\n").run().writes("xb\r\n");
}

#[test]
fn a_replacement_needs_one_place() {
    let d = Directory::new();
    let old = b"one\ntwo one\n\x1B[2J if  (x)\nabsolutely\n";
    for (text, said) in [
        (
            "one",
            "the text to replace occurs 2 times, in lines 1, 2: add text around it to name one, or replace all with --all",
        ),
        ("if (x)", "the text to replace does not occur; line 3 has it but for white space"),
        ("absolute", ""),
        ("absolutly", "the text to replace does not occur; the nearest is line 4: \"absolutely\""),
        ("", "the text to replace is empty"),
        ("# not here #", "the text to replace does not occur"),
    ] {
        d.write("a", old);
        let ran = edit(&d, &["a", "--replace", text, "X"]);
        if said.is_empty() {
            ran.writes("");
            continue;
        }
        ran.ends(1).wrote("").says(&format!("placemat: a: {said}; left as it was\n"));
        assert_eq!(d.read("a"), old);
    }
}

#[test]
fn verbose_says_what_was_done_and_in_which_encoding() {
    let d = Directory::new();
    d.write("a", b"caf\xE9\n");
    let say = |arguments: &[&str], said: &str| {
        let all = [&["-v", "-f", "windows-1252", "a"], arguments].concat();
        edit(&d, &all).ends(0).says(said);
    };
    say(&["--dry-run", "--replace", "é", "ée"], "a: would change, 5 bytes to 6; windows-1252\n");
    say(&["--replace", "é", "ée"], "a: changed, 5 bytes to 6; windows-1252\n");
    say(&["--lines", "1", "--with", "cafée"], "a: nothing to change; windows-1252\n");
    say(&["--", "tr", "c", "k"], "a: changed, 6 bytes to 6; windows-1252\n");
    assert_eq!(d.read("a"), b"kaf\xE9e\n");
}

#[test]
fn lines_are_replaced_by_number() {
    let d = Directory::new();
    let old = "1\r\n2\n3\r\n4\n5";
    for (lines, text, new) in [
        ("2", "x", "1\r\nx\n3\r\n4\n5"),
        ("2-3", "x\ny", "1\r\nx\ny\r\n4\n5"),
        ("2-3", "x\r\ny\r\n", "1\r\nx\ny\r\n4\n5"),
        ("2-3", "x", "1\r\nx\r\n4\n5"),
        ("1", "1\nx", "1\r\nx\r\n2\n3\r\n4\n5"),
        ("2-", "", "1\r\n"),
        ("5", "x\ny", "1\r\n2\n3\r\n4\nx\ny"),
        ("5", "x\n", "1\r\n2\n3\r\n4\nx\n"),
        ("3", "-x", "1\r\n2\n-x\r\n4\n5"),
    ] {
        d.write("a", old);
        edit(&d, &["a", "--lines", lines, "--with", text]).writes("");
        // A line that takes the place of two has the line end of the first.
        let new = if (lines, text) == ("2-3", "x") { "1\r\nx\r\n4\n5" } else { new };
        assert_eq!(String::from_utf8(d.read("a")).unwrap(), new, "{lines} {text:?}");
    }
    d.write("a", old);
    edit(&d, &["a", "--lines", "6", "--with", "x"])
        .ends(1)
        .says("placemat: a: there is no line 6: the text has 5 lines; left as it was\n");
    edit(&d, &["a", "--lines", "3-2", "--with", "x"])
        .ends(2)
        .says("placemat: --lines takes lines, such as 10, 10-20 or 10-, and not \"3-2\"\n");
    edit(&d, &["a", "--lines", "1-", "--with", ""]).ends(1).mentions(&["--allow-empty"]);
    assert_eq!(d.read("a"), old.as_bytes());
    // Lines of classic Mac OS.
    d.write("b", "1\r2\r3\r");
    edit(&d, &["b", "--lines", "2", "--with", "x\ny"]).writes("");
    assert_eq!(d.read("b"), b"1\rx\ry\r3\r");
}

#[test]
fn write_changes_only_what_differs() {
    let d = Directory::new();
    d.write("a", RUSSIAN);
    d.write(
        "new",
        "\u{FEFF}Привет, мир! Скоро зима.\nМы живём в большом городе.\nСпасибо за внимание.\nКонец\n",
    );
    edit(&d, &["a", "--write", "new"]).writes("");
    let want = spliced(RUSSIAN, b"\xE2\xE5\xF1\xED\xE0", b"\xE7\xE8\xEC\xE0");
    assert_eq!(d.read("a"), [&want[..], b"\xCA\xEE\xED\xE5\xF6\r\n"].concat());
    // A signature, mixed line ends, bytes that do not decode, and forms that no encoder writes.
    let old = b"\xEF\xBB\xBFone\r\ntwo \xFF\nthree\r\nfour";
    d.write("b", old);
    let text = placemat("show -f utf-8 b").within(&d).run().stdout;
    assert_eq!(text, "one\ntwo \u{10FEFF}\nthree\nfour".as_bytes());
    placemat("edit -f utf-8 b --write -").within(&d).reads(text).run().writes("");
    assert_eq!(d.read("b"), old);
    let new = "one\ntwo \u{10FEFF}!\nthree\nfive";
    placemat("edit -f utf-8 b --write - --diff").within(&d).reads(new).run().ends(0).mentions(&[]);
    assert_eq!(d.read("b"), b"\xEF\xBB\xBFone\r\ntwo \xFF!\nthree\r\nfive");
    // With --eol keep, the line ends are those of the new text.
    placemat("edit -f utf-8 b --write - --eol keep --lossy")
        .within(&d)
        .reads("one\ntwo\r\n")
        .run()
        .writes("");
    assert_eq!(d.read("b"), b"\xEF\xBB\xBFone\ntwo\r\n");
}

#[test]
fn a_new_text_that_does_not_fit_changes_nothing() {
    let d = Directory::new();
    d.write("a", RUSSIAN);
    let new = "Привет, мир! Скоро 春.\n\nМы\u{301} живём 春 → 😀.\n";
    d.write("new", new);
    edit(&d, &["a", "--write", "new"]).ends(1).says(
        "placemat: a: windows-1251 cannot represent U+6625 CJK UNIFIED IDEOGRAPH-6625 at 1:20, U+0301 COMBINING ACUTE ACCENT at \
         3:3, U+2192 RIGHTWARDS ARROW at 3:13, U+1F600 GRINNING FACE at 3:15 of the new text; left as it was\n",
    );
    edit(&d, &["a", "--replace", "мир", "mir\nč"]).ends(1).says(
        "placemat: a: windows-1251 cannot represent U+010D LATIN SMALL LETTER C WITH CARON at 2:1 of the new text; left as it \
         was\n",
    );
    edit(&d, &["a", "--lines", "2-3", "--with", "ж\nč"]).ends(1).mentions(&["U+010D", "at 2:1"]);
    assert_eq!(d.read("a"), RUSSIAN);
    // Bytes that do not decode are lost with their lines only if asked.
    d.write("b", b"one \xFF\ntwo\n");
    edit(&d, &["-f", "utf-8", "b", "--lines", "1", "--with", "one"])
        .ends(1)
        .says("placemat: b: the new lines lack a byte 0xff that does not decode (--lossy accepts that); left as it was\n");
    placemat("edit -f utf-8 b --write -")
        .within(&d)
        .reads("one\ntwo\n")
        .run()
        .ends(1)
        .mentions(&["0xff", "--lossy"]);
    placemat("edit -f utf-8 b --write -").within(&d).run().ends(1).mentions(&["is empty (--allow-empty"]);
    d.write("bad", b"a\xFF");
    edit(&d, &["-f", "utf-8", "b", "--write", "bad"]).ends(1).says(
        "placemat: bad: the new text is not UTF-8: invalid lead byte 0xff at offset 1; b left as it was\n",
    );
    edit(&d, &["b", "--write", "none"]).ends(2).says("placemat: none: no such file or directory\n");
    edit(&d, &["none", "--replace", "a", "b"]).ends(2).says("placemat: none: no such file or directory\n");
    edit(&d, &["-", "--write", "-"]).ends(2).mentions(&["standard input"]);
    assert_eq!(d.read("b"), b"one \xFF\ntwo\n");
}

#[test]
fn a_doubtful_encoding_is_not_guessed() {
    let d = Directory::new();
    d.write("a", b"\x9Fe\n");
    edit(&d, &["a", "--replace", "e", "é"])
        .ends(1)
        .mentions(&["placemat: a: the encoding is not certain", "name it with -f"]);
    placemat("show a").within(&d).run().ends(1).wrote("").mentions(&["the encoding is not certain"]);
    assert_eq!(d.read("a"), b"\x9Fe\n");
    edit(&d, &["a", "-f", "cp1252", "--replace", "e", "é"]).writes("");
    assert_eq!(d.read("a"), b"\x9F\xE9\n");
    placemat("show -f cp1252 a").within(&d).run().writes("Ÿé\n");
    // A declaration is enough.
    d.write(".editorconfig", "root = true\n[*]\ncharset = latin1\n");
    edit(&d, &["a", "--replace", "é", "e"]).writes("");
    assert_eq!(d.read("a"), b"\x9Fe\n");
    // Binary files, and files in two encodings.
    d.write("b", b"\x7FELF\0\0\0\x01\x02\0\0");
    edit(&d, &["--no-config", "b", "--replace", "E", "F"]).ends(1).mentions(&["is binary"]);
}

#[test]
fn edits_are_alternatives() {
    let d = Directory::new();
    d.write("a", "a\n");
    for args in [
        &["a"][..],
        &["a", "--replace", "a"],
        &["a", "--replace", "a", "b", "--write", "x"],
        &["a", "--replace", "a", "b", "--", "cat"],
        &["a", "--lines", "1"],
        &["a", "--with", "x"],
        &["a", "--all", "--write", "x"],
        &["a", "--undo", "x", "--replace", "a", "b"],
        &["a", "--log", "x", "--", "cat"],
        &["-", "--log", "x", "--replace", "a", "b"],
    ] {
        let ran = edit(&d, args);
        ran.ends(2).wrote("");
        assert!(!ran.stderr.is_empty());
    }
    assert_eq!(d.read("a"), b"a\n");
}

#[test]
fn a_dry_run_a_diff_and_a_backup() {
    let d = Directory::new();
    d.write("a", RUSSIAN);
    let diff = "--- a\n+++ a (edited)\n@@ -1,3 +1,3 @@\n-Привет, мир! Скоро весна.\n+Привет, мир! Скоро лето.\n Мы живём в большом \
                городе.\n Спасибо за внимание.\n";
    let args = ["a", "--diff", "--dry-run", "--replace", "весна", "лето"];
    edit(&d, &args).writes(format!(
        "{diff}a: would change, {} bytes to {}\n",
        RUSSIAN.len(),
        RUSSIAN.len() - 1
    ));
    assert_eq!(d.read("a"), RUSSIAN);
    edit(&d, &["a", "-i.orig", "--diff", "--replace", "весна", "лето"]).writes(diff);
    assert_eq!(d.read("a.orig"), RUSSIAN);
    edit(&d, &["a", "-i.orig", "--replace", "лето", "осень"]).ends(2).mentions(&["a.orig", "left as it was"]);
    symlink("a", d.path("link")).unwrap();
    edit(&d, &["link", "--replace", "лето", "зима"]).writes("");
    assert!(fs::symlink_metadata(d.path("link")).unwrap().is_symlink());
    assert_eq!(d.read("a"), spliced(RUSSIAN, b"\xE2\xE5\xF1\xED\xE0", b"\xE7\xE8\xEC\xE0"));
}

#[test]
fn an_edit_is_undone_from_its_log() {
    let d = Directory::new();
    let old = [RUSSIAN, b"\xFF\x98\r\n"].concat();
    for (number, args) in [
        &["--replace", "весна", "самая тёплая весна"][..],
        &["--lines", "1-2", "--with", ""],
        &["--write", "new", "--lossy", "--eol", "keep"],
    ]
    .into_iter()
    .enumerate()
    {
        d.write("new", "нет\n");
        d.write("a", &old);
        let log = format!("log{number}");
        let all = [&["a", "-f", "cp1251", "--log", &log], args].concat();
        edit(&d, &all).writes("");
        let new = d.read("a");
        assert_ne!(new, old);
        // A log is never overwritten.
        edit(&d, &all).ends(2).mentions(&["exists already"]);
        assert_eq!(d.read("a"), new);
        edit(&d, &["a", "--undo", &log, "--dry-run"]).writes(format!(
            "a: would be restored, {} bytes to {}\n",
            new.len(),
            old.len()
        ));
        edit(&d, &["a", "--undo", &log]).writes("");
        assert_eq!(d.read("a"), old);
        edit(&d, &["a", "--undo", &log]).ends(0).mentions(&["has its original text already"]);
        // `repair` restores from the same log.
        d.write("a", &new);
        placemat("repair -i --undo").arg(&log).within(&d).run().writes("");
        assert_eq!(d.read("a"), old);
        // A file that has changed since is left.
        d.write("a", [&new[..], b"x"].concat());
        edit(&d, &["a", "--undo", &log]).ends(2).mentions(&["has changed since", "left as it was"]);
        // A log that someone changed restores nothing.
        d.write("a", &new);
        let text = String::from_utf8(d.read(&log)).unwrap();
        let (head, entry) = text.split_once('\n').unwrap();
        for damaged in [
            format!("{head}\n"),
            format!("{head}\n{}", entry.replacen("\"before\":\"", "\"before\":\"00", 1)),
            format!("{head}\n{}", entry.replacen("\"offset\":", "\"offset\":9", 1)),
            format!("{head}\n{entry}{entry}"),
            format!("{head}\n{}", entry.replace("\"after\"", "\"x\"")),
        ] {
            d.write("damaged", damaged);
            edit(&d, &["a", "--undo", "damaged"]).ends(2);
            assert_eq!(d.read("a"), new);
        }
    }
    // A refused edit leaves no log.
    edit(&d, &["a", "--log", "unused", "--replace", "none", "x"]).ends(1);
    assert!(!d.path("unused").exists());
    // A long change is divided.
    let long = "x".repeat(3 << 20);
    d.write("long", &long);
    d.write("new", long.replace('x', "yy"));
    edit(&d, &["long", "--log", "log-long", "--write", "new"]).writes("");
    edit(&d, &["long", "--undo", "log-long"]).writes("");
    assert!(d.read("long") == long.as_bytes());
}

#[test]
fn show_prints_utf8() {
    let d = Directory::new();
    d.write("a", RUSSIAN);
    let text = "Привет, мир! Скоро весна.\nМы живём в большом городе.\nСпасибо за внимание.\n";
    placemat("show a").within(&d).run().writes(text);
    placemat("show").within(&d).reads(RUSSIAN).run().writes(text);
    placemat("show -n --lines 2-3 a")
        .within(&d)
        .run()
        .writes("     2\tМы живём в большом городе.\n     3\tСпасибо за внимание.\n");
    placemat("show -v --lines 1 a")
        .within(&d)
        .run()
        .ends(0)
        .wrote("Привет, мир! Скоро весна.\n")
        .says("a: windows-1251, line ends CR LF, no signature, 3 lines\n");
    placemat("show --lines 4 a")
        .within(&d)
        .run()
        .ends(1)
        .says("placemat: a: there is no line 4: the text has 3 lines\n");
    d.write("b", [b"\xFE\xFF", &crate::run::utf16be("x\r\ny\nz")[..]].concat());
    placemat("show -v b")
        .within(&d)
        .run()
        .ends(0)
        .wrote("x\ny\nz")
        .says("b: UTF-16, mixed line ends (1 CR LF, 1 LF), with a signature, 3 lines\n");
    placemat("show none").within(&d).run().ends(2).says("placemat: none: no such file or directory\n");
    placemat("show -f latin1 /dev/zero")
        .run()
        .ends(2)
        .says("placemat: /dev/zero: has more than 1073741824 bytes\n");
    placemat("show .").within(&d).run().ends(2).says("placemat: .: is a directory\n");
    placemat("show --lines x a").within(&d).run().ends(2).mentions(&["--lines takes lines"]);
    d.write("empty", "");
    placemat("show -v empty")
        .within(&d)
        .run()
        .ends(0)
        .wrote("")
        .says("empty: UTF-8, no line ends, no signature, 0 lines\n");
}

/// Prints the time of edits of one megabyte: `cargo test --test suite one_megabyte -- --nocapture`.
#[test]
fn one_megabyte_in_one_call() {
    let d = Directory::new();
    let file = RUSSIAN.repeat((1 << 20) / RUSSIAN.len());
    let marked = [&file[..file.len() / 2 / RUSSIAN.len() * RUSSIAN.len()], b"mark\r\n", &file].concat();
    d.write("a", &marked);
    d.write("new", placemat("show a").within(&d).run().stdout);
    for args in [
        &["a", "--replace", "mark", "метка"][..],
        &["a", "--replace", "метка", "mark"],
        &["a", "--lines", "10-20", "--with", "x"],
        &["a", "--write", "new"],
    ] {
        let start = std::time::Instant::now();
        edit(&d, args).writes("");
        println!("{args:?}: {:?}", start.elapsed());
    }
    assert!(d.read("a") == marked);
}
