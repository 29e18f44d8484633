//! The single-byte charsets: every byte and every code point of each, labels, and comparisons with other programs.

use crate::data::hex;
use crate::oracle::Table;
use crate::subject::{in_parallel, single_bytes};
use placemat::stream::{Status, Transcoder};
use placemat::{Encoding, ErrorPolicy, IllFormedKind, UnmappablePolicy};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

fn charsets() -> impl Iterator<Item = (Encoding, Table)> {
    single_bytes()
        .into_iter()
        .map(|encoding| (encoding, Table::named(encoding.name()).expect("the source has the table")))
}

fn to_utf8(bytes: &[u8], from: Encoding, policy: ErrorPolicy<'_>) -> Result<Vec<u8>, placemat::ConvertError> {
    Transcoder::new(from, Encoding::UTF_8).on_error(policy).transcode(bytes)
}

fn from_utf8(
    text: &str,
    to: Encoding,
    policy: UnmappablePolicy<'_>,
) -> Result<Vec<u8>, placemat::ConvertError> {
    Transcoder::new(Encoding::UTF_8, to).on_unmappable(policy).transcode(text.as_bytes())
}

#[test]
fn there_are_as_many_as_there_were() {
    assert_eq!(single_bytes().len(), 302);
    assert_eq!(charsets().filter(|(encoding, _)| encoding.is_ascii_compatible()).count(), 121);
}

/// Each byte alone: its text, or its error and the message; and the reverse conversion.
#[test]
fn every_byte_both_ways() {
    for (encoding, table) in charsets() {
        for byte in 0..=0xFF {
            let found = to_utf8(&[byte], encoding, ErrorPolicy::Stop);
            match table.code_point(byte) {
                Some(c) => {
                    let c = char::from_u32(c).expect("no surrogates").to_string();
                    assert_eq!(found.as_deref(), Ok(c.as_bytes()), "{byte:02x} in {encoding}");
                    // If several bytes have the text, this is the byte that is written.
                    let written = table.byte(c.chars().map(u32::from).sum()).expect("the table has one");
                    let back = from_utf8(&c, encoding, UnmappablePolicy::Stop);
                    assert_eq!(back.as_deref(), Ok(&[written][..]), "{c:?} in {encoding}");
                }
                None => {
                    let Err(placemat::ConvertError::IllFormed(e)) = found else {
                        panic!("{found:?} for {byte:02x} in {encoding}")
                    };
                    assert_eq!((e.kind(), e.offset(), e.len()), (IllFormedKind::Undefined, 0, 1));
                    assert_eq!(e.to_string(), format!("undefined byte 0x{byte:02x} at offset 0"));
                }
            }
        }
    }
}

/// Texts longer than any block, of all bytes in some order: to UTF-8, with U+FFFD for undefined bytes, and back.
#[test]
fn long_texts_both_ways() {
    let all: Vec<_> = charsets().collect();
    in_parallel(all.len(), |i| {
        let (encoding, table) = all[i];
        for step in [1, 7, 101, 255] {
            let bytes: Vec<u8> = (0..3000_usize).map(|n| (n * step + n / 256) as u8).collect();
            let expected: String = bytes
                .iter()
                .map(|&byte| table.code_point(byte).and_then(char::from_u32).unwrap_or('\u{FFFD}'))
                .collect();
            let found = to_utf8(&bytes, encoding, ErrorPolicy::Replace);
            assert!(found.as_deref() == Ok(expected.as_bytes()), "{encoding}, step {step}");

            let defined: Vec<u8> =
                bytes.iter().copied().filter(|&byte| table.code_point(byte).is_some()).collect();
            let text: String = expected.chars().filter(|&c| c != '\u{FFFD}').collect();
            let found = to_utf8(&defined, encoding, ErrorPolicy::Stop);
            assert!(found.as_deref() == Ok(text.as_bytes()), "{encoding}, step {step}, defined");
            let written: Vec<u8> = text.chars().filter_map(|c| table.byte(c.into())).collect();
            let back = from_utf8(&text, encoding, UnmappablePolicy::Stop);
            assert!(back.as_deref() == Ok(&written), "{encoding}, step {step}, back");
        }
    });
}

