//! Texts of CP/M, DOS and classic Mac OS: padding of U+001A at the end, and lines that end in CR
//! alone; and a signature before `#!`.

use crate::run::{Directory, placemat, utf16be, utf16le};
use serde_json::Value;

/// Kind, offset, length, line and column of each finding.
fn findings(args: &str, bytes: &[u8]) -> Vec<(String, u64, u64, u64, u64)> {
    let ran = placemat("check --all --format jsonl").args(args).reads(bytes).run();
    assert_eq!(ran.stderr, "");
    let text = String::from_utf8(ran.stdout).unwrap();
    let one = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let number = |key: &str| value[key].as_u64().unwrap();
        let kind = value["kind"].as_str().unwrap().to_owned();
        (kind, number("byte_offset"), number("length"), number("line"), number("column"))
    };
    text.lines().map(one).collect()
}

#[track_caller]
fn finds(args: &str, bytes: &[u8], want: &[(&str, u64, u64, u64, u64)]) {
    let want: Vec<_> =
        want.iter().map(|&(kind, at, len, line, column)| (kind.to_owned(), at, len, line, column)).collect();
    assert_eq!(findings(args, bytes), want, "{args}: {}", bytes.escape_ascii());
}

#[test]
fn padding_is_one_finding() {
    finds("--lint controls", b"ab\n\x1A", &[("eof-1a", 3, 1, 2, 1)]);
    finds("--lint controls", b"\x1A\x1A\x1A", &[("eof-1a", 0, 3, 1, 1)]);
    finds("--lint controls", &[b"ab\r\nc", &b"\x1A".repeat(122)[..]].concat(), &[("eof-1a", 5, 122, 2, 2)]);
    // Within the text, each U+001A is a control, also before an ill-formed sequence.
    let within = [("control", 1, 1, 1, 2), ("control", 2, 1, 1, 3), ("eof-1a", 4, 2, 1, 5)];
    finds("--lint controls", b"a\x1A\x1Ab\x1A\x1A", &within);
    finds("--lint controls", b"a\x1A\xFF", &[("control", 1, 1, 1, 2), ("never-byte", 2, 1, 1, 3)]);
    finds(
        "--lint controls",
        b"\x1A\xFF\x1A",
        &[("control", 0, 1, 1, 1), ("never-byte", 1, 1, 1, 2), ("eof-1a", 2, 1, 1, 3)],
    );
    finds("--lint bidi", b"a\x1A", &[]);
    // The lint works by code point, in any encoding.
    for (args, bytes, at, len) in [
        ("-f utf-16le", utf16le("é\x1A\x1A"), 2, 4),
        ("-f utf-16be", utf16be("\u{1A00}\x1A"), 2, 2),
        ("-f cp437", b"\x82\x1A\x1A".to_vec(), 1, 2),
        ("-f ibm037", b"\xC1\x3F\x3F".to_vec(), 1, 2),
    ] {
        finds(&format!("--lint controls {args}"), &bytes, &[("eof-1a", at, len, 1, 2)]);
    }
    finds("--lint controls -f us-ascii", b"\x1A\xFF", &[("control", 0, 1, 1, 1), ("undefined", 1, 1, 1, 2)]);
    // The boundaries of pieces do not matter.
    for before in [131_000, 131_072 - 5, 131_072, 262_144 - 300] {
        let bytes = [vec![b'a'; before], vec![0x1A; 4000]].concat();
        let before = before as u64;
        finds("--lint all", &bytes, &[("eof-1a", before, 4000, 1, before + 1)]);
    }
}

#[test]
fn padding_is_explained() {
    let advice = "they fill the last record, as CP/M and DOS wrote texts";
    placemat("check --lint security")
        .reads(*b"hello\r\n\x1A\x1A\x1A")
        .run()
        .ends(1)
        .wrote(format!("<stdin>:2:1: 3 controls U+001A SUB at byte 7: {advice}\n"));
    let ran = placemat("check -v --lint controls -f cp437").reads(*b"a\x1A").run();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(text.contains("control U+001A SUB at byte 1: ends the text, as CP/M and DOS wrote it"), "{text}");
    assert!(text.contains("`placemat convert -f ibm437 -t ibm437 --eof-1a` drops it"), "{text}");
    let ran = placemat("check --all --format sarif --lint all").reads(*b"a\rb\r\x1A").run();
    let sarif: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let kinds: Vec<_> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["eof-1a", "cr-eol"]);
    let region = &results[1]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((region["byteOffset"].as_u64(), region["byteLength"].as_u64()), (Some(1), Some(1)));
}

