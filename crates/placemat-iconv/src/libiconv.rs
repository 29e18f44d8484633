//! The behavior of GNU libiconv where it differs from glibc's: its suffixes, some of its names, the
//! byte order of UTF-16 and UTF-32.

use crate::charset::{Charset, Locale};
use crate::names;
use alloc::string::String;
use alloc::vec::Vec;

impl Charset {
    /// Returns the meaning of a name with its suffixes, as GNU libiconv reads it: only `//TRANSLIT` and `//IGNORE` are
    /// suffixes, and "" and `char` mean the encoding of the locale. `None` if it is unknown.
    ///
    /// ```
    /// use placemat::Encoding;
    /// use placemat_iconv::{Charset, Locale};
    /// let charset = Charset::of_libiconv("latin1//ignore//translit", Locale::C).unwrap();
    /// assert_eq!((charset.encoding, charset.translit, charset.ignore), (Encoding::ISO_8859_1, true, true));
    /// assert_eq!(Charset::of_libiconv("latin1//", Locale::C), None);
    /// ```
    #[must_use]
    pub fn of_libiconv(argument: &str, locale: Locale<'_>) -> Option<Self> {
        let (mut name, mut translit, mut ignore) = (argument, false, false);
        loop {
            if let Some(rest) = without(name, "//TRANSLIT") {
                (name, translit) = (rest, true);
            } else if let Some(rest) = without(name, "//IGNORE") {
                (name, ignore) = (rest, true);
            } else {
                break;
            }
        }
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        let (encoding, written) = if name.is_empty() || is("char") {
            locale.encoding()
        } else if name.contains(['/', ',', ' ']) || !name.is_ascii() {
            return None;
        } else if let Some(&(_, same)) = NAMES.iter().find(|(known, _)| is(known)) {
            names::find(same)?
        } else {
            names::find(name)?
        };
        Some(Self { encoding, translit, ignore, written, exact: true, no_signature: false, apple: false })
    }
}

/// Removes a suffix from a name; `None` if the name does not have it.
fn without<'a>(name: &'a str, suffix: &str) -> Option<&'a str> {
    let (rest, end) = name.split_at_checked(name.len().checked_sub(suffix.len())?)?;
    end.eq_ignore_ascii_case(suffix).then_some(rest)
}

/// Names of GNU libiconv that have another meaning elsewhere, or none.
const NAMES: &[(&str, &str)] = &[
    ("UCS-2", "ucs-2be"),
    ("ISO-10646-UCS-2", "ucs-2be"),
    ("CSUNICODE", "ucs-2be"),
    ("UCS-2-INTERNAL", if cfg!(target_endian = "big") { "ucs-2be" } else { "ucs-2le" }),
    ("UCS-2-SWAPPED", if cfg!(target_endian = "big") { "ucs-2le" } else { "ucs-2be" }),
    ("UCS-4-INTERNAL", if cfg!(target_endian = "big") { "ucs-4be" } else { "ucs-4le" }),
    ("UCS-4-SWAPPED", if cfg!(target_endian = "big") { "ucs-4le" } else { "ucs-4be" }),
    ("UNICODEBIG", "ucs-2be"),
    ("UNICODELITTLE", "ucs-2le"),
    ("MACROMAN", "macintosh"),
    ("EUC-CN", "gb2312"),
];

/// Returns the name that GNU libiconv gives to an encoding that it has, and one of its names for another. `None` if it is
/// unknown.
///
/// ```
/// use placemat_iconv::canonical;
/// assert_eq!(canonical("latin1"), Some("ISO-8859-1".into()));
/// assert_eq!(canonical("ms-ansi//TRANSLIT"), Some("CP1252".into()));
/// assert_eq!(canonical("nonsense"), None);
/// ```
#[must_use]
pub fn canonical(name: &str) -> Option<String> {
    known(name).map(|charset| canonical_of(&charset))
}

/// Returns the meaning of a name, without its suffixes.
fn known(name: &str) -> Option<Charset> {
    let charset = Charset::of_libiconv(name, Locale::C)?;
    Some(Charset { translit: false, ignore: false, ..charset })
}

