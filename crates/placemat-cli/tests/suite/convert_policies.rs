//! `convert`: `--errors`, `--span`, `--unmappable`, messages and counts.

use crate::run::{placemat, utf16le};

/// The result of each policy for `a C0 AF é ED A0 80 z`, to UTF-8, by `--span`.
#[test]
fn every_policy_for_ill_formed_input() {
    let input = b"a\xC0\xAF\xC3\xA9\xED\xA0\x80z";
    let cases: [(&str, &[u8]); 9] = [
        ("replace", "a\u{FFFD}\u{FFFD}é\u{FFFD}\u{FFFD}\u{FFFD}z".as_bytes()),
        ("replace --span structural", "a\u{FFFD}é\u{FFFD}z".as_bytes()),
        ("replace --span lead", "a\u{FFFD}é\u{FFFD}z".as_bytes()),
        ("question --span byte", "a??é???z".as_bytes()),
        ("latin1", "aÀ¯éí\u{A0}\u{80}z".as_bytes()),
        ("cp1252", "aÀ¯éí\u{A0}€z".as_bytes()),
        ("backslashreplace", br"a\xc0\xaf".as_slice()),
        ("surrogateescape", input),
        ("optu", "a\u{EFC0}\u{EFAF}é\u{EFED}\u{EFA0}\u{EF80}z".as_bytes()),
    ];
    for (policy, want) in cases {
        let ran = placemat(&format!("convert -e {policy}")).reads(*input).run();
        if policy == "backslashreplace" {
            ran.writes("a\\xc0\\xafé\\xed\\xa0\\x80z");
        } else {
            ran.writes(want);
        }
    }
}

#[test]
fn spans_differ_where_the_table_says() {
    let input = b"\xE1A\xF4\x90\x80\x80\xE2\x82B";
    for (span, want) in [
        ("maximal", "?A?????B"),
        ("byte", "?A??????B"),
        ("structural", "?A??B"),
        // The span `lead` swallows well-formed neighbors.
        ("lead", "?\u{FFFD}"),
    ] {
        let ran = placemat(&format!("convert -e question --span {span}")).reads(*input).run();
        if span == "lead" {
            // The errors are E1 41 F4, then 90, 80, 80, then E2 82 42.
            ran.writes("?????");
        } else {
            ran.writes(want);
        }
    }
}

#[test]
fn strict_says_where_and_writes_what_precedes() {
    placemat("convert")
        .reads(*b"ab\r\ncaf\xC3\xA9 \xC0\xAFrest\n")
        .run()
        .ends(1)
        .wrote("ab\r\ncafé ")
        .mentions(&["<stdin>:2:6: ", " 0xc0 0xaf at byte 10"]);
    // The end of the input truncates a sequence.
    placemat("convert").reads(*b"\n\n12\xE2\x82").run().ends(1).wrote("\n\n12").mentions(&[
        "<stdin>:3:3: ",
        " 0xe2 0x82 ",
        " at byte 4",
    ]);
}

#[test]
fn utf16_with_damage() {
    // The last byte is half a code unit.
    let mut odd = utf16le("a\né");
    odd.push(b'x');
    placemat("convert -f utf-16le")
        .reads(odd.clone())
        .run()
        .ends(1)
        .wrote("a\né")
        .mentions(&["<stdin>:2:2: ", " at byte 6"]);
    placemat("convert -f utf-16le -e replace").reads(odd).run().writes("a\né\u{FFFD}");
    // A lone surrogate, at the end of the text and before it.
    placemat("convert -f utf-16le").reads(*b"a\0\x00\xD8").run().ends(1).wrote("a").mentions(&[" at byte 2"]);
    placemat("convert -f utf-16be -e replace").reads(*b"\xDC\x00\0a").run().writes("\u{FFFD}a");
    placemat("convert -f utf-16 -e surrogatepass")
        .reads(*b"\xFE\xFF\xD8\x00\0a")
        .run()
        .writes(b"\xED\xA0\x80a");
    placemat("convert -e surrogatepass -t utf-16le").reads(*b"\xED\xA0\x80a").run().writes(b"\x00\xD8a\0");
    placemat("convert -e surrogatepass").reads(*b"a\xFF").run().ends(1).wrote("a");
}

