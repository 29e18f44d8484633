//! What an encoding form is: how one code point is read and written, in safe scalar code.
//!
//! Conversion to and from every other form, streaming, policies, the names of the command and the conformance tests come from
//! the trait [`Form`]. Encodings that differ in their tables only are a [`Family`] and share a form.

pub(crate) use crate::forms::names::{Names, Repertoire};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormedKind, UnmappableKind};
use crate::ground::policy::{CodePoints, Span};
use crate::ground::unit::CodeUnit;
use core::fmt::Debug;

/// What stands at the start of some code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A code point, in `len` code units.
    CodePoint {
        /// The code point.
        value: CodePoint,
        /// How many code units stand for it.
        len: usize,
    },
    /// Several code points in `len` code units, which [`decode_several`](Form::decode_several) tells.
    Several {
        /// How many code units stand for them.
        len: usize,
    },
    /// `len` code units that are no text: a signature, a shift sequence.
    Shift {
        /// How many code units.
        len: usize,
    },
    /// An ill-formed sequence.
    IllFormed {
        /// Its maximal subpart: the length of the longest prefix of a well-formed sequence that stands here, at
        /// least 1.
        len: usize,
        /// How many units show it, where that is more than `len`: 2 for E0 80, of which E0 is the maximal subpart.
        seen: usize,
        /// What is wrong.
        kind: IllFormedKind,
    },
    /// The units end within a sequence that is well-formed so far.
    Incomplete {
        /// At least how many more units it takes.
        needs: usize,
    },
}

/// What became of a code point that was to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeStep {
    /// It was written in so many code units.
    Written(usize),
    /// There is no room for it; nothing was written and the state is as before.
    NoRoom,
    /// The form holds no such code point, though its [`Repertoire`] does not say so.
    Unmappable(UnmappableKind),
}

impl EncodeStep {
    /// `Written(len)` if the units were written.
    #[inline(always)]
    pub(crate) const fn of(written: bool, len: usize) -> Self {
        if written { Self::Written(len) } else { Self::NoRoom }
    }
}

/// One way of writing code points as code units, known at compile time.
///
/// The types that implement it are never values; they are named, as in `convert::decode::<Utf16<Le>>(…)`. `Unit` is the
/// code unit of the form: `u8`, `u16` or `u32`. Only this crate implements it: what decodes into a `String` must be right.
///
/// ```
/// use placemat::{convert, forms::{EncodingForm, Latin1, Utf16}, ErrorPolicy, Native};
/// fn text<F: EncodingForm>(units: &[F::Unit]) -> Option<String> {
///     convert::decode::<F>(units, ErrorPolicy::Stop).ok()
/// }
/// assert_eq!(text::<Latin1>(b"\xE9"), Some("é".into()));
/// // Half a pair of surrogates is ill-formed.
/// assert_eq!(text::<Utf16<Native>>(&[0x41, 0xD800]), None);
/// ```
pub trait EncodingForm: Form {}

