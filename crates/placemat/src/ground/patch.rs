//! Texts that stand for errors of UTF-8, if they depend on nothing but the bytes of the error.

/// A text of at most four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    /// The text, and zeros.
    bytes: [u8; Self::MAX],
    /// The length of the text in bytes, and in code points.
    len: u8,
    code_points: u8,
}

impl Short {
    /// The most bytes.
    pub(crate) const MAX: usize = 4;

    /// No text.
    pub(crate) const EMPTY: Self = Self { bytes: [0; Self::MAX], len: 0, code_points: 0 };

    /// The text; `None` if it is longer.
    pub(crate) const fn new(text: &str) -> Option<Self> {
        let mut short = Self::EMPTY;
        if text.len() > Self::MAX {
            return None;
        }
        while (short.len as usize) < text.len() {
            let byte = text.as_bytes()[short.len as usize];
            short.bytes[short.len as usize] = byte;
            short.code_points += (byte & 0xC0 != 0x80) as u8;
            short.len += 1;
        }
        Some(short)
    }

    /// The text, and zeros.
    #[inline(always)]
    pub(crate) const fn bytes(self) -> [u8; Self::MAX] {
        self.bytes
    }

    /// The length of the text in bytes.
    #[inline(always)]
    pub(crate) const fn len(self) -> usize {
        self.len as usize
    }

    /// The length of the text in code points.
    #[inline(always)]
    pub(crate) const fn code_points(self) -> usize {
        self.code_points as usize
    }
}

/// What a policy puts for a maximal subpart of an ill-formed sequence of UTF-8, if that depends on its bytes alone.
#[derive(Clone, Copy, Debug)]
pub enum Patch {
    /// One text.
    Once(Short),
    /// A text for each byte, by its low seven bits: no ASCII is part of an error.
    Each(&'static [Short; 128]),
}

impl Patch {
    /// The text for a byte of an error, which is its first or a later one.
    #[inline(always)]
    pub(crate) fn text(self, byte: u8, is_first: bool) -> Short {
        match self {
            Self::Once(text) if is_first => text,
            Self::Once(_) => Short::EMPTY,
            Self::Each(texts) => texts[usize::from(byte & 0x7F)],
        }
    }

    /// Writes what stands for an error to the start of `room`, if it fits. Returns the number of bytes.
    #[inline(always)]
    pub(crate) fn put(self, error: &[u8], room: &mut [u8]) -> Option<usize> {
        let mut written = 0;
        for (i, &byte) in error.iter().enumerate() {
            let text = self.text(byte, i == 0);
            let to = room.get_mut(written..)?;
            match to.first_chunk_mut() {
                Some(to) => *to = text.bytes(),
                None => to.get_mut(..text.len())?.copy_from_slice(text.bytes().get(..text.len())?),
            }
            written += text.len();
        }
        Some(written)
    }
}