#[test]
fn replacement_text() {
    placemat("convert -e replace --replacement <bad>").reads(*b"a\xFFb").run().writes("a<bad>b");
    placemat("convert -e replace --replacement * -t latin1").reads("a€b").run().writes("a*b");
    placemat("convert --unmappable replace --replacement * -t latin1").reads("a€b").run().writes("a*b");
    placemat("convert --unmappable replace -t latin1").reads("a€b").run().writes("a?b");
    // `--replacement` needs the policy `replace`, and has a maximum length.
    placemat("convert --replacement x")
        .run()
        .ends(2)
        .says("placemat: --replacement needs --errors replace or --unmappable replace\n");
    placemat("convert -e replace --replacement")
        .arg("x".repeat(1025))
        .run()
        .ends(2)
        .says("placemat: --replacement: the text is 1025 bytes long; at most 1024 are allowed\n");
    placemat("convert -e replace --replacement")
        .arg("x".repeat(1024))
        .reads(*b"\xFF")
        .run()
        .writes("x".repeat(1024));
    // A replacement may be empty, but not unmappable.
    placemat("convert -e replace --replacement").arg("").reads(*b"a\xFFb").run().ends(0).wrote("ab");
    for (args, what) in [
        ("-t latin1 -e replace --replacement €", "ISO-8859-1 cannot represent \"€\""),
        ("-t ascii -e replace --replacement é", "US-ASCII cannot represent \"é\""),
        ("-t ascii --unmappable replace --replacement é", "US-ASCII cannot represent \"é\""),
    ] {
        let ran = placemat(&format!("convert {args}")).reads("a").run();
        ran.ends(2).wrote("").says(&format!("placemat: --replacement: {what}\n"));
    }
}

#[test]
fn every_policy_for_unmappable_text() {
    let input = "a€é😀z";
    for (policy, want) in [
        ("replace", "a??" as &str),
        ("ignore", "a"),
        ("xmlcharrefreplace", "a&#8364;&#233;&#128512;"),
        ("backslashreplace", r"a\u20ac\xe9\U0001f600"),
        ("namereplace", r"a\N{EURO SIGN}\N{LATIN SMALL LETTER E WITH ACUTE}\N{GRINNING FACE}"),
    ] {
        let want = if policy == "replace" { "a???z".to_owned() } else { format!("{want}z") };
        placemat(&format!("convert -t ascii --unmappable {policy}")).reads(input).run().writes(&want);
        let ran = placemat(&format!("convert -t ascii -e {policy}")).reads(input).run();
        ran.ends(0).wrote(&want);
    }
    // A character without a name is escaped as in Python.
    placemat("convert -t ascii -e namereplace")
        .reads("\u{E000}\u{80}\u{10FFFF}")
        .run()
        .writes(r"\ue000\x80\U0010ffff");
    // These two policies leave reading strict.
    for policy in ["xmlcharrefreplace", "namereplace"] {
        placemat(&format!("convert -t ascii -e {policy}")).reads(*b"a\xFF").run().ends(1).wrote("a");
    }
    // Each side can have its own policy.
    placemat("convert -t ascii -e replace --unmappable xmlcharrefreplace")
        .reads(*b"\xFF\xC3\xA9")
        .run()
        .writes("&#65533;&#233;");
}

#[test]
fn what_latin1_cannot_hold() {
    placemat("convert -t latin1")
        .reads("é\n5 €")
        .run()
        .ends(1)
        .wrote(b"\xE9\n5 ")
        .says("<stdin>:2:3: ISO-8859-1 cannot represent U+20AC '€' EURO SIGN at byte 5 (see --unmappable)\n");
    // A character that a terminal would obey is shown by its name only.
    placemat("convert -t latin1").reads("\u{202E}").run().ends(1).says(
        "<stdin>:1:1: ISO-8859-1 cannot represent U+202E RIGHT-TO-LEFT OVERRIDE at byte 0 (see --unmappable)\n",
    );
    placemat("convert -f ucs-2le")
        .reads(*b"\x00\xD8")
        .run()
        .ends(1)
        .wrote("")
        .says("<stdin>:1:1: UTF-8 cannot represent U+D800, a surrogate, at byte 0 (see --unmappable)\n");
}

