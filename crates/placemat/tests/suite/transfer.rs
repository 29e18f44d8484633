//! The transfer encodings: comparisons with Python, and laws.

use crate::data::{Vector, vectors};
use placemat::transfer::{Decoder, Encoder, LineEnd, Transfer, TransferError};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

fn for_name(name: &str) -> Transfer {
    *Transfer::ALL.iter().find(|transfer| transfer.name() == name).expect("a name of a transfer encoding")
}

/// Returns the result of a decoder for pieces that end at `cuts`.
fn decode(
    transfer: Transfer,
    lenient: bool,
    src: &[u8],
    cuts: &[usize],
) -> (Vec<u8>, Result<(), TransferError>) {
    let mut decoder = Decoder::new(transfer);
    if lenient {
        decoder = decoder.lenient();
    }
    let mut out = Vec::new();
    let mut start = 0;
    for &cut in cuts {
        if let Err(e) = decoder.push(&src[start..cut], false, &mut out) {
            assert_eq!(decoder.push(b"more", true, &mut out), Err(e), "the error stays");
            return (out, Err(e));
        }
        start = cut;
    }
    let end = decoder.push(&src[start..], true, &mut out);
    (out, end)
}

fn encode(mut encoder: Encoder, src: &[u8], cuts: &[usize]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut start = 0;
    for &cut in cuts {
        encoder.push(&src[start..cut], false, &mut out);
        start = cut;
    }
    encoder.push(&src[start..], true, &mut out);
    out
}

fn each_byte(src: &[u8]) -> Vec<usize> {
    (0..=src.len()).collect()
}

#[test]
fn as_python_reads_and_writes_them() {
    let mut count = 0;
    let facts = vectors("transfer.jsonl");
    for line in facts.lines() {
        let fact = Vector::parse("transfer", line);
        let (src, want) = (fact.bytes("in"), fact.bytes("want"));
        let transfer = for_name(fact.text("transfer"));
        let encoder = match fact.text("op") {
            "decode" => {
                assert_eq!(transfer.decode(&src), Ok(want.clone()), "{line}");
                assert_eq!(decode(transfer, false, &src, &each_byte(&src)), (want, Ok(())), "{line}");
                count += 1;
                continue;
            }
            "encode" => Encoder::new(transfer),
            "encode-lf" => Encoder::in_lines(transfer, LineEnd::Lf),
            other => panic!("{other}"),
        };
        for cuts in [vec![], each_byte(&src)] {
            let found = encode(encoder.clone(), &src, &cuts);
            assert_eq!(found.escape_ascii().to_string(), want.escape_ascii().to_string(), "{line}");
        }
        count += 1;
    }
    assert_eq!(count, COUNT);
}

const COUNT: usize = 4506;

