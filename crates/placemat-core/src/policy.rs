//! Policies for ill-formed input, and for text that the target cannot represent.
//!
//! Policies are values that a caller passes to a conversion. [`ErrorPolicy`] and
//! [`UnmappablePolicy`] are the stock policies; [`ByKind`] gives each kind of ill-formed sequence
//! its own policy. Other policies implement [`OnError`] or [`OnUnmappable`]; [`from_fn`] and
//! [`from_fn_unmappable`] turn a function into one. A policy chosen at run time may be a
//! `Box<dyn OnError>`, and a replacement from a file or a command line a [`ReplaceWith`]. How many
//! code units form one error is a separate choice, [`Span`], made with [`OnError::spanning`].
//!
//! No policy reads a byte twice as text: it replaces everything that an error spans, and decoding
//! continues after the error.

mod by_kind;
mod kinds;
mod names;
#[cfg(feature = "alloc")]
mod owned;
mod stock;

pub use crate::ground::policy::{
    Action, CodePoints, MaxErrors, OnError, OnUnmappable, Otherwise, Replacement, ReplacementError, Span,
    Spanning, Substitute,
};
pub use by_kind::ByKind;
pub use kinds::Kinds;
pub use names::NameError;
#[cfg(feature = "alloc")]
pub use owned::ReplaceWith;
pub use stock::{ErrorPolicy, UnmappablePolicy};

use crate::ground::error::{IllFormed, Unmappable};
use crate::ground::policy::DEFAULT_LONGEST_POINTS;
use core::marker::PhantomData;

/// A policy that calls a function, made by [`from_fn`] or [`from_fn_unmappable`].
///
/// ```
/// use placemat::policy::{Action, FromFn, from_fn};
/// use placemat::{IllFormed, Replacement, utf8};
/// let note = "[here the file is damaged]";
/// let policy: FromFn<'_, _> = from_fn(|_| Action::Text(Replacement::new(note).unwrap())).up_to(note.len());
/// assert_eq!(utf8::decode(b"a\xFFb", policy)?, "a[here the file is damaged]b");
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FromFn<'a, F> {
    function: F,
    longest: usize,
    /// The answers may borrow data that outlives the policy.
    answers: PhantomData<&'a ()>,
}

/// Makes a policy that asks `function` about each ill-formed sequence.
///
/// ```
/// use placemat::{IllFormedKind, Replacement, policy::{Action, from_fn}, utf8};
/// let mut overlong = false;
/// let text = utf8::decode(b"a\xC0\x80b\xFFc", from_fn(|error| {
///     overlong |= matches!(error.kind(), IllFormedKind::Overlong(_));
///     Action::Text(Replacement::QUESTION)
/// }))?;
/// assert_eq!(text, "a??b?c");
/// assert!(overlong);
/// # Ok::<(), placemat::ConvertError>(())
/// ```
pub const fn from_fn<'a, F: FnMut(&IllFormed) -> Action<'a>>(function: F) -> FromFn<'a, F> {
    FromFn { function, longest: DEFAULT_LONGEST_POINTS, answers: PhantomData }
}

/// Makes a policy that asks `function` about each code point that the target cannot represent.
///
/// ```
/// use placemat::{Replacement, convert, forms::Ascii, policy::{Substitute, from_fn_unmappable}};
/// let plain = convert::encode::<Ascii>("5 € à", from_fn_unmappable(|unmappable| {
///     match unmappable.code_point().to_char() {
///         Some('€') => Substitute::Text(Replacement::new("EUR").unwrap()),
///         _ => Substitute::Default,
///     }
/// }))?;
/// assert_eq!(plain, b"5 EUR ?");
/// # Ok::<(), placemat::Unmappable>(())
/// ```
pub const fn from_fn_unmappable<'a, F: FnMut(&Unmappable) -> Substitute<'a>>(function: F) -> FromFn<'a, F> {
    FromFn { function, longest: DEFAULT_LONGEST_POINTS, answers: PhantomData }
}

impl<F> FromFn<'_, F> {
    /// Declares that an answer has at most `longest` code points, instead of 16. Output buffers
    /// must have room for that many, see [`OnError::longest`].
    ///
    /// ```
    /// use placemat::{Replacement, convert, forms::Ascii, policy::{Substitute, from_fn_unmappable}};
    /// let name = from_fn_unmappable(|_| Substitute::Text(Replacement::new("(not in this charset)").unwrap()));
    /// assert_eq!(convert::encode::<Ascii>("5 €", name.up_to(21))?, b"5 (not in this charset)");
    /// # Ok::<(), placemat::Unmappable>(())
    /// ```
    #[must_use]
    pub fn up_to(self, longest: usize) -> Self {
        Self { longest, ..self }
    }
}

impl<'a, F: FnMut(&IllFormed) -> Action<'a>> OnError for FromFn<'a, F> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        (self.function)(error)
    }

    fn longest(&self) -> usize {
        self.longest
    }
}

impl<'a, F: FnMut(&Unmappable) -> Substitute<'a>> OnUnmappable for FromFn<'a, F> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        (self.function)(unmappable)
    }

    fn longest(&self) -> usize {
        self.longest
    }
}
