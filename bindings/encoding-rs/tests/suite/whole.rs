//! Whole texts.

use crate::common::{Numbers, bytes, pairs};
use std::borrow::Cow;

/// With each handling of byte order marks: the same text, borrowed where the peer borrows.
#[test]
fn whole_texts_are_the_same() {
    let mut numbers = Numbers::new(31);
    for (ours, theirs) in pairs() {
        for round in 0..5000 {
            let mut src = bytes(&mut numbers, theirs, [3, 12, 60, 600, 5000][round % 5]);
            if round % 10 == 0 {
                src.retain(u8::is_ascii);
            }
            let (text, used, had_errors) = ours.decode(&src);
            let (expected, their_used, their_errors) = theirs.decode(&src);
            let name = ours.name();
            assert_eq!(
                (&text, used.name(), had_errors),
                (&expected, their_used.name(), their_errors),
                "{name} {src:02X?}"
            );
            let is_borrowed = |text: &Cow<'_, str>| matches!(text, Cow::Borrowed(_));
            assert_eq!(is_borrowed(&text), is_borrowed(&expected), "{name} {src:02X?}");
            let (expected, found) =
                (theirs.decode_with_bom_removal(&src), ours.decode_with_bom_removal(&src));
            assert_eq!(found, expected, "{name} {src:02X?}");
            let expected = theirs.decode_without_bom_handling(&src);
            assert_eq!(ours.decode_without_bom_handling(&src), expected, "{name} {src:02X?}");
            let expected = theirs.decode_without_bom_handling_and_without_replacement(&src);
            let found = ours.decode_without_bom_handling_and_without_replacement(&src);
            assert_eq!(found, expected, "{name} {src:02X?}");
        }
    }
}

/// Every character, and every pair of bytes.
#[test]
fn every_character_and_every_pair() {
    for (ours, theirs) in pairs() {
        for c in '\0'..=char::MAX {
            let mut text = [0; 4];
            let text = &*c.encode_utf8(&mut text);
            let (expected, _, their_had) = theirs.encode(text);
            let (found, _, had) = ours.encode(text);
            assert_eq!((found, had), (expected, their_had), "{} {c:?}", ours.name());
        }
        for two in 0..=u16::MAX {
            let src = two.to_be_bytes();
            let (expected, _, their_had) = theirs.decode(&src);
            let (found, _, had) = ours.decode(&src);
            assert_eq!((found, had), (expected, their_had), "{} {src:02X?}", ours.name());
        }
    }
}
