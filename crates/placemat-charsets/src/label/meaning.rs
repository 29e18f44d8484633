//! Labels that ask for more than an encoding, and names that look like labels and are none.

use super::table;
use super::within::bare;
use crate::encoding::Encoding;
use crate::label::UnknownEncoding;

/// The meaning of a label: an encoding, and for a few labels something besides.
///
/// ```
/// use placemat::{Encoding, label::Meaning};
/// let plain = Meaning::of("utf8").unwrap();
/// assert_eq!((plain.encoding, plain.no_signature, plain.apple), (Encoding::UTF_8, false, false));
/// // Nothing is written before the text, even if the source began with a signature.
/// assert!(Meaning::of("UTF-8N").unwrap().no_signature);
/// // The text is to be normalized as well: `Normalization::Mac` when writing, NFC when reading.
/// assert!(Meaning::of("utf-8-mac").unwrap().apple);
/// let unknown = Meaning::of("utf-18").unwrap_err();
/// assert!(unknown.to_string().contains("RFC 4042"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Meaning {
    /// The encoding.
    pub encoding: Encoding,
    /// The label names the encoding without its signature (`utf-8n`, `utf-8-nobom`): as the target of a conversion, U+FEFF
    /// at the start of the source is not text and is dropped. As a source, the label takes the text as it is.
    pub no_signature: bool,
    /// The label names UTF-8 as Apple's HFS+ writes it (`utf-8-mac`): text is decomposed when written, and composed when
    /// read.
    pub apple: bool,
}

impl Meaning {
    /// Returns the meaning of a label: of any that [`Encoding::for_label`] knows, and of names that are not only an
    /// encoding.
    ///
    /// ```
    /// use placemat::{Encoding, label::Meaning};
    /// assert_eq!(Meaning::of("de_DE.ISO8859-15@euro").map(|m| m.encoding), Ok(Encoding::for_label("latin9").unwrap()));
    /// assert_eq!(Meaning::of("klingon").unwrap_err().about(), None);
    /// ```
    ///
    /// # Errors
    /// If no encoding has the label.
    #[inline]
    pub fn of(label: &str) -> Result<Self, UnknownEncoding> {
        let bare = bare(label);
        if is_any(bare, APPLE) {
            return Ok(Self { apple: true, ..Encoding::UTF_8.into() });
        }
        let encoding: Encoding = label.parse()?;
        Ok(Self { no_signature: is_any(bare, NO_SIGNATURE), ..encoding.into() })
    }
}

impl From<Encoding> for Meaning {
    /// Makes the meaning of a label that is only an encoding.
    fn from(encoding: Encoding) -> Self {
        Self { encoding, no_signature: false, apple: false }
    }
}

/// Labels of UTF-8 that promise a text without signature. [`Encoding::for_label`] knows them too.
const NO_SIGNATURE: &[&str] = &["utf-8n", "utf-8-nobom"];

/// Labels of UTF-8 in the normal form of HFS+.
const APPLE: &[&str] = &["utf-8-mac", "utf-8-hfs"];

/// Names that are not encodings, and what users of them should know.
const NO_ENCODINGS: &[(&[&str], &str)] = &[
    (
        APPLE,
        "UTF-8 in the normal form that Apple's HFS+ gives to file names, which is no encoding; use utf-8, and normalize \
         the text to NFD",
    ),
    (
        &["utf-8b"],
        "a policy for ill-formed UTF-8, which keeps each byte as U+DC80..U+DCFF, and no encoding; use utf-8 with the \
         policy surrogateescape",
    ),
    (
        &["utf-9"],
        "a scheme for bytes of nine bits from an RFC of April 1 (RFC 4042), which no file can be in; use utf-8",
    ),
    (
        &["utf-18"],
        "a scheme for units of 18 bits from an RFC of April 1 (RFC 4042), which no file can be in; use utf-8 or utf-16",
    ),
];

/// Names that look like labels and are not encodings, each with what it is and what to use: the text of
/// [`UnknownEncoding::about`].
///
/// ```
/// use placemat::{Encoding, label};
/// let (name, about) = label::no_encodings().find(|(name, _)| *name == "utf-9").unwrap();
/// assert_eq!(Encoding::for_label(name), None);
/// assert_eq!(name.parse::<Encoding>().unwrap_err().about(), Some(about));
/// ```
pub fn no_encodings() -> impl Iterator<Item = (&'static str, &'static str)> {
    NO_ENCODINGS.iter().flat_map(|&(names, about)| names.iter().map(move |&name| (name, about)))
}

/// Explains a name that is known and is not an encoding; `None` for unknown names.
pub(super) fn about(label: &str) -> Option<&'static str> {
    let label = bare(label);
    // On a keyboard 9 is beside 8: without its hyphen, this is a slip and not the name.
    if label.eq_ignore_ascii_case("utf9") {
        return None;
    }
    NO_ENCODINGS.iter().find(|(names, _)| is_any(label, names)).map(|&(_, about)| about)
}

/// Returns `true` if the [significant](table::significant) characters of a label are those of one of these names.
fn is_any(label: &str, names: &[&str]) -> bool {
    names.iter().any(|name| table::significant(label).eq(table::significant(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_encodings_are_explained() {
        for (name, about) in no_encodings() {
            assert_eq!(Encoding::for_label(name), None, "{name}");
            assert_eq!(super::about(name), Some(about), "{name}");
            assert!(!about.ends_with('.') && about.contains("; use "), "{name}");
        }
        for label in ["UTF-9", "utf 9", "utf_09", "en_AU.UTF-9", "text/plain; charset=utf-9"] {
            assert!(about(label).is_some_and(|about| about.contains("nine bits")), "{label}");
        }
        for label in ["", "utf", "utf-8", "utf9", "utf-19", "utf-8-ma"] {
            assert_eq!(about(label), None, "{label}");
        }
    }

    #[test]
    fn labels_that_ask_for_more() {
        let of = |label| Meaning::of(label).map(|m| (m.encoding, m.no_signature, m.apple)).ok();
        for label in ["utf-8n", "UTF8N", "utf-8-nobom", "utf8_nobom", "en_AU.UTF-8N"] {
            assert_eq!(of(label), Some((Encoding::UTF_8, true, false)), "{label}");
        }
        for label in ["utf-8-mac", "UTF8-MAC", "utf8mac", "utf-8-hfs", "fr_FR.UTF-8-MAC"] {
            assert_eq!(of(label), Some((Encoding::UTF_8, false, true)), "{label}");
        }
        assert_eq!(of("utf-8-bom"), Some((Encoding::UTF_8_BOM, false, false)));
        assert_eq!(of("utf-8b"), None);
    }
}
