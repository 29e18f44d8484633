//! UTF-EBCDIC, and I8, from which it is made. Unicode Technical Report #16.
//!
//! I8, also UTF-8-Mod, is UTF-8 with the C1 controls as single bytes and five bits in each continuation byte:
//!
//! | code points | 1st | 2nd | others |
//! | --- | --- | --- | --- |
//! | 0000..009F | 00..9F | | |
//! | 00A0..00FF | C5..C7 | A0..BF | |
//! | 0100..03FF | C8..DF | A0..BF | |
//! | 0400..3FFF | E1..EF | A0..BF | A0..BF |
//! | 4000..7FFF | F0 | B0..BF | A0..BF, 2 |
//! | 8000..D7FF | F1 | A0..B5 | A0..BF, 2 |
//! | E000..FFFF | F1 | B8..BF | A0..BF, 2 |
//! | 10000..3FFFF | F2..F7 | A0..BF | A0..BF, 2 |
//! | 40000..FFFFF | F8 | A8..BF | A0..BF, 3 |
//! | 100000..10FFFF | F9 | A0..A1 | A0..BF, 3 |
//!
//! UTF-EBCDIC is I8 with a fixed permutation of the bytes: letters, digits and controls have the bytes of code page 1047;
//! lead and continuation bytes take the others, in ascending order. Lengths and offsets are the same in both.
//!
//! The decoders accept exactly this; the sequences of the report for 31 bits are errors. I8 sorts as code points do,
//! UTF-EBCDIC does not. Known to disagree: Perl on EBCDIC machines uses the code page of the machine (037, POSIX-BC) instead
//! of 1047, and its files differ in the variant characters.