/// Every scalar value in one text: nothing is written for those that the table lacks, and the byte
/// of the inverse table for all others. In the long run, each is written alone as well.
#[test]
fn every_scalar_value_has_its_byte_or_none() {
    let long = std::env::var_os("PLACEMAT_LONG").is_some();
    // No table has code points elsewhere.
    let text: String = match long {
        true => ('\0'..=char::MAX).collect(),
        false => ('\0'..='\u{33FF}').chain('\u{E000}'..='\u{FFFF}').collect(),
    };
    let all: Vec<_> = charsets().collect();
    in_parallel(all.len(), |i| {
        let (encoding, table) = all[i];
        let inverse: BTreeMap<u32, u8> = (0..=0xFF)
            .filter_map(|byte| table.code_point(byte))
            .map(|c| (c, table.byte(c).expect("it has one")))
            .collect();
        let expected: Vec<u8> = inverse.values().copied().collect();
        let found = from_utf8(&text, encoding, UnmappablePolicy::Skip);
        assert!(found.as_deref() == Ok(&expected), "{encoding}");
        if long {
            let mut out = [0; 4];
            for c in text.chars() {
                let (d, u) = (ErrorPolicy::Stop, UnmappablePolicy::Stop);
                let mut writer = Transcoder::new(Encoding::UTF_8, encoding).on_error(d).on_unmappable(u);
                let p = writer.convert(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut out, true);
                match inverse.get(&c.into()) {
                    Some(&byte) => {
                        assert_eq!((p.written, out[0], p.status), (1, byte, Status::Done), "{c:?}");
                    }
                    None => assert!(matches!(p.status, Status::Unmappable(_)), "{c:?} in {encoding}"),
                }
            }
        }
    });
}

/// Text that a charset cannot represent becomes `?`, even if that is another byte than in ASCII.
#[test]
fn question_marks() {
    let written = |to| from_utf8("\u{1F600}", to, UnmappablePolicy::Replace).expect("each of them has one");
    assert_eq!(written(Encoding::WINDOWS_1252), b"?");
    assert_eq!(written(Encoding::IBM037), b"\x6F");
}

#[test]
fn what_labels_mean() {
    let name = |label: &str| Encoding::for_label(label).map(Encoding::name);
    for (label, expected) in [
        ("latin1", "ISO-8859-1"),
        ("iso-8859-1", "ISO-8859-1"),
        ("ascii", "US-ASCII"),
        ("cp1252", "windows-1252"),
        ("iso-8859-9", "windows-1254"),
        ("x-iso-8859-9", "x-ISO-8859-9"),
        ("iso-8859-11", "windows-874"),
        ("tis-620", "windows-874"),
        ("cp874", "windows-874"),
        ("ibm874", "IBM874"),
        ("koi8-u", "KOI8-U"),
        ("koi8-ru", "KOI8-U"),
        ("CP437", "IBM437"),
        ("850", "IBM850"),
        ("IBM00858", "IBM858"),
        ("ibm-37", "IBM037"),
        ("ebcdic-cp-us", "IBM037"),
        ("x-IBM1025", "IBM1025"),
        ("ibm-1047-s390", "IBM1047-S390"),
        ("mac_roman", "macintosh"),
        ("x-MacCentralEurope", "x-mac-centraleurope"),
        ("latin2", "ISO-8859-2"),
        ("iso8859_15", "ISO-8859-15"),
        ("hp-roman8", "HP-ROMAN8"),
        ("r8", "HP-ROMAN8"),
        ("ptcp154", "PT154"),
        ("kz1048", "RK1048"),
        ("windows-28605", "ISO-8859-15"),
        ("cp20866", "KOI8-R"),
    ] {
        assert_eq!(name(label), Some(expected), "{label}");
    }
}

