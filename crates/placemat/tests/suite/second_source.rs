//! Charsets of one byte that Python, glibc, ICU and Java lack, compared with what other programs read, by the tables in
//! `peers/second-source.txt`, and with `recode` where it is installed.

use placemat::Encoding;
use placemat::stream::Transcoder;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

const FACTS: &str = include_str!("../peers/second-source.txt");

/// The code points of all bytes, `None` for an undefined byte.
type Cells = [Option<char>; 256];

fn cell(text: &str) -> Option<char> {
    match text {
        "----" => None,
        digits => {
            Some(u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).expect("a scalar value"))
        }
    }
}

fn words() -> impl Iterator<Item = Vec<&'static str>> {
    FACTS.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').collect())
}

/// Returns the table of each charset, and the program from which it comes.
fn tables() -> Vec<(&'static str, &'static str, Cells)> {
    let mut tables: Vec<(&str, &str, Cells)> = Vec::new();
    for line in words().take_while(|line| line != &["differences"]) {
        match line[..] {
            [""] => {}
            [charset, program] => {
                let ascii =
                    core::array::from_fn(|i| u8::try_from(i).ok().filter(u8::is_ascii).map(char::from));
                tables.push((charset, program, ascii));
            }
            [row, ..] => {
                let start = usize::from_str_radix(row, 16).expect("the first byte of a row");
                let (_, _, table) = tables.last_mut().expect("a head");
                assert_eq!(line.len(), 17, "{row}");
                for (place, text) in table[start..].iter_mut().zip(&line[1..]) {
                    *place = cell(text);
                }
            }
            [] => unreachable!("a line has a word"),
        }
    }
    tables
}

/// Returns the bytes of a charset that a program reads in another sense, and the program's name for it.
fn differences(charset: &str, program: &str) -> (&'static str, BTreeMap<u8, Option<char>>) {
    let line = words()
        .skip_while(|line| line != &["differences"])
        .find(|line| line.len() > 2 && line[0] == charset && line[1] == program);
    let Some(line) = line else { return ("", BTreeMap::new()) };
    let named = line[2..].iter().find(|word| !word.contains('=')).copied().unwrap_or_default();
    let bytes = line[2..]
        .iter()
        .filter_map(|word| word.split_once('='))
        .map(|(byte, text)| (u8::from_str_radix(byte, 16).expect("a byte"), cell(text)));
    (named, bytes.collect())
}

fn read(encoding: Encoding, bytes: &[u8]) -> Option<String> {
    let text = Transcoder::new(encoding, Encoding::UTF_8).transcode(bytes).ok()?;
    Some(String::from_utf8(text).expect("UTF-8"))
}

fn write(encoding: Encoding, text: &str) -> Option<Vec<u8>> {
    Transcoder::new(Encoding::UTF_8, encoding).transcode(text.as_bytes()).ok()
}

#[test]
fn every_byte_both_ways_as_the_second_source_has_it() {
    let tables = tables();
    assert_eq!(tables.len(), 55);
    for (charset, program, table) in tables {
        let encoding = Encoding::for_label(charset).expect("a known label");
        assert_eq!(encoding.name(), charset);
        let (_, differences) = differences(charset, program);
        for byte in 0..=0xFF_u8 {
            let theirs = table[usize::from(byte)];
            let ours = read(encoding, &[byte]);
            if let Some(&different) = differences.get(&byte) {
                assert_eq!(theirs, different, "{charset} {byte:02x}");
                assert_ne!(ours, theirs.map(String::from), "{charset} {byte:02x}");
                continue;
            }
            assert_eq!(ours, theirs.map(String::from), "{charset} {byte:02x}");
            if let Some(text) = ours {
                let written = write(encoding, &text).expect("what it reads, it writes");
                // A graphic of the screen may have a second byte in the page.
                let is_alone =
                    (0..=0xFF_u8).filter(|&other| read(encoding, &[other]).as_ref() == Some(&text)).count()
                        == 1;
                assert!(written == [byte] || !is_alone, "{charset} {byte:02x}");
                assert_eq!(read(encoding, &written), Some(text), "{charset} {byte:02x}");
            }
        }
    }
}

