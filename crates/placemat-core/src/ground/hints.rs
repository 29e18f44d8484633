//! Hints: facts that the policies of this crate give the engine in advance, so that it need not ask
//! about each code point and error.
//!
//! Other crates cannot name these types, so they can neither ask for hints nor give them.

use crate::ground::code_point::CodePoint;
use crate::ground::patch::{Patch, Short};

/// The proof that the engine asks for hints.
#[derive(Clone, Copy, Debug)]
pub struct Engine;

/// The facts about a policy that are known in advance; `A` describes its answers.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a policy need not have one")]
pub struct Hints<'a, A> {
    /// The well-formed code points that the policy decides about.
    pub watch: Option<&'a dyn Watch>,
    /// The policy always gives the same answer to the same error, however often it is asked.
    /// Otherwise the engine asks once for each error, and only about errors that it reaches.
    pub repeats: bool,
    /// The text of this call contains no code point of `watch`. Another policy may still write
    /// some.
    pub calm: bool,
    /// The rule for all answers of the policy, if they follow from the text by a simple rule.
    /// Kernels then write the answers without a call of `handle`. The rule covers errors only: it
    /// does not apply to text with a code point of `watch`.
    pub answer: Option<A>,
}

/// The greatest length in bytes of a text that [`Substitutes`] gives.
pub(crate) const MAX_TEXT_BYTES: usize = 16;

/// The rule by which a policy replaces code points that the target cannot represent.
#[derive(Clone, Copy, Debug)]
pub enum Substitutes {
    /// Each code point gets the same text.
    Same,
    /// Each code point gets its own ASCII text. The function writes the text to the start of an
    /// array and returns its length, or `None` if the policy has to be asked.
    Ascii(fn(CodePoint, &mut [u8; MAX_TEXT_BYTES]) -> Option<usize>),
}

/// A set of well-formed code points that a policy decides about, though the forms can represent them.
#[doc(hidden)]
pub trait Watch {
    /// Returns `true` if the set contains a code point.
    fn has(&self, c: CodePoint) -> bool;

    /// Returns `true` if `text`, which is UTF-8, may contain a code point of the set. A set that
    /// answers quickly must return `false` for the empty text: kernels then convert stretches for
    /// which it returns `false`.
    fn may_be_in(&self, _text: &[u8]) -> bool {
        true
    }
}

impl<A> Hints<'_, A> {
    /// The engine asks the policy about each error, and about nothing else.
    pub const NONE: Self = Self { watch: None, repeats: false, calm: false, answer: None };

    /// Returns `true` if the policy must see each code point of the text, so that no kernel may
    /// convert it.
    #[inline]
    pub fn inspects(&self) -> bool {
        self.watch.is_some() && !self.calm
    }

    /// Returns `true` if the policy decides about a well-formed code point.
    #[inline]
    pub fn watches(&self, c: CodePoint) -> bool {
        self.watch.is_some_and(|watch| watch.has(c))
    }

    /// Returns `true` if a policy for errors treats a well-formed code point as one. A calm policy
    /// does not: the output of the call is checked as a whole afterwards.
    #[inline]
    pub(crate) fn refuses(&self, c: CodePoint) -> bool {
        self.inspects() && self.watches(c)
    }

    /// Returns `true` if `text`, which is UTF-8, may contain a code point that the policy decides
    /// about.
    #[inline]
    pub fn may_be_in(&self, text: &[u8]) -> bool {
        self.inspects() && self.watch.is_some_and(|watch| watch.may_be_in(text))
    }

    /// Returns `true` if the policy inspects text, but can decide quickly for a whole stretch that
    /// nothing there concerns it.
    pub(crate) fn tells(&self) -> bool {
        self.inspects() && !self.may_be_in(&[])
    }
}

impl Hints<'_, Patch> {
    /// Returns the texts for errors in `src`, which is UTF-8 apart from its errors.
    #[inline]
    pub(crate) fn patch(&self, src: &[u8]) -> Option<Patch> {
        self.answer.filter(|_| !self.may_be_in(src))
    }

    /// Returns `true` if each maximal subpart becomes one U+FFFD.
    #[inline]
    pub(crate) fn is_plain_replacement(&self) -> bool {
        matches!(self.answer, Some(Patch::Once(Short::REPLACEMENT)))
    }
}
