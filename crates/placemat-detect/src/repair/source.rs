//! The encoding of the source: UTF-8, or UTF-16 and UTF-32 with and without a signature.
//!
//! Without a signature, text is UTF-16 or UTF-32 if all of its first bytes are well-formed in it and the zeros lie where
//! Latin letters, digits, spaces and line ends of that form have them. Text of other scripts shows its spaces and line
//! ends: U+0020 and U+000A have a zero, and U+2000 and U+0A00 are not written alone.

use crate::detect::lines::end_of_lines;
use crate::detect::split;
use alloc::string::String;
use alloc::vec::Vec;
use placemat_charsets::Encoding;

/// An encoding of the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Source {
    #[default]
    Utf8,
    Utf16Le,
    Utf16Be,
    Utf32Le,
    Utf32Be,
}

/// The bytes that decide about text without a signature.
pub(super) const HEAD: usize = 4096;
/// The blocks of 256 code points that text of one alphabet keeps to.
const ALPHABET: usize = 3;
/// Fewer units than this are not evidence.
const MIN_UNITS: usize = 4;

impl Source {
    const WIDE: [Self; 4] = [Self::Utf16Le, Self::Utf16Be, Self::Utf32Le, Self::Utf32Be];

    /// How the unchanged text of a source in this encoding is measured: text of a legacy encoding is changed wherever it
    /// is not ASCII.
    pub(super) fn of(encoding: Encoding) -> Self {
        Self::of_wide(encoding).unwrap_or(Self::Utf8)
    }

    /// Returns an encoding of UTF-16 or UTF-32.
    pub(super) fn of_wide(encoding: Encoding) -> Option<Self> {
        Self::WIDE.into_iter().find(|source| source.encoding() == encoding)
    }

    pub(super) const fn encoding(self) -> Encoding {
        match self {
            Self::Utf8 => Encoding::UTF_8,
            Self::Utf16Le => Encoding::UTF_16LE,
            Self::Utf16Be => Encoding::UTF_16BE,
            Self::Utf32Le => Encoding::UTF_32LE,
            Self::Utf32Be => Encoding::UTF_32BE,
        }
    }