/// Transfer encoding, input, output before the error, offset, length, code, output in lenient mode.
#[rustfmt::skip]
const MALFORMED: &[(&str, &str, &str, u64, usize, &str, &str)] = &[
    ("quoted-printable", "a=ZZ=41", "a", 1, 1, "bad-escape", "a=ZZA"),
    ("quoted-printable", "a=4", "a", 1, 2, "incomplete", "a=4"),
    ("quoted-printable", "a=4Z", "a", 1, 2, "bad-escape", "a=4Z"),
    ("quoted-printable", "a=", "a", 1, 1, "incomplete", "a="),
    ("quoted-printable", "a= ", "a", 1, 2, "incomplete", "a= "),
    ("quoted-printable", "a= b ", "a", 1, 1, "bad-escape", "a= b"),
    ("quoted-printable", "a \rb", "a ", 2, 1, "stray-byte", "a \rb"),
    ("quoted-printable", "a\r", "a", 1, 1, "incomplete", "a\r"),
    ("quoted-printable", "a é=\r\nb", "a ", 2, 1, "stray-byte", "a éb"),
    ("quoted-printable", "\0\x7F", "", 0, 1, "stray-byte", "\0\x7F"),
    ("base64", "QUJD!REVG", "ABC", 4, 1, "stray-byte", "ABC!DEF"),
    ("base64", "QUJ\nDR!REVG", "ABC", 6, 1, "stray-byte", "ABCR!DEF"),
    ("base64", "QUJD-EFB", "ABC", 4, 1, "stray-byte", "ABC-EFB"),
    ("base64", "QQ", "", 0, 2, "incomplete", "QQ"),
    ("base64", "QUJDQ\nQ=\n", "ABC", 4, 5, "incomplete", "ABCQQ="),
    ("base64", "QQ=Q", "", 3, 1, "bad-padding", "QQ=Q"),
    ("base64", "Q===", "", 1, 1, "bad-padding", "Q==="),
    ("base64", "=QUJD", "", 0, 1, "bad-padding", "=ABC"),
    ("base64", "QQ==QQ==", "A", 4, 1, "after-padding", "AQQ=="),
    ("base64", "QQ===", "A", 4, 1, "after-padding", "A="),
    ("base64", "Q\r\nR==", "", 0, 6, "nonzero-padding", "QR=="),
    ("base64", "QUJ=", "", 0, 4, "nonzero-padding", "QUJ="),
    ("base64url", "QR", "", 0, 2, "nonzero-padding", "QR"),
    ("base64url", "Q", "", 0, 1, "incomplete", "Q"),
    ("base64url", "QQ=", "", 0, 3, "incomplete", "QQ="),
    ("base64url", "QUJD+A", "ABC", 4, 1, "stray-byte", "ABC+A"),
    ("percent", "100%", "100", 3, 1, "incomplete", "100%"),
    ("percent", "%%41", "", 0, 1, "bad-escape", "%A"),
    ("percent", "%4%41", "", 0, 2, "bad-escape", "%4A"),
    ("percent", "a%u00e9", "a", 1, 1, "bad-escape", "a%u00e9"),
    ("form", "a+%zz+", "a ", 2, 1, "bad-escape", "a %zz "),
    ("references", "a&nosuch;&lt;", "a", 1, 8, "unknown-name", "a&nosuch;<"),
    ("references", "a&copy=1", "a", 1, 5, "missing-semicolon", "a&copy=1"),
    ("references", "&amp", "", 0, 4, "missing-semicolon", "&amp"),
    ("references", "&notit;", "", 0, 7, "unknown-name", "&notit;"),
    ("references", "&notitwhichislongerthananynamethereis;", "", 0, 4, "missing-semicolon", "&notitwhichislongerthananynamethereis;"),
    ("references", "&#65 &#66;", "", 0, 4, "missing-semicolon", "&#65 B"),
    ("references", "&#;", "", 0, 2, "bad-escape", "&#;"),
    ("references", "&#xg", "", 0, 3, "bad-escape", "&#xg"),
    ("references", "&#", "", 0, 2, "incomplete", "&#"),
    ("references", "&#x41", "", 0, 5, "incomplete", "&#x41"),
    ("references", "&#0;", "", 0, 4, "forbidden", "&#0;"),
    ("references", "&#8;", "", 0, 4, "forbidden", "&#8;"),
    ("references", "&#128;", "", 0, 6, "forbidden", "&#128;"),
    ("references", "&#x9f;", "", 0, 6, "forbidden", "&#x9f;"),
    ("references", "&#xFFFE;", "", 0, 8, "forbidden", "&#xFFFE;"),
    ("references", "&#xD800;", "", 0, 8, "surrogate", "&#xD800;"),
    ("references", "&#x110000;", "", 0, 10, "too-large", "&#x110000;"),
    ("references", "&#4294967361;", "", 0, 13, "too-large", "&#4294967361;"),
    ("references", "&#x100000041;", "", 0, 13, "too-large", "&#x100000041;"),
    ("references", "&#000000000000000000000000000000065;", "", 0, 34, "too-large", "&#000000000000000000000000000000065;"),
    ("escapes", "a\\q\\n", "a", 1, 1, "bad-escape", "a\\q\n"),
    ("escapes", "a\\", "a", 1, 1, "incomplete", "a\\"),
    ("escapes", "\\u00", "", 0, 4, "incomplete", "\\u00"),
    ("escapes", "\\400", "", 0, 4, "too-large", "\\400"),
    ("escapes", "\\8", "", 0, 1, "bad-escape", "\\8"),
    ("escapes", "\\u00g0", "", 0, 4, "bad-escape", "\\u00g0"),
    ("escapes", "\\x4", "", 0, 3, "incomplete", "\\x4"),
    ("escapes", "\\x4g", "", 0, 3, "bad-escape", "\\x4g"),
    ("escapes", "\\uD83D", "", 0, 6, "incomplete", "\\uD83D"),
    ("escapes", "\\uD83D!", "", 0, 6, "surrogate", "\\uD83D!"),
    ("escapes", "\\uD83D\\n", "", 0, 6, "surrogate", "\\uD83D\n"),
    ("escapes", "\\uD83D\\uD83D\\uDE00", "", 0, 6, "surrogate", "\\uD83D😀"),
    ("escapes", "\\uDE00", "", 0, 6, "surrogate", "\\uDE00"),
    ("escapes", "\\uD83D\\uDE", "", 0, 10, "incomplete", "\\uD83D\\uDE"),
    ("escapes", "\\u{D83D}\\u{DE00}", "", 0, 8, "surrogate", "\\u{D83D}\\u{DE00}"),
    ("escapes", "\\u{110000}", "", 0, 10, "too-large", "\\u{110000}"),
    ("escapes", "\\u{}", "", 0, 3, "bad-escape", "\\u{}"),
    ("escapes", "\\u{0000041}", "", 0, 9, "bad-escape", "\\u{0000041}"),
    ("escapes", "\\U00110000", "", 0, 10, "too-large", "\\U00110000"),
    ("escapes", "\\U0000D800", "", 0, 10, "surrogate", "\\U0000D800"),
];

