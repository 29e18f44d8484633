//! UTF-8-MAC: a name that is an encoding and a normal form.

use placemat::label::{Meaning, no_encodings};

/// The name of GNU libiconv on macOS.
pub(super) const NAME: &str = "UTF-8-MAC";

/// A description in one sentence.
pub(super) const ABOUT: &str =
    "UTF-8 in the normal form that Apple's HFS+ gives to file names: letters and their marks apart.";

/// The contents of its page in `encodings`, by heading.
pub(super) const ROWS: &[(&str, &str)] = &[
    ("encoding", "UTF-8"),
    ("written", "decomposed (NFD), except U+2000..U+2FFF, U+F900..U+FAFF and U+2F800..U+2FAFF"),
    ("read", "composed (NFC)"),
    ("converted by", "`placemat convert` and `placemat iconv`; elsewhere use utf-8"),
    ("used by", "Mac OS X for file names on HFS+; GNU libiconv there has the name"),
    ("on the web", "unknown"),
    ("specified in", "Apple Technical Q&A QA1173, Technical Note TN1150"),
];

/// Returns the labels of UTF-8-MAC.
pub(super) fn labels() -> Vec<&'static str> {
    no_encodings().map(|(name, _)| name).filter(|name| Meaning::of(name).is_ok()).collect()
}

/// Returns the line about UTF-8-MAC in `--format jsonl`.
pub(super) fn json() -> serde_json::Value {
    let mut object = serde_json::json!({ "name": NAME, "about": ABOUT, "labels": labels() });
    for (what, value) in ROWS {
        object[what.replace(' ', "_")] = (*value).into();
    }
    object
}