/// One way of writing code points as code units, with all that the engine asks of it.
///
/// A form decodes and encodes single steps and knows nothing of policies, buffers or other forms.
///
/// The engine relies on this: lengths of steps and spans are at least 1 and at most the length of `src`; no sequence, with
/// the units that [`span`](Self::span) looks at, is longer than 16 units; a step that is [`Step::Incomplete`] becomes another
/// one when there is enough more. A form that breaks this can make a conversion panic or never end; it cannot make it unsound.
pub trait Form: Copy + Debug + Default + 'static {
    /// The code unit: `u8` for byte encodings.
    type Unit: CodeUnit;
    /// What the meaning of the next unit depends on; `()` for stateless forms.
    type State: Copy + Default + Debug + PartialEq + Send + Sync + 'static;

    /// How it is called.
    const NAMES: Names;
    /// The longest that one code point becomes, in code units, with whatever state change precedes it.
    const MAX_UNITS: usize;
    /// The most code points that one step stands for: more than one where there is [`Step::Several`].
    const MAX_CODE_POINTS: usize = 1;
    /// What it can hold.
    const REPERTOIRE: Repertoire;
    /// U+FEFF at the start of a text in this form, where that is a known signature; else empty.
    const SIGNATURE: &'static [u8] = &[];
    /// Whether a sequence that is not complete is never completed by text that follows.
    const SELF_SYNCHRONIZING: bool = true;
    /// Whether a surrogate code point has a natural bit pattern in the form, though text must not hold it.
    const SURROGATE_PATTERN: bool = false;
    /// How many `Unit`s make one unit of the form's own: what [`Span::Unit`] takes for one error.
    const UNITS_PER_ERROR: usize = 1;

    /// The code points that it holds in this state.
    #[must_use]
    #[inline(always)]
    fn repertoire(_state: &Self::State) -> Repertoire {
        Self::REPERTOIRE
    }

    /// Whether the form is bytes of which 00..7F always and only mean U+0000..U+007F, so that other bytes can stand
    /// beside text without being read as ASCII. It is the same for all states of a text.
    #[must_use]
    #[inline(always)]
    fn is_ascii_compatible(_state: &Self::State) -> bool {
        false
    }

    /// Whether escaped bytes can be put back into the form: bytes 80..FF that begin no sequence are errors of one byte each,
    /// and 00..7F mean ASCII where no sequence goes on. So it is in forms that are ASCII-compatible, and also where a
    /// sequence may end with a byte of 00..7F, as in GBK and `Shift_JIS`; but not where bytes shift to other sets. It is
    /// the same for all states of a text.
    #[must_use]
    #[inline(always)]
    fn takes_escapes(state: &Self::State) -> bool {
        Self::is_ascii_compatible(state)
    }

    /// By which name the kernels know the form in this state.
    #[must_use]
    #[inline(always)]
    fn bulk(_state: &Self::State) -> Bulk {
        Bulk::None
    }

    /// Reads what stands at the start of `src`, which is not empty. Advances `state`, also past what is ill-formed, but
    /// not past what is [`Step::Incomplete`].
    fn decode_step(state: &mut Self::State, src: &[Self::Unit]) -> Step;

    /// As [`decode_step`](Self::decode_step) where that was [`Step::Incomplete`], for units that end the text: what they
    /// stand for, or what is wrong with them. Never [`Step::Incomplete`].
    #[inline]
    fn decode_end(_state: &mut Self::State, src: &[Self::Unit]) -> Step {
        cut_off(src)
    }

    /// Takes a code point from the state that stands behind the units read so far and has none of its own: what is left of
    /// a unit that an error spans. Asked after every error and at the start of every call.
    #[inline(always)]
    fn owed(_state: &mut Self::State) -> Option<CodePoint> {
        None
    }

    /// The code points of a step that was [`Step::Several`], from the same state and units.
    #[must_use]
    fn decode_several(_state: &Self::State, _src: &[Self::Unit]) -> CodePoints {
        CodePoints::default()
    }

    /// Writes `c`, which [`REPERTOIRE`](Self::REPERTOIRE) holds (or which is a surrogate, if the form has
    /// [`SURROGATE_PATTERN`](Self::SURROGATE_PATTERN)), at the start of `dst`.
    fn encode_step(state: &mut Self::State, c: CodePoint, dst: &mut [Self::Unit]) -> EncodeStep;

    /// Writes what closes the text: a shift back, or the signature of an empty text.
    #[inline]
    fn encode_finish(_state: &mut Self::State, _dst: &mut [Self::Unit]) -> EncodeStep {
        EncodeStep::Written(0)
    }

    /// Whether [`encode_pause`](Self::encode_pause) ever writes anything.
    const HOLDS_BACK: bool = false;

    /// Writes the code points that wait for what follows them, such as a letter that may be one code with a mark. Called
    /// where a conversion stops: all that precedes the stop is written then, whether or not the caller goes on. Shifts stay
    /// as they are, and so does what would be ill-formed without the rest: bits of a run, half a pair of surrogates.
    #[inline(always)]
    fn encode_pause(_state: &mut Self::State, _dst: &mut [Self::Unit]) -> EncodeStep {
        EncodeStep::Written(0)
    }

    /// Whether [`to_utf8`](Self::to_utf8) and [`from_utf8`](Self::from_utf8) do anything.
    const QUICK: bool = false;

    /// Converts as much of `src` as goes without asking anybody: whole steps, as the steps would; it may stop anywhere. How
    /// many units it read and bytes it wrote.
    #[inline]
    fn to_utf8(_state: &mut Self::State, _src: &[Self::Unit], _dst: &mut [u8]) -> (usize, usize) {
        (0, 0)
    }

    /// The same in the other direction, from UTF-8 that may be ill-formed.
    #[inline]
    fn from_utf8(_state: &mut Self::State, _src: &[u8], _dst: &mut [Self::Unit]) -> (usize, usize) {
        (0, 0)
    }

    /// Reads a surrogate code point at the start of `src`, where [`decode_step`](Self::decode_step) found an
    /// ill-formed sequence; `None` if what stands there is none.
    #[must_use]
    #[inline]
    fn decode_surrogate(_state: &Self::State, _src: &[Self::Unit]) -> Option<Step> {
        None
    }

    /// How many units of `src` make one error under `rule`, where `maximal` is the length of the maximal subpart.
    /// `None` if that depends on units that are not there yet, which happens only if `last` is false.
    #[must_use]
    #[inline]
    fn span(
        _state: &Self::State,
        rule: Span,
        src: &[Self::Unit],
        maximal: usize,
        _last: bool,
    ) -> Option<usize> {
        Some(match rule {
            Span::Maximal | Span::Structural | Span::Lead => maximal,
            Span::Unit => Self::UNITS_PER_ERROR.min(src.len()),
        })
    }
}

