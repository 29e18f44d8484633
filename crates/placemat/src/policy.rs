//! What to do with ill-formed input, and with text that the target cannot hold.
//!
//! Policies are values that are handed to a conversion. [`ErrorPolicy`] and [`UnmappablePolicy`] hold the stock ones;
//! anything else implements [`OnError`] or [`OnUnmappable`], for which [`Call`] turns a function into a policy. How
//! many units are one error is a separate choice, [`Span`], made with [`OnError::spanning`].
//!
//! No policy reads a byte twice as text: what an error spans is replaced as a whole, and decoding goes on after it.

use crate::code_point::CodePoint;
use crate::error::{IllFormed, Unmappable};
#[cfg(feature = "transliteration")]
use crate::{forms::Encoding, transliteration::Transliteration};

/// How many code units form one error.
///
/// | bytes | `Maximal` | `Unit` | `Structural` | `Lead` |
/// | --- | --- | --- | --- | --- |
/// | E1 A0 C0 | E1 A0, C0 | E1, A0, C0 | E1 A0, C0 | E1 A0 C0 |
/// | F4 90 80 80 | F4, 90, 80, 80 | F4, 90, 80, 80 | F4 90 80 80 | F4 90 80 80 |
/// | E1 41 42 | E1 | E1 | E1 | E1 41 42 |
///
/// A well-formed sequence is read the same way under all of them. For forms other than UTF-8, `Structural` and `Lead`
/// are `Maximal`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Span {
    /// The maximal subpart: the longest prefix of a well-formed sequence, or one unit. What the Unicode Standard
    /// recommends (chapter 3, "U+FFFD Substitution of Maximal Subparts") and the WHATWG requires.
    #[default]
    Maximal,
    /// One code unit of the form: a byte of UTF-8, two bytes of UTF-16. As in Go and Plan 9.
    Unit,
    /// A lead byte and the continuation bytes that follow it, up to the length it announces in the six-byte table of
    /// RFC 2279. As in Perl.
    Structural,
    /// As many bytes as the lead byte announces, whatever they are. It swallows well-formed neighbours, as the oldest
    /// decoders did.
    Lead,
}

/// A replacement text of at most 1024 bytes, so that what stands for one error fits into a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Replacement<'a>(&'a str);

impl<'a> Replacement<'a> {
    /// The greatest length, in bytes of UTF-8.
    pub const MAX_BYTES: usize = 1024;
    /// Nothing at all.
    pub const EMPTY: Self = Self("");
    /// `?`
    pub const QUESTION: Self = Self("?");
    /// U+FFFD REPLACEMENT CHARACTER.
    pub const CHARACTER: Self = Self("\u{FFFD}");

    /// This text, or `None` if it is longer than [`MAX_BYTES`](Self::MAX_BYTES).
    ///
    /// ```
    /// use placemat::Replacement;
    /// assert_eq!(Replacement::new("<bad>").unwrap().text(), "<bad>");
    /// assert_eq!(Replacement::new(&"x".repeat(2000)), None);
    /// ```
    #[must_use]
    pub const fn new(text: &'a str) -> Option<Self> {
        if text.len() <= Self::MAX_BYTES { Some(Self(text)) } else { None }
    }

    /// The text.
    #[must_use]
    pub const fn text(self) -> &'a str {
        self.0
    }
}

/// A few code points, held in place.
#[derive(Clone, Copy, Debug)]
pub struct CodePoints {
    array: [CodePoint; Self::MAX],
    len: usize,
}

impl Default for CodePoints {
    fn default() -> Self {
        Self { array: [CodePoint::default(); Self::MAX], len: 0 }
    }
}

impl CodePoints {
    /// How many it can hold: `\xHH` for each of the sixteen bytes that one error shows at most.
    pub const MAX: usize = 64;

    /// The code points of an iterator; `None` if there are more than [`MAX`](Self::MAX).
    #[must_use]
    pub fn new(code_points: impl IntoIterator<Item = CodePoint>) -> Option<Self> {
        let mut all = Self::default();
        for c in code_points {
            *all.array.get_mut(all.len)? = c;
            all.len += 1;
        }
        Some(all)
    }

