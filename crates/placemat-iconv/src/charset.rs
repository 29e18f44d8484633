//! The meaning of names given to `iconv`: the encoding, the code points that glibc writes otherwise than the library,
//! and the suffixes.

use crate::locales;
use crate::marked::{Dialect, Marked, signed};
use crate::names::{self, Written};
use placemat::Encoding;
use placemat::label::Meaning;
use placemat::transliteration::Transliteration;

/// The locale of a process: the encoding of the name "", and the language of transliterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locale<'a> {
    /// The name of its encoding, as `nl_langinfo(CODESET)` gives it: `UTF-8`.
    pub codeset: &'a str,
    /// The name of the locale, as `setlocale(LC_CTYPE, NULL)` returns it: `de_DE.UTF-8`.
    pub name: &'a str,
}

impl Locale<'_> {
    /// The locale of a program that sets none.
    pub const C: Locale<'static> = Locale { codeset: "ANSI_X3.4-1968", name: "C" };

    /// Returns the encoding of the locale, and what glibc writes by its name: US-ASCII if both the codeset and the locale are
    /// unknown.
    pub(crate) fn encoding(self) -> (Encoding, Written) {
        names::find(self.codeset)
            .or_else(|| locales::encoding(self.name))
            .unwrap_or((Encoding::US_ASCII, &[]))
    }
}

/// One end of a conversion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charset {
    /// The encoding.
    pub encoding: Encoding,
    /// `//TRANSLIT`: similar text replaces code points that the encoding lacks.
    pub translit: bool,
    /// `//IGNORE`: errors are left out.
    pub ignore: bool,
    /// The name promises a text without mark: UTF-8N. The caller drops the mark.
    pub no_signature: bool,
    /// The name is that of UTF-8 as Apple's HFS+ writes it, UTF-8-MAC: the caller composes what it reads, and decomposes what
    /// it writes.
    pub apple: bool,
    /// The text that glibc writes for some code points that the encoding lacks, or has elsewhere.
    pub(crate) written: Written,
    /// Whether glibc does the same by this name.
    pub(crate) exact: bool,
}

impl Charset {
    /// Returns the meaning of a name with its suffixes; the empty name means the encoding of the locale. An unknown name is
    /// returned, without suffixes.
    ///
    /// ```
    /// use placemat::Encoding;
    /// use placemat_iconv::{Charset, Locale};
    /// let charset = Charset::new("latin1//TRANSLIT", Locale::C).unwrap();
    /// assert_eq!((charset.encoding, charset.translit, charset.ignore), (Encoding::ISO_8859_1, true, false));
    /// assert_eq!(Charset::new("utf-9//IGNORE", Locale::C), Err("utf-9"));
    /// assert!(Charset::new("UTF-8-MAC", Locale::C).unwrap().apple);
    /// ```
    ///
    /// # Errors
    /// If the name is unknown.
    pub fn new<'a>(argument: &'a str, locale: Locale<'_>) -> Result<Self, &'a str> {
        let Split { name, translit, ignore } = split(argument);
        let (encoding, written) = match name {
            "" => locale.encoding(),
            name => {
                names::find(name).or_else(|| Some((Meaning::of(name).ok()?.encoding, &[][..]))).ok_or(name)?
            }
        };
        // Only labels of UTF-8 ask for more.
        let meaning = if encoding == Encoding::UTF_8 { Meaning::of(name).ok() } else { None };
        let Meaning { no_signature, apple, .. } = meaning.unwrap_or(encoding.into());
        Ok(Self { encoding, written, exact: names::is_exact(name), translit, ignore, no_signature, apple })
    }

    /// Returns the encoding in which glibc reads a text that starts with `head`: without a mark, in the byte order of the
    /// machine.
    ///
    /// ```
    /// use placemat::Encoding;
    /// use placemat_iconv::{Charset, Locale};
    /// let charset = Charset::new("UNICODE", Locale::C).unwrap();
    /// assert_eq!(charset.read_as(b"\xFE\xFF\0a"), Encoding::UCS_2);
    /// # #[cfg(target_endian = "little")]
    /// assert_eq!(charset.read_as(b"a\0"), Encoding::UCS_2LE);
    /// ```
    #[must_use]
    pub fn read_as(&self, head: &[u8]) -> Encoding {
        let Some(marked) = Marked::of(self.encoding, Dialect::Glibc) else { return self.encoding };
        match marked.order(head) {
            Some((order, 0)) => marked.encoding(order),
            _ => self.encoding,
        }
    }

    /// Returns the encoding in which glibc writes, and the mark before each text: in the byte order of the machine.
    ///
    /// ```
    /// use placemat::Encoding;
    /// use placemat_iconv::{Charset, Locale};
    /// let charset = Charset::new("UNICODE", Locale::C).unwrap();
    /// # #[cfg(target_endian = "little")]
    /// assert_eq!(charset.written_as(), (Encoding::UCS_2LE, &b"\xFF\xFE"[..]));
    /// ```
    #[must_use]
    pub fn written_as(&self) -> (Encoding, &'static [u8]) {
        signed(self.encoding)
    }

    /// Returns `true` if the charset lacks the C1 controls. The library and the web read bytes that Microsoft leaves
    /// undefined as C1 controls.
    pub(crate) fn lacks_c1(&self) -> bool {
        self.encoding.name().starts_with("windows-12")
    }

    /// Returns `true` if surrogates are ill-formed, which the library reads as code points.
    pub(crate) fn lacks_surrogates(&self) -> bool {
        self.encoding.name().starts_with("UCS-2")
    }

    /// Returns `true` if letters are written as base letters and marks.
    pub(crate) fn takes_marks_apart(&self) -> bool {
        matches!(self.encoding.name(), "windows-1255" | "windows-1258" | "TCVN5712-1")
    }

    /// Returns the transliteration into this charset by the rules of the locale, or of C if the locale is unknown.
    pub(crate) fn transliteration(&self, locale: Locale<'_>) -> Transliteration {
        let similar = Transliteration::new(self.encoding).as_glibc();
        similar.locale(locale.name).or_else(|_| similar.locale("C")).unwrap_or(similar)
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
