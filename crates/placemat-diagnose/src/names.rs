//! The names of code points.
//!
//! The crate `unicode_names2` knows those of the version of Unicode before [`placemat::UNICODE_VERSION`], without Tangut
//! ideographs. The rest is here. A test fails when the crate has caught up.

use std::fmt;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// The names that the last version of Unicode added; `xtask/names.py` describes the format.
const ADDED: &str = include_str!("names/added.txt");

/// The code points that are named by a prefix and their value in hex (Unicode Standard, table 4-8), as far as the crate does not
/// know them. Khitan's are in the list of characters, and follow the rule all the same.
const PREFIXES: [(u32, u32, &str); 6] = [
    (0x1_7000, 0x1_87FF, "TANGUT IDEOGRAPH-"),
    (0x1_8CD6, 0x1_8CDA, "KHITAN SMALL SCRIPT CHARACTER-"),
    (0x1_8D00, 0x1_8D20, "TANGUT IDEOGRAPH-"),
    (0x1_8E00, 0x1_9191, "JURCHEN CHARACTER-"),
    (0x2_B81E, 0x2_B81E, "CJK UNIFIED IDEOGRAPH-"),
    (0x3_D000, 0x3_FC3F, "SMALL SEAL CHARACTER-"),
];

/// A name, which prints itself.
#[derive(Clone, Debug)]
pub struct Name(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Crate(unicode_names2::Name),
    Prefix(&'static str, u32),
    Added(String),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Crate(name) => name.fmt(f),
            Kind::Prefix(prefix, value) => write!(f, "{prefix}{value:04X}"),
            Kind::Added(name) => name.fmt(f),
        }
    }
}

/// Returns the name of a character; `None` if it has none, such as a control or an unassigned code point.
///
/// ```
/// use placemat_diagnose::names::name;
/// assert_eq!(name('€').unwrap().to_string(), "EURO SIGN");
/// assert_eq!(name('\u{20C3}').unwrap().to_string(), "UAE DIRHAM SIGN");
/// assert_eq!(name('\u{3D000}').unwrap().to_string(), "SMALL SEAL CHARACTER-3D000");
/// assert!(name('\n').is_none());
/// ```
#[must_use]
pub fn name(c: char) -> Option<Name> {
    let value = u32::from(c);
    let by_prefix = || PREFIXES.iter().find(|&&(first, last, _)| (first..=last).contains(&value));
    let kind = if let Some(name) = unicode_names2::name(c) {
        Kind::Crate(name)
    } else if let Some(&(_, _, prefix)) = by_prefix() {
        Kind::Prefix(prefix, value)
    } else if is_named(c) {
        Kind::Added(added().find(|&(at, _)| at == value)?.1.join(" "))
    } else {
        return None;
    };
    Some(Name(kind))
}

/// Returns `true` for a character that has a name; the others are not worth a search.
fn is_named(c: char) -> bool {
    use GeneralCategory::{Control, PrivateUse, Unassigned};
    !matches!(c.general_category(), Control | PrivateUse | Unassigned)
}

/// Returns the code points of [`ADDED`] in order, with the words of their names.
fn added() -> impl Iterator<Item = (u32, Vec<&'static str>)> {
    ADDED.lines().scan((0, Vec::new()), |(c, words), line| {
        let (head, rest) = line.split_once(' ')?;
        if let Some(shared) = head.strip_prefix('+') {
            *c += 1;
            words.truncate(shared.parse().ok()?);
        } else {
            *c = u32::from_str_radix(head, 16).ok()?;
            words.clear();
        }
        words.extend(rest.split(' '));
        Some((*c, words.clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_assigned_characters_have_names() {
        for c in '\0'..=char::MAX {
            assert_eq!(name(c).is_some(), is_named(c), "U+{:04X}", u32::from(c));
        }
        assert_eq!(added().count(), ADDED.lines().count());
    }

    /// If this fails, the crate knows more: remove that from [`ADDED`] and [`PREFIXES`].
    #[test]
    fn no_name_here_is_in_the_crate() {
        let by_prefix = PREFIXES.iter().flat_map(|&(first, last, _)| first..=last);
        for c in added().map(|(c, _)| c).chain(by_prefix).filter_map(char::from_u32) {
            assert!(is_named(c) && unicode_names2::name(c).is_none(), "U+{:04X}", u32::from(c));
        }
    }
}
