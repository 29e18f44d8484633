//! Replacement texts that a policy owns.

use super::stock::{ErrorPolicy, UnmappablePolicy};
use crate::ground::error::{IllFormed, Unmappable};
use crate::ground::hints::{Engine, Hints, Substitutes};
use crate::ground::patch::Patch;
use crate::ground::policy::{Action, OnError, OnUnmappable, Replacement, ReplacementError, Substitute};
use alloc::boxed::Box;

/// A replacement text that the policy owns: [`ErrorPolicy::ReplaceWith`] and
/// [`UnmappablePolicy::ReplaceWith`] for a text that is known only at run time.
///
/// ```
/// use placemat::{policy::ReplaceWith, utf8};
/// let marking = |mark: String| ReplaceWith::new(mark).unwrap_or_default();
/// assert_eq!(utf8::decode(b"caf\xE9", marking("<?>".to_owned()))?, "caf<?>");
/// // A text of more than 1024 bytes is too long; the default is U+FFFD.
/// assert_eq!(utf8::decode(b"caf\xE9", marking("?".repeat(2000)))?, "caf\u{FFFD}");
/// # Ok::<(), placemat::ConvertError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReplaceWith(Box<str>);

impl ReplaceWith {
    /// Makes a policy that writes `text` for each error, or for each code point that the target
    /// cannot represent.
    ///
    /// # Errors
    /// If the text has more than [`Replacement::MAX_BYTES`] bytes.
    ///
    /// ```
    /// use placemat::{convert, forms::Latin1, policy::ReplaceWith};
    /// let name = ReplaceWith::new(format!("({})", "none"))?;
    /// assert_eq!(convert::encode::<Latin1>("5 €", &mut name.clone()).unwrap(), b"5 (none)");
    /// assert_eq!(convert::encode::<Latin1>("5 $", name).unwrap(), b"5 $");
    /// assert!(ReplaceWith::new("x".repeat(2000)).is_err());
    /// # Ok::<(), placemat::policy::ReplacementError>(())
    /// ```
    pub fn new(text: impl Into<Box<str>>) -> Result<Self, ReplacementError> {
        let text = text.into();
        Replacement::try_from(&*text)?;
        Ok(Self(text))
    }

    /// Returns the text.
    ///
    /// ```
    /// use placemat::policy::ReplaceWith;
    /// assert_eq!(ReplaceWith::new("<?>")?.text(), "<?>");
    /// assert_eq!(ReplaceWith::default().text(), "\u{FFFD}");
    /// # Ok::<(), placemat::policy::ReplacementError>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    fn replacement(&self) -> Replacement<'_> {
        Replacement::new(&self.0).unwrap_or(Replacement::CHARACTER)
    }
}

/// Writes U+FFFD.
impl Default for ReplaceWith {
    fn default() -> Self {
        Replacement::CHARACTER.into()
    }
}

impl From<Replacement<'_>> for ReplaceWith {
    fn from(replacement: Replacement<'_>) -> Self {
        Self(replacement.text().into())
    }
}

impl OnError for ReplaceWith {
    fn handle(&mut self, _: &IllFormed) -> Action<'_> {
        Action::Text(self.replacement())
    }
    fn longest(&self) -> usize {
        OnError::longest(&ErrorPolicy::ReplaceWith(self.replacement()))
    }
    fn hints(&self, engine: Engine) -> Hints<'_, Patch> {
        let Hints { repeats, answer, .. } = ErrorPolicy::ReplaceWith(self.replacement()).hints(engine);
        Hints { repeats, answer, ..Hints::NONE }
    }
}

impl OnUnmappable for ReplaceWith {
    fn handle(&mut self, _: &Unmappable) -> Substitute<'_> {
        Substitute::Text(self.replacement())
    }
    fn longest(&self) -> usize {
        OnUnmappable::longest(&UnmappablePolicy::ReplaceWith(self.replacement()))
    }
    fn hints(&self, engine: Engine) -> Hints<'_, Substitutes> {
        let Hints { repeats, answer, .. } = UnmappablePolicy::ReplaceWith(self.replacement()).hints(engine);
        Hints { repeats, answer, ..Hints::NONE }
    }
}
