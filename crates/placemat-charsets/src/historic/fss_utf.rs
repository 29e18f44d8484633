//! FSS-UTF as first proposed, in July 1992, with a bias for each length. The history of UTF-8 in the X/Open Joint
//! Internationalization Group; Unicode 1.1, Appendix F.
//!
//! | code points | bytes | bias |
//! | --- | --- | --- |
//! | 0..7F | 0xxxxxxx | 0 |
//! | 80..207F | 10xxxxxx 1xxxxxxx | 80 |
//! | 2080..8207F | 110xxxxx 1xxxxxxx twice | 2080 |
//! | 82080..208207F | 1110xxxx 1xxxxxxx three times | 82080 |
//! | 2082080..7FFFFFFF | 11110xxx 1xxxxxxx four times | 2082080 |
//!
//! | | UTF-8 | FSS-UTF |
//! | --- | --- | --- |
//! | longest | four bytes | five |
//! | overlong sequences | ill-formed | none exist |
//! | start of a sequence | known from each byte | known only by reading from the start of the text |
//! | surrogates, above U+10FFFF | ill-formed | plain values |
//!
//! The decoder accepts all values up to 7FFFFFFF. A byte below 80 ends an incomplete sequence and
//! is literal. No program is known to write this form; the name FSS-UTF now means UTF-8, which
//! replaced it a few weeks later.

use placemat_core::forms::form::{EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use placemat_core::forms::names::labels;
use placemat_core::ground::code_point::CodePoint;
use placemat_core::ground::error::IllFormedKind;

/// FSS-UTF of July 1992.
#[derive(Clone, Copy, Debug, Default)]
pub struct FssUtf1992;

/// By number of bytes, from two on: the least code point, and the marker of the first byte.
const LENGTHS: [(u32, u8); 4] = [(0x80, 0x80), (0x2080, 0xC0), (0x8_2080, 0xE0), (0x208_2080, 0xF0)];

impl EncodingForm for FssUtf1992 {}

impl Form for FssUtf1992 {
    type Unit = u8;
    type State = ();

    const NAMES: Names = Names {
        name: "FSS-UTF-1992",
        labels: labels!["utf-prosser"],
        web_labels: labels![],
        about: "The proposal that became UTF-8: 31 bits in one to five bytes, with a bias for each length.",
        specified_in: "FSS-UTF, proposal of July 1992; Unicode 1.1 Appendix F",
    };
    const FACTS: Facts = Facts {
        signature: b"\xC3\xBC\xFF",
        surrogate_pattern: true,
        self_synchronizing: false,
        ..Facts::new(Repertoire::Bits31, 5).ascii_compatible()
    };

    #[inline]
    fn decode_step((): &mut (), src: &[u8]) -> Step {
        let lead = src[0];
        let ill_formed = |len, kind| Step::IllFormed { len, seen: len, kind };
        let len = match lead {
            0x00..=0x7F => return Step::CodePoint { value: CodePoint::from_byte(lead), len: 1 },
            0x80..=0xBF => 2,
            0xC0..=0xDF => 3,
            0xE0..=0xEF => 4,
            0xF0..=0xF7 => 5,
            0xF8..=0xFF => return ill_formed(1, IllFormedKind::NeverByte),
        };
        let (bias, marker) = LENGTHS[len - 2];
        let mut value = u32::from(lead - marker);
        for i in 1..len {
            let Some(&byte) = src.get(i) else { return Step::Incomplete { needs: len - i } };
            if byte.is_ascii() {
                return ill_formed(i, IllFormedKind::Truncated);
            }
            value = value << 7 | u32::from(byte & 0x7F);
        }
        match CodePoint::new(value + bias) {
            Some(value) => Step::CodePoint { value, len },
            None => ill_formed(len, IllFormedKind::TooLarge),
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "each payload is masked or below its marker")]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        let c = c.value();
        if c < 0x80 {
            let Some(to) = dst.first_mut() else { return EncodeStep::NoRoom };
            *to = c as u8;
            return EncodeStep::Written(1);
        }
        let longer = LENGTHS[1..].iter().take_while(|(least, _)| c >= *least).count();
        let (bias, marker) = LENGTHS[longer];
        let Some((first, rest)) = dst.get_mut(..longer + 2).and_then(<[u8]>::split_first_mut) else {
            return EncodeStep::NoRoom;
        };
        let mut left = c - bias;
        for byte in rest.iter_mut().rev() {
            *byte = 0x80 | (left & 0x7F) as u8;
            left >>= 7;
        }
        *first = marker | left as u8;
        EncodeStep::Written(longer + 2)
    }
}
