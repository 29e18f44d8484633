//! The module `mem`.

use crate::common::{LETTERS, Numbers, text};
use encoding_rs::mem as ours;
use encoding_rs_peer::mem as theirs;

/// Returns bytes that are UTF-8, nearly, or often.
fn near_utf8(numbers: &mut Numbers) -> Vec<u8> {
    let mut src = match numbers.below(4) {
        0 => vec![b'a'; numbers.below(90)],
        1 => "é".repeat(numbers.below(40)).into_bytes(),
        _ => text(numbers, 30).into_bytes(),
    };
    for _ in 0..numbers.below(3) {
        let at = numbers.below(src.len() + 1);
        match numbers.below(3) {
            0 => src.insert(at, numbers.byte()),
            1 => src.truncate(at),
            _ => drop(src.splice(at..at, LETTERS[numbers.below(LETTERS.len())].bytes())),
        }
    }
    src
}

/// Returns code units that are UTF-16, nearly, or often.
fn near_utf16(numbers: &mut Numbers) -> Vec<u16> {
    let mut units: Vec<u16> = match numbers.below(4) {
        0 => vec![0x61; numbers.below(90)],
        1 => vec![0xE9; numbers.below(90)],
        _ => text(numbers, 30).encode_utf16().collect(),
    };
    for _ in 0..numbers.below(3) {
        let at = numbers.below(units.len() + 1);
        let odd = [0x80, 0x100, 0x5D0, 0x202E, 0xD800, 0xD802, 0xD83A, 0xDC00, 0xDFFF, 0xFEFF, 0xFE70];
        units.insert(at, odd[numbers.below(odd.len())]);
    }
    units
}

const ROUNDS: usize = 30_000;

#[test]
fn questions_about_utf8() {
    let mut numbers = Numbers::new(41);
    for _ in 0..ROUNDS {
        let src = near_utf8(&mut numbers);
        assert_eq!(ours::is_ascii(&src), theirs::is_ascii(&src), "{src:02X?}");
        assert_eq!(ours::is_utf8_latin1(&src), theirs::is_utf8_latin1(&src), "{src:02X?}");
        assert_eq!(ours::utf8_latin1_up_to(&src), theirs::utf8_latin1_up_to(&src), "{src:02X?}");
        assert_eq!(ours::is_utf8_bidi(&src), theirs::is_utf8_bidi(&src), "{src:02X?}");
        let found = format!("{:?}", ours::check_utf8_for_latin1_and_bidi(&src));
        assert_eq!(found, format!("{:?}", theirs::check_utf8_for_latin1_and_bidi(&src)), "{src:02X?}");
        let Ok(text) = core::str::from_utf8(&src) else { continue };
        assert_eq!(ours::is_str_latin1(text), theirs::is_str_latin1(text), "{text:?}");
        assert_eq!(ours::str_latin1_up_to(text), theirs::str_latin1_up_to(text), "{text:?}");
        assert_eq!(ours::is_str_bidi(text), theirs::is_str_bidi(text), "{text:?}");
        let found = format!("{:?}", ours::check_str_for_latin1_and_bidi(text));
        assert_eq!(found, format!("{:?}", theirs::check_str_for_latin1_and_bidi(text)), "{text:?}");
    }
}

#[test]
fn questions_about_utf16() {
    let mut numbers = Numbers::new(42);
    for _ in 0..ROUNDS {
        let mut src = near_utf16(&mut numbers);
        assert_eq!(ours::is_basic_latin(&src), theirs::is_basic_latin(&src), "{src:X?}");
        assert_eq!(ours::is_utf16_latin1(&src), theirs::is_utf16_latin1(&src), "{src:X?}");
        assert_eq!(ours::is_utf16_bidi(&src), theirs::is_utf16_bidi(&src), "{src:X?}");
        assert_eq!(ours::utf16_valid_up_to(&src), theirs::utf16_valid_up_to(&src), "{src:X?}");
        let found = format!("{:?}", ours::check_utf16_for_latin1_and_bidi(&src));
        assert_eq!(found, format!("{:?}", theirs::check_utf16_for_latin1_and_bidi(&src)), "{src:X?}");
        let mut expected = src.clone();
        ours::ensure_utf16_validity(&mut src);
        theirs::ensure_utf16_validity(&mut expected);
        assert_eq!(src, expected);
    }
}

