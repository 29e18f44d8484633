//! UTF-8 of up to six bytes, for 31 bits: FSS-UTF as X/Open adopted it in 1992, ISO/IEC 10646-1:1993 Amendment 2, RFC 2044,
//! RFC 2279; and Perl's extension of it.
//!
//! | code points | first byte | bytes | in UTF-8 |
//! | --- | --- | --- | --- |
//! | 0..FFFF | 00..EF | one to three | well-formed, except surrogates |
//! | 10000..1FFFFF | F0..F7 | four | up to 10FFFF |
//! | 200000..3FFFFFF | F8..FB | five | ill-formed |
//! | 4000000..7FFFFFFF | FC, FD | six | ill-formed |
//! | 80000000..FFFFFFFFF (Perl) | FE | seven | ill-formed |
//! | to 7FFFFFFFFFFFFFFF (Perl) | FF | thirteen | ill-formed |
//!
//! The decoders accept the shortest forms of all values, surrogates included. RFC 2044 does not mention longer forms, and
//! RFC 2279 warns of them; here they are errors. [`PerlUtf8`] also reads the forms of seven and thirteen bytes. A well-formed
//! one is one error, a value out of range, because no [`CodePoint`] has more than 31 bits. [`encode_perl`] and
//! [`decode_perl`] write and read these values.
//!
//! Known to disagree: RFC 3629 removed the values above U+10FFFF, and surrogates. Perl calls this `utf8`, and the UTF-8 of
//! RFC 3629 `UTF-8`.

use crate::forms::facts::LikeUtf8;
use crate::forms::form::{EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::forms::unicode::utf8::{self, is_continuation, nominal_len};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;
use crate::ground::policy::Span;

/// UTF-8 as RFC 2279 defined it: 31 bits in one to six bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf8Bits31;

/// Perl's lax `utf8`: [`Utf8Bits31`], and sequences of seven and thirteen bytes for greater values.
#[derive(Clone, Copy, Debug, Default)]
pub struct PerlUtf8;

/// Returns the length that a first byte announces, or 1 if it announces none.
const fn announced(lead: u8, perl: bool) -> usize {
    match lead {
        0xFE if perl => 7,
        0xFF if perl => 13,
        _ => nominal_len(lead),
    }
}

/// Returns the smallest value that needs `len` bytes.
const fn least(len: usize) -> u64 {
    match len {
        0..=1 => 0,
        2 => 0x80,
        3 => 0x800,
        4 => 0x1_0000,
        5 => 0x20_0000,
        6 => 0x400_0000,
        7 => 0x8000_0000,
        _ => 1 << 36,
    }
}

/// The result of reading at the start of some bytes: a value and its length, or an error.
enum Read {
    Value(u64, usize),
    IllFormed(usize, usize, IllFormedKind),
    Incomplete(usize),
}

#[inline]
fn read(src: &[u8], perl: bool) -> Read {
    let lead = src[0];
    match lead {
        0x00..=0x7F => return Read::Value(u64::from(lead), 1),
        0x80..=0xBF => return Read::IllFormed(1, 1, IllFormedKind::UnexpectedContinuation),
        0xC0..=0xC1 => return Read::IllFormed(1, 1, IllFormedKind::Overlong(2)),
        0xFE..=0xFF if !perl => return Read::IllFormed(1, 1, IllFormedKind::NeverByte),
        _ => {}
    }
    let len = announced(lead, perl);
    #[expect(clippy::cast_possible_truncation, reason = "at most 13")]
    let overlong = IllFormedKind::Overlong(len as u8);
    let mut value = if len < 7 { u64::from(lead) & (0x7F >> len) } else { 0 };
    let mut beyond = false;
    for i in 1..len {
        let Some(&byte) = src.get(i) else { return Read::Incomplete(len - i) };
        if !is_continuation(byte) {
            return Read::IllFormed(i, i, IllFormedKind::Truncated);
        }
        beyond |= value >> 57 != 0;
        value = value << 6 | u64::from(byte & 0x3F);
        // The first two bytes show that a sequence of up to six is overlong.
        if i == 1 && len < 7 && value << (6 * (len - 2)) | ((1 << (6 * (len - 2))) - 1) < least(len) {
            return Read::IllFormed(1, 2, overlong);
        }
    }
    if beyond {
        return Read::IllFormed(len, len, IllFormedKind::TooLarge);
    }
    if value < least(len) {
        return Read::IllFormed(len, len, overlong);
    }
    Read::Value(value, len)
}

#[inline]
fn decode_step(src: &[u8], perl: bool) -> Step {
    match read(src, perl) {
        Read::Value(value, len) => match u32::try_from(value).ok().and_then(CodePoint::new) {
            Some(value) => Step::CodePoint { value, len },
            None => Step::IllFormed { len, seen: len, kind: IllFormedKind::TooLarge },
        },
        Read::IllFormed(len, seen, kind) => Step::IllFormed { len, seen, kind },
        Read::Incomplete(needs) => Step::Incomplete { needs },
    }
}

/// Writes a code point in up to six bytes.
#[inline]
pub(crate) fn encode_step(c: CodePoint, dst: &mut [u8]) -> EncodeStep {
    if c.value() < 0x20_0000 {
        return utf8::encode_step(c, dst);
    }
    let len = if c.value() < 0x400_0000 { 5 } else { 6 };
    EncodeStep::of(dst.get_mut(..len).is_some_and(|dst| fill(u64::from(c.value()), dst)), len)
}

/// Writes a value in all of `dst`, which has more than one byte.
#[expect(clippy::cast_possible_truncation, reason = "each payload is masked or below its marker")]
fn fill(value: u64, dst: &mut [u8]) -> bool {
    let len = dst.len();
    let Some((first, rest)) = dst.split_first_mut() else { return false };
    let mut left = value;
    for byte in rest.iter_mut().rev() {
        *byte = 0x80 | (left & 0x3F) as u8;
        left >>= 6;
    }
    // 110xxxxx, 1110xxxx, … 11111110, 11111111.
    *first = !(0xFF_u32.checked_shr(len as u32).unwrap_or(0)) as u8 | left as u8;
    true
}

/// Writes a value as Perl does, in up to thirteen bytes, and returns their number; `None` for a value above
/// 7FFFFFFFFFFFFFFF, or if `dst` is too short.
///
/// ```
/// use placemat::forms::{decode_perl, encode_perl};
/// let mut bytes = [0; 13];
/// assert_eq!(encode_perl(0x8000_0000, &mut bytes), Some(7));
/// assert_eq!(bytes[..7], *b"\xFE\x82\x80\x80\x80\x80\x80");
/// assert_eq!(decode_perl(&bytes[..7]), Some((0x8000_0000, 7)));
/// assert_eq!(encode_perl(1 << 36, &mut bytes), Some(13));
/// ```
pub fn encode_perl(value: u64, dst: &mut [u8]) -> Option<usize> {
    let len = match value {
        0..0x80 => {
            *dst.first_mut()? = value.to_le_bytes()[0];
            return Some(1);
        }
        0x8000_0000_0000_0000.. => return None,
        _ => (2..=7).find(|&len| value < least(len + 1)).unwrap_or(13),
    };
    dst.get_mut(..len).is_some_and(|dst| fill(value, dst)).then_some(len)
}

/// Returns the value at the start of `src` as Perl reads it, and the number of its bytes; `None` if the sequence is
/// ill-formed, overlong or truncated.
///
/// ```
/// use placemat::forms::decode_perl;
/// assert_eq!(decode_perl(b"\xF8\x88\x80\x80\x80!"), Some((0x20_0000, 5)));
/// // Ill-formed: overlong.
/// assert_eq!(decode_perl(b"\xC0\x80"), None);
/// ```
#[must_use]
pub fn decode_perl(src: &[u8]) -> Option<(u64, usize)> {
    match src.first().map(|_| read(src, true))? {
        Read::Value(value, len) => Some((value, len)),
        Read::IllFormed(..) | Read::Incomplete(_) => None,
    }
}

/// Implements a form from the parts in which the two forms differ.
macro_rules! utf8_31 {
    ($form:ty, $perl:literal, $names:expr) => {
        impl EncodingForm for $form {}

        impl Form for $form {
            type Unit = u8;
            type State = ();

            const NAMES: Names = $names;
            const FACTS: Facts = Facts {
                signature: b"\xEF\xBB\xBF",
                surrogate_pattern: true,
                like_utf8: LikeUtf8::All,
                ..Facts::new(Repertoire::Bits31, 6).marked_like_utf8()
            };

            #[inline]
            fn decode_step((): &mut (), src: &[u8]) -> Step {
                decode_step(src, $perl)
            }

            #[inline]
            fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
                encode_step(c, dst)
            }

            fn span((): &(), rule: Span, src: &[u8], maximal: usize, last: bool) -> Option<usize> {
                utf8::span(rule, src, maximal, last, |lead| announced(lead, $perl))
            }
        }
    };
}

