use super::*;
use placemat::stream::{Status, Transcoder};
use placemat::{ErrorPolicy, OnError as _, Span, utf8};

/// The message and the suggestion of each error in a text.
fn all(bytes: &[u8], encoding: Encoding, span: Span) -> Vec<(String, String)> {
    let mut checker = Transcoder::checker(encoding).on_error(ErrorPolicy::Stop.spanning(span));
    let mut found = Vec::new();
    let mut part: Option<Part> = None;
    let mut read = 0;
    loop {
        let p = checker.convert(&bytes[read..], &mut [], true);
        read += p.read;
        let Status::IllFormed(error) = p.status else { return found };
        let (before, following) = bytes.split_at(error.valid_up_to());
        let part_of = part.filter(|part| error.offset() < part.end);
        let mut d = Diagnosis::default();
        d.make(&Case { before, following, part_of, ..Case::new(&error, encoding) });
        part = part_of.or_else(|| d.part(&error));
        let mut message = String::new();
        d.write_message(error.offset(), &mut message);
        assert!(d.extent >= error.len() && !d.reason.is_empty() && !d.subject.is_empty());
        found.push((message, d.suggestion));
    }
}

#[track_caller]
fn says(encoding: Encoding, bytes: &[u8], messages: &[&str]) {
    let found: Vec<_> = all(bytes, encoding, Span::Maximal).into_iter().map(|(message, _)| message).collect();
    assert_eq!(found, messages, "{bytes:02x?}");
}

#[track_caller]
fn suggests(encoding: Encoding, bytes: &[u8], part: &str) {
    let found = all(bytes, encoding, Span::Maximal);
    assert!(found[0].1.contains(part), "{bytes:02x?}: {found:?}");
}

#[test]
fn overlong_forms() {
    let utf8 = Encoding::UTF_8;
    says(
        utf8,
        b"\xC0\xAF",
        &[
            "overlong sequence 0xc0 0xaf at byte 0: two bytes where one would do, would be U+002F '/'",
            "continuation byte 0xaf at byte 1: belongs to the overlong sequence at byte 0",
        ],
    );
    says(
        utf8,
        b"\xE0\x9F\xBF",
        &[
            "overlong sequence 0xe0 0x9f 0xbf at byte 0: three bytes where two would do, would be U+07FF '߿'",
            "continuation byte 0x9f at byte 1: belongs to the overlong sequence at byte 0",
            "continuation byte 0xbf at byte 2: belongs to the overlong sequence at byte 0",
        ],
    );
    let first = |bytes: &[u8]| all(bytes, utf8, Span::Maximal).swap_remove(0).0;
    assert_eq!(
        first(b"\xF0\x82\x82\xAC"),
        "overlong sequence 0xf0 0x82 0x82 0xac at byte 0: four bytes where three would do, would be U+20AC '€'"
    );
    assert_eq!(
        first(b"\xC0\x80"),
        "overlong sequence 0xc0 0x80 at byte 0: two bytes where one would do, would be U+0000, \
         as Java's Modified UTF-8 writes NUL"
    );
    assert_eq!(
        first(b"\xE0\x80"),
        "overlong sequence 0xe0 0x80 at byte 0: after 0xe0 the next byte must be 0xa0..0xbf: a lower one would fit in fewer bytes"
    );
    assert_eq!(
        first(b"\xC1 "),
        "byte 0xc1 at byte 0: could only start an overlong sequence, so it never occurs in UTF-8"
    );
    assert_eq!(
        first(b"\xF8\x80\x80\x80\xAF"),
        "sequence 0xf8 0x80 0x80 0x80 0xaf at byte 0: five bytes where one would do, would be U+002F '/'"
    );
}

