//! ASCII, and Latin-1 as bytes of which each is a code point.

use super::must_hold;
use crate::encoding::{Encoding, prefix};
use crate::text::{Text, Within};
#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, vec};
use placemat::convert::transcode_into;
use placemat::forms::{Latin1, Utf8};
use placemat::stream::{Progress, Status};
use placemat::{ErrorPolicy, UnmappablePolicy, utf8};

/// The bytes that are converted at a time where the output is a `str`.
const SCRATCH: usize = 2048;

fn to_utf8(src: &[u8], dst: &mut [u8]) -> Progress {
    transcode_into::<Latin1, Utf8>(src, dst, ErrorPolicy::Stop, UnmappablePolicy::Stop)
}

fn from_utf8(src: &[u8], dst: &mut [u8]) -> Progress {
    transcode_into::<Utf8, Latin1>(src, dst, ErrorPolicy::Stop, UnmappablePolicy::Stop)
}

/// Returns `true` if all bytes are ASCII.
pub fn is_ascii(buffer: &[u8]) -> bool {
    buffer.is_ascii()
}

/// Returns `true` if all code units are ASCII.
pub fn is_basic_latin(buffer: &[u16]) -> bool {
    buffer.iter().fold(0, |all, unit| all | unit) < 0x80
}

/// Returns `true` if the text is well-formed UTF-8 without a code point above U+00FF.
pub fn is_utf8_latin1(buffer: &[u8]) -> bool {
    utf8_latin1_up_to(buffer) == buffer.len()
}

/// Returns `true` if the text has no code point above U+00FF.
pub fn is_str_latin1(buffer: &str) -> bool {
    // The lead bytes of the others are C4 and above.
    buffer.as_bytes().iter().fold(true, |all, &byte| all & (byte < 0xC4))
}

/// Returns `true` if no code unit is above U+00FF.
pub fn is_utf16_latin1(buffer: &[u16]) -> bool {
    buffer.iter().fold(0, |all, unit| all | unit) < 0x100
}

/// Returns the number of bytes before the first sequence that is ill-formed or above U+00FF.
pub fn utf8_latin1_up_to(buffer: &[u8]) -> usize {
    let mut len = 0;
    loop {
        len += Encoding::ascii_valid_up_to(&buffer[len..]);
        match buffer[len..] {
            [0xC2 | 0xC3, 0x80..=0xBF, ..] => len += 2,
            _ => return len,
        }
    }
}

/// Returns the number of bytes before the first code point above U+00FF.
pub fn str_latin1_up_to(buffer: &str) -> usize {
    prefix(buffer.as_bytes(), |byte| byte < 0xC4)
}

/// Converts Latin-1 to UTF-16: as many code units as bytes.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn convert_latin1_to_utf16(src: &[u8], dst: &mut [u16]) {
    must_hold(dst.len(), src.len());
    dst.iter_mut().zip(src).for_each(|(unit, &byte)| *unit = byte.into());
}

/// Converts Latin-1 to UTF-8, as far as there is room. Returns the bytes read and written.
pub fn convert_latin1_to_utf8_partial(src: &[u8], dst: &mut [u8]) -> (usize, usize) {
    let progress = to_utf8(src, dst);
    (progress.read, progress.written)
}

/// Converts Latin-1 to UTF-8. Returns the number of bytes written.
///
/// # Panics
/// If `dst` is shorter than twice `src`.
pub fn convert_latin1_to_utf8(src: &[u8], dst: &mut [u8]) -> usize {
    must_hold(dst.len(), 2 * src.len());
    to_utf8(src, dst).written
}

