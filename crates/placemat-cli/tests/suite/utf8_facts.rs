//! Checks the facts about UTF-8 in `docs/utf-8.md` against the standards: their tables are written
//! down here or counted by loops of this file, and never taken from what the command prints.

use crate::run::placemat;
use crate::vectors::bytes;

/// Returns the output of the command as bytes.
fn written(args: &str, input: impl Into<Vec<u8>>) -> Vec<u8> {
    let ran = placemat(args).reads(input).run();
    ran.ends(0);
    ran.stdout
}

/// Returns the output of the command as text.
fn text(args: &str, input: impl Into<Vec<u8>>) -> String {
    String::from_utf8(written(args, input)).unwrap()
}

/// Table 3-7 of the Unicode Standard: the lead bytes, the second bytes, and how many bytes 80 to BF follow.
const TABLE_3_7: [(u8, u8, u8, u8, usize); 8] = [
    (0xC2, 0xDF, 0x80, 0xBF, 0),
    (0xE0, 0xE0, 0xA0, 0xBF, 1),
    (0xE1, 0xEC, 0x80, 0xBF, 1),
    (0xED, 0xED, 0x80, 0x9F, 1),
    (0xEE, 0xEF, 0x80, 0xBF, 1),
    (0xF0, 0xF0, 0x90, 0xBF, 2),
    (0xF1, 0xF3, 0x80, 0xBF, 2),
    (0xF4, 0xF4, 0x80, 0x8F, 2),
];

/// Reads one non-ASCII sequence by that table. Returns its length, or the length of the maximal
/// subpart, and whether the sequence is complete.
fn sequence(text: &[u8]) -> (usize, bool) {
    let Some(&(.., low, high, more)) = TABLE_3_7.iter().find(|row| (row.0..=row.1).contains(&text[0])) else {
        return (1, false);
    };
    let fits = |at: usize, low: u8, high: u8| text.get(at).is_some_and(|byte| (low..=high).contains(byte));
    if !fits(1, low, high) {
        return (1, false);
    }
    let rest = (2..2 + more).take_while(|&at| fits(at, 0x80, 0xBF)).count();
    (2 + rest, rest == more)
}

/// All scalar values follow the bit patterns, and the first byte gives the length.
#[test]
fn every_code_point_has_its_pattern() {
    let scalars = (0..0xD800).chain(0xE000..0x11_0000_u32);
    let mut wide = Vec::new();
    let mut wanted = Vec::new();
    let mut lengths = [0_u32; 5];
    for c in scalars {
        wide.extend(c.to_be_bytes());
        let byte = |marker: u32, bits: u32| u8::try_from(marker | bits).unwrap();
        let six = |shift: u32| byte(0x80, c >> shift & 0x3F);
        let before = wanted.len();
        match c {
            0..=0x7F => wanted.push(byte(0, c)),
            0x80..=0x7FF => wanted.extend([byte(0xC0, c >> 6), six(0)]),
            0x800..=0xFFFF => wanted.extend([byte(0xE0, c >> 12), six(6), six(0)]),
            _ => wanted.extend([byte(0xF0, c >> 18), six(12), six(6), six(0)]),
        }
        lengths[wanted.len() - before] += 1;
    }
    assert_eq!(lengths, [0, 128, 1_920, 61_440, 1_048_576]);
    assert_eq!(lengths.iter().sum::<u32>(), 1_112_064);
    assert_eq!(wanted.len(), 128 + 2 * 1_920 + 3 * 61_440 + 4 * 1_048_576);
    assert!(written("convert -f utf-32be", &*wide) == wanted, "some code point has other bytes");
    assert!(written("convert -t utf-32be", &*wanted) == wide, "some bytes are another code point");

    // Thirteen bytes never occur; each other byte has a class.
    let never: Vec<u8> = (0..=u8::MAX).filter(|byte| !wanted.contains(byte)).collect();
    assert_eq!(never, [0xC0, 0xC1, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF]);
    let table = text("encodings utf-8 --table --format jsonl", "");
    let bytes_of = |class: &str| -> Vec<u8> {
        let class = format!("\"class\":\"{class}\"");
        let lines = table.lines().zip(0..=u8::MAX);
        lines.filter(|(line, _)| line.contains(&class)).map(|(_, byte)| byte).collect()
    };
    assert_eq!(bytes_of("never"), never);
    assert!(bytes_of("continuation").into_iter().eq(0x80..=0xBF));
    assert!(bytes_of("lead").into_iter().eq(0xC2..=0xF4));
    let lines: Vec<&str> = table.lines().collect();
    for (lead, lowest) in
        [(0xC2, "U+0080"), (0xD6, "U+0580"), (0xDC, "U+0700"), (0xDF, "U+07C0"), (0xE0, "U+0800")]
    {
        assert!(lines[lead].contains(&format!("\"lowest\":\"{lowest}\"")), "{}", lines[lead]);
    }
}

