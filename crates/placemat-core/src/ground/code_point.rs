//! Code points, in the widest sense that the encoding forms need.

use core::char::CharTryFromError;
use core::fmt;

/// A code point of ISO/IEC 10646 as first published: U+0000 to U+7FFFFFFF, surrogates included.
///
/// Today's Unicode ends at U+10FFFF, and its encoding forms represent scalar values only. Older and
/// laxer relatives (UCS-4, the six-byte UTF-8, WTF-8) represent more. A form's
/// [`Repertoire`](crate::forms::Repertoire) is the set of its code points.
///
/// ```
/// use placemat::CodePoint;
/// assert_eq!(CodePoint::from('€').to_char(), Some('€'));
/// let lone = CodePoint::new(0xD800).unwrap();
/// assert!(lone.is_surrogate());
/// assert_eq!(lone.to_char(), None);
/// assert_eq!(lone.to_string(), "U+D800");
/// assert_eq!(CodePoint::new(0x8000_0000), None);
///
/// assert_eq!(CodePoint::from_byte(0xE9).value(), 0xE9);
/// assert_eq!(CodePoint::from_u16(0xD800), lone);
/// assert_eq!(CodePoint::from('😀').to_pair(), Some((0xD83D, 0xDE00)));
/// assert!(CodePoint::from('\u{FFFE}').is_noncharacter());
/// // By the conversions of the standard library.
/// let c = CodePoint::try_from(0x20AC)?;
/// assert_eq!(char::try_from(c)?, '€');
/// assert!(char::try_from(lone).is_err());
/// assert!(CodePoint::try_from(u32::MAX).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodePoint(u32);

impl CodePoint {
    /// The greatest code point: U+7FFFFFFF.
    pub const MAX: Self = Self(0x7FFF_FFFF);
    /// U+FFFD REPLACEMENT CHARACTER.
    pub const REPLACEMENT: Self = Self(0xFFFD);

    /// The code point with this value, or `None` above U+7FFFFFFF.
    #[inline]
    #[must_use]
    pub const fn new(value: u32) -> Option<Self> {
        if value <= Self::MAX.0 { Some(Self(value)) } else { None }
    }

    /// The code point of a byte in ISO-8859-1.
    #[inline]
    #[must_use]
    pub const fn from_byte(byte: u8) -> Self {
        Self(byte as u32)
    }

    /// The code point of a 16-bit value, surrogates included.
    #[inline]
    #[must_use]
    pub const fn from_u16(value: u16) -> Self {
        Self(value as u32)
    }

    /// Returns the code point of a value that the caller keeps within 31 bits; the top bit of a
    /// greater value is dropped.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn within_31_bits(value: u32) -> Self {
        Self(value & Self::MAX.0)
    }

    /// Returns the supplementary code point that a surrogate pair encodes.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn from_pair(lead: u16, trail: u16) -> Self {
        // Computes 10000 + (lead - D800) * 400 + (trail - DC00), with the constants combined.
        Self(((lead as u32) << 10) + trail as u32 - 0x035F_DC00)
    }

    /// The two surrogates that encode a supplementary code point, or `None` outside
    /// U+10000..U+10FFFF.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "within U+10FFFF both halves fit in 16 bits")]
    pub const fn to_pair(self) -> Option<(u16, u16)> {
        if self.0 < 0x1_0000 || self.0 > 0x10_FFFF {
            return None;
        }
        let v = self.0 - 0x1_0000;
        Some((0xD800 + (v >> 10) as u16, 0xDC00 + (v & 0x3FF) as u16))
    }

    /// The value of the code point.
    #[inline]
    #[must_use]
    pub const fn value(self) -> u32 {
        self.0
    }

    /// The scalar value, or `None` for a surrogate or above U+10FFFF.
    #[inline]
    #[must_use]
    pub const fn to_char(self) -> Option<char> {
        char::from_u32(self.0)
    }

    /// Whether this is a surrogate code point, U+D800..U+DFFF.
    #[inline]
    #[must_use]
    pub const fn is_surrogate(self) -> bool {
        self.0 & !0x7FF == 0xD800
    }

    /// Whether this is one of the 66 noncharacters: U+FDD0..U+FDEF and the last two code points of every plane.
    ///
    /// Noncharacters are scalar values and well-formed in every form (Unicode Corrigendum 9).
    #[inline]
    #[must_use]
    pub const fn is_noncharacter(self) -> bool {
        self.0 <= 0x10_FFFF && (self.0 & 0xFFFE == 0xFFFE || (self.0 >= 0xFDD0 && self.0 <= 0xFDEF))
    }
}

impl From<char> for CodePoint {
    #[inline]
    fn from(c: char) -> Self {
        Self(c as u32)
    }
}

impl From<CodePoint> for u32 {
    #[inline]
    fn from(c: CodePoint) -> Self {
        c.0
    }
}

impl TryFrom<u32> for CodePoint {
    type Error = CodePointError;

    #[inline]
    fn try_from(value: u32) -> Result<Self, CodePointError> {
        Self::new(value).ok_or(CodePointError(value))
    }
}

impl TryFrom<CodePoint> for char {
    type Error = CharTryFromError;

    #[inline]
    fn try_from(c: CodePoint) -> Result<Self, CharTryFromError> {
        Self::try_from(c.0)
    }
}

/// The error for a number above U+7FFFFFFF, which is not a code point.
///
/// ```
/// use placemat::CodePoint;
/// assert_eq!(CodePoint::try_from(0x41), Ok(CodePoint::from('A')));
/// let e = CodePoint::try_from(0x8000_0000).unwrap_err();
/// assert_eq!(e.to_string(), "0x80000000 is above the last code point, U+7FFFFFFF");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodePointError(u32);

impl fmt::Display for CodePointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:x} is above the last code point, {}", self.0, CodePoint::MAX)
    }
}

impl core::error::Error for CodePointError {}

#[cfg(feature = "std")]
crate::ground::io_error::into_io_error!(InvalidInput: CodePointError);

/// Writes the notation of the Unicode Standard: `U+00E9`.
impl fmt::Display for CodePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "U+{:04X}", self.0)
    }
}

impl fmt::Debug for CodePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
