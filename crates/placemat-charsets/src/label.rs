//! Names of encodings: the encoding that a label means.
//!
//! Labels are compared ignoring ASCII case and surrounding white space. If that finds nothing, they are compared
//! without punctuation and without leading zeros of numbers (UTS #22 section 1.4), so that `UTF 8`, `utf_8` and
//! `UTF-08` agree. `latin1`, `iso-8859-1` and `ascii` mean the standards of these names; on the web they mean
//! windows-1252, see [`web::for_label`](crate::web::for_label). [`Vendor`] has the names to which a vendor gives its own meaning.
//! A text that contains a label is read as that label: the name of a locale (`en_AU.UTF-8`), a `Content-Type`
//! (`text/html;charset=UTF-8`). After the label of a page of EBCDIC, ICU's option `,swaplfnl` exchanges LF and NEL.
//!
//! [`Meaning`] is for programs that convert: a few labels ask for more than an encoding.
//! [`iana_name`] returns the registered name of a label, and [`no_encodings`] explains names that
//! are not labels. The functions `of_…` find labels in declarations: in a `Content-Type`, at the
//! start of a document, in a locale. [`iconv`] splits a label of iconv from its suffixes.

mod absent;
mod declared;
mod iana;
mod meaning;
pub(crate) mod table;
mod unknown;
mod vendor;
mod within;

#[doc(hidden)]
pub use declared::MetaLabels;
pub use declared::{HTML_PRESCAN, of_css, of_html, of_xml};
pub use iana::iana_name;
pub use meaning::{Meaning, no_encodings};
pub use unknown::UnknownEncoding;
pub use vendor::Vendor;
pub use within::{bare, of_content_type, of_locale};

use crate::ebcdic;
use crate::encoding::Encoding;

/// A label of iconv, with the requests of its suffixes.
///
/// ```
/// use placemat::label::{self, IconvLabel};
/// let wish: IconvLabel<'_> = label::iconv("utf-8//TRANSLIT").unwrap();
/// assert_eq!((wish.label, wish.translit, wish.ignore, wish.discard), ("utf-8", true, false, false));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct IconvLabel<'a> {
    /// The label before the suffixes.
    pub label: &'a str,
    /// `//TRANSLIT`: a similar text for a code point that the target cannot represent.
    pub translit: bool,
    /// `//IGNORE`: such a code point is dropped.
    pub ignore: bool,
    /// `//NON_IDENTICAL_DISCARD`, of libiconv: a code point is dropped if it could only be written as a similar one.
    pub discard: bool,
}

/// Splits a label of iconv: `latin1//TRANSLIT`. Suffixes come in any number and case; `None` if one is unknown.
///
/// ```
/// use placemat::{Encoding, label};
/// let wish = label::iconv("LATIN1//translit//IGNORE").unwrap();
/// assert_eq!((Encoding::for_label(wish.label), wish.translit, wish.ignore), (Some(Encoding::ISO_8859_1), true, true));
/// assert_eq!(label::iconv("latin1//WHATEVER"), None);
/// ```
#[must_use]
#[inline]
pub fn iconv(label: &str) -> Option<IconvLabel<'_>> {
    let (label, suffixes) = label.split_once("//").unwrap_or((label, ""));
    let mut wish = IconvLabel { label, translit: false, ignore: false, discard: false };
    // glibc also accepts commas, and any number of slashes.
    for suffix in suffixes.split([',', '/']).filter(|suffix| !suffix.is_empty()) {
        match suffix {
            _ if suffix.eq_ignore_ascii_case("translit") => wish.translit = true,
            _ if suffix.eq_ignore_ascii_case("ignore") => wish.ignore = true,
            _ if suffix.eq_ignore_ascii_case("non_identical_discard") => wish.discard = true,
            _ => return None,
        }
    }
    Some(wish)
}

/// Returns the error for a label that [`Encoding::for_label`] does not know.
#[inline]
pub(crate) fn unknown(label: &str) -> UnknownEncoding {
    UnknownEncoding::new(label, meaning::about(label).or_else(|| absent::about(label)))
}

/// Returns the encoding of a label of a page of EBCDIC with the option `swaplfnl`: `ibm-1047,swaplfnl`.
#[inline]
fn with_option(label: &str) -> Option<Encoding> {
    let (page, option) = label.rsplit_once(',')?;
    if option.trim_ascii().eq_ignore_ascii_case(ebcdic::OPTION) {
        table::named(page)?.exchanged()
    } else {
        None
    }
}

