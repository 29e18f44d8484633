//! Encodings as values: labels, facts, statics, serialized data.

use crate::common::{Numbers, pairs};
use encoding_rs::{Encoding, UTF_8, UTF_8_INIT, WINDOWS_1252_INIT};
use std::collections::HashSet;

#[test]
fn facts_are_the_same() {
    for (ours, theirs) in pairs() {
        assert_eq!(ours.output_encoding().name(), theirs.output_encoding().name());
        assert_eq!(ours.is_ascii_compatible(), theirs.is_ascii_compatible(), "{}", ours.name());
        assert_eq!(ours.is_single_byte(), theirs.is_single_byte(), "{}", ours.name());
        assert_eq!(ours.can_encode_everything(), theirs.can_encode_everything(), "{}", ours.name());
        assert_eq!(format!("{ours:?}"), format!("{theirs:?}"));
        assert_eq!(ours.new_encoder().encoding().name(), theirs.new_encoder().encoding().name());
    }
}

/// The labels of all encodings that this library knows, and what is near them.
#[test]
fn labels_are_the_same() {
    let labels: Vec<&str> = placemat::Encoding::ALL
        .iter()
        .flat_map(|encoding| encoding.names().labels.into_iter().chain(encoding.names().web_labels))
        .chain(placemat::Encoding::ALL.iter().map(|encoding| encoding.name()))
        .collect();
    assert!(labels.len() > 1000);
    let mut known = 0;
    for label in labels {
        let odd = [
            label.into(),
            label.to_uppercase(),
            format!(" \t{label}\r\n\x0C"),
            format!("\x0B{label}"),
            format!("{label}\0"),
            format!("{label} {label}"),
        ];
        for label in odd {
            let ours = Encoding::for_label(label.as_bytes()).map(Encoding::name);
            let theirs = encoding_rs_peer::Encoding::for_label(label.as_bytes());
            assert_eq!(ours, theirs.map(encoding_rs_peer::Encoding::name), "{label:?}");
            let ours = Encoding::for_label_no_replacement(label.as_bytes()).map(Encoding::name);
            let theirs = encoding_rs_peer::Encoding::for_label_no_replacement(label.as_bytes());
            assert_eq!(ours, theirs.map(encoding_rs_peer::Encoding::name), "{label:?}");
            known += usize::from(ours.is_some());
        }
    }
    assert!(known > 600);
    assert_eq!(Encoding::for_label(b"utf-8\xFF"), None);
}

#[test]
fn byte_order_marks_are_the_same() {
    let mut numbers = Numbers::new(21);
    for _ in 0..20_000 {
        let src: Vec<u8> =
            (0..numbers.below(5)).map(|_| [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, b'a'][numbers.below(6)]).collect();
        let found = Encoding::for_bom(&src).map(|(encoding, len)| (encoding.name(), len));
        let expected =
            encoding_rs_peer::Encoding::for_bom(&src).map(|(encoding, len)| (encoding.name(), len));
        assert_eq!(found, expected, "{src:02X?}");
    }
}

#[test]
fn valid_prefixes_are_the_same() {
    let mut numbers = Numbers::new(22);
    for _ in 0..20_000 {
        let mut src = vec![b'a'; numbers.below(80)];
        for _ in 0..numbers.below(3) {
            let at = numbers.below(src.len() + 1);
            let some: [&[u8]; 6] = [b"\x0E", b"\x1B", "é".as_bytes(), "日".as_bytes(), b"\xFF", b"\xC3"];
            src.splice(at..at, some[numbers.below(6)].iter().copied());
        }
        use encoding_rs_peer::Encoding as Peer;
        assert_eq!(Encoding::utf8_valid_up_to(&src), Peer::utf8_valid_up_to(&src));
        assert_eq!(Encoding::ascii_valid_up_to(&src), Peer::ascii_valid_up_to(&src));
        assert_eq!(Encoding::iso_2022_jp_ascii_valid_up_to(&src), Peer::iso_2022_jp_ascii_valid_up_to(&src));
    }
}

#[test]
fn statics_are_one_value_each() {
    static SOME: [&Encoding; 2] = [&UTF_8_INIT, &WINDOWS_1252_INIT];
    assert!(core::ptr::eq(SOME[0], UTF_8));
    assert_eq!(pairs().map(|(ours, _)| ours).collect::<HashSet<_>>().len(), 40);
    fn is_shared<T: Send + Sync + Unpin + core::panic::UnwindSafe + 'static>() {}
    is_shared::<Encoding>();
    is_shared::<encoding_rs::Decoder>();
    is_shared::<encoding_rs::Encoder>();
}

#[cfg(feature = "serde")]
#[test]
fn serialized_data_is_the_same() {
    for (ours, theirs) in pairs() {
        let json = serde_json::to_string(ours).expect("it is a string");
        assert_eq!(json, serde_json::to_string(theirs).expect("it is a string"));
        assert_eq!(serde_json::from_str::<&'static Encoding>(&json).expect("it is a label"), ours);
    }
    assert_eq!(
        serde_json::from_str::<&'static Encoding>("\"latin1\"").expect("a label").name(),
        "windows-1252"
    );
    assert!(serde_json::from_str::<&'static Encoding>("\"no such\"").is_err());
}
