//! The stock policies.

use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormed, Unmappable, UnmappableKind};
use crate::ground::hints::{Engine, Hints, MAX_TEXT_BYTES, Substitutes, Watch};
use crate::ground::patch::{Patch, Short, Texts};
use crate::ground::policy::{
    Action, CodePoints, OnError, OnUnmappable, Otherwise, Replacement, Span, Substitute,
};
#[cfg(feature = "transliteration")]
use crate::transliteration::choice;

/// The stock policies for ill-formed input.
///
/// ```
/// use placemat::{ErrorPolicy, Replacement, utf8};
/// let bytes = b"caf\xE9!";
/// assert!(utf8::decode(bytes, ErrorPolicy::Stop).is_err());
/// assert_eq!(utf8::decode(bytes, ErrorPolicy::Replace)?, "caf\u{FFFD}!");
/// assert_eq!(utf8::decode(bytes, ErrorPolicy::ReplaceWith(Replacement::QUESTION))?, "caf?!");
/// assert_eq!(utf8::decode(bytes, ErrorPolicy::Latin1)?, "café!");
/// assert_eq!(utf8::decode(bytes, ErrorPolicy::HexEscape)?, "caf\\xe9!");
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorPolicy<'a> {
    /// Stop and report. Decoding may continue after the sequence.
    #[default]
    Stop,
    /// U+FFFD for each error.
    Replace,
    /// Another text for each error.
    ReplaceWith(Replacement<'a>),
    /// Nothing. Dangerous: it joins text that was apart, as in `<scr\xFFipt>`.
    Skip,
    /// Each byte as ISO-8859-1 reads it: U+0000 + byte.
    Latin1,
    /// Each byte as windows-1252 reads it; the five bytes undefined there become C1 controls (WHATWG).
    Windows1252,
    /// `\xHH` for each byte, as in Python's `backslashreplace`.
    HexEscape,
    /// U+DC00 + byte for each byte, PEP 383. Stops at errors that contain bytes below 80. Its
    /// result needs a target that represents surrogates, or [`UnmappablePolicy::SurrogateEscape`]
    /// to turn them back.
    SurrogateEscape,
    /// Read surrogates as code points; stop at anything else.
    SurrogatePass,
    /// U+EF00 + byte for each byte (`MirBSD`'s idea, extended to all of UTF-8). Genuine
    /// U+EF80..U+EFFF are escaped too, so that every byte string survives. Stops at errors that
    /// contain bytes below 80. A policy of yours that asks this one about each error does not
    /// escape genuine ones, because they are not errors.
    Optu,
    /// OPTU-16, as `MirBSD` defines it for 16-bit text. Differs from [`Optu`](Self::Optu) in two
    /// ways: surrogates are read as code points, and code points above U+FFFD are escaped byte by
    /// byte.
    Optu16,
}

/// The code points of the bytes 80..9F in windows-1252; bytes that Microsoft leaves undefined keep
/// their C1 control (WHATWG index).
const CP1252: [u16; 32] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
];

/// The texts of the bytes 80..FF under [`ErrorPolicy::Latin1`].
static LATIN1_TEXTS: Texts = texts(&[]);
/// The texts of the bytes 80..FF under [`ErrorPolicy::Windows1252`].
static CP1252_TEXTS: Texts = texts(&CP1252);

/// Returns the texts of the bytes 80..FF: those of `first`, and then U+0000 + byte.
const fn texts(first: &[u16]) -> Texts {
    let mut texts = [Short::EMPTY; 128];
    let mut byte = 0x80;
    while byte <= 0xFF {
        let i = byte as usize - 0x80;
        let value = if i < first.len() { first[i] as u32 } else { byte };
        if let Some(c) = char::from_u32(value)
            && let Some(text) = Short::new(c.encode_utf8(&mut [0; 4]))
        {
            texts[i] = text;
        }
        byte += 1;
    }
    Texts::new(texts)
}

