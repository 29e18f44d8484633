//! Converts base64 in groups: eight characters encode three UTF-16 code units.

/// The 64 characters of standard base64, in the order of their values.
pub(super) const BASE64: [u8; 64] = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Tables that convert eight characters of base64 at a time.
pub(super) struct Groups {
    /// For each of four positions and each character, the six bits of the character, shifted to the position in a 24-bit
    /// value. A character outside base64 has one of the four highest bits instead, the highest for the first position.
    four: [[u32; 256]; 4],
    /// The last character of the alphabet, the only one in which the variants differ.
    last: u8,
}

/// Two characters of standard base64 for each value of twelve bits.
static TWO: [[u8; 2]; 4096] = {
    let mut two = [[0; 2]; 4096];
    let mut value = 0;
    while value < two.len() {
        two[value] = [BASE64[value >> 6], BASE64[value & 63]];
        value += 1;
    }
    two
};

impl Groups {
    pub(super) const fn new(base64: &[u8; 64]) -> Self {
        let mut four = [[1 << 31; 256], [1 << 30; 256], [1 << 29; 256], [1 << 28; 256]];
        let mut value = 0;
        while value < 64_u32 {
            let character = base64[value as usize] as usize;
            four[0][character] = value << 18;
            four[1][character] = value << 12;
            four[2][character] = value << 6;
            four[3][character] = value;
            value += 1;
        }
        Self { four, last: base64[63] }
    }

    /// Returns the bits of eight characters, with zeros for characters outside base64, and a mask of the latter. The highest
    /// of its eight bits belongs to the first character.
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

    /// Returns the eight characters of a group.
    #[inline(always)]
    pub(super) fn write(&self, bits: u64, to: &mut [u8; 8]) {
        let two = |i: usize| TWO[(bits >> (36 - 12 * i) & 0xFFF) as usize];
        let usual = BASE64[63];
        if self.last == usual {
            for (i, to) in to.as_chunks_mut().0.iter_mut().enumerate() {
                *to = two(i);
            }
            return;
        }
        // A second table would take 8 KiB more and serve only mailbox names, which are short.
        let two = |i| u64::from(u16::from_le_bytes(two(i))) << (16 * i);
        let characters = two(0) | two(1) | two(2) | two(3);
        // All are ASCII, so that no sum goes into the next byte.
        let others = (characters ^ all(usual)) + all(0x7F);
        let lasts = (!others & all(0x80)) >> 7;
        *to = (characters ^ (lasts * u64::from(usual ^ self.last))).to_le_bytes();
    }
}

/// Returns a word of eight copies of a byte.
const fn all(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}