#[test]
fn surrogates_and_values_that_are_too_large() {
    let utf8 = Encoding::UTF_8;
    says(
        utf8,
        b"\xED\xA0\xBD!",
        &[
            "surrogate 0xed 0xa0 0xbd at byte 0: half of a UTF-16 pair, would be U+D83D, which UTF-8 does not hold",
            "continuation byte 0xa0 at byte 1: belongs to the surrogate at byte 0",
            "continuation byte 0xbd at byte 2: belongs to the surrogate at byte 0",
        ],
    );
    let cesu = all(b"\xED\xA0\xBD\xED\xB8\x80", utf8, Span::Maximal);
    assert_eq!(
        cesu[0].0,
        "surrogate pair 0xed 0xa0 0xbd 0xed 0xb8 0x80 at byte 0: CESU-8 for U+1F600 '😀', which has four bytes in UTF-8"
    );
    assert!(cesu[0].1.starts_with("write all six bytes as 0xf0 0x9f 0x98 0x80"), "{cesu:?}");
    assert_eq!(cesu[3].0, "byte 0xed at byte 3: belongs to the surrogate pair at byte 0");
    let first = |bytes: &[u8]| all(bytes, utf8, Span::Maximal).swap_remove(0).0;
    assert_eq!(
        first(b"\xF4\x90\x80\x80"),
        "sequence 0xf4 0x90 0x80 0x80 at byte 0: would be U+110000, above the last code point U+10FFFF"
    );
    assert_eq!(
        first(b"\xF7\xBF\xBF\xBF"),
        "sequence 0xf7 0xbf 0xbf 0xbf at byte 0: would be U+1FFFFF, above the last code point U+10FFFF"
    );
    assert_eq!(
        first(b"\xFD\xBF\xBF\xBF\xBF\xBF"),
        "sequence 0xfd 0xbf 0xbf 0xbf 0xbf 0xbf at byte 0: would be U+7FFFFFFF, above the last code point U+10FFFF; \
         UTF-8 has had no six-byte sequences since RFC 3629 (2003)"
    );
    assert_eq!(
        first(b"\xF4\x90"),
        "sequence 0xf4 0x90 at byte 0: after 0xf4 the next byte must be 0x80..0x8f: a higher one would give more than U+10FFFF"
    );
}

#[test]
fn bytes_that_never_occur() {
    let utf8 = Encoding::UTF_8;
    says(
        utf8,
        b"\xFF\xFEa\0",
        &[
            "byte 0xff at byte 0: never occurs in UTF-8; 0xff 0xfe is the signature of UTF-16LE",
            "byte 0xfe at byte 1: belongs to the signature at byte 0",
        ],
    );
    suggests(utf8, b"\xFF\xFEa\0", "this looks like UTF-16LE: try `-f utf-16`");
    suggests(utf8, b"\xFF\xFE\0\0", "this looks like UTF-32LE: try `-f utf-32`");
    suggests(utf8, b"\0\0\xFE\xFF", "this looks like UTF-32BE: try `-f utf-32`");
    suggests(utf8, b"\xFE\xFF\0a", "this looks like UTF-16BE: try `-f utf-16`");
    says(utf8, b"\xFF", &["byte 0xff at byte 0: never occurs in UTF-8"]);
    says(
        utf8,
        b"\xF5",
        &["byte 0xf5 at byte 0: never occurs in UTF-8, where four bytes begin with 0xf0..0xf4"],
    );
    says(
        utf8,
        b"\xF8!",
        &["byte 0xf8 at byte 0: never occurs in UTF-8; in 1993 it began sequences of five bytes"],
    );
}

#[test]
fn sequences_that_break_off() {
    let utf8 = Encoding::UTF_8;
    for (bytes, message) in [
        (
            &b"caf\xE9!"[..],
            "lead byte 0xe9 at byte 3: needs 2 more continuation bytes, found 0x21 '!'; \
             looks like Latin-1 or windows-1252 'é'",
        ),
        (
            b"\xE2\x82\n",
            "truncated sequence 0xe2 0x82 at byte 0: needs 1 more continuation byte, found the end of the line",
        ),
        (
            b"\xC3\xE2\x82\xAC",
            "lead byte 0xc3 at byte 0: needs 1 more continuation byte, found 0xe2, which starts another sequence",
        ),
        (
            b"\xF0\x9F\x98",
            "incomplete sequence 0xf0 0x9f 0x98 at byte 0: the text ends here, after three bytes of a four-byte sequence",
        ),
        (
            b"\xC3",
            "incomplete sequence 0xc3 at byte 0: the text ends here, after one byte of a two-byte sequence",
        ),
    ] {
        says(utf8, bytes, &[message]);
    }
    says(
        utf8,
        b"caf\xE9",
        &[
            "incomplete sequence 0xe9 at byte 3: the text ends here, after one byte of a three-byte sequence; \
           looks like Latin-1 or windows-1252 'é'",
        ],
    );
}

#[test]
fn continuation_bytes_without_a_lead_byte() {
    let utf8 = Encoding::UTF_8;
    says(
        utf8,
        b"a \x93b\x94.",
        &[
            "continuation byte 0x93 at byte 2: no lead byte before it; looks like windows-1252 '“'",
            "continuation byte 0x94 at byte 4: no lead byte before it; looks like windows-1252 '”'",
        ],
    );
    says(
        utf8,
        b"20 \xB0C",
        &["continuation byte 0xb0 at byte 3: no lead byte before it; looks like Latin-1 or windows-1252 '°'"],
    );
    says(utf8, b"a\x81b", &["continuation byte 0x81 at byte 1: no lead byte before it"]);
    says(
        utf8,
        "é\u{80}".as_bytes().iter().copied().chain([0x80]).collect::<Vec<_>>().as_slice(),
        &["continuation byte 0x80 at byte 4: the sequence before it, 0xc2 0x80, is already complete"],
    );
    says(
        utf8,
        b"\x80\x80",
        &[
            "continuation byte 0x80 at byte 0: no lead byte before it",
            "continuation byte 0x80 at byte 1: no lead byte before it",
        ],
    );
}

