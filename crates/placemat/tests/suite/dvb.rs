//! Text of digital television, against the tables of the encodings of which ETSI EN 300 468, annex A, makes it, which other tests
//! compare with other programs; libdvbv5, a library for receivers, has the same list of first bytes and the same euro sign.

use crate::tables::{read, round_trip, streaming, write};
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy};

/// The first bytes of each table, and the encoding that is the table.
const TABLES: [(&[u8], &str); 21] = [
    (b"\x01", "iso-8859-5"),
    (b"\x02", "iso-8859-6"),
    (b"\x03", "iso-8859-7"),
    (b"\x04", "iso-8859-8"),
    (b"\x05", "x-iso-8859-9"),
    (b"\x06", "iso-8859-10"),
    (b"\x07", "x-iso-8859-11"),
    (b"\x09", "iso-8859-13"),
    (b"\x0A", "iso-8859-14"),
    (b"\x0B", "iso-8859-15"),
    (b"\x10\x00\x01", "iso-8859-1"),
    (b"\x10\x00\x02", "iso-8859-2"),
    (b"\x10\x00\x03", "iso-8859-3"),
    (b"\x10\x00\x04", "iso-8859-4"),
    (b"\x10\x00\x05", "iso-8859-5"),
    (b"\x10\x00\x0F", "iso-8859-15"),
    (b"\x11", "ucs-2be"),
    (b"\x12", "euc-kr-strict"),
    (b"\x13", "euc-cn-strict"),
    (b"\x14", "big5-strict"),
    (b"\x15", "utf-8"),
];

fn members() -> Vec<Encoding> {
    let all = Encoding::DVB..=Encoding::DVB_ISO_8859_15;
    let members: Vec<_> = Encoding::ALL.iter().copied().filter(|encoding| all.contains(encoding)).collect();
    assert_eq!(members.len(), 16);
    members
}

/// Every string of one and two bytes from 20 up in each table, apart from the controls of C1, is as in the table.
#[test]
fn each_table_is_chosen_by_its_first_bytes() {
    for (first, name) in TABLES {
        let table = Encoding::for_label(name).expect("a known label");
        for one in 0x20..=0xFF_u8 {
            for two in 0x20..=0xFF_u8 {
                let bytes = [one, two];
                let is_control = |byte: u8| matches!(byte, 0x80..=0x9F);
                let plain = table.decode(&bytes, ErrorPolicy::Stop).map(|text| text.into_owned());
                if table.max_bytes() == 1 && bytes.into_iter().any(is_control) {
                    continue;
                }
                let plain = match plain {
                    // Controls of tables of two bytes, and surrogates.
                    Ok(text)
                        if text
                            .chars()
                            .any(|c| matches!(c, '\u{80}'..='\u{9F}' | '\u{E080}'..='\u{E09F}')) =>
                    {
                        continue;
                    }
                    Ok(text) => Some(text),
                    Err(_) => None,
                };
                let text = [first, &bytes].concat();
                for encoding in [Encoding::DVB, Encoding::DVB_LATIN, Encoding::DVB_ISO_8859_5] {
                    let found = encoding.decode(&text, ErrorPolicy::Stop).ok().map(|text| text.into_owned());
                    assert_eq!(found, plain, "{encoding} {name} {text:02X?}");
                }
            }
        }
    }
}

/// Without first bytes, the table is ISO 6937 with the euro sign.
#[test]
fn the_first_table_is_iso_6937_with_the_euro_sign() {
    for one in 0x20..=0xFF_u8 {
        for two in 0x20..=0xFF_u8 {
            let bytes = [one, two];
            if bytes.iter().any(|byte| matches!(byte, 0x80..=0x9F)) {
                continue;
            }
            // No sequence has A4 as its second byte, so each A4 is a euro sign.
            let expected = if bytes.contains(&0xA4) {
                let of = |byte: u8| match byte {
                    0xA4 => "€".to_owned(),
                    byte => read(Encoding::ISO_6937, &[byte]),
                };
                bytes.into_iter().map(of).collect()
            } else {
                read(Encoding::ISO_6937, &bytes)
            };
            assert_eq!(read(Encoding::DVB, &bytes), expected, "{bytes:02X?}");
        }
    }
    assert_eq!(read(Encoding::DVB, b""), "");
}

