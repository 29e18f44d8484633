//! `convert` with encodings whose text is more than a row of code units: `--eol`, `--normalize`,
//! `--bom`, joined files, and offsets.

use crate::run::{Directory, placemat, utf16le};

/// Encodings in which a line end is base64, a difference from the code point before, a shift, or
/// another byte.
const OTHERS: &[&str] = &[
    "utf-7",
    "scsu",
    "bocu-1",
    "utf-1",
    "utf-ebcdic",
    "ibm037",
    "ibm1047",
    "ibm939",
    "iso-2022-jp",
    "iso-2022-kr",
    "hz-gb-2312",
    "marc-8",
    "gb18030",
    "shift_jis",
    "big5",
    "euc-jp",
    "wtf-8",
    "utf-7-imap",
];

#[test]
fn line_ends_of_every_kind() {
    let text = "ab\nc\r\nd\re\r\r\n\nf";
    for name in OTHERS {
        for (eol, want) in [("lf", "ab\nc\nd\ne\n\n\nf"), ("crlf", "ab\r\nc\r\nd\r\ne\r\n\r\n\r\nf")] {
            let direct = placemat(&format!("convert -t {name}")).reads(want).run();
            direct.ends(0).says("");
            placemat(&format!("convert --eol {eol} -t {name}")).reads(text).run().writes(&direct.stdout);
            placemat(&format!("convert -f {name}")).reads(direct.stdout).run().writes(want);
        }
    }
    // The line ends lie in one run of base64, and in Unicode mode.
    for name in ["utf-7", "scsu", "bocu-1"] {
        let text = "日本\n日本\r\n語é\n";
        let there = placemat(&format!("convert --eol lf -t {name}")).reads(text).run();
        placemat(&format!("convert -f {name}")).reads(there.stdout).run().writes(text.replace('\r', ""));
    }
    placemat("convert -f utf-7 --eol lf").reads("+ZeUADQAKZyw-").run().writes("日\n本");
    placemat("convert -f ibm1047 -t utf-8").reads(b"\x81\x25\x82\x15".as_slice()).run().ends(0);
}

#[test]
fn joined_files_are_one_text() {
    let d = Directory::new();
    d.write("a", "日本");
    d.write("b", "本日é");
    d.write("c", "");
    for name in OTHERS.iter().chain(&["utf-16", "utf-8-bom"]) {
        let back = |run: crate::run::Run| {
            let there = run.within(&d).run();
            there.ends(0);
            placemat(&format!("convert -f {name}")).reads(there.stdout).run()
        };
        let want = if matches!(*name, "ibm037" | "ibm1047") {
            back(placemat(&format!("convert --unmappable ignore -t {name} a b c"))).wrote("é");
            continue;
        } else {
            "日本本日"
        };
        back(placemat(&format!("convert --unmappable translit -t {name} a b c"))).ends(0);
        let back = back(placemat(&format!("convert --unmappable ignore -t {name} a b c")));
        let text = String::from_utf8(back.stdout).unwrap();
        let text = text.trim_end_matches('é');
        // MARC-8 lacks some of these characters.
        assert!(text == want || *name == "marc-8", "{name}: {text}");
    }
}

#[test]
fn signatures_of_all_kinds() {
    for name in ["utf-7", "scsu", "bocu-1", "utf-1", "gb18030", "cesu-8", "utf-ebcdic", "utf-32be"] {
        let signed = placemat(&format!("convert --bom add -t {name}")).reads("日a\n").run();
        signed.ends(0).says("");
        placemat(&format!("convert -f {name}")).reads(signed.stdout.clone()).run().writes("\u{FEFF}日a\n");
        placemat(&format!("convert --bom strip -f {name}"))
            .reads(signed.stdout.clone())
            .run()
            .writes("日a\n");
        let plain = placemat(&format!("convert -t {name}")).reads("日a\n").run();
        placemat(&format!("convert --bom strip -f {name}")).reads(plain.stdout).run().writes("日a\n");
        placemat(&format!("convert --bom keep -f {name} -t utf-16"))
            .reads(signed.stdout)
            .run()
            .writes(utf16le("\u{FEFF}日a\n"));
    }
}