#[test]
fn utf16_is_told_in_units() {
    says(
        Encoding::UTF_16LE,
        b"a\0\x3D\xD8b\0\x00\xDEc",
        &[
            "leading surrogate 0xd83d at byte 2: no trailing surrogate follows, found U+0062 'b'",
            "trailing surrogate 0xde00 at byte 6: no leading surrogate precedes it",
            "incomplete unit 0x63 at byte 8: the text ends here, after 1 byte of a 16-bit unit: its number of bytes is odd",
        ],
    );
    says(
        Encoding::UTF_16BE,
        b"\xD8\x3D\xDE",
        &["leading surrogate 0xd83d and 0xde at byte 0: the text ends here, within a surrogate pair"],
    );
    // Which byte order it is shows, where the case does not say.
    says(
        Encoding::UTF_16,
        b"\xFE\xFF\xDC\0",
        &["trailing surrogate 0xdc00 at byte 2: no leading surrogate precedes it"],
    );
    says(
        Encoding::UTF_16,
        b"\0\xDC",
        &["trailing surrogate 0xdc00 at byte 0: no leading surrogate precedes it"],
    );
    suggests(Encoding::UTF_16LE, b"\0a\0b\0c\x01\xD8\0d\0e", "try `-f utf-16be`");
    suggests(Encoding::UTF_16BE, b"a\0b\0c\0\xD8\x01d\0e\0", "try `-f utf-16le`");
    suggests(Encoding::UTF_16LE, b"an odd number", "try `-f utf-8`");
    suggests(Encoding::UTF_16LE, b"a\0b\0c\0d\0\0\xDC", "the other half is lost");
}

#[test]
fn utf32_is_told_in_values() {
    says(
        Encoding::UTF_32LE,
        b"\0\0\0a\0\xD8\0\0\0",
        &[
            "value 0x61000000 at byte 0: above the last code point U+10FFFF; in the other byte order it is U+0061 'a'",
            "surrogate 0x0000d800 at byte 4: half of a UTF-16 pair, which UTF-32LE does not hold",
            "incomplete unit 0x00 at byte 8: the text ends here, after 1 byte of a 32-bit unit",
        ],
    );
    says(
        Encoding::UTF_32BE,
        b"\0\0\xD8\x3D\0\0\xDE\0",
        &[
            "surrogate 0x0000d83d at byte 0: half of a UTF-16 pair, which UTF-32BE does not hold; \
             with the next unit it is U+1F600 '😀'",
            "surrogate 0x0000de00 at byte 4: half of a UTF-16 pair, which UTF-32BE does not hold; \
             the second half of U+1F600 '😀'",
        ],
    );
    says(
        Encoding::UCS_4BE,
        b"\x80\0\0\0",
        &["value 0x80000000 at byte 0: above the last code point U+7FFFFFFF; \
           in the other byte order it is U+0080"],
    );
    for encoding in [Encoding::UTF_32BE, Encoding::UTF_32] {
        says(encoding, b"\x80\0\0\x01", &["value 0x80000001 at byte 0: above the last code point U+10FFFF"]);
    }
}

#[test]
fn ascii_ends_at_7f() {
    says(
        Encoding::US_ASCII,
        b"caf\xC3\xA9",
        &[
            "byte 0xc3 at byte 3: ASCII ends at 0x7f; 0xc3 0xa9 is UTF-8 for U+00E9 'é'",
            "byte 0xa9 at byte 4: belongs to the UTF-8 sequence at byte 3",
        ],
    );
    says(
        Encoding::US_ASCII,
        b"caf\xE9",
        &["byte 0xe9 at byte 3: ASCII ends at 0x7f; looks like Latin-1 or windows-1252 'é'"],
    );
    suggests(Encoding::US_ASCII, b"caf\xC3\xA9", "try `-f utf-8`");
}

#[test]
fn without_context_the_error_itself_is_enough() {
    let e = utf8::validate(b"caf\xE0\x80").unwrap_err();
    assert_eq!(
        describe(&e, Encoding::UTF_8, &[], &[]),
        "overlong sequence 0xe0 0x80 at byte 3: after 0xe0 the next byte must be 0xa0..0xbf: a lower one would fit in fewer bytes"
    );
}