/// The texts of the bytes 80..FF under [`ErrorPolicy::Optu`].
static OPTU_TEXTS: Texts = texts(&{
    let mut escapes = [0; 128];
    let mut i = 0_u16;
    while i < 128 {
        escapes[i as usize] = FIRST_OPTU + i;
        i += 1;
    }
    escapes
});

/// The texts of the bytes 80..FF under [`ErrorPolicy::HexEscape`].
static HEX_TEXTS: Texts = {
    let mut texts = [Short::EMPTY; 128];
    let mut i = 0;
    while i < texts.len() {
        let text = [b'\\', b'x', DIGITS[8 + i / 16], DIGITS[i % 16]];
        if let Ok(text) = core::str::from_utf8(&text)
            && let Some(text) = Short::new(text)
        {
            texts[i] = text;
        }
        i += 1;
    }
    Texts::new(texts)
};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Maps each byte to a code point above `base`; stops if one is ASCII, which must never be escaped.
fn escape(base: u16, bytes: &[u8]) -> Action<'static> {
    if bytes.iter().any(u8::is_ascii) {
        return Action::Stop;
    }
    each(bytes.iter().map(|&byte| CodePoint::from_u16(base + u16::from(byte))))
}

#[inline]
fn each(code_points: impl Iterator<Item = CodePoint>) -> Action<'static> {
    CodePoints::new(code_points).map_or(Action::Stop, Action::CodePoints)
}

/// The code point that represents the byte 80: the first of 128, U+EF80..U+EFFF, for the bytes
/// 80..FF.
const FIRST_OPTU: u16 = 0xEF80;

fn is_optu(c: CodePoint) -> bool {
    (0xEF80..=0xEFFF).contains(&c.value())
}

/// Returns `true` if the bytes of UTF-8 may contain U+EF80..U+EFFF: EE BE 80 to EE BF BF.
fn may_have_optu(text: &[u8]) -> bool {
    // Search without an early exit, so that the compiler uses vectors. Private-use characters are
    // rare, and so are their lead bytes.
    let has_lead = |piece: &[u8]| piece.iter().fold(false, |any, &byte| any | (byte == 0xEE));
    text.chunks(1024).any(has_lead) && text.windows(2).any(|pair| pair[0] == 0xEE && pair[1] >= 0xBE)
}

impl OnError for ErrorPolicy<'_> {
    #[inline]
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        let bytes = error.bytes();
        match *self {
            Self::Stop => Action::Stop,
            Self::SurrogatePass => Action::Pass(Otherwise::Stop),
            Self::Replace => Action::Text(Replacement::CHARACTER),
            Self::ReplaceWith(text) => Action::Text(text),
            Self::Skip => Action::Text(Replacement::EMPTY),
            Self::Latin1 => each(bytes.iter().map(|&byte| CodePoint::from_byte(byte))),
            Self::Windows1252 => each(bytes.iter().map(|&byte| match byte {
                0x80..=0x9F => CodePoint::from_u16(CP1252[usize::from(byte - 0x80)]),
                _ => CodePoint::from_byte(byte),
            })),
            Self::HexEscape => each(bytes.iter().flat_map(|&byte| {
                let [high, low] = [byte >> 4, byte & 0xF].map(|digit| DIGITS[usize::from(digit)]);
                [b'\\', b'x', high, low].map(CodePoint::from_byte)
            })),
            Self::SurrogateEscape => escape(0xDC00, bytes),
            Self::Optu => escape(0xEF00, bytes),
            Self::Optu16 => Action::Pass(escape(0xEF00, bytes).into()),
        }
    }

    fn span(&self) -> Span {
        match self {
            Self::SurrogateEscape | Self::Optu | Self::Optu16 => Span::Unit,
            _ => Span::Maximal,
        }
    }

    fn longest(&self) -> usize {
        match self {
            Self::Stop | Self::SurrogatePass | Self::Skip => 0,
            Self::Replace => 1,
            Self::ReplaceWith(text) => text.text().chars().count(),
            Self::Latin1 | Self::Windows1252 | Self::SurrogateEscape | Self::Optu | Self::Optu16 => 16,
            Self::HexEscape => CodePoints::MAX,
        }
    }

    fn hints(&self, _: Engine) -> Hints<'_, Patch> {
        let answer = match self {
            Self::Replace => Some(Patch::Once(Short::REPLACEMENT)),
            Self::ReplaceWith(text) => Short::new(text.text()).map(Patch::Once),
            Self::Skip => Some(Patch::Once(Short::EMPTY)),
            Self::Latin1 => Some(Patch::Each(&LATIN1_TEXTS)),
            Self::Windows1252 => Some(Patch::Each(&CP1252_TEXTS)),
            Self::HexEscape => Some(Patch::Each(&HEX_TEXTS)),
            Self::Optu => Some(Patch::Each(&OPTU_TEXTS)),
            Self::Stop | Self::SurrogateEscape | Self::SurrogatePass | Self::Optu16 => None,
        };
        let watch = self.inspects().then_some(self as &dyn Watch);
        Hints { watch, repeats: true, calm: false, answer }
    }
}