#[test]
fn which_characters_run_from_right_to_left() {
    for c in '\0'..=char::MAX {
        assert_eq!(ours::is_char_bidi(c), theirs::is_char_bidi(c), "{c:?}");
        let mut text = [0; 4];
        let text = &*c.encode_utf8(&mut text);
        assert_eq!(ours::is_str_bidi(text), theirs::is_str_bidi(text), "{c:?}");
        assert_eq!(ours::is_utf8_bidi(text.as_bytes()), theirs::is_utf8_bidi(text.as_bytes()), "{c:?}");
        assert_eq!(ours::is_str_latin1(text), theirs::is_str_latin1(text), "{c:?}");
    }
    for unit in 0..=u16::MAX {
        assert_eq!(ours::is_utf16_code_unit_bidi(unit), theirs::is_utf16_code_unit_bidi(unit), "{unit:X}");
    }
}

#[test]
fn conversions_from_utf8() {
    let mut numbers = Numbers::new(43);
    for _ in 0..ROUNDS {
        let src = near_utf8(&mut numbers);
        let (mut found, mut expected) = (vec![0; src.len() + 1], vec![0; src.len() + 1]);
        let len = ours::convert_utf8_to_utf16(&src, &mut found);
        assert_eq!(len, theirs::convert_utf8_to_utf16(&src, &mut expected), "{src:02X?}");
        assert_eq!(found[..len], expected[..len], "{src:02X?}");
        let (found, expected) = (&mut found[..src.len()], &mut expected[..src.len()]);
        let len = ours::convert_utf8_to_utf16_without_replacement(&src, found);
        assert_eq!(len, theirs::convert_utf8_to_utf16_without_replacement(&src, expected), "{src:02X?}");
        if let Some(len) = len {
            assert_eq!(found[..len], expected[..len], "{src:02X?}");
        }
        let (mut found, mut expected) = (vec![0; src.len()], vec![0; src.len()]);
        let len = ours::copy_ascii_to_ascii(&src, &mut found);
        assert_eq!(len, theirs::copy_ascii_to_ascii(&src, &mut expected), "{src:02X?}");
        assert_eq!(found[..len], expected[..len], "{src:02X?}");
        let (mut found, mut expected) = (vec![0; src.len()], vec![0; src.len()]);
        let len = ours::copy_ascii_to_basic_latin(&src, &mut found);
        assert_eq!(len, theirs::copy_ascii_to_basic_latin(&src, &mut expected), "{src:02X?}");
        assert_eq!(found[..len], expected[..len], "{src:02X?}");
        ours::convert_latin1_to_utf16(&src, &mut found);
        theirs::convert_latin1_to_utf16(&src, &mut expected);
        assert_eq!(found, expected);
        if ours::is_utf8_latin1(&src) {
            let (mut found, mut expected) = (vec![0; src.len()], vec![0; src.len()]);
            let len = ours::convert_utf8_to_latin1_lossy(&src, &mut found);
            assert_eq!(len, theirs::convert_utf8_to_latin1_lossy(&src, &mut expected), "{src:02X?}");
            assert_eq!(found[..len], expected[..len], "{src:02X?}");
            let text = core::str::from_utf8(&src).expect("it is Latin-1 in UTF-8");
            assert_eq!(ours::encode_latin1_lossy(text), theirs::encode_latin1_lossy(text), "{src:02X?}");
        }
        if let Ok(text) = core::str::from_utf8(&src) {
            let len = ours::convert_str_to_utf16(text, &mut found);
            assert_eq!(found[..len], text.encode_utf16().collect::<Vec<_>>());
        }
    }
}

