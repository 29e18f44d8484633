//! Any bytes in any pieces: no panic, the same answer as for the whole, and results that the
//! standard library confirms.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::Encoding;
use placemat::detect;
use placemat::detect::{Detector, Regions, Verdict};

fuzz_target!(|input: (u16, &[u8])| {
    let (piece, src) = input;
    let whole = detect(src);
    let mut detector = Detector::new();
    src.chunks(usize::from(piece).max(1)).for_each(|piece| detector.feed(piece));
    assert_eq!(detector.finish(), whole);
    // The regions cover all of the bytes, and are the same for any pieces.
    let (mut regions, mut end, mut found) = (Regions::new(), 0, Vec::new());
    src.chunks(5).for_each(|piece| regions.learn(piece));
    src.chunks(usize::from(piece).max(1)).for_each(|piece| regions.feed(piece, |region| found.push(region)));
    regions.finish(|region| found.push(region));
    for region in &found {
        assert!(region.offset == end && region.len > 0 && (0.0..=1.0).contains(&region.confidence));
        end += region.len;
    }
    assert_eq!(end, src.len() as u64);
    assert_eq!(found, placemat::detect::regions(src));

    assert!((0.0..=1.0).contains(&whole.confidence));
    assert_eq!(whole.encoding.is_some(), whole.verdict == Verdict::Text);
    assert_eq!(whole.len, src.len() as u64);
    let first = src.iter().position(|byte| !byte.is_ascii());
    assert_eq!(whole.first_non_ascii, first.map(|at| at as u64));
    if let Some(ruled_out) = whole.ruled_out.iter().find(|ruled_out| ruled_out.encoding == Encoding::UTF_8) {
        let e = core::str::from_utf8(src).unwrap_err();
        assert_eq!(ruled_out.offset, e.valid_up_to() as u64);
    }
    // Beside text in UTF-16 and UTF-32, the damage is that of the single bytes.
    let is_wide =
        |encoding: &Encoding| encoding.name().starts_with("UTF-16") || encoding.name().starts_with("UTF-32");
    if let Some(damage) = whole.damage
        && !whole.mixed.iter().any(is_wide)
    {
        let ill_formed = src.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
        assert_eq!(damage.ill_formed, ill_formed as u64);
    }
});