/// Canonical names of GNU libiconv that are not those of the library.
const CANONICAL: &[&str] = &[
    "UCS-2",
    "UCS-4",
    "UTF-7",
    "SHIFT_JIS",
    "CP932",
    "EUC-JP",
    "EUC-CN",
    "GBK",
    "BIG5",
    "ISO-2022-JP",
    "HZ",
    "EUC-KR",
    "CP949",
    "CP437",
    "CP737",
    "CP775",
    "CP850",
    "CP852",
    "CP855",
    "CP857",
    "CP858",
    "CP860",
    "CP861",
    "CP862",
    "CP863",
    "CP864",
    "CP865",
    "CP866",
    "CP869",
    "CP874",
    "CP1250",
    "CP1251",
    "CP1252",
    "CP1253",
    "CP1254",
    "CP1255",
    "CP1256",
    "CP1257",
    "CP1258",
    "KOI8-U",
    "KOI8-RU",
    "MACROMAN",
    "TIS-620",
    "ISO-8859-9",
    "ISO-8859-11",
];

/// Returns the first of these that means the same: GNU libiconv's name, the library's, and any.
fn canonical_of(charset: &Charset) -> String {
    let of_libiconv = CANONICAL.iter().map(|&name| String::from(name));
    let own = core::iter::once(charset.encoding.name().to_ascii_uppercase());
    let mut all = of_libiconv.chain(own).chain(names::all());
    all.find(|name| known(name).as_ref() == Some(charset)).unwrap_or_default()
}

/// Returns all names that [`Charset::of_libiconv`] knows, by encoding: first the canonical name, then the others in order.
///
/// ```
/// let all = placemat_iconv::names_by_encoding();
/// let latin1 = all.iter().find(|names| names[0] == "ISO-8859-1").unwrap();
/// assert!(latin1.iter().any(|name| name == "LATIN1"));
/// ```
#[must_use]
pub fn names_by_encoding() -> Vec<Vec<String>> {
    let mut all = Vec::<(Charset, Vec<String>)>::new();
    let own = NAMES.iter().map(|&(name, _)| String::from(name));
    for name in names::all().into_iter().chain(own) {
        let Some(charset) = known(&name) else { continue };
        match all.iter_mut().find(|(other, _)| *other == charset) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => all.push((charset, [name].into())),
        }
    }
    let mut groups = Vec::new();
    for (charset, others) in all {
        let canonical = canonical_of(&charset);
        let others = others.into_iter().filter(|name| *name != canonical);
        let group: Vec<_> = core::iter::once(canonical.clone()).chain(others).collect();
        names::insert(&mut groups, group);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_are_known() {
        for (name, _) in NAMES {
            assert!(Charset::of_libiconv(name, Locale::C).is_some(), "{name}");
        }
    }

    #[test]
    fn all_names_are_grouped() {
        let groups = names_by_encoding();
        for names in &groups {
            for name in names {
                assert_eq!(canonical(name).as_ref(), Some(&names[0]), "{name}");
            }
        }
        for name in ["UTF-8", "ISO-8859-1", "KOI8-R", "CP1252", "EUC-JP", "GB18030", "TIS-620"] {
            assert!(groups.iter().any(|names| names[0] == name && names.len() > 1), "{name}");
        }
        let count = groups.iter().flatten().count();
        assert!(count > 1000, "{count}");
    }

    #[test]
    fn suffixes() {
        let of =
            |name| Charset::of_libiconv(name, Locale::C).map(|c| (c.encoding.name(), c.translit, c.ignore));
        for (name, expected) in [
            ("ascii", Some((false, false))),
            ("ASCII//TRANSLIT", Some((true, false))),
            ("ASCII//ignore//Translit//IGNORE", Some((true, true))),
            ("//IGNORE", Some((false, true))),
            ("", Some((false, false))),
            ("char//TRANSLIT", Some((true, false))),
            ("ASCII//", None),
            ("ASCII/", None),
            ("ASCII//FOO", None),
            ("ASCII/TRANSLIT", None),
            ("ASCII//TRANSLIT,IGNORE", None),
            (" ASCII", None),
            ("ASCII ", None),
            ("é//TRANSLIT", None),
        ] {
            assert_eq!(of(name), expected.map(|(translit, ignore)| ("US-ASCII", translit, ignore)), "{name}");
        }
    }
}
