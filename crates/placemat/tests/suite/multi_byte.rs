//! The multi-byte encodings that the web does not read: cases on which several programs agree, what they hold, round
//! trips, the law of streaming; and in the long form every short string and every code point against glibc and Python.

use crate::data::{Tally, hex, suite, unhex};
use crate::subject::in_parallel;
use crate::tables::{long, round_trip, scalar_values, streaming, write};
use crate::testdata::check;
use placemat::forms::{Family, MultiByte};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy, convert};
use std::io::Write as _;
use std::process::{Command, Stdio};

const SHIFTS: [&[u8]; 14] = [
    b"\x1B$)C",
    b"\x1B$)A",
    b"\x1B$)G",
    b"\x1B$*H",
    b"\x1BN",
    b"\x1BN!!",
    b"\x0E",
    b"\x0F",
    b"\n",
    b"~{",
    b"~}",
    b"~",
    b"\x8E\xA3\xA1",
    b"\x8F\xA1",
];

/// How many code points each holds by itself.
const HELD: [usize; 13] =
    [8352, 16_424, 7573, 17_176, 18_582, 55_569, 11_399, 11_399, 11_861, 10_972, 9519, 20_236, 11_861];

fn read(encoding: MultiByte, src: &[u8]) -> Option<String> {
    let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
    let text = convert::transcode_bytes(src, Encoding::MultiByte(encoding), Encoding::Utf8, d, u).ok()?;
    Some(String::from_utf8(text).expect("well-formed"))
}

#[test]
fn what_several_programs_say() {
    for (cases, passes) in [
        (suite(("gen-mb", include_str!("../vectors/cases/gen-mb.jsonl"), 371)), 74),
        (suite(("gen-ebcdic", include_str!("../vectors/cases/gen-ebcdic.jsonl"), 722)), 132),
    ] {
        let ours =
            |name: &str| matches!(Encoding::for_label(name), Some(Encoding::Utf8 | Encoding::MultiByte(_)));
        let ours: Vec<_> =
            cases.iter().filter(|case| ours(case.text("from")) && ours(case.text("to"))).collect();
        Tally::of(ours.iter().copied(), check).report("multi-byte", passes);
    }
}

#[test]
fn what_is_written_reads_the_same() {
    in_parallel(MultiByte::ALL.len(), |i| {
        let encoding = Encoding::MultiByte(MultiByte::ALL[i]);
        let (held, others) = round_trip(encoding);
        assert!(others.is_empty(), "{encoding}: {others:?}");
        assert_eq!(held, HELD[i], "{encoding} holds them");
    });
}

#[test]
fn the_law_of_streaming() {
    in_parallel(MultiByte::ALL.len(), |i| {
        streaming(Encoding::MultiByte(MultiByte::ALL[i]), &SHIFTS, if long() { 2000 } else { 40 });
    });
}

#[test]
fn pairs_of_a_letter_and_a_mark() {
    let both = |encoding, text: &str, bytes: &[u8]| {
        let encoding = Encoding::MultiByte(encoding);
        assert_eq!(write(encoding, text).as_deref(), Some(bytes), "{encoding} {text:?}");
        assert_eq!(crate::tables::read(encoding, bytes), text, "{encoding}");
    };
    both(MultiByte::Big5Hkscs, "\u{CA}\u{304}", b"\x88\x62");
    both(MultiByte::Big5Hkscs, "\u{CA}\u{30C}\u{CA}", b"\x88\x64\x88\x66");
    both(MultiByte::Big5Hkscs, "\u{CA}\u{CA}\u{304}x", b"\x88\x66\x88\x62x");
    both(MultiByte::ShiftJis2004, "\u{304B}\u{309A}\u{304B}", b"\x82\xF5\x82\xA9");
    both(MultiByte::EucJis2004, "\u{304B}\u{309A}\u{304B}\u{306F}", b"\xA4\xF7\xA4\xAB\xA4\xCF");
    both(MultiByte::EucJis2004, "\u{2E9}\u{2E5}\u{2E5}\u{2E9}\u{2E9}", b"\xAB\xE5\xAB\xE6\xAB\xE4");
}

