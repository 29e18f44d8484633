//! Conversions between UTF-8 and UTF-16.

use super::must_hold;
use crate::text::{Text, Within};
use placemat::convert::transcode_into;
use placemat::forms::{Utf8, Utf16};
use placemat::stream::{Progress, Status};
use placemat::{ErrorPolicy, Native, UnmappablePolicy, utf8, utf16};

/// The code units that are converted at a time where the output must not be overwritten past its end.
pub(crate) const SCRATCH_UNITS: usize = 1024;
/// The room for them in UTF-8.
pub(crate) const SCRATCH_BYTES: usize = 3 * SCRATCH_UNITS;

/// Converts UTF-8 to UTF-16, up to the first error.
pub(crate) fn to_utf16(src: &[u8], dst: &mut [u16]) -> Progress {
    transcode_into::<Utf8, Utf16<Native>>(src, dst, ErrorPolicy::Stop, UnmappablePolicy::Stop)
}

/// Converts UTF-16 to UTF-8, with U+FFFD for half a pair of surrogates.
pub(crate) fn to_utf8(src: &[u16], dst: &mut [u8]) -> Progress {
    transcode_into::<Utf16<Native>, Utf8>(src, dst, ErrorPolicy::Replace, UnmappablePolicy::Stop)
}

/// Converts UTF-8 to UTF-16, with U+FFFD for each error. Returns the number of code units.
///
/// # Panics
/// If `dst` is not longer than `src`.
pub fn convert_utf8_to_utf16(src: &[u8], dst: &mut [u16]) -> usize {
    must_hold(dst.len(), src.len() + 1);
    transcode_into::<Utf8, Utf16<Native>>(src, dst, ErrorPolicy::Replace, UnmappablePolicy::Stop).written
}

/// Converts UTF-8 to UTF-16. Returns the number of code units.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn convert_str_to_utf16(src: &str, dst: &mut [u16]) -> usize {
    must_hold(dst.len(), src.len());
    to_utf16(src.as_bytes(), dst).written
}

/// Converts UTF-8 to UTF-16. Returns the number of code units; `None` if `src` is ill-formed.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn convert_utf8_to_utf16_without_replacement(src: &[u8], dst: &mut [u16]) -> Option<usize> {
    must_hold(dst.len(), src.len());
    let progress = to_utf16(src, dst);
    (progress.status == Status::Done).then_some(progress.written)
}

/// Converts UTF-16 to UTF-8, with U+FFFD for half a pair of surrogates, as far as there is room. Returns the code units read and the
/// bytes written. The bytes after these stay as they are.
pub fn convert_utf16_to_utf8_partial(src: &[u16], dst: &mut [u8]) -> (usize, usize) {
    let mut written = 0;
    let room = dst.len();
    let read = each_piece(src, room, |text| {
        dst[written..written + text.len()].copy_from_slice(text.as_bytes());
        written += text.len();
    });
    (read, written)
}

/// Converts UTF-16 to UTF-8, with U+FFFD for half a pair of surrogates. Returns the number of bytes.
///
/// # Panics
/// If `dst` is shorter than three times `src`.
pub fn convert_utf16_to_utf8(src: &[u16], dst: &mut [u8]) -> usize {
    must_hold(dst.len(), 3 * src.len());
    to_utf8(src, dst).written
}

/// Converts UTF-16 to UTF-8, with U+FFFD for half a pair of surrogates, as far as there is room. Returns the code units read and the
/// bytes written. If they end within a character, the rest of it becomes U+0000.
pub fn convert_utf16_to_str_partial(src: &[u16], dst: &mut str) -> (usize, usize) {
    let mut dst = Within { all: dst, written: 0 };
    let read = each_piece(src, dst.room(), |text| dst.put(text));
    (read, dst.written)
}

/// Converts UTF-16 to UTF-8, with U+FFFD for half a pair of surrogates. Returns the number of bytes.
///
/// # Panics
/// If `dst` is shorter than three times `src`.
pub fn convert_utf16_to_str(src: &[u16], dst: &mut str) -> usize {
    must_hold(dst.len(), 3 * src.len());
    convert_utf16_to_str_partial(src, dst).1
}

/// Converts UTF-16 in pieces of UTF-8, as far as they fit into `room`. Returns the number of code units read.
fn each_piece(src: &[u16], mut room: usize, mut put: impl FnMut(&str)) -> usize {
    let (mut read, mut bytes) = (0, [0; SCRATCH_BYTES]);
    loop {
        let units = utf16::truncate(&src[read..], SCRATCH_UNITS);
        let most = room.min(SCRATCH_BYTES);
        let progress = to_utf8(units, &mut bytes[..most]);
        put(utf8::validate(&bytes[..progress.written]).expect("it is UTF-8"));
        read += progress.read;
        room -= progress.written;
        if progress.status != Status::Done || read == src.len() {
            return read;
        }
    }
}

/// Returns the number of code units before the first half of a pair of surrogates.
pub fn utf16_valid_up_to(buffer: &[u16]) -> usize {
    utf16::well_formed_up_to(buffer)
}

/// Replaces each half of a pair of surrogates by U+FFFD.
pub fn ensure_utf16_validity(buffer: &mut [u16]) {
    let mut at = 0;
    loop {
        at += utf16::well_formed_up_to(&buffer[at..]);
        let Some(unit) = buffer.get_mut(at) else { return };
        *unit = 0xFFFD;
        at += 1;
    }
}
