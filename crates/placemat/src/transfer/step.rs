//! One step of a decoder, and what several encodings read and write.

use super::error::TransferErrorKind;
use alloc::vec::Vec;

/// The result of reading at the start of the input.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// The number of bytes that were read.
    Took(usize),
    /// More input is needed. At the end of the input, the rest is incomplete.
    More,
    /// `len` bytes are malformed.
    Wrong { len: usize, kind: TransferErrorKind },
    /// Everything from `start` to the present offset is malformed.
    WrongSince { start: u64, kind: TransferErrorKind },
}

/// Reads the two hexadecimal digits after the first byte of `src`.
pub(super) fn hex_byte(src: &[u8], out: &mut Vec<u8>) -> Step {
    let digit = |at: usize| src.get(at).map(|byte| char::from(*byte).to_digit(16));
    match (digit(1), digit(2)) {
        (Some(Some(high)), Some(Some(low))) => {
            out.push(u8::try_from(high << 4 | low).unwrap_or_default());
            Step::Took(3)
        }
        (Some(None), _) => Step::Wrong { len: 1, kind: TransferErrorKind::BadEscape },
        (Some(_), Some(None)) => Step::Wrong { len: 2, kind: TransferErrorKind::BadEscape },
        _ => Step::More,
    }
}

/// Returns a byte as two upper-case hexadecimal digits.
pub(super) fn hex_digits(byte: u8) -> [u8; 2] {
    let digit = |value: u8| b"0123456789ABCDEF"[usize::from(value & 15)];
    [digit(byte >> 4), digit(byte)]
}

/// Appends a code point in UTF-8. The callers have refused surrogates and values that are too large.
pub(super) fn put_code_point(value: u32, out: &mut Vec<u8>) {
    if let Some(c) = char::from_u32(value) {
        out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    }
}