impl Watch for ErrorPolicy<'_> {
    fn has(&self, c: CodePoint) -> bool {
        is_optu(c) || matches!(self, Self::Optu16) && c.value() >= 0xFFFE
    }

    fn may_be_in(&self, text: &[u8]) -> bool {
        matches!(self, Self::Optu16) || may_have_optu(text)
    }
}

impl ErrorPolicy<'_> {
    /// Returns `true` if the policy also decides about well-formed code points: [`Optu`](Self::Optu) and
    /// [`Optu16`](Self::Optu16) do.
    ///
    /// ```
    /// use placemat::ErrorPolicy;
    /// assert!(ErrorPolicy::Optu.inspects());
    /// assert!(!ErrorPolicy::SurrogateEscape.inspects());
    /// ```
    #[must_use]
    pub const fn inspects(&self) -> bool {
        matches!(self, Self::Optu | Self::Optu16)
    }
}

/// The stock policies for text that the target cannot represent.
///
/// ```
/// use placemat::{UnmappablePolicy, convert, forms::Latin1};
/// let encode = |policy| convert::encode::<Latin1>("5 €", policy);
/// assert!(encode(UnmappablePolicy::Stop).is_err());
/// assert_eq!(encode(UnmappablePolicy::Replace)?, b"5 ?");
/// assert_eq!(encode(UnmappablePolicy::XmlReference)?, b"5 &#8364;");
/// assert_eq!(encode(UnmappablePolicy::HexEscape)?, b"5 \\u20ac");
/// # Ok::<(), placemat::Unmappable>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnmappablePolicy<'a> {
    /// Stop and report.
    #[default]
    Stop,
    /// The target's own substitute: U+FFFD if it can represent that, otherwise `?`.
    Replace,
    /// Another text.
    ReplaceWith(Replacement<'a>),
    /// Nothing.
    Skip,
    /// `&#8364;`, as in XML and HTML. In ISO-2022-JP, `&#65533;` for U+000E, U+000F and U+001B, as browsers write them.
    XmlReference,
    /// `\xe9`, `\u20ac`, `\U0001f600`, as in Python's `backslashreplace`.
    HexEscape,
    /// A similar text in ASCII, `EUR` for `€` and `e` for `é`; if there is none, the substitute of
    /// [`Replace`](Self::Replace). `transliteration::Transliteration` works by language, and
    /// uses more of the target than ASCII.
    #[cfg(feature = "transliteration")]
    Transliterate,
    /// Turn U+DC80..U+DCFF back into the bytes that they escape (PEP 383), checked: stops if such
    /// bytes would form a well-formed sequence, which never happens with text from
    /// [`ErrorPolicy::SurrogateEscape`]. Works for encodings that are ASCII-compatible or nearly so
    /// (`Encoding::takes_escapes`).
    SurrogateEscape,
    /// Like [`SurrogateEscape`](Self::SurrogateEscape), but without the check, as in Python. Text
    /// from another source can then forge any non-ASCII character.
    SurrogateEscapeUnchecked,
    /// Write surrogates with the bit pattern that the form would give them; stop at anything else.
    SurrogatePass,
    /// Turn U+EF80..U+EFFF back into the bytes that they escape, checked like
    /// [`SurrogateEscape`](Self::SurrogateEscape).
    Optu,
    /// Like [`Optu`](Self::Optu), but without the check.
    OptuUnchecked,
    /// OPTU-8: like [`Optu`](Self::Optu), but without the check. Stops at U+FFFE and U+FFFF, writes
    /// surrogates in three bytes, and code points above U+FFFF as two surrogates.
    Optu16,
}

