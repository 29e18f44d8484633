//! MARC-8: known texts, its repertoire, marks and their bases, and the law of streaming.

use crate::data::hex;
use crate::subject::{Plan, drive};
use crate::tables::{long, read, round_trip, streaming, write};
use placemat::Encoding;
use placemat::stream::{Status, Transcoder};

const MARC8: Encoding = Encoding::MARC_8;

const PARTS: [&[u8]; 14] = [
    b"\x1B(S",
    b"\x1B(2",
    b"\x1B)N",
    b"\x1B$1",
    b"\x1B(B",
    b"\x1Bs",
    b"\x1Bg",
    b"\x1B(!E",
    b"\x1B",
    b"\xE1a",
    b"\xE1\xE2",
    b"!Os",
    b"\xE1",
    b"\x1B-Q",
];

fn both(text: &str, bytes: &[u8]) {
    assert_eq!(write(MARC8, text).map(|bytes| hex(&bytes)), Some(hex(bytes)), "{text:?}");
    assert_eq!(read(MARC8, bytes), text);
}

#[test]
fn known_texts() {
    both("", b"");
    both("De la solitude a\u{300} la communaute\u{301}e.", b"De la solitude \xE1a la communaut\xE2ee.");
    // ANSEL, and two marks on a base.
    both("\u{141}o\u{301}dz\u{301}\u{323}", b"\xA1\xE2od\xE2\xF2z");
    // Greek, with its marks in ANSEL.
    both("\u{3B1}\u{301}!", b"\x1B(S\xE2a\x1B(B!");
    both("a\u{FE20}i\u{FE21}\n", b"\xEBa\xECi\n");
    both("2\u{2082}\u{B2}\u{3B1}x", b"2\x1Bb2\x1Bp2\x1B(Sa\x1B(Bx");
    both("\u{4E00}\u{3000}\u{4E8C} \u{8A9E}", b"\x1B$1!0!!# !0Q !Xl\x1B(B");
    // Hebrew, with its mark in the same set.
    both("\u{5E9}\u{5C1}\u{98}", b"\x1B(2My\x88\x1B(B");
}

/// Sequences that other programs write and the library only reads.
#[test]
fn other_ways() {
    for (bytes, text) in [
        (&b"\x1B,NA"[..], "\u{430}"),
        (b"\x1B-N\xC1A", "\u{430}A"),
        (b"\x1B)Q\xC0", "\u{491}"),
        (b"\x1B(!E!\x1Bs!", "\u{141}!"),
        (b"\x1B$,1!0!\x1B$)1\xA1\xB0\xA1", "\u{4E00}\u{4E00}"),
        (b"\xE2\x1B(Sa", "\u{3B1}\u{301}"),
        (b"\x88\x8D", "\u{98}\u{200D}"),
    ] {
        assert_eq!(read(MARC8, bytes), text, "{}", hex(bytes));
    }
}

#[test]
fn errors() {
    let codes = |bytes: &[u8]| {
        let mut checker = Transcoder::checker(MARC8);
        let found = drive(&mut checker, bytes, &Plan::room(0)).troubles;
        let found = found.iter().map(|(status, _)| match status {
            Status::IllFormed(e) => (e.valid_up_to(), e.len(), e.code()),
            other => panic!("{other:?}"),
        });
        found.collect::<Vec<_>>()
    };
    assert_eq!(codes(b"a\xE1\xE2\n"), [(1, 2, "bad-trail")]);
    assert_eq!(codes(b"a\xE1"), [(1, 1, "incomplete")]);
    assert_eq!(codes(b"\x1Bx\x80\xFF"), [(0, 1, "unknown-escape"), (2, 1, "undefined"), (3, 1, "undefined")]);
    assert_eq!(codes(&[0xE1; 14]), [(0, 12, "bad-trail"), (12, 2, "incomplete")]);
    assert_eq!(codes(b"\x1B$1!0"), [(3, 2, "incomplete")]);
    assert_eq!(codes(b"\x1B$1!\n!!~"), [(3, 1, "bad-trail"), (5, 3, "undefined")]);
    // A mark needs a base.
    assert_eq!(write(MARC8, "\u{301}"), None);
    assert_eq!(write(MARC8, "\u{E9}"), None, "composed");
}

#[test]
fn what_is_written_reads_the_same() {
    let (held, others) = round_trip(MARC8);
    assert!(others.is_empty(), "{others:x?}");
    assert_eq!(held, 16_058);
}

#[test]
fn the_law_of_streaming() {
    streaming(MARC8, &PARTS, if long() { 20_000 } else { 300 });
}