/// Section 4.2 of the WHATWG Encoding Standard, the single-byte encodings; the last one is in that section too, but
/// without an index of its own.
const WEB: [(&str, &[&str]); 29] = [
    ("IBM866", &["866", "cp866", "csibm866", "ibm866"]),
    (
        "ISO-8859-2",
        &[
            "csisolatin2",
            "iso-8859-2",
            "iso-ir-101",
            "iso8859-2",
            "iso88592",
            "iso_8859-2",
            "iso_8859-2:1987",
            "l2",
            "latin2",
        ],
    ),
    (
        "ISO-8859-3",
        &[
            "csisolatin3",
            "iso-8859-3",
            "iso-ir-109",
            "iso8859-3",
            "iso88593",
            "iso_8859-3",
            "iso_8859-3:1988",
            "l3",
            "latin3",
        ],
    ),
    (
        "ISO-8859-4",
        &[
            "csisolatin4",
            "iso-8859-4",
            "iso-ir-110",
            "iso8859-4",
            "iso88594",
            "iso_8859-4",
            "iso_8859-4:1988",
            "l4",
            "latin4",
        ],
    ),
    (
        "ISO-8859-5",
        &[
            "csisolatincyrillic",
            "cyrillic",
            "iso-8859-5",
            "iso-ir-144",
            "iso8859-5",
            "iso88595",
            "iso_8859-5",
            "iso_8859-5:1988",
        ],
    ),
    (
        "ISO-8859-6",
        &[
            "arabic",
            "asmo-708",
            "csiso88596e",
            "csiso88596i",
            "csisolatinarabic",
            "ecma-114",
            "iso-8859-6",
            "iso-8859-6-e",
            "iso-8859-6-i",
            "iso-ir-127",
            "iso8859-6",
            "iso88596",
            "iso_8859-6",
            "iso_8859-6:1987",
        ],
    ),
    (
        "ISO-8859-7",
        &[
            "csisolatingreek",
            "ecma-118",
            "elot_928",
            "greek",
            "greek8",
            "iso-8859-7",
            "iso-ir-126",
            "iso8859-7",
            "iso88597",
            "iso_8859-7",
            "iso_8859-7:1987",
            "sun_eu_greek",
        ],
    ),
    (
        "ISO-8859-8",
        &[
            "csiso88598e",
            "csisolatinhebrew",
            "hebrew",
            "iso-8859-8",
            "iso-8859-8-e",
            "iso-ir-138",
            "iso8859-8",
            "iso88598",
            "iso_8859-8",
            "iso_8859-8:1988",
            "visual",
        ],
    ),
    ("ISO-8859-8-I", &["csiso88598i", "iso-8859-8-i", "logical"]),
    ("ISO-8859-10", &["csisolatin6", "iso-8859-10", "iso-ir-157", "iso8859-10", "iso885910", "l6", "latin6"]),
    ("ISO-8859-13", &["iso-8859-13", "iso8859-13", "iso885913"]),
    ("ISO-8859-14", &["iso-8859-14", "iso8859-14", "iso885914"]),
    ("ISO-8859-15", &["csisolatin9", "iso-8859-15", "iso8859-15", "iso885915", "iso_8859-15", "l9"]),
    ("ISO-8859-16", &["iso-8859-16"]),
    ("KOI8-R", &["cskoi8r", "koi", "koi8", "koi8-r", "koi8_r"]),
    ("KOI8-U", &["koi8-ru", "koi8-u"]),
    ("macintosh", &["csmacintosh", "mac", "macintosh", "x-mac-roman"]),
    ("windows-874", &["dos-874", "iso-8859-11", "iso8859-11", "iso885911", "tis-620", "windows-874"]),
    ("windows-1250", &["cp1250", "windows-1250", "x-cp1250"]),
    ("windows-1251", &["cp1251", "windows-1251", "x-cp1251"]),
    (
        "windows-1252",
        &[
            "ansi_x3.4-1968",
            "ascii",
            "cp1252",
            "cp819",
            "csisolatin1",
            "ibm819",
            "iso-8859-1",
            "iso-ir-100",
            "iso8859-1",
            "iso88591",
            "iso_8859-1",
            "iso_8859-1:1987",
            "l1",
            "latin1",
            "us-ascii",
            "windows-1252",
            "x-cp1252",
        ],
    ),
    ("windows-1253", &["cp1253", "windows-1253", "x-cp1253"]),
    (
        "windows-1254",
        &[
            "cp1254",
            "csisolatin5",
            "iso-8859-9",
            "iso-ir-148",
            "iso8859-9",
            "iso88599",
            "iso_8859-9",
            "iso_8859-9:1989",
            "l5",
            "latin5",
            "windows-1254",
            "x-cp1254",
        ],
    ),
    ("windows-1255", &["cp1255", "windows-1255", "x-cp1255"]),
    ("windows-1256", &["cp1256", "windows-1256", "x-cp1256"]),
    ("windows-1257", &["cp1257", "windows-1257", "x-cp1257"]),
    ("windows-1258", &["cp1258", "windows-1258", "x-cp1258"]),
    ("x-mac-cyrillic", &["x-mac-cyrillic", "x-mac-ukrainian"]),
    ("x-user-defined", &["x-user-defined"]),
];

