//! `Encoding::decode` and `Encoding::encode`, which borrow if they can, against the transcoder, which never does.

use crate::subject::in_parallel;
use placemat::forms::{Latin1, Utf8, Utf16, Utf32};
use placemat::policy::Substitute;
use placemat::stream::{Status, Transcoder};
use placemat::{
    CodePoint, ConvertError, Encoding, ErrorPolicy, Native, OnUnmappable, Replacement, Unmappable,
    UnmappablePolicy, convert,
};
use std::borrow::Cow;

/// Bytes with a meaning in some encoding: shifts, escapes, lead and continuation bytes, and some
/// ASCII.
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
        let expected = Transcoder::new(encoding, Encoding::UTF_8).on_error(policy).transcode(src);
        let found = encoding.decode(src, policy);
        borrowed |= matches!(found, Ok(Cow::Borrowed(_)));
        let found = found.map(|text| text.into_owned().into_bytes());
        // Into a string, Replace also succeeds for code points that are not scalar values; face.rs
        // tests the result.
        if policy == ErrorPolicy::Replace && matches!(expected, Err(ConvertError::Unmappable(_))) {
            assert!(found.is_ok(), "{encoding} {src:02x?}");
            continue;
        }
        assert_eq!(found, expected, "{encoding} {policy:?} {src:02x?}");
    }
    if let Ok(text) = core::str::from_utf8(src) {
        for policy in [UnmappablePolicy::Stop, UnmappablePolicy::Replace, UnmappablePolicy::Optu] {
            let expected = Transcoder::new(Encoding::UTF_8, encoding).on_unmappable(policy).transcode(src);
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

#[test]
fn only_ascii_is_borrowed() {
    let mut bytes = [b'x'; 200];
    for len in 0..=bytes.len() {
        for encoding in [Encoding::WINDOWS_1252, Encoding::ISO_8859_1, Encoding::SHIFT_JIS] {
            let found = encoding.decode(&bytes[..len], ErrorPolicy::Stop);
            assert!(matches!(found, Ok(Cow::Borrowed(text)) if text.as_bytes() == &bytes[..len]), "{len}");
        }
        for at in 0..len {
            // A half-width katakana, and a letter of western Europe.
            bytes[at] = 0xC5;
            for (encoding, c) in [(Encoding::WINDOWS_1252, 'Å'), (Encoding::SHIFT_JIS, 'ﾅ')] {
                let found = encoding.decode(&bytes[..len], ErrorPolicy::Stop).expect("each byte is defined");
                let expected: String = (0..len).map(|i| if i == at { c } else { 'x' }).collect();
                assert!(matches!(&found, Cow::Owned(text) if *text == expected), "{encoding} {len} {at}");
            }
            bytes[at] = b'x';
        }
    }
}

/// Yields a text, which some encodings cannot represent.
struct Puts(&'static str);

impl OnUnmappable for Puts {
    fn handle(&mut self, _: &Unmappable) -> Substitute<'_> {
        Replacement::new(self.0).map_or(Substitute::Stop, Substitute::Text)
    }
}

#[test]
fn what_an_encoding_lacks_is_put_at_any_distance() {
    const LACKING: [char; 3] = ['\u{10FFFD}', '\u{E123}', 'Ԁ'];
    let encodings = [
        Encoding::WINDOWS_1252,
        Encoding::WINDOWS_1251,
        Encoding::US_ASCII,
        Encoding::ISO_8859_1,
        Encoding::SHIFT_JIS,
        Encoding::GBK,
        Encoding::GB18030,
        Encoding::EUC_KR,
        Encoding::ISO_2022_JP,
        Encoding::for_label("IBM037").expect("it is known"),
    ];
    let mut texts = Vec::new();
    for filler in ["a", "é", "aЖ", "日本 "] {
        for gap in (0..40).chain([63, 64, 65, 127, 128, 129, 300]) {
            for lacking in LACKING {
                let stretch: String = filler.chars().cycle().take(gap).collect();
                texts.push(format!("{stretch}{lacking}{stretch}{lacking}{lacking}{stretch}"));
            }
        }
    }
    for encoding in encodings {
        for text in &texts {
            substitutes(encoding, text, || UnmappablePolicy::Stop);
            substitutes(encoding, text, || UnmappablePolicy::Replace);
            substitutes(encoding, text, || UnmappablePolicy::Skip);
            substitutes(encoding, text, || UnmappablePolicy::XmlReference);
            for put in ["", "?", "<é>", "日本", "aԀ"] {
                substitutes(encoding, text, || Puts(put));
            }
        }
    }
}

/// Compares with the encoding of each code point by itself.
#[track_caller]
fn substitutes<U: OnUnmappable>(encoding: Encoding, text: &str, policy: impl Fn() -> U) {
    // A text in ISO-2022-JP is more than its characters, so the engine converts it.
    let expected: Result<Vec<u8>, (u64, CodePoint)> = if encoding == Encoding::ISO_2022_JP {
        let whole = Transcoder::new(Encoding::UTF_8, encoding).on_unmappable(policy());
        whole.transcode(text.as_bytes()).map_err(|e| match e {
            ConvertError::Unmappable(e) => (e.offset(), e.code_point()),
            e => panic!("{e}"),
        })
    } else {
        text.char_indices()
            .map(|(at, c)| {
                // With one code point at a time, no kernel continues after it.
                let mut out = [0; 64];
                let mut one = Transcoder::new(Encoding::UTF_8, encoding).on_unmappable(policy());
                let p = one.convert(c.encode_utf8(&mut [0; 4]).as_bytes(), &mut out, true);
                match p.status {
                    Status::Done => Ok(out[..p.written].to_vec()),
                    Status::Unmappable(e) => Err((at as u64, e.code_point())),
                    status => panic!("{status:?}"),
                }
            })
            .collect::<Result<Vec<_>, _>>()
            .map(|all| all.concat())
    };
    let found = encoding.encode(text, policy()).map(Cow::into_owned);
    assert_eq!(found.map_err(|e| (e.offset(), e.code_point())), expected, "{encoding} {text}");
}

/// Checks texts of every length from none to more than fits on the stack, with all kinds of
/// sequences at their ends.
fn of_many_lengths(mut check: impl FnMut(&str)) {
    let mixed = "<p>Привет, мир!</p> naïve “café” 日本語のテキスト😀🙂 plain ASCII goes on for a while here. ÿ\u{7FF}\u{800}\u{FFFF}𝄞"
        .repeat(12);
    for repeated in ["a", "é", "Ж", "日", "😀", &mixed] {
        let all: Vec<char> = repeated.chars().cycle().take(900).collect();
        for len in (0..=700).chain([800, 900]) {
            check(&all[900 - len..].iter().collect::<String>());
        }
    }
}

#[test]
fn results_in_memory_of_their_own_are_those_of_the_standard_library() {
    of_many_lengths(|text| {
        let units: Vec<u16> = text.encode_utf16().collect();
        let points: Vec<u32> = text.chars().map(u32::from).collect();
        assert_eq!(convert::encode::<Utf16<Native>>(text, UnmappablePolicy::Stop).as_ref(), Ok(&units));
        assert_eq!(convert::encode::<Utf32<Native>>(text, UnmappablePolicy::Stop).as_ref(), Ok(&points));
        assert_eq!(convert::decode::<Utf16<Native>>(&units, ErrorPolicy::Stop).as_deref(), Ok(text));
        assert_eq!(convert::decode::<Utf32<Native>>(&points, ErrorPolicy::Stop).as_deref(), Ok(text));
        for (encoding, big) in [(Encoding::UTF_16LE, false), (Encoding::UTF_16BE, true)] {
            let bytes: Vec<u8> = units
                .iter()
                .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect();
            assert_eq!(encoding.decode(&bytes, ErrorPolicy::Stop).as_deref(), Ok(text));
            assert_eq!(encoding.encode(text, UnmappablePolicy::Stop).as_deref(), Ok(&bytes[..]));
        }
        let latin: String = text.bytes().map(char::from).collect();
        assert_eq!(convert::decode::<Latin1>(text.as_bytes(), ErrorPolicy::Stop).as_ref(), Ok(&latin));
        let back = convert::encode::<Latin1>(&latin, UnmappablePolicy::Stop);
        assert_eq!(back.as_deref(), Ok(text.as_bytes()));
    });
}

#[test]
fn an_error_at_any_place_of_a_short_text_is_found_and_replaced() {
    for padding in ["a", "é", "日", "😀"] {
        let whole: Vec<u16> = padding.repeat(340).encode_utf16().collect();
        for len in [1, 2, 5, 31, 32, 33, 63, 64, 65, 80, 129, 300, 340] {
            for at in (0..len).step_by(padding.encode_utf16().count()) {
                let mut units = whole[..len].to_vec();
                units[at] = 0xDC00;
                let lossy = String::from_utf16_lossy(&units);
                let found = convert::decode::<Utf16<Native>>(&units, ErrorPolicy::Replace);
                assert_eq!(found.as_deref(), Ok(&*lossy), "{units:04x?}");
                let stop = convert::decode::<Utf16<Native>>(&units, ErrorPolicy::Stop);
                assert_eq!(stop.map_err(|e| e.offset()), Err(at as u64), "{units:04x?}");

                let mut bytes = padding.repeat(len).into_bytes();
                let at = at * padding.len() / padding.encode_utf16().count();
                bytes[at] = 0xFF;
                let lossy: Vec<u16> = String::from_utf8_lossy(&bytes).encode_utf16().collect();
                let (replace, stop) = (ErrorPolicy::Replace, UnmappablePolicy::Stop);
                let found = convert::transcode::<Utf8, Utf16<Native>>(&bytes, replace, stop);
                assert_eq!(found.as_ref(), Ok(&lossy), "{bytes:02x?}");
                let found = convert::transcode::<Utf8, Utf16<Native>>(&bytes, ErrorPolicy::Stop, stop);
                assert_eq!(found.map_err(|e| e.offset()), Err(at as u64), "{bytes:02x?}");
            }
        }
    }
}
