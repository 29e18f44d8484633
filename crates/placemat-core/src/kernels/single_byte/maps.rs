//! Tables for conversions of a single-byte encoding to units of a fixed length.

use super::tables::SingleByteEncoder;

/// The code points of ISO-8859-1.
pub const IDENTITY: [u16; 256] = {
    let mut code_points = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        code_points[byte] = byte as u16;
        byte += 1;
    }
    code_points
};

/// A single-byte encoding as its kernel to UTF-16 needs it: the code unit of each byte.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct SingleByteUnits {
    /// The low and the high byte of each unit; both are FF for an undefined byte.
    pub(super) low: [u8; 256],
    pub(super) high: [u8; 256],
    /// Whether bytes below 80 are ASCII.
    pub(super) ascii: bool,
    /// Whether the bytes below 80 and from A0 up equal those of Latin-1.
    pub(super) mostly_latin1: bool,
    /// The bytes of most letters, if they are simple to convert.
    pub(super) letters: Option<Letters>,
}

/// Bytes from 80 up that follow each other, and whose units have the same high byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letters {
    /// The first and the last byte.
    pub(super) bytes: (u8, u8),
    /// The high byte of the units.
    pub(super) high: u8,
    /// The difference between the low byte of each unit and the byte, modulo 256; without it, they are the last quarter of a
    /// table.
    pub(super) shift: Option<u8>,
}

/// Fewer letters than this are not worth a look.
const MIN_LETTERS: usize = 24;

impl Letters {
    /// Returns the letters of an encoding: the longest run that ascends by one, or all of the last quarter.
    const fn of(code_points: &[u16; 256]) -> Option<Self> {
        let (mut first, mut len) = (0, 0);
        let (mut start, mut byte) = (0x80, 0x80);
        let mut quarter = true;
        while byte < 256 {
            let [low, high] = code_points[byte].to_le_bytes();
            // The units of a run end with that of FF as the low byte.
            let goes_on =
                byte > start && low > 0 && code_points[byte] == code_points[byte - 1].wrapping_add(1);
            if !goes_on {
                start = byte;
            }
            let is_defined = code_points[byte] != super::UNDEFINED;
            if is_defined && byte + 1 - start > len {
                (first, len) = (start, byte + 1 - start);
            }
            quarter &= byte < 0xC0 || is_defined && high == code_points[0xC0].to_le_bytes()[1];
            byte += 1;
        }
        if len < MIN_LETTERS && quarter {
            let high = code_points[0xC0].to_le_bytes()[1];
            return Some(Self { bytes: (0xC0, 0xFF), high, shift: None });
        }
        if len < MIN_LETTERS {
            return None;
        }
        let [low, high] = code_points[first % 256].to_le_bytes();
        let bytes = (first as u8, (first + len - 1) as u8);
        Some(Self { bytes, high, shift: Some(low.wrapping_sub(first as u8)) })
    }
}

impl SingleByteUnits {
    /// Builds the table of an encoding from the code points of its bytes,
    /// [`UNDEFINED`](super::UNDEFINED) for undefined ones.
    #[must_use]
    pub const fn new(code_points: &[u16; 256]) -> Self {
        let mut table = Self {
            low: [0; 256],
            high: [0; 256],
            ascii: true,
            mostly_latin1: true,
            letters: Letters::of(code_points),
        };
        let mut byte = 0;
        while byte < 256 {
            let [low, high] = code_points[byte].to_le_bytes();
            (table.low[byte], table.high[byte]) = (low, high);
            let is_itself = code_points[byte] as usize == byte;
            table.ascii &= byte >= 0x80 || is_itself;
            table.mostly_latin1 &= byte >= 0x80 && byte < 0xA0 || is_itself;
            byte += 1;
        }
        table
    }

    /// Makes a byte undefined.
    pub(crate) fn remove(&mut self, byte: u8) {
        let at = usize::from(byte);
        (self.low[at], self.high[at]) = (0xFF, 0xFF);
        self.ascii &= byte >= 0x80;
        self.mostly_latin1 &= (0x80..0xA0).contains(&byte);
        self.letters = self.letters.filter(|letters| byte < letters.bytes.0 || byte > letters.bytes.1);
    }

    /// The code unit of a byte, or [`UNDEFINED`](super::UNDEFINED).
    #[inline(always)]
    pub(crate) const fn unit_of(&self, byte: u8) -> u16 {
        u16::from_le_bytes([self.low[byte as usize], self.high[byte as usize]])
    }
}

/// A map from the bytes of one single-byte encoding to those of another.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct ByteMap {
    /// The byte for each byte; 0 if it has none, and for [`zero`](Self::zero).
    pub(super) bytes: [u8; 256],
    /// The byte that becomes 0, if there is one; otherwise some byte that does not become 0.
    pub(super) zero: u8,
    /// Whether bytes below 80 are unchanged.
    pub(super) ascii: bool,
}

impl ByteMap {
    /// Builds the map from bytes with these code points to an encoding, or without an encoding to
    /// the code points below `end` as bytes. Returns `None` if every byte becomes 0, or if two
    /// become 0.
    #[must_use]
    pub fn new(code_points: &[u16; 256], to: Option<&SingleByteEncoder>, end: u16) -> Option<Self> {
        let mut bytes = [0; 256];
        for (slot, &c) in bytes.iter_mut().zip(code_points) {
            *slot = match to {
                Some(to) => to.byte_or_zero(c),
                None if c < end => c.to_le_bytes()[0],
                None => 0,
            };
        }
        let zero = to.map_or(0, SingleByteEncoder::zero);
        let stays = (0..0x80).zip(&bytes).fold(true, |all, (byte, &to)| all & (byte == to));
        let mut zeros = (0..=u8::MAX).zip(code_points).filter(|&(_, &c)| u32::from(c) == zero);
        let becomes_0 = zeros.next().map(|(byte, _)| byte);
        let (other, _) = (0..=u8::MAX).zip(&bytes).find(|&(_, &to)| to != 0)?;
        let (zero, ascii) = (becomes_0.unwrap_or(other), stays && becomes_0 == Some(0));
        if zeros.next().is_some() { None } else { Some(Self { bytes, zero, ascii }) }
    }

    /// Returns what a byte becomes, if anything.
    #[inline(always)]
    pub(crate) const fn byte_of(&self, byte: u8) -> Option<u8> {
        let to = self.bytes[byte as usize];
        if to != 0 || byte == self.zero { Some(to) } else { None }
    }
}