#[test]
fn normal_forms() {
    let text = "é \u{65}\u{301} ﬁ \u{1112}\u{1161}\u{11AB} Ω\u{2126} \u{F900}\u{FB01}";
    for (form, want) in [
        ("nfc", "é é ﬁ 한 ΩΩ \u{8C48}\u{FB01}"),
        ("nfd", "e\u{301} e\u{301} ﬁ \u{1112}\u{1161}\u{11AB} ΩΩ \u{8C48}\u{FB01}"),
        ("nfkc", "é é fi 한 ΩΩ \u{8C48}fi"),
        ("nfkd", "e\u{301} e\u{301} fi \u{1112}\u{1161}\u{11AB} ΩΩ \u{8C48}fi"),
        ("mac", "e\u{301} e\u{301} ﬁ \u{1112}\u{1161}\u{11AB} Ω\u{2126} \u{F900}\u{FB01}"),
    ] {
        placemat(&format!("convert --normalize {form}")).reads(text).run().writes(want);
        let there = placemat(&format!("convert --normalize {form} -t utf-16be")).reads(text).run();
        placemat("convert -f utf-16be").reads(there.stdout).run().writes(want);
    }
    placemat("convert --normalize net")
        .reads("\u{FEFF}a\nb\u{2028}e\u{301}\r")
        .run()
        .writes("a\r\nb\r\né\r\n");
    placemat("convert --normalize nfc --eol crlf").reads("e\u{301}\n\u{301}").run().writes("é\r\n\u{301}");
    placemat("convert -t utf-8-mac").reads("é").run().writes("e\u{301}");
    placemat("convert -f utf8-mac").reads("e\u{301}").run().writes("é");
    placemat("convert -f utf-8-hfs -t latin1").reads("e\u{301}").run().writes(b"\xE9");
    placemat("convert -f utf-8-mac -t utf-8-mac").reads("e\u{301}").run().writes("e\u{301}");
    placemat("convert -f utf-8-mac --normalize nfd").reads("é").run().writes("e\u{301}");
    placemat("convert --normalize nfx").run().ends(2);
    placemat("check -f utf-8-mac").run().ends(2).mentions(&["HFS+", "`placemat convert`"]);
}

/// The names that promise a text without signature keep that promise, unless `--bom` is given.
#[test]
fn names_without_a_signature() {
    for to in ["utf-8n", "UTF8N", "utf-8-nobom", "en_AU.UTF-8N"] {
        for (from, text) in [
            ("utf-8", &b"\xEF\xBB\xBFa"[..]),
            ("utf-8n", b"\xEF\xBB\xBFa"),
            ("utf-8-bom", b"\xEF\xBB\xBFa"),
            ("utf-16le", b"\xFF\xFEa\0"),
            ("utf-16", b"\xFE\xFF\0a"),
        ] {
            placemat(&format!("convert -f {from} -t {to}")).reads(text).run().writes("a");
        }
        placemat(&format!("convert -t {to}")).reads("\u{FEFF}\u{FEFF}a").run().writes("\u{FEFF}a");
        placemat(&format!("convert -t {to} --bom keep")).reads("\u{FEFF}a").run().writes("\u{FEFF}a");
        placemat(&format!("convert -t {to} --bom add")).reads("a").run().writes("\u{FEFF}a");
    }
    // As source encodings, these names read U+FEFF as text.
    placemat("convert -f utf-8n").reads("\u{FEFF}a").run().writes("\u{FEFF}a");
}

/// UCS-4 follows ISO/IEC 10646: most significant byte first by default. The others follow the web.
#[test]
fn byte_orders_without_a_signature() {
    for (label, plain, signed) in [
        ("ucs-2", &b"A\0"[..], &b"\xFF\xFEA\0"[..]),
        ("iso-10646-ucs-2", b"A\0", b"\xFF\xFEA\0"),
        ("csunicode", b"A\0", b"\xFF\xFEA\0"),
        ("ucs-4", b"\0\0\0A", b"\0\0\xFE\xFF\0\0\0A"),
        ("iso-10646-ucs-4", b"\0\0\0A", b"\0\0\xFE\xFF\0\0\0A"),
        ("utf-16", b"A\0", b"\xFF\xFEA\0"),
        ("utf-32", b"A\0\0\0", b"\xFF\xFE\0\0A\0\0\0"),
    ] {
        placemat(&format!("convert -f {label}")).reads(plain).run().writes("A");
        placemat(&format!("convert -f {label}")).reads(signed).run().writes("A");
        placemat(&format!("convert -t {label}")).reads("A").run().writes(signed);
        placemat(&format!("check -f {label}")).reads(plain).run().ends(0);
    }
    placemat("convert -f ucs-2").reads(b"\xFE\xFF\0A").run().writes("A");
    placemat("convert -f ucs-4").reads(b"\xFF\xFE\0\0A\0\0\0").run().writes("A");
}

