//! The trait of encoding forms: it reads and writes one code point, in safe scalar code.
//!
//! Conversion to and from every other form, streaming, policies, the names of the command and the conformance tests come from
//! the trait [`Form`]. Encodings that differ only in their tables share a form.

pub(crate) use super::descriptor::Facts;
pub(crate) use super::names::{Names, Repertoire};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{IllFormedKind, UnmappableKind};
use crate::ground::policy::{CodePoints, Span};
use crate::ground::unit::CodeUnit;
use crate::ground::utf16::Unit;
use crate::kernels::Moved;
#[cfg(feature = "alloc")]
use crate::kernels::single_byte::SingleByteDecoder;
use crate::kernels::single_byte::{Rows, SingleByteEncoder, SingleByteUnits};
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

    /// Its names. Those of a member of a family are in its row.
    const NAMES: Names;
    /// The facts about it. Those about a member of a family are in its row.
    const FACTS: Facts;

    /// The names of a member of a family.
    #[must_use]
    fn names(_member: u16) -> Names {
        Self::NAMES
    }

    /// The facts about the encoding that a state belongs to: one form stands for all where an encoding is chosen at run time
    /// (`engine/any.rs`).
    #[must_use]
    #[inline(always)]
    fn facts(_state: &Self::State) -> &'static Facts {
        const { &Self::FACTS }
    }

    /// The name by which the kernels know the form in this state.
    #[must_use]
    #[inline(always)]
    fn bulk(_state: &Self::State) -> Bulk {
        Self::FACTS.bulk
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

    /// Writes `c`, which the repertoire holds (or which is a surrogate, if the form has a pattern for it), at the start of `dst`.
    fn encode_step(state: &mut Self::State, c: CodePoint, dst: &mut [Self::Unit]) -> EncodeStep;

    /// Closes the text: writes a shift back, or the signature of an empty text.
    #[inline]
    fn encode_finish(_state: &mut Self::State, _dst: &mut [Self::Unit]) -> EncodeStep {
        EncodeStep::Written(0)
    }

    /// Writes the code points that wait for their successors, such as a letter that may share one code with a mark. The
    /// engine calls it where a conversion stops, so that the output holds all text before the stop, whether or not the
    /// caller goes on. Shifts stay as they are. So do parts that would be ill-formed alone: bits of a run, half a pair of
    /// surrogates.
    #[inline(always)]
    fn encode_pause(_state: &mut Self::State, _dst: &mut [Self::Unit]) -> EncodeStep {
        EncodeStep::Written(0)
    }

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
            Span::Unit => Self::FACTS.units_per_error.min(src.len()),
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
    /// UCS-2 has no kernel of its own, but goes by way of UTF-16 (`engine/units.rs`).
    Ucs2Le,
    Ucs2Be,
    Ascii,
    Latin1,
    Cesu8,
    ModifiedUtf8,
    /// WTF-8. The kernels of UTF-8 convert it; a sequence at which they stop may be well-formed.
    Wtf8,
    /// A character set, which has functions of its own.
    Charset(Charset),
}

/// A character set with functions that convert all that its tables hold.
#[derive(Clone, Copy, Debug)]
pub struct Charset {
    /// The member of the family that shares the functions.
    pub(crate) member: u16,
    pub(crate) functions: &'static CharsetFunctions,
}

impl PartialEq for Charset {
    fn eq(&self, other: &Self) -> bool {
        self.member == other.member && self.functions.family == other.functions.family
    }
}

impl Eq for Charset {}

impl Charset {
    /// The tables of a charset of single bytes. Where no such charset is compiled, the compiler sees that nothing uses them.
    #[inline(always)]
    pub(crate) const fn single(self) -> Option<&'static SingleByteTables> {
        if cfg!(all(feature = "single-byte", feature = "alloc", target_has_atomic = "ptr")) {
            self.functions.single.as_ref()
        } else {
            None
        }
    }
}

/// The functions of a family of character sets. Each converts a prefix, and gets the member first.
#[expect(clippy::type_complexity, reason = "one type for each function")]
#[derive(Debug)]
pub(crate) struct CharsetFunctions {
    pub(crate) family: &'static str,
    /// Whether the form has no states, and all code points of UTF-8 that it holds are for these functions.
    pub(crate) is_stateless: bool,
    /// Whether the tables exist, so that a stop means a code point that the charset lacks.
    #[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "for texts in new memory"))]
    pub(crate) stops_at_lacks: fn(u16) -> bool,
    /// Returns the length of the well-formed prefix.
    pub(crate) prefix: fn(u16, &[u8]) -> usize,
    pub(crate) to_utf8: fn(u16, &[u8], &mut [u8]) -> Moved,
    pub(crate) from_utf8: fn(u16, &[u8], &mut [u8]) -> Moved,
    /// Reads well-formed text as UTF-16. Returns the number of bytes, and of units.
    pub(crate) to_units: fn(u16, &[u8], &mut [Unit]) -> (usize, usize),
    /// Writes UTF-16. Returns the number of units, and of bytes.
    pub(crate) from_units: fn(u16, &[Unit], &mut [u8]) -> (usize, usize),
    /// The tables of a charset of which each code point takes one byte.
    pub(crate) single: Option<SingleByteTables>,
}

impl CharsetFunctions {
    /// Functions that do nothing, of a form with states.
    #[allow(dead_code, reason = "families come with features")]
    pub(crate) const NONE: Self = Self {
        family: "none",
        is_stateless: false,
        stops_at_lacks: |_| false,
        prefix: |_, _| 0,
        to_utf8: |_, _, _| Moved::default(),
        from_utf8: |_, _, _| Moved::default(),
        to_units: |_, _, _| (0, 0),
        from_units: |_, _, _| (0, 0),
        single: None,
    };
}

/// The tables of a charset of single bytes, for the kernels.
#[derive(Debug)]
pub(crate) struct SingleByteTables {
    pub(crate) code_points: fn(u16, &mut [u16; 256]),
    #[cfg(feature = "alloc")]
    pub(crate) decoder: fn(u16) -> &'static SingleByteDecoder,
    pub(crate) units: fn(u16) -> &'static SingleByteUnits,
    pub(crate) encoder: fn(u16) -> &'static SingleByteEncoder<Rows>,
}
