//! Which encodings write a code point always alike, and in which it is found wherever one begins to read.

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

/// Whether it has neither state nor a signature, and shows by each byte or unit where a code point begins.
fn is_plain(encoding: Encoding) -> bool {
    encoding.max_bytes() == 1 || is_by_units(encoding) || is_by_lead_bytes(encoding)
}

/// Whether a code point becomes the same bytes whatever precedes it, in a text without a signature of the encoding's own.
/// What is not known to be so is not.
pub(crate) fn is_stateless(encoding: Encoding) -> bool {
    is_plain(encoding)
        || matches!(encoding, Encoding::FSS_UTF_1992 | Encoding::UTF_1)
        || TABLES.contains(&encoding)
}

/// Where reading in the middle of a text, after some code points at the most, finds the borders between code points that
/// reading from its start finds: the encoding that reads it so, which takes nothing for a signature. The byte order is known.
pub(crate) fn heals(encoding: Encoding) -> Option<Encoding> {
    match encoding {
        Encoding::UTF_8_BOM => Some(Encoding::UTF_8),
        // A pair of surrogates is one state there, which is soon over.
        _ if is_plain(encoding) || encoding == Encoding::WTF_8 => Some(encoding),
        _ => None,
    }
}
