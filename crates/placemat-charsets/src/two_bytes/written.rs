//! Encodes UTF-16 units: the code of one or two bytes for each unit, and a loop over units.
//!
//! UTF-8 becomes UTF-16 first, by the kernel for that, a piece at a time. Then a character costs one look-up, and
//! nothing in the loop depends on what it is: a loop over UTF-8 guesses the length of each next character, and wrong
//! guesses take most of its time.

use crate::index::Index;
use alloc::{boxed::Box, vec};
use placemat_core::ground::chunk::chunk_at;

/// No code. As two bytes it would be FF FF, which no encoding has.
pub(crate) const NONE: u16 = 0xFFFF;

/// The codes that an encoder writes.
pub(super) struct Written {
    /// By unit, the bytes of the code, the first as the lower; the higher is 0 if there is one only.
    codes: Box<[u16; 0x1_0000]>,
    /// ASCII is its bytes.
    is_ascii: bool,
    /// The codes of code points above U+FFFF.
    above: Index,
}

impl FromIterator<(u32, u16)> for Written {
    /// Collects the codes. If a code point has several, the last counts; the first byte is the high
    /// one.
    fn from_iter<I: IntoIterator<Item = (u32, u16)>>(all: I) -> Self {
        // The array must not pass through the stack, which may be smaller in a thread.
        let mut codes = vec![NONE; 0x1_0000].into_boxed_slice();
        for (slot, byte) in codes.iter_mut().zip(0..0x80) {
            *slot = byte;
        }
        let above = all.into_iter().filter(|&(c, code)| {
            let Some(slot) = codes.get_mut(c as usize) else { return true };
            *slot = if code < 0x100 { code } else { code.swap_bytes() };
            false
        });
        let above = above.collect();
        let is_ascii = codes.iter().zip(0..0x80).all(|(&code, byte)| code == byte);
        let Ok(codes) = codes.try_into() else { unreachable!("it is as long as that") };
        Self { codes, is_ascii, above }
    }
}

impl Written {
    /// Returns `true` if ASCII is written as its bytes.
    #[inline(always)]
    pub(super) const fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// Returns the bytes of a code point, and their number.
    #[inline(always)]
    pub(super) fn code(&self, c: u32) -> Option<([u8; 4], usize)> {
        let code = match self.codes.get(c as usize) {
            Some(&code) => Some(code).filter(|&code| code != NONE)?,
            None => self.above.code(c)?.swap_bytes(),
        };
        let [a, b] = code.to_le_bytes();
        Some(([a, b, 0, 0], 1 + usize::from(b != 0)))
    }

    /// Writes the codes of units, up to one that has none or for which there are no two bytes of room. Returns the number
    /// of units, and of bytes.
    #[inline(always)]
    pub(super) fn put(&self, units: &[[u8; 2]], out: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0, 0);
        // Eight units of ASCII are frequent in markup.
        while let Some(eight) = chunk_at!(units, read, 8) {
            if self.is_ascii
                && let Some(bytes) = ascii(eight)
            {
                let Some(to) = out.get_mut(written..written + 8) else { break };
                to.copy_from_slice(&bytes);
                (read, written) = (read + 8, written + 8);
                continue;
            }
            for unit in eight {
                let code = self.codes[usize::from(u16::from_le_bytes(*unit))];
                let Some(to) = out.get_mut(written..written + 2).filter(|_| code != NONE) else {
                    return (read, written);
                };
                to.copy_from_slice(&code.to_le_bytes());
                written += 1 + usize::from(code > 0xFF);
                read += 1;
            }
        }
        while let Some(unit) = units.get(read) {
            let code = self.codes[usize::from(u16::from_le_bytes(*unit))];
            let Some(to) = out.get_mut(written..written + 2).filter(|_| code != NONE) else { break };
            to.copy_from_slice(&code.to_le_bytes());
            written += 1 + usize::from(code > 0xFF);
            read += 1;
        }
        (read, written)
    }
}

/// Eight units as bytes, if they are ASCII.
#[inline(always)]
fn ascii(units: &[[u8; 2]; 8]) -> Option<[u8; 8]> {
    let bytes = units.map(u16::from_le_bytes);
    let all = bytes.iter().fold(0, |all, unit| all | unit);
    (all < 0x80).then(|| bytes.map(|unit| unit.to_le_bytes()[0]))
}
