//! Validation and lengths.

use crate::answer::{Answer, put};
use crate::encoding;
use crate::memory;
use placemat::stream::{Status, Transcoder};
use placemat::{ConvertError, Encoding, length, utf8};

/// Checks whether a whole text is well-formed; the answer has the first error.
///
/// # Safety
/// The text is in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn validate(number: u32, src: *const u8, len: usize) -> u32 {
    // SAFETY: the caller keeps the contract of this function.
    let src = unsafe { memory::text(src, len) };
    put(match encoding(number) {
        Some(encoding) if encoding == Encoding::UTF_8 => match utf8::validate(src) {
            Ok(_) => Answer::NONE,
            Err(error) => ConvertError::from(error).into(),
        },
        Some(encoding) => {
            let progress = Transcoder::checker(encoding).convert(src, &mut [], true);
            match progress.status {
                // A value that UTF-8 cannot represent is well-formed in its encoding.
                Status::Unmappable(_) => Answer::NONE,
                _ => Answer::of(progress),
            }
        }
        None => Answer::UNKNOWN,
    })
}

/// Returns the number of code points of UTF-8.
///
/// # Safety
/// The text is in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn count_code_points(src: *const u8, len: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    utf8::count_code_points(unsafe { memory::text(src, len) })
}

/// Returns the number of line feeds of UTF-8.
///
/// # Safety
/// The text is in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn count_line_feeds(src: *const u8, len: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    utf8::count_line_feeds(unsafe { memory::text(src, len) })
}

/// Returns the number of UTF-16 code units of UTF-8.
///
/// # Safety
/// The text is in a block.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn count_utf16_units(src: *const u8, len: usize) -> usize {
    // SAFETY: the caller keeps the contract of this function.
    length::utf16_from_utf8(unsafe { memory::text(src, len) })
}
