//! A few bytes as one number.

/// The highest bit of each byte.
pub(crate) const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether `src` has at most 16 bytes, all of them ASCII.
#[inline(always)]
pub(crate) fn is_short_ascii(src: &[u8]) -> bool {
    match (src.first_chunk::<8>(), src.last_chunk::<8>()) {
        (Some(first), Some(last)) => src.len() <= 16 && (word(first) | word(last)) & HIGH == 0,
        _ => match (src.first_chunk::<4>(), src.last_chunk::<4>()) {
            (Some(first), Some(last)) => (word(first) | word(last)) & HIGH == 0,
            _ => src.iter().all(|byte| *byte < 0x80),
        },
    }
}

/// One, two, four or eight bytes as a number, the first byte lowest.
#[inline(always)]
pub(crate) fn word(bytes: &[u8]) -> u64 {
    match *bytes {
        [one] => one.into(),
        [one, two] => u16::from_le_bytes([one, two]).into(),
        [one, two, three, four] => u32::from_le_bytes([one, two, three, four]).into(),
        _ => bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)),
    }
}