/// The worked examples of the literature, in hex, octal and bits.
#[test]
fn worked_examples() {
    for (c, hex, octal, value) in [
        ("$", "24", "044", "0o44"),
        ("¢", "c2a2", "302242", "0o242"),
        ("ह", "e0a4b9", "340244271", "0o4471"),
        ("€", "e282ac", "342202254", "0o20254"),
        ("한", "ed959c", "355225234", "0o152534"),
        ("𐍈", "f0908d88", "360220215210", "0o201510"),
    ] {
        assert_eq!(c.as_bytes(), bytes(hex));
        let shown = text("inspect --base 8", c);
        let words: Vec<&str> = shown.lines().nth(1).unwrap().split_whitespace().collect();
        let of_bytes: String =
            words[1..].iter().take_while(|word| !word.starts_with("0o")).copied().collect();
        assert_eq!((&*of_bytes, words.contains(&value)), (octal, true), "{shown}");
    }
    let shown = text("inspect --as bits", "€");
    assert!(shown.contains("1110.0010 10.000010 10.101100"), "{shown}");
}

/// Tries all strings of up to three non-ASCII bytes, and strings of four whose first three may be
/// one error, each followed by `A` and a line feed, and counts which are one error.
#[test]
fn there_are_17_728_errors_and_none_is_longer_than_three_bytes() {
    let beyond = 0x80..=u8::MAX;
    let one_error = |span: &str, strings: &[Vec<u8>]| -> Vec<bool> {
        let input: Vec<u8> = strings.iter().flat_map(|s| s.iter().copied().chain(*b"A\n")).collect();
        let output = written(&format!("convert -e question --span {span}"), input);
        let lines: Vec<bool> =
            output.split(|&byte| byte == b'\n').map(|line| line == b"?A").take(strings.len()).collect();
        assert_eq!(lines.len(), strings.len());
        lines
    };
    let mut strings: Vec<Vec<u8>> = beyond.clone().map(|byte| vec![byte]).collect();
    let mut counts = Vec::new();
    for len in 1..=4 {
        let are = one_error("maximal", &strings);
        for (string, &is) in strings.iter().zip(&are) {
            assert_eq!(is, sequence(string) == (len, false), "{string:02x?}");
        }
        counts.push(are.iter().filter(|&&is| is).count());
        // All strings of two and three bytes; a longer error would begin like one of three.
        let begins = |string: &Vec<u8>, is: bool| len < 3 || is && string.len() == 3;
        let kept: Vec<&Vec<u8>> =
            strings.iter().zip(are).filter(|(s, is)| begins(s, *is)).map(|(s, _)| s).collect();
        strings = kept.iter().flat_map(|s| beyond.clone().map(|byte| [s, &[byte][..]].concat())).collect();
    }
    assert_eq!(counts, [128, 1_216, 16_384, 0]);
    assert_eq!(counts.iter().sum::<usize>(), 17_728);
    // The estimate of the literature lets any continuation byte follow a lead byte.
    assert_eq!(128 + 21 * 64 + 5 * 64 * 64, 21_952);
    let single: Vec<Vec<u8>> = beyond.map(|byte| vec![byte]).collect();
    assert_eq!(one_error("byte", &single).iter().filter(|&&is| is).count(), 128);
}

