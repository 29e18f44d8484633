//! The national tables of GSM 03.38, against those of oFono, a telephony program, in `peers/gsm-national.txt`.

use crate::escapes_and_accents::check;
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy};
use std::collections::BTreeMap;

const FACTS: &str = include_str!("../peers/gsm-national.txt");
const ESCAPE: u8 = 0x1B;

/// Cells in which oFono differs from the specification, with the character there.
const WRONG: [(&str, &str, u8, char); 2] =
    [("Kannada", "single", 0x3C, '['), ("Malayalam", "locking", 0x2E, '.')];

/// The two tables of a language; no locking table in Spanish.
#[derive(Default)]
struct Language {
    name: &'static str,
    locking: BTreeMap<u8, char>,
    single: BTreeMap<u8, char>,
}

fn hex<T>(text: &str, convert: impl Fn(u32) -> Option<T>) -> T {
    u32::from_str_radix(text, 16).ok().and_then(convert).expect("a number in range")
}

fn byte(text: &str) -> u8 {
    hex(text, |value| u8::try_from(value).ok())
}

fn languages() -> Vec<Language> {
    let mut languages: Vec<Language> = Vec::new();
    for line in FACTS.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let words: Vec<&'static str> = line.split(' ').collect();
        match words[..] {
            [name] => languages.push(Language { name, ..Language::default() }),
            ["single", ref cells @ ..] => {
                let last = languages.last_mut().expect("a head");
                for cell in cells {
                    let (place, c) = cell.split_once('=').expect("a pair");
                    // The place of the escape is kept for another table.
                    if byte(place) != ESCAPE {
                        last.single.insert(byte(place), hex(c, char::from_u32));
                    }
                }
            }
            [row, ref cells @ ..] => {
                let last = languages.last_mut().expect("a head");
                for (place, cell) in (byte(row)..).zip(cells) {
                    let c = hex(cell, char::from_u32);
                    if place != ESCAPE && (c != ' ' || place == 0x20) {
                        last.locking.insert(place, c);
                    }
                }
            }
            [] => unreachable!("a line has a word"),
        }
    }
    for (name, table, place, c) in WRONG {
        let language = languages.iter_mut().find(|language| language.name == name).expect("a language");
        let table = if table == "single" { &mut language.single } else { &mut language.locking };
        assert!(table.insert(place, c).is_some_and(|theirs| theirs != c), "{name} {place:02X}");
    }
    languages
}

/// Returns what an encoding of one or two bytes reads in each of its sequences.
fn read(encoding: Encoding) -> BTreeMap<Vec<u8>, char> {
    let one = (0..0x80).map(|byte| vec![byte]);
    let two = (0..0x80).map(|byte| vec![ESCAPE, byte]);
    let read = |bytes: Vec<u8>| {
        let text = encoding.decode(&bytes, ErrorPolicy::Stop).ok()?;
        let mut chars = text.chars();
        let c = chars.next().filter(|_| chars.next().is_none())?;
        Some((bytes.clone(), c))
    };
    one.chain(two).filter_map(read).collect()
}

#[test]
fn every_language_with_each_of_its_tables() {
    let languages = languages();
    assert_eq!(languages.len(), 13);
    let default = read(Encoding::GSM_03_38);
    let of = |table: &BTreeMap<u8, char>, before: &[u8]| -> BTreeMap<Vec<u8>, char> {
        table.iter().map(|(&byte, &c)| ([before, &[byte]].concat(), c)).collect()
    };
    let extension =
        default.iter().filter(|(bytes, _)| bytes.len() == 2).map(|(bytes, &c)| (bytes.clone(), c));
    let extension: BTreeMap<_, _> = extension.collect();
    let alphabet = default.iter().filter(|(bytes, _)| bytes.len() == 1).map(|(bytes, &c)| (bytes.clone(), c));
    let alphabet: BTreeMap<_, _> = alphabet.collect();
    for language in &languages {
        let encoding = |suffix: &str| {
            let name = format!("GSM-03.38-{}{suffix}", language.name);
            Encoding::for_label(&name).unwrap_or_else(|| panic!("{name}"))
        };
        let single = of(&language.single, &[ESCAPE]);
        let join = |first: &BTreeMap<Vec<u8>, char>, second: &BTreeMap<Vec<u8>, char>| {
            first.iter().chain(second).map(|(bytes, &c)| (bytes.clone(), c)).collect()
        };
        if language.locking.is_empty() {
            check(encoding(""), &join(&alphabet, &single));
            continue;
        }
        let locking = of(&language.locking, &[]);
        check(encoding(""), &join(&locking, &single));
        check(encoding("-locking"), &join(&locking, &extension));
        check(encoding("-single"), &join(&alphabet, &single));
    }
}

/// Words of each language, with the length in septets that a telephone shows.
#[test]
fn words_of_the_languages() {
    for (label, text, septets) in [
        ("gsm-turkish", "İstanbul'da ığdır, şeker €5", 27),
        ("gsm-turkish-single", "ığ", 4),
        ("gsm-es", "Canción ñandú", 15),
        ("gsm-portuguese", "São João, não é?", 16),
        ("gsm0338-hindi", "नमस्ते", 6),
        ("gsm7-tamil", "வணக்கம்", 7),
        ("gsm23.038-13-13", "سلام", 4),
        ("gsm-bn", "বাংলা", 5),
    ] {
        let encoding = Encoding::for_label(label).unwrap_or_else(|| panic!("{label}"));
        let bytes = Transcoder::new(Encoding::UTF_8, encoding).transcode(text.as_bytes()).expect(label);
        assert_eq!(bytes.len(), septets, "{label}");
        assert_eq!(encoding.decode(&bytes, ErrorPolicy::Stop).as_deref(), Ok(text), "{label}");
    }
    assert_eq!(Encoding::for_label("gsm-turkish-single"), Encoding::for_label("gsm0338-Turkish-single"));
}
