//! The lint `lookalikes`, and `convert --clean`, which undoes what the lints of its kinds find.

use crate::run::{Directory, in_repository, placemat, utf16le};
use serde_json::Value;

/// Lookalikes, and the ASCII in their place, by hand.
const LOOKALIKES: &[(char, &str)] = &[
    ('\u{37E}', ";"),
    ('\u{1C3}', "!"),
    ('\u{B4}', "'"),
    ('\u{201E}', "\""),
    ('\u{2032}', "'"),
    ('\u{2033}', "\""),
    ('\u{2026}', "..."),
    ('\u{2044}', "/"),
    ('\u{2217}', "*"),
    ('\u{2223}', "|"),
    ('\u{2236}', ":"),
    ('\u{223C}', "~"),
    ('\u{2011}', "-"),
    ('\u{2014}', "-"),
    ('\u{2002}', " "),
    ('\u{FE5B}', "{"),
    ('\u{FE69}', "$"),
    ('\u{FF08}', "("),
    ('\u{FF09}', ")"),
    ('\u{FF0C}', ","),
    ('\u{FF1B}', ";"),
    ('\u{FF1D}', "="),
    ('\u{FF5B}', "{"),
    ('\u{FF5E}', "~"),
];

/// Returns kind, first byte and length of each finding.
fn found(args: &str, text: &[u8]) -> Vec<(String, usize, usize)> {
    let ran = placemat("check --all --format jsonl").args(args).reads(text).run();
    assert_eq!(ran.stderr, "");
    let one = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let number = |key: &str| usize::try_from(value[key].as_u64().unwrap()).unwrap();
        (value["kind"].as_str().unwrap().to_owned(), number("byte_offset"), number("length"))
    };
    core::str::from_utf8(&ran.stdout).unwrap().lines().map(one).collect()
}

#[test]
fn each_lookalike_is_found_with_its_ascii() {
    for &(c, ascii) in LOOKALIKES {
        let text = format!("a {c} b\n");
        assert_eq!(
            found("--lint lookalikes", text.as_bytes()),
            [("lookalike".to_owned(), 2, c.len_utf8())],
            "U+{:04X}",
            u32::from(c)
        );
        let ran = placemat("check --lint lookalikes").reads(&*text).run();
        let code_point = format!("U+{:04X}", u32::from(c));
        let says = format!("looks like '{ascii}'");
        let report = String::from_utf8(ran.stdout).unwrap();
        assert!(report.contains(&code_point) && report.contains(&says), "{report}");
        placemat("convert --clean lookalikes").reads(&*text).run().writes(format!("a {ascii} b\n"));
    }
    // Letters, digits and marks are no lookalikes, and neither is punctuation that looks otherwise.
    for text in ["aéｘ９あ中Яα", "«a» ¡b! ·c· 。、「d」 €5 №1 ½ ×÷±≠≤ ¦ § ¬"] {
        assert_eq!(found("--lint lookalikes", text.as_bytes()), []);
        placemat("convert --clean lookalikes").reads(text).run().writes(text);
    }
}

