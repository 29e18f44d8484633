//! ISCII against the tables of ICU and of the code pages of Windows, and against `uconv` where ICU is installed. Where the library
//! reads another character than ICU, Windows or the standard has it.

use crate::data::unhex;
use crate::tables::{read, round_trip, streaming, write};
use placemat::normalize::Normalization;
use placemat::stream::{Status, Transcoder};
use placemat::{ConvertError, Encoding, ErrorPolicy};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

const FACTS: &str = include_str!("../peers/iscii.txt");

const MEMBERS: [Encoding; 9] = [
    Encoding::ISCII_DEVANAGARI,
    Encoding::ISCII_BENGALI,
    Encoding::ISCII_GURMUKHI,
    Encoding::ISCII_GUJARATI,
    Encoding::ISCII_ORIYA,
    Encoding::ISCII_TAMIL,
    Encoding::ISCII_TELUGU,
    Encoding::ISCII_KANNADA,
    Encoding::ISCII_MALAYALAM,
];
/// The attribute that chooses the script of each member.
const ATTRIBUTES: [u8; 9] = *b"BCKJGDEHI";
/// The first code point of the block of each member is this one, 80 (hex) apart.
const FIRST: u32 = 0x900;

type Table = BTreeMap<Vec<u8>, String>;

/// A script, and the text that programs read in its bytes.
struct Script {
    name: &'static str,
    icu: Table,
    /// The sequences that Windows reads otherwise than ICU; an empty text for an error.
    windows: Table,
}

fn text(cell: &str) -> String {
    let scalar = |word| u32::from_str_radix(word, 16).ok().and_then(char::from_u32).expect("a scalar value");
    if cell == "----" { String::new() } else { cell.split('+').map(scalar).collect() }
}

