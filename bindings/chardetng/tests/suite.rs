//! Each promise beside `chardetng`, and texts of known encodings.

use chardetng::EncodingDetector;
use chardetng_peer::EncodingDetector as Peer;
use encoding_rs::{Encoding, UTF_8};

/// Sentences, and the encodings in which they are to be recognized.
const TEXTS: [(&str, &[&str]); 16] = [
    (
        "Съешь же ещё этих мягких французских булок, да выпей чаю. Это простой текст.",
        &["windows-1251", "KOI8-R", "IBM866", "ISO-8859-5"],
    ),
    ("Жебракують філософи при ґанку церкви в Гадячі, ще й шатро їхнє знаємо.", &["windows-1251", "KOI8-U"]),
    (
        "Portez ce vieux whisky au juge blond qui fume sur son île intérieure, à côté de l’alcôve ovoïde.",
        &["windows-1252"],
    ),
    ("Falsches Üben von Xylophonmusik quält jeden größeren Zwerg über die Maßen sehr.", &["windows-1252"]),
    ("Příliš žluťoučký kůň úpěl ďábelské ódy a nikdo ho neslyšel celý den.", &["windows-1250", "ISO-8859-2"]),
    (
        "Zażółć gęślą jaźń, powiedział stary człowiek i poszedł do domu przez łąkę.",
        &["windows-1250", "ISO-8859-2"],
    ),
    (
        "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία και το λέω σε όλους τους φίλους μου.",
        &["windows-1253", "ISO-8859-7"],
    ),
    ("Pijamalı hasta yağız şoföre çabucak güvendi ve eve döndü.", &["windows-1254"]),
    ("דג סקרן שט בים מאוכזב ולפתע מצא חברה, וכך נגמר הסיפור שלנו", &["windows-1255"]),
    ("صِف خَلقَ خَودِ كَمِثلِ الشَمسِ إِذ بَزَغَت وهذا نص بسيط باللغة العربية", &["windows-1256"]),
    ("เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน", &["windows-874"]),
    (
        "いろはにほへと ちりぬるを わかよたれそ つねならむ 日本語の文章です。",
        &["Shift_JIS", "EUC-JP", "ISO-2022-JP"],
    ),
    ("视野无限广，窗外有蓝天。这是一个简单的中文句子，用来测试编码。", &["GBK", "gb18030"]),
    ("視野無限廣，窗外有藍天。這是一個簡單的中文句子，用來測試編碼。", &["Big5"]),
    ("키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다.", &["EUC-KR"]),
    ("Съешь же ещё этих мягких 日本 français", &["UTF-8"]),
];

fn guess(pieces: &[&[u8]], last: bool, allow_utf8: bool) -> &'static Encoding {
    let mut detector = EncodingDetector::new();
    for (i, piece) in pieces.iter().enumerate() {
        detector.feed(piece, last && i + 1 == pieces.len());
    }
    detector.guess(None, allow_utf8)
}

/// The guess reads each text as it was written, in one piece and in several, at the end and before it.
#[test]
fn texts_are_read_as_they_were_written() {
    for (text, names) in TEXTS {
        for name in names {
            let encoding = Encoding::for_label(name.as_bytes()).expect(name);
            let (src, ..) = encoding.encode(text);
            let (start, end) = src.split_at(src.len() / 3);
            for last in [true, false] {
                for found in [guess(&[&src], last, true), guess(&[start, b"", end], last, true)] {
                    assert_eq!(found.decode_without_bom_handling(&src).0, text, "{name}: {}", found.name());
                }
            }
        }
    }
}

/// UTF-8 is guessed only if that is allowed, and no guess needs a byte order mark.
#[test]
fn guesses_are_of_the_web() {
    let mut state = 1_u64;
    for round in 0..2000 {
        let src: Vec<u8> = (0..round % 90)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as u8 >> (round % 3 / 2)
            })
            .collect();
        for tld in [None, Some(&b"jp"[..]), Some(b"ru"), Some(b"com")] {
            let mut detector = EncodingDetector::new();
            let mut peer = Peer::new();
            assert_eq!(detector.feed(&src, true), peer.feed(&src, true));
            let found = detector.guess(tld, false);
            assert!(
                found != UTF_8 && found != encoding_rs::REPLACEMENT && !found.name().starts_with("UTF-16")
            );
            assert_eq!(detector.guess_assess(tld, true).0, detector.guess(tld, true));
        }
    }
}

/// Text that shows nothing: the peer's guesses.
#[test]
fn ascii_is_guessed_as_by_the_peer() {
    let texts: [&[u8]; 3] = [b"", b"plain text\n", b"\x1B$B$3$l$OF|K\\8l$G$9!#\x1B(B plain"];
    for src in texts {
        for allow_utf8 in [false, true] {
            for tld in [None, Some(&b"com"[..]), Some(b"jp"), Some(b"ru"), Some(b"gr"), Some(b"kr")] {
                let (mut detector, mut peer) = (EncodingDetector::new(), Peer::new());
                detector.feed(src, true);
                peer.feed(src, true);
                let expected = peer.guess(tld, allow_utf8);
                assert_eq!(detector.guess(tld, allow_utf8), expected, "{src:?} {tld:?} {allow_utf8}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "lower-case")]
fn labels_are_lower_case() {
    let _ = EncodingDetector::new().guess(Some(b"RU"), true);
}

#[test]
#[should_panic(expected = "after the end")]
fn a_detector_is_used_once() {
    let mut detector = EncodingDetector::new();
    detector.feed(b"a", true);
    detector.feed(b"b", true);
}