/// A sequence that the end of the text cuts off.
pub(super) fn cut_off<U>(src: &[U]) -> Step {
    Step::IllFormed { len: src.len(), seen: src.len(), kind: IllFormedKind::Incomplete }
}

/// The forms that have kernels, by the names that the engine knows them by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bulk {
    /// No kernel: the driver goes step by step.
    None,
    /// Reading only; nothing is written.
    Void,
    Utf8,
    Utf16,
    Utf16Le,
    Utf16Be,
    Utf32,
    Utf32Le,
    Utf32Be,
    Ascii,
    Latin1,
    #[cfg(feature = "single-byte")]
    SingleByte(super::charsets::single_byte::SingleByte),
    /// A stateless multi-byte encoding of the web.
    #[cfg(feature = "legacy")]
    Legacy(&'static encoding_rs::Encoding),
    /// Two bytes of seven bits each for a character of JIS X 0208, as in ISO-2022-JP.
    #[cfg(feature = "legacy")]
    Jis0208,
    Cesu8,
    ModifiedUtf8,
    /// As UTF-8, but what the kernels for it stop at need not be ill-formed.
    Wtf8,
    /// ASCII without SO, SI and ESC, as in ISO-2022-JP.
    #[cfg(feature = "legacy")]
    Unshifted,
}

/// Encodings that differ in their tables only: one form, of which the state says which it is.
#[allow(dead_code, reason = "families come with features")]
pub(crate) trait Family: Copy + Eq + Debug + Sized + 'static {
    /// The form they have in common.
    type Form: Form<Unit = u8>;
    /// All of them, in the order in which they are listed to users.
    const ALL: &'static [Self];
    /// How each of them is called, in the order of [`ALL`](Self::ALL).
    const NAMES: &'static [&'static Names];

    /// How it is called.
    fn names(self) -> &'static Names;
    /// What it can hold.
    fn repertoire(self) -> Repertoire;
    /// The state at the start of a text.
    fn start(self) -> <Self::Form as Form>::State;
    /// U+FEFF at the start of a text in this encoding, where that is a known signature; else empty.
    fn signature(self) -> &'static [u8] {
        &[]
    }
}
