//! Which encodings write a code point always alike, and in which it is found wherever one begins to read.

use placemat::Encoding;

/// Multi-byte sets of one table each, without shifts, signatures and letters that wait for their marks.
pub(crate) const TABLES: &[&str] =
    &["GBK", "GB18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "Johab", "EUC-TW"];

/// UTF-8 and its relatives in which no lead byte is a later byte of a sequence.
const fn is_by_lead_bytes(encoding: Encoding) -> bool {
    matches!(
        encoding,
        Encoding::Utf8
            | Encoding::Utf8Mb3
            | Encoding::Cesu8
            | Encoding::ModifiedUtf8
            | Encoding::JavaUtf
            | Encoding::TclUtf8
            | Encoding::Utf8Bits31
            | Encoding::PerlUtf8
            | Encoding::UtfEbcdic
            | Encoding::I8
    )
}

/// Whether all code units have one length, in a byte order that is known.
const fn is_by_units(encoding: Encoding) -> bool {
    matches!(
        encoding,
        Encoding::Utf16Le
            | Encoding::Utf16Be
            | Encoding::Utf32Le
            | Encoding::Utf32Be
            | Encoding::Ucs2Le
            | Encoding::Ucs2Be
            | Encoding::Ucs4Le
            | Encoding::Ucs4Be
    )
}

/// Whether it has neither state nor a signature, and shows by each byte or unit where a code point begins.
fn is_plain(encoding: Encoding) -> bool {
    encoding.max_bytes() == 1 || is_by_units(encoding) || is_by_lead_bytes(encoding)
}

/// Whether a code point becomes the same bytes whatever precedes it, in a text without a signature of the encoding's own.
/// What is not known to be so is not.
pub(crate) fn is_stateless(encoding: Encoding) -> bool {
    is_plain(encoding)
        || matches!(encoding, Encoding::FssUtf1992 | Encoding::Utf1)
        || TABLES.contains(&encoding.name())
}

/// Where reading in the middle of a text, after some code points at the most, finds the borders between code points that
/// reading from its start finds: the encoding that reads it so, which takes nothing for a signature. The byte order is known.
pub(crate) fn heals(encoding: Encoding) -> Option<Encoding> {
    match encoding {
        Encoding::Utf8Bom => Some(Encoding::Utf8),
        // A pair of surrogates is one state there, which is soon over.
        _ if is_plain(encoding) || encoding == Encoding::Wtf8 => Some(encoding),
        _ => None,
    }
}
