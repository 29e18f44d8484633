//! Which encodings have line feeds that can be counted without decoding. [`Tracker`] follows the lines of decoded text.

pub(crate) use placemat_diagnose::lines::{Place, Tracker};

use crate::families::is_wide;
use placemat::Encoding;
use placemat::forms::AsciiBytes;

/// Returns `true` if a line feed in `encoding` is one unit with no other meaning anywhere, and text after it is read as
/// at the start of a text: lines can then be counted without decoding, and texts be joined as bytes.
pub(crate) fn has_plain_line_feeds(encoding: Encoding) -> bool {
    // A text in WTF-8 can end in half a surrogate pair, which another text may complete.
    if encoding == Encoding::WTF_8 {
        return false;
    }
    // No sequence has a control among its later bytes.
    is_wide(encoding) || matches!(encoding.facts().ascii, AsciiBytes::Always | AsciiBytes::InSequences)
}
