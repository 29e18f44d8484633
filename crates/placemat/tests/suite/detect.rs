//! Detection: texts that `CPython` encoded, streams divided anywhere, and bytes that are not text.

use placemat::detect;
use placemat::detect::{Basis, Detection, Detector, Verdict};
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use serde_json::Value;

/// A sentence in an encoding.
pub(crate) struct Fact {
    pub(crate) codec: String,
    pub(crate) text: String,
    pub(crate) bytes: Vec<u8>,
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2).map(|pair| core::str::from_utf8(pair).expect("ASCII"));
    digits.map(|pair| u8::from_str_radix(pair, 16).expect("hex")).collect()
}

pub(crate) fn facts() -> Vec<Fact> {
    let facts: Vec<Fact> = include_str!("../vectors/detect.jsonl")
        .lines()
        .map(|line| {
            let fact: Value = serde_json::from_str(line).expect("JSON");
            let field = |name: &str| fact[name].as_str().expect("a string").to_owned();
            Fact { codec: field("codec"), text: field("text"), bytes: bytes(&field("bytes")) }
        })
        .collect();
    assert_eq!(facts.len(), 82);
    facts
}

/// Detects the encoding of a stream in pieces, which must not change the result.
fn in_pieces(src: &[u8], piece: usize) -> Detection {
    let mut detector = Detector::new();
    src.chunks(piece).for_each(|piece| detector.feed(piece));
    detector.finish()
}

#[test]
fn sentences_are_read_as_cpython_wrote_them() {
    for Fact { codec, text, bytes } in facts() {
        let found = detect(&bytes);
        let encoding = found.encoding.unwrap_or_else(|| panic!("{codec}: {found:?}"));
        let signature = found.signature.map_or(0, |signature| signature.len);
        let read = encoding.decode(&bytes[signature..], ErrorPolicy::Stop);
        assert_eq!(read.as_deref().ok(), Some(&*text), "{codec}: {encoding}");
        assert!(found.confidence >= 0.8, "{codec}: {found:?}");
        assert_eq!((found.verdict, found.len), (Verdict::Text, bytes.len() as u64));
    }
}

#[test]
fn pieces_do_not_matter() {
    for Fact { codec, bytes, .. } in facts() {
        let whole = detect(&bytes);
        for at in 0..=bytes.len() {
            let mut detector = Detector::new();
            detector.feed(&bytes[..at]);
            detector.feed(&bytes[at..]);
            assert!(detector.finish() == whole, "{codec} at {at}");
        }
        assert!(in_pieces(&bytes, 1) == whole, "{codec}");
    }
}

#[test]
fn pieces_of_long_streams_do_not_matter() {
    let facts = facts();
    for (number, fact) in facts.iter().enumerate().step_by(7) {
        // The stream: some kilobytes of ASCII, the text, a text in another encoding, the text many
        // times.
        let other = &facts[(number + 5) % facts.len()];
        let mut src = b"plain text, \r\n".repeat(1180 + number);
        src.extend(&fact.bytes);
        src.extend(b"\n");
        src.extend(&other.bytes);
        src.extend(fact.bytes.repeat(150_000 / fact.bytes.len()));
        let whole = detect(&src);
        for piece in [7, 1021, 16_383, 16_384, 16_385, 100_000] {
            assert!(in_pieces(&src, piece) == whole, "{} by {piece}", fact.codec);
        }
        let mut detector = Detector::new();
        for piece in [&[][..], &src[..16_380], &[], &src[16_380..16_384], &src[16_384..]] {
            detector.feed(piece);
        }
        assert!(detector.finish() == whole);
    }
}

#[test]
fn the_first_byte_that_is_not_ascii_and_what_it_rules_out() {
    for at in [0, 1, 100, 16_383, 16_384, 16_385, 50_000] {
        let mut src = vec![b'a'; at];
        src.extend(b"\xE9 b");
        let found = detect(&src);
        assert_eq!(found.first_non_ascii, Some(at as u64));
        let utf8 = &found.ruled_out[0];
        assert_eq!((utf8.encoding, utf8.offset, &utf8.bytes[..]), (Encoding::UTF_8, at as u64, &b"\xE9"[..]));
    }
    assert_eq!(detect(b"plain").first_non_ascii, None);
}