use crate::ebcdic::exchanged::Page;
use placemat_core::forms::form::{EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;

/// UTF-EBCDIC, CCSID 1210: I8 in the bytes of code page 1047.
#[derive(Clone, Copy, Debug, Default)]
pub struct UtfEbcdic;

impl Page for UtfEbcdic {}

/// I8, the first stage of UTF-EBCDIC, as a form of its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct I8;

/// The byte of UTF-EBCDIC for each byte of I8.
#[rustfmt::skip]
static FROM_I8: [u8; 256] = [
    0x00, 0x01, 0x02, 0x03, 0x37, 0x2D, 0x2E, 0x2F, 0x16, 0x05, 0x15, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
    0x10, 0x11, 0x12, 0x13, 0x3C, 0x3D, 0x32, 0x26, 0x18, 0x19, 0x3F, 0x27, 0x1C, 0x1D, 0x1E, 0x1F,
    0x40, 0x5A, 0x7F, 0x7B, 0x5B, 0x6C, 0x50, 0x7D, 0x4D, 0x5D, 0x5C, 0x4E, 0x6B, 0x60, 0x4B, 0x61,
    0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8, 0xF9, 0x7A, 0x5E, 0x4C, 0x7E, 0x6E, 0x6F,
    0x7C, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xD1, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6,
    0xD7, 0xD8, 0xD9, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xAD, 0xE0, 0xBD, 0x5F, 0x6D,
    0x79, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96,
    0x97, 0x98, 0x99, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xC0, 0x4F, 0xD0, 0xA1, 0x07,
    0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x06, 0x17, 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x09, 0x0A, 0x1B,
    0x30, 0x31, 0x1A, 0x33, 0x34, 0x35, 0x36, 0x08, 0x38, 0x39, 0x3A, 0x3B, 0x04, 0x14, 0x3E, 0xFF,
    0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4A, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56,
    0x57, 0x58, 0x59, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x70, 0x71, 0x72, 0x73,
    0x74, 0x75, 0x76, 0x77, 0x78, 0x80, 0x8A, 0x8B, 0x8C, 0x8D, 0x8E, 0x8F, 0x90, 0x9A, 0x9B, 0x9C,
    0x9D, 0x9E, 0x9F, 0xA0, 0xAA, 0xAB, 0xAC, 0xAE, 0xAF, 0xB0, 0xB1, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6,
    0xB7, 0xB8, 0xB9, 0xBA, 0xBB, 0xBC, 0xBE, 0xBF, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF, 0xDA, 0xDB,
    0xDC, 0xDD, 0xDE, 0xDF, 0xE1, 0xEA, 0xEB, 0xEC, 0xED, 0xEE, 0xEF, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE,
];

/// The byte of I8 for each byte of UTF-EBCDIC.
static TO_I8: [u8; 256] = {
    let mut table = [0; 256];
    let mut i8 = 0_u8;
    loop {
        table[FROM_I8[i8 as usize] as usize] = i8;
        if i8 == 0xFF {
            break table;
        }
        i8 += 1;
    }
};

/// The mapping between the bytes of I8 and the bytes of the form.
trait Mapping {
    fn to_i8(byte: u8) -> u8;
    fn from_i8(byte: u8) -> u8;
}

impl Mapping for I8 {
    #[inline(always)]
    fn to_i8(byte: u8) -> u8 {
        byte
    }
    #[inline(always)]
    fn from_i8(byte: u8) -> u8 {
        byte
    }
}

impl Mapping for UtfEbcdic {
    #[inline(always)]
    fn to_i8(byte: u8) -> u8 {
        TO_I8[usize::from(byte)]
    }
    #[inline(always)]
    fn from_i8(byte: u8) -> u8 {
        FROM_I8[usize::from(byte)]
    }
}

#[inline(always)]
const fn is_continuation(byte: u8) -> bool {
    byte & 0xE0 == 0xA0
}

/// Returns the error, if any, of a continuation byte right after its lead byte.
const fn second_byte(lead: u8, second: u8) -> Option<IllFormedKind> {
    match (lead, second) {
        (0xF0, ..0xB0) => Some(IllFormedKind::Overlong(4)),
        (0xF8, ..0xA8) => Some(IllFormedKind::Overlong(5)),
        (0xF1, 0xB6..=0xB7) => Some(IllFormedKind::Surrogate),
        (0xF9, 0xA2..) => Some(IllFormedKind::TooLarge),
        _ => None,
    }
}

#[inline(always)]
fn decode_step<M: Mapping>(src: &[u8]) -> Step {
    let lead = M::to_i8(src[0]);
    if lead < 0xA0 {
        return Step::CodePoint { value: CodePoint::from_byte(lead), len: 1 };
    }
    // Sequences of two and three bytes are by far the most frequent longer ones, and need no check of the byte's range.
    if let &[_, second, third, ..] = src {
        let (second, third) = (M::to_i8(second), M::to_i8(third));
        let payload = |byte: u8| u32::from(byte & 0x1F);
        match lead {
            0xC5..=0xDF if is_continuation(second) => {
                let value = CodePoint::within_31_bits(payload(lead) << 5 | payload(second));
                return Step::CodePoint { value, len: 2 };
            }
            0xE1..=0xEF if is_continuation(second) && is_continuation(third) => {
                let value = u32::from(lead & 0x0F) << 10 | payload(second) << 5 | payload(third);
                return Step::CodePoint { value: CodePoint::within_31_bits(value), len: 3 };
            }
            _ => {}
        }
    }
    decode_any::<M>(src)
}

fn decode_any<M: Mapping>(src: &[u8]) -> Step {
    let lead = M::to_i8(src[0]);
    let ill_formed = |len, seen, kind| Step::IllFormed { len, seen, kind };
    let len = match lead {
        ..0xA0 => return Step::CodePoint { value: CodePoint::from_byte(lead), len: 1 },
        0xA0..=0xBF => return ill_formed(1, 1, IllFormedKind::UnexpectedContinuation),
        0xC0..=0xC4 => return ill_formed(1, 1, IllFormedKind::Overlong(2)),
        0xC5..=0xDF => 2,
        0xE0 => return ill_formed(1, 1, IllFormedKind::Overlong(3)),
        0xE1..=0xEF => 3,
        0xF0..=0xF7 => 4,
        0xF8..=0xF9 => 5,
        0xFA.. => return ill_formed(1, 1, IllFormedKind::TooLarge),
    };
    // 110xxxxx, 1110xxxx, 11110xxx, 111110xx: the bits after the marker are payload.
    let mut value = u32::from(lead & (0x7F >> len));
    for i in 1..len {
        let Some(&byte) = src.get(i) else { return Step::Incomplete { needs: len - i } };
        let byte = M::to_i8(byte);
        if !is_continuation(byte) {
            return ill_formed(i, i, IllFormedKind::Truncated);
        }
        if i == 1
            && let Some(kind) = second_byte(lead, byte)
        {
            return ill_formed(1, 2, kind);
        }
        value = value << 5 | u32::from(byte & 0x1F);
    }
    Step::CodePoint { value: CodePoint::within_31_bits(value), len }
}

/// Writes a code point up to U+10FFFF; a surrogate in four bytes.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "each payload is masked or below its marker")]
fn encode_step<M: Mapping>(c: CodePoint, dst: &mut [u8]) -> EncodeStep {
    let c = c.value();
    let cont = |shift: u32| M::from_i8(0xA0 | (c >> shift & 0x1F) as u8);
    let lead = |marker: u8, shift: u32| M::from_i8(marker | (c >> shift) as u8);
    let len = match c {
        0..0xA0 => {
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            *to = [lead(0, 0)];
            1
        }
        0xA0..0x400 => {
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            *to = [lead(0xC0, 5), cont(0)];
            2
        }
        0x400..0x4000 => {
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            *to = [lead(0xE0, 10), cont(5), cont(0)];
            3
        }
        0x4000..0x4_0000 => {
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            *to = [lead(0xF0, 15), cont(10), cont(5), cont(0)];
            4
        }
        _ => {
            let Some(to) = dst.first_chunk_mut() else { return EncodeStep::NoRoom };
            *to = [lead(0xF8, 20), cont(15), cont(10), cont(5), cont(0)];
            5
        }
    };
    EncodeStep::Written(len)
}

/// Decodes F1 B6..B7 and two more bytes, the pattern of U+D800..U+DFFF.
fn decode_surrogate<M: Mapping>(src: &[u8]) -> Option<Step> {
    const PATTERN: [fn(u8) -> bool; 4] =
        [|lead| lead == 0xF1, |second| second & 0xFE == 0xB6, is_continuation, is_continuation];
    if !PATTERN.iter().zip(src).all(|(fits, &byte)| fits(M::to_i8(byte))) || src.len() < 2 {
        return None;
    }
    let Some(units) = src.first_chunk::<4>() else { return Some(Step::Incomplete { needs: 4 - src.len() }) };
    let value = units[1..].iter().fold(1, |value, &byte| value << 5 | u32::from(M::to_i8(byte) & 0x1F));
    Some(Step::CodePoint { value: CodePoint::within_31_bits(value), len: 4 })
}

/// Implements a form. The two forms differ in their names and in the mapping.
macro_rules! form {
    ($form:ty, $ascii:literal, $signature:literal, $names:expr) => {
        impl EncodingForm for $form {}

        impl Form for $form {
            type Unit = u8;
            type State = ();

            const NAMES: Names = $names;
            const FACTS: Facts = {
                let facts = Facts::new(Repertoire::Scalar, 5);
                let facts = if $ascii { facts.ascii_compatible() } else { facts };
                Facts { signature: $signature, surrogate_pattern: true, ..facts }
            };
            #[inline]
            fn decode_step((): &mut (), src: &[u8]) -> Step {
                decode_step::<Self>(src)
            }
            #[inline]
            fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
                encode_step::<Self>(c, dst)
            }
            fn decode_surrogate((): &(), src: &[u8]) -> Option<Step> {
                decode_surrogate::<Self>(src)
            }
        }
    };
}

form!(
    UtfEbcdic,
    false,
    b"\xDD\x73\x66\x73",
    Names {
        name: "UTF-EBCDIC",
        labels: labels!["utfebcdic", "utf_ebcdic", "ibm-1210", "ibm1210", "cp1210", "ccsid1210"],
        web_labels: labels![],
        about: "I8 in the bytes of EBCDIC: letters, digits and controls are those of code page 1047.",
        specified_in: "Unicode Technical Report #16",
    }
);
form!(
    I8,
    true,
    b"\xF1\xBF\xB7\xBF",
    Names {
        name: "I8",
        labels: labels!["utf-8-mod", "utf-8-modified-i8", "utf-ebcdic-i8"],
        web_labels: labels![],
        about: "The first stage of UTF-EBCDIC: UTF-8 with C1 controls in one byte and five bits in each continuation byte.",
        specified_in: "Unicode Technical Report #16, section 4.1",
    }
);
