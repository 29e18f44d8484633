//! The encodings that always write a code point alike, and those that can be decoded from any place.

use crate::families::{MARKED_LIKE_UTF_8, has_known_order};
use placemat::Encoding;

/// Multi-byte sets of one table each, without shifts, signatures and letters that wait for their marks.
pub(crate) const TABLES: [Encoding; 8] = [
    Encoding::GBK,
    Encoding::GB18030,
    Encoding::BIG5,
    Encoding::EUC_JP,
    Encoding::SHIFT_JIS,
    Encoding::EUC_KR,
    Encoding::JOHAB,
    Encoding::EUC_TW,
];

/// UTF-8 and its relatives in which no lead byte is a later byte of a sequence, without state and without a signature.
fn is_by_lead_bytes(encoding: Encoding) -> bool {
    MARKED_LIKE_UTF_8.contains(&encoding) && ![Encoding::UTF_8_BOM, Encoding::WTF_8].contains(&encoding)
        || [Encoding::UTF_EBCDIC, Encoding::I8].contains(&encoding)
}

/// Returns `true` if the encoding has neither state nor a signature, and each byte or unit shows whether a code point
/// begins there.
fn is_plain(encoding: Encoding) -> bool {
    encoding.max_bytes() == 1 || has_known_order(encoding) || is_by_lead_bytes(encoding)
}

/// Returns `true` if the bytes of a code point do not depend on the text before it, in a text without a signature of
/// the encoding's own. False if unknown.
pub(crate) fn is_stateless(encoding: Encoding) -> bool {
    is_plain(encoding)
        || [Encoding::FSS_UTF_1992, Encoding::UTF_1].contains(&encoding)
        || TABLES.contains(&encoding)
}

/// Returns the encoding for decoding from the middle of a text, if that finds the right borders between code points
/// after a few of them; it takes nothing for a signature. The byte order is known.
pub(crate) fn heals(encoding: Encoding) -> Option<Encoding> {
    if encoding == Encoding::UTF_8_BOM {
        return Some(Encoding::UTF_8);
    }
    // WTF-8 has a state only within a surrogate pair, and that ends soon.
    (is_plain(encoding) || encoding == Encoding::WTF_8).then_some(encoding)
}
