//! GSM 03.38 and ISO 6937, against tables that are independent of the library's: from Perl, and
//! from the letters and combining accents of Unicode.

use placemat::normalize::Normalization;
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use std::collections::{BTreeMap, BTreeSet};

/// The characters that Perl 5.36's `Encode` reads in the bytes 00..7F, apart from the escape.
const GSM: [&str; 8] = [
    "@£$¥èéùìòÇ\nØø\rÅå",
    "Δ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ",
    " !\"#¤%&'()*+,-./",
    "0123456789:;<=>?",
    "¡ABCDEFGHIJKLMNO",
    "PQRSTUVWXYZÄÖÑÜ§",
    "¿abcdefghijklmno",
    "pqrstuvwxyzäöñüà",
];
const GSM_ESCAPED: &str = "\n\u{C}\u{14}^({)}/\\<[=~>]@|e€";

/// Returns the sequences of GSM 03.38 and their characters.
fn gsm() -> BTreeMap<Vec<u8>, char> {
    let plain = (0..).zip(GSM.concat().chars().collect::<Vec<_>>()).filter(|&(byte, _)| byte != 0x1B);
    let escaped: Vec<char> = GSM_ESCAPED.chars().collect();
    let escaped = escaped.chunks(2).map(|pair| (vec![0x1B, pair[0] as u8], pair[1])).collect::<Vec<_>>();
    plain.map(|(byte, c)| (vec![byte], c)).chain(escaped).collect()
}

/// The combining character of each accent byte, and the letters that have it. A space gives the
/// accent itself.
const ACCENTS: [(u8, char, &str); 13] = [
    (0xC1, '\u{300}', "AEIOU"),
    (0xC2, '\u{301}', " ACEILNORSUYZ"),
    (0xC3, '\u{302}', "ACEGHIJOSUWY"),
    (0xC4, '\u{303}', "AINOU"),
    (0xC5, '\u{304}', " AEIOU"),
    (0xC6, '\u{306}', " AGU"),
    (0xC7, '\u{307}', " CEGIZ"),
    (0xC8, '\u{308}', " AEIOUY"),
    (0xCA, '\u{30A}', " AU"),
    (0xCB, '\u{327}', " CGKLNRST"),
    (0xCD, '\u{30B}', " OU"),
    (0xCE, '\u{328}', " AEIU"),
    (0xCF, '\u{30C}', " CDELNRSTZ"),
];
/// The accents by themselves, in the order of their bytes.
const ALONE: &str = "´¯˘˙¨˚¸˝˛ˇ";
/// The characters of A0..FF, with a full stop for undefined bytes and accents.
const UPPER: &str = "\u{A0}¡¢£.¥.§¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿................—¹®©™♪¬¦....⅛⅜⅝⅞\u{2126}ÆÐªĦ.ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ\u{AD}";

/// Returns the sequences of ISO 6937 and their characters.
fn iso_6937() -> BTreeMap<Vec<u8>, char> {
    let mut all: BTreeMap<Vec<u8>, char> = (0..0xA0).map(|byte| (vec![byte], char::from(byte))).collect();
    all.extend((0xA0..=0xFF).zip(UPPER.chars()).filter(|&(_, c)| c != '.').map(|(byte, c)| (vec![byte], c)));
    let mut alone = ALONE.chars();
    for (byte, mark, letters) in ACCENTS {
        let small = letters.to_lowercase();
        // There is no small dotted i: its dot is an accent already.
        for letter in letters.chars().chain(small.chars().filter(|&c| c != ' ' && (byte, c) != (0xC7, 'i'))) {
            let text = if letter == ' ' {
                alone.next().expect("an accent").to_string()
            } else {
                Normalization::Nfc.apply(&format!("{letter}{mark}")).into_owned()
            };
            let mut chars = text.chars();
            let c = chars.next().filter(|_| chars.next().is_none()).expect("one code point");
            all.insert(vec![byte, letter as u8], c);
        }
    }
    all
}

