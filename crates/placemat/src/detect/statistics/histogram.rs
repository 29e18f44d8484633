//! How often each byte occurs.

/// The number of each byte value in a text.
pub(super) struct Histogram {
    counts: [u32; 256],
    /// The bytes that occur, as bits.
    present: [u128; 2],
}

impl Histogram {
    pub(super) fn of(text: &[u8]) -> Self {
        let mut counts = [0; 256];
        for &byte in text {
            counts[usize::from(byte)] += 1;
        }
        let mut present = [0; 2];
        for (byte, &count) in counts.iter().enumerate() {
            present[byte / 128] |= u128::from(count > 0) << (byte % 128);
        }
        Self { counts, present }
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

    fn sum(&self, bytes: core::ops::RangeInclusive<usize>) -> u32 {
        self.counts[bytes].iter().sum()
    }

    pub(super) fn len(&self) -> u32 {
        self.sum(0..=255)
    }

    /// The number of byte values that occur.
    pub(super) fn kinds(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }

    /// The bytes from 80 up.
    pub(super) fn high(&self) -> u32 {
        self.sum(0x80..=0xFF)
    }

    /// The controls of ASCII that belong to no text.
    pub(super) fn controls(&self) -> u32 {
        self.sum(0x00..=0x08) + self.sum(0x0B..=0x0B) + self.sum(0x0E..=0x1A) + self.sum(0x1C..=0x1F)
    }

    /// Whether the bytes can be EBCDIC: many high ones or many of 40, its space, and few of the space of ASCII.
    pub(super) fn is_like_ebcdic(&self) -> bool {
        let (length, space) = (self.len(), self.counts[0x40]);
        (self.high() * 4 > length || space * 20 > length) && space * 2 >= self.counts[0x20]
    }

    /// Whether 40, the space of EBCDIC, stands where a text has spaces, and that of ASCII hardly occurs.
    pub(super) fn has_ebcdic_spaces(&self) -> bool {
        let (length, space) = (self.len(), self.counts[0x40]);
        space * 20 > length && self.counts[0x20] * 20 < space
    }

    /// Each byte value with its number.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.counts.iter().copied().enumerate()
    }
}