    /// Returns the bytes of U+FEFF.
    pub(super) const fn signature(self) -> &'static [u8] {
        match self {
            Self::Utf8 => b"\xEF\xBB\xBF",
            Self::Utf16Le => b"\xFF\xFE",
            Self::Utf16Be => b"\xFE\xFF",
            Self::Utf32Le => b"\xFF\xFE\0\0",
            Self::Utf32Be => b"\0\0\xFE\xFF",
        }
    }

    /// Returns the bytes of a code unit.
    pub(super) const fn unit(self) -> usize {
        match self {
            Self::Utf8 => 1,
            Self::Utf16Le | Self::Utf16Be => 2,
            Self::Utf32Le | Self::Utf32Be => 4,
        }
    }

    /// Returns the end of the whole lines of a block, or of its whole sequences if a line is longer than the block.
    pub(super) fn end_of_lines(self, block: &[u8]) -> usize {
        let line_feed = |units: &[u8]| match self {
            Self::Utf8 => false,
            Self::Utf16Le => units == b"\n\0",
            Self::Utf16Be => units == b"\0\n",
            Self::Utf32Le => units == b"\n\0\0\0",
            Self::Utf32Be => units == b"\0\0\0\n",
        };
        if self == Self::Utf8 {
            return end_of_lines(block);
        }
        let unit = self.unit();
        let line = block.chunks_exact(unit).rposition(line_feed);
        line.map_or_else(|| self.whole(block), |at| (at + 1) * unit)
    }

    /// Returns the encoding of a text by its first bytes, and the length of its signature if that is
    /// dropped. Pass `complete` if these are all bytes of the text. A signature of UTF-8 stays: it
    /// is text.
    pub(super) fn at_start(head: &[u8], complete: bool) -> (Self, usize) {
        for (signature, source) in [
            (&b"\0\0\xFE\xFF"[..], Self::Utf32Be),
            (b"\xFF\xFE\0\0", Self::Utf32Le),
            (b"\xFE\xFF", Self::Utf16Be),
            (b"\xFF\xFE", Self::Utf16Le),
        ] {
            if let Some(rest) = head.strip_prefix(signature) {
                // A stretch of single bytes may follow.
                let is_whole = !complete || rest.len().is_multiple_of(source.unit());
                let begins = || rest.contains(&0) && split::begins_in(rest, source.encoding());
                if is_whole && source.is_well_formed(rest) || begins() {
                    return (source, signature.len());
                }
            }
        }
        let found = Self::WIDE
            .into_iter()
            .rev()
            .find(|source| source.shows_in(head, complete) && split::begins_in(head, source.encoding()));
        (found.unwrap_or(Self::Utf8), 0)
    }

    /// Returns the whole code units of `bytes`.
    fn units(self, bytes: &[u8]) -> impl Iterator<Item = u32> {
        bytes.chunks_exact(self.unit()).map(move |unit| match (self, unit) {
            (Self::Utf16Le, &[a, b]) => u16::from_le_bytes([a, b]).into(),
            (Self::Utf16Be, &[a, b]) => u16::from_be_bytes([a, b]).into(),
            (Self::Utf32Le, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
            (Self::Utf32Be, &[a, b, c, d]) => u32::from_be_bytes([a, b, c, d]),
            _ => unit.first().copied().unwrap_or_default().into(),
        })
    }

    /// Returns `true` if most of `bytes` is well-formed: the damage to repair may be a lone surrogate.
    fn is_well_formed(self, bytes: &[u8]) -> bool {
        let text = Decoded::new(self, bytes);
        text.ill_formed.len() * 4 <= bytes.len() / self.unit() + 3
    }

    /// Returns `true` if text without a signature is in this encoding.
    fn shows_in(self, head: &[u8], complete: bool) -> bool {
        let units = head.len() / self.unit();
        if units < MIN_UNITS || complete && !head.len().is_multiple_of(self.unit()) || !head.contains(&0) {
            return false;
        }
        let text = Decoded::new(self, head);
        if !text.ill_formed.is_empty() {
            return false;
        }
        let mut blanks = 0;
        let mut ascii = 0;
        let mut blocks = [false; 256];
        for c in text.text.chars() {
            match c {
                ' ' | '\n' | '\r' | '\t' => blanks += 1,
                ' '..='~' => ascii += 1,
                // Units of the other byte order; U+0000 stands in text of no kind.
                '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' => {
                    return false;
                }
                '\u{2000}' | '\u{0A00}' | '\u{0D00}' | '\u{0900}' | '\u{FFFE}' | '\u{FFFF}' => return false,
                _ => blocks[(u32::from(c) >> 8) as usize & 0xFF] = true,
            }
        }
        let blocks = blocks.into_iter().filter(|&seen| seen).count();
        // In UTF-32, every unit has a zero, and nothing else has that.
        self.unit() == 4 || ascii * 2 >= units || blanks * 16 >= units || blanks > 0 && blocks <= ALPHABET
    }

    /// Returns the length in this encoding of text in UTF-8.
    pub(super) fn measure(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16Le | Self::Utf16Be => placemat_core::length::utf16_from_utf8(text.as_bytes()) * 2,
            Self::Utf32Le | Self::Utf32Be => placemat_core::utf8::count_code_points(text.as_bytes()) * 4,
        }
    }

    /// Appends the bytes of a text in this encoding.
    pub(super) fn encode(self, text: &str, to: &mut Vec<u8>) {
        match self {
            Self::Utf8 => to.extend_from_slice(text.as_bytes()),
            Self::Utf16Le => to.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
            Self::Utf16Be => to.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
            Self::Utf32Le => to.extend(text.chars().flat_map(|c| u32::from(c).to_le_bytes())),
            Self::Utf32Be => to.extend(text.chars().flat_map(|c| u32::from(c).to_be_bytes())),
        }
    }

    /// Returns the number of bytes of `src` before which nothing is cut: a multiple of the unit, and not between
    /// surrogates.
    pub(super) fn whole(self, src: &[u8]) -> usize {
        let len = src.len() - src.len() % self.unit();
        let last = self.units(&src[..len]).last().unwrap_or_default();
        let cuts = self.unit() == 2 && (0xD800..0xDC00).contains(&last);
        if cuts { len - 2 } else { len }
    }
}

/// Text in UTF-8 made from UTF-16 or UTF-32, with U+FFFD for what was ill-formed.
pub(super) struct Decoded {
    pub(super) text: String,
    /// Offset in the bytes, their number, and the offset of U+FFFD in the text.
    pub(super) ill_formed: Vec<(usize, usize, usize)>,
}

impl Decoded {
    pub(super) fn new(source: Source, bytes: &[u8]) -> Self {
        let mut text = String::with_capacity(bytes.len());
        let mut ill_formed = Vec::new();
        let unit = source.unit();
        let mut units = source.units(bytes).enumerate().peekable();
        while let Some((at, value)) = units.next() {
            let c = match (value, units.peek()) {
                (0xD800..0xDC00, Some(&(_, low @ 0xDC00..0xE000))) if unit == 2 => {
                    units.next();
                    char::from_u32(0x1_0000 + ((value - 0xD800) << 10 | (low - 0xDC00)))
                }
                _ => char::from_u32(value),
            };
            if c.is_none() {
                ill_formed.push((at * unit, unit, text.len()));
            }
            text.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let rest = bytes.len() % unit;
        if rest > 0 {
            ill_formed.push((bytes.len() - rest, rest, text.len()));
            text.push(char::REPLACEMENT_CHARACTER);
        }
        Self { text, ill_formed }
    }
}
