//! Everyday WTF-8: conversion to and from 16-bit units, concatenation, and conversion to UTF-8. The form itself is
//! [`forms::Wtf8`](crate::forms::Wtf8).
//!
//! ```
//! use placemat::wtf8;
//! // A file name with a lone surrogate, which Windows allows.
//! let name = wtf8::from_units(&[0x61, 0xD83D]);
//! assert_eq!(name, b"a\xED\xA0\xBD");
//! assert_eq!(wtf8::to_utf8_lossy(&name)?, "a\u{FFFD}");
//! assert_eq!(wtf8::to_units(&name)?, [0x61, 0xD83D]);
//! // Concatenation joins it with the surrogate that completes the pair.
//! assert_eq!(wtf8::concatenate(&name, &wtf8::from_units(&[0xDE00])), "a😀".as_bytes());
//! let mut whole = name.clone();
//! wtf8::append(&mut whole, b"\xED\xB8\x80");
//! assert_eq!(whole, "a😀".as_bytes());
//! // Without joining, the two surrogates are ill-formed.
//! assert!(wtf8::to_units(b"\xED\xA0\xBD\xED\xB8\x80").is_err());
//! # Ok::<(), placemat::IllFormed>(())
//! ```

use crate::convert;
use crate::forms::unicode::utf8::{self, surrogate};
use crate::forms::{Utf8, Utf16, Wtf8};
use crate::ground::code_point::CodePoint;
use crate::ground::error::{ConvertError, IllFormed, IllFormedKind};
use crate::ground::unit::Native;
use crate::policy::{ErrorPolicy, UnmappablePolicy};
use alloc::string::String;
use alloc::vec::Vec;

/// Encodes 16-bit units, paired or not, as WTF-8.
#[must_use]
#[inline]
pub fn from_units(units: &[u16]) -> Vec<u8> {
    let bytes =
        convert::transcode::<Utf16<Native>, Wtf8>(units, ErrorPolicy::SurrogatePass, UnmappablePolicy::Stop);
    // Code units are never errors, and WTF-8 represents every surrogate.
    bytes.unwrap_or_default()
}

/// Decodes WTF-8 into 16-bit units.
///
/// # Errors
/// If `bytes` is not well-formed WTF-8.
#[inline]
pub fn to_units(bytes: &[u8]) -> Result<Vec<u16>, IllFormed> {
    let units =
        convert::transcode::<Wtf8, Utf16<Native>>(bytes, ErrorPolicy::Stop, UnmappablePolicy::SurrogatePass);
    units.map_err(ill_formed)
}

/// Converts WTF-8 to UTF-8 of the same length, with U+FFFD for each surrogate.
///
/// # Errors
/// If `bytes` is not well-formed WTF-8.
#[inline]
pub fn to_utf8_lossy(bytes: &[u8]) -> Result<String, IllFormed> {
    let text = convert::transcode::<Wtf8, Utf8>(bytes, ErrorPolicy::Stop, UnmappablePolicy::Replace);
    text.map(crate::checked::string).map_err(ill_formed)
}

/// Appends WTF-8 to WTF-8. A leading surrogate at the end of `text` and a trailing surrogate at the start of `more`
/// become the four bytes of their code point.
#[inline]
pub fn append(text: &mut Vec<u8>, more: &[u8]) {
    let halves = (text.last_chunk(), more.first_chunk());
    if let (Some(&[0xED, a @ 0xA0..=0xAF, b]), Some(&[0xED, c @ 0xB0..=0xBF, d])) = halves {
        text.truncate(text.len() - 3);
        let mut joined = [0; 4];
        let _ = utf8::encode_step(CodePoint::from_pair(surrogate(a, b), surrogate(c, d)), &mut joined);
        text.extend_from_slice(&joined);
        text.extend_from_slice(&more[3..]);
    } else {
        text.extend_from_slice(more);
    }
}

/// Joins two texts of WTF-8; see [`append`].
#[must_use]
#[inline]
pub fn concatenate(text: &[u8], more: &[u8]) -> Vec<u8> {
    let mut both = Vec::with_capacity(text.len() + more.len());
    both.extend_from_slice(text);
    append(&mut both, more);
    both
}

/// Unwraps the only error that these conversions can have.
#[inline]
fn ill_formed(e: ConvertError) -> IllFormed {
    match e {
        ConvertError::IllFormed(e) => e,
        ConvertError::Unmappable(e) => IllFormed::new(e.offset(), IllFormedKind::Surrogate, &[0_u8], 1, 1),
    }
}
