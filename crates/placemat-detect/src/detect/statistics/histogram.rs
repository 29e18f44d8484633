//! How often each byte occurs.

/// The number of each byte value in a text.
pub(super) struct Histogram {
    counts: [u32; 256],
    /// The bytes that occur, as bits.
    present: [u128; 2],
    len: u32,
}

/// Returns the bytes of a range below 80, as bits.
const fn bits(first: u8, last: u8) -> u128 {
    (u128::MAX >> (127 - last)) & (u128::MAX << first)
}

/// The controls of ASCII that belong to no text.
const CONTROLS: u128 = bits(0x00, 0x08) | bits(0x0B, 0x0B) | bits(0x0E, 0x1A) | bits(0x1C, 0x1F);

impl Histogram {
    pub(super) fn of(text: &[u8]) -> Self {
        let mut counts = [0_u32; 256];
        for &byte in text {
            counts[usize::from(byte)] += 1;
        }
        let mut present = [0; 2];
        for (present, counts) in present.iter_mut().zip(counts.as_chunks::<128>().0) {
            for eight in counts.as_chunks::<8>().0.iter().rev() {
                let bits = eight.iter().rev().fold(0, |bits, &count| bits << 1 | u128::from(count.min(1)));
                *present = *present << 8 | bits;
            }
        }
        Self { counts, present, len: u32::try_from(text.len()).unwrap_or(u32::MAX) }
    }

    /// The number of the bytes of a set, which are its bits.
    pub(super) fn count(&self, set: [u128; 2]) -> u32 {
        let mut sum = 0;
        for ((mut set, present), counts) in
            set.into_iter().zip(self.present).zip(self.counts.as_chunks::<128>().0)
        {
            set &= present;
            while set != 0 {
                sum += counts[set.trailing_zeros() as usize & 127];
                set &= set - 1;
            }
        }
        sum
    }

    pub(super) fn len(&self) -> u32 {
        self.len
    }

    /// Returns the number of byte values that occur.
    pub(super) fn kinds(&self) -> usize {
        self.present.iter().map(|present| present.count_ones() as usize).sum()
    }

    /// Returns the bytes from 80 up.
    pub(super) fn high(&self) -> u32 {
        self.count([0, u128::MAX])
    }

    /// Returns the controls of ASCII that belong to no text.
    pub(super) fn controls(&self) -> u32 {
        self.count([CONTROLS, 0])
    }

    /// Returns `true` if the bytes can be EBCDIC: many high ones or many of 40, its space, and few of the space
    /// of ASCII.
    pub(super) fn is_like_ebcdic(&self) -> bool {
        let (length, space) = (self.len(), self.counts[0x40]);
        (self.high() * 4 > length || space * 20 > length) && space * 2 >= self.counts[0x20]
    }

    /// Returns `true` if 40, the space of EBCDIC, stands where a text has spaces, and that of ASCII hardly
    /// occurs.
    pub(super) fn has_ebcdic_spaces(&self) -> bool {
        let (length, space) = (self.len(), self.counts[0x40]);
        space * 20 > length && self.counts[0x20] * 20 < space
    }

    /// Returns each byte value with its number.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.counts.iter().copied().enumerate()
    }
}
