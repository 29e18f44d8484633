//! `truncate`: against prefixes that are measured one by one.

use crate::run::{Directory, Run, placemat, utf16be, utf16le};
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use std::io::Write as _;
use std::process::Stdio;
use unicode_segmentation::UnicodeSegmentation as _;

fn encoded(text: &str, to: Encoding) -> Vec<u8> {
    Transcoder::new(Encoding::UTF_8, to).transcode(text.as_bytes()).unwrap()
}

fn measure(text: &str, unit: &str, encoding: Encoding) -> usize {
    match unit {
        "--bytes" => encoded(text, encoding).len(),
        "--chars" => text.chars().count(),
        "--graphemes" => text.graphemes(true).count(),
        _ => text.encode_utf16().count(),
    }
}

/// Returns the longest prefix that fits, with the ellipsis unless it is the whole text.
fn cut(text: &str, unit: &str, max: usize, ellipsis: &str, encoding: Encoding) -> String {
    if measure(text, unit, encoding) <= max {
        return text.into();
    }
    let ends: Vec<usize> = match unit {
        "--graphemes" => text.grapheme_indices(true).map(|(at, _)| at).collect(),
        _ => text.char_indices().map(|(at, _)| at).collect(),
    };
    let fits = |end: &usize| match unit {
        "--bytes" => measure(&(text[..*end].to_owned() + ellipsis), unit, encoding) <= max,
        _ => measure(&text[..*end], unit, encoding) + measure(ellipsis, unit, encoding) <= max,
    };
    let end = ends.into_iter().rev().find(fits).unwrap();
    text[..end].to_owned() + ellipsis
}

const UNITS: [&str; 4] = ["--bytes", "--chars", "--graphemes", "--utf16"];

/// Returns all strings of at most `longest` of some characters.
fn strings(characters: &[char], longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        last = last.iter().flat_map(|text| characters.iter().map(move |c| format!("{text}{c}"))).collect();
        all.extend_from_slice(&last);
    }
    all
}

fn truncate(unit: &str, max: usize) -> Run {
    placemat("truncate").arg(unit).arg(max.to_string())
}

#[test]
fn every_line_is_the_longest_prefix_that_fits() {
    let lines = strings(&['a', 'é', '€', '😀', '\u{301}', '\u{200D}', '\r'], 5);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    for unit in UNITS {
        for (max, ellipsis) in [(0, ""), (1, ""), (3, ""), (4, ""), (9, ""), (1, "."), (3, "…"), (4, "é.")]
        {
            let mut run = truncate(unit, max).arg("-l");
            if !ellipsis.is_empty() {
                run = run.arg("--ellipsis").arg(ellipsis);
            }
            let ran = run.reads(&*text).run();
            if measure(ellipsis, unit, Encoding::UTF_8) > max {
                ran.ends(2).wrote("").mentions(&["--ellipsis takes"]);
                continue;
            }
            ran.ends(0).says("");
            let got = String::from_utf8(ran.stdout).unwrap();
            let mut got = got.split_inclusive('\n');
            for line in &lines {
                let (body, end) = line.strip_suffix('\r').map_or((&**line, "\n"), |body| (body, "\r\n"));
                let want = cut(body, unit, max, ellipsis, Encoding::UTF_8) + end;
                assert_eq!(got.next(), Some(&*want), "{line:?} {unit} {max} {ellipsis:?}");
            }
            assert_eq!(got.next(), None);
        }
    }
}

/// Checks the oracle itself: its result fits, and one more character would not.
#[test]
fn results_fit_and_one_more_character_does_not() {
    for text in strings(&['a', '€', '😀'], 4) {
        for max in 0..=9 {
            let ran = truncate("-c", max).reads(&*text).run();
            ran.ends(0).says("");
            let got = core::str::from_utf8(&ran.stdout).unwrap();
            assert!(text.starts_with(got) && got.len() <= max);
            let next = text[got.len()..].chars().next().map_or(usize::MAX, |c| got.len() + c.len_utf8());
            assert!(next > max, "{text} {max}");
        }
    }
}

