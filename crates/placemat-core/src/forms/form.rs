//! The trait of encoding forms, which reads and writes one code point in safe scalar code.
//!
//! Conversion to and from every other form, streams, policies, the names in the command and the
//! conformance tests build on the trait [`Form`]. Encodings that differ only in their tables share
//! a form.

#[allow(unused_imports, reason = "only some features use it")]
pub use super::facts::{AsciiBytes, Bulk, Charset, CharsetFunctions, Facts, SingleByteTables, UnitOrder};
pub use super::names::{Names, Repertoire};
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
        /// The number of code units that encode it.
        len: usize,
    },
    /// Several code points in `len` code units; [`decode_several`](Form::decode_several) returns them.
    Several {
        /// The number of code units that encode them.
        len: usize,
    },
    /// Code units that are not text: a signature or a shift sequence.
    Shift {
        /// Length in code units.
        len: usize,
    },
    /// An ill-formed sequence.
    IllFormed {
        /// Length of the maximal subpart in code units, at least 1: the longest prefix of the input
        /// that is also a prefix of a well-formed sequence.
        len: usize,
        /// The number of code units that show the error, at least `len`: 2 for E0 80, whose maximal
        /// subpart is E0.
        seen: usize,
        /// The kind of error.
        kind: IllFormedKind,
    },
    /// The input ends within a sequence that is well-formed so far.
    Incomplete {
        /// The smallest number of code units that are missing.
        needs: usize,
    },
}

/// Whether a text may end in the state that it has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The text may end here.
    Allowed,
    /// A shift leads to a state in which the text may not end. It was read in an earlier call.
    ShiftedBefore,
    /// A shift leads to a state in which the text may not end.
    Shifted(OpenShift),
}

/// The last shift or escape sequence that leads to a state in which a text may not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenShift {
    /// The number of code units from the start of the sequence to the end of what was read.
    pub back: u64,
    /// The sequence, padded with zeros.
    pub bytes: [u8; 4],
    /// Length of the sequence in bytes.
    pub len: u8,
}

/// The bytes that a call read, in which [`Form::ending`] looks for a shift.
#[derive(Clone, Copy, Debug)]
pub struct JustRead<'a> {
    /// The bytes, and those after them that a sequence may reach into.
    pub src: &'a [u8],
    /// The number of bytes read, at least 1.
    pub len: usize,
    /// The byte before them; zero at the start of a text.
    pub previous: u8,
}

impl JustRead<'_> {
    /// Returns the shift that leaves the text open: the last of the sequences read that `length_of` knows, at the start of
    /// the bytes that it is given. It returns their length, or 0 for other bytes.
    #[inline]
    #[must_use]
    pub fn last_shift(&self, length_of: impl Fn(&[u8]) -> usize) -> Ending {
        for start in (0..self.len).rev() {
            let rest = &self.src[start..];
            let shift = rest.get(..length_of(rest)).unwrap_or_default();
            if let len @ 1.. = shift.len().min(4) {
                let mut bytes = [0; 4];
                bytes[..len].copy_from_slice(&shift[..len]);
                let back = (self.len - start) as u64;
                return Ending::Shifted(OpenShift { back, bytes, len: len.to_le_bytes()[0] });
            }
        }
        Ending::ShiftedBefore
    }
}

/// The result of encoding one code point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeStep {
    /// The form wrote this number of code units.
    Written(usize),
    /// The output is too short. The form wrote nothing and did not change its state.
    NoRoom,
    /// The form cannot represent this code point, although its [`Repertoire`] includes it.
    Unmappable(UnmappableKind),
}

impl EncodeStep {
    /// Returns `Written(len)` if `written` is set, otherwise `NoRoom`.
    #[inline(always)]
    #[must_use]
    pub const fn of(written: bool, len: usize) -> Self {
        if written { Self::Written(len) } else { Self::NoRoom }
    }
}

/// An encoding form, known at compile time: it maps code points to code units.
///
/// The types that implement it are never values; they are named, as in
/// `convert::decode::<Utf16<Le>>(…)`. `Unit` is the code unit of the form: `u8`, `u16` or `u32`.
/// Only this library can implement the trait.
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