#[test]
fn normal_forms_across_borders() {
    for len in (128 * 1024 - 4..128 * 1024 + 4).step_by(1) {
        let text = format!("{}e\u{301}\u{323} é\n", "x".repeat(len));
        let want = format!("{}\u{1EB9}\u{301} é\n", "x".repeat(len));
        let ran = placemat("convert --normalize nfc").reads(text).run();
        assert!(ran.stdout == want.as_bytes(), "{len}");
    }
}

/// If a row of marks is too long to sort in bounded memory, the text is normalized as far as
/// possible, and a message says so.
#[test]
fn more_marks_than_can_be_held() {
    let d = Directory::new();
    for len in [0, 1, 100, 131_070, 131_071, 131_072, 200_000] {
        for (marks, cut) in [(65_534, false), (65_536, true), (200_000, true)] {
            // Marks below and above the letter, in the wrong order, and one pair in the right order
            // at the end.
            let row = "\u{301}\u{323}".repeat(marks / 4) + if marks % 4 == 2 { "\u{323}" } else { "" };
            let text = format!("{}e{row}z", "x".repeat(len));
            d.write("a", &text);
            let ran = placemat("convert --normalize nfd a").within(&d).run();
            if cut {
                ran.ends(1).says(&format!(
                    "placemat: a: more than 64 KiB of marks in a row from byte {len} on: they were normalized in parts, \
                     and the text as a whole may not be in the normal form\n"
                ));
                // No mark is lost.
                let sorted = |text: &str| {
                    let mut chars: Vec<_> = text.chars().collect();
                    chars.sort_unstable();
                    chars
                };
                assert!(sorted(&String::from_utf8(ran.stdout.clone()).unwrap()) == sorted(&text));
                // A pipe gives the same result.
                let piped = placemat("convert --normalize nfd -").reads(text.as_str()).run();
                assert!(piped.ends(1).stdout == ran.stdout, "{len} {marks}");
                placemat("convert --normalize nfd -i a")
                    .within(&d)
                    .run()
                    .ends(1)
                    .mentions(&["a: left as it was"]);
                assert!(d.read("a") == text.as_bytes());
            } else {
                let below = "\u{323}".repeat(marks / 2 - marks / 4);
                let above = "\u{301}".repeat(marks / 4);
                let want = format!("{}e{below}{above}z", "x".repeat(len));
                assert!(ran.ends(0).stdout == want.as_bytes(), "{len} {marks}");
            }
        }
    }
    // Offsets count bytes of the source.
    let text = utf16le(&format!("ab\u{E9}\u{E9}{}", "\u{301}".repeat(40_000)));
    let ran = placemat("convert -f utf-16le --normalize nfc").reads(text).run();
    ran.ends(1).mentions(&["<stdin>: more than 64 KiB of marks in a row from byte 6 on"]);
}

/// Lengths of the text before the same error: shorter than a piece, one piece, and longer.
const LENGTHS: [usize; 7] = [0, 1, 63, 64, 70_000, 131_071, 131_072];

#[test]
fn offsets_of_what_the_target_does_not_hold() {
    for len in LENGTHS {
        let x = "x".repeat(len);
        for (args, text, offset, column) in [
            ("--eol lf -t iso-2022-jp", "é", 0, 1),
            ("--eol lf -t iso-2022-jp", "日\r\n\r\né", 7, 1),
            ("--eol crlf -t iso-2022-jp", "日\r\n\né", 6, 1),
            ("--normalize nfc -t latin1", "e\u{301}a€", 4, 4),
            ("--normalize nfd -t latin1", "aéb", 1, 2),
            ("--normalize nfc -t latin1", "abe\u{301}\u{323}", 2, 3),
        ] {
            let ran = placemat(&format!("convert {args}")).reads(format!("{x}{text}")).run();
            ran.ends(1);
            let column = if text.contains('\n') { column } else { column + len };
            let offset = format!(" at byte {}", len + offset);
            let line = 1 + text.matches('\n').count();
            ran.mentions(&[&offset, &format!("<stdin>:{line}:{column}: ")]);
            let report = placemat(&format!("convert --unmappable replace --report {args}"))
                .reads(format!("{x}{text}"))
                .run();
            report.ends(0).mentions(&["unmappable ", &format!(" (first{offset})")]);
        }
    }
    // A similar text replaces one character, and there is none for the other.
    placemat("convert --eol lf --unmappable translit --report -t iso-2022-jp")
        .reads("aéb\x1B")
        .run()
        .ends(0)
        .says("decoded 4, replaced 0, ignored 0, unmappable 2 (first at byte 1)\n");
    // The complete text before the error is written.
    placemat("convert -t iso-2022-jp").reads("日é本").run().ends(1).wrote(b"\x1B$BF|\x1B(B");
    placemat("convert --eol lf -t iso-2022-jp").reads("日é本").run().ends(1).wrote(b"\x1B$BF|\x1B(B");
    placemat("convert -t utf-7").reads(b"\xE6\x97\xA5\xFF").run().ends(1).wrote("+ZeU-");
    placemat("convert --normalize nfc").reads(b"e\xCC\x81\xFF").run().ends(1).wrote("é");
    // Text after the error is not counted.
    placemat("convert --report --eol lf -t iso-2022-jp")
        .reads("日é本")
        .run()
        .ends(1)
        .mentions(&["decoded 2,"]);
    placemat("convert --report --normalize nfc -e replace")
        .reads(b"e\xCC\x81\xFF\xFF")
        .run()
        .ends(0)
        .wrote("é\u{FFFD}\u{FFFD}")
        .says("decoded 2, replaced 2 (first at byte 3), ignored 0, unmappable 0\n");
}

