//! The traits of policies: the questions that a conversion asks a policy, and the possible answers.

use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormed, Unmappable};
use crate::ground::hints::{Engine, Hints, Substitutes};
use crate::ground::patch::Patch;
#[cfg(feature = "alloc")]
use alloc::boxed::Box;
use core::fmt;

/// The number of code units that form one error.
///
/// | bytes | `Maximal` | `Unit` | `Structural` | `Lead` |
/// | --- | --- | --- | --- | --- |
/// | E1 A0 C0 | E1 A0, C0 | E1, A0, C0 | E1 A0, C0 | E1 A0 C0 |
/// | F4 90 80 80 | F4, 90, 80, 80 | F4, 90, 80, 80 | F4 90 80 80 | F4 90 80 80 |
/// | E1 41 42 | E1 | E1 | E1 | E1 41 42 |
///
/// All of them read well-formed sequences alike. In forms other than UTF-8, `Structural` and `Lead`
/// mean `Maximal`.
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
    /// All bytes that the lead byte announces, of any value. The oldest decoders used it; it
    /// swallows well-formed neighbors.
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

    /// Returns a replacement with this text; `None` if it is longer than [`MAX_BYTES`](Self::MAX_BYTES).
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

    /// Returns the text.
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

#[cfg(feature = "std")]
crate::ground::io_error::into_io_error!(InvalidInput: ReplacementError);

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
    /// The greatest number of code points: enough for `\xHH` for each of the at most sixteen bytes
    /// that an error shows.
    pub const MAX: usize = 64;

    /// Returns the code points of an iterator; `None` if there are more than [`MAX`](Self::MAX).
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

    /// Returns the code points, in order.
    #[must_use]
    pub fn as_slice(&self) -> &[CodePoint] {
        self.array.get(..self.len).unwrap_or_default()
    }
}

impl fmt::Debug for CodePoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CodePoints").field(&self.as_slice()).finish()
    }
}

/// A policy's answer to an ill-formed sequence.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Action<'a> {
    /// Stop: decoding ends and reports the error.
    Stop,
    /// A text; an empty one drops the sequence.
    Text(Replacement<'a>),
    /// Code points, which need not be scalar values.
    CodePoints(CodePoints),
    /// Read a lone surrogate as its code point, where the form has a pattern for it. Any other
    /// sequence gets the answer in parentheses.
    ///
    /// ```
    /// use placemat::policy::{Action, Otherwise, from_fn};
    /// use placemat::{Native, UnmappablePolicy, convert::transcode, forms::{Utf8, Utf16}};
    /// let to_utf16 = |src: &[u8]| {
    ///     let pass = from_fn(|_| Action::Pass(Otherwise::Stop));
    ///     transcode::<Utf8, Utf16<Native>>(src, pass, UnmappablePolicy::SurrogatePass)
    /// };
    /// assert_eq!(to_utf16(b"a\xED\xA0\x80")?, [0x61, 0xD800]);
    /// // The third byte is missing.
    /// assert_eq!(to_utf16(b"a\xED\xA0").unwrap_err().offset(), 1);
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    Pass(Otherwise<'a>),
}

/// The answer to a sequence that [`Action::Pass`] cannot pass.
///
/// ```
/// use placemat::{ErrorPolicy, IllFormed, OnError, policy::{Action, Otherwise, Replacement}, utf8};
/// /// Passes lone surrogates, and replaces all other errors.
/// struct Pass;
/// impl OnError for Pass {
///     fn handle(&mut self, _: &IllFormed) -> Action<'_> {
///         Action::Pass(Otherwise::Text(Replacement::QUESTION))
///     }
/// }
/// assert_eq!(utf8::decode(b"a\xFF", Pass)?, "a?");
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "it lives briefly, and it must not allocate")]
pub enum Otherwise<'a> {
    /// [`Action::Stop`].
    Stop,
    /// [`Action::Text`].
    Text(Replacement<'a>),
    /// [`Action::CodePoints`].
    CodePoints(CodePoints),
}

impl<'a> From<Otherwise<'a>> for Action<'a> {
    fn from(otherwise: Otherwise<'a>) -> Self {
        match otherwise {
            Otherwise::Stop => Self::Stop,
            Otherwise::Text(text) => Self::Text(text),
            Otherwise::CodePoints(all) => Self::CodePoints(all),
        }
    }
}

