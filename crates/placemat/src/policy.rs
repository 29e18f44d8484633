//! Policies for ill-formed input, and for text that the target cannot represent.
//!
//! Policies are values that a caller passes to a conversion. [`ErrorPolicy`] and [`UnmappablePolicy`] hold the stock
//! ones; [`ByKind`] gives each kind of ill-formed sequence its own. Other policies implement [`OnError`] or
//! [`OnUnmappable`]; [`Call`] turns a function into one. The number of units in one error is a separate choice, [`Span`],
//! made with [`OnError::spanning`].
//!
//! No policy reads a byte twice as text: it replaces all that an error spans, and decoding continues after it.

mod by_kind;
mod kinds;
mod names;
mod stock;

pub use crate::ground::policy::{
    Action, CodePoints, OnError, OnUnmappable, Replacement, ReplacementError, Span, Spanning, Substitute,
};
pub use by_kind::ByKind;
pub use kinds::Kinds;
pub use names::NameError;
pub use stock::{ErrorPolicy, UnmappablePolicy};

use crate::ground::error::{IllFormed, Unmappable};
use crate::ground::policy::LONGEST;

/// A function as a policy. Its answers have at most 16 code points each; for longer ones, use [`up_to`](Self::up_to).
///
/// ```
/// use placemat::{utf8, policy::{Action, Call}, IllFormedKind, Replacement};
/// let mut overlong = false;
/// let text = utf8::decode(b"a\xC0\x80b\xFFc", Call::new(|e: &placemat::IllFormed| {
///     if matches!(e.kind(), IllFormedKind::Overlong(_)) { overlong = true; }
///     Action::Text(Replacement::QUESTION)
/// }))?;
/// assert_eq!(text, "a??b?c");
/// assert!(overlong);
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Call<F> {
    function: F,
    longest: usize,
}

impl<F: FnMut(&IllFormed) -> Action<'static>> Call<F> {
    /// A policy that asks `function`.
    #[must_use]
    pub const fn new(function: F) -> Self {
        Self::up_to(LONGEST, function)
    }

    /// A policy that asks `function`, whose answers have at most `longest` code points each. Output buffers must have
    /// room for that many, see [`OnError::longest`].
    ///
    /// ```
    /// use placemat::{Encoding, ErrorPolicy, IllFormed, Replacement, policy::{Action, Call}};
    /// let note = |_: &IllFormed| Action::Text(Replacement::new("[here the file is damaged]").unwrap());
    /// let policy = Call::up_to(26, note);
    /// assert_eq!(Encoding::UTF_8.decode(b"a\xFFb", policy)?, "a[here the file is damaged]b");
    /// assert_eq!(Encoding::UTF_8.decode(b"ab", policy)?, "ab");
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    #[must_use]
    pub const fn up_to(longest: usize, function: F) -> Self {
        Self { function, longest }
    }
}

impl<F: FnMut(&IllFormed) -> Action<'static>> OnError for Call<F> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        (self.function)(error)
    }

    fn longest(&self) -> usize {
        self.longest
    }
}

/// A function as a policy for text that the target cannot represent. Its answers have at most 16 code points each; for
/// longer ones, use [`up_to`](Self::up_to).
///
/// ```
/// use placemat::{convert, forms::Ascii, policy::{CallUnmappable, Substitute}, Replacement};
/// let plain = convert::encode::<Ascii>("5 € à", CallUnmappable::new(|u: &placemat::Unmappable| {
///     match u.code_point().to_char() {
///         Some('€') => Substitute::Text(Replacement::new("EUR").unwrap()),
///         _ => Substitute::Default,
///     }
/// }))?;
/// assert_eq!(plain, b"5 EUR ?");
/// # Ok::<(), placemat::Unmappable>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CallUnmappable<F> {
    function: F,
    longest: usize,
}

impl<F: FnMut(&Unmappable) -> Substitute<'static>> CallUnmappable<F> {
    /// A policy that asks `function`.
    #[must_use]
    pub const fn new(function: F) -> Self {
        Self::up_to(LONGEST, function)
    }

    /// A policy that asks `function`, whose answers have at most `longest` code points each. Output buffers must have
    /// room for that many, see [`OnError::longest`].
    ///
    /// ```
    /// use placemat::{Encoding, Replacement, Unmappable, policy::{CallUnmappable, Substitute}};
    /// let name = |_: &Unmappable| Substitute::Text(Replacement::new("(a sign that is not here)").unwrap());
    /// let policy = CallUnmappable::up_to(25, name);
    /// assert_eq!(Encoding::US_ASCII.encode("5 €", policy)?, &b"5 (a sign that is not here)"[..]);
    /// assert_eq!(Encoding::US_ASCII.encode("5", policy)?, &b"5"[..]);
    /// # Ok::<(), Unmappable>(())
    /// ```
    #[must_use]
    pub const fn up_to(longest: usize, function: F) -> Self {
        Self { function, longest }
    }
}

impl<F: FnMut(&Unmappable) -> Substitute<'static>> OnUnmappable for CallUnmappable<F> {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        (self.function)(unmappable)
    }

    fn longest(&self) -> usize {
        self.longest
    }
}
