//! Any text in any pieces is normalized as another implementation does, and once is enough.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::normalize::{Normalization, Normalizer};
use unicode_normalization::{UnicodeNormalization, char::is_public_assigned};

fuzz_target!(|input: (u8, &str)| {
    let (size, text) = input;
    let forms = [Normalization::Nfc, Normalization::Nfd, Normalization::Nfkc, Normalization::Nfkd];
    for (i, form) in forms.into_iter().enumerate() {
        let once = form.apply(text);
        assert_eq!(form.apply(&once), once);
        // The two may be of different versions of Unicode.
        if text.chars().all(is_public_assigned) {
            let peer: String = match i {
                0 => text.nfc().collect(),
                1 => text.nfd().collect(),
                2 => text.nfkc().collect(),
                _ => text.nfkd().collect(),
            };
            assert_eq!(once, peer);
        }
        let (mut normalizer, mut out, mut rest) = (Normalizer::new(form), String::new(), text);
        while !rest.is_empty() {
            let most = usize::from(size).max(1).min(rest.len());
            let at = (most..=rest.len()).find(|&at| rest.is_char_boundary(at)).unwrap();
            normalizer.push(&rest[..at], &mut out);
            rest = &rest[at..];
        }
        normalizer.finish(&mut out);
        assert_eq!(out, once);
    }
    let first = placemat::normalize::first_not_nfc(text);
    assert_eq!(first.is_none(), Normalization::Nfc.apply(text) == text);
});