/// Sentences with the letters of each language, with the bytes of each letter.
#[test]
fn sentences_of_the_languages() {
    for (label, bytes, text) in [
        ("keybcs2", &b"P\xA9\xA1li\xA8 \x91lu\x9Fou\x87k\x98 k\x96\xA4"[..], "Příliš žluťoučký kůň"),
        ("kamenicky", b"\x83\x88beln\x82 k\xA2dy", "ďěbelné kódy"),
        ("cp895", b"k\x93\xA4 v st\x8Dpci, \x9B\x8Cud", "kôň v stĺpci, Šľud"),
        ("mazovia", b"Za\xA7\xA2\x92\x8D g\x91\x9El\x86 ja\xA6\xA4", "Zażółć gęślą jaźń"),
        ("cp790", b"\x9C\xA3D\xAD \x95\x90\x8F\x98\xA0\xA1\xA5", "ŁÓD¡ ĆĘĄŚŹŻŃ"),
        ("koi-8_cs2", b"P\xD2\xC9li\xD3 \xDAlu\xD4ou\xC3k\xD9 k\xCA\xCE", "Příliš žluťoučký kůň"),
        ("riscos-latin1", b"\x80 5, \x94na\xEFve\x95 \x98 \x8C", "€ 5, “naïve” — …"),
        ("cp437-graphics", b"\x01 \x03\x04\x05\x06 \x0D\x0E \x10\x11 \x7F\x82", "☺ ♥♦♣♠ ♪♫ ►◄ ⌂é"),
        ("cp437-nfo", b"\xB0\xB1\xB2\xDB\x0D\x0A\x09\xFE \x18\x19", "░▒▓█\r\n\t■ ↑↓"),
        ("teletext-en", b"#1 [5 ] 7{ _9", "£1 ←5 → 7¼ #9"),
        ("teletext-de", b"Gr}~e [\\]", "Grüße ÄÖÜ"),
        ("teletext-hu", b"\x0D[{\\|]}", "\rÄäÖöÅå"),
        ("teletext-ru", b"pRIWET", "пРИВЕТ"),
        ("teletext-uk", b"kI\x79W", "кИіВ"),
        ("teletext-el", b"Aa]", "Αα\u{3AD}"),
        ("teletext-g2", b"j(z", "Œ¤œ"),
        ("petscii", b"HELLO \xD3\xD1 \xC5\x0D", "HELLO ♥● \u{1FB76}\r"),
        ("petscii-shifted", b"\xC8ELLO, 5 \\ \x5F", "Hello, 5 £ ←"),
        ("atascii", b"READY\x9B\x10 \x7B\x60\x00", "READY\n♣ ♠♦♥"),
        ("atascii-intl", b"\x08 5 \x0Bh \x16", "£ 5 äh ñ"),
        ("nextstep", b"caf\xDD \xAA\xDDt\xDD\xBA \xB1 \xAEn \xA4", "café “été” – ﬁn ⁄"),
        ("atarist", b"Gr\x81\x9Ee \x84\x94\x81 \xC2\xC3\xC4 \xDD1", "Grüße äöü אבג §1"),
    ] {
        let encoding = Encoding::for_label(label).expect("a known label");
        assert_eq!(read(encoding, bytes).as_deref(), Some(text), "{label}");
        assert_eq!(write(encoding, text).as_deref(), Some(bytes), "{label}");
    }
}

