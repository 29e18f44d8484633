//! Detection and repair, in the form that the page shows.

use crate::json::Json;
use placemat::Encoding;
use placemat::detect::{Basis, Detection, Verdict};
use placemat::repair::Repairer;

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

/// Reports damage to the text that can be undone.
#[must_use]
pub fn repair(bytes: &[u8]) -> String {
    let repaired = Repairer::new().repair(bytes);
    let mut steps: Vec<&str> = repaired.changes.iter().map(|change| change.step.name()).collect();
    steps.sort_unstable();
    steps.dedup();
    let mut named = Json::array();
    for step in steps {
        named.string_element(step);
    }
    let mut layers: Vec<String> = Vec::new();
    for change in &repaired.changes {
        let layer =
            change.encodings.iter().map(|encoding| encoding.name()).collect::<Vec<_>>().join(", then ");
        if !layer.is_empty() && !layers.contains(&layer) {
            layers.push(layer);
        }
    }
    let mut by = Json::array();
    for layer in layers.iter().take(4) {
        by.string_element(layer);
    }
    let lossy = repaired.changes.iter().any(|change| change.lossy);
    let mut answer = Json::object();
    answer
        .raw("changes", repaired.changes.len())
        .raw("steps", named.end_array())
        .raw("by", by.end_array())
        .raw("lossy", lossy)
        .string("text", if repaired.changes.is_empty() { "" } else { &repaired.text });
    answer.end_object()
}