/// Returns the low byte of an escape, which is the byte that it represents.
#[expect(clippy::cast_possible_truncation, reason = "only the low byte is needed")]
const fn low_byte(c: CodePoint) -> u8 {
    c.value() as u8
}

/// Writes `&#`, the code point in decimal digits, and `;`.
#[expect(clippy::unnecessary_wraps, reason = "the type of `Substitutes::Ascii`")]
fn reference(c: CodePoint, text: &mut [u8; MAX_TEXT_BYTES]) -> Option<usize> {
    let mut rest = c.value();
    let digits = rest.checked_ilog10().unwrap_or(0) as usize + 1;
    *text = *b"&#;;;;;;;;;;;;;;";
    for digit in text[2..2 + digits].iter_mut().rev() {
        *digit = DIGITS[(rest % 10) as usize];
        rest /= 10;
    }
    Some(digits + 3)
}

/// Writes `\x`, `\u` or `\U`, and the code point in two, four or eight hexadecimal digits.
#[expect(clippy::unnecessary_wraps, reason = "the type of `Substitutes::Ascii`")]
fn escaped(c: CodePoint, text: &mut [u8; MAX_TEXT_BYTES]) -> Option<usize> {
    let value = c.value();
    let (letter, digits) = match value {
        ..=0xFF => (b'x', 2),
        0x100..=0xFFFF => (b'u', 4),
        _ => (b'U', 8),
    };
    [text[0], text[1]] = [b'\\', letter];
    for (i, digit) in text[2..2 + digits].iter_mut().rev().enumerate() {
        *digit = DIGITS[(value >> (4 * i) & 0xF) as usize];
    }
    Some(digits + 2)
}

/// Writes a similar text in ASCII, if there is a short one.
#[cfg(feature = "transliteration")]
fn similar(c: CodePoint, text: &mut [u8; MAX_TEXT_BYTES]) -> Option<usize> {
    #[cfg(target_has_atomic = "64")]
    return crate::transliteration::recent::write_in_ascii(c.to_char()?, text);
    #[cfg(not(target_has_atomic = "64"))]
    {
        let similar = choice::in_ascii(c.to_char()?)?.as_bytes();
        text.get_mut(..similar.len())?.copy_from_slice(similar);
        Some(similar.len())
    }
}

/// Returns the text for a code point as an answer.
fn ascii(
    text_of: fn(CodePoint, &mut [u8; MAX_TEXT_BYTES]) -> Option<usize>,
    c: CodePoint,
) -> Substitute<'static> {
    let mut text = [0; MAX_TEXT_BYTES];
    let len = text_of(c, &mut text).unwrap_or(0);
    let code_points = text[..len].iter().map(|&byte| CodePoint::from_byte(byte));
    CodePoints::new(code_points).map_or(Substitute::Stop, Substitute::CodePoints)
}

fn patterns(code_points: impl Iterator<Item = CodePoint>) -> Substitute<'static> {
    CodePoints::new(code_points).map_or(Substitute::Stop, Substitute::Patterns)
}

