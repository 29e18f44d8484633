//! ISO-8859-1, Latin-1. ISO/IEC 8859-1:1998 with the control sets C0 and C1.
//!
//! Each byte is the code point of the same value, and none is ill-formed. This is the true Latin-1: the web reads the
//! labels `iso-8859-1` and `latin1` as windows-1252, which has letters and punctuation at 80..9F.

use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::ground::code_point::CodePoint;

/// ISO-8859-1, the true one: every byte is the code point of the same value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Latin1;

/// Writes a code point below U+0100 as the byte of that value.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the repertoires of US-ASCII and ISO-8859-1 end at FF")]
pub fn encode_byte(c: CodePoint, dst: &mut [u8]) -> EncodeStep {
    EncodeStep::of(dst.first_mut().map(|byte| *byte = c.value() as u8).is_some(), 1)
}

impl EncodingForm for Latin1 {}

impl Form for Latin1 {
    type Unit = u8;
    type State = ();

    const NAMES: Names = Names {
        name: "ISO-8859-1",
        labels: labels![
            "latin1",
            "latin-1",
            "l1",
            "iso8859-1",
            "iso88591",
            "iso_8859-1",
            "iso_8859-1:1987",
            "iso-ir-100",
            "csisolatin1",
            "ibm819",
            "cp819",
            "cp28591",
            "8859-1",
        ],
        web_labels: labels![],
        about: "Every byte is the code point of the same value: U+0000..U+00FF.",
        specified_in: "ISO/IEC 8859-1:1998",
    };
    const FACTS: Facts = Facts { bulk: Bulk::Latin1, ..Facts::new(Repertoire::Latin1, 1).ascii_compatible() };

    #[inline]
    fn decode_step((): &mut (), src: &[u8]) -> Step {
        Step::CodePoint { value: CodePoint::from_byte(src[0]), len: 1 }
    }

    #[inline]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        encode_byte(c, dst)
    }
}
