//! The meaning of names given to `iconv`: the encoding, the code points that glibc writes otherwise than the library,
//! and the suffixes.

use super::names::{self, Written};
use placemat::transliteration::Transliteration;
use placemat::{Encoding, label};
use std::ffi::OsStr;

/// One end of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Charset {
    pub(super) encoding: Encoding,
    /// The text that glibc writes for some code points that the encoding lacks, or has elsewhere.
    pub(super) written: Written,
    pub(super) translit: bool,
    pub(super) ignore: bool,
}

impl Charset {
    /// The meaning of an argument; `None` means no argument. Returns the name if it is unknown.
    pub(super) fn new(argument: Option<&OsStr>) -> Result<Self, String> {
        let argument = argument.unwrap_or_default().to_string_lossy();
        let Split { name, translit, ignore } = split(&argument);
        let found = match name {
            "" => Some((of_locale(), &[][..])),
            name => names::find(name),
        };
        let Some((encoding, written)) = found else { return Err(name.to_owned()) };
        Ok(Self { encoding, written, translit, ignore })
    }

    /// Whether the charset lacks the C1 controls. The library and the web read bytes that Microsoft leaves undefined as
    /// C1 controls.
    pub(super) fn lacks_c1(&self) -> bool {
        self.encoding.name().starts_with("windows-12")
    }

    /// Whether letters are written as base letters and marks.
    pub(super) fn takes_marks_apart(&self) -> bool {
        matches!(self.encoding.name(), "windows-1255" | "windows-1258" | "TCVN5712-1")
    }
}

/// A name without its suffixes.
#[derive(Debug, PartialEq, Eq)]
struct Split<'a> {
    name: &'a str,
    translit: bool,
    ignore: bool,
}

/// Removes suffixes from the end, as glibc does: a suffix begins at the last slash or comma, if there are two slashes
/// before it or it is the second. Unknown suffixes are ignored; [`placemat::label::iconv`] refuses them.
fn split(argument: &str) -> Split<'_> {
    let separator = |c: char| c == '/' || c == ',';
    let trimmed = |text| str::trim_end_matches(text, |c: char| c.is_ascii_whitespace() || separator(c));
    let mut this = Split { name: trimmed(argument), translit: false, ignore: false };
    while let Some(last) = this.name.rfind(separator) {
        if this.name[..=last].matches('/').count() < 2 {
            break;
        }
        let suffix = &this.name[last + 1..];
        this.translit |= suffix.eq_ignore_ascii_case("translit");
        this.ignore |= suffix.eq_ignore_ascii_case("ignore");
        this.name = trimmed(&this.name[..last]);
    }
    this.name = this.name.trim_ascii_start();
    this
}

/// The locale, from the environment; C if none is set.
fn locale() -> String {
    ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|variable| std::env::var(variable).ok().filter(|value| !value.is_empty()))
        .unwrap_or_else(|| "C".into())
}

/// The encoding of the locale.
fn of_locale() -> Encoding {
    label::of_locale(&locale()).unwrap_or(Encoding::US_ASCII)
}

/// The transliteration for `target`, by the rules of the locale, or of C if the locale is unknown.
pub(super) fn similar(target: Encoding) -> Transliteration {
    let similar = Transliteration::new(target).as_glibc();
    similar.locale(&locale()).or_else(|_| similar.locale("C")).unwrap_or(similar)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes() {
        for (argument, name, translit, ignore) in [
            ("utf8", "utf8", false, false),
            ("ascii//TRANSLIT", "ascii", true, false),
            ("ascii//ignore//Translit", "ascii", true, true),
            ("ascii//TRANSLIT,IGNORE", "ascii", true, true),
            ("ascii//,TRANSLIT//", "ascii", true, false),
            ("ascii//TRANSLIT/IGNORE ", "ascii", true, true),
            ("ascii//WHATEVER//IGNORE", "ascii", false, true),
            ("ascii//", "ascii", false, false),
            ("ascii/", "ascii", false, false),
            ("ascii/TRANSLIT", "ascii/TRANSLIT", false, false),
            ("ISO-10646/UCS2/", "ISO-10646/UCS2", false, false),
            ("ascii,TRANSLIT", "ascii,TRANSLIT", false, false),
            ("//TRANSLIT", "", true, false),
            ("//", "", false, false),
            ("", "", false, false),
            (" latin1 ", "latin1", false, false),
        ] {
            assert_eq!(split(argument), Split { name, translit, ignore }, "{argument}");
        }
    }
}
