//! Replacement texts for errors of UTF-8 that depend on nothing but the bytes of the error.

#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only AVX-512 packs bytes in registers"))]

/// A text of at most four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    /// The text, padded with zeros.
    bytes: [u8; Self::MAX],
    /// The length of the text in bytes.
    len: u8,
    code_points: u8,
}

impl Short {
    /// The greatest length of a text in bytes.
    pub(crate) const MAX: usize = 4;

    /// The empty text.
    pub(crate) const EMPTY: Self = Self { bytes: [0; Self::MAX], len: 0, code_points: 0 };

    /// The text U+FFFD.
    pub(crate) const REPLACEMENT: Self = match Self::new("\u{FFFD}") {
        Some(text) => text,
        None => unreachable!(),
    };

    /// Creates a text; `None` if it is longer than [`MAX`](Self::MAX) bytes.
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

    /// Returns the text, padded with zeros.
    #[inline(always)]
    pub(crate) const fn bytes(self) -> [u8; Self::MAX] {
        self.bytes
    }

    /// Returns the length of the text in bytes.
    #[inline(always)]
    pub(crate) const fn len(self) -> usize {
        self.len as usize
    }

    /// Returns the text at the end of four bytes, with zeros before it, or `None` if a byte of the
    /// text other than the last is zero.
    #[inline(always)]
    pub(crate) fn at_end(self) -> Option<u32> {
        let lane = u32::from_le_bytes(self.bytes).checked_shl(u32::BITS - 8 * u32::from(self.len))?;
        let before_last = self.bytes.get(..self.len().checked_sub(1)?)?;
        (!before_last.contains(&0)).then_some(lane)
    }

    /// Returns the length of the text in code points.
    #[inline(always)]
    pub(crate) const fn code_points(self) -> usize {
        self.code_points as usize
    }
}

/// Texts for the bytes 80..FF.
#[derive(Debug)]
pub struct Texts {
    texts: [Short; 128],
    /// Plane `k` has byte `k` of each text, where each text is aligned to the end of four bytes,
    /// with zeros before it.
    pub(crate) planes: [[u8; 128]; Short::MAX],
    /// The length of the longest text in bytes.
    pub(crate) longest: usize,
    /// The length of each text in code points, which is the same for all.
    pub(crate) code_points: usize,
}

impl Texts {
    /// Creates a table of texts, which must have the same number of code points and no U+0000.
    pub(crate) const fn new(texts: [Short; 128]) -> Self {
        let mut planes = [[0; 128]; Short::MAX];
        let mut longest = 0;
        let mut i = 0;
        while i < 128 {
            let text = texts[i];
            assert!(text.len > 0 && text.code_points == texts[0].code_points, "texts of one length");
            let mut k = 0;
            while k < text.len() {
                assert!(text.bytes[k] != 0, "packing drops zeros");
                planes[Short::MAX - text.len() + k][i] = text.bytes[k];
                k += 1;
            }
            longest = if text.len() > longest { text.len() } else { longest };
            i += 1;
        }
        Self { texts, planes, longest, code_points: texts[0].code_points() }
    }
}

/// The policy's replacement for a maximal subpart of an ill-formed sequence of UTF-8, if it depends
/// on the bytes only.
#[derive(Clone, Copy, Debug)]
pub enum Patch {
    /// One text, for each maximal subpart.
    Once(Short),
    /// A text for each byte, by its low seven bits: ASCII bytes are never part of an error.
    Each(&'static Texts),
}

impl Patch {
    /// Returns the text for a byte of an error, which is its first byte or a later one.
    #[inline(always)]
    pub(crate) fn text(self, byte: u8, is_first: bool) -> Short {
        match self {
            Self::Once(text) if is_first => text,
            Self::Once(_) => Short::EMPTY,
            Self::Each(all) => all.texts[usize::from(byte & 0x7F)],
        }
    }
}
