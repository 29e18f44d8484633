//! Texts that end in a shifted state: what `check` and `convert` say of them, and where.

use crate::run::placemat;
use serde_json::Value;

/// A shift to JIS X 0208 that nothing closes, after two lines and two letters.
const CUT: &[u8] = b"ab\ncd\n\"e\x1B$B$\"$$";

/// Returns the same after many lines of ASCII, with many characters after the shift: far more than a buffer holds.
fn long(lines: usize, characters: usize) -> Vec<u8> {
    [&b"ab\n".repeat(lines)[..], b"xyz\x1B$B", &b"0!".repeat(characters)].concat()
}

#[test]
fn check_says_where_the_shift_is() {
    placemat("check -f iso-2022-jp").reads(CUT).run().wrote(
        "<stdin>:3:3: escape sequence 0x1b 0x24 0x42 at byte 8: the text ends in JIS X 0208, which it selects; a text in \
         ISO-2022-JP ends in ASCII\n",
    );
    placemat("check -f hz").reads(b"a~{0!").run().wrote(
        "<stdin>:1:2: shift 0x7e 0x7b at byte 1: the text ends in GB 2312, which it selects; a text in HZ-GB-2312 ends in ASCII\n",
    );
    placemat("check -f ibm939").reads(b"\x81\x0E\x43\x41").run().wrote(
        "<stdin>:1:2: shift 0x0e at byte 1: the text ends in characters of two bytes, which it selects; a text in IBM939 ends \
         in single bytes\n",
    );
    for closed in [&b"ab\x1B$B$\"\x1B(B"[..], b"\x1B$B$\"\x1B(B\n", b""] {
        placemat("check -f iso-2022-jp").reads(closed).run().wrote("");
    }
}

#[test]
fn check_shows_the_line_and_advises() {
    let ran = placemat("check -v -f iso-2022-jp").reads(CUT).run();
    let shown = String::from_utf8(ran.stdout).expect("text");
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert!(words.join(" ").ends_with("if nothing else is missing, add ESC ( B at its end"), "{shown}");
    assert!(shown.contains("3 | \"e<1B><24><42>あい\n   |   ^^^^^^^^^^^^\n"), "{shown}");
}

#[test]
fn check_keeps_the_place_of_a_shift_that_is_far_back() {
    for (lines, characters) in [(1, 1), (1000, 200_000), (100_000, 3), (60_000, 100_000)] {
        let text = long(lines, characters);
        let ran = placemat("check --format jsonl -f iso-2022-jp").reads(text).run();
        let found: Value = serde_json::from_slice(&ran.stdout).expect("one finding");
        let number = |key: &str| found[key].as_u64().expect("a number");
        let offset = 3 * lines as u64 + 3;
        assert_eq!(
            (number("byte_offset"), number("length"), number("line"), number("column"), &found["kind"]),
            (offset, 3, lines as u64 + 1, 4, &Value::from("unclosed-shift")),
        );
    }
}

#[test]
fn convert_refuses_warns_or_is_silent() {
    let message = "<stdin>:3:3: escape sequence 0x1b 0x24 0x42 at byte 8: the text ends in JIS X 0208, which it selects; a text \
                   in ISO-2022-JP ends in ASCII\n";
    for extra in ["", " --normalize nfc", " -t utf-16le", " -t iso-2022-jp"] {
        let ran = placemat(&format!("convert -f iso-2022-jp{extra}")).reads(CUT).run();
        ran.ends(1).mentions(&[message]);
    }
    for policy in ["replace", "ignore", "latin1", "unclosed-shift=ignore"] {
        let ran = placemat(&format!("convert -f iso-2022-jp -e {policy}")).reads(CUT).run();
        ran.ends(0).wrote("ab\ncd\n\"eあい").mentions(&["unclosed shift: 1 (first at byte 8)"]);
    }
    placemat("iconv -f iso-2022-jp -t utf-8").reads(CUT).run().writes("ab\ncd\n\"eあい");
}

#[test]
fn convert_keeps_the_place_of_a_shift_that_is_far_back() {
    for (lines, characters) in [(1000, 200_000), (100_000, 3), (60_000, 100_000)] {
        let ran = placemat("convert -f iso-2022-jp").reads(long(lines, characters)).run();
        ran.mentions(&[&format!("<stdin>:{}:4: escape sequence", lines + 1)]);
    }
}
