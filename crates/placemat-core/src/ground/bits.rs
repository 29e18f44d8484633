//! Fast paths that treat a few bytes as one number.

use crate::ground::chunk::{chunk_at, chunk_at_mut};

/// The highest bit of each byte.
pub const HIGH: u64 = 0x8080_8080_8080_8080;

/// Returns `true` if `src` has at most 32 bytes, all of them ASCII.
#[inline(always)]
pub(crate) fn is_short_ascii(src: &[u8]) -> bool {
    // Read words from both ends; they may overlap.
    if src.len() > 16 {
        let at = |at| chunk_at!(src, at, 8).map_or(u64::MAX, |bytes| word(bytes));
        let last = src.len() - 8;
        return src.len() <= 32 && (at(0) | at(8) | at(last - 8) | at(last)) & HIGH == 0;
    }
    let Some(last) = src.len().checked_sub(4) else { return src.iter().all(u8::is_ascii) };
    let at = |at| chunk_at!(src, at, 4).map_or(u64::MAX, |bytes| word(bytes));
    (at(0) | at(last.min(4)) | at(last.saturating_sub(4)) | at(last)) & (HIGH >> 32) == 0
}

/// Copies `src` to the start of `dst` if it has at most 16 bytes, all of them ASCII, and fits.
/// Returns whether it did.
#[inline(always)]
pub fn copy_short_ascii(src: &[u8], dst: &mut [u8]) -> bool {
    if src.len() > 16 || !is_short_ascii(src) {
        return false;
    }
    let Some(dst) = dst.get_mut(..src.len()) else { return false };
    let Some(last) = src.len().checked_sub(4) else {
        dst.iter_mut().zip(src).for_each(|(to, byte)| *to = *byte);
        return true;
    };
    for at in [0, last.min(4), last.saturating_sub(4), last] {
        if let (Some(from), Some(to)) = (chunk_at!(src, at, 4), chunk_at_mut!(dst, at, 4)) {
            *to = *from;
        }
    }
    true
}

/// Returns one, two, four or eight bytes as a number, the first byte lowest.
#[inline(always)]
pub(crate) fn word(bytes: &[u8]) -> u64 {
    match *bytes {
        [one] => one.into(),
        [one, two] => u16::from_le_bytes([one, two]).into(),
        [one, two, three, four] => u32::from_le_bytes([one, two, three, four]).into(),
        _ => bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)),
    }
}

/// A kind of byte.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// Returns `true` for a byte of this kind.
    byte: fn(u8) -> bool,
    /// Sets the highest bit of each byte of this kind, and no other bit. A zero byte is never of
    /// the kind.
    word: fn(u64) -> u64,
}

/// The bytes `80..FF`.
pub(crate) const NON_ASCII: Kind = Kind { byte: |byte| byte >= 0x80, word: |word| word & HIGH };

/// The bytes `80..BF`.
pub(crate) const CONTINUATION: Kind =
    Kind { byte: |byte| byte & 0xC0 == 0x80, word: |word| word & !(word << 1) & HIGH };

/// The bytes `F0..FF`.
pub(crate) const LEAD_OF_FOUR: Kind =
    Kind { byte: |byte| byte >= 0xF0, word: |word| word & word << 1 & word << 2 & word << 3 & HIGH };

/// The byte `0A`.
pub(crate) const LINE_FEED: Kind = Kind {
    byte: |byte| byte == b'\n',
    word: |word| {
        // All other bytes leave a nonzero byte: in the low seven bits, which the sum carries into
        // the highest bit, or in the highest bit itself.
        let other = word ^ 0x0A0A_0A0A_0A0A_0A0A;
        !(((other & !HIGH) + !HIGH) | other) & HIGH
    },
};

/// Returns the number of bytes of each kind, or `None` if `src` has more than 16 bytes.
#[inline(always)]
pub(crate) fn count_short<const N: usize>(src: &[u8], kinds: [Kind; N]) -> Option<[usize; N]> {
    let len = src.len();
    // Test for longer texts first, because they go on to a kernel.
    if len > 16 {
        return None;
    }
    let mut counts = [0; N];
    // The bytes as two numbers, the first byte lowest, padded with zeros.
    let words = if let (Some(first), Some(last)) = (src.first_chunk::<8>(), src.last_chunk::<8>()) {
        // Where the words overlap, shift the common bytes out of the last, by at most 64 bits.
        let half = 4 * (16 - len);
        [word(first), word(last) >> half >> half]
    } else if let (Some(first), Some(last)) = (src.first_chunk::<4>(), src.last_chunk::<4>()) {
        // Where the halves overlap, the common bytes coincide.
        [word(first) | word(last) << (8 * (len - 4)), 0]
    } else {
        for byte in src {
            for (count, kind) in counts.iter_mut().zip(kinds) {
                *count += usize::from((kind.byte)(*byte));
            }
        }
        return Some(counts);
    };
    for (count, kind) in counts.iter_mut().zip(kinds) {
        let sums = ((kind.word)(words[0]) >> 7) + ((kind.word)(words[1]) >> 7);
        *count = usize::from((sums.wrapping_mul(0x0101_0101_0101_0101) >> 56).to_le_bytes()[0]);
    }
    Some(counts)
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
                    let count = |test: fn(u8) -> bool| src.iter().filter(|byte| test(**byte)).count();
                    let expected = [
                        count(|byte| (0x80..0xC0).contains(&byte)),
                        count(|byte| byte >= 0xF0),
                        count(|byte| byte == b'\n'),
                        count(|byte| !byte.is_ascii()),
                    ];
                    let kinds = [CONTINUATION, LEAD_OF_FOUR, LINE_FEED, NON_ASCII];
                    assert_eq!(count_short(&src, kinds), Some(expected), "{src:02x?}");
                }
            }
        }
        assert_eq!((count_short(&[], [NON_ASCII]), count_short(&[1; 17], [NON_ASCII])), (Some([0]), None));
    }

    #[test]
    fn short_ascii_is_told_from_other_bytes_in_each_place() {
        for len in 0..=40 {
            let mut src: Vec<u8> = (0..len).map(|i| [0x41, 0x00, 0x7F, 0x20, 0x5A][i % 5]).collect();
            assert_eq!(is_short_ascii(&src), len <= 32, "{src:02x?}");
            for at in 0..len {
                for other in [0x80, 0xC3, 0xFF] {
                    let before = core::mem::replace(&mut src[at], other);
                    assert!(!is_short_ascii(&src), "{src:02x?}");
                    src[at] = before;
                }
            }
        }
    }
}
