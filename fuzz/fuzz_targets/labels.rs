//! Any string as a label: no panic, the same encoding for another case, and names that lead back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::Encoding;

fuzz_target!(|label: &str| {
    let found = Encoding::for_label(label);
    assert_eq!(label.parse::<Encoding>().ok(), found);
    assert_eq!(Encoding::for_label(&label.to_ascii_uppercase()), found);
    assert_eq!(Encoding::for_label(&label.to_ascii_lowercase()), found);
    match found {
        Some(encoding) => assert_eq!(Encoding::for_label(encoding.name()), Some(encoding)),
        None => assert_eq!(label.parse::<Encoding>().unwrap_err().to_string().lines().count(), 1),
    }
    // The replacement encoding of the web, and its user-defined one, are no encodings of this library.
    let peer = encoding_rs::Encoding::for_label(label.as_bytes()).map(encoding_rs::Encoding::name);
    let web = placemat::web::for_label(label).map(Encoding::name);
    assert_eq!(web.map(str::to_ascii_lowercase), peer.map(str::to_ascii_lowercase));
});
