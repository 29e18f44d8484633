//! Transliteration: substitutes for text that a target cannot represent, by language.
//!
//! [`Transliteration`] is a policy. It takes the first of these that the target can represent: the spelling of the
//! language of the text (`ue` for ü in German); for signs with a meaning, a text that keeps the meaning (`!=` for ≠,
//! `1/2` for ½); nothing, for invisible characters; the letter in another shape or without its mark; and the ASCII text
//! of the crate `any_ascii`.
//!
//! The tables are those of the GNU C library's locales, so that [`Transliteration::as_glibc`] can imitate its `iconv`.

mod rules;
mod signs;
mod silent;
mod tables;

use crate::Unmappable;
use crate::forms::encoding::Encoding;
use crate::policy::{OnUnmappable, Replacement, Substitute};
use crate::stream::{Status, Transcoder};
use rules::Rules;
pub use rules::UnknownLocale;

/// The longest substitute for a code point, in bytes.
const LONGEST: usize = 64;

/// Writes a similar text for a code point that the target cannot represent, or the target's own substitute if there is
/// none.
///
/// ```
/// use placemat::{Encoding, stream::Transcoder, transliteration::Transliteration};
/// let to = |target, locale, text: &str| {
///     let policy = Transliteration::new(target).locale(locale)?;
///     let bytes = Transcoder::from(Encoding::UTF_8).to(target).on_unmappable(policy).transcode(text.as_bytes())?;
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
    glibc: bool,
}

impl Transliteration {
    /// A policy for a target, with the general rules, which belong to no language.
    #[must_use]
    pub const fn new(target: Encoding) -> Self {
        Self { target, rules: Rules::GENERAL, glibc: false }
    }

    /// Uses the rules of a locale: `de_DE.UTF-8`, `da-DK`, `sv`. Ignores the charset in the name. Languages without
    /// rules of their own, such as English, use the general ones.
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
        Self { glibc: true, ..self }
    }

    /// The similar text for a code point, if there is one. An empty text deletes the code point.
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
        let mut own = self.rules.own(c);
        let held = |text: &&'static str| holds(self.target, text);
        if self.glibc {
            let mut listed = own.or_else(|| self.rules.shared(c)).into_iter().flatten();
            return listed.find(held).or_else(|| self.general(c));
        }
        // The letters of the locale C belong to no language.
        if self.rules.are_of_c() {
            own = None;
        }
        own.into_iter().flatten().find(held).or_else(|| self.general(c))
    }

    /// The choice by the general rules.
    fn general(&self, c: char) -> Option<&'static str> {
        let held = |text: &&'static str| holds(self.target, text);
        if signs::vanishes(c) {
            return Some("");
        }
        match signs::similar(c) {
            signs::Similar::To(text) => return Some(text).filter(held),
            signs::Similar::ToNothing => return None,
            signs::Similar::Unsaid => {}
        }
        let listed = tables::choices(tables::GENERAL, c).into_iter().flatten();
        // Vowel points are marks too, and for some scripts the table has letters in their place.
        let visible = |text: &&str| !text.is_empty();
        let listed_text = listed.clone().filter(visible).find(held);
        let ascii = || Some(any_ascii::any_ascii_char(c)).filter(visible).filter(held);
        let vanishes = || (silent::is(c) || listed.clone().any(str::is_empty)).then_some("");
        listed_text.or_else(ascii).or_else(vanishes)
    }
}

impl OnUnmappable for Transliteration {
    fn handle(&mut self, unmappable: &Unmappable) -> Substitute<'_> {
        let similar = unmappable.code_point().to_char().and_then(|c| self.similar(c));
        similar.and_then(Replacement::new).map_or(Substitute::Default, Substitute::Text)
    }

    fn longest(&self) -> usize {
        LONGEST
    }
}

/// Whether `target` can represent all of a text.
fn holds(target: Encoding, text: &str) -> bool {
    if text.is_ascii() && target.is_ascii_compatible() {
        return true;
    }
    if target == Encoding::US_ASCII {
        return false;
    }
    let mut out = [0; 1024];
    let mut rest = text.as_bytes();
    let mut transcoder = Transcoder::from(Encoding::UTF_8).to(target);
    loop {
        let progress = transcoder.convert(rest, &mut out, true);
        rest = &rest[progress.read..];
        match progress.status {
            Status::Done => return true,
            Status::NeedOutput => {}
            _ => return false,
        }
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
                            assert!(text.len() <= LONGEST && holds(target, text), "{c:?}: {text}");
                        }
                    }
                }
            }
        }
    }
}