impl Encoding {
    /// Returns the encoding that `label` names: its canonical name, or any alias of [`Names::labels`](crate::forms::Names). Also
    /// the encoding of a locale or a `Content-Type`, and a page of EBCDIC with an option of ICU: see
    /// [`with_ebcdic_newline`](Self::with_ebcdic_newline).
    ///
    /// ```
    /// use placemat::Encoding;
    /// assert_eq!(Encoding::for_label("UTF-8"), Some(Encoding::UTF_8));
    /// assert_eq!(Encoding::for_label(" latin_1\n"), Some(Encoding::ISO_8859_1));
    /// assert_eq!(Encoding::for_label("en_AU.UTF-8"), Some(Encoding::UTF_8));
    /// assert_eq!(Encoding::for_label("Content-Type: text/html; charset=UTF-8"), Some(Encoding::UTF_8));
    /// assert_eq!(Encoding::for_label("utf-9"), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn for_label(label: &str) -> Option<Self> {
        table::named(label).or_else(|| {
            let label = bare(label);
            table::named(label).or_else(|| with_option(label))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::table::significant;
    use super::*;

    #[test]
    fn suffixes_of_iconv_may_have_any_case_number_and_slashes() {
        let wish = |label, translit, ignore, discard| Some(IconvLabel { label, translit, ignore, discard });
        for (label, expected) in [
            ("latin1", wish("latin1", false, false, false)),
            ("latin1//", wish("latin1", false, false, false)),
            ("latin1//TRANSLIT", wish("latin1", true, false, false)),
            ("latin1//ignore", wish("latin1", false, true, false)),
            ("latin1//NON_IDENTICAL_DISCARD", wish("latin1", false, false, true)),
            ("latin1////translit,,Ignore//", wish("latin1", true, true, false)),
            ("latin1/translit", wish("latin1/translit", false, false, false)),
            ("latin1//translit x", None),
            ("latin1//ignore//other", None),
        ] {
            assert_eq!(iconv(label), expected, "{label}");
        }
    }

    #[test]
    fn every_name_and_label_finds_its_encoding() {
        for &encoding in Encoding::ALL {
            let names = encoding.names();
            assert_eq!(Encoding::for_label(names.name), Some(encoding), "{}", names.name);
            for label in names.labels {
                assert_eq!(Encoding::for_label(label), Some(encoding), "{label}");
                assert_eq!(label, label.to_ascii_lowercase(), "labels are lower case");
            }
        }
    }

    #[test]
    fn no_two_encodings_share_a_label_however_loosely_read() {
        let mut known = std::collections::BTreeMap::new();
        for &encoding in Encoding::ALL {
            let names = encoding.names();
            for label in names.labels.iter().chain([names.name]) {
                let significant: Vec<u8> = significant(label).collect();
                assert!(!significant.is_empty(), "{label} of {encoding}");
                if let Some((other, of)) = known.insert(significant, (label, encoding)) {
                    assert_eq!(of, encoding, "{label} of {encoding} and {other} of {of}");
                }
            }
        }
    }

    #[test]
    #[cfg(feature = "single-byte")]
    fn windows_for_short() {
        for label in ["win1251", "Win-1251", "WIN_1251", "windows-1251"] {
            assert_eq!(Encoding::for_label(label).map(Encoding::name), Some("windows-1251"), "{label}");
        }
        for label in ["win", "win-", "win12511", "win1251x", "win 1", "windows"] {
            assert_eq!(Encoding::for_label(label), None, "{label}");
        }
    }

    #[test]
    fn labels_in_other_text() {
        for label in [
            "en_AU.UTF-8",
            " en_AU.utf8@euro\n",
            "C.UTF-8",
            "zh_Hant_TW.utf8",
            "text/html;charset=UTF-8",
            "Content-Type: text/html; charset=\"utf-8\"\r\n",
            "CONTENT-TYPE:text/html;charset=utf8",
        ] {
            assert_eq!(Encoding::for_label(label), Some(Encoding::UTF_8), "{label}");
            assert_eq!(crate::web::for_label(label), None, "{label}");
        }
        for label in [
            "en_AU",
            "en_AU.",
            "en_AU.klingon",
            "notes.utf-8",
            "x.utf-8",
            "../en.utf-8",
            "en AU.utf-8",
            "en.en.utf-8",
            "charset=utf-8",
            "text;charset=utf-8",
            "text/html;charset=text/html;charset=utf-8",
            "text/html",
        ] {
            assert_eq!(Encoding::for_label(label), None, "{label}");
        }
        assert_eq!(Encoding::for_label(&"en.".repeat(1 << 20)), None, "depth does not grow with the label");
        assert_eq!(Encoding::for_label(&"text/html;".repeat(1 << 17)), None);
    }

    #[test]
    fn loose_labels() {
        for label in ["UTF 8", "utf_8", "Utf-8", " utf8\n", "UTF-08"] {
            assert_eq!(Encoding::for_label(label), Some(Encoding::UTF_8), "{label}");
        }
        for label in ["utf9", "utf80", "", "8", "utf-8000"] {
            assert_eq!(Encoding::for_label(label), None, "{label}");
        }
    }
}
