//! The byte of each code point in a single-byte encoding.

use placemat::{Encoding, UnmappablePolicy};

/// The byte of each code point of the BMP, or [`Self::NONE`].
#[derive(Debug)]
pub(crate) struct Inverse {
    bytes: Box<[u16; 0x1_0000]>,
    /// Code points below this are their own bytes, and all others have none; 0 if the table decides.
    pub(crate) own: u32,
    /// Each ASCII character is its own byte.
    pub(crate) has_ascii: bool,
}

impl Inverse {
    /// No byte: the encoding cannot represent the code point.
    pub(crate) const NONE: u16 = 0x100;

    /// Inverts a table, whose code points these are.
    pub(crate) fn of(encoding: Encoding, code_points: impl Iterator<Item = u16>) -> Option<Self> {
        let mut bytes: Box<[u16; 0x1_0000]> = vec![Self::NONE; 0x1_0000].try_into().ok()?;
        for c in code_points {
            let text = char::from_u32(c.into())?.to_string();
            let encoded = encoding.encode(&text, UnmappablePolicy::Stop).ok()?;
            // The encoding chooses one of several bytes for a code point.
            let &[byte] = &*encoded else { return None };
            bytes[usize::from(c)] = byte.into();
        }
        let own = (0..0x100).take_while(|&c| bytes[usize::from(c)] == c).count();
        let is_all = bytes.iter().filter(|&&byte| byte != Self::NONE).count() == own;
        let own_bytes = if is_all { u32::try_from(own).ok()? } else { 0 };
        Some(Self { bytes, own: own_bytes, has_ascii: own >= 0x80 })
    }

    #[inline(always)]
    pub(crate) fn byte(&self, c: u32) -> u16 {
        if c > 0xFFFF { Self::NONE } else { self.bytes[c as usize] }
    }

    /// Returns the bytes of an ASCII text, if the encoding has them all.
    pub(crate) fn ascii(&self, text: &[u8]) -> Option<Vec<u8>> {
        text.iter().map(|&c| u8::try_from(self.byte(c.into())).ok()).collect()
    }
}

/// Returns the byte of an entry of [`Inverse`].
#[inline(always)]
pub(crate) fn low(byte: u16) -> u8 {
    byte.to_le_bytes()[0]
}
