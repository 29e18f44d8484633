//! `encodings`: the list, `--search`, and `--table`.

use crate::run::placemat;
use placemat::Encoding;
use serde_json::Value;
use std::process::{Command, Stdio};
use unicode_width::UnicodeWidthStr as _;

fn json(stdout: &[u8]) -> Vec<Value> {
    let text = core::str::from_utf8(stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn table(encoding: &str) -> Vec<Value> {
    let ran = placemat("encodings --table --format jsonl").arg(encoding).run();
    ran.ends(0).says("");
    let bytes = json(&ran.stdout);
    assert_eq!(bytes.len(), 256, "{encoding}");
    bytes
}

/// Removes the escape sequences of colors.
fn stripped(text: &str) -> String {
    let mut parts = text.split('\x1B');
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
}

#[test]
fn searching() {
    let names = |words: &str| -> Vec<String> {
        let ran = placemat("encodings --format jsonl --search").arg(words).run();
        ran.ends(0).says("");
        json(&ran.stdout).iter().map(|line| line["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names("Turkish").contains(&"windows-1254".to_owned()));
    assert_eq!(names("ebcdic hebrew euro"), ["IBM4899", "IBM12712"]);
    let ran = placemat("encodings --search koi8_r").run();
    assert!(String::from_utf8(ran.stdout).unwrap().lines().any(|line| line.starts_with("KOI8-R ")));
    placemat("encodings --search")
        .arg("kling\x1Bon")
        .run()
        .ends(1)
        .wrote("")
        .says("placemat: no encoding matches \"kling\\x1bon\" (`placemat encodings` lists all encodings)\n");
    placemat("encodings utf-8 --search turkish").run().ends(2);
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_the_list_is_in_groups_and_fits() {
    let command = format!("{} encodings", env!("CARGO_BIN_EXE_placemat"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).env("NO_COLOR", "1");
    let Ok(output) = script.output() else {
        println!("skipped: no `script` here, which makes a terminal");
        return;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    let at = |wanted: &str| lines.iter().position(|line| line.starts_with(wanted)).unwrap();
    assert!(at("Unicode") < at("  UTF-8 ") && at("  UTF-8 ") < at("Turkish"));
    assert!(at("Turkish") < at("  windows-1254 ") && at("  windows-1254 ") < at("Hebrew"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("  ")).count(), Encoding::ALL.len());
    for line in lines {
        assert!(line.width() <= 80, "{line}");
    }
}

#[test]
fn explanations_fit() {
    for name in ["utf-8", "utf8n", "utf-8-mac", "iso-8859-1", "cp1252", "utf-7-imap", "shift_jis"] {
        let ran = placemat("encodings").arg(name).run();
        for line in String::from_utf8(ran.stdout).unwrap().lines() {
            assert!(line.width() <= 80, "{line}");
        }
    }
}

#[test]
fn the_table_of_utf8_is_that_of_the_standard() {
    let bytes = table("utf-8");
    let mut wanted = vec![(u32::MAX, 0, 0_u64, 0); 256];
    for c in '\0'..=char::MAX {
        let mut buffer = [0; 4];
        let encoded = c.encode_utf8(&mut buffer).as_bytes();
        let (lowest, highest, count, len) = &mut wanted[usize::from(encoded[0])];
        *lowest = (*lowest).min(c.into());
        *highest = (*highest).max(u32::from(c));
        *count += 1;
        *len = encoded.len();
    }
    for (byte, (line, (lowest, highest, count, len))) in bytes.iter().zip(wanted).enumerate() {
        match byte {
            0..=0x7F => assert_eq!(line["code_points"][0], format!("U+{byte:04X}")),
            0x80..=0xBF => assert_eq!(line["class"], "continuation"),
            0xC2..=0xF4 => {
                let sequences = serde_json::json!([{
                    "length": len, "lowest": format!("U+{lowest:04X}"), "highest": format!("U+{highest:04X}"), "count": count
                }]);
                assert_eq!((&line["class"], &line["sequences"]), (&"lead".into(), &sequences), "{byte:02x}");
            }
            _ => {
                assert_eq!(line["class"], "never", "{byte:02x}");
                assert!(line["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{byte:02x}");
            }
        }
        assert_eq!(line["reason"].is_string(), line["class"] == "never", "{byte:02x}");
        assert_eq!(
            line["blocks"].as_array().is_some_and(|blocks| !blocks.is_empty()),
            count > 0 && !(0xF1..=0xF2).contains(&byte)
        );
    }
    assert_eq!(bytes[0xED]["blocks"], serde_json::json!(["Hangul Syllables", "Hangul Jamo Extended-B"]));
    let text = String::from_utf8(placemat("encodings utf-8 --table").run().stdout).unwrap();
    for part in [
        "\n4 @    A    B ",
        "\nB +30  +31 ",
        "\nC --   --   L2 ",
        "     3  E1..EC          U+1000      U+CFFF             49,152  4,096 each\n",
        "4 bytes  1,048,576 code points\n",
        "\nE L3*  L3   L3 ",
        "\nD0..D3  Cyrillic\n",
        "\nD6      Armenian, Hebrew\nD7      Hebrew\n",
        "\nDC      Syriac\n",
        "\nDF      NKo\n",
        "\nF4      Supplementary Private Use Area-B\n",
        "\n     1  Latin 52, shared by scripts 76\n",
        "byte 2 after ED: 80..9F, else a surrogate\n",
        "\nC0..C1 in no text: overlong: would begin two bytes for one of ASCII\n",
        "ill-formed sequences: 128 of 1 byte, 1,216 of 2, 16,384 of 3: 17,728\n",
        "gone since 2003: 983,040 of 2,031,616 sequences of 4 bytes, all of 5 and 6\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn cells_of_well_known_pages() {
    for (encoding, cells) in [
        ("windows-1252", &[(0x80, "U+20AC"), (0x81, "U+0081"), (0x9F, "U+0178"), (0xE9, "U+00E9")][..]),
        ("windows-1253", &[(0xC1, "U+0391"), (0xD2, "")]),
        ("koi8-r", &[(0xC1, "U+0430"), (0x80, "U+2500")]),
        ("ibm037", &[(0x15, "U+0085"), (0x25, "U+000A"), (0xC1, "U+0041"), (0x40, "U+0020")]),
        ("ascii", &[(0x7F, "U+007F"), (0x80, "")]),
        ("gb18030", &[(0x41, "U+0041"), (0x80, "U+20AC"), (0xFF, "")]),
        ("shift_jis", &[(0xB1, "U+FF71"), (0x41, "U+0041")]),
    ] {
        let bytes = table(encoding);
        for &(byte, wanted) in cells {
            let known = bytes[byte]["code_points"][0].as_str().unwrap_or_default();
            assert_eq!(known, wanted, "{encoding} {byte:02x}");
        }
    }
    // Rows of the standards: 94 by 94, and the four bytes of the code points beyond.
    assert_eq!(table("euc-kr")[0xB0]["class"], "lead");
    let four: u64 = table("gb18030")
        .iter()
        .flat_map(|line| line["sequences"].as_array().unwrap())
        .filter(|sequences| sequences["length"] == 4)
        .map(|sequences| sequences["count"].as_u64().unwrap())
        .sum();
    assert!(four > 1_048_576 + 39_000, "{four}");
    let lens = |table: &[Value], byte: usize| -> Vec<u64> {
        table[byte]["sequences"].as_array().unwrap().iter().map(|s| s["length"].as_u64().unwrap()).collect()
    };
    let long = table("utf-8-31");
    assert_eq!((lens(&table("cesu-8"), 0xED), lens(&long, 0xFC)), (vec![3, 6], vec![6]));
    assert_eq!(long[0xFD]["sequences"][0]["count"], 1 << 30);
    assert_eq!(lens(&table("euc-jp"), 0x8F), [3]);
}

#[test]
fn every_table_fits_and_is_harmless() {
    // Starting the program, or enumerating all of Unicode, takes longer than the work itself, so a
    // short run takes only some encodings.
    let all = std::env::var_os("PLACEMAT_LONG").is_some();
    let some = [
        "UTF-8",
        "UTF-16",
        "UTF-32LE",
        "UCS-2",
        "UCS-4",
        "CESU-8",
        "UTF-8 31-bit",
        "GB18030",
        "SCSU",
        "replacement",
    ];
    for (i, encoding) in Encoding::ALL.iter().enumerate() {
        let page = encoding.max_bytes() == 1 && (i % 23 == 0 || encoding.name().contains("mac"));
        if !all && !page && !some.contains(&encoding.name()) {
            continue;
        }
        let ran = placemat("encodings --table").arg(encoding.name()).run();
        if ran.status != 0 {
            ran.ends(2).wrote("").mentions(&[encoding.name(), " has no table of bytes: "]);
            continue;
        }
        let text = String::from_utf8(ran.stdout).unwrap();
        let odd = |c: char| {
            c.is_control() && c != '\n'
                || matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
        };
        assert_eq!(text.chars().find(|&c| odd(c)), None, "{encoding}");
        for line in text.lines() {
            assert!(line.width() <= 80, "{encoding}: {line}");
        }
        let colored = placemat("encodings --table --color always").arg(encoding.name()).run();
        let colored = stripped(core::str::from_utf8(&colored.stdout).unwrap());
        let grid = |text: &str| {
            let lines =
                text.lines().skip_while(|line| !line.contains("_0")).take_while(|line| !line.is_empty());
            lines.map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(grid(&colored), grid(&text), "{encoding}");
        let ascii = placemat("encodings --table --ascii").arg(encoding.name()).run();
        assert!(ascii.stdout.is_ascii(), "{encoding}");
        for line in core::str::from_utf8(&ascii.stdout).unwrap().lines() {
            assert!(line.len() <= 80, "{encoding}: {line}");
        }
    }
    placemat("encodings --table utf-7").run().ends(2).wrote("").says(
        "placemat: UTF-7 has no table of bytes: the meaning of a byte depends on the bytes before it\n",
    );
    placemat("encodings --table").run().ends(2);
}

/// Runs the options `--grammar`, `--chance` and `--standards`. Tests beside their code check the
/// answers.
#[test]
fn facts_about_utf8() {
    let ran = placemat("encodings rfc3629 --grammar").run();
    ran.ends(0).says("");
    let grammar = String::from_utf8(ran.stdout).unwrap();
    assert!(
        grammar.contains("|\\xED[\\x80-\\x9F][\\x80-\\xBF]\n")
            && grammar.contains("%xF4 %x80-8F 2( UTF8-tail )")
    );
    let chances = |n: &str| {
        let ran = placemat("encodings std63 --format jsonl --chance").arg(n).run();
        ran.ends(0).says("");
        json(&ran.stdout)
    };
    let two = chances("2");
    assert_eq!(two[0]["rfc3629"], 1920.0 / 65536.0);
    assert_eq!(two[0]["rfc2279"], 2048.0 / 65536.0);
    assert_eq!(two[2]["rfc3629"], 1920.0 / 16384.0);
    assert!(chances("1000").iter().all(|line| line["rfc3629"].as_f64().is_some_and(f64::is_finite)));
    let standards = placemat("encodings utf-8 --standards").run().stdout;
    let standards = String::from_utf8(standards).unwrap();
    assert!(standards.contains("RFC 3629, STD 63") && standards.lines().all(|line| line.width() <= 80));
    placemat("encodings latin1 --grammar").run().ends(2).mentions(&["about UTF-8, not about ISO-8859-1"]);
    placemat("encodings utf-8 --chance 0").run().ends(2);
    placemat("encodings --standards").run().ends(2);
}

/// A signature, and the code units that WTF-8 holds back, are not part of a code point.
#[test]
fn the_longest_sequences() {
    for (encoding, bytes) in [
        ("utf-8", 4),
        ("utf-8-bom", 4),
        ("utf-16", 4),
        ("utf-32", 4),
        ("ucs-2", 2),
        ("ucs-4", 4),
        ("wtf-8", 4),
        ("utf-8-31", 6),
    ] {
        let ran = placemat("encodings --format jsonl").arg(encoding).run();
        assert_eq!(json(&ran.stdout)[0]["max_bytes"], bytes, "{encoding}");
    }
}

/// Compares the two tables of the specifications, and a reader that can resynchronize in only one
/// of them.
#[test]
fn fss_utf_beside_its_proposal() {
    for label in ["fss-utf", "fss-utf-1992"] {
        let text = String::from_utf8(placemat("encodings").arg(label).run().stdout).unwrap();
        assert!(text.lines().all(|line| line.width() <= 80), "{text}");
        for row in [
            "1  0xxxxxxx     7            0        7F     0xxxxxxx     7        7F",
            "2  10xxxxxx    13           80      207F     110xxxxx    11       7FF",
            "3  110xxxxx    19         2080     8207F     1110xxxx    16      FFFF",
            "4  1110xxxx    25        82080   208207F     11110xxx    21    1FFFFF",
            "5  11110xxx    31      2082080  7FFFFFFF     111110xx    26   3FFFFFF",
            "6                                            1111110x    31  7FFFFFFF",
        ] {
            assert!(text.lines().any(|line| line == row), "{row}\n{text}");
        }
        let ran = placemat("encodings --format jsonl").arg(label).run();
        let both = &json(&ran.stdout)[0]["proposal_and_adopted"];
        let rows = |form: &str| -> Vec<(u64, String, String)> {
            let rows = both[form]["rows"].as_array().unwrap().iter();
            let value = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
            rows.map(|row| (row["bits"].as_u64().unwrap(), value(row, "offset"), value(row, "highest")))
                .collect()
        };
        let wanted = |rows: &[(u64, &str, &str)]| -> Vec<(u64, String, String)> {
            rows.iter().map(|&(bits, offset, highest)| (bits, offset.into(), highest.into())).collect()
        };
        let proposal = [
            (7, "0", "7F"),
            (13, "80", "207F"),
            (19, "2080", "8207F"),
            (25, "82080", "208207F"),
            (31, "2082080", "7FFFFFFF"),
        ];
        let adopted = [
            (7, "0", "7F"),
            (11, "0", "7FF"),
            (16, "0", "FFFF"),
            (21, "0", "1FFFFF"),
            (26, "0", "3FFFFFF"),
            (31, "0", "7FFFFFFF"),
        ];
        assert_eq!((rows("proposal"), rows("adopted")), (wanted(&proposal), wanted(&adopted)), "{label}");
        // The bytes from the middle, read by the command.
        for (form, encoding) in [("proposal", "fss-utf-1992"), ("adopted", "fss-utf")] {
            let bytes = both[form]["bytes_from_the_middle"].as_str().unwrap();
            let bytes: Vec<u8> = bytes.split(' ').map(|hex| u8::from_str_radix(hex, 16).unwrap()).collect();
            let whole =
                placemat("convert -t").arg(encoding).reads(both["text"].as_str().unwrap()).run().stdout;
            assert_eq!(bytes, whole[1..], "{encoding}");
            let read = placemat("convert -e replace -f").arg(encoding).reads(bytes).run().stdout;
            let read = String::from_utf8(read).unwrap();
            let points: Vec<String> = read.chars().map(|c| format!("U+{:04X}", u32::from(c))).collect();
            assert_eq!(both[form]["code_points_read"], serde_json::json!(points), "{encoding}");
        }
    }
    let ran = placemat("encodings utf-8 --format jsonl").run();
    assert!(json(&ran.stdout)[0]["proposal_and_adopted"].is_null());
}

#[test]
fn labels_by_their_standing() {
    let page = |label: &str| String::from_utf8(placemat("encodings").arg(label).run().stdout).unwrap();
    let utf_8 = page("utf-8");
    assert!(utf_8.contains("\nlabels of IANA     UTF-8 (csutf8)\n"), "{utf_8}");
    assert!(utf_8.contains("\nother labels       utf_8 u8 ") && !utf_8.contains("this label"), "{utf_8}");
    for (label, words) in [
        ("csUTF8", "registered with IANA, which prefers UTF-8; unknown to"),
        ("utf8", "not registered with IANA; known to browsers"),
        ("utf_8", "not registered with IANA; unknown to browsers"),
        ("latin1", "registered with IANA, which prefers ISO-8859-1; browsers take"),
        ("utf-8-nobom", "not registered with IANA; unknown to browsers; as a target it"),
    ] {
        assert!(page(label).contains(&format!("\nthis label         {words}")), "{label}");
    }
    let facts = &json(&placemat("encodings --format jsonl shift_jis").run().stdout)[0];
    let names = serde_json::json!([
        { "name": "Shift_JIS", "aliases": ["csshiftjis", "ms_kanji"] },
        { "name": "Windows-31J", "aliases": ["cswindows31j"] },
    ]);
    assert_eq!(facts["iana"], names);
}

#[test]
fn a_locale_and_a_header_are_labels() {
    let page = |label: &str| placemat("encodings").arg(label).run().stdout;
    for (text, label) in [
        ("en_AU.UTF-8", "utf-8"),
        ("de_DE.ISO8859-15@euro", "iso-8859-15"),
        ("text/html;charset=UTF-8", "utf-8"),
        ("Content-Type: text/plain; charset=\"koi8-r\"\r\n", "koi8-r"),
    ] {
        let (page, wanted) = (page(text), page(label));
        assert!(page.starts_with(&wanted[..20]), "{text}");
        placemat("convert -t latin1 -f").arg(text).reads("a").run().writes("a");
        placemat("convert -f latin1 -t").arg(text).reads("a").run().writes("a");
        placemat("check -f").arg(text).reads("a").run().ends(0);
    }
    placemat("encodings en_AU.klingon").run().ends(2).mentions(&["unknown encoding \"en_AU.klingon\""]);
}

#[test]
fn names_that_are_no_encodings() {
    for (name, words) in [
        ("utf-8b", "use utf-8 with the policy surrogateescape"),
        ("utf-9", "RFC 4042"),
        ("UTF-18", "RFC 4042"),
    ] {
        placemat("encodings").arg(name).run().ends(2).wrote("").mentions(&[words]);
        placemat("convert -f").arg(name).run().ends(2).wrote("").mentions(&[words]);
    }
    let page = String::from_utf8(placemat("encodings UTF8-MAC").run().stdout).unwrap();
    assert!(
        page.starts_with("UTF-8-MAC\n") && page.contains("\nread               composed (NFC)\n"),
        "{page}"
    );
    let facts = &json(&placemat("encodings --format jsonl utf-8-mac").run().stdout)[0];
    assert_eq!((&facts["name"], &facts["encoding"]), (&"UTF-8-MAC".into(), &"UTF-8".into()));
}