#[test]
fn escaped_bytes_come_back_and_cannot_be_forged() {
    let damaged = b"caf\xE9 \xFF\xFE \xC3\xA9";
    placemat("convert -e surrogateescape").reads(*damaged).run().writes(damaged);
    placemat("convert -e surrogateescape --fail-on-loss").reads(*damaged).run().writes(damaged);
    let there = placemat("convert -e surrogateescape -t ucs-2le").reads(*damaged).run();
    there.ends(0);
    placemat("convert -e surrogateescape -f ucs-2le").reads(there.stdout).run().writes(damaged);
    // U+DCC3 U+DCA9 would be é.
    placemat("convert -e surrogateescape -f ucs-2le")
        .reads(*b"a\0\xC3\xDC\xA9\xDC")
        .run()
        .ends(1)
        .wrote(b"a\xC3")
        .mentions(&["U+DCA9", "at byte 4"]);
    for target in ["utf-16le", "utf-16", "utf-32be"] {
        placemat(&format!("convert -e surrogateescape -t {target}"))
            .reads("a")
            .run()
            .ends(2)
            .wrote("")
            .mentions(&["surrogateescape needs a target that holds surrogates"]);
    }
    placemat("convert -e surrogateescape -t latin1").reads("a").run().ends(2).wrote("").says(
        "placemat: surrogateescape needs a target that holds surrogates or takes bytes back; \
         ISO-8859-1 does neither: every byte of it is text\n",
    );
    placemat("convert -e surrogateescape -t ascii").reads(*b"a\xFF").run().writes(b"a\xFF");
}

#[test]
fn escaped_bytes_come_back_in_every_encoding_that_is_nearly_ascii() {
    // Each byte, followed by a byte that completes no sequence.
    let bytes: Vec<u8> = (0x81..=0xFF_u8).flat_map(|byte| [b'a', byte, b' ']).collect();
    for encoding in [
        "utf-8",
        "cesu-8",
        "ascii",
        "iso-8859-3",
        "cp1255",
        "tis-620",
        "gbk",
        "gb18030",
        "big5",
        "euc-jp",
        "shift_jis",
        "euc-kr",
        "johab",
        "big5-hkscs",
        "euc-tw",
        "shift_jis-2004",
        "euc-jis-2004",
    ] {
        let there = placemat(&format!("convert -f {encoding} -e surrogateescape -t wtf-8"));
        let there = there.reads(&*bytes).run();
        there.ends(0).says("");
        let back = placemat(&format!("convert -f wtf-8 -t {encoding} -e surrogateescape"));
        back.reads(there.stdout).run().writes(&bytes);
    }
    // U+DC81 and @ would be a character of GBK.
    let forged = placemat("convert -f ucs-2le -t gbk -e surrogateescape").reads(*b"\x81\xDC@\0");
    forged.run().ends(1).wrote(b"\x81").mentions(&["U+0040", "at byte 2"]);
}

/// Every byte is an error; one policy converts there, and the other back.
#[test]
fn twenty_thousand_errors() {
    let bytes = vec![0xFF_u8; 20_000];
    for from in ["utf-8", "utf-8-bom", "cesu-8", "mutf-8", "utf-7"] {
        placemat(&format!("check -f {from}")).reads(&*bytes).run().ends(1);
        for to in ["ascii", "gb18030", "ucs-2le", "wtf-8"] {
            let ran = placemat(&format!("convert -f {from} -e surrogateescape -t {to}")).reads(&*bytes).run();
            ran.ends(0);
            if matches!(to, "ascii" | "gb18030") {
                ran.writes(&bytes);
            }
        }
        for to in ["latin1", "iso-2022-jp", "utf-16le"] {
            placemat(&format!("convert -f {from} -e ignore -t {to}")).reads(&*bytes).run().ends(0).wrote("");
        }
    }
}

#[test]
fn another_normal_form_is_named_where_it_would_do() {
    let says = |text: &str, to: &str, hint: &str| {
        placemat(&format!("convert -t {to}")).reads(text).run().ends(1).mentions(&[hint]);
    };
    says("\u{FC}", "marc-8", "(--normalize nfd writes it as a letter and marks)");
    says(
        "u\u{308}",
        "latin1",
        "(see --unmappable; --normalize nfc may join it with its letter into one code point)",
    );
    says("\u{20AC}", "latin1", "(see --unmappable)");
    placemat("convert -t marc-8 --normalize nfd").reads("\u{FC}").run().writes(b"\xE8u");
    placemat("convert -t latin1 --normalize nfc").reads("u\u{308}").run().writes(b"\xFC");
}

