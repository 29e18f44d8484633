//! A policy for each kind of ill-formed sequence.

use super::kinds::{Kinds, NAME_COUNT, index, index_of};
use super::names::{NameError, Problem};
use super::stock::ErrorPolicy;
use crate::ground::error::{IllFormed, IllFormedKind};
use crate::ground::hints::{Engine, Hints};
use crate::ground::patch::Patch;
use crate::ground::policy::{Action, OnError, Span};
use core::str::FromStr;

/// A stock policy for each kind of ill-formed sequence.
///
/// Start with one policy for all kinds; [`with`](Self::with) gives some kinds another one. Once a
/// kind has another policy, one error is a whole broken sequence ([`Span::Structural`]), so that
/// all its bytes go to the policy of its kind: `ED A0 80` is one surrogate, and becomes one U+FFFD.
/// As long as no kind has another policy, `ByKind` behaves exactly like its one policy.
///
/// Policies that concern more than one error keep their meaning:
/// * [`SurrogatePass`](ErrorPolicy::SurrogatePass) passes surrogates of its kinds, and leaves all
///   other errors of its kinds to the policy for all other kinds.
/// * [`Optu`](ErrorPolicy::Optu) also escapes genuine U+EF80..U+EFFF if it is the policy for
///   [`Undefined`](IllFormedKind::Undefined), the kind of a code point that a policy refuses.
///   Otherwise they are read as themselves.
///
/// ```
/// use placemat::{ErrorPolicy, policy::{ByKind, Kinds}, utf8};
/// let policy = ByKind::new(ErrorPolicy::Replace).with(Kinds::OVERLONG, ErrorPolicy::Stop);
/// assert_eq!(utf8::decode(b"a\xFFb\xED\xA0\x80c", policy)?, "a\u{FFFD}b\u{FFFD}c");
/// assert_eq!(utf8::decode(b"a\xFF/\xC0\xAF", policy).unwrap_err().code(), "overlong-2");
///
/// // The same by names: pairs of a kind and a policy, and a policy alone for all other kinds.
/// assert_eq!("replace,overlong=strict".parse(), Ok(policy));
/// let policy: ByKind<'_> = "end=ignore,truncated=replace".parse()?;
/// assert_eq!(utf8::decode(b"\xE2\x82, \xE2\x82", policy)?, "\u{FFFD}, ");
/// assert!(utf8::decode(b"\xFF", policy).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByKind<'a> {
    rest: ErrorPolicy<'a>,
    /// The policy of each kind, in the order of their names.
    policies: [ErrorPolicy<'a>; NAME_COUNT],
    /// The policy of some kind differs from `rest`.
    distinguishes: bool,
}

impl<'a> ByKind<'a> {
    /// Uses `policy` for all kinds.
    #[must_use]
    pub const fn new(policy: ErrorPolicy<'a>) -> Self {
        Self { rest: policy, policies: [policy; NAME_COUNT], distinguishes: false }
    }

    /// Sets another policy for some kinds: for one [`IllFormedKind`], or for [`Kinds`].
    ///
    /// ```
    /// use placemat::{Be, ErrorPolicy, IllFormedKind, convert, forms::Utf16, policy::ByKind};
    /// let policy = ByKind::new(ErrorPolicy::Stop)
    ///     .with(IllFormedKind::UnpairedLead, ErrorPolicy::Replace)
    ///     .with(IllFormedKind::UnpairedTrail, ErrorPolicy::Skip);
    /// let decode = |src: &[u8]| convert::decode::<Utf16<Be>>(src, policy);
    /// assert_eq!(decode(b"\xD8\x00\0a\xDC\x00\0b")?, "\u{FFFD}ab");
    /// assert_eq!(decode(b"\0a\0").unwrap_err().code(), "incomplete");
    /// # Ok::<(), placemat::ConvertError>(())
    /// ```
    #[must_use]
    pub fn with(mut self, kinds: impl Into<Kinds>, policy: ErrorPolicy<'a>) -> Self {
        let kinds = kinds.into();
        for (i, slot) in self.policies.iter_mut().enumerate() {
            if kinds.has(i) {
                *slot = policy;
            }
        }
        self.distinguishes = self.policies.iter().any(|policy| *policy != self.rest);
        self
    }