#[test]
fn errors_say_where_and_the_lenient_mode_keeps_them() {
    for &(name, src, before, offset, len, code, lenient) in MALFORMED {
        let transfer = for_name(name);
        let src = src.as_bytes();
        for cuts in [vec![], each_byte(src)] {
            let (out, result) = decode(transfer, false, src, &cuts);
            let e = result.unwrap_err();
            assert_eq!((e.offset(), e.len(), e.code()), (offset, len, code), "{name} {}", src.escape_ascii());
            assert_eq!(out, before.as_bytes(), "{name} {}", src.escape_ascii());
            let (out, result) = decode(transfer, true, src, &cuts);
            assert_eq!(String::from_utf8_lossy(&out), lenient, "{name} {}", src.escape_ascii());
            assert_eq!(result, Ok(()));
        }
    }
    let e = Transfer::Percent.decode(b"a%4g").unwrap_err();
    assert_eq!((e.to_string().as_str(), e.bytes()), ("malformed escape 0x25 0x34 at offset 1", &b"%4"[..]));
}

#[test]
fn errors_have_lines_and_columns() {
    for (name, src, line, column) in [
        ("escapes", "\\q", 1, 1),
        ("escapes", "é\nüß\\q", 2, 3),
        ("percent", "a\nb\n\n%zz", 4, 1),
        ("base64", "QUJD\nQU!D", 2, 3),
        ("references", "&lt;\r\n &nosuch;", 2, 2),
        ("quoted-printable", "a=\nb=ZZ", 2, 2),
    ] {
        for cuts in [vec![], each_byte(src.as_bytes())] {
            let e = decode(for_name(name), false, src.as_bytes(), &cuts).1.unwrap_err();
            assert_eq!((e.line(), e.column()), (line, column), "{name} {src:?}");
        }
    }
}

/// Cases that Python does not have, or reads differently.
#[test]
fn what_others_leave_open() {
    let read =
        |transfer: Transfer, src: &str| String::from_utf8(transfer.decode(src.as_bytes()).unwrap()).unwrap();
    // A relay added the white space at the end of a line and after the `=` of a soft line break (RFC 2045, rule 3).
    assert_eq!(read(Transfer::QuotedPrintable, "a \t\r\nb=20\n c=  \r\nd=\t\ne "), "a\r\nb \n cde");
    assert_eq!(read(Transfer::Base64, " Q U\tJ D\r\n\r\n"), "ABC");
    assert_eq!(read(Transfer::Escapes, r"\u{e9}\u{1F600}\U0001f600\/\'\u{000041}"), "é😀😀/'A");
    // Bytes are joined before anyone decodes them, whatever their escapes look like.
    assert_eq!(
        read(Transfer::Escapes, r"Jos\xc3\xa9 \303\xA9 caf\303\251.txt \xF0\237\x98\200"),
        "José é café.txt 😀"
    );
    assert_eq!(read(Transfer::Escapes, r"\1018\18\7\a\v\e"), "A8\u{1}8\u{7}\u{7}\u{B}\u{1B}");
    assert_eq!(Transfer::Escapes.decode(br"Jos\xe9\0\377").unwrap(), b"Jos\xE9\0\xFF");
    // Java counts the backslashes.
    assert_eq!(read(Transfer::Escapes, r"\\u0041\\\u0041"), r"\u0041\A");
    assert_eq!(read(Transfer::References, "&#13;&#x7F;&#12;&apos;&#XFDD0;"), "\r\x7F\x0C'\u{FDD0}");
    // The output is bytes, never another spelling of ASCII.
    assert_eq!(Transfer::Percent.decode(b"%C0%AF").unwrap(), b"\xC0\xAF");
}