#[test]
fn security_finds_lookalikes_in_the_code_of_source_files() {
    let d = Directory::new();
    let nbsp = '\u{2002}';
    for (name, text, count) in [
        ("a.yaml", format!("key:{nbsp}value\n"), 1),
        ("a.py", format!("def{nbsp}f(): return 1\n"), 1),
        ("a.rs", "let x = 1\u{37E}\n".to_owned(), 1),
        ("a.js", "f\u{FF08}1\u{FF09}\n".to_owned(), 2),
        ("a.sh", "ls \u{2014}l # a\u{2014}b\n".to_owned(), 1),
        ("a.sql", "select \u{201E}a\u{201F} -- \u{201E}b\u{201F}\n".to_owned(), 2),
        ("a.go", "/* a \u{2026}\n b \u{2026} */ f(a\u{2026})\n".to_owned(), 1),
        ("a.c", "// don\u{2019}t \u{2014}\nputs(\"\u{2026}\");\n".to_owned(), 0),
        ("a.cpp", "// 注意\u{FF1B}\nint a;\n".to_owned(), 0),
        ("a.json", "{\"a\"\u{FF1B} \"\u{201E}b\u{201F}\"}\n".to_owned(), 1),
        ("a.php", "$a = 'don\u{2032}t'\u{37E} # \u{2032}\n".to_owned(), 1),
        ("Makefile", format!("all:{nbsp}a\n"), 1),
        ("b.yml", "title: l\u{2019}eau \u{FF1B}水\n".to_owned(), 0),
        ("a.md", format!("a{nbsp}b \u{201E}c\u{201F}\n"), 0),
        ("a.txt", format!("a{nbsp}b\n"), 0),
        ("yaml", format!("a{nbsp}b\n"), 0),
    ] {
        d.write(name, &text);
        let lines = |lint: &str| {
            let ran = placemat(&format!("check --lint {lint} {name}")).within(&d).run();
            String::from_utf8(ran.stdout).unwrap().matches(": lookalike U+").count()
        };
        assert_eq!(lines("security"), count, "{name}: {text}");
        let all = text
            .chars()
            .filter(|&c| LOOKALIKES.iter().any(|one| one.0 == c) || "\u{2019}\u{201F}".contains(c));
        assert_eq!(lines("lookalikes"), all.count(), "{name}: {text}");
    }
    // Three are printed, and a comment suppresses them.
    d.write("many.c", "a\u{37E}\n".repeat(30));
    let ran = placemat("check --lint security many.c").within(&d).run();
    ran.ends(1).mentions(&[]);
    let report = String::from_utf8(ran.stdout.clone()).unwrap();
    assert_eq!(report.matches(": lookalike U+").count(), 3);
    assert!(report.contains("and 27 more findings of lookalike, the first at 4:2"), "{report}");
    d.write("known.c", "a\u{37E} // placemat:ignore lookalikes\n");
    placemat("check --lint security known.c").within(&d).run().ends(0);
}

/// The table of source files in the documentation is the one that the command uses.
#[test]
fn documented_extensions_are_sources() {
    let Some(path) = in_repository("docs/reference/lints.md") else { return };
    let page = std::fs::read_to_string(path).unwrap();
    let table =
        page.split("| comments | extensions |").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let words =
        table.lines().filter_map(|row| row.split('|').nth(2)).flat_map(|cell| cell.split([' ', ',', ';']));
    let words: Vec<_> = words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())).collect();
    let d = Directory::new();
    let mut names: Vec<String> = Vec::new();
    for word in words.iter().filter(|word| !matches!(**word, "files" | "named")) {
        let is_name = word.starts_with(char::is_uppercase);
        let name = if is_name { (*word).to_owned() } else { format!("x.{word}") };
        d.write(&name, "a\u{A0}b\n");
        names.push(name);
    }
    assert!(names.len() > 90, "{}", names.len());
    names.sort();
    names.dedup();
    let ran = placemat("check --lint security -l .").within(&d).run();
    let mut found: Vec<_> = String::from_utf8(ran.stdout)
        .unwrap()
        .lines()
        .map(|line| line.trim_start_matches("./").to_owned())
        .collect();
    found.sort();
    assert_eq!(found, names);
}