/// The chances equal the counts over all strings.
#[test]
fn chances_are_counted() {
    let all = 0..=u8::MAX;
    let two: Vec<[u8; 2]> = all.clone().flat_map(|a| all.clone().map(move |b| [a, b])).collect();
    let whole = |text: &[u8]| text[0] >= 0x80 && sequence(text) == (text.len(), true);
    let pattern = |text: &[u8], lead: u8, mask: u8| {
        text[0] & mask == lead && text[1..].iter().all(|byte| byte & 0xC0 == 0x80)
    };
    let now = two.iter().filter(|text| whole(&text[..])).count();
    let then = two.iter().filter(|text| pattern(&text[..], 0xC0, 0xE0)).count();
    assert_eq!((now, then), (1_920, 2_048));
    let (mut three, mut three_then) = (0, 0);
    for [a, b] in &two {
        for c in all.clone() {
            three += usize::from(whole(&[*a, *b, c]));
            three_then += usize::from(pattern(&[*a, *b, c], 0xE0, 0xF0));
        }
    }
    assert_eq!((three, three_then), (61_440, 65_536));
    let percent = |count: usize, bits: i32| 100.0 * count as f64 / 2_f64.powi(bits);
    assert_eq!(format!("{:.1} {:.2}", percent(then, 16), percent(now, 16)), "3.1 2.93");
    assert_eq!(format!("{:.2} {:.3}", percent(three_then, 24), percent(three, 24)), "0.39 0.366");
    // Pairs of non-ASCII bytes, and pairs of letters of windows-1252.
    let letters: Vec<u8> = (0x80..=u8::MAX)
        .filter(|&byte| text("convert -f windows-1252", [byte]).chars().all(char::is_alphabetic))
        .collect();
    let pairs = letters.iter().flat_map(|a| letters.iter().map(move |b| [*a, *b]));
    let of_letters = pairs.filter(|text| whole(text)).count();
    let once_in = |of: usize, count: usize| format!("{:.1}", of as f64 / count as f64);
    assert_eq!(once_in(128 * 128, now), "8.5");
    assert_eq!(once_in(letters.len() * letters.len(), of_letters), "15.7");
    for (n, parts) in
        [("2", ["2.93 %, ", "3.12 %, ", "1 in 8.53 ", "1 in 15.7 "]), ("3", ["0.366 %", "0.391 %", "", ""])]
    {
        let shown = text(&format!("encodings utf-8 --chance {n}"), "");
        assert!(parts.iter().all(|part| shown.contains(part)), "{shown}");
    }
}

/// Code points without overlong forms, in the lengths that were valid before 2003.
#[test]
fn code_points_by_length_before_2003() {
    let shown = text("encodings utf-8-31 --table", "");
    let bits = [7_u32, 11, 16, 21, 26, 31];
    for (i, pair) in [0].iter().chain(&bits).zip(&bits).enumerate() {
        let (before, all) = pair;
        let count = (1_u64 << all) - if i == 0 { 0 } else { 1 << before };
        let s = if i == 0 { "" } else { "s" };
        let line = shown.lines().find(|line| line.starts_with(&format!("{} byte{s}  ", i + 1))).unwrap();
        let digits: String = line.split("  ").nth(1).unwrap().chars().filter(char::is_ascii_digit).collect();
        assert_eq!(digits, count.to_string(), "{line}");
    }
    let limits = text("encodings utf-8 --table", "");
    assert!(limits.contains("2,048 of 63,488 sequences of 3 bytes\n"), "{limits}");
    assert!(limits.contains("983,040 of 2,031,616 sequences of 4 bytes"), "{limits}");
}

/// Each error has its kind; five of them are overlong forms of a line feed.
#[test]
fn kinds_of_errors() {
    for (hex, kind) in [
        ("80", "unexpected-continuation"),
        ("a9", "unexpected-continuation"),
        ("e2 82", "incomplete"),
        ("e2 28", "truncated"),
        ("c0 af", "overlong-2"),
        ("c0 8a", "overlong-2"),
        ("e0 80 8a", "overlong-3"),
        ("f0 80 80 8a", "overlong-4"),
        ("f8 80 80 80 8a", "lead-5-byte"),
        ("fc 80 80 80 80 8a", "lead-6-byte"),
        ("f5", "lead-f5-f7"),
        ("f7", "lead-f5-f7"),
        ("fd", "lead-6-byte"),
        ("fe", "never-byte"),
        ("ff", "never-byte"),
        ("ed a0 80", "surrogate"),
        ("ed bf bf", "surrogate"),
        ("f4 90 80 80", "too-large"),
    ] {
        let ran = placemat("check --format jsonl").reads(bytes(hex)).run();
        let found = String::from_utf8(ran.stdout).unwrap();
        assert!(found.starts_with("{\"path\":\"<stdin>\",\"byte_offset\":0,"), "{hex}: {found}");
        assert!(found.contains(&format!("\"kind\":\"{kind}\"")), "{hex}: {found}");
    }
    for noncharacter in ["ef b7 90", "ef b7 af", "ef bf be", "ef bf bf", "f0 9f bf be", "f4 8f bf bf"] {
        placemat("check").reads(bytes(noncharacter)).run().writes("");
        placemat("check --lint noncharacters").reads(bytes(noncharacter)).run().ends(1);
    }
}

