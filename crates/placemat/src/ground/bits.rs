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

/// Up to 16 bytes as two numbers, the first byte lowest, with zeros after the last; `None` if `src` has more.
#[inline(always)]
pub(crate) fn short_words(src: &[u8]) -> Option<[u64; 2]> {
    let len = src.len();
    if let (Some(first), Some(last)) = (src.first_chunk::<8>(), src.last_chunk::<8>()) {
        // Bytes that both have are shifted out of the last; eight bytes are all in the first.
        let shift = 8 * 16usize.checked_sub(len)?;
        return Some([word(first), if shift < 64 { word(last) >> shift } else { 0 }]);
    }
    if let (Some(first), Some(last)) = (src.first_chunk::<4>(), src.last_chunk::<4>()) {
        // Bytes that both have come to lie upon each other.
        return Some([word(first) | word(last) << (8 * (len - 4)), 0]);
    }
    let at = |i: usize| src.get(i).map_or(0, |byte| u64::from(*byte) << (8 * i));
    Some([at(0) | at(1) | at(2), 0])
}

/// The number of bytes for which `mark` sets the highest bit, and no other, in the words of [`short_words`].
#[inline(always)]
pub(crate) fn count_marks(words: [u64; 2], mark: impl Fn(u64) -> u64) -> usize {
    let sums = (mark(words[0]) >> 7) + (mark(words[1]) >> 7);
    usize::from((sums.wrapping_mul(0x0101_0101_0101_0101) >> 56).to_le_bytes()[0])
}

/// Marks the continuation bytes, `80..BF`.
#[inline(always)]
pub(crate) const fn continuations(word: u64) -> u64 {
    word & !(word << 1) & HIGH
}

/// Marks the bytes from `F0` up.
#[inline(always)]
pub(crate) const fn leads_of_four(word: u64) -> u64 {
    word & word << 1 & word << 2 & word << 3 & HIGH
}

/// Marks the bytes `0A`.
#[inline(always)]
pub(crate) const fn line_feeds(word: u64) -> u64 {
    // The others are not zero in the low seven bits, which a sum shows, or in the highest one.
    let other = word ^ 0x0A0A_0A0A_0A0A_0A0A;
    !(((other & !HIGH) + !HIGH) | other) & HIGH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_at_each_place_of_each_length_is_counted() {
        for len in 0..=16 {
            for other in [0x00, 0x0A, 0x7F, 0x80, 0xBF, 0xC0, 0xFF] {
                for (at, byte) in (0..len).flat_map(|at| (0..=0xFF).map(move |byte| (at, byte))) {
                    let mut src = vec![other; len];
                    src[at] = byte;
                    let words = short_words(&src).expect("at most 16 bytes");
                    let count = |test: fn(u8) -> bool| src.iter().filter(|byte| test(**byte)).count();
                    assert_eq!(
                        count_marks(words, continuations),
                        count(|byte| byte & 0xC0 == 0x80),
                        "{src:02x?}"
                    );
                    assert_eq!(count_marks(words, leads_of_four), count(|byte| byte >= 0xF0), "{src:02x?}");
                    assert_eq!(count_marks(words, line_feeds), count(|byte| byte == b'\n'), "{src:02x?}");
                    assert_eq!(
                        count_marks(words, |word| word & HIGH),
                        count(|byte| byte >= 0x80),
                        "{src:02x?}"
                    );
                }
            }
        }
        assert_eq!((short_words(&[]), short_words(&[1; 17])), (Some([0, 0]), None));
    }
}
