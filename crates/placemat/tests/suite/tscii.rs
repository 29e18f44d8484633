//! TSCII 1.7 against the table of glibc, by the longest sequence first, and against `iconv` where it is glibc's. The library has its
//! own table of single bytes, which other converters of Tamil texts agree with.

use crate::data::unhex;
use crate::tables::{read, round_trip, streaming, write};
use placemat::normalize::Normalization;
use placemat::stream::Transcoder;
use placemat::{ConvertError, Encoding, ErrorPolicy};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

const GLIBC: &str = include_str!("../peers/tscii.txt");

/// The consonants of Sanskrit, before which glibc reads the marks of e, ē and ai by themselves.
const SANSKRIT: core::ops::RangeInclusive<u8> = 0x83..=0x87;

type Table = BTreeMap<Vec<u8>, String>;

/// Returns the sequences that glibc reads.
fn glibc() -> Table {
    let mut table: Table = (0..0x80).map(|byte| (vec![byte], char::from(byte).to_string())).collect();
    for line in GLIBC.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (bytes, text) = line.split_once(' ').expect("bytes and code points");
        let bytes = unhex(bytes).expect("hexadecimal digits");
        let text = text
            .split(' ')
            .map(|word| u32::from_str_radix(word, 16).ok().and_then(char::from_u32).expect("a scalar value"));
        table.insert(bytes, text.collect());
    }
    table
}

/// Returns the sequences that the library reads: those of glibc, and four kinds that it reads in another sense.
fn ours() -> Table {
    let mut table = glibc();
    // A space that is not to be broken, as in the fonts and the chart of TSCII.
    table.insert(vec![0xA0], '\u{A0}'.into());
    // The mark of au has the short e before its consonant, which U+0BCC is canonically equivalent to.
    table.insert(vec![0xA6, 0xAA], '\u{BCC}'.into());
    for consonant in 0xB8..=0xC9_u8 {
        let text = format!("{}\u{BCC}", table[&vec![consonant]]);
        table.insert(vec![0xA6, consonant, 0xAA], text);
    }
    for consonant in SANSKRIT {
        for (first, last, mark) in [
            (0xA6, None, '\u{BC6}'),
            (0xA7, None, '\u{BC7}'),
            (0xA8, None, '\u{BC8}'),
            (0xA6, Some(0xA1), '\u{BCA}'),
            (0xA7, Some(0xA1), '\u{BCB}'),
            (0xA6, Some(0xAA), '\u{BCC}'),
            (0xA7, Some(0xAA), '\u{BCC}'),
        ] {
            let text = format!("{}{mark}", table[&vec![consonant]]);
            table.insert([first, consonant].into_iter().chain(last).collect(), text);
        }
    }
    table
}

/// Returns the text of some bytes by the longest sequences of a table, or the offset of the first byte that is in none.
fn by(table: &Table, bytes: &[u8]) -> Result<String, usize> {
    let (mut text, mut at) = (String::new(), 0);
    while at < bytes.len() {
        let end = (at + 1..=bytes.len().min(at + 3)).rev().find(|&end| table.contains_key(&bytes[at..end]));
        let end = end.ok_or(at)?;
        text += &table[&bytes[at..end]];
        at = end;
    }
    Ok(text)
}

fn strict(bytes: &[u8]) -> Result<String, usize> {
    match Encoding::TSCII.decode(bytes, ErrorPolicy::Stop) {
        Ok(text) => Ok(text.into_owned()),
        Err(ConvertError::IllFormed(e)) => {
            assert_eq!((e.code(), e.len()), ("undefined", 1), "{bytes:02X?}");
            Err(usize::try_from(e.offset()).expect("a short text"))
        }
        Err(e) => panic!("{e}"),
    }
}

#[test]
fn every_string_of_two_bytes_and_four_of_each_kind() {
    let table = ours();
    for one in 0..=0xFF_u8 {
        assert_eq!(strict(&[one]), by(&table, &[one]), "{one:02X}");
        for two in 0..=0xFF_u8 {
            let bytes = [one, two];
            assert_eq!(strict(&bytes), by(&table, &bytes), "{bytes:02X?}");
        }
    }
    let kinds = [
        0xA6, 0xA7, 0xA8, 0xA1, 0xAA, 0xA4, 0xA5, 0xA2, 0xB8, 0xC9, 0x82, 0x83, 0x86, 0x87, 0x8A, 0x8B, 0x8C,
        0xCC, 0xEC, 0xFE, 0xFF, b'a',
    ];
    for one in kinds {
        for two in kinds {
            for bytes in kinds.iter().flat_map(|&three| kinds.map(|four| [one, two, three, four])) {
                assert_eq!(strict(&bytes), by(&table, &bytes), "{bytes:02X?}");
            }
        }
    }
}

