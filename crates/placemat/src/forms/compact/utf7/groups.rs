//! Base64 in groups: eight characters are three units.

/// Tables for groups.
pub(super) struct Groups {
    /// For each of four characters, its bits at their place in 24; for a character outside of base64, one of the highest
    /// four bits, the highest for the first character.
    four: [[u32; 256]; 4],
    /// Two characters, by their twelve bits.
    two: [[u8; 2]; 4096],
}

impl Groups {
    pub(super) const fn new(base64: &[u8; 64]) -> Self {
        let mut four = [[1 << 31; 256], [1 << 30; 256], [1 << 29; 256], [1 << 28; 256]];
        let mut two = [[0; 2]; 4096];
        let mut value = 0;
        while value < 4096_u32 {
            two[value as usize] = [base64[value as usize >> 6], base64[value as usize & 63]];
            value += 1;
        }
        let mut value = 0;
        while value < 64_u32 {
            let character = base64[value as usize] as usize;
            four[0][character] = value << 18;
            four[1][character] = value << 12;
            four[2][character] = value << 6;
            four[3][character] = value;
            value += 1;
        }
        Self { four, two }
    }

    /// The bits of eight characters, with zeros for those outside of base64, and a mask of the latter, the first character
    /// in the highest bit of eight.
    #[inline(always)]
    pub(super) fn read(&self, characters: &[u8; 8]) -> (u64, u32) {
        let four = |at: usize| {
            let of = |i: usize| self.four[i][usize::from(characters[at + i])];
            of(0) | of(1) | of(2) | of(3)
        };
        let (high, low) = (four(0), four(4));
        let bits = u64::from(high & 0x00FF_FFFF) << 24 | u64::from(low & 0x00FF_FFFF);
        (bits, (high >> 28) << 4 | low >> 28)
    }

    /// The eight characters of a group.
    #[inline(always)]
    pub(super) fn write(&self, bits: u64, to: &mut [u8; 8]) {
        for (i, to) in to.as_chunks_mut().0.iter_mut().enumerate() {
            *to = self.two[(bits >> (36 - 12 * i) & 0xFFF) as usize];
        }
    }
}
