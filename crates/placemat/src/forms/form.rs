//! The trait of encoding forms: it reads and writes one code point, in safe scalar code.
//!
//! Conversion to and from every other form, streaming, policies, the names of the command and the conformance tests come from
//! the trait [`Form`]. Encodings that differ only in their tables are a [`Family`] and share a form.

pub(crate) use crate::forms::names::{Names, Repertoire};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormedKind, UnmappableKind};
use crate::ground::policy::{CodePoints, Span};
use crate::ground::unit::CodeUnit;
use core::fmt::Debug;
use core::hash::Hash;

/// The result of decoding at the start of some code units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A code point, in `len` code units.
    CodePoint {
        /// The code point.
        value: CodePoint,
        /// The number of code units that stand for it.
        len: usize,
    },
    /// Several code points in `len` code units; [`decode_several`](Form::decode_several) returns them.
    Several {
        /// The number of code units that stand for them.
        len: usize,
    },
    /// `len` code units that are not text: a signature, a shift sequence.
    Shift {
        /// The number of code units.
        len: usize,
    },
    /// An ill-formed sequence.
    IllFormed {
        /// The length of its maximal subpart: of the longest prefix of a well-formed sequence that stands here, at
        /// least 1.
        len: usize,
        /// The number of units that show the error, at least `len`: 2 for E0 80, of which E0 is the maximal subpart.
        seen: usize,
        /// The kind of error.
        kind: IllFormedKind,
    },
    /// The units end within a sequence that is well-formed so far.
    Incomplete {
        /// The least number of units that are missing.
        needs: usize,
    },
}

/// The result of encoding one code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeStep {
    /// The form wrote this number of code units.
    Written(usize),
    /// The output is too short. The form wrote nothing and did not change its state.
    NoRoom,
    /// The form cannot hold this code point, although its [`Repertoire`] includes it.
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
/// code unit of the form: `u8`, `u16` or `u32`. Only this crate implements it: decoding into a `String` relies on it.
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

