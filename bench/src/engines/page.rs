//! The part of a text that a legacy encoding can represent, by iconv(3), `encoding_rs` and ICU,
//! where they know it.

use super::{encoding_rs, iconv, icu};
use crate::pages::Page;

/// Returns the text without the characters on which the three differ or that one of the encodings
/// lacks, and its bytes in the first encoding; `None` if no character is left.
pub fn held(text: &str, pages: &[Page]) -> Option<(String, Vec<u8>)> {
    let (mut bytes, mut kept) = (Vec::new(), String::new());
    for c in text.chars() {
        let utf8 = &mut [0; 4];
        let utf8 = c.encode_utf8(utf8);
        let mut first = Vec::new();
        let held = pages.iter().all(|&page| {
            let Some(one) = iconv::encode(utf8, page) else { return false };
            let agree = encoding_rs::agrees(utf8, &one, page) && icu::agrees(utf8, &one, page);
            if first.is_empty() {
                first = one;
            }
            agree
        });
        if held {
            bytes.extend(first);
            kept.push(c);
        }
    }
    (!kept.is_empty()).then_some((kept, bytes))
}
