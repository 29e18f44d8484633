//! The traits of policies: the questions that a conversion asks a policy, and the possible answers.

use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormed, IllFormedKind, Unmappable};
use crate::ground::patch::Patch;
use core::fmt;

/// The number of code units that form one error.
///
/// | bytes | `Maximal` | `Unit` | `Structural` | `Lead` |
/// | --- | --- | --- | --- | --- |
/// | E1 A0 C0 | E1 A0, C0 | E1, A0, C0 | E1 A0, C0 | E1 A0 C0 |
/// | F4 90 80 80 | F4, 90, 80, 80 | F4, 90, 80, 80 | F4 90 80 80 | F4 90 80 80 |
/// | E1 41 42 | E1 | E1 | E1 | E1 41 42 |
///
/// Well-formed sequences are read alike under all of them. In forms other than UTF-8, `Structural` and `Lead` mean
/// `Maximal`.
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
    /// The maximal subpart: the longest prefix of a well-formed sequence, or one unit. The Unicode Standard recommends
    /// it (chapter 3, "U+FFFD Substitution of Maximal Subparts"), and the WHATWG requires it.
    #[default]
    Maximal,
    /// One code unit of the form: a byte of UTF-8, two bytes of UTF-16. Go and Plan 9 use it.
    Unit,
    /// A lead byte and the continuation bytes after it, up to the length that it announces in the six-byte table of RFC
    /// 2279. Perl uses it.
    Structural,
    /// As many bytes as the lead byte announces, of any value. The oldest decoders used it; it swallows well-formed
    /// neighbours.
    Lead,
}

/// A replacement text of at most 1024 bytes, so that the replacement of one error fits into a buffer.
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
    /// The empty text.
    pub const EMPTY: Self = Self("");
    /// `?`
    pub const QUESTION: Self = Self("?");
    /// U+FFFD REPLACEMENT CHARACTER.
    pub const CHARACTER: Self = Self("\u{FFFD}");

    /// A replacement with this text; `None` if it is longer than [`MAX_BYTES`](Self::MAX_BYTES).
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

/// The error for a text that is too long for a [`Replacement`].
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

/// A few code points, stored in place.
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
    /// The greatest number of code points: enough for `\xHH` for each of the sixteen bytes that an error shows at most.
    pub const MAX: usize = 64;

    /// The code points of an iterator; `None` if there are more than [`MAX`](Self::MAX).
    #[must_use]
    #[inline]
    pub fn new(code_points: impl IntoIterator<Item = CodePoint>) -> Option<Self> {
        let mut all = Self::default();
        for c in code_points {
            *all.array.get_mut(all.len)? = c;
            all.len += 1;
        }
        Some(all)
    }

    /// The code points, in order.
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

/// The answer of a policy to an ill-formed sequence.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "it lives briefly, and it must not allocate")]
pub enum Action<'a> {
    /// Stop: decoding ends and reports the error.
    Stop,
    /// A text; an empty one drops the sequence.
    Text(Replacement<'a>),
    /// Code points, which need not be scalar values.
    CodePoints(CodePoints),
}

/// The most code points that a policy yields for one error or one code point, unless it declares another number. Room
/// for `\xF0\x9F\x98\x80`, and few enough that two policies, of which one asks the other, need only a small buffer.
pub(crate) const LONGEST: usize = 16;