/// One way of writing code points as code units, with everything that the engine needs.
///
/// A form decodes and encodes single steps and knows nothing of policies, buffers or other forms.
///
/// The engine relies on three rules. Lengths of steps and spans are at least 1 and at most the length of `src`. No sequence,
/// with the units that [`span`](Self::span) looks at, is longer than 16 units. A step that is [`Step::Incomplete`] becomes
/// another step when enough units follow. A form that breaks a rule can make a conversion panic or never end; it cannot
/// make it unsound.
pub trait Form: Copy + Debug + Default + 'static {
    /// The code unit: `u8` for byte encodings.
    type Unit: CodeUnit;
    /// The state on which the meaning of the next unit depends; `()` for stateless forms.
    type State: Copy + Default + Debug + Eq + Hash + Send + Sync + 'static;

    /// Its names.
    const NAMES: Names;
    /// The most code units that one code point takes, including a state change before it.
    const MAX_UNITS: usize;
    /// The most code units of one code point alone: without a signature, and without what was held back before it.
    const LONGEST: usize = Self::MAX_UNITS;
    /// The most code points that one step stands for: more than one where there is [`Step::Several`].
    const MAX_CODE_POINTS: usize = 1;
    /// The repertoire: the code points that it can hold.
    const REPERTOIRE: Repertoire;
    /// U+FEFF at the start of a text in this form, where that is a known signature; otherwise empty.
    const SIGNATURE: &'static [u8] = &[];
    /// Whether well-formed text after an incomplete sequence never completes it.
    const SELF_SYNCHRONIZING: bool = true;
    /// Whether a surrogate code point has a natural bit pattern in the form, though text must not hold it.
    const SURROGATE_PATTERN: bool = false;
    /// The number of `Unit`s in one code unit of the form: [`Span::Unit`] reports each as one error.
    const UNITS_PER_ERROR: usize = 1;

    /// The code points that the form can hold in this state.
    #[must_use]
    #[inline(always)]
    fn repertoire(_state: &Self::State) -> Repertoire {
        Self::REPERTOIRE
    }

    /// Whether the code units are bytes, and the bytes 00..7F always and only mean U+0000..U+007F. Other bytes can then
    /// stand beside text, and no reader takes them for ASCII. The answer does not depend on the state within a text.
    #[must_use]
    #[inline(always)]
    fn is_ascii_compatible(_state: &Self::State) -> bool {
        false
    }

    /// Whether escaped bytes can be put back into the form: bytes 80..FF that begin no sequence are errors of one byte each,
    /// and 00..7F mean ASCII outside of sequences. This holds in forms that are ASCII-compatible, and also where a
    /// sequence may end with a byte of 00..7F, as in GBK and `Shift_JIS`; it does not hold where bytes shift to other sets.
    /// The answer does not depend on the state within a text.
    #[must_use]
    #[inline(always)]
    fn takes_escapes(state: &Self::State) -> bool {
        Self::is_ascii_compatible(state)
    }

    /// The name by which the kernels know the form, if that does not depend on a state.
    const BULK: Bulk = Bulk::None;

    /// The name by which the kernels know the form in this state.
    #[must_use]
    #[inline(always)]
    fn bulk(_state: &Self::State) -> Bulk {
        Self::BULK
    }

    /// [`SELF_SYNCHRONIZING`](Self::SELF_SYNCHRONIZING), of the form that a state belongs to: one form stands for all where
    /// an encoding is chosen at run time (`engine/any.rs`).
    #[inline(always)]
    fn is_self_synchronizing(_state: &Self::State) -> bool {
        Self::SELF_SYNCHRONIZING
    }

    /// [`SURROGATE_PATTERN`](Self::SURROGATE_PATTERN), likewise.
    #[inline(always)]
    fn has_surrogate_pattern(_state: &Self::State) -> bool {
        Self::SURROGATE_PATTERN
    }

    /// [`UNITS_PER_ERROR`](Self::UNITS_PER_ERROR), likewise.
    #[inline(always)]
    fn units_per_error(_state: &Self::State) -> usize {
        Self::UNITS_PER_ERROR
    }

    /// [`HOLDS_BACK`](Self::HOLDS_BACK), likewise.
    #[inline(always)]
    fn holds_back(_state: &Self::State) -> bool {
        Self::HOLDS_BACK
    }

    /// [`QUICK`](Self::QUICK), likewise.
    #[inline(always)]
    fn is_quick(_state: &Self::State) -> bool {
        Self::QUICK
    }

    /// Decodes one step at the start of `src`, which is not empty. Advances `state` past the step, also if it is
    /// ill-formed, but not if it is [`Step::Incomplete`].
    fn decode_step(state: &mut Self::State, src: &[Self::Unit]) -> Step;

    /// Decodes the units that end the text, where [`decode_step`](Self::decode_step) returned [`Step::Incomplete`]. Never
    /// returns [`Step::Incomplete`].
    #[inline]
    fn decode_end(_state: &mut Self::State, src: &[Self::Unit]) -> Step {
        cut_off(src)
    }

    /// Takes from the state a code point that follows the units read so far and has no units of its own: the rest of a unit
    /// that an error spans. The engine asks for it after every error and at the start of every call.
    #[inline(always)]
    fn owed(_state: &mut Self::State) -> Option<CodePoint> {
        None
    }

    /// Takes from the state the units behind those read so far that belong to them alone: nothing of the next step is in
    /// them. Returns their number. `None` if a unit belongs to both sides, so that a text cannot be cut here.
    #[inline(always)]
    fn settled(_state: &mut Self::State) -> Option<usize> {
        Some(0)
    }

    /// Writes the units that lead a reader from one state to another without any text, if the form has such units.
    /// Returns their number.
    #[inline]
    fn bridge(_from: &Self::State, _to: &Self::State, _dst: &mut [Self::Unit]) -> Option<usize> {
        None
    }

    /// The code points of a step that was [`Step::Several`], from the state and units of that step.
    #[must_use]
    fn decode_several(_state: &Self::State, _src: &[Self::Unit]) -> CodePoints {
        CodePoints::default()
    }

    /// Writes `c`, which [`REPERTOIRE`](Self::REPERTOIRE) holds (or which is a surrogate, if the form has
    /// [`SURROGATE_PATTERN`](Self::SURROGATE_PATTERN)), at the start of `dst`.
    fn encode_step(state: &mut Self::State, c: CodePoint, dst: &mut [Self::Unit]) -> EncodeStep;

    /// Closes the text: writes a shift back, or the signature of an empty text.
    #[inline]
    fn encode_finish(_state: &mut Self::State, _dst: &mut [Self::Unit]) -> EncodeStep {
        EncodeStep::Written(0)
    }

    /// Whether [`encode_pause`](Self::encode_pause) ever writes anything.
    const HOLDS_BACK: bool = false;

    /// Writes the code points that wait for their successors, such as a letter that may share one code with a mark. The
    /// engine calls it where a conversion stops, so that the output holds all text before the stop, whether or not the
    /// caller goes on. Shifts stay as they are. So do parts that would be ill-formed alone: bits of a run, half a pair of
    /// surrogates.
    #[inline(always)]
    fn encode_pause(_state: &mut Self::State, _dst: &mut [Self::Unit]) -> EncodeStep {
        EncodeStep::Written(0)
    }

    /// Whether [`to_utf8`](Self::to_utf8) and [`from_utf8`](Self::from_utf8) do anything.
    const QUICK: bool = false;

    /// Converts a prefix of `src` to UTF-8 in whole steps, with the result of [`decode_step`](Self::decode_step); it may
    /// stop after any step, and stops before an error. Returns the number of units read and of bytes written.
    #[inline]
    fn to_utf8(_state: &mut Self::State, _src: &[Self::Unit], _dst: &mut [u8]) -> (usize, usize) {
        (0, 0)
    }

    /// Converts a prefix of `src`, UTF-8 that may be ill-formed, to the form, with the result of
    /// [`encode_step`](Self::encode_step). Returns the number of bytes read and of units written.
    #[inline]
    fn from_utf8(_state: &mut Self::State, _src: &[u8], _dst: &mut [Self::Unit]) -> (usize, usize) {
        (0, 0)
    }

    /// Decodes a surrogate code point at the start of `src`, where [`decode_step`](Self::decode_step) found an
    /// ill-formed sequence; `None` if no surrogate stands there.
    #[must_use]
    #[inline]
    fn decode_surrogate(_state: &Self::State, _src: &[Self::Unit]) -> Option<Step> {
        None
    }

    /// The number of units of `src` that make one error under `rule`, where `maximal` is the length of the maximal subpart.
    /// `None` if that depends on units that have not arrived, which happens only if `last` is false.
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

