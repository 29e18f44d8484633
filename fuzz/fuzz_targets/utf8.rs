//! Any bytes: verdict, offset and replaced text equal those of the standard library.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::{ErrorPolicy, utf8};

fuzz_target!(|src: &[u8]| {
    match (utf8::validate(src), core::str::from_utf8(src)) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs),
        (Err(ours), Err(theirs)) => {
            assert_eq!(ours.valid_up_to(), theirs.valid_up_to());
            assert_eq!((!ours.is_incomplete()).then_some(ours.len()), theirs.error_len());
        }
        (ours, theirs) => panic!("{ours:?} where the standard library has {theirs:?}"),
    }
    assert_eq!(utf8::decode(src, ErrorPolicy::Replace).unwrap(), String::from_utf8_lossy(src));
    let text: String = utf8::chunks(src)
        .flat_map(|chunk| [chunk.text(), chunk.ill_formed().map_or("", |_| "\u{FFFD}")])
        .collect();
    assert_eq!(text, String::from_utf8_lossy(src));
});
