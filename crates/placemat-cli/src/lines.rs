//! Which encodings have line feeds that can be counted without decoding. [`Tracker`] follows the lines of decoded text.

pub(crate) use placemat_diagnose::lines::{Place, Tracker};

use crate::ascii_bytes::AsciiBytes;
use placemat::Encoding;

/// Whether a line feed in `encoding` is one unit with no other meaning anywhere, and text after it is read as
/// at the start of a text: lines can then be counted without decoding, and texts be joined as bytes.
pub(crate) fn has_plain_line_feeds(encoding: Encoding) -> bool {
    match encoding {
        _ if is_wide(encoding) => true,
        // A text can end in half a surrogate pair, which another text may complete.
        Encoding::WTF_8 => false,
        // A byte gives the distance of a code point from the one before it.
        Encoding::BOCU_1 => false,
        // No sequence has a control among its later bytes.
        _ => matches!(AsciiBytes::of(encoding), AsciiBytes::Always | AsciiBytes::InSequences),
    }
}

/// Whether the code units are longer than a byte.
pub(crate) fn is_wide(encoding: Encoding) -> bool {
    matches!(
        encoding,
        Encoding::UTF_16
            | Encoding::UTF_16LE
            | Encoding::UTF_16BE
            | Encoding::UTF_32
            | Encoding::UTF_32LE
            | Encoding::UTF_32BE
            | Encoding::UCS_2
            | Encoding::UCS_2LE
            | Encoding::UCS_2BE
            | Encoding::UCS_4
            | Encoding::UCS_4LE
            | Encoding::UCS_4BE
    )
}