#[test]
fn in_every_kind_of_encoding() {
    // Each case runs a program. By default a third of the cases run, with different limits for each
    // text and unit.
    let is_thorough = std::env::var_os("PLACEMAT_THOROUGH").is_some();
    let mut turn = 0;
    let mut is_taken = || {
        turn += 1;
        is_thorough || turn % 3 == 0
    };
    let texts = [
        "",
        "aé日本",
        "日本語テキスト abc 日本",
        "ab\tc 漢字a漢",
        "a日",
        "日",
        "カ゚a",
        "Ελληνικά",
        "Привет, мир",
    ];
    for label in [
        "utf-16le",
        "utf-16be",
        "utf-32le",
        "utf-7",
        "scsu",
        "bocu-1",
        "cesu-8",
        "wtf-8",
        "utf-ebcdic",
        "gb18030",
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "iso-2022-kr",
        "hz-gb-2312",
        "big5",
        "iso-8859-7",
        "koi8-r",
        "ibm930",
        "marc-8",
        "windows-1252",
    ] {
        let Some(encoding) = Encoding::for_label(label) else { panic!("{label}") };
        let held = |text: &&&str| {
            let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
            let transcoder = Transcoder::new(Encoding::UTF_8, encoding).on_error(d).on_unmappable(u);
            transcoder.transcode(text.as_bytes()).is_ok()
        };
        let decoded = |bytes: &[u8]| {
            String::from_utf8(Transcoder::new(encoding, Encoding::UTF_8).transcode(bytes).unwrap()).unwrap()
        };
        for text in texts.iter().filter(held) {
            for unit in UNITS {
                let limits = [(1, ""), (2, ""), (7, ""), (10, "."), (12, "..")];
                for (max, ellipsis) in limits.into_iter().filter(|_| is_taken()) {
                    let run = truncate(unit, max).arg("-f").arg(label).arg("--ellipsis").arg(ellipsis);
                    let ran = run.reads(encoded(text, encoding)).run();
                    if ran.status == 2 {
                        assert!(
                            measure(ellipsis, unit, encoding) > max,
                            "{label} {unit} {max} {}",
                            ran.stderr
                        );
                        continue;
                    }
                    ran.ends(0).says("");
                    let want = cut(text, unit, max, ellipsis, encoding);
                    let place = format!("{label} {text:?} {unit} {max} {ellipsis:?}");
                    assert_eq!(decoded(&ran.stdout), want, "{place}");
                    assert!(unit != "--bytes" || ran.stdout.len() <= max, "{place}");
                }
            }
        }
    }
}

#[test]
fn lines_in_other_encodings() {
    let text = "日本語a\r\n\rb\r\r\n日\nabcdef\n漢";
    for label in ["utf-16be", "shift_jis", "iso-2022-jp", "scsu", "utf-7"] {
        let encoding = Encoding::for_label(label).unwrap();
        let ran = truncate("-m", 2).args("-l -f").arg(label).reads(encoded(text, encoding)).run();
        ran.ends(0).says("");
        let got = Transcoder::new(encoding, Encoding::UTF_8).transcode(&ran.stdout).unwrap();
        assert_eq!(String::from_utf8(got).unwrap(), "日本\r\n\rb\r\n日\nab\n漢", "{label}");
    }
    // The bytes that end a shift count for the line.
    let jis = |text: &str| encoded(text, Encoding::ISO_2022_JP);
    let ran = truncate("-c", 10).args("-l -f iso-2022-jp").reads(jis("日本語\nabc\n日\n")).run();
    ran.writes(jis("日本\nabc\n日\n"));
    let ran = truncate("-c", 9).args("-l -f iso-2022-jp").reads(jis("日本語\nabc\n日\n")).run();
    ran.writes(jis("日\nabc\n日\n"));
}

#[test]
fn signatures_are_no_text_and_count_as_bytes() {
    let little = [&b"\xFF\xFE"[..], &utf16le("a😀b")].concat();
    let big = [&b"\xFE\xFF"[..], &utf16be("a😀b")].concat();
    for (bytes, end) in [(&little, 8), (&big, 8)] {
        for (args, len) in
            [("-m 2", end), ("--utf16 2", 4), ("--utf16 3", end), ("-c 7", 4), ("-c 8", end), ("-c 1", 0)]
        {
            let run = placemat("truncate -f utf-16").args(args).reads(&**bytes).run();
            run.writes(&bytes[..len]);
        }
    }
    placemat("truncate -f utf-8-bom -m 1").reads("\u{FEFF}ab").run().writes("\u{FEFF}a");
    // For UTF-8, U+FEFF is text.
    placemat("truncate -m 1").reads("\u{FEFF}ab").run().writes("\u{FEFF}");
    placemat("truncate -f utf-16 -c 5 --ellipsis ..")
        .reads(&*little)
        .run()
        .ends(2)
        .wrote(&little[..2])
        .says("placemat: <stdin>: --ellipsis takes 4 bytes, with the signature more than the limit of 5\n");
}

#[test]
fn bytes_that_text_does_not_tell_apart_stay() {
    // A character in two codes, one of which is only read, and a lone surrogate, which goes with
    // the next character.
    for (label, chars, bytes, len) in [
        ("shift_jis", "-m 2", &b"\x87\x90\x81\xE0a"[..], 4),
        ("euc-jp", "-m 1", b"\x8F\xA2\xAFa", 3),
        ("wtf-8", "-m 2", b"\xED\xA0\x80ab", 4),
    ] {
        placemat("truncate -f").arg(label).args(chars).reads(bytes).run().writes(&bytes[..len]);
    }
}