#[test]
fn errors_and_controls() {
    for (bytes, code, offset) in [
        (&b"\x08abc"[..], "unknown-escape", 0),
        (b"\x1F\x01abc", "unknown-escape", 0),
        (b"\x10\x00\x0Cabc", "unknown-escape", 0),
        (b"\x10\x01", "unknown-escape", 0),
        (b"\x10", "incomplete", 0),
        (b"a\x0Ab", "undefined", 1),
        (b"\x05a\x05", "undefined", 2),
        (b"\x15a\xFF", "never-byte", 2),
        (b"\x11\x00", "incomplete", 1),
        (b"\x11\xD8\x00", "surrogate", 1),
    ] {
        let error = Encoding::DVB.decode(bytes, ErrorPolicy::Stop).expect_err("it is ill-formed");
        assert_eq!((error.code(), error.offset()), (code, offset), "{bytes:02X?}");
    }
    assert_eq!(read(Encoding::DVB, b"\x86News\x87\x8Aat 8"), "\u{86}News\u{87}\nat 8");
    assert_eq!(read(Encoding::DVB, b"\x15\xEE\x82\x86News\xEE\x82\x8A8"), "\u{86}News\n8");
    assert_eq!(read(Encoding::DVB, b"\x11\x00N\xE0\x8A\x04\x1F"), "N\nП");
}

#[test]
fn names_of_programs() {
    for (label, text, bytes) in [
        ("dvb", "Café", &b"\x15Caf\xC3\xA9"[..]),
        ("dvb", "日本 😀\n", b"\x15\xE6\x97\xA5\xE6\x9C\xAC \xF0\x9F\x98\x80\xEE\x82\x8A"),
        ("dvb-latin", "Café 5 €\n", b"Caf\xC2e 5 \xA4\x8A"),
        ("dvb-01", "Вести", b"\x01\xB2\xD5\xE1\xE2\xD8"),
        ("dvb-iso-8859-2", "Wiadomości", b"\x10\x00\x02Wiadomo\xB6ci"),
        ("en300468-tab05", "Haberler ş", b"\x05Haberler \xFE"),
        ("dvb-0b", "5 €", b"\x0B5 \xA4"),
    ] {
        let encoding = Encoding::for_label(label).unwrap_or_else(|| panic!("{label}"));
        assert_eq!(write(encoding, text).as_deref(), Some(bytes), "{label}");
        assert_eq!(read(encoding, bytes), text, "{label}");
        assert_eq!(read(Encoding::DVB, bytes), text, "{label}");
        // The first character does not fit, or has no room for the bytes before it.
        let mut machine = Transcoder::new(Encoding::UTF_8, encoding);
        let p = machine.convert(text.as_bytes(), &mut [], true);
        assert_eq!((p.read, p.written), (0, 0), "{label}");
    }
    assert_eq!(write(Encoding::DVB_LATIN, "П"), None);
    assert_eq!(write(Encoding::DVB, "a\tb"), None);
    assert_eq!(write(Encoding::DVB, ""), Some(Vec::new()));
}

#[test]
fn what_is_written_reads_the_same_and_may_be_cut_anywhere() {
    for encoding in members() {
        let (held, others) = round_trip(encoding);
        assert!(held > 150 && others.is_empty(), "{encoding} {held} {others:?}");
        let parts: [&[u8]; 8] = [
            b"\x10\x00\x02",
            b"\x10\x00",
            b"\x15\xC3",
            b"\x11\x04",
            b"\x01",
            b"\x1F",
            b"\xC2e",
            b"\x12\xB0\xA1",
        ];
        streaming(encoding, &parts, 60);
    }
}
