//! Length of the ASCII prefix of a text, and copies of that prefix. ASCII has the same bytes in
//! most forms, and makes up most texts.
//!
//! A byte is ASCII if its highest bit is clear, so a block is ASCII if the OR of its bytes has that
//! bit clear: one operation per vector, one test per block.

use super::Moved;

/// Bytes per test.
const BLOCK: usize = 64;

/// The highest bit of each byte.
pub(super) const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether all bytes of `block` are below `80`.
#[inline(always)]
pub(super) fn is_ascii<const N: usize>(block: &[u8; N]) -> bool {
    let mut all = 0;
    for &byte in block {
        all |= byte;
    }
    all < 0x80
}

/// Returns the length of the longest ASCII prefix of `src`.
#[inline]
#[must_use]
pub(crate) fn ascii_prefix(src: &[u8]) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let whole = blocks.iter().take_while(|block| is_ascii(block)).count() * BLOCK;
    let rest = src.get(whole..).unwrap_or_default();
    let mut len = whole;
    for word in rest.as_chunks::<8>().0 {
        let high = u64::from_le_bytes(*word) & HIGH;
        if high != 0 {
            // Little-endian: the first byte of the word is the lowest.
            return len + high.trailing_zeros() as usize / 8;
        }
        len += 8;
    }
    let end = rest.as_chunks::<8>().1;
    len + end.iter().take_while(|byte| **byte < 0x80).count()
}

/// Copies the longest ASCII prefix of `src` that fits into `dst`.
#[inline]
pub(crate) fn copy_ascii(src: &[u8], dst: &mut [u8]) -> Moved {
    // One pass, in which a block stays in registers between test and store.
    let mut len = 0;
    for (from, to) in src.as_chunks::<BLOCK>().0.iter().zip(dst.as_chunks_mut::<BLOCK>().0) {
        if !is_ascii(from) {
            break;
        }
        *to = *from;
        len += BLOCK;
    }
    let rest = src.get(len..).unwrap_or_default();
    let room = dst.get_mut(len..).unwrap_or_default();
    let fits = rest.len().min(room.len()).min(BLOCK);
    let more = ascii_prefix(rest.get(..fits).unwrap_or_default());
    if let (Some(from), Some(to)) = (rest.get(..more), room.get_mut(..more)) {
        to.copy_from_slice(from);
    }
    Moved { read: len + more, written: len + more }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_that_is_not_ascii_is_found_wherever_it_is() {
        let mut text = [0x41; 200];
        for len in 0..=text.len() {
            assert_eq!(ascii_prefix(&text[..len]), len);
            for at in 0..len {
                text[at] = 0x80;
                assert_eq!(ascii_prefix(&text[..len]), at);
                text[at] = 0x41;
            }
        }
    }

    #[test]
    fn a_copy_stops_at_the_first_byte_that_is_not_ascii_and_at_the_end_of_the_room() {
        let mut text: [u8; 200] = core::array::from_fn(|i| b" ASCII text.~"[i % 13]);
        for bad in 0..=text.len() {
            if let Some(byte) = text.get_mut(bad) {
                *byte |= 0x80;
            }
            for room in 0..=210 {
                let mut dst = [0xEE; 211];
                let moved = copy_ascii(&text, &mut dst[..room]);
                let len = bad.min(room);
                assert_eq!(moved, Moved { read: len, written: len });
                assert_eq!(dst[..len], text[..len]);
                assert!(dst[len..].iter().all(|byte| *byte == 0xEE));
            }
            if let Some(byte) = text.get_mut(bad) {
                *byte &= 0x7F;
            }
        }
    }
}