impl<'a> From<Action<'a>> for Otherwise<'a> {
    fn from(action: Action<'a>) -> Self {
        match action {
            Action::Stop => Self::Stop,
            Action::Text(text) => Self::Text(text),
            Action::CodePoints(all) => Self::CodePoints(all),
            Action::Pass(otherwise) => otherwise,
        }
    }
}

/// The greatest number of code points that a policy yields for one error or one code point, unless
/// it declares another number. Enough for `\xF0\x9F\x98\x80`, and small enough that the buffer for
/// two policies, one of which asks the other, stays small.
pub(crate) const DEFAULT_LONGEST_POINTS: usize = 16;

/// Decides about ill-formed sequences.
///
/// A conversion asks once about each ill-formed sequence, in the order of the text, however the
/// text and the output are divided. So a policy may count errors, or change its answer from one to
/// the next. (Without the feature `alloc`, it asks again if the answer did not fit into the
/// output.) A call that does not convert text asks about the text again if the caller passes it
/// again, as after [`Transcoder::leaving_rest`](crate::stream).
/// [`policy::from_fn`](crate::policy::from_fn) makes a policy of a closure.
///
/// A policy that forwards all three methods of another one gives the same output, only more slowly, because the engine
/// then asks about each error. [`ErrorPolicy::Optu`](crate::ErrorPolicy::Optu) and `Optu16` are the exception: they
/// also refuse well-formed code points, about which no method asks.
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
    /// Returns the replacement of the sequence.
    fn handle(&mut self, error: &IllFormed) -> Action<'_>;

    /// Returns how many code units form one error.
    fn span(&self) -> Span {
        Span::Maximal
    }

    /// Returns the greatest number of code points that [`handle`](Self::handle) yields for one
    /// error: 16, unless the policy declares another number. It determines the smallest output
    /// buffer ([`FormTranscoder::min_output`](crate::stream::FormTranscoder::min_output)).
    ///
    /// A policy may yield more if there is room. With less room, a call reads and writes nothing
    /// and returns [`NeedOutput`](crate::stream::Status::NeedOutput), until it gets a larger
    /// buffer. Conversions of whole texts and the adapters for input and output enlarge their
    /// buffers themselves.
    fn longest(&self) -> usize {
        DEFAULT_LONGEST_POINTS
    }

    /// Returns the policy's hints for the engine. Only this crate can override the method.
    #[doc(hidden)]
    #[inline]
    fn hints(&self, _: Engine) -> Hints<'_, Patch> {
        Hints::NONE
    }

    /// Notes that the answers so far were not all written, so the engine will ask for the last one
    /// again. Only this crate can override the method.
    #[doc(hidden)]
    #[inline]
    fn ask_again(&mut self, _: Engine) {}

    /// Returns this policy with another [`Span`]. Policies that escape bytes keep their own: they
    /// always go code unit by code unit, so that no well-formed neighbor is ever escaped.
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

    /// Returns this policy for the first `max` errors. The conversion stops at the next one,
    /// whatever the policy answers.
    ///
    /// ```
    /// use placemat::{ErrorPolicy, OnError, utf8};
    /// let few = || ErrorPolicy::Replace.max_errors(2);
    /// assert_eq!(utf8::decode(b"a\xFFb\xFF", few())?, "a\u{FFFD}b\u{FFFD}");
    /// assert_eq!(utf8::decode(b"a\xFFb\xFF\xFF", few()).unwrap_err().offset(), 4);
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    fn max_errors(self, max: u64) -> MaxErrors<Self>
    where
        Self: Sized,
    {
        MaxErrors { policy: self, left: max }
    }
}

