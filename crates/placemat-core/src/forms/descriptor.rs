//! Descriptors: what the engine knows about an encoding, as one row.
//!
//! An encoding that is chosen at run time is a reference to its descriptor: facts, and the
//! functions of its form. No code asks which encoding it is; code asks for a fact. A new encoding
//! is a file with a [`Form`], and a row in a list.

use super::facts::{Bulk, Facts};
use super::form::{EncodeStep, Ending, Form, JustRead, Step};
use super::names::Names;
use crate::ground::code_point::CodePoint;
use crate::ground::policy::{CodePoints, Span};
use core::hash::{Hash, Hasher};

/// The facts and functions of an encoding.
#[derive(Debug)]
pub struct Descriptor {
    /// The position in the list of encodings that users see. It identifies the encoding.
    pub number: u16,
    /// The member number within a family of encodings that share functions.
    pub member: u16,
    /// The facts, by reference: the members of a family share them, and each pointer in a
    /// descriptor takes 32 bytes of a program.
    pub facts: &'static Facts,
    pub(crate) steps: &'static Steps,
}

impl Descriptor {
    /// Returns the name by which the kernels know the encoding at the start of a text.
    #[inline(always)]
    #[must_use]
    pub const fn bulk(&self) -> Bulk {
        match self.facts.functions {
            None => self.facts.bulk,
            functions => Bulk::of(functions, self.member),
        }
    }
}

impl Descriptor {
    /// Returns the names and labels, a description, and the documents that specify the encoding.
    #[must_use]
    pub fn names(&self) -> Names {
        (self.steps.names)(self.member)
    }
}

/// Compares the numbers: a program may contain a descriptor several times.
impl PartialEq for Descriptor {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Descriptor {}

impl Hash for Descriptor {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.number.hash(state);
    }
}

/// A row of a list of encodings.
#[derive(Debug)]
pub struct Row {
    pub names: Names,
    pub(crate) member: u16,
    pub facts: &'static Facts,
    pub(crate) steps: &'static Steps,
}

impl Row {
    /// Returns the row of an encoding that has its own form.
    #[must_use]
    pub const fn of<F: Form<Unit = u8>>() -> Self
    where
        F::State: Carried,
    {
        Self { names: F::NAMES, member: 0, facts: const { &F::FACTS }, steps: Steps::of::<F>() }
    }

    /// Returns the row of a member of a family that shares the form `F`.
    #[allow(dead_code, reason = "only some features use it")]
    #[must_use]
    pub const fn member<F: Form<Unit = u8>>(member: u16, names: Names, facts: &'static Facts) -> Self
    where
        F::State: Carried,
    {
        Self { names, member, facts, steps: Steps::of::<F>() }
    }

    #[must_use]
    pub const fn descriptor(self, number: u16) -> Descriptor {
        Descriptor { number, member: self.member, facts: self.facts, steps: self.steps }
    }
}

/// The greatest number of words that a state takes.
const STATE_WORDS: usize = 12;

/// A state in a few words, opaque to everything but the functions of its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Words(pub [u32; STATE_WORDS]);

impl Words {
    /// Returns `first`, padded with zeros.
    #[must_use]
    pub const fn new<const N: usize>(first: [u32; N]) -> Self {
        let mut words = [0; STATE_WORDS];
        let mut i = 0;
        while i < N {
            words[i] = first[i];
            i += 1;
        }
        Self(words)
    }
}

/// A state that can be carried as a few words.
pub trait Carried: Copy {
    /// The words at the start of a text.
    const START: Words;
    /// Restores the state from `words`, in a text of the member of a family.
    fn take(member: u16, words: &Words) -> Self;
    /// Writes the words.
    fn put(self, words: &mut Words);
}

impl Carried for () {
    const START: Words = Words::new([]);
    #[inline(always)]
    fn take(_: u16, _: &Words) -> Self {}
    #[inline(always)]
    fn put(self, _: &mut Words) {}
}

/// A place in a text: the encoding, and the state from which it reads on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub(crate) encoding: &'static Descriptor,
    words: Words,
}

impl Place {
    /// Returns the place at the start of a text.
    #[inline]
    #[must_use]
    pub fn start(encoding: &'static Descriptor) -> Self {
        Self { encoding, words: encoding.steps.start }
    }

    /// Returns the step that begins `src`, which must not be empty.
    #[inline]
    #[must_use]
    pub fn step(mut self, src: &[u8]) -> Step {
        (self.steps().decode_step)(&mut self, src)
    }