utf8_31!(
    Utf8Bits31,
    false,
    Names {
        name: "UTF-8 31-bit",
        labels: labels!["utf-8-31", "fss-utf", "fss/utf", "utf-2", "rfc2279", "rfc2044"],
        web_labels: labels![],
        about: "UTF-8 before it ended at U+10FFFF: 31 bits in one to six bytes, surrogates included.",
        specified_in: "RFC 2279; ISO/IEC 10646-1:1993 Amendment 2",
    }
);
utf8_31!(
    PerlUtf8,
    true,
    Names {
        name: "UTF-8-Perl",
        labels: labels!["perl-utf8", "utf8-lax"],
        web_labels: labels![],
        about: "Perl's lax utf8: UTF-8 of 31 bits; sequences of 7 and 13 bytes are errors: values out of range.",
        specified_in: "perlunicode; perlguts",
    }
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perl_values_of_each_length() {
        let mut bytes = [0; 13];
        for bit in 0..63 {
            for value in [1 << bit, (1 << bit) - 1, (1 << bit) | 0x2A] {
                let len = encode_perl(value, &mut bytes).expect("63 bits");
                assert_eq!(decode_perl(&bytes[..len]), Some((value, len)), "{value:x}");
                assert_eq!(encode_perl(value, &mut bytes[..len - 1]), None, "{value:x}");
                for end in 1..len {
                    assert_eq!(decode_perl(&bytes[..end]), None, "{value:x}");
                }
            }
        }
        assert_eq!(encode_perl(1 << 63, &mut bytes), None);
        assert_eq!(decode_perl(b""), None);
        assert_eq!(decode_perl(b"\xFF\x80\x88\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"), None, "64 bits");
        assert_eq!(decode_perl(b"\xFF\x80\x80\x80\x80\x80\x80\xBF\xBF\xBF\xBF\xBF\xBF"), None, "overlong");
        assert_eq!(decode_perl(b"\xFE\x81\xBF\xBF\xBF\xBF\xBF"), None, "overlong");
    }
}