#[test]
fn white_space_without_end_is_not_held_back() {
    let long = |count: usize| [b"a".to_vec(), b" ".repeat(count), b"\nb".to_vec()].concat();
    assert_eq!(Transfer::QuotedPrintable.decode(&long(998)).unwrap(), b"a\nb");
    for cuts in [vec![], each_byte(&long(2000))] {
        let (out, result) = decode(Transfer::QuotedPrintable, false, &long(2000), &cuts);
        let e = result.unwrap_err();
        assert_eq!((out, e.offset(), e.code()), (b"a".to_vec(), 1, "long-white-space"));
        let (out, _) = decode(Transfer::QuotedPrintable, true, &long(2000), &cuts);
        assert_eq!(out, long(1998));
    }
}

fn transfers() -> impl Strategy<Value = Transfer> {
    select(Transfer::ALL)
}

/// Yields byte strings with many bytes that have a meaning.
fn sources() -> impl Strategy<Value = Vec<u8>> {
    let piece = select(vec![
        &b"="[..],
        b"%",
        b"&",
        b"\\",
        b"+",
        b";",
        b"#",
        b"x",
        b"u",
        b"U",
        b"{",
        b"}",
        b"D8",
        b"DC00",
        b"\\uD8",
        b"&amp",
        b"not",
        b"4",
        b"1",
        b"41",
        b"Qg",
        b"QQ==",
        b"QUJD",
        b" ",
        b"\t",
        b"\r",
        b"\n",
        b"\r\n",
        b"\xC3",
        b"\xA9",
        b"\0",
        b"z",
        b"-",
        b"_",
    ]);
    prop_oneof![vec(any::<u8>(), 0..40), vec(piece, 0..24).prop_map(|pieces| pieces.concat())]
}

fn cuts(src: &[u8], seed: &[prop::sample::Index]) -> Vec<usize> {
    let mut cuts: Vec<_> = seed.iter().map(|index| index.index(src.len() + 1)).collect();
    cuts.sort_unstable();
    cuts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_written_is_read(transfer in transfers(), src in sources(), seed in vec(any::<prop::sample::Index>(), 0..6)) {
        let cuts = cuts(&src, &seed);
        for encoder in [Encoder::new(transfer), Encoder::in_lines(transfer, LineEnd::Lf), Encoder::in_lines(transfer, LineEnd::CrLf)] {
            let written = encode(encoder.clone(), &src, &[]);
            prop_assert_eq!(&encode(encoder, &src, &cuts), &written);
            prop_assert_eq!(transfer.decode(&written), Ok(src.clone()));
            if !transfer.is_textual() {
                prop_assert!(written.is_ascii());
            }
            if transfer == Transfer::QuotedPrintable {
                prop_assert!(written.split(|byte| *byte == b'\n').all(|line| line.trim_ascii_end().len() <= 76));
            }
        }
    }

    #[test]
    fn any_cut_gives_the_same(transfer in transfers(), lenient: bool, src in sources(), seed in vec(any::<prop::sample::Index>(), 0..6)) {
        let whole = decode(transfer, lenient, &src, &[]);
        prop_assert_eq!(&decode(transfer, lenient, &src, &cuts(&src, &seed)), &whole);
        prop_assert_eq!(&decode(transfer, lenient, &src, &each_byte(&src)), &whole);
        if let Err(e) = whole.1 {
            prop_assert!(!lenient && e.len() > 0 && e.offset() + e.len() as u64 <= src.len() as u64);
            // The input before it is well-formed; for base64, with the rest of its group.
            let before = usize::try_from(e.offset()).unwrap();
            if !transfer.name().starts_with("base64") {
                let known = transfer.decode(&src[..before]);
                prop_assert!(known.is_ok() || known.is_err_and(|e| e.code() == "incomplete"));
            }
        } else if !lenient {
            // Without errors, lenient mode changes nothing.
            prop_assert_eq!(decode(transfer, true, &src, &[]).0, whole.0);
        }
    }
}
