//! Hints: facts that the policies of this crate tell the engine in advance, so that it need not ask about each code point and error.
//!
//! Other crates cannot name these types, so they can neither ask for hints nor give them.

use crate::ground::code_point::CodePoint;
use crate::ground::patch::{Patch, Short};

/// The one who asks for hints.
#[derive(Clone, Copy, Debug)]
pub struct Engine;

/// The facts about a policy that are known in advance; `A` is a description of its answers.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a policy need not have one")]
pub struct Hints<'a, A> {
    /// The well-formed code points that the policy decides about.
    pub watch: Option<&'a dyn Watch>,
    /// The policy gives an error the same answer each time, and it does not matter how often it is asked. Otherwise the engine asks
    /// once for each error, and only for errors that it reaches.
    pub repeats: bool,
    /// None of them is in the text of this call. They may still be in what another policy puts into it.
    pub calm: bool,
    /// All answers of the policy, if they follow from the text by a simple rule. Kernels then write them without a call
    /// of `handle`. It is about errors alone: where the text has a code point of `watch`, it does not hold.
    pub answer: Option<A>,
}

/// The greatest length of a text that [`Substitutes`] has, in bytes.
pub(crate) const SHORT_TEXT: usize = 16;

/// The rule by which a policy replaces code points that the target cannot represent.
#[derive(Clone, Copy, Debug)]
pub enum Substitutes {
    /// Each code point gets the same text.
    Same,
    /// Each code point gets a text of its own, in ASCII. The function writes it to the start of an array and returns its
    /// length; `None` if the policy has to be asked.
    Ascii(fn(CodePoint, &mut [u8; SHORT_TEXT]) -> Option<usize>),
}

/// A set of well-formed code points that a policy decides about, though the forms can represent them.
#[doc(hidden)]
pub trait Watch {
    /// Whether a code point is one of them.
    fn has(&self, c: CodePoint) -> bool;

    /// Whether `text`, which is UTF-8, may contain one of them. If this is quick to see, the answer for the empty text
    /// must be `false`: kernels then convert stretches without any.
    fn may_be_in(&self, _text: &[u8]) -> bool {
        true
    }
}

impl<A> Hints<'_, A> {
    /// The engine asks the policy about each error, and about nothing else.
    pub const NONE: Self = Self { watch: None, repeats: false, calm: false, answer: None };

    /// Whether the policy must see each code point of the text, so that no kernel may convert it.
    #[inline]
    pub fn inspects(&self) -> bool {
        self.watch.is_some() && !self.calm
    }

    /// Whether the policy decides about a well-formed code point.
    #[inline]
    pub fn watches(&self, c: CodePoint) -> bool {
        self.watch.is_some_and(|watch| watch.has(c))
    }

    /// Whether a policy for errors takes a well-formed code point for one. In a call in which it is calm it does not: the text
    /// is looked at as a whole when it has been read.
    #[inline]
    pub(crate) fn refuses(&self, c: CodePoint) -> bool {
        self.inspects() && self.watches(c)
    }

    /// Whether `text`, which is UTF-8, may contain a code point that the policy decides about.
    #[inline]
    pub fn may_be_in(&self, text: &[u8]) -> bool {
        self.inspects() && self.watch.is_some_and(|watch| watch.may_be_in(text))
    }

    /// Whether the policy inspects text, but can say of a whole stretch that it has nothing to decide there.
    pub(crate) fn tells(&self) -> bool {
        self.inspects() && !self.may_be_in(&[])
    }
}

impl Hints<'_, Patch> {
    /// The texts for errors in `src`, which is UTF-8 apart from its errors.
    #[inline]
    pub(crate) fn patch(&self, src: &[u8]) -> Option<Patch> {
        self.answer.filter(|_| !self.may_be_in(src))
    }

    /// Whether each maximal subpart becomes one U+FFFD.
    #[inline]
    pub(crate) fn is_plain_replacement(&self) -> bool {
        matches!(self.answer, Some(Patch::Once(Short::REPLACEMENT)))
    }
}
