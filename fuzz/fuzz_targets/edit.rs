//! Any bytes in any encoding, opened and edited: bytes outside each edit stay, the text is the
//! edited one, a refused edit changes nothing, and the decoder of whole texts reads the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::edit::Document;
use placemat::stream::Transcoder;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

/// Returns the text of the bytes, without bytes that do not decode.
fn decoded(bytes: &[u8], encoding: Encoding) -> String {
    let decoder = Transcoder::new(encoding, Encoding::UTF_8)
        .on_error(ErrorPolicy::Skip)
        .on_unmappable(UnmappablePolicy::Skip);
    String::from_utf8(decoder.transcode(bytes).unwrap()).unwrap()
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

fuzz_target!(|input: (u16, Vec<u8>, Vec<(u16, u8, String)>)| {
    let (choice, mut bytes, edits) = input;
    let encoding = Encoding::ALL[usize::from(choice) % Encoding::ALL.len()];
    let mut document = Document::open(&bytes, encoding).unwrap();
    for (at, len, new) in edits {
        let text = document.text();
        let start = floor(&text, usize::from(at) % (text.len() + 1));
        let end = floor(&text, start + usize::from(len)).max(start);
        match document.replace(start..end, &new) {
            Ok(change) => {
                let edited = document.to_bytes();
                assert_eq!(bytes[..change.bytes.start], edited[..change.bytes.start]);
                assert_eq!(bytes[change.bytes.end..], edited[change.bytes.start + change.len..]);
                assert_eq!(document.text(), [&text[..start], &new, &text[end..]].concat());
                bytes = edited;
            }
            Err(_) => assert_eq!(document.text(), text),
        }
        assert_eq!(document.to_bytes(), bytes);
    }
    let stand_ins = document.stand_ins().cloned();
    let is_text = |&c: &char| stand_ins.as_ref().is_none_or(|all| all.byte_of(c).is_none());
    let plain: String = document.text().chars().filter(is_text).collect();
    let whole = decoded(&bytes, encoding);
    assert!(plain == whole || whole.strip_prefix('\u{FEFF}') == Some(&*plain));
});
