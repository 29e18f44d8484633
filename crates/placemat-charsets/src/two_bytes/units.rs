//! Decodes to UTF-16 units by one look-up for each character, several characters at a time.

use alloc::{boxed::Box, vec};
use placemat_core::ground::bits::HIGH;
use placemat_core::ground::chunk::{chunk_at, chunk_at_mut};
use placemat_core::ground::utf16::Unit;

/// The highest bit of each second byte, where the first bytes of codes of two are.
const LEADS: u64 = 0x0080_0080_0080_0080;
/// The number of times after which text of nothing but two bytes is looked for again: letters and spaces alternate without a
/// pattern that a processor could learn.
const MIXED: u32 = 16;

/// Characters that are one unit. 0 is none, and also U+0000, which is rare.
pub(super) struct Units {
    /// By two bytes, the first as the lower: the character that they are, or that the first one is.
    all: Box<[u16; 0x1_0000]>,
    /// ASCII is its bytes.
    is_ascii: bool,
}

impl Units {
    /// `unit` is the unit of the character that two bytes are, or that the first of them is; 0 if it is not one unit, and if the
    /// first is not ASCII and means something alone.
    pub(super) fn new(unit: impl Fn([u8; 2]) -> u16, is_ascii: bool) -> Self {
        // The array must not pass through the stack, which may be smaller in a thread.
        let mut all = vec![0; 0x1_0000].into_boxed_slice();
        for (slot, two) in all.iter_mut().zip(0..=u16::MAX) {
            *slot = unit(two.to_le_bytes());
        }
        let Ok(all) = all.try_into() else { unreachable!("it is as long as that") };
        Self { all, is_ascii }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "two bytes are meant")]
    fn first(&self, word: u64, at: u32) -> u16 {
        self.all[usize::from((word >> (8 * at)) as u16)]
    }

    /// Decodes ASCII and codes of two bytes, up to the first character that is not one code unit, or to where too few bytes
    /// follow. Returns the number of bytes read, and of code units written.
    #[inline(always)]
    pub(super) fn read(&self, src: &[u8], units: &mut [Unit]) -> (usize, usize) {
        let (mut read, mut count) = (0, 0);
        // Times to go on as in text of one and two bytes in turn.
        let mut mixed = 0;
        while let Some(bytes) = chunk_at!(src, read, 16)
            && let Some(slots) = chunk_at_mut!(units, count, 8)
        {
            let word = eight(bytes, 0);
            if word & HIGH == 0 && self.is_ascii {
                *slots = word.to_le_bytes().map(|byte| [byte, 0]);
                (read, count) = (read + 8, count + 8);
                continue;
            }
            if mixed == 0 && word & LEADS == LEADS {
                let four = [0, 2, 4, 6].map(|at| self.first(word, at));
                if !put(slots, 0, four) {
                    break;
                }
                (read, count) = (read + 8, count + 4);
                continue;
            }
            mixed = if mixed == 0 { MIXED } else { mixed - 1 };
            let bits = high_bits(word) | high_bits(eight(bytes, 8)) << 8;
            let [b, c, d, end] = STARTS[bits & 0xFF];
            let four = [0, b, c, d].map(|at| self.first(word, at.into()));
            let word = eight(bytes, end.into());
            let [b, c, d, more] = STARTS[bits >> end & 0xFF];
            let next = [0, b, c, d].map(|at| self.first(word, at.into()));
            if !(put(slots, 0, four) & put(slots, 4, next)) {
                break;
            }
            (read, count) = (read + usize::from(end + more), count + 8);
        }
        (read, count)
    }
}

/// Writes four code units. Returns `true` if none of them is 0.
#[inline(always)]
fn put(slots: &mut [Unit; 8], at: usize, [a, b, c, d]: [u16; 4]) -> bool {
    for (slot, unit) in slots[at..].iter_mut().zip([a, b, c, d]) {
        *slot = unit.to_le_bytes();
    }
    (a != 0) & (b != 0) & (c != 0) & (d != 0)
}

/// Returns the eight bytes at `at` as a little-endian number.
#[inline(always)]
fn eight(bytes: &[u8; 16], at: usize) -> u64 {
    chunk_at!(bytes, at).map_or(0, |eight| u64::from_le_bytes(*eight))
}

/// Returns the highest bit of each of eight bytes as an eight-bit number. The lowest bit belongs to the first byte.
#[inline(always)]
const fn high_bits(word: u64) -> usize {
    ((word & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080).to_be_bytes()[0] as usize
}

/// For each result of [`high_bits`]: the offsets at which the second, third and fourth character begin, and at which the
/// fourth ends.
static STARTS: [[u8; 4]; 256] = {
    let mut all = [[0; 4]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut at, mut i) = (0, 0);
        while i < 4 {
            at += if bits >> at & 1 == 1 { 2 } else { 1 };
            all[bits][i] = at;
            i += 1;
        }
        bits += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_bits_of_bytes() {
        for bits in 0..256_usize {
            let bytes: [u8; 8] = core::array::from_fn(|i| if bits >> i & 1 == 1 { 0xA5 } else { 0x5A });
            assert_eq!(high_bits(u64::from_le_bytes(bytes)), bits);
        }
    }
}