#[test]
fn padding_is_dropped_by_convert() {
    for (args, src, want) in [
        ("", b"ab\x1A\x1A".to_vec(), b"ab".to_vec()),
        ("", b"\x1A".to_vec(), vec![]),
        ("", b"a\x1Ab\x1A\x1A".to_vec(), b"a\x1Ab".to_vec()),
        ("", b"\x1A\n".to_vec(), b"\x1A\n".to_vec()),
        ("-f cp437", b"\x82\x1A\x1A".to_vec(), "é".into()),
        ("-f ibm037", b"\xC1\x3F\x3F".to_vec(), b"A".to_vec()),
        ("-t ibm037", b"A\x1A".to_vec(), b"\xC1".to_vec()),
        ("-t utf-16le", "\u{1A00}\x1A\x1A".into(), b"\x00\x1A".to_vec()),
        ("-f utf-16be", utf16be("é\x1A"), "é".into()),
        ("-t utf-7", "é\x1A\x1A".into(), b"+AOk-".to_vec()),
        ("-t iso-2022-jp", "あ\x1A".into(), b"\x1B$B$\"\x1B(B".to_vec()),
        ("--normalize nfc", "e\u{301}\x1A\x1A".into(), "é".into()),
        ("--eol lf", b"a\r\n\r\x1A".to_vec(), b"a\n\n".to_vec()),
        ("--eol crlf --normalize nfd", "é\n\x1A".into(), "e\u{301}\r\n".into()),
        ("--wrap base64", b"abc\x1A".to_vec(), b"YWJj\n".to_vec()),
    ] {
        placemat("convert --eof-1a").args(args).reads(src).run().writes(want);
    }
    // Padding is removed only on request.
    placemat("convert").reads(*b"a\x1A").run().writes(b"a\x1A");
}

#[test]
fn the_run_is_that_of_each_input_and_of_a_whole_text() {
    let d = Directory::new();
    d.write("a", b"one\r\n\x1A\x1A");
    d.write("b", b"t\x1Awo\x1A");
    placemat("convert --eof-1a a b").within(&d).run().writes(b"one\r\nt\x1Awo");
    placemat("convert --eof-1a --normalize nfc a b").within(&d).run().writes(b"one\r\nt\x1Awo");
    placemat("convert --eof-1a --eol lf -i a b").within(&d).run().writes(b"");
    assert_eq!((d.read("a"), d.read("b")), (b"one\n".to_vec(), b"t\x1Awo".to_vec()));
    // The text before the error is written unchanged.
    for args in ["", "--normalize nfc"] {
        placemat("convert --eof-1a").args(args).reads(*b"a\x1A\x1A\xFF").run().ends(1).wrote(b"a\x1A\x1A");
    }
    placemat("convert --eof-1a -t ascii").reads("a\x1Aé\x1A").run().ends(1).wrote(b"a\x1A");
    placemat("convert --eof-1a -t utf-7 --unmappable ignore").reads("a\x1A\x1A").run().writes(b"a");
}

/// A long run is counted, at the end or not, and also between the threads of a long text.
#[test]
fn long_runs() {
    let text = "a line of text\n".repeat(100_000);
    let run = "\x1A".repeat(3_000_000);
    for args in ["-t utf-16le", "-t utf-8", "-t utf-8 --normalize nfc"] {
        let encode = |text: &str| if args.contains("16") { utf16le(text) } else { text.into() };
        let convert = |src: String| placemat("convert --eof-1a").args(args).reads(src).run();
        convert(format!("{text}{run}")).writes(encode(&text));
        convert(format!("{text}{run}b{text}{run}")).writes(encode(&format!("{text}{run}b{text}")));
    }
}