#[test]
fn web_labels_are_those_of_the_standard() {
    for (name, labels) in WEB {
        let encoding = Encoding::for_label(name).expect("a known label");
        assert_eq!(encoding.name(), name);
        assert!(encoding.names().web_labels.iter().eq(labels.iter().copied()), "{name}");
        for label in labels {
            assert_eq!(placemat::web::for_label(label), Some(encoding), "{label}");
            // A label has one meaning on and off the web, except those of ISO-8859-1 and US-ASCII.
            let found = Encoding::for_label(label).expect("it is a label");
            let exception =
                [Encoding::ISO_8859_1, Encoding::US_ASCII].contains(&found) && name == "windows-1252";
            assert!(found == encoding || exception, "{label} is {found}");
        }
    }
    let of_tables = charsets().filter(|(encoding, _)| !encoding.names().web_labels.is_empty()).count();
    assert_eq!(of_tables, WEB.len());
}

/// If a table has a code point twice, the encoder writes the byte that ICU, glibc and Java write. The decoder reads the
/// other as well, so that a Thai text with tone marks comes back unchanged.
#[test]
fn of_two_bytes_the_one_that_others_write() {
    for (name, text, bytes) in [
        ("IBM838", "\u{E48}\u{E49}\u{E4A}\u{E4B}\u{E4C}", &b"\xED\xEE\xEF\xFA\xFB"[..]),
        ("IBM1160", "\u{E48}\u{E49}\u{E4A}\u{E4B}", b"\xED\xEE\xEF\xFA"),
        ("IBM9030", "\u{E48}\u{E49}\u{E4A}\u{E4B}\u{E4C}", b"\xED\xEE\xEF\xFA\xFB"),
        ("IBM1161", "\u{E48}\u{E49}\u{E4A}\u{E4B}", b"\xE8\xE9\xEA\xEB"),
        ("IBM9066", "\u{E48}\u{E49}\u{E4A}\u{E4B}\u{E4C}", b"\xE8\xE9\xEA\xEB\xEC"),
        ("IBM1046", "\u{FE88}\u{FE82}\u{FE84}\u{FE8E}", b"\x80\xDC\xDD\xDE"),
        ("EBCDIC-XML-US", "\n", b"\x25"),
        ("x-mac-arabic", " !)", b"\x20\x21\x29"),
        ("x-mac-farsi", " !)", b"\x20\x21\x29"),
        ("ARMSCII-8", "(),-.", b"\x28\x29\x2C\x2D\x2E"),
        ("IBM1133", "k", b"\x6B"),
        // The table has it once, as all programs except ICU read and write it.
        ("IBM1026", "\u{AA}", b"\x9A"),
    ] {
        let encoding = Encoding::for_label(name).expect("a known label");
        let found = from_utf8(text, encoding, UnmappablePolicy::Stop);
        assert_eq!(found.as_deref(), Ok(bytes), "{name}");
        assert_eq!(to_utf8(bytes, encoding, ErrorPolicy::Stop).as_deref(), Ok(text.as_bytes()), "{name}");
    }
    // The other byte of each is read, and no other byte of any table comes back as another.
    let twice = charsets().map(|(encoding, _)| {
        let other = |&byte: &u8| {
            let Ok(text) = to_utf8(&[byte], encoding, ErrorPolicy::Stop) else { return false };
            let text = str::from_utf8(&text).expect("well-formed");
            from_utf8(text, encoding, UnmappablePolicy::Stop).as_deref() != Ok(&[byte])
        };
        (encoding.name(), (0..=0xFF).filter(other).count())
    });
    let twice: BTreeMap<_, _> = twice.filter(|&(_, count)| count > 0).collect();
    let expected = [
        ("ARMSCII-8", 5),
        ("EBCDIC-XML-US", 1),
        ("IBM1046", 4),
        ("IBM1133", 1),
        ("IBM1160", 4),
        ("IBM1161", 4),
        ("IBM775-graphics", 2),
        ("IBM838", 5),
        ("IBM850-graphics", 2),
        ("IBM852-graphics", 1),
        ("IBM855-graphics", 1),
        ("IBM857-graphics", 2),
        ("IBM858-graphics", 2),
        ("IBM863-graphics", 2),
        ("IBM869-graphics", 1),
        ("IBM9030", 5),
        ("IBM9066", 5),
        ("ISIRI-3342", 52),
        ("KOI-8_CS2", 1),
        ("x-mac-arabic", 26),
        ("x-mac-farsi", 26),
    ];
    assert_eq!(twice, BTreeMap::from(expected));
}