/// Implements [`OnError`] and [`OnUnmappable`] for pointers, which forward everything.
macro_rules! forwards {
    ($pointer:ty) => {
        impl<P: OnError + ?Sized> OnError for $pointer {
            #[inline]
            fn handle(&mut self, error: &IllFormed) -> Action<'_> {
                (**self).handle(error)
            }
            #[inline]
            fn span(&self) -> Span {
                (**self).span()
            }
            #[inline]
            fn longest(&self) -> usize {
                (**self).longest()
            }
            #[inline]
            fn hints(&self, engine: Engine) -> Hints<'_, Patch> {
                (**self).hints(engine)
            }
            #[inline]
            fn ask_again(&mut self, engine: Engine) {
                (**self).ask_again(engine);
            }
        }

        impl<P: OnUnmappable + ?Sized> OnUnmappable for $pointer {
            #[inline]
            fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
                (**self).handle(unmappable)
            }
            #[inline]
            fn longest(&self) -> usize {
                (**self).longest()
            }
            #[inline]
            fn hints(&self, engine: Engine) -> Hints<'_, Substitutes> {
                (**self).hints(engine)
            }
            #[inline]
            fn ask_again(&mut self, engine: Engine) {
                (**self).ask_again(engine);
            }
        }
    };
}

forwards!(&mut P);
#[cfg(feature = "alloc")]
forwards!(Box<P>);

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
    fn hints(&self, engine: Engine) -> Hints<'_, Patch> {
        let hints = self.policy.hints(engine);
        if self.span() == Span::Maximal { hints } else { Hints { answer: None, ..hints } }
    }
}

/// A policy for a limited number of errors, made by [`OnError::max_errors`].
///
/// ```
/// use placemat::{ErrorPolicy, OnError, policy::MaxErrors, utf8};
/// let mut few: MaxErrors<ErrorPolicy<'_>> = ErrorPolicy::Skip.max_errors(2);
/// // One of two errors.
/// assert_eq!(utf8::decode(b"a\xFFb", &mut few)?, "ab");
/// assert_eq!(few.left(), 1);
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MaxErrors<P> {
    policy: P,
    left: u64,
}

impl<P> MaxErrors<P> {
    /// Returns the number of errors that the policy still handles.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }
}

impl<P: OnError> OnError for MaxErrors<P> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                self.policy.handle(error)
            }
            None => Action::Stop,
        }
    }
    fn span(&self) -> Span {
        self.policy.span()
    }
    fn longest(&self) -> usize {
        self.policy.longest()
    }
    fn hints(&self, engine: Engine) -> Hints<'_, Patch> {
        Hints { answer: None, repeats: false, ..self.policy.hints(engine) }
    }
}

/// A policy's answer to a code point that the target cannot represent.
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
    /// Code points, whose surrogates are written with the bit pattern that the form would give
    /// them. The conversion stops if the form has none.
    Patterns(CodePoints),
    /// A byte, 80..FF, written as it is. The conversion stops if the target does not accept it
    /// (`Encoding::takes_escapes`).
    Byte {
        /// The value of the byte.
        value: u8,
        /// Whether to stop if such bytes would form a well-formed sequence, with each other or with
        /// the text after them.
        checked: bool,
    },
}

/// Decides about code points that the target cannot represent.
///
/// A conversion asks once about each code point, as it does for [`OnError`].
///
/// ```
/// use placemat::{OnUnmappable, Replacement, Unmappable, convert, forms::Ascii, policy::Substitute};
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
/// assert_eq!(convert::encode::<Ascii>("5 €", Euro)?, b"5 EUR");
/// assert!(convert::encode::<Ascii>("5 £", Euro).is_err());
/// # Ok::<(), Unmappable>(())
/// ```
pub trait OnUnmappable {
    /// Returns the substitute for the code point. If the target cannot represent the substitute
    /// either, encoding stops.
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_>;

    /// Returns the greatest number of code points that [`handle`](Self::handle) yields for one code
    /// point: 16, unless the policy declares another number; see [`OnError::longest`].
    fn longest(&self) -> usize {
        DEFAULT_LONGEST_POINTS
    }

    /// Returns the policy's hints for the engine. Only this crate can override the method.
    #[doc(hidden)]
    #[inline]
    fn hints(&self, _: Engine) -> Hints<'_, Substitutes> {
        Hints::NONE
    }

    /// Notes that the engine will ask again about all code points of the last step, like
    /// [`OnError::ask_again`].
    #[doc(hidden)]
    #[inline]
    fn ask_again(&mut self, _: Engine) {}
}
