//! VNI, the Vietnamese encoding of fonts for Windows, against the bytes of marks that converters of spreadsheets list, and the
//! letters and combining marks of Unicode. The library has its table from `UniKey`, an input method.

use crate::escapes_and_accents::check;
use crate::tables::{read, write};
use placemat::Encoding;
use placemat::normalize::Normalization;
use std::collections::BTreeMap;

/// The marks of a vowel and the byte after the capital letter; that after the small one is 20 (hex) more.
const MARKS: [(&str, u8); 17] = [
    ("\u{301}", 0xD9),
    ("\u{300}", 0xD8),
    ("\u{309}", 0xDB),
    ("\u{303}", 0xD5),
    ("\u{323}", 0xCF),
    ("\u{302}", 0xC2),
    ("\u{302}\u{301}", 0xC1),
    ("\u{302}\u{300}", 0xC0),
    ("\u{302}\u{309}", 0xC5),
    ("\u{302}\u{303}", 0xC3),
    ("\u{302}\u{323}", 0xC4),
    ("\u{306}", 0xCA),
    ("\u{306}\u{301}", 0xC9),
    ("\u{306}\u{300}", 0xC8),
    ("\u{306}\u{309}", 0xDA),
    ("\u{306}\u{303}", 0xDC),
    ("\u{306}\u{323}", 0xCB),
];

/// Letters with bytes of their own.
const ALONE: [(char, u8); 9] = [
    ('Đ', 0xD1),
    ('Ơ', 0xD4),
    ('Ư', 0xD6),
    ('Í', 0xCD),
    ('Ì', 0xCC),
    ('Ỉ', 0xC6),
    ('Ĩ', 0xD3),
    ('Ị', 0xD2),
    ('Ỵ', 0xCE),
];

fn table() -> BTreeMap<Vec<u8>, char> {
    let mut table: BTreeMap<Vec<u8>, char> = (0..0x80).map(|byte| (vec![byte], char::from(byte))).collect();
    // Symbols are those of Windows.
    table.extend((0x80..0xC0).filter_map(|byte| {
        let c = read(Encoding::WINDOWS_1252, &[byte]).chars().next()?;
        (!c.is_control()).then_some((vec![byte], c))
    }));
    let small = |c: char| c.to_lowercase().next().expect("a small letter");
    for (capital, byte) in ALONE {
        table.insert(vec![byte], capital);
        table.insert(vec![byte + 0x20], small(capital));
    }
    // The horn is in the letter, and the tones are marks.
    for (base, byte, marks) in [
        ('A', b'A', &MARKS[..]),
        ('E', b'E', &MARKS[..11]),
        ('O', b'O', &MARKS[..11]),
        ('U', b'U', &MARKS[..5]),
        ('Y', b'Y', &MARKS[..4]),
        ('Ơ', 0xD4, &MARKS[..5]),
        ('Ư', 0xD6, &MARKS[..5]),
    ] {
        for &(mark, second) in marks {
            let composed = Normalization::Nfc.apply(&format!("{base}{mark}")).into_owned();
            let mut chars = composed.chars();
            let capital = chars.next().filter(|_| chars.next().is_none()).expect("one letter");
            table.insert(vec![byte, second], capital);
            table.insert(vec![byte + 0x20, second + 0x20], small(capital));
        }
    }
    table
}

#[test]
fn every_letter_and_every_string_of_two_bytes() {
    let table = table();
    assert_eq!(table.len(), 0x80 + 27 + 32 + 18 + 2 * (17 + 11 + 11 + 5 + 4 + 5 + 5));
    check(Encoding::VNI, &table);
}

#[test]
fn titles_of_maps() {
    for (bytes, text) in [
        (&b"\xD1A\xC1T TR\xD6\xD4\xD8NG \xD1A\xCFI HO\xCFC"[..], "ĐẤT TRƯỜNG ĐẠI HỌC"),
        (b"MA\xCFC \xD1\xD3NH CHI", "MẠC ĐĨNH CHI"),
        (b"B\xCCNH TH\xD6\xD4\xD9I", "BÌNH THƯỚI"),
        (b"Tie\xE1ng Vie\xE4t, ph\xF4\xFB bo\xF8", "Tiếng Việt, phở bò"),
        (b"ng\xF6\xF4\xF8i a", "người a"),
    ] {
        assert_eq!(read(Encoding::VNI, bytes), text);
        assert_eq!(write(Encoding::VNI, text).as_deref(), Some(bytes), "{text}");
    }
    for label in ["VNI", "vni-win", "VNI-Windows"] {
        assert_eq!(Encoding::for_label(label), Some(Encoding::VNI), "{label}");
    }
}