/// The lengths of errors: the tables of U+FFFD in chapter 3 of the Unicode Standard, and the other
/// spans.
#[test]
fn spans_of_errors() {
    for (hex, replaced) in [
        ("c0 af e0 80 bf f0 81 82 41", "????????A"),
        ("ed a0 80 ed bf bf ed af 41", "????????A"),
        ("f4 91 92 93 ff 41 80 bf 42", "?????A??B"),
        ("e1 80 e2 f0 91 92 f1 bf 41", "????A"),
        ("61 f1 80 80 e1 80 c2 62 80 63 80 bf 64", "a???b?c??d"),
    ] {
        assert_eq!(text("convert -e question", bytes(hex)), replaced, "{hex}");
        assert_eq!(text("convert -e replace", bytes(hex)), replaced.replace('?', "\u{FFFD}"), "{hex}");
    }
    for (hex, spans) in [
        ("e1 a0 c0 41 42", ["??AB", "???AB", "??AB", "?AB"]),
        ("e0 80 80", ["???", "???", "?", "?"]),
        ("ed a0 80", ["???", "???", "?", "?"]),
        ("f4 90 80 80", ["????", "????", "?", "?"]),
        ("f8 88 80 80 80", ["?????", "?????", "?", "?"]),
        ("e2 82 41", ["?A", "??A", "?A", "?"]),
        ("e1 41 42 43", ["?ABC", "?ABC", "?ABC", "?C"]),
    ] {
        for (name, replaced) in ["maximal", "byte", "structural", "lead"].iter().zip(spans) {
            let args = format!("convert -e question --span {name}");
            assert_eq!(text(&args, bytes(hex)), replaced, "{hex} {name}");
        }
    }
}

/// The policies that replace bytes, and those from which the bytes can be recovered.
#[test]
fn what_stands_for_errors() {
    for (policy, from, to) in [
        ("-e replace", "61 ff 62", "61 ef bf bd 62"),
        ("-e ignore", "61 ff 62", "61 62"),
        ("-e latin1", "61 85 62 e9", "61 c2 85 62 c3 a9"),
        ("-e cp1252", "80 62 e9 85", "e2 82 ac 62 c3 a9 e2 80 a6"),
        ("-e surrogateescape -t wtf-8", "61 e9 62", "61 ed b3 a9 62"),
        ("-e surrogateescape", "61 e9 62", "61 e9 62"),
        ("-e optu", "61 e9 62", "61 ee bf a9 62"),
        ("-e optu", "80 ff", "ee be 80 ee bf bf"),
        ("--unmappable optu", "61 ee bf a9 62", "61 e9 62"),
        ("-f java-utf", "c0 af", "2f"),
        ("-f utf8-lax -t ucs-4be", "f4 90 80 80", "00 11 00 00"),
    ] {
        assert_eq!(written(&format!("convert -q {policy}"), bytes(from)), bytes(to), "{policy} {from}");
    }
    // U+EFC3 U+EFA9 are not escaped bytes: they would form an é.
    placemat("convert --unmappable optu").reads(bytes("ee bf 83 ee be a9")).run().ends(1);
    // All bytes survive the round trip, in any order.
    let all: Vec<u8> = (0..=u8::MAX).chain((0..=u8::MAX).rev()).collect();
    let there = written("convert -e optu", &*all);
    assert!(core::str::from_utf8(&there).is_ok());
    assert_eq!(written("convert --unmappable optu", there), all);
}

