//! `convert --diff`: what would change, as a unified diff.

use crate::check_hidden::git;
use crate::run::{Directory, placemat, utf16le};
use std::fs;

/// Numbers by a linear congruence.
struct Random(u32);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % n
    }
}

/// Git applies the diff, and the text is then the one that the conversion makes.
#[test]
fn git_applies_the_diff() {
    let d = Directory::new();
    git(&d.path("."), &["init", "-q"]);
    let mut random = Random(5);
    let lines = ["plain\n", "fine\n", "\n", "\tindented\n", "say “yes”\n", "wait…\n", "“\n", "same\n"];
    for round in 0..60 {
        let mut text = String::new();
        for _ in 0..random.below(40) {
            // Mostly lines that stay.
            let most = if random.below(4) == 0 { 8 } else { 4 };
            text.push_str(lines[random.below(most) as usize]);
        }
        if random.below(3) == 0 {
            text.push_str("an end without a line feed …");
        }
        d.write("a b.txt", &text);
        let ran = placemat("convert -i --clean lookalikes --diff").arg("a b.txt").within(&d).run();
        ran.ends(0).says("");
        assert_eq!(d.read("a b.txt"), text.as_bytes(), "nothing is written");
        d.write("patch", &ran.stdout);
        if !ran.stdout.is_empty() {
            git(&d.path("."), &["apply", "-p0", "--unidiff-zero", "--whitespace=nowarn", "patch"]);
        }
        let applied = d.read("a b.txt");
        d.write("a b.txt", &text);
        placemat("convert -i --clean lookalikes").arg("a b.txt").within(&d).run().writes("");
        let diff = String::from_utf8(ran.stdout.clone()).unwrap();
        assert_eq!(applied, d.read("a b.txt"), "round {round}\n{diff}");
        assert_eq!(diff.is_empty(), applied == text.as_bytes());
    }
}

#[test]
fn nothing_reaches_the_terminal_raw() {
    let d = Directory::new();
    let text =
        b"a\x1B[31m\xE2\x80\xAEb\xC2\x9B1m\x07\r\nkept \x1B]0;x\x07\n\xE2\x80\x8Bend\xFF\xEF\xBB\xBF\n";
    d.write("a\x1B[2J", text);
    let ran = placemat("convert -i -e ignore --clean controls,bidi,invisible --diff")
        .arg("a\x1B[2J")
        .within(&d)
        .run();
    ran.ends(0);
    let shown = String::from_utf8(ran.stdout.clone()).unwrap();
    assert!(shown.chars().all(|c| matches!(c, '\n' | '\t' | ' '..='~')), "{shown:?}");
    let want = "--- a\\x1b[2J\tUTF-8\n+++ a\\x1b[2J\tUTF-8\n@@ -1,3 +1,3 @@\n\
        -a\\x1b[31m\\u{202e}b\\x9b1m\\x07\\x0d\n-kept \\x1b]0;x\\x07\n-\\u{200b}end\\xff\\u{feff}\n\
        +a[31mb1m\\x0d\n+kept ]0;x\n+end\n";
    ran.wrote(want);
    assert_eq!(d.read("a\x1B[2J"), text);
}

#[test]
fn an_encoding_shows_what_becomes_of_its_bytes() {
    let d = Directory::new();
    d.write("latin", b"one\ncaf\xE9\nthree\n");
    let ran = placemat("convert -f latin1 -i --diff latin").within(&d).run();
    ran.writes("--- latin\tISO-8859-1\n+++ latin\tUTF-8\n@@ -1,3 +1,3 @@\n one\n-caf\\xe9\n+café\n three\n");
    // UTF-16 and EBCDIC have no bytes that a reader could compare.
    d.write("wide", utf16le("\u{FEFF}one\r\ncafé\r\n"));
    let ran = placemat("convert -f utf-16 -i --diff wide").within(&d).run();
    ran.writes("wide: the text stays as it is, and its bytes change from UTF-16 to UTF-8\n");
    let ran = placemat("convert -f utf-16 -i --eol lf --diff wide").within(&d).run();
    ran.writes("--- wide\tUTF-16\n+++ wide\tUTF-8\n@@ -1,2 +1,2 @@\n-one\\x0d\n-café\\x0d\n+one\n+café\n");
    assert_eq!(d.read("wide"), utf16le("\u{FEFF}one\r\ncafé\r\n"));
}

#[test]
fn directories_give_one_diff() {
    let d = Directory::new();
    fs::create_dir(d.path("t")).unwrap();
    for name in ["a", "b", "c"] {
        d.write(format!("t/{name}"), format!("{name}\r\n"));
    }
    d.write("t/b", "fine\n");
    d.write("t/binary", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR");
    for threads in ["1", "4"] {
        let ran = placemat("convert -ri --eol lf --diff t -j").arg(threads).within(&d).run();
        ran.writes(
            "--- t/a\tUTF-8\n+++ t/a\tUTF-8\n@@ -1 +1 @@\n-a\\x0d\n+a\n\
             --- t/c\tUTF-8\n+++ t/c\tUTF-8\n@@ -1 +1 @@\n-c\\x0d\n+c\n",
        );
    }
    // A diff leaves out files that are skipped or refused.
    let ran = placemat("convert -ri --eol lf --diff t -v -g binary").within(&d).run();
    ran.ends(0).wrote("").mentions(&["t/binary: skipped"]);
    d.write("u", "é\n");
    let ran = placemat("convert -f latin1 -i --diff u").within(&d).run();
    ran.ends(1).wrote("").mentions(&["u: left as it was: "]);
    placemat("convert --diff u").within(&d).run().ends(2).wrote("");
}