#[test]
fn lines_that_end_in_cr_alone_are_one_finding() {
    finds("--lint cr-eol", b"ab\rc\r", &[("cr-eol", 2, 1, 1, 3)]);
    finds("--lint all", b"ab\rc\rd", &[("cr-eol", 2, 1, 1, 3)]);
    finds("--lint cr-eol -f utf-16be", &utf16be("é\r\r"), &[("cr-eol", 2, 2, 1, 2)]);
    finds("--lint cr-eol -f macintosh", b"\x8E\r", &[("cr-eol", 1, 1, 1, 2)]);
    for text in ["", "ab", "a\nb\r", "a\r\nb\r\n", "a\rb\n", "\n\r"] {
        finds("--lint cr-eol", text.as_bytes(), &[]);
    }
    // The last line end decides.
    finds("--lint cr-eol", &[&b"a line\r".repeat(100_000)[..], b"\n"].concat(), &[]);
    let long = b"a line\r".repeat(100_000);
    finds("--lint cr-eol", &long, &[("cr-eol", 6, 1, 1, 7)]);
    placemat("check --lint cr-eol").reads(long).run().ends(1).wrote(
        "<stdin>:1:7: line end CR at byte 6: all 100000 lines end in CR alone, as classic Mac OS wrote them\n",
    );
    // An ill-formed sequence is not a line end, and changes nothing for the lines around it.
    finds("--lint cr-eol", b"a\r\xFFb\r", &[("never-byte", 2, 1, 1, 3), ("cr-eol", 1, 1, 1, 2)]);
    // `-v` shows the advice of the lint; `-l` and `-q` print no more than usual.
    let ran = placemat("check -v --lint cr-eol").reads(*b"a\rb\r").run();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert!(text.contains("`placemat convert --eol lf` writes LF"), "{text}");
    placemat("check -l --lint cr-eol").reads(*b"a\r").run().ends(1).wrote("<stdin>\n");
    placemat("check -q --lint cr-eol").reads(*b"a\r").run().ends(1).wrote("");
}

#[test]
fn cr_alone_is_a_line_end() {
    for (args, src, want) in [
        ("--eol lf", "a\rb\r", "a\nb\n"),
        ("--eol lf", "a\r\nb\r\r\n\n\r", "a\nb\n\n\n\n"),
        ("--eol crlf", "a\rb\nc\r\n", "a\r\nb\r\nc\r\n"),
        ("--eol crlf --normalize nfc", "e\u{301}\rb\r", "é\r\nb\r\n"),
        ("--eol crlf-to-lf", "a\rb\r\n", "a\rb\n"),
    ] {
        placemat("convert").args(args).reads(src).run().writes(want);
    }
    placemat("convert --eol lf -f utf-16le -t utf-16le")
        .reads(utf16le("a\r\u{D00}\r\n"))
        .run()
        .writes(utf16le("a\n\u{D00}\n"));
    let long = "line\r".repeat(300_000);
    placemat("convert --eol crlf").reads(long.clone()).run().writes(long.replace('\r', "\r\n"));
}

#[test]
fn a_signature_before_an_interpreter_is_a_finding() {
    let script = b"\xEF\xBB\xBF#!/bin/sh\necho\n";
    for args in [
        "--lint all",
        "--lint security",
        "--lint invisible",
        "--lint all --bom require",
        "--lint all -f utf-8-bom",
    ] {
        finds(args, script, &[("bom-shebang", 0, 3, 1, 1)]);
    }
    finds("--lint all --bom forbid", script, &[("bom-forbidden", 0, 3, 1, 1)]);
    finds("--lint bidi", script, &[]);
    finds("--lint all", b"\xEF\xBB\xBF# !\n", &[]);
    finds("--lint all", b"#!/bin/sh\n", &[]);
    finds("--lint all", b"\xEF\xBB\xBF#", &[]);
    placemat("check --lint invisible").reads(*script).run().ends(1).wrote(
        "<stdin>:1:1: signature 0xef 0xbb 0xbf at byte 0: before #!, which systems look for in the first two bytes: they do not run the file by it\n",
    );
}