/// An encoding form, with everything that the engine needs.
///
/// A form decodes and encodes single steps and knows nothing about policies, buffers or other
/// forms.
///
/// The engine relies on three rules. Lengths of steps and spans are at least 1 and at most the
/// length of `src`. No sequence, including the code units that [`span`](Self::span) looks at, is
/// longer than 16 code units. A step that is [`Step::Incomplete`] becomes another step when enough
/// code units follow. A form that breaks a rule can make a conversion panic or never end; it cannot
/// make it unsound.
#[doc(hidden)]
pub trait Form: Copy + Debug + Default + 'static {
    /// The code unit: `u8` for byte encodings.
    type Unit: CodeUnit;
    /// The state on which the meaning of the next code unit depends; `()` for forms without states.
    type State: Copy + Default + Debug + Eq + Hash + Send + Sync + 'static;

    /// The names of the form. A member of a family has its own names in its row.
    const NAMES: Names;
    /// The facts about the form. A member of a family has its own facts in its row.
    const FACTS: Facts;
    /// The form is the hub, whose kernels are those of UTF-8 and, as a target, of nothing.
    #[doc(hidden)]
    const IS_HUB: bool = false;

    /// Returns the names of a member of a family.
    #[must_use]
    fn names(_member: u16) -> Names {
        Self::NAMES
    }

    /// Returns the facts about the encoding to which a state belongs: where the encoding is chosen
    /// at run time, one form represents all encodings (`engine/any.rs`).
    #[must_use]
    #[inline(always)]
    fn facts(_state: &Self::State) -> &'static Facts {
        const { &Self::FACTS }
    }

    /// Returns the name by which the kernels know the form in this state.
    #[must_use]
    #[inline(always)]
    fn bulk(_state: &Self::State) -> Bulk {
        Self::FACTS.bulk
    }

    /// Decodes one step at the start of `src`, which is not empty. Advances `state` past the step,
    /// even past an ill-formed one, unless it is [`Step::Incomplete`].
    fn decode_step(state: &mut Self::State, src: &[Self::Unit]) -> Step;

    /// Decodes the code units that end the text, where [`decode_step`](Self::decode_step) returned
    /// [`Step::Incomplete`]. Never returns [`Step::Incomplete`].
    #[inline]
    fn decode_end(_state: &mut Self::State, src: &[Self::Unit]) -> Step {
        truncated(src)
    }

    /// Takes from the state a code point that follows the text read so far and has no code units of
    /// its own: the rest of a code unit that an error spans. The engine asks for it after every
    /// error and at the start of every call.
    #[inline(always)]
    fn owed(_state: &mut Self::State) -> Option<CodePoint> {
        None
    }

    /// Takes from the state the bits that belong to the text read so far, and returns how many
    /// buffered code units belong to that text only. Returns `None` if a code unit straddles the
    /// boundary, so that the text cannot be cut here.
    #[inline(always)]
    fn settled(_state: &mut Self::State) -> Option<usize> {
        Some(0)
    }

    /// Writes the code units that take a reader from one state to another without any text, if the
    /// form has such code units. Returns their number.
    #[inline]
    fn bridge(_from: &Self::State, _to: &Self::State, _dst: &mut [Self::Unit]) -> Option<usize> {
        None
    }

    /// Returns whether a text may end in `state`, and if not, the shift that leads there.
    #[inline]
    fn ending(_state: &Self::State, _read: JustRead<'_>) -> Ending {
        Ending::Allowed
    }

    /// Returns the code points of a step that was [`Step::Several`], from the state and code units
    /// of that step.
    #[must_use]
    fn decode_several(_state: &Self::State, _src: &[Self::Unit]) -> CodePoints {
        CodePoints::default()
    }

    /// Writes `c` at the start of `dst`. The repertoire includes `c`, or `c` is a surrogate and the
    /// form has a pattern for it.
    fn encode_step(state: &mut Self::State, c: CodePoint, dst: &mut [Self::Unit]) -> EncodeStep;

    /// Closes the text: writes a final shift, or the signature of an empty text.
    #[inline]
    fn encode_finish(_state: &mut Self::State, _dst: &mut [Self::Unit]) -> EncodeStep {
        EncodeStep::Written(0)
    }

    /// Writes the code points that wait for the next one, such as a letter that may share one code
    /// with a mark. The engine calls it where a conversion stops, so that the output contains all
    /// text before the stop, whether or not the caller goes on. Shifts stay as they are, and so do
    /// parts that would be ill-formed alone: bits of a run, or half a surrogate pair.
    #[inline(always)]
    fn encode_pause(_state: &mut Self::State, _dst: &mut [Self::Unit]) -> EncodeStep {
        EncodeStep::Written(0)
    }

    /// Converts a prefix of `src` to UTF-8 in whole steps, with the same result as
    /// [`decode_step`](Self::decode_step). It may stop after any step, and stops before an error.
    /// Returns the number of code units read and of bytes written.
    #[inline]
    fn to_utf8(_state: &mut Self::State, _src: &[Self::Unit], _dst: &mut [u8]) -> (usize, usize) {
        (0, 0)
    }

    /// Converts a prefix to UTF-16 like [`to_utf8`](Self::to_utf8), in the byte order of the machine, where a form has such a loop.
    /// Returns the number of bytes read and of code units written.
    #[inline]
    fn to_units(_state: &mut Self::State, _src: &[Self::Unit], _units: &mut [u16]) -> (usize, usize) {
        (0, 0)
    }

    /// Converts a prefix of `src`, UTF-8 that may be ill-formed, to the form, with the same result
    /// as [`encode_step`](Self::encode_step). Returns the number of bytes read and of code units
    /// written.
    #[inline]
    fn from_utf8(_state: &mut Self::State, _src: &[u8], _dst: &mut [Self::Unit]) -> (usize, usize) {
        (0, 0)
    }

    /// Decodes a surrogate code point at the start of `src`, where
    /// [`decode_step`](Self::decode_step) found an ill-formed sequence. Returns `None` if `src`
    /// does not begin with a surrogate.
    #[must_use]
    #[inline]
    fn decode_surrogate(_state: &Self::State, _src: &[Self::Unit]) -> Option<Step> {
        None
    }

    /// Returns the number of code units of `src` that form one error under `rule`, where `maximal`
    /// is the length of the maximal subpart. Returns `None` if that depends on code units that have
    /// not arrived, which happens only if `last` is `false`.
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

/// Returns the error for a sequence that the end of the text truncates.
pub(super) fn truncated<U>(src: &[U]) -> Step {
    Step::IllFormed { len: src.len(), seen: src.len(), kind: IllFormedKind::Incomplete }
}