impl OnUnmappable for UnmappablePolicy<'_> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        let c = unmappable.code_point();
        match *self {
            Self::Stop => Substitute::Stop,
            Self::Replace => Substitute::Default,
            Self::ReplaceWith(text) => Substitute::Text(text),
            Self::Skip => Substitute::Text(Replacement::EMPTY),
            // The WHATWG Encoding Standard lets no reference name a switch.
            Self::XmlReference if unmappable.kind() == UnmappableKind::Switch => {
                ascii(reference, CodePoint::REPLACEMENT)
            }
            Self::XmlReference => ascii(reference, c),
            Self::HexEscape => ascii(escaped, c),
            #[cfg(feature = "transliteration")]
            Self::Transliterate => {
                let similar = c.to_char().and_then(choice::in_ascii).and_then(Replacement::new);
                similar.map_or(Substitute::Default, Substitute::Text)
            }
            Self::SurrogateEscape | Self::SurrogateEscapeUnchecked => match c.value() {
                0xDC80..=0xDCFF => {
                    Substitute::Byte { value: low_byte(c), checked: matches!(self, Self::SurrogateEscape) }
                }
                _ => Substitute::Stop,
            },
            Self::SurrogatePass => patterns([c].into_iter()),
            Self::Optu if is_optu(c) => Substitute::Byte { value: low_byte(c), checked: true },
            Self::OptuUnchecked | Self::Optu16 if is_optu(c) => {
                Substitute::Byte { value: low_byte(c), checked: false }
            }
            Self::Optu16 => match c.to_pair() {
                Some((lead, trail)) => patterns([lead, trail].map(CodePoint::from_u16).into_iter()),
                None if c.is_surrogate() => patterns([c].into_iter()),
                None => Substitute::Stop,
            },
            Self::Optu | Self::OptuUnchecked => Substitute::Stop,
        }
    }

    fn longest(&self) -> usize {
        match self {
            Self::ReplaceWith(text) => text.text().chars().count(),
            Self::XmlReference | Self::HexEscape => 13,
            #[cfg(feature = "transliteration")]
            Self::Transliterate => choice::MAX_SUBSTITUTE_BYTES,
            Self::Optu16 => 2,
            _ => 1,
        }
    }

    fn hints(&self, _: Engine) -> Hints<'_, Substitutes> {
        let answer = match self {
            Self::Replace | Self::ReplaceWith(_) | Self::Skip => Some(Substitutes::Same),
            Self::XmlReference => Some(Substitutes::Ascii(reference)),
            Self::HexEscape => Some(Substitutes::Ascii(escaped)),
            #[cfg(feature = "transliteration")]
            Self::Transliterate => Some(Substitutes::Ascii(similar)),
            _ => None,
        };
        let watch = self.inspects().then_some(self as &dyn Watch);
        Hints { watch, repeats: true, calm: false, answer }
    }
}

impl Watch for UnmappablePolicy<'_> {
    fn has(&self, c: CodePoint) -> bool {
        is_optu(c) || matches!(self, Self::Optu16) && c.value() >= 0xFFFE
    }

    fn may_be_in(&self, text: &[u8]) -> bool {
        matches!(self, Self::Optu16) || may_have_optu(text)
    }
}

impl UnmappablePolicy<'_> {
    /// Returns `true` if the policy also decides about code points that the target can represent:
    /// [`Optu`](Self::Optu) and its variants do.
    ///
    /// ```
    /// use placemat::UnmappablePolicy;
    /// assert!(UnmappablePolicy::Optu.inspects());
    /// assert!(!UnmappablePolicy::SurrogateEscape.inspects());
    /// ```
    #[must_use]
    pub const fn inspects(&self) -> bool {
        matches!(self, Self::Optu | Self::OptuUnchecked | Self::Optu16)
    }
}
