//! `convert --errors` with a policy for each kind of ill-formed input.

use crate::run::placemat;

/// One sequence of each kind of error in UTF-8, between letters.
const SEQUENCES: [(&str, &[u8]); 11] = [
    ("unexpected-continuation", b"\x80"),
    ("lead-f5-f7", b"\xF5\x80\x80\x80"),
    ("lead-5-byte", b"\xF8\x80\x80\x80\x80"),
    ("lead-6-byte", b"\xFC\x80\x80\x80\x80\x80"),
    ("never-byte", b"\xFF"),
    ("truncated", b"\xE2\x82"),
    ("overlong-2", b"\xC0\xAF"),
    ("overlong-3", b"\xE0\x80\xAF"),
    ("overlong-4", b"\xF0\x80\x80\xAF"),
    ("surrogate", b"\xED\xA0\x80"),
    ("too-large", b"\xF4\x90\x80\x80"),
];

/// For each kind and each policy, errors of that kind are handled as under the policy alone, and
/// all others are dropped. The kinds are those that `check` reports.
#[test]
fn each_kind_with_each_policy() {
    let policies =
        ["replace", "question", "ignore", "latin1", "cp1252", "backslashreplace", "surrogateescape", "optu"];
    let input: Vec<u8> = SEQUENCES.iter().flat_map(|(_, bytes)| [b"a", *bytes].concat()).collect();
    let report =
        String::from_utf8(placemat("check --format jsonl").reads(input.clone()).run().stdout).unwrap();
    let kind_of = |line: &'static str| line.split("\"kind\":\"").nth(1)?.split('"').next();
    let kinds: Vec<&str> = report.leak().lines().filter_map(kind_of).collect();
    assert_eq!(kinds, SEQUENCES.map(|(kind, _)| kind));
    for policy in policies {
        for (kind, bytes) in SEQUENCES {
            // One error is a whole broken sequence.
            let alone = placemat(&format!("convert -q --span structural -e {policy}"));
            let alone = alone.reads([bytes, b"|"].concat()).run().stdout;
            let put = alone.strip_suffix(b"|").unwrap();
            let want =
                SEQUENCES.map(|(other, _)| [&b"a"[..], if other == kind { put } else { &b""[..] }].concat());
            let ran = placemat(&format!("convert -q -e ignore,{kind}={policy}")).reads(input.clone()).run();
            ran.ends(0).wrote(want.concat());
        }
    }
    // A strict policy for one kind stops at it, with its message.
    for (kind, bytes) in SEQUENCES {
        let at = input.windows(bytes.len() + 1).position(|part| part == [b"a", bytes].concat()).unwrap() + 1;
        placemat(&format!("convert -e replace,{kind}=strict"))
            .reads(input.clone())
            .run()
            .ends(1)
            .mentions(&[&format!("at byte {at}")]);
    }
}

