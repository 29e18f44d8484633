//! The pivot between two byte encodings that have no direct kernel: UTF-8 widened to 31 bits and to surrogates.
//!
//! The pivot can hold every code point that any source yields, so only the target decides what is unmappable. For text
//! of scalar values the pivot is byte for byte UTF-8, so the kernels from and to UTF-8 serve it too. The crate writes
//! it and reads it back at once; users cannot name it as an encoding.

use crate::forms::form::{Bulk, EncodeStep, Form, Names, Repertoire, Step};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pivot;

impl Form for Pivot {
    type Unit = u8;
    type State = ();

    const NAMES: Names =
        Names { name: "pivot", labels: &[], web_labels: &[], about: "Internal.", specified_in: "RFC 2279" };
    const MAX_UNITS: usize = 6;
    const REPERTOIRE: Repertoire = Repertoire::Bits31;
    const SURROGATE_PATTERN: bool = true;

    #[inline(always)]
    fn bulk((): &()) -> Bulk {
        Bulk::Utf8
    }

    #[inline]
    fn decode_step((): &mut (), src: &[u8]) -> Step {
        let len = crate::forms::unicode::utf8::nominal_len(src[0]);
        if src[0].is_ascii() {
            return Step::CodePoint { value: CodePoint::from_byte(src[0]), len: 1 };
        }
        let Some(units) = src.get(..len).filter(|_| len > 1) else {
            return Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::InvalidLead };
        };
        let lead = u32::from(units[0]) & (0x7F >> len);
        let value = units[1..].iter().fold(lead, |value, &byte| value << 6 | u32::from(byte & 0x3F));
        Step::CodePoint { value: CodePoint::within_31_bits(value), len }
    }

    #[inline]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        crate::forms::unicode::utf8_31::encode_step(c, dst)
    }
}