    #[inline(always)]
    pub(crate) fn facts(&self) -> &'static Facts {
        self.encoding.facts
    }

    #[inline(always)]
    pub(crate) fn steps(&self) -> &'static Steps {
        self.encoding.steps
    }

    /// Returns the state at this place.
    #[inline(always)]
    fn state<S: Carried>(&self) -> S {
        S::take(self.encoding.member, &self.words)
    }

    /// Calls `f` with the state, and keeps the changes that `f` makes to it.
    #[inline(always)]
    fn with<S: Carried, R>(&mut self, f: impl FnOnce(&mut S) -> R) -> R {
        let mut state = self.state();
        let result = f(&mut state);
        state.put(&mut self.words);
        result
    }

    /// See [`Form::settled`].
    #[inline]
    pub fn settled(&mut self) -> Option<usize> {
        (self.steps().settled)(self)
    }

    /// See [`Form::bridge`].
    #[cfg(feature = "alloc")]
    #[inline]
    pub fn bridge(&self, to: &Self, dst: &mut [u8]) -> Option<usize> {
        if self.encoding == to.encoding { (self.steps().bridge)(self, to, dst) } else { None }
    }
}

/// The functions of a form, called with a place. [`Form`] documents them.
#[expect(clippy::type_complexity, reason = "one type for each function of the trait")]
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) start: Words,
    pub(crate) bulk: fn(&Place) -> Bulk,
    pub(crate) decode_step: fn(&mut Place, &[u8]) -> Step,
    pub(crate) decode_end: fn(&mut Place, &[u8]) -> Step,
    pub(crate) decode_several: fn(&Place, &[u8]) -> CodePoints,
    pub(crate) decode_surrogate: fn(&Place, &[u8]) -> Option<Step>,
    pub(crate) owed: fn(&mut Place) -> Option<CodePoint>,
    pub(crate) settled: fn(&mut Place) -> Option<usize>,
    #[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "only edits use it"))]
    pub(crate) bridge: fn(&Place, &Place, &mut [u8]) -> Option<usize>,
    pub(crate) ending: fn(&Place, JustRead<'_>) -> Ending,
    pub(crate) span: fn(&Place, Span, &[u8], usize, bool) -> Option<usize>,
    pub(crate) encode_step: fn(&mut Place, CodePoint, &mut [u8]) -> EncodeStep,
    pub(crate) encode_pause: fn(&mut Place, &mut [u8]) -> EncodeStep,
    pub(crate) encode_finish: fn(&mut Place, &mut [u8]) -> EncodeStep,
    pub(crate) to_utf8: fn(&mut Place, &[u8], &mut [u8]) -> (usize, usize),
    pub(crate) to_units: fn(&mut Place, &[u8], &mut [u16]) -> (usize, usize),
    pub(crate) from_utf8: fn(&mut Place, &[u8], &mut [u8]) -> (usize, usize),
    pub names: fn(u16) -> Names,
}

impl Steps {
    pub(crate) const fn of<F: Form<Unit = u8>>() -> &'static Self
    where
        F::State: Carried,
    {
        const {
            &Self {
                start: F::State::START,
                bulk: |place| F::bulk(&place.state()),
                decode_step: |place, src| place.with(|state| F::decode_step(state, src)),
                decode_end: |place, src| place.with(|state| F::decode_end(state, src)),
                decode_several: |place, src| F::decode_several(&place.state(), src),
                decode_surrogate: |place, src| F::decode_surrogate(&place.state(), src),
                owed: |place| place.with(F::owed),
                settled: |place| place.with(F::settled),
                bridge: |from, to, dst| F::bridge(&from.state(), &to.state(), dst),
                ending: |place, read| F::ending(&place.state(), read),
                span: |place, rule, src, maximal, last| F::span(&place.state(), rule, src, maximal, last),
                encode_step: |place, c, dst| place.with(|state| F::encode_step(state, c, dst)),
                encode_pause: |place, dst| place.with(|state| F::encode_pause(state, dst)),
                encode_finish: |place, dst| place.with(|state| F::encode_finish(state, dst)),
                to_utf8: |place, src, dst| place.with(|state| F::to_utf8(state, src, dst)),
                to_units: |place, src, units| place.with(|state| F::to_units(state, src, units)),
                from_utf8: |place, src, dst| place.with(|state| F::from_utf8(state, src, dst)),
                names: F::names,
            }
        }
    }
}
