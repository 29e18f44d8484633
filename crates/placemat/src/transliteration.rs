//! Transliteration: substitutes for text that a target cannot represent, by language.
//!
//! [`Transliteration`] is a policy. It takes the first of these that the target can represent: the
//! spelling of the language of the text (`ue` for ü in German); for symbols with a meaning, a text
//! that keeps the meaning (`!=` for ≠, `1/2` for ½); nothing, for invisible characters; the letter
//! in another shape or without its mark; and the ASCII text of the crate `any_ascii`.
//!
//! The tables are those of the GNU C library's locales, so that [`Transliteration::as_glibc`] can imitate its `iconv`.

use crate::held::holds;
use placemat_charsets::Encoding;
use placemat_core::Unmappable;
use placemat_core::policy::{OnUnmappable, Replacement, Substitute};
use placemat_core::transliteration::choice::{self, MAX_SUBSTITUTE_BYTES};
use placemat_core::transliteration::rules::Rules;
pub use placemat_core::transliteration::rules::UnknownLocale;

/// Writes a similar text for a code point that the target cannot represent, or the target's own substitute if there is
/// none.
///
/// ```
/// use placemat::{Encoding, stream::Transcoder, transliteration::Transliteration};
/// let to = |target, locale, text: &str| {
///     let policy = Transliteration::new(target).locale(locale)?;
///     let bytes = Transcoder::new(Encoding::UTF_8, target).on_unmappable(policy).transcode(text.as_bytes())?;
///     Ok::<_, Box<dyn std::error::Error>>(bytes)
/// };
/// assert_eq!(to(Encoding::US_ASCII, "en_GB", "Müller: a ≠ b, 1½ €")?, b"Muller: a != b, 1 1/2 EUR");
/// assert_eq!(to(Encoding::US_ASCII, "de_DE", "Müller")?, b"Mueller");
/// assert_eq!(to(Encoding::ISO_8859_1, "de_DE", "Müller, Dvořák")?, b"M\xFCller, Dvor\xE1k");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Transliteration {
    target: Encoding,
    rules: Rules,
    glibc: Glibc,
}

/// The weight of what glibc writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Glibc {
    Not,
    First,
    Only,
}

impl Transliteration {
    /// Returns a policy for a target, with the general rules, which belong to no language.
    #[must_use]
    pub const fn new(target: Encoding) -> Self {
        Self { target, rules: Rules::GENERAL, glibc: Glibc::Not }
    }

    /// Uses the rules of a locale: `de_DE.UTF-8`, `da-DK`, `sv`. Ignores the charset in the name. Languages without
    /// rules of their own, such as English, use the general ones.
    ///
    /// ```
    /// use placemat::{Encoding, transliteration::{Transliteration, UnknownLocale}};
    /// let ascii = Transliteration::new(Encoding::US_ASCII);
    /// assert_eq!(ascii.locale("de_DE.UTF-8")?.similar('ü'), Some("ue"));
    /// assert_eq!(ascii.locale("xx yy").unwrap_err(), UnknownLocale);
    /// # Ok::<(), UnknownLocale>(())
    /// ```
    ///
    /// # Errors
    /// If `name` is not the name of a locale.
    pub fn locale(self, name: &str) -> Result<Self, UnknownLocale> {
        Ok(Self { rules: Rules::of(name)?, ..self })
    }

    /// Prefers the output of `iconv` of the GNU C library 2.36 in this locale.
    ///
    /// It differs from the default, for instance, in `-` for a soft hyphen and `u` for the Greek letter μ.
    ///
    /// ```
    /// use placemat::{Encoding, transliteration::Transliteration};
    /// let ascii = Transliteration::new(Encoding::US_ASCII);
    /// assert_eq!((ascii.similar('μ'), ascii.as_glibc().similar('μ')), (Some("m"), Some("u")));
    /// ```
    #[must_use]
    pub const fn as_glibc(self) -> Self {
        Self { glibc: Glibc::First, ..self }
    }

    /// Gives the output of `iconv` of the GNU C library 2.36 in this locale, and nothing where that has none.
    ///
    /// ```
    /// use placemat::{Encoding, transliteration::Transliteration};
    /// let ascii = Transliteration::new(Encoding::US_ASCII).as_glibc();
    /// assert_eq!((ascii.similar('æ'), ascii.only_glibc().similar('æ')), (Some("ae"), Some("ae")));
    /// assert_eq!((ascii.similar('中'), ascii.only_glibc().similar('中')), (Some("Zhong"), None));
    /// ```
    #[must_use]
    pub const fn only_glibc(self) -> Self {
        Self { glibc: Glibc::Only, ..self }
    }

    /// Returns the similar text for a code point, if there is one. An empty text deletes the code point.
    ///
    /// ```
    /// use placemat::{Encoding, transliteration::Transliteration};
    /// let ascii = Transliteration::new(Encoding::US_ASCII);
    /// assert_eq!(ascii.similar('é'), Some("e"));
    /// assert_eq!(ascii.similar('\u{AD}'), Some(""));
    /// assert_eq!(ascii.similar('\u{E000}'), None);
    /// ```
    #[must_use]
    pub fn similar(&self, c: char) -> Option<&'static str> {
        let held = |text| holds(self.target, text);
        match self.glibc {
            Glibc::Only => choice::of_glibc(self.rules, c, held),
            prefers => choice::similar(self.rules, prefers == Glibc::First, c, held),
        }
    }
}

impl OnUnmappable for Transliteration {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        let similar = unmappable.code_point().to_char().and_then(|c| self.similar(c));
        similar.and_then(Replacement::new).map_or(Substitute::Default, Substitute::Text)
    }

    fn longest(&self) -> usize {
        MAX_SUBSTITUTE_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_short_and_held() {
        for target in [Encoding::US_ASCII, Encoding::ISO_8859_1] {
            for locale in ["C", "de_DE", "uk_UA", "am_ET"] {
                let policy = Transliteration::new(target).locale(locale).expect("a locale");
                for policy in [policy, policy.as_glibc()] {
                    let rest = ('\u{3400}'..=char::MAX).step_by(if cfg!(miri) { 9973 } else { 61 });
                    for c in ('\0'..'\u{3400}').chain('\u{F900}'..='\u{FFFF}').chain(rest) {
                        if let Some(text) = policy.similar(c) {
                            assert!(
                                text.len() <= MAX_SUBSTITUTE_BYTES && holds(target, text),
                                "{c:?}: {text}"
                            );
                        }
                    }
                }
            }
        }
    }
}