/// Returns what `iconv` makes of some bytes, or `None` if there is no glibc with TSCII.
fn iconv(options: [&str; 4], bytes: Vec<u8>) -> Option<Vec<u8>> {
    let child = Command::new("iconv")
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.ok()?;
    let mut stdin = child.stdin.take().expect("a pipe");
    // The program writes while it reads.
    let writer = std::thread::spawn(move || stdin.write_all(&bytes).is_ok());
    let output = child.wait_with_output().expect("an exit status");
    (writer.join().expect("it ends") && output.status.success()).then_some(output.stdout)
}

#[test]
fn iconv_reads_every_string_of_two_bytes_as_its_table_says() {
    let (glibc, ours) = (glibc(), ours());
    let known: Vec<u8> = glibc.keys().filter(|bytes| bytes.len() == 1).map(|bytes| bytes[0]).collect();
    let pairs: Vec<[u8; 2]> = known
        .iter()
        .flat_map(|&one| known.iter().map(move |&two| [one, two]))
        .filter(|bytes| !bytes.contains(&b'\n') && by(&glibc, bytes) == by(&ours, bytes))
        .collect();
    let lines: Vec<u8> = pairs.iter().flat_map(|&[one, two]| [one, two, b'\n']).collect();
    let Some(found) = iconv(["-f", "TSCII", "-t", "UTF-8"], lines.clone()) else {
        eprintln!("iconv has no TSCII here");
        return;
    };
    assert_eq!(String::from_utf8(found).as_deref(), Ok(&*read(Encoding::TSCII, &lines)));
}

/// The syllables of all consonants that glibc writes in the order of TSCII.
#[test]
fn iconv_writes_the_same_syllables() {
    let consonants: Vec<char> = "கஙசஞடணதநபமயரலவழளறன".chars().collect();
    let marks = ["", "ா", "ி", "ீ", "ு", "ூ", "ெ", "ே", "ை", "ொ", "ோ", "்"];
    let mut text: String = consonants
        .iter()
        .flat_map(|consonant| marks.map(|mark| format!("{consonant}{mark}\n")))
        .chain("ஜஷஸஹ".chars().flat_map(|c| ["", "ா", "ி", "ீ", "்"].map(|mark| format!("{c}{mark}\n"))))
        .collect();
    text += "க்ஷ க்ஷ் ஸ்ரீ ஜு ஷூ அ ஆ இ ஈ உ ஊ எ ஏ ஐ ஒ ஓ ஔ ஃ ௦ ௧ ௨ ௯ ௰ ௱ ௲ ‘’ “” ©\n";
    let written = write(Encoding::TSCII, &text).expect("all is in TSCII");
    assert_eq!(read(Encoding::TSCII, &written), text);
    match iconv(["-f", "UTF-8", "-t", "TSCII"], text.into_bytes()) {
        Some(found) => assert_eq!(found, written),
        None => eprintln!("iconv has no TSCII here"),
    }
}

#[test]
fn words() {
    for (bytes, text) in [
        (&b"\xBE\xC1\xA2\xFA"[..], "தமிழ்"),
        (b"\xA6\xB8\xA1\xCE", "கொடு"),
        (b"\x82", "ஸ்ரீ"),
        (b"\x8A\xA6\xC3", "ஸ்ரெ"),
        (b"\xA7\x87\xF2\xBE\xA2\xC3\xF5", "க்ஷேத்திரம்"),
        (b"\xA6\x86", "ஹெ"),
        (b"\xA6\xB8\xAA", "கௌ"),
        (b"\xA6\xBA\xFD\xA8\xC9", "சென்னை"),
        (b"\x83\xA5\xFD", "ஜூன்"),
        (b"\x85\xA4", "ஸு"),
        (b"\x8A\xBC\xA1\xC4\xA2\xFD", "ஸ்டாலின்"),
        (b"\x93\xFE\xD0\x94 \xA9", "“இது” ©"),
        (b"\xC0\xA1\xC3\xBE\xA2\xC2\xA1\xF7 \xB8\xC5\xA2\xA8\xBE", "பாரதியார் கவிதை"),
    ] {
        assert_eq!(read(Encoding::TSCII, bytes), text);
        assert_eq!(write(Encoding::TSCII, text).as_deref(), Some(bytes), "{text}");
    }
    // Bytes that are read, and written in another form.
    for (bytes, text) in
        [(&b"\xAD"[..], "இ"), (b"\xA7\xB8\xAA", "கௌ"), (b"\x8A\xA4\x8B\xA5", "ஸுஹூ"), (b"\xB8\xA4", "கு")]
    {
        assert_eq!(read(Encoding::TSCII, bytes), text);
        assert_eq!(read(Encoding::TSCII, &write(Encoding::TSCII, text).expect("it is written")), text);
    }
    for label in ["TSCII", "tscii-1.7", "x-tscii", "csTSCII"] {
        assert_eq!(Encoding::for_label(label), Some(Encoding::TSCII), "{label}");
    }
}

