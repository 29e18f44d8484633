//! Detection, in the form that the page shows.

use crate::json::Json;
use placemat::Encoding;
use placemat::detect::{Basis, Detection, Verdict};

/// Reports the answer of a detector.
#[must_use]
pub fn detection(found: &Detection) -> String {
    let mut candidates = Json::array();
    for candidate in &found.candidates {
        let mut one = Json::object();
        one.string("name", candidate.encoding.name())
            .raw("confidence", candidate.confidence)
            .maybe("language", candidate.language.map(|language| language.name()));
        candidates.element(one.end_object());
    }
    let mut mixed = Json::array();
    for encoding in &found.mixed {
        mixed.string_element(encoding.name());
    }
    let mut answer = Json::object();
    answer
        .string(
            "verdict",
            match found.verdict {
                Verdict::Text => "text",
                Verdict::Binary => "binary",
                Verdict::Empty => "empty",
                _ => "unknown",
            },
        )
        .maybe("encoding", found.encoding.map(Encoding::name))
        .raw("confidence", found.confidence)
        .maybe("language", found.language.map(|language| language.name()))
        .string(
            "because",
            match found.basis {
                Basis::Signature => "it begins with a signature",
                Basis::Ascii => "all bytes are ASCII",
                Basis::WellFormed => "well-formed sequences, which hardly occur by chance",
                Basis::Structure => "the structure of the bytes",
                Basis::Statistics => "the language model",
                Basis::Declaration => "the declaration in the text, and no byte against it",
                _ => "no encoding is more probable than noise",
            },
        )
        .maybe("signature", found.signature.map(|signature| signature.name))
        .maybe("declared", found.declared.as_ref().map(|declared| &*declared.label))
        .raw("contradicted", found.contradicts_declaration())
        .raw("mixed", mixed.end_array())
        .raw("candidates", candidates.end_array());
    answer.end_object()
}
