//! ANSEL and the ANSEL of GEDCOM, against the characters that the Python package ansel 1.0 has for ANSI/NISO Z39.47 and for
//! GEDCOM 5.5. The library has its tables from those of the Library of Congress.

use crate::tables::{read, round_trip, streaming, write};
use placemat::{Encoding, ErrorPolicy};
use std::collections::{BTreeMap, BTreeSet};

/// The characters of A1..CF, with a full stop for an undefined byte.
const ANSEL: &str = "ŁØĐÞÆŒʹ·♭®±ƠƯʼ.ʻłøđþæœʺı£ð.ơư..°ℓ℗©♯¿¡.........";
/// The package reads the letters e and o at CD and CE, which GEDCOM has in the middle of a line: here they are errors.
const GEDCOM: &str = "ŁØĐÞÆŒʹ·♭®±ƠƯʼ.ʻłøđþæœʺı£ð.ơư□■°ℓ℗©♯¿¡........ß";
/// The marks of E0..FE, by the last two or four digits of their code points, with a full stop for an undefined byte.
const MARKS: &str = "0309 0300 0301 0302 0303 0304 0306 0307 0308 030C 030A FE20 FE21 0315 030B 0310 \
                     0327 0328 0323 0324 0325 0333 0332 0326 031C 032E FE22 FE23 . . 0313";

/// Returns the characters and the marks of each byte.
fn table(encoding: Encoding) -> (BTreeMap<u8, char>, BTreeMap<u8, char>) {
    let is_gedcom = encoding == Encoding::GEDCOM;
    let upper = if is_gedcom { GEDCOM } else { ANSEL };
    let mut plain: BTreeMap<u8, char> = (0..0x80).map(|byte: u8| (byte, char::from(byte))).collect();
    plain.extend((0xA1..=0xCF).zip(upper.chars()).filter(|&(_, c)| c != '.'));
    let mark = |word| u32::from_str_radix(word, 16).ok().and_then(char::from_u32);
    let mut marks: BTreeMap<u8, char> =
        (0xE0..=0xFE).zip(MARKS.split(' ')).filter_map(|(byte, word)| Some((byte, mark(word)?))).collect();
    if is_gedcom {
        marks.insert(0xFC, '\u{338}');
    }
    (plain, marks)
}

#[test]
fn every_byte_every_mark_on_every_base_and_every_code_point() {
    for encoding in [Encoding::ANSEL, Encoding::GEDCOM] {
        let (plain, marks) = table(encoding);
        assert_eq!(
            (plain.len(), marks.len()),
            if encoding == Encoding::ANSEL { (162, 29) } else { (165, 30) }
        );
        for byte in 0..=0xFF_u8 {
            let found = encoding.decode(&[byte], ErrorPolicy::Stop).map(|text| text.into_owned());
            match plain.get(&byte) {
                Some(&c) => {
                    assert_eq!(found.as_deref(), Ok(c.to_string().as_str()), "{encoding} {byte:02X}");
                    assert_eq!(write(encoding, &c.to_string()), Some(vec![byte]), "{encoding} {c:?}");
                }
                None => assert!(found.is_err(), "{encoding} {byte:02X}"),
            }
            let Some(mark) = marks.get(&byte) else { continue };
            for (&base, &c) in plain.iter().filter(|(base, _)| !matches!(**base, ..0x20 | 0x7F)) {
                let (bytes, text) = ([byte, base], format!("{c}{mark}"));
                assert_eq!(read(encoding, &bytes), text, "{encoding} {bytes:02X?}");
                assert_eq!(write(encoding, &text), Some(bytes.to_vec()), "{encoding} {text}");
                let (bytes, text) = ([0xE1, byte, base], format!("{c}\u{300}{mark}"));
                assert_eq!(read(encoding, &bytes), text, "{encoding} {bytes:02X?}");
                assert_eq!(write(encoding, &text), Some(bytes.to_vec()), "{encoding} {text}");
            }
            // A mark has no base in a control or at the end.
            assert!(encoding.decode(&[byte, b'\n'], ErrorPolicy::Stop).is_err(), "{encoding} {byte:02X}");
        }
        let known: BTreeSet<char> = plain.values().copied().collect();
        let marks: BTreeSet<char> = marks.values().copied().collect();
        for c in '\0'..=char::MAX {
            assert_eq!(write(encoding, &c.to_string()).is_some(), known.contains(&c), "{encoding} {c:?}");
            let on_a_base = write(encoding, &format!("o{c}"));
            let is_known = known.contains(&c) || marks.contains(&c);
            assert_eq!(on_a_base.is_some(), is_known, "{encoding} {c:?}");
        }
    }
}

#[test]
fn names_in_files_of_genealogists() {
    for (encoding, bytes, text) in [
        (
            Encoding::GEDCOM,
            &b"1 NAME J\xE8org /M\xE8uller-Gro\xCF/"[..],
            "1 NAME Jo\u{308}rg /Mu\u{308}ller-Groß/",
        ),
        (Encoding::GEDCOM, b"\xBE \xBF \xFCo", "□ ■ o\u{338}"),
        (Encoding::ANSEL, b"Dvo\xE9r\xE2ak, Anton\xE2in", "Dvor\u{30C}a\u{301}k, Antoni\u{301}n"),
        (Encoding::ANSEL, b"\xA1\xE2od\xE2z \x1B(S", "Ło\u{301}dz\u{301} \u{1B}(S"),
    ] {
        assert_eq!(read(encoding, bytes), text, "{encoding}");
        assert_eq!(write(encoding, text).as_deref(), Some(bytes), "{encoding}");
    }
    for (label, encoding) in [
        ("ansel", Encoding::ANSEL),
        ("Z39.47", Encoding::ANSEL),
        ("iso-ir-231", Encoding::ANSEL),
        ("GEDCOM", Encoding::GEDCOM),
        ("ansel-gedcom", Encoding::GEDCOM),
    ] {
        assert_eq!(Encoding::for_label(label), Some(encoding), "{label}");
    }
}

#[test]
fn what_is_written_reads_the_same_and_may_be_cut_anywhere() {
    for (encoding, count) in [(Encoding::ANSEL, 162), (Encoding::GEDCOM, 165)] {
        assert_eq!(round_trip(encoding), (count, Vec::new()), "{encoding}");
        streaming(
            encoding,
            &[b"\xE1a", b"\xE1\xE2", b"\xE8", b"\xFCo", b"\x1B(S", b"\xCD", b"\xC7\xCF"],
            200,
        );
    }
}