/// The forms that have kernels, as the engine names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bulk {
    /// No kernel: the driver goes step by step.
    None,
    /// Reads only; writes nothing.
    Void,
    Utf8,
    Utf16,
    Utf16Le,
    Utf16Be,
    Utf32,
    Utf32Le,
    Utf32Be,
    /// UCS-2, only where texts go by way of UTF-16 (`engine/units.rs`); elsewhere it is `None`.
    Ucs2Le,
    Ucs2Be,
    Ascii,
    Latin1,
    #[cfg(feature = "single-byte")]
    SingleByte(super::charsets::single_byte::SingleByte),
    /// A stateless multi-byte encoding of the web.
    #[cfg(feature = "legacy")]
    Legacy(super::charsets::legacy::Legacy),
    /// A stateless multi-byte encoding that the web does not read, or reads otherwise.
    #[cfg(feature = "multi-byte")]
    MultiByte(super::charsets::multi_byte::MultiByte),
    /// JIS X 0208 in two bytes of seven bits each, as in ISO-2022-JP.
    #[cfg(feature = "legacy")]
    Jis0208,
    Cesu8,
    ModifiedUtf8,
    /// WTF-8. The kernels of UTF-8 convert it; a sequence at which they stop may be well-formed.
    Wtf8,
    /// ASCII without SO, SI and ESC, as in ISO-2022-JP.
    #[cfg(feature = "legacy")]
    Unshifted,
}

/// Encodings that differ only in their tables. They share one form, and its state names the encoding.
#[allow(dead_code, reason = "families come with features")]
pub(crate) trait Family: Copy + Eq + Debug + Sized + 'static {
    /// The form that they share.
    type Form: Form<Unit = u8>;
    /// All members, in the order in which users see them.
    const ALL: &'static [Self];
    /// The names of each member, in the order of [`ALL`](Self::ALL).
    const NAMES: &'static [Names];

    /// Its names.
    fn names(self) -> Names;
    /// The repertoire: the code points that it can hold.
    fn repertoire(self) -> Repertoire;
    /// The state at the start of a text.
    fn start(self) -> <Self::Form as Form>::State;
    /// U+FEFF at the start of a text in this encoding, where that is a known signature; otherwise empty.
    fn signature(self) -> &'static [u8] {
        &[]
    }
}