#[test]
fn what_shows_nothing_is_removed_unless_it_is_needed() {
    for (text, want) in [
        ("pass\u{200B}word", "password"),
        ("a\u{2060}b\u{FEFF}c", "abc"),
        ("co\u{AD}operate", "cooperate"),
        ("x\u{3164}=1", "x=1"),
        ("a\u{200D}b", "ab"),
        ("n\u{200C}o", "no"),
        ("x\u{FE0F}y", "xy"),
        ("t\u{E0061}\u{E0062}", "t"),
        ("v\u{FE01}\u{E0110}\u{FE03}", "v"),
        ("a\u{180E}b\u{34F}c", "abc"),
        ("\u{FEFF}a\u{FEFF}", "\u{FEFF}a"),
        ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}"),
        // The joiner needs what is removed.
        ("x\u{FE0F}\u{200D}👩", "x👩"),
        // Joiners and selectors that emoji and scripts need stay.
        ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"),
        ("1\u{FE0F}\u{20E3} ☺\u{FE0E}", "1\u{FE0F}\u{20E3} ☺\u{FE0E}"),
        ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ("क्\u{200D}ष", "क्\u{200D}ष"),
        (
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        ),
        ("葛\u{E0100}", "葛\u{E0100}"),
        ("ไทย\u{200B}ไทย", "ไทย\u{200B}ไทย"),
    ] {
        placemat("convert --clean invisible").reads(text).run().ends(0).writes(want);
    }
}

#[test]
fn controls_and_bidi_controls_are_removed() {
    for (text, want) in [
        ("a\0b", "ab"),
        ("\u{1}a\u{2}", "a"),
        ("bell\u{7}", "bell"),
        ("a\u{8}b", "ab"),
        ("a\u{B}b", "ab"),
        ("\u{1B}[1mx", "[1mx"),
        ("a\u{7F}b", "ab"),
        ("a\u{80}\u{9F}b", "ab"),
        ("a\u{1A}\u{1A}", "a"),
        ("line\u{85}end", "line\nend"),
        ("a\tb\nc\r\nd\u{C}e\r", "a\tb\nc\r\nd\u{C}e\r"),
    ] {
        placemat("convert --clean controls").reads(text).run().ends(0).writes(want);
    }
    for c in [
        '\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}', '\u{2066}', '\u{2067}', '\u{2068}',
        '\u{2069}',
    ] {
        placemat("convert --clean bidi").reads(format!("if {c}admin{c}")).run().ends(0).writes("if admin");
    }
    // The marks that right-to-left text needs stay.
    placemat("convert --clean bidi,controls,invisible")
        .reads("א\u{200F}! \u{200E}\u{61C}")
        .run()
        .writes("א\u{200F}! \u{200E}\u{61C}");
}

/// After `--clean KIND`, the lint of that name finds nothing, and nothing else is changed: the result is the text without the
/// findings of the lint, taken out until there are none.
#[test]
fn a_clean_text_has_no_findings() {
    const PARTS: [&str; 40] = [
        "a",
        "é",
        "x",
        " ",
        "\n",
        "\r\n",
        "\t",
        "中",
        "葛",
        "क",
        "م",
        "❤",
        "👩",
        "🚀",
        "🏴",
        "1",
        "ไ",
        "ᄀ",
        "ᅡ",
        "\u{FEFF}",
        "\u{200B}",
        "\u{200C}",
        "\u{200D}",
        "\u{FE0F}",
        "\u{FE00}",
        "\u{E0100}",
        "\u{AD}",
        "\u{115F}",
        "\u{1160}",
        "\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
        "\u{A0}",
        "\u{201C}",
        "\u{2026}",
        "\u{FF1A}",
        "\0",
        "\u{85}",
        "\u{1B}",
        "\u{202E}",
        "\u{2069}",
        "\u{180B}",
    ];
    let mut state: u32 = 0x9E37_79B9;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below
    };
    for round in 0..12 {
        let len = 30 + 40 * round;
        let text: String = (0..len).map(|_| PARTS[next(PARTS.len())]).collect();
        for kind in ["invisible", "lookalikes", "controls", "bidi"] {
            let lint = format!("--lint {kind}");
            let ran = placemat(&format!("convert --clean {kind}")).reads(&*text).run();
            ran.ends(0).says("");
            assert_eq!(found(&lint, &ran.stdout), [], "{kind}: {text:?}");
            let mut want = text.clone();
            loop {
                let findings = found(&lint, want.as_bytes());
                if findings.is_empty() {
                    break;
                }
                for (_, start, len) in findings.into_iter().rev().filter(|found| found.2 > 0) {
                    let with = match &want[start..start + len] {
                        "\u{A0}" => " ",
                        "\u{201C}" => "\"",
                        "\u{2026}" => "...",
                        "\u{FF1A}" => ":",
                        "\u{85}" => "\n",
                        _ => "",
                    };
                    want.replace_range(start..start + len, with);
                }
            }
            assert_eq!(String::from_utf8(ran.stdout).unwrap(), want, "{kind}: {text:?}");
        }
        let ran = placemat("convert --clean invisible,lookalikes,controls,bidi").reads(&*text).run();
        assert_eq!(found("--lint invisible,lookalikes,controls,bidi", &ran.stdout), [], "{text:?}");
        // A clean text stays as it is.
        let again =
            placemat("convert --clean invisible,lookalikes,controls,bidi").reads(ran.stdout.clone()).run();
        again.writes(&ran.stdout);
    }
}