#[test]
fn every_short_string_can_be_explained_in_every_encoding_and_span() {
    let bytes = [
        0x00, 0x41, 0x7F, 0x80, 0xA0, 0xBF, 0xC0, 0xC3, 0xD8, 0xDC, 0xE0, 0xED, 0xF0, 0xF4, 0xF5, 0xFB, 0xFE,
        0xFF,
    ];
    for encoding in Encoding::ALL {
        for span in [Span::Maximal, Span::Unit, Span::Structural, Span::Lead] {
            for a in bytes {
                for b in bytes {
                    for c in bytes {
                        all(&[a, b, c], *encoding, span);
                        all(&[a, b, c, a, c, b, b], *encoding, span);
                    }
                }
            }
        }
    }
}

/// Reproducible bytes of all kinds.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    core::iter::repeat_with(next).take(len).collect()
}

#[test]
fn something_is_said_of_noise_in_every_encoding() {
    let mut bytes = noise(3000);
    bytes.extend(b"\x1B$)C\x0E\x1B$B+AAA-&AGE-~{~}+!\x1B$(Q\xF0\x9F\x98\x80\xED\xA0\x80\0\x0C\xF2\x0F");
    for &encoding in Encoding::ALL {
        for span in [Span::Maximal, Span::Unit, Span::Lead, Span::Structural] {
            for (message, _) in all(&bytes, encoding, span) {
                assert!(!message.contains("  ") && !message.ends_with(' '), "{encoding}: {message}");
            }
        }
    }
}

#[test]
fn other_encodings() {
    let find = |label| Encoding::for_label(label).expect("it is there");
    for (label, bytes, message, suggestion) in [
        ("utf-7", &b"1+!"[..], "byte 0x2b at byte 1: begins base64, and no base64 follows", "`+-`"),
        (
            "utf-7",
            b"caf\xE9",
            "byte 0xe9 at byte 3: the encoding has seven bits, but the eighth bit is set",
            "windows-1252",
        ),
        (
            "cesu-8",
            b"\xF0\x9F\x98\x80",
            "lead byte 0xf0 at byte 0: begins a sequence of four bytes, where this \
          encoding has two surrogates of three bytes each",
            "`-f utf-8`",
        ),
        ("shift_jis", b"\x93", "incomplete sequence 0x93 at byte 0: the text ends here, within it", "cut"),
        (
            "shift_jis",
            b"\x93\x20",
            "byte 0x93 at byte 0: a continuation byte must follow, found 0x20 ' '",
            "`placemat detect`",
        ),
        (
            "shift_jis",
            b"\x93\xFF",
            "sequence 0x93 0xff at byte 0: 0xff cannot follow 0x93 in Shift_JIS",
            "U+FFFD",
        ),
        ("euc-kr", b"a\xE2\x82\xACb", "", "`-f utf-8`"),
        (
            "iso-2022-jp",
            b"\x1B$(Q",
            "escape sequence 0x1b at byte 0: ESC $ ( Q is unknown to ISO-2022-JP, or not allowed here",
            "ISO-2022-JP-2004 has it: try `-f iso-2022-jp-2004`",
        ),
        (
            "iso-2022-jp",
            b"\x1B!",
            "escape sequence 0x1b at byte 0: ESC begins no escape sequence of ISO-2022-JP here",
            "another encoding",
        ),
        (
            "iso-2022-jp",
            b"\x1B$B$3\n",
            "byte 0x0a at byte 5: ISO-2022-JP assigns nothing to it in the character set that is selected here",
            "ESC ( B",
        ),
        (
            "gb18030",
            b"\x81\x30\x81\xFF",
            "byte 0x81 at byte 0: no character of GB18030 begins with 0x81 0x30 0x81 0xff",
            "U+FFFD",
        ),
        ("euc-kr", b"\xFF", "byte 0xff at byte 0: EUC-KR assigns nothing to it", "`placemat detect`"),
        (
            "utf-7",
            b"+2D0-",
            "byte 0x30 at byte 3: completes half of a surrogate pair in base64, without the other half",
            "U+FFFD",
        ),
        ("windows-1253", b"\xAA", "byte 0xaa at byte 0: windows-1253 assigns nothing to it", "U+00AA"),
    ] {
        let found = all(bytes, find(label), Span::Maximal);
        let (said, suggested) = &found[0];
        assert!(message.is_empty() || said == message, "{label}: {said}");
        assert!(suggested.contains(suggestion), "{label}: {said}: {suggested}");
    }
}

#[test]
fn suggestions_name_encodings_as_the_reader_does() {
    let error = utf8::validate(b"\xFF\xFEh\0i\0").unwrap_err();
    let mut d = Diagnosis::default();
    let case = Case { following: b"\xFF\xFEh\0i\0", ..Case::new(&error, Encoding::UTF_8) };
    d.make(&case);
    let command = d.suggestion.clone();
    assert!(command.contains("`-f utf-16"), "{command}");
    d.make(&Case { option: "", ..case });
    assert_eq!(d.suggestion, command.replace("`-f ", "`"));
}
