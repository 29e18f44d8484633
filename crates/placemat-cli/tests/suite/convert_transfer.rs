//! `convert`: `--unwrap`, `--wrap`.

use crate::run::{placemat, utf16le};

#[test]
fn taken_off_before_the_encoding_is_read() {
    let cases: [(&str, &str, &[u8], &str); 8] = [
        ("quoted-printable", "latin1", b"caf=E9 =\r\nau lait=20\r\n", "café au lait \r\n"),
        ("base64", "utf-16", b"//5j\nAGEA\nZgDpAA==\n", "café"),
        ("base64url", "utf-8", b"w7_Dvw", "ÿÿ"),
        ("percent", "utf-8", b"a+b%E2%82%AC\n", "a+b€\n"),
        ("form", "latin1", b"a+b%E9", "a bé"),
        ("references", "utf-8", b"&lt;&eacute;&#8364;&#x1F600; AT&T", "<é€😀 AT&T"),
        ("escapes", "utf-8", br"caf\u00e9\n\ud83d\ude00", "café\n😀"),
        ("escapes", "ascii", br"caf\x65", "cafe"),
    ];
    for (kind, from, src, text) in cases {
        placemat(&format!("convert --unwrap {kind} -f {from}")).reads(src).run().writes(text);
    }
}

#[test]
fn put_around_what_is_written() {
    let text = "<é> ~ a+b \"😀\"\n";
    let cases: [(&str, &str, &[u8]); 7] = [
        ("--wrap quoted-printable", "latin1", b""),
        ("--wrap base64", "utf-16", b""),
        ("--wrap base64url", "utf-8", b"PMOpPiB-IGErYiAi8J-YgCIK"),
        ("--wrap percent", "utf-8", b"%3C%C3%A9%3E%20~%20a%2Bb%20%22%F0%9F%98%80%22%0A"),
        ("--wrap form", "utf-8", b"%3C%C3%A9%3E+%7E+a%2Bb+%22%F0%9F%98%80%22%0A"),
        ("--wrap references", "utf-8", "&lt;é&gt; ~ a+b &quot;😀&quot;\n".as_bytes()),
        ("--wrap escapes", "utf-8", br#"<\u00e9> ~ a+b \"\ud83d\ude00\"\n"#),
    ];
    for (wrap, to, wanted) in cases {
        let text = if to == "latin1" { "<é> ~ a+b=\n" } else { text };
        let there = placemat(&format!("convert {wrap} -t {to}")).reads(text).run();
        there.ends(0).says("");
        if !wanted.is_empty() {
            there.writes(wanted);
        }
        let back = wrap.replace("wrap", "unwrap");
        placemat(&format!("convert {back} -f {to}")).reads(there.stdout).run().writes(text);
    }
    // The signature is encoded too; lines are short, and end like those of the text.
    placemat("convert -t utf-16 --wrap base64").reads("é").run().writes("//7pAA==\n");
    placemat("convert --wrap base64 --eol crlf").reads("é\n").run().writes("w6kNCg==\r\n");
    let long = placemat("convert -t latin1 --wrap quoted-printable").reads("é".repeat(30)).run();
    assert_eq!(long.stdout, [b"=E9".repeat(25), b"=\n".to_vec(), b"=E9".repeat(5)].concat());
}

#[test]
fn megabytes_in_pieces() {
    let text = "Grüße, 漢字 = \\ & + % 😀 \t\n".repeat(20_000);
    for kind in ["quoted-printable", "base64", "base64url", "percent", "form", "references", "escapes"] {
        let there = placemat(&format!("convert --wrap {kind}")).reads(text.as_str()).run();
        let back = placemat(&format!("convert --unwrap {kind}")).reads(there.stdout).run();
        back.ends(0);
        assert!(back.stdout == text.as_bytes(), "{kind}");
    }
    let wide = placemat("convert -t utf-16le --wrap base64").reads(text.as_str()).run();
    let back = placemat("convert --unwrap base64 -f utf-16le -t utf-16le").reads(wide.stdout).run();
    assert!(back.stdout == utf16le(&text));
}

#[test]
fn what_is_malformed_stops_it_or_stays() {
    let refused = placemat("convert --unwrap percent").reads("ab%4gcd").run();
    refused
        .ends(1)
        .wrote("ab")
        .says("<stdin>:1:3: malformed escape \"%4\" at byte 2 (--unwrap-lenient passes it through)\n");
    let refused = placemat("convert --unwrap base64").reads(*b"YWJj\xFF").run();
    refused
        .ends(1)
        .wrote("abc")
        .says("<stdin>:1:5: stray byte 0xff at byte 4 (--unwrap-lenient passes it through)\n");
    placemat("convert --unwrap percent --unwrap-lenient").reads("ab%4gc%64").run().writes("ab%4gcd");
    // The decoded text can contain errors.
    placemat("convert --unwrap percent").reads("ab%C0%AF").run().ends(1).wrote("ab");
    placemat("convert --unwrap-lenient").reads("a").run().ends(2);
}

#[test]
fn textual_ones_need_utf8() {
    let refused = placemat("convert --unwrap escapes -f utf-16").run();
    refused.ends(2).says("placemat: --unwrap escapes yields UTF-8, but --from is UTF-16\n");
    placemat("convert --wrap references -t latin1").run().ends(2);
    placemat("convert --wrap escapes -f latin1").reads(b"\xE9").run().writes("\\u00e9");
}

#[test]
fn languages_leave_files_what_they_are() {
    let cases = [
        ("properties", r"k=caf\u00e9\nx a\:b \\u00e9", r"k=café\nx a\:b \\u00e9"),
        ("json", r#"{"a": "\u00df\n\"\\\u0000\ud83d\ude00"}"#, r#"{"a": "ß\n\"\\\u0000😀"}"#),
        ("html", "&eacute; &lt; &amp; &quot; &#60; &#146;", "é &lt; &amp; &quot; &#60; ’"),
        ("url", "/%C3%A9%2F%2f", "/é%2F%2f"),
        ("mime-header", "Subject: =?utf-8?B?w6k=?=\n", "Subject: é\n"),
    ];
    for (kind, before, after) in cases {
        placemat(&format!("convert --unwrap {kind}")).reads(before).run().writes(after);
    }
    // An escape without a meaning stays, and a message says where.
    let kept = placemat("convert --unwrap json").reads("[\n\"é\\ud83d\", \"\\ude00\"]").run();
    kept.ends(0)
        .wrote("[\n\"é\\ud83d\", \"\\ude00\"]")
        .says("<stdin>:2:3: unpaired surrogate \"\\ud83d\" at byte 5, left as it was, and 1 more\n");
    let kept = placemat("convert --wrap python").reads("'é' # é\n").run();
    kept.ends(0)
        .wrote("'\\u00e9' # é\n")
        .says("<stdout>:1:7: character that cannot be escaped here 0xc3 0xa9 at byte 7, left as it was\n");
    placemat("convert --unwrap json --all").reads(r"\u00e9\n").run().writes("é\n");
    placemat("convert --wrap html --all").reads("<é>").run().writes("&lt;&#233;&gt;");
    placemat("convert --all").reads("a").run().ends(2);
    placemat("convert --unwrap base64 --all").reads("a").run().ends(2);
    placemat("convert --unwrap json -f latin1").reads("a").run().ends(2).says(
        "placemat: --unwrap json reads UTF-8, but --from is ISO-8859-1: convert the text to UTF-8 first\n",
    );
    placemat("convert --wrap json -t ascii").reads("a").run().ends(2);
}

#[test]
fn escapes_of_bytes_are_joined_and_decoded() {
    placemat("convert --unwrap escapes")
        .reads(r#"Jos\xc3\xa9 "caf\303\251.txt""#)
        .run()
        .writes("José \"café.txt\"");
    placemat("convert --unwrap escapes -e replace").reads(r"Jos\xe9!").run().writes("Jos\u{FFFD}!");
    placemat("convert --unwrap escapes").reads(r"Jos\xe9!").run().ends(1).wrote("Jos");
    placemat("convert --unwrap escapes")
        .reads("a\nbé\\q")
        .run()
        .ends(1)
        .says("<stdin>:2:3: malformed escape \"\\\" at byte 5 (--unwrap-lenient passes it through)\n");
}

/// The end of the output is wrapped too if text is held back before.
#[test]
fn the_last_piece_is_wrapped_after_normalization() {
    placemat("convert --normalize nfc --wrap base64").reads("e\u{301}").run().writes("w6k=\n");
    placemat("convert --normalize nfc --wrap mime-header").reads("e\u{301}").run().writes("=?UTF-8?B?w6k=?=");
}
