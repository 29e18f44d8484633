//! The encodings, in the form that the page lists.

use crate::json::Json;
use placemat::Encoding;
use placemat::forms::Repertoire;

/// The encodings whose signature decides their byte order, and the two encodings of the text after it; the first is the
/// default without a signature.
const ORDERED_BY_SIGNATURE: [(Encoding, [Encoding; 2]); 4] = [
    (Encoding::UTF_16, [Encoding::UTF_16LE, Encoding::UTF_16BE]),
    (Encoding::UTF_32, [Encoding::UTF_32LE, Encoding::UTF_32BE]),
    (Encoding::UCS_2, [Encoding::UCS_2LE, Encoding::UCS_2BE]),
    (Encoding::UCS_4, [Encoding::UCS_4BE, Encoding::UCS_4LE]),
];

/// Returns the encoding with its byte order, which the signature may determine.
#[must_use]
pub fn resolve(encoding: Encoding, head: &[u8]) -> Encoding {
    let found = ORDERED_BY_SIGNATURE.iter().find(|(known, _)| *known == encoding);
    let Some(&(_, [usual, other])) = found else { return encoding };
    if head.starts_with(other.signature()) { other } else { usual }
}

/// Returns `true` if the encoding can represent code points that UTF-8 cannot.
pub(crate) fn holds_more_than_utf8(encoding: Encoding) -> bool {
    matches!(encoding.repertoire(), Repertoire::Bmp | Repertoire::CodePoint | Repertoire::Bits31)
}

fn is_unicode(encoding: Encoding) -> bool {
    !matches!(
        encoding.repertoire(),
        Repertoire::Ascii | Repertoire::Latin1 | Repertoire::Table | Repertoire::Tables
    ) && encoding != Encoding::GB18030
}

/// Lists all encodings, in the order of [`Encoding::ALL`].
#[must_use]
pub fn list() -> String {
    let mut all = Json::array();
    for &encoding in Encoding::ALL {
        let names = encoding.names();
        let mut one = Json::object();
        one.string("name", names.name)
            .string("labels", &names.labels.to_string())
            .string("about", names.about)
            .string("holds", encoding.repertoire().describe())
            .raw("web", !names.web_labels.is_empty())
            .raw("unicode", is_unicode(encoding))
            .raw("longest", encoding.max_bytes())
            .hex("signature", encoding.signature());
        all.element(one.end_object());
    }
    all.end_array()
}