#[test]
fn words_for_several_kinds() {
    let input = b"a\xC0\xAF\xE0\x80\xAFb\x80\xFF\xE2\x82";
    for (list, want) in [
        ("replace,overlong=ignore", "ab\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("overlong=ignore,stray=question,lead=replace,end=latin1", "ab?\u{FFFD}â\u{82}"),
        ("ignore,overlong=question,overlong-3=latin1", "a?à\u{80}\u{AF}b"),
        // A later pair prevails over an earlier one.
        ("overlong-3=latin1,ignore,overlong=question", "a??b"),
    ] {
        placemat(&format!("convert -q -e {list}")).reads(*input).run().writes(want);
    }
    // The kind `end` is the end of the text, not the middle.
    placemat("convert -e end=replace").reads(*b"a\xE2\x82").run().writes("a\u{FFFD}");
    placemat("convert -e end=replace")
        .reads(*b"\xE2\x82a\xE2\x82")
        .run()
        .ends(1)
        .wrote("")
        .mentions(&["at byte 0"]);
    placemat("convert -e truncated=replace").reads(*b"\xE2\x82a\xE2\x82").run().ends(1).wrote("\u{FFFD}a");
    placemat("convert -e incomplete=question -f utf-16le").reads(*b"a\0b").run().writes("a?");
}

#[test]
fn surrogates_pass_and_bytes_come_back() {
    let cesu = b"\xED\xA0\x80|\xFF|\xED\xA0|";
    placemat("convert -e replace,surrogate=pass")
        .reads(*cesu)
        .run()
        .writes(b"\xED\xA0\x80|\xEF\xBF\xBD|\xEF\xBF\xBD|");
    placemat("convert -e surrogate=pass").reads(*cesu).run().ends(1).mentions(&["0xff at byte 4"]);
    placemat("convert -e surrogate=pass -t utf-16le").reads(*b"\xED\xA0\x80a").run().writes(b"\x00\xD8a\0");
    // The target cannot represent surrogates.
    placemat("convert -e surrogate=pass -t latin1")
        .reads(*b"a\xED\xA0\x80")
        .run()
        .ends(1)
        .wrote("a")
        .mentions(&["ISO-8859-1 cannot represent U+D800, a surrogate, at byte 1"]);
    placemat("convert -e surrogate=pass --unmappable replace -t latin1")
        .reads(*b"a\xED\xA0\x80b")
        .run()
        .writes("a?b");
    // Escaped bytes come back; other text goes to the policy for all other kinds.
    placemat("convert -e replace,truncated=surrogateescape")
        .reads(*b"\xE2\x82|\xFF|")
        .run()
        .writes(b"\xE2\x82|\xEF\xBF\xBD|");
    placemat("convert -e truncated=surrogateescape,translit -t ascii")
        .reads(*b"\xE2\x82|\xC3\xA9|")
        .run()
        .writes(b"\xE2\x82|e|");
    placemat("convert -e ignore,overlong=optu --unmappable optu -q")
        .reads(*b"a\xC0\xAFb\xFF")
        .run()
        .writes(b"a\xC0\xAFb");
    for (args, message) in [
        (
            "stray=surrogateescape,surrogate=pass",
            "--errors: surrogateescape and surrogatepass exclude each other: UTF-8 cannot tell an escaped byte from a surrogate",
        ),
        (
            "stray=surrogateescape -t latin1",
            "surrogateescape needs a target that holds surrogates or takes bytes back; ISO-8859-1 does neither: every byte of it is text",
        ),
    ] {
        placemat(&format!("convert -e {args}")).run().ends(2).says(&format!("placemat: {message}\n"));
    }
}

#[test]
fn the_other_side_and_the_counts() {
    // A policy without a kind applies to reading and writing, as always.
    placemat("convert -e xmlcharrefreplace,end=ignore -t ascii -q")
        .reads(*b"\xE2\x82\xAC\xE2")
        .run()
        .writes("&#8364;");
    placemat("convert -e replace,overlong=strict -t latin1").reads("a€b").run().writes("a?b");
    placemat("convert -e replace,overlong=ignore --replacement <bad>")
        .reads(*b"a\xFF\xC0\xAFb")
        .run()
        .ends(0)
        .wrote("a<bad>b");
    placemat("convert -e question,overlong=replace --replacement *")
        .reads(*b"\xFF\xC0\xAF")
        .run()
        .writes("?*");
    placemat("convert -e replace,overlong=ignore --report")
        .reads(*b"a\xFF\xC0\xAF\xED\xA0\x80")
        .run()
        .ends(0)
        .mentions(&["decoded 1, replaced 2 (first at byte 1), ignored 1 (first at byte 2), unmappable 0"]);
    // Nothing is lossy if each kind keeps its bytes.
    placemat("convert -e stray=surrogateescape --fail-on-loss").reads(*b"a\x80").run().writes(b"a\x80");
    placemat("convert -e stray=surrogateescape,end=replace --fail-on-loss")
        .reads(*b"a\x80\xC3")
        .run()
        .ends(1);
    placemat("convert -e overlong=optu --fail-on-loss").reads(*b"\xC0\xAF").run().ends(1);
    placemat("convert -e optu,end=strict --fail-on-loss").reads(*b"\xC0\xAF").run().ends(0);
}

/// Pieces and threads may divide a long text anywhere.
#[test]
fn long_texts_are_as_short_ones() {
    let part = b"text \xE2\x82 \xC0\xAF\xED\xA0\x80 \xF0\x9F\x98\x80\xF4\x90\x80\x80 and more text to fill the line\n";
    let plain = "text ?  😀! and more text to fill the line\n";
    let args =
        "convert -q -e truncated=question,overlong=ignore,surrogate=ignore,too-large=replace --replacement !";
    let times = 40_000;
    placemat(args).reads(part.repeat(times)).run().writes(plain.repeat(times));
    // Run with the text stage as well.
    placemat(&format!("{args} --normalize nfc")).reads(part.repeat(3000)).run().writes(plain.repeat(3000));
}

#[test]
fn what_is_refused() {
    for (list, message) in [
        ("overlog=strict", "unknown kind \"overlog\" (did you mean overlong?)"),
        ("surrogates=pass", "unknown kind \"surrogates\" (did you mean surrogate?)"),
        ("overlong=stirct", "unknown policy \"stirct\" (did you mean strict?)"),
        ("replace,ignore", "\"ignore\" is a second policy for all other kinds: name one"),
        ("end=pass", "only surrogates can pass: \"end\" needs another policy"),
        ("end=translit", "unknown policy \"translit\""),
        ("\u{1B}[1m=strict", "unknown kind \"\\u{1b}[1m\""),
    ] {
        let ran = placemat("convert -e").arg(list).run();
        ran.ends(2).wrote("").says(&format!("placemat: --errors: {message}\n"));
    }
    placemat("convert -e end=ignore --span maximal").run().ends(2).says(
        "placemat: --span has no effect here: if --errors names kinds, one error is a whole broken sequence\n",
    );
    placemat("convert -e end=question --span structural").reads(*b"\xE2\x82").run().writes("?");
    placemat("convert -e pass -t utf-16be").reads(*b"\xED\xA0\x80").run().writes(b"\xD8\0");
}
