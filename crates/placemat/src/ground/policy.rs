//! The terms on which a conversion and a policy meet: what a policy is asked, and what it can answer.

use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormed, Unmappable};
use core::fmt;

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
///
/// ```
/// use placemat::{ErrorPolicy, OnError, Span, utf8};
/// let errors = |span| {
///     let text = utf8::decode(b"\xE1\xA0\xC0", ErrorPolicy::Replace.spanning(span)).unwrap();
///     text.matches('\u{FFFD}').count()
/// };
/// assert_eq!([Span::Maximal, Span::Unit, Span::Structural, Span::Lead].map(errors), [2, 3, 2, 1]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
///
/// ```
/// use placemat::{ErrorPolicy, Replacement, utf8};
/// let dots = Replacement::try_from("…")?;
/// assert_eq!(utf8::decode(b"a\xFFb", ErrorPolicy::ReplaceWith(dots))?, "a…b");
/// let e = Replacement::try_from("x".repeat(2000).as_str()).unwrap_err();
/// assert_eq!(e.to_string(), "a replacement has at most 1024 bytes, and this text has 2000");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

impl<'a> TryFrom<&'a str> for Replacement<'a> {
    type Error = ReplacementError;

    fn try_from(text: &'a str) -> Result<Self, ReplacementError> {
        Self::new(text).ok_or(ReplacementError { len: text.len() })
    }
}

/// A text that is too long for a [`Replacement`].
///
/// ```
/// use placemat::{Replacement, policy::ReplacementError};
/// assert_eq!(Replacement::try_from("<?>")?.text(), "<?>");
/// let long = "x".repeat(2000);
/// let e: ReplacementError = Replacement::try_from(long.as_str()).unwrap_err();
/// assert!(e.to_string().contains("2000"));
/// # Ok::<(), ReplacementError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReplacementError {
    len: usize,
}

impl fmt::Display for ReplacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = Replacement::MAX_BYTES;
        write!(f, "a replacement has at most {most} bytes, and this text has {}", self.len)
    }
}

impl core::error::Error for ReplacementError {}

/// A few code points, held in place.
///
/// ```
/// use placemat::{CodePoint, policy::CodePoints};
/// let few = CodePoints::new("né".chars().map(CodePoint::from)).unwrap();
/// assert_eq!(few.as_slice(), ['n', 'é'].map(CodePoint::from));
/// assert_eq!(format!("{few:?}"), "CodePoints([U+006E, U+00E9])");
/// assert!(CodePoints::new(vec![CodePoint::REPLACEMENT; 65]).is_none());
/// ```
#[derive(Clone, Copy)]
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

impl fmt::Debug for CodePoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CodePoints").field(&self.as_slice()).finish()
    }
}

/// What stands for an ill-formed sequence.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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

/// The most code points that a policy yields for one error or one code point, if it does not say how many. Room for
/// `\xF0\x9F\x98\x80`, and little enough that two policies, of which one asks the other, need only a small buffer.
pub(crate) const LONGEST: usize = 16;

/// Decides what happens at an ill-formed sequence.
///
/// It may be asked more than once about the same sequence, when the output was full or a piece has to be gone over again,
/// and about sequences further on in the source that the conversion, stopped before, does not reach: the answer should
/// always be the same. What it was asked is therefore no count of errors; the [`Tally`](crate::stream::Tally) is.
///
/// ```
/// use placemat::{IllFormed, OnError, Replacement, policy::Action, utf8};
/// /// Marks the first error, and stops at the second.
/// struct Once(Option<u64>);
/// impl OnError for Once {
///     fn handle(&mut self, error: &IllFormed) -> Action<'_> {
///         match *self.0.get_or_insert(error.offset()) == error.offset() {
///             true => Action::Text(Replacement::QUESTION),
///             false => Action::Stop,
///         }
///     }
/// }
/// assert_eq!(utf8::decode(b"a\xFFb", Once(None))?, "a?b");
/// assert_eq!(utf8::decode(b"a\xFFb\xFF", Once(None)).unwrap_err().offset(), 3);
/// # Ok::<(), placemat::ConvertError>(())
/// ```
pub trait OnError {
    /// What stands for the sequence.
    fn handle(&mut self, error: &IllFormed) -> Action<'_>;

    /// How many units are one error.
    fn span(&self) -> Span {
        Span::Maximal
    }

    /// The most code points that [`handle`](Self::handle) yields for one error: 16, unless the policy says otherwise. It
    /// decides how large an output buffer must be at the least
    /// ([`Transcoder::min_output`](crate::stream::Transcoder::min_output)).
    ///
    /// A policy that yields more than it says here is obeyed all the same, where there is room: a call that has less
    /// reads and writes nothing and answers [`NeedOutput`](crate::stream::Status::NeedOutput), until it is given a larger
    /// buffer. Whole texts and the adapters for input and output see to that themselves.
    fn longest(&self) -> usize {
        LONGEST
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
///
/// ```
/// use placemat::{ErrorPolicy, OnError, Span, policy::Spanning, utf8};
/// let structural: Spanning<ErrorPolicy<'_>> = ErrorPolicy::Replace.spanning(Span::Structural);
/// assert_eq!(utf8::decode(b"\xF4\x90\x80\x80!", structural)?, "\u{FFFD}!");
/// # Ok::<(), placemat::ConvertError>(())
/// ```
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

/// What is written for a code point that the target cannot hold.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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
    /// A byte, 80..FF, written as it is. Stops where the target [takes none](crate::Encoding::takes_escapes).
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
///
/// ```
/// use placemat::{Encoding, OnUnmappable, Replacement, Unmappable, policy::Substitute};
/// /// Writes the euro sign as three letters, and nothing else.
/// struct Euro;
/// impl OnUnmappable for Euro {
///     fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
///         match unmappable.code_point().to_char() {
///             Some('€') => Replacement::new("EUR").map_or(Substitute::Stop, Substitute::Text),
///             _ => Substitute::Stop,
///         }
///     }
/// }
/// assert_eq!(Encoding::US_ASCII.encode("5 €", Euro)?, &b"5 EUR"[..]);
/// assert!(Encoding::US_ASCII.encode("5 £", Euro).is_err());
/// # Ok::<(), Unmappable>(())
/// ```
pub trait OnUnmappable {
    /// What is written for it. If the target cannot hold that either, encoding stops.
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_>;

    /// The most code points that [`handle`](Self::handle) yields for one: 16, unless the policy says otherwise; see
    /// [`OnError::longest`].
    fn longest(&self) -> usize {
        LONGEST
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