#[test]
fn designations_and_shifts() {
    let both = |encoding, text: &str, bytes: &[u8]| {
        let encoding = Encoding::MultiByte(encoding);
        assert_eq!(write(encoding, text).map(|bytes| hex(&bytes)), Some(hex(bytes)), "{encoding} {text:?}");
        assert_eq!(crate::tables::read(encoding, bytes), text, "{encoding}");
    };
    both(MultiByte::Iso2022Kr, "", b"");
    both(MultiByte::Iso2022Kr, "a\u{AC00}\nb\u{AC00}", b"\x1B$)Ca\x0E0!\x0F\nb\x0E0!\x0F");
    both(MultiByte::Iso2022Cn, "\u{4E2D}\n\u{4E2D}", b"\x1B$)A\x0EVP\x0F\n\x1B$)A\x0EVP\x0F");
    both(MultiByte::Iso2022Cn, "\u{554A}!\u{9673}", b"\x1B$)A\x0E0!\x0F!\x1B$)G\x0E]s\x0F");
    both(MultiByte::Iso2022Cn, "\u{4E8D}\u{4E42}\u{4E2D}", b"\x1B$)A\x0EX!\x1B$*H\x1BN!!VP\x0F");
    both(MultiByte::Iso2022Cn, "\u{4E42}\u{4E2D}", b"\x1B$*H\x1BN!!\x1B$)A\x0EVP\x0F");
    both(MultiByte::Hz, "~\u{4E2D}~\u{4E2D}a", b"~~~{VP~}~~~{VP~}a");
    assert_eq!(read(MultiByte::Hz, b"a~\nb").as_deref(), Some("ab"));
    both(MultiByte::Ibm930, "\u{3042}\n\u{3044}a", b"\x0ED\x81\x0F%\x0ED\x82\x0Fb");
    for (encoding, bytes) in [
        (MultiByte::Iso2022Kr, &b"\x0E!!\n"[..]),
        (MultiByte::Iso2022Kr, b"\x80"),
        (MultiByte::Iso2022Kr, b"\x1B$)A"),
        (MultiByte::Iso2022Cn, b"\x1BN!!"),
        (MultiByte::Hz, b"~x"),
        (MultiByte::Hz, b"~}"),
        (MultiByte::Hz, b"~{! ~}"),
        (MultiByte::Ibm930, b"\x0ED\x0F"),
    ] {
        assert_eq!(read(encoding, bytes), None, "{encoding:?} {}", hex(bytes));
    }
}

/// What a program answers to each line.
fn ask(direction: &str, kind: &str, name: &str, lines: &[Vec<u8>]) -> Vec<Option<Vec<u8>>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../xtask/multi_byte.py");
    let mut child = Command::new("python3")
        .args([script, direction, kind, name])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is there");
    let mut to = child.stdin.take().expect("it is piped");
    let given: String = lines.iter().map(|line| hex(line) + "\n").collect();
    let writer = std::thread::spawn(move || to.write_all(given.as_bytes()).expect("it reads"));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it wrote");
    let answers: Vec<_> = str::from_utf8(&output.stdout).expect("hex").lines().map(unhex).collect();
    assert_eq!(answers.len(), lines.len(), "{kind} {name}");
    answers
}