/// Compares an encoding of one or two bytes with a table of all its sequences: every string of two bytes, every code point, and
/// every cut of a text with all sequences.
pub(crate) fn check(encoding: Encoding, table: &BTreeMap<Vec<u8>, char>) {
    let strict = |bytes: &[u8]| encoding.decode(bytes, ErrorPolicy::Stop).map(|text| text.into_owned());
    // Every string of one and two bytes, alone and before a letter.
    for first in 0..=0xFF_u8 {
        let leads = table.keys().any(|sequence| sequence.len() == 2 && sequence[0] == first);
        match table.get(&vec![first]) {
            Some(&c) => assert_eq!(strict(&[first]).as_deref(), Ok(c.to_string().as_str()), "{first:02X}"),
            None => {
                let e = strict(&[first]).expect_err("it is not in the table");
                assert_eq!((e.offset(), e.code() == "incomplete"), (0, leads), "{first:02X}");
            }
        }
        for second in 0..=0xFF_u8 {
            let both = [first, second];
            let found = encoding.decode(&both, ErrorPolicy::Replace).expect("it replaces");
            let one = |byte: u8| table.get(&vec![byte]).copied().unwrap_or('\u{FFFD}');
            let expected = match table.get(&vec![first, second]) {
                Some(c) => c.to_string(),
                None => [one(first), one(second)].iter().collect(),
            };
            assert_eq!(found, expected, "{first:02X} {second:02X}");
        }
    }
    // Every code point is written as its shortest sequence, the lowest of these, or refused.
    let mut longest_first: Vec<_> = table.iter().map(|(bytes, &c)| (bytes.len(), bytes, c)).collect();
    longest_first.sort_unstable_by(|a, b| b.cmp(a));
    let written: BTreeMap<char, &Vec<u8>> =
        longest_first.into_iter().map(|(_, bytes, c)| (c, bytes)).collect();
    for c in '\0'..=char::MAX {
        let found =
            encoding.encode(c.encode_utf8(&mut [0; 4]), UnmappablePolicy::Stop).map(|all| all.into_owned());
        match written.get(&c) {
            Some(bytes) => assert_eq!(found.as_ref(), Ok(*bytes), "{c:?}"),
            None => assert!(found.is_err(), "{c:?} became {found:X?}"),
        }
    }
    // Divided anywhere, and with small buffers.
    let text: Vec<u8> = table.keys().flatten().copied().chain([0xC1, b'z', 0x1B]).collect();
    let whole = encoding.decode(&text, ErrorPolicy::Replace).expect("it replaces");
    for cut in 0..=text.len() {
        let mut transcoder = Transcoder::new(encoding, Encoding::UTF_8).on_error(ErrorPolicy::Replace);
        let mut out = Vec::new();
        for (piece, last) in [(&text[..cut], false), (&text[cut..], true)] {
            let mut read = 0;
            loop {
                let mut room = [0; 40];
                let p = transcoder.convert(&piece[read..], &mut room, last);
                out.extend_from_slice(&room[..p.written]);
                read += p.read;
                if p.status != placemat::stream::Status::NeedOutput {
                    break;
                }
            }
        }
        assert_eq!(String::from_utf8(out).as_deref(), Ok(&*whole), "cut at {cut}");
    }
}

#[test]
fn gsm_03_38_is_what_perl_reads() {
    let table = gsm();
    assert_eq!((table.len(), table.values().collect::<BTreeSet<_>>().len()), (137, 137));
    check(Encoding::GSM_03_38, &table);
    assert_eq!("gsm0338".parse(), Ok(Encoding::GSM_03_38));
}

#[test]
fn iso_6937_is_letters_with_accents() {
    let table = iso_6937();
    let count = 160 + 73 + 165;
    assert_eq!((table.len(), table.values().collect::<BTreeSet<_>>().len()), (count, count));
    check(Encoding::ISO_6937, &table);
    assert_eq!("ISO_6937:1992".parse(), Ok(Encoding::ISO_6937));
}
