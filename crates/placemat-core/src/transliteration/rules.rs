//! The transliteration rules of locales.

use super::tables::{self, Choices};
use core::fmt;

/// The transliteration rules of a locale.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The rules that only this locale has, as lines of a table.
    own: &'static str,
    /// The bit mask of the general rules that apply in this locale too.
    subset: u32,
    is_c: bool,
}

/// The error for an unknown locale name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnknownLocale;

impl fmt::Display for UnknownLocale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the name of a locale, such as de_DE or da")
    }
}

impl core::error::Error for UnknownLocale {}

#[cfg(feature = "std")]
crate::ground::io_error::into_io_error!(InvalidInput: UnknownLocale);

/// The parts of a locale name: `sr`, `RS`, `latin` for `sr_RS.UTF-8@latin`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Name<'a> {
    language: &'a str,
    territory: Option<&'a str>,
    modifier: Option<&'a str>,
}

impl<'a> Name<'a> {
    fn new(name: &'a str) -> Option<Self> {
        let (rest, modifier) = match name.split_once('@') {
            Some((rest, modifier)) => (rest, Some(modifier)),
            None => (name, None),
        };
        let rest = rest.split('.').next()?;
        let (language, territory) = match rest.split_once(['_', '-']) {
            Some((language, territory)) => (language, Some(territory)),
            None => (rest, None),
        };
        let letters = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_language = letters(language) && (2..=3).contains(&language.len());
        let is_territory = territory.is_none_or(|text| letters(text) && (2..=3).contains(&text.len()));
        (is_language && is_territory).then_some(Self { language, territory, modifier })
    }

    /// Returns `true` if this name, from the caller, selects the table of `other`.
    fn is(self, other: Self) -> bool {
        let same = |a: Option<&str>, b: Option<&str>| match (a, b) {
            (Some(a), Some(b)) => a.eq_ignore_ascii_case(b),
            (a, b) => a == b,
        };
        self.language.eq_ignore_ascii_case(other.language)
            && same(self.territory, other.territory)
            && same(self.modifier, other.modifier)
    }
}

impl Rules {
    /// The rules that most locales share.
    pub const GENERAL: Self = Self { own: "", subset: 0, is_c: false };

    /// Finds the rules of a locale by its name.
    pub fn of(name: &str) -> Result<Self, UnknownLocale> {
        if matches!(name, "C" | "POSIX") {
            return Self::listed(|known| known == "C").ok_or(UnknownLocale);
        }
        if name.starts_with("C.") {
            return Ok(Self::GENERAL);
        }
        let name = Name::new(name).ok_or(UnknownLocale)?;
        let known_as =
            |name: Name<'_>| Self::listed(|known| Name::new(known).is_some_and(|known| name.is(known)));
        let without_modifier = || name.modifier.and_then(|_| known_as(Name { modifier: None, ..name }));
        // A language without a territory has the rules of its first territory.
        let language = || {
            let alone = name.territory.is_none();
            alone.then(|| {
                Self::listed(|known| {
                    Name::new(known).is_some_and(|known| {
                        known.modifier == name.modifier && name.language.eq_ignore_ascii_case(known.language)
                    })
                })
            })?
        };
        Ok(known_as(name).or_else(without_modifier).or_else(language).unwrap_or(Self::GENERAL))
    }

    /// Returns the rules of the first section with a name that `is` accepts.
    fn listed(is: impl Fn(&'static str) -> bool) -> Option<Self> {
        let &(names, subset, own) = tables::SECTIONS.iter().find(|(names, ..)| names.split(' ').any(&is))?;
        Some(Self { own, subset, is_c: names.split(' ').any(|name| name == "C") })
    }

    /// Returns `true` for the rules of the locale C, which belong to no language.
    pub(super) const fn are_of_c(&self) -> bool {
        self.is_c
    }

    /// Returns the choices of the locale's own rules for a character.
    pub(super) fn own(&self, c: char) -> Option<Choices> {
        tables::choices(self.own, c)
    }

    /// Returns the choices of the general rules for a character, as far as they apply in this
    /// locale.
    pub(super) fn shared(&self, c: char) -> Option<Choices> {
        tables::choices_in(tables::GENERAL, c, self.subset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let ue = |name: &str| Rules::of(name).map(|rules| rules.own('ü').and_then(|mut all| all.nth(1)));
        for name in ["de_DE.UTF-8", "de_DE", "de-AT", "de_CH@euro", "de", "DE_de.iso88591"] {
            assert_eq!(ue(name), Ok(Some("ue")), "{name}");
        }
        for name in ["en_US.UTF-8", "C.UTF-8", "C.utf8", "fr", "xx_YY", "tlh"] {
            assert_eq!(ue(name), Ok(None), "{name}");
        }
        for name in ["", "German", "de DE", "de_", "_DE", "/etc", "d", "de_DE_x"] {
            assert_eq!(ue(name), Err(UnknownLocale), "{name}");
        }
        assert!(Rules::of("POSIX").is_ok_and(|rules| rules.are_of_c()));
    }
}
