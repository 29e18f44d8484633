//! The encodings that always write a code point alike, and those that can be decoded from any place.

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

/// UTF-8 and its relatives in which no lead byte is a later byte of a sequence.
const fn is_by_lead_bytes(encoding: Encoding) -> bool {
    matches!(
        encoding,
        Encoding::UTF_8
            | Encoding::UTF_8_BMP_ONLY
            | Encoding::CESU_8
            | Encoding::MODIFIED_UTF_8
            | Encoding::JAVA_UTF
            | Encoding::TCL_UTF_8
            | Encoding::UTF_8_31_BIT
            | Encoding::UTF_8_PERL
            | Encoding::UTF_EBCDIC
            | Encoding::I8
    )
}

/// Whether all code units have one length, in a byte order that is known.
const fn is_by_units(encoding: Encoding) -> bool {
    matches!(
        encoding,
        Encoding::UTF_16LE
            | Encoding::UTF_16BE
            | Encoding::UTF_32LE
            | Encoding::UTF_32BE
            | Encoding::UCS_2LE
            | Encoding::UCS_2BE
            | Encoding::UCS_4LE
            | Encoding::UCS_4BE
    )
}

/// Whether the encoding has neither state nor a signature, and each byte or unit shows whether a code point begins
/// there.
fn is_plain(encoding: Encoding) -> bool {
    encoding.max_bytes() == 1 || is_by_units(encoding) || is_by_lead_bytes(encoding)
}

/// Whether the bytes of a code point do not depend on the text before it, in a text without a signature of the
/// encoding's own. False if unknown.
pub(crate) fn is_stateless(encoding: Encoding) -> bool {
    is_plain(encoding)
        || matches!(encoding, Encoding::FSS_UTF_1992 | Encoding::UTF_1)
        || TABLES.contains(&encoding)
}

/// The encoding for decoding from the middle of a text, if that finds the right borders between code points after a few
/// of them; it takes nothing for a signature. The byte order is known.
pub(crate) fn heals(encoding: Encoding) -> Option<Encoding> {
    match encoding {
        Encoding::UTF_8_BOM => Some(Encoding::UTF_8),
        // A surrogate pair is a state there, which ends soon.
        _ if is_plain(encoding) || encoding == Encoding::WTF_8 => Some(encoding),
        _ => None,
    }
}