    /// They, in order.
    #[must_use]
    pub fn as_slice(&self) -> &[CodePoint] {
        &self.array[..self.len]
    }
}

/// What stands for an ill-formed sequence.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "it is made, looked at and gone, and must do without an allocation"
)]
pub enum Action<'a> {
    /// Nothing: decoding stops and reports it.
    Stop,
    /// A text; an empty one drops the sequence.
    Text(Replacement<'a>),
    /// Code points, which need not be scalar values.
    CodePoints(CodePoints),
}

/// Decides what happens at an ill-formed sequence.
///
/// It may be asked more than once about the same sequence, when the output was full or a piece has to be gone over again,
/// and about sequences further on in the source that the conversion, stopped before, does not reach: the answer should
/// always be the same. What it was asked is therefore no count of errors; the [`Tally`](crate::stream::Tally) is.
pub trait OnError {
    /// What stands for the sequence.
    fn handle(&mut self, error: &IllFormed) -> Action<'_>;

    /// How many units are one error.
    fn span(&self) -> Span {
        Span::Maximal
    }

    /// The most code points that [`handle`](Self::handle) yields for one error. It decides how large an output buffer must
    /// be at the least; too small a number here can make a conversion ask for room again and again.
    fn longest(&self) -> usize {
        Replacement::MAX_BYTES
    }

    /// Whether [`admits`](Self::admits) wants to be asked; if so, no kernel is used.
    fn inspects(&self) -> bool {
        false
    }

    /// Whether a well-formed code point may be read as itself. If not, the first unit of it is an error.
    fn admits(&self, _c: CodePoint) -> bool {
        true
    }

    /// Whether lone surrogates are read as code points, where the form has a pattern for them.
    fn passes_surrogates(&self) -> bool {
        false
    }

    /// Whether each maximal subpart becomes one U+FFFD, always, and all else is as the trait has it. A kernel may then do
    /// it, and [`handle`](Self::handle) need not be called.
    fn is_plain_replacement(&self) -> bool {
        false
    }

    /// The same policy with another idea of how much is one error. Policies that escape bytes keep their own: they go unit
    /// by unit whatever is asked for, so that no well-formed neighbour is ever escaped.
    ///
    /// ```
    /// use placemat::{utf8, ErrorPolicy, OnError, Span};
    /// let bytes = b"\xF4\x90\x80\x80!";
    /// assert_eq!(utf8::decode(bytes, ErrorPolicy::Replace)?, "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}!");
    /// assert_eq!(utf8::decode(bytes, ErrorPolicy::Replace.spanning(Span::Structural))?, "\u{FFFD}!");
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    fn spanning(self, span: Span) -> Spanning<Self>
    where
        Self: Sized,
    {
        Spanning { policy: self, span }
    }
}

impl<P: OnError + ?Sized> OnError for &mut P {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        (**self).handle(error)
    }
    fn span(&self) -> Span {
        (**self).span()
    }
    fn longest(&self) -> usize {
        (**self).longest()
    }
    fn inspects(&self) -> bool {
        (**self).inspects()
    }
    fn admits(&self, c: CodePoint) -> bool {
        (**self).admits(c)
    }
    fn passes_surrogates(&self) -> bool {
        (**self).passes_surrogates()
    }
    fn is_plain_replacement(&self) -> bool {
        (**self).is_plain_replacement()
    }
}

/// A policy with another [`Span`]; made by [`OnError::spanning`].
#[derive(Clone, Copy, Debug)]
pub struct Spanning<P> {
    policy: P,
    span: Span,
}

impl<P: OnError> OnError for Spanning<P> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        self.policy.handle(error)
    }
    fn span(&self) -> Span {
        if self.policy.span() == Span::Maximal { self.span } else { self.policy.span() }
    }
    fn longest(&self) -> usize {
        self.policy.longest()
    }
    fn inspects(&self) -> bool {
        self.policy.inspects()
    }
    fn admits(&self, c: CodePoint) -> bool {
        self.policy.admits(c)
    }
    fn passes_surrogates(&self) -> bool {
        self.policy.passes_surrogates()
    }
    fn is_plain_replacement(&self) -> bool {
        self.span() == Span::Maximal && self.policy.is_plain_replacement()
    }
}