#[test]
fn what_multi_byte_encodings_rule_out() {
    // A space after a lead byte, which no encoding allows, comes far into the stream.
    let mut src = "\u{4ECA}\u{5929}".chars().fold(Vec::new(), |all, c| {
        let text = c.to_string();
        [all, Encoding::GBK.encode(&text, UnmappablePolicy::Stop).expect("common").to_vec()].concat()
    });
    src = src.repeat(10_000);
    let at = src.len() as u64;
    src.extend(b"\xB0\x20".repeat(2000));
    let found = detect(&src);
    let gbk =
        found.ruled_out.iter().find(|ruled_out| ruled_out.encoding == Encoding::GBK).expect("ruled out");
    assert_eq!((gbk.offset, &gbk.bytes[..]), (at, &b"\xB0\x20"[..]));
}

#[test]
fn empty_and_tiny_streams() {
    assert_eq!(detect(b"").verdict, Verdict::Empty);
    for signature in [&b"\xEF\xBB\xBF"[..], b"\xFF\xFE", b"\xFE\xFF", b"\0\0\xFE\xFF", b"\xFF\xFE\0\0"] {
        let found = detect(signature);
        assert_eq!((found.verdict, found.signature.map(|s| s.len)), (Verdict::Empty, Some(signature.len())));
    }
    for byte in 0..=0xFF_u8 {
        let found = detect(&[byte]);
        if byte >= 0x80 {
            assert!(found.confidence < 0.9, "{byte:02x}: {found:?}");
        }
    }
    assert_eq!(detect(b"a").encoding, Some(Encoding::US_ASCII));
}

#[test]
fn damaged_utf8_is_utf8() {
    let text = "Η θάλασσα είναι ήρεμη σήμερα και ο ουρανός γαλανός.\n".repeat(40);
    for damage in [&b"\xFF"[..], b"\x80", b"\xCE", b"\xE2\x82", b"caf\xE9 ", b"\xC0\xAF"] {
        for at in [0, 104, 1040] {
            let mut src = text.clone().into_bytes();
            let at = (at..).find(|&at| text.is_char_boundary(at)).expect("the end is one");
            src.splice(at..at, damage.iter().copied());
            let found = detect(&src);
            assert_eq!(found.encoding, Some(Encoding::UTF_8), "{damage:02x?} {found:?}");
            assert!(found.confidence > 0.9);
            let counts = found.damage.expect("there is some");
            let expected: usize = src.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
            let well_formed = text.chars().filter(|c| !c.is_ascii()).count();
            assert_eq!((counts.ill_formed, counts.well_formed), (expected as u64, well_formed as u64));
        }
    }
    // The text ends within its last character.
    let found = detect(&"déjà".as_bytes()[..5]);
    assert_eq!((found.encoding, found.damage.map(|d| d.ill_formed)), (Some(Encoding::UTF_8), Some(1)));
}

#[test]
fn well_formed_pairs_in_other_encodings_do_not_make_it_utf8() {
    // The text is windows-1252 with a pair of letters in every line that happens to be UTF-8.
    let line = b"Le mot d\xE9j\xE0 vu et le \xABcaf\xE9\xBB, \xC3\xA9t\xE9 de l'\xEEle.\n";
    let found = detect(&line.repeat(200));
    assert_ne!(found.encoding, Some(Encoding::UTF_8), "{found:?}");
}