/// Converts Latin-1 to UTF-8, as far as there is room. Returns the bytes read and written. If they end within a character, the rest of
/// it becomes U+0000.
pub fn convert_latin1_to_str_partial(src: &[u8], dst: &mut str) -> (usize, usize) {
    let mut dst = Within { all: dst, written: 0 };
    let (mut read, mut bytes) = (0, [0; SCRATCH]);
    loop {
        let most = dst.room().min(SCRATCH);
        let progress = to_utf8(&src[read..], &mut bytes[..most]);
        let Ok(text) = utf8::validate(&bytes[..progress.written]) else {
            unreachable!("a conversion to UTF-8 writes UTF-8")
        };
        dst.put(text);
        read += progress.read;
        if progress.status == Status::Done || progress.read == 0 {
            return (read, dst.written);
        }
    }
}

/// Converts Latin-1 to UTF-8. Returns the number of bytes written.
///
/// # Panics
/// If `dst` is shorter than twice `src`.
pub fn convert_latin1_to_str(src: &[u8], dst: &mut str) -> usize {
    must_hold(dst.len(), 2 * src.len());
    convert_latin1_to_str_partial(src, dst).1
}

/// Converts UTF-8 without a code point above U+00FF to Latin-1. Returns the number of bytes written. The result for other text is of no
/// use.
///
/// # Panics
/// If `dst` is shorter than `src`; in builds with debug assertions, also if `src` is other text.
pub fn convert_utf8_to_latin1_lossy(src: &[u8], dst: &mut [u8]) -> usize {
    must_hold(dst.len(), src.len());
    debug_assert!(is_utf8_latin1(src), "the text must be Latin-1");
    from_utf8(src, dst).written
}

/// Converts UTF-16 to Latin-1: the low byte of each code unit, so the result for text above U+00FF is of no use.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn convert_utf16_to_latin1_lossy(src: &[u16], dst: &mut [u8]) {
    must_hold(dst.len(), src.len());
    dst.iter_mut().zip(src).for_each(|(byte, unit)| *byte = unit.to_le_bytes()[0]);
}

/// Converts Latin-1 to UTF-8. Borrows ASCII.
#[cfg(feature = "alloc")]
pub fn decode_latin1(bytes: &[u8]) -> Cow<'_, str> {
    // No byte is an error.
    placemat::Encoding::ISO_8859_1.decode(bytes, ErrorPolicy::Stop).unwrap_or_default()
}

/// Converts UTF-8 without a code point above U+00FF to Latin-1. Borrows ASCII. The result for other text is of no use.
///
/// # Panics
/// In builds with debug assertions, if `string` is other text.
#[cfg(feature = "alloc")]
pub fn encode_latin1_lossy(string: &str) -> Cow<'_, [u8]> {
    if string.is_ascii() {
        return Cow::Borrowed(string.as_bytes());
    }
    let mut bytes = vec![0; string.len()];
    let len = convert_utf8_to_latin1_lossy(string.as_bytes(), &mut bytes);
    bytes.truncate(len);
    Cow::Owned(bytes)
}

/// Copies ASCII, up to the first byte that is not. Returns the number of bytes.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn copy_ascii_to_ascii(src: &[u8], dst: &mut [u8]) -> usize {
    must_hold(dst.len(), src.len());
    let len = Encoding::ascii_valid_up_to(src);
    dst[..len].copy_from_slice(&src[..len]);
    len
}

/// Copies ASCII into UTF-16, up to the first byte that is not. Returns the number of code units.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn copy_ascii_to_basic_latin(src: &[u8], dst: &mut [u16]) -> usize {
    must_hold(dst.len(), src.len());
    let len = Encoding::ascii_valid_up_to(src);
    convert_latin1_to_utf16(&src[..len], dst);
    len
}

/// Copies ASCII out of UTF-16, up to the first code unit that is not. Returns the number of bytes.
///
/// # Panics
/// If `dst` is shorter than `src`.
pub fn copy_basic_latin_to_ascii(src: &[u16], dst: &mut [u8]) -> usize {
    must_hold(dst.len(), src.len());
    let len = prefix(src, |unit| unit < 0x80);
    convert_utf16_to_latin1_lossy(&src[..len], dst);
    len
}