#[test]
fn the_labels_that_people_type() {
    for (label, name) in [
        ("Keybcs2", "KEYBCS2"),
        ("kamenicky", "KEYBCS2"),
        ("KAM", "KEYBCS2"),
        ("cp895", "KEYBCS2"),
        ("Mazovia", "MAZOVIA"),
        ("cp790", "MAZOVIA"),
        ("CP-667", "MAZOVIA"),
        ("cp620", "MAZOVIA"),
        ("maz", "MAZOVIA"),
        ("NeXTSTEP", "NEXTSTEP"),
        ("AtariST", "ATARIST"),
        ("atari", "ATARIST"),
        ("KOI-8_L2", "CSN_369103"),
        ("KOI8-CS", "KOI-8_CS2"),
        ("KOI8-CS2", "KOI-8_CS2"),
        ("RISCOS-LATIN1", "RISCOS-LATIN1"),
        ("acorn", "RISCOS-LATIN1"),
        ("CP437-graphics", "IBM437-graphics"),
        ("cp866_graphics", "IBM866-graphics"),
        ("nfo", "IBM437-NFO"),
        ("teletext", "Teletext-English"),
        ("teletext-fi", "Teletext-Swedish"),
        ("teletext-croatian", "Teletext-Serbian"),
        ("teletext-bg", "Teletext-Cyrillic-2"),
        ("Teletext-G2-Latin", "Teletext-G2"),
        ("C64", "PETSCII"),
        ("petscii_c64en_lc", "PETSCII-shifted"),
        ("VIC-20", "PETSCII"),
        ("petscii_vic20en_lc", "PETSCII-VIC20-shifted"),
        ("Atari 8-bit", "ATASCII"),
    ] {
        assert_eq!(Encoding::for_label(label).map(Encoding::name), Some(name), "{label}");
    }
    // A page of IBM for Japan has this number, and no letters of Czech.
    assert_eq!(Encoding::for_label("ibm895"), None);
}

/// The graphics of the screen are the same in every page of DOS, and the rest is the page.
#[test]
fn graphics_are_those_of_page_437_and_the_rest_is_the_page() {
    let graphics = Encoding::for_label("cp437-graphics").expect("a known label");
    let pages: Vec<Encoding> =
        Encoding::ALL.iter().copied().filter(|encoding| encoding.name().ends_with("-graphics")).collect();
    assert_eq!(pages.len(), 15);
    for encoding in pages {
        let page = Encoding::for_label(encoding.name().trim_end_matches("-graphics")).expect("a page");
        for byte in 0..=0xFF_u8 {
            let like = if matches!(byte, 1..=0x1F | 0x7F) { graphics } else { page };
            assert_eq!(read(encoding, &[byte]), read(like, &[byte]), "{encoding} {byte:02x}");
        }
    }
    let (nfo, page) = (Encoding::for_label("nfo").expect("a label"), Encoding::IBM437);
    for byte in 0..=0xFF_u8 {
        let is_graphic = matches!(byte, 1..=0x1F | 0x7F) && !matches!(byte, b'\t' | b'\n' | b'\r');
        assert_eq!(read(nfo, &[byte]), read(if is_graphic { graphics } else { page }, &[byte]), "{byte:02x}");
    }
}

/// Returns what `recode` makes of `bytes`, or `None` if it is not installed.
fn recode(request: &str, bytes: &[u8]) -> Option<Vec<u8>> {
    let child = Command::new("recode")
        .args(["-q", request])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.ok()?;
    child.stdin.take().expect("a pipe").write_all(bytes).expect("it reads all");
    let output = child.wait_with_output().expect("an exit status");
    assert!(output.status.success(), "recode {request}");
    Some(output.stdout)
}

/// All bytes that both define, in one text, in both directions.
#[test]
fn recode_reads_and_writes_the_same() {
    for charset in ["KEYBCS2", "NEXTSTEP", "ATARIST", "KOI-8_CS2"] {
        let encoding = Encoding::for_label(charset).expect("a known label");
        let (theirs, differences) = differences(charset, "recode");
        let theirs = if theirs.is_empty() { charset } else { theirs };
        let bytes: Vec<u8> = (0..=0xFF)
            .filter(|byte| !differences.contains_key(byte))
            // If two bytes decode to the same character, the encoder writes one of the two bytes.
            .filter(|&byte| {
                read(encoding, &[byte]).is_some_and(|text| write(encoding, &text) == Some(vec![byte]))
            })
            .collect();
        assert!(bytes.len() > 240, "{charset}");
        let text = read(encoding, &bytes).expect("all are defined");
        let Some(found) = recode(&format!("{theirs}..UTF-8"), &bytes) else {
            eprintln!("recode is not installed");
            return;
        };
        assert_eq!(String::from_utf8(found).as_deref(), Ok(&*text), "{charset}");
        let back = recode(&format!("UTF-8..{theirs}"), text.as_bytes()).expect("it is installed");
        assert_eq!(read(encoding, &back).as_deref(), Some(&*text), "{charset}");
    }
}
