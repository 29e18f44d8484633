//! `Encoding::decode` and `Encoding::encode`, which borrow if they can, against the transcoder, which never does.

use crate::subject::in_parallel;
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};
use std::borrow::Cow;

/// Bytes with a meaning in some encoding: shifts, escapes, lead and continuation bytes, and some of ASCII.
const BYTES: [u8; 42] = [
    0x00, 0x09, 0x0A, 0x0D, 0x0E, 0x0F, 0x10, 0x1B, 0x20, b'&', b'+', b'-', b'0', b'A', b'B', b'\\', b'a',
    b'n', b'z', b'{', b'~', 0x7F, 0x80, 0x81, 0x8E, 0x8F, 0x95, 0xA0, 0xA1, 0xBB, 0xBF, 0xC0, 0xC3, 0xE0,
    0xE3, 0xED, 0xEF, 0xF0, 0xF4, 0xF7, 0xFE, 0xFF,
];

const TEXTS: [&str; 8] = [
    "",
    "plain ASCII, of more than sixteen bytes",
    "\u{FEFF}signed",
    "café",
    "日本語 5 €",
    "a\0b",
    "😀 𝄞",
    "a+b & c~d \\ \u{1B}$B \u{E}x\u{F}",
];

fn check(encoding: Encoding, src: &[u8]) -> bool {
    let mut borrowed = false;
    for policy in [ErrorPolicy::Stop, ErrorPolicy::Replace, ErrorPolicy::Optu, ErrorPolicy::HexEscape] {
        let expected = Transcoder::from(encoding).on_error(policy).transcode(src);
        let found = encoding.decode(src, policy);
        borrowed |= matches!(found, Ok(Cow::Borrowed(_)));
        let found = found.map(|text| text.into_owned().into_bytes());
        assert_eq!(found, expected, "{encoding} {policy:?} {src:02x?}");
    }
    if let Ok(text) = core::str::from_utf8(src) {
        for policy in [UnmappablePolicy::Stop, UnmappablePolicy::Replace, UnmappablePolicy::Optu] {
            let expected =
                Transcoder::from(Encoding::UTF_8).to(encoding).on_unmappable(policy).transcode(src);
            let found = encoding.encode(text, policy);
            borrowed |= matches!(found, Ok(Cow::Borrowed(_)));
            assert_eq!(found.map(Cow::into_owned).ok(), expected.ok(), "{encoding} {policy:?} {text:?}");
        }
    }
    borrowed
}

#[test]
fn borrowed_or_not_it_is_what_the_transcoder_makes() {
    in_parallel(Encoding::ALL.len(), |i| {
        let encoding = Encoding::ALL[i];
        for byte in 0..=0xFF {
            check(encoding, &[byte]);
        }
        for first in BYTES {
            for second in BYTES {
                check(encoding, &[first, second]);
                check(encoding, &[b'a', first, second, b'a']);
            }
        }
        for text in TEXTS {
            check(encoding, text.as_bytes());
        }
    });
}

#[test]
fn text_that_is_right_already_is_borrowed() {
    for (encoding, text) in [
        (Encoding::UTF_8, "日本語 5 €"),
        (Encoding::WTF_8, "😀 𝄞"),
        (Encoding::CESU_8, "日本語 5 €"),
        (Encoding::WINDOWS_1252, "plain"),
        (Encoding::SHIFT_JIS, "plain"),
        (Encoding::ISO_2022_JP, "plain"),
    ] {
        assert!(
            matches!(encoding.decode(text.as_bytes(), ErrorPolicy::Stop), Ok(Cow::Borrowed(_))),
            "{encoding}"
        );
        assert!(matches!(encoding.encode(text, UnmappablePolicy::Stop), Ok(Cow::Borrowed(_))), "{encoding}");
    }
    // The signature is not part of the text; the rest is borrowed.
    assert!(matches!(
        Encoding::UTF_8_BOM.decode(b"\xEF\xBB\xBFa", ErrorPolicy::Stop),
        Ok(Cow::Borrowed("a"))
    ));
    // Bytes that are well-formed UTF-8, but with an escape sequence, are not borrowed.
    assert!(matches!(Encoding::ISO_2022_JP.decode(b"\x1B(Ba", ErrorPolicy::Stop), Ok(Cow::Owned(_))));
}
