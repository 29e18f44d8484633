//! Checks and conversions of text in memory: UTF-8, UTF-16, and Latin-1 as bytes of which each is a code point.
//!
//! ```
//! use encoding_rs::mem;
//! let mut units = [0; 8];
//! let len = mem::convert_str_to_utf16("5 €", &mut units[..]);
//! assert_eq!(units[..len], [0x35, 0x20, 0x20AC]);
//! assert_eq!(mem::utf16_valid_up_to(&[0x41, 0xD83D, 0x41]), 1);
//! assert_eq!(mem::decode_latin1(b"caf\xE9"), "café");
//! assert!(mem::is_str_bidi("שלום"));
//! ```

mod bidi;
mod convert;
mod latin1;

pub use bidi::{
    Latin1Bidi, check_str_for_latin1_and_bidi, check_utf8_for_latin1_and_bidi,
    check_utf16_for_latin1_and_bidi, is_char_bidi, is_str_bidi, is_utf8_bidi, is_utf16_bidi,
    is_utf16_code_unit_bidi,
};
pub(crate) use convert::{SCRATCH_BYTES, SCRATCH_UNITS, to_utf8, to_utf16};
pub use convert::{
    convert_str_to_utf16, convert_utf8_to_utf16, convert_utf8_to_utf16_without_replacement,
    convert_utf16_to_str, convert_utf16_to_str_partial, convert_utf16_to_utf8, convert_utf16_to_utf8_partial,
    ensure_utf16_validity, utf16_valid_up_to,
};
pub use latin1::{
    convert_latin1_to_str, convert_latin1_to_str_partial, convert_latin1_to_utf8,
    convert_latin1_to_utf8_partial, convert_latin1_to_utf16, convert_utf8_to_latin1_lossy,
    convert_utf16_to_latin1_lossy, copy_ascii_to_ascii, copy_ascii_to_basic_latin, copy_basic_latin_to_ascii,
    is_ascii, is_basic_latin, is_str_latin1, is_utf8_latin1, is_utf16_latin1, str_latin1_up_to,
    utf8_latin1_up_to,
};
#[cfg(feature = "alloc")]
pub use latin1::{decode_latin1, encode_latin1_lossy};

/// Panics unless the result fits.
#[inline(always)]
#[track_caller]
fn must_hold(room: usize, needed: usize) {
    assert!(room >= needed, "the destination has room for {room}, and {needed} are needed");
}
