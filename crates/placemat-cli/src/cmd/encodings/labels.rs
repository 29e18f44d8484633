//! Sorts the labels of an encoding by who defines them: IANA, the web, or only this library.

use crate::options::{Offering, meaning_names, parse_meaning};
use placemat::Encoding;
use placemat::label::{Meaning, bare, iana_name};

/// The encoding to explain, as it was asked for.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// The label, without a locale or a header around it.
    pub(super) label: String,
    pub(super) meaning: Meaning,
}

/// The value parser of a label that is kept.
pub(super) const ASKED: Offering<Asked> = Offering {
    parse: |text| Ok(Asked { label: bare(text).to_owned(), meaning: parse_meaning(text)? }),
    names: meaning_names,
};

impl Asked {
    /// Returns the standing of the label, in words, and what it asks for besides the encoding.
    pub(super) fn standing(&self) -> String {
        let encoding = self.meaning.encoding;
        let mut words = match iana_name(&self.label) {
            Some(name) if name.eq_ignore_ascii_case(&self.label) => "the name that IANA prefers".to_owned(),
            Some(name) => format!("registered with IANA, which prefers {name}"),
            None => "not registered with IANA".to_owned(),
        };
        words.push_str(&match placemat::web::for_label(&self.label) {
            None => "; unknown to browsers".to_owned(),
            Some(other) if other != encoding => format!("; browsers take it for {other}"),
            Some(_) => "; known to browsers".to_owned(),
        });
        if self.meaning.no_signature {
            words.push_str("; as a target it means no signature");
        }
        words
    }
}

/// A character set in the registry of IANA.
pub(super) struct Registered {
    /// The preferred name, as the registry spells it.
    pub(super) name: &'static str,
    /// The labels of the encoding that are registered too, in lower case.
    pub(super) aliases: Vec<&'static str>,
}

/// Returns the character sets that an encoding is registered as; a code page of Windows may read another
/// one too.
pub(super) fn registered(encoding: Encoding) -> Vec<Registered> {
    let mut all = Vec::<Registered>::new();
    for label in names(encoding) {
        let Some(name) = iana_name(label) else { continue };
        let at = all.iter().position(|known| known.name == name).unwrap_or_else(|| {
            all.push(Registered { name, aliases: Vec::new() });
            all.len() - 1
        });
        if !label.eq_ignore_ascii_case(name) {
            all[at].aliases.push(label);
        }
    }
    all
}

/// Returns the labels that are neither registered with IANA nor of the web.
pub(super) fn understood(encoding: Encoding) -> Vec<&'static str> {
    let neither = |label: &&str| iana_name(label).is_none() && placemat::web::for_label(label).is_none();
    encoding.names().labels.into_iter().filter(neither).collect()
}

fn names(encoding: Encoding) -> impl Iterator<Item = &'static str> {
    let names = encoding.names();
    core::iter::once(names.name).chain(names.labels)
}

/// In words: `UTF-8 (csutf8)`.
pub(super) fn describe(registered: &[Registered]) -> String {
    let each = registered.iter().map(|Registered { name, aliases }| {
        if aliases.is_empty() { (*name).to_owned() } else { format!("{name} ({})", aliases.join(" ")) }
    });
    each.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_by_their_standing() {
        assert_eq!(describe(&registered(Encoding::UTF_8)), "UTF-8 (csutf8)");
        assert!(describe(&registered(Encoding::SHIFT_JIS)).contains("Windows-31J (cswindows31j)"));
        assert!(registered(Encoding::WTF_8).is_empty());
        let understood = understood(Encoding::UTF_8);
        assert!(understood.contains(&"utf-8n") && understood.contains(&"cp65001"), "{understood:?}");
        assert!(!understood.contains(&"utf8") && !understood.contains(&"csutf8"), "{understood:?}");
    }

    #[test]
    fn standings() {
        let standing = |label: &str| {
            Meaning::of(label).ok().map(|meaning| Asked { label: label.to_owned(), meaning }.standing())
        };
        for (label, words) in [
            ("utf-8", "the name that IANA prefers; known to browsers"),
            ("csUTF8", "registered with IANA, which prefers UTF-8; unknown to browsers"),
            ("utf8", "not registered with IANA; known to browsers"),
            ("utf_8", "not registered with IANA; unknown to browsers"),
            ("latin1", "registered with IANA, which prefers ISO-8859-1; browsers take it for windows-1252"),
            ("ucs-2", "not registered with IANA; browsers take it for UTF-16LE"),
        ] {
            assert_eq!(standing(label).as_deref(), Some(words), "{label}");
        }
        assert!(
            standing("utf-8n").is_some_and(|words| words.ends_with("; as a target it means no signature"))
        );
    }
}
