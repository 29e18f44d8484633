//! `check`: its findings and their positions, against the standard library and naive computations.

use crate::run::{Directory, placemat, utf16be, utf16le, vectors};
use core::fmt::Write as _;
use serde_json::Value;

/// The place of a finding: offset, length, line, column, column in UTF-16.
type Place = (u64, u64, u64, u64, u64);

/// Parses all lines of JSON.
fn json(stdout: &[u8]) -> Vec<Value> {
    let text = core::str::from_utf8(stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn place(finding: &Value) -> Place {
    let number = |key: &str| finding[key].as_u64().unwrap();
    (number("byte_offset"), number("length"), number("line"), number("column"), number("utf16_column"))
}

/// A naive position in a text: line, column, column in UTF-16.
struct Naive(u64, u64, u64);

impl Naive {
    fn push(&mut self, text: &str) {
        let mut line = text;
        if let Some((before, last)) = text.rsplit_once('\n') {
            *self = Self(self.0 + before.split('\n').count() as u64, 1, 1);
            line = last;
        }
        self.1 += line.chars().count() as u64;
        self.2 += line.encode_utf16().count() as u64;
    }
}

/// Returns the findings that the standard library yields.
fn expected(bytes: &[u8]) -> Vec<Place> {
    let mut at = Naive(1, 1, 1);
    let mut offset = 0;
    let mut places = Vec::new();
    for chunk in bytes.utf8_chunks() {
        at.push(chunk.valid());
        offset += chunk.valid().len() as u64;
        let len = chunk.invalid().len() as u64;
        if len > 0 {
            places.push((offset, len, at.0, at.1, at.2));
            at.push("\u{FFFD}");
            offset += len;
        }
    }
    places
}

/// Returns broken characters: a lead byte with the continuation bytes after it, up to the length
/// that it announces by the table of RFC 2279; two surrogates that form a pair; two bytes that are a
/// signature of UTF-16; or one byte. Their columns are the columns of the errors in them.
fn characters(bytes: &[u8]) -> Vec<Place> {
    let errors = expected(bytes);
    let continuations = |at: usize, most: usize| {
        bytes[at..].iter().skip(1).take(most).take_while(|&&byte| (0x80..0xC0).contains(&byte)).count()
    };
    let mut places = Vec::new();
    let mut end = 0;
    for error in errors {
        let at = usize::try_from(error.0).unwrap();
        if at < end {
            continue;
        }
        let len = match bytes[at..] {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => 2,
            [0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED, 0xB0..=0xBF, 0x80..=0xBF, ..] => 6,
            [0xC0..=0xDF, ..] => 1 + continuations(at, 1),
            [0xE0..=0xEF, ..] => 1 + continuations(at, 2),
            [0xF0..=0xF7, ..] => 1 + continuations(at, 3),
            [0xF8..=0xFB, ..] => 1 + continuations(at, 4),
            [0xFC..=0xFD, ..] => 1 + continuations(at, 5),
            _ => 1,
        };
        end = at + len;
        places.push((error.0, len as u64, error.2, error.3, error.4));
    }
    places
}

#[track_caller]
fn finds_what_core_finds(bytes: &[u8]) {
    let want = expected(bytes);
    agree("--span maximal", bytes, &want);
    agree("", bytes, &characters(bytes));
}

/// Asserts that the command finds exactly `want`.
#[track_caller]
fn agree(args: &str, bytes: &[u8], want: &[Place]) {
    let ran = placemat("check --all --format jsonl").args(args).reads(bytes).run();
    assert_eq!((ran.status, ran.stderr.as_str()), (i32::from(!want.is_empty()), ""));
    let findings = json(&ran.stdout);
    for (finding, want) in findings.iter().zip(want) {
        assert_eq!(place(finding), *want, "{finding}");
        let start = usize::try_from(want.0).unwrap();
        let hex = bytes[start..start + usize::try_from(want.1).unwrap()].iter().fold(
            String::new(),
            |mut hex, byte| {
                write!(hex, "{byte:02x}").unwrap();
                hex
            },
        );
        assert_eq!(finding["bytes"], hex);
    }
    assert_eq!(findings.len(), want.len());
}

/// Returns text of several scripts with ill-formed bytes in it now and then.
fn damaged(len: usize, seed: u32) -> Vec<u8> {
    const GOOD: [&str; 8] = ["plain ASCII text, ", "\n", "é", "€uro ", "😀", "\r\n", "日本語", "x\u{301}"];
    const ILL: [&[u8]; 12] = [
        b"\x80",
        b"\xC0\xAF",
        b"\xE0\x80\x80",
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"\xF4\x90\x80\x80",
        b"\xF8\x88\x80\x80\x80",
        b"\xFC\x84\x80\x80\x80\x80",
        b"\xFF",
        b"\xC3",
        b"\xE2\x82",
        b"\xF0\x9F\x98",
        b"\xF0\x9F",
    ];
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % n
    };
    let mut bytes = Vec::new();
    while bytes.len() < len {
        if below(40) == 0 {
            bytes.extend_from_slice(ILL[below(ILL.len())]);
        } else {
            bytes.extend_from_slice(GOOD[below(GOOD.len())].as_bytes());
        }
    }
    bytes
}

#[test]
fn many_files_in_one_run() {
    let mut want = Vec::new();
    let d = Directory::new();
    let Some(cases) = vectors("cases/stress-validate.jsonl") else { return };
    for (i, line) in str::from_utf8(&cases).unwrap().lines().enumerate() {
        let case: Value = serde_json::from_str(line).unwrap();
        let hex = case["in"].as_str().unwrap();
        let bytes: Vec<u8> =
            (0..hex.len()).step_by(2).map(|i| u8::from_str_radix(&hex[i..i + 2], 16).unwrap()).collect();
        let name = format!("{i:03}");
        d.write(&name, bytes);
        assert_eq!(case["valid"].as_bool().unwrap(), case["offset"].is_null());
        want.extend(case["offset"].as_u64().map(|offset| (format!("./{name}"), offset)));
    }
    want.sort();
    let ran = placemat("check --all --format jsonl -a .").within(&d).run();
    ran.ends(1).says("");
    let mut first: Vec<(String, u64)> = Vec::new();
    for finding in json(&ran.stdout) {
        let path = finding["path"].as_str().unwrap().to_owned();
        if first.last().is_none_or(|(last, _)| *last != path) {
            first.push((path, finding["byte_offset"].as_u64().unwrap()));
        }
    }
    assert_eq!(first, want);
}

#[test]
fn the_whole_stress_test() {
    if let Some(stress) = vectors("stress.txt") {
        finds_what_core_finds(&stress);
    }
}

#[test]
fn lines_and_columns_are_those_of_a_naive_computation() {
    finds_what_core_finds(b"");
    finds_what_core_finds(b"\xFF");
    finds_what_core_finds(b"\n\n\xFF\n\r\n\xFF\r\xFF\xE2\x82");
    finds_what_core_finds("\u{FEFF}a😀é".repeat(3).as_bytes());
    finds_what_core_finds(&[&b"\xEF\xBB\xBFa"[..], "😀".as_bytes(), b"\xFF\xFE"].concat());
    let all: Vec<u8> = (0..=255).collect();
    finds_what_core_finds(&all);
    for seed in 0..8 {
        finds_what_core_finds(&damaged(2000, seed));
    }
}

#[test]
fn pieces_are_cut_anywhere() {
    // Each run shifts the text by some bytes, so that every kind of error meets the boundary of a
    // piece.
    let damage = damaged(900_000, 17);
    for shift in [0, 1, 2, 3, 5, 7] {
        finds_what_core_finds(&[&b"-------"[..shift], &damage].concat());
    }
    // The line begins several pieces before its end.
    let mut long = "é€".repeat(150_000).into_bytes();
    long.extend_from_slice(b"\xFF tail");
    finds_what_core_finds(&long);
}

#[test]
fn a_text_ends_at_any_border() {
    let d = Directory::new();
    for border in [512, 8 * 1024, 64 * 1024, 256 * 1024, 256 * 1024 + 64, 256 * 1024 + 64 + 512] {
        for len in border - 5..=border + 5 {
            let pair = &b"\xED\xA0\xBD\xED\xB8\x80"[..];
            for end in
                [&b"\xE2\x82"[..], b"\xF0\x9F\x98", b"\xC3", b"\x80", b"\xC0\xAF", "€".as_bytes(), pair]
            {
                let mut bytes = vec![b'a'; len - end.len()];
                bytes.extend_from_slice(end);
                d.write("file", &bytes);
                let ran = placemat("check --all --format jsonl file").within(&d).run();
                let found: Vec<_> = json(&ran.stdout).iter().map(place).collect();
                assert_eq!(found, characters(&bytes), "{len} {end:02x?}");
            }
        }
    }
}

#[test]
fn a_broken_character_is_one_finding() {
    for (bytes, kind, errors, message) in [
        (
            &b"\xED\xA0\xBD\xED\xB8\x80"[..],
            "surrogate",
            6,
            "surrogate pair 0xed 0xa0 0xbd 0xed 0xb8 0x80 at byte 1: CESU-8 for U+1F600 '😀', which has four bytes in UTF-8",
        ),
        (
            b"\xF4\x90\x80\x80",
            "too-large",
            4,
            "sequence 0xf4 0x90 0x80 0x80 at byte 1: would be U+110000, above the last",
        ),
        (b"\xF5\x80\x80\x80", "lead-f5-f7", 4, "sequence 0xf5 0x80 0x80 0x80 at byte 1: would be U+140000"),
        (b"\xF5\x80\x80", "lead-f5-f7", 3, "byte 0xf5 at byte 1: never occurs in UTF-8"),
        (b"\xC0\x80", "overlong-2", 2, "overlong sequence 0xc0 0x80 at byte 1: two bytes where one would do"),
        (b"\xE0\x80\x80", "overlong-3", 3, "overlong sequence 0xe0 0x80 0x80 at byte 1"),
        (b"\xF0\x80\x80\x80", "overlong-4", 4, "overlong sequence 0xf0 0x80 0x80 0x80 at byte 1"),
        (b"\xED\xA0\x80", "surrogate", 3, "surrogate 0xed 0xa0 0x80 at byte 1: half of a UTF-16 pair"),
        (b"\xF8\x88\x80\x80\x80", "lead-5-byte", 5, "sequence 0xf8 0x88 0x80 0x80 0x80 at byte 1"),
        (b"\xFC\x84\x80\x80\x80\x80", "lead-6-byte", 6, "sequence 0xfc 0x84 0x80 0x80 0x80 0x80 at byte 1"),
        (
            b"\xFF\xFE",
            "never-byte",
            2,
            "byte 0xff at byte 1: never occurs in UTF-8; 0xff 0xfe is the signature",
        ),
    ] {
        let text = [b"'", bytes, b"'"].concat();
        let ran = placemat("check --all --format jsonl --summary").reads(&*text).run();
        let found = json(&ran.stdout);
        assert_eq!(found.len(), 2, "{bytes:02x?}");
        assert_eq!(place(&found[0]), (1, bytes.len() as u64, 1, 2, 2), "{bytes:02x?}");
        assert_eq!(found[0]["kind"], kind);
        assert!(found[0]["message"].as_str().unwrap().starts_with(message), "{}", found[0]["message"]);
        assert_eq!(found[1]["summary"]["findings"], 1);
        // SARIF also has the end of the region: the position after the text that a decoder would
        // write for it.
        let sarif = placemat("check --all --format sarif").reads(&*text).run();
        let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let region = &results[0]["locations"][0]["physicalLocation"]["region"];
        assert_eq!((results.len(), &region["byteLength"]), (1, &found[0]["length"]));
        assert_eq!(region["endColumn"], 2 + errors, "{bytes:02x?}");
        // With `--span`, every error in a broken character is reported.
        for span in ["maximal", "byte"] {
            let ran = placemat("check --all --format jsonl --span").arg(span).reads(&*text).run();
            assert_eq!(json(&ran.stdout).len(), errors, "{span} {bytes:02x?}");
        }
        // The number of findings equals the number of broken sequences.
        let ran = placemat("check --max 2 --summary").reads(text.repeat(3)).run();
        assert!(ran.stdout.ends_with(b"1 file checked, 2 findings in 1 of them\n"));
    }
    for (encoding, bytes, count) in [
        ("ascii", "é€😀".as_bytes(), 3),
        ("cesu-8", "a😀b".as_bytes(), 1),
        ("utf-32be", b"\0\0\xD8\x3D\0\0\xDE\0", 1),
        ("utf-16be", b"\xD8\x3D\xD8\x3D", 2),
    ] {
        let ran = placemat("check --all --format jsonl -f").arg(encoding).reads(bytes).run();
        assert_eq!(json(&ran.stdout).len(), count, "{encoding}");
    }
}

#[test]
fn spans_say_how_much_is_one_error() {
    let lengths = |args: &str, bytes: &[u8]| -> Vec<u64> {
        let ran = placemat("check --all --format jsonl").arg("--span").arg(args).reads(bytes).run();
        json(&ran.stdout).iter().map(|finding| finding["length"].as_u64().unwrap()).collect()
    };
    assert_eq!(lengths("maximal", b"\xF4\x90\x80\x80"), [1, 1, 1, 1]);
    assert_eq!(lengths("byte", b"\xE2\x82!"), [1, 1]);
    assert_eq!(lengths("structural", b"\xF4\x90\x80\x80"), [4]);
    assert_eq!(lengths("lead", b"\xE1ABC"), [3]);
    // A swallowed line feed still ends the line.
    let ran = placemat("check --all --format jsonl --span lead").reads(b"ab\xE1\nBC\xFF").run();
    let places: Vec<_> = json(&ran.stdout).iter().map(place).collect();
    assert_eq!(places, [(2, 3, 1, 3, 3), (6, 1, 2, 3, 3)]);
}

#[test]
fn wide_encodings_are_located_in_the_same_way() {
    let text = "a😀é\nb€";
    type Encode = fn(&str) -> Vec<u8>;
    let encodings: [(&str, Encode, &[u8]); 2] =
        [("utf-16le", utf16le, b"\x00\xDC"), ("utf-16be", utf16be, b"\xDC\x00")];
    for (name, encode, lone) in encodings {
        let mut bytes = encode(text);
        let first = bytes.len() as u64;
        bytes.extend_from_slice(lone);
        bytes.extend(encode("c😀"));
        let second = bytes.len() as u64;
        bytes.extend_from_slice(lone);
        bytes.push(b'!');
        let ran = placemat("check --all --format jsonl -f").arg(name).reads(&*bytes).run();
        let findings = json(&ran.stdout);
        let places: Vec<_> = findings.iter().map(place).collect();
        assert_eq!(
            places,
            [(first, 2, 2, 3, 3), (second, 2, 2, 6, 7), (second + 2, 1, 2, 7, 8)],
            "{name}: {findings:?}"
        );
        let kinds: Vec<_> = findings.iter().map(|finding| finding["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["unpaired-trail", "unpaired-trail", "incomplete"]);
    }
    // The signature that determines the byte order has no column.
    let ran = placemat("check --all --format jsonl -f utf-16").reads(b"\xFE\xFF\0a\xDC\0").run();
    assert_eq!(place(&json(&ran.stdout)[0]), (4, 2, 1, 2, 2));
    let ran = placemat("check --all --format jsonl -f utf-32").reads(b"\0\0\xFE\xFF\0\0\0a\0\x11\0\0").run();
    assert_eq!(place(&json(&ran.stdout)[0]), (8, 4, 1, 2, 2));
    // A long text with errors at every boundary of a piece.
    let unit = |i: usize| if i.is_multiple_of(997) { [0x00, 0xDC] } else { [b'a', 0] };
    let bytes: Vec<u8> = (0..500_000).flat_map(unit).collect();
    let ran = placemat("check --all --format jsonl -f utf-16le").reads(bytes).run();
    let found: Vec<_> =
        json(&ran.stdout).iter().map(|finding| finding["byte_offset"].as_u64().unwrap()).collect();
    assert_eq!(found, (0..500_000).step_by(997).map(|i| 2 * i).collect::<Vec<u64>>());
}

#[test]
fn every_encoding_can_be_checked() {
    for (name, good, ill) in [
        ("ascii", &b"abc"[..], &b"\x80"[..]),
        ("latin1", b"\xE9\xFF\x80", b""),
        ("utf-8-bom", b"\xEF\xBB\xBFabc", b"\xFF"),
        ("ucs-2le", b"\x00\xD8a\0", b"!"),
        ("ucs-4be", b"\x7F\xFF\xFF\xFF\0\0\xD8\0", b"\x80\0\0\0"),
        ("utf-32le", b"a\0\0\0", b"\0\xD8\0\0"),
        ("utf-32be", b"\0\0\0a", b"\0\x11\0\0"),
    ] {
        placemat("check -f").arg(name).reads(good).run().writes("");
        if !ill.is_empty() {
            placemat("check -q -f").arg(name).reads([good, ill].concat()).run().ends(1).wrote("").says("");
        }
    }
}

#[test]
fn messages_say_what_and_why() {
    for (bytes, message) in [
        (
            &b"\xC0\xAF"[..],
            "overlong sequence 0xc0 0xaf at byte 2: two bytes where one would do, would be U+002F '/'",
        ),
        (b"\xFFx", "byte 0xff at byte 2: never occurs in UTF-8; looks like Latin-1 or windows-1252 'ÿ'"),
        (
            b"\xE2\x82 ",
            "truncated sequence 0xe2 0x82 at byte 2: needs 1 more continuation byte, found 0x20 ' '",
        ),
    ] {
        let ran = placemat("check").reads([b"a ", bytes].concat()).run();
        let first = core::str::from_utf8(&ran.stdout).unwrap().lines().next().unwrap().to_owned();
        assert_eq!(first, format!("<stdin>:1:3: {message}"));
    }
}

#[test]
fn a_finding_in_json_has_all_fields() {
    let ran = placemat("check --all --format jsonl").reads(b"caf\xE9 \xC0\xAF").run();
    let findings = json(&ran.stdout);
    let want = serde_json::json!({
        "path": "<stdin>",
        "byte_offset": 3,
        "length": 1,
        "bytes": "e9",
        "kind": "truncated",
        "line": 1,
        "column": 4,
        "utf16_column": 4,
        "message": "lead byte 0xe9 at byte 3: needs 2 more continuation bytes, found 0x20 ' '; \
                    looks like Latin-1 or windows-1252 'é'",
        "suggestion": "if all such bytes are windows-1252, `placemat convert -e cp1252` converts them",
    });
    assert_eq!(findings[0], want);
    assert!(findings[1]["suggestion"].as_str().unwrap().starts_with("refuse it"));
    let parts = placemat("check --all --format jsonl --span maximal").reads(b"\xC0\xAF").run();
    assert_eq!(json(&parts.stdout)[1]["suggestion"], Value::Null);
}
