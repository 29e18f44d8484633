//! A target that accepts everything and writes nothing: converting to it is validation.

use crate::forms::form::{Bulk, EncodeStep, Form, Names, Repertoire, Step};
use crate::ground::code_point::CodePoint;
use crate::ground::error::IllFormedKind;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Void;

impl Form for Void {
    type Unit = u8;
    type State = ();

    const NAMES: Names =
        Names { name: "void", labels: &[], web_labels: &[], about: "Internal.", specified_in: "" };
    const MAX_UNITS: usize = 0;
    const REPERTOIRE: Repertoire = Repertoire::Bits31;
    const SURROGATE_PATTERN: bool = true;

    #[inline(always)]
    fn bulk((): &()) -> Bulk {
        Bulk::Void
    }

    /// Nothing is ever written to this form, so nothing read from it is well-formed.
    fn decode_step((): &mut (), _: &[u8]) -> Step {
        Step::IllFormed { len: 1, seen: 1, kind: IllFormedKind::Undefined }
    }

    #[inline(always)]
    fn encode_step((): &mut (), _: CodePoint, _: &mut [u8]) -> EncodeStep {
        EncodeStep::Written(0)
    }
}
