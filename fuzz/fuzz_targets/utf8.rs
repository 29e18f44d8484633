//! Any bytes as UTF-8: the verdict, the offset and the replaced text equal those of the standard library, on every level of
//! instructions; and the conversions to and from UTF-16 and UTF-32, counts and places do too.
#![no_main]

use libfuzzer_sys::fuzz_target;
use placemat::internals::Kernels;
use placemat::{ErrorPolicy, Isa, Native, UnmappablePolicy, convert, forms, length, utf8, utf16};
use std::sync::LazyLock;

static LEVELS: LazyLock<Vec<Kernels>> = LazyLock::new(|| Isa::available().filter_map(Kernels::of).collect());

fuzz_target!(|src: &[u8]| {
    let core = core::str::from_utf8(src);
    match (utf8::validate(src), core) {
        (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs),
        (Err(ours), Err(theirs)) => {
            assert_eq!(ours.valid_up_to(), theirs.valid_up_to());
            assert_eq!((!ours.is_incomplete()).then_some(ours.len()), theirs.error_len());
        }
        (ours, theirs) => panic!("{ours:?} where the standard library has {theirs:?}"),
    }
    let prefix = core.map_or_else(|e| e.valid_up_to(), str::len);
    for level in &*LEVELS {
        assert_eq!(level.utf8_prefix(src), prefix);
    }
    let lossy = String::from_utf8_lossy(src);
    assert_eq!(utf8::decode(src, ErrorPolicy::Replace).unwrap(), lossy);
    let text: String = utf8::chunks(src)
        .flat_map(|chunk| [chunk.text(), chunk.ill_formed().map_or("", |_| "\u{FFFD}")])
        .collect();
    assert_eq!(text, lossy);

    let units: Vec<u16> = lossy.encode_utf16().collect();
    let scalars: Vec<u32> = lossy.chars().map(u32::from).collect();
    assert_eq!(length::utf16_from_utf8(lossy.as_bytes()), units.len());
    assert_eq!(length::utf32_from_utf8(lossy.as_bytes()), scalars.len());
    let stop = UnmappablePolicy::Stop;
    assert_eq!(convert::encode::<forms::Utf16<Native>>(&lossy, stop).unwrap(), units);
    assert_eq!(convert::encode::<forms::Utf32<Native>>(&lossy, stop).unwrap(), scalars);
    assert_eq!(convert::decode::<forms::Utf16<Native>>(&units, ErrorPolicy::Stop).unwrap(), lossy);
    assert_eq!(convert::decode::<forms::Utf32<Native>>(&scalars, ErrorPolicy::Stop).unwrap(), lossy);

    // The bytes themselves as code units of UTF-16 and UTF-32.
    let (pairs, _) = src.as_chunks();
    let units: Vec<u16> = pairs.iter().map(|pair| u16::from_le_bytes(*pair)).collect();
    assert_eq!(
        convert::decode::<forms::Utf16<Native>>(&units, ErrorPolicy::Replace).unwrap(),
        String::from_utf16_lossy(&units)
    );
    let first = char::decode_utf16(units.iter().copied()).position(|c| c.is_err());
    assert_eq!(utf16::validate(&units).is_err(), first.is_some());
    let (quads, _) = src.as_chunks();
    let scalars: Vec<u32> = quads.iter().map(|quad| u32::from_le_bytes(*quad)).collect();
    let text: String = scalars.iter().map(|&value| char::from_u32(value).unwrap_or('\u{FFFD}')).collect();
    assert_eq!(convert::decode::<forms::Utf32<Native>>(&scalars, ErrorPolicy::Replace).unwrap(), text);

    let max = src.first().map_or(0, |&byte| usize::from(byte));
    let kept = utf8::truncate(lossy.as_bytes(), max);
    let end = (0..=max.min(lossy.len())).rev().find(|&at| lossy.is_char_boundary(at)).unwrap_or(0);
    assert_eq!(kept, &lossy.as_bytes()[..end]);
});