#[test]
fn ill_formed_input_is_refused_or_replaced_and_not_looked_for_after_the_cut() {
    let bytes = b"a\xC3\xA9\nb\xFF!";
    let ran = placemat("truncate -c 6").reads(bytes).run();
    ran.ends(1).wrote("aé\nb").says(
        "<stdin>:2:2: byte 0xff at byte 5: never occurs in UTF-8; looks like Latin-1 or windows-1252 'ÿ'\n",
    );
    let by_convert = placemat("convert").reads(bytes).run();
    assert_eq!(by_convert.stderr, ran.stderr);
    placemat("truncate -c 5").reads(bytes).run().writes("aé\nb");
    placemat("truncate -l -c 1").reads(bytes).run().writes("a\nb");
    for (policy, want) in [
        ("replace", "aé\nb\u{FFFD}"),
        ("question", "aé\nb?"),
        ("ignore", "aé\nb!"),
        ("latin1", "aé\nbÿ"),
        ("cp1252", "aé\nbÿ"),
        ("backslashreplace", "aé\nb\\"),
    ] {
        placemat("truncate -m 5 -e").arg(policy).reads(bytes).run().writes(want);
    }
    // Each encoding finds the boundary; the rest of a sequence may be missing.
    for label in ["utf-16le", "shift_jis", "iso-2022-jp", "gb18030"] {
        let bytes = [&encoded("abc\nd", Encoding::for_label(label).unwrap())[..], b"\xFF"].concat();
        let ran = placemat("truncate -m 9 -f").arg(label).reads(&*bytes).run();
        ran.ends(1);
        assert_eq!(ran.stderr, placemat("convert -f").arg(label).reads(bytes).run().stderr, "{label}");
    }
    placemat("truncate -m 2 -e replace").reads(b"a\xE2\x82").run().writes("a\u{FFFD}");
    placemat("truncate -m 9 -f iso-8859-7 -e replace").reads(b"a\xFFb").run().writes("a?b");
}

#[test]
fn reading_stops_at_the_cut() {
    // A pipe stays open, with less input than one read takes.
    for (args, want) in [
        ("-c 2", "ab"),
        ("-m 2 -f utf-16le", "a\0b\0"),
        ("--graphemes 2", "ab"),
        ("-c 3 --ellipsis .", "ab."),
    ] {
        let input = if args.contains("utf-16le") { utf16le("abcdef") } else { b"abcdef".to_vec() };
        let mut command = placemat("truncate").args(args).command;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(&input).unwrap();
        let output = child.wait_with_output().unwrap();
        drop(pipe);
        assert_eq!(output.stdout, want.as_bytes(), "{args}");
    }
    placemat("truncate -c 0").reads("").run().writes("");
    #[cfg(unix)]
    {
        let endless = std::fs::File::open("/dev/zero").unwrap();
        let output = placemat("truncate -c 100000").command.stdin(endless).output().unwrap();
        assert_eq!(output.stdout, [0; 100_000]);
    }
}

#[test]
fn a_character_without_end_is_written_or_refused() {
    let marks = "e".to_owned() + &"\u{301}".repeat(1_500_000);
    placemat("truncate --graphemes 1").reads(marks.clone() + "b").run().writes(&marks);
    let ran = placemat("truncate --graphemes 2 --ellipsis .").reads("a".to_owned() + &marks).run();
    ran.ends(1).mentions(&["<stdin>:1:", "more than 1 MiB", "--ellipsis"]);
}

#[test]
fn long_texts_and_several_files() {
    let text = "aé€😀 ".repeat(50_000);
    for unit in UNITS {
        for max in [99_999, 131_072, 200_001] {
            let want = cut_long(&text, unit, max);
            truncate(unit, max).reads(&*text).run().writes(want);
            let ran = truncate(unit, max).args("-f utf-16le").reads(utf16le(&text)).run();
            if unit != "--bytes" {
                ran.writes(utf16le(want));
            }
        }
    }
    let d = Directory::new();
    d.write("a", "äöü\n");
    d.write("b", "x");
    placemat("truncate -m 2 a b missing a")
        .within(&d)
        .run()
        .ends(2)
        .wrote("äöxäö")
        .says("placemat: missing: no such file or directory\n");
}

/// Computes the same as [`cut`] in one pass.
fn cut_long<'a>(text: &'a str, unit: &str, max: usize) -> &'a str {
    let mut used = 0;
    let end = text.char_indices().find(|&(_, c)| {
        used += measure(c.encode_utf8(&mut [0; 4]), unit, Encoding::UTF_8);
        used > max
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

#[test]
fn wrong_arguments() {
    placemat("truncate").run().ends(2).mentions(&["--bytes <N>"]);
    placemat("truncate -c 1 -m 1").run().ends(2).wrote("");
    placemat("truncate -c x")
        .run()
        .ends(2)
        .says("placemat: --bytes takes a whole number, such as 10, and not \"x\"\n");
    placemat("truncate -c -1").run().ends(2).wrote("");
    placemat("truncate -m 9 -f latin1 --ellipsis …")
        .run()
        .ends(2)
        .says("placemat: --ellipsis: ISO-8859-1 cannot represent \"…\"\n");
    placemat("truncate -c 2 --ellipsis …")
        .run()
        .ends(2)
        .says("placemat: <stdin>: --ellipsis takes 3 bytes, more than the limit of 2\n");
}
