//! Normal forms of text that is not all scalar values.

use placemat::normalize::Normalizer;

/// Normalizes text that may contain surrogates and the like, which separate stretches of text.
pub(crate) fn normalize(
    normalizer: &mut Normalizer,
    src: &[u8],
    ends: bool,
    normal: &mut String,
    dst: &mut Vec<u8>,
) {
    for chunk in src.utf8_chunks() {
        normal.clear();
        normalizer.push(chunk.valid(), normal);
        if !chunk.invalid().is_empty() {
            normalizer.finish(normal);
        }
        dst.extend_from_slice(normal.as_bytes());
        dst.extend_from_slice(chunk.invalid());
    }
    if ends {
        normal.clear();
        normalizer.finish(normal);
        dst.extend_from_slice(normal.as_bytes());
    }
}