fn scripts() -> Vec<Script> {
    let mut scripts: Vec<Script> = Vec::new();
    let listed = |words: &[&str]| -> Table {
        let both = words.iter().map(|word| word.split_once('=').expect("bytes and text"));
        both.map(|(bytes, cell)| (unhex(bytes).expect("hexadecimal digits"), text(cell))).collect()
    };
    for line in FACTS.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (&words[..], scripts.last_mut()) {
            ([], _) => {}
            (["pairs", pairs @ ..], Some(script)) => script.icu.append(&mut listed(pairs)),
            (["Windows", others @ ..], Some(script)) => script.windows = listed(others),
            ([row, cells @ ..], Some(script)) if cells.len() == 16 => {
                let row = u8::from_str_radix(row, 16).expect("the first byte of a row");
                let cells = (row..=row | 0x0F).zip(cells).map(|(byte, cell)| (vec![byte], text(cell)));
                script.icu.extend(cells.filter(|(_, text)| !text.is_empty()));
            }
            (&[name], _) => {
                let ascii = (0..0xA0).map(|byte| (vec![byte], char::from(byte).to_string()));
                scripts.push(Script { name, icu: ascii.collect(), windows: Table::new() });
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!(scripts.len(), 9);
    scripts
}

/// The sequences that the library has from Windows: letters of later editions of Unicode, and the long vowels that Windows writes with
/// the bytes of short ones.
const FROM_WINDOWS: [(&str, &[&str]); 6] = [
    ("Bengali", &["AB", "E0", "E4"]),
    ("Gurmukhi", &["AB", "E0", "E4"]),
    ("Gujarati", &["AB", "E0", "E4", "E9", "EAE9"]),
    ("Oriya", &["AB", "E0", "E4", "BFE9", "EAE9"]),
    ("Telugu", &["A1"]),
    ("Kannada", &["D0", "C9E9"]),
];

/// Returns the sequences of a script that the library reads.
fn ours(script: &Script) -> Table {
    let mut table = script.icu.clone();
    for bytes in FROM_WINDOWS.iter().filter(|(name, _)| *name == script.name).flat_map(|(_, all)| *all) {
        let bytes = unhex(bytes).expect("hexadecimal digits");
        let windows = script.windows.get(&bytes).expect("Windows differs");
        assert_ne!(table.insert(bytes, windows.clone()).as_ref(), Some(windows), "{}", script.name);
    }
    // The danda is one for all northern scripts, in the standard and in Unicode.
    if ["Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya"].contains(&script.name) {
        table.insert(vec![0xEA], "\u{964}".into());
        table.insert(vec![0xEA, 0xEA], "\u{965}".into());
    }
    // The invisible consonant, and the two extensions that Unicode had first.
    table.insert(vec![0xD9], "\u{200D}".into());
    if script.name == "Devanagari" {
        table.insert(vec![0xF0, 0xB8], "\u{952}".into());
        table.insert(vec![0xF0, 0xBF], "\u{970}".into());
    }
    table
}

/// Letters and marks of Gurmukhi after which the nasal mark is the tippi.
const BEFORE_TIPPI: &str = "ਅਇਕਖਗਘਙਚਛਜਝਞਟਠਡਢਣਤਥਦਧਨਪਫਬਭਮਯਰਲ\u{A33}ਵ\u{A36}ਸਹ\u{A3F}\u{A41}\u{A42}";

/// Returns the text of some bytes by the longest sequences of a table; `None` for an error.
fn by(table: &Table, bytes: &[u8]) -> Option<String> {
    let (mut text, mut at) = (String::new(), 0);
    while at < bytes.len() {
        let end =
            (at + 1..=bytes.len().min(at + 2)).rev().find(|&end| table.contains_key(&bytes[at..end]))?;
        let next = table[&bytes[at..end]].as_str();
        let is_tippi = next == "\u{A02}" && text.ends_with(|c: char| BEFORE_TIPPI.contains(c));
        text += if is_tippi { "\u{A70}" } else { next };
        at = end;
    }
    Some(text)
}

fn strict(encoding: Encoding, bytes: &[u8]) -> Option<String> {
    encoding.decode(bytes, ErrorPolicy::Stop).ok().map(|text| text.into_owned())
}

#[test]
fn every_string_of_two_bytes_in_each_script() {
    for (encoding, script) in MEMBERS.into_iter().zip(scripts()) {
        assert_eq!(encoding.name(), format!("ISCII-{}", script.name));
        let table = ours(&script);
        for one in 0..=0xFF_u8 {
            assert_eq!(strict(encoding, &[one]), by(&table, &[one]), "{encoding} {one:02X}");
            // Attributes are tested alone.
            for two in (0..=0xFF_u8).filter(|_| one != 0xEF) {
                let bytes = [one, two];
                assert_eq!(strict(encoding, &bytes), by(&table, &bytes), "{encoding} {bytes:02X?}");
            }
        }
    }
}

/// Windows reads a letter where ICU has one, but for a few of which ICU's is that of the standard.
#[test]
fn windows_agrees_where_a_script_has_the_letter() {
    let differ: Vec<String> = scripts()
        .iter()
        .flat_map(|script| {
            let others = script
                .windows
                .iter()
                .filter(|(bytes, text)| script.icu.get(*bytes).is_some_and(|icu| icu != *text));
            others.map(|(bytes, text)| format!("{} {bytes:02X?} {text}", script.name)).collect::<Vec<_>>()
        })
        .collect();
    let known = [
        // ICU has no character for A1 and A3 of Gurmukhi.
        "Gurmukhi [A1] ",
        "Gurmukhi [A3] ",
        // Two letters with a nukta are exchanged.
        "Gurmukhi [BF, E9] ",
        "Gurmukhi [C0, E9] ੜ",
        // Unicode has the letters va and vocalic rr of Oriya since a later edition; others are of Telugu by mistake.
        "Oriya [A6, E9] ఌ",
        "Oriya [A7, E9] ౡ",
        "Oriya [AA, E9] ౠ",
        "Oriya [D4] ବ",
        // The letter e is long, and the digit is of ASCII.
        "Tamil [AB] ஏ",
        "Tamil [F1] 0",
    ];
    assert_eq!(differ, known);
}

/// Returns what `uconv` makes of some bytes, or `None` if ICU is not installed.
fn uconv(from: &str, to: &str, bytes: Vec<u8>) -> Option<Vec<u8>> {
    let child = Command::new("uconv")
        .args(["-f", from, "-t", to])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.ok()?;
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program writes while it reads.
    let writer = std::thread::spawn(move || stdin.write_all(&bytes).is_ok());
    let output = child.wait_with_output().expect("an exit status");
    assert!(writer.join().expect("it ends") && output.status.success(), "uconv {from} {to}");
    Some(output.stdout)
}

/// Every string of two bytes that both read, a line each.
#[test]
fn icu_reads_the_same() {
    for (n, (encoding, script)) in MEMBERS.into_iter().zip(scripts()).enumerate() {
        let table = ours(&script);
        let is_common = |bytes: &[u8]| {
            let icu = by(&script.icu, bytes);
            icu.is_some() && icu == by(&table, bytes) && !bytes.contains(&b'\n')
        };
        let pairs = (0..=0xFF_u8).flat_map(|one| (0..=0xFF_u8).map(move |two| [one, two]));
        // ICU has no tippi after these two letters.
        let lines: Vec<u8> = pairs
            .filter(|bytes| is_common(bytes) && !matches!(bytes, [0xD1 | 0xD2, 0xA2]))
            .flat_map(|[one, two]| [one, two, b'.', b'\n'])
            .collect();
        let Some(found) = uconv(&format!("ISCII,version={n}"), "UTF-8", lines.clone()) else {
            eprintln!("uconv is not installed");
            return;
        };
        assert!(lines.len() > 80_000, "{encoding} {}", lines.len());
        assert_eq!(String::from_utf8(found).expect("UTF-8"), read(encoding, &lines), "{encoding}");
    }
}

/// Returns the code points of the script of a member that ICU knows too.
fn letters(member: usize, script: &Script) -> Vec<char> {
    let first = FIRST + 0x80 * u32::try_from(member).expect("one of nine");
    let known: String = script.icu.values().flat_map(|text| text.chars()).collect();
    (first..first + 0x80)
        .filter_map(char::from_u32)
        .filter(|&c| known.contains(c) && !matches!(c, '\u{A02}' | '\u{964}' | '\u{965}'))
        .collect()
}

/// ICU reads every two code points of a script from the bytes that the library writes, and the library from those of ICU.
#[test]
fn icu_reads_what_is_written_and_the_other_way_round() {
    let nfd = |text: &str| Normalization::Nfd.apply(text).into_owned();
    for (n, (encoding, script)) in MEMBERS.into_iter().zip(scripts()).enumerate() {
        let letters = letters(n, &script);
        let virama =
            char::from_u32(FIRST + 0x4D + 0x80 * u32::try_from(n).expect("one of nine")).expect("a mark");
        let mut lines = String::new();
        for &one in &letters {
            lines.extend([one, '\n', one, virama, '\u{200C}', one, '\n', one, virama, '\u{200D}', '.', '\n']);
            // ICU reads a doubled consonant of Gurmukhi as a mark and the consonant.
            lines.extend(letters.iter().flat_map(|&two| [one, two, '.', '\n']));
        }
        let written = write(encoding, &lines).expect("all letters are in ISCII");
        let name = format!("ISCII,version={n}");
        let Some(found) = uconv(&name, "UTF-8", written.clone()) else {
            eprintln!("uconv is not installed");
            return;
        };
        let found = String::from_utf8(found).expect("UTF-8");
        for (found, line) in found.lines().zip(lines.lines()) {
            assert_eq!(nfd(found), nfd(line), "{encoding} {line}");
        }
        assert_eq!(found.lines().count(), lines.lines().count(), "{encoding}");
        // ICU writes two characters that are one when they are read; alone they are themselves.
        let alone: String = letters.iter().flat_map(|&c| [c, '.', '\n']).collect();
        let theirs = uconv("UTF-8", &name, alone.clone().into_bytes()).expect("it is installed");
        assert_eq!(read(encoding, &theirs), alone, "{encoding}");
    }
}

#[test]
fn texts() {
    for (encoding, bytes, text) in [
        (Encoding::ISCII_DEVANAGARI, &b"\xD8\xDB\xC6\xE8\xC4\xDC \xCB\xDA\xD6\xDA"[..], "हिन्दी भाषा"),
        (Encoding::ISCII_DEVANAGARI, b"\xB3\xE8\xE8\xD6 \xB3\xE8\xE9\xD6", "क्\u{200C}ष क्\u{200D}ष"),
        (Encoding::ISCII_DEVANAGARI, b"\xA1\xE9 \xC6\xCC\xA3\xEA\xEA", "ॐ नमः॥"),
        (Encoding::ISCII_DEVANAGARI, b"\xB3\xE9", "\u{958}"),
        (Encoding::ISCII_DEVANAGARI, b"a\xF0\xB8 \xCF\xDD\xF0\xBF", "a॒ रु॰"),
        (Encoding::ISCII_DEVANAGARI, b"\xD9\xDB", "\u{200D}ि"),
        (Encoding::ISCII_BENGALI, b"\xCA\xDA\xA2\xD1\xDA \xCB\xDA\xD6\xDA\xEA", "বাংলা ভাষা।"),
        (
            Encoding::ISCII_GURMUKHI,
            b"\xC8\xA2\xBA\xDA\xCA\xDC \xB5\xDA\xA2\xC5\xDC \xD1\xA2\xCA\xDA",
            "ਪੰਜਾਬੀ ਗਾਂਧੀ ਲੰਬਾ",
        ),
        (Encoding::ISCII_GUJARATI, b"\xB5\xDD\xBA\xCF\xDA\xC2\xDC", "ગુજરાતી"),
        (Encoding::ISCII_ORIYA, b"\xB0\xBF\xE9\xDB\xA5", "ଓ\u{B5C}ିଆ"),
        (Encoding::ISCII_TAMIL, b"\xC2\xCC\xDB\xD3\xE8", "தமிழ்"),
        (Encoding::ISCII_TELUGU, b"\xC2\xE0\xD1\xDD\xB5\xDD", "తెలుగు"),
        (Encoding::ISCII_KANNADA, b"\xB3\xC6\xE8\xC6\xBF", "ಕನ್ನಡ"),
        (Encoding::ISCII_MALAYALAM, b"\xCC\xD1\xCD\xDA\xD2\xA2", "മലയാളം"),
    ] {
        assert_eq!(read(encoding, bytes), text, "{encoding}");
        assert_eq!(write(encoding, text).as_deref(), Some(bytes), "{encoding} {text}");
    }
    for (label, name) in [
        ("iscii", "ISCII-Devanagari"),
        ("x-ISCII91", "ISCII-Devanagari"),
        ("IS-13194", "ISCII-Devanagari"),
        ("windows-57003", "ISCII-Bengali"),
        ("x-iscii-as", "ISCII-Bengali"),
        ("57011", "ISCII-Gurmukhi"),
        ("x-iscii-pa", "ISCII-Gurmukhi"),
        ("iscii-guj", "ISCII-Gujarati"),
        ("ISCII,version=4", "ISCII-Oriya"),
        ("cp57004", "ISCII-Tamil"),
        ("x-iscii-te", "ISCII-Telugu"),
        ("iscii-knd", "ISCII-Kannada"),
        ("iscii-malayalam", "ISCII-Malayalam"),
    ] {
        assert_eq!(Encoding::for_label(label).map(Encoding::name), Some(name), "{label}");
    }
}

#[test]
fn attributes_choose_the_script_up_to_the_end_of_the_line() {
    for (member, attribute) in MEMBERS.into_iter().zip(ATTRIBUTES) {
        for encoding in MEMBERS {
            let ka = |of: Encoding| read(of, b"\xB3");
            let text =
                [&b"\xB3\xEF"[..], &[attribute], b"\xB3\n\xB3\xEF", &[attribute], b"\xB3\xEF\x40\xB3\r\xB3"]
                    .concat();
            let (own, other) = (ka(encoding), ka(member));
            let expected = format!("{own}{other}\n{own}{other}{own}\r{own}");
            assert_eq!(read(encoding, &text), expected, "{encoding} {member}");
            assert_eq!(read(encoding, &write(encoding, &expected).expect("all is in ISCII")), expected);
        }
    }
    let encoding = Encoding::ISCII_DEVANAGARI;
    // Assamese is in the block of Bengali. Bold and italic are no text.
    assert_eq!(read(encoding, b"\xEF\x46\xB3"), "ক");
    assert_eq!(read(encoding, b"\xEF\x30\xB3\xEF\x30\xEF\x31\xB4"), "कख");
    // A second line in the script of the encoding is announced for readers that keep the script.
    let text = "অসমীয়া\nहिन्दी a\nहिन्दी";
    let bytes = write(encoding, text).expect("all is in ISCII");
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    assert!(lines[0].starts_with(b"\xEF\x43\xA4") && lines[1].starts_with(b"\xEF\x42\xD8"), "{bytes:02X?}");
    assert!(lines[2].starts_with(b"\xD8"), "{bytes:02X?}");
    // Between two characters that would be one.
    for (text, bytes) in [
        ("।।", &b"\xEA\xEF\x42\xEA"[..]),
        ("अ\u{946}", b"\xA4\xEF\x42\xE0"),
        ("\u{94D}\u{94D}", b"\xE8\xEF\x42\xE8"),
        ("इ\u{93C}", b"\xA6\xEF\x42\xE9"),
        ("\u{200D}\u{94D}", b"\xD9\xEF\x42\xE8"),
        ("ఱ् x", b"\xEF\x45\xD0\xEF\x42\xE8 x"),
    ] {
        assert_eq!(write(encoding, text).as_deref(), Some(bytes), "{text}");
        assert_eq!(read(encoding, bytes), text);
    }
    // A letter and a nukta are the letter to which they are equivalent.
    assert_eq!(write(encoding, "क\u{93C}").as_deref(), Some(&b"\xB3\xE9"[..]));
    // Bindi where a reader expects tippi, and the mark of doubled letters, which needs the next one.
    assert_eq!(write(Encoding::ISCII_GURMUKHI, "ਕ\u{A02}").as_deref(), Some(&b"\xB3\xEF\x4B\xA2"[..]));
    for text in ["\u{A70}", "ਕਾ\u{A70}", "\u{A71}ਕ", "\u{200C}", "क\u{200C}"] {
        assert_eq!(write(Encoding::ISCII_GURMUKHI, text), None, "{text}");
    }
}

#[test]
fn errors() {
    for (bytes, code, offset, len) in [
        (&b"ab\xEB"[..], "undefined", 2, 1),
        (b"\xB3\xFF", "undefined", 1, 1),
        (b"a\xEFA", "unknown-escape", 1, 2),
        (b"\xEF\x71", "unknown-escape", 0, 2),
        (b"\xEFz", "unknown-escape", 0, 1),
        (b"\xB3\xEF", "incomplete", 1, 1),
        (b"\xF0\xB3", "undefined", 0, 2),
        (b"\xF0a", "bad-trail", 0, 1),
        (b"a\xF0", "incomplete", 1, 1),
    ] {
        let Err(ConvertError::IllFormed(e)) = Encoding::ISCII_DEVANAGARI.decode(bytes, ErrorPolicy::Stop)
        else {
            panic!("{bytes:02X?} is ill-formed");
        };
        assert_eq!((e.code(), e.offset(), e.len()), (code, offset, len), "{bytes:02X?}");
    }
    assert_eq!(read(Encoding::ISCII_TAMIL, b"\xB4\xB3"), "\u{FFFD}க");
    assert_eq!(read(Encoding::ISCII_DEVANAGARI, b"\xEFz\xB3"), "\u{FFFD}zक");
}

#[test]
fn what_is_written_reads_the_same_and_may_be_cut_anywhere() {
    let parts: [&[u8]; 9] = [
        b"\xEF",
        b"\xEF\x43",
        b"\xEF\x4B",
        b"\xE8\xE9",
        b"\xB3\xE9",
        b"\xC0\xE9",
        b"\xF0\xB8",
        b"\xB3\xA2",
        b"\n",
    ];
    for encoding in MEMBERS {
        assert_eq!(round_trip(encoding), (859, Vec::new()), "{encoding}");
        streaming(encoding, &parts, 60);
    }
    // The script goes on in the next piece.
    let mut machine = Transcoder::new(Encoding::ISCII_DEVANAGARI, Encoding::UTF_8);
    let mut out = [0; 16];
    let p = machine.convert(b"\xEF", &mut out, false);
    assert_eq!((p.written, p.status), (0, Status::NeedInput));
    assert_eq!(machine.convert(b"\x44", &mut out, false).written, 0);
    let p = machine.convert(b"\xB3", &mut out, true);
    assert_eq!(core::str::from_utf8(&out[..p.written]), Ok("க"));
}