/// Decides about ill-formed sequences.
///
/// A conversion may ask more than once about a sequence, if the output was full or a piece has to be converted again.
/// It may also ask about later sequences that it then does not reach, because it stops before. The policy should always
/// give one answer for one sequence. The number of questions is therefore not a count of errors; use the
/// [`Tally`](crate::stream::Tally).
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
    /// The replacement of the sequence.
    fn handle(&mut self, error: &IllFormed) -> Action<'_>;

    /// The number of units in one error.
    fn span(&self) -> Span {
        Span::Maximal
    }

    /// The most code points that [`handle`](Self::handle) yields for one error: 16, unless the policy declares another
    /// number. It determines the smallest output buffer
    /// ([`Transcoder::min_output`](crate::stream::Transcoder::min_output)).
    ///
    /// A policy may yield more if there is room. A call with less room reads and writes nothing and answers
    /// [`NeedOutput`](crate::stream::Status::NeedOutput), until it gets a larger buffer. Conversions of whole texts and
    /// the adapters for input and output enlarge theirs themselves.
    fn longest(&self) -> usize {
        LONGEST
    }

    /// Whether [`admits`](Self::admits) must be asked; if so, no kernel is used, unless
    /// [`may_refuse`](Self::may_refuse) says that it may.
    fn inspects(&self) -> bool {
        false
    }

    /// Whether [`admits`](Self::admits) may refuse a code point of `text`, which is UTF-8. A policy that inspects, and can
    /// tell this of a whole stretch quickly, is asked for stretches, and kernels convert those with a `false`. It must
    /// answer `false` for the empty text then.
    ///
    /// ```
    /// use placemat::{CodePoint, Encoding, IllFormed, OnError, policy::Action, stream::Transcoder};
    /// /// Takes U+0000 for an error.
    /// struct NoNul;
    /// impl OnError for NoNul {
    ///     fn handle(&mut self, _: &IllFormed) -> Action<'_> {
    ///         Action::Stop
    ///     }
    ///     fn inspects(&self) -> bool {
    ///         true
    ///     }
    ///     fn admits(&self, c: CodePoint) -> bool {
    ///         c.value() != 0
    ///     }
    ///     fn may_refuse(&self, text: &[u8]) -> bool {
    ///         text.contains(&0)
    ///     }
    /// }
    /// let decode = |src: &[u8]| Transcoder::from(Encoding::UTF_16BE).on_error(NoNul).transcode(src);
    /// assert_eq!(decode(b"\0a\0b")?, b"ab");
    /// assert!(decode(b"\0a\0\0").is_err());
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    fn may_refuse(&self, _text: &[u8]) -> bool {
        true
    }

    /// Whether a well-formed code point is read as itself. If not, its first unit is an error.
    fn admits(&self, _c: CodePoint) -> bool {
        true
    }

    /// Whether lone surrogates are read as code points, where the form has a pattern for them.
    fn passes_surrogates(&self) -> bool {
        false
    }

    /// Whether lone surrogates that are errors of this kind are read as code points.
    #[doc(hidden)]
    fn passes(&self, _kind: IllFormedKind) -> bool {
        self.passes_surrogates()
    }

    /// Whether each maximal subpart always becomes one U+FFFD, and the other methods keep their defaults. A kernel may
    /// then replace errors without a call of [`handle`](Self::handle).
    fn is_plain_replacement(&self) -> bool {
        false
    }

    /// The texts that stand for errors of UTF-8, if they depend on the bytes of each maximal subpart alone, `src` has nothing
    /// that the policy refuses, and the other methods keep their defaults. A kernel may then write them without a call of
    /// [`handle`](Self::handle).
    #[doc(hidden)]
    fn patch(&self, _src: &[u8]) -> Option<Patch> {
        None
    }

    /// This policy with another [`Span`]. Policies that escape bytes keep their own: they always go unit by unit, so
    /// that no well-formed neighbour is ever escaped.
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
    fn may_refuse(&self, text: &[u8]) -> bool {
        (**self).may_refuse(text)
    }
    fn admits(&self, c: CodePoint) -> bool {
        (**self).admits(c)
    }
    fn passes_surrogates(&self) -> bool {
        (**self).passes_surrogates()
    }
    fn passes(&self, kind: IllFormedKind) -> bool {
        (**self).passes(kind)
    }
    fn is_plain_replacement(&self) -> bool {
        (**self).is_plain_replacement()
    }
    fn patch(&self, src: &[u8]) -> Option<Patch> {
        (**self).patch(src)
    }
}

/// A policy with another [`Span`], made by [`OnError::spanning`].
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
    fn may_refuse(&self, text: &[u8]) -> bool {
        self.policy.may_refuse(text)
    }
    fn admits(&self, c: CodePoint) -> bool {
        self.policy.admits(c)
    }
    fn passes_surrogates(&self) -> bool {
        self.policy.passes_surrogates()
    }
    fn passes(&self, kind: IllFormedKind) -> bool {
        self.policy.passes(kind)
    }
    fn is_plain_replacement(&self) -> bool {
        self.span() == Span::Maximal && self.policy.is_plain_replacement()
    }
    fn patch(&self, src: &[u8]) -> Option<Patch> {
        if self.span() == Span::Maximal { self.policy.patch(src) } else { None }
    }
}

/// The answer of a policy to a code point that the target cannot represent.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Substitute<'a> {
    /// Stop: encoding ends and reports the error.
    Stop,
    /// The target's own substitute: U+FFFD if it can represent that, otherwise `?`.
    Default,
    /// A text; an empty one drops the code point.
    Text(Replacement<'a>),
    /// Code points.
    CodePoints(CodePoints),
    /// Code points whose surrogates are written with the bit pattern that the form would give them. Stops if the form
    /// has none.
    Patterns(CodePoints),
    /// A byte, 80..FF, written as it is. Stops if the target [does not take it](crate::Encoding::takes_escapes).
    Byte {
        /// The value of the byte.
        value: u8,
        /// Whether to stop if such bytes would form a well-formed sequence, with each other or with the text after
        /// them.
        checked: bool,
    },
}

/// Decides about code points that the target cannot represent.
///
/// A conversion may ask more than once about one code point, if the output was full; the answer should not change.
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
    /// The substitute for the code point. If the target cannot represent that either, encoding stops.
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_>;

    /// The most code points that [`handle`](Self::handle) yields for one code point: 16, unless the policy declares
    /// another number; see [`OnError::longest`].
    fn longest(&self) -> usize {
        LONGEST
    }

    /// Whether [`intercepts`](Self::intercepts) must be asked; if so, no kernel is used, unless
    /// [`may_intercept`](Self::may_intercept) says that it may.
    fn inspects(&self) -> bool {
        false
    }

    /// Whether [`intercepts`](Self::intercepts) may hold for a code point of `text`, which is UTF-8; see
    /// [`OnError::may_refuse`].
    fn may_intercept(&self, _text: &[u8]) -> bool {
        true
    }

    /// Whether the policy decides about a code point even if the target, which takes escapes, can represent it.
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
    fn may_intercept(&self, text: &[u8]) -> bool {
        (**self).may_intercept(text)
    }
    fn intercepts(&self, c: CodePoint) -> bool {
        (**self).intercepts(c)
    }
}