#[test]
fn relatives_of_utf8() {
    for (src, encoding) in [
        (&b"x \xED\xA0\xBD\xED\xB8\x80 y"[..], Encoding::CESU_8),
        (b"na\xC3\xAFve\xC0\x80 text", Encoding::MODIFIED_UTF_8),
        (b"na\xC3\xAFve \xED\xA0\xBD text", Encoding::WTF_8),
    ] {
        assert_eq!(detect(src).encoding, Some(encoding));
        let long = [&b"plain ".repeat(6000), src].concat();
        assert_eq!(detect(&long).encoding, Some(encoding));
    }
    // With any other ill-formed sequence, the text is none of them.
    assert_ne!(detect(b"x \xED\xA0\xBD\xED\xB8\x80 \xFF").encoding, Some(Encoding::CESU_8));
}

#[test]
fn binary_data() {
    let numbers: Vec<u8> = (0..4000_u32).flat_map(|i| (i * i).to_le_bytes()).collect();
    let floats: Vec<u8> = (0..4000_u16).flat_map(|i| (f32::from(i) / 7.0).to_le_bytes()).collect();
    for src in [
        b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0"[..].to_vec(),
        b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\x5C\x72\xA8\x66".to_vec(),
        b"PK\x03\x04\x14\0\0\0\x08\0\xE5\x61".to_vec(),
        vec![0; 100],
        vec![0; 100_000],
        numbers,
        floats,
    ] {
        let found = detect(&src);
        assert_eq!((found.verdict, found.encoding), (Verdict::Binary, None), "{:02x?}", &src[..16]);
    }
}

#[test]
fn plain_text_with_marks_of_other_encodings() {
    for text in [
        "int a = b+c; x += 1; C++ +1 +49 30 1234567",
        "cd ~/src && ls ~{a,b} # ~~~",
        "\x1B[31mred\x1B[0m and \x1B[1mbold\x1B[m",
        "1+2=3+",
        "+",
        "~{~}",
        "a+b-c +AB+ x",
        "man\x08a\x08n page",
        "end of a file of DOS\r\n\x1A",
    ] {
        let found = detect(text.as_bytes());
        assert_eq!((found.encoding, found.basis), (Some(Encoding::US_ASCII), Basis::Ascii), "{text:?}");
    }
}