/// The stock policies for ill-formed input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorPolicy<'a> {
    /// Stop and report. Decoding may be taken up again after the sequence.
    #[default]
    Stop,
    /// U+FFFD for each error.
    Replace,
    /// Another text for each error.
    ReplaceWith(Replacement<'a>),
    /// Nothing. Dangerous: it joins what stood apart, `<scr\xFFipt>` for instance.
    Skip,
    /// Each byte as ISO-8859-1 reads it: U+0000 + byte.
    Latin1,
    /// Each byte as windows-1252 reads it; the five bytes undefined there as C1 controls (WHATWG).
    Cp1252,
    /// `\xHH` for each byte, as in Python's `backslashreplace`.
    HexEscape,
    /// U+DC00 + byte for each byte, PEP 383. Stops at errors that contain bytes below 80. The result needs a target
    /// that holds surrogates, or [`UnmappablePolicy::SurrogateEscape`] to turn them back.
    SurrogateEscape,
    /// Surrogates are read as code points; anything else stops.
    SurrogatePass,
    /// U+EF00 + byte for each byte (`MirBSD`'s idea on full UTF-8). Genuine U+EF80..U+EFFF are escaped too, so that
    /// every byte string survives. Stops at errors that contain bytes below 80.
    Optu,
    /// OPTU-16, as `MirBSD` has it for 16-bit text: as [`Optu`](Self::Optu), but surrogates are read as code points,
    /// and what lies above U+FFFD in 16 bits or above U+FFFF is escaped byte by byte.
    Optu16,
}

/// windows-1252, 80..9F; the bytes that Microsoft leaves undefined keep their C1 control (WHATWG index).
const CP1252: [u16; 32] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
];

/// Lower-case hexadecimal digits of `value`, at least `width` of them.
fn hex(value: u32, width: u32) -> impl Iterator<Item = CodePoint> {
    let digits = width.max((35 - (value | 1).leading_zeros()) / 4);
    (0..digits).rev().map(move |i| {
        let digit = char::from_digit(value >> (4 * i) & 0xF, 16).unwrap_or('0');
        CodePoint::from(digit)
    })
}

fn code_points(text: &str) -> impl Iterator<Item = CodePoint> {
    text.chars().map(CodePoint::from)
}

/// Each byte as a code point above `base`; stops if one of them is ASCII, which must never be escaped.
fn escape(base: u16, bytes: &[u8]) -> Action<'static> {
    if bytes.iter().any(u8::is_ascii) {
        return Action::Stop;
    }
    each(bytes.iter().map(|&byte| CodePoint::from_u16(base + u16::from(byte))))
}

fn each(code_points: impl Iterator<Item = CodePoint>) -> Action<'static> {
    CodePoints::new(code_points).map_or(Action::Stop, Action::CodePoints)
}

/// U+EF80..U+EFFF, which stand for bytes 80..FF.
fn is_optu(c: CodePoint) -> bool {
    (0xEF80..=0xEFFF).contains(&c.value())
}

impl OnError for ErrorPolicy<'_> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        let bytes = error.bytes();
        match *self {
            Self::Stop | Self::SurrogatePass => Action::Stop,
            Self::Replace => Action::Text(Replacement::CHARACTER),
            Self::ReplaceWith(text) => Action::Text(text),
            Self::Skip => Action::Text(Replacement::EMPTY),
            Self::Latin1 => each(bytes.iter().map(|&byte| CodePoint::from_byte(byte))),
            Self::Cp1252 => each(bytes.iter().map(|&byte| match byte {
                0x80..=0x9F => CodePoint::from_u16(CP1252[usize::from(byte - 0x80)]),
                _ => CodePoint::from_byte(byte),
            })),
            Self::HexEscape => {
                each(bytes.iter().flat_map(|&byte| code_points("\\x").chain(hex(u32::from(byte), 2))))
            }
            Self::SurrogateEscape => escape(0xDC00, bytes),
            Self::Optu | Self::Optu16 => escape(0xEF00, bytes),
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
            Self::ReplaceWith(text) => text.0.chars().count(),
            Self::Latin1 | Self::Cp1252 | Self::SurrogateEscape | Self::Optu | Self::Optu16 => 16,
            Self::HexEscape => CodePoints::MAX,
        }
    }

    fn inspects(&self) -> bool {
        matches!(self, Self::Optu | Self::Optu16)
    }

    fn admits(&self, c: CodePoint) -> bool {
        match self {
            Self::Optu => !is_optu(c),
            Self::Optu16 => !is_optu(c) && c.value() < 0xFFFE,
            _ => true,
        }
    }

    fn passes_surrogates(&self) -> bool {
        matches!(self, Self::SurrogatePass | Self::Optu16)
    }

    fn is_plain_replacement(&self) -> bool {
        matches!(self, Self::Replace)
    }
}

