//! UTF-1. ISO/IEC 10646-1:1993, an annex that was withdrawn later; ISO-IR-178.
//!
//! Digits of base 190, written as bytes that are not controls: 21..7E for 0..5D, A0..FF for 5E..BD.
//!
//! | code points | bytes | in UTF-8 |
//! | --- | --- | --- |
//! | 0..9F | one, itself | 80..9F have two |
//! | A0..FF | A0, itself | two |
//! | 100..4015 | A1..F5, one digit | two or three |
//! | 4016..38E2D | F6..FB, two digits | three or four |
//! | 38E2E..7FFFFFFF | FC..FF, four digits | four; none above U+10FFFF |
//!
//! | | UTF-8 | UTF-1 |
//! | --- | --- | --- |
//! | bytes 21..7E | always ASCII | also within sequences, `/` included |
//! | overlong sequences | ill-formed | none exist |
//! | start of a sequence | known from each byte | known only by reading from the start of the text |
//!
//! The decoder accepts all values up to 7FFFFFFF, surrogates included. A byte that is not a digit ends an incomplete
//! sequence and begins the next one. **Bytes below 80 are not always ASCII**, so UTF-1 is not safe for markup or file names.

use placemat_core::forms::form::{
    AsciiBytes, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step,
};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;

/// UTF-1 (ISO-IR-178): one to five bytes, of which some below 80 are not ASCII.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf1;

const BASE: u32 = 190;

/// Returns a digit below 190 as a byte.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "a digit is below 190")]
const fn byte_of(digit: u32) -> u8 {
    if digit < 0x5E { digit as u8 + 0x21 } else { digit as u8 + 0x42 }
}

/// Returns the digit that a byte encodes.
#[inline(always)]
const fn digit_of(byte: u8) -> Option<u32> {
    match byte {
        0x21..=0x7E => Some(byte as u32 - 0x21),
        0xA0..=0xFF => Some(byte as u32 - 0x42),
        _ => None,
    }
}

impl EncodingForm for Utf1 {}

impl Form for Utf1 {
    type Unit = u8;
    type State = ();

    const NAMES: Names = Names {
        name: "UTF-1",
        labels: labels!["iso-10646-utf-1", "csiso10646utf1", "iso-ir-178"],
        web_labels: labels![],
        about: "The first encoding of ISO/IEC 10646 in bytes: base 190, so that no byte is a control. Withdrawn.",
        specified_in: "ISO/IEC 10646-1:1993, informative annex; ISO-IR-178",
    };
    const FACTS: Facts = Facts {
        signature: b"\xF7\x64\x4C",
        surrogate_pattern: true,
        ascii: AsciiBytes::InSequences,
        self_synchronizing: false,
        ..Facts::new(Repertoire::Bits31, 5)
    };

    #[inline]
    fn decode_step((): &mut (), src: &[u8]) -> Step {
        let lead = src[0];
        let ill_formed = |len, kind| Step::IllFormed { len, seen: len, kind };
        let (len, base) = match lead {
            0x00..=0x9F => return Step::CodePoint { value: CodePoint::from_byte(lead), len: 1 },
            0xA0 => {
                return match src.get(1) {
                    None => Step::Incomplete { needs: 1 },
                    Some(&byte @ 0xA0..) => Step::CodePoint { value: CodePoint::from_byte(byte), len: 2 },
                    Some(_) => ill_formed(1, IllFormedKind::Truncated),
                };
            }
            0xA1..=0xF5 => (2, 0x100 + u32::from(lead - 0xA1) * BASE),
            0xF6..=0xFB => (3, 0x4016 + u32::from(lead - 0xF6) * BASE.pow(2)),
            0xFC..=0xFF => (5, 0),
        };
        let mut value = 0;
        for i in 1..len {
            let Some(&byte) = src.get(i) else { return Step::Incomplete { needs: len - i } };
            let Some(digit) = digit_of(byte) else {
                return ill_formed(i, IllFormedKind::Truncated);
            };
            value = value * BASE + digit;
        }
        let value = if len == 5 {
            // FF FF FF FF FF has more than 32 bits.
            let value = u64::from(value) + u64::from(lead - 0xFC) * u64::from(BASE.pow(4)) + 0x3_8E2E;
            u32::try_from(value).ok().and_then(CodePoint::new)
        } else {
            CodePoint::new(base + value)
        };
        match value {
            Some(value) => Step::CodePoint { value, len },
            None => ill_formed(len, IllFormedKind::TooLarge),
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "each lead is within its range")]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let c = c.value();
        let len = match c {
            0..0xA0 => {
                let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
                *to = [c as u8];
                1
            }
            0xA0..0x100 => {
                let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
                *to = [0xA0, c as u8];
                2
            }
            0x100..0x4016 => {
                let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
                let y = c - 0x100;
                *to = [0xA1 + (y / BASE) as u8, byte_of(y % BASE)];
                2
            }
            0x4016..0x3_8E2E => {
                let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
                let y = c - 0x4016;
                *to = [0xF6 + (y / BASE.pow(2)) as u8, byte_of(y / BASE % BASE), byte_of(y % BASE)];
                3
            }
            _ => {
                let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
                let y = c - 0x3_8E2E;
                let digit = |power| byte_of(y / BASE.pow(power) % BASE);
                *to = [0xFC + (y / BASE.pow(4)) as u8, digit(3), digit(2), digit(1), digit(0)];
                5
            }
        };
        EncodeStep::Written(len)
    }
}