#[test]
fn files_are_cleaned_in_place_or_not_at_all() {
    let d = Directory::new();
    d.write("a.yml", "a:\u{A0}1\n");
    d.write("b.yml", "a: 1\n");
    d.write("c.yml", b"a:\xC2\xA01\n\xFF\n");
    let ran = placemat("convert -i --dry-run --clean lookalikes a.yml b.yml").within(&d).run();
    ran.ends(0);
    let told = format!("{}{}", String::from_utf8_lossy(&ran.stdout), ran.stderr);
    assert!(told.contains("a.yml") && !told.contains("b.yml"), "{told}");
    assert_eq!(d.read("a.yml"), "a:\u{A0}1\n".as_bytes());
    placemat("convert -i --clean lookalikes a.yml b.yml").within(&d).run().ends(0);
    assert_eq!(d.read("a.yml"), b"a: 1\n");
    assert_eq!(d.read("b.yml"), b"a: 1\n");
    placemat("convert -i --clean lookalikes c.yml").within(&d).run().ends(1);
    assert_eq!(d.read("c.yml"), b"a:\xC2\xA01\n\xFF\n");
}

#[test]
fn other_encodings_are_cleaned_too() {
    let text = "a\u{A0}b\u{200B}\u{202E}c";
    let all = "convert --clean invisible,lookalikes,bidi";
    placemat(all).args("-f utf-16le -t utf-16le").reads(utf16le(text)).run().writes(utf16le("a bc"));
    placemat(all).args("-t latin1").reads("é\u{2014}é").run().writes(b"\xE9-\xE9");
    placemat(all).args("-f cp1252").reads(b"\x93x\x94\x85".to_vec()).run().writes("\"x\"...");
    placemat("convert --clean lookalikes --normalize nfc --eol crlf")
        .reads("e\u{301}\u{A0}x\n")
        .run()
        .writes("é x\r\n");
}

/// Messages name the place in the input, although text before it was removed or replaced.
#[test]
fn places_are_those_of_the_input() {
    let all = "convert --clean invisible,lookalikes,controls";
    for (text, place) in [
        ("“x” é", "1:5: US-ASCII cannot represent U+00E9 'é'"),
        ("\0\0é", "1:3: US-ASCII cannot represent U+00E9 'é'"),
        ("a\u{200B}\n\u{200B}é", "2:2: US-ASCII cannot represent U+00E9 'é'"),
    ] {
        for form in ["", "--normalize nfc"] {
            let ran = placemat(all).args("-t ascii").args(form).reads(text).run();
            ran.ends(1);
            assert!(ran.stderr.contains(place), "{form}: {}", ran.stderr);
            let offset = format!("at byte {}", text.find('é').unwrap());
            assert!(ran.stderr.contains(&offset), "{form}: {}", ran.stderr);
        }
    }
    placemat("convert --clean magic").reads("").run().ends(2);
}
