//! The place of a shift that the end of a text leaves open: it is known only at the end, and wanted in lines and columns.

use placemat::stream::{Progress, Transcoder};
use placemat::{OnError, OnUnmappable};

/// Decodes `src`, which begins at `offset` of the text. If that leaves a new shift open, decodes only up to the end of that
/// shift, where the caller can note the place: it may turn out to be the one at which the text ends.
///
/// ```
/// use placemat::{Encoding, stream::Transcoder};
/// use placemat_diagnose::shifts::{convert_up_to_shift, ends_with_shift};
/// let mut decoder = Transcoder::new(Encoding::ISO_2022_JP, Encoding::UTF_8);
/// let p = convert_up_to_shift(&mut decoder, b"ab\x1B$B$\"", 0, &mut [0; 16], true);
/// assert_eq!((p.read, p.written, ends_with_shift(&decoder, 5)), (5, 2, true));
/// ```
pub fn convert_up_to_shift<D: OnError + Clone, U: OnUnmappable + Clone>(
    decoder: &mut Transcoder<D, U>,
    src: &[u8],
    offset: u64,
    text: &mut [u8],
    last: bool,
) -> Progress {
    let before = decoder.clone();
    let progress = decoder.convert(src, text, last);
    let Some(shift) = decoder.open_shift() else { return progress };
    let end = (shift.offset() + shift.len() as u64).checked_sub(offset);
    let Some(len @ 1..) = end.and_then(|len| usize::try_from(len).ok()).filter(|&len| len < progress.read)
    else {
        return progress;
    };
    *decoder = before;
    decoder.convert(&src[..len], text, false)
}

/// Returns `true` if the bytes up to `offset`, which the decoder has read, end with the shift that they leave open.
#[must_use]
pub fn ends_with_shift<D, U>(decoder: &Transcoder<D, U>, offset: u64) -> bool {
    decoder.open_shift().is_some_and(|shift| shift.offset() + shift.len() as u64 == offset)
}