/// What each peer is asked with, and how many answers differ, reading and writing.
///
/// Reading: glibc and Python read ESC as a control before any byte, and Python line ends and controls in two-byte text;
/// glibc does not read 7F in ISO-2022-CN, reads 5C in Johab as U+20A9 and 80 in Big5-HKSCS as U+0080; for the rest see the
/// form. Writing: nothing is written here that would read as something else; glibc puts SUB or a likeness for that in
/// EBCDIC, writes the shifts themselves, and a shift back after plane 2 in ISO-2022-CN that was not shifted.
const PEERS: [(MultiByte, &str, &str, usize, usize); 18] = [
    (MultiByte::Iso2022Kr, "iconv", "ISO-2022-KR", 15, 3),
    (MultiByte::Iso2022Kr, "python", "iso2022_kr", 1572, 129),
    (MultiByte::Iso2022Cn, "iconv", "ISO-2022-CN", 379, 6598),
    (MultiByte::Hz, "python", "hz", 0, 0),
    (MultiByte::Johab, "iconv", "JOHAB", 257, 3),
    (MultiByte::Johab, "python", "johab", 17, 0),
    (MultiByte::Big5Hkscs, "iconv", "BIG5-HKSCS", 265, 4),
    (MultiByte::Big5Hkscs, "python", "big5hkscs", 68, 68),
    (MultiByte::EucTw, "iconv", "EUC-TW", 0, 0),
    (MultiByte::ShiftJis2004, "iconv", "SHIFT_JISX0213", 0, 2),
    (MultiByte::ShiftJis2004, "python", "shift_jis_2004", 5, 10),
    (MultiByte::EucJis2004, "iconv", "EUC-JISX0213", 0, 0),
    (MultiByte::EucJis2004, "python", "euc_jis_2004", 6070, 3164),
    (MultiByte::Ibm930, "iconv", "IBM930", 0, 155),
    (MultiByte::Ibm933, "iconv", "IBM933", 0, 70),
    (MultiByte::Ibm935, "iconv", "IBM935", 0, 75),
    (MultiByte::Ibm937, "iconv", "IBM937", 0, 90),
    (MultiByte::Ibm939, "iconv", "IBM939", 0, 156),
];

/// What comes before two bytes so that they are a code.
fn prefixes(encoding: MultiByte) -> &'static [&'static [u8]] {
    match encoding {
        MultiByte::Iso2022Kr => &[b"", b"\x1B$)C\x0E"],
        MultiByte::Iso2022Cn => &[b"", b"\x1B$)A\x0E", b"\x1B$)G\x0E", b"\x1B$*H\x1BN"],
        MultiByte::Hz => &[b"", b"~{"],
        MultiByte::EucTw => &[b"", b"\x8E\xA1", b"\x8E\xA2", b"\x8E\xA6", b"\x8E\xAF", b"\x8E\xB1"],
        MultiByte::EucJis2004 => &[b"", b"\x8F"],
        MultiByte::Ibm930 | MultiByte::Ibm933 | MultiByte::Ibm935 | MultiByte::Ibm937 | MultiByte::Ibm939 => {
            &[b"", b"\x0E"]
        }
        _ => &[b""],
    }
}

/// All strings of one and two bytes, alone and after each prefix; all scalar values.
#[test]
fn peers() {
    if !long() {
        return;
    }
    in_parallel(PEERS.len(), |i| {
        let (encoding, kind, name, reading, writing) = PEERS[i];
        let two = (0..=0xFFFF_u16).map(|two| two.to_be_bytes().to_vec());
        let short: Vec<_> = (0..=0xFF).map(|one| vec![one]).chain(two).collect();
        let strings: Vec<_> = prefixes(encoding)
            .iter()
            .flat_map(|prefix| short.iter().map(|s| [prefix, &s[..]].concat()))
            .collect();
        let answers = ask("read", kind, name, &strings);
        let mut differ = Vec::new();
        for (string, answer) in strings.iter().zip(answers) {
            let found = read(encoding, string).map(String::into_bytes);
            if found != answer {
                differ.push(format!("{}: {found:x?} not {answer:x?}", hex(string)));
            }
        }
        let texts: Vec<_> =
            scalar_values().filter(|&c| c < '\u{30000}').map(|c| c.to_string().into_bytes()).collect();
        let answers = ask("write", kind, name, &texts);
        let mut written = Vec::new();
        for (text, answer) in texts.iter().zip(answers) {
            let text = str::from_utf8(text).expect("a code point");
            let found = write(Encoding::MultiByte(encoding), text);
            if found != answer {
                written.push(format!(
                    "{text:?} {:04X}: {found:x?} not {answer:x?}",
                    u32::from(text.chars().next().expect("one"))
                ));
            }
        }
        let counts = (differ.len(), written.len());
        let some = |all: &[String]| all.iter().step_by(1 + all.len() / 12).cloned().collect::<Vec<_>>();
        assert_eq!(
            counts,
            (reading, writing),
            "{encoding:?} {kind}\n{:#?}\n{:#?}",
            some(&differ),
            some(&written)
        );
    });
}