#[test]
fn any_bytes_there_and_back() {
    let bytes: Vec<u8> = (0..=0xFF).chain(*b"\xEF\xBE\x80\xED\xB2\x80\xC3\xA9\xC3").collect();
    for (there, back) in [
        ("-e optu", "--unmappable optu"),
        ("-e optu -t utf-16", "-f utf-16 --unmappable optu"),
        ("-e optu -t gb18030", "-f gb18030 --unmappable optu"),
        ("-e optu -t scsu", "-f scsu --unmappable optu"),
        ("-e surrogateescape -t wtf-8", "-f wtf-8 -e surrogateescape"),
        ("-e surrogateescape -t ucs-4", "-f ucs-4 -e surrogateescape"),
    ] {
        let ran = placemat(&format!("convert --fail-on-loss {there}")).reads(&*bytes).run();
        ran.ends(0).says("");
        placemat(&format!("convert {back}")).reads(ran.stdout).run().writes(&bytes);
    }
    // Two escapes that would be read as text again are not written.
    let ran = placemat("convert --unmappable optu").reads("\u{EFC3}\u{EFA9}").run();
    ran.ends(1).mentions(&["U+EFA9"]);
}

#[test]
fn what_is_written_as_asked_is_no_loss() {
    let surrogate = b"\xED\xA0\x80";
    for args in [
        "surrogatepass",
        "surrogatepass -t utf-16le",
        "surrogateescape",
        "surrogateescape -t ucs-2le",
        "optu",
    ] {
        let ran = placemat(&format!("convert --fail-on-loss -e {args}")).reads(*surrogate).run();
        ran.ends(0).says("");
    }
    placemat("convert --fail-on-loss -e surrogatepass").reads(*surrogate).run().writes(surrogate);
    // The other side still loses text.
    for args in ["surrogatepass", "surrogateescape"] {
        let ran = placemat(&format!("convert --fail-on-loss -t ascii --unmappable replace -e {args}"));
        ran.reads("é").run().ends(1).wrote("?");
    }
}

#[test]
fn errors_are_described_as_in_check() {
    let texts: [&[u8]; 6] = [
        b"caf\xE9\n",
        b"caf\xE9",
        b"\xC3\xA9\x80",
        b"a \x93b\x94.",
        b"\xED\xA0\xBD\xED\xB8\x80",
        b"a\xFF\xFEb",
    ];
    for text in texts {
        let check = placemat("check --max 1").reads(text).run();
        let convert = placemat("convert").reads(text).run();
        assert_eq!(convert.stderr.as_bytes(), check.stdout, "{}", text.escape_ascii());
    }
}

#[test]
fn ignore_is_warned_about_once() {
    let warning = "placemat: warning: ignored 2 (first at byte 4): the text on both sides is now joined, which can be dangerous\n";
    placemat("convert -e ignore").reads(*b"<scr\xFFipt\xFE>").run().ends(0).wrote("<script>").says(warning);
    placemat("convert -e ignore -q").reads(*b"<scr\xFFipt\xFE>").run().writes("<script>");
    placemat("convert -e ignore").reads("clean").run().writes("clean");
}

#[test]
fn report_and_loss() {
    placemat("convert -e replace -t latin1 --report")
        .reads("a\u{301}b€".as_bytes())
        .run()
        .ends(0)
        .wrote("a?b?")
        .says("decoded 4, replaced 0, ignored 0, unmappable 2 (first at byte 1)\n");
    placemat("convert -e question --report")
        .reads(*b"\xFFab\xFE")
        .run()
        .ends(0)
        .wrote("?ab?")
        .says("decoded 2, replaced 2 (first at byte 0), ignored 0, unmappable 0\n");
    placemat("convert --report")
        .run()
        .ends(0)
        .wrote("")
        .says("decoded 0, replaced 0, ignored 0, unmappable 0\n");
    placemat("convert --report -q").reads("a").run().writes("a");
    placemat("convert --fail-on-loss -e replace").reads("whole").run().writes("whole");
    for args in ["-e replace", "-e ignore", "-e backslashreplace -q"] {
        placemat(&format!("convert --fail-on-loss {args}")).reads(*b"a\xFF").run().ends(1);
    }
    placemat("convert --fail-on-loss -e question")
        .reads(*b"a\xFF")
        .run()
        .ends(1)
        .wrote("a?")
        .says("placemat: the conversion lost text: replaced 1 (first at byte 1), ignored 0, unmappable 0\n");
    placemat("convert --fail-on-loss -t ascii -e xmlcharrefreplace").reads("é").run().ends(1).wrote("&#233;");
    // With a report, which comes last, the counts occur once.
    placemat("convert --fail-on-loss --report -e question").reads(*b"a\xFF").run().ends(1).wrote("a?").says(
        "placemat: the conversion lost text\ndecoded 1, replaced 1 (first at byte 1), ignored 0, unmappable 0\n",
    );
    // The report counts the code points decoded before the stop.
    placemat("convert --report").reads(*b"abc\xFFd").run().ends(1).mentions(&["decoded 3, replaced 0"]);
}