/// Errors cost time in proportion to their number: two megabytes of errors only.
#[test]
fn errors_are_no_denial_of_service() {
    let errors = vec![0xFF; 2_000_000];
    let began = std::time::Instant::now();
    assert_eq!(written("convert -q -e question", &*errors).len(), errors.len());
    placemat("check -q").reads(errors).run().ends(1);
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

/// The lengths of text, and its sizes in the other encodings.
#[test]
fn lengths_and_sizes() {
    let text_of = "né€😀e\u{301}";
    assert_eq!(
        text("count -m --graphemes -c --columns", text_of).split_whitespace().collect::<Vec<_>>(),
        ["6", "5", "13", "6"]
    );
    // Sizes of one character at the ends of each range: UTF-8, UTF-16, UTF-32, CESU-8, UTF-1, UTF-EBCDIC.
    let encodings = ["utf-8", "utf-16le", "utf-32le", "cesu-8", "utf-1", "utf-ebcdic"];
    for (low, high, sizes) in [
        (0, 0x7F, [1, 2, 4, 1, 1, 1]),
        (0x80, 0x9F, [2, 2, 4, 2, 1, 1]),
        (0xA0, 0x3FF, [2, 2, 4, 2, 2, 2]),
        (0x400, 0x7FF, [2, 2, 4, 2, 2, 3]),
        (0x800, 0x3FFF, [3, 2, 4, 3, 2, 3]),
        (0x4000, 0x4015, [3, 2, 4, 3, 2, 4]),
        (0x4016, 0xFFFF, [3, 2, 4, 3, 3, 4]),
        (0x10000, 0x38E2D, [4, 4, 4, 6, 3, 4]),
        (0x38E2E, 0x3FFFF, [4, 4, 4, 6, 5, 4]),
        (0x40000, 0x10FFFF, [4, 4, 4, 6, 5, 5]),
    ] {
        for (encoding, size) in encodings.iter().zip(sizes) {
            for c in [low, high].map(|c| char::from_u32(c).unwrap()) {
                let len = written(&format!("convert -t {encoding}"), c.to_string()).len();
                assert_eq!(len, size, "{encoding} U+{:04X}", u32::from(c));
            }
        }
    }
}

/// An overlong slash is not a slash, and a lead byte swallows no ASCII.
#[test]
fn nothing_is_smuggled() {
    for slash in ["%c0%af", "%e0%80%af", "%f0%80%80%af"] {
        placemat("convert -q --unwrap percent").reads(slash).run().ends(1).wrote("");
        let replaced = text("convert -q -e replace --unwrap percent", slash);
        assert!(replaced.chars().all(|c| c == '\u{FFFD}'), "{replaced}");
        let ran = placemat("repair -q").reads(slash.replace('%', "")).run();
        assert!(!ran.stdout.contains(&b'/'), "{slash}");
    }
    for (hex, replaced) in [("e2 28 a1", "?(?"), ("c3 28", "?("), ("f0 9f 3c", "?<"), ("e2 82 22 3e", "?\">")]
    {
        assert_eq!(text("convert -e question", bytes(hex)), replaced, "{hex}");
    }
}

/// Order, search, truncation and boundaries work on bytes.
#[test]
fn properties() {
    // U+FFFF before U+10000 in UTF-8; after it in UTF-16, and so in CESU-8.
    let [below, above] = ["\u{FFFF}", "\u{10000}"];
    let order = |encoding: &str| {
        let of = |text: &str| written(&format!("convert -t {encoding}"), text);
        of(below).cmp(&of(above))
    };
    assert!(order("utf-8").is_lt() && order("utf-32be").is_lt() && order("fss-utf-1992").is_lt());
    assert!(order("cesu-8").is_gt() && order("utf-16be").is_gt());
    // A backslash and a slash that are parts of other characters.
    assert!(
        written("convert -t shift_jis", "表").contains(&b'\\')
            && written("convert -t utf-1", "Ď").contains(&b'/')
    );
    // A reader in the middle of the euro sign sees two bytes that begin nothing.
    assert_eq!(text("convert -e question", bytes("82 ac 61 62 63")), "??abc");
    assert_eq!(text("convert -q -e ignore", bytes("61 62 63 e2 82")), "abc");
    let middle = text("inspect --as bits --range 2..3", "a€b");
    assert!(middle.trim_start().starts_with("1  1110.0010") && middle.lines().count() == 1, "{middle}");
}
