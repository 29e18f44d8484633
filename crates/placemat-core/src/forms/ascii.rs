//! US-ASCII. ANSI X3.4-1986; RFC 20; ISO/IEC 646 IRV.
//!
//! The bytes 00..7F are U+0000..U+007F; each byte 80..FF is one error. This is the true seven-bit set: the web
//! reads the label `ascii` as windows-1252.

use crate::forms::form::{Bulk, EncodeStep, EncodingForm, Facts, Form, Names, Repertoire, Step};
use crate::forms::names::labels;
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;

/// US-ASCII, the true one: seven bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ascii;

impl EncodingForm for Ascii {}

impl Form for Ascii {
    type Unit = u8;
    type State = ();

    const NAMES: Names = Names {
        name: "US-ASCII",
        labels: labels![
            "ascii",
            "iso646-us",
            "iso-ir-6",
            "ansi_x3.4-1968",
            "ansi_x3.4-1986",
            "iso_646.irv:1991",
            "us",
            "ibm367",
            "cp367",
            "csascii",
            "646",
            "cp20127",
        ],
        web_labels: labels![],
        about: "Seven bits: U+0000..U+007F, each in a byte of its own.",
        specified_in: "ANSI X3.4-1986; RFC 20",
    };
    const FACTS: Facts = Facts { bulk: Bulk::Ascii, ..Facts::new(Repertoire::Ascii, 1).ascii_compatible() };

    #[inline]
    fn decode_step((): &mut (), src: &[u8]) -> Step {
        if src[0].is_ascii() {
            Step::CodePoint { value: CodePoint::from_byte(src[0]), len: 1 }
        } else {
            Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined }
        }
    }

    #[inline]
    fn encode_step((): &mut (), c: CodePoint, dst: &mut [u8]) -> EncodeStep {
        crate::forms::latin1::encode_byte(c, dst)
    }
}
