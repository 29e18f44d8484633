//! The question whether an encoding can represent a text.

use placemat_charsets::Encoding;
use placemat_charsets::stream::{Status, Transcoder};

/// Returns `true` if `target` can represent all of a text.
pub(crate) fn holds(target: Encoding, text: &str) -> bool {
    if text.is_ascii() && target.is_ascii_compatible() {
        return true;
    }
    if target == Encoding::US_ASCII {
        return false;
    }
    let mut out = [0; 1024];
    let mut rest = text.as_bytes();
    let mut transcoder = Transcoder::new(Encoding::UTF_8, target);
    loop {
        let progress = transcoder.convert(rest, &mut out, true);
        rest = &rest[progress.read..];
        match progress.status {
            Status::Done => return true,
            Status::NeedOutput => {}
            _ => return false,
        }
    }
}