    /// Returns the policy for an error that [`SurrogatePass`](ErrorPolicy::SurrogatePass) does not
    /// pass.
    ///
    /// ```
    /// use placemat::{ErrorPolicy, policy::ByKind, utf8};
    /// let policy: ByKind<'_> = "ignore,overlong=replace,surrogate=pass".parse()?;
    /// let of = |src| policy.of(&utf8::validate(src).unwrap_err());
    /// assert_eq!(of(b"\xC0\xAF"), ErrorPolicy::Replace);
    /// assert_eq!([of(b"\xFF"), of(b"\xED\xA0")], [ErrorPolicy::Skip; 2]);
    /// # Ok::<(), placemat::policy::NameError>(())
    /// ```
    #[must_use]
    pub fn of(&self, error: &IllFormed) -> ErrorPolicy<'a> {
        match self.policies[index_of(error)] {
            ErrorPolicy::SurrogatePass => self.rest,
            policy => policy,
        }
    }

    /// Returns the policies of all kinds, in no particular order: to ask whether any has a
    /// property.
    ///
    /// ```
    /// use placemat::{ErrorPolicy, policy::ByKind};
    /// let policy: ByKind<'_> = "surrogate=pass".parse()?;
    /// assert!(policy.policies().any(|policy| policy == ErrorPolicy::SurrogatePass));
    /// assert!(policy.policies().all(|policy| policy != ErrorPolicy::Replace));
    /// # Ok::<(), placemat::policy::NameError>(())
    /// ```
    pub fn policies(&self) -> impl Iterator<Item = ErrorPolicy<'a>> {
        core::iter::once(self.rest).chain(self.policies)
    }

    /// Replaces each policy by the result of `f`.
    ///
    /// ```
    /// use placemat::{ErrorPolicy, Replacement, policy::ByKind, utf8};
    /// let policy: ByKind<'_> = "ignore,overlong=replace".parse()?;
    /// let policy = policy.map(|policy| match policy {
    ///     ErrorPolicy::Replace => ErrorPolicy::ReplaceWith(Replacement::QUESTION),
    ///     policy => policy,
    /// });
    /// assert_eq!(utf8::decode(b"a\xFFb\xC0\xAFc", policy)?, "ab?c");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn map<'b>(self, f: impl Fn(ErrorPolicy<'a>) -> ErrorPolicy<'b>) -> ByKind<'b> {
        let (rest, policies) = (f(self.rest), self.policies.map(f));
        ByKind { rest, policies, distinguishes: policies.iter().any(|policy| *policy != rest) }
    }

    /// Returns `true` if some kind has its own policy.
    ///
    /// ```
    /// use placemat::{ErrorPolicy, policy::{ByKind, Kinds}};
    /// let policy = ByKind::new(ErrorPolicy::Replace);
    /// assert!(!policy.distinguishes());
    /// assert!(policy.with(Kinds::OVERLONG, ErrorPolicy::Stop).distinguishes());
    /// ```
    #[must_use]
    pub const fn distinguishes(&self) -> bool {
        self.distinguishes
    }

    /// Returns the policy for code points that are refused, which are errors of the kind
    /// `undefined`.
    const fn of_refused(&self) -> &ErrorPolicy<'a> {
        &self.policies[index(IllFormedKind::Undefined)]
    }

    /// Returns `true` if the policy also decides about well-formed code points; see
    /// [`ErrorPolicy::inspects`].
    ///
    /// ```
    /// use placemat::policy::ByKind;
    /// let [all, stray]: [ByKind<'_>; 2] = ["optu".parse()?, "stray=optu".parse()?];
    /// assert!(all.inspects() && !stray.inspects());
    /// # Ok::<(), placemat::policy::NameError>(())
    /// ```
    #[must_use]
    pub const fn inspects(&self) -> bool {
        self.of_refused().inspects()
    }

    /// Returns the one policy, if no kind has another.
    fn only(&self) -> Option<&ErrorPolicy<'a>> {
        (!self.distinguishes).then_some(&self.rest)
    }
}

impl<'a> From<ErrorPolicy<'a>> for ByKind<'a> {
    fn from(policy: ErrorPolicy<'a>) -> Self {
        Self::new(policy)
    }
}

/// Parses names with commas between them: pairs `KIND=POLICY`, of which a later one prevails, and
/// at most one policy alone, for all other kinds. Without one, that policy is `strict`. [`Kinds`]
/// lists the names of kinds.
impl FromStr for ByKind<'static> {
    type Err = NameError;

    fn from_str(names: &str) -> Result<Self, NameError> {
        let mut rest = None;
        for name in names.split(',').filter(|name| !name.contains('=')) {
            if rest.replace(name.parse()?).is_some() {
                return Err(NameError::new(Problem::Second, name));
            }
        }
        let pairs = names.split(',').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().try_fold(Self::new(rest.unwrap_or_default()), |all, (name, policy)| {
            let kinds: Kinds = name.parse()?;
            let policy = policy.parse()?;
            if policy == ErrorPolicy::SurrogatePass && !kinds.are_surrogates() {
                return Err(NameError::new(Problem::Pass, name));
            }
            Ok(all.with(kinds, policy))
        })
    }
}

impl OnError for ByKind<'_> {
    fn handle(&mut self, error: &IllFormed) -> Action<'_> {
        let policy = &mut self.policies[index_of(error)];
        let passes = *policy == ErrorPolicy::SurrogatePass;
        // The policy for all other kinds decides about an error that cannot pass, such as half of a
        // sequence.
        let action = if passes { &mut self.rest } else { policy }.handle(error);
        if passes { Action::Pass(action.into()) } else { action }
    }

    fn span(&self) -> Span {
        self.only().map_or(Span::Structural, OnError::span)
    }

    fn longest(&self) -> usize {
        match self.only() {
            Some(policy) => policy.longest(),
            None => self.policies().map(|policy| policy.longest()).max().unwrap_or(0),
        }
    }

    fn hints(&self, engine: Engine) -> Hints<'_, Patch> {
        match self.only() {
            Some(policy) => policy.hints(engine),
            None => Hints { answer: None, ..self.of_refused().hints(engine) },
        }
    }
}