/// A function as a policy.
///
/// ```
/// use placemat::{utf8, policy::{Action, Call}, IllFormedKind, Replacement};
/// let mut overlong = false;
/// let text = utf8::decode(b"a\xC0\x80b\xFFc", Call(|e: &placemat::IllFormed| {
///     if matches!(e.kind(), IllFormedKind::Overlong(_)) { overlong = true; }
///     Action::Text(Replacement::QUESTION)
/// }))?;
/// assert_eq!(text, "a??b?c");
/// assert!(overlong);
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Call<F>(pub F);

impl<F: FnMut(&IllFormed) -> Action<'static>> OnError for Call<F> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        self.0(error)
    }
}

/// What is written for a code point that the target cannot hold.
#[derive(Clone, Copy, Debug)]
pub enum Substitute<'a> {
    /// Nothing: encoding stops and reports it.
    Stop,
    /// The target's own substitute: U+FFFD if it holds that, else `?`.
    Default,
    /// A text; an empty one drops the code point.
    Text(Replacement<'a>),
    /// Code points.
    CodePoints(CodePoints),
    /// Code points of which surrogates are written by the bit pattern that the form would give them. Stops where the
    /// form has none.
    Patterns(CodePoints),
    /// A byte, 80..FF, written as it is. Stops where the target [takes none](crate::EncodingForm::takes_escapes).
    Byte {
        /// The byte.
        value: u8,
        /// Whether to stop if the bytes written so would come together as a well-formed sequence, with each other or with text
        /// behind them.
        checked: bool,
    },
}

/// Decides what happens to a code point that the target cannot hold.
///
/// It may be asked more than once about the same one, when the output was full: the answer should be the same.
pub trait OnUnmappable {
    /// What is written for it. If the target cannot hold that either, encoding stops.
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_>;

    /// The most code points that [`handle`](Self::handle) yields for one; see [`OnError::longest`].
    fn longest(&self) -> usize {
        Replacement::MAX_BYTES
    }

    /// Whether [`intercepts`](Self::intercepts) wants to be asked; if so, no kernel is used.
    fn inspects(&self) -> bool {
        false
    }

    /// Whether the policy decides about a code point even though the target, which takes escapes, holds it.
    fn intercepts(&self, _c: CodePoint) -> bool {
        false
    }
}

impl<P: OnUnmappable + ?Sized> OnUnmappable for &mut P {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        (**self).handle(unmappable)
    }
    fn longest(&self) -> usize {
        (**self).longest()
    }
    fn inspects(&self) -> bool {
        (**self).inspects()
    }
    fn intercepts(&self, c: CodePoint) -> bool {
        (**self).intercepts(c)
    }
}