/// A text is written so that it is read again, or a text that is canonically equivalent; else it is refused.
#[test]
fn three_code_points_come_back_or_are_refused() {
    let nfc = |text: &str| Normalization::Nfc.apply(text).into_owned();
    let tamil: Vec<char> = ('\u{B80}'..='\u{BFF}')
        .filter(|c| *c == '\u{BCD}' || write(Encoding::TSCII, c.encode_utf8(&mut [0; 4])).is_some())
        .collect();
    assert_eq!(tamil.len(), 61);
    let (mut written, mut equivalent) = (0, 0);
    for one in "கஸஹஜஷரட\u{BC6}\u{BC7}\u{BC8}\u{BCA}\u{BCC}\u{BBE}\u{BC1}\u{BD7}அ".chars() {
        for &two in &tamil {
            for &three in &tamil {
                let text: String = [one, two, three].iter().collect();
                let Some(bytes) = write(Encoding::TSCII, &text) else { continue };
                let back = read(Encoding::TSCII, &bytes);
                written += 1;
                if back != text {
                    equivalent += 1;
                    assert_eq!(nfc(&back), nfc(&text), "{text} {bytes:02X?}");
                }
            }
        }
    }
    assert!(written > 50_000 && equivalent < 300, "{written} {equivalent}");
    // A mark alone, before a consonant that a reader would give it; a virama alone.
    for text in ["\u{BC6}க", "\u{BC8}ஜ", "க\u{BC7}\u{BD7}", "ஸ்\u{BC1}", "\u{BCD}", "அ\u{BCD}"] {
        assert_eq!(write(Encoding::TSCII, text), None, "{text}");
    }
    assert_eq!(write(Encoding::TSCII, "\u{BC6} க").as_deref(), Some(&b"\xA6 \xB8"[..]));
    assert_eq!(write(Encoding::TSCII, "க\u{BC6}\u{BBE}").as_deref(), Some(&b"\xA6\xB8\xA1"[..]));
}

#[test]
fn errors() {
    for (bytes, offset) in [(&b"\xB8\xFF"[..], 1), (b"ab\xFFc", 2), (b"\xA6\xFF", 1), (b"\xA6\xB8\xFF", 2)] {
        assert_eq!(strict(bytes), Err(offset), "{bytes:02X?}");
    }
    assert_eq!(read(Encoding::TSCII, b"\xA6\xFF\xB8"), "\u{BC6}\u{FFFD}\u{B95}");
}

#[test]
fn what_is_written_reads_the_same_and_may_be_cut_anywhere() {
    assert_eq!(round_trip(Encoding::TSCII), (194, Vec::new()));
    let parts: [&[u8]; 7] =
        [b"\xA6", b"\xA6\xB8", b"\xA7\x87\xAA", b"\x8A\xA4", b"\x82\x8C", b"\xFF", b"\xB8\xCC"];
    streaming(Encoding::TSCII, &parts, 200);
    // Byte by byte, a mark waits for its consonant.
    let mut machine = Transcoder::new(Encoding::TSCII, Encoding::UTF_8);
    let mut out = [0; 16];
    assert_eq!(machine.convert(b"\xA6", &mut out, false).written, 0);
    assert_eq!(machine.convert(b"\xB8", &mut out, false).written, 0);
    let p = machine.convert(b"\xA1", &mut out, true);
    assert_eq!(core::str::from_utf8(&out[..p.written]), Ok("கொ"));
}