#[test]
fn the_same_at_every_border_of_buffers() {
    // Ill-formed, truncated and unmappable text around the boundaries of the pieces that are read.
    let error: &[u8] = b"\xF0\x9F\x98";
    for border in [128 * 1024, 256 * 1024] {
        for before in border - 5..border + 3 {
            let mut input = vec![b'x'; before];
            input[before / 2] = b'\n';
            let column = before - before / 2;
            input.extend_from_slice(error);
            input.extend_from_slice(b"Z and more of it");
            let ran = placemat("convert").reads(input.clone()).run();
            ran.ends(1).wrote(&input[..before]);
            assert_eq!(
                ran.stderr,
                format!(
                    "<stdin>:2:{column}: truncated sequence 0xf0 0x9f 0x98 at byte {before}: needs 1 more continuation byte, found 0x5a 'Z'\n"
                )
            );
            let ran = placemat("convert -t ascii").reads([&input[..before], "€".as_bytes()].concat()).run();
            ran.ends(1).mentions(&[
                &format!("<stdin>:2:{column}: US-ASCII cannot represent U+20AC"),
                &format!("at byte {before} "),
            ]);
            let text = [&input[..before], "😀€".as_bytes()].concat();
            let want = utf16le(core::str::from_utf8(&text).unwrap());
            let ran = placemat("convert -t utf-16le").reads(text.clone()).run();
            assert!(ran.status == 0 && ran.stdout == want, "{before}");
            let ran = placemat("convert -f utf-16le").reads(want).run();
            assert!(ran.status == 0 && ran.stdout == text, "{before}");
        }
    }
}

#[test]
fn twins_are_written_and_named() {
    let cases: [(&str, &str, &[u8]); 12] = [
        ("cp932", "〜‖−¢£¬", b"\x81\x60\x81\x61\x81\x7C\x81\x91\x81\x92\x81\xCA"),
        ("euc-jp", "～", b"\xA1\xC1"),
        ("latin1", "5 μm, 3 ￡", b"5 \xB5m, 3 \xA3"),
        ("latin2", "Școală, ț", b"\xAAcoal\xE3, \xFE"),
        ("iso-8859-2", "Ţ ț", b"\xDE \xFE"),
        ("greek", "Ω K", b"\xD9 K"),
        ("latin1", "Å", b"\xC5"),
        ("iso-8859-6", "ﻻ ی", b"\xE4\xC7 \xEA"),
        ("iso-8859-6", "\u{FEE1}\u{FEE2}", b"\xE5\xE5"),
        ("cp864", "م", b"\xEF"),
        ("tis-620", "\u{F70A}\u{F710}", b"\xE8\xD1"),
        ("gbk", "\u{F900}", b"\xD8\x4D"),
    ];
    for (to, text, want) in cases {
        for policy in ["twins", "translit"] {
            let run = placemat(&format!("convert -t {to} --unmappable {policy} --report")).reads(text).run();
            assert_eq!(run.stdout.escape_ascii().to_string(), want.escape_ascii().to_string(), "{to} {text}");
        }
    }
    let refused = placemat("convert -t latin1").reads("5 μm").run();
    refused.ends(1).says(
        "<stdin>:1:3: ISO-8859-1 cannot represent U+03BC 'μ' GREEK SMALL LETTER MU at byte 2 \
         (--unmappable twins writes its twin U+00B5 'µ')\n",
    );
    placemat("convert -t latin1 --unmappable twins").reads("μ€").run().ends(1).wrote(b"\xB5");
    placemat("convert -t ascii --unmappable translit").reads("〜 µ ș").run().writes("~ u s");
    // A twin counts as unmappable: reading it again gives the other code point.
    let lost = placemat("convert -t latin1 --unmappable twins --report --fail-on-loss").reads("μ").run();
    lost.ends(1).says("placemat: the conversion lost text\ndecoded 1, replaced 0, ignored 0, unmappable 1 (first at byte 0)\n");
}
