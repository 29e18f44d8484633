//! The classes of byte values in UTF-8.

use crate::forms::unicode::utf8::nominal_len;

/// The role of a byte value in well-formed UTF-8. Unicode Standard, Table 3-7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteClass {
    /// 00..7F: a code point by itself; never within a longer sequence.
    Ascii,
    /// 80..BF: the second to fourth byte of a sequence.
    Continuation,
    /// C2..DF: the first of two bytes.
    Lead2,
    /// E0..EF: the first of three bytes.
    Lead3,
    /// F0..F4: the first of four bytes.
    Lead4,
    /// C0, C1: could only start an overlong sequence of two bytes.
    OverlongLead,
    /// F5..FF: never occurs.
    Never,
}

/// Returns the class of a byte value.
///
/// ```
/// use placemat::utf8::{ByteClass, class};
/// assert_eq!(class(b'a'), ByteClass::Ascii);
/// assert_eq!(class(0xE2), ByteClass::Lead3);
/// assert_eq!(class(0xFF), ByteClass::Never);
/// assert_eq!(class(0xE2).sequence_len(), Some(3));
/// ```
#[must_use]
#[inline]
pub const fn class(byte: u8) -> ByteClass {
    match byte {
        0x00..=0x7F => ByteClass::Ascii,
        0x80..=0xBF => ByteClass::Continuation,
        0xC0..=0xC1 => ByteClass::OverlongLead,
        0xC2..=0xDF => ByteClass::Lead2,
        0xE0..=0xEF => ByteClass::Lead3,
        0xF0..=0xF4 => ByteClass::Lead4,
        0xF5..=0xFF => ByteClass::Never,
    }
}

impl ByteClass {
    /// Returns the length of the sequences that start with a byte of this class; `None` if no sequence
    /// does.
    ///
    /// ```
    /// use placemat::utf8::ByteClass;
    /// assert_eq!(ByteClass::Lead4.sequence_len(), Some(4));
    /// assert_eq!(ByteClass::Continuation.sequence_len(), None);
    /// ```
    #[must_use]
    pub const fn sequence_len(self) -> Option<usize> {
        match self {
            Self::Ascii => Some(1),
            Self::Lead2 => Some(2),
            Self::Lead3 => Some(3),
            Self::Lead4 => Some(4),
            Self::Continuation | Self::OverlongLead | Self::Never => None,
        }
    }
}

/// Returns the length that a first byte announces in the six-byte table of RFC 2279, which older decoders follow;
/// 1 if it announces none.
///
/// ```
/// assert_eq!(placemat::utf8::announced_len(0xF8), 5);
/// ```
#[must_use]
#[inline]
pub const fn announced_len(byte: u8) -> usize {
    nominal_len(byte)
}