#[test]
fn conversions_from_utf16() {
    let mut numbers = Numbers::new(44);
    for _ in 0..ROUNDS {
        let src = near_utf16(&mut numbers);
        let (mut found, mut expected) = (vec![0; 3 * src.len()], vec![0; 3 * src.len()]);
        let len = ours::convert_utf16_to_utf8(&src, &mut found);
        assert_eq!(len, theirs::convert_utf16_to_utf8(&src, &mut expected), "{src:X?}");
        assert_eq!(found[..len], expected[..len], "{src:X?}");
        let mut found = "é".repeat(2 * src.len());
        assert_eq!(ours::convert_utf16_to_str(&src, &mut found), len);
        assert_eq!(found.as_bytes()[..len], expected[..len]);
        assert!(core::str::from_utf8(found.as_bytes()).is_ok());

        // With too little room: what is written is the longest that fits, and the rest stays.
        let room = numbers.below(len + 2);
        let mut found = vec![0xA5; room];
        let (read, written) = ours::convert_utf16_to_utf8_partial(&src, &mut found);
        let mut expected = vec![0xA5; room];
        assert_eq!(
            (read, written),
            theirs::convert_utf16_to_utf8_partial(&src, &mut expected),
            "{src:X?} {room}"
        );
        assert_eq!(found, expected, "{src:X?} {room}");
        let text: String = "€é😀a".chars().cycle().take(room).collect();
        let (mut found, mut expected) = (text.clone(), text);
        let done = ours::convert_utf16_to_str_partial(&src, &mut found);
        assert_eq!(done, theirs::convert_utf16_to_str_partial(&src, &mut expected), "{src:X?} {room}");
        assert!(core::str::from_utf8(found.as_bytes()).is_ok());
        assert_eq!(found, expected, "{src:X?} {room}");

        let (mut found, mut expected) = (vec![0; src.len()], vec![0; src.len()]);
        let len = ours::copy_basic_latin_to_ascii(&src, &mut found);
        assert_eq!(len, theirs::copy_basic_latin_to_ascii(&src, &mut expected), "{src:X?}");
        assert_eq!(found[..len], expected[..len], "{src:X?}");
        if ours::is_utf16_latin1(&src) {
            ours::convert_utf16_to_latin1_lossy(&src, &mut found);
            theirs::convert_utf16_to_latin1_lossy(&src, &mut expected);
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn conversions_from_latin1() {
    let mut numbers = Numbers::new(45);
    for _ in 0..ROUNDS {
        let src = near_utf8(&mut numbers);
        assert_eq!(ours::decode_latin1(&src), theirs::decode_latin1(&src));
        let (mut found, mut expected) = (vec![0; 2 * src.len()], vec![0; 2 * src.len()]);
        let len = ours::convert_latin1_to_utf8(&src, &mut found);
        assert_eq!(len, theirs::convert_latin1_to_utf8(&src, &mut expected));
        assert_eq!(found[..len], expected[..len]);
        let mut found = "é".repeat(src.len());
        assert_eq!(ours::convert_latin1_to_str(&src, &mut found), len);
        assert_eq!(found.as_bytes()[..len], expected[..len]);
        let room = numbers.below(len + 2);
        let (read, written) = ours::convert_latin1_to_utf8_partial(&src, &mut vec![0; room]);
        let whole: String = src[..read].iter().copied().map(char::from).collect();
        assert_eq!(whole.len(), written);
        assert!(read == src.len() || written + 2 > room, "{src:02X?} {room}");
        let mut text: String = "€é😀a".chars().cycle().take(room).collect();
        let (read, written) = ours::convert_latin1_to_str_partial(&src, &mut text);
        assert_eq!(text[..written], src[..read].iter().copied().map(char::from).collect::<String>());
        assert!(core::str::from_utf8(text.as_bytes()).is_ok());
    }
}

#[test]
fn a_short_destination_panics() {
    let panics = |f: &dyn Fn()| assert!(std::panic::catch_unwind(core::panic::AssertUnwindSafe(f)).is_err());
    panics(&|| _ = ours::convert_utf8_to_utf16(b"ab", &mut [0; 2]));
    panics(&|| _ = ours::convert_str_to_utf16("ab", &mut [0; 1]));
    panics(&|| _ = ours::convert_utf16_to_utf8(&[0x61], &mut [0; 2]));
    panics(&|| ours::convert_latin1_to_utf16(b"ab", &mut [0; 1]));
    panics(&|| _ = ours::copy_ascii_to_ascii(b"ab", &mut [0; 1]));
}