#[test]
fn declarations() {
    let wide: Vec<u8> =
        "<?xml version='1.0' encoding='UTF-16'?><a>b</a>".bytes().flat_map(|b| [0, b]).collect();
    let late = |text: &str| [vec![b'x'; 70_000], b"\n".to_vec(), text.into()].concat();
    let convention = |src: &[u8]| {
        let declared = detect(src).declared?;
        let at = usize::try_from(declared.offset).expect("small");
        if !declared.convention.starts_with("XML") {
            assert_eq!(&src[at..at + declared.label.len()], declared.label.as_bytes());
        }
        Some((declared.convention, declared.label, declared.encoding?))
    };
    for (src, want, label, encoding) in [
        (
            b"<?xml version=\"1.0\" encoding=\"KOI8-R\"?><a/>".to_vec(),
            "XML declaration",
            "KOI8-R",
            Encoding::KOI8_R,
        ),
        (
            b"\xEF\xBB\xBF<?xml version='1.0' encoding='utf-8' ?>".to_vec(),
            "XML declaration",
            "utf-8",
            Encoding::UTF_8,
        ),
        (wide, "XML declaration", "UTF-16", Encoding::UTF_16),
        (b"@charset \"gbk\";".to_vec(), "CSS @charset", "gbk", Encoding::GBK),
        (
            b"#!/usr/bin/python\n# -*- coding: cp1251 -*-\n".to_vec(),
            "coding cookie",
            "cp1251",
            Encoding::WINDOWS_1251,
        ),
        (
            b";;; x -*- mode: lisp; coding: latin-1-unix; -*-\n".to_vec(),
            "coding cookie",
            "latin-1-unix",
            Encoding::ISO_8859_1,
        ),
        (
            b"<html><!-- <meta charset=x> --><META CharSet = 'koi8-r'>".to_vec(),
            "HTML meta",
            "koi8-r",
            Encoding::KOI8_R,
        ),
        (
            b"<meta http-equiv=Content-Type content='text/html; charset=big5'>".to_vec(),
            "HTML meta",
            "big5",
            Encoding::BIG5,
        ),
        (
            b"Subject: x\r\nContent-Type: text/plain;\r\n charset=\"euc-kr\"\r\n\r\n".to_vec(),
            "Content-Type",
            "euc-kr",
            Encoding::EUC_KR,
        ),
        (
            b"msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=euc-jp\\n\"\n".to_vec(),
            "Content-Type",
            "euc-jp",
            Encoding::EUC_JP,
        ),
        (
            b"=pod\n\n=encoding koi8-u\n".to_vec(),
            "POD =encoding",
            "koi8-u",
            Encoding::for_label("koi8-u").expect("known"),
        ),
        (
            b"\\usepackage[utf8,ansinew]{inputenc}".to_vec(),
            "LaTeX inputenc",
            "ansinew",
            Encoding::WINDOWS_1252,
        ),
        (
            b"x\n\n/* vim: set ts=4 fenc=cp1252: */\n".to_vec(),
            "Vim modeline",
            "cp1252",
            Encoding::WINDOWS_1252,
        ),
        (late("// vim: set fileencoding=sjis :"), "Vim modeline", "sjis", Encoding::SHIFT_JIS),
        (
            b"\" Keys\n\nscriptencoding latin1\n\nloadkeymap\n".to_vec(),
            "Vim scriptencoding",
            "latin1",
            Encoding::ISO_8859_1,
        ),
        // Nothing in these texts is a mark of another convention.
        (b"use encoding 'koi8-r';\nprint 1;\n".to_vec(), "Perl use encoding", "koi8-r", Encoding::KOI8_R),
        (b"use  utf8 ;\nprint 1;\n".to_vec(), "Perl use utf8", "utf8", Encoding::UTF_8),
        (b"<?php\ndefine('CHARSET', 'koi8-r');\n".to_vec(), "charset assignment", "koi8-r", Encoding::KOI8_R),
        (
            late(";; Local Variables:\n;; coding: euc-jp\n;; End:\n"),
            "Emacs local variables",
            "euc-jp",
            Encoding::EUC_JP,
        ),
    ] {
        assert_eq!(convention(&src), Some((want, label.into(), encoding)), "{}", src.escape_ascii());
    }
    for none in [
        &b"encoding coding charset"[..],
        b"a\nb\n# coding: latin-1\n",
        b"x = 'coding: latin-1'\n",
        b"<?xml version='1.0'?><a/>",
        b"<!-- <meta charset=koi8-r> -->",
        b"charset=utf-8",
        b"\" scriptencoding latin1",
        b"scriptencoding of=x\n",
        b"% \\usepackage[latin1]{inputenc}",
        b"",
    ] {
        assert_eq!(detect(none).declared, None, "{}", none.escape_ascii());
    }
}

#[test]
fn declarations_are_overruled_by_proof() {
    let contradicted = |src: &[u8]| detect(src).contradicts_declaration();
    assert!(contradicted("# coding: latin-1\nnaïve".as_bytes()));
    assert!(contradicted("<meta charset=koi8-r>naïve".as_bytes()));
    assert!(contradicted(b"<?xml version='1.0' encoding='UTF-16'?><a>plain</a>"));
    assert!(contradicted(b"# coding: utf-8\nJ'ai d\xE9j\xE0 mang\xE9 au caf\xE9 cet \xE9t\xE9.\n"));
    assert!(!contradicted("# coding: utf-8\nnaïve".as_bytes()));
    assert!(!contradicted(b"# coding: latin-1\nJ'ai d\xE9j\xE0 mang\xE9 au caf\xE9 cet \xE9t\xE9.\n"));
    assert!(!contradicted(b"# coding: koi8-r\nplain"));
    assert!(!contradicted(b"# coding: klingon\nplain"));
    let found = detect(
        b"\xFF\xFE<\0?\0x\0m\0l\0 \0v\0 \0e\0n\0c\0o\0d\0i\0n\0g\0=\0'\0u\0t\0f\0-\x001\x006\0'\0?\0>\0",
    );
    assert_eq!((found.encoding, found.contradicts_declaration()), (Some(Encoding::UTF_16LE), false));
}