/// The long run: compares how Python, the C library, ICU and Java read each byte, and the byte that they write for the
/// result, under every name of each charset that they know. `tests/peers/single-byte.txt` lists the differences.
#[test]
fn other_programs_read_the_same() {
    if std::env::var_os("PLACEMAT_LONG").is_none() {
        return;
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers");
    let mut request = String::new();
    for (encoding, _) in charsets() {
        let names = encoding.names();
        request += &format!("{} {} {}\n", names.name, names.name, names.labels);
    }
    let ask = |program: &str, script: &str| {
        let mut peer = Command::new(program)
            .arg(format!("{folder}/{script}"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{program}: {e}"));
        let mut input = peer.stdin.take().expect("a pipe");
        let writer = std::thread::spawn({
            let request = request.clone();
            move || input.write_all(request.as_bytes())
        });
        let output = peer.wait_with_output().expect("the program ends");
        writer.join().expect("no panic").expect("all is read");
        assert!(output.status.success(), "{program}");
        String::from_utf8(output.stdout).expect("ASCII output")
    };
    let answers = ask("python3", "single_byte.py") + &ask("java", "SingleByte.java");
    let mut found = BTreeSet::new();
    let mut agreeing = BTreeMap::<&str, usize>::new();
    let mut met = BTreeSet::new();
    for answer in answers.lines() {
        let words: Vec<&str> = answer.split(' ').collect();
        let Some((&[name, peer, theirs], cells)) = words.split_first_chunk() else { panic!("{answer}") };
        let encoding = Encoding::for_label(name).expect("a known label");
        let (cells, others) = cells.split_at(256);
        let mut differences = String::new();
        for (byte, cell) in (0..=0xFF).zip(cells) {
            let ours = to_utf8(&[byte], encoding, ErrorPolicy::Stop).ok();
            let theirs = u32::from_str_radix(cell, 16).ok().and_then(char::from_u32);
            if ours != theirs.map(|c| c.to_string().into_bytes()) {
                differences += &format!(" {byte:02x}={cell}");
            }
        }
        // For bytes that both read alike, compare which byte they write.
        let mut written = BTreeSet::new();
        for (byte, cell) in (0..=0xFF).zip(cells) {
            let Some(c) = u32::from_str_radix(cell, 16).ok().and_then(char::from_u32) else { continue };
            if to_utf8(&[byte], encoding, ErrorPolicy::Stop).as_deref() != Ok(c.to_string().as_bytes()) {
                continue;
            }
            let other = others.iter().find_map(|other| other.strip_prefix(*cell)?.strip_prefix('='));
            let theirs = other.map_or_else(|| hex(&[byte]), ToString::to_string);
            let ours = from_utf8(&c.to_string(), encoding, UnmappablePolicy::Stop).expect("what is read");
            if hex(&ours) != theirs {
                written.insert(format!(" {cell}={theirs}"));
            }
        }
        if !written.is_empty() {
            let written: String = written.into_iter().collect();
            found.insert(format!("{name} {peer} {theirs} writes{written}"));
        }
        met.insert(name);
        if differences.is_empty() {
            *agreeing.entry(peer).or_default() += 1;
        } else {
            found.insert(format!("{name} {peer} {theirs}{differences}"));
        }
    }
    println!("tables that agree: {agreeing:?}; charsets met by a peer: {}", met.len());
    let known = std::fs::read_to_string(format!("{folder}/single-byte.txt")).unwrap_or_default();
    let known: BTreeSet<String> =
        known.lines().filter(|line| !line.starts_with('#')).map(String::from).collect();
    let news: Vec<_> = found.difference(&known).collect();
    let gone: Vec<_> = known.difference(&found).collect();
    for line in &news {
        println!("+{line}");
    }
    for line in &gone {
        println!("-{line}");
    }
    assert!(news.is_empty() && gone.is_empty(), "{} differences more, {} fewer", news.len(), gone.len());
}