#[test]
fn surrogates_pass_the_text_stage() {
    let text = b"e\xCC\x81\xFF\n";
    placemat("convert -e surrogateescape --normalize nfc").reads(*text).run().writes(b"\xC3\xA9\xFF\n");
    placemat("convert -e surrogateescape --eol crlf --normalize nfc")
        .reads(*text)
        .run()
        .writes(b"\xC3\xA9\xFF\r\n");
    placemat("convert -f ucs-2le -t ucs-2be --normalize nfc")
        .reads(b"e\0\x01\x03\x00\xDC\x00\xD8")
        .run()
        .writes(b"\0\xE9\xDC\0\xD8\0");
    placemat("convert -f ucs-4be -t ucs-4le --normalize nfd")
        .reads(b"\x7F\0\0\0\0\0\0\xE9")
        .run()
        .writes(b"\0\0\0\x7Fe\0\0\0\x01\x03\0\0");
}

#[test]
fn escaped_bytes_and_charsets_in_which_every_byte_is_text() {
    for name in ["iso-8859-15", "koi8-r", "ibm437", "windows-1253", "macintosh"] {
        let ran = placemat(&format!("convert -e surrogateescape -t {name}")).reads(*b"a\xFE").run();
        if name == "windows-1253" {
            // AA is undefined there, so it can be escaped as a byte; FE is a letter, so it cannot.
            ran.ends(1).mentions(&["at byte 1"]);
        } else {
            ran.ends(2).mentions(&["every byte of it is text"]);
        }
    }
    placemat("convert -e surrogateescape -t windows-1253").reads(*b"a\xAA").run().writes(b"a\xAA");
}

#[test]
fn positions_in_every_kind() {
    for (name, bytes, line, column, offset) in [
        ("utf-7", &b"a+AAo-bc\xFF"[..], 2, 3, 8),
        ("utf-7", b"+ZeUACmcs-\xFF", 2, 2, 10),
        ("iso-2022-jp", b"\x1B$BF|\x1B(B\n\x1B$BF|\x1B(B\xFF", 2, 2, 17),
        ("ibm939", b"\x81\x25\x82\x0E\x44\x00\x0F", 2, 2, 4),
        ("shift_jis", b"a\n\x93\xFA\xFF", 2, 2, 4),
        ("ascii", b"a\nb\xFF", 2, 2, 3),
    ] {
        let at = format!("<stdin>:{line}:{column}: ");
        let ran = placemat(&format!("convert -f {name}")).reads(bytes).run();
        ran.ends(1).mentions(&[&at, &format!(" at byte {offset}: ")]);
        let ran = placemat(&format!("check -f {name}")).reads(bytes).run();
        ran.ends(1);
        let found = String::from_utf8(ran.stdout).unwrap();
        assert!(found.starts_with(&at) && found.contains(&format!(" at byte {offset}: ")), "{found}");
    }
}

#[test]
fn similar_text() {
    for (name, text, want) in [
        ("ascii", "“é€” ß Я", &b"\"eEUR\" ss Ya"[..]),
        ("latin1", "“é€”", b"\"\xE9EUR\""),
        ("koi8-r", "Яé", b"\xF1e"),
        ("iso-2022-jp", "日é", b"\x1B$BF|\x1B(Be"),
    ] {
        placemat(&format!("convert --unmappable translit -t {name}")).reads(text).run().writes(want);
    }
}
