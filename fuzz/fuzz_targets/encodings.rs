//! Every encoding, both ways: what it reads, it writes so that it reads the same again; what it says that it cannot write,
//! no other call writes; the encodings of the web read as `encoding_rs` does.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::{Encoding, ErrorPolicy, UnmappablePolicy};

fuzz_target!(|input: (u16, &[u8], &str)| {
    let (choice, bytes, text) = input;
    let encoding = Encoding::ALL[usize::from(choice) % Encoding::ALL.len()];

    let lossy = encoding.decode(bytes, ErrorPolicy::Replace).unwrap();
    match encoding.decode(bytes, ErrorPolicy::Stop) {
        Ok(read) => {
            assert_eq!(read, lossy);
            // Some encodings read more than they write.
            if let Ok(written) = encoding.encode(&read, UnmappablePolicy::Stop) {
                let again = encoding.decode(&written, ErrorPolicy::Stop).unwrap();
                // The web writes half-width katakana in full width there.
                let has_katakana = read.chars().any(|c| ('\u{FF61}'..='\u{FF9F}').contains(&c));
                assert!(again == read || (encoding == Encoding::ISO_2022_JP && has_katakana), "{encoding}");
            }
        }
        Err(e) => assert!(e.offset() <= bytes.len() as u64),
    }

    match encoding.encode(text, UnmappablePolicy::Stop) {
        Ok(written) => {
            assert_eq!(encoding.encode(text, UnmappablePolicy::Replace).unwrap(), written);
            // Several code points may be one to an encoding: half and full width, or letters with marks.
            let read = encoding.decode(&written, ErrorPolicy::Stop).unwrap();
            let again = encoding.encode(&read, UnmappablePolicy::Stop).unwrap();
            assert_eq!(encoding.decode(&again, ErrorPolicy::Stop).unwrap(), read, "{encoding}");
        }
        Err(e) => {
            let at = usize::try_from(e.offset()).unwrap();
            assert_eq!(text[at..].chars().next().map(u32::from), Some(e.code_point().value()), "{encoding}");
        }
    }

    let web = placemat::web::for_label(encoding.name());
    let peer = encoding_rs::Encoding::for_label(encoding.name().as_bytes());
    if let (Some(web), Some(peer)) = (web, peer) {
        let (text, _, had_errors) = peer.decode(bytes);
        let found = placemat::web::decode(bytes, web);
        assert_eq!((found.errors > 0, found.text), (had_errors, text), "{encoding}");
    }
});