/// The stock policies for text that the target cannot hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnmappablePolicy<'a> {
    /// Stop and report.
    #[default]
    Stop,
    /// The target's own substitute: U+FFFD if it holds that, else `?`.
    Replace,
    /// Another text.
    ReplaceWith(Replacement<'a>),
    /// Nothing.
    Skip,
    /// `&#8364;`, as in XML and HTML.
    XmlReference,
    /// `\xe9`, `\u20ac`, `\U0001f600`, as in Python's `backslashreplace`.
    HexEscape,
    /// Something similar in ASCII, `EUR` for `€` and `e` for `é`; as [`Replace`](Self::Replace) where there is nothing
    /// similar. [`Transliteration`] does it by language, and with what the target holds beyond ASCII.
    #[cfg(feature = "transliteration")]
    Transliterate,
    /// U+DC80..U+DCFF become the bytes they stand for (PEP 383), checked: it stops where such bytes would come together
    /// as a well-formed sequence, which text from [`ErrorPolicy::SurrogateEscape`] never does. Into all encodings that are
    /// ASCII-compatible or nearly so ([`Encoding::takes_escapes`](crate::Encoding::takes_escapes)).
    SurrogateEscape,
    /// As [`SurrogateEscape`](Self::SurrogateEscape) without the check, as Python does it. Text from elsewhere can then
    /// forge any non-ASCII character.
    SurrogateEscapeUnchecked,
    /// Surrogates are written by the bit pattern that the form would give them; anything else stops.
    SurrogatePass,
    /// U+EF80..U+EFFF become the bytes they stand for, checked as in [`SurrogateEscape`](Self::SurrogateEscape).
    Optu,
    /// As [`Optu`](Self::Optu) without the check.
    OptuUnchecked,
    /// OPTU-8: as [`Optu`](Self::Optu) without the check; U+FFFE and U+FFFF stop; surrogates are written as three
    /// bytes, and code points above U+FFFF as two of them.
    Optu16,
}

/// The low byte: what an escape stands for.
#[expect(clippy::cast_possible_truncation, reason = "the low byte is meant")]
const fn low_byte(c: CodePoint) -> u8 {
    c.value() as u8
}

fn substitute(code_points: impl Iterator<Item = CodePoint>) -> Substitute<'static> {
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
            Self::XmlReference => {
                let mut decimal = [0; 10];
                let mut rest = c.value();
                let mut start = decimal.len();
                while rest > 0 || start == decimal.len() {
                    start -= 1;
                    decimal[start] = rest % 10;
                    rest /= 10;
                }
                let digits = decimal[start..].iter().filter_map(|&digit| char::from_digit(digit, 10));
                substitute(code_points("&#").chain(digits.map(CodePoint::from)).chain(code_points(";")))
            }
            Self::HexEscape => match c.value() {
                value @ ..=0xFF => substitute(code_points("\\x").chain(hex(value, 2))),
                value @ ..=0xFFFF => substitute(code_points("\\u").chain(hex(value, 4))),
                value => substitute(code_points("\\U").chain(hex(value, 8))),
            },
            #[cfg(feature = "transliteration")]
            Self::Transliterate => {
                let ascii = Transliteration::new(Encoding::Ascii);
                let similar = c.to_char().and_then(|c| ascii.similar(c)).and_then(Replacement::new);
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
            Self::ReplaceWith(text) => text.0.chars().count(),
            Self::XmlReference | Self::HexEscape => 13,
            #[cfg(feature = "transliteration")]
            Self::Transliterate => Transliteration::new(Encoding::Ascii).longest(),
            Self::Optu16 => 2,
            _ => 1,
        }
    }

    fn inspects(&self) -> bool {
        matches!(self, Self::Optu | Self::OptuUnchecked | Self::Optu16)
    }

    fn intercepts(&self, c: CodePoint) -> bool {
        match self {
            Self::Optu | Self::OptuUnchecked => is_optu(c),
            Self::Optu16 => is_optu(c) || c.value() >= 0xFFFE,
            _ => false,
        }
    }
}

/// A function as a policy for text that the target cannot hold.
///
/// ```
/// use placemat::{convert, forms::Ascii, policy::{CallUnmappable, Substitute}, Replacement};
/// let plain = convert::encode::<Ascii>("5 € à", CallUnmappable(|u: &placemat::Unmappable| {
///     match u.code_point().to_char() {
///         Some('€') => Substitute::Text(Replacement::new("EUR").unwrap()),
///         _ => Substitute::Default,
///     }
/// }))?;
/// assert_eq!(plain, b"5 EUR ?");
/// # Ok::<(), placemat::Unmappable>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CallUnmappable<F>(pub F);

impl<F: FnMut(&Unmappable) -> Substitute<'static>> OnUnmappable for CallUnmappable<F> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        self.0(unmappable)
    }
}
