//! Which encodings write a code point always alike, and in which it is found wherever one begins to read.

use placemat::Encoding;

/// Multi-byte sets of one table each, without shifts, signatures and letters that wait for their marks.
pub(crate) const TABLES: &[&str] =
    &["GBK", "GB18030", "Big5", "EUC-JP", "Shift_JIS", "EUC-KR", "Johab", "EUC-TW"];

/// Whether a code point becomes the same bytes whatever precedes it, in a text without a signature of the encoding's own.
/// What is not known to be so is not.
pub(crate) fn is_stateless(encoding: Encoding) -> bool {
    encoding.max_bytes() == 1
        || matches!(
            encoding,
            Encoding::Utf8
                | Encoding::Utf16Le
                | Encoding::Utf16Be
                | Encoding::Utf32Le
                | Encoding::Utf32Be
                | Encoding::Ucs2Le
                | Encoding::Ucs2Be
                | Encoding::Ucs4Le
                | Encoding::Ucs4Be
        )
        || matches!(
            encoding.name(),
            "UTF-8 (BMP only)"
                | "CESU-8"
                | "Modified UTF-8"
                | "Java-UTF"
                | "Tcl-UTF-8"
                | "UTF-8 31-bit"
                | "UTF-8-Perl"
                | "FSS-UTF-1992"
                | "UTF-1"
                | "UTF-EBCDIC"
                | "I8"
        )
        || TABLES.contains(&encoding.name())
}

/// Where reading in the middle of a text, after some code points at the most, finds the borders between code points that
/// reading from its start finds: the encoding that reads it so, which takes nothing for a signature. The byte order is known.
pub(crate) fn heals(encoding: Encoding) -> Option<Encoding> {
    let by_units = matches!(
        encoding,
        Encoding::Utf8
            | Encoding::Utf16Le
            | Encoding::Utf16Be
            | Encoding::Utf32Le
            | Encoding::Utf32Be
            | Encoding::Ucs2Le
            | Encoding::Ucs2Be
            | Encoding::Ucs4Le
            | Encoding::Ucs4Be
    );
    let by_lead_bytes = matches!(
        encoding.name(),
        "UTF-8 (BMP only)"
            | "CESU-8"
            | "Modified UTF-8"
            | "Java-UTF"
            | "Tcl-UTF-8"
            | "WTF-8"
            | "UTF-8 31-bit"
            | "UTF-8-Perl"
            | "UTF-EBCDIC"
            | "I8"
    );
    match encoding {
        Encoding::Utf8Bom => Some(Encoding::Utf8),
        _ if by_units || by_lead_bytes || encoding.max_bytes() == 1 => Some(encoding),
        _ => None,
    }
}
