//! `inspect`: its views, against the standard library.

use crate::run::{Directory, placemat, utf16be, vectors};
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

fn json(stdout: &[u8]) -> Vec<Value> {
    let text = core::str::from_utf8(stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_table() {
    let want = "
offset  bytes                                    code point
     0  61                                       U+0061   a         Ll Latin 1
        0.1100001                                LATIN SMALL LETTER A
     1  c3        a9                             U+00E9   é         Ll Latin 1
        110.00011 10.101001                      LATIN SMALL LETTER E WITH ACUTE
     3  e2        80        ae                   U+202E   \\u{202e}  Cf Common 0
        1110.0010 10.000000 10.101110            RIGHT-TO-LEFT OVERRIDE
     6  f0        9f        98        80         U+1F600  😀        So Common 2
        11110.000 10.011111 10.011000 10.000000  GRINNING FACE
    10  c0                                       ill-formed: overlong-2
        110.00000                                two bytes where one would do,
                                                 would be U+002F '/'
    11  af                                       ill-formed: unexpected-continuation
        10.101111                                belongs to the overlong
                                                 sequence at byte 10
";
    let bytes = ["aé\u{202E}😀".as_bytes(), b"\xC0\xAF"].concat();
    placemat("inspect").reads(bytes).run().writes(&want[1..]);
}

#[test]
fn the_other_views() {
    let bytes = b"caf\xC3\xA9\n\xE2\x82\xAC\\\t\x80\x1B";
    placemat("inspect --as escapes")
        .reads(bytes)
        .run()
        .writes("caf\\u{e9}\\n\n\\u{20ac}\\\\\\t\\x80\\u{1b}\n");
    placemat("inspect --as hex")
        .reads(bytes)
        .run()
        .writes("00000000  63 61 66 c3 a9 0a e2 82  ac 5c 09 80 1b          |café·.€··\\.?.|\n");
    placemat("inspect --as bits")
        .reads("é".as_bytes())
        .run()
        .writes("       0  110.00011 10.101001                      U+00E9    é\n");
}

#[test]
fn bases() {
    placemat("inspect --base 8 --text €").run().writes(
        "offset  bytes                          code point\n     0  342       202       254        0o20254  €   Sc Common 1\n        \
         1110.0010 10.000010 10.101100  EURO SIGN\n        0010 000010 101100\n",
    );
    placemat("inspect --base 8 --as bits")
        .reads(b"A")
        .run()
        .writes("       0  0.1000001                                0o101     A\n");
    placemat("inspect --base 2 --format jsonl --text a")
        .run()
        .ends(2)
        .mentions(&["--base applies to the views table and bits"]);
    let ran = placemat("inspect").reads(b"\xEF\xBB\xBF").run();
    assert!(String::from_utf8(ran.stdout).unwrap().contains("byte order"));
}

#[test]
fn text_from_the_command_line_is_shown_in_the_encoding() {
    let ran = placemat("inspect --format jsonl -f utf-16be --text 😀é").run();
    let parts = json(&ran.stdout);
    assert_eq!(parts[0]["bytes"], "d83dde00");
    assert_eq!(parts[0]["name"], "GRINNING FACE");
    assert_eq!(parts[1]["bytes"], "00e9");
    let ran = placemat("inspect -f latin1 --text €").run();
    ran.ends(1).wrote("").mentions(&["placemat: --text: ISO-8859-1 cannot represent \"€\"\n"]);
    placemat("inspect --text a file").run().ends(2);
}

#[test]
fn a_signature_is_shown_as_what_it_is() {
    let ran = placemat("inspect --format jsonl -f utf-16").reads(b"\xFE\xFF\0a\xFE\xFF").run();
    let kinds: Vec<_> = json(&ran.stdout).iter().map(|part| part["kind"].clone()).collect();
    assert_eq!(kinds, [Value::from("signature"), Value::Null, Value::Null]);
    let ran = placemat("inspect --format jsonl").reads(b"\xEF\xBB\xBF").run();
    assert_eq!(json(&ran.stdout)[0]["name"], "ZERO WIDTH NO-BREAK SPACE");
}

#[test]
fn all_parts_are_those_of_the_standard_library() {
    let Some(stress) = vectors("stress.txt") else { return };
    let ran = placemat("inspect --format jsonl").reads(stress.as_slice()).run();
    let mut parts = json(&ran.stdout).into_iter();
    let mut offset = 0;
    for chunk in stress.utf8_chunks() {
        for c in chunk.valid().chars() {
            let part = parts.next().unwrap();
            assert_eq!(part["byte_offset"], offset);
            assert_eq!(part["length"], c.len_utf8());
            assert_eq!(part["code_point"], format!("U+{:04X}", u32::from(c)));
            assert_eq!(part["character"], String::from(c));
            assert!(part["kind"].is_null());
            offset += c.len_utf8();
        }
        if !chunk.invalid().is_empty() {
            let part = parts.next().unwrap();
            assert_eq!(
                (&part["byte_offset"], &part["length"]),
                (&offset.into(), &chunk.invalid().len().into())
            );
            assert!(part["kind"].is_string() && part["reason"].is_string());
            offset += chunk.invalid().len();
        }
    }
    assert!(parts.next().is_none());
}

#[test]
fn ranges_show_all_that_has_bytes_in_them() {
    let offsets = |range: &str| -> Vec<u64> {
        let ran = placemat("inspect --format jsonl --range").arg(range).reads("a€😀b").run();
        ran.ends(0);
        json(&ran.stdout).iter().map(|part| part["byte_offset"].as_u64().unwrap()).collect()
    };
    assert_eq!(offsets("0..9"), [0, 1, 4, 8]);
    assert_eq!(offsets(".."), [0, 1, 4, 8]);
    assert_eq!(offsets("2..5"), [1, 4]);
    assert_eq!(offsets("4..8"), [4]);
    assert_eq!(offsets("..1"), [0]);
    assert_eq!(offsets("0x8.."), [8]);
    assert_eq!(offsets("9.."), [] as [u64; 0]);
    assert_eq!(offsets("100..200"), [] as [u64; 0]);
    for range in ["", "5", "5..4", "a..b", "-1..3"] {
        let ran = placemat("inspect").arg(format!("--range={range}")).run();
        ran.ends(2).wrote("").mentions(&["--range takes A..B"]);
    }
    // The offset lies far into a file.
    let d = Directory::new();
    d.write("file", "€😀".repeat(100_000));
    let ran = placemat("inspect --format jsonl --range 600000..600001 file").within(&d).run();
    let parts = json(&ran.stdout);
    assert_eq!(
        (parts.len(), &parts[0]["byte_offset"], &parts[0]["name"]),
        (1, &599_998.into(), &"EURO SIGN".into())
    );
}

/// Decoding or reading the text before the offset would take hours.
#[cfg(target_os = "linux")]
#[test]
fn far_into_a_file_at_once() {
    use std::io::{Seek as _, SeekFrom, Write as _};
    let d = Directory::new();
    let mut file = std::fs::File::create(d.path("vast")).unwrap();
    let far = 4_u64 << 40;
    let text = "€😀é";
    if file.set_len(far).is_err()
        || file.seek(SeekFrom::Start(far)).is_err()
        || file.write_all(text.as_bytes()).is_err()
    {
        println!("skipped: no files of this size here");
        return;
    }
    let range = format!("{}..", far + 2);
    let shown = |encoding: &str| {
        let ran = placemat("inspect --format jsonl -n 2 -f")
            .arg(encoding)
            .arg("--range")
            .arg(&range)
            .arg("vast")
            .within(&d)
            .run();
        ran.ends(0);
        json(&ran.stdout)
            .iter()
            .map(|part| (part["byte_offset"].as_u64().unwrap(), part["code_point"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(shown("utf-8"), [(far, "U+20AC".into()), (far + 3, "U+1F600".into())]);
    assert_eq!(shown("utf-8-sig"), [(far, "U+20AC".into()), (far + 3, "U+1F600".into())]);
    assert_eq!(shown("utf-16le"), [(far + 2, "U+F0AC".into()), (far + 4, "U+989F".into())]);
    assert_eq!(shown("latin1"), [(far + 2, "U+00AC".into()), (far + 3, "U+00F0".into())]);
    // Offsets in standard input count from its current position.
    let file = std::fs::File::open(d.path("vast")).unwrap();
    (&file).seek(SeekFrom::Start(far)).unwrap();
    let mut command = placemat("inspect --format jsonl --range 3..4").command;
    let output = command.stdin(file).output().unwrap();
    assert_eq!(json(&output.stdout)[0]["code_point"], "U+1F600");
}

#[test]
fn far_into_a_pipe() {
    let bytes = [&b"a\xFF\xE2\x82".repeat(50_000)[..], "€".as_bytes()].concat();
    for encoding in ["utf-8", "gb18030"] {
        let all = placemat("inspect --format jsonl -f").arg(encoding).reads(&*bytes).run();
        let far = placemat("inspect --format jsonl --range 199000.. -f").arg(encoding).reads(&*bytes).run();
        let (all, far) = (json(&all.stdout), json(&far.stdout));
        let wanted: Vec<_> = all
            .iter()
            .filter(|part| part["byte_offset"].as_u64().unwrap() + part["length"].as_u64().unwrap() > 199_000)
            .collect();
        assert_eq!(far.iter().collect::<Vec<_>>(), wanted, "{encoding}");
    }
}

#[test]
fn long_tables_are_cut_and_that_is_said() {
    let ran = placemat("inspect").reads("a".repeat(300)).run();
    assert_eq!(core::str::from_utf8(&ran.stdout).unwrap().lines().count(), 1 + 2 * 256);
    ran.ends(0).says("<stdin>: output stopped at byte 256; -n 0 shows all of it\n");
    let all = placemat("inspect -n 0").reads("a".repeat(300)).run();
    assert_eq!(core::str::from_utf8(&all.stdout).unwrap().lines().count(), 1 + 2 * 300);
    placemat("inspect -n 256").reads("a".repeat(256)).run().ends(0).says("");
    let three = placemat("inspect -n 3 --as escapes").reads("abcd").run();
    three.ends(0).wrote("abc\n").says("<stdin>: output stopped at byte 3; -n 0 shows all of it\n");
}

#[test]
fn the_table_fits_eighty_columns() {
    let text = "a\u{FDFA}\u{1F600}\u{1242B}\u{10FFFF}日\u{E000}\u{FDD0}\u{85}é\u{E0041}\u{1F468}";
    for (encoding, bytes) in [("utf-8", text.as_bytes().to_vec()), ("utf-16be", utf16be(text))] {
        let ran = placemat("inspect -f").arg(encoding).reads(bytes).run();
        for line in core::str::from_utf8(&ran.stdout).unwrap().lines() {
            assert!(line.width() <= 80, "{line}");
        }
    }
}

#[test]
fn nothing_raw_reaches_a_terminal() {
    let all: String = (0..0x11_0000).step_by(7).filter_map(char::from_u32).collect();
    for view in ["table", "hex", "bits", "escapes"] {
        let ran = placemat("inspect -n 0 --as").arg(view).reads(&*all).run();
        let out = String::from_utf8(ran.stdout).unwrap();
        let bad = |c: char| {
            c.is_control() && c != '\n'
                || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
        };
        assert_eq!(out.chars().find(|&c| bad(c)), None, "{view}");
    }
}

#[test]
fn bad_arguments_and_files() {
    placemat("inspect missing")
        .run()
        .ends(2)
        .wrote("")
        .says("placemat: missing: no such file or directory\n");
    placemat("inspect /").run().ends(2).wrote("").says("placemat: /: is a directory\n");
    placemat("inspect --as hex --format jsonl").run().ends(2).wrote("");
    placemat("inspect").run().writes("");
}