#[test]
fn random_bytes_never_panic() {
    let mut state = 9_u64;
    let mut number = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for len in (0..300).chain([5000, 40_000]) {
        let kind = number() % 3;
        let src: Vec<u8> = (0..len)
            .map(|_| {
                let byte = (number() >> 11) as u8;
                match kind {
                    0 => byte,
                    1 => byte | 0x80,
                    _ => [byte, b' ', b'e', b'\n', 0x1B, b'$', b'+', b'~', 0x80][usize::from(byte) % 9],
                }
            })
            .collect();
        let whole = detect(&src);
        assert!((0.0..=1.0).contains(&whole.confidence));
        assert!(whole.encoding.is_some() == (whole.verdict == Verdict::Text));
        assert!(in_pieces(&src, 997) == whole);
    }
}

/// The example of docs/explained/detection.md.
#[test]
fn example_of_the_guide() {
    let mut detector = Detector::new();
    for piece in [&b"J'ai d\xE9j\xE0 mang\xE9 "[..], b"au caf\xE9 cet \xE9t\xE9."] {
        detector.feed(piece);
    }
    let found = detector.finish();
    assert_eq!(found.verdict, Verdict::Text);
    assert_eq!(found.encoding.map(|encoding| encoding.name()), Some("windows-1252"));
    assert_eq!(found.language.map(|language| language.code()), Some("fr"));
    assert_eq!(found.ruled_out[0].offset, 6); // not UTF-8
}

/// Isolated letters, as in tables for hyphenation and keyboards, are not words of a language with
/// words of one letter.
#[test]
fn tables_of_letters_do_not_decide_about_text() {
    let table: String = "àáâãäåæçèéêëìíîïñòóôõöøùúûüý".chars().map(|c| format!(".hcode {c} {c}\n")).collect();
    let prose = "Kopie mit Anhängen an die zuständige Abteilung\nKopie ohne Anhänge im März\n";
    let encode = |text: &str| {
        Encoding::WINDOWS_1252.encode(text, UnmappablePolicy::Stop).expect("all of it").into_owned()
    };
    let found = detect(&encode(&format!("{prose}{table}")));
    assert_eq!(found.encoding, Some(Encoding::WINDOWS_1252));
    assert!(found.confidence > 0.9, "{}", found.confidence);
    // A table alone is not certain, unless it is declared. The first letter of the second one is the byte 80.
    let first = "ÇüéâäàåçêëèïîìÄÅ".chars().map(|c| format!(".hcode {c} {c}\n")).collect::<String>();
    let first = Encoding::IBM437.encode(&first, UnmappablePolicy::Stop).expect("all of it");
    for table in [&encode(&table)[..], &first] {
        let found = detect(table);
        assert!(found.confidence < 0.8, "{}", found.confidence);
    }
    let found = detect(&encode(&format!("# -*- coding: latin-1 -*-\n{table}")));
    assert!(
        [Some(Encoding::WINDOWS_1252), Some(Encoding::ISO_8859_1)].contains(&found.encoding),
        "{:?}",
        found.encoding
    );
}

/// An encoding is named for text alone.
#[test]
fn the_verdict_and_the_encoding_agree() {
    let bytes = b"\t\0A \x86\x93\xE9\xC3\xA9\x0E\x1B\xFE";
    let count = bytes.len();
    for string in 0..count.pow(4) {
        let src: Vec<u8> = (0..4).map(|at| bytes[string / count.pow(at) % count]).collect();
        let found = detect(&src);
        assert_eq!(found.encoding.is_some(), found.verdict == Verdict::Text, "{src:02x?}");
        assert!(found.verdict != Verdict::Binary || found.candidates.is_empty(), "{src:02x?}");
    }
}
